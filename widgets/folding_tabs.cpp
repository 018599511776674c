// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/folding_tabs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

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
    findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly)->setHidden(folded);
    setMaximumHeight(folded ? tabBar()->sizeHint().height() : QWIDGETSIZE_MAX);
    if (!folded)
        takeHeight(height_, 0.25);
    Q_EMIT foldedChanged();
}

void FoldingTabs::takeHeight(int wanted, double leastShare) {
    auto* splitter = qobject_cast<QSplitter*>(parentWidget());
    if (splitter == nullptr)
        return;
    const QList<int> sizes = splitter->sizes();
    const int all = std::reduce(sizes.begin(), sizes.end());
    const int taken = std::max(wanted, static_cast<int>(all * leastShare));
    splitter->setSizes({all - taken, taken});
}

void FoldingTabs::setOpenHeight(int height) {
    if (!isVisible()) // the splitter has no size of its own yet
        restored_ = height;
    else if (!folded_)
        takeHeight(height, 0);
    else
        height_ = height;
}

void FoldingTabs::growTo(int height) {
    const auto* splitter = qobject_cast<QSplitter*>(parentWidget());
    if (splitter != nullptr && !folded_ && this->height() < std::min(height, splitter->height() / 2))
        takeHeight(std::min(height, splitter->height() / 2), 0);
}

void FoldingTabs::showEvent(QShowEvent* event) {
    QTabWidget::showEvent(event);
    if (restored_ > 0) // after the splitter has given its parts their shares
        QTimer::singleShot(0, this, [this] { setOpenHeight(std::exchange(restored_, 0)); });
}

void FoldingTabs::resizeEvent(QResizeEvent* event) {
    QTabWidget::resizeEvent(event);
    if (isVisible() && !folded_)
        height_ = height();
}

} // namespace rankscope
