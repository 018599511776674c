// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a load: ranks, bytes, time left, and Cancel.
#pragma once
#include <QElapsedTimer>
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
    void stop();
    [[nodiscard]] QString text() const;
    [[nodiscard]] const QString& what() const { return what_; } ///< as given to start()

Q_SIGNALS:
    void cancelled();

private:
    QString what_;
    QElapsedTimer clock_;
    ElidedLabel* text_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton* cancel_ = nullptr;
};

/// "3 of 8 ranks, 12.0 of 41.2 MB, 4 s left"
QString loadProgressText(const LoadProgress& progress, qint64 elapsedMs);

} // namespace rankscope
