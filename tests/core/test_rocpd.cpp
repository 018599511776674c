// SPDX-License-Identifier: GPL-3.0-or-later
// rocpd databases made by the official schema, of 3.x (rows say where they are) and of 4.x (tracks do).
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "core/input/load/load_run.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::rocpd_test {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kBase = 1'000'000'000;

/// The tables that are read, with the columns of the schema, for one process.
std::string tables(const std::string& suffix, bool tracks) {
    const std::string place =
        tracks ? "track_id INTEGER NOT NULL" : "nid INTEGER NOT NULL, pid INTEGER NOT NULL, tid INTEGER";
    const std::string queue = tracks ? "" : ", queue_id INTEGER, stream_id INTEGER";
    const std::string agent = tracks ? "" : ", agent_id INTEGER";
    const std::string end = "extdata JSONB DEFAULT '{}' NOT NULL);";
    const auto table = [&](const char* name, const std::string& columns) {
        return fmt::format("CREATE TABLE `{}{}` (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, guid TEXT, {}, {}",
                           name, suffix, columns, end);
    };
    std::string sql =
        fmt::format("CREATE TABLE `rocpd_metadata{}` (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);", suffix);
    sql += table("rocpd_string", "string TEXT NOT NULL UNIQUE ON CONFLICT ABORT");
    sql +=
        table("rocpd_info_process", "nid INTEGER, ppid INTEGER, pid INTEGER NOT NULL, command TEXT, environment JSONB");
    sql += table("rocpd_info_thread", "nid INTEGER, ppid INTEGER, pid INTEGER, tid INTEGER NOT NULL, name TEXT");
    sql +=
        table("rocpd_info_agent", "nid INTEGER, pid INTEGER, type TEXT, absolute_index INTEGER, logical_index INTEGER, "
                                  "type_index INTEGER, name TEXT, model_name TEXT, product_name TEXT");
    sql += table("rocpd_info_stream", "nid INTEGER, pid INTEGER, name TEXT");
    sql +=
        table("rocpd_info_pmc", "nid INTEGER, pid INTEGER, agent_id INTEGER, name TEXT NOT NULL, symbol TEXT NOT NULL");
    sql += table("rocpd_info_kernel_symbol", "nid INTEGER, pid INTEGER, kernel_name TEXT, display_name TEXT");
    sql +=
        table("rocpd_track", tracks ? "nid INTEGER, ppid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id "
                                      "INTEGER, stream_id INTEGER, name_id INTEGER"
                                    : "nid INTEGER, pid INTEGER, tid INTEGER, name_id INTEGER");
    sql +=
        table("rocpd_event", "category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id INTEGER");
    sql += table("rocpd_region",
                 place + ", start BIGINT NOT NULL, end BIGINT NOT NULL, name_id INTEGER NOT NULL, event_id INTEGER");
    sql += table("rocpd_sample", "track_id INTEGER NOT NULL, timestamp BIGINT NOT NULL, event_id INTEGER");
    sql += table("rocpd_pmc_event", "event_id INTEGER, pmc_id INTEGER NOT NULL, value REAL DEFAULT 0.0");
    sql +=
        table("rocpd_kernel_dispatch",
              place + agent + queue +
                  ", kernel_id INTEGER NOT NULL, dispatch_id INTEGER NOT NULL, start BIGINT NOT NULL, end BIGINT NOT "
                  "NULL, group_segment_size INTEGER, workgroup_size_x INTEGER, workgroup_size_y INTEGER, "
                  "workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, "
                  "region_name_id INTEGER, event_id INTEGER");
    sql += table("rocpd_memory_copy",
                 place + queue +
                     ", start BIGINT NOT NULL, end BIGINT NOT NULL, name_id INTEGER NOT NULL, "
                     "dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER NOT NULL, event_id INTEGER");
    sql += table("rocpd_memory_allocate", place + agent + queue +
                                              ", type TEXT, level TEXT, start BIGINT NOT NULL, end BIGINT NOT NULL, "
                                              "address INTEGER, size INTEGER NOT NULL, event_id INTEGER");
    if (tracks)
        sql += table("rocpd_info_category", "name TEXT NOT NULL");
    // Views without a suffix, as the profiler writes them: never looked at.
    return sql;
}

/// One process on one GPU: a marker around a HIP call that launches a kernel, a copy, a counter of the kernel, memory
/// that comes and goes.
std::string process(const std::string& suffix, bool tracks, int rank, int gpu) {
    const auto in = [&](const char* name) { return fmt::format("INSERT INTO `{}{}` ", name, suffix); };
    std::string sql =
        in("rocpd_metadata") + fmt::format("VALUES (1,'schema_version','{}');", tracks ? "4.1.0" : "3.0.0");
    int id = 0;
    for (const char* text : {"MARKER_CORE_API", "HIP_RUNTIME_API", "KERNEL_DISPATCH", "hipLaunchKernel",
                             "roctxRangePush", "MEMORY_COPY_HOST_TO_DEVICE", "hipMemcpyAsync"})
        sql += in("rocpd_string") + fmt::format("(id, string) VALUES ({},'{}');", ++id, text);
    if (tracks)
        for (int category = 1; category <= 3; ++category)
            sql += in("rocpd_info_category") +
                   fmt::format("(id, name) VALUES ({0}, (SELECT string FROM `rocpd_string{1}` WHERE id = {0}));",
                               category, suffix);
    sql += in("rocpd_info_process") + fmt::format("(id, nid, pid, command, environment) VALUES (5, 1, {}, 'python "
                                                  "train.py', '{{\"RANK\":\"{}\",\"WORLD_SIZE\":\"2\"}}');",
                                                  4000 + rank, rank);
    sql += in("rocpd_info_thread") + "(id, pid, tid, name) VALUES (6, 5, 77, 'main');";
    sql += in("rocpd_info_agent") + "(id, type, type_index, name) VALUES (1,'CPU',0,'EPYC');";
    sql += in("rocpd_info_agent") +
           fmt::format("(id, type, type_index, name, product_name) VALUES (2,'GPU',{},'gfx942','MI300X');", gpu);
    sql += in("rocpd_info_pmc") + "(id, agent_id, name, symbol) VALUES (1, 2, 'SQ_WAVES', 'SQ_WAVES');";
    sql += in("rocpd_info_kernel_symbol") + "(id, kernel_name, display_name) VALUES (9,'gemm.kd','gemm');";
    if (tracks) {
        sql += in("rocpd_track") +
               "(id, nid, pid, tid, agent_id, queue_id, stream_id) VALUES (1, 1, 5, 6, NULL, NULL, NULL);";
        sql += in("rocpd_track") + "(id, nid, pid, tid, agent_id, queue_id, stream_id) VALUES (2, 1, 5, 6, 2, 3, 4);";
    }
    // Events: 1 marker, 2 launch (stack 100), 3 kernel (stack 100), 4 copy call (stack 101), 5 copy (stack 101).
    const auto event = [&](int number, int category, int stack, const char* extra = "{}") {
        sql += in("rocpd_event") +
               fmt::format("(id, category_id, stack_id, correlation_id, extdata) VALUES ({},{},{},0,'{}');", number,
                           category, stack, extra);
    };
    event(1, 1, 99, "{\"message\":\"step 12\"}");
    event(2, 2, 100);
    event(3, 3, 100);
    event(4, 2, 101);
    event(5, 3, 101);
    const std::string host_place = tracks ? "track_id" : "nid, pid, tid";
    const std::string host_values = tracks ? "1" : "1, 5, 6";
    const auto region = [&](int start, int end, int name, int of) {
        sql += in("rocpd_region") + fmt::format("({}, start, end, name_id, event_id) VALUES ({},{},{},{},{});",
                                                host_place, host_values, kBase + start, kBase + end, name, of);
    };
    region(0, 1000, 5, 1);
    region(100, 120, 4, 2);
    region(200, 220, 7, 4);
    const std::string gpu_place = tracks ? "track_id" : "nid, pid, tid, agent_id, queue_id, stream_id";
    const std::string gpu_values = tracks ? "2" : "1, 5, 6, 2, 3, 4";
    sql += in("rocpd_kernel_dispatch") +
           fmt::format(
               "({}, kernel_id, dispatch_id, start, end, group_segment_size, workgroup_size_x, workgroup_size_y, "
               "workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id) VALUES ({}, 9, 1, "
               "{}, {}, 512, 256, 1, 1, 2560, 4, 1, 1, 3);",
               gpu_place, gpu_values, kBase + 300, kBase + 700);
    const std::string copy_place = tracks ? "track_id" : "nid, pid, tid, queue_id, stream_id";
    const std::string copy_values = tracks ? "2" : "1, 5, 6, 3, 4";
    sql += in("rocpd_memory_copy") + fmt::format("({}, start, end, name_id, dst_agent_id, src_agent_id, size, "
                                                 "event_id) VALUES ({}, {}, {}, 6, 2, 1, 8192, 5);",
                                                 copy_place, copy_values, kBase + 700, kBase + 800);
    sql += in("rocpd_pmc_event") + "(event_id, pmc_id, value) VALUES (3, 1, 640.0);";
    for (const char* type : {"ALLOC", "FREE"})
        sql += in("rocpd_memory_allocate") +
               fmt::format("({}, type, level, start, end, address, size) VALUES ({}, '{}', 'REAL', {}, {}, 4096, {});",
                           gpu_place, gpu_values, type, kBase + (*type == 'A' ? 10 : 900), kBase + 901,
                           *type == 'A' ? 65536 : 0);
    return sql;
}

/// A set of tables of 4.x as schema 4.0 has it: times in a table of their own.
std::string with_times_elsewhere(const std::string& suffix) {
    std::string sql = fmt::format("CREATE TABLE `rocpd_timestamp{}` (id INTEGER PRIMARY KEY, value BIGINT NOT NULL);"
                                  "UPDATE `rocpd_metadata{}` SET value = '4.0.0' WHERE tag = 'schema_version';",
                                  suffix, suffix);
    for (const char* table : {"region", "kernel_dispatch", "memory_copy", "memory_allocate"})
        for (const char* column : {"start", "end"})
            sql += fmt::format(
                "INSERT OR IGNORE INTO `rocpd_timestamp{1}` SELECT \"{2}\" - {3} + 50, \"{2}\" FROM `rocpd_{0}{1}`;"
                "UPDATE `rocpd_{0}{1}` SET \"{2}\" = \"{2}\" - {3} + 50;"
                "ALTER TABLE `rocpd_{0}{1}` RENAME COLUMN \"{2}\" TO {2}_id;",
                table, suffix, column, kBase);
    return sql;
}

} // namespace

class TestRocpd : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int files_ = 0;

    fs::path folder() {
        const fs::path path = fs::path(folder_.path().toStdString()) / std::to_string(files_++);
        fs::create_directories(path);
        return path;
    }
    static Result<std::shared_ptr<const Run>> opened(const fs::path& path) {
        LoadOptions options;
        options.use_cache = false;
        return load_run(path, options);
    }
    static std::shared_ptr<const Run> load(const fs::path& path) {
        auto run = opened(path);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static EventIndex event_named(const RankTrace& rank, std::string_view name) {
        for (EventIndex i = 0; i < rank.events.size(); ++i)
            if (rank.event_name(i) == name)
                return i;
        return kNoEvent;
    }
    static void check_process(const RankTrace& rank) {
        const EventIndex kernel = event_named(rank, "gemm");
        QVERIFY(kernel < rank.events.gpu_count);
        QCOMPARE(rank.events.range(kernel), (TimeRange{kBase + 300, kBase + 700}));
        const EventIndex call = rank.events.link[kernel];
        QVERIFY(call != kNoEvent);
        QCOMPARE(rank.event_name(call), std::string_view("hipLaunchKernel"));
        QCOMPARE(rank.events.kind[call], EventKind::runtime);
        const LaunchShape& shape = rank.launch_shapes[rank.gpu.launch_shape[kernel]];
        QCOMPARE(shape.grid, (std::array<std::uint32_t, 3>{10, 4, 1})); // of blocks, not of work-items
        QCOMPARE(shape.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
        const EventIndex copy = event_named(rank, "MEMORY_COPY_HOST_TO_DEVICE");
        QCOMPARE(rank.events.kind[copy], EventKind::memcpy);
        QCOMPARE(rank.event_name(rank.events.link[copy]), std::string_view("hipMemcpyAsync"));
        QCOMPARE(rank.memory_transfers.at(0).bytes, std::int64_t{8192});
        QCOMPARE(rank.events.kind[event_named(rank, "step 12")], EventKind::annotation);
        QCOMPARE(rank.counters.size(), std::size_t{1});
        QCOMPARE(rank.counters[0].value, 640.0);
        QCOMPARE(rank.counters[0].time, kBase + 300);
        QCOMPARE(rank.memory_samples.size(), std::size_t{2});
        QCOMPARE(rank.memory_samples[0].bytes, std::int64_t{65536});
        QCOMPARE(rank.memory_samples[1].bytes, std::int64_t{-65536}); // its size is that of the allocation
        QCOMPARE(rank.devices.at(0).name, std::string("MI300X"));
        QCOMPARE(std::ranges::count(rank.lanes, std::string("thread 77 (main)"), &Lane::name), std::ptrdiff_t{1});
    }

    /// A database with the tables and columns of rocmProfileData.
    fs::path rpd_file(const std::string& rows) {
        const fs::path path = folder() / "trace.rpd";
        NsysExport(path).run(
            "DROP TABLE StringIds;"
            "CREATE TABLE rocpd_string (id integer NOT NULL PRIMARY KEY, string varchar(4096) NOT NULL);"
            "CREATE TABLE rocpd_ustring (id integer NOT NULL PRIMARY KEY, string varchar(4096) NOT NULL);"
            "CREATE TABLE rocpd_api (id integer NOT NULL PRIMARY KEY, pid integer, tid integer, start integer, end "
            "integer, apiName_id bigint, args_id bigint);"
            "CREATE TABLE rocpd_op (id integer NOT NULL PRIMARY KEY, gpuId integer, queueId integer, sequenceId "
            "integer, completionSignal varchar(18), start integer, end integer, description_id bigint, opType_id "
            "bigint);"
            "CREATE TABLE rocpd_api_ops (id integer NOT NULL PRIMARY KEY, api_id bigint, op_id bigint);"
            "INSERT INTO rocpd_string VALUES (1, ''), (2, 'KernelExecution'), (3, 'gemm'), (4, 'CopyHostToDevice'), "
            "(5, 'hipLaunchKernel'), (6, 'hipMemcpyAsync'), (7, 'UserMarker'), (8, 'Barrier'), (9, 'hipMalloc');"
            "INSERT INTO rocpd_ustring VALUES (1, ''), (2, 'step 12');" +
            rows);
        return path;
    }

private Q_SLOTS:
    // Two GPUs: a kernel and a copy on the first, a kernel on the second.
    void databasesOfRocmProfileDataOpen() {
        const fs::path path = rpd_file(
            "INSERT INTO rocpd_api VALUES (10, 5, 6, 1000000000, 1000000020, 5, 1), (11, 5, 6, 1000000030, "
            "1000000040, 6, 1), (12, 5, 6, 1000000000, 1000000900, 7, 2), (13, 9, 9, 1000000100, 1000000120, 5, 1);"
            "INSERT INTO rocpd_op VALUES (20, 0, 1, 0, '', 1000000300, 1000000700, 3, 2), (21, 0, 1, 0, '', "
            "1000000700, 1000000800, 1, 4), (22, 1, 3, 0, '', 1000000310, 1000000650, 3, 2), (23, 1, 3, 0, '', "
            "1000000650, 1000000660, 1, 8), (24, 1, 3, 0, '', NULL, 1000000660, 3, 2);"
            "INSERT INTO rocpd_api_ops VALUES (1, 10, 20), (2, 11, 21), (3, 13, 22);");
        const auto run = load(path);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        const RankTrace& first = *run->ranks[0];
        QCOMPARE(first.events.gpu_count, 2u);
        const EventIndex kernel = event_named(first, "gemm");
        QCOMPARE(first.events.range(kernel), (TimeRange{kBase + 300, kBase + 700}));
        QCOMPARE(first.events.kind[kernel], EventKind::kernel);
        QCOMPARE(first.lane_of(kernel).stream, 1);
        QCOMPARE(first.event_name(first.events.link[kernel]), std::string_view("hipLaunchKernel"));
        const EventIndex copy = event_named(first, "CopyHostToDevice");
        QCOMPARE(first.events.kind[copy], EventKind::memcpy);
        QCOMPARE(first.event_name(first.events.link[copy]), std::string_view("hipMemcpyAsync"));
        QCOMPARE(first.events.kind[event_named(first, "step 12")], EventKind::annotation);
        const RankTrace& second = *run->ranks[1];
        QCOMPARE(second.device(), 1);
        QCOMPARE(second.events.gpu_count, 1u); // a barrier is no work, and a row without a start is counted
        QCOMPARE(second.events.start[0], kBase + 310);
        QCOMPARE(second.event_name(second.events.link[0]), std::string_view("hipLaunchKernel"));
        std::int64_t unreadable = 0;
        for (const Notice& notice : run->notices)
            unreadable += notice.code == "malformed_events" ? notice.count : 0;
        QCOMPARE(unreadable, 1);
    }

    // Process 5 launches on GPUs 0 and 1 and marks a step, process 9 allocates before it launches on GPU 2, process 11
    // launches nothing.
    void whatARocmProcessDoesIsOnAllItsGpus() {
        const auto run = load(rpd_file(
            "INSERT INTO rocpd_api VALUES (9, 9, 9, 999999900, 999999950, 9, 1), (10, 5, 6, 1000000000, 1000000020, 5, "
            "1), (11, 5, 6, 1000000030, 1000000040, 5, 1), (12, 5, 6, 1000000000, 1000000900, 7, 2), (13, 9, 9, "
            "1000000100, 1000000120, 5, 1), (14, 11, 11, 1000000100, 1000000120, 9, 1);"
            "INSERT INTO rocpd_op VALUES (20, 0, 1, 0, '', 1000000300, 1000000700, 3, 2), (21, 1, 1, 0, '', "
            "1000000300, "
            "1000000700, 3, 2), (22, 2, 3, 0, '', 1000000310, 1000000650, 3, 2), (23, 2, 3, 0, '', 1000000650, "
            "1000000660, 1, 8);"
            "INSERT INTO rocpd_api_ops VALUES (1, 10, 20), (2, 11, 21), (3, 13, 22);"));
        QCOMPARE(run->ranks.size(), std::size_t{3});
        for (const std::size_t rank : {0, 1}) {
            QCOMPARE(run->ranks[rank]->events.size(), std::size_t{3}); // a kernel, its launch, the mark
            QCOMPARE(run->ranks[rank]->events.range(event_named(*run->ranks[rank], "step 12")),
                     (TimeRange{kBase, kBase + 900}));
        }
        QCOMPARE(run->ranks[2]->events.size(), std::size_t{3});
        QCOMPARE(run->ranks[2]->events.range(event_named(*run->ranks[2], "hipMalloc")),
                 (TimeRange{kBase - 100, kBase - 50}));
        const Accounting all = accounting_of(*run);
        QCOMPARE(all.events_in_file, std::uint64_t{10}); // as many rows as there are
        QCOMPARE(all.on_timeline, std::uint64_t{8});     // the mark once
        QCOMPARE(all.of(NotShown::instants), std::uint64_t{1});
        QCOMPARE(all.of(NotShown::other_processes), std::uint64_t{1});
    }

    void recordingsThatAreNotReadSayWhatToOpen_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("rocprofv3 JSON") << "77_results.json"
                                        << "{\"rocprofiler-sdk-tool\": [{\"metadata\": {}}]}"
                                        << "rocprofv3 --output-format rocpd";
        QTest::newRow("pftrace") << "77_results.pftrace"
                                 << "\n\x05"
                                 << "rocprofv3 --output-format rocpd";
        QTest::newRow("a packed pftrace") << "77_results.pftrace.gz"
                                          << "\x1f\x8b"
                                          << "rocprofv3 --output-format rocpd";
        QTest::newRow("parquet") << "CUPTI_ACTIVITY_KIND_KERNEL.parquet"
                                 << "PAR1"
                                 << "nsys export --type sqlite";
    }
    void recordingsThatAreNotReadSayWhatToOpen() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, says);
        const fs::path path = folder() / name.toStdString();
        std::ofstream(path) << text.toStdString();
        for (const fs::path& what : {path, path.parent_path()}) { // a folder of such files says the same
            const auto run = opened(what);
            QVERIFY(!run);
            const std::string why = english(run.error().message);
            QVERIFY2(why.find(says.toStdString()) != std::string::npos, why.c_str());
            QVERIFY(why.find('\n') == std::string::npos);
        }
    }

    void anRpdFileWithoutItsTablesIsRefused() {
        const fs::path path = folder() / "trace.rpd";
        NsysExport(path).run("DROP TABLE StringIds; CREATE TABLE other (id INTEGER);");
        QVERIFY(!opened(path));
        std::ofstream(path) << "no database";
        QVERIFY(!opened(path));
    }

    void one_process_data() {
        QTest::addColumn<QString>("version");
        QTest::newRow("3.0") << QStringLiteral("3.0.0");
        QTest::newRow("4.0") << QStringLiteral("4.0.0");
        QTest::newRow("4.1") << QStringLiteral("4.1.0");
    }
    void one_process() {
        QFETCH(QString, version);
        const bool tracks = version >= QStringLiteral("4");
        const fs::path path = folder() / "4001_results.db";
        const std::string suffix = "_0000a1b2_c3d4";
        NsysExport::edit(path, tables(suffix, tracks) + process(suffix, tracks, 1, 3) +
                                   (version == QStringLiteral("4.0.0") ? with_times_elsewhere(suffix) : ""));
        const auto run = load(path);
        QCOMPARE(run->source, TraceSource::rocpd);
        QCOMPARE(run->ranks.size(), std::size_t{1});
        QCOMPARE(run->ranks[0]->rank, 1); // of the environment
        QCOMPARE(run->world_size, 2);
        check_process(*run->ranks[0]);
        const Accounting all = accounting_of(*run);
        QCOMPARE(all.events_in_file, std::uint64_t{8});
        QCOMPARE(all.on_timeline, std::uint64_t{5});
        QCOMPARE(all.of(NotShown::counters), std::uint64_t{1});
        QCOMPARE(all.of(NotShown::memory_samples), std::uint64_t{2});
        QCOMPARE(run->config.at("trace.rocpd.schema_version"), version.toStdString());
    }

    /// Ranges that the program pushes and numbers are its steps.
    void steps_are_ranges_with_a_number() {
        const fs::path path = folder() / "steps.db";
        std::string sql = tables("", false) + process("", false, 0, 0) +
                          R"(INSERT INTO rocpd_event (id, category_id, stack_id, correlation_id, extdata)
                               VALUES (20, 1, 120, 0, '{"message":"step 13"}');)";
        sql += fmt::format("INSERT INTO rocpd_region (nid, pid, tid, start, end, name_id, event_id) "
                           "VALUES (1, 5, 6, {}, {}, 5, 20);",
                           kBase + 1000, kBase + 2200);
        NsysExport::edit(path, sql);
        const auto run = load(path);
        QCOMPARE(run->ranks[0]->steps.size(), std::size_t{2});
        QCOMPARE(run->ranks[0]->steps[1].number, std::int64_t{13});
        QCOMPARE(run->ranks[0]->steps[1].range, (TimeRange{kBase + 1000, kBase + 2200}));
    }

    /// Some writers name a process by its number of the operating system: of several with one number the first counts.
    void processes_named_by_their_pid() {
        const fs::path path = folder() / "pids.db";
        NsysExport::edit(path, tables("", false) + process("", false, 0, 0) +
                                   R"(UPDATE rocpd_kernel_dispatch SET pid = 4000;
                                      UPDATE rocpd_memory_copy SET pid = 4000;
                                      UPDATE rocpd_region SET pid = 4000;
                                      INSERT INTO rocpd_info_process (id, nid, pid, command, environment)
                                      VALUES (6, 1, 4000, 'other', '{"RANK":"1","WORLD_SIZE":"2"}');)");
        const auto run = load(path);
        QCOMPARE(run->ranks[0]->rank, 0);
        QVERIFY(run->ranks[0]->events.gpu_count > 0);
        for (std::size_t r = 1; r < run->ranks.size(); ++r)
            QCOMPARE(run->ranks[r]->events.gpu_count, EventIndex{0});
    }

    /// As a writer leaves it that is killed: what is only in the journal is not read, and nothing beside the file
    /// changes.
    void journals_of_a_killed_writer_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("wal") << QStringLiteral("WAL");
        QTest::newRow("rollback, pages already written") << QStringLiteral("DELETE");
    }
    void journals_of_a_killed_writer() {
        QFETCH(QString, mode);
        const fs::path from = folder();
        const fs::path to = folder();
        const std::string suffix = "_0000a1b2_c3d4";
        NsysExport::edit(from / "x_results.db", tables(suffix, false) + process(suffix, false, 1, 3));
        NsysExport::edit(from / "x_results.db", "PRAGMA journal_mode=" + mode.toStdString());
        NsysExport writer(folder() / "own.db"); // a connection that stays open
        // A small cache: changed pages go to the file before the end of the transaction.
        writer.run("COMMIT; PRAGMA wal_autocheckpoint=0; ATTACH '" + (from / "x_results.db").string() +
                   "' AS x; PRAGMA x.journal_mode=" + mode.toStdString() +
                   "; PRAGMA x.cache_size=1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 "
                   "FROM n WHERE i < 5000) INSERT INTO x.`rocpd_string" +
                   suffix + "` (id, string) SELECT i, 'text ' || i FROM n");
        if (mode == QStringLiteral("WAL"))
            writer.run("COMMIT; BEGIN");
        int journals = 0;
        for (const auto& entry : fs::directory_iterator(from)) {
            journals += entry.path().extension() != ".db" && entry.file_size() > 0;
            fs::copy_file(entry.path(), to / entry.path().filename());
        }
        QVERIFY(journals > 0);
        const auto state = [&] {
            std::map<fs::path, std::pair<std::uintmax_t, fs::file_time_type>> files;
            for (const auto& entry : fs::directory_iterator(to))
                files[entry.path()] = {entry.file_size(), entry.last_write_time()};
            return files;
        };
        const auto before = state();
        const auto run = opened(to);
        QVERIFY(state() == before);
        if (run)
            QVERIFY(std::ranges::any_of((*run)->notices, [](const Notice& n) { return n.code == "unfinished_file"; }));
        else
            QVERIFY2(english(run.error().message).find("damaged") != std::string::npos,
                     english(run.error().message).c_str());
    }

    void several_processes_of_one_file() {
        const fs::path path = folder() / "merged.db";
        NsysExport::edit(path, tables("_a", true) + process("_a", true, 1, 1) + tables("_b", true) +
                                   process("_b", true, 0, 0));
        const auto run = load(path);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->ranks[0]->device(), std::int64_t{0}); // by rank, not by place in the file
        QCOMPARE(run->ranks[1]->device(), std::int64_t{1});
        for (const auto& rank : run->ranks)
            check_process(*rank);
    }

    void a_file_for_each_process() {
        const fs::path at = folder();
        for (int rank = 0; rank < 2; ++rank)
            NsysExport::edit(at / fmt::format("{}_results.db", 900 - rank),
                             tables("_x", false) + process("_x", false, rank, rank));
        const auto run = load(at);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->ranks[0]->device(), std::int64_t{0});
        QCOMPARE(run->ranks[0]->file.filename(), fs::path("900_results.db"));
    }

    /// Rows that make no sense cost only themselves.
    void rows_without_sense() {
        const fs::path path = folder() / "odd.db";
        NsysExport::edit(
            path,
            tables("", true) + process("", true, 0, 0) +
                "INSERT INTO rocpd_kernel_dispatch (track_id, kernel_id, dispatch_id, start, end) VALUES "
                "(77, 9, 1, 5, 6), (2, 9, 1, 'soon', 6), (2, 1234, 1, 1000000500, 1000000400);"
                "INSERT INTO rocpd_pmc_event (event_id, pmc_id, value) VALUES (3, 99, 1), (4711, 1, 2);"
                "INSERT INTO rocpd_region (track_id, start, end, name_id) VALUES (1, 9223372036854775807, 1, 4);");
        const auto run = load(path);
        check_process(*run->ranks[0]);
        const Accounting all = accounting_of(*run);
        QCOMPARE(all.events_in_file, all.on_timeline + all.all_not_shown());
        QCOMPARE(all.of(NotShown::malformed), std::uint64_t{4});
        QVERIFY(event_named(*run->ranks[0], "kernel without a name") != kNoEvent);
    }

    void damaged_anywhere() {
        const fs::path path = folder() / "whole.db";
        NsysExport::edit(path, tables("_a", true) + process("_a", true, 0, 0));
        std::ifstream in(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        std::mt19937 random(11);
        for (int round = 0; round < 60; ++round) {
            std::string damaged = text.substr(0, round % 3 == 0 ? random() % text.size() : text.size());
            for (int changes = 0; changes < 20 && damaged.size() > 200; ++changes)
                damaged[100 + random() % (damaged.size() - 100)] = static_cast<char>(random());
            const fs::path at = folder() / "damaged.db";
            std::ofstream(at, std::ios::binary) << damaged;
            if (const auto run = opened(at)) {
                const Accounting all = accounting_of(**run);
                QCOMPARE(all.events_in_file, all.on_timeline + all.all_not_shown());
            }
        }
    }
};

RANKSCOPE_TEST(TestRocpd)

} // namespace rankscope::rocpd_test

#include "test_rocpd.moc"
