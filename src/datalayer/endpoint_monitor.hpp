#pragma once

#include "endpoint_judge.hpp"
#include "name_follower.hpp"
#include "pace.hpp"
#include "scrape_target.hpp"

#include "warmlane/datalayer/data_layer.hpp"
#include "warmlane/http/fetch.hpp"
#include "warmlane/http/upstream.hpp"

#include <memory>
#include <optional>
#include <string>

namespace warmlane::datalayer {

/// What the loops of every endpoint share; outlives them.
struct MonitorServices {
    http::Executor executor;
    const DataLayerOptions& options;
    /// Keeps connections for scrapes and model lists.
    http::UpstreamPool& connections;
    /// Keeps none: a probe must find out whether one can be made.
    http::UpstreamPool& new_connections;
    EndpointJudge::Surroundings judge;
};

/// The loops that keep the picture of one endpoint fresh: scrapes, or probes while it is down; model lists;
/// its address. Each has one operation in flight at most. Lives on the control thread.
class EndpointMonitor : public std::enable_shared_from_this<EndpointMonitor> {
public:
    /// `owner` keeps the services alive until the last completion has run.
    EndpointMonitor(
        std::shared_ptr<Endpoint> endpoint, const MonitorServices& services, std::shared_ptr<void> owner
    );

    void start();
    /// Nothing of the services but memory is touched any longer.
    void stop();

    void on_request(Contact contact, std::string_view detail);

private:
    static http::Awaitable<void> watch(std::shared_ptr<EndpointMonitor> self);
    static http::Awaitable<void> scrape_once(std::shared_ptr<EndpointMonitor> self);
    static http::Awaitable<void> probe_once(std::shared_ptr<EndpointMonitor> self);
    static http::Awaitable<EndpointJudge::Answer> scrape(std::shared_ptr<EndpointMonitor> self);
    static http::Awaitable<void> follow_models(std::shared_ptr<EndpointMonitor> self);
    static http::Awaitable<void> read_models(std::shared_ptr<EndpointMonitor> self);

    EndpointJudge::ScrapeStart scrape_start() const;
    /// A scrape found nobody: another address may be the right one.
    void look_for(const error_code& scrape_error);
    void on_address(const Result<std::string>& address);
    bool is_down() const { return judge_.state() == EndpointState::down; }

    const std::shared_ptr<void> owner_;
    const std::shared_ptr<Endpoint> endpoint_;
    const MonitorServices& services_;
    const std::optional<ScrapeTarget> scrape_target_;

    EndpointJudge judge_;
    Pace pace_;
    std::shared_ptr<NameFollower> place_;
    /// The same when metrics come from the same host.
    std::shared_ptr<NameFollower> scrape_place_;
    http::Timer watch_timer_;
    http::Timer models_timer_;
    /// Not before then is the next probe sent.
    TimePoint next_probe_{};
    bool has_models_ = false;
    bool stopped_ = false;
};

}  // namespace warmlane::datalayer
