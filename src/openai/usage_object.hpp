#pragma once

#include "warmlane/openai/usage_reader.hpp"

#include <string_view>

namespace warmlane::openai {

/// Takes over what the `"usage":{...}` objects in `text` report, in order; one that is not complete is left
/// out. The text may be any part of a JSON text: inside of a string the quotes around the word would be
/// escaped.
void take_usage(std::string_view text, Usage& usage);

}  // namespace warmlane::openai
