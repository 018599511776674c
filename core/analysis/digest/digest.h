// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a rank's trace that cross-rank analyses, metrics and the overview need: all GPU work, what launched it
// and what lies around that, annotations, and what the host waits in.
#pragma once
#include <memory>

#include "core/trace/digest_facts.h"

namespace rankscope {

/// Keeps GPU work in its order, so that its indices stay the same; indices of CPU events change. beside: the
/// configuration that lies beside the trace. source: the file that holds the trace.
std::shared_ptr<const RankTrace> digest_of(const RankTrace& trace, FileStamp source, const Run& beside);

} // namespace rankscope
