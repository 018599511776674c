// SPDX-License-Identifier: GPL-3.0-or-later
// Which slices the user's choice of names leaves: one name alone, or all but some.
#pragma once
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

struct SliceNameFilter {
    std::string only;             ///< only slices of this name; empty: of all names
    std::set<std::string> hidden; ///< but not those of these

    [[nodiscard]] bool isOn() const { return !only.empty() || !hidden.empty(); }
    /// The same choice again takes it back.
    void toggleOnly(const std::string& name) { only = only == name ? std::string() : name; }
    void toggleHidden(const std::string& name) {
        if (hidden.erase(name) == 0)
            hidden.insert(name);
    }
    friend bool operator==(const SliceNameFilter&, const SliceNameFilter&) = default;
};

/// Per rank as in Run::ranks, ascending.
using KeptSlices = std::vector<std::vector<EventIndex>>;
/// Looks at each distinct name once, then at each event. nullptr: cancelled.
std::shared_ptr<const KeptSlices> keptSlices(const Run& run, const SliceNameFilter& filter,
                                             const std::stop_token& cancel);

} // namespace rankscope
