#include "routing/scheduler_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warmlane::routing {
namespace {

constexpr std::string_view kDefaultPicker = "max-score-picker";
constexpr std::string_view kDefaultHandler = "single-profile-handler";
constexpr std::string_view kDefaultPrefixProducer = "approx-prefix-cache-producer";

}  // namespace

std::unique_ptr<Scheduler> Scheduler::build(
    const SchedulingConfig& config,
    const PluginRegistry& registry,
    std::uint64_t seed,
    std::vector<ReadError>& errors
) {
    return SchedulerBuilder(registry, errors).build(config, seed);
}

void SchedulerBuilder::fail(std::string path, std::string message) {
    errors_.push_back({std::move(path), std::move(message)});
}

std::unique_ptr<Scheduler> SchedulerBuilder::build(const SchedulingConfig& config, std::uint64_t seed) {
    const std::size_t errors_before = errors_.size();
    for (const PluginSpec& spec : config.plugins) {
        plugins_.declare(spec);
    }
    for (const ProfileSpec& spec : config.profiles) {
        add_profile(spec);
    }
    if (config.profiles.empty()) {
        add_profile(default_profile());
    }
    complete_pickers();
    complete_prefix_producer();
    complete_handler();
    if (errors_.size() != errors_before) {
        return nullptr;
    }
    std::unique_ptr<Scheduler> scheduler(new Scheduler());
    for (const PluginInstance* instance : plugins_.all<DataProducer>()) {
        scheduler->producers_.push_back(instance->as<DataProducer>());
    }
    scheduler->plugins_ = plugins_.release();
    scheduler->profiles_ = std::move(profiles_);
    scheduler->handler_ = handler_;
    scheduler->random_.seed(seed);
    return scheduler;
}

/// Every filter, scorer and picker that is declared, in the order of declaration.
ProfileSpec SchedulerBuilder::default_profile() const {
    ProfileSpec profile{"default", {}, ""};
    for (const PluginInstance& instance : plugins_.instances()) {
        const bool belongs = instance.as<Filter>() != nullptr || instance.as<Scorer>() != nullptr ||
                             instance.as<Picker>() != nullptr;
        if (belongs) {
            profile.plugins.push_back({instance.name, std::nullopt, instance.path});
        }
    }
    return profile;
}

void SchedulerBuilder::add_profile(const ProfileSpec& spec) {
    if (spec.name.empty()) {
        fail(below(spec.path, "name"), "every profile needs a name");
    }
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
        if (!spec.name.empty() && profiles_[i].name() == spec.name) {
            fail(
                below(spec.path, "name"),
                fmt::format("the name {} is taken by {}", quoted(spec.name), profile_paths_[i])
            );
            break;
        }
    }
    SchedulingProfile& profile = profiles_.emplace_back(spec.name);
    profile_paths_.push_back(spec.path);
    for (const PluginRef& ref : spec.plugins) {
        add_to_profile(ref, profile);
    }
}

void SchedulerBuilder::add_to_profile(const PluginRef& ref, SchedulingProfile& profile) {
    const std::string path = below(ref.path, "pluginRef");
    if (ref.name.empty()) {
        fail(path, "every entry names a plugin");
        return;
    }
    const PluginInstance* instance = plugins_.find(ref.name);
    if (instance == nullptr) {
        const std::string hint = did_you_mean(ref.name, plugins_.names());
        fail(path, fmt::format("no plugin {} is declared{}", quoted(ref.name), hint));
        return;
    }
    check_weight(ref, *instance);
    if (auto* filter = instance->as<Filter>()) {
        profile.filters.push_back({ref.name, filter});
    }
    if (const auto* scorer = instance->as<Scorer>()) {
        profile.scorers.push_back({ref.name, scorer, ref.weight.value_or(1.0)});
    }
    if (auto* picker = instance->as<Picker>()) {
        if (profile.picker != nullptr) {
            fail(
                ref.path,
                fmt::format("a second picker; the profile has {} already", quoted(profile.picker_name))
            );
        }
        profile.picker = picker;
        profile.picker_name = ref.name;
    }
}

void SchedulerBuilder::check_weight(const PluginRef& ref, const PluginInstance& instance) {
    if (!ref.weight) {
        return;
    }
    const std::string path = below(ref.path, "weight");
    if (!std::isfinite(*ref.weight) || *ref.weight < 0) {
        fail(path, fmt::format("bad weight {}: must be a finite number, 0 or more", *ref.weight));
    } else if (instance.plugin != nullptr && instance.as<Scorer>() == nullptr) {
        fail(path, fmt::format("only a scorer has a weight, and {} is none", quoted(ref.name)));
    }
}

/// A profile without a picker gets the only one that is declared, else one `max-score-picker` for all such.
void SchedulerBuilder::complete_pickers() {
    const auto has_none = [](const SchedulingProfile& profile) { return profile.picker == nullptr; };
    if (std::none_of(profiles_.begin(), profiles_.end(), has_none)) {
        return;
    }
    const std::vector<const PluginInstance*> declared = plugins_.all<Picker>();
    const PluginInstance* picker =
        declared.size() == 1 ? declared.front() : plugins_.complete(kDefaultPicker);
    if (picker == nullptr) {
        return;
    }
    for (SchedulingProfile& profile : profiles_) {
        if (has_none(profile)) {
            profile.picker = picker->as<Picker>();
            profile.picker_name = picker->name;
        }
    }
}

/// Null when there is none; a second one is an error, since a candidate has one match.
const PluginInstance* SchedulerBuilder::declared_prefix_producer() {
    const PluginInstance* producer = nullptr;
    for (const PluginInstance* instance : plugins_.all<DataProducer>()) {
        if (!instance->as<DataProducer>()->gives_prefix_match()) {
            continue;
        }
        if (producer == nullptr) {
            producer = instance;
        } else {
            fail(
                instance->path,
                fmt::format(
                    "a second producer of prefix matches; {} gives them already", quoted(producer->name)
                )
            );
        }
    }
    return producer;
}

/// Who reads prefix matches gets them from a producer, created when none is declared.
void SchedulerBuilder::complete_prefix_producer() {
    const PluginInstance* producer = declared_prefix_producer();
    for (const PluginInstance* reader : plugins_.all<Scorer>()) {
        const std::optional<std::string> wanted = reader->as<Scorer>()->prefix_producer();
        if (!wanted) {
            continue;
        }
        if (producer == nullptr && (wanted->empty() || *wanted == kDefaultPrefixProducer)) {
            producer = plugins_.complete(kDefaultPrefixProducer);
        }
        const bool missing = !wanted->empty() && (producer == nullptr || producer->name != *wanted);
        const PluginInstance* named = plugins_.find(*wanted);
        const bool reported = named != nullptr && named->plugin == nullptr;
        if (missing && !reported) {
            fail(
                below(reader->path, "parameters"),
                fmt::format("no producer of prefix matches {} is declared", quoted(*wanted))
            );
        }
    }
}

void SchedulerBuilder::complete_handler() {
    const std::vector<const PluginInstance*> handlers = plugins_.all<ProfileHandler>();
    if (handlers.empty() && profiles_.size() > 1) {
        // A plugin that could not be made may have been the handler, and is an error of its own.
        if (!plugins_.any_broken()) {
            fail("schedulingProfiles", "two or more profiles need a profile handler, and none is declared");
        }
        return;
    }
    for (std::size_t i = 1; i < handlers.size(); ++i) {
        fail(
            handlers[i]->path,
            fmt::format("a second profile handler; {} is declared already", quoted(handlers.front()->name))
        );
    }
    const PluginInstance* handler = handlers.empty() ? plugins_.complete(kDefaultHandler) : handlers.front();
    if (handler == nullptr) {
        return;
    }
    handler_ = handler->as<ProfileHandler>();
    if (profiles_.size() > handler_->profiles_max()) {
        fail(
            handler->path,
            fmt::format(
                "{} serves at most {} profile(s), and {} are declared",
                quoted(handler->name),
                handler_->profiles_max(),
                profiles_.size()
            )
        );
    }
}

}  // namespace warmlane::routing
