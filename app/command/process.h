// SPDX-License-Identifier: GPL-3.0-or-later
// What the program owes the system around it, whatever that is like: closed or full streams, signals, a small stack.
#pragma once
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace rankscope {

/// First of all in main(). A file must not become stdout or stderr where those are closed; a reader that has gone, or a
/// limit on the size of files, is an error of writing and no end of the program; threads get a stack of usual size.
/// Memory that is missing where nothing may fail (a destructor, oneTBB's notes) ends the program with one line and the
/// exit code of an input that cannot be read.
void prepare_process();

/// What the program says where the machine has no memory left.
inline constexpr std::string_view kNoMemory = "not enough memory to analyse this";
inline constexpr std::string_view kNeedsLess = "fewer ranks or a --time-range need less";

/// Calls work where there is a stack of usual size, whatever `ulimit -s` says. False: there is none to be had, and work
/// was not called.
bool call_with_usual_stack(const std::function<void()>& work);
/// Whether the thread that main() runs in has such a stack.
bool usual_stack_here();

/// On stderr, as well as it goes: what cannot be said there is lost, and the exit code says the rest.
void tell(std::string_view text);
template <typename... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    tell(std::string_view(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

} // namespace rankscope
