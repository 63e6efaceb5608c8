#include "config/endpoint_url.hpp"

#include "warmlane/core/json_reader.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace warmlane::config {
namespace {

namespace urls = boost::urls;

constexpr std::size_t kUrlBytesMax = 2048;
constexpr std::size_t kHostBytesMax = 253;
constexpr std::size_t kLabelBytesMax = 63;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_host_char(char c) {
    const char l = lower(c);
    return (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9') || l == '-' || l == '_';
}

/// A name as resolvers take it: labels of letters, digits, `-` and `_`, joined by dots.
bool is_host_name(std::string_view name) {
    if (name.empty() || name.size() > kHostBytesMax) {
        return false;
    }
    while (true) {
        const std::string_view label = name.substr(0, name.find('.'));
        const bool good = !label.empty() && label.size() <= kLabelBytesMax &&
                          std::all_of(label.begin(), label.end(), is_host_char);
        if (!good) {
            return false;
        }
        if (label.size() == name.size()) {
            return true;
        }
        name.remove_prefix(label.size() + 1);
    }
}

/// Letters after the last dot, or no dot at all: `10.0.0.300` is a slip of the pen, not a name.
bool ends_like_a_name(std::string_view name) {
    const std::string_view last = name.substr(name.rfind('.') + 1);
    return last.find_first_not_of("0123456789") != std::string_view::npos;
}

std::optional<std::string> host_of(const urls::url_view& url) {
    switch (url.host_type()) {
        case urls::host_type::ipv4: return url.host_ipv4_address().to_string();
        case urls::host_type::ipv6: return url.host_ipv6_address().to_string();
        case urls::host_type::name: break;
        default: return std::nullopt;
    }
    std::string host(url.encoded_host());
    if (!is_host_name(host) || !ends_like_a_name(host)) {
        return std::nullopt;
    }
    std::transform(host.begin(), host.end(), host.begin(), lower);
    return host;
}

/// Absent when it is not one; 80 when the URL has none.
std::optional<std::uint16_t> port_of(const urls::url_view& url) {
    if (!url.has_port()) {
        return 80;
    }
    const std::string_view text(url.port());
    std::uint16_t port = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool good = ec == std::errc{} && end == text.data() + text.size() && port != 0;
    return good ? std::optional(port) : std::nullopt;
}

/// What stands in the way of using the URL, apart from host and port; empty when nothing does.
std::string fault_of(std::string_view text, const urls::url_view& url) {
    if (url.has_userinfo()) {
        return "a URL of an endpoint holds no user name or password";
    }
    if (url.has_query() || url.has_fragment()) {
        return fmt::format("a URL of an endpoint ends with its path, got {}", quoted(text));
    }
    return {};
}

bool has_scheme(std::string_view text) {
    return text.find("://") != std::string_view::npos;
}

}  // namespace

std::variant<EndpointUrl, std::string> parse_endpoint_url(std::string_view text) {
    if (text.size() > kUrlBytesMax) {
        return fmt::format("longer than {} bytes", kUrlBytesMax);
    }
    if (!text.empty() && !has_scheme(text)) {
        return fmt::format("the scheme is missing: write {}", quoted(fmt::format("http://{}", text)));
    }
    const auto parsed = urls::parse_uri(text);
    // `http://h:80a` is read as port 80 and path `a`.
    const bool whole = parsed && (parsed->encoded_path().empty() || parsed->encoded_path().starts_with('/'));
    if (!whole) {
        return fmt::format("expected a URL like http://10.0.0.1:8000, got {}", quoted(text));
    }
    const urls::url_view& url = *parsed;
    if (url.scheme_id() == urls::scheme::https) {
        return std::string("https to endpoints is not spoken; use http");
    }
    if (url.scheme_id() != urls::scheme::http) {
        return fmt::format("expected a URL with the scheme http, got {}", quoted(text));
    }
    if (std::string fault = fault_of(text, url); !fault.empty()) {
        return fault;
    }
    const std::optional<std::string> host = host_of(url);
    if (!host) {
        return fmt::format(
            "{} is no host name and no IP address", quoted(std::string_view(url.encoded_host()))
        );
    }
    const std::optional<std::uint16_t> port = port_of(url);
    if (!port) {
        return fmt::format("bad port {}: must be between 1 and 65535", quoted(std::string_view(url.port())));
    }
    std::string_view path(url.encoded_path());
    while (path.ends_with('/')) {
        path.remove_suffix(1);
    }
    return EndpointUrl{*host, *port, std::string(path)};
}

std::string default_name(const EndpointUrl& url) {
    const bool literal_v6 = url.host.find(':') != std::string::npos;
    const std::string host = literal_v6 ? fmt::format("[{}]", url.host) : url.host;
    return fmt::format("{}:{}{}", host, url.port, url.path);
}

std::string url_of(const EndpointSpec& spec) {
    return fmt::format("{}://{}", spec.scheme, default_name({spec.host, spec.port, spec.base_path}));
}

}  // namespace warmlane::config
