#include "warmlane/plugins/builtin.hpp"

#include "plugins/known_elsewhere.hpp"
#include "plugins/make_plugin.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace warmlane::plugins {
namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(std::string(WARMLANE_SOURCE_DIR) + "/" + path);
    REQUIRE(file.good());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool alphabetical(std::span<const routing::PluginType> types) {
    return std::is_sorted(types.begin(), types.end(), [](const auto& a, const auto& b) {
        return a.type < b.type;
    });
}

}  // namespace

TEST_CASE("builtin: no type is listed twice, and both tables are alphabetical") {
    const std::span<const routing::PluginType> all = builtin_plugins().types();
    std::set<std::string_view> names;
    for (const routing::PluginType& type : all) {
        CAPTURE(type.type);
        CHECK(names.insert(type.type).second);
        CHECK_FALSE(type.note.empty());
    }
    CHECK(alphabetical(all.first(all.size() - known_elsewhere().size())));
    CHECK(alphabetical(known_elsewhere()));
}

TEST_CASE("builtin: every type that is run here is made without parameters and has a section in the docs") {
    const std::string docs = text_of("docs/plugins.md");
    std::size_t runnable = 0;
    for (const routing::PluginType& type : builtin_plugins().types()) {
        if (type.make != nullptr) {
            CAPTURE(type.type);
            ++runnable;
            CHECK(test::complaint(type.type, "{}") == "");
            CHECK(docs.find("\n## " + std::string(type.type) + "\n") != std::string::npos);
        }
    }
    CHECK(runnable == builtin_plugins().types().size() - known_elsewhere().size());
}

TEST_CASE("builtin: a type of llm-d-router that is not run here is refused with a sentence") {
    struct Row {
        std::string type;
        std::string error;
    };
    const Row rows[] = {
        {"decode-filter", "prefill, decode and encode are not split over endpoints."},
        {"metrics-data-source", "endpoints are scraped without it; remove the entry."},
        {"precise-prefix-cache-scorer",
         "KV cache events of engines are not read; use approx-prefix-cache-producer with prefix-cache-scorer."
        },
    };
    for (const Row& row : rows) {
        CAPTURE(row.type);
        std::vector<ReadError> errors;
        const auto config = test::scheduling_config(R"({"plugins": [{"type": ")" + row.type + R"("}]})");
        CHECK(routing::Scheduler::build(config, builtin_plugins(), 1, errors) == nullptr);
        CHECK(
            test::joined(errors) ==
            "plugins[0].type: plugin type '" + row.type + "' is not run here: " + row.error
        );
    }
    for (const routing::PluginType& type : known_elsewhere()) {
        CAPTURE(type.type);
        const bool runnable = type.make != nullptr;
        CHECK_FALSE(runnable);
        CHECK(type.note.back() == '.');
    }
}

TEST_CASE("builtin: the default configuration is completed with a producer, a picker and a handler") {
    std::vector<ReadError> errors;
    const auto scheduler =
        routing::Scheduler::build(routing::SchedulingConfig::default_config(), builtin_plugins(), 1, errors);
    REQUIRE(test::joined(errors) == "");
    CHECK(
        scheduler->describe() ==
        std::vector<std::string>{
            "default: queue-scorer 2, kv-cache-utilization-scorer 2, prefix-cache-scorer 3, max-score-picker"
        }
    );
    InferenceRequest request = test::make_request(std::string(600, 'a'));
    scheduler->prepare(request);
    REQUIRE(request.block_hashes.size() == 1);
    CHECK(request.block_hashes[0].size() == 3);
}

TEST_CASE("builtin: the guide to writing a plugin quotes a real one") {
    const std::string guide = text_of("docs/writing-a-plugin.md");
    CHECK(guide.find(text_of("src/plugins/kv_cache_utilization_scorer.cpp")) != std::string::npos);
}

}  // namespace warmlane::plugins
