#pragma once

#include "openai/body_reader.hpp"
#include "openai/message_reader.hpp"
#include "openai/prompt_builder.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace warmlane::openai {

/// Reads the members of a request body that routing needs, in whatever order they come, and puts the prompt
/// together at the end.
class RequestReader {
public:
    RequestReader(BodyReader& body, const ParseLimits& limits, InferenceRequest& request);

    bool read();

private:
    /// Reads one value; `section` says where in the prompt it belongs.
    using Read = bool (RequestReader::*)(std::string_view name, std::size_t section);
    struct Key {
        std::string_view name;
        Read read;
        std::size_t section = 0;
    };
    /// Keys of a kind of call, and those of which one must be there.
    struct Form {
        std::span<const Key> keys;
        std::span<const std::string_view> required;
    };

    static Form form_of(Api api);

    bool read_members(std::span<const Key> keys);
    bool check_required(const Form& form);
    void assemble();

    bool read_model(std::string_view name, std::size_t section);
    bool read_cache_salt(std::string_view name, std::size_t section);
    bool read_stream(std::string_view name, std::size_t section);
    bool read_stream_options(std::string_view name, std::size_t section);
    bool read_max_tokens(std::string_view name, std::size_t section);

    bool read_messages(std::string_view name, std::size_t section);
    bool read_system(std::string_view name, std::size_t section);
    bool read_tools(std::string_view name, std::size_t section);
    bool read_instructions(std::string_view name, std::size_t section);
    bool read_items(std::string_view name, std::size_t section);
    bool read_query(std::string_view name, std::size_t section);
    bool read_documents(std::string_view name, std::size_t section);
    bool read_embeds(std::string_view name, std::size_t section);

    bool read_prompt(std::string_view name, std::size_t section);
    bool read_prompt_list(std::string_view name);
    bool read_strings(std::string_view name);
    bool read_token_lists(std::string_view name);
    bool read_tokens(std::string_view name);
    void add_prompt(std::string_view bytes);
    bool add_raw(FieldKind kind, std::size_t section);

    static constexpr std::size_t kSections = 3;

    BodyReader& body_;
    const ParseLimits limits_;
    InferenceRequest& request_;
    MessageReader messages_;
    std::array<PromptBuilder, kSections> sections_;
    /// A key that must be there was there.
    bool has_required_ = false;
};

}  // namespace warmlane::openai
