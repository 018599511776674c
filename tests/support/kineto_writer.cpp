// SPDX-License-Identifier: GPL-3.0-or-later
// Writes one simulated rank as Kineto JSON: CPU events first, then launches and GPU events, annotations, metadata.
#include "tests/support/kineto_writer.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "tests/support/kineto_text.h"
#include "tests/support/training_program.h"

namespace rankscope {

namespace {

constexpr const char* kDetailOperators[] = {"aten::empty", "aten::view",    "aten::transpose", "aten::as_strided",
                                            "aten::t",     "aten::reshape", "aten::expand",    "aten::empty_strided"};
constexpr std::int64_t kFirstCorrelation = 5000;
constexpr std::int64_t kFirstExternalId = 1000;

/// A stretch of the schedule that gets an annotation: a microbatch's pass, or the optimizer's.
struct Passage {
    std::string name;
    Phase phase = Phase::load;
    std::uint16_t microbatch = 0;
    std::uint32_t first = kNoTask;
    std::uint32_t last = kNoTask;
};

class RankWriter {
public:
    RankWriter(const SimulatorOptions& options, const SimulatedRun& run, int rank, OutputFile& file)
        : o_(options), truth_(run.truth), p_(run.ranks[static_cast<std::size_t>(rank)]),
          identity_(rank_identity(options, rank)), out_(file) {
        for (const KernelSpec& spec : p_.specs) {
            texts_.push_back(spec_text(o_, truth_, identity_, spec));
        }
        shift_ = truth_.clock_offsets[static_cast<std::size_t>(rank)] - kKinetoBaseTime;
        main_thread_ = std::to_string(identity_.process);
        autograd_thread_ = std::to_string(identity_.autograd_thread);
        apply_defects();
    }

    WrittenTrace write() {
        out_ << header_text(o_, truth_, identity_);
        write_cpu_events();
        write_gpu_events();
        write_gpu_annotations();
        write_end();
        out_.flush();
        return {out_.bytes(), events_};
    }

private:
    /// Finds the first task in the capture window, and the tasks whose GPU record is lost.
    void apply_defects() {
        first_ = 0;
        lost_.assign(p_.tasks.size(), false);
        for (const CaptureDefect& defect : o_.defects) {
            if (defect.rank != identity_.rank) {
                continue;
            }
            int number = 0;
            std::uint32_t begin = defect.skip_collectives > 0 ? static_cast<std::uint32_t>(p_.tasks.size()) : 0;
            for (std::uint32_t i = 0; i < p_.tasks.size(); ++i) {
                if (p_.tasks[i].call < 0) {
                    continue;
                }
                if (number == defect.skip_collectives && defect.skip_collectives > 0) {
                    begin = i;
                }
                const auto& drop = defect.drop_collectives;
                lost_[i] = lost_[i] || std::find(drop.begin(), drop.end(), number) != drop.end();
                ++number;
            }
            first_ = std::max(first_, begin);
        }
    }

    [[nodiscard]] std::string_view thread_of(const GpuTask& task) const {
        return task.on_autograd_thread ? autograd_thread_ : main_thread_;
    }
    [[nodiscard]] std::int64_t ids_of(const KernelSpec& spec) const {
        return static_cast<std::int64_t>(spec.operators.size()) + (spec.annotation.empty() ? 0 : 1) + o_.cpu_detail;
    }
    /// Annotations are numbered after all operators.
    [[nodiscard]] std::int64_t first_annotation_id() const {
        std::int64_t id = kFirstExternalId;
        for (std::uint32_t i = first_; i < p_.tasks.size(); ++i) {
            id += ids_of(p_.spec_of(p_.tasks[i]));
        }
        return id;
    }
    [[nodiscard]] bool step_recorded(std::size_t step) const { return p_.first_task[step] >= first_; }

    void time_span(TimeNs begin, TimeNs end) {
        (out_ << "\"ts\": ").us(begin + shift_) << ", \"dur\": ";
        out_.us(end - begin);
        ++events_;
    }

    void cpu_event(std::string_view head, std::string_view thread, TimeNs begin, TimeNs end, std::int64_t external_id,
                   std::string_view tail, std::string_view extra = {}) {
        out_ << head << thread << ",\n    ";
        time_span(begin, end);
        out_ << ",\n    \"args\": {\n      \"External id\": " << external_id << ",\"Record function id\": 0" << extra
             << ", \"Ev Idx\": " << event_index_++ << tail;
    }

    void annotation(std::string_view name, TimeNs begin, TimeNs end, std::int64_t external_id) {
        out_ << "  {\n    \"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" << name
             << "\", \"pid\": " << main_thread_ << ", \"tid\": ";
        cpu_event({}, main_thread_, begin, end, external_id, "\n    }\n  },\n");
    }

    void gpu_annotation(std::string_view name, TimeNs begin, TimeNs end, std::int64_t external_id) {
        out_ << "  {\n    \"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"name\": \"" << name
             << "\", \"pid\": " << std::int64_t{identity_.device}
             << ", \"tid\": " << std::int64_t{stream_number(o_.vendor, StreamSlot::compute)} << ",\n    ";
        time_span(begin, end);
        out_ << ",\n    \"args\": {\n      \"External id\": " << external_id << "\n    }\n  },\n";
    }

    /// Operators of one launch, nested in equal insets, then the extra ones inside the innermost.
    void task_operators(const GpuTask& task, std::int64_t external_id) {
        const KernelSpec& spec = p_.spec_of(task);
        const SpecText& text = texts_[task.spec];
        const auto levels = static_cast<std::int64_t>(spec.operators.size()) + (spec.annotation.empty() ? 0 : 1);
        const TimeNs inset = std::max<TimeNs>(1, std::min(p_.before_launch / 2, p_.after_launch) / (levels + 1));
        const TimeNs end = p_.host_end(task);
        TimeNs depth = 0;
        for (std::size_t i = 0; i < spec.operators.size(); ++i, ++depth) {
            cpu_event(text.operator_heads[i], thread_of(task), task.host + depth * inset, end - depth * inset,
                      external_id + depth, text.operator_tails[i], i == 0 ? sequence_args(task) : std::string_view{});
        }
        if (!spec.annotation.empty()) {
            cpu_event(text.annotation_head, thread_of(task), task.host + depth * inset, end - depth * inset,
                      external_id + depth, "\n    }\n  },\n");
            ++depth;
        }
        detail_operators(task, task.host + depth * inset, external_id + depth);
    }

    /// Pairs of operators, the second inside the first, in the time before the launch call.
    void detail_operators(const GpuTask& task, TimeNs begin, std::int64_t external_id) {
        if (o_.cpu_detail == 0) {
            return;
        }
        const TimeNs width = (p_.launch_time(task) - begin) / o_.cpu_detail;
        for (int k = 0; k < o_.cpu_detail; ++k) {
            const bool inner = k % 2 == 1;
            const TimeNs at = begin + (k - (inner ? 1 : 0)) * width + (inner ? width / 2 : 0);
            const bool widened = !inner && k + 1 < o_.cpu_detail;
            out_ << "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \""
                 << kDetailOperators[static_cast<std::size_t>(k) % std::size(kDetailOperators)]
                 << "\", \"pid\": " << main_thread_ << ", \"tid\": ";
            cpu_event({}, thread_of(task), at, at + (widened ? 2 * width : width), external_id + k, "\n    }\n  },\n");
        }
    }

    /// Number that ties a layer's forward operators to its backward ones.
    [[nodiscard]] std::int64_t layer_number(const GpuTask& task) const {
        return (std::int64_t{task.step} * o_.microbatches + task.microbatch) * o_.layers + task.layer + 1;
    }

    std::string_view sequence_args(const GpuTask& task) {
        if (task.layer < 0 || task.call >= 0) {
            return {};
        }
        sequence_text_ = fmt::format(", \"Sequence number\": {}, \"Fwd thread id\": {}", layer_number(task),
                                     task.on_autograd_thread ? 1 : 0);
        return sequence_text_;
    }

    void forward_backward_flow(const GpuTask& task) {
        const bool ends = task.phase == Phase::backward;
        out_ << "  {\n    \"ph\": \"" << (ends ? "f" : "s") << "\", \"id\": " << layer_number(task)
             << ", \"pid\": " << main_thread_ << ", \"tid\": " << thread_of(task) << ", \"ts\": ";
        out_.us(task.host + shift_) << ",\n    \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\""
                                    << (ends ? ", \"bp\": \"e\"" : "") << "\n  },\n";
    }

    /// A layer's activations come as its forward pass starts, and go as its backward pass does.
    void memory_instant(const GpuTask& task) {
        const std::int64_t size = o_.activation_elements * dtype_bytes(o_.activation_dtype) * 6;
        const bool allocates = task.phase == Phase::forward;
        allocated_ += allocates ? size : -size;
        reserved_ = std::max(reserved_, allocated_);
        const std::int64_t address =
            0x7f0000000000 + (std::int64_t{task.microbatch} * o_.layers + task.layer) * ((size + 511) / 512 * 512);
        out_ << "  {\n    \"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n    "
                "\"pid\": "
             << main_thread_ << ", \"tid\": " << thread_of(task) << ",\n    \"ts\": ";
        out_.us(task.host + shift_) << ",\n    \"args\": {\n      \"Total Reserved\": " << reserved_
                                    << ", \"Total Allocated\": " << allocated_
                                    << ", \"Bytes\": " << (allocates ? size : -size) << ", \"Addr\": " << address
                                    << ", \"Device Id\": " << std::int64_t{identity_.device}
                                    << ", \"Device Type\": 1, \"Ev Idx\": " << event_index_++ << "\n    }\n  },\n";
    }

    [[nodiscard]] bool starts_layer(std::uint32_t index) const {
        const GpuTask& task = p_.tasks[index];
        if (task.layer < 0 || index == 0) {
            return false;
        }
        const GpuTask& before = p_.tasks[index - 1];
        return before.layer != task.layer || before.phase != task.phase || before.microbatch != task.microbatch;
    }

    void python_event(std::string_view name, TimeNs begin, TimeNs end, std::int64_t parent) {
        out_ << "  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"" << name
             << "\", \"pid\": " << main_thread_ << ", \"tid\": " << main_thread_ << ",\n    ";
        time_span(begin, end);
        out_ << ",\n    \"args\": {\n      \"Python parent id\": ";
        if (parent == 0) {
            out_ << "null";
        } else {
            out_ << parent;
        }
        out_ << ", \"Python id\": " << ++python_id_ << ", \"Ev Idx\": " << event_index_++ << "\n    }\n  },\n";
    }

    /// Passes of the microbatches and the optimizer in a step. Messages belong to none: a receive is posted early.
    [[nodiscard]] std::vector<Passage> passages(std::size_t step) const {
        std::vector<Passage> found;
        for (std::uint32_t i = std::max(first_, p_.first_task[step]); i < p_.first_task[step + 1]; ++i) {
            const GpuTask& task = p_.tasks[i];
            if (task.phase == Phase::load || p_.spec_of(task).peer >= 0) {
                continue;
            }
            if (found.empty() || found.back().phase != task.phase || found.back().microbatch != task.microbatch) {
                const char* pass = task.phase == Phase::forward ? "Forward" : "Backward";
                found.push_back({task.phase == Phase::update ? "Optimizer.step#AdamW.step"
                                                             : fmt::format("{} {}", pass, task.microbatch),
                                 task.phase, task.microbatch, i, i});
            }
            found.back().last = i;
        }
        if (!o_.annotate_microbatches) {
            std::erase_if(found, [](const Passage& passage) { return passage.phase != Phase::update; });
        }
        return found;
    }

    void step_annotations(std::size_t step) {
        const TimeRange range = p_.steps[step];
        std::int64_t python_parent = 0;
        if (o_.python_stacks) {
            python_event("train.py(142): train_step", range.begin, range.end, 0);
            python_parent = python_id_;
        }
        annotation(fmt::format("ProfilerStep#{}", o_.first_step + static_cast<std::int64_t>(step)), range.begin,
                   range.end, annotation_id_++);
        if (p_.data_loading > 0) {
            annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", range.begin,
                       range.begin + p_.data_loading, annotation_id_++);
        }
        for (const Passage& passage : passages(step)) {
            const TimeNs begin = p_.tasks[passage.first].host;
            const TimeNs end = p_.host_end(p_.tasks[passage.last]);
            if (o_.python_stacks) {
                python_event(fmt::format("schedule.py(88): {}", passage.name), begin, end, python_parent);
            }
            annotation(passage.name, begin, end, annotation_id_++);
        }
    }

    void write_cpu_events() {
        std::int64_t external_id = kFirstExternalId;
        allocated_ = reserved_ = 2 * o_.gradient_elements_per_layer * o_.layers * dtype_bytes(o_.gradient_dtype);
        annotation_id_ = first_annotation_id();
        for (std::size_t step = 0; step < p_.steps.size(); ++step) {
            if (step_recorded(step)) {
                step_annotations(step);
            }
            for (std::uint32_t i = std::max(first_, p_.first_task[step]); i < p_.first_task[step + 1]; ++i) {
                const GpuTask& task = p_.tasks[i];
                task_operators(task, external_id);
                external_id += ids_of(p_.spec_of(task));
                if (starts_layer(i)) {
                    forward_backward_flow(task);
                    if (o_.memory_instants) {
                        memory_instant(task);
                    }
                }
            }
        }
    }

    void launch_event(const GpuTask& task, std::int64_t external_id, std::int64_t correlation) {
        const SpecText& text = texts_[task.spec];
        const TimeNs begin = p_.launch_time(task);
        out_ << text.launch_head << thread_of(task) << ",\n    ";
        time_span(begin, begin + p_.launch);
        out_ << ",\n    \"args\": {\n      \"External id\": " << external_id << text.launch_middle << correlation
             << "\n    }\n  },\n  {\n    \"ph\": \"s\", \"id\": " << correlation << ", \"pid\": " << main_thread_
             << ", \"tid\": " << thread_of(task) << ", \"ts\": ";
        out_.us(begin + shift_) << ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n";
    }

    void gpu_event(const GpuTask& task, std::int64_t external_id, std::int64_t correlation) {
        const KernelSpec& spec = p_.spec_of(task);
        const SpecText& text = texts_[task.spec];
        (out_ << text.gpu_head).us(task.start + shift_) << ", \"dur\": ";
        out_.us(task.end - task.start) << ",\n    \"args\": {\n      \"External id\": " << external_id
                                       << text.gpu_middle << correlation << text.gpu_tail;
        ++events_;
        if (spec.work != GpuWork::kernel) {
            const TimeNs duration = std::max<TimeNs>(1, task.end - task.start);
            out_ << fmt::format("{:.6f}", static_cast<double>(spec.bytes) / static_cast<double>(duration));
        } else if (task.sequence >= 0 && !identity_.omit_collective_args) {
            out_ << std::int64_t{task.sequence};
        }
        out_ << "\n    }\n  },\n  {\n    \"ph\": \"f\", \"id\": " << correlation << text.gpu_flow_place;
        out_.us(task.start + shift_) << ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n";
        if (!spec.annotation.empty()) {
            out_ << text.gpu_annotation_head;
            out_.us(task.start + shift_) << ", \"dur\": ";
            out_.us(task.end - task.start)
                << ",\n    \"args\": {\n      \"External id\": " << external_id + 1 << "\n    }\n  },\n";
            ++events_;
        }
    }

    void write_gpu_events() {
        std::int64_t external_id = kFirstExternalId;
        for (std::uint32_t i = first_; i < p_.tasks.size(); ++i) {
            const GpuTask& task = p_.tasks[i];
            const auto innermost = external_id + static_cast<std::int64_t>(p_.spec_of(task).operators.size()) - 1;
            launch_event(task, innermost, kFirstCorrelation + i);
            if (!lost_[i]) {
                gpu_event(task, innermost, kFirstCorrelation + i);
            }
            external_id += ids_of(p_.spec_of(task));
        }
        for (std::size_t step = 0; step < p_.steps.size(); ++step) {
            if (p_.sync_begins[step] < window_begin()) {
                continue;
            }
            out_ << "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \""
                 << (o_.vendor == GpuVendor::amd ? "hipDeviceSynchronize" : "cudaDeviceSynchronize")
                 << "\", \"pid\": " << main_thread_ << ", \"tid\": " << main_thread_ << ",\n    ";
            time_span(p_.sync_begins[step], p_.steps[step].end - o_.step_return_time);
            out_ << ",\n    \"args\": {\n      \"External id\": 0, \"cbid\": 165, \"correlation\": "
                 << kFirstCorrelation + static_cast<std::int64_t>(p_.tasks.size() + step) << "\n    }\n  },\n";
        }
    }

    /// Copies of the annotations on the compute stream: from the first to the last of the kernels launched under them.
    void gpu_copy(std::string_view name, std::uint32_t first, std::uint32_t last, std::int64_t external_id) {
        TimeRange range{std::numeric_limits<TimeNs>::max(), 0};
        for (std::uint32_t i = first; i <= last; ++i) {
            if (p_.spec_of(p_.tasks[i]).stream == StreamSlot::compute) {
                range.begin = std::min(range.begin, p_.tasks[i].start);
                range.end = std::max(range.end, p_.tasks[i].end);
            }
        }
        if (!range.empty()) {
            gpu_annotation(name, range.begin, range.end, external_id);
        }
    }

    void write_gpu_annotations() {
        std::int64_t external_id = first_annotation_id();
        for (std::size_t step = 0; step < p_.steps.size(); ++step) {
            if (!step_recorded(step)) {
                continue;
            }
            gpu_copy(fmt::format("ProfilerStep#{}", o_.first_step + static_cast<std::int64_t>(step)),
                     p_.first_task[step], p_.first_task[step + 1] - 1, external_id++);
            external_id += p_.data_loading > 0 ? 1 : 0;
            for (const Passage& passage : passages(step)) {
                gpu_copy(passage.name, passage.first, passage.last, external_id++);
            }
        }
    }

    [[nodiscard]] TimeNs window_begin() const {
        if (first_ == 0) {
            return p_.steps.front().begin;
        }
        return first_ < p_.tasks.size() ? p_.tasks[first_].host : p_.steps.back().end;
    }

    void write_end() {
        const TimeNs begin = window_begin() + shift_ - 100000;
        const TimeNs end = p_.steps.back().end + shift_ + 100000;
        const std::string begin_us = fmt::format("{}.{:03}", begin / 1000, begin % 1000);
        const std::string end_us = fmt::format("{}.{:03}", end / 1000, end % 1000);
        out_ << metadata_text(o_, identity_, begin_us);
        out_ << "  {\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": " << begin_us << ", \"dur\": ";
        out_.us(end - begin)
            << ",\n    \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\",\n    \"name\": \"PyTorch Profiler (0)\",\n"
               "    \"args\": {\n      \"Op count\": 0\n    }\n  },\n";
        ++events_;
        out_ << "  {\n    \"name\": \"process_sort_index\", \"ph\": \"M\", \"ts\": " << begin_us
             << ",\n    \"pid\": \"Spans\", \"tid\": 0,\n    \"args\": {\n      \"sort_index\": 536870912\n    }\n  "
                "},\n";
        out_ << "  {\n    \"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": "
                "\"Traces\", "
                "\"tid\": \"Trace PyTorch Profiler\", \"ts\": "
             << begin_us
             << "\n  },\n  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \"\", "
             << "\"tid\": \"\", \"ts\": " << end_us << "\n  }\n  ]\n}\n";
    }

    const SimulatorOptions& o_;
    const RunTruth& truth_;
    const RankProgram& p_;
    RankIdentity identity_;
    TextBuffer out_;
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

} // namespace

WrittenTrace write_kineto(const SimulatorOptions& options, const SimulatedRun& run, int rank, OutputFile& file) {
    return RankWriter(options, run, rank, file).write();
}

} // namespace rankscope
