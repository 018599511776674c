// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/memory_budget.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/input/bytes/load_shape.h"
#include "core/input/format/memory_limit.h"
#include "core/input/load/trace_cache.h"

namespace rankscope {
namespace {

/// Of the text of a trace, while its events are read and sorted: up to 75 bytes an event of some 340 characters.
constexpr double kReadingShare = 0.25;

} // namespace

MemoryBudget::MemoryBudget(std::uint64_t bytes, std::uint64_t model_bytes, std::shared_ptr<StringTable> names)
    : limit_(bytes > 0 ? bytes : default_memory_budget()), kept_(model_bytes > 0 ? model_bytes : limit_),
      names_(std::move(names)) {}

std::size_t MemoryBudget::files_at_once(const RunFiles& files, int threads) const {
    double largest = 1;
    for (const RankFile& file : files.ranks)
        largest = std::max(largest, static_cast<double>(likely_text_bytes(file.path, file.bytes)) * kReadingShare);
    return static_cast<std::size_t>(
        std::clamp(static_cast<double>(limit_) / 2 / largest, 1.0, static_cast<double>(std::max(1, threads))));
}

void MemoryBudget::admit(RankTraces& ranks) {
    for (auto& rank : ranks) {
        const std::uint64_t bytes = rank->memory_bytes();
        if (!rank->can_be_copied()) { // small, and a copy on disk would not hold all of it
            const std::lock_guard lock(mutex_);
            used_ += bytes;
            continue;
        }
        {
            const std::lock_guard lock(mutex_);
            if (used_ + names_->memory_bytes() + bytes <= kept_) {
                used_ += bytes;
                continue;
            }
        }
        auto moved = moved_to_disk(rank, names_);
        const std::lock_guard lock(mutex_);
        if (moved) {
            release_cpu_events(**moved);
            rank = std::move(*moved);
            ++on_disk_;
        } else {
            ++failed_;
        }
        used_ += rank->memory_bytes();
    }
}

void MemoryBudget::note(Notices& notices) const {
    if (on_disk_ > 0)
        add_notice(notices, {"memory_budget",
                             "the run takes more than the memory budget of %1 (--memory): the events of %2 "
                             "ranks stay on disk and are "
                             "read when they are looked at"_text(memory_text(limit_), on_disk_),
                             {},
                             on_disk_});
    if (failed_ > 0)
        add_notice(notices,
                   {"memory_budget_exceeded",
                    "the run takes more than the memory budget of %1 (--memory), and there is no room on disk for the "
                    "rest of it"_text(memory_text(limit_)),
                    {},
                    failed_});
}

} // namespace rankscope
