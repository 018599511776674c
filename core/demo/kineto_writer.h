// SPDX-License-Identifier: GPL-3.0-or-later
// Writes one simulated rank as the Kineto JSON that PyTorch's profiler would have left.
#pragma once
#include <stop_token>

#include "core/base/output_file.h"
#include "core/demo/run_simulator.h"

namespace rankscope {

struct WrittenTrace {
    std::uint64_t bytes = 0;  ///< of text, before compression
    std::uint64_t events = 0; ///< complete ("X") events
};

/// Writes into the file without committing it. Once it is asked to stop, the rest is left out.
WrittenTrace write_kineto(const SimulatorOptions& options, const SimulatedRun& run, int rank, OutputFile& file,
                          const std::stop_token& stop);

} // namespace rankscope
