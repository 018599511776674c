// SPDX-License-Identifier: GPL-3.0-or-later
// Gates as JUnit XML.
#include "core/report/junit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

std::string value_text(const GateResult& gate) {
    return gate.value ? number_text(*gate.value) +
                            (gate.gate.against_baseline ? " % against the baseline" : " " + gate.gate.metric->unit)
                      : gate.reason;
}

std::string test_case(const GateResult& gate) {
    const std::string opening = fmt::format("    <testcase classname=\"rankscope.{}\" name=\"{}\"",
                                            escaped_markup(gate.run), escaped_markup(gate.gate.expression));
    const std::string said = escaped_markup(value_text(gate));
    if (gate.passed)
        return fmt::format("{}>\n      <system-out>{}</system-out>\n    </testcase>\n", opening, said);
    return fmt::format("{}>\n      <failure type=\"{}\" message=\"{}: {}\"/>\n    </testcase>\n", opening,
                       gate.value ? "limit" : "not available", escaped_markup(gate.gate.expression), said);
}

} // namespace

std::string junit_xml(std::span<const GateResult> gates) {
    std::vector<std::string> runs;
    for (const GateResult& gate : gates)
        if (std::ranges::find(runs, gate.run) == runs.end())
            runs.push_back(gate.run);
    const auto failed = std::ranges::count(gates, false, &GateResult::passed);
    std::string xml = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rankscope\" tests=\"{}\" failures=\"{}\">\n",
        gates.size(), failed);
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
        xml += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                           escaped_markup(run), tests, failures, cases);
    }
    return xml + "</testsuites>\n";
}

} // namespace rankscope
