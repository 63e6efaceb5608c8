#include "schema_value.hpp"

#include "answer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <array>
#include <string_view>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

constexpr unsigned kDepthMax = 8;
constexpr std::uint64_t kNumberMax = 100;
constexpr std::array<std::string_view, 8> kValues = {
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven"
};

json::value make(const json::value& schema, std::uint64_t seed, unsigned depth);

/// The first type when several are allowed.
std::string_view type_of(const json::object& schema) {
    const json::value* type = schema.if_contains("type");
    if (type != nullptr && type->is_array() && !type->get_array().empty()) {
        type = &type->get_array().front();
    }
    if (type != nullptr && type->is_string()) {
        return type->get_string();
    }
    return schema.contains("properties") ? "object" : "string";
}

json::value make_object(const json::object& schema, std::uint64_t seed, unsigned depth) {
    json::object out;
    const json::value* properties = schema.if_contains("properties");
    if (properties == nullptr || !properties->is_object()) {
        return out;
    }
    for (const auto& [name, property] : properties->get_object()) {
        out[name] = make(property, mix_seed(seed, out.size()), depth + 1);
    }
    return out;
}

json::value make_array(const json::object& schema, std::uint64_t seed, unsigned depth) {
    json::array out;
    if (const json::value* items = schema.if_contains("items")) {
        out.push_back(make(*items, seed, depth + 1));
    }
    return out;
}

json::value make(const json::value& schema, std::uint64_t seed, unsigned depth) {
    if (depth > kDepthMax) {
        return nullptr;
    }
    const json::object empty;
    const json::object& object = schema.is_object() ? schema.get_object() : empty;
    const json::value* choices = object.if_contains("enum");
    if (choices != nullptr && choices->is_array() && !choices->get_array().empty()) {
        const json::array& values = choices->get_array();
        return values[seed % values.size()];
    }
    const std::string_view type = type_of(object);
    if (type == "object") {
        return make_object(object, seed, depth);
    }
    if (type == "array") {
        return make_array(object, seed, depth);
    }
    if (type == "integer") {
        return seed % kNumberMax;
    }
    if (type == "number") {
        return static_cast<double>(seed % (kNumberMax * 2)) / 2 + 0.5;
    }
    if (type == "boolean") {
        return seed % 2 == 0;
    }
    if (type == "null") {
        return nullptr;
    }
    return json::string(kValues[seed % kValues.size()]);
}

}  // namespace

json::value value_of_schema(const json::value& schema, std::uint64_t seed) {
    return make(schema, seed, 0);
}

}  // namespace warmlane::sim
