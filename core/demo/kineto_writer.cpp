// SPDX-License-Identifier: GPL-3.0-or-later
// GPU events of a simulated rank, and the frame of its Kineto file.
#include "core/demo/kineto_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/demo/kineto_rank_writer.h"

namespace rankscope {

RankWriter::RankWriter(const SimulatorOptions& options, const SimulatedRun& run, int rank, OutputFile& file,
                       std::stop_token stop)
    : o_(options), truth_(run.truth), p_(run.ranks[static_cast<std::size_t>(rank)]),
      identity_(rank_identity(options, rank)), out_(file), stop_(std::move(stop)) {
    for (const KernelSpec& spec : p_.specs)
        texts_.push_back(spec_text(o_, truth_, identity_, spec));
    shift_ = truth_.clock_offsets[static_cast<std::size_t>(rank)] - kKinetoBaseTime;
    main_thread_ = std::to_string(identity_.process);
    autograd_thread_ = std::to_string(identity_.autograd_thread);
    apply_defects();
}

WrittenTrace RankWriter::write() {
    out_ << header_text(o_, truth_, identity_);
    write_cpu_events();
    write_gpu_events();
    write_gpu_annotations();
    write_end();
    out_.flush();
    return {out_.bytes(), events_};
}

void RankWriter::apply_defects() {
    first_ = 0;
    lost_.assign(p_.tasks.size(), false);
    for (const CaptureDefect& defect : o_.defects) {
        if (defect.rank != identity_.rank)
            continue;
        int number = 0;
        std::uint32_t begin = defect.skip_collectives > 0 ? static_cast<std::uint32_t>(p_.tasks.size()) : 0;
        for (std::uint32_t i = 0; i < p_.tasks.size(); ++i) {
            if (p_.tasks[i].call < 0)
                continue;
            if (number == defect.skip_collectives && defect.skip_collectives > 0)
                begin = i;
            const auto& drop = defect.drop_collectives;
            lost_[i] = lost_[i] || std::find(drop.begin(), drop.end(), number) != drop.end();
            ++number;
        }
        first_ = std::max(first_, begin);
    }
}

void RankWriter::gpu_annotation(std::string_view name, TimeNs begin, TimeNs end, std::int64_t external_id) {
    out_ << "  {\n    \"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"name\": \"" << name
         << "\", \"pid\": " << std::int64_t{identity_.device}
         << ", \"tid\": " << std::int64_t{stream_number(o_.vendor, StreamSlot::compute)} << ",\n    ";
    time_span(begin, end);
    out_ << ",\n    \"args\": {\n      \"External id\": " << external_id << "\n    }\n  },\n";
}

void RankWriter::launch_event(const GpuTask& task, std::int64_t external_id, std::int64_t correlation) {
    const SpecText& text = texts_[task.spec];
    const TimeNs begin = p_.launch_time(task);
    out_ << text.launch_head << thread_of(task) << ",\n    ";
    time_span(begin, begin + p_.launch);
    out_ << ",\n    \"args\": {\n      \"External id\": " << external_id << text.launch_middle << correlation
         << "\n    }\n  },\n  {\n    \"ph\": \"s\", \"id\": " << correlation << ", \"pid\": " << main_thread_
         << ", \"tid\": " << thread_of(task) << ", \"ts\": ";
    out_.us(begin + shift_) << ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n";
}

void RankWriter::gpu_event(const GpuTask& task, std::int64_t external_id, std::int64_t correlation) {
    const KernelSpec& spec = p_.spec_of(task);
    const SpecText& text = texts_[task.spec];
    (out_ << text.gpu_head).us(task.start + shift_) << ", \"dur\": ";
    out_.us(task.end - task.start) << ",\n    \"args\": {\n      \"External id\": " << external_id << text.gpu_middle
                                   << correlation << text.gpu_tail;
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
        out_.us(task.end - task.start) << ",\n    \"args\": {\n      \"External id\": " << external_id + 1
                                       << "\n    }\n  },\n";
        ++events_;
    }
}

void RankWriter::runtime_call(std::string_view name, TimeNs begin, TimeNs end, std::int64_t correlation) {
    out_ << "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"" << name << "\", \"pid\": " << main_thread_
         << ", \"tid\": " << main_thread_ << ",\n    ";
    time_span(begin, end);
    out_ << ",\n    \"args\": {\n      \"External id\": 0, \"cbid\": 165, \"correlation\": " << correlation
         << "\n    }\n  },\n";
}

void RankWriter::write_gpu_events() {
    std::int64_t external_id = kFirstExternalId;
    for (std::uint32_t i = first_; i < p_.tasks.size() && !stop_.stop_requested(); ++i) {
        const GpuTask& task = p_.tasks[i];
        const auto innermost = external_id + static_cast<std::int64_t>(p_.spec_of(task).operators.size()) - 1;
        launch_event(task, innermost, kFirstCorrelation + i);
        if (!lost_[i])
            gpu_event(task, innermost, kFirstCorrelation + i);
        external_id += ids_of(p_.spec_of(task));
    }
    const std::string prefix = o_.vendor == GpuVendor::amd ? "hip" : "cuda";
    std::int64_t correlation = kFirstCorrelation + static_cast<std::int64_t>(p_.tasks.size());
    for (std::size_t step = 0; step < p_.steps.size(); ++step, ++correlation) {
        if (p_.sync_begins[step] >= window_begin()) {
            runtime_call(prefix + "DeviceSynchronize", p_.sync_begins[step], p_.steps[step].end - o_.step_return_time,
                         correlation);
        }
    }
    for (const HostPause& pause : p_.pauses) {
        if (pause.begin < window_begin())
            continue;
        if (pause.kind == HostPause::Kind::garbage_collection) {
            python_event("<built-in function gc.collect>", pause.begin, pause.end, 0);
        } else {
            runtime_call(prefix + (pause.kind == HostPause::Kind::allocation ? "Malloc" : "StreamSynchronize"),
                         pause.begin, pause.end, correlation++);
        }
    }
}

void RankWriter::gpu_copy(std::string_view name, std::uint32_t first, std::uint32_t last, std::int64_t external_id) {
    TimeRange range{std::numeric_limits<TimeNs>::max(), 0};
    for (std::uint32_t i = first; i <= last; ++i) {
        if (p_.spec_of(p_.tasks[i]).stream == StreamSlot::compute) {
            range.begin = std::min(range.begin, p_.tasks[i].start);
            range.end = std::max(range.end, p_.tasks[i].end);
        }
    }
    if (!range.empty())
        gpu_annotation(name, range.begin, range.end, external_id);
}

void RankWriter::write_gpu_annotations() {
    std::int64_t external_id = first_annotation_id();
    for (std::size_t step = 0; step < p_.steps.size(); ++step) {
        if (!step_recorded(step))
            continue;
        gpu_copy(fmt::format("ProfilerStep#{}", o_.first_step + static_cast<std::int64_t>(step)), p_.first_task[step],
                 p_.first_task[step + 1] - 1, external_id++);
        external_id += p_.data_loading > 0 ? 1 : 0;
        for (const Passage& passage : passages(step))
            gpu_copy(passage.name, passage.first, passage.last, external_id++);
    }
}

TimeNs RankWriter::window_begin() const {
    if (first_ == 0)
        return p_.steps.front().begin;
    return first_ < p_.tasks.size() ? p_.tasks[first_].host : p_.steps.back().end;
}

void RankWriter::write_end() {
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

WrittenTrace write_kineto(const SimulatorOptions& options, const SimulatedRun& run, int rank, OutputFile& file,
                          const std::stop_token& stop) {
    return RankWriter(options, run, rank, file, stop).write();
}

} // namespace rankscope
