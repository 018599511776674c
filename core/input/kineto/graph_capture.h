// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what a serving engine recorded while it captured its CUDA or HIP graphs.
#pragma once
#include <filesystem>

#include "core/input/format/trace_format.h"
#include "core/trace/captured_graph.h"

namespace rankscope {

/// Whether a file holds captures of graphs rather than a run, by its name and folders: a folder "capture_traces";
/// "graph_capture_rank_0.….json.gz" (vLLM), "bs_32_rank0.json.gz" (SGLang), "capture_trace_rank_0.json.gz" (xDiT).
bool is_graph_capture(const std::filesystem::path& path);

/// The graphs of one file, from each start of a capture (cudaStreamBeginCapture, hipStreamBeginCapture) to its end;
/// without those calls what ran inside the annotation "capture_32_FULL", else all of it as one graph. Empty: nothing
/// was launched. Error: unreadable, or cancelled.
Result<std::vector<CapturedGraph>> read_captured_graphs(const std::filesystem::path& path, const ReadOptions& options);

} // namespace rankscope
