// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/hardware_join.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/words.h"
#include "core/input/hardware/gpu_activity.h"
#include "core/input/hardware/log_times.h"
#include "core/input/hardware/ranks_of_log.h"

namespace rankscope {
namespace {

/// What a log of one host says, and whose it is.
struct HostLog {
    const HardwareLog* log = nullptr;
    std::vector<const HardwareGpu*> gpus;
    HardwareJoin join;
};

std::vector<HostLog> by_host(const HardwareLog& log) {
    std::map<std::string, std::vector<const HardwareGpu*>> hosts;
    for (const HardwareGpu& gpu : log.gpus)
        hosts[gpu.host].push_back(&gpu);
    std::vector<HostLog> result;
    for (auto& [host, gpus] : hosts) {
        HostLog of{&log, std::move(gpus), {}};
        of.join.log = log.path;
        of.join.format = log.format;
        of.join.host = host;
        of.join.clock = log.clock;
        result.push_back(std::move(of));
    }
    return result;
}

/// The ranks of a run, each copied before the first change of it.
struct ChangedRanks {
    struct Copy {
        RankTrace* trace = nullptr; ///< not copied
        std::set<NameId> series;    ///< of its counters
    };
    std::vector<std::shared_ptr<const RankTrace>>& ranks;
    std::vector<Copy> copies;

    Copy& changed(std::size_t r) {
        Copy& of = copies[r];
        if (of.trace == nullptr) {
            auto copy = std::make_shared<RankTrace>(*ranks[r]);
            of.trace = copy.get();
            for (const CounterSample& sample : copy->counters)
                of.series.insert(sample.series);
            ranks[r] = std::move(copy);
        }
        return of;
    }
};

/// The series of other logs stay: the first that tells a quantity counts.
void add_counters(const MatchedGpu& matched, TimeNs offset, ChangedRanks::Copy& copy, StringTable& names) {
    const auto& rows = matched.gpu->rows;
    RankTrace& rank = *copy.trace;
    // The row before the trace holds when it starts, and so does the one behind it tell what its last window was.
    auto first = std::ranges::lower_bound(rows, rank.span.begin - offset, {}, &HardwareRow::time);
    const bool at_start = first != rows.end() && first->time + offset == rank.span.begin;
    first = first == rows.begin() || at_start ? first : std::prev(first);
    auto last = std::ranges::lower_bound(rows, rank.span.end - offset, {}, &HardwareRow::time);
    last = last == rows.end() ? last : std::next(last);
    for (std::size_t i = 0; i < kHardwareQuantities; ++i) {
        const NameId series = names.intern(hardware_series(static_cast<HardwareQuantity>(i)));
        if (copy.series.contains(series))
            continue;
        for (auto row = first; row != last; ++row)
            if (!std::isnan(row->values[i]))
                rank.counters.push_back({series, row->time + offset, row->values[i]});
        if (!rank.counters.empty() && rank.counters.back().series == series)
            copy.series.insert(series);
    }
}

void join_host(HostLog& of, bool is_one_of_several, RunOfLogs& run, ChangedRanks& changes, StringTable& names) {
    RanksOfLog found = ranks_of_log(of.log->path, of.join.host, is_one_of_several, of.gpus, run);
    of.join.why_not = std::move(found.why_not);
    if (!of.join.why_not.empty())
        return;
    const LogTimes times = log_times(*of.log, found.gpus, found.needs_activity);
    of.join.why_not = times.why_not;
    of.join.offset = times.offset;
    of.join.by_activity = times.by_activity;
    of.join.compared = times.fit.compared;
    of.join.residual_points = times.fit.residual_points;
    if (!of.join.why_not.empty())
        return;
    for (const MatchedGpu& gpu : found.gpus) {
        ++of.join.gpus;
        if (!gpu.gpu->bus.empty())
            of.join.buses.push_back({gpu.gpu->bus, gpu.ranks});
        for (const std::size_t r : gpu.ranks) {
            add_counters(gpu, times.offset, changes.changed(r), names);
            of.join.ranks.push_back(run.ranks[r]->rank);
        }
    }
    std::ranges::sort(of.join.ranks);
}

/// "UTC+01:00"
std::string zone_words(TimeNs offset_to_utc) {
    const TimeNs minutes = std::abs(offset_to_utc) / 60'000'000'000;
    return offset_to_utc == 0
               ? std::string("UTC")
               : fmt::format("UTC{}{:02}:{:02}", offset_to_utc < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

Message times_words(const HardwareJoin& join) {
    if (join.by_activity)
        return "its times were moved by %1, where its utilization fits the GPUs' activity"_text(
            time_words(static_cast<double>(join.offset)));
    if (join.clock == HardwareClock::unix_time)
        return "the zone of its times is known"_text();
    return "its times are %1, as they overlap with the traces"_text(zone_words(-join.offset % (24 * kHourNs)));
}

Message check_words(const HardwareJoin& join) {
    if (join.compared == 0)
        return "it holds no utilization inside the traces, so that the GPUs' activity does not confirm it"_text();
    return "its utilization differs from the GPUs' activity in the traces by %1 percentage points (root mean square; "
           "samples: %2)"_text(fmt::format("{:.0f}", join.residual_points), join.compared);
}

} // namespace

std::vector<HardwareJoin> join_hardware_logs(std::span<const HardwareLog> logs,
                                             std::vector<std::shared_ptr<const RankTrace>>& ranks, StringTable& names) {
    std::vector<HostLog> hosts;
    for (const HardwareLog& log : logs)
        for (HostLog& host : by_host(log))
            hosts.push_back(std::move(host));
    // Finer times first: what both logs tell is taken from the first.
    std::ranges::stable_sort(hosts, {}, [](const HostLog& host) { return host.log->resolution; });
    std::set<std::string> all_hosts;
    for (const HostLog& host : hosts)
        all_hosts.insert(host.join.host);
    std::vector<HardwareJoin> joins;
    RunOfLogs run(ranks);
    ChangedRanks changes{ranks, std::vector<ChangedRanks::Copy>(ranks.size())};
    for (HostLog& host : hosts) {
        join_host(host, all_hosts.size() > 1, run, changes, names);
        joins.push_back(std::move(host.join));
    }
    return joins;
}

Message hardware_join_words(const HardwareJoin& join) {
    const std::string format(hardware_format_word(join.format));
    const Message what =
        join.host.empty() ? Message(format) : "%1 of %2"_text(format, shortened(terminal_safe(join.host), 60));
    if (!join.why_not.empty())
        return "%1: not joined, because %2"_text(what, join.why_not);
    return "%1: joined to %2; %3; %4"_text(what, rank_words(join.ranks), times_words(join), check_words(join));
}

} // namespace rankscope
