#include "endpoint_judge.hpp"

#include "warmlane/observability/log.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::datalayer {
namespace {

using observability::escaped;

/// Why a contact failed, where whoever reports it does not say.
std::string_view default_reason(Contact contact) {
    switch (contact) {
        case Contact::answered: return "";
        case Contact::connect_failed: return "no connection";
        case Contact::broken: return "the answer broke off or was malformed";
        case Contact::unavailable: return "answered 502, 503 or 504, or not in time";
    }
    return "";
}

bool is_connect_failure(const EndpointJudge::Answer& answer) {
    return answer.has_error() &&
           (answer.error() == Errc::connect_failed || answer.error() == Errc::connect_timeout);
}

/// Why an answer is no page of metrics; empty when it may be one.
std::string refusal(const EndpointJudge::Answer& answer) {
    if (answer.has_error()) {
        return answer.error().message();
    }
    if (answer->status == 404) {
        return "there is no metrics page (404), its load counts as unknown";
    }
    if (answer->status >= 300 && answer->status < 400) {
        return fmt::format("answered {}; redirects are not followed", answer->status);
    }
    return answer->status == 200 ? std::string() : fmt::format("answered {}", answer->status);
}

/// What a page that could be read leaves to be desired.
std::string shortcoming(const MetricsPage& page) {
    if (!page.has_load()) {
        return "the page has none of the engine's metrics";
    }
    if (!page.metrics.waiting) {
        return "the page does not tell the length of the queue";
    }
    if (page.malformed_lines > 0) {
        return "the page has malformed lines";
    }
    return {};
}

}  // namespace

EndpointJudge::EndpointJudge(
    std::shared_ptr<Endpoint> endpoint, std::uint32_t failures_until_down, Surroundings surroundings
)
    : endpoint_(std::move(endpoint)), at_(surroundings), rules_(failures_until_down) {}

void EndpointJudge::on_request(Contact contact, std::string_view detail) {
    rules_.on_request(contact);
    if (contact != Contact::answered) {
        contact_error_ = escaped(detail.empty() ? default_reason(contact) : detail);
    }
    settle();
}

bool EndpointJudge::on_scrape(const Answer& answer, ScrapeStart start, bool serves_requests) {
    if (serves_requests) {
        on_own_connection(answer);
    }
    const auto metrics = read_metrics(answer, start);
    const bool restarted = metrics && restart_watch_.restarted(*metrics);
    if (restarted) {
        forget("its process has been replaced");
    }
    keep(metrics, start.time);
    settle();
    return restarted;
}

bool EndpointJudge::on_probe(const Answer& answer) {
    if (answer.has_value() && answer->status < 500) {
        return true;
    }
    on_own_connection(answer);
    contact_error_ = answer.has_error() ? answer.error().message()
                                        : fmt::format("the probe was answered {}", answer->status);
    settle();
    return false;
}

void EndpointJudge::on_return(const Answer& scrape, ScrapeStart start) {
    const auto metrics = read_metrics(scrape, start);
    const bool restarted = rules_.was_unreachable() ? restart_watch_.restarted_while_unreachable(metrics)
                                                    : metrics && restart_watch_.restarted(*metrics);
    if (restarted) {
        forget("it was gone and may be a new process");
    }
    keep(metrics, start.time);
    rules_.on_probe_answered();
    settle();
}

void EndpointJudge::on_address(const std::string& address) {
    // After a gap its first scrape tells whether this is the same process.
    if (!address_.empty() && address_ != address && !rules_.was_unreachable()) {
        forget("its name leads to another address");
    }
    address_ = address;
    at_.pool.update(*endpoint_, [&](EndpointStatus& status) { status.address = address; });
}

void EndpointJudge::on_address_failure(std::string_view host, const error_code& reason) {
    complain(fmt::format("cannot resolve {}: {}", escaped(host), reason.message()));
    settle();
}

void EndpointJudge::on_models(std::vector<EndpointStatus::Model> models) {
    at_.pool.update(*endpoint_, [&](EndpointStatus& status) {
        status.models = std::make_shared<const std::vector<EndpointStatus::Model>>(std::move(models));
    });
}

void EndpointJudge::on_bad_metrics_url() {
    complain("metrics: their URL is no http one");
    settle();
}

void EndpointJudge::on_own_connection(const Answer& answer) {
    const bool made = !is_connect_failure(answer);
    rules_.on_own_connection(made);
    if (!made) {
        contact_error_ = answer.error().message();
    }
}

std::optional<EndpointMetrics> EndpointJudge::read_metrics(const Answer& answer, ScrapeStart start) {
    std::string reason = refusal(answer);
    std::optional<EndpointMetrics> metrics;
    if (reason.empty()) {
        MetricsPage page = read_metrics_page(endpoint_->spec().engine, answer->body);
        reason = shortcoming(page);
        if (page.has_load()) {
            metrics = std::move(page.metrics);
            metrics->decided_at_scrape = start.decided_requests;
        }
    }
    const bool has_none_to_show = answer.has_value() && answer->status == 404;
    if (!metrics && !has_none_to_show) {
        at_.metrics.count_scrape_error(endpoint_->name());
    }
    complain(reason.empty() ? reason : "metrics: " + reason);
    return metrics;
}

void EndpointJudge::keep(const std::optional<EndpointMetrics>& metrics, TimePoint time) {
    if (!metrics) {
        return;
    }
    at_.pool.update(*endpoint_, [&](EndpointStatus& status) {
        status.metrics = metrics;
        status.metrics_time = time;
    });
}

void EndpointJudge::forget(std::string_view why) {
    observability::log().info("endpoint {}: {}; its cache counts as empty", escaped(endpoint_->name()), why);
    at_.pool.forget(*endpoint_);
}

void EndpointJudge::complain(std::string complaint) {
    complaint_ = std::move(complaint);
    // While it is not up, the line that said so is enough.
    const bool told = complaint_ == logged_complaint_ || rules_.state() != EndpointState::up;
    if (told || !complaint_line_.due(at_.clock.now())) {
        return;
    }
    logged_complaint_ = complaint_;
    const std::string name = escaped(endpoint_->name());
    if (complaint_.empty()) {
        observability::log().info("endpoint {}: its metrics can be read", name);
    } else {
        observability::log().warn("endpoint {}: {}", name, complaint_);
    }
}

void EndpointJudge::settle() {
    endpoint_->consecutive_failures = rules_.failures();
    if (rules_.state() == EndpointState::up) {
        contact_error_.clear();
    }
    const std::string& error = contact_error_.empty() ? complaint_ : contact_error_;
    at_.pool.update(*endpoint_, [&](EndpointStatus& status) {
        status.state = rules_.state();
        status.last_error = error;
    });
    log_state();
}

void EndpointJudge::log_state() {
    const EndpointState state = rules_.state();
    if (state == logged_state_) {
        return;
    }
    const std::string name =
        fmt::format("endpoint {} ({})", escaped(endpoint_->name()), escaped(endpoint_->authority()));
    if (state == EndpointState::down) {
        observability::log().warn("{} is down: {}", name, contact_error_);
    } else if (state == EndpointState::up) {
        observability::log().info("{} is up", name);
    } else if (logged_state_ != EndpointState::up || !state_line_.due(at_.clock.now())) {
        return;
    } else {
        observability::log().info("{} is suspect: {}", name, contact_error_);
    }
    logged_state_ = state;
}

}  // namespace warmlane::datalayer
