// SPDX-License-Identifier: GPL-3.0-or-later
// Search: the box, what it found, and going from hit to hit.
#include "widgets/panels/search_panel.h"

#include <algorithm>
#include <functional>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

SearchPanel::SearchPanel(ViewState* state, QWidget* parent)
    : Panel(parent), state_(state), model_(new HitsModel(this)), box_(new QLineEdit), status_(new QLabel),
      previous_(new QToolButton), next_(new QToolButton), table_(buildTable()) {
    setAccessibleName(tr("Search"));
    box_->setPlaceholderText(
        tr("word  /regular expression/  class:communication  dur>1ms  rank:0-3  arg:group=…  -not"));
    box_->setClearButtonEnabled(true);
    box_->setAccessibleName(tr("Search events"));
    box_->setToolTip(tr("Words and /expressions/ in names; class: kind: rank: lane: stream: dur> arg:key=value; - "
                        "before a term means not"));
    box_->installEventFilter(this);
    status_->setTextFormat(Qt::PlainText);
    status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    status_->setAccessibleName(tr("Found"));
    previous_->setArrowType(Qt::UpArrow);
    previous_->setAccessibleName(tr("Previous hit"));
    previous_->setToolTip(tr("Previous hit (Shift+Enter)"));
    next_->setArrowType(Qt::DownArrow);
    next_->setAccessibleName(tr("Next hit"));
    next_->setToolTip(tr("Next hit (Enter)"));
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(box_, 3);
    row->addWidget(previous_);
    row->addWidget(next_);
    row->addWidget(status_, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(table_, 1);
    setFocusProxy(box_);

    delay_.setSingleShot(true);
    delay_.setInterval(30);
    connect(&delay_, &QTimer::timeout, this, &SearchPanel::ask);
    connect(box_, &QLineEdit::textChanged, this, &SearchPanel::changed);
    connect(
        previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(+1); });
    connect(state_, &ViewState::runChanged, this, &SearchPanel::takeRun);
    connect(state_, &ViewState::searchHitsChanged, this, &SearchPanel::commandsChanged);
    takeRun();
}

SearchPanel::~SearchPanel() = default;

QTableView* SearchPanel::buildTable() {
    auto* table = new QTableView;
    table->setModel(model_);
    prepareTable(*table, tr("Hits"));
    QHeaderView* header = table->horizontalHeader();
    header->setSectionResizeMode(HitsModel::nameColumn, QHeaderView::Stretch);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(false);
    const QFontMetrics metrics = table->fontMetrics();
    table->setColumnWidth(HitsModel::kindColumn, metrics.horizontalAdvance(u"annotation on the GPU"_s) + 16);
    table->setColumnWidth(HitsModel::rankColumn, metrics.horizontalAdvance(u"Rank000"_s) + 12);
    table->setColumnWidth(HitsModel::laneColumn, metrics.horizontalAdvance(u"thread 12345 (pt_autograd)"_s));
    for (const int column : {HitsModel::startColumn, HitsModel::durationColumn})
        table->setColumnWidth(column, metrics.horizontalAdvance(u"12345678.123"_s) + 20);
    connect(header, &QHeaderView::sectionClicked, this, &SearchPanel::sortBy);
    connect(
        table, &QTableView::clicked, this,
        [this](const QModelIndex& index) { choose(static_cast<std::size_t>(index.row()), false); });
    connect(table, &QTableView::activated, this,
            [this](const QModelIndex& index) { choose(static_cast<std::size_t>(index.row()), true); });
    return table;
}

void SearchPanel::useCommands(CommandTable& table) {
    const auto add = [&](const QString& id, const QString& title, const QStringList& keys, const QString& help,
                         std::function<void()> run, std::function<bool()> enabled) {
        Command command{id, tr("&Timeline") + u'/' + tr("&Search"), title, {}, help, std::move(run)};
        for (const QString& key : keys)
            command.shortcuts << QKeySequence(key);
        command.enabled = std::move(enabled);
        table.add(std::move(command));
    };
    const auto hasHits = [this] { return state_->searchHits() && state_->searchHits()->count > 0; };
    add(
        u"find"_s, tr("&Find…"), {u"Ctrl+F"_s, u"/"_s}, tr("Search events by name, class, duration, rank or argument"),
        [this] { startTyping(); }, [this] { return state_->run() != nullptr; });
    add(
        u"next-hit"_s, tr("&Next hit"), {u"F3"_s}, tr("Select the next event that was found"), [this] { step(+1); },
        hasHits);
    add(
        u"previous-hit"_s, tr("&Previous hit"), {u"Shift+F3"_s}, tr("Select the previous event that was found"),
        [this] { step(-1); }, hasHits);
    add(
        u"clear-search"_s, tr("&Clear search"), {u"Ctrl+Shift+F"_s}, tr("Forget what was searched for"),
        [this] { clear(); }, [this] { return !query().isEmpty(); });
}

void SearchPanel::startTyping() {
    Q_EMIT wantedOnScreen();
    box_->setFocus(Qt::ShortcutFocusReason);
    box_->selectAll();
}

void SearchPanel::setQuery(const QString& text) { box_->setText(text); }
QString SearchPanel::query() const { return box_->text(); }
QString SearchPanel::status() const { return status_->text(); }
void SearchPanel::clear() { box_->clear(); }

bool SearchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != box_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : +1); return true;
    case Qt::Key_Down: table_->setFocus(); return true;
    case Qt::Key_Escape:
        clear();
        Q_EMIT left();
        return true;
    default: return false;
    }
}

void SearchPanel::takeRun() {
    const std::shared_ptr<const Run>& run = state_->run();
    if (!classes_ || &classes_->run() != run.get())
        classes_ = run ? std::make_shared<const RunClasses>(run, state_->classes()) : nullptr;
    changed();
}

void SearchPanel::changed() {
    jobs_.stop();
    pendingStep_ = 0;
    if (box_->text().trimmed().isEmpty() || !classes_) {
        delay_.stop();
        showNothing({}, false);
        return;
    }
    delay_.start();
}

void SearchPanel::ask() {
    const auto query = parse_event_query(box_->text().toStdString());
    if (!query)
        return showNothing(messageText(query.error().message), true);
    jobs_.run(
        {},
        [query = *query, found = Found{classes_, model_->hits(), nullptr}, column = sortColumn_,
         descending = descending_](const std::stop_token& stop) mutable {
            auto hits = search_events(*found.classes, query, stop);
            if (!hits)
                return found; // stopped
            found.hits = std::make_shared<const SearchHits>(std::move(*hits));
            if (column != HitsModel::nameColumn || descending) {
                auto order = orderHits(found.classes->run(), *found.hits, column, descending, stop);
                if (order)
                    found.order = std::make_shared<const HitOrder>(std::move(*order));
            }
            return found;
        },
        [this](const Found& found) { answer(found); }, [this](const QString& reason) { showNothing(reason, true); });
}

void SearchPanel::answer(const Found& found) {
    current_.reset();
    model_->setHits(state_->run(), found.hits, found.order);
    state_->setSearchHits(found.hits);
    showStatus();
    if (pendingStep_ != 0)
        step(std::exchange(pendingStep_, 0));
}

void SearchPanel::showNothing(const QString& status, bool isError) {
    current_.reset();
    model_->setHits(nullptr, nullptr);
    state_->setSearchHits(nullptr);
    status_->setText(status);
    QPalette colours = palette();
    if (isError)
        colours.setColor(QPalette::WindowText, hue(Hue::bad, isDark(colours)));
    status_->setPalette(colours);
    status_->setToolTip(toolTipText(status));
    previous_->setEnabled(false);
    next_->setEnabled(false);
}

void SearchPanel::showStatus() {
    const std::size_t count = model_->count();
    const int n = plural(static_cast<std::int64_t>(count));
    QString text = groupedNumber(static_cast<qint64>(count));
    if (current_)
        text = count == 1
                   ? tr("%1 of 1 hit").arg(groupedNumber(static_cast<qint64>(*current_) + 1))
                   : tr("%1 of %2 hits", nullptr, n).arg(groupedNumber(static_cast<qint64>(*current_) + 1), text);
    else
        text = count == 1 ? tr("1 hit") : tr("%1 hits", nullptr, n).arg(text);
    if (count > HitsModel::kMostRows)
        text = tr("%1, %2 in all; the first %3 are listed")
                   .arg(text, durationText(model_->hits()->time), groupedNumber(HitsModel::kMostRows));
    else if (count > 0)
        text = tr("%1, %2 in all").arg(text, durationText(model_->hits()->time));
    status_->setPalette(palette());
    status_->setText(text);
    status_->setToolTip(text);
    previous_->setEnabled(count > 0);
    next_->setEnabled(count > 0);
}

void SearchPanel::step(int direction) {
    if (isBusy()) {
        pendingStep_ = direction;
        return;
    }
    const std::size_t count = model_->count();
    if (count == 0)
        return;
    if (current_) {
        choose((*current_ + (direction > 0 ? 1 : count - 1)) % count, false);
        return;
    }
    // From the selection on, where the list is in the order of the lanes.
    std::size_t first = direction > 0 ? 0 : count - 1;
    const std::optional<EventRef> selected = state_->selection();
    const bool asFound = sortColumn_ == HitsModel::nameColumn && !descending_;
    if (selected && asFound) {
        const auto& ranks = state_->run()->ranks;
        const auto rank = std::ranges::find(ranks, selected->rank, [](const auto& r) { return r->rank; });
        const EventPlace place{static_cast<std::uint32_t>(rank - ranks.begin()), selected->event};
        const std::size_t number = model_->hits()->number_of(place);
        const bool onHit = model_->hits()->contains(place);
        first = direction > 0 ? (number + (onHit ? 1 : 0)) % count : (number + count - 1) % count;
    }
    choose(first, false);
}

void SearchPanel::choose(std::size_t place, bool zoom) {
    if (place >= model_->count())
        return;
    current_ = place;
    const EventPlace hit = model_->at(place);
    const EventRef event{state_->run()->ranks[hit.rank]->rank, hit.event};
    if (place < static_cast<std::size_t>(model_->rowCount()))
        table_->setCurrentIndex(model_->index(static_cast<int>(place), 0));
    state_->select(event);
    showStatus();
    Q_EMIT eventChosen(event, zoom);
}

void SearchPanel::sortBy(int column) {
    // Kind, rank and lane are the order of the lanes already.
    const bool byTime = column == HitsModel::startColumn || column == HitsModel::durationColumn;
    const int wanted = byTime ? column : HitsModel::nameColumn;
    // Longest first is what one looks for; a second click turns it round.
    descending_ = byTime && (wanted == sortColumn_ ? !descending_ : column == HitsModel::durationColumn);
    sortColumn_ = wanted;
    table_->horizontalHeader()->setSortIndicatorShown(byTime);
    if (byTime)
        table_->horizontalHeader()->setSortIndicator(column, descending_ ? Qt::DescendingOrder : Qt::AscendingOrder);
    if (model_->count() > 0)
        changed();
}

} // namespace rankscope
