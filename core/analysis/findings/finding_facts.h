// SPDX-License-Identifier: GPL-3.0-or-later
// Every fact that the evidence of a finding may name: its word, which ends in its unit, and its meaning.
//   Finding{.facts = {{FactName::calls, 12, {}}}}  ->  "evidence": {"calls": 12}
// docs/finding-kinds.md is made of it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rankscope {

/// By word. The enumerator is the word.
#define RANKSCOPE_FINDING_FACTS(FACT)                                                                               \
    FACT(arrives_last_at, "calls of all groups that the rank comes last at")                                        \
    FACT(begins_later_us, "how much later than its peers the rank starts its first step")                           \
    FACT(bubble_share, "share of the step in which stages wait for each other")                                     \
    FACT(bubble_us_longer, "bubbles of the pipeline in the slower steps, beyond the usual")                         \
    FACT(busbw_gb_s, "bus bandwidth that the group reaches, GB/s")                                                  \
    FACT(busiest_over_mean, "load of the busiest rank, times the mean")                                             \
    FACT(bytes_ratio, "bytes that the rank copies, times its peers'")                                               \
    FACT(calls, "calls that the finding is about")                                                                  \
    FACT(calls_arrived_last_at, "calls of the group that the rank comes last at")                                   \
    FACT(calls_of_group, "calls of that group")                                                                     \
    FACT(collections, "collections of Python's garbage")                                                            \
    FACT(computation_us_longer, "computation in the slower steps, beyond the usual")                                \
    FACT(computation_us_per_step, "computation of the stage")                                                       \
    FACT(contradiction_us, "a rank ends calls that long before another one starts them")                            \
    FACT(copies, "memory copies")                                                                                   \
    FACT(copy, "the longest copy")                                                                                  \
    FACT(copy_us_per_rank_and_step, "time of the copies")                                                           \
    FACT(cost_us_per_step_of, "what it costs that operations of a type are uneven; the name ends with the type")    \
    FACT(could_overlap_us_per_step, "what overlap alone would save")                                                \
    FACT(events, "events of the host that take the time")                                                           \
    FACT(excess_us_per_affected_step, "as excess_us_per_step, in the steps that have it")                           \
    FACT(excess_us_per_step, "what the rank takes longer than its peers")                                           \
    FACT(expert_us_per_step, "kernels of the busiest experts")                                                      \
    FACT(expert_us_per_step_if_even, "the same if all ranks got as many tokens")                                    \
    FACT(explained_by_clock_ratio, "what its GPU's clock makes of kernel_ratio, by a log")                          \
    FACT(explained_by_other_findings_us_per_step, "idle time that other findings tell")                             \
    FACT(exposed_communication_us_longer, "communication that nothing hides in the slower steps, beyond the usual") \
    FACT(exposed_copies_us_longer, "copies that nothing hides in the slower steps, beyond the usual")               \
    FACT(exposed_us_per_step, "communication that nothing hides")                                                   \
    FACT(extra_us, "what the first step takes longer than the later ones")                                          \
    FACT(first_step_us, "the first step, where steps grow by and by")                                               \
    FACT(gpu, "GPU of the rank")                                                                                    \
    FACT(gpu_of_peers, "GPU of its peers")                                                                          \
    FACT(host_is_in, "what the host does most while the GPU waits")                                                 \
    FACT(host_wait_us_all_streams, "time that streams wait for the host")                                           \
    FACT(ideal_share, "bubble_share of the same schedule with even stages")                                         \
    FACT(idle_us_longer, "idle time of the GPU in the slower steps, beyond the usual")                              \
    FACT(idle_us_per_step, "idle time of the GPUs")                                                                 \
    FACT(input_shape, "shape of inputs on the rank")                                                                \
    FACT(input_shape_of_peers, "shape of the same inputs on its peers")                                             \
    FACT(inputs_of, "operator whose inputs have other shapes than on the peers")                                    \
    FACT(joined_cost_us_per_step, "cost of the finding that this one includes")                                     \
    FACT(jump_us, "by how much the clock jumps")                                                                    \
    FACT(kernel, "the kernel that adds most to the excess")                                                         \
    FACT(kernel_kind, "kind of kernels that are slower")                                                            \
    FACT(kernel_ratio, "their time, times the peers'")                                                              \
    FACT(kernels, "how many of them")                                                                               \
    FACT(largest_difference_us, "largest median difference of two ranks' ends of calls, as recorded")               \
    FACT(last_step_us, "the last step, where steps grow by and by")                                                 \
    FACT(late_after_it_rank, "rank that comes latest to other groups' calls")                                       \
    FACT(launched_work_waits_us_per_step, "idle time in which launched work waits")                                 \
    FACT(launches_per_step, "launches")                                                                             \
    FACT(longest_before_a_launch_us, "longest time of the host before a launch")                                    \
    FACT(longest_us, "longest pause")                                                                               \
    FACT(mean_us_per_rank_and_step, "time of the events, of the ranks and steps that are named")                    \
    FACT(median_end_difference_us, "median difference of the ends of calls of the rank that is farthest off")       \
    FACT(median_lag_us, "by how much it comes last, median")                                                        \
    FACT(network_gb_s, "bandwidth that such a network usually carries, GB/s")                                       \
    FACT(of_calls, "calls in all that arrives_last_at counts")                                                      \
    FACT(onset_chance_of_noise, "chance that steps without a change look like this")                                \
    FACT(passed_on_us_per_step, "the longest wait that a victim passes on")                                         \
    FACT(pauses, "steps before which the engine pauses")                                                            \
    FACT(peer_busbw_gb_s, "bus bandwidth of the same calls elsewhere, GB/s")                                        \
    FACT(ratio, "time, times that of what it is compared with")                                                     \
    FACT(replayed_cost_us_per_step, "cost by replay, where facts allow less")                                       \
    FACT(replayed_step_us, "the step if operations started when they could")                                        \
    FACT(residual_us, "median difference of ends that the clocks' offsets leave")                                   \
    FACT(rounds, "rounds of experts")                                                                               \
    FACT(rounds_busiest, "rounds in which the rank is the busiest")                                                 \
    FACT(schedule, "schedule of the pipeline")                                                                      \
    FACT(slowed_computation_us_per_step, "what it costs that communication slows the computation beside it")        \
    FACT(slower_step_us, "a slower step")                                                                           \
    FACT(sm_clock_mhz, "clock of the rank's GPU while these kernels run, by a log")                                 \
    FACT(sm_clock_of_peers_mhz, "clock of its peers' GPUs, median")                                                 \
    FACT(stage, "the busiest stage")                                                                                \
    FACT(stage_imbalance, "computation of the busiest stage, times the mean")                                       \
    FACT(steps, "steps")                                                                                            \
    FACT(surplus, "what the rank has more than its peers: kernels or copies")                                       \
    FACT(surplus_events_per_step, "how many")                                                                       \
    FACT(transfer_us_per_step, "time of transfers")                                                                 \
    FACT(usual_step_us, "a usual step")                                                                             \
    FACT(wait_caused_us_per_other_rank,                                                                             \
         "how much later than each other rank it comes to calls, in all steps together")                            \
    FACT(waiting_us_longer, "waiting for other ranks in the slower steps, beyond the usual")                        \
    FACT(waits_elsewhere_us_per_rank_and_step, "what each rank of other groups waits for that rank")

enum class FactName : std::uint8_t {
#define RANKSCOPE_ENUMERATOR(name, meaning) name,
    RANKSCOPE_FINDING_FACTS(RANKSCOPE_ENUMERATOR)
#undef RANKSCOPE_ENUMERATOR
};

struct FactKind {
    std::string_view word;
    std::string_view meaning;
};

/// By FactName.
inline constexpr auto kFactKinds = std::to_array<FactKind>({
#define RANKSCOPE_ROW(name, meaning) {#name, meaning},
    RANKSCOPE_FINDING_FACTS(RANKSCOPE_ROW)
#undef RANKSCOPE_ROW
});

constexpr std::string_view fact_word(FactName fact) { return kFactKinds[static_cast<std::size_t>(fact)].word; }

} // namespace rankscope
