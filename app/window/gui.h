// SPDX-License-Identifier: GPL-3.0-or-later
// The window's entry point.
#pragma once
#include <filesystem>
#include <vector>

#include "core/analysis/selection/selection.h"
#include "core/metrics/catalogue.h"

class QApplication;

namespace rankscope {

struct GuiOptions {
    std::vector<std::filesystem::path>
        paths;           ///< run folders or trace files; one is opened; two or more are compared with the first
    bool demo = false;   ///< opens two generated runs
    Selection selection; ///< the part of every run that the overview covers
    int jobs = 0;        ///< worker threads while reading; 0: what Settings say
    bool use_cache = false;
    std::uint64_t memory_bytes = 0; ///< budget of a run; 0: what Settings say
    MetricList metrics = {};        ///< the user's own
};

/// Shows the window and returns the exit code when it is closed.
int run_gui(QApplication& application, const GuiOptions& options);

} // namespace rankscope
