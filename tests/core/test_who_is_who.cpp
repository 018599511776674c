// SPDX-License-Identifier: GPL-3.0-or-later
// Which rank each file of a folder is, in the forms in which people find their files: merged ones beside the others,
// front ends, engines that each count from 0, folders named after other numbers.
#include <QtTest>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "core/input/find/find_runs.h"
#include "core/input/find/run_choices.h"
#include "core/input/find/run_folder.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::who_is_who_test {

namespace fs = std::filesystem;

namespace {

/// One process on one GPU: a step, a call and a kernel of 5 us each 100 us, or as often as period_us says.
struct Process {
    int id = 4000;
    int device = 0;
    std::int64_t start_us = 1'700'000'000'000'000;
    int steps = 4;
    int first_step = 1;
    std::string label = {}; ///< in front of process ids, as SGLang's ProfileMerger writes it
    int fused_rank = -1;    ///< in the arguments, as TraceLens's TraceFusion writes it
    bool on_gpu = true;
    bool marks_steps = true;
    std::string host_call = {}; ///< of CUDA, in each step of a process without GPU work
    int period_us = 100;
    int world = 0; ///< of the group that it calls an all-reduce in each step; 0: none
};

using Json = nlohmann::ordered_json;

Json event_of(const Process& process, const std::string& category, const std::string& name, int id, int thread,
              std::int64_t ts, int duration) {
    Json event{{"ph", "X"}, {"cat", category}, {"name", name}, {"tid", thread}, {"ts", ts}, {"dur", duration}};
    event["args"] = Json::object();
    // TraceFusion adds rank x 10^k to process ids.
    if (process.label.empty())
        event["pid"] = id + std::max(0, process.fused_rank) * 100000;
    else
        event["pid"] = process.label + " " + std::to_string(id);
    if (process.fused_rank >= 0)
        event["args"] = {{"rank", process.fused_rank}, {"pid_raw", id}};
    return event;
}

/// It ends with the step on all ranks of the job.
Json all_reduce_of(const Process& process, std::int64_t step_start) {
    std::string members;
    for (int member = 0; member < process.world; ++member)
        members += (member == 0 ? "[" : ", ") + std::to_string(member);
    Json kernel = event_of(process, "kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", process.device, 20,
                           step_start + process.period_us / 2, process.period_us / 2 - 1);
    kernel["args"] = {{"device", process.device},
                      {"stream", 20},
                      {"Collective name", "allreduce"},
                      {"In msg nelems", 1024},
                      {"Out msg nelems", 1024},
                      {"Group size", process.world},
                      {"dtype", "BFloat16"},
                      {"Process Group Name", "0"},
                      {"Process Group Ranks", members + "]"}};
    return kernel;
}

void add_events(const Process& process, Json& events) {
    for (int i = 0; i < process.steps; ++i) {
        const std::int64_t at = process.start_us + std::int64_t{process.period_us} * i;
        if (!process.on_gpu) {
            events.push_back(
                event_of(process, "python_function", "async_llm.py: generate", process.id, process.id, at, 100));
            if (!process.host_call.empty())
                events.push_back(event_of(process, "cuda_runtime", process.host_call, process.id, process.id, at, 9));
            continue;
        }
        const std::string step = "ProfilerStep#" + std::to_string(process.first_step + i);
        if (process.marks_steps)
            events.push_back(event_of(process, "user_annotation", step, process.id, process.id, at, process.period_us));
        Json call = event_of(process, "cuda_runtime", "cudaLaunchKernel", process.id, process.id, at + 1, 2);
        Json kernel = event_of(process, "kernel", "gemm", process.device, 7, at + 5, 5);
        kernel["args"]["device"] = process.device;
        kernel["args"]["stream"] = 7;
        call["args"]["correlation"] = kernel["args"]["correlation"] = i + 1;
        events.push_back(std::move(call));
        events.push_back(std::move(kernel));
        if (process.world > 0)
            events.push_back(all_reduce_of(process, at));
    }
}

Json header_of(int rank, int world) {
    Json group{{"pg_name", "0"}, {"pg_desc", "default_pg"}, {"pg_size", world}, {"ranks", Json::array()}};
    for (int member = 0; member < world; ++member)
        group["ranks"].push_back(member);
    Json header;
    header["distributedInfo"] = {{"rank", rank}, {"world_size", world}, {"pg_config", Json::array({group})}};
    return header;
}

std::string file_of(Json header, const std::vector<Process>& processes) {
    Json events = Json::array();
    for (const Process& process : processes)
        add_events(process, events);
    header["traceEvents"] = std::move(events);
    return header.dump();
}

Process rank_process(int rank) {
    Process process;
    process.id = 4000 + rank;
    process.device = rank;
    return process;
}

} // namespace

class TestWhoIsWho : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path root() const { return folder_->path().toStdString(); }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root() / path).parent_path());
        std::ofstream(root() / path, std::ios::binary) << text;
    }
    void make_newest(const std::string& path) const {
        fs::last_write_time(root() / path, fs::file_time_type::clock::now() + std::chrono::minutes(1));
    }
    static std::int64_t count(const Notices& notices, std::string_view code) {
        std::int64_t total = 0;
        for (const Notice& notice : notices)
            total += notice.code == code ? notice.count : 0;
        return total;
    }
    std::shared_ptr<const Run> load(const fs::path& path) const {
        auto run = load_run(path);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static std::vector<int> ranks_of(const Run& run) {
        std::vector<int> ranks;
        for (const auto& rank : run.ranks)
            ranks.push_back(rank->rank);
        return ranks;
    }
    static std::string refusal(const fs::path& path) {
        const auto run = load_run(path);
        return run ? std::string() : english(run.error().message);
    }
    /// Of the job: its process ids and its devices, which start anew.
    void write_job(int world, int first_process, const std::vector<int>& devices, int period_us,
                   const std::function<std::string(const Process&, int rank)>& name) const {
        for (int rank = 0; rank < static_cast<int>(devices.size()); ++rank) {
            Process process;
            process.id = first_process + rank;
            process.device = devices[static_cast<std::size_t>(rank)];
            process.period_us = period_us;
            process.world = world;
            const std::string path = name(process, rank);
            if (!path.empty())
                write(path, file_of(header_of(rank, world), {process}));
        }
    }
    static std::string name_by_process(const Process& process, int) {
        return "h_" + std::to_string(process.id) + ".1757517000123.pt.trace.json";
    }
    /// Of the ranks of each job.
    static std::map<int, std::vector<int>> devices_of_jobs(const Run& run) {
        std::map<int, std::vector<int>> devices;
        for (const auto& rank : run.ranks)
            devices[rank->job].push_back(static_cast<int>(rank->device()));
        return devices;
    }
    void write_four_ranks(bool with_header) const {
        for (int rank = 0; rank < 4; ++rank)
            write("1757517000.12-TP-" + std::to_string(rank) + ".trace.json",
                  file_of(with_header ? header_of(rank, 4) : Json::object(), {rank_process(rank)}));
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aNumberIsARankOnlyIfItCanBeOne_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("rank");
        const auto row = [](const char* path, int rank) { QTest::newRow(path) << QString::fromLatin1(path) << rank; };
        row("trace-rank[3].json", 3);
        row("rank=5.json", 5);
        row("dp1_pp0_tp0_dcp0_ep2_rank6.17575170100123.pt.trace.json", 6);
        row("lora_rank8/host_4000.1757517000123.pt.trace.json", -1);
        row("lora-rank-16.json", -1);
        row("rank8_lora/trace.json", -1);
        row("lora-alpha16-rank8/trace.json", -1);
        row("ft_lora_bs4_rank16/host_4000.1757517000123.pt.trace.json", -1);
        row("rank16_alpha32/trace.json", -1);
        row("alpha16_rank8/trace.json", -1);
        row("peft_r8_rank8.json", -1);
        row("loha_rank8/trace.json", -1);
        row("galore_rank128.json", -1);
        row("qlora-7b-rank_64_trace.json", -1);
        row("matrix_rank4.json", -1);
        row("lora_rank16-rank3.json", 3);
        row("rank3_lora_rank16.json", 3);
        row("rank16_alpha32_rank3.json", 3);
        row("lora_alpha32_rank16/rank3.json", 3);
        row("alpha-2_rank3.json", 3); // a host
        row("exploration_rank3.json", 3);
        row("worker_process_4711.sqlite", -1);
        row("worker_process_83.nsys-rep", -1);
        row("report_host_4711.nsys-rep", -1);
        row("worker_process_4711.1.sqlite", -1);
        row("1.0.2-chakra.0.0.4.json", -1);
        row("trace_2025-09-10.json", -1);
        row("1757517000.12.trace.json", -1);
        row("1757517000.12-TP-1-EP-1.trace.json", -1);
        row("trace_7.json", 7);
    }
    void aNumberIsARankOnlyIfItCanBeOne() {
        QFETCH(QString, path);
        QFETCH(int, rank);
        QCOMPARE(rank_in_path(path.toStdString()).value_or(-1), rank);
    }

    void theProcessOfAFileIsNoRank() {
        // Container's process ids are as small as ranks.
        for (const int id : {83, 84}) {
            Process process;
            process.id = id;
            process.device = id - 83;
            write("trace_" + std::to_string(id) + ".json", file_of(Json::object(), {process}));
        }
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(count(run->notices, "rank_by_order"), 2);
    }

    void aNumberBeyondTheWorldIsNoRank() {
        Json header = header_of(0, 4);
        header["distributedInfo"].erase("rank");
        write("trace_17.json", file_of(header, {rank_process(0)}));
        QCOMPARE(ranks_of(*load(root())), std::vector<int>{0});
    }

    void mergedFilesAreLeftOutBesideTheirRanks_data() {
        QTest::addColumn<bool>("fused");
        QTest::addColumn<bool>("header");
        QTest::newRow("labelled, names tell") << false << false;
        QTest::newRow("labelled, with the header of rank 0") << false << true;
        QTest::newRow("fused, names tell") << true << false;
        QTest::newRow("fused, with the header of rank 0") << true << true;
    }
    void mergedFilesAreLeftOutBesideTheirRanks() {
        QFETCH(bool, fused);
        QFETCH(bool, header);
        write_four_ranks(header);
        std::vector<Process> all;
        for (int rank = 0; rank < 4; ++rank) {
            all.push_back(rank_process(rank));
            if (fused)
                all.back().fused_rank = rank;
            else
                all.back().label = "[TP0" + std::to_string(rank) + "-DP00]";
        }
        write("merged-1757517000.12.trace.json", file_of(header ? header_of(0, 4) : Json::object(), all));
        make_newest("merged-1757517000.12.trace.json");
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        for (const auto& rank : run->ranks)
            QCOMPARE(rank->events.gpu_count, EventIndex{4});
        QCOMPARE(count(run->notices, "merged_file"), 1);
        QCOMPARE(count(run->notices, "duplicate_rank"), 0);
        // Alone it is of no rank.
        const std::string why = refusal(root() / "merged-1757517000.12.trace.json");
        QVERIFY2(why.find("holds the events of several ranks") != std::string::npos, why.c_str());
        fs::create_directories(root() / "alone");
        fs::copy(root() / "merged-1757517000.12.trace.json", root() / "alone" / "all.json");
        QVERIFY(refusal(root() / "alone").find("open the files of the ranks") != std::string::npos);
    }

    /// Nothing but the processes of a file tells that somebody put it together.
    void aFileOfSeveralProcessesIsOfNoRank() {
        write("all.json", file_of(header_of(0, 2), {rank_process(0), rank_process(1)}));
        QVERIFY2(refusal(root()).find("several processes") != std::string::npos, refusal(root()).c_str());
        for (int rank = 0; rank < 2; ++rank)
            write("rank" + std::to_string(rank) + ".json", file_of(header_of(rank, 2), {rank_process(rank)}));
        make_newest("all.json");
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(run->ranks[0]->events.gpu_count, EventIndex{4});
        QCOMPARE(count(run->notices, "merged_file"), 1);
        // A process with two GPUs is one all the same.
        fs::remove(root() / "all.json");
        Process second = rank_process(0);
        second.device = 1;
        write("rank0.json", file_of(header_of(0, 2), {rank_process(0), second}));
        QCOMPARE(load(root())->ranks[0]->events.gpu_count, EventIndex{8});
    }

    void aFrontEndIsNoRank() {
        for (int rank = 0; rank < 2; ++rank)
            write("dp0_tp" + std::to_string(rank) + "_rank" + std::to_string(rank) + ".1757517000123.pt.trace.json",
                  file_of(header_of(rank, 2), {rank_process(rank)}));
        Process front = rank_process(9);
        front.on_gpu = false;
        write("a_host_4711.async_llm.1757517009999.pt.trace.json", file_of(Json::object(), {front}));
        auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(run->world_size, 2);
        QCOMPARE(count(run->notices, "not_a_rank"), 1);
        QCOMPARE(count(run->notices, "no_gpu_events"), 0);
        QCOMPARE(count(run->notices, "world_size_too_small"), 0);
        // By itself it can be looked at; and beside files without numbers it takes none.
        QCOMPARE(load(root() / "a_host_4711.async_llm.1757517009999.pt.trace.json")->ranks.size(), std::size_t{1});
        for (int rank = 0; rank < 2; ++rank)
            fs::rename(root() / ("dp0_tp" + std::to_string(rank) + "_rank" + std::to_string(rank) +
                                 ".1757517000123.pt.trace.json"),
                       root() / ("host_" + std::to_string(4000 + rank) + ".1757517000123.pt.trace.json"));
        for (int rank = 0; rank < 2; ++rank)
            write("host_" + std::to_string(4000 + rank) + ".1757517000123.pt.trace.json",
                  file_of(Json::object(), {rank_process(rank)}));
        run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(run->ranks[0]->device(), std::int64_t{0});
    }

    void enginesThatCountFromZeroAreShownSideBySide_data() {
        QTest::addColumn<QString>("pattern"); ///< %1 is the engine, %2 the rank in it, %3 among all
        QTest::addColumn<qint64>("apart_us"); ///< the second engine begins to record so much later
        const QString vllm("dp%1_pp0_tp%2_dcp0_ep%3_rank%2.175751710%3.pt.trace.json");
        QTest::newRow("files") << vllm << qint64{0};
        QTest::newRow("files, recorded seconds apart") << vllm << qint64{3'000'000};
        QTest::newRow("folders of replicas") << QString("replica_%1/rank%2.json") << qint64{0};
    }
    void enginesThatCountFromZeroAreShownSideBySide() {
        QFETCH(QString, pattern);
        QFETCH(qint64, apart_us);
        for (int engine = 0; engine < 2; ++engine)
            for (int rank = 0; rank < 2; ++rank) {
                QString name = pattern;
                name.replace("%1", QString::number(engine)).replace("%2", QString::number(rank));
                name.replace("%3", QString::number(2 * engine + rank));
                Process process = rank_process(2 * engine + rank);
                process.start_us += engine * apart_us;
                write(name.toStdString(), file_of(header_of(rank, 2), {process}));
            }
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(run->world_size, 4);
        for (int rank = 0; rank < 4; ++rank) {
            const RankTrace& trace = *run->ranks[static_cast<std::size_t>(rank)];
            QCOMPARE(trace.device(), std::int64_t{rank});
            QCOMPARE(trace.job, rank / 2 + 1);
            QCOMPARE(trace.process_groups.front().ranks, (rank < 2 ? std::vector<int>{0, 1} : std::vector<int>{2, 3}));
        }
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 2);
        QCOMPARE(count(run->notices, "duplicate_rank"), 0);
        QCOMPARE(count(run->notices, "world_size_too_small"), 0);
    }

    void jobsOfOneTimeAreToldApartByTheirSizes() {
        using Jobs = std::map<int, std::vector<int>>;
        write_job(2, 8800, {0, 1}, 6'000, name_by_process);
        write_job(4, 9900, {2, 3, 4, 5}, 7'000, name_by_process);
        auto run = load(root());
        QCOMPARE(devices_of_jobs(*run), (Jobs{{1, {0, 1}}, {2, {2, 3, 4, 5}}}));
        QCOMPARE(run->world_size, 6);
        QCOMPARE(count(run->notices, "missing_ranks"), 0);
        // One more of the first size, on devices that the large job has as well.
        write_job(2, 8900, {4, 5}, 6'500, name_by_process);
        run = load(root());
        QCOMPARE(devices_of_jobs(*run), (Jobs{{1, {0, 1}}, {2, {2, 3, 4, 5}}, {3, {4, 5}}}));
        QCOMPARE(run->world_size, 8);
    }

    void enginesAreToldApartByTheirCalls_data() {
        QTest::addColumn<QString>("first"); ///< names of its ranks; empty: lost
        QTest::addColumn<QString>("second");
        QTest::addColumn<bool>("devices_cross");
        QTest::newRow("devices cross") << "h_5000.1 h_5001.2"
                                       << "h_5100.3 h_5101.4" << true;
        QTest::newRow("names cross") << "t_rank0_1201 t_rank1_1202"
                                     << "t_rank0_1202 t_rank1_1201" << false;
        QTest::newRow("a file is lost") << "- h_5001.2"
                                        << "h_5100.3 h_5101.4" << false;
        QTest::newRow("another file is lost") << "h_5000.1 -"
                                              << "h_5100.3 h_5101.4" << false;
    }
    void enginesAreToldApartByTheirCalls() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(bool, devices_cross);
        const auto named = [](const QString& names) {
            return [names](const Process&, int rank) {
                const QString name = names.split(' ').at(rank);
                return name == "-" ? std::string() : name.toStdString() + ".json";
            };
        };
        const std::vector<int> devices = devices_cross ? std::vector{0, 3} : std::vector{0, 1};
        const std::vector<int> others = devices_cross ? std::vector{1, 2} : std::vector{2, 3};
        write_job(2, 5000, devices, 6'000, named(first));
        write_job(2, 5100, others, 6'500, named(second));
        const auto run = load(root());
        QCOMPARE(run->world_size, 4);
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 2);
        std::set<std::vector<int>> seen;
        for (const auto& [job, devices_of_job] : devices_of_jobs(*run))
            seen.insert(devices_of_job);
        const std::vector<int> first_seen = first.startsWith('-') ? std::vector{devices[1]}
                                            : first.endsWith('-') ? std::vector{devices[0]}
                                                                  : devices;
        QCOMPARE(seen, (std::set{first_seen, others}));
    }

    void processesWithoutGpuWorkAreNoRanksOfAJob_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("says_alone");
        QTest::addColumn<QString>("call");
        QTest::newRow("rank 0 of 1 by its header") << "front.1757517050123.pt.trace.json" << true << "";
        QTest::newRow("named like a worker of a rank") << "rank0_dataloader_worker0.json" << false << "";
        QTest::newRow("named like a rank") << "frontend_rank0.json" << false << "";
        QTest::newRow("named beyond the job") << "api_server_worker2.json" << false << "";
        QTest::newRow("waits for a GPU") << "h_777.async_llm.1.pt.trace.json" << false << "cudaDeviceSynchronize";
        QTest::newRow("counts GPUs") << "h_777.async_llm.1.pt.trace.json" << false << "cudaGetDeviceCount";
    }
    void processesWithoutGpuWorkAreNoRanksOfAJob() {
        QFETCH(QString, name);
        QFETCH(bool, says_alone);
        QFETCH(QString, call);
        for (int rank = 0; rank < 2; ++rank)
            write("h_400" + std::to_string(rank) + ".1757517000123.pt.trace.json",
                  file_of(header_of(rank, 2), {rank_process(rank)}));
        Process front = rank_process(9);
        front.on_gpu = false;
        front.host_call = call.toStdString();
        write(name.toStdString(), file_of(says_alone ? header_of(0, 1) : Json::object(), {front}));
        make_newest(name.toStdString());
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(run->world_size, 2);
        QCOMPARE(count(run->notices, "not_a_rank"), 1);
        QCOMPARE(count(run->notices, "no_gpu_events"), 0);
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 0);
    }

    /// A server's process that computes for CPU-only ranks of the job stays one.
    void aRankWithoutGpuWorkStaysOne() {
        for (int rank = 0; rank < 3; ++rank) {
            Process process = rank_process(rank);
            process.on_gpu = rank < 2;
            write("rank" + std::to_string(rank) + ".json", file_of(header_of(rank, 3), {process}));
        }
        QCOMPARE(ranks_of(*load(root())), (std::vector<int>{0, 1, 2}));
    }

    void strangersBesideAWholeJobAreLeftOut_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("without a number") << "test.json";
        QTest::newRow("a number beyond the job") << "bench_rank9.json";
    }
    void strangersBesideAWholeJobAreLeftOut() {
        QFETCH(QString, name);
        for (int rank = 0; rank < 4; ++rank)
            write("rank" + std::to_string(rank) + ".json", file_of(header_of(rank, 4), {rank_process(rank)}));
        write(name.toStdString(), file_of(Json::object(), {rank_process(8)}));
        auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(run->world_size, 4);
        QCOMPARE(count(run->notices, "not_a_rank"), 1);
        for (const char* const code : {"world_size_too_small", "missing_ranks", "rank_by_order"})
            QCOMPARE(count(run->notices, code), 0);
        // In the place of a rank that is lost.
        fs::remove(root() / "rank3.json");
        run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(count(run->notices, "rank_by_order"), 1);
    }

    void filesOfOtherKindsAreNoLostRanksBeyondTheJob() {
        for (int rank = 0; rank < 2; ++rank)
            write("rank" + std::to_string(rank) + ".json", file_of(header_of(rank, 3), {rank_process(rank)}));
        write("config_rank7.json", "{\"a\": 1}");
        write("rank2.json", "{\"a\": 1}");
        QCOMPARE(count(load(root())->notices, "not_a_trace"), 1);
    }

    void enginesOfOneGpuEachAreJobs() {
        for (int engine = 0; engine < 2; ++engine)
            write("dp" + std::to_string(engine) + "_pp0_tp0_dcp0_ep0_rank0.1757517100000.pt.trace.json",
                  file_of(header_of(0, 1), {rank_process(engine)}));
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(run->ranks[0]->job, 1);
        QCOMPARE(run->ranks[1]->job, 2);
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 2);
    }

    void marksOfStepsOnOneRankOnlyAreNotUsed() {
        for (const int with_marks : {1, 2, 3}) {
            for (int rank = 0; rank < 4; ++rank) {
                Process process = rank_process(rank);
                process.marks_steps = rank < with_marks;
                write("rank" + std::to_string(rank) + ".json", file_of(header_of(rank, 4), {process}));
            }
            const auto run = load(root());
            for (std::size_t rank = 0; rank < 4; ++rank)
                QCOMPARE(run->ranks[rank]->steps.size(), std::size_t(with_marks == 3 && rank < 3 ? 4 : 0));
            QCOMPARE(count(run->notices, "steps_of_few_ranks"), with_marks == 3 ? 0 : with_marks);
        }
    }

    void launchesWithoutKernelsSayHowToRecordThem() {
        Json file = Json::parse(file_of(header_of(0, 1), {rank_process(0)}));
        Json events = Json::array();
        for (const Json& event : file["traceEvents"])
            if (event["cat"] != "kernel")
                events.push_back(event);
        file["traceEvents"] = events;
        write("rank0.json", file.dump());
        const auto run = load(root());
        QCOMPARE(count(run->notices, "no_gpu_events"), 1);
        const auto notice = std::ranges::find(run->notices, NoticeCode("no_gpu_events"), &Notice::code);
        QVERIFY(english(notice->message).find("record with ProfilerActivity.CUDA") != std::string::npos);
    }

    void aCopyOfAFileIsNoSecondEngine() {
        write("rank0.json", file_of(header_of(0, 2), {rank_process(0)}));
        write("rank1.json", file_of(header_of(1, 2), {rank_process(1)}));
        write("rank1_copy.json", file_of(header_of(1, 2), {rank_process(1)}));
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(count(run->notices, "duplicate_rank"), 1);
    }

    void machinesWhoseClocksDifferAreSideBySide_data() {
        QTest::addColumn<QString>("pattern"); ///< %1 is the machine, %2 its rank
        QTest::addColumn<qint64>("apart_us"); ///< more than a recording takes
        QTest::addColumn<bool>("alone");      ///< each says that it is rank 0 of 1
        QTest::addColumn<int>("first_step");  ///< of the second machine
        QTest::addColumn<int>("ranks");
        QTest::newRow("40 ms") << "node%1/rank%2.json" << qint64{40'000} << false << 1 << 4;
        QTest::newRow("5 s") << "node%1/rank%2.json" << qint64{5'000'000} << false << 1 << 4;
        QTest::newRow("30 s") << "node%1/rank%2.json" << qint64{30'000'000} << false << 1 << 2;
        QTest::newRow("other steps") << "node%1/rank%2.json" << qint64{40'000} << false << 11 << 2;
        QTest::newRow("alone, by folder") << "node%1/rank%2.json" << qint64{40'000} << true << 1 << 4;
        QTest::newRow("alone, by order") << "h_40%1%2.1757517000.pt.trace.json" << qint64{3'000'000} << true << 1 << 4;
    }
    void machinesWhoseClocksDifferAreSideBySide() {
        QFETCH(QString, pattern);
        QFETCH(qint64, apart_us);
        QFETCH(bool, alone);
        QFETCH(int, first_step);
        QFETCH(int, ranks);
        for (int machine = 0; machine < 2; ++machine)
            for (int rank = 0; rank < 2; ++rank) {
                Process process = rank_process(2 * machine + rank);
                process.device = rank;
                process.start_us += (alone ? 2 * machine + rank : machine) * apart_us;
                process.first_step = machine == 1 ? first_step : 1;
                QString name = pattern;
                name.replace("%1", QString::number(machine)).replace("%2", QString::number(rank));
                write(name.toStdString(), file_of(alone ? header_of(0, 1) : Json::object(), {process}));
            }
        const auto run = load(root());
        QCOMPARE(int(run->ranks.size()), ranks);
        QCOMPARE(count(run->notices, "duplicate_rank"), ranks == 4 ? 0 : 2);
    }

    /// In containers the engines have the same process ids.
    void enginesOfTheSameProcessIdsAreToldApartByTheirNames() {
        for (int engine = 0; engine < 2; ++engine)
            for (int rank = 0; rank < 2; ++rank) {
                Process process = rank_process(rank);
                process.start_us += engine * 5'000'000;
                const std::string name = "dp" + std::to_string(engine) + "_pp0_tp0_rank" + std::to_string(rank);
                write(name + ".1757517000123.pt.trace.json", file_of(header_of(rank, 2), {process}));
            }
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 2);
        QCOMPARE(count(run->notices, "other_cycle"), 0);
    }

    void aMergedFileBesideAFrontEndIsRefused() {
        Process front = rank_process(9);
        front.on_gpu = false;
        write("h_55.async_llm.1.pt.trace.json", file_of(Json::object(), {front}));
        for (const bool labelled : {false, true}) {
            std::vector<Process> all{rank_process(0), rank_process(1)};
            for (int rank = 0; labelled && rank < 2; ++rank)
                all[static_cast<std::size_t>(rank)].label = "[TP0" + std::to_string(rank) + "]";
            write("all.json", file_of(header_of(0, 2), all));
            QVERIFY2(refusal(root()).find("open the files of the ranks") != std::string::npos, refusal(root()).c_str());
        }
    }

    void runsOfOtherTimesAreNoEngines() {
        for (int rank = 0; rank < 2; ++rank)
            for (int again = 0; again < 2; ++again) {
                Process process = rank_process(rank + 10 * again);
                process.device = rank;
                process.start_us += again * 30'000'000; // close enough to be read, without a moment in common
                write("run" + std::to_string(again) + "_rank" + std::to_string(rank) + ".json",
                      file_of(header_of(rank, 2), {process}));
            }
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 0);
        QCOMPARE(run->span.length(), TimeNs{400'000});
    }

    void ranksThatSayThatTheyAreAlone_data() {
        QTest::addColumn<QString>("pattern"); ///< %1 is the process, %2 and %3 its machine and its place on it
        QTest::newRow("names") << QString("rank%1.json");
        QTest::newRow("folders") << QString("node%2/rank%3/trace.json");
        QTest::newRow("order") << QString("host_400%1.1757517000123.pt.trace.json");
        QTest::newRow("devices") << QString("host_900%4.1757517000123.pt.trace.json");
    }
    void ranksThatSayThatTheyAreAlone() {
        QFETCH(QString, pattern);
        for (int i = 0; i < 4; ++i) {
            QString name = pattern;
            name.replace("%1", QString::number(i)).replace("%2", QString::number(i / 2));
            name.replace("%3", QString::number(i % 2)).replace("%4", QString::number(9 - i));
            write(name.toStdString(), file_of(header_of(0, 1), {rank_process(i)}));
        }
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(run->world_size, 4);
        QCOMPARE(count(run->notices, "alone_each"), 1);
        QCOMPARE(count(run->notices, "world_size_too_small"), 0);
        for (int i = 0; i < 4; ++i)
            QCOMPARE(run->ranks[static_cast<std::size_t>(i)]->device(), std::int64_t{i});
    }

    void cyclesOfOneProcessOpenNewestFirst() {
        const auto cycle = [](int number) {
            Process process;
            process.start_us += number * 5'000'000;
            process.first_step = 10 * number;
            return process;
        };
        // Copied in the other order.
        write("host_4000.1757517006000000000.pt.trace.json", file_of(Json::object(), {cycle(1)}));
        write("host_4000.1757517001000000000.pt.trace.json", file_of(Json::object(), {cycle(0)}));
        make_newest("host_4000.1757517001000000000.pt.trace.json");
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), std::vector<int>{0});
        QCOMPARE(run->ranks[0]->steps.front().number, std::int64_t{10});
        QCOMPARE(count(run->notices, "other_cycle"), 1);
        QVERIFY(run->notices.front().file.find("host_4000.1757517001") != std::string::npos);
        QCOMPARE(load(root() / "host_4000.1757517001000000000.pt.trace.json")->ranks[0]->steps.front().number,
                 std::int64_t{0});
    }

    void foldersOfLoraRanksAreRuns() {
        for (const char* rank : {"8", "16"})
            write("lora_rank" + std::string(rank) + "/host_4000.1757517000123.pt.trace.json",
                  file_of(Json::object(), {rank_process(0)}));
        const std::string why = refusal(root());
        QVERIFY2(why.find("holds 2 runs (lora_rank16, lora_rank8)") != std::string::npos, why.c_str());
        QCOMPARE(find_runs(root()).size(), std::size_t{2});
        const auto run = load(root() / "lora_rank16");
        QCOMPARE(ranks_of(*run), std::vector<int>{0});
        QCOMPARE(run->world_size, 1);
    }

    void foldersOfWorkersThatStartTogetherAreOneRun() {
        const auto write_workers = [&](std::int64_t apart_us) {
            for (int i = 0; i < 4; ++i) {
                Process process = rank_process(i);
                process.start_us += i * apart_us;
                write("worker_actor_pid=" + std::to_string(process.id) + "/trace.json",
                      file_of(Json::object(), {process}));
            }
        };
        write_workers(40); // us
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(count(run->notices, "rank_by_order"), 4);
        for (const std::int64_t apart_us : {0, 11'000'000}) { // copies; another launch
            write_workers(apart_us);
            QVERIFY(refusal(root()).find("holds 4 runs (worker_actor_pid=") != std::string::npos);
        }
    }

    void instancesOfOneServiceAreJobsSideBySide() {
        const auto write_instances = [&](std::int64_t apart_us) {
            int process_id = 5000;
            for (const char* const folder : {"prefill", "decode"})
                for (int i = 0; i < 2; ++i) {
                    Process process = rank_process(i);
                    process.id = process_id++;
                    process.start_us += (process.id - 5000) * apart_us;
                    write(std::string(folder) + "/1757517000.5-TP-" + std::to_string(i) + ".trace.json",
                          file_of(header_of(i, 2), {process}));
                }
        };
        write_instances(1'000);
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{4});
        QCOMPARE(count(run->notices, "jobs_side_by_side"), 2);
        QVERIFY(run->ranks[0]->job != run->ranks[3]->job);
        write_instances(20'000'000);
        QVERIFY(refusal(root()).find("holds 2 runs (decode, prefill)") != std::string::npos);
    }

    void instancesOfOneRankEachAreTwoJobs() {
        for (const char* const folder : {"prefill", "decode"}) {
            Process process = rank_process(0);
            process.id += folder[0];
            process.start_us += folder[0] == 'd' ? 1'500 : 0;
            write(std::string(folder) + "/rank0.trace.json", file_of(header_of(0, 1), {process}));
        }
        const auto run = load(root());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QVERIFY(run->ranks[0]->job != run->ranks[1]->job);
        QCOMPARE(count(run->notices, "alone_each"), 0);
    }

    void sweepsOverTheRankOfAnAdapterAreRuns() {
        for (const char* const rank : {"4", "8", "16"})
            write("alpha16_rank" + std::string(rank) + "/trace.json", file_of(Json::object(), {rank_process(0)}));
        const std::string why = refusal(root());
        QVERIFY2(why.find("holds 3 runs") != std::string::npos, why.c_str());
        QCOMPARE(find_runs(root()).size(), std::size_t{3});
    }

    /// Local ranks of two machines: nsys writes no rank, and names tell the same one.
    void reportsOfOneTimeAreNotOneRankTwice_data() {
        QTest::addColumn<qint64>("apart_ns");
        QTest::addColumn<int>("ranks");
        QTest::newRow("overlap") << qint64{50} << 2;
        QTest::newRow("one after the other") << qint64{30'000'000'000} << 1;
    }
    void reportsOfOneTimeAreNotOneRankTwice() {
        QFETCH(qint64, apart_ns);
        QFETCH(int, ranks);
        for (int machine = 0; machine < 2; ++machine) {
            const std::string folder = "node" + std::to_string(machine);
            fs::create_directories(root() / folder);
            NsysExport report(root() / folder / "rank0.sqlite");
            report.session_start(1'700'000'000'000'000'000 + machine * apart_ns);
            NsysExport::Gpu gpu;
            gpu.process = 144 + machine;
            report.kernel(100, 200, "gemm", gpu);
        }
        const auto run = load(root());
        QCOMPARE(int(run->ranks.size()), ranks);
        QCOMPARE(count(run->notices, "duplicate_rank"), ranks == 2 ? 0 : 1);
        QCOMPARE(count(run->notices, "rank_by_order"), ranks == 2 ? 2 : 0);
    }

    void reportsNamedByProcessAreRanksByOrder() {
        for (const int process : {4711, 4712}) {
            NsysExport report(root() / ("worker_process_" + std::to_string(process) + ".sqlite"));
            NsysExport::Gpu gpu;
            gpu.process = process;
            report.kernel(100, 200, "gemm", gpu);
        }
        const auto run = load(root());
        QCOMPARE(ranks_of(*run), (std::vector<int>{0, 1}));
        QCOMPARE(count(run->notices, "rank_by_order"), 2);
        QCOMPARE(count(run->notices, "missing_ranks"), 0);
    }

    void aRefusalSaysWhatTheFileIs_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("what");
        const QByteArray snapshot = "segments device_traces";
        QTest::newRow("snapshot") << "snapshot.pickle" << QByteArray("\x80\x04}q\x01", 5) + snapshot
                                  << "a memory snapshot";
        QTest::newRow("snapshot, JSON") << "snapshot.json" << QByteArray("[\"segments\", \"device_traces\"]")
                                        << "a memory snapshot";
        QTest::newRow("memory timeline") << "memory_timeline.raw" << QByteArray("[[-1, 1, 37888, 7]]")
                                         << "a memory timeline of PyTorch";
        QTest::newRow("checkpoint") << "model.pt" << QByteArray("PK\x03\x04 archive/data.pkl") << "a checkpoint";
        QTest::newRow("archive") << "traces.zip" << QByteArray("PK\x03\x04 rank0.json") << "a ZIP archive";
        QTest::newRow("graph") << "rank0.et" << QByteArray("\x07\x0a\x05 0.0.4") << "a Chakra graph";
        QTest::newRow("torch_npu") << "ASCEND_PROFILER_OUTPUT/trace_view.json"
                                   << QByteArray(file_of(Json::object(), {rank_process(0)}).c_str()) << "torch_npu";
        Json named = event_of(rank_process(0), "", "process_name", 4000, 0, 0, 0);
        named["args"]["name"] = "Ascend Hardware";
        QTest::newRow("torch_npu, by its processes")
            << "rank0.json" << QByteArray(Json::array({named}).dump().c_str()) << "torch_npu";
        Json old = event_of(rank_process(0), "", "mm", 4000, 0, 0, 5); // PyTorch 1.0 to 1.7: export_chrome_trace()
        old["pid"] = "CUDA functions";
        old.erase("cat");
        QTest::newRow("torch.autograd.profiler")
            << "rank0.json" << QByteArray(Json::array({old}).dump().c_str()) << "before PyTorch 1.8";
        Json rocprof = event_of(rank_process(0), "", "gemm", 6, 0, 0, 5); // ROCm/rocprofiler, bin/tblextr.py
        rocprof.erase("cat");
        rocprof["args"] = {{"BeginNs", "1"}, {"EndNs", "5001"}, {"dev-id", "0"}, {"queue-id", "0"}};
        QTest::newRow("rocprof before rocprofv3")
            << "results.json" << QByteArray(Json{{"traceEvents", Json::array({rocprof})}}.dump().c_str())
            << "record with rocprofv3 --output-format rocpd";
        QTest::newRow("table of rocprofv3")
            << "1_kernel_trace.csv" << QByteArray("\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\"\n")
            << "a table of AMD's rocprof";
        QTest::newRow("table of rocprof")
            << "results.csv" << QByteArray("\"Index\",\"KernelName\",\"gpu-id\"\n") << "a table of AMD's rocprof";
        QTest::newRow("Arrow") << "CUPTI_ACTIVITY_KIND_KERNEL.arrow" << QByteArray("ARROW1")
                               << "Nsight Systems in Arrow";
        QTest::newRow("Neuron") << "profile.ntff" << QByteArray("abc") << "AWS Neuron";
        QTest::newRow("TensorBoard") << "events.out.tfevents.1.host" << QByteArray("abc") << "a log of TensorBoard";
        QTest::newRow("speedscope") << "profile.json"
                                    << QByteArray(
                                           "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\"}")
                                    << "a profile for speedscope";
        QTest::newRow("nothing") << "empty.json" << QByteArray() << "the file is empty";
        QTest::newRow("Git LFS") << "rank0.json"
                                 << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 5\n")
                                 << "git lfs pull";
        QTest::newRow("sums of rocprof") << "results.stats.csv"
                                         << QByteArray("\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n")
                                         << "a table of AMD's rocprof";
    }
    void aRefusalSaysWhatTheFileIs() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QString, what);
        write(name.toStdString(), text.toStdString());
        const std::string why = refusal(root() / name.toStdString());
        QVERIFY2(why.find(what.toStdString()) != std::string::npos, why.c_str());
        const std::string of_folder = refusal(root());
        QVERIFY2(of_folder.find(what.toStdString()) != std::string::npos, of_folder.c_str());
    }

    void aFolderOfOtherRecordingsSaysWhatTheyAre_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("what");
        QTest::newRow("nsys parquetdir") << "report_pqtdir/CUPTI_ACTIVITY_KIND_KERNEL.parquet"
                                         << "nsys export --type sqlite";
        QTest::newRow("rocprofv3, one folder a host") << "host/77_results.pftrace"
                                                      << "rocprofv3 --output-format rocpd";
    }
    void aFolderOfOtherRecordingsSaysWhatTheyAre() {
        QFETCH(QString, file);
        QFETCH(QString, what);
        write(file.toStdString(), "PAR1");
        const std::string why = refusal(root());
        QVERIFY2(why.find(what.toStdString()) != std::string::npos, why.c_str());
    }

    /// A Chrome trace of some other program can be looked at, but says nothing of GPUs.
    void aTraceOfAnotherProgramIsSaidToBeOne() {
        Json events = Json::array();
        for (int i = 0; i < 3; ++i)
            events.push_back(event_of(rank_process(0), "toplevel", "RunTask", 1, 1, 1000 + 10 * i, 5));
        write("chrome.json", Json{{"traceEvents", events}}.dump());
        const auto run = load(root() / "chrome.json");
        const auto notice = std::ranges::find(run->notices, NoticeCode("no_gpu_events"), &Notice::code);
        QVERIFY(notice != run->notices.end());
        QVERIFY2(english(notice->message).find("another program wrote the trace") != std::string::npos,
                 english(notice->message).c_str());
    }

    void aDatabaseOfNvprofIsSaidToBeOne() {
        { const NsysExport made(root() / "run.sqlite"); }
        NsysExport::edit(root() / "run.sqlite",
                         "DROP TABLE StringIds; CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"
                         "(_id_ INTEGER, start INTEGER, name INTEGER);");
        const std::string why = refusal(root());
        QVERIFY2(why.find("a database of nvprof") != std::string::npos, why.c_str());
    }

    void aDatabaseOfTorchNpuIsSaidToBeOne() {
        { const NsysExport made(root() / "ascend_pytorch_profiler_0.db"); }
        NsysExport::edit(root() / "ascend_pytorch_profiler_0.db", "DROP TABLE StringIds; CREATE TABLE TASK(a INTEGER)");
        QVERIFY2(refusal(root()).find("torch_npu") != std::string::npos, refusal(root()).c_str());
    }

    void aDatabaseOfTheFirstRocprofilerIsSaidToBeOne() {
        { const NsysExport made(root() / "results.db"); }
        NsysExport::edit(root() / "results.db",
                         "DROP TABLE StringIds; CREATE TABLE A(\"Index\" INTEGER, KernelName TEXT);");
        const std::string why = refusal(root());
        QVERIFY2(why.find("rocprofiler v1") != std::string::npos, why.c_str());
    }

    /// Two jobs whose steps take 6.1 and 7 ms: a cost is told of the step that has it, and so is its share.
    void aShareIsOfTheStepThatItsSentenceNames() {
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "field_cases" / "dp_engines_same_ranks";
        if (!fs::exists(path))
            QSKIP("skipped: no shared traces");
        const RunAnalysis analysis(load(path), {});
        const Finding& late = analysis.findings().list.front();
        QVERIFY2(english(late.title).find("1.50 ms of a 7.00 ms step of its job") != std::string::npos,
                 english(late.title).c_str());
        QVERIFY(std::abs(late.share - 1.5 / 7.0) < 0.001);
    }

    void fieldCases_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("ranks"); ///< 0: refused
        const auto row = [](const char* name, int ranks) { QTest::newRow(name) << QString::fromLatin1(name) << ranks; };
        row("field_cases/merged_alone", 0);
        row("field_cases/merged_beside_ranks", 4);
        row("field_cases/merged_replaces_rank_0", 4);
        row("field_cases/vllm_front_end", 4);
        row("field_cases/dp_engines_same_ranks", 4);
        row("field_cases/lora_rank_folders", 0);
        row("field_cases/lora_rank_folders/lora_rank8", 1);
        row("field_cases/nsys_named_by_pid", 2);
        row("field_cases/every_rank_device_0", 8);
        row("field_real/amd_fused_nccl_only/merged_nccl_only.json.gz", 0);
        row("field_real/amd_fused_nccl_only", 1);
        row("field_real/tugot17_llama_tp2", 2);
        row("field_real/astra_megatron_tp8", 8);
        row("field_real/kineto_tb_old", 1);
        row("field_real/switch_transformer", 1);
    }
    void fieldCases() {
        QFETCH(QString, name);
        QFETCH(int, ranks);
        const fs::path traces = fs::path(RANKSCOPE_SHARED_DIR) / "traces";
        if (!fs::exists(traces / "field_cases"))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(traces / name.toStdString());
        QCOMPARE(run ? int((*run)->ranks.size()) : 0, ranks);
        for (int rank = 0; rank < ranks; ++rank)
            QCOMPARE((*run)->ranks[static_cast<std::size_t>(rank)]->rank, rank);
        if (run)
            QCOMPARE(int((*run)->world_size), ranks);
    }
};

RANKSCOPE_TEST(TestWhoIsWho)

} // namespace rankscope::who_is_who_test

#include "test_who_is_who.moc"
