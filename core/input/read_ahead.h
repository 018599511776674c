// SPDX-License-Identifier: GPL-3.0-or-later
// Reading, or decompressing, on a thread of its own, some megabytes ahead of whoever takes the bytes.
#pragma once
#include <memory>

#include "core/input/byte_source.h"

namespace rankscope {

/// The same bytes, end and damage as of the source. save_points() must have been called before.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

} // namespace rankscope
