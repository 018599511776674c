// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules action by action: made, read from PyTorch's own tables, and told from what a run recorded.
#include <QtTest>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "core/analysis/pipeline/pipeline_actions.h"
#include "core/analysis/pipeline/program_bubble.h"
#include "core/run/run_analysis.h"
#include "core/views/pipeline_schedule.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::pipeline_actions_test {

namespace {

PipelineProgram table_of(const std::string& name) {
    std::ifstream file(std::string(RANKSCOPE_SHARED_DIR) + "/oracle/schedules/" + name);
    PipelineProgram program;
    for (std::string line; std::getline(file, line);) {
        std::vector<PipelineAction>& rank = program.emplace_back();
        std::stringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) // an empty cell waits
            for (const PipelineAction& action : parse_actions(cell))
                rank.push_back(action);
        split_backward_passes(rank);
    }
    return program;
}

std::size_t actions_in(const PipelineProgram& program) {
    std::size_t count = 0;
    for (const auto& rank : program)
        count += rank.size();
    return count;
}

/// Each rank marks its actions as PyTorch does, and launches a kernel in each.
std::shared_ptr<const Run> recorded(const PipelineProgram& program) {
    std::vector<TraceBuilder> ranks;
    for (std::size_t r = 0; r < program.size(); ++r) {
        TraceBuilder& rank = ranks.emplace_back(static_cast<int>(r));
        double now = 10;
        for (const std::string& cell : action_cells(program[r])) {
            rank.annotation("PP:" + cell, now, 8).launch(now + 1, 2).kernel("gemm", 7, now + 4, 5);
            now += 10;
        }
        rank.step(1, 0, now + 10);
    }
    return make_run(ranks, "pipeline",
                    {{"Model-executor.model_plan_parallelization.pp", std::to_string(program.size())}});
}

/// The program played through, 10 ms a unit (a forward pass one, a backward pass two, each of its parts one); hosts run
/// ahead, and there are no messages.
std::shared_ptr<const Run> played(const PipelineProgram& program) {
    const auto units = [](const PipelineAction& action) { return action.kind == PassKind::backward ? 2.0 : 1.0; };
    const auto times = play_program(program, units, 0);
    constexpr double kUnit = 10'000;
    constexpr double kStart = 5'000;
    std::vector<TraceBuilder> ranks;
    for (std::size_t r = 0; r < program.size(); ++r) {
        TraceBuilder& rank = ranks.emplace_back(static_cast<int>(r));
        double now = 10;
        std::size_t action = 0;
        for (const std::string& cell : action_cells(program[r])) {
            const std::size_t count = program[r][action].with_next ? 2 : 1;
            double length = 0;
            for (std::size_t i = action; i < action + count; ++i)
                length += units(program[r][i]);
            rank.annotation("PP:" + cell, now, 8).launch(now + 1, 2);
            rank.kernel("gemm", 7, kStart + times->begin[r][action] * kUnit, length * kUnit);
            now += 10;
            action += count;
        }
        rank.step(1, 0, kStart + times->length * kUnit);
    }
    return make_run(ranks, "pipeline",
                    {{"Model-executor.model_plan_parallelization.pp", std::to_string(program.size())}});
}

} // namespace

class TestPipelineActions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void actionsAreReadAsPyTorchWritesThem() {
        QCOMPARE(action_text({3, PassKind::backward_weight, 12, false}), std::string("3W12"));
        const auto pair = parse_actions("(0F7;7B3)OVERLAP_F_B");
        QCOMPARE(pair.size(), std::size_t{2});
        QVERIFY((pair[0] == PipelineAction{0, PassKind::forward, 7, true}));
        QVERIFY((pair[1] == PipelineAction{7, PassKind::backward, 3, false}));
        QCOMPARE(action_cells(pair), std::vector<std::string>{"(0F7;7B3)OVERLAP_F_B"});
        for (const char* none : {"", "F1", "3X1", "3F", "3F1x", "(0F7;7B3)", "(0F7)OVERLAP_F_B", "3SEND_F1", "-1F2",
                                 "99999999999F0", "3UNSHARD"})
            QVERIFY2(parse_actions(none).empty(), none);
    }

    void backwardPassesInTwoParts() {
        std::vector<PipelineAction> actions{{0, PassKind::backward, 0, false},
                                            {0, PassKind::backward, 1, false},
                                            {0, PassKind::backward_weight, 1, false}};
        split_backward_passes(actions);
        QCOMPARE(actions[0].kind, PassKind::backward);
        QCOMPARE(actions[1].kind, PassKind::backward_input);
    }

    void pyTorchsTablesAreMet() {
        if (!std::ifstream(std::string(RANKSCOPE_SHARED_DIR) + "/oracle/schedules/dualpipev_4rank.csv"))
            QSKIP("skipped: no shared traces");
        const PipelineProgram dualpipev = table_of("dualpipev_4rank.csv");
        QCOMPARE(actions_in(dualpipev), std::size_t{182});
        QVERIFY(dualpipev == dualpipev_program(4, 10));
        const PipelineProgram zero_bubble = table_of("zb1p_2rank_2stages_each.csv");
        QCOMPARE(actions_in(zero_bubble), std::size_t{96});
        QVERIFY(zero_bubble == zero_bubble_program(2, 2, 8));
    }

    /// Every microbatch passes every stage once forward and once backward, weights behind inputs.
    void programsAreWhole_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("microbatches");
        QTest::newRow("2, 4") << 2 << 4;
        QTest::newRow("4, 8") << 4 << 8;
        QTest::newRow("4, 20") << 4 << 20;
        QTest::newRow("8, 32") << 8 << 32;
    }
    void programsAreWhole() {
        QFETCH(int, ranks);
        QFETCH(int, microbatches);
        const auto check = [&](const PipelineProgram& program, int stages) {
            std::map<std::tuple<int, std::int64_t, PassKind>, int> count;
            for (const auto& rank : program) {
                std::set<std::pair<int, std::int64_t>> forward;
                std::set<std::pair<int, std::int64_t>> input;
                for (const PipelineAction& action : rank) {
                    ++count[{action.stage, action.microbatch, action.kind}];
                    const std::pair pass{action.stage, action.microbatch};
                    if (action.kind == PassKind::forward)
                        forward.insert(pass);
                    else if (action.kind == PassKind::backward_weight)
                        QVERIFY(input.contains(pass));
                    else
                        QVERIFY(forward.contains(pass));
                    if (action.kind == PassKind::backward_input)
                        input.insert(pass);
                }
            }
            for (int stage = 0; stage < stages; ++stage)
                for (int m = 0; m < microbatches; ++m) {
                    const auto of = [&](PassKind kind) { return count[{stage, m, kind}]; };
                    QCOMPARE(of(PassKind::forward), 1);
                    QCOMPARE(of(PassKind::backward) + of(PassKind::backward_input), 1);
                    QCOMPARE(of(PassKind::backward_input), of(PassKind::backward_weight));
                }
        };
        check(dualpipev_program(ranks, microbatches), 2 * ranks);
        check(dualpipe_program(ranks, microbatches), ranks);
        check(zero_bubble_program(ranks, 2, microbatches), 2 * ranks);
    }

    void whatRanIsToldFromTheRecording_data() {
        QTest::addColumn<int>("schedule");
        QTest::newRow("DualPipeV") << static_cast<int>(ScheduleKind::dualpipev);
        QTest::newRow("DualPipe") << static_cast<int>(ScheduleKind::dualpipe);
        QTest::newRow("zero bubble") << static_cast<int>(ScheduleKind::zero_bubble);
    }
    void whatRanIsToldFromTheRecording() {
        QFETCH(int, schedule);
        const auto kind = static_cast<ScheduleKind>(schedule);
        const PipelineProgram program = kind == ScheduleKind::dualpipev  ? dualpipev_program(4, 10)
                                        : kind == ScheduleKind::dualpipe ? dualpipe_program(4, 12)
                                                                         : zero_bubble_program(2, 2, 8);
        const RunAnalysis analysis(recorded(program), {});
        QCOMPARE(english(analysis.pipeline().unavailable), std::string());
        QCOMPARE(analysis.pipeline().schedule, kind);
        QCOMPARE(analysis.pipeline().chunks, std::optional(2.0));
        QVERIFY(analysis.pipeline().actions == program); // action by action
        QCOMPARE(analysis.pipeline().ideal, program_bubble(program));
        QVERIFY(analysis.pipeline().ideal.value_or(1) < 0.2);
    }

    /// Another program has played PyTorch's tables: units that a rank waits before its first backward pass, between it
    /// and the last forward pass, and after that. A pair is both.
    void bubblesAreOfTheirPhase_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QList<QList<int>>>("units");
        QTest::newRow("DualPipeV") << QByteArray("dualpipev_4rank.csv")
                                   << QList<QList<int>>{{0, 6, 0}, {0, 4, 1}, {0, 2, 2}, {0, 0, 3}};
        QTest::newRow("zero bubble") << QByteArray("zb1p_2rank_2stages_each.csv")
                                     << QList<QList<int>>{{1, 0, 0}, {0, 0, 0}};
    }
    void bubblesAreOfTheirPhase() {
        QFETCH(QByteArray, table);
        QFETCH(QList<QList<int>>, units);
        if (!std::ifstream(std::string(RANKSCOPE_SHARED_DIR) + "/oracle/schedules/" + table.toStdString()))
            QSKIP("skipped: no shared traces");
        const RunAnalysis analysis(played(table_of(table.toStdString())), {});
        QCOMPARE(analysis.pipeline().steps.size(), static_cast<std::size_t>(units.size()));
        constexpr TimeNs kUnit = 10'000'000;
        for (const StepBubble& step : analysis.pipeline().steps) {
            const QList<int>& own = units[static_cast<int>(step.rank)];
            QCOMPARE(step.warmup, own[0] * kUnit);
            QCOMPARE(step.steady, own[1] * kUnit);
            QCOMPARE(step.cooldown, own[2] * kUnit);
            QCOMPARE(step.unplaced, TimeNs{0});
        }
    }

    /// The passes of the screen are the program: each with its part of the model, pairs with both of theirs.
    void theScreenShowsPartsAndPairs_data() { whatRanIsToldFromTheRecording_data(); }
    void theScreenShowsPartsAndPairs() {
        QFETCH(int, schedule);
        const auto kind = static_cast<ScheduleKind>(schedule);
        const PipelineProgram program = kind == ScheduleKind::dualpipev  ? dualpipev_program(4, 10)
                                        : kind == ScheduleKind::dualpipe ? dualpipe_program(4, 12)
                                                                         : zero_bubble_program(2, 2, 8);
        const RunAnalysis analysis(recorded(program), {});
        const auto replicas = pipeline_replicas(analysis);
        QCOMPARE(replicas.size(), std::size_t{1});
        const PipelineStep step = read_pipeline_step(analysis, replicas.front(), 1);
        QCOMPARE(step.lanes.size(), program.size());
        std::size_t pairs = 0;
        for (std::size_t lane = 0; lane < program.size(); ++lane) {
            std::vector<PipelineAction> shown;
            for (const PipelineSlice& slice : step.lanes[lane].passes) {
                const PassKind pass = slice.work == PipelineWork::forward           ? PassKind::forward
                                      : slice.work == PipelineWork::weight_gradient ? PassKind::backward_weight
                                      : slice.input_part                            ? PassKind::backward_input
                                                                                    : PassKind::backward;
                shown.push_back({slice.model_stage, pass, slice.microbatch, slice.with.has_value()});
                if (slice.with)
                    shown.push_back(*slice.with);
                pairs += slice.with ? 1 : 0;
            }
            QVERIFY(shown == program[lane]);
        }
        QCOMPARE(pairs > 0, kind != ScheduleKind::zero_bubble);
        const IdealPipeline ideal = ideal_pipeline(step, "", analysis.pipeline().schedule);
        QCOMPARE(ideal.schedule, std::string(kind == ScheduleKind::dualpipev  ? "DualPipeV"
                                             : kind == ScheduleKind::dualpipe ? "DualPipe"
                                                                              : "zero-bubble"));
        // Every pass and every pair takes one kernel of 5 us; the rest of the length is waiting.
        std::size_t slices = 0;
        for (const auto& stage : ideal.stages)
            slices += stage.size();
        const double busy = 5000.0 * static_cast<double>(slices) / static_cast<double>(program.size());
        QVERIFY(std::abs(ideal.bubble_share - (1 - busy / static_cast<double>(ideal.length))) < 1e-9);
        QVERIFY(ideal.bubble_share > 0 && ideal.bubble_share < 0.3);
    }

    /// The ideal bubbles of Narayanan et al., section 2.2.
    void plainProgramsLeaveWhatTheFormulaSays() {
        QVERIFY(std::abs(program_bubble(gpipe_program(4, 8)).value() - 3.0 / 11) < 1e-12);
        QVERIFY(std::abs(program_bubble(one_f_one_b_program(4, 8)).value() - 3.0 / 11) < 1e-12);
        QVERIFY(std::abs(program_bubble(one_f_one_b_program(4, 2)).value() - 3.0 / 5) < 1e-12);
        QVERIFY(std::abs(program_bubble(interleaved_program(4, 2, 8)).value() - 3.0 / 19) < 1e-12);
        QVERIFY(std::abs(program_bubble(interleaved_program(2, 3, 4)).value() - 1.0 / 13) < 1e-12);
        QCOMPARE(actions_in(interleaved_program(4, 2, 8)), std::size_t{2 * 4 * 2 * 8});
    }

    /// Durations and messages by hand: F 10, B 20, a message 3.
    void messagesTakeTime() {
        const auto duration = [](const PipelineAction& action) {
            return action.kind == PassKind::forward ? 10.0 : 20.0;
        };
        const auto played = play_program(one_f_one_b_program(2, 1), duration, 3);
        QVERIFY(played.has_value());
        QCOMPARE(played->begin, (std::vector<std::vector<double>>{{0, 46}, {13, 23}}));
        QCOMPARE(played->length, 66.0);
        QCOMPARE(played->busy, 30.0);
    }

    void whatASchedulesLeavesIdle() {
        const auto actions = [](std::initializer_list<const char*> cells) {
            std::vector<PipelineAction> list;
            for (const char* cell : cells)
                list.push_back(parse_actions(cell).front());
            return list;
        };
        // 1F1B, two stages, two microbatches: (2 - 1) / (2 + 2 - 1) of the step.
        const PipelineProgram two{actions({"0F0", "0F1", "0B0", "0B1"}), actions({"1F0", "1B0", "1F1", "1B1"})};
        QVERIFY(std::abs(program_bubble(two).value() - 1.0 / 3) < 1e-12);
        // Weights fill what waits: 6 units of work each, the second stage starts one later and ends with the first.
        const PipelineProgram split{actions({"0F0", "0F1", "0I0", "0W0", "0I1", "0W1"}),
                                    actions({"1F0", "1I0", "1F1", "1I1", "1W0", "1W1"})};
        QVERIFY(std::abs(program_bubble(split).value() - 1.0 / 7) < 1e-12);
        QVERIFY(!program_bubble({actions({"0F0", "0B0"}), actions({"1F0"})})); // nobody sends the gradient back
    }

    void passesOfOneStageEachTellTheOthers() {
        const auto actions = [](std::initializer_list<const char*> cells) {
            std::vector<PipelineAction> list;
            for (const char* cell : cells)
                list.push_back(parse_actions(cell).front());
            return list;
        };
        const RunAnalysis gpipe(recorded({actions({"0F0", "0F1", "0F2", "0B0", "0B1", "0B2"}),
                                          actions({"1F0", "1F1", "1F2", "1B0", "1B1", "1B2"})}),
                                {});
        QCOMPARE(gpipe.pipeline().schedule, ScheduleKind::gpipe);
        QCOMPARE(gpipe.pipeline().ideal, std::optional(1.0 / 4));
        const RunAnalysis alternating(recorded({actions({"0F0", "0F1", "0B0", "0F2", "0B1", "0B2"}),
                                                actions({"1F0", "1B0", "1F1", "1B1", "1F2", "1B2"})}),
                                      {});
        QCOMPARE(alternating.pipeline().schedule, ScheduleKind::one_f_one_b);
        const RunAnalysis interleaved(recorded({actions({"0F0", "0F1", "2F0", "2F1", "2B0", "2B1", "0B0", "0B1"}),
                                                actions({"1F0", "1F1", "3F0", "3B0", "3F1", "3B1", "1B0", "1B1"})}),
                                      {});
        QCOMPARE(interleaved.pipeline().schedule, ScheduleKind::interleaved);
        QCOMPARE(interleaved.pipeline().ideal, std::optional(1.0 / (2 * 2 + 1)));
    }
};

RANKSCOPE_TEST(TestPipelineActions)

} // namespace rankscope::pipeline_actions_test

#include "test_pipeline_actions.moc"
