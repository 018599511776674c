// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the events of one simulated rank: CPU events first, then launches and GPU events, annotations, metadata.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/demo/kineto_text.h"
#include "core/demo/kineto_writer.h"

namespace rankscope {

inline constexpr std::int64_t kFirstCorrelation = 5000;
inline constexpr std::int64_t kFirstExternalId = 1000;

/// A stretch of the schedule that gets an annotation: a microbatch's pass, or the optimizer's.
struct Passage {
    std::string name;
    Phase phase = Phase::load;
    std::uint16_t microbatch = 0;
    std::uint32_t first = kNoTask;
    std::uint32_t last = kNoTask;
};

/// Everything between the first and the last byte of one file.
class RankWriter {
public:
    RankWriter(const SimulatorOptions& options, const SimulatedRun& run, int rank, OutputFile& file,
               std::stop_token stop);
    WrittenTrace write();

private:
    /// Finds the first task in the capture window, and the tasks whose GPU record is lost.
    void apply_defects();
    [[nodiscard]] std::string_view thread_of(const GpuTask& task) const {
        return task.on_autograd_thread ? autograd_thread_ : main_thread_;
    }
    [[nodiscard]] std::int64_t ids_of(const KernelSpec& spec) const {
        return static_cast<std::int64_t>(spec.operators.size()) + (spec.annotation.empty() ? 0 : 1) + o_.cpu_detail;
    }
    /// Annotations are numbered after all operators.
    [[nodiscard]] std::int64_t first_annotation_id() const {
        std::int64_t id = kFirstExternalId;
        for (std::uint32_t i = first_; i < p_.tasks.size(); ++i)
            id += ids_of(p_.spec_of(p_.tasks[i]));
        return id;
    }
    [[nodiscard]] bool step_recorded(std::size_t step) const { return p_.first_task[step] >= first_; }

    void time_span(TimeNs begin, TimeNs end) {
        (out_ << "\"ts\": ").us(begin + shift_) << ", \"dur\": ";
        out_.us(end - begin);
        ++events_;
    }
    void cpu_event(std::string_view head, std::string_view thread, TimeNs begin, TimeNs end, std::int64_t external_id,
                   std::string_view tail, std::string_view extra = {});
    void annotation(std::string_view name, TimeNs begin, TimeNs end, std::int64_t external_id);
    void gpu_annotation(std::string_view name, TimeNs begin, TimeNs end, std::int64_t external_id);
    /// Operators of one launch, nested in equal insets, then the extra ones inside the innermost.
    void task_operators(const GpuTask& task, std::int64_t external_id);
    /// Pairs of operators, the second inside the first, in the time before the launch call.
    void detail_operators(const GpuTask& task, TimeNs begin, std::int64_t external_id);
    /// Number that ties a layer's forward operators to its backward ones.
    [[nodiscard]] std::int64_t layer_number(const GpuTask& task) const;
    std::string_view sequence_args(const GpuTask& task);
    void forward_backward_flow(const GpuTask& task);
    /// A layer's activations come as its forward pass starts, and go as its backward pass does.
    void memory_instant(const GpuTask& task);
    [[nodiscard]] bool starts_layer(std::uint32_t index) const;
    void python_event(std::string_view name, TimeNs begin, TimeNs end, std::int64_t parent);
    /// Passes of the microbatches and the optimizer in a step. Messages belong to none: a receive is posted early.
    [[nodiscard]] std::vector<Passage> passages(std::size_t step) const;
    void step_annotations(std::size_t step);
    void write_cpu_events();
    void launch_event(const GpuTask& task, std::int64_t external_id, std::int64_t correlation);
    void gpu_event(const GpuTask& task, std::int64_t external_id, std::int64_t correlation);
    void runtime_call(std::string_view name, TimeNs begin, TimeNs end, std::int64_t correlation);
    void write_gpu_events();
    /// Copies of the annotations on the compute stream: from the first to the last of the kernels launched under them.
    void gpu_copy(std::string_view name, std::uint32_t first, std::uint32_t last, std::int64_t external_id);
    void write_gpu_annotations();
    [[nodiscard]] TimeNs window_begin() const;
    void write_end();

    const SimulatorOptions& o_;
    const RunTruth& truth_;
    const RankProgram& p_;
    RankIdentity identity_;
    KinetoText out_;
    std::stop_token stop_;
    std::vector<SpecText> texts_;
    std::vector<bool> lost_;
    std::uint32_t first_ = 0;
    TimeNs shift_ = 0;
    std::string main_thread_;
    std::string autograd_thread_;
    std::string sequence_text_;
    std::int64_t event_index_ = 0;
    std::int64_t annotation_id_ = 0;
    std::int64_t python_id_ = 0;
    std::int64_t allocated_ = 0;
    std::int64_t reserved_ = 0;
    std::uint64_t events_ = 0;
};

} // namespace rankscope
