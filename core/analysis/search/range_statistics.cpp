// SPDX-License-Identifier: GPL-3.0-or-later
// What the GPUs did in a range of time.
#include "core/analysis/search/range_statistics.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <tbb/parallel_for.h>

#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

constexpr EventIndex kEventsBetweenChecks = 1 << 16;

void add(RangeRow& row, EventPlace event, TimeNs time) {
    // Counting from the first event on, ties keep the one met first.
    if (row.count == 0 || time < row.min)
        row.min = time;
    if (row.count == 0 || time > row.max) {
        row.max = time;
        row.longest = event;
    }
    ++row.count;
    row.total += time;
}

void add(RangeRow& row, const RangeRow& more) {
    if (more.count == 0)
        return;
    if (row.count == 0 || more.min < row.min)
        row.min = more.min;
    if (row.count == 0 || more.max > row.max || (more.max == row.max && more.longest < row.longest)) {
        row.max = more.max;
        row.longest = more.longest;
    }
    row.count += more.count;
    row.total += more.total;
}

/// One rank's rows, keyed by what they stand for.
struct RankRows {
    std::array<RangeRow, kKernelClassCount> classes;
    NumberMap<std::uint64_t, RangeRow> kernels;  ///< name and class
    PlaceMap<std::uint32_t, RangeRow> operators; ///< name; kNoOperator
    RangeRow rank;
};
constexpr std::uint32_t kNoOperator = ~std::uint32_t{0};

/// Events of a row of GPU work that count in the range: [first, last). Starts and ends of a row ascend together.
std::pair<EventIndex, EventIndex> counted(const EventTable& events, const Row& row, TimeRange range) {
    const auto starts = events.start.begin();
    auto first = static_cast<EventIndex>(std::lower_bound(starts + row.begin, starts + row.end, range.begin) - starts);
    const auto last = static_cast<EventIndex>(std::lower_bound(starts + first, starts + row.end, range.end) - starts);
    if (first > row.begin && events.end(first - 1) > range.begin)
        --first;
    return {first, std::max(first, last)};
}

class RankCount {
public:
    RankCount(const RankTrace& trace, std::uint32_t rank, const std::vector<KernelClass>& classes, TimeRange range)
        : trace_(trace), rank_(rank), classes_(classes), range_(range) {}

    RankRows count(const std::stop_token& cancel) {
        for (const Row& row : trace_.rows) {
            if (row.begin >= trace_.events.gpu_count)
                break;
            const auto [first, last] = counted(trace_.events, row, range_);
            for (EventIndex e = first; e < last; ++e) {
                if (e % kEventsBetweenChecks == 0 && cancel.stop_requested())
                    return {};
                count_event(e);
            }
        }
        return std::move(rows_);
    }

private:
    void count_event(EventIndex e) {
        const TimeNs time = trace_.events.range(e).clipped_to(range_).length();
        const EventPlace place{rank_, e};
        const auto kernel_class = static_cast<std::size_t>(classes_[e]);
        const EventIndex op = trace_.gpu.operator_event[e];
        add(rows_.classes[kernel_class], place, time);
        add(rows_.kernels[std::uint64_t{trace_.events.name[e]} * kKernelClassCount + kernel_class], place, time);
        add(rows_.operators[op == kNoEvent ? kNoOperator : trace_.events.name[op]], place, time);
        add(rows_.rank, place, time);
    }

    const RankTrace& trace_;
    std::uint32_t rank_;
    const std::vector<KernelClass>& classes_;
    TimeRange range_;
    RankRows rows_;
};

void sort_rows(std::vector<RangeRow>& rows) {
    std::ranges::sort(
        rows,
        [](const RangeRow& a, const RangeRow& b) {
            if (a.total != b.total)
                return a.total > b.total;
            return std::tuple(a.name, a.rank, a.kernel_class) < std::tuple(b.name, b.rank, b.kernel_class);
        });
}

RangeStatistics merged(const Run& run, TimeRange range, const std::vector<RankRows>& ranks) {
    RangeStatistics result;
    result.range = range;
    std::array<RangeRow, kKernelClassCount> classes;
    std::map<std::uint64_t, RangeRow> kernels;
    std::map<std::uint32_t, RangeRow> operators;
    const auto table = [&](RangeGrouping grouping) -> std::vector<RangeRow>& {
        return result.tables[static_cast<std::size_t>(grouping)];
    };
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
        for (std::size_t c = 0; c < kKernelClassCount; ++c)
            add(classes[c], ranks[r].classes[c]);
        for (const auto& [key, row] : ranks[r].kernels)
            add(kernels[key], row);
        for (const auto& [key, row] : ranks[r].operators)
            add(operators[key], row);
        result.count += ranks[r].rank.count;
        result.total += ranks[r].rank.total;
        if (ranks[r].rank.count > 0) {
            table(RangeGrouping::rank).push_back(ranks[r].rank);
            table(RangeGrouping::rank).back().rank = r;
        }
    }
    for (std::size_t c = 0; c < kKernelClassCount; ++c)
        if (classes[c].count > 0) {
            classes[c].kernel_class = static_cast<KernelClass>(c);
            classes[c].name = kernel_class_word(classes[c].kernel_class);
            table(RangeGrouping::kernel_class).push_back(classes[c]);
        }
    for (auto& [key, row] : kernels) {
        row.name = run.names->view(static_cast<NameId>(key / kKernelClassCount));
        row.kernel_class = static_cast<KernelClass>(key % kKernelClassCount);
        table(RangeGrouping::kernel).push_back(row);
    }
    for (auto& [key, row] : operators) {
        row.name = key == kNoOperator ? std::string_view() : run.names->view(key);
        table(RangeGrouping::op).push_back(row);
    }
    for (auto& rows : result.tables)
        sort_rows(rows);
    return result;
}

} // namespace

RunClasses::RunClasses(std::shared_ptr<const Run> run, KernelClassRules rules)
    : run_(std::move(run)), rules_(std::move(rules)), ranks_(run_->ranks.size()) {}

const std::vector<KernelClass>& RunClasses::of_rank(std::size_t rank) const {
    return ranks_[rank].get([&] { return rules_.classes_of(*run_->ranks[rank]); });
}

std::optional<RangeStatistics> range_statistics(const RunClasses& classes, TimeRange range,
                                                const std::stop_token& cancel) {
    const Run& run = classes.run();
    std::vector<RankRows> ranks(run.ranks.size());
    tbb::parallel_for(std::size_t{0}, ranks.size(), [&](std::size_t r) {
        if (!cancel.stop_requested())
            ranks[r] = RankCount(*run.ranks[r], static_cast<std::uint32_t>(r), classes.of_rank(r), range).count(cancel);
    });
    if (cancel.stop_requested())
        return std::nullopt;
    return merged(run, range, ranks);
}

} // namespace rankscope
