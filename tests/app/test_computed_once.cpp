// SPDX-License-Identifier: GPL-3.0-or-later
// A report of two runs computes each analysis once a run, and each comparison once.
#include <QTemporaryDir>
#include <QtTest>

#include <map>
#include <string>
#include <vector>

#include "app/command/batch.h"
#include "core/base/work_count.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"

namespace rankscope::computed_once_test {

class TestComputedOnce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReportOfTwoRunsComputesNothingTwice() {
        const QTemporaryDir folder;
        const std::filesystem::path at = folder.path().toStdString();
        QVERIFY(write_run(demo_baseline(), at / "before"));
        QVERIFY(write_run(demo_test(), at / "after"));
        const std::vector<std::string> arguments{"--batch",
                                                 (at / "before").string(),
                                                 (at / "after").string(),
                                                 "--quiet",
                                                 "--output",
                                                 (at / "report").string(),
                                                 "--no-cache"};
        const auto options = parse_options(arguments);
        QVERIFY(options);
        Interrupt interrupt;
        std::map<std::string, int> counts;
        {
            const WorkCounter counter;
            QCOMPARE(run_batch(*options, interrupt), 0);
            counts = counter.counts();
        }
        // even_times: of the times as they are, and of the times without the faults that were found.
        const std::map<std::string, int> once{{"compare_metrics", 1},
                                              {"compare_configs", 1},
                                              {"compare_kernels", 1},
                                              {"explain_change", 1},
                                              {"even_times", 4}};
        for (const auto& [what, count] : counts) {
            const auto comparison = once.find(what);
            QVERIFY2(count == (comparison != once.end() ? comparison->second : 2),
                     qPrintable(QString::fromStdString(what) + u": " + QString::number(count)));
        }
        for (const char* what :
             {"account_steps",    "build_step_graph", "communication_nodes",     "expert_rounds", "peer_stages",
              "peer_times",       "find_findings",    "match_collectives",       "align_clocks",  "find_stragglers",
              "analyse_traffic",  "analyse_pipeline", "pooled_leaves",           "waiting",       "late_rank",
              "time_collectives", "work_of_steps",    "share_of_parallel_calls", "name_totals",   "compare_metrics",
              "compare_configs",  "compare_kernels",  "explain_change"})
            QVERIFY2(counts.contains(what), what);
    }
};

RANKSCOPE_TEST(TestComputedOnce)

} // namespace rankscope::computed_once_test

#include "test_computed_once.moc"
