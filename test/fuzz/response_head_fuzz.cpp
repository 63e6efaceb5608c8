// The verdict on a response head is the same for every way of cutting it, and what is passed on of a good one
// is a good head again.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/http/head_parser.hpp"
#include "warmlane/http/header_rules.hpp"

#include <string>

namespace {

using namespace warmlane::http;
using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;

void check_forwarded(const ResponseHead& head) {
    std::string out;
    HeadBuilder builder{out};
    builder.status_line(head.status, head.reason);
    add_forwarded_fields(builder, head);
    builder.finish();
    ResponseHeadParser parser{{.bytes = 64 * 1024, .fields = 200}};
    require(parser.parse(out, false) == HeadProgress::complete);
    require(parser.size() == out.size());
    require(parser.head().status == head.status);
    require(!parser.head().value_of("date").empty() || find_field(head.fields, "date") != nullptr);
    require(find_field(parser.head().fields, "transfer-encoding") == nullptr);
    require(find_field(parser.head().fields, "connection") == nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FuzzInput input{data, size};
    const bool to_head_request = size % 2 == 1;
    ResponseHeadParser whole;
    const HeadProgress expected = whole.parse(input.bytes(), to_head_request);

    ResponseHeadParser cut;
    HeadProgress progress = HeadProgress::incomplete;
    input.for_each_read([&](std::size_t begin, std::size_t bytes) {
        progress = cut.parse(input.bytes().substr(0, begin + bytes), to_head_request);
        return progress == HeadProgress::incomplete;
    });
    require(progress == expected);
    if (expected == HeadProgress::complete) {
        const ResponseHead& head = whole.head();
        require(whole.size() == cut.size() && whole.size() <= HeadLimits{}.bytes);
        require(head.body == cut.head().body && head.keep_alive == cut.head().keep_alive);
        require(head.status >= 100 && head.status <= 599);
        require(head.body.kind != BodyKind::until_close || !head.keep_alive);
        check_forwarded(head);
    }
    return 0;
}
