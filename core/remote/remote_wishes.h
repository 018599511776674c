// SPDX-License-Identifier: GPL-3.0-or-later
// What the user wants of runs on other machines, and wants to be told.
#pragma once
#include <chrono>
#include <functional>

#include "core/base/message.h"

namespace rankscope {

/// All are called in the thread that opens the run; each may be empty.
struct RemoteWishes {
    enum class Stage { connecting, fetching, reading };

    /// Whether this program may be copied to a machine that has none; question: one sentence. Empty: it may not.
    std::function<bool(const Message& question)> may_install;
    std::function<void(const Message& line)> on_message; ///< what happened to the connection
    /// Before what belongs to it; while fetching, LoadProgress counts files and their bytes there.
    std::function<void(Stage stage)> on_stage;
    /// For how long nothing may come, or nothing but ticks: the other side ticks every two seconds.
    std::chrono::milliseconds patience = std::chrono::seconds(30);
};

} // namespace rankscope
