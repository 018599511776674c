// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/section_mutation.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <isa-l/crc64.h>
#include <zstd.h>

#include "core/input/digest/trace_file_sections.h"

namespace rankscope {
namespace {

struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t purpose;
    std::uint64_t file_bytes;
    std::uint64_t section_count;
    std::uint64_t table_checksum;
    std::uint64_t checksum;
};

struct Entry {
    std::uint32_t id;
    std::uint8_t packing;
    std::uint8_t width;
    std::uint16_t unused;
    std::uint64_t count;
    std::uint64_t offset;
    std::uint64_t stored_bytes;
    std::uint64_t plain_bytes;
    std::uint64_t checksum;
};

constexpr char kMagic[] = "RKSCOPE\x1A";
constexpr std::uint64_t kMostSections = 256;
constexpr std::uint64_t kMostPlain = 1 << 20;

std::uint64_t crc(const char* bytes, std::size_t size) {
    return crc64_ecma_refl(0, reinterpret_cast<const unsigned char*>(bytes), size);
}

bool holds_table(std::string_view file, const Header& header) {
    return header.section_count <= kMostSections && sizeof header + header.section_count * sizeof(Entry) <= file.size();
}

bool lies_in(std::string_view file, const Entry& entry) {
    return entry.offset <= file.size() && entry.stored_bytes <= file.size() - entry.offset;
}

std::uint64_t numbers_in(std::string_view varints) {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        varints, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

} // namespace

void FuzzSection::settle(bool keep_count) {
    if (packing != 0 &&
        (id == section::head || id == section::names || id == section::structure || id == section::facts)) {
        plain.resize(keep_count ? std::min(count, kMostPlain) : plain.size());
        count = plain.size();
    } else if (packing == 0) {
        width = std::max<std::uint8_t>(width, 1);
        plain.resize((keep_count ? std::min(count, kMostPlain / width) : plain.size() / width) * width);
        count = plain.size() / width;
    } else if (!keep_count) {
        count = numbers_in(plain);
    } else {
        std::size_t end = 0;
        for (std::uint64_t seen = 0; end < plain.size() && seen < count; ++end)
            seen += static_cast<unsigned char>(plain[end]) < 0x80;
        plain.resize(end);
        const std::uint64_t present = numbers_in(plain);
        plain.append(std::min(count - std::min(count, present), kMostPlain), '\0');
    }
}

std::optional<std::vector<FuzzSection>> sections_in(std::string_view file) {
    Header header;
    if (file.size() < sizeof header)
        return std::nullopt;
    std::memcpy(&header, file.data(), sizeof header);
    if (!holds_table(file, header))
        return std::nullopt;
    std::vector<FuzzSection> sections;
    for (std::uint64_t i = 0; i < header.section_count; ++i) {
        Entry entry;
        std::memcpy(&entry, file.data() + sizeof header + i * sizeof entry, sizeof entry);
        if (!lies_in(file, entry) || entry.plain_bytes > kMostPlain)
            return std::nullopt;
        const std::string_view stored = file.substr(entry.offset, entry.stored_bytes);
        FuzzSection section{entry.id, entry.packing, entry.width, entry.count, std::string(stored)};
        if (entry.packing != 0) {
            section.plain.assign(entry.plain_bytes, '\0');
            if (ZSTD_decompress(section.plain.data(), section.plain.size(), stored.data(), stored.size()) !=
                section.plain.size())
                return std::nullopt;
        }
        sections.push_back(std::move(section));
    }
    return sections;
}

std::string file_of(std::string_view like, std::span<const FuzzSection> sections) {
    std::string file(sizeof(Header) + sections.size() * sizeof(Entry), '\0');
    std::memcpy(file.data(), like.data(), std::min(like.size(), sizeof(Header)));
    const std::uint64_t count = sections.size();
    std::memcpy(file.data() + offsetof(Header, section_count), &count, sizeof count);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const FuzzSection& section = sections[i];
        std::string stored = section.plain;
        if (section.packing != 0) {
            stored.resize(ZSTD_compressBound(section.plain.size()));
            stored.resize(ZSTD_compress(stored.data(), stored.size(), section.plain.data(), section.plain.size(), 1));
        }
        file.resize((file.size() + 63) / 64 * 64);
        const Entry entry{section.id,  section.packing, section.width,        0, section.count,
                          file.size(), stored.size(),   section.plain.size(), 0};
        std::memcpy(file.data() + sizeof(Header) + i * sizeof entry, &entry, sizeof entry);
        file += stored;
    }
    renew_checksums(file);
    return file;
}

void renew_checksums(std::string& file) {
    Header header;
    if (file.size() < sizeof header)
        return;
    std::memcpy(&header, file.data(), sizeof header);
    std::memcpy(header.magic, kMagic, sizeof header.magic);
    header.version = 1;
    header.file_bytes = file.size();
    if (holds_table(file, header)) {
        for (std::uint64_t i = 0; i < header.section_count; ++i) {
            Entry entry;
            char* const at = file.data() + sizeof header + i * sizeof entry;
            std::memcpy(&entry, at, sizeof entry);
            if (lies_in(file, entry))
                entry.checksum = crc(file.data() + entry.offset, entry.stored_bytes);
            std::memcpy(at, &entry, sizeof entry);
        }
        header.table_checksum = crc(file.data() + sizeof header, header.section_count * sizeof(Entry));
    }
    header.checksum = crc(reinterpret_cast<const char*>(&header), offsetof(Header, checksum));
    std::memcpy(file.data(), &header, sizeof header);
}

std::uint32_t purpose_of(std::string_view file) {
    std::uint32_t purpose = 0;
    if (file.size() >= sizeof(Header))
        std::memcpy(&purpose, file.data() + offsetof(Header, purpose), sizeof purpose);
    return purpose;
}

} // namespace rankscope
