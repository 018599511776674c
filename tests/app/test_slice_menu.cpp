// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of a slice: by mouse and by key, on the real window.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/slice_menu.h"
#include "core/analysis/collectives/collectives.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/panels/query_panel.h"
#include "widgets/timeline/name_filter_bar.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::slice_menu_test {
using namespace Qt::Literals::StringLiterals;

namespace {

QAction* actionOf(const QMenu& menu, const QString& words) {
    for (QAction* action : menu.actions())
        if (QString(action->text()).remove(u'&').contains(words))
            return action;
    return nullptr;
}

QMenu* subMenuOf(const QMenu& menu, const QString& words) {
    QAction* action = actionOf(menu, words);
    return action == nullptr ? nullptr : action->menu();
}

} // namespace

class TestSliceMenu : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        QVERIFY(write_run(options, run().toStdString()).has_value());
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        window_ = openedWindow(run());
        QVERIFY(window_);
        window_->showScreen(MainWindow::timelineScreen);
    }
    void cleanup() { window_.reset(); }

    void menuKeyOffersWhatCanBeDone() {
        window_->viewState().select(kernel(u"gemm"_s));
        SliceMenu* menu = openByKey();
        QVERIFY(menu != nullptr);
        for (const QString& words :
             {u"Fit selection"_s, u"Mark as range"_s, u"Next of this name"_s, u"Previous of this name"_s,
              u"Copy name"_s, u"Treat these kernels as"_s, u"Export…"_s})
            QVERIFY2(actionOf(*menu, words) != nullptr, qPrintable(words));
        QVERIFY(subMenuOf(*menu, u"other ranks"_s) == nullptr); // a gemm is no call
        actionOf(*menu, u"Copy name"_s)->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"gemm"_s));
        const EventRef before = *window_->viewState().selection();
        actionOf(*menu, u"Next of this name"_s)->trigger();
        QTRY_VERIFY(window_->viewState().selection() != before);
        const EventRef after = *window_->viewState().selection();
        QCOMPARE(nameOf(after), nameOf(before));
    }

    /// The name used to end in the middle of a letter where the menu was narrower.
    void theNameAboveTheMenuFitsIntoIt() {
        window_->viewState().select(kernel(u"AllReduce"_s));
        SliceMenu* menu = openByKey();
        QVERIFY(menu != nullptr);
        const QAction* section = menu->actions().front();
        QVERIFY(section->isSeparator() && !section->text().isEmpty());
        QVERIFY(menu->fontMetrics().horizontalAdvance(section->text()) <= menu->width());
    }

    void allOfANameAreOpenedInTheQueryPanel() {
        window_->viewState().select(kernel(u"gemm"_s));
        SliceMenu* menu = openByKey();
        actionOf(*menu, u"in Query"_s)->trigger();
        auto* query = window_->findChild<QueryPanel*>();
        QTRY_VERIFY(query->isVisible() && !query->isBusy() && query->model().rowCount() > 0);
        QCOMPARE(nameOf(*query->eventOfRow(0)), nameOf(*window_->viewState().selection()));
    }

    void aNameIsShownAloneOrHiddenAndComesBack() {
        const EventRef gemm = kernel(u"gemm"_s);
        const std::string name = nameOf(gemm).toStdString();
        window_->viewState().select(gemm);
        SliceMenu* menu = openByKey();
        actionOf(*menu, u"only this name"_s)->trigger();
        QCOMPARE(window_->timeline().arrangement().names, (SliceNameFilter{name, {}}));
        QVERIFY(window_->timeline().findChild<NameFilterBar*>()->isVisible());
        menu->close();
        menu = openByKey();
        QVERIFY(actionOf(*menu, u"only this name"_s)->isChecked());
        actionOf(*menu, u"only this name"_s)->trigger();
        actionOf(*menu, u"Hide this name"_s)->trigger();
        QCOMPARE(window_->timeline().arrangement().names, (SliceNameFilter{{}, {name}}));
        menu->close();
        menu = openByKey();
        actionOf(*menu, u"Show all names"_s)->trigger();
        QVERIFY(!window_->timeline().arrangement().names.isOn());
    }

    void aCallLeadsToItsOtherRanks() {
        const EventRef call = kernel(u"AllReduce"_s);
        window_->viewState().select(call);
        SliceMenu* menu = openByKey();
        QMenu* others = subMenuOf(*menu, u"other ranks"_s);
        QVERIFY(others != nullptr);
        QVERIFY(!others->actions().isEmpty());
        QVERIFY2(others->actions().front()->text().contains(u"starts"_s),
                 qPrintable(others->actions().front()->text()));
        others->actions().front()->trigger();
        const EventRef other = *window_->viewState().selection();
        QVERIFY(other.rank != call.rank);
        QCOMPARE(nameOf(other), nameOf(call));
        // The trace says that it is communication: no rule of the user's changes that.
        QVERIFY(!subMenuOf(*menu, u"Treat"_s)->isEnabled());
    }

    void kernelsCanBeTreatedAsCommunicationAndBack() {
        const EventRef gemm = kernel(u"gemm"_s);
        const std::string name = nameOf(gemm).toStdString();
        window_->viewState().select(gemm);
        SliceMenu* menu = openByKey();
        QMenu* classes = subMenuOf(*menu, u"Treat"_s);
        QVERIFY(actionOf(*classes, u"Computation"_s)->isChecked());
        QVERIFY(!actionOf(*classes, u"their names"_s)->isEnabled());
        actionOf(*classes, u"Communication"_s)->trigger();
        const auto& inForce = window_->viewState().classes();
        QCOMPARE(inForce.own().size(), std::size_t{1});
        QCOMPARE(inForce.class_of(EventKind::kernel, name), KernelClass::communication);
        QTRY_VERIFY(window_->viewState().run() != nullptr);
        menu->close();
        window_->viewState().select(gemm);
        menu = openByKey();
        classes = subMenuOf(*menu, u"Treat"_s);
        QVERIFY(actionOf(*classes, u"Communication"_s)->isChecked());
        actionOf(*classes, u"their names"_s)->trigger();
        QVERIFY(inForce.own().empty());
        QCOMPARE(inForce.class_of(EventKind::kernel, name), KernelClass::compute);
    }

private:
    [[nodiscard]] QString run() const { return folder_.filePath(u"run"_s); }
    QString nameOf(const EventRef& event) const {
        const RankTrace* trace = window_->viewState().trace(event.rank);
        return QString::fromStdString(std::string(trace->event_name(event.event)));
    }
    /// The first kernel of rank 0 whose name has these words.
    EventRef kernel(const QString& words) const {
        const RankTrace* trace = window_->viewState().trace(0);
        for (EventIndex e = 0; e < trace->events.gpu_count; ++e)
            if (nameOf({0, e}).contains(words, Qt::CaseInsensitive))
                return {0, e};
        return {};
    }
    SliceMenu* openByKey() {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QCoreApplication::sendEvent(&window_->timeline(), &event);
        const auto menus = window_->findChildren<SliceMenu*>();
        return menus.isEmpty() ? nullptr : menus.back();
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestSliceMenu)

} // namespace rankscope::slice_menu_test

#include "test_slice_menu.moc"
