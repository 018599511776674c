// SPDX-License-Identifier: GPL-3.0-or-later
// Who talks to whom in a simulated run: its process groups, and which tasks of different ranks are one call.
#pragma once
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "core/demo/training_program.h"

namespace rankscope {

/// Process groups of the run: the default one, then those of each dimension that has more than one member.
class Groups {
public:
    explicit Groups(const SimulatorOptions& options);
    /// Index in all() of the rank's group; -1 where that dimension has one member.
    [[nodiscard]] int of(int rank, Dimension dimension) const {
        return by_rank_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(dimension)];
    }
    [[nodiscard]] const std::vector<ProcessGroup>& all() const { return groups_; }

private:
    void add_if_first(const SimulatorOptions& options, Dimension dimension, int rank);

    std::vector<ProcessGroup> groups_;
    std::vector<std::array<int, kDimensionCount>> by_rank_;
};

/// Tokens that the rank's experts get, of what they would where tokens fall evenly.
double expert_load(const SimulatorOptions& options, int rank);

/// The calls of the run: the n-th call of a group, or the n-th message of a sender to a receiver, is one for all
/// members.
class Calls {
public:
    Calls(const SimulatorOptions& options, TrainingProgram& program) : options_(options), program_(program) {}
    /// Makes the task a member of its call, which the first member opens.
    void join(std::uint32_t rank, std::uint32_t task_index);

private:
    struct Channel {
        std::vector<std::int32_t> calls;
        std::map<int, std::size_t> joined;
    };
    std::int32_t open_call(const KernelSpec& spec, std::uint16_t step, int sender, int receiver);

    const SimulatorOptions& options_;
    TrainingProgram& program_;
    std::map<std::tuple<int, int, int>, Channel> channels_; ///< by group, sender, receiver (-1 for collectives)
};

} // namespace rankscope
