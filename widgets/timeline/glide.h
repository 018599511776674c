// SPDX-License-Identifier: GPL-3.0-or-later
// Held keys move the view smoothly: W and S zoom, A and D pan.
#pragma once
#include <set>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace rankscope {

enum class Motion { zoomIn, zoomOut, panLeft, panRight };

class Glide : public QObject {
    Q_OBJECT
public:
    explicit Glide(QObject* parent = nullptr);
    /// A step at once, then further ones until released.
    void press(Motion motion);
    void release(Motion motion);
    void stop();
    [[nodiscard]] bool isMoving() const { return !held_.empty(); }

Q_SIGNALS:
    /// zoom: factor for the visible length; pan: share of the visible length.
    void moved(double zoom, double pan);

private:
    void advance();
    void move(double zoomSteps, double panSteps, double steps);

    std::set<Motion> held_;
    QTimer timer_;
    QElapsedTimer clock_;
};

} // namespace rankscope
