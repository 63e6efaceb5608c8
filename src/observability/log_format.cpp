#include "log_format.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <iterator>

namespace warmlane::observability {
namespace {

std::string timestamp(spdlog::log_clock::time_point time) {
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()) % 1000;
    return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(spdlog::log_clock::to_time_t(time)), millis.count());
}

std::string_view level_name(spdlog::level::level_enum level) {
    const auto name = spdlog::level::to_string_view(level);
    return {name.data(), name.size()};
}

std::string quoted(std::string_view text) {
    return boost::json::serialize(boost::json::string_view(printable(text)));
}

/// What came from outside is bounded; `quoted` makes it printable.
std::string_view cut(std::string_view text) {
    constexpr std::size_t kBytesMax = 256;
    return text.substr(0, kBytesMax);
}

double millis(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

/// Calls `text(name, value)` or `number(name, value)` for each field of the line that has a value, in order.
template <class Text, class Number>
void for_each_field(const AccessRecord& record, Text text, Number number) {
    text("id", record.request_id);
    text("client", record.client);
    text("method", record.method);
    text("path", record.path);
    text("model", record.model);
    number("status", std::to_string(record.status));
    text("endpoint", record.endpoint);
    number("attempts", std::to_string(record.attempts));
    number("match_blocks", std::to_string(record.match_blocks));
    number("total_blocks", std::to_string(record.total_blocks));
    const auto optional = [&](const char* name, const std::optional<std::uint64_t>& value) {
        if (value) {
            number(name, std::to_string(*value));
        }
    };
    optional("prompt_tokens", record.prompt_tokens);
    optional("completion_tokens", record.completion_tokens);
    optional("cached_tokens", record.cached_tokens);
    number("bytes_in", std::to_string(record.bytes_in));
    number("bytes_out", std::to_string(record.bytes_out));
    number("overhead_ms", fmt::format("{:.3f}", millis(record.overhead)));
    if (record.first_byte) {
        number("first_byte_ms", fmt::format("{:.3f}", millis(*record.first_byte)));
    }
    number("total_ms", fmt::format("{:.3f}", millis(record.total)));
    text("end", record.end);
}

void append(spdlog::memory_buf_t& out, std::string_view text) {
    out.append(text.data(), text.data() + text.size());
}

}  // namespace

void TextFormatter::format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) {
    append(out, timestamp(message.time));
    append(out, fmt::format(" {:<7} ", level_name(message.level)));
    append(out, printable({message.payload.data(), message.payload.size()}));
    append(out, "\n");
}

std::unique_ptr<spdlog::formatter> TextFormatter::clone() const {
    return std::make_unique<TextFormatter>();
}

void JsonFormatter::format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) {
    const std::string_view payload(message.payload.data(), message.payload.size());
    const std::string_view logger(message.logger_name.data(), message.logger_name.size());
    append(
        out, fmt::format(R"({{"time":"{}","level":"{}",)", timestamp(message.time), level_name(message.level))
    );
    if (logger == kAccessLoggerName) {
        append(out, payload);
    } else {
        append(out, "\"message\":");
        append(out, quoted(payload));
    }
    append(out, "}\n");
}

std::unique_ptr<spdlog::formatter> JsonFormatter::clone() const {
    return std::make_unique<JsonFormatter>();
}

std::string text_fields(const AccessRecord& record) {
    std::string line;
    const auto add = [&line](const char* name, std::string_view value) {
        fmt::format_to(std::back_inserter(line), "{}{}={}", line.empty() ? "" : " ", name, value);
    };
    for_each_field(
        record,
        [&](const char* name, std::string_view value) {
            if (!value.empty()) {
                add(name, fmt::format("\"{}\"", escaped(value)));
            }
        },
        add
    );
    return line;
}

std::string json_fields(const AccessRecord& record) {
    std::string line;
    const auto add = [&line](const char* name, std::string_view value) {
        fmt::format_to(std::back_inserter(line), "{}\"{}\":{}", line.empty() ? "" : ",", name, value);
    };
    for_each_field(
        record, [&](const char* name, std::string_view value) { add(name, quoted(cut(value))); }, add
    );
    return line;
}

}  // namespace warmlane::observability
