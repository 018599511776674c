// SPDX-License-Identifier: GPL-3.0-or-later
// Every name of a run, once. Ranks are read in parallel and intern into the same table.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

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

    [[nodiscard]] std::string_view view(NameId id) const {
        const std::size_t block = block_of(id);
        return blocks_[block][id + kFirstBlock - (kFirstBlock << block)];
    }
    [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_acquire); }
    /// Heap bytes held by the strings and the index.
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    // The texts lie in blocks, each twice as long as the one before, which never move: who has an id can read while
    // others intern. By hand: tbb::concurrent_vector is read by 140 files of the build that need nothing else of TBB.
    static constexpr std::size_t kFirstBlock = 64; ///< texts
    static constexpr std::size_t kBlocks = 27;     ///< hold every NameId
    static constexpr std::size_t block_of(std::size_t id) {
        return static_cast<std::size_t>(std::bit_width(id / kFirstBlock + 1) - 1);
    }

    struct Index;
    NameId intern_locked(std::string_view text);
    NameId add(std::string_view kept);

    std::mutex mutex_;
    std::unique_ptr<Index> index_;
    std::array<std::unique_ptr<std::string_view[]>, kBlocks> blocks_;
    std::atomic<std::size_t> size_ = 0;
};

} // namespace rankscope
