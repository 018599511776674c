// SPDX-License-Identifier: GPL-3.0-or-later
// One file on all cores: the model is to the last byte that of one thread; and lanes of many rows, which must not make
// links a walk.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/demo/run_simulator.h"
#include "core/input/digest/trace_file.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::one_model_test {

namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The innermost operator at or around an event, step by step.
EventIndex operator_at(const RankTrace& rank, EventIndex event) {
    while (event != kNoEvent && rank.events.kind[event] != EventKind::cpu_op)
        event = rank.parent_of(event);
    return event;
}

/// The event that holds a time and lies in the deepest row, by looking at all.
EventIndex innermost_at(const RankTrace& rank, const Lane& lane, TimeNs time) {
    for (std::uint32_t row = lane.first_row + lane.row_count; row-- > lane.first_row;) {
        EventIndex last = kNoEvent;
        for (EventIndex i = rank.rows[row].begin; i < rank.rows[row].end && rank.events.start[i] <= time; ++i)
            last = i;
        if (last != kNoEvent && rank.events.end(last) >= time)
            return last;
    }
    return kNoEvent;
}

} // namespace

class TestOneModel : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path root() const { return folder_.path().toStdString(); }

    /// Everything of the model, as the cache would keep it.
    std::string model_on(int threads, const fs::path& file) const {
        LoadOptions options;
        options.jobs = threads;
        options.use_cache = false;
        const auto run = load_run(file, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        const fs::path copy = root() / "model";
        if (const auto written = write_trace_file(copy, *(*run)->ranks.front(), TraceFileKind::cache); !written)
            qFatal("%s", english(written.error().message).c_str());
        return bytes_of(copy);
    }

private Q_SLOTS:
    void theNumberOfThreadsDoesNotShow_data() {
        QTest::addColumn<QString>("file");
        SimulatorOptions options;
        options.tp = 2;
        options.layers = 6;
        options.steps = 6;
        options.cpu_detail = 2;
        QVERIFY(write_run(options, root() / "plain"));
        options.compression = Compression::gzip;
        QVERIFY(write_run(options, root() / "gzipped"));
        QVERIFY(fs::file_size(root() / "plain" / "rank0.json") > 5'000'000); // several blocks
        QTest::addRow("simulated") << QString::fromStdString(root() / "plain" / "rank0.json");
        QTest::addRow("simulated, gzip'd") << QString::fromStdString(root() / "gzipped" / "rank1.json.gz");
        if (!QDir(QStringLiteral(RANKSCOPE_SHARED_DIR "/traces")).exists())
            qWarning("skipped: no shared traces");
        for (const char* name : {"dlrm_v100_8rank", "nccl_a100", "trace_diff_control", "resnet_mi300_1of8",
                                 "sglang_decode", "amd_mi250", "memory"}) {
            QDirIterator files(QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/") + QLatin1String(name),
                               {QStringLiteral("*.json"), QStringLiteral("*.json.gz")}, QDir::Files);
            if (files.hasNext())
                QTest::addRow("%s", name) << files.next();
        }
    }
    void theNumberOfThreadsDoesNotShow() {
        QFETCH(QString, file);
        const fs::path path = file.toStdString();
        const std::string one = model_on(1, path);
        QVERIFY(!one.empty());
        for (const int threads : {2, 4, 4})
            QVERIFY2(model_on(threads, path) == one, qPrintable(QString::number(threads)));
    }

    void anEventTakesAtMost32Bytes() {
        LoadOptions options;
        options.use_cache = false;
        const auto run = load_run(root() / "plain", options);
        QVERIFY(run);
        for (const auto& rank : (*run)->ranks) {
            const double each = static_cast<double>(rank->memory_bytes()) / rank->events.size();
            QVERIFY2(each > 29 && each <= 32, qPrintable(QString::number(each)));
        }
    }

    /// Events that nest, overlap and coincide in a few hundred rows: each launch and sample finds what a walk up the
    /// rows finds.
    void theOperatorAroundIsThatOfAWalk() {
        std::mt19937 random(5);
        for (int round = 0; round < 6; ++round) {
            TraceBuilder builder(0);
            const int longest = round % 2 == 0 ? 3000 : 200;
            for (int i = 0; i < 1500; ++i) {
                const double start = static_cast<int>(random() % 4000);
                const double duration = static_cast<int>(random() % longest);
                switch (random() % 4) {
                case 0: builder.runtime("cudaLaunchKernel", start, duration).correlation(i + 1); break;
                case 1: builder.annotation("note", start, duration); break;
                default: builder.cpu_op("op", start, duration);
                }
                if (random() % 3 == 0)
                    builder.kernel("k", 7, start, 1).correlation(i + 1).external_id(i + 1);
                if (random() % 3 == 0)
                    builder.memory_sample(static_cast<int>(random() % 4200), {});
            }
            const auto rank = builder.build();
            const auto lane = std::ranges::find(rank->lanes, LaneKind::cpu_thread, &Lane::kind);
            QVERIFY(lane->row_count > 64 || longest < 3000);
            for (EventIndex i = 0; i < rank->events.gpu_count; ++i)
                QCOMPARE(rank->gpu.operator_event[i], operator_at(*rank, rank->events.link[i]));
            for (const MemorySample& sample : rank->memory_samples)
                QCOMPARE(sample.operator_event, operator_at(*rank, innermost_at(*rank, *lane, sample.time)));
        }
    }

    /// One step copied into its file again and again: as many rows as copies.
    void twoHundredThousandEventsAroundEachOtherAreLinked() {
        constexpr int kDeep = 200'000;
        TraceBuilder builder(0);
        for (int i = 0; i < kDeep; ++i)
            builder.cpu_op("op", 0, 1000);
        for (int i = 0; i < kDeep / 10; ++i) {
            builder.launch(500, 10);
            builder.kernel("k", 7, 2000 + i, 1).external_id(-1);
            builder.memory_sample(400, {});
        }
        builder.forward_backward(300, TraceBuilder::kMainThread, 700, TraceBuilder::kMainThread);
        const auto rank = builder.build();
        QCOMPARE(rank->rows.size(), std::size_t{1 + kDeep + kDeep / 10});
        const EventIndex deepest =
            rank->rows[kDeep].begin; // the last operator: row kDeep - 1 of the thread, behind that of the stream
        QCOMPARE(rank->events.kind[deepest], EventKind::cpu_op);
        QVERIFY(std::ranges::all_of(
            rank->gpu.operator_event, [&](EventIndex op) { return op == deepest; }));
        QVERIFY(std::ranges::all_of(rank->memory_samples,
                                    [&](const MemorySample& sample) { return sample.operator_event == deepest; }));
        QCOMPARE(rank->flows.size(), std::size_t{1});
        QCOMPARE(rank->flows[0].to, deepest);
    }

    /// Stairs: each starts before the one before it ends, and none holds another.
    void stairsHaveNobodyAround() {
        constexpr int kStairs = 200'000;
        TraceBuilder builder(0);
        for (int i = 0; i < kStairs; ++i)
            builder.runtime("cudaLaunchKernel", i, kStairs).correlation(i + 1);
        for (int i = 0; i < kStairs; ++i)
            builder.kernel("k", 7, i, 1).correlation(i + 1).external_id(i + 1);
        const auto rank = builder.build();
        QCOMPARE(rank->rows.size(), std::size_t{1 + kStairs});
        QVERIFY(std::ranges::all_of(rank->gpu.operator_event, [](EventIndex op) { return op == kNoEvent; }));
    }
};

RANKSCOPE_TEST(TestOneModel)

} // namespace rankscope::one_model_test

#include "test_one_model.moc"
