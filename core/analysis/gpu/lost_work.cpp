// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gpu/lost_work.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/analysis/selection/selection.h"
#include "core/base/statistics.h"
#include "core/trace/launch_calls.h"

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

/// What names of a rank's calls are; each is asked once.
class LaunchCalls {
public:
    explicit LaunchCalls(const RankTrace& rank) : rank_(rank), calls_(rank.names->size()) {}

    LaunchCall operator()(EventIndex event) {
        if (!is_launch_call(rank_.events.kind[event]))
            return LaunchCall::other;
        std::optional<LaunchCall>& call = calls_[rank_.events.name[event]];
        if (!call)
            call = launch_call_of(rank_.names->view(rank_.events.name[event]));
        return *call;
    }

private:
    const RankTrace& rank_;
    std::vector<std::optional<LaunchCall>> calls_; ///< by name
};

/// By number of the step. Steps in which a graph was captured are left out: what is captured does not run. So are
/// launches of the last step that no later call waits for: their work may run after the recording.
std::map<std::int64_t, Launched> launched_in_steps(const RankTrace& rank) {
    std::map<std::int64_t, Launched> launched;
    if (rank.steps.empty())
        return launched;
    LaunchCalls calls(rank);
    std::set<std::int64_t> captured;
    std::vector<std::pair<TimeNs, std::int64_t>> without_work; // launch, number of the step
    TimeNs waited_until = std::numeric_limits<TimeNs>::min();
    const EventTable& events = rank.events;
    for (EventIndex e = events.gpu_count; e < events.size(); ++e) {
        const LaunchCall call = calls(e);
        const bool works = call == LaunchCall::launches && events.link[e] != kNoEvent;
        if (call == LaunchCall::waits)
            waited_until = std::max(waited_until, events.start[e]);
        const ProfilerStep* step = call == LaunchCall::other ? nullptr : step_at(rank.steps, events.start[e]);
        if (step == nullptr)
            continue;
        if (call == LaunchCall::capture_begins)
            captured.insert(step->number);
        else if (works)
            launched[step->number].launches += 1;
        else if (call == LaunchCall::launches)
            without_work.emplace_back(events.start[e], step->number);
    }
    for (const auto& [start, number] : without_work)
        if (start <= waited_until || number != rank.steps.back().number) {
            launched[number].launches += 1;
            launched[number].without_work += 1;
        }
    std::erase_if(launched, [&](const auto& step) { return captured.contains(step.first); });
    return launched;
}

/// Of all launches of kernels.
double lost_share(const RankTrace& rank) {
    const std::int64_t lost = launches_without_work(rank);
    if (lost == 0)
        return 0;
    LaunchCalls calls(rank);
    std::int64_t launches = 0;
    for (EventIndex e = rank.events.gpu_count; e < rank.events.size(); ++e)
        launches += calls(e) == LaunchCall::launches ? 1 : 0;
    // A digest has not all of them.
    return static_cast<double>(lost) / static_cast<double>(std::max(launches, lost));
}

using LaunchedInSteps = std::map<std::int64_t, Launched>;

std::vector<LaunchedInSteps> launched_in_steps(const Run& run) {
    return per_rank<LaunchedInSteps>(
        run, [](const RankTrace& rank, std::size_t) { return launched_in_steps(rank); });
}

/// By number of the step: the share of launches without work that half of the ranks have at least.
std::map<std::int64_t, double> usual_shares(const std::vector<LaunchedInSteps>& launched) {
    std::map<std::int64_t, std::vector<double>> of_all;
    for (const LaunchedInSteps& steps : launched)
        for (const auto& [number, in_step] : steps)
            of_all[number].push_back(in_step.share());
    std::map<std::int64_t, double> usual;
    for (auto& [number, shares] : of_all)
        usual[number] = lower_median(std::move(shares));
    return usual;
}

} // namespace

std::int64_t launches_without_work(const RankTrace& rank) {
    const auto noticed = std::ranges::find(rank.notices, NoticeCode("lost_gpu_work"), &Notice::code);
    return noticed == rank.notices.end() ? 0 : noticed->count;
}

std::vector<std::size_t> ranks_that_lost_work(const Run& run) {
    const std::vector<LaunchedInSteps> launched = launched_in_steps(run);
    const std::map<std::int64_t, double> usual_by_step = usual_shares(launched);
    const auto in_all = per_rank<double>(run, [](const RankTrace& rank, std::size_t) { return lost_share(rank); });
    const double usual_in_all = in_all.empty() ? 0 : lower_median(in_all);
    std::vector<std::size_t> lost;
    for (std::size_t r = 0; r < launched.size(); ++r) {
        if (in_all.size() > 1 && (usual_in_all > 0 ? in_all[r] - usual_in_all >= kLeastShare : in_all[r] > 0)) {
            lost.push_back(r);
            continue;
        }
        std::vector<double> shares;
        for (const auto& [number, in_step] : launched[r])
            shares.push_back(in_step.share());
        if (shares.empty())
            continue;
        const double usual = lower_median(std::move(shares));
        if (std::ranges::any_of(launched[r], [&](const auto& step) {
                const auto& [number, in_step] = step;
                return in_step.without_work >= kLeastLaunches &&
                       in_step.share() - std::max(usual, usual_by_step.at(number)) >= kLeastShare;
            }))
            lost.push_back(r);
    }
    return lost;
}

namespace {

/// What of a thing is recorded of a rank.
enum class Has : std::uint8_t { no_work, none, some };

/// Of each job those that have none, where more ranks than these have some, or as many. Ascending.
template <typename HasOf>
std::vector<std::size_t> ranks_without(const Run& run, bool or_as_many, HasOf has_of) {
    const auto has = per_rank<Has>(run, [&](const RankTrace& rank, std::size_t) {
        return rank.events.gpu_count > 0 ? has_of(rank) : Has::no_work;
    });
    std::map<int, std::pair<std::size_t, std::vector<std::size_t>>> by_job; // with some; those without
    for (std::size_t r = 0; r < has.size(); ++r) {
        auto& [with, without] = by_job[run.ranks[r]->job];
        with += has[r] == Has::some ? 1 : 0;
        if (has[r] == Has::none)
            without.push_back(r);
    }
    std::vector<std::size_t> ranks;
    for (const auto& [job, of_job] : by_job)
        if (of_job.first > of_job.second.size() || (or_as_many && of_job.first == of_job.second.size()))
            ranks.insert(ranks.end(), of_job.second.begin(), of_job.second.end());
    std::ranges::sort(ranks);
    return ranks;
}

Has has_communication(const RankTrace& rank) {
    const EventTable& events = rank.events;
    std::vector<bool> other(rank.names->size()); // names that are asked for already
    for (EventIndex e = 0; e < events.gpu_count; ++e) {
        if (events.kind[e] != EventKind::kernel || other[events.name[e]])
            continue;
        if (built_in_class(events.kind[e], rank.event_name(e)) == KernelClass::communication)
            return Has::some;
        other[events.name[e]] = true;
    }
    return Has::none;
}

Has has_launches(const RankTrace& rank) {
    for (EventIndex e = 0; e < rank.events.gpu_count; ++e)
        if (rank.events.link[e] != kNoEvent)
            return Has::some;
    return Has::none;
}

} // namespace

std::vector<std::size_t> ranks_without_communication(const Run& run) {
    return ranks_without(run, false, has_communication); // one of two is not most of them
}

std::vector<std::size_t> ranks_without_launches(const Run& run) { return ranks_without(run, true, has_launches); }

std::vector<std::int64_t> steps_that_lost_work(const Run& run) {
    const std::map<std::int64_t, double> usual_by_step = usual_shares(launched_in_steps(run));
    std::vector<double> shares;
    for (const auto& [number, share] : usual_by_step)
        shares.push_back(share);
    std::vector<std::int64_t> lost;
    if (shares.empty())
        return lost;
    const double usual = lower_median(std::move(shares));
    for (const auto& [number, share] : usual_by_step)
        if (share - usual >= kLeastShare)
            lost.push_back(number);
    return lost;
}

} // namespace rankscope
