// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for files that live as long as it does.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace rankscope {

class TemporaryFolder {
public:
    /// name: how its name starts.
    explicit TemporaryFolder(std::string_view name) {
        std::error_code error;
        const auto parent = std::filesystem::temp_directory_path(error);
        if (!error)
            make(parent / name);
    }
    /// In another folder than the system's.
    TemporaryFolder(const std::filesystem::path& parent, std::string_view name) { make(parent / name); }
    ~TemporaryFolder() {
        std::error_code error;
        if (!path_.empty())
            std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    /// Empty where it could not be made.
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    void make(const std::filesystem::path& start) {
        std::string path = start.string() + "-XXXXXX";
        if (::mkdtemp(path.data()) != nullptr)
            path_ = path;
    }

    std::filesystem::path path_;
};

} // namespace rankscope
