#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/body_decoder.hpp"
#include "warmlane/http/exchange.hpp"
#include "warmlane/http/upstream.hpp"

#include <cstdint>

namespace warmlane::http {

/// Sees each batch of an answer's content while it passes, before it is sent on. Must not block.
class RelayObserver {
public:
    virtual ~RelayObserver() = default;
    virtual void on_content(const Pieces& content) = 0;
};

/// How the relay of an answer ended.
struct RelayEnd {
    enum class Side : std::uint8_t { none, downstream, upstream };
    /// No error: the answer is complete on both sides.
    error_code error;
    /// Whose fault the error is.
    Side side = Side::none;
};

/// Relays an answer whose head `from` has read: starts the client's answer with the head and whatever of the
/// body is there already in one write, then passes on each batch when it arrives. A batch is read only when
/// the one before it has been taken, so a slow client slows the endpoint. Does not complete the answer after
/// an error.
Awaitable<RelayEnd> relay_answer(
    UpstreamConnection& from, Exchange& to, Exchange::Start start, RelayObserver& observer
);

}  // namespace warmlane::http
