// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare screen.
#include "app/window/compare_screen_controller.h"

#include "app/window/comparison_controller.h"
#include "app/window/found_paths.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

CompareScreenController::CompareScreenController(WindowParts& parts, RunOnScreen& shown, ScreenController& screens,
                                                 QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), screens_(screens) {
    connect(parts.comparePage, &ComparePage::comparisonAsked, this, &CompareScreenController::compare);
    connect(parts.runs, &RunsModel::comparisonDropped, this, &CompareScreenController::compare);
    connect(parts.runsPanel, &RunsPanel::compareRequested, this, &CompareScreenController::compare);
    connect(parts.runsPanel, &RunsPanel::selectionChanged, this, [this] { parts_.commands.refresh(); });
    connect(parts.comparison, &ComparisonController::pathsChanged, this, &CompareScreenController::offer);
    connect(
        parts.comparison, &ComparisonController::ready, this,
        [this](const auto& runs) { parts_.comparePage->setRuns(runs); });
    connect(parts.comparison, &ComparisonController::waiting, this,
            [this](const QString& words) { parts_.comparePage->setRuns({}, words); });
    connect(&screens, &ScreenController::changed, this, [this](const QString& id) {
        // Of two runs there is nothing to choose.
        if (const QStringList listed = parts_.runs->runPaths();
            id == kCompareScreen && parts_.comparison->paths().isEmpty() && listed.size() == 2)
            compare(listed);
    });
}

void CompareScreenController::addCommands() {
    const QString menu = tr("&Compare");
    parts_.commands.add(enabledIf(
        windowCommand(
            u"compare-selected"_s, menu, tr("&Compare the selected runs"), {u"Ctrl+D"_s},
            tr("Put the runs selected in the list side by side; the upper one is the baseline"),
            [this] { compare(parts_.runsPanel->selectedPaths()); }),
        [this] { return parts_.runsPanel->selectedPaths().size() >= 2; }));
    parts_.commands.add(
        enabledIf(windowCommand(u"swap-comparison"_s, menu, tr("&Swap baseline and test"), {u"Ctrl+Shift+D"_s},
                                tr("Make the test the baseline, and the baseline the test"),
                                [this] { parts_.comparePage->swap(); }),
                  [this] { return !parts_.comparison->paths().isEmpty(); }));
}

void CompareScreenController::offer() {
    std::vector<RunChoice> choices;
    for (const QString& path : parts_.runs->runPaths())
        choices.push_back({path, parts_.runs->entry(parts_.runs->indexOf(path))->name});
    parts_.comparePage->setChoices(choices, parts_.comparison->paths());
}

void CompareScreenController::compare(const QStringList& paths) {
    parts_.notices->clearErrors();
    QStringList wanted;
    bool allListed = true;
    for (const QString& path : paths) {
        const QString tidied = tidyPath(path);
        if (!wanted.contains(tidied))
            wanted << tidied;
        allListed = allListed && parts_.runs->indexOf(tidied).isValid();
    }
    if (wanted.size() < 2)
        return;
    if (!allListed)
        return Q_EMIT listingWanted(wanted);
    Q_EMIT started();
    for (const QString& path : wanted)
        parts_.library->retry(path);
    if (shown_.path().isEmpty())
        shown_.bring(wanted.front());
    parts_.comparison->setPaths(wanted);
    screens_.show(kCompareScreen);
    shown_.want();
}

} // namespace rankscope
