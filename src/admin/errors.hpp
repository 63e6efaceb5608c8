#pragma once

#include "warmlane/http/exchange.hpp"

#include <string_view>

namespace warmlane::admin {

/// An error in OpenAI's shape.
http::Response error_response(unsigned status, std::string_view message, std::string_view param = {});

/// The answer when the body of a request could not be read.
http::Response body_error(error_code code);

}  // namespace warmlane::admin
