// SPDX-License-Identifier: GPL-3.0-or-later
// Writes SQLite files in the layout of an Nsight Systems export, row by row, for tests and benchmarks.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

struct sqlite3;

namespace rankscope {

/// globalPid and globalTid as Nsight Systems packs them.
constexpr std::int64_t nsys_pid(std::int64_t process) { return (std::int64_t{1} << 48) | process << 24; }
constexpr std::int64_t nsys_tid(std::int64_t process, std::int64_t thread) { return nsys_pid(process) | thread; }

/// Payloads of NCCL's ranges as an export holds them, for the schemas of NsysExport::payload_schemas().
std::string nccl_message(std::uint64_t communicator, std::int64_t bytes);
std::string nccl_init(std::uint64_t communicator, std::uint32_t ranks, std::uint32_t rank);

class NsysExport {
public:
    struct Gpu {
        std::int64_t process = 100;
        int device = 0;
        int context = 1;
        int stream = 7;
        std::int64_t correlation = 0;
        std::int64_t graph_node = 0; ///< 0: none
        int grid = 1;                ///< gridX; the others are 1
        int block = 128;             ///< blockX
    };

    /// Creates the file with the string table; other tables appear with their first row. Ends the program when SQLite
    /// fails.
    explicit NsysExport(const std::filesystem::path& path);
    ~NsysExport();
    NsysExport(const NsysExport&) = delete;
    NsysExport& operator=(const NsysExport&) = delete;

    /// Runs statements on a file that is there.
    static void edit(const std::filesystem::path& path, const std::string& sql);
    /// Any statements; those that fail end the program.
    void run(const std::string& sql);
    std::int64_t text(const std::string& value); ///< id in StringIds

    void session_start(std::int64_t utc_ns);
    void schema(const std::string& version);
    void gpu(int id, const std::string& name, int multiprocessors);
    void cuda_device(std::int64_t process, int cuda, int gpu);
    void kernel(std::int64_t start, std::int64_t end, const std::string& name, const Gpu& gpu);
    void copy(std::int64_t start, std::int64_t end, int kind, std::int64_t bytes, const Gpu& gpu);
    void set(std::int64_t start, std::int64_t end, std::int64_t bytes, const Gpu& gpu);
    void graph(std::int64_t start, std::int64_t end, int id, const Gpu& gpu);
    void sync(std::int64_t start, std::int64_t end, int type, const Gpu& gpu);
    void call(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid,
              std::int64_t correlation);
    /// end < 0: nobody closed it. type: 59 push/pop, 60 start/end, 34 mark.
    void range(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid, int type = 59);
    /// A sample of a GPU's metric; the first of a name declares it. As recorded with --gpu-metrics-devices.
    void gpu_metric(std::int64_t time, int gpu, const std::string& name, std::int64_t value);
    void payload_schemas(); ///< NVTX_PAYLOAD_SCHEMA_ENTRIES as NCCL declares them in domain 1
    void payload_range(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid,
                       const std::string& payload);

private:
    void table(const std::string& name, const std::string& columns);

    sqlite3* database_ = nullptr;
    std::map<std::string, std::int64_t> texts_;
    std::map<std::pair<int, std::string>, std::int64_t> metrics_; ///< by GPU and name: metricId
};

} // namespace rankscope
