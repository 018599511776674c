// SPDX-License-Identifier: GPL-3.0-or-later
// What lies under one column of a strip: for the label at the pointer.
#pragma once
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

struct ColumnContents {
    struct Name {
        NameId name = 0;
        TimeNs time = 0; ///< inside the column
        std::int64_t count = 0;
    };
    TimeRange range;
    ClassTimes busy{};      ///< exact; of a summary, as SliceActivity has it
    std::int64_t count = 0; ///< slices, of all rows of a summary
    std::vector<Name> top;  ///< most time first, a few
    bool counted = true;    ///< false: too many slices to name them; top is of the first ones
};

ColumnContents columnContents(const TimelineScene& scene, const LaneStrip& strip, double x);

} // namespace rankscope
