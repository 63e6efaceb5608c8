#include "warmlane/proxy/response_owners.hpp"

namespace warmlane::proxy {

void ResponseOwners::remember(std::string_view id, std::string_view endpoint) {
    if (id.empty() || id.size() > kIdBytesMax) {
        return;
    }
    const std::lock_guard lock(mutex_);
    if (const auto known = by_id_.find(id); known != by_id_.end()) {
        known->second->endpoint = endpoint;
        return;
    }
    if (owners_.size() >= ids_max_) {
        by_id_.erase(owners_.front().id);
        owners_.pop_front();
    }
    owners_.push_back({std::string(id), std::string(endpoint)});
    by_id_.emplace(owners_.back().id, std::prev(owners_.end()));
}

std::string ResponseOwners::owner_of(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto known = by_id_.find(id);
    return known == by_id_.end() ? std::string() : known->second->endpoint;
}

std::size_t ResponseOwners::size() const {
    const std::lock_guard lock(mutex_);
    return owners_.size();
}

}  // namespace warmlane::proxy
