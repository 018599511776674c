// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/folding_tabs.h"

#include <algorithm>
#include <numeric>

#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

namespace rankscope {

FoldingTabs::FoldingTabs(QWidget* parent) : QTabWidget(parent) {
    setDocumentMode(true);
    connect(tabBar(), &QTabBar::tabBarClicked, this, &FoldingTabs::clickTab);
    connect(this, &QTabWidget::currentChanged, this, [this](int tab) { shown_ = tab; });
}

/// The click on a closed tab has not changed the current one yet.
void FoldingTabs::clickTab(int tab) {
    foldedByHand_ = tab == shown_ && !folded_;
    setFolded(foldedByHand_);
}

void FoldingTabs::offer() {
    if (!foldedByHand_)
        setFolded(false);
}

void FoldingTabs::setFolded(bool folded) {
    if (folded == folded_)
        return;
    folded_ = folded;
    if (folded && isVisible()) // before it is shown, its height means nothing
        height_ = height();
    findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly)->setHidden(folded);
    setMaximumHeight(folded ? tabBar()->sizeHint().height() : QWIDGETSIZE_MAX);
    if (auto* splitter = qobject_cast<QSplitter*>(parentWidget()); splitter != nullptr && !folded) {
        const QList<int> sizes = splitter->sizes();
        const int all = std::reduce(sizes.begin(), sizes.end());
        const int wanted = std::max(height_, all / 4);
        splitter->setSizes({all - wanted, wanted});
    }
    Q_EMIT foldedChanged();
}

} // namespace rankscope
