// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is done once, by whichever thread comes first.
#pragma once
#include <atomic>
#include <mutex>
#include <utility>

namespace rankscope {

/// As std::once_flag with std::call_once, in which the thread sanitizer hangs after an exception.
class Once {
public:
    Once() = default;
    Once(const Once&) = delete;
    Once& operator=(const Once&) = delete;
#ifdef __SANITIZE_THREAD__
    /// std::mutex does not tell that it has ended: the sanitizer would take the next one at the same place for it.
    ~Once() { pthread_mutex_destroy(doing_.native_handle()); }
#endif

    /// Returns when the work has been done. What it throws, this call throws, and the next one tries again.
    template <typename Work>
    void call(Work&& work) {
        if (done_.load(std::memory_order_acquire))
            return;
        const std::lock_guard lock(doing_);
        if (done_.load(std::memory_order_relaxed))
            return;
        std::forward<Work>(work)();
        done_.store(true, std::memory_order_release);
    }

private:
    std::atomic<bool> done_ = false;
    std::mutex doing_;
};

} // namespace rankscope
