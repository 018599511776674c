// SPDX-License-Identifier: GPL-3.0-or-later
// Operation timelines: as events and as tables, and what stragglers cost in whatever the reader accepts. The file is
// named like one of another kind, too: what is told by content must not depend on names.
#include <cstdlib>

#include "core/input/load/load_run.h"
#include "core/input/operations/recorded_operations.h"
#include "core/run/run_analysis.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    const auto path = folder.write("timeline.json", fuzz_text(data, size));
    if (const auto read = read_operations(path, {})) {
        const Accounting& accounting = read->accounting;
        if (accounting.events_in_file != read->operations.size() + accounting.all_not_shown())
            std::abort(); // every event is an operation, or counted
        for (const RecordedOperation& operation : read->operations)
            if (operation.track >= read->tracks.size() || operation.type >= read->types.size() ||
                operation.duration < 0)
                std::abort();
    }
    const auto run = load_run(path);
    if (!run || (*run)->source != TraceSource::operations)
        return 0;
    const Accounting all = accounting_of(**run);
    if (all.events_in_file != all.on_timeline + all.all_not_shown())
        std::abort();
    const RunAnalysis analysis(*run, {});
    const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
    if (slowdown.unavailable.empty() && !(slowdown.slowdown() > 0))
        std::abort();
    const ParallelEfficiency& efficiency = analysis.parallel_efficiency();
    if (efficiency.unavailable.empty() && !(efficiency.mean.parallel() > 0 && efficiency.mean.parallel() <= 1 + 1e-9))
        std::abort();
    return 0;
}
