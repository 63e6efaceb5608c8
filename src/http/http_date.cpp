#include "http/http_date.hpp"

#include "warmlane/http/header_rules.hpp"

#include <string_view>

namespace warmlane::http {

namespace {

constexpr std::string_view kDays = "SunMonTueWedThuFriSat";
constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

}  // namespace

HttpDate format_http_date(std::chrono::sys_seconds time) {
    const auto midnight = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{midnight};
    const std::chrono::hh_mm_ss clock{time - midnight};
    const unsigned month = static_cast<unsigned>(date.month());
    const auto year = static_cast<unsigned>(static_cast<int>(date.year()));

    HttpDate text;
    char* out = text.data();
    const auto put = [&out](std::string_view part) { out += part.copy(out, part.size()); };
    const auto put_two = [&out](unsigned number) {
        *out++ = static_cast<char>('0' + number / 10 % 10);
        *out++ = static_cast<char>('0' + number % 10);
    };
    put(kDays.substr(std::size_t{3} * std::chrono::weekday{midnight}.c_encoding(), 3));
    put(", ");
    put_two(static_cast<unsigned>(date.day()));
    put(" ");
    put(kMonths.substr(std::size_t{3} * (month - 1), 3));
    put(" ");
    put_two(year / 100);
    put_two(year % 100);
    put(" ");
    put_two(static_cast<unsigned>(clock.hours().count()));
    put(":");
    put_two(static_cast<unsigned>(clock.minutes().count()));
    put(":");
    put_two(static_cast<unsigned>(clock.seconds().count()));
    put(" GMT");
    return text;
}

std::string_view http_date() {
    struct Cached {
        std::chrono::sys_seconds time{std::chrono::seconds::min()};
        HttpDate text{};
    };
    thread_local Cached cached;
    const auto time = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    if (time != cached.time) {
        cached = {time, format_http_date(time)};
    }
    return {cached.text.data(), cached.text.size()};
}

}  // namespace warmlane::http
