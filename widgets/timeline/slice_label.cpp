// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of slices.
#include "widgets/timeline/slice_label.h"

#include <algorithm>

#include <QFontMetricsF>

namespace rankscope {
namespace {

constexpr qsizetype kLongestLabel = 80;
constexpr qsizetype kMostKept = 20'000;

constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// "void f", "a::b<c>", "f(int)"; not "Memcpy HtoD (Pinned -> Device)", nor "module.py(15): forward".
bool isSignature(std::string_view name) {
    const std::size_t bracket = name.find_first_of("<(");
    if (name.starts_with("void "))
        return true;
    if (bracket == std::string_view::npos || bracket == 0)
        return false;
    return name.find("::") != std::string_view::npos || (name.back() == ')' && name[bracket - 1] != ' ');
}

/// Return type, namespaces and parameters lie outside of all brackets; template arguments inside.
std::string_view withoutScopes(std::string_view name) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char letter = name[i];
        if (depth == 0 && name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
        } else if (letter == '(' && depth == 0) {
            return name.substr(begin, i - begin);
        } else if (letter == '<' || letter == '(') {
            ++depth;
        } else if (letter == ')' || (letter == '>' && name[i - 1] != '-')) {
            --depth;
        } else if (depth == 0 && (letter == ' ' || letter == ':')) {
            begin = i + 1;
        }
    }
    return name.substr(begin);
}

} // namespace

QString shortName(std::string_view name) {
    const std::string_view last = isSignature(name) ? withoutScopes(name) : name;
    const std::string_view text = last.empty() ? name : last;
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

void SliceLabels::use(const QFont& font, std::shared_ptr<const StringTable> names) {
    fresh_ = 0;
    if (font == font_ && names == names_ && height_ > 0)
        return;
    font_ = font;
    names_ = std::move(names);
    measured_.clear();
    laidOut_.clear();
    const QFontMetricsF metrics(font_);
    height_ = metrics.height();
    ellipsis_ = metrics.horizontalAdvance(QChar(0x2026));
}

const SliceLabels::Name& SliceLabels::measured(NameId name) {
    const auto known = measured_.constFind(name);
    if (known != measured_.constEnd())
        return *known;
    Name fresh;
    fresh.text = shortName(names_->view(name)).left(kLongestLabel).simplified();
    const QFontMetricsF metrics(font_);
    fresh.widths.push_back(0);
    for (const QChar letter : std::as_const(fresh.text))
        fresh.widths.push_back(fresh.widths.back() + static_cast<float>(metrics.horizontalAdvance(letter)));
    return *measured_.insert(name, fresh);
}

const QStaticText* SliceLabels::label(NameId name, double room) {
    constexpr qsizetype kFewest = 3;
    const Name& text = measured(name);
    qsizetype letters = text.text.size();
    if (text.widths.back() > room) {
        const auto fitting = std::upper_bound(text.widths.begin(), text.widths.end(), static_cast<float>(room - ellipsis_));
        letters = fitting - text.widths.begin() - 1;
        if (letters < kFewest)
            return nullptr;
    }
    if (letters == 0)
        return nullptr;
    const quint64 key = (quint64{name} << 8) | static_cast<quint64>(letters);
    const auto known = laidOut_.constFind(key);
    if (known != laidOut_.constEnd())
        return &*known;
    if (++fresh_ > kFreshPerFrame)
        return nullptr;
    if (laidOut_.size() >= kMostKept)
        laidOut_.clear();
    QStaticText fresh(letters == text.text.size() ? text.text : QString(text.text.left(letters) + QChar(0x2026)));
    fresh.setTextFormat(Qt::PlainText);
    fresh.setPerformanceHint(QStaticText::AggressiveCaching);
    fresh.prepare({}, font_);
    return &*laidOut_.insert(key, fresh);
}

} // namespace rankscope
