// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/program_package.h"

#include <cstdlib>
#include <vector>

#include "core/base/text.h"
#include "core/input/bytes/child_process.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// In the root of a tarball: the files that rankscope-batch needs to start, a line each.
constexpr const char* kListOfFiles = "lib/rankscope-batch.files";

/// The root of the tarball that this program was started from; empty: it was started otherwise.
fs::path root_of_tarball() {
    const char* const launcher = std::getenv("RANKSCOPE_LAUNCHER");
    if (launcher == nullptr)
        return {};
    const fs::path root = fs::path(launcher).parent_path().parent_path();
    std::error_code error;
    return fs::exists(root / kListOfFiles, error) ? root : fs::path();
}

/// The one without a window needs fewer libraries.
fs::path program_to_copy() {
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error);
    const fs::path batch = own.parent_path() / "rankscope-batch";
    return fs::exists(batch, error) ? batch : own;
}

Result<std::string> output_of(const char* name, const std::vector<std::string>& arguments,
                              const std::stop_token& cancel) {
    const fs::path program = find_on_path(name);
    if (program.empty())
        return input_error("the program cannot be packed: there is no %1 on PATH"_text(name));
    auto done = run_program(program, arguments, cancel);
    if (!done)
        return tl::unexpected<Error>(done.error());
    if (done->exit_code != 0)
        return input_error(
            "the program cannot be packed: %1: %2"_text(name, shortened(terminal_safe(done->output), 300)));
    return std::move(done->output);
}

} // namespace

Result<std::unique_ptr<ProgramPackage>> ProgramPackage::make(std::stop_token cancel) {
    auto package = std::make_unique<ProgramPackage>();
    const fs::path& folder = package->folder.path();
    if (folder.empty())
        return input_error("the program cannot be packed: there is no folder for temporary files"_text);
    package->file = folder / "package.tar.gz";
    std::vector<std::string> arguments{"--create",  "--gzip", "--dereference",       "--owner=0",
                                       "--group=0", "--file", package->file.string()};
    if (const fs::path root = root_of_tarball(); !root.empty()) {
        package->program = (root / "bin" / "rankscope-batch").string();
        arguments.insert(arguments.end(),
                         {"--directory", root.string(), "--files-from", (root / kListOfFiles).string()});
    } else {
        const fs::path program = program_to_copy();
        package->program = program.string();
        std::error_code error;
        fs::create_directory(folder / "bin", error);
        fs::create_symlink(program, folder / "bin" / "rankscope-batch", error);
        if (error)
            return input_error("the program cannot be packed: %1"_text(error.message()));
        arguments.insert(arguments.end(), {"--directory", folder.string(), "bin/rankscope-batch"});
    }
    if (const auto packed = output_of("tar", arguments, cancel); !packed)
        return tl::unexpected<Error>(packed.error());
    const auto summed = output_of("sha256sum", {"--", package->file.string()}, cancel);
    if (!summed)
        return tl::unexpected<Error>(summed.error());
    package->checksum = summed->substr(0, 64);
    if (package->checksum.size() != 64 || package->checksum.find_first_not_of("0123456789abcdef") != std::string::npos)
        return input_error("the program cannot be packed: sha256sum gives no checksum"_text);
    std::error_code error;
    package->size = fs::file_size(package->file, error);
    return package;
}

} // namespace rankscope
