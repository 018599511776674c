// SPDX-License-Identifier: GPL-3.0-or-later
// A window that nobody works in holds few threads: work brings its own and takes them with it.
#include <QDir>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"

namespace rankscope::window_idle_test {
using namespace Qt::Literals::StringLiterals;

class TestWindowIdle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itsThreadsAreFew() {
        const QDir tasks(u"/proc/self/task"_s);
        if (!tasks.exists())
            QSKIP("skipped: the system does not tell the threads of a process there");
        QTemporaryDir folder;
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 4;
        options.steps = 4;
        for (const char* name : {"a", "b"})
            QVERIFY(write_run(options, folder.filePath(QString::fromLatin1(name)).toStdString()).has_value());
        const auto window = openedWindow(folder.filePath(u"a"_s));
        QVERIFY(window != nullptr);
        window->compareRuns({folder.filePath(u"a"_s), folder.filePath(u"b"_s)});
        for (const char* screen : {"timeline", "collectives", "kernels", "memory", "workers"}) {
            window->showScreen(QString::fromLatin1(screen));
            QTest::qWait(50);
        }
        // Its own, one for each core to compute with, and two of Qt's.
        const int few = 1 + QThread::idealThreadCount() + 2;
        const auto threads = [&tasks] {
            return static_cast<int>(tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size());
        };
        QTRY_VERIFY2_WITH_TIMEOUT(!window->isBusy() && threads() <= few, qPrintable(QString::number(threads())),
                                  60'000);
        qInfo("%d threads", threads());
    }
};

RANKSCOPE_GUI_TEST(TestWindowIdle)

} // namespace rankscope::window_idle_test

#include "test_window_idle.moc"
