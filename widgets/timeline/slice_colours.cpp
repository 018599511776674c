// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/slice_colours.h"

#include <cmath>

#include <QCoreApplication>

#include "core/views/name_medians.h"
#include "widgets/palette.h"

namespace rankscope {
namespace {

/// Paul Tol's "muted" and "light" schemes (SRON/EPS/TN/09-002), which colour-blind readers tell apart.
constexpr std::array<QRgb, kNameHueCount> kNameHues{0xFF332288, 0xFF88CCEE, 0xFF44AA99, 0xFF117733,
                                                    0xFF999933, 0xFFDDCC77, 0xFFCC6677, 0xFF882255,
                                                    0xFFAA4499, 0xFF77AADD, 0xFFEE8866, 0xFFBBCC33};
/// Likewise his diverging "sunset", of seven.
constexpr std::array<QRgb, kDeviationCount> kDeviationHues{0xFF364B9A, 0xFF6EA6CD, 0xFFC2E4EF, 0xFFBFC3C7,
                                                           0xFFFEDA8B, 0xFFF67E4B, 0xFFA50026};
constexpr std::array<double, kDeviationCount - 1> kDeviationSteps{0.5, 0.8, 0.95, 1.05, 1.25, 2};

} // namespace

QRgb mixed(const QColor& over, const QColor& under, double share) {
    const auto channel = [&](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return qRgb(channel(over.red(), under.red()), channel(over.green(), under.green()),
                channel(over.blue(), under.blue()));
}

std::size_t deviationStep(double duration, double usual) {
    std::size_t step = 0;
    while (step < kDeviationSteps.size() && duration >= kDeviationSteps[step] * usual)
        ++step;
    return step;
}

QColor deviationHue(std::size_t step, bool dark) {
    const QColor colour(kDeviationHues[step]);
    return dark && step == kDeviationCount / 2 ? QColor(0x6A, 0x6E, 0x75) : colour;
}

namespace {

struct ColourTexts {
    Q_DECLARE_TR_FUNCTIONS(ColourTexts)
};

} // namespace

QString deviationLabel(std::size_t step) {
    switch (step) {
    case 0: return ColourTexts::tr("under half as long");
    case kDeviationCount / 2: return ColourTexts::tr("as usual");
    case kDeviationCount - 1: return ColourTexts::tr("over twice as long as usual of its name");
    default: return {};
    }
}

std::vector<std::uint8_t> nameHues(const StringTable& names) {
    std::vector<std::uint8_t> hues(names.size());
    for (NameId id = 0; id < hues.size(); ++id) {
        std::uint64_t hash = 0xCBF29CE484222325ull; // FNV-1a
        for (const char letter : names.view(id))
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3ull;
        hues[id] = static_cast<std::uint8_t>((hash >> 32) % kNameHueCount);
    }
    return hues;
}

void SlicePaints::use(const QPalette& palette) {
    const bool dark = isDark(palette);
    const QColor base = palette.color(QPalette::Base);
    const auto paint = [&](const QColor& colour) {
        return SlicePaint{colour.rgb(), mixed(colour, base, 0.45), textOn(colour)};
    };
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        paints_[c] = paint(hueOf(static_cast<SliceClass>(c), dark));
    for (std::size_t hue = 0; hue < kNameHueCount; ++hue)
        paints_[ofName(static_cast<std::uint8_t>(hue))] = paint(QColor(kNameHues[hue]));
    for (std::size_t step = 0; step < kDeviationCount; ++step)
        paints_[ofDeviation(step)] = paint(deviationHue(step, dark));
}

std::size_t ColourKey::paintOf(const RankTrace& trace, EventIndex event, SliceClass sliceClass) const {
    const NameId name = trace.events.name[event];
    const bool gpu = event < trace.events.gpu_count;
    switch (by) {
    case ColourBy::sliceClass: break;
    case ColourBy::name:
        if (name < hues.size())
            return SlicePaints::ofName(hues[name]);
        break;
    case ColourBy::op: {
        const EventIndex op = gpu ? trace.gpu.operator_event[event] : event;
        if (op != kNoEvent && trace.events.name[op] < hues.size())
            return SlicePaints::ofName(hues[trace.events.name[op]]);
        break;
    }
    case ColourBy::deviation:
        if (gpu && name < usual.size() && usual[name] > 0)
            return SlicePaints::ofDeviation(
                deviationStep(static_cast<double>(trace.events.duration[event]), static_cast<double>(usual[name])));
        break;
    }
    return SlicePaints::ofClass(sliceClass);
}

ColourKey colourKey(const Run& run, ColourBy by, const std::stop_token& stop) {
    ColourKey key{by, {}, {}};
    if (by == ColourBy::name || by == ColourBy::op)
        key.hues = nameHues(*run.names);
    else if (by == ColourBy::deviation)
        key.usual = name_medians(run, stop);
    return key;
}

} // namespace rankscope
