// SPDX-License-Identifier: GPL-3.0-or-later
// Databases of the ROCm profiler and of rocmProfileData.
#include <cstdlib>
#include <memory>

#include "core/input/format/trace_format.h"
#include "tests/fuzz/fuzz_folder.h"

namespace rankscope {
TraceFormat rocpd_format();
TraceFormat rpd_format();
} // namespace rankscope
using namespace rankscope;

namespace {

void read(const TraceFormat& format, const std::filesystem::path& path) {
    if (const auto peek = format.peek(path); !peek || !*peek)
        return;
    ReadOptions options;
    options.memory_bytes = std::uint64_t{1} << 28;
    if (const auto ranks = format.read(path, std::make_shared<StringTable>(), options))
        check_accounting(*ranks);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    static const TraceFormat rocpd = rocpd_format();
    static const TraceFormat rpd = rpd_format();
    const auto path = folder.write("results.db", fuzz_text(data, size));
    read(rocpd, path);
    read(rpd, path);
    return 0;
}
