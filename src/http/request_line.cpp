#include "http/request_line.hpp"

#include "http/chars.hpp"
#include "http/head_lines.hpp"

#include "warmlane/http/path.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace warmlane::http {

namespace {

constexpr std::array<std::string_view, 7> kMethods = {
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"
};
constexpr std::size_t kHostBytesMax = 255;

HeadFault check_version(std::string_view version, unsigned& minor) {
    const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") &&
                             is(digit_char, version[5]) && version[6] == '.' && is(digit_char, version[7]);
    if (!well_formed) {
        return {400, "the HTTP version is malformed"};
    }
    if (version[5] != '1' || version[7] > '1') {
        return {505, "the HTTP version is neither 1.0 nor 1.1"};
    }
    minor = static_cast<unsigned>(version[7] - '0');
    return {};
}

HeadFault check_method(std::string_view method) {
    if (method == "CONNECT" || method == "TRACE") {
        return {405, "a gateway does not serve this method"};
    }
    if (std::ranges::find(kMethods, method) == kMethods.end()) {
        return {501, "the method is unknown"};
    }
    return {};
}

/// Cuts scheme and authority off a target in absolute-form.
HeadFault split_absolute(RequestLine& out) {
    const std::size_t scheme = has_prefix_ignoring_case(out.target, "http://")    ? 7
                               : has_prefix_ignoring_case(out.target, "https://") ? 8
                                                                                  : 0;
    if (scheme == 0) {
        return {400, "the target is neither a path nor an http URL"};
    }
    const std::string_view rest = out.target.substr(scheme);
    const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
    out.authority = rest.substr(0, path);
    if (!is_valid_authority(out.authority)) {
        return {400, "the authority of the target is malformed"};
    }
    out.target = rest.substr(path);
    if (out.target.empty()) {
        out.target = out.method == "OPTIONS" ? "*" : "/";
    }
    return {};
}

HeadFault check_target(RequestLine& out) {
    if (!all(target_char, out.target)) {
        return {400, "the target has a byte that no URL has"};
    }
    if (out.target == "*") {
        return out.method == "OPTIONS" ? HeadFault{} : HeadFault{400, "the target * stands without OPTIONS"};
    }
    if (out.target.front() != '/') {
        const HeadFault fault = split_absolute(out);
        if (fault.status != 0 || out.target == "*") {
            return fault;
        }
    }
    std::string storage;
    const bool safe =
        out.target.front() == '/' && normal_path(out.target.substr(0, out.target.find('?')), storage);
    return safe ? HeadFault{}
                : HeadFault{400, "the path holds an up segment, a backslash or a control character"};
}

bool is_valid_port(std::string_view port) {
    if (port.size() > 5 || !all(digit_char, port)) {
        return false;
    }
    unsigned number = 0;
    for (char c : port) {
        number = number * 10 + static_cast<unsigned>(c - '0');
    }
    return number <= 65'535;
}

bool is_ipv6_literal(std::string_view text) {
    const bool right_chars =
        std::ranges::all_of(text, [](char c) { return is(hex_char, c) || c == ':' || c == '.'; });
    return right_chars && text.size() <= 45 && std::ranges::count(text, ':') >= 2;
}

}  // namespace

HeadFault parse_request_line(std::string_view line, std::size_t target_bytes_max, RequestLine& out) {
    const std::size_t method_end = line.find(' ');
    const std::size_t target_end = method_end == line.npos ? line.npos : line.find(' ', method_end + 1);
    if (target_end == line.npos || target_end == method_end + 1) {
        return {400, "the request line is not method, target and version"};
    }
    out.method = line.substr(0, method_end);
    if (out.method.empty() || out.method.size() > kMethodBytesMax || !all(token_char, out.method)) {
        return {400, "the method is not a token of at most 32 bytes"};
    }
    if (const HeadFault fault = check_version(line.substr(target_end + 1), out.minor_version);
        fault.status != 0) {
        return fault;
    }
    out.target = line.substr(method_end + 1, target_end - method_end - 1);
    if (out.target.size() > target_bytes_max) {
        return {414, "the target is longer than the limit"};
    }
    if (const HeadFault fault = check_method(out.method); fault.status != 0) {
        return fault;
    }
    return check_target(out);
}

bool is_valid_authority(std::string_view authority) {
    if (authority.starts_with('[')) {
        const std::size_t bracket = authority.find(']');
        if (bracket == authority.npos || !is_ipv6_literal(authority.substr(1, bracket - 1))) {
            return false;
        }
        const std::string_view rest = authority.substr(bracket + 1);
        return rest.empty() || (rest.front() == ':' && is_valid_port(rest.substr(1)));
    }
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    const std::string_view host = authority.substr(0, colon);
    if (host.empty() || host.size() > kHostBytesMax || !all(host_char, host)) {
        return false;
    }
    return colon == authority.size() || is_valid_port(authority.substr(colon + 1));
}

}  // namespace warmlane::http
