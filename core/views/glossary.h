// SPDX-License-Identifier: GPL-3.0-or-later
// The words that screens and sentences use, each with what it means here. Metrics, findings and notices have their
// meaning in tables of their own (metric_catalogue(), finding_kinds.h, notice_kinds.h).
#pragma once
#include <array>
#include <string_view>

namespace rankscope {

struct GlossaryTerm {
    std::string_view term;
    std::string_view meaning;
};

/// By term.
inline constexpr auto kGlossary = std::to_array<GlossaryTerm>({
    {"at least", "Of a cost: some communication is with ranks that are not traced or not known."},
    {"at most", "Of a cost: what is recorded allows no more, or nothing could be replayed."},
    {"bubble", "Time in which a stage of a pipeline has no microbatch to work on."},
    {"collective call", "One all-reduce, all-gather or the like, in which all ranks of a group take part."},
    {"computation", "Kernels that compute, and memory sets. Communication and copies beside them count as hidden."},
    {"confidence", "How sure a finding is. Below one half the sentence says that it may be chance."},
    {"copies", "Memory copies on the GPU that neither computation nor communication hides."},
    {"cost", "How much shorter a step would be without the cause, by a replay of the recording."},
    {"critical path", "What a step waited for, from its last event back to its start. It fills the step."},
    {"dimension",
     "How a group of ranks shares the job: by data (dp), tensor (tp), pipeline (pp), experts (ep) or context (cp)."},
    {"exposed communication", "Communication that no computation hides, from when its last rank has come."},
    {"fault", "A cause that an equal run would not have: a slow rank, a slow link, a host that stalls."},
    {"first use", "A library is loaded at the first call of it. It happens once, and is no fault."},
    {"group", "The ranks that make collective calls together: a communicator."},
    {"hidden",
     "A finding that costs nothing yet: another one holds the step up anyway. It costs once that one is mended."},
    {"idle", "Nothing runs on the GPU, between its first and its last work."},
    {"inherent", "A cost of what the program is made of: no fault of a rank, a link or the host."},
    {"launch delays", "The GPU has nothing to do, and its next work was launched but had not started."},
    {"machine", "Ranks that share a host, where the recording proves which do."},
    {"microbatch", "A part of the batch. A pipeline works on several of them one after the other."},
    {"cause not recorded",
     "The GPU has nothing to do, and no launch or other event of the host is recorded that says why."},
    {"overlap", "The share of communication that computation hides."},
    {"peers", "The ranks that do the same work as a rank: those of its pipeline stage, or all."},
    {"prefill, decode", "A serving engine reads the prompt of a request in prefill steps, and makes one token after "
                        "the other in decode steps."},
    {"rank", "One process of the job with its GPU."},
    {"repetition", "Where steps are not marked: what the GPU does again and again, counted from 1."},
    {"skew", "How far apart the ranks of a call arrive. The first one waits that long."},
    {"step", "One iteration of training, or one step of a serving engine, as the profiler marks it. With its GPU work, "
             "which may end after the mark."},
    {"straggler", "A rank that comes late to collective calls, so that others wait for it."},
    {"waiting for other ranks", "A collective call runs, nothing computes, and its last rank has not come yet."},
    {"waiting for the host",
     "The GPU has nothing to do, its next work is not launched, and the host is in a recorded event."},
    {"what if", "The recording replayed with changed times: what a step would take then."},
});

} // namespace rankscope
