#pragma once

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint_metrics.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warmlane {

/// Where one model server is and what it is called, as configured or discovered. Never changes.
struct EndpointSpec {
    /// Unique in the pool; what logs, labels and headers show.
    std::string name;
    /// `http`; the only scheme spoken.
    std::string scheme = "http";
    /// Host name or IP literal, an IPv6 literal without brackets.
    std::string host;
    std::uint16_t port = 80;
    /// Path put before every request target, without a trailing slash; usually empty.
    std::string base_path;
    /// Absolute URL of the metrics page; empty means the engine's usual path at this host and port.
    std::string metrics_url;
    /// Name of a row of the engine table: `vllm`, `sglang`, `trtllm-serve`, `llamacpp`, `tgi`, ...
    std::string engine = "vllm";
    std::map<std::string, std::string> labels;

    bool operator==(const EndpointSpec&) const = default;
};

/// One model server for as long as the pool knows it: its spec, and the counts that must be exact at
/// every moment and so cannot wait for the next snapshot. Counts may be touched by any thread.
class Endpoint {
public:
    Endpoint(EndpointSpec spec, std::uint32_t slot) : spec_(std::move(spec)), slot_(slot) {}

    const EndpointSpec& spec() const { return spec_; }
    const std::string& name() const { return spec_.name; }

    /// Small dense number for arrays and bitmaps; reused only after the endpoint is gone from every index.
    std::uint32_t slot() const { return slot_; }

    /// Host and port as they stand in a Host field.
    std::string authority() const;

    /// Requests decided for this endpoint and not finished.
    std::atomic<std::int64_t> in_flight_requests{0};
    /// Prompt tokens of those requests that the endpoint was believed not to hold, estimated.
    std::atomic<std::int64_t> in_flight_tokens{0};
    /// Requests ever decided for this endpoint; with `EndpointMetrics::decided_at_scrape` it tells how
    /// many the metrics cannot show yet.
    std::atomic<std::uint64_t> decided_requests{0};
    /// Prompt tokens that routing expected to be cached, and those that answers reported as cached.
    std::atomic<std::uint64_t> predicted_cached_tokens{0};
    std::atomic<std::uint64_t> cached_tokens{0};
    /// Failures since the last success; the health rules read and reset it.
    std::atomic<std::uint32_t> consecutive_failures{0};

private:
    const EndpointSpec spec_;
    const std::uint32_t slot_;
};

enum class EndpointState : std::uint8_t {
    /// Takes traffic.
    up,
    /// Takes traffic, but the last contact failed.
    suspect,
    /// Takes none and is probed until it answers again.
    down,
    /// Takes no new requests; running ones finish.
    draining,
    /// Takes none for a while because its answers were errors.
    ejected,
};

/// `up`, `suspect`, `down`, `draining` or `ejected`.
const char* to_string(EndpointState state);

/// Picture of one endpoint at one moment.
struct EndpointStatus {
    std::shared_ptr<Endpoint> endpoint;
    EndpointState state = EndpointState::up;
    /// IP literal to connect to; empty while the host name has not been resolved.
    std::string address;
    /// Last good scrape; absent until there was one.
    std::optional<EndpointMetrics> metrics;
    /// When `metrics` was read.
    TimePoint metrics_time{};
    /// The entries of the endpoint's `/v1/models`, each one JSON object as text, with its id.
    struct Model {
        std::string id;
        std::string json;
    };
    std::shared_ptr<const std::vector<Model>> models;
    /// Why the last contact failed, for people; empty after a success. Holds no secrets.
    std::string last_error;

    bool takes_traffic() const {
        return !address.empty() && (state == EndpointState::up || state == EndpointState::suspect);
    }
};

/// Picture of all endpoints at one moment: membership, health and metrics in one object, so that they
/// cannot disagree. Immutable once published.
struct PoolSnapshot {
    /// Grows with every change of membership or state.
    std::uint64_t generation = 0;
    /// In the order of the configuration.
    std::vector<EndpointStatus> endpoints;
    /// Metrics older than this count as unknown.
    Duration metrics_stale_after = std::chrono::seconds{2};
};

using PoolSnapshotPtr = std::shared_ptr<const PoolSnapshot>;

}  // namespace warmlane
