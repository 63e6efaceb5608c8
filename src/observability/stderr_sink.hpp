#pragma once

#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <mutex>
#include <string_view>

namespace warmlane::observability {

/// Writes lines to a file descriptor, in full or not at all past a point: when its reader does not take them
/// in time, they are dropped until it reads again, so that a stuck reader cannot keep the process from
/// ending.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    /// @param patience  how long the first line waits for a reader that does not read; later ones do not
    /// wait.
    StderrSink(int descriptor, std::chrono::milliseconds patience)
        : descriptor_(descriptor), patience_(patience) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override;
    void flush_() override {}

private:
    bool is_ready();
    void write_all(std::string_view text);

    const int descriptor_;
    const std::chrono::milliseconds patience_;

    bool stuck_ = false;
};

}  // namespace warmlane::observability
