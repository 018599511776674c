// SPDX-License-Identifier: GPL-3.0-or-later
// Period detection on the sequence of a stream's calls.
#include "core/analysis/steps/inferred_steps.h"

#include <algorithm>
#include <map>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/gpu/host_points.h"
#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr std::size_t kFewestRepetitions = 3;
constexpr std::size_t kMostCandidates = 256;

bool repeats_with(std::span<const std::uint64_t> tokens, std::size_t period) {
    const std::size_t pairs = tokens.size() - period;
    std::size_t allowed = pairs / 50;
    for (std::size_t i = 0; i < pairs; ++i)
        if (tokens[i] != tokens[i + period] && allowed-- == 0)
            return false;
    return true;
}

/// Positions of the token that occurs least often, but often enough to show the period.
std::vector<std::size_t> rarest_positions(std::span<const std::uint64_t> tokens) {
    NumberMap<std::uint64_t, std::size_t> count;
    for (const std::uint64_t token : tokens)
        ++count[token];
    std::size_t fewest = 0;
    std::uint64_t rarest = 0;
    for (const std::uint64_t token : tokens) {
        const std::size_t occurrences = count[token];
        if (occurrences >= kFewestRepetitions && (fewest == 0 || occurrences < fewest)) {
            fewest = occurrences;
            rarest = token;
        }
    }
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; fewest > 0 && i < tokens.size(); ++i)
        if (tokens[i] == rarest)
            positions.push_back(i);
    return positions;
}

/// The slices of each lane with the wanted kind of work, in order of start; the lane in which it takes the most time
/// first. What the start of a selected range cuts is left out: no step starts with it.
std::vector<std::vector<GpuSlice>> busiest_lanes(const RankTrace& rank, std::span<const GpuSlice> work,
                                                 bool communication) {
    struct OfLane {
        TimeNs time = 0;
        std::vector<GpuSlice> slices;
    };
    std::map<const Lane*, OfLane> lanes;
    for (const GpuSlice& slice : work)
        if ((slice.kernel_class == KernelClass::communication) == communication &&
            slice.range.begin == rank.events.start[slice.event]) {
            OfLane& lane = lanes[&rank.lane_of(slice.event)];
            lane.time += slice.range.length();
            lane.slices.push_back(slice);
        }
    std::vector<OfLane> sorted;
    for (auto& [lane, own] : lanes)
        sorted.push_back(std::move(own));
    std::ranges::stable_sort(sorted, std::ranges::greater(), &OfLane::time);
    std::vector<std::vector<GpuSlice>> slices;
    for (OfLane& lane : sorted)
        slices.push_back(std::move(lane.slices));
    return slices;
}

std::uint64_t token_of(const RankTrace& rank, EventIndex event) {
    const CollectiveArgs* args = rank.collective_of(event);
    const std::uint64_t size = args == nullptr ? 0 : static_cast<std::uint64_t>(args->in_elements + 1);
    return (size << 32U) ^ (size >> 32U) ^ rank.events.name[event];
}

bool between_host_and_gpu(std::string_view copy) {
    return contains(copy, "HtoD") || contains(copy, "DtoH") || contains(copy, "H2D") || contains(copy, "D2H") ||
           contains(copy, "HostToDevice") || contains(copy, "DeviceToHost");
}

/// Layers repeat their kernels inside a step as steps do. The host tells them apart: in each step it copies something
/// to or from the GPU, waits for it, or launches a graph. Where no calls of the host are recorded nothing tells.
bool host_marks_steps(const RankTrace& rank, const std::vector<GpuSlice>& slices, std::size_t steps) {
    const EventTable& events = rank.events;
    std::size_t marks = 0;
    EventIndex graph = kNoEvent;
    for (const GpuSlice& slice : slices)
        if (const EventIndex launch = events.link[slice.event];
            launch != kNoEvent && launch != graph && contains(rank.event_name(launch), "GraphLaunch")) {
            graph = launch;
            ++marks;
        }
    bool calls = false;
    PlaceMap<NameId, bool> counts;
    for (EventIndex e = 0; e < events.size(); ++e) {
        const EventKind kind = events.kind[e];
        calls = calls || is_launch_call(kind);
        if (is_gpu_work(kind) && kind != EventKind::memcpy)
            continue;
        const auto [known, added] = counts.try_emplace(events.name[e]);
        if (added) {
            const std::string_view name = rank.event_name(e);
            const HostRole role = host_role(kind, name);
            known->second = kind == EventKind::memcpy ? between_host_and_gpu(name)
                                                      : role.counts && (role.work == HostWork::wait_device ||
                                                                        role.work == HostWork::wait_stream);
        }
        marks += known->second ? 1 : 0;
    }
    return !calls || marks + 1 >= steps;
}

InferredSteps steps_from(const RankTrace& rank, const std::vector<GpuSlice>& slices, StepSource source) {
    std::vector<std::uint64_t> tokens;
    for (const GpuSlice& slice : slices)
        tokens.push_back(token_of(rank, slice.event));
    InferredSteps result;
    const std::size_t period = sequence_period(tokens);
    if (period < 2 || (source == StepSource::kernels && !host_marks_steps(rank, slices, slices.size() / period)))
        return result;
    result.source = source;
    result.events_per_step = period;
    for (std::size_t i = 0; i + period < slices.size(); i += period) {
        result.steps.push_back({slices[i].range.begin, slices[i + period].range.begin});
        result.end_event = slices[i + period].event;
    }
    result.first_event = slices.front().event;
    result.last_is_whole = slices.size() % period == 0;
    return result;
}

} // namespace

std::string_view step_source_word(StepSource source) {
    return source == StepSource::collectives ? "collectives" : source == StepSource::kernels ? "kernels" : "none";
}

std::size_t sequence_period(std::span<const std::uint64_t> tokens) {
    const std::vector<std::size_t> positions = rarest_positions(tokens);
    for (std::size_t k = 1; k < positions.size() && k <= kMostCandidates; ++k) {
        const std::size_t period = positions[k] - positions[0];
        if (period * kFewestRepetitions > tokens.size())
            break;
        if (repeats_with(tokens, period))
            return period;
    }
    return 0;
}

namespace {

InferredSteps of_busiest_lane(const RankTrace& rank, std::span<const GpuSlice> work, bool communication) {
    const auto lanes = busiest_lanes(rank, work, communication);
    return lanes.empty()
               ? InferredSteps{}
               : steps_from(rank, lanes.front(), communication ? StepSource::collectives : StepSource::kernels);
}

/// Of any lane, busy ones first, that repeats as often.
InferredSteps steps_that_repeat(const RankTrace& rank, std::span<const GpuSlice> work, std::size_t steps) {
    for (const bool communication : {true, false})
        for (const auto& lane : busiest_lanes(rank, work, communication)) {
            InferredSteps found = steps_from(rank, lane, communication ? StepSource::collectives : StepSource::kernels);
            if (found.source != StepSource::none && found.steps.size() + 1 >= steps && found.steps.size() <= steps + 1)
                return found;
        }
    return {};
}

double mean_length(const InferredSteps& steps) {
    TimeNs sum = 0;
    for (const TimeRange& step : steps.steps)
        sum += step.length();
    return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, steps.steps.size()));
}

} // namespace

InferredSteps infer_steps(const RankTrace& rank, std::span<const GpuSlice> work) {
    InferredSteps result = of_busiest_lane(rank, work, true);
    return result.source != StepSource::none ? result : of_busiest_lane(rank, work, false);
}

void agree_on_steps(const Run& run, std::span<const RankAnalysis> ranks, std::vector<InferredSteps>& steps) {
    std::map<std::size_t, std::size_t> ranks_with; // by number of steps
    for (const InferredSteps& own : steps)
        if (own.source != StepSource::none)
            ++ranks_with[own.steps.size()];
    if (ranks_with.size() < 2)
        return;
    // Of as many ranks the fewest: layers repeat inside a step.
    const std::size_t most =
        std::ranges::max_element(ranks_with, {}, [](const auto& one) { return one.second; })->first;
    double longest = 0; // repetition of the ranks that have so many
    for (const InferredSteps& own : steps)
        if (own.source != StepSource::none && own.steps.size() == most)
            longest = std::max(longest, mean_length(own));
    // A rank whose repetitions are more and as long was recorded longer.
    for (std::size_t r = 0; r < steps.size(); ++r)
        if (steps[r].steps.size() > most + 1 && 2 * mean_length(steps[r]) <= (1 + kNearlyAlike) * longest)
            steps[r] = steps_that_repeat(*run.ranks[r], ranks[r].gpu_work, most);
}

} // namespace rankscope
