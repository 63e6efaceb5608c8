#pragma once

#include "openai/body_reader.hpp"
#include "openai/prompt_builder.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace warmlane::openai {

/// Reads messages, and blocks of content, in OpenAI's and in Anthropic's form.
class MessageReader {
public:
    explicit MessageReader(BodyReader& body) : body_(body) {}

    /// The list of messages under `messages`.
    bool read_messages(PromptBuilder& prompt);

    /// Content as text or as a list of parts under `param`. Each text becomes a field of `kind`.
    bool read_content(std::string_view param, FieldKind kind, PromptBuilder& prompt);

private:
    struct Part;
    enum class Nesting : bool { outer, inner };

    bool read_message(PromptBuilder& prompt);
    bool read_value(std::size_t key);
    bool collect_content(Nesting nesting);
    bool collect_part(Nesting nesting);
    bool collect_object(Nesting nesting);
    bool read_part_value(std::size_t key, Part& part, Nesting nesting);
    void read_text(std::string_view& text);
    void read_reference(std::string_view& reference);
    void collect_fields(const Part& part, std::string_view raw);
    void collect_tool_result(const Part& part);
    void collect(FieldKind kind, std::string_view bytes);
    std::string param_of(std::string_view key) const;

    static constexpr std::size_t kMessageKeys = 9;

    BodyReader& body_;
    std::size_t message_ = 0;
    /// Of the message that is read: values by key, and the fields of its content.
    std::array<std::string_view, kMessageKeys> values_;
    std::vector<Field> content_;
};

}  // namespace warmlane::openai
