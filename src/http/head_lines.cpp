#include "http/head_lines.hpp"

#include "http/chars.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace warmlane::http {

namespace {

/// Fields that end at the next hop only because a sender says so would change who is believed or where a body
/// ends.
bool is_protected(std::string_view name) {
    static constexpr std::array<std::string_view, 4> kNames = {
        "host",
        "content-length",
        "transfer-encoding",
        "authorization",
    };
    return has_prefix_ignoring_case(name, "x-forwarded-") ||
           std::ranges::any_of(kNames, [name](std::string_view known) {
               return equals_ignoring_case(known, name);
           });
}

}  // namespace

LineRead next_line(std::string_view bytes, std::size_t room, HeadCursor& cursor, std::string_view& line) {
    const std::string_view window = bytes.substr(0, cursor.begin + room);
    for (;;) {
        const std::size_t at = find_control(window, cursor.scanned);
        const bool at_end = at == window.size() || (window[at] == '\r' && at + 1 == window.size());
        if (at_end) {
            cursor.scanned = at;
            return window.size() == cursor.begin + room ? LineRead::too_long : LineRead::partial;
        }
        if (window[at] == '\t') {
            cursor.scanned = at + 1;
            continue;
        }
        if (window[at] != '\r' || window[at + 1] != '\n') {
            return LineRead::broken;
        }
        line = window.substr(cursor.line, at - cursor.line);
        cursor.line = at + 2;
        cursor.scanned = at + 2;
        return LineRead::whole;
    }
}

const char* split_field(std::string_view line, Field& field) {
    const std::size_t colon = skip(token_char, line);
    if (colon == 0 && !line.empty() && is_blank(line.front())) {
        return "a field line is folded";
    }
    if (colon == 0 || colon == line.size() || line[colon] != ':') {
        return "a field line does not begin with a token and a colon";
    }
    field.name = line.substr(0, colon);
    field.value = trim(line.substr(colon + 1));
    return nullptr;
}

const char* take_content_length(std::string_view value, BodyFraming& body) {
    if (body.kind != BodyKind::none) {
        return "there is more than one Content-Length or Transfer-Encoding";
    }
    const char* const begin = value.data();
    const char* const end = begin + value.size();
    const auto [stopped, ec] = std::from_chars(begin, end, body.length);
    if (ec != std::errc{} || stopped != end) {
        return "Content-Length is not a number";
    }
    body.kind = BodyKind::length;
    return nullptr;
}

const char* take_transfer_encoding(std::string_view value, unsigned minor_version, BodyFraming& body) {
    if (body.kind != BodyKind::none) {
        return "there is more than one Content-Length or Transfer-Encoding";
    }
    if (minor_version == 0) {
        return "Transfer-Encoding stands in HTTP/1.0";
    }
    if (!equals_ignoring_case(value, "chunked")) {
        return "the transfer coding is not chunked";
    }
    body.kind = BodyKind::chunked;
    return nullptr;
}

ConnectionOptions read_connection(std::string_view value) {
    ConnectionOptions options;
    for_each_element(value, [&options](std::string_view element) {
        ++options.count;
        options.close |= equals_ignoring_case(element, "close");
        options.keep_alive |= equals_ignoring_case(element, "keep-alive");
        options.names_protected |= is_protected(element);
    });
    return options;
}

bool has_prefix_ignoring_case(std::string_view name, std::string_view prefix) {
    return equals_ignoring_case(name.substr(0, prefix.size()), prefix);
}

}  // namespace warmlane::http
