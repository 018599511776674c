// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <isa-l/igzip_lib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/input/bytes/file_start.h"
#include "core/input/bytes/inflate_points.h"
#include "core/input/bytes/input_file.h"

namespace rankscope {
namespace {

class PlainSource final : public ByteSource {
public:
    PlainSource(InputFile file, std::uint64_t size) : file_(std::move(file)) { file_bytes_ = size; }
    std::size_t read(std::span<char> buffer) override { return file_.read(buffer, damage_); }
    void skip(std::uint64_t bytes) override { file_.seek(file_.position() + bytes); }
    [[nodiscard]] std::uint64_t consumed() const override { return file_.position(); }
    [[nodiscard]] bool is_compressed() const override { return false; }

private:
    InputFile file_;
};

constexpr std::size_t kInputBytes = 256 * 1024;

class GzipSource final : public ByteSource {
public:
    /// members: those before the place where the file stands.
    GzipSource(InputFile file, std::uint64_t size, int members)
        : file_(std::move(file)), input_(kInputBytes), members_(members) {
        file_bytes_ = size;
        isal_inflate_init(&state_);
        state_.crc_flag = ISAL_GZIP;
    }

    void save_points(std::shared_ptr<const InflatePoints> points) override { points_ = std::move(points); }

    /// Goes on where a point was saved, when one is nearer than the place reached.
    void skip(std::uint64_t bytes) override {
        const std::uint64_t target = text_offset_ + bytes;
        if (const auto point = points_ ? points_->before(target) : std::nullopt;
            point && point->text_offset > text_offset_ && restore(*point))
            return ByteSource::skip(target - point->text_offset);
        ByteSource::skip(bytes);
    }

    std::size_t read(std::span<char> buffer) override {
        std::size_t filled = 0;
        while (filled < buffer.size() && !ended_) {
            if (points_ && text_offset_ >= next_point_)
                save_point();
            const bool input_ended = state_.avail_in == 0 && !refill();
            if (at_member_start_ && (input_ended || (members_ > 0 && !starts_member())))
                break;
            at_member_start_ = false;
            // ISA-L counts output in 32 bits.
            const std::size_t room = std::min<std::size_t>(buffer.size() - filled, 1u << 20);
            state_.next_out = reinterpret_cast<std::uint8_t*>(buffer.data() + filled);
            state_.avail_out = static_cast<std::uint32_t>(room);
            const int status = isal_inflate(&state_);
            filled += room - state_.avail_out;
            text_offset_ += room - state_.avail_out;
            if (status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) {
                damage_ = "compressed data are damaged"_text;
                ended_ = true;
            } else if (state_.block_state == ISAL_BLOCK_FINISH) {
                ++members_;
                next_member();
            } else if (input_ended && state_.avail_out == room) {
                // Output still held inside the decoder has been fetched by now, too.
                if (damage_.empty())
                    damage_ = "compressed data end early"_text;
                ended_ = true;
            }
        }
        return filled;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return file_.position() - state_.avail_in; }

private:
    void save_point() {
        points_->add({text_offset_, consumed(), members_, at_member_start_},
                     {reinterpret_cast<const char*>(&state_), sizeof state_});
        next_point_ = text_offset_ + kPointStride;
    }
    bool restore(const InflatePoints::Point& point) {
        if (!points_->load(point, {reinterpret_cast<char*>(&state_), sizeof state_}))
            return false;
        state_.next_in = nullptr;
        state_.avail_in = 0;
        file_.seek(point.file_offset);
        text_offset_ = point.text_offset;
        next_point_ = text_offset_ + kPointStride;
        members_ = point.members;
        at_member_start_ = point.at_member_start;
        return true;
    }
    bool refill() {
        const std::size_t got = file_.read(input_, damage_);
        state_.next_in = reinterpret_cast<std::uint8_t*>(input_.data());
        state_.avail_in = static_cast<std::uint32_t>(got);
        return got > 0;
    }
    /// After a member, and after zeros that pad it. Other bytes, as a line end, are no part of the text: gzip leaves
    /// them out as well.
    bool starts_member() {
        while (state_.avail_in > 0 || refill()) {
            if (*state_.next_in == 0x1F)
                return true;
            if (*state_.next_in != 0)
                break;
            ++state_.next_in;
            --state_.avail_in;
        }
        ended_ = true;
        return false;
    }
    void next_member() {
        std::uint8_t* next = state_.next_in;
        const std::uint32_t available = state_.avail_in;
        isal_inflate_reset(&state_);
        state_.crc_flag = ISAL_GZIP;
        state_.next_in = next;
        state_.avail_in = available;
        at_member_start_ = true;
    }

    InputFile file_;
    std::vector<char> input_;
    inflate_state state_{};
    std::shared_ptr<const InflatePoints> points_;
    std::uint64_t text_offset_ = 0;
    std::uint64_t next_point_ = kPointStride;
    int members_;
    bool at_member_start_ = true;
    bool ended_ = false;
};

class ZstdSource final : public ByteSource {
public:
    ZstdSource(InputFile file, std::uint64_t size)
        : file_(std::move(file)), input_(ZSTD_DStreamInSize()), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
        file_bytes_ = size;
    }

    std::size_t read(std::span<char> buffer) override {
        ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
        while (out.pos < out.size && !ended_) {
            if (in_.pos == in_.size) {
                in_ = {input_.data(), file_.read(input_, damage_), 0};
                // With no input left the decoder may still hold output of the last block.
                drained_ = in_.size == 0;
            }
            const std::size_t before = out.pos;
            const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in_);
            if (ZSTD_isError(status)) {
                damage_ = ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge
                              ? "compressed with a window of more than 128 MB (zstd --long); decompress it first"_text
                              : "compressed data are damaged"_text;
                ended_ = true;
            } else if (drained_ && out.pos == before) {
                if (inside_frame_ && damage_.empty())
                    damage_ = "compressed data end early"_text;
                ended_ = true;
            } else {
                inside_frame_ = status != 0;
            }
        }
        return out.pos;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return file_.position() - (in_.size - in_.pos); }

private:
    InputFile file_;
    std::vector<char> input_;
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
    ZSTD_inBuffer in_{nullptr, 0, 0};
    bool inside_frame_ = false;
    bool drained_ = false;
    bool ended_ = false;
};

} // namespace

bool is_zstd(std::span<const unsigned char, 4> beginning) {
    const bool frame = beginning[0] == 0x28 && beginning[1] == 0xB5 && beginning[2] == 0x2F && beginning[3] == 0xFD;
    const bool skipped =
        (beginning[0] & 0xF0U) == 0x50 && beginning[1] == 0x2A && beginning[2] == 0x4D && beginning[3] == 0x18;
    return frame || skipped;
}

Message odd_content(const FileStart& file) {
    const auto source = file.open();
    std::array<char, 4> text{};
    if (!source)
        return {};
    const std::size_t size = (*source)->read(text);
    std::array<unsigned char, 4> bytes{};
    std::ranges::copy(text, bytes.begin());
    if ((*source)->is_compressed() && size == 0)
        return (*source)->damage();
    if ((*source)->is_compressed() && ((bytes[0] == 0x1F && bytes[1] == 0x8B) || is_zstd(bytes)))
        return "it is compressed twice; decompress it once"_text;
    if ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF))
        return "it is UTF-16; convert it to UTF-8"_text;
    return {};
}

void ByteSource::save_points(std::shared_ptr<const InflatePoints>) {}

void ByteSource::skip(std::uint64_t bytes) {
    std::vector<char> discarded(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 20)));
    while (bytes > 0) {
        const std::size_t got =
            read({discarded.data(), static_cast<std::size_t>(std::min<std::uint64_t>(bytes, discarded.size()))});
        if (got == 0)
            return;
        bytes -= got;
    }
}

Result<std::unique_ptr<ByteSource>> open_byte_source(const std::filesystem::path& path, std::uint64_t file_offset) {
    // O_NONBLOCK: a FIFO must not make us wait for a writer.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return input_error("cannot open %1: %2"_text(path.string(), std::strerror(errno)));
    InputFile file(descriptor);
    if (!file.is_regular())
        return input_error("%1 is not a regular file"_text(path.string()));
    const std::uint64_t size = file.size();
    unsigned char magic[4] = {};
    if (::pread(descriptor, magic, sizeof magic, 0) < 0)
        return input_error("cannot read %1: %2"_text(path.string(), std::strerror(errno)));
    if (file_offset > 0)
        file.seek(file_offset);
    if (magic[0] == 0x1F && magic[1] == 0x8B)
        return std::make_unique<GzipSource>(std::move(file), size, file_offset > 0 ? 1 : 0);
    if (is_zstd(magic))
        return std::make_unique<ZstdSource>(std::move(file), size);
    return std::make_unique<PlainSource>(std::move(file), size);
}

} // namespace rankscope
