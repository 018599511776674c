// SPDX-License-Identifier: GPL-3.0-or-later
// What can be drawn over the lanes. A new one is a file like widgets/timeline/idle_overlay.cpp, declared and listed
// here.
#include "widgets/timeline/overlays.h"

#include <algorithm>

namespace rankscope {

OverlayEntry lagOverlay();
OverlayEntry bubblesOverlay();
OverlayEntry idleOverlay();
OverlayEntry pathOverlay();

const std::vector<OverlayEntry>& overlayEntries() {
    static const std::vector<OverlayEntry> entries{lagOverlay(), bubblesOverlay(), idleOverlay(), pathOverlay()};
    return entries;
}

const OverlayEntry* overlayEntry(const QString& id) {
    const auto found = std::ranges::find(overlayEntries(), id, &OverlayEntry::id);
    return found == overlayEntries().end() ? nullptr : &*found;
}

} // namespace rankscope
