#pragma once

#include "openai/scratch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warmlane::openai {

/// What a value is by its first byte; `none` after an error.
enum class JsonKind : std::uint8_t { none, object, list, string, number, boolean, null };

/// Reads one JSON text (RFC 8259, strict, UTF-8 checked) from front to back, at the caller's pull: nothing is
/// copied but strings with escapes, nothing is allocated, and nothing is looked at twice.
///
/// The caller asks for `kind()` and then consumes exactly one value: `open()` an object or a list and pull
/// its members or elements until there are no more, `read_string()`, or `skip()`.
///
/// After an error every call answers with nothing and every loop ends, so that only the last step needs to
/// look.
class JsonScanner {
public:
    /// Deepest nesting that can be asked for.
    static constexpr std::size_t kDepthMax = 1024;

    /// @param text   outlives the scanner.
    /// @param depth  nesting of objects and lists that is accepted.
    JsonScanner(std::string_view text, std::size_t depth);

    JsonKind kind();

    /// Enters the object or list that `kind()` saw.
    void open();
    /// Consumes the key of the next member of the innermost object; false after the last one, which leaves
    /// it.
    bool next_member(Scratch& scratch, std::string_view& key);
    /// The innermost list has another element; false after the last one, which leaves it.
    bool next_element() { return next(']'); }

    /// Consumes the string that `kind()` saw, escapes resolved: a view into the text, or into `scratch` when
    /// it has escapes. An escape that is half of a surrogate pair is an error here, and only here.
    std::string_view read_string(Scratch& scratch);
    /// Consumes the boolean that `kind()` saw.
    bool read_boolean() { return skip().starts_with('t'); }
    /// Consumes any value.
    /// @return its bytes as they stand in the text; empty after an error.
    std::string_view skip();

    /// Nothing but white space follows; an error otherwise.
    void finish();

    bool failed() const { return reason_ != nullptr; }
    /// What is wrong, as the rest of a sentence; null when nothing is.
    const char* reason() const { return reason_; }
    /// Where it went wrong; without an error, where the scanner stands.
    std::size_t offset() const;
    /// Bytes from an offset up to where the scanner stands.
    std::string_view since(std::size_t offset) const { return {text_ + offset, this->offset() - offset}; }

private:
    void skip_space();
    bool next(char close);
    bool skip_key();
    bool pass_key_colon();
    void skip_flat();
    void skip_string();
    bool skip_hard();
    void skip_number();
    bool skip_digits();
    void skip_word(std::string_view word);
    std::string_view resolve_string(const char* begin, Scratch& scratch);
    char* resolve_hard(char* to);
    char* resolve_escape(char* to);
    bool read_hex(std::uint32_t& unit);

    bool at_end() const { return at_ == end_; }
    char peek() const { return at_end() ? '\0' : *at_; }
    bool in_object() const { return (is_object_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64) & 1) != 0; }
    /// Always false. Only the first error counts.
    bool fail(const char* reason);

    const char* text_;
    const char* at_;
    const char* end_;
    const char* reason_ = nullptr;
    std::size_t error_offset_ = 0;
    const std::size_t depth_max_;
    std::size_t depth_ = 0;
    /// A bracket was opened and nothing of its inside was read.
    bool opened_ = false;
    /// For each open bracket, from the outermost: it is a brace.
    std::array<std::uint64_t, kDepthMax / 64> is_object_{};
};

}  // namespace warmlane::openai
