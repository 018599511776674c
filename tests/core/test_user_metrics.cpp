// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own metrics: what they may say, what they give, and where a broken file is broken.
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
    return make_run({rank, TraceBuilder(1).kernel("gemm_a", 7, 10, 7)});
}

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
        row("count: {group: mesh_tp}", 0);
        row("sum: {name: gemm, step: 2}", 10); // by its launch, not by its start
        row("sum: {name: gemm, step: 1-2, rank: '0,5-7'}", 30);
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
