#pragma once

#include "warmlane/http/message.hpp"
#include "warmlane/sim/sim_server.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::sim::test {

/// A request without a socket.
struct Question {
    std::string method = "POST";
    std::string target;
    std::string body;
    std::vector<http::OwnedField> fields;
    unsigned minor_version = 1;
    /// The client leaves when so many batches were sent to it.
    std::size_t leaves_after_writes = SIZE_MAX;
};

/// What was sent for it.
struct Reply {
    unsigned status = 0;
    /// Of a whole answer.
    std::vector<http::OwnedField> fields;
    std::string content;
    /// Of a stream: its field lines, and its body as it goes to the socket.
    std::string head_lines;
    std::string wire;
    /// What was sent outside HTTP.
    std::string raw;
    bool complete = false;
    bool closed = false;
    bool reset = false;

    std::string value_of(std::string_view name) const;
    /// The chunks of the stream without framing; an empty one is the last chunk.
    std::vector<std::string> chunks() const;
    /// The JSON of a whole answer.
    boost::json::value json() const;
};

/// The chunks at the front of `wire`, up to what is no whole chunk.
std::vector<std::string> chunks_of(std::string_view wire);

/// The JSON behind `data: ` in an event.
boost::json::value event_json(std::string_view event);
/// The names of named events, each with a space behind it.
std::string event_names(const std::vector<std::string>& chunks);

std::uint64_t number(const boost::json::value& value);

/// A chat request with one message, and more members of the body.
std::string chat_body(std::string_view text, std::string_view more = {});

inline constexpr std::string_view kChat = "/v1/chat/completions";

/// A server's handler without its sockets; the engine runs so fast that no test waits for it.
class HandlerBench {
public:
    explicit HandlerBench(SimServerOptions options = {});
    ~HandlerBench();
    HandlerBench(const HandlerBench&) = delete;
    HandlerBench& operator=(const HandlerBench&) = delete;

    Reply ask(const Question& question);
    Reply ask(
        std::string_view method,
        std::string_view target,
        std::string_view body = {},
        std::string_view fault = {}
    );
    /// All at once.
    std::vector<Reply> ask_together(const std::vector<Question>& questions);

    /// The last time that the listening socket was to be closed for.
    std::chrono::milliseconds refused() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warmlane::sim::test
