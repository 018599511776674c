// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own metrics: what they may say, what they give, and where a broken file is broken.
#include <cmath>
#include <memory>

#include <QtTest>

#include <fmt/format.h>

#include "core/compare/metric_comparison.h"
#include "core/metrics/user_metrics.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::user_metrics_test {

namespace {

/// Rank 0: two gemms that overlap by 5 us, a softmax, an all-reduce of 1024 floats in mesh_dp, a copy of 4096 bytes;
/// the first gemm is launched in step 1, the second in step 2.
std::shared_ptr<const Run> sample_run() {
    CollectiveCall call;
    call.collective = "allreduce";
    call.dtype = "Float";
    call.in_elements = 1024;
    call.out_elements = 1024;
    call.group = {"3", "mesh_dp", {0, 1}, 2};
    TraceBuilder rank(0);
    rank.step(1, 0, 50).step(2, 50, 50).cpu_op("aten::mm", 1, 4);
    rank.launch(2, 1).kernel("gemm_a", 7, 10, 20).launch(60, 1).kernel("gemm_b", 8, 25, 10);
    rank.kernel("softmax", 7, 40, 5)
        .collective("ncclDevKernel_AllReduce", 20, 45, 30, call)
        .memory_copy("Memcpy HtoD", 9, 80, 2, 4096);
    rank.process_group({"5", "mesh_tp", {0, 1}, 2});
    return make_run({rank, TraceBuilder(1).kernel("gemm_a", 7, 10, 7)});
}

std::string text_of(const std::string& expression, const std::string& values) {
    return "metrics:\n  - id: mine\n    better: lower\n    expression: \"" + expression + "\"\n    values: {" + values +
           "}\n";
}

/// Of a run, by one metric. own: metrics of other files.
MetricResult result_of(const std::shared_ptr<const Run>& run, const std::string& expression, const std::string& values,
                       const Selection& selection = {}, const MetricList& own = {}) {
    const auto metrics = parse_user_metrics(text_of(expression, values), "mine.yaml", own);
    if (!metrics)
        qFatal("%s", english(metrics.error().message).c_str());
    return metrics->back()->compute(RunAnalysis(run, selection, Align::automatic, {{}, {}, *metrics}));
}

CollectiveCall sized(std::int64_t elements) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.dtype = "Float";
    call.in_elements = elements;
    call.out_elements = elements;
    call.group = {"3", "mesh_dp", {0, 1}, 2};
    return call;
}

/// So many steps of 100 us from 1 on, in each a gemm of the given time, an all-reduce of 1024 floats and an operator;
/// before the first step a copy of 7 us.
TraceBuilder steps_of(int rank, int steps, double gemm_us) {
    TraceBuilder trace(rank);
    trace.launch(1, 1).memory_copy("Memcpy HtoD", 9, 2, 7, 64);
    for (int i = 0; i < steps; ++i) {
        const double start = 100 * (i + 1);
        trace.step(i + 1, start, 100).cpu_op("aten::mm", start + 1, 10);
        trace.launch(start + 2, 1).kernel("gemm", 7, start + 10, gemm_us);
        trace.launch(start + 12, 1).collective("ncclDevKernel_AllReduce", 20, start + 60, 20, sized(1024));
    }
    return trace;
}

std::shared_ptr<const Run> run_of_steps(int steps, double gemm_us) {
    return make_run({steps_of(0, steps, gemm_us), steps_of(1, steps, gemm_us)});
}

QString words_of(const Message& message) { return QString::fromStdString(english(message)); }

double value_of(const std::string& expression, const std::string& values) {
    const std::string text = "metrics:\n  - id: mine\n    expression: \"" + expression + "\"\n    values:\n" + values;
    const auto metrics = parse_user_metrics(text, "mine.yaml");
    if (!metrics)
        qFatal("%s", english(metrics.error().message).c_str());
    const MetricResult result = metrics->front()->compute(RunAnalysis(sample_run(), {}));
    if (!result.available)
        qFatal("%s", english(result.reason).c_str());
    return result.value;
}

} // namespace

class TestUserMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void setsOfEventsAreCountedSummedAndMerged_data() {
        QTest::addColumn<QString>("values");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* values, double expected) {
            QTest::newRow(values) << QString::fromLatin1(values) << expected;
        };
        row("count: {name: '^gemm'}", 3);
        row("sum: {name: '^gemm'}", 37);    // 20 + 10 + 7
        row("merged: {name: '^gemm'}", 32); // 10..35 on rank 0, 7 on rank 1
        row("merged: {name: '^gemm', rank: 0}", 25);
        row("sum: {class: compute}", 42); // the gemms and the softmax
        row("count: {class: [communication, memcpy]}", 2);
        row("bytes: {class: communication}", 4096); // 1024 floats
        row("bytes: {class: memcpy}", 4096);
        row("sum: {group: mesh_dp}", 30);
        row("count: {group: mesh_tp}", 0);     // a group of the run, without a call here
        row("sum: {name: gemm, step: 2}", 10); // by its launch, not by its start
        row("sum: {name: gemm, step: 1-2, rank: '0,1-7'}", 30);
        row("count: {kind: cpu_op}", 1);
        row("count: {kind: annotation, name: 'ProfilerStep'}", 2);
        row("count:", 6); // all GPU work
    }
    void setsOfEventsAreCountedSummedAndMerged() {
        QFETCH(QString, values);
        QFETCH(double, expected);
        QCOMPARE(value_of("x", "      x: {" + values.toStdString() + "}\n"), expected);
    }

    void iterationsSelectEventsOfTheCpuToo() {
        // aten::mm starts in step 1, its launches at 2 and 60 us; the steps last 50 us each.
        const auto count = [](const char* values, std::pair<std::int64_t, std::int64_t> iterations) {
            const auto metrics = parse_user_metrics(
                "metrics:\n  - id: mine\n    expression: x\n    values:\n      x: {" + std::string(values) + "}\n",
                "mine.yaml");
            Selection selection;
            selection.iterations = {iterations};
            return metrics->front()->compute(RunAnalysis(sample_run(), selection)).value;
        };
        QCOMPARE(count("count: {kind: cpu_op}", {1, 1}), 1.0);
        QCOMPARE(count("count: {kind: cpu_op}", {2, 2}), 0.0);
        QCOMPARE(count("count: {kind: runtime}", {2, 2}), 1.0);
        QCOMPARE(count("sum: {kind: annotation}", {2, 2}), 50.0);
    }

    void expressionsCombineSetsAndOtherMetrics() {
        QCOMPARE(value_of("100 * g / (g + s)", "      g: {sum: {name: gemm}}\n      s: {sum: {name: softmax}}\n"),
                 100.0 * 37 / 42);
        // One iteration takes 0.05 ms on the mean; two ranks are traced.
        QCOMPARE(value_of("iter_time * 1000 + iter_time.num_iterations + ranks", "      unused: {count: }\n"),
                 50.0 + 2 + 2);
        QCOMPARE(value_of("x > 2 ? 1 : 0", "      x: {count: {name: gemm}}\n"), 1.0);
    }

    /// What the recording does not tell is never 0.
    void theUnknownIsNotZero_data() {
        QTest::addColumn<QString>("values");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* values, const char* reason) {
            QTest::newRow(values) << QString::fromLatin1(values) << QString::fromLatin1(reason);
        };
        row("count: {rank: 1}", "x: rank 1 has no trace");
        row("merged: {rank: '1-2'}", "x: rank 1-2 has no trace");
        row("count: {rank: [0, 1]}", "x: rank 1 has no trace");
        row("count: {rank: '0,5-7'}", "x: the run has no rank 5-7");
        row("count: {rank: 99}", "x: the run has no rank 99");
        row("count: {rank: -1}", "x: the run has no rank -1");
        row("count: {step: 99}", "x: step 99 is not recorded whole, or not selected");
        row("count: {group: nope}", "x: no process group nope is recorded");
        row("bytes: {name: SendRecv}", "x: its event has no recorded size (ncclDevKernel_SendRecv)");
        row("bytes: {kind: memset}", "x: its event has no recorded size (Memset)");
        row("bytes: {class: compute}", "x: only copies, sets and collectives have sizes");
        row("count: {kind: python}", "x: the run records no events of this kind");
    }
    void theUnknownIsNotZero() {
        QFETCH(QString, values);
        QFETCH(QString, reason);
        TraceBuilder rank = steps_of(0, 3, 30);
        rank.world_size(4).collective("ncclDevKernel_SendRecv", 20, 90, 5, {}).memory_set("Memset", 9, 95, 1);
        const MetricResult result = result_of(make_run({rank, TraceBuilder(3).kernel("gemm", 7, 1, 1)}), "x",
                                              "x: {" + values.toStdString() + "}");
        QVERIFY(!result.available);
        QCOMPARE(words_of(result.reason), reason);
    }

    void withoutGpuWorkNothingIsCountedOfIt() {
        const auto run = make_run({TraceBuilder(0).step(1, 0, 50).cpu_op("aten::mm", 1, 4)});
        QCOMPARE(words_of(result_of(run, "x", "x: {count: }").reason),
                 QStringLiteral("x: needs GPU events: kernels, copies or sets"));
        QCOMPARE(result_of(run, "x", "x: {count: {kind: cpu_op}}").value, 1.0);
        QCOMPARE(words_of(result_of(run, "x", "x: {count: {kind: runtime}}").reason),
                 QStringLiteral("x: the run records no events of this kind"));
    }

    /// Three calls of 4096 bytes; two more whose sizes are not recorded: 12288 bytes at least.
    void aPartThatIsKnownIsALowerBound() {
        TraceBuilder rank = steps_of(0, 3, 30);
        rank.world_size(3)
            .collective("ncclDevKernel_SendRecv", 20, 90, 2, {})
            .collective("ncclDevKernel_Broadcast", 20, 93, 4, {});
        const auto run = make_run({rank, TraceBuilder(2).kernel("gemm", 7, 1, 1)});
        const MetricResult bytes = result_of(run, "x", "x: {bytes: {class: communication}}");
        QCOMPARE(bytes.value, 12288.0);
        QCOMPARE(int(bytes.bound), int(ValueBound::at_least));
        QCOMPARE(words_of(bytes.bound_reason),
                 QStringLiteral(
                     "the size of 2 of 5 events is not recorded (ncclDevKernel_Broadcast, ncclDevKernel_SendRecv)"));
        const MetricResult group = result_of(run, "x", "x: {sum: {group: mesh_dp}}");
        QCOMPARE(group.value, 60.0);
        QCOMPARE(int(group.bound), int(ValueBound::at_least));
        QCOMPARE(words_of(group.bound_reason), QStringLiteral("the process groups of 2 calls are not recorded "
                                                              "(ncclDevKernel_Broadcast, ncclDevKernel_SendRecv)"));
        // Rank 1 of the job has no trace, rank 3 is not of the job.
        const MetricResult ranks = result_of(run, "x", "x: {count: {rank: '0-3', name: gemm}}");
        QCOMPARE(ranks.value, 4.0);
        QCOMPARE(int(ranks.bound), int(ValueBound::at_least));
        QCOMPARE(words_of(ranks.bound_reason), QStringLiteral("1 of its ranks has no trace"));
        QCOMPARE(int(result_of(run, "x", "x: {sum: {class: communication}}").bound), int(ValueBound::none));
        // Five calls of 66 us, of which three have sizes.
        const auto metrics = parse_user_metrics(text_of("x", "x: {bytes: {class: communication}}"), "f");
        const MetricResult built = result_of(run, "2 * mine2", "x: {count: }", {}, [&] {
            auto renamed = std::make_shared<Metric>(*metrics->front());
            renamed->id = "mine2";
            return MetricList{renamed};
        }());
        QCOMPARE(built.value, 24576.0);
        QCOMPARE(int(built.bound), int(ValueBound::at_least));
    }

    void expressionsKeepBounds_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<double>("value"); // NaN: not known
        QTest::addColumn<QString>("bound");
        const auto row = [](const char* expression, double value, const char* bound) {
            QTest::newRow(expression) << QString::fromLatin1(expression) << value << QString::fromLatin1(bound);
        };
        const double unknown = std::nan("");
        // low: at least 12288 bytes; n: 3, exactly.
        row("low", 12288, "at_least");
        row("2 * low / n + 1", 8193, "at_least");
        row("n - low", 3 - 12288, "at_most");
        row("-(low - 5)", 5 - 12288, "at_most");
        row("low / (1 - n)", -6144, "at_most");
        row("n / low", 3.0 / 12288, "at_most");
        row("low + low", 24576, "at_least");
        row("0 * low + n", 3, "");
        row("low - low", unknown, "");
        row("low / low", unknown, "");
        row("low * low", 12288.0 * 12288, "at_least");
        row("n / (low - 20000)", unknown, "");
        row("max(low, n)", unknown, "");
        row("low ^ 2", unknown, "");
        row("low > 5 ? 1 : 0", unknown, "");
    }
    void expressionsKeepBounds() {
        QFETCH(QString, expression);
        QFETCH(double, value);
        QFETCH(QString, bound);
        TraceBuilder rank = steps_of(0, 3, 30);
        rank.collective("ncclDevKernel_SendRecv", 20, 90, 2, {});
        const MetricResult result = result_of(make_run({rank}), expression.toStdString(),
                                              "low: {bytes: {class: communication}}, n: {count: {name: gemm}}");
        QCOMPARE(result.available, !std::isnan(value));
        if (result.available)
            QCOMPARE(result.value, value);
        else
            QCOMPARE(words_of(result.reason), QStringLiteral("low is only a bound (at least), so this is not known"));
        QCOMPARE(QString::fromUtf8(bound_word(result.bound).data()), bound);
        QCOMPARE(result.bound_reason.empty(), bound.isEmpty());
    }

    void boundsOfOtherMetricsAreKept() {
        // Rank 1 of mesh_dp has no trace: the bandwidth is a lower bound.
        const auto run = make_run({steps_of(0, 3, 30)});
        const MetricResult bandwidth = find_metric("comm_bandwidth")->compute(RunAnalysis(run, {}));
        QCOMPARE(int(bandwidth.bound), int(ValueBound::at_least));
        const MetricResult scaled = result_of(run, "comm_bandwidth / 2", "x: {count: }");
        QCOMPARE(scaled.value, bandwidth.value / 2);
        QCOMPARE(int(scaled.bound), int(ValueBound::at_least));
        QCOMPARE(words_of(scaled.bound_reason), words_of(bandwidth.bound_reason));
        for (const char* unclear : {"comm_bandwidth.algbw_gb_s", "sqrt(comm_bandwidth)"})
            QCOMPARE(words_of(result_of(run, unclear, "x: {count: }").reason),
                     QStringLiteral("comm_bandwidth is only a bound (at least), so this is not known"));
    }

    void sumsOfTheRecordingArePerIteration_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("per_iteration"); // NaN: none
        const auto row = [](const char* expression, double value, double per_iteration) {
            QTest::newRow(expression) << QString::fromLatin1(expression) << value << per_iteration;
        };
        const double none = std::nan("");
        // Of 3 steps of 2 ranks: gemms of 30 us, all-reduces of 20 us; copies of 7 us that no step launched.
        row("gemm", 180, 60);
        row("all", 314, 100);
        row("calls", 6, 2);
        row("busy", 314, 100);
        row("bytes", 24576, 8192);
        row("ops", 6, 2);
        row("-(all - gemm) / 1000", -0.134, -0.04);
        row("gemm / ranks", 90, 30);
        row("coll_call_num * 5", 30, 10);
        row("100 * gemm / all", 18000.0 / 314, none); // a share
        row("gemm + 1", 181, none);
        row("gemm * calls", 1080, none);
        row("gemm * calls / all", 1080.0 / 314, none); // parts grow with the square
        row("max(gemm, 5)", 180, none);
        row("gemm / iter_time.num_iterations", 60, none); // is of a step already
        row("iter_time", 0.1, none);
        row("step2", 60, 60);
    }
    void sumsOfTheRecordingArePerIteration() {
        QFETCH(QString, expression);
        QFETCH(double, value);
        QFETCH(double, per_iteration);
        const MetricResult result = result_of(
            run_of_steps(3, 30), expression.toStdString(),
            "gemm: {sum: {name: gemm}}, all: {sum: }, calls: {count: {class: communication}}, busy: {merged: }, "
            "bytes: {bytes: {class: communication}}, ops: {count: {kind: cpu_op}}, step2: {sum: {name: gemm, step: "
            "2}}");
        QVERIFY2(result.available, qPrintable(words_of(result.reason)));
        QCOMPARE(result.value, value);
        QCOMPARE(result.per_iteration.has_value(), !std::isnan(per_iteration));
        if (result.per_iteration)
            QCOMPARE(*result.per_iteration, per_iteration);
    }

    /// 3 steps with gemms of 30 us against 2 steps with gemms of 36 us.
    void runsOfOtherLengthsAreComparedPerIteration() {
        const auto metrics = parse_user_metrics(text_of("x", "x: {sum: {name: gemm}}"), "f");
        const auto report = [&](int steps, double gemm_us) {
            return compute_metrics(RunAnalysis(run_of_steps(steps, gemm_us), {}, Align::automatic, {{}, {}, *metrics}));
        };
        const MetricChange change = compare_metrics(report(3, 30), report(2, 36)).back();
        QCOMPARE(change.metric->id, std::string("mine"));
        QVERIFY(change.per_iteration);
        QCOMPARE(change.baseline, 60.0);
        QCOMPARE(change.test, 72.0);
        QCOMPARE(int(change.status), int(ChangeStatus::worse));
        QCOMPARE(compare_metrics(report(3, 30), report(2, 30)).back().difference, 0.0);
    }

    /// Gemms of 30, 34 and 38 us in the steps of a rank, of 30 us in those of the other.
    void sumsAreKnownOfEachIteration() {
        TraceBuilder rank(1);
        for (int i = 0; i < 3; ++i)
            rank.step(i + 1, 100 * (i + 1), 100)
                .launch(100 * (i + 1) + 2, 1)
                .kernel("gemm", 7, 100 * (i + 1) + 10, 30 + 4 * i);
        const auto run = make_run({steps_of(0, 3, 30), rank});
        const auto metrics = parse_user_metrics(text_of("2 * x / ranks", "x: {sum: {name: gemm}}") +
                                                    "  - {id: twice, expression: 2 * mine}\n"
                                                    "  - {id: share, expression: mine / twice}\n",
                                                "f");
        const RunAnalysis analysis(run, {}, Align::automatic, {{}, {}, *metrics});
        QCOMPARE((*metrics)[0]->by_iteration(analysis), (StepValues{{1, {60}}, {2, {64}}, {3, {68}}}));
        QCOMPARE((*metrics)[1]->by_iteration(analysis), (StepValues{{1, {120}}, {2, {128}}, {3, {136}}}));
        QVERIFY(!(*metrics)[2]->by_iteration);
        QCOMPARE(metric_result((*metrics)[1], analysis).per_iteration, std::optional(128.0));
    }

    /// From 150 to 420 us of the recording: steps 2 and 3 are whole, the call of step 1 starts in it as well.
    void aTimeRangeCountsWholeSteps() {
        Selection selection;
        selection.time = {148'000, 418'000}; // from the first event on, at 1 us
        const auto of = [&](const char* expression) {
            return result_of(
                       run_of_steps(4, 30), expression,
                       "bytes: {bytes: {group: mesh_dp}}, ops: {count: {kind: cpu_op}}, gemm: {sum: {name: gemm}}",
                       selection)
                .value;
        };
        QCOMPARE(of("iter_time.num_iterations"), 2.0);
        QCOMPARE(of("bytes / iter_time.num_iterations"), 8192.0); // 1024 floats on two ranks
        QCOMPARE(of("bytes"), 16384.0);
        QCOMPARE(of("gemm"), 120.0);
        QCOMPARE(of("ops"), 4.0);
        // No step is whole in it: what lies in it counts.
        selection.time = {149'000, 179'000};
        QCOMPARE(of("bytes"), 8192.0);
    }

    void laterMetricsMayUseEarlierOnes() {
        const auto metrics = parse_user_metrics("metrics:\n  - {id: a, expression: '6 * 7', unit: x, better: higher, "
                                                "title: Answer}\n  - {id: b, expression: 'a / 2'}\n",
                                                "f");
        QVERIFY(!metrics || metrics->size() == 2);
        QVERIFY2(metrics.has_value(), metrics ? "" : english(metrics.error().message).c_str());
        QCOMPARE((*metrics)[0]->title, std::string("Answer"));
        QCOMPARE(int((*metrics)[0]->better), int(Better::higher));
        const auto more = parse_user_metrics("metrics:\n  - {id: c, expression: 'b + 1'}\n", "g", *metrics);
        QVERIFY2(more.has_value(), more ? "" : english(more.error().message).c_str());
        const MetricReport report = compute_metrics(RunAnalysis(sample_run(), {}, Align::automatic, {{}, {}, *more}));
        QCOMPARE(report.find("b")->value, 21.0);
        QCOMPARE(report.find("c")->value, 22.0);
    }

    void twoRunsMayBeMeasuredByDifferentMetrics() {
        const auto report = [](const char* text) {
            const auto metrics = parse_user_metrics(text, "f");
            return compute_metrics(RunAnalysis(sample_run(), {}, Align::automatic, {{}, {}, *metrics}));
        };
        const MetricReport before =
            report("metrics:\n  - {id: both, expression: '1'}\n  - {id: one, expression: '2'}\n");
        const MetricReport after =
            report("metrics:\n  - {id: other, expression: '3'}\n  - {id: both, expression: '4'}\n");
        const MetricReport none = compute_metrics(RunAnalysis(sample_run(), {}));
        QVERIFY(before.find("other") == nullptr && after.find("one") == nullptr && none.find("both") == nullptr);
        const std::vector<const MetricReport*> reports{&before, &after, &none};
        std::vector<std::string> own;
        for (const MetricRow& row : metric_matrix(reports))
            if (!find_metric(row.metric->id))
                own.push_back(row.metric->id);
        QCOMPARE(own, (std::vector<std::string>{"both", "one", "other"}));
        const std::vector<MetricChange> changes = compare_metrics(before, after);
        QCOMPARE(changes.back().metric->id, std::string("both"));
        QCOMPARE(changes.back().difference, 3.0);
        QVERIFY(std::ranges::none_of(changes, [](const MetricChange& change) { return change.metric->id == "one"; }));
    }

    /// Each of 60 is built on the two before it: without a memory that is a walk of 10^12 steps. Fibonacci's numbers.
    void eachIsComputedOnce() {
        std::string text = "metrics:\n  - {id: m0, expression: '1'}\n  - {id: m1, expression: '1'}\n";
        for (int i = 2; i < 60; ++i)
            text += fmt::format("  - {{id: m{}, expression: 'm{} + m{}'}}\n", i, i - 1, i - 2);
        const auto metrics = parse_user_metrics(text, "f");
        QVERIFY(metrics);
        const RunAnalysis analysis(sample_run(), {}, Align::automatic, {{}, {}, *metrics});
        QCOMPARE(compute_metrics(analysis, std::vector<std::string>{"m59"}).find("m59")->value, 1548008755920.0);
        QCOMPARE(compute_metrics(analysis).find("m58")->value, 956722026041.0);
    }

    void levelsValuesAndMetricsHaveBounds() {
        const auto problem = [](const std::string& text) {
            const auto metrics = parse_user_metrics(text, "f");
            return metrics ? QString() : QString::fromStdString(english(metrics.error().message));
        };
        std::string chain = "metrics:\n  - {id: m0, expression: '1'}\n";
        for (int i = 1; i < 64; ++i)
            chain += fmt::format("  - {{id: m{}, expression: 'm{} + 1'}}\n", i, i - 1);
        QCOMPARE(problem(chain), QString());
        QVERIFY(
            problem(chain + "  - {id: m64, expression: 'm63 + 1'}\n").contains(QStringLiteral("at most 64 levels")));
        std::string values = "metrics:\n  - id: m\n    expression: v0\n    values:\n";
        std::string many = "metrics:\n";
        for (int i = 0; i < 65; ++i)
            values += fmt::format("      v{}: {{count: {{name: x}}}}\n", i);
        for (int i = 0; i < 1001; ++i)
            many += fmt::format("  - {{id: m{}, expression: '1'}}\n", i);
        QVERIFY(problem(values).contains(QStringLiteral("at most 64 values")));
        QVERIFY(problem(many).contains(QStringLiteral("at most 1000 metrics")));
    }

    void computingThemCanBeStopped() {
        const auto metrics = parse_user_metrics("metrics:\n  - {id: own, expression: '1'}\n", "f");
        const RunAnalysis analysis(sample_run(), {}, Align::automatic, {{}, {}, *metrics});
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!compute_metrics(analysis, std::vector<std::string>{"own"}, stop.get_token()).find("own")->available);
    }

    void whatHasNoValueSaysWhy() {
        const auto metrics = parse_user_metrics(
            "metrics:\n  - {id: c, expression: '1 / n', values: {n: {count: {name: absent}}}}\n"
            "  - {id: d, expression: 'throughput_tokens * 2'}\n  - {id: e, expression: 'iter_time.no_such_detail'}\n",
            "f");
        QVERIFY(metrics.has_value());
        const RunAnalysis analysis(sample_run(), {});
        for (const MetricPointer& metric : *metrics)
            QVERIFY2(!metric->compute(analysis).available, metric->id.c_str());
        QVERIFY(english((*metrics)[1]->compute(analysis).reason).find("batch_size") != std::string::npos);
    }

    void aBrokenFileSaysWhatAndWhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* text, const char* where, const char* what) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(where) << QString::fromLatin1(what);
        };
        row("metrics: [", "f:1:", "not valid YAML");
        row("metrics:\n  - id: x\n    expresion: 1\n", "f:3:", "unknown key \"expresion\"");
        row("metrics:\n  - id: x\n", "f:2:", "needs \"expression\"");
        row("metrics:\n  - id: x\n    expression: 1 +\n", "f:3:", "expression:");
        row("metrics:\n  - id: x\n    expression: iter_tim * 2\n", "f:3:", "nearest: iter_time");
        row("metrics:\n  - id: iter_time\n    expression: 1\n", "f:2:", "there is a metric \"iter_time\" already");
        row("metrics:\n  - id: X!\n    expression: 1\n", "f:2:", "an id is made of");
        row("metrics:\n  - id: x\n    expression: x + 1\n", "f:3:", "neither among the values nor a metric");
        row("metrics:\n  - id: x\n    expression: n\n    values:\n      n: {count: {name: '('}}\n",
            "f:5:", "not a regular expression");
        row("metrics:\n  - id: x\n    expression: n\n    values:\n      n: {total: {}}\n",
            "f:5:", "unknown value \"total\"");
        row("metrics:\n  - id: x\n    expression: n\n    values:\n      n: {count: {class: gpu}}\n",
            "f:5:", "unknown class");
        row("metrics:\n  - id: x\n    expression: n\n    values:\n      n: {count: {step: 6-4}}\n",
            "f:5:", "not a number or a range");
        row("metrics:\n  - id: x\n    expression: 1, 2\n", "f:3:", "it has 2 values, separated by commas");
        row("metrics:\n  - id: x\n    expression: a = 3\n", "f:3:", "\"=\" assigns a value");
        row("metrics:\n  - id: x\n    expression: a = 3 + a\n    values: {a: {count: }}\n",
            "f:3:", "which an expression cannot do");
        row("metrics: 3\n", "f:1:", "\"metrics\" is a list");
        row("other: 3\n", "f:1:", "unknown key \"other\"");
        row("", "f:1:", "expected keys and values");
    }
    void aBrokenFileSaysWhatAndWhere() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        QFETCH(QString, what);
        const auto metrics = parse_user_metrics(text.toStdString(), "f");
        QVERIFY(!metrics);
        const QString message = QString::fromStdString(english(metrics.error().message));
        QVERIFY2(message.startsWith(where), qPrintable(message));
        QVERIFY2(message.contains(what), qPrintable(message));
        QVERIFY(!message.contains(u'\n'));
    }
};

RANKSCOPE_TEST(TestUserMetrics)

} // namespace rankscope::user_metrics_test

#include "test_user_metrics.moc"
