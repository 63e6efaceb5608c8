#include "openai/prompt_builder.hpp"

#include <xxhash.h>

#include <cstring>
#include <utility>

namespace warmlane::openai {
namespace {

constexpr std::size_t kFrameBytes = 5;
/// Up to this size, copying a field beside its frame is cheaper than one more run.
constexpr std::size_t kCopiedBytesMax = 64;

}  // namespace

void put_u32(char* to, std::uint32_t number) {
    for (std::uint32_t shift = 0; shift < 32; shift += 8) {
        *to++ = static_cast<char>(number >> shift & 0xFF);
    }
}

void PromptBuilder::add(const Field& field) {
    if (fields_ == kFieldsMax) {
        return;
    }
    ++fields_;
    const bool copied = field.bytes.size() <= kCopiedBytesMax;
    const std::size_t taken = kFrameBytes + (copied ? field.bytes.size() : 0);
    char* const frame = scratch_.room(0, taken);
    frame[0] = static_cast<char>(field.kind);
    put_u32(frame + 1, static_cast<std::uint32_t>(field.bytes.size()));
    if (copied && !field.bytes.empty()) {
        std::memcpy(frame + kFrameBytes, field.bytes.data(), field.bytes.size());
    }
    append_taken(taken);
    if (!copied) {
        prompt_.append(field.bytes);
        last_is_scratch_ = false;
    }
}

/// Bytes that lie right behind the last run are one with it.
void PromptBuilder::append_taken(std::size_t bytes) {
    const std::string_view taken = scratch_.take(bytes);
    if (last_is_scratch_) {
        std::string_view& last = prompt_.runs.back();
        if (last.data() + last.size() == taken.data()) {
            last = {last.data(), last.size() + bytes};
            prompt_.bytes += bytes;
            return;
        }
    }
    prompt_.append(taken);
    last_is_scratch_ = true;
}

void PromptBuilder::move_to(Prompt& prompt) {
    if (prompt.runs.empty()) {
        prompt = std::move(prompt_);
    } else {
        prompt.runs.insert(prompt.runs.end(), prompt_.runs.begin(), prompt_.runs.end());
        prompt.bytes += prompt_.bytes;
    }
    prompt_ = {};
    fields_ = 0;
    last_is_scratch_ = false;
}

std::string_view digest(std::string_view bytes, Scratch& scratch) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    char* const to = scratch.room(0, sizeof canonical.digest);
    std::memcpy(to, canonical.digest, sizeof canonical.digest);
    return scratch.take(sizeof canonical.digest);
}

}  // namespace warmlane::openai
