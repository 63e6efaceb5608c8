#include "config/document.hpp"

#include <utility>

namespace warmlane::config {

void Document::set(std::string_view path, boost::json::value value, const Origin& origin) {
    origins.clear_below(path);
    origins.set(std::string(path), origin);
    boost::json::value* place = &root;
    for (std::string_view rest = path; !rest.empty();) {
        if (place->is_null()) {
            place->emplace_object();
        }
        if (!place->is_object()) {
            return;
        }
        const std::size_t dot = rest.find('.');
        place = &place->get_object()[rest.substr(0, dot)];
        rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
    *place = std::move(value);
}

}  // namespace warmlane::config
