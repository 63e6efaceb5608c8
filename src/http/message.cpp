#include "warmlane/http/message.hpp"

namespace warmlane::http {

namespace {

std::string_view find_value(const std::vector<Field>& fields, std::string_view name) {
    const Field* field = find_field(fields, name);
    return field == nullptr ? std::string_view{} : field->value;
}

}  // namespace

const Field* find_field(const std::vector<Field>& fields, std::string_view name) {
    for (const Field& field : fields) {
        if (equals_ignoring_case(field.name, name)) {
            return &field;
        }
    }
    return nullptr;
}

std::string_view RequestHead::value_of(std::string_view name) const {
    return find_value(fields, name);
}

std::string_view ResponseHead::value_of(std::string_view name) const {
    return find_value(fields, name);
}

}  // namespace warmlane::http
