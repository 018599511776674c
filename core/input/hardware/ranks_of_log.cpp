// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/ranks_of_log.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/trace/digest_facts.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

using Ranks = std::span<const std::shared_ptr<const RankTrace>>;
using Files = std::span<const fs::path>;

const fs::path& trace_file(const RankTrace& rank) { return rank.digest ? rank.digest->source.path : rank.file; }

fs::path normal(const fs::path& path) {
    std::error_code error;
    const fs::path full = fs::absolute(path, error);
    return (error ? path : full).lexically_normal();
}

/// Ranks whose traces lie in the folder of the log or below; where there are none, in the folder above it, and so on
/// for the two levels in which logs are looked for.
std::vector<std::size_t> ranks_below(const fs::path& log, Files files) {
    fs::path folder = normal(log).parent_path();
    for (int level = 0; level < 3; ++level, folder = folder.parent_path()) {
        std::vector<std::size_t> found;
        for (std::size_t r = 0; r < files.size(); ++r)
            if (lies_below(files[r], folder))
                found.push_back(r);
        if (!found.empty())
            return found;
    }
    // Traces elsewhere (links, copies): a log of one run is of its ranks.
    std::vector<std::size_t> all(files.size());
    for (std::size_t r = 0; r < all.size(); ++r)
        all[r] = r;
    return all;
}

bool names_host(std::string_view part, std::string_view host) {
    const auto goes_on = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    for (std::size_t at = part.find(host); at != std::string_view::npos; at = part.find(host, at + 1)) {
        const std::size_t end = at + host.size();
        if ((at == 0 || !goes_on(part[at - 1])) && (end == part.size() || !goes_on(part[end])))
            return true;
    }
    return false;
}

bool is_of_host(const RankTrace& rank, const fs::path& file, const std::string& host) {
    for (const char* key : {"nsys.host", "xplane.host"})
        if (const auto told = rank.header.find(key); told != rank.header.end() && !told->second.empty())
            return short_host(told->second) == short_host(host);
    return contains(file.native(), short_host(host)) &&
           std::ranges::any_of(file, [&](const fs::path& part) { return names_host(part.native(), short_host(host)); });
}

/// Numbers of devices start again from rank to rank, as on the machines of a job; ranks that share one GPU do not.
bool are_of_several_machines(const std::vector<std::size_t>& of, Ranks ranks) {
    std::set<std::int64_t> devices;
    bool starts_again = false;
    std::int64_t last = -1;
    for (const std::size_t r : of) {
        const std::int64_t device = ranks[r]->device();
        starts_again |= device < last && devices.contains(device);
        devices.insert(device);
        last = device;
    }
    return devices.size() > 1 && starts_again;
}

struct OfHost {
    std::vector<std::size_t> ranks;
    Message why_not;
};

OfHost ranks_of_host(const fs::path& log, const std::string& host, bool is_one_of_several, Ranks ranks, Files files) {
    OfHost result;
    if (!host.empty())
        for (std::size_t r = 0; r < ranks.size(); ++r)
            if (ranks[r]->device() >= 0 && is_of_host(*ranks[r], files[r], host))
                result.ranks.push_back(r);
    if (!result.ranks.empty())
        return result;
    if (!host.empty() && is_one_of_several) {
        result.why_not = "no trace tells that it was recorded on %1"_text(shortened(terminal_safe(host), 60));
        return result;
    }
    for (const std::size_t r : ranks_below(log, files))
        if (ranks[r]->device() >= 0)
            result.ranks.push_back(r);
    if (result.ranks.empty())
        result.why_not = "no rank beside it has GPU work"_text();
    else if (are_of_several_machines(result.ranks, ranks))
        result.why_not = "the ranks beside it are of several machines, and which of them it is of is not told"_text();
    return result;
}

/// Rows of several GPUs that no column tells apart come in groups.
bool is_of_several(const HardwareGpu& gpu) {
    if (gpu.index >= 0 || !gpu.uuid.empty() || gpu.rows.size() < 4)
        return false;
    const TimeNs mean = (gpu.rows.back().time - gpu.rows.front().time) / static_cast<TimeNs>(gpu.rows.size() - 1);
    std::size_t close = 0;
    for (std::size_t i = 1; i < gpu.rows.size(); ++i)
        close += 4 * (gpu.rows[i].time - gpu.rows[i - 1].time) < mean ? 1 : 0;
    return 5 * close > gpu.rows.size();
}

} // namespace

std::string_view short_host(std::string_view host) { return host.substr(0, host.find('.')); }

bool lies_below(const fs::path& file, const fs::path& folder) {
    const auto [in_folder, in_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return in_folder == folder.end() || (in_folder->empty() && std::next(in_folder) == folder.end());
}

RunOfLogs::RunOfLogs(Ranks of) : ranks(of) {
    for (const auto& rank : ranks)
        files.push_back(normal(trace_file(*rank)));
}

RanksOfLog ranks_of_log(const fs::path& log, const std::string& host, bool is_one_of_several,
                        std::span<const HardwareGpu* const> gpus, RunOfLogs& run) {
    RanksOfLog result;
    const Ranks ranks = run.ranks;
    OfHost of_host = ranks_of_host(log, host, is_one_of_several, ranks, run.files);
    result.why_not = std::move(of_host.why_not);
    if (!result.why_not.empty())
        return result;
    std::map<std::int64_t, std::vector<std::size_t>> by_device;
    for (const std::size_t r : of_host.ranks)
        by_device[ranks[r]->device()].push_back(r);
    if (std::ranges::any_of(gpus, [](const HardwareGpu* gpu) { return is_of_several(*gpu); })) {
        result.why_not = "its rows are of several GPUs, and no column tells which (query index or uuid)"_text();
        return result;
    }
    const bool one_for_all = by_device.size() == 1;
    if (one_for_all && of_host.ranks.size() > 1 && gpus.size() > 1) {
        result.why_not = "its %1 GPUs cannot be told apart in the traces: %2 ranks call theirs GPU %3"_text(
            gpus.size(), of_host.ranks.size(), by_device.begin()->first);
        return result;
    }
    for (const auto& [device, members] : by_device) {
        const auto named = std::ranges::find(gpus, device, &HardwareGpu::index);
        // A process that sees one GPU calls it 0, whatever its number is.
        const bool only = one_for_all && gpus.size() == 1;
        if (named == gpus.end() && !only)
            continue;
        result.needs_activity |= named == gpus.end() && gpus.front()->index >= 0;
        MatchedGpu matched;
        matched.gpu = named == gpus.end() ? gpus.front() : *named;
        matched.ranks = members;
        std::shared_ptr<const GpuActivity>& activity = run.activities[members];
        if (!activity) {
            std::vector<const RankTrace*> traces;
            for (const std::size_t r : members)
                traces.push_back(ranks[r].get());
            activity = std::make_shared<const GpuActivity>(traces);
        }
        matched.activity = activity;
        matched.window = utilization_window(matched.gpu->rows);
        result.gpus.push_back(std::move(matched));
    }
    if (result.gpus.empty())
        result.why_not = "none of its GPUs has the number of a device in the traces"_text();
    return result;
}

} // namespace rankscope
