// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of the Inspector of NCCL and RCCL: alone, and beside a trace.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/analysis/digest/digest.h"
#include "core/analysis/findings/findings.h"
#include "core/input/digest/trace_file.h"
#include "core/input/inspector/inspector_join.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/report/collectives_csv.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::inspector_test {

namespace fs = std::filesystem;

namespace {

std::string header(const std::string& id, int rank, int ranks, int pid = 100) {
    return fmt::format(
        R"("header": {{"id": "{}", "comm_name": "unknown", "rank": {}, "n_ranks": {}, "nnodes": 1}}, )"
        R"("metadata": {{"inspector_output_format_version": "v4.2", "dump_timestamp_us": 1748030377748202, )"
        R"("hostname": "node1", "pid": {}}})",
        id, rank, ranks, pid);
}

std::string call(const std::string& kind, std::int64_t sequence, std::int64_t bytes, int us,
                 std::int64_t start_us = 0) {
    const std::string times =
        start_us == 0 ? ""
                      : fmt::format(R"(, "event_trace_ts": {{"coll_start_ts": {0}, "kernel_events": [)"
                                    R"({{"channel_id": 0, "kernel_start_ts": {0}, "kernel_stop_ts": {1}}}, )"
                                    R"({{"channel_id": 1, "kernel_start_ts": {2}, "kernel_stop_ts": {1}}}]}})",
                                    start_us, start_us + us, start_us + 1);
    return fmt::format(R"("coll_perf": {{"coll": "{}", "coll_algo": "RING", "coll_proto": "LL128", "coll_sn": {}, )"
                       R"("coll_msg_size_bytes": {}, "coll_exec_time_us": {}, "coll_timing_source": "kernel_gpu", )"
                       R"("coll_algobw_gbs": 277.2, "coll_busbw_gbs": 485.1{}}})",
                       kind, sequence, bytes, us, times);
}

std::string line(const std::string& head, const std::string& body) { return "{" + head + ", " + body + "}\n"; }

} // namespace

class TestInspector : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int files_ = 0;

    fs::path folder() {
        const fs::path path = fs::path(folder_.path().toStdString()) / std::to_string(files_++);
        fs::create_directories(path);
        return path;
    }
    static fs::path write(const fs::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    static std::shared_ptr<const Run> load(const fs::path& path) {
        LoadOptions options;
        options.use_cache = false;
        auto run = load_run(path, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    InspectorLog log(const std::string& text) {
        auto read = read_inspector_log(write(folder() / "a.log", text), {});
        if (!read)
            qFatal("%s", english(read.error().message).c_str());
        return *read;
    }
    static bool has_notice(const Run& run, std::string_view code) {
        return std::ranges::any_of(
            run.notices, [&](const Notice& n) { return n.code == code; });
    }

private Q_SLOTS:
    void every_version() {
        // Before 4.3 each line has its header; since then a marker has that of the lines behind it.
        const std::string before = line(header("0x1", 2, 8), call("AllReduce", 1407, 17179869184, 61974));
        const std::string since =
            line(header("0x2", 1, 4), R"("dump_stats": {"coll_records": 1, "coll_dropped_since_last_dump": 5})") + "{" +
            call("ReduceScatter", 3, 2147483648, 41057, 1752867229235181) + "}\n" +
            R"({"proxy_trace": {"record_type": "proxy_op"}})" + "\n";
        const InspectorLog read =
            log(before + since + "no JSON\n" + R"({"header": 5, "coll_perf": {"coll": "AllReduce"}})");
        QCOMPARE(read.calls.size(), std::size_t{2});
        QCOMPARE(read.communicators.size(), std::size_t{2});
        QCOMPARE(read.communicators[0].ranks, 8);
        QCOMPARE(read.calls[0].algorithm, std::string("RING"));
        QCOMPARE(read.calls[0].execution, TimeNs{61'974'000});
        QCOMPARE(read.calls[0].bytes, std::int64_t{17179869184});
        QCOMPARE(read.calls[0].start, TimeNs{0});
        QCOMPARE(read.calls[1].communicator, 1u);
        QCOMPARE(read.calls[1].channels, 2);
        QCOMPARE(read.calls[1].start, TimeNs{1752867229235181'000});
        QCOMPARE(read.calls[1].end, TimeNs{1752867229235181'000 + 41'057'000});
        const InspectorLog fractions = log(line(
            header("0x3", 0, 8),
            R"("coll_perf": {"coll": "AllReduce", "coll_sn": 10, "coll_msg_size_bytes": 4194304, "coll_n_channels": 4, "coll_exec_time_us": 150.3})"));
        QCOMPARE(fractions.calls.size(), std::size_t{1});
        QCOMPARE(fractions.calls[0].execution, TimeNs{150'300});
        QCOMPARE(fractions.calls[0].channels, 4);
        QCOMPARE(read.lost, std::int64_t{5});
        QCOMPARE(read.malformed, std::uint64_t{2});
        QCOMPARE(read.others, std::uint64_t{2});
    }

    /// Two processes: calls of all ranks, and of a group of two whose ranks are numbered apart.
    void alone_they_are_a_run() {
        const fs::path at = folder();
        for (int rank = 0; rank < 2; ++rank) {
            std::string text;
            text += line(header("0xb", 0, 1, 50 - rank), call("AllGather", 1, 4096, 7, 2'000'500));
            text += line(header("0xa", rank, 2, 50 - rank),
                         call("AllReduce", 1, 8192, 30 - 10 * rank, 2'000'000 + 10 * rank));
            text += line(header("0xa", rank, 2, 50 - rank), call("AllReduce", 2, 8192, 20, 2'000'100));
            write(at / fmt::format("node1-pid{}.log", 50 - rank), text);
        }
        const auto run = load(at);
        QCOMPARE(run->source, TraceSource::inspector);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->world_size, 2);
        const RankTrace& rank = *run->ranks[1];
        QCOMPARE(rank.file.filename(), fs::path("node1-pid49.log"));
        QCOMPARE(rank.events.gpu_count, EventIndex{3});
        QCOMPARE(rank.collectives.size(), std::size_t{3});
        QCOMPARE(rank.collective_transfers.size(), std::size_t{3});
        const auto digest = digest_of(rank, {}, *run); // a copy in a file has them as well
        QVERIFY(write_trace_file(at / "rank1.copy", *digest, TraceFileKind::digest, ""));
        const auto copy = read_trace_file(at / "rank1.copy", TraceFileKind::digest, std::make_shared<StringTable>());
        QVERIFY(copy);
        QCOMPARE(copy->trace->collective_transfers.size(), std::size_t{3});
        QCOMPARE(copy->trace->collective_transfers[0].execution, rank.collective_transfers[0].execution);
        EventIndex first = kNoEvent;
        for (EventIndex i = 0; i < rank.events.gpu_count; ++i)
            if (rank.events.start[i] == 2'000'010'000)
                first = i;
        QVERIFY(first != kNoEvent);
        QCOMPARE(rank.event_name(first), std::string_view("AllReduce RING LL128"));
        QCOMPARE(rank.events.duration[first], TimeNs{20'000});
        QCOMPARE(rank.collective_of(first)->in_elements, std::int64_t{8192});
        QCOMPARE(rank.collective_of(first)->group_size, std::int64_t{2});
        const auto text = nlohmann::json::parse(read_event_text(rank, first).value());
        QCOMPARE(text["inspector"]["protocol"].get<std::string>(), std::string("LL128"));
        QCOMPARE(text["inspector"]["channels"].get<int>(), 2);
        QVERIFY(!has_notice(*run, "no_times"));
    }

    /// The log does not say what the GPUs do beside their collectives, nor, without times, when calls start.
    void what_is_not_recorded_has_no_value_data() {
        QTest::addColumn<bool>("times");
        QTest::newRow("with times") << true;
        QTest::newRow("without") << false;
    }
    void what_is_not_recorded_has_no_value() {
        QFETCH(bool, times);
        const fs::path at = folder();
        for (int rank = 0; rank < 2; ++rank) {
            std::string text; // rank 1 comes 400 us late to every call
            for (int step = 0; step < 12; ++step) {
                const std::int64_t start = 2'000'000 + 1'000 * step + 400 * rank;
                text += line(header("0xa", rank, 2, 50 - rank),
                             times ? call("AllReduce", step + 1, 8192, 440 - 400 * rank, start)
                                   : call("AllReduce", step + 1, 8192, 440 - 400 * rank));
            }
            write(at / fmt::format("node1-pid{}.log", 50 - rank), text);
        }
        const RunAnalysis analysis(load(at), {});
        const auto available = [&](const char* id) { return find_metric(id)->compute(analysis).available; };
        for (const char* id : {"gpu_timeline", "temporal_breakdown", "comm_comp_overlap", "idle_causes",
                               "parallel_efficiency", "straggler_slowdown", "pipeline_bubble", "kernel_breakdown"})
            QVERIFY2(!available(id), id);
        QVERIFY(available("coll_call_num"));
        for (const char* id : {"straggler_lag", "traffic_window"})
            QVERIFY2(available(id) == times, id);
        QVERIFY(times || !available("iter_time"));
        QVERIFY(analysis.critical_paths().empty());
        const Findings& findings = analysis.findings();
        QVERIFY(!findings.healthy);
        QVERIFY(!findings.judged.ranks && !findings.judged.host);
        for (const Finding& finding : findings.list)
            QVERIFY2(finding.cost == 0, english(finding.title).c_str());
        const bool late = std::ranges::any_of(findings.list, [](const Finding& finding) {
            return english(finding.title).starts_with("Rank 1 arrives last at 12 of 12 AllReduce calls") &&
                   english(finding.title).find("400 µs") != std::string::npos;
        });
        QCOMPARE(late, times);
    }

    /// Ranks 0 and 1, 2 and 3 are pairs; rank 3 comes 400 us late to every all-reduce of all, and an all-gather follows
    /// at once.
    void a_rank_that_is_late_in_one_of_several_communicators() {
        const fs::path at = folder();
        for (int rank = 0; rank < 4; ++rank) {
            std::string text;
            for (int step = 0; step < 12; ++step) {
                const std::int64_t start = 2'000'000 + 10'000 * step;
                const std::string pair = header(rank < 2 ? "0xb" : "0xc", rank % 2, 2, 50 + rank);
                const std::string all = header("0xa", rank, 4, 50 + rank);
                const int late = rank == 3 ? 400 : rank * 3;
                text += line(pair, call("AllReduce", step + 1, 8192, 100, start));
                text += line(all, call("AllReduce", step + 1, 65536, 1000 - late, start + 500 + late));
                text += line(all, call("AllGather", step + 1, 8192, 300, start + 1500 + (step + rank) % 4));
            }
            write(at / fmt::format("node1-pid{}.log", 50 + rank), text);
        }
        const RunAnalysis analysis(load(at), {});
        QCOMPARE(analysis.findings().list.size(), std::size_t{1});
        const std::string title = english(analysis.findings().list.front().title);
        QVERIFY2(title.starts_with("Rank 3 arrives last at 12 of 12 AllReduce calls of 0xa, 400 µs late on median"),
                 title.c_str());
    }

    /// Without times, calls of several communicators are matched by their numbers, and only what they take is told.
    void calls_without_times_match_by_number() {
        const fs::path at = folder();
        for (int rank = 0; rank < 4; ++rank) {
            std::string text;
            for (int step = 0; step < 12; ++step) {
                const int slow = rank < 2 ? 1 : 4;
                for (int i = 0; i < 3; ++i)
                    text += line(header(rank < 2 ? "0xb" : "0xc", rank % 2, 2, 50 + rank),
                                 call("AllReduce", 3 * step + i + 1, 16'777'216, 100 * slow + rank % 2));
                const std::string all = header("0xa", rank, 4, 50 + rank);
                // The faster pair waits for the slower one.
                text += line(all, call("AllReduce", step + 1, 67'108'864, (rank < 2 ? 1800 : 900) + step));
                text += line(all, call("AllGather", step + 1, 33'554'432, 300 + step));
            }
            write(at / fmt::format("node1-pid{}.log", 50 + rank), text);
        }
        const RunAnalysis analysis(load(at), {});
        QCOMPARE(analysis.collectives().partial, std::int64_t{0});
        QCOMPARE(analysis.collectives().matched.size(), std::size_t{96}); // 12 x (3 + 3 + 1 + 1)
        QVERIFY(!analysis.clock().applied);
        for (const CallLag& call : analysis.stragglers().calls) {
            const MatchedCall& matched = analysis.collectives().matched[call.call];
            const std::string& group = analysis.collectives().groups[matched.group].name;
            const TimeNs shortest = group == "0xb" ? 100'000 : group == "0xc" ? 400'000 : 0;
            QVERIFY2(shortest == 0 || call.transfer == shortest, group.c_str());
        }
        QCOMPARE(analysis.findings().list.size(), std::size_t{1});
        const std::string title = english(analysis.findings().list.front().title);
        QVERIFY2(title.find("0xc (ranks 2, 3) takes") != std::string::npos &&
                     title.find("4.00× as long") != std::string::npos &&
                     title.find("41.9 instead of 168 GB/s") != std::string::npos,
                 title.c_str());
        QVERIFY2(title.find("come late") == std::string::npos, title.c_str());
        AnalysedRun analysed;
        analysed.analysis = std::make_shared<const RunAnalysis>(load(at), Selection{});
        const QList<QByteArray> rows =
            QByteArray::fromStdString(collectives_csv(std::span(&analysed, 1))).trimmed().split('\n');
        const QList<QByteArray> names = rows[0].trimmed().split(',');
        for (qsizetype row = 1; row < rows.size(); ++row)
            for (const char* column : {"start_us", "lag_us", "last_rank"})
                QVERIFY2(rows[row].split(',')[names.indexOf(column)].isEmpty(), rows[row]);
    }

    void calls_without_times_follow_each_other() {
        const auto run =
            load(write(folder() / "node1-pid1.log", line(header("0xa", 0, 2), call("AllReduce", 1, 8192, 30)) +
                                                        line(header("0xa", 0, 2), call("AllReduce", 2, 8192, 20))));
        const RankTrace& rank = *run->ranks[0];
        QVERIFY(has_notice(*run, "no_times"));
        QCOMPARE(rank.events.start[1] - rank.events.start[0], TimeNs{30'000});
    }

    /// Three calls of a trace, of which the log has those from number 41 on; two places fit by kind alone, one by size.
    void beside_a_trace_they_join_its_collectives() {
        const ProcessGroup world{"0", "default_pg", {0, 1}, 2};
        const auto reduce = [&](std::int64_t elements) {
            CollectiveCall of;
            of.collective = "allreduce";
            of.in_elements = of.out_elements = elements;
            of.group = world;
            return of;
        };
        TraceBuilder builder(0);
        builder.collective("ncclDevKernel_AllReduce", 7, 10, 5, reduce(8192))
            .collective("ncclDevKernel_AllReduce", 7, 20, 5, reduce(16384))
            .collective("ncclDevKernel_AllReduce", 7, 30, 5, reduce(8192));
        std::vector<std::shared_ptr<const RankTrace>> ranks{builder.build()};
        auto names = std::make_shared<StringTable>();
        std::string text;
        const std::int64_t sizes[] = {99999, 16384, 16384, 32768, 16384, 50000}; // bytes, of BFloat16 two an element
        for (int i = 0; i < 6; ++i)
            text += line(header("0xa", 0, 2), call("AllReduce", 40 + i, sizes[i], 3 + i));
        const std::vector<InspectorLog> logs{log(text)};
        const InspectorJoin join = join_inspector_logs(logs, ranks, *names);
        QCOMPARE(join.calls, std::int64_t{3});
        QCOMPARE(join.joined, std::int64_t{3});
        QCOMPARE(join.records, std::int64_t{6});
        QCOMPARE(ranks[0]->collective_transfers.size(), std::size_t{3});
        QCOMPARE(ranks[0]->collective_transfers[0].execution, TimeNs{5'000}); // number 42
        QCOMPARE(ranks[0]->collective_transfers[2].execution, TimeNs{7'000});
    }

    /// A step that repeats fits in several places: without times nothing says which.
    void what_is_not_clear_is_not_joined() {
        CollectiveCall of;
        of.collective = "allreduce";
        of.in_elements = of.out_elements = 8192;
        of.group = {"0", "default_pg", {0, 1}, 2};
        std::vector<std::shared_ptr<const RankTrace>> ranks{TraceBuilder(0)
                                                                .collective("ncclDevKernel_AllReduce", 7, 10, 5, of)
                                                                .collective("ncclDevKernel_AllReduce", 7, 20, 5, of)
                                                                .build()};
        std::string text;
        for (int i = 0; i < 6; ++i)
            text += line(header("0xa", 0, 2), call("AllReduce", i, 16384, 3));
        const std::vector<InspectorLog> logs{log(text)};
        StringTable names;
        QCOMPARE(join_inspector_logs(logs, ranks, names).joined, std::int64_t{0});
    }

    void nothing_to_show() {
        const auto run = load_run(write(folder() / "a.log", line(header("0xa", 0, 2), R"("dump_stats": {})")));
        QVERIFY(!run);
        QVERIFY(english(run.error().message).find("no calls") != std::string::npos);
    }
};

RANKSCOPE_TEST(TestInspector)

} // namespace rankscope::inspector_test

#include "test_inspector.moc"
