// SPDX-License-Identifier: GPL-3.0-or-later
// A value that is read from time to time, and holds until the next reading: of 1755 MHz at 0 ms and 1200 MHz at 100 ms
// the mean from 50 ms to 150 ms is 1477.5 MHz. The last one holds for as long as readings are usually apart.
#pragma once
#include <optional>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

class HeldValues {
public:
    HeldValues() = default;
    /// Ascending by time.
    explicit HeldValues(std::vector<CounterSample> samples);
    [[nodiscard]] bool empty() const { return samples_.empty(); }
    /// Nothing before the first reading, and where none was made for three times as long as usual.
    [[nodiscard]] std::optional<double> at(TimeNs time) const;
    /// Over what is known of the range; nothing where that is less than half of it. Where no reading lies in the range,
    /// it is known only if the one before and the one after differ by a twentieth at most.
    [[nodiscard]] std::optional<double> mean(TimeRange range) const;
    /// While a share of the time is larger than 0, weighted by that share; nothing where it never is, or is not known.
    [[nodiscard]] std::optional<double> mean_while(const HeldValues& share, TimeRange range) const;

private:
    [[nodiscard]] TimeRange holds(std::size_t i) const;
    [[nodiscard]] std::size_t first_in(TimeRange range) const;
    [[nodiscard]] bool is_told_of(TimeRange range) const;
    [[nodiscard]] std::optional<double> mean_of_held(TimeRange range) const;

    std::vector<CounterSample> samples_;
    TimeNs longest_ = 0; ///< for which a reading holds
};

} // namespace rankscope
