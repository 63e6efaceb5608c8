#pragma once

#include "warmlane/http/exchange.hpp"

#include <boost/asio/co_spawn.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warmlane::test {

/// An exchange in memory: a request as a test wants it, and a record of the answer. Operations complete at
/// once.
class FakeExchange final : public http::Exchange {
public:
    FakeExchange(
        http::asio::io_context& context, std::string method, std::string target, std::string body = {}
    )
        : context_(context), method_(std::move(method)), target_(std::move(target)), body_(std::move(body)) {
        head_.method = method_;
        head_.target = target_;
        if (!body_.empty()) {
            head_.body = {http::BodyKind::length, body_.size()};
        }
    }

    /// Before the exchange is handled. Both outlive it.
    void add_field(std::string_view name, std::string_view value) { head_.fields.push_back({name, value}); }

    /// Runs the exchange to its end, and everything else that `context` has to do.
    void serve(http::Handler& handler) {
        http::asio::co_spawn(context_, handler.handle(*this), [](const std::exception_ptr& failure) {
            if (failure) {
                std::rethrow_exception(failure);
            }
        });
        context_.run();
        context_.restart();
    }

    /// First answer field of that name; empty when there is none.
    std::string_view answer_field(std::string_view name) const {
        for (const http::OwnedField& field : fields) {
            if (http::equals_ignoring_case(field.name, name)) {
                return field.value;
            }
        }
        return {};
    }

    // What a test sets.

    /// How reading the body ends instead of well.
    error_code read_fault;
    /// How every sending ends instead of well.
    error_code write_fault;
    bool gone = false;

    // What the handler did.

    std::vector<http::OwnedField> fields;
    std::string content_type;
    /// Content that was sent, without framing.
    std::string content;
    /// Bytes sent outside HTTP.
    std::string raw;
    std::optional<http::BodyFraming> framing;
    bool finished = false;
    bool closes = false;
    bool resets = false;
    std::size_t body_limit = 0;

    const http::RequestHead& head() const override { return head_; }
    std::string_view client_address() const override { return "192.0.2.1"; }
    bool client_gone() const override { return gone; }
    std::chrono::steady_clock::time_point received_at() const override { return received_at_; }

    http::Awaitable<Result<std::string_view>> read_body(std::size_t limit) override {
        body_limit = limit;
        if (read_fault) {
            co_return read_fault;
        }
        if (body_.size() > limit) {
            co_return Errc::body_too_large;
        }
        co_return std::string_view(body_);
    }

    http::Awaitable<error_code> respond(const http::Response& response) override {
        status_ = response.status;
        fields = response.fields;
        content_type = response.content_type;
        content = response.body;
        finished = !write_fault;
        co_return write_fault;
    }

    http::Awaitable<error_code> start(Start start, const http::Pieces& pieces, const http::Pieces& /*wire*/)
        override {
        status_ = start.status;
        framing = start.body;
        read_lines(start.fields);
        append(pieces);
        co_return write_fault;
    }

    http::Awaitable<error_code> write(const http::Pieces& pieces, const http::Pieces& /*wire*/) override {
        append(pieces);
        co_return write_fault;
    }

    http::Awaitable<error_code> inject(std::string_view piece) override {
        content += piece;
        co_return write_fault;
    }

    http::Awaitable<error_code> finish() override {
        finished = !write_fault;
        co_return write_fault;
    }

    bool response_started() const override { return status_ != 0; }
    unsigned response_status() const override { return status_; }
    std::uint64_t bytes_sent() const override { return content.size() + raw.size(); }

    http::Awaitable<error_code> write_raw(std::string_view bytes) override {
        raw += bytes;
        closes = true;
        co_return write_fault;
    }

    void close_after(bool reset) override {
        closes = true;
        resets = reset;
    }

    http::Executor executor() const override { return context_.get_executor(); }

private:
    void append(const http::Pieces& pieces) {
        for (const std::string_view piece : pieces) {
            content += piece;
        }
    }

    /// Lines as HeadBuilder makes them: `NAME: VALUE` and CRLF.
    void read_lines(std::string_view lines) {
        while (!lines.empty()) {
            const std::string_view line = lines.substr(0, lines.find("\r\n"));
            const std::size_t colon = line.find(": ");
            fields.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
            lines.remove_prefix(line.size() + 2);
        }
    }

    http::asio::io_context& context_;
    const std::string method_;
    const std::string target_;
    const std::string body_;
    const std::chrono::steady_clock::time_point received_at_ = std::chrono::steady_clock::now();
    http::RequestHead head_;
    unsigned status_ = 0;
};

}  // namespace warmlane::test
