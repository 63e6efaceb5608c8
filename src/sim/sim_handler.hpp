#pragma once

#include "answer_writer.hpp"
#include "apis.hpp"
#include "engine_driver.hpp"
#include "faults.hpp"
#include "info_pages.hpp"
#include "response_store.hpp"

#include "warmlane/http/exchange.hpp"
#include "warmlane/sim/sim_server.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace warmlane::sim {

/// Serves the requests of a simulated model server. Held by a shared pointer, since running exchanges share
/// it.
class SimHandler final : public http::Handler, public std::enable_shared_from_this<SimHandler> {
public:
    /// `refuse` closes the listening socket for a time.
    SimHandler(
        http::Executor executor,
        const SimServerOptions& options,
        std::function<void(std::chrono::milliseconds)> refuse
    );

    http::Awaitable<void> handle(http::Exchange& exchange) override;

    /// No step of the engine runs any more.
    void stop() { driver_->stop(); }

private:
    http::Awaitable<void> serve(http::Exchange& exchange, AnswerWriter& writer, std::string_view body);
    http::Awaitable<void> infer(
        http::Exchange& exchange, AnswerWriter& writer, const InferenceApi& api, std::string_view body
    );
    http::Awaitable<error_code> stream(
        http::Exchange& exchange, AnswerWriter& writer, Job& job, Ticket& ticket
    );
    http::Awaitable<error_code> answer_whole(
        http::Exchange& exchange, AnswerWriter& writer, Job& job, Ticket& ticket
    );
    http::Awaitable<error_code> wait_for_tokens(http::Exchange& exchange, Ticket& ticket);
    PlannedJob plan(const http::RequestHead& head, const InferenceApi& api, std::string_view body);
    bool is_starting() const;
    std::string next_request_id(const http::RequestHead& head);

    const SimServerOptions options_;
    const std::chrono::steady_clock::time_point started_at_;
    std::shared_ptr<EngineDriver> driver_;
    FaultSwitch faults_;
    ResponseStore responses_;
    InfoPages pages_;
    std::uint64_t requests_ = 0;
};

}  // namespace warmlane::sim
