// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a set added up by rank and iteration, with those whose size or group is not recorded.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/iterations.h"
#include "core/metrics/user_values.h"

namespace rankscope {

/// Members that lack what the value needs.
struct Lacking {
    std::int64_t events = 0;
    std::set<std::string, std::less<>> names;
    void add(std::string_view name);
    /// "ncclDevKernel_A, ncclDevKernel_B ..."
    [[nodiscard]] std::string words() const;
};

/// Of some events of one rank.
struct EventSums {
    std::int64_t count = 0;
    TimeNs time = 0;
    double bytes = 0;
    std::vector<TimeRange> ranges; ///< only where they are merged

    void add(TimeRange range, std::optional<double> size, bool keep_range);
    /// Times in ns, so that sums of them are exact.
    [[nodiscard]] double value(Aggregate what) const;
};

struct RankSums {
    EventSums all;
    std::map<std::int64_t, EventSums> of_iterations; ///< by number
};

struct SetSums {
    std::vector<RankSums> ranks; ///< in the order of Run::ranks
    std::int64_t sized = 0;
    Lacking unsized;
    Lacking ungrouped;
};

/// The iterations of a rank that a set may lie in.
class SetIterations {
public:
    SetIterations(const RunAnalysis& analysis, std::size_t rank, const EventSet& set);
    [[nodiscard]] const std::set<std::int64_t>& numbers() const { return numbers_; }
    /// Of the iteration that the member belongs to; nothing: of none of them.
    [[nodiscard]] std::optional<std::int64_t> number_of(const SetMember& member) const;

private:
    const RankAnalysis& rank_;
    IterationWork work_;
    std::set<std::int64_t> numbers_;
};

/// iterations: of each rank.
SetSums sums_of_set(const RunAnalysis& analysis, const SetValue& value, const std::vector<SetIterations>& iterations);

} // namespace rankscope
