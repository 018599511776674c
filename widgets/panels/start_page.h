// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows while no run is open: how to open one, recent runs, the demo, how to record one.
#pragma once
#include <QWidget>

class QBoxLayout;
class QListWidget;
class QLabel;

namespace rankscope {

class RecordingGuide;

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecentRuns(const QStringList& paths);
    [[nodiscard]] QListWidget& recentRuns() const { return *recent_; }
    [[nodiscard]] RecordingGuide& guide() const { return *guide_; }

Q_SIGNALS:
    void openFolderRequested();
    void openFileRequested();
    void demoRequested();
    void recentRunRequested(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* beginning();

    QListWidget* recent_ = nullptr;
    QLabel* recentTitle_ = nullptr;
    RecordingGuide* guide_ = nullptr;
    QBoxLayout* columns_ = nullptr; ///< side by side where there is room
};

} // namespace rankscope
