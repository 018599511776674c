// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank did on its way to a call, backwards along what held it up.
//   A rank comes to a call at 90 us: it computed from 60, waited in the call before from 40, and computed from 10 on:
//   three stretches, of 30, 20 and 30 us.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/analysis/delays/waiting.h"
#include "core/analysis/graph/held_up.h"
#include "core/analysis/usual/usual_times.h"

namespace rankscope::delays {

struct OwnWait {
    std::uint32_t arrival = kNoNode; ///< node
    TimeNs time = 0;
};

/// What a rank did for a while without a break.
struct Stretch {
    enum class Kind : std::uint8_t { own, waits, unrecorded };
    TimeRange range;
    std::uint32_t node = kNoNode; ///< where it waits: its arrival
    Kind kind = Kind::own;
    WaitCause cause = WaitCause::host;
    TimeNs more = 0; ///< than others that do the same; all of it where none do
};

/// What a rank did on its way to a call, backwards.
struct Way {
    std::vector<Stretch> stretches;
    TimeNs cursor = 0;  ///< how far back it is known
    bool ended = false; ///< nothing before that is recorded
};

/// The same since a time.
struct Spent {
    std::array<TimeNs, kWaitCauseCount> own{};
    std::array<double, kWaitCauseCount> more{}; ///< of own, than others that do the same
    std::uint32_t rank = kNoNode;
    TimeNs unrecorded = 0;
    TimeNs waited = 0;
    std::vector<OwnWait> waits;
    std::vector<OwnWait> transfers; ///< in the open; node: the transfer
};
Spent spent_since(const Way& way, TimeNs since);

/// Before all that is recorded.
inline constexpr TimeNs kEver = std::numeric_limits<TimeNs>::min();

class WayBack {
public:
    /// last_arrivals: of each transfer. launches: any is recorded.
    WayBack(const HeldUp& held_up, const UsualTimes& usual, std::span<const std::uint32_t> last_arrivals, bool launches)
        : held_up_(held_up), graph_(held_up.graph), start_(held_up.start), usual_(usual), last_arrivals_(last_arrivals),
          launches_(launches) {}

    /// own_work: of a communication kernel not that its stream was busy with an earlier call while what it sends was
    /// there: the rank itself was ready. beside_early: who receives early waits only from when all other GPU work was
    /// there, and the way goes on along that.
    struct Along {
        bool own_work = false;
        bool beside_early = false;
    };
    /// Along what held the rank up, but not beyond it: where it waited for others the way goes on before the wait.
    /// meet: of each transfer on the way; false: it has come far enough.
    void go_back(std::uint32_t node, TimeNs until, Along along, Way& way,
                 const std::function<bool(std::uint32_t transfer)>& meet);
    /// When the step before that of the node starts: what lies before it explains no wait in this one. Of the first
    /// step when the GPU is done with steps before the recording: their work has no peers and their calls are not
    /// matched.
    [[nodiscard]] TimeNs step_before(std::uint32_t node) const;
    /// Of the time between what held a node up and the node. Where no launch is recorded, as in operation timelines,
    /// nothing tells why work started no earlier.
    [[nodiscard]] WaitCause cause_of_gap(EdgeKind kind) const;
    [[nodiscard]] std::uint32_t last_arrival(std::uint32_t transfer) const {
        return last_arrivals_[transfer - graph_.first_node.back()];
    }
    [[nodiscard]] std::uint32_t arrival_of(std::uint32_t transfer, std::uint32_t rank) const;
    [[nodiscard]] bool walked_too_far() const { return walked_ >= kMostWalked; } ///< all walks together

private:
    [[nodiscard]] std::uint32_t holding_edge(std::uint32_t node, bool own_work) const;
    static void pass(Way& way, TimeNs begin, Stretch::Kind kind, WaitCause cause, std::uint32_t node, TimeNs usual);
    [[nodiscard]] TimeNs usual_gap(std::uint32_t node, std::uint32_t edge) const;

    const HeldUp& held_up_;
    const StepGraph& graph_;
    std::span<const TimeNs> start_;
    const UsualTimes& usual_;
    std::span<const std::uint32_t> last_arrivals_;
    bool launches_;
    std::size_t walked_ = 0; ///< nodes
};

} // namespace rankscope::delays
