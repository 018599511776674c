// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the marked range.
#include "widgets/panels/range_panel.h"

#include <array>
#include <functional>
#include <optional>

#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/panels/range_table_model.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/toggle_button.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

RangePanel::RangePanel(ViewState* state, QWidget* parent)
    : Panel(parent), state_(state), model_(new RangeTableModel(this)), sorted_(new QSortFilterProxyModel(this)),
      summary_(new QLabel), use_(new QPushButton(tr("Use in all screens"))), copy_(new QPushButton(tr("Copy table"))),
      groupings_(new QButtonGroup(this)), table_(buildTable()) {
    setAccessibleName(tr("Statistics of the range"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 0);
    column->setSpacing(6);
    column->addWidget(buildControls());
    column->addWidget(table_, 1);

    delay_.setSingleShot(true);
    delay_.setInterval(40);
    connect(&delay_, &QTimer::timeout, this, &RangePanel::ask);
    connect(state_, &ViewState::runChanged, this, &RangePanel::takeRun);
    connect(state_, &ViewState::rangeChanged, this, &RangePanel::takeRange);
    connect(state_, &ViewState::rangeChanged, this, [this] {
        if (state_->range()) // what the hands just marked is what they want to read about
            Q_EMIT wanted();
        Q_EMIT commandsChanged();
    });
    connect(state_, &ViewState::usedRangesChanged, this, &RangePanel::commandsChanged);
    takeRun();
}

RangePanel::~RangePanel() = default;

void RangePanel::useCommands(CommandTable& table) {
    const auto add = [&](const QString& id, const QString& title, const QString& key, const QString& help,
                         std::function<void()> run, std::function<bool()> enabled) {
        Command command{id, tr("&Timeline") + u'/' + tr("Ran&ge"), title, {QKeySequence(key)}, help, std::move(run)};
        command.enabled = std::move(enabled);
        table.add(std::move(command));
    };
    add(
        u"use-range"_s, tr("&Use in all screens"), u"Ctrl+U"_s, tr("Count the marked range only, in all screens"),
        [this] { state_->useRange(); }, [this] { return state_->range().has_value(); });
    const auto used = [this] { return !state_->usedRanges().empty(); };
    add(
        u"step-out-of-range"_s, tr("&Step out"), u"Ctrl+Shift+U"_s,
        tr("Return to the range used before, or to the whole run"), [this] { state_->stepOutOfRange(); }, used);
    add(
        u"use-whole-run"_s, tr("Use the &whole run"), u"Ctrl+Alt+U"_s, tr("Forget the ranges used in all screens"),
        [this] { state_->useWholeRun(); }, used);
}

QWidget* RangePanel::buildControls() {
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins({});
    row->setSpacing(4);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setMinimumWidth(50);
    summary_->setAccessibleName(tr("Range"));
    const std::array<std::pair<RangeGrouping, QString>, kRangeGroupingCount> groupings{
        {{RangeGrouping::kernel_class, tr("Class")},
         {RangeGrouping::kernel, tr("Kernel")},
         {RangeGrouping::rank, tr("Rank")},
         {RangeGrouping::op, tr("Operator")}}};
    auto* by = new QLabel(tr("By"));
    row->addWidget(by);
    for (const auto& [grouping, title] : groupings) {
        auto* button = new ToggleButton(title);
        button->setChecked(grouping == model_->grouping());
        button->setAccessibleName(tr("By %1").arg(title.toLower()));
        groupings_->addButton(button, static_cast<int>(grouping));
        row->addWidget(button);
    }
    connect(groupings_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            model_->setGrouping(static_cast<RangeGrouping>(id));
    });
    row->addSpacing(10);
    row->addWidget(summary_, 1);
    use_->setToolTip(tr("Overview and all other screens count this range only, until you step out of it"));
    copy_->setToolTip(tr("Copy the selected rows, or all, as tab-separated text"));
    row->addWidget(use_);
    row->addWidget(copy_);
    connect(use_, &QPushButton::clicked, state_, &ViewState::useRange);
    connect(copy_, &QPushButton::clicked, this, &RangePanel::copyRows);
    return controls;
}

QTableView* RangePanel::buildTable() {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(RangeTableModel::kSortRole);
    auto* table = new QTableView;
    table->setModel(sorted_);
    prepareTable(*table, tr("Statistics of the range"));
    table->horizontalHeader()->setSectionResizeMode(RangeTableModel::nameColumn, QHeaderView::Stretch);
    table->setSortingEnabled(true);
    table->sortByColumn(RangeTableModel::totalColumn, Qt::DescendingOrder);
    connect(
        table, &QTableView::clicked, this, [this](const QModelIndex& index) { choose(index, false); });
    connect(table, &QTableView::activated, this, [this](const QModelIndex& index) { choose(index, true); });
    return table;
}

void RangePanel::setGrouping(RangeGrouping grouping) {
    groupings_->button(static_cast<int>(grouping))->setChecked(true);
}

void RangePanel::copyRows() const {
    QApplication::clipboard()->setText(rowsAsTsv(*sorted_, table_->selectionModel()->selectedRows()));
}

void RangePanel::takeRun() {
    const std::shared_ptr<const Run>& run = state_->run();
    if (!classes_ || &classes_->run() != run.get())
        classes_ = run ? std::make_shared<const RunClasses>(run, state_->classes()) : nullptr;
    takeRange();
}

void RangePanel::takeRange() {
    jobs_.stop();
    if (!state_->range() || !classes_) {
        delay_.stop();
        answer(nullptr);
        return;
    }
    if (!delay_.isActive())
        delay_.start();
    showSummary();
}

void RangePanel::ask() {
    if (!state_->range() || !classes_)
        return;
    jobs_.run(
        {},
        [classes = classes_, range = *state_->range()](const std::stop_token& stop) {
            auto statistics = range_statistics(*classes, range, stop);
            return statistics ? std::make_shared<const RangeStatistics>(std::move(*statistics)) : nullptr;
        },
        [this](std::shared_ptr<const RangeStatistics> statistics) { answer(std::move(statistics)); });
}

void RangePanel::answer(std::shared_ptr<const RangeStatistics> statistics) {
    statistics_ = std::move(statistics);
    model_->setStatistics(statistics_ ? state_->run() : nullptr, statistics_);
    for (int column = RangeTableModel::countColumn; column < RangeTableModel::columnEnd; ++column)
        table_->resizeColumnToContents(column);
    showSummary();
}

void RangePanel::showSummary() {
    const std::optional<TimeRange> range = state_->range();
    use_->setEnabled(range.has_value());
    copy_->setEnabled(model_->rowCount() > 0);
    if (!range) {
        summary_->setText(tr("Drag on the ruler, or with Shift among the lanes, to mark a range."));
        return;
    }
    const TimeNs origin = state_->run()->span.begin;
    QString text = tr("%1, from %2").arg(durationText(range->length()), timePointText(range->begin - origin));
    if (isBusy())
        text = tr("%1 · adding up…").arg(text);
    else if (statistics_)
        text = tr("%1 · %2 GPU events, %3 summed", nullptr, plural(static_cast<std::int64_t>(statistics_->count)))
                   .arg(text, groupedNumber(statistics_->count), durationText(statistics_->total));
    summary_->setText(text);
}

QString RangePanel::summary() const { return summary_->text(); }

void RangePanel::choose(const QModelIndex& index, bool zoom) {
    const RangeRow* row = model_->row(sorted_->mapToSource(index).row());
    if (row == nullptr)
        return;
    const EventRef event{state_->run()->ranks[row->longest.rank]->rank, row->longest.event};
    state_->select(event);
    Q_EMIT eventChosen(event, zoom);
}

} // namespace rankscope
