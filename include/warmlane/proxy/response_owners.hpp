#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace warmlane::proxy {

/// Remembers which endpoint made a stored response (`/v1/responses`), so that later calls about its id reach
/// the engine that knows it. Bounded: the oldest ids are forgotten first. Any thread.
class ResponseOwners {
public:
    static constexpr std::size_t kIdBytesMax = 256;

    explicit ResponseOwners(std::size_t ids_max = 100'000) : ids_max_(ids_max) {}

    void remember(std::string_view id, std::string_view endpoint);
    /// Name of the endpoint; empty when the id is not known.
    std::string owner_of(std::string_view id) const;
    std::size_t size() const;

private:
    struct Owner {
        std::string id;
        std::string endpoint;
    };

    const std::size_t ids_max_;
    mutable std::mutex mutex_;
    /// Oldest first.
    std::list<Owner> owners_;
    std::unordered_map<std::string_view, std::list<Owner>::iterator> by_id_;
};

}  // namespace warmlane::proxy
