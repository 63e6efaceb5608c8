#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace warmlane::config {

/// Where a value came from.
struct Origin {
    enum class Kind : std::uint8_t { built_in, file, environment, flag };
    Kind kind = Kind::built_in;
    /// Of the file, the variable or the flag, spelled as people type it.
    std::string name;
    /// In a file, from 1.
    int line = 0;

    bool operator==(const Origin&) const = default;
};

/// `default`, `FILE:LINE`, `environment WARMLANE_X` or `flag --x`.
std::string to_string(const Origin& origin);

/// The origin of each value that was given, by its path.
class Origins {
public:
    void set(std::string path, Origin origin);
    /// Of the value at `path` itself; the default when it was not given.
    Origin of(std::string_view path) const;
    /// Of `path`, or else of the nearest object or list around it.
    Origin around(std::string_view path) const;
    /// Drops everything below `path`.
    void clear_below(std::string_view path);

private:
    std::map<std::string, Origin, std::less<>> by_path_;
};

}  // namespace warmlane::config
