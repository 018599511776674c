// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs dock's content.
#include "widgets/panels/runs_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/panels/runs_delegate.h"
#include "widgets/panels/runs_model.h"

namespace rankscope {

namespace {

/// Says why there is nothing to see, and what to do.
class RunsTree : public QTreeView {
public:
    RunsTree(const RunsPanel* panel, QWidget* parent) : QTreeView(parent), panel_(panel) {}

protected:
    void paintEvent(QPaintEvent* event) override {
        QTreeView::paintEvent(event);
        if (model()->rowCount() > 0)
            return;
        QPainter painter(viewport());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                         Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, panel_->hint());
    }

private:
    const RunsPanel* panel_;
};

} // namespace

RunsPanel::RunsPanel(RunsModel* model, QWidget* parent)
    : QWidget(parent), model_(model), shown_(new QSortFilterProxyModel(this)), filter_(new QLineEdit(this)),
      tree_(new RunsTree(this, this)) {
    shown_->setSourceModel(model);
    shown_->setRecursiveFilteringEnabled(true);
    shown_->setAutoAcceptChildRows(true);
    shown_->setFilterRole(RunsModel::searchRole);
    shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);

    filter_->setPlaceholderText(tr("Filter runs"));
    filter_->setAccessibleName(tr("Filter runs"));
    filter_->setClearButtonEnabled(true);
    tree_->setModel(shown_);
    tree_->setItemDelegate(new RunsDelegate(tree_));
    tree_->setAccessibleName(tr("Runs"));
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree_->setExpandsOnDoubleClick(false);
    tree_->setRootIsDecorated(false);
    tree_->setIndentation(0); // the delegate indents: the style would fill the space with the full highlight colour
    tree_->setDragDropMode(QAbstractItemView::DragDrop);
    tree_->setDefaultDropAction(Qt::CopyAction);
    tree_->setDropIndicatorShown(false);
    tree_->setContextMenuPolicy(Qt::CustomContextMenu);
    for (int column = 1; column < RunsModel::columnEnd; ++column)
        tree_->hideColumn(column);             // the delegate says it in one line
    tree_->header()->setMinimumSectionSize(1); // narrow, the delegate shortens: nothing is out of view to the right
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->setToolTip(tr("Drop folders of traces here, or open one. Drop one run onto another to compare them."));
    auto* add = new QPushButton(tr("Open folder…"), this);
    add->setAccessibleName(tr("Open folder"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addWidget(filter_);
    layout->addWidget(buttons());
    layout->addWidget(tree_, 1);
    layout->addWidget(add);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        shown_->setFilterFixedString(text);
        tree_->expandAll();
    });
    connect(add, &QPushButton::clicked, this, &RunsPanel::addFolderRequested);
    connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const QString path = index.data(RunsModel::pathRole).toString();
        if (!path.isEmpty())
            Q_EMIT openRequested(path);
    });
    connect(tree_, &QTreeView::customContextMenuRequested, this, &RunsPanel::showMenu);
    connect(shown_, &QAbstractItemModel::rowsInserted, tree_, [this](const QModelIndex& folder, int first, int last) {
        for (int row = first; row <= last; ++row)
            tree_->expand(shown_->index(row, 0, folder));
    });
    connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::selectionChanged);
    tree_->expandAll();
}

/// There where several runs are listed.
QWidget* RunsPanel::buttons() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    auto* compare = new QPushButton(tr("Compare"), bar);
    compare->setToolTip(tr("Show the selected runs side by side; with one selected, all of its folder"));
    compare->setAccessibleName(tr("Compare the runs"));
    auto* study = new QPushButton(tr("Study"), bar);
    study->setToolTip(tr("Show the selected runs as one series; with one selected, all of its folder"));
    study->setAccessibleName(tr("Study the runs"));
    layout->addWidget(compare);
    layout->addWidget(study);
    connect(
        compare, &QPushButton::clicked, this, [this] { Q_EMIT compareRequested(chosenPaths()); });
    connect(
        study, &QPushButton::clicked, this, [this] { Q_EMIT studyRequested(chosenPaths()); });
    const auto show = [this, bar] { bar->setVisible(model_->runPaths().size() >= 2); };
    connect(model_, &QAbstractItemModel::rowsInserted, bar, show);
    connect(model_, &QAbstractItemModel::rowsRemoved, bar, show);
    show();
    return bar;
}

QString RunsPanel::hint() const {
    if (shown_->rowCount() > 0)
        return {};
    return model_->rowCount() > 0 ? tr("No run matches the filter.") : tree_->toolTip();
}

QStringList RunsPanel::selectedPaths() const {
    QStringList paths;
    for (const QModelIndex& index : tree_->selectionModel()->selectedRows())
        paths << model_->pathsUnder(shown_->mapToSource(index));
    paths.removeDuplicates();
    return paths;
}

QStringList RunsPanel::chosenPaths() const {
    const QStringList selected = selectedPaths();
    if (selected.size() >= 2)
        return selected;
    const QModelIndex run = selected.isEmpty() ? QModelIndex() : model_->indexOf(selected.front());
    const QStringList folder = run.parent().isValid() ? model_->pathsUnder(run.parent()) : QStringList();
    return folder.size() >= 2 ? folder : model_->runPaths();
}

void RunsPanel::showRun(const QString& path) {
    const QModelIndex index = shown_->mapFromSource(model_->indexOf(path));
    if (!index.isValid())
        return;
    tree_->setCurrentIndex(index);
    tree_->scrollTo(index);
}

void RunsPanel::showMenu(const QPoint& position) {
    const QStringList paths = selectedPaths();
    if (paths.isEmpty())
        return;
    QMenu menu;
    connect(menu.addAction(tr("Open")), &QAction::triggered, this, [&] { Q_EMIT openRequested(paths.front()); });
    QAction* compare = menu.addAction(tr("Compare"));
    compare->setEnabled(paths.size() >= 2);
    connect(
        compare, &QAction::triggered, this, [&] { Q_EMIT compareRequested(paths); });
    connect(
        menu.addAction(tr("Study")), &QAction::triggered, this, [&] { Q_EMIT studyRequested(paths); });
    connect(menu.addAction(tr("Remove from the list")), &QAction::triggered, this, [&] {
        for (const QString& path : paths)
            Q_EMIT removeRequested(path);
    });
    menu.exec(tree_->viewport()->mapToGlobal(position));
}

} // namespace rankscope
