// SPDX-License-Identifier: GPL-3.0-or-later
// Names of copies.
#include "core/trace/transfer_kind.h"

#include <array>
#include <utility>

#include "core/base/text_match.h"

namespace rankscope {

std::string_view transfer_kind_word(TransferKind kind) {
    constexpr std::array<std::string_view, kTransferKindCount> kWords{
        "host_to_device", "device_to_host", "device_to_device", "peer_to_peer", "set", "unknown"};
    return kWords[static_cast<std::size_t>(kind)];
}

TransferKind transfer_kind(EventKind kind, std::string_view name) {
    if (kind == EventKind::memset)
        return TransferKind::set;
    const std::pair<std::string_view, TransferKind> words[] = {{"HtoD", TransferKind::host_to_device},
                                                               {"HOST_TO_DEVICE", TransferKind::host_to_device},
                                                               {"DtoH", TransferKind::device_to_host},
                                                               {"DEVICE_TO_HOST", TransferKind::device_to_host},
                                                               {"PtoP", TransferKind::peer_to_peer},
                                                               {"DtoD", TransferKind::device_to_device},
                                                               {"DEVICE_TO_DEVICE", TransferKind::device_to_device}};
    for (const auto& [word, transfer] : words)
        if (contains(name, word))
            return transfer;
    return TransferKind::unknown;
}

} // namespace rankscope
