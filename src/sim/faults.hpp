#pragma once

#include "warmlane/core/json_reader.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::sim {

/// How one answer misbehaves on purpose; the default is an answer without fault.
struct Fault {
    enum class Cut : std::uint8_t {
        none,
        /// The connection is reset.
        reset,
        /// The connection is closed as if all were well, without the end of the answer.
        close,
        /// Nothing more comes, and the connection stays open.
        stall,
    };

    /// Share of the requests that are hit, 0 to 1; server-wide faults only.
    double share = 1.0;
    /// Paths that are hit begin with this; server-wide faults only.
    std::string path = "/v1/";
    /// The listening socket is closed for this time; server-wide faults only.
    std::chrono::milliseconds refuse{0};

    /// Answer with this status instead; 0 for none.
    std::uint32_t status = 0;
    /// Seconds in `Retry-After` of a 429 or 503.
    std::uint32_t retry_after = 1;
    /// Pause before the first byte of the head.
    std::chrono::milliseconds head_delay{0};
    /// Pause between the head and the first byte of the body.
    std::chrono::milliseconds body_delay{0};
    Cut cut = Cut::none;
    /// Where it is cut: after so many bytes of the answer as it is sent, head and framing included.
    std::optional<std::uint32_t> cut_bytes;
    /// Or after so many events of a stream; a whole answer is one event.
    std::optional<std::uint32_t> cut_events;
    /// After so many events comes an error event, then the usual end.
    std::optional<std::uint32_t> error_events;
    /// What comes is no HTTP.
    bool garbage = false;
    /// The connection is closed after the answer without saying so.
    bool close_after = false;
    /// Events are gathered into chunks of at least so many bytes; 0 for one chunk an event.
    std::uint32_t chunk_bytes = 0;
    /// Each event is sliced into chunks of at most so many bytes; 0 for one chunk an event.
    std::uint32_t slice_bytes = 0;
};

/// Reads a fault strictly; what is wrong goes into `errors`.
Fault read_fault(const boost::json::value& json, std::vector<ReadError>& errors);

/// The JSON of a fault, as `read_fault` takes it.
boost::json::object fault_json(const Fault& fault);

/// The value of an `x-sim-fault` field, `name=value; name=value`, as the same JSON.
boost::json::object fault_fields(std::string_view header);

/// The fault of the whole server, and whom it hits.
class FaultSwitch {
public:
    explicit FaultSwitch(std::uint64_t seed) : seed_(seed) {}

    void set(Fault fault) { fault_ = std::move(fault); }
    const Fault& current() const { return fault_; }

    /// The fault for one request: that of its header, else the server's where it applies.
    ///
    /// @param header  value of `x-sim-fault`; empty when absent.
    Fault choose(std::string_view path, std::string_view header, std::vector<ReadError>& errors);

private:
    const std::uint64_t seed_;
    Fault fault_;
    std::uint64_t requests_ = 0;
};

}  // namespace warmlane::sim
