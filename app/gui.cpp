// SPDX-License-Identifier: GPL-3.0-or-later
// The window's entry point.
#include "app/gui.h"

#include <QApplication>
#include <QFileOpenEvent>
#include <QIcon>

#include "app/main_window.h"

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

} // namespace

int run_gui(QApplication& application, const GuiOptions& options) {
    QApplication::setApplicationDisplayName(u"Rankscope"_s);
    QApplication::setDesktopFileName(u"org.rankscope.Rankscope"_s);
    MainWindow window(options);
    QApplication::setWindowIcon(QIcon(u":/rankscope/rankscope.svg"_s));
    application.installEventFilter(new FileOpener(window));
    window.show();
    QStringList paths;
    for (const auto& path : options.paths)
        paths << QString::fromStdString(path.string());
    if (!paths.isEmpty())
        window.addPaths(paths, MainWindow::Opening::compare);
    if (options.demo)
        window.openDemo();
    return application.exec();
}

} // namespace rankscope
