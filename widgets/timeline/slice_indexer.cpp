// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the slice index of each rank off the window's thread.
#include "widgets/timeline/slice_indexer.h"

#include <algorithm>

namespace rankscope {

void SliceIndexer::setRun(const Run* run, const KernelClassRules& classes) {
    std::map<const RankTrace*, std::shared_ptr<const SliceIndex>> before;
    before.swap(indexes_);
    for (const auto& trace : run != nullptr ? run->ranks : decltype(run->ranks){}) {
        const auto known = before.find(trace.get());
        if (known != before.end()) {
            indexes_.insert(*known);
            continue;
        }
        indexes_.emplace(trace.get(), nullptr);
        jobs_.run(
            {0, trace.get()},
            [trace, classes](const std::stop_token& stop) { return buildSliceIndex(trace, classes, stop); },
            [this](std::shared_ptr<const SliceIndex> index) { keep(std::move(index)); });
    }
    for (const auto& [trace, index] : before)
        if (!indexes_.contains(trace))
            jobs_.stop({0, trace});
}

void SliceIndexer::keep(std::shared_ptr<const SliceIndex> index) {
    const auto asked = indexes_.find(index->trace.get());
    if (asked == indexes_.end())
        return; // another run is shown by now
    asked->second = std::move(index);
    Q_EMIT built();
}

std::vector<std::shared_ptr<const SliceIndex>> SliceIndexer::indexes(const Run& run) const {
    std::vector<std::shared_ptr<const SliceIndex>> all;
    all.reserve(run.ranks.size());
    for (const auto& trace : run.ranks) {
        const auto found = indexes_.find(trace.get());
        all.push_back(found == indexes_.end() ? nullptr : found->second);
    }
    return all;
}

bool SliceIndexer::isBusy() const {
    return std::any_of(
        indexes_.begin(), indexes_.end(), [](const auto& entry) { return entry.second == nullptr; });
}

} // namespace rankscope
