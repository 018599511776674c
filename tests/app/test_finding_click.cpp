// SPDX-License-Identifier: GPL-3.0-or-later
// A click on a finding of the Overview leads to what shows it in the timeline.
#include <optional>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/window/main_window.h"
#include "core/analysis/findings/findings.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/language.h"
#include "widgets/panels/findings_table.h"
#include "widgets/panels/folded_text.h"
#include "widgets/panels/link_label.h"
#include "widgets/panels/overview.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/view_state.h"

namespace rankscope::finding_click_test {
using namespace Qt::Literals::StringLiterals;

class TestFindingClick : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        SimulatorOptions options;
        options.dp = 4;
        options.steps = 3;
        options.faults = {Fault{FaultCause::slower_kernels, 2, 1.5, 0, Dimension::data}};
        QVERIFY(write_run(options, folder_.filePath(u"run"_s).toStdString()).has_value());
    }

    void aClickOnAFindingShowsItsEvidence() {
        const auto opened = openedWindow(folder_.filePath(u"run"_s));
        QVERIFY(opened);
        MainWindow& window = *opened;
        window.showScreen(MainWindow::overviewScreen);
        FindingsTable& list = window.overview().findings();
        QTRY_VERIFY(list.count() > 0 && list.isVisible());

        const QPoint row = list.visualItemRect(list.topLevelItem(0)).center();
        QTest::mouseMove(list.viewport(), row);
        QTRY_COMPARE(list.viewport()->cursor().shape(), Qt::PointingHandCursor);

        QSignalSpy activated(&list, &FindingsTable::findingActivated);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, row);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toInt(), 2); // the slow rank
        QTRY_VERIFY(window.timeline().isVisible() && !window.overview().isVisible());

        const Finding& finding = window.shownAnalysis()->analysis->findings().list.front();
        QVERIFY(finding.code == FindingCode::straggler && !finding.events.empty());
        const FindingEvent& shown = finding.events.front();
        const std::optional<EventRef> selected = window.viewState().selection();
        QVERIFY(selected.has_value());
        QCOMPARE(selected->rank, 2);
        QCOMPARE(selected->event, shown.event);
        const TimeRange visible = window.viewState().visibleRange();
        QVERIFY(visible.begin <= shown.shown().begin && visible.end >= shown.range.end);
        QVERIFY(visible.length() < 20 * shown.range.length()); // near enough to be read

        // The sentence above is about the same finding, and numbers lead to their screens.
        window.showScreen(MainWindow::overviewScreen);
        window.viewState().select(std::nullopt);
        LinkLabel& headline = window.overview().headlineLabel();
        QVERIFY(headline.isLink());
        QTest::keyClick(&headline, Qt::Key_Return);
        QCOMPARE(window.screenShown(), QString(MainWindow::timelineScreen));
        QCOMPARE(window.viewState().selection()->rank, 2);
        window.showScreen(MainWindow::overviewScreen);
        window.overview().follow(u"kernel_breakdown"_s);
        QCOMPARE(window.screenShown(), u"kernels"_s);
    }

    /// One finding a row; its sentence, and what could not be judged, one key or click away.
    void rowsOpen() {
        const auto opened = openedWindow(folder_.filePath(u"run"_s));
        QVERIFY(opened);
        MainWindow& window = *opened;
        window.showScreen(MainWindow::overviewScreen);
        FindingsTable& table = window.overview().findings();
        QTRY_VERIFY(table.count() > 0 && table.isVisible());
        const Findings& findings = window.shownAnalysis()->analysis->findings();
        QCOMPARE(table.count(), static_cast<int>(findings.list.size()));
        QCOMPARE(table.topLevelItem(0)->text(FindingsTable::whoColumn), u"rank 2"_s);
        QCOMPARE(table.topLevelItem(0)->text(FindingsTable::natureColumn), u"fault"_s);
        // Colour and bar are said as well.
        const auto described = [&](FindingsTable::Column column) {
            return table.topLevelItem(0)->data(column, Qt::AccessibleDescriptionRole).toString();
        };
        QCOMPARE(described(FindingsTable::natureColumn), u"fault of a rank, a link or the host"_s);
        QVERIFY2(described(FindingsTable::costColumn).endsWith(u" % of a step"_s),
                 qPrintable(described(FindingsTable::costColumn)));
        const int folded = table.height();
        const QRect first = table.visualItemRect(table.topLevelItem(0));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, {table.indentation() / 2, first.center().y()});
        QVERIFY(table.topLevelItem(0)->isExpanded());
        QVERIFY(table.height() > folded);
        QCOMPARE(window.screenShown(), QString(MainWindow::overviewScreen)); // the arrow opens, and leads nowhere
        QVERIFY(table.sentence(0).startsWith(messageText(findings.list[0].title)));
        QVERIFY(table.sentence(0).contains(u"What to do: "_s));
        table.setFocus();
        table.setCurrentItem(table.topLevelItem(0));
        QTest::keyClick(&table, Qt::Key_Left);
        QCOMPARE(table.height(), folded);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(window.screenShown(), QString(MainWindow::timelineScreen));

        window.showScreen(MainWindow::overviewScreen);
        FoldedText& unjudged = window.overview().notJudged();
        QVERIFY(unjudged.isVisible() && !unjudged.text().isEmpty() && !unjudged.body().isVisible());
        QTest::mouseClick(&unjudged.opener(), Qt::LeftButton);
        QVERIFY(unjudged.body().isVisible());
    }

    void theRightButtonOffersWhatCanBeDoneWithAFinding() {
        const auto opened = openedWindow(folder_.filePath(u"run"_s));
        QVERIFY(opened);
        MainWindow& window = *opened;
        window.showScreen(MainWindow::overviewScreen);
        FindingsTable& table = window.overview().findings();
        QTRY_VERIFY(table.count() > 0 && table.isVisible());
        const QPoint row = table.visualItemRect(table.topLevelItem(0)).center();
        const auto openMenu = [&] {
            QContextMenuEvent event(QContextMenuEvent::Mouse, row, table.viewport()->mapToGlobal(row));
            QApplication::sendEvent(table.viewport(), &event);
            return qobject_cast<QMenu*>(QApplication::activePopupWidget());
        };
        const auto click = [](QMenu* menu, const QString& words) {
            for (QAction* action : menu->actions())
                if (action->text() == words)
                    return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            QFAIL(qPrintable(words));
        };
        QMenu* menu = openMenu();
        QVERIFY(menu != nullptr);
        QStringList words;
        for (const QAction* action : menu->actions())
            if (!action->isSeparator())
                words << action->text();
        QCOMPARE(words, (QStringList{u"Show it in the &timeline"_s, u"&What if this were fixed?"_s, u"&Copy"_s,
                                     u"&Export…"_s}));
        click(menu, u"&Copy"_s);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 messageText(window.shownAnalysis()->analysis->findings().list[0].title));
        menu = openMenu();
        QVERIFY(menu != nullptr);
        click(menu, u"Show it in the &timeline"_s);
        QCOMPARE(window.screenShown(), QString(MainWindow::timelineScreen));
        QCOMPARE(window.viewState().selection()->rank, 2);
    }

private:
    QTemporaryDir folder_;
};

RANKSCOPE_GUI_TEST(TestFindingClick)

} // namespace rankscope::finding_click_test

#include "test_finding_click.moc"
