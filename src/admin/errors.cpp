#include "admin/errors.hpp"

#include "warmlane/openai/error_body.hpp"

namespace warmlane::admin {

http::Response error_response(unsigned status, std::string_view message, std::string_view param) {
    http::Response response;
    response.status = status;
    response.body =
        openai::error_body(message, status < 500 ? "invalid_request_error" : "server_error", param);
    return response;
}

http::Response body_error(error_code code) {
    if (code == Errc::body_too_large) {
        return error_response(413, "The body is too large.");
    }
    if (code == Errc::client_too_slow) {
        return error_response(408, "The body did not arrive in time.");
    }
    return error_response(400, "The body is malformed.");
}

}  // namespace warmlane::admin
