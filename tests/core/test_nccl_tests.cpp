// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of nccl-tests: tables as versions and launchers write them.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <filesystem>

#include "core/analysis/collectives/link_fits.h"
#include "core/base/whole_file.h"
#include "core/input/load/load_run.h"
#include "core/input/nccl_tests/nccl_tests_log.h"
#include "tests/support/test_program.h"

namespace rankscope::nccl_tests_test {

namespace {

const std::string kHead =
    "# nThread 1 nGpus 1 minBytes 1048576 maxBytes 4194304 step: 2(factor) warmup iters: 1 iters: 20\n"
    "#\n# Using devices\n"
    "#  Rank  0 Group  0 Pid  15784 on  node1 device  0 [0009:01:00] NVIDIA GH200 120GB\n"
    "#  Rank  1 Group  0 Pid  24926 on  node2 device  0 [0009:01:00] NVIDIA GH200 120GB\n#\n"
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)\n";
const std::string kRows = "     1048576        262144     float     sum      -1   339.61    3.09    3.09       0   "
                          "335.85    3.12    3.12    0\n"
                          "     4194304       1048576     float     sum      -1   476.28    8.81    8.81       0   "
                          "471.14    8.90    8.90  N/A\n";

std::vector<NcclTestCurve> parsed(const std::string& text, const std::string& name = "tests.log") {
    auto curves = parse_nccl_tests(text, name);
    return curves ? std::move(*curves) : std::vector<NcclTestCurve>();
}

} // namespace

class TestNcclTests : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTableIsACurve() {
        QVERIFY(begins_as_nccl_tests(kHead));
        const auto curves = parsed("# Collective test starting: all_reduce_perf\n" + kHead + kRows +
                                   "# Avg bus bandwidth    : 14.9966\n# Collective test concluded: all_reduce_perf\n");
        QCOMPARE(curves.size(), std::size_t{1});
        QCOMPARE(curves[0].kind, CollectiveKind::all_reduce);
        QCOMPARE(curves[0].ranks, 2);
        QCOMPARE(curves[0].datatype, std::string("float"));
        QCOMPARE(curves[0].points.size(), std::size_t{2});
        QCOMPARE(curves[0].points[0].bytes, std::int64_t{1048576});
        QCOMPARE(curves[0].points[0].out_of_place_us, 339.61);
        QCOMPARE(curves[0].points[0].out_of_place_busbw_gb_s, 3.09);
        QCOMPARE(curves[0].points[1].in_place_us, 471.14);
        QCOMPARE(curves[0].points[1].in_place_busbw_gb_s, 8.90);
    }

    void launchersPrefixesAndSeveralTests() {
        std::string text = "$ mpirun -np 2 ./build/all_gather_perf -b 1M -e 4M\n";
        for (const std::string& line : {kHead, kRows})
            text += line;
        text += "0: # Collective test starting: reduce_scatter_perf\n";
        std::string prefixed;
        for (const QByteArray& line : QByteArray::fromStdString(kHead + kRows).split('\n'))
            prefixed += "[1,0]<stdout>:" + line.toStdString() + "\n";
        const auto curves = parsed(text + prefixed);
        QCOMPARE(curves.size(), std::size_t{2});
        QCOMPARE(curves[0].kind, CollectiveKind::all_gather);
        QCOMPARE(curves[1].kind, CollectiveKind::reduce_scatter);
        QCOMPARE(curves[1].points.size(), std::size_t{2});
    }

    void theFilesNameTellsTheTestWhereTheTextDoesNot() {
        QCOMPARE(parsed(kHead + kRows, "alltoall_2nodes.txt").at(0).kind, CollectiveKind::all_to_all);
        QVERIFY(!parse_nccl_tests(kHead + kRows, "out.txt").has_value());
        QVERIFY(!parse_nccl_tests(kHead, "all_reduce.txt").has_value());
    }

    void aRankThatNoJobHasIsLeftOut() {
        std::string text = "# all_reduce_perf\n" + kHead + kRows;
        text.replace(text.find("#  Rank  1 Group"), 16, "#  Rank  2147483647 Group");
        QCOMPARE(parsed(text).at(0).ranks, 1);
    }
    void betweenSizesTheCurveIsStraightInLogarithms() {
        NcclTestCurve curve;
        curve.points = {{1000, 1, 1, 1, 2}, {100'000, 1, 8, 1, 3}}; // the better of both: 2 and 8
        QCOMPARE(bus_gb_s_of(curve, 1000), 2.0);
        QVERIFY(std::abs(bus_gb_s_of(curve, 10'000) - 4) < 1e-9);
        QVERIFY(std::isnan(bus_gb_s_of(curve, 999)));
        QVERIFY(std::isnan(bus_gb_s_of(curve, 100'001)));
    }

    void logsBesideTheTracesAreFound() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        for (const char* name : {"rank0.json", "rank1.json"})
            std::filesystem::copy_file(std::filesystem::path(RANKSCOPE_SOURCE_DIR) / "tests/data/two_ranks" / name,
                                       path / name);
        QVERIFY(write_whole_file(path / "nccl.log", "# Collective test starting: all_reduce_perf\n" + kHead + kRows));
        QVERIFY(write_whole_file(path / "cut.log", kHead));
        LoadOptions options;
        options.use_cache = false;
        const auto run = load_run(path, options);
        QVERIFY(run.has_value());
        QCOMPARE((*run)->nccl_tests.size(), std::size_t{1});
        QVERIFY(std::ranges::find((*run)->notices, "nccl_tests", &Notice::code) != (*run)->notices.end());
        QVERIFY(std::ranges::find((*run)->notices, "nccl_tests_broken", &Notice::code) != (*run)->notices.end());
    }
};

RANKSCOPE_TEST(TestNcclTests)

} // namespace rankscope::nccl_tests_test

#include "test_nccl_tests.moc"
