// SPDX-License-Identifier: GPL-3.0-or-later
// Slow links, communication that nothing hides, bubbles, clocks that do not fit.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/analysis/collectives/collective_timing.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kSlowLink = 1.15; ///< times the median of the other groups

std::string group_words(const CommGroup& group) {
    std::string ranks;
    for (const int rank : std::span(group.ranks).first(std::min<std::size_t>(group.ranks.size(), 8)))
        ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    return fmt::format("{} (ranks {}{})", group.description.empty() ? group.name : group.description, ranks,
                       group.ranks.size() > 8 ? ", ..." : "");
}

/// Calls that should take equally long whatever their group.
using LinkKey = std::tuple<ParallelDimension, CollectiveKind, std::int64_t, std::size_t>;

struct SlowGroup {
    double ratio = 1; ///< of the largest of its kinds of call
    std::int64_t calls = 0;
    TimeNs time = 0;  ///< what it takes more than the others
    double busbw = 0; ///< GB/s of the calls at that ratio; 0 when unknown
    double peer_busbw = 0;
    std::vector<std::pair<TimeNs, std::uint32_t>> longest; ///< transfer, node
    std::map<std::uint32_t, double> factor;                ///< node -> what brings it to the others' median
};

std::map<std::uint32_t, SlowGroup> slow_groups(const FindingContext& c) {
    std::map<LinkKey, std::map<std::uint32_t, std::vector<std::uint32_t>>> calls;
    const CollectiveMatching& matching = c.inputs.collectives;
    for (const CommunicationNode& node : c.communication) {
        if (!node.lone) {
            calls[{node.dimension, node.kind, node.bytes, matching.groups[node.group].ranks.size()}][node.group]
                .push_back(node.node);
        }
    }
    std::map<std::uint32_t, SlowGroup> slow;
    for (const auto& [key, groups] : calls) {
        std::map<std::uint32_t, double> medians;
        for (const auto& [group, nodes] : groups) {
            std::vector<double> times;
            for (const std::uint32_t n : nodes) { // uneven experts are another matter
                times.push_back(static_cast<double>(c.graph.times.duration[n]) *
                                (c.experts.even.empty() ? 1 : c.experts.even[n]));
            }
            medians[group] = middle_median(std::move(times));
        }
        for (const auto& [group, own] : medians) {
            std::vector<double> others;
            for (const auto& [other, time] : medians)
                if (other != group)
                    others.push_back(time);
            const double usual = others.empty() ? 0 : middle_median(std::move(others));
            if (usual <= 0 || own < kSlowLink * usual)
                continue;
            SlowGroup& found = slow[group];
            const std::vector<std::uint32_t>& nodes = groups.at(group);
            if (own / usual > found.ratio) {
                found.ratio = own / usual;
                const double wire = static_cast<double>(std::get<2>(key)) *
                                    bus_factor(std::get<1>(key), static_cast<std::int64_t>(std::get<3>(key)));
                found.busbw = std::get<2>(key) > 0 ? wire / own : 0;
                found.peer_busbw = std::get<2>(key) > 0 ? wire / usual : 0;
            }
            for (const std::uint32_t n : nodes) {
                ++found.calls;
                found.time += c.graph.times.duration[n] - static_cast<TimeNs>(usual);
                found.longest.emplace_back(c.graph.times.duration[n], n);
                found.factor[n] = usual / own;
            }
        }
    }
    return slow;
}

void speed_up(const SlowGroup& group, GraphTimes& times) {
    for (const auto& [node, factor] : group.factor)
        times.duration[node] = std::llround(static_cast<double>(times.duration[node]) * factor);
}

/// The slow calls are previous ones to the calls of other groups: their ranks come late to those, and others wait
/// there.
void add_late_elsewhere(const FindingContext& c, std::uint32_t group, const SlowGroup& slow, Finding& finding) {
    GraphTimes times = c.graph.times;
    speed_up(slow, times);
    const auto recorded = waits_caused(c, c.graph.start, group);
    const auto repaired = waits_caused(c, replay(c.graph, times), group);
    std::uint32_t worst = kNoNode;
    for (std::uint32_t r = 0; r < recorded.size(); ++r) {
        const bool member = std::ranges::find(finding.ranks, c.rank_number(r)) != finding.ranks.end();
        worst =
            member && (worst == kNoNode || recorded[r] - repaired[r] > recorded[worst] - repaired[worst]) ? r : worst;
    }
    const double more = worst == kNoNode ? 0 : (recorded[worst] - repaired[worst]) / static_cast<double>(c.steps);
    if (c.share(more) >= kLeastFault) {
        finding.cause = "slow_previous_collective";
        finding.title += fmt::format("; after them its ranks come late to other groups' calls, where the others wait "
                                     "for rank {}, {} a step together",
                                     c.rank_number(worst), time_words(more));
        finding.facts.push_back({"late_after_it_rank", static_cast<double>(c.rank_number(worst)), {}});
        finding.facts.push_back({"waits_elsewhere_us_per_step", more / 1000, {}});
    }
}

Finding describe(const FindingContext& c, std::uint32_t index, SlowGroup& slow) {
    const CommGroup& group = c.inputs.collectives.groups[index];
    Finding finding;
    finding.code = "slow_link";
    finding.ranks = group.ranks;
    finding.group = group.description.empty() ? group.name : group.description;
    finding.title = fmt::format("Communication of {} takes {:.2f}× as long as the same calls of the other groups",
                                group_words(group), slow.ratio);
    if (slow.busbw > 0) {
        finding.title += fmt::format(": {:.0f} instead of {:.0f} GB/s", slow.busbw, slow.peer_busbw);
        finding.facts.push_back({"busbw_gb_s", slow.busbw, {}});
        finding.facts.push_back({"peer_busbw_gb_s", slow.peer_busbw, {}});
    }
    finding.facts.push_back({"ratio", slow.ratio, {}});
    finding.facts.push_back({"calls", static_cast<double>(slow.calls), {}});
    std::sort(slow.longest.begin(), slow.longest.end(), std::greater<>());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, slow.longest.size()); ++i)
        finding.events.push_back(c.event(slow.longest[i].second));
    finding.confidence = confidence_of(static_cast<std::size_t>(slow.calls), static_cast<std::size_t>(slow.calls));
    add_late_elsewhere(c, index, slow, finding);
    return finding;
}

} // namespace

std::vector<Candidate> slow_link_candidates(const FindingContext& c) {
    std::vector<Candidate> candidates;
    for (auto& [index, slow_group] : slow_groups(c)) {
        const double size = static_cast<double>(slow_group.time) / static_cast<double>(c.steps);
        if (c.share(size) < kLeastFault)
            continue;
        const auto slow = std::make_shared<SlowGroup>(std::move(slow_group));
        candidates.push_back({size, [slow](GraphTimes& times) { speed_up(*slow, times); },
                              [&c, slow, group_index = index] { return describe(c, group_index, *slow); }});
    }
    return candidates;
}

namespace {

std::optional<Finding> exposed_communication(const FindingContext& c, ParallelDimension dimension,
                                             const std::vector<const CommunicationNode*>& nodes) {
    std::vector<bool> chosen(c.graph.size());
    std::vector<std::pair<TimeNs, std::uint32_t>> longest;
    TimeNs total = 0;
    std::size_t lone = 0;
    for (const CommunicationNode* node : nodes) {
        chosen[node->node] = true;
        total += c.graph.times.duration[node->node];
        lone += node->lone ? 1 : 0;
        longest.emplace_back(c.graph.times.duration[node->node], node->node);
    }
    if (c.share(static_cast<double>(total) / static_cast<double>(c.steps)) < kLeastInherent)
        return {};
    const auto is_chosen = [&](std::uint32_t n) { return chosen[n]; };
    const double cost = c.repaired_cost([&](GraphTimes& times) {
        for (const CommunicationNode* node : nodes)
            times.duration[node->node] = 0;
    });
    if (c.share(cost) < kLeastInherent)
        return {};
    const auto unchain = [&](GraphTimes& times) { unchain_compute(c.graph, is_chosen, times); };
    const double hidden = std::clamp(c.repaired_cost(unchain), 0.0, cost);
    Finding finding;
    finding.code = "exposed_communication";
    finding.inherent = true;
    finding.group = parallel_dimension_word(dimension);
    const std::string name = dimension == ParallelDimension::unknown
                                 ? std::string("Communication")
                                 : fmt::format("Communication of {}", parallel_dimension_word(dimension));
    finding.title = fmt::format("{} is exposed: {:.0f} % of the step would be saved if it took no time; ", name,
                                100 * c.share(cost));
    finding.title += hidden < 0.1 * cost
                         ? "computation waits for it, so that overlap alone saves next to nothing"
                         : fmt::format("{} of that if computation did not wait for it", time_words(hidden));
    if (lone > 0)
        finding.title += " (the other members are not traced, so waits for them count too)";
    finding.facts = {{"calls", static_cast<double>(nodes.size()), {}},
                     {"transfer_us_per_step", static_cast<double>(total) / 1000 / static_cast<double>(c.steps), {}},
                     {"could_overlap_us_per_step", hidden / 1000, {}}};
    std::partial_sort(longest.begin(),
                      longest.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, longest.size())),
                      longest.end(), std::greater<>());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, longest.size()); ++i)
        finding.events.push_back(c.event(longest[i].second));
    finding.cost = cost;
    finding.confidence = lone > 0 ? 0.5 : 0.9;
    return finding;
}

} // namespace

void find_exposed_communication(const FindingContext& c, std::vector<Finding>& found) {
    std::map<ParallelDimension, std::vector<const CommunicationNode*>> dimensions;
    for (const CommunicationNode& node : c.communication)
        dimensions[node.dimension].push_back(&node);
    std::vector<std::optional<Finding>> findings(dimensions.size());
    tbb::parallel_for(std::size_t{0}, findings.size(), [&](std::size_t i) {
        const auto& [dimension, nodes] = *std::next(dimensions.begin(), static_cast<std::ptrdiff_t>(i));
        findings[i] = exposed_communication(c, dimension, nodes);
    });
    for (std::optional<Finding>& finding : findings)
        if (finding)
            found.push_back(std::move(*finding));
}

void find_bubbles(const FindingContext& c, std::vector<Finding>& found) {
    const PipelineAnalysis& pipeline = c.inputs.pipeline;
    if (!pipeline.unavailable.empty() || !pipeline.ideal || pipeline.method == BubbleMethod::idle)
        return;
    TimeNs bubble = 0;
    TimeNs window = 0;
    const StepBubble* worst = nullptr;
    for (const StepBubble& step : pipeline.steps) {
        bubble += step.bubble();
        window += step.window.length();
        worst = worst == nullptr || step.bubble() > worst->bubble() ? &step : worst;
    }
    if (window == 0)
        return;
    const double share = static_cast<double>(bubble) / static_cast<double>(window);
    // What stragglers and links cost shows as bubbles too, and is told already.
    const double cost = (share - *pipeline.ideal) * c.step_time - (c.step_time - c.repaired_time);
    if (c.share(cost) < kLeastInherent)
        return;
    Finding finding;
    finding.code = "pipeline_bubble";
    finding.inherent = true;
    finding.group = "pp";
    finding.title = fmt::format(
        "Pipeline bubbles take {:.1f} % of the step, {:.1f} % in the ideal schedule: {} a step more than they need to",
        100 * share, 100 * *pipeline.ideal, time_words(cost));
    finding.facts = {{"bubble_share", share, {}}, {"ideal_share", *pipeline.ideal, {}}};
    finding.events.push_back({worst->rank, kNoEvent, worst->window});
    finding.cost = cost;
    finding.confidence = 0.7;
    found.push_back(std::move(finding));
}

namespace {

/// How far a rank's ends of synchronising calls are from the median of the other members', aligned: median, and the
/// call farthest off.
struct ClockError {
    std::vector<TimeNs> errors;
    TimeNs farthest = -1;
    FindingEvent event;
};

std::vector<ClockError> clock_errors(const FindingContext& c) {
    std::vector<ClockError> ranks(c.inputs.run.ranks.size());
    const CollectiveMatching& matching = c.inputs.collectives;
    for (const MatchedCall& call : matching.matched) {
        if (!call.complete || !synchronises(call.kind) || call.members.size() < 2)
            continue;
        const auto end = [&](const auto& member) {
            return matching.call(member).range.end - c.inputs.clock.offset[member.first];
        };
        for (const auto& member : call.members) {
            std::vector<double> others;
            for (const auto& other : call.members)
                if (other != member)
                    others.push_back(static_cast<double>(end(other)));
            ClockError& rank = ranks[member.first];
            const TimeNs error = std::abs(end(member) - std::llround(middle_median(std::move(others))));
            rank.errors.push_back(error);
            if (error > rank.farthest) {
                rank.farthest = error;
                rank.event = {member.first, matching.call(member).event, matching.call(member).range};
            }
        }
    }
    return ranks;
}

void add_clock_evidence(const FindingContext& c, TimeNs misfit, Finding& finding) {
    std::vector<std::pair<TimeNs, FindingEvent>> worst; // median error of each rank that does not fit
    for (ClockError& rank : clock_errors(c)) {
        if (rank.errors.empty())
            continue;
        const TimeNs error = upper_median(std::move(rank.errors));
        if (error > misfit)
            worst.emplace_back(error, rank.event);
    }
    std::ranges::stable_sort(worst, std::greater<>(), [](const auto& one) { return one.first; });
    for (const auto& [error, event] : std::span(worst).first(std::min<std::size_t>(5, worst.size()))) {
        finding.ranks.push_back(c.rank_number(event.rank));
        finding.events.push_back(event);
    }
    if (!worst.empty()) {
        std::sort(finding.ranks.begin(), finding.ranks.end());
        finding.facts.push_back({"median_end_difference_us", static_cast<double>(worst.front().first) / 1000, {}});
        finding.title +=
            fmt::format(". Farthest off: rank {}, whose collectives end {} from the others' on median",
                        c.rank_number(worst.front().second.rank), time_words(static_cast<double>(worst.front().first)));
    }
}

} // namespace

void find_clock_misfit(const FindingContext& c, std::vector<Finding>& found) {
    constexpr TimeNs kMisfit = 50'000;
    const ClockAlignment& clock = c.inputs.clock;
    const bool not_aligned = !clock.applied && clock.largest_difference > kMisfit;
    if (!not_aligned && clock.residual <= kMisfit)
        return;
    Finding finding;
    finding.code = "clock_misfit";
    finding.title = not_aligned ? fmt::format("The clocks of the ranks differ by up to {} and are not aligned: lags "
                                              "between ranks are not to be trusted",
                                              time_words(static_cast<double>(clock.largest_difference)))
                                : fmt::format("The clocks of the ranks still disagree by {} (median) after alignment: "
                                              "lags shorter than that mean nothing",
                                              time_words(static_cast<double>(clock.residual)));
    finding.facts = {{"largest_difference_us", static_cast<double>(clock.largest_difference) / 1000, {}},
                     {"residual_us", static_cast<double>(clock.residual) / 1000, {}}};
    finding.confidence = 0.9;
    add_clock_evidence(c, kMisfit, finding);
    found.push_back(std::move(finding));
}

} // namespace rankscope
