#pragma once

#include "chat_template.hpp"
#include "request_fields.hpp"

#include <boost/json/object.hpp>

#include <vector>

namespace warmlane::sim {

/// The function objects of a request's tools: those of `{"type":"function","function":{...}}`, or the tools
/// themselves in the APIs that leave that level out.
std::vector<const boost::json::object*> functions_of(const boost::json::array& tools);

/// Which function the simulated model calls; nullptr when it answers with a text. `tool_choice` is read in
/// the forms of all APIs: `required` or `any` calls the first function, a name calls that one, and left to
/// itself the model calls a function whose name stands in the user's last message. A name that no tool has
/// becomes the request's error.
const boost::json::object* choose_function(
    RequestFields& fields,
    const std::vector<const boost::json::object*>& functions,
    const std::vector<ChatMessage>& messages
);

}  // namespace warmlane::sim
