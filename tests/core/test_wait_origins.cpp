// SPDX-License-Identifier: GPL-3.0-or-later
// Where waiting started, held against jobs that the simulator executes again without their fault.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <optional>

#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/chains.h"
#include "tests/support/simulator_transfers.h"
#include "tests/support/test_program.h"

namespace rankscope::wait_origins_test {

namespace {

/// Of the calls most of whose waiting the fault causes, the share whose origin is the rank with the fault and, where it
/// is given, that cause.
double share_of_right_origins(const machine::Case& made, const RunAnalysis& analysis, const Waiting& waiting,
                              std::optional<WaitCause> cause) {
    const machine::FaultTruth& fault = made.truth.faults.front();
    const Run& run = analysis.run();
    const machine::JoinedTransfers joined = machine::joined_transfers(analysis);
    double calls = 0;
    double right = 0;
    const machine::FaultWaits waits = machine::fault_waits(made.job, fault, made.simulated);
    for (const machine::WaitChain& chain : waits.of_fault) {
        const auto at = machine::joined_transfer(made, joined, chain);
        if (!at)
            continue;
        const WaitOrigin& origin = waiting.origins[*at];
        ++calls;
        right += origin.rank != kNoNode && (!cause || origin.cause == *cause) &&
                         std::ranges::find(fault.ranks, run.ranks[origin.rank]->rank) != fault.ranks.end()
                     ? 1
                     : 0;
    }
    return calls > 0 ? right / calls : 0;
}

} // namespace

class TestWaitOrigins : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void delaysAreFollowedToTheirOrigin_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<machine::FaultKind>("fault");
        QTest::addColumn<std::optional<WaitCause>>("cause");
        QTest::addColumn<double>("more");
        // Interleaved pipelines. Rank 2 waits for its GPU after each pass. Its messages come late, and what their way
        // takes is in the open on the ranks behind it, but hidden on their tensor-parallel peers: 59 % were right
        // where that way was named as the cause.
        QTest::newRow("the way of a late message is no cause")
            << quint64{95017} << machine::FaultKind::synchronisation << std::optional<WaitCause>() << 0.85;
        // Rank 2 waits for its GPU and the other hosts run ahead. 87 % were right where work from before the first
        // recorded step counted as unusual, and where ranks that wait for each other's usual work had no origin.
        QTest::newRow("usual work in an unusual order")
            << quint64{107047} << machine::FaultKind::synchronisation << std::optional<WaitCause>() << 0.91;
        // GPU 4 is slow, and sends do not wait for their receivers: 77 % were right where messages that were
        // still under way when their receiver came, and those between machines, were called slow transfers.
        QTest::newRow("messages under way")
            << quint64{95092} << machine::FaultKind::slow_gpu << std::optional<WaitCause>() << 0.85;
        // Rank 1 collects garbage. The rank that waits for it joins another of its calls meanwhile: its computation
        // since that call was named in 28 of 88.
        QTest::newRow("a call while another one is waited for")
            << quint64{107019} << machine::FaultKind::garbage_collection << std::optional(WaitCause::garbage_collection)
            << 0.9;
        // Rank 14 loses a little in each microbatch of a long pipeline. Once, only the longest of many waits was
        // followed, and a wait that led no further was blamed on whom ranks usually wait for there: 95.6 % were right.
        QTest::newRow("many small delays")
            << quint64{109061} << machine::FaultKind::slow_kernel << std::optional(WaitCause::computation) << 0.98;
        // Rank 0 stalls before it loads data, and ranks wait for it four calls and more away: comparing ways finds it
        // in 68 %, the replay without the stall in all.
        QTest::newRow("through many calls")
            << quint64{111068} << machine::FaultKind::stall_before_load << std::optional(WaitCause::host) << 0.67;
    }
    void delaysAreFollowedToTheirOrigin() {
        QFETCH(quint64, seed);
        QFETCH(machine::FaultKind, fault);
        QFETCH(std::optional<WaitCause>, cause);
        QFETCH(double, more);
        const machine::Case made = machine::make_case(seed, false);
        QVERIFY2(made.error.empty(), made.error.c_str());
        QCOMPARE(made.truth.faults.front().kind, fault);
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        machine::write_traces(made.job, made.simulated.program, made.simulated.execution, made.recording, path);
        const auto run = load_run(path);
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const double compared = share_of_right_origins(made, analysis, analysis.compared_waiting(), cause);
        QVERIFY2(compared > more, std::to_string(compared).c_str());
        const double told = share_of_right_origins(made, analysis, analysis.waiting(), cause);
        // Through many calls, 94 % since the slowdown beside communication is that of real recordings.
        QVERIFY2(told >= (seed == 111068 ? 0.94 : 0.99), std::to_string(told).c_str());
        // Rank 14, behind rank 2 in the same pipeline, was called late, although waiting blames rank 2.
        if (const auto& late = analysis.late_rank())
            QCOMPARE(late->rank, made.truth.faults.front().ranks.front());
    }
};

RANKSCOPE_TEST(TestWaitOrigins)

} // namespace rankscope::wait_origins_test

#include "test_wait_origins.moc"
