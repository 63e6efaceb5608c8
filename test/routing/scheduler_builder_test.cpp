#include "routing/fake_plugins.hpp"
#include "support/scheduling_json.hpp"

#include "warmlane/routing/scheduler.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace warmlane::routing {
namespace {

struct Built {
    std::vector<std::string> profiles;
    std::string errors;
};

Built build(const SchedulingConfig& config, const PluginRegistry& registry = test::fake_registry()) {
    std::vector<ReadError> errors;
    const auto scheduler = Scheduler::build(config, registry, 1, errors);
    CHECK((scheduler == nullptr) == !errors.empty());
    return {scheduler ? scheduler->describe() : std::vector<std::string>(), test::joined(errors)};
}

}  // namespace

TEST_CASE("scheduler_builder: what is left out is completed") {
    struct Row {
        const char* name;
        const char* config;
        std::vector<std::string> profiles;
    };
    const Row rows[] = {
        {"nothing at all", R"({})", {"default: max-score-picker"}},
        {"no profiles: everything in order of declaration, weight 1",
         R"({"plugins": [{"type": "prefix-scorer"}, {"type": "filter"}, {"type": "scorer"}]})",
         {"default: filter, prefix-scorer 1, scorer 1, max-score-picker"}},
        {"no profiles: the declared picker",
         R"({"plugins": [{"type": "other-picker"}, {"type": "scorer"}]})",
         {"default: scorer 1, other-picker"}},
        {"a name of its own",
         R"({"plugins": [{"name": "mine", "type": "scorer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "mine"}]}]})",
         {"p: mine 1, max-score-picker"}},
        {"the only declared picker serves a profile without one",
         R"({"plugins": [{"type": "other-picker"}, {"type": "scorer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "scorer", "weight": 3}]}]})",
         {"p: scorer 3, other-picker"}},
        {"two declared pickers serve no profile that names none",
         R"({"plugins": [{"type": "other-picker"}, {"name": "third", "type": "other-picker"}],
             "schedulingProfiles": [{"name": "p", "plugins": []}]})",
         {"p: max-score-picker"}},
        {"the picker may stand before the scorers, and weights may be left out",
         R"({"plugins": [{"type": "max-score-picker"}, {"type": "scorer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "max-score-picker"},
                                                              {"pluginRef": "scorer"}]}]})",
         {"p: scorer 1, max-score-picker"}},
        {"weights are numbers, 0 among them",
         R"({"plugins": [{"type": "scorer"}, {"type": "prefix-scorer"}, {"name": "s", "type": "scorer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "scorer", "weight": 2.0},
                 {"pluginRef": "prefix-scorer", "weight": 0.5}, {"pluginRef": "s", "weight": 0}]}]})",
         {"p: scorer 2, prefix-scorer 0.5, s 0, max-score-picker"}},
        {"producers and handlers may be listed in a profile",
         R"({"plugins": [{"type": "single-profile-handler"}, {"type": "approx-prefix-cache-producer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "single-profile-handler"},
                 {"pluginRef": "approx-prefix-cache-producer"}]}]})",
         {"p: max-score-picker"}},
        {"two profiles with a handler that can choose",
         R"({"plugins": [{"type": "two-profile-handler"}],
             "schedulingProfiles": [{"name": "p", "plugins": []}, {"name": "q", "plugins": []}]})",
         {"p: max-score-picker", "q: max-score-picker"}},
        {"a prefix producer by its name",
         R"({"plugins": [{"name": "mine", "type": "approx-prefix-cache-producer"},
                         {"type": "prefix-scorer", "parameters": {"producer": "mine"}}]})",
         {"default: prefix-scorer 1, max-score-picker"}},
        {"the completed prefix producer by its name",
         R"({"plugins": [{"type": "prefix-scorer", "parameters": {"producer": "approx-prefix-cache-producer"}}]})",
         {"default: prefix-scorer 1, max-score-picker"}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Built built = build(test::scheduling_config(row.config));
        CHECK(built.errors == "");
        CHECK(built.profiles == row.profiles);
    }
}

TEST_CASE("scheduler_builder: a prefix producer is created exactly when a scorer needs one and none is there"
) {
    struct Row {
        const char* name;
        const char* config;
        std::size_t bytes;
    };
    // Each fake producer says that its index takes 100 bytes.
    const Row rows[] = {
        {"nobody needs one", R"({"plugins": [{"type": "scorer"}]})", 0},
        {"a scorer needs one", R"({"plugins": [{"type": "prefix-scorer"}]})", 100},
        {"two scorers share one",
         R"({"plugins": [{"type": "prefix-scorer"}, {"name": "s", "type": "prefix-scorer"}]})",
         100},
        {"another kind of producer gives no matches",
         R"({"plugins": [{"type": "other-producer"}, {"type": "prefix-scorer"}]})",
         200},
        {"one is declared",
         R"({"plugins": [{"type": "prefix-scorer"}, {"type": "approx-prefix-cache-producer"}]})",
         100},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::vector<ReadError> errors;
        const auto scheduler =
            Scheduler::build(test::scheduling_config(row.config), test::fake_registry(), 1, errors);
        REQUIRE(scheduler != nullptr);
        CHECK(scheduler->index_bytes() == row.bytes);
    }
}

TEST_CASE("scheduler_builder: errors of plugins name their place and the nearest known word") {
    struct Row {
        const char* name;
        const char* config;
        std::string errors;
    };
    const Row rows[] = {
        {"plugin without a type",
         R"({"plugins": [{"name": "x"}]})",
         "plugins[0].type: every plugin needs a type"},
        {"unknown type",
         R"({"plugins": [{"type": "scorre"}]})",
         "plugins[0].type: unknown plugin type 'scorre'; did you mean 'scorer'?"},
        {"nothing near",
         R"({"plugins": [{"type": "banana-split"}]})",
         "plugins[0].type: unknown plugin type 'banana-split'"},
        {"known elsewhere",
         R"({"plugins": [{"type": "elsewhere-filter"}]})",
         "plugins[0].type: plugin type 'elsewhere-filter' is not run here: it needs the moon."},
        {"unknown parameter",
         R"({"plugins": [{"type": "filter", "parameters": {"dorp": []}}]})",
         "plugins[0].parameters.dorp: unknown key 'dorp'; did you mean 'drop'?"},
        {"parameters of a wrong type",
         R"({"plugins": [{"type": "filter", "parameters": [1]}]})",
         "plugins[0].parameters: expected an object, got a list"},
        {"one name twice",
         R"({"plugins": [{"type": "scorer"}, {"name": "scorer", "type": "filter"}]})",
         "plugins[1].name: the name 'scorer' is taken by plugins[0]"},
        {"two prefix producers",
         R"({"plugins": [{"type": "approx-prefix-cache-producer"},
                         {"name": "second", "type": "approx-prefix-cache-producer"}]})",
         "plugins[1]: a second producer of prefix matches; 'approx-prefix-cache-producer' gives them already"
        },
        {"a prefix producer that nobody declared",
         R"({"plugins": [{"type": "prefix-scorer", "parameters": {"producer": "mine"}}]})",
         "plugins[0].parameters: no producer of prefix matches 'mine' is declared"},
        {"a prefix producer of another kind",
         R"({"plugins": [{"type": "prefix-scorer", "parameters": {"producer": "other-producer"}},
                         {"type": "other-producer"}]})",
         "plugins[0].parameters: no producer of prefix matches 'other-producer' is declared"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(build(test::scheduling_config(row.config)).errors == row.errors);
    }
}

TEST_CASE("scheduler_builder: errors of profiles name their place and the nearest known word") {
    struct Row {
        const char* name;
        const char* config;
        std::string errors;
    };
    const Row rows[] = {
        {"profile without a name",
         R"({"schedulingProfiles": [{"plugins": []}]})",
         "schedulingProfiles[0].name: every profile needs a name"},
        {"one profile name twice",
         R"({"plugins": [{"type": "two-profile-handler"}],
             "schedulingProfiles": [{"name": "p", "plugins": []}, {"name": "p", "plugins": []}]})",
         "schedulingProfiles[1].name: the name 'p' is taken by schedulingProfiles[0]"},
        {"entry without pluginRef",
         R"({"plugins": [{"type": "scorer"}], "schedulingProfiles": [{"name": "p", "plugins": [{"weight": 1}]}]})",
         "schedulingProfiles[0].plugins[0].pluginRef: every entry names a plugin"},
        {"pluginRef to nothing",
         R"({"plugins": [{"type": "scorer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "scorer"}, {"pluginRef": "scoerr"}]}]})",
         "schedulingProfiles[0].plugins[1].pluginRef: no plugin 'scoerr' is declared; did you mean 'scorer'?"
        },
        {"two pickers in one profile",
         R"({"plugins": [{"type": "max-score-picker"}, {"type": "other-picker"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "max-score-picker"},
                                                              {"pluginRef": "other-picker"}]}]})",
         "schedulingProfiles[0].plugins[1]: a second picker; the profile has 'max-score-picker' already"},
        {"two pickers and no profile",
         R"({"plugins": [{"type": "max-score-picker"}, {"type": "other-picker"}]})",
         "plugins[1]: a second picker; the profile has 'max-score-picker' already"},
        {"two profile handlers",
         R"({"plugins": [{"type": "single-profile-handler"}, {"type": "two-profile-handler"}]})",
         "plugins[1]: a second profile handler; 'single-profile-handler' is declared already"},
        {"two profiles and no handler",
         R"({"schedulingProfiles": [{"name": "p", "plugins": []}, {"name": "q", "plugins": []}]})",
         "schedulingProfiles: two or more profiles need a profile handler, and none is declared"},
        {"two profiles and a handler for one",
         R"({"plugins": [{"type": "single-profile-handler"}],
             "schedulingProfiles": [{"name": "p", "plugins": []}, {"name": "q", "plugins": []}]})",
         "plugins[0]: 'single-profile-handler' serves at most 1 profile(s), and 2 are declared"},
        {"two profiles and a handler that is not run here",
         R"({"plugins": [{"type": "elsewhere-filter"}],
             "schedulingProfiles": [{"name": "p", "plugins": []}, {"name": "q", "plugins": []}]})",
         "plugins[0].type: plugin type 'elsewhere-filter' is not run here: it needs the moon."},
        {"a weight for a picker",
         R"({"plugins": [{"type": "max-score-picker"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "max-score-picker", "weight": 1}]}]})",
         "schedulingProfiles[0].plugins[0].weight: only a scorer has a weight, and 'max-score-picker' is none"
        },
        {"a negative weight",
         R"({"plugins": [{"type": "scorer"}],
             "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "scorer", "weight": -0.5}]}]})",
         "schedulingProfiles[0].plugins[0].weight: bad weight -0.5: must be a finite number, 0 or more"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(build(test::scheduling_config(row.config)).errors == row.errors);
    }
}

TEST_CASE("scheduler_builder: all errors come at once, and none that only follows from another") {
    const SchedulingConfig config = test::scheduling_config(R"({
        "plugins": [{"type": "quue"}, {"type": "elsewhere-filter"}, {"type": "filter", "parameters": {"drop": 1}},
                    {"type": "prefix-scorer", "parameters": {"producer": "elsewhere-filter"}}],
        "schedulingProfiles": [
            {"name": "", "plugins": [{"pluginRef": "quue", "weight": 2}, {"pluginRef": "elsewhere-filter"}]},
            {"name": "q", "plugins": [{"pluginRef": ""}, {"pluginRef": "filter", "weight": -1}]}
        ]})");
    CHECK(
        build(config).errors ==
        "plugins[0].type: unknown plugin type 'quue'"
        " | plugins[1].type: plugin type 'elsewhere-filter' is not run here: it needs the moon."
        " | plugins[2].parameters.drop: expected a list, got a number"
        " | schedulingProfiles[0].name: every profile needs a name"
        " | schedulingProfiles[1].plugins[0].pluginRef: every entry names a plugin"
        " | schedulingProfiles[1].plugins[1].weight: bad weight -1: must be a finite number, 0 or more"
    );
}

TEST_CASE("scheduler_builder: a weight that is no number is refused") {
    SchedulingConfig config = test::scheduling_config(
        R"({"plugins": [{"type": "scorer"}], "schedulingProfiles": [{"name": "p", "plugins": [{"pluginRef": "scorer"}]}]})"
    );
    for (const double weight :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        config.profiles[0].plugins[0].weight = weight;
        CHECK(build(config).errors.find("bad weight") != std::string::npos);
    }
}

TEST_CASE("scheduler_builder: errors found before stay, and do not make the build fail") {
    std::vector<ReadError> errors = {{"listen", "is odd"}};
    CHECK(Scheduler::build({}, test::fake_registry(), 1, errors) != nullptr);
    CHECK(test::joined(errors) == "listen: is odd");
}

TEST_CASE("scheduler_builder: a registry without the types that complete a configuration is an error") {
    CHECK(
        build({}, PluginRegistry({})).errors ==
        "type: unknown plugin type 'max-score-picker' | type: unknown plugin type 'single-profile-handler'"
    );
}

}  // namespace warmlane::routing
