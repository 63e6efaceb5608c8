#include "sim_handler.hpp"

#include "event_stream.hpp"
#include "tokenizer.hpp"
#include "wire_text.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

constexpr std::string_view kGarbage = "\x16\x03garbage \xff\xfe this is no HTTP\n\n\x01\x02";
constexpr std::size_t kRequestIdBytesMax = 128;

double unix_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

http::Response error_response(const InferenceApi* api, const ApiError& error, std::uint32_t retry_after = 0) {
    http::Response response{
        .status = error.status,
        .fields = {},
        .body = api != nullptr ? api->error(error) : openai_error(error),
    };
    if (retry_after > 0) {
        response.fields.push_back({"Retry-After", std::to_string(retry_after)});
    }
    return response;
}

ApiError body_error(error_code ec) {
    if (ec == Errc::body_too_large) {
        return {.status = 413, .message = "The request body is too large."};
    }
    if (ec == Errc::client_too_slow) {
        return {.status = 408, .message = "The request body came too slowly."};
    }
    return {.status = 400, .message = "The request body is broken."};
}

http::Response fault_response(const InferenceApi* api, const Fault& fault) {
    const bool says_when = fault.status == 429 || fault.status == 503;
    return error_response(
        api,
        {.status = fault.status, .message = "This answer is a simulated fault."},
        says_when ? fault.retry_after : 0
    );
}

bool is_json(std::string_view content_type) {
    const std::string_view media_type = content_type.substr(0, content_type.find(';'));
    return media_type.empty() || http::equals_ignoring_case(media_type, "application/json");
}

}  // namespace

SimHandler::SimHandler(
    http::Executor executor,
    const SimServerOptions& options,
    std::function<void(std::chrono::milliseconds)> refuse
)
    : options_(options),
      started_at_(std::chrono::steady_clock::now()),
      driver_(std::make_shared<EngineDriver>(executor, options.engine)),
      faults_(options.engine.seed),
      pages_({
          .options = options_,
          .driver = *driver_,
          .faults = faults_,
          .responses = responses_,
          .process_start_time = unix_seconds(),
          .refuse = std::move(refuse),
      }) {}

http::Awaitable<void> SimHandler::handle(http::Exchange& exchange) {
    const std::shared_ptr<SimHandler> self = shared_from_this();
    const http::RequestHead& head = exchange.head();
    const InferenceApi* const api = find_api(head.path());
    std::vector<ReadError> errors;
    AnswerWriter writer(exchange, faults_.choose(head.path(), head.value_of("x-sim-fault"), errors));
    const Result<std::string_view> body = co_await exchange.read_body(options_.body_bytes_max);
    if (exchange.client_gone()) {
        co_return;
    }
    if (!body || !errors.empty()) {
        const ApiError unknown_fault{
            .status = 400, .message = "The fault is not understood.", .param = "x-sim-fault"
        };
        const http::Response refusal = error_response(api, body ? unknown_fault : body_error(body.error()));
        co_await exchange.respond(refusal);
        co_return;
    }
    const error_code gone = co_await writer.before_head();
    if (gone) {
        co_return;
    }
    if (writer.fault().garbage) {
        co_await exchange.write_raw(kGarbage);
        co_return;
    }
    co_await serve(exchange, writer, *body);
}

http::Awaitable<void> SimHandler::serve(
    http::Exchange& exchange, AnswerWriter& writer, std::string_view body
) {
    const http::RequestHead& head = exchange.head();
    const InferenceApi* const api = head.method == "POST" ? find_api(head.path()) : nullptr;
    http::Response response;
    if (writer.fault().status != 0) {
        response = fault_response(api, writer.fault());
    } else if (is_starting() && !head.path().starts_with("/sim/")) {
        response = error_response(api, {.status = 503, .message = "The model is loading."}, 1);
    } else if (api != nullptr) {
        co_await infer(exchange, writer, *api, body);
        co_return;
    } else {
        response = pages_.answer(head.method, head.path(), body);
    }
    co_await writer.respond(response);
}

http::Awaitable<void> SimHandler::infer(
    http::Exchange& exchange, AnswerWriter& writer, const InferenceApi& api, std::string_view body
) {
    PlannedJob planned = plan(exchange.head(), api, body);
    if (const ApiError* const error = std::get_if<ApiError>(&planned)) {
        const http::Response refusal = error_response(&api, *error);
        co_await writer.respond(refusal);
        co_return;
    }
    Job& job = std::get<Job>(planned);
    Ticket ticket(*driver_, exchange.executor());
    if (ticket.submit(job) != Admission::accepted) {
        const ApiError full{
            .status = 429,
            .message = "Failed to enqueue request, waiting requests queue is full",
        };
        const http::Response refusal = error_response(&api, full, 1);
        co_await writer.respond(refusal);
        co_return;
    }
    if (job.stream) {
        co_await stream(exchange, writer, job, ticket);
    } else {
        co_await answer_whole(exchange, writer, job, ticket);
    }
}

http::Awaitable<error_code> SimHandler::stream(
    http::Exchange& exchange, AnswerWriter& writer, Job& job, Ticket& ticket
) {
    EventStream events(*job.format, writer);
    error_code ec = co_await writer.start_events();
    while (!ec && !events.ended()) {
        ec = co_await wait_for_tokens(exchange, ticket);
        if (ec) {
            break;
        }
        for (const Ticket::TicketEvent& token : ticket.take()) {
            events.add(token, ticket.usage());
        }
        if (ticket.finished()) {
            events.end(ticket.usage());
        }
        ec = co_await writer.flush();
    }
    if (!ec) {
        ec = co_await writer.finish();
    }
    co_return ec;
}

http::Awaitable<error_code> SimHandler::answer_whole(
    http::Exchange& exchange, AnswerWriter& writer, Job& job, Ticket& ticket
) {
    while (!ticket.finished()) {
        const error_code ec = co_await wait_for_tokens(exchange, ticket);
        if (ec) {
            co_return ec;
        }
        ticket.take();
    }
    const http::Response response{.status = 200, .fields = {}, .body = job.format->whole(ticket.usage())};
    const error_code ec = co_await writer.respond(response);
    co_return ec;
}

http::Awaitable<error_code> SimHandler::wait_for_tokens(http::Exchange& exchange, Ticket& ticket) {
    if (!ticket.has_events() && !exchange.client_gone()) {
        ticket.wake().expires_at(std::chrono::steady_clock::time_point::max());
        co_await ticket.wake().async_wait(http::as_result);
    }
    co_return exchange.client_gone() ? error_code(Errc::client_gone) : error_code();
}

PlannedJob SimHandler::plan(const http::RequestHead& head, const InferenceApi& api, std::string_view body) {
    if (!is_json(head.value_of("content-type"))) {
        return ApiError{
            .status = 400,
            .message = "Unsupported Media Type: Only 'application/json' is allowed",
        };
    }
    json::error_code ec;
    const json::value parsed = json::parse(body, ec);
    if (ec || !parsed.is_object()) {
        return ApiError{.status = 400, .message = "The body is no JSON object."};
    }
    const ApiContext context{
        .options = options_,
        .request_tokens_max = driver_->engine().request_tokens_max(),
        .request_id = next_request_id(head),
        .created = static_cast<std::int64_t>(unix_seconds()),
        .responses = responses_,
    };
    return api.plan(context, parsed.get_object());
}

bool SimHandler::is_starting() const {
    return std::chrono::steady_clock::now() - started_at_ < options_.startup;
}

/// The client's id where it is harmless inside JSON.
std::string SimHandler::next_request_id(const http::RequestHead& head) {
    ++requests_;
    const std::string_view given = head.value_of("x-request-id");
    const auto is_plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
               c == '_' || c == '.';
    };
    if (!given.empty() && given.size() <= kRequestIdBytesMax && std::ranges::all_of(given, is_plain)) {
        return std::string(given);
    }
    const std::uint64_t high = mix_seed(options_.engine.seed, requests_);
    return fmt::format("{:016x}{:016x}", high, mix_seed(high, requests_));
}

}  // namespace warmlane::sim
