// SPDX-License-Identifier: GPL-3.0-or-later
// The window as most tests of the program start: one run open and analysed.
#pragma once
#include <memory>

#include <QSignalSpy>
#include <QTest>

#include "app/window/main_window.h"

namespace rankscope {

/// 1280 × 800, in front, showing the run of that path. nullptr: it was not open, analysed and active within a minute.
inline std::unique_ptr<MainWindow> openedWindow(const QString& path, const GuiOptions& options = {}) {
    auto window = std::make_unique<MainWindow>(options);
    window->resize(1280, 800);
    window->show();
    QSignalSpy analysed(window.get(), &MainWindow::runAnalysed);
    window->addPaths({path});
    if (!analysed.wait(60'000))
        return nullptr;
    window->activateWindow();
    return QTest::qWaitForWindowActive(window.get()) ? std::move(window) : nullptr;
}

} // namespace rankscope
