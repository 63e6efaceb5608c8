#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warmlane::observability {

using Seconds = std::chrono::duration<double>;

/// What one finished request of a client adds to the metrics.
struct RequestSample {
    /// As asked for; at most `Metrics::kModelsMax` different ones become label values, the rest is `other`.
    std::string_view model;
    /// Status sent to the client; 0 (label `aborted`) when it left before one was sent.
    unsigned code = 0;
    Seconds duration{0};
    /// Our own share of the time: everything but waiting for client and endpoint.
    Seconds overhead{0};
    std::optional<Seconds> time_to_first_byte;
    std::optional<Seconds> decision;
    /// match / total of the prompt's blocks; absent when it has none.
    std::optional<double> prefix_match_ratio;
    /// Attempts after the first.
    std::uint32_t retries = 0;
};

/// Tokens that one answer reported, and what routing had predicted for it.
struct TokenSample {
    std::uint64_t prompt = 0;
    std::uint64_t completion = 0;
    std::uint64_t cached = 0;
    std::uint64_t predicted_cached = 0;
};

/// Current values of one endpoint, set before the page is written.
struct EndpointGauges {
    bool up = false;
    std::string_view state;
    std::int64_t in_flight_requests = 0;
    std::int64_t in_flight_tokens = 0;
    std::size_t index_blocks = 0;
    /// What the endpoint's last good scrape said; absent values leave their series as they are.
    std::optional<double> waiting;
    std::optional<double> running;
    std::optional<double> kv_usage;
    /// Age of that scrape.
    std::optional<Seconds> metrics_age;
};

/// Every metric of the gateway, named `warmlane_*`, in base units, with bounded labels; docs/metrics.md lists
/// them. Any thread.
class Metrics {
public:
    static constexpr std::size_t kModelsMax = 200;

    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    void observe_request(const RequestSample& sample);
    /// Time between two batches of a streamed answer.
    void observe_chunk_gap(Seconds gap);
    void observe_tokens(std::string_view endpoint, const TokenSample& sample);

    /// An endpoint answered with a status.
    void count_upstream(std::string_view endpoint, unsigned code);
    /// An endpoint failed: `connect`, `closed`, `timeout`, `malformed`.
    void count_upstream_error(std::string_view endpoint, std::string_view kind);
    void count_scrape_error(std::string_view endpoint);

    void set_endpoint(std::string_view endpoint, const EndpointGauges& gauges);
    void set_index_bytes(std::size_t bytes);
    void set_connections(std::size_t open);
    /// Drops every series of an endpoint that is gone.
    void remove_endpoint(std::string_view endpoint);

    /// The page in Prometheus's text format.
    std::string page() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warmlane::observability
