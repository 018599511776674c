// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/nccl_ras.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string_view::npos)
            return words;
        const std::size_t end = std::min(line.find_first_of(" \t\r", start), line.size());
        words.push_back(line.substr(start, end - start));
        line.remove_prefix(end);
    }
}

std::optional<std::int64_t> count_in(std::string_view word) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    return error == std::errc{} && end == word.data() + word.size() && count >= 0 ? std::optional(count) : std::nullopt;
}

/// A count, or a range of counts such as "7-8".
bool is_count(std::string_view word) {
    const std::size_t dash = word.find('-');
    return count_in(word.substr(0, dash)) && (dash == std::string_view::npos || count_in(word.substr(dash + 1)));
}

bool are_counts(std::span<const std::string_view> words) { return std::ranges::all_of(words, is_count); }

/// What stands behind the first of these words, up to a comma or the end of the line.
std::string behind(std::string_view line, std::string_view word) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos)
        return {};
    const std::vector<std::string_view> words = words_of(line.substr(at + word.size()));
    if (words.empty())
        return {};
    std::string_view value = words.front();
    if (value.ends_with(','))
        value.remove_suffix(1);
    return std::string(value);
}

/// "4  8  1  32  32" below "Nodes  Processes  GPUs  Processes  GPUs".
void read_summary(std::span<const std::string_view> row, RunConfig& config) {
    constexpr std::array<const char*, 5> kKeys{"nodes", "processes_per_node", "gpus_per_process", "processes", "gpus"};
    for (std::size_t i = 0; i < kKeys.size(); ++i)
        config[std::string("nccl_ras.") + kKeys[i]] = row[i];
    const auto processes = count_in(row[1]);
    const auto gpus = count_in(row[2]);
    constexpr std::int64_t kMost = 1024;
    if (processes && gpus && *processes > 0 && *gpus > 0 && *processes <= kMost && *gpus <= kMost)
        config["nccl_ras.gpus_per_node"] = std::to_string(*processes * *gpus);
}

/// "0  8  4  1  4  32  RUNNING  OK" below "Group  Comms  Nodes  Ranks  Ranks  Ranks  Status  Errors".
void read_group(std::span<const std::string_view> row, RunConfig& config) {
    config["nccl_ras.communicators." + std::string(row[0])] =
        fmt::format("{} of {} ranks on {} nodes, {}, {}", row[1], row[4], row[2], row[6], row[7]);
}

} // namespace

RunConfig parse_nccl_ras(std::string_view text) {
    if (!contains(text, "Job summary") || !contains(text, "Communicators..."))
        return {};
    RunConfig config;
    bool in_summary = false;
    bool in_groups = false;
    std::int64_t communicators = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::vector<std::string_view> words = words_of(line);
        if (line.starts_with("NCCL version"))
            config["nccl_ras.version"] = behind(line, "NCCL version");
        else if (line.starts_with("CUDA runtime version"))
            config["nccl_ras.cuda_runtime"] = behind(line, "CUDA runtime version"),
            config["nccl_ras.cuda_driver"] = behind(line, "driver version");
        else if (line.starts_with("Job summary"))
            in_summary = true;
        else if (line.starts_with("Communicators..."))
            in_summary = false, in_groups = true;
        else if (line.starts_with("Errors") || line.starts_with("Warnings"))
            in_summary = in_groups = false;
        else if (in_summary && words.size() == 5 && are_counts(words))
            read_summary(words, config);
        else if (in_groups && words.size() == 8 && are_counts(std::span(words).first(6))) {
            read_group(words, config);
            communicators += count_in(words[1]).value_or(0);
        }
    }
    if (communicators > 0)
        config["nccl_ras.communicators"] = std::to_string(communicators);
    std::erase_if(config, [](const auto& entry) { return entry.second.empty(); });
    return config;
}

} // namespace rankscope
