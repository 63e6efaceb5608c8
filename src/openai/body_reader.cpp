#include "openai/body_reader.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::openai {

bool BodyReader::refuse_at(std::size_t offset, std::string param, std::string_view rule) {
    if (good()) {
        std::string message = fmt::format("`{}` {}.", param, rule);
        error = RequestError{.message = std::move(message), .param = std::move(param), .offset = offset};
    }
    return false;
}

bool BodyReader::read_string(std::string_view& text) {
    switch (json.kind()) {
        case JsonKind::string: text = json.read_string(scratch); return good();
        case JsonKind::null: json.skip(); return good();
        default: return false;
    }
}

bool BodyReader::read_boolean(bool& flag) {
    switch (json.kind()) {
        case JsonKind::boolean: flag = json.read_boolean(); return good();
        case JsonKind::null: json.skip(); return good();
        default: return false;
    }
}

bool BodyReader::read_raw_list(std::string_view& bytes) {
    const JsonKind kind = json.kind();
    if (kind != JsonKind::list && kind != JsonKind::null) {
        return false;
    }
    const std::string_view raw = json.skip();
    const bool empty = kind == JsonKind::null || raw.find_first_not_of(" \t\r\n", 1) + 1 >= raw.size();
    bytes = empty ? std::string_view{} : raw;
    return good();
}

}  // namespace warmlane::openai
