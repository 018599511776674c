// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the comparison, and the view over them.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "core/input/load_run.h"
#include "tests/support/run_simulator.h"
#include "tests/support/trace_builder.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/config_diff_model.h"
#include "widgets/compare/metric_matrix_model.h"
#include "widgets/palette.h"

using namespace rankscope;
using namespace Qt::Literals::StringLiterals;

namespace {

AnalysedRun run_of(double step_us, double kernel_us, const RunConfig& config, const std::string& name) {
    TraceBuilder rank(0);
    rank.step(1, 0, step_us).launch(1, 1).kernel("gemm", 7, 10, kernel_us);
    const auto run = std::make_shared<Run>(*make_run({rank}, name));
    run->config = config;
    const auto analysis = std::make_shared<RunAnalysis>(run, Selection{});
    return {"", "", analysis, compute_metrics(*analysis), {}};
}

/// Steps of 100, 150 and 100 us.
std::vector<AnalysedRun> three_runs() {
    std::vector<AnalysedRun> runs{run_of(100, 50, {{"a", "1"}, {"b", "2"}, {"c", "3"}}, "first"),
                                  run_of(150, 100, {{"a", "1"}, {"b", "4"}}, "<b>second</b>"),
                                  run_of(100, 50, {{"a", "1"}, {"b", "2"}, {"c", "3"}}, "third")};
    name_runs(runs);
    return runs;
}

template <typename Widget>
Widget* named(const QWidget& view, const QString& name) {
    for (Widget* widget : view.findChildren<Widget*>())
        if (widget->accessibleName() == name)
            return widget;
    return nullptr;
}

int shown_rows(const QTableView& table) {
    int rows = 0;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        rows += table.isRowHidden(row) ? 0 : 1;
    return rows;
}

} // namespace

class TestCompareView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void metricsStandBesideThoseOfTheFirstRun() {
        MetricMatrixModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.columnCount(), 0);
        model.setRuns(three_runs());
        QCOMPARE(model.columnCount(), 9);
        int row = 0;
        while (model.metricOf(row)->id != "iter_time")
            ++row;
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        QCOMPARE(cells, (QStringList{u"Iteration time"_s, u"ms"_s, u"0.1"_s, u"0.15"_s, u"+50.00"_s, u"worse"_s, u"0.1"_s, u"0.00"_s, u"similar"_s}));
        QCOMPARE(model.headerData(3, Qt::Horizontal).toString(), u"<b>second</b>"_s);
        QCOMPARE(model.index(row, 4).data(MetricMatrixModel::kSortRole).toDouble(), 50.0);
    }

    void changedSettingsComeFirst() {
        ConfigDiffModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRuns(three_runs());
        QCOMPARE(model.rowCount(), 3);
        QStringList keys;
        for (int row = 0; row < 3; ++row)
            keys << model.index(row, 0).data().toString() + u' ' + model.index(row, 4).data().toString();
        QCOMPARE(keys, (QStringList{u"b changed"_s, u"c not everywhere"_s, u"a equal"_s}));
        QCOMPARE(model.index(1, 2).data().toString(), u"–"_s);
    }

    void saysWhatChangedAndFilters() {
        CompareView view;
        view.resize(1100, 700);
        view.show();
        QSignalSpy explained(&view, &CompareView::explained);
        view.setRuns(three_runs());
        QVERIFY(explained.wait());
        const auto* headline = named<QLabel>(view, u"What changed"_s);
        QVERIFY(headline->text().contains(u"An iteration takes 0.050 ms longer"_s));
        QCOMPARE(headline->textFormat(), Qt::PlainText);
        auto* test = named<QComboBox>(view, u"Run that is explained"_s);
        QVERIFY(test->isVisible());
        test->setCurrentIndex(1);
        QVERIFY(headline->text().contains(u"as long as before"_s));
        auto* metrics = named<QTableView>(view, u"Metrics of all runs"_s);
        const int all = metrics->model()->rowCount();
        named<QComboBox>(view, u"Metrics with this status"_s)->setCurrentIndex(1);
        QVERIFY(metrics->model()->rowCount() > 0 && metrics->model()->rowCount() < all);
        auto* settings = named<QTableView>(view, u"Settings of all runs"_s);
        QCOMPARE(shown_rows(*settings), 2);
        view.findChild<QCheckBox*>()->setChecked(true);
        QCOMPARE(shown_rows(*settings), 3);
        QSignalSpy activated(&view, &CompareView::metricActivated);
        Q_EMIT metrics->activated(metrics->model()->index(0, 0));
        QCOMPARE(activated.count(), 1);
        QVERIFY(find_metric(activated[0][0].toString().toStdString()) != nullptr);
    }

    void runsMayBeReplacedAndTakenAwayWhileWordsAreSought() {
        CompareView view;
        for (int i = 0; i < 5; ++i)
            view.setRuns(three_runs());
        view.setRuns({});
        QTest::qWait(50);
        QVERIFY(named<QLabel>(view, u"What changed"_s)->text().contains(u"Two runs are needed"_s));
        QCOMPARE(named<QTableView>(view, u"Metrics of all runs"_s)->model()->rowCount(), 0);
    }

    /// For looking at: RANKSCOPE_PICTURES names a folder.
    void pictures() {
        const QString folder = qEnvironmentVariable("RANKSCOPE_PICTURES");
        if (folder.isEmpty())
            QSKIP("skipped: RANKSCOPE_PICTURES is not set");
        QTemporaryDir runs_folder;
        const auto written = write_demo_runs(runs_folder.path().toStdString());
        QVERIFY(written);
        std::vector<AnalysedRun> runs;
        for (const char* name : {"baseline", "straggler"}) {
            const auto analysis = std::make_shared<RunAnalysis>(load_run(*written / name).value(), Selection{});
            runs.push_back({"", "", analysis, compute_metrics(*analysis), {}});
        }
        name_runs(runs);
        for (const bool dark : {false, true}) {
            QApplication::setPalette(dark ? darkPalette() : lightPalette());
            CompareView view;
            view.resize(1280, 800);
            view.show();
            QSignalSpy explained(&view, &CompareView::explained);
            view.setRuns(runs);
            QVERIFY(explained.wait());
            QVERIFY(view.grab().save(folder + (dark ? u"/compare-dark.png"_s : u"/compare-light.png"_s)));
        }
    }
};

QTEST_MAIN(TestCompareView)
#include "test_compare_view.moc"
