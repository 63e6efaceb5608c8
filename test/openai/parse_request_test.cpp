#include "warmlane/openai/parse_request.hpp"

#include "openai/parsed.hpp"

#include <span>
#include <string>

namespace warmlane::openai {
namespace {

/// A chat body with these members beside its messages.
std::string chat(const std::string& members) {
    return R"({"messages":[{"role":"user","content":"Hi"}])" + (members.empty() ? "" : "," + members) + "}";
}

/// A body that is refused, and what is said about it.
struct Fault {
    Api api;
    std::string body;
    std::string param;
    std::string message;
};

void check_faults(std::span<const Fault> faults) {
    for (const Fault& fault : faults) {
        CAPTURE(fault.body);
        const RequestError error = refused(fault.api, fault.body);
        CHECK(error.param == fault.param);
        CHECK(error.message == fault.message);
    }
}

}  // namespace

TEST_CASE("api_of: known paths are inference when they are posted to") {
    struct Row {
        std::string method;
        std::string path;
        Api api;
    };
    const Row rows[] = {
        {"POST", "/v1/chat/completions", Api::chat_completions},
        {"POST", "/v1/completions", Api::completions},
        {"POST", "/v1/embeddings", Api::embeddings},
        {"POST", "/v1/responses", Api::responses},
        {"POST", "/v1/messages", Api::messages},
        {"POST", "/v1/rerank", Api::rerank},
        {"POST", "/v2/rerank", Api::rerank},
        {"POST", "/rerank", Api::rerank},
        {"POST", "/v1/score", Api::score},
        {"POST", "/score", Api::score},
        {"GET", "/v1/chat/completions", Api::other},
        {"post", "/v1/completions", Api::other},
        {"POST", "/v1/chat/completions/", Api::other},
        {"POST", "/v1/Completions", Api::other},
        {"POST", "/v1/messages/count_tokens", Api::other},
        {"POST", "/tokenize", Api::other},
        {"POST", "", Api::other},
    };
    for (const Row& row : rows) {
        CAPTURE(row.method);
        CAPTURE(row.path);
        CHECK(api_of(row.method, row.path) == row.api);
    }
}

TEST_CASE("parse_request: fields that routing reads") {
    const InferenceRequest request = parsed(
        Api::chat_completions,
        chat(R"("stream":true,"stream_options":{"x":1,"include_usage":true},"model":"org/m-1",)"
             R"("cache_salt":"s\u0031","max_tokens":128,"temperature":0.5)")
    );
    CHECK(request.api == Api::chat_completions);
    CHECK(request.model == "org/m-1");
    CHECK(request.cache_salt == "s1");
    CHECK(request.stream);
    CHECK(request.include_usage);
    CHECK(request.max_tokens == 128);
    CHECK(request.prompts.size() == 1);
}

TEST_CASE("parse_request: fields that are absent or null") {
    const std::string bodies[] = {
        chat(""),
        chat(
            R"("model":null,"stream":null,"stream_options":null,"cache_salt":null,"max_tokens":null,"tools":null)"
        ),
        chat(R"("stream":false,"stream_options":{},"tools":[ ])"),
        chat(R"("stream_options":{"include_usage":null})"),
    };
    for (const std::string& body : bodies) {
        CAPTURE(body);
        const InferenceRequest request = parsed(Api::chat_completions, body);
        CHECK(request.model.empty());
        CHECK(request.cache_salt.empty());
        CHECK_FALSE(request.stream);
        CHECK_FALSE(request.include_usage);
        CHECK(request.max_tokens == 0);
        CHECK(joined(request.prompts.at(0)) == joined(parsed(Api::chat_completions, chat("")).prompts.at(0)));
    }
}

TEST_CASE("parse_request: the limit of completion tokens") {
    struct Row {
        std::string members;
        std::uint32_t max_tokens;
    };
    const Row rows[] = {
        {R"("max_tokens":1)", 1},
        {R"("max_completion_tokens":7)", 7},
        {R"("max_output_tokens":8)", 8},
        {R"("max_tokens":100,"max_completion_tokens":7)", 7},
        {R"("max_tokens":7,"max_completion_tokens":100)", 7},
        {R"("max_tokens":0)", 0},
        {R"("max_tokens":-1)", 0},
        {R"("max_tokens":2.0)", 2},
        {R"("max_tokens":1e3)", 1000},
        {R"("max_tokens":4294967295)", 4294967295},
        {R"("max_tokens":4294967296)", 4294967295},
        {R"("max_tokens":18446744073709551616)", 4294967295},
    };
    for (const Row& row : rows) {
        CAPTURE(row.members);
        CHECK(parsed(Api::chat_completions, chat(row.members)).max_tokens == row.max_tokens);
    }
}

TEST_CASE("parse_request: a body that is not JSON is refused with its position") {
    struct Row {
        const char* name;
        std::string body;
        std::string message;
        std::size_t offset;
    };
    const Row rows[] = {
        {"empty", "", "Invalid JSON at byte 0: the text ends too early.", 0},
        {"text", "hello", "Invalid JSON at byte 0: expected a value.", 0},
        {"NaN", chat(R"("temperature":NaN)"), "Invalid JSON at byte 59: expected a value.", 59},
        {"a byte order mark", "\xEF\xBB\xBF{}", "Invalid JSON at byte 0: a byte order mark is not allowed.", 0
        },
        {"a second value",
         chat("") + "{}",
         "Invalid JSON at byte 45: something follows the end of the value.",
         45},
        {"half a surrogate pair in a message",
         R"({"messages":[{"content":"\ud800"}]})",
         "Invalid JSON at byte 25: half of a surrogate pair stands alone.",
         25},
        {"cut off", R"({"messages":[{"ro)", "Invalid JSON at byte 17: the text ends too early.", 17},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const RequestError error = refused(Api::chat_completions, row.body);
        CHECK(error.message == row.message);
        CHECK(error.param.empty());
        CHECK(error.offset == row.offset);
    }
}

TEST_CASE("parse_request: half a surrogate pair passes where routing does not read") {
    CHECK(parsed(Api::chat_completions, chat(R"("user":"\ud800")")).prompts.size() == 1);
    CHECK(parsed(Api::chat_completions, chat(R"("tools":[{"x":"\ud800"}])")).prompts.size() == 1);
}

TEST_CASE("parse_request: a body that is not an object is refused") {
    for (const std::string body : {"[]", "\"x\"", "7", "null", "true"}) {
        CAPTURE(body);
        const RequestError error = refused(Api::completions, body);
        CHECK(error.message == "The body must be a JSON object.");
        CHECK(error.param.empty());
    }
}

TEST_CASE("parse_request: fields of the wrong type are refused by name") {
    const Api a = Api::chat_completions;
    const Fault faults[] = {
        {a, chat(R"("model":7)"), "model", "`model` must be a string."},
        {a, chat(R"("cache_salt":{})"), "cache_salt", "`cache_salt` must be a string."},
        {a, chat(R"("stream":"true")"), "stream", "`stream` must be true or false."},
        {a, chat(R"("stream":1)"), "stream", "`stream` must be true or false."},
        {a, chat(R"("stream_options":true)"), "stream_options", "`stream_options` must be an object."},
        {a,
         chat(R"("stream_options":{"include_usage":1})"),
         "stream_options.include_usage",
         "`stream_options.include_usage` must be true or false."},
        {a, chat(R"("max_tokens":"7")"), "max_tokens", "`max_tokens` must be a number."},
        {a, chat(R"("tools":{})"), "tools", "`tools` must be a list."},
        {Api::messages,
         R"({"system":1,"messages":[{}]})",
         "system",
         "`system` must be a string or a list of parts."},
        {Api::responses, R"({"input":7})", "input", "`input` must be a string or a list of items."},
        {Api::responses, R"({"instructions":7})", "instructions", "`instructions` must be a string."},
    };
    check_faults(faults);
}

TEST_CASE("parse_request: messages of the wrong type are refused by number and name") {
    const Api a = Api::chat_completions;
    const Fault faults[] = {
        {a, R"({"messages":"Hi"})", "messages", "`messages` must be a list of messages."},
        {a, R"({"messages":null})", "messages", "`messages` must be a list of messages."},
        {a, R"({"messages":[]})", "messages", "`messages` must not be empty."},
        {a, R"({"messages":[{},null]})", "messages[1]", "`messages[1]` must be an object."},
        {a, R"({"messages":[{"role":1}]})", "messages[0].role", "`messages[0].role` must be a string."},
        {a,
         R"({"messages":[{"content":1}]})",
         "messages[0].content",
         "`messages[0].content` must be a string or a list of parts."},
        {a,
         R"({"messages":[{"content":["a",1]}]})",
         "messages[0].content",
         "`messages[0].content` must be a string or a list of parts."},
        {a,
         R"({"messages":[{"tool_calls":"x"}]})",
         "messages[0].tool_calls",
         "`messages[0].tool_calls` must be a list."},
    };
    check_faults(faults);
}

TEST_CASE("parse_request: prompts of the wrong type are refused") {
    const Api c = Api::completions;
    const std::string forms =
        "`prompt` must be a string, a list of strings, a list of token ids, or a list of those.";
    const std::string token = "`prompt` holds a token id that is not a whole number of 32 bits.";
    const Fault faults[] = {
        {c, R"({"prompt":[]})", "prompt", "`prompt` must not be empty."},
        {c, R"({"prompt":7})", "prompt", forms},
        {c, R"({"prompt":[null]})", "prompt", forms},
        {c, R"({"prompt":["a",1]})", "prompt", forms},
        {c, R"({"prompt":[[1],2]})", "prompt", forms},
        {c, R"({"prompt":[1,"a"]})", "prompt", token},
        {c, R"({"prompt":[-1]})", "prompt", token},
        {c, R"({"prompt":[1.5]})", "prompt", token},
        {c, R"({"prompt":[1e2]})", "prompt", token},
        {c, R"({"prompt":[4294967296]})", "prompt", token},
        {c, R"({"prompt":[[1],["a"]]})", "prompt", token},
    };
    check_faults(faults);
}

TEST_CASE("parse_request: what holds the prompt must be there") {
    const std::string prompt = "The body must have `prompt` or `prompt_embeds`.";
    const Fault faults[] = {
        {Api::chat_completions, "{}", "messages", "The body must have `messages`."},
        {Api::chat_completions, R"({"prompt":"x"})", "messages", "The body must have `messages`."},
        {Api::messages, R"({"system":"x"})", "messages", "The body must have `messages`."},
        {Api::completions, "{}", "prompt", prompt},
        {Api::completions, R"({"prompt":null})", "prompt", prompt},
        {Api::completions, R"({"prompt":null,"prompt_embeds":null})", "prompt", prompt},
        {Api::embeddings, "{}", "input", "The body must have `input` or `messages`."},
        {Api::responses, R"({"instructions":"x"})", "input", "The body must have `input`."},
        {Api::responses, R"({"input":null})", "input", "The body must have `input`."},
    };
    check_faults(faults);
}

TEST_CASE("parse_request: an error names the byte of the value at fault") {
    CHECK(refused(Api::chat_completions, R"({"model": 7})").offset == 10);
    CHECK(refused(Api::chat_completions, R"({"messages": []})").offset == 13);
    CHECK(refused(Api::chat_completions, R"({"messages":[{"role":"u"}, 1]})").offset == 27);
    CHECK(refused(Api::completions, R"({"prompt":[1, -2]})").offset == 14);
}

TEST_CASE("parse_request: a model name has a longest length") {
    const ParseLimits limits{.depth = 16, .model_bytes = 4};
    const auto parse = [&limits](std::string_view model) {
        return parse_request(
            Api::completions, R"({"prompt":"x","model":")" + std::string(model) + "\"}", limits
        );
    };
    CHECK(parse("abcd").index() == 0);
    // Counted in bytes of what it means, not of how it is written.
    CHECK(parse(R"(\u0061bcd)").index() == 0);
    REQUIRE(parse("abcde").index() == 1);
    CHECK(std::get<RequestError>(parse("abcde")).message == "`model` must not be longer than 4 bytes.");
}

TEST_CASE("parse_request: nesting has a deepest level") {
    const auto body = [](std::size_t depth) {
        return R"({"prompt":"x","y":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    CHECK(parsed(Api::completions, body(127)).prompts.size() == 1);
    const RequestError error = refused(Api::completions, body(128));
    CHECK(error.message == "Invalid JSON at byte 145: it is nested too deeply.");
    CHECK(
        refused(Api::chat_completions, R"({"messages":[{"content":)" + std::string(100'000, '[')).offset < 200
    );
}

TEST_CASE("parse_request: a key that routing reads must not stand twice, however it is written") {
    struct Row {
        Api api;
        std::string body;
        std::string param;
    };
    const Api a = Api::chat_completions;
    const Row rows[] = {
        {a, chat(R"("model":"a","model":"a")"), "model"},
        {a, chat(R"("model":"a","m\u006fdel":"b")"), "model"},
        {a, chat(R"("stream":true,"stream":true)"), "stream"},
        {a, chat(R"("cache_salt":null,"cache_salt":"x")"), "cache_salt"},
        {a, chat(R"("stream_options":{},"stream_options":{})"), "stream_options"},
        {a,
         chat(R"("stream_options":{"include_usage":true,"include_usage":false})"),
         "stream_options.include_usage"},
        {a, chat(R"("max_tokens":1,"max_tokens":1)"), "max_tokens"},
        {a, chat(R"("tools":[],"tools":[])"), "tools"},
        {a, chat(R"("messages":[{}])"), "messages"},
        {a, R"({"messages":[{"role":"a","role":"a"}]})", "messages[0].role"},
        {a, R"({"messages":[{},{"content":"a","content":"a"}]})", "messages[1].content"},
        {a, R"({"messages":[{"tool_calls":[],"tool_calls":[]}]})", "messages[0].tool_calls"},
        {a, R"({"messages":[{"content":[{"text":"a","text":"b"}]}]})", "messages[0].content"},
        {Api::completions, R"({"prompt":"a","prompt":"a"})", "prompt"},
        {Api::embeddings, R"({"input":"a","input":"a"})", "input"},
        {Api::responses, R"({"input":"a","instructions":"a","instructions":"a"})", "instructions"},
        {Api::messages, R"({"messages":[{}],"system":"a","system":"a"})", "system"},
        {Api::rerank, R"({"query":"a","query":"a"})", "query"},
        {Api::rerank, R"({"documents":[],"documents":[]})", "documents"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.body);
        const RequestError error = refused(row.api, row.body);
        CHECK(error.param == row.param);
    }
}

TEST_CASE("parse_request: keys that routing does not read pass, also twice") {
    const InferenceRequest request = parsed(
        Api::chat_completions,
        chat(R"("user":"a","user":"b","prompt":1,"prompt":2,"seed":18446744073709551615)")
    );
    CHECK(request.prompts.size() == 1);
    CHECK(parsed(Api::chat_completions, R"({"messages":[{"x":1,"x":2}]})").prompts.size() == 1);
}

TEST_CASE("parse_request: of another path nothing is read and nothing can fail") {
    for (const std::string body : {"", "not JSON", R"({"model":7})", R"({"model":"m"})"}) {
        const InferenceRequest request = parsed(Api::other, body);
        CHECK(request.api == Api::other);
        CHECK(request.model.empty());
        CHECK(request.prompts.empty());
    }
}

TEST_CASE("parse_request: an error says nothing of the prompt") {
    const RequestError errors[] = {
        refused(Api::chat_completions, R"({"messages":[{"role":"secret","content":"secret" "x"}]})"),
        refused(
            Api::chat_completions, R"({"messages":[{"role":"secret","content":["secret",{}],"name":7}]})"
        ),
        refused(Api::completions, R"({"prompt":["secret",1]})"),
    };
    for (const RequestError& error : errors) {
        CAPTURE(error.message);
        CHECK(error.message.find("secret") == std::string::npos);
    }
}

TEST_CASE("parse_request: a request keeps its prompts when it is moved") {
    const std::string body = chat(R"("model":"m")");
    InferenceRequest first = parsed(Api::chat_completions, body);
    const std::string before = joined(first.prompts.at(0));
    const InferenceRequest second = std::move(first);
    CHECK(joined(second.prompts.at(0)) == before);
}

}  // namespace warmlane::openai
