#include "stderr_sink.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace warmlane::observability {

void StderrSink::sink_it_(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_all({line.data(), line.size()});
}

void StderrSink::write_all(std::string_view text) {
    while (!text.empty()) {
        if (!is_ready()) {
            return;
        }
        // A pipe that is ready takes this much without blocking.
        const std::size_t size = std::min<std::size_t>(text.size(), PIPE_BUF);
        const ssize_t written = ::write(descriptor_, text.data(), size);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            return;
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

bool StderrSink::is_ready() {
    pollfd wanted{descriptor_, POLLOUT, 0};
    const auto wait = stuck_ ? std::chrono::milliseconds{0} : patience_;
    const int ready = ::poll(&wanted, 1, static_cast<int>(wait.count()));
    stuck_ = ready == 0;
    return ready > 0 || (ready < 0 && errno == EINTR);
}

}  // namespace warmlane::observability
