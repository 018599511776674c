// SPDX-License-Identifier: GPL-3.0-or-later
// Digests: every metric is what the full traces give, they are small, and they say what they leave out.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/analysis/digest/digest.h"
#include "core/demo/run_simulator.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/digest/trace_file.h"
#include "core/input/load/load_run.h"
#include "core/report/json_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"

namespace rankscope::digest_test {

namespace fs = std::filesystem;

namespace {

std::shared_ptr<const Run> load(const fs::path& path) {
    auto run = load_run(path);
    if (!run)
        qFatal("%s", english(run.error().message).c_str());
    return *run;
}

/// Digests of all ranks of a run, as --digest writes them. Their size.
std::uint64_t digest(const Run& run, const fs::path& folder) {
    fs::create_directories(folder);
    std::uint64_t bytes = 0;
    for (const auto& rank : run.ranks) {
        const fs::path file = folder / ("rank" + std::to_string(rank->rank) + ".digest");
        const auto written =
            write_trace_file(file, *digest_of(*rank, *stamp_of(rank->file), run), TraceFileKind::digest);
        if (!written)
            qFatal("%s", english(written.error().message).c_str());
        bytes += fs::file_size(file);
    }
    return bytes;
}

/// A digest does not keep what its host was in, so that it cannot tell that from nothing recorded.
void join_host_time(Json& fill) {
    fill["host_us"] = std::round(10 * (fill["host_us"].get<double>() + fill["unrecorded_us"].get<double>())) / 10;
    fill.erase("unrecorded_us");
}

/// What --json says of a run, without what differs by nature: its place, the notice that these are digests, and
/// what they leave out (core/accounting).
Json report_of(const std::shared_ptr<const Run>& run, const Selection& selection = {}) {
    AnalysedRun analysed;
    analysed.role = "run";
    analysed.label = "run";
    analysed.analysis = std::make_shared<RunAnalysis>(run, selection);
    analysed.metrics = compute_metrics(*analysed.analysis);
    Json document = Json::parse(metrics_json(std::span(&analysed, 1), {}));
    Json& report = document["runs"][0];
    for (const char* key : {"name", "path", "notices", "accounting", "accounting_total"})
        report.erase(key);
    report["config"].erase("run.folder");
    for (Json& step :
         report["critical_path"]) { // digests do not tell the host's time in operators from that between them
        Json& classes = step["by_class_us"];
        const double host =
            classes.value("host_operator", 0.0) + classes.value("host_other", 0.0) + classes.value("host", 0.0);
        classes.erase("host_operator");
        classes.erase("host_other");
        classes["host"] = std::round(host * 1000) / 1000; // whole ns
    }
    Json& facts = report["facts"];
    facts.erase("sentences");
    facts.erase("host_while_idle");
    join_host_time(facts["fill"]);
    for (const char* list : {"by_rank", "by_step"})
        for (Json& entry : facts[list])
            join_host_time(entry["fill"]);
    return report;
}

/// Empty when they agree.
QString difference(const Json& full, const Json& digest) {
    QString text;
    for (const auto& change : Json::diff(full, digest))
        text += QString::fromStdString(change.dump() + "\n");
    return text.left(4000);
}

} // namespace

class TestDigest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path root() const { return folder_.path().toStdString(); }

private Q_SLOTS:
    void metricsAreThoseOfTheFullTraces_data() {
        QTest::addColumn<QString>("path");
        SimulatorOptions parallel;
        parallel.pp = parallel.dp = parallel.tp = 2;
        parallel.cpu_detail = 2;
        parallel.jitter = 0.1;
        SimulatorOptions stacks;
        stacks.dp = 2;
        stacks.python_stacks = true;
        stacks.annotate_microbatches = false;
        stacks.vendor = GpuVendor::amd;
        SimulatorOptions faults;
        faults.dp = 4;
        faults.slow = {2, 1.4, SlowCause::host_bound};
        faults.clock_offsets = {0, 40000, -7000, 123456};
        int number = 0;
        for (const SimulatorOptions& options : {parallel, stacks, faults}) {
            const fs::path run = root() / ("simulated" + std::to_string(number++));
            QVERIFY(write_run(options, run));
            QTest::newRow(run.filename().c_str()) << QString::fromStdString(run.string());
        }
        const fs::path served = root() / "served";
        QVERIFY(write_run({}, served));
        std::ofstream(served / "requests.log")
            << R"({"ttft": 0.19, "e2e_latency": 1.59, "prompt_tokens": 512, "completion_tokens": 101})" << '\n'
            << R"({"ttft": 0.21, "e2e_latency": 1.41, "completion_tokens": 101, "itl": [0.012, 0.014]})" << '\n';
        QTest::newRow("served") << QString::fromStdString(served.string());
        for (const char* name :
             {"dlrm_v100_8rank", "nccl_a100", "resnet_v100_ns", "resnet_mi300_1of8", "derived_sendrecv_4rank",
              "sglang_decode", "trace_diff_control", "rccl_demo/37cu_384threads", "nsys/two_h100"}) {
            const QString path = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/") + QLatin1String(name);
            if (QFileInfo::exists(path))
                QTest::newRow(name) << path;
        }
    }
    void metricsAreThoseOfTheFullTraces() {
        QFETCH(QString, path);
        const auto loaded = load_run(path.toStdString());
        if (!loaded)
            QSKIP(english(loaded.error().message).c_str());
        const auto full = *loaded;
        QTemporaryDir folder;
        digest(*full, folder.path().toStdString());
        const auto digests = load(folder.path().toStdString());
        for (const auto& rank : digests->ranks)
            QVERIFY(rank->digest);
        QCOMPARE(difference(report_of(full), report_of(digests)), QString());
        const TimeNs length = full->span.length();
        const Selection middle{TimeRange{length / 4, length / 2}, {}};
        QCOMPARE(difference(report_of(full, middle), report_of(digests, middle)), QString());
    }

    void aDigestIsSmall() {
        SimulatorOptions options;
        options.dp = 2;
        options.layers = 8;
        options.cpu_detail = 2;
        const fs::path path = root() / "large";
        QVERIFY(write_run(options, path));
        const auto run = load(path);
        std::uint64_t text = 0;
        for (const auto& rank : run->ranks)
            text += rank->text_bytes;
        const std::uint64_t bytes = digest(*run, root() / "large_digests");
        QVERIFY2(bytes * 50 <= text, qPrintable(QStringLiteral("%1 of %2 bytes").arg(bytes).arg(text)));
    }

    void theSameTraceGivesTheSameDigest() {
        SimulatorOptions options;
        options.dp = 4;
        const fs::path path = root() / "same";
        QVERIFY(write_run(options, path));
        digest(*load(path), root() / "first");
        digest(*load(path), root() / "second");
        for (const auto& entry : fs::directory_iterator(root() / "first")) {
            std::ifstream a(entry.path(), std::ios::binary),
                b(root() / "second" / entry.path().filename(), std::ios::binary);
            QVERIFY(std::equal(std::istreambuf_iterator<char>(a), {}, std::istreambuf_iterator<char>(b), {}));
        }
    }

    void theFullTraceIsFetchedUnlessItHasChanged() {
        SimulatorOptions options;
        options.dp = 2;
        options.cpu_detail = 2;
        const fs::path path = root() / "fetched";
        QVERIFY(write_run(options, path));
        const auto full = load(path);
        digest(*full, root() / "fetched_digests");
        const auto digests = load(root() / "fetched_digests");
        const RankTrace& rank = *digests->rank(1);
        QVERIFY(rank.events.size() < full->rank(1)->events.size());
        QCOMPARE(digests->event_count(), full->event_count());
        const auto fetched = read_full_trace(rank, digests->names);
        QVERIFY(fetched);
        QCOMPARE((*fetched)->rank, 1);
        QVERIFY(!(*fetched)->digest);
        QVERIFY((*fetched)->events.start == full->rank(1)->events.start);
        // GPU work keeps its indices.
        for (EventIndex i = 0; i < rank.events.gpu_count; ++i)
            QCOMPARE(rank.event_name(i), (*fetched)->event_name(i));
        const auto text = read_event_text(rank, rank.events.gpu_count);
        QVERIFY(text);
        QVERIFY(text->find(std::string(rank.event_name(rank.events.gpu_count))) != std::string::npos);

        std::ofstream(full->rank(1)->file, std::ios::app) << " ";
        const auto changed = read_full_trace(rank, digests->names);
        QVERIFY(!changed);
        QVERIFY(english(changed.error().message).find("has changed") != std::string::npos);
        QVERIFY(!read_event_text(rank, 0));
        fs::remove(full->rank(1)->file);
        QVERIFY(english(read_full_trace(rank, digests->names).error().message).find("is not there") !=
                std::string::npos);
    }

    void aDamagedDigestCostsItsRankOnly() {
        SimulatorOptions options;
        options.dp = 3;
        const fs::path path = root() / "damaged_run";
        QVERIFY(write_run(options, path));
        digest(*load(path), root() / "damaged");
        const fs::path file = root() / "damaged" / "rank1.digest";
        fs::resize_file(file, fs::file_size(file) - 1);
        const auto run = load(root() / "damaged");
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->missing_ranks, std::vector<int>{1});
        const auto notice = std::ranges::find(run->notices, NoticeCode("unreadable_file"), &Notice::code);
        QVERIFY(notice != run->notices.end());
        QVERIFY2(english(notice->message).find("is damaged") != std::string::npos, english(notice->message).c_str());
        QVERIFY(std::ranges::find(run->notices, NoticeCode("digests"), &Notice::code) != run->notices.end());
    }
};

RANKSCOPE_TEST(TestDigest)

} // namespace rankscope::digest_test

#include "test_digest.moc"
