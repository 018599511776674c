// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/held_values.h"

#include <algorithm>
#include <cmath>

namespace rankscope {

HeldValues::HeldValues(std::vector<CounterSample> samples) : samples_(std::move(samples)) {
    constexpr TimeNs kAlone = 1'000'000'000; // of a single reading
    constexpr TimeNs kLost = 3;              // times the usual distance
    std::vector<TimeNs> apart;
    for (std::size_t i = 1; i < samples_.size(); ++i)
        apart.push_back(samples_[i].time - samples_[i - 1].time);
    longest_ = kAlone;
    if (!apart.empty()) {
        const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
        std::ranges::nth_element(apart, middle);
        longest_ = kLost * std::max<TimeNs>(1, *middle);
    }
}

TimeRange HeldValues::holds(std::size_t i) const {
    const TimeNs begin = samples_[i].time;
    const TimeNs end = begin + longest_;
    return {begin, i + 1 < samples_.size() ? std::min(end, samples_[i + 1].time) : end};
}

/// The reading that holds when the range starts, or the first in it.
std::size_t HeldValues::first_in(TimeRange range) const {
    const auto after = std::ranges::upper_bound(samples_, range.begin, {}, &CounterSample::time);
    return static_cast<std::size_t>(after - samples_.begin()) - (after == samples_.begin() ? 0 : 1);
}

std::optional<double> HeldValues::at(TimeNs time) const {
    if (samples_.empty() || time < samples_.front().time)
        return {};
    const std::size_t i = first_in({time, time + 1});
    return holds(i).contains(time) ? std::optional(samples_[i].value) : std::nullopt;
}

/// What happened between two readings that differ is not known.
bool HeldValues::is_told_of(TimeRange range) const {
    constexpr double kAlike = 0.05;
    const auto next = std::ranges::lower_bound(samples_, range.begin, {}, &CounterSample::time);
    if (next == samples_.end() || (next == samples_.begin() && next->time >= range.end))
        return false;
    const double after = next->value;
    const double before = next->time < range.end ? after : std::prev(next)->value;
    return std::abs(before - after) <= kAlike * std::max(std::abs(before), std::abs(after));
}

std::optional<double> HeldValues::mean(TimeRange range) const {
    return is_told_of(range) ? mean_of_held(range) : std::nullopt;
}

std::optional<double> HeldValues::mean_of_held(TimeRange range) const {
    double sum = 0;
    TimeNs known = 0;
    if (!samples_.empty())
        for (std::size_t i = first_in(range); i < samples_.size() && samples_[i].time < range.end; ++i) {
            const TimeNs length = holds(i).clipped_to(range).length();
            sum += samples_[i].value * static_cast<double>(length);
            known += length;
        }
    return known > 0 && 2 * known >= range.length() ? std::optional(sum / static_cast<double>(known)) : std::nullopt;
}

std::optional<double> HeldValues::mean_while(const HeldValues& share, TimeRange range) const {
    double sum = 0, weights = 0;
    if (share.is_told_of(range))
        for (std::size_t i = share.first_in(range); i < share.samples_.size() && share.samples_[i].time < range.end;
             ++i) {
            const TimeRange held = share.holds(i).clipped_to(range);
            const double weight = share.samples_[i].value * static_cast<double>(held.length());
            if (const auto value = weight > 0 ? mean_of_held(held) : std::nullopt) {
                sum += *value * weight;
                weights += weight;
            }
        }
    return weights > 0 ? std::optional(sum / weights) : std::nullopt;
}

} // namespace rankscope
