#include "app/flags.hpp"

#include "warmlane/core/json_reader.hpp"

#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

namespace warmlane::app {
namespace {

constexpr unsigned kLineLength = 110;
/// May be left out, and then means `true`.
constexpr std::string_view kBooleanValue = "[BOOL]";

std::vector<std::string> names_of(const po::options_description& flags) {
    std::vector<std::string> names;
    for (const auto& option : flags.options()) {
        names.push_back("--" + option->long_name());
    }
    return names;
}

}  // namespace

ParsedFlags parse_flags(const std::vector<std::string>& arguments, const po::options_description& known) {
    namespace style = po::command_line_style;
    ParsedFlags parsed;
    try {
        const po::parsed_options options =
            po::command_line_parser(arguments)
                .options(known)
                .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                .allow_unregistered()
                .run();
        bool unknown = false;
        for (const po::option& option : options.options) {
            const std::string& word = option.original_tokens.front();
            if (option.unregistered || (option.string_key.empty() && word.starts_with('-'))) {
                const std::string flag = word.substr(0, word.find('='));
                const std::string hint = did_you_mean(flag, names_of(known));
                parsed.errors.push_back(fmt::format("unknown flag {}{}", quoted(flag), hint));
                unknown = true;
            } else if (!option.string_key.empty()) {
                parsed.flags.emplace_back(
                    option.string_key, option.value.empty() ? "true" : option.value.front()
                );
            } else if (!unknown) {  // else it may be the value of that flag
                parsed.errors.push_back(fmt::format("unexpected argument {}", quoted(word)));
            }
        }
    } catch (const po::error& error) {
        parsed.errors.emplace_back(error.what());
    }
    return parsed;
}

void add_flag(po::options_description& group, const FlagHelp& flag) {
    auto* value = po::value<std::string>()->value_name(std::string(flag.value));
    if (flag.value.empty()) {
        value->zero_tokens();
    } else if (flag.value == kBooleanValue) {
        value->implicit_value("true", "");
    }
    group.add_options()(std::string(flag.name).c_str(), value, flag.help.c_str());
}

std::string_view value_name(config::SettingKind kind) {
    switch (kind) {
        case config::SettingKind::text: return "TEXT";
        case config::SettingKind::choice: return "WORD";
        case config::SettingKind::boolean: return kBooleanValue;
        case config::SettingKind::number: return "N";
        case config::SettingKind::duration: return "TIME";
        case config::SettingKind::size: return "SIZE";
    }
    return "";
}

po::options_description flag_group(std::string_view heading) {
    return {std::string(heading), kLineLength, kLineLength / 2};
}

}  // namespace warmlane::app
