// SPDX-License-Identifier: GPL-3.0-or-later
// What the first events of a Kineto file tell of who wrote it.
#pragma once
#include <span>
#include <string_view>

#include "core/base/time.h"
#include "core/input/kineto/kineto_reader.h"

namespace rankscope {

/// Fills in the process, the time, and the tool that merged several files into this one. elements: texts of events.
/// base: what is added to their times (baseTimeNanoseconds).
void look_at_first_events(std::span<const std::string_view> elements, TimeNs base, KinetoPeek& peek);

} // namespace rankscope
