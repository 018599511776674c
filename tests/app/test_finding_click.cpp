// SPDX-License-Identifier: GPL-3.0-or-later
// A click on a finding of the Overview leads to what shows it in the timeline.
#include <optional>

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "core/analysis/findings/findings.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/panels/findings_list.h"
#include "widgets/panels/link_label.h"
#include "widgets/panels/overview.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/view_state.h"

namespace rankscope::finding_click_test {
using namespace Qt::Literals::StringLiterals;

class TestFindingClick : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aClickOnAFindingShowsItsEvidence() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        SimulatorOptions options;
        options.dp = 4;
        options.steps = 3;
        options.faults = {Fault{FaultCause::slower_kernels, 2, 1.5, 0, Dimension::data}};
        const QString path = folder_.filePath(u"run"_s);
        QVERIFY(write_run(options, path.toStdString()).has_value());
        MainWindow window(GuiOptions{});
        window.resize(1280, 800);
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.openRun(path);
        QVERIFY(analysed.wait(60'000));
        window.showScreen(MainWindow::overviewScreen);
        FindingsList& list = window.overview().findings();
        QTRY_VERIFY(list.count() > 0 && list.isVisible());

        QTest::mouseMove(list.viewport(), list.visualItemRect(list.item(0)).center());
        QTRY_COMPARE(list.viewport()->cursor().shape(), Qt::PointingHandCursor);

        QSignalSpy activated(&list, &FindingsList::findingActivated);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
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
        QVERIFY(visible.begin <= shown.range.begin && visible.end >= shown.range.end);
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

private:
    QTemporaryDir folder_;
};

RANKSCOPE_GUI_TEST(TestFindingClick)

} // namespace rankscope::finding_click_test

#include "test_finding_click.moc"
