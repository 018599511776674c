// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on another machine in the window: the dialog, what is told meanwhile, recent runs, cancel.
#include <QAbstractButton>
#include <QDialog>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "app/window/main_window.h"
#include "app/window/recent_runs.h"
#include "app/window/remote_dialog.h"
#include "core/demo/run_simulator.h"
#include "tests/app/ssh_server.h"
#include "tests/support/test_program.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::remote_window_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestRemoteWindow : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<SshServer> server_;
    QString reason_;
    QString run_;

    [[nodiscard]] static RemoteDialog* dialogOf(MainWindow& window) {
        window.commands().action(u"open-remote"_s)->trigger();
        return window.findChild<RemoteDialog*>();
    }
    static void submit(RemoteDialog& dialog, const QString& text) {
        dialog.field().setText(text);
        QTest::keyClick(&dialog.field(), Qt::Key_Return);
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        qputenv("XDG_CACHE_HOME", folder_.filePath(u"cache"_s).toUtf8());
        server_ = std::make_unique<SshServer>();
        reason_ = server_->start();
        qputenv("PATH", server_->path("near_bin").toUtf8() + ":" + qgetenv("PATH"));
        run_ = folder_.filePath(u"far/my run"_s);
        SimulatorOptions options;
        options.dp = 4;
        options.layers = 3;
        options.cpu_detail = 2;
        QVERIFY(write_run(options, run_.toStdString()));
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        server_->installProgram();
        if (reason_.isEmpty())
            server_->useSsh();
    }

    void theDialogTakesAddressesAndNothingElse_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("address");
        QTest::newRow("address") << u" ssh://ann@login:22/data/run "_s << u"ssh://ann@login:22/data/run"_s;
        QTest::newRow("as scp has it") << u"ann@login:/data/my run"_s << u"ssh://ann@login/data/my run"_s;
        QTest::newRow("no path") << u"ssh://login"_s << QString();
        QTest::newRow("a local path") << u"/data/run"_s << QString();
        QTest::newRow("an option") << u"-oProxyCommand=x:/data"_s << QString();
        QTest::newRow("nothing") << QString() << QString();
    }
    void theDialogTakesAddressesAndNothingElse() {
        QFETCH(const QString, text);
        QFETCH(const QString, address);
        RemoteDialog dialog({});
        const QSignalSpy wanted(&dialog, &RemoteDialog::wanted);
        dialog.show();
        submit(dialog, text);
        QCOMPARE(wanted.size(), address.isEmpty() ? 0 : 1);
        QCOMPARE(dialog.problem().isEmpty(), !address.isEmpty());
        QCOMPARE(dialog.isVisible(), address.isEmpty());
        if (!address.isEmpty())
            QCOMPARE(wanted[0][0].toString(), address);
    }

    void aRunIsFetchedAndOpened() {
        if (!reason_.isEmpty())
            QSKIP(qPrintable(reason_));
        MainWindow window(GuiOptions{});
        window.show();
        const QString address = server_->address(run_);
        submit(*dialogOf(window), address);
        QTRY_VERIFY_WITH_TIMEOUT(window.shownAnalysis() != nullptr && !window.isBusy(), kPatience);
        QCOMPARE(window.openPath(), address);
        const Run& run = *window.viewState().run();
        QCOMPARE(run.ranks.size(), std::size_t{4});
        QVERIFY(run.ranks[0]->digest);
        QCOMPARE(window.windowTitle(), u"my run – Rankscope"_s);
        QVERIFY(RecentRuns().paths().contains(address));
        // The threads of a rank: its whole trace comes.
        window.showScreen(MainWindow::timelineScreen);
        QTRY_VERIFY(window.timeline().isReady());
        window.timeline().toggleFold(LaneId::ofGroup(2, LaneGroup::threads));
        QTRY_VERIFY_WITH_TIMEOUT(!window.viewState().run()->rank(2)->digest, kPatience);
        QVERIFY(window.viewState().run()->rank(1)->digest);
        QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), kPatience);
        window.close();
        // A window that starts makes no connection.
        MainWindow later(GuiOptions{});
        later.reopenRuns();
        QTest::qWait(200);
        QVERIFY(later.openPath().isEmpty());
    }

    void aDeadHostIsWaitedForAndCancelled() {
        const SilentPort dead;
        if (!reason_.isEmpty())
            QSKIP(qPrintable(reason_));
        MainWindow window(GuiOptions{});
        window.show();
        submit(*dialogOf(window), u"ssh://127.0.0.1:%1/run"_s.arg(dead.port()));
        auto* bar = window.findChild<LoadBar*>();
        QTRY_VERIFY(bar->what().startsWith(u"Connecting"_s));
        QElapsedTimer time; // the window goes on meanwhile
        time.start();
        QTest::qWait(300);
        QVERIFY(time.elapsed() < 2000);
        window.commands().action(u"cancel-reading"_s)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 5000);
        QVERIFY(bar->isHidden());
    }

    void whatGoesWrongIsOneLine() {
        if (!reason_.isEmpty())
            QSKIP(qPrintable(reason_));
        MainWindow window(GuiOptions{});
        window.show();
        submit(*dialogOf(window), server_->address(u"/nowhere"_s));
        QTRY_VERIFY_WITH_TIMEOUT(window.notices().line().contains(u"/nowhere does not exist"_s), kPatience);
    }

    void theProgramIsCopiedOnlyAfterAYes() {
        if (!reason_.isEmpty())
            QSKIP(qPrintable(reason_));
        server_->installScript({});
        MainWindow window(GuiOptions{});
        window.show();
        submit(*dialogOf(window), server_->address(run_));
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QMessageBox*>() != nullptr, kPatience);
        auto* box = window.findChild<QMessageBox*>();
        QVERIFY(box->text().contains(u"has no rankscope"_s));
        box->button(QMessageBox::No)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), kPatience);
        QVERIFY(!QFile::exists(server_->path("far_cache/rankscope/bin")));
    }
};

RANKSCOPE_GUI_TEST(TestRemoteWindow)

} // namespace rankscope::remote_window_test

#include "test_remote_window.moc"
