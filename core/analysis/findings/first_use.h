// SPDX-License-Identifier: GPL-3.0-or-later
// What a program pays once, where it first uses a library or a kernel: cuBLAS, cuDNN and MIOpen load their code then.
#pragma once
#include <string>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// An operator that is far longer where the recording has it first, around a call that is none of its work.
struct FirstUse {
    EventIndex operation = kNoEvent;
    EventIndex call = kNoEvent; ///< the longest such call inside
    TimeNs later = 0;           ///< what the operator usually takes after that; 0 where it is recorded once
};

/// In order of start, apart. launches: calls that launch kernels count as well, which load a kernel at its first use.
/// gpu_busy: time in which the GPU works and a call may wait for it, on the rank's own clock.
std::vector<FirstUse> first_uses(const RankTrace& rank, const std::vector<TimeRange>& gpu_busy, bool launches);

/// "cuDNN"; "" where the operator does not tell.
std::string library_of(const RankTrace& rank, const FirstUse& use);

} // namespace rankscope
