// SPDX-License-Identifier: GPL-3.0-or-later
// All metrics and findings of a run of two ranks whose events are the fuzzer's: what a reader accepts, analyses must
// bear. The bytes are two Kineto files with a line "====" between them; without it both ranks read the same.
#include "core/analysis/findings/findings.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    constexpr std::string_view kBorder = "\n====\n";
    const std::string_view text = fuzz_text(data, size);
    const std::size_t border = text.find(kBorder);
    folder.write("rank0_trace.json", text.substr(0, border));
    folder.write("rank1_trace.json", border == text.npos ? text : text.substr(border + kBorder.size()));
    const auto run = load_run(folder.path());
    if (!run)
        return 0;
    const RunAnalysis analysis(*run, {});
    (void)compute_metrics(analysis);
    (void)analysis.findings();
    return 0;
}
