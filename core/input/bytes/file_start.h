// SPDX-License-Identifier: GPL-3.0-or-later
// A file that several formats look at, one after the other.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "core/input/bytes/byte_source.h"

namespace rankscope {

/// Opens a small file once for all who look: of a folder of 200 000 small files, most of the time went into opening
/// each six times. Not for several threads.
class FileStart {
public:
    FileStart(std::filesystem::path path) : path_(std::move(path)) {} // NOLINT(google-explicit-constructor): as a path

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// As open_byte_source().
    [[nodiscard]] Result<std::unique_ptr<ByteSource>> open() const;

private:
    std::filesystem::path path_;
    mutable std::shared_ptr<const std::string> text_; ///< of a small plain file that was opened, else nullptr
};

} // namespace rankscope
