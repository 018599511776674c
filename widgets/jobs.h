// SPDX-License-Identifier: GPL-3.0-or-later
// Work in the background for an object of the window's thread: the newest wins, what is stopped is not taken, and a
// failure is told.
#pragma once
#include <compare>
#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>

namespace rankscope {

/// One thing that an object has computed for it: of two jobs in one slot only the newer one's result is taken.
struct JobSlot {
    int what = 0;             ///< a number of the object's own
    const void* of = nullptr; ///< where there are several: which
    friend auto operator<=>(const JobSlot&, const JobSlot&) = default;
};

/// What running work may use.
struct JobContext {
    std::stop_token stop;
    /// Runs a call in the object's thread, unless the job is stopped by then: for progress.
    std::function<void(std::function<void()>)> tell;
};

/// Hears of every failed job that has nobody else to tell. The window shows it as a notice.
class JobFailures : public QObject {
    Q_OBJECT
public:
    static JobFailures& instance();
Q_SIGNALS:
    void failed(const QString& message); ///< in the thread of the object that the job was for; one line
};

/// A member of the object that the work is done for; both live in one thread. Destroying it stops its jobs and waits
/// for none of them: work holds what it uses, and never the object itself. All objects share the threads of JobPool. Of
/// one object `width` jobs run at a time, in the order they were asked for, so that no object keeps the others waiting.
class Jobs {
public:
    explicit Jobs(int width = 1);
    ~Jobs();
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    /// Runs work(std::stop_token) or work(JobContext) in the background and hands its result to take, in the object's
    /// thread. A later job of the same slot stops this one. What work throws goes to fail as one line; without a fail,
    /// to JobFailures.
    template <typename Work, typename Take>
    void run(JobSlot slot, Work work, Take take, std::function<void(const QString&)> fail = {}) {
        start(slot, taskOf(std::move(work), std::move(take)), std::move(fail));
    }
    /// Jobs that wait never start, one that runs is asked to end, and nothing of them is taken.
    void stop(JobSlot slot);
    void stop();
    [[nodiscard]] bool isBusy() const; ///< something is still to be taken
    [[nodiscard]] bool isBusy(JobSlot slot) const;

private:
    struct Job;
    struct State;
    using Delivery = std::function<void()>; ///< runs in the object's thread
    using Task = std::function<Delivery(const JobContext&)>;

    template <typename Work>
    static decltype(auto) call(Work& work, const JobContext& context) {
        if constexpr (std::is_invocable_v<Work&, const JobContext&>)
            return work(context);
        else
            return work(context.stop);
    }
    template <typename Work, typename Take>
    static Task taskOf(Work work, Take take) {
        // Shared, because std::function wants to copy what a capture may not allow.
        return [work = std::make_shared<Work>(std::move(work)),
                take = std::make_shared<Take>(std::move(take))](const JobContext& context) -> Delivery {
            using Value = decltype(call(*work, context));
            if constexpr (std::is_void_v<Value>) {
                call(*work, context);
                return [take] { (*take)(); };
            } else {
                auto value = std::make_shared<std::decay_t<Value>>(call(*work, context));
                return [take, value] { (*take)(std::move(*value)); };
            }
        };
    }
    void start(JobSlot slot, Task task, std::function<void(const QString&)> fail);
    static void startNext(const std::shared_ptr<State>& state);
    static void perform(const std::shared_ptr<State>& state, const std::shared_ptr<Job>& job);
    static void post(const std::shared_ptr<State>& state, const std::shared_ptr<Job>& job, Delivery call, bool last);

    std::shared_ptr<State> state_;
};

} // namespace rankscope
