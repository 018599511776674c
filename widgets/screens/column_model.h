// SPDX-License-Identifier: GPL-3.0-or-later
// A table whose columns are functions of the row: for tables that show values as core computed them.
#pragma once
#include <functional>
#include <vector>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace rankscope {

struct TableColumn {
    QString title;
    QString tip;
    std::function<QString(int row)> text;       ///< made when the cell is looked at
    std::function<double(int row)> number = {}; ///< what it is sorted by; a column without is of text, at the left
    std::function<QString(int row)> whole = {}; ///< where `text` is shortened: for hovering, copies, files and filters
    bool words = false;                         ///< text at the left, though `number` sorts it
};

class ColumnModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kSortRole = Qt::UserRole;
    static constexpr int kFilterRole = Qt::UserRole + 1; ///< what is shown, and the whole of it

    using QAbstractTableModel::QAbstractTableModel;
    /// The functions may be called until the next setContents(). Call it within inBothLanguages().
    void setContents(std::vector<TableColumn> columns, int rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<TableColumn> columns_;
    QStringList titlesInFiles_;
    mutable std::vector<int> differences_; ///< of the first column's texts; empty until asked for
    int rows_ = 0;
};

/// Sorted by the columns' numbers; words filter the first column, whatever their case.
class ColumnOrder : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit ColumnOrder(ColumnModel* model);
    [[nodiscard]] int sourceRow(const QModelIndex& index) const { return mapToSource(index).row(); }

protected:
    /// Equal ones stay in the order of the model, whichever way they are sorted.
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace rankscope
