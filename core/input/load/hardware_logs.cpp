// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/hardware_logs.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/input/find/config_files.h"
#include "core/input/hardware/hardware_join.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool may_be_hardware_log(const fs::path& path) {
    using namespace std::string_view_literals;
    static constexpr std::array kEndings{".csv"sv, ".txt"sv, ".log"sv, ".prom"sv, ".smi"sv};
    return is_one_of(lower_case(path.extension().string()), kEndings);
}

bool begins_as_log(const fs::path& path) {
    constexpr std::size_t kEnough = 16 * 1024;
    const std::string beginning = beginning_of_file(path, kEnough);
    return hardware_format(beginning) || is_smi_without_header(beginning);
}

/// "nvidia-smi.csv: ranks 0 to 7"
std::string joined_words(const HardwareJoin& join) {
    const std::string to = join.why_not.empty() ? english(rank_words(join.ranks)) : std::string("not joined");
    return fmt::format("{}: {}", join.log.filename().string(), to);
}

} // namespace

std::vector<fs::path> hardware_logs(const fs::path& run) {
    constexpr std::size_t kMostFiles = 1000;
    std::vector<fs::path> logs = files_beside(run, may_be_hardware_log);
    logs.resize(std::min(logs.size(), kMostFiles));
    std::erase_if(logs, [](const fs::path& path) { return !begins_as_log(path); });
    return logs;
}

void join_hardware(const fs::path& path, Run& run) {
    std::vector<HardwareLog> logs;
    std::uint64_t rows = 0;
    for (const fs::path& file : hardware_logs(path)) {
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
        return;
    std::vector<std::string> told;
    for (const HardwareJoin& join : join_hardware_logs(logs, run.ranks, *run.names)) {
        told.push_back(joined_words(join));
        add_notice(run.notices,
                   {join.why_not.empty() ? NoticeCode("hardware_log") : NoticeCode("hardware_log_unmatched"),
                    hardware_join_words(join), join.log.string(), 1});
    }
    run.config["trace.hardware"] = fmt::format("{}", fmt::join(told, "; "));
}

} // namespace rankscope
