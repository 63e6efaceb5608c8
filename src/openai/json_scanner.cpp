#include "openai/json_scanner.hpp"

#include "openai/json_text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warmlane::openai {
namespace {

constexpr const char* kEndsEarly = "the text ends too early";
constexpr const char* kNoValue = "expected a value";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

JsonScanner::JsonScanner(std::string_view text, std::size_t depth)
    : text_(text.data()),
      at_(text.data()),
      end_(text.data() + text.size()),
      depth_max_(std::min(depth, kDepthMax)) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        fail("a byte order mark is not allowed");
    }
}

std::size_t JsonScanner::offset() const {
    return failed() ? error_offset_ : static_cast<std::size_t>(at_ - text_);
}

bool JsonScanner::fail(const char* reason) {
    if (!failed()) {
        error_offset_ = static_cast<std::size_t>(at_ - text_);
        reason_ = at_end() ? kEndsEarly : reason;
        at_ = end_;
    }
    return false;
}

void JsonScanner::skip_space() {
    while (!at_end() && is_space(*at_)) {
        ++at_;
    }
}

JsonKind JsonScanner::kind() {
    skip_space();
    switch (peek()) {
        case '{': return JsonKind::object;
        case '[': return JsonKind::list;
        case '"': return JsonKind::string;
        case 't':
        case 'f': return JsonKind::boolean;
        case 'n': return JsonKind::null;
        case '-': return JsonKind::number;
        default: break;
    }
    if (is_digit(peek())) {
        return JsonKind::number;
    }
    fail(kNoValue);
    return JsonKind::none;
}

void JsonScanner::open() {
    if (failed()) {
        return;
    }
    if (depth_ == depth_max_) {
        fail("it is nested too deeply");
        return;
    }
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
    std::uint64_t& bits = is_object_[depth_ / 64];
    bits = *at_ == '{' ? bits | bit : bits & ~bit;
    ++depth_;
    ++at_;
    opened_ = true;
}

bool JsonScanner::next(char close) {
    skip_space();
    const bool first = std::exchange(opened_, false);
    if (peek() == close && !failed()) {
        ++at_;
        --depth_;
        return false;
    }
    if (first) {
        return !failed();
    }
    if (peek() != ',') {
        return fail(close == ']' ? "expected a comma or ]" : "expected a comma or }");
    }
    ++at_;
    skip_space();
    return true;
}

bool JsonScanner::pass_key_colon() {
    skip_space();
    if (peek() != ':') {
        return fail("expected a colon");
    }
    ++at_;
    return true;
}

bool JsonScanner::next_member(Scratch& scratch, std::string_view& key) {
    if (!next('}')) {
        return false;
    }
    if (peek() != '"') {
        return fail("expected a key in quotes");
    }
    key = read_string(scratch);
    return pass_key_colon();
}

bool JsonScanner::skip_key() {
    if (!next('}')) {
        return false;
    }
    if (peek() != '"') {
        return fail("expected a key in quotes");
    }
    skip_string();
    return pass_key_colon();
}

std::string_view JsonScanner::skip() {
    skip_space();
    const char* const begin = at_;
    const std::size_t outside = depth_;
    skip_flat();
    while (depth_ > outside && !failed()) {
        const bool more = in_object() ? skip_key() : next_element();
        if (more) {
            skip_flat();
        }
    }
    return failed() ? std::string_view{} : std::string_view(begin, static_cast<std::size_t>(at_ - begin));
}

void JsonScanner::skip_flat() {
    switch (kind()) {
        case JsonKind::object:
        case JsonKind::list: open(); break;
        case JsonKind::string: skip_string(); break;
        case JsonKind::number: skip_number(); break;
        case JsonKind::boolean: skip_word(*at_ == 't' ? "true" : "false"); break;
        case JsonKind::null: skip_word("null"); break;
        case JsonKind::none: break;
    }
}

void JsonScanner::skip_word(std::string_view word) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) {
        fail(kNoValue);
        return;
    }
    at_ += word.size();
}

bool JsonScanner::skip_digits() {
    if (!is_digit(peek())) {
        return fail("expected a digit");
    }
    while (is_digit(peek())) {
        ++at_;
    }
    return true;
}

void JsonScanner::skip_number() {
    if (peek() == '-') {
        ++at_;
    }
    if (peek() == '0') {
        ++at_;
    } else if (!skip_digits()) {
        return;
    }
    if (peek() == '.') {
        ++at_;
        if (!skip_digits()) {
            return;
        }
    }
    if (peek() == 'e' || peek() == 'E') {
        ++at_;
        if (peek() == '+' || peek() == '-') {
            ++at_;
        }
        skip_digits();
    }
}

void JsonScanner::finish() {
    skip_space();
    if (!at_end()) {
        fail("something follows the end of the value");
    }
}

}  // namespace warmlane::openai
