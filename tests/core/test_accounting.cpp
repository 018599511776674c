// SPDX-License-Identifier: GPL-3.0-or-later
// Every event of a file is on the timeline or counted under the reason why not, whatever the file.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/digest/digest.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/digest/trace_file.h"
#include "core/input/kineto/kineto_reader.h"
#include "core/input/load/load_run.h"
#include "core/report/html_report.h"
#include "core/report/json_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::accounting_test {

namespace fs = std::filesystem;

namespace {

/// JSON written with ' for ".
std::string json(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

std::string shown_event(const std::string& name, int ts) {
    return json(fmt::format(
        "{{'ph':'X','cat':'cpu_op','name':'{}','pid':1,'tid':1,'ts':{},'dur':1,'args':{{'x':'{{]\\\\'}}}}", name, ts));
}

/// What a reader that looks at one character after the other finds in the list of events: objects and arrays at its
/// level, and one more where the text ends inside of one.
std::uint64_t slow_count(const std::string& text) {
    std::size_t at = text.find("\"traceEvents\"");
    at = text.find('[', at == std::string::npos ? 0 : at) + 1;
    std::uint64_t count = 0;
    int depth = 0;
    bool in_string = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string) {
            at += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            count += depth++ == 0;
        } else if ((c == '}' || c == ']') && --depth < 0) {
            break;
        }
    }
    return count;
}

std::string whole_text(const fs::path& path) {
    auto source = open_byte_source(path);
    if (!source)
        qFatal("%s", english(source.error().message).c_str());
    std::string text, piece(1 << 20, ' ');
    for (std::size_t got = (*source)->read(piece); got > 0; got = (*source)->read(piece))
        text.append(piece, 0, got);
    return text;
}

/// Empty when the sum is right.
QString wrong_sum(const Accounting& accounting) {
    return accounting.events_in_file == accounting.on_timeline + accounting.all_not_shown()
               ? QString()
               : QString::fromStdString(fmt::format("{} in file, {} shown, not shown: {}", accounting.events_in_file,
                                                    accounting.on_timeline, english(not_shown_text(accounting))));
}

/// Folders below one that hold a file themselves.
std::vector<fs::path> folders_of_files(const fs::path& root) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const fs::path folder = entry.path().parent_path();
        if (entry.is_regular_file() && folder != root && (folders.empty() || folders.back() != folder) &&
            std::ranges::find(folders, folder) == folders.end())
            folders.push_back(folder);
    }
    std::ranges::sort(folders);
    return folders;
}

} // namespace

class TestAccounting : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path root() const { return folder_.path().toStdString(); }

    fs::path write(const std::string& text) const {
        const fs::path path = root() / "rank0_trace.json";
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::shared_ptr<const RankTrace> read(const std::string& text) const {
        auto rank = read_kineto(write(text), std::make_shared<StringTable>(), {});
        if (!rank)
            qFatal("%s", english(rank.error().message).c_str());
        return *rank;
    }
    static std::shared_ptr<const Run> load(const fs::path& path) {
        auto run = load_run(path);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static Json report_of(const std::shared_ptr<const Run>& run, std::string* html = nullptr) {
        AnalysedRun analysed;
        analysed.role = analysed.label = "run";
        analysed.analysis = std::make_shared<RunAnalysis>(run, Selection());
        analysed.metrics = compute_metrics(*analysed.analysis);
        if (html != nullptr)
            *html = html_report(std::span(&analysed, 1), {}, {});
        return Json::parse(metrics_json(std::span(&analysed, 1), {}))["runs"][0];
    }

private Q_SLOTS:
    void eachReasonOfAKinetoFile_data() {
        QTest::addColumn<QString>("events");  // beside two that are shown
        QTest::addColumn<int>("in_file");     // of these
        QTest::addColumn<int>("on_timeline"); // of these
        QTest::addColumn<QString>("not_shown");
        const auto row = [](const char* name, const std::string& events, int in_file, int shown, const char* reasons) {
            QTest::newRow(name) << QString::fromLatin1(json(events).c_str()) << in_file << shown
                                << QString::fromLatin1(reasons);
        };
        row("a complete event", "{'ph':'X','name':'a','pid':1,'tid':1,'ts':5,'dur':1}", 1, 1, "");
        row("one of negative duration", "{'ph':'X','name':'a','pid':1,'tid':1,'ts':5,'dur':-1}", 1, 1, "");
        row("names",
            "{'ph':'M','name':'process_name','pid':1,'args':{'name':'x'}},"
            "{'ph':'M','name':'thread_name','pid':1,'tid':1,'args':{'name':'x'}}",
            2, 0, "2 metadata");
        row("a counter with two series", "{'ph':'C','name':'c','pid':1,'ts':5,'args':{'a':1,'b':2}}", 1, 0,
            "1 counters");
        row("flows",
            "{'ph':'s','cat':'ac2g','id':1,'pid':1,'tid':1,'ts':5},{'ph':'f','cat':'ac2g','id':1,'ts':5},"
            "{'ph':'t','cat':'ac2g','id':1,'ts':5},{'ph':'s','cat':'fwdbwd','id':1,'pid':1,'tid':1,'ts':5}",
            4, 0, "4 flows");
        row("a flow without an id", "{'ph':'s','cat':'fwdbwd','pid':1,'tid':1,'ts':5}", 1, 0, "1 malformed");
        row("an instant", "{'ph':'i','name':'mark','pid':1,'tid':1,'ts':5}", 1, 0, "1 instants");
        row("the allocator", "{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':5,'args':{'Bytes':8}}", 1, 0,
            "1 memory samples");
        row("a pair", "{'ph':'B','name':'b','pid':1,'tid':1,'ts':5},{'ph':'E','pid':1,'tid':1,'ts':6}", 2, 1,
            "1 pair ends");
        row("begins without ends", "{'ph':'B','name':'b','pid':1,'tid':1,'ts':5},{'ph':'e','id':1,'pid':1,'ts':6}", 2,
            0, "2 unpaired");
        row("without a time", "{'ph':'X','name':'a','pid':1,'tid':1,'dur':1}", 1, 0, "1 malformed");
        row("without a phase", "{'name':'a'}, {}", 2, 0, "2 malformed");
        row("a sample of a profiler", "{'ph':'P','name':'a','ts':5}", 1, 0, "1 not understood");
        row("a month away", "{'ph':'X','name':'a','pid':1,'tid':1,'ts':2592000000000,'dur':1}", 1, 0, "1 stray");
        row("not JSON", "{'ph':'X','name':'a' 'ts':5}", 1, 0, "1 malformed");
        row("what is no object", "7, null, 'a,b', [1, 2]", 4, 0, "4 malformed");
        row("a trailing scalar and a comma", "{'ph':'i','name':'m','ts':5},", 1, 0, "1 instants");
    }
    void eachReasonOfAKinetoFile() {
        QFETCH(QString, events);
        QFETCH(int, in_file);
        QFETCH(int, on_timeline);
        QFETCH(QString, not_shown);
        // In the middle, and at the end, where another part of the reader meets them.
        for (const bool at_end : {false, true}) {
            const std::string two[] = {shown_event("first", 1), shown_event("second", 9)};
            const std::string list = at_end ? two[0] + ',' + two[1] + ',' + events.toStdString()
                                            : two[0] + ',' + events.toStdString() + ',' + two[1];
            const auto rank = read("{\"traceEvents\": [" + list + "]}");
            const Accounting& accounting = rank->accounting;
            QCOMPARE(accounting.events_in_file, std::uint64_t(in_file + 2));
            QCOMPARE(accounting.on_timeline, std::uint64_t(on_timeline + 2));
            QCOMPARE(rank->events.size(), std::uint32_t(on_timeline + 2));
            QCOMPARE(QString::fromStdString(english(not_shown_text(accounting))), not_shown);
            QCOMPARE(wrong_sum(accounting), QString());
        }
    }

    void aFileThatEndsEarlyCutsOneEventOff() {
        const std::string first = shown_event("first", 1), second = shown_event("second", 2);
        const auto cut = read("[" + first + "," + second.substr(0, 20))->accounting;
        QCOMPARE(cut.events_in_file, 2u);
        QCOMPARE(cut.of(NotShown::cut_off), 1u);
        const auto between = read("[" + first + ",\n")->accounting; // Chrome leaves the bracket out as well
        QCOMPARE(between.events_in_file, 1u);
        QCOMPARE(between.all_not_shown(), 0u);
    }

    void aSecondListOfEventsIsADuplicate() {
        const std::string list = "[" + shown_event("a", 1) + "," + shown_event("b", 2) + "]";
        const auto rank = read("{\"traceEvents\":" + list + ",\"traceEvents\":" + list + "}");
        QCOMPARE(rank->accounting.events_in_file, 4u);
        QCOMPARE(rank->accounting.on_timeline, 2u);
        QCOMPARE(rank->accounting.of(NotShown::duplicate), 2u);
    }

    /// Characters of a sound file replaced by others, brackets and quotes among them: the sum holds, and nothing is
    /// counted that is not there.
    void damagedFilesAddUpToo() {
        std::string text = "{\"traceEvents\": [";
        for (int i = 0; i < 60; ++i)
            text += (i > 0 ? "," : "") + shown_event(fmt::format("op {}", i), i * 10) +
                    json(fmt::format(",{{'ph':'C','name':'c','ts':{},'args':{{'a':1}}}}", i));
        text += "]}";
        std::mt19937 random(11);
        const std::string alphabet = "{}[]\"\\,: x1-\x01\xFF";
        for (int round = 0; round < 2000; ++round) {
            std::string damaged = text;
            for (int edits = 1 + static_cast<int>(random() % 6); edits > 0; --edits)
                damaged[17 + random() % (damaged.size() - 17)] = alphabet[random() % alphabet.size()];
            const auto rank = read_kineto(write(damaged), std::make_shared<StringTable>(), {});
            if (!rank)
                continue;
            const Accounting& accounting = (*rank)->accounting;
            QVERIFY2(wrong_sum(accounting).isEmpty(), damaged.c_str());
            QCOMPARE(accounting.on_timeline, std::uint64_t((*rank)->events.size()));
        }
    }

    void rowsOfNsightSystems() {
        const fs::path path = root() / "report.sqlite";
        fs::remove(path);
        {
            NsysExport report(path);
            report.call(0, 10, "cudaGraphLaunch_v10000", nsys_tid(100, 101), 9);
            report.kernel(20, 30, "node", {.correlation = 9, .graph_node = 1});
            report.graph(20, 40, 1, {.correlation = 9});
            report.kernel(100, 200, "on 1", {.device = 1, .correlation = 2}); // its process has two devices
            report.call(0, 10, "cudaMalloc", nsys_tid(300, 300), 1);          // a process without GPU work
            report.range(5, -1, "never closed", nsys_tid(100, 101));
            report.range(6, 7, "range", nsys_tid(100, 101));
            report.range(8, 8, "mark", nsys_tid(100, 101), 34);
            report.range(8, 8, "mark elsewhere", nsys_tid(300, 300), 34);
            report.range(0, 0, "a domain", nsys_tid(100, 101), 75);
            report.copy(300, 400, 1, 64, {.correlation = 3});
            report.kernel(500, 600, "without a time", {.correlation = 77});
            report.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE correlationId = 77;"
                       "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);"
                       "INSERT INTO GPU_METRICS VALUES (50, 256, 3, 40), (60, 256, 3, 'many');"
                       "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, nameId INTEGER);"
                       "INSERT INTO OSRT_API VALUES (1, 2, 3), (4, 5, 6), (7, 8, 9);"
                       "CREATE TABLE TARGET_INFO_X (timestamp INTEGER); INSERT INTO TARGET_INFO_X VALUES (1)");
        }
        const auto run = load(path);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        for (const auto& rank : run->ranks)
            QCOMPARE(wrong_sum(rank->accounting), QString());
        const auto files = accounting_by_file(*run);
        QCOMPARE(files.size(), std::size_t{1});
        const Accounting& file = files.front().accounting;
        // 3 kernels, 1 graph, 1 copy, 2 calls, 5 of NVTX, 2 samples, 3 calls of the system
        QCOMPARE(file.events_in_file, 17u);
        QCOMPARE(file.on_timeline, 6u); // 2 kernels, the copy, a call, two ranges: each once, though on two ranks
        QCOMPARE(QString::fromStdString(english(not_shown_text(file))),
                 QStringLiteral("1 metadata, 1 counters, 1 instants, 2 malformed, 1 duplicate, 2 other processes, "
                                "3 other tables"));
        QCOMPARE(file.rows_by_table.at("NVTX_EVENTS"), 5u);
        QCOMPARE(file.rows_by_table.at("CUPTI_ACTIVITY_KIND_KERNEL"), 3u);
    }

    void digestsAndCopiesKeepIt() {
        const auto run =
            load(write("[" + shown_event("aten::mm", 1) + "," + shown_event("aten::add", 3) +
                       json(",{'ph':'M','name':'process_name','pid':1},"
                            "{'ph':'X','cat':'python_function','name':'f','pid':1,'tid':1,'ts':2,'dur':0}]")));
        const RankTrace& rank = *run->ranks.front();
        const fs::path copy = root() / "copy.trace", digest = root() / "rank0.digest";
        QVERIFY(write_trace_file(copy, rank, TraceFileKind::cache, "key"));
        const auto names = std::make_shared<StringTable>();
        QVERIFY(read_trace_file(copy, TraceFileKind::cache, names)->trace->accounting == rank.accounting);

        const auto shorter = digest_of(rank, *stamp_of(rank.file), *run);
        QVERIFY(shorter->events.size() < rank.events.size());
        QCOMPARE(shorter->accounting.events_in_file, 4u);
        QCOMPARE(shorter->accounting.on_timeline, std::uint64_t(shorter->events.size()));
        QCOMPARE(shorter->accounting.of(NotShown::digest), std::uint64_t(3 - shorter->events.size()));
        QCOMPARE(wrong_sum(shorter->accounting), QString());
        QVERIFY(write_trace_file(digest, *shorter, TraceFileKind::digest));
        const auto again = read_trace_file(digest, TraceFileKind::digest, names);
        QVERIFY(again);
        QVERIFY(again->trace->accounting == shorter->accounting);
    }

    void theReportsSayIt() {
        const auto run = load(write("[" + shown_event("a", 1) + json(",{'ph':'M','name':'process_name','pid':1}]")));
        std::string html;
        const Json json = report_of(run, &html);
        QCOMPARE(json["accounting"].size(), std::size_t{1});
        const Json expected = {{"file", (root() / "rank0_trace.json").string()},
                               {"events_in_file", 2},
                               {"on_timeline", 1},
                               {"not_shown", {{"metadata", 1}}}};
        QVERIFY2(json["accounting"][0] == expected, json["accounting"].dump().c_str());
        QCOMPARE(json["accounting_total"]["events_in_file"].get<int>(), 2);
        QCOMPARE(json["accounting_total"]["not_shown"]["metadata"].get<int>(), 1);
        QVERIFY(html.find("Events accounted for") != std::string::npos);
        QVERIFY(html.find("1 metadata") != std::string::npos);
    }

    void everySharedTraceAddsUp() {
        const fs::path traces = fs::path(RANKSCOPE_SHARED_DIR) / "traces";
        if (!fs::is_directory(traces))
            QSKIP("skipped: no shared traces");
        std::size_t files = 0;
        std::uint64_t events = 0;
        for (const fs::path& folder : folders_of_files(traces)) {
            const auto run = load_run(folder);
            if (!run)
                continue; // of a kind that no reader takes
            for (const FileAccounting& of_file : accounting_by_file(**run)) {
                const Accounting& accounting = of_file.accounting;
                QVERIFY2(wrong_sum(accounting).isEmpty(),
                         (of_file.file.string() + ": " + wrong_sum(accounting).toStdString()).c_str());
                // A rank that called nothing leaves an empty dump.
                QVERIFY2(accounting.events_in_file > 0 || (*run)->source == TraceSource::flight_recorder,
                         of_file.file.c_str());
                QCOMPARE(accounting.of(NotShown::not_understood), 0u);
                ++files;
                events += accounting.events_in_file;
            }
            // A plain count does not get past quotes that do not match.
            if ((*run)->source != TraceSource::kineto || folder.filename() == "odd_quote_in_name")
                continue;
            for (const auto& rank : (*run)->ranks) {
                QCOMPARE(rank->accounting.events_in_file, slow_count(whole_text(rank->file)));
                // Slices of graphs are derived from the launches.
                std::uint64_t recorded = 0;
                for (EventIndex i = 0; i < rank->events.size(); ++i)
                    recorded += is_graph_slice(rank->events.kind[i]) ? 0 : 1;
                QCOMPARE(rank->accounting.on_timeline, recorded);
            }
        }
        QVERIFY(files > 80);
        QVERIFY(events > 1'000'000);
    }
};

RANKSCOPE_TEST(TestAccounting)

} // namespace rankscope::accounting_test

#include "test_accounting.moc"
