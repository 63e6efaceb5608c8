#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warmlane::observability {

/// A family of metrics of one name, whose series are found by their label values without building a label map
/// each time. Any thread.
template <class Metric>
class LabelledSeries {
public:
    LabelledSeries(
        prometheus::Registry& registry, const char* name, const char* help, std::vector<std::string> labels
    )
        : family_(build(registry, name, help)), labels_(std::move(labels)) {}

    /// One value per label, in the order of the labels.
    Metric& at(const std::vector<std::string_view>& values) {
        const std::string key = key_of(values);
        {
            const std::shared_lock lock(mutex_);
            if (const auto found = series_.find(key); found != series_.end()) {
                return *found->second.metric;
            }
        }
        const std::unique_lock lock(mutex_);
        const auto [entry, added] = series_.try_emplace(key);
        if (added) {
            prometheus::Labels named;
            for (std::size_t i = 0; i < labels_.size(); ++i) {
                named.emplace(labels_[i], std::string(values[i]));
            }
            entry->second = {std::string(values.front()), &family_.Add(named)};
        }
        return *entry->second.metric;
    }

    /// Drops every series whose first label has this value.
    void remove(std::string_view first_value) {
        const std::unique_lock lock(mutex_);
        std::erase_if(series_, [&](const auto& entry) {
            if (entry.second.first_value != first_value) {
                return false;
            }
            family_.Remove(entry.second.metric);
            return true;
        });
    }

private:
    struct Entry {
        std::string first_value;
        Metric* metric = nullptr;
    };

    static prometheus::Family<Metric>& build(
        prometheus::Registry& registry, const char* name, const char* help
    ) {
        if constexpr (std::is_same_v<Metric, prometheus::Counter>) {
            return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
        } else {
            return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
        }
    }
    /// The separator stands in no valid UTF-8 text, so no two lists of values share a key.
    static std::string key_of(const std::vector<std::string_view>& values) {
        std::string key;
        for (const std::string_view value : values) {
            key += value;
            key += '\xff';
        }
        return key;
    }

    prometheus::Family<Metric>& family_;
    const std::vector<std::string> labels_;
    std::shared_mutex mutex_;
    std::map<std::string, Entry, std::less<>> series_;
};

using Counters = LabelledSeries<prometheus::Counter>;
using Gauges = LabelledSeries<prometheus::Gauge>;

}  // namespace warmlane::observability
