// SPDX-License-Identifier: GPL-3.0-or-later
// CPU events of a simulated rank: operators, annotations, Python frames, memory instants, forward-backward arrows.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/demo/kineto_rank_writer.h"
#include "core/demo/training_program.h"

namespace rankscope {

namespace {

constexpr const char* kDetailOperators[] = {"aten::empty", "aten::view",    "aten::transpose", "aten::as_strided",
                                            "aten::t",     "aten::reshape", "aten::expand",    "aten::empty_strided"};

} // namespace

void RankWriter::cpu_event(std::string_view head, std::string_view thread, TimeNs begin, TimeNs end,
                           std::int64_t external_id, std::string_view tail, std::string_view extra) {
    out_ << head << thread << ",\n    ";
    time_span(begin, end);
    out_ << ",\n    \"args\": {\n      \"External id\": " << external_id << ",\"Record function id\": 0" << extra
         << ", \"Ev Idx\": " << event_index_++ << tail;
}

void RankWriter::annotation(std::string_view name, TimeNs begin, TimeNs end, std::int64_t external_id) {
    out_ << "  {\n    \"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" << name
         << "\", \"pid\": " << main_thread_ << ", \"tid\": ";
    cpu_event({}, main_thread_, begin, end, external_id, "\n    }\n  },\n");
}

void RankWriter::task_operators(const GpuTask& task, std::int64_t external_id) {
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

void RankWriter::detail_operators(const GpuTask& task, TimeNs begin, std::int64_t external_id) {
    if (o_.cpu_detail == 0)
        return;
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

std::int64_t RankWriter::layer_number(const GpuTask& task) const {
    return (std::int64_t{task.step} * o_.microbatches + task.microbatch) * o_.layers + task.layer + 1;
}

std::string_view RankWriter::sequence_args(const GpuTask& task) {
    if (task.layer < 0 || task.call >= 0)
        return {};
    sequence_text_ = fmt::format(", \"Sequence number\": {}, \"Fwd thread id\": {}", layer_number(task),
                                 task.on_autograd_thread ? 1 : 0);
    return sequence_text_;
}

void RankWriter::forward_backward_flow(const GpuTask& task) {
    const bool ends = task.phase == Phase::backward;
    out_ << "  {\n    \"ph\": \"" << (ends ? "f" : "s") << "\", \"id\": " << layer_number(task)
         << ", \"pid\": " << main_thread_ << ", \"tid\": " << thread_of(task) << ", \"ts\": ";
    out_.us(task.host + shift_) << ",\n    \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\"" << (ends ? ", \"bp\": \"e\"" : "")
                                << "\n  },\n";
}

void RankWriter::memory_instant(const GpuTask& task) {
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

bool RankWriter::starts_layer(std::uint32_t index) const {
    const GpuTask& task = p_.tasks[index];
    if (task.layer < 0 || index == 0)
        return false;
    const GpuTask& before = p_.tasks[index - 1];
    return before.layer != task.layer || before.phase != task.phase || before.microbatch != task.microbatch;
}

void RankWriter::python_event(std::string_view name, TimeNs begin, TimeNs end, std::int64_t parent) {
    out_ << "  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"" << name
         << "\", \"pid\": " << main_thread_ << ", \"tid\": " << main_thread_ << ",\n    ";
    time_span(begin, end);
    out_ << ",\n    \"args\": {\n      \"Python parent id\": ";
    if (parent == 0)
        out_ << "null";
    else
        out_ << parent;
    out_ << ", \"Python id\": " << ++python_id_ << ", \"Ev Idx\": " << event_index_++ << "\n    }\n  },\n";
}

std::vector<Passage> RankWriter::passages(std::size_t step) const {
    std::vector<Passage> found;
    for (std::uint32_t i = std::max(first_, p_.first_task[step]); i < p_.first_task[step + 1]; ++i) {
        const GpuTask& task = p_.tasks[i];
        if (task.phase == Phase::load || p_.spec_of(task).peer >= 0)
            continue;
        if (found.empty() || found.back().phase != task.phase || found.back().microbatch != task.microbatch) {
            const char* pass = task.phase == Phase::forward ? "Forward" : "Backward";
            found.push_back({task.phase == Phase::update ? "Optimizer.step#AdamW.step"
                                                         : fmt::format("{} {}", pass, task.microbatch),
                             task.phase, task.microbatch, i, i});
        }
        found.back().last = i;
    }
    if (!o_.annotate_microbatches)
        std::erase_if(found, [](const Passage& passage) { return passage.phase != Phase::update; });
    return found;
}

void RankWriter::step_annotations(std::size_t step) {
    const TimeRange range = p_.steps[step];
    std::int64_t python_parent = 0;
    if (o_.python_stacks) {
        python_event("train.py(142): train_step", range.begin, range.end, 0);
        python_parent = python_id_;
    }
    annotation(fmt::format("ProfilerStep#{}", o_.first_step + static_cast<std::int64_t>(step)), range.begin, range.end,
               annotation_id_++);
    if (p_.data_loading > 0) {
        annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", range.begin,
                   range.begin + p_.data_loading, annotation_id_++);
    }
    for (const Passage& passage : passages(step)) {
        const TimeNs begin = p_.tasks[passage.first].host;
        const TimeNs end = p_.host_end(p_.tasks[passage.last]);
        if (o_.python_stacks)
            python_event(fmt::format("schedule.py(88): {}", passage.name), begin, end, python_parent);
        annotation(passage.name, begin, end, annotation_id_++);
    }
}

void RankWriter::write_cpu_events() {
    std::int64_t external_id = kFirstExternalId;
    allocated_ = reserved_ = 2 * o_.gradient_elements_per_layer * o_.layers * dtype_bytes(o_.gradient_dtype);
    annotation_id_ = first_annotation_id();
    for (std::size_t step = 0; step < p_.steps.size() && !stop_.stop_requested(); ++step) {
        if (step_recorded(step))
            step_annotations(step);
        for (std::uint32_t i = std::max(first_, p_.first_task[step]); i < p_.first_task[step + 1]; ++i) {
            const GpuTask& task = p_.tasks[i];
            task_operators(task, external_id);
            external_id += ids_of(p_.spec_of(task));
            if (starts_layer(i)) {
                forward_backward_flow(task);
                if (o_.memory_instants)
                    memory_instant(task);
            }
        }
    }
}

} // namespace rankscope
