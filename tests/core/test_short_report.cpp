// SPDX-License-Identifier: GPL-3.0-or-later
// The short report as text and as Markdown, of contents written here.
#include <QtTest>

#include <algorithm>

#include "core/report/short_report.h"
#include "tests/support/test_program.h"

namespace rankscope::short_report_test {

namespace {

/// A step of 20 ms: half computation, a quarter waiting, a quarter host.
ShortReport::OneRun run_of_three_parts() {
    ShortReport::OneRun run;
    run.title = "train: 3 steps, each 20.00 ms, on 8 ranks";
    run.path = "/runs/train";
    run.headline = "Rank 3 is slower than its peers. Cost: 5.00 ms of a 20.00 ms step.";
    StepSummary step;
    step.unit = StepAccount::Unit::profiler_steps;
    step.fill.step_ns = 20e6;
    step.fill[StepShare::computation] = 10e6;
    step.fill[StepShare::waiting] = 5e6;
    step.fill[StepShare::host] = 5e6;
    run.step = step;
    return run;
}

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

} // namespace

class TestShortReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBarIsFilledByItsParts() {
        ShortReport report;
        report.runs.push_back(run_of_three_parts());
        const std::string text = as_text(report, {.columns = 80});
        const std::string bar = std::string(40, 'C') + std::string(20, 'W') + std::string(20, 'H');
        QVERIFY2(text.find("A step takes 20.00 ms\n" + bar + "\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("C computation 50 %, W waiting for other ranks 25 %, H waiting for the host 25 %\n") !=
                     std::string::npos,
                 text.c_str());
    }

    void whatDoesNotFitIsCounted() {
        ShortReport report;
        ShortReport::OneRun run = run_of_three_parts();
        for (std::size_t i = 0; i < 60; ++i) // the first one is the headline
            run.findings.push_back({i + 2, "Finding of rank " + std::to_string(i) + "."});
        run.unmeasured = std::string(900, 'x') + " y";
        report.runs.push_back(run);
        for (int i = 0; i < 20; ++i)
            report.gates.push_back({i > 0, "iter_time<=" + std::to_string(i)});
        const std::string text = as_text(report, {});
        QVERIFY2(lines_of(text) <= 40, text.c_str());
        QVERIFY2(text.starts_with("FAILED  iter_time<=0\n"), text.c_str());
        QVERIFY2(text.find("and 15 more gates (--full)") != std::string::npos, text.c_str());
        QVERIFY2(text.find(" 2. Finding of rank 0.\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("more (--full)") != std::string::npos, text.c_str());
    }

    /// What a finding costs stays where its sentence is cut, and a hang is told in paragraphs.
    void whatCostsAndWhatHangsIsNotCutOff() {
        ShortReport report;
        ShortReport::OneRun run = run_of_three_parts();
        std::string words;
        for (int i = 0; i < 300; ++i)
            words += " word";
        for (std::size_t i = 0; i < 9; ++i)
            run.findings.push_back({i + 2, "Long" + words + ". Cost: 1.00 ms of a 20.00 ms step."});
        run.hang = {"Rank 12 is at fault.", "What to do: look at its GPU."};
        report.runs.push_back(run);
        const std::string text = as_text(report, {});
        QVERIFY2(lines_of(text) <= 40, text.c_str());
        QVERIFY2(text.find(" … Cost: 1.00 ms of a 20.00 ms step.\n") != std::string::npos ||
                     text.find(" …\n    Cost: 1.00 ms of a 20.00 ms step.\n") != std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("\nWhat to do: look at its GPU.\n") != std::string::npos, text.c_str());
    }

    void colourIsOnlyForATerminal() {
        ShortReport report;
        report.gates.push_back({false, "step_time<+3%: +10.0 %, limit +3.0 % (b)"});
        QVERIFY(as_text(report, {.colour = true}).starts_with("\x1b[1;31mFAILED"));
        QVERIFY(as_text(report, {}).find('\x1b') == std::string::npos);
    }

    void namesAreNoMarkdown() {
        ShortReport report;
        ShortReport::OneRun run = run_of_three_parts();
        run.headline = "<img src=x> [a](b) @team #1 `c` | d";
        report.runs.push_back(run);
        const std::string text = as_markdown(report);
        QVERIFY2(text.find("&lt;img src=x&gt; \\[a\\](b) @\u200bteam \\#1 \\`c\\` \\| d") != std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("| computation | 10.00 ms | 50 % |") != std::string::npos, text.c_str());
    }
};

RANKSCOPE_TEST(TestShortReport)

} // namespace rankscope::short_report_test

#include "test_short_report.moc"
