#include "warmlane/core/error.hpp"

namespace warmlane {
namespace {

const char* text_of(Errc code) noexcept {
    switch (code) {
        case Errc::bad_request_head: return "malformed request head";
        case Errc::bad_request_body: return "malformed request body";
        case Errc::body_too_large: return "request body too large";
        case Errc::client_too_slow: return "client too slow";
        case Errc::client_gone: return "client gone";
        case Errc::bad_json: return "invalid JSON";
        case Errc::no_endpoint: return "no endpoint available";
        case Errc::saturated: return "every candidate is saturated";
        case Errc::connect_failed: return "connect failed";
        case Errc::connect_timeout: return "connect timed out";
        case Errc::upstream_closed: return "endpoint closed the connection early";
        case Errc::bad_response: return "malformed answer of the endpoint";
        case Errc::first_byte_timeout: return "no first byte in time";
        case Errc::idle_timeout: return "answer paused for too long";
        case Errc::total_timeout: return "exchange took too long";
        case Errc::shutting_down: return "shutting down";
    }
    return "unknown error";
}

class Category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "warmlane"; }
    std::string message(int code) const override { return text_of(static_cast<Errc>(code)); }
};

}  // namespace

const boost::system::error_category& error_category() noexcept {
    static const Category category;
    return category;
}

}  // namespace warmlane
