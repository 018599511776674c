// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels, Memory and What if in the whole window: reached by keys, linked to the timeline, exported.
#include <memory>

#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include "app/window/export.h"
#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/charts/flame_graph.h"
#include "widgets/module_tree.h"
#include "widgets/panels/findings_table.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/search_panel.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/screens/kernels_screen.h"
#include "widgets/screens/memory_screen.h"

namespace rankscope::kernels_and_memory_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestKernelsAndMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A module, one inside it, one beside: as deep as their paths, and found by a part of their names.
    void aTreeOfModules() {
        ModuleTree tree(u"Modules"_s);
        tree.setRows({u"Module"_s, u"Total"_s}, {},
                     {{"M_0", 1, {u"9"_s}}, {"A<b>_1", 2, {u"4"_s}}, {"L_0", 3, {u"1"_s}}, {"Z_0", 1, {u"2"_s}}});
        QCOMPARE(tree.topLevelItemCount(), 2);
        const QTreeWidgetItem* inner = tree.topLevelItem(0)->child(0);
        QCOMPARE(inner->text(0), u"A<b>_1"_s);
        QCOMPARE(inner->text(1), u"4"_s);
        QCOMPARE(inner->childCount(), 1);
        tree.setFilter(u"l_"_s);
        QVERIFY(tree.topLevelItem(1)->isHidden() && !inner->isHidden() && !inner->child(0)->isHidden());
        tree.setFilter({});
        QVERIFY(!tree.topLevelItem(1)->isHidden());
    }

    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 2;
        QVERIFY(write_run(options, folder_.filePath(u"run"_s).toStdString()).has_value());
    }
    void init() {
        QDir(folder_.filePath(u"settings"_s)).removeRecursively();
        window_ = openedWindow(folder_.filePath(u"run"_s));
        QVERIFY(window_);
    }
    void cleanup() { window_.reset(); }

    void allInstancesOfAKernelAreMarkedInTheTimeline() {
        KernelsScreen* screen = showKernels();
        QTableView& table = screen->kernelTable();
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, 0));
        const KernelRow& kernel =
            screen->contents()->kernels[0]; // the table starts with the most time, as the list does
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(window_->screenShown(), QString(MainWindow::timelineScreen));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->searchPanel().isBusy(), kPatience);
        QVERIFY(window_->viewState().searchHits() != nullptr);
        QCOMPARE(window_->viewState().searchHits()->count, static_cast<std::size_t>(kernel.time.count));
        QTRY_VERIFY(window_->viewState().selection().has_value());
        const EventRef first = *window_->viewState().selection();
        QCOMPARE(window_->viewState().trace(first.rank)->events.name[first.event], kernel.name);
    }
    void soAreThoseOfABoxOfTheFlameGraph() {
        KernelsScreen* screen = showKernels();
        screen->showTab(KernelsScreen::operatorsTab);
        QTest::qWait(50);
        FlameGraph& flames = screen->flames();
        QVERIFY(flames.boxes().size() > 3);
        QTest::mouseClick(&flames, Qt::RightButton, {}, flames.rectOf(flames.boxes()[1]).center().toPoint());
        const NameId name = screen->contents()->tree.nodes[*flames.current()].name;
        flames.actions().front()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->searchPanel().isBusy() && window_->viewState().selection().has_value(),
                                 kPatience);
        const EventRef first = *window_->viewState().selection();
        QCOMPARE(window_->viewState().trace(first.rank)->events.name[first.event], name);
    }
    void tablesAndPlotsAreExportedByName() {
        KernelsScreen* screen = showKernels();
        QVERIFY(titles().contains(u"Kernels"_s));
        screen->showTab(KernelsScreen::operatorsTab);
        QVERIFY(titles().contains(u"Operators"_s));
        QVERIFY(titles().contains(u"Flame graph of operators"_s));
        const Exportable flames = exportableAt(&screen->flames());
        for (const char* ending : {"png", "svg", "pdf"}) {
            const QString file = folder_.filePath(u"flames."_s + QString::fromLatin1(ending));
            QCOMPARE(exportTo(flames, file), QString());
            QVERIFY(QFileInfo(file).size() > 1000);
        }
        screen->showTab(KernelsScreen::launchesTab);
        QVERIFY(titles().contains(u"Launch delays"_s));
        window_->showScreen(u"memory"_s);
        QTRY_VERIFY_WITH_TIMEOUT(window_->analysisScreen(u"memory"_s)->isReady(), kPatience);
        QVERIFY(titles().contains(u"Memory over time"_s));
        QVERIFY(titles().contains(u"Live memory by operator"_s));
    }
    void memoryOfASimulatedRunIsOfItsOperators() {
        QTest::keyClick(window_.get(), Qt::Key_7, Qt::ControlModifier);
        auto* screen = qobject_cast<MemoryScreen*>(window_->analysisScreen(u"memory"_s));
        QTRY_VERIFY_WITH_TIMEOUT(screen->isReady() && !screen->isLooking(), kPatience);
        QCOMPARE(screen->message(), QString());
        QVERIFY(screen->live()->addresses);
        QVERIFY(!screen->live()->blocks.empty());
        const LiveBlocksOf& blocks = screen->live()->blocks[0]; // the simulator's are all of one size
        QCOMPARE(blocks.bytes, blocks.count * blocks.largest);
        QVERIFY(blocks.largest_call != kNoEvent);
        QVERIFY(screen->words().contains(u"its peak"_s));
    }
    void aFindingLeadsToWhatIfItWereFixed() {
        FindingsTable& findings = window_->overview().findings();
        WhatIfPanel& panel = window_->overview().whatIf();
        for (int row = 0; row < findings.count() && panel.changes().isEmpty(); ++row) {
            findings.setCurrentItem(findings.topLevelItem(row));
            findings.setFocus();
            QTest::keyClick(&findings, Qt::Key_W);
        }
        QVERIFY(panel.isOpen());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy() && panel.prediction().has_value(), kPatience);
        QVERIFY(panel.prediction()->predicted < panel.prediction()->measured);
    }

private:
    KernelsScreen* showKernels() {
        QTest::keyClick(window_.get(), Qt::Key_6, Qt::ControlModifier);
        auto* screen = qobject_cast<KernelsScreen*>(window_->analysisScreen(u"kernels"_s));
        const bool ready = QTest::qWaitFor([&] { return screen->isReady(); }, kPatience);
        return ready ? screen : nullptr;
    }
    QStringList titles() const {
        QStringList found;
        for (const Exportable& item : exportables(*window_))
            found << item.title;
        return found;
    }
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestKernelsAndMemory)

} // namespace rankscope::kernels_and_memory_test

#include "test_kernels_and_memory.moc"
