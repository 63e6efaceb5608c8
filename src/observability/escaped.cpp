#include "log_format.hpp"

#include "warmlane/observability/log.hpp"

#include <fmt/format.h>

#include <iterator>

namespace warmlane::observability {
namespace {

/// Length of the well-formed UTF-8 sequence of more than one byte at the front of `text`; 0 when there is
/// none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const unsigned char second = byte(1);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool outside = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
    const bool control = lead == 0xc2 && second < 0xa0;
    return overlong || outside || control ? 0 : length;
}

/// Takes the next character of `text` and appends its printable form.
void take_printable(std::string_view& text, std::string& out) {
    const char c = text.front();
    std::size_t taken = 1;
    if (c >= 0x20 && c < 0x7f) {
        out += c;
    } else if (const std::size_t length = sequence_length(text); length > 0) {
        out += text.substr(0, length);
        taken = length;
    } else {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(taken);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        take_printable(text, out);
    }
    return out;
}

std::string escaped(std::string_view text, std::size_t bytes_max) {
    constexpr std::string_view kCutMark = "...";
    std::string out;
    std::string_view rest = text.substr(0, bytes_max);
    while (!rest.empty()) {
        if (rest.front() == '"' || rest.front() == '\\') {
            out += '\\';
        }
        take_printable(rest, out);
    }
    if (text.size() > bytes_max) {
        out += kCutMark;
    }
    return out;
}

}  // namespace warmlane::observability
