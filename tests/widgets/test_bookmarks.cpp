// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks: adding, order, going there, notes, removing by the keyboard.
#include <memory>

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/panels/bookmarks_panel.h"

namespace rankscope::bookmarks_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr TimeNs kBase = 1'700'000'000'000'000'000;
} // namespace

class TestBookmarks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        panel_ = std::make_unique<BookmarksPanel>(state_.get());
        tester_ = std::make_unique<QAbstractItemModelTester>(panel_->model(),
                                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
        state_->setRun(make_run({TraceBuilder(2).base(kBase).kernel("gemm", 7, 0, 100).kernel("copy", 7, 900, 100)}));
    }
    void cleanup() {
        tester_.reset();
        panel_.reset();
        state_.reset();
    }

    void marksTheViewAndTheSelection() {
        state_->setVisibleRange({kBase + 100'000, kBase + 300'000});
        state_->select(EventRef{2, 0});
        QCOMPARE(panel_->addHere(), 0);
        const Bookmark& bookmark = panel_->model()->bookmarks()[0];
        QCOMPARE(bookmark.range, (TimeRange{100'000, 300'000}));
        QCOMPARE(bookmark.event, (EventRef{2, 0}));
        QCOMPARE(bookmark.label, u"Rank 2 · gemm"_s);
        QCOMPARE(panel_->model()->index(0, BookmarksModel::timeColumn).data().toString(), u"0.000 µs"_s);
    }
    void theRangesOfBookmarksAreCompared() {
        for (const TimeNs begin : {0, 500'000}) {
            state_->setRange(TimeRange{kBase + begin, kBase + begin + 100'000});
            panel_->compare(panel_->addHere());
        }
        QCOMPARE(state_->comparedRanges(),
                 (std::vector{TimeRange{kBase, kBase + 100'000}, TimeRange{kBase + 500'000, kBase + 600'000}}));
        panel_->compare(-1); // none is chosen
    }
    void itsTimeIsThatOfTheSelectedSliceOrOfTheMarkedRange() {
        const auto timeOf = [&](int row) {
            return panel_->model()->index(row, BookmarksModel::timeColumn).data().toString();
        };
        state_->setVisibleRange({kBase + 100'000, kBase + 300'000});
        QCOMPARE(timeOf(panel_->addHere()), u"100.000 – 300.000 µs"_s); // nothing else: what is in view
        state_->setRange(TimeRange{kBase + 200'000, kBase + 250'500});
        const int marked = panel_->addHere();
        QCOMPARE(timeOf(marked), u"200.000 – 250.500 µs"_s);
        state_->select(EventRef{2, 1});
        QCOMPARE(timeOf(panel_->addHere()), u"900.000 µs"_s);
        state_->setRange({});
        state_->select({});
        panel_->goTo(marked);
        QCOMPARE(state_->range(), (TimeRange{kBase + 200'000, kBase + 250'500}));
    }
    void aNewOneShowsItsTimeInANarrowList() {
        panel_->resize(270, 200);
        panel_->show();
        state_->setRange(TimeRange{kBase + 200'000, kBase + 250'500});
        panel_->editNote(panel_->addHere());
        QCoreApplication::processEvents();
        const QHeaderView& header = *panel_->list().header();
        QVERIFY2(header.length() <= panel_->list().viewport()->width(),
                 qPrintable(QString::number(header.length()) + u' ' + QString::number(header.sectionSize(0)) + u' ' +
                            QString::number(header.sectionSize(1)) + u' ' + QString::number(header.sectionSize(2))));
        QCOMPARE(header.offset(), 0);
    }
    void theyStandInOrderOfTimeAndNotTwice() {
        add(500'000, 600'000);
        add(100'000, 200'000);
        add(500'000, 600'000);
        QCOMPARE(panel_->model()->rowCount(), 2);
        QCOMPARE(panel_->model()->bookmarks()[0].range.begin, 100'000);
    }
    void goingThereCanBeTakenBack() {
        add(500'000, 600'000);
        state_->setVisibleRange(state_->fullRange());
        QSignalSpy went(panel_.get(), &BookmarksPanel::goToRequested);
        panel_->goTo(0);
        QCOMPARE(state_->visibleRange(), (TimeRange{kBase + 500'000, kBase + 600'000}));
        QCOMPARE(went.size(), 1);
        state_->stepBack();
        QCOMPARE(state_->visibleRange(), state_->fullRange());
    }
    void aNoteIsEditedInPlace() {
        add(500'000, 600'000);
        QSignalSpy changed(panel_->model(), &BookmarksModel::changed);
        const QModelIndex note = panel_->model()->index(0, BookmarksModel::noteColumn);
        QVERIFY(note.flags().testFlag(Qt::ItemIsEditable));
        QVERIFY(!panel_->model()->index(0, BookmarksModel::timeColumn).flags().testFlag(Qt::ItemIsEditable));
        QVERIFY(panel_->model()->setData(note, u"look here"_s, Qt::EditRole));
        QCOMPARE(panel_->model()->bookmarks()[0].note, u"look here"_s);
        QCOMPARE(changed.size(), 1);
    }
    void deleteRemovesTheCurrentOne() {
        add(500'000, 600'000);
        panel_->show();
        panel_->activateWindow();
        panel_->list().setFocus();
        QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
        QTest::keyClick(&panel_->list(), Qt::Key_Delete);
        QCOMPARE(panel_->model()->rowCount(), 0);
        QVERIFY(!panel_->list().isVisible()); // the hint says how to make one
    }
    void withoutARunThereIsNothingToMark() {
        state_->setRun(nullptr);
        QCOMPARE(panel_->addHere(), -1);
        panel_->goTo(3);
        QCOMPARE(panel_->model()->rowCount(), 0);
    }

private:
    void add(TimeNs begin, TimeNs end) {
        state_->setVisibleRange({kBase + begin, kBase + end});
        panel_->addHere();
    }
    std::unique_ptr<ViewState> state_;
    std::unique_ptr<BookmarksPanel> panel_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

RANKSCOPE_GUI_TEST(TestBookmarks)

} // namespace rankscope::bookmarks_test

#include "test_bookmarks.moc"
