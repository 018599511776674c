// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/paired_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

using CallSize = std::tuple<CollectiveKind, std::vector<int>, std::int64_t>; ///< ranks of its group, bytes

struct SizedCalls {
    std::map<CallSize, std::vector<double>> latency_ns; ///< in the order of the calls
    double bus_bytes = 0;
    double all_ns = 0;
};

SizedCalls sized_calls(const RunAnalysis& analysis) {
    SizedCalls calls;
    for (const CollectiveTiming& call : analysis.call_table().whole_calls()) {
        if (!std::isfinite(call.busbw))
            continue;
        const auto latency = static_cast<double>(call.latency);
        calls.latency_ns[{call.kind, analysis.collectives().groups[call.group].ranks, call.bytes}].push_back(latency);
        calls.bus_bytes += call.busbw * latency;
        calls.all_ns += latency;
    }
    return calls;
}

} // namespace

std::optional<double> bandwidth_interval(const RunAnalysis& baseline, const RunAnalysis& test) {
    const SizedCalls before = sized_calls(baseline);
    const SizedCalls after = sized_calls(test);
    double variance = 0; // of the sum of the differences, ns²
    bool paired = false;
    for (const auto& [size, was] : before.latency_ns) {
        const auto is = after.latency_ns.find(size);
        if (is == after.latency_ns.end())
            continue;
        std::vector<double> differences;
        for (std::size_t i = 0; i < std::min(was.size(), is->second.size()); ++i)
            differences.push_back(is->second[i] - was[i]);
        if (differences.size() < 2)
            continue;
        paired = true;
        const double deviation = sample_deviation(differences);
        variance += static_cast<double>(differences.size()) * deviation * deviation;
    }
    if (!paired || before.all_ns <= 0 || after.all_ns <= 0)
        return {};
    constexpr double kStandardErrors = 2; // of many calls
    return kStandardErrors * std::sqrt(variance) / after.all_ns * (after.bus_bytes / after.all_ns);
}

} // namespace rankscope
