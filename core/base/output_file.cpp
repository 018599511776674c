// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written whole or not at all; gzip by ISA-L.
#include "core/base/output_file.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "core/base/whole_file.h"

namespace rankscope {

struct OutputFile::Compressor {
    isal_zstream stream;
    std::vector<std::uint8_t> level_buffer = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
    std::vector<std::uint8_t> output = std::vector<std::uint8_t>(1 << 18);

    Compressor() {
        isal_deflate_init(&stream);
        stream.level = 1;
        stream.level_buf = level_buffer.data();
        stream.level_buf_size = static_cast<std::uint32_t>(level_buffer.size());
        stream.gzip_flag = IGZIP_GZIP;
    }
};

OutputFile::OutputFile(std::filesystem::path target, bool gzip)
    : target_(std::move(target)), temporary_(target_.string() + ".part") {
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (file_ == nullptr) {
        error_ = errno;
        return;
    }
    std::setvbuf(file_, nullptr, _IONBF, 0); // callers write large blocks
    if (gzip)
        compressor_ = std::make_unique<Compressor>();
}

OutputFile::~OutputFile() {
    if (file_ != nullptr) {
        std::fclose(file_);
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
    }
}

void OutputFile::write_raw(const void* bytes, std::size_t size) {
    if (error_ == 0 && std::fwrite(bytes, 1, size, file_) != size)
        error_ = errno;
}

void OutputFile::compress(std::string_view text, bool last) {
    isal_zstream& stream = compressor_->stream;
    std::vector<std::uint8_t> input(text.begin(), text.end()); // ISA-L takes a non-const pointer
    stream.next_in = input.data();
    stream.avail_in = static_cast<std::uint32_t>(input.size());
    stream.end_of_stream = last ? 1 : 0;
    do {
        stream.next_out = compressor_->output.data();
        stream.avail_out = static_cast<std::uint32_t>(compressor_->output.size());
        isal_deflate(&stream);
        write_raw(compressor_->output.data(), compressor_->output.size() - stream.avail_out);
    } while (stream.avail_out == 0);
}

void OutputFile::write(std::string_view text) {
    if (error_ != 0)
        return;
    if (compressor_)
        compress(text, false);
    else
        write_raw(text.data(), text.size());
}

Result<void> OutputFile::commit() {
    if (error_ == 0 && compressor_)
        compress({}, true);
    const bool opened = file_ != nullptr;
    if (opened && std::fclose(file_) != 0 && error_ == 0)
        error_ = errno;
    file_ = nullptr;
    if (error_ == 0)
        return replace_file(temporary_, target_);
    std::error_code ignored;
    if (opened)
        std::filesystem::remove(temporary_, ignored);
    return tl::unexpected<Error>(
        Error{Error::Code::output, "cannot write %1: %2"_text(target_.string(), std::strerror(error_))});
}

Result<void> write_text_file(const std::filesystem::path& target, std::string_view text) {
    OutputFile file(target, false);
    file.write(text);
    return file.commit();
}

} // namespace rankscope
