// SPDX-License-Identifier: GPL-3.0-or-later
// The interactive timeline of report.html: a part of all runs on a canvas, with keyboard, mouse and touch. The page
// loads nothing; its one script is named by its hash, so that no other may run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/analysed_run.h"

namespace rankscope {

struct HtmlTimeline {
    bool shown = true;
    /// Since the first event of each run, on the aligned clock. Nothing: steps that are whole on all ranks from the
    /// first one on, as many as most_slices allows.
    std::optional<TimeRange> time;
    std::size_t most_slices = 100'000; ///< of all runs together
};

/// What of a run is shown; where it is less than all, note says so.
struct TimelinePart {
    TimeRange time;                 ///< events that touch it are shown whole
    std::vector<std::size_t> ranks; ///< indices in Run::ranks
    bool gpu_only = false;          ///< the lanes of the host are left out
    std::string note;
};
TimelinePart choose_timeline_part(const RunAnalysis& analysis, const HtmlTimeline& wanted, std::size_t most_slices);

/// The slices as columns, all rows one after the other: start, as the distance from the end of the slice before it in
/// the row (of the first: from the start of the part; zigzag); duration; index of the name; each as LEB128 varints in
/// ns; then a byte each for the class. gzip of that, in base64.
struct TimelineColumns {
    std::string gaps;
    std::string durations;
    std::string names;
    std::string classes;
    [[nodiscard]] std::string packed() const;
};

/// The section with its data and script; empty: there is nothing to show.
std::string timeline_section(std::span<const AnalysedRun> runs, const HtmlTimeline& wanted);

std::string_view timeline_script();
/// "sha256-…" of timeline_script(), for the page's Content-Security-Policy.
std::string_view timeline_script_hash();
std::string_view timeline_style();

} // namespace rankscope
