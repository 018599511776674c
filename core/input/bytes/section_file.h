// SPDX-License-Identifier: GPL-3.0-or-later
// A file of numbered sections, each with its checksum: what digests and cache files are made of. Columns lie in it as
// they lie in memory, to be mapped, or packed, to be small.
//
// Header, table of sections, sections, each at a multiple of 64 bytes; little-endian. Nothing in it is trusted: every
// size, place and checksum is checked when it is opened, every value when it is read.
#pragma once
#include <bit>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/notice.h"
#include "core/trace/column.h"

namespace rankscope {

enum class Packing : std::uint8_t {
    raw,        ///< values as in memory
    packed,     ///< each value in as many bytes as it needs, compressed
    differences ///< the same of the differences of neighbours; a writer takes what is smaller
};

/// Collects sections; spans given to it must live until write().
class SectionWriter {
public:
    SectionWriter(std::uint32_t purpose, Packing packing) : purpose_(purpose), packing_(packing) {}

    void text(std::uint32_t id, std::string content);
    template <typename T>
    void column(std::uint32_t id, std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
        if (packing_ == Packing::packed)
            return integers(id, widened(values), sizeof(T));
        sections_.push_back({id,
                             Packing::raw,
                             sizeof(T),
                             values.size(),
                             values.size_bytes(),
                             {},
                             {reinterpret_cast<const char*>(values.data()), values.size_bytes()}});
    }
    /// One field of the entries of a table.
    template <typename Entries, typename Field>
    void field(std::uint32_t id, const Entries& entries, Field Entries::value_type::*member) {
        std::vector<std::int64_t> values;
        values.reserve(entries.size());
        for (const auto& entry : entries)
            values.push_back(bits(entry.*member));
        integers(id, values, 8);
    }
    /// Whole or not at all, for its owner and group as the umask has it. Error: cannot be written.
    Result<void> write(const std::filesystem::path& path) const;

    /// Any value as an integer; floating point by its bits.
    template <typename T>
    static std::int64_t bits(T value);

private:
    struct Section {
        std::uint32_t id = 0;
        Packing packing = Packing::raw;
        std::uint8_t width = 1;
        std::uint64_t count = 0;
        std::uint64_t plain_bytes = 0;
        std::string own;
        std::string_view borrowed; ///< where own is empty
        [[nodiscard]] std::string_view content() const { return own.empty() ? borrowed : std::string_view(own); }
    };
    template <typename T>
    static std::vector<std::int64_t> widened(std::span<const T> values) {
        std::vector<std::int64_t> wide;
        wide.reserve(values.size());
        for (const T value : values)
            wide.push_back(bits(value));
        return wide;
    }
    void integers(std::uint32_t id, const std::vector<std::int64_t>& values, std::uint8_t width);

    std::uint32_t purpose_;
    Packing packing_;
    std::vector<Section> sections_;
};

/// Whether a file starts as these do.
bool is_section_file(const std::filesystem::path& path);

/// An opened file. What is wrong with it is told once, by damage(); from then on sections are empty.
class SectionReader {
public:
    enum class Access {
        read,  ///< into memory: a file that is cut off meanwhile does no harm
        mapped ///< for files that nobody else can reach: one that is cut off while it is mapped ends the program
    };
    /// Error: cannot be opened, of another purpose or version, or damaged.
    static Result<SectionReader> open(const std::filesystem::path& path, std::uint32_t purpose, Access access);
    /// Only the text that was written first; the rest of the file is not looked at.
    static Result<std::string> first_text(const std::filesystem::path& path, std::uint32_t purpose);

    [[nodiscard]] std::string text(std::uint32_t id);
    /// A column of exactly so many values; a mapped file's raw columns are not copied.
    template <typename T>
    [[nodiscard]] Column<T> column(std::uint32_t id, std::size_t count) {
        const Section* section = find(id, sizeof(T), count);
        if (section == nullptr)
            return {};
        if (section->packing == Packing::raw) {
            const std::span plain(reinterpret_cast<const T*>(bytes_.data() + section->offset), count);
            return access_ == Access::mapped ? Column<T>(plain, owner_)
                                             : Column<T>(std::vector<T>(plain.begin(), plain.end()));
        }
        std::vector<T> values(count);
        unpack(*section, [&values](std::size_t i, std::int64_t value) { values[i] = from_bits<T>(value); });
        return values;
    }
    template <typename T>
    [[nodiscard]] std::vector<T> values(std::uint32_t id, std::size_t count) {
        const Column<T> found = column<T>(id, count);
        return {found.begin(), found.end()};
    }
    /// One field of the entries of a table, which has its size already.
    template <typename Entry, typename Field>
    void field(std::uint32_t id, std::vector<Entry>& entries, Field Entry::*member) {
        const Column<std::int64_t> found = column<std::int64_t>(id, entries.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            entries[i].*member = from_bits<Field>(found[i]);
    }
    [[nodiscard]] std::uint64_t count(std::uint32_t id) const; ///< of a section's values; 0 when it is not there
    void fail(Message what) {
        if (damage_.empty())
            damage_ = std::move(what);
    }
    [[nodiscard]] const Message& damage() const { return damage_; }
    [[nodiscard]] std::uint64_t file_bytes() const { return bytes_.size(); }
    /// Where the section lies in memory, for advice to the system.
    [[nodiscard]] std::span<const char> place(std::uint32_t id) const;

    /// What SectionWriter::bits() was given.
    template <typename T>
    static T from_bits(std::int64_t value);

private:
    struct Section {
        std::uint32_t id = 0;
        Packing packing = Packing::raw;
        std::uint8_t width = 1;
        std::uint64_t count = 0;
        std::uint64_t offset = 0;
        std::uint64_t stored_bytes = 0;
        std::uint64_t plain_bytes = 0;
    };
    const Section* find(std::uint32_t id, std::size_t width, std::size_t count);
    std::string plain(const Section& section);
    template <typename Store>
    void unpack(const Section& section, Store store);
    static const char* next_number(const char* at, const char* end, std::uint64_t& number);

    std::shared_ptr<const void> owner_;
    Access access_ = Access::read;
    std::span<const char> bytes_;
    std::vector<Section> sections_;
    Message damage_;
};

template <typename T>
std::int64_t SectionWriter::bits(T value) {
    if constexpr (std::is_same_v<T, double>)
        return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value));
    else if constexpr (std::is_same_v<T, float>)
        return static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value));
    else
        return static_cast<std::int64_t>(value);
}

template <typename T>
T SectionReader::from_bits(std::int64_t value) {
    if constexpr (std::is_same_v<T, double>)
        return std::bit_cast<double>(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<float>(static_cast<std::uint32_t>(value));
    else
        return static_cast<T>(value);
}

template <typename Store>
void SectionReader::unpack(const Section& section, Store store) {
    const std::string text = plain(section);
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < section.count; ++i) {
        std::uint64_t number = 0;
        at = next_number(at, end, number);
        if (at == nullptr)
            return fail("a column ends early"_text);
        value = section.packing == Packing::differences ? value + number : number;
        store(i, static_cast<std::int64_t>(value));
    }
    if (at != end)
        fail("a column is longer than it says"_text);
}

} // namespace rankscope
