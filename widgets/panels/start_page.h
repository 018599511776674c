// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows while no run is open: how to open one, recent runs, the demo.
#pragma once
#include <QWidget>

class QListWidget;
class QLabel;

namespace rankscope {

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecentRuns(const QStringList& paths);
    [[nodiscard]] QListWidget& recentRuns() const { return *recent_; }

Q_SIGNALS:
    void openFolderRequested();
    void openFileRequested();
    void demoRequested();
    void recentRunRequested(const QString& path);

private:
    QListWidget* recent_ = nullptr;
    QLabel* recentTitle_ = nullptr;
};

} // namespace rankscope
