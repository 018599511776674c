// SPDX-License-Identifier: GPL-3.0-or-later
// Random runs with known faults: precision and recall of the findings, by cause, and how near their costs are to the
// truth.
//   rankscope_bench_demo_findings [RUNS [FIRST]]
// Default: 300 runs from 0; --verbose as third argument tells each miss. rankscope_bench_findings holds them against
// another simulator.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "tests/support/fault_runs.h"

using namespace rankscope;

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 300;
    const int first = argc > 2 ? std::atoi(argv[2]) : 0;
    const bool verbose = argc > 3;
    constexpr double kLeast = 0.01; // of the step: what counts as a fault
    struct Count {
        int injected = 0;
        int found = 0;
        int first = 0;
        int wrong = 0;
        int near = 0; ///< within 5 %
        double worst = 0;
    };
    std::map<std::string, Count> counts;
    int healthy = 0;
    int healthy_clean = 0;
    int single = 0;
    int single_first = 0;
    int pairs = 0;
    int pairs_first = 0;
    for (int number = first; number < first + runs; ++number) {
        const SimulatorOptions options = fault_run(number);
        const FaultRunResult result = examine(options);
        if (!result.error.empty()) {
            fmt::print(stderr, "run {}: {}\n", number, result.error);
            return 1;
        }
        bool bad = !result.wrong.empty();
        for (const FaultOutcome& outcome : result.faults) {
            Count& count = counts[std::string(fault_cause_word(outcome.fault.cause))];
            if (outcome.true_share < kLeast)
                continue;
            ++count.injected;
            count.found += outcome.found;
            count.first += outcome.first;
            const double error = outcome.found ? std::abs(outcome.found_cost / outcome.true_cost - 1) : 1;
            count.near += error <= 0.05;
            count.worst = outcome.found ? std::max(count.worst, error) : count.worst;
            bad = bad || error > 0.05;
            if (result.faults.size() == 1) {
                ++single;
                single_first += outcome.first;
                bad = bad || !outcome.first;
            }
        }
        if (result.faults.size() == 2) {
            const auto told = [&](const FaultOutcome& o) {
                return o.first && std::abs(o.found_cost / o.true_cost - 1) <= 0.05;
            };
            const bool one_costs = std::ranges::any_of(
                result.faults, [&](const FaultOutcome& o) { return o.true_share >= kLeast; });
            const bool first_told = std::ranges::any_of(
                result.faults, [&](const FaultOutcome& o) { return o.true_share >= kLeast && told(o); });
            pairs += one_costs;
            pairs_first += first_told;
            bad = bad || (one_costs && !first_told);
        }
        for (const Finding& finding : result.wrong)
            ++counts[std::string(finding.code == FindingCode::straggler ? cause_word(finding.cause)
                                                                        : code_word(finding.code))]
                  .wrong;
        healthy += options.faults.empty();
        healthy_clean += options.faults.empty() && result.wrong.empty();
        if (verbose && bad) {
            fmt::print("run {}: {}\n", number, described(options));
            for (const FaultOutcome& outcome : result.faults) {
                fmt::print("    {}: true cost {:.0f} us ({:.1f} %), {} {:.0f} us\n",
                           fault_cause_word(outcome.fault.cause), outcome.true_cost / 1e3, 100 * outcome.true_share,
                           outcome.found ? "found" : "NOT FOUND", outcome.found_cost / 1e3);
            }
            for (const Finding& finding : result.findings.list)
                fmt::print("    - {} {} {}\n", code_word(finding.code), cause_word(finding.cause),
                           english(finding.title));
        }
    }
    fmt::print("{:<20}{:>9}{:>8}{:>7}{:>8}{:>11}{:>11}{:>16}{:>14}\n", "cause", "injected", "found", "first", "wrong",
               "recall %", "precision %", "cost within 5 %", "worst error %");
    for (const auto& [cause, count] : counts) {
        const double recall = count.injected > 0 ? 100.0 * count.found / count.injected : 100;
        const double precision =
            count.found + count.wrong > 0 ? 100.0 * count.found / (count.found + count.wrong) : 100;
        fmt::print("{:<20}{:>9}{:>8}{:>7}{:>8}{:>11.1f}{:>11.1f}{:>16}{:>14.1f}\n", cause, count.injected, count.found,
                   count.first, count.wrong, recall, precision, count.near, 100 * count.worst);
    }
    fmt::print("{} runs; healthy: {} of {} without a finding of 1 %; one fault of 1 % or more: the first finding names "
               "it in {} of {}\n",
               runs, healthy_clean, healthy, single_first, single);
    fmt::print("two faults, one of 1 % or more at least: the first finding names one of them with its cost within 5 % "
               "in {} of {}\n",
               pairs_first, pairs);
    return 0;
}
