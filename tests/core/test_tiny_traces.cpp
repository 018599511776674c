// SPDX-License-Identifier: GPL-3.0-or-later
// The traces of tests/data against what the older tools would print for them, worked out by hand
// (tests/data/README.md).
#include <QtTest>

#include <memory>
#include <string>
#include <vector>

#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::tiny_traces_test {
using namespace rankscope::oracle;

namespace {

const std::string kData = std::string(RANKSCOPE_SOURCE_DIR) + "/tests/data/";

double number_of(const CsvRow& row, const char* column) { return std::stod(row.at(column)); }

} // namespace

class TestTinyTraces : public QObject {
    Q_OBJECT

    std::unique_ptr<RunAnalysis> analysis_;

    [[nodiscard]] MetricResult metric(const char* id) const { return find_metric(id)->compute(*analysis_); }

private Q_SLOTS:
    void initTestCase() {
        const auto run = load_run(kData + "two_ranks");
        QVERIFY(run);
        QVERIFY((*run)->notices.empty());
        analysis_ = std::make_unique<RunAnalysis>(*run, Selection{});
    }

    void timelinesAreThoseOfTraceLens() {
        const Json ranks = metric("gpu_timeline").details["per_rank"];
        QCOMPARE(ranks.size(), std::size_t{2});
        for (int rank = 0; rank < 2; ++rank) {
            const auto rows = read_csv(kData + "expected/gpu_timeline_rank" + std::to_string(rank) + ".csv");
            QCOMPARE(rows.size(), std::size_t{8});
            const Json& ours = ranks[static_cast<std::size_t>(rank)];
            for (const CsvRow& row : rows) {
                const std::string& type = row.at("type");
                const double us = ours.at(type.substr(0, type.rfind("_time")) + "_us").get<double>();
                QVERIFY2(std::abs(us - 1000 * number_of(row, "time ms")) < 1e-6, type.c_str());
                QVERIFY2(std::abs(100 * us / ours.at("total_us").get<double>() - number_of(row, "percent")) < 1e-6,
                         type.c_str());
            }
        }
    }

    void breakdownsAreThoseOfHta() {
        const auto rows = read_csv(kData + "expected/temporal_breakdown.csv");
        QCOMPARE(rows.size(), std::size_t{2});
        for (const CsvRow& row : rows) {
            const auto& ours = analysis_->hta_breakdowns()[static_cast<std::size_t>(std::stoi(row.at("rank")))];
            QCOMPARE(static_cast<double>(ours.idle_us), number_of(row, "idle_time(us)"));
            QCOMPARE(static_cast<double>(ours.compute_us), number_of(row, "compute_time(us)"));
            QCOMPARE(static_cast<double>(ours.non_compute_us), number_of(row, "non_compute_time(us)"));
            QCOMPARE(static_cast<double>(ours.kernel_us), number_of(row, "kernel_time(us)"));
        }
    }

    void theLateRankCosts60And40Microseconds() {
        const MetricResult lag = metric("straggler_lag");
        QCOMPARE(lag.value, 50.0);
        QCOMPARE(lag.details["worst_rank"].get<int>(), 1);
        QCOMPARE(metric("iter_time").value, 0.4);
    }
};

RANKSCOPE_TEST(TestTinyTraces)

} // namespace rankscope::tiny_traces_test

#include "test_tiny_traces.moc"
