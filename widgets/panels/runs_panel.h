// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs dock's content: filter, tree, and the way to add a folder.
#pragma once
#include <QWidget>

class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace rankscope {

class RunsModel;

class RunsPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunsPanel(RunsModel* model, QWidget* parent = nullptr);
    [[nodiscard]] QTreeView& tree() const { return *tree_; }
    [[nodiscard]] QLineEdit& filter() const { return *filter_; }
    /// What stands in place of an empty list; empty: there are runs to see.
    [[nodiscard]] QString hint() const;
    [[nodiscard]] QStringList selectedPaths() const; ///< of the runs, in the order shown
    /// What the buttons above the list work on: the selected runs. Where one or none is selected: all runs of its
    /// folder, or all that are listed.
    [[nodiscard]] QStringList chosenPaths() const;
    void showRun(const QString& path); ///< scrolls to it and makes it the current row

Q_SIGNALS:
    void openRequested(const QString& path);
    void removeRequested(const QString& path);
    void addFolderRequested();
    void compareRequested(const QStringList& paths); ///< two or more
    void studyRequested(const QStringList& paths);
    void selectionChanged();

private:
    QWidget* buttons();
    void showMenu(const QPoint& position);

    RunsModel* model_;
    QSortFilterProxyModel* shown_ = nullptr;
    QLineEdit* filter_ = nullptr;
    QTreeView* tree_ = nullptr;
};

} // namespace rankscope
