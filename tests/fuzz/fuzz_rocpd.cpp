// SPDX-License-Identifier: GPL-3.0-or-later
// Databases of the ROCm profiler.
#include <cstdlib>
#include <memory>

#include "core/input/format/trace_format.h"
#include "tests/fuzz/fuzz_folder.h"

namespace rankscope {
TraceFormat rocpd_format();
}
using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    static const TraceFormat format = rocpd_format();
    const auto path = folder.write("results.db", fuzz_text(data, size));
    if (const auto peek = format.peek(path); !peek || !*peek)
        return 0;
    ReadOptions options;
    options.memory_bytes = std::uint64_t{1} << 28;
    const auto ranks = format.read(path, std::make_shared<StringTable>(), options);
    if (!ranks)
        return 0;
    check_accounting(*ranks);
    return 0;
}
