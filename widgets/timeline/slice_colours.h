// SPDX-License-Identifier: GPL-3.0-or-later
// What the colour of a single slice says. Columns that several slices share show their classes, always.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include <QColor>
#include <QPalette>

#include "core/trace/run.h"
#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/slice_class.h"

namespace rankscope {

inline constexpr std::size_t kNameHueCount = 12;
inline constexpr std::size_t kDeviationCount = 7;

/// Steps of a duration over the usual one: under half of it, ..., as usual, ..., over twice as long.
std::size_t deviationStep(double duration, double usual);
QColor deviationHue(std::size_t step, bool dark);
QString deviationLabel(std::size_t step); ///< "under half"; empty between the ends and the middle

/// A colour for each name of a run, the same in every run: by its text.
std::vector<std::uint8_t> nameHues(const StringTable& names);

QRgb mixed(const QColor& over, const QColor& under, double share); ///< share: of `over`

struct SlicePaint {
    QRgb fill = 0;
    QRgb edge = 0; ///< of the last column, so that neighbours of one colour stay apart
    QColor text;
};

/// All paints of a palette: classes, then names, then deviations.
class SlicePaints {
public:
    void use(const QPalette& palette);
    [[nodiscard]] const SlicePaint& at(std::size_t paint) const { return paints_[paint]; }
    static std::size_t ofClass(SliceClass sliceClass) { return static_cast<std::size_t>(sliceClass); }
    static std::size_t ofName(std::uint8_t hue) { return kSliceClassCount + hue; }
    static std::size_t ofDeviation(std::size_t step) { return kSliceClassCount + kNameHueCount + step; }

private:
    std::array<SlicePaint, kSliceClassCount + kNameHueCount + kDeviationCount> paints_;
};

/// What a way of colouring needs to know of a run; empty until it was computed, and for classes.
struct ColourKey {
    ColourBy by = ColourBy::sliceClass;
    std::vector<std::uint8_t> hues; ///< by NameId
    std::vector<float> usual;       ///< ns, by NameId
    /// Number of the paint, of a slice that is drawn by itself.
    [[nodiscard]] std::size_t paintOf(const RankTrace& trace, EventIndex event, SliceClass sliceClass) const;
};
ColourKey colourKey(const Run& run, ColourBy by, const std::stop_token& stop);

} // namespace rankscope
