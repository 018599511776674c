// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems: processes, devices, streams and ranks, links, nesting, graphs, counters, clocks; and files
// that are damaged or mean harm.
#include <QtTest>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "core/analysis/facts/hardware_facts.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/trace/hardware_series.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::nsys_reader_test {

namespace fs = std::filesystem;

class TestNsysReader : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path path(const std::string& name = "report.sqlite") const {
        return fs::path(folder_->path().toStdString()) / name;
    }
    static std::shared_ptr<const Run> load(const fs::path& at, const LoadOptions& options = {}) {
        auto run = load_run(at, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static std::int64_t count(const Run& run, std::string_view code) {
        std::int64_t total = 0;
        for (const Notice& notice : run.notices)
            if (notice.code == code)
                total += notice.count;
        return total;
    }
    /// The event of that name, of which there must be one.
    static EventIndex event(const RankTrace& rank, std::string_view name) {
        EventIndex found = kNoEvent;
        for (EventIndex i = 0; i < rank.events.size(); ++i)
            if (rank.event_name(i) == name) {
                if (found != kNoEvent)
                    qFatal("two events of that name");
                found = i;
            }
        if (found == kNoEvent)
            qFatal("no event %s", std::string(name).c_str());
        return found;
    }
    std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_->path().toStdString()))
            names.insert(entry.path().filename().string());
        return names;
    }
    static std::string bytes_of(const fs::path& at) {
        std::ifstream in(at, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// One kernel and its launch at a place of its own, as the frame of most tests.
    static void add_rank(NsysExport& report, std::int64_t process, int device, const std::string& name,
                         std::int64_t start = 1000) {
        report.kernel(start, start + 100, name, {.process = process, .device = device, .correlation = 5});
        report.call(start - 500, start - 490, "cudaLaunchKernel_v7000", nsys_tid(process, process), 5);
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void timesCountFromTheSessionStart() {
        {
            NsysExport report(path());
            report.session_start(1'700'000'000'000'000'123);
            add_rank(report, 100, 0, "k");
        }
        const auto rank = load(path())->ranks.front();
        QCOMPARE(rank->events.start[event(*rank, "k")], 1'700'000'000'000'001'123);
        QCOMPARE(rank->clock_base, 1'700'000'000'000'000'123);
    }

    // Both processes use correlation 5 and call their GPU device 0; the report says they are GPUs 3 and 1.
    void whatTheReportSaysOfTheSystemIsConfiguration() {
        {
            NsysExport report(path());
            add_rank(report, 100, 0, "gemm");
            report.run("CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT, name TEXT, nameEnum "
                       "INTEGER, value TEXT);"
                       "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (1, 'Local', 'NvDriverVersion', 205, '580.95.05'),"
                       "(1, 'Local', 'CpuCores', 1, '18'), (1, 'Local', 'CpuDescription', 13, 'unknown'),"
                       "(1, 'Local', 'OsDescription', 605, 'Ubuntu 22.04.5 LTS'),"
                       "(1, 'Local', 'OfedDriverVersion', 911, ''), (1, 'Local', 'HasCudaEvents', 812, '1');");
        }
        const RunConfig config = load(path())->config;
        QCOMPARE(config.at("trace.nsys.driver"), std::string("580.95.05"));
        QCOMPARE(config.at("trace.nsys.cpu_cores"), std::string("18"));
        QCOMPARE(config.at("trace.nsys.os"), std::string("Ubuntu 22.04.5 LTS"));
        QVERIFY(!config.contains("trace.nsys.cpu")); // not known
        QVERIFY(!config.contains("trace.nsys.ofed_driver"));
    }

    void equalIdsInTwoProcessesStayApart() {
        {
            NsysExport report(path());
            add_rank(report, 100, 0, "of 100");
            add_rank(report, 200, 0, "of 200", 3000);
            report.cuda_device(100, 0, 3);
            report.cuda_device(200, 0, 1);
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(count(*run, "ranks_by_device"), 1);
        for (const auto& [rank, name, device, call_start] :
             {std::tuple{0, "of 200", 1, 2500}, std::tuple{1, "of 100", 3, 500}}) {
            const RankTrace& trace = *run->ranks[static_cast<std::size_t>(rank)];
            QCOMPARE(trace.rank, rank);
            QCOMPARE(trace.device(), device);
            const EventIndex call = trace.events.link[event(trace, name)];
            QCOMPARE(trace.event_name(call), std::string_view("cudaLaunchKernel"));
            QCOMPARE(trace.events.start[call], call_start);
        }
    }

    void streamsAreToldByContextToo() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "a", {.context = 1, .stream = 7});
            report.kernel(5, 15, "b", {.context = 2, .stream = 7});
            report.copy(20, 30, 1, 4096, {.context = 1, .stream = 7});
        }
        const auto rank = load(path())->ranks.front();
        QCOMPARE(rank->lanes.size(), std::size_t{2});
        QVERIFY(rank->lanes[0].name != rank->lanes[1].name);
        QCOMPARE(rank->lanes[0].stream, 7);
        QCOMPARE(rank->lanes[1].stream, 7);
        // 4096 bytes in 10 ns.
        QCOMPARE(rank->memory_transfers.size(), std::size_t{1});
        QCOMPARE(rank->memory_transfers[0].bandwidth_gb_s, 409.6);
        QCOMPARE(rank->event_name(rank->memory_transfers[0].event), std::string_view("Memcpy HtoD (Pinned -> Device)"));
    }

    void aKernelWithoutANameIsRead() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "a", {.stream = 7});
            report.kernel(20, 30, "b", {.stream = 7});
            report.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = -1, shortName = -1 WHERE start = 20");
        }
        const auto rank = load(path())->ranks.front();
        QCOMPARE(rank->events.size(), 2u);
        QCOMPARE(rank->event_name(0), std::string_view("a"));
        QCOMPARE(rank->event_name(1), std::string_view());
    }

    void rangesNestAndNamesOfOperatorsAreFreedOfTheirNumbers() {
        {
            NsysExport report(path());
            add_rank(report, 100, 0, "k");
            const std::int64_t thread = nsys_tid(100, 100);
            report.range(0, 2000, "train", thread);
            report.range(400, 700, "aten::mul, seq = 5, op_id = 77, sizes = [[2, 3], []]", thread);
            report.range(300, 1500, "overlapping", thread, 60);
            report.range(1600, -1, "never closed", thread);
            report.range(800, 800, "here", thread, 34);
            report.range(0, -1, "a domain", thread, 75);
        }
        const auto run = load(path());
        const RankTrace& rank = *run->ranks.front();
        const EventIndex op = event(rank, "aten::mul");
        QCOMPARE(rank.events.kind[op], EventKind::cpu_op);
        QCOMPARE(rank.event_name(rank.parent_of(op)), std::string_view("train"));
        QCOMPARE(rank.parent_of(rank.events.link[event(rank, "k")]), op);
        QCOMPARE(rank.gpu.operator_event[event(rank, "k")], op);
        QCOMPARE(run->names->view(rank.inputs_of(op)->dims), std::string_view("[[2, 3], []]"));
        QCOMPARE(rank.inputs_of(op)->sequence, 5);
        QVERIFY(rank.lane_of(event(rank, "overlapping")).name != rank.lane_of(op).name);
        // The last event is "train", until 2000.
        QCOMPARE(rank.events.end(event(rank, "never closed")), 2000);
        QCOMPARE(count(*run, "open_ranges"), 1);
        QCOMPARE(rank.instants.size(), std::size_t{1});
        QCOMPARE(run->names->view(rank.instants[0].name), std::string_view("here"));
    }

    /// Neither does what is still open last until a stray event.
    void eventsYearsAwayFromTheOthersAreLeftOut() {
        {
            NsysExport report(path());
            add_rank(report, 100, 0, "k");
            report.kernel(TimeNs{1} << 60, (TimeNs{1} << 60) + 10, "stray", {.process = 100});
            report.range(1600, 2000, "closed", nsys_tid(100, 100));
            report.range(1600, -1, "never closed", nsys_tid(100, 100));
        }
        const auto run = load(path());
        const RankTrace& rank = *run->ranks.front();
        QCOMPARE(run->ranks.size(), std::size_t{1});
        QCOMPARE(rank.events.end(event(rank, "never closed")), 2000);
        QCOMPARE(count(*run, "stray_events"), 1);
    }

    void nodesOfAGraphLinkToItsOneLaunch() {
        {
            NsysExport report(path());
            report.call(0, 10, "cudaGraphLaunch_v10000", nsys_tid(100, 101), 9);
            report.kernel(20, 30, "node 1", {.correlation = 9, .graph_node = 1});
            report.kernel(30, 40, "node 2", {.correlation = 9, .graph_node = 2});
            report.graph(20, 40, 1, {.correlation = 9}); // the same launch as a whole: counts once
            report.graph(50, 60, 2, {.correlation = 10});
        }
        const auto run = load(path());
        const RankTrace& rank = *run->ranks.front();
        QCOMPARE(rank.events.gpu_count, 3u);
        QCOMPARE(rank.events.link[event(rank, "node 1")], event(rank, "cudaGraphLaunch"));
        QCOMPARE(rank.events.link[event(rank, "node 2")], event(rank, "cudaGraphLaunch"));
        QCOMPARE(rank.events.duration[event(rank, "CUDA graph 2")], 10);
        QCOMPARE(count(*run, "whole_graphs"), 1);
    }

    void aProcessWithTwoDevicesIsTwoRanksWithItsThreads() {
        {
            NsysExport report(path());
            report.kernel(100, 200, "on 0", {.device = 0, .correlation = 1});
            report.kernel(100, 200, "on 1", {.device = 1, .correlation = 2});
            report.call(0, 10, "cudaLaunchKernel", nsys_tid(100, 100), 1);
            report.call(20, 30, "cuLaunchKernelEx", nsys_tid(100, 100), 2);
            report.call(0, 10, "cudaMalloc", nsys_tid(300, 300), 1); // a process without GPU work
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.size(), std::size_t{2});
        const RankTrace& second = *run->ranks[1];
        QCOMPARE(second.device(), 1);
        QCOMPARE(second.events.kind[second.events.link[event(second, "on 1")]], EventKind::driver);
        QCOMPARE(count(*run, "other_processes"), 1);
    }

    // 64 blocks on 128 multiprocessors.
    void theGridAndTheDeviceTellBlocksPerMultiprocessor() {
        {
            NsysExport report(path());
            report.gpu(0, "NVIDIA H100", 128);
            report.kernel(0, 10, "k", {.grid = 64, .block = 256});
        }
        const auto rank = load(path())->ranks.front();
        QCOMPARE(rank->gpu.occupancy_of(0).blocks_per_sm, 0.5f);
        const LaunchShape& shape = rank->launch_shapes[rank->gpu.launch_shape.at(0)];
        QCOMPARE(shape.grid[0], 64u);
        QCOMPARE(shape.block[0], 256u);
        QCOMPARE(rank->devices.at(0).name, std::string("NVIDIA H100"));
        QCOMPARE(
            *read_event_text(*rank, 0),
            std::string(
                R"({"name":"k","args":{"correlation":0,"grid":[64,1,1],"block":[256,1,1],"registers per thread":32,)"
                R"("static shared memory":1024,"dynamic shared memory":2048,"context":1}})"));
    }

    void metricsOfGpusAndNetworkCardsAreCounters() {
        {
            NsysExport report(path());
            report.session_start(1000);
            add_rank(report, 100, 0, "k");
            add_rank(report, 200, 1, "k", 2000);
            report.run(
                "CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, metricId INTEGER, "
                "value INTEGER);"
                "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId "
                "INTEGER, metricName TEXT);"
                "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 1, 'GH100', 3, 'SMs Active'), (257, 1, 'GH100', 3, "
                "'SMs Active');"
                "INSERT INTO GPU_METRICS VALUES (0, 50, 256, 3, 40), (0, 60, 257, 3, 90), (0, 60, 256, 3, 'many');"
                "CREATE TABLE NET_NIC_METRIC (start INTEGER, end INTEGER, globalId INTEGER, portId INTEGER, "
                "metricsListId INTEGER,"
                " metricsIdx INTEGER, value INTEGER);"
                "CREATE TABLE TARGET_INFO_NETWORK_METRICS (metricsListId INTEGER, metricsIdx INTEGER, name TEXT, "
                "description TEXT, unit TEXT);"
                "CREATE TABLE TARGET_INFO_NIC_INFO (nicId INTEGER, name TEXT); CREATE TABLE NIC_ID_MAP (nicId INTEGER, "
                "globalId INTEGER);"
                "INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (1, 2, 'IB: Bytes sent', '', 'B/ms');"
                "INSERT INTO TARGET_INFO_NIC_INFO VALUES (4, 'mlx5_0'); INSERT INTO NIC_ID_MAP VALUES (4, 900);"
                "INSERT INTO NET_NIC_METRIC VALUES (70, 80, 900, 1, 1, 2, 12345);");
        }
        const auto run = load(path());
        const auto series = [&](const RankTrace& rank) {
            std::map<std::string, std::pair<TimeNs, double>> values;
            for (const CounterSample& sample : rank.counters)
                values[std::string(run->names->view(sample.series))] = {sample.time, sample.value};
            return values;
        };
        QCOMPARE(series(*run->ranks[0]),
                 (std::map<std::string, std::pair<TimeNs, double>>{
                     {"SMs Active", {1050, 40}}, {"mlx5_0 port 1: IB: Bytes sent [B/ms]", {1070, 12345}}}));
        QCOMPARE(series(*run->ranks[1]),
                 (std::map<std::string, std::pair<TimeNs, double>>{{"SMs Active", {1060, 90}}}));
        QCOMPARE(count(*run, "malformed_events"), 1);
    }

    // Cycles a second, whatever the name says; 2.4 GHz do not fit into 31 bits.
    void theClockOfTheSmsIsTheOneThatFindingsAskFor() {
        const std::string name = "GPC Clock Frequency [MHz]";
        {
            NsysExport report(path());
            add_rank(report, 100, 0, "k"); // 1000 to 1100
            add_rank(report, 200, 1, "k");
            report.gpu_metric(1000, 0, name, 1'755'000'000);
            report.gpu_metric(1050, 0, name, 1'200'000'000);
            report.gpu_metric(1000, 1, name, 2'400'000'000 - (std::int64_t{1} << 32));
            report.gpu_metric(1050, 1, name, 2'400'000'000);
            report.gpu_metric(1000, 1, "SYS Clock Frequency [MHz]", 1'600'000'000);
            report.gpu_metric(1000, 2, name, 300'000'000); // of a GPU without a rank
        }
        const auto run = load(path());
        const auto clocks = hardware_samples(*run->ranks[0], HardwareQuantity::sm_clock);
        QCOMPARE(clocks.size(), 2UL);
        QCOMPARE(clocks[0].time - run->ranks[0]->gpu_span.begin, 0);
        QCOMPARE(clocks[0].value, 1755.0);
        QCOMPARE(clocks[1].value, 1200.0);
        const auto facts = read_hardware(*run);
        QVERIFY(facts != nullptr && facts->ranks.size() == 2);
        QCOMPARE(facts->ranks[0][HardwareQuantity::sm_clock].value_or(0), 1477.5); // half of the time each
        QCOMPARE(facts->ranks[1][HardwareQuantity::sm_clock].value_or(0), 2400.0);
        QVERIFY(hardware_fact_sentences(*facts).empty()); // nothing tells what limits the clocks
    }

    // Of three samples two fall into the kernel's time: (40 + 80) / 2.
    void withoutGridsTheActiveMultiprocessorsAreTheCoverage() {
        {
            NsysExport report(path());
            add_rank(report, 100, 0, "k"); // 1000 to 1100
            report.run("CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);"
                       "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName TEXT);"
                       "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (0, 3, 'SMs Active [Throughput %]');"
                       "INSERT INTO GPU_METRICS VALUES (1010, 0, 3, 40), (1020, 0, 3, 80), (2000, 0, 3, 5)");
        }
        const RunAnalysis analysis(load(path()), {});
        const MetricReport report = compute_metrics(analysis, std::vector<std::string>{"sm"});
        const MetricResult& sm = report.entries.front().result;
        QVERIFY(sm.available);
        QCOMPARE(sm.value, 60.0);
        QCOMPARE(sm.details["method"].get<std::string>(), std::string("gpu_metrics"));
    }

    // Reports of machines 0 and 2, two ranks each: ranks 0, 1, 4, 5; 2 and 3 are missing.
    void reportsOfMachinesNumberTheirRanksByTheirName() {
        for (const int machine : {0, 2}) {
            NsysExport report(path(fmt::format("report_{}.sqlite", machine)));
            add_rank(report, 100, 0, "k");
            add_rank(report, 101, 1, "k");
        }
        const auto run = load(folder_->path().toStdString());
        std::vector<int> ranks;
        for (const auto& rank : run->ranks)
            ranks.push_back(rank->rank);
        QCOMPARE(ranks, (std::vector<int>{0, 1, 4, 5}));
        QCOMPARE(run->missing_ranks, (std::vector<int>{2, 3}));
    }

    void kinetoIsPreferredWhereBothAreThere() {
        {
            NsysExport report(path("nsys_0.sqlite"));
            add_rank(report, 100, 0, "by nsys");
        }
        std::ofstream(path("rank0_trace.json"))
            << R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "by Kineto", "pid": 0, "tid": 7, )"
               R"("ts": 10, "dur": 5, "args": {"device": 0, "stream": 7}}]})";
        const fs::path root = folder_->path().toStdString();
        const auto first_name = [](const Run& run) { return std::string(run.ranks.front()->event_name(0)); };
        const auto preferred = load(root);
        QCOMPARE(first_name(*preferred), std::string("by Kineto"));
        QCOMPARE(preferred->source, TraceSource::kineto);
        QCOMPARE(count(*preferred, "several_sources"), 1);
        LoadOptions options;
        options.mode = ProfileMode::torch;
        const auto torch = load(root, options);
        QCOMPARE(first_name(*torch), std::string("by Kineto"));
        QCOMPARE(count(*torch, "several_sources"), 0);
        options.mode = ProfileMode::nsys;
        const auto nsys = load(root, options);
        QCOMPARE(first_name(*nsys), std::string("by nsys"));
        QCOMPARE(nsys->source, TraceSource::nsys);
        fs::remove(path("nsys_0.sqlite"));
        const auto nothing = load_run(root, options);
        QVERIFY(!nothing);
        QVERIFY(english(nothing.error().message).find("--profile-mode torch") != std::string::npos);
    }

    void aNewerSchemaOpensWithANotice() {
        {
            NsysExport report(path());
            report.schema("4.0.0");
            report.kernel(0, 10, "k", {});
            report.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN quantum INTEGER; ALTER TABLE "
                       "CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN gridX");
        }
        const auto run = load(path());
        QCOMPARE(count(*run, "newer_schema"), 1);
        QCOMPARE(run->ranks.front()->events.gpu_count, 1u);
    }

    // Of five rows one is sound, one ends before it starts.
    void rowsOfWrongTypesAreCountedAndLeftOut() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "k", {});
            report.kernel(30, 20, "ends early", {});
            report.run(
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 'soon', end, deviceId, contextId, greenContextId, "
                "streamId, correlationId, "
                "globalPid, demangledName, shortName, 32, 1, 1, 1, 1, 1, 1, 0, 0, NULL FROM CUPTI_ACTIVITY_KIND_KERNEL "
                "LIMIT 1;"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start, 9223372036854775807, deviceId, contextId, "
                "greenContextId, streamId, "
                "correlationId, globalPid, demangledName, shortName, 32, 1, 1, 1, 1, 1, 1, 0, 0, NULL FROM "
                "CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1;"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start, end, x'00', contextId, greenContextId, streamId, "
                "correlationId, 1.5, demangledName, shortName, 32, 1, 1, 1, 1, 1, 1, 0, 0, NULL FROM "
                "CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1;");
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.front()->events.gpu_count, 2u);
        QCOMPARE(count(*run, "malformed_events"), 3);
        QCOMPARE(count(*run, "negative_durations"), 1);
    }

    void withoutTheStringTableKernelsHaveNoNames() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "k", {});
            report.run("DROP TABLE StringIds; CREATE TABLE StringIds (number INTEGER)");
        }
        NsysExport::edit(path(), "DROP TABLE StringIds");
        const auto run = load(path());
        QCOMPARE(run->ranks.front()->events.gpu_count, 1u);
        QCOMPARE(count(*run, "missing_table"), 1);
    }

    // A view that would never end, a virtual table, a trigger, a generated column and an index on an expression.
    void nothingInTheFileIsExecuted() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "k", {});
            report.run(
                "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                "FROM n) "
                "SELECT i AS start, i AS end, 0 AS deviceId FROM n;"
                "CREATE TABLE victim (a); CREATE TRIGGER t AFTER INSERT ON victim BEGIN DELETE FROM "
                "CUPTI_ACTIVITY_KIND_KERNEL; END;"
                "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER AS (end - 1), end INTEGER, deviceId INTEGER);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (end, deviceId) VALUES (5, 0);");
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.front()->events.gpu_count, 1u);
        QCOMPARE(count(*run, "not_a_table"), 1);
        QCOMPARE(count(*run, "malformed_events"), 1); // the start of the set is computed, hence not there
    }

    void rowIdsFarApartAndTablesWithoutThemAreRead() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "k", {});
            report.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = -9223372036854775807;"
                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL;"
                       "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = 9223372036854775807 WHERE rowid > 0 OR rowid = "
                       "-9223372036854775806;"
                       "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER PRIMARY KEY, end INTEGER, deviceId "
                       "INTEGER, rowid TEXT, oid TEXT, "
                       "_rowid_ TEXT) WITHOUT ROWID; INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (20, 30, 0, 'a', "
                       "'b', 'c');");
        }
        QCOMPARE(load(path())->event_count(), std::uint64_t{3});
    }

    void everyCutOfAFileIsANoticeOrAnError() {
        {
            NsysExport report(path());
            for (int i = 0; i < 3000; ++i)
                report.kernel(i * 10, i * 10 + 5, "kernel " + std::to_string(i % 50), {.correlation = i});
        }
        const std::string whole = bytes_of(path());
        int partly = 0;
        for (std::size_t size = 0; size < whole.size(); size += whole.size() / 37) {
            std::ofstream(path("cut.sqlite"), std::ios::binary) << whole.substr(0, size);
            const auto run = load_run(path("cut.sqlite"));
            if (!run) {
                QVERIFY(english(run.error().message).find("cut.sqlite") != std::string::npos);
                continue;
            }
            ++partly;
            QVERIFY((*run)->event_count() <= 3000);
            QVERIFY(count(**run, "damaged_table") > 0);
        }
        QVERIFY(partly > 0);
    }

    void flippedBytesNeverCrashOrHang() {
        {
            NsysExport report(path());
            for (int i = 0; i < 400; ++i)
                report.kernel(i * 10, i * 10 + 5, "kernel " + std::to_string(i % 50), {.correlation = i});
        }
        const std::string whole = bytes_of(path());
        std::uint32_t state = 1;
        for (int round = 0; round < 200; ++round) {
            std::string damaged = whole;
            for (int i = 0; i < 20; ++i) {
                state = state * 1664525 + 1013904223;
                damaged[100 + state % (damaged.size() - 100)] = static_cast<char>(state >> 24);
            }
            std::ofstream(path("flipped.sqlite"), std::ios::binary) << damaged;
            if (const auto run = load_run(path("flipped.sqlite")))
                QVERIFY((*run)->event_count() < 100'000);
        }
    }

    void aReportBeyondTheMemoryBudgetIsRefused() {
        {
            NsysExport report(path());
            for (int i = 0; i < 20'000; ++i)
                report.kernel(1000 + 100 * i, 1050 + 100 * i, "gemm", {.process = 1, .correlation = i});
        }
        LoadOptions options;
        options.memory_bytes = 500'000; // some 10 000 events
        const auto refused = load_run(path(), options);
        QVERIFY(!refused);
        const QString message = QString::fromStdString(english(refused.error().message));
        QVERIFY2(message.contains(u"report.sqlite takes more than the memory budget of ") && !message.contains(u'\n'),
                 qPrintable(message));
        options.memory_bytes = 50'000'000;
        QCOMPARE(load(path(), options)->event_count(), std::uint64_t{20'000});
    }

    /// A call is shown with each device of its process: 4 010 devices made 53 million events of 13 000 calls.
    void devicesThatNoMachineHasAreLeftOut() {
        {
            NsysExport report(path());
            for (int device = 0; device < 300; ++device)
                report.kernel(1000 + device, 2000 + device, "k", {.process = 1, .device = device});
            for (int i = 0; i < 5'000; ++i)
                report.call(10 * i, 10 * i + 5, "cudaLaunchKernel", nsys_tid(1, 2), 100'000 + i);
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.size(), std::size_t{64});
        QVERIFY(count(*run, "too_many_devices") > 0);
        LoadOptions options;
        options.memory_bytes = 2'000'000; // of the 320 000 events
        const auto refused = load_run(path(), options);
        QVERIFY(!refused && english(refused.error().message).find("memory budget") != std::string::npos);
        const auto at = english(refused.error().message).find("; ");
        QVERIFY(at != std::string::npos);
        QVERIFY2(std::stoi(english(refused.error().message).substr(at + 2)) < 250'000,
                 english(refused.error().message).c_str());
    }

    void aLongTextIsCut() {
        {
            NsysExport report(path());
            report.kernel(0, 10, std::string(20 << 20, 'x'), {.stream = 7});
            report.kernel(20, 30, "short", {.stream = 7});
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.front()->event_name(0).size(), std::size_t{64 * 1024} + std::string_view("…").size());
        QVERIFY(run->names->memory_bytes() < std::size_t{1} << 20);
    }

    void nothingIsWrittenBesideTheFileAndLocksDoNotMatter() {
        {
            NsysExport report(path());
            report.kernel(0, 10, "k", {});
        }
        const std::string before = bytes_of(path());
        NsysExport writer(path("other.sqlite")); // keeps a transaction open on its own file
        writer.kernel(0, 10, "uncommitted", {});
        std::ofstream(path("report.sqlite-wal")) << "left by an export that was killed";
        const auto names = files();
        const auto run = load(path());
        QCOMPARE(files(), names);
        QCOMPARE(bytes_of(path()), before);
        QCOMPARE(count(*run, "unfinished_file"), 1);
        fs::permissions(path(), fs::perms::owner_read);
        QCOMPARE(load(path())->event_count(), std::uint64_t{1});
        // Another program holds the file itself: what it has not committed is not there, and nobody waits.
        writer.run("COMMIT; BEGIN EXCLUSIVE; DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL");
        const auto locked_names = files();
        QCOMPARE(load(path("other.sqlite"))->event_count(), std::uint64_t{1});
        QCOMPARE(files(), locked_names);
    }

    // Five all-reduces, on device 1 the third was lost. Durations on device 0: 10, 20, 30, 40, 50 us; on device 1: 12,
    // 15, -, 44, 41. By counting rows the fourth would be held against the third. Total = 12 + 20 + 44 + 50, actual =
    // 10 + 15 + 40 + 41; delays 2, 5, 4, 9: mean 5, median 4.5, P95 9.
    void aDeviceWithMissingRowsDoesNotShiftTheDelays() {
        {
            NsysExport report(path());
            report.session_start(0);
            const std::array<std::array<int, 5>, 2> durations{{{10, 20, 30, 40, 50}, {12, 15, 0, 44, 41}}};
            for (int device = 0; device < 2; ++device)
                for (int call = 0; call < 5; ++call)
                    if (const int duration =
                            durations[static_cast<std::size_t>(device)][static_cast<std::size_t>(call)];
                        duration > 0) {
                        const std::int64_t end = 1'000'000 * (call + 1); // they end together
                        report.kernel(end - 1'000 * duration, end, "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                                      {.process = 100 + device, .device = device, .correlation = call + 1});
                    }
        }
        const RunAnalysis analysis(load(path()), {});
        const DelayDistribution delay = delay_distribution(analysis.stragglers().calls);
        QCOMPARE(delay.total, 126'000);
        QCOMPARE(delay.actual, 106'000);
        QCOMPARE(delay.mean, 5'000.0);
        QCOMPARE(delay.median, 4'500.0);
        QCOMPARE(delay.p95, 9'000.0);
        QCOMPARE(delay.ecdf,
                 (std::vector<std::pair<TimeNs, double>>{{2'000, 0.25}, {4'000, 0.5}, {5'000, 0.75}, {9'000, 1.0}}));
    }

    // Ranges that the program numbers itself are its steps; parts of a step, and numbers that start again, are none.
    void numberedRangesAreSteps() {
        const std::int64_t thread = nsys_tid(100, 100);
        {
            NsysExport report(path());
            for (int step = 0; step < 3; ++step) {
                const std::int64_t at = 10'000 * step;
                report.range(at, at + 9'000 + step * 100, fmt::format("Train_Step #{}", step + 7), thread);
                report.range(at + 10, at + 4'000, "step 3 forward", thread);
                for (int micro = 0; micro < 2; ++micro)
                    report.range(at + 100 + 1'000 * micro, at + 600 + 1'000 * micro,
                                 fmt::format("micro_step {}", micro), thread);
                report.kernel(at + 5'000, at + 6'000, "k", {.process = 100, .correlation = step + 1});
                report.call(at + 4'500, at + 4'600, "cudaLaunchKernel", thread, step + 1);
            }
        }
        const auto run = load(path());
        const auto& steps = run->ranks.front()->steps;
        QCOMPARE(steps.size(), std::size_t{3});
        QCOMPARE(steps.front().number, 7);
        // Until the next one starts; when the last one would end is not recorded.
        QCOMPARE(steps.front().range, (TimeRange{0, 10'000}));
        QCOMPARE(steps.back().range, (TimeRange{20'000, 29'200}));
        const MetricReport report = compute_metrics(RunAnalysis(run, {}), std::vector<std::string>{"iter_time"});
        QCOMPARE(report.entries.front().result.value, 0.01);
        QCOMPARE(report.entries.front().result.details["num_iterations"].get<int>(), 2);
        QCOMPARE(report.entries.front().result.details["method"].get<std::string>(), std::string("nvtx_ranges"));
    }

    // Two ranks of one communicator of 2. A single all-reduce of 4096 bytes, an all-gather of 512 bytes from each, and
    // a group of one message out and one in, launched at the group's end: 100 and 300 bytes.
    void payloadsOfNcclTellBytesAndCommunicator() {
        {
            NsysExport report(path());
            report.payload_schemas();
            for (const int rank : {0, 1}) {
                const std::int64_t pid = 100 + rank;
                const std::int64_t thread = nsys_tid(pid, pid);
                const auto call = [&](std::int64_t start, std::int64_t end, const char* name, std::int64_t bytes) {
                    report.payload_range(start, end, name, thread,
                                         bytes < 0 ? std::string() : nccl_message(0xC0FFEE, bytes));
                };
                const auto launch = [&](std::int64_t at, std::int64_t correlation, const char* kernel) {
                    report.call(at, at + 5, "cudaLaunchKernelExC", thread, correlation);
                    report.kernel(at + 100, at + 1'100, kernel,
                                  {.process = pid, .device = rank, .stream = 9, .correlation = correlation});
                };
                report.payload_range(0, 10, "ncclCommInitRank", thread, nccl_init(0xC0FFEE, 2, rank));
                call(1'000, 1'100, "ncclAllReduce", 4096);
                launch(1'050, 1, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
                call(3'000, 3'100, "ncclAllGather", 512);
                launch(3'050, 2, "ncclDevKernel_AllGather_RING_LL");
                call(5'000, 5'010, "ncclGroupStart", -1);
                call(5'020, 5'030, "ncclSend", 100);
                call(5'040, 5'050, "ncclRecv", 300);
                call(5'060, 5'200, "ncclGroupEnd", -1);
                launch(5'100, 3, "ncclDevKernel_SendRecv");
                launch(8'000, 4, "ncclDevKernel_AllReduce_Sum_f32_RING_LL"); // outside of any call
            }
        }
        const auto run = load(path());
        for (const auto& rank : run->ranks) {
            QCOMPARE(rank->collectives.size(), std::size_t{3});
            const auto args = [&](std::size_t call) { return rank->collective_args[rank->collectives[call].args]; };
            const CollectiveArgs reduce = args(0);
            QCOMPARE(reduce.in_elements, 4096);
            QCOMPARE(reduce.group_size, 2);
            QCOMPARE(run->names->view(reduce.collective), std::string_view("allreduce"));
            QCOMPARE(run->names->view(reduce.dtype), std::string_view("Byte"));
            QCOMPARE(rank->process_groups.at(static_cast<std::size_t>(reduce.group)).name, std::string("nccl c0ffee"));
            QCOMPARE(args(1).in_elements, 512);
            QCOMPARE(args(1).out_elements, 1024);
            QCOMPARE(args(2).in_elements, 100);
            QCOMPARE(args(2).out_elements, 300);
        }
        // 4096 bytes in 1000 ns, times 2 (2 - 1) / 2.
        const MetricReport metrics = compute_metrics(RunAnalysis(run, {}), std::vector<std::string>{"comm_bandwidth"});
        QVERIFY2(metrics.entries.front().result.available, english(metrics.entries.front().result.reason).c_str());
        QCOMPARE(metrics.entries.front().result.details["by_kind"]["AllReduce"]["busbw_gb_s"].get<double>(), 4.096);
    }

    void damagedPayloadsAreIgnored() {
        {
            NsysExport report(path());
            report.payload_schemas();
            const std::int64_t thread = nsys_tid(100, 100);
            std::string short_one = nccl_message(1, 4096);
            short_one.resize(36);
            int at = 0;
            for (const std::string& payload :
                 {std::string("x"), short_one, nccl_message(1, -1), std::string(300, '\xff')}) {
                at += 1'000;
                report.payload_range(at, at + 100, "ncclAllReduce", thread, payload);
                report.call(at + 50, at + 55, "cudaLaunchKernel", thread, at);
                report.kernel(at + 60, at + 90, "ncclDevKernel_AllReduce", {.process = 100, .correlation = at});
            }
            report.payload_range(9'000, 9'100, "ncclGroupEnd", thread, {});
        }
        const auto run = load(path());
        QCOMPARE(run->ranks.front()->collectives.size(), std::size_t{0});
        QCOMPARE(run->ranks.front()->events.gpu_count, 4u);
    }

    void namesWithSpecialCharactersOpen() {
        const fs::path odd = path("50% of?it#1 \xC3\xA9.sqlite");
        {
            NsysExport report(path());
            report.kernel(0, 10, "k", {});
        }
        fs::rename(path(), odd);
        QCOMPARE(load(odd)->event_count(), std::uint64_t{1});
    }

    void otherDatabasesAreNoTraces() {
        NsysExport::edit(path("phone.sqlite"), "CREATE TABLE book (name TEXT)");
        const auto run = load_run(path("phone.sqlite"));
        QVERIFY(!run);
        QCOMPARE(english(run.error().message),
                 path("phone.sqlite").string() + " is no trace: it is a database of another program");
    }

    void threadsChangeNothingAndCancelWorks() {
        {
            NsysExport report(path());
            for (int i = 0; i < 200'000; ++i)
                report.run(i == 0 ? "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, "
                                    "streamId, correlationId, globalPid, shortName)"
                                  : fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({},{},0,1,{},{},{},{})",
                                                i * 7 % 100'003, i * 7 % 100'003 + 3, i % 3, i, nsys_pid(100 + i % 2),
                                                report.text("k" + std::to_string(i % 9))));
        }
        LoadOptions one;
        one.jobs = 1;
        const auto alone = load(path(), one);
        const auto together = load(path());
        QCOMPARE(alone->event_count(), std::uint64_t{199'999});
        for (std::size_t r = 0; r < 2; ++r) {
            const RankTrace& a = *alone->ranks[r];
            const RankTrace& b = *together->ranks[r];
            QCOMPARE(a.events.start, b.events.start);
            QCOMPARE(a.events.ordinal, b.events.ordinal);
            for (EventIndex i = 0; i < a.events.size(); i += 97)
                QCOMPARE(a.event_name(i), b.event_name(i));
        }
        std::stop_source stop;
        stop.request_stop();
        LoadOptions options;
        options.cancel = stop.get_token();
        const auto cancelled = load_run(path(), options);
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, Error::Code::cancelled);
    }
};

RANKSCOPE_TEST(TestNsysReader)

} // namespace rankscope::nsys_reader_test

#include "test_nsys_reader.moc"
