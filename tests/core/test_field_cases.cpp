// SPDX-License-Identifier: GPL-3.0-or-later
// The sixteen kinds of files that public bug reports describe, each made here from a run whose numbers are known, and
// the shared files of the same kinds.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/whatif/what_if.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/report/short_report.h"
#include "tests/support/field_run.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::field_cases_test {

namespace fs = std::filesystem;
using FileJson = FieldRun::Json;

namespace {

/// What is right of a run: of FieldRun, or of the shared files.
struct Right {
    double iter_time_ms = 8.0;
    double idle_percent = 100 * 4.5 / 30.5; // three pauses of 1.5 ms in 3 x 8.0 + 6.5 ms
    double lag_us = 900;                    // 3 x (1.5 - 1.2) ms
    double summed_work_ms = 26;             // 4 x (4.5 + 2.0) ms, whoever computes and whoever waits
    int late_rank = 1;
    std::string late_cost = "Cost: 900 µs of an 8.00 ms step";
    std::string communication_cost = "Exposed communication: 2.00 ms a step";
    int ranks = 4;
};

Right right_of_shared() {
    return {
        6.1, 100 * 1.5 / 23.9, 600, 22.4, 2, "Cost: 600 µs of a 6.10 ms step", "Exposed communication: 1.00 ms a step",
        4};
}

double value_of(const RunAnalysis& analysis, const char* id) { return metric_result(find_metric(id), analysis).value; }

std::string findings_text(const RunAnalysis& analysis) {
    std::string text = english(analysis.findings().summary);
    for (const Finding& finding : analysis.findings().list)
        text += "\n" + english(finding.title);
    return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What is not as it should be; empty: nothing.
std::string differences(const Run& run, const Right& right, double slack_us = 0) {
    const RunAnalysis analysis(std::make_shared<const Run>(run), {});
    std::string text;
    const auto compare = [&](const char* id, double expected, double slack) {
        if (const double found = value_of(analysis, id); std::abs(found - expected) > slack + 1e-6)
            text += std::string(id) + " is " + std::to_string(found) + ", not " + std::to_string(expected) + "; ";
    };
    if (static_cast<int>(run.ranks.size()) != right.ranks || run.world_size != right.ranks)
        text += std::to_string(run.ranks.size()) + " of " + std::to_string(run.world_size) + " ranks; ";
    compare("iter_time", right.iter_time_ms, slack_us / 1000);
    compare("step_time", right.iter_time_ms, slack_us / 1000);
    compare("gpu_timeline", right.idle_percent, 0.01);
    compare("comm_comp_overlap", 0, 0.01);
    compare("straggler_lag", right.lag_us, slack_us);
    compare("kernel_breakdown", right.summed_work_ms, 0.02);
    const std::string findings = findings_text(analysis);
    const std::string late = "Rank " + std::to_string(right.late_rank) + " arrives last at 100 % of the calls";
    if (!has(findings, late) || !has(findings, right.late_cost) || !has(findings, right.communication_cost))
        text += "the findings are " + findings;
    return text;
}

FileJson changed(FileJson file, const std::function<void(FileJson&)>& change) {
    for (FileJson& event : file["traceEvents"])
        if (event["ph"] == "X")
            change(event);
    return file;
}

bool is_kernel(const FileJson& event) { return event["cat"] == "kernel"; }
bool is_gemm(const FileJson& event) { return is_kernel(event) && event["tid"] == 7; }

} // namespace

class TestFieldCases : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path root() const { return folder_->path().toStdString(); }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root() / path).parent_path());
        std::ofstream(root() / path, std::ios::binary) << text;
    }
    /// The base run, each file changed.
    void write_changed(const FieldRun& run, const std::function<FileJson(FileJson, int)>& change) const {
        for (int rank = 0; rank < run.ranks; ++rank)
            write("rank" + std::to_string(rank) + "_trace.json", change(run.file_of(rank), rank).dump());
    }
    static std::shared_ptr<const Run> load(const fs::path& path) {
        LoadOptions options;
        options.use_cache = false;
        auto run = load_run(path, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static std::string refusal(const fs::path& path) {
        const auto run = load_run(path);
        return run ? std::string() : english(run.error().message);
    }
    static std::int64_t count(const Run& run, std::string_view code) {
        std::int64_t total = 0;
        for (const Notice& notice : run.notices)
            total += notice.code == code ? notice.count : 0;
        return total;
    }
    static std::vector<FileJson> files_of(const FieldRun& run) {
        std::vector<FileJson> files;
        for (int rank = 0; rank < run.ranks; ++rank)
            files.push_back(run.file_of(rank));
        return files;
    }
    void write_merged_beside(bool has_header, bool by_sglang) const {
        FieldRun run;
        run.has_header = has_header;
        for (int rank = 0; rank < run.ranks; ++rank)
            write("1757517000.12-TP-" + std::to_string(rank) + ".trace.json", run.file_of(rank).dump());
        const std::vector<FileJson> files = files_of(run);
        write("merged-1757517000.12.trace.json",
              (by_sglang ? merged_as_sglang_does(files) : merged_as_tracefusion_does(files)).dump());
        fs::last_write_time(root() / "merged-1757517000.12.trace.json",
                            fs::file_time_type::clock::now() + std::chrono::minutes(1));
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void theRunItselfIsRight() {
        FieldRun().write(root());
        QCOMPARE(differences(*load(root()), {}), std::string());
        write("kineto/rank0_trace.json", in_kineto_layout(FieldRun().file_of(0)));
        QCOMPARE(load(root() / "kineto")->event_count(), load(root() / "rank0_trace.json")->event_count());
    }

    void beginAndEndEvents() {
        write_changed({}, [](FileJson file, int) {
            FileJson events = FileJson::array();
            std::vector<std::pair<std::int64_t, FileJson>> timed;
            for (FileJson event : file["traceEvents"]) {
                if (event["ph"] != "X") {
                    events.push_back(event);
                    continue;
                }
                const std::int64_t start = event["ts"];
                const std::int64_t end = start + event["dur"].get<std::int64_t>();
                const FileJson closing{
                    {"ph", "E"}, {"name", event["name"]}, {"pid", event["pid"]}, {"tid", event["tid"]}, {"ts", end}};
                event["ph"] = "B";
                event.erase("dur");
                timed.emplace_back(2 * start + 1, std::move(event));
                timed.emplace_back(2 * end, closing); // what ends goes before what starts
            }
            std::ranges::stable_sort(timed, {}, &std::pair<std::int64_t, FileJson>::first);
            for (auto& [time, event] : timed)
                events.push_back(std::move(event));
            file["traceEvents"] = std::move(events);
            return file;
        });
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "unpaired_events"), 0);
    }

    void kernelsThatStartBeforeTheOneBeforeThemEnds() {
        write_changed({}, [](FileJson file, int) {
            std::int64_t last_end = 0;
            return changed(std::move(file), [&](FileJson& event) {
                if (!is_gemm(event))
                    return;
                const std::int64_t start = event["ts"];
                if (start == last_end) {
                    event["ts"] = start - 1;
                    event["dur"] = event["dur"].get<std::int64_t>() + 1;
                }
                last_end = event["ts"].get<std::int64_t>() + event["dur"].get<std::int64_t>();
            });
        });
        const auto run = load(root());
        QCOMPARE(differences(*run, {}, 3), std::string());
        QCOMPARE(count(*run, "overlong_work"), 0);
        const RunAnalysis analysis(run, {});
        const std::vector<Change> changes{*parse_change("kernel:gemm=2x")};
        // Half of the 4.5 ms of the late rank is saved.
        const double predicted_ms = analysis.predict(changes).front().predicted / 1e6;
        QVERIFY2(std::abs(predicted_ms - 5.75) < 0.003, qPrintable(QString::number(predicted_ms)));
    }

    void enginesThatCountFromZero() {
        for (int engine = 0; engine < 2; ++engine) {
            FieldRun run;
            run.ranks = 2;
            run.late_gemm_us = engine == 0 ? 1500 : 1800;
            run.idle_us = engine == 0 ? 1500 : 600; // both take 8.0 ms a step
            run.first_process = 4000 + 100 * engine;
            for (int rank = 0; rank < 2; ++rank) {
                const FileJson file = changed(run.file_of(rank), [&](FileJson& event) {
                    if (is_kernel(event)) {
                        event["pid"] = 2 * engine + rank;
                        event["args"]["device"] = 2 * engine + rank;
                    }
                });
                write("dp" + std::to_string(engine) + "_pp0_tp" + std::to_string(rank) + "_rank" +
                          std::to_string(rank) + ".17575170000123.pt.trace.json",
                      file.dump());
            }
        }
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{4});
        QCOMPARE(run->world_size, 4);
        QCOMPARE(count(*run, "jobs_side_by_side"), 2);
        QCOMPARE(count(*run, "duplicate_rank"), 0);
        const RunAnalysis analysis(run, {});
        const MetricResult lag = metric_result(find_metric("straggler_lag"), analysis);
        QCOMPARE(lag.details["per_group"].size(), std::size_t{2});
        QCOMPARE(lag.details["per_group"][0]["mean_lag_us"].get<double>(), 900.0);
        QCOMPARE(lag.details["per_group"][1]["mean_lag_us"].get<double>(), 1800.0);
        const std::string findings = findings_text(analysis);
        QVERIFY2(has(findings, "Ranks 1 and 3 take longer than their peers"), findings.c_str());
        // The cost is a mean of two jobs, which wait for nothing else.
        QVERIFY2(!has(findings, "wait for something else"), findings.c_str());
    }

    void aDurationThatRanOver() {
        bool done = false;
        write_changed({}, [&](FileJson file, int rank) {
            return changed(std::move(file), [&](FileJson& event) {
                if (rank == 2 && is_gemm(event) && !std::exchange(done, true))
                    event["dur"] = 1'600'000;
            });
        });
        QVERIFY(done);
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "overlong_work"), 1);
    }

    void everyProcessSeesDeviceZero_data() {
        QTest::addColumn<bool>("every_device_is_0");
        QTest::newRow("every device is 0") << true;
        QTest::newRow("devices 0 to 7") << false;
    }
    void everyProcessSeesDeviceZero() {
        QFETCH(bool, every_device_is_0);
        FieldRun run;
        run.ranks = 8;
        run.late_rank = -1;
        run.groups = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
        run.every_device_is_0 = every_device_is_0;
        run.elements = 32 << 20; // 128 MiB; on the bus of a group of two the same, in 6.5 ms: 20.6 GB/s
        run.all_reduce_us = 6500;
        run.write(root());
        const auto loaded = load(root());
        QCOMPARE(loaded->ranks.size(), std::size_t{8});
        const RunAnalysis analysis(loaded, {});
        const std::string findings = findings_text(analysis);
        QVERIFY2(has(findings, "6.50 ms a step"), findings.c_str());
        QVERIFY2(!has(findings, "machine"), findings.c_str());
        QVERIFY2(!has(findings, "GB/s"), findings.c_str());
    }

    void theNetworkOfGraceHopperIsNotKnown_data() {
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<bool>("is_slow");
        QTest::newRow("GH200") << "NVIDIA GH200 120GB" << false;
        QTest::newRow("H200, whose machines have faster networks") << "NVIDIA H200" << true;
    }
    void theNetworkOfGraceHopperIsNotKnown() {
        QFETCH(QString, gpu);
        QFETCH(bool, is_slow);
        FieldRun run;
        run.ranks = 8;
        run.late_rank = -1;
        run.gpus_per_machine = 4;
        run.gpu = gpu.toStdString();
        run.elements = 64 << 20; // 256 MiB: 470 MB on the bus of eight, in 21 ms 22.4 GB/s
        run.all_reduce_us = 21'000;
        run.write(root());
        const std::string findings = findings_text(RunAnalysis(load(root()), {}));
        QCOMPARE(has(findings, "usually carr"), is_slow);
    }

    void kernelsBeforeTheirLaunches() {
        write_changed({}, [](FileJson file, int) {
            return changed(std::move(file), [](FileJson& event) {
                if (is_kernel(event))
                    event["ts"] = event["ts"].get<std::int64_t>() - 120;
            });
        });
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        // The first GEMM and no other starts early: at -20 us, and its launch at 6 us.
        QCOMPARE(count(*run, "gpu_clock_ahead"), 4 * 4);
        QVERIFY(has(english(run->notices.front().message), "by 26 µs at least"));
    }

    /// Every wait for the GPU returns 790 us before its work ends.
    void aClockOfTheGpuThatIsLate() {
        write_changed({}, [](FileJson file, int) {
            return changed(std::move(file), [](FileJson& event) {
                if (is_kernel(event))
                    event["ts"] = event["ts"].get<std::int64_t>() + 800;
            });
        });
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "gpu_clock_late"), 4 * 4);
    }

    /// The last all-reduce of rank 1, with nothing after it: the wait for it tells when it ended.
    void aLastDurationThatRanOver() {
        write_changed({}, [](FileJson file, int rank) {
            FileJson* last = nullptr;
            for (FileJson& event : file["traceEvents"])
                if (rank == 1 && event["ph"] == "X" && is_kernel(event) && !is_gemm(event))
                    last = &event;
            if (last != nullptr)
                (*last)["dur"] = 1'600'000;
            return file;
        });
        const auto run = load(root());
        QCOMPARE(count(*run, "overlong_work"), 1);
        QCOMPARE(differences(*run, {}, 12), std::string()); // the wait returns 10 us after the work
    }

    void lostKernelRecords() {
        FieldRun healthy;
        healthy.late_rank = -1;
        healthy.gemms = 4;
        write_changed(healthy, [](FileJson file, int rank) {
            FileJson events = FileJson::array();
            int gemm = 0;
            for (const FileJson& event : file["traceEvents"])
                if (rank != 0 || event["ph"] != "X" || !is_gemm(event) || gemm++ % 2 == 0)
                    events.push_back(event);
            file["traceEvents"] = events;
            return file;
        });
        const auto run = load(root());
        QCOMPARE(count(*run, "lost_gpu_work"), 8);
        const RunAnalysis analysis(run, {});
        // 4 x 1.2 + 2.0 + 1.5 ms, also on the rank whose first all-reduce follows a gap.
        QCOMPARE(value_of(analysis, "iter_time"), 8.3);
        QCOMPARE(value_of(analysis, "step_time"), 8.3);
        const std::string findings = findings_text(analysis);
        QVERIFY2(has(findings, "Rank 0 is not judged: 8 of its launches have no GPU work."), findings.c_str());
        QVERIFY2(!has(findings, "Rank 0 takes"), findings.c_str());
        QVERIFY2(!has(findings, "launched work waits"), findings.c_str());
    }

    void foldersNamedAfterOtherNumbers() {
        for (const char* const folder : {"lora_rank8", "lora_rank16"}) {
            FieldRun run;
            run.ranks = 1;
            run.has_header = false;
            write(std::string(folder) + "/host_4000.1757517000123.pt.trace.json", run.file_of(0).dump());
        }
        QVERIFY2(has(refusal(root()), "holds 2 runs (lora_rank16, lora_rank8)"), refusal(root()).c_str());
        for (const char* const folder : {"lora_rank8", "lora_rank16"}) {
            const auto run = load(root() / folder);
            QCOMPARE(run->ranks.size(), std::size_t{1});
            QCOMPARE(run->ranks.front()->rank, 0);
            QCOMPARE(run->world_size, 1);
            QCOMPARE(count(*run, "missing_ranks"), 0);
        }
    }

    void aMergedFileAlone_data() {
        QTest::addColumn<bool>("by_sglang");
        QTest::newRow("SGLang") << true;
        QTest::newRow("TraceFusion") << false;
    }
    void aMergedFileAlone() {
        QFETCH(bool, by_sglang);
        const std::vector<FileJson> files = files_of({});
        write("merged.trace.json",
              (by_sglang ? merged_as_sglang_does(files) : merged_as_tracefusion_does(files)).dump());
        for (const fs::path& path : {root(), root() / "merged.trace.json"}) {
            const std::string why = refusal(path);
            QVERIFY2(has(why, "holds the events of several ranks") && has(why, "open the files of the ranks"),
                     why.c_str());
        }
    }

    void aMergedFileBesideItsRanks_data() {
        QTest::addColumn<bool>("has_header"); ///< and the merged file has that of rank 0, and is the newest
        QTest::addColumn<bool>("by_sglang");
        QTest::newRow("names tell, SGLang") << false << true;
        QTest::newRow("headers tell, SGLang") << true << true;
        QTest::newRow("names tell, TraceFusion") << false << false;
        QTest::newRow("headers tell, TraceFusion") << true << false;
    }
    void aMergedFileBesideItsRanks() {
        QFETCH(bool, has_header);
        QFETCH(bool, by_sglang);
        write_merged_beside(has_header, by_sglang);
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "merged_file"), 1);
        QCOMPARE(count(*run, "duplicate_rank"), 0);
    }

    /// Real files of eight ranks in one file: refused, and beside the files left out.
    void realFilesMerged_data() {
        QTest::addColumn<bool>("by_sglang");
        QTest::newRow("SGLang") << true;
        QTest::newRow("TraceFusion") << false;
    }
    void realFilesMerged() {
        QFETCH(bool, by_sglang);
        const fs::path traces = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "dlrm_v100_8rank";
        if (!fs::exists(traces))
            QSKIP("skipped: no shared traces");
        std::vector<fs::path> paths;
        for (const auto& entry : fs::directory_iterator(traces))
            paths.push_back(entry.path());
        std::ranges::sort(paths);
        std::vector<FileJson> files;
        for (const fs::path& path : paths) {
            std::ifstream file(path);
            files.push_back(FileJson::parse(file));
            fs::copy(path, root() / path.filename());
        }
        QCOMPARE(files.size(), std::size_t{8});
        write("merged/all.json", (by_sglang ? merged_as_sglang_does(files) : merged_as_tracefusion_does(files)).dump());
        const std::string why = refusal(root() / "merged");
        QVERIFY2(has(why, "holds the events of several ranks") && has(why, "open the files of the ranks"), why.c_str());
        fs::rename(root() / "merged" / "all.json", root() / "worker0_all.json");
        const auto run = load(root());
        QCOMPARE(count(*run, "merged_file"), 1);
        const RunAnalysis beside(run, {});
        const RunAnalysis alone(load(traces), {});
        for (const char* const id :
             {"step_time", "gpu_timeline", "comm_comp_overlap", "straggler_lag", "kernel_breakdown"})
            QCOMPARE(value_of(beside, id), value_of(alone, id));
    }

    /// Gloo's threads run the collective while nothing is recorded of the one that waits for it.
    void collectivesOnTheHost() {
        write_changed({}, [](FileJson file, int rank) {
            FileJson calls = FileJson::array();
            for (const FileJson& event : file["traceEvents"])
                if (event["name"] == "cudaDeviceSynchronize") {
                    const std::int64_t end = event["ts"].get<std::int64_t>() + event["dur"].get<std::int64_t>();
                    calls.push_back({{"ph", "X"},
                                     {"cat", "cpu_op"},
                                     {"name", "gloo:all_reduce"},
                                     {"pid", 4000 + rank},
                                     {"tid", 9000 + rank},
                                     {"ts", end + 100},
                                     {"dur", 1200},
                                     {"args", FileJson::object()}});
                }
            for (const FileJson& call : calls)
                file["traceEvents"].push_back(call);
            return file;
        });
        const RunAnalysis analysis(load(root()), {});
        const MetricResult calls = metric_result(find_metric("coll_call_num"), analysis);
        QCOMPARE(calls.value, 16.0);
        const FileJson on_host{{{"name", "gloo:all_reduce"}, {"calls", 16}, {"total_us", 19200.0}}};
        QCOMPARE(calls.details["on_host"].dump(), on_host.dump());
        const std::string fact = english(host_fact_words(analysis.facts()));
        // A gap of 1.5 ms in three of the four steps, 1.2 ms of it in the collective.
        QVERIFY2(has(fact, "gloo:all_reduce"), fact.c_str());
        const auto& findings = analysis.findings().list;
        const auto bound = std::ranges::find(findings, FindingCode::host_bound, &Finding::code);
        QVERIFY(bound != findings.end());
        QVERIFY2(has(english(bound->title), "inside gloo:all_reduce"), english(bound->title).c_str());
    }

    /// A kernel of Flux: all of it counts as computation, and that is said.
    void kernelsThatCommunicateWhileTheyCompute() {
        const char* const name = "void cutlass::device_kernel<cutlass::gemm::kernel::Sm90AGGemmUniversal<int>>()";
        write_changed({}, [&](FileJson file, int) {
            return changed(std::move(file), [&](FileJson& event) {
                if (is_gemm(event))
                    event["name"] = name;
            });
        });
        const RunAnalysis analysis(load(root()), {});
        std::string texts;
        for (const Message& text : analysis.findings().judged.not_judged)
            texts += english(text) + "\n";
        // (3 x 3.6 + 4.5) of 4 x 6.5 ms
        QVERIFY2(has(texts, "take 59 % of the kernels' time"), texts.c_str());
    }

    void reportsNamedAfterProcesses() {
        for (const int process : {4711, 4712}) {
            NsysExport report(root() / ("worker_process_" + std::to_string(process) + ".sqlite"));
            NsysExport::Gpu gpu;
            gpu.process = process;
            report.kernel(100, 200, "gemm", gpu);
        }
        const auto run = load(root());
        QCOMPARE(run->world_size, 2);
        QCOMPARE(count(*run, "rank_by_order"), 2);
        QCOMPARE(count(*run, "missing_ranks"), 0);
    }

    void anOddNumberOfQuotesInAName_data() {
        QTest::addColumn<int>("quotes");
        for (const int quotes : {1, 2, 3, 4})
            QTest::addRow("%d", quotes) << quotes;
    }
    void anOddNumberOfQuotesInAName() {
        QFETCH(int, quotes);
        for (int rank = 0; rank < 4; ++rank) {
            FileJson file = FieldRun().file_of(rank);
            file["traceEvents"].insert(file["traceEvents"].begin() + 3,
                                       FileJson{{"ph", "X"},
                                                {"cat", "python_function"},
                                                {"name", "QUOTESHelpers of the model.(1): <module>"},
                                                {"pid", 4000 + rank},
                                                {"tid", 4000 + rank},
                                                {"ts", 1'700'000'000'000'001},
                                                {"dur", 2},
                                                {"args", {{"Python id", 1}}}});
            std::string text = in_kineto_layout(file);
            text.replace(text.find("QUOTES"), 6, std::string(static_cast<std::size_t>(quotes), '"'));
            write("rank" + std::to_string(rank) + "_trace.json", text);
        }
        const auto run = load(root());
        // 4 x (1 step + 4 operators + 4 launches + 4 kernels + 1 wait) on each rank, and no file ends early.
        QCOMPARE(run->event_count(), std::uint64_t{4 * 56});
        QCOMPARE(count(*run, "malformed_events"), 4);
        QCOMPARE(count(*run, "truncated_file"), 0);
        QCOMPARE(differences(*run, {}), std::string());
        QVERIFY(has(findings_text(RunAnalysis(run, {})), "4 of the 236 events of 4 files could not be read"));
    }

    void aFrontEndBesideTheRanks() {
        FieldRun().write(root());
        FileJson front;
        front["schemaVersion"] = 1;
        for (int i = 0; i < 20; ++i)
            front["traceEvents"].push_back({{"ph", "X"},
                                            {"cat", "python_function"},
                                            {"name", "async_llm.py(100): generate"},
                                            {"pid", 4711},
                                            {"tid", 4711},
                                            {"ts", 1'700'000'000'000'000 + 1000 * i},
                                            {"dur", 900},
                                            {"args", {{"Python id", i}}}});
        write("gpuhost_4711.async_llm.1757517009999.pt.trace.json", front.dump());
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "not_a_rank"), 1);
        QCOMPARE(count(*run, "no_gpu_events"), 0);
    }

    /// Their names hold numbers that ranks have as well.
    void severalFrontEndsWithTheNumbersOfRanks() {
        FieldRun().write(root());
        for (int number = 0; number < 2; ++number) {
            FileJson front;
            for (int i = 0; i < 20; ++i)
                front["traceEvents"].push_back({{"ph", "X"},
                                                {"cat", "python_function"},
                                                {"name", "async_llm.py(100): generate"},
                                                {"pid", 4711 + number},
                                                {"tid", 4711 + number},
                                                {"ts", 1'700'000'000'000'000 + 1000 * i},
                                                {"dur", 900},
                                                {"args", {{"Python id", i}}}});
            write("api_server_" + std::to_string(number) + ".json", front.dump());
        }
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "not_a_rank"), 2);
        QCOMPARE(count(*run, "missing_ranks"), 0);
    }

    /// A recorder that appends to a file that is there.
    void aFileThatHoldsTwoDocuments() {
        write_changed({}, [](FileJson file, int) { return file; });
        const std::string text = in_kineto_layout(FieldRun().file_of(1));
        write("rank1_trace.json", text + text);
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "second_document"), 1);
    }

    void aQuoteInAKeyOfTheHeader() {
        write_changed({}, [](FileJson file, int) { return file; });
        FileJson file;
        file["traceName"] = "QUOTES";
        file.update(FieldRun().file_of(1));
        std::string text = in_kineto_layout(file);
        text.replace(text.find("QUOTES"), 6, "/tmp/\"t/rank1.json");
        write("rank1_trace.json", text);
        const auto run = load(root());
        QCOMPARE(differences(*run, {}), std::string());
        QCOMPARE(count(*run, "malformed_events"), 1);
        QCOMPARE(count(*run, "truncated_file"), 0);
    }

    /// As some locales print them.
    void durationsWithADecimalComma() {
        write_changed({}, [](FileJson file, int) { return file; });
        for (int rank = 0; rank < 4; ++rank) {
            std::string text = in_kineto_layout(changed(FieldRun().file_of(rank), [](FileJson& event) {
                if (is_kernel(event))
                    event["dur"] = "COMMA";
            }));
            for (std::size_t at = text.find("\"COMMA\""); at != std::string::npos; at = text.find("\"COMMA\"", at))
                text.replace(at, 7, "1000,5");
            write("rank" + std::to_string(rank) + "_trace.json", text);
        }
        const auto run = load(root());
        QCOMPARE(count(*run, "no_gpu_events"), 4);
        for (const Notice& notice : run->notices)
            QVERIFY2(!has(english(notice.message), "record with"), english(notice.message).c_str());
    }

    /// Slices of one GPU are not all as large.
    void gpusOfOtherSizes() {
        write_changed({}, [](FileJson file, int rank) {
            file["deviceProperties"] =
                FileJson::array({{{"id", 0}, {"name", "NVIDIA H100 80GB HBM3"}, {"numSms", rank == 2 ? 18 : 28}}});
            return file;
        });
        QCOMPARE(load(root())->config.at("trace.device.numSms"), std::string("28; 18 on rank 2"));
    }

    /// The shared files of these kinds.
    void sharedCases_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("slack_us");
        for (const char* const name : {"begin_end_events", "duration_overflow", "kernel_before_launch",
                                       "merged_beside_ranks", "merged_replaces_rank_0", "vllm_front_end"})
            QTest::newRow(name) << QString::fromLatin1(name) << 0.0;
        QTest::newRow("dependent_launch") << "dependent_launch" << 3.0;
        QTest::newRow("odd_quote_in_name") << "odd_quote_in_name" << 0.0;
    }
    void sharedCases() {
        QFETCH(QString, name);
        QFETCH(double, slack_us);
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "field_cases" / name.toStdString();
        if (!fs::exists(path))
            QSKIP("skipped: no shared traces");
        Right right = right_of_shared();
        if (name == "odd_quote_in_name") { // of two ranks, and rank 1 is the late one
            right.ranks = 2;
            right.late_rank = 1;
        }
        QCOMPARE(differences(*load(path), right, slack_us), std::string());
    }

    void sharedCaseOfLostRecords() {
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "field_cases" / "lost_kernel_records";
        if (!fs::exists(path))
            QSKIP("skipped: no shared traces");
        const auto run = load(path);
        QCOMPARE(count(*run, "lost_gpu_work"), 8);
        QCOMPARE(value_of(RunAnalysis(run, {}), "step_time"), 5.5);
    }

    /// What docs/accuracy.md says of recordings that people published.
    void publishedRecordings() {
        const fs::path traces = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "field_real";
        if (!fs::exists(traces))
            QSKIP("skipped: no shared traces");
        const auto llama = load(traces / "tugot17_llama_tp2");
        for (const bool aligned : {true, false}) {
            const RunAnalysis analysis(llama, {}, aligned ? Align::collectives : Align::automatic);
            const auto rank = metric_result(find_metric("straggler_lag"), analysis).details["per_rank"][1];
            QCOMPARE(rank["times_last"].get<int>(), aligned ? 13 : 19);
            QVERIFY(std::abs(rank["sum_lag_us"].get<double>() - (aligned ? 45'727 : 50'133)) < 1);
        }
        const RunAnalysis llama_analysis(llama, {});
        const auto straggler =
            std::ranges::find(llama_analysis.findings().list, FindingCode::straggler, &Finding::code);
        QVERIFY(straggler != llama_analysis.findings().list.end());
        QVERIFY(std::abs(straggler->cost - 5.28e6) < 0.01e6);
        const RunAnalysis resnet(load(traces / "kineto_tb_old"), {});
        QVERIFY(std::abs(value_of(resnet, "iter_time") - 128.2473) < 0.0001);
        const RunAnalysis experts(load(traces / "switch_transformer"), {});
        QVERIFY(std::abs(value_of(experts, "gpu_timeline") - 18.6) < 0.05);
        QVERIFY(std::abs(value_of(experts, "step_time") - 60.5) < 0.05);
    }
};

RANKSCOPE_TEST(TestFieldCases)

} // namespace rankscope::field_cases_test

#include "test_field_cases.moc"
