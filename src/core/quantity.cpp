#include "warmlane/core/json_reader.hpp"

#include <charconv>
#include <span>

namespace warmlane {
namespace {

struct Unit {
    std::string_view suffix;
    std::uint64_t factor;
};

/// Decimal digits followed by exactly one of the suffixes; at most `max`.
std::optional<std::uint64_t> parse_quantity(
    std::string_view text, std::span<const Unit> units, std::uint64_t max
) {
    std::uint64_t number = 0;
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const auto [rest, ec] = std::from_chars(begin, end, number);
    if (ec != std::errc{}) {
        return std::nullopt;
    }
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    for (const Unit& unit : units) {
        if (unit.suffix == suffix) {
            return number <= max / unit.factor ? std::optional(number * unit.factor) : std::nullopt;
        }
    }
    return std::nullopt;
}

constexpr Unit kDurationUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};

constexpr Unit kSizeUnits[] = {
    {"", 1},
    {"KiB", 1ULL << 10},
    {"MiB", 1ULL << 20},
    {"GiB", 1ULL << 30},
    {"k", 1'000},
    {"M", 1'000'000},
    {"G", 1'000'000'000},
};

// Deadlines are added to time points that count nanoseconds in 63 bits: a hundred years stay clear of the
// edge.
constexpr std::uint64_t kDurationMax = 100ULL * 365 * 24 * 3'600'000;

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
    const auto count = parse_quantity(text, kDurationUnits, kDurationMax);
    return count ? std::optional(std::chrono::milliseconds(*count)) : std::nullopt;
}

std::optional<std::size_t> parse_size(std::string_view text) {
    return parse_quantity(text, kSizeUnits, std::numeric_limits<std::int64_t>::max());
}

}  // namespace warmlane
