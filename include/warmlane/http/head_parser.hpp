#pragma once

#include "warmlane/http/message.hpp"

#include <cstddef>
#include <string_view>

namespace warmlane::http {

struct HeadLimits {
    /// Bytes of the whole head, from the first of the start line to the empty line; exact.
    std::size_t bytes = 32 * 1024;
    /// Number of fields.
    std::size_t fields = 100;
    /// Bytes of the request target.
    std::size_t target_bytes = 8 * 1024;
};

enum class HeadProgress { incomplete, complete, invalid };

/// Reads one request head as strictly as RFC 9112 lets a server be. The verdict does not depend on how the
/// bytes were cut into reads, and a head that is wrong is refused at the first wrong line, not at its end.
/// Refused, among others: two framings, two or malformed lengths, codings other than `chunked`, chunked in
/// HTTP/1.0, no or several or malformed Host fields, bare CR or LF, obs-fold, space before a colon, control
/// characters, targets with bytes that no URL has. No I/O.
class RequestHeadParser {
public:
    explicit RequestHeadParser(HeadLimits limits = {}) : limits_(limits) {}

    /// `bytes` begins at the first byte of the head and holds everything received so far; each call for one
    /// head gives at least the bytes of the last. One leading CRLF is skipped.
    HeadProgress parse(std::string_view bytes);

    /// After `complete`: the head, views into the bytes of the last call; and its size with the empty line.
    const RequestHead& head() const { return head_; }
    std::size_t size() const { return size_; }

    /// After `invalid`: the status to answer with (400, 414, 417, 431, 501, 505) and a reason for the log.
    unsigned status() const { return status_; }
    const char* reason() const { return reason_; }

    /// Ready for the next head.
    void reset();

private:
    HeadProgress fail(unsigned status, const char* reason);
    HeadProgress finish(std::string_view bytes);

    const HeadLimits limits_;
    RequestHead head_;
    std::size_t size_ = 0;
    /// Bytes of complete lines that were found good by an earlier call.
    std::size_t checked_ = 0;
    unsigned status_ = 0;
    const char* reason_ = "";
};

/// Reads one response head, interim ones (1xx) too: those come back as complete, with their status and no
/// body.
class ResponseHeadParser {
public:
    explicit ResponseHeadParser(HeadLimits limits = {}) : limits_(limits) {}

    /// `to_head_request`: the request was a HEAD, so no body follows whatever the fields say.
    HeadProgress parse(std::string_view bytes, bool to_head_request);

    const ResponseHead& head() const { return head_; }
    std::size_t size() const { return size_; }
    const char* reason() const { return reason_; }
    void reset();

private:
    HeadProgress fail(const char* reason);

    const HeadLimits limits_;
    ResponseHead head_;
    std::size_t size_ = 0;
    std::size_t checked_ = 0;
    const char* reason_ = "";
};

}  // namespace warmlane::http
