// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs below the timeline fold to their bar, by hand or until there is something to see.
#include <memory>

#include <QLabel>
#include <QSplitter>
#include <QTabBar>
#include <QtTest>

#include "tests/support/test_program.h"
#include "widgets/folding_tabs.h"

namespace rankscope::folding_tabs_test {

class TestFoldingTabs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        splitter_ = std::make_unique<QSplitter>(Qt::Vertical);
        splitter_->addWidget(new QLabel);
        tabs_ = new FoldingTabs;
        tabs_->addTab(new QLabel(QStringLiteral("a\nb\nc")), QStringLiteral("one"));
        tabs_->addTab(new QLabel(QStringLiteral("d")), QStringLiteral("two"));
        splitter_->addWidget(tabs_);
        splitter_->resize(600, 400);
        splitter_->show();
    }

    void foldedTheyAreAsHighAsTheirBar() {
        splitter_->setSizes({250, 150});
        const int before = tabs_->height();
        tabs_->setFolded(true);
        QTRY_COMPARE(tabs_->height(), tabs_->tabBar()->sizeHint().height());
        QVERIFY(!tabs_->widget(0)->isVisible());
        tabs_->setFolded(false);
        QTRY_COMPARE(tabs_->height(), before);
        QVERIFY(tabs_->widget(0)->isVisible());
    }

    /// Folded from the start, they have had no height yet.
    void openedForTheFirstTimeTheyHaveAQuarter() {
        QSplitter splitter(Qt::Vertical);
        splitter.addWidget(new QLabel);
        auto* tabs = new FoldingTabs;
        tabs->addTab(new QLabel, QStringLiteral("one"));
        tabs->setFolded(true);
        splitter.addWidget(tabs);
        splitter.resize(600, 400);
        splitter.show();
        tabs->setFolded(false);
        QTRY_VERIFY(tabs->height() >= 95);
        QVERIFY(tabs->height() <= 110);
    }

    void aClickOnTheTabThatIsOpenFoldsAndOnAnyOtherOpens() {
        const auto click = [this](int tab) {
            QTest::mouseClick(tabs_->tabBar(), Qt::LeftButton, {}, tabs_->tabBar()->tabRect(tab).center());
        };
        click(1);
        QVERIFY(!tabs_->isFolded());
        QCOMPARE(tabs_->currentIndex(), 1);
        click(1);
        QVERIFY(tabs_->isFolded());
        click(0);
        QVERIFY(!tabs_->isFolded());
        QCOMPARE(tabs_->currentIndex(), 0);
    }

    void whatAHandFoldedIsNotOpenedBySelecting() {
        tabs_->setFolded(true);
        tabs_->offer();
        QVERIFY(!tabs_->isFolded());
        QTest::mouseClick(tabs_->tabBar(), Qt::LeftButton, {}, tabs_->tabBar()->tabRect(0).center());
        QVERIFY(tabs_->isFolded());
        tabs_->offer();
        QVERIFY(tabs_->isFolded());
        tabs_->setFolded(false); // a command
        tabs_->setFolded(true);
        tabs_->offer();
        QVERIFY(tabs_->isFolded());
    }

private:
    std::unique_ptr<QSplitter> splitter_;
    FoldingTabs* tabs_ = nullptr;
};

RANKSCOPE_GUI_TEST(TestFoldingTabs)

} // namespace rankscope::folding_tabs_test

#include "test_folding_tabs.moc"
