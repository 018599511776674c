// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/gpu_error_table.h"

#include "core/query/row_table_parts.h"
#include "core/trace/errors_by_rank.h"

namespace rankscope {
namespace {

using namespace query_rows;

struct GpuErrorRow {
    std::uint32_t run = 0;
    std::uint32_t rank = 0; ///< index in Run::ranks
    const GpuError* error = nullptr;
};

/// By rank, then time.
std::vector<GpuErrorRow> gpu_error_rows(const QueryModel& model) {
    std::vector<GpuErrorRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const auto by_rank = errors_by_rank(model.run(run));
        for (std::uint32_t rank = 0; rank < by_rank.size(); ++rank)
            for (const std::uint32_t error : by_rank[rank])
                rows.push_back({run, rank, &model.run(run).gpu_errors[error]});
    }
    return rows;
}

} // namespace

RowTable gpu_error_table() {
    using M = QueryModel;
    using R = GpuErrorRow;
    return row_table_of<R>(
        "gpu_error", "every error of a rank's GPU in logs of kernels beside the traces: Xid and PCIe errors", 2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {kRank, [](const M& m, const R& r) { return whole(m.run(r.run).ranks[r.rank]->rank); }},
         {{"start_ns", integer, "ns", "since the first event of the run, on the aligned clock; before it below 0"},
          [](const M& m, const R& r) { return whole(m.runs()[r.run].analysis->since_start(r.rank, r.error->time)); }},
         {{"kind", text, "", "xid, pcie_corrected, pcie_not_fatal or pcie_fatal"},
          [](const M&, const R& r) { return QueryValue(gpu_error_kind_word(r.error->kind)); }},
         {{"xid", integer, "", "number of NVIDIA's driver; NULL: of another kind"},
          [](const M&, const R& r) { return r.error->kind == GpuErrorKind::xid ? whole(r.error->xid) : QueryValue(); }},
         {{"message", text, "", "in words"},
          [](const M&, const R& r) { return QueryValue(english(gpu_error_words(r.error->kind, r.error->xid))); }}},
        gpu_error_rows);
}

} // namespace rankscope
