#include "warmlane/routing/plugin_registry.hpp"

#include <doctest/doctest.h>

namespace warmlane::routing {

TEST_CASE("plugin_registry: finds a type by its exact name") {
    constexpr PluginType kTypes[] = {{"one", nullptr, "first"}, {"two", nullptr, "second"}};
    const PluginRegistry registry(kTypes);
    REQUIRE(registry.find("two") != nullptr);
    CHECK(registry.find("two")->note == "second");
    CHECK(registry.find("Two") == nullptr);
    CHECK(registry.find("") == nullptr);
    CHECK(registry.types().size() == 2);
}

}  // namespace warmlane::routing
