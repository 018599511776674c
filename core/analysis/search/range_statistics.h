// SPDX-License-Identifier: GPL-3.0-or-later
// What the GPUs did in a range of time: counts and times by class, kernel, rank and operator.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/analysis/selection/kernel_class_rules.h"
#include "core/base/lazy.h"
#include "core/trace/run.h"

namespace rankscope {

/// An event of a run: index of its rank in Run::ranks, and position in that rank's EventTable.
struct EventPlace {
    std::uint32_t rank = 0;
    EventIndex event = kNoEvent;
    friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
};

/// How the events of a range are grouped. op: by the innermost operator that launched them.
enum class RangeGrouping : std::uint8_t { kernel_class, kernel, rank, op };
inline constexpr std::size_t kRangeGroupingCount = 4;

/// Times in ns, each event's clipped to the range.
struct RangeRow {
    std::string_view name;  ///< of the kernel, operator or class; empty for a rank, and for events of no known operator
    std::uint32_t rank = 0; ///< grouping rank: index in Run::ranks
    KernelClass kernel_class = KernelClass::compute; ///< of kernels and classes
    std::int64_t count = 0;
    TimeNs total = 0;
    TimeNs min = 0;
    TimeNs max = 0;
    EventPlace longest; ///< the event that takes max; of several, the first
    [[nodiscard]] double mean() const { return static_cast<double>(total) / static_cast<double>(count); }
};

/// GPU work that overlaps the range (events without length: that start in it), as in Selection. Each table sums to
/// count and total; rows with the largest total first, ties by name, then rank.
struct RangeStatistics {
    TimeRange range; ///< absolute
    std::int64_t count = 0;
    TimeNs total = 0; ///< summed over events and ranks
    std::array<std::vector<RangeRow>, kRangeGroupingCount> tables;
    [[nodiscard]] const std::vector<RangeRow>& table(RangeGrouping grouping) const {
        return tables[static_cast<std::size_t>(grouping)];
    }
};

/// Classes of the GPU events of a run, per rank as in Run::ranks, each rank's found on first use. Thread-safe.
class RunClasses {
public:
    explicit RunClasses(std::shared_ptr<const Run> run, KernelClassRules rules = {});
    [[nodiscard]] const Run& run() const { return *run_; }
    [[nodiscard]] const std::vector<KernelClass>& of_rank(std::size_t rank) const;

private:
    std::shared_ptr<const Run> run_;
    KernelClassRules rules_;
    std::vector<Lazy<std::vector<KernelClass>>> ranks_;
};

/// Cost grows with the events inside the range. nullopt: cancelled.
std::optional<RangeStatistics> range_statistics(const RunClasses& classes, TimeRange range,
                                                const std::stop_token& cancel = {});

} // namespace rankscope
