// SPDX-License-Identifier: GPL-3.0-or-later
// A run is closed at the worst moment: while it is read, analysed, compared, exported, drawn. The others stay, and
// nothing is left of it.
#include <memory>
#include <optional>

#include <QAction>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#ifdef __SANITIZE_ADDRESS__
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(); // its header is not among Debian's
#else
#include <malloc.h>
#endif

#include "app/window/export_controller.h"
#include "app/window/export_dialog.h"
#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::run_lifetime_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
constexpr int kMoments = 8;

/// Bytes that are allocated; the sanitizer has an allocator of its own.
qint64 in_use() {
#ifdef __SANITIZE_ADDRESS__
    return static_cast<qint64>(__sanitizer_get_current_allocated_bytes());
#else
    const auto heap = mallinfo2();
    return static_cast<qint64>(heap.uordblks + heap.hblkhd);
#endif
}
} // namespace

class TestRunLifetime : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        for (const char* home : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            qputenv(home, folder_.path().toUtf8());
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 3;
        QVERIFY(write_run(options, path("kept").toStdString()).has_value());
        options.pp = 2;
        options.steps = 6;
        QVERIFY(write_run(options, path("closed").toStdString()).has_value());
    }
    void init() {
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->resize(1280, 800);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        open("kept");
    }
    void cleanup() { window_.reset(); }

    /// At moments that lie between the start and well after the end of reading and analysing.
    void whileItIsReadOrAnalysed() {
        for (int moment = 0; moment < kMoments; ++moment) {
            window_->addPaths({path("closed")});
            QTRY_VERIFY_WITH_TIMEOUT(window_->runs().runPaths().contains(path("closed")), kPatience);
            QTest::qWait(moment * 15);
            close("closed");
            verifyTheOtherIsThere();
        }
    }

    void whileItIsCompared() {
        for (int moment = 0; moment < kMoments; ++moment) {
            window_->addPaths({path("kept"), path("closed")}, MainWindow::Opening::compare);
            QTRY_VERIFY_WITH_TIMEOUT(window_->runs().runPaths().contains(path("closed")), kPatience);
            QTest::qWait(moment * 25);
            close(moment % 2 == 0 ? "closed" : "kept");
            QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
            QVERIFY(!window_->grab().isNull());
            open("kept");
            close("closed");
            verifyTheOtherIsThere();
        }
    }

    /// The dialog asks what to export; meanwhile the run goes.
    void whileItIsExported() {
        open("closed");
        QAction* exporting = window_->commands().action(u"export"_s);
        QVERIFY(exporting->isEnabled());
        exporting->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->list().count() > 1);
        std::optional<Exportable> wanted;
        connect(dialog, &ExportDialog::wanted, dialog, [&wanted](const Exportable& item) { wanted = item; });
        disconnect(dialog, &ExportDialog::wanted, &window_->exports(), nullptr); // it would ask for a file
        dialog->list().setCurrentRow(dialog->list().count() - 1);
        close("closed");
        auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QVERIFY(buttons != nullptr);
        Q_EMIT buttons->accepted();
        QTRY_VERIFY(wanted.has_value());
        // A plot of what is on screen now, or a line that says why not; never that of a run that is gone.
        const QString file = folder_.filePath(u"plot.png"_s);
        const QString problem = exportTo(*wanted, file);
        QVERIFY(problem.isEmpty() == QFile::exists(file));
        verifyTheOtherIsThere();
    }

    void whileItIsDrawn() {
        window_->showScreen(MainWindow::timelineScreen);
        for (int moment = 0; moment < kMoments; ++moment) {
            open("closed");
            for (int i = 0; i <= moment % 4; ++i) {
                const TimeRange visible = window_->viewState().visibleRange();
                window_->viewState().setVisibleRange(
                    {visible.begin, visible.begin + std::max<TimeNs>(visible.length() / 2, 1000)});
                window_->timeline().repaint();
            }
            QTest::qWait(moment);
            close("closed");
            window_->timeline().repaint();
            verifyTheOtherIsThere();
        }
    }

    /// Thirty openings more take no more memory, but for a run or two that a task still holds and what allocators keep.
    void openedAndClosedOverAndOverItLeavesNothing() {
        const auto openAndClose = [this](int times) {
            for (int i = 0; i < times; ++i) {
                open("closed");
                close("closed");
            }
            QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        };
        openAndClose(5);
        const qint64 before = in_use();
        open("closed");
        const qint64 of_one = in_use() - before;
        if (of_one == 0)
            QSKIP("skipped: the allocator does not tell what is in use (a sanitizer's own)");
        openAndClose(30);
        // Tasks of closed runs let go of them when they end.
        const auto grown = [before] { return in_use() - before; };
        QTRY_VERIFY2_WITH_TIMEOUT(grown() < 5 * of_one, qPrintable(u"%1 bytes, one run: %2"_s.arg(grown()).arg(of_one)),
                                  kPatience);
    }

private:
    void open(const char* name) {
        QSignalSpy analysed(window_.get(), &MainWindow::runAnalysed);
        window_->addPaths({path(name)});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->openPath() == path(name), kPatience);
    }
    void close(const char* name) { Q_EMIT window_->runsPanel().removeRequested(path(name)); }
    void verifyTheOtherIsThere() {
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        QCOMPARE(window_->runs().runPaths(), QStringList{path("kept")});
        QCOMPARE(window_->openPath(), path("kept"));
        QVERIFY(window_->shownAnalysis() != nullptr);
        QVERIFY(!window_->grab().isNull());
    }
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestRunLifetime)

} // namespace rankscope::run_lifetime_test

#include "test_run_lifetime.moc"
