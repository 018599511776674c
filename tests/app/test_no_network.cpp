// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing leaves the machine. The kernel kills this process, and every program it starts, at the first socket that is
// not a local one (AF_UNIX: X11, Wayland and D-Bus are Qt's affair). So whatever passes here opened none: neither
// internet nor any other family.
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/run_program.h"
#include "widgets/timeline/timeline_view.h"

#ifdef __linux__
#include <csignal>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif
#include "tests/support/test_program.h"

namespace rankscope::no_network_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

bool guarded = false; ///< the kernel took the filter

#ifdef __linux__
void allow_only_local_sockets() {
    const auto offset = [](std::size_t at) { return static_cast<std::uint32_t>(at); };
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset(offsetof(seccomp_data, nr))),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offset(offsetof(seccomp_data, args))), // the family; its low half on little-endian machines
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
    guarded = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#endif

} // namespace

class TestNoNetwork : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void initTestCase() {
        if (!guarded)
            QSKIP("skipped: this system has no seccomp filters");
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
    }

#ifdef __linux__
    void theGuardKills_data() {
        QTest::addColumn<int>("family");
        QTest::addColumn<bool>("killed");
        QTest::newRow("AF_INET") << AF_INET << true;
        QTest::newRow("AF_INET6") << AF_INET6 << true;
        QTest::newRow("AF_UNIX") << AF_UNIX << false;
    }
    void theGuardKills() {
        QFETCH(const int, family);
        QFETCH(const bool, killed);
        const pid_t child = fork();
        if (child == 0) {
            ::socket(family, SOCK_STREAM, 0);
            _exit(0);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS, killed);
        QCOMPARE(WIFEXITED(status), !killed);
    }
#endif

    void batchOpensNoSocket_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("demo") << QStringList{u"--batch"_s, u"--demo"_s};
        QTest::newRow("report") << QStringList{u"--batch"_s, u"--demo"_s, u"--output"_s, folder_.filePath(u"report"_s)};
        QTest::newRow("metrics") << QStringList{u"--list-metrics"_s};
    }
    void batchOpensNoSocket() {
        QFETCH(const QStringList, arguments);
        const Outcome outcome = run_program(arguments);
        QCOMPARE(outcome.exit_code, 0);
        QVERIFY(!outcome.out.isEmpty());
    }

    /// ssh is a program of its own: this one only talks to it. Here it starts the other rankscope on this machine,
    /// which is guarded, too.
    void aRunElsewhereOpensNoSocket() {
        write_step_run(folder_.filePath(u"far"_s));
        write_file(folder_.filePath(u"bin/ssh"_s), "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
        QVERIFY(QFile::setPermissions(folder_.filePath(u"bin/ssh"_s), QFile::ReadOwner | QFile::ExeOwner));
        QVERIFY(QFile::link(QStringLiteral(RANKSCOPE_PROGRAM), folder_.filePath(u"bin/rankscope"_s)));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_.filePath(u"bin:"_s).toUtf8() + path);
        const Outcome outcome =
            run_program({u"--batch"_s, u"--no-cache"_s, u"ssh://host"_s + folder_.filePath(u"far"_s)});
        qputenv("PATH", path);
        QVERIFY2(outcome.exit_code == 0, outcome.err.constData());
    }

    void theWindowOpensNoSocket() {
        MainWindow window(GuiOptions{});
        window.show();
        window.openDemo(false);
        QTRY_VERIFY_WITH_TIMEOUT(window.shownAnalysis() != nullptr && !window.isBusy(), 60'000);
        for (const auto screen : {MainWindow::timelineScreen, MainWindow::compareScreen, MainWindow::overviewScreen}) {
            window.showScreen(screen);
            QTest::qWait(50);
        }
        window.commands().action(u"settings"_s)->trigger();
        QTest::qWait(50);
        window.close();
        QVERIFY(guarded); // and still alive
    }
};

#ifdef __linux__
// Sockets are forbidden before there is a second thread.
RANKSCOPE_GUI_TEST(TestNoNetwork, [](int, char**) -> std::optional<int> {
    allow_only_local_sockets();
    return std::nullopt;
})
#else
RANKSCOPE_GUI_TEST(TestNoNetwork)
#endif

} // namespace rankscope::no_network_test

#include "test_no_network.moc"
