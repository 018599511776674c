// SPDX-License-Identifier: GPL-3.0-or-later
// Passes of a pipeline read from a simulated run, and ideal schedules worked out by hand.
#include <set>

#include <QTemporaryDir>
#include <QtTest>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/views/pipeline_schedule.h"
#include "tests/support/test_program.h"

namespace rankscope::pipeline_schedule_test {

namespace {

/// Passes as numbered annotations give them: every stage the same lengths.
PipelineStep step_of(std::size_t stages, std::int64_t microbatches, TimeNs forward, TimeNs backward,
                     bool gpipe = false) {
    PipelineStep step;
    step.numbered = true;
    for (std::size_t s = 0; s < stages; ++s) {
        PipelineLane lane;
        lane.stage = static_cast<int>(s);
        TimeNs at = 0;
        const auto add = [&](PipelineWork work, std::int64_t microbatch, TimeNs length) {
            lane.passes.push_back({{at, at + length}, work, microbatch, 0});
            at += length;
        };
        for (std::int64_t m = 0; m < microbatches; ++m) {
            add(PipelineWork::forward, m, forward);
            if (!gpipe)
                add(PipelineWork::backward, m, backward);
        }
        for (std::int64_t m = 0; gpipe && m < microbatches; ++m)
            add(PipelineWork::backward, m, backward);
        step.lanes.push_back(std::move(lane));
    }
    return step;
}

TimeNs busy(const std::vector<PipelineSlice>& slices) {
    TimeNs sum = 0;
    for (const PipelineSlice& slice : slices)
        sum += slice.range.length();
    return sum;
}

} // namespace

class TestPipelineSchedule : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theIdealLengthIsThatOfTheFormula_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<QByteArray>("schedule");
        QTest::newRow("1F1B 4 x 8") << 4 << 8 << QByteArray("1F1B");
        QTest::newRow("1F1B 2 x 2") << 2 << 2 << QByteArray("1F1B");
        QTest::newRow("GPipe 4 x 8") << 4 << 8 << QByteArray("GPipe");
        QTest::newRow("fewer microbatches than stages") << 4 << 2 << QByteArray("1F1B");
        QTest::newRow("one microbatch") << 3 << 1 << QByteArray("1F1B");
    }
    void theIdealLengthIsThatOfTheFormula() {
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        QFETCH(QByteArray, schedule);
        const IdealPipeline ideal =
            ideal_pipeline(step_of(static_cast<std::size_t>(stages), microbatches, 10, 20), schedule.toStdString());
        QCOMPARE(QByteArray::fromStdString(ideal.schedule), schedule);
        QCOMPARE(ideal.length, TimeNs{30} * (microbatches + stages - 1));
        QCOMPARE(ideal.bubble_share, (stages - 1.0) / (microbatches + stages - 1));
        for (const auto& stage : ideal.stages) {
            QCOMPARE(stage.size(), static_cast<std::size_t>(2 * microbatches));
            QCOMPARE(busy(stage), TimeNs{30} * microbatches);
            for (std::size_t i = 1; i < stage.size(); ++i)
                QVERIFY(stage[i - 1].range.end <= stage[i].range.begin);
        }
    }
    void twoStagesByHand() {
        // Stage 0: F0 0-10, F1 10-20, B0 40-60, B1 70-90. Stage 1: F0 10-20, B0 20-40, F1 40-50, B1 50-70.
        const IdealPipeline ideal = ideal_pipeline(step_of(2, 2, 10, 20), "1F1B");
        const auto times = [&](std::size_t stage) {
            std::vector<TimeNs> result;
            for (const PipelineSlice& slice : ideal.stages[stage])
                result.push_back(slice.range.begin);
            return result;
        };
        QCOMPARE(times(0), (std::vector<TimeNs>{0, 10, 40, 70}));
        QCOMPARE(times(1), (std::vector<TimeNs>{10, 20, 40, 50}));
        QCOMPARE(ideal.length, TimeNs{90});
        QCOMPARE(ideal.wait, TimeNs{(90 - 60 + 70 - 60) / 2});
    }
    void theScheduleIsToldFromTheFirstStageWhereTheCardIsSilent() {
        QCOMPARE(ideal_pipeline(step_of(2, 4, 10, 20, true), "").schedule, std::string("GPipe"));
        QCOMPARE(ideal_pipeline(step_of(2, 4, 10, 20, false), "").schedule, std::string("1F1B"));
    }
    void whatIsNotKnownIsNotDrawn() {
        PipelineStep step = step_of(2, 2, 10, 20);
        step.numbered = false;
        QVERIFY(ideal_pipeline(step, "1F1B").schedule.empty());
        QVERIFY(!ideal_pipeline(step, "1F1B").why_not.empty());
        step = step_of(2, 2, 10, 20);
        step.lanes[0].passes.push_back({{100, 110}, PipelineWork::forward, 0, 0}); // a second chunk of the model
        QVERIFY(english(ideal_pipeline(step, "").why_not).find("interleaved") != std::string::npos);
    }
    void aSimulatedRunGivesEveryPassOfEveryStage() {
        const QTemporaryDir folder;
        SimulatorOptions options;
        options.pp = 4;
        options.dp = 2;
        options.microbatches = 6;
        options.steps = 2;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const auto replicas = pipeline_replicas(analysis);
        QCOMPARE(replicas.size(), std::size_t{2});
        QCOMPARE(replicas[1].ranks, (std::vector<std::uint32_t>{1, 3, 5, 7}));
        const auto steps = pipeline_steps(analysis, replicas[0]);
        QCOMPARE(steps.size(), std::size_t{2});
        const PipelineStep step = read_pipeline_step(analysis, replicas[0], steps[1]);
        QVERIFY(step.numbered);
        QCOMPARE(step.lanes.size(), std::size_t{4});
        for (std::size_t s = 0; s < 4; ++s) {
            const PipelineLane& lane = step.lanes[s];
            QCOMPARE(lane.stage, static_cast<int>(s));
            std::set<std::int64_t> forwards;
            std::set<std::int64_t> backwards;
            for (const PipelineSlice& slice : lane.passes) {
                QVERIFY(slice.range.begin >= 0 && slice.range.end <= step.span.length());
                if (slice.work == PipelineWork::forward)
                    QVERIFY(forwards.insert(slice.microbatch).second);
                if (slice.work == PipelineWork::backward)
                    QVERIFY(backwards.insert(slice.microbatch).second);
            }
            QCOMPARE(forwards, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5}));
            QCOMPARE(backwards, forwards);
            QVERIFY(!lane.messages.empty());
            TimeNs bubbles = 0;
            for (const BubbleSpan& bubble : lane.bubbles)
                bubbles += bubble.range.length();
            QCOMPARE(bubbles, lane.account.bubble());
        }
        // A later stage cannot start before an earlier one has sent.
        QVERIFY(step.lanes[0].passes.front().range.end <= step.lanes[1].passes.front().range.begin);
        const IdealPipeline ideal = ideal_pipeline(step, "");
        QCOMPARE(ideal.schedule, std::string("1F1B"));
        QVERIFY(ideal.length <= step.span.length());
        QCOMPARE(ideal.bubble_share, 3.0 / 9);
    }
    void aRunWithoutPipelineHasNone() {
        const QTemporaryDir folder;
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 1;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        QVERIFY(pipeline_replicas(RunAnalysis(*run, {})).empty());
    }
};

RANKSCOPE_TEST(TestPipelineSchedule)

} // namespace rankscope::pipeline_schedule_test

#include "test_pipeline_schedule.moc"
