// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/user_metric_files.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "app/command/process.h"
#include "core/metrics/user_metrics.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// As the XDG base directory specification says; empty without a home.
fs::path configuration_folder() {
    const auto folder_in = [](const char* variable) {
        const char* value = std::getenv(variable);
        return fs::path(value != nullptr ? value : "");
    };
    const fs::path config = folder_in("XDG_CONFIG_HOME");
    if (config.is_absolute())
        return config / "rankscope";
    const fs::path home = folder_in("HOME");
    return home.is_absolute() ? home / ".config" / "rankscope" : fs::path();
}

std::vector<fs::path> files_asked_for(std::span<const std::string> arguments) {
    constexpr std::string_view kOption = "--metrics-file";
    std::vector<fs::path> files;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == kOption && i + 1 < arguments.size())
            files.emplace_back(arguments[++i]);
        else if (argument.starts_with(kOption) && argument.size() > kOption.size() && argument[kOption.size()] == '=')
            files.emplace_back(argument.substr(kOption.size() + 1));
    }
    return files;
}

} // namespace

Result<MetricList> load_user_metrics(std::span<const std::string> arguments) {
    MetricList metrics;
    const fs::path own = configuration_folder() / "metrics.yaml";
    std::error_code error;
    if (own.is_absolute() && fs::exists(own, error)) {
        if (auto read = read_user_metrics(own))
            metrics = std::move(*read);
        else
            tell("rankscope: {} (this file is left out)\n", english(read.error().message));
    }
    for (const fs::path& file : files_asked_for(arguments)) {
        auto read = read_user_metrics(file, std::move(metrics));
        if (!read)
            return read;
        metrics = std::move(*read);
    }
    return metrics;
}

} // namespace rankscope
