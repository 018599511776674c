// SPDX-License-Identifier: GPL-3.0-or-later
// SQL over runs: every table and column against the model, what is pushed down, what is refused.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <thread>

#include <sqlite3.h>

#include "core/analysis/selection/kernel_class_rules.h"
#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/query/event_totals.h"
#include "core/query/event_words.h"
#include "core/query/query.h"
#include "core/query/query_examples.h"
#include "core/report/query_output.h"
#include "core/report/sqlite_report.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::query_test {

namespace {

using Cell = std::string; ///< a value as text; "NULL"
using Rows = std::vector<std::vector<Cell>>;

Cell cell(const QueryValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value))
        return QByteArray::number(*real, 'g', 12).toStdString();
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    return std::holds_alternative<std::string_view>(value) ? Cell(std::get<std::string_view>(value)) : "NULL";
}

Cell cell(std::int64_t value) { return std::to_string(value); }
Cell cell(std::string_view value) { return Cell(value); }
Cell id_or_null(EventIndex event, std::int64_t first) { return event == kNoEvent ? "NULL" : cell(first + event); }

std::string text_of_rows(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) {
        for (const Cell& one : row)
            text += one + '|';
        text += '\n';
    }
    return text;
}

/// Two ranks with launches, nested operators, a collective, copies, steps; two streams that overlap.
TraceBuilder rank_of(int rank) {
    TraceBuilder builder(rank);
    builder.base(1'000'000'000'000);
    const ProcessGroup group{"0", "default_pg", {0, 1}, 2};
    for (int step = 0; step < 3; ++step) {
        const double at = 1000.0 * step;
        builder.step(step + 5, at, 900)
            .cpu_op("aten::linear", at + 10, 60)
            .cpu_op("aten::addmm", at + 20, 40)
            .launch(at + 30, 5)
            .kernel("gemm_kernel", 7, at + 100, 200.5)
            .launch(at + 80, 5)
            .kernel("vectorized_elementwise_kernel", 7, at + 400, 50)
            .launch(at + 90, 5)
            .collective("ncclDevKernel_AllReduce_Sum_bf16", 20, at + 150 + 30 * rank, 300 - 30 * rank,
                        {"allreduce", "BFloat16", 1024, 1024, group})
            .memory_copy("Memcpy HtoD", 7, at + 500, 20, 4096)
            .memory_set("Memset", 7, at + 530, 3);
    }
    return builder;
}

std::shared_ptr<const Run> small_run() {
    return make_run({rank_of(0), rank_of(1)}, "small", {{"workload.batch", "16"}});
}

std::shared_ptr<const QueryModel> model_of(const std::vector<std::shared_ptr<const Run>>& runs) {
    std::vector<QueryRun> list;
    for (const auto& run : runs)
        list.push_back(
            {run->name, runs.size() == 1 ? "run" : "test", std::make_shared<const RunAnalysis>(run, Selection())});
    return std::make_shared<const QueryModel>(std::move(list));
}

Rows query(QueryDatabase& database, const std::string& sql) {
    const auto result = run_query(database, sql, 10'000'000);
    if (!result)
        qFatal("%s: %s", sql.c_str(), english(result.error().message).c_str());
    Rows rows;
    for (const auto& row : result->rows) {
        auto& texts = rows.emplace_back();
        for (const QueryValue& value : row)
            texts.push_back(cell(value));
    }
    return rows;
}

Rows query(const std::shared_ptr<const QueryModel>& model, const std::string& sql) {
    auto database = QueryDatabase::open(model);
    return query(*database, sql);
}

/// Columns of a whole table, without SQL.
Rows whole_table(const QueryModel& model, std::string_view table, const std::vector<std::string>& columns) {
    Rows rows;
    const auto read = read_table(model, table, columns, [&](std::size_t i, const QueryValue& value) {
        if (i == 0)
            rows.emplace_back();
        rows.back().push_back(cell(value));
    });
    if (!read)
        qFatal("%s", english(read.error().message).c_str());
    return rows;
}

/// The rows of event as the model has them, columns in the order of the table.
Rows expected_events(const QueryModel& model) {
    Rows rows;
    for (std::size_t r = 0; r < model.ranks().size(); ++r) {
        const QueryRank& place = model.ranks()[r];
        const RankTrace& trace = *place.trace;
        const auto classes = KernelClassRules().classes_of(trace);
        const TimeNs shift = model.runs()[place.run].analysis->since_start(place.index, 0);
        for (EventIndex i = 0; i < trace.events.size(); ++i) {
            const Lane& lane = trace.lane_of(i);
            const ProfilerStep* step =
                i < trace.events.gpu_count ? WorkSteps(trace).of(i) : step_at(trace.steps, trace.events.start[i]);
            const EventKind kind = trace.events.kind[i];
            rows.push_back({cell(place.run), cell(trace.rank), cell(&lane - trace.lanes.data()),
                            cell(trace.events.start[i] + shift), cell(trace.events.duration[i]),
                            cell(trace.event_name(i)), cell(event_kind_word(kind)),
                            i < trace.events.gpu_count ? cell(kernel_class_word(classes[i])) : "NULL",
                            cell(trace.row_of(i) - lane.first_row), step == nullptr ? "NULL" : cell(step->number),
                            cell(place.first_id + i),
                            is_launch_call(kind) ? "NULL" : id_or_null(trace.events.link[i], place.first_id),
                            id_or_null(trace.parent_of(i), place.first_id), cell(trace.events.end(i) + shift),
                            cell(std::string_view(lane.name)), lane.stream == kUnknown ? "NULL" : cell(lane.stream)});
        }
    }
    return rows;
}

/// Many events on several lanes, some without length, some equal.
std::shared_ptr<const Run> random_run(int ranks, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<TraceBuilder> builders;
    for (int rank = 0; rank < ranks; ++rank) {
        TraceBuilder builder(rank);
        builder.step(1, 0, 5000).step(2, 5000, 5000);
        for (int i = 0; i < 300; ++i) {
            const auto start = static_cast<double>(random() % 9000);
            const auto length = static_cast<double>(random() % 40);
            const std::string name = "k" + std::to_string(random() % 7);
            switch (random() % 4) {
            case 0: builder.cpu_op("aten::" + name, start, length); break;
            case 1: builder.memory_copy("Memcpy " + name, 3, start, length); break;
            default:
                builder.launch(start, 1).kernel(random() % 5 == 0 ? "ncclDevKernel_AllGather" : name,
                                                static_cast<int>(random() % 3), start + 5, length);
            }
        }
        builders.push_back(builder);
    }
    return make_run(builders, "random");
}

} // namespace

class TestQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void operatorsOfReplayedGraphsAreOperators() {
        const auto made = model_of({make_run({TraceBuilder(0)
                                                  .cpu_op("aten::mm", 0, 10)
                                                  .event(EventKind::captured_op, "aten::addmm", "1000", "graph", 20, 10)
                                                  .annotation("forward", 0, 30)})});
        QCOMPARE(query(made, "select name from operator order by start_ns"), (Rows{{"aten::mm"}, {"aten::addmm"}}));
        const std::filesystem::path decode =
            std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / "vllm_decode_full";
        if (!std::filesystem::exists(decode))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(decode);
        QVERIFY(run.has_value());
        const auto model = model_of({*run});
        const Rows joined = query(model, "select count(*) from kernel k join operator o on o.id = k.operator_id");
        QCOMPARE(joined, query(model, "select count(*) from kernel where operator_id is not null"));
        QVERIFY(std::stoi(joined[0][0]) > 400);
    }

    void eventsAreThoseOfTheModelColumnByColumn() {
        const auto model = model_of({small_run(), small_run()});
        const Rows expected = expected_events(*model);
        QCOMPARE(text_of_rows(query(model, "select * from event")), text_of_rows(expected));
        Rows kernels;
        Rows operators;
        for (auto row : expected) {
            row.pop_back(); // the stream, which a kernel has elsewhere
            if (row[6] == "kernel")
                kernels.push_back(row);
            if (row[6] == "cpu_op")
                operators.push_back(row);
        }
        QCOMPARE(query(model, "select distinct stream from event where lane_name = 'stream 20'"), (Rows{{"20"}}));
        QCOMPARE(kernels.size(), std::size_t{2 * 2 * 3 * 3});
        const std::string columns = "run, rank, lane, start_ns, dur_ns, name, kind, class, depth, step, id, launch_id, "
                                    "parent_id, end_ns, lane_name";
        QCOMPARE(text_of_rows(query(model, "select " + columns + " from kernel")), text_of_rows(kernels));
        QCOMPARE(text_of_rows(query(model, "select " + columns + " from operator")), text_of_rows(operators));
    }

    void wholeTablesAreThoseOfSql() {
        const auto model = model_of({small_run(), random_run(3, 5)});
        for (const QueryTable* table : query_tables()) {
            std::vector<std::string> columns;
            std::string list;
            for (const QueryColumn& column : table->columns) {
                columns.emplace_back(column.name);
                list += (list.empty() ? "" : ", ") + columns.back();
            }
            QCOMPARE(text_of_rows(whole_table(*model, table->name, columns)),
                     text_of_rows(query(model, "select " + list + " from " + std::string(table->name))));
        }
    }

    void aTableThatIsNotThereIsNotRead() {
        const auto model = model_of({random_run(3, 5)});
        const auto refusal = [&](std::string_view table, const std::vector<std::string>& columns,
                                 const std::stop_token& stop = {}) {
            return read_table(
                       *model, table, columns, [](std::size_t, const QueryValue&) {}, stop)
                .error();
        };
        QVERIFY(refusal("lanes", {"name"}).code == Error::Code::usage);
        QCOMPARE(english(refusal("lanes", {"name"}).message), std::string("there is no table lanes"));
        QCOMPARE(english(refusal("lane", {"name", "no"}).message), std::string("the table lane has no column no"));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(refusal("lane", {"name"}, stop.get_token()).code == Error::Code::cancelled);
    }

    void startsAreWorkedOutByHand() {
        const auto model = model_of({small_run()});
        // Step 6 is the second; its GEMM starts 1100 us after the first event, its launch at 1030 us, in aten::addmm.
        QCOMPARE(
            text_of_rows(query(model, "select k.start_ns, k.dur_ns, k.launch_delay_ns, l.name, o.name, k.compute_kind, "
                                      "k.stream, k.step from kernel k join event l on l.id = k.launch_id "
                                      "join operator o on o.id = k.operator_id "
                                      "where k.rank = 1 and k.name = 'gemm_kernel' and k.step = 6")),
            std::string("1100000|200500|70000|cudaLaunchKernel|aten::addmm|gemm|7|6|\n"));
    }

    void countsAndSumsByClassAndRankAreThoseOfTheMetrics() {
        std::vector<std::shared_ptr<const Run>> runs{small_run(), random_run(3, 7)};
        const auto shared = std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / "dlrm_v100_8rank";
        if (std::filesystem::exists(shared)) {
            LoadOptions options;
            options.use_cache = false;
            const auto run = load_run(shared, options);
            QVERIFY(run);
            runs.push_back(*run);
        }
        for (const auto& run : runs) {
            const auto model = model_of({run});
            std::map<std::pair<int, std::string>, std::pair<std::int64_t, std::int64_t>> expected;
            const RunAnalysis& analysis = *model->runs()[0].analysis;
            std::map<std::string, std::pair<std::int64_t, std::int64_t>> of_class;
            for (std::size_t r = 0; r < run->ranks.size(); ++r)
                for (const KernelStatistics& row : analysis.kernel_tables()[r]) {
                    auto& sum = expected[{run->ranks[r]->rank, std::string(kernel_class_word(row.kernel_class))}];
                    sum.first += row.count;
                    sum.second += row.total;
                }
            Rows rows;
            for (const auto& [key, sum] : expected)
                rows.push_back({cell(key.first), key.second, cell(sum.first), cell(sum.second)});
            QCOMPARE(text_of_rows(query(model,
                                        "select rank, class, count(*), sum(dur_ns) from event where class is not null "
                                        "group by rank, class order by rank, class")),
                     text_of_rows(rows));
            // and the metric that users see
            const Json by_class = model->metrics(0).find("kernel_breakdown")->details["by_class"];
            for (const Json& entry : by_class) {
                const auto sums = query(model, "select count(*), sum(dur_ns) from event where class = '" +
                                                   entry["class"].get<std::string>() + "'");
                QCOMPARE(sums[0][0], std::to_string(entry["count"].get<std::int64_t>()));
                QCOMPARE(std::stod(sums[0][1]) / 1000, entry["total_us"].get<double>());
            }
        }
    }

    /// The same question with and without what is pushed down: a unary plus hides a column from the table.
    void whatIsPushedDownChangesNoAnswer_data() {
        QTest::addColumn<QString>("condition");
        for (const char* condition : {"start_ns between 1000000 and 2000000",
                                      "start_ns > 2500000.5",
                                      "start_ns <= 1e6",
                                      "start_ns = 5000",
                                      "end_ns < 3000000 and start_ns >= 1000000",
                                      "rank = 1",
                                      "rank in (0, 2)",
                                      "rank > 0 and lane = 1",
                                      "rank = '1'",
                                      "rank = 1.5",
                                      "rank < 'a'",
                                      "rank > 'a'",
                                      "rank = null",
                                      "dur_ns > 20000",
                                      "dur_ns = 0",
                                      "name = 'k3'",
                                      "name like '%K3'",
                                      "name glob 'k[12]'",
                                      "name regexp '^k[1-3]$'",
                                      "name collate nocase = 'K3'",
                                      "kind = 'kernel'",
                                      "kind = 'nothing'",
                                      "class = 'communication'",
                                      "class is null",
                                      "class is not null",
                                      "class = 'compute' and kind <> 'kernel'",
                                      "depth >= 1",
                                      "step = 2 and kind = 'cpu_op'",
                                      "id = 17",
                                      "id between 250 and 700",
                                      "id in (1, 5, 100000)",
                                      "run = 0 and rank = 2 and start_ns > 4000000",
                                      "rowid = 3",
                                      "launch_id = 500",
                                      "start_ns > 9223372036854775807",
                                      "start_ns >= -9223372036854775808",
                                      "start_ns < 1e300",
                                      "start_ns > -1e300"})
            QTest::newRow(condition) << QString::fromLatin1(condition);
    }
    void whatIsPushedDownChangesNoAnswer() {
        QFETCH(QString, condition);
        static const auto model = model_of({random_run(3, 1), random_run(2, 2)});
        QString plain = condition;
        static const QRegularExpression column(QStringLiteral(
            "\\b(start_ns|end_ns|dur_ns|rank|run|lane|name|kind|class|depth|step|id|rowid|launch_id)\\b"));
        plain.replace(column, QStringLiteral("+\\1"));
        // A plus takes the affinity of the column away, which compares 1 with '1' as different.
        plain.replace(QStringLiteral("+rank = '1'"), QStringLiteral("+rank = 1"));
        const std::string wanted = "select id, run, rank, start_ns, name from event where ";
        const Rows pushed = query(model, wanted + condition.toStdString() + " order by +id");
        const Rows looked_at = query(model, wanted + plain.toStdString() + " order by +id");
        QCOMPARE(text_of_rows(pushed), text_of_rows(looked_at));
    }

    /// Beside SQLite's own answer: "and +1" is a condition that only SQLite knows.
    void totalsOfATableAreThoseOfSqlite_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("condition");
        for (const char* table : {"event", "Kernel", "operator"})
            for (const char* condition :
                 {"rank >= 0", "rank = 1", "RANK > 0 and start_ns between 1000000 and 2000000", "rank<2 AND lane=1",
                  "end_ns <= 3000000 and dur_ns > 20000", "name = 'k3'", "kind = 'kernel'", "kind = 'nothing'",
                  "class = 'communication' and run = 1", "class = 'compute' and kind = 'cpu_op'", "depth >= 1",
                  "id between 250 and 700", "id between 700 and 250", "start_ns > -5", "rank = 1 and rank = 2"})
                QTest::addRow("%s: %s", table, condition)
                    << QString::fromLatin1(table) << QString::fromLatin1(condition);
    }
    void totalsOfATableAreThoseOfSqlite() {
        QFETCH(QString, table);
        QFETCH(QString, condition);
        static const auto model = model_of({random_run(3, 1), random_run(2, 2)});
        const std::string start = "select count(*) AS n, Sum( dur_ns ), min(start_ns), max(end_ns), sum(start_ns), "
                                  "count(end_ns), max(dur_ns) from " +
                                  table.toStdString();
        const std::string statement = start + "\n where " + condition.toStdString();
        ScanCount count;
        QVERIFY(event_totals(*model, statement + " ;", count, {}));
        QCOMPARE(text_of_rows(query(model, statement)), text_of_rows(query(model, statement + " and +1")));
        QCOMPARE(text_of_rows(query(model, start)), text_of_rows(query(model, start + " where +1")));
    }
    void otherStatementsThanTotalsAreLeftToSqlite_data() {
        QTest::addColumn<QString>("statement");
        for (const char* statement : {"select sum(dur_ns) from rank",
                                      "select sum(rank) from event",
                                      "select avg(dur_ns) from event",
                                      "select count(distinct rank) from event",
                                      "select count(*) from event e",
                                      "select sum(*) from event",
                                      "select count(*) from event, lane",
                                      "select count(*) from event group by rank",
                                      "select count(*) from event limit 0",
                                      "select count(*) + 1 from event",
                                      "select count(*) from event where rank = 1.5",
                                      "select count(*) from event where rank = '1'",
                                      "select count(*) from event where rank = 1 or rank = 2",
                                      "select count(*) from event where name = 5",
                                      "select count(*) from event where name = 'a' collate nocase",
                                      "select count(*) from event where rank = 1 + 1",
                                      "select count(*) from event where kind = 'it''s'",
                                      "select count(*) from event -- where rank = 1",
                                      "select sum(dur_ns) filter (where rank = 1) from event",
                                      "select start_ns from event",
                                      "select count(*) from event where not rank = 1",
                                      "select count(*) from event union select 1"})
            QTest::newRow(statement) << QString::fromLatin1(statement);
    }
    void otherStatementsThanTotalsAreLeftToSqlite() {
        QFETCH(QString, statement);
        static const auto model = model_of({random_run(2, 3)});
        ScanCount count;
        QVERIFY(!event_totals(*model, statement.toStdString(), count, {}));
        QCOMPARE(count.visited, std::uint64_t{0});
    }
    void aSumBeyond64BitsIsSqlitesError() {
        TraceBuilder builder(0);
        constexpr double kMostOfThreeDaysUs = 2.4e11; // 45 000 such starts exceed 2^63 ns
        builder.kernel("first", 7, 0, 1);
        for (int i = 0; i < 45'000; ++i)
            builder.kernel("late", 7, kMostOfThreeDaysUs + 10.0 * i, 5);
        const auto model = model_of({make_run({builder})});
        auto database = QueryDatabase::open(model);
        const auto sum = run_query(*database, "select sum(start_ns) from event", 10);
        const auto own = run_query(*database, "select sum(start_ns) from event where +1", 10);
        QVERIFY(!sum && !own);
        QCOMPARE(english(sum.error().message), english(own.error().message));
    }

    void ordersAndGroupsAreRight_data() {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("plain");
        const auto row = [](const char* sql, const char* plain) {
            QTest::newRow(sql) << QString::fromLatin1(sql) << QString::fromLatin1(plain);
        };
        row("select start_ns from event order by start_ns", "select start_ns from event order by +start_ns");
        row("select start_ns from kernel order by start_ns desc limit 50",
            "select start_ns from kernel order by +start_ns desc limit 50");
        row("select start_ns from kernel where name = 'k2' order by start_ns",
            "select start_ns from kernel where +name = 'k2' order by +start_ns");
        row("select rank, class, count(*), sum(dur_ns) from event group by rank, class order by 1, 2",
            "select rank, class, count(*), sum(dur_ns) from event group by +rank, +class order by 1, 2");
        row("select class, rank, count(*) from event group by class, rank order by class, rank",
            "select class, rank, count(*) from event group by +class, +rank order by 1, 2");
        row("select name, count(*), max(dur_ns) from kernel group by name order by name",
            "select name, count(*), max(dur_ns) from kernel group by +name order by 1");
        row("select kind, name, step, count(*) from event group by kind, name, step order by 1, 2, 3",
            "select kind, name, step, count(*) from event group by +kind, +name, +step order by 1, 2, 3");
        row("select run, count(*) from event group by run", "select run, count(*) from event group by +run");
        row("select distinct name from kernel order by name", "select distinct name from kernel order by +name");
        row("select distinct kind from event order by kind desc",
            "select distinct kind from event order by +kind desc");
        row("select rank, lane, depth, count(*) from event group by rank, lane, depth order by 1, 2, 3",
            "select rank, lane, depth, count(*) from event group by +rank, +lane, +depth order by 1, 2, 3");
        row("select run, class, rank, count(*), sum(dur_ns) from event group by run, class, rank order by 1, 2, 3",
            "select run, class, rank, count(*), sum(dur_ns) from event group by +run, +class, +rank order by 1, 2, 3");
        row("select class, rank, count(*) from event group by class, rank order by class desc, rank",
            "select class, rank, count(*) from event group by +class, +rank order by 1 desc, 2");
        row("select class, rank, kind, count(*) from event group by class, rank, kind order by 1, 2, 3",
            "select class, rank, kind, count(*) from event group by +class, +rank, +kind order by 1, 2, 3");
        row("select name from event order by name", "select name from event order by +name");
        row("select name, class, rank from event order by name desc, class desc, rank desc",
            "select name, class, rank from event order by +name desc, +class desc, +rank desc");
        row("select run, rank, step from event order by run desc, rank desc, step desc",
            "select run, rank, step from event order by +run desc, +rank desc, +step desc");
        row("select name, count(*), sum(dur_ns) from event group by name order by sum(dur_ns) desc, name",
            "select name, count(*), sum(dur_ns) from event group by +name order by 3 desc, 1");
        row("select name, sum(dur_ns) from kernel group by name order by sum(dur_ns) desc",
            "select name, sum(dur_ns) from kernel group by +name order by 2 desc");
        row("select class, rank, count(*) from event group by class, rank order by count(*) desc, 1 desc, 2 desc",
            "select class, rank, count(*) from event group by +class, +rank order by 3 desc, 1 desc, 2 desc");
        row("select class from event where rank = 1 order by class, name",
            "select class from event where +rank = 1 order by +class, +name");
    }
    void ordersAndGroupsAreRight() {
        QFETCH(QString, sql);
        QFETCH(QString, plain);
        for (const auto& model : {model_of({random_run(3, 1)}), model_of({random_run(3, 1), random_run(2, 2)})})
            QCOMPARE(text_of_rows(query(model, sql.toStdString())), text_of_rows(query(model, plain.toStdString())));
    }

    void aRangeOfTimeIsABinarySearch() {
        TraceBuilder first(0);
        TraceBuilder second(1);
        for (int i = 0; i < 20'000; ++i) {
            first.kernel("a", 7, 10.0 * i, 5);
            second.kernel("a", 7, 10.0 * i, 5).cpu_op("b", 10.0 * i, 5);
        }
        const auto model = model_of({make_run({first, second})});
        auto database = QueryDatabase::open(model);
        const auto visited = [&](const std::string& sql, const std::string& result) {
            const std::uint64_t before = database->events_visited();
            const Rows rows = query(*database, sql);
            if (text_of_rows(rows) != result)
                qWarning("%s: %s", sql.c_str(), text_of_rows(rows).c_str());
            return text_of_rows(rows) == result ? database->events_visited() - before : std::uint64_t{99'999'999};
        };
        QCOMPARE(
            visited("select count(*) from kernel where rank = 1 and start_ns between 1000000 and 1999999", "100|\n"),
            std::uint64_t{100});
        QCOMPARE(
            visited("select count(*) from event where rank = 1 and start_ns between 1000000 and 1999999", "200|\n"),
            std::uint64_t{200});
        QCOMPARE(visited("select count(*) from kernel where start_ns >= 199900000 / 1000 * 1000", "20|\n"),
                 std::uint64_t{20});
        QCOMPARE(visited("select name from event where id = 30000", "a|\n"), std::uint64_t{1});
        QCOMPARE(visited("select count(*) from kernel", "40000|\n"), std::uint64_t{40'000});
        // The first rows in order of time need no more of each row of a lane than the next event.
        QVERIFY(visited("select start_ns from event order by start_ns desc limit 1", "199990000|\n") <= 6);
        // 10 of the first rank, each found by its id
        QVERIFY(visited("select count(*) from (select id as i from kernel limit 10) join event e on e.id = i",
                        "10|\n") <= 22);
    }

    /// Rank 0 computes for 40 us and waits 30 us for rank 1, and then the call takes 20 us; it ends 10 us later on rank
    /// 0.
    void stepsTellWaitsFromCommunication() {
        std::vector<TraceBuilder> ranks;
        for (const int number : {0, 1}) {
            const double computes = number == 0 ? 40 : 70;
            ranks.push_back(TraceBuilder(number)
                                .step(4, 0, 200)
                                .launch(1, 2)
                                .kernel("gemm", 7, 10, computes)
                                .launch(4, 2)
                                .collective("ncclDevKernel_AllReduce_Sum_bf16", 20, 10 + computes,
                                            number == 0 ? 60 : 20,
                                            {"allreduce", "BFloat16", 1024, 1024, {"0", "default_pg", {0, 1}, 2}}));
        }
        const auto model = model_of({make_run(ranks)});
        QCOMPARE(
            text_of_rows(query(model, "select rank, exposed_comm_with_waits_ns, exposed_communication_ns, waiting_ns, "
                                      "exposed_comm_ns from step")),
            std::string("0|60000|30000|30000|60000|\n1|20000|20000|0|20000|\n"));
        // A wait ends when the last member comes, even if this one ends later than the others.
        QCOMPARE(text_of_rows(query(model, "select rank, wait_ns, wait_caused_ns from rank")),
                 std::string("0|30000|0|\n1|0|30000|\n"));
        QCOMPARE(text_of_rows(query(model, "select rank, wait_ns from collective_member")),
                 std::string("0|30000|\n1|0|\n"));
        QCOMPARE(text_of_rows(query(model, "select rank, wait_caused_per_step_ns, wait_caused_ns from fact_rank")),
                 std::string("0|0|0|\n1|30000|30000|\n"));
    }

    void oldNamesOfColumnsAreNotShown() {
        auto database = QueryDatabase::open(model_of({small_run()}));
        QVERIFY(database);
        const auto columns_of = [&](const std::string& sql) { return run_query(*database, sql, 10)->columns; };
        for (const QueryTable* const table : query_tables())
            for (const QueryColumn& column : table->columns)
                if (column.old) {
                    const std::string name(column.name);
                    const std::string from = " from " + std::string(table->name);
                    QCOMPARE(columns_of("select " + name + from), std::vector<std::string>{name});
                    QVERIFY2(std::ranges::count(columns_of("select *" + from), name) == 0, name.c_str());
                }
    }

    void tablesOfRowsAreThoseOfTheAnalyses() {
        const auto model = model_of({small_run()});
        const RunAnalysis& analysis = *model->runs()[0].analysis;
        QCOMPARE(text_of_rows(query(
                     model, "select run, label, role, source, world_size, ranks, events, first_ns, clock from run")),
                 "0|small|run|kineto|2|2|" + cell(static_cast<std::int64_t>(analysis.run().event_count())) +
                     "|1000000000000|none|\n");
        Rows ranks;
        for (std::size_t r = 0; r < 2; ++r) {
            const GpuTimeline& gpu = analysis.ranks()[r].timeline;
            const RankLag& lag = analysis.stragglers().ranks[r];
            ranks.push_back({"0", cell(static_cast<std::int64_t>(r)), cell(gpu.total), cell(gpu.busy),
                             cell(gpu.computation), cell(gpu.total_comm), cell(gpu.exposed_comm), cell(gpu.overlap),
                             cell(gpu.total_memcpy), cell(gpu.exposed_memcpy), cell(gpu.idle), cell(lag.calls),
                             cell(lag.sum_lag), cell(lag.times_last), cell(lag.sum_wait), cell(lag.wait_caused)});
        }
        QCOMPARE(text_of_rows(query(model, "select run, rank, total_ns, busy_ns, computation_ns, total_comm_ns, "
                                           "exposed_comm_with_waits_ns, overlap_ns, total_memcpy_ns, "
                                           "exposed_memcpy_ns, idle_ns, collectives, lag_ns, "
                                           "times_last, wait_ns, wait_caused_ns from rank")),
                 text_of_rows(ranks));
        // By hand: rank 1 comes 30 us later to each of three calls of 2048 bytes, which end together.
        QCOMPARE(
            text_of_rows(query(model,
                               "select call, kind, name, group_name, group_description, members, complete, dtype, "
                               "in_elements, start_ns, dur_ns, lag_ns, transfer_ns, last_rank, bytes from collective")),
            std::string("0|AllReduce|allreduce|0|default_pg|2|1|BFloat16|1024|150000|300000|30000|270000|1|2048|\n"
                        "1|AllReduce|allreduce|0|default_pg|2|1|BFloat16|1024|1150000|300000|30000|270000|1|2048|\n"
                        "2|AllReduce|allreduce|0|default_pg|2|1|BFloat16|1024|2150000|300000|30000|270000|1|2048|\n"));
        QCOMPARE(text_of_rows(query(
                     model, "select m.call, m.rank, m.start_ns, m.dur_ns, m.lag_ns, m.wait_ns, e.name from "
                            "collective_member m join event e on e.id = m.event_id where m.run = 0 and m.call = 1")),
                 std::string("1|0|1150000|300000|0|30000|ncclDevKernel_AllReduce_Sum_bf16|\n"
                             "1|1|1180000|270000|30000|0|ncclDevKernel_AllReduce_Sum_bf16|\n"));
        QCOMPARE(text_of_rows(query(model, "select rank, step, start_ns, dur_ns from step where rank = 1")),
                 std::string("1|5|0|900000|\n1|6|1000000|900000|\n1|7|2000000|900000|\n"));
        QCOMPARE(text_of_rows(query(model, "select key, value from config")), std::string("workload.batch|16|\n"));
        QCOMPARE(query(model, "select count(*) from lane")[0][0],
                 std::to_string(analysis.run().ranks[0]->lanes.size() + analysis.run().ranks[1]->lanes.size()));
        QCOMPARE(query(model, "select sum(events) from lane"), query(model, "select count(*) from event"));
        QCOMPARE(query(model, "select count(*) from finding")[0][0], std::to_string(analysis.findings().list.size()));
        QCOMPARE(std::stod(query(
                     model, "select value from metric where metric = 'kernel_breakdown' and field = 'value'")[0][0]),
                 model->metrics(0).find("kernel_breakdown")->value);
        QVERIFY(!query(model, "select reason from metric where metric = 'mfu'")[0][0].empty());
    }

    void waitsPathFactsAndChangesAreRows() {
        const auto run = small_run();
        const auto analysis = std::make_shared<const RunAnalysis>(run, Selection());
        const auto model = std::make_shared<const QueryModel>(
            std::vector<QueryRun>{{"small", "baseline", analysis}, {"small", "test", analysis}}, [] {
                return std::vector<QueryChange>{{1, "total", "iteration", 1e6, 1.5e6, 5e5, "it is longer"},
                                                {1, "residual", "not explained", 0, 5e5, 5e5, {}}};
            });
        // By hand: rank 0 arrives at 150 us of each step, rank 1 30 us later, with its kernel.
        QCOMPARE(text_of_rows(query(model, "select run, rank, step, start_ns, wait_ns, for_rank from waiting")),
                 std::string("0|0|5|150000|30000|1|\n0|0|6|1150000|30000|1|\n0|0|7|2150000|30000|1|\n"
                             "1|0|5|150000|30000|1|\n1|0|6|1150000|30000|1|\n1|0|7|2150000|30000|1|\n"));
        QCOMPARE(query(model, "select distinct e.name from waiting w join event e on e.id = w.event_id"),
                 (Rows{{"ncclDevKernel_AllReduce_Sum_bf16"}}));
        // What others wait for a rank, by both tables.
        QCOMPARE(query(model, "select sum(wait_ns) from waiting where run = 0 and for_rank = 1"),
                 query(model, "select wait_caused_ns from rank where run = 0 and rank = 1"));
        // The pieces follow one another and fill each step.
        QVERIFY(analysis->critical_paths().size() == 3);
        for (const CriticalPath& path : analysis->critical_paths())
            QCOMPARE(query(model, "select sum(dur_ns) from critical_path where run = 1 and step = " +
                                      std::to_string(path.step))[0][0],
                     cell(path.window.length()));
        QCOMPARE(query(model, "select count(*) from (select start_ns + dur_ns as over, lead(start_ns) over (partition "
                              "by run, step order by start_ns) as next from critical_path) where over <> next")[0][0],
                 std::string("0"));
        QCOMPARE(query(model, "select count(*) from critical_path p join event e on e.id = p.event_id "
                              "where e.name <> p.name or e.rank <> p.rank")[0][0],
                 std::string("0"));
        for (std::size_t c = 0; c < kPathClassCount; ++c) {
            TimeNs time = 0;
            for (const CriticalPath& path : analysis->critical_paths())
                time += path.by_class[c];
            QCOMPARE(query(model, "select coalesce(sum(dur_ns), 0) from critical_path where run = 0 and class = '" +
                                      std::string(path_class_word(static_cast<PathClass>(c))) + "'")[0][0],
                     cell(time));
        }
        const auto sentences = query(model, "select sentence from fact where run = 0 order by number");
        QVERIFY(!sentences.empty() && sentences == query(model, "select sentence from fact where run = 1"));
        QCOMPARE(text_of_rows(query(model, "select * from change")),
                 std::string("1|total|iteration|1000000|1500000|500000|it is longer|\n"
                             "1|residual|not explained|0|500000|500000|NULL|\n"));
        QCOMPARE(text_of_rows(query(model_of({run}), "select * from change")), std::string());
    }

    void allTablesAsOneFile() {
        const auto model = model_of({small_run(), random_run(2, 4)});
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "run.sqlite";
        const auto written = write_sqlite_file(model, path);
        QVERIFY2(written, written ? "" : english(written.error().message).c_str());
        sqlite3* file = nullptr;
        QCOMPARE(sqlite3_open_v2(path.c_str(), &file, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
        for (const QueryTable* const table : query_tables()) {
            const std::string name(table->name);
            sqlite3_stmt* statement = nullptr;
            QCOMPARE(sqlite3_prepare_v2(file, ("select * from " + name).c_str(), -1, &statement, nullptr), SQLITE_OK);
            Rows rows;
            while (sqlite3_step(statement) == SQLITE_ROW) {
                auto& row = rows.emplace_back();
                for (int c = 0; c < sqlite3_column_count(statement); ++c)
                    switch (sqlite3_column_type(statement, c)) {
                    case SQLITE_NULL: row.push_back("NULL"); break;
                    case SQLITE_INTEGER: row.push_back(cell(std::int64_t{sqlite3_column_int64(statement, c)})); break;
                    case SQLITE_FLOAT: row.push_back(cell(QueryValue(sqlite3_column_double(statement, c)))); break;
                    default: row.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, c)));
                    }
            }
            QCOMPARE(sqlite3_column_name(statement, 0), table->columns[0].name.data());
            sqlite3_finalize(statement);
            QCOMPARE(text_of_rows(rows), text_of_rows(query(model, "select * from " + name)));
        }
        sqlite3_close(file);
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = write_sqlite_file(model, path.string() + "2", stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == Error::Code::cancelled);
        QVERIFY(!std::filesystem::exists(path.string() + "2"));
        const auto nowhere = write_sqlite_file(model, "/nonexistent/run.sqlite");
        QVERIFY(!nowhere && nowhere.error().code == Error::Code::output);
    }

    /// Three steps of 1 ms, 0.1 ms before each but the first; of drafts nobody knows how many are accepted.
    void engineStepsHaveTheirBatch() {
        TraceBuilder rank(0);
        double start = 0;
        for (const char* name : {"execute_context_1(512)_generation_0(0)", "execute_context_1(100)_generation_7(7)",
                                 "execute_context_0(0)_generation_8(32)"}) {
            rank.annotation(name, start, 1'090).launch(start + 40, 5).kernel("forward", 7, start + 100, 1'000);
            start += 1'100;
        }
        const auto model = model_of({make_run({rank})});
        QCOMPARE(query(model, "select number, kind, requests, prompts, decoding, tokens, prompt_tokens, "
                              "generated_tokens, dur_ns, host_ns, gaps_ns from engine_step"),
                 (Rows{{"1", "prefill", "1", "1", "0", "512", "512", "0", "1000000", "0", "0"},
                       {"2", "mixed", "8", "1", "7", "107", "100", "7", "1100000", "40000", "60000"},
                       {"3", "verify", "8", "0", "8", "32", "0", "NULL", "1100000", "40000", "60000"}}));
        Run accepting = *make_run({rank});
        accepting.config["Model-executor.speculative_decoding.acceptance_length"] = "2.25"; // 8 requests
        QCOMPARE(query(model_of({std::make_shared<const Run>(accepting)}), "select generated_tokens from engine_step"),
                 (Rows{{"0"}, {"7"}, {"18"}}));
        QVERIFY(query(model_of({small_run()}), "select * from engine_step").empty());
        QCOMPARE(query(model, "select s.kind, w.work, w.dur_ns, w.kernels from engine_step_work w join engine_step s "
                              "using (run, rank, number)"),
                 (Rows{{"prefill", "other", "1000000", "1"},
                       {"mixed", "other", "1000000", "1"},
                       {"verify", "other", "1000000", "1"}}));
        QCOMPARE(query(model, "select number, range, wait_ns from engine_step_wait"),
                 (Rows{{"2", "NULL", "40000"}, {"3", "NULL", "40000"}}));
        QVERIFY(query(model, "select * from engine_layer").empty()); // a step of one kernel repeats none
    }

    void everyColumnOfEveryTableIsThereAndHasItsType() {
        const auto model = model_of({random_run(2, 3), small_run()});
        auto database = QueryDatabase::open(model);
        std::set<std::string> names;
        for (const QueryTable* table : query_tables()) {
            names.insert(std::string(table->name));
            const auto result = run_query(*database, "select * from " + std::string(table->name), 100'000);
            QVERIFY2(result, result ? "" : english(result.error().message).c_str());
            const auto old_names = std::ranges::count_if(table->columns, &QueryColumn::old); // the last ones
            QCOMPARE(result->columns.size() + static_cast<std::size_t>(old_names), table->columns.size());
            for (std::size_t c = 0; c < result->columns.size(); ++c) {
                QCOMPARE(result->columns[c], std::string(table->columns[c].name));
                QVERIFY(!table->columns[c].help.empty());
                for (const auto& row : result->rows) {
                    const ColumnType type = table->columns[c].type;
                    const bool fits = std::holds_alternative<std::monostate>(row[c]) ||
                                      (type == ColumnType::integer && std::holds_alternative<std::int64_t>(row[c])) ||
                                      (type == ColumnType::real && std::holds_alternative<double>(row[c])) ||
                                      (type == ColumnType::text && std::holds_alternative<std::string>(row[c]));
                    QVERIFY2(fits, qPrintable(QString::fromStdString(result->columns[c])));
                }
            }
        }
        const std::set<std::string> wanted{"run",
                                           "rank",
                                           "lane",
                                           "event",
                                           "kernel",
                                           "operator",
                                           "collective",
                                           "collective_member",
                                           "step",
                                           "engine_step",
                                           "metric",
                                           "finding",
                                           "config",
                                           "notice",
                                           "counter",
                                           "fact",
                                           "fact_rank",
                                           "fact_step",
                                           "fact_host",
                                           "waiting",
                                           "critical_path",
                                           "change",
                                           "engine_step_work",
                                           "engine_step_wait",
                                           "engine_layer",
                                           "gpu_error"};
        QVERIFY(std::ranges::includes(names, wanted));
    }

    void countersOfTracesAndOfLogsAreRows() {
        TraceBuilder rank(0);
        rank.kernel("gemm", 7, 10, 5).counter("GPU SM clock (MHz)", 8, 1980).counter("queue: depth", 12, 3);
        const auto rows = query(model_of({make_run({rank})}),
                                "select rank, name, cast(value as integer), from_log, "
                                "start_ns - (select min(start_ns) from counter) from counter order by start_ns");
        QCOMPARE(rows.size(), 2UL);
        QCOMPARE(rows[0], (std::vector<std::string>{"0", "GPU SM clock (MHz)", "1980", "1", "0"}));
        QCOMPARE(rows[1], (std::vector<std::string>{"0", "queue: depth", "3", "0", "4000"}));
    }

    /// Rank 1 and rank 3 share a GPU; rank 7 is not traced. The run starts at 10 us.
    void errorsOfGpusAreRowsOfTheirRanks() {
        std::vector<TraceBuilder> ranks;
        for (const int rank : {0, 1, 3})
            ranks.push_back(TraceBuilder(rank).kernel("gemm", 7, 10, 5));
        auto run = std::make_shared<Run>(*make_run(ranks));
        run->gpu_errors = {{{1, 3}, GpuErrorKind::xid, 63, 4000},
                           {{0}, GpuErrorKind::pcie_corrected, 0, 12'000},
                           {{1, 3}, GpuErrorKind::xid, 79, 13'500},
                           {{7}, GpuErrorKind::xid, 79, 14'000}};
        const auto model = model_of({small_run(), run});
        QCOMPARE(query(model, "select run, rank, start_ns, kind, xid from gpu_error"),
                 (Rows{{"1", "0", "2000", "pcie_corrected", "NULL"},
                       {"1", "1", "-6000", "xid", "63"},
                       {"1", "1", "3500", "xid", "79"},
                       {"1", "3", "-6000", "xid", "63"},
                       {"1", "3", "3500", "xid", "79"}}));
        QCOMPARE(query(model, "select message from gpu_error where rank = 1 and xid = 79"),
                 (Rows{{"Xid 79 (the GPU has fallen off the bus)"}}));
        QCOMPARE(query(model, "select k.name from gpu_error e join kernel k on k.run = e.run and k.rank = e.rank and "
                              "k.start_ns <= e.start_ns and k.end_ns > e.start_ns where e.kind = 'pcie_corrected'"),
                 (Rows{{"gemm"}}));
    }

    void helperFunctions() {
        const auto model = model_of({small_run()});
        const auto value = [&](const std::string& expression) { return query(model, "select " + expression)[0][0]; };
        QCOMPARE(value("overlap_ns(0, 10, 5, 20)"), "5");
        QCOMPARE(value("overlap_ns(0, 10, 10, 20)"), "0");
        QCOMPARE(value("overlap_ns(0, 10, null, 20)"), "NULL");
        QCOMPARE(value("overlap_ns(9223372036854775800, 100, 0, 9223372036854775807)"), "7");
        QCOMPARE(value("time_text(1234567)"), "1.235 ms");
        QCOMPARE(value("time_text(999)"), "999 ns");
        QCOMPARE(value("time_text(-2500000000)"), "-2.5 s");
        QCOMPARE(value("'abc' regexp '^a.c$'"), "1");
        const auto of = [&](const std::string& expression) {
            return query(model, "with t(x, d) as (values (10, 5), (12, 10), (40, 1), (null, 3)) select " + expression +
                                    " from t")[0][0];
        };
        QCOMPARE(of("percentile(x, 50)"), "12");
        QCOMPARE(of("percentile(x, 95)"), "40");
        QCOMPARE(of("percentile(x, 0)"), "10");
        QCOMPARE(of("percentile(x + 0.5, 100)"), "40.5");
        QCOMPARE(of("covered_ns(x, d)"), "13"); // 10 to 22, 40 to 41
        QCOMPARE(query(model, "select percentile(x, 50), covered_ns(x, x) from (select 1 as x where 0)")[0],
                 (std::vector<Cell>{"NULL", "0"}));
    }

    void hostileQueriesAreRefused_data() {
        QTest::addColumn<QString>("sql");
        for (const char* sql : {"create table t(x)",
                                "create temp table t(x)",
                                "insert into event(run) values (1)",
                                "delete from event",
                                "update event set rank = 0",
                                "drop table event",
                                "attach 'x.db' as x",
                                "attach ':memory:' as x",
                                "vacuum into '/tmp/rankscope-test-vacuum.db'",
                                "vacuum",
                                "pragma query_only = off",
                                "pragma table_info(event)",
                                "select * from pragma_database_list",
                                "select load_extension('x')",
                                "begin",
                                "commit",
                                "savepoint a",
                                "create view v as select 1",
                                "create trigger t after insert on x begin select 1; end",
                                "analyze",
                                "detach main",
                                "select writefile('/tmp/x', 'y')",
                                "select readfile('/etc/passwd')",
                                "select edit('x')",
                                "select fts3_tokenizer('simple')",
                                "create virtual table t using csv(filename='/etc/passwd')",
                                "select zeroblob(1000000000)",
                                "select replace(hex(zeroblob(10000000)), '00', 'xxxxxxxxxxxxxxxxxxxx')",
                                "select instr(replace(hex(zeroblob(4000000)), '0', 'a'), 'b')", // one step of SQLite
                                "select",
                                "",
                                ";;",
                                "-- nothing",
                                "select \"no_such_column\" from event",
                                "select * from no_such_table",
                                "select percentile(dur_ns, 101) from event",
                                "select 'x' regexp '('",
                                "explain create table t(x)",
                                "with recursive t(n) as (select 1 union all select n + 1 from t) "
                                "insert into event select n from t"})
            QTest::newRow(*sql == '\0' ? "empty" : sql) << QString::fromLatin1(sql);
        QTest::newRow("deep") << QString(QStringLiteral("select ") + QStringLiteral("(").repeated(5000) +
                                         QLatin1Char('1') + QStringLiteral(")").repeated(5000));
        QTest::newRow("long") << QString(QStringLiteral("select 1") + QStringLiteral(" ").repeated(2 << 20));
    }
    void hostileQueriesAreRefused() {
        QFETCH(QString, sql);
        const auto model = model_of({small_run()});
        auto database = QueryDatabase::open(model);
        const auto result = run_query(*database, sql.toStdString(), 10);
        QVERIFY(!result);
        QVERIFY(result.error().code == Error::Code::usage);
        QVERIFY(!english(result.error().message).empty());
        QVERIFY(english(result.error().message).find('\n') == std::string::npos);
        QVERIFY(!std::filesystem::exists("/tmp/rankscope-test-vacuum.db"));
        QCOMPARE(query(*database, "select count(*) from kernel")[0][0], std::string("18")); // it goes on
    }

    void aQueryWithoutEndCanBeStopped() {
        const auto model = model_of({small_run()});
        auto database = QueryDatabase::open(model);
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.request_stop();
        });
        const auto result = run_query(
            *database, "with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t", 10,
            stop.get_token());
        QVERIFY(!result);
        QVERIFY(result.error().code == Error::Code::cancelled);
    }

    void statementsAreSplitOutsideOfTexts() {
        const std::vector<std::string> expected{"select ';', \"a;b\" -- c;d\n", " select 2 /* ; */", " select [x;y]"};
        QVERIFY(statements_of("select ';', \"a;b\" -- c;d\n; select 2 /* ; */; select [x;y];  ; -- e") == expected);
        QVERIFY(statements_of("select 'it''s; one'").size() == 1);
        QVERIFY(statements_of("  \n-- only this").empty());
    }

    void csvAndJson() {
        const auto model =
            model_of({make_run({TraceBuilder(0).kernel("=cmd|'a', \"b\"", 7, 0, 1.5).kernel("k\xFF", 7, 2, 1)})});
        auto database = QueryDatabase::open(model);
        std::string text;
        const QueryWriter write = [&](std::string_view piece) {
            text += piece;
            return Result<void>();
        };
        const std::vector<std::string> one{
            "select name, dur_ns, dur_ns / 2.0 as half, null as n, name from kernel order by start_ns"};
        QVERIFY(write_query_csv(*database, one, write));
        QCOMPARE(text, std::string(
                           "name,dur_ns,half,n,name\r\n\"'=cmd|'a', \"\"b\"\"\",1500,750,,\"'=cmd|'a', \"\"b\"\"\"\r\n"
                           "k\uFFFD,1000,500,,k\uFFFD\r\n"));
        text.clear();
        QVERIFY(write_query_json(*database, one, write));
        Json document = Json::parse(text);
        QCOMPARE(document["schema"].get<std::string>(), "rankscope.sql.v1");
        QCOMPARE(document["columns"].dump(), "[\"name\",\"dur_ns\",\"half\",\"n\",\"name_2\"]");
        QCOMPARE(document["rows"][0].dump(),
                 "{\"name\":\"=cmd|'a', \\\"b\\\"\",\"dur_ns\":1500,\"half\":750.0,\"n\":null,"
                 "\"name_2\":\"=cmd|'a', \\\"b\\\"\"}");
        text.clear();
        QVERIFY(write_query_json(*database, std::vector<std::string>{"select 1 as a", "select 2 as b where 0"}, write));
        document = Json::parse(text);
        QCOMPARE(document["results"].size(), std::size_t{2});
        QCOMPARE(document["results"][0]["rows"].dump(), "[{\"a\":1}]");
        QCOMPARE(document["results"][1]["columns"].dump(), "[\"b\"]");
        QCOMPARE(document["results"][1]["rows"].dump(), "[]");
        QVERIFY(Json::parse(table_list_json())["tables"].contains("collective_member"));
        // A writer that fails ends the query with its error.
        const auto failing = [](std::string_view) {
            return Result<void>(tl::unexpected<Error>(Error{Error::Code::output, std::string("full")}));
        };
        const auto failed = write_query_csv(*database, one, failing);
        QVERIFY(!failed && failed.error().code == Error::Code::output);
    }

    void theQuestionsOfTheDocumentationHaveAnswers_data() {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < query_examples().size(); ++i)
            QTest::newRow(std::string(query_examples()[i].question).c_str()) << static_cast<int>(i);
    }
    void theQuestionsOfTheDocumentationHaveAnswers() {
        QFETCH(int, number);
        const QueryExample& example = query_examples()[static_cast<std::size_t>(number)];
        static const std::string page = [] {
            std::ifstream file(std::filesystem::path(RANKSCOPE_SOURCE_DIR) / "docs" / "sql.md");
            return std::string(std::istreambuf_iterator<char>(file), {});
        }();
        QVERIFY2(page.find("**" + std::string(example.question) + "**") != std::string::npos, "not in docs/sql.md");
        QVERIFY2(page.find("```sql\n" + std::string(example.sql) + "\n```") != std::string::npos, "not in docs/sql.md");
        static const auto simulated = [] {
            QTemporaryDir folder;
            SimulatorOptions options;
            options.dp = 2;
            options.slow = {1, 1.3}; // else nobody waits
            if (!write_run(options, folder.path().toStdString()))
                qFatal("no run");
            LoadOptions load;
            load.use_cache = false;
            return *load_run(folder.path().toStdString(), load);
        }();
        static const auto model = model_of({simulated, simulated});
        auto database = QueryDatabase::open(model);
        const auto result = run_query(*database, std::string(example.sql), 1000);
        QVERIFY2(result, result ? "" : english(result.error().message).c_str());
        QVERIFY(!result->rows.empty());
        const bool some_number = std::ranges::any_of(result->rows, [](const auto& row) {
            return std::ranges::any_of(row, [](const QueryValue& value) {
                return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
            });
        });
        QVERIFY(some_number);
    }

    void noRunsAndEmptyRuns() {
        const auto model = model_of({});
        for (const QueryTable* table : query_tables())
            QCOMPARE(query(model, "select count(*) from " + std::string(table->name))[0][0], std::string("0"));
        const auto empty =
            model_of({make_run({TraceBuilder(0), TraceBuilder(1).kernel("a", 7, 0, 1), TraceBuilder(2)})});
        QCOMPARE(text_of_rows(query(empty, "select rank, name, count(*) from event group by rank, name")),
                 std::string("1|a|1|\n"));
        QCOMPARE(text_of_rows(query(empty, "select id, rank from event order by start_ns")), std::string("0|1|\n"));
        QCOMPARE(text_of_rows(query(empty, "select rank from event where id = 0")), std::string("1|\n"));
    }
};

RANKSCOPE_TEST(TestQuery)

} // namespace rankscope::query_test

#include "test_query.moc"
