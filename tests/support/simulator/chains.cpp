// SPDX-License-Identifier: GPL-3.0-or-later
// Waits with the fault and without.
#include "tests/support/simulator/chains.h"

#include <algorithm>
#include <map>

namespace rankscope::machine {
namespace {

struct Arrival {
    int rank = -1;
    double time = -1;
};

/// Of each transfer, by member.
std::vector<std::vector<Arrival>> arrivals_of(const SimulatedJob& simulated) {
    const Program& program = simulated.program;
    std::vector<std::vector<Arrival>> arrivals(program.transfers.size());
    for (std::size_t t = 0; t < arrivals.size(); ++t)
        arrivals[t].resize(program.transfers[t].members.size());
    for (std::size_t r = 0; r < program.ranks.size(); ++r)
        for (std::size_t i = 0; i < program.ranks[r].size(); ++i) {
            const Instruction& each = program.ranks[r][i];
            if (each.transfer >= 0)
                arrivals[static_cast<std::size_t>(each.transfer)][static_cast<std::size_t>(each.member)] = {
                    static_cast<int>(r), simulated.execution.ranks[r][i].gpu_begin};
        }
    return arrivals;
}

const Arrival& last_of(const std::vector<Arrival>& arrivals) {
    return *std::ranges::max_element(arrivals, {}, &Arrival::time);
}

/// Of each member until the last one comes; who sends a message that leaves without its receiver waits for nobody.
double wait_of(const Transfer& transfer, const std::vector<Arrival>& arrivals, std::size_t member) {
    if (transfer.eager && member == 0)
        return 0;
    return last_of(arrivals).time - arrivals[member].time;
}

double waiting_of(const Transfer& transfer, const std::vector<Arrival>& arrivals) {
    double sum = 0;
    for (std::size_t m = 0; m < arrivals.size(); ++m)
        sum += wait_of(transfer, arrivals, m);
    return sum;
}

} // namespace

FaultWaits fault_waits(const Job& job, const FaultTruth& fault, const SimulatedJob& with) {
    const SimulatedJob well = simulate(without(job, 0));
    const auto arrivals = arrivals_of(with);
    const auto arrivals_well = arrivals_of(well);
    const auto concerned = [&](int rank) {
        return std::ranges::find(fault.ranks, rank) != fault.ranks.end() ||
               std::ranges::find(fault.concerned, rank) != fault.concerned.end();
    };
    std::vector<std::size_t> order;
    for (std::size_t t = 0; t < arrivals.size(); ++t)
        if (!arrivals[t].empty() && arrivals[t].front().rank >= 0)
            order.push_back(t);
    std::ranges::sort(order, {}, [&](std::size_t t) { return last_of(arrivals[t]).time; });
    FaultWaits result;
    std::map<int, std::vector<std::pair<double, int>>> passed; // per rank: end of a wait for the fault, its depth
    for (const std::size_t t : order) {
        const Transfer& transfer = with.program.transfers[t];
        const double waited = waiting_of(transfer, arrivals[t]);
        const double added = waited - waiting_of(transfer, arrivals_well[t]);
        if (waited < kShortestChain)
            continue;
        const Arrival& last = last_of(arrivals[t]);
        if (added < kHardly * waited && transfer.step >= job.steps_before)
            result.of_others.push_back({static_cast<int>(t), last.rank, waited, added, 0});
        if (added < kMostly * waited)
            continue;
        WaitChain chain{static_cast<int>(t), last.rank, waited, added, 1};
        if (!concerned(last.rank)) {
            // The latest wait for the fault that the rank came from.
            int before = 1;
            for (const auto& [time, depth] : passed[last.rank])
                before = time <= last.time ? depth : before;
            chain.depth = before + 1;
        }
        for (std::size_t m = 0; m < arrivals[t].size(); ++m)
            if (wait_of(transfer, arrivals[t], m) > kShortestChain / 4)
                passed[arrivals[t][m].rank].emplace_back(last.time, chain.depth);
        if (transfer.step >= job.steps_before)
            result.of_fault.push_back(chain);
    }
    return result;
}

std::int64_t recorded_start(const SimulatedJob& simulated, const Recording& recording, int transfer, int rank) {
    const auto& instructions = simulated.program.ranks[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].transfer == transfer)
            return recorded_time(recording, rank,
                                 simulated.execution.ranks[static_cast<std::size_t>(rank)][i].gpu_begin);
    return -1;
}

} // namespace rankscope::machine
