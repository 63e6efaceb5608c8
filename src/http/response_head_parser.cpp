#include "http/chars.hpp"
#include "http/head_lines.hpp"

#include "warmlane/http/head_parser.hpp"

#include <utility>

namespace warmlane::http {

namespace {

/// `HTTP/1.1 200 OK`; the reason may be empty and the space before it missing.
const char* parse_status_line(std::string_view line, ResponseHead& head) {
    const bool version_fits = line.size() >= 12 && line.starts_with("HTTP/1.") &&
                              (line[7] == '0' || line[7] == '1') && line[8] == ' ';
    if (!version_fits) {
        return "the status line is not of HTTP/1.0 or 1.1";
    }
    if (!all(digit_char, line.substr(9, 3)) || (line.size() > 12 && line[12] != ' ')) {
        return "the status is not a number of three digits";
    }
    head.minor_version = static_cast<unsigned>(line[7] - '0');
    head.status = static_cast<unsigned>((line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0'));
    head.reason = line.size() > 12 ? line.substr(13) : std::string_view{};
    return head.status >= 100 && head.status <= 599 ? nullptr : "the status is outside 100 to 599";
}

ConnectionOptions read_all_connections(const std::vector<Field>& fields) {
    ConnectionOptions all;
    for (const Field& field : fields) {
        if (equals_ignoring_case(field.name, "connection")) {
            const ConnectionOptions options = read_connection(field.value);
            all.close |= options.close;
            all.keep_alive |= options.keep_alive;
            all.count += options.count;
        }
    }
    return all;
}

}  // namespace

HeadProgress ResponseHeadParser::parse(std::string_view bytes, bool to_head_request) {
    if (bytes.data() != cursor_.base) {
        reset();
        cursor_.base = bytes.data();
    }
    if (size_ != 0) {
        return HeadProgress::complete;
    }
    while (reason_ == nullptr) {
        std::string_view line;
        switch (next_line(bytes, limits_.bytes, cursor_, line)) {
            case LineRead::partial: return HeadProgress::incomplete;
            case LineRead::too_long: return fail("the head is larger than the limit");
            case LineRead::broken: return fail("the head holds a control character");
            case LineRead::whole: break;
        }
        if (cursor_.in_fields && line.empty()) {
            return finish(to_head_request);
        }
        reason_ = take_line(line);
    }
    return HeadProgress::invalid;
}

const char* ResponseHeadParser::take_line(std::string_view line) {
    if (cursor_.in_fields) {
        return take_field(line);
    }
    cursor_.in_fields = true;
    return parse_status_line(line, head_);
}

const char* ResponseHeadParser::take_field(std::string_view line) {
    Field field;
    if (const char* reason = split_field(line, field)) {
        return reason;
    }
    if (head_.fields.size() == limits_.fields) {
        return "the head has more fields than the limit";
    }
    head_.fields.push_back(field);
    if (equals_ignoring_case(field.name, "content-length")) {
        return take_content_length(field.value, head_.body);
    }
    if (equals_ignoring_case(field.name, "transfer-encoding")) {
        return take_transfer_encoding(field.value, head_.minor_version, head_.body);
    }
    return nullptr;
}

HeadProgress ResponseHeadParser::fail(const char* reason) {
    reason_ = reason;
    return HeadProgress::invalid;
}

HeadProgress ResponseHeadParser::finish(bool to_head_request) {
    const ConnectionOptions connection = read_all_connections(head_.fields);
    if (connection.count > kConnectionOptionsMax) {
        return fail("Connection has too many options");
    }
    const bool bodiless = to_head_request || head_.status < 200 || head_.status == 204 || head_.status == 304;
    if (bodiless) {
        head_.body = {};
    } else if (head_.body.kind == BodyKind::none) {
        head_.body.kind = BodyKind::until_close;
    }
    head_.keep_alive = !connection.close && (head_.minor_version == 1 || connection.keep_alive) &&
                       head_.body.kind != BodyKind::until_close;
    size_ = cursor_.line;
    return HeadProgress::complete;
}

void ResponseHeadParser::reset() {
    std::vector<Field> fields = std::move(head_.fields);
    fields.clear();
    head_ = {};
    head_.fields = std::move(fields);
    cursor_ = {};
    size_ = 0;
    reason_ = nullptr;
}

}  // namespace warmlane::http
