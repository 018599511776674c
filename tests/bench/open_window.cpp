// SPDX-License-Identifier: GPL-3.0-or-later
// How the window bears the opening of a large run: time to the first lanes, time to all, and the longest time its
// thread was blocked meanwhile: rankscope_bench_open_window [GIGABYTES | RUN] Without a run of yours one is simulated
// into a temporary folder and removed. Wall times on a busy machine contain waiting for a core; "computing" is the
// thread's own processor time.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <execinfo.h>
#include <filesystem>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {
namespace {

constexpr std::int64_t kStallMs = 50;

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Notes how long each event takes that the thread handles: while it does, the window is blocked.
class WatchedApplication : public QApplication {
public:
    using QApplication::QApplication;
    struct Stall {
        double wallMs = 0;
        double cpuMs = 0;
        QByteArray what;
    };
    Stall longest;                          ///< by wall clock
    Stall longestComputed;                  ///< by processor time
    int stalls = 0;                         ///< events that took longer than kStallMs
    std::atomic<std::int64_t> busySince{0}; ///< ms; 0: waiting for events

    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_++ > 0) {
            const bool done = QApplication::notify(receiver, event);
            --depth_;
            return done;
        }
        const QByteArray what =
            QByteArray(receiver->metaObject()->className()) + " event " + QByteArray::number(event->type());
        QElapsedTimer clock;
        clock.start();
        const double cpu = threadSeconds();
        busySince = nowMs();
        const bool done = QApplication::notify(receiver, event);
        busySince = 0;
        --depth_;
        const Stall stall{static_cast<double>(clock.nsecsElapsed()) / 1e6, (threadSeconds() - cpu) * 1e3, what};
        stalls += stall.wallMs > static_cast<double>(kStallMs) ? 1 : 0;
        if (stall.wallMs > longest.wallMs)
            longest = stall;
        if (stall.cpuMs > longestComputed.cpuMs)
            longestComputed = stall;
        return done;
    }

private:
    int depth_ = 0;
};

void print(const char* name, const WatchedApplication::Stall& stall) {
    std::printf("  %-30s %8.1f ms (computing %.1f ms) in %s\n", name, stall.wallMs, stall.cpuMs,
                stall.what.constData());
}

/// With RANKSCOPE_STALL_TRACE set: where the window's thread is when it is blocked too long.
void traceStalls(WatchedApplication& application, const std::stop_token& stop, pthread_t thread) {
    std::int64_t told = 0;
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::int64_t since = application.busySince;
        if (since == 0 || since == told || nowMs() - since < kStallMs)
            continue;
        told = since;
        pthread_kill(thread, SIGUSR1);
    }
}

void printStack(int) {
    void* frames[40];
    backtrace_symbols_fd(frames, backtrace(frames, 40), 2);
    static_cast<void>(!write(2, "--\n", 3));
}

std::uint64_t bytesIn(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        bytes += entry.is_regular_file() ? entry.file_size() : 0;
    return bytes;
}

/// 8 ranks; steps as many as make the size, known from a run of two.
bool writeRun(const std::filesystem::path& folder, double gigabytes) {
    SimulatorOptions options;
    options.dp = 4;
    options.tp = 2;
    options.layers = 8;
    options.cpu_detail = 3;
    options.steps = 2;
    const std::filesystem::path probe = folder / "probe";
    if (!write_run(options, probe))
        return false;
    options.steps = std::max(2, static_cast<int>(gigabytes * 1e9 / static_cast<double>(bytesIn(probe)) * 2));
    std::filesystem::remove_all(probe);
    return write_run(options, folder / "run").has_value();
}

int openAndWatch(WatchedApplication& application, const QString& path) {
    MainWindow window(GuiOptions{});
    window.resize(1280, 800);
    window.show();
    window.showScreen(MainWindow::timelineScreen);
    QElapsedTimer clock;
    qint64 firstLanes = -1; // drawn, not only read
    qint64 allRead = -1;
    std::size_t ranksAtFirst = 0;
    const auto lookForLanes = [&] {
        const auto& indexes = window.timeline().scene().indexes;
        if (firstLanes < 0 && std::ranges::any_of(
                                  indexes, [](const auto& index) { return index != nullptr; })) {
            firstLanes = clock.elapsed();
            ranksAtFirst = indexes.size();
        }
    };
    QObject::connect(&window, &MainWindow::runOpened, &window, [&] { allRead = clock.elapsed(); });
    bool failed = false;
    QObject::connect(&window, &MainWindow::openFailed, &window, [&] { failed = true; });
    QCoreApplication::processEvents();
    application.longest = application.longestComputed = {};
    application.stalls = 0;
    clock.start();
    window.addPaths({path});
    window.showScreen(MainWindow::timelineScreen);
    while (!failed && (window.isBusy() || !window.timeline().isReady())) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        lookForLanes();
    }
    if (failed)
        return 1;
    const auto& run = *window.viewState().run();
    std::printf("%zu ranks, %llu events, %.2f GB\n", run.ranks.size(),
                static_cast<unsigned long long>(run.event_count()), static_cast<double>(run.file_bytes()) / 1e9);
    std::printf("  %-30s %8lld ms, %zu of %zu ranks\n", "first lanes", static_cast<long long>(firstLanes), ranksAtFirst,
                run.ranks.size());
    std::printf("  %-30s %8lld ms\n", "all ranks", static_cast<long long>(allRead));
    std::printf("  %-30s %8lld ms\n", "analysed and drawn", static_cast<long long>(clock.elapsed()));
    print("longest stall", application.longest);
    print("most computing", application.longestComputed);
    std::printf("  %-30s %8d\n", "stalls above 50 ms", application.stalls);
    return 0;
}

} // namespace
} // namespace rankscope

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir folder;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path()); // never the user's own
    rankscope::WatchedApplication application(argc, argv);
    std::jthread watchdog;
    if (qEnvironmentVariableIsSet("RANKSCOPE_STALL_TRACE")) {
        std::signal(SIGUSR1, rankscope::printStack);
        watchdog = std::jthread([&application, thread = pthread_self()](const std::stop_token& stop) {
            rankscope::traceStalls(application, stop, thread);
        });
    }
    const QString argument = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("1");
    bool isSize = false;
    const double gigabytes = argument.toDouble(&isSize);
    if (!isSize)
        return rankscope::openAndWatch(application, argument);
    if (!rankscope::writeRun(folder.path().toStdString(), gigabytes)) {
        std::fprintf(stderr, "the run cannot be written to %s\n", qPrintable(folder.path()));
        return 1;
    }
    return rankscope::openAndWatch(application, folder.filePath(QStringLiteral("run")));
}
