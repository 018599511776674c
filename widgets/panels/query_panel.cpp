// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/query_panel.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/query/event_scan.h"
#include "core/query/query_examples.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/command_table.h"
#include "widgets/custom_plot.h"
#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kMostOfHistory = 30;
constexpr int kMostPlotted = 20'000; ///< points

QString utf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QToolButton* menuButton(const QString& title, QMenu* menu) {
    auto* button = new QToolButton;
    button->setText(title);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
}

} // namespace

QueryPanel::QueryPanel(ViewState* state, QWidget* parent)
    : Panel(parent), state_(state), model_(new QueryTableModel(this)), editor_(new SqlEditor),
      run_(new QPushButton(tr("&Run"))), stop_(new QPushButton(tr("&Stop"))), mark_(new QToolButton),
      examples_(new QMenu(this)), history_(new QMenu(this)), plotSwitch_(new QCheckBox(tr("&Plot"))),
      across_(new QComboBox), up_(new QComboBox), status_(new QLabel), table_(buildTable()), plot_(new QCustomPlot) {
    setAccessibleName(tr("Query"));
    setFocusProxy(editor_);
    editor_->setAccessibleName(tr("SQL"));
    editor_->setPlaceholderText(
        tr("select name, count(*), sum(dur_ns) from kernel group by name order by 3 desc   (Ctrl+Enter runs it)"));
    run_->setToolTip(tr("Run the query (Ctrl+Enter)"));
    examplesButton_ = menuButton(tr("Examples"), examples_);
    historyButton_ = menuButton(tr("History"), history_);
    mark_->setText(tr("Mark"));
    mark_->setToolTip(
        tr("Mark the events of all rows on the timeline, as search hits are; needs a column id or event_id"));
    plotSwitch_->setToolTip(tr("Plot one column over another"));
    across_->setAccessibleName(tr("Column across"));
    up_->setAccessibleName(tr("Column up"));
    for (QComboBox* box : {across_, up_})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    status_->setTextFormat(Qt::PlainText);
    status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    status_->setAccessibleName(tr("Result"));
    plot_->setAccessibleName(tr("Query plot"));
    plot_->addGraph();
    plot_->graph()->setLineStyle(QCPGraph::lsNone);
    themePlot(*plot_, palette());

    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (QWidget* widget : std::initializer_list<QWidget*>{run_, stop_, examplesButton_, historyButton_, mark_,
                                                           plotSwitch_, across_, up_})
        row->addWidget(widget);
    row->addWidget(status_, 1);
    auto* results = new QSplitter(Qt::Horizontal);
    results->addWidget(table_);
    results->addWidget(plot_);
    results->setChildrenCollapsible(false);
    auto* above = new QWidget;
    auto* column = new QVBoxLayout(above);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(editor_, 1);
    column->addLayout(row);
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(above);
    split->addWidget(results);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->addWidget(split);
    editor_->setMinimumHeight(editor_->fontMetrics().height() * 2);

    fillExamples();
    connect(run_, &QPushButton::clicked, this, &QueryPanel::runQuery);
    connect(stop_, &QPushButton::clicked, this, &QueryPanel::stopQuery);
    connect(editor_, &SqlEditor::runWanted, this, &QueryPanel::runQuery);
    connect(mark_, &QToolButton::clicked, this, &QueryPanel::markRows);
    connect(plotSwitch_, &QCheckBox::toggled, this, &QueryPanel::drawPlot);
    for (QComboBox* box : {across_, up_})
        connect(box, &QComboBox::currentIndexChanged, this, &QueryPanel::drawPlot);
    offerColumns();
    showButtons();
}

QueryPanel::~QueryPanel() = default;

QTableView* QueryPanel::buildTable() {
    auto* table = new QTableView;
    table->setModel(model_);
    prepareTable(*table, tr("Query result"));
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table->setSortingEnabled(true);
    connect(
        table, &QTableView::clicked, this, [this](const QModelIndex& index) { choose(index.row(), false); });
    connect(table, &QTableView::activated, this, [this](const QModelIndex& index) { choose(index.row(), true); });
    return table;
}

void QueryPanel::fillExamples() {
    for (const QueryExample& example : query_examples())
        if (!example.two_runs)
            connect(
                examples_->addAction(coreText(example.question)), &QAction::triggered, this,
                [this, sql = utf8(example.sql)] {
                    editor_->setPlainText(sql);
                    runQuery();
                });
}

void QueryPanel::remember(const QString& sql) {
    asked_.removeAll(sql);
    asked_.prepend(sql);
    asked_ = asked_.mid(0, kMostOfHistory);
    history_->clear();
    for (const QString& one : asked_) {
        constexpr int kShown = 80;
        QString title = one.simplified();
        if (title.size() > kShown)
            title = title.left(kShown) + u'…';
        QAction* action = history_->addAction(title.replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, one] { editor_->setPlainText(one); });
    }
    showButtons();
}

int QueryPanel::usefulHeight() const {
    constexpr int kRows = 10;
    return minimumSizeHint().height() + kRows * table_->verticalHeader()->defaultSectionSize();
}

void QueryPanel::useCommands(CommandTable& table) {
    Command command{u"query"_s,
                    tr("&Timeline"),
                    tr("S&QL query…"),
                    {},
                    tr("Ask for events, kernels, collectives, steps and metrics in SQL"),
                    [this] {
                        Q_EMIT wantedOnScreen();
                        editor_->setFocus(Qt::ShortcutFocusReason);
                    }};
    command.shortcuts << QKeySequence(u"Ctrl+Shift+L"_s);
    command.enabled = [this] { return state_->run() != nullptr; };
    table.add(std::move(command));
}

void QueryPanel::takeAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    const bool same = tables_ && analysis && tables_->runs().front().analysis == analysis;
    if (same)
        return;
    jobs_.stop();
    tables_.reset();
    if (analysis) {
        const std::string name = analysis->run().name;
        const Notices notices = analysis->run().notices;
        tables_ =
            std::make_shared<const QueryModel>(std::vector<QueryRun>{{name, "run", std::move(analysis), notices}});
    }
    take({});
}

void QueryPanel::showQuery(const QString& sql) {
    Q_EMIT wantedOnScreen();
    editor_->setPlainText(sql);
    runQuery();
}

void QueryPanel::runQuery() {
    const QString sql = editor_->toPlainText();
    if (sql.trimmed().isEmpty() || !tables_)
        return;
    remember(sql);
    say(tr("Running…"), false);
    jobs_.run(
        {},
        [tables = tables_, text = sql.toStdString()](const std::stop_token& stop) {
            const auto start = std::chrono::steady_clock::now();
            auto database = QueryDatabase::open(tables);
            if (!database)
                return Answer{nullptr, messageText(database.error().message)};
            auto result = run_query(*database, text, kMostRows, stop);
            if (!result) {
                Message problem = result.error().message.first_clause();
                if (problem != result.error().message) // the second clause names an option
                    problem += tr("; Ctrl+Space lists tables and columns").toStdString();
                return Answer{nullptr, messageText(problem)};
            }
            const auto time = std::chrono::steady_clock::now() - start;
            const auto count = static_cast<qint64>(result->rows.size());
            QString message =
                count == 1 ? tr("1 row")
                           : tr("%1 rows", nullptr, plural(static_cast<std::int64_t>(count))).arg(groupedNumber(count));
            if (result->cut)
                message = tr("the first %1 rows", nullptr, plural(static_cast<std::int64_t>(count)))
                              .arg(groupedNumber(count));
            return Answer{std::make_shared<const QueryResult>(std::move(*result)),
                          tr("%1 in %2").arg(message, durationText(std::chrono::nanoseconds(time).count()))};
        },
        [this](const Answer& answer) { take(answer); },
        [this](const QString& reason) {
            take({nullptr, reason});
        });
    showButtons();
}

void QueryPanel::stopQuery() {
    jobs_.stop();
    say(tr("Stopped."), false);
    if (stop_->hasFocus())
        editor_->setFocus(); // a button that is disabled gives it to the next one
    showButtons();
}

QString QueryPanel::status() const { return status_->text(); }

void QueryPanel::take(const Answer& answer) {
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    model_->setResult(answer.result);
    if (answer.result) {
        constexpr int kRowsToFit = 100;
        table_->horizontalHeader()->setResizeContentsPrecision(kRowsToFit);
        table_->resizeColumnsToContents();
        const int most = table_->fontMetrics().averageCharWidth() * 60;
        for (int column = 0; column < model_->columnCount(); ++column)
            table_->setColumnWidth(column, std::min(table_->columnWidth(column) + 12, most));
    }
    say(answer.message, answer.result == nullptr && !answer.message.isEmpty());
    offerColumns();
    showButtons();
}

void QueryPanel::say(const QString& text, bool isError) {
    QPalette colours = palette();
    if (isError)
        colours.setColor(QPalette::WindowText, hue(Hue::bad, isDark(colours)));
    status_->setPalette(colours);
    status_->setText(text);
    status_->setToolTip(toolTipText(text));
}

void QueryPanel::showButtons() {
    const bool busy = jobs_.isBusy();
    run_->setEnabled(tables_ != nullptr && !busy);
    stop_->setEnabled(busy);
    examplesButton_->setEnabled(tables_ != nullptr);
    historyButton_->setEnabled(!asked_.isEmpty());
    mark_->setEnabled(model_->rowCount() > 0 && (model_->column("id") || model_->column("event_id")));
}

std::optional<EventRef> QueryPanel::eventOfRow(int row) const {
    if (!tables_ || row < 0 || row >= model_->rowCount())
        return {};
    const auto number = [&](std::string_view name) -> std::optional<std::int64_t> {
        const auto column = model_->column(name);
        return column ? model_->integer(row, *column) : std::nullopt;
    };
    for (const std::string_view name : {"id", "event_id"})
        if (const auto id = number(name))
            if (const auto rank = tables_->rank_of_id(*id)) {
                const QueryRank& place = tables_->ranks()[*rank];
                return EventRef{place.trace->rank, static_cast<EventIndex>(*id - place.first_id)};
            }
    const auto rank = number("rank");
    const auto start = number("start_ns");
    if (!rank || !start)
        return {};
    EventFilter filter;
    filter.rank = {*rank, *rank};
    filter.start = {*start, *start};
    const auto first = [&](const EventScan& scan) {
        return scan.at_end() ? std::nullopt : std::optional(EventRef{scan.trace().rank, scan.event()});
    };
    if (const auto exact = first(EventScan(*tables_, filter)))
        return exact;
    filter.start = {std::numeric_limits<std::int64_t>::min(), *start};
    return first(EventScan(*tables_, filter, EventOrder::time_descending));
}

void QueryPanel::choose(int row, bool zoom) {
    if (const auto event = eventOfRow(row)) {
        state_->select(event);
        Q_EMIT eventChosen(*event, zoom);
    }
}

void QueryPanel::markRows() {
    auto hits = std::make_shared<SearchHits>();
    hits->ranks.resize(tables_ ? tables_->ranks().size() : 0); // of one run, as Run::ranks
    for (int row = 0; row < model_->rowCount(); ++row)
        if (const auto event = eventOfRow(row))
            for (std::size_t r = 0; r < hits->ranks.size(); ++r)
                if (tables_->ranks()[r].trace->rank == event->rank)
                    hits->ranks[r].push_back(event->event);
    hits->before.push_back(0);
    for (std::size_t r = 0; r < hits->ranks.size(); ++r) {
        auto& events = hits->ranks[r];
        std::ranges::sort(events);
        events.erase(std::ranges::unique(events).begin(), events.end());
        for (const EventIndex event : events)
            hits->time += tables_->ranks()[r].trace->events.duration[event];
        hits->count += events.size();
        hits->before.push_back(hits->count);
    }
    const auto count = static_cast<qint64>(hits->count);
    state_->setSearchHits(hits);
    say(count == 1
            ? tr("1 event marked")
            : tr("%1 events marked", nullptr, plural(static_cast<std::int64_t>(count))).arg(groupedNumber(count)),
        false);
}

void QueryPanel::offerColumns() {
    const QString across = across_->currentText();
    const QString up = up_->currentText();
    QStringList numeric;
    for (int column = 0; column < model_->columnCount(); ++column)
        if (model_->isNumeric(column))
            numeric << model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (QComboBox* box : {across_, up_}) {
        const QSignalBlocker quiet(box);
        box->clear();
        box->addItems(numeric);
    }
    const QSignalBlocker quietAcross(across_);
    const QSignalBlocker quietUp(up_);
    across_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, numeric.indexOf(across))));
    const qsizetype wanted = numeric.indexOf(up);
    up_->setCurrentIndex(static_cast<int>(wanted >= 0 ? wanted : std::min<qsizetype>(1, numeric.size() - 1)));
    plotSwitch_->setEnabled(!numeric.isEmpty());
    drawPlot();
}

void QueryPanel::drawPlot() {
    const bool shown = plotSwitch_->isChecked() && plotSwitch_->isEnabled();
    for (QWidget* widget : std::initializer_list<QWidget*>{plot_, across_, up_})
        widget->setVisible(shown);
    if (!shown)
        return;
    const auto across = model_->column(across_->currentText().toStdString());
    const auto up = model_->column(up_->currentText().toStdString());
    QVector<double> x;
    QVector<double> y;
    const int step = std::max(1, model_->rowCount() / kMostPlotted);
    for (int row = 0; across && up && row < model_->rowCount(); row += step) {
        const auto left = model_->number(row, *across);
        const auto right = model_->number(row, *up);
        if (left && right) {
            x << *left;
            y << *right;
        }
    }
    constexpr double kPoint = 5; // pixels
    const QColor colour = hue(Hue::compute, isDark(palette()));
    plot_->graph()->setData(x, y);
    plot_->graph()->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, kPoint));
    plot_->xAxis->setLabel(across_->currentText());
    plot_->yAxis->setLabel(up_->currentText());
    themePlot(*plot_, palette());
    plot_->rescaleAxes();
    constexpr double kRoom = 1.1;
    plot_->xAxis->scaleRange(kRoom);
    plot_->yAxis->scaleRange(kRoom);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void QueryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        drawPlot();
    Panel::changeEvent(event);
}

} // namespace rankscope
