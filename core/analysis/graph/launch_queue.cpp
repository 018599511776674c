// SPDX-License-Identifier: GPL-3.0-or-later
// Tells launches into a full queue by when they return.
#include "core/analysis/graph/launch_queue.h"

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kFullFrom = 256; ///< kernels in a queue of 1024 places: the others are events and waits
constexpr TimeNs kLongCall = 20'000;   ///< a launch into a queue with room takes less
constexpr TimeNs kTimesUsual = 4;      ///< and less than so many times the usual call
constexpr TimeNs kReturns = 10'000;    ///< how close to that a call returns that waited for it
constexpr std::size_t kLeastSeen = 16; ///< long calls of a stream
constexpr double kMostReturn = 0.75;   ///< of them return as a kernel starts or ends
constexpr double kManyWait = 0.3;      ///< of the launches that find the queue nearly full: events leave it as well
constexpr double kNearlyFull = 0.75;   ///< of a full queue: a shorter call may have waited as well

constexpr std::size_t kNone = ~std::size_t{0};

/// The launches of one stream, by start of what they launch; all times by the host's clock.
class StreamQueue {
public:
    StreamQueue(const RankGraph& graph, const std::vector<std::uint32_t>& work, TimeNs usual_call)
        : graph_(graph), work_(work), usual_call_(usual_call) {
        starts_.reserve(work.size());
        for (const std::uint32_t w : work)
            starts_.push_back(graph.work[w].start + graph.gpu_early);
    }

    /// Queues of the launches that clearly waited; empty: the queue was never full.
    [[nodiscard]] std::vector<std::size_t> full_lengths() const {
        std::vector<std::size_t> lengths;
        std::vector<std::pair<std::size_t, bool>> calls; // queue, whether the call is long
        std::size_t longest = 0;
        std::size_t all = 0;
        for (std::size_t i = kFullFrom; i < work_.size(); ++i) {
            const HostPoint* const call = call_of(i);
            const std::size_t length = call == nullptr ? 0 : length_at(i, call->start);
            if (length < kFullFrom)
                continue;
            const bool is_long = call->end - call->start >= std::max(kLongCall, kTimesUsual * usual_call_);
            calls.emplace_back(length, is_long);
            longest = std::max(longest, length);
            all += is_long ? 1 : 0;
            if (const Freed freed = is_long ? freed_for(i, *call) : Freed{}; freed.place != kNone)
                lengths.push_back(i - freed.place);
        }
        // A queue that is full cannot grow: the launches that find it so wait, most others do not.
        std::size_t near_longest = 0;
        std::size_t waiting = 0;
        for (const auto& [length, is_long] : calls)
            if (static_cast<double>(length) >= kNearlyFull * static_cast<double>(longest)) {
                ++near_longest;
                waiting += is_long ? 1 : 0;
            }
        const bool full = all >= kLeastSeen &&
                          static_cast<double>(lengths.size()) >= kMostReturn * static_cast<double>(all) &&
                          static_cast<double>(waiting) >= kManyWait * static_cast<double>(near_longest);
        return full ? lengths : std::vector<std::size_t>{};
    }

    void add_waits(std::vector<std::size_t> lengths, std::vector<QueueWait>& waits) const {
        const std::size_t most = *std::ranges::max_element(lengths);
        const auto nearly = static_cast<std::size_t>(kNearlyFull * static_cast<double>(upper_median(lengths)));
        for (std::size_t i = kFullFrom; i < work_.size(); ++i) {
            const HostPoint* const call = call_of(i);
            if (call == nullptr)
                continue;
            const bool may_have_waited =
                2 * (call->end - call->start) >= 3 * usual_call_ && length_at(i, call->start) >= nearly;
            const Freed freed = may_have_waited ? freed_for(i, *call) : Freed{};
            if (freed.place != kNone)
                waits.push_back({graph_.work[work_[i]].launch, work_[freed.place], call->start, freed.at_end, true});
            else if (i >= most && starts_[i - most] <= call->start)
                waits.push_back({graph_.work[work_[i]].launch, work_[i - most], call->start, false, false});
        }
    }

private:
    [[nodiscard]] const HostPoint* call_of(std::size_t i) const {
        const std::uint32_t launch = graph_.work[work_[i]].launch;
        return launch == kNoNode ? nullptr : &graph_.host[launch];
    }

    [[nodiscard]] std::size_t started_by(TimeNs time) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(starts_, time) - starts_.begin());
    }

    /// How many are queued before the i-th.
    [[nodiscard]] std::size_t length_at(std::size_t i, TimeNs time) const {
        const std::size_t started = started_by(time);
        return started < i ? i - started : 0;
    }

    struct Freed {
        std::size_t place = kNone; ///< in work_
        bool at_end = false;       ///< an event after it had a place as well
    };

    /// Of the stream's work what started, or ended, just before the call returned.
    [[nodiscard]] Freed freed_for(std::size_t i, const HostPoint& call) const {
        const TimeNs returns = call.end - usual_call_;
        const TimeNs reach = std::max(kReturns, usual_call_);
        Freed best;
        TimeNs nearest = reach + 1;
        const auto look_at = [&](std::size_t k, TimeNs time, bool at_end) {
            const TimeNs distance = std::abs(time - returns);
            if (time > call.start && time <= call.end && distance < nearest) {
                nearest = distance;
                best = {k, at_end};
            }
        };
        for (std::size_t k = std::min(i, started_by(call.end)); k-- > 0;) {
            const TimeNs end = graph_.work[work_[k]].end + graph_.gpu_early;
            look_at(k, starts_[k], false);
            look_at(k, end, true);
            if (end < returns - reach)
                break;
        }
        return best;
    }

    const RankGraph& graph_;
    const std::vector<std::uint32_t>& work_;
    TimeNs usual_call_;
    std::vector<TimeNs> starts_;
};

/// What a call takes that waits for nothing: where the queue is always full hardly any does.
TimeNs usual_call(const RankGraph& graph) {
    constexpr std::size_t kOneOf = 50;
    constexpr TimeNs kLongest = 10'000;
    std::vector<TimeNs> calls;
    for (std::size_t h = 0; h < graph.host.size(); ++h)
        if (graph.host_kind[h] == NodeKind::launch)
            calls.push_back(graph.host[h].end - graph.host[h].start);
    return calls.empty() ? 0 : std::min(kLongest, nth_value(calls, calls.size() / kOneOf));
}

} // namespace

void find_queue_waits(RankGraph& graph) {
    TimeNs usual = -1;
    for (const std::vector<std::uint32_t>& work : graph.streams) {
        if (work.size() <= kFullFrom)
            continue;
        usual = usual < 0 ? usual_call(graph) : usual;
        const StreamQueue queue(graph, work, usual);
        if (std::vector<std::size_t> lengths = queue.full_lengths(); !lengths.empty())
            queue.add_waits(std::move(lengths), graph.queue_waits);
    }
    std::ranges::sort(graph.queue_waits, {}, &QueueWait::host);
    const auto second = std::ranges::unique(graph.queue_waits, {}, &QueueWait::host); // one call, several kernels
    graph.queue_waits.erase(second.begin(), second.end());
    std::erase_if(graph.queue_waits, [&](const QueueWait& wait) {
        HostPoint& call = graph.host[wait.host];
        const bool last = wait.host + 1 == graph.host.size();
        const TimeNs latest = last ? call.end : std::min(call.end, graph.host[wait.host + 1].start);
        const GraphWork& work = graph.work[wait.work];
        const TimeNs freed = (wait.at_end ? work.end : work.start) + graph.gpu_early;
        const TimeNs made = std::max({call.start, std::min(call.end - usual, latest), freed});
        if (wait.waited && made > latest)
            return true; // another thread's call came before
        if (wait.waited)
            call.start = made;
        return false;
    });
}

} // namespace rankscope
