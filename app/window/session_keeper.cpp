// SPDX-License-Identifier: GPL-3.0-or-later
// Writes how the user leaves a run while it is being worked on.
#include "app/window/session_keeper.h"

#include <utility>
#include <vector>

#include "widgets/language.h"

namespace rankscope {

SessionKeeper::SessionKeeper(Take take, std::function<bool(const QString&)> isLasting, QObject* parent)
    : QObject(parent), take_(std::move(take)), isLasting_(std::move(isLasting)) {
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    connect(&delay_, &QTimer::timeout, this, &SessionKeeper::keep);
}

SessionKeeper::~SessionKeeper() = default;

void SessionKeeper::setRun(const QString& path) {
    path_ = path;
    delay_.stop();
}

// Not started anew by each change: a second is the most that a crash costs.
void SessionKeeper::touch() {
    if (!delay_.isActive())
        delay_.start();
}

void SessionKeeper::note() {
    delay_.stop();
    if (path_.isEmpty())
        return;
    const std::optional<RunSession> session = take_();
    if (!session)
        return;
    if (!isLasting_(path_)) {
        passing_[path_] = *session;
        return;
    }
    const auto written = written_.find(path_);
    if (written != written_.end() && written->second == *session && !unwritten_.contains(path_))
        return;
    unwritten_[path_] = *session;
}

void SessionKeeper::keep() {
    note();
    if (unwritten_.empty())
        return;
    struct Written {
        QString path;
        RunSession session;
        Result<void> result;
    };
    // A later job knows of all that this one has to write, so it may take its place.
    jobs_.run(
        {},
        [sessions = unwritten_, writing = writing_](const std::stop_token& stop) {
            std::vector<Written> done;
            for (const auto& [path, session] : sessions) {
                const std::scoped_lock lock(*writing);
                if (stop.stop_requested())
                    break;
                done.push_back({path, session, writeSession(path, session)});
            }
            return done;
        },
        [this](const std::vector<Written>& done) {
            for (const auto& [path, session, result] : done) {
                if (const auto waiting = unwritten_.find(path);
                    waiting != unwritten_.end() && waiting->second == session)
                    unwritten_.erase(waiting);
                if (result)
                    written_[path] = session;
                else
                    Q_EMIT failed(messageText(result.error().message));
            }
        });
}

void SessionKeeper::finish() {
    note();
    jobs_.stop();
    const std::scoped_lock lock(*writing_);
    for (const auto& [path, session] : std::exchange(unwritten_, {}))
        static_cast<void>(writeSession(path, session)); // the window is closing: nobody is left to tell
}

Result<std::optional<RunSession>> SessionKeeper::read(const QString& path) const {
    if (const auto passing = passing_.find(path); passing != passing_.end())
        return std::optional(passing->second);
    if (!isLasting_(path))
        return std::optional<RunSession>();
    const auto waiting = unwritten_.find(path);
    return waiting == unwritten_.end() ? readSession(path) : Result<std::optional<RunSession>>(waiting->second);
}

} // namespace rankscope
