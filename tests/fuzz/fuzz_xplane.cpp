// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles of XLA: the wire format, the planes, and the programs in them.
#include <cstdlib>
#include <memory>

#include "core/input/format/trace_format.h"
#include "core/input/xplane/hlo_module.h"
#include "tests/fuzz/fuzz_folder.h"

namespace rankscope {
TraceFormat xplane_format();
}
using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    static const TraceFormat format = xplane_format();
    const std::string_view text = fuzz_text(data, size);
    if (HloModule(text).size() > size)
        std::abort();
    ReadOptions options;
    options.memory_bytes = std::uint64_t{1} << 28;
    const auto ranks = format.read(folder.write("host.xplane.pb", text), std::make_shared<StringTable>(), options);
    if (!ranks)
        return 0;
    check_accounting(*ranks);
    return 0;
}
