#include "faults.hpp"

#include "answer.hpp"

#include <charconv>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

constexpr std::string_view kBlanks = " \t";

std::string_view name_of(Fault::Cut cut) {
    switch (cut) {
        case Fault::Cut::none: return "none";
        case Fault::Cut::reset: return "reset";
        case Fault::Cut::close: return "close";
        case Fault::Cut::stall: return "stall";
    }
    return "none";
}

Fault::Cut cut_of(std::string_view name) {
    for (const Fault::Cut cut : {Fault::Cut::reset, Fault::Cut::close, Fault::Cut::stall}) {
        if (name_of(cut) == name) {
            return cut;
        }
    }
    return Fault::Cut::none;
}

void read_optional(JsonReader& reader, std::string_view key, std::optional<std::uint32_t>& out) {
    if (reader.has(key)) {
        reader.read(key, out.emplace());
    }
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

json::value value_of_word(std::string_view word) {
    if (word == "true" || word == "false" || word.empty()) {
        return word != "false";
    }
    std::int64_t number = 0;
    const auto [end, ec] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (ec == std::errc() && end == word.data() + word.size()) {
        return number;
    }
    return json::string(word);
}

std::string milliseconds_text(std::chrono::milliseconds time) {
    return std::to_string(time.count()) + "ms";
}

}  // namespace

Fault read_fault(const json::value& value, std::vector<ReadError>& errors) {
    Fault fault;
    std::string cut(name_of(fault.cut));
    JsonReader reader(value, "", errors);
    reader.read("share", fault.share, 0.0, 1.0);
    reader.read("path", fault.path);
    reader.read("refuse", fault.refuse);
    reader.read("status", fault.status, 0, 599);
    reader.read("retry_after", fault.retry_after);
    reader.read("head_delay", fault.head_delay);
    reader.read("body_delay", fault.body_delay);
    reader.read_choice("cut", cut, {"none", "reset", "close", "stall"});
    read_optional(reader, "cut_bytes", fault.cut_bytes);
    read_optional(reader, "cut_events", fault.cut_events);
    read_optional(reader, "error_events", fault.error_events);
    reader.read("garbage", fault.garbage);
    reader.read("close_after", fault.close_after);
    reader.read("chunk_bytes", fault.chunk_bytes);
    reader.read("slice_bytes", fault.slice_bytes);
    reader.finish();
    if (fault.status != 0 && fault.status < 200) {
        errors.push_back({.path = "status", .message = "must be 0 or from 200 to 599"});
    }
    fault.cut = cut_of(cut);
    if (fault.cut != Fault::Cut::none && !fault.cut_bytes && !fault.cut_events) {
        fault.cut_bytes = 0;
    }
    return fault;
}

json::object fault_json(const Fault& fault) {
    json::object out;
    out["share"] = fault.share;
    out["path"] = fault.path;
    out["refuse"] = milliseconds_text(fault.refuse);
    out["status"] = fault.status;
    out["retry_after"] = fault.retry_after;
    out["head_delay"] = milliseconds_text(fault.head_delay);
    out["body_delay"] = milliseconds_text(fault.body_delay);
    out["cut"] = name_of(fault.cut);
    const auto put = [&out](std::string_view key, const std::optional<std::uint32_t>& value) {
        out[key] = value ? json::value(*value) : json::value(nullptr);
    };
    put("cut_bytes", fault.cut_bytes);
    put("cut_events", fault.cut_events);
    put("error_events", fault.error_events);
    out["garbage"] = fault.garbage;
    out["close_after"] = fault.close_after;
    out["chunk_bytes"] = fault.chunk_bytes;
    out["slice_bytes"] = fault.slice_bytes;
    return out;
}

json::object fault_fields(std::string_view header) {
    json::object out;
    while (!header.empty()) {
        const std::size_t end = header.find(';');
        const std::string_view item = header.substr(0, end);
        header = end == std::string_view::npos ? std::string_view() : header.substr(end + 1);
        const std::size_t equals = item.find('=');
        const std::string_view name = trimmed(item.substr(0, equals));
        if (!name.empty()) {
            out[name] = value_of_word(
                equals == std::string_view::npos ? std::string_view() : trimmed(item.substr(equals + 1))
            );
        }
    }
    return out;
}

Fault FaultSwitch::choose(std::string_view path, std::string_view header, std::vector<ReadError>& errors) {
    if (!header.empty()) {
        return read_fault(fault_fields(header), errors);
    }
    if (!path.starts_with(fault_.path) || path.starts_with("/sim/")) {
        return {};
    }
    constexpr double kSteps = 1U << 20U;
    const double draw = static_cast<double>(mix_seed(seed_, ++requests_) % (1U << 20U)) / kSteps;
    return draw < fault_.share ? fault_ : Fault{};
}

}  // namespace warmlane::sim
