// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/hardware_logs.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/input/find/config_files.h"
#include "core/input/hardware/hardware_join.h"
#include "core/input/hardware/kernel_log_join.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool may_be_hardware_log(const fs::path& path) {
    using namespace std::string_view_literals;
    static constexpr std::array kEndings{".csv"sv, ".txt"sv, ".log"sv, ".prom"sv, ".smi"sv};
    return is_one_of(lower_case(path.extension().string()), kEndings);
}

enum class LogKind : std::uint8_t { none, of_gpus, of_kernel };

LogKind log_kind_of(const fs::path& path) {
    constexpr std::size_t kEnough = 16 * 1024;
    const std::string beginning = beginning_of_file(path, kEnough);
    if (hardware_format(beginning) || is_smi_without_header(beginning))
        return LogKind::of_gpus;
    return is_kernel_log(beginning) ? LogKind::of_kernel : LogKind::none;
}

/// "nvidia-smi.csv: ranks 0 to 7"
std::string joined_words(const HardwareJoin& join) {
    const std::string to = join.why_not.empty() ? english(rank_words(join.ranks)) : std::string("not joined");
    return fmt::format("{}: {}", join.log.filename().string(), to);
}

std::vector<HardwareJoin> join_logs_of_gpus(std::span<const fs::path> files, Run& run) {
    std::vector<HardwareLog> logs;
    std::uint64_t rows = 0;
    for (const fs::path& file : files) {
        if (log_kind_of(file) != LogKind::of_gpus)
            continue;
        auto log = rows < kMostHardwareRows ? read_hardware_log(file)
                                            : input_error("not read: the logs before it have %1 rows"_text(rows));
        if (!log) {
            add_notice(run.notices, {"hardware_log_broken", log.error().message, file.string(), 1});
            continue;
        }
        if (log->malformed > 0)
            add_notice(run.notices,
                       {"hardware_log_broken",
                        "%1 of %2 lines do not fit the columns that the log names, or have no time: left out"_text(
                            log->malformed, log->malformed + log->rows),
                        file.string(), static_cast<std::int64_t>(log->malformed)});
        rows += log->rows;
        if (log->rows > 0)
            logs.push_back(std::move(*log));
    }
    if (logs.empty())
        return {};
    std::vector<std::string> told;
    std::vector<HardwareJoin> joins = join_hardware_logs(logs, run.ranks, *run.names);
    for (const HardwareJoin& join : joins) {
        told.push_back(joined_words(join));
        add_notice(run.notices,
                   {join.why_not.empty() ? NoticeCode("hardware_log") : NoticeCode("hardware_log_unmatched"),
                    hardware_join_words(join), join.log.string(), 1});
    }
    run.config["trace.hardware"] = fmt::format("{}", fmt::join(told, "; "));
    return joins;
}

void join_logs_of_kernels(std::span<const fs::path> files, std::span<const HardwareJoin> hardware, Run& run) {
    constexpr std::size_t kMostTold = 50; // a machine with a bad link has errors of many kinds
    std::vector<KernelLog> logs;
    for (const fs::path& file : files) {
        if (log_kind_of(file) != LogKind::of_kernel)
            continue;
        auto log = read_kernel_log(file);
        if (!log)
            add_notice(run.notices, {"hardware_log_broken", log.error().message, file.string(), 1});
        else if (!log->messages.empty())
            logs.push_back(std::move(*log));
        if (log && log->left_out > 0)
            add_notice(run.notices, {"hardware_log_broken",
                                     "it has more than %1 errors: the rest is left out"_text(kMostKernelMessages),
                                     file.string(), static_cast<std::int64_t>(log->left_out)});
    }
    KernelLogJoins found = join_kernel_logs(logs, hardware, run.ranks);
    run.gpu_errors = std::move(found.errors);
    std::size_t told = 0;
    for (const KernelLogJoin& join : found.joins)
        if (told++ < kMostTold)
            add_notice(run.notices, {join.ranks.empty() ? NoticeCode("kernel_log_unmatched") : NoticeCode("kernel_log"),
                                     kernel_log_join_words(join), join.log.string(), join.count});
}

} // namespace

std::vector<fs::path> hardware_logs(const fs::path& run) {
    constexpr std::size_t kMostFiles = 1000;
    std::vector<fs::path> logs = files_beside(run, may_be_hardware_log);
    logs.resize(std::min(logs.size(), kMostFiles));
    std::erase_if(logs, [](const fs::path& path) { return log_kind_of(path) == LogKind::none; });
    return logs;
}

void join_hardware(const fs::path& path, Run& run) {
    const std::vector<fs::path> files = hardware_logs(path);
    const std::vector<HardwareJoin> joins = join_logs_of_gpus(files, run);
    join_logs_of_kernels(files, joins, run);
}

} // namespace rankscope
