// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+C in a program without a window.
#include "app/command/interrupt.h"

#include <csignal>
#include <ctime>
#include <system_error>

#include <unistd.h>

namespace rankscope {
namespace {

constexpr long kPollNs = 20'000'000;
constexpr int kGracePolls = 10; ///< how long the work has to stop by itself

/// Not those that the program was started without: nohup, or in the background of a script.
sigset_t watched_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&signals, signal);
    }
    return signals;
}

} // namespace

Interrupt::Interrupt() {
    const sigset_t signals = watched_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    try {
        watcher_ = std::jthread([this](const std::stop_token& finished) { watch(finished); });
    } catch (const std::system_error&) {
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    }
}

void Interrupt::watch(const std::stop_token& finished) {
    const sigset_t signals = watched_signals();
    const timespec poll{0, kPollNs};
    while (!finished.stop_requested() && sigtimedwait(&signals, nullptr, &poll) < 0) {
    }
    if (finished.stop_requested())
        return;
    stop_.request_stop();
    for (int i = 0; i < kGracePolls && !finished.stop_requested(); ++i)
        nanosleep(&poll, nullptr);
    if (finished.stop_requested())
        return;
    const auto lock = writing();
    ::_exit(kExitInterrupted);
}

} // namespace rankscope
