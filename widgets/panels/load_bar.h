// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a load: ranks, bytes, rate, time left, and Cancel; or the part that an analysis is at.
#pragma once
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "core/input/load/load_run.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace rankscope {

class ElidedLabel;

class LoadBar : public QWidget {
    Q_OBJECT
public:
    explicit LoadBar(QWidget* parent = nullptr);
    /// Shows the bar, moving without an end until the first progress arrives.
    void start(const QString& what);
    void setProgress(const LoadProgress& progress);
    /// Of work that is done in parts, none of which says how far it is: the part it is at, and since when it runs.
    void setPart(const QString& words, int part, int parts);
    void setCancellable(bool can); ///< until the next start(), which makes it so
    void stop();
    [[nodiscard]] QString text() const;
    [[nodiscard]] const QString& what() const { return what_; } ///< as given to start()

Q_SIGNALS:
    void cancelled();

private:
    void showPart();

    QString what_;
    QString part_; ///< "matching collectives, 2 of 4"
    QTimer tick_;  ///< of the time since the start
    QElapsedTimer clock_;
    ElidedLabel* text_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton* cancel_ = nullptr;
};

/// "4 s left", "3 min left"; empty while it would be a guess. done, all: in any unit.
QString timeLeftText(double done, double all, qint64 elapsedMs);
/// "3 of 8 ranks, 12.0 of 41.2 MB, 8.3 MB/s, 4 s left"
QString loadProgressText(const LoadProgress& progress, qint64 elapsedMs);

} // namespace rankscope
