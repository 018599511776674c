// SPDX-License-Identifier: GPL-3.0-or-later
// Shows of the run on screen.
#include "app/window/run_display.h"

#include <map>

#include <QMainWindow>

#include "app/window/comparison_controller.h"
#include "app/window/run_header.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "app/window/window_parts.h"
#include "core/analysis/hang/hang.h"
#include "widgets/folding_tabs.h"
#include "widgets/language.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/panel.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What the notices of a run say in the window, where no option is typed.
std::vector<Notice> noticesInWindow(const Run& run) {
    std::vector<Notice> notices = run.notices;
    for (Notice& notice : notices)
        if (notice.code == "several_sources")
            notice.message = notice.message.first_clause() +=
                RunDisplay::tr("; the button beside the run's name opens them").toStdString();
    return notices;
}

/// A reader of a file does not know its rank; the run does.
NoticeRanks ranksOfNotices(const Run& run) {
    NoticeRanks ranks;
    for (const auto& rank : run.ranks)
        for (const Notice& notice : rank->notices)
            if (std::vector<int>& own = ranks[{notice.code.word(), notice.file}];
                own.empty() || own.back() != rank->rank)
                own.push_back(rank->rank);
    return ranks;
}

/// The ranks of a job that hangs for which the others wait; where that is not proved, those that may be it.
std::map<LaneId, QString> marksOfHang(const Hang& hang) {
    std::map<LaneId, QString> marks;
    for (const HangVerdict verdict : {HangVerdict::culprit, HangVerdict::deadlock, HangVerdict::possible})
        if (marks.empty())
            for (const HangRank* rank : hang.with(verdict))
                marks.emplace(LaneId::ofRank(rank->rank),
                              RunDisplay::tr("\u25c7 The job hangs. %1").arg(messageText(rank->why)));
    return marks;
}

} // namespace

RunDisplay::RunDisplay(WindowParts& parts, RunOnScreen& shown, ScreenController& screens, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), screens_(screens) {
    connect(&shown, &RunOnScreen::pathChanged, this, [this] {
        parts_.runs->setOpen(shown_.path());
        screens_.setRunOpen(!shown_.path().isEmpty());
    });
    connect(&shown, &RunOnScreen::asked, this, [this](const QString& path) {
        parts_.runsPanel->showRun(path);
        screens_.showAgain();
    });
    connect(&shown, &RunOnScreen::gone, this, &RunDisplay::clear);
    connect(&shown, &RunOnScreen::waiting, this, &RunDisplay::showWaiting);
    connect(&shown, &RunOnScreen::partRead, this, &RunDisplay::showPart);
    connect(&shown, &RunOnScreen::shown, this, &RunDisplay::showRun);
    connect(&shown, &RunOnScreen::replaced, this, [this] { showFacts(*shown_.entry().run); });
    connect(&shown, &RunOnScreen::wholeAnalysed, this, &RunDisplay::passToPanels);
    connect(&shown, &RunOnScreen::analysisChanged, this, &RunDisplay::showAnalysis);
    connect(&shown, &RunOnScreen::failed, this, [this](const QString& message) { parts_.fail(message); });
    connect(parts.overview, &Overview::screenChosen, &screens, &ScreenController::show);
    connect(&screens, &ScreenController::changed, this, &RunDisplay::showTitle);
    connect(parts.comparison, &ComparisonController::pathsChanged, this, &RunDisplay::showTitle);
    connect(parts.comparison, &ComparisonController::ready, this, &RunDisplay::showComparedNotices);
    clear();
}

void RunDisplay::clear() {
    parts_.notices->setNotices({});
    screens_.header().hide();
    name_.clear();
    screens_.pass(nullptr);
    screens_.bring(kOverviewScreen);
    showTitle();
}

void RunDisplay::showWaiting() {
    const QString name = captureName(shown_.path());
    parts_.notices->setNotices({});
    screens_.header().setRun(name, tr("reading"), captureOf(shown_.path()).path);
    screens_.header().setCaptures({}, {});
    screens_.header().show();
    screens_.offer();
    name_ = name;
    showTitle();
}

void RunDisplay::showPart() {
    screens_.header().setRun(captureName(shown_.path()), tr("%1, reading").arg(runSummary(*parts_.view.run())),
                             captureOf(shown_.path()).path);
}

void RunDisplay::showRun() {
    const Run& run = *shown_.entry().run;
    showFacts(run);
    name_ = QString::fromStdString(run.name);
    screens_.showAgain();
    screens_.offer();
    showTitle();
}

void RunDisplay::showTitle() {
    const QStringList& compared = parts_.comparison->paths();
    QString runs;
    if (screens_.shown() == kCompareScreen && compared.size() >= 2) {
        QStringList tests;
        for (const QString& path : compared.mid(1))
            tests << captureName(path);
        runs = captureName(compared.front()) % u" → "_s % tests.join(u", "_s);
    }
    screens_.header().setCompared(runs);
    showComparedNotices();
    const QString& what = runs.isEmpty() ? name_ : runs;
    parts_.window->setWindowTitle(what.isEmpty() ? tr("Rankscope") : tr("%1 – Rankscope").arg(what));
}

/// "healthy: Ranks 6 and 7 are missing." of each run that is compared, once it is read.
void RunDisplay::showComparedNotices() {
    const QStringList& compared = parts_.comparison->paths();
    if (screens_.shown() != kCompareScreen || compared.size() < 2)
        return parts_.notices->setComparedNotices({});
    std::vector<Notice> notices;
    for (const QString& path : compared)
        if (const auto& run = parts_.library->at(path).run)
            for (Notice& notice : noticesInWindow(*run)) {
                notice.message = "%1: %2"_text(run->name, std::move(notice.message));
                notices.push_back(std::move(notice));
            }
    parts_.notices->setComparedNotices(std::move(notices));
}

void RunDisplay::showFacts(const Run& run) {
    parts_.notices->setNotices(noticesInWindow(run), ranksOfNotices(run));
    RunHeader& header = screens_.header();
    header.setRun(QString::fromStdString(run.name), runSummary(run), captureOf(shown_.path()).path,
                  accountingText(run));
    header.setCaptures(parts_.library->captures(shown_.path()), run.source);
    header.show();
}

void RunDisplay::passToPanels() {
    const std::shared_ptr<const AnalysedRun>& analysed = shown_.entry().analysed;
    const std::shared_ptr<const RunAnalysis> analysis = analysed ? analysed->analysis : nullptr;
    for (auto* panel : parts_.panels->findChildren<Panel*>())
        panel->takeAnalysis(analysis);
    const Hang* const hang = analysis ? analysis->hang() : nullptr; // known since the headline was made
    parts_.timeline->markLanes(hang != nullptr ? marksOfHang(*hang) : std::map<LaneId, QString>());
    if (analysis)
        parts_.timeline->setAnalysis(analysis);
}

void RunDisplay::showAnalysis() {
    const std::shared_ptr<const AnalysedRun> analysed = shown_.analysis();
    const bool keys = screens_.hasKeys();
    if (analysed)
        parts_.overview->setRun(analysed);
    else
        parts_.overview->setWaiting(shown_.words());
    screens_.pass(analysed);
    if (keys)
        screens_.focusPage();
    parts_.commands.refresh();
}

} // namespace rankscope
