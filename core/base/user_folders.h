// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of the user in which the program keeps files.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace rankscope {

/// $XDG_CACHE_HOME/rankscope or ~/.cache/rankscope. Empty without both: another folder could be anybody's, so nothing
/// is kept then.
inline std::filesystem::path user_cache_folder() {
    for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, {"HOME", ".cache"}})
        if (const char* const folder = std::getenv(variable); folder != nullptr && *folder == '/')
            return std::filesystem::path(folder) / below / "rankscope";
    return {};
}

} // namespace rankscope
