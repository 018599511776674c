// SPDX-License-Identifier: GPL-3.0-or-later
// The Collectives screen.
#include "widgets/screens/collectives_screen.h"

#include <algorithm>
#include <ranges>

#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/command_table.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/bandwidth_plot.h"
#include "widgets/screens/call_filter_bar.h"
#include "widgets/screens/collective_call_model.h"
#include "widgets/screens/delay_plot.h"
#include "widgets/screens/lag_map_view.h"

namespace rankscope {

namespace {
constexpr int kMeasuredRows = 300; ///< for the widths of columns; there may be a million
}

using namespace Qt::Literals::StringLiterals;

/// What is shown of the calls that the filter lets through.
struct CollectivesScreen::Contents {
    CallFilter filter;
    std::shared_ptr<const std::vector<std::uint32_t>> shown;
    std::shared_ptr<const std::vector<std::uint32_t>> order;
    std::shared_ptr<const LagMap> map;
    DelayChart delays;
    std::vector<BandwidthPoint> bandwidth;
    std::vector<BandwidthCurve> links;
};

CollectivesScreen::CollectivesScreen(QWidget* parent)
    : AnalysisScreen(parent), filter_(new CallFilterBar), map_(new LagMapView), delays_(new DelayPlot),
      bandwidth_(new BandwidthPlot), model_(new CollectiveCallModel(this)), table_(new QTableView) {
    buildTable();
    auto* charts = new QSplitter(Qt::Horizontal);
    charts->addWidget(delays_);
    charts->addWidget(bandwidth_);
    charts->setSizes({500, 500});
    charts->setHandleWidth(16);
    auto* parts = new QSplitter(Qt::Vertical);
    for (QWidget* part : {static_cast<QWidget*>(map_), static_cast<QWidget*>(charts), static_cast<QWidget*>(table_)}) {
        parts->addWidget(part);
        parts->setCollapsible(parts->count() - 1, true);
    }
    parts->setSizes({230, 200, 210});
    parts->setHandleWidth(10);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 2, 18, 10);
    layout->setSpacing(8);
    layout->addWidget(filter_);
    layout->addWidget(parts, 1);
    setPage(page);
    connectParts();
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token& stop) -> Show {
        auto calls = std::make_shared<const CollectiveCalls>(list_collective_calls(analysed->analysis, stop));
        static_cast<void>(analysed->analysis->stragglers());
        return [this, calls] { setCalls(calls); };
    });
}

void CollectivesScreen::connectParts() {
    connect(filter_, &CallFilterBar::filterChanged, this, &CollectivesScreen::takeFilter);
    connect(
        map_, &LagMapView::callMarked, this, [this](std::uint32_t call) { setCurrentCall(call); });
    connect(
        map_, &LagMapView::callActivated, this, [this](std::uint32_t call, int rank) { showCall(call, rank); });
    connect(
        bandwidth_, &BandwidthPlot::callMarked, this, [this](std::uint32_t call) { setCurrentCall(call); });
    connect(
        table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& row) {
            if (row.isValid())
                setCurrentCall(model_->call(row.row()));
        });
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { showCall(model_->call(index.row())); });
    connect(model_, &CollectiveCallModel::orderWanted, this, [this](CallColumn column, bool descending) {
        sortColumn_ = column;
        descending_ = descending;
        takeOrder();
    });
}

void CollectivesScreen::useCommands(CommandTable& table) {
    const QString place = u"collectives"_s;
    table.addPlace({place, tr("Collectives"), this});
    table.addGesture({place, tr("Click on the map"), tr("Show the call in the timeline, with all its ranks")});
    table.addGesture({place, tr("Ctrl+wheel, W / S"), tr("Zoom the map")});
    table.addGesture({place, tr("Wheel, drag, A / D"), tr("Move along the map")});
    table.addGesture({place, tr("0"), tr("All calls in the map")});
    table.addGesture({place, tr("Arrows"), tr("Go from call to call and rank to rank in the map")});
    table.addGesture({place, tr("Enter, double-click"), tr("Show the marked call in the timeline")});
    table.addGesture({place, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void CollectivesScreen::buildTable() {
    table_->setModel(model_);
    prepareTable(*table_, tr("Collective calls"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(0, Qt::AscendingOrder);
    auto* header = table_->horizontalHeader();
    header->setMinimumSectionSize(36);
    const QFontMetrics metrics(table_->font());
    for (const auto& [column, sample] : {std::pair(CallColumn::number, u"123456"_s),
                                         {CallColumn::start, u"Start (ms)"_s},
                                         {CallColumn::bytes, u"16.8 MB"_s},
                                         {CallColumn::busbw, u"Bus GB/s"_s},
                                         {CallColumn::duration, u"Transfer (µs)"_s},
                                         {CallColumn::lag, u"Lag (ms)"_s},
                                         {CallColumn::last_rank, u"Last rank"_s},
                                         {CallColumn::ranks, u"Rank"_s}})
        table_->setColumnWidth(static_cast<int>(column), metrics.horizontalAdvance(sample) + 10);
    header->setResizeContentsPrecision(kMeasuredRows);
    for (const CallColumn column : {CallColumn::kind, CallColumn::dimension, CallColumn::dtype})
        header->setSectionResizeMode(static_cast<int>(column), QHeaderView::ResizeToContents);
    // Who was late, and why, is in view in a narrow window too.
    int place = header->visualIndex(static_cast<int>(CallColumn::word)) + 1;
    for (const CallColumn column : {CallColumn::lag, CallColumn::last_rank, CallColumn::origin, CallColumn::group})
        header->moveSection(header->visualIndex(static_cast<int>(column)), place++);
}

/// Names take what is left, but never less than they need to be told apart.
void CollectivesScreen::fitColumns() {
    auto* header = table_->horizontalHeader();
    const QAbstractItemView& cells = *table_;
    const QFontMetrics metrics(table_->font());
    const auto wanted = [&](CallColumn column, const QString& widest) {
        const int section = static_cast<int>(column);
        return std::min(std::max(cells.sizeHintForColumn(section), header->sectionSizeHint(section)),
                        metrics.horizontalAdvance(widest) + 10);
    };
    for (const CallColumn column : {CallColumn::group, CallColumn::origin})
        header->resizeSection(static_cast<int>(column), wanted(column, u"rank 100, data loading"_s));
    const int names = static_cast<int>(CallColumn::word);
    const int least = wanted(CallColumn::word, u"all_gather_into_tensor"_s);
    const int width = table_->width() - table_->verticalScrollBar()->sizeHint().width();
    const bool fits = header->length() - header->sectionSize(names) + least <= width;
    header->setSectionResizeMode(names, fits ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (!fits)
        header->resizeSection(names, least);
}

void CollectivesScreen::resizeEvent(QResizeEvent* event) {
    AnalysisScreen::resizeEvent(event);
    if (calls_)
        fitColumns();
}

void CollectivesScreen::setCalls(std::shared_ptr<const CollectiveCalls> calls) {
    calls_ = std::move(calls);
    current_.reset();
    if (calls_->size() == 0)
        return showMessage(tr("No collective calls"),
                           tr("No communication kernel was matched between two ranks, and none belongs to a group "
                              "with one traced rank. Record every rank, each into a file of its own, with CPU and GPU "
                              "activity, which has the arguments of the calls:\n\n"
                              "torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])\n\n"
                              "prof.export_chrome_trace(f\"my_run/rank{rank}.json.gz\")"));
    filter_->setCalls(*calls_);
    const auto says = [&](CallColumn column, auto differs) { // else the same stands in all rows, and takes room
        table_->setColumnHidden(static_cast<int>(column),
                                std::ranges::none_of(std::views::iota(std::size_t{0}, calls_->size()), differs));
    };
    says(
        CallColumn::dimension,
        [&](std::size_t call) { return calls_->calls[call].dimension != ParallelDimension::unknown; });
    says(CallColumn::ranks, [&, all = calls_->analysis->run().ranks.size()](std::size_t call) {
        return calls_->timing(call).members.size() != all;
    });
    takeFilter();
}

void CollectivesScreen::takeFilter() {
    if (!calls_)
        return;
    compute([this, calls = calls_, filter = filter_->filter(), column = sortColumn_,
             descending = descending_](const std::stop_token& stop) -> Show {
        auto contents = std::make_shared<Contents>();
        contents->filter = filter;
        contents->shown = std::make_shared<const std::vector<std::uint32_t>>(filter_calls(*calls, filter, stop));
        std::vector<std::uint32_t> order = *contents->shown;
        if (column != CallColumn::number || descending)
            sort_calls(*calls, order, column, descending);
        contents->order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
        if (!stop.stop_requested())
            contents->map = std::make_shared<const LagMap>(build_lag_map(calls, *contents->shown, stop));
        contents->delays = chart_delays(*calls, *contents->shown, stop);
        contents->bandwidth = chart_bandwidth(*calls, *contents->shown, stop);
        contents->links = chart_links(*calls, *contents->shown);
        return [this, contents] { take(*contents); };
    });
}

void CollectivesScreen::takeOrder() {
    // While a filter is being applied, that takes the order along.
    if (!calls_ || !shown_ || !isReady())
        return takeFilter();
    compute([this, calls = calls_, shown = shown_, column = sortColumn_,
             descending = descending_](const std::stop_token&) -> Show {
        std::vector<std::uint32_t> order = *shown;
        sort_calls(*calls, order, column, descending);
        return
            [this, sorted = std::make_shared<const std::vector<std::uint32_t>>(std::move(order))] { setOrder(sorted); };
    });
}

void CollectivesScreen::take(const Contents& contents) {
    shown_ = contents.shown;
    map_->setMap(contents.map);
    map_->setVisible(contents.map->columns > 0); // with one rank of a group nobody is waited for
    delays_->setVisible(contents.delays.calls > 0);
    delays_->setChart(contents.delays);
    bandwidth_->setChart(calls_, contents.bandwidth, network_limits(calls_->analysis->run().config), contents.links);
    std::size_t kernels = 0;
    for (const std::uint32_t call : *shown_)
        kernels += calls_->timing(call).members.size();
    filter_->setCount(shown_->size(), calls_->size(), kernels);
    setOrder(contents.order);
    showPage();
    fitColumns();
}

void CollectivesScreen::setOrder(std::shared_ptr<const std::vector<std::uint32_t>> order) {
    const auto call = current_;
    model_->setCalls(calls_, std::move(order));
    current_.reset();
    setCurrentCall(call && model_->rowOf(*call) >= 0 ? call : std::nullopt);
}

void CollectivesScreen::setCurrentCall(std::optional<std::uint32_t> call) {
    if (call == current_ && call)
        return;
    current_ = call;
    map_->setCurrentCall(call);
    bandwidth_->setCurrentCall(call);
    const int row = call ? model_->rowOf(*call) : -1;
    if (row < 0)
        table_->clearSelection();
    else if (row != table_->currentIndex().row() || !table_->selectionModel()->isRowSelected(row, {}))
        table_->setCurrentIndex(model_->index(row, 0));
}

void CollectivesScreen::showCall(std::uint32_t call, std::optional<int> rank) {
    const CollectiveTiming& timing = calls_->timing(call);
    const Run& run = calls_->analysis->run();
    const auto member = std::ranges::find_if(timing.members, [&](const TimedMember& m) {
        return rank ? run.ranks[m.rank]->rank == *rank : m.rank == timing.last_rank;
    });
    if (member != timing.members.end())
        Q_EMIT eventActivated(run.ranks[member->rank]->rank, calls_->analysis->collectives().call(*member).event);
}

} // namespace rankscope
