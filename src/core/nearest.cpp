#include "warmlane/core/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warmlane {
namespace {

// Longer words are no slips of the pen, and the distance costs their product.
constexpr std::size_t kWordMax = 64;

/// Edits that turn one word into the other: insert, delete, replace, swap of neighbours, each counting 1
/// (Damerau-Levenshtein, optimal string alignment).
std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before_last(to.size() + 1);
    std::vector<std::size_t> last(to.size() + 1);
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row[to.size()];
}

std::size_t edits_allowed(std::string_view word) {
    return std::max<std::size_t>(word.size() / 3, word.size() > 4 ? 2 : 1);
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.empty() || word.size() > kWordMax) {
        return std::nullopt;
    }
    const std::string* best = nullptr;
    std::size_t best_distance = edits_allowed(word) + 1;
    for (const std::string& candidate : candidates) {
        if (candidate.empty() || candidate.size() > kWordMax) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance && distance < candidate.size()) {
            best = &candidate;
            best_distance = distance;
        }
    }
    return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
    const std::optional<std::string> near = nearest(word, candidates);
    return near ? fmt::format("; did you mean {}?", quoted(*near)) : std::string();
}

std::string quoted(std::string_view text) {
    std::size_t shown = std::min(text.size(), kWordMax);
    while (shown > 0 && shown < text.size() && (static_cast<unsigned char>(text[shown]) & 0xc0) == 0x80) {
        --shown;  // not in the middle of a UTF-8 character
    }
    std::string result = "'";
    for (const char c : text.substr(0, shown)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += c;
        }
    }
    result += shown < text.size() ? "...'" : "'";
    return result;
}

}  // namespace warmlane
