#include "warmlane/config/load_config.hpp"

#include "config/document.hpp"
#include "config/reading.hpp"

#include "warmlane/config/print_config.hpp"
#include "warmlane/config/settings.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace warmlane::config {
namespace {

namespace json = boost::json;

constexpr std::size_t kFileBytesMax = std::size_t{1} * 1024 * 1024;
constexpr std::string_view kEndpointFlag = "endpoint";
constexpr std::string_view kConfigVariable = "WARMLANE_CONFIG";
constexpr std::string_view kVariablePrefix = "WARMLANE_";

using Errors = std::vector<ConfigError>;

std::optional<std::string> read_file(const std::string& path, Errors& errors) {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::string text(kFileBytesMax + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.is_open() || stream.bad()) {
        errors.push_back({path, 0, "", "cannot be read: " + std::generic_category().message(errno)});
        return std::nullopt;
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

void read_document(const ConfigSources& sources, Document& document, Errors& errors) {
    const std::optional<std::string> text = sources.text ? sources.text : read_file(sources.file, errors);
    if (!text) {
        return;
    }
    if (text->size() > kFileBytesMax) {
        errors.push_back({sources.file, 0, "", fmt::format("longer than {} bytes", kFileBytesMax)});
        return;
    }
    read_yaml(*text, sources, document, errors);
    if (document.root.is_null() && errors.empty()) {
        errors.push_back({sources.file, 1, "", "holds no configuration"});
    }
}

/// `URL` or `NAME=URL`.
json::value endpoint_entry(std::string_view text) {
    const std::size_t equals = text.find('=');
    const bool named = equals < text.find("://");
    json::object entry;
    if (named) {
        entry["name"] = text.substr(0, equals);
    }
    entry["url"] = named ? text.substr(equals + 1) : text;
    return entry;
}

/// The entries of a list that is separated by commas or blanks.
std::vector<std::string> split_list(std::string_view text) {
    constexpr std::string_view kSeparators = ", \t\r\n";
    std::vector<std::string> items;
    while (true) {
        const std::size_t begin = text.find_first_not_of(kSeparators);
        if (begin == std::string_view::npos) {
            return items;
        }
        text.remove_prefix(begin);
        const std::size_t size = std::min(text.find_first_of(kSeparators), text.size());
        items.emplace_back(text.substr(0, size));
        text.remove_prefix(size);
    }
}

/// The value of a flag, else of the variable that goes with it, with its origin.
struct Given {
    std::vector<std::string> values;
    Origin origin;
};

/// For a service called `warmlane`, Kubernetes sets `WARMLANE_PORT` to an address like `tcp://10.0.0.1:80`.
bool is_service_address(std::string_view text) {
    return text.starts_with("tcp://") || text.starts_with("udp://");
}

Given given_for(std::string_view flag, const ConfigSources& sources) {
    Given given;
    for (const auto& [name, value] : sources.flags) {
        if (name == flag) {
            given.values.push_back(value);
        }
    }
    if (!given.values.empty()) {
        given.origin = {Origin::Kind::flag, fmt::format("--{}", flag), 0};
        return given;
    }
    const std::string variable = environment_name(flag);
    const auto found = sources.environment.find(variable);
    if (found != sources.environment.end() && !is_service_address(found->second)) {
        given.origin = {Origin::Kind::environment, variable, 0};
        given.values.push_back(found->second);
    }
    return given;
}

/// Puts what flags and the environment say over what the file says.
void overlay(const ConfigSources& sources, Document& document) {
    for (const Setting<Config>& setting : settings()) {
        const Given given = given_for(setting.flag, sources);
        if (!given.values.empty()) {
            document.set(setting.path, parse_setting(setting.kind, given.values.back()), given.origin);
        }
    }
    const Given endpoints = given_for(kEndpointFlag, sources);
    if (endpoints.values.empty()) {
        return;
    }
    json::array entries;
    for (const std::string& value : endpoints.values) {
        const bool is_list = endpoints.origin.kind == Origin::Kind::environment;
        for (const std::string& item : is_list ? split_list(value) : std::vector{value}) {
            entries.push_back(endpoint_entry(item));
        }
    }
    document.set("endpoints", std::move(entries), endpoints.origin);
}

/// Variables that look like ours by a slip of the pen.
void note_odd_variables(const ConfigSources& sources, Errors& notes) {
    std::vector<std::string> known = {std::string(kConfigVariable), environment_name(kEndpointFlag)};
    for (const Setting<Config>& setting : settings()) {
        known.push_back(environment_name(setting.flag));
    }
    for (const auto& [name, value] : sources.environment) {
        const bool ours = name.starts_with(kVariablePrefix);
        if (!ours || is_service_address(value) ||
            std::find(known.begin(), known.end(), name) != known.end()) {
            continue;
        }
        if (const std::optional<std::string> near = nearest(name, known)) {
            notes.push_back(
                {"environment " + name, 0, "", fmt::format("is not read; did you mean {}?", quoted(*near))}
            );
        }
    }
}

ConfigError placed(ReadError error, const Document& document, const std::string& file) {
    const Origin origin = document.origins.around(error.path);
    switch (origin.kind) {
        case Origin::Kind::file:
            return {origin.name, origin.line, std::move(error.path), std::move(error.message)};
        case Origin::Kind::built_in: return {file, 0, std::move(error.path), std::move(error.message)};
        default: return {to_string(origin), 0, std::move(error.path), std::move(error.message)};
    }
}

/// A value that could not even be read from the file is not told of twice.
void add_placed(
    std::vector<ReadError> found, const Document& document, const std::string& file, Errors& errors
) {
    std::set<std::string> told;
    for (const ConfigError& error : errors) {
        told.insert(error.path);
    }
    for (ReadError& error : found) {
        if (error.path.empty() || !told.contains(error.path)) {
            errors.push_back(placed(std::move(error), document, file));
        }
    }
}

/// In the order of the file; what has no line goes last.
void sort_by_place(Errors& errors) {
    std::multimap<int, ConfigError> by_line;
    for (ConfigError& error : errors) {
        by_line.emplace(error.line > 0 ? error.line : std::numeric_limits<int>::max(), std::move(error));
    }
    errors.clear();
    for (auto& [line, error] : by_line) {
        errors.push_back(std::move(error));
    }
}

Config read_config(const Document& document, Findings& findings) {
    Config config;
    JsonReader root(document.root, "", findings.errors);
    read_scheduling(root, findings, config.scheduling);
    read_llmd_sections(root, findings);
    read_endpoints(root, findings, config.endpoints);
    read_settings(root, findings, config);
    root.finish();
    return config;
}

void complete(Config& config, Document& document, Findings& findings) {
    if (config.demo > 0 && document.origins.of("debugHeaders").kind == Origin::Kind::built_in) {
        config.proxy.debug_headers = true;
        document.origins.set("debugHeaders", document.origins.of("demo"));
    }
    if (config.endpoints.empty() && config.demo == 0) {
        findings.notes.push_back(
            {"endpoints", "there is none yet: a start needs some here, or --endpoint URL, or --demo N"}
        );
    }
    config.effective_json = json::serialize(effective(config, Secrets::hidden));
}

}  // namespace

std::string to_string(const ConfigError& error) {
    std::string text;
    for (const std::string& part :
         {error.line > 0 ? fmt::format("{}:{}", error.file, error.line) : error.file, error.path}) {
        if (!part.empty()) {
            text += part + ": ";
        }
    }
    return text + error.message;
}

std::variant<LoadedConfig, std::vector<ConfigError>> load_config(const ConfigSources& given) {
    ConfigSources sources = given;
    const auto variable = sources.environment.find(kConfigVariable);
    if (sources.file.empty() && variable != sources.environment.end()) {
        sources.file = variable->second;
    }
    Errors errors;
    Document document;
    if (!sources.file.empty() || sources.text) {
        read_document(sources, document, errors);
    }
    overlay(sources, document);

    Findings findings;
    Config config = read_config(document, findings);
    add_placed(std::move(findings.errors), document, sources.file, errors);
    if (!errors.empty()) {
        sort_by_place(errors);
        return errors;
    }
    complete(config, document, findings);
    Errors notes;
    add_placed(std::move(findings.notes), document, sources.file, notes);
    note_odd_variables(sources, notes);
    sort_by_place(notes);
    return LoadedConfig{std::move(config), std::move(document.origins), std::move(notes)};
}

}  // namespace warmlane::config
