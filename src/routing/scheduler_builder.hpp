#pragma once

#include "routing/plugin_set.hpp"

#include "warmlane/routing/scheduler.hpp"

namespace warmlane::routing {

/// Turns a configuration into a scheduler, step by step: plugins, profiles, then what was left out. Every
/// step goes on after an error, so that all of them are found. Used once.
class SchedulerBuilder {
public:
    /// Both outlive the builder; `errors` is appended to.
    SchedulerBuilder(const PluginRegistry& registry, std::vector<ReadError>& errors)
        : errors_(errors), plugins_(registry, errors) {}

    /// Null when there was an error.
    std::unique_ptr<Scheduler> build(const SchedulingConfig& config, std::uint64_t seed);

private:
    void fail(std::string path, std::string message);

    ProfileSpec default_profile() const;
    void add_profile(const ProfileSpec& spec);
    void add_to_profile(const PluginRef& ref, SchedulingProfile& profile);
    void check_weight(const PluginRef& ref, const PluginInstance& instance);

    void complete_pickers();
    void complete_prefix_producer();
    const PluginInstance* declared_prefix_producer();
    void complete_handler();

    std::vector<ReadError>& errors_;
    PluginSet plugins_;
    std::vector<SchedulingProfile> profiles_;
    // By position in `profiles_`.
    std::vector<std::string> profile_paths_;
    ProfileHandler* handler_ = nullptr;
};

}  // namespace warmlane::routing
