#include "http/head_lines.hpp"
#include "http/request_line.hpp"

#include "warmlane/http/head_parser.hpp"

#include <algorithm>
#include <utility>

namespace warmlane::http {

namespace {

/// A request line is method, space, target, space, `HTTP/1.1` and CRLF.
constexpr std::size_t kRequestLineOverhead = kMethodBytesMax + 1 + 1 + 8 + 2;

}  // namespace

HeadProgress RequestHeadParser::parse(std::string_view bytes) {
    if (bytes.data() != cursor_.base) {
        reset();
        cursor_.base = bytes.data();
    }
    if (size_ != 0) {
        return HeadProgress::complete;
    }
    while (fault_.status == 0) {
        std::string_view line;
        switch (next_line(bytes, room(), cursor_, line)) {
            case LineRead::partial: return HeadProgress::incomplete;
            case LineRead::too_long: return fail(too_long(bytes));
            case LineRead::broken: return fail({400, "the head holds a control character"});
            case LineRead::whole: break;
        }
        if (cursor_.in_fields) {
            if (line.empty()) {
                return finish();
            }
            fault_ = take_field(line);
        } else if (line.empty() && cursor_.begin == 0) {
            cursor_.begin = cursor_.line;
        } else {
            fault_ = take_request_line(line);
        }
    }
    return HeadProgress::invalid;
}

std::size_t RequestHeadParser::room() const {
    const std::size_t request_line = limits_.target_bytes + kRequestLineOverhead;
    return cursor_.in_fields ? limits_.bytes : std::min(request_line, limits_.bytes);
}

HeadFault RequestHeadParser::too_long(std::string_view bytes) const {
    if (cursor_.in_fields) {
        return {431, "the head is larger than the limit"};
    }
    const std::string_view method = bytes.substr(cursor_.begin, kMethodBytesMax + 1);
    return method.find(' ') == method.npos ? HeadFault{400, "the method is not a token of at most 32 bytes"}
                                           : HeadFault{414, "the target is longer than the limit"};
}

HeadFault RequestHeadParser::take_request_line(std::string_view line) {
    RequestLine parsed;
    const HeadFault fault = parse_request_line(line, limits_.target_bytes, parsed);
    if (fault.status != 0) {
        return fault;
    }
    head_.method = parsed.method;
    head_.target = parsed.target;
    head_.minor_version = parsed.minor_version;
    // A gateway does not keep connections of HTTP/1.0, whatever they ask for (RFC 9112, C.2.2).
    head_.keep_alive = parsed.minor_version == 1;
    authority_ = parsed.authority;
    cursor_.in_fields = true;
    return {};
}

HeadFault RequestHeadParser::take_field(std::string_view line) {
    Field field;
    if (const char* reason = split_field(line, field)) {
        return {400, reason};
    }
    if (head_.fields.size() == limits_.fields) {
        return {431, "the head has more fields than the limit"};
    }
    const HeadFault fault = check_field(field);
    head_.fields.push_back(field);
    return fault;
}

HeadFault RequestHeadParser::check_field(const Field& field) {
    const char* reason = nullptr;
    if (equals_ignoring_case(field.name, "host")) {
        if (find_field(head_.fields, "host") != nullptr) {
            return {400, "there is more than one Host"};
        }
        reason = is_valid_authority(field.value) ? nullptr : "Host is malformed";
    } else if (equals_ignoring_case(field.name, "content-length")) {
        reason = take_content_length(field.value, head_.body);
    } else if (equals_ignoring_case(field.name, "transfer-encoding")) {
        reason = take_transfer_encoding(field.value, head_.minor_version, head_.body);
    } else if (equals_ignoring_case(field.name, "connection")) {
        return check_connection(field.value);
    } else if (equals_ignoring_case(field.name, "expect")) {
        if (!equals_ignoring_case(field.value, "100-continue")) {
            return {417, "the expectation is not 100-continue"};
        }
        head_.expects_continue = true;
    }
    return reason == nullptr ? HeadFault{} : HeadFault{400, reason};
}

HeadFault RequestHeadParser::check_connection(std::string_view value) {
    const ConnectionOptions options = read_connection(value);
    connection_options_ += options.count;
    if (options.names_protected) {
        return {400, "Connection names a field that is not hop-by-hop"};
    }
    if (connection_options_ > kConnectionOptionsMax) {
        return {400, "Connection has too many options"};
    }
    head_.keep_alive = head_.keep_alive && !options.close;
    return {};
}

HeadFault RequestHeadParser::check_whole() {
    const Field* host = find_field(head_.fields, "host");
    if (host == nullptr && head_.minor_version == 1) {
        return {400, "there is no Host"};
    }
    if (host != nullptr && !authority_.empty() && !equals_ignoring_case(host->value, authority_)) {
        return {400, "Host differs from the authority of the target"};
    }
    return {};
}

HeadProgress RequestHeadParser::fail(HeadFault fault) {
    fault_ = fault;
    return HeadProgress::invalid;
}

HeadProgress RequestHeadParser::finish() {
    const HeadFault fault = check_whole();
    if (fault.status != 0) {
        return fail(fault);
    }
    const bool has_body = head_.body.kind == BodyKind::chunked || head_.body.length > 0;
    head_.expects_continue = head_.expects_continue && has_body && head_.minor_version == 1;
    size_ = cursor_.line;
    return HeadProgress::complete;
}

void RequestHeadParser::reset() {
    std::vector<Field> fields = std::move(head_.fields);
    fields.clear();
    head_ = {};
    head_.fields = std::move(fields);
    cursor_ = {};
    authority_ = {};
    connection_options_ = 0;
    size_ = 0;
    fault_ = {};
}

}  // namespace warmlane::http
