#include "handler_bench.hpp"

#include "sim/sim_handler.hpp"

#include "warmlane/http/exchange.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace warmlane::sim::test {
namespace {

/// Speed of the engines unless a test sets one.
constexpr double kSpeed = 10'000;

class FakeExchange final : public http::Exchange {
public:
    FakeExchange(http::Executor executor, Question question)
        : executor_(executor), question_(std::move(question)) {
        head_.method = question_.method;
        head_.target = question_.target;
        head_.minor_version = question_.minor_version;
        for (const http::OwnedField& field : question_.fields) {
            head_.fields.push_back({field.name, field.value});
        }
    }

    const http::RequestHead& head() const override { return head_; }
    std::string_view client_address() const override { return "192.0.2.1"; }
    bool client_gone() const override { return writes_ >= question_.leaves_after_writes; }
    std::chrono::steady_clock::time_point received_at() const override { return {}; }

    http::Awaitable<Result<std::string_view>> read_body(std::size_t limit) override {
        if (question_.body.size() > limit) {
            co_return Errc::body_too_large;
        }
        co_return std::string_view(question_.body);
    }
    http::Awaitable<error_code> respond(const http::Response& response) override {
        reply.status = response.status;
        reply.fields = response.fields;
        reply.content = response.body;
        reply.complete = true;
        co_return error_code{};
    }
    http::Awaitable<error_code> start(Start start, const http::Pieces&, const http::Pieces&) override {
        reply.status = start.status;
        reply.head_lines = start.fields;
        co_return error_code{};
    }
    http::Awaitable<error_code> write(const http::Pieces&, const http::Pieces& wire) override {
        ++writes_;
        for (const std::string_view piece : wire) {
            reply.wire += piece;
        }
        co_return error_code{};
    }
    http::Awaitable<error_code> inject(std::string_view) override { co_return error_code{}; }
    http::Awaitable<error_code> finish() override {
        reply.complete = true;
        co_return error_code{};
    }
    bool response_started() const override { return reply.status != 0; }
    unsigned response_status() const override { return reply.status; }
    std::uint64_t bytes_sent() const override { return reply.raw.size(); }
    http::Awaitable<error_code> write_raw(std::string_view bytes) override {
        reply.raw += bytes;
        co_return error_code{};
    }
    void close_after(bool reset) override {
        reply.closed = true;
        reply.reset = reset;
    }
    http::Executor executor() const override { return executor_; }

    Reply reply;

private:
    const http::Executor executor_;
    const Question question_;
    http::RequestHead head_;
    std::size_t writes_ = 0;
};

void report_failure(std::exception_ptr failure) {
    CHECK(failure == nullptr);
}

}  // namespace

std::string Reply::value_of(std::string_view name) const {
    const auto field = std::ranges::find(fields, name, &http::OwnedField::name);
    return field == fields.end() ? std::string() : field->value;
}

std::vector<std::string> Reply::chunks() const {
    return chunks_of(wire);
}

boost::json::value Reply::json() const {
    return boost::json::parse(content);
}

std::vector<std::string> chunks_of(std::string_view wire) {
    std::vector<std::string> chunks;
    while (!wire.empty()) {
        const std::size_t line = wire.find("\r\n");
        if (line == std::string_view::npos) {
            break;
        }
        const std::size_t size = std::stoul(std::string(wire.substr(0, line)), nullptr, 16);
        if (wire.size() < line + 4 + size) {
            break;
        }
        chunks.emplace_back(wire.substr(line + 2, size));
        wire.remove_prefix(line + 4 + size);
    }
    return chunks;
}

boost::json::value event_json(std::string_view event) {
    return boost::json::parse(event.substr(event.find("data: ") + 6));
}

std::string event_names(const std::vector<std::string>& chunks) {
    std::string names;
    for (const std::string& chunk : chunks) {
        if (chunk.starts_with("event: ")) {
            names += chunk.substr(7, chunk.find('\n') - 7) + " ";
        }
    }
    return names;
}

std::uint64_t number(const boost::json::value& value) {
    return value.to_number<std::uint64_t>();
}

std::string chat_body(std::string_view text, std::string_view more) {
    return fmt::format(R"({{"messages":[{{"role":"user","content":"{}"}}]{}}})", text, more);
}

struct HandlerBench::State {
    http::asio::io_context context{1};
    std::chrono::milliseconds refused{0};
    std::shared_ptr<SimHandler> handler;
};

HandlerBench::HandlerBench(SimServerOptions options) : state_(std::make_unique<State>()) {
    options.engine.speed = options.engine.speed == 1.0 ? kSpeed : options.engine.speed;
    state_->handler = std::make_shared<SimHandler>(
        state_->context.get_executor(),
        options,
        [this](std::chrono::milliseconds time) { state_->refused = time; }
    );
}

HandlerBench::~HandlerBench() {
    state_->handler->stop();
}

std::vector<Reply> HandlerBench::ask_together(const std::vector<Question>& questions) {
    std::vector<std::unique_ptr<FakeExchange>> exchanges;
    for (const Question& question : questions) {
        exchanges.push_back(std::make_unique<FakeExchange>(state_->context.get_executor(), question));
        http::asio::co_spawn(state_->context, state_->handler->handle(*exchanges.back()), report_failure);
    }
    state_->context.restart();
    state_->context.run();
    std::vector<Reply> replies;
    replies.reserve(exchanges.size());
    for (const std::unique_ptr<FakeExchange>& exchange : exchanges) {
        replies.push_back(std::move(exchange->reply));
    }
    return replies;
}

Reply HandlerBench::ask(const Question& question) {
    return ask_together({question}).front();
}

Reply HandlerBench::ask(
    std::string_view method, std::string_view target, std::string_view body, std::string_view fault
) {
    Question question;
    question.method = method;
    question.target = target;
    question.body = body;
    if (!fault.empty()) {
        question.fields.push_back({"x-sim-fault", std::string(fault)});
    }
    return ask(question);
}

std::chrono::milliseconds HandlerBench::refused() const {
    return state_->refused;
}

}  // namespace warmlane::sim::test
