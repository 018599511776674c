// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of metrics: the spread between iterations, what a change costs, rank by rank, and the settings that may be
// behind it.
#include <algorithm>
#include <optional>

#include <QtTest>

#include "core/analysis/basics/change_points.h"
#include "core/compare/config_influence.h"
#include "core/compare/gate.h"
#include "core/compare/metric_comparison.h"
#include "core/trace/rank_builder.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::metric_comparison_test {

class TestMetricComparison : public QObject {
    Q_OBJECT

    static MetricReport report(std::string_view id, double value, std::optional<double> spread) {
        MetricResult result = MetricResult::of(value);
        if (spread)
            result.spread = *spread;
        return {.entries = {{find_metric(id), std::move(result)}}};
    }
    static MetricChange change(std::string_view id, double baseline, double test) {
        return compare_metrics(report(id, baseline, {}), report(id, test, {})).front();
    }

private Q_SLOTS:
    void aChangeWithinTheSpreadIsSimilar_data() {
        QTest::addColumn<double>("test");
        QTest::addColumn<double>("baselineSpread");
        QTest::addColumn<double>("testSpread");
        QTest::addColumn<QString>("status");
        // Of 100 ms; a negative spread stands for an unknown one.
        QTest::newRow("beyond one per cent, spread unknown") << 103.0 << -1.0 << -1.0 << QStringLiteral("worse");
        QTest::newRow("within the baseline's spread") << 103.0 << 3.5 << 0.1 << QStringLiteral("similar");
        QTest::newRow("within the test's spread") << 97.0 << -1.0 << 3.0 << QStringLiteral("similar");
        QTest::newRow("beyond both") << 103.0 << 2.9 << 1.0 << QStringLiteral("worse");
        QTest::newRow("faster beyond both") << 90.0 << 2.9 << 1.0 << QStringLiteral("better");
        QTest::newRow("within one per cent, no spread at all") << 100.9 << 0.0 << 0.0 << QStringLiteral("similar");
    }
    void aChangeWithinTheSpreadIsSimilar() {
        QFETCH(double, test);
        QFETCH(double, baselineSpread);
        QFETCH(double, testSpread);
        QFETCH(QString, status);
        const auto known = [](double spread) { return spread < 0 ? std::nullopt : std::optional(spread); };
        const auto changes = compare_metrics(report("iter_time", 100, known(baselineSpread)),
                                             report("iter_time", test, known(testSpread)));
        QCOMPARE(changes.size(), std::size_t{1});
        QCOMPARE(QString::fromUtf8(change_status_word(changes.front().status).data()), status);
        QCOMPARE(changes.front().baseline_spread, known(baselineSpread));
    }

    void aBoundPassesAGateOnlyWhereItProvesTheLimit_data() {
        QTest::addColumn<QString>("gate");
        QTest::addColumn<ValueBound>("bound");
        QTest::addColumn<bool>("known");
        QTest::addColumn<bool>("passed");
        // The value is 5 ms.
        QTest::newRow("at most, below") << QStringLiteral("exposed_comm<6") << ValueBound::at_most << true << true;
        QTest::newRow("at most, perhaps below")
            << QStringLiteral("exposed_comm<4") << ValueBound::at_most << false << false;
        QTest::newRow("at most, above") << QStringLiteral("exposed_comm>=6") << ValueBound::at_most << true << false;
        QTest::newRow("at most, perhaps above")
            << QStringLiteral("exposed_comm>=4") << ValueBound::at_most << false << false;
        QTest::newRow("at least, above") << QStringLiteral("exposed_comm>4") << ValueBound::at_least << true << true;
        QTest::newRow("at least, perhaps above")
            << QStringLiteral("exposed_comm>6") << ValueBound::at_least << false << false;
        QTest::newRow("at least, not below")
            << QStringLiteral("exposed_comm<=4") << ValueBound::at_least << true << false;
        QTest::newRow("at least, perhaps below")
            << QStringLiteral("exposed_comm<=6") << ValueBound::at_least << false << false;
    }
    void aGateSaysBothNumbersSoThatTheyDiffer() {
        const MetricReport made = report("exposed_comm", 54.504, {});
        const auto words = [&](const char* gate) { return gate_words(*check_gate(*parse_gate(gate), made, nullptr)); };
        QCOMPARE(words("exposed_comm<=54.5"), std::string("54.504 ms, and not <= 54.500 ms"));
        QCOMPARE(words("exposed_comm<=60"), std::string("54.50 ms <= 60.00 ms"));
        const MetricReport before = report("exposed_comm", 50.704, {});
        QCOMPARE(gate_words(*check_gate(*parse_gate("exposed_comm<+7.49%"), made, &before)),
                 std::string("50.70 ms -> 54.50 ms: +7.494 %, limit +7.490 %"));
        QCOMPARE(gate_words(*check_gate(*parse_gate("exposed_comm<+0.05%"), made, &before)),
                 std::string("50.70 ms -> 54.50 ms: +7.49 %, limit +0.05 %"));
    }
    void aBoundPassesAGateOnlyWhereItProvesTheLimit() {
        QFETCH(QString, gate);
        QFETCH(ValueBound, bound);
        QFETCH(bool, known);
        QFETCH(bool, passed);
        MetricReport bounded = report("exposed_comm", 5, {});
        bounded.entries.front().result.bound = bound;
        bounded.entries.front().result.bound_reason = Message("not all are traced");
        const GateResult result = *check_gate(*parse_gate(gate.toStdString()), bounded, nullptr);
        QCOMPARE(result.value.has_value(), known);
        QCOMPARE(result.passed, passed);
        if (!known)
            QVERIFY2(gate_words(result).ends_with(" is not known"), gate_words(result).c_str());
        if (gate == QStringLiteral("exposed_comm<=6"))
            QCOMPARE(
                gate_words(result),
                std::string("at least 5.00 ms, because not all are traced: whether it is <= 6.00 ms is not known"));
    }

    /// A share of what is a bound may be none, and an earlier run that has a bound gives no limit.
    void aBoundProvesNothingOfADetailOrAgainstAHistory() {
        MetricReport bounded = report("exposed_comm", 5, {});
        bounded.entries.front().result.details["percent"] = 1.0;
        bounded.entries.front().result.bound = ValueBound::at_most;
        bounded.entries.front().result.bound_reason = Message("not all are traced");
        const GateResult detail = *check_gate(*parse_gate("exposed_comm.percent<2"), bounded, nullptr);
        QVERIFY(!detail.passed && !detail.value);
        QCOMPARE(gate_words(detail), std::string("exposed_comm is at most 5.00 ms, because not all are traced: whether "
                                                 "exposed_comm.percent is < 2 is not known"));
        const MetricReport whole = report("exposed_comm", 6, {});
        QVERIFY(!check_gate(*parse_gate("exposed_comm<=max(history)"), bounded, nullptr, std::vector{whole})->passed);
        const GateResult held = *check_gate(*parse_gate("exposed_comm<=max(history)"), whole, nullptr,
                                            std::vector{bounded, report("exposed_comm", 7, {})});
        QVERIFY(held.passed);
        QCOMPARE(held.gate.limit, 7.0);
        QCOMPARE(held.history_runs, std::size_t{1});
    }

    /// Of 5 ms at most nobody knows whether it is more than 4 ms.
    void aBoundIsNotComparedWithAnExactValue() {
        const MetricReport exact = report("exposed_comm", 4, {});
        MetricReport bounded = report("exposed_comm", 5, {});
        bounded.entries.front().result.bound = ValueBound::at_most;
        bounded.entries.front().result.bound_reason = Message("not all are traced");
        const MetricChange change = compare_metrics(exact, bounded).front();
        QCOMPARE(change.measured_otherwise, std::string("a bound in the test, because not all are traced"));
        QCOMPARE(change.status, ChangeStatus::changed);
        const GateResult gate = as_compared(*check_gate(*parse_gate("exposed_comm<+50%"), bounded, &exact), change);
        QVERIFY(!gate.passed && !gate.value);
        QCOMPARE(gate_words(gate), std::string("not measured alike: a bound in the test, because not all are traced"));
        // Runs of which the same ranks are recorded are measured alike.
        QCOMPARE(compare_metrics(bounded, bounded).front().measured_otherwise, std::string());
    }

    /// A benchmark's median is not what the engine's steps take.
    void valuesThatWereNotMeasuredAlikeAreNeitherBetterNorWorse() {
        const auto measured = [](double value, const char* method) {
            MetricReport made = report("tpot", value, {});
            made.entries.front().result.details["method"] = method;
            return made;
        };
        const MetricReport steps = measured(10, "steps");
        const MetricReport benchmark = measured(14, "bench_results.jsonl");
        const MetricChange other = compare_metrics(steps, benchmark).front();
        QCOMPARE(other.status, ChangeStatus::changed);
        QCOMPARE(english(change_title(other)), std::string("Time per output token (not measured alike)"));
        const GateResult gate = *check_gate(*parse_gate("tpot<+3%"), benchmark, &steps);
        QVERIFY(!gate.passed && !gate.value);
        QCOMPARE(gate_words(gate),
                 std::string("not measured alike: steps in the baseline, bench_results.jsonl in the test"));
        QVERIFY(check_gate(*parse_gate("tpot<15"), benchmark, nullptr)->passed);
        QVERIFY(!check_gate(*parse_gate("tpot<+3%"), measured(14, "steps"), &steps)->passed);
        QVERIFY(check_gate(*parse_gate("tpot<+3%"), measured(10, "steps"), &steps)->passed);
    }

    void sumsOfARecordingAreOfOneIteration() {
        const auto both = [](double iterations, double work, double step) {
            MetricReport made = report("iter_time", step, {});
            made.entries.push_back({find_metric("kernel_breakdown"), MetricResult::of(work)});
            made.entries.back().result.per_iteration = work / iterations;
            return made;
        };
        const auto change = [&](double work, double step) {
            return compare_metrics(both(10, 200, 20), both(6, work, step)).back();
        };
        QCOMPARE(change(120, 20).status, ChangeStatus::similar);
        QVERIFY(change(120, 20).per_iteration);
        QCOMPARE(change(120, 20).test, 20.0);
        QCOMPARE(change(150, 25).status, ChangeStatus::worse);
        QCOMPARE(change(90, 15).status, ChangeStatus::better);
        QCOMPARE(change(150, 20).status, ChangeStatus::changed); // no step takes longer for it
    }

    void aRunThatBecomesSlowerHalfWayDoesNotSpreadForIt() {
        std::vector<double> steps;
        for (int i = 0; i < 10; ++i)
            steps.push_back((i < 5 ? 18 : 21) + 0.01 * (i % 3));
        // around the levels: residuals of i % 3, eight degrees of freedom
        QVERIFY(deviation_around_levels(steps) < 0.012);
        steps.assign({18, 18.01, 18.02, 18, 18.01, 18.02, 18, 18.01, 18.02, 78}); // one stop is no level
        QVERIFY(deviation_around_levels(steps) > 18);
        MetricResult later = MetricResult::of(19.5);
        later.set_spread(std::vector<double>{18, 18.01, 18.02, 18, 18.01, 21.02, 21, 21.01, 21.02, 21});
        const MetricReport test{.entries = {{find_metric("iter_time"), later}}};
        QVERIFY(*later.spread > 1.5);
        QCOMPARE(later.details["spread_between_iterations"].get<double>(), *later.spread);
        QCOMPARE(compare_metrics(report("iter_time", 18, 0.01), test).front().status, ChangeStatus::worse);
    }

    void aShareOfALongerStepIsNoImprovement() {
        const auto both = [](double step, std::string_view id, double share) {
            MetricReport made = report("iter_time", step, {});
            made.entries.push_back(report("gpu_timeline", 10, {}).entries.front());
            if (id == "gpu_timeline")
                made.entries.back().result.value = share;
            else
                made.entries.push_back(report(id, share, {}).entries.front());
            return made;
        };
        const auto status = [&](std::string_view id, double step, double share, double test_step, double test_share) {
            return compare_metrics(both(step, id, share), both(test_step, id, test_share)).back().status;
        };
        QCOMPARE(status("gpu_timeline", 20, 10, 40, 5), ChangeStatus::similar); // 2 ms in both
        QCOMPARE(status("gpu_timeline", 20, 10, 40, 8), ChangeStatus::changed); // 2 -> 3.2 ms
        QCOMPARE(status("gpu_timeline", 20, 10, 20, 5), ChangeStatus::changed); // the step takes as long
        QCOMPARE(status("gpu_timeline", 20, 10, 19, 5), ChangeStatus::better);
        QCOMPARE(status("gpu_timeline", 20, 10, 10, 30), ChangeStatus::changed); // 2 -> 3 ms of a shorter step
        QCOMPARE(status("pipeline_bubble", 20, 30, 40, 15), ChangeStatus::similar);
        QCOMPARE(status("idle_causes", 20, 60, 40, 30), ChangeStatus::similar);        // of 10 % of the step
        QCOMPARE(status("temporal_breakdown", 20, 90, 40, 95), ChangeStatus::similar); // 2 ms are no computation
        QCOMPARE(status("temporal_breakdown", 20, 90, 40, 93), ChangeStatus::changed);
        QCOMPARE(status("temporal_breakdown", 20, 90, 25, 80), ChangeStatus::worse);
    }

    void moreTokensAreNeitherBetterNorWorse() {
        const auto both = [](double step, double tokens) {
            MetricReport made = report("iter_time", step, {});
            made.tokens_per_iteration = tokens;
            made.entries.push_back({find_metric("throughput_tokens"), MetricResult::of(tokens / step)});
            made.entries.push_back(report("straggler_lag", 100 * step, {}).entries.front());
            return made;
        };
        const auto changes = compare_metrics(both(20, 1000), both(38, 2000));
        QCOMPARE(changes[0].status, ChangeStatus::changed);
        QCOMPARE(changes[1].status, ChangeStatus::better); // tokens per second
        QCOMPARE(changes[2].status, ChangeStatus::changed);
        QCOMPARE(compare_metrics(both(20, 1000), both(38, 1000))[0].status, ChangeStatus::worse);
    }

    void aHostThatRunsAheadIsJudgedByTheGpu() {
        const auto ahead = [](double on_gpu) {
            MetricReport made = report("step_time", on_gpu, 0.2);
            made.entries.push_back(report("iter_time", 2, 0.1).entries.front());
            return made;
        };
        const auto changes = compare_metrics(ahead(20), ahead(25));
        QCOMPARE(changes[0].status, ChangeStatus::worse);
        QCOMPARE(*changes[0].baseline_spread, 0.2);
        QCOMPARE(changes[1].status, ChangeStatus::similar);
    }

    void aTimeThatNobodyNoticesIsSimilar() {
        // A thousandth of an iteration of 20 ms is 20 us.
        const auto both = [](double lag, double step) {
            MetricReport made = report("iter_time", step, {});
            made.entries.push_back(report("straggler_lag", lag, {}).entries.front());
            return made;
        };
        const auto status = [&](double before, double after, double step) {
            return compare_metrics(both(before, 20), both(after, step)).back().status;
        };
        QCOMPARE(status(30, 15, 19), ChangeStatus::similar);
        QCOMPARE(status(30, 9, 19), ChangeStatus::better);
        QCOMPARE(status(30, 60, 21), ChangeStatus::worse);
        QCOMPARE(change("straggler_lag", 30, 15).status, ChangeStatus::changed); // what it costs is not known
    }

    // Steps of 10, 12 and 14 ms on the one rank: a sample deviation of 2 ms; tokens spread as the inverse.
    void theSpreadOfIterationTimesIsTheirSampleDeviation() {
        const auto names = std::make_shared<StringTable>();
        RankBuilder builder(names);
        const TrackId track = builder.track("1", "1", kUnknown, kUnknown);
        TimeNs at = 0;
        std::uint32_t ordinal = 0;
        for (const TimeNs ms : {10, 12, 14}) {
            RawEvent step;
            step.start = at;
            step.duration = ms * 1'000'000;
            step.name = builder.names().intern("ProfilerStep#" + std::to_string(ordinal));
            step.kind = EventKind::annotation;
            step.track = track;
            step.ordinal = ordinal++;
            builder.add(step);
            at += step.duration;
        }
        auto run = std::make_shared<Run>();
        run->names = names;
        run->ranks.push_back(builder.finish());
        run->span = run->ranks.front()->span;
        const MetricReport metrics = compute_metrics(RunAnalysis(run, {}));
        const MetricResult* time = metrics.find("iter_time");
        QVERIFY(time != nullptr && time->available && time->spread.has_value());
        QCOMPARE(time->value, 12.0);
        QCOMPARE(*time->spread, 2.0);
        QVERIFY(!metrics.find("coll_call_num")->spread.has_value());
    }

    // Idle 5 % of 100 ms, then 20 % of 120 ms: 24 - 5 ms.
    void theCostOfAShareIsItsTimeOfAnIteration() {
        QCOMPARE(*cost_ms(change("gpu_timeline", 5, 20), 100, 120), 19.0);
        QCOMPARE(*cost_ms(change("iter_time", 100, 120), 100, 120), 20.0);
        QCOMPARE(*cost_ms(change("exposed_comm", 3, 5), 100, 120), 2.0);
        QVERIFY(!cost_ms(change("gpu_timeline", 5, 20), std::nullopt, 120).has_value());
        QVERIFY(!cost_ms(change("comm_bandwidth", 50, 20), 100, 120).has_value());
    }

    /// Rank 2 arrives 700 us late. Without its trace nobody does, and nothing has become better.
    void aRankWithoutATraceMakesNothingBetter() {
        const auto of_ranks = [](std::string_view id, std::vector<RankValue> values, bool by_rank = true) {
            double sum = 0;
            MetricReport made;
            made.world_size = 4;
            for (const RankValue& value : values) {
                sum += value.value;
                made.ranks.push_back(value.rank);
            }
            made.entries.push_back({find_metric(id), MetricResult::of(sum / static_cast<double>(values.size()))});
            if (by_rank)
                made.entries.back().result.by_rank = std::move(values);
            return made;
        };
        const std::vector<RankValue> all{{0, 10}, {1, 12}, {2, 700}, {3, 11}};
        const std::vector<RankValue> without{{0, 10}, {1, 12}, {3, 11}};
        const auto status = [](const MetricReport& before, const MetricReport& after) {
            return compare_metrics(before, after).front().status;
        };
        QCOMPARE(status(of_ranks("straggler_lag", all), of_ranks("straggler_lag", without)), ChangeStatus::similar);
        QCOMPARE(status(of_ranks("straggler_lag", without), of_ranks("straggler_lag", all)), ChangeStatus::similar);
        // What both have tells that they have become late, but not what that costs.
        const std::vector<RankValue> later{{0, 100}, {1, 120}, {3, 110}};
        QCOMPARE(status(of_ranks("straggler_lag", without), of_ranks("straggler_lag", later)), ChangeStatus::changed);
        QCOMPARE(status(of_ranks("straggler_lag", all), of_ranks("straggler_lag", later)), ChangeStatus::changed);
        const std::vector<RankValue> steps{{0, 20}, {1, 20}, {2, 20}, {3, 20}};
        const std::vector<RankValue> slower{{0, 25}, {1, 25}, {3, 25}};
        QCOMPARE(status(of_ranks("iter_time", steps), of_ranks("iter_time", slower)), ChangeStatus::worse);
        // A metric that has no values by rank cannot be judged.
        QCOMPARE(status(of_ranks("straggler_slowdown", all, false), of_ranks("straggler_slowdown", without, false)),
                 ChangeStatus::changed);
        const auto gate = [&](const char* text, const MetricReport& before, const MetricReport& after) {
            return *check_gate(*parse_gate(text), after, &before);
        };
        const GateResult lag =
            gate("straggler_lag<+3%", of_ranks("straggler_lag", without), of_ranks("straggler_lag", all));
        QVERIFY(lag.passed && *lag.value == 0);
        const GateResult slowdown = gate("straggler_slowdown<+3%", of_ranks("straggler_slowdown", all, false),
                                         of_ranks("straggler_slowdown", without, false));
        QVERIFY(!slowdown.passed && !slowdown.value);
        QCOMPARE(slowdown.reason, std::string("the baseline has traces of other ranks"));
    }

    /// Steps of 10 and 14 ms on rank 0, of 12 and 12 ms on rank 3.
    void theReportHasTheValuesOfTheRanks() {
        const auto names = std::make_shared<StringTable>();
        auto run = std::make_shared<Run>();
        run->names = names;
        run->world_size = 4;
        for (const auto& [rank, first, second] : {std::tuple(0, 10, 14), std::tuple(3, 12, 12)}) {
            TraceBuilder trace(rank);
            trace.step(1, 0, first * 1000).step(2, first * 1000, second * 1000);
            run->ranks.push_back(trace.build(names));
        }
        run->span = run->ranks.front()->span;
        const MetricReport metrics = compute_metrics(RunAnalysis(run, {}));
        QCOMPARE(metrics.find("iter_time")->by_rank, (std::vector<RankValue>{{0, 12}, {3, 12}}));
        QCOMPARE(metrics.ranks, (std::vector<int>{0, 3}));
        QCOMPARE(metrics.world_size, 4);
    }

    void settingsAreToldByTheirWords_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("metric"); // one it may move; empty: none
        QTest::newRow("variable") << QStringLiteral("Model-executor.communication_library.env.NCCL_ALGO")
                                  << QStringLiteral("comm_bandwidth");
        QTest::newRow("tensor parallel") << QStringLiteral("parallelism.tensor_parallel_degree")
                                         << QStringLiteral("traffic_distribution");
        QTest::newRow("card's tp") << QStringLiteral("Model-executor.model_plan_parallelization.tp")
                                   << QStringLiteral("coll_call_num");
        QTest::newRow("microbatches") << QStringLiteral("Model-executor.model_plan_parallelization.pp_mb")
                                      << QStringLiteral("pipeline_bubble");
        QTest::newRow("batch") << QStringLiteral("workload.data.batch_size") << QStringLiteral("throughput_tokens");
        QTest::newRow("precision") << QStringLiteral("workload.model.precision") << QStringLiteral("mfu");
        QTest::newRow("not tp") << QStringLiteral("http.port") << QString();
        QTest::newRow("not a word of its own") << QStringLiteral("stepping") << QString();
    }
    void settingsAreToldByTheirWords() {
        QFETCH(QString, key);
        QFETCH(QString, metric);
        const auto kind = setting_kind(key.toStdString());
        QCOMPARE(kind.has_value(), !metric.isEmpty());
        if (kind)
            QVERIFY(std::ranges::count(find_metric(metric.toStdString())->moved_by, *kind) == 1);
    }

    void onlyWhatMovedStandsBesideASetting() {
        const std::vector<MetricChange> changes{change("comm_bandwidth", 50, 25), change("iter_time", 100, 100.1),
                                                change("sm", 50, 80)};
        const ConfigEntry changed{"env.NCCL_ALGO", "Ring", "Tree"};
        const auto moved = may_explain(changed, changes);
        QCOMPARE(moved.size(), std::size_t{1});
        QCOMPARE(moved.front()->metric->id, std::string("comm_bandwidth"));
        QVERIFY(may_explain({"env.NCCL_ALGO", "Ring", "Ring"}, changes).empty());
    }
};

RANKSCOPE_TEST(TestMetricComparison)

} // namespace rankscope::metric_comparison_test

#include "test_metric_comparison.moc"
