// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a trace as one line.
#include "widgets/name_text.h"

#include <algorithm>
#include <numeric>

#include "core/trace/short_name.h"

namespace rankscope {

QString nameText(std::string_view name) {
    constexpr std::size_t kMost = 400;
    constexpr std::size_t kEnd = 150; // where kernels of one template often differ
    const auto text = [](std::string_view part) {
        return QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size()));
    };
    if (name.size() <= kMost)
        return text(name).simplified();
    return QString(text(name.substr(0, kMost - kEnd)) + QChar(0x2026) + text(name.substr(name.size() - kEnd)))
        .simplified();
}

QString elidedAround(const QString& text, qsizetype place, const std::function<bool(const QString&)>& fits) {
    if (fits(text))
        return text;
    const auto elided = [&](qsizetype part) { // so many characters of the start, around the place, and of the end
        const qsizetype end = text.size() - part;
        const qsizetype from = std::max(part, std::min(place - part / 4, end - part));
        const qsizetype to = from + part;
        QString result = text.left(part);
        if (from > part)
            result += QChar(0x2026);
        result += text.mid(from, to - from);
        if (to < end)
            result += QChar(0x2026);
        return QString(result + text.mid(std::max(to, end)));
    };
    qsizetype least = 0;
    qsizetype most = text.size() / 3;
    while (least < most) {
        const qsizetype part = (least + most + 1) / 2;
        fits(elided(part)) ? static_cast<void>(least = part) : static_cast<void>(most = part - 1);
    }
    return elided(least);
}

std::vector<int> placesOfDifference(const QStringList& texts) {
    std::vector<int> order(static_cast<std::size_t>(texts.size()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int i) { return texts[i]; });
    std::vector<int> places(order.size(), 0);
    for (std::size_t i = 1; i < order.size(); ++i) {
        const QString& one = texts[order[i - 1]];
        const QString& other = texts[order[i]];
        const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
        const int common = end == one.end() && one.size() == other.size() ? 0 : static_cast<int>(end - one.begin());
        for (const std::size_t at : {i - 1, i})
            places[static_cast<std::size_t>(order[at])] = std::max(places[static_cast<std::size_t>(order[at])], common);
    }
    return places;
}

QString shortNameText(std::string_view name) { return nameText(short_name(name)); }

} // namespace rankscope
