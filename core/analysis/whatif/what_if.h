// SPDX-License-Identifier: GPL-3.0-or-later
// What a step would take if something were different: the step graph replayed with changed times.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/findings/findings.h"
#include "core/analysis/pipeline/recorded_schedule.h"

namespace re2 {
class RE2;
}

namespace rankscope {

enum class ChangeKind : std::uint8_t {
    straggler,     ///< the late ranks (findings of code "straggler") as fast as their peers' median
    communication, ///< transfers, of all groups or of one dimension or group
    overlap,       ///< computation waits for no communication
    host,          ///< the host's own time
    kernel,        ///< GPU work of matching names
    rank,          ///< what a rank takes longer for than its peers, whatever it is
    stage,         ///< computation of a stage of the pipeline as long as that of the mean one
    operation,     ///< work of a type as if all ranks and steps took equally long for it
    link,          ///< transfers of a group as long as those of other groups that are alike
    schedule,      ///< of the pipeline
    microbatches   ///< that many in a step, each as large as now
};

/// factor: of durations; 0: free, 0.5: "2x" as fast.
struct Change {
    ChangeKind kind = ChangeKind::straggler;
    std::string text; ///< as given
    /// communication: dimension or group; empty: all. kernel: the pattern. operation: the type. link: the group.
    std::string target;
    double factor = 1;
    int microbatches = 0;
    int number = -1; ///< of a rank; of a stage, -1: all of them
    ScheduleKind schedule = ScheduleKind::unknown;
    int chunks = 1; ///< of the model on each rank, of an interleaved schedule
    std::shared_ptr<const re2::RE2> pattern;
};

/// "straggler=median", "comm=0", "comm.tp=2x", "comm.mesh_dp=1.5x", "overlap=perfect", "host=0", "host=2x",
/// "kernel:REGEX=1.5x", "rank.5=peers", "stage.3=mean", "stages=even", "operation.compute=ideal", "link.mesh_dp=peers",
/// "schedule=1f1b", "schedule=interleaved:2", "microbatches=16". Errors: usage, one line.
Result<Change> parse_change(std::string_view text);

struct Prediction {
    std::vector<std::string> changes; ///< as given; several: all of them together
    double measured = 0;              ///< ns per step, mean_step_time() as recorded
    double predicted = 0;             ///< ns per step
    std::vector<Message> notes;       ///< "no rank is a straggler: nothing changes"
    std::vector<Message> assumes;     ///< what the prediction takes for granted, a clause each
    Message unavailable;              ///< why it cannot be told; then the numbers are 0
    double work_ratio = 1;            ///< what a step does, in steps as recorded: 2 with twice the microbatches

    /// By how much more the job gets done in the same time: 25 where a step takes a fifth less.
    [[nodiscard]] double throughput_percent_change() const {
        return predicted > 0 ? 100 * (work_ratio * measured / predicted - 1) : 0;
    }
};

/// What "link.TARGET=peers" takes for this group alone: its name where no other group has it, else two ranks of it.
/// Empty: a group of one rank that shares its name.
std::string link_target(std::span<const CommGroup> groups, std::uint32_t group);

/// Each change alone, and, of several, all together.
std::vector<Prediction> each_and_together(std::span<const Change> changes,
                                          const std::function<Prediction(std::span<const Change>)>& predict);

/// Together, each change reads the unchanged run, so their order says nothing: where several set a time the smallest
/// holds, then all speeds apply. findings: those of the same inputs.
std::vector<Prediction> predict(const FindingInputs& inputs, const Findings& findings, std::span<const Change> changes);

} // namespace rankscope
