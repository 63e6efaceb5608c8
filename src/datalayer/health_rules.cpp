#include "health_rules.hpp"

#include <algorithm>

namespace warmlane::datalayer {

void HealthRules::on_request(Contact contact) {
    switch (contact) {
        case Contact::answered: clear(); return;
        case Contact::connect_failed:
            ++request_failures_;
            judge(true);
            return;
        case Contact::broken:
            ++request_failures_;
            broke_ = true;
            judge(false);
            return;
        case Contact::unavailable:
            unavailable_ = true;
            judge(false);
            return;
    }
}

void HealthRules::on_own_connection(bool made) {
    if (!made) {
        ++own_failures_;
        judge(true);
        return;
    }
    ever_reached_ = true;
    if (state_ == EndpointState::down) {
        return;
    }
    own_failures_ = 0;
    if (failures() == 0) {
        state_ = EndpointState::up;
    }
}

void HealthRules::on_probe_answered() {
    if (state_ != EndpointState::down) {
        return;
    }
    const bool broke = broke_;
    clear();
    if (broke) {
        state_ = EndpointState::suspect;
        broke_ = true;
        request_failures_ = std::max(failures_until_down_, 2U) - 1;
    }
}

void HealthRules::judge(bool connection_failed) {
    const bool without_credit = connection_failed && !ever_reached_;
    const std::uint32_t limit = without_credit ? 1 : failures_until_down_;
    if (std::max(request_failures_, own_failures_) >= limit) {
        state_ = EndpointState::down;
    } else if (state_ == EndpointState::up) {
        state_ = EndpointState::suspect;
    }
    if (state_ == EndpointState::down && connection_failed) {
        unreachable_ = true;
    }
}

void HealthRules::clear() {
    state_ = EndpointState::up;
    request_failures_ = 0;
    own_failures_ = 0;
    broke_ = false;
    unavailable_ = false;
    unreachable_ = false;
    ever_reached_ = true;
}

}  // namespace warmlane::datalayer
