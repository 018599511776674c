// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/gpu_activity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

constexpr TimeNs kMillisecond = 1'000'000;

struct Sum {
    std::size_t count = 0;
    double squares = 0;
    double busy = 0;
    double busy_squares = 0;
};

void compare(const MatchedGpu& gpu, TimeNs offset, Sum& sum) {
    constexpr double kLeastOfWindow = 0.6;
    const TimeRange span = gpu.activity->span();
    const TimeNs window = std::min(gpu.window, std::max<TimeNs>(1, span.length()));
    const auto& rows = gpu.gpu->rows;
    for (auto row = std::ranges::lower_bound(rows, span.begin - offset, {}, &HardwareRow::time);
         row != rows.end() && row->time + offset < span.end + window; ++row) {
        const double utilization = (*row)[HardwareQuantity::utilization];
        const TimeNs time = row->time + offset;
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

/// Streams are taken for independent of each other inside a bin: between the longest of them and their sum.
void GpuActivity::add(const RankTrace& rank) {
    std::vector<float> busy(idle_.size());
    std::vector<float> begins(idle_.size() + 1); // work that covers whole bins: where it begins less where it ends
    for (const Lane& lane : rank.lanes) {
        if (lane.kind != LaneKind::gpu_stream || lane.begin >= lane.end)
            continue;
        std::ranges::fill(busy, 0.0F);
        std::ranges::fill(begins, 0.0F);
        const auto share = [&](TimeNs time) { return static_cast<float>(time) / static_cast<float>(bin_); };
        for (EventIndex i = lane.begin; i < lane.end; ++i) {
            const TimeRange event =
                TimeRange{rank.events.start[i], rank.events.start[i] + rank.events.duration[i]}.clipped_to(span_);
            if (!is_gpu_work(rank.events.kind[i]) || event.empty())
                continue;
            const TimeNs from = event.begin - span_.begin, to = event.end - span_.begin;
            const auto first = static_cast<std::size_t>(from / bin_), last = static_cast<std::size_t>((to - 1) / bin_);
            if (first == last) {
                busy[first] += share(to - from);
                continue;
            }
            busy[first] += share(bin_ - from % bin_);
            busy[last] += share(to - static_cast<TimeNs>(last) * bin_);
            begins[first + 1] += 1;
            begins[last] -= 1;
        }
        float over = 0;
        for (std::size_t i = 0; i < idle_.size(); ++i) {
            over += begins[i];
            idle_[i] *= 1 - std::clamp(busy[i] + over, 0.0F, 1.0F);
        }
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

ActivityFit fit_activity(std::span<const MatchedGpu> gpus, TimeNs offset, TimeNs early, TimeNs late) {
    constexpr TimeNs kStep = 50 * kMillisecond;
    std::optional<ActivityFit> best;
    for (TimeNs lag = -early; lag <= late; lag += kStep) {
        Sum sum;
        for (const MatchedGpu& gpu : gpus)
            compare(gpu, offset - lag, sum);
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
