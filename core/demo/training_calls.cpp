// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks to whom in a simulated run: the mesh, its process groups, the calls they make.
#include "core/demo/training_calls.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rankscope {

MeshPlace mesh_place(const SimulatorOptions& o, int rank) {
    return {rank / (o.dp * o.tp), rank / o.tp % o.dp, rank % o.tp};
}

int rank_at(const SimulatorOptions& o, MeshPlace place) { return (place.pp * o.dp + place.dp) * o.tp + place.tp; }

Groups::Groups(const SimulatorOptions& o) : by_rank_(static_cast<std::size_t>(o.world_size()), {-1, -1, -1, -1}) {
    std::vector<int> all;
    for (int rank = 0; rank < o.world_size(); ++rank)
        all.push_back(rank);
    groups_.push_back({"0", "default_pg", all, o.world_size()});
    for (const Dimension dimension : {Dimension::pipeline, Dimension::data, Dimension::tensor})
        for (const int rank : all)
            add_if_first(o, dimension, rank);
    for (int rank = 0; o.experts && rank < o.world_size(); ++rank)
        add_if_first(o, Dimension::expert, rank);
}

double expert_load(const SimulatorOptions& o, int rank) {
    const MeshPlace place = mesh_place(o, rank);
    for (const Fault& fault : o.faults) {
        const MeshPlace hot = mesh_place(o, std::max(0, fault.rank));
        if (fault.cause == FaultCause::expert_imbalance && hot.pp == place.pp && hot.tp == place.tp)
            return (hot.dp == place.dp ? fault.factor : 1) * o.dp / (o.dp - 1 + fault.factor);
    }
    return 1;
}

/// Adds the group of that dimension whose first member the rank is.
void Groups::add_if_first(const SimulatorOptions& o, Dimension dimension, int rank) {
    MeshPlace place = mesh_place(o, rank);
    int& along = dimension == Dimension::pipeline ? place.pp : dimension == Dimension::tensor ? place.tp : place.dp;
    const int size = dimension == Dimension::pipeline ? o.pp : dimension == Dimension::tensor ? o.tp : o.dp;
    if (size == 1 || along != 0)
        return;
    const int index = static_cast<int>(groups_.size());
    ProcessGroup group{std::to_string(index), fmt::format("mesh_{}", dimension_word(dimension)), {}, size};
    for (along = 0; along < size; ++along) {
        group.ranks.push_back(rank_at(o, place));
        by_rank_[static_cast<std::size_t>(group.ranks.back())][static_cast<std::size_t>(dimension)] = index;
    }
    groups_.push_back(std::move(group));
}

void Calls::join(std::uint32_t rank, std::uint32_t task_index) {
    RankProgram& program = program_.run.ranks[rank];
    GpuTask& task = program.tasks[task_index];
    const KernelSpec& spec = program.spec_of(task);
    const int own = program.rank;
    const bool message = spec.peer >= 0;
    const int sender = !message ? -1 : spec.collective == "send" ? own : spec.peer;
    const int receiver = !message ? -1 : spec.collective == "send" ? spec.peer : own;
    Channel& channel = channels_[{spec.group, sender, receiver}];
    const std::size_t number = channel.joined[own]++;
    if (number == channel.calls.size())
        channel.calls.push_back(open_call(spec, task.step, sender, receiver));
    task.sequence = static_cast<std::int32_t>(number);
    task.call = channel.calls[number];
    const std::vector<int>& ranks = program_.run.truth.collectives[static_cast<std::size_t>(task.call)].ranks;
    const auto place = std::find(ranks.begin(), ranks.end(), own) - ranks.begin();
    program_.members[static_cast<std::size_t>(task.call)][static_cast<std::size_t>(place)] = {rank, task_index};
}

std::int32_t Calls::open_call(const KernelSpec& spec, std::uint16_t step, int sender, int receiver) {
    CollectiveTruth call;
    call.collective = sender >= 0 ? "send" : spec.collective;
    call.dimension = spec.dimension;
    call.group = spec.group;
    call.step = options_.first_step + step;
    call.elements = spec.elements;
    call.bytes = spec.elements * dtype_bytes(spec.dtype);
    call.ranks = sender >= 0 ? std::vector<int>{sender, receiver}
                             : program_.run.truth.groups[static_cast<std::size_t>(spec.group)].ranks;
    call.starts.assign(call.ranks.size(), kUnresolved);
    const auto members = static_cast<double>(call.ranks.size());
    double rounds = sender >= 0 ? 1 : 2 * (members - 1) / members;
    if (spec.dimension == Dimension::expert) { // who moves most holds up all
        double most = 0;
        for (const int rank : call.ranks)
            most = std::max(most, expert_load(options_, rank));
        call.bytes = options_.expert_elements * dtype_bytes(spec.dtype);
        rounds = most * (members - 1) / members;
    }
    const double bandwidth = spec.dimension == Dimension::tensor ? options_.intra_node_gb_s : options_.inter_node_gb_s;
    call.transfer = options_.collective_latency + std::llround(static_cast<double>(call.bytes) * rounds / bandwidth);
    for (const Fault& fault : options_.faults) {
        const std::vector<int>& ranks_of_group = program_.run.truth.groups[static_cast<std::size_t>(spec.group)].ranks;
        const bool hit = fault.rank == Fault::kAllRanks ||
                         std::find(ranks_of_group.begin(), ranks_of_group.end(), fault.rank) != ranks_of_group.end();
        if (fault.cause == FaultCause::slow_link && fault.dimension == spec.dimension && hit)
            call.transfer = std::llround(static_cast<double>(call.transfer) * fault.factor);
    }
    call.end = kUnresolved;
    program_.members.emplace_back(call.ranks.size());
    program_.run.truth.collectives.push_back(std::move(call));
    return static_cast<std::int32_t>(program_.members.size() - 1);
}

} // namespace rankscope
