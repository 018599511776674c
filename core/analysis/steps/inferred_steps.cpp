// SPDX-License-Identifier: GPL-3.0-or-later
// Period detection on the sequence of a stream's calls.
#include "core/analysis/steps/inferred_steps.h"

#include <algorithm>
#include <map>
#include <unordered_map>

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
    std::unordered_map<std::uint64_t, std::size_t> count;
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

/// The slices of the lane in which the wanted kind of work takes the most time, in order of start.
std::vector<GpuSlice> busiest_lane(const RankTrace& rank, std::span<const GpuSlice> work, bool communication) {
    const auto wanted = [communication](const GpuSlice& slice) {
        return (slice.kernel_class == KernelClass::communication) == communication;
    };
    const auto lane_index = [&](EventIndex event) {
        return static_cast<std::size_t>(&rank.lane_of(event) - rank.lanes.data());
    };
    std::map<std::size_t, TimeNs> time;
    for (const GpuSlice& slice : work)
        if (wanted(slice))
            time[lane_index(slice.event)] += slice.range.length();
    const auto most =
        std::max_element(time.begin(), time.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<GpuSlice> slices;
    for (const GpuSlice& slice : work)
        if (wanted(slice) && lane_index(slice.event) == most->first)
            slices.push_back(slice);
    return slices;
}

std::uint64_t token_of(const RankTrace& rank, EventIndex event) {
    const CollectiveArgs* args = rank.collective_of(event);
    const std::uint64_t size = args == nullptr ? 0 : static_cast<std::uint64_t>(args->in_elements + 1);
    return (size << 32U) ^ (size >> 32U) ^ rank.events.name[event];
}

InferredSteps steps_from(const RankTrace& rank, const std::vector<GpuSlice>& slices, StepSource source) {
    std::vector<std::uint64_t> tokens;
    for (const GpuSlice& slice : slices)
        tokens.push_back(token_of(rank, slice.event));
    InferredSteps result;
    const std::size_t period = sequence_period(tokens);
    if (period < 2)
        return result;
    result.source = source;
    result.events_per_step = period;
    for (std::size_t i = 0; i + period < slices.size(); i += period)
        result.steps.push_back({slices[i].range.begin, slices[i + period].range.begin});
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

InferredSteps infer_steps(const RankTrace& rank, std::span<const GpuSlice> work) {
    InferredSteps result = steps_from(rank, busiest_lane(rank, work, true), StepSource::collectives);
    return result.source != StepSource::none ? result
                                             : steps_from(rank, busiest_lane(rank, work, false), StepSource::kernels);
}

} // namespace rankscope
