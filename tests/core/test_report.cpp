// SPDX-License-Identifier: GPL-3.0-or-later
// The report's parts: text, CSV, whole files, comparisons and gates, against values worked out by hand.
#include <filesystem>
#include <memory>

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/safe_json.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/compare/config_comparison.h"
#include "core/compare/gate.h"
#include "core/compare/metric_comparison.h"
#include "core/metrics/detail_numbers.h"
#include "core/report/csv.h"
#include "core/report/hta_csv.h"
#include "core/report/json_report.h"
#include "core/report/junit.h"
#include "core/report/metrics_csv.h"
#include "core/report/rank_csv.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::report_test {

namespace {

/// One step of 100 us on rank 0: gemm [10, 50), all-reduce [40, 70), copy [80, 85) us.
TraceBuilder small_rank(double step_us = 100) {
    TraceBuilder rank(0);
    rank.step(4, 0, step_us)
        .launch(1, 1)
        .kernel("gemm", 7, 10, 40)
        .launch(4, 1)
        .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 40, 30)
        .launch(6, 1)
        .memory_copy("Memcpy HtoD", 7, 80, 5);
    return rank;
}

AnalysedRun analysed(std::shared_ptr<const Run> run) {
    AnalysedRun result;
    result.notices = run->notices;
    result.analysis = std::make_shared<RunAnalysis>(std::move(run), Selection{});
    result.metrics = compute_metrics(*result.analysis);
    return result;
}

MetricReport report_of(double value, Json details = Json::object(), const char* id = "iter_time") {
    MetricReport report;
    report.entries.push_back({find_metric(id), MetricResult::of(value, std::move(details))});
    return report;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesNanosecondsAsExactMicroseconds() {
        QCOMPARE(microseconds_text(1234567), std::string("1234.567"));
        QCOMPARE(microseconds_text(5), std::string("0.005"));
        QCOMPARE(microseconds_text(-1500), std::string("-1.500"));
        QCOMPARE(microseconds_text(1700000000123456789), std::string("1700000000123456.789"));
    }

    /// A program reads the same values, and a terminal nothing that steers it.
    void jsonCannotSteerATerminal() {
        const std::string text = "a\xC2\x9B"
                                 "31m \xE2\x80\xAE\x7F\xEF\xBF\xBE \xC3\xA9\xF0\x9F\x98\x80\xE2\x82\xAC";
        const std::string plain = nlohmann::json{{"k", text}}.dump(2);
        const std::string safe = terminal_safe_json(plain);
        QCOMPARE(safe, std::string("{\n  \"k\": \"a\\u009b31m \\u202e\\u007f\\ufffe "
                                   "\xC3\xA9\xF0\x9F\x98\x80\xE2\x82\xAC\"\n}"));
        QVERIFY(nlohmann::json::parse(safe) == nlohmann::json::parse(plain));
        QCOMPARE(terminal_safe_json("\xE2\x82"), std::string("\xE2\x82")); // cut: nobody's character
    }

    void replacesWhatIsNotUtf8AndWhatSteersATerminal() {
        QCOMPARE(valid_utf8("caf\xC3\xA9 \xFF!"), std::string("caf\xC3\xA9 \xEF\xBF\xBD!"));
        QCOMPARE(valid_utf8("\xC0\xAF"), std::string("\xEF\xBF\xBD\xEF\xBF\xBD")); // overlong "/"
        QCOMPARE(valid_utf8("\xED\xA0\x80").find('\xED'), std::string::npos);      // a surrogate
        QCOMPARE(terminal_safe("a\x1b[31mb\nc"), std::string("a\xEF\xBF\xBD[31mb\xEF\xBF\xBD"
                                                             "c"));
        QCOMPARE(terminal_safe("\xC2\x9B"
                               "31m"),
                 std::string("\xEF\xBF\xBD"
                             "31m")); // CSI as one C1 character
    }

    void cutsNamesByCharacters() {
        QCOMPARE(shortened("kernel", 6), std::string("kernel"));
        QCOMPARE(shortened("kernels", 6), std::string("kerne…"));
        QCOMPARE(shortened("äöüäöü", 4), std::string("äöü…"));
        QCOMPARE(text_width("äöü"), std::size_t(3));
    }

    void quotesCsvAndDisarmsFormulas() {
        CsvTable table{"name", "value"};
        table.text("plain").number(9.9).end_row();
        table.text("a,\"b\"\n").number(-1).end_row();
        table.text("=1+1").integer(-5).end_row();
        table.text("@x").microseconds(-2).end_row();
        table.text("-x,").empty().end_row();
        QCOMPARE(
            table.content(),
            std::string("name,value\r\nplain,9.9\r\n\"a,\"\"b\"\"\n\",-1\r\n'=1+1,-5\r\n'@x,-0.002\r\n\"'-x,\",\r\n"));
    }

    void writesAFileWholeOrNotAtAll() {
        QTemporaryDir folder;
        const std::filesystem::path target = folder.filePath(QStringLiteral("a.csv")).toStdString();
        QVERIFY(write_whole_file(target, "old"));
        QVERIFY(write_whole_file(target, "new"));
        QCOMPARE(std::filesystem::file_size(target), std::uintmax_t(3));
        // The target is a folder that is not empty: the rename fails, nothing is left behind.
        const std::filesystem::path blocked = folder.filePath(QStringLiteral("b.csv")).toStdString();
        std::filesystem::create_directories(blocked / "inside");
        const auto failed = write_whole_file(blocked, "text");
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, Error::Code::output);
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{QStringLiteral("a.csv"), QStringLiteral("b.csv")}));
        QVERIFY(!write_whole_file(target / "no_folder", "text"));
    }

    void listsTheNumbersOfDetails() {
        const Json details = {{"avg_ms", 1.5},
                              {"method", "x"},
                              {"calls", {{"AllReduce", 3}}},
                              {"per_rank_us", {2, 4}},
                              {"none", nullptr}};
        const auto numbers = detail_numbers(details);
        QCOMPARE(numbers.size(), std::size_t(4));
        QCOMPARE(numbers[1].field, std::string("calls.AllReduce"));
        QCOMPARE(numbers[3].field, std::string("per_rank_us.1"));
        QCOMPARE(numbers[3].value, 4.0);
        QCOMPARE(unit_of_field("avg_ms"), std::string_view("ms"));
        QCOMPARE(unit_of_field("per_rank_us.1"), std::string_view("us"));
        QCOMPARE(unit_of_field("busbw_gb_s"), std::string_view("GB/s"));
        QCOMPARE(unit_of_field("calls.AllReduce"), std::string_view(""));
    }

    void comparesByTheDirectionThatIsBetter_data() {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("baseline");
        QTest::addColumn<double>("test");
        QTest::addColumn<QString>("status");
        QTest::newRow("slower") << QStringLiteral("iter_time") << 100.0 << 101.5 << QStringLiteral("worse");
        QTest::newRow("faster") << QStringLiteral("iter_time") << 100.0 << 98.5 << QStringLiteral("better");
        QTest::newRow("exactly 1 %") << QStringLiteral("iter_time") << 100.0 << 101.0 << QStringLiteral("similar");
        QTest::newRow("more throughput") << QStringLiteral("throughput_tokens") << 50.0 << 60.0
                                         << QStringLiteral("better");
        QTest::newRow("less throughput") << QStringLiteral("throughput_tokens") << 50.0 << 40.0
                                         << QStringLiteral("worse");
        QTest::newRow("from nothing") << QStringLiteral("throughput_tokens") << 0.0 << 40.0 << QStringLiteral("better");
        QTest::newRow("of what step is not known")
            << QStringLiteral("comm_comp_overlap") << 50.0 << 60.0 << QStringLiteral("changed");
    }
    void comparesByTheDirectionThatIsBetter() {
        QFETCH(QString, metric);
        QFETCH(double, baseline);
        QFETCH(double, test);
        QFETCH(QString, status);
        const std::string id = metric.toStdString();
        const auto changes = compare_metrics(report_of(baseline, Json::object(), id.c_str()),
                                             report_of(test, Json::object(), id.c_str()));
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes[0].difference, test - baseline);
        QCOMPARE(changes[0].percent_change.has_value(), baseline != 0);
        QCOMPARE(std::string(change_status_word(changes[0].status)), status.toStdString());
    }

    void comparesConfigurations() {
        const auto entries =
            compare_configs({{"a", "1"}, {"b", "2"}, {"c", "3"}}, {{"b", "2"}, {"c", "4"}, {"d", "5"}});
        std::string words;
        for (const ConfigEntry& entry : entries)
            words += entry.key + "=" + std::string(config_status_word(entry)) + " ";
        QCOMPARE(words, std::string("a=only_baseline b=equal c=changed d=only_test "));
    }

    void holdsGates_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<bool>("passed");
        // Baseline 100 (avg_ms 40), test 103 (avg_ms 50).
        for (const auto& [expression, passed] :
             std::initializer_list<std::pair<const char*, bool>>{{"iter_time<=103", true},
                                                                 {"iter_time<103", false},
                                                                 {"iter_time>=103", true},
                                                                 {"iter_time>103", false},
                                                                 {"iter_time.value<104", true},
                                                                 {"iter_time.avg_ms<=50", true},
                                                                 {"iter_time.avg_ms<=49.9", false},
                                                                 {"iter_time<+3.5%", true},
                                                                 {"iter_time<+2.5%", false},
                                                                 {"iter_time>-5%", true},
                                                                 {"iter_time.avg_ms<25%", false},
                                                                 {"iter_time.avg_ms<=25%", true},
                                                                 {"iter_time.nested.a>6", true}})
            QTest::newRow(expression) << QString::fromLatin1(expression) << passed;
    }
    void holdsGates() {
        QFETCH(QString, expression);
        QFETCH(bool, passed);
        const MetricReport baseline = report_of(100, {{"avg_ms", 40.0}, {"nested", {{"a", 7}}}});
        const MetricReport test = report_of(103, {{"avg_ms", 50.0}, {"nested", {{"a", 7}}}});
        const auto gate = parse_gate(expression.toStdString());
        QVERIFY(gate);
        const auto result = check_gate(*gate, test, &baseline);
        QVERIFY(result && result->value);
        QCOMPARE(result->passed, passed);
    }

    void aGateOnNothingDoesNotPass() {
        MetricReport report;
        report.entries.push_back({find_metric("iter_time"), MetricResult::unavailable("no steps"_text)});
        const auto unavailable = check_gate(parse_gate("iter_time<1e9").value(), report, nullptr);
        QVERIFY(unavailable && !unavailable->value && !unavailable->passed);
        QCOMPARE(english(unavailable->reason), std::string("no steps"));
        const auto mistyped =
            check_gate(parse_gate("iter_time.awg_ms<5").value(), report_of(1, {{"avg_ms", 1.0}}), nullptr);
        QVERIFY(!mistyped);
        QCOMPARE(mistyped.error().code, Error::Code::usage);
        QVERIFY(english(mistyped.error().message).find("avg_ms") != std::string::npos);
    }

    void gatesKnowBandwidthByItsShortName() {
        const Json details{{"algbw_gb_s", 90.0}};
        const MetricReport baseline = report_of(100, details, "comm_bandwidth");
        const MetricReport test = report_of(96, details, "comm_bandwidth");
        QVERIFY(check_gate(parse_gate("busbw>-5%").value(), test, &baseline)->passed);
        QVERIFY(!check_gate(parse_gate("busbw>-3%").value(), test, &baseline)->passed);
        QVERIFY(check_gate(parse_gate("algbw>=90").value(), test, nullptr)->passed);
    }

    void tellsGatesAsJUnit() {
        const MetricReport baseline = report_of(100);
        const MetricReport test = report_of(103);
        std::vector<GateResult> gates;
        for (const char* expression : {"iter_time<=103", "iter_time<+2.5%"}) {
            gates.push_back(check_gate(parse_gate(expression).value(), test, &baseline).value());
            gates.back().run = "a<b>&\"c\"";
        }
        QCOMPARE(
            junit_xml(gates),
            std::string(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuites name=\"rankscope\" tests=\"2\" failures=\"1\">\n"
                "  <testsuite name=\"a&lt;b&gt;&amp;&quot;c&quot;\" tests=\"2\" failures=\"1\">\n"
                "    <testcase classname=\"rankscope.a&lt;b&gt;&amp;&quot;c&quot;\" name=\"iter_time&lt;=103\">\n"
                "      <system-out>103.0 ms &lt;= 103.0 ms</system-out>\n    </testcase>\n"
                "    <testcase classname=\"rankscope.a&lt;b&gt;&amp;&quot;c&quot;\" name=\"iter_time&lt;+2.5%\">\n"
                "      <failure type=\"limit\" message=\"iter_time&lt;+2.5%: 100.0 ms -&gt; 103.0 ms: +3.0 %, limit "
                "+2.5 %\"/>\n    "
                "</testcase>\n"
                "  </testsuite>\n</testsuites>\n"));
    }

    void splitsIterations() {
        const auto run = make_run({small_rank()});
        const RunAnalysis analysis(run, {});
        const auto rows = analysis.iteration_tables()[0];
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].step.number, std::int64_t(4));
        QCOMPARE(rows[0].gpu.total, TimeNs(75'000));
        QCOMPARE(rows[0].gpu.computation, TimeNs(40'000));
        QCOMPARE(rows[0].gpu.exposed_comm, TimeNs(20'000));
        QCOMPARE(rows[0].gpu.exposed_memcpy, TimeNs(5'000));
        QCOMPARE(rows[0].gpu.idle, TimeNs(10'000));
    }

    void writesTheRankTables() {
        std::vector<AnalysedRun> runs{analysed(make_run({small_rank()}, "=run"))};
        relate_runs(runs);
        QCOMPARE(
            ranks_csv(runs),
            std::string("rank,device,total_us,busy_us,computation_us,total_comm_us,exposed_comm_us,overlap_us,"
                        "total_memcpy_us,exposed_memcpy_us,idle_us,collectives,mean_lag_us,sum_lag_us,times_last,"
                        "sum_wait_us,exposed_comm_with_waits_us,lag_us,wait_us,wait_caused_us,run\r\n"
                        "0,0,75.000,65.000,40.000,30.000,20.000,10.000,5.000,5.000,10.000,0,,,,,20.000,,,,'=run\r\n"));
        QCOMPARE(iterations_csv(runs),
                 std::string("rank,iteration,start_us,duration_us,computation_us,exposed_comm_us,exposed_memcpy_us,"
                             "idle_us,gpu_total_us,step,exposed_comm_with_waits_us,exposed_communication_us,"
                             "waiting_us,run\r\n"
                             "0,4,0.000,100.000,40.000,20.000,5.000,10.000,75.000,4,20.000,20.000,0.000,'=run\r\n"));
        QCOMPARE(kernels_csv(runs, [](std::string_view name) { return name == "gemm"; }),
                 std::string("rank,name,class,count,total_us,mean_us,min_us,max_us,std_us,run\r\n"
                             "0,gemm,compute,1,40.000,40,40.000,40.000,0,'=run\r\n"));
        // One step: HTA drops none, and whole microseconds stay as they are. non_compute = 75 - 10 - 40.
        QVERIFY(
            breakdown_csv(runs).find("\r\n0,10,40,25,75,13.33,53.33,33.33,33.33,10,40,25,75,13.33,53.33,33.33,33.33,"
                                     "10.000,40.000,25.000,75.000,'=run\r\n") != std::string::npos);
    }

    void writesHtasTables() {
        // Step 5 is the last one, which HTA drops: two kernels of 30 us are left, with a gap of 20 us between them.
        TraceBuilder rank(0);
        rank.step(4, 0, 200)
            .launch(0, 2)
            .kernel("gemm", 7, 10, 30)
            .launch(50, 2)
            .kernel("gemm", 7, 60, 30)
            .step(5, 300, 100)
            .launch(310, 2)
            .kernel("gemm", 7, 320, 10);
        std::vector<AnalysedRun> runs{analysed(make_run({rank}, "run"))};
        relate_runs(runs);
        QCOMPARE(hta_kernel_types_csv(runs),
                 std::string("kernel_type,sum,percentage,run\r\nCOMPUTATION,60,100,run\r\n"));
        const std::string idle = hta_idle_csv(runs);
        QVERIFY2(idle.starts_with("rank,stream,idle_category,idle_time,idle_time_ratio,run\r\n0,7,host_wait,20,1,run"),
                 idle.c_str());
        const std::string queue = hta_queue_csv(runs); // 1 after each launch, 0 after each start
        QVERIFY2(queue.starts_with("rank,stream,count,mean,std,min,25%,50%,75%,max,run\r\n0,7,4,0.5,"), queue.c_str());
    }

    void labelsRunsOfOneNameApart() {
        std::vector<AnalysedRun> runs;
        for (int i = 0; i < 3; ++i)
            runs.push_back(analysed(make_run({small_rank()}, "same")));
        relate_runs(runs);
        QCOMPARE(runs[0].role, std::string("baseline"));
        QCOMPARE(runs[2].role, std::string("test"));
        QVERIFY(runs[0].label != runs[1].label && runs[1].label != runs[2].label && runs[0].label != runs[2].label);
    }

    void survivesNamesThatAreNotUtf8() {
        TraceBuilder rank(0);
        rank.launch(0, 1).kernel("bad \xFF name", 7, 5, 10);
        std::vector<AnalysedRun> runs{analysed(make_run({rank}, "run\xFE"))};
        relate_runs(runs);
        const std::string json = metrics_json(runs, {});
        QVERIFY(QString::fromStdString(json).toStdString() == json); // survives as UTF-8
        QVERIFY(nlohmann::json::parse(json)["runs"][0]["name"] == "run\xEF\xBF\xBD");
        QVERIFY(kernels_csv(runs).find("bad \xEF\xBF\xBD name") != std::string::npos);
    }

    void saysWhyAMetricIsNotAvailable() {
        TraceBuilder rank(0);
        rank.cpu_op("aten::add", 0, 10);
        std::vector<AnalysedRun> runs{analysed(make_run({rank}))};
        relate_runs(runs);
        const auto metrics = nlohmann::json::parse(metrics_json(runs, {}))["runs"][0]["metrics"];
        const auto& overlap = metrics["comm_comp_overlap"];
        QCOMPARE(overlap["available"].get<bool>(), false);
        QVERIFY(!overlap["reason"].get<std::string>().empty());
        QVERIFY(!overlap.contains("value"));
        QVERIFY(metrics_csv(runs).find("comm_comp_overlap") == std::string::npos);
        QCOMPARE(metric_value_json(MetricResult::unavailable("why"_text)), std::string("null\n"));
        QCOMPARE(metric_value_json(MetricResult::of(2.5)), std::string("2.5\n"));
    }
};

RANKSCOPE_TEST(TestReport)

} // namespace rankscope::report_test

#include "test_report.moc"
