// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of runs small enough to work out by hand, and what holds of every run: the parts of a step sum up to it.
#include <QtTest>

#include <filesystem>
#include <numeric>

#include "core/analysis/facts/fact_words.h"
#include "core/input/load/load_run.h"
#include "core/report/facts_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::facts_test {

namespace {

/// One step of 100 us. The GPU works from 22 to 40 and from 75 to 90.
/// 0 to 20: aten::item, in it cudaStreamSynchronize from 5 to 15. 20: launch. 40 to 60: a Python frame. 70: launch.
TraceBuilder one_rank() {
    return TraceBuilder(0)
        .step(1, 0, 100)
        .cpu_op("aten::item", 0, 20)
        .runtime("cudaStreamSynchronize", 5, 10)
        .launch(20, 2)
        .kernel("gemm", 7, 22, 18)
        .python("load.py(3): decode", 40, 20)
        .launch(70, 2)
        .kernel("gemm", 7, 75, 15);
}

CollectiveCall all_reduce(const std::vector<int>& ranks) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 64;
    call.group = {"0", "default_pg", ranks, static_cast<int>(ranks.size())};
    return call;
}

/// Computes from 10 us on, arrives at an all-reduce at that end, which ends at 90 us; two steps of 100 us.
TraceBuilder computing_rank(int number, double work, const std::vector<int>& ranks) {
    TraceBuilder rank(number);
    rank.world_size(static_cast<int>(ranks.size()));
    for (int step = 0; step < 2; ++step) {
        const double t = 100.0 * step;
        rank.step(step + 1, t, 100)
            .launch(t, 1)
            .kernel("gemm", 7, t + 10, work)
            .launch(t + 1, 1)
            .collective("ncclDevKernel_AllReduce", 20, t + 10 + work, 80 - work, all_reduce(ranks));
    }
    return rank;
}

/// As above, but the all-reduce starts at 80 us on every rank, after a gap that nothing recorded explains.
TraceBuilder uncoupled_rank(int number, double work) {
    TraceBuilder rank(number);
    rank.world_size(4);
    for (int step = 0; step < 2; ++step) {
        const double t = 1000.0 * step;
        rank.step(step + 1, t, 1000)
            .launch(t, 1)
            .kernel("gemm", 7, t + 10, work)
            .launch(t + 1, 1)
            .collective("ncclDevKernel_AllReduce", 20, t + 800, 200, all_reduce({0, 1, 2, 3}));
    }
    return rank;
}

void parts_sum_up(const Facts& facts) {
    const auto check = [](const StepFill& fill) {
        QCOMPARE_LE(std::abs(std::reduce(fill.part_ns.begin(), fill.part_ns.end()) - fill.step_ns),
                    1e-6 * fill.step_ns);
        for (const double part : fill.part_ns)
            QVERIFY(part >= 0);
    };
    check(facts.fill);
    for (const RankFacts& rank : facts.ranks)
        check(rank.fill);
    for (const StepFacts& step : facts.by_step)
        check(step.fill);
}

} // namespace

class TestFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anInstantOfAStepIsOneThing() {
        const RunAnalysis analysis(make_run({one_rank()}), {});
        const StepFill& fill = analysis.facts().fill;
        QCOMPARE(fill.step_ns, 100e3);
        QCOMPARE(fill[StepShare::computation], 33e3); // 18 + 15
        QCOMPARE(fill[StepShare::launching], 7e3);    // 20 to 22, 70 to 75
        QCOMPARE(fill[StepShare::host], 40e3);        // 0 to 20, 40 to 60
        QCOMPARE(fill[StepShare::unrecorded], 20e3);  // 60 to 70, 90 to 100
        parts_sum_up(analysis.facts());
    }

    /// Four steps of 100 us, the third of 300: it computes for 290 instead of 90.
    void aLongStepIsToldWithWhatFillsIt() {
        TraceBuilder rank(0);
        for (int step = 0; step < 4; ++step) {
            const double t = 100.0 * step + (step > 2 ? 200 : 0);
            const double more = step == 2 ? 200 : 0;
            rank.step(step + 5, t, 100 + more).launch(t, 1).kernel("gemm", 7, t + 5, 90 + more);
        }
        const RunAnalysis analysis(make_run({rank}), {});
        QCOMPARE(english(long_steps_words(analysis.facts())),
                 std::string("Step 7 takes 300 µs, the median step 100 µs; 200 µs of the difference is computation"));
    }

    /// Decode steps of 15, 15, 25 and 15 us for 32 requests, and a prefill of 40: only the third decode step is long.
    void aStepOfAnEngineIsHeldAgainstThoseWithTheSameWork() {
        TraceBuilder rank(0);
        double t = 0;
        for (const auto& [name, length] : {std::pair("execute_context_0(0)_generation_32(32)", 15.0),
                                           std::pair("execute_context_0(0)_generation_32(32)", 15.0),
                                           std::pair("execute_context_1(512)_generation_0(0)", 40.0),
                                           std::pair("execute_context_0(0)_generation_32(32)", 25.0),
                                           std::pair("execute_context_0(0)_generation_32(32)", 15.0)}) {
            rank.annotation(name, t, length).launch(t, 1).kernel("gemm", 7, t + 1, length - 2);
            t += length;
        }
        const RunAnalysis analysis(make_run({rank}), {});
        const Facts& facts = analysis.facts();
        QVERIFY(!facts.alike_steps);
        QCOMPARE(facts.by_step[0].work, facts.by_step[3].work);
        QVERIFY(facts.by_step[0].work != facts.by_step[2].work);
        const std::string words = english(long_steps_words(facts));
        QVERIFY2(words.starts_with("Step 4 takes 25 µs, the median step with the same work 15 µs"), words.c_str());
    }

    /// Four steps of 100 us, 7 us between them: those pass in no step, whatever runs then.
    void whatPassesBetweenStepsIsTold() {
        const auto run = [](double between, double before_the_third = 0) {
            TraceBuilder rank(0);
            for (int step = 0; step < 4; ++step) {
                const double t = (100 + between) * step + (step > 1 ? before_the_third : 0);
                rank.step(step + 1, t, 100).launch(t, 1).kernel("gemm", 7, t + 5, 90);
            }
            return std::make_shared<const RunAnalysis>(make_run({rank}), Selection{});
        };
        QCOMPARE(run(7)->facts().between_steps_ns, 7e3);
        const std::string told = "Between the marks of two steps 7 µs pass on average, which no step counts.";
        QCOMPARE(std::ranges::count(english(fact_sentences(run(7)->facts())), told), 1);
        QVERIFY(between_steps_words(run(0)->facts()).empty());
        const auto paused = run(1, 60);
        QCOMPARE(paused->facts().between_steps_ns, (1e3 + 61e3 + 1e3) / 3);
        QCOMPARE(paused->facts().by_step[2].before_ns, 61e3);
        QCOMPARE(english(between_steps_words(paused->facts())),
                 std::string("61 µs pass between the marks of steps 2 and 3, which no step counts"));
        QVERIFY(between_steps_words(run(0.5)->facts()).empty());
    }

    /// Six steps of 100, 105, 105, 115, 115 and 300 us; the host works before each kernel for 5 of the first, 95 of the
    /// last. The median step lies between 105 and 115: 110 us.
    void aLongStepIsComparedWithTheStepInTheMiddle() {
        TraceBuilder rank(0);
        double t = 0;
        int number = 1;
        for (const auto& [work, wait] : {std::pair(95, 5), {100, 5}, {100, 5}, {100, 15}, {100, 15}, {205, 95}}) {
            rank.step(number++, t, work + wait).launch(t + wait, 0).kernel("gemm", 7, t + wait, work);
            t += work + wait;
        }
        const RunAnalysis analysis(make_run({rank}), {});
        QCOMPARE(english(long_steps_words(analysis.facts())),
                 std::string("Step 6 takes 300 µs, the median step 110 µs; 105 µs of the difference is computation"));
    }

    void whatTheHostWasInIsItsInnermostEvent() {
        const RunAnalysis analysis(make_run({one_rank()}), {});
        const std::vector<HostFact>& host = analysis.facts().host;
        QCOMPARE(host.size(), std::size_t{3});
        QCOMPARE(host[0].name, std::string("load.py(3): decode"));
        QCOMPARE(host[0].kind, HostActivityKind::python);
        QCOMPARE(host[0].mean_ns, 20e3);
        const auto named = [&](const std::string& name) { return *std::ranges::find(host, name, &HostFact::name); };
        QCOMPARE(named("cudaStreamSynchronize").mean_ns, 10e3);
        QCOMPARE(named("cudaStreamSynchronize").inside, std::string("aten::item"));
        QCOMPARE(named("aten::item").mean_ns, 10e3); // 0 to 5 and 15 to 20
        QCOMPARE(named("aten::item").gaps, std::int64_t{2});
        QCOMPARE(named("aten::item").longest.length(), TimeNs{5'000});
        QCOMPARE(english(host_fact_words(analysis.facts())),
                 std::string("While the GPU waited for it, the innermost event of the host was mostly load.py(3): "
                             "decode (20 µs, 20 %), "
                             "cudaStreamSynchronize in aten::item (10 µs, 10 %), aten::item (10 µs, 10 %)"));
    }

    /// The host works on for 40 after its last GPU work: no recorded GPU work waits for that.
    void theEndOfTheRecordingIsNoWaitForTheHost() {
        TraceBuilder rank(0);
        rank.step(1, 0, 100).launch(0, 1).kernel("gemm", 7, 10, 50).python("save", 60, 40);
        const RunAnalysis analysis(make_run({rank}), {});
        const StepFill& fill = analysis.facts().fill;
        QCOMPARE(fill[StepShare::launching], 10e3);
        QCOMPARE(fill[StepShare::host], 0.0);
        QCOMPARE(fill[StepShare::unrecorded], 40e3);
        parts_sum_up(analysis.facts());
    }

    /// Four launches take 5 us; the fifth loads code for 300 and its kernel starts as it returns. Of the time before
    /// that the usual 5 are a launch, the others are the host's, which was in the call.
    /// The host is in an operator all the time, but when it launched the kernels is not recorded.
    void withoutALaunchNothingTellsWhoWaits() {
        TraceBuilder rank(0);
        for (int step = 0; step < 3; ++step) {
            const double t = 100.0 * step;
            rank.step(step + 1, t, 100).cpu_op("aten::mm", t, 90).kernel("gemm", 7, t + 40, 50);
        }
        const RunAnalysis analysis(make_run({rank}), {});
        QCOMPARE(analysis.facts().fill[StepShare::host], 0.0);
        QVERIFY(analysis.facts().fill[StepShare::unrecorded] > 40e3);
        QVERIFY(analysis.facts().host.empty());
    }

    /// What fills a step does not depend on which other steps are looked at.
    void aStepAloneIsFilledAsAmongTheOthers() {
        TraceBuilder rank(0);
        for (int step = 0; step < 4; ++step) {
            const double t = 100.0 * step;
            rank.step(step + 1, t, 100).cpu_op("aten::mm", t + 1, 60).launch(t + 20, 1).kernel("gemm", 7, t + 30, 40);
            rank.runtime("cudaDeviceSynchronize", t + 62, 12).cpu_op("aten::item", t + 80, 15);
        }
        const auto run = make_run({rank});
        const RunAnalysis all(run, {});
        for (const StepFacts& step : all.facts().by_step) {
            Selection one;
            one.iterations = {{step.number, step.number}};
            const RunAnalysis alone(run, one);
            QCOMPARE(alone.facts().fill.part_ns, step.fill.part_ns);
        }
    }

    /// Steps are not marked. Rank 1 was recorded for half as long: its repetitions are fewer and as long.
    void aRankThatWasRecordedLongerKeepsItsSteps() {
        const auto rank = [](int number, int repetitions) {
            TraceBuilder trace(number);
            for (int i = 0; i < repetitions; ++i) {
                const double t = 100.0 * i;
                trace.launch(t, 1).kernel("gemm", 7, t + 5, 60).launch(t + 2, 1).kernel("norm", 7, t + 65, 20);
                trace.runtime("cudaDeviceSynchronize", t + 4, 82);
            }
            return trace;
        };
        const RunAnalysis analysis(make_run({rank(0, 12), rank(1, 6)}), {});
        QCOMPARE(analysis.facts().ranks.size(), std::size_t{2});
        QCOMPARE(analysis.facts().ranks[0].steps, std::int64_t{11});
        QCOMPARE(analysis.facts().ranks[1].steps, std::int64_t{5});
    }

    void aLaunchThatTakesLongIsTheHost() {
        TraceBuilder rank(0);
        rank.step(1, 0, 1000);
        for (int i = 0; i < 4; ++i)
            rank.launch(100 * i, 5).kernel("gemm", 7, 100 * i + 5, 95);
        rank.launch(400, 300).kernel("new", 7, 700, 300);
        const RunAnalysis analysis(make_run({rank}), {});
        const StepFill& fill = analysis.facts().fill;
        QCOMPARE(fill[StepShare::launching], 25e3);
        QCOMPARE(fill[StepShare::host], 295e3);
        QCOMPARE(analysis.facts().host.front().name, std::string("cudaLaunchKernel"));
        const auto change = parse_change("host=0");
        const Prediction prediction = analysis.predict(std::span(&*change, 1)).front();
        QVERIFY2(prediction.predicted < 710e3, std::to_string(prediction.predicted).c_str());
        QVERIFY(prediction.assumes.empty()); // no queue is full: the stream is idle
        parts_sum_up(analysis.facts());
    }

    /// The same with a host that has run ahead: the GPU is busy until 500, and then has nothing to do until the call
    /// returns. The call is what the kernel waited for, not the kernel before it.
    void aLaunchInWhichTheQueueRunsDryIsTheHost() {
        TraceBuilder rank(0);
        rank.step(1, 0, 1000);
        for (int i = 0; i < 4; ++i)
            rank.launch(100 * i, 5).kernel("gemm", 7, 5 + 125 * i, i < 3 ? 125 : 120);
        rank.launch(400, 300).kernel("new", 7, 700, 300);
        const RunAnalysis analysis(make_run({rank}), {});
        QCOMPARE(analysis.facts().fill[StepShare::launching], 10e3);
        QCOMPARE(analysis.facts().fill[StepShare::host], 195e3);
        const auto change = parse_change("host=0");
        const Prediction prediction = analysis.predict(std::span(&*change, 1)).front();
        QVERIFY2(prediction.predicted < 810e3, std::to_string(prediction.predicted).c_str());
    }

    /// As many depths as a parser lets in; a walk by depth would overflow the stack.
    void deepNestingIsWalkedFlat() {
        constexpr int kDepth = 50'000;
        TraceBuilder rank(0);
        rank.step(1, 0, 2.0 * kDepth);
        for (int i = 0; i < kDepth; ++i)
            rank.cpu_op("aten::deep", i * 0.5, 2.0 * kDepth - i - 10);
        rank.launch(2.0 * kDepth - 5, 1).kernel("gemm", 7, 2.0 * kDepth - 3, 1);
        const RunAnalysis analysis(make_run({rank}), {});
        QCOMPARE(analysis.facts().host.size(), std::size_t{1});
        parts_sum_up(analysis.facts());
    }

    void ranksAreHeldAgainstTheirPeers() {
        const RunAnalysis analysis(make_run({computing_rank(0, 20, {0, 1, 2}), computing_rank(1, 20, {0, 1, 2}),
                                             computing_rank(2, 30, {0, 1, 2})}),
                                   {});
        const Facts& facts = analysis.facts();
        QCOMPARE(facts.ranks.size(), std::size_t{3});
        QCOMPARE(facts.ranks[2].computation_ratio_to_peers, std::optional(1.5)); // 30 / 20
        QCOMPARE(facts.ranks[2].kernel_ratio_to_peers, std::optional(1.5));
        QCOMPARE(facts.ranks[2].computation_excess_ns, 10e3);
        QVERIFY(facts.ranks[2].slowest_kernels.has_value());
        QCOMPARE(facts.ranks[2].slowest_kernels->kind, ComputeKind::gemm);
        QCOMPARE(facts.ranks[2].slowest_kernels->ratio, 1.5);
        QCOMPARE(facts.ranks[2].slowest_kernels->excess_ns, 10e3);
        QVERIFY(!facts.ranks[0].slowest_kernels);                                // 20 beside 25
        QCOMPARE(facts.ranks[0].computation_ratio_to_peers, std::optional(0.8)); // 20 / 25
        QCOMPARE(facts.ranks[2].calls, std::int64_t{2});
        QCOMPARE(facts.ranks[2].times_last, std::int64_t{2});
        QCOMPARE(facts.ranks[2].median_lag_ns, 10e3);
        QCOMPARE(facts.ranks[2].wait_caused_ns, 10e3); // each of the others waits 10 us a step
        QCOMPARE(facts.ranks[0].fill[StepShare::waiting], 10e3);
        QCOMPARE(facts.ranks[0].fill[StepShare::exposed_communication], 50e3); // 40 to 90
        const auto out = ranks_that_stand_out(facts);
        QCOMPARE(out.front().facts->rank, 2);
        QCOMPARE(english(rank_fact_words(out.front(), facts)),
                 std::string("Rank 2 computes 1.50 times as long as its peers and comes last at 2 of 2 collective "
                             "calls; there the others wait 10 µs a step for it"));
    }

    /// Rank 1 starts 40 us later: of its 50 us, 10 lie in the range.
    void whatLiesInARangeOfTimeIsNotHeldAgainstPeers() {
        TraceBuilder early(0);
        early.step(1, 0, 100).launch(0, 1).kernel("gemm", 7, 5, 50);
        TraceBuilder late(1);
        late.step(1, 40, 100).launch(40, 1).kernel("gemm", 7, 45, 50);
        const auto run = make_run({early, late});
        Selection part;
        part.time = TimeRange{0, 55'000};
        QCOMPARE(RunAnalysis(run, {}).facts().ranks[0].computation_ratio_to_peers, std::optional(1.0));
        const RunAnalysis of_part(run, part);
        QCOMPARE(of_part.facts().ranks.size(), std::size_t{2});
        QVERIFY(!of_part.facts().ranks[0].computation_ratio_to_peers);
        QVERIFY(ranks_that_stand_out(of_part.facts()).empty());
    }

    /// Rank 3 computes 2.2 times as long, and all ranks come to the call at once: by the graph that costs nothing.
    void noFaultIsNotSaidWhereARankComputesLonger() {
        const RunAnalysis analysis(
            make_run({uncoupled_rank(0, 250), uncoupled_rank(1, 250), uncoupled_rank(2, 250), uncoupled_rank(3, 550)}),
            {});
        const Findings& findings = analysis.findings();
        const std::string summary = english(findings.summary);
        QVERIFY2(summary.find("Rank 3 computes 2.2 times as long as its peers.") != std::string::npos, summary.c_str());
        QVERIFY2(
            summary.find("Its gemm kernels take 2.20 times as long as its peers'. What that costs cannot be told") !=
                std::string::npos,
            summary.c_str());
        QVERIFY2(summary.find("No fault of ranks") == std::string::npos, summary.c_str());
        QVERIFY2(summary.find("at most 300 µs") != std::string::npos, summary.c_str());
        QVERIFY(!findings.healthy);
    }

    void noFaultIsSaidWhereRanksAreAlike() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r)
            ranks.push_back(uncoupled_rank(r, 250 + r));
        const RunAnalysis analysis(make_run(ranks), {});
        QVERIFY(ranks_that_stand_out(analysis.facts()).empty());
        QVERIFY2(english(analysis.findings().summary).find("No fault of ranks") != std::string::npos,
                 english(analysis.findings().summary).c_str());
    }

    void namesAreTheSameInTheDocument() {
        const Json json = facts_json(RunAnalysis(make_run({one_rank()}), {}));
        QCOMPARE(json["fill"]["step_us"].get<double>(), 100.0);
        QCOMPARE(json["fill"]["host_us"].get<double>(), 40.0);
        QCOMPARE(json["by_rank"][0]["computation_ratio_to_peers"].is_null(), true);
        QCOMPARE(json["by_step"].size(), std::size_t{1});
        QCOMPARE(json["host_while_idle"][0]["longest_start_us"].get<double>(), 40.0);
    }

    void partsSumUpOnRealTraces_data() {
        QTest::addColumn<QString>("trace");
        for (const char* trace : {"dlrm_v100_8rank", "nccl_a100", "resnet_v100_ns", "resnet_mi300_1of8",
                                  "rccl_demo/56cu_256threads", "trace_diff_test", "sglang_decode", "vllm_decode_full",
                                  "critical_path/alexnet", "faults/slow_rank_interleaved", "faults/healthy_zero_bubble",
                                  "operations_st", "nsys/two_h100_after.sqlite", "xplane/jax_conv_minimal"})
            QTest::newRow(trace) << QString(trace);
    }
    void partsSumUpOnRealTraces() {
        QFETCH(QString, trace);
        const std::filesystem::path path = std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / trace.toStdString();
        if (!std::filesystem::exists(path))
            QSKIP("no shared traces");
        const auto run = load_run(path);
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const Facts& facts = analysis.facts();
        QVERIFY(!facts.ranks.empty());
        parts_sum_up(facts);
        // The same step as where runs are compared, and the same computation.
        QCOMPARE(facts.fill.step_ns, analysis.steps().mean.wall);
        QCOMPARE(facts.fill[StepShare::computation], analysis.steps().mean.compute);
    }
};

RANKSCOPE_TEST(TestFacts)

} // namespace rankscope::facts_test

#include "test_facts.moc"
