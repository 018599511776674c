// SPDX-License-Identifier: GPL-3.0-or-later
// Costs by counterfactual execution.
#include "tests/support/simulator/truth.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/simulator/rank_program.h"

namespace rankscope::machine {
namespace {

/// Groups whose transfers a slow connection slows down, beside the ranks that have it.
std::vector<int> concerned_by(const Job& job, const Program& program, const Fault& fault) {
    if (fault.kind == FaultKind::slow_group)
        return fault.ranks;
    const bool link = fault.kind == FaultKind::slow_link;
    if (!link && fault.kind != FaultKind::slow_card)
        return {};
    std::set<int> ranks;
    std::set<int> groups;
    for (const Transfer& transfer : program.transfers)
        groups.insert(transfer.group);
    for (const int index : groups) {
        const Group& group = program.groups[static_cast<std::size_t>(index)];
        if (group.dimension == Dimension::world) // a few bytes: no connection is slow for them
            continue;
        const auto in = [&](int rank) { return std::ranges::find(group.ranks, rank) != group.ranks.end(); };
        if (link ? std::ranges::all_of(fault.ranks, in) : std::ranges::any_of(fault.ranks, in))
            ranks.insert(group.ranks.begin(), group.ranks.end());
    }
    static_cast<void>(job);
    return {ranks.begin(), ranks.end()};
}

double bubble_of(const Job& job, const Program& program, const Execution& execution) {
    double idle = 0;
    const double from = execution.step_ends[static_cast<std::size_t>(job.steps_before) - 1];
    const double to = execution.step_ends.back();
    for (std::size_t r = 0; r < program.ranks.size(); ++r) {
        double busy = 0;
        for (std::size_t i = 0; i < program.ranks[r].size(); ++i) {
            const Timing& at = execution.ranks[r][i];
            if (program.ranks[r][i].kind == Instruction::Kind::launch && program.ranks[r][i].transfer < 0)
                busy += std::max(0.0, std::min(at.gpu_end, to) - std::max(at.gpu_begin, from));
        }
        idle += 1 - busy / (to - from);
    }
    return idle / static_cast<double>(program.ranks.size());
}

} // namespace

SimulatedJob simulate(const Job& job) {
    SimulatedJob made;
    made.program = program_of(job);
    made.execution = execute(made.program, job.traits);
    return made;
}

Job without(Job job, std::size_t fault) {
    Fault& removed = job.faults[fault];
    if (removed.kind == FaultKind::host_bound) {
        removed.factor = 0.02;
        return job;
    }
    job.even_stages = job.even_stages || removed.kind == FaultKind::uneven_stages;
    job.faults.erase(job.faults.begin() + static_cast<std::ptrdiff_t>(fault));
    return job;
}

double mean_recorded_step(const Job& job, const Execution& execution) {
    return execution.mean_step(job.steps_before, job.steps_before + job.steps - 1);
}

Truth truth_of(const Job& job, const Execution& execution) {
    Truth truth;
    truth.world = job.world();
    truth.step = mean_recorded_step(job, execution);
    for (int step = job.steps_before; step < job.steps_before + job.steps; ++step)
        truth.steps.push_back(execution.mean_step(step, step));
    const Program program = program_of(job);
    for (std::size_t i = 0; i < job.faults.size(); ++i) {
        const Fault& fault = job.faults[i];
        FaultTruth& told = truth.faults.emplace_back();
        told.kind = fault.kind;
        told.ranks = fault.ranks;
        told.concerned = concerned_by(job, program, fault);
        told.inherent = inherent(fault.kind);
        told.first_step = -1;
        for (int step = 0; step < job.steps; ++step)
            if (fault.strikes(step + job.steps_before, job.steps_before)) {
                told.first_step = told.first_step < 0 ? job.first_number + step : told.first_step;
                told.last_step = job.first_number + step;
                ++told.steps;
            }
        const Job healthier = without(job, i);
        told.cost = truth.step - mean_recorded_step(healthier, simulate(healthier).execution);
        told.cost_affected = told.steps > 0 ? told.cost * job.steps / told.steps : 0;
        told.share = told.cost / truth.step;
    }
    if (job.pp > 1 && !job.even_stages) {
        Job even = job;
        even.even_stages = true;
        truth.uneven_stages = truth.step - mean_recorded_step(even, simulate(even).execution);
    }
    truth.bubble = bubble_of(job, program, execution);
    return truth;
}

std::string truth_json(const std::string& name, const Job& job, const Truth& truth) {
    std::string faults;
    for (std::size_t i = 0; i < truth.faults.size(); ++i) {
        const FaultTruth& told = truth.faults[i];
        const Fault& fault = job.faults[i];
        faults += fmt::format(
            "{}\n  {{\"fault\": \"{}\", \"ranks\": [{}], \"concerned\": [{}], \"inherent\": {}, \"factor\": {}, "
            "\"time_us\": {:.3f}, \"kernel\": \"{}\", \"first_iteration\": {}, \"last_iteration\": {}, "
            "\"iterations_affected\": {}, \"cost_us_per_step\": {:.3f}, \"cost_us_per_affected_step\": {:.3f}, "
            "\"share_of_step\": {:.5f}}}",
            i > 0 ? "," : "", fault_word(told.kind), fmt::join(told.ranks, ", "), fmt::join(told.concerned, ", "),
            told.inherent, fault.factor, fault.time / 1e3, fault.kernel, told.first_step, told.last_step, told.steps,
            told.cost / 1e3, told.cost_affected / 1e3, told.share);
    }
    std::vector<std::string> steps;
    for (const double each : truth.steps)
        steps.push_back(fmt::format("{:.3f}", each / 1e3));
    return fmt::format(
        "{{\n \"name\": \"{}\",\n \"args\": {{\"seed\": {}, \"pp\": {}, \"dp\": {}, \"tp\": {}, \"order\": \"{}\", "
        "\"gpus_per_node\": {}, \"sched\": \"{}\", \"chunks\": {}, \"mb\": {}, \"layers\": {}, \"fsdp\": {}, \"moe\": "
        "{}, \"gnorm\": {}, \"eager\": {}, \"receives_wait\": {}, \"shared_links\": {}, \"sm_share\": {}, \"steps\": "
        "{}, \"step_end\": {}}},\n \"step_us\": {:.3f},\n \"period_us\": {:.3f},\n \"steps_us\": [{}],\n "
        "\"without_computation_percent\": {:.3f},\n \"uneven_stages_cost_us_per_step\": {:.3f},\n \"faults\": "
        "[{}]\n}}\n",
        name, job.seed, job.pp, job.dp, job.tp, job.pipeline_inside_data ? "dp,pp,tp" : "pp,dp,tp", job.gpus_per_node,
        job.pp > 1 ? schedule_word(job.schedule) : "none", job.chunks, job.microbatches, job.layers,
        job.data == DataParallel::fsdp, job.experts, job.global_norm, job.eager_messages, job.receives_wait,
        job.traits.shared_links, job.traits.sm_share, job.steps, static_cast<int>(job.step_end), truth.step / 1e3,
        truth.step / 1e3, fmt::join(steps, ", "), 100 * truth.bubble, truth.uneven_stages / 1e3, faults);
}

} // namespace rankscope::machine
