// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of files whose bytes are the fuzzer's: readers take paths. In memory where the system has such a place.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "core/input/format/trace_format.h"

namespace rankscope {

class FuzzFolder {
public:
    FuzzFolder() {
        std::string folder =
            std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
        folder += "/rankscope-fuzz-XXXXXX";
        if (!mkdtemp(folder.data()))
            std::abort();
        path_ = folder;
    }
    ~FuzzFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    FuzzFolder(const FuzzFolder&) = delete;
    FuzzFolder& operator=(const FuzzFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(const char* name, std::string_view bytes) const {
        std::filesystem::path file = path_ / name;
        const int handle = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (handle < 0 || ::write(handle, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
            close(handle) != 0)
            std::abort();
        return file;
    }

private:
    std::filesystem::path path_;
};

/// Each event of a file is on the timeline, or counted with the reason why not.
inline void check_accounting(const RankTraces& ranks) {
    Accounting all;
    for (const auto& rank : ranks)
        all += rank->accounting;
    if (all.events_in_file != all.on_timeline + all.all_not_shown())
        std::abort();
}

/// What libFuzzer hands over, as text.
inline std::string_view fuzz_text(const std::uint8_t* data, std::size_t size) {
    return size > 0 ? std::string_view(reinterpret_cast<const char*>(data), size) : std::string_view("");
}

} // namespace rankscope
