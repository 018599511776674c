// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as one trace for Perfetto: its structure, and what Perfetto's trace processor makes of it.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/demo/run_simulator.h"
#include "core/report/trace_export.h"
#include "tests/support/exported_run.h"
#include "tests/support/test_program.h"

namespace rankscope::chrome_trace_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

struct Written {
    TraceExportCounts counts;
    Json document;
    std::vector<Json> slices; ///< "X"
};

Written write(const QueryModel& model, const TraceExport& what = {}) {
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "trace.json";
    const auto counts = write_trace(model, what, path);
    if (!counts)
        qFatal("%s", english(counts.error().message).c_str());
    std::ifstream file(path);
    Written written{*counts, Json::parse(file), {}};
    for (const Json& event : written.document["traceEvents"])
        if (event["ph"] == "X")
            written.slices.push_back(event);
    return written;
}

TimeNs ns(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

/// Why slices of one thread do not nest; empty: they do.
std::string misplaced(const std::vector<Json>& slices) {
    std::map<std::int64_t, std::vector<std::pair<TimeNs, TimeNs>>> open; // by thread: start, end
    std::map<std::int64_t, std::int64_t> process;
    for (const Json& slice : slices) {
        const TimeNs start = ns(slice["ts"]);
        const TimeNs end = start + ns(slice["dur"]);
        const std::int64_t thread = slice["tid"];
        if (!process.emplace(thread, slice["pid"].get<std::int64_t>()).second && process[thread] != slice["pid"])
            return "a thread in two processes";
        auto& stack = open[thread];
        if (!stack.empty() && stack.back().first > start)
            return "not in order of time: " + slice.dump();
        while (!stack.empty() && stack.back().second <= start)
            stack.pop_back();
        if (!stack.empty() && stack.back().second < end)
            return "overlaps another: " + slice.dump();
        stack.emplace_back(start, end);
    }
    return {};
}

fs::path shared(const char* name) { return fs::path(RANKSCOPE_SHARED_DIR) / "traces" / name; }

} // namespace

class TestChromeTrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEventIsASliceThatNests() {
        const auto run = make_run(two_ranks());
        const Written written = write(*model_of({run}));
        QCOMPARE(misplaced(written.slices), std::string());
        QCOMPARE(written.counts.events, run->event_count());
        QCOMPARE(written.counts.slices(), written.slices.size());
        QCOMPARE(written.counts.steps, std::uint64_t{2});
        QCOMPARE(written.counts.waits, std::uint64_t{1}); // rank 0 waits 50 us for rank 1
        QCOMPARE(written.counts.samples, std::uint64_t{2});
        QVERIFY(written.counts.path > 0);
        TimeNs on_path = 0;
        for (const Json& slice : written.slices)
            on_path += slice["cat"] == "rankscope.critical_path" ? ns(slice["dur"]) : 0;
        QCOMPARE(on_path, TimeNs{1'000'000}); // the path fills the step
        std::multiset<std::string> expected;
        std::multiset<std::string> found;
        for (const auto& rank : run->ranks)
            for (EventIndex i = 0; i < rank->events.size(); ++i)
                expected.insert(std::string(rank->event_name(i)) + ' ' + std::to_string(rank->rank + 1) + ' ' +
                                microseconds_text(rank->events.start[i] - run->span.begin) + ' ' +
                                microseconds_text(rank->events.duration[i]));
        for (const Json& slice : written.slices)
            if (!slice["cat"].get<std::string>().starts_with("rankscope."))
                found.insert(slice["name"].get<std::string>() + ' ' + std::to_string(slice["pid"].get<int>()) + ' ' +
                             microseconds_text(ns(slice["ts"])) + ' ' + microseconds_text(ns(slice["dur"])));
        QVERIFY(expected == found);
        const auto wait =
            std::ranges::find_if(written.slices, [](const Json& slice) { return slice["cat"] == "rankscope.wait"; });
        QCOMPARE((*wait)["name"].get<std::string>(), std::string("waits for rank 1"));
        QCOMPARE((*wait)["pid"].get<int>(), 1);
        QCOMPARE(ns((*wait)["ts"]), TimeNs{150'000});
        QCOMPARE(ns((*wait)["dur"]), TimeNs{50'000});
    }

    void everyThreadAndProcessHasANameAndAnOrder() {
        const auto run = make_run(two_ranks());
        const Written written = write(*model_of({run, run}));
        std::map<std::string, std::set<std::int64_t>> named; // metadata by its name
        std::set<std::string> processes;
        for (const Json& event : written.document["traceEvents"])
            if (event["ph"] == "M") {
                const std::string what = event["name"];
                named[what].insert(what.starts_with("thread") ? event["tid"].get<std::int64_t>()
                                                              : event["pid"].get<std::int64_t>());
                if (what == "process_name")
                    processes.insert(event["args"]["name"].get<std::string>());
            }
        QVERIFY(processes ==
                (std::set<std::string>{"built0: rank 0", "built0: rank 1", "built1: rank 0", "built1: rank 1"}));
        QVERIFY(named["process_name"] == named["process_sort_index"]);
        QVERIFY(named["thread_name"] == named["thread_sort_index"]);
        for (const Json& slice : written.slices) {
            QVERIFY(named["process_name"].contains(slice["pid"].get<std::int64_t>()));
            QVERIFY(named["thread_name"].contains(slice["tid"].get<std::int64_t>()));
        }
    }

    void flowsLeadFromTheLaunchToTheKernel() {
        const Written written = write(*model_of({make_run(two_ranks())}));
        std::map<std::int64_t, std::vector<Json>> flows;
        for (const Json& event : written.document["traceEvents"])
            if (event["ph"] == "s" || event["ph"] == "f")
                flows[event["id"].get<std::int64_t>()].push_back(event);
        QCOMPARE(written.counts.flows, std::uint64_t{2 * (3 + 1) + 1}); // three launches and one backward a rank
        QCOMPARE(flows.size(), std::size_t{2 * (3 + 1) + 1});
        const auto slice_at = [&](const Json& end) { // where the flow's end is bound to
            const auto found = std::ranges::find_if(written.slices, [&](const Json& slice) {
                return slice["tid"] == end["tid"] && slice["ts"] == end["ts"];
            });
            return found == written.slices.end() ? std::string("none") : (*found)["cat"].get<std::string>();
        };
        for (auto& [id, ends] : flows) {
            QCOMPARE(ends.size(), std::size_t{2});
            std::ranges::sort(ends, {}, [](const Json& end) { return end["ph"] == "f"; });
            QCOMPARE(ends[0]["ph"].get<std::string>(), std::string("s"));
            QVERIFY(ends[0]["ts"].get<double>() <= ends[1]["ts"].get<double>()); // rank 0 arrives before rank 1
            const std::string kind = ends[0]["cat"];
            QCOMPARE(slice_at(ends[0]), std::string(kind == "launch"       ? "runtime"
                                                    : kind == "collective" ? "kernel"
                                                                           : "cpu_op"));
            QCOMPARE(slice_at(ends[1]), std::string(kind == "fwdbwd" ? "cpu_op" : "kernel"));
            QCOMPARE(ends[0]["pid"] == ends[1]["pid"], kind != "collective");
        }
    }

    void onlyAPart() {
        const auto model = model_of({make_run(two_ranks())});
        TraceExport what;
        what.ranks = {{1, 1}};
        what.lanes = [](std::string_view lane) { return lane.find("stream 7") != std::string_view::npos; };
        what.time = TimeRange{200'000, 260'000};
        const Written written = write(*model, what);
        std::multiset<std::string> names;
        for (const Json& slice : written.slices)
            if (!slice["cat"].get<std::string>().starts_with("rankscope."))
                names.insert(slice["name"].get<std::string>());
        QVERIFY(names == (std::multiset<std::string>{"gemm", "overlaps"}));
        QCOMPARE(written.counts.flows, std::uint64_t{0}); // their launches are not in it
        what.ranks = {{7, 7}};
        const auto none = write_trace(*model, what, "/nonexistent/trace.json");
        QVERIFY(!none && none.error().code == Error::Code::usage);
    }

    void wholeOrNotAtAll() {
        const auto model = model_of({make_run(two_ranks())});
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "trace.json.gz";
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = write_trace(*model, {}, path, stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == Error::Code::cancelled);
        QVERIFY(fs::is_empty(folder.path().toStdString()));
        QVERIFY(write_trace(*model, {}, path));
        std::ifstream file(path, std::ios::binary);
        QCOMPARE(file.get(), 0x1F); // gzip
        QCOMPARE(std::distance(fs::directory_iterator(folder.path().toStdString()), fs::directory_iterator()),
                 std::ptrdiff_t{1});
        const auto nowhere = write_trace(*model, {}, "/nonexistent/folder/trace.json");
        QVERIFY(!nowhere && nowhere.error().code == Error::Code::output);
    }

    /// It has slices that are no events of the run, and steps that end elsewhere.
    void whatWasWrittenIsNoRun() {
        for (const auto& model : {model_of({make_run({two_ranks()[0]})}), model_of({make_run(two_ranks())})}) {
            QTemporaryDir folder;
            const fs::path path = fs::path(folder.path().toStdString()) / "trace.json";
            QVERIFY(write_trace(*model, {}, path));
            const auto again = load_run(path);
            QVERIFY(!again && english(again.error().message).find("written by --export-trace") != std::string::npos);
        }
    }

    void perfettoLoadsIt_data() {
        QTest::addColumn<QString>("which");
        QTest::newRow("built") << "built";
        QTest::newRow("simulated") << "simulated";
        QTest::newRow("two runs") << "two";
        QTest::newRow("dlrm_v100_8rank") << "dlrm_v100_8rank";
        QTest::newRow("resnet_mi300_1of8") << "resnet_mi300_1of8";
        QTest::newRow("nccl_a100") << "nccl_a100";
    }
    void perfettoLoadsIt() {
        QFETCH(QString, which);
        const QString script = QStringLiteral(RANKSCOPE_SHARED_DIR) + QStringLiteral("/tools/perfetto.mjs");
        if (!qEnvironmentVariableIsSet("PERFETTO_DIR") || !QFile::exists(script) ||
            QStandardPaths::findExecutable(QStringLiteral("node")).isEmpty())
            QSKIP("no Perfetto: set PERFETTO_DIR to the folder with its wasm (docs/performance.md)");
        std::vector<std::shared_ptr<const Run>> runs;
        QTemporaryDir folder;
        if (which == QStringLiteral("built")) {
            runs.push_back(make_run(two_ranks()));
        } else if (which == QStringLiteral("simulated") || which == QStringLiteral("two")) {
            SimulatorOptions options;
            options.dp = 2;
            QVERIFY(write_run(options, folder.path().toStdString()));
            runs.push_back(loaded(folder.path().toStdString()));
            if (which == QStringLiteral("two"))
                runs.push_back(runs.front());
        } else {
            if (!fs::exists(shared(qPrintable(which))))
                QSKIP("skipped: no shared traces");
            runs.push_back(loaded(shared(qPrintable(which))));
        }
        const auto model = model_of(runs);
        QTemporaryDir out;
        const fs::path path = fs::path(out.path().toStdString()) / "trace.json";
        const auto counts = write_trace(*model, {}, path);
        QVERIFY(counts);
        QProcess node;
        node.setProcessChannelMode(QProcess::MergedChannels);
        node.start(
            QStringLiteral("node"),
            {script, QString::fromStdString(path.string()), QStringLiteral("select count(*) as slices from slice"),
             QStringLiteral("select name, value from stats where severity in ('error', 'data_loss') and value > 0"),
             QStringLiteral("select count(*) as flows from flow"),
             QStringLiteral("select count(*) as processes from process where name like '%rank%'"),
             QStringLiteral("select sum(dur) as busy from slice where category = 'kernel'")});
        QVERIFY(node.waitForFinished(200'000));
        const QByteArray text = node.readAll();
        std::int64_t busy = 0;
        for (const QueryRank& rank : model->ranks())
            for (EventIndex i = 0; i < rank.trace->events.gpu_count; ++i)
                busy += rank.trace->events.kind[i] == EventKind::kernel ? rank.trace->events.duration[i] : 0;
        const auto says = [&](const char* name, std::uint64_t value) {
            return text.contains(QByteArray("[{\"") + name + "\":\"" + QByteArray::number(qulonglong(value)) + "\"}]");
        };
        QVERIFY2(says("slices", counts->slices()), text.constData());
        QVERIFY2(text.contains("ms []"), text.constData()); // no error, no loss
        QVERIFY2(says("flows", counts->flows), text.constData());
        QVERIFY2(says("processes", model->ranks().size()), text.constData());
        QVERIFY2(says("busy", static_cast<std::uint64_t>(busy)), text.constData());
    }
};

RANKSCOPE_TEST(TestChromeTrace)

} // namespace rankscope::chrome_trace_test

#include "test_chrome_trace.moc"
