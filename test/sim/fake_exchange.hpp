#pragma once

#include "warmlane/http/exchange.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warmlane::sim::test {

/// An exchange without a socket: the request is given, the answer is kept.
class FakeExchange final : public http::Exchange {
public:
    FakeExchange(http::Executor executor, std::string_view method, std::string_view target, std::string body)
        : executor_(executor), body_(std::move(body)) {
        head_.method = method;
        head_.target = target;
    }

    void add_field(std::string_view name, std::string_view value) { head_.fields.push_back({name, value}); }
    void set_minor_version(unsigned version) { head_.minor_version = version; }
    /// The client leaves when so many writes have been made.
    void leave_after_writes(std::size_t count) { writes_until_gone_ = count; }

    const http::RequestHead& head() const override { return head_; }
    std::string_view client_address() const override { return "192.0.2.1"; }
    bool client_gone() const override { return writes.size() >= writes_until_gone_; }
    std::chrono::steady_clock::time_point received_at() const override { return {}; }

    http::Awaitable<Result<std::string_view>> read_body(std::size_t limit) override {
        if (body_.size() > limit) {
            co_return Errc::body_too_large;
        }
        co_return std::string_view(body_);
    }
    http::Awaitable<error_code> respond(const http::Response& response) override {
        status = response.status;
        fields = response.fields;
        content = response.body;
        complete = true;
        co_return error_code{};
    }
    http::Awaitable<error_code> start(Start start, const http::Pieces&, const http::Pieces&) override {
        status = start.status;
        head_lines = start.fields;
        framing = start.body;
        co_return error_code{};
    }
    http::Awaitable<error_code> write(const http::Pieces&, const http::Pieces& wire) override {
        co_return keep(wire);
    }
    http::Awaitable<error_code> inject(std::string_view) override { co_return error_code{}; }
    http::Awaitable<error_code> finish() override {
        complete = true;
        co_return error_code{};
    }
    bool response_started() const override { return status != 0; }
    unsigned response_status() const override { return status; }
    std::uint64_t bytes_sent() const override { return raw.size(); }
    http::Awaitable<error_code> write_raw(std::string_view bytes) override {
        raw += bytes;
        co_return error_code{};
    }
    void close_after(bool with_reset) override {
        closed = true;
        reset = with_reset;
    }
    http::Executor executor() const override { return executor_; }

    unsigned status = 0;
    std::vector<http::OwnedField> fields;
    std::string head_lines;
    http::BodyFraming framing;
    /// Body of a whole answer.
    std::string content;
    /// Each batch of a streamed body, as it goes to the socket.
    std::vector<std::string> writes;
    /// What was sent outside HTTP.
    std::string raw;
    bool complete = false;
    bool closed = false;
    bool reset = false;

    std::string value_of(std::string_view name) const {
        const auto field = std::ranges::find(fields, name, &http::OwnedField::name);
        return field == fields.end() ? std::string() : field->value;
    }
    std::string wire() const {
        std::string all;
        for (const std::string& write : writes) {
            all += write;
        }
        return all;
    }

private:
    error_code keep(const http::Pieces& wire) {
        std::string& bytes = writes.emplace_back();
        for (const std::string_view piece : wire) {
            bytes += piece;
        }
        return {};
    }

    const http::Executor executor_;
    http::RequestHead head_;
    std::string body_;
    std::size_t writes_until_gone_ = SIZE_MAX;
};

/// The chunks of a body in chunked coding, without framing; an empty one is the last chunk. Stops at what is
/// no chunk.
inline std::vector<std::string> chunks_of(std::string_view wire) {
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

}  // namespace warmlane::sim::test
