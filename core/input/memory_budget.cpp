// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/memory_budget.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "core/input/trace_cache.h"

namespace rankscope {
namespace {

/// Of the text of a trace, while its events are read and sorted: up to 75 bytes an event of some 340 characters.
constexpr double kReadingShare = 0.25;
/// Text grows out of compressed files by about so much.
constexpr double kExpansion = 12;

bool is_compressed(const std::filesystem::path& path) {
    const auto ending = path.extension();
    return ending == ".gz" || ending == ".zst" || ending == ".zstd";
}

} // namespace

std::uint64_t default_memory_budget() {
    std::uint64_t bytes = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES))) *
                          static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::uint64_t limit = 0;
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit > 0)
        bytes = std::min(bytes, limit);
    return bytes / 10 * 7;
}

std::string memory_text(std::uint64_t bytes) {
    const double gigabytes = static_cast<double>(bytes) / static_cast<double>(1u << 30);
    return gigabytes >= 1 ? fmt::format("{:.1f} GB", gigabytes) : fmt::format("{:.0f} MB", gigabytes * 1024);
}

tl::unexpected<Error> beyond_memory(const std::filesystem::path& path, std::uint64_t limit,
                                    const std::string& until_then) {
    return input_error(
        fmt::format("reading {} takes more than the memory budget of {} (--memory); {} were read until then",
                    path.string(), memory_text(limit), until_then));
}

MemoryBudget::MemoryBudget(std::uint64_t bytes, std::shared_ptr<StringTable> names)
    : limit_(bytes > 0 ? bytes : default_memory_budget()), names_(std::move(names)) {}

std::size_t MemoryBudget::files_at_once(const RunFiles& files, int threads) const {
    double largest = 1;
    for (const RankFile& file : files.ranks)
        largest = std::max(largest, static_cast<double>(file.bytes) * (is_compressed(file.path) ? kExpansion : 1) *
                                        kReadingShare);
    return static_cast<std::size_t>(
        std::clamp(static_cast<double>(limit_) / 2 / largest, 1.0, static_cast<double>(std::max(1, threads))));
}

void MemoryBudget::admit(RankTraces& ranks) {
    for (auto& rank : ranks) {
        const std::uint64_t bytes = rank->memory_bytes();
        if (rank->flight_recorder) { // small, and a copy on disk would not hold all of it
            const std::lock_guard lock(mutex_);
            used_ += bytes;
            continue;
        }
        {
            const std::lock_guard lock(mutex_);
            if (used_ + names_->memory_bytes() + bytes <= limit_) {
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
                             fmt::format("the run takes more than the memory budget of {} (--memory): the events of {} "
                                         "ranks stay on disk and are "
                                         "read when they are looked at",
                                         memory_text(limit_), on_disk_),
                             {},
                             on_disk_});
    if (failed_ > 0)
        add_notice(
            notices,
            {"memory_budget_exceeded",
             fmt::format(
                 "the run takes more than the memory budget of {} (--memory), and there is no room on disk for the "
                 "rest of it",
                 memory_text(limit_)),
             {},
             failed_});
}

} // namespace rankscope
