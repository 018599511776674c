// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration that lies beside the traces: workload card (YAML), train_config.toml, serving results, gating logs.
// Read leniently: what can be read is used, the rest is a notice.
#pragma once
#include <filesystem>

#include "core/trace/run.h"

namespace rankscope {

/// Adds what is found beside the traces of path (a run folder or a trace file) to config, serving and expert_loads, and
/// to notices what could not be read. Keys of the card are as in formats.md ("workload.…", "Model-executor.…", also
/// where a card nests the latter in the former); those of train_config.toml start with "train_config.".
void read_run_config(const std::filesystem::path& path, Run& run);

/// Results of vLLM's and SGLang's serving benchmarks, and SGLang's log of requests: an object a line, or one.
bool is_serving_results(const std::filesystem::path& path);

/// One document each, for the readers' own tests. A broken one gives what stands before the break and a notice.
RunConfig parse_workload_card(const std::string& text, const std::string& file, Notices& notices);
RunConfig parse_train_config(const std::string& text, const std::string& file, Notices& notices);

} // namespace rankscope
