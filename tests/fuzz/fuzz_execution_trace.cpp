// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch execution traces, alone.
#include "core/input/execution_trace/execution_trace.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    (void)read_execution_trace(folder.write("torch_et_0.json", fuzz_text(data, size)));
    return 0;
}
