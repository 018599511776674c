// SPDX-License-Identifier: GPL-3.0-or-later
// Tables over the collective calls of a run, by the rules of TraceLens's collective report (rules-tracelens.md).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/collectives/collective_timing.h"

namespace rankscope {

/// Of values that exist; all NaN without any, deviation (n - 1) also with one.
struct Statistics {
    std::int64_t count = 0;
    double sum = 0;
    double mean = 0;
    double median = 0;
    double deviation = 0;
    double min = 0;
    double max = 0;
};
Statistics statistics_of(std::vector<double> values);

/// Calls that synchronise their members, by collective, dtype and elements sent. group, size and bytes are the first
/// call's.
struct ImplicitSyncRow {
    std::string collective; ///< as recorded, else the kind's word
    NameId dtype = 0;
    std::int64_t in_elements = kUnknown;
    std::uint32_t group = 0;
    std::int64_t group_size = 0;
    std::int64_t bytes = kUnknown;
    std::int64_t alone = 0; ///< of count: calls of which one member is traced
    Statistics latency;     ///< ns
    Statistics start_skew;  ///< ns
    Statistics end_skew;    ///< ns
    Statistics algbw;       ///< GB/s
    Statistics busbw;       ///< GB/s
};

/// All calls of one rank that are alike.
struct LongRow {
    std::uint32_t rank = 0; ///< index in Run::ranks
    std::uint32_t group = 0;
    std::string collective;
    std::int64_t group_size = 0;
    NameId dtype = 0;
    std::int64_t in_elements = kUnknown;
    std::int64_t out_elements = kUnknown;
    NameId in_split = 0;
    NameId out_split = 0;
    std::int64_t stream = -1;
    Statistics duration; ///< ns
};

/// all_to_allv by group and dtype. Per call: throughput = all that is sent / wall, imbalance = most / mean sent.
struct AllToAllVRow {
    std::uint32_t group = 0;
    NameId dtype = 0;
    std::int64_t group_size = 0;
    Statistics bytes;
    Statistics wall;       ///< ns
    Statistics throughput; ///< GB/s
    Statistics imbalance;
    Statistics longest;    ///< ns, of the members' durations
    Statistics start_skew; ///< ns
    Statistics end_skew;   ///< ns
};

/// What one rank sent another in all_to_allv calls, by their split sizes.
struct AllToAllTraffic {
    int source = 0;
    int destination = 0;
    std::int64_t bytes = 0;
    std::int64_t calls = 0;
};

/// A rank at the calls of implicit_sync.
struct ArrivalRow {
    std::uint32_t rank = 0;
    std::int64_t calls = 0;
    TimeNs wait = 0; ///< for the last to arrive, summed
    std::int64_t times_last = 0;
    std::int64_t times_first = 0;
    TimeNs communication = 0; ///< all communication kernels of the rank, summed
};

struct CollectiveSummaries {
    std::vector<ImplicitSyncRow> implicit_sync; ///< by total latency, descending
    std::int64_t implicit_sync_calls = 0;
    std::vector<LongRow> by_rank; ///< "long": by total duration, descending
    std::vector<AllToAllVRow> all_to_allv;
    std::vector<AllToAllTraffic> all_to_allv_traffic; ///< by source, destination
    std::vector<ArrivalRow> arrivals;                 ///< "straggler_summary": in order of rank
};

CollectiveSummaries summarise_collectives(const Run& run, const CollectiveMatching& matching, const CallTable& table);

/// As recorded, else the kind's word.
std::string collective_word(const Run& run, const CommCall& call);

} // namespace rankscope
