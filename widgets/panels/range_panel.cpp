// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the marked range, or of several.
#include "widgets/panels/range_panel.h"

#include <algorithm>
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
#include "widgets/panels/range_comparison_model.h"
#include "widgets/panels/range_table_model.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/timeline/range_overlay.h"
#include "widgets/toggle_button.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

RangePanel::RangePanel(ViewState* state, QWidget* parent)
    : Panel(parent), state_(state), model_(new RangeTableModel(this)), comparison_(new RangeComparisonModel(this)),
      sorted_(new QSortFilterProxyModel(this)), summary_(new QLabel), keep_(new QPushButton(tr("Compare"))),
      forget_(new QPushButton(tr("End comparison"))), use_(new QPushButton(tr("Use in all screens"))),
      copy_(new QPushButton(tr("Copy table"))), groupings_(new QButtonGroup(this)), table_(buildTable()) {
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
    connect(state_, &ViewState::comparedRangesChanged, this, [this] {
        takeRange();
        if (!state_->comparedRanges().empty())
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
    add(
        u"compare-range"_s, tr("&Compare with others"), u"Ctrl+K"_s,
        tr("Keep the marked range, to put the next one that is marked beside it"), [this] { keepRange(); },
        [this] { return state_->range().has_value(); });
    add(
        u"end-range-comparison"_s, tr("End the c&omparison"), u"Ctrl+Shift+K"_s,
        tr("Forget the ranges that are compared"), [this] { state_->forgetComparedRanges(); },
        [this] { return !state_->comparedRanges().empty(); });
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
        if (!on)
            return;
        model_->setGrouping(static_cast<RangeGrouping>(id));
        comparison_->setGrouping(static_cast<RangeGrouping>(id));
    });
    row->addSpacing(10);
    row->addWidget(summary_, 1);
    use_->setToolTip(tr("Overview and all other screens count this range only, until you step out of it"));
    copy_->setToolTip(tr("Copy the selected rows, or all, as tab-separated text"));
    keep_->setToolTip(tr(
        "Keep this range and mark another one: the table shows both side by side. Dragging with Ctrl does the same."));
    forget_->setToolTip(tr("Forget the ranges that are compared"));
    row->addWidget(keep_);
    row->addWidget(forget_);
    row->addWidget(use_);
    row->addWidget(copy_);
    connect(keep_, &QPushButton::clicked, this, &RangePanel::keepRange);
    connect(forget_, &QPushButton::clicked, state_, &ViewState::forgetComparedRanges);
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

std::vector<TimeRange> RangePanel::ranges() const {
    std::vector<TimeRange> ranges = state_->comparedRanges();
    if (state_->range() && std::ranges::find(ranges, *state_->range()) == ranges.end())
        ranges.push_back(*state_->range());
    return ranges;
}

bool RangePanel::isComparing() const { return sorted_->sourceModel() == comparison_; }

void RangePanel::keepRange() {
    if (state_->range())
        state_->compareRange(*state_->range());
}

void RangePanel::takeRange() {
    jobs_.stop();
    if (ranges().empty() || !classes_) {
        delay_.stop();
        answer({});
        return;
    }
    if (!delay_.isActive())
        delay_.start();
    showSummary();
}

void RangePanel::ask() {
    if (ranges().empty() || !classes_)
        return;
    jobs_.run(
        {},
        [classes = classes_, ranges = ranges()](const std::stop_token& stop) {
            std::vector<ComparedRange> answers;
            for (const TimeRange& range : ranges)
                answers.push_back(comparedRange(*classes, range, stop));
            return stop.stop_requested() ? std::vector<ComparedRange>() : answers;
        },
        [this](std::vector<ComparedRange> answers) { answer(std::move(answers)); });
}

void RangePanel::answer(std::vector<ComparedRange> answers) {
    statistics_ = answers.size() == 1 ? answers.front().statistics : nullptr;
    model_->setStatistics(statistics_ ? state_->run() : nullptr, statistics_);
    const bool compares = answers.size() > 1;
    comparison_->setRanges(state_->run(), compares ? std::move(answers) : std::vector<ComparedRange>());
    if (compares != isComparing()) {
        compares ? sorted_->setSourceModel(comparison_) : sorted_->setSourceModel(model_);
        table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
        table_->horizontalHeader()->setSectionResizeMode(RangeTableModel::nameColumn, QHeaderView::Stretch);
        table_->sortByColumn(compares ? 1 : RangeTableModel::totalColumn, Qt::DescendingOrder);
    }
    for (int column = 1; column < sorted_->columnCount(); ++column)
        table_->resizeColumnToContents(column);
    showSummary();
}

void RangePanel::showSummary() {
    const std::optional<TimeRange> range = state_->range();
    const std::vector<TimeRange> all = ranges();
    use_->setEnabled(range.has_value());
    keep_->setEnabled(range && all.size() > state_->comparedRanges().size());
    forget_->setVisible(!state_->comparedRanges().empty());
    copy_->setEnabled(sorted_->rowCount() > 0);
    if (all.empty()) {
        summary_->setText(tr("Drag on the ruler, or with Shift among the lanes, to mark a range."));
        return;
    }
    const TimeNs origin = state_->run()->span.begin;
    const auto words = [&](const TimeRange& one) {
        return tr("%1, from %2").arg(durationText(one.length()), timePointText(one.begin - origin));
    };
    QString text = words(all.front());
    if (all.size() > 1) {
        QStringList each;
        for (std::size_t i = 0; i < all.size(); ++i)
            each << tr("%1: %2").arg(rangeLetter(i), words(all[i]));
        text = each.join(u" · "_s);
    } else if (!state_->comparedRanges().empty()) {
        text = tr("%1 · mark another range to compare with it").arg(text);
    }
    if (isBusy())
        text = tr("%1 · adding up…").arg(text);
    else if (statistics_)
        text = tr("%1 · %2 GPU events, %3 summed", nullptr, plural(static_cast<std::int64_t>(statistics_->count)))
                   .arg(text, groupedNumber(statistics_->count), durationText(statistics_->total));
    summary_->setText(text);
    summary_->setToolTip(all.size() > 1 ? text : QString());
}

QString RangePanel::summary() const { return summary_->text(); }

void RangePanel::choose(const QModelIndex& index, bool zoom) {
    const QModelIndex source = sorted_->mapToSource(index);
    EventPlace longest;
    if (isComparing())
        longest = comparison_->longest(source);
    else if (const RangeRow* row = model_->row(source.row()))
        longest = row->longest;
    if (longest.event == kNoEvent)
        return;
    const EventRef event{state_->run()->ranks[longest.rank]->rank, longest.event};
    state_->select(event);
    Q_EMIT eventChosen(event, zoom);
}

} // namespace rankscope
