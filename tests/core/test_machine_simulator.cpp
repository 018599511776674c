// SPDX-License-Identifier: GPL-3.0-or-later
// The simulator that findings are measured against: small programs with times worked out by hand, costs of faults in
// closed form, schedules as PyTorch has them, and traces that Rankscope reads whole.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "core/input/load/load_run.h"
#include "core/report/json_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/judge.h"
#include "tests/support/test_program.h"

namespace rankscope::machine_simulator_test {

using namespace machine;
using machine::Dimension; // not those of the demo's simulator
using machine::Fault;
using machine::GpuWork;

namespace {

constexpr int kComputeKernel = 0;
constexpr int kCommunicationKernel = 1;
constexpr int kCopyKernel = 2;

/// A program to which tests add instructions; a launch takes the host 10 us, and reaches the GPU 8 us after it started.
struct SmallProgram {
    explicit SmallProgram(int ranks, int streams = 2) {
        program.kernels = {{"gemm", "aten::mm", "", GpuWork::compute, 1, 1, 0},
                           {"nccl", "c10d::allreduce_", "", GpuWork::communication, 1, 1, 0},
                           {"copy", "aten::copy_", "", GpuWork::copy, 1, 1, 8}};
        program.groups = {{"0", Dimension::world, {}}};
        for (int i = 0; i < streams; ++i)
            program.streams.push_back(7 + i);
        program.ranks.resize(static_cast<std::size_t>(ranks));
        program.events.resize(static_cast<std::size_t>(ranks));
        program.steps = 1;
        for (int rank = 0; rank < ranks; ++rank)
            program.groups[0].ranks.push_back(rank);
    }
    Instruction& add(int rank, Instruction::Kind kind, int stream, double host) {
        Instruction& added = program.ranks[static_cast<std::size_t>(rank)].emplace_back();
        added.kind = kind;
        added.stream = static_cast<std::int16_t>(stream);
        added.host = host;
        return added;
    }
    void launch(int rank, double duration, int stream = 0, int kernel = kComputeKernel) {
        Instruction& added = add(rank, Instruction::Kind::launch, stream, 10'000);
        added.kernel = kernel;
        added.duration = duration;
    }
    void join(int rank, int transfer, int member, int stream = 1) {
        launch(rank, 0, stream, kCommunicationKernel);
        program.ranks[static_cast<std::size_t>(rank)].back().transfer = transfer;
        program.ranks[static_cast<std::size_t>(rank)].back().member = member;
    }
    void follow(int rank, int stream, int after) {
        const int event = program.events[static_cast<std::size_t>(rank)]++;
        add(rank, Instruction::Kind::record, after, 600).event = event;
        add(rank, Instruction::Kind::wait, stream, 600).event = event;
    }
    void transfer(machine::TransferKind kind, std::vector<int> members, double alone, bool eager = false,
                  std::vector<int> links = {}) {
        Transfer& made = program.transfers.emplace_back();
        made.kind = kind;
        made.members = std::move(members);
        made.elements.resize(made.members.size());
        made.received.resize(made.members.size());
        made.alone = alone;
        made.eager = eager;
        made.links = std::move(links);
        program.link_count = 4;
    }
    Program program;
};

/// The launches of a rank.
std::vector<Timing> launches(const SmallProgram& small, const Execution& execution, int rank) {
    std::vector<Timing> found;
    const auto r = static_cast<std::size_t>(rank);
    for (std::size_t i = 0; i < small.program.ranks[r].size(); ++i)
        if (small.program.ranks[r][i].kind == Instruction::Kind::launch)
            found.push_back(execution.ranks[r][i]);
    return found;
}

/// Without noise, and with a network that takes next to no time.
Job plain_job() {
    Job job;
    job.kernel_noise = job.transfer_noise = job.host_noise = job.rank_noise = job.token_noise = 0;
    job.near_latency = job.far_latency = 1000;
    job.near_gb_s = job.far_gb_s = 1e5;
    job.gradients = 1000;
    job.steps = 5;
    return job;
}

/// GPU time of all computation of a rank in one step, as the program has it.
double computation(const Program& program, int rank, int step) {
    double sum = 0;
    for (const Instruction& each : program.ranks[static_cast<std::size_t>(rank)])
        if (each.kind == Instruction::Kind::launch && each.step == step &&
            program.kernels[static_cast<std::size_t>(each.kernel)].work == GpuWork::compute)
            sum += each.duration;
    return sum;
}

/// A pipeline whose passes take the time of their kernels and nothing else.
Job plain_pipeline(PipelineSchedule schedule, int chunks) {
    Job job = plain_job();
    job.pp = 4;
    job.microbatches = 8;
    job.schedule = schedule;
    job.chunks = chunks;
    job.layers = 4 / chunks;
    job.embedding = job.head = 0;
    job.update = 3;
    job.load = job.step_python = job.operator_time = job.python_gap = 1;
    job.receives_wait = false;
    job.near_latency = job.far_latency = 0;
    job.gemm = 1e6;
    job.attention = job.element_wise = 0;
    job.tokens = 1;
    job.hidden = 1;
    job.traits = {1, 0, 0, 0, 0, 0, 1 << 20, false};
    return job;
}

Truth faulty_truth(FaultKind kind, std::vector<int> ranks, double cost) {
    Truth truth;
    truth.step = 100e6;
    FaultTruth& fault = truth.faults.emplace_back();
    fault.kind = kind;
    fault.ranks = std::move(ranks);
    fault.cost = cost;
    fault.cost_affected = 2 * cost;
    fault.steps = 5;
    fault.first_step = 12;
    return truth;
}

AnalysedRun analysed(const Job& job, const SimulatedJob& simulated, const Recording& recording) {
    QTemporaryDir folder;
    write_traces(job, simulated.program, simulated.execution, recording, folder.path().toStdString());
    const auto run = load_run(folder.path().toStdString());
    AnalysedRun result;
    result.notices = run.value()->notices;
    result.analysis = std::make_shared<const RunAnalysis>(run.value(), Selection());
    return result;
}

/// Data parallel, hosts that wait in each step, little noise.
Job quiet_job(int ranks) {
    Job job;
    job.dp = ranks;
    job.steps = 10;
    job.kernel_noise = 0.002;
    job.rank_noise = 0;
    job.host_noise = 0.05;
    return job;
}

AnalysedRun analysed(const Job& job, const std::set<int>& untraced = {}) {
    Recording recording;
    recording.untraced = untraced;
    return analysed(job, simulate(job), recording);
}

Fault slow_gpu(int rank, double factor, int first = 0) {
    Fault fault;
    fault.ranks = {rank};
    fault.factor = factor;
    fault.first = first;
    return fault;
}

const Finding* straggler_of(const AnalysedRun& run, int rank) {
    for (const Finding& finding : run.analysis->findings().list)
        if (finding.code == FindingCode::straggler && finding.ranks == std::vector{rank})
            return &finding;
    return nullptr;
}

} // namespace

class TestMachineSimulator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Kernels of 100 and 150 us, then an all-reduce of 50 us: it moves when the later rank has come.
    void aCollectiveStartsWithItsLastMember() {
        SmallProgram small(2);
        small.transfer(machine::TransferKind::all_reduce, {0, 1}, 50'000);
        for (int rank = 0; rank < 2; ++rank) {
            small.launch(rank, rank == 0 ? 100'000 : 150'000);
            small.follow(rank, 1, 0);
            small.join(rank, 0, rank);
            small.follow(rank, 0, 1);
            small.launch(rank, 10'000);
        }
        const Execution execution = execute(small.program, {});
        QVERIFY2(execution.error.empty(), execution.error.c_str());
        const auto early = launches(small, execution, 0);
        const auto late = launches(small, execution, 1);
        QCOMPARE(early[0].gpu_begin, 8'000); // 4 us into its operator, and 4 us to the GPU
        QCOMPARE(early[0].gpu_end, 108'000);
        QCOMPARE(early[1].gpu_begin, 109'500); // an event is seen after 1.5 us
        QCOMPARE(late[1].gpu_begin, 159'500);
        QCOMPARE(early[1].gpu_end, 209'500);
        QCOMPARE(late[1].gpu_end, 209'500);
        QCOMPARE(early[2].gpu_begin, 211'000);
        QCOMPARE(late[2].gpu_end, 221'000);
        QCOMPARE(early[2].host_end, 32'400); // the hosts did not wait: 3 launches and 4 calls of 0.6 us
        QCOMPARE(execution.step_ends, std::vector<double>{221'000});
    }

    void queuedWorkFollowsAfterAGap() {
        SmallProgram small(1);
        small.launch(0, 100'000);
        small.launch(0, 20'000, 0, kCopyKernel);
        const auto done = launches(small, execute(small.program, {}), 0);
        QCOMPARE(done[1].gpu_begin, 109'000);
        QCOMPARE(done[1].gpu_end, 129'000);
    }

    /// The second launch finds the queue full until the kernel before it has started.
    void aFullQueueHoldsUpTheHost() {
        SmallProgram small(1);
        for (int i = 0; i < 4; ++i)
            small.launch(0, 100'000);
        Traits traits;
        traits.queue_depth = 1;
        const auto done = launches(small, execute(small.program, traits), 0);
        QCOMPARE(done[1].host_end, 20'000); // the first one runs since 8 us: there is room for the second
        QCOMPARE(done[2].host_begin, 20'000);
        QCOMPARE(done[1].gpu_begin, 109'000);
        QCOMPARE(done[2].call_begin, 24'000);
        QCOMPARE(done[2].call_end, 113'000); // there is room again when the second one starts
        QCOMPARE(done[2].host_end, 115'000);
        QCOMPARE(done[3].host_begin, 115'000);
    }

    void aWaitingHostGoesOnAfterItsStream() {
        SmallProgram small(1);
        small.launch(0, 100'000);
        small.add(0, Instruction::Kind::synchronise, 0, 2'000);
        small.launch(0, 10'000);
        const Execution execution = execute(small.program, {});
        QCOMPARE(execution.ranks[0][1].call_begin, 10'000);
        QCOMPARE(execution.ranks[0][1].call_end, 115'000); // 108, 5 to wake up, 2 of the call
        QCOMPARE(execution.ranks[0][2].gpu_begin, 123'000);
    }

    /// Rank 0 spins from 18 us on, so that 40 us of its kernel are alone and the rest takes 1.25 times as long.
    void computationIsSlowerBesideACommunicationKernel() {
        SmallProgram small(2);
        small.transfer(machine::TransferKind::all_reduce, {0, 1}, 10'000);
        small.launch(0, 100'000);
        small.join(0, 0, 0);
        small.launch(1, 1'000'000);
        small.follow(1, 1, 0);
        small.join(1, 0, 1);
        Traits traits;
        traits.sm_share = 0.25;
        const auto done = launches(small, execute(small.program, traits), 0);
        QCOMPARE(done[1].gpu_begin, 18'000);
        QCOMPARE(done[0].gpu_end, 18'000 + 90'000 * 1.25); // 10 us were done before
        QCOMPARE(done[1].gpu_end, 1'019'500);
    }

    void aMessageMeetsOrDoesNotWait_data() {
        QTest::addColumn<bool>("eager");
        QTest::addColumn<double>("sent");
        QTest::addColumn<double>("received");
        QTest::newRow("both spin until the other is there") << false << 338'000.0 << 338'000.0;
        QTest::newRow("the sender does not wait, the late receiver copies") << true << 38'000.0 << 311'000.0;
    }
    void aMessageMeetsOrDoesNotWait() {
        QFETCH(bool, eager);
        SmallProgram small(2);
        small.transfer(machine::TransferKind::message, {0, 1}, 30'000, eager);
        small.join(0, 0, 0);
        small.add(1, Instruction::Kind::work, -1, 300'000);
        small.join(1, 0, 1);
        const Execution execution = execute(small.program, {});
        QCOMPARE(launches(small, execution, 1)[0].gpu_begin, 308'000);
        QTEST(launches(small, execution, 0)[0].gpu_end, "sent");
        QTEST(launches(small, execution, 1)[0].gpu_end, "received");
    }

    /// 20 us alone, then two transfers of one link: 40 us for the rest of the first one, of 20, and the second goes on
    /// alone.
    void transfersShareALink() {
        SmallProgram small(2, 3);
        small.transfer(machine::TransferKind::all_reduce, {0, 1}, 40'000, false, {1});
        small.transfer(machine::TransferKind::all_reduce, {0, 1}, 40'000, false, {1});
        for (int rank = 0; rank < 2; ++rank) {
            small.join(rank, 0, rank, 1);
            small.add(rank, Instruction::Kind::work, -1, 10'000);
            small.join(rank, 1, rank, 2);
        }
        Traits traits;
        traits.shared_links = true;
        const auto done = launches(small, execute(small.program, traits), 0);
        QCOMPARE(done[0].gpu_begin, 8'000);
        QCOMPARE(done[1].gpu_begin, 28'000);
        QCOMPARE(done[0].gpu_end, 68'000);
        QCOMPARE(done[1].gpu_end, 88'000);
    }

    void whatCannotEndIsAnError() {
        SmallProgram small(2);
        small.transfer(machine::TransferKind::all_reduce, {0, 1}, 10'000);
        small.join(0, 0, 0);
        QVERIFY(execute(small.program, {}).error.find("rank 0 is stuck") != std::string::npos);
    }

    /// All computation of the slow rank takes 1.3 times as long, and nothing hides it.
    void aStragglerCostsItsExcess() {
        Job job = plain_job();
        job.dp = 4;
        job.faults = {{FaultKind::slow_gpu, {2}, 1.3}};
        const SimulatedJob simulated = simulate(job);
        QVERIFY2(simulated.execution.error.empty(), simulated.execution.error.c_str());
        const Truth truth = truth_of(job, simulated.execution);
        const double excess = computation(simulated.program, 2, 4) - computation(simulated.program, 1, 4);
        QVERIFY(std::abs(computation(simulated.program, 2, 4) / computation(simulated.program, 1, 4) - 1.3) < 1e-9);
        QVERIFY2(std::abs(truth.faults[0].cost - excess) < 1, QByteArray::number(truth.faults[0].cost - excess));
        QCOMPARE(truth.faults[0].steps, 5);
        QCOMPARE(truth.faults[0].first_step, 10);
        QCOMPARE(truth.faults[0].last_step, 14);
    }

    /// Rank 1 takes 12 passes of time instead of 8. GPipe: both phases of a step last longer by what it takes longer, 4
    /// passes. 1F1B: its first forward pass starts after 1/3, it waits 1 for its first backward pass (which arrives
    /// after 1/3 + 1/2 + 2, when three forward passes have taken 3/2), and rank 0 ends 2/3 after it: 14 instead of 11.
    void aSlowStageCostsWhatItsScheduleDoesNotHide_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<double>("passes");
        QTest::newRow("gpipe") << int(PipelineSchedule::gpipe) << 4.0;
        QTest::newRow("1f1b") << int(PipelineSchedule::one_forward_one_backward) << 3.0;
    }
    void aSlowStageCostsWhatItsScheduleDoesNotHide() {
        QFETCH(int, schedule);
        QFETCH(double, passes);
        Job job = plain_pipeline(static_cast<PipelineSchedule>(schedule), 1);
        job.faults = {{FaultKind::slow_gpu, {1}, 1.5}};
        const SimulatedJob simulated = simulate(job);
        const Truth truth = truth_of(job, simulated.execution);
        const double pass = computation(simulated.program, 0, 3) / job.microbatches;
        QVERIFY2(std::abs(truth.faults[0].cost / pass - passes) < 0.01,
                 QByteArray::number(truth.faults[0].cost / pass));
    }

    /// One of four ranks gets twice the tokens of the others: 1.6 times the mean. The experts' three products wait for
    /// it.
    void unevenExpertsCostTheBusiestRanksExcess() {
        Job job = plain_job();
        job.dp = 4;
        job.experts = true;
        job.tokens = 40'000;
        job.faults = {{FaultKind::uneven_experts, {2}, 2}};
        const SimulatedJob simulated = simulate(job);
        QVERIFY2(simulated.execution.error.empty(), simulated.execution.error.c_str());
        const double product = 1.6 * job.gemm;
        const double cost = truth_of(job, simulated.execution).faults[0].cost;
        const double excess = 0.6 * 3 * product * job.layers * job.microbatches;
        QVERIFY2(std::abs(cost / excess - 1) < 0.01, QByteArray::number(cost / excess));
        for (const Transfer& transfer : simulated.program.transfers)
            if (transfer.kind == machine::TransferKind::all_to_all && transfer.step == 2) {
                const std::int64_t most = std::ranges::max(transfer.received);
                QVERIFY(most == 64'000 * job.hidden || transfer.elements[2] == 64'000 * job.hidden);
            }
    }

    /// The same work spread evenly: what the last stage has more than the mean goes, for each microbatch.
    void aHeadCostsWhatItHasMoreThanTheMean() {
        Job job = plain_pipeline(PipelineSchedule::gpipe, 1);
        job.head = 4e6;
        const Truth truth = truth_of(job, simulate(job).execution);
        // A head takes 4 ms forward and 8 backward: 12 ms in one stage against 3 in each; eight microbatches pass it,
        // and the pipe fills and drains over all stages, which take as long together as before.
        QVERIFY2(std::abs(truth.uneven_stages / 1e6 - 7 * 9) < 0.3, QByteArray::number(truth.uneven_stages / 1e6));
    }

    /// In steps 11 and 13 of 10 to 14: two fifths of the cost, and all of it over those two.
    void aFaultInSomeStepsCostsThere() {
        Job job = plain_job();
        job.dp = 4;
        Fault fault{FaultKind::stall_before_load, {1}, 1, 7e6};
        fault.first = 1;
        fault.every = 2;
        job.faults = {fault};
        const Truth truth = truth_of(job, simulate(job).execution);
        QCOMPARE(truth.faults[0].steps, 2);
        QCOMPARE(truth.faults[0].first_step, 11);
        QCOMPARE(truth.faults[0].last_step, 13);
        // Ranks end a step up to some µs apart.
        QVERIFY2(std::abs(truth.faults[0].cost_affected - 7e6) < 1e5,
                 QByteArray::number(truth.faults[0].cost_affected));
        QVERIFY(std::abs(truth.faults[0].cost - 2.8e6) < 4e4);
        QVERIFY(std::abs(truth.steps[1] - truth.steps[0] - 7e6) < 1e5);
    }

    /// A fault of one rank changes no draw of another one, nor of its own other events.
    void faultsChangeNoDraws() {
        Job job;
        job.dp = 2;
        job.tp = 2;
        job.steps = 2;
        const Program well = program_of(job);
        job.faults = {{FaultKind::garbage_collection, {1}, 1, 5e6}, {FaultKind::allocation, {2}, 1, 1e6}};
        const Program faulty = program_of(job);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            std::vector<Instruction> left = faulty.ranks[rank];
            std::erase_if(left, [](const Instruction& each) { return each.inserted; });
            QCOMPARE(left.size(), well.ranks[rank].size());
            for (std::size_t i = 0; i < left.size(); ++i)
                QVERIFY(left[i].duration == well.ranks[rank][i].duration && left[i].host == well.ranks[rank][i].host);
        }
        QVERIFY(faulty.ranks[1].size() == well.ranks[1].size() + 4); // 4 steps with one collection each
        for (std::size_t i = 0; i < well.transfers.size(); ++i)
            QVERIFY(well.transfers[i].alone == faulty.transfers[i].alone);
    }

    /// Ring of four ranks on two nodes: the slowest of its connections counts. 1 GB/s is a byte a nanosecond.
    void aCollectiveTakesItsSlowestConnection() {
        Job job = plain_job();
        job.dp = 4;
        job.gpus_per_node = 2;
        job.gradients = 4'000'000;
        job.far_gb_s = 40;
        job.near_gb_s = 200;
        job.far_latency = 25'000;
        const auto first_all_reduce = [](const Program& program) {
            return std::ranges::find(program.transfers, machine::TransferKind::all_reduce, &Transfer::kind)->alone;
        };
        // 2 * 3/4 of 8 MB over 40 GB/s, the latency, and 1.5 us a member.
        QCOMPARE(first_all_reduce(program_of(job)), 25'000.0 + 6'000 + 1.5 * 8e6 / 40);
        job.faults = {{FaultKind::slow_card, {2}, 3}};
        QCOMPARE(first_all_reduce(program_of(job)), 25'000.0 + 6'000 + 3 * 1.5 * 8e6 / 40);
        job.faults = {{FaultKind::slow_link, {2, 3}, 3}}; // in a node, and still not the slowest
        QCOMPARE(first_all_reduce(program_of(job)), 25'000.0 + 6'000 + 1.5 * 8e6 / 40);
        job.faults = {{FaultKind::slow_link, {2, 3}, 10}};
        QCOMPARE(first_all_reduce(program_of(job)), 25'000.0 + 6'000 + 1.5 * 8e6 / 20);
    }

    // -- schedules

    void oneForwardOneBackwardOfFourRanks() {
        const auto passes = passes_of(PipelineSchedule::one_forward_one_backward, 2, 4, 1, 4);
        QCOMPARE(passes, read_passes("2F0,2F1,2B0,2F2,2B1,2F3,2B2,2B3"));
    }
    void interleavedOfTwoRanks() {
        QCOMPARE(passes_of(PipelineSchedule::interleaved, 1, 2, 2, 4),
                 read_passes("1F0,1F1,3F0,3B0,3F1,3B1,1F2,1B0,1F3,1B1,3F2,3B2,3F3,3B3,1B2,1B3"));
    }

    void zeroBubbleIsPyTorchs() {
        const QString path = QStringLiteral(RANKSCOPE_SHARED_DIR "/oracle/schedules/zb1p_2rank_2stages_each.csv");
        std::ifstream in(path.toStdString());
        if (!in)
            QSKIP("skipped: no shared oracle");
        std::string line;
        int rank = 0;
        for (; std::getline(in, line); ++rank) {
            std::ranges::replace(line, 'B', 'I'); // they write B for the input part
            QCOMPARE(passes_of(PipelineSchedule::zero_bubble, rank, 2, 2, 8), read_passes(line));
        }
        QCOMPARE(rank, 2);
    }

    /// Of m microbatches of F + B = 3 F on p ranks, a rank waits for p - 1 of them; of v stages a rank for 1/v of that.
    void pipelinesWaitAsLongAsTheyShould_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<double>("microbatches"); ///< that a step lasts
        QTest::newRow("gpipe") << int(PipelineSchedule::gpipe) << 1 << 11.0;
        QTest::newRow("1f1b") << int(PipelineSchedule::one_forward_one_backward) << 1 << 11.0;
        QTest::newRow("interleaved") << int(PipelineSchedule::interleaved) << 2 << 9.5;
        // Input and weight part last as long as the forward one: (p - 1) (F + I - W) of 3 F.
        QTest::newRow("zero bubble") << int(PipelineSchedule::zero_bubble) << 1 << 9.0;
    }
    void pipelinesWaitAsLongAsTheyShould() {
        QFETCH(int, schedule);
        QFETCH(int, chunks);
        QFETCH(double, microbatches);
        const Job job = plain_pipeline(static_cast<PipelineSchedule>(schedule), chunks);
        const SimulatedJob simulated = simulate(job);
        QVERIFY2(simulated.execution.error.empty(), simulated.execution.error.c_str());
        const double pass = computation(simulated.program, 1, 3) / job.microbatches;
        const double steps = mean_recorded_step(job, simulated.execution) / pass;
        QVERIFY2(std::abs(steps - microbatches) < 0.02, QByteArray::number(steps));
    }

    // -- cases

    void caseFollowsFromItsSeed() {
        const Case one = make_case(5, false);
        const Case again = make_case(5, false);
        const Case other = make_case(6, false);
        QVERIFY2(one.error.empty(), one.error.c_str());
        std::size_t kernels = 0;
        const auto text = [&](const Case& made) {
            return kineto_text(made.job, made.simulated.program, made.simulated.execution, made.recording, 1, kernels);
        };
        QVERIFY(text(one) == text(again));
        QVERIFY(text(one) != text(other));
        QVERIFY(truth_json("x", one.job, one.truth) == truth_json("x", again.job, again.truth));
    }

    void casesEndAndAreWorthTelling() {
        std::set<FaultKind> kinds;
        for (std::uint64_t seed = 1000; seed < 1060; ++seed) {
            const Case made = make_case(seed, false);
            QVERIFY2(made.error.empty(), made.error.c_str());
            QCOMPARE(made.truth.faults.size(), std::size_t(1));
            QVERIFY(made.truth.faults[0].share >= kLeastShare);
            QVERIFY(made.truth.faults[0].steps > 0 && made.truth.faults[0].steps <= made.job.steps);
            kinds.insert(made.truth.faults[0].kind);
        }
        QVERIFY2(kinds.size() >= 10, QByteArray::number(static_cast<int>(kinds.size())));
    }

    /// Every kernel that was written is read, and nothing in the files is found wrong.
    void tracesAreReadWhole_data() {
        QTest::addColumn<int>("seed");
        for (const int seed : {1, 2, 3, 4, 7, 8})
            QTest::addRow("h%d", seed) << seed;
    }
    void tracesAreReadWhole() {
        QFETCH(int, seed);
        const Case made = make_case(static_cast<std::uint64_t>(seed), true);
        QVERIFY2(made.error.empty(), made.error.c_str());
        const QTemporaryDir folder;
        const WrittenCounts counts = write_traces(made.job, made.simulated.program, made.simulated.execution,
                                                  made.recording, folder.path().toStdString());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        for (const Notice& notice : (*run)->notices)
            QVERIFY2(notice.code.word() == "missing_ranks", english(notice.message).c_str());
        QCOMPARE((*run)->ranks.size() + made.recording.untraced.size(), static_cast<std::size_t>(made.job.world()));
        std::size_t kernels = 0;
        for (const auto& rank : (*run)->ranks) {
            QCOMPARE(rank->steps.size(), static_cast<std::size_t>(made.job.steps));
            QCOMPARE(rank->steps.front().number, std::int64_t(made.job.first_number));
            kernels += rank->events.gpu_count;
        }
        QCOMPARE(kernels, counts.kernels);
    }

    // -- the judge

    void theFirstFaultWithItsRankAndCostIsRight() {
        const Truth truth = faulty_truth(FaultKind::slow_gpu, {3}, 10e6);
        Said said;
        said.findings = {{"exposed_communication", "", "", false, {}, 30e6, 0.3},
                         {"straggler", "slower_kernels", "", true, {3}, 10.4e6, 0.104},
                         {"slow_link", "", "", true, {1, 2}, 2e6, 0.02}};
        Verdict verdict = judge(truth, said);
        QVERIFY(verdict.found && verdict.first && !verdict.headline && !verdict.per_affected_step);
        QVERIFY(std::abs(verdict.error - 0.04) < 1e-9);
        QCOMPARE(verdict.accusations.size(), std::size_t(1)); // the link is well
        said.findings[1].cost = 19e6;                         // of the affected steps, half of all
        said.findings[1].first_iteration = 12;
        verdict = judge(truth, said);
        QVERIFY(verdict.per_affected_step && std::abs(verdict.error - 0.05) < 1e-9 && verdict.onset);
        said.findings[1].first_iteration = 13;
        QVERIFY(!judge(truth, said).onset);
        std::swap(said.findings[1], said.findings[2]);
        QVERIFY(judge(truth, said).found && !judge(truth, said).first);
        said.findings[2].ranks = {4};
        QVERIFY(!judge(truth, said).found);
        QCOMPARE(judge(truth, said).accusations.size(), std::size_t(2));
    }

    void aCostOfAllIsNotThatOfSome() {
        Truth truth = faulty_truth(FaultKind::host_bound, {}, 10e6);
        truth.world = 4;
        truth.faults[0].inherent = true;
        Said said;
        said.findings = {{"straggler", "host_bound", "", true, {0, 1}, 1e6, 0.01},
                         {"host_bound", "", "", false, {}, 10e6, 0.1}};
        const Verdict verdict = judge(truth, said);
        QVERIFY(verdict.finding == &said.findings[1] && verdict.first && verdict.error == 0);
        QCOMPARE(verdict.accusations.size(), std::size_t(1));
    }

    void anotherCauseOfTheSameRankAccusesNobodyElse() {
        Said said;
        said.findings = {{"straggler", "unexplained", "", true, {3}, 10e6, 0.1}};
        const Verdict verdict = judge(faulty_truth(FaultKind::slow_gpu, {3}, 10e6), said);
        QVERIFY(!verdict.found && verdict.accusations.empty());
    }

    void healthIsNotAccused() {
        Said said;
        said.findings = {{"exposed_communication", "", "", false, {}, 30e6, 0.3},
                         {"straggler", "slower_kernels", "", true, {3}, 0.9e6, 0.009}};
        QVERIFY(judge({}, said).accusations.empty() && !judge({}, said).wrong_late_rank);
        said.findings[1].share = 0.011;
        said.late_rank = 3;
        QVERIFY(judge({}, said).accusations.size() == 1 && judge({}, said).wrong_late_rank);
    }

    void aSlowConnectionMayNameItsGroup() {
        Truth truth = faulty_truth(FaultKind::slow_link, {1, 2}, 10e6);
        truth.faults[0].concerned = {0, 1, 2, 3};
        Said said;
        said.findings = {{"slow_link", "", "", true, {0, 1, 2, 3}, 10e6, 0.1}};
        said.late_rank = 3;
        QVERIFY(judge(truth, said).first && !judge(truth, said).wrong_late_rank);
        said.findings[0].ranks = {0, 3}; // neither end
        QVERIFY(!judge(truth, said).found);
        said.findings[0].ranks = {2, 6}; // not its group
        QVERIFY(!judge(truth, said).found);
    }

    /// The same pipelines, executed by somebody else's simulator: passes of the same length, messages of 80 us, and the
    /// same slow rank or card cost the same, but for its jitter of 1 %.
    void anotherSimulatorSaysTheSame_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("schedule");
        QTest::addColumn<bool>("inside");
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("rank");
        QTest::addColumn<double>("factor");
        const int plain = int(PipelineSchedule::one_forward_one_backward);
        const int gpu = int(FaultKind::slow_gpu);
        QTest::newRow("inside") << "slow_rank_pp_inner" << plain << true << gpu << 6 << 1.25;
        QTest::newRow("norm") << "slow_rank_global_norm" << plain << false << gpu << 2 << 1.25;
        QTest::newRow("interleaved") << "slow_rank_interleaved" << int(PipelineSchedule::interleaved) << false << gpu
                                     << 5 << 1.2;
        QTest::newRow("card") << "network_card_slow_pp" << plain << false << int(FaultKind::slow_card) << 5 << 10.0;
    }
    void anotherSimulatorSaysTheSame() {
        QFETCH(QString, name);
        QFETCH(int, schedule);
        QFETCH(bool, inside);
        QFETCH(int, fault);
        QFETCH(int, rank);
        QFETCH(double, factor);
        std::ifstream in(RANKSCOPE_SHARED_DIR "/traces/faults/" + name.toStdString() + ".truth.json");
        if (!in)
            QSKIP("skipped: no shared traces");
        const Truth theirs = read_foreign_truth({std::istreambuf_iterator<char>(in), {}});
        Job job = plain_pipeline(static_cast<PipelineSchedule>(schedule), 1);
        job.dp = 2;
        job.pipeline_inside_data = inside;
        job.chunks = schedule == int(PipelineSchedule::interleaved) ? 2 : 1;
        job.microbatches = job.chunks == 2 ? 8 : 6;
        job.layers = 2;
        job.gemm = 690e3 / 2.6; // forward 0.4 + 0.25 + 0.04 ms a layer, backward twice that
        job.gpus_per_node = 1;
        job.far_gb_s = 100;
        job.tokens = 4000; // 8 MB at 100 GB/s
        job.hidden = 1000;
        // 2 * 1/2 of 160 MB: 1.6 ms. Their card slows down messages only.
        job.gradients = fault == int(FaultKind::slow_card) ? 1 : 80'000'000;
        job.faults = {{static_cast<FaultKind>(fault), {rank}, factor}};
        const SimulatedJob simulated = simulate(job);
        QVERIFY2(simulated.execution.error.empty(), simulated.execution.error.c_str());
        const double ours = truth_of(job, simulated.execution).faults[0].cost;
        const double ratio = ours / theirs.faults[0].cost;
        QVERIFY2(std::abs(ratio - 1) < 0.03, QByteArray::number(ratio));
    }

    void foreignFaultsOfAllRanksAreRead() {
        const auto read = [](const std::string& fault) {
            return read_foreign_truth(
                R"({"args": {"pp": 1, "dp": 4, "tp": 1, "order": "pp,dp,tp", "first": 4, "iters": 6}, "period_us": 1000,
                    "faults": [{"fault": ")" +
                fault + R"(", "period_cost_us": 100}]})");
        };
        const FaultTruth late = read("data:rank=-1,ms=9,every=2,named=1").faults[0];
        QVERIFY(late.kind == FaultKind::late_data && late.ranks.empty());
        QCOMPARE(late.steps, 3);
        QVERIFY(read("data:rank=2,ms=9,named=0").faults[0].kind == FaultKind::stall_before_load);
        QVERIFY_EXCEPTION_THROWN(read("moon:rank=2"), std::runtime_error);
    }

    void foreignTruthsAreRead() {
        const std::string folder = RANKSCOPE_SHARED_DIR "/traces/faults/";
        std::ifstream in(folder + "link_slow_from_step_5_of_7.truth.json");
        if (!in)
            QSKIP("skipped: no shared traces");
        const Truth truth = read_foreign_truth({std::istreambuf_iterator<char>(in), {}});
        QCOMPARE(truth.faults.size(), std::size_t(1));
        const FaultTruth& fault = truth.faults[0];
        QCOMPARE(fault.first_step, 9);
        QCOMPARE(fault.steps, 2);
        QCOMPARE(fault.concerned, (std::vector<int>{0, 1}));
        QVERIFY(std::abs(fault.cost - 1643791.214) < 1);
        QVERIFY(std::abs(fault.cost_affected - 3.5 * 1643791.214) < 5);
    }

    // What Rankscope says of faults: each is one finding, with the rank that has it and the cost that it truly has.

    void aFaultIsToldFirstAtItsCost_data() {
        QTest::addColumn<int>("seed");
        QTest::addColumn<bool>("drawn"); ///< some runs have microbatches of unequal length
        QTest::newRow("slow in every second step, compared with one peer") << 93082 << true;
        QTest::newRow("clocks that drift by more than a message lasts") << 93044 << true;
        QTest::newRow("clocks that drift, of stages that only messages connect") << 103029 << true;
        QTest::newRow("clocks that drift, and do not disagree") << 93073 << true;
        QTest::newRow("calls of experts take a while whatever they move") << 93025 << true;
        QTest::newRow("two of a pipeline whose microbatches are unequal") << 95007 << true;
        QTest::newRow("a stage's only rank waits for its GPU more often than the other stages") << 91096 << true;
        QTest::newRow("slow in some steps, beside microbatches that are unequal") << 95020 << true;
        QTest::newRow("one rank of each of two pipelines in all steps, likewise") << 91090 << true;
        QTest::newRow("a message and computation wait for the same sum") << 95081 << true;
        QTest::newRow("late for a card in some steps, and for longer microbatches in others") << 109014 << true;
        QTest::newRow("a stage with more to do for its microbatches, and no more for its optimizer") << 103065 << true;
        QTest::newRow("a link for which some ranks come late to the first step") << 107050 << true;
        QTest::newRow("stages that start the first step as they start the later ones") << 97086 << true;
        QTest::newRow("stages that start a step apart, beside microbatches that are unequal") << 117048 << true;
        QTest::newRow("earlier work holds up the first steps of a host") << 103078 << true;
        QTest::newRow("hosts that run ahead once they are fast") << 97065 << true;
        QTest::newRow("of the only group, in most steps, beside other calls or alone") << 103010 << true;
        QTest::newRow("experts without small calls") << 97092 << true;
        QTest::newRow("in some steps, which are longer for their microbatches as well") << 91058 << true;
        QTest::newRow("two stages of four, one of which has a head in some of its passes") << 113075 << true;
        QTest::newRow("ranks of one tensor-parallel group have the same microbatches") << 91093 << true;
        QTest::newRow("a head's parts of backward passes that are put off") << 111097 << true;
        QTest::newRow("communication in some steps, which slows computation beside it as well") << 113048 << true;
        QTest::newRow("an all-reduce that shares links with messages of either direction") << 127032 << true;
        QTest::newRow("calls of experts and gradients on one link") << 95033 << true;
        QTest::newRow("all messages of a pipeline, on links that they share") << 127008 << true;
        QTest::newRow("in the last steps: other stages would wait in the step after them") << 27 << false;
        QTest::newRow("of one of several data-parallel groups, in the last steps") << 259 << false;
        QTest::newRow("two ranks send each other activations and gradients on streams of their own") << 246 << false;
        QTest::newRow("a network card beside a fast connection inside the machine") << 236 << false;
        QTest::newRow("fewer good steps than a quarter of them") << 156 << false;
        QTest::newRow("a link before the recording, for which ranks start late") << 255 << false;
        QTest::newRow("data loading that takes longer from a step on") << 141 << false;
        QTest::newRow("messages of a pipeline that always run beside others") << 33135 << false;
        QTest::newRow("a host that waits more often than its peers, not only at the end") << 33041 << false;
        QTest::newRow("hosts whose times scatter") << 33143 << false;
        QTest::newRow("in some steps, on links that transfers share") << 41072 << false;
        QTest::newRow("all ranks of a stage") << 52024 << false;
        QTest::newRow("all groups of a dimension without a name") << 41046 << false;
        QTest::newRow("stages whose clocks only messages compare") << 9056 << false;
        QTest::newRow("messages that are never seen to leave without their receiver") << 9071 << false;
        QTest::newRow("a host that waits launches its receives after its computation") << 52085 << false;
        QTest::newRow("sends that are slow in some steps wait for nobody") << 52075 << false;
    }
    void aFaultIsToldFirstAtItsCost() {
        QFETCH(int, seed);
        QFETCH(bool, drawn);
        const Case made =
            make_case(static_cast<std::uint64_t>(seed), false, drawn ? Microbatches::drawn : Microbatches::equal);
        QVERIFY2(made.error.empty(), made.error.c_str());
        std::vector<AnalysedRun> runs{analysed(made.job, made.simulated, made.recording)};
        runs.front().metrics = compute_metrics(*runs.front().analysis, std::vector<std::string>{"straggler_lag"});
        relate_runs(runs);
        const Said said = read_said(metrics_json(runs, {}));
        const Verdict verdict = judge(made.truth, said);
        std::string text = made.description();
        for (const SaidFinding& finding : said.findings)
            text += "\n  " + english(finding.title);
        QVERIFY2(verdict.first, text.c_str());
        // How much communication slows kernels is a median of what was recorded, and scatters by as much. Of two
        // estimates for kernels that no peer ran in their state the smaller one counts, as real recordings ask.
        QVERIFY2(verdict.error <= 0.1, text.c_str());
    }

    /// Launching takes all hosts so long that their GPUs wait: which rank is late is no rank's fault.
    void hostsThatAreSlowOnAllRanksAreNoRanksFault() {
        const Case made = make_case(115080, false, Microbatches::drawn);
        const AnalysedRun run = analysed(made.job, made.simulated, made.recording);
        const std::vector<Finding>& found = run.analysis->findings().list;
        QVERIFY(
            std::ranges::any_of(found, [](const Finding& finding) { return finding.code == FindingCode::host_bound; }));
        for (const Finding& finding : found)
            QVERIFY2(finding.inherent, english(finding.title).c_str());
    }

    /// Tokens scatter from call to call, by 30 % a row, and no rank always gets most.
    void tokensThatScatterAreNoRanksFault() {
        Job job = quiet_job(4);
        job.experts = true;
        job.token_noise = 0.3;
        const AnalysedRun run = analysed(job);
        const Findings& findings = run.analysis->findings();
        const auto uneven = std::ranges::find(findings.list, FindingCode::expert_imbalance, &Finding::code);
        QVERIFY2(uneven != findings.list.end(), english(findings.summary).c_str());
        QVERIFY2(uneven->inherent, english(uneven->title).c_str());
        QCOMPARE(uneven->ranks, (std::vector<int>{0, 1, 2, 3}));
    }

    /// Two groups of experts, both uneven: what they cost together is no fault's cost.
    void tokensThatScatterInTwoGroupsAreNoFault() {
        Job job = quiet_job(4);
        job.tp = 2;
        job.experts = true;
        job.token_noise = 0.3;
        const AnalysedRun run = analysed(job);
        const Findings& findings = run.analysis->findings();
        QVERIFY2(std::ranges::count(findings.list, FindingCode::expert_imbalance, &Finding::code) > 1,
                 english(findings.summary).c_str());
        QVERIFY(english(findings.summary).find("together") == std::string::npos);
    }

    /// A call takes 20 us whatever it moves; of the other 100 us half is left once the busiest member has one instead
    /// of two times the mean.
    void callsOfExpertsKeepWhatAnyCallTakes() {
        const ExpertRound round{0, 0, 0, {0, 1, 2}, {2, 0.5, 0.5}, {}, 20'000};
        QCOMPARE(round.transfer_time(120'000, 1), TimeNs{70'000});
        QCOMPARE(round.transfer_time(120'000, 2), TimeNs{120'000});
        QCOMPARE(round.transfer_time(15'000, 1), TimeNs{15'000});
    }

    /// The link is slow in steps 12 to 16, in 12 all-gathers and 6 reduce-scatters each. The latter lose little: alone
    /// they would count as slow in three of the steps.
    void aLinkIsSlowForAllItsCallsInTheSameSteps() {
        const Case made = make_case(125027, false);
        const AnalysedRun run = analysed(made.job, made.simulated, made.recording);
        const auto& found = run.analysis->findings().list;
        const auto link = std::ranges::find(found, FindingCode::slow_link, &Finding::code);
        QVERIFY(link != found.end());
        QCOMPARE(link->first_iteration, 12);
        QCOMPARE(link->last_iteration, 16);
        const auto calls = std::ranges::find(link->facts, FactName::calls, &FindingFact::name);
        QVERIFY(calls != link->facts.end());
        QCOMPARE(calls->number, 90.0);
    }

    /// Sequences of unequal length: all ranks of a pipeline compute longer now in this step, now in that one.
    void nobodyIsLateWhereMicrobatchesAreUnequal_data() {
        QTest::addColumn<int>("seed");
        for (const int seed : {9140, 9146, 9169, 9183})
            QTest::addRow("%d", seed) << seed;
        QTest::newRow("the last as often as its peer, but later") << 9101;
        QTest::newRow("the first step is the longest, on some ranks") << 9123;
        QTest::newRow("the same, of an interleaved schedule") << 9205;
        QTest::newRow("the first step is the longest, on all ranks") << 123015;
        QTest::newRow("a stage of which one rank is recorded") << 91048;
        QTest::newRow("half of the ranks take longer, and little less in few steps") << 93034;
        QTest::newRow("a pipeline of two takes longer, and hardly less in few steps") << 129028;
    }
    void nobodyIsLateWhereMicrobatchesAreUnequal() {
        QFETCH(int, seed);
        const Case made = make_case(static_cast<std::uint64_t>(seed), true);
        QVERIFY(made.job.microbatch_noise > 0);
        const AnalysedRun run = analysed(made.job, made.simulated, made.recording);
        for (const Finding& finding : run.analysis->findings().list)
            QVERIFY2(finding.inherent || finding.share < 0.01 ||
                         (finding.code != FindingCode::straggler && finding.code != FindingCode::first_iteration),
                     english(finding.title).c_str());
    }

    /// Hosts launch steps ahead, so the GPU is busy with earlier ones when a selected step starts on the host. It does
    /// not wait for the host then.
    void aSelectedStepOfAHostThatRunsAheadDoesNotWaitForIt() {
        Job job = quiet_job(4);
        job.step_end = machine::StepEnd::runs_ahead;
        job.load = 1e6;
        const AnalysedRun whole = analysed(job);
        const GraphStep& last = whole.analysis->step_graph().steps[9];
        QVERIFY(whole.analysis->step_graph().end(last.last_work.front()) > last.range.end + 3 * last.range.length());
        Selection selection;
        selection.iterations = {{17, 17}};
        const RunAnalysis one(whole.analysis->run_pointer(), selection);
        for (const Finding& finding : one.findings().list)
            QVERIFY2(finding.code != FindingCode::data_loading && finding.code != FindingCode::host_bound,
                     english(finding.title).c_str());
    }

    /// Two of the three stages of a pipeline are slow: its microbatches are not therefore longer.
    void slowRanksOfOnePipelineAreNoLongMicrobatches() {
        Job job = quiet_job(2);
        job.pp = 3;
        job.microbatches = 6;
        job.faults = {slow_gpu(1, 1.16), slow_gpu(5, 1.16)};
        const AnalysedRun run = analysed(job);
        const auto faults = std::ranges::count_if(run.analysis->findings().list, [](const Finding& finding) {
            return finding.code == FindingCode::straggler &&
                   (finding.ranks == std::vector{1} || finding.ranks == std::vector{5} ||
                    finding.ranks == std::vector{1, 5});
        });
        QVERIFY2(faults > 0, english(run.analysis->findings().summary).c_str());
    }

    /// Messages that do not name their other end, and no card: who sends to whom, the schedule and what it leaves idle
    /// come out the same. Clocks differ.
    void messagesWithoutPeersAreJoined_data() {
        QTest::addColumn<PipelineSchedule>("schedule");
        QTest::addColumn<bool>("inside");
        QTest::newRow("1F1B") << PipelineSchedule::one_forward_one_backward << false;
        QTest::newRow("1F1B inside data") << PipelineSchedule::one_forward_one_backward << true;
        QTest::newRow("GPipe") << PipelineSchedule::gpipe << false;
        QTest::newRow("interleaved") << PipelineSchedule::interleaved << false;
        QTest::newRow("zero bubble") << PipelineSchedule::zero_bubble << true;
    }
    void messagesWithoutPeersAreJoined() {
        QFETCH(PipelineSchedule, schedule);
        QFETCH(bool, inside);
        Job job = quiet_job(2);
        job.pp = 4;
        job.microbatches = 8;
        job.schedule = schedule;
        job.chunks = schedule == PipelineSchedule::interleaved ? 2 : 1;
        job.pipeline_inside_data = inside;
        job.faults = {slow_gpu(5, 1.2)};
        const SimulatedJob simulated = simulate(job);
        Recording recording;
        for (int rank = 0; rank < job.world(); ++rank)
            recording.clock_offsets.push_back(3e6 * rank);
        const AnalysedRun whole = analysed(job, simulated, recording);
        recording.peers = recording.card = false;
        const AnalysedRun run = analysed(job, simulated, recording);
        const auto complete = [](const AnalysedRun& one) {
            const auto& matched = one.analysis->collectives().matched;
            return std::ranges::count_if(matched, &MatchedCall::complete);
        };
        QCOMPARE(complete(run), complete(whole));
        QCOMPARE(run.analysis->collectives().partial, whole.analysis->collectives().partial);
        const PipelineAnalysis& pipeline = run.analysis->pipeline();
        QCOMPARE(pipeline.schedule, whole.analysis->pipeline().schedule);
        QCOMPARE(pipeline.stages, whole.analysis->pipeline().stages);
        QCOMPARE(pipeline.microbatches.value_or(0), 8.0);
        QCOMPARE(pipeline.stage_count.value_or(0), 4.0);
        QCOMPARE(pipeline.ideal.value_or(-1), whole.analysis->pipeline().ideal.value_or(-1));
        const Finding* slow = straggler_of(run, 5);
        QVERIFY2(slow != nullptr, english(run.analysis->findings().summary).c_str());
        QCOMPARE(slow->cost, straggler_of(whole, 5)->cost);
    }

    /// A host that is late delays operations, which take as long as ever: the definition of explaining.md counts that
    /// as simulation error.
    void aLateHostIsNoSlowdownOfOperations() {
        Job job = quiet_job(4);
        Fault fault{FaultKind::stall_before_load, {1}, 1, 7e6};
        job.faults = {fault};
        const Execution execution = simulate(job).execution;
        const Truth truth = truth_of(job, execution);
        const AnalysedRun run = analysed(job);
        const StragglerSlowdown& told = run.analysis->straggler_slowdown();
        const double late = truth.step / (truth.step - truth.faults[0].cost);
        QVERIFY2(std::abs(told.slowdown() - 1) < 0.01, QByteArray::number(told.slowdown()));
        QVERIFY2(told.simulation_error() > late, QByteArray::number(told.simulation_error()));
        for (const GroupSlowdown& type : told.by_operation)
            QVERIFY(type.name != "host");
    }

    /// Where one thread launches forward and backward passes, the n-th kernel of a name is another microbatch's on each
    /// stage, and stages do not tell how long a microbatch is.
    void aSlowRankOfUnequalMicrobatchesCostsWhatItDoes_data() {
        QTest::addColumn<bool>("one_thread");
        QTest::newRow("two threads") << false;
        QTest::newRow("one thread") << true;
    }
    void aSlowRankOfUnequalMicrobatchesCostsWhatItDoes() {
        QFETCH(bool, one_thread);
        Job job = quiet_job(1);
        job.pp = 2;
        job.tp = 2;
        job.microbatches = 6;
        job.microbatch_noise = 0.3;
        job.faults = {slow_gpu(3, 1.25)};
        const Truth truth = truth_of(job, simulate(job).execution);
        Recording recording;
        recording.one_thread = one_thread;
        const AnalysedRun run = analysed(job, simulate(job), recording);
        const Finding* slow = straggler_of(run, 3);
        const std::string summary = english(run.analysis->findings().summary);
        QVERIFY2(slow != nullptr, summary.c_str());
        QVERIFY2(std::abs(slow->cost / truth.faults[0].cost - 1) < 0.03,
                 QByteArray::number(slow->cost / truth.faults[0].cost) + " of it; " + summary.c_str());
    }

    /// Pairs and fours reduce on one stream, and nothing says which: who waits for a rank's host is not known then, nor
    /// what the wait costs.
    void whatARankCostsTheOthersIsNotJudgedWithoutGroups() {
        Job job = quiet_job(4);
        job.tp = 2;
        Fault collection = slow_gpu(3, 1);
        collection.kind = FaultKind::garbage_collection;
        collection.time = 30e6;
        job.faults = {collection};
        const AnalysedRun known = analysed(job);
        QVERIFY2(straggler_of(known, 3) != nullptr, english(known.analysis->findings().summary).c_str());
        QCOMPARE(straggler_of(known, 3)->cause, FindingCause::garbage_collection);

        Recording recording;
        recording.groups = false;
        const AnalysedRun run = analysed(job, simulate(job), recording);
        const Findings& findings = run.analysis->findings();
        const std::string summary = english(findings.summary);
        QVERIFY2(!findings.judged.ranks && !findings.judged.host && !findings.judged.links, summary.c_str());
        QVERIFY2(summary.find("No fault") == std::string::npos, summary.c_str());
        QVERIFY(!run.analysis->late_rank());
        for (const Finding& finding : findings.list)
            QVERIFY2(finding.cause != FindingCause::unexplained && finding.code != FindingCode::clock_misfit,
                     english(finding.title).c_str());
    }

    void factorsAreThoseOfTheStepsThatHaveThem() {
        Job job = quiet_job(4);
        job.faults = {slow_gpu(2, 1.3, 6)};
        const AnalysedRun run = analysed(job);
        const Finding* finding = straggler_of(run, 2);
        QVERIFY(finding != nullptr);
        QVERIFY2(english(finding->title).find("take 1.30× its peers'") != std::string::npos,
                 english(finding->title).c_str());
        QVERIFY2(english(finding->title).find("from step 16 on") != std::string::npos, english(finding->title).c_str());
    }

    void timesAreThoseOfTheStepsThatHaveThem() {
        Job job = quiet_job(4);
        Fault late = slow_gpu(1, 1, 5);
        late.kind = FaultKind::stall_in_load;
        late.time = 4e6;
        job.faults = {late};
        const AnalysedRun run = analysed(job);
        const Finding* finding = straggler_of(run, 1);
        QVERIFY(finding != nullptr);
        QVERIFY2(english(finding->title).find("waits 4.0") != std::string::npos,
                 english(finding->title).c_str()); // and not 2
        // What is said of all ranks is what they all take: 60 us.
        for (const Finding& other : run.analysis->findings().list)
            if (other.code == FindingCode::data_loading)
                QVERIFY2(other.facts[1].number < 100, english(other.title).c_str());
    }

    void aLittleSlowerIsAReasonWhereTheOthersWait() {
        Job job = quiet_job(8);
        job.faults = {slow_gpu(3, 1.018)};
        const AnalysedRun run = analysed(job);
        QVERIFY(run.analysis->late_rank().has_value());
        const Finding* finding = straggler_of(run, 3);
        QVERIFY(finding != nullptr);
        QCOMPARE(finding->cause, FindingCause::slower_kernels);
    }

    void aCostIsTheLeastWhereRanksAreNotTraced() {
        Job job = quiet_job(2);
        job.tp = 2;
        job.faults = {slow_gpu(2, 1.4)};
        const AnalysedRun run = analysed(job, {1});
        const Finding* finding = straggler_of(run, 2);
        QVERIFY(finding != nullptr);
        QVERIFY2(english(finding->title).find("Cost: at least ") != std::string::npos, english(finding->title).c_str());
    }
};

RANKSCOPE_TEST(TestMachineSimulator)

} // namespace rankscope::machine_simulator_test

#include "test_machine_simulator.moc"
