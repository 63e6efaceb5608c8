#include "warmlane/http/body_relay.hpp"

namespace warmlane::http {
namespace {

RelayEnd downstream(error_code ec) {
    return {ec, RelayEnd::Side::downstream};
}

RelayEnd upstream(error_code ec) {
    return {ec, RelayEnd::Side::upstream};
}

}  // namespace

Awaitable<RelayEnd> relay_answer(
    UpstreamConnection& from, Exchange& to, Exchange::Start start, RelayObserver& observer
) {
    Pieces content;
    Pieces wire;
    Result<BodyProgress> batch = from.buffered_body(content, wire);
    if (batch.has_error()) {
        content.clear();
        wire.clear();
    }
    observer.on_content(content);
    error_code ec = co_await to.start(start, content, wire);
    while (!ec && batch.has_value() && *batch == BodyProgress::more) {
        batch = co_await from.read_body(content, wire);
        if (batch.has_value()) {
            observer.on_content(content);
            ec = co_await to.write(content, wire);
        }
    }
    if (ec) {
        co_return downstream(ec);
    }
    if (batch.has_error()) {
        co_return to.client_gone() ? downstream(batch.error()) : upstream(batch.error());
    }
    ec = co_await to.finish();
    co_return ec ? downstream(ec) : RelayEnd{};
}

}  // namespace warmlane::http
