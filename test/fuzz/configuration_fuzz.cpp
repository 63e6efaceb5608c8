// Any text is either a configuration, which then prints as a text that loads as the same, or it is refused
// with a message.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/config/load_config.hpp"
#include "warmlane/config/print_config.hpp"

#include <string>
#include <variant>

namespace {

using namespace warmlane::config;
using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;

ConfigSources file_of(std::string text) {
    ConfigSources sources;
    sources.file = "f.yaml";
    sources.text = std::move(text);
    sources.environment = {{"A", "1"}, {"B", "http://h:1"}};
    return sources;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FuzzInput input{data, size};
    const auto result = load_config(file_of(std::string(input.bytes())));
    if (const auto* errors = std::get_if<std::vector<ConfigError>>(&result)) {
        require(!errors->empty());
        for (const ConfigError& error : *errors) {
            require(!error.message.empty() && error.line >= 0);
        }
        return 0;
    }
    const LoadedConfig& loaded = std::get<LoadedConfig>(result);
    const auto again = load_config(file_of(print_config(loaded)));
    const LoadedConfig* reloaded = std::get_if<LoadedConfig>(&again);
    require(reloaded != nullptr);
    require(effective(reloaded->config, Secrets::shown) == effective(loaded.config, Secrets::shown));
    return 0;
}
