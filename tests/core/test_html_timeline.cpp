// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline of report.html: its slices are those of the model, its script the only one that may run, its names no
// markup; and that it runs, where a Chromium is at hand.
#include <QCryptographicHash>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <isa-l/igzip_lib.h>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/report/html_report.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::html_timeline_test {
using namespace Qt::Literals::StringLiterals;

namespace {

AnalysedRun analysed(const std::shared_ptr<const Run>& run) {
    const auto analysis = std::make_shared<RunAnalysis>(run, Selection{});
    return {"run", run->name, analysis, compute_metrics(*analysis, std::vector<std::string>{"iter_time"}), {}};
}

AnalysedRun simulated(SimulatorOptions options) {
    const QTemporaryDir folder;
    if (!write_run(options, folder.path().toStdString()))
        qFatal("cannot write the run");
    const auto run = load_run(folder.path().toStdString(), LoadOptions());
    if (!run)
        qFatal("%s", english(run.error().message).c_str());
    return analysed(*run);
}

Json data_of(const std::string& section) {
    const std::string start = "id=\"timeline-data\">";
    const std::size_t at = section.find(start) + start.size();
    return Json::parse(section.substr(at, section.find("</script>", at) - at));
}

std::vector<std::uint8_t> unpacked(const std::string& columns) {
    QByteArray packed = QByteArray::fromBase64(QByteArray::fromStdString(columns));
    std::vector<std::uint8_t> bytes(64 << 20);
    inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    state.next_in = reinterpret_cast<std::uint8_t*>(packed.data());
    state.avail_in = static_cast<std::uint32_t>(packed.size());
    state.next_out = bytes.data();
    state.avail_out = static_cast<std::uint32_t>(bytes.size());
    if (isal_inflate(&state) != ISAL_DECOMP_OK || state.block_state != ISAL_BLOCK_FINISH)
        qFatal("the columns are no gzip");
    bytes.resize(state.total_out);
    return bytes;
}

struct ShownSlice {
    std::string lane;
    TimeNs start = 0; ///< from the start of the part
    TimeNs length = 0;
    std::string name;
    int slice_class = 0;
    friend auto operator<=>(const ShownSlice&, const ShownSlice&) = default;
};

/// By run and rank, as the script reads them.
std::map<std::pair<int, int>, std::vector<ShownSlice>> slices_of(const Json& data) {
    const std::vector<std::uint8_t> bytes = unpacked(data["columns"].get<std::string>());
    const auto count = data["slices"].get<std::size_t>();
    std::size_t at = 0;
    const auto number = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            value |= static_cast<std::uint64_t>(bytes.at(at) & 127U) << shift;
            if (bytes[at++] < 128)
                return value;
        }
    };
    const auto column = [&] {
        std::vector<std::uint64_t> values(count);
        for (std::uint64_t& value : values)
            value = number();
        return values;
    };
    const auto gaps = column(), lengths = column(), names = column();
    std::map<std::pair<int, int>, std::vector<ShownSlice>> shown;
    std::size_t i = 0;
    int run_number = 0;
    for (const Json& run : data["runs"]) {
        for (const Json& rank : run["ranks"])
            for (const Json& lane : rank["lanes"])
                for (const Json& row : lane["rows"]) {
                    TimeNs end = 0;
                    for (std::size_t k = 0; k < row.get<std::size_t>(); ++k, ++i) {
                        const auto gap = static_cast<TimeNs>(gaps[i] >> 1) ^ -static_cast<TimeNs>(gaps[i] & 1);
                        const TimeNs start = end + gap;
                        end = start + static_cast<TimeNs>(lengths[i]);
                        shown[{run_number, rank["rank"].get<int>()}].push_back(
                            {lane["name"].get<std::string>(), start, end - start,
                             data["names"][names[i]].get<std::string>(), bytes.at(at + i)});
                    }
                }
        ++run_number;
    }
    if (i != count || at + count != bytes.size())
        qFatal("the columns do not fit the rows");
    return shown;
}

QString chromium() {
    for (const QString& name : {u"chromium"_s, u"chromium-browser"_s, u"google-chrome"_s})
        if (const QString found = QStandardPaths::findExecutable(name); !found.isEmpty())
            return found;
    return {};
}

} // namespace

class TestHtmlTimeline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyTheScriptOfTheTimelineMayRun() {
        const std::string_view script = timeline_script();
        const QByteArray hash = QCryptographicHash::hash(
            QByteArray(script.data(), static_cast<qsizetype>(script.size())), QCryptographicHash::Sha256);
        QCOMPARE(QByteArray(timeline_script_hash().data(), static_cast<qsizetype>(timeline_script_hash().size())),
                 "sha256-" + hash.toBase64());
        QVERIFY(script.find("innerHTML") == std::string_view::npos && script.find("eval") == std::string_view::npos);
        const std::vector<AnalysedRun> runs{simulated({})};
        const std::string html = html_report(runs, {});
        QVERIFY(html.find("script-src '" + std::string(timeline_script_hash()) + "'") != std::string::npos);
    }

    void aHandWorkedPart() {
        TraceBuilder rank(3);
        rank.step(7, 0, 100)
            .launch(1, 2)
            .kernel("gemm", 7, 10, 30)
            .launch(4, 2)
            .kernel("ncclAllReduce", 20, 35.5, 4.25);
        rank.launch(8, 1).memory_copy("Memcpy HtoD", 7, 60, 0.001);
        const std::vector<AnalysedRun> runs{analysed(make_run({rank}, "one"))};
        HtmlTimeline wanted;
        wanted.time = TimeRange{20'000, 70'000};
        const auto shown = slices_of(data_of(timeline_section(runs, wanted))).at({0, 3});
        const auto has = [&](const ShownSlice& slice) { return std::ranges::find(shown, slice) != shown.end(); };
        QVERIFY(has({"stream 7", -10'000, 30'000, "gemm", 0})); // touches the part: whole
        QVERIFY(has({"stream 20", 15'500, 4'250, "ncclAllReduce", 1}));
        QVERIFY(has({"stream 7", 40'000, 1, "Memcpy HtoD", 2}));
        QVERIFY(std::ranges::none_of(shown, [](const ShownSlice& slice) { return slice.name == "cudaLaunchKernel"; }));
    }

    void everySliceOfTheModelIsThere() {
        SimulatorOptions options;
        options.dp = 2;
        const std::vector<AnalysedRun> runs{simulated(options), simulated(options)};
        HtmlTimeline wanted;
        wanted.time = TimeRange{0, runs[0].run().span.length()};
        const Json data = data_of(timeline_section(runs, wanted));
        const auto shown = slices_of(data);
        QCOMPARE(data["runs"].size(), std::size_t{2});
        for (const auto& [place, slices] : shown) {
            const RunAnalysis& analysis = *runs[static_cast<std::size_t>(place.first)].analysis;
            const RankTrace& trace = *analysis.run().ranks[static_cast<std::size_t>(place.second)];
            const TimeNs shift = analysis.since_start(static_cast<std::size_t>(place.second), 0);
            std::vector<ShownSlice> own, expected;
            for (ShownSlice slice : slices) {
                slice.slice_class = 0;
                if (slice.lane != "waits")
                    own.push_back(slice);
            }
            for (EventIndex i = 0; i < trace.events.size(); ++i)
                expected.push_back({trace.lane_of(i).name, trace.events.start[i] + shift, trace.events.duration[i],
                                    std::string(trace.event_name(i)), 0});
            std::ranges::sort(own);
            std::ranges::sort(expected);
            QVERIFY(own == expected);
        }
    }

    void takesWholeStepsAsManyAsFit() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 6;
        const AnalysedRun run = simulated(options);
        const auto all = choose_timeline_part(*run.analysis, {}, 1'000'000);
        QCOMPARE(all.note, std::string());
        QCOMPARE(all.ranks.size(), std::size_t{2});
        const std::size_t events = run.run().event_count();
        const auto half = choose_timeline_part(*run.analysis, {}, events / 2);
        QVERIFY2(half.note == "2 of 6 steps" || half.note == "3 of 6 steps", half.note.c_str());
        const auto gpu = choose_timeline_part(*run.analysis, {}, events / 12);
        QVERIFY(gpu.gpu_only);
        QVERIFY2(gpu.note.find("without the threads of the host") != std::string::npos, gpu.note.c_str());
        const auto one = choose_timeline_part(*run.analysis, {}, 40);
        QVERIFY2(one.note.find("1 of 2 ranks") != std::string::npos, one.note.c_str());
        const auto chosen = choose_timeline_part(*run.analysis, {true, TimeRange{5'000'000, 6'000'000}, 0}, 1'000'000);
        QCOMPARE(chosen.time.begin, TimeNs{5'000'000});
        QCOMPARE(chosen.time.end, TimeNs{6'000'000});
        HtmlTimeline none;
        none.shown = false;
        QCOMPARE(timeline_section(std::vector{run}, none), std::string());
    }

    void aHundredThousandSlicesTakeSomeHundredKilobytes() {
        SimulatorOptions options;
        options.dp = 4;
        options.layers = 24;
        options.steps = 12;
        options.jitter = 0.05;
        const std::vector<AnalysedRun> runs{simulated(options)};
        const std::string section = timeline_section(runs, {});
        const Json data = data_of(section);
        const auto slices = data["slices"].get<double>();
        const double bytes = static_cast<double>(section.size() - timeline_script().size());
        qInfo("%.0f slices in %.0f kB: %.1f bytes each", slices, bytes / 1000, bytes / slices);
        QVERIFY2(slices > 60'000 && slices <= 110'000, qPrintable(QString::number(slices)));
        QVERIFY(bytes / slices < 7);
    }

    void namesAreNoMarkup() {
        const std::string evil = "</script><script>document.title='x'</script><!--\"'&\x01\xFF\u202E";
        TraceBuilder rank(0);
        rank.step(1, 0, 100).launch(1, 1).kernel(evil, 7, 10, 20);
        const std::vector<AnalysedRun> runs{analysed(make_run({rank}, evil))};
        const QString html = QString::fromStdString(html_report(runs, {}));
        QCOMPARE(html.count(u"<script"_s), 2);
        QCOMPARE(html.count(u"</script>"_s), 2);
        QVERIFY(!html.contains(u"<!--"_s) && !html.contains(QChar(0x202E)));
        QCOMPARE(data_of(html.toStdString())["names"].size(), std::size_t{3}); // the step, the call, the kernel
    }

    void itRuns() {
        if (chromium().isEmpty())
            QSKIP("skipped: no chromium");
        SimulatorOptions options;
        options.dp = 2;
        std::vector<AnalysedRun> runs{simulated(options), simulated(options)};
        relate_runs(runs);
        const QTemporaryDir folder;
        QFile page(folder.filePath(u"report.html"_s));
        QVERIFY(page.open(QIODevice::WriteOnly));
        page.write(QByteArray::fromStdString(html_report(runs, {})));
        page.close();
        QProcess browser;
        browser.start(chromium(),
                      {u"--headless"_s, u"--no-sandbox"_s, u"--disable-gpu"_s, u"--virtual-time-budget=5000"_s,
                       u"--user-data-dir="_s + folder.filePath(u"profile"_s), u"--dump-dom"_s,
                       u"file://"_s + page.fileName()});
        if (!browser.waitForFinished(60'000)) {
            browser.kill();
            browser.waitForFinished();
            QSKIP("skipped: chromium does not start here");
        }
        const QString dom = QString::fromUtf8(browser.readAllStandardOutput());
        if (dom.isEmpty())
            QSKIP("skipped: chromium says nothing");
        const auto ready = QRegularExpression(u"id=\"timeline\" data-ready=\"(\\d+)\""_s).match(dom);
        QVERIFY2(ready.hasMatch(), qPrintable(dom.right(3000)));
        QVERIFY(ready.captured(1).toInt() > 10); // rows
        QVERIFY(dom.contains(QRegularExpression(u"<p class=\"slice\"[^>]*>[0-9,]+ slices</p>"_s)));
    }
};

RANKSCOPE_TEST(TestHtmlTimeline)

} // namespace rankscope::html_timeline_test

#include "test_html_timeline.moc"
