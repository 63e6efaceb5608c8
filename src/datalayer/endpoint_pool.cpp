#include "warmlane/datalayer/endpoint_pool.hpp"

#include "scrape_target.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace warmlane::datalayer {
namespace {

std::uint32_t take_lowest_free(std::set<std::uint32_t>& slots) {
    std::uint32_t slot = 0;
    while (!slots.insert(slot).second) {
        ++slot;
    }
    return slot;
}

}  // namespace

EndpointPool::EndpointPool(Duration metrics_stale_after, Listener& listener)
    : metrics_stale_after_(metrics_stale_after),
      listener_(listener),
      published_(std::make_shared<PoolSnapshot>()) {}

void EndpointPool::reconcile(std::vector<EndpointSpec> specs) {
    std::set<std::string, std::less<>> names;
    std::erase_if(specs, [&](const EndpointSpec& spec) { return !names.insert(spec.name).second; });
    release_retired();
    retire_all_but(specs);

    std::set<std::uint32_t> slots = slots_in_use();
    std::vector<EndpointStatus> next;
    for (EndpointSpec& spec : specs) {
        const auto known = std::ranges::find_if(endpoints_, [&](const EndpointStatus& status) {
            return status.endpoint->spec() == spec;
        });
        EndpointStatus& status = next.emplace_back();
        if (known != endpoints_.end()) {
            status = *known;
        } else {
            status.address = ip_literal(spec.host);
            status.endpoint = std::make_shared<Endpoint>(std::move(spec), take_lowest_free(slots));
        }
    }
    endpoints_ = std::move(next);
    ++generation_;
    publish();
}

void EndpointPool::update(const Endpoint& endpoint, const std::function<void(EndpointStatus&)>& change) {
    const auto found = std::ranges::find_if(endpoints_, [&](const EndpointStatus& status) {
        return status.endpoint.get() == &endpoint;
    });
    if (found == endpoints_.end()) {
        return;
    }
    const EndpointState state = found->state;
    const std::string address = found->address;
    change(*found);
    changed_ = true;
    if (found->state != state || found->address != address) {
        ++generation_;
        publish();
    }
}

void EndpointPool::forget(const Endpoint& endpoint) {
    listener_.on_forget(endpoint);
}

void EndpointPool::publish_if_changed() {
    release_retired();
    if (changed_) {
        publish();
    }
}

const EndpointStatus* EndpointPool::find(std::string_view name) const {
    const auto found = std::ranges::find_if(endpoints_, [&](const EndpointStatus& status) {
        return status.endpoint->name() == name;
    });
    return found == endpoints_.end() ? nullptr : &*found;
}

void EndpointPool::publish() {
    published_ = std::make_shared<const PoolSnapshot>(PoolSnapshot{
        .generation = generation_, .endpoints = endpoints_, .metrics_stale_after = metrics_stale_after_
    });
    changed_ = false;
    listener_.on_snapshot(published_);
}

void EndpointPool::retire_all_but(const std::vector<EndpointSpec>& specs) {
    std::erase_if(endpoints_, [&](const EndpointStatus& status) {
        if (std::ranges::find(specs, status.endpoint->spec()) != specs.end()) {
            return false;
        }
        listener_.on_forget(*status.endpoint);
        retired_.push_back(status.endpoint);
        return true;
    });
}

void EndpointPool::release_retired() {
    std::erase_if(retired_, [&](const std::shared_ptr<Endpoint>& endpoint) {
        if (endpoint.use_count() > 1) {
            return false;
        }
        // A decision by an old picture may have recorded something after the first time.
        listener_.on_forget(*endpoint);
        return true;
    });
}

std::set<std::uint32_t> EndpointPool::slots_in_use() const {
    std::set<std::uint32_t> slots;
    for (const EndpointStatus& status : endpoints_) {
        slots.insert(status.endpoint->slot());
    }
    for (const auto& endpoint : retired_) {
        slots.insert(endpoint->slot());
    }
    return slots;
}

}  // namespace warmlane::datalayer
