// The verdict on a request head is the same for every way of cutting it, what a good one holds lies within
// its bytes, and what is forwarded of it is a good head again.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/http/head_parser.hpp"
#include "warmlane/http/header_rules.hpp"

#include <string>

namespace {

using namespace warmlane::http;
using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;

bool lies_in(std::string_view part, std::string_view whole) {
    return part.empty() ||
           (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void check_head(const RequestHead& head, std::string_view bytes) {
    require(head.fields.size() <= HeadLimits{}.fields);
    require(lies_in(head.method, bytes) && !head.target.empty());
    require(head.target.front() == '/' || head.target == "*");
    for (const Field& field : head.fields) {
        require(lies_in(field.name, bytes) && lies_in(field.value, bytes) && !field.name.empty());
        require(field.value.find_first_of(std::string_view{"\r\n\0", 3}) == field.value.npos);
    }
}

void check_forwarded(const RequestHead& head) {
    std::string out;
    write_forwarded_request(
        out,
        head,
        {
            .authority = "endpoint:80",
            .base_path = "",
            .request_id = "id",
            .client_address = "::1",
            .body_bytes = 7,
        }
    );
    RequestHeadParser parser{{.bytes = 64 * 1024, .fields = 200}};
    require(parser.parse(out) == HeadProgress::complete);
    require(parser.size() == out.size());
    require(parser.head().target == head.target);
    require(parser.head().body == BodyFraming{BodyKind::length, 7});
    require(parser.head().value_of("host") == "endpoint:80");
    require(find_field(parser.head().fields, "connection") == nullptr);
    require(find_field(parser.head().fields, "expect") == nullptr);
    require(is_looping(parser.head()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FuzzInput input{data, size};
    RequestHeadParser whole;
    const HeadProgress expected = whole.parse(input.bytes());

    RequestHeadParser cut;
    HeadProgress progress = HeadProgress::incomplete;
    input.for_each_read([&](std::size_t begin, std::size_t bytes) {
        progress = cut.parse(input.bytes().substr(0, begin + bytes));
        return progress == HeadProgress::incomplete;
    });
    require(progress == expected);
    require(cut.status() == whole.status());
    require((expected == HeadProgress::invalid) == (whole.status() != 0));
    if (expected == HeadProgress::complete) {
        require(whole.size() == cut.size() && whole.size() <= HeadLimits{}.bytes + 2);
        require(whole.head().fields.size() == cut.head().fields.size());
        check_head(cut.head(), input.bytes().substr(0, cut.size()));
        check_forwarded(whole.head());
    }
    return 0;
}
