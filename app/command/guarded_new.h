// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// Whether operator new has failed in the calling thread, or was refused by the limit on memory in any. False with a
/// sanitizer, which has its own.
bool allocation_has_failed();

} // namespace rankscope
