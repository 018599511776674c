// SPDX-License-Identifier: GPL-3.0-or-later
// The words of Kineto files that matter: categories, and the arguments that analyses need. A new argument is a field
// and a line here.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "core/trace/event_table.h"

namespace rankscope {

/// What a "cat" means; older spellings, and those of other accelerators, too. Unknown ones are EventKind::other.
EventKind kind_of_category(std::string_view category);

/// Categories whose events are calls of the host, but work of the device where they carry a device and a stream.
bool may_be_device_work(std::string_view category);

/// Categories that stay EventKind::other on purpose, whatever their arguments are.
bool is_other_on_purpose(std::string_view category);

/// Arguments the analyses need, as tokens; parsed only when used.
struct KinetoArgs {
    std::string_view correlation, external_id, device, stream, bytes, bandwidth, blocks_per_sm, occupancy;
    std::string_view collective, in_elements, out_elements, group_size, dtype, in_split, out_split;
    std::string_view group_name, group_description, group_ranks, source_rank, destination_rank, sequence;
    std::string_view allocated, reserved, memory_bytes, address, device_id, device_type, name;
    std::string_view dims, types, concrete, strides, flops, sequence_number;
    std::string_view kernel; ///< of launch calls (ROCm); looked for in captures of graphs only
};

struct ArgKey {
    std::string_view key;
    std::string_view KinetoArgs::*field;
};
inline constexpr std::array kArgKeys{
    ArgKey{"External id", &KinetoArgs::external_id},
    ArgKey{"correlation", &KinetoArgs::correlation},
    ArgKey{"stream", &KinetoArgs::stream},
    ArgKey{"device", &KinetoArgs::device},
    ArgKey{"bytes", &KinetoArgs::bytes},
    ArgKey{"memory bandwidth (GB/s)", &KinetoArgs::bandwidth},
    ArgKey{"blocks per SM", &KinetoArgs::blocks_per_sm},
    ArgKey{"est. achieved occupancy %", &KinetoArgs::occupancy},
    ArgKey{"Collective name", &KinetoArgs::collective},
    ArgKey{"In msg nelems", &KinetoArgs::in_elements},
    ArgKey{"Out msg nelems", &KinetoArgs::out_elements},
    ArgKey{"Group size", &KinetoArgs::group_size},
    ArgKey{"dtype", &KinetoArgs::dtype},
    ArgKey{"In split size", &KinetoArgs::in_split},
    ArgKey{"Out split size", &KinetoArgs::out_split},
    ArgKey{"Process Group Name", &KinetoArgs::group_name},
    ArgKey{"Process Group Description", &KinetoArgs::group_description},
    ArgKey{"Process Group Ranks", &KinetoArgs::group_ranks},
    ArgKey{"Src Rank", &KinetoArgs::source_rank},
    ArgKey{"Dst Rank", &KinetoArgs::destination_rank},
    ArgKey{"Seq", &KinetoArgs::sequence},
    ArgKey{"External Id", &KinetoArgs::external_id},
    ArgKey{"external id", &KinetoArgs::external_id},
    ArgKey{"Input Dims", &KinetoArgs::dims},
    ArgKey{"Input dims", &KinetoArgs::dims},
    ArgKey{"Input type", &KinetoArgs::types},
    ArgKey{"Concrete Inputs", &KinetoArgs::concrete},
    ArgKey{"Input Strides", &KinetoArgs::strides},
    ArgKey{"flops", &KinetoArgs::flops},
    ArgKey{"Sequence number", &KinetoArgs::sequence_number},
    ArgKey{"Total Allocated", &KinetoArgs::allocated},
    ArgKey{"Total Reserved", &KinetoArgs::reserved},
    ArgKey{"Bytes", &KinetoArgs::memory_bytes},
    ArgKey{"Addr", &KinetoArgs::address},
    ArgKey{"Device Id", &KinetoArgs::device_id},
    ArgKey{"Device Type", &KinetoArgs::device_type},
    ArgKey{"name", &KinetoArgs::name},
    ArgKey{"kernel", &KinetoArgs::kernel},
};

/// Where those of a first character start in kArgKeysByFirst; those of the next one follow.
inline constexpr std::size_t kFirstCharacters = 128;
inline constexpr auto kArgKeysFrom = [] {
    std::array<std::uint8_t, kFirstCharacters + 1> from{};
    for (const ArgKey& known : kArgKeys)
        ++from[static_cast<std::size_t>(known.key[0]) + 1];
    for (std::size_t c = 0; c < kFirstCharacters; ++c)
        from[c + 1] = static_cast<std::uint8_t>(from[c + 1] + from[c]);
    return from;
}();
inline constexpr auto kArgKeysByFirst = [] {
    auto next = kArgKeysFrom;
    auto keys = kArgKeys;
    for (const ArgKey& known : kArgKeys)
        keys[next[static_cast<unsigned char>(known.key[0])]++] = known;
    return keys;
}();
constexpr std::span<const ArgKey> arg_keys_with(char first) {
    const auto c = static_cast<unsigned char>(first);
    if (c >= kFirstCharacters)
        return {};
    return std::span(kArgKeysByFirst)
        .subspan(kArgKeysFrom[c], static_cast<std::size_t>(kArgKeysFrom[c + 1u] - kArgKeysFrom[c]));
}

} // namespace rankscope
