#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/core/json_reader.hpp"
#include "warmlane/routing/scheduling_config.hpp"

#include <string_view>
#include <vector>

namespace warmlane::config {

struct Config;

/// What reading a document found, by path: faults, and what is accepted and worth a word.
struct Findings {
    std::vector<ReadError> errors;
    std::vector<ReadError> notes;
};

/// Each of these reads its own top-level keys through `root`, reports through `findings`, and leaves the
/// target as it is where something is wrong.

/// `endpoints`.
void read_endpoints(JsonReader& root, Findings& findings, std::vector<EndpointSpec>& endpoints);

/// `apiVersion`, `kind`, `plugins` and `schedulingProfiles`; also builds a scheduler of it all, once and for
/// nothing but its errors.
void read_scheduling(JsonReader& root, Findings& findings, routing::SchedulingConfig& scheduling);

/// What an EndpointPickerConfig may hold besides: `dataLayer`, `requestHandler`, `featureGates`,
/// `flowControl`, ... Accepted where it asks for what is always done, refused with a reason where not.
void read_llmd_sections(JsonReader& root, Findings& findings);

/// Plugin types whose work is always done, without an entry: an entry without parameters changes nothing.
bool is_always_done(std::string_view type);

/// Every setting of the table.
void read_settings(JsonReader& root, Findings& findings, Config& config);

}  // namespace warmlane::config
