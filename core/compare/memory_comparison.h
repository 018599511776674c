// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots of two runs, or two of one rank opened as two runs: what grew at the peak, by category and by the
// place in the program that allocated it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/memory/snapshot_memory.h"
#include "core/base/message.h"

namespace rankscope {

/// Live at the peak, bytes.
struct MemoryChange {
    std::string name;   ///< a category ("ACTIVATION"), or a frame ("train.py:12 step"); empty: not recorded
    std::string caller; ///< of a frame: the next one of the user's program; empty: none
    std::int64_t baseline = 0;
    std::int64_t test = 0;
    [[nodiscard]] std::int64_t grown() const { return test - baseline; }
    [[nodiscard]] std::optional<double> grown_percent() const; ///< of the baseline; nothing: it had none of it
};

struct DeviceMemoryComparison {
    int rank = 0; ///< of the test
    std::int32_t device = 0;
    const DeviceSnapshot* baseline = nullptr;
    const DeviceSnapshot* test = nullptr;
    std::vector<MemoryChange> by_category; ///< largest change first; empty where neither has categories
    std::vector<MemoryChange> by_place;    ///< likewise; those that changed
};

/// Snapshots of the same rank and device; where each run has one alone, these two. Borrows from both.
std::vector<DeviceMemoryComparison> compare_memory(const Run& baseline, const SnapshotMemory& of_baseline,
                                                   const Run& test, const SnapshotMemory& of_test);

/// Of the rank whose reserved memory changed most; not of an empty list.
const DeviceMemoryComparison& most_changed(std::span<const DeviceMemoryComparison> pairs);

/// Of that rank. Empty without a pair.
std::vector<Message> memory_comparison_sentences(std::span<const DeviceMemoryComparison> pairs);

} // namespace rankscope
