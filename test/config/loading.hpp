#pragma once

#include "warmlane/config/load_config.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warmlane::config::test {

/// A file of that content, called `f.yaml`.
inline ConfigSources file_of(std::string text) {
    ConfigSources sources;
    sources.file = "f.yaml";
    sources.text = std::move(text);
    return sources;
}

inline std::vector<ConfigError> errors_of(const ConfigSources& sources) {
    const auto result = load_config(sources);
    const auto* errors = std::get_if<std::vector<ConfigError>>(&result);
    return errors == nullptr ? std::vector<ConfigError>() : *errors;
}

/// Lines as one text, which a failed check shows.
inline std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

/// Errors or notes as people read them.
inline std::string text_of(const std::vector<ConfigError>& errors) {
    std::string text;
    for (const ConfigError& error : errors) {
        text += to_string(error) + "\n";
    }
    return text;
}

/// Ends the test case with the errors when there are any.
inline LoadedConfig load(const ConfigSources& sources) {
    auto result = load_config(sources);
    if (const auto* errors = std::get_if<std::vector<ConfigError>>(&result)) {
        FAIL(text_of(*errors));
    }
    return std::get<LoadedConfig>(std::move(result));
}

}  // namespace warmlane::config::test
