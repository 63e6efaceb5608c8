#include "config/endpoint_url.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::config {
namespace {

TEST_CASE("the URL of an endpoint is taken apart and spelled in one way") {
    struct Row {
        std::string name;
        const char* text;
        EndpointUrl expected;
        const char* default_name;
    };
    const Row rows[] = {
        {"an IPv4 literal", "http://10.0.0.1:8000", {"10.0.0.1", 8000, ""}, "10.0.0.1:8000"},
        {"no port means 80", "http://gpu-1", {"gpu-1", 80, ""}, "gpu-1:80"},
        {"a trailing slash is nothing", "http://gpu-1:8000/", {"gpu-1", 8000, ""}, "gpu-1:8000"},
        {"a name in lower case",
         "HTTP://GPU-1.Example.COM:1",
         {"gpu-1.example.com", 1, ""},
         "gpu-1.example.com:1"},
        {"an IPv6 literal", "http://[FD00:0::2]:8000", {"fd00::2", 8000, ""}, "[fd00::2]:8000"},
        {"a base path", "http://h:8000/engines/a/", {"h", 8000, "/engines/a"}, "h:8000/engines/a"},
        {"the last port", "http://h:65535", {"h", 65535, ""}, "h:65535"},
        {"an underscore, as in compose files", "http://vllm_1:8000", {"vllm_1", 8000, ""}, "vllm_1:8000"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const auto parsed = parse_endpoint_url(row.text);
        REQUIRE(std::holds_alternative<EndpointUrl>(parsed));
        CHECK(std::get<EndpointUrl>(parsed) == row.expected);
        CHECK(default_name(row.expected) == row.default_name);
    }
}

TEST_CASE("a URL that cannot be one of an endpoint is refused with the reason") {
    struct Row {
        std::string name;
        std::string text;
        const char* message;
    };
    const Row rows[] = {
        {"nothing", "", "expected a URL like http://10.0.0.1:8000, got ''"},
        {"no scheme", "10.0.0.1:8000", "the scheme is missing: write 'http://10.0.0.1:8000'"},
        {"a name without scheme", "localhost:8000", "the scheme is missing: write 'http://localhost:8000'"},
        {"https", "https://h:8000", "https to endpoints is not spoken; use http"},
        {"another scheme", "grpc://h:8000", "expected a URL with the scheme http, got 'grpc://h:8000'"},
        {"a user", "http://u:p@h:8000", "a URL of an endpoint holds no user name or password"},
        {"a query", "http://h:8000/?a=b", "a URL of an endpoint ends with its path, got 'http://h:8000/?a=b'"
        },
        {"port 0", "http://h:0", "bad port '0': must be between 1 and 65535"},
        {"a port too large", "http://127.0.0.1:70000", "bad port '70000': must be between 1 and 65535"},
        {"an empty port", "http://h:", "bad port '': must be between 1 and 65535"},
        {"a port of letters", "http://h:80a", "expected a URL like http://10.0.0.1:8000, got 'http://h:80a'"},
        {"no host", "http://:8000", "'' is no host name and no IP address"},
        {"bare IPv6", "http://::1:8000", "expected a URL like http://10.0.0.1:8000, got 'http://::1:8000'"},
        {"an octet too large", "http://10.0.0.300:8000", "'10.0.0.300' is no host name and no IP address"},
        {"an empty label", "http://a..b", "'a..b' is no host name and no IP address"},
        {"an escape in the host", "http://a%20b", "'a%20b' is no host name and no IP address"},
        {"a blank", "http://a b", "expected a URL like http://10.0.0.1:8000, got 'http://a b'"},
        {"too long", "http://" + std::string(3000, 'a'), "longer than 2048 bytes"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const auto parsed = parse_endpoint_url(row.text);
        REQUIRE(std::holds_alternative<std::string>(parsed));
        CHECK(std::get<std::string>(parsed) == row.message);
    }
}

}  // namespace
}  // namespace warmlane::config
