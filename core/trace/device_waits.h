// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that block until all GPU work launched before has ended.
#pragma once
#include <string_view>

#include "core/base/text_match.h"

namespace rankscope {

/// On any vendor's GPU: cudaDeviceSynchronize, hipDeviceSynchronize, cuCtxSynchronize, musaDeviceSynchronize ...
inline bool waits_for_device(std::string_view name) {
    return contains(name, "DeviceSynchronize") || contains(name, "CtxSynchronize") ||
           contains(name, "SynchronizeDevice") || name == "urQueueFinish";
}

} // namespace rankscope
