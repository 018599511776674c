// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph of what is selected: what it is of after each gesture, its sums, and what a box leads to.
#include <memory>

#include <QAbstractButton>
#include <QComboBox>
#include <QSignalSpy>
#include <QtTest>

#include "core/analysis/search/event_search.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/charts/flame_graph.h"
#include "widgets/panels/flame_panel.h"
#include "widgets/panels/range_panel.h"

namespace rankscope::flame_panel_test {
using namespace Qt::Literals::StringLiterals;

namespace {

using Of = FlamePanel::Of;
constexpr int kPatience = 20'000;
constexpr TimeNs kStart = 1'700'000'000'000'000'000;

/// Two steps of 200 us. In each: Block_0 calls model.py, which calls linear (at 0, 20 us), which calls addmm (10 us):
/// it launches gemm, `gemm_us` long, 30 us after the start of the step. On another thread backward (at 50, 10 us)
/// launches dgrad: 20 us, from 100 on. Last a kernel that nobody launched, 3 us.
TraceBuilder rankWith(int number, double gemm_us) {
    TraceBuilder rank(number);
    rank.base(kStart);
    for (int step = 0; step < 2; ++step) {
        const double at = 200.0 * step;
        rank.step(step + 1, at, 200)
            .python("nn.Module: Block_0", at, 40)
            .python("model.py(3): forward", at, 30)
            .cpu_op("linear", at, 20)
            .cpu_op("addmm", at + 2, 10)
            .launch(at + 4, 2)
            .kernel("gemm", 7, at + 30, gemm_us)
            .cpu_op("backward", at + 50, 10, TraceBuilder::kAutogradThread)
            .launch(at + 52, 2, "cudaLaunchKernel", TraceBuilder::kAutogradThread)
            .kernel("dgrad", 7, at + 100, 20);
    }
    rank.kernel("stray", 7, 395, 3);
    return rank;
}

} // namespace

class TestFlamePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        panel_ = std::make_unique<FlamePanel>(state_.get());
        panel_->resize(1000, 300);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
        state_->setRun(make_run({rankWith(0, 40), rankWith(5, 60)}));
    }
    void cleanup() {
        panel_.reset();
        state_.reset();
    }

    void withoutASelectionItSaysWhatToDo() {
        QCOMPARE(panel_->summary(),
                 u"Select a slice, or drag on the ruler to mark a range, to see the calls below it."_s);
        for (const Of of : {Of::slice, Of::name, Of::step, Of::range, Of::found})
            QVERIFY(!panel_->button(of).isEnabled());
    }
    void aSliceShowsWhatItLaunched() {
        select(0, u"linear"_s);
        QCOMPARE(panel_->of(), Of::slice);
        QCOMPARE(shown(), (QStringList{u"All"_s, u"linear"_s, u"addmm"_s, u"gemm"_s}));
        QCOMPARE(panel_->summary(), u"linear · rank 0 · 40.0 µs on the GPU · 20.0 µs on the CPU"_s);
        select(5, u"addmm"_s); // the next one at once
        QCOMPARE(shown(), (QStringList{u"All"_s, u"addmm"_s, u"gemm"_s}));
        QCOMPARE(panel_->summary(), u"addmm · rank 5 · 60.0 µs on the GPU · 10.0 µs on the CPU"_s);
    }
    void gpuWorkShowsWhoLaunchedIt() {
        select(0, u"gemm"_s);
        QCOMPARE(shown(), (QStringList{u"All"_s, u"Block_0"_s, u"linear"_s, u"addmm"_s, u"gemm"_s}));
        QCOMPARE(panel_->summary(), u"gemm · rank 0 · 40.0 µs on the GPU"_s);
        press(FlamePanel::Part::modules);
        QCOMPARE(shown(), (QStringList{u"All"_s, u"linear"_s, u"addmm"_s, u"gemm"_s}));
        press(FlamePanel::Part::python);
        QCOMPARE(shown(),
                 (QStringList{u"All"_s, u"Block_0"_s, u"model.py(3): forward"_s, u"linear"_s, u"addmm"_s, u"gemm"_s}));
        select(0, u"stray"_s);
        QCOMPARE(panel_->summary(),
                 u"stray · rank 0: no call is known that launched this GPU work (record with ProfilerActivity.CPU)."_s);
    }
    void allOfANameOnOneRankOrOnAll() {
        select(0, u"addmm"_s);
        press(Of::name);
        QCOMPARE(panel_->summary(), u"2 of addmm · rank 0 · 80.0 µs on the GPU · 20.0 µs on the CPU"_s);
        panel_->rankChoice().setCurrentIndex(0);
        Q_EMIT panel_->rankChoice().activated(0);
        settle();
        QCOMPARE(panel_->summary(), u"4 of addmm · all ranks · 200 µs on the GPU · 40.0 µs on the CPU"_s);
        select(5, u"linear"_s); // goes on with all of the name
        QCOMPARE(panel_->summary(), u"2 of linear · rank 5 · 120 µs on the GPU · 40.0 µs on the CPU"_s);
    }
    void aStepHasAllItsThreads() {
        select(5, u"ProfilerStep#2"_s);
        QCOMPARE(panel_->of(), Of::step);
        QCOMPARE(
            panel_->summary(),
            u"Step 2 · rank 5 · 80.0 µs on the GPU · 50.0 µs on the CPU · 3.00 µs of GPU work without a known caller"_s);
        QVERIFY(shown().contains(u"dgrad"_s));
    }
    void aRangeCutsWhatCrossesItsEdgesAsTheRangePanelDoes() {
        RangePanel range(state_.get());
        // 10 to 110 us: gemm 40 and 60, 10 of each dgrad.
        state_->setRange(TimeRange{kStart + 10'000, kStart + 110'000});
        settle();
        QCOMPARE(panel_->of(), Of::range);
        // Of Block_0 30 (linear 10, of which addmm 2), backward 10: 40 on each rank.
        QCOMPARE(panel_->summary(), u"100.0 µs from 10.000 µs · all ranks · 120 µs on the GPU · 80.0 µs on the CPU"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!range.isBusy(), kPatience);
        QVERIFY2(range.summary().contains(u"120.0 µs summed"_s), qPrintable(range.summary()));
        panel_->rankChoice().setCurrentIndex(2);
        Q_EMIT panel_->rankChoice().activated(2);
        settle();
        QCOMPARE(panel_->summary(), u"100.0 µs from 10.000 µs · rank 5 · 70.0 µs on the GPU · 40.0 µs on the CPU"_s);
        state_->setRange({});
        QVERIFY(panel_->summary().startsWith(u"Select a slice"_s));
    }
    void whatASearchFoundIsOneGraph() {
        const RunClasses classes(state_->run());
        state_->setSearchHits(
            std::make_shared<const SearchHits>(*search_events(classes, *parse_event_query("/gemm|dgrad/"))));
        QVERIFY(panel_->button(Of::found).isEnabled());
        press(Of::found);
        QCOMPARE(panel_->summary(), u"8 found · all ranks · 280 µs on the GPU"_s);
    }
    void aRankIsShownAsAWhole() {
        const QSignalSpy wanted(panel_.get(), &Panel::wantedOnScreen);
        panel_->showRank(5);
        settle();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(panel_->of(), Of::run);
        QCOMPARE(
            panel_->summary(),
            u"All of rank 5 · 160 µs on the GPU · 100 µs on the CPU · 3.00 µs of GPU work without a known caller"_s);
        panel_->showRank(99); // there is none
        QCOMPARE(panel_->of(), Of::run);
    }
    void withoutGpuWorkTheWidthIsCpuTime() {
        select(0, u"cudaLaunchKernel"_s);
        QCOMPARE(panel_->weightChoice().currentIndex(), 0);
        panel_->weightChoice().setCurrentIndex(1);
        Q_EMIT panel_->weightChoice().activated(1);
        QCOMPARE(shown(), (QStringList{u"All"_s, u"cudaLaunchKernel"_s}));
        select(0, u"gemm"_s); // has no CPU time
        QCOMPARE(panel_->weightChoice().currentIndex(), 0);
        QCOMPARE(shown().last(), u"gemm"_s);
        select(0, u"linear"_s);
        QCOMPARE(panel_->weightChoice().currentIndex(), 1); // as it was wished
    }
    void keysWalkAndLeadBack() {
        const QSignalSpy left(panel_.get(), &Panel::left);
        const QSignalSpy asked(panel_.get(), &Panel::instancesAsked);
        select(0, u"linear"_s);
        FlameGraph& flames = panel_->flames();
        flames.setFocus();
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Return}) // from all
            QTest::keyClick(&flames, key);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toString(), u"/^addmm$/ rank:0"_s);
        QTest::keyClick(&flames, Qt::Key_Space);
        QCOMPARE(flames.nameOf(flames.root()), u"addmm"_s);
        QTest::keyClick(&flames, Qt::Key_Escape); // to linear, to all, to the timeline
        QTest::keyClick(&flames, Qt::Key_Escape);
        QCOMPARE(left.size(), 0);
        QTest::keyClick(&flames, Qt::Key_Escape);
        QCOMPARE(left.size(), 1);
    }
    void whoDoesNotLookCostsNothing() {
        panel_->hide();
        select(0, u"linear"_s, false);
        QVERIFY(!panel_->isBusy());
        panel_->show();
        settle();
        QCOMPARE(shown().size(), 4);
    }
    void everyControlHasANameAndAnotherRunStartsAfresh() {
        for (const QWidget* control : panel_->findChildren<QWidget*>())
            if (control->focusPolicy() != Qt::NoFocus && control->isVisible() && !control->inherits("QLabel"))
                QVERIFY2(!control->accessibleName().isEmpty() ||
                             !qobject_cast<const QAbstractButton*>(control)->text().isEmpty(),
                         control->metaObject()->className());
        select(0, u"linear"_s);
        state_->setRun(make_run({rankWith(7, 10)}));
        QVERIFY(panel_->summary().startsWith(u"Select a slice"_s));
        QVERIFY(panel_->flames().boxes().empty());
        select(7, u"linear"_s);
        QCOMPARE(panel_->summary(), u"linear · rank 7 · 10.0 µs on the GPU · 20.0 µs on the CPU"_s);
    }

private:
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!panel_->isBusy(), kPatience); }
    void select(int rank, const QString& name, bool wait = true) {
        const RankTrace& trace = *state_->trace(rank);
        for (EventIndex i = 0; i < trace.events.size(); ++i)
            if (trace.event_name(i) == name.toStdString()) {
                state_->select(EventRef{rank, i});
                break;
            }
        if (wait)
            settle();
    }
    template <typename Which>
    void press(Which which) {
        panel_->button(which).click();
        settle();
    }
    QStringList shown() const {
        QStringList names;
        for (const FlameBox& box : panel_->flames().boxes())
            names << panel_->flames().nameOf(box.node);
        return names;
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<FlamePanel> panel_;
};

RANKSCOPE_GUI_TEST(TestFlamePanel)

} // namespace rankscope::flame_panel_test

#include "test_flame_panel.moc"
