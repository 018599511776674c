// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots of two runs: what grew at the peak of a rank, in words, by place in the program and by category.
#pragma once
#include <memory>

#include <QWidget>

#include "core/compare/run_comparison.h"

class QComboBox;
class QLabel;
class QTableView;

namespace rankscope {

class ColumnModel;

class MemoryChanges : public QWidget {
    Q_OBJECT
public:
    enum Kind { places, categories }; ///< rows of the table, as in kindChoice()

    explicit MemoryChanges(QWidget* parent = nullptr);

    /// First the rank that changed most. nullptr, or without snapshots of a common rank: nothing.
    void setComparison(std::shared_ptr<const RunComparison> comparison);

    [[nodiscard]] QLabel& words() const { return *words_; }
    [[nodiscard]] QComboBox& rankChoice() const { return *rankChoice_; }
    [[nodiscard]] QComboBox& kindChoice() const { return *kindChoice_; }
    [[nodiscard]] QTableView& table() const { return *table_; }

private:
    void showRank();
    void showWords();
    void fillTable();

    std::shared_ptr<const RunComparison> comparison_; ///< with a pair of snapshots, or nullptr
    QLabel* words_;
    QComboBox* rankChoice_;
    QComboBox* kindChoice_;
    QTableView* table_;
    QLabel* nothing_; ///< in place of a table without rows
    ColumnModel* model_;
};

} // namespace rankscope
