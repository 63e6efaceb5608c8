#pragma once

#include "warmlane/core/prefix_match.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane {

/// What kind of call a path is. `other` is passed through and routed by load alone.
enum class Api : std::uint8_t {
    chat_completions,
    completions,
    embeddings,
    responses,
    messages,
    rerank,
    score,
    other,
};

/// One prompt as routing sees it: runs of bytes that, joined, are what gets hashed.
struct Prompt {
    /// Views into the request body or into `InferenceRequest::scratch`, in the order of the engine's
    /// template.
    std::vector<std::string_view> runs;
    /// Sum of the runs' sizes.
    std::size_t bytes = 0;

    void append(std::string_view run) {
        if (!run.empty()) {
            runs.push_back(run);
            bytes += run.size();
        }
    }
};

/// What routing knows of one request. Built once by `openai::parse_request`, then only completed
/// (block hashes by the producers, headers by the proxy). Not copied: the prompts hold views.
struct InferenceRequest {
    InferenceRequest() = default;
    InferenceRequest(const InferenceRequest&) = delete;
    InferenceRequest& operator=(const InferenceRequest&) = delete;
    InferenceRequest(InferenceRequest&&) noexcept = default;
    InferenceRequest& operator=(InferenceRequest&&) noexcept = default;

    Api api = Api::other;
    /// As the client wrote it, escapes resolved; empty when absent.
    std::string model;
    /// Keeps prompts of different tenants apart, as vLLM's field of that name does; empty when absent.
    std::string cache_salt;
    /// The client wants server-sent events.
    bool stream = false;
    /// The client asked for the usage chunk of a stream (`stream_options.include_usage`).
    bool include_usage = false;
    /// `max_tokens` or `max_completion_tokens`; 0 when absent.
    std::uint32_t max_tokens = 0;
    /// Value of `x-session-id`; empty when absent.
    std::string session_id;

    /// One entry per prompt: chat has one, completions may have many, `other` none.
    std::vector<Prompt> prompts;
    /// Bytes that a prompt needs and the body does not hold as they are (resolved escapes, role framing,
    /// token ids). A deque, since the views into it must survive growth.
    std::deque<std::string> scratch;

    /// Block hashes of each prompt, prompt by prompt; filled by the prefix producer outside any lock.
    std::vector<std::vector<BlockHash>> block_hashes;
    /// Blocks of each prompt that the picked endpoint held before the pick was recorded; what stays believed
    /// when the pick is taken back. Filled by the prefix producer.
    std::vector<std::uint32_t> held_blocks;

    /// Estimated prompt length in tokens: a token is four bytes.
    std::uint64_t prompt_tokens() const {
        std::uint64_t bytes = 0;
        for (const Prompt& prompt : prompts) {
            bytes += prompt.bytes;
        }
        return (bytes + kBytesPerToken - 1) / kBytesPerToken;
    }

    static constexpr std::uint32_t kBytesPerToken = 4;
};

}  // namespace warmlane
