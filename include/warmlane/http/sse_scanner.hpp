#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warmlane::http {

/// Counts server-sent events while they pass, wherever the bytes are cut (WHATWG HTML, 9.2.6): line ends are
/// LF, CR or CRLF, an empty line ends an event, a leading byte order mark is none of the first line. Constant
/// memory; holds nothing back. No I/O.
class SseScanner {
public:
    /// Number of events that ended in `bytes`.
    std::size_t feed(std::string_view bytes);

    /// Events that ended so far. As in a browser, a block of lines without a `data` field is none.
    std::uint64_t events() const { return events_; }

    /// No event has begun that is not complete: an event of our own may follow as it is.
    bool at_boundary() const { return line_ == Line::empty && !in_event_; }

private:
    enum class Line : std::uint8_t {
        empty,
        /// The bytes so far begin a byte order mark, at the start of the stream.
        mark,
        comment,
        /// The bytes so far are the first of `data`.
        data_name,
        data,
        other,
    };

    void take_text(std::string_view text);
    void take_name_byte(char c);
    void end_line();

    std::uint64_t events_ = 0;
    Line line_ = Line::empty;
    /// Bytes of `data` or of the byte order mark that the line has so far.
    std::uint8_t matched_ = 0;
    bool at_start_ = true;
    bool after_cr_ = false;
    bool in_event_ = false;
    bool has_data_ = false;
};

}  // namespace warmlane::http
