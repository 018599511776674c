// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the screens: which run, what is known of it, and the tabs that switch screens.
#pragma once
#include <QWidget>

class QTabBar;

namespace rankscope {

class ElidedLabel;

class RunHeader : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(const QStringList& screens, QWidget* parent = nullptr);
    void setRun(const QString& name, const QString& summary, const QString& path);
    void setCurrentScreen(int screen);
    [[nodiscard]] int currentScreen() const;
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void screenChanged(int screen);

private:
    ElidedLabel* name_ = nullptr;
    ElidedLabel* summary_ = nullptr;
    QTabBar* tabs_ = nullptr;
};

} // namespace rankscope
