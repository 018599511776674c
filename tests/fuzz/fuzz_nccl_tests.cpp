// SPDX-License-Identifier: GPL-3.0-or-later
// What nccl-tests print.
#include <cstdlib>

#include "core/analysis/collectives/link_fits.h"
#include "core/input/nccl_tests/nccl_tests_log.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto curves = parse_nccl_tests(fuzz_text(data, size), "all_reduce.log");
    if (!curves)
        return 0;
    for (const NcclTestCurve& curve : *curves)
        for (const NcclTestPoint& point : curve.points)
            if (bus_gb_s_of(curve, point.bytes) < 0)
                std::abort();
    return 0;
}
