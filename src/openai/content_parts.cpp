// How `MessageReader` reads the parts of a message's content.

#include "openai/message_reader.hpp"

#include <algorithm>
#include <iterator>

namespace warmlane::openai {
namespace {

enum Key : std::uint8_t {
    type_key,
    text_key,
    refusal_key,
    thinking_key,
    id_key,
    name_key,
    input_key,
    tool_use_id_key,
    content_key,
    reference_key,
    keys_end,
};

struct PartKey {
    std::string_view name;
    Key key;
};

constexpr PartKey kKeys[] = {
    {"type", type_key},
    {"text", text_key},
    {"refusal", refusal_key},
    {"thinking", thinking_key},
    {"id", id_key},
    {"name", name_key},
    {"input", input_key},
    {"tool_use_id", tool_use_id_key},
    {"content", content_key},
    {"image_url", reference_key},
    {"video_url", reference_key},
    {"audio_url", reference_key},
    {"input_audio", reference_key},
    {"source", reference_key},
};

/// Types of parts that say what a media reference holds.
constexpr std::string_view kMediaTypes[] = {
    "image_url", "video_url", "audio_url", "input_audio", "image", "document"
};

}  // namespace

struct MessageReader::Part {
    SeenKeys seen;
    /// Text of each key, except `content`; that of `input` is raw.
    std::array<std::string_view, keys_end> values;
    /// Fields of `content_` before this part.
    std::size_t fields_before = 0;

    std::string_view type() const { return values[type_key]; }
};

bool MessageReader::collect_content(Nesting nesting) {
    JsonScanner& json = body_.json;
    switch (json.kind()) {
        case JsonKind::null: json.skip(); return body_.good();
        case JsonKind::string: return collect_part(nesting);
        case JsonKind::list: break;
        default: return false;
    }
    json.open();
    while (json.next_element()) {
        if (!collect_part(nesting)) {
            return false;
        }
    }
    return body_.good();
}

/// A string is a part of text.
bool MessageReader::collect_part(Nesting nesting) {
    switch (body_.json.kind()) {
        case JsonKind::object: return collect_object(nesting);
        case JsonKind::string: {
            const std::string_view text = body_.json.read_string(body_.scratch);
            if (!text.empty()) {
                collect(FieldKind::text, text);
            }
            return body_.good();
        }
        default: return false;
    }
}

bool MessageReader::collect_object(Nesting nesting) {
    JsonScanner& json = body_.json;
    const std::size_t begin = json.offset();
    Part part;
    part.fields_before = content_.size();
    std::string_view name;
    json.open();
    while (json.next_member(body_.scratch, name)) {
        const auto* const key = std::ranges::find(kKeys, name, &PartKey::name);
        if (key == std::end(kKeys)) {
            json.skip();
        } else if (!part.seen.mark(static_cast<std::size_t>(key - kKeys))) {
            return body_.refuse(param_of("content"), "holds a part with a key that stands twice");
        } else if (!read_part_value(key->key, part, nesting)) {
            return false;
        }
    }
    if (body_.good()) {
        collect_fields(part, json.since(begin));
    }
    return body_.good();
}

/// Engines judge whether a part has what its type needs: here, a value of another type is as good as none.
bool MessageReader::read_part_value(std::size_t key, Part& part, Nesting nesting) {
    const JsonKind kind = body_.json.kind();
    if (key == reference_key) {
        read_reference(part.values[key]);
    } else if (key == input_key) {
        part.values[key] = body_.json.skip();
    } else if (key != content_key) {
        read_text(part.values[key]);
    } else if (nesting == Nesting::outer && (kind == JsonKind::string || kind == JsonKind::list)) {
        return collect_content(Nesting::inner);
    } else {
        body_.json.skip();
    }
    return body_.good();
}

void MessageReader::read_text(std::string_view& text) {
    if (!body_.read_string(text)) {
        body_.json.skip();
    }
}

/// A URL or data, plain or in an object.
void MessageReader::read_reference(std::string_view& reference) {
    if (body_.json.kind() != JsonKind::object) {
        read_text(reference);
        return;
    }
    std::string_view name;
    body_.json.open();
    while (body_.json.next_member(body_.scratch, name)) {
        if (reference.empty() && (name == "url" || name == "data")) {
            read_text(reference);
        } else {
            body_.json.skip();
        }
    }
}

void MessageReader::collect_fields(const Part& part, std::string_view raw) {
    const std::string_view type = part.type();
    if (type == "tool_result") {
        collect_tool_result(part);
        return;
    }
    content_.erase(content_.begin() + static_cast<std::ptrdiff_t>(part.fields_before), content_.end());
    const std::string_view text = part.values[text_key];
    if (type == "text" || type == "input_text" || type == "output_text" || (type.empty() && !text.empty())) {
        collect(FieldKind::text, text);
    } else if (type == "refusal") {
        collect(FieldKind::refusal, part.values[refusal_key]);
    } else if (type == "thinking") {
        collect(FieldKind::reasoning, part.values[thinking_key]);
    } else if (type == "tool_use") {
        collect(FieldKind::tool_name, part.values[name_key]);
        collect(FieldKind::tool_input, part.values[input_key]);
        collect(FieldKind::tool_call_id, part.values[id_key]);
    } else if (!part.values[reference_key].empty() && std::ranges::count(kMediaTypes, type) != 0) {
        collect(FieldKind::media, digest(part.values[reference_key], body_.scratch));
    } else {
        collect(FieldKind::other, digest(raw, body_.scratch));
    }
}

/// What stands in the result is between its id and an end, so that it cannot be taken for what follows it.
void MessageReader::collect_tool_result(const Part& part) {
    const Field id{FieldKind::tool_result, part.values[tool_use_id_key]};
    content_.insert(content_.begin() + static_cast<std::ptrdiff_t>(part.fields_before), id);
    collect(FieldKind::end, {});
}

}  // namespace warmlane::openai
