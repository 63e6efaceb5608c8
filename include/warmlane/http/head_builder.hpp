#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warmlane::http {

/// The one place where outgoing heads are made. Names must be tokens and values free of control characters
/// (tab excepted); a field that is not so is left out, and so is each wrong byte of a start line: nothing
/// that came from outside can end a line.
class HeadBuilder {
public:
    /// Appends to `out`, which outlives the builder; the caller clears it.
    explicit HeadBuilder(std::string& out) : out_(out) {}

    /// `base_path` is put before a target that is a path.
    void request_line(std::string_view method, std::string_view target, std::string_view base_path = {});
    /// An empty reason becomes the usual one for the status.
    void status_line(unsigned status, std::string_view reason = {});
    /// False when the field was left out.
    bool add(std::string_view name, std::string_view value);
    bool add(std::string_view name, std::uint64_t value);
    /// Ends the head with the empty line.
    void finish();

private:
    std::string& out_;
};

/// The usual reason phrase of a status; `Unknown` when there is none.
std::string_view reason_of(unsigned status);

}  // namespace warmlane::http
