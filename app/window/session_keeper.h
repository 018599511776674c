// SPDX-License-Identifier: GPL-3.0-or-later
// Writes how the user leaves a run while it is being worked on: a second after a change, whole file or none.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include <QObject>
#include <QTimer>

#include "app/window/run_session.h"
#include "widgets/jobs.h"

namespace rankscope {

/// A disk may take its time to have the file for sure: it is written in the background. What is not written yet is kept
/// here, and read() knows of it.
class SessionKeeper : public QObject {
    Q_OBJECT
public:
    static constexpr int kDelayMs = 1000;
    using Take = std::function<std::optional<RunSession>()>; ///< of the run on screen; nothing: it has none

    /// isLasting: whether a run at this path is there at the next start; others are remembered, not written.
    SessionKeeper(Take take, std::function<bool(const QString& path)> isLasting, QObject* parent = nullptr);
    ~SessionKeeper() override;

    void setRun(const QString& path); ///< comes to the screen; of the run before, keep() is the caller's
    void touch();                     ///< something of the run on screen has changed
    void keep();                      ///< what has changed is written now, in the background
    void finish();                    ///< all is written when it returns
    [[nodiscard]] Result<std::optional<RunSession>> read(const QString& path) const;

Q_SIGNALS:
    void failed(const QString& reason);

private:
    using Sessions = std::map<QString, RunSession>;
    void note(); ///< the session of the run on screen, where it differs from its file

    Take take_;
    std::function<bool(const QString&)> isLasting_;
    QString path_;
    QTimer delay_;
    Sessions passing_; ///< of runs that do not last
    Sessions unwritten_;
    Sessions written_; ///< what the files hold that were written or read here
    std::shared_ptr<std::mutex> writing_ = std::make_shared<std::mutex>(); ///< an older state never follows a newer one
    Jobs jobs_;
};

} // namespace rankscope
