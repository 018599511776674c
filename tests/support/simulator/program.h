// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks of a job do, as the machine executes it: one sequence of host instructions a rank, and the transfers
// in which their communication kernels meet. Times are nanoseconds.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace rankscope::machine {

enum class GpuWork : std::uint8_t { compute, copy, communication };

/// What all launches of one kernel have in common.
struct KernelKind {
    std::string name;      ///< of the GPU event
    std::string operation; ///< the CPU operator that launches it
    std::string outer;     ///< the operator around that one; may be empty
    GpuWork work = GpuWork::compute;
    int blocks = 132;
    int threads = 256;
    std::int64_t bytes = 0; ///< of a copy
};

enum class Dimension : std::uint8_t { world, pipeline, data, tensor, expert };

struct Group {
    std::string name; ///< "Process Group Name"
    Dimension dimension = Dimension::world;
    std::vector<int> ranks;
};

enum class TransferKind : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, message };

/// Communication kernels that belong together. A collective moves its data once the kernels of all members have
/// started; until then they spin. A message has two members: the sender, the receiver.
struct Transfer {
    TransferKind kind = TransferKind::all_reduce;
    int group = 0; ///< index in Program::groups
    int step = 0;
    bool eager = false;                   ///< a message that leaves without its receiver
    std::vector<int> members;             ///< ranks
    std::vector<std::int64_t> elements;   ///< that each member puts in
    std::vector<std::int64_t> received;   ///< that each member gets out
    std::vector<std::vector<int>> splits; ///< all-to-all: rows that member i sends to member j
    double alone = 0;                     ///< time to move the data with the links to itself
    std::vector<int> links;               ///< what it shares with other transfers, by number
    std::vector<double> uses;             ///< of each of them: the share of what it carries, with the link to itself
    std::vector<double> tails;            ///< by which each member's kernel ends after the data has moved
    int element_bytes = 2;
    std::uint64_t key = 0; ///< draws of this transfer depend on it
};

struct Instruction {
    enum class Kind : std::uint8_t {
        work,        ///< the host computes
        launch,      ///< a kernel or copy goes to a stream
        record,      ///< an event at this point of a stream
        wait,        ///< a stream waits for an event
        synchronise, ///< the host waits for a stream (-1: for all of them)
        begin,       ///< of a recorded range
        end,
    };
    Kind kind = Kind::work;
    bool on_autograd_thread = false;
    bool recorded = false;        ///< work, synchronise: the trace shows it
    bool inserted = false;        ///< by a fault
    std::int16_t stream = -1;     ///< index in Program::streams
    std::int16_t step = 0;        ///< from 0, steps before the recording included
    std::int16_t microbatch = -1; ///< of a launch, where it belongs to one
    std::int16_t stage = -1;      ///< likewise
    std::int32_t kernel = -1;     ///< launch: index in Program::kernels
    std::int32_t event = -1;      ///< record, wait
    std::int32_t transfer = -1;   ///< launch of communication
    std::int32_t member = -1;     ///< this rank's place in the transfer
    std::int32_t name = -1;       ///< begin, end, recorded work or synchronise: index in Program::names
    double gap = 0;               ///< host time before the operator that no event shows
    double host = 0;              ///< host time of the operator or work
    double duration = 0;          ///< launch: GPU time, with the GPU to itself; communication: unused
};

struct Program {
    std::vector<KernelKind> kernels;
    std::vector<Group> groups;
    std::vector<int> streams; ///< their numbers in the trace; 0 is the one that computes
    std::vector<std::string> names;
    std::vector<Transfer> transfers;
    std::vector<std::vector<Instruction>> ranks;
    std::vector<int> events; ///< number of events of each rank
    int steps = 0;
    int link_count = 0;
};

} // namespace rankscope::machine
