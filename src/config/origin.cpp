#include "warmlane/config/origin.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::config {
namespace {

/// `path` without its last key or index; empty for the root's children.
std::string_view parent_of(std::string_view path) {
    const std::size_t end = path.find_last_of(".[");
    return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

bool is_below(std::string_view path, std::string_view root) {
    return path.size() > root.size() && path.starts_with(root) &&
           (root.empty() || path[root.size()] == '.' || path[root.size()] == '[');
}

}  // namespace

std::string to_string(const Origin& origin) {
    switch (origin.kind) {
        case Origin::Kind::built_in: return "default";
        case Origin::Kind::file: return fmt::format("{}:{}", origin.name, origin.line);
        case Origin::Kind::environment: return fmt::format("environment {}", origin.name);
        case Origin::Kind::flag: return fmt::format("flag {}", origin.name);
    }
    return {};
}

void Origins::set(std::string path, Origin origin) {
    by_path_.insert_or_assign(std::move(path), std::move(origin));
}

Origin Origins::of(std::string_view path) const {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? Origin() : found->second;
}

Origin Origins::around(std::string_view path) const {
    while (true) {
        const auto found = by_path_.find(path);
        if (found != by_path_.end()) {
            return found->second;
        }
        if (path.empty()) {
            return {};
        }
        path = parent_of(path);
    }
}

void Origins::clear_below(std::string_view path) {
    std::erase_if(by_path_, [path](const auto& entry) { return is_below(entry.first, path); });
}

}  // namespace warmlane::config
