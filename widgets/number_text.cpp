// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as a person reads them.
#include "widgets/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>

#include "core/base/digits.h"
#include "core/base/words.h"
#include "widgets/language.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct NumberText {
    Q_DECLARE_TR_FUNCTIONS(NumberText)
};

} // namespace

/// Powers of 1000.
static constexpr std::array kByteUnits = {u"B", u"kB", u"MB", u"GB", u"TB"};
static constexpr TimeNs kMilliseconds = 999'500; ///< "1.00 ms", and not "1000 µs"

static QString fixed(double value, int decimals) { return decimal(QString::number(value, 'f', decimals)); }

TimeUnit timeUnitFor(TimeNs largest) {
    if (largest < 1'000'000)
        return TimeUnit::microseconds;
    return largest < 10'000'000'000 ? TimeUnit::milliseconds : TimeUnit::seconds;
}

TimeUnit timeUnitForEach(std::vector<TimeNs> times) {
    if (times.empty())
        return TimeUnit::microseconds;
    const auto middle = times.begin() + std::ssize(times) / 2;
    std::ranges::nth_element(times, middle);
    return *middle < 1'000'000 ? TimeUnit::microseconds : timeUnitFor(std::ranges::max(times));
}

QString timeUnitLabel(TimeUnit unit) {
    switch (unit) {
    case TimeUnit::microseconds: return u"µs"_s;
    case TimeUnit::milliseconds: return u"ms"_s;
    case TimeUnit::seconds: return u"s"_s;
    }
    return {};
}

double inUnit(TimeNs time, TimeUnit unit) {
    constexpr std::array divisors = {1e3, 1e6, 1e9};
    return static_cast<double>(time) / divisors[static_cast<std::size_t>(unit)];
}

static constexpr double kFiveDigits = 9999.5; ///< is printed with five
/// By TimeUnit.
static constexpr std::array kDecimals = {1, 3, 4};

/// What the fourth significant digit stands for.
static double fourthDigit(double value) { return std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3); }

QString fourDigits(double value, int decimals) {
    if (std::abs(value) >= kFiveDigits)
        return groupedNumber(std::llround(value / fourthDigit(value)) * std::llround(fourthDigit(value)));
    return fixed(value, shown_decimals(value, decimals));
}

QString timeNumber(TimeNs time, TimeUnit unit) {
    return fourDigits(inUnit(time, unit), kDecimals[static_cast<std::size_t>(unit)]);
}

QString wholeTimeNumber(TimeNs time, TimeUnit unit) {
    return fixed(inUnit(time, unit), kDecimals[static_cast<std::size_t>(unit)]);
}

QString timeTextOfNs(double nanoseconds) { return timeText(std::llround(nanoseconds)); }

QString timeTextOfUs(double microseconds) { return timeTextOfNs(microseconds * 1000); }

QString shortNumber(double value) {
    if (value == 0)
        return u"0"_s;
    if (std::abs(value) >= kFiveDigits)
        return fourDigits(value, 0);
    return fixed(value, shown_decimals(value, 6, 3));
}

QString withSpread(double value, double spread) {
    if (std::abs(value) >= kFiveDigits) { // "194 900 ± 200"
        const double last = fourthDigit(value);
        const auto rounded = [last](double number) {
            return groupedNumber(std::llround(number / last) * std::llround(last));
        };
        return rounded(value) + u" ± "_s + (spread >= last / 2 ? rounded(spread) : groupedNumber(std::llround(spread)));
    }
    int decimals = value == 0 ? 0 : shown_decimals(value, 6, 3);
    if (spread > 0 && spread < 0.5 * std::pow(10.0, -decimals)) // one digit of it
        decimals = std::clamp(-static_cast<int>(std::floor(std::log10(spread))), 0, 6);
    return shortNumber(value) + u" ± "_s + fixed(spread, decimals);
}

QString signedPercentText(double percent) {
    constexpr double kManyTimes = 999.95;
    if (percent >= kManyTimes)
        return shortNumber(1 + percent / 100) + u" ×"_s;
    const QString number = fixed(std::abs(percent), 1);
    const QString sign = number == fixed(0, 1) ? QString() : percent < 0 ? u"−"_s : u"+"_s;
    return sign + number + u" %"_s;
}

QString timeText(TimeNs time) {
    const TimeNs size = std::abs(time);
    if (size > 0 && size < 1'000)
        return QString::number(time) + u" ns"_s;
    if (size < kMilliseconds)
        return shortNumber(inUnit(time, TimeUnit::microseconds)) + u' ' + timeUnitLabel(TimeUnit::microseconds);
    return decimal(QString::fromStdString(time_words(static_cast<double>(time)))); // as findings write it
}

QString signedTimeText(double nanoseconds) {
    const TimeNs size = std::llround(std::abs(nanoseconds));
    return (size == 0 ? QString() : nanoseconds < 0 ? u"−"_s : u"+"_s) + timeText(size);
}

QString runCountText(std::int64_t runs) {
    return runs == 1 ? NumberText::tr("1 run")
                     : NumberText::tr("%1 runs", nullptr, plural(runs)).arg(groupedNumber(runs));
}

QString callCountText(std::int64_t calls) {
    return calls == 1 ? NumberText::tr("1 call")
                      : NumberText::tr("%1 calls", nullptr, plural(calls)).arg(groupedNumber(calls));
}

QString percentText(double percent) {
    const bool nearly_all = percent >= 99 && percent < 99.95; // not "100 %"
    return fixed(percent, std::abs(percent) < 9.95 || nearly_all ? 1 : 0) + u" %"_s;
}

QString unitText(std::string_view unit) {
    if (unit == "us")
        return timeUnitLabel(TimeUnit::microseconds);
    return unit == "percent" ? u"%"_s : QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
}

FittedUnit fittedUnit(std::string_view unit, double largest) {
    constexpr std::array kTimes = {std::pair("us", u"µs"), std::pair("ms", u"ms"), std::pair("s", u"s")};
    double of_one = 1;
    const auto fitted = [&](std::size_t first, std::size_t count) {
        std::size_t chosen = first;
        for (; std::abs(largest) * of_one >= 999.5 && chosen + 1 < count; ++chosen)
            of_one /= 1000;
        return chosen;
    };
    if (unit == "bytes")
        return {QString::fromUtf16(kByteUnits[fitted(0, kByteUnits.size())]), of_one};
    for (std::size_t i = 0; i < kTimes.size(); ++i)
        if (unit == kTimes[i].first)
            return {QString::fromUtf16(kTimes[fitted(i, kTimes.size())].second), of_one};
    return {unitText(unit), 1};
}

QString byteText(quint64 bytes) {
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < kByteUnits.size(); ++unit)
        value /= 1000;
    return fixed(value, unit == 0 ? 0 : shown_decimals(value, 1, 3)) + u' ' + QString::fromUtf16(kByteUnits[unit]);
}

} // namespace rankscope
