#include "warmlane/http/path.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;

TEST_CASE("normal path: what an endpoint may come to read") {
    struct Row {
        const char* name;
        std::string path;
        std::optional<std::string> normal;
    };
    const Row rows[] = {
        {"plain", "/v1/models", "/v1/models"},
        {"root", "/", "/"},
        {"asterisk", "*", "*"},
        {"dots inside a name", "/a.b/c..", "/a.b/c.."},
        {"slash at the end", "/v1/", "/v1/"},
        {"escaped letter", "/%73leep", "/sleep"},
        {"escaped slash", "/v1%2fmodels", "/v1/models"},
        {"escaped slash at the end", "/v1%2F", "/v1/"},
        {"escaped percent is decoded once", "/%2573leep", "/%73leep"},
        {"percent that is no escape", "/100%/a%z1%4", "/100%/a%z1%4"},
        {"empty segments", "//v1///models", "/v1/models"},
        {"dot segments", "/./v1/./models/.", "/v1/models"},
        {"escaped dot segment", "/%2e/sleep", "/sleep"},
        {"nothing but slashes", "///", "/"},
        {"name that begins with dots", "/...", "/..."},
        {"bytes above 127", "/caf%c3%a9", "/caf\xc3\xa9"},
        {"up", "/a/../b", std::nullopt},
        {"up at the end", "/a/..", std::nullopt},
        {"up, escaped", "/a/.%2E/b", std::nullopt},
        {"up behind an escaped slash", "/a%2f../b", std::nullopt},
        {"backslash", "/a\\b", std::nullopt},
        {"escaped backslash", "/a%5Cb", std::nullopt},
        {"NUL", "/a%00", std::nullopt},
        {"line feed", "/a%0a", std::nullopt},
        {"carriage return", "/a%0D", std::nullopt},
        {"plain control character", "/a\tb", std::nullopt},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::string storage = "left over";
        const auto normal = normal_path(row.path, storage);
        CHECK(normal.has_value() == row.normal.has_value());
        CHECK(normal.value_or("") == row.normal.value_or(""));
    }
}

TEST_CASE("normal path: a path that is normal comes back without a copy") {
    const std::string path = "/v1/chat/completions";
    std::string storage;
    const auto normal = normal_path(path, storage);
    CHECK(normal.value_or("") == path);
    CHECK(normal.value_or("").data() == path.data());
}

}  // namespace
}  // namespace warmlane::http
