// SPDX-License-Identifier: GPL-3.0-or-later
// What calls of a runtime or driver are to the question whether the work that they launched is recorded.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/text_match.h"
#include "core/trace/device_waits.h"

namespace rankscope {

/// waits: until all that was launched before, at least into one stream, has run.
enum class LaunchCall : std::uint8_t { other, launches, capture_begins, capture_ends, waits };

inline LaunchCall launch_call_of(std::string_view name) {
    return contains(name, "LaunchKernel")                                  ? LaunchCall::launches
           : contains(name, "StreamBeginCapture")                          ? LaunchCall::capture_begins
           : contains(name, "StreamEndCapture")                            ? LaunchCall::capture_ends
           : contains(name, "StreamSynchronize") || waits_for_device(name) ? LaunchCall::waits
                                                                           : LaunchCall::other;
}

} // namespace rankscope
