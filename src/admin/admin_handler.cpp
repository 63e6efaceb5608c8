#include "warmlane/admin/admin_handler.hpp"

#include "admin/errors.hpp"

namespace warmlane::admin {

http::Awaitable<void> AdminHandler::handle(http::Exchange& exchange) {
    const http::RequestHead& head = exchange.head();
    AdminRequest request{head.method, head.target, {}, head.value_of("x-session-id")};
    if (head.method == "POST") {
        const Result<std::string_view> body = co_await exchange.read_body(sources_.request_body_bytes_max);
        if (!body) {
            if (!exchange.client_gone()) {
                exchange.close_after(false);
                const http::Response refusal = body_error(body.error());
                co_await exchange.respond(refusal);
            }
            co_return;
        }
        request.body = *body;
    }
    const http::Response response = answer(request);
    co_await exchange.respond(response);
}

}  // namespace warmlane::admin
