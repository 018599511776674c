// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of slices: kernel names shortened to what tells them apart, cut to fit, drawn once and kept.
#pragma once
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <QFont>
#include <QHash>
#include <QImage>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// What the label of an event says: its name, or, of a kernel that runs any collective, which one this is.
NameId labelOf(const RankTrace& trace, EventIndex event);

/// The rows of pixels in a label's coverage that its letters use, with brackets and underscores.
struct LabelInk {
    int top = 0;
    int height = 0;
};
LabelInk labelInk(const QFont& font, double devicePixelRatio);
/// Logical pixels: the lowest row of a lane, with the line below it, in which no label is cut.
int labelRow(const QFont& font);

struct SliceLabel {
    QString text;
    QImage coverage; ///< Format_Alpha8, in device pixels: any thread can lay a colour through it
};

/// Laying out text takes far longer than copying it: a frame that zooms must not do it anew for each slice.
class SliceLabels {
public:
    /// To be called before each frame. Forgets everything when font or names differ from those used so far.
    void use(const QFont& font, double devicePixelRatio, std::shared_ptr<const StringTable> names);
    /// A frame draws so many new labels and leaves the rest to the next one, so that none takes long.
    [[nodiscard]] bool isComplete() const { return fresh_ <= kFreshPerFrame; }
    /// The label for a slice with that much room, or nullptr when not even a few letters fit.
    /// It stays valid until the next frame.
    const SliceLabel* label(NameId name, double room);
    /// Its text alone, in any number; empty when nothing fits.
    QString text(NameId name, double room);
    [[nodiscard]] int row() const { return row_; } ///< labelRow() of the font
    [[nodiscard]] LabelInk ink() const { return ink_; }

private:
    static constexpr int kFreshPerFrame = 120;
    struct Name {
        QString text;
        std::vector<float> widths; ///< widths[n]: of the first n letters
    };
    const Name& measured(NameId name);
    [[nodiscard]] qsizetype fittingLetters(const Name& name, double room) const; ///< 0: too few of them

    QFont font_;
    std::shared_ptr<const StringTable> names_;
    int fresh_ = 0; ///< labels of this frame that were not there before
    double ratio_ = 1;
    int row_ = 0;
    LabelInk ink_;
    double ellipsis_ = 0;
    QHash<NameId, Name> measured_;
    std::unordered_map<quint64, SliceLabel> drawn_; ///< by name and number of letters
};

} // namespace rankscope
