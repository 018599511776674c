// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks say too little to be judged, or to judge others by.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/message.h"
#include "core/trace/run.h"

namespace rankscope {

/// A run without the ranks whose files end early, and, where others have GPU work, without those that have none. What
/// is missing of them would look like another way to work.
struct JudgedRun {
    std::shared_ptr<const Run> run;  ///< nullptr: no rank is left
    std::vector<std::uint32_t> kept; ///< of each of its ranks: index in the whole run
    std::vector<Message> left_out;   ///< a sentence each; empty: the run is judged as it is
};
JudgedRun judged_run(const Run& run);

} // namespace rankscope
