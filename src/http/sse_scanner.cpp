#include "warmlane/http/sse_scanner.hpp"

#include "http/chars.hpp"

namespace warmlane::http {

namespace {

constexpr std::string_view kDataName = "data";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::size_t find_line_end(std::string_view bytes, std::size_t from) {
    std::size_t at = find_control(bytes, from);
    while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r') {
        at = find_control(bytes, at + 1);
    }
    return at;
}

}  // namespace

std::size_t SseScanner::feed(std::string_view bytes) {
    const std::uint64_t before = events_;
    std::size_t at = 0;
    if (after_cr_ && !bytes.empty()) {
        at = bytes.front() == '\n' ? 1 : 0;
        after_cr_ = false;
    }
    while (at < bytes.size()) {
        const std::size_t end = find_line_end(bytes, at);
        take_text(bytes.substr(at, end - at));
        if (end == bytes.size()) {
            break;
        }
        end_line();
        const bool crlf = bytes[end] == '\r' && end + 1 < bytes.size() && bytes[end + 1] == '\n';
        after_cr_ = bytes[end] == '\r' && end + 1 == bytes.size();
        at = end + (crlf ? 2 : 1);
    }
    return static_cast<std::size_t>(events_ - before);
}

void SseScanner::take_text(std::string_view text) {
    for (char c : text) {
        if (line_ == Line::comment || line_ == Line::data || line_ == Line::other) {
            return;
        }
        take_name_byte(c);
    }
}

void SseScanner::take_name_byte(char c) {
    if (line_ == Line::empty) {
        const bool mark = at_start_ && c == kByteOrderMark[0];
        line_ = mark                ? Line::mark
                : c == ':'          ? Line::comment
                : c == kDataName[0] ? Line::data_name
                                    : Line::other;
        at_start_ = false;
        matched_ = 1;
    } else if (line_ == Line::mark) {
        if (c != kByteOrderMark[matched_]) {
            line_ = Line::other;
        } else if (++matched_ == kByteOrderMark.size()) {
            line_ = Line::empty;
        }
    } else if (matched_ < kDataName.size()) {
        line_ = c == kDataName[matched_] ? Line::data_name : Line::other;
        ++matched_;
    } else {
        line_ = c == ':' ? Line::data : Line::other;
    }
}

void SseScanner::end_line() {
    at_start_ = false;
    if (line_ == Line::empty) {
        events_ += has_data_ ? 1 : 0;
        has_data_ = false;
        in_event_ = false;
        return;
    }
    const bool only_name = line_ == Line::data_name && matched_ == kDataName.size();
    has_data_ = has_data_ || line_ == Line::data || only_name;
    in_event_ = in_event_ || line_ != Line::comment;
    line_ = Line::empty;
}

}  // namespace warmlane::http
