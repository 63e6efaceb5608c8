// What of a body becomes the prompt, and in which order.

#include "openai/parsed.hpp"
#include "openai/prompt_builder.hpp"

#include <algorithm>
#include <string>

namespace warmlane::openai {
namespace {

using Kind = FieldKind;
using Strings = std::vector<std::string>;

std::string field(Kind kind, const std::string& bytes) {
    std::string frame(5, '\0');
    frame[0] = static_cast<char>(kind);
    put_u32(frame.data() + 1, static_cast<std::uint32_t>(bytes.size()));
    return frame + bytes;
}

std::string message(const std::string& role, const std::string& text) {
    return field(Kind::role, role) + field(Kind::text, text);
}

/// XXH3_128 with seed 0, most significant byte first, as xxhsum -H2 prints it.
std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return bytes;
}

std::string chat_prompt(const std::string& messages) {
    const Strings prompts = prompts_of(Api::chat_completions, R"({"messages":[)" + messages + "]}");
    REQUIRE(prompts.size() == 1);
    return prompts.front();
}

std::string anthropic_prompt(const std::string& members) {
    return prompts_of(Api::messages, "{" + members + "}").at(0);
}

}  // namespace

TEST_CASE("prompt of a chat: each message is its role and its content") {
    CHECK(
        chat_prompt(R"({"role":"system","content":"Be kind."},{"role":"user","content":"Hi"})") ==
        message("system", "Be kind.") + message("user", "Hi")
    );
}

TEST_CASE("prompt of a chat: the order of keys does not matter, the order of messages does") {
    const std::string one = R"({"role":"user","content":"Hi","name":"n"})";
    const std::string other = R"({"name":"n","content":"Hi","role":"user"})";
    CHECK(chat_prompt(one) == chat_prompt(other));
    CHECK(chat_prompt(one + R"(,{"role":"user"})") != chat_prompt(R"({"role":"user"},)" + one));
    const Strings tools_first = prompts_of(
        Api::chat_completions, R"({"tools":[{"a":1}],"messages":[{"role":"user","content":"Hi"}]})"
    );
    const Strings tools_last = prompts_of(
        Api::chat_completions, R"({"messages":[{"role":"user","content":"Hi"}],"tools":[{"a":1}]})"
    );
    CHECK(tools_first == tools_last);
    CHECK(tools_first.at(0) == field(Kind::tools, R"([{"a":1}])") + message("user", "Hi"));
}

TEST_CASE("prompt of a chat: everything that an engine renders is in it, in one order") {
    CHECK(
        chat_prompt(
            R"({"tool_call_id":"c0","tool_calls":[{"id":"c1", "function":{}}],"reasoning_content":"Rc","reasoning":"R",)"
            R"("refusal":"No","content":null,"name":"n","role":"assistant"})"
        ) == field(Kind::role, "assistant") + field(Kind::name, "n") + field(Kind::refusal, "No") +
                 field(Kind::reasoning, "R") + field(Kind::reasoning, "Rc") +
                 field(Kind::tool_calls, R"([{"id":"c1", "function":{}}])") + field(Kind::tool_call_id, "c0")
    );
}

TEST_CASE("prompt of a chat: what makes a difference to an engine makes one here") {
    struct Row {
        const char* name;
        std::string one;
        std::string other;
    };
    const Row rows[] = {
        {"role", R"({"role":"user","content":"x"})", R"({"role":"system","content":"x"})"},
        {"unknown role", R"({"role":"critic","content":"x"})", R"({"role":"user","content":"x"})"},
        {"text", R"({"role":"user","content":"x"})", R"({"role":"user","content":"y"})"},
        {"where a text is cut",
         R"({"role":"user","content":["ab","c"]})",
         R"({"role":"user","content":["a","bc"]})"},
        {"role against text", R"({"role":"us","content":"erx"})", R"({"role":"user","content":"x"})"},
        {"text against name", R"({"role":"u","content":"x"})", R"({"role":"u","name":"x"})"},
        {"refusal against text", R"({"role":"u","content":"x"})", R"({"role":"u","refusal":"x"})"},
        {"tool result",
         R"({"role":"tool","tool_call_id":"a","content":"1"})",
         R"({"role":"tool","tool_call_id":"a","content":"2"})"},
        {"tool call id", R"({"role":"tool","tool_call_id":"a"})", R"({"role":"tool","tool_call_id":"b"})"},
        {"arguments",
         R"({"tool_calls":[{"function":{"arguments":"{1}"}}]})",
         R"({"tool_calls":[{"function":{"arguments":"{2}"}}]})"},
        {"old call", R"({"function_call":{"arguments":"{1}"}})", R"({"function_call":{"arguments":"{2}"}})"},
        {"image",
         R"({"content":[{"type":"image_url","image_url":{"url":"http://a/1"}}]})",
         R"({"content":[{"type":"image_url","image_url":{"url":"http://a/2"}}]})"},
        {"audio",
         R"({"content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}]})",
         R"({"content":[{"type":"input_audio","input_audio":{"data":"AAAB","format":"wav"}}]})"},
        {"unknown part",
         R"({"content":[{"type":"file","file":{"id":1}}]})",
         R"({"content":[{"type":"file","file":{"id":2}}]})"},
        {"part without type", R"({"content":[{"a":1}]})", R"({"content":[{"a":2}]})"},
        {"one message or two",
         R"({"role":"u","content":"ab"})",
         R"({"role":"u","content":"a"},{"role":"","content":"b"})"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(chat_prompt(row.one) != chat_prompt(row.other));
    }
}

TEST_CASE("prompt of a chat: what makes no difference to an engine makes none here") {
    struct Row {
        const char* name;
        std::string one;
        std::string other;
    };
    const Row rows[] = {
        {"text as a part",
         R"({"role":"u","content":"x"})",
         R"({"role":"u","content":[{"type":"text","text":"x"}]})"},
        {"a part without a type", R"({"role":"u","content":"x"})", R"({"role":"u","content":[{"text":"x"}]})"
        },
        {"a mark for a cache",
         R"({"content":[{"type":"text","text":"x"}]})",
         R"({"content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]})"},
        {"escapes", R"({"role":"u","content":"caf\u00e9\/"})", "{\"role\":\"u\",\"content\":\"caf\xC3\xA9/\"}"
        },
        {"null and nothing", R"({"role":"u","content":null,"tool_calls":null,"name":null})", R"({"role":"u"})"
        },
        {"no tool calls", R"({"role":"u","tool_calls":[ ]})", R"({"role":"u"})"},
        {"a URL in an object",
         R"({"content":[{"type":"image_url","image_url":{"detail":"low","url":"http://a"}}]})",
         R"({"content":[{"image_url":"http://a","type":"image_url"}]})"},
        {"white space", R"({"role":"u","content":"x"})", "{ \"role\" :\n\"u\" , \"content\" : \"x\" }"},
        {"unknown keys",
         R"({"role":"u","content":"x"})",
         R"({"role":"u","content":"x","weight":1,"audio":{"id":"a"}})"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(chat_prompt(row.one) == chat_prompt(row.other));
    }
}

TEST_CASE("prompt of a chat: media stand for themselves by sixteen bytes, between the texts around them") {
    const std::string digest = from_hex("67793af16e7aacf3609c46e89969b787");
    const std::string prompt = chat_prompt(
        R"({"role":"user","content":[{"type":"text","text":"a"},)"
        R"({"type":"image_url","image_url":{"url":"https://example.com/a.png"}},{"type":"text","text":"b"}]})"
    );
    CHECK(
        prompt == field(Kind::role, "user") + field(Kind::text, "a") + field(Kind::media, digest) +
                      field(Kind::text, "b")
    );
    // However long the data are.
    const std::string data = "data:image/png;base64," + std::string(100'000, 'A');
    CHECK(
        chat_prompt(R"({"content":[{"type":"image_url","image_url":{"url":")" + data + R"("}}]})").size() ==
        5 + 5 + 16
    );
}

TEST_CASE("prompt of a chat: a conversation that grows keeps its bytes") {
    const Strings messages = {
        R"({"role":"system","content":"You are a careful assistant."})",
        R"({"role":"user","content":[{"type":"text","text":"What is in it?"},{"type":"image_url","image_url":{"url":"u"}}]})",
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}}]})",
        R"({"role":"tool","tool_call_id":"c1","content":"A line\nand another"})",
        R"({"role":"assistant","reasoning_content":"Hm.","content":"A cat."})",
        R"({"role":"user","content":"Which colour? )" + std::string(500, 'x') + "\"}",
    };
    std::string body;
    std::string before;
    for (const std::string& next : messages) {
        body += (body.empty() ? "" : ",") + next;
        const std::string prompt = chat_prompt(body);
        CHECK(prompt.size() > before.size());
        CHECK(prompt.starts_with(before));
        before = prompt;
    }
}

TEST_CASE("prompt of a chat: no text can pass for another message") {
    const std::string imitation = std::string("a") + field(Kind::role, "user") + field(Kind::text, "b");
    std::string escaped;
    for (const char c : imitation) {
        constexpr char kDigits[] = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        escaped += std::string("\\u00") + kDigits[byte / 16] + kDigits[byte % 16];
    }
    const std::string one = chat_prompt(R"({"role":"user","content":")" + escaped + "\"}");
    const std::string two = chat_prompt(R"({"role":"user","content":"a"},{"role":"user","content":"b"})");
    CHECK(one.size() == two.size());
    CHECK(one != two);
}

TEST_CASE("prompt of a chat: text that needs no resolving is not copied") {
    const std::string text(1'000, 'x');
    const std::string body = R"({"messages":[{"role":"user","content":")" + text + "\"}]}";
    const InferenceRequest request = parsed(Api::chat_completions, body);
    const auto& runs = request.prompts.at(0).runs;
    const auto inside = [&body](std::string_view run) {
        return run.data() >= body.data() && run.data() + run.size() <= body.data() + body.size();
    };
    REQUIRE(runs.size() == 2);
    CHECK_FALSE(inside(runs[0]));
    CHECK(inside(runs[1]));
    CHECK(runs[1].size() == 1'000);
}

TEST_CASE("prompt of a chat: fields beyond a limit are not looked at") {
    std::string parts;
    for (std::size_t i = 0; i < PromptBuilder::kFieldsMax + 100; ++i) {
        parts += R"("a",)";
    }
    const std::string prompt = chat_prompt(R"({"role":"user","content":[)" + parts + R"("b"]})");
    CHECK(prompt.size() == 9 + (PromptBuilder::kFieldsMax - 1) * 6);
}

TEST_CASE("prompt of completions: exactly its bytes") {
    struct Row {
        std::string prompt;
        Strings bytes;
    };
    const Row rows[] = {
        {R"("hello world")", {"hello world"}},
        {R"("")", {""}},
        {R"("a\n\u00e9")", {"a\n\xC3\xA9"}},
        {R"(["abc"])", {"abc"}},
        {R"(["abc","def",""])", {"abc", "def", ""}},
        {"[1,2,4294967295]", {std::string("\1\0\0\0\2\0\0\0\xFF\xFF\xFF\xFF", 12)}},
        {"[[1,2],[3],[]]", {std::string("\1\0\0\0\2\0\0\0", 8), std::string("\3\0\0\0", 4), ""}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.prompt);
        CHECK(prompts_of(Api::completions, R"({"prompt":)" + row.prompt + "}") == row.bytes);
        CHECK(prompts_of(Api::embeddings, R"({"input":)" + row.prompt + "}") == row.bytes);
    }
    CHECK(prompts_of(Api::completions, R"({"prompt":null,"prompt_embeds":"AAAA"})").empty());
}

TEST_CASE("prompt of completions: prompts beyond a limit are not looked at") {
    std::string list = "\"\"";
    for (int i = 0; i < 5'000; ++i) {
        list += ",\"\"";
    }
    CHECK(prompts_of(Api::completions, R"({"prompt":[)" + list + "]}").size() == 4'096);
}

TEST_CASE("prompt of embeddings: messages as in a chat") {
    const std::string messages = R"({"messages":[{"role":"user","content":"Hi"}]})";
    CHECK(prompts_of(Api::embeddings, messages) == Strings{message("user", "Hi")});
}

TEST_CASE("prompt of responses: instructions, tools, then each item as it stands") {
    CHECK(
        prompts_of(Api::responses, R"({"input":"Hi\n","tools":[1],"instructions":"Be kind."})") ==
        Strings{field(Kind::instructions, "Be kind.") + field(Kind::tools, "[1]") + field(Kind::text, "Hi\n")}
    );
    const Strings one = prompts_of(Api::responses, R"({"input":[{"role":"user","content":"a"}]})");
    const Strings two = prompts_of(Api::responses, R"({"input":[{"role":"user","content":"a"}, {"x": 1}]})");
    CHECK(one == Strings{field(Kind::item, R"({"role":"user","content":"a"})")});
    CHECK(two == Strings{one.at(0) + field(Kind::item, R"({"x": 1})")});
    CHECK(prompts_of(Api::responses, R"({"input":[]})").empty());
}

TEST_CASE("prompt of Anthropic messages: tools, system, then blocks") {
    CHECK(
        anthropic_prompt(
            R"("messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[)"
            R"({"type":"thinking","thinking":"Hm.","signature":"x"},{"type":"text","text":"Yes."},)"
            R"({"type":"tool_use","id":"t1","name":"look","input":{"a": 1}}]}],)"
            R"("system":"Be kind.","tools":[{"name":"look"}])"
        ) == field(Kind::tools, R"([{"name":"look"}])") + field(Kind::system, "Be kind.") +
                 message("user", "Hi") + field(Kind::role, "assistant") + field(Kind::reasoning, "Hm.") +
                 field(Kind::text, "Yes.") + field(Kind::tool_name, "look") +
                 field(Kind::tool_input, R"({"a": 1})") + field(Kind::tool_call_id, "t1")
    );
}

TEST_CASE("prompt of Anthropic messages: a tool result holds its content, and what follows is outside") {
    const std::string inside =
        R"({"type":"tool_result","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"tool_use_id":"t1"})";
    const std::string outside =
        R"({"type":"tool_result","content":"a","tool_use_id":"t1"},{"type":"text","text":"b"})";
    const auto prompt = [](const std::string& blocks) {
        return anthropic_prompt(R"("messages":[{"role":"user","content":[)" + blocks + "]}]");
    };
    CHECK(
        prompt(inside) == field(Kind::role, "user") + field(Kind::tool_result, "t1") +
                              field(Kind::text, "a") + field(Kind::text, "b") + field(Kind::end, "")
    );
    CHECK(
        prompt(outside) == field(Kind::role, "user") + field(Kind::tool_result, "t1") +
                               field(Kind::text, "a") + field(Kind::end, "") + field(Kind::text, "b")
    );
}

TEST_CASE("prompt of Anthropic messages: images by their data, whatever stands beside them") {
    const auto prompt = [](const std::string& source, const std::string& mark) {
        return anthropic_prompt(
            R"("messages":[{"role":"user","content":[{"type":"image","source":)" + source + mark + "}]}]"
        );
    };
    const std::string data = R"({"type":"base64","media_type":"image/png","data":"AAAA"})";
    CHECK(prompt(data, "").size() == 9 + 5 + 16);
    CHECK(prompt(data, "") == prompt(data, R"(,"cache_control":{"type":"ephemeral"})"));
    CHECK(prompt(data, "") != prompt(R"({"type":"base64","media_type":"image/png","data":"AAAB"})", ""));
    CHECK(
        prompt(R"({"type":"url","url":"http://a"})", "") != prompt(R"({"type":"url","url":"http://b"})", "")
    );
}

TEST_CASE("prompt of Anthropic messages: a client's line of accounting is not part of the system prompt") {
    const auto prompt = [](const std::string& system) {
        return anthropic_prompt(R"("messages":[{"role":"user"}],"system":)" + system);
    };
    const std::string blocks =
        R"([{"type":"text","text":"x-anthropic-billing-header: 1"},{"type":"text","text":"Be kind."}])";
    CHECK(prompt(blocks) == prompt(R"("Be kind.")"));
    CHECK(prompt(R"("x-anthropic-billing-header: 1")") != prompt(R"("x-anthropic-billing-header: 2")"));
}

TEST_CASE("prompt of rerank and score: the query, then each document, as they stand") {
    const Strings expected{
        field(Kind::query, "\"q\"") + field(Kind::document, "\"a\"") +
        field(Kind::document, R"({"text":"b"})")
    };
    CHECK(prompts_of(Api::rerank, R"({"documents":["a",{"text":"b"}],"query":"q"})") == expected);
    CHECK(prompts_of(Api::score, R"({"text_1":"q","text_2":["a",{"text":"b"}]})") == expected);
    CHECK(
        prompts_of(Api::score, R"({"text_1":"q","text_2":"a"})") ==
        Strings{field(Kind::query, "\"q\"") + field(Kind::document, "\"a\"")}
    );
    CHECK(prompts_of(Api::score, "{}").empty());
}

}  // namespace warmlane::openai
