// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the memory snapshots beside the traces of a run, and gives each to its rank.
#pragma once
#include <filesystem>
#include <vector>

#include "core/input/format/trace_format.h"
#include "core/trace/run.h"

namespace rankscope {

/// By name (.pickle, .pkl) and by how they begin; by path.
std::vector<std::filesystem::path> memory_snapshots(const std::filesystem::path& run);

/// Of a run of snapshots alone, which have their rank already, nothing is looked for. A snapshot belongs to the rank
/// that its name or its folder tells; one alone to a run of one rank; as many as there are ranks without such a name
/// are taken in the order of their names. Of several of one rank the last by name counts.
void join_memory_snapshots(const std::filesystem::path& path, const ReadOptions& options, Run& run);

} // namespace rankscope
