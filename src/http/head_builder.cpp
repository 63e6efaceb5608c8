#include "warmlane/http/head_builder.hpp"

#include "http/chars.hpp"

#include <array>
#include <charconv>

namespace warmlane::http {

namespace {

/// Appends what may stand between two spaces of a start line.
void append_visible(std::string& out, std::string_view text) {
    for (char c : text) {
        if (c != ' ' && !is_control(c)) {
            out += c;
        }
    }
}

void append_printable(std::string& out, std::string_view text) {
    for (char c : text) {
        if (c == '\t' || !is_control(c)) {
            out += c;
        }
    }
}

/// A number as text.
class Decimal {
public:
    explicit Decimal(std::uint64_t number)
        : end_(std::to_chars(digits_.data(), digits_.data() + digits_.size(), number).ptr) {}
    Decimal(const Decimal&) = delete;
    Decimal& operator=(const Decimal&) = delete;

    std::string_view view() const {
        return {digits_.data(), static_cast<std::size_t>(end_ - digits_.data())};
    }

private:
    std::array<char, 20> digits_{};
    const char* end_;
};

}  // namespace

void HeadBuilder::request_line(std::string_view method, std::string_view target, std::string_view base_path) {
    append_visible(out_, method);
    out_ += ' ';
    if (target.starts_with('/')) {
        append_visible(out_, base_path);
    }
    append_visible(out_, target);
    out_ += " HTTP/1.1\r\n";
}

void HeadBuilder::status_line(unsigned status, std::string_view reason) {
    out_ += "HTTP/1.1 ";
    out_ += Decimal{status}.view();
    out_ += ' ';
    append_printable(out_, reason.empty() ? reason_of(status) : reason);
    out_ += "\r\n";
}

bool HeadBuilder::add(std::string_view name, std::string_view value) {
    if (name.empty() || !all(token_char, name) || has_control(value)) {
        return false;
    }
    out_.append(name).append(": ").append(value).append("\r\n");
    return true;
}

bool HeadBuilder::add(std::string_view name, std::uint64_t value) {
    return add(name, Decimal{value}.view());
}

void HeadBuilder::finish() {
    out_ += "\r\n";
}

}  // namespace warmlane::http
