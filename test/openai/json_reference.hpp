#pragma once

#include "openai/json_scanner.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warmlane::openai {

namespace json = boost::json;

/// Nesting that both scanners accept.
inline constexpr std::size_t kDepth = 64;

/// Reads everything at the pull, so that every string is resolved, and writes down what is seen.
inline void trace(JsonScanner& scanner, Scratch& scratch, std::string& out) {
    std::string_view key;
    switch (scanner.kind()) {
        case JsonKind::object:
            out += '{';
            scanner.open();
            while (scanner.next_member(scratch, key)) {
                out.append(key) += ':';
                trace(scanner, scratch, out);
            }
            out += '}';
            break;
        case JsonKind::list:
            out += '[';
            scanner.open();
            while (scanner.next_element()) {
                trace(scanner, scratch, out);
            }
            out += ']';
            break;
        case JsonKind::string: out.append(scanner.read_string(scratch)) += '"'; break;
        default: out.append(scanner.skip()) += ';';
    }
}

inline JsonScanner traced(std::string_view text, std::string& out) {
    std::deque<std::string> chunks;
    Scratch scratch(chunks);
    JsonScanner scanner(text, kDepth);
    trace(scanner, scratch, out);
    scanner.finish();
    return scanner;
}

/// Writes down the same of what Boost.JSON sees.
struct ReferenceTrace {
    using Text = json::string_view;
    using Code = boost::system::error_code;

    // Boost.JSON looks for these names. NOLINTBEGIN(readability-identifier-naming)
    static constexpr std::size_t max_object_size = ~std::size_t{0};
    static constexpr std::size_t max_array_size = ~std::size_t{0};
    static constexpr std::size_t max_key_size = ~std::size_t{0};
    static constexpr std::size_t max_string_size = ~std::size_t{0};
    // NOLINTEND(readability-identifier-naming)

    bool add(Text text, const char* end = "") {
        out.append(text.data(), text.size()) += end;
        return true;
    }
    bool on_document_begin(Code& /*ec*/) { return true; }
    bool on_document_end(Code& /*ec*/) { return true; }
    bool on_object_begin(Code& /*ec*/) { return add("{"); }
    bool on_object_end(std::size_t /*size*/, Code& /*ec*/) { return add("}"); }
    bool on_array_begin(Code& /*ec*/) { return add("["); }
    bool on_array_end(std::size_t /*size*/, Code& /*ec*/) { return add("]"); }
    bool on_key_part(Text text, std::size_t /*size*/, Code& /*ec*/) { return add(text); }
    bool on_key(Text text, std::size_t /*size*/, Code& /*ec*/) { return add(text, ":"); }
    bool on_string_part(Text text, std::size_t /*size*/, Code& /*ec*/) { return add(text); }
    bool on_string(Text text, std::size_t /*size*/, Code& /*ec*/) { return add(text, "\""); }
    bool on_number_part(Text text, Code& /*ec*/) { return add(text); }
    bool on_int64(std::int64_t /*value*/, Text text, Code& /*ec*/) { return add(text, ";"); }
    bool on_uint64(std::uint64_t /*value*/, Text text, Code& /*ec*/) { return add(text, ";"); }
    bool on_double(double /*value*/, Text text, Code& /*ec*/) { return add(text, ";"); }
    bool on_bool(bool value, Code& /*ec*/) { return add(value ? "true" : "false", ";"); }
    bool on_null(Code& /*ec*/) { return add("null", ";"); }
    bool on_comment_part(Text /*text*/, Code& /*ec*/) { return false; }
    bool on_comment(Text /*text*/, Code& /*ec*/) { return false; }

    std::string out;
};

/// Nothing when Boost.JSON refuses.
inline std::optional<std::string> reference(std::string_view text) {
    json::parse_options options;
    options.max_depth = kDepth;
    json::basic_parser<ReferenceTrace> parser(options);
    boost::system::error_code ec;
    const std::size_t read = parser.write_some(false, text.data(), text.size(), ec);
    const bool rest = text.find_first_not_of(" \t\r\n", read) != text.npos;
    return ec || rest ? std::nullopt : std::optional(std::move(parser.handler().out));
}

}  // namespace warmlane::openai
