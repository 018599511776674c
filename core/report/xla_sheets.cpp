// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/xla_sheets.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/seeded_hash.h"
#include "core/base/shallow_json.h"
#include "core/base/text_match.h"
#include "core/compare/rccl_comparison.h"
#include "core/report/rank_operators.h"

namespace rankscope {
namespace {

using enum NumberStyle;

/// A sheet of every kernel is for looking things up; beyond so many nobody does.
constexpr std::size_t kMostKernels = 100'000;

struct XlaKernel {
    int rank = 0;
    std::string_view name;
    std::string_view category;
    std::string_view stream, dims, types;
    TimeNs duration = 0;
    std::optional<TimeNs> delay; ///< from the start of its launch
    std::int64_t flops = kUnknown;
    TimeNs of_operator = 0; ///< all kernels of the same execution of the operator
};

std::vector<XlaKernel> kernels_of(const AnalysedRun& run) {
    std::vector<XlaKernel> kernels;
    for (const RankAnalysis& analysis : run.analysis->ranks()) {
        const RankTrace& rank = *analysis.trace;
        std::vector<GpuSlice> work(analysis.gpu_work.begin(), analysis.gpu_work.end());
        std::ranges::stable_sort(work, {}, [](const GpuSlice& s) { return s.range.begin; });
        PlaceMap<EventIndex, TimeNs> of_operator;
        for (const GpuSlice& slice : work)
            if (const EventIndex op = rank.gpu.operator_event[slice.event]; op != kNoEvent)
                of_operator[op] += slice.range.length();
        for (const GpuSlice& slice : work) {
            if (rank.events.kind[slice.event] != EventKind::kernel)
                continue;
            const EventIndex op = rank.gpu.operator_event[slice.event];
            const EventIndex call = rank.events.link[slice.event];
            XlaKernel kernel;
            kernel.rank = rank.rank;
            kernel.name = rank.event_name(slice.event);
            kernel.category = xla_category(kernel.name, op == kNoEvent ? std::string_view() : rank.event_name(op),
                                           slice.kernel_class == KernelClass::communication);
            kernel.stream = rank.lane_of(slice.event).name;
            kernel.duration = slice.range.length();
            if (call != kNoEvent)
                kernel.delay = rank.events.start[slice.event] - rank.events.start[call];
            if (op != kNoEvent) {
                kernel.of_operator = of_operator[op];
                if (const auto inputs = rank.inputs_of(op)) {
                    kernel.dims = rank.names->view(inputs->dims);
                    kernel.types = rank.names->view(inputs->types);
                    kernel.flops = inputs->flops;
                }
            }
            kernels.push_back(kernel);
        }
    }
    return kernels;
}

double ranks_with_kernels(const std::vector<XlaKernel>& kernels) {
    std::map<int, int> ranks;
    for (const XlaKernel& kernel : kernels)
        ++ranks[kernel.rank];
    return std::max(1.0, static_cast<double>(ranks.size()));
}

/// Names without digits, as XLA numbers its fusions.
std::string without_digits(std::string_view name) {
    std::string result(name);
    std::erase_if(result, [](char c) { return c >= '0' && c <= '9'; });
    return result;
}

using KeyOf = std::function<std::string(const XlaKernel&)>;

/// Kernels of one key, the longest sum first.
std::vector<std::pair<std::string, std::vector<const XlaKernel*>>> grouped_by(const std::vector<XlaKernel>& kernels,
                                                                              const KeyOf& key_of) {
    std::map<std::string, std::vector<const XlaKernel*>> groups;
    for (const XlaKernel& kernel : kernels)
        if (std::string key = key_of(kernel); !key.empty())
            groups[std::move(key)].push_back(&kernel);
    std::vector<std::pair<std::string, std::vector<const XlaKernel*>>> sorted(groups.begin(), groups.end());
    const auto time = [](const auto& group) {
        TimeNs sum = 0;
        for (const XlaKernel* kernel : group.second)
            sum += kernel->duration;
        return sum;
    };
    std::ranges::stable_sort(sorted, std::greater(), time);
    return sorted;
}

std::vector<double> times_of(const std::vector<const XlaKernel*>& kernels) {
    std::vector<double> times;
    for (const XlaKernel* kernel : kernels)
        times.push_back(as_us(kernel->duration));
    return times;
}

/// name or category, sum, count, shares.
void add_summary(Sheet& sheet, const std::vector<XlaKernel>& kernels, const KeyOf& key_of, bool with_us,
                 const std::string& label) {
    const auto groups = grouped_by(kernels, key_of);
    double all = 0, cumulative = 0;
    for (const auto& [key, of_key] : groups)
        all += sum_of(times_of(of_key));
    const double ranks = ranks_with_kernels(kernels);
    for (const auto& [key, of_key] : groups) {
        const double sum = sum_of(times_of(of_key));
        cumulative += share(sum, all);
        std::vector<Cell> row{key};
        if (with_us)
            row.emplace_back(sum);
        for (const double value :
             {static_cast<double>(of_key.size()), sum / 1000, share(sum, all), cumulative, sum / 1000 / ranks})
            row.emplace_back(value);
        row.emplace_back(label);
        sheet.rows.push_back(std::move(row));
    }
}

Sheet summary_of(std::string name, std::string key, bool with_us) {
    std::vector<SheetColumn> columns{{std::move(key)}};
    if (with_us)
        columns.push_back({"total_direct_kernel_time_sum", three_decimals});
    columns.push_back({"Count", whole});
    for (const char* title :
         {"total_direct_kernel_time_ms", "Percentage (%)", "Cumulative Percentage (%)", "time ms per gpu"})
        columns.push_back({title, three_decimals});
    columns.push_back({"source"});
    return {std::move(name), std::move(columns), {}, false, "Kernels of all GPUs; sum in microseconds."};
}

void add_averages(Sheet& sheet, const AnalysedRun& run) {
    std::map<std::string_view, double> sums;
    double ranks = 0;
    for (const RankAnalysis& rank : run.analysis->ranks())
        if (rank.timeline.total > 0) {
            ++ranks;
            for (const TimelineField& field : kTimelineFields)
                if (const auto value = timeline_value(rank, field))
                    sums[field.type] += value->ms;
        }
    for (const TimelineField& field : kTimelineFields)
        if (const auto sum = sums.find(field.type); sum != sums.end())
            sheet.rows.push_back(
                {std::string(field.type), sum->second / ranks, share(sum->second, sums["total_time"]), run.label});
}

void add_kernels(Sheet& sheet, const std::vector<XlaKernel>& kernels, const std::string& label) {
    if (kernels.size() > kMostKernels)
        return;
    for (const XlaKernel& kernel : kernels)
        sheet.rows.push_back({number_cell(kernel.rank), std::string(kernel.name), std::string(kernel.category),
                              as_us(kernel.duration), 1.0, std::string(kernel.stream), std::string(kernel.dims),
                              std::string(kernel.types), kernel.delay ? Cell(as_us(*kernel.delay)) : Cell(), label});
}

/// What separates the parts of a key, which no name has.
constexpr char kSeparator = '\x1f';

void add_unique(Sheet& sheet, const std::vector<XlaKernel>& kernels, const std::string& label) {
    const auto groups = grouped_by(kernels, [](const XlaKernel& k) {
        return fmt::format("{}{}{}{}{}", k.name, kSeparator, k.dims, kSeparator, k.types);
    });
    double all = 0, cumulative = 0;
    for (const auto& [key, of_key] : groups)
        all += sum_of(times_of(of_key));
    for (const auto& [key, of_key] : groups) {
        const Spread spread = spread_over(times_of(of_key));
        cumulative += share(spread.sum, all);
        const XlaKernel& first = *of_key.front();
        std::vector<Cell> row{std::string(first.name), std::string(first.dims), std::string(first.types),
                              static_cast<double>(of_key.size())};
        add_cells(row, spread);
        for (const double value : {spread.sum, share(spread.sum, all), cumulative})
            row.emplace_back(value);
        row.emplace_back(label);
        sheet.rows.push_back(std::move(row));
    }
}

/// The dims of one operand of "[[1, 16], [2]]".
std::string operand(std::string_view dims, std::size_t which) {
    const nlohmann::json list = parse_shallow_json<nlohmann::json>(dims);
    return list.is_array() && which < list.size() ? list[which].dump() : std::string();
}

void add_operators(Sheet& sheet, const std::vector<XlaKernel>& kernels, std::string_view category,
                   const std::string& label) {
    const auto groups = grouped_by(kernels, [&](const XlaKernel& k) {
        return k.category == category ? fmt::format("{}{}{}{}{}", k.name, kSeparator, k.dims, kSeparator, k.types)
                                      : std::string();
    });
    for (const auto& [key, of_key] : groups) {
        const XlaKernel& first = *of_key.front();
        std::vector<double> rates;
        for (const XlaKernel* kernel : of_key)
            if (kernel->flops > 0 && kernel->of_operator > 0)
                rates.push_back(static_cast<double>(kernel->flops) / as_us(kernel->of_operator) / 1e6);
        std::vector<Cell> row{std::string(first.name), operand(first.dims, 0), operand(first.dims, 1),
                              first.flops > 0 ? Cell(static_cast<double>(first.flops) / 1e9) : Cell()};
        if (rates.empty())
            row.insert(row.end(), 5, Cell());
        else
            add_cells(row, spread_over(rates));
        row.emplace_back(std::string(first.dims));
        row.emplace_back(std::string(first.types));
        const Spread time = spread_over(times_of(of_key));
        add_cells(row, time);
        row.emplace_back(time.sum);
        row.emplace_back(static_cast<double>(of_key.size()));
        row.emplace_back(label);
        sheet.rows.push_back(std::move(row));
    }
}

Sheet operators_of(const char* name, const char* first, const char* second) {
    std::vector<SheetColumn> columns{{"name"}, {first}, {second}, {"GFLOPS_first"}};
    add_columns(columns, "TFLOPS/s");
    columns.push_back({"Input Dims_first"});
    columns.push_back({"Input type_first"});
    add_columns(columns, "Kernel Time (\u00b5s)");
    columns.push_back({"Kernel Time (\u00b5s)_sum", three_decimals});
    columns.push_back({"name_count", whole});
    columns.push_back({"source"});
    return {name,
            std::move(columns),
            {},
            false,
            "FLOPs are those of the operator, and rates hold them against the time of all of its kernels."};
}

} // namespace

std::string_view xla_category(std::string_view kernel, std::string_view op, bool communicates) {
    const auto has_one = [](std::string_view name, std::initializer_list<std::string_view> parts) {
        return std::ranges::any_of(parts, [&](std::string_view part) { return contains(name, part); });
    };
    if (communicates || has_one(kernel, {"rccl", "nccl"}))
        return "Communication rccl/nccl";
    if ((contains(op, "conv") && !contains(op, "convert") && !contains(op, "fusion")) ||
        has_one(kernel, {"conv_", "conv.", "conv-"}))
        return "Conv";
    if (has_one(kernel, {"FmhaBwd", "flash_bprop", "ck_fused_attn::dk_dv_reduce_thd", "fmha_bwd"}))
        return "FA BWD";
    if (has_one(kernel, {"FmhaFwd", "flash_fprop", "fmha_fwd"}))
        return "FA FWD";
    if (has_one(kernel, {"Cijk", "gemm", "nvjet", "cublasLt"}))
        return "GEMM";
    return has_one(kernel, {"transformer_engine", "te_fused_attn"}) ? "TE" : "Uncategorized Events/XLA";
}

std::vector<Sheet> xla_sheets(Runs runs) {
    std::vector<SheetColumn> unique{{"name"}, {"Input Dims"}, {"Input type"}, {"operation_count", whole}};
    add_columns(unique, "total_direct_kernel_time");
    for (const char* title : {"total_direct_kernel_time_sum", "Percentage (%)", "Cumulative Percentage (%)"})
        unique.push_back({title, three_decimals});
    unique.push_back({"source"});
    std::vector<Sheet> sheets{
        {"gpu_events_averages",
         {{"type"}, {"time ms", three_decimals}, {"percent", two_decimals}, {"source"}},
         {},
         false,
         "Means of the GPUs that did something; percent of their time together."},
        {"kernel_launchers",
         {{"rank", whole},
          {"name"},
          {"op category"},
          {"total_direct_kernel_time", three_decimals},
          {"direct_kernel_count", whole},
          {"stream"},
          {"Input Dims"},
          {"Input type"},
          {"GPU_kernel_launch_latency", three_decimals},
          {"source"}},
         {},
         false,
         "Every kernel, in microseconds, of runs with at most 100 000; latency: from the start of its launch."},
        summary_of("kernel_launchers_summary", "name", true),
        summary_of("kernel_launchers_summary_by_cat", "op category", false),
        {"kernel_launchers_unique_args", std::move(unique), {}, false, "Times in microseconds."},
        summary_of("xla_summary", "name", true),
        operators_of("op_conv", "param: input_shape", "param: filter_shape"),
        operators_of("op_gemm", "param: A", "param: B")};
    for (const AnalysedRun& run : runs) {
        if (run.run().source != TraceSource::xplane)
            continue;
        const std::vector<XlaKernel> kernels = kernels_of(run);
        add_averages(sheets[0], run);
        add_kernels(sheets[1], kernels, run.label);
        add_summary(
            sheets[2], kernels, [](const XlaKernel& k) { return std::string(k.name); }, true, run.label);
        add_summary(
            sheets[3], kernels, [](const XlaKernel& k) { return std::string(k.category); }, false, run.label);
        add_unique(sheets[4], kernels, run.label);
        add_summary(
            sheets[5], kernels,
            [](const XlaKernel& k) {
                return k.category == "Uncategorized Events/XLA" ? without_digits(k.name) : std::string();
            },
            true, run.label);
        add_operators(sheets[6], kernels, "Conv", run.label);
        add_operators(sheets[7], kernels, "GEMM", run.label);
    }
    std::erase_if(sheets, [](const Sheet& sheet) { return sheet.rows.empty(); });
    return sheets;
}

} // namespace rankscope
