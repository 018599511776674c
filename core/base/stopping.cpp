// SPDX-License-Identifier: GPL-3.0-or-later
// Work that can be stopped between its analyses.
#include "core/base/stopping.h"

#include <atomic>
#include <memory>
#include <utility>

#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

namespace rankscope {
namespace {

struct StoppableWork {
    std::stop_token stop;
    std::atomic<bool> over = false; ///< a thread that comes late out of the arena does not take it for its next work
};

thread_local std::shared_ptr<const StoppableWork> taken_part_in; ///< by this thread; null: nothing that can be stopped

/// Tells each thread that works in the arena.
class TellsThreads : public tbb::task_scheduler_observer {
public:
    TellsThreads(tbb::task_arena& arena, std::shared_ptr<const StoppableWork> work)
        : tbb::task_scheduler_observer(arena), work_(std::move(work)) {
        observe(true);
    }
    ~TellsThreads() override { observe(false); }
    TellsThreads(const TellsThreads&) = delete;
    TellsThreads& operator=(const TellsThreads&) = delete;

    void on_scheduler_entry(bool /*is_worker*/) override { taken_part_in = work_; }
    void on_scheduler_exit(bool /*is_worker*/) override { taken_part_in = nullptr; }

private:
    const std::shared_ptr<const StoppableWork> work_;
};

} // namespace

void run_stoppable(const std::stop_token& stop, const std::function<void()>& work) {
    const auto stoppable = std::make_shared<StoppableWork>();
    stoppable->stop = stop;
    const struct End {
        StoppableWork& work;
        ~End() { work.over = true; }
    } end{*stoppable};
    tbb::task_arena arena;
    const TellsThreads threads(arena, stoppable);
    arena.execute(work);
}

void check_stop() {
    if (taken_part_in && !taken_part_in->over && taken_part_in->stop.stop_requested())
        throw Stopped();
}

} // namespace rankscope
