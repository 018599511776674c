// SPDX-License-Identifier: GPL-3.0-or-later
// What the library is doing: the bar above the screens, the stages in the list of runs, cancelling; and full traces of
// digests, fetched when the user opens what a digest leaves out.
#pragma once
#include <functional>

#include <QObject>
#include <QTimer>

namespace rankscope {

class RunOnScreen;
struct WindowParts;

class ReadingController : public QObject {
    Q_OBJECT
public:
    ReadingController(WindowParts& parts, const RunOnScreen& shown, QObject* parent = nullptr);

    void addCommands();
    void cancel();
    void setGenerating(bool generating); ///< the demo's runs are being made

private:
    void showProgress();
    void showAnalysis();
    void showStage(const QString& path);
    void fetchOpenedRanks();
    /// Whether this program may be copied to another machine.
    void askToInstall(const QString& question, const std::function<void(bool)>& answer);

    WindowParts& parts_;
    const RunOnScreen& shown_;
    QString fetching_; ///< which rank's full trace, in words
    bool generating_ = false;
    QTimer patience_; ///< most analyses are done before anybody reads what they are at
};

} // namespace rankscope
