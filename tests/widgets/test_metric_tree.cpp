// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of all metrics shows what the catalogue computed.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/number_text.h"
#include "widgets/panels/metric_tree.h"

namespace rankscope::metric_tree_test {

class TestMetricTree : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMetricStandsUnderItsTopicWithItsNumbers() {
        const auto run = make_run({TraceBuilder(0).step(1, 0, 100).kernel("gemm", 7, 10, 60)});
        const MetricReport report = compute_metrics(RunAnalysis(run, {}));
        MetricTree tree;
        QAbstractItemModelTester tester(tree.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        tree.setReport(report);
        int metrics = 0;
        const auto* model = tree.model();
        for (int topic = 0; topic < model->rowCount(); ++topic)
            metrics += model->rowCount(model->index(topic, 0));
        QCOMPARE(metrics, int(report.entries.size()));

        const QModelIndexList found =
            model->match(model->index(0, 0), Qt::DisplayRole, QStringLiteral("Iteration time"), 1,
                         Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0].siblingAtColumn(MetricTree::valueColumn).data().toString(), QStringLiteral("0.1"));
        QCOMPARE(found[0].siblingAtColumn(MetricTree::unitColumn).data().toString(), QStringLiteral("ms"));
        QVERIFY(model->rowCount(found[0]) > 3); // its details

        const QModelIndexList missing = model->match(model->index(0, 0), Qt::DisplayRole, QStringLiteral("Throughput"),
                                                     1, Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(missing[0].siblingAtColumn(MetricTree::valueColumn).data().toString(),
                 QStringLiteral("not available"));
        QVERIFY(model->index(0, 0, missing[0]).data().toString().contains(QStringLiteral("batch_size")));
    }

    void aUnitFitsTheLargestOfItsValues() {
        const auto fitted = [](std::string_view unit, double value) {
            const FittedUnit result = fittedUnit(unit, value);
            return QString(shortNumber(value * result.of_one) + u' ' + result.label);
        };
        QCOMPARE(fitted("us", 32'706), QStringLiteral("32.7 ms"));
        QCOMPARE(fitted("us", -999.4), QStringLiteral("-999 µs"));
        QCOMPARE(fitted("ms", 2.5e6), QStringLiteral("2500 s"));
        QCOMPARE(fitted("bytes", 187'187'072), QStringLiteral("187 MB"));
        QCOMPARE(fitted("bytes", 12), QStringLiteral("12.0 B"));
        QCOMPARE(fitted("GB/s", 4'200), QStringLiteral("4200 GB/s"));
        QCOMPARE(fitted("percent", 12.5), QStringLiteral("12.5 %"));
    }

    void itIsAsTallAsWhatItShows() {
        const auto run = make_run({TraceBuilder(0).step(1, 0, 100).kernel("gemm", 7, 10, 60)});
        MetricTree tree;
        tree.setReport(compute_metrics(RunAnalysis(run, {})));
        const int folded = tree.height();
        const QModelIndex topic = tree.model()->index(0, 0);
        tree.expand(tree.model()->index(0, 0, topic));
        QVERIFY(tree.height() > folded);
        tree.collapse(topic);
        QVERIFY(tree.height() < folded);
    }

    void copyingGivesTabSeparatedText() {
        const auto run = make_run({TraceBuilder(0).step(1, 0, 100)});
        MetricTree tree;
        tree.setReport(compute_metrics(RunAnalysis(run, {})));
        tree.copy();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("Iteration time\t0.1\tms\n")));
    }
};

RANKSCOPE_GUI_TEST(TestMetricTree)

} // namespace rankscope::metric_tree_test

#include "test_metric_tree.moc"
