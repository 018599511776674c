// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products and convolutions: what their recorded inputs say of their sizes. The positions of the inputs are
// those of the public schemas: PyTorch's native_functions.yaml, vLLM's torch_bindings.cpp, and the operators of aiter,
// SGLang and TensorRT-LLM.
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/experts_work.h"
#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

/// batch products of [M, K] and [K, N]. Values of 4 bits, of which one recorded element holds several, count singly.
struct ProductShape {
    double batch = 1, m = 0, n = 0, k = 0;
    bool bias = false;
    bool packed = false;      ///< the first factor's values have 4 bits
    std::size_t a = 0, b = 1; ///< positions of the factors
    std::size_t type = 0;     ///< of the one whose type the work is done in
    double bytes = 0;         ///< of both factors, the result and what is added to it
};
bool is_product(std::string_view operator_name);
std::optional<ProductShape> product_shape(std::string_view operator_name, const ModelInputs& in);

bool is_grouped_product(std::string_view operator_name);
std::optional<OperatorWork> grouped_product_work(const ModelInputs& in);

struct ConvolutionShape {
    std::vector<std::int64_t> input, weight; ///< [N, C, ...], [out, C / groups, ...]
    std::string_view stride, padding, dilation, transposed, output_padding, groups; ///< as recorded
    bool bias = false;
    bool relu = false;  ///< of the result
    double work = 0;    ///< FLOPs without the bias, of one gradient where it is a backward one
    double results = 0; ///< elements of the output
};
bool is_convolution(std::string_view operator_name);
bool is_convolution_backward(std::string_view operator_name);
std::optional<ConvolutionShape> convolution_shape(std::string_view operator_name, const ModelInputs& in);

/// Of the four kinds above.
std::optional<OperatorWork> matrix_work(std::string_view operator_name, const ModelInputs& in);

} // namespace rankscope
