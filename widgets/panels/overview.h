// SPDX-License-Identifier: GPL-3.0-or-later
// The first answer: where the time went, which rank is late and what it costs.
#pragma once
#include <memory>

#include <QWidget>

#include "core/compare/analysed_run.h"
#include "core/views/efficiency_tree.h"
#include "core/views/step_summary.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace rankscope {

class CommandTable;
class EfficiencyView;
class FindingsTable;
class FoldedText;
class LinkLabel;
class MetricTree;
class PartLegend;
class RankBars;
class RankTableModel;
class StepPanel;
class TileStrip;
class WhatIfPanel;

class Overview : public QWidget {
    Q_OBJECT
public:
    explicit Overview(QWidget* parent = nullptr);
    void useCommands(CommandTable& table); ///< its place and gestures; once
    /// Shows what was computed for a run; its ranks(), stragglers() and findings() must be computed already, so that
    /// the window never waits.
    void setRun(std::shared_ptr<const AnalysedRun> run);
    /// Nothing computed yet: says why instead.
    void setWaiting(const QString& message);
    void setCurrentRank(int rank);
    /// The table's selected rows (all rows when none is selected) as tab-separated text on the clipboard.
    void copyTable() const;
    void reveal(QWidget& part); ///< scrolls there

    [[nodiscard]] const TileStrip& tiles() const { return *tiles_; }
    [[nodiscard]] RankBars& bars() const { return *bars_; }
    [[nodiscard]] QWidget& chart() const { return *chart_; } ///< the bars with their legend
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] FindingsTable& findings() const { return *findings_; }
    [[nodiscard]] FoldedText& notJudged() const { return *notJudged_; }
    [[nodiscard]] WhatIfPanel& whatIf() const { return *whatIf_; }
    [[nodiscard]] EfficiencyView& efficiency() const { return *efficiency_; }
    [[nodiscard]] MetricTree& metrics() const { return *metrics_; }
    [[nodiscard]] StepPanel& step() const { return *step_; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] LinkLabel& headlineLabel() const { return *headline_; }
    void follow(const QString& metric); ///< to the evidence of a metric or a part of the GPU time (placeOfMetric())

Q_SIGNALS:
    void rankActivated(int rank);
    void stepChosen(rankscope::TimeRange range);
    void shareChosen(rankscope::StepShare share);
    void screenChosen(const QString& id);
    /// As FindingsTable::findingActivated.
    void findingActivated(int rank, rankscope::EventIndex event, rankscope::TimeRange range);

private:
    QWidget* buildControls();
    void buildTable();
    void applySort();
    void fitTable();
    void hideEmptyColumns();
    void putInTabOrder();
    void tableSelectionChanged();
    void followHeadline();
    void goTo(const QString& place, const QString& metric = {}); ///< place: see evidence_place.h
    [[nodiscard]] QStringList placesOfFactors(const std::vector<EfficiencyRow>& rows) const;

    std::shared_ptr<const AnalysedRun> run_;
    QScrollArea* area_ = nullptr;
    QWidget* page_ = nullptr;
    QLabel* waiting_ = nullptr;
    LinkLabel* headline_ = nullptr;
    StepPanel* step_ = nullptr;
    QLabel* facts_ = nullptr;
    FindingsTable* findings_ = nullptr;
    FoldedText* notJudged_ = nullptr;
    WhatIfPanel* whatIf_ = nullptr;
    TileStrip* tiles_ = nullptr;
    QWidget* chart_ = nullptr;
    PartLegend* legend_ = nullptr;
    QWidget* controls_ = nullptr; ///< above the chart
    QComboBox* sort_ = nullptr;
    QToolButton* percent_ = nullptr;
    RankBars* bars_ = nullptr;
    QTableView* table_ = nullptr;
    QLabel* recordingTitle_ = nullptr;
    QLabel* rankTimesTitle_ = nullptr;
    QLabel* efficiencyTitle_ = nullptr;
    EfficiencyView* efficiency_ = nullptr;
    MetricTree* metrics_ = nullptr;
    RankTableModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
};

} // namespace rankscope
