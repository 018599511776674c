// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of one run, held against small data-parallel jobs whose times follow from a few numbers.
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include <QtTest>

#include <fmt/format.h>

#include "core/analysis/collectives/machines.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::explained_run_test {

namespace {

using OfRankAndStep = std::function<double(int rank, int step)>;

/// Steps 1, 2, ...: each rank launches four products of 1 ms, joins an all-reduce and waits for its GPU. Microseconds.
struct Job {
    int ranks = 4;
    int steps = 6;
    bool numbered = true;                                    ///< steps are annotated
    bool together = true;                                    ///< the ranks meet in all-reduces
    int every = 1;                                           ///< in steps whose numbers are its multiples
    OfRankAndStep factor = [](int, int) { return 1.0; };     ///< of the products' times
    OfRankAndStep host = [](int, int) { return 0.0; };       ///< longer before each launch of a product
    OfRankAndStep pause = [](int, int) { return 0.0; };      ///< of the host, before the third launch
    std::function<std::string(int rank)> kernel{};           ///< of products, launched by aten::mm; else "sm90_gemm"
    bool named_pauses = false;                               ///< an annotation holds each pause
    bool waits_before_pause = false;                         ///< for its GPU
    OfRankAndStep transfer = [](int, int) { return 300.0; }; ///< of the all-reduce; the rank is of no account
    std::string collective = "allreduce";                    ///< what the ranks meet in
    OfRankAndStep copy = [](int, int) { return 0.0; };       ///< to the GPU, before the products
    OfRankAndStep clock = [](int, int) { return 0.0; };      ///< that a rank's clock is ahead
    std::function<bool(int rank, int step)> records = [](int, int) { return true; }; ///< the rank has that step
};

std::shared_ptr<const Run> run_of(const Job& job) {
    constexpr double kProduct = 1000;
    constexpr int kProducts = 4;
    std::vector<TraceBuilder> traces;
    std::vector<double> now(static_cast<std::size_t>(job.ranks), 100); // of each host
    std::vector<int> everybody;
    for (int r = 0; r < job.ranks; ++r) {
        traces.emplace_back(r);
        traces.back().world_size(job.ranks);
        everybody.push_back(r);
    }
    for (int s = 1; s <= job.steps; ++s) {
        std::vector<double> arrival;
        std::vector<double> begin = now;
        for (int r = 0; r < job.ranks; ++r) {
            double& host = now[static_cast<std::size_t>(r)];
            const bool kept = job.records(r, s);
            const double ahead = job.clock(r, s);
            TraceBuilder& trace = traces[static_cast<std::size_t>(r)];
            double gpu = host;
            if (const double copy = job.copy(r, s); copy > 0) {
                if (kept)
                    trace.launch(host + ahead, 5, "cudaMemcpyAsync")
                        .memory_copy("Memcpy HtoD (Pinned -> Device)", 7, host + 6 + ahead, copy, 1 << 20);
                gpu = host + 6 + copy;
                host += 8;
            }
            for (int k = 0; k < kProducts; ++k) {
                host += job.host(r, s);
                if (const double pause = k == 2 ? job.pause(r, s) : 0; pause > 0) {
                    if (job.waits_before_pause) {
                        if (kept)
                            trace.runtime("cudaDeviceSynchronize", host + ahead, gpu + 2 - host);
                        host = gpu + 4;
                    }
                    if (kept && job.named_pauses)
                        trace.annotation("checkpoint", host + ahead, pause - 1);
                    host += pause;
                }
                const double start = std::max(gpu + 1, host + 6);
                if (kept && job.kernel)
                    trace.cpu_op("aten::mm", host - 1 + ahead, 7);
                if (kept)
                    trace.launch(host + ahead, 5)
                        .kernel(job.kernel ? job.kernel(r) : "sm90_gemm", 7, start + ahead,
                                kProduct * job.factor(r, s));
                gpu = start + kProduct * job.factor(r, s);
                host += 8;
            }
            arrival.push_back(gpu + 1);
        }
        const double last = *std::ranges::max_element(arrival);
        const bool together = job.together && s % job.every == 0;
        for (int r = 0; r < job.ranks; ++r) {
            const auto i = static_cast<std::size_t>(r);
            const double end = (together ? last : arrival[i]) + job.transfer(r, s);
            const double ahead = job.clock(r, s);
            if (job.records(r, s)) {
                if (together)
                    traces[i]
                        .launch(now[i] + ahead, 5)
                        .collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 20, arrival[i] + ahead,
                                    end - arrival[i],
                                    {.collective = job.collective,
                                     .in_elements = 1 << 22,
                                     .out_elements = 1 << 22,
                                     .group = {"0", "default_pg", everybody, job.ranks},
                                     .sequence = s});
                traces[i].runtime("cudaDeviceSynchronize", now[i] + 10 + ahead,
                                  (together ? end : arrival[i]) + 2 - (now[i] + 10));
            }
            now[i] = (together ? end : arrival[i]) + 4;
            if (job.records(r, s) && job.numbered)
                traces[i].step(s, begin[i] - 2 + ahead, now[i] - 1 - (begin[i] - 2));
            now[i] += 10;
        }
    }
    return make_run(traces);
}

QByteArray said(const Findings& findings) {
    std::string text = english(findings.summary);
    for (const Finding& finding : findings.list)
        text += fmt::format("\n  {}: {}", code_word(finding.code), english(finding.title));
    return QByteArray::fromStdString(text);
}

const Finding* of_code(const Findings& findings, FindingCode code) {
    const auto found = std::ranges::find(findings.list, code, &Finding::code);
    return found == findings.list.end() ? nullptr : &*found;
}

bool contains(const Findings& findings, std::string_view words) {
    return said(findings).toStdString().find(words) != std::string::npos;
}

/// As a share of `truth`.
bool about(double value, double truth, double share = 0.05) { return std::abs(value - truth) <= share * truth; }

} // namespace

class TestExplainedRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHealthyRunAccusesNobody() {
        const Findings findings = RunAnalysis(run_of({}), {}).findings();
        QVERIFY2(findings.healthy, said(findings));
        QVERIFY2(of_code(findings, FindingCode::straggler) == nullptr, said(findings));
    }

    void aRangeOfTimeAccusesNobodyWhoseClockDiffers() {
        Job job;
        job.steps = 12;
        job.clock = [](int rank, int) { return rank == 2 ? 9000.0 : rank == 3 ? -12'000.0 : 0.0; };
        const auto run = run_of(job);
        Selection selection;
        for (const TimeNs begin : {9'000'000, 10'000'000, 11'000'000, 12'500'000}) {
            selection.time = TimeRange{begin, begin + 14'000'000};
            const Findings findings = RunAnalysis(run, selection).findings();
            QVERIFY2(of_code(findings, FindingCode::straggler) == nullptr, said(findings));
            QVERIFY2(of_code(findings, FindingCode::clock_misfit) == nullptr, said(findings));
            QVERIFY2(!contains(findings, "not all members"), said(findings));
        }
    }

    /// Ranks 0 and 1 pause late and 2 and 3 early in the second half, so that a border finds them at other kernels.
    void theBordersOfARangeAccuseNobody() {
        Job job;
        job.steps = 3;
        job.pause = [](int rank, int step) { return step == 2 && rank == 3 ? 2400.0 : 0.0; };
        for (const bool numbered : {false, true}) {
            job.numbered = numbered;
            const auto run = run_of(job);
            for (TimeNs end = 6'000'000; end < 12'000'000; end += 250'000) {
                Selection selection;
                selection.time = TimeRange{0, end};
                const Findings findings = RunAnalysis(run, selection).findings();
                QVERIFY2(!contains(findings, "that its peers do not have"), said(findings));
            }
        }
    }

    /// 8 MB in 3 ms on machines with one H100 each: an all-reduce fills the network, many small messages do not.
    void anAllToAllIsNotComparedWithWhatTheNetworkCarries() {
        for (const bool all_reduce : {true, false}) {
            Job job;
            job.collective = all_reduce ? "allreduce" : "all_to_all";
            job.transfer = [](int, int) { return 3000.0; };
            Run run = *run_of(job);
            run.config["trace.device.name"] = "NVIDIA H100 80GB HBM3";
            const auto told = with_gpus_per_machine(std::make_shared<const Run>(std::move(run)), 1);
            const Findings findings = RunAnalysis(told, {}).findings();
            QVERIFY2((of_code(findings, FindingCode::slow_link) != nullptr) == all_reduce, said(findings));
            QVERIFY2(findings.judged.links == all_reduce, said(findings));
        }
    }

    /// Pairs of ranks whose calls take 80, 320 and 320 us: no pair takes 200.
    void aMedianBetweenTwoLevelsIsNoUsualSpeed() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 6; ++rank) {
            const std::vector<int> pair{rank / 2 * 2, rank / 2 * 2 + 1};
            TraceBuilder trace(rank);
            for (int step = 1; step <= 8; ++step) {
                const double start = 2000.0 * step;
                trace.step(step, start, 1900)
                    .launch(start + 1, 2)
                    .kernel("sm90_gemm", 7, start + 10, 1000)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 20, start + 1010, rank < 2 ? 80 : 320,
                                {.collective = "allreduce",
                                 .in_elements = 1 << 20,
                                 .out_elements = 1 << 20,
                                 .group = {std::to_string(rank / 2), "tp", pair, 2},
                                 .sequence = step})
                    .runtime("cudaDeviceSynchronize", start + 8, 1400);
            }
            ranks.push_back(trace);
        }
        const Findings findings = RunAnalysis(make_run(ranks), {}).findings();
        const Finding* link = of_code(findings, FindingCode::slow_link);
        QVERIFY2(link != nullptr && contains(findings, "4.00×"), said(findings));
    }

    /// Steps of 4.74 ms: the range cuts the second and the fifth.
    void aRangeOfTimeIsJudgedByItsWholeSteps() {
        Job job;
        job.factor = [](int rank, int) { return rank == 3 ? 1.1 : 1.0; };
        const auto run = run_of(job);
        Selection range;
        range.time = TimeRange{6'000'000, 21'000'000};
        Selection steps;
        steps.iterations = {{3, 4}};
        const RunAnalysis of_range(run, range);
        const RunAnalysis of_steps(run, steps);
        QCOMPARE(said(of_range.findings()), said(of_steps.findings()));
        QVERIFY2(about(of_range.findings().list.front().cost, 400e3), said(of_range.findings()));
        QVERIFY(std::abs(of_range.straggler_slowdown().slowdown() - of_steps.straggler_slowdown().slowdown()) < 1e-9);
    }
    /// The GPU of rank 1 works on step 2 until 2600, and the range ends at 2100.
    void aStepThatTheRangeCutsOnOneRankCountsOnNone() {
        const auto rank = [](int number, double work) {
            TraceBuilder made(number);
            for (int step = 1; step <= 3; ++step)
                made.step(step, 1000 * (step - 1), 1000)
                    .launch(1000 * (step - 1), 1)
                    .kernel("gemm", 7, 1000 * (step - 1) + 10, step == 2 ? work : 900);
            return made;
        };
        Selection range;
        range.time = TimeRange{0, 2'100'000};
        const RunAnalysis analysis(make_run({rank(0, 900), rank(1, 1590)}), range);
        for (const RankAnalysis& of_rank : analysis.ranks()) {
            QCOMPARE(of_rank.steps.size(), std::size_t{1});
            QCOMPARE(of_rank.steps.front().number, std::int64_t{1});
        }
        QCOMPARE(analysis.facts().by_step.size(), std::size_t{1});
    }
    /// Steps 1 to 5 and 101 to 105: the profiler paused for 9 ms, and the host did not.
    void aPauseOfTheProfilerIsNoneOfTheHost() {
        TraceBuilder rank(0);
        for (int i = 0; i < 10; ++i) {
            const double at = 1000.0 * i + (i < 5 ? 0 : 9000);
            rank.step(i < 5 ? i + 1 : i + 96, at, 1000)
                .launch(at + 10, 5)
                .kernel("gemm", 7, at + 20, 800)
                .runtime("cudaStreamSynchronize", at + 30, 800);
        }
        const Findings findings = RunAnalysis(make_run({rank}), {}).findings();
        QVERIFY2(of_code(findings, FindingCode::host_pauses) == nullptr, said(findings));
    }
    void aRangeWithoutAWholeStepHasNoCosts() {
        Job job;
        job.factor = [](int rank, int) { return rank == 3 ? 1.1 : 1.0; };
        Selection range;
        range.time = TimeRange{6'000'000, 10'000'000};
        const Findings findings = RunAnalysis(run_of(job), range).findings();
        QVERIFY2(findings.list.empty() && !findings.healthy, said(findings));
        QVERIFY2(contains(findings, "The time range holds no whole step"), said(findings));
    }

    void aSlowRankIsToldThoughNoCallJoinsItToOthers() {
        Job job;
        job.ranks = 16;
        job.together = false;
        job.factor = [](int rank, int) { return rank == 3 ? 1.1 : 1.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(!findings.healthy, said(findings));
        const Finding& first = findings.list.front();
        QCOMPARE(first.ranks, std::vector<int>{3});
        QVERIFY2(about(first.cost, 400e3), said(findings)); // 4 x 1 ms x 0.1, of its own step
        QVERIFY2(contains(findings, "No recorded call joins it to other ranks: the cost is its own alone"),
                 said(findings));
    }

    void copiesThatHoldUpComputationAreFound() {
        Job job;
        job.copy = [](int, int) { return 900.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* copies = of_code(findings, FindingCode::exposed_copies);
        QVERIFY2(copies != nullptr && copies == &findings.list.front(), said(findings));
        QVERIFY2(about(copies->cost, 900e3), said(findings));
        QVERIFY(copies->inherent);
        QVERIFY2(contains(findings, "Memcpy HtoD"), said(findings));
        job.copy = [](int, int) { return 10.0; };
        QVERIFY(of_code(RunAnalysis(run_of(job), {}).findings(), FindingCode::exposed_copies) == nullptr);
    }

    /// All hosts stop for 20 ms in steps 4 and 8 of 8, as a checkpoint without a name in every fourth step.
    void aPauseOfAllRanksInEveryFourthStepIsNoFault() {
        Job job;
        job.steps = 8;
        job.pause = [](int, int step) { return step % 4 == 0 ? 20'000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* pauses = of_code(findings, FindingCode::host_pauses);
        QVERIFY2(pauses != nullptr && pauses == &findings.list.front() && pauses->inherent, said(findings));
        QVERIFY2(about(pauses->cost, 2 * 18e6 / 8), said(findings));
        // Not as long each time, or not in every fourth step, it is nobody's plan.
        job.pause = [](int, int step) { return step == 4 ? 20'000.0 : step == 8 ? 9'000.0 : 0.0; };
        const Findings unequal = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(unequal.list.front().code == FindingCode::host_pauses && !unequal.list.front().inherent,
                 said(unequal));
    }

    /// The same in every second step: the host waits for its GPU before it stops.
    void whatAllRanksDoInEverySecondStepIsNoFault() {
        Job job;
        job.steps = 7;
        job.pause = [](int, int step) { return step % 2 == 1 ? 20'000.0 : 0.0; };
        job.waits_before_pause = true;
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(of_code(findings, FindingCode::synchronisation) != nullptr, said(findings));
        for (const Finding& finding : findings.list)
            QVERIFY2(!finding.is_costly_fault(), said(findings));
    }

    /// All hosts stop for 20 ms in steps 3 and 5 of 8.
    void pausesOfAllHostsAreToldWithTheirSteps() {
        Job job;
        job.steps = 8;
        job.pause = [](int, int step) { return step == 3 || step == 5 ? 20'000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* pauses = of_code(findings, FindingCode::host_pauses);
        QVERIFY2(pauses != nullptr, said(findings));
        QVERIFY2(pauses == &findings.list.front() && !pauses->inherent, said(findings));
        // The GPU has work for 2 ms when the hosts stop.
        QVERIFY2(about(pauses->cost, 2 * 18e6 / 8), said(findings));
        QVERIFY2(english(pauses->title).find("The hosts of all ranks pause") != std::string::npos, said(findings));
        QVERIFY2(english(pauses->title).find("in steps 3 and 5") != std::string::npos, said(findings));
        QCOMPARE(pauses->first_iteration.value_or(0), std::int64_t{3});
        QVERIFY2(of_code(findings, FindingCode::host_bound) == nullptr, said(findings));
    }

    /// As above, and the program says what it does: that is its habit, and no host is at fault. Of one rank it is.
    void aRangeThatAllRanksHaveInEveryFourthStepIsNoFault() {
        Job job;
        job.steps = 8;
        job.named_pauses = true;
        job.pause = [](int, int step) { return step % 4 == 0 ? 20'000.0 : 0.0; };
        const Findings habit = RunAnalysis(run_of(job), {}).findings();
        const Finding* pauses = of_code(habit, FindingCode::host_pauses);
        QVERIFY2(pauses != nullptr && pauses->inherent, said(habit));
        QVERIFY2(about(pauses->cost, 2 * 18e6 / 8), said(habit));
        job.pause = [](int rank, int step) { return rank == 1 && step % 4 == 0 ? 20'000.0 : 0.0; };
        const Findings fault = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(std::ranges::any_of(fault.list, [](const Finding& f) { return f.is_costly_fault(); }), said(fault));
    }

    /// One host after the other stops for 8 ms, each in another step.
    void pausesOfOneHostAfterTheOtherAreToldWithTheirRanks() {
        Job job;
        job.ranks = 8;
        job.steps = 20;
        job.pause = [](int rank, int step) { return step % 3 == 0 && rank == step / 3 ? 8000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* pauses = of_code(findings, FindingCode::host_pauses);
        QVERIFY2(pauses != nullptr && pauses == &findings.list.front(), said(findings));
        QVERIFY2(about(pauses->cost, 6 * 6e6 / 20), said(findings));
        QVERIFY2(english(pauses->title).find("of ranks 1, 2, 3, 4, 5 and 6 pause") != std::string::npos,
                 said(findings));
        QVERIFY2(english(pauses->title).find("in steps 3, 6, 9, 12, 15 and 18") != std::string::npos, said(findings));
    }

    /// What one host does in the first step, and its peers do not, is no warm-up. Hosts scatter from step to step, so
    /// that no rank is slow.
    void aPauseOfOneHostInTheFirstStepIsTold() {
        Job job;
        job.host = [](int rank, int step) { return 60.0 * ((rank * 7 + step * 5) % 11); };
        job.pause = [](int rank, int step) { return step == 1 && rank == 1 ? 8000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* const pause = of_code(findings, FindingCode::host_pauses);
        QVERIFY2(pause != nullptr && about(pause->cost, 6e6 / 6), said(findings)); // two kernels run meanwhile
        QVERIFY2(english(pause->title).find("The host of rank 1 pauses in step 1") != std::string::npos,
                 said(findings));
        job.pause = [](int, int step) { return step == 1 ? 8000.0 : 0.0; };
        const Findings warm_up = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(of_code(warm_up, FindingCode::host_pauses) == nullptr, said(warm_up));
    }

    /// The host takes 10 ms at one place, now a little more and now less: it is slow, and does not pause.
    void aHostWhoseTimeScattersDoesNotPause() {
        Job job;
        job.steps = 8;
        job.pause = [](int, int step) {
            constexpr std::array<double, 8> kTimes{10, 8, 12, 9, 11, 7, 13, 10};
            return 1000 * kTimes[static_cast<std::size_t>(step - 1)];
        };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(of_code(findings, FindingCode::host_pauses) == nullptr, said(findings));
        const Finding* const bound = of_code(findings, FindingCode::host_bound);
        QVERIFY2(bound != nullptr && about(bound->cost, 8e6), said(findings)); // two kernels run meanwhile
    }

    void aSlowFirstStepIsToldBesideAStraggler() {
        Job job;
        job.steps = 10;
        job.factor = [](int rank, int step) { return (step == 1 ? 1.8 : 1.0) * (rank == 3 ? 1.1 : 1.0); };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* first = of_code(findings, FindingCode::first_iteration);
        QVERIFY2(first != nullptr, said(findings));
        QVERIFY2(about(first->cost, 0.8 * 4e6 / 10, 0.15), said(findings));
        const Finding* straggler = of_code(findings, FindingCode::straggler);
        QVERIFY2(straggler != nullptr && straggler->ranks == std::vector<int>{3}, said(findings));
    }

    /// Gradients are accumulated: ranks meet in every second step only, and there all others wait for rank 2. Each step
    /// is 1.2 ms shorter without it, though that shows in every second one.
    void aStragglerCostsWhatItTakesLongerWhereRanksMeetInEverySecondStep() {
        Job job;
        job.steps = 12;
        job.every = 2;
        job.factor = [](int rank, int) { return rank == 2 ? 1.3 : 1.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* straggler = of_code(findings, FindingCode::straggler);
        QVERIFY2(straggler != nullptr && straggler->ranks == std::vector<int>{2}, said(findings));
        QVERIFY2(about(straggler->cost, 0.3 * 4e6, 0.01), said(findings));
    }

    /// A library chose a slower kernel on rank 2. On rank 1 it chose another one, too, which takes no longer.
    void aSlowerKernelInThePlaceOfAnotherIsToldOfItsRank() {
        Job job;
        job.kernel = [](int rank) { return rank == 1 ? "nvjet_a" : rank == 2 ? "nvjet_b" : "sm90_gemm"; };
        QVERIFY(RunAnalysis(run_of(job), {}).findings().healthy);
        job.factor = [](int rank, int) { return rank == 2 ? 1.2 : 1.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* straggler = of_code(findings, FindingCode::straggler);
        QVERIFY2(straggler != nullptr && straggler->ranks == std::vector<int>{2}, said(findings));
        QVERIFY2(straggler->cause == FindingCause::slower_kernels && about(straggler->cost, 0.2 * 4e6, 0.01),
                 said(findings));
    }

    /// A throttled GPU takes 4 % longer with each step, 18 % on the mean of ten.
    void aRankThatBecomesSlowerByAndByIsToldWithAllOfItsCost() {
        Job job;
        job.steps = 10;
        job.factor = [](int rank, int step) { return rank == 2 ? 1 + 0.04 * (step - 1) : 1.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* straggler = of_code(findings, FindingCode::straggler);
        QVERIFY2(straggler != nullptr && straggler->ranks == std::vector<int>{2}, said(findings));
        QVERIFY2(about(straggler->cost, 0.18 * 4e6, 0.02), said(findings));
        QVERIFY2(of_code(findings, FindingCode::uneven_work) == nullptr, said(findings));
    }

    /// The hosts of ranks 4 to 7 take 2 ms longer before each launch: their four products of 1 ms start 2 ms apart, and
    /// the last one ends 5 ms later.
    void theSlowHostsOfOneOfTwoMachinesAreTold() {
        Job job;
        job.ranks = 8;
        job.host = [](int rank, int) { return rank >= 4 ? 2000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* straggler = of_code(findings, FindingCode::straggler);
        QVERIFY2(straggler != nullptr && straggler->ranks == (std::vector<int>{4, 5, 6, 7}), said(findings));
        QVERIFY2(straggler->cause == FindingCause::host_bound && about(straggler->cost, 5e6), said(findings));
    }

    /// Rank 0 waits for its GPU and writes 20 ms in every second step: one cause is told once.
    void aCheckpointOfOneRankInEverySecondStepIsToldOnce() {
        Job job;
        job.steps = 8;
        job.waits_before_pause = true;
        job.pause = [](int rank, int step) { return rank == 0 && step % 2 == 0 ? 20'000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        double told = 0;
        for (const Finding& finding : findings.list)
            told += finding.ranks == std::vector<int>{0} ? finding.cost : 0;
        QVERIFY2(about(told, 10e6, 0.1), said(findings));
    }

    /// Two machines of two GPUs. The calls of ranks 0 and 1 take 2.5 times as long as those of 2 and 3; one call of
    /// ranks 0 and 2 happens to take 40 % longer. That does not make it the card of rank 0. And both groups between the
    /// machines share their network.
    void aSingleLongCallMakesNoSlowCard() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r) {
            TraceBuilder& rank = ranks.emplace_back(r).world_size(4).device(r % 2);
            for (int step = 1; step <= 8; ++step) {
                const double begin = 5'000.0 * step;
                rank.step(step, begin, 4'990).launch(begin + 1, 2).kernel("gemm", 7, begin + 5, 3000);
                const auto reduce = [&](const char* name, std::vector<int> members, double from, double to) {
                    rank.launch(begin + 10 + from / 1000, 0.5)
                        .collective("ncclDevKernel_AllReduce", 20, begin + from, to - from,
                                    {.collective = "allreduce",
                                     .in_elements = 1 << 22,
                                     .out_elements = 1 << 22,
                                     .group = {name, name, std::move(members), 2}});
                };
                const int machine = r / 2;
                reduce(machine == 0 ? "mesh_dp_shard_0" : "mesh_dp_shard_1", {2 * machine, 2 * machine + 1}, 3010,
                       r < 2 ? 4010 : 3410);
                const double end = step == 5 && r % 2 == 0 ? 4580 : 4420;
                reduce(r % 2 == 0 ? "mesh_dp_replicate_0" : "mesh_dp_replicate_1", {r % 2, r % 2 + 2},
                       r < 2 ? 4020 : 3420, end);
                rank.runtime("cudaDeviceSynchronize", begin + 20, end - 10);
            }
        }
        const Findings findings = RunAnalysis(make_run(ranks), {}).findings();
        const Finding* link = of_code(findings, FindingCode::slow_link);
        QVERIFY2(link != nullptr && link->ranks == (std::vector<int>{0, 1}), said(findings));
        QVERIFY2(link->cause != FindingCause::slow_card, said(findings));
        QVERIFY2(findings.judged.links && !findings.judged.network, said(findings));
    }

    /// Rank 1 is slow in steps 1 to 5, rank 3 from 6 on.
    void ranksThatAreSlowInDifferentStepsAreToldSo() {
        Job job;
        job.ranks = 8;
        job.steps = 10;
        job.factor = [](int rank, int step) { return (rank == 1 && step <= 5) || (rank == 3 && step > 5) ? 1.2 : 1.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding& first = findings.list.front();
        QCOMPARE(first.ranks, (std::vector<int>{1, 3}));
        QVERIFY2(english(first.title).find(", rank 1 in steps 1 to 5 and rank 3 from step 6 on") != std::string::npos,
                 said(findings));
        QVERIFY2(!first.first_iteration, said(findings)); // one of them is slow in every step
        QVERIFY2(english(first.title).find("1.20×") != std::string::npos, said(findings));
    }

    /// Rank 1's host stops for 5 ms each step, and rank 2's products take 2.8 ms longer: either hides the other.
    void faultsThatHideEachOtherAreAddedUp() {
        Job job;
        job.pause = [](int rank, int) { return rank == 1 ? 5000.0 : 0.0; };
        job.factor = [](int rank, int) { return rank == 2 ? 1.7 : 1.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(contains(findings, "2 faults cost more than 1 % of a"), said(findings));
        QVERIFY2(contains(findings, ", together 2.9") || contains(findings, ", together 3.0"), said(findings));
        QVERIFY2(contains(findings, "Other findings hide it. Cost once they are dealt with: "), said(findings));
    }

    /// Ranks 8 to 15 take 1.12 times as long, rank 3 takes 1.25 times.
    void ranksThatAreSlowBesideASlowNodeAreHeldAgainstTheFastOnes() {
        Job job;
        job.ranks = 16;
        job.factor = [](int rank, int step) {
            const double jitter = 1 + 0.002 * ((7 * rank + 5 * step) % 11 - 5) / 5;
            return jitter * (rank == 3 ? 1.25 : rank >= 8 ? 1.12 : 1.0);
        };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding& first = findings.list.front();
        QCOMPARE(first.ranks, std::vector<int>{3});
        QVERIFY2(contains(findings, "gemm kernels take 1.25×"), said(findings));
        QVERIFY2(contains(findings, "Ranks 8 to 15 "), said(findings));
        QVERIFY2(contains(findings, "gemm kernels take 1.12×"), said(findings));
        double together = 0; // 4 x 1 ms x 0.25
        for (const Finding& finding : findings.list)
            together += finding.code == FindingCode::straggler ? finding.cost : 0;
        QVERIFY2(about(together, 1e6, 0.02), said(findings));
        QVERIFY2(contains(findings, fmt::format(", together {}.", time_words(together))), said(findings));
        job.factor = [](int rank, int) { return rank >= 4 ? 1.15 : 1.0; };
        const Findings most = RunAnalysis(run_of(job), {}).findings(); // 12 of 16: who is the peer of whom?
        QVERIFY2(of_code(most, FindingCode::straggler) == nullptr, said(most));
    }

    void aClockThatJumpsAccusesNoLink() {
        Job job;
        job.steps = 12;
        job.ranks = 8;
        job.clock = [](int rank, int step) { return rank == 2 && step > 6 ? 5000.0 : 0.0; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        const Finding* clock = of_code(findings, FindingCode::clock_misfit);
        QVERIFY2(clock != nullptr && clock == &findings.list.front(), said(findings));
        QCOMPARE(clock->ranks, std::vector<int>{2});
        QVERIFY2(english(clock->title).find("The clock of rank 2 jumps ahead by 5.00 ms") != std::string::npos,
                 said(findings));
        QVERIFY2(of_code(findings, FindingCode::slow_link) == nullptr, said(findings));
        QVERIFY(!findings.judged.links);
        job.clock = [](int rank, int step) { return rank == 2 ? 20.0 * step : 0.0; }; // it drifts
        QVERIFY(of_code(RunAnalysis(run_of(job), {}).findings(), FindingCode::clock_misfit) == nullptr);
    }

    /// Rank 1 recorded steps 3 to 6 of 6; rank 2 counts its steps from 2.
    void whatAStepHoldsDoesNotFallWithStepsThatARankLacks() {
        const RunAnalysis whole(run_of({}), {});
        Job job;
        job.records = [](int rank, int step) { return rank != 1 || step > 2; };
        const RunAnalysis part(run_of(job), {});
        const auto bytes = [](const RunAnalysis& analysis) {
            std::int64_t sum = 0;
            for (const TrafficRow& row : analysis.traffic().rows)
                sum += row.bytes;
            return static_cast<double>(sum) / static_cast<double>(analysis.traffic().steps);
        };
        QVERIFY(bytes(whole) > 0);
        QCOMPARE(bytes(part), bytes(whole));
        QVERIFY(about(part.parallel_efficiency().mean.parallel(), whole.parallel_efficiency().mean.parallel(), 0.01));
    }

    /// Only rank 3 is slow, by its kernels: the transfers before them are part of nobody's way.
    void slowKernelsAreNotChargedToTransfers() {
        Job job;
        job.factor = [](int rank, int) { return rank == 3 ? 1.2 : 1.0; };
        const RunAnalysis analysis(run_of(job), {});
        const Waiting& waiting = analysis.waiting();
        const auto charged = [&](WaitCause cause) {
            const auto c = static_cast<std::size_t>(cause);
            return static_cast<double>(waiting.ranks[3].direct[c] + waiting.ranks[3].passed_on[c]);
        };
        QVERIFY(waiting.total > 0);
        QVERIFY2(charged(WaitCause::computation) >= 0.99 * static_cast<double>(waiting.total),
                 fmt::format("{} of {}, transfers {}", charged(WaitCause::computation), waiting.total,
                             charged(WaitCause::transfer))
                     .c_str());
    }

    void rangesOfRanksAreNamedShortly() {
        QCOMPARE(english(rank_words({8, 9, 10, 11, 12, 13, 14, 15})), std::string("ranks 8 to 15"));
        QCOMPARE(english(rank_words({0, 1, 2, 3, 6, 8, 9})), std::string("ranks 0 to 3, 6, 8 and 9"));
        QCOMPARE(english(rank_words({1, 3, 5, 7, 9, 11, 13})), std::string("ranks 1, 3, 5, 7, 9, 11 and 1 more"));
        QCOMPARE(english(rank_words({3, 4, 5})), std::string("ranks 3, 4 and 5"));
    }

    void aStepThatOneRankAloneRecordedAccusesNobody() {
        Job job;
        job.records = [](int rank, int step) { return step > 2 || rank == 1; };
        const Findings findings = RunAnalysis(run_of(job), {}).findings();
        QVERIFY2(of_code(findings, FindingCode::straggler) == nullptr, said(findings));
    }
};

RANKSCOPE_TEST(TestExplainedRun)

} // namespace rankscope::explained_run_test

#include "test_explained_run.moc"
