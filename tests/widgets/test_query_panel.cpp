// SPDX-License-Identifier: GPL-3.0-or-later
// The Query panel with real keys: running, stopping, completing, sorting, plotting, and the way to the timeline.
#include <memory>

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QCheckBox>
#include <QClipboard>
#include <QCompleter>
#include <QHeaderView>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/custom_plot.h"
#include "widgets/panels/query_panel.h"

namespace rankscope::query_panel_test {
using namespace Qt::Literals::StringLiterals;

class TestQueryPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            TraceBuilder builder(rank);
            for (int i = 0; i < 10; ++i)
                builder.kernel("gemm_" + std::to_string(i), 7, i * 200.0, 10 + i + rank);
            ranks.push_back(builder);
        }
        state_ = std::make_unique<ViewState>();
        panel_ = std::make_unique<QueryPanel>(state_.get());
        const auto run = make_run(ranks);
        state_->setRun(run);
        panel_->takeAnalysis(std::make_shared<const RunAnalysis>(run, Selection()));
        panel_->resize(1000, 400);
        panel_->show();
    }
    void cleanup() {
        panel_.reset();
        state_.reset();
    }

    void ctrlEnterRunsWhatWasTyped() {
        QTest::keyClicks(&panel_->editor(), u"select name, dur_ns from kernel where rank = 1 order by dur_ns desc "_s);
        panel_->editor().completer().popup()->hide();
        QTest::keyClick(&panel_->editor(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(!panel_->isBusy());
        QAbstractItemModelTester tester(&const_cast<QueryTableModel&>(panel_->model()));
        QCOMPARE(panel_->model().rowCount(), 10);
        QCOMPARE(cell(0, 0), u"gemm_9"_s);
        QCOMPARE(cell(0, 1), u"20000"_s);
        QVERIFY2(panel_->status().startsWith(u"10 rows in "_s), qPrintable(panel_->status()));
        QCOMPARE(panel_->history().actions().size(), 1);
    }
    void whatIsWrongIsOneLineAndLeavesNoRows() {
        run(u"select 1"_s);
        run(u"select nme from kernel"_s);
        QCOMPARE(panel_->status(), u"no such column: nme; Ctrl+Space lists tables and columns"_s);
        QCOMPARE(panel_->model().rowCount(), 0);
        run(u"delete from kernel"_s);
        QVERIFY2(panel_->status().contains(u"may not be modified"_s), qPrintable(panel_->status()));
    }
    void aQueryWithoutEndStops() {
        panel_->editor().setPlainText(
            u"with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t"_s);
        panel_->runQuery();
        QVERIFY(panel_->isBusy());
        QTest::qWait(50);
        panel_->stopQuery();
        QVERIFY(!panel_->isBusy());
        run(u"select count(*) from kernel"_s);
        QCOMPARE(cell(0, 0), u"20"_s);
    }
    void tablesAndColumnsAreCompleted() {
        QTest::keyClicks(&panel_->editor(), u"select launch_d"_s);
        QVERIFY(panel_->editor().completer().popup()->isVisible());
        QCOMPARE(panel_->editor().completer().currentCompletion(), u"launch_delay_ns"_s);
        QTest::keyClick(panel_->editor().completer().popup(), Qt::Key_Return);
        QCOMPARE(panel_->editor().toPlainText(), u"select launch_delay_ns"_s);
        QTest::keyClick(&panel_->editor(), Qt::Key_Escape);
        panel_->editor().clear();
        QTest::keyClicks(&panel_->editor(), u"x"_s);
        QVERIFY(!panel_->editor().completer().popup()->isVisible());
    }
    void anEmptyClipboardIsPastedAsNothing() {
        QGuiApplication::clipboard()->clear();
        panel_->editor().setPlainText({});
        QTest::keyClick(&panel_->editor(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(panel_->editor().toPlainText(), QString());
        QGuiApplication::clipboard()->setText(u"select 1"_s);
        QTest::keyClick(&panel_->editor(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(panel_->editor().toPlainText(), u"select 1"_s);
    }

    void columnsSortByValue() {
        run(u"select dur_ns, name from kernel where rank = 0"_s);
        panel_->table().horizontalHeader()->setSortIndicator(0, Qt::DescendingOrder);
        QCOMPARE(cell(0, 0), u"19000"_s);
        QCOMPARE(cell(9, 0), u"10000"_s);
        run(u"select 9 as x union all select 10 union all select null union all select 'a' union all select 9.5"_s);
        panel_->table().horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
        QCOMPARE((QStringList{cell(0, 0), cell(1, 0), cell(2, 0), cell(3, 0), cell(4, 0)}),
                 (QStringList{QString(), u"9"_s, u"9.5"_s, u"10"_s, u"a"_s}));
    }
    void aRowLeadsToItsEvent() {
        QSignalSpy chosen(panel_.get(), &Panel::eventChosen);
        run(u"select rank, start_ns, name from kernel where name = 'gemm_3' and rank = 1"_s);
        QTest::mouseClick(panel_->table().viewport(), Qt::LeftButton, {},
                          panel_->table().visualRect(panel_->model().index(0, 2)).center());
        QCOMPARE(chosen.count(), 1);
        QVERIFY(state_->selection());
        QCOMPARE(state_->selection()->rank, 1);
        QCOMPARE(std::string(state_->trace(1)->event_name(state_->selection()->event)), std::string("gemm_3"));
        run(u"select id from kernel where name = 'gemm_4' and rank = 0"_s);
        QCOMPARE(panel_->eventOfRow(0)->rank, 0);
        run(u"select 0 as rank, 401000 as start_ns"_s); // gemm_2 started at 400 us
        QCOMPARE(std::string(state_->trace(0)->event_name(panel_->eventOfRow(0)->event)), std::string("gemm_2"));
        run(u"select 5 as rank, 0 as start_ns, 'x' as id"_s);
        QVERIFY(!panel_->eventOfRow(0));
    }
    void rowsAreMarkedOnTheTimeline() {
        run(u"select id from kernel where dur_ns >= 19000"_s);
        QVERIFY(panel_->markButton().isEnabled());
        panel_->markButton().click();
        QVERIFY(state_->searchHits());
        QCOMPARE(state_->searchHits()->count, std::size_t{3}); // 19 us on rank 0, 19 and 20 us on rank 1
        QCOMPARE(state_->searchHits()->time, TimeNs{58'000});
        run(u"select name from kernel"_s);
        QVERIFY(!panel_->markButton().isEnabled());
    }
    void twoColumnsArePlotted() {
        run(u"select name, start_ns, dur_ns from kernel where rank = 0"_s);
        QVERIFY(!panel_->plot().isVisible());
        panel_->plotSwitch().setChecked(true);
        QVERIFY(panel_->plot().isVisible());
        QCOMPARE(panel_->plot().graph()->dataCount(), 10);
        QCOMPARE(panel_->plot().xAxis->label(), u"start_ns"_s);
        QCOMPARE(panel_->plot().yAxis->label(), u"dur_ns"_s);
        run(u"select name from kernel"_s);
        QVERIFY(!panel_->plot().isVisible());
    }
    void examplesRunAndHistoryBringsBack() {
        QVERIFY(panel_->examples().actions().size() > 8);
        for (QAction* example : panel_->examples().actions()) {
            example->trigger();
            QTRY_VERIFY(!panel_->isBusy());
            QVERIFY2(panel_->status().contains(u" in "_s), qPrintable(panel_->status()));
        }
        const QString last = panel_->editor().toPlainText();
        panel_->editor().clear();
        panel_->history().actions().front()->trigger();
        QCOMPARE(panel_->editor().toPlainText(), last);
    }
    void anotherRunStartsAfresh() {
        run(u"select 1"_s);
        panel_->takeAnalysis(nullptr);
        QCOMPARE(panel_->model().rowCount(), 0);
        panel_->runQuery();
        QVERIFY(!panel_->isBusy());
    }

private:
    void run(const QString& sql) {
        panel_->editor().setPlainText(sql);
        panel_->runQuery();
        QTRY_VERIFY(!panel_->isBusy());
    }
    QString cell(int row, int column) const { return panel_->model().index(row, column).data().toString(); }
    std::unique_ptr<ViewState> state_;
    std::unique_ptr<QueryPanel> panel_;
};

RANKSCOPE_GUI_TEST(TestQueryPanel)

} // namespace rankscope::query_panel_test

#include "test_query_panel.moc"
