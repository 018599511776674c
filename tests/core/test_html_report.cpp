// SPDX-License-Identifier: GPL-3.0-or-later
// report.html: what it says, that nothing a trace contains is markup, and that it loads nothing. Kernels of two runs.
#include <cmath>
#include <optional>

#include <QRegularExpression>
#include <QtTest>

#include "core/compare/kernel_comparison.h"
#include "core/compare/metric_comparison.h"
#include "core/report/html_report.h"
#include "core/report/svg_charts.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::html_report_test {

namespace {

AnalysedRun run_named(const std::string& name, const std::string& kernel, double first_us, double second_us) {
    TraceBuilder rank(0);
    rank.step(1, 0, 100).launch(1, 1).kernel(kernel, 7, 10, first_us).launch(1, 1).kernel(kernel, 7, 60, second_us);
    rank.step(2, 100, 100).launch(101, 1).kernel("other", 7, 110, 5);
    const auto analysis = std::make_shared<RunAnalysis>(make_run({rank}, name), Selection{});
    return {"", "", analysis, compute_metrics(*analysis), {}};
}

std::string report(std::vector<AnalysedRun> runs) {
    relate_runs(runs);
    return html_report(runs, {});
}

} // namespace

class TestHtmlReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesAreNoMarkup() {
        const std::string evil = "<script>alert('x')</script>\"onload=\"y&amp;\x01\xFF";
        QString html =
            QString::fromStdString(report({run_named(evil, evil, 10, 10), run_named("test " + evil, evil, 20, 30)}));
        QCOMPARE(html.count(QLatin1String("<script")), 2); // the timeline's data and its script
        QVERIFY(!html.contains(QLatin1String("<script>alert")));
        const auto data = html.indexOf(QLatin1String("<script type=\"application/json\""));
        html.remove(data, html.indexOf(QLatin1String("</script>"), data) - data); // JSON, no markup
        QVERIFY(!html.contains(QLatin1String("\"onload")));
        QVERIFY(html.contains(QLatin1String("&lt;script&gt;")));
        QVERIFY(html.contains(QLatin1String("&quot;onload=&quot;y&amp;amp;")));
    }

    void loadsNothingAndFollowsTheReadersColours() {
        const QString html = QString::fromStdString(
            report({run_named("a", "gemm", 10, 10), run_named("b", "gemm", 20, 30), run_named("c", "gemm", 5, 5)}));
        for (const char* word : {"http://", "https://", "src=", "href=", "url(", "@import", "<link", "<iframe", "<img"})
            QVERIFY2(!html.contains(QLatin1String(word)), word);
        QVERIFY(html.contains(QLatin1String("default-src 'none'")));
        QVERIFY(html.contains(QLatin1String("prefers-color-scheme:dark")) &&
                html.contains(QLatin1String("@media print")));
        QCOMPARE(html.count(QLatin1String("<svg")), html.count(QLatin1String("</svg>")));
        QVERIFY(html.count(QLatin1String("<svg")) >= 5);
        // Every opened element is closed, in order.
        QStringList open;
        auto tags = QRegularExpression(QStringLiteral("<(/?)([a-z0-9]+)[^>]*?(/?)>"))
                        .globalMatch(html.mid(html.indexOf(QLatin1String("<body"))));
        while (tags.hasNext()) {
            const auto tag = tags.next();
            if (tag.captured(3) == QLatin1String("/") || tag.captured(2) == QLatin1String("br"))
                continue;
            if (tag.captured(1).isEmpty())
                open << tag.captured(2);
            else if (tag.captured(2) != QLatin1String("html"))
                QCOMPARE(tag.captured(2), open.isEmpty() ? QString() : open.takeLast());
        }
        QVERIFY(open.isEmpty());
        QVERIFY(html.contains(QLatin1String("An iteration takes as long as before")));
    }

    void oneRunIsAReportToo() {
        const QString html = QString::fromStdString(report({run_named("a", "gemm", 10, 10)}));
        QVERIFY(html.contains(QLatin1String("Run report")) && html.contains(QLatin1String("Iteration time")) &&
                html.contains(QLatin1String("gemm")));
    }

    void kernelsByWhatTheirChangeCosts() {
        // Two steps: "gemm<1>" 20 us -> "gemm<2>" 50 us, halved by the steps: 10 -> 25. "other" stays.
        const AnalysedRun a = run_named("a", "gemm<1>", 10, 10);
        const AnalysedRun b = run_named("b", "gemm<2>", 20, 30);
        const auto changes = compare_kernels(*a.analysis, *b.analysis);
        QCOMPARE(changes.size(), std::size_t{2});
        QCOMPARE(changes[0].name, std::string("gemm<1>"));
        QCOMPARE(changes[0].test_name, std::string("gemm<2>"));
        QVERIFY(changes[0].shortened);
        QCOMPARE(changes[0].baseline.count, 1.0);
        QCOMPARE(changes[0].cost_us(), 15.0);
        QCOMPARE(changes[1].cost_us(), 0.0);
        const auto h = duration_histograms(*a.analysis, *b.analysis, changes[0], 2);
        QCOMPARE(h.edges_us.size(), std::size_t{3});
        QCOMPARE(h.edges_us.front(), 10.0);
        QVERIFY(std::abs(h.edges_us[1] - std::sqrt(300.0)) < 1e-9);
        QCOMPARE(h.baseline, (std::vector<std::size_t>{2, 0}));
        QCOMPARE(h.test, (std::vector<std::size_t>{0, 2}));
        QCOMPARE(h.baseline_median_us, 10.0);
        QCOMPARE(h.test_median_us, 25.0);
        QVERIFY(duration_histograms(*a.analysis, *b.analysis, KernelChange{"none", "none", false, {}, {}}, 4)
                    .edges_us.empty());
    }

    void runsAsAMatrixAgainstTheFirst() {
        const AnalysedRun a = run_named("a", "gemm", 10, 10);
        const AnalysedRun b = run_named("b", "gemm", 20, 30);
        const std::vector<const MetricReport*> reports{&a.metrics, &b.metrics, &a.metrics};
        for (const MetricRow& row : metric_matrix(reports)) {
            QCOMPARE(row.values.size(), std::size_t{3});
            QVERIFY(!row.changes[0]);
            if (row.changes[2])
                QCOMPARE(row.changes[2]->difference, 0.0);
            if (row.metric->id == "kernel_breakdown")
                QCOMPARE(row.changes[1]->percent_change, std::optional(120.0)); // 25 us against 55 us
        }
    }

    void chartsOfNothingAreNothing() {
        QVERIFY(stacked_bars_svg({}, {}, "ms").empty());
        QVERIFY(waterfall_svg("a", 0, {}, "b", 0, "ms").empty());
        QVERIFY(overlaid_histograms_svg({}, {}, {}, 0, 0, "us").empty());
        QVERIFY(dots_svg({}, "n", "ms").empty());
    }
};

RANKSCOPE_TEST(TestHtmlReport)

} // namespace rankscope::html_report_test

#include "test_html_report.moc"
