// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a file as text, and names for copies made of it.
#pragma once
#include <string>
#include <string_view>

#include "core/input/bytes/file_stamp.h"

namespace rankscope {

/// Path, size and time of change on a line each.
std::string described(const FileStamp& stamp);
/// 128 bits of a text as 32 digits, for a file name; what the name stands for is compared in full.
std::string hashed(std::string_view text);

} // namespace rankscope
