// SPDX-License-Identifier: GPL-3.0-or-later
// The three kernels of each rank that take the most time: longest_kernels PATH
#include <algorithm>
#include <cstdio>

#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"

using namespace rankscope;

int main(int argc, char** argv) {
    if (argc != 2)
        return std::fprintf(stderr, "usage: longest_kernels PATH\n"), 2;
    const auto run = load_run(argv[1]);
    if (!run)
        return std::fprintf(stderr, "%s\n", rankscope::english(run.error().message).c_str()), 1;
    for (const Notice& notice : (*run)->notices)
        std::fprintf(stderr, "%s\n", rankscope::english(notice.message).c_str());
    const RunAnalysis analysis(*run, Selection{});
    for (std::size_t i = 0; i < (*run)->ranks.size(); ++i) {
        const auto& kernels = analysis.kernel_tables()[i]; // longest first
        for (std::size_t k = 0; k < std::min<std::size_t>(3, kernels.size()); ++k)
            std::printf("rank %d: %.3f ms in %lld calls of %s\n", (*run)->ranks[i]->rank,
                        static_cast<double>(kernels[k].total) / 1e6, static_cast<long long>(kernels[k].count),
                        std::string((*run)->names->view(kernels[k].name)).c_str());
    }
    return 0;
}
