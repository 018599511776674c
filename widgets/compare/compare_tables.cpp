// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare screen's tabs with tables: changes and configuration, operators and kernels.
#include <cmath>
#include <map>
#include <optional>

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QTreeView>

#include "widgets/compare/change_waterfall.h"
#include "widgets/compare/compare_page.h"
#include "widgets/compare/config_change_model.h"
#include "widgets/compare/metric_change_model.h"
#include "widgets/compare/operator_change_model.h"
#include "widgets/compare/overlaid_histograms.h"
#include "widgets/compare/rank_bars_delegate.h"
#include "widgets/language.h"
#include "widgets/module_tree.h"
#include "widgets/number_text.h"
#include "widgets/row_height.h"
#include "widgets/screens/name_delegate.h"
#include "widgets/table_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What a setting may explain is a list, and loses its end; keys and paths lose their middle.
class ConfigDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        RowDelegate::initStyleOption(option, index);
        if (index.column() == ConfigChangeModel::influenceColumn)
            option->textElideMode = Qt::ElideRight;
    }
};

/// Longer kernel lists take their time to be looked at, not to be drawn.
constexpr std::size_t kHistogramBins = 40;

/// Rows whose values of some roles equal the wanted ones; a role without a wanted value leaves all rows.
class RoleFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWanted(int role, const QVariant& wanted) {
        wanted_[role] = wanted;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        for (const auto& [role, wanted] : wanted_)
            if (wanted.isValid() && sourceModel()->index(row, 0, parent).data(role) != wanted)
                return false;
        return QSortFilterProxyModel::filterAcceptsRow(row, parent);
    }

private:
    std::map<int, QVariant> wanted_;
};

void prepare(QAbstractItemView* view, QAbstractItemModel* model, const QString& name) {
    view->setModel(model);
    view->setAccessibleName(name);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setAlternatingRowColors(true);
    view->setTabKeyNavigation(false);
    auto* copy = new QAction(ComparePage::tr("Copy as tab-separated text"), view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, view, [view] {
        QGuiApplication::clipboard()->setText(rowsAsTsv(*view->model(), view->selectionModel()->selectedRows()));
    });
    view->addAction(copy);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QTableView* newTable(QAbstractItemModel* model, const QString& name) {
    auto* table = new QTableView;
    prepare(table, model, name);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeightOf(table->fontMetrics()));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

} // namespace

QWidget* ComparePage::buildChanges() {
    words_ = new QLabel;
    words_->setWordWrap(true);
    words_->setTextFormat(Qt::RichText);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    words_->setMargin(6);
    words_->setAccessibleName(tr("What changed, in words"));
    auto* wordsArea = new QScrollArea;
    wordsArea->setAccessibleName(QObject::tr("What changed, in words"));
    wordsArea->setWidget(words_);
    wordsArea->setWidgetResizable(true);
    wordsArea->setFrameShape(QFrame::NoFrame);

    auto* byStatus = new RoleFilter(this);
    byStatus->setWanted(MetricChangeModel::unchangedRole, false);
    byStatus->setSourceModel(metrics_);
    byStatus->setSortRole(MetricChangeModel::sortRole);
    metricTable_ = newTable(byStatus, tr("Metrics of the compared runs"));
    metricTable_->setSortingEnabled(true);
    metricTable_->horizontalHeader()->setStretchLastSection(true);
    metricTable_->sortByColumn(-1, Qt::AscendingOrder); // the model's order until a header is clicked
    metricTable_->setItemDelegateForColumn(MetricChangeModel::ranksColumn, new RankBarsDelegate(metricTable_));
    const auto explain = [this](const QModelIndex& index) {
        showMetric(index.siblingAtColumn(0).data(MetricChangeModel::metricRole).toString());
    };
    connect(metricTable_, &QTableView::clicked, this, [explain](const QModelIndex& index) {
        if (index.column() == MetricChangeModel::nameColumn)
            explain(index);
    });
    connect(metricTable_, &QTableView::activated, this, explain);
    statusFilter_ = new QComboBox;
    statusFilter_->setAccessibleName(tr("Show only metrics of this status"));
    statusFilter_->addItem(tr("All metrics"));
    statusFilter_->addItem(tr("Worse"), static_cast<int>(ChangeStatus::worse));
    statusFilter_->addItem(tr("Better"), static_cast<int>(ChangeStatus::better));
    statusFilter_->addItem(tr("Changed"), static_cast<int>(ChangeStatus::changed));
    statusFilter_->addItem(tr("Similar"), static_cast<int>(ChangeStatus::similar));
    connect(statusFilter_, &QComboBox::currentIndexChanged, this,
            [this, byStatus] { byStatus->setWanted(MetricChangeModel::statusRole, statusFilter_->currentData()); });
    showUnchanged_ = new QCheckBox;
    connect(showUnchanged_, &QCheckBox::toggled, this, [byStatus](bool all) {
        byStatus->setWanted(MetricChangeModel::unchangedRole, all ? QVariant() : QVariant(false));
    });
    auto* metricHead = new QHBoxLayout;
    metricHead->addWidget(new QLabel(tr("Metrics")), 1);
    metricHead->addWidget(showUnchanged_);
    metricHead->addWidget(statusFilter_);
    auto* metricSide = new QWidget;
    auto* metricLayout = new QVBoxLayout(metricSide);
    metricLayout->setContentsMargins(0, 0, 0, 0);
    metricLayout->addLayout(metricHead);
    metricLayout->addWidget(metricTable_, 1);

    auto* differing = new RoleFilter(this);
    differing->setSourceModel(config_);
    differing->setWanted(ConfigChangeModel::equalRole, false);
    configTable_ = new QTreeView;
    prepare(configTable_, differing, tr("Configuration of both runs"));
    configTable_->setItemDelegate(new ConfigDelegate(configTable_));
    configTable_->setUniformRowHeights(true);
    configTable_->header()->setStretchLastSection(false);
    configTable_->header()->setSectionResizeMode(QHeaderView::Stretch);
    configTable_->header()->setSectionResizeMode(ConfigChangeModel::statusColumn, QHeaderView::ResizeToContents);
    configTable_->setTextElideMode(Qt::ElideMiddle); // keys and paths differ at their ends
    configTitle_ = new QLabel(tr("Configuration"));
    showEqual_ = new QCheckBox(tr("Show &equal"));
    connect(showEqual_, &QCheckBox::toggled, this, [differing](bool all) {
        differing->setWanted(ConfigChangeModel::equalRole, all ? QVariant() : QVariant(false));
    });
    auto* configHead = new QHBoxLayout;
    configHead->addWidget(configTitle_, 1);
    configHead->addWidget(showEqual_);
    auto* configSide = new QWidget;
    auto* configLayout = new QVBoxLayout(configSide);
    configLayout->setContentsMargins(0, 0, 0, 0);
    configLayout->addLayout(configHead);
    configLayout->addWidget(configTable_, 1);

    auto* tables = new QSplitter(Qt::Vertical); // metrics need the whole width
    tables->addWidget(metricSide);
    tables->addWidget(configSide);
    tables->setStretchFactor(0, 3);
    tables->setStretchFactor(1, 1);
    tables->setSizes({390, 150});
    tables->setChildrenCollapsible(false);
    waterfall_ = new ChangeWaterfall;
    auto* first = new QSplitter(Qt::Horizontal);
    first->addWidget(wordsArea);
    first->addWidget(waterfall_);
    first->setSizes({600, 500});
    first->setChildrenCollapsible(false);
    changes_ = new QSplitter(Qt::Vertical);
    changes_->addWidget(first);
    changes_->addWidget(tables);
    changes_->setStretchFactor(1, 1);
    changes_->setSizes({100, 500});
    changes_->setChildrenCollapsible(false);
    connect(changes_, &QSplitter::splitterMoved, this, [this] { wordsFit_ = false; });
    return changes_;
}

QWidget* ComparePage::buildOperators() {
    auto* byDevice = new RoleFilter(this);
    byDevice->setSourceModel(operators_);
    byDevice->setSortRole(OperatorChangeModel::sortRole);
    byDevice->setFilterKeyColumn(OperatorChangeModel::nameColumn);
    byDevice->setFilterCaseSensitivity(Qt::CaseInsensitive);
    operatorTable_ = newTable(byDevice, tr("Operators and kernels of both runs"));
    operatorTable_->setSortingEnabled(true);
    operatorTable_->sortByColumn(OperatorChangeModel::costColumn, Qt::DescendingOrder); // the largest change first
    operatorTable_->horizontalHeader()->setSectionResizeMode(OperatorChangeModel::nameColumn, QHeaderView::Stretch);
    operatorTable_->setItemDelegateForColumn(OperatorChangeModel::nameColumn, new NameDelegate(operatorTable_));
    for (int column = OperatorChangeModel::deviceColumn; column < OperatorChangeModel::columnEnd; ++column)
        operatorTable_->horizontalHeader()->resizeSection(column,
                                                          column == OperatorChangeModel::deviceColumn ? 60 : 92);
    operatorFilter_ = new QLineEdit;
    operatorFilter_->setPlaceholderText(tr("Filter names"));
    operatorFilter_->setAccessibleName(tr("Filter operators and kernels by name"));
    operatorFilter_->setClearButtonEnabled(true);
    deviceFilter_ = new QComboBox;
    deviceFilter_->setAccessibleName(tr("Show only this device"));
    deviceFilter_->addItem(tr("GPU and CPU"));
    deviceFilter_->addItem(tr("GPU"), static_cast<int>(DiffDevice::gpu));
    deviceFilter_->addItem(tr("CPU"), static_cast<int>(DiffDevice::cpu));
    connect(operatorFilter_, &QLineEdit::textChanged, byDevice, &QSortFilterProxyModel::setFilterFixedString);
    connect(deviceFilter_, &QComboBox::currentIndexChanged, this,
            [this, byDevice] { byDevice->setWanted(OperatorChangeModel::deviceRole, deviceFilter_->currentData()); });
    connect(operatorTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ComparePage::showHistogram);
    deviceFilter_->setCurrentIndex(1);
    histograms_ = new OverlaidHistograms;
    auto* head = new QHBoxLayout;
    head->addWidget(operatorFilter_, 1);
    head->addWidget(deviceFilter_);
    auto* top = new QWidget;
    auto* layout = new QVBoxLayout(top);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(head);
    layout->addWidget(operatorTable_, 1);
    auto* all = new QSplitter(Qt::Vertical);
    all->addWidget(top);
    all->addWidget(histograms_);
    all->setStretchFactor(0, 1);
    all->setChildrenCollapsible(false);
    return all;
}

/// The tab is there only where a trace names modules.
void ComparePage::showModules(const ComparedRuns& comparison) {
    const std::vector<ModuleChange>& changes = comparison.comparison->modules();
    tabs_->setTabVisible(modulesTab, !changes.empty());
    const auto nanoseconds = [](double us) { return static_cast<TimeNs>(std::llround(us * 1e3)); };
    TimeNs most = 0;
    bool allocates = false;
    for (const ModuleChange& change : changes)
        for (const auto& side : {change.baseline, change.test}) {
            most = std::max(most, side ? nanoseconds(side->total_us) : 0);
            allocates = allocates || (side && side->allocated_bytes > 0);
        }
    const TimeUnit unit = timeUnitFor(most);
    const QString label = timeUnitLabel(unit);
    const auto time = [&](const std::optional<ModuleCost>& side, double ModuleCost::*what) {
        return side ? timeNumber(nanoseconds((*side).*what), unit) : u"–"_s;
    };
    const auto megabytes = [](const std::optional<ModuleCost>& side) {
        return side ? shortNumber(side->allocated_bytes / 1e6) : u"–"_s;
    };
    std::vector<ModuleTreeRow> rows;
    rows.reserve(changes.size());
    for (const ModuleChange& change : changes) {
        const auto percent =
            percent_change(change.baseline ? change.baseline->total_us : 0, change.test ? change.test->total_us : 0);
        const TimeNs difference = nanoseconds(change.difference_us());
        QStringList cells{time(change.baseline, &ModuleCost::total_us),
                          time(change.test, &ModuleCost::total_us),
                          (difference > 0 ? u"+"_s : QString()) + timeNumber(difference, unit),
                          percent ? QString::asprintf("%+.1f", *percent) : u"–"_s,
                          time(change.baseline, &ModuleCost::self_us),
                          time(change.test, &ModuleCost::self_us)};
        if (allocates)
            cells << megabytes(change.baseline) << megabytes(change.test);
        rows.push_back({change.name, change.depth, cells});
    }
    inBothLanguages([&] {
        QStringList titles{tr("Module"),
                           tr("Baseline (%1)").arg(label),
                           tr("Test (%1)").arg(label),
                           tr("Difference (%1)").arg(label),
                           tr("Change %"),
                           tr("Own, baseline (%1)").arg(label),
                           tr("Own, test (%1)").arg(label)};
        QStringList tips{tr("Modules of the same place in both models; largest change first"),
                         tr("Summed durations of its GPU work, with the modules inside, mean over the traced ranks"),
                         tr("The same of the test"),
                         tr("Test less baseline"),
                         tr("Of the baseline"),
                         tr("Without the modules inside"),
                         tr("Without the modules inside")};
        if (allocates) {
            titles << tr("Allocated (MB)") << tr("Test (MB)");
            tips << tr("By operators in it, mean over the traced ranks of the baseline") << tr("The same of the test");
        }
        modules_->setRows(titles, tips, rows);
    });
}

void ComparePage::showHistogram() {
    const auto* shown = static_cast<const QSortFilterProxyModel*>(operatorTable_->model());
    const QModelIndex index = shown->mapToSource(operatorTable_->currentIndex());
    if (!index.isValid() || !comparison_)
        return;
    const OperatorChange& change = operators_->change(index.row());
    const QString name = QString::fromStdString(change.name).left(400).simplified();
    if (change.device != DiffDevice::gpu) {
        histograms_->setMessage(
            tr("Durations are shown for kernels, copies and sets; %1 runs on the CPU.").arg(name.left(120)));
        return;
    }
    const KernelChange kernel{change.name, change.test_name, change.shortened, change.baseline, change.test};
    // All its calls are looked at: millions in a long run.
    comparing_.run(
        {histogramJob},
        [kernel, comparison = comparison_](const std::stop_token&) {
            return duration_histograms(*comparison->baseline->analysis, *comparison->test->analysis, kernel,
                                       kHistogramBins);
        },
        [this, name](const DurationHistograms& histograms) { histograms_->setHistograms(name, histograms); },
        [this](const QString& reason) { histograms_->setMessage(reason); });
}

} // namespace rankscope
