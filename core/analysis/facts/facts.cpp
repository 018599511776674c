// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the facts of a run together.
#include "core/analysis/facts/facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/collectives/machines.h"
#include "core/analysis/steps/step_work.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

/// One step of one rank.
StepFill fill_of(const StepParts& parts, const IdleParts& idle) {
    StepFill fill;
    const auto set = [&](StepShare part, TimeNs time) { fill[part] = static_cast<double>(time); };
    fill.step_ns = static_cast<double>(parts.wall);
    set(StepShare::computation, parts.compute);
    set(StepShare::exposed_communication, parts.transfer);
    set(StepShare::waiting, parts.wait);
    set(StepShare::bubble, parts.bubble);
    set(StepShare::copies, parts.copies);
    set(StepShare::launching, idle.launching);
    set(StepShare::host, idle.host);
    set(StepShare::unrecorded, idle.unrecorded);
    return fill;
}

/// Steps of a serving engine differ, and where their names do not tell, they may.
/// StepFacts::work by the number of the step; empty where all steps are alike. What is not known, or not alike on all
/// ranks, is like nothing else.
std::map<std::int64_t, std::size_t> work_of_steps(const Run& run) {
    constexpr std::size_t kMostKinds = 1000; // an engine has some dozens
    std::vector<EngineStepName> kinds;
    std::map<std::int64_t, std::set<std::size_t>> kinds_of; // on its ranks
    std::size_t unlike = 0;
    for (const auto& rank : run.ranks) {
        const std::vector<std::optional<EngineStepName>> work = step_work(*rank);
        for (std::size_t s = 0; s < work.size(); ++s) {
            const auto known = std::ranges::find_if(
                kinds, [&](const EngineStepName& kind) { return work[s] && is_like_work(*work[s], kind); });
            const bool told = work[s] && (known != kinds.end() || kinds.size() < kMostKinds);
            kinds_of[rank->steps[s].number].insert(told ? static_cast<std::size_t>(known - kinds.begin()) : kMostKinds);
            if (told && known == kinds.end())
                kinds.push_back(*work[s]);
        }
    }
    std::map<std::int64_t, std::size_t> result;
    for (const auto& [number, of_ranks] : kinds_of) {
        const bool told = of_ranks.size() == 1 && *of_ranks.begin() < kMostKinds;
        result[number] = told ? *of_ranks.begin() : kMostKinds + unlike++;
    }
    return result;
}

std::vector<HostWhileIdle> hosts_while_idle(const FactInputs& inputs) {
    return per_rank<HostWhileIdle>(
        inputs.run,
        [&](const RankTrace& rank, std::size_t r) {
            return host_while_idle(rank, inputs.ranks[r].gpu_work, inputs.steps.windows[r],
                                   bubbles_of(inputs.pipeline, static_cast<std::uint32_t>(r)));
        });
}

/// Of the selected steps of all ranks that follow each other by number.
void measure_between_steps(const FactInputs& inputs, Facts& facts) {
    std::map<std::int64_t, std::pair<double, double>> before; // by number of the later one: ns, ranks
    for (const RankAnalysis& rank : inputs.ranks)
        for (std::size_t s = 1; s < rank.steps.size(); ++s)
            if (rank.steps[s].number == rank.steps[s - 1].number + 1) {
                auto& [sum, ranks] = before[rank.steps[s].number];
                sum +=
                    static_cast<double>(std::max<TimeNs>(0, rank.steps[s].range.begin - rank.steps[s - 1].range.end));
                ++ranks;
            }
    double all = 0;
    double count = 0;
    for (const auto& [number, sum] : before) {
        all += sum.first;
        count += sum.second;
        const auto step = std::ranges::lower_bound(facts.by_step, number, {}, &StepFacts::number);
        if (step != facts.by_step.end() && step->number == number)
            step->before_ns = sum.first / sum.second;
    }
    facts.between_steps_ns = count > 0 ? all / count : 0;
}

/// Of the jobs that are shown side by side, mostly one.
int job_of(const FactInputs& inputs, const RankFacts& rank) { return inputs.run.ranks[rank.index]->job; }

/// Places in Facts::ranks, by job and pipeline stage; of ranks without a stage all together.
std::map<std::pair<int, int>, std::vector<std::size_t>> ranks_by_stage(const FactInputs& inputs,
                                                                       const std::vector<RankFacts>& ranks) {
    std::map<std::pair<int, int>, std::vector<std::size_t>> stages;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto& known = inputs.pipeline.stages;
        const int stage = ranks[i].index < known.size() ? known[ranks[i].index] : -1;
        stages[{job_of(inputs, ranks[i]), stage}].push_back(i);
    }
    return stages;
}

void compare_computation(const std::vector<std::size_t>& peers, std::vector<RankFacts>& ranks) {
    if (peers.size() < 2)
        return;
    std::vector<double> computation;
    for (const std::size_t i : peers)
        computation.push_back(ranks[i].fill[StepShare::computation]);
    std::ranges::sort(computation);
    for (const std::size_t i : peers) {
        RankFacts& rank = ranks[i];
        const double own = rank.fill[StepShare::computation];
        const double median = middle_median_of_others(computation, own);
        rank.computation_excess_ns = own - median;
        if (median > 0)
            rank.computation_ratio_to_peers = own / median;
    }
}

void compare_kernels(const FactInputs& inputs, const std::vector<std::size_t>& peers, std::vector<RankFacts>& ranks) {
    struct OnRank {
        std::size_t place; ///< in Facts::ranks
        double mean;
        double total;
    };
    struct OfKind {
        double total = 0;
        double of_peers = 0;
    };
    std::map<NameId, std::vector<OnRank>> by_name;
    for (const std::size_t i : peers)
        for (const KernelStatistics& kernel : inputs.kernels[ranks[i].index])
            if (kernel.kernel_class == KernelClass::compute && kernel.mean > 0)
                by_name[kernel.name].push_back({i, kernel.mean, static_cast<double>(kernel.total)});
    std::map<std::size_t, std::vector<std::pair<double, double>>> ratios; // by place: ratio, the rank's time
    std::map<std::size_t, std::map<ComputeKind, OfKind>> kinds;           // by place
    for (const auto& [name, on_ranks] : by_name) {
        if (on_ranks.size() < 2)
            continue;
        std::vector<double> sorted;
        for (const OnRank& each : on_ranks)
            sorted.push_back(each.mean);
        std::ranges::sort(sorted);
        const ComputeKind kind = compute_kind(inputs.run.ranks[ranks[on_ranks.front().place].index]->names->view(name));
        for (const OnRank& each : on_ranks) {
            const double ratio = each.mean / middle_median_of_others(sorted, each.mean);
            ratios[each.place].emplace_back(ratio, each.total);
            OfKind& sum = kinds[each.place][kind];
            sum.total += each.total;
            sum.of_peers += each.total / ratio;
        }
    }
    for (auto& [place, own] : ratios)
        ranks[place].kernel_ratio_to_peers = weighted_median(std::move(own));
    for (const auto& [place, of_rank] : kinds)
        for (const auto& [kind, sum] : of_rank) {
            RankFacts& rank = ranks[place];
            const double excess = (sum.total - sum.of_peers) / static_cast<double>(rank.steps);
            if (excess > (rank.slowest_kernels ? rank.slowest_kernels->excess_ns : 0))
                rank.slowest_kernels = KernelsBesidePeers{kind, sum.total / sum.of_peers, excess};
        }
}

/// Without steps, ranks that do the same but meet in more or fewer calls were recorded for longer or shorter: what they
/// compute in all does not compare.
bool are_recorded_alike(const FactInputs& inputs, const std::vector<std::size_t>& peers,
                        const std::vector<RankFacts>& ranks) {
    if (inputs.steps.unit != StepAccount::Unit::window)
        return true;
    std::set<std::int64_t> calls;
    for (const std::size_t i : peers) {
        std::int64_t of_rank = 0;
        for (const KernelStatistics& kernel : inputs.kernels[ranks[i].index])
            of_rank += kernel.kernel_class == KernelClass::communication ? kernel.count : 0;
        calls.insert(of_rank);
    }
    return calls.size() <= 1;
}

void compare_ranks(const FactInputs& inputs, std::vector<RankFacts>& ranks) {
    if (inputs.of_time_range && inputs.steps.unit == StepAccount::Unit::window)
        return; // no step is whole: each rank has what happens to lie in the range, cut at its ends
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        all.push_back(i);
    const auto stages = ranks_by_stage(inputs, ranks);
    const bool lone = std::ranges::any_of(stages, [](const auto& stage) { return stage.second.size() < 2; });
    for (const auto& [stage, peers] : stages) {
        if (are_recorded_alike(inputs, peers, ranks))
            compare_computation(peers, ranks);
        if (!lone)
            compare_kernels(inputs, peers, ranks);
    }
    if (lone)
        compare_kernels(inputs, all, ranks);
}

/// Stages of a pipeline may come to a call one after the other: what is late is what comes after its peers do.
void subtract_lateness_of_peers(const FactInputs& inputs, std::vector<RankFacts>& ranks) {
    for (const auto& [stage, peers] : ranks_by_stage(inputs, ranks)) {
        std::vector<double> late;
        for (const std::size_t i : peers)
            late.push_back(ranks[i].late_alone_ns);
        std::ranges::sort(late);
        for (const std::size_t i : peers)
            if (double& own = ranks[i].late_alone_ns; peers.size() > 1)
                own = std::max(0.0, own - middle_median_of_others(late, own));
    }
}

void note_lateness(const FactInputs& inputs, Facts& facts) {
    const StragglerAnalysis& stragglers = inputs.stragglers;
    std::map<std::uint32_t, std::vector<double>> lags; // of the calls a rank is last to
    std::map<std::uint32_t, double> alone;
    for (const CallLag& call : stragglers.calls) {
        alone[call.last_rank] += static_cast<double>(call.apart);
        if (call.lag > 0)
            lags[call.last_rank].push_back(static_cast<double>(call.lag));
    }
    double all_steps = 0;
    std::map<int, double> steps_of_job;
    std::map<int, std::int64_t> ranks_of_job;
    for (const RankFacts& rank : facts.ranks) {
        ++ranks_of_job[job_of(inputs, rank)];
        all_steps += static_cast<double>(rank.steps);
        steps_of_job[job_of(inputs, rank)] += static_cast<double>(rank.steps);
    }
    for (std::size_t i = 0; i < facts.ranks.size(); ++i) {
        RankFacts& rank = facts.ranks[i];
        if (rank.index < stragglers.ranks.size()) {
            rank.calls = stragglers.ranks[rank.index].calls;
            rank.times_last = stragglers.ranks[rank.index].times_last;
            rank.meets_all = stragglers.ranks[rank.index].meets + 1 >= ranks_of_job[job_of(inputs, rank)];
        }
        if (const auto own = lags.find(rank.index); own != lags.end())
            rank.median_lag_ns = middle_median(own->second);
        rank.late_alone_ns = alone[rank.index] / static_cast<double>(rank.steps);
        // RankSteps::caused_wait is a mean over the steps of all ranks.
        const double others = steps_of_job[job_of(inputs, rank)] - static_cast<double>(rank.steps);
        if (others > 0)
            rank.wait_caused_ns = inputs.steps.ranks[i].caused_wait * all_steps / others;
    }
    subtract_lateness_of_peers(inputs, facts.ranks);
}

std::vector<HostFact> host_facts(const FactInputs& inputs, const std::vector<HostWhileIdle>& hosts) {
    using Key = std::tuple<HostActivityKind, std::string_view, std::string_view>;
    std::map<Key, HostFact> sums;
    double all_steps = 0;
    for (std::size_t r = 0; r < hosts.size(); ++r) {
        const RankTrace& rank = *inputs.run.ranks[r];
        const auto steps = static_cast<double>(hosts[r].steps.size());
        all_steps += steps;
        std::map<Key, double> of_rank; // one name may be of several kinds of events
        for (const HostActivity& activity : hosts[r].activities) {
            const Key key{activity.kind, rank.names->view(activity.name), rank.names->view(activity.inside)};
            HostFact& sum = sums[key];
            of_rank[key] += static_cast<double>(activity.time) / steps;
            sum.mean_ns += static_cast<double>(activity.time);
            sum.gaps += activity.gaps;
            if (sum.longest_event == kNoEvent || activity.longest.length() > sum.longest.length()) {
                sum.longest = activity.longest;
                sum.longest_rank = static_cast<std::uint32_t>(r);
                sum.longest_event = activity.event;
            }
        }
        for (const auto& [key, time] : of_rank)
            if (HostFact& sum = sums[key]; time > sum.most_ns) {
                sum.most_ns = time;
                sum.most_rank = rank.rank;
            }
    }
    std::vector<HostFact> facts;
    for (auto& [key, sum] : sums) {
        sum.kind = std::get<0>(key);
        sum.name = std::get<1>(key);
        sum.inside = std::get<2>(key);
        sum.mean_ns /= all_steps;
        facts.push_back(std::move(sum));
    }
    std::ranges::stable_sort(facts, std::greater<>(), &HostFact::mean_ns);
    return facts;
}

} // namespace

std::string_view step_share_word(StepShare part) {
    constexpr std::array<std::string_view, kStepShareCount> kWords{
        "computation", "exposed communication", "waiting for other ranks", "pipeline bubbles",
        "copies",      "launch delays",         "waiting for the host",    "cause not recorded"};
    return kWords[static_cast<std::size_t>(part)];
}

void StepFill::add(const StepFill& other) {
    step_ns += other.step_ns;
    for (std::size_t i = 0; i < kStepShareCount; ++i)
        part_ns[i] += other.part_ns[i];
}

StepFill StepFill::over(double count) const {
    StepFill mean = *this;
    mean.step_ns /= count;
    for (double& part : mean.part_ns)
        part /= count;
    return mean;
}

const RankFacts* Facts::of_rank(int rank) const {
    const auto found = std::ranges::find(ranks, rank, &RankFacts::rank);
    return found == ranks.end() ? nullptr : &*found;
}

namespace {

UnseenMembers unseen_members(const Run& run, const StepAccount& account) {
    if (std::ranges::any_of(account.untraced, std::identity()))
        return UnseenMembers::no_trace;
    const bool all_joined = std::ranges::all_of(account.calls, [](const auto& calls) {
        return std::ranges::all_of(calls, [](const auto& kind) { return kind.second.unseen_exposed <= 0; });
    });
    return all_joined              ? UnseenMembers::none
           : run.ranks.size() == 1 ? UnseenMembers::no_trace
                                   : UnseenMembers::not_joined;
}

} // namespace

Facts read_facts(const FactInputs& inputs) {
    count_work("read_facts");
    const StepAccount& account = inputs.steps;
    Facts facts;
    facts.unit = account.unit;
    facts.behind_queued_work =
        facts.unit == StepAccount::Unit::window &&
        std::ranges::any_of(inputs.ranks, [](const RankAnalysis& rank) { return rank.queued_until.has_value(); });
    facts.unseen_members = unseen_members(inputs.run, account);
    const std::vector<HostWhileIdle> hosts = hosts_while_idle(inputs);
    double all_steps = 0;
    std::map<std::int64_t, StepFacts> by_step;
    for (std::uint32_t r = 0; r < account.parts.size(); ++r) {
        if (account.parts[r].empty())
            continue;
        RankFacts& rank = facts.ranks.emplace_back();
        rank.rank = inputs.run.ranks[r]->rank;
        rank.index = r;
        const std::set<std::int64_t> machine = inputs.machines.of(std::array{rank.rank});
        if (!machine.empty())
            rank.machine = *machine.begin();
        rank.steps = static_cast<std::int64_t>(account.parts[r].size());
        for (std::size_t s = 0; s < account.parts[r].size(); ++s) {
            const StepFill fill = fill_of(account.parts[r][s], hosts[r].steps[s]);
            rank.fill.add(fill);
            StepFacts& step = by_step[account.numbers[r][s]];
            ++step.ranks;
            step.fill.add(fill);
        }
        facts.fill.add(rank.fill);
        all_steps += static_cast<double>(rank.steps);
        facts.steps = std::max(facts.steps, rank.steps);
        rank.fill = rank.fill.over(static_cast<double>(rank.steps));
    }
    if (facts.ranks.empty())
        return facts;
    facts.fill = facts.fill.over(all_steps);
    const std::map<std::int64_t, std::size_t> work = work_of_steps(inputs.run);
    for (auto& [number, step] : by_step) {
        const auto own = work.find(number);
        facts.by_step.push_back({.number = number,
                                 .ranks = step.ranks,
                                 .fill = step.fill.over(static_cast<double>(step.ranks)),
                                 .work = own == work.end() ? 0 : own->second});
        facts.alike_steps = facts.alike_steps && facts.by_step.back().work == facts.by_step.front().work;
    }
    if (facts.unit == StepAccount::Unit::profiler_steps)
        measure_between_steps(inputs, facts);
    if (std::ranges::all_of(facts.ranks, [](const RankFacts& rank) { return rank.machine.has_value(); })) {
        std::set<std::int64_t> machines;
        for (const RankFacts& rank : facts.ranks)
            machines.insert(*rank.machine);
        facts.machines = machines.size();
    }
    compare_ranks(inputs, facts.ranks);
    note_lateness(inputs, facts);
    facts.host = host_facts(inputs, hosts);
    return facts;
}

} // namespace rankscope
