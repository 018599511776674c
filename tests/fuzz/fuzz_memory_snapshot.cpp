// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots: the pickle as it streams, and the sums over its blocks and events.
#include <cstdlib>
#include <memory>

#include "core/analysis/memory/snapshot_words.h"
#include "core/input/memory_snapshot/snapshot_reader.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    const auto file = folder.write("rank0.pickle", fuzz_text(data, size));
    auto names = std::make_shared<StringTable>();
    auto snapshot = read_memory_snapshot(file, *names, {});
    if (!snapshot)
        return 0;
    auto rank = std::make_shared<RankTrace>();
    rank->names = names;
    rank->memory_snapshot = std::make_shared<const MemorySnapshot>(std::move(*snapshot));
    Run run;
    run.names = names;
    run.ranks = {rank};
    const SnapshotMemory memory = analyse_snapshots(run);
    for (const DeviceSnapshot& of : memory.devices) {
        std::int64_t live = 0;
        for (const LiveAtPeak& row : of.live_at_peak)
            live += row.bytes;
        if (live != of.active_peak)
            std::abort(); // what was live is what was active
    }
    (void)snapshot_sentences(run, memory);
    return 0;
}
