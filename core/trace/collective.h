// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace says about a collective call and its process group.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/trace/event_table.h"

namespace rankscope {

inline constexpr std::int64_t kUnknown = -1;

/// A communicator as the trace names it. Equal in name, description and ranks = the same group on every rank.
struct ProcessGroup {
    std::string name;        ///< "0", "51" ...; may be empty
    std::string description; ///< "default_pg", "mesh_dp" ...; may be empty
    std::vector<int> ranks;  ///< members, ascending as written; empty when the trace gives none or elides them
    int size = 0;            ///< number of members; 0 when unknown
    friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;
};

/// Collective arguments as recorded, once for all events (GPU kernels, or the CPU operators that carry them) that have
/// the same.
struct CollectiveArgs {
    NameId collective = 0; ///< "Collective name", e.g. "_allgather_base"
    NameId dtype = 0;      ///< "BFloat16" ...; id of "" when absent
    std::int64_t in_elements = kUnknown;
    std::int64_t out_elements = kUnknown;
    std::int64_t group_size = kUnknown;
    std::int32_t source_rank = -1;
    std::int32_t destination_rank = -1;
    std::int32_t group = -1; ///< index in RankTrace::process_groups, -1 when the event names none
    NameId in_split = 0;     ///< JSON text of "In split size"; id of "" when absent
    NameId out_split = 0;
    friend bool operator==(const CollectiveArgs&, const CollectiveArgs&) = default;
};

struct CollectiveArgsHash {
    std::size_t operator()(const CollectiveArgs& args) const {
        return seeded_hash(args.collective, args.dtype, args.in_elements, args.out_elements, args.group_size,
                           args.source_rank, args.destination_rank, args.group, args.in_split, args.out_split);
    }
};

/// The collective of one event.
struct CollectiveEntry {
    EventIndex event = kNoEvent;
    std::uint32_t args = 0;           ///< index in RankTrace::collective_args
    std::int64_t sequence = kUnknown; ///< "Seq"
};

} // namespace rankscope
