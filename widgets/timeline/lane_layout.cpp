// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of which lanes lie where on the timeline.
#include "widgets/timeline/lane_layout.h"

#include <algorithm>
#include <array>
#include <map>

namespace rankscope {
namespace {

/// With so few ranks there is room for their CPU threads on the first screen.
constexpr std::size_t kFewRanks = 2;
constexpr std::uint32_t kSummaryDepth = 3;

std::string lowered(std::string_view text) {
    std::string lower(text);
    for (char& letter : lower)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return lower;
}

/// Lays out one rank, or a pinned part of it, below what is there already.
class RankLayout {
public:
    RankLayout(LaneLayout& layout, const Run& run, int rankIndex, const LaneArrangement& arrangement,
               const LaneMetrics& metrics, const CounterNames* counters, const std::string& filter)
        : layout_(layout), trace_(*run.ranks[static_cast<std::size_t>(rankIndex)]), arrangement_(arrangement),
          metrics_(metrics), counters_(counters), filter_(filter), rankIndex_(rankIndex),
          fewRanks_(std::max(run.ranks.size(), static_cast<std::size_t>(run.world_size)) <= kFewRanks) {
        for (std::size_t lane = 0; lane < trace_.lanes.size(); ++lane)
            groups_[static_cast<std::size_t>(laneGroupOf(trace_.lanes[lane].kind))].push_back(static_cast<int>(lane));
        hasStreams_ = !lanes(LaneGroup::streams).empty();
        // The profiler's own span is not what a thread does: it goes to the end and out of the summary.
        std::stable_partition(lanes(LaneGroup::threads).begin(), lanes(LaneGroup::threads).end(),
                              [&](int lane) { return this->lane(lane).kind == LaneKind::cpu_thread; });
        for (int i = 0; counters_ != nullptr && i < static_cast<int>(counters_->size()); ++i)
            lanes(LaneGroup::counters).push_back(i);
        if (filter_.empty() || label().find(filter_) != std::string::npos)
            return;
        filtered_ = true;
        for (std::size_t group = 0; group < kLaneGroupCount; ++group)
            std::erase_if(groups_[group], [&](int number) {
                return (label() + ' ' + lowered(nameOf(static_cast<LaneGroup>(group), number))).find(filter_) ==
                       std::string::npos;
            });
    }

    /// All of the rank but what is hidden, or pinned by itself.
    void addRank() {
        for (std::size_t group = 0; group < kLaneGroupCount; ++group) {
            const auto id = LaneId::ofGroup(trace_.rank, static_cast<LaneGroup>(group));
            if (arrangement_.hidden.contains(id) || arrangement_.isPinned(id))
                groups_[group].clear();
            std::erase_if(groups_[group], [&](int number) {
                const auto lane = LaneId::ofLane(trace_.rank, static_cast<LaneGroup>(group), number);
                return arrangement_.hidden.contains(lane) || arrangement_.isPinned(lane);
            });
        }
        if (filtered_ && std::all_of(groups_.begin(), groups_.end(), [](const auto& group) { return group.empty(); }))
            return;
        const int top = layout_.height;
        const bool open = filtered_ || !arrangement_.folded.contains(LaneId::ofRank(trace_.rank));
        if (open) {
            for (std::size_t group = 0; group < kLaneGroupCount; ++group)
                addGroup(static_cast<LaneGroup>(group));
        } else {
            const LaneGroup shown = lanes(LaneGroup::streams).empty() ? LaneGroup::threads : LaneGroup::streams;
            addSummary(shown, metrics_.streamRow, false, false);
        }
        close(top, open, true);
    }

    /// Pinned groups and lanes of the rank.
    void addParts(std::span<const LaneId> ids) {
        const int top = layout_.height;
        for (const LaneId& id : ids) {
            const std::vector<int>& members = lanes(id.group);
            if (arrangement_.hidden.contains(id))
                continue;
            if (id.level == LaneLevel::group)
                addGroup(id.group);
            else if (std::find(members.begin(), members.end(), id.lane) != members.end())
                addLane(id.group, id.lane);
        }
        if (layout_.height > top)
            close(top, true, false);
    }

private:
    std::vector<int>& lanes(LaneGroup group) { return groups_[static_cast<std::size_t>(group)]; }
    const Lane& lane(int number) const { return trace_.lanes[static_cast<std::size_t>(number)]; }
    std::string label() const { return "rank " + std::to_string(trace_.rank); }
    std::string nameOf(LaneGroup group, int number) const {
        return group == LaneGroup::counters ? (*counters_)[static_cast<std::size_t>(number)] : lane(number).name;
    }

    void close(int top, bool open, bool whole) {
        layout_.height = std::max(layout_.height, top + metrics_.rankMinimum) + metrics_.rankGap;
        layout_.ranks.push_back({top, layout_.height - top, rankIndex_, open, whole});
    }

    void addGroup(LaneGroup group) {
        const std::vector<int>& members = lanes(group);
        if (members.empty())
            return;
        if (group == LaneGroup::streams || filtered_) {
            for (const int member : members)
                addLane(group, member);
            return;
        }
        if (group != LaneGroup::counters && members.size() == 1 && lane(members.front()).row_count <= 1)
            return addLane(group, members.front());
        const bool opensByItself = group == LaneGroup::threads && (fewRanks_ || !hasStreams_);
        const bool open = opensByItself != arrangement_.folded.contains(LaneId::ofGroup(trace_.rank, group));
        addSummary(group, metrics_.summaryRow, true, open);
        if (open)
            for (const int member : members)
                addLane(group, member);
    }

    /// All lanes of the group in one row; of the counters, what the GPU does.
    void addSummary(LaneGroup group, int height, bool foldable, bool open) {
        LaneStrip strip{
            layout_.height, height, rankIndex_,
            group,          -1,     summaryRows(trace_, group == LaneGroup::counters ? LaneGroup::streams : group)};
        const auto count = static_cast<int>(std::count_if(lanes(group).begin(), lanes(group).end(), [&](int number) {
            return group == LaneGroup::counters || (lane(number).kind != LaneKind::other && lane(number).row_count > 0);
        }));
        layout_.headers.push_back({strip.top, height, rankIndex_, group, -1, count, foldable, open});
        add(std::move(strip));
    }

    void addLane(LaneGroup group, int number) {
        const int top = layout_.height;
        if (group == LaneGroup::counters) {
            add({top, metrics_.counterRow, rankIndex_, group, number, {}});
            layout_.headers.push_back({top, metrics_.counterRow, rankIndex_, group, number, 1, false, true});
            return;
        }
        const Lane& shown = lane(number);
        const int height = group == LaneGroup::streams ? metrics_.streamRow : metrics_.threadRow;
        const bool open = !arrangement_.folded.contains(LaneId::ofLane(trace_.rank, group, number));
        const std::uint32_t rows = open ? shown.row_count : std::min<std::uint32_t>(1, shown.row_count);
        for (std::uint32_t row = 0; row < rows; ++row)
            add({layout_.height, height, rankIndex_, group, number, {shown.first_row + row}});
        layout_.headers.push_back({top, layout_.height - top, rankIndex_, group, number, 1, shown.row_count > 1, open});
    }

    void add(LaneStrip strip) {
        layout_.stripsOfRank[static_cast<std::size_t>(rankIndex_)].push_back(
            static_cast<std::uint32_t>(layout_.strips.size()));
        layout_.height += strip.height;
        layout_.strips.push_back(std::move(strip));
    }

    LaneLayout& layout_;
    const RankTrace& trace_;
    const LaneArrangement& arrangement_;
    const LaneMetrics& metrics_;
    const CounterNames* counters_;
    const std::string& filter_;
    int rankIndex_;
    bool fewRanks_;
    bool hasStreams_ = false;
    bool filtered_ = false; ///< only some of its lanes pass
    std::array<std::vector<int>, kLaneGroupCount> groups_;
};

template <typename Parts>
std::span<const typename Parts::value_type> partsBetween(const Parts& parts, int top, int bottom) {
    const auto first = std::partition_point(
        parts.begin(), parts.end(), [&](const auto& p) { return p.top + p.height <= top; });
    const auto last = std::partition_point(first, parts.end(), [&](const auto& p) { return p.top < bottom; });
    return {first, last};
}

/// Rows of slices with names are as high as the names.
LaneMetrics withLabels(LaneMetrics metrics, int readable) {
    metrics.streamRow = std::max(metrics.streamRow, readable);
    metrics.threadRow = std::max(metrics.threadRow, readable);
    return metrics;
}

} // namespace

LaneGroup laneGroupOf(LaneKind kind) {
    switch (kind) {
    case LaneKind::gpu_stream: return LaneGroup::streams;
    case LaneKind::gpu_annotation:
    case LaneKind::gpu_sync: return LaneGroup::annotations;
    case LaneKind::cpu_thread:
    case LaneKind::other: return LaneGroup::threads;
    }
    return LaneGroup::threads;
}

std::vector<std::uint32_t> summaryRows(const RankTrace& trace, LaneGroup group) {
    std::vector<std::uint32_t> rows;
    for (const Lane& lane : trace.lanes) {
        if (laneGroupOf(lane.kind) != group || lane.kind == LaneKind::other)
            continue;
        const std::uint32_t depth =
            group == LaneGroup::streams ? lane.row_count : std::min(kSummaryDepth, lane.row_count);
        for (std::uint32_t row = 0; row < depth; ++row)
            rows.push_back(lane.first_row + row);
    }
    return rows;
}

std::span<const LaneStrip> LaneLayout::stripsBetween(int top, int bottom) const {
    return partsBetween(strips, top, bottom);
}
std::span<const LaneHeader> LaneLayout::headersBetween(int top, int bottom) const {
    return partsBetween(headers, top, bottom);
}
std::span<const RankBlock> LaneLayout::ranksBetween(int top, int bottom) const {
    return partsBetween(ranks, top, bottom);
}

const LaneStrip* LaneLayout::stripAt(int y) const {
    const std::span<const LaneStrip> found = stripsBetween(y, y + 1);
    return found.empty() ? nullptr : &found.front();
}

const LaneStrip* LaneLayout::stripOf(int rankIndex, std::uint32_t row) const {
    if (rankIndex < 0 || static_cast<std::size_t>(rankIndex) >= stripsOfRank.size())
        return nullptr;
    for (const std::uint32_t number : stripsOfRank[static_cast<std::size_t>(rankIndex)]) {
        const LaneStrip& strip = strips[number];
        if (!strip.isSummary() && !strip.isCounter() && strip.rows.front() == row)
            return &strip;
    }
    return nullptr;
}

std::vector<int> rankOrder(const Run& run, const LaneArrangement& arrangement) {
    std::vector<int> ranks;
    for (const auto& trace : run.ranks)
        ranks.push_back(trace->rank);
    if (arrangement.order.empty())
        return ranks;
    std::map<int, std::size_t> places;
    for (std::size_t i = 0; i < arrangement.order.size(); ++i)
        places.emplace(arrangement.order[i], i);
    const auto place = [&](int rank) {
        const auto found = places.find(rank);
        return found == places.end() ? arrangement.order.size() : found->second;
    };
    std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) { return place(a) < place(b); });
    return ranks;
}

LaneLayout layoutLanes(const Run& run, const LaneArrangement& arrangement, const LaneMetrics& metrics,
                       std::span<const CounterNames> counters) {
    LaneLayout layout;
    layout.stripsOfRank.resize(run.ranks.size());
    std::map<int, int> indexes;
    for (std::size_t i = 0; i < run.ranks.size(); ++i)
        indexes.emplace(run.ranks[i]->rank, static_cast<int>(i));
    const std::string filter = lowered(arrangement.filter);
    const std::string unfiltered; // what is pinned stays
    const auto rankLayout = [&](int index, const std::string& passing) {
        const auto number = static_cast<std::size_t>(index);
        return RankLayout(layout, run, index, arrangement, metrics,
                          number < counters.size() ? &counters[number] : nullptr, passing);
    };
    const std::span<const LaneId> pinned(arrangement.pinned);
    for (std::size_t i = 0; i < pinned.size();) {
        std::size_t next = i + 1;
        while (next < pinned.size() && pinned[i].level != LaneLevel::rank && pinned[next].level != LaneLevel::rank &&
               pinned[next].rank == pinned[i].rank)
            ++next;
        const auto index = indexes.find(pinned[i].rank);
        if (index != indexes.end() && !arrangement.hidden.contains(LaneId::ofRank(pinned[i].rank))) {
            if (pinned[i].level == LaneLevel::rank)
                rankLayout(index->second, unfiltered).addRank();
            else
                rankLayout(index->second, unfiltered).addParts(pinned.subspan(i, next - i));
        }
        i = next;
    }
    layout.pinnedHeight = layout.height;
    for (const int rank : rankOrder(run, arrangement))
        if (!arrangement.hidden.contains(LaneId::ofRank(rank)) && !arrangement.isPinned(LaneId::ofRank(rank)))
            rankLayout(indexes.at(rank), filter).addRank();
    return layout;
}

LaneMetrics metricsFitting(const Run& run, int height, int readable, std::span<const CounterNames> counters) {
    constexpr int kComfortable = 30;
    const auto withRow = [readable](int row) {
        LaneMetrics metrics;
        metrics.streamRow = row;
        metrics.threadRow = std::clamp(row, 14, 20);
        metrics.summaryRow = std::clamp(row * 3 / 4, 10, 14);
        metrics.rankGap = row == readable ? 2 : metrics.rankGap;
        return withLabels(metrics, readable);
    };
    // Where half of the ranks are out of view anyway, rows get the usual height. Where fewer are, low rows keep most in
    // view, as when a panel opens below.
    if (layoutLanes(run, {}, withRow(readable), counters).height > 2 * height)
        return withLabels({}, readable);
    int row = std::max(kComfortable, readable);
    while (row > readable && layoutLanes(run, {}, withRow(row), counters).height > height)
        --row;
    return withRow(row);
}

LaneMetrics metricsFor(const Run& run, LaneHeight wanted, int height, int readable,
                       std::span<const CounterNames> counters) {
    switch (wanted) {
    case LaneHeight::fit: return metricsFitting(run, height, readable, counters);
    case LaneHeight::compact: return withLabels({12, 12, 10, 3, 20, 26}, readable);
    case LaneHeight::normal: return withLabels({}, readable);
    case LaneHeight::tall: return withLabels({30, 22, 16, 6, 32, 80}, readable);
    }
    return {};
}

} // namespace rankscope
