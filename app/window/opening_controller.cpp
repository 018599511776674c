// SPDX-License-Identifier: GPL-3.0-or-later
// How a path becomes a run on screen.
#include "app/window/opening_controller.h"

#include <algorithm>
#include <filesystem>

#include <QFileDialog>
#include <QMainWindow>
#include <QSettings>

#include "app/command/demo_runs.h"
#include "app/settings/settings.h"
#include "app/window/captures.h"
#include "app/window/comparison_controller.h"
#include "app/window/found_paths.h"
#include "app/window/recent_runs.h"
#include "app/window/remote_dialog.h"
#include "app/window/run_on_screen.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "core/input/find/run_choices.h"
#include "core/remote/remote_run.h"
#include "widgets/language.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/start_page.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kOpenRuns = "window/open_runs"_L1;
constexpr auto kRunOnScreen = "window/run_on_screen"_L1;
} // namespace

OpeningController::OpeningController(WindowParts& parts, RunOnScreen& shown, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown) {
    connect(parts.runs, &RunsModel::pathsDropped, this,
            [this](const QStringList& paths) { addPaths(paths, Opening::compare); });
    connect(parts.runsPanel, &RunsPanel::openRequested, this, &OpeningController::open);
    connect(parts.runsPanel, &RunsPanel::removeRequested, this, &OpeningController::close);
    connect(parts.runsPanel, &RunsPanel::addFolderRequested, this, &OpeningController::chooseFolder);
    connect(parts.startPage, &StartPage::openFolderRequested, this, &OpeningController::chooseFolder);
    connect(parts.startPage, &StartPage::openFileRequested, this, &OpeningController::chooseFile);
    connect(
        parts.startPage, &StartPage::recentRunRequested, this, [this](const QString& path) { addPaths({path}); });
    connect(parts.recent, &RecentRuns::changed, this,
            [this] { parts_.startPage->setRecentRuns(parts_.recent->paths()); });
    parts.startPage->setRecentRuns(parts.recent->paths());
    connect(parts.library, &RunLibrary::runRead, this, [this](const QString& path) {
        if (!isGenerated(path))
            parts_.recent->add(captureOf(path).path);
    });
    connect(parts.library, &RunLibrary::readingFailed, this, &OpeningController::takeFailure);
    connect(&shown, &RunOnScreen::shown, this, &OpeningController::keepForReopening);
}

OpeningController::~OpeningController() = default;

void OpeningController::addCommands() {
    const QString file = tr("&File");
    parts_.commands.add(windowCommand(
        u"open-folder"_s, file, tr("Open &folder…"), {u"Ctrl+O"_s}, tr("Open a folder of traces"),
        [this] { chooseFolder(); }));
    parts_.commands.add(windowCommand(
        u"open-file"_s, file, tr("Open f&ile…"), {u"Ctrl+Shift+O"_s}, tr("Open one trace file"),
        [this] { chooseFile(); }));
    parts_.commands.add(windowCommand(u"open-remote"_s, file, tr("Open &remote…"), {},
                                      tr("Open a run on another machine, over ssh"), [this] { askForAddress(); }));
}

void OpeningController::chooseFolder() {
    const QString path = QFileDialog::getExistingDirectory(parts_.window, tr("Open a folder of traces"), lastFolder());
    if (path.isEmpty())
        return;
    keepLastFolder(path);
    addPaths({path});
}

void OpeningController::chooseFile() {
    const QString path =
        QFileDialog::getOpenFileName(parts_.window, tr("Open a trace file"), lastFolder(),
                                     tr("Traces (*.json *.gz *.zst *.sqlite *.nsys-rep *.csv *.txt);;All files (*)"));
    if (path.isEmpty())
        return;
    keepLastFolder(path);
    addPaths({path});
}

void OpeningController::askForAddress() {
    auto* dialog = new RemoteDialog(parts_.recent->paths().filter(u"ssh://"_s), parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RemoteDialog::wanted, this, [this](const QString& address) { addPaths({address}); });
    dialog->open();
}

void OpeningController::addPaths(const QStringList& paths, Opening opening, const QString& shown, bool quiet) {
    parts_.notices->clearErrors();
    QStringList tidied;
    for (const QString& path : paths)
        tidied << tidyPath(path);
    if (tidied.isEmpty())
        return;
    // A folder may lie on a slow disk, or on one that does not answer.
    const int number = ++lookup_;
    lookups_.run(
        {number, nullptr}, [tidied](const std::stop_token& stop) { return findPaths(tidied, stop); },
        [this, number, opening, shown, quiet](const std::vector<FoundPath>& found) {
            std::vector<FoundPath> present;
            for (const FoundPath& path : found) {
                if (path.exists) {
                    present.push_back(path);
                    continue;
                }
                if (quiet)
                    continue;
                parts_.recent->remove(path.path);
                parts_.fail(tr("%1: no such file or folder. Open a folder of traces with %2.")
                                .arg(path.path, CommandTable::keysText(parts_.commands.shortcuts(u"open-folder"_s))));
            }
            // Of several that were asked for the last one is shown, whichever disk answered first.
            if (!present.empty())
                listFound(present, number == lookup_ ? std::optional(opening) : std::nullopt, shown);
        });
}

void OpeningController::listFound(const std::vector<FoundPath>& found, std::optional<Opening> opening,
                                  const QString& shown) {
    QString first;
    QStringList comparable; // paths that are one run each; a folder of many says nothing about which is meant
    for (const FoundPath& path : found) {
        auto runs = path.runs;
        const bool alone = runs.size() == 1;
        QString opened = QString::fromStdString(runs.front().path.string());
        // Of a run with several captures the one that was chosen last time comes to the screen.
        if (const QString chosen = rememberedCapture(opened); chosen != opened) {
            runs.insert(runs.begin() + 1, {chosen.toStdString(), runs.front().files, runs.front().bytes});
            opened = chosen;
        }
        parts_.runs->addFolder(path.path, runs);
        if (first.isEmpty())
            first = opened;
        if (alone)
            comparable << opened;
    }
    if (parts_.runs->runPaths().contains(shown))
        first = shown;
    Q_EMIT listChanged();
    if (!opening)
        return;
    if (*opening == Opening::compare && comparable.size() >= 2)
        Q_EMIT comparisonWanted(comparable);
    else
        shown_.show(first);
}

void OpeningController::open(const QString& path) {
    parts_.notices->clearErrors();
    showNoneFound();
    shown_.show(path);
}

void OpeningController::openDemo() {
    if (demo_)
        return open(QString::fromStdString(demo_->paths().back().string()));
    lookups_.run(
        {demoJob},
        [](const std::stop_token& stop) {
            auto made = DemoRuns::create(stop);
            return made ? Result<std::shared_ptr<const DemoRuns>>(std::make_shared<const DemoRuns>(std::move(*made)))
                        : tl::unexpected<Error>(made.error());
        },
        [this](const Result<std::shared_ptr<const DemoRuns>>& made) {
            Q_EMIT generating(false);
            if (!made)
                return parts_.fail(messageText(made.error().message));
            demo_ = *made;
            QStringList paths;
            for (const auto& path : demo_->paths())
                paths << QString::fromStdString(path.string());
            // The slow one is shown: it is the one with something to find.
            addPaths(paths, Opening::first, paths.back(), false);
        });
    Q_EMIT generating(true);
}

bool OpeningController::isGenerated(const QString& path) const {
    return demo_ && std::filesystem::path(captureOf(path).path.toStdString()).parent_path() ==
                        demo_->paths().front().parent_path();
}

void OpeningController::takeFailure(const QString& path, const Error& error) {
    const bool cancelled = error.code == Error::Code::cancelled;
    if (captureOf(path).source && !cancelled)
        rememberCapture(captureOf(path).path); // it is gone, or damaged: the next time the preferred one is opened
    if (cancelled && parts_.comparison->paths().contains(path))
        parts_.comparison->setPaths({}); // nobody waits for it any more
    const RunEntry* entry = parts_.runs->entry(parts_.runs->indexOf(path));
    if (!cancelled && entry != nullptr && entry->ranks == 0) {
        parts_.runs->removeRow(parts_.runs->indexOf(path));
        parts_.comparison->drop(path);
        parts_.library->forget(path);
    }
    const bool wanted = path == shown_.path();
    if (wanted)
        shown_.showBefore();
    Q_EMIT listChanged();
    if (!cancelled)
        explainFailure(path, error.message, wanted);
    Q_EMIT openFailed(path);
}

/// A folder may hold several runs though the names of its files do not say so: they are listed, and the first is shown.
void OpeningController::explainFailure(const QString& path, const Message& message, bool wanted) {
    lookups_.run(
        {choiceJob},
        [path, several = tells_of_several_runs(message)](const std::stop_token& stop) {
            std::vector<FoundRun> choices;
            if (!several || captureOf(path).source)
                return choices;
            if (is_remote(path.toStdString())) {
                const auto runs = find_paths_of_runs(path.toStdString(), {}, stop);
                for (const auto& run : runs.value_or(std::vector<std::filesystem::path>()))
                    choices.push_back({run, 0, 0});
                return choices;
            }
            for (const auto& run : runs_to_choose_from(path.toStdString()))
                for (const FoundRun& found : find_runs(run, stop))
                    choices.push_back(found);
            return choices;
        },
        [this, path, message, wanted, number = lookup_](const std::vector<FoundRun>& choices) {
            const auto isPath = [&path](const FoundRun& run) {
                return QString::fromStdString(run.path.string()) == path;
            };
            if (choices.size() < 2 || std::ranges::any_of(choices, isPath)) // it would fail again
                return parts_.fail(tr("%1 – open another run with Ctrl+O").arg(messageText(message)));
            parts_.library->forget(path);
            parts_.runsPanel->parentWidget()->show(); // its dock
            // What the user asked for since stays on screen.
            listFound({{path, true, choices}},
                      wanted && number == lookup_ ? std::optional(Opening::first) : std::nullopt, {});
        });
}

void OpeningController::close(const QString& path) {
    parts_.runs->removeRow(parts_.runs->indexOf(path));
    parts_.comparison->drop(path);
    Q_EMIT listChanged();
    shown_.forget(path);
    keepForReopening();
}

void OpeningController::keepForReopening() const {
    // No connection is made before somebody asks for it.
    const auto comesBack = [this](const QString& path) { return !isGenerated(path) && !is_remote(path.toStdString()); };
    QStringList folders;
    for (const QString& folder : parts_.runs->folderPaths())
        if (comesBack(folder))
            folders << folder;
    const auto settings = openSettings();
    settings->setValue(kOpenRuns, folders);
    settings->setValue(kRunOnScreen, comesBack(shown_.path()) ? shown_.path() : QString());
}

void OpeningController::reopen() {
    const auto settings = openSettings();
    addPaths(settings->value(kOpenRuns).toStringList(), Opening::first, settings->value(kRunOnScreen).toString(), true);
}

} // namespace rankscope
