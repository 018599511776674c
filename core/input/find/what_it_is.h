// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is that cannot be opened, and what to open or record instead.
#pragma once
#include <filesystem>

#include "core/base/message.h"

namespace rankscope {

/// Of a folder without traces: what the first file in it or below is that a profiler wrote in a format that is not
/// read, and what to open instead. Empty: there is none.
Message unread_recordings(const std::filesystem::path& folder);
/// Of a folder without traces: what the first file in it or below is that its content tells to be of another kind; of a
/// single one also that it is empty. Empty: there is none.
Message what_is_there_instead(const std::filesystem::path& folder);
/// One sentence on a file that is of no known format.
Message what_it_is_instead(const std::filesystem::path& path);

} // namespace rankscope
