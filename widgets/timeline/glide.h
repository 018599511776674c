// SPDX-License-Identifier: GPL-3.0-or-later
// Held keys move the view smoothly: W and S zoom, A and D pan.
#pragma once
#include <set>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace rankscope {

/// How held keys move the view. steps: without animation, a step every quarter of a second.
enum class Gliding { smooth, steps };
void setGliding(Gliding gliding); ///< of all timelines
/// smooth, unless that was set otherwise or the desktop's style does without animations.
[[nodiscard]] Gliding gliding();
QString glidingWord(Gliding gliding);         ///< "smooth", "steps": as stored
Gliding glidingFromWord(const QString& word); ///< smooth for anything else

enum class Motion { zoomIn, zoomOut, panLeft, panRight };

class Glide : public QObject {
    Q_OBJECT
public:
    explicit Glide(QObject* parent = nullptr);
    /// A step at once, then further ones until released.
    void press(Motion motion);
    void release(Motion motion);
    void stop();

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
