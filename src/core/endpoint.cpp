#include "warmlane/core/endpoint.hpp"

namespace warmlane {

std::string Endpoint::authority() const {
    const bool literal_v6 = spec_.host.find(':') != std::string::npos;
    const std::string host = literal_v6 ? "[" + spec_.host + "]" : spec_.host;
    return spec_.port == 80 ? host : host + ":" + std::to_string(spec_.port);
}

const char* to_string(EndpointState state) {
    switch (state) {
        case EndpointState::up: return "up";
        case EndpointState::suspect: return "suspect";
        case EndpointState::down: return "down";
        case EndpointState::draining: return "draining";
        case EndpointState::ejected: return "ejected";
    }
    return "unknown";
}

}  // namespace warmlane
