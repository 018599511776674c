// SPDX-License-Identifier: GPL-3.0-or-later
// Which work is seen to wait for work of another stream.
#include "core/analysis/graph/seen_waits.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/analysis/graph/launch_latency.h"
#include "core/analysis/graph/launch_order.h"

namespace rankscope {
namespace {

constexpr TimeNs kExplained = 1'500;        ///< a wait shorter than this is the GPU's own
constexpr TimeNs kLongestHandover = 50'000; ///< likewise, of work that was held up for four times as long
constexpr TimeNs kHeldUpPart = 10;          ///< held up for a tenth of the passage's time: chance explains no more

/// Which work of other streams ended last before a time, however many streams there are.
class LastEnds {
public:
    explicit LastEnds(const RankGraph& graph) : graph_(graph) {
        for (const std::vector<std::uint32_t>& stream : graph.streams)
            by_end_.insert(by_end_.end(), stream.begin(), stream.end());
        // Of equal ends the first stream counts, and in it what starts last.
        std::ranges::stable_sort(by_end_, [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(graph.work[a].end, graph.work[b].lane) < std::pair(graph.work[b].end, graph.work[a].lane);
        });
        before_on_other_.resize(by_end_.size(), kNoNode);
        for (std::size_t i = 1; i < by_end_.size(); ++i)
            before_on_other_[i] = graph.work[by_end_[i]].lane == graph.work[by_end_[i - 1]].lane
                                      ? before_on_other_[i - 1]
                                      : by_end_[i - 1];
    }
    /// kNoNode: none.
    [[nodiscard]] std::uint32_t of_others(std::size_t lane, TimeNs time) const {
        const auto end_of = [&](std::uint32_t w) { return graph_.work[w].end; };
        const auto after = std::ranges::upper_bound(by_end_, time, {}, end_of) - by_end_.begin();
        if (after == 0)
            return kNoNode;
        const auto last = static_cast<std::size_t>(after - 1);
        return graph_.work[by_end_[last]].lane == lane ? before_on_other_[last] : by_end_[last];
    }

private:
    const RankGraph& graph_;
    std::vector<std::uint32_t> by_end_;
    std::vector<std::uint32_t> before_on_other_; ///< of each place in by_end_, the last one before on another stream
};

/// previous: the passage before on that rank; empty for the first. receives: receives_follow().
SeenWaits waits_of_passage(const RankGraph& graph, const LastEnds& last_ends, const ProgramPassage& passage,
                           const ProgramPassage& previous, std::size_t main, bool receives,
                           const std::vector<std::uint32_t>& position) {
    SeenWaits seen;
    std::uint32_t last_compute = kNoNode; ///< position in RankGraph::launched
    for (std::uint32_t i = previous.first; i < previous.first + previous.length; ++i)
        if (graph.work[graph.launched[i]].lane == main)
            last_compute = i;
    const auto add = [&](std::uint32_t p, std::uint32_t on, bool held_up = false) {
        if (on >= passage.first && on < passage.first + passage.length) {
            seen.inside.push_back(pair_of(p, on - passage.first));
            if (held_up)
                seen.long_inside.push_back(seen.inside.back());
        } else if (on >= previous.first && on < previous.first + previous.length) {
            seen.before.push_back(pair_of(p, on - previous.first));
            if (held_up)
                seen.long_before.push_back(seen.before.back());
        }
    };
    TimeRange time{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()}; // of the passage
    for (std::uint32_t p = 0; p < passage.length; ++p) {
        const GraphWork& work = graph.work[graph.launched[passage.first + p]];
        time = {std::min(time.begin, work.start), std::max(time.end, work.end)};
    }
    for (std::uint32_t p = 0; p < passage.length; ++p) {
        const std::uint32_t w = graph.launched[passage.first + p];
        const GraphWork& work = graph.work[w];
        if (work.kernel_class == KernelClass::communication && work.lane != main && (receives || !work.receives)) {
            std::uint32_t on = last_compute;
            if (has_no_place(graph, passage, p)) { // it followed what had ended by then
                const std::uint32_t ended = last_ended(graph, main, work.start);
                on = ended == kNoNode ? kNoNode : position[ended];
            }
            if (on != kNoNode)
                add(p, on);
        }
        if (work.lane == main)
            last_compute = passage.first + p;
        TimeNs ready = work.launch == kNoNode ? std::numeric_limits<TimeNs>::min()
                                              : graph.host[work.launch].start + graph.launch_latency;
        if (work.previous != kNoNode)
            ready = std::max(ready, graph.work[work.previous].end + graph.kernel_gap);
        if (ready >= work.start - kExplained) // the subtraction of no launch at all would overflow
            continue;
        const std::uint32_t latest = last_ends.of_others(work.lane, work.start + kRounding);
        // What was held up for long was held up by something: then a slower handover counts too (on AMD 15 to 20 us).
        const TimeNs handover = ready < work.start - 4 * kLongestHandover ? kLongestHandover : kHandover;
        if (latest != kNoNode && work.start - graph.work[latest].end <= handover &&
            (position[latest] < passage.first + p || launched_as_one(graph.work[latest], work)))
            add(p, position[latest], work.launch != kNoNode && ready <= work.start - time.length() / kHeldUpPart);
    }
    return seen;
}

} // namespace

std::uint32_t unknown_dependency(const RankGraph& graph, std::uint32_t work) {
    const GraphWork& own = graph.work[work];
    if (own.launch == kNoNode)
        return kNoNode;
    const TimeNs ready = let_by_launch(graph, own, graph.idle_latency);
    if (own.start <= ready + kLongestHandover)
        return kNoNode;
    std::uint32_t latest = kNoNode;
    TimeNs changed = ready + (own.start - ready) / 2; // a GPU idle for longer tells nothing
    for (std::size_t s = 0; s < graph.streams.size(); ++s) {
        const std::vector<std::uint32_t>& stream = graph.streams[s];
        const auto after =
            std::ranges::lower_bound(stream, own.start, {}, [&](std::uint32_t w) { return graph.work[w].start; });
        if (s == own.lane || after == stream.begin())
            continue;
        const GraphWork& other = graph.work[*(after - 1)];
        const bool ended = other.end <= own.start;
        // Communication leaves room for other work beside it.
        if (!ended && other.kernel_class == KernelClass::communication)
            continue;
        if (const TimeNs time = ended ? other.end : own.start; time > changed) {
            changed = time;
            latest = *(after - 1);
        }
    }
    return latest;
}

bool receives_follow(std::span<const RankGraph> ranks, std::span<const std::size_t> main) {
    constexpr std::size_t kFewOf = 10; ///< one in so many may be an error of the clocks
    std::size_t all = 0;
    std::size_t early = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const GraphWork* last_compute = nullptr;
        for (const std::uint32_t w : ranks[r].launched) {
            const GraphWork& work = ranks[r].work[w];
            if (work.lane == main[r]) {
                last_compute = &work;
            } else if (work.receives && last_compute != nullptr) {
                ++all;
                early += work.start < last_compute->end ? 1 : 0;
            }
        }
    }
    return early * kFewOf < all || all == 0;
}

std::vector<SeenWaits> waits_seen(const RankGraph& graph, std::span<const ProgramPassage> passages, std::size_t main,
                                  bool receives, const std::vector<std::uint32_t>& position) {
    std::vector<SeenWaits> seen;
    const LastEnds last_ends(graph);
    for (std::size_t p = 0; p < passages.size(); ++p)
        seen.push_back(waits_of_passage(graph, last_ends, passages[p], p == 0 ? ProgramPassage{} : passages[p - 1],
                                        main, receives, position));
    return seen;
}

} // namespace rankscope
