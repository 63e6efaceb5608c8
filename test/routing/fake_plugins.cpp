#include "routing/fake_plugins.hpp"

#include <memory>

namespace warmlane::test {
namespace {

using Made = std::unique_ptr<routing::Plugin>;

Made make_scorer(JsonReader& parameters) {
    std::map<std::string, double> scores;
    for (const char* name : {"a", "b", "c"}) {
        parameters.read(name, scores[name]);
    }
    return std::make_unique<FakeScorer>(scores);
}

Made make_filter(JsonReader& parameters) {
    std::vector<std::string> dropped;
    parameters.read("drop", dropped);
    return std::make_unique<FakeFilter>(dropped);
}

Made make_prefix_scorer(JsonReader& parameters) {
    std::string producer;
    parameters.read("producer", producer);
    return std::make_unique<FakePrefixScorer>(producer);
}

Made make_picker(JsonReader& /*parameters*/) {
    return std::make_unique<FakePicker>();
}

Made make_prefix_producer(JsonReader& /*parameters*/) {
    return std::make_unique<FakeProducer>("prefix");
}

Made make_other_producer(JsonReader& /*parameters*/) {
    return std::make_unique<FakeProducer>("other");
}

Made make_single_handler(JsonReader& /*parameters*/) {
    return std::make_unique<FakeHandler>(1);
}

Made make_two_handler(JsonReader& /*parameters*/) {
    return std::make_unique<FakeHandler>(2);
}

constexpr routing::PluginType kTypes[] = {
    {"approx-prefix-cache-producer", make_prefix_producer, ""},
    {"elsewhere-filter", nullptr, "it needs the moon."},
    {"filter", make_filter, ""},
    {"max-score-picker", make_picker, ""},
    {"other-picker", make_picker, ""},
    {"other-producer", make_other_producer, ""},
    {"prefix-scorer", make_prefix_scorer, ""},
    {"scorer", make_scorer, ""},
    {"single-profile-handler", make_single_handler, ""},
    {"two-profile-handler", make_two_handler, ""},
};

}  // namespace

const routing::PluginRegistry& fake_registry() {
    static const routing::PluginRegistry kRegistry(kTypes);
    return kRegistry;
}

}  // namespace warmlane::test
