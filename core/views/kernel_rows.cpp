// SPDX-License-Identifier: GPL-3.0-or-later
// GPU work by name with its spread, and how long launches take.
#include "core/views/kernel_rows.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace rankscope {
namespace {

std::span<const RankAnalysis> chosen(const RunAnalysis& analysis, RankChoice rank) {
    const std::span<const RankAnalysis> all = analysis.ranks();
    return rank ? all.subspan(*rank, 1) : all;
}

} // namespace

std::vector<KernelRow> kernel_rows(const RunAnalysis& analysis, RankChoice rank) {
    const StringTable& names = *analysis.run().names;
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> row_of(names.size() * kKernelClassCount, kNone);
    std::vector<KernelRow> rows;
    std::vector<std::vector<TimeNs>> times;
    TimeNs sum = 0;
    for (const RankAnalysis& one : chosen(analysis, rank)) {
        for (const GpuSlice& slice : one.gpu_work) {
            const NameId name = one.trace->events.name[slice.event];
            std::uint32_t& row = row_of[name * kKernelClassCount + static_cast<std::size_t>(slice.kernel_class)];
            if (row == kNone) {
                row = static_cast<std::uint32_t>(rows.size());
                const bool computes = slice.kernel_class == KernelClass::compute;
                rows.push_back(
                    {name, slice.kernel_class, computes ? compute_kind(names.view(name)) : ComputeKind::other, {}, 0});
                times.emplace_back();
            }
            times[row].push_back(slice.range.length());
            sum += slice.range.length();
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].time = distribution_of(std::move(times[i]));
        rows[i].share = sum > 0 ? static_cast<double>(rows[i].time.sum) / static_cast<double>(sum) : 0;
    }
    std::ranges::sort(rows, [&](const KernelRow& a, const KernelRow& b) {
        return std::tuple(-a.time.sum, names.view(a.name), a.kernel_class) <
               std::tuple(-b.time.sum, names.view(b.name), b.kernel_class);
    });
    return rows;
}

std::vector<TimeNs> launch_delays(const RunAnalysis& analysis, RankChoice rank) {
    std::vector<TimeNs> delays;
    for (const RankAnalysis& one : chosen(analysis, rank)) {
        const EventTable& events = one.trace->events;
        for (const GpuSlice& slice : one.gpu_work) {
            const EventIndex call = events.link[slice.event];
            if (call != kNoEvent && events.link[call] == slice.event)
                delays.push_back(events.start[slice.event] - events.start[call]);
        }
    }
    return delays;
}

std::vector<OperatorRow> chosen_leaves(const RunAnalysis& analysis, RankChoice rank) {
    return rank ? analysis.operators()[*rank].leaves : analysis.leaves();
}

std::vector<OperatorRow> chosen_modelled(const RunAnalysis& analysis, RankChoice rank) {
    return rank ? analysis.operators()[*rank].modelled : analysis.modelled();
}

} // namespace rankscope
