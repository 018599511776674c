// SPDX-License-Identifier: GPL-3.0-or-later
// Places of a run to come back to.
#include "widgets/panels/bookmarks_model.h"

#include <algorithm>

#include "widgets/time_text.h"

namespace rankscope {
namespace {

const TimeRange& timeOf(const Bookmark& bookmark) { return bookmark.marked ? *bookmark.marked : bookmark.range; }
TimeNs startOf(const Bookmark& bookmark) { return timeOf(bookmark).begin; }

} // namespace

void BookmarksModel::setBookmarks(std::vector<Bookmark> bookmarks) {
    beginResetModel();
    bookmarks_ = std::move(bookmarks);
    std::ranges::stable_sort(bookmarks_, {}, startOf);
    endResetModel();
}

int BookmarksModel::add(Bookmark bookmark) {
    const auto same = std::ranges::find_if(bookmarks_, [&](const Bookmark& b) {
        return b.range == bookmark.range && b.event == bookmark.event && b.marked == bookmark.marked;
    });
    if (same != bookmarks_.end())
        return static_cast<int>(same - bookmarks_.begin());
    const auto place = std::ranges::upper_bound(bookmarks_, startOf(bookmark), {}, startOf);
    const auto row = static_cast<int>(place - bookmarks_.begin());
    beginInsertRows({}, row, row);
    bookmarks_.insert(place, std::move(bookmark));
    endInsertRows();
    Q_EMIT changed();
    return row;
}

void BookmarksModel::remove(int row) {
    if (row < 0 || row >= rowCount())
        return;
    beginRemoveRows({}, row, row);
    bookmarks_.erase(bookmarks_.begin() + row);
    endRemoveRows();
    Q_EMIT changed();
}

int BookmarksModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(bookmarks_.size());
}

int BookmarksModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant BookmarksModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Bookmark& bookmark = bookmarks_[static_cast<std::size_t>(index.row())];
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    switch (index.column()) {
    case timeColumn: return bookmark.event ? timePointText(startOf(bookmark)) : timeRangeText(timeOf(bookmark));
    case labelColumn: return bookmark.label;
    default: return bookmark.note;
    }
}

bool BookmarksModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::EditRole || index.column() != noteColumn)
        return false;
    QString& note = bookmarks_[static_cast<std::size_t>(index.row())].note;
    if (note != value.toString()) {
        note = value.toString();
        Q_EMIT dataChanged(index, index);
        Q_EMIT changed();
    }
    return true;
}

QVariant BookmarksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == timeColumn ? tr("Time") : section == labelColumn ? tr("Where") : tr("Note");
}

Qt::ItemFlags BookmarksModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == noteColumn ? flags | Qt::ItemIsEditable : flags;
}

} // namespace rankscope
