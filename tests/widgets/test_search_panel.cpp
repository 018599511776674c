// SPDX-License-Identifier: GPL-3.0-or-later
// The search box with real keys, its list, and how hits are marked on the timeline.
#include <cmath>
#include <memory>
#include <optional>

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include "tests/support/pixel_at.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/panels/search_panel.h"
#include "widgets/timeline/hit_overlay.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::search_panel_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Each rank: gemm_0 ... gemm_9 of 10 + i us every 200 us on stream 7.
std::shared_ptr<const Run> runOf(int ranks) {
    std::vector<TraceBuilder> all;
    for (int rank = 0; rank < ranks; ++rank) {
        TraceBuilder builder(rank);
        for (int i = 0; i < 10; ++i)
            builder.kernel("gemm_" + std::to_string(i), 7, i * 200.0, 10 + i);
        builder.kernel("nccl", 20, 400, 500);
        all.push_back(builder);
    }
    return make_run(all);
}

} // namespace

class TestSearchPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        panel_ = std::make_unique<SearchPanel>(state_.get());
        view_->setPalette(QPalette(Qt::white));
        view_->resize(1000, 300);
        view_->show();
        panel_->resize(900, 300);
        panel_->show();
        state_->setRun(runOf(2));
        QTRY_VERIFY(view_->isReady());
    }
    void cleanup() {
        panel_.reset();
        view_.reset();
        state_.reset();
    }

    void typingFindsCountsAndLists() {
        QTest::keyClicks(&panel_->box(), u"gemm_3"_s);
        settle();
        QCOMPARE(panel_->status(), u"2 hits, 26.00 µs in all"_s);
        QCOMPARE(panel_->model().rowCount(), 2);
        QCOMPARE(cell(1, HitsModel::nameColumn), u"gemm_3"_s);
        QCOMPARE(cell(1, HitsModel::rankColumn), u"1"_s);
        QCOMPARE(cell(1, HitsModel::startColumn), u"600.000 µs"_s);
        QCOMPARE(cell(1, HitsModel::durationColumn), u"13.0 µs"_s);
        QVERIFY(state_->searchHits());
        QVERIFY(!state_->selection()); // looking is not choosing
    }
    void aBrokenQueryIsOneLineAndFindsNothing() {
        search(u"gemm"_s);
        search(u"gemm dur>3"_s);
        QVERIFY2(panel_->status().startsWith(u"character 10:"_s), qPrintable(panel_->status()));
        QVERIFY(!state_->searchHits());
        QCOMPARE(panel_->model().rowCount(), 0);
    }
    void enterGoesRoundAndShiftEnterBack() {
        search(u"gemm_3"_s);
        const QSignalSpy chosen(panel_.get(), &SearchPanel::eventChosen);
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QCOMPARE(state_->selection(), std::optional(named("gemm_3", 0)));
        QVERIFY(panel_->status().startsWith(u"1 of 2 hits"_s));
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QCOMPARE(state_->selection(), std::optional(named("gemm_3", 1)));
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QCOMPARE(state_->selection(), std::optional(named("gemm_3", 0)));
        QTest::keyClick(&panel_->box(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(state_->selection(), std::optional(named("gemm_3", 1)));
        QCOMPARE(chosen.size(), 4);
    }
    void enterStartsFromTheSelection() {
        state_->select(named("gemm_7", 0));
        search(u"/gemm_[0-9]/"_s);
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QCOMPARE(state_->selection(), std::optional(named("gemm_8", 0)));
        state_->select(named("nccl", 0)); // no hit itself
        search(u"gemm"_s);
        QTest::keyClick(&panel_->box(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(state_->selection(), std::optional(named("gemm_9", 0)));
    }
    void enterBeforeTheAnswerWaitsForIt() {
        panel_->setQuery(u"gemm_5"_s);
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QTRY_COMPARE(state_->selection(), std::optional(named("gemm_5", 0)));
    }
    void escapeForgetsTheSearch() {
        search(u"gemm"_s);
        const QSignalSpy cleared(panel_.get(), &SearchPanel::left);
        QTest::keyClick(&panel_->box(), Qt::Key_Escape);
        QCOMPARE(cleared.size(), 1);
        QVERIFY(panel_->query().isEmpty() && panel_->status().isEmpty() && !state_->searchHits());
    }
    void aClickOnAHeaderSortsByIt() {
        search(u"gemm"_s);
        clickHeader(HitsModel::durationColumn); // longest first
        QCOMPARE(cell(0, HitsModel::nameColumn), u"gemm_9"_s);
        QCOMPARE(cell(19, HitsModel::nameColumn), u"gemm_0"_s);
        clickHeader(HitsModel::durationColumn);
        QCOMPARE(cell(0, HitsModel::nameColumn), u"gemm_0"_s);
        clickHeader(HitsModel::startColumn); // both ranks' by time
        QCOMPARE(cell(1, HitsModel::rankColumn), u"1"_s);
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QTest::keyClick(&panel_->box(), Qt::Key_Return);
        QCOMPARE(state_->selection(), std::optional(named("gemm_0", 1))); // walking follows the list
        clickHeader(HitsModel::nameColumn);
        QCOMPARE(cell(1, HitsModel::nameColumn), u"gemm_1"_s);
    }
    void aClickOnAHitSelectsIt() {
        search(u"gemm_2"_s);
        const QModelIndex second = panel_->model().index(1, 0);
        QTest::mouseClick(panel_->table().viewport(), Qt::LeftButton, {}, panel_->table().visualRect(second).center());
        QCOMPARE(state_->selection(), std::optional(named("gemm_2", 1)));
    }
    void aRunThatGrowsIsSearchedAnew() {
        const auto whole = runOf(3);
        auto part = std::make_shared<Run>(*whole);
        part->ranks.erase(part->ranks.begin());
        state_->setRun(part);
        search(u"nccl"_s);
        QCOMPARE(state_->searchHits()->count, std::size_t{2});
        state_->setRun(whole);
        QVERIFY(!state_->searchHits()); // places in the run have moved
        settle();
        QCOMPARE(state_->searchHits()->count, std::size_t{3});
    }
    void aModelTesterFindsNothing() {
        HitsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto run = runOf(1);
        auto hits = std::make_shared<const SearchHits>(*search_events(RunClasses(run), *parse_event_query("gemm")));
        model.setHits(run, hits);
        QCOMPARE(model.rowCount(), 10);
        model.setHits(run, hits,
                      std::make_shared<const HitOrder>(*orderHits(*run, *hits, HitsModel::durationColumn, true, {})));
        QCOMPARE(model.index(0, 0).data().toString(), u"gemm_9"_s);
        model.setHits(nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void everyHitHasAColumnAndLongOnesAllOfTheirs() {
        // Columns of 10 us: hits 0-10, 200-211 (i = 1), 1800-1819.
        const auto run = runOf(1);
        const EventTable& events = run->ranks[0]->events;
        std::vector<std::uint8_t> covered(200);
        const TimeAxis axis{{run->span.begin, run->span.begin + 2'000'000}, 200};
        coverColumns(events, std::vector<EventIndex>{0, 1, 9}, axis, covered);
        QCOMPARE(spansOf(covered, true), (std::vector<ColumnSpan>{{0, 1}, {20, 21}, {180, 181}}));
        QCOMPARE(spansOf(covered, false), (std::vector<ColumnSpan>{{1, 20}, {21, 180}, {181, 200}}));
    }
    void aLongHitAfterAShortOneInItsColumnIsCoveredWhole() {
        TraceBuilder builder(0);
        builder.kernel("short", 7, 0, 1).kernel("long", 7, 2, 50);
        const auto trace = builder.build();
        std::vector<std::uint8_t> covered(10);
        coverColumns(trace->events, std::vector<EventIndex>{0, 1}, {{0, 100'000}, 10}, covered);
        QCOMPARE(spansOf(covered, true), (std::vector<ColumnSpan>{{0, 5}}));
    }
    void hitsStayBrightAndTheRestIsVeiled() {
        const QColor base = view_->palette().color(QPalette::Base);
        const auto distance = [&](const EventRef& event) {
            const QRectF rect = view_->scene().rectOf(event);
            const QColor c = pixelAt(view_->grab().toImage(),
                                     view_->lanesRect().topLeft() + rect.topLeft().toPoint() + QPoint(1, 1));
            return std::abs(c.red() - base.red()) + std::abs(c.green() - base.green()) +
                   std::abs(c.blue() - base.blue());
        };
        const int hitBefore = distance(named("gemm_4", 0));
        const int otherBefore = distance(named("gemm_5", 0));
        search(u"gemm_4"_s);
        QCoreApplication::processEvents();
        QCOMPARE(distance(named("gemm_4", 0)), hitBefore);
        QVERIFY(distance(named("gemm_5", 0)) < otherBefore / 2);
    }

private:
    void settle() { QTRY_VERIFY(!panel_->isBusy()); }
    void search(const QString& query) {
        panel_->setQuery(query);
        settle();
    }
    void clickHeader(int column) {
        QHeaderView* header = panel_->table().horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + header->sectionSize(column) / 2, 5});
        settle();
    }
    [[nodiscard]] QString cell(int row, int column) const {
        return panel_->model().index(row, column).data().toString();
    }
    [[nodiscard]] EventRef named(std::string_view name, int rank) const {
        const RankTrace& trace = *state_->trace(rank);
        for (EventIndex i = 0; i < trace.events.size(); ++i)
            if (trace.event_name(i) == name)
                return {rank, i};
        return {};
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
    std::unique_ptr<SearchPanel> panel_;
};

RANKSCOPE_GUI_TEST(TestSearchPanel)

} // namespace rankscope::search_panel_test

#include "test_search_panel.moc"
