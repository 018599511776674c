// SPDX-License-Identifier: GPL-3.0-or-later
// What of two runs may be held against each other: the same work, the same ranks and steps, and what is judged by the
// step.
#include <algorithm>
#include <memory>
#include <tuple>

#include <QtTest>

#include "core/compare/change_explanation.h"
#include "core/compare/engine_name.h"
#include "core/compare/gate.h"
#include "core/compare/new_work.h"
#include "core/compare/paired_accounts.h"
#include "core/compare/run_comparison.h"
#include "core/compare/side_by_side.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::comparability_test {

namespace {

/// Six kernels of 10 us, of these names.
TraceBuilder& work(TraceBuilder& rank, double at, const std::string& names, double each_us = 10) {
    for (int i = 0; i < 6; ++i)
        rank.launch(at + 12 * i, 1).kernel(names + std::to_string(i), 7, at + 12 * i + 1, each_us);
    return rank;
}

/// Steps of 100 us, one of each number.
TraceBuilder rank_of(int number, const std::string& names, std::vector<int> steps = {1, 2, 3}, double each_us = 10) {
    TraceBuilder rank(number);
    rank.world_size(2);
    for (const int step : steps)
        work(rank.step(step, 100.0 * step, 100), 100.0 * step + 5, names, each_us);
    return rank;
}

/// Steps of so many us; each kernel is launched by an operator with inputs of these sizes. dims: empty: not recorded.
TraceBuilder sized_rank(const std::string& names, const std::string& dims, double step_us) {
    TraceBuilder rank(0);
    rank.world_size(2);
    for (int step = 1; step <= 3; ++step) {
        rank.step(step, step_us * step, step_us);
        for (int i = 0; i < 6; ++i) {
            const double at = step_us * step + 5 + 12 * i;
            rank.cpu_op("aten::mm", at - 1, 3);
            if (!dims.empty())
                rank.inputs(dims, "[]");
            rank.launch(at, 1).kernel(names + std::to_string(i), 7, at + 1, 10);
        }
    }
    return rank;
}

std::shared_ptr<const RunAnalysis> analysed(std::vector<TraceBuilder> ranks, std::string name = "run",
                                            RunConfig config = {}) {
    return std::make_shared<const RunAnalysis>(make_run(ranks, std::move(name), std::move(config)), Selection{});
}

RunComparison compared(const std::shared_ptr<const RunAnalysis>& baseline,
                       const std::shared_ptr<const RunAnalysis>& test) {
    return {baseline, compute_metrics(*baseline), test, compute_metrics(*test)};
}

std::string all_sentences(const ChangeExplanation& change) {
    std::string all;
    for (const Message& sentence : change.sentences)
        all += english(sentence) + '\n';
    return all;
}

bool judged(const RunComparison& comparison) {
    return std::ranges::any_of(
        comparison.metrics(),
        [](const MetricChange& change) {
            return change.status == ChangeStatus::better || change.status == ChangeStatus::worse;
        });
}

MetricReport of_step(double step_ms, std::string_view id, double value) {
    return {
        .entries = {{find_metric("step_time"), MetricResult::of(step_ms)}, {find_metric(id), MetricResult::of(value)}}};
}

} // namespace

class TestComparability : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 300 of 400 us of kernels have a counterpart in the test, where they are all. The test has twice the calls of all
    /// but b, of which it has as many: half of b's 100 us count there.
    void timeInCommonIsThatOfCounterparts() {
        const auto gpu = [](std::vector<std::tuple<std::string, double, double>> kernels) {
            WorkProfile profile;
            for (const auto& [name, count, us] : kernels)
                profile.names[{DiffDevice::gpu, name}] = {count, us};
            return profile;
        };
        const WorkProfile before = gpu({{"a", 1, 100}, {"b", 1, 100}, {"c", 1, 100}, {"d", 1, 50}, {"e", 1, 50}});
        const WorkProfile after = gpu({{"a", 2, 200}, {"b", 1, 100}, {"c", 2, 200}, {"x", 1, 0}, {"y", 1, 0}});
        const Comparability common = compare_work(before, after);
        QCOMPARE(*common.kernel_time_percent, 62.5); // (100 + 50 + 100) / 400
        QVERIFY(!common.operator_time_percent);
        QVERIFY(common.comparable());
        const Comparability other =
            compare_work(before, gpu({{"a", 1, 1}, {"p", 1, 9}, {"q", 1, 9}, {"r", 1, 1}, {"s", 1, 0}}));
        QCOMPARE(english(other.verdict), std::string("not the same work: 5 % of kernel time in common"));
        QVERIFY(compare_work(before, gpu({{"p", 1, 9}})).comparable()); // too few to tell
        QVERIFY(!do_same_work(before, gpu({{"p", 1, 9}})));             // of runs that nobody asked to compare
        QVERIFY(do_same_work(gpu({{"p", 1, 9}}), gpu({{"p", 2, 19}, {"q", 1, 1}})));
        QVERIFY(do_same_work(before, gpu({}))); // an operation timeline names no kernels
        std::vector<std::tuple<std::string, double, double>> many;
        for (int i = 0; i < 10; ++i)
            many.emplace_back("kernel" + std::to_string(i), 1, 10);
        QCOMPARE(english(compare_work(gpu(many), gpu({{"p", 1, 9}})).verdict),
                 std::string("not the same work: no kernel in common"));
        QVERIFY(compare_work(gpu(many), gpu({{"kernel3", 1, 9}})).comparable());
        // But where no operator is the same either, no name of a kernel being the same tells enough.
        const auto with_operators = [](WorkProfile profile, const std::string& names) {
            for (int i = 0; i < 20; ++i)
                profile.names[{DiffDevice::cpu, names + std::to_string(i)}] = {1, 10};
            return profile;
        };
        QCOMPARE(
            english(compare_work(with_operators(before, "aten::"), with_operators(gpu({{"p", 1, 9}}), "jit_")).verdict),
            std::string("not the same work: no kernel and no operator in common"));
        QVERIFY(
            compare_work(with_operators(before, "aten::"), with_operators(gpu({{"a", 1, 9}}), "jit_")).comparable());
        QVERIFY(
            compare_work(with_operators(before, "aten::"), with_operators(gpu({{"p", 1, 9}}), "aten::")).comparable());
    }

    void otherWorkIsNeitherBetterNorWorse() {
        const auto baseline = analysed({rank_of(0, "conv"), rank_of(1, "conv")}, "a", {{"env.NCCL_ALGO", "Ring"}});
        const auto test = analysed({rank_of(0, "attention", {1, 2, 3}, 4), rank_of(1, "attention", {1, 2, 3}, 4)}, "b",
                                   {{"env.NCCL_ALGO", "Tree"}});
        const RunComparison comparison = compared(baseline, test);
        QVERIFY(!comparison.comparability().comparable());
        QVERIFY(!judged(comparison));
        const ChangeExplanation& change = comparison.explanation();
        QCOMPARE(english(change.sentences.front()), std::string("Not the same work: 0 % of kernel time in common."));
        for (const ChangePart& part : change.parts)
            QVERIFY(part.cause.empty());
        QVERIFY(change.slow_rank.empty());
        for (const MetricChange& metric : comparison.metrics())
            QVERIFY(!metric.comparable);
        const Gate gate = *parse_gate("step_time<+900%");
        const GateResult result = not_comparable(gate, comparison.comparability().verdict);
        QVERIFY(!result.passed && !result.value);
        QCOMPARE(result.reason, std::string("not the same work: 0 % of kernel time in common"));
    }

    /// Rank 1 takes half of the time. Beside itself without that rank's file a run is as it was.
    void onlyRanksThatBothHaveAreCompared() {
        const auto whole = analysed({rank_of(0, "gemm"), rank_of(1, "gemm", {1, 2, 3}, 5)});
        const auto part = analysed({rank_of(0, "gemm")});
        for (const auto& [baseline, test] : {std::pair(whole, part), std::pair(part, whole)}) {
            const RunComparison comparison = compared(baseline, test);
            QCOMPARE(comparison.part().baseline->run().ranks.size(), std::size_t{1});
            QCOMPARE(comparison.explanation().difference_us(), 0.0);
            QVERIFY(!judged(comparison));
            for (const ChangePart& each : comparison.explanation().parts)
                QCOMPARE(each.difference_us(), 0.0);
        }
        const std::string said = all_sentences(explain_change(*whole, *part));
        QVERIFY2(said.find("The test has no trace of rank 1: what both runs have is compared, 1 rank.") !=
                     std::string::npos,
                 said.c_str());
    }

    /// Step 3 takes 70 us of kernels, not 60.
    void onlyStepsThatBothHaveAreCompared() {
        const auto recorded = [](bool third) {
            TraceBuilder rank = rank_of(0, "gemm", {1, 2});
            if (third)
                work(rank.step(3, 300, 150), 305, "gemm", 11.5);
            return analysed({rank});
        };
        const RunComparison comparison = compared(recorded(true), recorded(false));
        QCOMPARE(comparison.explanation().difference_us(), 0.0);
        for (const MetricChange& change : comparison.metrics())
            QCOMPARE(change.difference, 0.0);
        const std::string said = all_sentences(comparison.explanation());
        QVERIFY2(said.find("The test has no step 3: what both runs have is compared, 2 steps.") != std::string::npos,
                 said.c_str());
    }

    /// Steps 1 to 3 and 11 to 12 have nothing in common but the job: all count, and sums are of one iteration.
    void sumsAreOfOneIteration() {
        const RunComparison comparison =
            compared(analysed({rank_of(0, "gemm")}), analysed({rank_of(0, "gemm", {11, 12})}));
        const auto kernels = std::ranges::find(comparison.metrics(), "kernel_breakdown",
                                               [](const MetricChange& change) { return change.metric->id; });
        QVERIFY(kernels != comparison.metrics().end() && kernels->per_iteration);
        QCOMPARE(kernels->baseline, 0.06);
        QCOMPARE(kernels->test, 0.06);
        QCOMPARE(kernels->status, ChangeStatus::similar);
    }

    void theStepTellsWhatIsBetter_data() {
        QTest::addColumn<double>("step"); ///< of 20 ms
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("value"); ///< of 100
        QTest::addColumn<QString>("status");
        const auto row = [](const char* name, double step, const char* metric, double value, const char* status) {
            QTest::newRow(name) << step << QString::fromLatin1(metric) << value << QString::fromLatin1(status);
        };
        row("more GPU work, the same step", 20, "kernel_breakdown", 118, "changed");
        row("more GPU work, a longer step", 22, "kernel_breakdown", 118, "worse");
        row("less bandwidth, the same step", 20, "comm_bandwidth", 85, "changed");
        row("less bandwidth, a longer step", 22, "comm_bandwidth", 85, "worse");
        row("more bandwidth, a longer step", 22, "comm_bandwidth", 115, "changed");
        row("more overlap, a shorter step", 18, "comm_comp_overlap", 115, "better");
        row("memory stands for itself", 20, "memory", 80, "better");
        row("so does a served token", 20, "tpot", 120, "worse");
        row("marks of the host do not", 20, "iter_time", 120, "changed");
    }
    void theStepTellsWhatIsBetter() {
        QFETCH(double, step);
        QFETCH(QString, metric);
        QFETCH(double, value);
        QFETCH(QString, status);
        const std::string id = metric.toStdString();
        const auto changes = compare_metrics(of_step(20, id, 100), of_step(step, id, value));
        QCOMPARE(QString::fromUtf8(change_status_word(changes.back().status).data()), status);
    }

    /// Differences of 1, 2 and 3 ms: a deviation of 1 ms, a standard error of 0.577 ms, 4.303 of them to each side.
    void stepsArePairedByNumber() {
        const StepValues before{{4, {10}}, {5, {20}}, {6, {30}}, {7, {99}}};
        const StepValues after{{4, {11}}, {5, {22}}, {6, {32, 34}}, {9, {1}}};
        const auto interval = paired_interval(before, after);
        QVERIFY(interval && std::abs(*interval - 2.4843) < 0.001);
        QVERIFY(!paired_interval({{4, {10}}}, after)); // one pair tells nothing
    }

    /// Steps 5 and 6 differ by 50 and 52 us, the others by 0, 2, 0 and 2: residuals of 1 each, four degrees of freedom,
    /// a deviation of sqrt(6 / 4); 2.776 standard errors of six values to each side.
    void stepsThatStandApartDoNotScatter() {
        const StepValues before{{1, {10}}, {2, {10}}, {3, {10}}, {4, {10}}, {5, {10}}, {6, {10}}};
        const StepValues after{{1, {10}}, {2, {12}}, {3, {10}}, {4, {12}}, {5, {60}}, {6, {62}}};
        const std::vector<std::int64_t> apart{5, 6};
        const auto interval = paired_interval(before, after, apart);
        QVERIFY(interval && std::abs(*interval - 1.3882) < 0.001);
        QVERIFY(*paired_interval(before, after) > 20);
        QVERIFY(!paired_interval({{1, {1}}, {2, {1}}}, {{1, {1}}, {2, {9}}}, std::vector<std::int64_t>{2}));
    }

    /// In a step 6 kernels of 10 us and a call of 2 us on each of two ranks. Before the first step and after the last
    /// one run 30 us more, launched outside of them.
    void workOutsideOfTheStepsIsOfNoIteration() {
        const auto recorded = [](std::vector<int> steps) {
            std::vector<TraceBuilder> ranks;
            for (const int number : {0, 1}) {
                TraceBuilder rank = rank_of(number, "gemm", steps);
                for (const int step : steps)
                    rank.launch(100.0 * step + 80, 1).kernel("ncclDevKernel_AllReduce", 7, 100.0 * step + 81, 2);
                for (const double at : {10.0, 100.0 * steps.back() + 110})
                    rank.launch(at, 1).kernel("ncclDevKernel_AllReduce", 7, at + 1, 30);
                ranks.push_back(std::move(rank));
            }
            return analysed(std::move(ranks));
        };
        const auto whole = recorded({1, 2, 3});
        const MetricReport report = compute_metrics(*whole);
        QCOMPARE(*report.find("kernel_breakdown")->per_iteration, 0.062);
        QCOMPARE(report.find("kernel_breakdown")->value, 0.246);
        QCOMPARE(*report.find("coll_call_num")->per_iteration, 2.0); // of the whole job
        QCOMPARE(report.find("coll_call_num")->value, 10.0);
        QCOMPARE(report.find("coll_call_num")->details["calls_per_iteration"].get<double>(), 1.0);
        // A run that lacks a step is cut by the rule by which the other one is.
        for (const auto& [baseline, test] : {std::pair(whole, recorded({1, 2})), std::pair(recorded({1, 2}), whole)}) {
            const RunComparison comparison = compared(baseline, test);
            for (const MetricChange& change : comparison.metrics())
                QVERIFY2(change.difference == 0, change.metric->id.c_str());
        }
        const MetricReport shorter = compute_metrics(*recorded({1, 2}));
        const GateResult gate = *check_gate(*parse_gate("coll_call_num<+3%"), report, &shorter);
        QVERIFY(gate.passed && *gate.value == 0);
    }

    void aNewKernelIsCalledNew() {
        const auto recorded = [](bool with) {
            TraceBuilder rank = rank_of(0, "gemm");
            if (with)
                for (const int step : {1, 2, 3})
                    rank.cpu_op("aten::index_add_", 100.0 * step + 79, 3)
                        .launch(100.0 * step + 80, 1)
                        .kernel("indexFunc", 7, 100.0 * step + 82, 8);
            return analysed({rank});
        };
        const std::string added = all_sentences(explain_change(*recorded(false), *recorded(true)));
        QVERIFY2(added.find("aten::index_add_ is new: +0.008 ms on all ranks") != std::string::npos, added.c_str());
        const std::string removed = all_sentences(explain_change(*recorded(true), *recorded(false)));
        QVERIFY2(removed.find("aten::index_add_ is gone: -0.008 ms on all ranks") != std::string::npos,
                 removed.c_str());
    }

    /// Rank 1 computes 60 us a step with kernels of its own instead of the 48 us of the others: it is 12 us slower, and
    /// no kernel is new for 60. With all of 60 us more, they are: on rank 1, not on the mean rank.
    void newKernelsInThePlaceOfOthersAreNotNew() {
        const auto recorded = [](const std::string& names, double each_us, bool more) {
            TraceBuilder second(1);
            second.world_size(2);
            for (const int step : {1, 2, 3}) {
                work(second.step(step, 200.0 * step, 200), 200.0 * step + 5, names, each_us);
                if (more)
                    work(second, 200.0 * step + 90, "other", 10);
            }
            TraceBuilder first(0);
            first.world_size(2);
            for (const int step : {1, 2, 3})
                work(first.step(step, 200.0 * step, 200), 200.0 * step + 5, "gemm", 8);
            return analysed({first, second});
        };
        const std::string replaced =
            all_sentences(explain_change(*recorded("gemm", 8, false), *recorded("wide", 10, false)));
        QVERIFY2(replaced.find("new") == std::string::npos, replaced.c_str());
        const std::string added =
            all_sentences(explain_change(*recorded("gemm", 8, false), *recorded("gemm", 8, true)));
        QVERIFY2(added.find("other0 and 5 more kernels are new: +0.060 ms on rank 1") != std::string::npos,
                 added.c_str());
    }

    /// An operator that is new has its own time, and not that of all that is new.
    void aNewOperatorHasItsOwnTime() {
        const auto recorded = [](bool with) {
            TraceBuilder rank = rank_of(0, "gemm", {1, 2, 3}, 3);
            if (with)
                for (const int step : {1, 2, 3})
                    rank.cpu_op("aten::mm", 100.0 * step + 77, 2)
                        .launch(100.0 * step + 78, 1)
                        .kernel("mm", 7, 100.0 * step + 80, 10)
                        .cpu_op("aten::gelu", 100.0 * step + 88, 2)
                        .launch(100.0 * step + 89, 1)
                        .kernel("gelu", 7, 100.0 * step + 91, 6);
            return analysed({rank});
        };
        const std::string said = all_sentences(explain_change(*recorded(false), *recorded(true)));
        QVERIFY2(said.find("aten::mm is new: +0.010 ms on all ranks") != std::string::npos, said.c_str());
    }

    /// All-reduces of one run and messages of the other have no speed in common.
    void otherKindsOfCallsAreNamed() {
        const auto recorded = [](const std::string& kernel, const std::string& collective) {
            TraceBuilder rank = rank_of(0, "gemm", {1, 2, 3}, 3);
            CollectiveCall call;
            call.collective = collective;
            call.in_elements = call.out_elements = 1024;
            call.group = {"0", "default_pg", {0}, 0};
            for (const int step : {1, 2, 3})
                rank.launch(100.0 * step + 80, 1)
                    .collective(kernel, 20, 100.0 * step + 82, collective == "allreduce" ? 15 : 5, call);
            return analysed({rank});
        };
        const std::string said =
            all_sentences(explain_change(*recorded("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "allreduce"),
                                         *recorded("ncclDevKernel_AllGather_RING_LL", "_allgather_base")));
        QVERIFY2(said.find("in the baseline only, ") != std::string::npos && said.find("GB/s") == std::string::npos &&
                     said.find("none") == std::string::npos,
                 said.c_str());
    }

    /// Of the same kernels, one run's are named by their arguments.
    void namesOfOperatorsAndOfKernelsAreNoOtherKinds() {
        const auto recorded = [](bool arguments, double length) {
            TraceBuilder rank = rank_of(0, "gemm", {1, 2, 3}, 3);
            CollectiveCall call;
            call.collective = "allreduce";
            call.in_elements = call.out_elements = 1024;
            call.group = {"0", "default_pg", {0}, 0};
            for (const int step : {1, 2, 3}) {
                rank.launch(100.0 * step + 80, 1);
                if (arguments)
                    rank.collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 100.0 * step + 82, length, call);
                else
                    rank.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 100.0 * step + 82, length);
            }
            return analysed({rank});
        };
        const std::string said = all_sentences(explain_change(*recorded(true, 5), *recorded(false, 15)));
        QVERIFY2(said.find("communication") != std::string::npos && said.find("only") == std::string::npos,
                 said.c_str());
    }

    /// The recorder lost what was launched in step 2 of the test: it is no faster for that.
    void stepsWithoutTheirWorkAreNotCompared() {
        const auto recorded = [](int lost) {
            TraceBuilder rank(0);
            for (const int step : {1, 2, 3, 4}) {
                rank.step(step, 100.0 * step, 100);
                for (int i = 0; i < 6; ++i)
                    if (step == lost)
                        rank.runtime("cudaLaunchKernel", 100.0 * step + 5 + 12 * i, 1).correlation(9000 + i);
                    else
                        rank.launch(100.0 * step + 5 + 12 * i, 1).kernel("gemm", 7, 100.0 * step + 6 + 12 * i, 10);
            }
            return analysed({rank});
        };
        const std::string said = all_sentences(explain_change(*recorded(0), *recorded(2)));
        QVERIFY2(said.find("An iteration takes as long as before") != std::string::npos &&
                     said.find("GPU work launched in step 2 of the test is not recorded: it is not compared.") !=
                         std::string::npos &&
                     said.find("kernels") == std::string::npos,
                 said.c_str());
    }

    void copiesAreCounted() {
        const auto recorded = [](int copies) {
            TraceBuilder rank = rank_of(0, "gemm", {1}, 5);
            for (int i = 0; i < copies; ++i)
                rank.launch(180 + 2 * i, 1).memory_copy("Memcpy DtoD (Device -> Device)", 7, 181 + 2 * i, 2);
            return analysed({rank});
        };
        const std::string said = all_sentences(explain_change(*recorded(1), *recorded(9)));
        QVERIFY2(said.find("Memcpy DtoD (Device -> Device): 1 -> 9 an iteration") != std::string::npos, said.c_str());
    }

    void theSameValuesOnOtherRanksAreCalledThat() {
        const auto fast = [](int rank) { return rank_of(rank, "gemm", {1, 2, 3}, 3); };
        const auto slow = [](int rank) { return rank_of(rank, "gemm", {1, 2, 3}, 10); };
        const auto before = analysed({fast(0), slow(1)});
        const auto after = analysed({slow(0), fast(1)});
        QCOMPARE(renumbered_ranks(before->steps(), after->steps()), (std::vector<std::pair<int, int>>{{0, 1}, {1, 0}}));
        QVERIFY(renumbered_ranks(before->steps(), before->steps()).empty());
        const std::string said = all_sentences(explain_change(*before, *after));
        QVERIFY2(said.find("The same values are on other ranks: 0 -> 1, 1 -> 0.") != std::string::npos, said.c_str());
        QVERIFY2(said.find("straggler") == std::string::npos, said.c_str());
        // Ranks that differ by half a percent of a step are told apart where each has a like one.
        const auto close = [](int rank, double us) { return rank_of(rank, "gemm", {1, 2, 3}, us); };
        QVERIFY(!renumbered_ranks(analysed({close(0, 8), close(1, 8.1)})->steps(),
                                  analysed({close(0, 8.1), close(1, 8)})->steps())
                     .empty());
    }

    /// A name that only one side has makes no call new.
    void aDimensionOfOneSideIsNoNewCommunication() {
        const auto d = static_cast<std::size_t>(ParallelDimension::dp);
        const auto unknown = static_cast<std::size_t>(ParallelDimension::unknown);
        const CallKind kind{"allreduce", "Float", 1024};
        StepAccount named;
        named.calls[d][kind].calls = 3;
        named.mean.transfer[d] = 70;
        StepAccount unnamed;
        unnamed.calls[unknown][kind].calls = 3;
        unnamed.mean.transfer[unknown] = 70;
        const auto unpaired = unpaired_dimensions(unnamed, named);
        QVERIFY(unpaired[d]);
        const StepAccount same = without_dimensions(named, unpaired);
        QCOMPARE(same.mean.transfer[unknown], 70.0);
        QCOMPARE(same.mean.transfer[d], 0.0);
        QCOMPARE(same.calls[unknown].at(kind).calls, 3.0);
        QVERIFY(same.calls[d].empty());
        QVERIFY(!unpaired_dimensions(StepAccount(), named)[d]); // calls that are new
    }

    void namesAreCutWhereTheyDiffer() {
        const std::string start(80, 'x');
        QCOMPARE(name_apart(start + "float>", start + "half>"), "…" + std::string(16, 'x') + "float>");
        QCOMPARE(name_apart("gemm", "conv"), std::string("gemm"));
    }

    void aFolderThatNamesSettingsStandsFirst() {
        const auto named = [](const std::string& folder, double each_us) {
            return analysed({rank_of(0, "gemm", {1, 2, 3}, each_us)}, folder, {{"run.folder", folder}});
        };
        const auto setup = english(explain_change(*named("56cu_256threads", 5), *named("37cu_384threads", 10)).setup);
        QCOMPARE(setup, std::vector<std::string>{"folder 56cu_256threads -> 37cu_384threads"});
        QVERIFY(explain_change(*named("run_1", 5), *named("run_2", 10)).setup.empty());
    }

    /// 100, 90 and 110 us a step.
    void manyRunsStandInOneTable() {
        std::vector<AnalysedRun> runs;
        for (const double step : {100.0, 90.0, 110.0}) {
            TraceBuilder rank(0);
            for (int n = 1; n < 4; ++n)
                work(rank.step(n, step * n, step), step * n + 5, "gemm");
            const auto analysis = analysed({rank}, std::to_string(step));
            runs.push_back({"", "", analysis, compute_metrics(*analysis), {}});
        }
        relate_runs(runs);
        const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
        QVERIFY(rows[1].best && !rows[0].best && !rows[2].best);
        QVERIFY(!rows[0].against_first && !rows[1].against_best);
        QCOMPARE(rows[1].against_first->status, ChangeStatus::better);
        QCOMPARE(rows[2].against_first->status, ChangeStatus::worse);
        QVERIFY(std::abs(*rows[2].against_best->percent_change - 22.222) < 0.01);
        QCOMPARE(english(step_change_words(rows[2].against_first)), std::string("+10.0 % worse"));
        QCOMPARE(english(note_of(rows[1])), std::string("the best"));
        QVERIFY(note_of(rows[2]).empty());
    }

    /// The shortest step is no best one if it does other work, or has larger inputs than the first.
    void onlyARunOfTheSameWorkIsTheBest() {
        std::vector<AnalysedRun> runs;
        for (const auto& [name, dims, step_us] :
             {std::tuple("gemm", "[[8, 4]]", 110.0), std::tuple("gemm", "[[8, 4]]", 100.0),
              std::tuple("gemm", "[[2, 4]]", 90.0), std::tuple("conv", "[[8, 4]]", 80.0)}) {
            const auto analysis = analysed({sized_rank(name, dims, step_us)}, name);
            runs.push_back({"", "", analysis, compute_metrics(*analysis), {}});
        }
        relate_runs(runs);
        const std::vector<RunBesideOthers> rows = runs_side_by_side(runs);
        QVERIFY(rows[1].best);
        QCOMPARE(english(note_of(rows[2])), std::string("inputs of other sizes (aten::mm [8, 4] -> [2, 4])"));
        QCOMPARE(rows[2].against_first->status, ChangeStatus::changed);
        QCOMPARE(english(note_of(rows[3])), std::string("not the same work: 0 % of kernel time in common"));
        QCOMPARE(english(step_change_words(rows[3].against_first)), std::string("-"));
    }

    /// A step with another batch takes another time: it is no worse for it. Jobs that are split in another way have
    /// inputs of other sizes, and compute the same.
    void inputsOfOtherSizesMakeNoStepWorse() {
        const auto recorded = [](const std::string& dims, double step_us, int world = 2) {
            return analysed({sized_rank("gemm", dims, step_us).world_size(world)});
        };
        const RunComparison larger = compared(recorded("[[8, 4], [4, 2]]", 100), recorded("[[16, 4], [4, 2]]", 200));
        QVERIFY(!judged(larger));
        QCOMPARE(english(larger.explanation().setup),
                 std::vector<std::string>{"inputs of other sizes (aten::mm [8, 4] -> [16, 4])"});
        QVERIFY(judged(compared(recorded("[[8, 4], [4, 2]]", 100), recorded("[[8, 4], [4, 2]]", 200))));
        // More calls of other sizes change the mean size, and no size.
        const auto with_more = [](int more) {
            TraceBuilder rank = sized_rank("gemm", "[[8, 4]]", 200);
            for (int step = 1; step <= 3; ++step)
                for (int i = 0; i < more; ++i)
                    rank.cpu_op("aten::mm", 200.0 * step + 90 + 12 * i, 3)
                        .inputs("[[64, 64]]", "[]")
                        .launch(200.0 * step + 91 + 12 * i, 1)
                        .kernel("gemm0", 7, 200.0 * step + 92 + 12 * i, 10);
            return analysed({rank});
        };
        QVERIFY(compared(with_more(0), with_more(6)).comparability().inputs.differ.empty());
        const RunComparison unknown = compared(recorded("[[8, 4], [4, 2]]", 100), recorded("", 200));
        QVERIFY(judged(unknown));
        QVERIFY(unknown.comparability().inputs.of_baseline && !unknown.comparability().inputs.of_test);
        QVERIFY(
            compared(recorded("[[8, 4]]", 100), recorded("[[4, 4]]", 100, 4)).comparability().inputs.differ.empty());
    }

    void theEngineIsNamed() {
        const auto with = [](const std::string& name, RunConfig config = {}) {
            TraceBuilder rank = rank_of(0, "gemm");
            rank.cpu_op(name, 1, 2);
            return engine_name(analysed({rank}, "run", std::move(config))->run());
        };
        QCOMPARE(with("vllm::unified_attention"), std::string("vLLM"));
        QCOMPARE(with("sglang::store_cache", {{"trace.sglang_version", "0.4.6"}}), std::string("SGLang 0.4.6"));
        QCOMPARE(with("aten::mm", {{"trace.pytorch_version", "2.7.1"}}), std::string("PyTorch 2.7.1"));
        QCOMPARE(with("aten::mm", {{"Model-executor.framework.name", "tensorrt_llm"}}), std::string("tensorrt_llm"));
        QCOMPARE(with("something"), std::string("PyTorch")); // its profiler's steps
    }

    /// Steps with names take 100 us; without names one repetition is found, or nothing: neither is the other.
    void stepsOfAnotherKindAreNotJudged() {
        TraceBuilder repeating(0);
        repeating.world_size(2);
        for (int n = 0; n < 8; ++n)
            work(repeating, 200.0 * n, "gemm", 20);
        const RunComparison comparison = compared(analysed({rank_of(0, "gemm")}), analysed({repeating}));
        QVERIFY(comparison.comparability().comparable());
        QVERIFY(!comparison.comparability().other_iterations.empty());
        QVERIFY(!judged(comparison));
        const std::vector<std::string> said = english(comparison.explanation().sentences);
        QVERIFY(said.size() >= 3 && said[0].starts_with("An iteration of one run is not one of the other"));
        QVERIFY(said[1].starts_with("Baseline: 3 steps, 0.1"));
    }

    /// 10 and 12 against 20 and 22 ms: errors of 1 and 1 ms², two degrees of freedom, 4.303 · sqrt(2).
    void stepsWithoutPairsHaveAnIntervalAsWell() {
        const auto interval = interval_of_steps({{1, {10}}, {2, {12}}}, {{7, {20}}, {8, {22}}});
        QVERIFY(interval && std::abs(*interval - 6.085) < 0.001);
        QVERIFY(!interval_of_steps({{1, {10}}}, {{7, {20}}, {8, {22}}}));
    }

    void aChangeWithoutAnIntervalSaysWhy() {
        const auto sized = [](double step_us) { return analysed({sized_rank("gemm", "[[8, 4]]", step_us)}); };
        const RunComparison several = compared(sized(100), sized(200));
        const RunComparison one = compared(analysed({rank_of(0, "gemm", {1})}), analysed({rank_of(0, "gemm", {1}, 5)}));
        const auto change = [](const RunComparison& comparison, std::string_view id) {
            return *std::ranges::find(comparison.metrics(), id, [](const MetricChange& c) { return c.metric->id; });
        };
        for (const MetricChange& each : several.metrics())
            QVERIFY(each.interval.has_value() == each.no_interval.empty());
        QVERIFY(*change(several, "kernel_breakdown").interval < 1e-9); // of every step as much
        QCOMPARE(english(change(several, "operators").no_interval), std::string("one value a run"));
        QCOMPARE(english(change(one, "step_time").no_interval), std::string("one step a run"));
        QCOMPARE(english(change_title(change(several, "kernel_breakdown"))),
                 std::string("Summed GPU work per iteration"));
        QCOMPARE(english(change_title(change(several, "iter_time"))), std::string("Iteration time on the host"));
    }

    void aGateSaysThatAChangeMayBeNoise_data() {
        QTest::addColumn<QString>("gate");
        QTest::addColumn<double>("test"); ///< of 100 ms, with an interval of ± 5 ms
        QTest::addColumn<bool>("passed");
        QTest::newRow("within the interval") << QStringLiteral("step_time<+3%") << 104.0 << false;
        QTest::newRow("beyond it") << QStringLiteral("step_time<+3%") << 106.0 << false;
        QTest::newRow("beyond it, within the limit") << QStringLiteral("step_time<+10%") << 106.0 << true;
        QTest::newRow("an improvement that is asked for") << QStringLiteral("step_time<-3%") << 96.0 << true;
        QTest::newRow("and is there") << QStringLiteral("step_time<-3%") << 94.0 << true;
        QTest::newRow("a number of the details has no interval")
            << QStringLiteral("step_time.avg_ms<+3%") << 104.0 << false;
    }
    void aGateSaysThatAChangeMayBeNoise() {
        QFETCH(QString, gate);
        QFETCH(double, test);
        QFETCH(bool, passed);
        const auto report = [](double step_ms) {
            MetricReport of;
            of.entries.push_back({find_metric("step_time"), MetricResult::of(step_ms, {{"avg_ms", step_ms}})});
            return of;
        };
        const MetricReport before = report(100);
        const MetricReport after = report(test);
        ComparisonRules rules;
        rules.interval = [](const Metric&) { return 5.0; };
        const MetricChange change = compare_metrics(before, after, rules).front();
        const GateResult result = as_compared(*check_gate(*parse_gate(gate.toStdString()), after, &before), change);
        QCOMPARE(result.passed, passed);
        QVERIFY(std::abs(*result.value - (test - 100)) < 1e-9);
        QCOMPARE(result.within_interval, change.status == ChangeStatus::similar && result.gate.field.empty());
        QCOMPARE(gate_words(result).find("it may be noise") != std::string::npos, result.within_interval);
    }

    /// Of two runs the table has what is compared; of one that is compared per iteration, the same of the first.
    void theMatrixIsOfOneIteration() {
        const auto first = compute_metrics(*analysed({rank_of(0, "gemm")}));
        const auto second = compute_metrics(*analysed({rank_of(0, "gemm", {11, 12})}));
        for (const auto& reports : {std::vector{&first, &second}, std::vector{&first, &second, &second}}) {
            const auto rows = metric_matrix(reports);
            const auto row =
                std::ranges::find(rows, "kernel_breakdown", [](const MetricRow& each) { return each.metric->id; });
            QCOMPARE(english(row->title), std::string("Summed GPU work per iteration"));
            for (const auto& value : row->values)
                QCOMPARE(*value, 0.06);
        }
    }
};

RANKSCOPE_TEST(TestComparability)

} // namespace rankscope::comparability_test

#include "test_comparability.moc"
