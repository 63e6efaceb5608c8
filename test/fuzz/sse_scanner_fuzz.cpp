// Server-sent events are the same number for every way of cutting them, and the same as a plain reading of
// the standard finds.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/http/sse_scanner.hpp"

#include <string>

namespace {

using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;
using warmlane::http::SseScanner;

/// WHATWG HTML, 9.2.6, one line after the other.
std::uint64_t count_events(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) {
        bytes.remove_prefix(3);
    }
    std::uint64_t events = 0;
    bool has_data = false;
    while (true) {
        const std::size_t end = bytes.find_first_of("\r\n");
        if (end == bytes.npos) {
            return events;
        }
        const std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(bytes.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
        if (line.empty()) {
            events += has_data ? 1 : 0;
            has_data = false;
        } else if (line.substr(0, line.find(':')) == "data") {
            has_data = true;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FuzzInput input{data, size};
    SseScanner whole;
    const std::size_t ended = whole.feed(input.bytes());
    require(ended == whole.events());
    require(ended == count_events(input.bytes()));

    SseScanner cut;
    std::uint64_t sum = 0;
    input.for_each_read([&](std::size_t begin, std::size_t bytes) {
        sum += cut.feed(input.bytes().substr(begin, bytes));
        return true;
    });
    require(sum == ended && cut.events() == ended);
    require(cut.at_boundary() == whole.at_boundary());
    if (whole.at_boundary() && !input.bytes().empty()) {
        // An event of our own is one more, whatever came before it.
        require(whole.feed("data: {}\n\n") == 1);
    }
    return 0;
}
