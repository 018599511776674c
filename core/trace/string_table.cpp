// SPDX-License-Identifier: GPL-3.0-or-later
// Open-addressing index over strings kept in chunks; one mutex for writers, none for readers.
#include "core/trace/string_table.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;
constexpr NameId kFree = 0xFFFFFFFF;
/// What is longer is cut: nobody reads it in a table, and the event's own text has it whole.
constexpr std::size_t kLongestName = 64 * 1024;

/// Valid UTF-8 stays so.
std::string cut_name(std::string_view text) {
    std::size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return std::string(text.substr(0, end)) + "…";
}

} // namespace

struct StringTable::Index {
    struct Slot {
        std::uint32_t hash = 0;
        NameId id = kFree;
    };
    std::vector<Slot> slots = std::vector<Slot>(1024);
    std::vector<std::unique_ptr<char[]>> chunks;
    std::size_t chunk_free = 0;
    std::atomic<std::size_t> memory = sizeof(Slot) * 1024; ///< of slots and chunks, to be asked for meanwhile

    std::string_view store(std::string_view text) {
        if (text.size() > chunk_free) {
            const std::size_t size = std::max(kChunkBytes, text.size());
            chunks.push_back(std::make_unique<char[]>(size));
            chunk_free = size;
            memory += size;
            chunk_size = size;
        }
        char* target = chunks.back().get() + (chunk_size - chunk_free);
        std::memcpy(target, text.data(), text.size());
        chunk_free -= text.size();
        return {target, text.size()};
    }

    void grow() {
        std::vector<Slot> larger(slots.size() * 2);
        for (const Slot& slot : slots) {
            if (slot.id == kFree)
                continue;
            std::size_t at = slot.hash & (larger.size() - 1);
            while (larger[at].id != kFree)
                at = (at + 1) & (larger.size() - 1);
            larger[at] = slot;
        }
        memory += (larger.size() - slots.size()) * sizeof(Slot);
        slots = std::move(larger);
    }

    std::size_t chunk_size = 0;
};

StringTable::StringTable() : index_(std::make_unique<Index>()) { intern({}); }

StringTable::~StringTable() = default;

NameId StringTable::intern(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return intern_locked(text);
}

std::vector<NameId> StringTable::intern_all(std::span<const std::string_view> texts) {
    std::vector<NameId> ids;
    ids.reserve(texts.size());
    const std::lock_guard lock(mutex_);
    for (const std::string_view text : texts)
        ids.push_back(intern_locked(text));
    return ids;
}

NameId StringTable::intern_locked(std::string_view text) {
    if (text.size() > kLongestName + std::string_view("…").size())
        return intern_locked(cut_name(text));
    const auto hash = static_cast<std::uint32_t>(seeded_text_hash(text));
    Index& index = *index_;
    std::size_t at = hash & (index.slots.size() - 1);
    for (; index.slots[at].id != kFree; at = (at + 1) & (index.slots.size() - 1))
        if (index.slots[at].hash == hash && view(index.slots[at].id) == text)
            return index.slots[at].id;
    const NameId id = add(text.empty() ? std::string_view{} : index.store(text));
    index.slots[at] = {hash, id};
    if (size() * 2 > index.slots.size())
        index.grow();
    return id;
}

/// Under the lock.
NameId StringTable::add(std::string_view kept) {
    const std::size_t id = size();
    const std::size_t block = block_of(id);
    if (!blocks_[block])
        blocks_[block] = std::make_unique<std::string_view[]>(kFirstBlock << block);
    blocks_[block][id + kFirstBlock - (kFirstBlock << block)] = kept;
    size_.store(id + 1, std::memory_order_release);
    return static_cast<NameId>(id);
}

std::size_t StringTable::memory_bytes() const {
    const std::size_t texts = (kFirstBlock << (block_of(size() - 1) + 1)) - kFirstBlock; // "" is always there
    return index_->memory + texts * sizeof(std::string_view);
}

} // namespace rankscope
