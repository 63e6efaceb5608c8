#include "config/expand.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace warmlane::config {
namespace {

TEST_CASE("references to variables are replaced") {
    struct Row {
        std::string name;
        const char* text;
        const char* expected;
        std::vector<std::string> problems;
    };
    const Row rows[] = {
        {"plain text", "abc", "abc", {}},
        {"a reference", "${HOST}", "10.0.0.1", {}},
        {"inside text", "http://${HOST}:${PORT}/", "http://10.0.0.1:8000/", {}},
        {"two dollars are one", "a$$b", "a$b", {}},
        {"an escaped reference", "$${HOST}", "${HOST}", {}},
        {"a lone dollar stays", "cost: 5$", "cost: 5$", {}},
        {"a name without braces stays", "$HOST", "$HOST", {}},
        {"a value is not expanded again", "${NESTED}", "${HOST}", {}},
        {"an empty variable is set", "<${EMPTY}>", "<>", {}},
        {"not set", "${NO}-${HOST}", "-10.0.0.1", {"the environment variable 'NO' is not set"}},
        {"both are told",
         "${A}${B}",
         "",
         {"the environment variable 'A' is not set", "the environment variable 'B' is not set"}},
        {"never closed",
         "x${HOST",
         "x",
         {"'{HOST' is no reference to a variable: write ${NAME}, or $$ for a dollar sign"}},
        {"no name", "${}", "", {"'{}' is no reference to a variable: write ${NAME}, or $$ for a dollar sign"}
        },
        {"a name with a blank",
         "${A B}",
         "",
         {"'{A B}' is no reference to a variable: write ${NAME}, or $$ for a dollar sign"}},
    };
    const Environment environment = {
        {"HOST", "10.0.0.1"}, {"PORT", "8000"}, {"EMPTY", ""}, {"NESTED", "${HOST}"}
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::vector<std::string> problems;
        CHECK(expand(row.text, environment, problems) == row.expected);
        CHECK(problems == row.problems);
    }
}

TEST_CASE("expanding what was unexpanded gives the text again") {
    for (const std::string text : {"", "a", "$", "$$", "${HOST}", "a$b$$"}) {
        CAPTURE(text);
        std::vector<std::string> problems;
        CHECK(expand(unexpanded(text), {}, problems) == text);
        CHECK(problems.empty());
    }
}

}  // namespace
}  // namespace warmlane::config
