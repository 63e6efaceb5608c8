#pragma once

#include "warmlane/http/head_parser.hpp"
#include "warmlane/http/message.hpp"

#include <cstddef>
#include <string_view>

namespace warmlane::http {

enum class LineRead {
    /// A line is there; control characters other than tab are not in it.
    whole,
    /// Its end has not come yet.
    partial,
    /// Its end is not within the room.
    too_long,
    /// A bare CR or LF, or another control character.
    broken,
};

/// Reads the next line of a head, without its CRLF, and moves the cursor behind it.
///
/// @param room  bytes from the start line on that may be looked at; what lies beyond has no influence, which
/// is why
///              the outcome is the same for every way of cutting the bytes.
LineRead next_line(std::string_view bytes, std::size_t room, HeadCursor& cursor, std::string_view& line);

/// Splits a field line into name and value; null, or the reason why it is none.
const char* split_field(std::string_view line, Field& field);

/// Takes a Content-Length into the framing; null, or the reason why it is refused.
const char* take_content_length(std::string_view value, BodyFraming& body);

/// Takes a Transfer-Encoding into the framing; null, or the reason why it is refused.
const char* take_transfer_encoding(std::string_view value, unsigned minor_version, BodyFraming& body);

/// What the elements of one Connection field ask for.
struct ConnectionOptions {
    bool close = false;
    bool keep_alive = false;
    /// A field is named that is none of the sender's to take away.
    bool names_protected = false;
    std::size_t count = 0;
};

/// The most options that all Connection fields of a head may have together.
inline constexpr std::size_t kConnectionOptionsMax = 32;

ConnectionOptions read_connection(std::string_view value);

/// `name` begins with `prefix`, compared without case.
bool has_prefix_ignoring_case(std::string_view name, std::string_view prefix);

}  // namespace warmlane::http
