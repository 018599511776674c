// SPDX-License-Identifier: GPL-3.0-or-later
// Who sends how much to whom, worked out by hand.
#include <QtTest>

#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/rank_matrix.h"
#include "core/report/matrix_csv.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::rank_matrix_test {

namespace {

constexpr const char* kKernel = "ncclDevKernel_SendRecv";

ProcessGroup pair_group() { return {"0", "default_pg", {0, 1}, 2}; }

CollectiveCall message(bool send, int peer, std::int64_t elements) {
    CollectiveCall call;
    call.collective = send ? "send" : "recv";
    call.dtype = "Float";
    call.in_elements = call.out_elements = elements;
    call.group = pair_group();
    (send ? call.destination_rank : call.source_rank) = peer;
    return call;
}

/// Rank 0 sends rank 1 400 bytes in 10 us, then 800 in 20 (the receiver waits 5 longer); rank 1 answers with 40 in 4.
std::shared_ptr<const Run> messages() {
    return make_run({TraceBuilder(0)
                         .collective(kKernel, 3, 0, 10, message(true, 1, 100))
                         .collective(kKernel, 3, 105, 20, message(true, 1, 200))
                         .collective(kKernel, 3, 200, 4, message(false, 1, 10)),
                     TraceBuilder(1)
                         .collective(kKernel, 3, 0, 10, message(false, 0, 100))
                         .collective(kKernel, 3, 100, 25, message(false, 0, 200))
                         .collective(kKernel, 3, 200, 4, message(true, 0, 10))});
}

RankMatrix matrix_of(const std::shared_ptr<const Run>& run) {
    const RunAnalysis analysis(run, {});
    return rank_matrix(*run, analysis.collectives(), analysis.call_table(),
                       analysis.collective_summaries().all_to_allv_traffic, analysis.machines());
}

} // namespace

class TestRankMatrix : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messagesAddUpByTheirEnds() {
        const RankMatrix matrix = matrix_of(messages());
        QCOMPARE(matrix.ranks.size(), std::size_t{2});
        QCOMPARE(matrix.ranks[0].source, 0);
        QCOMPARE(matrix.ranks[0].destination, 1);
        QCOMPARE(matrix.ranks[0].calls, std::int64_t{2});
        QCOMPARE(matrix.ranks[0].bytes, std::int64_t{1200});
        QCOMPARE(matrix.ranks[0].time, TimeNs{30'000});
        QCOMPARE(matrix.ranks[1].source, 1);
        QCOMPARE(matrix.ranks[1].bytes, std::int64_t{40});
        QCOMPARE(matrix.without_direction, std::int64_t{0});
    }

    void splitsOfAnAllToAllAreBytesToEach() {
        const auto all_to_all = [](std::string split) {
            CollectiveCall call;
            call.collective = "all_to_allv";
            call.dtype = "Float";
            call.in_elements = call.out_elements = 4;
            call.group = pair_group();
            call.in_split = std::move(split);
            return call;
        };
        const RankMatrix matrix =
            matrix_of(make_run({TraceBuilder(0).collective("ncclDevKernel_SendRecv", 3, 0, 10, all_to_all("[1, 3]")),
                                TraceBuilder(1).collective("ncclDevKernel_SendRecv", 3, 0, 10, all_to_all("[2, 2]"))}));
        QCOMPARE(matrix.ranks.size(), std::size_t{4});
        QCOMPARE(matrix.ranks[0].bytes, std::int64_t{4}); // to itself
        QCOMPARE(matrix.ranks[1].bytes, std::int64_t{12});
        QCOMPARE(matrix.ranks[1].kind, CollectiveKind::all_to_all);
        QCOMPARE(matrix.ranks[2].bytes, std::int64_t{8});
    }

    void machinesAreThoseThatAreKnown() {
        const RankMatrix unknown = matrix_of(messages());
        QCOMPARE(unknown.machines.size(), std::size_t{1});
        QVERIFY(!unknown.machines[0].source);
        QCOMPARE(unknown.machines[0].bytes, std::int64_t{1240});
        const auto run = with_gpus_per_machine(messages(), 1);
        const RankMatrix known = matrix_of(run);
        QCOMPARE(known.machines.size(), std::size_t{2});
        QCOMPARE(known.machines[0].source, std::optional<std::int64_t>(0));
        QCOMPARE(known.machines[0].bytes, std::int64_t{1200});
        const AnalysedRun analysed{"run", "made", std::make_shared<RunAnalysis>(run, Selection{}), {}, {}};
        QCOMPARE(rank_matrix_csv(std::span(&analysed, 1)),
                 std::string("source,destination,kind,calls,without_size,bytes,time_us,bandwidth_gb_s,run\r\n"
                             "0,1,SendRecv,2,0,1200,30.000,0.04,made\r\n1,0,SendRecv,1,0,40,4.000,0.01,made\r\n"));
        QVERIFY(machine_matrix_csv(std::span(&analysed, 1)).find("0,1,2,1200,30.000,0.04,made") != std::string::npos);
    }
};

RANKSCOPE_TEST(TestRankMatrix)

} // namespace rankscope::rank_matrix_test

#include "test_rank_matrix.moc"
