// SPDX-License-Identifier: GPL-3.0-or-later
// Kineto JSON, with the fields and units that PyTorch 2.5 writes.
#include "tests/support/simulator/recording.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankscope::machine {
namespace {

constexpr std::int64_t kClockBase = 4'458'676'000'000'000; ///< ns
constexpr int kSmCount = 132;

std::string description(GroupWords words, Dimension dimension) {
    if (dimension == Dimension::world)
        return "default_pg";
    const auto place = static_cast<std::size_t>(dimension);
    constexpr const char* kMesh[] = {"", "mesh_pp", "mesh_dp", "mesh_tp", "mesh_ep"};
    constexpr const char* kMegatron[] = {"", "PIPELINE_MODEL_PARALLEL_GROUP", "DATA_PARALLEL_GROUP",
                                         "TENSOR_MODEL_PARALLEL_GROUP", "EXPERT_MODEL_PARALLEL_GROUP"};
    return words == GroupWords::mesh ? kMesh[place] : words == GroupWords::megatron ? kMegatron[place] : "undefined";
}

const char* collective_name(TransferKind kind, int member) {
    switch (kind) {
    case TransferKind::all_reduce: return "allreduce";
    case TransferKind::all_gather: return "_allgather_base";
    case TransferKind::reduce_scatter: return "_reduce_scatter_base";
    case TransferKind::all_to_all: return "all_to_allv";
    case TransferKind::message: break;
    }
    return member == 0 ? "send" : "recv";
}

/// "nccl:all_reduce", the annotation around a call.
std::string annotation_name(const Transfer& transfer, int member) {
    switch (transfer.kind) {
    case TransferKind::all_reduce: return "nccl:all_reduce";
    case TransferKind::all_gather: return "nccl:_all_gather_base";
    case TransferKind::reduce_scatter: return "nccl:_reduce_scatter_base";
    case TransferKind::all_to_all: return "nccl:all_to_all";
    case TransferKind::message: break;
    }
    return member == 0 ? fmt::format("nccl:send {}->{}", transfer.members[0], transfer.members[1])
                       : fmt::format("nccl:recv {}<-{}", transfer.members[1], transfer.members[0]);
}

class RankRecording {
public:
    RankRecording(const Job& job, const Program& program, const Execution& execution, const Recording& recording,
                  int rank)
        : job_(job), p_(program), recording_(recording), rank_(rank),
          todo_(program.ranks[static_cast<std::size_t>(rank)]),
          timings_(execution.ranks[static_cast<std::size_t>(rank)]), process_(41000 + 7 * rank),
          device_(rank % job.gpus_per_node) {
        const auto first =
            std::ranges::find_if(todo_, [&](const Instruction& each) { return each.step >= job_.steps_before; });
        first_ = static_cast<std::size_t>(first - todo_.begin());
        window_begin_ = timings_[first_].host_begin;
    }

    std::string text() {
        header();
        for (std::size_t i = 0; i < todo_.size(); ++i)
            if (i >= first_)
                host_event(i);
        for (std::size_t i = 0; i < todo_.size(); ++i)
            if (todo_[i].kind == Instruction::Kind::launch && timings_[i].gpu_begin >= window_begin_)
                gpu_event(i);
        gpu_annotations();
        metadata();
        return std::move(out_);
    }
    std::size_t kernels = 0;

private:
    [[nodiscard]] std::int64_t recorded_time(double time) const {
        return machine::recorded_time(recording_, rank_, time);
    }
    template <typename... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }
    static std::string us(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }
    /// The start of a complete event up to its arguments.
    void event(std::string_view category, std::string_view name, std::int64_t process, std::int64_t thread,
               double begin, double end) {
        const std::int64_t from = recorded_time(begin);
        print("{{\"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": {}, \"ts\": {}, \"dur\": {}, "
              "\"args\": {{",
              category, name, process, thread, us(from), us(std::max<std::int64_t>(0, recorded_time(end) - from)));
    }
    void end_event() { out_ += "}},\n"; }
    [[nodiscard]] int thread_of(const Instruction& each) const {
        return each.on_autograd_thread && !recording_.one_thread ? process_ + 100000 : process_;
    }
    [[nodiscard]] int stream_of(const Instruction& each) const {
        return p_.streams[static_cast<std::size_t>(each.stream)];
    }

    void header();
    void metadata();
    void host_event(std::size_t i);
    void launch(std::size_t i);
    void mark(std::size_t i);
    void runtime_call(std::string_view name, const Instruction& each, double begin, double end,
                      std::int64_t correlation);
    void gpu_event(std::size_t i);
    void gpu_annotations();
    void flow(char phase, std::int64_t id, std::int64_t process, std::int64_t thread, double time);
    [[nodiscard]] std::string transfer_args(const Instruction& each, std::int64_t sequence) const;

    struct Range {
        int name = -1;
        double begin = 0;
        std::int64_t id = 0;
        std::map<int, std::pair<double, double>> streams; ///< of what was launched in it and nothing further inside
    };

    const Job& job_;
    const Program& p_;
    const Recording& recording_;
    int rank_;
    const std::vector<Instruction>& todo_;
    const std::vector<Timing>& timings_;
    int process_;
    int device_;
    std::size_t first_ = 0;
    double window_begin_ = 0;
    std::int64_t external_ = 1;
    std::vector<Range> open_;
    std::vector<Range> closed_;
    std::map<std::size_t, std::int64_t> external_of_; ///< operator around a launch
    std::map<int, std::int64_t> sequences_;
    std::map<std::size_t, std::int64_t> sequence_of_;
    std::string out_;
};

void RankRecording::header() {
    out_ += "{\"schemaVersion\": 1, \"deviceProperties\": [\n";
    for (int device = 0; device < job_.gpus_per_node; ++device)
        print("{{\"id\": {}, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 84942979072, \"computeMajor\": "
              "9, \"computeMinor\": 0, \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048, "
              "\"regsPerBlock\": 65536, \"warpSize\": 32, \"sharedMemPerBlock\": 49152, \"numSms\": {}, "
              "\"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": 232448, \"sharedMemPerMultiprocessor\": "
              "233472}}{}\n",
              device, kSmCount, device + 1 < job_.gpus_per_node ? "," : "");
    std::string groups;
    int count = 0;
    for (const Group& group : p_.groups)
        if (recording_.groups && std::ranges::find(group.ranks, rank_) != group.ranks.end()) {
            groups += fmt::format("{}{{\"pg_name\": \"{}\", \"pg_desc\": \"{}\", \"backend_config\": "
                                  "\"cpu:gloo,cuda:nccl\", \"pg_size\": {}, \"ranks\": [{}]}}",
                                  count > 0 ? ", " : "", group.name, description(recording_.words, group.dimension),
                                  group.ranks.size(), fmt::join(group.ranks, ", "));
            ++count;
        }
    print("],\n\"cupti_version\": 24, \"cuda_runtime_version\": 12040, \"cuda_driver_version\": 12040,\n"
          "\"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {}, \"world_size\": {}, \"pg_count\": {}, "
          "\"pg_config\": [{}], \"nccl_version\": \"2.21.5\"}},\n\"record_shapes\": 0, \"profile_memory\": 0, "
          "\"with_stack\": 0, \"displayTimeUnit\": \"ms\", \"baseTimeNanoseconds\": {},\n"
          "\"traceEvents\": [\n",
          rank_, job_.world(), count, groups, kBaseTime);
}

void RankRecording::host_event(std::size_t i) {
    const Instruction& each = todo_[i];
    const Timing& at = timings_[i];
    switch (each.kind) {
    case Instruction::Kind::begin:
    case Instruction::Kind::end: mark(i); break;
    case Instruction::Kind::launch: launch(i); break;
    case Instruction::Kind::record:
        runtime_call("cudaEventRecord", each, at.call_begin, at.call_end, static_cast<std::int64_t>(i) + 1);
        break;
    case Instruction::Kind::wait:
        runtime_call("cudaStreamWaitEvent", each, at.call_begin, at.call_end, static_cast<std::int64_t>(i) + 1);
        break;
    case Instruction::Kind::synchronise:
        runtime_call(p_.names[static_cast<std::size_t>(each.name)], each, at.call_begin, at.call_end,
                     static_cast<std::int64_t>(i) + 1);
        break;
    case Instruction::Kind::work:
        if (!each.recorded)
            break;
        const std::string& name = p_.names[static_cast<std::size_t>(each.name)];
        if (name.starts_with("cuda")) {
            runtime_call(name, each, at.host_begin, at.host_end, static_cast<std::int64_t>(i) + 1);
        } else {
            event("python_function", name, process_, thread_of(each), at.host_begin, at.host_end);
            print("\"Python parent id\": null, \"Python id\": {}, \"Ev Idx\": {}", i, i);
            end_event();
        }
        break;
    }
}

void RankRecording::runtime_call(std::string_view name, const Instruction& each, double begin, double end,
                                 std::int64_t correlation) {
    event("cuda_runtime", name, process_, thread_of(each), begin, end);
    print("\"External id\": {}, \"cbid\": 165, \"correlation\": {}", external_, correlation);
    end_event();
}

void RankRecording::mark(std::size_t i) {
    const Instruction& each = todo_[i];
    const std::string& name = p_.names[static_cast<std::size_t>(each.name)];
    const bool passes = name.starts_with("Forward ") || name.starts_with("Backward ");
    if (passes && !recording_.annotate_passes)
        return;
    if (each.kind == Instruction::Kind::begin) {
        open_.push_back({each.name, timings_[i].host_begin, ++external_, {}});
        return;
    }
    event("user_annotation", name, process_, process_, open_.back().begin, timings_[i].host_end);
    print("\"External id\": {}, \"Record function id\": 0, \"Ev Idx\": {}", open_.back().id, i);
    end_event();
    closed_.push_back(std::move(open_.back()));
    open_.pop_back();
}

void RankRecording::flow(char phase, std::int64_t id, std::int64_t process, std::int64_t thread, double time) {
    print("{{\"ph\": \"{}\", \"id\": {}, \"pid\": {}, \"tid\": {}, \"ts\": {}, \"cat\": \"ac2g\", \"name\": "
          "\"ac2g\"{}}},\n",
          phase, id, process, thread, us(recorded_time(time)), phase == 'f' ? ", \"bp\": \"e\"" : "");
}

std::string RankRecording::transfer_args(const Instruction& each, std::int64_t sequence) const {
    if (!recording_.groups)
        return "\"Fwd thread id\": 0";
    const Transfer& transfer = p_.transfers[static_cast<std::size_t>(each.transfer)];
    const Group& group = p_.groups[static_cast<std::size_t>(transfer.group)];
    const auto member = static_cast<std::size_t>(each.member);
    std::string in_splits = "[]";
    std::string out_splits = "[]";
    if (transfer.kind == TransferKind::all_to_all) {
        std::vector<int> received;
        for (const auto& row : transfer.splits)
            received.push_back(row[member]);
        in_splits = fmt::format("[{}]", fmt::join(transfer.splits[member], ", "));
        out_splits = fmt::format("[{}]", fmt::join(received, ", "));
    }
    std::string text = fmt::format(
        "\"Collective name\": \"{}\", \"In msg nelems\": {}, \"Out msg nelems\": {}, \"Group size\": {}, \"dtype\": "
        "\"{}\", \"In split size\": \"{}\", \"Out split size\": \"{}\", \"Process Group Name\": \"{}\", \"Process "
        "Group Description\": \"{}\", \"Process Group Ranks\": \"[{}]\"",
        collective_name(transfer.kind, each.member), transfer.elements[member], transfer.received[member],
        group.ranks.size(), transfer.element_bytes == 4 ? "Float" : "BFloat16", in_splits, out_splits, group.name,
        description(recording_.words, group.dimension), fmt::join(group.ranks, ", "));
    if (transfer.kind == TransferKind::message && recording_.peers)
        text += fmt::format(", \"{} Rank\": {}", each.member == 0 ? "Dst" : "Src",
                            transfer.members[each.member == 0 ? 1 : 0]);
    if (recording_.sequence_numbers)
        text += fmt::format(", \"Seq\": {}", sequence);
    return text;
}

void RankRecording::launch(std::size_t i) {
    const Instruction& each = todo_[i];
    const Timing& at = timings_[i];
    const KernelKind& kernel = p_.kernels[static_cast<std::size_t>(each.kernel)];
    const int thread = thread_of(each);
    const auto correlation = static_cast<std::int64_t>(i) + 1;
    if (!kernel.outer.empty()) {
        event("cpu_op", kernel.outer, process_, thread, at.host_begin - 0.3 * each.gap, at.host_end);
        print("\"External id\": {}, \"Record function id\": 0, \"Ev Idx\": {}", ++external_, i);
        end_event();
    }
    event("cpu_op", kernel.operation, process_, thread, at.host_begin, at.host_end);
    print("\"External id\": {}, \"Record function id\": 0, \"Ev Idx\": {}", ++external_, i);
    end_event();
    const double inset = 0.05 * (at.call_begin - at.host_begin);
    Range nccl;
    if (each.transfer >= 0) {
        const Transfer& transfer = p_.transfers[static_cast<std::size_t>(each.transfer)];
        sequence_of_[i] = ++sequences_[transfer.group];
        event("cpu_op", "record_param_comms", process_, thread, at.host_begin + inset, at.host_end - inset);
        print("\"External id\": {}, \"Record function id\": 0, \"Ev Idx\": {}, {}", ++external_, i,
              transfer_args(each, sequence_of_[i]));
        end_event();
        const std::string name = annotation_name(transfer, each.member);
        event("user_annotation", name, process_, thread, at.host_begin + 2 * inset, at.host_end - 2 * inset);
        print("\"External id\": {}, \"Record function id\": 0, \"Ev Idx\": {}", ++external_, i);
        end_event();
        if (at.gpu_begin >= window_begin_) {
            event("gpu_user_annotation", name, device_, stream_of(each), at.gpu_begin, at.gpu_end);
            print("\"External id\": {}", external_);
            end_event();
        }
    } else if (!each.on_autograd_thread && !open_.empty()) {
        const auto [place, is_new] =
            open_.back().streams.try_emplace(stream_of(each), std::pair{at.gpu_begin, at.gpu_end});
        place->second.second = std::max(place->second.second, at.gpu_end);
    }
    external_of_[i] = external_;
    runtime_call(kernel.work == GpuWork::copy      ? "cudaMemcpyAsync"
                 : kernel.work == GpuWork::compute ? "cudaLaunchKernel"
                                                   : "cudaLaunchKernelExC",
                 each, at.call_begin, at.call_end, correlation);
    flow('s', correlation, process_, thread, at.call_begin);
}

void RankRecording::gpu_event(std::size_t i) {
    const Instruction& each = todo_[i];
    const Timing& at = timings_[i];
    const KernelKind& kernel = p_.kernels[static_cast<std::size_t>(each.kernel)];
    const int stream = stream_of(each);
    const auto correlation = static_cast<std::int64_t>(i) + 1;
    const bool copy = kernel.work == GpuWork::copy;
    ++kernels;
    event(copy ? "gpu_memcpy" : "kernel", kernel.name, device_, stream, at.gpu_begin, at.gpu_end);
    if (const auto external = external_of_.find(i); external != external_of_.end())
        print("\"External id\": {}, ", external->second);
    if (copy)
        print("\"device\": {}, \"context\": 1, \"stream\": {}, \"correlation\": {}, \"bytes\": {}, \"memory bandwidth "
              "(GB/s)\": {:.6f}",
              device_, stream, correlation, kernel.bytes,
              static_cast<double>(kernel.bytes) / std::max(1.0, at.gpu_end - at.gpu_begin));
    else
        print("\"queued\": 0, \"device\": {}, \"context\": 1, \"stream\": {}, \"correlation\": {}, \"registers per "
              "thread\": {}, \"shared memory\": {}, \"blocks per SM\": {:.6f}, \"warps per SM\": {:.6f}, \"grid\": "
              "[{}, 1, 1], \"block\": [{}, 1, 1], \"est. achieved occupancy %\": {}",
              device_, stream, correlation, each.transfer >= 0 ? 96 : 168, each.transfer >= 0 ? 87568 : 213000,
              static_cast<double>(kernel.blocks) / kSmCount,
              static_cast<double>(kernel.blocks) * kernel.threads / 32 / kSmCount, kernel.blocks, kernel.threads,
              each.transfer >= 0 ? 0 : 13);
    if (each.transfer >= 0) {
        const auto sequence = sequence_of_.find(i);
        if (sequence != sequence_of_.end()) // its call was recorded: the arguments come from there
            print(", {}", transfer_args(each, sequence->second));
    }
    end_event();
    if (external_of_.contains(i))
        flow('f', correlation, device_, stream, at.gpu_begin);
}

void RankRecording::gpu_annotations() {
    for (const Range& range : closed_)
        for (const auto& [stream, span] : range.streams) {
            event("gpu_user_annotation", p_.names[static_cast<std::size_t>(range.name)], device_, stream, span.first,
                  span.second);
            print("\"External id\": {}", range.id);
            end_event();
        }
}

void RankRecording::metadata() {
    double end = timings_.back().host_end;
    for (const Timing& at : timings_)
        end = std::max({end, at.host_end, at.gpu_end});
    Instruction last;
    runtime_call("cudaDeviceSynchronize", last, timings_.back().host_end + 20e3,
                 std::max(end, timings_.back().host_end + 20e3) + 5e3, static_cast<std::int64_t>(todo_.size()) + 1);
    const std::string begin_us = us(recorded_time(window_begin_ - 150e3));
    const auto add = [&](const char* what, int process, int thread, const std::string& args) {
        print("{{\"name\": \"{}\", \"ph\": \"M\", \"ts\": {}, \"pid\": {}, \"tid\": {}, \"args\": {{{}}}}},\n", what,
              begin_us, process, thread, args);
    };
    add("process_name", process_, 0, "\"name\": \"python3\"");
    add("process_labels", process_, 0, "\"labels\": \"CPU\"");
    add("process_sort_index", process_, 0, fmt::format("\"sort_index\": {}", process_));
    for (int device = 0; device < job_.gpus_per_node; ++device) {
        add("process_name", device, 0, "\"name\": \"python3\"");
        add("process_labels", device, 0, fmt::format("\"labels\": \"GPU {}\"", device));
        add("process_sort_index", device, 0, fmt::format("\"sort_index\": {}", 5000000 + device));
    }
    std::set<int> streams;
    for (const Instruction& each : todo_)
        if (each.kind == Instruction::Kind::launch)
            streams.insert(stream_of(each));
    for (const int stream : streams) {
        add("thread_name", device_, stream, fmt::format("\"name\": \"stream {} \"", stream));
        add("thread_sort_index", device_, stream, fmt::format("\"sort_index\": {}", stream));
    }
    add("thread_name", process_, process_, fmt::format("\"name\": \"thread {} (python3)\"", process_));
    add("thread_name", process_, process_ + 100000,
        fmt::format("\"name\": \"thread {} (pt_autograd_0)\"", process_ + 100000));
    const std::int64_t from = recorded_time(window_begin_ - 150e3);
    const std::int64_t to = recorded_time(end + 30e3);
    print("{{\"ph\": \"X\", \"cat\": \"Trace\", \"ts\": {}, \"dur\": {}, \"pid\": \"Spans\", \"tid\": \"PyTorch "
          "Profiler\", \"name\": \"PyTorch Profiler (0)\", \"args\": {{\"Op count\": 0}}}},\n"
          "{{\"name\": \"process_sort_index\", \"ph\": \"M\", \"ts\": {}, \"pid\": \"Spans\", \"tid\": 0, \"args\": "
          "{{\"sort_index\": 536870912}}}},\n"
          "{{\"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\", \"pid\": \"Traces\", "
          "\"tid\": \"Trace PyTorch Profiler\", \"ts\": {}}},\n"
          "{{\"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\", \"pid\": \"\", \"tid\": \"\", \"ts\": "
          "{}}}\n],\n\"traceName\": \"rank{}_trace.json\"}}\n",
          us(from), us(to - from), us(from), us(from), us(to), rank_);
}

std::string card_text(const Job& job) {
    const bool fsdp = job.data == DataParallel::fsdp;
    return fmt::format(
        "workload:\n  model:\n    phase: training\n    moe: {}\n  data:\n    batch_size: {}\n    seq_len: "
        "{}\n  hardware:\n    xpu_spec: {{type: GPU, model: nvidia_h100, total_count: {}, "
        "count_per_node: {}}}\nModel-executor:\n  model_plan_parallelization: {{dp_replicate: {}, "
        "dp_shard: {}, tp: {}, pp: {}, pp_mb: {}, ep: {}, cp: 1}}\n",
        job.experts, job.dp * job.microbatches, job.tokens, job.world(), job.gpus_per_node, fsdp ? 1 : job.dp,
        fsdp ? job.dp : 1, job.tp, job.pp, job.microbatches, job.experts ? job.dp : 1);
}

} // namespace

std::int64_t recorded_time(const Recording& recording, int rank, double time) {
    const auto r = static_cast<std::size_t>(rank);
    const double offset = recording.clock_offsets.empty() ? 0 : recording.clock_offsets[r];
    const double drift = recording.clock_drifts.empty() ? 0 : recording.clock_drifts[r];
    return kClockBase + std::llround(time * (1 + drift * 1e-6) + offset);
}

std::string kineto_text(const Job& job, const Program& program, const Execution& execution, const Recording& recording,
                        int rank, std::size_t& kernels) {
    RankRecording writer(job, program, execution, recording, rank);
    std::string text = writer.text();
    kernels = writer.kernels;
    return text;
}

WrittenCounts write_traces(const Job& job, const Program& program, const Execution& execution,
                           const Recording& recording, const std::filesystem::path& folder) {
    WrittenCounts counts;
    for (int rank = 0; rank < job.world(); ++rank) {
        if (recording.untraced.contains(rank))
            continue;
        std::size_t kernels = 0;
        const std::string text = kineto_text(job, program, execution, recording, rank, kernels);
        std::ofstream(folder / fmt::format("rank{}_trace.json", rank), std::ios::binary) << text;
        counts.kernels += kernels;
        counts.bytes += text.size();
    }
    if (recording.card)
        std::ofstream(folder / "workload_card.yaml") << card_text(job);
    return counts;
}

} // namespace rankscope::machine
