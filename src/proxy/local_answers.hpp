#pragma once

#include "path_rules.hpp"

#include "warmlane/core/endpoint.hpp"
#include "warmlane/http/exchange.hpp"

#include <boost/uuid/random_generator.hpp>

#include <string>

namespace warmlane::proxy {

/// The answer to a request that no endpoint needs to see. `route` is not `forward`.
http::Response local_answer(Route route, const PoolSnapshot& pool, bool shutting_down);

/// Names requests: by the client's own `x-request-id` when it is fit to be logged, else by a fresh UUID.
class RequestIds {
public:
    static constexpr std::size_t kIdBytesMax = 128;

    std::string id_for(const http::RequestHead& head);

private:
    boost::uuids::random_generator_mt19937 make_uuid_;
};

}  // namespace warmlane::proxy
