#include "openai/request_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace warmlane::openai {

RequestReader::Form RequestReader::form_of(Api api) {
    using R = RequestReader;
    static constexpr Key kChat[] = {{"tools", &R::read_tools, 0}, {"messages", &R::read_messages, 1}};
    static constexpr Key kCompletions[] = {{"prompt", &R::read_prompt}, {"prompt_embeds", &R::read_embeds}};
    static constexpr Key kEmbeddings[] = {{"input", &R::read_prompt}, {"messages", &R::read_messages}};
    static constexpr Key kResponses[] = {
        {"instructions", &R::read_instructions, 0},
        {"tools", &R::read_tools, 1},
        {"input", &R::read_items, 2},
    };
    static constexpr Key kAnthropic[] = {
        {"tools", &R::read_tools, 0},
        {"system", &R::read_system, 1},
        {"messages", &R::read_messages, 2},
    };
    static constexpr Key kPairs[] = {
        {"query", &R::read_query, 0},
        {"queries", &R::read_query, 0},
        {"text_1", &R::read_query, 0},
        {"documents", &R::read_documents, 1},
        {"items", &R::read_documents, 1},
        {"text_2", &R::read_documents, 1},
    };
    static constexpr std::string_view kMessages[] = {"messages"};
    static constexpr std::string_view kPrompt[] = {"prompt", "prompt_embeds"};
    static constexpr std::string_view kInput[] = {"input"};
    static constexpr std::string_view kInputOrMessages[] = {"input", "messages"};
    switch (api) {
        case Api::chat_completions: return {kChat, kMessages};
        case Api::completions: return {kCompletions, kPrompt};
        case Api::embeddings: return {kEmbeddings, kInputOrMessages};
        case Api::responses: return {kResponses, kInput};
        case Api::messages: return {kAnthropic, kMessages};
        case Api::rerank:
        case Api::score: return {kPairs, {}};
        case Api::other: break;
    }
    return {};
}

RequestReader::RequestReader(BodyReader& body, const ParseLimits& limits, InferenceRequest& request)
    : body_(body),
      limits_(limits),
      request_(request),
      messages_(body),
      sections_{PromptBuilder(body.scratch), PromptBuilder(body.scratch), PromptBuilder(body.scratch)} {}

bool RequestReader::read() {
    JsonScanner& json = body_.json;
    if (json.kind() != JsonKind::object) {
        if (body_.good()) {
            body_.error = RequestError{"The body must be a JSON object.", "", json.offset()};
        }
        return false;
    }
    const Form form = form_of(request_.api);
    if (!read_members(form.keys)) {
        return false;
    }
    json.finish();
    if (!body_.good() || !check_required(form)) {
        return false;
    }
    assemble();
    return true;
}

bool RequestReader::read_members(std::span<const Key> keys) {
    using R = RequestReader;
    static constexpr Key kCommon[] = {
        {"model", &R::read_model},
        {"cache_salt", &R::read_cache_salt},
        {"stream", &R::read_stream},
        {"stream_options", &R::read_stream_options},
        {"max_tokens", &R::read_max_tokens},
        {"max_completion_tokens", &R::read_max_tokens},
        {"max_output_tokens", &R::read_max_tokens},
    };
    const auto find = [keys](std::string_view name, std::size_t& index) -> const Key* {
        for (const std::span<const Key> part : {std::span<const Key>(kCommon), keys}) {
            const auto key = std::ranges::find(part, name, &Key::name);
            index += static_cast<std::size_t>(key - part.begin());
            if (key != part.end()) {
                return &*key;
            }
        }
        return nullptr;
    };
    SeenKeys seen;
    std::string_view name;
    body_.json.open();
    while (body_.json.next_member(body_.scratch, name)) {
        std::size_t index = 0;
        const Key* const key = find(name, index);
        if (key == nullptr) {
            body_.json.skip();
        } else if (!seen.mark(index)) {
            return body_.refuse(std::string(key->name), kStandsTwice);
        } else if (!(this->*key->read)(key->name, key->section)) {
            return false;
        }
    }
    return body_.good();
}

/// A null is as good as nothing.
bool RequestReader::check_required(const Form& form) {
    if (has_required_ || form.required.empty()) {
        return true;
    }
    const std::string names = fmt::format("`{}`", fmt::join(form.required, "` or `"));
    body_.error =
        RequestError{fmt::format("The body must have {}.", names), std::string(form.required.front()), 0};
    return false;
}

void RequestReader::assemble() {
    Prompt prompt;
    for (PromptBuilder& section : sections_) {
        section.move_to(prompt);
    }
    if (prompt.bytes != 0) {
        request_.prompts.push_back(std::move(prompt));
    }
}

bool RequestReader::read_model(std::string_view name, std::size_t /*section*/) {
    std::string_view model;
    if (!body_.read_string(model)) {
        return body_.refuse(std::string(name), "must be a string");
    }
    if (model.size() > limits_.model_bytes) {
        return body_.refuse(
            std::string(name), fmt::format("must not be longer than {} bytes", limits_.model_bytes)
        );
    }
    request_.model = model;
    return true;
}

bool RequestReader::read_cache_salt(std::string_view name, std::size_t /*section*/) {
    std::string_view salt;
    if (!body_.read_string(salt)) {
        return body_.refuse(std::string(name), "must be a string");
    }
    request_.cache_salt = salt;
    return true;
}

bool RequestReader::read_stream(std::string_view name, std::size_t /*section*/) {
    return body_.read_boolean(request_.stream) || body_.refuse(std::string(name), "must be true or false");
}

bool RequestReader::read_stream_options(std::string_view name, std::size_t /*section*/) {
    JsonScanner& json = body_.json;
    if (json.kind() == JsonKind::null) {
        json.skip();
        return body_.good();
    }
    if (json.kind() != JsonKind::object) {
        return body_.refuse(std::string(name), "must be an object");
    }
    constexpr std::string_view kIncludeUsage = "include_usage";
    const auto refuse = [&](std::string_view rule) {
        return body_.refuse(fmt::format("{}.{}", name, kIncludeUsage), rule);
    };
    bool seen = false;
    std::string_view key;
    json.open();
    while (json.next_member(body_.scratch, key)) {
        if (key != kIncludeUsage) {
            json.skip();
        } else if (seen) {
            return refuse(kStandsTwice);
        } else if (!body_.read_boolean(request_.include_usage)) {
            return refuse("must be true or false");
        } else {
            seen = true;
        }
    }
    return body_.good();
}

/// Where more than one limit stands, the smallest counts.
bool RequestReader::read_max_tokens(std::string_view name, std::size_t /*section*/) {
    const JsonKind kind = body_.json.kind();
    if (kind != JsonKind::number && kind != JsonKind::null) {
        return body_.refuse(std::string(name), "must be a number");
    }
    const std::string_view text = body_.json.skip();
    double number = 0;
    const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (kind == JsonKind::null || result.ec != std::errc{} || number < 1) {
        return body_.good();
    }
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t tokens = number < kMost ? static_cast<std::uint32_t>(number) : kMost;
    request_.max_tokens = request_.max_tokens == 0 ? tokens : std::min(request_.max_tokens, tokens);
    return body_.good();
}

}  // namespace warmlane::openai
