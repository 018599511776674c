// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written whole or not at all; gzip by ISA-L.
#include "core/base/output_file.h"

#include <vector>

#include <isa-l/igzip_lib.h>

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

OutputFile::OutputFile(const std::filesystem::path& target, bool gzip) : file_(NewFile::create(target)) {
    if (!file_)
        done_ = tl::unexpected<Error>(file_.error());
    else if (gzip)
        compressor_ = std::make_unique<Compressor>();
}

OutputFile::~OutputFile() = default;

void OutputFile::write_raw(const void* bytes, std::size_t size) {
    if (done_)
        done_ = file_->write({static_cast<const char*>(bytes), size});
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
    if (!done_)
        return;
    if (compressor_)
        compress(text, false);
    else
        write_raw(text.data(), text.size());
}

Result<void> OutputFile::commit() {
    if (done_ && compressor_)
        compress({}, true);
    return done_ ? file_->commit() : done_;
}

Result<void> write_text_file(const std::filesystem::path& target, std::string_view text) {
    OutputFile file(target, false);
    file.write(text);
    return file.commit();
}

} // namespace rankscope
