#pragma once

#include "openai/scratch.hpp"

#include "warmlane/core/inference_request.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warmlane::openai {

/// What a field of a prompt is. The numbers go into block hashes, and so are part of what replicas share.
enum class FieldKind : std::uint8_t {
    tools = 1,
    system,
    instructions,
    role,
    name,
    text,
    media,
    /// A part of a kind that is not known, by digest.
    other,
    refusal,
    reasoning,
    tool_calls,
    tool_call_id,
    tool_name,
    tool_input,
    tool_result,
    /// Ends the fields that belong to a `tool_result`.
    end,
    item,
    query,
    document,
};

struct Field {
    FieldKind kind;
    std::string_view bytes;
};

/// Puts one prompt together out of fields. Each is written as its kind, its size in four bytes and its bytes,
/// so that no text can pass for another field, and so that what follows a field changes nothing before it: a
/// conversation that grows keeps the bytes that it had.
class PromptBuilder {
public:
    /// Fields of one prompt that are looked at; what lies beyond is not.
    static constexpr std::size_t kFieldsMax = 65'536;

    explicit PromptBuilder(Scratch& scratch) : scratch_(scratch) {}

    /// The bytes are kept as a view unless they are few.
    void add(const Field& field);

    /// Moves the fields added since the last call behind `prompt`.
    void move_to(Prompt& prompt);

private:
    void append_taken(std::size_t bytes);

    Scratch& scratch_;
    Prompt prompt_;
    std::size_t fields_ = 0;
    bool last_is_scratch_ = false;
};

/// Sixteen bytes that stand for as many as there are; taken from `scratch`.
std::string_view digest(std::string_view bytes, Scratch& scratch);

/// Writes a number least significant byte first.
void put_u32(char* to, std::uint32_t number);

}  // namespace warmlane::openai
