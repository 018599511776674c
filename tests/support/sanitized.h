// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the tests were built with a sanitizer.
#pragma once

namespace rankscope::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) // GCC, for which Qt defines an own __has_feature
#define RANKSCOPE_SANITIZED
#elif defined(__has_feature) // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RANKSCOPE_SANITIZED
#endif
#endif

#ifdef RANKSCOPE_SANITIZED
inline constexpr bool kSanitized = true; // takes terabytes of address space, so that a limit on it says nothing
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace rankscope::test
