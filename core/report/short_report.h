// SPDX-License-Identifier: GPL-3.0-or-later
// The answer on one screen: what --batch prints for people, and the same as Markdown for a pull request.
//   dlrm: 1 step of 15.77 ms on 8 ranks of V100
//   The GPU waits for the host: 62 % of the step would be saved if launching cost no time. ...
//   CWWWWWLHHHHHH   C computation 7 %, W waiting for other ranks 36 %, ...
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/compare/gate.h"
#include "core/views/step_summary.h"

namespace rankscope {

/// Texts are English and safe for a terminal (terminal_safe()).
struct ShortReport {
    struct Check {
        bool passed = false;
        std::string text; ///< "step_time<+3%: 100 µs -> 110 µs: +10.0 %, limit +3.0 % (B)"
    };
    struct Comparison {
        std::string title;                          ///< "B against A"
        std::vector<std::string> sentences;         ///< the first says it all
        std::vector<std::vector<std::string>> rows; ///< metric, baseline, test, change, status; the step first
        std::vector<std::string> settings;          ///< "tp: 2 -> 4"
    };
    struct NumberedFinding {
        std::size_t number = 0; ///< from 1, as in --full, HTML and workbook
        std::string text;
    };
    struct OneRun {
        std::string title;
        std::string path;
        std::string headline;                         ///< the largest cost, what else counts, and what cannot be judged
        std::vector<std::string> hang;                ///< who is at fault of it and what to do, behind the headline
        std::optional<StepSummary> step;              ///< nothing: no GPU work
        std::vector<std::string> facts;               ///< ranks that stand out, and what the host was in
        std::vector<NumberedFinding> findings;        ///< by cost, but for what the headline says
        std::vector<std::string> predictions;         ///< of --what-if: "comm=0: 15.77 ms -> 13.10 ms (-16.9 %)"
        std::vector<std::vector<std::string>> values; ///< metric, value; those asked for, of a serving run latencies
        std::string unmeasured;                       ///< what was not measured, and what it needs; empty: nothing
        std::size_t notices = 0;
    };
    std::vector<Check> gates;
    std::vector<std::vector<std::string>>
        side_by_side; ///< of three runs and more: run, step, against the first, against the best, note
    std::vector<Comparison> comparisons;
    std::vector<OneRun> runs;
};
struct ShortContent {
    bool values = false; ///< of the metrics that were asked for
};
ShortReport short_report(std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                         ShortContent content = {});

struct TextLayout {
    std::size_t columns = 100;
    std::size_t lines = 40; ///< at most; a list that does not fit says how much of it is left out
    bool colour = false;    ///< escape sequences of a terminal
    bool all_gates = false; ///< each of them, and whole
};
std::string as_text(const ShortReport& report, const TextLayout& layout);
/// Names from traces cannot make links, images, HTML or mentions of it.
std::string as_markdown(const ShortReport& report);

} // namespace rankscope
