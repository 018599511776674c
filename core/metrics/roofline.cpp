// SPDX-License-Identifier: GPL-3.0-or-later
// Metric roofline: rates of operators by the FLOPs and bytes their shapes need.
#include "core/analysis/operators/roofline.h"
#include "core/metrics/numbers.h"
#include "core/metrics/workload.h"

#include <algorithm>
#include <map>

namespace rankscope {
namespace {

constexpr std::size_t kListedOperators = 50;

struct Sum {
    std::int64_t calls = 0;
    double flops = 0;
    double bytes = 0;
    TimeNs time = 0;
    double roofline_us = 0;
    bool every_roofline = true;
    void add(const RooflineRow& line) {
        const auto n = static_cast<double>(line.row.calls);
        calls += line.row.calls;
        flops += n * line.work.flops;
        bytes += n * line.work.bytes;
        time += line.row.direct;
        roofline_us += n * line.roofline_us.value_or(0);
        every_roofline = every_roofline && line.roofline_us.has_value();
    }
    [[nodiscard]] double tflops_s() const { return flops / static_cast<double>(time) / 1000.0; }
};

Json sum_json(const Sum& sum) {
    Json json{{"calls", sum.calls},
              {"gpu_time_us", as_us(sum.time)},
              {"gflops", sum.flops / 1e9},
              {"moved_bytes", sum.bytes}};
    put(json, "tflops_per_s", rounded(sum.tflops_s()));
    put(json, "tb_per_s", rounded(sum.bytes / static_cast<double>(sum.time) / 1000.0));
    if (sum.every_roofline)
        put(json, "of_roofline_percent", rounded(percent_of(sum.roofline_us, as_us(sum.time))));
    return json;
}

Json line_json(const StringTable& names, const RooflineRow& line) {
    Json json{{"name", names.view(line.row.name)},
              {"category", operator_category_word(line.row.category)},
              {"input_dims", names.view(line.row.dims)},
              {"input_types", names.view(line.row.types)},
              {"calls", line.row.calls},
              {"gpu_time_us", as_us(line.row.direct)},
              {"gflops_per_call", line.work.flops / 1e9},
              {"bytes_per_call", line.work.bytes},
              {"flops_per_byte", rounded(line.flops_per_byte)},
              {"tflops_per_s", rounded(line.tflops_s)},
              {"tb_per_s", rounded(line.tb_s)},
              {"bound", bound_word(line.bound)}};
    if (line.tf32_share > 0)
        json["tf32_share"] = rounded(line.tf32_share);
    if (line.is_above_peak())
        json["above_peak"] = true;
    if (line.roofline_us) {
        json["roofline_us"] = rounded(*line.roofline_us);
        put(json, "of_roofline_percent",
            rounded(percent_of(*line.roofline_us * static_cast<double>(line.row.calls), as_us(line.row.direct))));
    }
    return json;
}

MetricResult compute_roofline(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const std::string device = run_device_name(run);
    const std::vector<RooflineRow> lines =
        roofline(*run.names, analysis.modelled(), device, peaks_of(run, analysis.rules().peaks));
    if (lines.empty()) {
        return MetricResult::unavailable(
            "needs operators with recorded shapes that a model knows (record with record_shapes=True)"_text);
    }
    Sum matrix;
    std::map<OperatorCategory, Sum> categories;
    Json rows = Json::array();
    for (const RooflineRow& line : lines) {
        categories[line.row.category].add(line);
        if (is_matrix_work(line.row.category))
            matrix.add(line);
        if (rows.size() < kListedOperators)
            rows.push_back(line_json(*run.names, line));
    }
    Json by_category = Json::object();
    for (const auto& [category, sum] : categories)
        by_category[std::string(operator_category_word(category))] = sum_json(sum);
    Json details{{"device", device},
                 {"modelled_percent", rounded(100 * modelled_share(analysis.leaves(), lines))},
                 {"above_peak", std::ranges::count_if(lines, &RooflineRow::is_above_peak)},
                 {"by_category", std::move(by_category)},
                 {"operators", std::move(rows)}};
    if (matrix.time == 0) {
        return MetricResult::unavailable("no matrix multiplication, convolution or attention with recorded shapes"_text,
                                         std::move(details));
    }
    return MetricResult::of(matrix.tflops_s(), std::move(details));
}

} // namespace

Metric roofline_metric() {
    Metric metric{
        "roofline",
        "Rate of matrix operators",
        "TFLOP/s",
        Better::higher,
        "Operators",
        "FLOPs of matrix multiplications, convolutions and attention by their recorded shapes, over the GPU time "
        "they took. "
        "Details: every modelled operator with FLOPs, bytes, TFLOP/s, TB/s, and which of the device's limits it is "
        "nearer to; how many take less time than that limit allows, so that they did less than their shapes say.",
        compute_roofline};
    metric.moved_by = {SettingKind::work, SettingKind::dtype, SettingKind::device};
    return metric;
}

} // namespace rankscope
