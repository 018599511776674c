// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/gpu_activity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

constexpr TimeNs kMillisecond = 1'000'000;
constexpr TimeNs kLagStep = 50 * kMillisecond;

struct Sum {
    std::size_t count = 0;
    double squares = 0;
    double busy = 0;
    double busy_squares = 0;
};

/// How long a sample is the mean of.
TimeNs window_of(const MatchedGpu& gpu) {
    return std::min(gpu.window, std::max<TimeNs>(1, gpu.activity->span().length()));
}

std::span<const HardwareRow> rows_inside(const MatchedGpu& gpu, TimeNs offset) {
    const TimeRange span = gpu.activity->span();
    const auto& rows = gpu.gpu->rows;
    return {std::ranges::lower_bound(rows, span.begin - offset, {}, &HardwareRow::time),
            std::ranges::lower_bound(rows, span.end + window_of(gpu) - offset, {}, &HardwareRow::time)};
}

/// every: 2 compares each second row.
void compare(const MatchedGpu& gpu, TimeNs offset, std::size_t every, Sum& sum) {
    constexpr double kLeastOfWindow = 0.6;
    const TimeNs window = window_of(gpu);
    const auto rows = rows_inside(gpu, offset);
    for (std::size_t i = 0; i < rows.size(); i += every) {
        const double utilization = rows[i][HardwareQuantity::utilization];
        const TimeNs time = rows[i].time + offset;
        if (std::isnan(utilization))
            continue;
        const auto busy = gpu.activity->busy_share({time - window, time}, kLeastOfWindow);
        if (!busy)
            continue;
        const double difference = utilization - 100 * *busy;
        ++sum.count;
        sum.squares += difference * difference;
        sum.busy += *busy;
        sum.busy_squares += *busy * *busy;
    }
}

} // namespace

GpuActivity::GpuActivity(std::span<const RankTrace* const> ranks) {
    constexpr TimeNs kFinest = 5 * kMillisecond;
    constexpr TimeNs kMostBins = 200'000;
    span_ = {std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for (const RankTrace* const rank : ranks)
        if (!rank->gpu_span.empty()) {
            span_.begin = std::min(span_.begin, rank->gpu_span.begin);
            span_.end = std::max(span_.end, rank->gpu_span.end);
        }
    if (span_.begin >= span_.end) {
        span_ = {};
        return;
    }
    bin_ = std::max(kFinest, span_.length() / kMostBins + 1);
    idle_.assign(static_cast<std::size_t>(span_.length() / bin_) + 1, 1);
    for (const RankTrace* const rank : ranks)
        add(*rank);
    sum_.assign(idle_.size() + 1, 0);
    for (std::size_t i = 0; i < idle_.size(); ++i)
        sum_[i + 1] = sum_[i] + (1 - idle_[i]);
}

/// Streams are taken for independent of each other inside a bin: between the longest of them and their sum. Takes
/// time by the events, not by streams times bins.
void GpuActivity::add(const RankTrace& rank) {
    struct Part {
        std::size_t bin;
        float share;
    };
    std::vector<Part> parts;                   // of one stream: bins that its work fills in part
    std::vector<int> covers(idle_.size() + 1); // work of any stream over whole bins: where it begins less where it ends
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::gpu_stream || lane.begin >= lane.end)
            continue;
        parts.clear();
        const auto add_part = [&](std::size_t bin, TimeNs time) {
            parts.push_back({bin, static_cast<float>(time) / static_cast<float>(bin_)});
        };
        for (EventIndex i = lane.begin; i < lane.end; ++i) {
            const TimeRange event =
                TimeRange{rank.events.start[i], rank.events.start[i] + rank.events.duration[i]}.clipped_to(span_);
            if (!is_gpu_work(rank.events.kind[i]) || event.empty())
                continue;
            const TimeNs from = event.begin - span_.begin, to = event.end - span_.begin;
            const auto first = static_cast<std::size_t>(from / bin_), last = static_cast<std::size_t>((to - 1) / bin_);
            if (first == last) {
                add_part(first, to - from);
                continue;
            }
            add_part(first, bin_ - from % bin_);
            add_part(last, to - static_cast<TimeNs>(last) * bin_);
            ++covers[first + 1];
            --covers[last];
        }
        std::ranges::stable_sort(parts, {}, &Part::bin);
        for (std::size_t i = 0; i < parts.size();) {
            const std::size_t bin = parts[i].bin;
            float busy = 0;
            for (; i < parts.size() && parts[i].bin == bin; ++i)
                busy += parts[i].share;
            idle_[bin] *= 1 - std::min(busy, 1.0F);
        }
    }
    int over = 0;
    for (std::size_t i = 0; i < idle_.size(); ++i) {
        over += covers[i];
        if (over > 0)
            idle_[i] = 0;
    }
}

std::optional<double> GpuActivity::busy_share(TimeRange range, double least) const {
    const TimeRange inside = range.clipped_to(span_);
    if (inside.empty() || static_cast<double>(inside.length()) < least * static_cast<double>(range.length()))
        return {};
    // Whole bins before a time, and a part of the one that it is in.
    const auto before = [&](TimeNs time) {
        const auto bin = static_cast<std::size_t>((time - span_.begin) / bin_);
        if (bin >= idle_.size())
            return sum_.back();
        const TimeNs part = (time - span_.begin) % bin_;
        return sum_[bin] + (1 - idle_[bin]) * static_cast<double>(part) / static_cast<double>(bin_);
    };
    return (before(inside.end) - before(inside.begin)) * static_cast<double>(bin_) /
           static_cast<double>(inside.length());
}

TimeNs utilization_window(std::span<const HardwareRow> rows) {
    constexpr TimeNs kShortest = 167 * kMillisecond, kLongest = 1000 * kMillisecond;
    if (rows.size() < 2)
        return kShortest;
    const TimeNs between = (rows.back().time - rows.front().time) / static_cast<TimeNs>(rows.size() - 1);
    return std::clamp(between, kShortest, kLongest);
}

std::size_t rows_to_compare(std::span<const MatchedGpu> gpus, TimeNs offset, TimeNs early, TimeNs late) {
    std::size_t rows = 0;
    for (const MatchedGpu& gpu : gpus)
        rows += rows_inside(gpu, offset).size();
    return rows * static_cast<std::size_t>((early + late) / kLagStep + 1);
}

ActivityFit fit_activity(std::span<const MatchedGpu> gpus, TimeNs offset, TimeNs early, TimeNs late,
                         std::size_t every) {
    std::optional<ActivityFit> best;
    for (TimeNs lag = -early; lag <= late; lag += kLagStep) {
        Sum sum;
        for (const MatchedGpu& gpu : gpus)
            compare(gpu, offset - lag, every, sum);
        if (sum.count == 0)
            continue;
        const auto count = static_cast<double>(sum.count);
        const double mean = sum.busy / count;
        const ActivityFit fit{sum.count, std::sqrt(sum.squares / count),
                              100 * std::sqrt(std::max(0.0, sum.busy_squares / count - mean * mean))};
        // More samples tell more than a better fit of fewer.
        if (!best || (2 * fit.compared > best->compared && fit.residual_points < best->residual_points) ||
            fit.compared >= 2 * best->compared)
            best = fit;
    }
    return best.value_or(ActivityFit());
}

} // namespace rankscope
