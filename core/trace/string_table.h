// SPDX-License-Identifier: GPL-3.0-or-later
// Every name of a run, once. Ranks are read in parallel and intern into the same table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include <tbb/concurrent_vector.h>

namespace rankscope {

/// Index of a string in the run's StringTable. Ids are given in order of arrival, which depends on which rank is
/// read first: order anything that a user sees by text, never by id.
using NameId = std::uint32_t;

/// Append-only, thread-safe set of strings. Views stay valid as long as the table lives; reading takes no lock.
class StringTable {
public:
    StringTable();
    ~StringTable();
    StringTable(const StringTable&) = delete;
    StringTable& operator=(const StringTable&) = delete;

    NameId intern(std::string_view text);
    /// Interns many strings under one lock; ids in the order of texts.
    std::vector<NameId> intern_all(std::span<const std::string_view> texts);

    [[nodiscard]] std::string_view view(NameId id) const { return texts_[id]; }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    /// Heap bytes held by the strings and the index.
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    struct Index;
    NameId intern_locked(std::string_view text);

    std::mutex mutex_;
    std::unique_ptr<Index> index_;
    tbb::concurrent_vector<std::string_view> texts_;
};

} // namespace rankscope
