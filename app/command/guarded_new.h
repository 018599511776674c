// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// Whether operator new has failed in the calling thread, or the limit on memory has refused something to any thread.
/// With a sanitizer, which has its own operator new, the limit alone tells.
bool allocation_has_failed();

} // namespace rankscope
