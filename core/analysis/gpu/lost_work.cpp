// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gpu/lost_work.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/selection/selection.h"
#include "core/base/statistics.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr double kLeastShare = 0.1; // of the launches of a step
constexpr double kLeastLaunches = 3;

/// Launches of kernels in a step, and those of which no GPU work is recorded.
struct Launched {
    double launches = 0;
    double without_work = 0;
    [[nodiscard]] double share() const { return launches > 0 ? without_work / launches : 0; }
};

enum class Call : std::uint8_t { other, launch, capture };

Call call_of(std::string_view name) {
    return contains(name, "LaunchKernel")         ? Call::launch
           : contains(name, "StreamBeginCapture") ? Call::capture
                                                  : Call::other;
}

/// By number of the step. Steps in which a graph was captured are left out: what is captured does not run. So is the
/// last one, whose work may run after the recording.
std::map<std::int64_t, Launched> launched_in_steps(const RankTrace& rank) {
    std::map<std::int64_t, Launched> launched;
    if (rank.steps.empty())
        return launched;
    std::vector<std::optional<Call>> calls(rank.names->size()); // by name
    std::set<std::int64_t> captured;
    const EventTable& events = rank.events;
    for (EventIndex e = events.gpu_count; e < events.size(); ++e) {
        if (!is_launch_call(events.kind[e]))
            continue;
        std::optional<Call>& call = calls[events.name[e]];
        if (!call)
            call = call_of(rank.names->view(events.name[e]));
        const ProfilerStep* step = call == Call::other ? nullptr : step_at(rank.steps, events.start[e]);
        if (step == nullptr)
            continue;
        if (call == Call::capture)
            captured.insert(step->number);
        Launched& own = launched[step->number];
        own.launches += call == Call::launch ? 1 : 0;
        own.without_work += call == Call::launch && events.link[e] == kNoEvent ? 1 : 0;
    }
    std::erase_if(launched, [&](const auto& step) {
        return captured.contains(step.first) || step.first == rank.steps.back().number;
    });
    return launched;
}

/// Of all launches of kernels.
double lost_share(const RankTrace& rank) {
    const std::int64_t lost = launches_without_work(rank);
    if (lost == 0)
        return 0;
    std::vector<std::optional<Call>> calls(rank.names->size()); // by name
    std::int64_t launches = 0;
    for (EventIndex e = rank.events.gpu_count; e < rank.events.size(); ++e) {
        if (!is_launch_call(rank.events.kind[e]))
            continue;
        std::optional<Call>& call = calls[rank.events.name[e]];
        if (!call)
            call = call_of(rank.names->view(rank.events.name[e]));
        launches += *call == Call::launch ? 1 : 0;
    }
    // A digest has not all of them.
    return static_cast<double>(lost) / static_cast<double>(std::max(launches, lost));
}

} // namespace

std::int64_t launches_without_work(const RankTrace& rank) {
    const auto noticed = std::ranges::find(rank.notices, NoticeCode("lost_gpu_work"), &Notice::code);
    return noticed == rank.notices.end() ? 0 : noticed->count;
}

std::vector<std::size_t> ranks_that_lost_work(const Run& run) {
    const auto launched = per_rank<std::map<std::int64_t, Launched>>(
        run, [](const RankTrace& rank, std::size_t) { return launched_in_steps(rank); });
    std::map<std::int64_t, std::vector<double>> of_all; // by step: shares of the ranks
    for (const auto& steps : launched)
        for (const auto& [number, own] : steps)
            of_all[number].push_back(own.share());
    const auto in_all = per_rank<double>(run, [](const RankTrace& rank, std::size_t) { return lost_share(rank); });
    const double usual_in_all = in_all.empty() ? 0 : lower_median(in_all);
    std::vector<std::size_t> lost;
    for (std::size_t r = 0; r < launched.size(); ++r) {
        if (in_all.size() > 1 && in_all[r] - usual_in_all >= kLeastShare) {
            lost.push_back(r);
            continue;
        }
        std::vector<double> shares;
        for (const auto& [number, own] : launched[r])
            shares.push_back(own.share());
        if (shares.empty())
            continue;
        const double usual = lower_median(std::move(shares));
        if (std::ranges::any_of(launched[r], [&](const auto& step) {
                const auto& [number, own] = step;
                const double others = lower_median(of_all[number]);
                return own.without_work >= kLeastLaunches && own.share() - std::max(usual, others) >= kLeastShare;
            }))
            lost.push_back(r);
    }
    return lost;
}

} // namespace rankscope
