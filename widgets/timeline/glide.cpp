// SPDX-License-Identifier: GPL-3.0-or-later
// Held keys move the view smoothly.
#include "widgets/timeline/glide.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QStyle>

namespace rankscope {
namespace {

constexpr double kZoomPerStep = 0.85;
constexpr double kPanPerStep = 0.1;
constexpr double kStepsPerSecond = 14;
constexpr int kFrame = 16; // ms
constexpr int kStep = 250; // ms, without animation

Gliding chosen = Gliding::smooth;

} // namespace

void setGliding(Gliding gliding) { chosen = gliding; }

Gliding gliding() {
    return QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0 ? chosen : Gliding::steps;
}

QString glidingWord(Gliding gliding) {
    return gliding == Gliding::steps ? QStringLiteral("steps") : QStringLiteral("smooth");
}

Gliding glidingFromWord(const QString& word) {
    return word == QLatin1StringView("steps") ? Gliding::steps : Gliding::smooth;
}

Glide::Glide(QObject* parent) : QObject(parent) {
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &Glide::advance);
}

void Glide::press(Motion motion) {
    if (!held_.insert(motion).second)
        return;
    move(motion == Motion::zoomIn    ? 1
         : motion == Motion::zoomOut ? -1
                                     : 0,
         motion == Motion::panRight  ? 1
         : motion == Motion::panLeft ? -1
                                     : 0,
         1);
    if (!timer_.isActive()) {
        clock_.start();
        timer_.start(gliding() == Gliding::smooth ? kFrame : kStep);
    }
}

void Glide::release(Motion motion) {
    held_.erase(motion);
    if (held_.empty())
        timer_.stop();
}

void Glide::stop() {
    held_.clear();
    timer_.stop();
}

void Glide::advance() {
    // After a slow frame the view must not leap.
    const double seconds = std::min(0.1, static_cast<double>(clock_.restart()) / 1000.0);
    const bool smooth = timer_.interval() == kFrame;
    const auto has = [&](Motion motion) { return held_.contains(motion) ? 1.0 : 0.0; };
    move(has(Motion::zoomIn) - has(Motion::zoomOut), has(Motion::panRight) - has(Motion::panLeft),
         smooth ? seconds * kStepsPerSecond : 1);
}

void Glide::move(double zoomSteps, double panSteps, double steps) {
    Q_EMIT moved(std::pow(kZoomPerStep, zoomSteps * steps), kPanPerStep * panSteps * steps);
}

} // namespace rankscope
