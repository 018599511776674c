// SPDX-License-Identifier: GPL-3.0-or-later
// How the host feeds the GPU: our numbers against HTA's and TraceLens's for the same traces. As in
// test_conformance.cpp, every difference must be a row of tests/data/differences.md.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "core/analysis/operators/roofline.h"
#include "core/compare/operator_diff.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::conformance_host_test {
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;
constexpr double kExact = 1e-9;

double near(double theirs) { return 1e-9 * (1 + std::abs(theirs)); }

std::vector<double> columns_of(const HtaDescription& d) {
    return {static_cast<double>(d.count), d.mean, d.std, d.min, d.q25, d.q50, d.q75, d.max};
}
const std::vector<std::string> kDescribed{"count", "mean", "std", "min", "25%", "50%", "75%", "max"};

std::string inputs_key(std::string_view name, std::string_view dims, std::string_view types, std::string_view strides,
                       std::string_view concrete) {
    return std::string(name) + " " + plain(dims) + " " + plain(types) + " " + plain(strides) + " " + plain(concrete);
}

std::string dims_text(const std::vector<std::int64_t>& dims) { return Json(dims).dump(); }

struct OperatorTotal {
    std::int64_t calls = 0;
    TimeNs direct = 0;
    TimeNs subtree = 0;
    void add(const OperatorRow& row) {
        calls += row.calls;
        direct += row.direct;
        subtree += row.subtree;
    }
};
using OperatorTotals = std::map<std::string, OperatorTotal>;

/// One rank of an HTA set with its rows.
struct HtaRank {
    const RankTrace* trace = nullptr;
    std::vector<HtaRow> rows;
};

} // namespace

class TestConformanceHost : public QObject {
    Q_OBJECT

    Comparison comparison_{documented_differences()};
    SharedAnalyses analyses_;

    static std::map<std::string, HtaRank> rows_by_rank(const Run& run) {
        std::map<std::string, HtaRank> ranks;
        for (const auto& rank : run.ranks)
            ranks[std::to_string(rank->rank)] = {rank.get(), hta_gpu_rows(*rank, hta_filter(run, false))};
        return ranks;
    }

    static std::string file_of(const std::string& set, const std::string& name) {
        return kShared + "/oracle/hta/" + set + "/" + name + ".csv";
    }

    void compare_described(const std::string& analysis, const std::string& set, const std::string& where,
                           const std::vector<std::string>& record, std::size_t first, const HtaDescription* ours) {
        const std::vector<double> values = columns_of(ours == nullptr ? hta_describe({}) : *ours);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double theirs = number(record.at(first + i));
            comparison_.compare(analysis, set, where + " " + kDescribed[i], theirs, values[i], near(theirs));
        }
    }

    void compare_idle(const std::string& set, const RunAnalysis& analysis, bool include_last) {
        const std::string suffix = include_last ? "_inclast" : "";
        const HtaAnalysis& hta = include_last ? analysis.hta_with_last() : analysis.hta();
        std::map<std::string, const HtaIdle*> ours;
        for (std::size_t i = 0; i < hta.host.size(); ++i) {
            for (const HtaIdle& idle : hta.host[i].idle) {
                ours[std::to_string(analysis.run().ranks[i]->rank) + " " + std::to_string(idle.stream) + " " +
                     std::string(idle_cause_word(idle.cause))] = &idle;
            }
        }
        const auto rows = read_csv(file_of(set, "idle_time_breakdown" + suffix));
        if (!rows.empty()) {
            comparison_.compare("hta idle_time_breakdown", set + suffix, "rows", static_cast<double>(rows.size()),
                                static_cast<double>(ours.size()), 0);
        }
        for (const CsvRow& row : rows) {
            const std::string key = row.at("rank") + " " + row.at("stream") + " " + row.at("idle_category");
            const HtaIdle* idle = ours.contains(key) ? ours.at(key) : nullptr;
            comparison_.compare("hta idle_time_breakdown", set + suffix, key, number(row.at("idle_time")),
                                idle ? idle->time_us : std::nan(""), kExact);
            comparison_.compare("hta idle_time_breakdown", set + suffix, key + " ratio",
                                number(row.at("idle_time_ratio")), idle ? idle->ratio : std::nan(""), kExact);
        }
        if (include_last)
            return;
        const auto records =
            read_records(file_of(set, "idle_interval_stats")); // idle_category, rank, stream, count ...
        for (std::size_t i = 1; i < records.size(); ++i) {
            const std::string key = records[i][1] + " " + records[i][2] + " " + records[i][0];
            compare_described("hta idle_interval_stats", set, key, records[i], 3,
                              ours.contains(key) ? &ours.at(key)->intervals : nullptr);
        }
    }

    void compare_launches(const std::string& set, const std::string& file, const std::map<std::string, HtaRank>& ranks,
                          bool memory) {
        std::map<std::string, std::vector<HtaLaunch>> ours;
        for (const auto& [number, rank] : ranks) {
            ours[number] = hta_launches(*rank.trace, rank.rows);
            std::erase_if(ours[number], [&](const HtaLaunch& launch) { return launch.memory && !memory; });
        }
        const auto rows = read_csv(file_of(set, file));
        std::map<std::string, std::size_t> next;
        for (const CsvRow& row : rows) {
            const std::string& rank = row.at("rank");
            const std::size_t at = next[rank]++;
            const HtaLaunch none{kNoEvent, std::nan(""), std::nan(""), std::nan(""), false};
            const HtaLaunch& launch = at < ours[rank].size() ? ours[rank][at] : none;
            const std::string where = rank + " correlation " + row.at("correlation") + " ";
            comparison_.compare("hta " + file, set, where + "cpu", number(row.at("cpu_duration")), launch.call_us,
                                kExact);
            comparison_.compare("hta " + file, set, where + "gpu", number(row.at("gpu_duration")), launch.kernel_us,
                                kExact);
            comparison_.compare("hta " + file, set, where + "delay", number(row.at("launch_delay")), launch.delay_us,
                                kExact);
        }
        for (const auto& [rank, launches] : ours) {
            if (!rows.empty()) {
                comparison_.compare("hta " + file, set, rank + " rows", static_cast<double>(next[rank]),
                                    static_cast<double>(launches.size()), 0);
            }
        }
    }

    void compare_queues(const std::string& set, const RunAnalysis& analysis,
                        const std::map<std::string, HtaRank>& ranks) {
        const TimeNs zero = hta_first_start(analysis.run());
        std::map<std::string, std::vector<HtaQueuePoint>> points; // rank and stream
        std::map<std::string, std::size_t> next;
        for (const auto& [number, rank] : ranks)
            for (const HtaQueuePoint& point : hta_queue(*rank.trace, rank.rows))
                points[number + " " + std::to_string(point.stream)].push_back(point);
        for (const CsvRow& row : read_csv(file_of(set, "queue_length_time_series"))) {
            const std::string key = row.at("rank") + " " + row.at("stream");
            const std::size_t at = next[key]++;
            const bool there = at < points[key].size();
            const HtaQueuePoint point = there ? points[key][at] : HtaQueuePoint{};
            const RankTrace& trace = *ranks.at(row.at("rank")).trace;
            const std::string where = key + " point " + std::to_string(at);
            comparison_.compare("hta queue_length_time_series", set, where + " index", number(row.at("index")),
                                there ? static_cast<double>(trace.events.ordinal[point.event]) : std::nan(""), 0);
            comparison_.compare("hta queue_length_time_series", set, where + " ts", number(row.at("ts")),
                                there ? static_cast<double>(point.time - zero) / 1000.0 : std::nan(""), 0);
            comparison_.compare("hta queue_length_time_series", set, where + " length", number(row.at("queue_length")),
                                there ? static_cast<double>(point.length) : std::nan(""), 0);
        }
        std::map<std::string, HtaDescription> summaries;
        for (const auto& [key, stream] : points)
            if (!stream.empty())
                summaries[key] = hta_queue_summary(stream).front().length;
        const auto records = read_records(file_of(set, "queue_length_summary")); // three header lines
        for (std::size_t i = 3; i < records.size(); ++i) {
            const std::string key = records[i][0] + " " + records[i][1];
            compare_described("hta queue_length_summary", set, key, records[i], 2,
                              summaries.contains(key) ? &summaries.at(key) : nullptr);
        }
    }

    /// HTA keeps one stream of each rank, the last.
    void compare_full_queue(const std::string& set, const RunAnalysis& analysis,
                            const std::map<std::string, HtaRank>& ranks, std::int64_t limit) {
        const std::string file = "blocked_on_full_queue_" + std::to_string(limit);
        std::set<std::string> listed;
        for (const CsvRow& row : read_csv(file_of(set, file))) {
            const HtaRank& rank = ranks.at(row.at("rank"));
            const std::string key = row.at("rank") + " " + row.at("stream");
            double full = std::nan("");
            for (const HtaQueueSummary& queue : hta_queue_summary(hta_queue(*rank.trace, rank.rows), limit))
                if (std::to_string(queue.stream) == row.at("stream"))
                    full = queue.full_us;
            const double span =
                static_cast<double>(hta_start_span(*rank.trace, rank.rows, hta_filter(analysis.run(), false))) / 1000.0;
            comparison_.compare("hta " + file, set, key, number(row.at("duration_at_max_queue_length")), full, kExact);
            comparison_.compare("hta " + file, set, key + " relative",
                                number(row.at("relative_duration_at_max_queue_length")), full / span, kExact);
            listed.insert(row.at("rank"));
        }
        if (!std::filesystem::exists(file_of(set, file)))
            return;
        for (const auto& [number, rank] : ranks) {
            double full = 0;
            for (const HtaQueueSummary& queue : hta_queue_summary(hta_queue(*rank.trace, rank.rows), limit))
                full += queue.full_us;
            if (!listed.contains(number))
                comparison_.compare("hta " + file, set, number + " none", 0, full, 0);
        }
    }

    void compare_bandwidth(const std::string& set, const RunAnalysis& analysis,
                           const std::map<std::string, HtaRank>& ranks) {
        const TimeNs zero = hta_first_start(analysis.run());
        std::map<std::string, std::vector<HtaBandwidthPoint>> points; // rank and name
        std::map<std::string, std::size_t> next;
        for (const auto& [number, rank] : ranks)
            for (const HtaBandwidthPoint& point : hta_memory_bandwidth(*rank.trace, rank.rows))
                points[number + " " + point.name].push_back(point);
        for (const CsvRow& row : read_csv(file_of(set, "memory_bw_time_series"))) {
            const std::string key = row.at("rank") + " " + row.at("name");
            const std::size_t at = next[key]++;
            const bool there = at < points[key].size();
            const std::string where = key + " point " + std::to_string(at);
            comparison_.compare("hta memory_bw_time_series", set, where + " ts", number(row.at("ts")),
                                there ? static_cast<double>(points[key][at].time - zero) / 1000.0 : std::nan(""), 0);
            comparison_.compare("hta memory_bw_time_series", set, where, number(row.at("memory_bw_gbps")),
                                there ? points[key][at].gb_s : std::nan(""), kExact);
        }
        std::map<std::string, HtaDescription> summaries;
        for (const auto& [key, of_name] : points) {
            const auto summary = hta_bandwidth_summary(of_name);
            if (!summary.empty())
                summaries[key] = summary.front().gb_s;
        }
        const auto records = read_records(file_of(set, "memory_bw_summary"));
        for (std::size_t i = 3; i < records.size(); ++i) {
            const std::string key = records[i][0] + " " + records[i][1];
            compare_described("hta memory_bw_summary", set, key, records[i], 2,
                              summaries.contains(key) ? &summaries.at(key) : nullptr);
        }
    }

    void compare_annotations(const std::string& set, const std::string& file, const RunAnalysis& analysis,
                             EventKind kind) {
        std::map<std::pair<std::string, std::string>, HtaKernel> ours;
        for (const auto& rank : analysis.run().ranks)
            for (const HtaKernel& row : hta_annotations(*rank, hta_filter(analysis.run(), false), kind))
                ours[{std::to_string(rank->rank), row.name}] = row;
        const std::vector<std::pair<std::string, double HtaKernel::*>> columns{{"sum (us)", &HtaKernel::sum_us},
                                                                               {"max (us)", &HtaKernel::max_us},
                                                                               {"min (us)", &HtaKernel::min_us},
                                                                               {"stddev", &HtaKernel::std_us},
                                                                               {"mean (us)", &HtaKernel::mean_us}};
        const auto rows = read_csv(file_of(set, file));
        if (!rows.empty()) {
            comparison_.compare("hta " + file, set, "rows", static_cast<double>(rows.size()),
                                static_cast<double>(ours.size()), 0);
        }
        for (const CsvRow& row : rows) {
            const auto found = ours.find({row.at("rank"), row.at("name")});
            for (const auto& [column, member] : columns) {
                const double theirs = number(row.at(column));
                comparison_.compare("hta " + file, set, row.at("rank") + " " + row.at("name") + " " + column, theirs,
                                    found == ours.end() ? std::nan("") : found->second.*member, near(theirs));
            }
        }
    }

    /// What TraceLens sees by default.
    static std::vector<GpuSlice> linked_work(const RunAnalysis& analysis) {
        std::vector<GpuSlice> work = analysis.ranks()[0].gpu_work;
        std::erase_if(
            work, [&](const GpuSlice& slice) { return !has_launch_arrow(*analysis.ranks()[0].trace, slice.event); });
        return work;
    }

    static std::string tracelens(const std::string& set, const std::string& name) {
        return kShared + "/oracle/tracelens/" + set + "/" + name + ".csv";
    }

    /// Same totals by operator, category and inputs. TraceLens leaves out operators of collectives, and adds times as
    /// doubles 0.0005 us apart.
    void compare_operators(const std::string& set, const RunAnalysis& analysis) {
        const OperatorAnalysis operators = analyse_operators(*analysis.run().ranks[0], linked_work(analysis));
        const StringTable& names = *analysis.run().names;
        OperatorTotals by_name;
        OperatorTotals by_category;
        OperatorTotals by_inputs;
        for (const OperatorRow& row : operators.leaves) {
            if (row.category != OperatorCategory::communication) {
                by_name[std::string(names.view(row.name))].add(row);
                by_category[std::string(operator_category_word(row.category))].add(row);
                by_inputs[inputs_key(names.view(row.name), names.view(row.dims), names.view(row.types),
                                     names.view(row.strides), names.view(row.concrete))]
                    .add(row);
            }
        }
        const auto compare = [&](const std::string& file, OperatorTotals& totals, const std::string& key, double count,
                                 double us, double subtree) {
            const auto found = totals.find(key);
            const OperatorTotal ours = found == totals.end() ? OperatorTotal{} : found->second;
            const std::string field = key.substr(0, 80);
            comparison_.compare("tracelens " + file, set, field + " count", count, static_cast<double>(ours.calls), 0);
            comparison_.compare("tracelens " + file, set, field + " direct us", us,
                                static_cast<double>(ours.direct) / 1000.0, 0.001 * (1 + count));
            if (std::isfinite(subtree))
                comparison_.compare("tracelens " + file, set, field + " subtree us", subtree,
                                    static_cast<double>(ours.subtree) / 1000.0, 0.001 * (1 + count));
        };
        const auto rows = [&](const std::string& file, std::size_t theirs, std::size_t ours) {
            comparison_.compare("tracelens " + file, set, "rows", static_cast<double>(theirs),
                                static_cast<double>(ours), 0);
        };
        const auto summary = read_csv(tracelens(set, "ops_summary"));
        rows("ops_summary", summary.size(), by_name.size());
        for (const CsvRow& row : summary) {
            compare("ops_summary", by_name, row.at("name"), number(row.at("Count")),
                    number(row.at("total_direct_kernel_time_sum")), number(row.at("total_subtree_kernel_time_sum")));
        }
        for (const CsvRow& row : read_csv(tracelens(set, "ops_summary_by_category"))) {
            compare("ops_summary_by_category", by_category, row.at("op category"), number(row.at("Count")),
                    1000 * number(row.at("total_direct_kernel_time_ms")), std::nan(""));
        }
        std::map<std::string, std::array<double, 3>> theirs; // TraceLens tells threads apart as well
        for (const CsvRow& row : read_csv(tracelens(set, "ops_unique_args"))) {
            auto& [count, direct, subtree] =
                theirs[inputs_key(row.at("name"), row.at("Input Dims"), row.at("Input type"), row.at("Input Strides"),
                                  row.at("Concrete Inputs"))];
            count += number(row.at("operation_count"));
            direct += number(row.at("total_direct_kernel_time_sum"));
            subtree += number(row.at("total_subtree_kernel_time_sum"));
        }
        rows("ops_unique_args", theirs.size(), by_inputs.size());
        for (const auto& [key, values] : theirs)
            compare("ops_unique_args", by_inputs, key, values[0], values[1], values[2]);
    }

    /// TraceLens parts kernels by operator and stream; ours are by name.
    void compare_kernels(const std::string& set, const RunAnalysis& analysis) {
        struct Total {
            double sum = 0, count = 0, min = 0, max = 0;
        };
        std::map<std::string, Total> theirs;
        for (const CsvRow& row : read_csv(tracelens(set, "kernel_summary"))) {
            Total& total = theirs[row.at("Kernel name")];
            const double min = number(row.at("Kernel duration (µs)_min"));
            total.min = total.count == 0 ? min : std::min(total.min, min);
            total.max = std::max(total.max, number(row.at("Kernel duration (µs)_max")));
            total.sum += number(row.at("Kernel duration (µs)_sum"));
            total.count += number(row.at("Kernel duration (µs)_count"));
        }
        std::map<std::string, KernelStatistics> ours;
        for (const KernelStatistics& row : analysis.kernel_tables()[0])
            ours[std::string(analysis.run().names->view(row.name))] = row;
        for (const auto& [name, total] : theirs) {
            const KernelStatistics row = ours[name];
            const std::string field = name.substr(0, 60);
            comparison_.compare("tracelens kernel_summary", set, field + " count", total.count,
                                static_cast<double>(row.count), 0);
            comparison_.compare("tracelens kernel_summary", set, field + " sum", total.sum,
                                static_cast<double>(row.total) / 1000.0, 1e-6 * (1 + total.sum));
            comparison_.compare("tracelens kernel_summary", set, field + " min", total.min,
                                static_cast<double>(row.min) / 1000.0, 1e-6);
            comparison_.compare("tracelens kernel_summary", set, field + " max", total.max,
                                static_cast<double>(row.max) / 1000.0, 1e-6);
        }
    }

    void compare_short_kernels(const std::string& set, const RunAnalysis& analysis, std::size_t limit) {
        double count = 0;
        double us = 0;
        for (const CsvRow& row : read_csv(tracelens(set, "short_kernels_summary"))) {
            count += number(row.at("Short Kernel count"));
            us += number(row.at("Short Kernel duration (µs) sum"));
        }
        const ShortKernels ours =
            analyse_launches(*analysis.run().ranks[0], linked_work(analysis)).short_kernels[limit];
        comparison_.compare("tracelens short_kernels_summary", set, "count", count, static_cast<double>(ours.count), 0);
        comparison_.compare("tracelens short_kernels_summary", set, "sum us", us,
                            static_cast<double>(ours.time) / 1000.0, 1e-6 * us);
    }

    /// Both take the outermost operator with a model, and the time of all that was launched inside it.
    void compare_models(const std::string& set, const std::string& file, const RunAnalysis& analysis,
                        int& without_counterpart) {
        const StringTable& names = *analysis.run().names;
        const OperatorAnalysis operators = analyse_operators(*analysis.run().ranks[0], linked_work(analysis));
        std::map<std::string, RooflineRow> ours;
        for (const RooflineRow& line : roofline(names, operators.modelled, "MI300X")) {
            const bool convolution = line.row.category == OperatorCategory::conv_forward;
            const auto shapes = OperatorShapes::parse(names.view(line.row.dims), names.view(line.row.types),
                                                      names.view(line.row.concrete));
            // (input, weight, bias, stride, padding, ...)
            const std::string key = convolution ? plain(dims_text(shapes->dims[0]) + dims_text(shapes->dims[1]) +
                                                        shapes->concrete[4] + shapes->concrete[3])
                                                : inputs_key(names.view(line.row.name), names.view(line.row.dims),
                                                             names.view(line.row.types), names.view(line.row.strides),
                                                             names.view(line.row.concrete));
            const auto [place, added] = ours.try_emplace(key, line);
            if (!added) { // they differ in strides only
                RooflineRow& sum = place->second;
                sum.row.calls += line.row.calls;
                sum.row.direct += line.row.direct;
                sum.row.inverse_sum += line.row.inverse_sum;
                sum.row.timed_calls += line.row.timed_calls;
                sum.row.direct_min = std::min(sum.row.direct_min, line.row.direct_min);
                sum.row.direct_max = std::max(sum.row.direct_max, line.row.direct_max);
            }
        }
        std::set<std::string> seen;
        for (const CsvRow& row : read_csv(tracelens(set, file))) {
            const bool convolution = file == "CONV_fwd";
            const std::string key =
                convolution ? plain(row.at("param: input_shape") + row.at("param: filter_shape") +
                                    row.at("param: padding") + row.at("param: stride"))
                            : inputs_key(row.at("name"), row.at("Input Dims_first"), row.at("Input type_first"),
                                         row.at("Input Strides_first"), row.at("Concrete Inputs_first"));
            const auto found = ours.find(key);
            // Same inputs with other strides come as two rows there, as one here.
            if (found == ours.end() ||
                found->second.row.calls != static_cast<std::int64_t>(number(row.at("name_count")))) {
                ++without_counterpart;
                qInfo("without counterpart: %s %s", row.at("name").c_str(), row.at("Input Dims_first").c_str());
                continue;
            }
            const RooflineRow& line = found->second;
            const double rate =
                1000.0 / static_cast<double>(line.row.timed_calls) * line.row.inverse_sum; // mean of 1 / us
            const std::string where = row.at("name") + " " + row.at("Input Dims_first").substr(0, 60);
            const auto compare = [&](const std::string& column, double value, double tolerance) {
                comparison_.compare("tracelens " + file, set, where + " " + column, number(row.at(column)), value,
                                    tolerance);
            };
            compare("GFLOPS_first", line.work.flops / 1e9, near(line.work.flops / 1e9));
            compare("Data Moved (MB)_first", line.work.bytes / 1024 / 1024, near(line.work.bytes / 1024 / 1024));
            compare("FLOPS/Byte_first", line.flops_per_byte, near(line.flops_per_byte));
            compare("TB/s_mean", line.work.bytes * rate / 1e6, 2e-3 * line.work.bytes * rate / 1e6);
            compare("TFLOPS/s_mean", line.work.flops * rate / 1e6, 2e-3 * line.work.flops * rate / 1e6);
            compare("Kernel Time (µs)_sum", static_cast<double>(line.row.direct) / 1000.0,
                    0.001 * static_cast<double>(line.row.calls));
            compare("Kernel Time (µs)_min", static_cast<double>(line.row.direct_min) / 1000.0, 0.002);
            compare("Kernel Time (µs)_max", static_cast<double>(line.row.direct_max) / 1000.0, 0.002);
        }
    }

    void compare_diff(const std::string& version, const std::string& device, bool shortened, const NameTotals& control,
                      const NameTotals& test) {
        const std::string file = "compare_" + version + "_" + device + (shortened ? "_short" : "_full");
        // HTA merges CPU and GPU rows of one name.
        const auto merged = [&](const NameTotals& totals) {
            std::map<std::string, NameTotal> result;
            for (const auto& [key, total] : totals) {
                if (device == "ALL" || (device == "CPU") == (key.first == DiffDevice::cpu)) {
                    NameTotal& sum = result[shortened ? shortened_name(key.second) : key.second];
                    sum.count += total.count;
                    sum.time_us += total.time_us;
                }
            }
            return result;
        };
        auto ours_control = merged(control);
        auto ours_test = merged(test);
        const auto rows = read_csv(kShared + "/oracle/hta/diff__trace_diff_control__trace_diff_test/" + file + ".csv");
        std::set<std::string> names;
        for (const auto* totals : {&ours_control, &ours_test})
            for (const auto& [name, total] : *totals)
                names.insert(name);
        comparison_.compare("hta trace_diff", file, "rows", static_cast<double>(rows.size()),
                            static_cast<double>(names.size()), 0);
        for (const CsvRow& row : rows) {
            const std::string& name = row.at(shortened ? "short_name" : "name");
            const NameTotal a = ours_control[name];
            const NameTotal b = ours_test[name];
            const auto compare = [&](const std::string& column, double value) {
                comparison_.compare("hta trace_diff", file, name.substr(0, 60) + " " + column, number(row.at(column)),
                                    value, kExact);
            };
            compare("control_counts", a.count);
            compare("control_total_duration", a.time_us);
            compare("test_counts", b.count);
            compare("test_total_duration", b.time_us);
            compare("diff_counts", b.count - a.count);
            compare("diff_duration", b.time_us - a.time_us);
        }
    }

    /// HTA's ops_diff has no shortened matches; compare the sizes of its lists with ours, ours without them as well.
    void compare_ops_diff(const std::string& version, const NameTotals& control, const NameTotals& test) {
        for (const std::string device : {"CPU", "GPU"}) {
            std::ifstream file(kShared + "/oracle/hta/diff__trace_diff_control__trace_diff_test/ops_diff_" + version +
                               "_" + device + ".json");
            const Json theirs = Json::parse(file);
            std::map<std::string, double> ours;
            for (const OperatorChange& change : rankscope::compare_operators(control, test)) {
                if ((device == "CPU") == (change.device == DiffDevice::cpu)) {
                    if (change.shortened) {
                        ++ours["added"];
                        ++ours["removed"];
                    } else {
                        ++ours[std::string(operator_status_word(change.status))];
                    }
                }
            }
            ours["deleted"] = ours["removed"];
            for (const auto& [list, names] : theirs.items()) {
                comparison_.compare("hta ops_diff", version + " " + device, list, static_cast<double>(names.size()),
                                    ours[list], 0);
            }
        }
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/oracle") || !std::filesystem::exists(kShared + "/traces"))
            QSKIP("skipped: no shared traces");
    }

    void htaIdleLaunchesQueuesAndBandwidth() {
        for (const auto& [set, trace] : kHtaTraces) {
            const RunAnalysis* analysis = analyses_.of(trace);
            QVERIFY(analysis != nullptr);
            const auto ranks = rows_by_rank(analysis->run());
            compare_idle(set, *analysis, false);
            compare_idle(set, *analysis, true);
            compare_launches(set, "cuda_kernel_launch_stats", ranks, true);
            compare_launches(set, "cuda_kernel_launch_stats_nomem", ranks, false);
            compare_queues(set, *analysis, ranks);
            compare_full_queue(set, *analysis, ranks, 10);
            compare_full_queue(set, *analysis, ranks, 1024);
            compare_bandwidth(set, *analysis, ranks);
            compare_annotations(set, "cpu_user_annotation_breakdown", *analysis, EventKind::annotation);
            compare_annotations(set, "gpu_user_annotation_breakdown", *analysis, EventKind::gpu_annotation);
        }
        QVERIFY(comparison_.total("hta idle_time_breakdown") > 200);
        QVERIFY(comparison_.total("hta cuda_kernel_launch_stats") > 50000);
        QVERIFY(comparison_.total("hta queue_length_time_series") > 100000);
        QVERIFY(comparison_.total("hta memory_bw_time_series") > 10000);
    }

    void traceLensOperatorsAndKernels() {
        const std::map<std::string, std::string> traces{{"resnet_act_checkpoint.default", "resnet_mi300_1of8"},
                                                        {"resnet_act_checkpoint.aorta_flags", "resnet_mi300_1of8"},
                                                        {"a100_nccl_data", "nccl_a100"},
                                                        {"micro_timeline/unlinked_included", "timeline_case"}};
        for (const auto& [set, trace] : traces) {
            const RunAnalysis* analysis = analyses_.of(trace);
            QVERIFY(analysis != nullptr);
            compare_operators(set, *analysis);
            compare_kernels(set, *analysis);
        }
        compare_short_kernels("resnet_act_checkpoint.default", *analyses_.of("resnet_mi300_1of8"), 0);
        compare_short_kernels("resnet_act_checkpoint.aorta_flags", *analyses_.of("resnet_mi300_1of8"), 1);
        QVERIFY(comparison_.total("tracelens ops_unique_args") > 300);
    }

    void traceLensPerformanceModels() {
        const RunAnalysis* analysis = analyses_.of("resnet_mi300_1of8");
        QVERIFY(analysis != nullptr);
        int without = 0;
        for (const std::string file :
             {"GEMM", "CONV_fwd", "CONV_bwd", "UnaryElementwise", "BinaryElementwise", "Normalization", "Reduce_fwd"})
            compare_models("resnet_act_checkpoint.default", file, *analysis, without);
        qInfo("%d rows of performance models without a counterpart", without);
    }

    void htaTraceDiff() {
        const RunAnalysis* control = analyses_.of("trace_diff_control");
        const RunAnalysis* test = analyses_.of("trace_diff_test");
        QVERIFY(control != nullptr && test != nullptr);
        const std::map<std::string, std::vector<std::int64_t>> versions{
            {"v0", {}}, {"v1", {1010}}, {"v2", {1010, 1011, 1012}}};
        for (const auto& [version, steps] : versions) {
            const NameTotals a = hta_name_totals(*control->run().ranks[0], steps);
            const NameTotals b = hta_name_totals(*test->run().ranks[0], steps);
            for (const std::string device : {"ALL", "CPU", "GPU"}) {
                compare_diff(version, device, false, a, b);
                compare_diff(version, device, true, a, b);
            }
            compare_ops_diff(version, a, b);
        }
        QVERIFY(comparison_.total("hta trace_diff") > 10000);
    }

    void everyDifferenceIsDocumentedAndEveryDocumentedDifferenceIsMet() {
        comparison_.print();
        QVERIFY2(comparison_.explained(),
                 "differences that tests/data/differences.md does not explain: see UNEXPLAINED above");
        for (const auto& row : comparison_.stale()) {
            QFAIL(("tests/data/differences.md lists a difference that no longer occurs: " + row[0] + ", " + row[1] +
                   ", " + row[2])
                      .c_str());
        }
    }
};

RANKSCOPE_TEST(TestConformanceHost)

} // namespace rankscope::conformance_host_test

#include "test_conformance_host.moc"
