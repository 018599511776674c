// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that become slower inside the recording: since when, what grew; and nothing of those that do not.
#include <QtTest>

#include <algorithm>

#include <QTemporaryDir>

#include "core/analysis/facts/fact_words.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/recording.h"
#include "tests/support/simulator/truth.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::slower_steps_test {

namespace {

/// What one step of one rank does, microseconds: two launches, then a copy, GEMM kernels one after the other, and
/// nothing until the step ends.
struct MadeStep {
    double gemm = 30;
    int gemms = 2;
    double norm = 10;
    double idle = 20;
    const char* kernel = "ampere_sgemm_128x64";
};

/// Steps from number 10 on, the host waiting for each.
TraceBuilder rank_of(int rank, const std::vector<MadeStep>& steps) {
    TraceBuilder builder(rank);
    double now = 0;
    std::int64_t number = 10;
    for (const MadeStep& step : steps) {
        const double length = 10 + step.gemms * step.gemm + step.norm + step.idle;
        builder.step(number++, now, length);
        double start = now + 10;
        for (int i = 0; i < step.gemms; ++i) {
            builder.launch(now + 1 + i, 1).kernel(step.kernel, 7, start, step.gemm);
            start += step.gemm;
        }
        builder.launch(now + 9, 1).kernel("layer_norm_kernel", 7, start, step.norm);
        now += length;
    }
    return builder;
}

std::vector<MadeStep> steps_of(std::size_t count) { return std::vector<MadeStep>(count); }

const Finding* slower(const RunAnalysis& analysis) {
    const auto& list = analysis.findings().list;
    const auto found = std::ranges::find(list, FindingCode::slower_steps, &Finding::code);
    return found == list.end() ? nullptr : &*found;
}

double fact(const Finding& finding, FactName name) {
    const auto found = std::ranges::find(finding.facts, name, &FindingFact::name);
    return found == finding.facts.end() ? -1 : found->number;
}

/// Eight ranks, twenty steps.
machine::Job job_of(std::uint64_t seed) {
    machine::Job job;
    job.seed = seed;
    job.dp = 8;
    job.steps = 20;
    job.microbatches = 1;
    job.step_end = machine::StepEnd::item;
    return job;
}

struct Recorded {
    QTemporaryDir folder;
    std::shared_ptr<const Run> run;
    machine::Truth truth;
};

void record(const machine::Job& job, Recorded& recorded) {
    const machine::SimulatedJob simulated = machine::simulate(job);
    QVERIFY2(simulated.execution.error.empty(), simulated.execution.error.c_str());
    recorded.truth = machine::truth_of(job, simulated.execution);
    machine::write_traces(job, simulated.program, simulated.execution, {}, recorded.folder.path().toStdString());
    const auto run = load_run(recorded.folder.path().toStdString());
    QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
    recorded.run = *run;
}

} // namespace

class TestSlowerSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Four ranks, six steps: 500 us of GEMM and an all-reduce of 300. In step 4 the network takes three times as long
    /// for it; or all GPUs take three times as long for everything, which is no fault of a link.
    void aSlowNetworkIsNotASlowGpu_data() {
        QTest::addColumn<double>("gemm_factor");
        QTest::addColumn<bool>("told");
        QTest::newRow("network") << 1.0 << true;
        QTest::newRow("GPUs") << 3.0 << false;
    }
    void aSlowNetworkIsNotASlowGpu() {
        QFETCH(double, gemm_factor);
        QFETCH(bool, told);
        CollectiveCall call;
        call.collective = "allreduce";
        call.in_elements = call.out_elements = 8'000'000;
        call.group = {"0", "default_pg", {0, 1, 2, 3}, 4};
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r) {
            TraceBuilder& rank = ranks.emplace_back(r);
            rank.world_size(4);
            double now = 0;
            for (int step = 1; step <= 6; ++step) {
                const double gemm = 500 * (step == 4 ? gemm_factor : 1);
                const double transfer = step == 4 ? 900 : 300;
                rank.step(step, now, gemm + transfer + 20)
                    .launch(now + 1, 2)
                    .kernel("gemm", 7, now + 10, gemm)
                    .launch(now + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, now + 10 + gemm, transfer, call)
                    .runtime("cudaDeviceSynchronize", now + 8, gemm + transfer + 5);
                now += gemm + transfer + 20;
            }
        }
        const RunAnalysis analysis(make_run(ranks), {});
        const auto& list = analysis.findings().list;
        QCOMPARE(std::ranges::find(list, FindingCode::slow_link, &Finding::code) != list.end(), told);
        QVERIFY(!long_steps_words(analysis.facts()).empty());
    }

    /// 12 steps of 100; from the ninth on each of the two GEMM kernels takes 45 instead of 30, the norm as long.
    void kernelsThatSlowDown() {
        auto steps = steps_of(12);
        for (std::size_t i = 8; i < 12; ++i)
            steps[i].gemm = 45;
        const RunAnalysis analysis(make_run({rank_of(0, steps)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY(finding != nullptr);
        const std::string expected =
            "From step 18 on a step takes 130 µs instead of 100 µs: computation takes 30 µs longer (as many kernels; "
            "gemm kernels take 1.50× as long, the others 1.00×: slower GPUs, or more work in each). Cost: 30 µs in "
            "each of 4 steps, 10 µs of a 110 µs step on average.";
        QVERIFY2(english(finding->title) == expected, english(finding->title).c_str());
        QVERIFY(!finding->inherent);
        QCOMPARE(finding->first_iteration, std::optional<std::int64_t>(18));
        QCOMPARE(finding->last_iteration, std::optional<std::int64_t>(21));
        QCOMPARE(finding->iterations.size(), std::size_t{4});
        QVERIFY(fact(*finding, FactName::onset_chance_of_noise) < 5e-4);
        QCOMPARE(fact(*finding, FactName::computation_us_longer), 30.0);
        QCOMPARE(fact(*finding, FactName::idle_us_longer), 0.0);
        QCOMPARE(finding->events.front().range, (TimeRange{800'000, 930'000}));
        QVERIFY(!analysis.findings().healthy);
    }

    /// In steps 14 to 17 the host stops for 50 after its work.
    void aHostThatStopsForAWhile() {
        auto steps = steps_of(12);
        for (std::size_t i = 4; i < 8; ++i)
            steps[i].idle = 70;
        const RunAnalysis analysis(make_run({rank_of(0, steps)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY(finding != nullptr);
        QVERIFY2(english(finding->title)
                     .starts_with("In steps 14 to 17 a step takes 150 µs instead of 100 µs: the GPU is idle "
                                  "50 µs longer. Cost: 50 µs in each of 4 steps, 17 µs of a 117 µs step on average"),
                 english(finding->title).c_str());
    }

    /// The program does more: three GEMM kernels instead of two. No fault, and said as that.
    void aProgramThatDoesMore() {
        auto steps = steps_of(12);
        for (std::size_t i = 6; i < 12; ++i)
            steps[i].gemms = 3;
        const RunAnalysis analysis(make_run({rank_of(0, steps)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY(finding != nullptr);
        QVERIFY2(english(finding->title).find("(4 kernels a step instead of 3)") != std::string::npos,
                 english(finding->title).c_str());
        QVERIFY(finding->inherent);
    }

    /// 30 steps, each GEMM kernel 1 longer than in the step before: 100 at first, 158 at last.
    void stepsThatGrowByAndBy() {
        auto steps = steps_of(30);
        for (std::size_t i = 0; i < 30; ++i)
            steps[i].gemm = 30 + static_cast<double>(i);
        const RunAnalysis analysis(make_run({rank_of(0, steps)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY(finding != nullptr);
        QVERIFY2(english(finding->title)
                     .starts_with("Steps become slower, by and by: step 10 takes 100 µs, step 39 158 µs (a "
                                  "line through all of them): computation takes 58 µs longer"),
                 english(finding->title).c_str());
        QVERIFY(finding->inherent);
        QCOMPARE(finding->cost, 29'000.0);
        QVERIFY(!finding->first_iteration);
    }

    void whatIsNoChangeIsNotToldAsOne_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("all alike") << 0;
        QTest::newRow("the first step takes three times as long") << 1;
        QTest::newRow("the first four do") << 2;
        QTest::newRow("each second") << 3;
        QTest::newRow("each third") << 4;
        QTest::newRow("each fifth") << 5;
        QTest::newRow("faster from the middle on") << 6;
        QTest::newRow("one slow step near the end") << 7;
    }
    void whatIsNoChangeIsNotToldAsOne() {
        QFETCH(int, kind);
        auto steps = steps_of(20);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const bool slow = kind == 1   ? i == 0
                              : kind == 2 ? i < 4
                              : kind >= 3 && kind <= 5
                                  ? i % static_cast<std::size_t>(kind - 1 + (kind == 5 ? 1 : 0)) == 1
                              : kind == 6 ? i < 10
                                          : kind == 7 && i == 17;
            steps[i].idle = slow ? 220 : 20;
            steps[i].norm += static_cast<double>(i * 7 % 5) / 5; // some scatter
        }
        const RunAnalysis analysis(make_run({rank_of(0, steps)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY2(finding == nullptr, finding == nullptr ? "" : english(finding->title).c_str());
    }

    /// A slow first step and each fifth being slow do not hide that all are slower from step 24 on.
    void aChangeBesideWarmUpAndSlowStepsNowAndThen() {
        auto steps = steps_of(24);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].gemm = (i >= 14 ? 36 : 30) + static_cast<double>(i * 7 % 5) / 5;
            steps[i].idle = i == 0 ? 500 : i % 5 == 3 ? 120 : 20;
        }
        const RunAnalysis analysis(make_run({rank_of(0, steps)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY(finding != nullptr);
        QCOMPARE(finding->first_iteration, std::optional<std::int64_t>(24));
        QVERIFY2(english(finding->title).find("computation takes 12 µs longer") != std::string::npos,
                 english(finding->title).c_str());
    }

    /// One of two ranks that do different work, so that nothing compares them, and that do not meet.
    void oneRankThatCannotBeCompared() {
        auto steps = steps_of(12);
        auto slow = steps;
        for (std::size_t i = 0; i < 12; ++i)
            slow[i] = {i >= 7 ? 60.0 : 20.0, 4, 0.5, 9.5, "flash_fwd_kernel"};
        const RunAnalysis analysis(make_run({rank_of(0, steps), rank_of(1, slow)}), {});
        const Finding* const finding = slower(analysis);
        QVERIFY(finding != nullptr);
        QCOMPARE(finding->ranks, std::vector<int>{1});
        QVERIFY2(english(finding->title)
                     .ends_with("on rank 1 alone. Cost: 80 µs in each of 5 steps, 33 µs of a 133 µs step on average."),
                 english(finding->title).c_str());
    }

    /// The simulated machine: all GPUs take 1.3 times as long from step 22 on. No rank stands out.
    void allGpusFromAStepOn() {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            machine::Job job = job_of(seed);
            machine::Fault fault;
            fault.kind = machine::FaultKind::slow_gpu;
            fault.factor = 1.3;
            fault.first = 12;
            job.faults = {fault};
            Recorded recorded;
            record(job, recorded);
            if (QTest::currentTestFailed())
                return;
            const RunAnalysis analysis(recorded.run, {});
            const Finding* const finding = slower(analysis);
            QVERIFY(finding != nullptr);
            QCOMPARE(finding->first_iteration, std::optional<std::int64_t>(job.first_number + 12));
            QVERIFY2(std::abs(finding->cost / recorded.truth.faults.front().cost - 1) < 0.1,
                     english(finding->title).c_str());
            QVERIFY2(english(finding->title).find("1.30× as long") != std::string::npos,
                     english(finding->title).c_str());
            QVERIFY(finding->ranks.empty());
        }
    }

    /// What a straggler, or slow data, costs from a step on is told by its own finding, which says since when.
    void whatAFaultExplainsIsNotToldTwice() {
        for (const auto kind : {machine::FaultKind::slow_gpu, machine::FaultKind::late_data}) {
            machine::Job job = job_of(4);
            machine::Fault fault;
            fault.kind = kind;
            fault.factor = 1.4;
            fault.time = 6e6;
            if (kind == machine::FaultKind::slow_gpu)
                fault.ranks = {5};
            fault.first = 9;
            job.faults = {fault};
            Recorded recorded;
            record(job, recorded);
            if (QTest::currentTestFailed())
                return;
            const RunAnalysis analysis(recorded.run, {});
            QVERIFY2(slower(analysis) == nullptr,
                     slower(analysis) == nullptr ? "" : english(slower(analysis)->title).c_str());
            const Finding& first = analysis.findings().list.front();
            QCOMPARE(first.first_iteration, std::optional<std::int64_t>(job.first_number + 9));
            QVERIFY2(english(first.title).find("from step 19 on") != std::string::npos ||
                         english(first.title).find("since step 19") != std::string::npos,
                     english(first.title).c_str());
            QVERIFY(fact(first, FactName::onset_chance_of_noise) < 5e-4);
        }
    }

    void healthyMachinesDoNotBecomeSlower() {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            Recorded recorded;
            record(job_of(seed), recorded);
            if (QTest::currentTestFailed())
                return;
            const RunAnalysis analysis(recorded.run, {});
            QVERIFY2(slower(analysis) == nullptr,
                     slower(analysis) == nullptr ? "" : english(slower(analysis)->title).c_str());
        }
    }
};

RANKSCOPE_TEST(TestSlowerSteps)

} // namespace rankscope::slower_steps_test

#include "test_slower_steps.moc"
