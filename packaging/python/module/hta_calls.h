// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's analyses that follow launches: stragglers, kernels under annotations, sequences of kernels. Knows nothing of
// Python.
#pragma once
#include "hta.h"

namespace rankscope::python {

/// A row for each GPU row that HTA looks for stragglers in: named ncclKernel..., launched in a profiler step.
void hta_communication_rows(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink);
/// A row for each rank and profiler step: first start and last end of the rows that belong to it.
void hta_step_extents(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink);
/// A row for each GPU row, with the shortest annotation of its stream that overlaps it.
void hta_annotated_kernels(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink);
/// get_frequent_cuda_kernel_sequences(). question: name of the operator, and the least number of kernels as its limit.
void hta_kernel_sequences(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink);

} // namespace rankscope::python
