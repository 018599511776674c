// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/run_config.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "core/base/text_match.h"
#include "core/input/find/find_runs.h"
#include "core/input/find/toml_parser.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// Far more than any configuration holds; aliases and nesting must not make more of a small file.
constexpr std::size_t kMostKeys = 10'000;
constexpr int kDeepest = 32;
constexpr std::uintmax_t kLargestFile = 16u << 20;
constexpr std::uintmax_t kLargestRecords = 256u << 20;

/// Words that people write where they have no value.
bool is_placeholder(const std::string& value) {
    static constexpr std::array kWords{"", "n/a", "na", "tbd", "todo", "none", "null", "~", "unknown", "-"};
    return std::ranges::find(kWords, lower_case(value)) != kWords.end();
}

void set(RunConfig& config, const std::string& key, const std::string& value) {
    if (!is_placeholder(value) && config.size() < kMostKeys)
        config[key] = value;
}

std::string joined(const std::string& prefix, const std::string& key) {
    return prefix.empty() ? key : prefix + "." + key;
}

std::string list_text(const YAML::Node& list) {
    std::string text;
    for (const YAML::Node& item : list) {
        if (!item.IsScalar())
            return fmt::format("{} entries", list.size());
        text += (text.empty() ? "" : ", ") + item.Scalar();
    }
    return "[" + text + "]";
}

void flatten(const YAML::Node& node, const std::string& prefix, int depth, RunConfig& config) {
    if (depth > kDeepest || config.size() >= kMostKeys)
        return;
    if (node.IsMap()) {
        for (const auto& member : node)
            if (member.first.IsScalar())
                flatten(member.second, joined(prefix, member.first.Scalar()), depth + 1, config);
    } else if (node.IsSequence()) {
        set(config, prefix, list_text(node));
    } else if (node.IsScalar()) {
        set(config, prefix, node.Scalar());
    }
}

/// Cards put Model-executor at the top or in workload, and the architecture's keys in model_arch or in model itself.
std::string canonical_key(const std::string& key) {
    constexpr std::string_view kExecutor = "workload.Model-executor.";
    if (key.starts_with(kExecutor))
        return key.substr(std::string_view("workload.").size());
    constexpr std::string_view kModel = "workload.model.";
    static constexpr std::array kArchitecture{"num_params", "num_params_active", "num_params_embedding",
                                              "num_layers", "num_heads",         "head_dim"};
    if (key.starts_with(kModel) && std::ranges::find(kArchitecture, key.substr(kModel.size())) != kArchitecture.end())
        return std::string(kModel) + "model_arch." + key.substr(kModel.size());
    return key;
}

/// As lists of cards are written: "[1, 2]". toml++ prints arrays, too, but counts the digits of an infinite number.
std::string value_text(const toml::node& node) {
    if (const toml::array* list = node.as_array()) {
        std::vector<std::string> items;
        for (const toml::node& item : *list)
            items.push_back(value_text(item));
        return fmt::format("[{}]", fmt::join(items, ", "));
    }
    if (const toml::table* table = node.as_table()) {
        std::vector<std::string> items;
        for (const auto& [key, value] : *table)
            items.push_back(fmt::format("{} = {}", key.str(), value_text(value)));
        return fmt::format("{{{}}}", fmt::join(items, ", "));
    }
    if (const auto* number = node.as_floating_point())
        return fmt::format("{}", number->get());
    std::ostringstream out;
    node.visit([&](const auto& value) {
        if constexpr (toml::is_value<decltype(value)>)
            out << std::boolalpha << value.get();
    });
    return out.str();
}

void flatten(const toml::node& node, const std::string& prefix, int depth, RunConfig& config) {
    if (depth > kDeepest)
        return;
    if (const toml::table* table = node.as_table()) {
        for (const auto& [key, value] : *table)
            flatten(value, joined(prefix, std::string(key.str())), depth + 1, config);
        return;
    }
    set(config, prefix, value_text(node));
}

std::optional<std::string> file_text(const fs::path& path, std::uintmax_t limit, Notices& notices) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > limit) {
        add_notice(notices,
                   {"config_too_large", fmt::format("larger than {} MB: not read", limit >> 20), path.string(), 1});
        return {};
    }
    std::ifstream in(path, std::ios::binary);
    if (error || !in) {
        add_notice(notices, {"unreadable_config", "cannot be read", path.string(), 1});
        return {};
    }
    return std::string(std::istreambuf_iterator<char>(in), {});
}

bool is_yaml(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

void merge(RunConfig& into, const RunConfig& from) { into.insert(from.begin(), from.end()); }

void read_serving_line(const nlohmann::json& line, ServingResults& sums, int& ttfts, int& tpots) {
    const auto add = [&](const char* key, std::optional<double>& sum, int& count) {
        if (line.is_object() && line.contains(key) && line[key].is_number()) {
            sum = sum.value_or(0) + line[key].get<double>();
            ++count;
        }
    };
    add("median_ttft_ms", sums.ttft_ms, ttfts);
    add("median_tpot_ms", sums.tpot_ms, tpots);
}

void read_bench_results(const fs::path& path, Run& run) {
    const auto text = file_text(path, kLargestRecords, run.notices);
    if (!text)
        return;
    std::istringstream lines(*text);
    ServingResults sums;
    int ttfts = 0;
    int tpots = 0;
    for (std::string line; std::getline(lines, line);)
        read_serving_line(nlohmann::json::parse(line, nullptr, false), sums, ttfts, tpots);
    if (ttfts + tpots == 0) {
        add_notice(run.notices, {"broken_config", "no median_ttft_ms or median_tpot_ms in it", path.string(), 1});
        return;
    }
    run.serving.file = path.string();
    if (ttfts > 0)
        run.serving.ttft_ms = *sums.ttft_ms / ttfts;
    if (tpots > 0)
        run.serving.tpot_ms = *sums.tpot_ms / tpots;
}

void read_latency(const fs::path& path, Run& run) {
    const auto text = file_text(path, kLargestFile, run.notices);
    if (!text)
        return;
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_object() && json.contains("avg_latency") && json["avg_latency"].is_number()) {
        run.serving.average_latency_s = json["avg_latency"].get<double>();
        run.serving.file = path.string();
    } else {
        add_notice(run.notices, {"broken_config", "no avg_latency in it", path.string(), 1});
    }
}

void read_gate_log(const fs::path& path, Run& run) {
    const auto text = file_text(path, kLargestRecords, run.notices);
    if (!text)
        return;
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    ExpertLoads loads{path.string(), {}};
    if (json.is_object() && json.contains("expert_loads") && json["expert_loads"].is_array())
        for (const auto& step : json["expert_loads"]) {
            if (!step.is_array() ||
                !std::ranges::all_of(step, [](const auto& load) { return load.is_number() && load >= 0; }))
                continue;
            loads.per_step.push_back(step.get<std::vector<double>>());
        }
    if (loads.per_step.empty())
        add_notice(run.notices, {"broken_config", "no expert_loads in it", path.string(), 1});
    else
        run.expert_loads.push_back(std::move(loads));
}

/// Files beside the traces: of the run's folder, two levels deep, and, when that folder only sorts ranks, of those
/// above it.
std::vector<fs::path> files_beside(const fs::path& path) {
    std::error_code error;
    fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
    if (folder.empty())
        folder = ".";
    std::vector<fs::path> files;
    constexpr int kMostFiles = 100'000;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (int seen = 0; !error && at != fs::recursive_directory_iterator() && seen < kMostFiles;
         at.increment(error), ++seen) {
        if (at.depth() >= 2)
            at.disable_recursion_pending();
        std::error_code unreadable;
        if (at->is_regular_file(unreadable))
            files.push_back(at->path());
    }
    std::ranges::sort(files);
    fs::path above = fs::absolute(folder, error).lexically_normal();
    if (!above.has_filename())
        above = above.parent_path();
    while (sorts_one_run(above.filename().string()) && above.has_relative_path()) {
        above = above.parent_path();
        for (const auto& entry : fs::directory_iterator(above, fs::directory_options::skip_permission_denied, error))
            if (entry.is_regular_file(error))
                files.push_back(entry.path());
    }
    return files;
}

} // namespace

RunConfig parse_workload_card(const std::string& text, const std::string& file, Notices& notices) {
    RunConfig flat;
    const auto read = [&](const std::string& part) {
        const YAML::Node card = YAML::Load(part);
        if (card.IsMap() && card["workload"])
            flatten(card, {}, 0, flat);
    };
    try {
        read(text);
    } catch (const YAML::Exception& broken) {
        add_notice(notices, {"broken_config",
                             fmt::format("not valid YAML ({}); what stands before line {} was read", broken.msg,
                                         broken.mark.line + 1),
                             file, 1});
        // The lines before the broken one are usually a document of their own.
        std::istringstream lines(text);
        std::string before;
        std::string line;
        for (int i = 0; i < broken.mark.line && std::getline(lines, line); ++i)
            before += line + '\n';
        try {
            read(before);
        } catch (const YAML::Exception&) {
            flat.clear();
        }
    }
    RunConfig config;
    for (const auto& [key, value] : flat)
        config[canonical_key(key)] = value;
    return config;
}

RunConfig parse_train_config(const std::string& text, const std::string& file, Notices& notices) {
    RunConfig config;
    try {
        flatten(toml::parse(text), "train_config", 0, config);
    } catch (const toml::parse_error& broken) {
        add_notice(notices,
                   {"broken_config",
                    fmt::format("not valid TOML: {} (line {})", broken.description(), broken.source().begin.line), file,
                    1});
    }
    return config;
}

void read_run_config(const std::filesystem::path& path, Run& run) {
    bool card_found = false;
    for (const fs::path& file : files_beside(path)) {
        const std::string name = file.filename().string();
        if (is_yaml(file)) {
            const auto text = file_text(file, kLargestFile, run.notices);
            // Any YAML may lie about; only one that speaks of a workload concerns us, broken or not.
            if (!text || text->find("workload") == std::string::npos)
                continue;
            const RunConfig card = parse_workload_card(*text, file.string(), run.notices);
            if (card.empty())
                continue;
            if (card_found)
                add_notice(run.notices,
                           {"second_workload_card", "another workload card was read before; this one is not used",
                            file.string(), 1});
            else
                merge(run.config, card);
            card_found = true;
        } else if (name == "train_config.toml") {
            if (const auto text = file_text(file, kLargestFile, run.notices))
                merge(run.config, parse_train_config(*text, file.string(), run.notices));
        } else if (name == "bench_results.jsonl") {
            read_bench_results(file, run);
        } else if (name.ends_with(".latency.json")) {
            read_latency(file, run);
        } else if (name.starts_with("gate_logs_") && file.extension() == ".json") {
            read_gate_log(file, run);
        }
    }
}

} // namespace rankscope
