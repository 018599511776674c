// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/nsys_export.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sqlite3.h>

namespace rankscope {
namespace {

constexpr const char* kGpuColumns = "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
                                    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER";

std::string literal(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return quoted + "'";
}

std::string gpu_values(std::int64_t start, std::int64_t end, const NsysExport::Gpu& gpu) {
    return fmt::format("{},{},{},{},NULL,{},{},{}", start, end, gpu.device, gpu.context, gpu.stream, gpu.correlation, nsys_pid(gpu.process));
}

sqlite3* opened(const std::filesystem::path& path) {
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK) {
        fmt::print(stderr, "{}: {}\n", path.string(), sqlite3_errmsg(database));
        std::exit(1);
    }
    return database;
}

void execute(sqlite3* database, const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
        fmt::print(stderr, "{}: {}\n", message, sql);
        std::exit(1);
    }
}

std::string node(const NsysExport::Gpu& gpu) { return gpu.graph_node == 0 ? "NULL" : std::to_string(gpu.graph_node); }

} // namespace

NsysExport::NsysExport(const std::filesystem::path& path) {
    std::filesystem::remove(path);
    database_ = opened(path);
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL); BEGIN");
}

NsysExport::~NsysExport() {
    run("COMMIT");
    sqlite3_close(database_);
}

void NsysExport::run(const std::string& sql) { execute(database_, sql); }

void NsysExport::edit(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* database = opened(path);
    execute(database, sql);
    sqlite3_close(database);
}

void NsysExport::table(const std::string& name, const std::string& columns) {
    run("CREATE TABLE IF NOT EXISTS " + name + " (" + columns + ")");
}

std::int64_t NsysExport::text(const std::string& value) {
    const auto [known, added] = texts_.try_emplace(value, static_cast<std::int64_t>(texts_.size()) + 100);
    if (added)
        run(fmt::format("INSERT INTO StringIds VALUES ({}, {})", known->second, literal(value)));
    return known->second;
}

void NsysExport::session_start(std::int64_t utc_ns) {
    table("TARGET_INFO_SESSION_START_TIME", "utcEpochNs INTEGER, utcTime TEXT, localTime TEXT");
    run(fmt::format("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES ({}, '', '')", utc_ns));
}

void NsysExport::schema(const std::string& version) {
    table("META_DATA_EXPORT", "name TEXT NOT NULL, value TEXT");
    run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', " + literal(version) + ")");
}

void NsysExport::gpu(int id, const std::string& name, int multiprocessors) {
    table("TARGET_INFO_GPU", "vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, totalMemory INTEGER, smCount INTEGER");
    run(fmt::format("INSERT INTO TARGET_INFO_GPU VALUES (0, {}, {}, 85899345920, {})", id, literal(name), multiprocessors));
}

void NsysExport::cuda_device(std::int64_t process, int cuda, int gpu) {
    table("TARGET_INFO_CUDA_DEVICE", "gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL");
    run(fmt::format("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES ({}, {}, {})", gpu, cuda, process));
}

void NsysExport::kernel(std::int64_t start, std::int64_t end, const std::string& name, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_KERNEL",
          std::string(kGpuColumns) + ", demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, "
                                     "gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
                                     "staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, graphNodeId INTEGER");
    const std::int64_t id = text(name);
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({},{},{},32,{},1,1,{},1,1,1024,2048,{})", gpu_values(start, end, gpu), id,
                    id, gpu.grid, gpu.block, node(gpu)));
}

void NsysExport::copy(std::int64_t start, std::int64_t end, int kind, std::int64_t bytes, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_MEMCPY",
          std::string(kGpuColumns) + ", bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, graphNodeId INTEGER");
    const int host = 1; // pinned
    const int source = kind == 1 ? host : 2;
    const int target = kind == 2 ? host : 2;
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES ({},{},{},{},{},{})", gpu_values(start, end, gpu), bytes, kind, source, target,
                    node(gpu)));
}

void NsysExport::set(std::int64_t start, std::int64_t end, std::int64_t bytes, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_MEMSET", std::string(kGpuColumns) + ", value INTEGER, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES ({},0,{},{},2)", gpu_values(start, end, gpu), bytes, node(gpu)));
}

void NsysExport::graph(std::int64_t start, std::int64_t end, int id, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", std::string(kGpuColumns) + ", graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES ({},{},1)", gpu_values(start, end, gpu), id));
}

void NsysExport::sync(std::int64_t start, std::int64_t end, int type, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", std::string(kGpuColumns) + ", syncType INTEGER NOT NULL, eventId INTEGER");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES ({},{},0)", gpu_values(start, end, gpu), type));
}

void NsysExport::call(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid, std::int64_t correlation) {
    table("CUPTI_ACTIVITY_KIND_RUNTIME", "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
                                         "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({},{},0,{},{},{},0,NULL)", start, end, global_tid, correlation, text(name)));
}

void NsysExport::range(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid, int type) {
    table("NVTX_EVENTS", "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, text TEXT, "
                         "globalTid INTEGER, textId INTEGER, domainId INTEGER");
    run(fmt::format("INSERT INTO NVTX_EVENTS VALUES ({},{},{},NULL,NULL,{},{},NULL,0)", start, end < 0 ? "NULL" : std::to_string(end), type,
                    literal(name), global_tid));
}

} // namespace rankscope
