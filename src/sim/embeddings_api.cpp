#include "apis.hpp"
#include "prompt_reader.hpp"
#include "wire_text.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

namespace warmlane::sim {
namespace {

constexpr std::uint32_t kDimensions = 16;
constexpr std::uint32_t kDimensionsMax = 4'096;

using Vector = std::vector<float>;

/// A unit vector that depends on nothing but the tokens.
Vector embed(std::span<const Token> tokens, std::uint32_t dimensions) {
    std::uint64_t hash = XXH3_64bits(tokens.data(), tokens.size_bytes());
    Vector out(dimensions);
    double squares = 0;
    for (float& value : out) {
        hash = mix_seed(hash, 0);
        value = static_cast<float>(hash >> 40U) / static_cast<float>(1U << 23U) - 1.0F;
        squares += static_cast<double>(value) * value;
    }
    const auto length = static_cast<float>(std::sqrt(squares));
    for (float& value : out) {
        value = length > 0 ? value / length : 1.0F;
    }
    return out;
}

/// Numbers as little-endian floats in base64, as clients ask for by `encoding_format`.
std::string base64(const Vector& vector) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> bytes(vector.size() * sizeof(float));
    std::memcpy(bytes.data(), vector.data(), bytes.size());
    const std::size_t length = bytes.size();
    bytes.resize((length + 2) / 3 * 3);
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t group = static_cast<std::uint32_t>(bytes[i]) << 16U |
                                    static_cast<std::uint32_t>(bytes[i + 1]) << 8U | bytes[i + 2];
        for (unsigned shift = 24; shift > 0; shift -= 6) {
            out += kDigits[group >> (shift - 6) & 0x3FU];
        }
    }
    const std::size_t padding = bytes.size() - length;
    out.replace(out.size() - padding, padding, padding, '=');
    return out;
}

class EmbeddingFormat final : public AnswerFormat {
public:
    EmbeddingFormat(AnswerHeader header, std::vector<std::string> vectors)
        : header_(std::move(header)), vectors_(std::move(vectors)) {}

    void begin(const TokenUsage&, Events&) override {}
    void token(std::size_t, std::size_t, Events&) override {}
    void end_choice(std::size_t, Events&) override {}
    void end(const TokenUsage&, Events&) override {}

    std::string whole(const TokenUsage& usage) override {
        std::string data;
        for (std::size_t i = 0; i < vectors_.size(); ++i) {
            data += fmt::format(
                R"({}{{"index":{},"object":"embedding","embedding":{}}})", i == 0 ? "" : ",", i, vectors_[i]
            );
        }
        const TokenUsage counts{
            .prompt_tokens = usage.prompt_tokens, .cached_tokens = usage.cached_tokens, .output_tokens = 0
        };
        return fmt::format(
            R"({{"id":"{}","object":"list","created":{},"model":{},"data":[{}],"usage":{}}})",
            header_.id,
            header_.created,
            json_text(header_.model),
            data,
            usage_json(counts, header_.report_cached)
        );
    }

    std::string error_event(const ApiError& error) const override { return data_event(openai_error(error)); }

private:
    const AnswerHeader header_;
    const std::vector<std::string> vectors_;
};

std::string vector_json(const Vector& vector, bool as_base64) {
    return as_base64 ? json_text(base64(vector)) : fmt::format("[{}]", fmt::join(vector, ","));
}

}  // namespace

PlannedJob plan_embeddings(const ApiContext& context, const boost::json::object& body) {
    RequestFields fields(body);
    GenerationFields wanted = read_generation_fields(fields, context, {});
    // The engine counts a pooling request as one that makes a single token.
    wanted.tokens_max = 1;
    wanted.choices = 1;
    wanted.stream = false;
    const std::uint32_t dimensions = fields.count("dimensions", 1, kDimensionsMax).value_or(kDimensions);
    const bool as_base64 = fields.text("encoding_format") == "base64";
    JobBuilder builder(fields, context, wanted);
    std::vector<std::string> vectors;
    for (std::vector<Token>& prompt : read_prompts(fields, "input")) {
        vectors.push_back(vector_json(embed(prompt, dimensions), as_base64));
        builder.add_prompt(std::move(prompt), nullptr);
    }
    AnswerHeader header{
        .id = "embd-" + context.request_id,
        .created = context.created,
        .model = wanted.model,
        .include_usage = true,
        .report_cached = context.options.report_cached_tokens,
    };
    return builder.finish(std::make_unique<EmbeddingFormat>(std::move(header), std::move(vectors)));
}

}  // namespace warmlane::sim
