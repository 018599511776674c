// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the selected event.
#include "widgets/panels/details_panel.h"

#include <algorithm>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTextBlock>
#include <QVBoxLayout>

#include "core/input/load_run.h"
#include "widgets/panels/details_model.h"

namespace rankscope {
namespace {

constexpr int kMostNameLines = 5;
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
    table->setModel(model);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(true);
    table->setTabKeyNavigation(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
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
    : QWidget(parent), state_(state), model_(new DetailsModel(this)), hint_(new QLabel(this)), name_(nameField(this)),
      table_(detailsTable(model_, this)), read_(&read_event_text) {
    setAccessibleName(tr("Details"));
    hint_->setText(tr("Click a slice in the timeline to see its times, launch and arguments."));
    hint_->setWordWrap(true);
    hint_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    hint_->setMargin(8);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(hint_);
    column->addWidget(name_);
    column->addWidget(table_, 1);
    column->addStretch(0);

    auto* copy = new QAction(tr("Copy"), table_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(copy);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &DetailsPanel::copyRows);
    connect(state_, &ViewState::selectionChanged, this, &DetailsPanel::showSelection);
    connect(state_, &ViewState::runChanged, this, &DetailsPanel::showSelection);
    showSelection();
}

DetailsPanel::~DetailsPanel() = default;

void DetailsPanel::setTextReader(TextReader reader) {
    read_ = std::move(reader);
    showSelection();
}

void DetailsPanel::showSelection() {
    const std::optional<EventRef> selected = state_->selection();
    hint_->setVisible(!selected);
    name_->setVisible(selected.has_value());
    table_->setVisible(selected.has_value());
    ++asked_;
    queue_.dropWaiting();
    if (!selected) {
        name_->clear();
        model_->setRows({});
        return;
    }
    const RankTrace& trace = *state_->trace(selected->rank);
    const std::string_view name = trace.event_name(selected->event);
    name_->setPlainText(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    model_->setRows(factsOf(*state_->run(), trace, selected->event));
    readArguments(*selected);
    fitRows();
}

void DetailsPanel::readArguments(const EventRef& event) {
    const auto& ranks = state_->run()->ranks;
    const auto owner = std::find_if(ranks.begin(), ranks.end(), [&](const auto& rank) { return rank->rank == event.rank; });
    queue_.add([this, event, number = asked_, trace = *owner, read = read_] {
        const auto answer = [this, number, text = read(*trace, event.event)] {
            if (number == asked_)
                takeArguments(text);
        };
        QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
    });
}

void DetailsPanel::takeArguments(const Result<std::string>& text) {
    if (text)
        model_->append(argumentsOf(*text));
    else
        model_->append({{tr("Arguments"), {}, true}, {tr("Not read"), QString::fromStdString(text.error().message), false}});
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
    table_->setColumnWidth(0, std::min(widest + 14, std::max(80, width() * 45 / 100)));
    table_->resizeRowsToContents();
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->rows()[static_cast<std::size_t>(row)].heading)
            table_->setRowHeight(row, table_->rowHeight(row) + kAboveHeading);
    const QFontMetrics bold(name_->font());
    const int wrapped = std::max(1, static_cast<int>(name_->document()->firstBlock().layout()->lineCount()));
    name_->setFixedHeight(std::min(wrapped, kMostNameLines) * bold.lineSpacing() + 2 * static_cast<int>(name_->document()->documentMargin()) + 2);
}

QString DetailsPanel::selectedText() const {
    QStringList lines;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
        const DetailRow& row = model_->rows()[static_cast<std::size_t>(index.row())];
        lines << (row.heading ? row.key : QString(row.key + QLatin1Char('\t') + row.value));
    }
    return lines.join(QLatin1Char('\n'));
}

void DetailsPanel::copyRows() {
    if (const QString text = selectedText(); !text.isEmpty())
        QApplication::clipboard()->setText(text);
}

void DetailsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitRows();
}

void DetailsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitRows();
}

} // namespace rankscope
