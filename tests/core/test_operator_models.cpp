// SPDX-License-Identifier: GPL-3.0-or-later
// Performance models of operators that engines and trainers add to PyTorch's, worked out by hand: casts with scales,
// writes into caches, state spaces, fused normalisation, routing and exchange.
#include <QtTest>

#include "core/analysis/operators/operator_models.h"
#include "core/analysis/operators/roofline.h"
#include "core/report/operator_sheets.h"
#include "core/report/tracelens_sheets.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::operator_models_test {

namespace {

std::optional<OperatorWork> work(const char* name, const char* dims, const char* types, const char* concrete = "[]") {
    const auto shapes = OperatorShapes::parse(dims, types, concrete);
    return shapes ? operator_work(name, *shapes) : std::nullopt;
}

/// A call of `us` microseconds of one kernel.
void add_call(TraceBuilder& rank, const char* name, double start, const char* dims, const char* types,
              const char* kernel, double us) {
    rank.cpu_op(name, start, 10).inputs(dims, types).launch(start + 1, 1).kernel(kernel, 7, start + 20, us);
}

std::vector<AnalysedRun> analysed(const TraceBuilder& rank) {
    AnalysedRun run;
    run.label = "run";
    run.analysis = std::make_shared<const RunAnalysis>(make_run({rank}), Selection{});
    return {run};
}

/// The cell below the title, of the sheet's first row.
Cell first_cell(const Sheet& sheet, const std::string& title) {
    for (std::size_t i = 0; i < sheet.columns.size(); ++i)
        if (sheet.columns[i].title == title && !sheet.rows.empty())
            return sheet.rows[0][i];
    return {};
}

} // namespace

class TestOperatorModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
        // 32 · 2.59375; 32 + 32·2 + 4·4
        row("aiter::dynamic_per_token_scaled_quant", "[[4,8],[4,8],[4,1]]",
            R"(["c10::Float8_e4m3fnuz","c10::BFloat16","float"])", "[]", 83, 112);
        // Two values of 4 bits in a byte: 128 · 2.59375, by the input; 64 + 128·2 + 4
        row("aiter::dynamic_per_group_scaled_quant", "[[4,16],[4,32],[4,1]]",
            R"(["c10::Float4_e2m1fn_x2","c10::BFloat16","unsigned char"])", "[]", 332, 324);
        // 1024 · 2.59375; 2048 + 1024 + 8·4
        row("_C::per_token_group_fp8_quant", "[[4,256],[4,256],[4,2],[]]",
            R"(["c10::BFloat16","c10::Float8_e4m3fn","float","Scalar"])", R"(["","","","128"])", 2656, 3104);
        row("_C::static_scaled_fp8_quant", "[[4,8],[4,8],[1]]", R"(["c10::Float8_e4m3fn","c10::BFloat16","float"])",
            "[]", 64, 100);
        // (result, input, its scales, scale of the input): 2·64; 32 + 128 + 4 + 4
        row("_C::scaled_fp4_quant", "[[4,8],[4,16],[4,1],[1]]",
            R"(["unsigned char","c10::BFloat16","c10::Float8_e4m3fn","float"])", "[]", 128, 168);
        // 6·600; 1200 + 600 + 3 rows of 2 groups of 128 in float
        row("vllm::triton_per_token_group_quant_fp8", "[[3,200],[]]", R"(["c10::BFloat16","Scalar"])", R"(["","128"])",
            3600, 1824);
        // 2·128; 256 + 64 + 2 rows of 2 blocks
        row("sglang_profiler::quant_dynamic_mxfp4_quant", "[[2,64]]", R"(["c10::BFloat16"])", "[]", 256, 324);
        // Rows of 3·32: 2·192; 384 + 96 + 2·3
        row("sglang_profiler::fused_mxfp4_quant_fused_flatten_mxfp4_quant", "[[2,3,32]]", R"(["c10::BFloat16"])", "[]",
            384, 486);
        row("aiter::fused_dynamic_mx_quant_moe_sort_hip", "[[2,32],[32,2],[2,64],[4],[1]]",
            R"(["c10::Float4_e2m1fn_x2","unsigned char","c10::BFloat16","int","int"])", "[]", 256, 324);
        row("primus_turbo_cpp_extension::quantize_fp8_tensorwise", "[[4,8]]", R"(["c10::BFloat16"])", "[]", 32, 96);
        // 264; 528 + 2·132 + 8 rows of 2 blocks + 33 columns of one
        row("primus::quantize_mxfp4_dual", "[[8,33]]", R"(["c10::BFloat16"])", "[]", 264, 841);

        // 3 slots for 4 padded tokens: of each 16 keys and 16 values at 2 bytes, written in 8 bits, and a slot
        row("_C_cache_ops::reshape_and_cache_flash", "[[4,2,8],[4,2,8],[9,16,2,8],[9,16,2,8],[3]]",
            R"(["c10::BFloat16","c10::BFloat16","unsigned char","unsigned char","long int"])", "[]", 0, 312);
        row("sglang::store_cache", "[[2,8],[2,8],[99,8],[99,8],[2]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","long int"])", "[]", 0, 144);
        // 3 · (1024 + 128 + 1152 + 8); rows of 8 bits have scales and a part in 16: 3 · (1024 + 128 + 656 + 8)
        row("_C_cache_ops::concat_and_cache_mla", "[[3,512],[3,64],[9,16,576],[3]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","long int"])", "[]", 0, 6936);
        row("_C_cache_ops::concat_and_cache_mla", "[[3,512],[3,64],[9,16,656],[3]]",
            R"(["c10::BFloat16","c10::BFloat16","unsigned char","long int"])", "[]", 0, 5448);
        // (24 + 12 + 36) · 2
        row("_C_cache_ops::concat_mla_q", "[[2,3,4],[2,3,2],[2,3,6]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])", "[]", 0, 144);
        // 3 · (12 + 4) turned; all read, 96; 36 joined queries of 2 bytes; 12 values in 8 bits
        row("aiter::fused_qk_rope_cat_and_cache_mla", "[[2,3,4],[2,3,2],[2,1,4],[2,1,2],[9,1,6]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::Float8_e4m3fnuz"])", "[]", 48,
            180);
        // The queries in 8 bits too
        row("aiter::fused_qk_rope_concat_and_cache_mla", "[[2,3,4],[2,3,2],[2,4],[2,2],[9,16,6],[2,3,6]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::Float8_e4m3fnuz","c10::Float8_e4m3fnuz"])",
            "[]", 48, 144);
        // 3 · (24 + 8); of each token 16 + 8 read, 8 written back, queries 2·24, row 24, slot 8
        row("_C_cache_ops::concat_and_cache_mla_rope_fused", "[[2],[2,3,4],[2,4],[2,8],[99,4],[],[2],[9,16,12]]",
            R"(["long int","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar","long int","c10::BFloat16"])",
            "[]", 96, 224);

        // 2·6·4; twice 6·2, twice the 24 kept values, 24 + 6
        row("_C::causal_conv1d_update", "[[2,3],[9,3,4],[3,4],[3]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16"])", "[]", 48, 150);
        row("_C::causal_conv1d_fwd", "[[3,5],[3,4],[3]]", R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])", "[]",
            120, 90);
        // 6 · (7·4 + 1 + 2 + 5 + 1 + 3); 12 + 12 + 32 + 24 + 24 + 8 + 12 + 8 and the result, 12
        row("SelectiveScanFn", "[[1,2,3],[1,2,3],[2,4],[1,1,4,3],[1,1,4,3],[2],[1,2,3],[2],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","float","c10::BFloat16","c10::BFloat16","float","c10::BFloat16","float","Scalar","Scalar"])",
            R"(["","","","","","","","","True","False"])", 240, 144);
        // Two packed sequences: 6 · 29; 12 + 12 + 32 + 24 + 24 + 12, and a state of 2·4 in float for each
        row("_C::selective_scan_fwd", "[[2,3],[2,3],[2,4],[1,4,3],[1,4,3],[],[],[],[],[3],[2],[2],[9,2,4],[]]",
            R"(["c10::BFloat16","c10::BFloat16","float","c10::BFloat16","c10::BFloat16","","","","Scalar","int","int","bool","float","Scalar"])",
            R"(["","","","","","","","","False","","","","",""])", 174, 180);
        // Chunks of 4 and 2 tokens: 10 pairs · 2 · (2 + 6); 4·6·6·2; 72 + 24 + 8 + 24 + 24 + 72
        row("MambaChunkScanCombinedFn", "[[1,6,2,3],[1,6,2],[2],[1,6,1,2],[1,6,1,2],[],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","float","c10::BFloat16","c10::BFloat16","Scalar","",""])",
            R"(["","","","","","4","",""])", 448, 224);
        // H 2, P 3, G 1, N 2: convolution 2·10·4·4 = 320, 8 pairs · 2 · (2 + 6) = 128, states 4·4·6·2 = 192;
        // 144 + 80 + 20 + 8 + 8 + 4 and the result, 48
        row("MambaSplitConv1dScanCombinedFn", "[[1,4,18],[10,4],[10],[2],[2],[2],[],[],[],[],[],[],[],[],[],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","float","float","c10::BFloat16","Scalar","","","Scalar","","Scalar","","","Scalar","Scalar","Scalar"])",
            R"(["","","","","","","4","","","False","","1e-06","","","3","1","True"])", 640, 312);
        // and a projection to 5: 2·4·30; its weight 60, a result of 40 instead of 48
        row("MambaSplitConv1dScanCombinedFn", "[[1,4,18],[10,4],[10],[2],[2],[2],[],[],[],[],[],[],[5,6],[],[],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","float","float","c10::BFloat16","Scalar","","","Scalar","","Scalar","c10::BFloat16","","Scalar","Scalar","Scalar"])",
            R"(["","","","","","","4","","","False","","1e-06","","","3","1","True"])", 880, 364);

        // 4·16 + 2·2 + 2·16; 32 + 16 + 16 + 2·4
        row("aiter::rmsnorm2d_fwd_with_dynamicquant_ck", "[[2,8],[2,8],[2,1],[8],[],[]]",
            R"(["c10::Float8_e4m3fnuz","c10::BFloat16","float","c10::BFloat16","Scalar","Scalar"])", "[]", 100, 72);
        // and 16; 32 + 16, 16 and 2 scales a row, the residual twice
        row("vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant", "[[2,8],[2,8],[8],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar","Scalar"])", R"(["","","","1e-06","4"])", 116,
            144);
        row("_C::fused_add_rms_norm_static_fp8_quant", "[[2,8],[2,8],[2,8],[8],[1],[]]",
            R"(["c10::Float8_e4m3fn","c10::BFloat16","c10::BFloat16","c10::BFloat16","float","Scalar"])", "[]", 116,
            132);
        // Rows of 6 become 8: 4·12 + 2·2 + 12; 24 + 12 + 32 + 2·24
        row("vllm::rocm_aiter_triton_add_rmsnorm_pad", "[[2,6],[6],[],[2,6],[]]",
            R"(["c10::BFloat16","c10::BFloat16","Scalar","c10::BFloat16","Scalar"])", R"(["","","1e-05","","4"])", 64,
            116);
        // 68 of the query and 36 of the key; 2·32 + 16 + 2·16 + 8
        row("aiter::_fused_qk_rmsnorm_kernel", "[[2,8],[8],[],[2,4],[4],[]]",
            R"(["c10::BFloat16","c10::BFloat16","Scalar","c10::BFloat16","c10::BFloat16","Scalar"])", "[]", 104, 120);
        // 260 + 128 + 64 + 36; 128 + 64, 32 + 2, the residual 256, the second tensor 2·16 + 8
        row("sglang_profiler::fused_mxfp4_quant_fused_rms_mxfp4_quant", "[[2,32],[32],[],[2,4],[4],[],[2,32]]",
            R"(["c10::BFloat16","c10::BFloat16","Scalar","c10::BFloat16","c10::BFloat16","Scalar","c10::BFloat16"])",
            "[]", 488, 522);
        // 7·64; 256 + 64 + 8 rows of 2 floats; backward 13·64; 384 + 96 + 64
        row("primus::fused_ln_modulate", "[[4,2,8],[2,8],[2,8],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar"])", "[]", 448, 384);
        row("primus::fused_ln_modulate_backward", "[[4,2,8],[4,2,8],[8],[8],[2,8]]",
            R"(["c10::BFloat16","c10::BFloat16","float","float","c10::BFloat16"])", "[]", 832, 544);
        // As native_batch_norm_backward: 9·24; (72 + 12)·4
        row("aten::batch_norm_backward", "[[2,3,4],[2,3,4],[3],[3],[3],[3],[3],[],[],[],[0]]",
            R"(["float","float","float","float","float","float","float","Scalar","Scalar","","unsigned char"])",
            R"(["","","","","","","","True","1e-05","[True, True, True]",""])", 216, 336);

        // A [K 32, M 4] and B [N 8, K 32]: 2·4·8·32; 128 + 256 + 4·8·2
        row("primus_turbo_cpp_extension::hipblaslt_gemm_fp8", "[[32,4],[],[8,32],[],[],[],[],[],[]]",
            R"(["c10::Float8_e4m3fnuz","float","c10::Float8_e4m3fnuz","float","Scalar","Scalar","Scalar","Scalar",""])",
            R"(["","","","","15","True","True","False",""])", 2048, 448);
        // 4 bits: 64 + 128 + 64, and a scale for each of 4 + 8 rows of 32
        row("primus_turbo::hipblaslt_gemm_fp4", "[[4,16],[4,1],[8,16],[8,1],[],[],[],[],[]]",
            R"(["c10::Float4_e2m1fn_x2","c10::Float8_e8m0fnu","c10::Float4_e2m1fn_x2","c10::Float8_e8m0fnu","Scalar","Scalar","Scalar","Scalar",""])",
            R"(["","","","","15","False","True","False",""])", 2048, 268);
        row("aiter::gemm_a4w4", "[[4,16],[8,16],[4,1],[8,1]]",
            R"(["c10::Float4_e2m1fn_x2","c10::Float4_e2m1fn_x2","c10::Float8_e8m0fnu","c10::Float8_e8m0fnu"])", "[]",
            2048, 268);
        // [M 3, B 2, K 4]: 2 · 2·3·5·4; 24·2 + 40 + 30·2
        row("sglang_profiler::batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant_batched_gemm_"
            "a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant",
            "[[3,2,4],[2,5,4],[1]]", R"(["c10::BFloat16","c10::Float8_e4m3fnuz","float"])", "[]", 240, 148);
        row("primus_turbo_cpp_extension::ck_grouped_gemm_variable_k", "[[4,6],[6,5],[3],[4]]",
            R"(["c10::BFloat16","c10::BFloat16","long int","long int"])", "[]", 240, 228);
        // Padding 1, stride 2: 4·4·8 results, 2·128·18 and a bias each; 256 + 288 + 256 + 16. ReLU: another 128
        row("ConvBias_", "[[1,2,8,8],[8,2,3,3],[8],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar"])", R"(["","","","1","2"])", 4736, 816);
        row("ConvBiasReLU_", "[[1,2,8,8],[8,2,3,3],[8],[],[]]",
            R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar"])", R"(["","","","1","2"])", 4864, 816);
        // 2 tokens, 2 of 4 experts: up 2·4·4·6; 16 + 0.75·192 + 48. Down, of 4 rows: 2·4·3·4; 24 + 0.75·96 + 32
        row("sglang_profiler::fused_moe_triton_kernels_invoke_fused_moe_kernel",
            "[[2,4],[4,6,4],[],[4,6],[],[],[],[2,2],[2,2]]",
            R"(["c10::BFloat16","c10::BFloat16","","c10::BFloat16","","","","float","int"])", "[]", 192, 208);
        row("sglang_profiler::fused_moe_triton_kernels_invoke_fused_moe_kernel",
            "[[4,3],[4,4,3],[],[2,2,4],[],[],[],[2,2],[2,2]]",
            R"(["c10::BFloat16","c10::BFloat16","","c10::BFloat16","","","","float","int"])", "[]", 96, 128);

        // 5·16; 32 + 16 + 16 + 16
        row("aiter::biased_grouped_topk_hip", "[[2,8],[8],[2,2],[2,2]]",
            R"(["c10::BFloat16","c10::BFloat16","float","int"])", "[]", 80, 80);
        row("aiter::topk_softplus", "[[2,2],[2,2],[2,8]]", R"(["float","int","c10::BFloat16"])", "[]", 96, 64);
        // 16 + 16 + 32 + 32 + 8 + 8 + 80
        row("aiter::moe_sorting_fwd", "[[2,2],[2,2],[8],[8],[2],[2],[2,20]]",
            R"(["int","float","int","float","int","int","c10::BFloat16"])", "[]", 0, 192);
        // 48 read, rows of 4 instead of 3 written
        row("sglang_profiler::fused_moe_triton_kernels_fused_append_shared_experts", "[[2,3],[2,3],[],[],[]]",
            R"(["int","float","Scalar","Scalar","Scalar"])", R"(["","","1","1.0","256"])", 0, 112);
        row("MoEDispatch", "[[5,4],[5,2]]", R"(["c10::BFloat16","long int"])", "[]", 0, 40);
        row("_C_custom_ar::all_reduce", "[[],[2,4],[2,4],[],[]]",
            R"(["Scalar","c10::BFloat16","c10::BFloat16","Scalar","Scalar"])", "[]", 0, 32);
        row("aiter::reduce_scatter", "[[],[4,4],[2,4]]", R"(["Scalar","c10::BFloat16","c10::BFloat16"])", "[]", 0, 48);
        row("sglang::reg_all_gather_into_tensor", "[[4,4],[2,4],[]]", R"(["c10::BFloat16","c10::BFloat16","Scalar"])",
            "[]", 0, 48);
        // 5·8 + 2·2; 4·16 + 8
        row("aiter::fused_allreduce_rmsnorm", "[[1],[],[2,4],[2,4],[2,4],[2,4],[4],[]]",
            R"(["long int","Scalar","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar"])",
            "[]", 44, 72);
        row("vllm::rocm_aiter_fused_allreduce_rmsnorm", "[[2,4],[2,4],[4],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar"])", "[]", 44, 72);

        // 2 batches of 4·4 pairs: 2·32·2·16; 4·128·2
        row("EvoformerAttention", "[[1,2,4,2,8],[1,2,4,2,8],[1,2,4,2,8],[1,2,1,1,4],[1,1,2,4,4]]",
            R"(["c10::Half","c10::Half","c10::Half","c10::Half","c10::Half"])", "[]", 2048, 1024);
        // 6 pairs: 2·6·4·(24 + 16); (24 + 16)·8·2 + 6 of 9 keys of 24
        row("sglang_profiler::tilelang_kernel_tilelang_sparse_fwd", "[[2,4,24],[9,1,24],[2,1,3],[],[]]",
            R"(["c10::BFloat16","c10::BFloat16","int","Scalar","Scalar"])", R"(["","","","0.1","16"])", 1920, 928);
        // 12 + 3 pairs: 2·15·4·16; 16·8·2 + (9 + 2) keys of 8
        row("aiter::pa_sparse_prefill_opus_fwd", "[[2,4,8],[9,8],[12],[3],[2,8],[3],[3],[4],[2,4,8],[]]",
            R"(["c10::BFloat16","c10::BFloat16","int","int","c10::BFloat16","int","int","float","c10::BFloat16","Scalar"])",
            "[]", 1920, 432);

        // Residual [2, 2, 4]: 2·16·3; 32 + 16 + 32 and mixes of 4 and 8 floats. The projection to 8 logits and squares:
        // 2·16·9; 64 + 8 + 32 + 8·8·4. The mix before a block: 32 + 4·8 + 2·2; 16 + 32 + 16 + 64 + 8 + 12 + 32 + 32 + 8
        row("aiter::mhc_post", "[[2,2,4],[2,4],[2,2,4],[2,2,1],[2,2,2],[]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","float","float","Scalar"])", "[]", 96, 128);
        row("aiter::mhc_pre_gemm_sqrsum", "[[1,2,8],[1,2],[2,2,4],[8,8],[],[]]",
            R"(["float","float","c10::BFloat16","float","Scalar","Scalar"])", "[]", 288, 360);
        row("aiter::mhc_pre_big_fuse_rmsnorm", "[[2,2,1],[2,2,2],[2,4],[1,2,8],[1,2],[3],[8],[2,2,4],[4]]",
            R"(["float","float","c10::BFloat16","float","float","float","float","c10::BFloat16","c10::BFloat16"])",
            "[]", 68, 220);
        // Both: 96 + 288; 64 + 8 + 32 + 16 + 32 + 16 + 32 + 256
        row("aiter::mhc_fused_post_pre_gemm_sqrsum", "[[1,2,8],[1,2],[2,2,4],[2,4],[2,2,4],[2,2,1],[2,2,2],[8,8]]",
            R"(["float","float","c10::BFloat16","c10::BFloat16","c10::BFloat16","float","float","float"])", "[]", 384,
            456);

        // 2·6; (6 + 1)·4. Over the last: 4·6; (6 + 2)·4. Running sums give as many: 6; 12·4
        row("aten::norm", "[[2,3],[]]", R"(["float","Scalar"])", R"(["","2"])", 12, 28);
        row("aten::norm", "[[2,3],[],[],[]]", R"(["float","Scalar","ScalarList","Scalar"])",
            R"(["","2","[1]","False"])", 12, 32);
        row("aten::var", "[[2,3],[],[],[]]", R"(["float","ScalarList","Scalar","Scalar"])", R"(["","[1]","1","False"])",
            24, 32);
        row("aten::cumsum", "[[2,3],[],[]]", R"(["float","Scalar",""])", R"(["","1",""])", 6, 48);
        row("aten::logsumexp", "[[2,3],[],[]]", R"(["float","ScalarList","Scalar"])", R"(["","[0]","False"])", 24, 36);
        // The result is a float; in place it is not; a float wins over integers; two halves make a float
        row("aten::mul", "[[4],[4]]", R"(["c10::Half","float"])", "[]", 4, 40);
        row("aten::mul_", "[[4],[4]]", R"(["c10::Half","float"])", "[]", 4, 32);
        row("aten::mul", "[[4],[4]]", R"(["long int","float"])", "[]", 4, 64);
        row("aten::add", "[[4],[4],[]]", R"(["c10::Half","c10::BFloat16","Scalar"])", "[]", 4, 32);
        row("aten::copy", "[[10],[10],[]]", R"(["c10::Half","float","Scalar"])", "[]", 10, 60);
    }
    void modelsNeedWhatTheirShapesSay() {
        QFETCH(QString, name);
        QFETCH(QString, dims);
        QFETCH(QString, types);
        QFETCH(QString, concrete);
        QFETCH(double, flops);
        QFETCH(double, bytes);
        const auto found = work(name.toUtf8().constData(), dims.toUtf8().constData(), types.toUtf8().constData(),
                                concrete.toUtf8().constData());
        QVERIFY(found.has_value());
        QCOMPARE(found->flops, flops);
        QCOMPARE(found->bytes, bytes);
    }

    void whatIsNotRecordedGivesNoModel() {
        // no size of a group; a result of another size
        QVERIFY(!work("vllm::triton_per_token_group_quant_fp8", "[[3,200],[]]", R"(["c10::BFloat16","Scalar"])"));
        QVERIFY(!work("aiter::dynamic_per_token_scaled_quant", "[[4,9],[4,8],[4,1]]",
                      R"(["c10::Float8_e4m3fnuz","c10::BFloat16","float"])"));
        QVERIFY(!work("vllm::rocm_aiter_rmsnorm_fp8_group_quant", "[[2,8],[8],[],[]]",
                      R"(["c10::BFloat16","c10::BFloat16","Scalar","Scalar"])"));
        // no cache; no chunk; no width of a head
        QVERIFY(
            !work("_C_cache_ops::concat_and_cache_mla", "[[3,512],[3,64]]", R"(["c10::BFloat16","c10::BFloat16"])"));
        QVERIFY(!work("MambaChunkScanCombinedFn", "[[1,6,2,3],[1,6,2],[2],[1,6,1,2],[1,6,1,2],[]]",
                      R"(["c10::BFloat16","c10::BFloat16","float","c10::BFloat16","c10::BFloat16",""])"));
        QVERIFY(!work("MambaSplitConv1dScanCombinedFn", "[[1,4,18],[10,4],[10],[2],[2],[2],[]]",
                      R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","float","float","c10::BFloat16","Scalar"])",
                      R"(["","","","","","","4"])"));
        // factors that do not fit
        QVERIFY(!work("primus_turbo::hipblaslt_gemm_fp8", "[[4,32],[],[8,31],[],[],[],[]]",
                      R"(["c10::Float8_e4m3fnuz","float","c10::Float8_e4m3fnuz","float","Scalar","Scalar","Scalar"])",
                      R"(["","","","","15","False","True"])"));
        // nothing in a dimension; sizes that no machine has
        QVERIFY(!work("primus::fused_ln_modulate", "[[0,4,8],[0,8],[0,8],[]]",
                      R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar"])"));
        QVERIFY(!work("aiter::mhc_pre_gemm_sqrsum", "[[2,24],[2],[2,9223372036854775807,64],[24,64]]",
                      R"(["float","float","c10::BFloat16","float"])"));
        QVERIFY(
            !work("EvoformerAttention",
                  "[[64,9223372036854775807,8,4,16],[64,9223372036854775807,8,4,16],[64,9223372036854775807,8,4,16]]",
                  R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])"));
        for (const char* name : {"_C::selective_scan_fwd", "_C::causal_conv1d_update", "_C_custom_ar::all_reduce",
                                 "aiter::pa_sparse_prefill_opus_fwd", "sglang::store_cache", "MoEDispatch",
                                 "primus::fused_ln_modulate", "aiter::_fused_qk_rmsnorm_kernel", "EvoformerAttention"})
            QVERIFY2(!work(name, "[]", "[]"), name);
    }

    /// The step says how many tokens there are, the shapes how many there is place for: 7·3·4·4·4; 3·(32 + 4·(2 + 4))·2
    void aDeltaNetworkWorksOnTheTokensOfTheStep() {
        const char* const dims = "[[5,32],[5,4],[5,4],[5,4,4],[]]";
        const char* const types = R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16",""])";
        QVERIFY(!work("vllm::gdn_attention_core", dims, types));
        AttendedTokens attended;
        attended.context_q = 2;
        attended.generation_q = 1;
        const auto found =
            paged_attention_work("vllm::gdn_attention_core", *OperatorShapes::parse(dims, types, "[]"), attended);
        QVERIFY(found.has_value());
        QCOMPARE(found->flops, 1344.0);
        QCOMPARE(found->bytes, 336.0);
    }

    void categoriesAreTraceLenssWords() {
        const auto word = [](const char* name) { return operator_category_word(operator_category(name, {})); };
        QCOMPARE(word("_C_custom_ar::all_reduce"), std::string_view("CustomCollective"));
        QCOMPARE(word("aiter::fused_allreduce_rmsnorm_"), std::string_view("CustomCollective"));
        QCOMPARE(word("aiter::fused_qk_rope_cat_and_cache_mla"), std::string_view("RoPE_fwd"));
        QCOMPARE(word("sglang::store_cache"), std::string_view("InferenceAttention"));
        QCOMPARE(word("vllm::gdn_attention_core"), std::string_view("InferenceAttention"));
        QCOMPARE(word("vllm::rocm_aiter_rmsnorm_fp8_group_quant"), std::string_view("RMSNorm"));
        QCOMPARE(word("sglang_profiler::fused_mxfp4_quant_fused_rms_mxfp4_quant"), std::string_view("RMSNorm"));
        QCOMPARE(word("aiter::mxfp4_moe_sort_hip"), std::string_view("MoE_aux"));
        QCOMPARE(word("aiter::fused_dynamic_mxfp4_quant_moe_sort_hip"), std::string_view("MoE_aux"));
        QCOMPARE(word("aiter::fused_dynamic_mx_quant_moe_sort_hip"), std::string_view("GroupQuant"));
        QCOMPARE(word("primus::quantize_mxfp4_dual"), std::string_view("elementwise"));
        QCOMPARE(word("aiter::mhc_pre_big_fuse_rmsnorm"), std::string_view("mHC"));
        QCOMPARE(word("MoEDispatch"), std::string_view("MoE_comm_fwd"));
        QCOMPARE(word("EvoformerAttention"), std::string_view("SDPA_fwd"));
        QCOMPARE(word("MambaSplitConv1dScanCombinedFn"), std::string_view("SSM_fwd"));
        QCOMPARE(word("primus::fused_ln_modulate_backward"), std::string_view("NORM_bwd"));
        QCOMPARE(word("primus_turbo::hipblaslt_gemm_fp4"), std::string_view("GEMM"));
        QCOMPARE(word("ConvBias_"), std::string_view("CONV_fwd"));
    }

    /// 312 bytes in 2 us, which no place on a roofline shows; the sheet has them.
    void writesIntoACacheHaveASheetButNoRoofline() {
        TraceBuilder rank(0);
        add_call(rank, "_C_cache_ops::reshape_and_cache_flash", 0, "[[4,2,8],[4,2,8],[9,16,2,8],[9,16,2,8],[3]]",
                 R"(["c10::BFloat16","c10::BFloat16","unsigned char","unsigned char","long int"])", "cache", 2);
        const std::vector<AnalysedRun> runs = analysed(rank);
        const RunAnalysis& analysis = *runs[0].analysis;
        QVERIFY(roofline(*analysis.run().names, analysis.modelled(), "NVIDIA H100 80GB HBM3").empty());
        const std::vector<Sheet> sheets = operator_sheets(runs);
        QCOMPARE(sheets.size(), std::size_t{1});
        QCOMPARE(sheets[0].name, std::string("InferenceAttention_fwd"));
        QCOMPARE(std::get<double>(first_cell(sheets[0], "param: T")), 3.0);
        QCOMPARE(std::get<std::string>(first_cell(sheets[0], "param: op_shape")), std::string("[4, 2, 8]"));
        QCOMPARE(std::get<double>(first_cell(sheets[0], "TB/s_mean")), 312 / 2.0 / 1e6);
        QVERIFY(std::holds_alternative<std::monostate>(first_cell(sheets[0], "param: d_ckv"))); // no such column
    }

    /// An engine's own all-reduce has rows, NCCL's has none; of 8 us of both TraceLens shows 3.
    void ownCollectivesHaveRowsInTraceLenssSheets() {
        TraceBuilder rank(0);
        add_call(rank, "_C_custom_ar::all_reduce", 0, "[[],[2,4],[2,4],[],[]]",
                 R"(["Scalar","c10::BFloat16","c10::BFloat16","Scalar","Scalar"])",
                 "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(RankData*)", 3);
        add_call(rank, "c10d::allreduce_", 100, "[[]]", R"(["TensorList"])", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
                 5);
        const std::vector<AnalysedRun> runs = analysed(rank);
        const Sheet summary = ops_summary_sheet(runs);
        QCOMPARE(summary.rows.size(), std::size_t{1});
        QCOMPARE(std::get<std::string>(first_cell(summary, "name")), std::string("_C_custom_ar::all_reduce"));
        QCOMPARE(std::get<double>(first_cell(summary, "total_direct_kernel_time_sum")), 3.0);
        const std::vector<Sheet> sheets = operator_sheets(runs);
        QCOMPARE(sheets.size(), std::size_t{1});
        QCOMPARE(sheets[0].name, std::string("CustomCollective_fwd"));
        QCOMPARE(std::get<std::string>(first_cell(sheets[0], "param: out_shape")), std::string("[2, 4]"));
        // In the metrics both are communication, and neither is held against the memory's rate.
        const OperatorAnalysis& operators = runs[0].analysis->operators()[0];
        for (const OperatorRow& row : operators.leaves)
            QVERIFY(row.category == OperatorCategory::communication);
        QVERIFY(roofline(*runs[0].analysis->run().names, operators.modelled, "NVIDIA H100 80GB HBM3").empty());
    }

    /// Block_0 runs kernels of 5 and 7 us and allocates 1000 bytes in the first step; 3 us in the second.
    void modulesHaveKernelsAndMemoryOfEachStep() {
        MemorySample sample;
        sample.bytes = 1000;
        sample.device_type = 1;
        TraceBuilder rank(0);
        rank.step(1, 0, 100).step(2, 100, 100);
        rank.python("nn.Module: Block_0", 5, 60).cpu_op("aten::mm", 10, 40);
        rank.launch(12, 1).kernel("a", 7, 20, 5).launch(14, 1).kernel("b", 7, 30, 7).memory_sample(16, sample);
        rank.python("nn.Module: Block_0", 105, 60).cpu_op("aten::mm", 110, 40).launch(112, 1).kernel("a", 7, 120, 3);
        const std::vector<AnalysedRun> runs = analysed(rank);
        const RunAnalysis& analysis = *runs[0].analysis;
        QCOMPARE(analysis.modules().modules.size(), std::size_t{1});
        QCOMPARE(analysis.modules().modules[0].total, TimeNs{15'000});
        const Sheet sheet = modules_by_step_sheet(runs);
        std::string rows;
        for (const auto& row : sheet.rows)
            for (std::size_t i = 0; i < 8; ++i)
                rows +=
                    (i == 1 ? std::get<std::string>(row[i]) : std::to_string(std::get<double>(row[i]))).substr(0, 7) +
                    (i == 7 ? ";" : " ");
        // step, module, depth, calls, kernels, self, total, bytes
        QCOMPARE(rows, std::string("1.00000 Block_0 1.00000 1.00000 2.00000 12.0000 12.0000 1000.00;"
                                   "2.00000 Block_0 1.00000 1.00000 1.00000 3.00000 3.00000 0.00000;"));
        // Of one step there is no such sheet.
        TraceBuilder once(0);
        once.step(1, 0, 100).python("nn.Module: Block_0", 5, 60).cpu_op("aten::mm", 10, 40);
        once.launch(12, 1).kernel("a", 7, 20, 5);
        QVERIFY(modules_by_step_sheet(analysed(once)).rows.empty());
    }

    void parametersAreThoseOfTraceLens() {
        TraceBuilder rank(0);
        rank.cpu_op("MambaSplitConv1dScanCombinedFn", 0, 10)
            .inputs(
                "[[1,4,18],[10,4],[10],[2],[2],[2],[],[],[],[],[],[],[],[],[],[],[]]",
                R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","float","float","c10::BFloat16","Scalar","","","Scalar","","Scalar","","","Scalar","Scalar","Scalar"])",
                R"(["","","","","","","4","","","False","","1e-06","","","3","1","True"])")
            .launch(1, 1)
            .kernel("scan", 7, 20, 5);
        add_call(rank, "aiter::gemm_a8w8_blockscale_ck", 100, "[[4,256],[384,256],[4,2],[3,2],[4,384]]",
                 R"(["c10::Float8_e4m3fnuz","c10::Float8_e4m3fnuz","float","float","c10::BFloat16"])", "gemm", 5);
        add_call(rank, "LigerSiLUMulFunction", 200, "[[2,4],[2,4]]", R"(["c10::BFloat16","c10::BFloat16"])", "silu", 5);
        add_call(rank, "aiter::dynamic_per_token_scaled_quant", 300, "[[4,8],[4,8],[4,1]]",
                 R"(["c10::Float8_e4m3fnuz","c10::BFloat16","float"])", "quant", 5);
        std::map<std::string, Sheet> sheets;
        for (Sheet& sheet : operator_sheets(analysed(rank)))
            sheets[sheet.name] = std::move(sheet);
        QCOMPARE(sheets.size(), std::size_t{4});
        for (const auto& [title, value] : {std::pair{"H", 2.0}, {"P", 3.0}, {"G", 1.0}, {"N", 2.0}, {"C", 4.0}})
            QCOMPARE(std::get<double>(first_cell(sheets.at("SSM_fwd"), std::string("param: ") + title)), value);
        QCOMPARE(std::get<double>(first_cell(sheets.at("GEMM"), "param: block_k")), 128.0);
        QCOMPARE(std::get<double>(first_cell(sheets.at("GEMM"), "param: block_n")), 128.0);
        QCOMPARE(std::get<std::string>(first_cell(sheets.at("BinaryElementwise"), "name")),
                 std::string("LigerSiLUMulFunction"));
        QCOMPARE(std::get<std::string>(first_cell(sheets.at("GroupQuant_fwd"), "param: shape_out")),
                 std::string("[4, 8]"));
    }
};

RANKSCOPE_TEST(TestOperatorModels)

} // namespace rankscope::operator_models_test

#include "test_operator_models.moc"
