// SPDX-License-Identifier: GPL-3.0-or-later
// One thread that does jobs in the order they come.
#include "widgets/background_queue.h"

#include <system_error>

namespace rankscope {

BackgroundQueue::BackgroundQueue() { start(); }

BackgroundQueue::~BackgroundQueue() { dropWaiting(); }

void BackgroundQueue::start() {
    try {
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::system_error&) { // add() tries again
    }
}

void BackgroundQueue::add(std::function<void()> job) {
    if (!thread_.joinable())
        start();
    if (!thread_.joinable()) {
        job();
        return;
    }
    {
        const std::scoped_lock lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
}

void BackgroundQueue::dropWaiting() {
    const std::scoped_lock lock(mutex_);
    jobs_.clear();
}

void BackgroundQueue::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::function<void()> job;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return !jobs_.empty(); }))
                return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        job();
    }
}

} // namespace rankscope
