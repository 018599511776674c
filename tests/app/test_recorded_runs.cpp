// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded runs in the window of 1280 x 800, where they lie beside the project: what one sees at first.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/panels/details_model.h"
#include "widgets/panels/details_panel.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::recorded_runs_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

QStringList laneNames(const TimelineView& timeline) {
    const auto* headers = timeline.findChild<LaneHeaders*>();
    QStringList names;
    for (const HeaderItem& item : headerItems(*timeline.scene().run, timeline.scene().layout))
        names << headers->nameOf(item.id);
    return names;
}

} // namespace

class TestRecordedRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!QFile::exists(run_))
            QSKIP("skipped: no shared traces");
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        window_ = openedWindow(run_);
        QVERIFY(window_);
        window_->showScreen(MainWindow::timelineScreen);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->timeline().scene().layout.ranks.empty(), kPatience);
    }
    void cleanupTestCase() { window_.reset(); }

    void allEightRanksAreSeenAtOnce() {
        const TimelineScene& scene = window_->timeline().scene();
        QCOMPARE(scene.layout.ranks.size(), std::size_t{8});
        const auto isInView = [&](const RankBlock& block) {
            const int top = scene.viewY(block.top);
            return block.open && top >= 0 && top + block.height <= scene.size.height();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(std::ranges::all_of(scene.layout.ranks, isInView),
                                  qPrintable(u"the last rank ends at %1 of %2"_s
                                                 .arg(scene.layout.ranks.back().top + scene.layout.ranks.back().height)
                                                 .arg(scene.size.height())),
                                  kPatience);
    }

    void lanesAreNamedByTheirRoleAndGpuBusyIsLabelled() {
        QTRY_VERIFY_WITH_TIMEOUT(laneNames(window_->timeline()).join(u'\n').contains(u"communication"_s), kPatience);
        const QStringList names = laneNames(window_->timeline());
        for (const QString& wanted : {u"rank 0, compute · 7"_s, u"rank 0, communication · 84"_s})
            QVERIFY2(names.contains(wanted), qPrintable(names.join(u'\n')));
        for (int rank = 0; rank < 8; ++rank)
            QVERIFY2(std::ranges::any_of(
                         names, [&](const QString& name) { return name.startsWith(u"rank %1, GPU busy"_s.arg(rank)); }),
                     qPrintable(names.join(u'\n')));
    }

    void aSelectedSliceOpensItsDetails() {
        auto* details = window_->findChild<DetailsPanel*>();
        QVERIFY(!details->isVisible());
        window_->viewState().select(EventRef{0, 0});
        QTRY_VERIFY_WITH_TIMEOUT(details->isVisible(), kPatience);
        QVERIFY(details->model()->rowCount() > 3);
    }

    void screensWithoutDataSayWhatToRecord() {
        window_.reset();
        const auto window = openedWindow(QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/resnet_v100_ns"));
        QVERIFY(window);
        for (const auto& [id, line] : std::vector<std::pair<QString, QString>>{
                 {u"collectives"_s, u"\n\ntorch.profiler.profile(activities=["_s},
                 {u"pipeline"_s, u"\n\n[parallelism]\npipeline_parallel_degree = "_s},
                 {u"memory"_s, u"\n\ntorch.profiler.profile(…, profile_memory=True)\n"_s},
                 {u"workers"_s, u"\n\nprof.export_chrome_trace("_s},
                 {u"serving"_s, u"\n\nvllm serve MODEL --profiler-config '{"_s}}) {
            window->showScreen(id);
            const AnalysisScreen* screen = window->analysisScreen(id);
            QTRY_VERIFY2_WITH_TIMEOUT(screen->isReady() && screen->message().contains(line),
                                      qPrintable(id + u": "_s + screen->message()), kPatience);
        }
        window->showScreen(u"study"_s);
        const auto* study = qobject_cast<const StudyScreen*>(window->analysisScreen(u"study"_s));
        QVERIFY(study->hint().contains(u"\n\nsweep.sh runs NCCL_ALGO"_s));
    }

private:
    const QString run_ = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/dlrm_v100_8rank");
    QTemporaryDir settings_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestRecordedRuns)

} // namespace rankscope::recorded_runs_test

#include "test_recorded_runs.moc"
