#pragma once

#include "job.hpp"
#include "job_builder.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace warmlane::sim {

/// One inference call: how a body becomes a job, and what its errors look like.
struct InferenceApi {
    std::string_view path;
    PlannedJob (*plan)(const ApiContext&, const boost::json::object& body) = nullptr;
    std::string (*error)(const ApiError&) = nullptr;
};

/// The API that a path belongs to; nullptr when there is none.
const InferenceApi* find_api(std::string_view path);

PlannedJob plan_chat(const ApiContext& context, const boost::json::object& body);
PlannedJob plan_completions(const ApiContext& context, const boost::json::object& body);
PlannedJob plan_embeddings(const ApiContext& context, const boost::json::object& body);
PlannedJob plan_responses(const ApiContext& context, const boost::json::object& body);
PlannedJob plan_messages(const ApiContext& context, const boost::json::object& body);

}  // namespace warmlane::sim
