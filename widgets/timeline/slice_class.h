// SPDX-License-Identifier: GPL-3.0-or-later
// What a slice of the timeline is shown as: the classes of the legend. GPU work by kernel class, the rest by event
// kind.
#pragma once
#include <cstdint>

#include <QColor>
#include <QString>

#include "core/analysis/selection/kernel_class.h"

namespace rankscope {

enum class SliceClass : std::uint8_t {
    compute,
    communication,
    memory_copy,
    memory_set,
    operator_call,
    annotation,
    runtime_call,
    python_frame,
    other
};
inline constexpr std::size_t kSliceClassCount = static_cast<std::size_t>(SliceClass::other) + 1;

SliceClass sliceClassOf(KernelClass kernelClass);
SliceClass sliceClassOf(EventKind kind); ///< of events that are not GPU work
/// What the legend calls it: "compute", "communication", "memory copy" ...
QString sliceClassLabel(SliceClass sliceClass);
QColor hueOf(SliceClass sliceClass, bool dark);

} // namespace rankscope
