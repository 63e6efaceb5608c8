#include "admin/json_text.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace warmlane::admin {
namespace {

namespace json = boost::json;

void append(const json::value& value, std::string& out) {
    if (const double* number = value.if_double()) {
        if (std::isfinite(*number)) {
            fmt::format_to(std::back_inserter(out), "{}", *number);
        } else {
            out += "null";
        }
        return;
    }
    const char* separator = "";
    if (const json::object* object = value.if_object()) {
        out += '{';
        for (const json::key_value_pair& entry : *object) {
            out += separator;
            out += json::serialize(entry.key());
            out += ':';
            append(entry.value(), out);
            separator = ",";
        }
        out += '}';
    } else if (const json::array* items = value.if_array()) {
        out += '[';
        for (const json::value& item : *items) {
            out += separator;
            append(item, out);
            separator = ",";
        }
        out += ']';
    } else {
        out += json::serialize(value);
    }
}

}  // namespace

std::string json_text(const json::value& value) {
    std::string out;
    append(value, out);
    return out;
}

}  // namespace warmlane::admin
