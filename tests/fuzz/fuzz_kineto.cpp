// SPDX-License-Identifier: GPL-3.0-or-later
// Kineto JSON, from the bytes of a file to a rank and back to the text of its events.
#include <cstdlib>

#include "core/input/kineto/kineto_reader.h"
#include "core/input/load/load_run.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    const auto path = folder.write("trace.json", fuzz_text(data, size));
    (void)peek_kineto(path);
    const auto rank = read_kineto(path, std::make_shared<StringTable>(), {});
    if (!rank)
        return 0;
    const Accounting& accounting = (*rank)->accounting;
    if (accounting.on_timeline != (*rank)->events.size() ||
        accounting.events_in_file != accounting.on_timeline + accounting.all_not_shown())
        std::abort();
    const std::size_t events = (*rank)->events.size();
    for (std::size_t event = 0; event < events; event += 1 + events / 4)
        (void)read_event_text(**rank, static_cast<EventIndex>(event));
    return 0;
}
