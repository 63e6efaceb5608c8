#pragma once

#include <string>
#include <string_view>

namespace warmlane::openai {

/// An error of our own in OpenAI's shape: `{"error":{"message","type","param","code"}}`, escaped.
/// `param` and `code` become null when empty.
std::string error_body(
    std::string_view message, std::string_view type, std::string_view param = {}, std::string_view code = {}
);

/// `error_body` as one server-sent event: `data: {...}\n\n`.
std::string error_event(std::string_view message, std::string_view type, std::string_view code = {});

}  // namespace warmlane::openai
