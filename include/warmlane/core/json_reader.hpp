#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane {

/// One thing that is wrong in a configuration, with the place where it stands.
struct ReadError {
    /// Keys and indices from the root, like `plugins[2].parameters.threshold`; empty for the root itself.
    std::string path;
    /// A sentence for people, without the path.
    std::string message;
};

/// Reads one JSON object strictly into typed variables. Every key that is asked for is known; `finish()`
/// reports the others, each with the nearest known key. Errors are collected, never thrown, so that all of
/// them can be shown at once; a variable keeps its default when its value is absent, `null` or wrong. An
/// integer may be written as 2.0; a boolean is `true` or `false` and nothing else.
class JsonReader {
public:
    /// `value` and `errors` outlive the reader. A `null` value reads as an empty object.
    JsonReader(const boost::json::value& value, std::string path, std::vector<ReadError>& errors);

    bool has(std::string_view key) const;
    const std::string& path() const { return path_; }
    /// Path of a key below this object.
    std::string path_of(std::string_view key) const;

    void read(std::string_view key, bool& out);
    void read(std::string_view key, std::string& out);
    void read(std::string_view key, std::vector<std::string>& out);
    void read(
        std::string_view key,
        double& out,
        double min = std::numeric_limits<double>::lowest(),
        double max = std::numeric_limits<double>::max()
    );
    void read(
        std::string_view key,
        std::int64_t& out,
        std::int64_t min = std::numeric_limits<std::int64_t>::min(),
        std::int64_t max = std::numeric_limits<std::int64_t>::max()
    );
    void read(
        std::string_view key,
        std::uint32_t& out,
        std::uint32_t min = 0,
        std::uint32_t max = std::numeric_limits<std::uint32_t>::max()
    );
    /// Text with a unit: `200ms`, `30s`, `5m`, `1h`, `0s`; never negative.
    void read(std::string_view key, std::chrono::milliseconds& out);
    /// A number of bytes: 1024, `64KiB`, `64MiB`, `1GiB`, also `64M` (10^6) and `64k`.
    void read_size(std::string_view key, std::size_t& out, std::size_t min = 0);
    /// One of a closed set of words.
    void read_choice(std::string_view key, std::string& out, std::initializer_list<std::string_view> choices);

    /// The raw value of a key, marked as known; nullptr when absent.
    const boost::json::value* take(std::string_view key);
    /// Items of a list, marked as known; nullptr when absent; an error when it is not a list.
    const boost::json::array* take_array(std::string_view key);

    /// Adds an error at a key (or at the object itself when `key` is empty).
    void fail(std::string_view key, std::string message);

    /// Reports every key that nobody asked for. Call once, after the last read.
    void finish();

private:
    const boost::json::value* find(std::string_view key);

    const boost::json::object* object_ = nullptr;
    const std::string path_;
    std::vector<ReadError>& errors_;
    std::set<std::string, std::less<>> known_;
};

/// The candidate nearest to `word` by edit distance, if it is near enough to be a slip of the pen.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// The end of a message about an unknown word: `; did you mean 'weight'?`, or nothing when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// `text` in single quotes for a message to people: cut when it is long, control bytes as `\xNN`.
std::string quoted(std::string_view text);

/// `200ms`, `30s`, `5m`, `1h`; nothing else. Absent when it does not parse or would overflow.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// `1024`, `64KiB`, `64MiB`, `1GiB`, `64k`, `64M`, `1G`; absent when it does not parse or would overflow.
std::optional<std::size_t> parse_size(std::string_view text);

}  // namespace warmlane
