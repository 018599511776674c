// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/run_notices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/input/load/load_run.h"
#include "core/trace/cut_step.h"
#include "core/trace/one_launch.h"
#include "core/trace/rank_ranges.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

/// Kernels were launched there, and what the GPU did was not recorded.
bool has_only_launches(const RankTrace& rank) {
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i)
        if (is_launch_call(rank.events.kind[i]) && contains(rank.event_name(i), "LaunchKernel"))
            return true;
    return false;
}

/// No event is of a kind that a profiler of GPUs writes.
bool is_of_another_program(const RankTrace& rank) {
    return rank.source == TraceSource::kineto && !rank.events.kind.empty() &&
           std::ranges::all_of(
               rank.events.kind, [](EventKind kind) { return kind == EventKind::other; });
}

} // namespace

void note_missing_ranks(Run& run) {
    for (const auto& rank : run.ranks)
        run.world_size = std::max(run.world_size, rank->world_size);
    const int highest = run.ranks.back()->rank;
    if (run.world_size <= highest) {
        if (run.world_size > 0)
            add_notice(run.notices, {"world_size_too_small",
                                     "the traces say %1 ranks, yet rank %2 is there"_text(run.world_size, highest),
                                     {},
                                     1});
        run.world_size = highest + 1;
    }
    const std::vector<RankRange> ranges = missing_ranges(run);
    const std::int64_t missing = rank_count(ranges);
    run.missing_ranks = listed_ranks(ranges, kMostMissingListed);
    // A profile of XLA has a plane for each device of its host, empty where it did nothing.
    if (missing > 0 && run.ranks.front()->source == TraceSource::xplane)
        add_notice(run.notices,
                   {"empty_devices",
                    "%1 of %2 devices have no events: they are in no total and no mean"_text(missing, run.world_size),
                    {},
                    missing});
    else if (missing > 0)
        add_notice(run.notices,
                   {"missing_ranks",
                    "%1 of %2 ranks have no trace here: they are in no total and no mean"_text(missing, run.world_size),
                    {},
                    missing});
}

void note_other_settings(Run& run) {
    const auto told = [](const auto& rank) { return rank->world_size > 0 && rank->job == 0; };
    if (run.ranks.empty() || !std::ranges::all_of(run.ranks, told))
        return;
    std::vector<Message> wrong;
    if (const auto count = find_number(run.config, {"workload.hardware.xpu_spec.total_count"});
        count && count->value != run.world_size)
        wrong.push_back("total_count is %1"_text(fmt::format("{:g}", count->value)));
    const Parallelism plan = parallelism_of(run.config);
    double ranks = 1;
    for (const auto& size : {plan.dp_replicate, plan.dp_shard, plan.tp, plan.pp, plan.cp})
        ranks *= size && size->value >= 1 ? size->value : 1;
    if (std::fmod(run.world_size, ranks) != 0)
        wrong.push_back("its parallelism needs a multiple of %1 ranks"_text(fmt::format("{:g}", ranks)));
    if (!wrong.empty())
        add_notice(run.notices, {"settings_contradict",
                                 "the traces are of a job of %1 ranks, but by the card or configuration %2"_text(
                                     run.world_size, enumerated(wrong)),
                                 {},
                                 1});
}

void note_ranks(Run& run) {
    std::int64_t without_gpu = 0;
    bool launches = false;
    bool foreign = true;
    bool unread = false;
    for (const auto& rank : run.ranks) {
        for (Notice notice : rank->notices) {
            if (notice.code == "lost_gpu_work") // a reader does not know the rank yet
                notice.message =
                    "%1 launches of rank %2 have no GPU work; its computation and idle time are not comparable"_text(
                        notice.count, rank->rank);
            add_notice(run.notices, std::move(notice));
        }
        // Of an execution trace, which never has any, the notice no_times says what to open.
        if (rank->events.gpu_count > 0 || !rank->kernel_sums.empty() || rank->flight_recorder ||
            rank->source == TraceSource::memory_snapshot || rank->source == TraceSource::execution_trace)
            continue;
        ++without_gpu;
        launches = launches || has_only_launches(*rank);
        foreign = foreign && is_of_another_program(*rank);
        unread = unread || rank->accounting.of(NotShown::malformed) * 100 > rank->accounting.events_in_file;
    }
    if (without_gpu == 0)
        return;
    const auto ranks = run.ranks.size();
    add_notice(
        run.notices,
        {"no_gpu_events",
         unread ? "%1 of %2 ranks have no GPU events that could be read: times on the GPU are not known for them"_text(
                      without_gpu, ranks)
         : launches ? "%1 of %2 ranks have launches but no kernels: record with ProfilerActivity.CUDA, or nsys "
                      "--trace=cuda"_text(without_gpu, ranks)
         : foreign
             ? "%1 of %2 ranks have no event of a kind that torch.profiler writes: another program wrote the trace, "
               "which is shown, but not analysed"_text(without_gpu, ranks)
             : "%1 of %2 ranks have no GPU events: times on the GPU are not known for them"_text(without_gpu, ranks),
         {},
         without_gpu});
}

void note_several_devices(Run& run) {
    Message first;
    std::int64_t ranks = 0;
    for (const auto& rank : run.ranks) {
        std::set<std::int64_t> devices;
        for (const Lane& lane : rank->lanes)
            if (lane.kind == LaneKind::gpu_stream && lane.begin < lane.end)
                devices.insert(lane.device);
        if (devices.size() < 2)
            continue;
        ++ranks;
        if (first.empty())
            first =
                "rank %1 has GPU work of devices %2: its GPU is busy while any of them is, and idle while none is"_text(
                    rank->rank, fmt::format("{}", fmt::join(devices, ", ")));
    }
    if (ranks > 0)
        add_notice(run.notices, {"several_devices", std::move(first), {}, ranks});
}

void note_launches(Run& run) {
    std::vector<const RankTrace*> ranks;
    for (const auto& rank : run.ranks)
        if (rank->events.size() > 0)
            ranks.push_back(rank.get());
    std::ranges::sort(ranks, {}, [](const RankTrace* rank) { return rank->span.begin; });
    TimeNs longest = kOfOneLaunch;
    for (const RankTrace* const rank : ranks)
        longest = std::max(longest, rank->span.length());
    TimeNs end = std::numeric_limits<TimeNs>::max();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i > 0 && ranks[i]->span.begin - end > longest) {
            const auto numbers = [](std::span<const RankTrace* const> of) {
                std::vector<int> result;
                for (const RankTrace* const rank : of)
                    result.push_back(rank->rank);
                std::ranges::sort(result);
                return rank_words(result);
            };
            add_notice(
                run.notices,
                {"several_launches",
                 "the recordings of %1 end %2 before those of %3 start: the files may be of different launches, "
                 "and then their clocks and calls do not belong together"_text(
                     numbers(std::span(ranks).first(i)), time_words(static_cast<double>(ranks[i]->span.begin - end)),
                     numbers(std::span(ranks).subspan(i))),
                 {},
                 1});
            return;
        }
        end = i == 0 ? ranks[i]->span.end : std::max(end, ranks[i]->span.end);
    }
}

void note_missing_steps(Run& run) {
    std::map<int, std::set<std::int64_t>> all; // by job: each counts its own
    for (const auto& rank : run.ranks)
        for (const ProfilerStep& step : rank->steps)
            all[rank->job].insert(step.number);
    Message first;
    std::int64_t ranks = 0;
    for (const auto& rank : run.ranks) {
        if (rank->steps.empty())
            continue;
        std::set<std::int64_t> own;
        for (const ProfilerStep& step : rank->steps)
            own.insert(step.number);
        std::vector<std::int64_t> lacking;
        std::ranges::set_difference(all[rank->job], own, std::back_inserter(lacking));
        if (lacking.empty())
            continue;
        ++ranks;
        if (first.empty())
            first = lacking.size() == 1
                        ? "rank %1 lacks step %2 that other ranks have"_text(rank->rank, lacking.front())
                        : "rank %1 lacks step %2 and %3 more that other ranks have"_text(rank->rank, lacking.front(),
                                                                                         lacking.size() - 1);
    }
    if (ranks > 0)
        add_notice(run.notices, {"missing_steps", std::move(first), {}, ranks});
}

void note_cut_steps(Run& run) {
    Message first;
    std::int64_t ranks = 0;
    for (const auto& rank : run.ranks) {
        const ProfilerStep* step = cut_step(*rank);
        if (step == nullptr)
            continue;
        ++ranks;
        if (first.empty())
            first = "the recording of rank %1 stopped inside step %2, which does not count as a step"_text(
                rank->rank, step->number);
    }
    if (ranks > 0)
        add_notice(run.notices, {"cut_step", std::move(first), {}, ranks});
}

void note_digests(Run& run) {
    std::erase_if(
        run.notices, [](const Notice& notice) { return notice.code == "digests"; });
    if (const auto digests = std::ranges::count_if(run.ranks, [](const auto& rank) { return rank->digest != nullptr; });
        digests > 0)
        add_notice(run.notices,
                   {"digests",
                    "%1 of %2 ranks are digests: of their CPU events only those are there that launch or wait for GPU "
                    "work, and annotations"_text(digests, run.ranks.size()),
                    {},
                    digests});
}

} // namespace rankscope
