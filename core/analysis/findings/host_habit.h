// SPDX-License-Identifier: GPL-3.0-or-later
// Which costs of the hosts are the program's habit, and no fault.
//   Example: all ranks write a checkpoint in steps 4, 8 and 12 of 12: a habit. In steps 4 and 8 of 12: a fault.
//   Example: loading takes 1.5 % of each step: a habit; 2.5 %: a fault.
#pragma once
#include "core/analysis/findings/host_fault.h"

namespace rankscope {

/// What all ranks have alike is the program's habit and no fault: a loader that takes a little in each step; a range of
/// its own, such as for a checkpoint, a pause that is always as long, or a wait for the GPU, in every so many steps.
bool is_habit(const FindingContext& context, const HostFault& fault, double cost);

} // namespace rankscope
