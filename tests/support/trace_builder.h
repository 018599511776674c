// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the trace of a rank, or a whole run, in memory, in as many lines as it has events.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/rank_builder.h"
#include "core/trace/run.h"

namespace rankscope {

/// Collective arguments of a kernel; a field left as it is was not recorded.
struct CollectiveCall {
    std::string collective; ///< "Collective name": "allreduce", "_allgather_base", "send" ...
    std::string dtype = "BFloat16";
    std::int64_t in_elements = kUnknown;
    std::int64_t out_elements = kUnknown;
    ProcessGroup group; ///< no name, description or ranks: the event names no group; a size of 0 becomes ranks.size()
    std::int64_t sequence = kUnknown;
    std::int32_t source_rank = -1;
    std::int32_t destination_rank = -1;
    std::string in_split = {};
    std::string out_split = {};
};

/// Events of one rank in the order of the calls (their ordinals). Times are microseconds since base(), rounded to
/// whole nanoseconds, so 1.5 and 0.001 are exact. correlation(), external_id() and occupancy() amend the last event.
///
///     auto rank = TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 5, 10).step(1, 0, 20).build();
class TraceBuilder {
public:
    static constexpr const char* kProcess = "1000";
    static constexpr const char* kMainThread = "1000";
    static constexpr const char* kAutogradThread = "1001";

    explicit TraceBuilder(int rank);

    TraceBuilder& base(TimeNs absolute_ns); ///< added to the times of the following calls; 0 at first
    TraceBuilder& world_size(int ranks);
    TraceBuilder& device(std::int64_t id); ///< of the following GPU events; 0 at first
    TraceBuilder& file(std::string path);
    TraceBuilder& header(std::string key, std::string value);
    TraceBuilder& notice(Notice notice);

    /// A runtime call on the main thread; the next GPU event (unless given a correlation of its own) is what it
    /// launched.
    TraceBuilder& launch(double start_us, double dur_us, std::string name = "cudaLaunchKernel",
                         std::string thread = kMainThread);
    TraceBuilder& runtime(std::string name, double start_us, double dur_us, std::string thread = kMainThread);

    TraceBuilder& kernel(std::string name, int stream, double start_us, double dur_us);
    TraceBuilder& collective(std::string kernel_name, int stream, double start_us, double dur_us, CollectiveCall call);
    TraceBuilder& memory_copy(std::string name, int stream, double start_us, double dur_us,
                              std::int64_t bytes = kUnknown, double bandwidth_gb_s = 0);
    TraceBuilder& memory_set(std::string name, int stream, double start_us, double dur_us,
                             std::int64_t bytes = kUnknown);
    TraceBuilder& gpu_annotation(std::string name, int stream, double start_us, double dur_us);
    TraceBuilder& gpu_sync(std::string name, int stream, double start_us, double dur_us);

    TraceBuilder& cpu_op(std::string name, double start_us, double dur_us, std::string thread = kMainThread);
    TraceBuilder& annotation(std::string name, double start_us, double dur_us, std::string thread = kMainThread);
    TraceBuilder& step(std::int64_t number, double start_us, double dur_us); ///< ProfilerStep#number on the main thread
    TraceBuilder& python(std::string name, double start_us, double dur_us, std::string thread = kMainThread);
    /// Any other event. device and stream: kUnknown for the CPU.
    TraceBuilder& event(EventKind kind, std::string name, std::string process, std::string thread, double start_us,
                        double dur_us, std::int64_t device = kUnknown, std::int64_t stream = kUnknown);

    TraceBuilder& correlation(std::int64_t id);
    TraceBuilder& external_id(std::int64_t id);
    TraceBuilder& occupancy(float blocks_per_sm, float occupancy_percent);
    /// Collective arguments of the last event whatever its kind, e.g. the CPU operator that carries them.
    TraceBuilder& collective_args(CollectiveCall call);

    /// Recorded inputs of the last event, an operator, as JSON texts.
    TraceBuilder& inputs(std::string dims, std::string types, std::string concrete = {}, std::int64_t flops = kUnknown);

    /// A forward-backward flow between the innermost events of two threads at two times.
    TraceBuilder& forward_backward(double from_us, std::string from_thread, double to_us, std::string to_thread);
    /// sample.time is set from time_us
    TraceBuilder& memory_sample(double time_us, MemorySample sample, std::string thread = kMainThread);
    TraceBuilder& counter(std::string series, double time_us, double value);
    TraceBuilder& instant(std::string name, double time_us);
    TraceBuilder& thread_name(std::string thread, std::string name);
    TraceBuilder& process_group(ProcessGroup group); ///< as distributedInfo.pg_config lists it

    /// names: the run's table, a new one if null.
    [[nodiscard]] std::shared_ptr<const RankTrace> build(std::shared_ptr<StringTable> names = nullptr) const;

private:
    struct PlannedEvent {
        RawEvent raw;
        std::string name;
        std::string process;
        std::string thread;
        std::int64_t device = kUnknown;
        std::int64_t stream = kUnknown;
        std::vector<CollectiveCall> collective; ///< none or one
        std::int64_t bytes = kUnknown;
        double bandwidth_gb_s = 0;
        std::vector<KernelOccupancy> occupancy; ///< none or one
        std::vector<std::string> inputs;        ///< none, or dims, types, concrete
        std::int64_t flops = kUnknown;
    };
    struct PlannedFlow {
        std::string thread;
        FlowPoint point;
    };
    struct NamedTime {
        std::string name;
        TimeNs time = 0;
        double value = 0;
    };
    [[nodiscard]] TimeNs time_ns(double us) const;
    TraceBuilder& gpu_event(EventKind kind, std::string name, int stream, double start_us, double dur_us);
    void add_to(RankBuilder& builder, const PlannedEvent& event) const;

    int rank_;
    int world_size_ = 0;
    TimeNs base_ = 0;
    std::int64_t device_ = 0;
    std::int64_t last_correlation_ = 0;
    std::int64_t pending_launch_ = kUnknown;
    std::int64_t last_flow_ = 0;
    std::string file_;
    std::map<std::string, std::string> header_;
    Notices notices_;
    std::vector<PlannedEvent> events_;
    std::vector<PlannedFlow> flows_;
    std::vector<std::pair<MemorySample, std::string>> memory_samples_; ///< with threads
    std::vector<NamedTime> counters_;
    std::vector<NamedTime> instants_;
    std::vector<std::pair<std::string, std::string>> thread_names_;
    std::vector<ProcessGroup> process_groups_;
};

/// A run of these ranks, in any order, with one string table. Its world size is the largest any rank names, at least
/// the highest rank + 1 (ranks not given are missing_ranks).
std::shared_ptr<const Run> make_run(const std::vector<TraceBuilder>& ranks, std::string name = "built",
                                    RunConfig config = {});

} // namespace rankscope
