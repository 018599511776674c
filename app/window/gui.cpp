// SPDX-License-Identifier: GPL-3.0-or-later
// The window's entry point.
#include "app/window/gui.h"

#include <QApplication>
#include <QFileOpenEvent>
#include <QIcon>
#include <QSocketNotifier>

#include <csignal>
#include <unistd.h>

#include "app/window/main_window.h"
#include "core/base/worker_threads.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// macOS does not name a double-clicked file on the command line but in an event.
class FileOpener : public QObject {
public:
    explicit FileOpener(MainWindow& window) : QObject(&window), window_(window) {}

    bool eventFilter(QObject* target, QEvent* event) override {
        if (event->type() != QEvent::FileOpen)
            return QObject::eventFilter(target, event);
        window_.addPaths({static_cast<QFileOpenEvent*>(event)->file()});
        return true;
    }

private:
    MainWindow& window_;
};

int quitPipe[2] = {-1, -1};

void askToQuit(int) {
    const ssize_t written = ::write(quitPipe[1], "q", 1); // all that a signal handler may do
    static_cast<void>(written);
}

/// Ended from outside (logout, Ctrl+C in the terminal) the window closes as by hand: sessions are kept, the demo's
/// folder goes. A second signal ends the program at once.
void quitOnSignals(QApplication& application) {
    if (::pipe(quitPipe) != 0)
        return;
    auto* notifier = new QSocketNotifier(quitPipe[0], QSocketNotifier::Read, &application);
    QObject::connect(notifier, &QSocketNotifier::activated, notifier, [notifier] {
        notifier->setEnabled(false);
        QApplication::closeAllWindows();
        QApplication::quit();
    });
    struct sigaction action = {};
    action.sa_handler = askToQuit;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

} // namespace

int run_gui(QApplication& application, const GuiOptions& options) {
    QApplication::setApplicationDisplayName(u"Rankscope"_s);
    QApplication::setDesktopFileName(u"org.rankscope.Rankscope"_s);
    start_worker_threads();
    MainWindow window(options);
    QApplication::setWindowIcon(QIcon(u":/rankscope/rankscope.svg"_s));
    quitOnSignals(application);
    application.installEventFilter(new FileOpener(window));
    window.show();
    QStringList paths;
    for (const auto& path : options.paths)
        paths << QString::fromStdString(path.string());
    if (!paths.isEmpty())
        window.addPaths(paths, MainWindow::Opening::compare);
    if (options.demo)
        window.openDemo();
    if (paths.isEmpty() && !options.demo)
        window.reopenRuns();
    return application.exec();
}

} // namespace rankscope
