// SPDX-License-Identifier: GPL-3.0-or-later
// The event tables of an Nsight Systems export (schemas of 2021 to 2026), part by part, as rows of one shape.
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/input/bytes/sqlite_file.h"
#include "core/trace/event_table.h"
#include "core/trace/launch_shape.h"

namespace rankscope {

inline constexpr std::int64_t kAnyStream = 0xFFFFFFFF; ///< synchronisation of a whole context

/// Ids as Nsight Systems packs them: process bits 24 to 47, thread bits 0 to 23.
constexpr std::int64_t nsys_process(std::int64_t global_id) { return global_id >> 24 & 0xFFFFFF; }
constexpr std::int64_t nsys_thread(std::int64_t global_id) { return global_id & 0xFFFFFF; }
/// The process a thread belongs to, with the bits that tell machines apart.
constexpr std::int64_t nsys_global_process(std::int64_t global_id) { return global_id & ~std::int64_t{0xFFFFFF}; }

/// Where an event took place. GPU events: process, device, context, stream; host events: the thread, device -1.
struct NsysPlace {
    std::int64_t global_id = 0; ///< globalPid of GPU events, globalTid of host events
    std::int64_t device = -1;
    std::int64_t context = -1;
    std::int64_t stream = -1;
    friend auto operator<=>(const NsysPlace&, const NsysPlace&) = default;
};

struct NsysRow {
    TimeNs start = 0;
    TimeNs duration = 0; ///< kStillOpen: a range nobody closed
    std::int64_t correlation = -1;
    std::int64_t name = -1; ///< StringIds.id; -1: text says it
    std::int64_t bytes = -1;
    std::uint32_t text = 0;  ///< index in NsysBlock::texts
    std::uint32_t place = 0; ///< index in NsysBlock::places
    std::uint32_t shape =
        0; ///< index in NsysBlock::shapes, of GPU events; of ranges 1 + index in NsysBlock::payloads, or 0
    EventKind kind = EventKind::other;
    bool from_graph = false; ///< a node of a CUDA graph
    bool is_range = false;   ///< start/end range, which need not nest
};
inline constexpr TimeNs kStillOpen = -1;

struct NsysMark {
    TimeNs time = 0;
    std::int64_t name = -1;
    std::uint32_t text = 0;
    std::uint32_t place = 0;
};

/// A sample of a GPU metric (source: typeId, metric: metricId) or of a network card's (see NsysTable).
struct NsysSample {
    std::int64_t source = 0;
    std::int64_t port = -1;
    std::int64_t list = -1;
    std::int64_t metric = 0;
    TimeNs time = 0;
    double value = 0;
};

struct NsysBlock {
    std::vector<NsysRow> rows;
    std::vector<NsysMark> marks;
    std::vector<NsysSample> samples;
    std::vector<NsysPlace> places; ///< each once, as the following
    std::vector<LaunchShape> shapes;
    std::vector<std::string> texts;
    std::vector<std::string> payloads; ///< of NVTX ranges, as stored
    std::int64_t malformed = 0;        ///< rows without a time or place, or with text where a number belongs
    std::uint64_t metadata = 0;        ///< rows that name domains, categories or threads
    std::int64_t negative = 0;         ///< rows that end before they start
    Message damage;                    ///< why the rows end early; empty when they do not
    std::uint64_t rows_read = 0;
};

struct NsysTable {
    const char* name;
    std::vector<const char*> columns;
    void (*read)(SqliteRows& rows, NsysBlock& block);
    bool only_counters = false;
};

/// Kernels first, then other GPU work, then the host's, then counters: what comes first tells which processes use a
/// GPU.
std::span<const NsysTable> nsys_tables();

} // namespace rankscope
