#include "local_answers.hpp"

#include "warmlane/openai/error_body.hpp"
#include "warmlane/openai/model_list.hpp"

#include <boost/uuid/uuid_io.hpp>

#include <algorithm>

namespace warmlane::proxy {
namespace {

http::Response error(unsigned status, std::string_view message) {
    http::Response response;
    response.status = status;
    response.body = openai::error_body(message, "invalid_request_error");
    return response;
}

http::Response readiness(const PoolSnapshot& pool, bool shutting_down) {
    const bool serving = std::ranges::any_of(pool.endpoints, [](const EndpointStatus& status) {
        return status.takes_traffic();
    });
    http::Response response;
    response.status = serving && !shutting_down ? 200 : 503;
    response.body = shutting_down ? R"({"status":"shutting down"})"
                    : serving     ? R"({"status":"ready"})"
                                  : R"({"status":"no endpoint takes traffic"})";
    return response;
}

bool is_printable(char c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '\\';
}

}  // namespace

http::Response local_answer(Route route, const PoolSnapshot& pool, bool shutting_down) {
    http::Response response;
    switch (route) {
        case Route::liveness: response.body = R"({"status":"ok"})"; return response;
        case Route::readiness: return readiness(pool, shutting_down);
        case Route::models: response.body = openai::union_model_list(pool); return response;
        case Route::options:
            response.status = 204;
            response.fields.push_back({"Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"});
            return response;
        case Route::engine_control:
            return error(403, "This path controls a single model server and is not open here.");
        case Route::post_only:
            response = error(405, "This path takes POST only.");
            response.fields.push_back({"Allow", "POST"});
            return response;
        case Route::unknown:
        case Route::forward: break;
    }
    return error(404, "There is nothing at this path.");
}

std::string RequestIds::id_for(const http::RequestHead& head) {
    const std::string_view given = head.value_of("x-request-id");
    const bool fit =
        !given.empty() && given.size() <= kIdBytesMax && std::ranges::all_of(given, is_printable);
    return fit ? std::string(given) : boost::uuids::to_string(make_uuid_());
}

}  // namespace warmlane::proxy
