// SPDX-License-Identifier: GPL-3.0-or-later
// Between what a copy on a GPU moves its bytes.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/trace/event_table.h"

namespace rankscope {

enum class TransferKind : std::uint8_t { host_to_device, device_to_host, device_to_device, peer_to_peer, set, unknown };
inline constexpr std::size_t kTransferKindCount = 6;
std::string_view transfer_kind_word(TransferKind kind); ///< "host_to_device" ...

/// Of a copy or set, by its name in CUPTI, roctracer or rocprofiler.
TransferKind transfer_kind(EventKind kind, std::string_view name);

} // namespace rankscope
