// SPDX-License-Identifier: GPL-3.0-or-later
// The RCCL comparison's tables, by its rules.
#include "core/compare/rccl_comparison.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/compare/metric_comparison.h"

namespace rankscope {
namespace {

const RankAnalysis* find_rank(const RunAnalysis& analysis, int number) {
    for (const RankAnalysis& rank : analysis.ranks())
        if (rank.trace->rank == number)
            return &rank;
    return nullptr;
}

template <typename Row>
CollectiveKey key_of(const RunAnalysis& analysis, const Row& row) {
    return {row.collective, std::string(analysis.run().names->view(row.dtype)), row.in_elements};
}

std::map<CollectiveKey, LongTotal> long_totals(const RunAnalysis& analysis) {
    std::map<CollectiveKey, LongTotal> totals;
    for (const LongRow& row : analysis.collective_summaries().by_rank) {
        if (row.duration.count == 0)
            continue;
        const auto [entry, added] = totals.try_emplace(key_of(analysis, row));
        LongTotal& total = entry->second;
        total.min_us = added ? row.duration.min / 1000 : std::min(total.min_us, row.duration.min / 1000);
        total.max_us = std::max(total.max_us, row.duration.max / 1000);
        total.calls += row.duration.count;
        total.sum_us += row.duration.sum / 1000;
    }
    return totals;
}

} // namespace

std::optional<TimelineValue> timeline_value(const RankAnalysis& rank, const TimelineField& field) {
    if (rank.timeline.total == 0)
        return std::nullopt;
    const auto ns = static_cast<double>(rank.timeline.*field.value);
    return TimelineValue{ns / 1e6, 100 * ns / static_cast<double>(rank.timeline.total)};
}

std::optional<TimelineValue> mean_timeline_value(std::span<const RankAnalysis> ranks, const TimelineField& field) {
    TimelineValue sum;
    double count = 0;
    for (const RankAnalysis& rank : ranks)
        if (const auto value = timeline_value(rank, field)) {
            sum.ms += value->ms;
            sum.percent += value->percent;
            ++count;
        }
    return count == 0 ? std::nullopt : std::optional(TimelineValue{sum.ms / count, sum.percent / count});
}

std::vector<TimelineChange> timeline_changes(const RunAnalysis& baseline, const RunAnalysis& test) {
    std::vector<TimelineChange> changes;
    for (const TimelineField& field : kTimelineFields)
        changes.push_back(
            {{}, field.type, mean_timeline_value(baseline.ranks(), field), mean_timeline_value(test.ranks(), field)});
    return changes;
}

std::vector<TimelineChange> timeline_changes_by_rank(const RunAnalysis& baseline, const RunAnalysis& test) {
    std::set<int> numbers;
    for (const RunAnalysis* analysis : {&baseline, &test})
        for (const RankAnalysis& rank : analysis->ranks())
            numbers.insert(rank.trace->rank);
    std::vector<TimelineChange> changes;
    for (const int number : numbers) {
        const RankAnalysis* before = find_rank(baseline, number);
        const RankAnalysis* after = find_rank(test, number);
        for (const TimelineField& field : kTimelineFields)
            changes.push_back({number, field.type, before == nullptr ? std::nullopt : timeline_value(*before, field),
                               after == nullptr ? std::nullopt : timeline_value(*after, field)});
    }
    return changes;
}

std::vector<ImplicitSyncChange> implicit_sync_changes(const RunAnalysis& baseline, const RunAnalysis& test) {
    std::map<CollectiveKey, ImplicitSyncChange> changes;
    for (const ImplicitSyncRow& row : baseline.collective_summaries().implicit_sync)
        changes[key_of(baseline, row)].baseline = &row;
    for (const ImplicitSyncRow& row : test.collective_summaries().implicit_sync)
        changes[key_of(test, row)].test = &row;
    std::vector<ImplicitSyncChange> sorted;
    for (auto& [key, change] : changes) {
        change.key = key;
        sorted.push_back(change);
    }
    return sorted;
}

std::vector<LongChange> long_changes(const RunAnalysis& baseline, const RunAnalysis& test) {
    std::map<CollectiveKey, LongChange> changes;
    for (const auto& [key, total] : long_totals(baseline))
        changes[key].baseline = total;
    for (const auto& [key, total] : long_totals(test))
        changes[key].test = total;
    std::vector<LongChange> sorted;
    for (auto& [key, change] : changes) {
        change.key = key;
        sorted.push_back(change);
    }
    return sorted;
}

std::optional<double> improvement_percent(double baseline, double test, bool lower_is_better) {
    const auto change = percent_change(baseline, test);
    return !change ? std::nullopt : std::optional(lower_is_better && *change != 0 ? -*change : *change);
}

std::string_view improvement_word(double improvement) {
    return improvement > 1 ? "Better" : improvement < -1 ? "Worse" : "Similar";
}

} // namespace rankscope
