#pragma once

#include "chat_template.hpp"
#include "request_fields.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace warmlane::sim {

/// The text of a message's content: a string, `null`, or a list of parts. Parts with text are joined; every
/// other part is a medium, whose placeholder depends on what the part says.
std::string read_content(RequestFields& fields, const boost::json::value* content);

/// The conversation of a chat completion, or of a tokenize request.
std::vector<ChatMessage> read_chat_messages(RequestFields& fields);

}  // namespace warmlane::sim
