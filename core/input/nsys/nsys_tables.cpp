// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/nsys_tables.h"

#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"
#include "core/trace/copy_memory.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

/// Numbers equal values; rows of one place or shape mostly follow each other.
template <typename T>
class Numbered {
public:
    explicit Numbered(std::vector<T>& values) : values_(values) {}
    std::uint32_t number(const T& value) {
        if (!values_.empty() && values_[last_] == value)
            return last_;
        const auto [known, added] = numbers_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
        if (added)
            values_.push_back(value);
        return last_ = known->second;
    }

private:
    std::vector<T>& values_;
    std::map<T, std::uint32_t> numbers_;
    std::uint32_t last_ = 0;
};

class Texts {
public:
    explicit Texts(std::vector<std::string>& texts) : texts_(texts) {}
    std::uint32_t number(std::string_view text) {
        const auto [known, added] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
        if (added)
            texts_.emplace_back(text);
        return known->second;
    }

private:
    std::vector<std::string>& texts_;
    TextMap<std::string, std::uint32_t> numbers_;
};

/// start and end from the first two columns. False: the row has no time and is counted.
bool read_times(const SqliteRows& rows, NsysBlock& block, NsysRow& row) {
    const auto start = rows.integer(0);
    const auto end = rows.integer(1);
    if (!start || !end || !is_plausible_time(*start) || !is_plausible_time(*end)) {
        ++block.malformed;
        return false;
    }
    row.start = *start;
    row.duration = *end - *start;
    if (row.duration < 0) {
        ++block.negative;
        row.duration = 0;
    }
    return true;
}

/// Device, context, stream, process: columns 2 to 5; correlation: column 6.
bool read_gpu_place(const SqliteRows& rows, NsysBlock& block, Numbered<NsysPlace>& places, NsysRow& row) {
    const auto device = rows.integer(2);
    // Exports before 2020 have no globalPid: one process.
    const auto process = rows.is_null(5) ? std::optional<std::int64_t>(0) : rows.integer(5);
    if (!device || !process) {
        ++block.malformed;
        return false;
    }
    row.place = places.number({nsys_global_process(*process), *device, rows.integer_or(3, -1), rows.integer_or(4, -1)});
    row.correlation = rows.integer_or(6, -1);
    return true;
}

std::uint32_t count_at(const SqliteRows& rows, int column) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(0, rows.integer_or(column, 0)));
}

void read_kernels(SqliteRows& rows, NsysBlock& block) {
    Numbered places(block.places);
    Numbered shapes(block.shapes);
    while (rows.next()) {
        ++block.rows_read;
        NsysRow row;
        if (!read_times(rows, block, row) || !read_gpu_place(rows, block, places, row))
            continue;
        row.kind = EventKind::kernel;
        for (int column = 7; column <= 9 && row.name < 0; ++column)
            row.name = rows.integer_or(column, -1);
        LaunchShape shape;
        for (int axis = 0; axis < 3; ++axis) {
            shape.grid[static_cast<std::size_t>(axis)] = count_at(rows, 10 + axis);
            shape.block[static_cast<std::size_t>(axis)] = count_at(rows, 13 + axis);
        }
        shape.registers = count_at(rows, 16);
        shape.static_shared = count_at(rows, 17);
        shape.dynamic_shared = count_at(rows, 18);
        shape.context = static_cast<std::int32_t>(rows.integer_or(3, -1));
        shape.green_context = static_cast<std::int32_t>(rows.integer_or(20, -1));
        row.from_graph = rows.integer_or(19, 0) > 0;
        row.shape = shapes.number(shape);
        block.rows.push_back(row);
    }
}

/// A graph recorded as a whole is one piece of GPU work of unknown content.
void read_graphs(SqliteRows& rows, NsysBlock& block) {
    Numbered places(block.places);
    Numbered shapes(block.shapes);
    Texts texts(block.texts);
    while (rows.next()) {
        ++block.rows_read;
        NsysRow row;
        if (!read_times(rows, block, row) || !read_gpu_place(rows, block, places, row))
            continue;
        row.kind = EventKind::kernel;
        row.text = texts.number(fmt::format("CUDA graph {}", rows.integer_or(7, 0)));
        row.from_graph = true;
        LaunchShape shape;
        shape.context = static_cast<std::int32_t>(rows.integer_or(3, -1));
        row.shape = shapes.number(shape);
        block.rows.push_back(row);
    }
}

/// Names as Kineto gives them, so that the two kinds of capture compare: "Memcpy HtoD (Pinned -> Device)".
std::string copy_name(std::int64_t kind, std::int8_t from, std::int8_t to) {
    static constexpr std::array kinds{"Unknown", "HtoD", "DtoH", "HtoA", "AtoH",    "AtoA",    "AtoD",
                                      "DtoA",    "DtoD", "HtoH", "PtoP", "UvmHtoD", "UvmDtoH", "UvmDtoD"};
    const auto memory = [](std::int8_t kind_of) {
        const std::string_view word = copy_memory_word(kind_of);
        return word.empty() ? "Unknown" : word;
    };
    return fmt::format(
        "Memcpy {} ({} -> {})",
        kind >= 0 && static_cast<std::size_t>(kind) < kinds.size() ? kinds[static_cast<std::size_t>(kind)] : "Unknown",
        memory(from), memory(to));
}

std::int8_t memory_kind(const SqliteRows& rows, int column) {
    const std::int64_t kind = rows.integer_or(column, -1);
    return kind >= 0 && kind < 100 ? static_cast<std::int8_t>(kind) : std::int8_t{-1};
}

void read_memory_work(SqliteRows& rows, NsysBlock& block, EventKind kind) {
    Numbered places(block.places);
    Numbered shapes(block.shapes);
    Texts texts(block.texts);
    std::map<std::tuple<std::int64_t, std::int8_t, std::int8_t>, std::uint32_t> names;
    while (rows.next()) {
        ++block.rows_read;
        NsysRow row;
        if (!read_times(rows, block, row) || !read_gpu_place(rows, block, places, row))
            continue;
        row.kind = kind;
        row.bytes = rows.integer_or(7, -1);
        row.from_graph = rows.integer_or(8, 0) > 0;
        LaunchShape shape;
        shape.context = static_cast<std::int32_t>(rows.integer_or(3, -1));
        shape.green_context = static_cast<std::int32_t>(rows.integer_or(9, -1));
        shape.source_memory = kind == EventKind::memcpy ? memory_kind(rows, 10) : std::int8_t{-1};
        shape.target_memory = kind == EventKind::memcpy ? memory_kind(rows, 11) : memory_kind(rows, 10);
        row.shape = shapes.number(shape);
        const std::int64_t direction = kind == EventKind::memcpy ? rows.integer_or(12, 0) : -1;
        const auto [known, added] = names.try_emplace({direction, shape.source_memory, shape.target_memory}, 0);
        if (added)
            known->second =
                texts.number(kind == EventKind::memcpy ? copy_name(direction, shape.source_memory, shape.target_memory)
                                                       : std::string("Memset (Device)"));
        row.text = known->second;
        block.rows.push_back(row);
    }
}

void read_copies(SqliteRows& rows, NsysBlock& block) { read_memory_work(rows, block, EventKind::memcpy); }
void read_sets(SqliteRows& rows, NsysBlock& block) { read_memory_work(rows, block, EventKind::memset); }

void read_syncs(SqliteRows& rows, NsysBlock& block) {
    static constexpr std::array kinds{"Synchronisation", "Event Sync", "Stream Wait Event", "Stream Sync",
                                      "Context Sync"};
    Numbered places(block.places);
    Texts texts(block.texts);
    while (rows.next()) {
        ++block.rows_read;
        NsysRow row;
        if (!read_times(rows, block, row) || !read_gpu_place(rows, block, places, row))
            continue;
        row.kind = EventKind::gpu_sync;
        const std::int64_t kind = rows.integer_or(7, 0);
        row.text = texts.number(kinds[kind > 0 && kind < 5 ? static_cast<std::size_t>(kind) : 0]);
        block.rows.push_back(row);
    }
}

void read_calls(SqliteRows& rows, NsysBlock& block) {
    Numbered places(block.places);
    while (rows.next()) {
        ++block.rows_read;
        NsysRow row;
        if (!read_times(rows, block, row))
            continue;
        const auto thread = rows.integer(2);
        if (!thread) {
            ++block.malformed;
            continue;
        }
        row.kind = EventKind::runtime; // which of the two it is, its name will tell
        row.place = places.number({*thread, -1, -1, -1});
        row.correlation = rows.integer_or(3, -1);
        row.name = rows.integer_or(4, -1);
        block.rows.push_back(row);
    }
}

void read_nvtx(SqliteRows& rows, NsysBlock& block) {
    constexpr std::int64_t kMark = 34, kPushPop = 59, kStartEnd = 60;
    constexpr std::size_t kLargestPayload = 256; // those of NCCL have 40 to 60 bytes
    Numbered places(block.places);
    Texts texts(block.texts);
    while (rows.next()) {
        ++block.rows_read;
        const std::int64_t type = rows.integer_or(2, kPushPop);
        if (type != kMark && type != kPushPop && type != kStartEnd) {
            ++block.metadata; // names of domains, categories and threads
            continue;
        }
        const auto start = rows.integer(0);
        const auto end = rows.integer(1);
        const auto thread = rows.integer(3);
        if (!start || !thread || !is_plausible_time(*start) || (end && !is_plausible_time(*end)) ||
            (!end && !rows.is_null(1))) {
            ++block.malformed;
            continue;
        }
        const std::string_view text = rows.text(4);
        const std::int64_t name = text.empty() ? rows.integer_or(5, -1) : -1;
        const std::uint32_t place = places.number({*thread, -1, -1, -1});
        const std::uint32_t number = name < 0 ? texts.number(text) : 0;
        if (type == kMark) {
            block.marks.push_back({*start, name, number, place});
            continue;
        }
        NsysRow row;
        row.start = *start;
        row.duration = end ? *end - *start : kStillOpen;
        if (end && row.duration < 0) {
            ++block.negative;
            row.duration = 0;
        }
        row.kind = EventKind::annotation;
        row.name = name;
        row.text = number;
        row.place = place;
        row.is_range = type == kStartEnd;
        if (const std::string_view payload = rows.blob(6); !payload.empty() && payload.size() <= kLargestPayload) {
            block.payloads.emplace_back(payload);
            row.shape = static_cast<std::uint32_t>(block.payloads.size());
        }
        block.rows.push_back(row);
    }
}

void read_gpu_metrics(SqliteRows& rows, NsysBlock& block) {
    while (rows.next()) {
        ++block.rows_read;
        const auto time = rows.integer(0);
        const auto type = rows.integer(1);
        const auto metric = rows.integer(2);
        const auto value = rows.number(3);
        if (time && type && metric && value && is_plausible_time(*time))
            block.samples.push_back({*type, -1, -1, *metric, *time, *value});
        else
            ++block.malformed;
    }
}

void read_nic_metrics(SqliteRows& rows, NsysBlock& block) {
    while (rows.next()) {
        ++block.rows_read;
        const auto time = rows.integer(0);
        const auto card = rows.integer(1);
        const auto list = rows.integer(3);
        const auto metric = rows.integer(4);
        const auto value = rows.number(5);
        if (time && card && list && metric && value && is_plausible_time(*time))
            block.samples.push_back({*card, rows.integer_or(2, -1), *list, *metric, *time, *value});
        else
            ++block.malformed;
    }
}

} // namespace

std::span<const NsysTable> nsys_tables() {
    static const std::array<NsysTable, 9> tables{{
        {"CUPTI_ACTIVITY_KIND_KERNEL",
         {"start",
          "end",
          "deviceId",
          "contextId",
          "streamId",
          "globalPid",
          "correlationId",
          "demangledName",
          "shortName",
          "mangledName",
          "gridX",
          "gridY",
          "gridZ",
          "blockX",
          "blockY",
          "blockZ",
          "registersPerThread",
          "staticSharedMemory",
          "dynamicSharedMemory",
          "graphNodeId",
          "greenContextId"},
         read_kernels},
        {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
         {"start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "graphId"},
         read_graphs},
        {"CUPTI_ACTIVITY_KIND_MEMCPY",
         {"start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "bytes", "graphNodeId",
          "greenContextId", "srcKind", "dstKind", "copyKind"},
         read_copies},
        {"CUPTI_ACTIVITY_KIND_MEMSET",
         {"start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "bytes", "graphNodeId",
          "greenContextId", "memKind"},
         read_sets},
        {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
         {"start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "syncType"},
         read_syncs},
        {"CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"}, read_calls},
        {"NVTX_EVENTS", {"start", "end", "eventType", "globalTid", "text", "textId", "binaryData"}, read_nvtx},
        {"GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}, read_gpu_metrics, true},
        {"NET_NIC_METRIC",
         {"start", "globalId", "portId", "metricsListId", "metricsIdx", "value"},
         read_nic_metrics,
         true},
    }};
    return tables;
}

} // namespace rankscope
