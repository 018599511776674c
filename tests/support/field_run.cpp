// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small training runs as Kineto files.
#include "tests/support/field_run.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iomanip>
#include <map>
#include <set>

#include <fmt/format.h>

namespace rankscope {
namespace {

using Json = FieldRun::Json;

constexpr std::int64_t kFirstLaunch = 5;   // us after the start of the step
constexpr std::int64_t kLaunchEvery = 12;  // us
constexpr std::int64_t kFirstKernel = 100; // us after the start of the step

Json event_of(const char* category, const std::string& name, int process, int thread, std::int64_t start_us,
              std::int64_t duration_us, const Json& args) {
    return {{"ph", "X"},     {"cat", category}, {"name", name},       {"pid", process},
            {"tid", thread}, {"ts", start_us},  {"dur", duration_us}, {"args", args}};
}

std::string listed(const std::vector<int>& ranks) { return fmt::format("[{}]", fmt::join(ranks, ", ")); }

class RankWriter {
public:
    RankWriter(const FieldRun& run, int rank)
        : run_(run), rank_(rank), process_(run.first_process + rank),
          device_(run.every_device_is_0 ? 0 : rank % run.gpus_per_machine) {
        for (int all = 0; run.groups.empty() && all < run.ranks; ++all)
            members_.push_back(all);
        for (const std::vector<int>& group : run.groups)
            if (std::ranges::find(group, rank) != group.end()) {
                members_ = group;
                group_ = std::to_string(&group - run.groups.data() + 1);
            }
    }

    Json file() {
        name_processes();
        for (int step = 0; step < run_.steps; ++step)
            write_step(step);
        Json file;
        file["schemaVersion"] = 1;
        if (run_.has_header)
            file["distributedInfo"] = {
                {"backend", "nccl"}, {"rank", rank_}, {"world_size", run_.ranks}, {"pg_config", group_configs()}};
        file["deviceProperties"] = device_properties();
        file["traceEvents"] = std::move(events_);
        return file;
    }

private:
    Json group_configs() const {
        Json configs = Json::array();
        for (const std::vector<int>& group : run_.groups)
            configs.push_back({{"pg_name", std::to_string(&group - run_.groups.data() + 1)},
                               {"pg_desc", "mesh_dp"},
                               {"pg_size", group.size()},
                               {"ranks", group}});
        if (run_.groups.empty())
            configs.push_back(
                {{"pg_name", "0"}, {"pg_desc", "default_pg"}, {"pg_size", run_.ranks}, {"ranks", members_}});
        return configs;
    }
    Json device_properties() const {
        Json devices = Json::array();
        for (int id = 0; id < (run_.every_device_is_0 ? 1 : std::min(run_.ranks, run_.gpus_per_machine)); ++id)
            devices.push_back({{"id", id}, {"name", run_.gpu}, {"totalGlobalMem", 80'000'000'000}, {"numSms", 132}});
        return devices;
    }
    void name_processes() {
        for (const int process : {process_, device_})
            events_.push_back({{"ph", "M"},
                               {"name", "process_name"},
                               {"pid", process},
                               {"tid", 0},
                               {"ts", run_.start_us},
                               {"args", {{"name", "python"}}}});
    }

    std::int64_t gemm_us(int rank) const { return rank == run_.late_rank ? run_.late_gemm_us : run_.gemm_us; }

    void write_step(int step) {
        const std::int64_t start = run_.start_us + step * run_.step_us();
        events_.push_back(event_of("user_annotation", "ProfilerStep#" + std::to_string(run_.first_step + step),
                                   process_, process_, start, run_.step_us(), Json::object()));
        std::int64_t host = start + kFirstLaunch;
        std::int64_t gpu = start + kFirstKernel;
        for (int i = 0; i < run_.gemms; ++i, host += kLaunchEvery) {
            launch("cpu_op", "aten::mm", host);
            kernel("sm90_gemm_bf16_128x128x64_tn", 7, gpu, gemm_us(rank_), Json::object());
            gpu += gemm_us(rank_);
        }
        std::int64_t last = 0;
        for (const int member : members_)
            last = std::max(last, start + kFirstKernel + run_.gemms * gemm_us(member));
        launch("cpu_op", "record_param_comms", host);
        kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 20, gpu,
               last + run_.all_reduce_us - gpu,
               {{"Collective name", "allreduce"},
                {"dtype", "Float"},
                {"In msg nelems", run_.elements},
                {"Out msg nelems", run_.elements},
                {"Group size", members_.size()},
                {"Process Group Name", group_},
                {"Process Group Description", run_.groups.empty() ? "default_pg" : "mesh_dp"},
                {"Process Group Ranks", listed(members_)}});
        events_.push_back(event_of("cuda_runtime", "cudaDeviceSynchronize", process_, process_, host + 100,
                                   last + run_.all_reduce_us + 5 - host - 100, Json::object()));
    }
    void launch(const char* category, const char* operation, std::int64_t at) {
        ++correlation_;
        events_.push_back(event_of(category, operation, process_, process_, at, 10, {{"External id", correlation_}}));
        events_.push_back(event_of("cuda_runtime", "cudaLaunchKernel", process_, process_, at + 1, 6,
                                   {{"External id", correlation_}, {"correlation", correlation_}}));
    }
    void kernel(const char* name, int stream, std::int64_t at, std::int64_t duration_us, Json args) {
        args["External id"] = args["correlation"] = correlation_;
        args["device"] = device_;
        args["stream"] = stream;
        events_.push_back(event_of("kernel", name, device_, stream, at, duration_us, args));
    }

    const FieldRun& run_;
    int rank_;
    int process_;
    int device_;
    std::vector<int> members_;
    std::string group_ = "0";
    std::int64_t correlation_ = 100;
    Json events_ = Json::array();
};

} // namespace

std::int64_t FieldRun::step_us() const {
    return gemms * (late_rank < 0 ? gemm_us : std::max(gemm_us, late_gemm_us)) + all_reduce_us + idle_us;
}

FieldRun::Json FieldRun::file_of(int rank) const { return RankWriter(*this, rank).file(); }

void FieldRun::write(const std::filesystem::path& folder) const {
    std::filesystem::create_directories(folder);
    for (int rank = 0; rank < ranks; ++rank)
        std::ofstream(folder / fmt::format("rank{}_trace.json", rank)) << file_of(rank).dump();
}

std::string in_kineto_layout(const FieldRun::Json& file) {
    std::string text = "{\n";
    for (const auto& [key, value] : file.items())
        if (key != "traceEvents")
            text += fmt::format("  \"{}\": {},\n", key, value.dump());
    text += "  \"traceEvents\": [\n";
    bool first = true;
    for (const auto& event : file["traceEvents"]) {
        text += first ? "  {\n    " : ",\n  {\n    ";
        first = false;
        std::string keys;
        for (const auto& [key, value] : event.items())
            keys += fmt::format("{}\"{}\": {}",
                                keys.empty()                   ? ""
                                : key == "ts" || key == "args" ? ",\n    "
                                                               : ", ",
                                key, value.dump());
        text += keys + "\n  }";
    }
    return text + "\n  ]\n}\n";
}

FieldRun::Json merged_as_sglang_does(const std::vector<FieldRun::Json>& files) {
    Json merged = files.front();
    Json events = Json::array();
    for (std::size_t rank = 0; rank < files.size(); ++rank)
        for (Json event : files[rank]["traceEvents"]) {
            const Json& process = event["pid"];
            event["pid"] =
                fmt::format("[TP{:02}] {}", rank, process.is_string() ? process.get<std::string>() : process.dump());
            events.push_back(std::move(event));
        }
    merged["traceEvents"] = std::move(events);
    return merged;
}

FieldRun::Json merged_as_tracefusion_does(const std::vector<FieldRun::Json>& files) {
    constexpr std::int64_t kApart = 10'000'000; // more than any id of these files
    Json events = Json::array();
    for (std::size_t rank = 0; rank < files.size(); ++rank)
        for (Json event : files[rank]["traceEvents"]) {
            if (event.value("cat", "") == "Trace" || event.value("cat", "") == "python_function")
                continue;
            if (!event.contains("args"))
                event["args"] = Json::object();
            Json& args = event["args"];
            args["rank"] = rank;
            const auto move_apart = [&](Json& value) {
                if (value.is_number_integer())
                    value = value.get<std::int64_t>() + static_cast<std::int64_t>(rank) * kApart;
            };
            for (const char* const key : {"id", "pid"})
                if (event.contains(key)) {
                    args[std::string(key) + "_raw"] = event[key];
                    move_apart(event[key]);
                }
            if (args.contains("correlation")) {
                args["correlation_raw"] = args["correlation"];
                move_apart(args["correlation"]);
            }
            events.push_back(std::move(event));
        }
    return {{"traceEvents", std::move(events)}};
}

} // namespace rankscope
