#include "scrape_target.hpp"

#include "engine_metric_names.hpp"

#include "warmlane/http/fetch.hpp"

#include <boost/asio/ip/address.hpp>

namespace warmlane::datalayer {

std::optional<ScrapeTarget> scrape_target(const Endpoint& endpoint) {
    const EndpointSpec& spec = endpoint.spec();
    if (spec.metrics_url.empty()) {
        std::string target = spec.base_path + std::string(engine_metric_names(spec.engine).path);
        return ScrapeTarget{spec.host, spec.port, endpoint.authority(), std::move(target)};
    }
    const auto url = http::split_url(spec.metrics_url);
    if (!url) {
        return std::nullopt;
    }
    EndpointSpec place;
    place.host = url->host;
    place.port = url->port;
    const bool serves_requests = url->host == spec.host && url->port == spec.port;
    return ScrapeTarget{url->host, url->port, Endpoint(place, 0).authority(), url->target, serves_requests};
}

std::string ip_literal(const std::string& host) {
    boost::system::error_code ec;
    const auto address = boost::asio::ip::make_address(host, ec);
    return ec ? std::string() : address.to_string();
}

}  // namespace warmlane::datalayer
