// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of GPUs on the timeline: where they are drawn, what the label says, the keys that lead to them.
#include <algorithm>
#include <memory>

#include <QAccessible>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/error_marks.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::error_marks_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr TimeNs kBase = 1'700'000'000'000'000'000;

/// Three ranks work from 0 to 1000 us. Errors before the recording, of rank 1 at 250 and 750 us, and of rank 2, which
/// shares its GPU with a rank that is not traced, at 500 us.
std::shared_ptr<const Run> runWithErrors() {
    std::vector<TraceBuilder> ranks;
    for (int rank = 0; rank < 3; ++rank)
        ranks.push_back(TraceBuilder(rank)
                            .base(kBase)
                            .cpu_op("aten::mm", 0, 30)
                            .launch(5, 4)
                            .kernel("gemm", 7, 0, 400)
                            .kernel("gemm", 7, 900, 100));
    Run run = *make_run(ranks);
    run.gpu_errors = {{{1}, GpuErrorKind::xid, 63, kBase - 5'000'000},
                      {{1}, GpuErrorKind::pcie_corrected, 0, kBase + 250'000},
                      {{2, 9}, GpuErrorKind::xid, 79, kBase + 500'000},
                      {{1}, GpuErrorKind::xid, 13, kBase + 750'000}};
    return std::make_shared<const Run>(std::move(run));
}

} // namespace

class TestErrorMarks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        state_ = std::make_unique<ViewState>();
        view_ = std::make_unique<TimelineView>(state_.get());
        view_->setPalette(QPalette(Qt::white));
        view_->resize(1200, 500);
        view_->show();
        view_->setFocus();
        open(runWithErrors());
    }
    void cleanup() {
        view_.reset();
        state_.reset();
    }

    void eachRankHasTheErrorsOfItsGpu() {
        const TimelineScene& scene = view_->scene();
        QVERIFY(errorMarks(scene, 0).empty());
        const std::vector<ErrorMark> marks = errorMarks(scene, 1); // what lies before the recording is not in view
        QCOMPARE(marks.size(), std::size_t{2});
        QCOMPARE(marks[0].column, scene.size.width() / 4);
        QCOMPARE(marks[1].column, scene.size.width() * 3 / 4);
        QCOMPARE(errorMarks(scene, 2).size(), std::size_t{1});
    }
    void theyAreDrawnOverTheLanesOfThatGpuOnly() {
        const QImage with = view_->grab().toImage();
        Run calm = *state_->run();
        calm.gpu_errors.clear();
        open(std::make_shared<const Run>(std::move(calm)));
        const QImage without = view_->grab().toImage();
        const int column = view_->scene().size.width() / 4;
        for (std::size_t rank = 0; rank < 3; ++rank) {
            const QPoint place =
                view_->lanesRect().topLeft() +
                QPoint(column, view_->scene().viewY(stripOfErrors(view_->scene(), rank)->bottom()) - 3);
            QCOMPARE(with.pixelColor(place) != without.pixelColor(place), rank == 1);
        }
    }
    void manyErrorsCostNoMoreThanColumns() {
        Run run = *state_->run();
        for (int i = 0; i < 100'000; ++i)
            run.gpu_errors.push_back({{1}, GpuErrorKind::pcie_corrected, 0, kBase + 800'000 + i});
        open(std::make_shared<const Run>(std::move(run)));
        const std::vector<ErrorMark> marks = errorMarks(view_->scene(), 1);
        QVERIFY(marks.size() < 200);
        std::size_t errors = 0;
        for (const ErrorMark& mark : marks)
            errors += mark.errors;
        QCOMPARE(errors, std::size_t{100'002});
        view_->grab();
        const QStringList lines = hover(1, marks.back().column);
        QVERIFY2(lines.size() > 1 && lines[1].endsWith(u"more at this place"_s), qPrintable(lines.join(u'|')));
    }

    void theLabelSaysWhatHappened() {
        const TimelineScene& scene = view_->scene();
        const int column = scene.size.width() / 4;
        // Over the kernel that runs then: the error first, then the kernel.
        const QStringList lines = hover(1, column + 3);
        QCOMPARE(lines.value(0), u"GPU error: a corrected error of the PCIe link"_s);
        QCOMPARE(lines.value(1), u"rank 1 · kernel log · at 250.000 µs"_s);
        QVERIFY(!hover(0, column).join(u'|').contains(u"GPU error"_s));
        QVERIFY(!hover(1, column + 30).join(u'|').contains(u"GPU error"_s));
        const QStringList fallen = hover(2, scene.size.width() / 2); // no slice is there
        QCOMPARE(fallen.value(0), u"GPU error: Xid 79 (the GPU has fallen off the bus)"_s);
    }

    void keysLeadFromErrorToError() {
        const TimelineScene& scene = view_->scene();
        const auto step = [&](Qt::KeyboardModifiers modifiers) {
            QTest::keyClick(view_.get(), Qt::Key_N, modifiers);
            return scene.hoverLines.value(1);
        };
        QCOMPARE(step({}), u"rank 1 · kernel log · at 250.000 µs"_s);
        QCOMPARE(step({}), u"rank 2 · kernel log · at 500.000 µs"_s);
        QCOMPARE(step({}), u"rank 1 · kernel log · at 750.000 µs"_s);
        QCOMPARE(step({}), u"rank 1 · kernel log · at 750.000 µs"_s); // the last one
        QCOMPARE(step(Qt::ShiftModifier), u"rank 2 · kernel log · at 500.000 µs"_s);
        // Elsewhere it starts from what is in view, and brings the error there.
        state_->setVisibleRange({kBase + 600'000, kBase + 700'000});
        QCOMPARE(step({}), u"rank 1 · kernel log · at 750.000 µs"_s);
        QCOMPARE(scene.visible, (TimeRange{kBase + 700'000, kBase + 800'000}));
        QCOMPARE(scene.pointer.x(), scene.size.width() / 2);
    }
    void aHiddenRankComesBackAndAFilterLeaves() {
        view_->hideLane(LaneId::ofRank(1));
        QTest::keyClick(view_.get(), Qt::Key_N);
        QVERIFY(stripOfErrors(view_->scene(), 1) != nullptr);
        view_->setLaneFilter(u"thread"_s);
        QVERIFY(stripOfErrors(view_->scene(), 2) == nullptr);
        QTest::keyClick(view_.get(), Qt::Key_N);
        QVERIFY(stripOfErrors(view_->scene(), 2) != nullptr);
        QVERIFY(QRect(QPoint(), view_->scene().size).contains(view_->scene().pointer));
    }
    void screenReadersAreToldOfIt() {
        QAccessibleInterface* timeline = QAccessible::queryAccessibleInterface(view_.get());
        const int before = timeline->childCount();
        QTest::keyClick(view_.get(), Qt::Key_N);
        QCOMPARE(timeline->childCount(), before + 1);
        QVERIFY(timeline->child(before)->text(QAccessible::Name).startsWith(u"GPU error: a corrected error"_s));
    }
    void withoutErrorsTheKeysDoNothing() {
        open(make_run({TraceBuilder(0).kernel("gemm", 7, 0, 400)}));
        QTest::keyClick(view_.get(), Qt::Key_N);
        QVERIFY(view_->scene().hoverLines.isEmpty());
        QVERIFY(!view_->scene().errorShown);
    }

private:
    void open(const std::shared_ptr<const Run>& run) {
        state_->setRun(run);
        QTRY_VERIFY(view_->isReady());
        QCoreApplication::processEvents();
    }
    /// What the label says there, in the first lane of the rank's GPU.
    QStringList hover(std::size_t rank, int column) {
        const LaneStrip* strip = stripOfErrors(view_->scene(), rank);
        const QPoint point =
            view_->lanesRect().topLeft() + QPoint(column, view_->scene().viewY(strip->top) + strip->height / 2);
        QMouseEvent move(QEvent::MouseMove, point, view_->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(view_.get(), &move);
        return view_->scene().hoverLines;
    }

    std::unique_ptr<ViewState> state_;
    std::unique_ptr<TimelineView> view_;
};

RANKSCOPE_GUI_TEST(TestErrorMarks)

} // namespace rankscope::error_marks_test

#include "test_error_marks.moc"
