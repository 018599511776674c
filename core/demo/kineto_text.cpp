// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed pieces of text of a simulated rank's Kineto file, as PyTorch's profiler words them.
#include "core/demo/kineto_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankscope {

RankIdentity rank_identity(const SimulatorOptions& o, int rank) {
    RankIdentity identity;
    identity.rank = rank;
    identity.process = 4100 + 7 * rank;
    identity.autograd_thread = 500000 + 7 * rank;
    identity.device = rank % o.gpus_per_node;
    for (const CaptureDefect& defect : o.defects) {
        identity.omit_collective_args =
            identity.omit_collective_args || (defect.rank == rank && defect.omit_collective_args);
    }
    return identity;
}

int stream_number(GpuVendor vendor, StreamSlot slot) {
    static constexpr int kNvidia[kStreamSlotCount] = {7, 20, 24, 28, 32};
    static constexpr int kAmd[kStreamSlotCount] = {0, 4, 5, 6, 7};
    return (vendor == GpuVendor::nvidia ? kNvidia : kAmd)[static_cast<std::size_t>(slot)];
}

std::string device_name(const SimulatorOptions& o) {
    if (!o.gpu_name.empty())
        return o.gpu_name;
    return o.vendor == GpuVendor::nvidia ? "NVIDIA A100-SXM4-80GB" : "AMD Instinct MI300X";
}

int multiprocessors(const SimulatorOptions& o) { return o.vendor == GpuVendor::nvidia ? 108 : 304; }

namespace {

std::string collective_args(const RunTruth& truth, const KernelSpec& spec) {
    const ProcessGroup& group = truth.groups[static_cast<std::size_t>(spec.group)];
    std::string text =
        fmt::format("\"Collective name\": \"{}\", \"In msg nelems\": {}, \"Out msg nelems\": {}, \"Group size\": {}, "
                    "\"dtype\": \"{}\", "
                    "\"In split size\": \"{}\", \"Out split size\": \"{}\", \"Process Group Name\": \"{}\", "
                    "\"Process Group Description\": \"{}\", \"Process Group Ranks\": \"[{}]\", \"Rank\": {}",
                    spec.collective, spec.elements, spec.out_elements < 0 ? spec.elements : spec.out_elements,
                    group.size, spec.dtype, spec.in_split, spec.out_split, group.name, group.description,
                    fmt::join(group.ranks, ", "), spec.group_rank);
    if (spec.peer >= 0)
        text += fmt::format(", \"{} Rank\": {}", spec.collective == "send" ? "Dst" : "Src", spec.peer);
    return text;
}

std::string kernel_args(const SimulatorOptions& o, const KernelSpec& spec) {
    if (o.vendor == GpuVendor::amd) {
        return fmt::format(
            ",\n      \"kind\": \"Dispatch Kernel\",\n      \"grid\": [{}, 1, 1],\n      \"block\": [{}, 1, 1]",
            spec.blocks, spec.threads);
    }
    const double blocks_per_sm = static_cast<double>(spec.blocks) / multiprocessors(o);
    const double warps_per_sm = blocks_per_sm * spec.threads / 32;
    const int occupancy = static_cast<int>(std::min(100.0, warps_per_sm * 100 / 64));
    return fmt::format(
        ",\n      \"registers per thread\": {},\n      \"shared memory\": {},\n      \"blocks per SM\": {:.6f},\n"
        "      \"warps per SM\": {:.6f},\n      \"grid\": [{}, 1, 1],\n      \"block\": [{}, 1, 1],\n"
        "      \"est. achieved occupancy %\": {}",
        spec.collective.empty() ? 128 : 96, spec.collective.empty() ? 49152 : 87568, blocks_per_sm, warps_per_sm,
        spec.blocks, spec.threads, occupancy);
}

std::string event_head(std::string_view category, std::string_view name, int process) {
    return fmt::format("  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": ", category,
                       name, process);
}

std::string launch_call(GpuVendor vendor, const KernelSpec& spec) {
    const bool amd = vendor == GpuVendor::amd;
    switch (spec.work) {
    case GpuWork::memory_copy: return amd ? "hipMemcpyAsync" : "cudaMemcpyAsync";
    case GpuWork::memory_set: return amd ? "hipMemsetAsync" : "cudaMemsetAsync";
    case GpuWork::kernel: break;
    }
    if (!spec.collective.empty())
        return amd ? "hipExtLaunchKernel" : "cudaLaunchKernelExC";
    return amd ? "hipLaunchKernel" : "cudaLaunchKernel";
}

const char* gpu_category(GpuWork work) {
    switch (work) {
    case GpuWork::memory_copy: return "gpu_memcpy";
    case GpuWork::memory_set: return "gpu_memset";
    case GpuWork::kernel: break;
    }
    return "kernel";
}

void add_gpu_text(SpecText& text, const SimulatorOptions& o, const RunTruth& truth, const RankIdentity& identity,
                  const KernelSpec& spec) {
    const int stream = stream_number(o.vendor, spec.stream);
    text.gpu_head =
        event_head(gpu_category(spec.work), spec.name, identity.device) + fmt::format("{},\n    \"ts\": ", stream);
    text.gpu_middle =
        o.vendor == GpuVendor::amd
            ? fmt::format(",\n      \"device\": {}, \"stream\": {},\n      \"correlation\": ", identity.device, stream)
            : fmt::format(",\n      {}\"device\": {}, \"context\": 1,\n      \"stream\": {}, \"correlation\": ",
                          spec.work == GpuWork::kernel ? "\"queued\": 0, " : "", identity.device, stream);
    if (spec.work == GpuWork::kernel) {
        text.gpu_tail = kernel_args(o, spec);
        if (!spec.collective.empty() && !identity.omit_collective_args)
            text.gpu_tail += ",\n      " + collective_args(truth, spec) + ", \"Seq\": ";
    } else {
        text.gpu_tail = fmt::format(",\n      \"bytes\": {}, \"memory bandwidth (GB/s)\": ", spec.bytes);
    }
    text.gpu_flow_place = fmt::format(", \"pid\": {}, \"tid\": {}, \"ts\": ", identity.device, stream);
    text.gpu_annotation_head =
        event_head("gpu_user_annotation", spec.annotation, identity.device) + fmt::format("{},\n    \"ts\": ", stream);
}

} // namespace

SpecText spec_text(const SimulatorOptions& o, const RunTruth& truth, const RankIdentity& identity,
                   const KernelSpec& spec) {
    SpecText text;
    for (const std::string& name : spec.operators) {
        text.operator_heads.push_back(event_head("cpu_op", name, identity.process));
        const bool carries_args = name == "record_param_comms" && !identity.omit_collective_args;
        text.operator_tails.push_back((carries_args ? ", " + collective_args(truth, spec) : "") + "\n    }\n  },\n");
    }
    text.annotation_head = event_head("user_annotation", spec.annotation, identity.process);
    text.launch_head = event_head("cuda_runtime", launch_call(o.vendor, spec), identity.process);
    text.launch_middle =
        o.vendor == GpuVendor::amd ? ", \"cid\": 61, \"correlation\": " : ", \"cbid\": 211, \"correlation\": ";
    add_gpu_text(text, o, truth, identity, spec);
    return text;
}

std::string header_text(const SimulatorOptions& o, const RunTruth& truth, const RankIdentity& identity) {
    std::string text = "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n";
    const bool amd = o.vendor == GpuVendor::amd;
    for (int device = 0; device < o.gpus_per_node; ++device) {
        text += fmt::format(
            "    {{\n      \"id\": {}, \"name\": \"{}\", \"totalGlobalMem\": {},\n      \"computeMajor\": {}, "
            "\"computeMinor\": {},\n      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
            "      \"regsPerBlock\": 65536, \"warpSize\": {},\n      \"sharedMemPerBlock\": {}, \"numSms\": {}\n"
            "    }}{}\n",
            device, device_name(o), amd ? 206141652992 : 84987740160, amd ? 9 : 8, amd ? 4 : 0, amd ? 64 : 32,
            amd ? 65536 : 49152, multiprocessors(o), device + 1 < o.gpus_per_node ? "," : "");
    }
    std::vector<std::string> groups;
    for (const ProcessGroup& group : truth.groups) {
        if (std::find(group.ranks.begin(), group.ranks.end(), identity.rank) != group.ranks.end()) {
            groups.push_back(
                fmt::format("{{\"pg_name\": \"{}\", \"pg_desc\": \"{}\", \"backend_config\": \"cuda:nccl\", "
                            "\"pg_size\": {}, \"ranks\": [{}]}}",
                            group.name, group.description, group.size, fmt::join(group.ranks, ", ")));
        }
    }
    text +=
        fmt::format("  ],\n  {}\n  \"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {}, \"world_size\": {}, "
                    "\"pg_count\": {}, \"pg_config\": [{}], \"nccl_version\": \"{}\"}},\n",
                    amd ? "\"roctracer_version\": 4.1," : "\"cupti_version\": 24, \"cuda_runtime_version\": 12060,",
                    identity.rank, o.world_size(), groups.size(), fmt::join(groups, ", "), amd ? "2.22.3" : "2.21.5");
    text += fmt::format("  \"record_shapes\": 0,\n  \"with_stack\": {},\n  \"traceName\": \"rank{}.json\",\n"
                        "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": {},\n  \"traceEvents\": [\n",
                        o.python_stacks ? 1 : 0, identity.rank, kKinetoBaseTime);
    return text;
}

std::string metadata_text(const SimulatorOptions& o, const RankIdentity& identity, std::string_view time_us) {
    std::string text;
    const auto add = [&](std::string_view what, int process, int thread, std::string_view args) {
        text += fmt::format(
            "  {{\n    \"name\": \"{}\", \"ph\": \"M\", \"ts\": {}, \"pid\": {}, \"tid\": {},\n    \"args\": {{\n"
            "      {}\n    }}\n  }},\n",
            what, time_us, process, thread, args);
    };
    const auto add_process = [&](int process, const std::string& label, int sort_index) {
        add("process_name", process, 0, "\"name\": \"python3\"");
        add("process_labels", process, 0, fmt::format("\"labels\": \"{}\"", label));
        add("process_sort_index", process, 0, fmt::format("\"sort_index\": {}", sort_index));
    };
    const auto add_thread = [&](int process, int thread, const std::string& name) {
        add("thread_name", process, thread, fmt::format("\"name\": \"{}\"", name));
        add("thread_sort_index", process, thread, fmt::format("\"sort_index\": {}", thread));
    };
    add_process(identity.process, "CPU", identity.process);
    for (int device = 0; device < o.gpus_per_node; ++device)
        add_process(device, fmt::format("GPU {}", device), 5000000 + device);
    for (std::size_t slot = 0; slot < kStreamSlotCount; ++slot) {
        const int stream = stream_number(o.vendor, static_cast<StreamSlot>(slot));
        add_thread(identity.device, stream, fmt::format("stream {} ", stream));
    }
    add_thread(identity.process, identity.process, fmt::format("thread {} (python3)", identity.process));
    add_thread(identity.process, identity.autograd_thread,
               fmt::format("thread {} (pt_autograd_0)", identity.autograd_thread));
    return text;
}

} // namespace rankscope
