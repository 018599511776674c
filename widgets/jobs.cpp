// SPDX-License-Identifier: GPL-3.0-or-later
// Work in the background for an object of the window's thread.
#include "widgets/jobs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include <QCoreApplication>

#include "widgets/job_pool.h"

namespace rankscope {

namespace {

QString reasonOf(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return QCoreApplication::translate("Jobs", "There is not enough memory for this.");
    } catch (const std::exception& error) {
        return QCoreApplication::translate("Jobs", "An error of the program stopped this: %1")
            .arg(QString::fromUtf8(error.what()).simplified());
    } catch (...) {
        return QCoreApplication::translate("Jobs", "An unknown error of the program stopped this.");
    }
}

} // namespace

JobFailures& JobFailures::instance() {
    static JobFailures failures;
    return failures;
}

struct Jobs::Job {
    JobSlot slot;
    Task task;
    std::function<void(const QString&)> fail;
    std::stop_source stop;
};

struct Jobs::State {
    std::map<JobSlot, std::shared_ptr<Job>> last; ///< the object's thread only: what is still to be taken
    std::mutex mutex;                             ///< of the rest
    std::unique_ptr<QObject> target;              ///< calls in the object's thread go through it; nullptr: it is gone
    int width = 1;
    std::deque<std::shared_ptr<Job>> waiting;
    int running = 0;
};

Jobs::Jobs(int width) : state_(std::make_shared<State>()) {
    state_->target = std::make_unique<QObject>();
    state_->width = width;
}

Jobs::~Jobs() {
    stop();
    const std::scoped_lock lock(state_->mutex);
    state_->target.reset(); // and with it the calls that are on their way
}

void Jobs::start(JobSlot slot, Task task, std::function<void(const QString&)> fail) {
    stop(slot);
    auto job = std::make_shared<Job>(Job{slot, std::move(task), std::move(fail), {}});
    state_->last[slot] = job;
    {
        const std::scoped_lock lock(state_->mutex);
        state_->waiting.push_back(std::move(job));
    }
    startNext(state_);
}

void Jobs::stop(JobSlot slot) {
    const auto found = state_->last.find(slot);
    if (found == state_->last.end())
        return;
    const std::shared_ptr<Job> job = found->second;
    state_->last.erase(found);
    {
        const std::scoped_lock lock(state_->mutex);
        std::erase(state_->waiting, job);
    }
    job->stop.request_stop();
}

void Jobs::stop() {
    while (!state_->last.empty())
        stop(state_->last.begin()->first);
}

bool Jobs::isBusy() const { return !state_->last.empty(); }
bool Jobs::isBusy(JobSlot slot) const { return state_->last.contains(slot); }

void Jobs::startNext(const std::shared_ptr<State>& state) {
    std::shared_ptr<Job> job;
    {
        const std::scoped_lock lock(state->mutex);
        if (state->waiting.empty() || state->running >= state->width)
            return;
        job = std::move(state->waiting.front());
        state->waiting.pop_front();
        ++state->running;
    }
    JobPool::instance().add([state, job] {
        perform(state, job);
        {
            const std::scoped_lock lock(state->mutex);
            --state->running;
        }
        startNext(state);
    });
}

void Jobs::perform(const std::shared_ptr<State>& state, const std::shared_ptr<Job>& job) {
    if (job->stop.stop_requested())
        return;
    const auto tell = [&](Delivery call) { post(state, job, std::move(call), false); };
    Delivery delivery;
    try {
        delivery = job->task({job->stop.get_token(), tell});
    } catch (...) {
        delivery = [reason = reasonOf(std::current_exception()), fail = job->fail] {
            if (fail)
                fail(reason);
            else
                Q_EMIT JobFailures::instance().failed(reason);
        };
    }
    job->task = nullptr; // what it holds goes here, not in the window's thread
    post(state, job, std::move(delivery), true);
}

void Jobs::post(const std::shared_ptr<State>& state, const std::shared_ptr<Job>& job, Delivery call, bool last) {
    const std::scoped_lock lock(state->mutex);
    if (!state->target || job->stop.stop_requested())
        return;
    // A raw pointer: what is posted goes with the target, and must not keep it.
    State* where = state.get();
    QMetaObject::invokeMethod(
        state->target.get(),
        [where, job, call = std::move(call), last] {
            const auto wanted = where->last.find(job->slot);
            if (wanted == where->last.end() || wanted->second != job)
                return;
            if (last)
                where->last.erase(wanted);
            call();
        },
        Qt::QueuedConnection);
}

} // namespace rankscope
