#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace warmlane::sim {

/// Answers of the Responses API that can be asked for again, the newest `kEntriesMax` of them.
class ResponseStore {
public:
    static constexpr std::size_t kEntriesMax = 1'000;

    struct Entry {
        /// The answer's object.
        std::string json;
        /// Prompt and answer as the model saw them, without the end of the message.
        std::string transcript;
    };

    void put(const std::string& id, Entry entry) {
        if (entries_.insert_or_assign(id, std::move(entry)).second) {
            order_.push_back(id);
        }
        if (order_.size() > kEntriesMax) {
            entries_.erase(order_.front());
            order_.pop_front();
        }
    }
    /// nullptr when it is not known (any more).
    const Entry* find(const std::string& id) const {
        const auto entry = entries_.find(id);
        return entry == entries_.end() ? nullptr : &entry->second;
    }

private:
    std::unordered_map<std::string, Entry> entries_;
    std::deque<std::string> order_;
};

}  // namespace warmlane::sim
