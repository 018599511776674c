// SPDX-License-Identifier: GPL-3.0-or-later
// Series of runs: their order, how they scale, where a metric changed; and gates against a history.
#include <QtTest>

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "core/compare/gate.h"
#include "core/compare/gate_history.h"
#include "core/compare/study.h"
#include "core/metrics/value_words.h"
#include "core/report/study_page.h"
#include "core/report/study_report.h"
#include "core/report/study_table.h"
#include "core/report/svg_charts.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::study_test {

namespace {

constexpr TimeNs kDay = TimeNs{86'400} * 1'000'000'000;
constexpr TimeNs kFirstDay = TimeNs{1'700'000'000} * 1'000'000'000; ///< 2023-11-14T22:13:20Z

/// A run that took so long a step, in ms, on a day.
StudyRun made(std::string label, double step_ms, int day = 0, int world_size = 8, RunConfig config = {}) {
    StudyRun run;
    run.label = std::move(label);
    run.path = "/runs/" + run.label;
    run.world_size = world_size;
    run.first = kFirstDay + day * kDay;
    run.config = std::move(config);
    run.values.push_back({find_metric("iter_time"), step_ms, 0.5});
    return run;
}

std::vector<std::string> labels(const Study& study) {
    std::vector<std::string> list;
    for (const StudyRun& run : study.runs)
        list.push_back(run.label);
    return list;
}

MetricReport report_of(double step_ms) {
    MetricReport report;
    report.entries.push_back({find_metric("iter_time"), MetricResult::of(step_ms, {{"avg_ms", 2 * step_ms}})});
    return report;
}

} // namespace

class TestStudy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNumbersAreThoseOfTheMetrics() {
        TraceBuilder rank(0);
        for (int step = 0; step < 3; ++step)
            rank.step(step, 1000.0 * step, 900.0 + step)
                .launch(1000.0 * step, 5)
                .kernel("gemm", 7, 1000.0 * step + 10, 800);
        const RunAnalysis analysis(make_run({rank}, "one", {{"workload.batch_size", "16"}}), {});
        const StudyRun run = study_run(analysis, "one");
        const MetricReport report = compute_metrics(analysis);
        std::size_t available = 0;
        for (const auto& [metric, result] : report.entries) {
            available += result.available ? 1 : 0;
            if (result.available)
                QCOMPARE(run.find(metric->id)->value, result.per_iteration.value_or(result.value)); // a step
            else
                QVERIFY(run.find(metric->id) == nullptr);
        }
        QCOMPARE(run.values.size(), available);
        QVERIFY(run.find("iter_time")->spread);
        QCOMPARE(run.first, TimeNs{0}); // the trace counts from 0, which is no date
        QCOMPARE(run.config.at("workload.batch_size"), std::string("16"));
    }

    void runsAreOrderedByDateSizeOrSetting() {
        const std::vector<StudyRun> runs{made("c", 3, 2, 16, {{"workload.data.batch_size", "8"}}),
                                         made("a", 1, 1, 8, {{"workload.data.batch_size", "128"}}),
                                         made("b", 2, 0, 32)};
        QVERIFY(labels(*make_study(runs, "date")) == (std::vector<std::string>{"b", "a", "c"}));
        QCOMPARE(make_study(runs, "date")->texts[0], std::string("2023-11-14T22:13:20Z"));
        QVERIFY(labels(*make_study(runs, "world_size")) == (std::vector<std::string>{"a", "c", "b"}));
        QVERIFY(labels(*make_study(runs, "name")) == (std::vector<std::string>{"a", "b", "c"}));
        const auto by_batch = make_study(runs, "batch_size"); // 8 before 128; without one last
        QVERIFY(labels(*by_batch) == (std::vector<std::string>{"c", "a", "b"}));
        QCOMPARE(by_batch->key, std::string("workload.data.batch_size"));
        const auto unknown = make_study(runs, "batch");
        QVERIFY(!unknown && unknown.error().code == Error::Code::usage);
        QVERIFY(english(unknown.error().message).find("workload.data.batch_size") != std::string::npos);
        auto twice = runs;
        twice[1].config["other.batch_size"] = "1";
        QVERIFY(!make_study(twice, "batch_size"));
    }

    /// Of an engine: decode steps of 32 requests in both, but half of the second run's steps are prefills.
    void runsWithOtherBatchesAreNotRanked() {
        std::vector<StudyRun> runs{made("decodes", 5, 0), made("mixed", 4, 1), made("decodes too", 6, 2)};
        const auto batch = [](EnginePhase phase, std::int64_t prompt_tokens, std::int64_t decoding) {
            return std::pair(std::vector<BatchSize>{{phase, prompt_tokens, decoding}}, 1.0);
        };
        const auto decode = batch(EnginePhase::decode, 0, 32);
        runs[0].values[0].batches = runs[2].values[0].batches = {{decode, 1.0}};
        runs[1].values[0].batches = {{decode, 0.5}, {batch(EnginePhase::prefill, 512, 0), 0.5}};
        QVERIFY(may_be_ranked(runs[0], runs[2]));
        QVERIFY(!may_be_ranked(runs[0], runs[1]));
        auto study = make_study(runs, "date");
        QCOMPARE(std::ranges::count(best_runs(*study, *find_metric("iter_time")), true), 0);
        QVERIFY(rank_study(*study, find_metric("iter_time")));
        QCOMPARE(labels(*study)[0], std::string("mixed"));
        QVERIFY(!study->against_best[1] && !study->against_best[2]);
        QCOMPARE(fastest_and_slowest(*study), std::string());
    }

    void runsAreRankedByAMetric() {
        std::vector<StudyRun> runs{made("slow", 5, 0), made("without", 1, 1), made("fast", 4, 2), made("fair", 4.2, 3)};
        runs[1].values.clear();
        runs[0].values.push_back({find_metric("mfu"), 40.0, {}});
        runs[2].values.push_back({find_metric("mfu"), 30.0, {}});
        auto study = make_study(runs, "date");
        const auto best_of = [&](const char* id) {
            std::vector<std::string> best;
            const std::vector<bool> is_best = best_runs(*study, *find_metric(id));
            for (std::size_t i = 0; i < is_best.size(); ++i)
                if (is_best[i])
                    best.push_back(study->runs[i].label);
            return best;
        };
        QVERIFY(best_of("iter_time") == (std::vector<std::string>{"fast"})); // lower is better
        QVERIFY(best_of("mfu") == (std::vector<std::string>{"slow"}));       // higher is better
        QVERIFY(best_of("throughput_tokens").empty());
        QVERIFY(rank_study(*study, find_metric("iter_time")));
        QVERIFY(labels(*study) == (std::vector<std::string>{"fast", "fair", "slow", "without"}));
        QCOMPARE(*study->against_best[0], 0.0);
        QVERIFY(std::abs(*study->against_best[1] - 5) < 1e-9 && std::abs(*study->against_best[2] - 25) < 1e-9);
        QVERIFY(!study->against_best[3]);
        QCOMPARE(
            QString::fromStdString(fastest_and_slowest(*study)),
            QStringLiteral("fast takes the least time for a step, 4.00 ms, and slow the most, 5.00 ms (+25.0 %)."));
        QVERIFY(study->changes.empty() && study->note.find("iter_time") != std::string::npos);
        const auto json = nlohmann::json::parse(study_json(*study));
        QCOMPARE(json["rank_by"].get<std::string>(), std::string("iter_time"));
        QCOMPARE(json["runs"][2]["against_best_percent"].get<double>(), 25.0);
        QCOMPARE(json["runs"][0]["best"].dump(), std::string("[\"iter_time\"]"));
        QVERIFY(json["runs"][3]["against_best_percent"].is_null());
        QVERIFY(study_csv(*study).find(",best,0\r\n") != std::string::npos);
        QVERIFY(rank_study(*study, find_metric("mfu")));
        QCOMPARE(labels(*study)[0], std::string("slow"));
        QCOMPARE(*study->against_best[1], -25.0);
        const auto unknown = rank_study(*study, find_metric("throughput_tokens"));
        QVERIFY(!unknown && unknown.error().code == Error::Code::usage);
        // All alike: none is the best.
        study = make_study({made("a", 3), made("b", 3)}, "name");
        QVERIFY(best_of("iter_time").empty());
    }

    void aFewRunsHaveAColumnEach() {
        std::vector<StudyRun> runs{made("a", 19.06, 0, 8, {{"run.folder", "a"}, {"nccl.algo", "ring"}}),
                                   made("b", 21.88, 0, 8, {{"run.folder", "b"}, {"nccl.algo", "tree"}})};
        runs[0].values.push_back({find_metric("straggler_lag"), 656.4, 210.4});
        const auto study = make_study(runs, "name");
        const StudyTable table = study_table(*study, main_metrics(*study, false), true, true);
        QVERIFY(table.titles == (std::vector<std::string>{"", "a", "b"}));
        const auto row = [&](const char* title) {
            for (const auto& cells : table.rows)
                if (cells[0].text == title)
                    return cells[1].text + (cells[1].best ? "* | " : " | ") + cells[2].text;
            return std::string("no such row");
        };
        QCOMPARE(row("iter_time (ms)"), std::string("19.06 ± 0.50* | 21.88 ± 0.50"));
        QCOMPARE(row("iter_time against the best"), std::string("+0.0 % | +14.8 %"));
        QCOMPARE(row("straggler_lag (us)"), std::string("656.4 ± 210 | "));
        QCOMPARE(row("nccl.algo"), std::string("ring | tree"));
        QCOMPARE(row("run.folder"), std::string("no such row"));
        const QString html = QString::fromStdString(study_html(*study));
        QVERIFY(!html.contains(QStringLiteral("changed its level"))); // two runs have no levels
        QVERIFY(html.contains(QStringLiteral("b the most, 21.88 ms (+14.8 %)")));
        // With seven runs each has a row.
        while (runs.size() < 7)
            runs.push_back(made("run" + std::to_string(runs.size()), 20));
        QCOMPARE(study_table(*make_study(runs, "name"), {}, false, false).rows.size(), std::size_t{7});
    }

    void theRunsOnParetosLineAreNotBeaten() {
        // b is as fast as a and takes more memory; c is slower and takes least; d is beaten by all.
        const std::vector<ParetoPoint> points{{1, 5, "a"}, {1, 6, "b"}, {3, 2, "c"}, {4, 7, "d"}, {2, 4, "e"}};
        QVERIFY(pareto_front(points, true, true) == (std::vector<std::size_t>{0, 4, 2}));
        QVERIFY(pareto_front(points, true, false) == (std::vector<std::size_t>{1, 3})); // more of y is better
        std::vector<StudyRun> runs{made("<i>", 4), made("b", 5), made("c", 6)};
        for (StudyRun& run : runs)
            run.values.push_back({find_metric("memory"), 1000.0 - run.values[0].value, {}});
        const auto study = make_study(runs, "name");
        QVERIFY(!usual_pareto(*study)); // without step_time
        const QString html =
            QString::fromStdString(study_html(*study, ParetoMetrics{find_metric("iter_time"), find_metric("memory")}));
        QVERIFY(html.contains(QStringLiteral("Which run for which purpose")) &&
                html.contains(QStringLiteral("&lt;i&gt;")));
        QCOMPARE(html.count(QStringLiteral("class=\"test\"")), 3);
    }

    void numbersAreDigits_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("digits");
        QTest::addColumn<QString>("text");
        QTest::newRow("large") << 374868.2 << 4 << QStringLiteral("374900");
        QTest::newRow("spread") << 210.4 << 2 << QStringLiteral("210");
        QTest::newRow("small") << 0.000656449 << 4 << QStringLiteral("0.0006564");
        QTest::newRow("rounded up") << 9.9996 << 4 << QStringLiteral("10.00");
        QTest::newRow("negative") << -21.876 << 4 << QStringLiteral("-21.88");
        QTest::newRow("count") << 32.0 << 4 << QStringLiteral("32");
        QTest::newRow("large count") << 187187072.0 << 4 << QStringLiteral("187200000");
        QTest::newRow("zero") << 0.0 << 4 << QStringLiteral("0");
    }
    void numbersAreDigits() {
        QFETCH(const double, value);
        QFETCH(const int, digits);
        QFETCH(const QString, text);
        QCOMPARE(QString::fromStdString(plain_digits(value, digits)), text);
    }

    void numbersInNamesAreNumbers() {
        const std::vector<StudyRun> runs{made("run10", 1), made("run2", 1), made("run1", 1), made("run02b", 1)};
        QVERIFY(labels(*make_study(runs, "name")) == (std::vector<std::string>{"run1", "run2", "run02b", "run10"}));
    }

    /// Twelve runs without a date, 3 % slower from the seventh on.
    void withoutDatesTheOrderIsSaid() {
        const auto undated = [](const auto& name) {
            std::vector<StudyRun> runs;
            for (int i = 12; i >= 1; --i) {
                runs.push_back(made(name(i), (i < 7 ? 100 : 103) + 0.1 * (i % 3)));
                runs.back().first = 0;
            }
            return runs;
        };
        const auto numbered = make_study(undated([](int i) { return "run" + std::to_string(i); }), "date");
        QCOMPARE(numbered->key, std::string("name"));
        QCOMPARE(labels(*numbered).front(), std::string("run1"));
        QCOMPARE(labels(*numbered).back(), std::string("run12"));
        QVERIFY(numbered->note.find("in the order of the numbers in their names") != std::string::npos);
        QCOMPARE(numbered->changes.size(), std::size_t{1});
        QCOMPARE(labels(*numbered)[numbered->changes.front().run], std::string("run7"));
        // Other names tell no order: "a" need not be before "b".
        const auto named =
            make_study(undated([](int i) { return std::string(1, static_cast<char>('a' + i)); }), "date");
        QVERIFY(named->changes.empty());
        QVERIFY(named->note.find("no change of level is sought") != std::string::npos);
        QVERIFY(QByteArray::fromStdString(study_json(*named)).contains("Which came first is not known"));
        QVERIFY(QByteArray::fromStdString(study_html(*named)).contains("Which came first is not known"));
        // asked for by name, the order is given
        QCOMPARE(make_study(undated([](int i) { return std::string(1, static_cast<char>('a' + i)); }), "name")
                     ->changes.size(),
                 std::size_t{1});
        // Some have a date: the others have no place among them.
        auto some = undated([](int i) { return "run" + std::to_string(i); });
        for (std::size_t i = 0; i < 3; ++i)
            some[i].first = kFirstDay + static_cast<TimeNs>(i) * kDay;
        const auto mixed = make_study(some, "date");
        QVERIFY(mixed->note.starts_with("9 of 12 runs have no time of recording"));
        QVERIFY(mixed->changes.empty());
    }

    /// The idle share falls because steps become longer: no improvement.
    void sharesOfLongerStepsAreNotBetter() {
        std::vector<StudyRun> runs;
        for (int i = 0; i < 12; ++i) {
            runs.push_back(made("run" + std::to_string(i), i < 6 ? 100 : 200, i));
            runs.back().values.push_back({find_metric("gpu_timeline"), (i < 6 ? 10 : 6) + 0.01 * (i % 3), {}});
        }
        const auto study = make_study(runs, "date");
        QCOMPARE(study->changes.size(), std::size_t{2});
        QCOMPARE(study->changes[0].status, ChangeStatus::worse);
        QCOMPARE(study->changes[1].metric->id, std::string("gpu_timeline"));
        QCOMPARE(study->changes[1].status, ChangeStatus::changed); // 10 -> 12 ms
    }

    /// The host launches a step of 2 ms of GPU work in 0.1 ms.
    void stepsOfAHostThatRunsAheadAreThoseOfTheGpu() {
        const auto run = [](double kernel_us) {
            TraceBuilder rank(0);
            for (int step = 0; step < 5; ++step)
                rank.step(step, 100.0 * step, 100)
                    .launch(100.0 * step + 10, 5)
                    .kernel("gemm", 7, 20 + kernel_us * step, kernel_us);
            return std::make_unique<RunAnalysis>(make_run({rank}), Selection{});
        };
        const auto before = run(2'000);
        const auto after = run(2'200);
        const StudyRun slow = study_run(*after, "slow");
        const StudyValue* time = slow.find("step_time");
        // five kernels end at 20 + 11000 us: 2.204 ms a step
        QVERIFY2(std::abs(time->value - 2.204) < 0.001, std::to_string(time->value).c_str());
        const auto gate = parse_gate("step_time<+3%");
        const MetricReport baseline = compute_metrics(*before);
        const MetricReport test = compute_metrics(*after);
        QCOMPARE(test.find("iter_time")->value, 0.1); // launches, as recorded, whoever asks
        QCOMPARE(slow.find("iter_time")->value, 0.1);
        const auto checked = check_gate(*gate, test, &baseline, {});
        QVERIFY(!checked->passed && std::abs(*checked->value - 10) < 0.1);
    }

    void efficiencyIsAgainstTheSmallest() {
        // Strong: 100 ms on 8 to 60 ms on 16 ranks is 100 x 8 / (60 x 16) = 5/6. Weak: 100 / 60.
        const auto study = make_study({made("large", 60, 0, 16), made("small", 100, 1, 8)}, "world_size");
        QCOMPARE(study->scaling[0]->strong, 1.0);
        QCOMPARE(study->scaling[0]->weak, 1.0);
        QVERIFY(std::abs(study->scaling[1]->strong - 5.0 / 6) < 1e-12);
        QVERIFY(std::abs(study->scaling[1]->weak - 100.0 / 60) < 1e-12);
        const auto same = make_study({made("x", 60), made("y", 100, 1)}, "date");
        QVERIFY(!same->scaling[0] && !same->scaling[1]);            // one size: nothing scales
        const auto other = [](StudyRun of, const char* operators) { // no kernel and no operator in common
            for (int i = 0; i < 20; ++i)
                for (const DiffDevice device : {DiffDevice::gpu, DiffDevice::cpu})
                    of.work.names[{device, operators + std::to_string(i)}] = {1, 10};
            return of;
        };
        const auto apart = make_study({other(made("small", 100, 0, 8), "a"), other(made("large", 60, 1, 16), "b"),
                                       other(made("larger", 50, 2, 32), "a")},
                                      "world_size");
        QVERIFY(apart->scaling[0] && !apart->scaling[1] && apart->scaling[2]);
        QCOMPARE(fastest_and_slowest(*apart),
                 std::string("larger takes the least time for a step, 50.00 ms, and small the most of the runs that do "
                             "its work, 100.0 ms (+100.0 %)."));
    }

    void aSlowerNightIsFoundAndQuietOnesAreNot() {
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937_64 random(seed);
            std::normal_distribution<double> noise(0, 0.003);
            std::vector<StudyRun> quiet;
            std::vector<StudyRun> shifted;
            for (int night = 0; night < 30; ++night) {
                const double time = 120 * (1 + noise(random));
                quiet.push_back(made("night" + std::to_string(night), time, night));
                shifted.push_back(made("night" + std::to_string(night), night < 20 ? time : 1.01 * time, night));
            }
            QVERIFY(make_study(quiet, "date")->changes.empty());
            if (seed >= 20)
                continue;
            const auto study = make_study(shifted, "date");
            QCOMPARE(study->changes.size(), std::size_t{1});
            const StudyChange& change = study->changes.front();
            QCOMPARE(change.metric->id, std::string("iter_time"));
            QVERIFY(std::abs(static_cast<int>(change.run) - 20) <= 2);
            QVERIFY(std::abs(change.percent() - 1) < 0.4);
        }
    }

    void csvAndJson() {
        std::vector<StudyRun> runs;
        for (int i = 0; i < 12; ++i)
            runs.push_back(made("r" + std::to_string(i), i < 6 ? 100 : 110, i));
        const auto study = make_study(runs, "date");
        const Json document = Json::parse(study_json(*study));
        QCOMPARE(document["schema"].get<std::string>(), std::string("rankscope.study.v1"));
        QCOMPARE(document["runs"].size(), std::size_t{12});
        QCOMPARE(document["runs"][0]["metrics"]["iter_time"]["value"].get<double>(), 100.0);
        QCOMPARE(document["changes"][0]["run"].get<std::string>(), std::string("r6"));
        QCOMPARE(document["changes"][0]["status"].get<std::string>(), std::string("worse"));
        QCOMPARE(document["changes"][0]["percent_change"].get<double>(), 10.0);
        const std::string csv = study_csv(*study);
        QCOMPARE(std::ranges::count(csv, '\n'), std::ptrdiff_t{13});
        QVERIFY(csv.find("iter_time,110,ms,0.5,,,worse,10,") != std::string::npos);
        QVERIFY(study_change_text(*study, study->changes[0])
                    .starts_with("iter_time: +10.00 % with r6 (100 to 110 ms, worse)"));
    }

    void pageAndSheets() {
        std::vector<StudyRun> runs;
        for (int i = 0; i < 12; ++i)
            runs.push_back(made("r" + std::to_string(i), i < 6 ? 100 : 110, i, i < 6 ? 8 : 16));
        runs[3].label = "<b>evil</b>";
        const auto study = make_study(runs, "date");
        const std::vector<Sheet> sheets = study_sheets(*study);
        QCOMPARE(sheets.size(), std::size_t{2});
        QCOMPARE(sheets[0].rows.size(), std::size_t{12});
        const auto column = [&](const std::string& title) {
            return static_cast<std::size_t>(std::ranges::find(sheets[0].columns, title, &SheetColumn::title) -
                                            sheets[0].columns.begin());
        };
        for (const auto& row : sheets[0].rows)
            QCOMPARE(row.size(), sheets[0].columns.size());
        QCOMPARE(std::get<double>(sheets[0].rows[7].at(column("iter_time (ms)"))), 110.0);
        QCOMPARE(std::get<double>(sheets[0].rows[7].at(column("iter_time spread"))), 0.5);
        QVERIFY(std::abs(std::get<double>(sheets[0].rows[7].at(column("strong_efficiency"))) - 100.0 * 8 / (110 * 16)) <
                1e-12);
        QCOMPARE(std::get<std::string>(sheets[1].rows[0][1]), std::string("r6"));
        QCOMPARE(std::get<double>(sheets[1].rows[0][4]), 10.0);
        const QString html = QString::fromStdString(study_html(*study));
        QVERIFY(!html.contains(QLatin1String("<b>")) && html.contains(QLatin1String("&lt;b&gt;evil")));
        QCOMPARE(html.count(QLatin1String("<tr>")), 13); // the head, and a row for each run
        QVERIFY(html.contains(QLatin1String("iter_time: +10.00 % with r6")));
        QCOMPARE(html.count(QLatin1String("class=\"changed\"")), 1);
        QCOMPARE(study_sheets(*make_study({made("only", 1)}, "date")).size(), std::size_t{1}); // no changes
    }

    void runsOfAnotherLayoutAreNoHistory() {
        const auto run_of = [](int ranks, const char* tp, double start) {
            std::vector<TraceBuilder> builders;
            for (int rank = 0; rank < ranks; ++rank)
                builders.push_back(
                    TraceBuilder(rank).world_size(ranks).step(1, start, 100).kernel("gemm", 7, start, 50));
            return RunAnalysis(make_run(builders, "built", {{"parallelism.tp", tp}}), Selection{});
        };
        const RunAnalysis run = run_of(2, "2", 0);
        TraceBuilder other_work(0);
        other_work.world_size(2).step(1, 4000, 100);
        for (int i = 0; i < 12; ++i)
            other_work.kernel(fmt::format("other {}", i), 7, 4000 + 4 * i, 4);
        TraceBuilder work(0);
        work.world_size(2).step(1, 5000, 100);
        for (int i = 0; i < 12; ++i)
            work.kernel(fmt::format("kernel {}", i), 7, 5000 + 4 * i, 4);
        const std::vector<TraceBuilder> one{work};
        const std::vector<TraceBuilder> other{other_work};
        const FittingHistory of_other_work = fitting_history(
            std::vector{history_run("other work", RunAnalysis(make_run(other), Selection{}), report_of(1))},
            RunAnalysis(make_run(one), Selection{}));
        QCOMPARE(of_other_work.left_out,
                 (std::vector<std::string>{"other work: not the same work: 0 % of kernel time in common"}));
        const std::vector<HistoryRun> history{history_run("same", run_of(2, "2", 1000), report_of(1)),
                                              history_run("more ranks", run_of(4, "2", 2000), report_of(2)),
                                              history_run("other tp", run_of(2, "1", 3000), report_of(3)),
                                              history_run("copy", run_of(2, "2", 0), report_of(4))};
        const FittingHistory fitting = fitting_history(history, run);
        QCOMPARE(fitting.reports.size(), std::size_t{1});
        QCOMPARE(fitting.left_out,
                 (std::vector<std::string>{"more ranks: 4 ranks, and not 2", "other tp: tp 1, and not 2",
                                           "copy: it is the run itself"}));
    }

    void aGateTellsBothSides() {
        const std::vector<MetricReport> history{report_of(10), report_of(12)};
        const auto words = [&](const char* expression, double value, const MetricReport* baseline = nullptr) {
            return gate_words(*check_gate(*parse_gate(expression), report_of(value), baseline, history));
        };
        QCOMPARE(words("iter_time<=100", 99.5), std::string("99.50 ms <= 100.0 ms"));
        QCOMPARE(words("iter_time<=100", 120), std::string("120.0 ms, and not <= 100.0 ms"));
        QCOMPARE(words("iter_time<=100", 100.0004), std::string("100.0004 ms, and not <= 100.0000 ms"));
        QCOMPARE(words("iter_time<max(history)+2%", 11), std::string("11.00 ms < 12.24 ms = max of 2 runs + 2 %"));
        const MetricReport baseline = report_of(100);
        QCOMPARE(words("iter_time<+3%", 110, &baseline), std::string("100.0 ms -> 110.0 ms: +10.0 %, limit +3.0 %"));
        QCOMPARE(value_words(13690208256, "bytes"), std::string("13.69 GB"));
        QCOMPARE(value_words(59536.1, "us"), std::string("59.54 ms"));
        QCOMPARE(value_words(41.25, "percent"), std::string("41.25 %"));
    }

    void aGateTakesItsLimitFromTheHistory() {
        std::vector<MetricReport> history;
        for (int i = 1; i <= 20; ++i)
            history.push_back(report_of(100 + i)); // p95 by nearest rank: the 19th, 119
        const auto check = [&](const char* expression, double value) {
            const auto gate = parse_gate(expression);
            return *check_gate(*gate, report_of(value), nullptr, history);
        };
        QVERIFY(check("iter_time<=p95(history)", 119).passed);
        QVERIFY(!check("iter_time<=p95(history)", 119.1).passed);
        QCOMPARE(check("iter_time<p95(history)+2%", 100).gate.limit, 119 * 1.02);
        QVERIFY(check("iter_time<p95(history)+2%", 121.3).passed);
        QVERIFY(!check("iter_time<p95(history)+2%", 121.4).passed);
        QCOMPARE(check("iter_time<=median(history)", 1).gate.limit, 110.0);
        QCOMPARE(check("iter_time>=min(history)-1%", 1).gate.limit, 101 * 0.99);
        QCOMPARE(check("iter_time<=max(history)", 1).gate.limit, 120.0);
        QCOMPARE(check("iter_time<=mean(history)", 1).gate.limit, 110.5);
        QCOMPARE(check("iter_time.avg_ms<=max(history)", 1).gate.limit, 240.0);
        const auto alone = check_gate(*parse_gate("iter_time<=max(history)"), report_of(1), nullptr, {});
        QVERIFY(!alone->passed && !alone->reason.empty() && std::isnan(alone->gate.limit));
        // Recordings of unequal length: 300 calls of three steps are as many a step as 200 of two.
        const auto calls = [](double sum, double steps) {
            MetricReport report;
            report.entries.push_back({find_metric("coll_call_num"), MetricResult::of(sum)});
            report.entries.front().result.per_iteration = sum / steps;
            return report;
        };
        const GateResult longer =
            *check_gate(*parse_gate("coll_call_num<=max(history)"), calls(300, 3), nullptr, std::vector{calls(200, 2)});
        QVERIFY(longer.passed);
        QCOMPARE(gate_words(longer), std::string("100 calls per iteration <= 100 calls = max of 1 run"));
        for (const char* wrong : {"iter_time<p101(history)", "iter_time<p(history)", "iter_time<p95(history)+2",
                                  "iter_time<best(history)", "iter_time<p95(history) 2%", "iter_time<(history)"})
            QVERIFY2(!parse_gate(wrong), wrong);
    }
};

RANKSCOPE_TEST(TestStudy)

} // namespace rankscope::study_test

#include "test_study.moc"
