// SPDX-License-Identifier: GPL-3.0-or-later
// One thread that does jobs in the order they come.
#include "widgets/background_queue.h"

namespace rankscope {

BackgroundQueue::BackgroundQueue() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

BackgroundQueue::~BackgroundQueue() {
    dropWaiting();
}

void BackgroundQueue::add(std::function<void()> job) {
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
