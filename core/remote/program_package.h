// SPDX-License-Identifier: GPL-3.0-or-later
// This program as one file to be copied to another machine: a tar with bin/rankscope-batch and, where this program
// comes from a tarball of its own (packaging/linux/make-tarball), the libraries it starts with.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/notice.h"
#include "core/base/temporary_folder.h"

namespace rankscope {

struct ProgramPackage {
    /// An error: `tar` or `sha256sum` is missing here, or failed.
    static Result<std::unique_ptr<ProgramPackage>> make(std::stop_token cancel);

    std::string program; ///< that was packed
    std::filesystem::path file;
    std::uintmax_t size = 0;                     ///< of the file, bytes
    std::string checksum;                        ///< SHA-256 of the file, 64 hexadecimal digits
    TemporaryFolder folder{"rankscope-package"}; ///< the file is in it
};

} // namespace rankscope
