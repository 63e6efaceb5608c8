#include "http/chars.hpp"

#include "warmlane/http/body_decoder.hpp"

namespace warmlane::http {

bool ChunkExtensions::take(char c) {
    const auto go = [this](bool possible, At next) {
        at_ = next;
        return possible;
    };
    const bool blank = is_blank(c);
    const bool token = is(token_char, c);
    const bool text = c == '\t' || !is_control(c);
    switch (at_) {
        case At::start: return go(c == ';', At::name_start);
        case At::name_start: return go(token || blank, token ? At::name : At::name_start);
        case At::name:
        case At::name_blank:
            if (c == ';' || c == '=') {
                return go(true, c == ';' ? At::name_start : At::value_start);
            }
            return go(blank || (token && at_ == At::name), blank ? At::name_blank : At::name);
        case At::value_start:
            if (c == '"') {
                return go(true, At::quoted);
            }
            return go(token || blank, token ? At::value : At::value_start);
        case At::quoted: return go(text, c == '"' ? At::quoted_end : c == '\\' ? At::escaped : At::quoted);
        case At::escaped: return go(text, At::quoted);
        case At::value:
            if (token) {
                return true;
            }
            [[fallthrough]];
        case At::quoted_end:
        case At::value_blank: return go(c == ';' || blank, blank ? At::value_blank : At::name_start);
    }
    return false;
}

bool ChunkExtensions::complete() const {
    return at_ == At::name || at_ == At::value || at_ == At::quoted_end;
}

}  // namespace warmlane::http
