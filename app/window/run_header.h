// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the screens: which run, what is known of it, and the tabs that switch screens.
#pragma once
#include <set>
#include <span>

#include <QWidget>

#include "core/trace/rank_trace.h"

class QTabBar;
class QToolButton;

namespace rankscope {

class ElidedLabel;

class RunHeader : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(const QStringList& screens, QWidget* parent = nullptr);
    /// details: shown where the pointer rests on the summary.
    void setRun(const QString& name, const QString& summary, const QString& path, const QString& details = {});
    /// Runs that are compared on screen, instead of the run's name and summary; empty: that of setRun().
    void setCompared(const QString& runs);
    /// The captures the run's folder holds, and the one on screen; fewer than two: nothing to choose, and no button.
    void setCaptures(std::span<const TraceSource> captures, TraceSource shown);
    void showCaptures(); ///< opens their menu
    void setCurrentScreen(int screen);
    void setScreenThere(int screen, bool there);   ///< whether it has a tab
    void setScreenFilled(int screen, bool filled); ///< whether its tab is grey: the run has nothing for it
    [[nodiscard]] int currentScreen() const;
    [[nodiscard]] bool isWalked() const; ///< somebody goes along the tabs with the arrow keys
    [[nodiscard]] QString name() const;  ///< as it is shown
    [[nodiscard]] QString summary() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void screenChanged(int screen);
    void captureChosen(rankscope::TraceSource source);
    void captureComparisonAsked();

private:
    void fitTabs(); ///< without room beside the run's name, a list takes their place; it names the screen
    void fillList();
    void showWords();
    void colourTab(int screen);

    QString runName_;
    QString runSummary_;
    QString path_;
    QString details_;
    QString compared_;
    ElidedLabel* name_ = nullptr;
    ElidedLabel* summary_ = nullptr;
    QToolButton* capture_ = nullptr;
    QTabBar* tabs_ = nullptr;
    QToolButton* list_ = nullptr; ///< of the screens
    std::set<int> unfilled_;      ///< screens that the run has nothing for
};

} // namespace rankscope
