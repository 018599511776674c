// SPDX-License-Identifier: GPL-3.0-or-later
// Gates as JUnit XML.
#include "core/report/junit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/hang_report.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

std::string test_case(const GateResult& gate) {
    const std::string opening = fmt::format("    <testcase classname=\"rankscope.{}\" name=\"{}\"",
                                            escaped_markup(gate.run), escaped_markup(gate.gate.expression));
    const std::string said = escaped_markup(gate_words(gate));
    if (gate.passed)
        return fmt::format("{}>\n      <system-out>{}</system-out>\n    </testcase>\n", opening, said);
    return fmt::format("{}>\n      <failure type=\"{}\" message=\"{}: {}\"/>\n    </testcase>\n", opening,
                       gate.value ? "limit" : "not available", escaped_markup(gate.gate.expression), said);
}

/// Nothing is open, and the dumps tell everything.
bool is_cleared(const Hang& hang) { return !hang.first_stuck && hang.notes.empty(); }

std::string hang_case(const std::string& run, const Hang& hang) {
    const std::string opening =
        fmt::format("    <testcase classname=\"rankscope.{}\" name=\"no hang\">\n", escaped_markup(run));
    const std::string headline = escaped_markup(english(hang_headline(hang)));
    if (is_cleared(hang))
        return fmt::format("{}      <system-out>{}</system-out>\n    </testcase>\n", opening, headline);
    std::string all;
    for (const std::string& sentence : english(hang_sentences(hang)))
        all += escaped_markup(sentence) + '\n';
    return fmt::format("{}      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n", opening,
                       hang.first_stuck ? "hang" : "not known", headline, all);
}

} // namespace

std::string junit_xml(std::span<const GateResult> gates, std::span<const AnalysedRun> analysed) {
    std::vector<std::string> runs;
    const auto add_run = [&](const std::string& run) {
        if (std::ranges::find(runs, run) == runs.end())
            runs.push_back(run);
    };
    for (const GateResult& gate : gates)
        add_run(gate.run);
    std::size_t failed = static_cast<std::size_t>(std::ranges::count(gates, false, &GateResult::passed));
    std::size_t dumps = 0;
    for (const AnalysedRun& run : analysed)
        if (const Hang* hang = run.hang(); hang != nullptr) {
            add_run(run.label);
            ++dumps;
            failed += is_cleared(*hang) ? 0 : 1;
        }
    std::string xml = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rankscope\" tests=\"{}\" failures=\"{}\">\n",
        gates.size() + dumps, failed);
    for (const std::string& run : runs) {
        std::string cases;
        int tests = 0;
        int failures = 0;
        for (const GateResult& gate : gates)
            if (gate.run == run) {
                cases += test_case(gate);
                ++tests;
                failures += gate.passed ? 0 : 1;
            }
        for (const AnalysedRun& of : analysed)
            if (const Hang* hang = of.hang(); hang != nullptr && of.label == run) {
                cases += hang_case(run, *hang);
                ++tests;
                failures += is_cleared(*hang) ? 0 : 1;
            }
        xml += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                           escaped_markup(run), tests, failures, cases);
    }
    return xml + "</testsuites>\n";
}

} // namespace rankscope
