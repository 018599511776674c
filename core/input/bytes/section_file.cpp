// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/section_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <isa-l/crc64.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tbb/parallel_for.h>
#include <unistd.h>
#include <zstd.h>

#include "core/base/whole_file.h"
#include "core/input/bytes/section_file_version.h"

namespace rankscope {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> kMagic{'R', 'K', 'S', 'C', 'O', 'P', 'E', '\x1A'};
constexpr std::uint64_t kAlignment = 64;
constexpr std::uint32_t kMostSections = 256;
/// A file that claims to hold more than this much of its own size is no digest of ours.
constexpr std::uint64_t kMostExpansion = 256;
constexpr std::uint64_t kSmallPlain = 16u << 20;
constexpr int kCompressionLevel = 6;

struct Header {
    std::array<char, 8> magic = kMagic;
    std::uint32_t version = kSectionFileVersion;
    std::uint32_t purpose = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t section_count = 0;
    std::uint64_t table_checksum = 0;
    std::uint64_t checksum = 0; ///< of all before it
};
static_assert(sizeof(Header) == 48);

struct TableEntry {
    std::uint32_t id = 0;
    std::uint8_t packing = 0;
    std::uint8_t width = 0;
    std::uint16_t unused = 0;
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
    std::uint64_t stored_bytes = 0;
    std::uint64_t plain_bytes = 0;
    std::uint64_t checksum = 0;
};
static_assert(sizeof(TableEntry) == 48);

std::uint64_t checksum_of(std::string_view bytes) {
    return crc64_ecma_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

template <typename T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

std::uint64_t zigzag(std::uint64_t difference) {
    const auto is_signed = static_cast<std::int64_t>(difference);
    return difference << 1 ^ static_cast<std::uint64_t>(is_signed >> 63);
}

void append_varint(std::string& text, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        text.push_back(static_cast<char>(value | 0x80));
    text.push_back(static_cast<char>(value));
}

std::string compressed(std::string_view plain) {
    std::string text(ZSTD_compressBound(plain.size()), '\0');
    text.resize(ZSTD_compress(text.data(), text.size(), plain.data(), plain.size(), kCompressionLevel));
    return text;
}

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), std::min<std::size_t>(content.size(), 1u << 30));
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// Closes what it is given.
class Descriptor {
public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return descriptor_; }

private:
    int descriptor_;
};

struct Content {
    std::shared_ptr<const void> owner;
    std::span<const char> bytes;
};

Result<Content> read_whole(int descriptor, std::size_t size, const std::filesystem::path& path) {
    // Aligned like a mapping, so that columns can be used in place.
    const auto pages =
        std::shared_ptr<char>(static_cast<char*>(std::aligned_alloc(kAlignment, aligned(size + 1))), &std::free);
    if (!pages)
        return input_error("not enough memory to read %1"_text(path.string()));
    constexpr std::size_t kPiece = 8u << 20;
    std::atomic<int> error = 0;
    std::atomic<std::size_t> missing = 0;
    tbb::parallel_for(std::size_t{0}, (size + kPiece - 1) / kPiece, [&](std::size_t piece) {
        const std::size_t end = std::min(size, (piece + 1) * kPiece);
        for (std::size_t at = piece * kPiece; at < end;) {
            const ssize_t got = ::pread(descriptor, pages.get() + at, end - at, static_cast<off_t>(at));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                error = errno;
            if (got <= 0) {
                missing += end - at;
                return;
            }
            at += static_cast<std::size_t>(got);
        }
    });
    if (error != 0)
        return input_error("cannot read %1: %2"_text(path.string(), std::strerror(error)));
    const std::size_t filled = size - missing; // what was cut off meanwhile is missing at the end
    return Content{pages, {pages.get(), filled}};
}

Result<Content> map_whole(int descriptor, std::size_t size, const std::filesystem::path& path) {
    void* const pages = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (pages == MAP_FAILED)
        return input_error("cannot map %1: %2"_text(path.string(), std::strerror(errno)));
    const auto owner =
        std::shared_ptr<const void>(pages, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
    return Content{owner, {static_cast<const char*>(pages), size}};
}

tl::unexpected<Error> damaged_file(const std::filesystem::path& path, const Message& what) {
    return input_error("%1 is damaged: %2"_text(path.string(), what));
}

/// An open regular file of at least a header.
Result<std::unique_ptr<Descriptor>> opened(const std::filesystem::path& path, std::size_t& size) {
    auto file = std::make_unique<Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (file->get() < 0 || ::fstat(file->get(), &status) != 0)
        return input_error("cannot open %1: %2"_text(path.string(), std::strerror(errno)));
    if (!S_ISREG(status.st_mode))
        return input_error("%1 is not a regular file"_text(path.string()));
    size = static_cast<std::size_t>(status.st_size);
    if (size < sizeof(Header))
        return damaged_file(path, "it is too short"_text);
    return file;
}

Result<Header> header_in(std::span<const char> bytes, std::uint32_t purpose, const std::filesystem::path& path) {
    Header header;
    if (bytes.size() < sizeof header)
        return damaged_file(path, "it is too short"_text);
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != kMagic)
        return input_error("%1 was not written by Rankscope"_text(path.string()));
    if (header.version != kSectionFileVersion)
        return input_error("%1 is of version %2 of its format, this Rankscope reads version %3"_text(
            path.string(), header.version, kSectionFileVersion));
    if (header.checksum != checksum_of(bytes_of(header).substr(0, offsetof(Header, checksum))))
        return damaged_file(path, "its header has changed"_text);
    if (header.purpose != purpose)
        return input_error("%1 serves another purpose"_text(path.string()));
    if (header.section_count > kMostSections)
        return damaged_file(path, "its table is too long"_text);
    return header;
}

} // namespace

bool is_section_file(const std::filesystem::path& path) {
    std::size_t size = 0;
    std::array<char, kMagic.size()> magic{};
    const auto file = opened(path, size);
    return file && ::pread((*file)->get(), magic.data(), magic.size(), 0) == static_cast<ssize_t>(magic.size()) &&
           magic == kMagic;
}

Result<std::string> SectionReader::first_text(const std::filesystem::path& path, std::uint32_t purpose) {
    constexpr std::size_t kFront = 64 * 1024; // the longest table takes a fifth of it
    std::size_t size = 0;
    const auto file = opened(path, size);
    if (!file)
        return tl::unexpected(file.error());
    const auto content = read_whole((*file)->get(), std::min(size, kFront), path);
    if (!content)
        return tl::unexpected(content.error());
    const auto header = header_in(content->bytes, purpose, path);
    if (!header)
        return tl::unexpected(header.error());
    TableEntry entry;
    if (header->file_bytes != size || header->section_count == 0 ||
        content->bytes.size() < sizeof(Header) + sizeof entry)
        return damaged_file(path, "it has %1 bytes, not %2"_text(size, header->file_bytes));
    std::memcpy(&entry, content->bytes.data() + sizeof(Header), sizeof entry);
    const std::uint64_t front = content->bytes.size();
    if (entry.offset > front || entry.stored_bytes > front - entry.offset || entry.plain_bytes > kFront)
        return damaged_file(path, "its first section does not fit"_text);
    if (entry.checksum != checksum_of({content->bytes.data() + entry.offset, entry.stored_bytes}))
        return damaged_file(path, "a checksum is wrong"_text);
    SectionReader reader;
    reader.bytes_ = content->bytes;
    std::string text = reader.plain({entry.id, static_cast<Packing>(entry.packing), 1, entry.count, entry.offset,
                                     entry.stored_bytes, entry.plain_bytes});
    if (!reader.damage().empty())
        return damaged_file(path, reader.damage());
    return text;
}

void SectionWriter::text(std::uint32_t id, std::string content) {
    const std::uint64_t plain = content.size();
    if (packing_ == Packing::packed)
        content = compressed(content);
    sections_.push_back({id, packing_, 1, plain, plain, std::move(content), {}});
}

void SectionWriter::integers(std::uint32_t id, const std::vector<std::int64_t>& values, std::uint8_t width) {
    std::string text;
    if (packing_ == Packing::raw) {
        text.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
        sections_.push_back({id, Packing::raw, sizeof(std::int64_t), values.size(), text.size(), std::move(text), {}});
        return;
    }
    std::string differences;
    text.reserve(values.size() * 2);
    differences.reserve(values.size() * 2);
    std::uint64_t before = 0;
    for (const std::int64_t value : values) {
        append_varint(text, zigzag(static_cast<std::uint64_t>(value)));
        append_varint(differences, zigzag(static_cast<std::uint64_t>(value) - before));
        before = static_cast<std::uint64_t>(value);
    }
    std::string small = compressed(text);
    if (std::string other = compressed(differences); other.size() < small.size())
        sections_.push_back({id, Packing::differences, width, values.size(), differences.size(), std::move(other), {}});
    else
        sections_.push_back({id, Packing::packed, width, values.size(), text.size(), std::move(small), {}});
}

Result<void> SectionWriter::write(const std::filesystem::path& path) const {
    std::vector<TableEntry> table(sections_.size());
    std::uint64_t end = sizeof(Header) + table.size() * sizeof(TableEntry);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const Section& section = sections_[i];
        table[i] = {section.id,
                    static_cast<std::uint8_t>(section.packing),
                    section.width,
                    0,
                    section.count,
                    aligned(end),
                    section.content().size(),
                    section.plain_bytes,
                    0};
        end = table[i].offset + table[i].stored_bytes;
    }
    tbb::parallel_for(std::size_t{0}, table.size(),
                      [&](std::size_t i) { table[i].checksum = checksum_of(sections_[i].content()); });
    const std::string_view table_bytes(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(TableEntry));
    Header header;
    header.purpose = purpose_;
    header.file_bytes = end;
    header.section_count = table.size();
    header.table_checksum = checksum_of(table_bytes);
    header.checksum = checksum_of(bytes_of(header).substr(0, offsetof(Header, checksum)));

    return write_whole_file(path, [&](const std::filesystem::path& temporary) -> Result<void> {
        const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
        std::uint64_t at = 0;
        const auto put = [&](std::string_view bytes) {
            at += bytes.size();
            return write_all(file.get(), bytes);
        };
        bool good = file.get() >= 0 && put(bytes_of(header)) && put(table_bytes);
        for (std::size_t i = 0; good && i < sections_.size(); ++i)
            good = put(std::string(table[i].offset - at, '\0')) && put(sections_[i].content());
        if (!good)
            return tl::unexpected<Error>(
                Error{Error::Code::output, "cannot write %1: %2"_text(path.string(), std::strerror(errno))});
        return {};
    });
}

Result<SectionReader> SectionReader::open(const std::filesystem::path& path, std::uint32_t purpose, Access access) {
    std::size_t size = 0;
    const auto file = opened(path, size);
    if (!file)
        return tl::unexpected(file.error());
    const auto content =
        access == Access::mapped ? map_whole((*file)->get(), size, path) : read_whole((*file)->get(), size, path);
    if (!content)
        return tl::unexpected(content.error());
    const std::span<const char> bytes = content->bytes;
    const auto checked = header_in(bytes, purpose, path);
    if (!checked)
        return tl::unexpected(checked.error());
    const Header& header = *checked;
    const auto damaged = [&](const Message& what) { return damaged_file(path, what); };
    if (header.file_bytes != bytes.size())
        return damaged("it has %1 bytes, not %2"_text(bytes.size(), header.file_bytes));
    if (sizeof header + header.section_count * sizeof(TableEntry) > bytes.size())
        return damaged("its table is too long"_text);

    std::vector<TableEntry> table(header.section_count);
    const std::string_view table_bytes(bytes.data() + sizeof header, table.size() * sizeof(TableEntry));
    if (header.table_checksum != checksum_of(table_bytes))
        return damaged("its table has changed"_text);
    if (!table.empty())
        std::memcpy(table.data(), table_bytes.data(), table_bytes.size());
    SectionReader reader;
    reader.owner_ = content->owner;
    reader.access_ = access;
    reader.bytes_ = bytes;
    std::uint64_t plain = 0;
    std::uint64_t end = sizeof header + table_bytes.size();
    for (const TableEntry& e : table) {
        // One behind the other, with nothing but zeros between them.
        const bool inside = e.offset == aligned(end) && e.offset <= bytes.size() &&
                            e.stored_bytes <= bytes.size() - e.offset &&
                            std::ranges::all_of(bytes.subspan(end, e.offset - end), [](char c) { return c == 0; });
        const bool raw = e.packing == static_cast<std::uint8_t>(Packing::raw);
        const bool whole =
            !raw || (e.width > 0 && e.stored_bytes % e.width == 0 && e.stored_bytes / e.width == e.count);
        if (!inside || !whole || e.packing > static_cast<std::uint8_t>(Packing::differences) ||
            e.count > std::numeric_limits<std::uint32_t>::max() ||
            (!raw && (e.plain_bytes < e.count || e.plain_bytes > kMostExpansion * bytes.size() + kSmallPlain)))
            return damaged("a section does not fit"_text);
        end = e.offset + e.stored_bytes;
        plain += raw ? 0 : e.plain_bytes;
        reader.sections_.push_back(
            {e.id, static_cast<Packing>(e.packing), e.width, e.count, e.offset, e.stored_bytes, e.plain_bytes});
    }
    if (plain > kMostExpansion * bytes.size() + kSmallPlain)
        return damaged("it claims to hold far more than its size allows"_text);
    std::atomic<bool> intact = true;
    tbb::parallel_for(std::size_t{0}, table.size(), [&](std::size_t i) {
        if (table[i].checksum != checksum_of({bytes.data() + table[i].offset, table[i].stored_bytes}))
            intact = false;
    });
    if (!intact)
        return damaged("a checksum is wrong"_text);
    return reader;
}

const SectionReader::Section* SectionReader::find(std::uint32_t id, std::size_t width, std::size_t count) {
    const auto found = std::ranges::find(sections_, id, &Section::id);
    if (!damage_.empty() || (found == sections_.end() && count == 0))
        return nullptr;
    if (found == sections_.end() || found->width != width || found->count != count) {
        fail("section %1 is not what was expected"_text(id));
        return nullptr;
    }
    return &*found;
}

std::uint64_t SectionReader::count(std::uint32_t id) const {
    const auto found = std::ranges::find(sections_, id, &Section::id);
    return found == sections_.end() ? 0 : found->count;
}

std::span<const char> SectionReader::place(std::uint32_t id) const {
    const auto found = std::ranges::find(sections_, id, &Section::id);
    return found == sections_.end() ? std::span<const char>() : bytes_.subspan(found->offset, found->stored_bytes);
}

std::string SectionReader::text(std::uint32_t id) {
    const auto found = std::ranges::find(sections_, id, &Section::id);
    if (found == sections_.end()) {
        fail("section %1 is missing"_text(id));
        return {};
    }
    return plain(*found);
}

std::string SectionReader::plain(const Section& section) {
    const std::string_view stored(bytes_.data() + section.offset, section.stored_bytes);
    if (section.packing == Packing::raw)
        return std::string(stored);
    std::string text(section.plain_bytes, '\0');
    if (ZSTD_decompress(text.data(), text.size(), stored.data(), stored.size()) != text.size()) {
        fail("a section cannot be decompressed"_text);
        return {};
    }
    return text;
}

const char* SectionReader::next_number(const char* at, const char* end, std::uint64_t& number) {
    std::uint64_t folded = 0;
    for (int shift = 0; at != end && shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(*at++);
        folded |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            number = folded >> 1 ^ (0 - (folded & 1));
            return at;
        }
    }
    return nullptr;
}

} // namespace rankscope
