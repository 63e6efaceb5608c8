#include "prometheus_text.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>

namespace warmlane::datalayer {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/// Whether a name ends where `rest` begins.
bool ends_name(std::string_view rest) {
    return rest.empty() || rest.front() == '{' || is_blank(rest.front());
}

void skip_blanks(std::string_view& text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
}

/// Takes everything up to the next blank.
std::string_view take_token(std::string_view& text) {
    const auto* const end = std::ranges::find_if(text, is_blank);
    const std::string_view token(text.begin(), static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(token.size());
    return token;
}

/// Takes a quoted value and gives what stands between the quotes.
std::optional<std::string_view> take_quoted(std::string_view& text) {
    if (!text.starts_with('"')) {
        return std::nullopt;
    }
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            const std::string_view raw = text.substr(1, i - 1);
            text.remove_prefix(i + 1);
            return raw;
        }
    }
    return std::nullopt;
}

/// Takes `name="value"`.
std::optional<PrometheusSample::Label> take_label(std::string_view& text) {
    const std::size_t end = text.find_first_of("= \t,}\"");
    if (end == 0 || end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end);
    skip_blanks(text);
    if (!text.starts_with('=')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    skip_blanks(text);
    const auto value = take_quoted(text);
    if (!value) {
        return std::nullopt;
    }
    return PrometheusSample::Label{name, *value};
}

/// Takes `{...}` with its labels, or nothing when there is none; false when it is malformed.
bool take_labels(std::string_view& text, std::vector<PrometheusSample::Label>& labels) {
    labels.clear();
    if (!text.starts_with('{')) {
        return true;
    }
    text.remove_prefix(1);
    skip_blanks(text);
    while (!text.starts_with('}')) {
        const auto label = take_label(text);
        if (!label) {
            return false;
        }
        labels.push_back(*label);
        skip_blanks(text);
        if (text.starts_with(',')) {
            text.remove_prefix(1);
            skip_blanks(text);
        } else if (!text.starts_with('}')) {
            return false;
        }
    }
    text.remove_prefix(1);
    return true;
}

/// Whether nothing follows the value but a time stamp and an exemplar, both optional.
bool is_end_of_sample(std::string_view text) {
    skip_blanks(text);
    if (!text.empty() && text.front() != '#') {
        if (!parse_number(take_token(text))) {
            return false;
        }
        skip_blanks(text);
    }
    return text.empty() || text.front() == '#';
}

/// Reads what follows the name; false when it is malformed.
bool read_sample(std::string_view text, PrometheusSample& sample) {
    skip_blanks(text);
    if (!take_labels(text, sample.labels)) {
        return false;
    }
    skip_blanks(text);
    const auto value = parse_number(take_token(text));
    if (!value || !is_end_of_sample(text)) {
        return false;
    }
    sample.value = *value;
    return true;
}

char unescaped(char c) {
    return c == 'n' ? '\n' : c;
}

}  // namespace

FamilyNames::FamilyNames(std::span<const std::string_view> names) : names_(names.begin(), names.end()) {
    assert(names_.size() <= kNamesMax);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const NameBits bit = NameBits{1} << i;
        all_ |= bit;
        for (std::size_t offset = 0; offset < kDepth; ++offset) {
            if (offset < names_[i].size()) {
                having_[offset][static_cast<unsigned char>(names_[i][offset])] |= bit;
                continue;
            }
            for (NameBits& bits : having_[offset]) {
                bits |= bit;
            }
        }
    }
}

std::optional<std::size_t> FamilyNames::match(std::string_view line) const {
    NameBits left = all_;
    const std::size_t depth = std::min(line.size(), kDepth);
    for (std::size_t offset = 0; offset < depth && left != 0; ++offset) {
        left &= having_[offset][static_cast<unsigned char>(line[offset])];
    }
    for (; left != 0; left &= left - 1) {
        const auto index = static_cast<std::size_t>(std::countr_zero(left));
        const std::string_view name = names_[index];
        if (line.starts_with(name) && ends_name(line.substr(name.size()))) {
            return index;
        }
    }
    return std::nullopt;
}

std::optional<std::string> PrometheusSample::label(std::string_view name) const {
    const auto found = std::ranges::find(labels, name, &Label::name);
    if (found == labels.end()) {
        return std::nullopt;
    }
    std::string text;
    const std::string_view raw = found->raw_value;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const bool escape = raw[i] == '\\' && i + 1 < raw.size();
        text += escape ? unescaped(raw[++i]) : raw[i];
    }
    return text;
}

bool PrometheusSample::has_label(std::string_view name, std::string_view text) const {
    const auto found = std::ranges::find(labels, name, &Label::name);
    return found == labels.end() ? text.empty() : found->raw_value == text;
}

std::string_view PrometheusText::take_line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
}

const PrometheusSample* PrometheusText::next() {
    while (!rest_.empty()) {
        std::string_view line = take_line();
        if (!line.empty() && is_blank(line.front())) {
            skip_blanks(line);
        }
        const auto family = names_.match(line);
        if (!family) {
            continue;
        }
        line.remove_prefix(names_.name(*family).size());
        if (read_sample(line, sample_)) {
            sample_.family = *family;
            return &sample_;
        }
        ++malformed_lines_;
    }
    return nullptr;
}

std::optional<double> parse_number(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        // std::from_chars takes a minus of its own.
        if (text.starts_with('-')) {
            return std::nullopt;
        }
    }
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (stop != end || text.empty() || error == std::errc::invalid_argument) {
        return std::nullopt;
    }
    // Out of the range of a double: too large or too small to be of use as a value.
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace warmlane::datalayer
