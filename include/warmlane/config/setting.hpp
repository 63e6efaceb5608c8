#pragma once

#include "warmlane/core/json_reader.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace warmlane::config {

/// How a setting is written.
enum class SettingKind : std::uint8_t { text, choice, boolean, number, duration, size };

/// One value of `Target` that a file, the environment and the command line can set: the single place that
/// names it, tells people what it is, reads it and shows it. Rows of a constant table; see `text_setting` and
/// its siblings.
template <class Target>
struct Setting {
    /// Keys from the root of the file, like `listen.port`.
    std::string_view path;
    /// Name of the flag, without dashes.
    std::string_view flag;
    /// Heading in the help text.
    std::string_view group;
    /// A few words for people.
    std::string_view help;
    SettingKind kind = SettingKind::text;
    /// Reads the value at `key`; the target keeps what it has when that is absent or wrong.
    void (*read)(const Setting& setting, JsonReader& reader, std::string_view key, Target& target) = nullptr;
    /// The value as a configuration file spells it.
    boost::json::value (*show)(const Target& target) = nullptr;

    /// Shown by `--help`; the others only by `--help-all`.
    bool common = false;
    /// Smallest and largest value; milliseconds of a duration, bytes of a size.
    std::int64_t min = 0;
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
    /// The words that a choice may be; constants of the program.
    std::span<const std::string_view> choices = {};

    constexpr Setting between(std::int64_t smallest, std::int64_t largest) const {
        Setting setting = *this;
        setting.min = smallest;
        setting.max = largest;
        return setting;
    }
    constexpr Setting at_least(std::int64_t smallest) const { return between(smallest, max); }
    constexpr Setting in_short_help() const {
        Setting setting = *this;
        setting.common = true;
        return setting;
    }

    /// The last key of the path.
    constexpr std::string_view key() const { return path.substr(path.rfind('.') + 1); }
    /// The keys before it; empty at the root.
    constexpr std::string_view section() const {
        const std::size_t dot = path.rfind('.');
        return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
    }
};

/// `200ms`, `30s`, `5m`, `1h`: the largest unit that keeps the value whole.
std::string format_duration(std::chrono::milliseconds value);
/// `64MiB`, `32KiB`, `1000`: the largest unit that keeps the value whole.
std::string format_size(std::size_t bytes);

/// A value as people write it: text without quotes, numbers in the shortest form.
std::string to_text(const boost::json::value& value);

/// How the text of a flag or of a variable stands for a value of that kind. A text that does not fit stays a
/// string, so that reading it says what is wrong.
boost::json::value parse_setting(SettingKind kind, std::string_view text);

namespace detail {

template <class Target, auto Get>
using Place = std::remove_cvref_t<decltype(Get(std::declval<Target&>()))>;

template <class Target, auto Get>
void read_plain(
    const Setting<Target>& /*setting*/, JsonReader& reader, std::string_view key, Target& target
) {
    reader.read(key, Get(target));
}

template <class Target, auto Get, const auto& Words>
void read_choice(
    const Setting<Target>& /*setting*/, JsonReader& reader, std::string_view key, Target& target
) {
    std::apply([&](const auto&... words) { reader.read_choice(key, Get(target), {words...}); }, Words);
}

template <class Target, auto Get>
void read_number(const Setting<Target>& setting, JsonReader& reader, std::string_view key, Target& target) {
    using Number = Place<Target, Get>;
    if constexpr (std::floating_point<Number>) {
        double value = Get(target);
        reader.read(key, value, static_cast<double>(setting.min), static_cast<double>(setting.max));
        Get(target) = value;
    } else {
        auto value = static_cast<std::int64_t>(Get(target));
        reader.read(key, value, setting.min, setting.max);
        Get(target) = static_cast<Number>(value);
    }
}

template <class Target, auto Get>
void read_duration(const Setting<Target>& setting, JsonReader& reader, std::string_view key, Target& target) {
    std::chrono::milliseconds value = Get(target);
    reader.read(key, value);
    if (value.count() < setting.min) {
        reader.fail(key, "must be at least " + format_duration(std::chrono::milliseconds(setting.min)));
    } else {
        Get(target) = value;
    }
}

template <class Target, auto Get>
void read_size(const Setting<Target>& setting, JsonReader& reader, std::string_view key, Target& target) {
    reader.read_size(key, Get(target), static_cast<std::size_t>(setting.min));
}

template <class Target, auto Get>
boost::json::value show(const Target& target) {
    using Value = Place<const Target, Get>;
    if constexpr (std::same_as<Value, std::chrono::milliseconds>) {
        return boost::json::value(format_duration(Get(target)));
    } else {
        return boost::json::value(Get(target));
    }
}

template <class Target, auto Get>
boost::json::value show_size(const Target& target) {
    return boost::json::value(format_size(Get(target)));
}

}  // namespace detail

/// The kinds of rows. `Get` gives a reference to the setting's place in the target.
template <class Target, auto Get>
constexpr Setting<Target> text_setting(Setting<Target> row) {
    row.kind = SettingKind::text;
    row.read = detail::read_plain<Target, Get>;
    row.show = detail::show<Target, Get>;
    return row;
}

/// One of `Words`, a constant array of the program.
template <class Target, auto Get, const auto& Words>
constexpr Setting<Target> choice_setting(Setting<Target> row) {
    row.kind = SettingKind::choice;
    row.choices = Words;
    row.read = detail::read_choice<Target, Get, Words>;
    row.show = detail::show<Target, Get>;
    return row;
}

/// `true` or `false`.
template <class Target, auto Get>
constexpr Setting<Target> boolean_setting(Setting<Target> row) {
    row.kind = SettingKind::boolean;
    row.read = detail::read_plain<Target, Get>;
    row.show = detail::show<Target, Get>;
    return row;
}

template <class Target, auto Get>
constexpr Setting<Target> number_setting(Setting<Target> row) {
    row.kind = SettingKind::number;
    row.read = detail::read_number<Target, Get>;
    row.show = detail::show<Target, Get>;
    return row;
}

/// Text with a unit, like `200ms`.
template <class Target, auto Get>
constexpr Setting<Target> duration_setting(Setting<Target> row) {
    row.kind = SettingKind::duration;
    row.read = detail::read_duration<Target, Get>;
    row.show = detail::show<Target, Get>;
    return row;
}

/// A number of bytes, like `64MiB`.
template <class Target, auto Get>
constexpr Setting<Target> size_setting(Setting<Target> row) {
    row.kind = SettingKind::size;
    row.read = detail::read_size<Target, Get>;
    row.show = detail::show_size<Target, Get>;
    return row;
}

}  // namespace warmlane::config
