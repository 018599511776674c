// SPDX-License-Identifier: GPL-3.0-or-later
// The Kernels screen: its tables, what it asks of the timeline, and what it says when something is not recorded.
#include <algorithm>
#include <memory>
#include <optional>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "core/analysis/search/event_search.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/charts/delay_histogram.h"
#include "widgets/charts/flame_graph.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/screens/instance_query.h"
#include "widgets/screens/kernels_screen.h"
#include "widgets/screens/name_delegate.h"

namespace rankscope::kernels_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 20'000;

/// addmm multiplies 64 x 128 by 128 x 32 in 16 bits: 2 x 64 x 32 x 128 + 64 x 32 (bias) = 526 336 FLOPs, in `gemm_us`.
TraceBuilder rankWith(int number, double gemm_us) {
    TraceBuilder rank(number);
    rank.cpu_op("aten::linear", 0, 30)
        .cpu_op("aten::addmm", 2, 20)
        .inputs("[[32], [64, 128], [128, 32]]", R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"])",
                R"(["", "", ""])")
        .launch(4, 2)
        .kernel("sm90_gemm", 7, 20, gemm_us)
        .cpu_op("aten::relu", 40, 10)
        .launch(42, 2)
        .kernel("void vectorized<add(int)>", 7, 60, 5)
        .launch(70, 2)
        .kernel("lonely", 7, 90, 1);
    return rank;
}

std::shared_ptr<const AnalysedRun> analysed(const std::vector<TraceBuilder>& ranks) {
    auto run = std::make_shared<AnalysedRun>();
    run->analysis = std::make_shared<RunAnalysis>(
        make_run(ranks, "built", {{"workload.hardware.xpu_spec.model", "NVIDIA H100"}}), Selection{});
    return run;
}

QStringList column(const QTableView& table, int column) {
    QStringList cells;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        cells << table.model()->index(row, column).data().toString();
    return cells;
}

} // namespace

class TestKernelsScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        screen_ = std::make_unique<KernelsScreen>();
        screen_->resize(1000, 650);
        screen_->show();
        take(analysed({rankWith(0, 10), rankWith(5, 30)}));
    }
    void cleanup() { screen_.reset(); }

    void kernelsAreListedWithTheMostTimeFirst() {
        const QTableView& table = screen_->kernelTable();
        const QAbstractItemModelTester tester(table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(column(table, 0), (QStringList{u"sm90_gemm"_s, u"vectorized<add>"_s, u"lonely"_s}));
        QCOMPARE(column(table, 1).front(), u"gemm"_s);
        QCOMPARE(column(table, 2), (QStringList{u"2"_s, u"2"_s, u"2"_s}));
        QCOMPARE(column(table, 3), (QStringList{u"40.0"_s, u"10.0"_s, u"2.0"_s}));
        QCOMPARE(column(table, 4).front(), u"76.9"_s); // 40 of 52 us
        QCOMPARE(table.model()->headerData(3, Qt::Horizontal).toString(), u"Total (µs)"_s);
    }
    void namesThatAreAlikeDifferAlsoWhereTheyDoNotFit() {
        const std::string start = "igemm_fwd_gtcx3_nhwc_bfp16_bx0_ex1_bt128x64x32_";
        const std::string end = "_1x4x1x64_1x4x1x64_gkgs";
        const std::string huge = start + std::string(500, 'x');
        take(analysed({TraceBuilder(0)
                           .kernel(start + "wt16x16x16" + end, 7, 0, 10)
                           .kernel(start + "wt32x32x16" + end, 7, 20, 10)
                           .kernel(start + "wt32x32x32" + end, 7, 40, 10)
                           .kernel(huge + "_one", 7, 60, 10)
                           .kernel(huge + "_two", 7, 80, 10)}));
        const QTableView& table = screen_->kernelTable();
        const QFontMetrics metrics = table.fontMetrics();
        QSet<QString> drawn;
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const QModelIndex name = table.model()->index(row, 0);
            const QString text = NameDelegate::elided(name, metrics, 220);
            QVERIFY2(metrics.horizontalAdvance(text) <= 220 && text.size() > 20, qPrintable(text));
            drawn.insert(text);
            QCOMPARE(NameDelegate::elided(name, metrics, 100'000), name.data().toString());
        }
        QCOMPARE(drawn.size(), qsizetype{5});
    }
    /// As wide as in a window of 1000 pixels. No heading is cut.
    void inANarrowWindowTheNamesHaveTheRoom() {
        screen_->resize(702, 650);
        const QHeaderView& header = *screen_->kernelTable().horizontalHeader();
        QTRY_VERIFY2(header.sectionSize(0) > 250, qPrintable(QString::number(header.sectionSize(0))));
        for (int section = 1; section < header.count(); ++section)
            QVERIFY(header.sectionSize(section) >= header.sectionSizeHint(section));
    }
    void aHeaderSortsByNumberNotByText() {
        QTableView& table = screen_->kernelTable();
        table.sortByColumn(3, Qt::AscendingOrder);
        QCOMPARE(column(table, 3), (QStringList{u"2.0"_s, u"10.0"_s, u"40.0"_s}));
    }
    void oneRankCanBeChosen() {
        QComboBox& ranks = screen_->rankChoice();
        QCOMPARE(ranks.itemText(2), u"Rank 5"_s);
        ranks.setCurrentIndex(2);
        Q_EMIT ranks.activated(2);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
        QCOMPARE(column(screen_->kernelTable(), 3).front(), u"30.0"_s);
        QCOMPARE(ranks.currentIndex(), 2);
        QCOMPARE(screen_->flames().describe(0), u"All: 35.0 µs on the GPU (100 % of all), 40.0 µs on the CPU"_s);
    }
    void theFilterWorksInAllTablesAndTheFlameGraph() {
        QTest::keyClicks(&screen_->filter(), u"ADDMM"_s);
        QCOMPARE(screen_->kernelTable().model()->rowCount(), 0);
        QCOMPARE(column(screen_->operatorTable(), 0), QStringList{u"aten::addmm"_s});
        bool marked = false;
        for (const FlameBox& box : screen_->flames().boxes())
            marked = marked || (screen_->flames().isHighlighted(box.node) &&
                                screen_->flames().nameOf(box.node) == u"aten::addmm"_s);
        QVERIFY(marked);
    }
    void operatorsHaveTimeOnBothSides() {
        const QTableView& table = screen_->operatorTable();
        QCOMPARE(column(table, 0), (QStringList{u"aten::linear"_s, u"aten::addmm"_s, u"aten::relu"_s}));
        QCOMPARE(column(table, 2), (QStringList{u"40.0"_s, u"40.0"_s, u"10.0"_s})); // GPU total
        QCOMPARE(column(table, 4), (QStringList{u"0.0"_s, u"40.0"_s, u"10.0"_s}));  // GPU self
        QCOMPARE(column(table, 5), (QStringList{u"60.0"_s, u"40.0"_s, u"20.0"_s})); // CPU total
        QCOMPARE(column(table, 6), (QStringList{u"20.0"_s, u"40.0"_s, u"20.0"_s})); // CPU self
    }
    void enterOnARowAsksForExactlyItsInstances() {
        QTableView& table = screen_->kernelTable();
        const QSignalSpy asked(screen_.get(), &KernelsScreen::instancesAsked);
        table.setFocus();
        table.setCurrentIndex(table.model()->index(1, 0));
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        const auto query = parse_event_query(asked[0][0].toString().toStdString());
        QVERIFY(query.has_value());
        const auto hits = search_events(RunClasses(screen_->analysed()->analysis->run_pointer()), *query);
        QCOMPARE(hits->count, std::size_t{2});
        QCOMPARE(screen_->analysed()->run().ranks[0]->event_name(hits->at(0).event),
                 std::string_view("void vectorized<add(int)>"));
    }
    void namesOfAnyKindAreFoundBySearch() {
        for (const std::string name : {"a/b(c)[d] {e}", "x.*+?|^$\\y", "tab\there", "é ü"}) {
            const auto run = make_run(
                {TraceBuilder(0).kernel(name, 7, 0, 1).kernel(name + "2", 7, 2, 1).kernel("2" + name, 7, 4, 1)});
            const auto query = parse_event_query(instanceQuery(name, 0).toStdString());
            QVERIFY2(query.has_value(), name.c_str());
            QVERIFY2(search_events(RunClasses(run), *query)->count == 1, name.c_str());
        }
    }
    void delaysAreFromCallToStart() {
        screen_->showTab(KernelsScreen::launchesTab);
        QCOMPARE(screen_->delays().spread().count, std::int64_t{6});
        QCOMPARE(screen_->delays().spread().median, TimeNs{18'000}); // 16, 16, 18, 18, 20, 20
        QCOMPARE(screen_->delays().bars().size(), kHistogramBars);
        QVERIFY(screen_->delays().summary().startsWith(u"6 launches: median 18.0 µs"_s));
    }
    void aPointUnderTheRooflineAndItsRow() {
        screen_->showTab(KernelsScreen::rooflineTab);
        RooflinePlot& plot = screen_->roofline();
        QCOMPARE(screen_->contents()->roofline.size(), std::size_t{1});
        const RooflineRow& row = screen_->contents()->roofline[0];
        QCOMPARE(row.tflops_s, 2 * 526'336 / 40e3 / 1000); // both calls, 40 us
        QCOMPARE(plot.limits().ceilings.size(), std::size_t{1});
        QCOMPARE(plot.limits().ceilings[0].tflops, 989.0);
        QCOMPARE(*plot.limits().tb_s, 3.35);
        QVERIFY(std::ranges::any_of(screen_->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() &&
                   label->text().contains(u"Together they are 80 % of the GPU time"_s); // 20 of 25
        }));
        QTest::qWait(50); // the plot is laid out when it is drawn
        const QPoint point = plot.pointOf(0).toPoint();
        QCOMPARE(plot.rowAt(point), std::optional<std::size_t>(0));
        QWidget* inner = plot.childAt(point);
        QVERIFY(inner != nullptr);
        QTest::mouseClick(inner, Qt::LeftButton, {}, inner->mapFrom(&plot, point));
        QCOMPARE(plot.current(), std::optional<std::size_t>(0));
        QCOMPARE(screen_->rooflineTable().currentIndex().row(), 0);
        QVERIFY(plot.accessibleDescription().contains(u"aten::addmm"_s));
    }
    void itSaysWhatIsMissing() {
        take(analysed({TraceBuilder(0).kernel("alone", 7, 0, 1)}));
        QCOMPARE(screen_->message(), QString());
        QCOMPARE(column(screen_->kernelTable(), 0), QStringList{u"alone"_s});
        QVERIFY(!screen_->flames().isVisibleTo(&screen_->tabs()));
        QVERIFY(!screen_->roofline().isVisibleTo(&screen_->tabs()));
        QVERIFY(!screen_->delays().isVisibleTo(&screen_->tabs()));
        take(analysed({TraceBuilder(0).annotation("only this", 0, 1)}));
        QCOMPARE(screen_->message(), QString()); // an annotation is an operator of the table
        take(analysed({TraceBuilder(0)}));
        QVERIFY(screen_->message().startsWith(u"No kernels"_s));
    }

private:
    void take(const std::shared_ptr<const AnalysedRun>& run) {
        screen_->takeRun(run->analysis->run_pointer(), run);
        QTRY_VERIFY_WITH_TIMEOUT(screen_->isReady(), kPatience);
    }
    std::unique_ptr<KernelsScreen> screen_;
};

RANKSCOPE_GUI_TEST(TestKernelsScreen)

} // namespace rankscope::kernels_screen_test

#include "test_kernels_screen.moc"
