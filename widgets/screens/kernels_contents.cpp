// SPDX-License-Identifier: GPL-3.0-or-later
// What the Kernels screen shows.
#include "widgets/screens/kernels_contents.h"

#include "core/metrics/workload.h"

namespace rankscope {

std::shared_ptr<const KernelsContents> kernelsContents(std::shared_ptr<const RunAnalysis> analysis,
                                                       KernelsChoice choice, const std::stop_token& stop) {
    auto contents = std::make_shared<KernelsContents>();
    const RunAnalysis& run = *analysis;
    if (choice.rank && *choice.rank >= run.ranks().size())
        choice.rank.reset();
    contents->analysis = std::move(analysis);
    contents->choice = choice;
    contents->kernels = kernel_rows(run, choice.rank);
    if (!stop.stop_requested())
        contents->tree = operator_tree(run, choice.rank, choice.parts, stop);
    if (stop.stop_requested())
        return nullptr;
    contents->operators = operator_totals(*run.run().names, contents->tree);
    contents->modules = &run.modules();
    contents->delays = spreadOf(launch_delays(run, choice.rank));
    contents->device = run_device_name(run.run());
    if (!stop.stop_requested())
        contents->roofline = roofline(*run.run().names, chosen_modelled(run, choice.rank), contents->device,
                                      peaks_of(run.run(), run.rules().peaks));
    contents->modelledShare = modelled_share(chosen_leaves(run, choice.rank), contents->roofline);
    return contents;
}

} // namespace rankscope
