// SPDX-License-Identifier: GPL-3.0-or-later
// The threads that do the window's work in the background.
#include "widgets/job_pool.h"

#include <algorithm>
#include <system_error>

namespace rankscope {

namespace {
constexpr auto kIdleTime = std::chrono::seconds(5); ///< after which a thread without work ends
}

JobPool& JobPool::instance() {
    static JobPool pool;
    return pool;
}

JobPool::~JobPool() {
    std::vector<std::thread> threads;
    {
        const std::scoped_lock lock(mutex_);
        closing_ = true;
        jobs_.clear();
        threads.swap(threads_);
    }
    added_.notify_all();
    for (std::thread& thread : threads)
        thread.join();
}

bool JobPool::startThread() {
    joinEnded();
    if (static_cast<int>(threads_.size()) >= kMostThreads)
        return false;
    try {
        threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) { // the threads there are do it
        return false;
    }
    return true;
}

// A thread names itself as its last act under the lock, so joining it does not wait.
void JobPool::joinEnded() {
    for (const std::thread::id id : ended_) {
        const auto ended = std::ranges::find(threads_, id, [](const std::thread& thread) { return thread.get_id(); });
        ended->join();
        threads_.erase(ended);
    }
    ended_.clear();
}

void JobPool::add(std::function<void()> job) {
    {
        std::unique_lock lock(mutex_);
        if (closing_)
            return;
        const bool enough = static_cast<int>(jobs_.size()) < waiting_;
        if (!enough && !startThread() && threads_.empty()) {
            lock.unlock();
            return job();
        }
        jobs_.push_back(std::move(job));
    }
    added_.notify_one();
}

void JobPool::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        ++waiting_;
        const bool wanted = added_.wait_for(lock, kIdleTime, [this] { return closing_ || !jobs_.empty(); });
        --waiting_;
        if (closing_)
            return;
        if (!wanted) {
            ended_.push_back(std::this_thread::get_id());
            return;
        }
        std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        ++busy_;
        lock.unlock();
        job();
        job = nullptr; // what it holds may take a while to go
        lock.lock();
        --busy_;
        if (busy_ == 0 && jobs_.empty())
            done_.notify_all();
    }
}

bool JobPool::waitUntilIdle(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, longest, [this] { return busy_ == 0 && jobs_.empty(); });
}

int JobPool::threads() const {
    const std::scoped_lock lock(mutex_);
    return static_cast<int>(threads_.size() - ended_.size());
}

} // namespace rankscope
