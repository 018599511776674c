// SPDX-License-Identifier: GPL-3.0-or-later
// The list of bookmarks.
#include "widgets/panels/bookmarks_panel.h"

#include <algorithm>

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/row_height.h"

namespace rankscope {

namespace {

constexpr qsizetype kLongestLabel = 60;

QAction* listAction(QTreeView* list, const QString& title, const QKeySequence& key) {
    auto* action = new QAction(title, list);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    list->addAction(action);
    return action;
}

} // namespace

BookmarksPanel::BookmarksPanel(ViewState* state, QWidget* parent)
    : QWidget(parent), state_(state), model_(new BookmarksModel(this)), hint_(new QLabel(this)),
      list_(new QTreeView(this)) {
    setAccessibleName(tr("Bookmarks"));
    hint_->setText(tr("No bookmarks yet. M in the timeline marks what is in view."));
    hint_->setWordWrap(true);
    hint_->setMargin(8);
    hint_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    list_->setModel(model_);
    list_->setAccessibleName(tr("Bookmarks"));
    list_->setRootIsDecorated(false);
    list_->setAllColumnsShowFocus(true);
    list_->setUniformRowHeights(true);
    list_->setItemDelegate(new RowDelegate(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    list_->setTabKeyNavigation(false);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // a new bookmark would scroll its time out of view
    list_->header()->setMinimumSectionSize(30);
    list_->header()->setStretchLastSection(false); // else it keeps its width beside sections that stretch
    list_->header()->setSectionResizeMode(QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(BookmarksModel::timeColumn, QHeaderView::ResizeToContents);
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(hint_);
    layout->addWidget(list_, 1);

    connect(
        listAction(list_, tr("&Go there"), QKeySequence(Qt::Key_Return)), &QAction::triggered, this,
        [this] { goTo(list_->currentIndex().row()); });
    connect(
        listAction(list_, tr("Edit the &note"), QKeySequence(Qt::Key_F2)), &QAction::triggered, this,
        [this] { editNote(list_->currentIndex().row()); });
    connect(listAction(list_, tr("&Compare its range"), QKeySequence(Qt::CTRL | Qt::Key_Return)), &QAction::triggered,
            this, [this] { compare(list_->currentIndex().row()); });
    connect(listAction(list_, tr("&Remove"), QKeySequence::Delete), &QAction::triggered, this,
            &BookmarksPanel::removeCurrent);
    connect(list_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() == BookmarksModel::noteColumn)
            list_->edit(index);
        else
            goTo(index.row());
    });
    connect(list_->itemDelegate(), &QAbstractItemDelegate::closeEditor, this, &BookmarksPanel::noteDone);
    connect(model_, &QAbstractItemModel::modelReset, this, &BookmarksPanel::showHint);
    connect(model_, &QAbstractItemModel::rowsInserted, this, &BookmarksPanel::showHint);
    connect(model_, &QAbstractItemModel::rowsRemoved, this, &BookmarksPanel::showHint);
    showHint();
}

// An open field closes when the list is destroyed: the panel is none any more then.
BookmarksPanel::~BookmarksPanel() { list_->itemDelegate()->disconnect(this); }

void BookmarksPanel::showHint() {
    hint_->setVisible(model_->rowCount() == 0);
    list_->setVisible(model_->rowCount() > 0);
}

int BookmarksPanel::addHere() {
    if (!state_->run())
        return -1;
    const TimeNs origin = state_->run()->span.begin;
    const TimeRange visible = state_->visibleRange();
    Bookmark bookmark{{visible.begin - origin, visible.end - origin}, state_->selection(), {}, {}, {}};
    if (bookmark.event) {
        const EventTable& events = state_->trace(bookmark.event->rank)->events;
        const TimeNs start = events.start[bookmark.event->event] - origin;
        bookmark.marked = {start, start + std::max<TimeNs>(1, events.duration[bookmark.event->event])};
        bookmark.label = labelOf(*bookmark.event);
    } else if (const auto& range = state_->range()) {
        bookmark.marked = {range->begin - origin, range->end - origin};
    }
    const int row = model_->add(std::move(bookmark));
    list_->setCurrentIndex(model_->index(row, BookmarksModel::noteColumn));
    return row;
}

QString BookmarksPanel::labelOf(const EventRef& event) const {
    const std::string_view name = state_->trace(event.rank)->event_name(event.event);
    const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    return tr("Rank %1").arg(event.rank) + QStringLiteral(" · ") + text.left(kLongestLabel);
}

void BookmarksPanel::editNote(int row) {
    const QModelIndex index = model_->index(row, BookmarksModel::noteColumn);
    if (!index.isValid())
        return;
    list_->setCurrentIndex(index);
    list_->setFocus();
    list_->edit(index);
}

void BookmarksPanel::goTo(int row) {
    if (row < 0 || row >= model_->rowCount() || !state_->run())
        return;
    const Bookmark bookmark = model_->bookmarks()[static_cast<std::size_t>(row)];
    const TimeNs origin = state_->run()->span.begin;
    state_->jumpTo({bookmark.range.begin + origin, bookmark.range.end + origin});
    if (bookmark.event)
        state_->select(bookmark.event);
    else if (bookmark.marked)
        state_->setRange(TimeRange{bookmark.marked->begin + origin, bookmark.marked->end + origin});
    Q_EMIT goToRequested(bookmark);
}

void BookmarksPanel::compare(int row) {
    if (row < 0 || row >= model_->rowCount() || !state_->run())
        return;
    const Bookmark& bookmark = model_->bookmarks()[static_cast<std::size_t>(row)];
    const TimeRange range = bookmark.marked.value_or(bookmark.range);
    const TimeNs origin = state_->run()->span.begin;
    state_->compareRange({range.begin + origin, range.end + origin});
}

void BookmarksPanel::removeCurrent() { model_->remove(list_->currentIndex().row()); }

} // namespace rankscope
