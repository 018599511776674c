// SPDX-License-Identifier: GPL-3.0-or-later
// Decompressing on a thread of its own.
#pragma once
#include "core/input/byte_source.h"

namespace rankscope {

/// The same bytes. From the first append_to() on they are read some MB ahead, in pieces as large as are asked for there, so that a text is cut into the
/// same pieces with and without. Where no thread is to be had they are read when they are asked for. What reading throws, asking for the bytes throws.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

} // namespace rankscope
