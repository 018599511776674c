// SPDX-License-Identifier: GPL-3.0-or-later
// Every finding that there is: its code and cause, whether it is a fault, what it means and what to do.
// docs/finding-kinds.md is made of it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace rankscope {

/// Codes and causes in the order of their words. The enumerator is the word.
// clang-format off
#define RANKSCOPE_FINDING_CODES(CODE) \
    CODE(allocation_churn) CODE(clock_misfit) CODE(data_loading) CODE(engine_pauses) CODE(expert_imbalance) \
    CODE(exposed_communication) CODE(exposed_copies) CODE(first_iteration) CODE(first_use) \
    CODE(garbage_collection) CODE(gpu_idle) CODE(host_bound) CODE(host_pauses) CODE(launch_delay) \
    CODE(pipeline_bubble) CODE(slow_link) CODE(slower_steps) CODE(straggler) CODE(synchronisation) \
    CODE(uneven_microbatches) CODE(uneven_stages) CODE(uneven_work)
#define RANKSCOPE_FINDING_CAUSES(CAUSE) \
    CAUSE(allocation) CAUSE(below_hardware) CAUSE(communication) CAUSE(computation) CAUSE(copies) \
    CAUSE(data_loading) CAUSE(garbage_collection) CAUSE(host_bound) CAUSE(idle) CAUSE(jump) CAUSE(late_start) \
    CAUSE(more_kernels) CAUSE(slow_card) CAUSE(slow_previous_collective) CAUSE(slower_copies) \
    CAUSE(slower_kernels) CAUSE(synchronisation) CAUSE(unexplained) CAUSE(waiting)
// clang-format on

#define RANKSCOPE_ENUMERATOR(name) name,
enum class FindingCode : std::uint8_t { RANKSCOPE_FINDING_CODES(RANKSCOPE_ENUMERATOR) };
enum class FindingCause : std::uint8_t { none, RANKSCOPE_FINDING_CAUSES(RANKSCOPE_ENUMERATOR) };
#undef RANKSCOPE_ENUMERATOR

#define RANKSCOPE_WORD(name) #name,
inline constexpr auto kFindingCodes = std::to_array<std::string_view>({RANKSCOPE_FINDING_CODES(RANKSCOPE_WORD)});
inline constexpr auto kFindingCauses = std::to_array<std::string_view>({"", RANKSCOPE_FINDING_CAUSES(RANKSCOPE_WORD)});
#undef RANKSCOPE_WORD

constexpr std::string_view code_word(FindingCode code) { return kFindingCodes[static_cast<std::size_t>(code)]; }
/// Empty: none.
constexpr std::string_view cause_word(FindingCause cause) { return kFindingCauses[static_cast<std::size_t>(cause)]; }

/// fault: of a rank, a link or the host. costly: a fault where it costs kUnhealthy of a step or more, else inherent.
/// either: the sentence says which. inherent: what the program is made of costs it. doubt: no cost; it makes other
/// numbers doubtful.
enum class FindingNature : std::uint8_t { fault, costly, either, inherent, doubt };

/// What a cost cannot exceed (held_to_facts.h). idle_time: of the GPUs that wait for the host. transfers: what no
/// communication at all of the same ranks would save.
enum class CostBound : std::uint8_t { none, idle_time, transfers };

struct FindingKind {
    FindingCode code;
    FindingCause cause;
    FindingNature nature;
    std::string_view meaning;
    std::string_view what_to_do;
    CostBound bound = CostBound::none;
    bool about_uneven_work = false; ///< it says why ranks compute unequally long, whichever ranks it names
};

/// By code and cause.
inline constexpr auto kFindingKinds = std::to_array<FindingKind>({
    {FindingCode::allocation_churn, FindingCause::none, FindingNature::costly,
     "The host allocates or frees GPU memory inside the steps.",
     "Let the caching allocator keep the memory: no empty_cache() in steps, fixed shapes.", CostBound::idle_time},
    {FindingCode::clock_misfit, FindingCause::none, FindingNature::doubt,
     "The clocks of the ranks do not fit well enough to compare times of different ranks.",
     "Check the time service of the nodes. Trust only what concerns a single rank."},
    {FindingCode::clock_misfit, FindingCause::jump, FindingNature::doubt,
     "The clock of a rank jumps inside the recording.",
     "Select a time range before or after the jump. Check the time service of the node."},
    {FindingCode::data_loading, FindingCause::none, FindingNature::costly, "The GPU waits while the host loads data.",
     "Use more loader processes, load ahead, and copy from pinned memory.", CostBound::idle_time},
    {FindingCode::engine_pauses, FindingCause::none, FindingNature::inherent,
     "A serving engine does nothing between two steps.",
     "Nothing, if it had no requests. Otherwise record what its scheduler does.", CostBound::idle_time},
    {FindingCode::expert_imbalance, FindingCause::none, FindingNature::either,
     "Some experts get more tokens than others, and the other ranks of the group wait.",
     "Check the router's balance, and on which ranks the busy experts are.", CostBound::none, true},
    {FindingCode::exposed_communication, FindingCause::none, FindingNature::inherent,
     "The step waits for communication that nothing hides.",
     "Overlap it, or send less. --what-if comm=0 and overlap=perfect say what that saves at most."},
    {FindingCode::exposed_copies, FindingCause::none, FindingNature::inherent,
     "The step waits for copies or memory sets.",
     "Copy from pinned memory on a stream of its own, or avoid the copies."},
    {FindingCode::first_iteration, FindingCause::none, FindingNature::fault,
     "The first recorded step is longer than the later ones.",
     "Leave it out with --iterations, or record after the warm-up."},
    {FindingCode::first_use, FindingCause::none, FindingNature::inherent,
     "The first use of a library or a kernel takes the host long: its code is loaded then.",
     "Nothing: it happens once. Record after the warm-up, or leave the first step out with --iterations.",
     CostBound::idle_time},
    {FindingCode::garbage_collection, FindingCause::none, FindingNature::costly,
     "Python's garbage collection stops the hosts.",
     "Call gc.freeze() after the start, and collect at fixed steps on all ranks together.", CostBound::idle_time},
    {FindingCode::gpu_idle, FindingCause::none, FindingNature::inherent,
     "The GPUs do nothing for much of the time, and no other finding says why.",
     "Look at what the host does meanwhile. Record with the CPU's activities if it is not there."},
    {FindingCode::host_bound, FindingCause::none, FindingNature::inherent, "The GPU waits for launches of the host.",
     "Launch fewer and larger kernels (CUDA graphs, torch.compile, fused optimisers, larger batches). Where graphs are "
     "launched already, let the host do less between them.",
     CostBound::idle_time},
    {FindingCode::host_pauses, FindingCause::none, FindingNature::costly,
     "In some steps the host takes longer at a place where it does not in most.",
     "Look at the event: a checkpoint, a log, another process on its cores.", CostBound::idle_time},
    {FindingCode::launch_delay, FindingCause::none, FindingNature::inherent,
     "Operations start later than what they depend on ends.",
     "Record kernels and launches with a profiler; an operation timeline does not say why."},
    {FindingCode::pipeline_bubble, FindingCause::none, FindingNature::inherent,
     "Stages of the pipeline wait for each other.",
     "Use more microbatches or another schedule. --what-if schedule= predicts them."},
    {FindingCode::slow_link, FindingCause::none, FindingNature::fault,
     "A group's communication is slower than the same calls of other groups, or than in other steps.",
     "Check links, cables and error counters between its ranks.", CostBound::transfers},
    {FindingCode::slow_link, FindingCause::below_hardware, FindingNature::fault,
     "A group reaches less than half of what its network usually carries, and has nothing else to be compared with.",
     "Measure with nccl-tests or rccl-tests. Check that the fast network is used.", CostBound::transfers},
    {FindingCode::slow_link, FindingCause::slow_card, FindingNature::fault,
     "All comparable groups of one rank are slow.",
     "Check its network card and cable: speed of the link, errors, width of the PCIe slot.", CostBound::transfers},
    {FindingCode::slow_link, FindingCause::slow_previous_collective, FindingNature::fault,
     "A group is slow, and its ranks come late to calls of other groups for it.",
     "Check links, cables and error counters between its ranks. The late ranks are not the cause.",
     CostBound::transfers},
    {FindingCode::slower_steps, FindingCause::communication, FindingNature::either,
     "Steps take longer from some step on, mostly for communication that nothing hides.",
     "Check the network at that time: other jobs, errors, another path."},
    {FindingCode::slower_steps, FindingCause::computation, FindingNature::either,
     "Steps take longer from some step on, mostly for computation.",
     "Check clock and temperature of the GPUs. Compare the lengths of inputs before and after."},
    {FindingCode::slower_steps, FindingCause::copies, FindingNature::either,
     "Steps take longer from some step on, mostly for copies that nothing hides.",
     "Look for the copies that became longer or more."},
    {FindingCode::slower_steps, FindingCause::idle, FindingNature::either,
     "Steps take longer from some step on, mostly because the GPU is idle.",
     "Look at what the host does in these steps and not before."},
    {FindingCode::slower_steps, FindingCause::waiting, FindingNature::either,
     "Steps take longer from some step on, mostly because ranks wait for each other.",
     "See which rank comes last in these steps."},
    {FindingCode::straggler, FindingCause::allocation, FindingNature::fault,
     "A rank allocates GPU memory where its peers do not.",
     "Look for shapes that only this rank has, and for memory that is nearly full.", CostBound::idle_time},
    {FindingCode::straggler, FindingCause::computation, FindingNature::fault,
     "In an operation timeline a worker computes longer than the others of its stage.",
     "Check clock, temperature and power of its GPU."},
    {FindingCode::straggler, FindingCause::data_loading, FindingNature::fault,
     "A rank waits longer for data than its peers.", "Check storage and load of its node, and the size of its shard.",
     CostBound::idle_time},
    {FindingCode::straggler, FindingCause::garbage_collection, FindingNature::fault,
     "Python's garbage collection stops one rank.", "Collect at fixed steps on all ranks together.",
     CostBound::idle_time},
    {FindingCode::straggler, FindingCause::host_bound, FindingNature::fault,
     "The host of a rank takes longer between launches than its peers'.",
     "Check the CPU of its node: clock, other processes, pinning of processes to cores.", CostBound::idle_time},
    {FindingCode::straggler, FindingCause::late_start, FindingNature::either,
     "A rank starts its first step after its peers, for a reason from before the recording. Inherent where the "
     "starts of all ranks are spread, so that no rank stands apart, and where its recording starts with that step.",
     "Record more steps to see whether it stays late."},
    {FindingCode::straggler, FindingCause::more_kernels, FindingNature::fault,
     "A rank runs kernels or makes copies that its peers do not, or more of them.",
     "Look at these kernels: a checkpoint, a log, a check, another branch of the program."},
    {FindingCode::straggler, FindingCause::slower_copies, FindingNature::fault,
     "The same memory copies take longer on a rank than on its peers.",
     "Check the PCIe link of its GPU, and whether the memory of its host is pinned."},
    {FindingCode::straggler, FindingCause::slower_kernels, FindingNature::fault,
     "The same kernels take longer on a rank than on its peers. If it runs on another GPU, both are named.",
     "Check clock, temperature and power of its GPU."},
    {FindingCode::straggler, FindingCause::synchronisation, FindingNature::fault,
     "The host of a rank waits for its GPU where its peers do not.",
     "Look at the call: .item(), a printed tensor, a blocking copy on this rank alone.", CostBound::idle_time},
    {FindingCode::straggler, FindingCause::unexplained, FindingNature::either,
     "The others wait for a rank, and nothing that is recorded explains it.",
     "Look at its node: other processes, the operating system, its network."},
    {FindingCode::synchronisation, FindingCause::none, FindingNature::costly,
     "Hosts wait for their GPUs inside the steps and then launch too late.",
     "Take .item(), .cpu() and printed tensors out of the step; copy with non_blocking=True.", CostBound::idle_time},
    {FindingCode::uneven_microbatches, FindingCause::none, FindingNature::inherent,
     "Computation differs from microbatch to microbatch, rank to rank and step to step.",
     "Balance the lengths of sequences over microbatches and ranks.", CostBound::none, true},
    {FindingCode::uneven_stages, FindingCause::none, FindingNature::inherent,
     "A stage of the pipeline computes longer than the others.",
     "Move layers from it to the others. --what-if stages=even says what that saves.", CostBound::none, true},
    {FindingCode::uneven_work, FindingCause::none, FindingNature::inherent,
     "Computation takes longer now on one rank, now on another.",
     "Balance the lengths of inputs, or the tokens, over the ranks.", CostBound::none, true},
});

/// nullptr: none.
constexpr const FindingKind* finding_kind(FindingCode code, FindingCause cause) {
    const auto* const found = std::ranges::find_if(
        kFindingKinds, [&](const FindingKind& kind) { return kind.code == code && kind.cause == cause; });
    return found == kFindingKinds.end() ? nullptr : found;
}

} // namespace rankscope
