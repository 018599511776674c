// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel classes by name. The patterns live in tables (communication_names.cpp, compute_kind_names.cpp); a rank asks
// them once per distinct name, never per event.
#include "core/analysis/selection/kernel_class.h"

#include <algorithm>

#include "core/analysis/selection/communication_names.h"
#include "core/analysis/selection/compute_kind_names.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

/// One of the runtime's own copy kernels: the whole name, with or without ".kd".
bool is_copy_kernel(std::string_view name) {
    if (name.ends_with(".kd"))
        name.remove_suffix(3);
    return name == "MEMORY_COPY_HOST_TO_DEVICE" || name == "MEMORY_COPY_DEVICE_TO_HOST" ||
           name == "MEMORY_COPY_DEVICE_TO_DEVICE" || name == "__amd_rocclr_copyBuffer" ||
           name == "__amd_rocclr_copyBufferAligned" || name == "__amd_rocclr_copyBufferRect" ||
           name == "__amd_rocclr_copyBufferRectAligned";
}

} // namespace

std::string_view kernel_class_word(KernelClass c) {
    switch (c) {
    case KernelClass::compute: return "compute";
    case KernelClass::communication: return "communication";
    case KernelClass::memory_copy: return "memcpy";
    case KernelClass::memory_set: return "memset";
    }
    return "compute";
}

std::string_view compute_kind_word(ComputeKind kind) {
    switch (kind) {
    case ComputeKind::fused: return "fused";
    case ComputeKind::gemm: return "gemm";
    case ComputeKind::attention: return "attention";
    case ComputeKind::experts: return "experts";
    case ComputeKind::routing: return "routing";
    case ComputeKind::dispatch: return "dispatch";
    case ComputeKind::combine: return "combine";
    case ComputeKind::state_space: return "state space";
    case ComputeKind::convolution: return "convolution";
    case ComputeKind::normalisation: return "normalisation";
    case ComputeKind::rotary: return "rotary";
    case ComputeKind::quantisation: return "quantisation";
    case ComputeKind::sampling: return "sampling";
    case ComputeKind::elementwise: return "elementwise";
    case ComputeKind::reduction: return "reduction";
    case ComputeKind::embedding: return "embedding";
    case ComputeKind::optimiser: return "optimiser";
    case ComputeKind::triton: return "triton";
    case ComputeKind::other: break;
    }
    return "other";
}

KernelClass built_in_class(EventKind kind, std::string_view name) {
    if (kind == EventKind::memcpy)
        return KernelClass::memory_copy;
    if (kind == EventKind::memset)
        return KernelClass::memory_set;
    if (is_copy_kernel(name))
        return KernelClass::memory_copy;
    // The runtime's fill kernels (__amd_rocclr_fillBuffer) match nothing below, and so are compute, as they should be.
    return names_communication(name) ? KernelClass::communication : KernelClass::compute;
}

ComputeKind compute_kind(std::string_view kernel_name) {
    std::string lower = lower_case(kernel_name);
    // Libraries of all kinds of kernels, whose names say of none that it is attention or a product.
    for (const std::string_view library : {"flashinfer", "fbgemm"})
        for (std::size_t at = lower.find(library); at != std::string::npos; at = lower.find(library, at))
            lower.erase(at, library.size());
    for (const ComputeKindName& name : compute_kind_names())
        if (contains(lower, name.word))
            return name.kind;
    return ComputeKind::other;
}

} // namespace rankscope
