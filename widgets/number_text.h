// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as a person reads them: one unit for a whole table or axis, always with a decimal point.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include <QString>

#include "core/base/time.h"

namespace rankscope {

enum class TimeUnit { microseconds, milliseconds, seconds };

/// The unit in which the largest of several times has one to four digits before the point.
TimeUnit timeUnitFor(TimeNs largest);
/// Of a column whose values differ by orders of magnitude: microseconds where half of them are below a millisecond, so
/// that one long collective does not leave "0.003" of all kernels. Else timeUnitFor() of the largest.
TimeUnit timeUnitForEach(std::vector<TimeNs> times);
QString timeUnitLabel(TimeUnit unit); ///< "µs", "ms", "s"
double inUnit(TimeNs time, TimeUnit unit);
/// The number alone, with at most four significant digits: "0.494", "66.95", "1370" (ms).
QString timeNumber(TimeNs time, TimeUnit unit);
/// The same for hovering, copies and files: 1 decimal for µs, 3 for ms, 4 for s, whatever the size.
QString wholeTimeNumber(TimeNs time, TimeUnit unit);
/// At most four significant digits, and at most so many decimals: "9216", "90.8" with one, "10 870".
QString fourDigits(double value, int decimals);
/// As findings write it; three digits below a millisecond: "53 ns", "18.9 µs", "63.62 ms", "2.21 s".
QString timeText(TimeNs time);
QString timeTextOfNs(double nanoseconds); ///< the same of a computed time
QString timeTextOfUs(double microseconds);
/// Three significant digits, or four before the point, never an exponent: "0.0321", "3.21", "32.1", "3210", "691 200".
QString shortNumber(double value);
/// The spread is no more exact than the value: "19.0 ± 0.2".
QString withSpread(double value, double spread);
QString signedPercentText(double percent);  ///< of a change: "+13.3 %", "0.0 %", from +1000 % on "11.0 ×"
QString percentText(double percent);        ///< "41 %", below ten "4.1 %"
QString signedTimeText(double nanoseconds); ///< of a change: "+3.21 ms", "−53 ns"
QString runCountText(std::int64_t runs);    ///< "1 run", "1 200 runs"
QString callCountText(std::int64_t calls);  ///< "1 call", "1 200 calls"
/// A metric's unit: "µs" for "us", "%" for "percent", else as it is: a table that keeps it must write files in English.
QString unitText(std::string_view unit);
/// The unit in which the largest of some values of a metric has one to three digits before the point: times become ms
/// or s, bytes MB or GB; other units stay.
struct FittedUnit {
    QString label;
    double of_one = 1; ///< of the metric's unit: 0.001 for ms where the metric has us
};
FittedUnit fittedUnit(std::string_view unit, double largest);
QString byteText(quint64 bytes); ///< powers of 1000: "7.1 MB"

} // namespace rankscope
