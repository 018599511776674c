// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput, MFU, SM coverage, serving latency and expert balance against numbers worked out by hand.
#include <cmath>
#include <memory>

#include <QtTest>

#include "core/analysis/operators/peak_flops.h"
#include "core/metrics/catalogue.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::workload_metrics_test {

namespace {

/// Two steps of 100 ms and 300 ms (mean 200 ms) on an A100.
TraceBuilder two_steps(int rank) { return TraceBuilder(rank).step(1, 0, 100'000).step(2, 100'000, 300'000); }

std::shared_ptr<const Run> run_with(const std::vector<TraceBuilder>& ranks, RunConfig config) {
    return make_run(ranks, "run", std::move(config));
}

MetricResult result_of(const std::shared_ptr<const Run>& run, std::string_view id) {
    const Metric* metric = find_metric(id);
    if (metric == nullptr)
        qFatal("no such metric");
    return metric->compute(RunAnalysis(run, {}));
}

std::shared_ptr<const Run> with(const Run& run, auto change) {
    auto copy = std::make_shared<Run>(run);
    change(*copy);
    return copy;
}

} // namespace

class TestWorkloadMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void throughputIsGlobalBatchTimesLengthOverIterationTime() {
        // 16 x 4096 tokens every 0.2 s = 327 680 tokens/s, on 2 ranks 163 840 each.
        const auto run = run_with({two_steps(0), two_steps(1)}, {{"workload.data.batch_size", "16"},
                                                                 {"workload.data.seq_len", "4096"},
                                                                 {"workload.model.iteration", "80"}});
        const MetricResult result = result_of(run, "throughput_tokens");
        QVERIFY(result.available);
        QCOMPARE(result.value, 327'680.0);
        QCOMPARE(result.details["tokens_per_second_per_gpu"].get<double>(), 163'840.0);
        QCOMPARE(result.details["tokens_per_step"].get<double>(), 65'536.0);
        // CCL-Bench divides the whole job's 80 iterations by the 0.4 s of the profile: 65 536 x 80 / 0.4.
        QCOMPARE(result.details["compat_ccl_bench"].get<double>(), 13'107'200.0);
    }

    void withoutACardTheLocalBatchCountsOncePerDataParallelRank() {
        const auto run = run_with({two_steps(0)}, {{"train_config.training.local_batch_size", "2"},
                                                   {"train_config.training.seq_len", "1000"},
                                                   {"train_config.parallelism.data_parallel_replicate_degree", "3"},
                                                   {"train_config.parallelism.data_parallel_shard_degree", "-1"}});
        QCOMPARE(result_of(run, "throughput_tokens").value, 2 * 3 * 1000 / 0.2);
    }

    void whatIsMissingIsNamed() {
        const MetricResult result = result_of(run_with({two_steps(0)}, {}), "throughput_tokens");
        QVERIFY(!result.available);
        QVERIFY(result.reason.find("workload.data.batch_size") != std::string::npos);
        const MetricResult mfu = result_of(run_with({two_steps(0)}, {}), "mfu");
        QVERIFY(mfu.reason.find("num_params") != std::string::npos);
        QVERIFY(!result_of(run_with({two_steps(0)}, {}), "ttft").available);
        QVERIFY(!result_of(run_with({two_steps(0)}, {}), "sm").available);
        QVERIFY(!result_of(run_with({two_steps(0)}, {}), "token_to_expert_assignment").available);
    }

    void mfuFollowsTheCard() {
        const RunConfig card{{"workload.data.batch_size", "16"},
                             {"workload.data.seq_len", "1000"},
                             {"workload.model.model_arch.num_params", "1100000000"},
                             {"workload.model.model_arch.num_params_embedding", "100000000"},
                             {"workload.model.model_arch.num_layers", "10"},
                             {"workload.model.model_arch.num_heads", "8"},
                             {"workload.model.model_arch.head_dim", "125"},
                             {"workload.hardware.xpu_spec.model", "nvidia_a100"},
                             {"workload.hardware.xpu_spec.total_count", "4"}};
        // A token: 6 x 1e9 + 12 x 10 x 8 x 125 x 1000 = 6.12e9. A step: 16 000 tokens = 9.792e13 in 0.2 s = 489.6
        // TFLOP/s; of 4 x 312: 39.2308 %.
        const MetricResult result = result_of(run_with({two_steps(0)}, card), "mfu");
        QVERIFY2(result.available, result.reason.c_str());
        QCOMPARE(result.details["flops_per_token"].get<double>(), 6.12e9);
        QVERIFY(std::abs(result.value - 100 * 489.6 / 1248) < 1e-9);
        // Inference: 2 x 1e9 + 4 x 1e6 x 10 = 2.04e9, a third.
        RunConfig inference = card;
        inference["workload.model.phase"] = "inference";
        QVERIFY(std::abs(result_of(run_with({two_steps(0)}, inference), "mfu").value - result.value / 3) < 1e-9);
    }

    void peaksAreFoundByPartOfTheName() {
        QCOMPARE(peak_tflops("NVIDIA A100-SXM4-80GB", Precision::fp16).value(), 312.0);
        QCOMPARE(peak_tflops("NVIDIA GB200", Precision::fp16).value(), 2500.0);
        QCOMPARE(peak_tflops("AMD Instinct MI300X", Precision::fp8).value(), 2615.0);
        QVERIFY(!peak_tflops("NVIDIA A100", Precision::fp8)); // it has no FP8
        QCOMPARE(peak_tflops("NVIDIA A100", Precision::tf32).value(), 156.0);
        QVERIFY(!peak_tflops("Tesla V100-SXM2-32GB", Precision::tf32));
        QVERIFY(!peak_tflops("AMD Radeon Graphics", Precision::fp16));
        QCOMPARE(int(precision_of("bf16")), int(Precision::fp16));
        QCOMPARE(int(precision_of("float32")), int(Precision::fp32));
        QCOMPARE(int(matrix_precision("c10::Float8_e4m3fn", true)), int(Precision::fp8));
        QCOMPARE(int(matrix_precision("c10::Half", true)), int(Precision::fp16));
        QCOMPARE(int(matrix_precision("float", true)), int(Precision::tf32));
        QCOMPARE(int(matrix_precision("float", false)), int(Precision::fp32));
        QCOMPARE(int(matrix_precision("double", true)), int(Precision::fp32));
    }

    void smCoverageIsWeightedByDuration() {
        // min(0.5, 1) for 30 us and min(4, 1) for 10 us: (15 + 10) / 40 = 62.5 %; occupancy (30 x 20 + 10 x 60) / 40 =
        // 30 %.
        const auto rank = TraceBuilder(0)
                              .kernel("a", 7, 0, 30)
                              .occupancy(0.5f, 20)
                              .kernel("b", 7, 40, 10)
                              .occupancy(4, 60)
                              .memory_copy("Memcpy HtoD", 7, 60, 1000);
        const MetricResult result = result_of(make_run({rank}), "sm");
        QCOMPARE(result.value, 62.5);
        QCOMPARE(result.details["occupancy_percent"].get<double>(), 30.0);
        QCOMPARE(result.details["kernels"].get<int>(), 2);
    }

    void servingLatencyComesFromTheBenchmarkOrTheSteps() {
        const auto rank = TraceBuilder(0)
                              .annotation("execute_context_1(4)", 0, 50'000)
                              .annotation("execute_context_0", 60'000, 10'000)
                              .annotation("execute_context_0", 80'000, 14'000)
                              .annotation("execute_context_0", 100'000, 99'000);
        const auto run = make_run({rank});
        QCOMPARE(result_of(run, "ttft").value, 50.0);
        QCOMPARE(result_of(run, "tpot").value, 12.0); // the inner two
        const auto measured = with(*run, [](Run& r) { r.serving.ttft_ms = 42; });
        QCOMPARE(result_of(measured, "ttft").value, 42.0);
        const auto training = with(*run, [](Run& r) { r.config["workload.model.phase"] = "training"; });
        QVERIFY(!result_of(training, "ttft").available);
        const auto sglang = make_run({TraceBuilder(0)
                                          .python("scheduler.py(10): run_batch", 0, 7'000)
                                          .python("x.py(3): not_run_batch", 8'000, 1'000)});
        QCOMPARE(result_of(sglang, "ttft").value, 7.0);
        QVERIFY(!result_of(sglang, "tpot").available); // one step has no next token
    }

    void expertBalanceFromLogsOrSplitSizes() {
        const auto run = with(*make_run({two_steps(0)}), [](Run& r) {
            r.expert_loads = {{"log", {{1, 3, 0, 4}, {1, 5, 0, 2}}}};
        });
        // Loads 2, 8, 0, 6: mean 4, max / mean 2, deviation sqrt((4 + 16 + 16 + 4) / 4) = sqrt(10).
        const MetricResult result = result_of(run, "token_to_expert_assignment");
        QCOMPARE(result.value, 2.0);
        QCOMPARE(result.details["max_over_min"].get<double>(), 4.0);
        QCOMPARE(result.details["idle_experts"].get<int>(), 1);
        QVERIFY(std::abs(result.details["coefficient_of_variation"].get<double>() - std::sqrt(10.0) / 4) < 1e-6);
        // Shares 1/8, 1/2, 3/8: 0.375 + 0.5 + 0.5306 bits.
        QVERIFY(std::abs(result.details["entropy_bits"].get<double>() - 1.405639) < 1e-6);

        CollectiveCall call;
        call.collective = "all_to_allv";
        call.in_split = "[10, 30]";
        const auto split = make_run({TraceBuilder(0).collective("ncclDevKernel_SendRecv", 20, 0, 5, call)});
        const MetricResult from_splits = result_of(split, "token_to_expert_assignment");
        QCOMPARE(from_splits.value, 1.5);
        QCOMPARE(from_splits.details["method"].get<std::string>(), std::string("all-to-all split sizes"));
    }
};

RANKSCOPE_TEST(TestWorkloadMetrics)

} // namespace rankscope::workload_metrics_test

#include "test_workload_metrics.moc"
