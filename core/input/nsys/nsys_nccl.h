// SPDX-License-Identifier: GPL-3.0-or-later
// What NCCL says of its calls in the payloads of its NVTX ranges: bytes and communicator, given to the kernels they
// launch.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/rank_builder.h"

namespace rankscope {

/// A number of a payload that is of use here: which, where it lies and how wide it is.
struct NvtxField {
    enum class Meaning : std::uint8_t { communicator, bytes, ranks };
    Meaning meaning = Meaning::bytes;
    std::uint64_t offset = 0;
    std::size_t width = 8; ///< 4 or 8 bytes, little-endian
};
/// By (domain, schema), as NVTX_PAYLOAD_SCHEMA_ENTRIES lists them.
using NvtxSchemas = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<NvtxField>>;

/// The field by its label ("Message size [bytes]") and NVTX type; nothing for one that is of no use here.
std::optional<NvtxField> nvtx_field(std::string_view label, std::int64_t type, std::int64_t offset);

struct NcclPayload {
    std::optional<std::uint64_t> communicator; ///< NCCL's hash of it, the same on all its ranks
    std::int64_t bytes = kUnknown; ///< one message: what a rank gives to an all-gather, gets from a reduce-scatter
    std::int64_t ranks = kUnknown; ///< of the communicator, where it is created
};
/// A payload as the export holds it: 32 bytes of header (domain, schema, sizes), then the fields. Empty for anything
/// else.
NcclPayload nccl_payload(const NvtxSchemas& schemas, std::string_view binary);

/// A range of NCCL on a thread: "ncclAllReduce", "ncclGroupStart" …
struct NcclRange {
    TrackId track = 0;
    TimeRange range;
    NameId name = 0;
    NcclPayload payload;
};

/// Communicators and their sizes.
using NcclSizes = std::map<std::uint64_t, std::int64_t>;

/// Gives the collective arguments of the calls to the NCCL kernels launched from inside them, or from the end of their
/// group: one each where they are as many, else the sum where one kernel does them all. Anything else stays without.
/// How many got some.
std::int64_t attach_nccl_calls(std::vector<NcclRange> ranges, const NcclSizes& sizes, RankBuilder& builder);

} // namespace rankscope
