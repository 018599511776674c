// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/worker_threads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <vector>

#include <pthread.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/tbb_allocator.h>

#include "core/base/cpu_quota.h"

namespace rankscope {
namespace {

using tbb::global_control;

constexpr auto kLongestGathering = std::chrono::seconds(5); ///< a loaded machine is slow, and nothing is lost without

/// Where threads wait for each other.
class Gathering {
public:
    void come(int expected) {
        std::unique_lock lock(mutex_);
        ++here_;
        changed_.notify_all();
        changed_.wait_for(lock, kLongestGathering, [&] { return here_ >= expected; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int here_ = 0;
};

/// Threads that only are there, with memory to work in.
class TrialThreads {
public:
    TrialThreads() {
        if (pthread_attr_init(&attributes_) == 0)
            pthread_attr_setstacksize(&attributes_, global_control::active_value(global_control::thread_stack_size));
        else
            refused_ = true;
    }
    ~TrialThreads() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        for (const pthread_t thread : threads_)
            pthread_join(thread, nullptr);
        pthread_attr_destroy(&attributes_);
    }
    TrialThreads(const TrialThreads&) = delete;
    TrialThreads& operator=(const TrialThreads&) = delete;

    /// One more, or false.
    bool add() {
        threads_.reserve(threads_.size() + 1); // where there is no memory for that the thread would be lost
        pthread_t thread{};
        if (refused_ || pthread_create(&thread, &attributes_, be_there, this) != 0)
            return false;
        threads_.push_back(thread);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return here_ == threads_.size(); });
        return !refused_;
    }

private:
    static void* be_there(void* trial) {
        auto& self = *static_cast<TrialThreads*>(trial);
        void* memory = std::malloc(kMemoryOfAThread);
        void* little = std::malloc(1); // makes the C library set up what the small pieces of a thread come from
        {
            std::unique_lock lock(self.mutex_);
            ++self.here_;
            self.refused_ = self.refused_ || memory == nullptr || little == nullptr;
            self.changed_.notify_all();
            self.changed_.wait(lock, [&] { return self.over_; });
        }
        std::free(little);
        std::free(memory);
        return nullptr;
    }

    pthread_attr_t attributes_{};
    std::vector<pthread_t> threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t here_ = 0;
    bool refused_ = false;
    bool over_ = false;
};

/// oneTBB's threads come when there is work for each, and stay because there is someone to come back for.
void gather(int threads) {
    static const tbb::task_scheduler_handle keeps_them{tbb::attach{}};
    Gathering gathering;
    tbb::task_arena arena(threads);
    arena.execute([&] {
        tbb::task_group group;
        const auto come = [&] {
            gathering.come(threads);
            tbb::tbb_allocator<std::exception_ptr>
                notes; // without memory to note an exception in, oneTBB ends the program as well: have it once
            notes.deallocate(notes.allocate(1), 1);
        };
        for (int i = 1; i < threads; ++i)
            group.run(come);
        come();
        group.wait();
    });
}

int start(int wanted) {
    const auto allowed = static_cast<int>(
        global_control::active_value(global_control::max_allowed_parallelism)); // one a core, or --jobs
    const int most = std::min(allowed, threads_of_use(wanted, tbb::info::default_concurrency(), cpu_quota()));
    const int threads = 1 + threads_to_be_had(most - 1);
    static const global_control no_more(global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads)); // also when --jobs is forgotten
    if (threads > 1)
        gather(threads);
    return threads;
}

} // namespace

int threads_to_be_had(int wanted) {
    TrialThreads trial;
    int had = 0;
    while (had < wanted && trial.add())
        ++had;
    return had;
}

int start_worker_threads(int wanted) {
    static const int threads = start(wanted);
    return threads;
}

int worker_threads(int wanted) {
    const int all = std::min(start_worker_threads(),
                             static_cast<int>(global_control::active_value(global_control::max_allowed_parallelism)));
    return wanted > 0 ? std::min(wanted, all) : all;
}

} // namespace rankscope
