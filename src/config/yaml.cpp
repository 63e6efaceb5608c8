#include "config/document.hpp"
#include "config/expand.hpp"
#include "config/scalar.hpp"

#include "warmlane/core/json_reader.hpp"

#include <boost/nowide/utf/utf.hpp>
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <utility>

namespace warmlane::config {
namespace {

namespace json = boost::json;

// Bounds on what is built; an alias counts each time for all that it repeats.
constexpr std::size_t kValuesMax = 100'000;
constexpr std::size_t kTextBytesMax = std::size_t{4} * 1024 * 1024;
constexpr std::size_t kDepthMax = 64;

int line_of(const YAML::Mark& mark) {
    return mark.is_null() ? 0 : mark.line + 1;
}

std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

/// Turns nodes into values. Node graphs may share parts and even hold themselves, so everything is counted.
class Converter {
public:
    Converter(const ConfigSources& sources, Document& document, std::vector<ConfigError>& errors)
        : file_(sources.file), environment_(sources.environment), document_(document), errors_(errors) {}

    json::value convert(const YAML::Node& node, const std::string& path, std::size_t depth) {
        if (depth > kDepthMax) {
            return stop(node, path, fmt::format("more than {} levels of nesting", kDepthMax));
        }
        if (++values_ > kValuesMax) {
            return stop(node, path, fmt::format("more than {} values, repeated ones counted", kValuesMax));
        }
        switch (node.Type()) {
            case YAML::NodeType::Scalar: return scalar(node, path);
            case YAML::NodeType::Sequence: return sequence(node, path, depth);
            case YAML::NodeType::Map: return map(node, path, depth);
            default: return nullptr;
        }
    }

private:
    json::value sequence(const YAML::Node& node, const std::string& path, std::size_t depth) {
        json::array items;
        for (const YAML::Node& item : node) {
            if (stopped_) {
                break;
            }
            const std::string item_path = fmt::format("{}[{}]", path, items.size());
            place(item_path, item);
            items.push_back(convert(item, item_path, depth + 1));
        }
        return items;
    }

    json::value map(const YAML::Node& node, const std::string& path, std::size_t depth) {
        json::object object;
        for (const auto& entry : node) {
            if (stopped_) {
                break;
            }
            const YAML::Node& key_node = entry.first;
            if (!key_node.IsScalar()) {
                fail(key_node, path, "a key must be a word");
                continue;
            }
            const std::string& key = key_node.Scalar();
            const std::string key_path = join(path, key);
            if (object.contains(key)) {
                fail(key_node, key_path, fmt::format("the key {} stands twice", quoted(key)));
                continue;
            }
            if (!take_bytes(key.size())) {
                return stop(key_node, path, too_long());
            }
            place(key_path, key_node);
            object.emplace(key, convert(entry.second, key_path, depth + 1));
        }
        return object;
    }

    json::value scalar(const YAML::Node& node, const std::string& path) {
        std::vector<std::string> problems;
        const std::string text = expand(node.Scalar(), environment_, problems);
        for (std::string& problem : problems) {
            fail(node, path, std::move(problem));
        }
        if (!problems.empty()) {
            return nullptr;
        }
        if (!take_bytes(text.size())) {
            return stop(node, path, too_long());
        }
        const std::string& tag = node.Tag();
        if (tag == "?" || tag.empty()) {
            return parse_plain_scalar(text);
        }
        if (tag == "!" || tag == "tag:yaml.org,2002:str") {
            return json::value(text);
        }
        fail(node, path, fmt::format("tags like {} are not read", quoted(tag)));
        return nullptr;
    }

    bool take_bytes(std::size_t bytes) {
        text_bytes_ += bytes;
        return text_bytes_ <= kTextBytesMax;
    }

    static std::string too_long() {
        return fmt::format("more than {} bytes of text, repeated ones counted", kTextBytesMax);
    }

    void place(const std::string& path, const YAML::Node& node) {
        document_.origins.set(path, {Origin::Kind::file, file_, line_of(node.Mark())});
    }

    void fail(const YAML::Node& node, const std::string& path, std::string message) {
        errors_.push_back({file_, line_of(node.Mark()), path, std::move(message)});
    }

    /// What is beyond a bound is reported once, and nothing more is looked at.
    json::value stop(const YAML::Node& node, const std::string& path, std::string message) {
        if (!stopped_) {
            stopped_ = true;
            fail(node, path, std::move(message));
        }
        return nullptr;
    }

    const std::string& file_;
    const Environment& environment_;
    Document& document_;
    std::vector<ConfigError>& errors_;

    std::size_t values_ = 0;
    std::size_t text_bytes_ = 0;
    bool stopped_ = false;
};

/// Where the documents of a text begin: none, one, or two and perhaps more. Looks no further than that, since
/// some malformed texts give the parser document after document without end.
class DocumentMarks final : private YAML::EventHandler {
public:
    explicit DocumentMarks(std::string_view text) {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (count_ < 2 && parser.HandleNextDocument(*this)) {
        }
    }

    int count() const { return count_; }
    const YAML::Mark& last() const { return last_; }

private:
    void OnDocumentStart(const YAML::Mark& mark) override {
        ++count_;
        last_ = mark;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value)
        override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value)
        override {}
    void OnMapEnd() override {}

    int count_ = 0;
    YAML::Mark last_;
};

/// Line of the first byte that is not UTF-8, or that text does not hold; 0 when there is none.
int line_of_bad_byte(std::string_view text) {
    namespace utf = boost::nowide::utf;
    int line = 1;
    for (const char* at = text.data(); at != text.data() + text.size();) {
        const auto point = utf::utf_traits<char>::decode(at, text.data() + text.size());
        if (point == utf::illegal || point == utf::incomplete || point == 0) {
            return line;
        }
        line += point == '\n' ? 1 : 0;
    }
    return 0;
}

}  // namespace

void read_yaml(
    std::string_view text, const ConfigSources& sources, Document& document, std::vector<ConfigError>& errors
) {
    if (const int line = line_of_bad_byte(text)) {
        errors.push_back({sources.file, line, "", "not text in UTF-8"});
        return;
    }
    try {
        const DocumentMarks documents(text);
        if (documents.count() == 0) {
            return;
        }
        if (documents.count() > 1) {
            const int line = line_of(documents.last());
            errors.push_back(
                {sources.file,
                 line,
                 "",
                 "more follows behind the first document; a file holds one configuration"}
            );
            return;
        }
        const YAML::Node root = YAML::Load(std::string(text));
        document.origins.set("", {Origin::Kind::file, sources.file, line_of(root.Mark())});
        document.root = Converter(sources, document, errors).convert(root, "", 0);
    } catch (const YAML::Exception& error) {
        errors.push_back({sources.file, line_of(error.mark), "", "not YAML: " + error.msg});
    }
}

}  // namespace warmlane::config
