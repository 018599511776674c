// SPDX-License-Identifier: GPL-3.0-or-later
// Host points and GPU work of one rank, and which work waited for which.
#include "core/analysis/graph/rank_graph.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "core/analysis/graph/launch_queue.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/trace/flat_map.h"

namespace rankscope {
namespace {

constexpr TimeNs kExplained = 1'500;        ///< a wait shorter than this is the GPU's own
constexpr TimeNs kUsualLatency = 5'000;     ///< where a rank tells none
constexpr TimeNs kLongestLatency = 30'000;  ///< what is longer is a wait
constexpr TimeNs kRounding = 250;           ///< of times: a double has microseconds since 1970 in steps of a quarter
constexpr TimeNs kHandover = 10'000;        ///< from the end of the work waited for to the start, at most
constexpr TimeNs kLongestHandover = 50'000; ///< likewise, of work that was held up for four times as long
constexpr TimeNs kFarEarly = 1'000'000;     ///< GPU clocks are rarely that far off: then much work has to show it
constexpr std::size_t kMuchWork = 50;       ///< one in so many, at least half as early

NodeKind node_of(HostWork work) {
    switch (work) {
    case HostWork::step_begin: return NodeKind::step_begin;
    case HostWork::step_end: return NodeKind::step_end;
    case HostWork::launch: return NodeKind::launch;
    case HostWork::wait_device:
    case HostWork::wait_stream: return NodeKind::wait_begin;
    case HostWork::data_loading: return NodeKind::data_loading;
    case HostWork::garbage_collection: return NodeKind::garbage_collection;
    case HostWork::allocation: break;
    }
    return NodeKind::allocation;
}

template <typename T>
T percentile(std::vector<T> values, double share, T otherwise) {
    if (values.empty())
        return otherwise;
    return nth_value(values, static_cast<std::size_t>(share * static_cast<double>(values.size() - 1)));
}

TimeRange graph_range(const RankTrace& rank, std::span<const GpuSlice> work, const std::vector<ProfilerStep>& steps) {
    TimeRange range{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    if (!steps.empty())
        range = {steps.front().range.begin, steps.back().range.end};
    for (const GpuSlice& slice : work) {
        const EventIndex call = rank.events.link[slice.event];
        range.begin = std::min(range.begin, call == kNoEvent ? slice.range.begin : rank.events.start[call]);
        range.end = std::max(range.end, slice.range.end);
    }
    return range.end < range.begin ? TimeRange{} : TimeRange{range.begin, range.end + 1};
}

/// A copy that its own call waits for: cudaMemcpyAsync from pageable memory.
bool blocks(const RankTrace& rank, EventIndex call) {
    const EventIndex work = rank.events.link[call];
    return rank.events.kind[work] == EventKind::memcpy && rank.events.end(work) <= rank.events.end(call) &&
           rank.event_name(work).find("Pageable") != std::string_view::npos;
}

void split_waits(const RankTrace& rank, std::vector<HostPoint> points, RankGraph& graph) {
    std::vector<std::pair<HostPoint, NodeKind>> split;
    split.reserve(points.size() * 5 / 4);
    for (HostPoint& point : points) {
        const bool waits = point.work == HostWork::wait_device || point.work == HostWork::wait_stream ||
                           (point.work == HostWork::launch && blocks(rank, point.event));
        const TimeNs end = point.end;
        if (waits)
            point.end = point.start;
        split.emplace_back(point, node_of(point.work));
        if (waits) {
            point.start = point.end = end;
            split.emplace_back(point, NodeKind::wait_end);
        }
    }
    std::stable_sort(split.begin(), split.end(),
                     [](const auto& a, const auto& b) { return a.first.start < b.first.start; });
    graph.host.reserve(split.size());
    graph.host_kind.reserve(split.size());
    for (const auto& [point, kind] : split) {
        graph.host.push_back(point);
        graph.host_kind.push_back(kind);
    }
}

std::uint32_t step_at_time(const std::vector<ProfilerStep>& steps, TimeNs time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                        [](TimeNs t, const ProfilerStep& step) { return t < step.range.begin; });
    return after == steps.begin() || (after - 1)->range.end <= time
               ? kNoNode
               : static_cast<std::uint32_t>(after - steps.begin() - 1);
}

void collect_work(const RankTrace& rank, std::span<const GpuSlice> work, const std::vector<ProfilerStep>& steps,
                  RankClock clock, RankGraph& graph) {
    const EventTable& events = rank.events;
    FlatMap launch_of(graph.host.size());
    for (std::uint32_t h = 0; h < graph.host.size(); ++h)
        if (graph.host_kind[h] == NodeKind::launch)
            launch_of[graph.host[h].event] = h;
    const WorkSteps work_steps(rank);
    graph.streams.resize(rank.lanes.size());
    graph.work.reserve(work.size());
    for (const GpuSlice& slice : work) {
        const EventIndex call = events.link[slice.event];
        const auto lane = static_cast<std::uint32_t>(&rank.lane_of(slice.event) - rank.lanes.data());
        GraphWork node;
        node.event = slice.event;
        node.start = clock.aligned(events.start[slice.event]);
        node.end = clock.aligned(events.end(slice.event));
        node.lane = lane;
        node.launch = call == kNoEvent ? kNoNode : launch_of.find(call);
        node.previous = graph.streams[lane].empty() ? kNoNode : graph.streams[lane].back();
        node.earlier = work_steps.came_before(slice.event);
        node.step = node.earlier ? kNoNode : step_at_time(steps, work_steps.time_of(slice.event));
        node.kernel_class = slice.kernel_class;
        const CollectiveArgs* args =
            slice.kernel_class == KernelClass::communication ? rank.collective_of(slice.event) : nullptr;
        node.sends = args != nullptr && rank.names->view(args->collective) == "send";
        node.receives = args != nullptr && rank.names->view(args->collective) == "recv";
        graph.streams[lane].push_back(static_cast<std::uint32_t>(graph.work.size()));
        graph.work.push_back(node);
    }
}

TimeNs launch_time(const RankGraph& graph, const GraphWork& work) {
    return work.earlier             ? std::numeric_limits<TimeNs>::min()
           : work.launch == kNoNode ? work.start
                                    : graph.host[work.launch].start;
}

/// Whether nothing says which of the two was launched first: one call launched both, or no call is recorded.
bool launched_as_one(const GraphWork& a, const GraphWork& b) {
    return a.launch == b.launch && a.step == b.step && a.earlier == b.earlier;
}

/// What has no order of launches goes by stream, which is the same on all ranks and in all steps; times are not.
void order_by_stream(RankGraph& graph) {
    const auto work = [&](std::size_t i) -> const GraphWork& { return graph.work[graph.launched[i]]; };
    for (std::size_t i = 0, end = 0; i < graph.launched.size(); i = end) {
        for (end = i + 1; end < graph.launched.size() && launched_as_one(work(i), work(end));)
            ++end;
        const auto at = graph.launched.begin();
        std::sort(at + static_cast<std::ptrdiff_t>(i), at + static_cast<std::ptrdiff_t>(end),
                  [&](std::uint32_t a, std::uint32_t b) {
                      return std::pair(graph.work[a].lane, a) < std::pair(graph.work[b].lane, b);
                  });
    }
}

/// RankGraph::gpu_early. A single work far before its launch has a wrong launch; a clock shows on many.
void measure_gpu_early(RankGraph& graph) {
    std::vector<TimeNs> early;
    std::size_t launched = 0;
    for (const GraphWork& work : graph.work) {
        if (work.launch == kNoNode || work.earlier)
            continue;
        ++launched;
        if (const TimeNs before = graph.host[work.launch].start - work.start; before > 0)
            early.push_back(before);
    }
    std::ranges::sort(early, std::greater());
    for (auto most = early.begin(); most != early.end(); ++most) {
        const auto show_it = std::ranges::upper_bound(most, early.end(), *most / 2, std::greater()) - most;
        const bool many = show_it > 1 && static_cast<std::size_t>(show_it) * kMuchWork >= launched;
        if (*most <= kFarEarly || many) {
            graph.gpu_early = *most + 1; // so that the launch comes first
            break;
        }
    }
}

void measure_latencies(RankGraph& graph) {
    std::vector<TimeNs> latencies;
    std::vector<TimeNs> on_idle_gpu;
    std::vector<TimeNs> gaps;
    TimeNs busy_until = std::numeric_limits<TimeNs>::min();
    for (const GraphWork& work : graph.work) {
        const TimeNs gpu_idle = std::exchange(busy_until, std::max(busy_until, work.end));
        if (work.launch == kNoNode)
            continue;
        const TimeNs launched = graph.host[work.launch].start - graph.gpu_early; // on the GPU's clock
        const TimeNs latency = work.start - graph.host[work.launch].start;
        if (work.start >= launched && (work.previous == kNoNode || graph.work[work.previous].end <= launched))
            latencies.push_back(latency);
        if (work.start >= launched && gpu_idle <= launched)
            on_idle_gpu.push_back(latency);
        if (work.previous != kNoNode) {
            const TimeNs gap = work.start - graph.work[work.previous].end;
            if (graph.work[work.previous].end > launched && gap >= 0 && gap < kHandover)
                gaps.push_back(gap);
        }
    }
    // On an idle stream a launch may still wait for another stream; where the host runs far ahead hardly any finds one
    // idle.
    graph.launch_latency = std::min(percentile<TimeNs>(std::move(latencies), 0.02, kUsualLatency), kLongestLatency);
    graph.idle_latency = std::max(percentile<TimeNs>(std::move(on_idle_gpu), 0.5, kUsualLatency), graph.launch_latency);
    // Work of a queue that waits for nothing else starts soonest: the lower quartile leaves other waits out.
    graph.kernel_gap = percentile<TimeNs>(std::move(gaps), 0.25, 0);
}

} // namespace

std::uint32_t last_ended(const RankGraph& graph, std::size_t stream, TimeNs time) {
    const std::vector<std::uint32_t>& work = graph.streams[stream];
    // Ends ascend with starts, but for the rare overlap inside a stream.
    const auto after = std::upper_bound(work.begin(), work.end(), time,
                                        [&](TimeNs t, std::uint32_t w) { return t < graph.work[w].end; });
    return after == work.begin() ? kNoNode : *(after - 1);
}

TimeNs let_by_launch(const RankGraph& graph, const GraphWork& work, TimeNs latency) {
    const HostPoint& call = graph.host[work.launch];
    const bool copies = work.kernel_class == KernelClass::memory_copy || work.kernel_class == KernelClass::memory_set;
    return std::max(call.start + latency, copies ? call.start : std::min(call.end, work.start));
}

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

RankGraph build_rank_graph(const RankTrace& rank, std::span<const GpuSlice> work,
                           const std::vector<ProfilerStep>& steps, RankClock clock) {
    RankGraph graph;
    const TimeRange range = graph_range(rank, work, steps);
    std::vector<HostPoint> points = host_points(rank, steps, range);
    split_waits(rank, std::move(points), graph);
    for (HostPoint& point : graph.host) {
        point.start = clock.aligned(point.start);
        point.end = clock.aligned(point.end);
    }
    collect_work(rank, work, steps, clock, graph);
    measure_gpu_early(graph);
    find_queue_waits(graph);
    graph.launched.resize(graph.work.size());
    for (std::uint32_t w = 0; w < graph.launched.size(); ++w)
        graph.launched[w] = w;
    tbb::parallel_sort(graph.launched.begin(), graph.launched.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(launch_time(graph, graph.work[a]), a) < std::pair(launch_time(graph, graph.work[b]), b);
    });
    order_by_stream(graph);
    measure_latencies(graph);
    return graph;
}

namespace {

/// The same place of one program, on one rank and in one step: [first, first + length) of RankGraph::launched.
struct Passage {
    std::uint32_t rank = 0;
    std::uint32_t first = 0;
    std::uint32_t length = 0;
    std::uint64_t program = 0;
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdULL;
}

std::vector<Passage> passages_of(const RankGraph& graph, const RankTrace& trace, std::uint32_t rank) {
    std::vector<Passage> passages;
    for (std::uint32_t i = 0; i < graph.launched.size(); ++i) {
        const GraphWork& work = graph.work[graph.launched[i]];
        if (i == 0 || work.step != graph.work[graph.launched[i - 1]].step)
            passages.push_back({rank, i, 0, 0});
        Passage& passage = passages.back();
        ++passage.length;
        passage.program = mixed(mixed(passage.program, trace.events.name[work.event]),
                                static_cast<std::uint64_t>(trace.lanes[work.lane].stream));
    }
    return passages;
}

/// What position waited for, as positions in the passage; (position << 32 | waited for).
using PackedPairs = std::vector<std::uint64_t>;
constexpr std::uint64_t pair_of(std::uint32_t position, std::uint32_t on) { return std::uint64_t{position} << 32 | on; }

/// Stream with the most compute events: what collectives follow.
std::size_t main_stream(const RankGraph& graph) {
    std::vector<std::size_t> count(graph.streams.size());
    for (const GraphWork& work : graph.work)
        count[work.lane] += work.kernel_class == KernelClass::communication ? 0 : 1;
    return static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

/// Whether nothing tells its place in the order of launches.
bool has_no_place(const RankGraph& graph, const Passage& passage, std::uint32_t p) {
    const auto work = [&](std::uint32_t i) -> const GraphWork& {
        return graph.work[graph.launched[passage.first + i]];
    };
    return work(p).launch == kNoNode || (p > 0 && launched_as_one(work(p), work(p - 1))) ||
           (p + 1 < passage.length && launched_as_one(work(p), work(p + 1)));
}

/// Whether receives follow the compute work launched before them, as collectives do. A host that waits for its GPU
/// launches them after it anyway; others tell.
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

constexpr TimeNs kHeldUpPart = 10; ///< held up for a tenth of the passage's time: chance explains no more

/// What work of a passage waited for: there, and in the passage before, as a position in that one.
struct SeenWaits {
    PackedPairs inside;
    PackedPairs before;
    PackedPairs long_inside; ///< of these, held up for long: that holds there, whatever other passages show
    PackedPairs long_before;
};

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
SeenWaits waits_seen(const RankGraph& graph, const LastEnds& last_ends, const Passage& passage, const Passage& previous,
                     std::size_t main, bool receives, const std::vector<std::uint32_t>& position) {
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

/// Names of kernels that were seen to wait for communication of a stream.
using Consumers = NumberMap<std::int64_t, PlaceSet<NameId>>;

struct Place {
    const RankGraph& graph;
    const RankTrace& trace;
    std::uint32_t first; ///< of the passage
    [[nodiscard]] const GraphWork& work(std::uint32_t position) const {
        return graph.work[graph.launched[first + position]];
    }
    [[nodiscard]] std::int64_t stream(std::uint32_t position) const { return trace.lanes[work(position).lane].stream; }
    [[nodiscard]] NameId name(std::uint32_t position) const { return trace.events.name[work(position).event]; }
};

/// Of work of the main stream that was launched with the communication the first that starts after it, of those names;
/// kNoNode without. names: nullptr for any.
std::uint32_t first_after(const Place& place, const GraphWork& communication, std::size_t main,
                          const PlaceSet<NameId>* names, const std::vector<std::uint32_t>& position) {
    const std::vector<std::uint32_t>& stream = place.graph.streams[main];
    auto after = std::ranges::lower_bound(stream, communication.end, {},
                                          [&](std::uint32_t w) { return place.graph.work[w].start; });
    for (; after != stream.end() && launched_as_one(place.graph.work[*after], communication); ++after)
        if (names == nullptr || names->contains(place.trace.events.name[place.graph.work[*after].event]))
            return position[*after] - place.first;
    return kNoNode;
}

/// Pairs for communication that nothing in this passage was seen to wait for.
void presume_waits(const Place& place, const Passage& passage, std::size_t main, const Consumers& consumers,
                   const std::vector<std::uint32_t>& position, PackedPairs& pairs) {
    const std::uint32_t length = passage.length;
    std::vector<bool> consumed(length);
    std::vector<bool> computed_with(length); ///< likewise, by computation
    for (const std::uint64_t pair : pairs) {
        consumed[pair & 0xffffffff] = true;
        if (place.work(static_cast<std::uint32_t>(pair >> 32)).lane == main)
            computed_with[pair & 0xffffffff] = true;
    }
    NumberMap<std::int64_t, std::uint32_t> next; // of each stream's consumers, the first launched after
    std::uint32_t next_main = kNoNode;
    for (std::uint32_t p = length; p-- > 0;) {
        const GraphWork& work = place.work(p);
        if (work.kernel_class != KernelClass::communication) {
            if (work.lane == main) {
                next_main = p;
                for (const auto& [stream, names] : consumers)
                    if (names.contains(place.name(p)))
                        next[stream] = p;
            }
            continue;
        }
        const std::int64_t stream = place.stream(p);
        const auto known = next.find(stream);
        const auto names = consumers.find(stream);
        std::uint32_t consumer = names != consumers.end() ? (known == next.end() ? kNoNode : known->second) : next_main;
        if (has_no_place(place.graph, passage, p))
            if (const std::uint32_t after =
                    first_after(place, work, main, names == consumers.end() ? nullptr : &names->second, position);
                after != kNoNode)
                consumer = after;
        // What only other communication was seen to wait for, as the send of a sum, may hold up computation as well.
        const bool told = names != consumers.end() ? computed_with[p] : consumed[p];
        if (!told && !work.sends && work.lane != main && consumer != kNoNode)
            pairs.push_back(pair_of(consumer, p));
    }
}

} // namespace

void find_dependencies(std::span<RankGraph> ranks, const Run& run) {
    std::vector<std::vector<Passage>> passages(ranks.size());
    std::vector<std::vector<SeenWaits>> seen(ranks.size());
    std::vector<std::size_t> main(ranks.size());
    std::vector<std::vector<std::uint32_t>> positions(ranks.size()); // per work: place in launched
    tbb::parallel_for(std::size_t{0}, ranks.size(), [&](std::size_t r) {
        passages[r] = passages_of(ranks[r], *run.ranks[r], static_cast<std::uint32_t>(r));
        std::vector<std::uint32_t>& position = positions[r];
        position.resize(ranks[r].launched.size());
        for (std::uint32_t i = 0; i < ranks[r].launched.size(); ++i)
            position[ranks[r].launched[i]] = i;
        main[r] = ranks[r].streams.empty() ? 0 : main_stream(ranks[r]);
    });
    const bool receives = receives_follow(ranks, main);
    tbb::parallel_for(std::size_t{0}, ranks.size(), [&](std::size_t r) {
        const LastEnds last_ends(ranks[r]);
        for (std::size_t p = 0; p < passages[r].size(); ++p)
            seen[r].push_back(waits_seen(ranks[r], last_ends, passages[r][p], p == 0 ? Passage{} : passages[r][p - 1],
                                         main[r], receives, positions[r]));
    });
    // Of a passage, and of the border between two that follow each other.
    struct Program {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> passages; ///< rank, index; of a border the later one
        PackedPairs pairs;
        std::uint32_t back = 0; ///< 1: what was waited for is in the passage before
    };
    NumberMap<std::uint64_t, std::size_t> index;
    std::vector<Program> programs;
    const auto add_to = [&](std::uint64_t key, std::uint32_t rank, std::uint32_t passage, std::uint32_t back) {
        const auto [at, added] = index.try_emplace(mixed(key, back), programs.size());
        if (added)
            programs.push_back({{}, {}, back});
        programs[at->second].passages.emplace_back(rank, passage);
    };
    const auto key_of = [&](std::uint32_t r, std::uint32_t p) {
        return mixed(passages[r][p].program, passages[r][p].length);
    };
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
        for (std::uint32_t p = 0; p < passages[r].size(); ++p) {
            add_to(key_of(r, p), r, p, 0);
            if (p > 0)
                add_to(mixed(key_of(r, p - 1), key_of(r, p)), r, p, 1);
        }
    }
    const auto place_of = [&](std::uint32_t r, std::uint32_t p) {
        return Place{ranks[r], *run.ranks[r], passages[r][p].first};
    };
    Consumers consumers;
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
        for (std::uint32_t p = 0; p < passages[r].size(); ++p) {
            const auto note = [&](const Place& from, const PackedPairs& pairs) {
                for (const std::uint64_t pair : pairs) {
                    const auto on = static_cast<std::uint32_t>(pair & 0xffffffff);
                    if (from.work(on).kernel_class == KernelClass::communication)
                        consumers[from.stream(on)].insert(place_of(r, p).name(static_cast<std::uint32_t>(pair >> 32)));
                }
            };
            note(place_of(r, p), seen[r][p].inside);
            if (p > 0)
                note(place_of(r, p - 1), seen[r][p].before);
        }
    }
    tbb::parallel_for(std::size_t{0}, programs.size(), [&](std::size_t i) {
        Program& program = programs[i];
        for (const auto& [r, p] : program.passages) {
            const PackedPairs& own = program.back == 0 ? seen[r][p].inside : seen[r][p].before;
            program.pairs.insert(program.pairs.end(), own.begin(), own.end());
        }
        const auto [one, passage] = program.passages.front();
        if (program.back == 0)
            presume_waits(place_of(one, passage), passages[one][passage], main[one], consumers, positions[one],
                          program.pairs);
        std::sort(program.pairs.begin(), program.pairs.end());
        program.pairs.erase(std::unique(program.pairs.begin(), program.pairs.end()), program.pairs.end());
        std::erase_if(program.pairs, [&](std::uint64_t pair) {
            return std::ranges::any_of(program.passages, [&](const auto& place) {
                return place_of(place.first, place.second).work(static_cast<std::uint32_t>(pair >> 32)).start +
                           kRounding <
                       place_of(place.first, place.second - program.back)
                           .work(static_cast<std::uint32_t>(pair & 0xffffffff))
                           .end;
            });
        });
    });
    for (const Program& program : programs) {
        for (const auto& [r, p] : program.passages) {
            RankGraph& graph = ranks[r];
            const std::uint32_t first = passages[r][p].first;
            const std::uint32_t first_on = passages[r][p - program.back].first;
            const auto add = [&](std::uint64_t pair) {
                graph.dependencies.push_back(
                    {graph.launched[first + static_cast<std::uint32_t>(pair >> 32)],
                     graph.launched[first_on + static_cast<std::uint32_t>(pair & 0xffffffff)]});
            };
            std::ranges::for_each(program.pairs, add);
            for (const std::uint64_t pair : program.back == 0 ? seen[r][p].long_inside : seen[r][p].long_before)
                if (!std::ranges::binary_search(program.pairs, pair))
                    add(pair);
        }
    }
    tbb::parallel_for(std::size_t{0}, ranks.size(), [&](std::size_t r) {
        std::sort(ranks[r].dependencies.begin(), ranks[r].dependencies.end(),
                  [](const WorkDependency& a, const WorkDependency& b) {
                      return a.work != b.work ? a.work < b.work : a.on < b.on;
                  });
    });
}

} // namespace rankscope
