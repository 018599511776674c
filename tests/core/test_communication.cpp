// SPDX-License-Identifier: GPL-3.0-or-later
// Bandwidth, traffic and pipeline bubble, worked out by hand.
#include <QtTest>

#include <cmath>
#include <memory>
#include <optional>

#include "core/analysis/pipeline/marked_passes.h"
#include "core/metrics/catalogue.h"
#include "core/report/collectives_csv.h"
#include "core/report/traffic_csv.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::communication_test {

namespace {

ProcessGroup group_of(std::vector<int> ranks, std::string name = "0", std::string description = "default_pg") {
    return {std::move(name), std::move(description), ranks, static_cast<int>(ranks.size())};
}

CollectiveCall call_of(std::string collective, std::int64_t in, std::int64_t out, ProcessGroup group,
                       std::string dtype = "BFloat16") {
    CollectiveCall call;
    call.collective = std::move(collective);
    call.dtype = std::move(dtype);
    call.in_elements = in;
    call.out_elements = out;
    call.group = std::move(group);
    return call;
}

CollectiveCall message(bool send, int peer, std::int64_t elements, const ProcessGroup& group) {
    CollectiveCall call = call_of(send ? "send" : "recv", elements, elements, group);
    (send ? call.destination_rank : call.source_rank) = peer;
    return call;
}

MetricResult metric(const char* id, const std::shared_ptr<const Run>& run) {
    return find_metric(id)->compute(RunAnalysis(run, {}));
}

constexpr const char* kKernel = "ncclDevKernel_Generic";

using D = ParallelDimension;

} // namespace

class TestCommunication : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bandwidthIsTheMessageOverTheShortestDuration() {
        // All-reduce of 1000 BFloat16 (2000 B) in 10 us (rank 1; rank 0 waits 5 us longer): 0.2 GB/s; bus factor of two
        // ranks 2 (2 - 1) / 2 = 1. All-gather of 500 into 1000 Float (4000 B) in 20 us: 0.2 GB/s, factor 1/2: 0.1 GB/s.
        const ProcessGroup pair = group_of({0, 1});
        const auto run =
            make_run({TraceBuilder(0)
                          .collective(kKernel, 3, 0, 15, call_of("allreduce", 1000, 1000, pair))
                          .collective(kKernel, 3, 100, 20, call_of("_allgather_base", 500, 1000, pair, "Float")),
                      TraceBuilder(1)
                          .collective(kKernel, 3, 5, 10, call_of("allreduce", 1000, 1000, pair))
                          .collective(kKernel, 3, 100, 21, call_of("_allgather_base", 500, 1000, pair, "Float"))});
        const MetricResult result = metric("comm_bandwidth", run);
        QVERIFY(result.available);
        QCOMPARE(result.value, 0.133333);                          // (2000 + 2000) B / 30 us
        QCOMPARE(result.details["algbw_gb_s"].get<double>(), 0.2); // 6000 B / 30 us
        QCOMPARE(result.details["by_kind"]["AllReduce"]["busbw_gb_s"].get<double>(), 0.2);
        QCOMPARE(result.details["by_kind"]["AllGather"]["busbw_gb_s"].get<double>(), 0.1);
        const Json& row = result.details["implicit_sync"][0]; // the longest in sum comes first: the all-gather
        QCOMPARE(row["collective"].get<std::string>(), std::string("_allgather_base"));
        QCOMPARE(row["message_bytes"].get<int>(), 4000);
        QCOMPARE(row["end_skew_us"]["mean"].get<double>(), 1.0);
        QCOMPARE(row["compat_tracelens"]["algo_bw_gib_s"]["mean"].get<double>(), 0.186265); // 0.2e9 / 2^30
        const Json& last = result.details["straggler_summary"][1]; // rank 1 comes last once; the tie goes to rank 0
        QCOMPARE(last["times_last"].get<int>(), 1);
        QCOMPARE(last["total_wait_us"].get<double>(), 0.0);
        QCOMPARE(result.details["straggler_summary"][0]["total_wait_us"].get<double>(), 5.0);
    }

    void busFactorsFollowNcclTests() {
        QCOMPARE(bus_factor(CollectiveKind::all_reduce, 4), 1.5);
        QCOMPARE(bus_factor(CollectiveKind::reduce_scatter, 4), 0.75);
        QCOMPARE(bus_factor(CollectiveKind::all_to_all, 8), 0.875);
        QCOMPARE(bus_factor(CollectiveKind::broadcast, 8), 1.0);
    }

    void statisticsLeaveOutWhatIsNoNumber() {
        const Statistics s = statistics_of({4, std::nan(""), 1, 3, 2});
        QCOMPARE(s.count, std::int64_t{4});
        QCOMPARE(s.mean, 2.5);
        QCOMPARE(s.median, 2.5);
        QCOMPARE(s.deviation, std::sqrt(5.0 / 3)); // (2.25 + 0.25 + 0.25 + 2.25) / (4 - 1)
        QVERIFY(std::isnan(statistics_of({7}).deviation));
        QVERIFY(std::isnan(statistics_of({}).mean));
    }

    void withoutSizesThereIsNoBandwidthButAReason() {
        const auto run = make_run({TraceBuilder(0).kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3, 0, 15),
                                   TraceBuilder(1).kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3, 0, 15)});
        QVERIFY(!metric("comm_bandwidth", run).available);
        QVERIFY(english(metric("comm_bandwidth", run).reason).find("sizes") != std::string::npos);
        QCOMPARE(english(metric("comm_bandwidth", make_run({TraceBuilder(0).kernel("gemm", 7, 0, 5)})).reason),
                 std::string("needs collectives"));
    }

    void unevenAllToAllsHaveWallImbalanceAndAHeatMap() {
        // Rank 0 sends 30 + 10, rank 1 20 + 0 elements of 4 B: 240 B in 0..20 us = 0.012 GB/s; most / mean = 160 / 120.
        CollectiveCall first = call_of("all_to_allv", 40, 50, group_of({0, 1}), "Float");
        first.in_split = "[30, 10]";
        CollectiveCall second = call_of("all_to_allv", 20, 10, group_of({0, 1}), "Float");
        second.in_split = "[20, 0]";
        const auto run = make_run({TraceBuilder(0).collective(kKernel, 3, 0, 18, first),
                                   TraceBuilder(1).collective(kKernel, 3, 5, 15, second)});
        const RunAnalysis analysis(run, {});
        const CollectiveSummaries& summaries = analysis.collective_summaries();
        QCOMPARE(summaries.all_to_allv.size(), std::size_t{1});
        QCOMPARE(summaries.all_to_allv[0].wall.mean, 20'000.0);
        QCOMPARE(summaries.all_to_allv[0].throughput.mean, 0.012);
        QCOMPARE(summaries.all_to_allv[0].imbalance.max, 160.0 / 120);
        QCOMPARE(summaries.all_to_allv_traffic.size(), std::size_t{4});
        QCOMPARE(summaries.all_to_allv_traffic[1].bytes, std::int64_t{40}); // 0 -> 1: 10 elements
        QVERIFY(summaries.implicit_sync.empty());
    }

    void groupsTellTheirDimensionInWords() {
        const std::pair<const char*, std::optional<D>> cases[] = {{"mesh_tp", D::tp},
                                                                  {"mesh_dp_shard", D::dp_shard},
                                                                  {"dp_replicate", D::dp_replicate},
                                                                  {"TENSOR_MODEL_PARALLEL_GROUP", D::tp},
                                                                  {"DATA_PARALLEL_GROUP_WITH_CP", D::dp},
                                                                  {"mesh_dp_shard_cp", D::dp_shard},
                                                                  {"mesh_pp", D::pp},
                                                                  {"EXPERT_MODEL_PARALLEL_GROUP", D::ep},
                                                                  {"FSDP::pre_forward", D::dp_shard},
                                                                  {"default_pg", std::nullopt},
                                                                  {"## input data ##", std::nullopt},
                                                                  {"ProfilerStep#3", std::nullopt},
                                                                  {"tp_pp", std::nullopt},
                                                                  {"", std::nullopt}};
        for (const auto& [text, expected] : cases)
            QVERIFY2(dimension_in_words(text) == expected, text);
    }

    void groupsTellTheirDimensionByTheirPlaceInTheMesh() {
        // pp 2 x dp_replicate 1 x dp_shard 2 x cp 1 x tp 2: rank = 4 pp + 2 dp_shard + tp.
        Parallelism p;
        p.pp = Setting{2, "pp"};
        p.dp_shard = Setting{-1, "dp_shard"}; // what is left
        p.tp = Setting{2, "tp"};
        const auto mesh = mesh_of(p, 8);
        QCOMPARE(mesh.size(), std::size_t{5});
        QVERIFY(dimension_in_mesh(mesh, {2, 3}) == D::tp);
        QVERIFY(dimension_in_mesh(mesh, {4, 6}) == D::dp_shard);
        QVERIFY(dimension_in_mesh(mesh, {1, 5}) == D::pp);
        QVERIFY(dimension_in_mesh(mesh, {0, 3}) == std::nullopt);       // a diagonal
        QVERIFY(dimension_in_mesh(mesh, {0, 1, 2, 3}) == std::nullopt); // tp and dp_shard together
        p.dp_shard = Setting{4, "dp_shard"};
        QVERIFY(mesh_of(p, 8).empty()); // 2 x 4 x 2 is not 8
    }

    void trafficIsCountedPerStepAndDimension() {
        // One step. tp: all-reduce of 8 x 2 B on both ranks; pp: one message of 4 x 2 B, counted at both ends.
        const ProcessGroup tensor = group_of({0, 1}, "1", "mesh_tp");
        const ProcessGroup pipeline = group_of({0, 1}, "2");
        const auto rank = [&](int number) {
            return TraceBuilder(number)
                .step(4, 0, 100)
                .launch(1, 1)
                .collective(kKernel, 3, 10, 10, call_of("allreduce", 8, 8, tensor))
                .launch(3, 1)
                .collective("ncclDevKernel_SendRecv", 4, 30, 5, message(number == 0, 1 - number, 4, pipeline));
        };
        const auto run = make_run({rank(0), rank(1)});
        const MetricResult result = metric("traffic_distribution", run);
        QCOMPARE(result.value, 48.0); // 2 x 16 + 2 x 8
        QCOMPARE(result.details["by_dimension"]["tp"]["bytes"].get<double>(), 32.0);
        QCOMPARE(result.details["by_dimension"]["pp"]["calls"].get<double>(), 2.0);
        QCOMPARE(result.details["by_dimension"]["pp"]["time_us"].get<double>(), 10.0);
        QCOMPARE(result.details["groups"][0]["method"].get<std::string>(), std::string("description"));
        QCOMPARE(result.details["groups"][1]["method"].get<std::string>(), std::string("kind"));
        // From the end of the all-reduce at 20 us to the message at 30 us, start to start 20 us.
        const MetricResult windows = metric("traffic_window", run);
        QCOMPARE(windows.value, 10.0);
        const Json& window = windows.details["per_rank"][0]["windows"][0];
        QCOMPARE(window["from"].get<std::string>(), std::string("tp"));
        QCOMPARE(window["to"].get<std::string>(), std::string("pp"));
        QCOMPARE(window["start_to_start_us"]["mean"].get<double>(), 20.0);
        // Once more a second later, in step 104: what lies between was not recorded.
        const auto again = [&](int number) {
            return rank(number)
                .step(104, 1e6, 100)
                .launch(1e6 + 1, 1)
                .collective(kKernel, 3, 1e6 + 10, 10, call_of("allreduce", 8, 8, tensor))
                .launch(1e6 + 3, 1)
                .collective("ncclDevKernel_SendRecv", 4, 1e6 + 30, 5, message(number == 0, 1 - number, 4, pipeline));
        };
        QCOMPARE(metric("traffic_window", make_run({again(0), again(1)})).value, 10.0);
        // Nor is the time of a step that is not selected a window.
        const auto three_steps = [&](int number) {
            TraceBuilder trace(number);
            trace.world_size(2);
            for (int step = 0; step < 3; ++step) {
                const double start = 100.0 * step;
                trace.step(step + 1, start, 100);
                for (const double call : {10.0, 30.0})
                    trace.launch(start + call - 5, 1)
                        .collective(kKernel, 3, start + call, 10, call_of("allreduce", 8, 8, tensor));
            }
            return trace;
        };
        Selection outer;
        outer.iterations = {{1, 1}, {3, 3}};
        const RunAnalysis selected(make_run({three_steps(0), three_steps(1)}), outer);
        QCOMPARE(find_metric("traffic_window")->compute(selected).value, 10.0);
        // But where a program numbers every tenth step nothing is missing: by hand (10 + 70 + 10) / 3.
        const auto tens = [&](int number) {
            TraceBuilder trace(number);
            trace.world_size(2);
            for (int step = 0; step < 2; ++step) {
                const double start = 100.0 * step;
                trace.step(10 * step, start, 100);
                for (const double call : {10.0, 30.0})
                    trace.launch(start + call - 5, 1)
                        .collective(kKernel, 3, start + call, 10, call_of("allreduce", 8, 8, tensor));
            }
            return trace;
        };
        QCOMPARE(metric("traffic_window", make_run({tens(0), tens(1)})).value, 30.0);
        AnalysedRun analysed{"run", "built", std::make_shared<RunAnalysis>(run, Selection{}), {}, {}};
        const std::string csv = traffic_csv(std::span(&analysed, 1));
        QVERIFY2(csv.find("tp,description,1,mesh_tp,0 1,AllReduce,1,2,0,32,20.000,built\r\n") != std::string::npos,
                 csv.c_str());
        const std::string calls = collectives_csv(std::span(&analysed, 1));
        QVERIFY2(calls.find(",16,10.000,0.0016,0.0016,built,,,,\r\n") != std::string::npos,
                 calls.c_str()); // 16 B / 10 us
    }

    void bubbleIsTheWaitForAMessage() {
        // A last stage with one microbatch: copy [0.5, 5), the forward message ends at 40, forward [40, 60), backward
        // [60, 100), all-reduce [100, 130), optimizer [130, 140). The forward kernel is launched at 5, all others
        // by 10. Window 139.5: compute 70, bubble 40 - 5 = 35 (warm-up), exposed communication 30 and, from 3 to 5,
        // 2, other (before 3) 2.5.
        const ProcessGroup pipeline = group_of({0, 1}, "1", "mesh_pp");
        const auto rank = [&](bool annotated) {
            TraceBuilder trace(1);
            trace.step(1, 0, 200);
            if (annotated)
                trace.annotation("Forward 0", 4, 2.5).annotation("Backward 0", 6.5, 1.5);
            else
                trace.cpu_op("aten::mm", 4, 2.5).cpu_op("autograd::engine::evaluate_function: MmBackward0", 6.5, 1.5);
            return trace.launch(0.1, 0.4)
                .memory_copy("Memcpy HtoD", 7, 0.5, 4.5)
                .launch(2, 1)
                .collective("ncclDevKernel_SendRecv", 20, 3, 37, message(false, 0, 64, pipeline))
                .launch(5, 1)
                .kernel("forward", 7, 40, 20)
                .launch(7, 0.5)
                .kernel("backward", 7, 60, 40)
                .launch(8, 0.5)
                .collective(kKernel, 21, 100, 30, call_of("allreduce", 64, 64, group_of({1, 3}, "2", "mesh_dp")))
                .launch(9, 0.5)
                .kernel("optimizer", 7, 130, 10);
        };
        for (const bool annotated : {true, false}) {
            const auto run = make_run({rank(annotated)}, "built",
                                      {{"Model-executor.model_plan_parallelization.pp", "2"},
                                       {"Model-executor.model_plan_parallelization.pp_mb", "4"}});
            const RunAnalysis analysis(run, {});
            const PipelineAnalysis& pipeline_of_run = analysis.pipeline();
            QCOMPARE(pipeline_of_run.method, annotated ? BubbleMethod::annotations : BubbleMethod::p2p);
            const StepBubble& step = pipeline_of_run.steps.at(0);
            QCOMPARE(step.window.length(), TimeNs{139'500});
            QCOMPARE(step.compute, TimeNs{70'000});
            QCOMPARE(step.warmup, TimeNs{35'000}); // from the launch at 5 to the message's end at 40
            QCOMPARE(step.steady + step.cooldown + step.unplaced, TimeNs{0});
            QCOMPARE(step.exposed_comm, TimeNs{32'000});
            QCOMPARE(step.other, TimeNs{2'500});
            const MetricResult result = metric("pipeline_bubble", run);
            QCOMPARE(result.value, 25.089606);                             // 35 / 139.5
            QCOMPARE(result.details["ideal_percent"].get<double>(), 20.0); // (2 - 1) / (4 + 2 - 1)
            QCOMPARE(result.details["per_rank"][0]["stage"].get<int>(), 1);
        }
    }

    void withoutMessagesLongGapsAreBubbles() {
        // Window 10 ms; gaps of 2 ms (over 1 ms), and of 50 us (under 1 ms and 1 % of the window).
        const auto rank = TraceBuilder(0)
                              .world_size(2)
                              .step(1, 0, 20000)
                              .launch(1, 1)
                              .kernel("a", 7, 10, 1000)
                              .launch(2, 1)
                              .kernel("b", 7, 3010, 1000)
                              .launch(3, 1)
                              .kernel("c", 7, 4060, 5950);
        const RunAnalysis analysis(make_run({rank}, "built", {{"Model-executor.model_plan_parallelization.pp", "2"}}),
                                   {});
        QCOMPARE(analysis.pipeline().method, BubbleMethod::idle);
        QCOMPARE(analysis.pipeline().steps.at(0).bubble(), TimeNs{2'000'000});
        QCOMPARE(analysis.pipeline().steps.at(0).other, TimeNs{50'000});

        // The same gaps where nothing says that there is a pipeline are idle time, not bubbles.
        const MetricResult unknown = metric("pipeline_bubble", make_run({rank}));
        QVERIFY(!unknown.available);
        QVERIFY(english(unknown.reason).starts_with("no pipeline is recorded"));
    }

    void aRunKnownToHaveNoPipelineHasNoBubble() {
        const auto run = make_run({TraceBuilder(0).kernel("a", 7, 0, 10), TraceBuilder(1).kernel("a", 7, 0, 10)},
                                  "built", {{"Model-executor.model_plan_parallelization.pp", "1"}});
        const MetricResult result = metric("pipeline_bubble", run);
        QVERIFY(!result.available);
        QVERIFY(english(result.reason).find("is 1") != std::string::npos);
        QVERIFY(!metric("pipeline_bubble", make_run({TraceBuilder(0).kernel("a", 7, 0, 10)})).available);
    }

    void passesAreReadFromAnnotations() {
        const auto marks = [](std::string_view name, PassKind kind, std::int64_t microbatch) {
            return actions_marked(name) == std::vector<PipelineAction>{{-1, kind, microbatch, false}};
        };
        QVERIFY(marks("Forward 3", PassKind::forward, 3));
        QVERIFY(marks("backward_12", PassKind::backward, 12));
        QVERIFY(marks("stage 1 microbatch 2 forward", PassKind::forward, 2));
        QVERIFY(marks("backward weight microbatch 4", PassKind::backward_weight, 4));
        QVERIFY((actions_marked("PP:3W4") == std::vector<PipelineAction>{{3, PassKind::backward_weight, 4, false}}));
        QCOMPARE(actions_marked("PP:(0F7;7B3)OVERLAP_F_B").size(), std::size_t{2});
        for (const char* none : {"forward", "DistributedDataParallel.forward", "Optimizer.step#AdamW.step", "PP:"})
            QVERIFY2(actions_marked(none).empty(), none);
    }
};

RANKSCOPE_TEST(TestCommunication)

} // namespace rankscope::communication_test

#include "test_communication.moc"
