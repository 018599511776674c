// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a range, against numbers worked out by hand, and against the whole run's kernel tables.
#include <algorithm>
#include <memory>

#include <QtTest>

#include "core/analysis/search/range_statistics.h"
#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::range_statistics_test {

namespace {

constexpr TimeNs kUs = 1'000;

/// Rank 0: gemm 0-10, gemm 20-40, nccl 30-60 on its own stream; rank 1: gemm 5-8, copy 50-52, and an empty kernel
/// at 40.
std::shared_ptr<const Run> twoRanks() {
    TraceBuilder first(0);
    first.cpu_op("aten::mm", 0, 3).launch(1, 1).kernel("gemm", 7, 0, 10);
    first.kernel("gemm", 7, 20, 20).kernel("ncclDevKernel_AllReduce", 9, 30, 30);
    TraceBuilder second(1);
    second.kernel("gemm", 7, 5, 3).kernel("noop", 7, 40, 0).memory_copy("Memcpy HtoD", 7, 50, 2, 64);
    return make_run({first, second});
}

const RangeRow* rowNamed(const std::vector<RangeRow>& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &RangeRow::name);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

class TestRangeStatistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timesAreClippedToTheRange() {
        // [8, 35) us: gemm 8-10 (2), gemm 20-35 (15), nccl 30-35 (5); rank 1's gemm ends at 8 and stays outside.
        const auto result = statistics(8, 35);
        QCOMPARE(result.count, 3);
        QCOMPARE(result.total, 22 * kUs);
        const RangeRow* gemm = rowNamed(result.table(RangeGrouping::kernel), "gemm");
        QVERIFY(gemm != nullptr);
        QCOMPARE(gemm->count, 2);
        QCOMPARE(gemm->total, 17 * kUs);
        QCOMPARE(gemm->min, 2 * kUs);
        QCOMPARE(gemm->max, 15 * kUs);
        QCOMPARE(gemm->mean(), 8.5 * kUs);
        QCOMPARE(run_->ranks[0]->events.start[gemm->longest.event] - run_->span.begin, 20 * kUs);
    }
    void rowsAreGroupedByClassRankAndOperator() {
        const auto all = statistics(0, 60);
        const auto& classes = all.table(RangeGrouping::kernel_class);
        QCOMPARE(classes.size(), std::size_t{3});
        QCOMPARE(classes[0].kernel_class, KernelClass::compute); // 10 + 20 + 3 + 0
        QCOMPARE(classes[0].total, 33 * kUs);
        QCOMPARE(classes[0].count, 4);
        QCOMPARE(classes[1].kernel_class, KernelClass::communication);
        QCOMPARE(classes[1].total, 30 * kUs);
        QCOMPARE(classes[2].kernel_class, KernelClass::memory_copy);
        const auto& ranks = all.table(RangeGrouping::rank);
        QCOMPARE(ranks.size(), std::size_t{2});
        QCOMPARE(ranks[0].total, 60 * kUs);
        QCOMPARE(ranks[1].rank, 1U);
        QCOMPARE(ranks[1].total, 5 * kUs);
        const auto& operators = all.table(RangeGrouping::op);
        const RangeRow* mm = rowNamed(operators, "aten::mm");
        const RangeRow* none = rowNamed(operators, "");
        QVERIFY(mm != nullptr && none != nullptr);
        QCOMPARE(mm->total, 10 * kUs);
        QCOMPARE(none->total, 55 * kUs);
    }
    void anEventWithoutLengthCountsWhereItStarts() {
        QVERIFY(rowNamed(statistics(40, 41).table(RangeGrouping::kernel), "noop") != nullptr);
        QVERIFY(rowNamed(statistics(39, 40).table(RangeGrouping::kernel), "noop") == nullptr);
    }
    void aRangeWithoutWorkIsEmpty() {
        const auto result = statistics(70, 90);
        QCOMPARE(result.count, 0);
        for (const auto& table : result.tables)
            QVERIFY(table.empty());
    }
    void cancellingGivesNothing() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!range_statistics(RunClasses(twoRanks()), {0, 60 * kUs}, stop.get_token()));
    }
    /// Any range must agree with the analyses under the same selection: they clip in another place.
    void rangesAgreeWithTheSelectionOfTheAnalyses() {
        QTemporaryDir folder;
        SimulatorOptions options;
        options.pp = 2;
        options.dp = 2;
        QVERIFY(write_run(options, folder.path().toStdString()));
        const auto loaded = load_run(folder.path().toStdString(), {});
        QVERIFY(loaded);
        const std::shared_ptr<const Run> run = *loaded;
        const TimeNs length = run->span.length();
        for (const auto& [from, to] : {std::pair(0.0, 1.0), std::pair(0.2, 0.45), std::pair(0.5, 0.5001)}) {
            const TimeRange range{static_cast<TimeNs>(from * static_cast<double>(length)),
                                  static_cast<TimeNs>(to * static_cast<double>(length))};
            const RunAnalysis analysis(run, Selection{range, {}});
            const auto result =
                range_statistics(RunClasses(run), {run->span.begin + range.begin, run->span.begin + range.end});
            std::int64_t count = 0;
            TimeNs total = 0;
            for (const auto& table : analysis.kernel_tables())
                for (const KernelStatistics& kernel : table) {
                    count += kernel.count;
                    total += kernel.total;
                }
            QVERIFY(count > 0);
            QCOMPARE(result->count, count);
            QCOMPARE(result->total, total);
            for (const auto& table : result->tables) {
                TimeNs sum = 0;
                for (const RangeRow& row : table)
                    sum += row.total;
                QCOMPARE(sum, total);
            }
        }
    }

private:
    RangeStatistics statistics(TimeNs from_us, TimeNs to_us) {
        run_ = twoRanks();
        const TimeNs begin = run_->span.begin;
        return *range_statistics(RunClasses(run_), {begin + from_us * kUs, begin + to_us * kUs});
    }
    std::shared_ptr<const Run> run_;
};

RANKSCOPE_TEST(TestRangeStatistics)

} // namespace rankscope::range_statistics_test

#include "test_range_statistics.moc"
