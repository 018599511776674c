// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/nsys_export.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sqlite3.h>

namespace rankscope {
namespace {

constexpr const char* kGpuColumns =
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER";

constexpr std::uint32_t kMessageSchema = 16777223;
constexpr std::uint32_t kInitSchema = 16777218;

std::string literal(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return quoted + "'";
}

std::string gpu_values(std::int64_t start, std::int64_t end, const NsysExport::Gpu& gpu) {
    return fmt::format("{},{},{},{},0,{},{},{}", start, end, gpu.device, gpu.context, gpu.stream, gpu.correlation,
                       nsys_pid(gpu.process));
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
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, "
        "value TEXT NOT NULL); BEGIN");
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
    table("TARGET_INFO_GPU",
          "vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, totalMemory INTEGER, smCount INTEGER");
    run(fmt::format("INSERT INTO TARGET_INFO_GPU VALUES (0, {}, {}, 85899345920, {})", id, literal(name),
                    multiprocessors));
}

void NsysExport::cuda_device(std::int64_t process, int cuda, int gpu) {
    table("TARGET_INFO_CUDA_DEVICE", "gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL");
    run(fmt::format("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES ({}, {}, {})", gpu, cuda, process));
}

void NsysExport::kernel(std::int64_t start, std::int64_t end, const std::string& name, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_KERNEL",
          std::string(kGpuColumns) +
              ", demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, "
              "gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
              "staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, graphNodeId INTEGER");
    const std::int64_t id = text(name);
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({},{},{},32,{},1,1,{},1,1,1024,2048,{})",
                    gpu_values(start, end, gpu), id, id, gpu.grid, gpu.block, node(gpu)));
}

void NsysExport::copy(std::int64_t start, std::int64_t end, int kind, std::int64_t bytes, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_MEMCPY",
          std::string(kGpuColumns) + ", bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind "
                                     "INTEGER, graphNodeId INTEGER");
    const int host = 1; // pinned
    const int source = kind == 1 ? host : 2;
    const int target = kind == 2 ? host : 2;
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES ({},{},{},{},{},{})", gpu_values(start, end, gpu),
                    bytes, kind, source, target, node(gpu)));
}

void NsysExport::set(std::int64_t start, std::int64_t end, std::int64_t bytes, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_MEMSET",
          std::string(kGpuColumns) + ", value INTEGER, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES ({},0,{},{},2)", gpu_values(start, end, gpu), bytes,
                    node(gpu)));
}

void NsysExport::graph(std::int64_t start, std::int64_t end, int id, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
          std::string(kGpuColumns) + ", graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES ({},{},1)", gpu_values(start, end, gpu), id));
}

void NsysExport::sync(std::int64_t start, std::int64_t end, int type, const Gpu& gpu) {
    table("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
          std::string(kGpuColumns) + ", syncType INTEGER NOT NULL, eventId INTEGER");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES ({},{},0)", gpu_values(start, end, gpu),
                    type));
}

void NsysExport::call(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid,
                      std::int64_t correlation) {
    table("CUPTI_ACTIVITY_KIND_RUNTIME",
          "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
          "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER");
    run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({},{},0,{},{},{},0,NULL)", start, end, global_tid,
                    correlation, text(name)));
}

void NsysExport::range(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid,
                       int type) {
    table("NVTX_EVENTS", "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category "
                         "INTEGER, text TEXT, "
                         "globalTid INTEGER, textId INTEGER, domainId INTEGER, binaryData TEXT");
    run(fmt::format("INSERT INTO NVTX_EVENTS VALUES ({},{},{},NULL,NULL,{},{},NULL,0,NULL)", start,
                    end < 0 ? "NULL" : std::to_string(end), type, literal(name), global_tid));
}

void NsysExport::gpu_metric(std::int64_t time, int gpu, const std::string& name, std::int64_t value) {
    table("TARGET_INFO_GPU_METRICS",
          "typeId INTEGER NOT NULL, sourceId INTEGER, typeName TEXT, metricId INTEGER NOT NULL, metricName TEXT");
    table("GPU_METRICS",
          "rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER NOT NULL, metricId INTEGER NOT NULL, value INTEGER");
    const std::int64_t type = 256 + gpu; // the low byte is the GPU
    const auto [known, added] = metrics_.try_emplace({gpu, name}, static_cast<std::int64_t>(metrics_.size()));
    if (added)
        run(fmt::format("INSERT INTO TARGET_INFO_GPU_METRICS VALUES ({}, 1, 'GH100', {}, {})", type, known->second,
                        literal(name)));
    run(fmt::format("INSERT INTO GPU_METRICS VALUES (0, {}, {}, {}, {})", time, type, known->second, value));
}

void NsysExport::payload_schemas() {
    table("NVTX_PAYLOAD_SCHEMA_ENTRIES",
          "domainId INTEGER, schemaId INTEGER, idx INTEGER, flags INTEGER, type INTEGER, name TEXT, "
          "description TEXT, arrayOrUnionDetail INTEGER, offset INTEGER");
    run(fmt::format(
        "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1,{0},0,NULL,18,'NCCL communicator ID',NULL,NULL,NULL),"
        "(1,{0},1,NULL,22,'Message size [bytes]',NULL,NULL,8), (1,{0},2,NULL,16777232,'Reduction "
        "operation',NULL,NULL,16),"
        "(1,{1},0,NULL,18,'NCCL communicator ID',NULL,NULL,NULL), (1,{1},1,NULL,5,'No. of ranks',NULL,NULL,8),"
        "(1,{1},2,NULL,5,'Rank',NULL,NULL,12)",
        kMessageSchema, kInitSchema));
}

void NsysExport::payload_range(std::int64_t start, std::int64_t end, const std::string& name, std::int64_t global_tid,
                               const std::string& payload) {
    range(start, end, name, global_tid);
    std::string hex;
    for (const char byte : payload)
        hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    run(fmt::format("UPDATE NVTX_EVENTS SET domainId = 1, binaryData = x'{}' WHERE rowid = last_insert_rowid()", hex));
}

namespace {

template <typename T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string payload(std::uint32_t schema, const std::string& fields) {
    std::string bytes;
    for (const std::uint32_t word : {1u, 0u, schema, 0u})
        append(bytes, word);
    append(bytes, static_cast<std::uint64_t>(fields.size()));
    append(bytes, static_cast<std::uint64_t>(fields.size() + 32));
    return bytes + fields;
}

} // namespace

std::string nccl_message(std::uint64_t communicator, std::int64_t bytes) {
    std::string fields;
    append(fields, communicator);
    append(fields, bytes);
    append(fields, std::uint64_t{0});
    return payload(kMessageSchema, fields);
}

std::string nccl_init(std::uint64_t communicator, std::uint32_t ranks, std::uint32_t rank) {
    std::string fields;
    append(fields, communicator);
    append(fields, ranks);
    append(fields, rank);
    return payload(kInitSchema, fields);
}

} // namespace rankscope
