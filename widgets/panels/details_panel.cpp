// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the selected event.
#include "widgets/panels/details_panel.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QTextBlock>
#include <QVBoxLayout>

#include "core/analysis/selection/kernel_class.h"
#include "core/input/load/load_run.h"
#include "core/remote/remote_run.h"
#include "widgets/charts/duration_histogram_view.h"
#include "widgets/language.h"
#include "widgets/panels/details_model.h"
#include "widgets/panels/name_statistics_pane.h"
#include "widgets/panels/peers_pane.h"
#include "widgets/panels/whole_table.h"
#include "widgets/plot_export.h"
#include "widgets/scrolled_page.h"

namespace rankscope {
namespace {

constexpr int kMostNameLines = 3;
constexpr int kAboveHeading = 8;

QPlainTextEdit* nameField(QWidget* parent) {
    auto* field = new QPlainTextEdit(parent);
    field->setReadOnly(true);
    field->setFrameShape(QFrame::NoFrame);
    field->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    field->setTabChangesFocus(true);
    field->setAccessibleName(DetailsPanel::tr("Name of the selected event"));
    field->viewport()->setAutoFillBackground(false);
    QFont bold = field->font();
    bold.setBold(true);
    field->setFont(bold);
    return field;
}

QTableView* detailsTable(QAbstractItemModel* model, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setObjectName(QStringLiteral("facts"));
    table->setModel(model);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(true);
    table->setTabKeyNavigation(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->horizontalHeader()->setVisible(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->verticalHeader()->setVisible(false);
    table->verticalHeader()->setMinimumSectionSize(1);
    table->setAccessibleName(DetailsPanel::tr("Details of the selected event"));
    return table;
}

} // namespace

DetailsPanel::DetailsPanel(ViewState* state, QWidget* parent)
    : Panel(parent), state_(state), model_(new DetailsModel(this)), hint_(new QLabel(this)), name_(nameField(this)),
      filter_(new QLineEdit(this)), table_(detailsTable(model_, this)), statistics_(new NameStatisticsPane),
      peers_(new PeersPane),
      read_([](const RankTrace& trace, EventIndex event) { return open_event_text(trace, event); }) {
    setAccessibleName(tr("Details"));
    markAsPlot(statistics_->histogram(), tr("Durations of this name"));
    layOut();
    table_->installEventFilter(this);
    addActions();
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        fitRows();
    });
    connect(peers_, &PeersPane::peerChosen, this, [this](const EventRef& event) {
        state_->select(event);
        Q_EMIT eventChosen(event, false);
    });
    connect(state_, &ViewState::selectionChanged, this, &DetailsPanel::showSelection);
    connect(state_, &ViewState::runChanged, this, &DetailsPanel::showSelection);
    showSelection();
}

void DetailsPanel::layOut() {
    hint_->setText(tr("Click a slice in the timeline to see its times, launch and arguments."));
    hint_->setWordWrap(true);
    hint_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    hint_->setMargin(8);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter the details"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(180);
    panes_ = new QSplitter(Qt::Horizontal);
    for (QWidget* pane :
         {static_cast<QWidget*>(table_), static_cast<QWidget*>(peers_), static_cast<QWidget*>(statistics_)})
        panes_->addWidget(pane);
    panes_->setSizes({245, 340, 400});
    panes_->setChildrenCollapsible(false);
    area_ = scrolled(panes_);
    for (QTableView* table : panes_->findChildren<QTableView*>())
        leaveScrollingTo(*area_, *table);
    selected_ = new QWidget;
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 2, 6, 0);
    head->addWidget(name_, 1);
    head->addWidget(filter_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(selected_);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(area_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(hint_);
    layout->addWidget(selected_, 1);
}

void DetailsPanel::addActions() {
    const auto add = [this](const QString& title, auto&& text) {
        auto* action = new QAction(title, table_);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(
            action, &QAction::triggered, this,
            [text] {
                if (const QString copied = text(); !copied.isEmpty())
                    QApplication::clipboard()->setText(copied);
            });
        table_->addAction(action);
        return action;
    };
    add(
        tr("&Copy rows"), [this] { return selectedText(); })
        ->setShortcut(QKeySequence::Copy);
    add(
        tr("Copy &value"),
        [this] {
            return table_->currentIndex().isValid()
                       ? model_->rows()[static_cast<std::size_t>(table_->currentIndex().row())].value
                       : QString();
        })
        ->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    add(tr("Copy &all"), [this] { return allText(); });
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

DetailsPanel::~DetailsPanel() = default;

void DetailsPanel::setTextReader(TextReader reader) {
    read_ = std::move(reader);
    showSelection();
}

void DetailsPanel::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    analysis_ = std::move(analysis);
    if (const auto selected = state_->selection())
        readStatistics(*selected);
}

void DetailsPanel::showSelection() {
    const std::optional<EventRef> selected = state_->selection();
    hint_->setVisible(!selected);
    selected_->setVisible(selected.has_value());
    jobs_.stop();
    if (!selected) {
        name_->clear();
        model_->setRows({});
        return;
    }
    const RankTrace& trace = *state_->trace(selected->rank);
    const std::string_view name = trace.event_name(selected->event);
    name_->setPlainText(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    model_->setRows(factsOf(*state_->run(), trace, selected->event, state_->classes()));
    readArguments(*selected);
    statistics_->setWaiting();
    readStatistics(*selected);
    fitRows();
    area_->verticalScrollBar()->setValue(0);
}

std::shared_ptr<const RankTrace> DetailsPanel::owner(const EventRef& event) const {
    const auto& ranks = state_->run()->ranks;
    return *std::find_if(ranks.begin(), ranks.end(), [&](const auto& rank) { return rank->rank == event.rank; });
}

void DetailsPanel::readArguments(const EventRef& event) {
    jobs_.run(
        {argumentsJob},
        [event, trace = owner(event), read = read_](const std::stop_token&) { return read(*trace, event.event); },
        [this](const Result<std::string>& text) { takeArguments(text); });
}

void DetailsPanel::readStatistics(const EventRef& event) {
    const auto trace = owner(event);
    const bool communicates =
        is_gpu_work(trace->events.kind[event.event]) &&
        (trace->collective_of(event.event) != nullptr ||
         state_->classes().class_of(trace->events.kind[event.event], trace->event_name(event.event)) ==
             KernelClass::communication);
    peers_->setVisible(communicates);
    // The analysis of a run that is still loading knows other ranks.
    const auto analysis = analysis_ && analysis_->run_pointer() == state_->run() ? analysis_ : nullptr;
    if (communicates)
        peers_->setMessage(analysis ? tr("Looking for the other ranks' calls…")
                                    : tr("The other ranks' calls appear when the run has been read and added up."));
    jobs_.run(
        {statisticsJob},
        [event, trace, analysis, communicates, run = state_->run()](const std::stop_token&) {
            auto peers = communicates && analysis ? collective_peers(*analysis, event.rank, event.event) : std::nullopt;
            return std::pair(std::move(peers), name_statistics(*run, *trace, event.event));
        },
        [this, event, asksPeers = communicates && analysis](const auto& found) {
            statistics_->setStatistics(found.second);
            if (asksPeers)
                takePeers(event, found.first);
        });
}

void DetailsPanel::takePeers(const EventRef& event, const std::optional<CollectivePeers>& peers) {
    if (peers)
        peers_->setPeers(*peers, event.rank);
    else
        peers_->setMessage(tr("This call was found on no other rank."));
}

void DetailsPanel::takeArguments(const Result<std::string>& text) {
    if (text)
        model_->append(argumentsOf(*text));
    else
        model_->append({{tr("Arguments"), {}, true}, {tr("Not read"), messageText(text.error().message), false}});
    fitRows();
}

void DetailsPanel::fitRows() {
    const QFontMetrics metrics(table_->font());
    int widest = 0;
    table_->clearSpans();
    for (std::size_t i = 0; i < model_->rows().size(); ++i) {
        const DetailRow& row = model_->rows()[i];
        if (row.heading)
            table_->setSpan(static_cast<int>(i), 0, 1, 2);
        else
            widest = std::max(widest, metrics.horizontalAdvance(row.key));
    }
    table_->setColumnWidth(0, std::min(widest + 14, std::max(80, table_->width() * 45 / 100)));
    table_->resizeRowsToContents();
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->rows()[static_cast<std::size_t>(row)].heading)
            table_->setRowHeight(row, table_->rowHeight(row) + kAboveHeading);
    table_->setMinimumHeight(wholeHeight(*table_));
    const QFontMetrics bold(name_->font());
    const int wrapped = std::max(1, name_->document()->firstBlock().layout()->lineCount());
    name_->setFixedHeight(std::min(wrapped, kMostNameLines) * bold.lineSpacing() +
                          2 * static_cast<int>(name_->document()->documentMargin()) + 2);
}

QString DetailsPanel::textOf(const std::vector<DetailRow>& rows) const {
    QStringList lines;
    for (const DetailRow& row : rows)
        lines << (row.heading ? row.key : QString(row.key + QLatin1Char('\t') + row.value));
    return lines.join(QLatin1Char('\n'));
}

QString DetailsPanel::selectedText() const {
    std::vector<DetailRow> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        rows.push_back(model_->rows()[static_cast<std::size_t>(index.row())]);
    return textOf(rows);
}

QString DetailsPanel::allText() const { return textOf(model_->rows()); }

void DetailsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitRows();
}

// The table gets its width after the panel, and another one when a pane beside it comes or goes.
bool DetailsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize)
        fitRows();
    return QWidget::eventFilter(watched, event);
}

} // namespace rankscope
