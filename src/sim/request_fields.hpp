#pragma once

#include "job.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace warmlane::sim {

/// Reads the fields of a request's body; the first thing that is wrong is kept as the request's error. A
/// field that is absent or `null` reads as its default; unknown fields are ignored, as vLLM does.
class RequestFields {
public:
    /// `body` outlives the reader.
    explicit RequestFields(const boost::json::object& body) : body_(body) {}

    /// nullptr when absent or `null`.
    const boost::json::value* value(std::string_view key) const;
    std::string text(std::string_view key);
    bool flag(std::string_view key);
    std::optional<std::int64_t> integer(std::string_view key);
    std::optional<std::uint32_t> count(
        std::string_view key, std::uint32_t min, std::uint32_t max = std::numeric_limits<std::uint32_t>::max()
    );
    /// Empty when absent or wrong.
    const boost::json::array& list(std::string_view key);
    const boost::json::object& object(std::string_view key);

    /// Keeps the first error only.
    void fail(ApiError error);
    void fail(std::string_view param, std::string_view message);
    /// nullptr while nothing is wrong.
    const ApiError* error() const { return error_ ? &*error_ : nullptr; }

private:
    const boost::json::object& body_;
    std::optional<ApiError> error_;
};

/// The text of an object's member; empty when it is absent or no text.
std::string_view text_of(const boost::json::object& object, std::string_view key);

}  // namespace warmlane::sim
