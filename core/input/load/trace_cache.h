// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of what was read, to open it again in no time: one file per trace in $XDG_CACHE_HOME/rankscope/traces (or
// ~/.cache/...), named after path, size and time of change of the trace, after what else went into it, and after the
// program that read it. Never believed blindly: a copy that is damaged, or of another version, is as if it were not
// there.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/input/find/run_folder.h"

namespace rankscope {

/// Reading less than this takes no time worth a copy. Bytes on disk.
inline constexpr std::uint64_t kLeastCachedBytes = 2u << 20;

class TraceCache {
public:
    /// max_bytes: all copies together; what was not used for longest goes first.
    explicit TraceCache(std::filesystem::path folder = default_folder(), std::uint64_t max_bytes = kDefaultBytes);

    static std::filesystem::path default_folder();
    static constexpr std::uint64_t kDefaultBytes = std::uint64_t{20} << 30;

    /// Names the state that a file is in, to be asked before it is read; empty when it is not to be cached (small, a
    /// digest, gone).
    [[nodiscard]] std::string key_of(const RankFile& file) const;
    /// The ranks of that file in that state, read into memory: other programs may remove or cut off the copy.
    [[nodiscard]] std::optional<RankTraces> find(const std::string& key, const std::filesystem::path& file,
                                                 const std::shared_ptr<StringTable>& names) const;
    /// Writes a copy, and removes old ones when they grow too large together.
    Result<void> keep(const std::string& key, const RankTraces& ranks) const;
    /// The same on a thread in the background.
    void keep_later(const std::string& key, RankTraces ranks) const;

    [[nodiscard]] std::filesystem::path path_of(const std::string& key, std::size_t part) const;

private:
    void make_room() const;

    std::filesystem::path folder_;
    std::uint64_t max_bytes_;
};

/// Waits until all copies are written. Call it before the program ends.
void finish_cache_writes();

/// The trace with its columns in a file without a name instead of in memory.
Result<std::shared_ptr<const RankTrace>> moved_to_disk(const std::shared_ptr<const RankTrace>& trace,
                                                       const std::shared_ptr<StringTable>& names);

/// Tells the system that the mapped events of the CPU are not needed soon.
void release_cpu_events(const RankTrace& trace);

} // namespace rankscope
