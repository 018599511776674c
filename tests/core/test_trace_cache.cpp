// SPDX-License-Identifier: GPL-3.0-or-later
// The cache: the same run from it as from the traces, never one of another state; and the memory budget that uses it.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "core/demo/run_simulator.h"
#include "core/input/bytes/inflate_points.h"
#include "core/input/load/load_run.h"
#include "core/input/load/memory_budget.h"
#include "core/input/load/trace_cache.h"
#include "core/report/json_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/resident_share.h"
#include "tests/support/test_program.h"

namespace rankscope::trace_cache_test {

namespace fs = std::filesystem;

namespace {

std::string report_of(const std::shared_ptr<const Run>& run) {
    AnalysedRun analysed;
    analysed.role = "run";
    analysed.label = "run";
    analysed.analysis = std::make_shared<RunAnalysis>(run, Selection());
    analysed.metrics = compute_metrics(*analysed.analysis);
    analysed.notices = run->notices;
    return metrics_json(std::span(&analysed, 1), {});
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

} // namespace

class TestTraceCache : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path root() const { return folder_.path().toStdString(); }
    fs::path cache() const { return TraceCache::default_folder(); }

    static std::shared_ptr<const Run> load(const fs::path& path, bool cached, std::uint64_t memory = 0) {
        LoadOptions options;
        options.use_cache = cached;
        options.memory_bytes = memory;
        auto run = load_run(path, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        finish_cache_writes();
        return *run;
    }
    /// Blanks behind the first events of the traces, sizes and times as before: what is known of them can only come
    /// from copies.
    static void blank(const fs::path& run) {
        for (const fs::path& file : files_in(run)) {
            if (file.extension() != ".json")
                continue;
            const auto time = fs::last_write_time(file);
            constexpr std::size_t kFront = 20'000;
            std::fstream text(file, std::ios::in | std::ios::out | std::ios::binary);
            text.seekp(kFront);
            text << std::string(static_cast<std::size_t>(fs::file_size(file)) - kFront, ' ');
            text.close();
            fs::last_write_time(file, time);
        }
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((root() / "cache").string()));
        SimulatorOptions options;
        options.dp = 2;
        options.layers = 4;
        options.steps = 6;
        options.cpu_detail = 2;
        QVERIFY(write_run(options, root() / "run"));
        QVERIFY(fs::file_size(root() / "run" / "rank0.json") > kLeastCachedBytes);
    }
    void cleanup() { fs::remove_all(cache()); }

    void theRunIsTheSameFromTheCache() {
        fs::copy(root() / "run", root() / "kept");
        const auto first = load(root() / "kept", true);
        QCOMPARE(files_in(cache()).size(), std::size_t{2});
        // What is in the file's text is found there again.
        const auto again = load(root() / "kept", true);
        const RankTrace& rank = *again->ranks.back();
        const auto text = read_event_text(rank, rank.events.size() - 1);
        QVERIFY(text && text->find(std::string(rank.event_name(rank.events.size() - 1))) != std::string::npos);
        blank(root() / "kept");
        QCOMPARE(report_of(load(root() / "kept", true)), report_of(first));
    }

    /// Other programs may clean the cache up while a run from it is looked at.
    void aCopyMayBeCutOffWhileItIsUsed() {
        const auto whole = load(root() / "run", true);
        const auto run = load(root() / "run", true);
        for (const fs::path& copy : files_in(cache()))
            fs::resize_file(copy, 100);
        QVERIFY(run->ranks[0]->events.start == whole->ranks[0]->events.start &&
                run->ranks[1]->events.link == whole->ranks[1]->events.link);
        QCOMPARE(report_of(run), report_of(whole));
    }

    /// The budget counts what comes from the cache as well.
    void ranksFromTheCacheCountAsMemory() {
        const auto first = load(root() / "run", true);
        const auto again = load(root() / "run", true);
        QCOMPARE(again->ranks.front()->events.start.heap_bytes(), first->ranks.front()->events.start.heap_bytes());
        QCOMPARE(again->ranks.front()->events.kind.heap_bytes(), first->ranks.front()->events.kind.heap_bytes());
    }

    void withoutTheCacheNothingIsWritten() {
        load(root() / "run", false);
        QVERIFY(!fs::exists(cache()));
    }

    void aChangedTraceIsReadAnew() {
        fs::copy(root() / "run", root() / "changed");
        load(root() / "changed", true);
        const auto time = fs::last_write_time(root() / "changed" / "rank1.json");
        std::ofstream(root() / "changed" / "rank1.json")
            << R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "new", "pid": 0, "tid": 7, "ts": 1, "dur": 2}]})";
        fs::last_write_time(root() / "changed" / "rank1.json", time);
        const auto run = load(root() / "changed", true);
        QVERIFY(run->ranks[0]->events.size() > 1000);
        QCOMPARE(run->ranks[1]->event_name(0), std::string_view("new"));
    }

    void aDamagedCopyIsReplaced() {
        load(root() / "run", true);
        const std::vector<fs::path> copies = files_in(cache());
        {
            std::fstream file(copies.front(), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(fs::file_size(copies.front()) / 2));
            file.write("damaged!", 8);
        }
        fs::resize_file(copies.back(), fs::file_size(copies.back()) / 2);
        const auto size = fs::file_size(copies.front());
        const auto run = load(root() / "run", true);
        QVERIFY(std::ranges::none_of(run->notices, [](const Notice& n) { return n.code == "unreadable_file"; }));
        QCOMPARE(report_of(run), report_of(load(root() / "run", false)));
        QCOMPARE(files_in(cache()), copies);
        for (const fs::path& copy : copies)
            QVERIFY(fs::file_size(copy) > size / 4 * 3); // whole again
    }

    void whatWasUsedLongestAgoGoes() {
        const auto run = load(root() / "run", true);
        const std::vector<fs::path> copies = files_in(cache());
        const auto size = fs::file_size(copies.front());
        const TraceCache small(cache(), size * 5 / 2);
        fs::last_write_time(copies.front(), fs::file_time_type::clock::now() - std::chrono::hours(2));
        QVERIFY(small.keep("another", {run->ranks.front()}));
        QVERIFY(!fs::exists(copies.front()));
        QVERIFY(fs::exists(copies.back()));
        QVERIFY(fs::exists(small.path_of("another", 0)));
        QVERIFY(small.find("another", "elsewhere", std::make_shared<StringTable>()));
        QVERIFY(!small.find("yet another", "elsewhere", std::make_shared<StringTable>()));
    }

    void beyondTheBudgetEventsStayOnDisk() {
        const auto whole = load(root() / "run", false);
        const std::uint64_t rank = whole->ranks.front()->memory_bytes();
        // Room to read one file, but not to keep both.
        const auto run = load(root() / "run", false, std::max<std::uint64_t>(rank * 19 / 10, 1));
        const auto notice = std::ranges::find(run->notices, NoticeCode("memory_budget"), &Notice::code);
        if (notice == run->notices.end())
            QFAIL("no notice");
        QCOMPARE(notice->count, std::int64_t{1});
        QCOMPARE(std::ranges::count_if(run->ranks, [](const auto& r) { return r->events.start.heap_bytes() == 0; }),
                 std::ptrdiff_t{1});
        for (std::size_t r = 0; r < run->ranks.size(); ++r)
            QVERIFY(run->ranks[r]->events.start == whole->ranks[r]->events.start &&
                    run->ranks[r]->events.link == whole->ranks[r]->events.link);
        QVERIFY(files_in(cache()).empty());
    }

    /// The system reads some pages around one that is looked at; so shares, not none.
    void eventsOfTheCpuLeaveMemoryAndComeBackWhenLookedAt() {
        SimulatorOptions options;
        options.layers = 8;
        options.steps = 30;
        options.cpu_detail = 3;
        QVERIFY(write_run(options, root() / "long"));
        const auto whole = load(root() / "long", false);
        const RankTrace& kept = *whole->ranks.front();
        QVERIFY(resident_share(kept.events.start, kept.events.gpu_count) > 0.99);
        const auto moved = moved_to_disk(whole->ranks.front(), std::make_shared<StringTable>());
        QVERIFY(moved);
        const Column<TimeNs>& start = (*moved)->events.start;
        const EventIndex gpu_count = (*moved)->events.gpu_count;
        release_cpu_events(**moved);
        QVERIFY(resident_share(start, gpu_count) < 0.1);
        QVERIFY(start == kept.events.start);
        QVERIFY(resident_share(start, gpu_count) > 0.9);
        release_cpu_events(**moved);
        QVERIFY(resident_share(start, gpu_count) < 0.1);
        QVERIFY((*moved)->events.duration == kept.events.duration && (*moved)->events.link == kept.events.link);
    }

    void aFileBeyondTheBudgetIsRefused() {
        LoadOptions options;
        options.memory_bytes = 300'000;
        const auto run = load_run(root() / "run", options);
        QVERIFY(!run);
        const QString message = QString::fromStdString(english(run.error().message));
        QVERIFY2(message.contains("memory budget"), qPrintable(message));
        QVERIFY(!message.contains('\n'));
    }

    void eventsOfGzipFilesAreReadFromSavedPoints() {
        SimulatorOptions options;
        options.layers = 8;
        options.steps = 50;
        options.microbatches = 8;
        options.cpu_detail = 3;
        options.compression = Compression::gzip;
        QVERIFY(write_run(options, root() / "gzipped"));
        const auto run = load(root() / "gzipped", false);
        const RankTrace& rank = *run->ranks.front();
        QVERIFY(rank.text_bytes > (70u << 20));
        QVERIFY(rank.locator.points);
        QVERIFY(rank.locator.points->before(rank.text_bytes)->text_offset >= 64u << 20);
        std::mt19937 random(5);
        for (int i = 0; i < 20; ++i) {
            const auto event = static_cast<EventIndex>(random() % rank.events.size());
            const auto text = read_event_text(rank, event);
            QVERIFY(text);
            const std::string start = std::to_string(rank.events.duration[event] / 1000);
            QVERIFY2(text->find(std::string(rank.event_name(event))) != std::string::npos &&
                         text->find(start) != std::string::npos,
                     text->c_str());
        }
    }
};

RANKSCOPE_TEST(TestTraceCache)

} // namespace rankscope::trace_cache_test

#include "test_trace_cache.moc"
