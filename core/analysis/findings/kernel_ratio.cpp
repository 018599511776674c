// SPDX-License-Identifier: GPL-3.0-or-later
// How much slower the kernels of a rank are than its peers', by kind of kernel.
#include "core/analysis/findings/kernel_ratio.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "core/analysis/findings/rank_excess.h"

namespace rankscope {
namespace {

constexpr double kAlikeRatios = 0.01; ///< difference of two ratios
constexpr double kOthersTell = 0.1;   ///< of a rank's computation: kernels of other kinds

/// Of the kernels of a kind.
struct KindSums {
    TimeNs own = 0;
    TimeNs expected = 0;
    std::int64_t count = 0;
    std::map<std::string_view, TimeNs> excess;
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    std::vector<std::uint32_t> nodes;
};

struct ComparedKernels {
    std::vector<std::uint32_t> nodes;
    bool alone = false; ///< KernelRatio::alone
};

ComparedKernels compared_kernels(const FindingContext& c, std::uint32_t rank, std::span<const float> shares,
                                 const std::set<std::int64_t>& only_in) {
    std::vector<std::uint32_t> compared;
    std::vector<std::uint32_t> alone;
    TimeNs all_time = 0;
    TimeNs alone_time = 0;
    for (std::uint32_t n = c.graph.first_gpu_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        if (!c.is_in(only_in, n) || c.graph.kind[n] != NodeKind::compute || c.peers.expected[n] <= 0)
            continue;
        compared.push_back(n);
        all_time += c.graph.times.duration[n];
        if (shares[n] > 0 || (!c.peers.estimated.empty() && c.peers.estimated[n]))
            continue;
        alone.push_back(n);
        alone_time += c.graph.times.duration[n];
    }
    const bool tells = static_cast<double>(alone_time) >= kOthersTell * static_cast<double>(all_time);
    const bool fewer = tells && alone.size() < compared.size();
    return {std::move(tells ? alone : compared), fewer};
}

} // namespace

KernelRatio slowest_kernels(const FindingContext& c, std::uint32_t rank, std::span<const float> shares,
                            const std::set<std::int64_t>& only_in) {
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    std::map<NameId, ComputeKind> kinds;
    std::map<ComputeKind, KindSums> sums;
    const ComparedKernels compared = compared_kernels(c, rank, shares, only_in);
    for (const std::uint32_t n : compared.nodes) {
        const NameId name = trace.events.name[c.graph.event[n]];
        const auto [kind, added] = kinds.try_emplace(name);
        if (added)
            kind->second = compute_kind(trace.names->view(name));
        KindSums& sum = sums[kind->second];
        sum.own += c.graph.times.duration[n];
        sum.expected += c.peers.expected[n];
        sum.excess[trace.names->view(name)] += c.graph.times.duration[n] - c.peers.expected[n];
        keep_largest(sum.largest, c.graph.times.duration[n] - c.peers.expected[n], n);
        ++sum.count;
        sum.nodes.push_back(n);
    }
    KernelRatio result;
    TimeNs most = 0;
    TimeNs own = 0;
    TimeNs expected = 0;
    for (const auto& [kind, sum] : sums) {
        own += sum.own;
        expected += sum.expected;
    }
    for (const auto& [kind, sum] : sums) {
        if (sum.own - sum.expected > most) {
            most = sum.own - sum.expected;
            const auto top = std::max_element(sum.excess.begin(), sum.excess.end(),
                                              [](const auto& a, const auto& b) { return a.second < b.second; });
            result = {std::string(compute_kind_word(kind)),
                      std::string(top->first),
                      static_cast<double>(sum.own) / static_cast<double>(sum.expected),
                      sum.count,
                      compared.alone,
                      false,
                      sum.largest,
                      sum.nodes};
            const auto others = static_cast<double>(expected - sum.expected);
            result.alike = others >= kOthersTell * static_cast<double>(expected) &&
                           std::abs(static_cast<double>(own - sum.own) / others - result.ratio) <= kAlikeRatios;
        }
    }
    return result;
}

} // namespace rankscope
