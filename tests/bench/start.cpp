// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_bench_start [--demo]: cold starts of the window. Each start is a process of its own that times itself from
// its creation by the kernel: to the first frame of the empty window that takes input; with the demo, to its timeline
// drawn with all ranks and classes. Without QT_QPA_PLATFORM it opens on the display; offscreen leaves out the display
// server only.
#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>

#include <ctime>
#include <fmt/format.h>
#include <unistd.h>

#include "app/command/demo_runs.h"
#include "app/settings/preferences.h"
#include "app/window/main_window.h"
#include "widgets/timeline/timeline_view.h"

using namespace rankscope;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kStarts = 11;

/// Since the kernel created this process: /proc/self/stat has it in ticks since the system's start, after the name in
/// brackets.
double millisecondsAlive() {
    QFile stat(u"/proc/self/stat"_s);
    if (!stat.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray line = stat.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    const double created = fields.value(19).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return 1000 * (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - created);
}

int startOnce(int argc, char** argv, bool demo) {
    QTemporaryDir settings; // never the user's own
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    const Preferences preferences = loadPreferences();
    QApplication application(argc, argv);
    applyAppearance(preferences);
    MainWindow window(GuiOptions{});
    window.show();
    const auto done = [&] {
        fmt::print("{:.1f}\n", millisecondsAlive());
        std::fflush(stdout);
        QCoreApplication::exit(0);
    };
    if (!demo) {
        // Behind the first paint in the queue: the window has been drawn and takes events.
        QTimer::singleShot(0, &window, [&] {
            window.grab();
            QTimer::singleShot(0, &window, done);
        });
        return application.exec();
    }
    QTimer waiting;
    QObject::connect(&waiting, &QTimer::timeout, &window, [&] {
        if (window.isBusy() || !window.timeline().isReady())
            return;
        waiting.stop();
        window.grab();
        done();
    });
    QObject::connect(&window, &MainWindow::runOpened, &window, [&] {
        window.showScreen(MainWindow::timelineScreen);
        waiting.start(2);
    });
    window.openDemo(false);
    return application.exec();
}

void report(const char* what, const QString& program, const QStringList& arguments, double goal) {
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        QProcess process;
        process.start(program, arguments);
        if (!process.waitForFinished(60'000) || process.exitCode() != 0)
            return fmt::print("{}: a start failed: {}\n", what, process.readAllStandardError().toStdString());
        times.push_back(process.readAllStandardOutput().toDouble());
    }
    std::ranges::sort(times);
    fmt::print("{:<28} min {:6.0f} ms  median {:6.0f} ms  max {:6.0f} ms  goal {:.0f} ms\n", what, times.front(),
               times[times.size() / 2], times.back(), goal);
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && QByteArrayView(argv[1]) == "once")
        return startOnce(argc, argv, false);
    if (argc == 2 && QByteArrayView(argv[1]) == "once-demo")
        return startOnce(argc, argv, true);
    QCoreApplication application(argc, argv);
    const QString self = QCoreApplication::applicationFilePath();
    report("empty window", self, {u"once"_s}, 300);
    report("the demo's timeline", self, {u"once-demo"_s}, 800);
    return 0;
}
