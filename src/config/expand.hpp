#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::config {

using Environment = std::map<std::string, std::string, std::less<>>;

/// `text` with each `${NAME}` replaced by that variable and each `$$` by `$`. What cannot be replaced is told
/// in `problems`, a sentence each.
std::string expand(std::string_view text, const Environment& environment, std::vector<std::string>& problems);

/// The text that `expand` makes `text` of.
std::string unexpanded(std::string_view text);

}  // namespace warmlane::config
