// SPDX-License-Identifier: GPL-3.0-or-later
// The window's entry point.
#include "app/gui.h"

#include <QApplication>
#include <QIcon>

#include "app/main_window.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

int run_gui(QApplication& application, const GuiOptions& options) {
    QApplication::setApplicationDisplayName(u"Rankscope"_s);
    QApplication::setDesktopFileName(u"org.rankscope.Rankscope"_s);
    MainWindow window(options);
    QApplication::setWindowIcon(QIcon(u":/rankscope/rankscope.svg"_s));
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
