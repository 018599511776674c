// SPDX-License-Identifier: GPL-3.0-or-later
// What nccl-tests (or rccl-tests) measured: bandwidth over size, from a log beside the traces.
#pragma once
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/trace/collective_kind.h"

namespace rankscope {

/// A row of the test's table. Sizes in bytes as the test counts them; times in microseconds, bandwidths in 10^9 bytes a
/// second; NaN where the row does not tell.
struct NcclTestPoint {
    std::int64_t bytes = 0;
    double out_of_place_us = std::numeric_limits<double>::quiet_NaN();
    double out_of_place_busbw_gb_s = std::numeric_limits<double>::quiet_NaN();
    double in_place_us = std::numeric_limits<double>::quiet_NaN();
    double in_place_busbw_gb_s = std::numeric_limits<double>::quiet_NaN();
};

struct NcclTestCurve {
    std::filesystem::path file;
    CollectiveKind kind = CollectiveKind::other;
    int ranks = 0; ///< that the log lists; 0: it lists none
    std::string datatype;
    std::vector<NcclTestPoint> points; ///< by bytes
};

} // namespace rankscope
