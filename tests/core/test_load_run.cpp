// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders: which file is which rank, what is missing, what cannot be read; and that threads change nothing.
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include <unistd.h>

#include "core/demo/run_simulator.h"
#include "core/input/find/find_runs.h"
#include "core/input/find/run_choices.h"
#include "core/input/find/run_folder.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"

namespace rankscope::load_run_test {

namespace fs = std::filesystem;

namespace {

/// A trace of one event, named after what it should be recognised by.
std::string trace_text(const std::string& name, int rank = -1, int world_size = 0) {
    std::string header;
    if (rank >= 0)
        header = "\"distributedInfo\": {\"rank\": " + std::to_string(rank) +
                 ", \"world_size\": " + std::to_string(world_size) + "}, ";
    return "{" + header + R"("traceEvents": [{"ph": "X", "cat": "kernel", "name": ")" + name +
           R"(", "pid": 0, "tid": 7, "ts": 10, "dur": 5, "args": {"device": 0, "stream": 7}}]})";
}

/// A file of two steps of 100 µs with one kernel each, from a time (µs) and a number of a step on.
std::string steps_text(const std::string& header, std::int64_t from, int step) {
    std::string text = "{" + header + R"("traceEvents": [)";
    for (const int i : {0, 1}) {
        const std::string at = std::to_string(from + 100 * i);
        text += R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#)" + std::to_string(step + i) +
                R"(", "pid": 1, "tid": 1, "ts": )" + at + R"(, "dur": 100},)" +
                R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": )" + at +
                R"(, "dur": 5, "args": {"device": 0, "stream": 7}})" + (i == 0 ? "," : "");
    }
    return text + "]}";
}
std::string of_rank(int rank, int world) {
    return "\"distributedInfo\": {\"rank\": " + std::to_string(rank) + ", \"world_size\": " + std::to_string(world) +
           "}, ";
}

constexpr std::int64_t kHour = 3'600'000'000; // us

} // namespace

} // namespace rankscope::load_run_test

// moc miscounts the braces of the raw strings above.
namespace rankscope::load_run_test {

class TestLoadRun : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path root() const { return folder_->path().toStdString(); }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root() / path).parent_path());
        std::ofstream(root() / path, std::ios::binary) << text;
    }
    void write_newer(const std::string& path, const std::string& text) const {
        write(path, text);
        fs::last_write_time(root() / path, fs::file_time_type::clock::now() + std::chrono::minutes(1));
    }
    static std::int64_t count(const Notices& notices, std::string_view code) {
        std::int64_t total = 0;
        for (const Notice& notice : notices)
            if (notice.code == code)
                total += notice.count;
        return total;
    }
    std::shared_ptr<const Run> load(const fs::path& path, const LoadOptions& options = {}) const {
        auto run = load_run(path, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void ranksAreToldByTheirPath_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("rank");
        const auto row = [](const char* path, int rank) { QTest::newRow(path) << QString::fromLatin1(path) << rank; };
        row("torch_profiler/rank12/trace.json", 12);
        row("profile_trace/rank3_trace.json", 3);
        row("traces/profile_traces/iteration_200/rank5_trace.json", 5);
        row("kineto_trace_7.json", 7);
        row("worker3_step_12.1694128201557.pt.trace.json", 3);
        row("rank-9.json.gz", 9);
        row("rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz", 0);
        row("trace_4.json", 4);
        row("1757517000.123-TP-10.trace.json.gz", 10);          // SGLang
        row("1757517000.123-TP-1-DP-0-PP-1.trace.json.gz", -1); // of one dimension
        row("node12_81377.1700000000000.pt.trace.json", -1);    // a process id is no rank
        row("benchmark_result_2869224_1695835535_trace.json", -1);
        row("trace.json", -1);
        row("run_1695835535.json", -1); // too large to be one
        row("rank2147483647_trace.json", -1);
    }
    void ranksAreToldByTheirPath() {
        QFETCH(QString, path);
        QFETCH(int, rank);
        QCOMPARE(rank_in_path(path.toStdString()).value_or(-1), rank);
    }

    void theFileKnowsItsRankBetterThanItsName() {
        write("rank0.json", trace_text("five", 5, 6));
        write("rank1.json", "{\"traceEvents\": [" + trace_text("x").substr(17, trace_text("x").size() - 19) +
                                "], \"distributedInfo\": {\"rank\": 2, \"world_size\": 6}}");
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->ranks[0]->rank, 2); // said only behind the events
        QCOMPARE(run->ranks[1]->rank, 5);
        QCOMPARE(run->missing_ranks, (std::vector<int>{0, 1, 3, 4}));
        QCOMPARE(count(run->notices, "missing_ranks"), 4);
    }

    void linksToAFileDoNotCountTwice() {
        write("profile_trace/rank0_trace.json", trace_text("zero"));
        write("profile_trace/rank1_trace.json", trace_text("one"));
        fs::create_symlink("profile_trace/rank0_trace.json", root() / "kineto_trace_0.json");
        fs::create_symlink("..", root() / "profile_trace" / "loop");
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QVERIFY(run->notices.empty());
    }

    void runsThatAreLinksToFoldersAreFound() {
        for (const char* run : {"a", "b"})
            write(std::string("far/") + run + "/rank0_trace.json", trace_text(run));
        fs::create_symlink("../b", root() / "far/a/deeper"); // inside a link none is followed
        const fs::path opened = root() / "here/runs";
        fs::create_directories(opened / "inside");
        fs::create_symlink("../../far/a", opened / "a");
        fs::create_symlink("../../far/b", opened / "b");
        fs::create_symlink("../../far/b", opened / "b_again");
        fs::create_symlink("inside", opened / "latest");
        fs::create_symlink(".", opened / "self");
        fs::create_symlink("..", opened / "up");
        fs::create_symlink("/", opened / "top");
        fs::create_symlink("nowhere", opened / "dangling");
        fs::create_symlink("circle", opened / "circle");
        const std::vector<fs::path> both{opened / "a", opened / "b"};
        QCOMPARE(linked_folders(opened), both);
        const auto runs = find_runs(opened);
        QCOMPARE(runs.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(runs[i].path, both[i]);
            QCOMPARE(runs[i].files, 1);
        }
        QCOMPARE(paths_of_runs(opened), both);
        QCOMPARE(runs_to_choose_from(opened), both);
        const auto several = load_run(opened);
        QVERIFY(!several && tells_of_several_runs(several.error().message));
        QCOMPARE(load(opened / "a")->ranks[0]->event_name(0), std::string_view("a"));
    }
    void aFolderWithATraceOfItsOwnIsNoFolderOfRuns() {
        write("far/rank0_trace.json", trace_text("other"));
        write("here/notes.json", "{}");
        fs::create_symlink("../far", root() / "here/baseline");
        QCOMPARE(linked_folders(root() / "here").size(), std::size_t{1});
        write("here/rank0_trace.json", trace_text("own"));
        QVERIFY(linked_folders(root() / "here").empty());
        const auto run = load(root() / "here");
        QCOMPARE(run->ranks.size(), std::size_t{1});
        QCOMPARE(run->ranks[0]->event_name(0), std::string_view("own"));
    }

    void ofTwoCapturesTheNewerIsShown() {
        write("traces/profile_traces/iteration_100/rank0_trace.json", trace_text("old"));
        write("traces/profile_traces/iteration_200/rank0_trace.json", trace_text("new"));
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{1});
        QCOMPARE(run->ranks[0]->event_name(0), std::string_view("new"));
        QCOMPARE(count(run->notices, "duplicate_rank"), 1);
        QVERIFY(run->notices[0].file.find("iteration_100") != std::string::npos);
    }

    void unnamedFilesAreRanksByTheirOrderWithANotice() {
        write("a.1700000000001.pt.trace.json", trace_text("a"));
        write("b.1700000000002.pt.trace.json", trace_text("b"));
        const auto run = load(root());
        QCOMPARE(run->ranks[0]->event_name(0), std::string_view("a"));
        QCOMPARE(run->ranks[1]->event_name(0), std::string_view("b"));
        QCOMPARE(count(run->notices, "rank_by_order"), 2);
    }

    void theirOrderGoesByTheNumbersInTheirNames() {
        write("a.9.pt.trace.json", trace_text("ninth"));
        write("a.10.pt.trace.json", trace_text("tenth"));
        const auto run = load(root());
        QCOMPARE(run->ranks[0]->event_name(0), std::string_view("ninth"));
    }

    void aFolderOfRunsIsNotARun() {
        write("first/rank0.json", trace_text("x"));
        write("second/torch_profiler/rank0/trace.json", trace_text("x"));
        const auto run = load_run(root());
        QVERIFY(!run);
        QVERIFY(english(run.error().message).find("2 runs (first, second)") != std::string::npos);
        QVERIFY(load_run(root() / "second").has_value());
        QCOMPARE(find_runs(root()).size(), std::size_t{2});
    }

    void hostsOfOneRunAreOneRun() {
        write("node0/rank0.json", trace_text("x", 0, 2));
        write("node1/rank1.json", trace_text("x", 1, 2));
        QCOMPARE(load(root())->ranks.size(), std::size_t{2});
    }

    void aCardOfAnotherJobIsTold() {
        const auto told = [&](const std::string& card) {
            write("workload_card.yaml", card);
            const auto run = load(root());
            for (const Notice& notice : run->notices)
                if (notice.code.word() == "settings_contradict")
                    return english(notice.message);
            return std::string();
        };
        const std::string gpus = "workload:\n  hardware:\n    xpu_spec:\n      total_count: ";
        const std::string plan = "Model-executor:\n  model_plan_parallelization:\n    ";
        write("rank0.json", trace_text("x", 0, 2));
        write("rank1.json", trace_text("x", 1, 2));
        QCOMPARE(told(gpus + "2\n" + plan + "pp: 2\n"), std::string());
        QCOMPARE(told(gpus + "4\n" + plan + "pp: 3\n"),
                 std::string("the traces are of a job of 2 ranks, but by the card or configuration total_count is 4, "
                             "its parallelism needs a multiple of 3 ranks"));
    }

    void recordingsWithoutAMomentInCommonAreSeveralRuns() {
        write("before.json", steps_text("", 0, 1));
        write("after.json", steps_text("", kHour, 1));
        const auto run = load_run(root());
        QVERIFY(!run);
        QVERIFY2(english(run.error().message).ends_with("holds 2 runs (after.json, before.json); open one of them"),
                 english(run.error().message).c_str());
        QVERIFY(tells_of_several_runs(run.error().message));
        QCOMPARE(runs_to_choose_from(root()), (std::vector<fs::path>{root() / "after.json", root() / "before.json"}));
        QCOMPARE(load(root() / "before.json")->ranks.size(), std::size_t{1});
        write("after.json", steps_text("", 150, 1)); // meets the second step
        QCOMPARE(load(root())->ranks.size(), std::size_t{2});
    }

    /// A number alone is not that of a rank: here the steps tell.
    void numberedFilesAreOneRunWhereTheirStepsAre() {
        write("trace_0.json", steps_text("", 0, 1));
        write("trace_1.json", steps_text("", kHour, 1));
        QCOMPARE(load(root())->ranks.size(), std::size_t{2});
        write("trace_1.json", steps_text("", kHour, 101));
        QVERIFY(!load_run(root()));
    }

    void hostsWhoseClocksAreHoursApartAreOneRun() {
        write("node0/rank0.json", steps_text("", 0, 1));
        write("node1/rank1.json", steps_text("", kHour, 1));
        QCOMPARE(load(root())->ranks.size(), std::size_t{2});
        write("node0/rank0.json", steps_text(of_rank(0, 2), 0, 1));
        write("node1/rank1.json", trace_text("no step", 1, 2));
        QCOMPARE(load(root())->ranks.size(), std::size_t{2});
    }

    void aRecordingThatSomeRanksLackIsLeftOut() {
        for (int rank = 0; rank < 3; ++rank)
            write("rank" + std::to_string(rank) + "_cycle0.json", steps_text(of_rank(rank, 3), 0, 1));
        write_newer("rank1_cycle1.json", steps_text(of_rank(1, 3), 60'000'000, 101));
        auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{3});
        QCOMPARE(run->ranks[1]->file, root() / "rank1_cycle0.json");
        QCOMPARE(run->span.length(), TimeNs{200'000});
        QCOMPARE(count(run->notices, "duplicate_rank"), 0);
        QCOMPARE(count(run->notices, "other_recording"), 1);
        // With steps unknown the times of the ranks that were recorded twice tell.
        for (int rank = 0; rank < 3; ++rank)
            write("rank" + std::to_string(rank) + "_cycle0.json", trace_text("old", rank, 3));
        run = load(root());
        QCOMPARE(run->ranks[1]->file, root() / "rank1_cycle0.json");
        // All ranks have the newer one: it is shown, and the older are doubles.
        for (int rank = 0; rank < 3; ++rank)
            write_newer("rank" + std::to_string(rank) + "_cycle1.json", steps_text(of_rank(rank, 3), 60'000'000, 101));
        run = load(root());
        QCOMPARE(run->ranks[1]->steps.front().number, std::int64_t{101});
        QCOMPARE(count(run->notices, "duplicate_rank"), 3);
        QCOMPARE(count(run->notices, "other_recording"), 0);
        // Neither has all ranks: the larger one.
        fs::remove(root() / "rank0_cycle1.json");
        fs::remove(root() / "rank0_cycle0.json");
        fs::remove(root() / "rank2_cycle0.json");
        run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->ranks[0]->steps.front().number, std::int64_t{101});
    }

    void aBadRankDoesNotTakeTheOthersWithIt() {
        write("rank0.json", trace_text("good"));
        write("rank1.json", "{\"traceEvents\": [");
        write("rank2.json", trace_text("good"));
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->missing_ranks, std::vector<int>{1});
        QCOMPARE(count(run->notices, "no_events"), 1);
    }

    void clocksThatAreDaysApartAreNoted() {
        write("rank0.json", trace_text("a", 0, 2));
        write("rank1.json", trace_text("b", 1, 2));
        const auto apart = [this] { return count(load(root())->notices, "clocks_apart"); };
        QCOMPARE(apart(), 0);
        std::string late = trace_text("b", 1, 2);
        late.replace(late.find("\"ts\": 10"), 8, "\"ts\": 1735632360000000");
        write("rank1.json", late);
        QCOMPARE(apart(), 1);
    }

    void ranksOfDifferentLaunchesAreNoted() {
        write("rank0.json", trace_text("a", 0, 2));
        const auto noted = [this](const char* start) {
            std::string later = trace_text("b", 1, 2);
            later.replace(later.find("\"ts\": 10"), 8, start);
            write("rank1.json", later);
            return count(load(root())->notices, "several_launches");
        };
        QCOMPARE(noted("\"ts\": 9000000"), 0); // 9 s: clocks of machines may differ by that
        QCOMPARE(noted("\"ts\": 371000000"), 1);
    }

    void otherJsonBesideTheTracesIsLeftAlone() {
        write("rank0.json", trace_text("good"));
        write("torch_et_0.json", R"({"schema": "1.0.1", "pid": 1, "nodes": []})");
        write("results.json", "[1, 2, 3]");
        write("settings.json", R"({"lr": 0.1})");
        write("bench_results.jsonl", "{\"median_ttft_ms\": 1}");
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{1});
        QVERIFY(run->notices.empty());
    }

    void whatCannotBeOpenedIsOneClearLine() {
        write("photos/one.jpg", "\xFF\xD8");
        write("empty.json", "");
        write("no_events.json", R"({"traceEvents": []})");
        fs::create_directories(root() / "nothing");
        for (const char* path : {"photos", "empty.json", "no_events.json", "nothing", "absent"}) {
            const auto run = load_run(root() / path);
            QVERIFY2(!run, path);
            QVERIFY(english(run.error().message).find('\n') == std::string::npos);
            QVERIFY(english(run.error().message).find(path) != std::string::npos);
        }
    }

    void threadsChangeNothing() {
        SimulatorOptions options;
        options.dp = 2;
        options.tp = 2;
        QVERIFY(write_run(options, root()).has_value());
        LoadOptions one;
        one.jobs = 1;
        LoadOptions many;
        many.jobs = 4;
        const auto a = load(root(), one);
        const auto b = load(root(), many);
        QCOMPARE(a->ranks.size(), b->ranks.size());
        for (std::size_t r = 0; r < a->ranks.size(); ++r) {
            const EventTable& x = a->ranks[r]->events;
            const EventTable& y = b->ranks[r]->events;
            QVERIFY(x.start == y.start && x.duration == y.duration && x.kind == y.kind && x.link == y.link &&
                    x.ordinal == y.ordinal);
            for (EventIndex i = 0; i < x.size(); ++i)
                QCOMPARE(a->ranks[r]->event_name(i), b->ranks[r]->event_name(i));
        }
        QCOMPARE(a->notices, b->notices);
    }

    void anEventIsReadBackFromItsFile() {
        SimulatorOptions options;
        options.compression = Compression::gzip;
        QVERIFY(write_run(options, root()).has_value());
        const auto run = load(root());
        const RankTrace& rank = *run->ranks[0];
        for (EventIndex i = 0; i < rank.events.size(); i += 97) {
            const auto text = read_event_text(rank, i);
            QVERIFY(text.has_value());
            const auto event = QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object();
            QCOMPARE(event[QStringLiteral("name")].toString().toStdString(), std::string(rank.event_name(i)));
        }
        fs::resize_file(rank.file, 100);
        QVERIFY(!read_event_text(rank, 0));
    }

    void cancellingStopsSoonAndSaysSo() {
        SimulatorOptions options;
        options.dp = 4;
        options.steps = 20;
        options.cpu_detail = 4;
        QVERIFY(write_run(options, root()).has_value());
        std::stop_source stop;
        LoadOptions load_options;
        load_options.cancel = stop.get_token();
        load_options.on_progress = [&](const LoadProgress&) { stop.request_stop(); };
        const auto run = load_run(root(), load_options);
        QVERIFY(!run);
        QCOMPARE(int(run.error().code), int(Error::Code::cancelled));
    }

    void progressReachesTheEnd() {
        SimulatorOptions options;
        options.dp = 3;
        QVERIFY(write_run(options, root()).has_value());
        LoadProgress last;
        int ranks = 0;
        LoadOptions load_options;
        load_options.on_progress = [&](const LoadProgress& progress) { last = progress; };
        load_options.on_rank = [&](const std::shared_ptr<const RankTrace>&) { ++ranks; };
        const auto run = load(root(), load_options);
        QCOMPARE(ranks, 3);
        QCOMPARE(last.ranks_done, 3);
        QCOMPARE(last.ranks_total, 3);
        QCOMPARE(last.bytes_done, last.bytes_total);
    }

    void realTracesOpenAsTheyAre_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("missing");
        const auto row = [](const char* trace, int ranks, int missing) {
            QTest::newRow(trace) << QString::fromLatin1(trace) << ranks << missing;
        };
        row("dlrm_v100_8rank", 8, 0);
        row("nccl_a100", 1, 1);
        row("sendrecv_1of16", 1, 15);
        row("resnet_v100_ns", 1, 0);
        row("trace_diff_control", 1, 7);
        row("resnet_mi300_1of8", 1, 7);
        row("derived_sendrecv_4rank", 4, 0);
        row("sglang_decode", 1, 0);
        row("rccl_demo/56cu_256threads", 8, 0);
        row("amd_mi250", 1, 0);
        row("timeline_case", 1, 0);
    }
    void realTracesOpenAsTheyAre() {
        const fs::path traces = fs::path(RANKSCOPE_SHARED_DIR) / "traces";
        if (!fs::exists(traces))
            QSKIP("skipped: no shared traces");
        QFETCH(QString, trace);
        QFETCH(int, ranks);
        QFETCH(int, missing);
        const auto run = load(traces / trace.toStdString());
        QCOMPARE(int(run->ranks.size()), ranks);
        QCOMPARE(int(run->missing_ranks.size()), missing);
        for (const auto& rank : run->ranks) {
            QCOMPARE(count(rank->notices, "malformed_events"), 0);
            // The goal of issue 2: at most 40 bytes an event.
            if (rank->events.size() > 10000)
                QVERIFY(rank->memory_bytes() <= 40 * std::size_t{rank->events.size()});
        }
    }
};

RANKSCOPE_TEST(TestLoadRun)

} // namespace rankscope::load_run_test

#include "test_load_run.moc"
