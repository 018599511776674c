// SPDX-License-Identifier: GPL-3.0-or-later
// The files of --output (docs/cli.md).
#pragma once
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>

#include "app/command/options.h"
#include "core/compare/analysed_run.h"
#include "core/report/rank_csv.h"

namespace rankscope {

/// What ends the writing between two files, and what is held while one is written; empty: nothing.
struct Writing {
    std::stop_token stop;
    std::function<std::unique_lock<std::mutex>()> lock;
};

/// --kernel-filter; empty without.
NameFilter kernel_filter(const Options& options);

/// --output; nothing without.
Result<void> create_output_folder(const Options& options);

/// Writes them into the folder of the options, which is there. json: metrics.json. One that cannot be written does not
/// stop the others; the first error is returned.
Result<void> write_report(const Options& options, std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                          const std::string& json, const Writing& writing);

} // namespace rankscope
