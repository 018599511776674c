// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of two runs of a serving engine at equal size of their batches: as many of each run at each size.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/message.h"
#include "core/metrics/metric.h"

namespace rankscope {

template <typename Batch, typename Step>
using StepsByBatch = std::map<Batch, std::vector<Step>>;

/// Each size has the same share in both, within a hundredth.
template <typename Batch>
bool same_shares(const std::map<Batch, double>& a, const std::map<Batch, double>& b) {
    constexpr double kSameShare = 0.01;
    const auto has_all_of = [](const std::map<Batch, double>& of, const std::map<Batch, double>& other) {
        return std::ranges::all_of(of, [&](const auto& entry) {
            const auto found = other.find(entry.first);
            return std::abs(entry.second - (found == other.end() ? 0 : found->second)) <= kSameShare;
        });
    };
    return has_all_of(a, b) && has_all_of(b, a);
}

/// Whether a size has another share of the steps in the other run. all_a, all_b: steps, also of unknown size.
template <typename Batch, typename Step>
bool batches_differ(const StepsByBatch<Batch, Step>& a, std::size_t all_a, const StepsByBatch<Batch, Step>& b,
                    std::size_t all_b) {
    const auto shares = [](const StepsByBatch<Batch, Step>& steps, std::size_t all) {
        std::map<Batch, double> of_size;
        for (const auto& [batch, of_batch] : steps)
            of_size[batch] = static_cast<double>(of_batch.size()) / static_cast<double>(all);
        return of_size;
    };
    return !same_shares(shares(a, all_a), shares(b, all_b));
}

/// Of each size that both runs have: as many steps of the first and of the second, spread over the run.
template <typename Batch, typename Step>
std::vector<std::vector<std::pair<Step, Step>>> pairs_of_equal_batches(const StepsByBatch<Batch, Step>& a,
                                                                       const StepsByBatch<Batch, Step>& b) {
    std::vector<std::vector<std::pair<Step, Step>>> sizes;
    for (const auto& [batch, steps] : a) {
        const auto others = b.find(batch);
        if (others == b.end())
            continue;
        const std::size_t each = std::min(steps.size(), others->second.size());
        auto& pairs = sizes.emplace_back();
        for (std::size_t i = 0; i < each; ++i)
            pairs.emplace_back(steps[i * steps.size() / each], others->second[i * others->second.size() / each]);
    }
    return sizes;
}

/// Which part of the times is of each size; those of unknown size have no entry.
using BatchShares = std::map<std::pair<std::vector<BatchSize>, double>, double>;
BatchShares batch_shares(const std::vector<BatchTime>& times);

/// A metric of the steps that have a counterpart of equal size, in its unit.
struct EqualBatches {
    double baseline = 0;
    double test = 0;
    std::size_t steps = 0;               ///< of each run
    std::optional<double> interval = {}; ///< half of the 95 % interval of the difference; none of a median
};

struct BatchComparison {
    std::optional<EqualBatches> equal;
    Message not_known; ///< why not, though the batches differ
};

/// Nothing of a metric that is no time of an engine's steps (Metric::by_batch), and where both runs have the same
/// batches equally often. Not known where the sizes that both have are less than four fifths of the time of either
/// run: what the other steps take would be passed over.
BatchComparison compare_at_equal_batches(const Metric& metric, const RunAnalysis& baseline, const RunAnalysis& test);

} // namespace rankscope
