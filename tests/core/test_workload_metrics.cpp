// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput, MFU, SM coverage, serving latency and expert balance against numbers worked out by hand.
#include <cmath>
#include <filesystem>
#include <memory>

#include <QtTest>

#include "core/analysis/operators/peak_flops.h"
#include "core/input/digest/trace_file.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/trace/engine_steps.h"
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
    const MetricPointer metric = find_metric(id);
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
        QVERIFY(english(result.reason).find("workload.data.batch_size") != std::string::npos);
        const MetricResult mfu = result_of(run_with({two_steps(0)}, {}), "mfu");
        QVERIFY(english(mfu.reason).find("num_params") != std::string::npos);
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
        QVERIFY2(result.available, english(result.reason).c_str());
        QCOMPARE(result.details["flops_per_token"].get<double>(), 6.12e9);
        QVERIFY(std::abs(result.value - 100 * 489.6 / 1248) < 1e-9);
        // Inference: 2 x 1e9 + 4 x 1e6 x 10 = 2.04e9, a third.
        RunConfig inference = card;
        inference["workload.model.phase"] = "inference";
        // A token goes through some experts only: all parameters would be too many.
        RunConfig experts = card;
        experts["workload.model.moe"] = "true";
        const MetricResult refused = result_of(run_with({two_steps(0)}, experts), "mfu");
        QVERIFY(!refused.available);
        QVERIFY(english(refused.reason).find("num_params_active (moe: true)") != std::string::npos);
        experts["workload.model.model_arch.num_params_active"] = "1100000000";
        QCOMPARE(result_of(run_with({two_steps(0)}, experts), "mfu").value, result.value);
        QVERIFY(std::abs(result_of(run_with({two_steps(0)}, inference), "mfu").value - result.value / 3) < 1e-9);
    }

    void moreThanTheDevicesCanDoIsNoUtilisation() {
        const RunConfig card{{"workload.data.batch_size", "64"},
                             {"workload.data.seq_len", "1000"},
                             {"workload.model.model_arch.num_params", "1000000000"},
                             {"workload.model.model_arch.num_layers", "0"},
                             {"workload.model.model_arch.num_heads", "8"},
                             {"workload.model.model_arch.head_dim", "125"},
                             {"workload.hardware.xpu_spec.model", "nvidia_a100"},
                             {"workload.hardware.xpu_spec.total_count", "4"}};
        // 6e9 x 64 000 tokens in 0.2 s: 1920 TFLOP/s, of each of four A100 480. One does 312.
        const MetricResult result = result_of(run_with({two_steps(0)}, card), "mfu");
        QVERIFY(!result.available);
        QCOMPARE(english(result.reason),
                 std::string("a GPU would compute 480 TFLOP/s and can do 312 at most: the workload card (parameters, "
                             "tokens of a step, precision) is not of this trace"));
        QCOMPARE(result.details["achieved_tflops_per_gpu"].get<double>(), 480.0);
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

    /// Rank 0 lists no device, rank 1 a slice of an H100 with 66 of its 132 multiprocessors.
    void theDeviceOfASliceMayBeThatOfALaterRank() {
        Run run;
        const auto slice = std::make_shared<RankTrace>();
        slice->devices = {{slice->device(), "NVIDIA H100 80GB HBM3", 66, 0}};
        run.ranks = {std::make_shared<RankTrace>(), slice};
        const std::vector<DevicePeak> peaks = peaks_of(run, {});
        QCOMPARE(peaks.size(), std::size_t{1});
        QCOMPARE(peak_tflops("NVIDIA H100 80GB HBM3", Precision::fp16, peaks).value(), 989.0 / 2);
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

    /// A prefill step and four of decoding on a host that runs ahead: 2 ms a step on the host, 10 ms on the GPU.
    static TraceBuilder serving(const std::vector<std::string>& names) {
        TraceBuilder rank(0);
        double gpu = 1'000; // us
        for (std::size_t k = 0; k < names.size(); ++k) {
            const double host = 2'500.0 * static_cast<double>(k);
            const double lasts = k == 0 ? 30'000 : 10'000;
            rank.annotation(names[k], host, 2'000).launch(host + 100, 10).kernel("step", 7, gpu, lasts - 500);
            gpu += lasts;
        }
        return rank;
    }

    void servingLatencyIsMeasuredOnTheGpu() {
        const auto run =
            make_run({serving({"execute_context_1(512)_generation_0(0)", "execute_context_0(0)_generation_8(8)",
                               "execute_8_context_0(sq0sk0)_generation_8(sq8sk99)",
                               "execute_context_0(0)_generation_8(8)", "execute_context_0"})});
        // The kernel of the prefill ends at 1 + 29.5 ms, each later one 10 ms after the one before.
        const MetricResult ttft = result_of(run, "ttft"), tpot = result_of(run, "tpot");
        QCOMPARE(ttft.value, 30.5);
        QCOMPARE(tpot.value, 10.0);
        QCOMPARE(tpot.details["values"].get<int>(), 4);
        QCOMPARE(tpot.details["steps"]["decode"].get<int>(), 4);
        QCOMPARE(tpot.details["steps"]["prefill"].get<int>(), 1);
        QCOMPARE(tpot.details["compat_ccl_bench_ms"].get<double>(), 2.0); // the host's
        const auto measured = with(*run, [](Run& r) { r.serving.ttft_ms = 42; });
        QCOMPARE(result_of(measured, "ttft").value, 42.0);
        const auto training = with(*run, [](Run& r) { r.config["workload.model.phase"] = "training"; });
        QVERIFY(!result_of(training, "ttft").available);
    }

    void stepsOfAnEngineAreIterations() {
        const auto run = make_run({serving({"step[EXTEND bs=1]", "step[DECODE bs=32]", "step[DECODE bs=32]"})});
        QCOMPARE(run->ranks.front()->steps.size(), std::size_t{3});
        QCOMPARE(run->ranks.front()->steps.back().number, std::int64_t{3});
        // Of the host, as everywhere, from start to start, of which there are two.
        const MetricResult iterations = result_of(run, "iter_time");
        QCOMPARE(iterations.value, 2.5);
        QCOMPARE(iterations.details["num_iterations"].get<int>(), 2);
        QCOMPARE(iterations.details["method"].get<std::string>(), std::string("engine_steps"));
        Selection second;
        second.iterations = {{2, 2}};
        const RunAnalysis analysis(run, second);
        QCOMPARE(find_metric("tpot")->compute(analysis).details["values"].get<int>(), 1);
        QCOMPARE(find_metric("tpot")->compute(analysis).value, 10.0); // from the end of step 1, which is not selected
        const MetricResult ttft = find_metric("ttft")->compute(analysis);
        QVERIFY(!ttft.available);
        QVERIFY2(english(ttft.reason).find("no step with a prompt") != std::string::npos, english(ttft.reason).c_str());
    }

    void copiesKeepTheStepsOfAnEngine() {
        const auto run = make_run({serving({"step[EXTEND bs=1]", "step[DECODE bs=32]"})});
        const RankTrace& rank = *run->ranks.front();
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString() + "/copy.trace";
        QVERIFY(write_trace_file(path, rank, TraceFileKind::cache));
        const auto copy = read_trace_file(path, TraceFileKind::cache, std::make_shared<StringTable>());
        QVERIFY(copy);
        QCOMPARE(copy->trace->steps.size(), std::size_t{2});
        for (std::size_t k = 0; k < 2; ++k)
            QVERIFY(copy->trace->steps[k].range == rank.steps[k].range);
        QCOMPARE(rank.steps[0].range.length(), TimeNs{2'500'000}); // until the next one starts
    }

    void aTraceThatCannotTellSaysSo() {
        // Decode only: no first token. A single step: its own time.
        const auto decode = make_run({serving({"execute_32_context_0(sq0)_generation_32(sq32)"})});
        QVERIFY(!result_of(decode, "ttft").available);
        QCOMPARE(result_of(decode, "tpot").value, 29.5);
        QVERIFY(result_of(decode, "tpot").details["method"].get<std::string>().find("a wait needs two steps") !=
                std::string::npos);
        QVERIFY(decode->ranks.front()->steps.empty()); // one is no repetition

        // Frames of SGLang do not tell what they compute, unless the forward pass inside them does.
        const auto frames = [](const char* function, const char* forward) {
            TraceBuilder rank(0);
            for (int k = 0; k < 3; ++k) {
                const double at = 20'000.0 * k;
                rank.python("scheduler.py(10): " + std::string(function), at, 7'000).launch(at + 20, 5);
                rank.kernel("k", 7, at + 100, 15'000);
                if (forward != nullptr)
                    rank.python("model_runner.py(7): " + std::string(forward), at + 10, 50);
            }
            return make_run({rank});
        };
        for (const char* function : {"run_batch", "_run_batch_inner"}) {
            const MetricResult unknown = result_of(frames(function, nullptr), "tpot");
            QVERIFY(!unknown.available);
            QVERIFY2(english(unknown.reason).find("does not tell") != std::string::npos,
                     english(unknown.reason).c_str());
            QCOMPARE(result_of(frames(function, "forward_decode"), "tpot").value, 20.0);
            // Steps with prompts one after the other may be chunks of one.
            const MetricResult chunks = result_of(frames(function, "forward_extend"), "ttft");
            QVERIFY2(english(chunks.reason).find("chunks of one prompt") != std::string::npos,
                     english(chunks.reason).c_str());
        }
        QVERIFY(!result_of(frames("not_run_batch", "forward_decode"), "tpot").available);
        // Without work of the GPU there is nothing to measure.
        const auto host =
            make_run({TraceBuilder(0).annotation("execute_context_0", 0, 10).annotation("execute_context_0", 20, 10)});
        QVERIFY(english(result_of(host, "tpot").reason).find("no GPU work") != std::string::npos);
    }

    void namesOfEngineStepsTellTheirPhase_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("phase"); // empty: no step
        const auto row = [](const char* name, const char* phase) { QTest::newRow(name) << name << phase; };
        row("execute_context_1(512)_generation_0(0)", "prefill");
        row("execute_context_2(512)_generation_7(7)", "mixed");
        row("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk32785)", "decode");
        row("execute_context_0(0)_generation_0(0)", "unknown");
        row("execute_context_1(4)", "prefill");
        row("execute_context_0", "decode");
        row("step[DECODE bs=32]", "decode");
        row("step[MIXED bs=4]", "mixed");
        row("step[IDLE bs=0]", "unknown");
        row("step[DRAFT_EXTEND bs=2]", "draft");
        row("step[3]", "");
        row("step[A bs=2", "");
        row("execute_context_sql", "");
        row("execute_context_", "");
        row("execute_model", "");
        row("step[", "");
        row("step 3", "");
    }
    void namesOfEngineStepsTellTheirPhase() {
        QFETCH(QString, name);
        QFETCH(QString, phase);
        const auto step = engine_step_name(EventKind::annotation, name.toStdString());
        QCOMPARE(step.has_value(), !phase.isEmpty());
        if (step)
            QCOMPARE(QString::fromStdString(std::string(engine_phase_word(step->phase))), phase);
        QVERIFY(!engine_step_name(EventKind::cpu_op, name.toStdString()));
    }

    void theSharedServingTracesHaveOneDecodeStep() {
        const std::string traces = std::string(RANKSCOPE_SHARED_DIR) + "/traces/";
        const auto vllm = load_run(traces + "vllm_decode_full/graph_execution.json.gz");
        const auto sglang = load_run(traces + "sglang_decode");
        if (!vllm || !sglang)
            QSKIP("skipped: no shared traces");
        // 441 kernels and copies without overlap: 10 717.708 us, and 25.473 us between them. The host's step lasts
        // 2 408.598.
        const MetricResult of_vllm = result_of(*vllm, "tpot");
        QVERIFY2(std::abs(of_vllm.value - 10.743'181) < 1e-6, std::to_string(of_vllm.value).c_str());
        QVERIFY(!of_vllm.details.contains("compat_ccl_bench_ms")); // one step has no inner ones
        // Work that was queued before the recording keeps SGLang's GPU busy for 463 ms: not a token's time.
        const MetricResult of_sglang = result_of(*sglang, "tpot");
        QVERIFY2(std::abs(of_sglang.value - 10.450'292) < 1e-6, std::to_string(of_sglang.value).c_str());
        for (const auto& run : {*vllm, *sglang})
            QVERIFY(!result_of(run, "ttft").available);
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

    /// Experts take 800 and 400 us: 800 over the mean of 600. A rank without such kernels tells that they are not
    /// spread over all ranks.
    void expertBalanceFromTheTimesOfKernels() {
        const auto rank = [](int number, double us) {
            return TraceBuilder(number).kernel("fused_moe_kernel", 7, 0, us).kernel("gemm", 7, 1'000, 100);
        };
        const MetricResult times = result_of(make_run({rank(0, 800), rank(1, 400)}), "token_to_expert_assignment");
        QVERIFY(std::abs(times.value - 800.0 / 600) < 1e-6);
        QCOMPARE(times.details["kernels"].get<int>(), 2);
        QCOMPARE(times.details["expert_kernel_us"][1].get<double>(), 400.0);
        const auto without = make_run({rank(0, 800), TraceBuilder(1).kernel("gemm", 7, 0, 100)});
        QVERIFY(!result_of(without, "token_to_expert_assignment").available);
    }

    /// Two ranks send 10 tokens to the experts of rank 0 and 30 to those of rank 1, and get them back: 1.5 times the
    /// mean, in 40 + 40 tokens. What comes back (40 to each) does not count.
    void whatComesBackFromExpertsIsNoLoad() {
        const auto split_by = [](std::int64_t row) {
            const auto text = [&](int a, int b) { return QString("[%1, %2]").arg(a * row).arg(b * row).toStdString(); };
            std::vector<TraceBuilder> ranks;
            for (int rank = 0; rank < 2; ++rank) {
                const int got = rank == 0 ? 10 : 30;
                CollectiveCall sent;
                sent.collective = "all_to_allv";
                sent.in_elements = 40 * 64;
                sent.out_elements = 2 * got * 64;
                sent.group = {"ep", "mesh_ep", {0, 1}, 2};
                sent.in_split = text(10, 30);
                sent.out_split = text(got, got);
                CollectiveCall back = sent;
                std::swap(back.in_elements, back.out_elements);
                std::swap(back.in_split, back.out_split);
                ranks.push_back(TraceBuilder(rank)
                                    .collective("ncclDevKernel_SendRecv", 20, 0, 5, sent)
                                    .collective("ncclDevKernel_SendRecv", 20, 10, 5, back));
            }
            return result_of(make_run(ranks), "token_to_expert_assignment");
        };
        const MetricResult tokens = split_by(1);
        QCOMPARE(tokens.value, 1.5);
        QCOMPARE(tokens.details["calls"].get<int>(), 2);
        QCOMPARE(tokens.details["total_tokens"].get<double>(), 80.0);
        // The sizes are those of all elements: how many a token has is not known.
        const MetricResult elements = split_by(64);
        QCOMPARE(elements.value, 1.5);
        QCOMPARE(elements.details["total_elements"].get<double>(), 80.0 * 64);
        QVERIFY(!elements.details.contains("tokens"));
    }
};

RANKSCOPE_TEST(TestWorkloadMetrics)

} // namespace rankscope::workload_metrics_test

#include "test_workload_metrics.moc"
