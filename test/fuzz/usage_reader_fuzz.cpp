// Token counts are the same for every way of cutting an answer, and so is whether its end was seen.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/openai/usage_reader.hpp"

namespace {

using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;
using warmlane::openai::Usage;
using warmlane::openai::UsageReader;

void check(UsageReader::Body body, const FuzzInput& input) {
    UsageReader whole(body);
    whole.feed(input.bytes());
    const bool done = whole.done_seen();
    const Usage expected = whole.finish();

    UsageReader cut(body);
    input.for_each_read([&](std::size_t begin, std::size_t bytes) {
        cut.feed(input.bytes().substr(begin, bytes));
        return true;
    });
    require(cut.done_seen() == done);
    const Usage usage = cut.finish();
    require(usage.prompt_tokens == expected.prompt_tokens);
    require(usage.completion_tokens == expected.completion_tokens);
    require(usage.cached_tokens == expected.cached_tokens);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FuzzInput input{data, size};
    check(UsageReader::Body::json, input);
    check(UsageReader::Body::events, input);
    return 0;
}
