// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of which lanes lie where on the timeline.
#include "widgets/timeline/lane_layout.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

/// With so few ranks there is room for their CPU threads on the first screen.
constexpr std::size_t kFewRanks = 2;
constexpr std::uint32_t kSummaryDepth = 3;

/// Lays out one rank below what is there already.
class RankLayout {
public:
    RankLayout(LaneLayout& layout, const Run& run, int rankIndex, const LaneFolding& folding, const LaneMetrics& metrics)
        : layout_(layout), trace_(*run.ranks[static_cast<std::size_t>(rankIndex)]), folding_(folding), metrics_(metrics),
          rankIndex_(rankIndex), fewRanks_(std::max(run.ranks.size(), static_cast<std::size_t>(run.world_size)) <= kFewRanks) {
        for (std::size_t lane = 0; lane < trace_.lanes.size(); ++lane)
            groups_[static_cast<std::size_t>(laneGroupOf(trace_.lanes[lane].kind))].push_back(static_cast<int>(lane));
        // The profiler's own span is not what a thread does: it goes to the end and out of the summary.
        std::stable_partition(lanes(LaneGroup::threads).begin(), lanes(LaneGroup::threads).end(),
                              [&](int lane) { return this->lane(lane).kind == LaneKind::cpu_thread; });
    }

    void add() {
        const int top = layout_.height;
        const bool open = !folding_.ranks.contains(trace_.rank);
        if (open) {
            for (const int lane : lanes(LaneGroup::streams))
                addLane(LaneGroup::streams, lane);
            addGroup(LaneGroup::annotations);
            addGroup(LaneGroup::threads);
        } else {
            addSummary(lanes(LaneGroup::streams).empty() ? LaneGroup::threads : LaneGroup::streams, metrics_.streamRow, false, false);
        }
        layout_.height = std::max(layout_.height, top + metrics_.rankMinimum) + metrics_.rankGap;
        layout_.ranks.push_back({top, layout_.height - top, rankIndex_, open});
    }

private:
    std::vector<int>& lanes(LaneGroup group) { return groups_[static_cast<std::size_t>(group)]; }
    const Lane& lane(int number) const { return trace_.lanes[static_cast<std::size_t>(number)]; }

    void addGroup(LaneGroup group) {
        const std::vector<int>& members = lanes(group);
        if (members.empty())
            return;
        if (members.size() == 1 && lane(members.front()).row_count <= 1)
            return addLane(group, members.front());
        const bool opensByItself = group == LaneGroup::threads && (fewRanks_ || lanes(LaneGroup::streams).empty());
        const bool open = opensByItself != folding_.groups.contains({trace_.rank, group});
        addSummary(group, metrics_.summaryRow, true, open);
        if (open)
            for (const int member : members)
                addLane(group, member);
    }

    /// All lanes of the group in one row. The outermost rows cover everything nested in them; a few rows more, because
    /// the outermost of a thread are annotations.
    void addSummary(LaneGroup group, int height, bool foldable, bool open) {
        LaneStrip strip{layout_.height, height, rankIndex_, group, -1, {}};
        int count = 0;
        for (const int number : lanes(group)) {
            if (lane(number).kind == LaneKind::other || lane(number).row_count == 0)
                continue;
            for (std::uint32_t row = 0; row < std::min(kSummaryDepth, lane(number).row_count); ++row)
                strip.rows.push_back(lane(number).first_row + row);
            ++count;
        }
        layout_.headers.push_back({strip.top, height, rankIndex_, group, -1, count, foldable, open});
        layout_.strips.push_back(std::move(strip));
        layout_.height += height;
    }

    void addLane(LaneGroup group, int number) {
        const Lane& shown = lane(number);
        const int height = group == LaneGroup::streams ? metrics_.streamRow : metrics_.threadRow;
        const bool foldable = shown.row_count > 1;
        const bool open = !folding_.lanes.contains({trace_.rank, number});
        const std::uint32_t rows = open ? shown.row_count : std::min<std::uint32_t>(1, shown.row_count);
        const int top = layout_.height;
        for (std::uint32_t row = 0; row < rows; ++row) {
            layout_.strips.push_back({layout_.height, height, rankIndex_, group, number, {shown.first_row + row}});
            layout_.height += height;
        }
        layout_.headers.push_back({top, layout_.height - top, rankIndex_, group, number, 1, foldable, open});
    }

    LaneLayout& layout_;
    const RankTrace& trace_;
    const LaneFolding& folding_;
    const LaneMetrics& metrics_;
    int rankIndex_;
    bool fewRanks_;
    std::array<std::vector<int>, 3> groups_;
};

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

std::span<const LaneStrip> LaneLayout::stripsBetween(int top, int bottom) const {
    const auto first = std::partition_point(strips.begin(), strips.end(), [&](const LaneStrip& s) { return s.bottom() <= top; });
    const auto last = std::partition_point(first, strips.end(), [&](const LaneStrip& s) { return s.top < bottom; });
    return {first, last};
}

const LaneStrip* LaneLayout::stripAt(int y) const {
    const std::span<const LaneStrip> found = stripsBetween(y, y + 1);
    return found.empty() ? nullptr : &found.front();
}

const LaneStrip* LaneLayout::stripOf(int rankIndex, std::uint32_t row) const {
    const auto first = std::partition_point(strips.begin(), strips.end(), [&](const LaneStrip& s) { return s.rankIndex < rankIndex; });
    const auto last = std::partition_point(first, strips.end(), [&](const LaneStrip& s) { return s.rankIndex == rankIndex; });
    const auto found = std::find_if(first, last, [&](const LaneStrip& s) { return !s.isSummary() && s.rows.front() == row; });
    return found == last ? nullptr : &*found;
}

LaneLayout layoutLanes(const Run& run, const LaneFolding& folding, const LaneMetrics& metrics) {
    LaneLayout layout;
    for (std::size_t i = 0; i < run.ranks.size(); ++i)
        RankLayout(layout, run, static_cast<int>(i), folding, metrics).add();
    return layout;
}

LaneMetrics metricsFitting(const Run& run, int height) {
    constexpr int kReadable = 12;
    constexpr int kComfortable = 30;
    const auto withRow = [](int row) {
        LaneMetrics metrics;
        metrics.streamRow = row;
        metrics.threadRow = std::clamp(row, 14, 20);
        metrics.summaryRow = std::clamp(row * 3 / 4, 12, 14);
        return metrics;
    };
    // A run that has to scroll anyway gets rows of the usual height.
    if (layoutLanes(run, {}, withRow(kReadable)).height > height)
        return {};
    int row = kComfortable;
    while (row > kReadable && layoutLanes(run, {}, withRow(row)).height > height)
        --row;
    return withRow(row);
}

} // namespace rankscope
