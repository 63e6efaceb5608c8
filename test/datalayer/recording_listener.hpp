#pragma once

#include "warmlane/datalayer/endpoint_pool.hpp"

#include <string>
#include <vector>

namespace warmlane::test {

/// Keeps what a pool tells.
struct RecordingListener final : datalayer::EndpointPool::Listener {
    void on_snapshot(const PoolSnapshotPtr& snapshot) override {
        last = snapshot;
        ++snapshots;
    }
    void on_forget(const Endpoint& endpoint) override { forgotten.push_back(endpoint.name()); }

    PoolSnapshotPtr last;
    std::size_t snapshots = 0;
    std::vector<std::string> forgotten;
};

/// An endpoint at an address of its own.
inline EndpointSpec spec_of(const std::string& name, std::uint16_t port = 8000) {
    EndpointSpec spec;
    spec.name = name;
    spec.host = "10.0.0.1";
    spec.port = port;
    return spec;
}

}  // namespace warmlane::test
