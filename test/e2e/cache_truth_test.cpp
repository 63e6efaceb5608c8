#include "e2e/support/gateway.hpp"
#include "e2e/support/raw_client.hpp"

#include "warmlane/app/demo_fleet.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warmlane::test {
namespace {

namespace json = boost::json;

constexpr int kConversations = 100;
constexpr int kTurns = 11;
/// Tokens of one block of 256 bytes, at four bytes a token.
constexpr double kBlockTokens = 64;

/// Words of unequal length that no other conversation uses in this order.
std::string sentence(int conversation, int turn, int words) {
    std::string text = fmt::format("Conversation {} says in turn {}:", conversation, turn);
    std::uint64_t state =
        static_cast<std::uint64_t>(conversation) * 1'000 + static_cast<std::uint64_t>(turn) + 1;
    for (int i = 0; i < words; ++i) {
        state = state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
        text += ' ';
        text.append(2 + (state >> 60), static_cast<char>('a' + (state >> 33) % 26));
    }
    return text;
}

/// What one answer added to the counts of its endpoint.
struct Turn {
    std::string endpoint;
    double predicted = 0;
    double cached = 0;
    json::value message;
};

/// Predicted and real cached tokens of all answers so far, by endpoint.
std::map<std::string, std::pair<double, double>> counts(const Gateway& gateway) {
    std::map<std::string, std::pair<double, double>> by_endpoint;
    const json::value report = json::parse(gateway.admin("/endpoints"));
    for (const json::value& endpoint : report.at("endpoints").as_array()) {
        by_endpoint[endpoint.at("name").as_string().c_str()] = {
            endpoint.at("predicted_cached_tokens").to_number<double>(),
            endpoint.at("cached_tokens").to_number<double>()
        };
    }
    return by_endpoint;
}

/// One request at a time, so that what the counts grow by is this request's.
Turn play_turn(const Gateway& gateway, const json::array& messages) {
    json::object body;
    body["model"] = "warmlane-sim";
    body["messages"] = messages;
    body["max_tokens"] = 8;
    auto before = counts(gateway);
    const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", json::serialize(body));
    REQUIRE(response.status == 200);
    const json::value answer = json::parse(response.body);
    Turn turn;
    turn.endpoint = response.value_of("x-warmlane-endpoint");
    turn.cached = answer.at("usage").at("prompt_tokens_details").at("cached_tokens").to_number<double>();
    // The answer is counted right behind its last byte.
    REQUIRE(eventually([&] {
        const auto now = counts(gateway)[turn.endpoint];
        turn.predicted = now.first - before[turn.endpoint].first;
        return now.second - before[turn.endpoint].second == turn.cached &&
               gateway.metric("warmlane_in_flight_requests") == 0;
    }));
    turn.message = answer.at("choices").at(0).at("message");
    return turn;
}

TEST_CASE("cache truth: what routing expects in a cache and what engines find there agree within one block") {
    sim::SimServerOptions engine;
    engine.engine.speed = 20;
    engine.engine.block_count = 16'384;
    app::DemoFleet fleet;
    REQUIRE(!fleet.start(3, engine));
    config::Config config = test_config({});
    config.endpoints = fleet.endpoints();
    Gateway gateway(std::move(config));

    std::vector<json::array> conversations(kConversations);
    std::vector<std::string> last(kConversations);
    std::set<std::string> served;
    int requests = 0;
    int within_a_block = 0;
    int moved = 0;
    double off = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
        for (int c = 0; c < kConversations; ++c) {
            json::array& messages = conversations[static_cast<std::size_t>(c)];
            if (turn == 0) {
                messages.push_back({{"role", "system"}, {"content", sentence(c, 0, 150)}});
            }
            messages.push_back({{"role", "user"}, {"content", sentence(c, turn + 1, 40)}});
            const Turn played = play_turn(gateway, messages);
            messages.push_back(played.message);
            if (turn > 0) {
                ++requests;
                const double error = std::abs(played.predicted - played.cached);
                within_a_block += error <= kBlockTokens ? 1 : 0;
                off += error;
                moved += played.endpoint != last[static_cast<std::size_t>(c)] ? 1 : 0;
            }
            last[static_cast<std::size_t>(c)] = played.endpoint;
            served.insert(played.endpoint);
        }
    }
    MESSAGE(fmt::format(
        "{} of {} requests within one block, {:.1f} tokens off on average; {} moved",
        within_a_block,
        requests,
        off / requests,
        moved
    ));
    CHECK(requests == 1'000);
    CHECK(within_a_block >= 990);
    CHECK(served.size() == 3);
    const double predicted = gateway.metric("warmlane_predicted_cached_tokens_total");
    const double cached = gateway.metric("warmlane_cached_tokens_total");
    CHECK(cached > 0);
    CHECK(std::abs(predicted - cached) / cached < 0.05);
}

}  // namespace
}  // namespace warmlane::test
