// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beside each other: how two paths, dropped or chosen, become the Compare screen.
#include "app/main_window.h"

#include "app/comparison_controller.h"
#include "app/found_paths.h"
#include "app/run_library.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void MainWindow::connectComparing() {
    connect(comparePage_, &ComparePage::comparisonAsked, this, &MainWindow::compareRuns);
    connect(runs_, &RunsModel::comparisonDropped, this, &MainWindow::compareRuns);
    connect(runsPanel_, &RunsPanel::compareRequested, this, &MainWindow::compareRuns);
    connect(comparison_, &ComparisonController::pathsChanged, this, &MainWindow::offerComparison);
    connect(
        comparison_, &ComparisonController::ready, this, [this](const auto& runs) { comparePage_->setRuns(runs); });
    connect(
        comparison_, &ComparisonController::waiting, this,
        [this](const QString& words) { comparePage_->setRuns({}, words); });
    connect(runsPanel_, &RunsPanel::selectionChanged, this, [this] { commands_.refresh(); });
}

void MainWindow::addCompareCommands() {
    const QString menu = tr("&Compare");
    Command selected{u"compare-selected"_s,
                     menu,
                     tr("&Compare the selected runs"),
                     {QKeySequence(u"Ctrl+D"_s)},
                     tr("Put the runs selected in the list side by side; the upper one is the baseline"),
                     [this] { compareRuns(runsPanel_->selectedPaths()); }};
    selected.enabled = [this] { return runsPanel_->selectedPaths().size() >= 2; };
    commands_.add(std::move(selected));
    Command swap{u"swap-comparison"_s,
                 menu,
                 tr("&Swap baseline and test"),
                 {QKeySequence(u"Ctrl+Shift+D"_s)},
                 tr("Make the test the baseline, and the baseline the test"),
                 [this] { comparePage_->swap(); }};
    swap.enabled = [this] { return !comparison_->paths().isEmpty(); };
    commands_.add(std::move(swap));
}

void MainWindow::offerComparison() {
    std::vector<RunChoice> choices;
    for (const QString& path : runs_->runPaths())
        choices.push_back({path, runs_->entry(runs_->indexOf(path))->name});
    comparePage_->setChoices(choices, comparison_->paths());
}

void MainWindow::compareRuns(const QStringList& paths) {
    notices_->clearErrors();
    QStringList wanted;
    bool allListed = true;
    for (const QString& path : paths) {
        const QString tidied = tidyPath(path);
        if (!wanted.contains(tidied))
            wanted << tidied;
        allListed = allListed && runs_->indexOf(tidied).isValid();
    }
    if (wanted.size() < 2)
        return;
    if (!allListed)
        return addPaths(wanted, Opening::compare);
    ++lookup_; // what is still being looked for is listed, not shown
    for (const QString& path : wanted)
        library_->retry(path);
    if (current_.isEmpty())
        bringToScreen(wanted.front());
    comparison_->setPaths(wanted);
    showScreen(compareScreen);
    library_->want(current_, wanted);
}

} // namespace rankscope
