// How `RequestReader` reads what becomes a part of the prompt.

#include "openai/request_reader.hpp"

#include <charconv>

namespace warmlane::openai {
namespace {

/// Prompts of one request that are looked at; what lies beyond is only checked.
constexpr std::size_t kPromptsMax = 4'096;

constexpr std::string_view kPromptRule =
    "must be a string, a list of strings, a list of token ids, or a list of those";

}  // namespace

bool RequestReader::read_messages(std::string_view /*name*/, std::size_t section) {
    has_required_ = true;
    return messages_.read_messages(sections_[section]);
}

bool RequestReader::read_system(std::string_view name, std::size_t section) {
    return messages_.read_content(name, FieldKind::system, sections_[section]);
}

bool RequestReader::read_tools(std::string_view name, std::size_t section) {
    std::string_view tools;
    if (!body_.read_raw_list(tools)) {
        return body_.refuse(std::string(name), "must be a list");
    }
    if (!tools.empty()) {
        sections_[section].add({FieldKind::tools, tools});
    }
    return true;
}

bool RequestReader::read_instructions(std::string_view name, std::size_t section) {
    std::string_view text;
    if (!body_.read_string(text)) {
        return body_.refuse(std::string(name), "must be a string");
    }
    if (!text.empty()) {
        sections_[section].add({FieldKind::instructions, text});
    }
    return true;
}

bool RequestReader::read_items(std::string_view name, std::size_t section) {
    const JsonKind kind = body_.json.kind();
    if (kind == JsonKind::list) {
        has_required_ = true;
        body_.json.open();
        while (body_.json.next_element()) {
            add_raw(FieldKind::item, section);
        }
        return body_.good();
    }
    std::string_view text;
    if (!body_.read_string(text)) {
        return body_.refuse(std::string(name), "must be a string or a list of items");
    }
    has_required_ = kind == JsonKind::string;
    sections_[section].add({FieldKind::text, text});
    return true;
}

bool RequestReader::read_query(std::string_view /*name*/, std::size_t section) {
    return add_raw(FieldKind::query, section);
}

bool RequestReader::read_documents(std::string_view /*name*/, std::size_t section) {
    if (body_.json.kind() != JsonKind::list) {
        return add_raw(FieldKind::document, section);
    }
    body_.json.open();
    while (body_.json.next_element()) {
        add_raw(FieldKind::document, section);
    }
    return body_.good();
}

/// Embeddings in the place of a prompt: nothing of them can be hashed as a prompt.
bool RequestReader::read_embeds(std::string_view /*name*/, std::size_t /*section*/) {
    has_required_ = has_required_ || body_.json.kind() != JsonKind::null;
    body_.json.skip();
    return body_.good();
}

bool RequestReader::add_raw(FieldKind kind, std::size_t section) {
    const std::string_view raw = body_.json.skip();
    if (body_.good()) {
        sections_[section].add({kind, raw});
    }
    return body_.good();
}

bool RequestReader::read_prompt(std::string_view name, std::size_t /*section*/) {
    switch (body_.json.kind()) {
        case JsonKind::null: body_.json.skip(); return body_.good();
        case JsonKind::list: has_required_ = true; return read_prompt_list(name);
        case JsonKind::string: {
            has_required_ = true;
            const std::string_view text = body_.json.read_string(body_.scratch);
            add_prompt(text);
            return body_.good();
        }
        default: return body_.refuse(std::string(name), kPromptRule);
    }
}

/// The first element says what the list is.
bool RequestReader::read_prompt_list(std::string_view name) {
    body_.json.open();
    if (!body_.json.next_element()) {
        return body_.refuse(std::string(name), "must not be empty");
    }
    switch (body_.json.kind()) {
        case JsonKind::string: return read_strings(name);
        case JsonKind::list: return read_token_lists(name);
        case JsonKind::number: return read_tokens(name);
        default: return body_.refuse(std::string(name), kPromptRule);
    }
}

bool RequestReader::read_strings(std::string_view name) {
    do {
        if (body_.json.kind() != JsonKind::string) {
            return body_.refuse(std::string(name), kPromptRule);
        }
        add_prompt(body_.json.read_string(body_.scratch));
    } while (body_.json.next_element());
    return body_.good();
}

bool RequestReader::read_token_lists(std::string_view name) {
    do {
        if (body_.json.kind() != JsonKind::list) {
            return body_.refuse(std::string(name), kPromptRule);
        }
        body_.json.open();
        if (!body_.json.next_element()) {
            add_prompt({});
        } else if (!read_tokens(name)) {
            return false;
        }
    } while (body_.json.next_element());
    return body_.good();
}

/// The rest of a list of token ids that has at least one more.
bool RequestReader::read_tokens(std::string_view name) {
    constexpr std::size_t kIdBytes = 4;
    std::size_t used = 0;
    do {
        const std::size_t begin = body_.json.offset();
        const bool number = body_.json.kind() == JsonKind::number;
        const std::string_view text = number ? body_.json.skip() : std::string_view{};
        std::uint32_t id = 0;
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), id);
        if (text.empty() || ec != std::errc{} || end != text.data() + text.size()) {
            return body_.refuse_at(
                begin, std::string(name), "holds a token id that is not a whole number of 32 bits"
            );
        }
        put_u32(body_.scratch.room(used, kIdBytes) + used, id);
        used += kIdBytes;
    } while (body_.json.next_element());
    add_prompt(body_.scratch.take(used));
    return body_.good();
}

/// The bytes are the prompt, without a frame.
void RequestReader::add_prompt(std::string_view bytes) {
    if (body_.good() && request_.prompts.size() < kPromptsMax) {
        request_.prompts.emplace_back().append(bytes);
    }
}

}  // namespace warmlane::openai
