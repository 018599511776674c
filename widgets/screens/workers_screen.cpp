// SPDX-License-Identifier: GPL-3.0-or-later
// The Workers screen.
#include "widgets/screens/workers_screen.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/plot_export.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/screens/worker_map_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// For a column of the table, whose tip says it in full.
QString shortTitle(WorkerValue value) {
    switch (value) {
    case WorkerValue::slowdown: return WorkersScreen::tr("Slowdown");
    case WorkerValue::lag: return WorkersScreen::tr("Lag");
    case WorkerValue::idle: return WorkersScreen::tr("Idle");
    case WorkerValue::exposed: return WorkersScreen::tr("Comm. + waits");
    }
    return {};
}

} // namespace

WorkersScreen::WorkersScreen(QWidget* parent)
    : AnalysisScreen(parent), words_(new QLabel), value_(new QComboBox), rows_(new QComboBox), columns_(new QComboBox),
      split_(new QSplitter(Qt::Horizontal)), map_(new WorkerMapView), table_(new QTableView),
      model_(new ColumnModel(this)), order_(nullptr) {
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setAccessibleName(tr("What stragglers cost"));
    words_->setToolTip(
        tr("The replay computes each step again from the recorded lengths of its operations, as they are "
           "and as if all workers took equally long. The difference is what stragglers cost."));
    markAsPlot(*map_, tr("Heat map of workers"));
    order_ = new ColumnOrder(model_);
    table_->setModel(order_);
    prepareTable(*table_, tr("Workers"));
    table_->setSortingEnabled(true);
    auto* show = new QAction(tr("Show this rank in the &timeline"), table_);
    table_->addAction(show);
    connect(
        show, &QAction::triggered, this,
        [this] {
            if (table_->currentIndex().isValid())
                showInTimeline(static_cast<std::uint32_t>(order_->sourceRow(table_->currentIndex())));
        });
    connect(
        table_, &QTableView::activated, this,
        [this](const QModelIndex& index) { showInTimeline(static_cast<std::uint32_t>(order_->sourceRow(index))); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid())
            map_->setCurrentRank(static_cast<std::uint32_t>(order_->sourceRow(index)));
    });
    connect(map_, &WorkerMapView::rankChosen, this, &WorkersScreen::chooseRank);
    connect(map_, &WorkerMapView::rankActivated, this, &WorkersScreen::showInTimeline);
    const auto labelled = [](QHBoxLayout& bar, const QString& text, QComboBox* box) {
        auto* label = new QLabel(text);
        label->setBuddy(box);
        box->setAccessibleName(text.chopped(1).remove(u'&'));
        bar.addWidget(label);
        bar.addWidget(box);
    };
    auto* bar = new QHBoxLayout;
    labelled(*bar, tr("&Colour:"), value_);
    labelled(*bar, tr("&Rows:"), rows_);
    labelled(*bar, tr("C&olumns:"), columns_);
    bar->addStretch();
    for (QComboBox* box : {value_, rows_, columns_})
        connect(box, &QComboBox::activated, this, [this] { drawMap(); });

    split_->addWidget(map_);
    split_->addWidget(table_);
    split_->setChildrenCollapsible(false);
    split_->setStretchFactor(0, 1);
    split_->setStretchFactor(1, 0);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 10, 18, 12);
    layout->setSpacing(8);
    layout->addWidget(words_);
    layout->addLayout(bar);
    layout->addWidget(split_, 1);
    setPage(page);
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token&) -> Show {
        const auto contents = prepared(analysed->analysis);
        return [this, contents] { setContents(contents); };
    });
}

void WorkersScreen::useCommands(CommandTable& table) {
    table.addPlace({u"workers"_s, tr("Workers"), this});
    table.addGesture({u"workers"_s, tr("Click in the heat map, arrow keys"), tr("Select the rank of the cell")});
    table.addGesture({u"workers"_s, tr("Enter, double-click"), tr("Show the rank in the timeline")});
    table.addGesture({u"workers"_s, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

QString WorkersScreen::words() const { return words_->text(); }

std::shared_ptr<const WorkersScreen::Contents>
WorkersScreen::prepared(const std::shared_ptr<const RunAnalysis>& analysis) {
    auto contents = std::make_shared<Contents>();
    contents->analysis = analysis;
    for (const Message& sentence : slowdown_sentences(*analysis))
        contents->sentences << nameText(messageText(sentence).toStdString());
    contents->dimensions = worker_dimensions(*analysis);
    const auto ranks = static_cast<std::uint32_t>(analysis->run().ranks.size());
    contents->ranks.resize(ranks);
    for (std::size_t v = 0; v < kWorkerValueCount; ++v) {
        bool known = false;
        for (std::uint32_t r = 0; r < ranks; ++r) {
            const auto value = worker_value(*analysis, static_cast<WorkerValue>(v), r);
            contents->ranks[r].values[v] = value;
            known = known || value;
        }
        if (known)
            contents->values.push_back(static_cast<WorkerValue>(v));
    }
    const Waiting& waiting = analysis->waiting();
    for (std::uint32_t r = 0; r < std::min<std::size_t>(ranks, waiting.ranks.size()); ++r) {
        const auto sum = [](const auto& times) {
            return static_cast<double>(std::accumulate(times.begin(), times.end(), TimeNs{0}));
        };
        contents->ranks[r].direct = sum(waiting.ranks[r].direct);
        contents->ranks[r].passed_on = sum(waiting.ranks[r].passed_on);
    }
    contents->waits = waiting.total > 0;
    return contents;
}

void WorkersScreen::setContents(std::shared_ptr<const Contents> contents) {
    contents_ = std::move(contents);
    if (contents_->values.empty() || contents_->ranks.size() < 2)
        return showMessage(contents_->values.empty() ? tr("Nothing is known of the workers")
                                                     : tr("There is one rank: nothing to compare it with"),
                           tr("Workers are compared by the GPU work of several ranks, or by the operations of a job. "
                              "Record every rank, each into a file of its own:\n\n"
                              "prof.export_chrome_trace(f\"my_run/rank{rank}.json.gz\")"));
    const StragglerSlowdown& slowdown = contents_->analysis->straggler_slowdown();
    words_->setText(contents_->sentences.isEmpty()
                        ? tr("Slowdown by stragglers: %1.").arg(messageText(slowdown.unavailable))
                        : contents_->sentences.join(u'\n'));
    value_->clear();
    for (const WorkerValue value : contents_->values)
        value_->addItem(workerValueTitle(value), static_cast<int>(value));
    const std::size_t count = contents_->dimensions.size();
    for (QComboBox* box : {rows_, columns_}) {
        box->clear();
        for (std::size_t d = 0; d < count; ++d)
            box->addItem(dimensionTitle(contents_->dimensions[d].dimension), static_cast<int>(d));
        box->setEnabled(count > 1);
    }
    rows_->setCurrentIndex(0); // the outermost: stages
    columns_->setCurrentIndex(count > 1 ? 1 : 0);

    const auto worker = [contents = contents_](int row) -> const Contents::Worker& {
        return contents->ranks[static_cast<std::size_t>(row)];
    };
    inBothLanguages([&] {
        std::vector<TableColumn> columns{
            {tr("Rank"), tr("Its number in the job"),
             [contents = contents_](int r) {
                 return QString::number(contents->analysis->run().ranks[static_cast<std::size_t>(r)]->rank);
             },
             [contents = contents_](int r) {
                 return static_cast<double>(contents->analysis->run().ranks[static_cast<std::size_t>(r)]->rank);
             }}};
        for (const WorkerValue value : contents_->values) {
            const auto v = static_cast<std::size_t>(value);
            columns.push_back(
                {shortTitle(value), workerValueTitle(value),
                 [=](int r) { return worker(r).values[v] ? workerValueText(value, *worker(r).values[v]) : u"–"_s; },
                 [=](int r) { return worker(r).values[v].value_or(-1); }});
        }
        if (contents_->waits) {
            // Of a rank that is not judged no value is known, nor what is charged to it.
            const auto charged = [=](int r, double Contents::Worker::*time) {
                const auto known = [](const std::optional<double>& value) { return value.has_value(); };
                return std::ranges::any_of(worker(r).values, known) ? timeText(static_cast<TimeNs>(worker(r).*time))
                                                                    : u"–"_s;
            };
            columns.push_back(
                {tr("Charged waits\nin all"),
                 tr("Waits for this rank that its recorded work explains, summed over the other ranks and the "
                    "recording. What nothing recorded explains, such as a late start, is left out"),
                 [=](int r) { return charged(r, &Contents::Worker::direct); },
                 [=](int r) { return worker(r).direct; }});
            const bool passes_on = std::ranges::any_of(
                contents_->ranks, [](double time) { return time != 0; }, &Contents::Worker::passed_on);
            if (passes_on) // else it is a column of zeros
                columns.push_back({tr("Passed on\nin all"),
                                   tr("Waits of other ranks for a rank that arrived last because it had waited for "
                                      "this one: summed over the ranks and the recording"),
                                   [=](int r) { return charged(r, &Contents::Worker::passed_on); },
                                   [=](int r) { return worker(r).passed_on; }});
        }
        model_->setContents(std::move(columns), static_cast<int>(contents_->ranks.size()));
    });
    table_->sortByColumn(1, Qt::DescendingOrder);
    QHeaderView& header = *table_->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    // The table takes what its columns need, the map the rest.
    split_->setSizes({1, header.length() + table_->verticalScrollBar()->sizeHint().width()});
    drawMap();
    showPage();
}

void WorkersScreen::drawMap() {
    if (!contents_ || contents_->values.empty())
        return;
    const auto dimension = [&](const QComboBox* box) {
        return contents_->dimensions[static_cast<std::size_t>(std::max(0, box->currentIndex()))];
    };
    WorkerDimension rows = dimension(rows_);
    const WorkerDimension columns = dimension(columns_);
    if (rows_->currentIndex() == columns_->currentIndex())
        rows = {ParallelDimension::unknown, 1};
    const auto value = static_cast<WorkerValue>(value_->currentData().toInt());
    map_->setMap(contents_->analysis,
                 std::make_shared<const WorkerMap>(worker_map(*contents_->analysis, value, rows, columns)));
}

void WorkersScreen::chooseRank(std::uint32_t rank) {
    for (int row = 0; row < order_->rowCount(); ++row)
        if (order_->sourceRow(order_->index(row, 0)) == static_cast<int>(rank)) {
            table_->setCurrentIndex(order_->index(row, 0));
            table_->scrollTo(order_->index(row, 0));
        }
}

void WorkersScreen::showInTimeline(std::uint32_t rank) {
    const RankTrace& trace = *contents_->analysis->run().ranks[rank];
    if (trace.events.size() > 0)
        Q_EMIT evidenceAsked(trace.rank, kNoEvent, trace.steps.empty() ? trace.span : trace.steps.front().range);
}

} // namespace rankscope
