// SPDX-License-Identifier: GPL-3.0-or-later
// Places of a run to come back to, with notes, as a table model.
#pragma once
#include <optional>
#include <vector>

#include <QAbstractTableModel>

#include "widgets/view_state.h"

namespace rankscope {

struct Bookmark {
    TimeRange range;                 ///< what was in view, ns from the run's first event
    std::optional<EventRef> event;   ///< what was selected
    std::optional<TimeRange> marked; ///< when that is, else the marked range; nothing: neither was there
    QString label;                   ///< "rank 3 · gemm"; empty: the time says enough
    QString note;                    ///< the user's own words
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// Columns: time of the event, of the marked range or of the view; label; note (editable).
class BookmarksModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { timeColumn, labelColumn, noteColumn, columnTotal };
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
    void setBookmarks(std::vector<Bookmark> bookmarks); ///< any order
    /// Inserted by time; returns its row. One that is there already is not doubled.
    int add(Bookmark bookmark);
    void remove(int row);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void changed(); ///< bookmarks or notes, by the user

private:
    std::vector<Bookmark> bookmarks_; ///< ascending by start of what their time says
};

} // namespace rankscope
