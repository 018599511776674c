// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of CCL-Bench's dashboard: ours, and those that its tools print, against numbers worked out by hand.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include <QtTest>

#include "core/compare/gate.h"
#include "core/input/find/run_config.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/ccl_bench_kernels.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::workload_dashboard_test {

namespace {

MetricResult result_of(const std::shared_ptr<const Run>& run, std::string_view id) {
    const MetricPointer metric = find_metric(id);
    if (metric == nullptr)
        qFatal("no such metric");
    return metric->compute(RunAnalysis(run, {}));
}

double value_of(const MetricResult& result) { return result.available ? result.value : std::nan(""); }
bool near(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

/// Ours, and theirs both by its own name and beside ours.
bool has_numbers(const std::shared_ptr<const Run>& run, const std::string& name, double ours, double theirs) {
    const double found = value_of(result_of(run, name)), beside = value_of(result_of(run, "ccl_bench_" + name));
    if (near(found, ours) && near(beside, theirs))
        return true;
    qWarning("%s: %.9g, %.9g", name.c_str(), found, beside);
    return false;
}
const double kNone = std::nan("");

/// What a run has of a benchmark's files beside it.
std::shared_ptr<const Run> run_beside(const std::vector<std::pair<std::string, std::string>>& files,
                                      const std::vector<TraceBuilder>& ranks) {
    QTemporaryDir folder;
    const std::filesystem::path at = folder.path().toStdString();
    std::filesystem::create_directory(at / "results_json");
    for (const auto& [name, text] : files)
        std::ofstream(at / name) << text;
    auto run = std::make_shared<Run>(*make_run(ranks));
    read_run_config(at, *run);
    return run;
}

} // namespace

class TestWorkloadDashboard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Four steps of 100 us, of which CCL-Bench's dashboard looks at the two in the middle. An all-reduce of 40 us runs
    /// 10 us beside a gemm; the last gemm crosses the border of the steps.
    static TraceBuilder dashboard_rank(int rank, double last_us) {
        TraceBuilder trace(rank);
        trace.step(1, 0, 100).step(2, 100, 100).step(3, 200, 100).step(4, 300, 100);
        trace.cpu_op("RedistributeBackward", 150, 5).cpu_op("RedistributeBackward", 250, 5);
        trace.kernel("gemm", 7, 110, 20).occupancy(0.5F, 50);
        trace.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 8, 120, 40).occupancy(2, 50);
        trace.kernel("gemm", 7, 190, last_us).occupancy(0.5F, 50);
        return trace;
    }
    void numbersOfTheDashboardOfCclBench_data() {
        QTest::addColumn<double>("ours");
        QTest::addColumn<double>("theirs");
        const auto row = [](const char* name, double ours, double theirs) { QTest::newRow(name) << ours << theirs; };
        row("avg_step_time", 1e-4, 1e-4);
        // Step 2 computes 20 + 10 us beside 40 of communication, step 3 only computes. Theirs counts the last gemm, 30
        // us or 50, in full in both.
        row("communication_fraction", 100 * (40 / 70.0) / 2, 100 * (40 / 90.0 + 40 / 110.0) / 4);
        row("communication_ratio", 40, 40);           // 80 of 200
        row("total_communication_time", 2e-5, 2e-5);  // 40 us in 2 steps
        row("compute_comm_overlap", 25, 25);          // 10 of 40
        row("dominant_kernel_concentration", 60, 60); // gemm: 50 + 70 of 200
        row("total_kernel_time", 2e-4, 2e-4);
        row("mean_sm_coverage", 70, 70); // (120 x 0.5 + 80 x 1) / 200
        row("aggregate_gpu_utilization", (80 / 110.0 + 100 / 130.0) * 50, (80 / 110.0 + 100 / 130.0) * 50);
        row("load_imbalance_ratio", 70 / 50.0, 100 / 80.0);
        row("straggler", 20 / 70.0, 0);
        row("average_memory_bandwidth", 0.4096, 0.2548); // 4096 B in 10 us; with the set 5096 in 20
        row("moe_fraction", 0, 0);
    }
    void numbersOfTheDashboardOfCclBench() {
        TraceBuilder first = dashboard_rank(0, 30);
        first.memory_copy("Memcpy HtoD (Pinned -> Device)", 9, 250, 10, 4096);
        first.memory_set("Memset (Device)", 9, 270, 10, 1000);
        const auto run = make_run({first, dashboard_rank(1, 50)});
        QFETCH(double, ours);
        QFETCH(double, theirs);
        const std::string name = QTest::currentDataTag();
        const MetricResult result = result_of(run, name);
        QVERIFY2(near(value_of(result), ours), std::to_string(value_of(result)).c_str());
        const double beside = result.details["compat_ccl_bench"].get<double>();
        QVERIFY2(std::abs(beside - theirs) < 1e-6, std::to_string(beside).c_str());
        const double alone = value_of(result_of(run, "ccl_bench_" + name));
        QVERIFY2(near(alone, theirs), std::to_string(alone).c_str());
        const std::vector<std::string> ids{name};
        QCOMPARE(compute_metrics(RunAnalysis(run, {}), ids).entries.size(), std::size_t{1});
        QVERIFY(!find_listed_metric(name));
    }

    // Theirs: 80 us of NCCL on two GPUs in two iterations. Ours has another meaning and stays what it is.
    void trafficWindowsOfBothMeaningsAreReached() {
        const auto run = make_run({dashboard_rank(0, 30), dashboard_rank(1, 50)});
        QVERIFY(near(value_of(result_of(run, "ccl_bench_traffic_window")), 2e-5));
        QCOMPARE(find_metric("ccl_bench_traffic_window")->unit, std::string("s"));
        QCOMPARE(find_metric("traffic_window")->unit, std::string("us"));
        for (const char* latency : {"ccl_bench_ttft", "ccl_bench_tpot"})
            QCOMPARE(find_metric(latency)->unit, std::string("s"));
    }

    // Theirs has the input of one rank, 2 MiB, over its own time: GiB a second, and half of what an all-gather moves.
    void bandwidthIsThatOfTheCallAndTheirsIsBeside() {
        const auto rank = [](int number, double start_us, double dur_us) {
            TraceBuilder trace(number);
            trace.collective("ncclDevKernel_AllGather_RING_LL", 8, start_us, dur_us,
                             {.collective = "all_gather",
                              .in_elements = 1 << 20,
                              .out_elements = 1 << 21,
                              .group = {.name = "0", .description = "default_pg", .ranks = {0, 1}}});
            return trace;
        };
        const auto run = make_run({rank(0, 100, 100), rank(1, 150, 50)});
        const MetricResult result = result_of(run, "bandwidth_utilization_allgather_group_6");
        QVERIFY2(near(value_of(result), 2'097'152 / 50e-6 / 1e9), std::to_string(value_of(result)).c_str());
        QVERIFY(near(result.details["compat_ccl_bench"].get<double>(), 9.765625));
        QVERIFY(!result_of(run, "bandwidth_utilization_alltoall_group_6").available);
    }

    void kernelsOfExpertsAreNotAllThatCombines() {
        TraceBuilder trace(0);
        trace.kernel("fused_moe_kernel", 7, 0, 10).kernel("flash_fwd_splitkv_combine_kernel", 7, 10, 10);
        trace.kernel("at::native::sbtopk::gatherTopK", 7, 20, 10).kernel("gemm", 7, 30, 10);
        const MetricResult result = result_of(make_run({trace}), "moe_fraction");
        QVERIFY(near(value_of(result), 25));
        QVERIFY(near(result.details["compat_ccl_bench"].get<double>(), 75));
    }

    /// What the tools' rules give, calculated apart from this program from the text of the traces.
    void dlrmHasTheNumbersOfTheDashboardsTools() {
        const std::filesystem::path dlrm = std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces/dlrm_v100_8rank";
        if (!std::filesystem::exists(dlrm))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(dlrm);
        QVERIFY(run);
        for (const auto& [name, theirs] :
             std::vector<std::pair<std::string, double>>{{"avg_step_time", 0.01600775},
                                                         {"communication_fraction", 81.35637280308184},
                                                         {"total_communication_time", 0.00606775},
                                                         {"compute_comm_overlap", 4.553887813074646},
                                                         {"mean_sm_coverage", 12.372968453324587},
                                                         {"dominant_kernel_concentration", 66.08079154110126},
                                                         {"moe_fraction", 0.18464647168463777},
                                                         {"communication_ratio", 84.5576323444876},
                                                         {"total_kernel_time", 0.057407},
                                                         {"aggregate_gpu_utilization", 46.493941877499466},
                                                         {"load_imbalance_ratio", 4.661614247821144},
                                                         {"straggler", 0},
                                                         {"average_memory_bandwidth", 3.909869822485207},
                                                         {"memory_transfer_overhead", 0.4339}}) {
            const double value = value_of(result_of(*run, "ccl_bench_" + name));
            QVERIFY2(near(value, theirs), (name + " " + std::to_string(value)).c_str());
        }
    }

    // Five executions of 1 ms, one every 1.5 ms, each with a kernel of 0.3 ms; an all-reduce of 0.1 ms in the first.
    // The tool takes the executions' own times, and without profiler steps the communication of the whole trace.
    void executionsOfVllmLastWhatTheyLast() {
        TraceBuilder rank(0);
        for (int k = 0; k < 5; ++k) {
            rank.annotation("execute_context_0(0)_generation_8(8)", 1500 * k, 1000);
            rank.launch(1500 * k + 10, 5).kernel("gemm", 7, 1500 * k + 100, 300);
        }
        rank.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 8, 500, 100);
        const auto run = make_run({rank});
        QVERIFY(has_numbers(run, "avg_step_time", 1.5e-3, 1e-3));
        QVERIFY(has_numbers(run, "total_communication_time", 0, 1e-4));
        QVERIFY(has_numbers(run, "communication_fraction", 0, 6.25));
        auto measured = std::make_shared<Run>(*run);
        measured->serving.ttft_ms = measured->serving.tpot_ms = 42; // which the tool does not read
        QVERIFY(near(value_of(result_of(measured, "ccl_bench_ttft")), 1e-3));
        QVERIFY(near(value_of(result_of(measured, "ccl_bench_tpot")), 1e-3));
        TraceBuilder batches(0); // of SGLang, which has no first token to the tool
        for (int k = 0; k < 5; ++k)
            batches.python("scheduler.py(2919): run_batch", 1500 * k, 1000).kernel("gemm", 7, 1500 * k + 100, 300);
        const auto sglang = make_run({batches});
        QVERIFY(has_numbers(sglang, "avg_step_time", 1.5e-3, 1e-3));
        QVERIFY(!result_of(sglang, "ccl_bench_ttft").available);
    }

    // 20 us with a kernel that copies, 10 of them beside a gemm, in 100. The second rank has none and is not counted.
    void copiesAreTimedWithoutComputationBesideThem() {
        TraceBuilder first(0), second(1);
        first.kernel("direct_copy_kernel_cuda", 7, 0, 20).kernel("gemm", 8, 10, 20);
        first.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, 0, 100);
        first.memory_copy("Memcpy HtoD (Pinned -> Device)", 10, 50, 10, 4096);
        second.kernel("gemm", 7, 0, 1000);
        QVERIFY(has_numbers(make_run({first, second}), "memory_transfer_overhead", 5, 10));
        QVERIFY(has_numbers(make_run({second}), "memory_transfer_overhead", 0, kNone));
    }

    void namesOfFunctionsAreThoseOfNsightSystems() {
        for (const auto& [demangled, function] : std::vector<std::pair<std::string, std::string>>{
                 {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)", "ncclDevKernel_SendRecv"},
                 {"void at::native::<unnamed>::pow_kernel<float, (bool)0>(int, const T1 *)", "pow_kernel"},
                 {"void (anonymous namespace)::softmax(float*)", "softmax"},
                 {"void A<int>::run<B<(int)2>>(float *)", "run"},
                 {"nvjet_tst_192x192", "nvjet_tst_192x192"}})
            QCOMPARE(std::string(function_name(demangled)), function);
    }

    // The tools see functions without template arguments, no graphs, and have fewer words for communication and experts
    // than of Kineto traces. Of copies, 30 us of which 5 run beside a kernel, in 125.
    void reportsOfNsightSystemsHaveRulesOfTheirOwn() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("report.sqlite").toStdString();
        {
            NsysExport report(file);
            std::int64_t at = 25'000;
            for (const auto& [name, us] : std::vector<std::pair<std::string, std::int64_t>>{
                     {"void at::native::elementwise_kernel<(int)2, at::topk>(float *)", 25},
                     {"void at::native::elementwise_kernel<(int)4, at::MeanOps>(float *)", 20},
                     {"ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)", 25},
                     {"custom_reduce_scatter_kernel(float *)", 10},
                     {"my_dispatch_kernel(float *)", 10},
                     {"void topk<float>(float *)", 10}}) {
                report.kernel(at, at + us * 1000, name, {});
                at += us * 1000;
            }
            report.graph(125'000, 225'000, 3, {});
            report.run("CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER, "
                       "numMultiprocessors INTEGER); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100, 4), "
                       "(1, 1, 100, 2)");
            report.copy(0, 20'000, 1, 4096, {});
            report.copy(10'000, 30'000, 1, 4096, {.stream = 8});
        }
        const auto loaded = load_run(file);
        QVERIFY(loaded);
        const auto theirs = [&](const char* name) {
            return value_of(result_of(*loaded, std::string("ccl_bench_") + name));
        };
        QCOMPARE(theirs("dominant_kernel_concentration"), 45.0);
        QCOMPARE(theirs("communication_fraction"), 25.0);
        QCOMPARE(theirs("communication_ratio"), 25.0);
        QVERIFY(near(theirs("total_communication_time"), 25e-6));
        QVERIFY(near(theirs("total_kernel_time"), 100e-6));
        QCOMPARE(theirs("moe_fraction"), 10.0);
        QCOMPARE(theirs("memory_transfer_overhead"), 20.0);
        QCOMPARE(theirs("aggregate_gpu_utilization"), 100.0);
        QCOMPARE(theirs("mean_sm_coverage"), 25.0); // one block on the 4 of the first device
        QVERIFY(std::isnan(theirs("avg_step_time")));
        QCOMPARE(value_of(result_of(*loaded, "dominant_kernel_concentration")), 50.0); // the graph
    }

    void throughputIsThatOfTheBenchmarkBesideTheTrace() {
        const std::string slow = R"({"request_rate": 1, "output_throughput": 100, "request_throughput": 2})";
        const std::string fast = R"({"request_rate": 1, "output_throughput": 200, "request_throughput": 4})";
        const std::string other = R"({"request_rate": 9, "output_throughput": 600, "request_throughput": 9})";
        const TraceBuilder rank = dashboard_rank(0, 30);
        const auto one = run_beside({{"results_json/a.json", slow}, {"results_json/b.json", fast}}, {rank});
        QVERIFY(has_numbers(one, "output_throughput", 150, 150));
        QVERIFY(has_numbers(one, "request_throughput", 3, 3));
        // Loads of their own have no common rate; the tool's is the mean.
        const auto two = run_beside(
            {{"results_json/a.json", slow}, {"results_json/b.json", fast}, {"results_json/c.json", other}}, {rank});
        QVERIFY(has_numbers(two, "output_throughput", kNone, 300));
        QVERIFY(has_numbers(two, "request_throughput", kNone, 5));
        const auto lines = run_beside({{"bench_results.jsonl", slow + "\n"}}, {rank});
        QVERIFY(has_numbers(lines, "output_throughput", 100, 100));
        QVERIFY(lines->notices.empty());
        const auto elsewhere = run_beside({{"vllm-1.0qps-m.json", slow}}, {rank}); // not a file of CCL-Bench
        QVERIFY(has_numbers(elsewhere, "request_throughput", 2, kNone));
    }

    // Steps of 0.1 ms. Without gpu_count.txt the tool counts files named rank..._trace.json.
    void scoreOfStepsIsOfTheFilesBesideTheTrace() {
        const auto score = [](double gpus, double seconds) { return 0.5 * 16 / gpus + 0.5 * seconds / 1e-4; };
        TraceBuilder rank = dashboard_rank(0, 30);
        QVERIFY(has_numbers(run_beside({}, {rank}), "gpu_step_score", score(1, 0.44), kNone));
        rank.file("rank0_trace.json");
        QVERIFY(has_numbers(run_beside({}, {rank}), "gpu_step_score", score(1, 0.44), score(1, 0.44)));
        const auto told = run_beside({{"gpu_count.txt", "4\n"}, {"gpu_step_score_config.yaml", "T0: 0.2\n"}}, {rank});
        QVERIFY(has_numbers(told, "gpu_step_score", score(1, 0.2), score(4, 0.2)));
    }

    /// Two ranks: a ring makes 2 sends of half the message. 3 us and 1 ns for each byte of a send: 1000 bytes take 2 x
    /// 3.5 us, 4000 bytes 2 x 5 us. Rank 1 comes 20 us late, which is no time of the link.
    void theHockneyModelIsOfTheSendsOfARing() {
        const auto run_of = [](const std::vector<std::pair<std::int64_t, double>>& calls) {
            TraceBuilder first(0), second(1);
            double at = 0;
            for (const auto& [bytes, us] : calls) {
                CollectiveCall call;
                call.collective = "allreduce";
                call.dtype = "Float";
                call.in_elements = call.out_elements = bytes / 4;
                call.group = {"0", "default_pg", {0, 1}, 2};
                first.collective("ncclDevKernel_Generic", 3, at, 20 + us, call);
                second.collective("ncclDevKernel_Generic", 3, at + 20, us, call);
                at += 100;
            }
            return make_run({first, second});
        };
        const auto run = run_of({{1000, 7}, {4000, 10}, {1000, 7}, {4000, 10}, {8000, 14}});
        const auto value = [&](const char* name) { return value_of(result_of(run, name)); };
        QVERIFY(std::abs(value("hockney_alpha_s") - 3e-6) < 1e-15);
        QVERIFY(std::abs(value("hockney_beta_s_per_byte") - 1e-9) < 1e-18);
        QVERIFY(std::abs(value("hockney_inverse_beta_Bps") - 1e9) < 1);
        QVERIFY(std::isnan(value("ccl_bench_hockney_alpha_s"))); // its tool reads XLA's traces alone
        // Of a whole message: 6 us, and as 2 sends of half of it 1 ns a byte.
        const Json fits = result_of(run, "hockney_alpha_s").details["link_fits"];
        QCOMPARE(fits.size(), 1UL);
        QCOMPARE(fits[0]["latency_us"].get<double>(), 6.0);
        QCOMPARE(fits[0]["bandwidth_gb_s"].get<double>(), 1.0);
        QVERIFY(std::isnan(value_of(result_of(run_of({{1000, 7}, {4000, 10}, {1000, 7}, {4000, 10}}), // four calls
                                              "hockney_alpha_s"))));
        QVERIFY(std::isnan(value_of(result_of(run_of({{1000, 7}, {1000, 8}, {1000, 7}, {1000, 8}, {1000, 7}}),
                                              "hockney_alpha_s")))); // one size
    }

    void namesThatAreNotMeasuredSayWhatIs() {
        const auto said = [](const char* name) { return english(unknown_metric_message(name)); };
        QCOMPARE(said("wall_time_s"),
                 std::string("\"wall_time_s\" of CCL-Bench is not measured; nearest: gpu_timeline"));
        QVERIFY(said("scale_up_bw_utility").find("Astra-sim") != std::string::npos);
        QVERIFY(said("iter_tim").find("unknown metric") != std::string::npos);
        for (const char* name :
             {"straggler_metrics", "estimated_bandwidth", "throughput_group_6", "total_comm_time_s"}) {
            const std::string text = said(name);
            QVERIFY2(find_metric(text.substr(text.rfind(' ') + 1)), text.c_str());
        }
    }
};

RANKSCOPE_TEST(TestWorkloadDashboard)

} // namespace rankscope::workload_dashboard_test

#include "test_workload_dashboard.moc"
