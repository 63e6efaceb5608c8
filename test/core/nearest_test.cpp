#include "warmlane/core/json_reader.hpp"

#include <doctest/doctest.h>

namespace warmlane {

TEST_CASE("nearest: a slip of the pen finds its word, another word finds nothing") {
    const std::vector<std::string> words = {
        "weight", "pluginRef", "queue-scorer", "kv-cache-utilization-scorer", "name", "type", "up"
    };
    struct Row {
        const char* name;
        std::string word;
        std::string found;
    };
    const Row rows[] = {
        {"neighbours swapped", "wieght", "weight"},
        {"one letter lost", "weigt", "weight"},
        {"one letter too many", "weightt", "weight"},
        {"wrong case", "pluginref", "pluginRef"},
        {"a longer word may have more slips", "kv-cache-utilisation-scorr", "kv-cache-utilization-scorer"},
        {"the word itself", "name", "name"},
        {"one edit in a short word", "tipe", "type"},
        {"two edits in a short word are another word", "tipp", ""},
        {"three edits in six letters are another word", "height!!", ""},
        {"unrelated", "tokenizer", ""},
        {"empty", "", ""},
        {"absurdly long", std::string(200, 'w'), ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(nearest(row.word, words).value_or("") == row.found);
    }
}

TEST_CASE("nearest: the nearest of several wins, the first of equals") {
    CHECK(nearest("decode", {"decoder", "decodes", "decode"}) == "decode");
    CHECK(nearest("decod", {"encode", "decode", "decoy"}) == "decode");
    CHECK(nearest("scorer-c", {"scorer-a", "scorer-b"}) == "scorer-a");
    CHECK_FALSE(nearest("weight", {}).has_value());
}

TEST_CASE("nearest: a word is never taken for one that shares no letter with it") {
    CHECK_FALSE(nearest("x", {"y"}).has_value());
}

TEST_CASE("did_you_mean: ends a message or adds nothing") {
    CHECK(did_you_mean("wieght", {"weight"}) == "; did you mean 'weight'?");
    CHECK(did_you_mean("colour", {"weight"}).empty());
}

TEST_CASE("quoted: what came from outside is bounded and has no control bytes") {
    CHECK(quoted("plain") == "'plain'");
    CHECK(quoted("") == "''");
    CHECK(quoted("a\nb\x7f") == "'a\\x0ab\\x7f'");
    CHECK(quoted(std::string(64, 'a')) == "'" + std::string(64, 'a') + "'");
    CHECK(quoted(std::string(65, 'a')) == "'" + std::string(64, 'a') + "...'");
    CHECK(quoted(std::string(63, 'a') + "\xc3\xa9") == "'" + std::string(63, 'a') + "...'");
}

}  // namespace warmlane
