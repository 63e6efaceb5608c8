#include "metrics_page.hpp"

#include "engine_metric_names.hpp"
#include "prometheus_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warmlane::datalayer {
namespace {

std::vector<std::string_view> distinct_families(std::span<const MetricName> rows) {
    std::vector<std::string_view> families;
    for (const MetricName& row : rows) {
        if (std::ranges::find(families, row.family) == families.end()) {
            families.push_back(row.family);
        }
    }
    return families;
}

/// An engine's families, each once, and the rows that each of them feeds.
struct EngineFamilies {
    explicit EngineFamilies(const EngineMetricNames& engine)
        : rows(engine.names), names(distinct_families(rows)) {
        for (std::size_t family = 0; family < names.size(); ++family) {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (rows[row].family == names.name(family)) {
                    rows_of_family[family].push_back(row);
                }
            }
        }
    }

    std::span<const MetricName> rows;
    FamilyNames names;
    std::array<std::vector<std::size_t>, FamilyNames::kNamesMax> rows_of_family;
};

const EngineFamilies& families_of(const EngineMetricNames& engine) {
    static const auto all = [] {
        std::map<std::string_view, EngineFamilies> made;
        for (const EngineMetricNames& row : all_engine_metric_names()) {
            made.try_emplace(row.engine, row);
        }
        return made;
    }();
    return all.at(engine.engine);
}

/// The usable numbers of one row.
struct Numbers {
    std::size_t count = 0;
    double sum = 0;
    double smallest = 0;
    double greatest = 0;

    void add(double value) {
        smallest = count == 0 ? value : std::min(smallest, value);
        greatest = count == 0 ? value : std::max(greatest, value);
        sum += value;
        ++count;
    }
};

/// The names of a comma-separated list, without blanks around them.
std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        std::string_view name = list.substr(0, comma);
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
        const std::size_t begin = name.find_first_not_of(' ');
        if (begin != std::string_view::npos) {
            name = name.substr(begin, name.find_last_not_of(' ') - begin + 1);
            names.emplace_back(name);
        }
    }
    return names;
}

/// A whole number above zero, as block sizes and counts are.
template <class Integer>
std::optional<Integer> whole(std::optional<double> value) {
    constexpr double kMax = 1e9;
    if (!value || *value < 1 || *value > kMax || std::floor(*value) != *value) {
        return std::nullopt;
    }
    return static_cast<Integer>(*value);
}

/// Gathers the samples of one page.
class PageReader {
public:
    explicit PageReader(const EngineFamilies& engine) : engine_(engine), numbers_(engine.rows.size()) {}

    void add(const PrometheusSample& sample) {
        for (const std::size_t row : engine_.rows_of_family[sample.family]) {
            const MetricName& name = engine_.rows[row];
            if (!name.only_label.empty() && !sample.has_label(name.only_label, name.only_value)) {
                continue;
            }
            if (name.signal == Signal::adapters) {
                add_adapters(sample);
            } else if (const auto number = number_of(name, sample)) {
                numbers_[row].add(*number);
            }
        }
    }

    EndpointMetrics take() {
        const auto field = [this](Signal signal, double Numbers::* which) {
            const Numbers* numbers = numbers_of(signal);
            return numbers == nullptr ? std::nullopt : std::optional(numbers->*which);
        };
        metrics_.waiting = field(Signal::waiting, &Numbers::sum);
        metrics_.running = field(Signal::running, &Numbers::sum);
        metrics_.prompt_tokens_total = field(Signal::prompt_tokens_total, &Numbers::sum);
        metrics_.process_start_time = field(Signal::process_start_time, &Numbers::greatest);
        metrics_.block_tokens = whole<std::uint32_t>(field(Signal::block_tokens, &Numbers::smallest));
        metrics_.block_count = whole<std::uint64_t>(field(Signal::block_count, &Numbers::smallest));
        if (const Numbers* usage = numbers_of(Signal::kv_usage)) {
            metrics_.kv_usage = usage->sum / static_cast<double>(usage->count);
        }
        return std::move(metrics_);
    }

private:
    static std::optional<double> number_of(const MetricName& name, const PrometheusSample& sample) {
        std::optional<double> number = sample.value;
        if (!name.number_label.empty()) {
            number = parse_number(sample.label(name.number_label).value_or(""));
        }
        if (!number || !std::isfinite(*number) || *number < 0) {
            return std::nullopt;
        }
        return name.signal == Signal::kv_usage ? std::min(*number, 1.0) : *number;
    }

    void add_adapters(const PrometheusSample& sample) {
        if (!std::isfinite(sample.value) || sample.value < adapters_time_) {
            return;
        }
        adapters_time_ = sample.value;
        metrics_.running_adapters = split_list(sample.label("running_lora_adapters").value_or(""));
        metrics_.waiting_adapters = split_list(sample.label("waiting_lora_adapters").value_or(""));
        metrics_.max_adapters = whole<std::uint32_t>(parse_number(sample.label("max_lora").value_or("")));
    }

    const Numbers* numbers_of(Signal signal) const {
        for (std::size_t row = 0; row < numbers_.size(); ++row) {
            if (engine_.rows[row].signal == signal && numbers_[row].count > 0) {
                return &numbers_[row];
            }
        }
        return nullptr;
    }

    const EngineFamilies& engine_;
    std::vector<Numbers> numbers_;
    double adapters_time_ = 0;
    EndpointMetrics metrics_;
};

}  // namespace

MetricsPage read_metrics_page(std::string_view engine, std::string_view page) {
    const EngineFamilies& families = families_of(engine_metric_names(engine));
    PageReader reader(families);
    PrometheusText text(page, families.names);
    while (const PrometheusSample* sample = text.next()) {
        reader.add(*sample);
    }
    return {reader.take(), text.malformed_lines()};
}

}  // namespace warmlane::datalayer
