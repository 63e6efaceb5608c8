#include "admin/errors.hpp"
#include "admin/json_text.hpp"
#include "admin/reports.hpp"

#include "warmlane/admin/admin_handler.hpp"
#include "warmlane/openai/parse_request.hpp"

#include <boost/json/parse.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

namespace warmlane::admin {
namespace {

namespace json = boost::json;

constexpr std::string_view kMetricsPage = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kDefaultExplainPath = "/v1/chat/completions";

http::Response page(std::string body) {
    http::Response response;
    response.body = std::move(body);
    response.body += '\n';
    return response;
}

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

bool answers_to(std::string_view method, std::string_view route_method) {
    return method == route_method || (method == "HEAD" && route_method == "GET");
}

http::Response wrong_method(std::string_view route_method) {
    const std::string allow = route_method == "GET" ? "GET, HEAD" : std::string(route_method);
    http::Response response = error_response(405, "This path takes " + allow + " only.");
    response.fields.push_back({"Allow", allow});
    return response;
}

/// Value of the query parameter `path`, its escapes resolved; absent when the query string is none.
std::optional<std::string> explain_path(std::string_view target) {
    const auto url = boost::urls::parse_origin_form(target);
    if (!url) {
        return std::nullopt;
    }
    for (const auto& parameter : url->params()) {
        if (parameter.key == "path" && parameter.has_value) {
            return std::string(parameter.value);
        }
    }
    return std::string(kDefaultExplainPath);
}

}  // namespace

const AdminHandler::Route AdminHandler::kRoutes[] = {
    {"/metrics", "GET", &AdminHandler::metrics},
    {"/health", "GET", &AdminHandler::liveness},
    {"/liveness", "GET", &AdminHandler::liveness},
    {"/readiness", "GET", &AdminHandler::readiness},
    {"/endpoints", "GET", &AdminHandler::endpoints},
    {"/config", "GET", &AdminHandler::configuration},
    {"/explain", "POST", &AdminHandler::explain},
};

http::Response AdminHandler::answer(const AdminRequest& request) const {
    const std::string_view path = path_of(request.target);
    const Route* route = std::find_if(std::begin(kRoutes), std::end(kRoutes), [path](const Route& row) {
        return row.path == path;
    });
    if (route == std::end(kRoutes)) {
        return error_response(404, "There is nothing at this path.");
    }
    if (!answers_to(request.method, route->method)) {
        return wrong_method(route->method);
    }
    return (this->*route->answer)(request);
}

http::Response AdminHandler::metrics(const AdminRequest& /*request*/) const {
    const PoolSnapshotPtr pool = sources_.pool();
    const TimePoint now = sources_.now();
    for (const EndpointStatus& status : pool->endpoints) {
        sources_.metrics.set_endpoint(status.endpoint->name(), gauges_of(status, sources_.scheduler, now));
    }
    sources_.metrics.set_index_bytes(sources_.scheduler.index_bytes());
    sources_.metrics.set_connections(sources_.connections());
    http::Response response;
    response.body = sources_.metrics.page();
    response.content_type = kMetricsPage;
    return response;
}

http::Response AdminHandler::liveness(const AdminRequest& /*request*/) const {
    return page(R"({"status":"ok"})");
}

http::Response AdminHandler::readiness(const AdminRequest& /*request*/) const {
    if (sources_.shutting_down) {
        http::Response response = page(R"({"status":"shutting down"})");
        response.status = 503;
        return response;
    }
    const PoolSnapshotPtr pool = sources_.pool();
    const bool serving =
        std::any_of(pool->endpoints.begin(), pool->endpoints.end(), [](const EndpointStatus& s) {
            return s.takes_traffic();
        });
    http::Response response =
        page(serving ? R"({"status":"ready"})" : R"({"status":"no endpoint takes traffic"})");
    response.status = serving ? 200 : 503;
    return response;
}

http::Response AdminHandler::endpoints(const AdminRequest& /*request*/) const {
    return page(json_text(endpoints_report(*sources_.pool(), sources_.scheduler, sources_.now())));
}

http::Response AdminHandler::configuration(const AdminRequest& /*request*/) const {
    const ConfigurationReport report = sources_.configuration();
    const json::value reload_error =
        report.last_reload_error.empty() ? json::value(nullptr) : json::value(report.last_reload_error);
    json::object body;
    body["config"] = json::parse(report.json);
    body["generation"] = report.generation;
    body["last_reload_error"] = reload_error;
    return page(json_text(body));
}

http::Response AdminHandler::explain(const AdminRequest& request) const {
    const std::optional<std::string> path = explain_path(request.target);
    if (!path) {
        return error_response(400, "The query string is malformed.");
    }
    const Api api = openai::api_of("POST", path_of(*path));
    std::variant<InferenceRequest, openai::RequestError> parsed = openai::parse_request(api, request.body);
    if (const auto* fault = std::get_if<openai::RequestError>(&parsed)) {
        return error_response(400, fault->message, fault->param);
    }
    InferenceRequest& inference = std::get<InferenceRequest>(parsed);
    inference.session_id = request.session_id;
    sources_.scheduler.prepare(inference);
    const Result<routing::Decision> decision =
        sources_.scheduler.explain(inference, *sources_.pool(), sources_.now());
    if (!decision) {
        return error_response(503, "No endpoint takes traffic.");
    }
    return page(json_text(decision_report(*decision, inference.model)));
}

}  // namespace warmlane::admin
