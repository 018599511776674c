// SPDX-License-Identifier: GPL-3.0-or-later
// The first answer: where the time went, which rank is late and what it costs.
#include "widgets/panels/overview.h"

#include <algorithm>
#include <array>
#include <optional>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/analysis/delays/rank_spread.h"
#include "core/metrics/evidence.h"
#include "widgets/charts/part_legend.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/panels/efficiency_view.h"
#include "widgets/panels/evidence_place.h"
#include "widgets/panels/findings_table.h"
#include "widgets/panels/folded_text.h"
#include "widgets/panels/link_label.h"
#include "widgets/panels/metric_tree.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/rank_table_model.h"
#include "widgets/panels/step_panel.h"
#include "widgets/panels/tile.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kMargin = 18;
constexpr int kMostTableRows = 24; ///< more scroll inside the table
constexpr int kWidestTable = 1400;
constexpr int kSortByRank = -1;

std::optional<RankPart> partOfItem(const QVariant& data) {
    const int part = data.toInt();
    return part == kSortByRank ? std::nullopt : std::optional(static_cast<RankPart>(part));
}
} // namespace

Overview::Overview(QWidget* parent)
    : QWidget(parent), area_(new QScrollArea), page_(new QWidget), waiting_(new QLabel), headline_(new LinkLabel),
      step_(new StepPanel), facts_(new QLabel), findings_(new FindingsTable), notJudged_(new FoldedText),
      whatIf_(new WhatIfPanel), tiles_(new TileStrip), chart_(new QWidget), legend_(new PartLegend),
      bars_(new RankBars), table_(new QTableView), recordingTitle_(new QLabel), rankTimesTitle_(new QLabel),
      efficiencyTitle_(new QLabel), efficiency_(new EfficiencyView), metrics_(new MetricTree) {
    auto* stack = new QStackedLayout(this);
    stack->addWidget(waiting_);
    stack->addWidget(area_);
    waiting_->setAlignment(Qt::AlignCenter);
    waiting_->setForegroundRole(QPalette::PlaceholderText);

    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::PlainText);
    headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    headline_->setFont(strongFont(font(), 1.15));
    headline_->setAccessibleName(tr("Findings, in a sentence"));
    step_->setMaximumWidth(kWidestTable);
    facts_->setWordWrap(true);
    facts_->setTextFormat(Qt::PlainText);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    facts_->setMaximumWidth(kWidestTable);
    facts_->setAccessibleName(tr("What was counted"));
    findings_->setMaximumWidth(kWidestTable);
    notJudged_->setMaximumWidth(kWidestTable);
    buildTable();

    auto* layout = new QVBoxLayout(page_);
    layout->setContentsMargins(kMargin, 14, kMargin, kMargin);
    layout->setSpacing(0);
    layout->addWidget(step_);
    layout->addSpacing(10);
    layout->addWidget(headline_);
    layout->addSpacing(4);
    layout->addWidget(facts_);
    layout->addSpacing(8);
    layout->addWidget(findings_);
    layout->addWidget(notJudged_);
    layout->addSpacing(4);
    layout->addWidget(whatIf_);
    layout->addSpacing(14);
    recordingTitle_->setFont(strongFont(font(), 1.05));
    layout->addWidget(recordingTitle_);
    layout->addSpacing(6);
    layout->addWidget(tiles_);
    layout->addSpacing(18);
    controls_ = buildControls();
    layout->addWidget(controls_);
    layout->addSpacing(6);
    auto* chart = new QVBoxLayout(chart_);
    chart->setContentsMargins(0, 0, 0, 0);
    chart->setSpacing(6);
    chart->addWidget(legend_);
    chart->addWidget(bars_);
    layout->addWidget(chart_);
    layout->addSpacing(14);
    layout->addWidget(table_);
    layout->addSpacing(22);
    efficiencyTitle_->setText(tr("Parallel efficiency: what of the ranks' time is computation"));
    efficiencyTitle_->setFont(strongFont(font(), 1.05));
    efficiencyTitle_->setWordWrap(true);
    layout->addWidget(efficiencyTitle_);
    layout->addSpacing(6);
    efficiency_->setMaximumWidth(kWidestTable);
    layout->addWidget(efficiency_);
    layout->addSpacing(22);
    auto* allMetrics = new QLabel(tr("All metrics"));
    allMetrics->setFont(strongFont(font(), 1.05));
    layout->addWidget(allMetrics);
    layout->addSpacing(6);
    layout->addWidget(metrics_);
    layout->addStretch(1); // all else is as high as it needs to be
    area_->setAccessibleName(tr("Overview"));
    area_->setWidget(page_);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setFocusPolicy(Qt::ClickFocus); // Tab would stop at it, and nothing would show that
    setFocusProxy(area_);

    connect(bars_, &RankBars::rankActivated, this, &Overview::rankActivated);
    connect(step_, &StepPanel::stepChosen, this, &Overview::stepChosen);
    connect(step_, &StepPanel::shareChosen, this, &Overview::shareChosen);
    connect(step_, &StepPanel::servingChosen, this, [this] { Q_EMIT screenChosen(u"serving"_s); });
    connect(headline_, &LinkLabel::activated, this, &Overview::followHeadline);
    connect(tiles_, &TileStrip::followed, this, &Overview::follow);
    connect(metrics_, &MetricTree::followed, this, &Overview::follow);
    connect(efficiency_, &EfficiencyView::followed, this, [this](const QString& place) { goTo(place); });
    connect(findings_, &FindingsTable::findingActivated, this, &Overview::findingActivated);
    connect(findings_, &FindingsTable::whatIfAsked, this, [this](const QString& change) {
        whatIf_->reset();
        whatIf_->apply(change);
        reveal(*whatIf_);
    });
    connect(bars_, &RankBars::currentRankChanged, this, &Overview::setCurrentRank);
    connect(legend_, &PartLegend::partClicked, this,
            [this](RankPart part) { sort_->setCurrentIndex(sort_->findData(static_cast<int>(part))); });
    setWaiting(QString());
}

QWidget* Overview::buildControls() {
    auto* controls = new QWidget;
    auto* layout = new QHBoxLayout(controls);
    layout->setContentsMargins(0, 0, 0, 0);
    rankTimesTitle_->setFont(strongFont(font(), 1.05));
    sort_ = new QComboBox;
    sort_->addItem(tr("Rank"), kSortByRank);
    for (const RankPart part : kRankParts)
        sort_->addItem(tr("Most %1").arg(rankPartLabel(part).toLower()), static_cast<int>(part));
    sort_->setAccessibleName(tr("Sort ranks by"));
    auto* sortLabel = new QLabel(tr("&Sort:"));
    sortLabel->setBuddy(sort_);
    percent_ = new QToolButton;
    percent_->setText(tr("Per cent"));
    percent_->setCheckable(true);
    percent_->setToolTip(tr("Each rank's parts in per cent of its own GPU time, instead of time"));
    percent_->setAccessibleName(tr("Per cent instead of time"));
    rankTimesTitle_->setWordWrap(true); // long in German: the page must not become wider for it
    layout->addWidget(rankTimesTitle_, 1);
    layout->addWidget(sortLabel);
    layout->addWidget(sort_);
    layout->addSpacing(8);
    layout->addWidget(percent_);
    connect(sort_, &QComboBox::currentIndexChanged, this, &Overview::applySort);
    connect(percent_, &QToolButton::toggled, this, [this](bool percent) {
        bars_->setPercent(percent);
        model_->setPercent(percent);
    });
    return controls;
}

void Overview::buildTable() {
    model_ = new RankTableModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(RankTableModel::kSortRole);
    table_->setModel(sorted_);
    table_->setAccessibleName(tr("Numbers of each rank"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(RankTableModel::rankColumn, Qt::AscendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setMinimumSectionSize(56);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->horizontalHeader()->setSectionResizeMode(RankTableModel::rankColumn, QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(RankTableModel::deviceColumn, QHeaderView::ResizeToContents);
    table_->setMaximumWidth(kWidestTable);
    metrics_->setMaximumWidth(kWidestTable);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* copy = new QAction(tr("Copy as tab-separated text"), table_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(copy);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &Overview::copyTable);
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT rankActivated(index.data(RankTableModel::kRankRole).toInt()); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &Overview::tableSelectionChanged);
}

void Overview::useCommands(CommandTable& table) {
    const QString place = u"overview"_s;
    table.addPlace({place, tr("Overview"), this});
    table.addGesture({place, tr("Up / Down"), tr("Go through the ranks' bars")});
    table.addGesture({place, tr("Enter, double-click"), tr("Show the rank in the timeline")});
    table.addGesture({place, tr("Enter, click on a number or sentence"), tr("Show its evidence")});
    table.addGesture({place, tr("Left / Right"), tr("Go through the parts of a step, and its steps")});
    table.addGesture({place, tr("W on a finding"), tr("What if this were fixed: the predicted time of a step")});
    table.addGesture({place, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void Overview::setWaiting(const QString& message) {
    run_.reset();
    whatIf_->setAnalysis(nullptr);
    waiting_->setText(message);
    static_cast<QStackedLayout*>(layout())->setCurrentWidget(waiting_);
}

void Overview::setRun(std::shared_ptr<const AnalysedRun> run) {
    run_ = std::move(run);
    const RunAnalysis& analysis = *run_->analysis;
    const bool all = analysis.selection().everything();
    recordingTitle_->setText(all ? tr("The whole recording") : tr("The part in use"));
    rankTimesTitle_->setText(all ? tr("GPU time of each rank in the whole recording")
                                 : tr("GPU time of each rank in the part in use"));
    const Findings& findings = analysis.findings();
    const QString beside = besideHeadline(findings);
    headline_->setText(headlineText(analysis.run(), findings));
    headline_->setLink(findingOfHeadline(analysis) != nullptr);
    step_->setSummary(summarise_steps(analysis));
    facts_->setText(QString(beside % u' ' % factsText(analysis, headline_->text() % beside)).trimmed());
    facts_->setVisible(!facts_->text().isEmpty());
    tiles_->setTiles(headlineTiles(*run_));
    putInTabOrder();
    notJudged_->setText(tr("What could not be judged"), notJudgedText(findings, headline_->text() % beside));
    findings_->setAnalysis(run_->analysis);
    // Without GPU work nothing can be replayed; bars and table would have nothing but zeros.
    const bool worked =
        std::ranges::any_of(analysis.ranks(), [](const RankAnalysis& rank) { return !rank.gpu_work.empty(); });
    whatIf_->setAnalysis(worked ? run_->analysis : nullptr);
    controls_->setVisible(worked);
    chart_->setVisible(worked);
    table_->setVisible(worked);

    const std::vector<RankShare> judged = rankShares(analysis.of_judged_ranks()); // as the metrics
    std::array<double, kRankPartCount> percent{};
    TimeNs total = 0;
    for (const RankShare& share : judged)
        total += share.total;
    for (const RankPart part : kRankParts) {
        TimeNs sum = 0;
        for (const RankShare& share : judged)
            sum += share.part(part);
        percent[static_cast<std::size_t>(part)] =
            total > 0 ? 100.0 * static_cast<double>(sum) / static_cast<double>(total) : 0.0;
    }
    legend_->setShares(total > 0 ? std::optional(percent) : std::nullopt);
    bars_->setShares(rankShares(analysis), rankNotes(analysis));
    model_->setAnalysis(run_->analysis);
    // Computed with the metrics: nothing is waited for here.
    const MetricResult* efficiency = run_->metrics.find("parallel_efficiency");
    const bool known = efficiency != nullptr && efficiency->available;
    const auto factors = known ? efficiency_tree(analysis) : std::vector<EfficiencyRow>();
    efficiency_->setRows(factors, placesOfFactors(factors));
    efficiency_->setVisible(known);
    efficiencyTitle_->setVisible(known);
    metrics_->setReport(run_->metrics);
    hideEmptyColumns();
    fitTable();
    static_cast<QStackedLayout*>(layout())->setCurrentWidget(area_);
}

/// Tiles come and go with the run, and Qt puts every new widget at the end.
void Overview::putInTabOrder() {
    const auto isTile = [this](QWidget* widget) { return std::ranges::count(tiles_->tiles(), widget) > 0; };
    QWidget* before = sort_->previousInFocusChain();
    while (before != sort_ && (isTile(before) || (before->focusPolicy() & Qt::TabFocus) == 0))
        before = before->previousInFocusChain();
    for (Tile* tile : tiles_->tiles())
        if (tile->focusPolicy() != Qt::NoFocus) {
            setTabOrder(before, tile);
            before = tile;
        }
}

/// Copies that no rank has, and communication of a program that has none, are noise; exposed communication of 0 is not.
void Overview::hideEmptyColumns() {
    const auto column = [](RankPart part) { return RankTableModel::firstPartColumn + static_cast<int>(part); };
    const auto isEmpty = [this](int of) {
        for (int row = 0; row < model_->rowCount(); ++row)
            if (model_->index(row, of).data(RankTableModel::kSortRole).toDouble() != 0)
                return false;
        return model_->rowCount() > 0;
    };
    table_->setColumnHidden(column(RankPart::memoryCopy), isEmpty(column(RankPart::memoryCopy)));
    const bool quiet = isEmpty(RankTableModel::communicationKernelsColumn) && isEmpty(column(RankPart::communication));
    for (const int of :
         {column(RankPart::overlap), column(RankPart::communication), int{RankTableModel::communicationKernelsColumn}})
        table_->setColumnHidden(of, quiet);
}

void Overview::fitTable() {
    const int rows = std::min(model_->rowCount(), kMostTableRows);
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           rows * table_->verticalHeader()->defaultSectionSize() + 4);
}

void Overview::applySort() {
    const auto part = partOfItem(sort_->currentData());
    bars_->setOrder({part, part.has_value()});
    const int column =
        part ? RankTableModel::firstPartColumn + static_cast<int>(*part) : static_cast<int>(RankTableModel::rankColumn);
    table_->sortByColumn(column, part ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void Overview::setCurrentRank(int rank) {
    bars_->setCurrentRank(rank);
    const QModelIndex index = sorted_->mapFromSource(model_->index(model_->rowOfRank(rank), 0));
    if (index.isValid() && index.row() != table_->currentIndex().row())
        table_->setCurrentIndex(index);
}

void Overview::tableSelectionChanged() {
    const QModelIndex current = table_->currentIndex();
    if (current.isValid())
        bars_->setCurrentRank(current.data(RankTableModel::kRankRole).toInt());
}

void Overview::copyTable() const {
    QItemSelectionModel all(sorted_);
    if (table_->selectionModel()->hasSelection()) {
        all.select(table_->selectionModel()->selection(), QItemSelectionModel::Select);
    } else {
        all.select({sorted_->index(0, 0), sorted_->index(sorted_->rowCount() - 1, sorted_->columnCount() - 1)},
                   QItemSelectionModel::Select);
    }
    QGuiApplication::clipboard()->setText(selectionAsTsv(all));
}

void Overview::reveal(QWidget& part) {
    page_->layout()->activate(); // what has just opened has its height now
    area_->ensureWidgetVisible(&part);
}

void Overview::followHeadline() {
    const Finding* finding = findingOfHeadline(*run_->analysis);
    if (finding->events.empty())
        return reveal(*findings_);
    const FindingEvent& shown = finding->events.front();
    Q_EMIT findingActivated(run_->analysis->run().ranks[shown.rank]->rank, shown.event, shown.shown());
}

void Overview::follow(const QString& metric) { goTo(placeOfMetric(metric.toStdString()), metric); }

void Overview::goTo(const QString& place, const QString& metric) {
    if (place == QLatin1String(kFactorsPlace)) {
        reveal(*efficiency_);
    } else if (place == QLatin1String(kIdlePlace)) {
        Q_EMIT shareChosen(StepShare::host);
    } else if (place.startsWith(QLatin1String(kRankPlace))) {
        Q_EMIT rankActivated(place.section(u' ', 1).toInt());
    } else if (place == QLatin1String(kStretchPlace)) {
        const MetricPointer shown = find_metric(metric.toStdString(), run_->analysis->rules().metrics);
        const auto evidence = shown ? evidence_of(*shown, *run_->analysis) : std::nullopt;
        if (!evidence)
            return Q_EMIT screenChosen(u"timeline"_s);
        Q_EMIT rankActivated(evidence->rank);
        Q_EMIT findingActivated(evidence->rank, kNoEvent, evidence->range);
    } else if (!place.isEmpty()) {
        Q_EMIT screenChosen(place);
    }
}

/// Load balance and its parts, then communication and its two factors; the first row is all of them.
QStringList Overview::placesOfFactors(const std::vector<EfficiencyRow>& rows) const {
    const ParallelEfficiency& efficiency = run_->analysis->parallel_efficiency();
    QStringList places;
    for (const EfficiencyRow& row : rows) {
        const std::string name = english(row.name);
        const std::size_t part = places.size() - 2; // the rows before are the whole and load balance
        places << (row.depth == 0           ? QString()
                   : name == "Load balance" ? u"rank %1"_s.arg(run_->analysis->run().ranks[efficiency.busiest]->rank)
                   : name == "Serialisation efficiency"                             ? QString::fromLatin1(kIdlePlace)
                   : name.ends_with("efficiency")                                   ? u"collectives"_s
                   : efficiency.dimensions[part].dimension == ParallelDimension::pp ? u"pipeline"_s
                                                                                    : u"workers"_s);
    }
    return places;
}

QString Overview::headline() const { return headline_->text(); }

} // namespace rankscope
