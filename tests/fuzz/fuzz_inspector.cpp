// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of the Inspector of NCCL: alone, and joined to the run that they are.
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/input/inspector/inspector_join.h"
#include "tests/fuzz/fuzz_folder.h"

namespace rankscope {
TraceFormat inspector_format();
}
using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    static const TraceFormat format = inspector_format();
    const auto path = folder.write("node-pid1.log", fuzz_text(data, size));
    auto names = std::make_shared<StringTable>();
    auto ranks = format.read(path, names, {});
    if (!ranks)
        return 0;
    check_accounting(*ranks);
    std::vector<InspectorLog> logs;
    if (auto log = read_inspector_log(path, {}))
        logs.push_back(std::move(*log));
    const InspectorJoin join = join_inspector_logs(logs, *ranks, *names);
    if (join.joined > join.calls)
        std::abort();
    return 0;
}
