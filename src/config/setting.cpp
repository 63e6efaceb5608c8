#include "warmlane/config/setting.hpp"

#include "config/scalar.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <array>

namespace warmlane::config {

std::string format_duration(std::chrono::milliseconds value) {
    struct Unit {
        const char* suffix;
        std::int64_t milliseconds;
    };
    constexpr std::array<Unit, 3> kUnits = {{{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}}};
    const std::int64_t count = value.count();
    for (const Unit& unit : kUnits) {
        if (count % unit.milliseconds == 0 && (count != 0 || unit.milliseconds == 1'000)) {
            return fmt::format("{}{}", count / unit.milliseconds, unit.suffix);
        }
    }
    return fmt::format("{}ms", count);
}

std::string format_size(std::size_t bytes) {
    struct Unit {
        const char* suffix;
        std::size_t bytes;
    };
    constexpr std::array<Unit, 3> kUnits = {{{"GiB", 1ULL << 30}, {"MiB", 1ULL << 20}, {"KiB", 1ULL << 10}}};
    for (const Unit& unit : kUnits) {
        if (bytes != 0 && bytes % unit.bytes == 0) {
            return fmt::format("{}{}", bytes / unit.bytes, unit.suffix);
        }
    }
    return fmt::format("{}", bytes);
}

std::string to_text(const boost::json::value& value) {
    if (const boost::json::string* text = value.if_string()) {
        return {text->data(), text->size()};
    }
    const double* number = value.if_double();
    return number == nullptr ? boost::json::serialize(value) : fmt::format("{}", *number);
}

boost::json::value parse_setting(SettingKind kind, std::string_view text) {
    const bool typed = kind == SettingKind::boolean || kind == SettingKind::number;
    return typed ? parse_plain_scalar(text) : boost::json::value(text);
}

}  // namespace warmlane::config
