// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run may take while it is read and afterwards.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/input/find/run_folder.h"

namespace rankscope {

class MemoryBudget {
public:
    /// bytes: 0 for the default. model_bytes: of ranks that were read; 0 for all of bytes.
    MemoryBudget(std::uint64_t bytes, std::uint64_t model_bytes, std::shared_ptr<StringTable> names);

    [[nodiscard]] std::uint64_t limit() const { return limit_; }
    /// So many files read side by side stay within the budget, by their sizes; at least one, at most as many as
    /// threads.
    [[nodiscard]] std::size_t files_at_once(const RunFiles& files, int threads) const;
    /// Counts the ranks that were read. Those beyond the budget are written to disk and mapped: the system keeps in
    /// memory what is looked at.
    void admit(RankTraces& ranks);
    /// Tells the user when something went to disk.
    void note(Notices& notices) const;

private:
    std::uint64_t limit_;
    std::uint64_t kept_; ///< of ranks that were read
    std::shared_ptr<StringTable> names_;
    std::mutex mutex_;
    std::uint64_t used_ = 0;
    std::int64_t on_disk_ = 0;
    std::int64_t failed_ = 0;
};

} // namespace rankscope
