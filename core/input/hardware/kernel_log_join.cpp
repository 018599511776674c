// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/kernel_log_join.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "core/base/text.h"
#include "core/base/words.h"
#include "core/input/hardware/ranks_of_log.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

using Ranks = std::span<const std::shared_ptr<const RankTrace>>;
using Indices = std::vector<std::size_t>;

fs::path folder_of(const fs::path& file) {
    std::error_code error;
    const fs::path full = fs::absolute(file, error);
    return (error ? file : full).lexically_normal().parent_path();
}

/// Empty: not told.
std::string header_text(const RankTrace& rank, const char* key) {
    const auto found = rank.header.find(key);
    return found == rank.header.end() ? std::string() : found->second;
}

/// Where both tell their host, that decides; else the folder.
bool is_of_machine(const std::string& host, const std::string& other, bool beside) {
    return host.empty() || other.empty() ? beside : short_host(host) == short_host(other);
}

class Joiner {
public:
    Joiner(std::span<const HardwareJoin> hardware, Ranks ranks) : hardware_(hardware), run_(ranks) {
        for (const auto& rank : ranks) {
            if (rank->events.size() == 0)
                continue;
            recording_.begin = std::min(recording_.begin, rank->span.begin);
            recording_.end = std::max(recording_.end, rank->span.end);
        }
    }

    /// Of the GPU; empty: none is known, or several may be meant.
    Indices ranks_of(const fs::path& log, const std::string& host, const std::string& bus) const {
        std::vector<Indices> found;
        const auto add = [&](const Indices& ranks) {
            if (!ranks.empty() && std::ranges::find(found, ranks) == found.end())
                found.push_back(ranks);
        };
        for (const HardwareJoin& join : hardware_)
            if (is_of_machine(host, join.host, folder_of(join.log) == folder_of(log)))
                for (const HardwareJoin::Bus& gpu : join.buses)
                    if (gpu.id == bus)
                        add(gpu.ranks);
        std::map<std::string, Indices> by_machine; // two machines number their buses alike
        for (std::size_t r = 0; r < run_.ranks.size(); ++r) {
            const std::string of_rank = header_text(*run_.ranks[r], "nsys.host");
            if (pci_bus_in(header_text(*run_.ranks[r], "nsys.gpu_bus")) == bus &&
                is_of_machine(host, of_rank, lies_below(run_.files[r], folder_of(log))))
                by_machine[of_rank.empty() ? run_.files[r].string() : of_rank].push_back(r);
        }
        for (const auto& [machine, ranks] : by_machine)
            add(ranks);
        return found.size() == 1 ? found.front() : Indices();
    }

    /// On the clock of this rank.
    std::optional<TimeNs> time_of(const KernelTime& told, std::size_t rank) const {
        const RankTrace& trace = *run_.ranks[rank];
        if (trace.events.size() == 0)
            return {}; // it recorded no time
        const bool known_zone = told.utc_offset.has_value();
        const HardwareClock wanted = known_zone ? HardwareClock::unix_time : HardwareClock::local;
        std::optional<TimeNs> offset;
        constexpr TimeNs kYear2000 = TimeNs{946'684'800} * 1'000'000'000;
        if (known_zone && trace.span.begin > kYear2000)
            offset = 0;
        for (const HardwareJoin& join : hardware_)
            if (!offset && join.why_not.empty() && join.clock == wanted &&
                std::ranges::find(join.ranks, trace.rank) != join.ranks.end())
                offset = join.offset;
        if (!offset)
            return {};
        const TimeNs added = *offset - told.utc_offset.value_or(0);
        return (told.has_year ? told.time : in_year_of(told.time, trace.span.begin - added)) + added;
    }

    [[nodiscard]] Ranks ranks() const { return run_.ranks; }
    [[nodiscard]] TimeRange recording() const { return recording_; }

private:
    std::span<const HardwareJoin> hardware_;
    RunOfLogs run_;
    TimeRange recording_{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()}; ///< of all ranks
};

/// Adds a message to those of its kind.
void add_message(const KernelMessage& message, const Indices& of, const Joiner& joiner, KernelLogJoin& join,
                 std::vector<GpuError>& errors) {
    ++join.count;
    if (of.empty() || !message.time)
        return;
    const auto time = joiner.time_of(*message.time, of.front());
    if (!time)
        return;
    const TimeRange recording = joiner.recording();
    const TimeNs since = *time - recording.begin;
    if (!join.first || since < *join.first) {
        join.first = since;
        join.after = *time > recording.end ? std::optional(*time - recording.end) : std::nullopt;
    }
    errors.push_back({join.ranks, message.kind, message.xid, *time});
}

void join_log(const KernelLog& log, const Joiner& joiner, KernelLogJoins& all) {
    using Key = std::tuple<std::string, std::string, GpuErrorKind, int>;
    std::map<Key, std::size_t> known;
    std::map<std::pair<std::string, std::string>, Indices> of_gpu;
    for (const KernelMessage& message : log.messages) {
        const auto [gpu, is_new] = of_gpu.try_emplace({message.host, message.bus});
        if (is_new)
            gpu->second = joiner.ranks_of(log.path, message.host, message.bus);
        if (gpu->second.empty() && !message.is_gpu)
            continue; // network cards, disks and ports have errors, too
        const auto [at, added] =
            known.try_emplace({message.host, message.bus, message.kind, message.xid}, all.joins.size());
        if (added) {
            KernelLogJoin join{log.path, message.host, message.bus, message.kind, message.xid, 0, {}, {}, {}};
            for (const std::size_t r : gpu->second)
                join.ranks.push_back(joiner.ranks()[r]->rank);
            all.joins.push_back(std::move(join));
        }
        add_message(message, gpu->second, joiner, all.joins[at->second], all.errors);
    }
}

Message first_words(const KernelLogJoin& join) {
    if (!join.first)
        return "the log does not tell when in the recording"_text();
    if (join.after)
        return "the first %1 after the end of the recording"_text(time_words(static_cast<double>(*join.after)));
    if (*join.first < 0)
        return "the first %1 before the recording"_text(time_words(-static_cast<double>(*join.first)));
    return "the first %1 into the recording"_text(time_words(static_cast<double>(*join.first)));
}

} // namespace

KernelLogJoins join_kernel_logs(std::span<const KernelLog> logs, std::span<const HardwareJoin> hardware,
                                std::span<const std::shared_ptr<const RankTrace>> ranks) {
    const Joiner joiner(hardware, ranks);
    KernelLogJoins all;
    for (const KernelLog& log : logs)
        join_log(log, joiner, all);
    std::ranges::stable_sort(all.errors, {}, &GpuError::time);
    return all;
}

Message kernel_log_join_words(const KernelLogJoin& join) {
    const Message what = gpu_error_words(join.kind, join.xid);
    if (!join.ranks.empty())
        return "GPU of %1 (PCI %2): %3; times: %4; %5"_text(rank_words(join.ranks), join.bus, what, join.count,
                                                            first_words(join));
    const std::string host = shortened(terminal_safe(join.host), 60);
    return host.empty() ? "GPU at PCI %1: %2; times: %3; no trace and no log of GPUs tells whose it is"_text(
                              join.bus, what, join.count)
                        : "GPU at PCI %1 of %2: %3; times: %4; no trace and no log of GPUs tells whose it is"_text(
                              join.bus, host, what, join.count);
}

} // namespace rankscope
