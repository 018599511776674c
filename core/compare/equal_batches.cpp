// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/equal_batches.h"

#include <fmt/format.h>

#include "core/compare/metric_comparison.h"

namespace rankscope {
namespace {

constexpr std::size_t kLeastPairs = 3;
constexpr double kLeastShare = 0.8; ///< of the time of either run

/// By sizes and by the requests that wait.
using BatchKey = std::pair<std::vector<BatchSize>, double>;

struct TimesByBatch {
    StepsByBatch<BatchKey, RequestWait> known;
    std::size_t count = 0;
    double time = 0; ///< ns, as often as requests wait
};

double weighted(const RequestWait& wait) { return wait.requests * static_cast<double>(wait.time); }

TimesByBatch grouped_by_batch(const std::vector<BatchTime>& times) {
    TimesByBatch result;
    for (const auto& [batches, running_requests, wait] : times) {
        ++result.count;
        result.time += weighted(wait);
        if (!batches.empty())
            result.known[{batches, running_requests}].push_back(wait);
    }
    return result;
}

/// A wait for a token may hold several steps: a prompt is computed before the next decode step.
bool holds_waits(const TimesByBatch& times) {
    return std::ranges::any_of(
        times.known, [](const auto& entry) { return entry.first.first.size() > 1; });
}

/// Of the time, how much is of batches that the other run has as well.
double share_in_common(const TimesByBatch& own, const TimesByBatch& other) {
    double sum = 0;
    for (const auto& [batch, waits] : own.known)
        if (other.known.contains(batch))
            for (const RequestWait& wait : waits)
                sum += weighted(wait);
    return own.time > 0 ? sum / own.time : 0;
}

} // namespace

BatchShares batch_shares(const std::vector<BatchTime>& times) {
    BatchShares shares;
    for (const auto& [batches, running_requests, wait] : times)
        if (!batches.empty())
            shares[{batches, running_requests}] += 1 / static_cast<double>(times.size());
    return shares;
}

BatchComparison compare_at_equal_batches(const Metric& metric, const RunAnalysis& baseline, const RunAnalysis& test) {
    if (!metric.by_batch)
        return {};
    const TimesByBatch a = grouped_by_batch(metric.by_batch(baseline));
    const TimesByBatch b = grouped_by_batch(metric.by_batch(test));
    if (a.count == 0 || b.count == 0 || !batches_differ(a.known, a.count, b.known, b.count))
        return {};
    std::vector<RequestWait> before, after;
    for (const auto& size : pairs_of_equal_batches(a.known, b.known))
        for (const auto& [first, second] : size) {
            before.push_back(first);
            after.push_back(second);
        }
    const double share = std::min(share_in_common(a, b), share_in_common(b, a));
    if (share < kLeastShare) {
        const std::string percent = fmt::format("{:.0f}", 100 * share);
        return {
            {},
            holds_waits(a) || holds_waits(b)
                ? "how long requests wait at equal batch size is not known, because only %1 % of the time is of waits "
                  "with the same steps in both runs"_text(percent)
                : "what steps take at equal batch size is not known, because only %1 % of the time is of sizes that "
                  "both runs have"_text(percent)};
    }
    if (before.size() < kLeastPairs)
        return {
            {},
            "what steps take at equal batch size is not known, because fewer than %1 steps of each run have a counterpart of equal size"_text(
                kLeastPairs)};
    const WaitSummary of_before = summarise_waits(before);
    const WaitSummary of_after = summarise_waits(after);
    EqualBatches equal{of_before.*metric.of_waits, of_after.*metric.of_waits, before.size()};
    if (metric.of_waits == &WaitSummary::mean_ms) {
        StepValues times_before, times_after;
        const auto scale = [&](const WaitSummary& of) {
            return static_cast<double>(before.size()) / of.requests / 1e6;
        };
        for (std::size_t i = 0; i < before.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i);
            times_before[number] = {weighted(before[i]) * scale(of_before)};
            times_after[number] = {weighted(after[i]) * scale(of_after)};
        }
        equal.interval = paired_interval(times_before, times_after);
        if (equal.interval) // ranks take their steps together: one says as much as all
            *equal.interval *= std::sqrt(static_cast<double>(std::max<std::size_t>(1, test.run().ranks.size())));
    }
    return {equal, {}};
}

} // namespace rankscope
