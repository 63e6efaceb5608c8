#include "warmlane/routing/decision.hpp"

namespace warmlane::routing {

Reservation::Reservation(std::shared_ptr<Endpoint> endpoint, std::int64_t tokens)
    : endpoint_(std::move(endpoint)), tokens_(tokens) {
    endpoint_->in_flight_requests.fetch_add(1, std::memory_order_relaxed);
    endpoint_->in_flight_tokens.fetch_add(tokens_, std::memory_order_relaxed);
}

void Reservation::release_tokens() {
    if (endpoint_ != nullptr) {
        endpoint_->in_flight_tokens.fetch_sub(std::exchange(tokens_, 0), std::memory_order_relaxed);
    }
}

void Reservation::release() {
    if (endpoint_ != nullptr) {
        release_tokens();
        endpoint_->in_flight_requests.fetch_sub(1, std::memory_order_relaxed);
        endpoint_.reset();
    }
}

}  // namespace warmlane::routing
