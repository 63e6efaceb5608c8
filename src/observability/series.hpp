#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <initializer_list>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace warmlane::observability {

/// A family of metrics of one name, whose series are found by their label values without building a label map
/// each time. Any thread.
template <class Metric>
class LabelledSeries {
public:
    using Values = std::initializer_list<std::string_view>;

    LabelledSeries(
        prometheus::Registry& registry, const char* name, const char* help, std::vector<std::string> labels
    )
        : family_(build(registry, name, help)), labels_(std::move(labels)) {}

    /// Does `change` to the series with these label values, one per label and in their order; makes it first
    /// where there is none. The series cannot be removed meanwhile.
    template <class Change>
    void update(Values values, Change change) {
        const std::string key = key_of(values);
        {
            const std::shared_lock lock(mutex_);
            if (const auto found = series_.find(key); found != series_.end()) {
                change(*found->second.metric);
                return;
            }
        }
        const std::unique_lock lock(mutex_);
        const auto [entry, added] = series_.try_emplace(key);
        if (added) {
            entry->second = {std::string(*values.begin()), &family_.Add(named(values))};
        }
        change(*entry->second.metric);
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
    static std::string key_of(Values values) {
        std::string key;
        for (const std::string_view value : values) {
            key += value;
            key += '\xff';
        }
        return key;
    }
    prometheus::Labels named(Values values) const {
        prometheus::Labels labels;
        auto label = labels_.begin();
        for (const std::string_view value : values) {
            labels.emplace(*label++, value);
        }
        return labels;
    }

    prometheus::Family<Metric>& family_;
    const std::vector<std::string> labels_;
    std::shared_mutex mutex_;
    std::map<std::string, Entry, std::less<>> series_;
};

class Counters : public LabelledSeries<prometheus::Counter> {
public:
    using LabelledSeries::LabelledSeries;

    void add(Values values, double amount) {
        update(values, [amount](prometheus::Counter& counter) { counter.Increment(amount); });
    }
};

class Gauges : public LabelledSeries<prometheus::Gauge> {
public:
    using LabelledSeries::LabelledSeries;

    void set(Values values, double value) {
        update(values, [value](prometheus::Gauge& gauge) { gauge.Set(value); });
    }
};

}  // namespace warmlane::observability
