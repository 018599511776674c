// SPDX-License-Identifier: GPL-3.0-or-later
// What a query says of one event in words and numbers.
#pragma once
#include <array>
#include <string_view>

#include "core/analysis/selection/selection.h"

namespace rankscope {

/// "kernel", "memcpy", "cpu_op", "python" ...: as in a user's own metrics.
constexpr std::string_view event_kind_word(EventKind kind) {
    constexpr std::array<std::string_view, kEventKindCount> kWords{
        "kernel", "memcpy", "memset",   "gpu_annotation", "gpu_sync", "cpu_op",       "annotation",  "runtime",
        "driver", "python", "overhead", "span",           "other",    "graph_launch", "captured_op", "captured_scope"};
    return kWords[static_cast<std::size_t>(kind)];
}

constexpr std::string_view lane_kind_word(LaneKind kind) {
    constexpr std::array<std::string_view, 5> kWords{"gpu_stream", "gpu_annotation", "gpu_sync", "cpu_thread", "other"};
    return kWords[static_cast<std::size_t>(kind)];
}

} // namespace rankscope
