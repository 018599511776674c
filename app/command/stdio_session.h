// SPDX-License-Identifier: GPL-3.0-or-later
// --serve-stdio with its streams: one message a line on stdin, one answer a line on stdout.
#pragma once
#include "app/command/interrupt.h"
#include "app/command/options.h"

namespace rankscope {

/// Answers in the order of the requests, until stdin ends, or nobody reads the answers. What is not answered within two
/// seconds of the end of stdin is given up: exit code 130.
/// A thread of its own reads, so that a ping is answered, and a request can be cancelled, while another one is worked
/// on. Returns the exit code.
int serve_stdio(const Options& options, Interrupt& interrupt);

} // namespace rankscope
