// SPDX-License-Identifier: GPL-3.0-or-later
// What work a step of a serving engine is made of, and its layers, worked out by hand.
#include <QtTest>

#include <map>
#include <string>

#include "core/analysis/serving/serving_words.h"
#include "core/analysis/serving/step_layers.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::step_work_test {

namespace {

using Shares = std::map<std::string, std::pair<TimeNs, std::uint32_t>>;

Shares by_word(std::span<const WorkShare> shares) {
    Shares result;
    for (const WorkShare& share : shares)
        result[std::string(step_work_word(share.work))] = {share.time, share.kernels};
    return result;
}

PieceOfWork piece(const char* name, TimeNs begin, TimeNs end, KernelClass kernel_class = KernelClass::compute) {
    return {{begin, end}, 0, 0, kernel_class, step_work(kernel_class, name)};
}

/// Decode steps of a mixture of experts on two GPUs: an embedding (20 us), four layers, then the next token is chosen
/// (30 us). A layer, us: norm 5, gemm 40, attention 60, all-reduce 10, routing 4, experts 50, combine 6; 175 in all.
/// beside: a kernel of another stream in the second layer, once a step.
TraceBuilder engine(int number, int steps, bool beside = false) {
    struct Kernel {
        const char* name;
        double time_us;
    };
    constexpr Kernel kLayer[] = {{"fused_add_rms_norm_kernel", 5},
                                 {"nvjet_tst_128x8_64x12_2x1_v_bz_TNT", 40},
                                 {"paged_attention_v2_kernel", 60},
                                 {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>()", 10},
                                 {"void vllm::moe::topkGatingSoftmax<8, 64>()", 4},
                                 {"fused_moe_kernel", 50},
                                 {"void vllm::moe::moe_sum_kernel<__nv_bfloat16, 2>()", 6}};
    TraceBuilder rank(number);
    double host = 1'000;
    for (int s = 0; s < steps; ++s) {
        double gpu = host + 20;
        rank.annotation("execute_context_0(0)_generation_8(8)", host, 790);
        double launch = host + 1;
        const auto add = [&](const char* name, double time) {
            rank.launch(launch, 0.5).kernel(name, 7, gpu, time);
            launch += 0.5;
            gpu += time;
        };
        add("void at::native::indexSelectSmallIndex<float>()", 20);
        for (int layer = 0; layer < 4; ++layer) {
            if (beside && layer == 1)
                rank.launch(launch, 0.1).kernel("prepare_next_batch", 9, gpu + 20, 2);
            for (const Kernel& kernel : kLayer)
                add(kernel.name, kernel.time_us);
        }
        add("void at::native::reduce_kernel<512, 1, at::native::ArgMaxOps<float>>", 30);
        rank.runtime("cudaStreamSynchronize", launch + 1, gpu - launch - 1);
        host += 800;
    }
    return rank;
}

} // namespace

class TestStepWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// 0 to 100 us: gemm 0 to 40, attention 30 to 60 beside it, all-reduce 50 to 80, a copy 70 to 90, nothing to 100.
    void eachInstantCountsOnce() {
        const std::vector<PieceOfWork> pieces{
            piece("gemm", 0, 40), piece("flash_fwd", 30, 60),
            piece("ncclDevKernel_AllReduce_Sum_bf16_RING_LL()", 50, 80, KernelClass::communication),
            piece("Memcpy DtoH", 70, 90, KernelClass::memory_copy)};
        QCOMPARE(by_word(shares_of_work(pieces, {0, 100})),
                 (Shares{{"gemm", {40, 1}}, {"attention", {20, 1}}, {"all-reduce", {20, 1}}, {"copies", {10, 1}}}));
        QCOMPARE(by_word(shares_of_work(pieces, {50, 75})),
                 (Shares{{"attention", {10, 1}}, {"all-reduce", {15, 1}}, {"copies", {0, 1}}}));
        QVERIFY(shares_of_work({}, {0, 100}).empty());
    }

    void communicationOfExpertsIsDispatchAndCombine() {
        const auto word = [](const char* name) {
            return std::string(step_work_word(step_work(KernelClass::communication, name)));
        };
        QCOMPARE(word("void deep_ep::internode_ll::dispatch<true, false, 7168>(void*)"), std::string("dispatch"));
        QCOMPARE(word("void deep_ep::internode_ll::combine<false, 7168, 9>(void*)"), std::string("combine"));
        QCOMPARE(word("ncclDevKernel_AllGather_RING_LL()"), std::string("other communication"));
        QCOMPARE(word("void vllm::cross_device_reduce_2stage<float, 4>()"), std::string("all-reduce"));
    }

    void anEngineHasNoOptimiser() {
        const std::string_view copies =
            "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<2>, CopyFunctor>";
        QCOMPARE(compute_kind(copies), ComputeKind::optimiser);
        QCOMPARE(step_work(KernelClass::compute, copies), step_work(ComputeKind::elementwise));
    }

    void whatRepeatsFourTimesAndIsHalfIsALayer() {
        const auto of = [](std::vector<NameId> names) {
            const RepeatedLayers layers = repeated_layers(names);
            return std::array{layers.first, layers.kernels, layers.count};
        };
        QCOMPARE(of({9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 8}), (std::array<std::size_t, 3>{1, 3, 4}));
        QCOMPARE(of({1, 2, 3, 1, 2, 3, 1, 2, 3}), (std::array<std::size_t, 3>{0, 0, 0}));    // three times
        QCOMPARE(of({1, 1, 1, 1, 2, 3, 4, 5, 6, 7}), (std::array<std::size_t, 3>{0, 0, 0})); // less than half
        QCOMPARE(of({1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1, 3}), (std::array<std::size_t, 3>{0, 4, 4}));
        QCOMPARE(of({}), (std::array<std::size_t, 3>{0, 0, 0}));
    }

    void aKernelOfAnotherStreamPartsNoLayers() {
        const RunAnalysis analysis(make_run({engine(0, 5, true)}), {});
        const std::vector<StepLayers>& layers = analysis.step_layers()[0];
        QCOMPARE(layers.size(), 1UL);
        QCOMPARE(layers.front().layers.size(), 4UL);
        QCOMPARE(layers.front().kernels, 7UL);
        QCOMPARE(layers.front().mean_ns(), 175'000);
    }

    /// A step takes 20 + 4 x 175 + 30 = 750 us of GPU work, and 50 us until the next one's.
    void aStepIsMadeOfItsLayers() {
        const auto run = make_run({engine(0, 5), engine(1, 5)});
        const RunAnalysis analysis(run, {});
        const std::vector<PhaseSummary> phases = summarise_phases(analysis.served_steps());
        QCOMPARE(phases.size(), 1UL);
        std::map<std::string, std::pair<double, double>> work;
        for (const PhaseWork& one : phases.front().work)
            work[std::string(step_work_word(one.work))] = {one.mean_us, one.kernels};
        using Expected = std::map<std::string, std::pair<double, double>>;
        QCOMPARE(work, (Expected{{"attention", {240, 4}},
                                 {"gemm", {160, 4}},
                                 {"experts", {200, 4}},
                                 {"routing", {16, 4}},
                                 {"combine", {24, 4}},
                                 {"normalisation", {20, 4}},
                                 {"all-reduce", {40, 4}},
                                 {"embedding", {20, 1}},
                                 {"sampling", {30, 1}}}));
        QCOMPARE(step_work_word(phases.front().work.front().work), std::string_view("attention")); // the longest first
        const std::vector<StepLayers>& layers = analysis.step_layers()[0];
        QCOMPARE(layers.size(), 1UL);
        QCOMPARE(layers.front().layers.size(), 4UL);
        QCOMPARE(layers.front().kernels, 7UL);
        QCOMPARE(layers.front().mean_ns(), 175'000);
        QCOMPARE(layers.front().mean_ns(step_work(ComputeKind::experts)), 50'000.0);
        QCOMPARE(layers.front().mean_ns(step_work(ComputeKind::sampling)), 0.0);
        const MetricResult rate = find_metric("serving_throughput")->compute(analysis);
        QCOMPARE(rate.details["work"]["decode"]["experts"]["mean_us"].get<double>(), 200.0);
        QCOMPARE(rate.details["repeated_layers"]["decode"]["layers"].get<int>(), 4);
        QCOMPARE(rate.details["repeated_layers"]["decode"]["mean_us"].get<double>(), 175.0);
        const std::string text = english(serving_sentences(phases).front());
        QVERIFY2(text.find("(attention 30 %, experts 25 %, gemm 20 %)") != std::string::npos, text.c_str());
    }
};

RANKSCOPE_TEST(TestStepWork)

} // namespace rankscope::step_work_test

#include "test_step_work.moc"
