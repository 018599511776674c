// SPDX-License-Identifier: GPL-3.0-or-later
// Names of kernels, shortened to what tells them apart.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// What a kernel computes comes first; return type, namespaces and parameters go. Template arguments stay, so kernels
/// that differ in them never look alike. Names that are no C++ signature are returned as they are.
/// - "void at::native::reduce_kernel<512, 1>(float)": "reduce_kernel<512, 1>"
/// - "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>
/// >(…)":
///   "CUDAFunctor_add<float> · vectorized_elementwise_kernel<4, array<char*, 3>>"
/// - "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(…)": "AllReduce bf16 Sum RING LL"
/// - "_ZN5aiter12norm_kernelIfLi64EEvPf": "norm_kernel<float, 64>"
std::string short_name(std::string_view name);

} // namespace rankscope
