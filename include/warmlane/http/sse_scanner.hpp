#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warmlane::http {

/// Counts server-sent events while they pass, wherever the bytes are cut: line ends are LF, CR or CRLF, an
/// empty line ends an event. Reads one byte at a time in constant memory; holds nothing back. No I/O.
class SseScanner {
public:
    /// Number of events that ended in `bytes`.
    std::size_t feed(std::string_view bytes);

    /// Events that ended so far; comments alone are none.
    std::uint64_t events() const { return events_; }

    /// The last event is complete: an event of our own may follow as it is.
    bool at_boundary() const { return line_empty_ && !in_event_; }

private:
    std::uint64_t events_ = 0;
    bool line_empty_ = true;
    bool in_event_ = false;
    bool line_is_comment_ = false;
    bool after_cr_ = false;
};

}  // namespace warmlane::http
