// SPDX-License-Identifier: GPL-3.0-or-later
// What the model knows of an event whose file holds no text of its own for it.
#pragma once
#include <string>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// JSON in the shape of a Kineto event: {"name": …, "args": {"correlation": …, "grid": […], …}}; only what was
/// recorded.
std::string recorded_launch_json(const RankTrace& trace, EventIndex event);

} // namespace rankscope
