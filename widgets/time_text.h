// SPDX-License-Identifier: GPL-3.0-or-later
// Times and counts as the window writes them: digits in groups of three (narrow spaces), unit after a space.
#pragma once
#include <QString>

#include "core/base/time.h"

namespace rankscope {

/// "1 234 567"
QString groupedNumber(std::int64_t number);
/// To be read at a glance: "532 ns", "12.35 µs", "1.234 ms", "2.500 s"; four significant digits.
QString durationText(TimeNs duration);
/// A point in time, with every microsecond however late it is: "12.500 µs", "63.620 ms", "3457.123456 s".
QString timePointText(TimeNs time);
/// Two of them in the unit of the later one: "6.306 – 10.510 ms".
QString timeRangeText(TimeRange range);
/// Every nanosecond kept: "12 345.678 µs".
QString exactMicroseconds(TimeNs time);
/// A decimal fraction of a unit: valueText(12345678, 1000000, 3) is "12.346".
QString valueText(TimeNs time, TimeNs unit, int decimals);

} // namespace rankscope
