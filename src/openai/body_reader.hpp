#pragma once

#include "openai/json_scanner.hpp"
#include "openai/scratch.hpp"

#include "warmlane/openai/parse_request.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warmlane::openai {

/// A request body while it is read: the scanner, the bytes it had to resolve, and the first thing that is
/// wrong. Where something is wrong everything that reads returns false.
struct BodyReader {
    BodyReader(std::string_view body, std::size_t depth, std::deque<std::string>& chunks)
        : json(body, depth), scratch(chunks) {}

    JsonScanner json;
    Scratch scratch;
    std::optional<RequestError> error;

    /// Nothing is wrong.
    bool good() const { return !error && !json.failed(); }

    /// The value that comes next is not what `param` takes. Always false.
    bool refuse(std::string param, std::string_view rule) {
        return refuse_at(json.offset(), std::move(param), rule);
    }
    bool refuse_at(std::size_t offset, std::string param, std::string_view rule);

    /// A string, or null for none.
    /// @return false when it is something else, which is then not consumed.
    bool read_string(std::string_view& text);
    /// A boolean, or null for false.
    bool read_boolean(bool& flag);
    /// A list as it stands in the body; empty when it is null or has no elements.
    bool read_raw_list(std::string_view& bytes);
};

/// Which keys of one object have been seen.
class SeenKeys {
public:
    /// Marks a key; false when it was marked before.
    bool mark(std::size_t key) {
        const std::uint32_t bit = std::uint32_t{1} << key;
        const bool first = (bits_ & bit) == 0;
        bits_ |= bit;
        return first;
    }
    bool has(std::size_t key) const { return (bits_ >> key & 1) != 0; }

private:
    std::uint32_t bits_ = 0;
};

inline constexpr std::string_view kStandsTwice = "stands twice in its object";

}  // namespace warmlane::openai
