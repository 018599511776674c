// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite exports of Nsight Systems: the wrapper and the tables read through it.
#include <cstdlib>

#include "core/input/nsys/nsys_reader.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    const auto path = folder.write("report.sqlite", fuzz_text(data, size));
    if (const auto is = is_nsys_export(path); !is || !*is)
        return 0;
    const auto ranks = read_nsys_export(path, std::make_shared<StringTable>(), {});
    if (!ranks)
        return 0;
    for (const auto& rank : *ranks)
        if (rank->accounting.events_in_file != rank->accounting.on_timeline + rank->accounting.all_not_shown())
            std::abort();
    return 0;
}
