#pragma once

#include "e2e/support/http_text.hpp"
#include "e2e/support/socket.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace warmlane::test {

/// What an endpoint does with one request, step by step, byte by byte.
class Script {
public:
    /// Exactly these bytes.
    Script& send(std::string bytes) { return add({Kind::send, std::move(bytes), {}}); }
    /// Silence for a time.
    Script& pause(std::chrono::milliseconds time) { return add({Kind::pause, {}, time}); }
    /// Silence until the test has called `ScriptedEndpoint::release` as often as the script has held by then.
    Script& hold() { return add({Kind::hold, {}, {}}); }
    /// The end of the connection; without one of these it takes the next request.
    Script& close() { return add({Kind::close, {}, {}}); }
    Script& reset() { return add({Kind::reset, {}, {}}); }
    /// Answers when the head of the request is there, without reading its body.
    Script& before_body() {
        reads_body_ = false;
        return *this;
    }

private:
    friend class ScriptedEndpoint;
    enum class Kind : std::uint8_t { send, pause, hold, close, reset };
    struct Step {
        Kind kind = Kind::send;
        std::string bytes;
        std::chrono::milliseconds time{0};
    };

    Script& add(Step step) {
        steps_.push_back(std::move(step));
        return *this;
    }

    std::vector<Step> steps_;
    bool reads_body_ = true;
};

/// A script that sends one answer.
inline Script answer(std::string bytes) {
    return Script().send(std::move(bytes));
}

/// One request as it came, and what became of it.
struct JournalEntry {
    /// 1 for the first connection that was accepted.
    std::size_t connection = 0;
    /// Start line and fields as they came, with the empty line; and the body with its framing.
    std::string head;
    std::string body;
    SteadyTime at;
    /// Bytes of the answer that the peer took.
    std::size_t sent_bytes = 0;
    /// The script ran to its end.
    bool answered = false;
    /// How the peer ended the connection while the script ran, or when it was read again.
    PeerEnd peer_end = PeerEnd::open;
    SteadyTime peer_end_at;

    std::string method() const { return head.substr(0, head.find(' ')); }
    std::string target() const;
    std::string value_of(std::string_view name) const { return field_value(head, name).value_or(""); }
    bool has(std::string_view name) const { return field_value(head, name).has_value(); }
};

/// An endpoint that sends exactly the bytes that a test has put down, on a free port of loopback, a thread a
/// connection. Scrapes and probes (`/metrics`, `/health`, `/v1/models`) get their own settable answers and
/// are not in the journal. Any thread may call it.
class ScriptedEndpoint {
public:
    ScriptedEndpoint();
    ~ScriptedEndpoint();
    ScriptedEndpoint(const ScriptedEndpoint&) = delete;
    ScriptedEndpoint& operator=(const ScriptedEndpoint&) = delete;

    std::uint16_t port() const { return port_; }

    /// What requests get from now on; a small chat completion until this is called.
    void always(Script script);
    /// What the next request gets, once; several are taken in their order, before `always`.
    void next(Script script);
    /// Lets scripts go on behind their holds.
    void release();

    /// Exact answers to scrapes and probes; an empty one closes the connection.
    void set_metrics(std::string answer);
    /// A page with these values, in vLLM's manner.
    void set_load(double running, double waiting, double kv_usage);
    void set_health(std::string answer);
    void set_models(std::string answer);

    /// Attempts to connect are refused until `accept_again`; open connections stay.
    void stop_accepting();
    void accept_again();
    /// Resets every open connection.
    void reset_connections();
    /// Each connection is closed without a word as soon as it is accepted.
    void close_on_accept(bool on) { close_on_accept_ = on; }

    std::vector<JournalEntry> journal() const;
    std::size_t requests() const;
    /// Scrapes of `/metrics` so far.
    std::size_t scrapes() const { return scrapes_; }
    /// Connections accepted so far.
    std::size_t connections() const { return connections_; }
    /// Waits until there are so many requests; false when time is over.
    bool wait_for_requests(std::size_t count, std::chrono::milliseconds time = std::chrono::seconds{5}) const;
    /// Waits until the peer has ended the connection of a request (counted from 0).
    bool wait_for_peer_end(std::size_t request, std::chrono::milliseconds time = std::chrono::seconds{5})
        const;
    /// Waits until the script of a request ran to its end.
    bool wait_until_answered(std::size_t request, std::chrono::milliseconds time = std::chrono::seconds{5})
        const;

private:
    struct Connection;

    void open_listener(std::uint16_t port);
    void close_listener();
    void accept_loop();
    void adopt(Socket socket);

    void serve(Connection& connection);
    bool serve_request(Connection& connection);
    bool receive(Connection& connection);
    bool run(Connection& connection, const Script& script);
    bool run_step(Connection& connection, const Script::Step& step, std::size_t& holds);
    bool send(Connection& connection, std::string_view bytes);
    bool wait_in_silence(Connection& connection, const std::function<bool()>& is_over, SteadyTime deadline);
    bool has_ended(Connection& connection, short events);

    void note_peer_end(const Connection& connection, PeerEnd end);
    void change(const Connection& connection, const std::function<void(JournalEntry&)>& edit);
    std::size_t record(JournalEntry entry);
    std::optional<std::string> probe_answer(std::string_view target);
    Script take_script();
    bool wait_until(std::chrono::milliseconds time, const std::function<bool()>& condition) const;

    std::atomic<bool> stopping_{false};
    std::atomic<bool> close_on_accept_{false};
    std::atomic<std::size_t> scrapes_{0};
    std::atomic<std::size_t> connections_{0};

    /// Guards what follows, up to the listener.
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::deque<Script> next_;
    Script always_;
    std::size_t releases_ = 0;
    std::string metrics_;
    std::string health_;
    std::string models_;
    std::vector<JournalEntry> journal_;
    std::list<std::unique_ptr<Connection>> open_;

    /// Touched only while the acceptor does not run, but for the waker.
    std::uint16_t port_ = 0;
    Socket listener_;
    Socket waker_;
    std::thread acceptor_;
};

}  // namespace warmlane::test
