// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of slices.
#include "widgets/timeline/slice_label.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QPainter>
#include <QtMath>

#include "widgets/name_text.h"

namespace rankscope {
namespace {

constexpr qsizetype kLongestLabel = 80;
constexpr std::size_t kMostKept = 10'000;

QImage coverageOf(const QString& text, const QFont& font, double ratio) {
    const QFontMetricsF metrics(font);
    constexpr double kSpare = 2; // where hinting moves the baseline down
    QImage image(qCeil((metrics.horizontalAdvance(text) + 2) * ratio), qCeil((metrics.height() + kSpare) * ratio),
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

LabelInk labelInk(const QFont& font, double devicePixelRatio) {
    const QImage letters = coverageOf(QStringLiteral("|_[gj](Q)Al"), font, devicePixelRatio);
    int first = letters.height();
    int end = 0;
    for (int y = 0; y < letters.height(); ++y) {
        const uchar* row = letters.constScanLine(y);
        if (std::any_of(row, row + letters.width(), [](uchar alpha) { return alpha != 0; })) {
            first = std::min(first, y);
            end = y + 1;
        }
    }
    return {first, std::max(0, end - first)};
}

int labelRow(const QFont& font) { return labelInk(font, 1).height + 1; }

NameId labelOf(const RankTrace& trace, EventIndex event) {
    const CollectiveArgs* call = trace.collective_of(event);
    return call != nullptr && call->collective != 0 && trace.event_name(event).starts_with("ncclDevKernel_Generic")
               ? call->collective
               : trace.events.name[event];
}

void SliceLabels::use(const QFont& font, double devicePixelRatio, std::shared_ptr<const StringTable> names) {
    fresh_ = 0;
    if (drawn_.size() >= kMostKept)
        drawn_.clear();
    if (font == font_ && devicePixelRatio == ratio_ && names == names_ && row_ > 0)
        return;
    font_ = font;
    ratio_ = devicePixelRatio;
    names_ = std::move(names);
    measured_.clear();
    drawn_.clear();
    const QFontMetricsF metrics(font_);
    row_ = labelRow(font_);
    ink_ = labelInk(font_, ratio_);
    ellipsis_ = metrics.horizontalAdvance(QChar(0x2026));
}

const SliceLabels::Name& SliceLabels::measured(NameId name) {
    const auto known = measured_.constFind(name);
    if (known != measured_.constEnd())
        return *known;
    Name fresh;
    fresh.text = shortNameText(names_->view(name)).left(kLongestLabel);
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
