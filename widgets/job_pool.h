// SPDX-License-Identifier: GPL-3.0-or-later
// The threads that do the window's work in the background. All jobs of the window share them (widgets/jobs.h).
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rankscope {

/// Threads come when there is work for them and end after some seconds without work: an idle window has none.
class JobPool {
public:
    static constexpr int kMostThreads = 8;

    static JobPool& instance();

    ~JobPool(); ///< drops what waits, and waits for what runs
    JobPool(const JobPool&) = delete;
    JobPool& operator=(const JobPool&) = delete;

    /// In the order they come. Where the system has no thread left, the caller does the job at once.
    void add(std::function<void()> job);
    /// Whether everything was done within that time.
    [[nodiscard]] bool waitUntilIdle(std::chrono::milliseconds longest);
    [[nodiscard]] int threads() const;

private:
    JobPool() = default;
    void work();
    [[nodiscard]] bool startThread(); ///< the lock is held
    void joinEnded();                 ///< likewise

    mutable std::mutex mutex_;
    std::condition_variable added_;
    std::condition_variable done_;
    std::deque<std::function<void()>> jobs_;
    std::vector<std::thread> threads_;
    std::vector<std::thread::id> ended_; ///< threads that wait to be joined
    int waiting_ = 0;                    ///< threads without a job
    int busy_ = 0;
    bool closing_ = false;
};

} // namespace rankscope
