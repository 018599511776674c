// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the tests were built with a sanitizer.
#pragma once

namespace rankscope::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true; // takes terabytes of address space, so that a limit on it says nothing
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace rankscope::test
