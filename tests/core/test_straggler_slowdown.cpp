// SPDX-License-Identifier: GPL-3.0-or-later
// Slowdown by stragglers: worked out by hand, of made-up jobs, and against what the paper's authors print.
#include <QtTest>

#include <fstream>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/analysis/usual/same_work.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/views/worker_map.h"
#include "tests/support/operation_jobs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::straggler_slowdown_test {

namespace fs = std::filesystem;

enum class Launches { as_one, unrecorded };

class TestStragglerSlowdown : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    RunAnalysis analysis_of(const std::string& text, Selection selection = {}) const {
        const fs::path path = fs::path(folder_.path().toStdString()) / "timeline.json";
        std::ofstream(path, std::ios::binary) << text;
        auto run = load_run(path);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return RunAnalysis(*run, std::move(selection));
    }
    RunAnalysis analysis_of(const OperationJob& job) const { return analysis_of(operation_timeline(job)); }
    static bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

    static nlohmann::json oracle(const char* name) {
        std::ifstream file(fs::path(RANKSCOPE_SHARED_DIR) / "oracle" / "straggler" / name);
        return nlohmann::json::parse(file, nullptr, false);
    }

private Q_SLOTS:
    void handWorked() {
        // Two pipelines of one stage, one microbatch, one step. Forward 10 and 20 us, backward 30 and 30, optimizer 4.
        // The reduce-scatter starts when both are through (50) and takes 6 and 6: 60 us measured, with no delay
        // anywhere. Ideal: forward 15, backward 30, reduce-scatter 6, optimizer 4: 55. Only forward differs.
        const auto event = [](int dp, const char* type, int at, int us, int lane) {
            return QString(R"({"ph":"X","cat":"%1","pid":%2,"tid":%3,"ts":%4,"dur":%5,"args":{"step":1,)"
                           R"("model_chunk":0,"mb_id":0,"seq_id":0}})")
                .arg(QString::fromLatin1(type))
                .arg(dp)
                .arg(lane)
                .arg(at)
                .arg(us);
        };
        QStringList events;
        for (int dp = 0; dp < 2; ++dp) {
            const int forward = dp == 0 ? 10 : 20;
            events << event(dp, "forward-compute", 0, forward, 0) << event(dp, "backward-compute", forward, 30, 0)
                   << event(dp, "grads-reduce-scatter", forward + 30, 56 - forward - 30, 3)
                   << event(dp, "optimizer", 56, 4, 0);
            for (const auto& [lane, name] : {std::pair{0, "compute"}, std::pair{3, "dp-comm"}})
                events << QString(R"({"ph":"M","name":"thread_name","pid":%1,"tid":%2,)"
                                  R"("args":{"name":"PP rank 0, TP rank 0, %3"}})")
                              .arg(dp)
                              .arg(lane)
                              .arg(QString::fromLatin1(name));
        }
        const RunAnalysis analysis = analysis_of("[" + events.join(',').toStdString() + "]");
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QCOMPARE(english(slowdown.unavailable), std::string());
        QCOMPARE(slowdown.measured, 60'000.0);
        QCOMPARE(slowdown.no_delay, 60'000.0);
        QCOMPARE(slowdown.ideal, 55'000.0);
        QCOMPARE(slowdown.slowdown(), 60.0 / 55);
        QCOMPARE(slowdown.simulation_error(), 1.0);
        QCOMPARE(slowdown.by_operation.front().name, std::string("forward-compute"));
        QCOMPARE(slowdown.by_operation.front().slowdown, 60.0 / 55);
        // The first pipeline with its own times ends at 40, the ideal one at 45: nothing is slower.
        QCOMPARE(slowdown.by_dp_rank[0].slowdown, 1.0);
        QCOMPARE(slowdown.by_dp_rank[1].slowdown, 60.0 / 55);
        // Of two workers one is 3 %. It explains all, and so does the only stage.
        QCOMPARE(slowdown.slowest_workers.size(), std::size_t{1});
        QCOMPARE(slowdown.by_worker[slowdown.slowest_workers.front()].dp_rank, 1);
        QCOMPARE(slowdown.m_w, std::optional(1.0));
        QCOMPARE(slowdown.m_s, std::optional(1.0));
    }

    /// Forward 10, backward 20, optimizer 4 on both pipelines; reduce-scatter 8, 8 and 1 us in three steps, 8 in the
    /// ideal ones: 39.67 instead of 42 us a step.
    void whatTakesLessThanTheIdealCostsNothing() {
        QStringList events;
        for (int dp = 0; dp < 2; ++dp) {
            for (const auto& [lane, name] : {std::pair{0, "compute"}, std::pair{3, "dp-comm"}})
                events << QString(R"({"ph":"M","name":"thread_name","pid":%1,"tid":%2,)"
                                  R"("args":{"name":"PP rank 0, TP rank 0, %3"}})")
                              .arg(dp)
                              .arg(lane)
                              .arg(QString::fromLatin1(name));
            int at = 0;
            for (int step = 1; step <= 3; ++step)
                for (const auto& [type, us, lane] :
                     {std::tuple{"forward-compute", 10, 0}, std::tuple{"backward-compute", 20, 0},
                      std::tuple{"grads-reduce-scatter", step == 3 ? 1 : 8, 3}, std::tuple{"optimizer", 4, 0}}) {
                    events << QString(R"({"ph":"X","cat":"%1","pid":%2,"tid":%3,"ts":%4,"dur":%5,"args":{"step":%6,)"
                                      R"("model_chunk":0,"mb_id":0,"seq_id":0}})")
                                  .arg(QString::fromLatin1(type))
                                  .arg(dp)
                                  .arg(lane)
                                  .arg(at)
                                  .arg(us)
                                  .arg(step);
                    at += us;
                }
        }
        const RunAnalysis analysis = analysis_of("[" + events.join(',').toStdString() + "]");
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QVERIFY2(near(slowdown.slowdown(), (39 + 2.0 / 3) / 42, 1e-3), QByteArray::number(slowdown.slowdown()));
        const std::vector<Message> sentences = slowdown_sentences(analysis);
        QCOMPARE(english(sentences.front()),
                 std::string("Stragglers cost nothing: with all operations of a type equally long a step would take "
                             "42 µs instead of 40 µs when it is replayed."));
    }

    void aHealthyJobIsNotSlowed_data() {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<bool>("overlapped");
        QTest::addColumn<bool>("empty_messages");
        QTest::newRow("DP 2 x PP 4") << 2 << 4 << 1 << false << false;
        QTest::newRow("DP 4 x PP 4, interleaved") << 4 << 4 << 2 << false << true;
        QTest::newRow("DP 8 x PP 2, interleaved, overlapped") << 8 << 2 << 3 << true << true;
        QTest::newRow("DP 4 x PP 1") << 4 << 1 << 1 << false << false;
        QTest::newRow("DP 1 x PP 4") << 1 << 4 << 1 << false << false;
    }
    void aHealthyJobIsNotSlowed() {
        QFETCH(int, dp);
        QFETCH(int, pp);
        QFETCH(int, chunks);
        QFETCH(bool, overlapped);
        QFETCH(bool, empty_messages);
        OperationJob job;
        job.dp = dp;
        job.pp = pp;
        job.chunks = chunks;
        job.microbatches = 8;
        job.overlapped = overlapped;
        job.empty_messages = empty_messages;
        const RunAnalysis analysis = analysis_of(job);
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QCOMPARE(english(slowdown.unavailable), std::string());
        QVERIFY2(near(slowdown.slowdown(), 1, 2e-3), QByteArray::number(slowdown.slowdown()));
        QVERIFY2(near(slowdown.simulation_error(), 1, 0.05), QByteArray::number(slowdown.simulation_error()));
        QCOMPARE(slowdown.by_worker.size(), static_cast<std::size_t>(dp * pp));
        QCOMPARE(slowdown.left_out_steps, std::int64_t{0});
        QVERIFY(slowdown.left_out_types.empty());
    }

    void oneSlowWorkerExplainsAll() {
        OperationJob job;
        job.dp = 8;
        job.pp = 4;
        job.microbatches = 8;
        job.factor = [](bool, int dp, int stage, int, int) { return dp == 5 && stage == 1 ? 1.5 : 1.0; };
        const RunAnalysis analysis = analysis_of(job);
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QVERIFY2(slowdown.slowdown() > 1.1, QByteArray::number(slowdown.slowdown()));
        QCOMPARE(slowdown.slowest_workers.size(), std::size_t{1});
        const WorkerSlowdown& worker = slowdown.by_worker[slowdown.slowest_workers.front()];
        QCOMPARE(worker.dp_rank, 5);
        QCOMPARE(worker.stage, 1);
        QCOMPARE(analysis.run().ranks[worker.rank]->rank, 1 * 8 + 5);
        QVERIFY2(near(*slowdown.m_w, 1, 0.06), QByteArray::number(*slowdown.m_w));
        QVERIFY2(*slowdown.m_s < 0.1, QByteArray::number(*slowdown.m_s));
    }

    void aLastStageWithTooMuchWorkExplainsAll() {
        OperationJob job;
        job.dp = 4;
        job.microbatches = 8;
        job.factor = [](bool, int, int stage, int, int) { return stage == 3 ? 1.4 : 1.0; };
        const RunAnalysis analysis = analysis_of(job);
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QVERIFY2(*slowdown.m_s > 0.95, QByteArray::number(*slowdown.m_s));
        QVERIFY2(*slowdown.m_w < 0.5, QByteArray::number(*slowdown.m_w));
        QVERIFY(slowdown.by_stage[3].slowdown > 1.1);
        QVERIFY(slowdown.by_stage[0].slowdown < 1.01);
    }

    void unevenMicrobatchesAreNobodysFault() {
        OperationJob job;
        job.dp = 4;
        job.microbatches = 8;
        job.factor = [](bool, int dp, int, int step, int microbatch) {
            return (dp + step + microbatch) % 3 == 0 ? 1.6 : 0.8;
        };
        const RunAnalysis analysis = analysis_of(job);
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QVERIFY(slowdown.slowdown() > 1.1);
        QVERIFY(*slowdown.m_w < 0.5);
        QVERIFY(*slowdown.m_s < 0.5);
    }

    void delaysBetweenOperationsAreSimulationError() {
        OperationJob job;
        job.launch_us = 100;
        const RunAnalysis analysis = analysis_of(job);
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QVERIFY(slowdown.simulation_error() > 1.05);
        QVERIFY2(near(slowdown.slowdown(), 1, 2e-3), QByteArray::number(slowdown.slowdown()));
    }

    void aStepThatIsCutOffIsLeftOut() {
        auto events = nlohmann::json::parse(operation_timeline({}));
        for (auto at = events.begin(); at != events.end(); ++at)
            if (at->value("cat", "") == "optimizer" && (*at)["args"]["step"] == 12) {
                events.erase(at);
                break;
            }
        const RunAnalysis analysis = analysis_of(events.dump());
        QCOMPARE(analysis.straggler_slowdown().by_step.size(), std::size_t{2});
        QCOMPARE(analysis.straggler_slowdown().left_out_steps, std::int64_t{1});
    }

    void aWorkerThatIsMissingIsSaid() {
        auto events = nlohmann::json::parse(operation_timeline({}));
        std::erase_if(events.get_ref<nlohmann::json::array_t&>(), [](const nlohmann::json& event) {
            return event["pid"] == 1 && event.value("tid", -1) / 5 == 3 * 2 + 1;
        });
        const RunAnalysis analysis = analysis_of(events.dump());
        QVERIFY(!analysis.straggler_slowdown().unavailable.empty());
        QVERIFY(!find_metric("straggler_slowdown")->compute(analysis).available);
    }

    void chosenStepsAloneCount() {
        OperationJob job;
        job.factor = [](bool, int dp, int, int step, int) { return step == 11 && dp == 1 ? 2.0 : 1.0; };
        Selection selection;
        selection.iterations = {{10, 10}};
        const RunAnalysis analysis = analysis_of(operation_timeline(job), selection);
        QCOMPARE(analysis.straggler_slowdown().by_step.size(), std::size_t{1});
        QVERIFY(near(analysis.straggler_slowdown().slowdown(), 1, 2e-3));
    }

    /// Kernels of four ranks, pipeline of two stages, two data-parallel ranks; each step: compute, a message, and a
    /// reduction with the other pipeline. slow: what that rank's computation takes times 2. pause: the profiler stops
    /// for as many us after two steps, and goes on with step 102.
    static std::shared_ptr<const Run> recorded_run(int slow, double pause = 0) {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 4; ++rank) {
            TraceBuilder& builder = ranks.emplace_back(rank);
            const int stage = rank / 2;
            for (int step = 0; step < 4; ++step) {
                // The host waits for the GPU, and so for the reduction with the slow one.
                const double until = slow >= 0 && slow / 2 == stage ? 200 : 100;
                const double length = until + 60;
                const bool later = pause > 0 && step >= 2;
                const double begin = step * length + (later ? pause : 0);
                const double own = rank == slow ? 200 : 100;
                CollectiveCall reduce{.collective = "allreduce",
                                      .group = {"dp", "mesh_dp", {2 * stage, 2 * stage + 1}, 2}};
                builder.step(later ? step + 100 : step, begin, length)
                    .launch(begin, 1)
                    .kernel("gemm", 7, begin + 2, own)
                    .launch(begin + 1, 1)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 7, begin + 2 + own, until - own + 50,
                                std::move(reduce))
                    .runtime("cudaDeviceSynchronize", begin + 3, length - 5);
            }
        }
        return make_run(ranks, "run",
                        {{"Model-executor.model_plan_parallelization.pp", "2"},
                         {"Model-executor.model_plan_parallelization.dp_replicate", "2"}});
    }

    void aRunOfKernelsHasASlowdownToo() {
        const RunAnalysis healthy(recorded_run(-1), {});
        QCOMPARE(english(healthy.straggler_slowdown().unavailable), std::string());
        QVERIFY2(near(healthy.straggler_slowdown().slowdown(), 1, 0.01),
                 QByteArray::number(healthy.straggler_slowdown().slowdown()));
        const RunAnalysis analysis(recorded_run(3), {});
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QCOMPARE(english(slowdown.unavailable), std::string());
        QCOMPARE(slowdown.by_worker.size(), std::size_t{4});
        QVERIFY2(slowdown.slowdown() > 1, QByteArray::number(slowdown.slowdown()));
        const WorkerSlowdown& worst = slowdown.by_worker[slowdown.slowest_workers.front()];
        QCOMPARE(analysis.run().ranks[worst.rank]->rank, 3);
        QCOMPARE(worst.dp_rank, 1);
        QCOMPARE(worst.stage, 1);
    }

    /// Work of one kernel, a reduction of 50 us that waits for both ranks, work of the next, a reduction ... in each of
    /// three steps. times: by rank, then kernel, us.
    static std::shared_ptr<const Run> reduced_run(const std::vector<std::vector<double>>& times,
                                                  const std::string& reduction, bool arguments, double first = 50,
                                                  double second = 50) {
        std::vector<TraceBuilder> ranks;
        double length = 20;
        for (std::size_t k = 0; k < times.front().size(); ++k)
            length += std::max(times[0][k], times[1][k]) + (k % 2 == 0 ? first : second);
        for (int rank = 0; rank < 2; ++rank) {
            TraceBuilder& builder = ranks.emplace_back(rank);
            for (int step = 0; step < 3; ++step) {
                const double begin = step * length;
                builder.step(step, begin, length);
                double at = begin + 2;
                for (std::size_t k = 0; k < times.front().size(); ++k) {
                    const double own = times[static_cast<std::size_t>(rank)][k];
                    const double transfer = k % 2 == 0 ? first : second;
                    const double both = std::max(times[0][k], times[1][k]);
                    const std::string name = k % 2 == 0 || arguments ? reduction : reduction + "_second";
                    builder.launch(begin + 2.0 * static_cast<double>(k), 0.5).kernel("gemm", 7, at, own);
                    builder.launch(begin + 2.0 * static_cast<double>(k) + 1, 0.5);
                    if (arguments)
                        builder.collective(name, 7, at + own, both - own + transfer,
                                           {.collective = "allreduce",
                                            .in_elements = 1 << 20,
                                            .out_elements = 1 << 20,
                                            .group = {"dp", "mesh_dp", {0, 1}, 2}});
                    else
                        builder.kernel(name, 7, at + own, both - own + transfer);
                    at += both + transfer;
                }
                builder.runtime("cudaDeviceSynchronize", begin + 14, length - 16);
            }
        }
        return make_run(ranks);
    }

    /// Rank 0 computes 200 and 100 us, rank 1 100 and 200, each with 50 us of transfer behind it: 500 us. Each rank
    /// does the same in sum, yet with 150 everywhere a step takes 400.
    void whatVariesInsideAStepIsTakenOut() {
        const RunAnalysis analysis(
            reduced_run({{200, 100}, {100, 200}}, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", true), {});
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QCOMPARE(english(slowdown.unavailable), std::string());
        QVERIFY2(near(slowdown.no_delay - slowdown.ideal, 100'000, 500),
                 QByteArray::number(slowdown.no_delay - slowdown.ideal));
        QCOMPARE(slowdown.by_operation.front().name, std::string("compute"));
        QVERIFY(near(slowdown.by_operation.front().slowdown, slowdown.slowdown(), 1e-6));
        // The waiting is a finding with that cost.
        const Finding* const uneven = finding_of(analysis, FindingCode::uneven_work);
        QVERIFY(uneven != nullptr);
        QVERIFY2(near(uneven->cost, 100'000, 500), QByteArray::number(uneven->cost));
        QVERIFY(
            near(predicted(analysis, "operation.compute=ideal"), analysis.findings().step_time - uneven->cost, 500));
    }

    /// What varies by rank only: 200 and 100 us on rank 0, 100 and 50 on rank 1 are 150 and 75 in the ideal.
    void placesKeepWhatTheyTakeMore() {
        const RunAnalysis analysis(
            reduced_run({{200, 100}, {100, 50}}, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", true), {});
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QVERIFY2(near(slowdown.no_delay - slowdown.ideal, 75'000, 500),
                 QByteArray::number(slowdown.no_delay - slowdown.ideal));
        QCOMPARE(finding_of(analysis, FindingCode::uneven_work), nullptr);
    }

    /// Two kinds of communication without arguments, of 200 and 10 us: nothing is unequal.
    void callsOfOtherKindsShareNoMedian() {
        const RunAnalysis analysis(
            reduced_run({{100, 100, 100}, {100, 100, 100}}, "void deep_ep::intranode::dispatch<8>", false, 200, 10),
            {});
        const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
        QCOMPARE(english(slowdown.unavailable), std::string());
        QVERIFY2(near(slowdown.slowdown(), 1, 1e-3), QByteArray::number(slowdown.slowdown()));
        QVERIFY(std::ranges::any_of(slowdown.by_operation, [](const auto& type) { return type.name == "alltoall"; }));
    }

    void placesThatDifferByChanceAreAlike() {
        using Rows = std::vector<std::vector<double>>;
        const auto numbers = [](Rows rows, std::vector<std::int64_t> step) {
            return alike_places({std::move(rows), std::move(step)});
        };
        using Numbers = std::vector<std::uint32_t>;
        QCOMPARE(numbers({{10, 20}}, {1}), (Numbers{0, 1}));                           // nothing to compare with
        QCOMPARE(numbers({{10, 20}, {20, 10}, {15, 15}}, {1, 2, 3}), (Numbers{0, 0})); // 15 and 15
        // 10 and 20 in every step: two layers of unlike size. That a whole step takes twice as long changes nothing.
        Numbers two = numbers({{10, 20}, {20, 40}, {10, 20}}, {1, 2, 3});
        QVERIFY(two[0] != two[1]);
        // Places 0, 2 and 3 scatter about 11, place 1 about 40.
        Numbers four = numbers({{10, 40, 12, 11}, {12, 41, 10, 11}, {11, 39, 11, 12}, {11, 40, 11, 10}}, {1, 2, 3, 4});
        QVERIFY(four[0] == four[2] && four[0] == four[3] && four[0] != four[1]);
        // Ranks of a step with the same two lengths are one repetition of it, not two.
        QCOMPARE(numbers({{10, 20}, {10, 20}, {20, 10}, {20, 10}}, {1, 1, 2, 2}), (Numbers{0, 0}));
    }

    /// Two ranks, four steps of 420 us. Forward of 100 us, backward of three layers of 50 us each; on another stream
    /// reductions of 60 us, one after the first layer and one after the second; then the optimizer, 30 us. Rank 1 takes
    /// 1.5 times as long. On rank 0 the second reduction waits for the first until 285 us, when the third layer has
    /// ended (250 us): that rank 1 starts it at 300 us, before its third layer ends, tells what it waits for.
    static std::shared_ptr<const Run> overlapped_run(Launches launches) {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            TraceBuilder& builder = ranks.emplace_back(rank);
            const double f = rank == 1 ? 1.5 : 1;
            for (int step = 0; step < 4; ++step) {
                const double begin = 420.0 * step;
                builder.step(step, begin, 420);
                const int id = step + 1;
                if (launches == Launches::as_one)
                    builder.runtime("cudaGraphLaunch", begin, 1).correlation(id);
                const auto work = [&](const char* name, double start, double time) {
                    builder.kernel(name, 7, begin + start, time);
                    if (launches == Launches::as_one)
                        builder.correlation(id);
                };
                const auto reduce = [&](double start, double end) {
                    builder.collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, begin + start, end - start,
                                       {.collective = "allreduce", .group = {"dp", "mesh_dp", {0, 1}, 2}});
                    if (launches == Launches::as_one)
                        builder.correlation(id);
                };
                work("forward", 1, 100 * f - 1);
                work("layer_3", 100 * f, 50 * f);
                reduce(150 * f, 285);
                work("layer_2", 150 * f, 50 * f);
                reduce(rank == 0 ? 285 : 300, 360);
                work("layer_1", 200 * f, 50 * f);
                work("optimizer", rank == 0 ? 360 : 375, 30);
                if (launches == Launches::as_one)
                    builder.runtime("cudaDeviceSynchronize", begin + 6, rank == 0 ? 384 : 399);
            }
        }
        return make_run(ranks);
    }

    /// With the same times on both ranks (1.25 times) the work of a step takes 342.5 us instead of 405 us. What a host
    /// that waits for it needs until its step of 420 us ends, is a delay between operations.
    void launchesNeedNotBeRecorded() {
        for (const Launches launches : {Launches::as_one, Launches::unrecorded}) {
            const RunAnalysis analysis(overlapped_run(launches), {});
            const double slowdown = analysis.straggler_slowdown().slowdown();
            QVERIFY2(near(slowdown, 405 / 342.5, 0.02),
                     qPrintable(QStringLiteral("%1 %2").arg(static_cast<int>(launches)).arg(slowdown)));
        }
    }

    /// Communication kernels and nothing else, as exporters for communication keep: 60 of 160 us.
    void communicationAloneTellsNothingOfIdleTime() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            TraceBuilder& builder = ranks.emplace_back(rank);
            for (int call = 0; call < 10; ++call)
                builder.collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, 160 * call + 50 * rank,
                                   110 - 50 * rank, {.collective = "allreduce", .group = {"dp", "mesh_dp", {0, 1}, 2}});
        }
        const RunAnalysis analysis(make_run(ranks), {});
        QVERIFY(finding_of(analysis, FindingCode::gpu_idle) == nullptr);
        QVERIFY(finding_of(analysis, FindingCode::exposed_communication) == nullptr);
        QVERIFY(english(analysis.findings().summary).find("Only collectives are recorded") != std::string::npos);
    }

    void aPauseOfTheProfilerIsNoTimeOfTheHost() {
        for (const int slow : {-1, 3}) {
            const RunAnalysis whole(recorded_run(slow), {});
            const RunAnalysis parted(recorded_run(slow, 1e6), {});
            QCOMPARE(parted.straggler_slowdown().measured, whole.straggler_slowdown().measured);
            QVERIFY(near(parted.straggler_slowdown().slowdown(), whole.straggler_slowdown().slowdown(), 1e-3));
        }
    }

    static const Finding* finding_of(const RunAnalysis& analysis, FindingCode code) {
        const auto& list = analysis.findings().list;
        const auto found = std::ranges::find(list, code, &Finding::code);
        return found == list.end() ? nullptr : &*found;
    }
    static double step_of(const RunAnalysis& analysis) { return analysis.straggler_slowdown().measured; }
    static double predicted(const RunAnalysis& analysis, std::string_view text) {
        const Change changes[] = {*parse_change(text)};
        const Prediction prediction = analysis.predict(changes).front();
        if (!prediction.unavailable.empty() || !prediction.notes.empty())
            return -1;
        return prediction.predicted;
    }

    /// What one slow worker costs is the step without it.
    void aSlowWorkerIsAFindingWithItsCost_data() {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<int>("since");
        QTest::newRow("DP 8 x PP 4") << 8 << 4 << 0;
        QTest::newRow("DP 32 x PP 2") << 32 << 2 << 0;
        QTest::newRow("DP 2 x PP 4") << 2 << 4 << 0;
        QTest::newRow("DP 4 x PP 1") << 4 << 1 << 0;
        QTest::newRow("since step 17") << 8 << 4 << 17;
    }
    void aSlowWorkerIsAFindingWithItsCost() {
        QFETCH(int, dp);
        QFETCH(int, pp);
        QFETCH(int, since);
        OperationJob job;
        job.dp = dp;
        job.pp = pp;
        job.microbatches = 8;
        job.steps = 12;
        const double healthy = step_of(analysis_of(job));
        const int stage = pp - 1;
        job.factor = [=](bool, int of_dp, int of_stage, int step, int microbatch) {
            const double slow = of_dp == 1 && of_stage == stage && step >= since ? 1.5 : 1.0;
            return slow * (1 + 0.005 * ((of_dp * 7 + of_stage * 5 + step * 3 + microbatch) % 5 - 2));
        };
        const RunAnalysis analysis = analysis_of(job);
        const Finding* const slow = finding_of(analysis, FindingCode::straggler);
        QVERIFY(slow != nullptr);
        QVERIFY2(slow == &analysis.findings().list.front(), english(analysis.findings().list.front().title).c_str());
        QCOMPARE(slow->ranks, (std::vector<int>{stage * dp + 1}));
        QVERIFY(!slow->inherent && !analysis.findings().healthy);
        QVERIFY2(english(slow->title).find("1.50×") != std::string::npos, english(slow->title).c_str());
        const double cost = step_of(analysis) - healthy;
        QVERIFY2(near(slow->cost / cost, 1, 0.05), qPrintable(QString("%1 %2").arg(slow->cost).arg(cost)));
        QCOMPARE(slow->first_iteration, since > 0 ? std::optional<std::int64_t>(since) : std::nullopt);
        QVERIFY(!slow->events.empty() && slow->events.front().event != kNoEvent);
        QVERIFY(finding_of(analysis, FindingCode::uneven_stages) == nullptr);
        QVERIFY(near(predicted(analysis, "straggler=median"), step_of(analysis) - slow->cost, 1));
    }

    /// Slow at the start of the recording and then well again: 2 of 6 steps take as long as with a worker that is
    /// always slow, so that it costs a third of that.
    void aWorkerThatRecoversIsNamed() {
        OperationJob job;
        job.dp = 4;
        job.pp = 4;
        job.microbatches = 8;
        job.steps = 6;
        const auto slow_until = [&](int last) {
            job.factor = [=](bool, int dp, int stage, int step, int microbatch) {
                return (dp == 1 && stage == 2 && step <= last ? 1.3 : 1.0) *
                       (1 + 0.002 * ((dp * 7 + stage * 5 + step * 3 + microbatch) % 5 - 2));
            };
            return analysis_of(job);
        };
        const RunAnalysis well = slow_until(0);
        const RunAnalysis recovered = slow_until(11);
        const Finding* const slow = finding_of(recovered, FindingCode::straggler);
        QVERIFY(slow != nullptr);
        QCOMPARE(slow->ranks, std::vector<int>{2 * 4 + 1});
        QCOMPARE(slow->first_iteration, std::optional<std::int64_t>(10));
        QCOMPARE(slow->last_iteration, std::optional<std::int64_t>(11));
        QVERIFY2(near(slow->cost / (step_of(recovered) - step_of(well)), 1, 0.05), QByteArray::number(slow->cost));
        QCOMPARE(finding_of(recovered, FindingCode::uneven_microbatches), nullptr);
    }

    /// Four pipelines of one stage: forward 10, backward 20, reduce-scatter 6 once all came, optimizer 4, of the second
    /// one 40: 76 instead of 40 us. The optimizer is named, and no microbatches.
    void aSlowOptimizerIsNamed() {
        QStringList events;
        for (int dp = 0; dp < 4; ++dp) {
            for (const auto& [lane, name] : {std::pair{0, "compute"}, std::pair{3, "dp-comm"}})
                events << QString(R"({"ph":"M","name":"thread_name","pid":%1,"tid":%2,)"
                                  R"("args":{"name":"PP rank 0, TP rank 0, %3"}})")
                              .arg(dp)
                              .arg(lane)
                              .arg(QString::fromLatin1(name));
            for (int step = 1; step <= 4; ++step) {
                int at = (step - 1) * 100;
                for (const auto& [type, us, lane] :
                     {std::tuple{"forward-compute", 10, 0}, std::tuple{"backward-compute", 20, 0},
                      std::tuple{"grads-reduce-scatter", 6, 3}, std::tuple{"optimizer", dp == 1 ? 40 : 4, 0}}) {
                    events << QString(R"({"ph":"X","cat":"%1","pid":%2,"tid":%3,"ts":%4,"dur":%5,"args":{"step":%6,)"
                                      R"("model_chunk":0,"mb_id":0,"seq_id":0}})")
                                  .arg(QString::fromLatin1(type))
                                  .arg(dp)
                                  .arg(lane)
                                  .arg(at)
                                  .arg(us)
                                  .arg(step);
                    at += us;
                }
            }
        }
        const RunAnalysis analysis = analysis_of("[" + events.join(',').toStdString() + "]");
        const Finding* const slow = finding_of(analysis, FindingCode::straggler);
        QVERIFY(slow != nullptr);
        QCOMPARE(slow->ranks, std::vector<int>{1});
        QVERIFY2(near(slow->cost, 36'000, 10), QByteArray::number(slow->cost));
        const std::string title = english(slow->title);
        QVERIFY2(title.find("optimizer takes it 10.00× as long") != std::string::npos, title.c_str());
        QCOMPARE(finding_of(analysis, FindingCode::uneven_microbatches), nullptr);
        QCOMPARE(finding_of(analysis, FindingCode::uneven_work), nullptr);
    }

    void unevenStagesAreAFindingWithTheirCost() {
        OperationJob job;
        job.dp = 4;
        job.microbatches = 8;
        job.factor = [](bool, int, int, int, int) { return 1.125; }; // the mean of 1, 1, 1 and 1.5
        const double even = step_of(analysis_of(job));
        job.factor = [](bool, int, int stage, int, int) { return stage == 3 ? 1.5 : 1.0; };
        const RunAnalysis analysis = analysis_of(job);
        const Finding* const uneven = finding_of(analysis, FindingCode::uneven_stages);
        QVERIFY(uneven != nullptr);
        QVERIFY(uneven->inherent);
        QCOMPARE(uneven->ranks, (std::vector<int>{12, 13, 14, 15}));
        QVERIFY2(near(uneven->cost / (step_of(analysis) - even), 1, 0.05), QByteArray::number(uneven->cost));
        QVERIFY(finding_of(analysis, FindingCode::straggler) == nullptr);
        QVERIFY(near(predicted(analysis, "stages=even"), step_of(analysis) - uneven->cost, 1));
    }

    void unevenMicrobatchesAreAFinding() {
        OperationJob job;
        job.dp = 4;
        job.microbatches = 8;
        job.factor = [](bool forward, int dp, int stage, int step, int microbatch) {
            return !forward && (dp * 3 + stage + step * 5 + microbatch) % 4 == 0 ? 1.6 : 1.0;
        };
        const RunAnalysis analysis = analysis_of(job);
        const Finding* const uneven = finding_of(analysis, FindingCode::uneven_microbatches);
        QVERIFY(uneven != nullptr);
        QVERIFY2(english(uneven->title).find("most of it is backward-compute") != std::string::npos,
                 english(uneven->title).c_str());
        QVERIFY(uneven->cost > 0.01 * step_of(analysis));
        QVERIFY(finding_of(analysis, FindingCode::straggler) == nullptr);
    }

    void aHealthyJobHasNoFinding() {
        OperationJob job;
        job.dp = 4;
        job.microbatches = 8;
        job.message_us = 1;
        const RunAnalysis analysis = analysis_of(job);
        for (const Finding& finding : analysis.findings().list)
            QVERIFY2(finding.code == FindingCode::exposed_communication, english(finding.title).c_str());
        QVERIFY2(analysis.findings().healthy, english(analysis.findings().summary).c_str());
        QVERIFY(analysis.findings().judged.ranks && !analysis.findings().judged.host);
        QVERIFY(analysis.critical_paths().empty());
    }

    void computationAndCommunicationCanBeSpedUp() {
        OperationJob job;
        job.dp = 2;
        job.microbatches = 8;
        job.message_us = 100;
        const RunAnalysis analysis = analysis_of(job);
        OperationJob faster = job;
        faster.forward_us /= 2;
        faster.backward_us /= 2;
        const double computed = predicted(analysis, "kernel:compute$=2x");
        QVERIFY2(near(computed / step_of(analysis_of(faster)), 1, 0.01), QByteArray::number(computed));
        faster = job;
        faster.message_us = 0;
        const double sent = predicted(analysis, "comm.pp=0");
        QVERIFY2(near(sent / step_of(analysis_of(faster)), 1, 0.01), QByteArray::number(sent));
        QVERIFY(predicted(analysis, "comm.forward-recv=0") < step_of(analysis));
        QCOMPARE(predicted(analysis, "kernel:gemm=2x"), -1.0); // there is none: a note says so
        QCOMPARE(predicted(analysis, "host=0"), -1.0);
    }

    /// Nothing is said of a host, which is not recorded; the last stage is.
    void theJobOfTheAuthorsHasFindings() {
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "operations_st";
        if (!fs::is_directory(path))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(path);
        QVERIFY(run);
        const RunAnalysis analysis(*run, {});
        const Finding* const uneven = finding_of(analysis, FindingCode::uneven_stages);
        QVERIFY(uneven != nullptr);
        QCOMPARE(uneven, &analysis.findings().list.front());
        QCOMPARE(uneven->ranks, (std::vector<int>{6, 7}));
        QVERIFY2(english(uneven->title).find("computes 1.37 s a step for its microbatches, 1.41×") != std::string::npos,
                 english(uneven->title).c_str());
        QVERIFY(analysis.critical_paths().empty());
        QVERIFY(finding_of(analysis, FindingCode::gpu_idle) == nullptr);
    }

    void theAuthorsNumbersAreMet() {
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "operations_st";
        if (!fs::is_directory(path))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(path);
        QVERIFY(run);
        const RunAnalysis analysis(*run, {});
        const MetricResult metric = find_metric("straggler_slowdown")->compute(analysis);
        QVERIFY(metric.available);
        const nlohmann::json theirs = oracle("result-ST.json");
        const auto& ours = metric.details;
        QVERIFY(near(metric.value, theirs["blocking_slowdown"], 1e-3));
        QVERIFY(near(ours["simulation_error"], theirs["launch_slowdown"], 1e-3));
        QVERIFY(near(ours["m_w"], oracle("mw-ST.json")["Mw"], 1e-3));
        QVERIFY(near(ours["m_s"], oracle("ms-ST.json")["Ms"], 1e-3));
        std::size_t compared = 0;
        for (const auto& [of_ours, of_theirs] : {std::pair{"by_operation", "blocking_decompose_by_optype"},
                                                 std::pair{"by_dp_rank", "blocking_decompose_by_dp_rank"},
                                                 std::pair{"by_stage", "blocking_decompose_by_stage"}}) {
            QCOMPARE(ours[of_ours].size(), theirs[of_theirs].size());
            for (const auto& [key, value] : theirs[of_theirs].items()) {
                QVERIFY2(ours[of_ours].contains(key), key.c_str());
                QVERIFY2(near(ours[of_ours][key], value, 1e-3), key.c_str());
                ++compared;
            }
        }
        QCOMPARE(compared, std::size_t{11 + 2 + 4});
        for (const auto& [step, value] : theirs["blocking_step_slowdown"].items())
            QVERIFY2(near(ours["by_step"][step], value, 1e-3), step.c_str());
        const auto mean_us = [&](const char* key) {
            double sum = 0;
            for (const auto& [step, seconds] : theirs[key].items())
                sum += seconds.get<double>() * 1e6;
            return sum / static_cast<double>(theirs[key].size());
        };
        for (const auto& [of_ours, of_theirs] :
             {std::pair{"t_measured_us", "step_t_base"}, std::pair{"t_nodelay_us", "step_t_nodelay"},
              std::pair{"t_ideal_us", "step_t_noblk"}})
            QVERIFY2(near(ours[of_ours].get<double>() / mean_us(of_theirs), 1, 1e-3), of_ours);
    }
};

RANKSCOPE_TEST(TestStragglerSlowdown)

} // namespace rankscope::straggler_slowdown_test

#include "test_straggler_slowdown.moc"
