#pragma once

#include "warmlane/http/message.hpp"

#include <cstddef>
#include <string_view>

namespace warmlane::http {

struct HeadLimits {
    /// Bytes of the whole head, from the first of the start line to the empty line; exact.
    std::size_t bytes = std::size_t{32} * 1024;
    /// Number of fields.
    std::size_t fields = 100;
    /// Bytes of the request target.
    std::size_t target_bytes = std::size_t{8} * 1024;
};

enum class HeadProgress { incomplete, complete, invalid };

/// Where a parser stands in a head between two calls.
struct HeadCursor {
    /// First byte of the last call; a buffer that moved is read anew.
    const char* base = nullptr;
    /// The start line, behind a CRLF that was skipped.
    std::size_t begin = 0;
    /// The line being read.
    std::size_t line = 0;
    /// How far that line is known to hold no control character.
    std::size_t scanned = 0;
    bool in_fields = false;
};

/// Why a head is refused: the status to answer with (0: it is not), and the reason as a clause.
struct HeadFault {
    unsigned status = 0;
    const char* reason = "";
};

/// Reads one request head as strictly as RFC 9112 lets a server be. The verdict does not depend on how the
/// bytes were cut into reads. A control character is refused as it arrives and a wrong line at its end, not
/// at the end of the head. Refused, among others: two framings, two or malformed lengths, codings other than
/// `chunked`, chunked in HTTP/1.0, no or several or malformed Host fields, bare CR or LF, obs-fold, space
/// before a colon, a Connection field that names Host, framing, credentials or X-Forwarded-*, targets with
/// bytes that no URL has and paths that `normal_path` refuses. No I/O.
class RequestHeadParser {
public:
    explicit RequestHeadParser(HeadLimits limits = {}) : limits_(limits) {}

    /// `bytes` begins at the first byte of the head and holds everything received so far; each call for one
    /// head gives at least the bytes of the last. One leading CRLF is skipped. Linear in the bytes of the
    /// head for any number of calls, as long as the bytes stay where they are.
    HeadProgress parse(std::string_view bytes);

    /// After `complete`: the head, views into the bytes of the last call.
    const RequestHead& head() const { return head_; }
    /// After `complete`: bytes of the head with the empty line, and with a CRLF that was skipped before it.
    std::size_t size() const { return size_; }

    /// After `invalid`: the status to answer with (400, 405, 414, 417, 431, 501, 505) and the reason, a
    /// clause that is fit for the log and for the client.
    unsigned status() const { return fault_.status; }
    const char* reason() const { return fault_.reason; }

    /// Ready for the next head. Keeps its memory.
    void reset();

private:
    std::size_t room() const;
    HeadFault too_long(std::string_view bytes) const;
    HeadFault take_request_line(std::string_view line);
    HeadFault take_field(std::string_view line);
    HeadFault check_field(const Field& field);
    HeadFault check_connection(std::string_view value);
    HeadFault check_whole();
    HeadProgress fail(HeadFault fault);
    HeadProgress finish();

    const HeadLimits limits_;
    HeadCursor cursor_;
    RequestHead head_;
    /// Authority of an absolute-form target.
    std::string_view authority_;
    std::size_t connection_options_ = 0;
    std::size_t size_ = 0;
    HeadFault fault_;
};

/// Reads one response head as strictly as a request's, interim ones (1xx) too: those come back as complete,
/// with their status and no body. A reason phrase may be missing.
class ResponseHeadParser {
public:
    explicit ResponseHeadParser(HeadLimits limits = {}) : limits_(limits) {}

    /// Like `RequestHeadParser::parse`, but skips nothing.
    /// `to_head_request`: the request was a HEAD, so no body follows whatever the fields say.
    HeadProgress parse(std::string_view bytes, bool to_head_request);

    const ResponseHead& head() const { return head_; }
    std::size_t size() const { return size_; }
    /// After `invalid`: for the log.
    const char* reason() const { return reason_ == nullptr ? "" : reason_; }
    /// Ready for the next head. Keeps its memory.
    void reset();

private:
    const char* take_line(std::string_view line);
    const char* take_field(std::string_view line);
    HeadProgress fail(const char* reason);
    HeadProgress finish(bool to_head_request);

    const HeadLimits limits_;
    HeadCursor cursor_;
    ResponseHead head_;
    std::size_t size_ = 0;
    /// Null unless the head was refused.
    const char* reason_ = nullptr;
};

}  // namespace warmlane::http
