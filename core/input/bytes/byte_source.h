// SPDX-License-Identifier: GPL-3.0-or-later
// The decompressed bytes of a file, in order. Plain, gzip (any number of members) or zstd, told by the first bytes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/notice.h"

namespace rankscope {

class FileStart;
class InflatePoints;

class ByteSource {
public:
    virtual ~ByteSource() = default;

    /// Fills the buffer as far as the data go; fewer bytes than asked for mean the end. After damage or a read error
    /// it delivers what was good and damage() says what happened.
    virtual std::size_t read(std::span<char> buffer) = 0;

    /// Passes over bytes (of the decompressed text) without delivering them; by saved points, where there are some.
    virtual void skip(std::uint64_t bytes);
    /// Saves states of the decoder on the way, and uses those saved before. Only gzip has any use for it.
    virtual void save_points(std::shared_ptr<const InflatePoints> points);

    /// Bytes of the file on disk used so far.
    [[nodiscard]] virtual std::uint64_t consumed() const = 0;
    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
    [[nodiscard]] virtual bool is_compressed() const { return true; }
    /// Empty, or what is wrong with the data: "compressed data end early".
    [[nodiscard]] const Message& damage() const { return damage_; }

protected:
    std::uint64_t file_bytes_ = 0;
    Message damage_;
};

/// file_offset: where a gzip member or zstd frame starts that is not the first. Error: cannot be opened, not a regular
/// file.
Result<std::unique_ptr<ByteSource>> open_byte_source(const std::filesystem::path& path, std::uint64_t file_offset = 0);

/// Whether a file that starts so is of zstd; pzstd starts with a frame that is to be skipped.
bool is_zstd(std::span<const unsigned char, 4> beginning);

/// Why the text of a file that no reader knows may be unknown: compressed twice, damaged, UTF-16. Empty: no such
/// reason.
Message odd_content(const FileStart& file);

} // namespace rankscope
