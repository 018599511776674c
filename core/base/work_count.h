// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how often an analysis is computed, so that a test can say that each is computed once. Costs one atomic load
// where nobody listens.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace rankscope {

/// Counts while it lives; at most one at a time.
class WorkCounter {
public:
    WorkCounter() { listening_ = this; }
    ~WorkCounter() { listening_ = nullptr; }
    WorkCounter(const WorkCounter&) = delete;
    WorkCounter& operator=(const WorkCounter&) = delete;

    [[nodiscard]] std::map<std::string, int> counts() const {
        const std::lock_guard lock(mutex_);
        return counts_;
    }

private:
    friend void count_work(std::string_view what);
    static inline std::atomic<WorkCounter*> listening_ = nullptr;
    mutable std::mutex mutex_;
    std::map<std::string, int> counts_;
};

/// At the start of a function that computes an analysis.
inline void count_work(std::string_view what) {
    if (WorkCounter* const counter = WorkCounter::listening_.load()) {
        const std::lock_guard lock(counter->mutex_);
        ++counter->counts_[std::string(what)];
    }
}

} // namespace rankscope
