// SPDX-License-Identifier: GPL-3.0-or-later
// Words for faults, and who is in which group.
#include "tests/support/simulator/job.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace rankscope::machine {

std::string_view fault_word(FaultKind kind) {
    switch (kind) {
    case FaultKind::slow_gpu: return "slow_gpu";
    case FaultKind::slow_kernel: return "slow_kernel";
    case FaultKind::slow_link: return "slow_link";
    case FaultKind::slow_card: return "slow_card";
    case FaultKind::slow_group: return "slow_group";
    case FaultKind::slow_dimension: return "slow_dimension";
    case FaultKind::stall_before_load: return "stall_before_load";
    case FaultKind::stall_in_load: return "stall_in_load";
    case FaultKind::late_data: return "late_data";
    case FaultKind::garbage_collection: return "garbage_collection";
    case FaultKind::synchronisation: return "synchronisation";
    case FaultKind::slow_host: return "slow_host";
    case FaultKind::host_bound: return "host_bound";
    case FaultKind::allocation: return "allocation";
    case FaultKind::uneven_stages: return "uneven_stages";
    case FaultKind::uneven_experts: break;
    }
    return "uneven_experts";
}

bool inherent(FaultKind kind) { return kind == FaultKind::uneven_stages || kind == FaultKind::host_bound; }

bool Fault::hits(int rank) const { return ranks.empty() || std::ranges::find(ranks, rank) != ranks.end(); }

std::vector<int> group_of(const Job& job, Dimension dimension, int rank) {
    std::vector<int> ranks;
    for (int other = 0; other < job.world(); ++other) {
        const bool stage = job.pipeline_rank(other) == job.pipeline_rank(rank);
        const bool data = job.data_rank(other) == job.data_rank(rank);
        const bool tensor = job.tensor_rank(other) == job.tensor_rank(rank);
        const bool in = dimension == Dimension::world      ? true
                        : dimension == Dimension::pipeline ? data && tensor
                        : dimension == Dimension::tensor   ? stage && data
                                                           : stage && tensor;
        if (in)
            ranks.push_back(other);
    }
    return ranks;
}

std::vector<Group> groups_of(const Job& job) {
    std::vector<Group> groups;
    std::vector<Dimension> dimensions{Dimension::world};
    if (job.pp > 1)
        dimensions.push_back(Dimension::pipeline);
    if (job.dp > 1)
        dimensions.push_back(Dimension::data);
    if (job.tp > 1)
        dimensions.push_back(Dimension::tensor);
    if (job.experts && job.dp > 1)
        dimensions.push_back(Dimension::expert);
    for (const Dimension dimension : dimensions) {
        std::set<std::vector<int>> seen;
        for (int rank = 0; rank < job.world(); ++rank)
            if (const auto ranks = group_of(job, dimension, rank); seen.insert(ranks).second)
                groups.push_back({std::to_string(groups.size()), dimension, ranks});
    }
    return groups;
}

} // namespace rankscope::machine
