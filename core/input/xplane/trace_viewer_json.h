// SPDX-License-Identifier: GPL-3.0-or-later
// What XLA's profiler writes of a host for the trace viewer (<host>.trace.json.gz), as the XSpace that it was made of.
//   {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}}           a plane
//   {"ph":"M","pid":3,"tid":2,"name":"thread_name","args":{"name":"XLA Ops"}}          a line of it
//   {"ph":"X","pid":3,"tid":2,"ts":1.5,"dur":2,"name":"fusion.1","args":{"flops":"8"}} an event with a statistic
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/notice.h"

namespace rankscope {

struct XSpaceOfJson {
    std::string bytes;         ///< for read_xspace()
    std::uint64_t events = 0;  ///< in it
    std::uint64_t skipped = 0; ///< not: without a start or a thread, of no process that is named, or no X events
};

/// Error: no JSON, or without traceEvents. Times count from the start of the profile: the file does not say when that
/// was.
Result<XSpaceOfJson> xspace_of_json(std::string_view text);

} // namespace rankscope
