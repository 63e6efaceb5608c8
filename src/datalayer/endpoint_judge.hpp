#pragma once

#include "health_rules.hpp"
#include "metrics_page.hpp"
#include "pace.hpp"
#include "restart_watch.hpp"

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint.hpp"
#include "warmlane/core/error.hpp"
#include "warmlane/datalayer/endpoint_pool.hpp"
#include "warmlane/http/fetch.hpp"
#include "warmlane/observability/metrics.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::datalayer {

/// Turns what was heard from one endpoint into its status in the pool, its metrics and a few log lines. No
/// I/O; control thread.
class EndpointJudge {
public:
    struct Surroundings {
        EndpointPool& pool;
        observability::Metrics& metrics;
        const Clock& clock;
    };
    /// How things stood when a scrape began.
    struct ScrapeStart {
        TimePoint time;
        /// `Endpoint::decided_requests`.
        std::uint64_t decided_requests = 0;
    };
    using Answer = Result<http::FetchResponse>;

    /// `surroundings` outlive the judge.
    EndpointJudge(
        std::shared_ptr<Endpoint> endpoint, std::uint32_t failures_until_down, Surroundings surroundings
    );

    /// A request of a client ended its contact with the endpoint.
    void on_request(Contact contact, std::string_view detail);

    /// A scrape ended. True when the endpoint's process is a new one.
    ///
    /// @param serves_requests  the scrape went to the port that serves requests.
    bool on_scrape(const Answer& answer, ScrapeStart start, bool serves_requests);

    /// A probe of an endpoint that is down has ended; true when it is alive.
    bool on_probe(const Answer& answer);
    /// The first scrape after such a probe: what is believed of the endpoint is judged before it takes
    /// traffic again.
    void on_return(const Answer& scrape, ScrapeStart start);

    /// The host's address is known; another one than before belongs to another process.
    void on_address(const std::string& address);
    void on_address_failure(std::string_view host, const error_code& reason);

    void on_models(std::vector<EndpointStatus::Model> models);

    /// There is no place to scrape.
    void on_bad_metrics_url();

    EndpointState state() const { return rules_.state(); }

private:
    std::optional<EndpointMetrics> read_metrics(const Answer& answer, ScrapeStart start);
    void keep(const std::optional<EndpointMetrics>& metrics, TimePoint time);
    void forget(std::string_view why);
    void on_own_connection(const Answer& answer);
    /// Takes down what is wrong apart from health, or that nothing is.
    void complain(std::string complaint);
    void settle();
    void log_state();

    const std::shared_ptr<Endpoint> endpoint_;
    const Surroundings at_;

    HealthRules rules_;
    RestartWatch restart_watch_;
    std::string address_;
    std::string contact_error_;
    std::string complaint_;
    EndpointState logged_state_ = EndpointState::up;
    RareLine state_line_;
    std::string logged_complaint_;
    RareLine complaint_line_;
};

}  // namespace warmlane::datalayer
