#include "warmlane/http/header_rules.hpp"

#include "http/chars.hpp"
#include "http/head_lines.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

namespace warmlane::http {

namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::any_of(names, [name](std::string_view known) {
        return equals_ignoring_case(known, name);
    });
}

template <std::size_t N>
bool begins_with_one_of(const std::array<std::string_view, N>& prefixes, std::string_view name) {
    return std::ranges::any_of(prefixes, [name](std::string_view prefix) {
        return has_prefix_ignoring_case(name, prefix);
    });
}

/// RFC 9110, 7.6.1, and the fields that were hop-by-hop before it; framing is among them.
constexpr std::array<std::string_view, 11> kHopByHop = {
    "connection",
    "content-length",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
};

/// What a request gets anew, or must not bring in from outside.
constexpr std::array<std::string_view, 9> kNotFromClients = {
    "expect",
    "forwarded",
    "host",
    "x-data-parallel-host-port",
    "x-encoder-hosts-ports",
    "x-kv-cache-source-host-port",
    "x-prefiller-host-port",
    "x-real-ip",
    "x-request-id",
};

constexpr std::array<std::string_view, 3> kPrefixesNotFromClients = {
    "x-forwarded-",
    "x-gateway-destination-endpoint",
    "x-warmlane-",
};

/// The field names in the Connection fields of one head; the parsers hold their number under the limit.
class ConnectionNames {
public:
    explicit ConnectionNames(const std::vector<Field>& fields) {
        for (const Field& field : fields) {
            if (equals_ignoring_case(field.name, "connection")) {
                for_each_element(field.value, [this](std::string_view name) { add(name); });
            }
        }
    }

    bool contains(std::string_view name) const {
        return std::any_of(names_.begin(), names_.begin() + count_, [name](std::string_view named) {
            return equals_ignoring_case(named, name);
        });
    }

private:
    void add(std::string_view name) {
        if (count_ < static_cast<std::ptrdiff_t>(names_.size())) {
            names_[static_cast<std::size_t>(count_++)] = name;
        }
    }

    std::array<std::string_view, kConnectionOptionsMax> names_;
    std::ptrdiff_t count_ = 0;
};

bool comes_from_client(std::string_view name) {
    return !is_one_of(kHopByHop, name) && !is_one_of(kNotFromClients, name) &&
           !begins_with_one_of(kPrefixesNotFromClients, name) && name.find('_') == name.npos;
}

bool comes_from_endpoint(std::string_view name) {
    return !is_one_of(kHopByHop, name) && !has_prefix_ignoring_case(name, "x-warmlane-");
}

void add_via(HeadBuilder& out, unsigned minor_version) {
    static const std::string kVia10 = "1.0 " + std::string{via_name()};
    static const std::string kVia11 = "1.1 " + std::string{via_name()};
    out.add("Via", minor_version == 0 ? kVia10 : kVia11);
}

/// A request without content says so where content is expected (RFC 9110, 8.6).
bool needs_length(const RequestHead& client, std::uint64_t body_bytes) {
    return body_bytes > 0 || client.body.kind != BodyKind::none || client.method == "POST" ||
           client.method == "PUT" || client.method == "PATCH";
}

/// `received-protocol received-by [comment]`, as in `1.1 warmlane-1a2b3c4d`.
std::string_view received_by(std::string_view via) {
    const std::size_t protocol_end = via.find_first_of(" \t");
    if (protocol_end == via.npos) {
        return {};
    }
    const std::string_view rest = trim(via.substr(protocol_end));
    return rest.substr(0, rest.find_first_of(" \t"));
}

}  // namespace

std::string_view via_name() {
    static const std::string kName = [] {
        constexpr std::string_view kHex = "0123456789abcdef";
        std::string name = "warmlane-";
        std::random_device device;
        for (unsigned bits = device(), i = 0; i < 8; ++i, bits >>= 4) {
            name += kHex[bits & 15];
        }
        return name;
    }();
    return kName;
}

void write_forwarded_request(std::string& out, const RequestHead& client, const ForwardedRequest& forwarded) {
    HeadBuilder head{out};
    head.request_line(client.method, client.target, forwarded.base_path);
    head.add("Host", forwarded.authority);
    const ConnectionNames hop_by_hop{client.fields};
    for (const Field& field : client.fields) {
        if (comes_from_client(field.name) && !hop_by_hop.contains(field.name)) {
            head.add(field.name, field.value);
        }
    }
    add_via(head, client.minor_version);
    head.add("X-Forwarded-For", forwarded.client_address);
    head.add("X-Forwarded-Proto", forwarded.client_scheme);
    if (const std::string_view host = client.value_of("host"); !host.empty()) {
        head.add("X-Forwarded-Host", host);
    }
    head.add("X-Request-Id", forwarded.request_id);
    if (needs_length(client, forwarded.body_bytes)) {
        head.add("Content-Length", forwarded.body_bytes);
    }
    head.finish();
}

bool is_looping(const RequestHead& client) {
    bool found = false;
    for (const Field& field : client.fields) {
        if (equals_ignoring_case(field.name, "via")) {
            for_each_element(field.value, [&found](std::string_view via) {
                found = found || equals_ignoring_case(received_by(via), via_name());
            });
        }
    }
    return found;
}

void add_forwarded_fields(HeadBuilder& out, const ResponseHead& upstream) {
    const ConnectionNames hop_by_hop{upstream.fields};
    bool has_date = false;
    for (const Field& field : upstream.fields) {
        if (comes_from_endpoint(field.name) && !hop_by_hop.contains(field.name)) {
            out.add(field.name, field.value);
            has_date = has_date || equals_ignoring_case(field.name, "date");
        }
    }
    if (!has_date) {
        out.add("Date", http_date());
    }
    add_via(out, upstream.minor_version);
    const bool describes_body =
        upstream.body.kind == BodyKind::none && upstream.status >= 200 && upstream.status != 204;
    if (const std::string_view length = upstream.value_of("content-length");
        describes_body && !length.empty()) {
        out.add("Content-Length", length);
    }
}

}  // namespace warmlane::http
