// SPDX-License-Identifier: GPL-3.0-or-later
#include "background.h"

#include <chrono>
#include <future>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <tbb/global_control.h>

#include "app/command/process.h"
#include "core/base/memory_guard.h"
#include "core/base/stopping.h"
#include "core/input/format/memory_limit.h"
#include "failure.h"

namespace rankscope::python {
namespace {

constexpr auto kTick = std::chrono::milliseconds(50);

/// The limit is one of the whole process. It holds while anything works, as the last one to start has set it: what
/// Python itself allocates afterwards is not counted.
class MemoryLimit {
public:
    explicit MemoryLimit(std::uint64_t bytes) {
        const std::lock_guard lock(mutex());
        ++at_work();
        limit_memory(bytes > 0 ? bytes : machine_memory() / 10 * 9);
    }
    ~MemoryLimit() {
        const std::lock_guard lock(mutex());
        if (--at_work() == 0)
            limit_memory(0);
    }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static int& at_work() {
        static int count = 0;
        return count;
    }
};

Failure no_memory() {
    const std::uint64_t limit = met_memory_limit();
    return {{Error::Code::input,
             fmt::format("{}; {}",
                         limit > 0 ? "analysing this takes more than the memory budget of " + memory_text(limit)
                                   : std::string(kNoMemory),
                         kNeedsLess)}};
}

void within(const Budget& budget, const std::stop_token& stop, const std::function<void()>& work) {
    const MemoryLimit limit(budget.memory_bytes);
    try {
        std::optional<tbb::global_control> threads;
        if (budget.jobs > 0)
            threads.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(budget.jobs));
        run_stoppable(stop, work);
    } catch (const Stopped&) {
        throw Failure{{Error::Code::cancelled, "interrupted"_text}};
    } catch (const std::bad_alloc&) {
        throw no_memory();
    } catch (const std::runtime_error& error) { // oneTBB, where no thread can be had
        throw Failure{{Error::Code::input, "the system refuses what the analysis needs: %1"_text(error.what())}};
    }
}

} // namespace

void in_background(const Budget& budget, const std::function<void(const std::stop_token&)>& work,
                   const std::function<void()>& tick) {
    namespace py = pybind11;
    const std::stop_source stop;
    std::packaged_task<void()> task([&] { within(budget, stop.get_token(), [&] { work(stop.get_token()); }); });
    std::future<void> done = task.get_future();
    std::thread worker(std::move(task));
    std::exception_ptr raised;
    for (;;) {
        {
            const py::gil_scoped_release released;
            if (done.wait_for(kTick) == std::future_status::ready)
                break;
        }
        if (raised)
            continue;
        try {
            if (PyErr_CheckSignals() != 0)
                throw py::error_already_set();
            if (tick)
                tick();
        } catch (...) {
            raised = std::current_exception();
            stop.request_stop();
        }
    }
    worker.join();
    if (raised)
        std::rethrow_exception(raised);
    done.get();
}

} // namespace rankscope::python
