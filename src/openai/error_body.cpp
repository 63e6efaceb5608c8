#include "warmlane/openai/error_body.hpp"

#include "openai/json_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace warmlane::openai {
namespace {

void append_escaped(std::string& out, char c) {
    if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
    } else {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    }
}

/// As a JSON string; a byte that is not UTF-8 becomes U+FFFD.
void append_string(std::string& out, std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    out += '"';
    while (true) {
        const char* const special = find_special(at, end);
        out.append(at, special);
        at = special;
        if (at == end) {
            break;
        }
        if (const std::size_t size = utf8_size(at, end); size > 1) {
            out.append(at, size);
            at += size;
            continue;
        }
        if (static_cast<unsigned char>(*at) < 0x80) {
            append_escaped(out, *at);
        } else {
            out += "\xEF\xBF\xBD";
        }
        ++at;
    }
    out += '"';
}

void append_member(std::string& out, std::string_view name, std::string_view text) {
    out += ",\"";
    out += name;
    out += "\":";
    if (text.empty()) {
        out += "null";
    } else {
        append_string(out, text);
    }
}

}  // namespace

std::string error_body(
    std::string_view message, std::string_view type, std::string_view param, std::string_view code
) {
    std::string out = R"({"error":{"message":)";
    append_string(out, message);
    out += R"(,"type":)";
    append_string(out, type);
    append_member(out, "param", param);
    append_member(out, "code", code);
    out += "}}";
    return out;
}

std::string error_event(std::string_view message, std::string_view type, std::string_view code) {
    return "data: " + error_body(message, type, {}, code) + "\n\n";
}

}  // namespace warmlane::openai
