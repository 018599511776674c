// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of slices: kernel names shortened to what tells them apart, cut to fit, laid out once and kept.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include <QFont>
#include <QHash>
#include <QStaticText>

#include "core/trace/string_table.h"

namespace rankscope {

/// A C++ signature without return type, namespaces and parameters; other names unchanged.
/// "void at::native::reduce_kernel<512, 1>(float)" is "reduce_kernel<512, 1>".
QString shortName(std::string_view name);

/// Laying out text takes far longer than drawing it: a frame that zooms must not do it anew for each slice.
class SliceLabels {
public:
    /// To be called before each frame. Forgets everything when font or names differ from those used so far.
    void use(const QFont& font, std::shared_ptr<const StringTable> names);
    /// A frame lays out so many new labels and leaves the rest to the next one, so that none takes long.
    [[nodiscard]] bool isComplete() const { return fresh_ <= kFreshPerFrame; }
    /// The label for a slice with that much room, or nullptr when not even a few letters fit.
    const QStaticText* label(NameId name, double room);
    [[nodiscard]] double height() const { return height_; }

private:
    static constexpr int kFreshPerFrame = 150;
    struct Name {
        QString text;
        std::vector<float> widths; ///< widths[n]: of the first n letters
    };
    const Name& measured(NameId name);

    QFont font_;
    std::shared_ptr<const StringTable> names_;
    int fresh_ = 0; ///< labels of this frame that were not laid out before
    double height_ = 0;
    double ellipsis_ = 0;
    QHash<NameId, Name> measured_;
    QHash<quint64, QStaticText> laidOut_; ///< by name and number of letters
};

} // namespace rankscope
