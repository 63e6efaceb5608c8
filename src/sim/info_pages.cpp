#include "info_pages.hpp"

#include "apis.hpp"
#include "chat_template.hpp"
#include "message_reader.hpp"
#include "request_fields.hpp"
#include "tokenizer.hpp"
#include "wire_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

constexpr std::string_view kResponsesPath = "/v1/responses/";
constexpr std::string_view kVersion = "0.11.0+sim";

http::Response json_page(std::string body, unsigned status = 200) {
    return {.status = status, .fields = {}, .body = std::move(body)};
}

http::Response error_page(const ApiError& error) {
    return json_page(openai_error(error), error.status);
}

std::string joined(const std::vector<ReadError>& errors) {
    std::string text;
    for (const ReadError& error : errors) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", error.path, error.message);
    }
    return text;
}

}  // namespace

struct InfoPages::Page {
    std::string_view method;
    std::string_view path;
    http::Response (InfoPages::*answer)(std::string_view body) const = nullptr;
};

const InfoPages::Page* InfoPages::find(std::string_view method, std::string_view path, bool& path_known) {
    static constexpr std::array<Page, 12> kPages = {{
        {"GET", "/v1/models", &InfoPages::models},
        {"GET", "/health", &InfoPages::health},
        {"GET", "/ping", &InfoPages::health},
        {"POST", "/ping", &InfoPages::health},
        {"GET", "/version", &InfoPages::version},
        {"GET", "/metrics", &InfoPages::metrics},
        {"POST", "/tokenize", &InfoPages::tokenize},
        {"POST", "/reset_prefix_cache", &InfoPages::reset_prefix_cache},
        {"GET", "/sim/state", &InfoPages::state},
        {"GET", "/sim/faults", &InfoPages::show_faults},
        {"POST", "/sim/faults", &InfoPages::set_faults},
        {"DELETE", "/sim/faults", &InfoPages::set_faults},
    }};
    for (const Page& page : kPages) {
        if (page.path == path) {
            path_known = true;
            if (page.method == method) {
                return &page;
            }
        }
    }
    return nullptr;
}

http::Response InfoPages::answer(std::string_view method, std::string_view path, std::string_view body)
    const {
    if (method == "GET" && path.starts_with(kResponsesPath)) {
        return stored_response(path.substr(kResponsesPath.size()));
    }
    bool path_known = find_api(path) != nullptr;
    if (const Page* const page = find(method, path, path_known)) {
        return (this->*page->answer)(body);
    }
    return path_known ? json_page(R"({"detail":"Method Not Allowed"})", 405)
                      : json_page(R"({"detail":"Not Found"})", 404);
}

http::Response InfoPages::models(std::string_view) const {
    const std::string name = json_text(picture_.options.model);
    return json_page(fmt::format(
        R"({{"object":"list","data":[{{"id":{},"object":"model","created":{},"owned_by":"vllm","root":{},)"
        R"("parent":null,"max_model_len":{}}}]}})",
        name,
        static_cast<std::int64_t>(picture_.process_start_time),
        name,
        picture_.driver.engine().request_tokens_max()
    ));
}

http::Response InfoPages::health(std::string_view) const {
    return {};
}

http::Response InfoPages::version(std::string_view) const {
    return json_page(fmt::format(R"({{"version":"{}"}})", kVersion));
}

http::Response InfoPages::metrics(std::string_view) const {
    const EngineStats stats = picture_.driver.engine().stats();
    return {
        .status = 200,
        .fields = {},
        .body = metrics_page({
            .model = picture_.options.model,
            .engine = picture_.driver.engine().options(),
            .stats = stats,
            .histograms = picture_.driver.histograms(),
            .process_start_time = picture_.process_start_time,
        }),
        .content_type = "text/plain; version=0.0.4; charset=utf-8",
    };
}

http::Response InfoPages::tokenize(std::string_view body) const {
    json::error_code ec;
    const json::value value = json::parse(body, ec);
    if (ec || !value.is_object()) {
        return error_page({.status = 400, .message = "the body is no JSON object"});
    }
    RequestFields fields(value.get_object());
    std::string text = fields.text("prompt");
    if (fields.value("messages") != nullptr) {
        text = render_chat(read_chat_messages(fields), fields.list("tools"));
    } else if (fields.value("prompt") == nullptr) {
        fields.fail("prompt", "Field required");
    }
    if (const ApiError* const error = fields.error()) {
        return error_page(*error);
    }
    const std::vector<Token> tokens = sim::tokenize(text);
    return json_page(fmt::format(
        R"({{"count":{},"max_model_len":{},"tokens":[{}],"token_strs":null}})",
        tokens.size(),
        picture_.driver.engine().request_tokens_max(),
        fmt::join(tokens, ",")
    ));
}

http::Response InfoPages::reset_prefix_cache(std::string_view) const {
    picture_.driver.engine().reset_prefix_cache();
    return {};
}

http::Response InfoPages::state(std::string_view) const {
    const EngineStats stats = picture_.driver.engine().stats();
    json::object out;
    out["model"] = picture_.options.model;
    out["running"] = stats.running;
    out["waiting"] = stats.waiting;
    out["kv_usage"] = stats.kv_usage;
    out["cached_blocks"] = stats.cached_blocks;
    out["evicted_blocks"] = stats.evicted_blocks;
    out["steps"] = stats.steps;
    out["finished_requests"] = stats.finished;
    out["aborted_requests"] = stats.aborted;
    out["refused_requests"] = stats.refused;
    out["preemptions"] = stats.preemptions;
    out["prompt_tokens"] = stats.prompt_tokens;
    out["generation_tokens"] = stats.generation_tokens;
    out["prefix_query_tokens"] = stats.prefix_query_tokens;
    out["prefix_hit_tokens"] = stats.prefix_hit_tokens;
    return json_page(json::serialize(out));
}

http::Response InfoPages::show_faults(std::string_view) const {
    return json_page(json::serialize(fault_json(picture_.faults.current())));
}

/// An empty body, as DELETE has it, takes the faults away.
http::Response InfoPages::set_faults(std::string_view body) const {
    json::error_code ec;
    const json::value value = body.empty() ? json::object() : json::parse(body, ec);
    if (ec || !value.is_object()) {
        return error_page({.status = 400, .message = "the body is no JSON object"});
    }
    std::vector<ReadError> errors;
    Fault fault = read_fault(value, errors);
    if (!errors.empty()) {
        return error_page({.status = 400, .message = joined(errors)});
    }
    if (fault.refuse.count() > 0) {
        picture_.refuse(std::exchange(fault.refuse, {}));
    }
    picture_.faults.set(std::move(fault));
    return show_faults({});
}

http::Response InfoPages::stored_response(std::string_view id) const {
    const ResponseStore::Entry* const entry = picture_.responses.find(std::string(id));
    if (entry == nullptr) {
        return error_page(
            {.status = 404,
             .message = fmt::format("Response with id '{}' not found.", id),
             .param = "response_id"}
        );
    }
    return json_page(entry->json);
}

}  // namespace warmlane::sim
