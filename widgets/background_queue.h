// SPDX-License-Identifier: GPL-3.0-or-later
// One thread that does jobs in the order they come, off the window's thread.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace rankscope {

/// A job hands its result over with QMetaObject::invokeMethod(receiver, ..., Qt::QueuedConnection), where the receiver
/// owns the queue as its last member: the destructor drops waiting jobs and waits for the running one. Where the system
/// has no thread left, jobs are done at once, by whoever adds them.
class BackgroundQueue {
public:
    BackgroundQueue();
    ~BackgroundQueue();
    BackgroundQueue(const BackgroundQueue&) = delete;
    BackgroundQueue& operator=(const BackgroundQueue&) = delete;

    void add(std::function<void()> job);
    /// Jobs that have not started are forgotten.
    void dropWaiting();

private:
    void start();
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::function<void()>> jobs_;
    std::jthread thread_;
};

} // namespace rankscope
