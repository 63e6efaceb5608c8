#include "proxy/path_rules.hpp"

#include <doctest/doctest.h>

namespace warmlane::proxy {
namespace {

struct Row {
    const char* name;
    const char* method;
    const char* path;
    Route route;
};

TEST_CASE("route_of: who answers which path") {
    const Row rows[] = {
        {"chat goes to an endpoint", "POST", "/v1/chat/completions", Route::forward},
        {"so does what we do not know", "POST", "/v1/audio/transcriptions", Route::forward},
        {"and a tokenizer", "POST", "/tokenize", Route::forward},
        {"health is ours", "GET", "/health", Route::liveness},
        {"also with HEAD", "HEAD", "/health", Route::liveness},
        {"liveness", "GET", "/liveness", Route::liveness},
        {"readiness", "GET", "/readiness", Route::readiness},
        {"the union of models", "GET", "/v1/models", Route::models},
        {"one model is the endpoint's", "GET", "/v1/models/a", Route::forward},
        {"OPTIONS of the whole server", "OPTIONS", "*", Route::options},
        {"a preflight goes on", "OPTIONS", "/v1/chat/completions", Route::forward},
        {"chat takes POST only", "GET", "/v1/chat/completions", Route::post_only},
        {"embeddings too", "DELETE", "/v1/embeddings", Route::post_only},
        {"a stored response is read by GET", "GET", "/v1/responses/resp_1", Route::forward},
        {"metrics live on the admin port", "GET", "/metrics", Route::unknown},
        {"and below", "GET", "/endpoints/a", Route::unknown},
        {"a longer word is another path", "GET", "/metricsx", Route::forward},
        {"sleep", "POST", "/sleep", Route::engine_control},
        {"cache reset", "POST", "/reset_prefix_cache", Route::engine_control},
        {"adapter load", "POST", "/v1/load_lora_adapter", Route::engine_control},
        {"below a control path", "POST", "/fault_tolerance/apply", Route::engine_control},
        {"escaped letters", "POST", "/%73leep", Route::engine_control},
        {"escaped slash", "POST", "/v1%2Fload_lora_adapter", Route::engine_control},
        {"doubled slash", "POST", "//sleep", Route::engine_control},
        {"trailing slash", "POST", "/sleep/", Route::engine_control},
        {"a way up leads nowhere", "POST", "/v1/../sleep", Route::unknown},
        {"nor does an escaped one", "POST", "/v1/%2e%2e/sleep", Route::unknown},
        {"a dot is nothing", "POST", "/./sleep", Route::engine_control},
        {"a cut escape is just text", "POST", "/v1/x%2", Route::forward},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(route_of(row.method, row.path) == row.route);
    }
}

TEST_CASE("response_id_of: the id behind /v1/responses/") {
    CHECK(response_id_of("/v1/responses/resp_1") == "resp_1");
    CHECK(response_id_of("/v1/responses/resp_1/cancel") == "resp_1");
    CHECK(response_id_of("/v1/responses") == "");
    CHECK(response_id_of("/v1/responses/") == "");
    CHECK(response_id_of("/v1/models/m") == "");
}

}  // namespace
}  // namespace warmlane::proxy
