// SPDX-License-Identifier: GPL-3.0-or-later
// Times and counts as the window writes them.
#include "widgets/time_text.h"

#include <cstdlib>

#include "core/base/digits.h"
#include "widgets/language.h"

namespace rankscope {
namespace {

constexpr QChar kNarrowSpace(0x202F);

/// In which a point in time has its microseconds.
struct PointUnit {
    TimeNs length;
    int decimals;
    const char16_t* name;
};
PointUnit pointUnit(TimeNs time) {
    const TimeNs size = std::abs(time);
    if (size >= 1'000'000'000)
        return {1'000'000'000, 6, u" s"};
    return size >= 1'000'000 ? PointUnit{1'000'000, 3, u" ms"} : PointUnit{1'000, 3, u" µs"};
}

QString grouped(QString digits) {
    for (auto i = digits.size() - 3; i > 0; i -= 3)
        digits.insert(i, kNarrowSpace);
    return digits;
}

} // namespace

QString groupedNumber(std::int64_t number) {
    const bool negative = number < 0;
    const QString digits = QString::number(number).mid(negative ? 1 : 0);
    return (negative ? QStringLiteral("-") : QString()) + grouped(digits);
}

QString valueText(TimeNs time, TimeNs unit, int decimals) {
    TimeNs smallest = unit; // what the last decimal stands for
    TimeNs scale = 1;
    for (int i = 0; i < decimals && smallest % 10 == 0; ++i) {
        smallest /= 10;
        scale *= 10;
    }
    const bool negative = time < 0;
    const TimeNs steps = ((negative ? -time : time) + smallest / 2) / smallest;
    QString text = grouped(QString::number(steps / scale));
    if (scale > 1)
        text += decimal(QStringLiteral(".")) + QString::number(scale + steps % scale).mid(1);
    return negative && steps != 0 ? QLatin1Char('-') + text : text;
}

QString durationText(TimeNs duration) {
    if (std::abs(duration) < 1'000)
        return valueText(duration, 1, 0) + QStringLiteral(" ns");
    struct Unit {
        TimeNs length;
        const char16_t* name;
    };
    constexpr Unit kUnits[] = {{1'000, u" µs"}, {1'000'000, u" ms"}, {1'000'000'000, u" s"}};
    for (const Unit& unit : kUnits)
        if (const int decimals = shown_decimals(static_cast<double>(duration) / static_cast<double>(unit.length), 3);
            decimals > 0)
            return valueText(duration, unit.length, decimals) + QString::fromUtf16(unit.name);
    return valueText(duration, kUnits[2].length, 0) + QStringLiteral(" s");
}

QString timePointText(TimeNs time) {
    const PointUnit unit = pointUnit(time);
    return valueText(time, unit.length, unit.decimals) + QString::fromUtf16(unit.name);
}

QString timeRangeText(TimeRange range) {
    const PointUnit unit = pointUnit(range.end);
    return valueText(range.begin, unit.length, unit.decimals) + QString::fromUtf16(u" – ") +
           valueText(range.end, unit.length, unit.decimals) + QString::fromUtf16(unit.name);
}

QString exactMicroseconds(TimeNs time) {
    return valueText(time, 1'000, time % 1'000 == 0 ? 0 : 3) + QStringLiteral(" µs");
}

} // namespace rankscope
