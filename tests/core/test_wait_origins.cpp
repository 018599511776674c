// SPDX-License-Identifier: GPL-3.0-or-later
// Where waiting started, held against jobs that the simulator executes again without their fault.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/chains.h"
#include "tests/support/simulator_transfers.h"
#include "tests/support/test_program.h"

namespace rankscope::wait_origins_test {

namespace {

/// Of the calls most of whose waiting the fault causes, the share whose origin is the rank with the fault.
double share_of_right_origins(const machine::Case& made, const RunAnalysis& analysis) {
    const machine::FaultTruth& fault = made.truth.faults.front();
    const Run& run = analysis.run();
    const machine::JoinedTransfers joined = machine::joined_transfers(analysis);
    double calls = 0;
    double right = 0;
    for (const machine::WaitChain& chain : machine::wait_chains(made.job, fault, made.simulated)) {
        const auto& transfer = made.simulated.program.transfers[static_cast<std::size_t>(chain.transfer)];
        const auto at = joined.find(
            {chain.last, machine::recorded_start(made.simulated, made.recording, chain.transfer, chain.last),
             transfer.kind == machine::TransferKind::message ? transfer.members.front() : -1});
        if (at == joined.end())
            continue;
        const std::uint32_t rank = analysis.waiting().origins[at->second].rank;
        ++calls;
        right += rank != kNoNode && std::ranges::find(fault.ranks, run.ranks[rank]->rank) != fault.ranks.end() ? 1 : 0;
    }
    return calls > 0 ? right / calls : 0;
}

} // namespace

class TestWaitOrigins : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// An interleaved pipeline: rank 2 waits for its GPU after each pass. Its messages come late, and what their way
    /// takes is in the open on the ranks behind it, but hidden on their tensor-parallel peers: 59 % were right where
    /// that way was named as the cause.
    void theWayOfALateMessageIsNoCause() {
        const machine::Case made = machine::make_case(95017, false);
        QVERIFY2(made.error.empty(), made.error.c_str());
        QCOMPARE(made.truth.faults.front().kind, machine::FaultKind::synchronisation);
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        machine::write_traces(made.job, made.simulated.program, made.simulated.execution, made.recording, path);
        const auto run = load_run(path);
        QVERIFY(run.has_value());
        const double right = share_of_right_origins(made, RunAnalysis(*run, {}));
        QVERIFY2(right > 0.85, std::to_string(right).c_str());
    }
};

RANKSCOPE_TEST(TestWaitOrigins)

} // namespace rankscope::wait_origins_test

#include "test_wait_origins.moc"
