// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are slower than their peers, and at what.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/message_partners.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/finding_hardware.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/host_named.h"
#include "core/analysis/graph/beside.h"
#include "core/analysis/operators/input_sizes.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

constexpr double kCandidate = 0.002;      ///< excess per step, as a share of it, worth a replay
constexpr double kSlowerKernels = 1.02;   ///< times the peers', its slowest kind of kernel: less is as fast
constexpr double kSlowerLateRank = 1.005; ///< likewise, of the rank that the others wait for
constexpr double kShownByCalls = 0.1;     ///< of what a rank takes longer, by how much it arrives late at calls
constexpr double kBeyondOthers = 3;       ///< times what ranks usually take longer
constexpr double kMoreBytes = 1.05;       ///< times the peers': copies of more
constexpr double kAlikeRatios = 0.01;     ///< difference of two ratios
constexpr double kOthersTell = 0.1;       ///< of a rank's computation: kernels of other kinds

/// Excess of a rank for one cause.
struct RankExcess {
    TimeNs total = 0;
    TimeNs on_gpu = 0;                                     ///< of total
    std::vector<TimeNs> by_step;                           ///< by place in FindingContext::numbers(); one without any
    std::vector<std::int64_t> nodes;                       ///< likewise: those that take longer
    std::vector<std::pair<TimeNs, std::uint32_t>> largest; ///< excess, node
};

void keep_largest(std::vector<std::pair<TimeNs, std::uint32_t>>& largest, TimeNs time, std::uint32_t node) {
    if (largest.size() < kEventsShown || time > largest.back().first) {
        largest.insert(std::upper_bound(largest.begin(), largest.end(), std::pair{time, node}, std::greater<>()),
                       {time, node});
        largest.resize(std::min(largest.size(), kEventsShown));
    }
}

using Excesses = std::array<std::vector<RankExcess>, kOwnCauseCount>; ///< by cause, rank

/// shares: BesideCommunication::shares().
Excesses sum_excesses(const FindingContext& c, std::span<const float> shares) {
    Excesses excesses;
    RankExcess none;
    none.by_step.resize(std::max<std::size_t>(1, c.numbers().size()));
    none.nodes.resize(none.by_step.size());
    for (auto& by_rank : excesses)
        by_rank.resize(c.inputs.run.ranks.size(), none);
    tbb::parallel_for(std::size_t{0}, c.inputs.run.ranks.size(), [&](std::size_t rank) {
        const auto add = [&](std::uint32_t n, OwnCause cause, TimeNs time) {
            if (time == 0)
                return;
            RankExcess& sum = excesses[static_cast<std::size_t>(cause)][rank];
            sum.total += time;
            sum.on_gpu += is_gpu_node(c.graph.kind[n]) ? time : 0;
            if (const std::size_t step = c.numbers().empty() ? 0 : c.places.of_node[n]; step != kNoNode) {
                sum.by_step[step] += time;
                sum.nodes[step] += time > 0 ? 1 : 0;
            }
            keep_largest(sum.largest, time, n);
        };
        for (std::uint32_t n = c.graph.first_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
            const OwnExcess own = own_excess(c.graph, c.peers, n);
            if (own.cause != OwnCause::slower_kernels || beside_by_share(shares[n]) != Beside::partly)
                add(n, own.cause, own.time);
            add(n, OwnCause::host_bound, excess_before(c.graph, c.peers, n));
        }
    });
    return excesses;
}

/// Of steps alone: the evidence of a finding lies in the steps that it names.
std::vector<std::pair<TimeNs, std::uint32_t>> largest_in(const FindingContext& c, std::uint32_t rank, OwnCause cause,
                                                         const std::set<std::int64_t>& only_in) {
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    for (std::uint32_t n = c.graph.first_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        if (!c.is_in(only_in, n))
            continue;
        const OwnExcess own = own_excess(c.graph, c.peers, n);
        const TimeNs time = (own.cause == cause ? own.time : 0) +
                            (cause == OwnCause::host_bound ? excess_before(c.graph, c.peers, n) : 0);
        if (time > 0)
            keep_largest(largest, time, n);
    }
    return largest;
}

/// How a rank's kernels compare with its peers', by kind of kernel.
struct KernelRatio {
    std::string kind;
    std::string name; ///< of the kernel with the largest excess
    double ratio = 1;
    std::int64_t kernels = 0;
    bool alone = false; ///< of those without communication beside them, and there are others
    bool alike = false; ///< kernels of the other kinds take as many times their peers'
    std::vector<std::pair<TimeNs, std::uint32_t>> largest; ///< of that kind: excess, node
    std::vector<std::uint32_t> nodes;                      ///< of that kind
};

/// only_in: numbers of steps; empty: all. A GPU that is slower is so without communication beside it as well: if a
/// tenth of the rank's computation ran alone on it and on its peers, that is compared, and nothing is estimated.
KernelRatio slowest_kernels(const FindingContext& c, std::uint32_t rank, std::span<const float> shares,
                            const std::set<std::int64_t>& only_in = {}) {
    struct Sum {
        TimeNs own = 0;
        TimeNs expected = 0;
        std::int64_t count = 0;
        std::map<std::string_view, TimeNs> excess;
        std::vector<std::pair<TimeNs, std::uint32_t>> largest;
        std::vector<std::uint32_t> nodes;
    };
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    std::map<NameId, ComputeKind> kinds;
    std::map<ComputeKind, Sum> sums;
    std::vector<std::uint32_t> compared;
    std::vector<std::uint32_t> alone;
    TimeNs all_time = 0;
    TimeNs alone_time = 0;
    for (std::uint32_t n = c.graph.first_gpu_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        if (!c.is_in(only_in, n) || c.graph.kind[n] != NodeKind::compute || c.peers.expected[n] <= 0)
            continue;
        compared.push_back(n);
        all_time += c.graph.times.duration[n];
        if (shares[n] > 0 || (!c.peers.estimated.empty() && c.peers.estimated[n]))
            continue;
        alone.push_back(n);
        alone_time += c.graph.times.duration[n];
    }
    const bool tells = static_cast<double>(alone_time) >= kOthersTell * static_cast<double>(all_time);
    for (const std::uint32_t n : tells ? alone : compared) {
        const NameId name = trace.events.name[c.graph.event[n]];
        const auto [kind, added] = kinds.try_emplace(name);
        if (added)
            kind->second = compute_kind(trace.names->view(name));
        Sum& sum = sums[kind->second];
        sum.own += c.graph.times.duration[n];
        sum.expected += c.peers.expected[n];
        sum.excess[trace.names->view(name)] += c.graph.times.duration[n] - c.peers.expected[n];
        keep_largest(sum.largest, c.graph.times.duration[n] - c.peers.expected[n], n);
        ++sum.count;
        sum.nodes.push_back(n);
    }
    KernelRatio result;
    TimeNs most = 0;
    TimeNs own = 0;
    TimeNs expected = 0;
    for (const auto& [kind, sum] : sums) {
        own += sum.own;
        expected += sum.expected;
    }
    for (const auto& [kind, sum] : sums) {
        if (sum.own - sum.expected > most) {
            most = sum.own - sum.expected;
            const auto top = std::max_element(sum.excess.begin(), sum.excess.end(),
                                              [](const auto& a, const auto& b) { return a.second < b.second; });
            result = {std::string(compute_kind_word(kind)),
                      std::string(top->first),
                      static_cast<double>(sum.own) / static_cast<double>(sum.expected),
                      sum.count,
                      tells && alone.size() < compared.size(),
                      false,
                      sum.largest,
                      sum.nodes};
            const auto others = static_cast<double>(expected - sum.expected);
            result.alike = others >= kOthersTell * static_cast<double>(expected) &&
                           std::abs(static_cast<double>(own - sum.own) / others - result.ratio) <= kAlikeRatios;
        }
    }
    return result;
}

/// The numbers of the steps with a value of each (of RankExcess); none where no numbers are known.
template <typename Value>
std::map<std::int64_t, double> by_number(const FindingContext& c, const std::vector<Value>& values) {
    std::map<std::int64_t, double> result;
    for (std::size_t s = 0; s < c.numbers().size(); ++s)
        result[c.numbers()[s]] = static_cast<double>(values[s]);
    return result;
}

/// The bytes that a rank's copies move, as many times those of its median peer; 0 where that is not recorded. only_in:
/// numbers of steps; empty: all.
double bytes_of_peers(const FindingContext& c, std::uint32_t rank, const std::set<std::int64_t>& only_in) {
    std::vector<double> of_peers;
    double own = 0;
    for (std::uint32_t r = 0; r < c.peers.peer_class.size(); ++r) {
        if (c.peers.peer_class[r] != c.peers.peer_class[rank])
            continue;
        double bytes = 0;
        const auto& transfers = c.inputs.run.ranks[r]->memory_transfers;
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            if (c.graph.kind[n] != NodeKind::memory_copy || c.peers.surplus[n] || c.peers.expected[n] < 0 ||
                !c.is_in(only_in, n))
                continue;
            const auto transfer = std::ranges::lower_bound(transfers, c.graph.event[n], {}, &MemoryTransfer::event);
            if (transfer == transfers.end() || transfer->event != c.graph.event[n] || transfer->bytes < 0)
                return 0;
            bytes += static_cast<double>(transfer->bytes);
        }
        if (r == rank)
            own = bytes;
        else
            of_peers.push_back(bytes);
    }
    const double usual = of_peers.empty() ? 0 : middle_median(std::move(of_peers));
    return usual > 0 ? own / usual : 0;
}

/// Whether most of the time of the work that peers lack here is under names that they have elsewhere: then it is more
/// of the same. only_in: numbers of steps; empty: all.
bool is_more_of_the_same(const FindingContext& c, std::uint32_t rank, const std::set<std::int64_t>& only_in) {
    std::set<NameId> names_of_peers;
    for (std::uint32_t r = 0; r < c.peers.peer_class.size(); ++r)
        if (r != rank && c.peers.peer_class[r] == c.peers.peer_class[rank])
            for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n)
                names_of_peers.insert(c.inputs.run.ranks[r]->events.name[c.graph.event[n]]);
    TimeNs all = 0;
    TimeNs same = 0;
    for (std::uint32_t n = c.graph.first_gpu_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        if (!c.peers.surplus[n] || !c.is_in(only_in, n))
            continue;
        all += c.graph.times.duration[n];
        if (names_of_peers.contains(c.inputs.run.ranks[rank]->events.name[c.graph.event[n]]))
            same += c.graph.times.duration[n];
    }
    return 2 * same > all;
}

/// What a rank takes longer for one cause.
struct RankReason {
    std::uint32_t rank = 0;
    const RankExcess& excess;
    std::set<std::int64_t> only_in; ///< numbers of the steps in which it is there; empty: all
    KernelRatio kernels{};          ///< in these steps; of slower kernels only
};

/// "; its inputs are not its peers': aten::mm [20480, 1024], there [16384, 1024]"; empty where they are, or not
/// recorded.
Message other_inputs(const FindingContext& c, std::uint32_t rank, Finding& finding) {
    std::vector<const RankTrace*> peers;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r)
        if (r != rank && c.peers.peer_class[r] == c.peers.peer_class[rank])
            peers.push_back(c.inputs.run.ranks[r].get());
    const RankTrace* const own = c.inputs.run.ranks[rank].get();
    const InputSizes sizes = compare_input_sizes(peers, std::span(&own, 1), true);
    if (sizes.operation.empty())
        return {};
    finding.facts.push_back({FactName::inputs_of, 0, sizes.operation});
    finding.facts.push_back({FactName::input_shape, 0, sizes.test_shape});
    finding.facts.push_back({FactName::input_shape_of_peers, 0, sizes.baseline_shape});
    return "; its inputs have other sizes: %1 has %2, on its peers %3"_text(sizes.operation, sizes.test_shape,
                                                                            sizes.baseline_shape);
}

Message kernels_reason(const KernelRatio& ratio, Finding& finding) {
    finding.facts.push_back({FactName::kernel_ratio, ratio.ratio, {}});
    finding.facts.push_back({FactName::kernel_kind, 0, ratio.kind});
    finding.facts.push_back({FactName::kernel, 0, ratio.name});
    finding.facts.push_back({FactName::kernels, static_cast<double>(ratio.kernels), {}});
    const Message kind = kernel_kind_words(ratio.kind);
    const std::string times = fmt::format("{:.2f}", ratio.ratio);
    const Message longer =
        ratio.alone ? "its %1 kernels take %2× its peers' where no communication runs beside them"_text(kind, times)
                    : "its %1 kernels take %2× its peers'"_text(kind, times);
    return ratio.alike ? "%1, and its other kernels too"_text(longer) : longer;
}

/// time: longer than its peers'.
Message copies_reason(const FindingContext& c, const RankReason& own, const Message& time, Finding& finding) {
    const bool sets = std::ranges::any_of(
        own.excess.largest, [&](const auto& each) { return c.graph.kind[each.second] == NodeKind::memory_set; });
    const std::uint32_t longest = own.excess.largest.front().second;
    finding.facts.push_back(
        {FactName::copy, 0, std::string(c.inputs.run.ranks[own.rank]->event_name(c.graph.event[longest]))});
    const double bytes = bytes_of_peers(c, own.rank, own.only_in);
    if (bytes > 0)
        finding.facts.push_back({FactName::bytes_ratio, bytes, {}});
    if (sets)
        return "its memory copies and sets take %1 longer than its peers'"_text(time);
    return bytes > kMoreBytes ? "its memory copies move %1× the bytes of its peers' and take %2 longer"_text(
                                    fmt::format("{:.2f}", bytes), time)
                              : "its memory copies take %1 longer than its peers'"_text(time);
}

/// What is said of a step is that of the steps in which it is there.
Message reason(const FindingContext& c, OwnCause cause, const RankReason& own, Finding& finding) {
    const RankExcess& excess = own.excess;
    const auto all_nodes =
        static_cast<double>(std::accumulate(excess.nodes.begin(), excess.nodes.end(), std::int64_t{0}));
    double per_step = static_cast<double>(excess.total) / static_cast<double>(c.steps);
    finding.facts.push_back({FactName::excess_us_per_step, per_step / 1000, {}});
    const std::size_t steps = own.only_in.empty() ? c.steps : own.only_in.size();
    double nodes = all_nodes / static_cast<double>(steps); // of a step
    if (!own.only_in.empty()) {
        const auto of_steps = [&](const auto& values) {
            double sum = 0;
            for (const auto& [number, value] : by_number(c, values))
                sum += own.only_in.contains(number) ? value : 0;
            return sum / static_cast<double>(steps);
        };
        per_step = of_steps(excess.by_step);
        nodes = of_steps(excess.nodes);
        finding.facts.push_back({FactName::excess_us_per_affected_step, per_step / 1000, {}});
    }
    const Message time = c.recorded_once() ? Message(time_words(per_step)) : per_step_words(c, per_step, own.only_in);
    switch (cause) {
    case OwnCause::slower_kernels: return kernels_reason(own.kernels, finding);
    case OwnCause::slower_copies:
        finding.facts.push_back({FactName::copies, all_nodes, {}});
        return copies_reason(c, own, time, finding);
    case OwnCause::more_kernels: {
        const auto any = [&](NodeKind kind) {
            return std::ranges::any_of(excess.largest,
                                       [&](const auto& one) { return c.graph.kind[one.second] == kind; });
        };
        const bool copies = any(NodeKind::memory_copy) && !any(NodeKind::compute);
        finding.only_copies = copies;
        finding.facts.push_back({FactName::surplus_events_per_step, nodes, {}});
        finding.facts.push_back({FactName::surplus, 0, copies ? "copies" : "kernels"});
        // Not the host's time for their launches.
        const double on_gpu = per_step * static_cast<double>(excess.on_gpu) / static_cast<double>(excess.total);
        const Message gpu_time =
            c.recorded_once() ? Message(time_words(on_gpu)) : per_step_words(c, on_gpu, own.only_in);
        if (is_more_of_the_same(c, own.rank, own.only_in))
            return copies ? "it makes more copies than its peers: %1"_text(gpu_time)
                          : "it runs more kernels than its peers: %1"_text(gpu_time);
        return copies ? "it makes copies that its peers do not make: %1"_text(gpu_time)
                      : "it runs kernels that its peers do not have: %1"_text(gpu_time);
    }
    case OwnCause::host_bound: {
        finding.facts.push_back({FactName::launches_per_step, nodes, {}});
        const Message longer = "its host takes %1 longer between launches than its peers'"_text(time);
        const HostNamed host = name_host_time(c, std::span(&own.rank, 1), own.only_in); // while its GPU waits
        if (host.longest.event == kNoEvent || 2 * host.named < host.launching + host.other)
            return longer;
        finding.facts.push_back({FactName::host_is_in, 0, host.name});
        finding.events.push_back(host.longest);
        return "%1, mostly in %2"_text(longer, shortened(terminal_safe(host.name), kWidthOfName));
    }
    case OwnCause::data_loading: return "it waits %1 longer for data than its peers"_text(time);
    case OwnCause::garbage_collection:
        finding.facts.push_back({FactName::collections, all_nodes, {}});
        return "Python's garbage collection stops it for %1"_text(time);
    case OwnCause::synchronisation:
        finding.facts.push_back({FactName::calls, all_nodes, {}});
        return "its host waits for the GPU %1 where its peers do not"_text(times_words(c, nodes, own.only_in));
    case OwnCause::allocation:
        finding.facts.push_back({FactName::calls, all_nodes, {}});
        return "it allocates GPU memory for %1"_text(time);
    case OwnCause::late_start:
        finding.facts.push_back({FactName::begins_later_us, static_cast<double>(excess.total) / 1000, {}});
        return "its first step starts %1 after its peers', for a reason from before the recording"_text(
            time_words(static_cast<double>(excess.total)));
    }
    return {};
}

/// Name and multiprocessors of the GPU that the rank ran on; "" and 0 where the trace has none.
std::pair<std::string, std::int64_t> gpu_of(const RankTrace& rank) {
    const auto device = std::ranges::find(rank.devices, rank.device(), &Device::id);
    return device == rank.devices.end() ? std::pair(std::string(), std::int64_t{0})
                                        : std::pair(device->name, device->multiprocessors);
}

/// Where none of its peers that are not slow runs on a GPU like this rank's (MIG and the Multi-Process Service give a
/// process some of the multiprocessors): both; else empty.
Message other_gpu(const FindingContext& c, std::uint32_t rank, const std::vector<std::uint32_t>& slow,
                  Finding& finding) {
    constexpr std::size_t kNameWidth = 40;
    const auto& ranks = c.inputs.run.ranks;
    const auto own = gpu_of(*ranks[rank]);
    std::set<std::pair<std::string, std::int64_t>> of_peers;
    for (std::uint32_t r = 0; r < ranks.size(); ++r)
        if (std::ranges::find(slow, r) == slow.end() && c.peers.peer_class[r] == c.peers.peer_class[rank])
            of_peers.insert(gpu_of(*ranks[r]));
    const auto unnamed = [](const auto& gpu) { return gpu.first.empty(); };
    if (unnamed(own) || of_peers.empty() || std::ranges::any_of(of_peers, unnamed) || of_peers.contains(own))
        return {};
    const bool same_name = std::ranges::any_of(of_peers, [&](const auto& gpu) { return gpu.first == own.first; });
    const auto shown = [&](const auto& gpu) {
        const std::string name = shortened(terminal_safe(gpu.first), kNameWidth);
        return same_name ? "%1 with %2 multiprocessors"_text(name, gpu.second) : Message(name);
    };
    std::vector<Message> gpus;
    for (const auto& gpu : of_peers)
        gpus.push_back(shown(gpu));
    finding.facts.push_back({FactName::gpu, 0, own.first});
    finding.facts.push_back({FactName::gpu_of_peers, 0, of_peers.begin()->first});
    return " (it runs on %1, they on %2)"_text(shown(own), enumerated(gpus));
}

void add_call_event(const FindingContext& c, const Lateness& late, std::uint32_t rank, Finding& finding) {
    const CallLag& call = c.inputs.stragglers.calls[late.call];
    const CollectiveMatching& matching = c.inputs.collectives;
    for (const auto& member : matching.matched[call.call].members) {
        if (member.first == rank) {
            const CommCall& own = matching.call(member);
            // What the others waited for lies before this call: the lag is shown with it.
            finding.events.push_back({rank, own.event, own.range, call.lag});
        }
    }
}

/// Of several ranks that are not slow in the same steps: in which each is; empty where they are.
Message steps_of_each(const FindingContext& c, const std::vector<std::uint32_t>& ranks,
                      const std::vector<Onset>& onsets) {
    constexpr std::size_t kNamed = 4;
    if (std::ranges::all_of(onsets, [&](const Onset& onset) { return onset.steps == onsets.front().steps; }))
        return {};
    if (ranks.size() > kNamed)
        return ", not all in the same steps"_text();
    Message words;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const Message some = onset_words(c, onsets[i].steps);
        const Message when = some.empty() ? " in all steps"_text() : some;
        const int rank = c.rank_number(ranks[i]);
        words += i + 1 == ranks.size() ? " and rank %1%2"_text(rank, when) : ", rank %1%2"_text(rank, when);
    }
    return words;
}

/// In which steps each of the ranks is slow.
std::vector<Onset> slow_steps(const FindingContext& c, const std::vector<std::uint32_t>& ranks,
                              const std::vector<RankExcess>& excesses) {
    std::vector<Onset> of_rank;
    for (const std::uint32_t rank : ranks)
        of_rank.push_back(onset_of(c, by_number(c, excesses[rank].by_step)));
    return of_rank;
}

/// The steps in which any of the ranks is slow.
Onset steps_of_any(const std::vector<Onset>& of_rank) {
    Onset any;
    for (const Onset& onset : of_rank)
        any.steps.insert(onset.steps.begin(), onset.steps.end());
    return any;
}

/// What takes the ranks longer: sentences about several ranks begin with it, so that no two of them read alike.
Message longer_for(OwnCause cause) {
    switch (cause) {
    case OwnCause::slower_kernels: return "for their kernels"_text();
    case OwnCause::slower_copies: return "for their copies"_text();
    case OwnCause::more_kernels: return "for work that their peers do not have"_text();
    case OwnCause::host_bound: return "between launches"_text();
    case OwnCause::data_loading: return "to load data"_text();
    case OwnCause::garbage_collection: return "for garbage collections"_text();
    case OwnCause::synchronisation: return "for waits of the host"_text();
    case OwnCause::allocation: return "to allocate GPU memory"_text();
    case OwnCause::late_start: break;
    }
    return {};
}

/// Who is slow, and of the worst of them why. arrives: lateness at calls that what it takes longer shows in; nullptr:
/// none. some: in which steps, if not in all.
Message slow_ranks_words(const FindingContext& c, OwnCause cause, const Finding& finding, std::uint32_t worst,
                         const Lateness* arrives, const Message& some, const Message& why) {
    const Message numbers = rank_numbers(finding.ranks);
    const bool starts_late = cause == OwnCause::late_start;
    if (finding.ranks.size() > 1)
        return starts_late ? "Ranks %1 start late; of rank %2: %3"_text(numbers, c.rank_number(worst), why)
                           : "Ranks %1 take longer than their peers %2%3; of rank %4: %5"_text(
                                 numbers, longer_for(cause), some, c.rank_number(worst), why);
    if (!some.empty())
        return "Rank %1 takes longer than its peers%2: %3"_text(numbers, some, why);
    if (arrives != nullptr) {
        const double share = static_cast<double>(arrives->last) / static_cast<double>(arrives->calls);
        return "Rank %1 arrives last at %2 % of the calls of %3, %4 late on median; %5"_text(
            numbers, fmt::format("{:.0f}", 100 * share), group_words(arrives->group), time_words(arrives->median_lag),
            why);
    }
    return starts_late ? "Rank %1 starts late: %2"_text(numbers, why)
                       : "Rank %1 is slower than its peers: %2"_text(numbers, why);
}

/// How many of the steps show what a rank takes longer: at least half of the mean.
std::size_t steps_that_show(const FindingContext& c, const RankExcess& excess) {
    const double mean = static_cast<double>(excess.total) / static_cast<double>(c.steps);
    const auto seen =
        std::ranges::count_if(excess.by_step, [&](TimeNs time) { return static_cast<double>(time) > mean / 2; });
    return std::min(static_cast<std::size_t>(seen), c.steps);
}

/// The ranks that start late are no further from the others than those are from each other.
bool starts_are_spread(const std::vector<std::uint32_t>& late, const std::vector<RankExcess>& excesses) {
    std::vector<TimeNs> others;
    TimeNs least = std::numeric_limits<TimeNs>::max();
    for (std::uint32_t r = 0; r < excesses.size(); ++r)
        if (std::ranges::find(late, r) == late.end())
            others.push_back(excesses[r].total);
        else
            least = std::min(least, excesses[r].total);
    if (others.size() < 2)
        return false;
    const auto [first, last] = std::ranges::minmax(others);
    return least - last < last - first;
}

/// The first step starts as its own profiler does: when the rank would have started it is not recorded.
bool starts_with_recording(const FindingContext& c, std::uint32_t rank) {
    constexpr TimeNs kProfilerStarts = 2'000'000;
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    const auto step = std::ranges::lower_bound(c.graph.steps, rank, {}, &GraphStep::rank);
    if (step == c.graph.steps.end() || step->rank != rank)
        return false;
    TimeNs first = step->range.begin;
    for (EventIndex e = 0; e < trace.events.size(); ++e)
        if (trace.events.kind[e] != EventKind::span)
            first = std::min(first, c.graph.clock.aligned(rank, trace.events.start[e]));
    return step->range.begin - first <= kProfilerStarts;
}

/// A rank that is the last at no more calls of the group than chance gives each of its members.
bool last_by_chance(const Lateness& late) {
    const auto members = static_cast<double>(std::max<std::size_t>(2, late.members));
    return static_cast<double>(late.last) < times_last_by_chance(static_cast<double>(late.calls), members);
}

Finding describe(const FindingContext& c, OwnCause cause, const std::vector<std::uint32_t>& ranks,
                 const std::vector<RankExcess>& excesses) {
    Finding finding;
    finding.code = FindingCode::straggler;
    finding.cause = straggler_cause(cause);
    for (const std::uint32_t rank : ranks)
        finding.ranks.push_back(c.rank_number(rank));
    const auto longest = std::ranges::max_element(ranks, {}, [&](std::uint32_t rank) { return excesses[rank].total; });
    const std::uint32_t worst = *longest;
    RankExcess excess = excesses[worst];
    const bool starts_late = cause == OwnCause::late_start; // once, and in no step
    const std::vector<Onset> onsets = slow_steps(c, ranks, excesses);
    const Onset& own_onset = onsets[static_cast<std::size_t>(longest - ranks.begin())];
    const bool some = !starts_late && in_some_steps(c, own_onset);
    if (auto inside = some ? largest_in(c, worst, cause, own_onset.steps) : decltype(excess.largest)(); !inside.empty())
        excess.largest = std::move(inside);
    RankReason own{worst, excess, some ? own_onset.steps : std::set<std::int64_t>{}};
    if (cause == OwnCause::slower_kernels)
        own.kernels = slowest_kernels(c, worst, c.inputs.beside.shares(c.graph), own.only_in);
    Message why = reason(c, cause, own, finding);
    if (cause == OwnCause::slower_kernels) {
        const Message inputs = other_inputs(c, worst, finding);
        why += inputs.empty() ? other_gpu(c, worst, ranks, finding) : inputs;
        why += clock_reason(c, worst, own.kernels.nodes, own.kernels.ratio, ranks, finding);
    }
    // What the sentence names is what it shows.
    for (const auto& [time, node] : cause == OwnCause::slower_kernels ? own.kernels.largest : excess.largest)
        finding.events.push_back(c.event(node));
    const Lateness late = lateness_of(c, worst);
    if (late.call != kNoNode) {
        finding.group = late.group;
        finding.facts.push_back({FactName::calls_arrived_last_at, static_cast<double>(late.last), {}});
        finding.facts.push_back({FactName::calls_of_group, static_cast<double>(late.calls), {}});
        finding.facts.push_back({FactName::median_lag_us, late.median_lag / 1000, {}});
        add_call_event(c, late, worst, finding);
    }
    // Little of what the rank takes longer may show at calls: then its arrival says nothing of it.
    const bool arrives =
        late.call != kNoNode && !last_by_chance(late) &&
        static_cast<double>(late.last) * late.median_lag >= kShownByCalls * static_cast<double>(excess.total);
    const Message each = starts_late ? Message() : steps_of_each(c, ranks, onsets);
    const Message in_steps = each.empty() && some ? onset_words(c, own_onset.steps) : each;
    finding.title = slow_ranks_words(c, cause, finding, worst, arrives ? &late : nullptr, in_steps, why);
    if (starts_late) { // happens once: as sure as the clocks are
        if (std::ranges::all_of(ranks, [&](std::uint32_t rank) { return starts_with_recording(c, rank); })) {
            finding.inherent = true;
            finding.title =
                "The recordings of the ranks start at different times, and their first steps with them: that "
                "of rank %1 starts %2 after its peers'"_text(c.rank_number(worst),
                                                             time_words(static_cast<double>(excess.total)));
        } else if (starts_are_spread(ranks, excesses)) {
            finding.inherent = true;
            finding.title =
                "The ranks start their first step at different times, for a reason from before the recording: "
                "rank %1 starts %2 after its peers"_text(c.rank_number(worst),
                                                         time_words(static_cast<double>(excess.total)));
        }
        finding.confidence = 10 * c.inputs.clock.residual < excess.total ? 0.9 : 0.5;
        return finding;
    }
    set_onset(c, each.empty() ? own_onset : steps_of_any(onsets), finding);
    if (each.empty() && own_onset.grows)
        finding.title += "; more from step to step"_text();
    // Without marks of steps nobody knows for sure in how many it was seen.
    finding.confidence = !in_steps.empty() ? kHappened
                                           : std::max(c.graph.profiler_steps ? 0 : 0.5,
                                                      confidence_of(steps_that_show(c, excess), c.steps));
    return finding;
}

/// The median of what ranks take longer or shorter. Of two or three peers the others take as much less as one takes
/// more, or half of it: that counts once. So do the two halves where half of the ranks stand out, as those of one of
/// two machines.
TimeNs usual_excess(const FindingContext& c, const std::vector<RankExcess>& by_rank, const std::vector<bool>& chosen) {
    const bool half = 2 * std::ranges::count(chosen, true) == std::ssize(chosen);
    std::vector<TimeNs> apart;
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
        const bool of_few = c.peers.class_size[c.peers.peer_class[r]] <= 3 || (half && !chosen[r]);
        apart.push_back(of_few ? std::max<TimeNs>(by_rank[r].total, 0) : std::abs(by_rank[r].total));
    }
    return lower_median(apart);
}

/// What ranks take longer for is no more than what steps differ by: a host's time is noise from launch to launch, which
/// some rank has most of. All ranks together take a little longer than the median, because that noise has a long tail.
bool is_noise_of_steps(const FindingContext& c, const std::vector<RankExcess>& by_rank, TimeNs most) {
    const std::size_t count = c.numbers().size();
    if (count < 3)
        return false;
    std::vector<double> deviations; // of one step, by rank; a pause in one of them is no noise
    std::vector<TimeNs> totals;
    for (const RankExcess& own : by_rank) {
        deviations.push_back(robust_deviation({own.by_step.begin(), own.by_step.end()}));
        totals.push_back(own.total);
    }
    const double noise = nth_value(deviations, (deviations.size() - 1) / 2) * std::sqrt(static_cast<double>(count));
    return static_cast<double>(most - std::max<TimeNs>(0, lower_median(totals))) < kClearErrors * noise;
}

bool of_the_host(OwnCause cause) {
    return cause == OwnCause::host_bound || cause == OwnCause::data_loading || cause == OwnCause::garbage_collection ||
           cause == OwnCause::allocation;
}

/// The host of any other rank waits for its GPU inside the first recorded step.
bool others_wait_in_first_step(const FindingContext& c, const std::vector<bool>& ranks) {
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n)
        if (c.graph.kind[n] == NodeKind::wait_end && !ranks[c.graph.rank[n]] && c.graph.step[n] == 0)
            return true;
    return false;
}

/// Which of these ranks were already slow for this cause before the recording: they are in its first step, and start it
/// late by no more than a step adds; of hosts that wait for no GPU, which fall behind from step to step, by any time.
/// That lateness is part of the cause's cost.
std::vector<bool> late_by(const FindingContext& c, const std::vector<bool>& ranks, const Excesses& excesses,
                          std::size_t cause) {
    std::vector<bool> late(ranks.size());
    const bool falls_behind =
        c.graph.profiler_steps && of_the_host(static_cast<OwnCause>(cause)) && !others_wait_in_first_step(c, ranks);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const RankExcess& own = excesses[cause][r];
        const double per_step = static_cast<double>(own.total) / static_cast<double>(c.steps);
        const auto start = static_cast<double>(excesses[static_cast<std::size_t>(OwnCause::late_start)][r].total);
        late[r] = ranks[r] && start > 0 && (falls_behind || start <= kLateByAStep * per_step) &&
                  static_cast<double>(own.by_step.front()) > per_step / 2;
    }
    return late;
}

} // namespace

Lateness lateness_of(const FindingContext& c, std::uint32_t rank) {
    struct Group {
        std::int64_t calls = 0;
        std::vector<TimeNs> lags;
        std::uint32_t worst = kNoNode;
    };
    const CollectiveMatching& matching = c.inputs.collectives;
    const StragglerAnalysis& stragglers = c.inputs.stragglers;
    std::map<std::uint32_t, Group> groups;
    for (std::uint32_t i = 0; i < stragglers.calls.size(); ++i) {
        const CallLag& call = stragglers.calls[i];
        const MatchedCall& matched = matching.matched[call.call];
        if (!std::ranges::any_of(matched.members, [&](const auto& m) { return m.first == rank; }))
            continue;
        Group& group = groups[matched.group];
        ++group.calls;
        if (call.last_rank == rank && call.lag > 0) {
            group.lags.push_back(call.lag);
            if (group.worst == kNoNode || call.lag > stragglers.calls[group.worst].lag)
                group.worst = i;
        }
    }
    Lateness result;
    double most = 0;
    for (auto& [index, group] : groups) {
        double sum = 0;
        for (const TimeNs lag : group.lags)
            sum += static_cast<double>(lag);
        if (sum <= most)
            continue;
        most = sum;
        const CommGroup& named = matching.groups[index];
        const auto median = static_cast<double>(middle_median(group.lags));
        const std::size_t members = matching.matched[stragglers.calls[group.worst].call].members.size();
        result = {named.label(), group.worst, group.calls, static_cast<std::int64_t>(group.lags.size()),
                  median,        members};
    }
    return result;
}

std::vector<double> waits_caused(const FindingContext& c, std::span<const TimeNs> start, std::uint32_t but_group) {
    std::vector<double> caused(c.inputs.run.ranks.size());
    const CollectiveMatching& matching = c.inputs.collectives;
    for (std::uint32_t t = 0; t < c.graph.matched.size(); ++t) {
        const std::uint32_t group = matching.matched[c.graph.matched[t]].group;
        if (matching.groups[group].point_to_point || group == but_group)
            continue;
        std::uint32_t last = kNoNode;
        double sum = 0;
        const auto arrivals = c.graph.edges_of(c.graph.first_node.back() + t);
        for (const GraphEdge& edge : arrivals)
            last = last == kNoNode || start[edge.from] > start[last] ? edge.from : last;
        for (const GraphEdge& edge : arrivals)
            sum += static_cast<double>(start[last] - start[edge.from]);
        if (last != kNoNode)
            caused[c.graph.rank[last]] += sum;
    }
    return caused;
}

Candidate unexplained_lateness(const FindingContext& c, std::uint32_t rank, const Message& why) {
    const auto remove = [&c, rank](GraphTimes& times) { drop_waits_for_rank(c.graph, rank, times); };
    const auto describe = [&c, rank, why] {
        Finding finding;
        finding.code = FindingCode::straggler;
        finding.cause = FindingCause::unexplained;
        finding.ranks = {c.rank_number(rank)};
        const Lateness late = lateness_of(c, rank);
        finding.group = late.group;
        finding.title = late.last == 0 ? "The other ranks wait for rank %1; %2"_text(c.rank_number(rank), why)
                                       : "Rank %1 arrives last at %2 of %3 calls of %4, %5 late on median; %6"_text(
                                             c.rank_number(rank), late.last, late.calls, group_words(late.group),
                                             time_words(late.median_lag), why);
        finding.facts = {{FactName::calls_arrived_last_at, static_cast<double>(late.last), {}},
                         {FactName::calls_of_group, static_cast<double>(late.calls), {}},
                         {FactName::median_lag_us, late.median_lag / 1000, {}}};
        if (late.call != kNoNode)
            add_call_event(c, late, rank, finding);
        finding.confidence = late.calls > 0 ? kHappened : 0.5;
        return finding;
    };
    return {0, remove, describe};
}

namespace {

/// What the candidates for one cause after the other share.
struct Stragglers {
    const FindingContext& c;
    std::vector<float> shares; ///< BesideCommunication::shares()
    std::shared_ptr<const Excesses> excesses;
    std::vector<bool> explained; ///< per rank: why its first step starts late
    RankSets pipelines;
    std::vector<Candidate> candidates{};

    /// Adds the ranks that take longest for the cause, of those that are not taken yet. False: none takes clearly
    /// longer.
    bool add(std::size_t i, std::vector<bool>& taken);
};

/// Each of the ranks with all others of its pipeline, one at least: their microbatches may be longer.
bool are_whole_pipelines(const RankSets& pipelines, const std::vector<bool>& ranks) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        std::size_t members = 0;
        for (std::size_t other = 0; other < ranks.size(); ++other)
            if (pipelines.joined(r, other)) {
                ++members;
                if (ranks[r] != ranks[other])
                    return false;
            }
        if (ranks[r] && members < 2)
            return false;
    }
    return true;
}

/// Of the ranks whose hosts take longer, those without which less would be saved than with all: a host that stays ahead
/// of its GPU delays nothing.
std::vector<bool> hosts_that_cost(const FindingContext& c, const std::vector<RankExcess>& by_rank) {
    constexpr std::size_t kMostReplays = 16;
    std::vector<bool> slow(by_rank.size());
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t r = 0; r < by_rank.size(); ++r)
        if (static_cast<double>(by_rank[r].total) >= kCandidate * c.step_time * static_cast<double>(c.steps)) {
            slow[r] = true;
            ranks.push_back(r);
        }
    std::vector<bool> costly(by_rank.size(), true);
    if (ranks.size() < 2 || ranks.size() > kMostReplays)
        return costly;
    const auto without = [&c](std::vector<bool> of) {
        return [&c, of = std::move(of)](GraphTimes& times) {
            remove_excess(c.graph, c.peers, OwnCause::host_bound, of, times);
        };
    };
    std::vector<TimesChange> changes{without(slow)};
    for (const std::uint32_t rank : ranks) {
        std::vector<bool> others = slow;
        others[rank] = false;
        changes.emplace_back(without(std::move(others)));
    }
    const std::vector<double> times = c.replays.step_times(c.graph.times, changes);
    const double most = std::ranges::max(times) - times.front();
    for (std::size_t i = 0; i < ranks.size() && most >= kCandidate * c.step_time; ++i)
        costly[ranks[i]] = times[i + 1] - times.front() >= kTogether * most;
    return costly;
}

bool Stragglers::add(std::size_t i, std::vector<bool>& taken) {
    const auto cause = static_cast<OwnCause>(i);
    const std::vector<RankExcess>& by_rank = (*excesses)[i];
    TimeNs most = 0;
    std::vector<std::vector<TimeNs>> by_step;
    for (const RankExcess& own : by_rank)
        by_step.push_back(own.by_step);
    const std::vector<bool> stands_out = cause == OwnCause::late_start ? std::vector<bool>(by_rank.size(), true)
                                         : cause == OwnCause::slower_kernels
                                             ? beyond_scatter(c, by_step, c.inputs.computation_by_step)
                                             : beyond_scatter(c, by_step);
    const std::vector<bool> costly =
        cause == OwnCause::host_bound ? hosts_that_cost(c, by_rank) : std::vector<bool>(by_rank.size(), true);
    const auto counts = [&](std::size_t r) {
        return !taken[r] && stands_out[r] && costly[r] && (cause != OwnCause::late_start || !explained[r]);
    };
    for (std::size_t r = 0; r < by_rank.size(); ++r)
        most = counts(r) ? std::max(most, by_rank[r].total) : most;
    if (static_cast<double>(most) < kCandidate * c.step_time * static_cast<double>(c.steps))
        return false;
    std::vector<bool> chosen(by_rank.size());
    std::vector<std::uint32_t> ranks;
    std::vector<int> numbers;
    for (std::uint32_t r = 0; r < by_rank.size(); ++r) {
        chosen[r] = static_cast<double>(by_rank[r].total) >= kTogether * static_cast<double>(most) && counts(r);
        if (chosen[r]) {
            ranks.push_back(r);
            numbers.push_back(c.rank_number(r));
        }
    }
    // Most ranks cannot be slower than most ranks: that is scatter. So is what is little longer than what other ranks
    // take longer too: times of hosts, of copies and of kernels on a shared GPU have a long tail, so that their sum is
    // above a sum of medians.
    const bool of_two_speeds = cause == OwnCause::slower_kernels && c.peers.two_speeds;
    const bool has_tail = cause == OwnCause::host_bound || cause == OwnCause::slower_copies ||
                          (cause == OwnCause::slower_kernels && !of_two_speeds);
    const bool scatter =
        (by_rank.size() > 2 && 2 * ranks.size() > by_rank.size() && !of_two_speeds) ||
        (has_tail &&
         static_cast<double>(most) < kBeyondOthers * static_cast<double>(usual_excess(c, by_rank, chosen))) ||
        ((cause == OwnCause::host_bound || cause == OwnCause::slower_copies) && is_noise_of_steps(c, by_rank, most));
    const bool as_fast = cause == OwnCause::slower_kernels && std::ranges::all_of(ranks, [&](std::uint32_t r) {
                             const auto& late = c.inputs.late_rank; // others wait for it: a little is a reason
                             return slowest_kernels(c, r, shares).ratio <
                                    (late && late->rank == c.rank_number(r) ? kSlowerLateRank : kSlowerKernels);
                         });
    const bool may_turn = cause == OwnCause::slower_kernels && c.graph.profiler_steps;
    const bool whole = may_turn && are_whole_pipelines(pipelines, chosen);
    const auto takes_turns_with_peers = [&](std::uint32_t r) {
        // Other stages do not tell whether a rank is slow in all steps, unless there is a step in which it is not.
        const std::vector<TimeNs>& own = by_rank[r].by_step;
        const bool tells = !c.peers.across_stages || std::ranges::min(own) <= 0;
        return tells && (whole || another_has_a_turn(c.inputs.computation_by_step, c.peers, r)) &&
               takes_turns(longer_than_peers(c.inputs.computation_by_step, c.peers, r, chosen), whole);
    };
    const bool in_turns = may_turn && std::ranges::all_of(ranks, takes_turns_with_peers);
    if (ranks.empty() || scatter || as_fast || in_turns)
        return false;
    const std::vector<bool> late =
        cause == OwnCause::late_start ? std::vector<bool>(by_rank.size()) : late_by(c, chosen, *excesses, i);
    for (std::uint32_t r = 0; r < late.size(); ++r) {
        explained[r] = explained[r] || late[r];
        taken[r] = taken[r] || chosen[r];
    }
    candidates.push_back(
        {static_cast<double>(most) / static_cast<double>(c.steps),
         [&c = c, cause, chosen, late](GraphTimes& times) {
             remove_excess(c.graph, c.peers, cause, chosen, times);
             remove_excess(c.graph, c.peers, OwnCause::late_start, late, times);
         },
         [&c = c, cause, ranks, excesses = excesses, i] { return describe(c, cause, ranks, (*excesses)[i]); },
         {},
         cause == OwnCause::late_start ? ranks : std::vector<std::uint32_t>{},
         std::move(numbers)});
    return true;
}

} // namespace

FindingCause straggler_cause(OwnCause cause) {
    switch (cause) {
    case OwnCause::slower_kernels: return FindingCause::slower_kernels;
    case OwnCause::slower_copies: return FindingCause::slower_copies;
    case OwnCause::more_kernels: return FindingCause::more_kernels;
    case OwnCause::host_bound: return FindingCause::host_bound;
    case OwnCause::data_loading: return FindingCause::data_loading;
    case OwnCause::garbage_collection: return FindingCause::garbage_collection;
    case OwnCause::synchronisation: return FindingCause::synchronisation;
    case OwnCause::allocation: return FindingCause::allocation;
    case OwnCause::late_start: return FindingCause::late_start;
    }
    return FindingCause::unexplained;
}

std::vector<Candidate> straggler_candidates(const FindingContext& c) {
    const std::size_t ranks = c.inputs.run.ranks.size();
    if (recorded_for_unlike_lengths(c))
        return {};
    std::vector<float> shares = c.inputs.beside.shares(c.graph);
    auto excesses = std::make_shared<const Excesses>(sum_excesses(c, shares));
    Stragglers stragglers{c, std::move(shares), std::move(excesses), std::vector<bool>(ranks),
                          pipelines_of(c.inputs.collectives, ranks)};
    for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause) {
        std::vector<bool> taken(ranks);
        // Ranks that are slow, but clearly less so, are a fault of their own; of kernels only: times of hosts scatter.
        while (stragglers.add(cause, taken) && static_cast<OwnCause>(cause) == OwnCause::slower_kernels) {
        }
    }
    return std::move(stragglers.candidates);
}

} // namespace rankscope
