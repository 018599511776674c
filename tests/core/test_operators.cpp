// SPDX-License-Identifier: GPL-3.0-or-later
// Operators, their performance models and rates, worked out by hand.
#include <cmath>

#include <QtTest>

#include "core/analysis/operators/roofline.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::operators_test {

namespace {

MetricResult metric(const TraceBuilder& rank, const std::string& id, RunConfig config = {}) {
    const std::vector<std::string> ids{id};
    return compute_metrics(RunAnalysis(make_run({rank}, "built", std::move(config)), {}), ids).entries.at(0).result;
}

/// aten::linear 0..100 around aten::mm 10..50, which launches two kernels (20..30 and 25..45 on the GPU), and around a
/// copy it launches itself (60..65). Outside of any operator: a kernel of 5.
TraceBuilder linear() {
    return TraceBuilder(0)
        .cpu_op("aten::linear", 0, 100)
        .cpu_op("aten::mm", 10, 40)
        .inputs("[[64,32],[32,16]]", R"(["c10::BFloat16","c10::BFloat16"])", R"(["",""])")
        .launch(12, 1)
        .kernel("gemm_a", 7, 20, 10)
        .launch(14, 1)
        .kernel("gemm_b", 9, 25, 20)
        .launch(55, 1)
        .kernel("elementwise_kernel", 7, 60, 5)
        .launch(200, 1)
        .kernel("alone", 7, 210, 5);
}

} // namespace

class TestOperators : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void directAndSubtreeTimesAreUnions() {
        const RunAnalysis analysis(make_run({linear()}), {});
        const OperatorAnalysis& operators = analysis.operators()[0];
        const StringTable& names = *analysis.run().names;
        QCOMPARE(operators.leaves.size(), std::size_t{2});
        const OperatorRow& mm = operators.leaves[0];
        QCOMPARE(names.view(mm.name), std::string_view("aten::mm"));
        QCOMPARE(mm.direct, TimeNs{25'000}); // 20..30 and 25..45
        QCOMPARE(mm.gpu_events, std::int64_t{2});
        QCOMPARE(mm.cpu, TimeNs{40'000});
        QVERIFY(mm.category == OperatorCategory::gemm);
        const OperatorRow& linear_row = operators.leaves[1];
        QCOMPARE(linear_row.direct, TimeNs{5'000});
        QCOMPARE(linear_row.subtree, TimeNs{30'000});
        QCOMPARE(operators.top_level.size(), std::size_t{1});
        QCOMPARE(names.view(operators.top_level[0].name), std::string_view("aten::linear"));
        QCOMPARE(operators.top_level[0].subtree, TimeNs{30'000});
        QCOMPARE(operators.attributed, TimeNs{35'000}); // durations 10 + 20 + 5
        QCOMPARE(operators.unattributed, TimeNs{5'000});
        QCOMPARE(metric(linear(), "operators").value, 87.5); // 35 of 40
    }

    /// As deep as no stack of a thread is: 200 000 operators, each inside the one before, around one kernel.
    void operatorsMayNestAsDeepAsTheyLike() {
        constexpr int kDepth = 200'000;
        TraceBuilder rank(0);
        for (int i = 0; i < kDepth; ++i)
            rank.cpu_op("aten::deep", i, 2 * kDepth - 2 * i);
        rank.launch(kDepth - 0.5, 0.25).kernel("k", 7, 3 * kDepth, 5);
        const OperatorAnalysis operators = RunAnalysis(make_run({rank}), {}).operators()[0];
        QCOMPARE(operators.leaves.size(), std::size_t{1});
        QCOMPARE(operators.top_level.size(), std::size_t{1});
        QCOMPARE(operators.top_level[0].cpu, TimeNs{2 * kDepth} * 1000); // the outermost
        QCOMPARE(operators.top_level[0].subtree, TimeNs{5'000});
    }

    /// Each of 400 000 operators inside each other launches a kernel of its own; then as many side by side, deep inside
    /// annotations. Walking up from every kernel would take an hour.
    void launchesAtEveryDepthAreSummed() {
        constexpr int kDepth = 400'000;
        TraceBuilder deep(0);
        for (int i = 0; i < kDepth; ++i)
            deep.cpu_op("aten::deep", 4 * i, 10 * kDepth - 8 * i)
                .launch(4 * i + 1, 1)
                .kernel("k", 7, 20 * kDepth + 3 * i, 2);
        const OperatorAnalysis nested = RunAnalysis(make_run({deep}), {}).operators()[0];
        QCOMPARE(nested.top_level.size(), std::size_t{1});
        QCOMPARE(nested.top_level[0].subtree, TimeNs{2'000} * kDepth);
        QCOMPARE(nested.leaves.size(), std::size_t{1});
        QCOMPARE(nested.leaves[0].direct, TimeNs{2'000} * kDepth);
        QCOMPARE(nested.leaves[0].subtree, TimeNs{1'000} * kDepth * (kDepth + 1)); // 2 us each of 1, 2, 3 … kernels

        TraceBuilder wide(0);
        for (int i = 0; i < kDepth; ++i)
            wide.annotation("deep", i, 12 * kDepth - 2 * i);
        for (int i = 0; i < kDepth; ++i)
            wide.cpu_op("aten::wide", kDepth + 5 * i, 4)
                .launch(kDepth + 5 * i + 1, 1)
                .kernel("k", 7, 20 * kDepth + 3 * i, 2);
        const OperatorAnalysis beside = RunAnalysis(make_run({wide}), {}).operators()[0];
        QCOMPARE(beside.top_level.size(), std::size_t{1});
        QCOMPARE(beside.top_level[0].calls, std::int64_t{kDepth});
        QCOMPARE(beside.top_level[0].subtree, TimeNs{2'000} * kDepth);
    }

    void callsWithOtherInputsAreOtherRows() {
        TraceBuilder rank(0);
        for (const auto& [start, dims] : {std::pair{0.0, "[[8]]"}, {100.0, "[[8]]"}, {200.0, "[[9]]"}}) {
            rank.cpu_op("aten::neg", start, 10)
                .inputs(dims, R"(["float"])")
                .launch(start + 1, 1)
                .kernel("k", 7, start + 20, start / 100 + 1);
        }
        const auto leaves = RunAnalysis(make_run({rank}), {}).operators()[0].leaves;
        QCOMPARE(leaves.size(), std::size_t{2}); // [[8]]: 1 + 2, [[9]]: 3; the larger sum first, ties by text
        QCOMPARE(leaves[0].calls, std::int64_t{2});
        QCOMPARE(leaves[0].direct_min, TimeNs{1'000});
        QCOMPARE(leaves[0].direct_max, TimeNs{2'000});
        QCOMPARE(leaves[1].direct, TimeNs{3'000});
        QCOMPARE(pooled_rows(*make_run({rank}), RunAnalysis(make_run({rank, TraceBuilder(1)}), {}).operators(),
                             &OperatorAnalysis::leaves)
                     .size(),
                 std::size_t{2});
    }

    void modelsNeedWhatTheirShapesSay_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("dims");
        QTest::addColumn<QString>("types");
        QTest::addColumn<QString>("concrete");
        QTest::addColumn<double>("flops");
        QTest::addColumn<double>("bytes");
        const auto row = [](const char* name, const char* dims, const char* types, const char* concrete, double flops,
                            double bytes) {
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(dims) << QString::fromUtf8(types)
                                << QString::fromUtf8(concrete) << flops << bytes;
        };
        // 2·64·16·32; (64·32 + 32·16 + 64·16)·2 bytes
        row("aten::mm", "[[64,32],[32,16]]", R"(["c10::BFloat16","c10::BFloat16"])", "[]", 65536, 7168);
        // 3 of 2·4·6·5; (3·4·5 + 3·5·6 + 3·4·6)·4
        row("aten::bmm", "[[3,4,5],[3,5,6]]", R"(["float","float"])", "[]", 720, 888);
        // 2·4·6·5 + 4·6; (4·5 + 5·6 + 4·6 + 6)·4
        row("aten::addmm", "[[6],[4,5],[5,6],[],[]]", R"(["float","float","float","Scalar","Scalar"])", "[]", 264, 320);
        // fp8 in, 16 bits out: 2·16·16·32; 16·32 + 32·16 + 16·16·2
        row("aten::_scaled_mm", "[[16,32],[32,16]]", R"(["c10::Float8_e4m3fn","c10::Float8_e4m3fn"])", "[]", 16384,
            1536);
        // out 1·8·4·4 (stride 2, padding 1, kernel 3): 2·128·(2·9) ; (1·2·8·8 + 8·2·9 + 128)·4
        row("aten::cudnn_convolution", "[[1,2,8,8],[8,2,3,3],[],[],[]]",
            R"(["float","float","ScalarList","ScalarList","ScalarList"])", R"(["","","[1, 1]","[2, 2]","[1, 1]"])",
            4608, 1600);
        // grad [1,8,4,4], input [1,2,8,8], weight [8,2,3,3]; both gradients: 2·4608, 2·1600
        row("aten::convolution_backward", "[[1,8,4,4],[1,2,8,8],[8,2,3,3],[],[],[],[],[],[],[],[]]",
            R"(["float","float","float","","","","","","","",""])",
            R"(["","","","[0]","[2, 2]","[1, 1]","[1, 1]","False","[0, 0]","1","[True, True, False]"])", 9216, 3200);
        // causal: half of 2·1·2·4·4·(8 + 8); q, k, v, o of 1·2·4·8 at 2 bytes
        row("aten::_scaled_dot_product_flash_attention", "[[1,2,4,8],[1,2,4,8],[1,2,4,8],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar","Scalar",""])",
            R"(["","","","0.","True","False",""])", 512, 512);
        // [B, N, H, D]: 2·1·2·4·4·(3·8 + 2·8), not causal; twice q, k, v and o
        row("aten::_flash_attention_backward", "[[1,4,2,8],[1,4,2,8],[1,4,2,8],[1,4,2,8],[1,4,2,8]]",
            R"(["c10::Half","c10::Half","c10::Half","c10::Half","c10::Half"])",
            R"(["","","","","","","","","","","0.","False"])", 2560, 1024);
        // 6 rows to 2 experts: 2·6·4·5; (6·4 + 2·4·5 + 6·5)·2
        row("aten::_grouped_mm", "[[6,4],[2,4,5],[2],[]]", R"(["c10::BFloat16","c10::BFloat16","int",""])", "[]", 240,
            188);
        // transposed weights, 1 row for 8 experts: 2·1·4·5; (4 + 8·4·5/8 + 5)·2
        row("primus_turbo_cpp_extension::grouped_gemm", "[[1,4],[8,5,4],[8],[9]]",
            R"(["c10::BFloat16","c10::BFloat16","long int","long int"])", "[]", 40, 58);
        // gradients of 3 experts' weights: 2·4·6·5; (4·6 + 6·5 + 3·4·5)·2
        row("aten::_grouped_mm", "[[4,6],[6,5],[3],[]]", R"(["c10::BFloat16","c10::BFloat16","int",""])", "[]", 240,
            228);
        // 8 bits, a product for each of 2 groups, scales of their own: 2·2·3·4·5; 2·3·4 + 2·4·5 + 2·3·5·2
        row("aten::_scaled_grouped_mm", "[[2,3,4],[2,4,5],[2,3],[2,5],[],[]]",
            R"(["c10::Float8_e4m3fn","c10::Float8_e4m3fn","float","float","",""])", "[]", 240, 124);
        // [B, N, H, D], 2 heads of keys for 4 of queries: 2·1·4·3·3·(8 + 8), half; q and o of 96, k and v of 48
        row("flash_attn::_flash_attn_forward", "[[1,3,4,8],[1,3,2,8],[1,3,2,8],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","0.","0.3","True","-1"])", 576, 576);
        // A bias of 16, in bf16 (15): 2·16·16·32 + 16·16; 16·32 + 32·16 + 16·16·2 + 16·2
        row("aten::_scaled_mm", "[[16,32],[32,16],[16,1],[1,16],[16],[],[],[]]",
            R"(["c10::Float8_e4m3fn","c10::Float8_e4m3fn","float","float","c10::BFloat16","","Scalar","Scalar"])",
            R"(["","","","","","","15","False"])", 16640, 1568);
        // Into float (6), two values of 4 bits in a byte: K is 32; 16·16 + 16·16 + 16·16·4
        row("aten::_scaled_mm", "[[16,16],[16,16],[16,2],[16,2],[],[],[],[]]",
            R"(["c10::Float4_e2m1fn_x2","c10::Float4_e2m1fn_x2","c10::Float8_e8m0fnu","c10::Float8_e8m0fnu","","","",""])",
            R"(["","","","","","","6","False"])", 16384, 1536);
        // x [4,32], weight [8,32]: 2·4·8·32; 128 + 256 + 4·8·2
        row("aiter::gemm_a8w8_blockscale_ck", "[[4,32],[8,32],[4,1],[1,1],[4,8]]",
            R"(["c10::Float8_e4m3fnuz","c10::Float8_e4m3fnuz","float","float","c10::BFloat16"])", "[]", 2048, 448);
        row("vllm::rocm_aiter_gemm_a8w8_blockscale", "[[4,32],[8,32],[4,1],[1,1],[]]",
            R"(["c10::Float8_e4m3fnuz","c10::Float8_e4m3fnuz","float","float",""])", "[]", 2048, 448);
        // 4 bits in bytes: 4·16 + 8·16 + 4·8·2
        row("aiter::gemm_afp4wfp4_", "[[4,16],[8,16],[4,1],[8,1]]",
            R"(["unsigned char","unsigned char","unsigned char","unsigned char"])", "[]", 2048, 256);
        // activations of 16 bits, weights of 4: 4·32·2 + 8·16 + 4·8·2
        row("vllm::gemm_with_dynamic_quant", "[[4,32],[8,16],[8,1]]",
            R"(["c10::BFloat16","unsigned char","unsigned char"])", "[]", 2048, 448);
        // (out, a, b, scales, scales, bias): 2048 + 4·8; 4·32 + 32·8 + 4·8·2 + 8·2
        row("_C::cutlass_scaled_mm", "[[4,8],[4,32],[32,8],[4,1],[1,8],[8]]",
            R"(["c10::BFloat16","c10::Float8_e4m3fn","c10::Float8_e4m3fn","float","float","c10::BFloat16"])", "[]",
            2080, 464);
        row("sgl_kernel::fp8_scaled_mm", "[[4,32],[32,8],[4,1],[1,8],[],[]]",
            R"(["c10::Float8_e4m3fn","c10::Float8_e4m3fn","float","float","Scalar",""])", R"(["","","","","5",""])",
            2048, 448);
        // By columns: A [N 8, K 32] transposed, B [M 4, K 32]; 256·1 + 128·1 + 4·8·2
        row("tex_ts::te_gemm_ts", "[[8,32],[],[],[],[],[4,32],[],[],[],[],[4,8],[],[],[],[]]",
            R"(["c10::Float8_e4m3fnuz","","","","","c10::Float8_e4m3fnuz","","","","","c10::BFloat16","","","",""])",
            R"(["","","","","1","","","","","0","","","","",""])", 2048, 448);
        // 2 tokens to 2 of 4 experts, gated, H 4, I 3: 2·2·2·4·3·3. Half of the experts for one token, 3/4 for two:
        // 2·4·2 twice and 0.75 · (4·6·4 + 4·4·3)·2
        row("vllm::outplace_fused_experts", "[[2,4],[4,6,4],[4,4,3],[2,2],[2,2]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","float","int"])", "[]", 288, 248);
        // weights of 4 bits, I 4: 2·2·2·4·4·3; 16 twice and 0.75 · (4·8·2 + 4·4·2)
        row("aiter::fused_moe_", "[[2,4],[4,8,2],[4,4,2],[2,2],[2,2]]",
            R"(["c10::BFloat16","c10::Float4_e2m1fn_x2","c10::Float4_e2m1fn_x2","float","int"])", "[]", 384, 104);
        // (out, input, w1, w2, ..., topk): 8 + 16 + 0.75 · (96 + 48)
        row("aiter::fmoe_fp8_blockscale_g1u1", "[[2,4],[2,4],[4,6,4],[4,4,3],[8],[8],[2],[2],[]]",
            R"(["c10::BFloat16","c10::Float8_e4m3fnuz","c10::Float8_e4m3fnuz","c10::Float8_e4m3fnuz","int","float","int","int","Scalar"])",
            R"(["","","","","","","","","2"])", 288, 132);
        // up and gate alone: 2·2·2·4·3·2; 2·4·2 + 2·2·3·2 + 0.75·96·2
        row("aiter::ck_moe_stage1", "[[2,4],[4,6,4],[4,4,3],[8],[2],[2],[2,2,3],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","int","int","int","c10::BFloat16","Scalar"])",
            R"(["","","","","","","","2"])", 192, 184);
        row("aiter::moe_cktile2stages_gemm1_ck", "[[2,4],[4,6,4],[2,2,3]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])", "[]", 192, 184);
        // down alone: 2·2·2·4·3; 2·2·3·2 + 2·4·2 + 0.75·48·2
        row("aiter::ck_moe_stage2", "[[2,2,3],[4,6,4],[4,4,3],[8],[2],[2],[2,4],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","int","int","int","c10::BFloat16","Scalar"])",
            R"(["","","","","","","","2"])", 96, 112);
        // PyTorch 2.4, then 2.5, which has a bias and a flag more before the dropout
        row("aten::_scaled_dot_product_cudnn_attention", "[[1,2,4,8],[1,2,4,8],[1,2,4,8],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar","Scalar"])", R"(["","","","0.","True","False"])",
            512, 512);
        row("aten::_scaled_dot_product_cudnn_attention", "[[1,2,4,8],[1,2,4,8],[1,2,4,8],[],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","","True","0.","False","False"])", 1024, 512);
        // 2 queries behind 4 other keys: 2·6 less the 2·2/2 that lie behind them; 2·10·16; (16 + 48 + 48 + 16)·2
        row("flash_attn::_flash_attn_forward", "[[1,2,1,8],[1,6,1,8],[1,6,1,8]]",
            R"(["c10::Half","c10::Half","c10::Half"])", R"(["","","","0.","0.3","True","-1","-1"])", 320, 256);
        // Each of 8 sees 2 to its left: 8·8/2 - 6·6/2 = 14 pairs
        row("aiter::mha_fwd", "[[1,8,1,8],[1,8,1,8],[1,8,1,8]]", R"(["c10::Half","c10::Half","c10::Half"])",
            R"(["","","","0.","0.3","True","2","0","True","False"])", 448, 512);
        // Two sequences of 4 in one tensor: 2 · 4·4/2 pairs
        row("flash_attn::_flash_attn_varlen_forward", "[[8,1,8],[8,1,8],[8,1,8],[3],[3]]",
            R"(["c10::Half","c10::Half","c10::Half","int","int"])",
            R"(["","","","","","4","4","0.","0.3","True","-1","-1"])", 512, 512);
        // causal from the start (1): 2 of 12 pairs; from the end (2): 10
        row("aten::_efficient_attention_forward", "[[1,2,1,8],[1,6,1,8],[1,6,1,8],[],[],[],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","","","","","","Scalar","Scalar"])",
            R"(["","","","","","","","","0.","1"])", 64, 256);
        row("aten::_efficient_attention_forward", "[[1,2,1,8],[1,6,1,8],[1,6,1,8],[],[],[],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","","","","","","Scalar","Scalar"])",
            R"(["","","","","","","","","0.","2"])", 320, 256);
        // Of two versions of aiter, the second with a gradient of the bias before the dropout
        row("aiter::_flash_attn_backward", "[[1,4,2,8],[1,4,2,8],[1,4,2,8],[1,4,2,8],[1,4,2,8]]",
            R"(["c10::Half","c10::Half","c10::Half","c10::Half","c10::Half"])",
            R"(["","","","","","","","","","0.","0.3","True","-1","-1"])", 1280, 1024);
        row("aiter::_flash_attn_backward", "[[1,4,2,8],[1,4,2,8],[1,4,2,8],[1,4,2,8],[1,4,2,8]]",
            R"(["c10::Half","c10::Half","c10::Half","c10::Half","c10::Half"])",
            R"(["","","","","","","","","","","0.","0.3","True","-1","-1"])", 1280, 1024);
        // 5 for each of 4·8; 32·2 + 64·2
        row("_C::silu_and_mul", "[[4,8],[4,16]]", R"(["c10::BFloat16","c10::BFloat16"])", "[]", 160, 192);
        // over the last, with the places of the largest: (24 + 6)·4 + 6·8; and the larger of two
        row("aten::max", "[[2,3,4],[],[]]", R"(["float","Scalar","Scalar"])", R"(["","-1","False"])", 24, 168);
        row("aten::max", "[[2,3],[2,3]]", R"(["float","float"])", R"(["",""])", 6, 72);
        // added to the residual: 5·8 + 2·2; 4·8·2 + 4·2
        row("_C::fused_add_rms_norm", "[[2,4],[2,4],[4],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar"])", "[]", 44, 72);
        // broadcast [4,1] with [1,3] to 12: 12; (4 + 3 + 12)·4
        row("aten::add", "[[4,1],[1,3],[]]", R"(["float","float","Scalar"])", "[]", 12, 76);
        // to 2 bytes from 4: 10·2 + 10·4
        row("aten::copy_", "[[10],[10],[]]", R"(["c10::Half","float","Scalar"])", "[]", 10, 60);
        // training: 5·24 + 6·3; (2·24 + 6·3)·4
        row("aten::native_batch_norm", "[[2,3,4],[3],[3],[3],[3],[],[],[]]",
            R"(["float","float","float","float","float","Scalar","Scalar","Scalar"])",
            R"(["","","","","","True","0.1","1e-05"])", 138, 264);
        // Layer: C is the normalised shape, 4, though no weight is recorded: 5·24 + 6·4; (2·24 + 4·4)·2
        row("aten::native_layer_norm", "[[2,3,4],[],[],[],[]]", R"(["c10::Half","ScalarList","","","Scalar"])",
            R"(["","[4]","","","1e-05"])", 144, 128);
        // with weight and bias: (48 + 6·4)·2
        row("aten::native_layer_norm", "[[2,3,4],[],[4],[4],[]]",
            R"(["c10::Half","ScalarList","c10::Half","c10::Half","Scalar"])", R"(["","[4]","","","1e-05"])", 144, 144);
        // backward: 9·24; (3·24 + 4·4)·2. Without the weights' gradients (3·24 + 2·4)·2
        row("aten::native_layer_norm_backward", "[[2,3,4],[2,3,4],[],[2,3,1],[2,3,1],[4],[4],[]]",
            R"(["c10::Half","c10::Half","ScalarList","float","float","c10::Half","c10::Half",""])",
            R"(["","","[4]","","","","","[True, True, True]"])", 216, 176);
        row("aten::native_layer_norm_backward", "[[2,3,4],[2,3,4],[],[2,3,1],[2,3,1],[4],[4],[]]",
            R"(["c10::Half","c10::Half","ScalarList","float","float","c10::Half","c10::Half",""])",
            R"(["","","[4]","","","","","[True, False, False]"])", 216, 160);
        // groups: C is 4 of [2,4,3]: 5·24 + 6·4; (48 + 24)·2; backward 216; (72 + 16)·2
        row("aten::native_group_norm", "[[2,4,3],[4],[4],[],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","2","4","3","2","1e-05"])", 144, 144);
        row("aten::native_group_norm_backward", "[[2,4,3],[2,4,3],[2,2],[2,2],[4],[],[],[],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","c10::Half","c10::Half","Scalar","Scalar","Scalar","Scalar",""])",
            R"(["","","","","","2","4","3","2","[True, True, True]"])", 216, 176);
        // evaluation: 2·24 + 6·3; (48 + 4·3)·4
        row("aten::cudnn_batch_norm", "[[2,3,4],[3],[3],[3],[3],[],[],[]]",
            R"(["float","float","float","float","float","Scalar","Scalar","Scalar"])",
            R"(["","","","","","False","0.1","1e-05"])", 66, 240);
        // (input, gradient, weight, ...): 9·24; (72 + 12)·4
        row("aten::cudnn_batch_norm_backward", "[[2,3,4],[2,3,4],[3],[3],[3],[3],[3],[],[0]]",
            R"(["float","float","float","float","float","float","float","Scalar","unsigned char"])", "[]", 216, 336);
        // 6 rows of 4: 4·24 + 2·6; (48 + 4)·2; without a weight 3·24 + 12; 48·2
        row("aten::_fused_rms_norm", "[[2,3,4],[],[4],[]]", R"(["c10::Half","ScalarList","c10::Half","Scalar"])",
            R"(["","[4]","","1e-06"])", 108, 104);
        row("aten::_fused_rms_norm", "[[2,3,4],[],[],[]]", R"(["c10::Half","ScalarList","","Scalar"])",
            R"(["","[4]","","1e-06"])", 84, 96);
        // 2·24, 6·24 of the input's gradient, 2·24 of the weight's; (72 + 8)·2
        row("aten::_fused_rms_norm_backward", "[[2,3,4],[2,3,4],[],[2,3,1],[4],[]]",
            R"(["c10::Half","c10::Half","ScalarList","float","c10::Half",""])", R"(["","","[4]","","","[True, True]"])",
            240, 160);
        // [tokens, batch, heads, dim]: 3·64; 2·64·2. Of 2 heads of queries and one of keys with 8 values, 4 are turned
        row("FusedRoPEFunc", "[[4,2,2,4],[4,1,1,4]]", R"(["c10::BFloat16","float"])", "[]", 192, 256);
        row("sgl_kernel::rotary_embedding", "[[5],[5,16],[5,8],[],[99,4],[]]",
            R"(["long int","c10::BFloat16","c10::BFloat16","Scalar","c10::BFloat16","Scalar"])",
            R"(["","","","8","","True"])", 180, 240);
        // 5·6·10; 60·2 + 6·(8 + 4)
        row("CrossEntropyFunction", "[[3,2,10],[3,2]]", R"(["c10::BFloat16","long int"])", "[]", 300, 192);
        // [B, C, T] with [C, k] and a bias: 2·24·4; (48 + 12 + 3)·2
        row("DaoAILab::_causal_conv1d_fwd_cpp", "[[2,3,4],[3,4],[3]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])", "[]", 192, 126);
        // gate and factor apart: 5·8; 3·8·2
        row("LigerSiLUMulFunction", "[[2,4],[2,4]]", R"(["c10::BFloat16","c10::BFloat16"])", "[]", 40, 48);
        // TensorRT-LLM, experts as above: the result's type (15), quantisation, tensor parallel 4 (rank 1), experts on
        // this rank alone; the older version without biases
        row("trtllm::fused_moe", "[[2,4],[2,2],[2,2],[4,6,4],[],[4,4,3],[],[],[],[],[],[],[],[],[],[],[],[]]",
            R"(["c10::BFloat16","int","float","c10::BFloat16","","c10::BFloat16","","Scalar","TensorList","","Scalar","","","","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","","","","","15","[]","","True","","","","4","1","1","0"])", 288, 248);
        row("trtllm::fused_moe", "[[2,4],[2,2],[2,2],[4,6,4],[4,4,3],[],[],[],[],[],[],[]]",
            R"(["c10::BFloat16","int","float","c10::BFloat16","c10::BFloat16","Scalar","TensorList","","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","","","15","[]","","4","1","1","0"])", 288, 248);
        row("flashinfer::cutlass_fused_moe",
            "[[2,4],[2,4],[2,2],[2,2],[4,6,4],[],[4,4,3],[],[],[],[],[],[],[],[],[],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","int","float","c10::BFloat16","","c10::BFloat16","","Scalar","TensorList","","","","","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","","","","","","15","[]","","","","","1","0","1","0"])", 288, 248);
        // (logits, bias, tokens in fp8, their scales, weights and scales twice, output, 4 experts, 2 of them a token):
        // 8 + 2·4·2 + 0.75 · (96 + 48)
        row("flashinfer::trtllm_fp8_block_scale_moe",
            "[[2,4],[4],[2,4],[1,2],[4,6,4],[4,1,1],[4,4,3],[4,1,1],[2,4],[],[]]",
            R"(["float","c10::BFloat16","c10::Float8_e4m3fn","float","c10::Float8_e4m3fn","float","c10::Float8_e4m3fn","float","c10::BFloat16","Scalar","Scalar"])",
            R"(["","","","","","","","","","4","2"])", 288, 132);
        // over the last: [2,3,4] to [2,3]: 24; (24 + 6)·4
        row("aten::sum", "[[2,3,4],[],[],[]]", R"(["float","ScalarList","Scalar",""])", R"(["","[-1]","False",""])", 24,
            120);
    }
    void modelsNeedWhatTheirShapesSay() {
        QFETCH(QString, name);
        QFETCH(QString, dims);
        QFETCH(QString, types);
        QFETCH(QString, concrete);
        QFETCH(double, flops);
        QFETCH(double, bytes);
        const auto shapes = OperatorShapes::parse(dims.toStdString(), types.toStdString(), concrete.toStdString());
        QVERIFY(shapes.has_value());
        const auto work = operator_work(name.toStdString(), *shapes);
        QVERIFY(work.has_value());
        QCOMPARE(work->flops, flops);
        QCOMPARE(work->bytes, bytes);
    }

    void shapesThatDoNotFitGiveNoModel() {
        const auto work = [](const char* name, const char* dims, const char* types) {
            const auto shapes = OperatorShapes::parse(dims, types, "[]");
            return shapes && operator_work(name, *shapes).has_value();
        };
        QVERIFY(!OperatorShapes::parse("", "", ""));
        QVERIFY(!OperatorShapes::parse("[[1,", "[]", "[]"));
        QVERIFY(!OperatorShapes::parse("[[4,-1]]", R"(["float"])", "[]"));                   // no size
        QVERIFY(!OperatorShapes::parse("[[4,18446744073709551615]]", R"(["float"])", "[]")); // likewise
        const auto convolution = [](const char* dims) {
            const auto shapes = OperatorShapes::parse(dims, R"(["float","float","","","","","","",""])",
                                                      R"(["","","","[1, 1]","[0, 0]","[1, 1]","False","[0, 0]","1"])");
            return operator_work("aten::convolution", *shapes);
        };
        QVERIFY(convolution("[[1,8,4,4],[8,8,3,3],[],[],[],[],[],[],[]]"));
        QVERIFY(!convolution("[[1,8,4,4],[8,8,7,3],[],[],[],[],[],[],[]]")); // 7 do not fit into 4
        QVERIFY(!work("aten::mm", "[[4,5],[6,7]]", R"(["float","float"])")); // 5 is not 6
        QVERIFY(!work("aten::mm", "[[4],[4]]", R"(["float","float"])"));
        QVERIFY(!work("aten::mm", "[[4,5],[5,7]]", R"(["mystery","float"])"));
        QVERIFY(!work("aten::convolution_backward", "[[1,8,4,4],[1,2,8,8],[8,2,3,3]]",
                      R"(["float","float","float"])")); // no mask
        QVERIFY(!work("aten::mystery", "[[4]]", R"(["float"])"));
        // A rank with 4 of 8 experts: how many of the tokens are for them is not recorded.
        const char* const experts = R"(["c10::Half","c10::Half","c10::Half","float","int","int"])";
        QVERIFY(!work("vllm::outplace_fused_experts", "[[2,4],[4,6,4],[4,4,3],[2,2],[2,2],[8]]", experts));
        QVERIFY(work("vllm::outplace_fused_experts", "[[2,4],[4,6,4],[4,4,3],[2,2],[2,2],[4]]", experts));
        // weights packed in another way
        QVERIFY(!work("vllm::outplace_fused_experts", "[[2,4],[4,6,3],[4,4,3],[2,2],[2,2]]", experts));
        // TensorRT-LLM says so: experts are spread over two ranks. FlashInfer has 8 experts, of which 4 are here.
        const auto spread = OperatorShapes::parse(
            "[[2,4],[2,2],[2,2],[4,6,4],[4,4,3],[],[],[],[],[],[],[]]",
            R"(["c10::Half","int","float","c10::Half","c10::Half","Scalar","TensorList","","Scalar","Scalar","Scalar","Scalar"])",
            R"(["","","","","","15","[]","","1","0","2","1"])");
        QVERIFY(!operator_work("trtllm::fused_moe", *spread).has_value());
        const auto share = OperatorShapes::parse(
            "[[2,8],[8],[2,4],[1,2],[4,6,4],[4,1,1],[4,4,3],[4,1,1],[2,4],[],[]]",
            R"(["float","c10::Half","c10::Half","float","c10::Half","float","c10::Half","float","c10::Half","Scalar","Scalar"])",
            R"(["","","","","","","","","","8","2"])");
        QVERIFY(!operator_work("flashinfer::trtllm_bf16_moe", *share).has_value());
        const auto attention = [](const char* name, const char* dims, const char* concrete) {
            const auto shapes =
                OperatorShapes::parse(dims, R"(["c10::Half","c10::Half","c10::Half","int","int"])", concrete);
            return shapes && operator_work(name, *shapes).has_value();
        };
        // two sequences of 8 tokens, the longer of 5; keys in pages
        QVERIFY(!attention("flash_attn::_flash_attn_varlen_forward", "[[8,1,8],[8,1,8],[8,1,8],[3],[3]]",
                           R"(["","","","","","5","5","0.","0.3","True"])"));
        QVERIFY(!attention("flash_attn_3::fwd", "[[2,1,4,8],[9,16,4,8],[9,16,4,8]]", "[]"));
    }

    void pagedAttentionReadsWhatTheStepAttendsTo() {
        AttendedTokens attended;
        attended.context_q = attended.context_k = attended.context_qq = attended.context_qk = 100;
        attended.generation_q = 2;
        attended.generation_k = attended.generation_qk = 50;
        const auto work = [&](const char* name, const char* dims) {
            const auto shapes = OperatorShapes::parse(
                dims, R"(["c10::Half","c10::Half","c10::Half","c10::Half","c10::Half","c10::Half","c10::Half"])", "[]");
            return paged_attention_work(name, *shapes, attended);
        };
        // Decoding alone, (out, query, keys [blocks, heads, D / x, page, x], ...): 2·4·16·50; 2·4·16·2 + 50·2·16·2
        const auto decode = work("_C::paged_attention_v1", "[[2,4,8],[2,4,8],[99,2,1,16,8],[99,2,8,16]]");
        QVERIFY(decode.has_value());
        QCOMPARE(decode->flops, 6400.0);
        QCOMPARE(decode->bytes, 3456.0);
        // Prompts too: 50 + 100 - 100/2 pairs; 102·4·16·2 + 150·2·16·2
        const auto both = work("aiter::mha_varlen_fwd", "[[102,4,8],[99,16,2,8],[99,16,2,8]]");
        QVERIFY(both.has_value());
        QCOMPARE(both->flops, 12800.0);
        QCOMPARE(both->bytes, 22656.0);
        // MLA's compressed keys are no keys of these heads.
        QVERIFY(!work("vllm::unified_mla_attention_with_output", "[[2,4,192],[2,512],[2,1,64]]"));
    }

    /// A product that writes bf16 first is held against the peak of its factors, in fp8: 1979 TFLOP/s of an H100, not
    /// 989. For 4 bits the table has none.
    void ratesAreHeldAgainstThePeakOfTheFactors() {
        const auto line_of = [](const char* name, const char* dims, const char* types) {
            const TraceBuilder rank =
                TraceBuilder(0).cpu_op(name, 0, 40).inputs(dims, types).launch(2, 1).kernel("gemm", 7, 10, 20);
            const RunAnalysis analysis(make_run({rank}), {});
            return roofline(*analysis.run().names, analysis.operators()[0].leaves, "NVIDIA H100 80GB HBM3").at(0);
        };
        const RooflineRow fp8 =
            line_of("_C::cutlass_scaled_mm", "[[4096,4096],[4096,4096],[4096,4096],[4096,1],[1,4096],[]]",
                    R"(["c10::BFloat16","c10::Float8_e4m3fn","c10::Float8_e4m3fn","float","float",""])");
        QVERIFY(fp8.roofline_us.has_value());
        QVERIFY(std::abs(*fp8.roofline_us - 2.0 * 4096 * 4096 * 4096 / 1979 / 1e6) < 0.1);
        QVERIFY(fp8.bound == Bound::compute && fp8.is_above_peak()); // 69.4 us of work in 20
        const RooflineRow fp4 =
            line_of("aiter::gemm_a4w4", "[[4096,2048],[4096,2048]]", R"(["unsigned char","unsigned char"])");
        QCOMPARE(fp4.work.flops, 2.0 * 4096 * 4096 * 4096);
        QVERIFY(!fp4.roofline_us && fp4.bound == Bound::unknown);
    }

    void categoriesOfOperatorsOfServingEngines() {
        const auto word = [](const char* name) { return operator_category_word(operator_category(name, {})); };
        QCOMPARE(word("trtllm::fp4_gemm"), std::string_view("GEMM"));
        QCOMPARE(word("_C::marlin_gemm"), std::string_view("GEMM"));
        QCOMPARE(word("aten::_scaled_grouped_mm"), std::string_view("GroupedGEMM_fwd"));
        QCOMPARE(word("vllm::fused_marlin_moe"), std::string_view("MoE_fused"));
        QCOMPARE(word("aiter::ck_moe_stage1"), std::string_view("MoE_unfused"));
        QCOMPARE(word("_C_cache_ops::concat_and_cache_mla"), std::string_view("InferenceAttention"));
        QCOMPARE(word("sgl_kernel::cutlass_mla_decode"), std::string_view("InferenceAttention"));
        QCOMPARE(word("aten::_scaled_dot_product_cudnn_attention_backward"), std::string_view("SDPA_bwd"));
        QCOMPARE(word("aten::logsumexp"), std::string_view("reduce"));
        QCOMPARE(word("_C::silu_and_mul"), std::string_view("elementwise"));
        QCOMPARE(word("trtllm::fused_moe"), std::string_view("MoE_fused"));
        QCOMPARE(word("aten::_fused_rms_norm"), std::string_view("NORM_fwd"));
        QCOMPARE(word("aten::_fused_rms_norm_backward"), std::string_view("NORM_bwd"));
        QCOMPARE(word("aiter::rmsnorm2d_fwd_ck"), std::string_view("RMSNorm"));
        QCOMPARE(word("FusedRoPEFuncBackward"), std::string_view("RoPE_bwd"));
        QCOMPARE(word("CrossEntropyFunction"), std::string_view("CrossEntropy_fwd"));
        QCOMPARE(word("MambaSplitConv1dScanCombinedFn"), std::string_view("SSM_fwd"));
        QCOMPARE(word("aiter::topk_softmax"), std::string_view("MoE_aux"));
        QCOMPARE(word("aiter::dynamic_per_token_scaled_quant"), std::string_view("GroupQuant"));
    }

    void ratesAndTheNearerLimit() {
        // mm of linear(): 65536 FLOPs and 7168 bytes in 25 us: 2.62144 GFLOP/s, 0.28672 GB/s. On an H100 65536 / 989e12
        // = 0.066 ns is less than 7168 / 3.35e12 = 2.14 ns: memory.
        const RunAnalysis analysis(make_run({linear()}), {});
        const auto lines = roofline(*analysis.run().names, analysis.operators()[0].leaves, "NVIDIA H100 80GB HBM3");
        QCOMPARE(lines.size(), std::size_t{1}); // aten::linear has no recorded inputs
        QCOMPARE(lines[0].tflops_s, 65536.0 / 25e3 / 1e3);
        QCOMPARE(lines[0].tb_s, 7168.0 / 25e3 / 1e3);
        QCOMPARE(lines[0].roofline_us.value(), 7168.0 / 3.35 / 1e6);
        QVERIFY(lines[0].bound == Bound::memory && !lines[0].is_above_peak());
        QVERIFY(roofline(*analysis.run().names, analysis.operators()[0].leaves, "unheard of")[0].bound ==
                Bound::unknown);
        QCOMPARE(metric(linear(), "roofline").value, 65536.0 / 25e3 / 1e3);
        QVERIFY(!metric(TraceBuilder(0).kernel("k", 7, 0, 1), "roofline").available);
    }

    void copiesOverALinkAreLimitedByNeitherPeak() {
        const auto line_of = [](const char* copy) {
            const RunAnalysis analysis(make_run({TraceBuilder(0)
                                                     .cpu_op("aten::copy_", 0, 40)
                                                     .inputs("[[1024,1024],[1024,1024],[]]",
                                                             R"(["float","float","Scalar"])", R"(["","","False"])")
                                                     .launch(2, 1)
                                                     .memory_copy(copy, 7, 10, 20)}),
                                       {});
            return roofline(*analysis.run().names, analysis.operators()[0].leaves, "NVIDIA A100-SXM4-80GB").at(0);
        };
        QVERIFY(line_of("Memcpy DtoD (Device -> Device)").bound == Bound::memory);
        for (const char* copy :
             {"Memcpy HtoD (Pinned -> Device)", "Memcpy DtoH (Device -> Pageable)", "Memcpy PtoP (Device -> Device)"}) {
            const RooflineRow line = line_of(copy);
            QVERIFY2(line.bound == Bound::unknown && !line.roofline_us, copy);
            QCOMPARE(line.tb_s, 2.0 * 1024 * 1024 * 4 / 20e3 / 1e3); // what it reached is known
        }
    }

    void floatProductsInTf32AreHeldAgainstItsPeak() {
        // 2 * 512^3 FLOPs = 268.435 MFLOP; on an A100 13.766 us at 19.5 TFLOP/s, 1.7207 us at 156. 3 * 512 * 512 * 4 B
        // at 2.039 TB/s: 1.543 us.
        const auto lines_of = [](const char* first, const char* second) {
            const auto product = [](TraceBuilder builder, double at, const char* kernel) {
                return builder.cpu_op("aten::mm", at, 40)
                    .inputs("[[512,512],[512,512]]", R"(["float","float"])", R"(["",""])")
                    .launch(at + 2, 1)
                    .kernel(kernel, 7, at + 10, 20);
            };
            const RunAnalysis analysis(make_run({product(product(TraceBuilder(0), 0, first), 100, second)}), {});
            return roofline(*analysis.run().names, analysis.operators()[0].leaves, "NVIDIA A100-SXM4-80GB");
        };
        const double flops = 2.0 * 512 * 512 * 512;
        const auto plain = lines_of("ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn");
        QCOMPARE(plain[0].tf32_share, 0.0);
        QCOMPARE(plain[0].roofline_us.value(), flops / 19.5 / 1e6);
        const auto rounded = lines_of("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4>()",
                                      "sm80_xmma_gemm_f32f32_tf32f32_f32_nn");
        QCOMPARE(rounded[0].tf32_share, 1.0);
        QCOMPARE(rounded[0].roofline_us.value(), flops / 156 / 1e6);
        QVERIFY(rounded[0].bound == Bound::compute);
        const auto mixed = lines_of("ampere_sgemm_128x64_nn", "sm80_xmma_gemm_f32f32_tf32f32_f32_nn");
        QCOMPARE(mixed[0].tf32_share, 0.5);
        QVERIFY(std::abs(mixed[0].roofline_us.value() - flops / 1e6 * (0.5 / 19.5 + 0.5 / 156)) < 1e-9);
        QVERIFY(is_matrix_work(OperatorCategory::gemm) && !is_tf32_kernel("ampere_bf16_s16816gemm_bf16_128x64"));
    }

    void withoutACardUtilisationComesFromShapesOrRecordedFlops() {
        // linear(): 65536 FLOPs between 20 and 215 us = 0.336 GFLOP/s of an A100's 312 TFLOP/s.
        const RunConfig a100{{"workload.hardware.xpu_spec.model", "A100"}};
        const MetricResult shapes = metric(linear(), "mfu", a100);
        QVERIFY2(shapes.available, english(shapes.reason).c_str());
        QCOMPARE(shapes.value, 100 * 65536.0 / 195e3 / 1000 / 312);
        QCOMPARE(shapes.details["method"].get<std::string>(), std::string("shapes"));
        // Recorded FLOPs win over the shapes: 1e9 in 10 us.
        const MetricResult recorded =
            metric(TraceBuilder(0)
                       .cpu_op("aten::mm", 0, 10)
                       .inputs("[[64,32],[32,16]]", R"(["c10::BFloat16","c10::BFloat16"])", "[]", 1'000'000'000)
                       .launch(1, 1)
                       .kernel("gemm", 7, 20, 10),
                   "mfu", a100);
        QCOMPARE(recorded.value, 100 * 100.0 / 312); // 100 TFLOP/s
        QCOMPARE(recorded.details["method"].get<std::string>(), std::string("recorded_flops"));
        // fp32 shapes are held against the fp32 peak, 19.5.
        const MetricResult single = metric(TraceBuilder(0)
                                               .cpu_op("aten::mm", 0, 10)
                                               .inputs("[[64,32],[32,16]]", R"(["float","float"])")
                                               .launch(1, 1)
                                               .kernel("gemm", 7, 20, 10),
                                           "mfu", a100);
        QCOMPARE(single.value, 100 * 65536.0 / 10e3 / 1000 / 19.5);
        // The FLOPs of a product are known, those of one that takes as long are not.
        const MetricResult half = metric(TraceBuilder(0)
                                             .cpu_op("aten::mm", 0, 10)
                                             .inputs("[[64,32],[32,16]]", R"(["float","float"])")
                                             .launch(1, 1)
                                             .kernel("gemm", 7, 20, 10)
                                             .cpu_op("aten::mm", 20, 10)
                                             .launch(21, 1)
                                             .kernel("gemm", 7, 40, 10),
                                         "mfu", a100);
        QVERIFY(!half.available);
        QVERIFY(english(half.reason).find("known of 50 % of the time") != std::string::npos);
        // What a compiler put together is launched by no operator of known FLOPs.
        const MetricResult compiled = metric(TraceBuilder(0)
                                                 .cpu_op("aten::mm", 0, 10)
                                                 .inputs("[[64,32],[32,16]]", R"(["float","float"])")
                                                 .launch(1, 1)
                                                 .kernel("gemm", 7, 20, 10)
                                                 .cpu_op("CompiledFunction", 20, 10)
                                                 .launch(21, 1)
                                                 .kernel("cutlass_80_tensorop_gemm", 7, 40, 30),
                                             "mfu", a100);
        QVERIFY(!compiled.available);
        QVERIFY2(english(compiled.reason).find("known of 25 % of the time") != std::string::npos,
                 english(compiled.reason).c_str());
        const MetricResult none = metric(TraceBuilder(0).kernel("k", 7, 0, 1), "mfu", a100);
        QVERIFY(!none.available);
        QVERIFY(english(none.reason).find("record_shapes") != std::string::npos);
    }
};

RANKSCOPE_TEST(TestOperators)

} // namespace rankscope::operators_test

#include "test_operators.moc"
