// SPDX-License-Identifier: GPL-3.0-or-later
// How a path becomes a run on screen: chosen, looked for, listed, shown; why it does not; and how a run is closed.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QStringList>

#include "core/base/notice.h"
#include "widgets/jobs.h"

namespace rankscope {

class DemoRuns;
class RunOnScreen;
struct FoundPath;
struct WindowParts;

/// What happens to the runs found under several paths: the first is opened, or all are put side by side.
enum class Opening { first, compare };

class OpeningController : public QObject {
    Q_OBJECT
public:
    OpeningController(WindowParts& parts, RunOnScreen& shown, QObject* parent = nullptr);
    ~OpeningController() override;

    void addCommands();
    /// Lists the runs under the paths and opens the first one found.
    void addPaths(const QStringList& paths, Opening opening = Opening::first) { addPaths(paths, opening, {}, false); }
    void open(const QString& path); ///< a listed run
    void openDemo();
    void close(const QString& path);
    /// What is still being looked for is listed, not shown: the user has asked for something else since.
    void showNoneFound() { ++lookup_; }
    /// Lists the runs of the last time again, as far as they are still there, and opens the one that was on screen.
    void reopen();
    void keepForReopening() const; ///< what is listed and on screen now

    [[nodiscard]] bool isGenerated(const QString& path) const; ///< a demo's, gone with the window
    [[nodiscard]] bool isBusy() const { return lookups_.isBusy(); }

Q_SIGNALS:
    void listChanged(); ///< of the runs
    void comparisonWanted(const QStringList& paths);
    void generating(bool now); ///< the demo's runs
    void openFailed(const QString& path);

private:
    /// Slots of lookups_; those of paths that are looked for count up from 1.
    enum Lookup { demoJob = -2, choiceJob };

    void chooseFolder();
    void chooseFile();
    void askForAddress(); ///< of a run on another machine
    /// shown: the run to open, if it is found. quiet: what is not there is not told.
    void addPaths(const QStringList& paths, Opening opening, const QString& shown, bool quiet);
    /// No opening: the runs are listed only.
    void listFound(const std::vector<FoundPath>& found, std::optional<Opening> opening, const QString& shown);
    void takeFailure(const QString& path, const Error& error);
    /// wanted: the run was to be shown.
    void explainFailure(const QString& path, const Message& message, bool wanted);

    WindowParts& parts_;
    RunOnScreen& shown_;
    std::shared_ptr<const DemoRuns> demo_;
    int lookup_ = 0; ///< number of the paths looked for last, or of what the user asked for since
    Jobs lookups_{4};
};

} // namespace rankscope
