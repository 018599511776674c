// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions, held against the simulator run with the change for real.
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include <QTemporaryDir>
#include <QtTest>

#include "core/analysis/whatif/what_if.h"
#include "core/demo/training_program.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/fault_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::what_if_test {

namespace {

using Apply = void (*)(SimulatorOptions&);

void freeCommunication(SimulatorOptions& o) {
    o.intra_node_gb_s = o.inter_node_gb_s = std::numeric_limits<double>::infinity();
    o.collective_latency = 0;
}

void twiceAsFast(SimulatorOptions& o) {
    o.intra_node_gb_s *= 2;
    o.inter_node_gb_s *= 2;
    o.collective_latency /= 2;
}

void fasterGemms(SimulatorOptions& o) {
    o.forward_layer = transformer_forward_layer(o.vendor);
    o.backward_layer = transformer_backward_layer(o.vendor);
    for (auto* layer : {&o.forward_layer, &o.backward_layer})
        for (LayerKernel& kernel : *layer)
            if (kernel.kernel.find("gemm") != std::string::npos)
                kernel.duration /= 2;
}

Change change(std::string_view text) {
    const auto parsed = parse_change(text);
    return parsed ? *parsed : Change{};
}

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// All in one stream, as some programs run NCCL: 100 us of computation, 10 us of an all-reduce, 100 us of
    /// computation. Without waiting for the all-reduce a step takes 200 us, not 100.
    void aStreamDoesOneThingAfterTheOther() {
        std::vector<TraceBuilder> ranks;
        for (const int number : {0, 1}) {
            TraceBuilder rank(number);
            for (int i = 0; i < 3; ++i) {
                const double at = 1000.0 * i;
                rank.step(i, at, 300);
                rank.launch(at + 1, 1).kernel("gemm", 7, at + 10, 100);
                rank.launch(at + 3, 1).collective(
                    "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 7, at + 110, 10,
                    {.collective = "allreduce", .in_elements = 1024, .out_elements = 1024, .group = {"0", "", {0, 1}}});
                rank.launch(at + 5, 1).kernel("gemm", 7, at + 120, 100);
                rank.runtime("cudaDeviceSynchronize", at + 8, 220);
            }
            ranks.push_back(rank);
        }
        const std::vector<Change> changes{change("overlap=perfect")};
        const Prediction prediction = RunAnalysis(make_run(ranks), {}).predict(changes).front();
        QVERIFY(prediction.unavailable.empty());
        QVERIFY2(prediction.predicted >= 200'000 && prediction.predicted <= prediction.measured,
                 qPrintable(QString::number(prediction.predicted)));
    }

    /// The host launches 100 us of work into another stream when 100 us of work end: the GPU has nothing to do for 10
    /// us at the start. Launched at once, both would run beside each other, and a step would take 100 us less. Nobody
    /// knows whether they can, so that the host costs what the GPU has nothing to do.
    void aFasterHostSavesNoMoreThanTheGpuIsIdle() {
        TraceBuilder rank(0);
        for (int i = 0; i < 3; ++i) {
            const double at = 1000.0 * i;
            rank.step(i, at, 220);
            rank.launch(at + 5, 1).kernel("gemm", 7, at + 10, 100);
            rank.launch(at + 105, 1).kernel("relu", 9, at + 110, 100);
            rank.runtime("cudaDeviceSynchronize", at + 107, 104);
        }
        const std::vector<Change> changes{change("host=0")};
        const Prediction prediction = RunAnalysis(make_run({rank}), {}).predict(changes).front();
        QVERIFY(prediction.unavailable.empty());
        QVERIFY2(prediction.predicted >= 200'000 && prediction.predicted < prediction.measured,
                 qPrintable(QString::number(prediction.predicted)));
        QCOMPARE(prediction.notes.size(), std::size_t{1});
        QVERIFY(english(prediction.notes.front()).starts_with("cut to the time that the GPUs have nothing to do"));
    }

    void predictionsAreWhatTheChangeDoes_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("shape");
        QTest::addColumn<Apply>("apply");
        const auto row = [](const char* text, Apply apply) {
            for (const int shape : {0, 1, 2, 3})
                QTest::addRow("%s, shape %d", text, shape) << QByteArray(text) << shape << apply;
        };
        row(
            "straggler=median", [](SimulatorOptions& o) { o.faults.clear(); });
        row("rank.1=peers", [](SimulatorOptions& o) { o.faults.clear(); });
        row("comm=0", freeCommunication);
        row("comm=2x", twiceAsFast);
        row("overlap=perfect", [](SimulatorOptions& o) { o.compute_waits = false; });
        row("host=2x", [](SimulatorOptions& o) {
            o.host = {o.host.before_launch / 2, o.host.launch / 2, o.host.after_launch / 2};
            o.data_loading_time /= 2;
            o.step_return_time /= 2;
        });
        row("kernel:gemm=2x", fasterGemms);
        row(
            "host=0",
            [](SimulatorOptions& o) {
                o.host = {32, 1, 1}; // as little as its operators fit into
                o.data_loading_time = o.step_return_time = 0;
            });
        QTest::newRow("comm.tp=2x, shape 1")
            << QByteArray("comm.tp=2x") << 1 << Apply([](SimulatorOptions& o) { o.intra_node_gb_s *= 2; });
        QTest::newRow("comm.tp=0, shape 2")
            << QByteArray("comm.tp=0") << 2
            << Apply([](SimulatorOptions& o) { o.intra_node_gb_s = std::numeric_limits<double>::infinity(); });
        QTest::newRow("comm.dp=3x, shape 0")
            << QByteArray("comm.dp=3x") << 0 << Apply([](SimulatorOptions& o) { o.inter_node_gb_s *= 3; });
        QTest::newRow("comm.mesh_dp=0, shape 1")
            << QByteArray("comm.mesh_dp=0") << 1
            << Apply([](SimulatorOptions& o) { o.inter_node_gb_s = std::numeric_limits<double>::infinity(); });
        row("microbatches=16", [](SimulatorOptions& o) { o.microbatches = 16; });
    }
    void predictionsAreWhatTheChangeDoes() {
        QFETCH(QByteArray, text);
        QFETCH(int, shape);
        QFETCH(Apply, apply);
        SimulatorOptions options;
        options.pp = std::array{1, 1, 2, 4}[shape];
        options.dp = std::array{4, 2, 2, 2}[shape];
        options.tp = std::array{1, 2, 2, 1}[shape];
        options.microbatches =
            text.startsWith("microbatches") && shape == 3 ? 10 : 6; // fewer do not show four stages' rhythm
        options.jitter = 0.01;
        options.memory_instants = false;
        options.inter_node_gb_s = 30;
        options.intra_node_gb_s = 60;
        if (text.startsWith("comm."))
            options.collective_latency = 0; // which all dimensions share
        options.faults = {Fault{FaultCause::slower_kernels, 1, 1.25, 0, Dimension::data}};
        const QTemporaryDir folder;
        const auto truth = write_run(options, folder.path().toStdString());
        QVERIFY2(truth.has_value(), truth ? "" : english(truth.error().message).c_str());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const Change changes[] = {change(text.toStdString())};
        const std::vector<Prediction> predictions = analysis.predict(changes);
        QCOMPARE(predictions.size(), 1U);
        QVERIFY2(predictions[0].unavailable.empty(), english(predictions[0].unavailable).c_str());
        QVERIFY(std::abs(predictions[0].measured / mean_step(*truth) - 1) < 1e-6);
        apply(options);
        const auto real = simulate(options);
        QVERIFY2(real.has_value(), real ? "" : english(real.error().message).c_str());
        const double error = predictions[0].predicted / mean_step(real->truth) - 1;
        qInfo("measured %.3f ms, predicted %.3f, really %.3f: %+.2f %%", predictions[0].measured / 1e6,
              predictions[0].predicted / 1e6, mean_step(real->truth) / 1e6, 100 * error);
        QVERIFY2(std::abs(error) < 0.02, qPrintable(QStringLiteral("measured %1 ms, predicted %2, really %3: %4 %")
                                                        .arg(predictions[0].measured / 1e6)
                                                        .arg(predictions[0].predicted / 1e6)
                                                        .arg(mean_step(real->truth) / 1e6)
                                                        .arg(100 * error)));
    }

    void severalChangesAreToldOneByOneAndTogether() {
        SimulatorOptions options;
        options.dp = 4;
        options.faults = {Fault{FaultCause::slower_kernels, 1, 1.25, 0, Dimension::data}};
        const QTemporaryDir folder;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const Change changes[] = {change("straggler=median"), change("comm.dp=0"), change("comm.tp=0")};
        const std::vector<Prediction> predictions = RunAnalysis(*run, {}).predict(changes);
        QCOMPARE(predictions.size(), 4U);
        QCOMPARE(predictions[3].changes.size(), 3U);
        QVERIFY(predictions[3].predicted < predictions[0].predicted &&
                predictions[3].predicted < predictions[1].predicted);
        QCOMPARE(predictions[2].predicted, predictions[2].measured); // there is no tp
        QCOMPARE(english(predictions[2].notes), (std::vector<std::string>{"no communication of tp: nothing changes"}));
    }

    /// Passes by their annotations, 1F1B and its microbatches played through: the messages of the simulator are not
    /// free.
    void anotherScheduleIsPlayedThrough() {
        SimulatorOptions options;
        options.pp = 4;
        options.dp = 2;
        options.microbatches = 8;
        options.memory_instants = false;
        const QTemporaryDir folder;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const Change changes[] = {change("schedule=1f1b"), change("schedule=gpipe"), change("schedule=interleaved:3"),
                                  change("schedule=zero_bubble")};
        const auto predictions = analysis.predict(changes);
        QCOMPARE(predictions.size(), 5U);
        QVERIFY2(predictions[0].unavailable.empty(), english(predictions[0].unavailable).c_str());
        QVERIFY(std::abs(predictions[0].predicted / predictions[0].measured - 1) < 1e-9); // it is what ran
        // As many bubbles; but messages of other microbatches hide each other.
        QVERIFY(predictions[1].predicted <= predictions[0].predicted * (1 + 1e-9));
        QVERIFY(predictions[1].predicted > predictions[0].predicted * 0.95);
        QVERIFY(predictions[2].predicted < predictions[0].predicted);
        QVERIFY(predictions[3].predicted < predictions[0].predicted);
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(!predictions[i].assumes.empty());
        QCOMPARE(english(predictions[4].unavailable), std::string("a pipeline cannot run two schedules at once"));
    }

    /// 2000 kernels of 50 us behind each other; 400 launches of 4 us fit in the queue, and each later one lasts until a
    /// kernel has started. Kernels twice as fast let the host make its calls twice as early: without the queue the last
    /// launch would stay at 80 ms.
    void launchesIntoAFullQueueComeAsEarlyAsTheGpuLetsThem() {
        constexpr int kKernels = 2000;
        constexpr int kPlaces = 400;
        constexpr double kKernel = 50;
        TraceBuilder rank(0);
        double host = 0;
        for (int i = 0; i < kKernels; ++i) {
            const double room = i < kPlaces ? 0 : 10 + kKernel * (i - kPlaces);
            const double end = std::max(host, room) + 4;
            rank.launch(host, end - host).kernel("gemm", 7, 10 + kKernel * i, kKernel);
            host = end;
        }
        const RunAnalysis analysis(make_run({rank}), {});
        const Change changes[] = {change("kernel:gemm=2x"), change("kernel:gemm=1x"), change("host=2x")};
        const auto predictions = analysis.predict(changes);
        QCOMPARE(std::llround(predictions[0].measured / 1000), 10LL + 50 * kKernels);
        QVERIFY2(std::abs(predictions[0].predicted / 1000 - (10 + 25 * kKernels)) < 100,
                 qPrintable(QString::number(predictions[0].predicted)));
        QCOMPARE(predictions[1].predicted, predictions[1].measured);
        QVERIFY(predictions[0].assumes.empty());
        QVERIFY(predictions[2].predicted > 0.99 * predictions[2].measured); // the GPU is busy all the time
    }

    void aHostThatIsNotRecordedIsNotMadeFaster() {
        TraceBuilder rank(0);
        for (int i = 0; i < 10; ++i)
            rank.kernel("gemm", 7, 100 * i, 50);
        const Change changes[] = {change("host=0"), change("kernel:gemm=2x")};
        const auto predictions = RunAnalysis(make_run({rank}), {}).predict(changes);
        QCOMPARE(english(predictions[0].unavailable),
                 std::string("no launches of GPU work are recorded, so nothing tells what the host does"));
        QVERIFY(predictions[1].unavailable.empty());
    }

    /// Sixty repetitions of 100 us, then a kernel of 400 us that is in none.
    void workAfterTheLastRepetitionIsOfNoStep() {
        TraceBuilder rank(0);
        for (int i = 0; i < 60; ++i) {
            const double start = 100.0 * i;
            rank.launch(start, 1).kernel("gemm", 7, start + 5, 60);
            rank.launch(start + 2, 1).kernel("norm", 7, start + 65, 20);
            rank.runtime("cudaDeviceSynchronize", start + 4, 82);
        }
        rank.launch(6000, 1).kernel("head", 7, 6005, 400);
        const RunAnalysis analysis(make_run({rank}), {});
        QCOMPARE(analysis.findings().step_time, 100e3);
        const Change changes[] = {change("kernel:head=0.5x"), change("kernel:gemm=2x")};
        const auto predictions = analysis.predict(changes);
        QCOMPARE(predictions[0].predicted, predictions[0].measured);
        QCOMPARE(predictions[1].predicted, 70e3);
    }

    /// The GPU is idle from 100 us on; a copy that was launched as the idle time began, or a little later, starts 800
    /// us later. What it waits for is not recorded: no host of any speed saves that.
    void aWaitThatNothingExplainsIsKept_data() {
        QTest::addColumn<double>("launched");
        QTest::newRow("before the GPU is idle") << 60.0;
        QTest::newRow("after") << 140.0;
    }
    void aWaitThatNothingExplainsIsKept() {
        QFETCH(double, launched);
        TraceBuilder rank(0);
        for (int step = 0; step < 4; ++step) {
            const double start = 1000.0 * step;
            rank.step(step + 1, start, 1000).launch(start, 2).kernel("gemm", 7, start + 5, 95);
            rank.launch(start + launched, 2, "cudaMemcpyAsync").memory_copy("Memcpy DtoH", 7, start + 900, 90);
            rank.runtime("cudaDeviceSynchronize", start + launched + 4, 990 - launched - 4);
        }
        const RunAnalysis analysis(make_run({rank}), {});
        const Change changes[] = {change("host=0")};
        const Prediction free = analysis.predict(changes).front();
        QVERIFY2(free.measured - free.predicted < 60e3, QByteArray::number(free.predicted));
        for (const Finding& finding : analysis.findings().list)
            QVERIFY2(finding.code != FindingCode::host_bound || finding.cost < 60e3, english(finding.title).c_str());
    }

    void whatIsNotThereChangesNothing() {
        SimulatorOptions options;
        options.dp = 2;
        const QTemporaryDir folder;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const Change changes[] = {change("rank.9=peers"), change("stages=even"), change("operation.sorting=ideal"),
                                  change("link.nowhere=peers"), change("schedule=1f1b")};
        const auto predictions = RunAnalysis(*run, {}).predict(changes);
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(predictions[i].predicted, predictions[i].measured);
            QVERIFY(english(predictions[i].notes.front()).ends_with("nothing changes"));
        }
        QVERIFY(!predictions[4].unavailable.empty());
    }

    /// The operations of a job recorded in production, whose last stage has too much work.
    void operationTimelinesAreReplayedToo() {
        const auto path = std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces/operations_st";
        if (!std::filesystem::is_directory(path))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(path);
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const Change changes[] = {change("stages=even"), change("operation.forward-compute=ideal"), change("host=0")};
        const auto predictions = analysis.predict(changes);
        QVERIFY2(predictions[0].unavailable.empty(), english(predictions[0].unavailable).c_str());
        QVERIFY(predictions[0].predicted < 0.9 * predictions[0].measured); // S is 1.18, S of the last stage 1.23
        QVERIFY(predictions[1].predicted < predictions[1].measured);
        QVERIFY(!predictions[2].unavailable.empty());
    }

    /// Each change reads the unchanged run: no pair depends on its order, and what only takes time away is never slower
    /// together than one of both alone.
    void pairsAreToldInEitherOrder_data() {
        QTest::addColumn<QByteArray>("trace");
        QTest::addColumn<int>("shape");
        for (const char* trace : {"dlrm_v100_8rank", "nccl_a100", "trace_diff_control", "derived_sendrecv_4rank",
                                  "rccl_demo/56cu_256threads", "faults/healthy_head_pp_inner", "operations_st"})
            QTest::newRow(trace) << QByteArray(trace) << -1;
        for (const int shape : {0, 1, 2, 3})
            QTest::addRow("simulated, shape %d", shape) << QByteArray() << shape;
    }
    void pairsAreToldInEitherOrder() {
        QFETCH(QByteArray, trace);
        QFETCH(int, shape);
        QTemporaryDir folder;
        std::filesystem::path path = std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / trace.toStdString();
        if (shape >= 0) {
            SimulatorOptions options;
            options.pp = std::array{1, 1, 2, 4}[shape];
            options.dp = std::array{4, 2, 2, 2}[shape];
            options.tp = std::array{1, 2, 2, 1}[shape];
            options.jitter = 0.02;
            options.memory_instants = false;
            options.inter_node_gb_s = 30;
            options.intra_node_gb_s = 60;
            options.faults = {Fault{FaultCause::slower_kernels, 1, 1.25, 0, Dimension::data}};
            path = folder.path().toStdString();
            QVERIFY(write_run(options, path).has_value());
        } else if (!std::filesystem::is_directory(path)) {
            QSKIP("skipped: no shared traces");
        }
        const auto run = load_run(path);
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        // Those before "straggler=median" only take time away; it makes what was shorter than on the peers longer, too.
        const std::array<const char*, 13> texts{"comm=0",           "comm=2x",          "overlap=perfect",
                                                "host=0",           "host=2x",          "kernel:.*=2x",
                                                "kernel:gemm=1.5x", "straggler=median", "rank.1=peers",
                                                "stages=even",      "stage.0=mean",     "operation.compute=ideal",
                                                "schedule=gpipe"};
        constexpr std::size_t kTakeAway = 8;
        int pairs = 0;
        for (std::size_t a = 0; a < texts.size(); ++a)
            for (std::size_t b = a + 1; b < texts.size(); ++b) {
                const Change one[] = {change(texts[a]), change(texts[b])};
                const Change other[] = {change(texts[b]), change(texts[a])};
                const auto predictions = analysis.predict(one);
                const Prediction together = predictions[2];
                const Prediction turned = analysis.predict(other)[2];
                const std::string pair = std::string(texts[a]) + ", " + texts[b];
                QVERIFY2(together.predicted == turned.predicted, pair.c_str());
                QCOMPARE(together.unavailable.empty(), turned.unavailable.empty());
                if (b >= kTakeAway || !together.unavailable.empty())
                    continue;
                ++pairs;
                const double least = std::min(predictions[0].predicted, predictions[1].predicted);
                const bool exact = std::string_view(texts[b]) != "straggler=median";
                QVERIFY2(together.predicted <= least * (exact ? 1 + 1e-9 : 1.005),
                         qPrintable(QStringLiteral("%1: %2 and %3 ms, together %4")
                                        .arg(pair.c_str())
                                        .arg(predictions[0].predicted / 1e6)
                                        .arg(predictions[1].predicted / 1e6)
                                        .arg(together.predicted / 1e6)));
            }
        QVERIFY(pairs > 0);
    }

    /// Worked out by hand: a rank's kernel takes 40 ns where its peers' takes 20, and twice the speed halves what is
    /// left.
    void speedsApplyToWhatOtherChangesSet() {
        const auto run = [] {
            std::vector<TraceBuilder> ranks;
            for (int rank = 0; rank < 3; ++rank) {
                TraceBuilder& builder = ranks.emplace_back(rank);
                for (int step = 0; step < 3; ++step) {
                    const double begin = 1000.0 * step;
                    const double own = rank == 1 ? 400 : 200;
                    builder.step(step, begin, 1000)
                        .launch(begin, 1)
                        .kernel("gemm", 7, begin + 2, own)
                        .launch(begin + 1, 1)
                        .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 7, begin + 2 + own, 450 - own,
                                    {.collective = "allreduce", .group = {"dp", "mesh_dp", {0, 1, 2}, 3}})
                        .runtime("cudaDeviceSynchronize", begin + 3, 451);
                }
            }
            return make_run(ranks, "run", {{"Model-executor.model_plan_parallelization.dp_replicate", "3"}});
        }();
        const RunAnalysis analysis(run, {});
        const Change changes[] = {change("rank.1=peers"), change("kernel:gemm=2x")};
        const auto predictions = analysis.predict(changes);
        const double measured = predictions[0].measured;
        QVERIFY(std::abs(measured - predictions[0].predicted - 200'000) < 1); // 400 us becomes 200
        QVERIFY(std::abs(measured - predictions[1].predicted - 200'000) < 1); // and 200
        QVERIFY(std::abs(measured - predictions[2].predicted - 300'000) < 1); // and both of them 100
    }

    void badChangesAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"",
                                 "straggler",
                                 "straggler=mean",
                                 "comm=fast",
                                 "comm=-2x",
                                 "comm.=0",
                                 "overlap=some",
                                 "kernel:=2x",
                                 "kernel:(=2x",
                                 "microbatches=0",
                                 "microbatches=many",
                                 "rank.=peers",
                                 "rank.1=median",
                                 "rank.x=peers",
                                 "stage.1=even",
                                 "stages=mean",
                                 "operation.=ideal",
                                 "operation.compute=0",
                                 "link.=peers",
                                 "link.a=2x",
                                 "schedule=",
                                 "schedule=fast",
                                 "schedule=1f1b:2",
                                 "schedule=interleaved:1",
                                 "host=0x",
                                 "gpu=2x",
                                 "=2x"})
            QTest::newRow(text) << QByteArray(text);
    }
    void badChangesAreRefused() {
        QFETCH(QByteArray, text);
        const auto parsed = parse_change(text.toStdString());
        QVERIFY(!parsed.has_value());
        QCOMPARE(parsed.error().code, Error::Code::usage);
        QVERIFY(english(parsed.error().message).find('\n') == std::string::npos);
    }
};

RANKSCOPE_TEST(TestWhatIf)

} // namespace rankscope::what_if_test

#include "test_what_if.moc"
