#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::datalayer {

/// Family names to look for, in a form that turns most lines down after a few bytes.
class FamilyNames {
public:
    static constexpr std::size_t kNamesMax = 32;

    /// At most `kNamesMax` names, each of them once; what they view lives as long as this.
    explicit FamilyNames(std::span<const std::string_view> names);

    /// Index of the name at the front of `line`, where a name ends as well.
    std::optional<std::size_t> match(std::string_view line) const;

    std::string_view name(std::size_t index) const { return names_[index]; }
    std::size_t size() const { return names_.size(); }

private:
    static constexpr std::size_t kDepth = 24;
    /// Bit i tells that name i goes on after the bytes that are compared one by one.
    using NameBits = std::uint32_t;

    std::vector<std::string_view> names_;
    /// Names that have a byte at an offset, or end before it.
    std::array<std::array<NameBits, 256>, kDepth> having_{};
    NameBits all_ = 0;
};

/// One sample of a family that was looked for. Views into the page.
struct PrometheusSample {
    struct Label {
        std::string_view name;
        /// As it stands between the quotes, escapes included.
        std::string_view raw_value;
    };

    /// Index into the names.
    std::size_t family = 0;
    /// In the order of the page.
    std::vector<Label> labels;
    /// Any double, also NaN and infinities.
    double value = 0;

    /// Value of a label with its escapes resolved; absent when the sample has no such label.
    std::optional<std::string> label(std::string_view name) const;
    /// Equal to the sample's label, without making a string; a sample without the label has it empty.
    bool has_label(std::string_view name, std::string_view text) const;
};

/// Reads the samples of a few families out of a page in Prometheus's text format or OpenMetrics, in one pass
/// and without building the page. Comments, types, time stamps, exemplars and line ends of both kinds may be
/// there or not. Malformed lines of those families are skipped and counted; other lines are not looked at.
class PrometheusText {
public:
    /// Both outlive the reader.
    PrometheusText(std::string_view page, const FamilyNames& names) : rest_(page), names_(names) {}

    /// The next sample, which lives until the next call; nullptr at the end of the page.
    const PrometheusSample* next();

    std::size_t malformed_lines() const { return malformed_lines_; }

private:
    std::string_view take_line();

    std::string_view rest_;
    const FamilyNames& names_;
    PrometheusSample sample_;
    std::size_t malformed_lines_ = 0;
};

/// A number as it stands in a page: decimal or exponent form, a sign, `NaN`, `Inf`; the whole text must be
/// one.
std::optional<double> parse_number(std::string_view text);

}  // namespace warmlane::datalayer
