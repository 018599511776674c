// SPDX-License-Identifier: GPL-3.0-or-later
// What the Kernels screen shows, computed in the background.
#pragma once
#include <memory>
#include <stop_token>

#include "core/analysis/operators/modules.h"
#include "core/analysis/operators/roofline.h"
#include "core/views/kernel_rows.h"
#include "core/views/operator_tree.h"
#include "widgets/charts/delay_histogram.h"

namespace rankscope {

struct KernelsChoice {
    RankChoice rank;
    PathParts parts;
};

struct KernelsContents {
    std::shared_ptr<const RunAnalysis> analysis;
    KernelsChoice choice; ///< rank: only one the run has
    std::vector<KernelRow> kernels;
    OperatorTree tree;
    std::vector<OperatorTotal> operators;
    const ModuleAnalysis* modules = nullptr; ///< the analysis's, of all ranks
    LaunchDelays delays;
    std::vector<RooflineRow> roofline;
    double modelledShare = 0; ///< of the GPU time of operators that compute, 0 to 1: those of the roofline
    std::string device;
    [[nodiscard]] const StringTable& names() const { return *analysis->run().names; }
};

/// nullptr: stopped.
std::shared_ptr<const KernelsContents> kernelsContents(std::shared_ptr<const RunAnalysis> analysis,
                                                       KernelsChoice choice, const std::stop_token& stop);

} // namespace rankscope
