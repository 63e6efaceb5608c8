#include "e2e/support/scripted_endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace warmlane::test {
namespace {

/// Long enough for every test, short enough that a broken one ends.
constexpr std::chrono::seconds kPatience{60};

SteadyTime patience() {
    return std::chrono::steady_clock::now() + kPatience;
}

/// Wakes a thread that waits in poll.
Socket make_waker() {
    return Socket(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
}

void wake(const Socket& waker) {
    ::eventfd_write(waker.descriptor(), 1);
}

void calm(const Socket& waker) {
    eventfd_t ignored = 0;
    ::eventfd_read(waker.descriptor(), &ignored);
}

/// Size of the body at the front of `input`, with its framing; absent while it is not all there.
std::optional<std::size_t> body_size(std::string_view head, std::string_view input) {
    if (!is_chunked(head)) {
        const std::size_t length = content_length(head).value_or(0);
        return input.size() >= length ? std::optional(length) : std::nullopt;
    }
    for (std::size_t at = 0;;) {
        const std::size_t line = input.find("\r\n", at);
        std::size_t size = 0;
        if (line == std::string_view::npos ||
            std::from_chars(input.data() + at, input.data() + line, size, 16).ec != std::errc()) {
            return std::nullopt;
        }
        at = line + 2 + size + 2;
        if (at > input.size()) {
            return std::nullopt;
        }
        if (size == 0) {
            return at;
        }
    }
}

}  // namespace

std::string JournalEntry::target() const {
    const std::size_t begin = head.find(' ') + 1;
    return head.substr(begin, head.find(' ', begin) - begin);
}

struct ScriptedEndpoint::Connection {
    Socket socket;
    std::size_t number = 0;
    Socket waker = make_waker();
    std::atomic<bool> to_reset{false};
    std::atomic<bool> done{false};
    std::string input;
    /// The last request in the journal that came this way.
    std::optional<std::size_t> entry;
    std::thread thread;
};

ScriptedEndpoint::ScriptedEndpoint()
    : always_(answer(chat_answer("scripted"))),
      health_(answer_text(200, "")),
      models_(answer_text(200, R"({"object":"list","data":[{"id":"m","object":"model"}]})")) {
    set_load(0, 0, 0);
    open_listener(0);
}

ScriptedEndpoint::~ScriptedEndpoint() {
    stopping_ = true;
    close_listener();
    reset_connections();
    for (const std::unique_ptr<Connection>& connection : open_) {
        connection->thread.join();
    }
}

void ScriptedEndpoint::open_listener(std::uint16_t port) {
    listener_ = Socket::listen(port);
    port_ = listener_.port();
    waker_ = make_waker();
    acceptor_ = std::thread([this] { accept_loop(); });
}

void ScriptedEndpoint::close_listener() {
    if (acceptor_.joinable()) {
        wake(waker_);
        acceptor_.join();
        listener_.close();
    }
}

void ScriptedEndpoint::stop_accepting() {
    close_listener();
}

void ScriptedEndpoint::accept_again() {
    open_listener(port_);
}

void ScriptedEndpoint::accept_loop() {
    while (true) {
        if (wait_for(listener_.descriptor(), POLLIN, patience(), waker_.descriptor()) == 0) {
            pollfd woken{waker_.descriptor(), POLLIN, 0};
            if (::poll(&woken, 1, 0) > 0) {
                return;
            }
            continue;
        }
        Socket socket(::accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
        if (socket.is_open()) {
            adopt(std::move(socket));
        }
    }
}

void ScriptedEndpoint::adopt(Socket socket) {
    const std::size_t number = ++connections_;
    if (close_on_accept_) {
        return;
    }
    auto connection = std::make_unique<Connection>();
    connection->socket = std::move(socket);
    connection->number = number;
    Connection& served = *connection;
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [](const std::unique_ptr<Connection>& old) {
        const bool over = old->done;
        if (over) {
            old->thread.join();
        }
        return over;
    });
    open_.push_back(std::move(connection));
    served.thread = std::thread([this, &served] { serve(served); });
}

void ScriptedEndpoint::serve(Connection& connection) {
    while (serve_request(connection)) {
    }
    if (connection.to_reset) {
        connection.socket.reset();
    }
    connection.socket.close();
    connection.done = true;
}

/// False at the end of the connection.
bool ScriptedEndpoint::serve_request(Connection& connection) {
    const auto head_end = [&connection] { return connection.input.find("\r\n\r\n"); };
    while (head_end() == std::string::npos) {
        if (!receive(connection)) {
            return false;
        }
    }
    JournalEntry entry;
    entry.connection = connection.number;
    entry.at = std::chrono::steady_clock::now();
    entry.head = connection.input.substr(0, head_end() + 4);
    connection.input.erase(0, entry.head.size());
    if (const std::optional<std::string> probe = probe_answer(entry.target())) {
        return !probe->empty() && connection.socket.send(*probe, patience()) == probe->size();
    }
    const Script script = take_script();
    if (script.reads_body_) {
        std::optional<std::size_t> size;
        while (!(size = body_size(entry.head, connection.input))) {
            if (!receive(connection)) {
                return false;
            }
        }
        entry.body = connection.input.substr(0, *size);
        connection.input.erase(0, *size);
    }
    connection.entry = record(std::move(entry));
    return run(connection, script);
}

bool ScriptedEndpoint::receive(Connection& connection) {
    const short events =
        wait_for(connection.socket.descriptor(), POLLIN, patience(), connection.waker.descriptor());
    calm(connection.waker);
    if (stopping_ || connection.to_reset) {
        return false;
    }
    if (events == 0) {
        return true;
    }
    PeerEnd end = PeerEnd::open;
    if (connection.socket.receive(connection.input, patience(), end)) {
        return true;
    }
    note_peer_end(connection, end);
    return false;
}

bool ScriptedEndpoint::run(Connection& connection, const Script& script) {
    std::size_t holds = 0;
    bool goes_on = true;
    for (const Script::Step& step : script.steps_) {
        goes_on = goes_on && run_step(connection, step, holds);
    }
    if (goes_on || (!script.steps_.empty() && !connection.socket.is_open())) {
        change(connection, [](JournalEntry& entry) { entry.answered = true; });
    }
    return goes_on;
}

bool ScriptedEndpoint::run_step(Connection& connection, const Script::Step& step, std::size_t& holds) {
    switch (step.kind) {
        case Script::Kind::send: return send(connection, step.bytes);
        case Script::Kind::pause: {
            const SteadyTime end = std::chrono::steady_clock::now() + step.time;
            return wait_in_silence(
                connection, [end] { return std::chrono::steady_clock::now() >= end; }, end
            );
        }
        case Script::Kind::hold: {
            ++holds;
            const auto is_released = [this, holds] {
                const std::lock_guard lock(mutex_);
                return releases_ >= holds;
            };
            return wait_in_silence(connection, is_released, patience());
        }
        case Script::Kind::close: connection.socket.close(); return false;
        case Script::Kind::reset: connection.socket.reset(); return false;
    }
    return false;
}

bool ScriptedEndpoint::send(Connection& connection, std::string_view bytes) {
    while (!bytes.empty()) {
        const short events = wait_for(
            connection.socket.descriptor(), POLLOUT | POLLRDHUP, patience(), connection.waker.descriptor()
        );
        calm(connection.waker);
        if (has_ended(connection, events)) {
            return false;
        }
        if ((events & POLLOUT) == 0) {
            continue;
        }
        const ssize_t sent =
            ::send(connection.socket.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        const auto taken = static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
        bytes.remove_prefix(taken);
        change(connection, [taken](JournalEntry& entry) { entry.sent_bytes += taken; });
    }
    return true;
}

/// Sends nothing until `is_over`, looked at again whenever something happens; false when the connection ended
/// first.
bool ScriptedEndpoint::wait_in_silence(
    Connection& connection, const std::function<bool()>& is_over, SteadyTime deadline
) {
    while (!is_over()) {
        const short events =
            wait_for(connection.socket.descriptor(), POLLRDHUP, deadline, connection.waker.descriptor());
        calm(connection.waker);
        if (has_ended(connection, events)) {
            return false;
        }
    }
    return true;
}

bool ScriptedEndpoint::has_ended(Connection& connection, short events) {
    if ((events & (POLLERR | POLLHUP)) != 0) {
        note_peer_end(connection, PeerEnd::reset);
        return true;
    }
    if ((events & POLLRDHUP) != 0) {
        note_peer_end(connection, PeerEnd::closed);
        return true;
    }
    return stopping_ || connection.to_reset;
}

void ScriptedEndpoint::note_peer_end(const Connection& connection, PeerEnd end) {
    change(connection, [end](JournalEntry& entry) {
        if (entry.peer_end == PeerEnd::open) {
            entry.peer_end = end;
            entry.peer_end_at = std::chrono::steady_clock::now();
        }
    });
}

void ScriptedEndpoint::change(const Connection& connection, const std::function<void(JournalEntry&)>& edit) {
    if (connection.entry) {
        const std::lock_guard lock(mutex_);
        edit(journal_[*connection.entry]);
        changed_.notify_all();
    }
}

std::size_t ScriptedEndpoint::record(JournalEntry entry) {
    const std::lock_guard lock(mutex_);
    journal_.push_back(std::move(entry));
    changed_.notify_all();
    return journal_.size() - 1;
}

std::optional<std::string> ScriptedEndpoint::probe_answer(std::string_view target) {
    const std::lock_guard lock(mutex_);
    if (target == "/metrics") {
        ++scrapes_;
        return metrics_;
    }
    if (target == "/health") {
        return health_;
    }
    return target == "/v1/models" ? std::optional(models_) : std::nullopt;
}

Script ScriptedEndpoint::take_script() {
    const std::lock_guard lock(mutex_);
    if (next_.empty()) {
        return always_;
    }
    Script script = std::move(next_.front());
    next_.pop_front();
    return script;
}

void ScriptedEndpoint::always(Script script) {
    const std::lock_guard lock(mutex_);
    always_ = std::move(script);
}

void ScriptedEndpoint::next(Script script) {
    const std::lock_guard lock(mutex_);
    next_.push_back(std::move(script));
}

void ScriptedEndpoint::release() {
    const std::lock_guard lock(mutex_);
    ++releases_;
    for (const std::unique_ptr<Connection>& connection : open_) {
        wake(connection->waker);
    }
}

void ScriptedEndpoint::reset_connections() {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Connection>& connection : open_) {
        connection->to_reset = true;
        wake(connection->waker);
    }
}

void ScriptedEndpoint::set_metrics(std::string answer) {
    const std::lock_guard lock(mutex_);
    metrics_ = std::move(answer);
}

void ScriptedEndpoint::set_load(double running, double waiting, double kv_usage) {
    const std::string labels = R"({engine="0",model_name="m"})";
    const std::string page = fmt::format(
        "vllm:num_requests_running{0} {1}\nvllm:num_requests_waiting{0} {2}\nvllm:kv_cache_usage_perc{0} "
        "{3}\n",
        labels,
        running,
        waiting,
        kv_usage
    );
    set_metrics(answer_text(200, page, "text/plain; version=0.0.4; charset=utf-8"));
}

void ScriptedEndpoint::set_health(std::string answer) {
    const std::lock_guard lock(mutex_);
    health_ = std::move(answer);
}

void ScriptedEndpoint::set_models(std::string answer) {
    const std::lock_guard lock(mutex_);
    models_ = std::move(answer);
}

std::vector<JournalEntry> ScriptedEndpoint::journal() const {
    const std::lock_guard lock(mutex_);
    return journal_;
}

std::size_t ScriptedEndpoint::requests() const {
    const std::lock_guard lock(mutex_);
    return journal_.size();
}

bool ScriptedEndpoint::wait_until(std::chrono::milliseconds time, const std::function<bool()>& condition)
    const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, condition);
}

bool ScriptedEndpoint::wait_for_requests(std::size_t count, std::chrono::milliseconds time) const {
    return wait_until(time, [&] { return journal_.size() >= count; });
}

bool ScriptedEndpoint::wait_for_peer_end(std::size_t request, std::chrono::milliseconds time) const {
    return wait_until(time, [&] {
        return request < journal_.size() && journal_[request].peer_end != PeerEnd::open;
    });
}

bool ScriptedEndpoint::wait_until_answered(std::size_t request, std::chrono::milliseconds time) const {
    return wait_until(time, [&] { return request < journal_.size() && journal_[request].answered; });
}

}  // namespace warmlane::test
