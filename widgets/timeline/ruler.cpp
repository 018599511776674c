// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time ruler puts its ticks and what it writes at them.
#include "widgets/timeline/ruler.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QDateTime>
#include <QTimeZone>

#include "widgets/time_text.h"

namespace rankscope {
namespace {

constexpr TimeNs kMicrosecond = 1'000;
constexpr TimeNs kMillisecond = 1'000'000;
constexpr TimeNs kSecond = 1'000'000'000;

/// Largest unit that the times reach and in which a step needs at most three decimals.
TimeNs unitFor(TimeNs step, TimeNs largest) {
    for (const TimeNs unit : {kSecond, kMillisecond})
        if (step * 1'000 >= unit && largest >= unit)
            return unit;
    return kMicrosecond;
}

} // namespace

RulerScale rulerScale(TimeRange visible, TimeNs origin, double width, double spacing) {
    const double wanted = static_cast<double>(visible.length()) * spacing / std::max(width, 1.0);
    RulerScale scale;
    TimeNs power = 1;
    while (static_cast<double>(power) * 10 < wanted && power < 1'000 * kSecond)
        power *= 10;
    scale.step = power * 10;
    scale.minor = power * 2;
    for (const TimeNs multiple : {1, 2, 5})
        if (static_cast<double>(power * multiple) >= wanted) {
            scale.step = power * multiple;
            scale.minor = std::max<TimeNs>(1, multiple == 2 ? scale.step / 4 : scale.step / 5);
            break;
        }
    scale.unit = unitFor(scale.step, std::max(std::abs(visible.begin - origin), std::abs(visible.end - origin)));
    for (TimeNs smallest = scale.unit; smallest > 1 && scale.step % smallest != 0; smallest /= 10)
        ++scale.decimals;
    return scale;
}

std::vector<TimeNs> ticks(TimeRange visible, TimeNs origin, TimeNs step) {
    std::vector<TimeNs> times;
    const TimeNs offset = visible.begin - origin;
    TimeNs number = offset / step;
    if (number * step < offset)
        ++number;
    for (TimeNs time = origin + number * step; time < visible.end; time += step)
        times.push_back(time);
    return times;
}

QString tickLabel(TimeNs time, TimeNs origin, const RulerScale& scale) {
    const QString unit = scale.unit == kSecond        ? QStringLiteral(" s")
                         : scale.unit == kMillisecond ? QStringLiteral(" ms")
                                                      : QStringLiteral(" µs");
    return valueText(time - origin, scale.unit, scale.decimals) + unit;
}

QString clockLabel(TimeNs time, const RulerScale& scale) {
    TimeNs second = time / kSecond;
    TimeNs rest = time % kSecond;
    if (rest < 0) {
        rest += kSecond;
        --second;
    }
    const QString clock = QDateTime::fromSecsSinceEpoch(second, QTimeZone::utc()).toString(QStringLiteral("HH:mm:ss"));
    int decimals = 0;
    for (TimeNs smallest = kSecond; smallest > 1 && scale.step % smallest != 0; smallest /= 10)
        ++decimals;
    return decimals == 0
               ? clock
               : clock + QLatin1Char('.') + QStringLiteral("%1").arg(rest, 9, 10, QLatin1Char('0')).left(decimals);
}

bool isWallClock(TimeNs time) { return time >= 978'307'200 * kSecond; }

} // namespace rankscope
