#pragma once

#include "support/fleet.hpp"
#include "support/requests.hpp"
#include "support/scheduling_json.hpp"

#include "warmlane/plugins/builtin.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::test {

/// What the plugin type complains about when it reads `parameters`.
inline std::string complaint(std::string_view type, std::string_view parameters) {
    const routing::PluginType* row = plugins::builtin_plugins().find(type);
    REQUIRE(row != nullptr);
    const bool runnable = row->make != nullptr;
    REQUIRE(runnable);
    std::vector<ReadError> errors;
    const boost::json::value value = boost::json::parse(parameters);
    JsonReader reader(value, "parameters", errors);
    CHECK(row->make(reader) != nullptr);
    reader.finish();
    return joined(errors);
}

/// A plugin of the shipped table in one of its roles.
template <class Role>
std::shared_ptr<Role> make_plugin(std::string_view type, std::string_view parameters = "{}") {
    const routing::PluginType* row = plugins::builtin_plugins().find(type);
    REQUIRE(row != nullptr);
    std::vector<ReadError> errors;
    const boost::json::value value = boost::json::parse(parameters);
    JsonReader reader(value, "parameters", errors);
    const std::shared_ptr<routing::Plugin> plugin = row->make(reader);
    reader.finish();
    REQUIRE(joined(errors) == "");
    auto role = std::dynamic_pointer_cast<Role>(plugin);
    REQUIRE(role != nullptr);
    return role;
}

/// The scores that the plugin type gives to the candidates.
inline std::vector<double> scores_of(
    std::string_view type,
    const std::vector<routing::Candidate>& candidates,
    std::string_view parameters = "{}"
) {
    std::vector<double> scores(candidates.size(), -1);
    make_plugin<routing::Scorer>(type, parameters)->score(InferenceRequest(), candidates, scores);
    return scores;
}

/// Every score is the expected one up to rounding.
inline void check_scores(const std::vector<double>& scores, const std::vector<double>& expected) {
    REQUIRE(scores.size() == expected.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        CAPTURE(i);
        CHECK(scores[i] == doctest::Approx(expected[i]).epsilon(1e-9));
    }
}

/// The shipped scheduler for a configuration in JSON.
inline std::unique_ptr<routing::Scheduler> make_scheduler(std::string_view config, std::uint64_t seed = 1) {
    std::vector<ReadError> errors;
    auto scheduler =
        routing::Scheduler::build(scheduling_config(config), plugins::builtin_plugins(), seed, errors);
    REQUIRE(joined(errors) == "");
    REQUIRE(scheduler != nullptr);
    return scheduler;
}

/// How often each candidate stands first when the picker type is asked many times about the same totals.
inline std::vector<double> shares_of(
    std::string_view type, const std::vector<double>& totals, std::string_view parameters = "{}"
) {
    constexpr int kDraws = 10'000;
    const auto picker = make_plugin<routing::Picker>(type, parameters);
    routing::RandomEngine random(7);
    std::vector<double> shares(totals.size(), 0.0);
    for (int draw = 0; draw < kDraws; ++draw) {
        std::vector<routing::ScoredCandidate> candidates;
        candidates.reserve(totals.size());
        for (std::size_t i = 0; i < totals.size(); ++i) {
            candidates.push_back({i, totals[i]});
        }
        picker->pick(candidates, random);
        REQUIRE(candidates.size() == 1);
        shares[candidates.front().index] += 1.0 / kDraws;
    }
    return shares;
}

}  // namespace warmlane::test
