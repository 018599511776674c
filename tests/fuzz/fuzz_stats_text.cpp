// SPDX-License-Identifier: GPL-3.0-or-later
// What `nsys stats` prints: the tables in the text, and the ranks made of them.
#include <string_view>

#include "core/input/format/trace_format.h"
#include "core/input/nsys/stats_text.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const StatsTable& table : parse_stats_text(fuzz_text(data, size)))
        for (const auto& row : table.rows)
            if (row.size() > table.header.size())
                std::abort();
    static const FuzzFolder folder;
    const auto path = folder.write("cuda_gpu_trace.txt", fuzz_text(data, size));
    for (const TraceFormat& format : trace_formats())
        if (format.source == TraceSource::nsys_stats)
            if (const auto peek = format.peek(path); peek && *peek)
                (void)format.read(path, std::make_shared<StringTable>(), {});
    return 0;
}
