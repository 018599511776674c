// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of slices.
#include "widgets/timeline/slice_label.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QPainter>
#include <QtMath>

namespace rankscope {
namespace {

constexpr qsizetype kLongestLabel = 80;
constexpr std::size_t kMostKept = 10'000;

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
        if (depth == 0 && name.substr(i).starts_with(kAnonymous))
            i += kAnonymous.size() - 1;
        else if (letter == '(' && depth == 0)
            return name.substr(begin, i - begin);
        else if (letter == '<' || letter == '(')
            ++depth;
        else if (letter == ')' || (letter == '>' && name[i - 1] != '-'))
            --depth;
        else if (depth == 0 && (letter == ' ' || letter == ':'))
            begin = i + 1;
    }
    return name.substr(begin);
}

QImage coverageOf(const QString& text, const QFont& font, double ratio) {
    const QFontMetricsF metrics(font);
    QImage image(qCeil((metrics.horizontalAdvance(text) + 2) * ratio), qCeil(metrics.height() * ratio),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(QPointF(0, metrics.ascent()), text);
    painter.end();
    return image.convertToFormat(QImage::Format_Alpha8);
}

} // namespace

QString shortName(std::string_view name) {
    const std::string_view last = isSignature(name) ? withoutScopes(name) : name;
    const std::string_view text = last.empty() ? name : last;
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

void SliceLabels::use(const QFont& font, double devicePixelRatio, std::shared_ptr<const StringTable> names) {
    fresh_ = 0;
    if (drawn_.size() >= kMostKept)
        drawn_.clear();
    if (font == font_ && devicePixelRatio == ratio_ && names == names_ && height_ > 0)
        return;
    font_ = font;
    ratio_ = devicePixelRatio;
    names_ = std::move(names);
    measured_.clear();
    drawn_.clear();
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

qsizetype SliceLabels::fittingLetters(const Name& name, double room) const {
    constexpr qsizetype kFewest = 3;
    if (name.widths.back() <= room)
        return name.text.size();
    const auto fitting = std::upper_bound(name.widths.begin(), name.widths.end(), static_cast<float>(room - ellipsis_));
    const qsizetype letters = fitting - name.widths.begin() - 1;
    return letters < kFewest ? 0 : letters;
}

const SliceLabel* SliceLabels::label(NameId name, double room) {
    const qsizetype letters = fittingLetters(measured(name), room);
    if (letters == 0)
        return nullptr;
    const quint64 key = (quint64{name} << 8) | static_cast<quint64>(letters);
    const auto known = drawn_.find(key);
    if (known != drawn_.end())
        return &known->second;
    if (++fresh_ > kFreshPerFrame)
        return nullptr;
    const QString shown = text(name, room);
    return &drawn_.emplace(key, SliceLabel{shown, coverageOf(shown, font_, ratio_)}).first->second;
}

QString SliceLabels::text(NameId name, double room) {
    const Name& whole = measured(name);
    const qsizetype letters = fittingLetters(whole, room);
    return letters == 0 || letters == whole.text.size() ? whole.text.left(letters)
                                                        : QString(whole.text.left(letters) + QChar(0x2026));
}

} // namespace rankscope
