// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written whole or not at all, plain or gzip-compressed.
#pragma once
#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/whole_file.h"

namespace rankscope {

/// Writes beside the target under a temporary name; commit() moves it into place. Without commit() nothing remains.
/// After a failure further writes do nothing and commit() says what went wrong.
class OutputFile {
public:
    OutputFile(const std::filesystem::path& target, bool gzip);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    Result<void> commit();

private:
    struct Compressor;
    void write_raw(const void* bytes, std::size_t size);
    void compress(std::string_view text, bool last);

    Result<NewFile> file_;
    std::unique_ptr<Compressor> compressor_;
    Result<void> done_;
};

/// Writes a small text file whole or not at all.
Result<void> write_text_file(const std::filesystem::path& target, std::string_view text);

} // namespace rankscope
