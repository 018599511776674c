// SPDX-License-Identifier: GPL-3.0-or-later
// Our numbers against what TraceLens, the RCCL comparison, HTA and CCL-Bench print for the same traces. Every
// difference must be a row of tests/data/differences.md, and every row there must still be a difference.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::conformance_test {
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Per-rank details by rank number.
std::map<int, Json> by_rank(const Json& details) {
    std::map<int, Json> ranks;
    for (const Json& entry : details["per_rank"])
        ranks[entry["rank"].get<int>()] = entry;
    return ranks;
}

double field(const Json& object, const std::string& key) {
    return object.contains(key) ? object[key].get<double>() : kNone;
}

} // namespace

class TestConformance : public QObject {
    Q_OBJECT

    Comparison comparison_{documented_differences()};
    SharedAnalyses analyses_;

    Json details_of(const RunAnalysis& analysis, const std::string& metric) {
        const std::vector<std::string> ids{metric};
        return compute_metrics(analysis, ids).entries.at(0).result.details;
    }

    /// "idle_time", time in ms -> "idle_us"; within 0.1 us, and percentages of the rank's total within 0.001.
    void compare_timeline_row(const std::string& analysis, const std::string& trace, const Json& ours,
                              const CsvRow& row, const std::string& where) {
        const std::string& type = row.at("type");
        const std::string key = type.substr(0, type.rfind("_time")) + "_us";
        const double us = field(ours, key);
        comparison_.compare(analysis, trace, where + type + " us", number(row.at("time ms")) * 1000, us, 0.1);
        comparison_.compare(analysis, trace, where + type + " percent", number(row.at("percent")),
                            100 * us / field(ours, "total_us"), 0.001);
    }

    void compare_timeline(const std::string& folder, const std::string& trace, bool linked_only) {
        const RunAnalysis* analysis = analyses_.of(trace);
        QVERIFY(analysis != nullptr);
        const Json details = details_of(*analysis, "gpu_timeline");
        const Json ours = (linked_only ? details["compat_linked_only"] : details)["per_rank"][0];
        const auto rows = read_csv(kShared + "/oracle/tracelens/" + folder + "/gpu_timeline.csv");
        QVERIFY2(rows.size() >= 8, folder.c_str());
        for (const CsvRow& row : rows)
            compare_timeline_row("tracelens gpu_timeline", folder, ours, row, "");
    }

    void compare_temporal(const std::string& set, const RunAnalysis& analysis, bool include_last) {
        const std::string suffix = include_last ? "_inclast" : "";
        const std::string folder = kShared + "/oracle/hta/" + set + "/";
        const std::string compat = include_last ? "compat_hta_include_last_step" : "compat_hta_default";
        const auto temporal = by_rank(details_of(analysis, "temporal_breakdown")[compat]);
        const std::map<std::string, std::string> fields{{"idle_time(us)", "idle_time_us"},
                                                        {"compute_time(us)", "compute_time_us"},
                                                        {"kernel_time(us)", "kernel_time_us"},
                                                        {"non_compute_time(us)", "non_compute_time_us"},
                                                        {"idle_time_pctg", "idle_percent"},
                                                        {"compute_time_pctg", "compute_percent"},
                                                        {"non_compute_time_pctg", "non_compute_percent"}};
        for (const CsvRow& row : read_csv(folder + "temporal_breakdown" + suffix + ".csv")) {
            const int rank = std::stoi(row.at("rank"));
            QVERIFY2(temporal.contains(rank), (set + " has no rank " + row.at("rank")).c_str());
            for (const auto& [theirs, ours] : fields) {
                comparison_.compare("hta temporal_breakdown", set + suffix, row.at("rank") + " " + theirs,
                                    number(row.at(theirs)), field(temporal.at(rank), ours), 1e-9);
            }
        }
        const auto& breakdowns = include_last ? analysis.hta_breakdowns_with_last() : analysis.hta_breakdowns();
        for (const CsvRow& row : read_csv(folder + "comm_comp_overlap" + suffix + ".csv")) {
            for (const TemporalBreakdown& b : breakdowns) {
                if (b.rank == std::stoi(row.at("rank"))) {
                    comparison_.compare("hta comm_comp_overlap", set + suffix, row.at("rank"),
                                        number(row.at("comp_comm_overlap_pctg")), b.comm_comp_overlap_percent, 1e-9);
                }
            }
        }
    }

    void compare_types(const std::string& set, const std::string& file, const std::vector<HtaKernelType>& types) {
        const auto rows = read_csv(kShared + "/oracle/hta/" + set + "/" + file + ".csv");
        std::set<std::string> listed;
        for (const CsvRow& row : rows) {
            const auto ours = std::find_if(types.begin(), types.end(),
                                           [&](const HtaKernelType& t) { return t.name == row.at("kernel_type"); });
            listed.insert(row.at("kernel_type"));
            const bool found = ours != types.end();
            const std::string& type = row.at("kernel_type");
            // HTA may list a combination of no time; we leave it out.
            comparison_.compare("hta " + file, set, type, number(row.at("sum")),
                                found ? static_cast<double>(ours->sum_us) : 0, 0);
            comparison_.compare("hta " + file, set, type + " percent", number(row.at("percentage")),
                                found ? ours->percent : 0, 1e-9);
        }
        for (const HtaKernelType& type : types)
            if (!listed.contains(type.name))
                comparison_.compare("hta " + file, set, type.name, kNone, static_cast<double>(type.sum_us), 0);
    }

    void compare_kernels(const std::string& set, const std::string& file, const RunAnalysis& analysis,
                         const std::vector<std::vector<HtaKernel>>& ranks) {
        std::map<std::vector<std::string>, HtaKernel> ours;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            for (const HtaKernel& kernel : ranks[i]) {
                ours[{kernel.name, std::string(hta_class_word(kernel.type)),
                      std::to_string(analysis.run().ranks[i]->rank)}] = kernel;
            }
        }
        const auto rows = read_csv(kShared + "/oracle/hta/" + set + "/" + file + ".csv");
        comparison_.compare("hta " + file, set, "rows", static_cast<double>(rows.size()),
                            static_cast<double>(ours.size()), 0);
        const std::vector<std::pair<std::string, double HtaKernel::*>> columns{{"sum (us)", &HtaKernel::sum_us},
                                                                               {"max (us)", &HtaKernel::max_us},
                                                                               {"min (us)", &HtaKernel::min_us},
                                                                               {"stddev", &HtaKernel::std_us},
                                                                               {"mean (us)", &HtaKernel::mean_us}};
        for (const CsvRow& row : rows) {
            const auto found = ours.find({row.at("name"), row.at("kernel_type"), row.at("rank")});
            for (const auto& [column, member] : columns) {
                const double theirs = number(row.at(column));
                comparison_.compare("hta " + file, set,
                                    row.at("rank") + " " + row.at("name").substr(0, 40) + " " + column, theirs,
                                    found == ours.end() ? kNone : found->second.*member, 1e-9 * (1 + std::abs(theirs)));
            }
        }
    }

    static std::vector<std::vector<HtaKernel>> top(const std::vector<std::vector<HtaKernel>>& ranks) {
        std::vector<std::vector<HtaKernel>> result;
        for (const auto& kernels : ranks)
            result.push_back(hta_top_kernels(kernels));
        return result;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/oracle") || !std::filesystem::exists(kShared + "/traces"))
            QSKIP("skipped: no shared traces");
    }

    void tracelensTimelines() {
        compare_timeline("a100_nccl_data", "nccl_a100", true);
        compare_timeline("resnet_act_checkpoint.default", "resnet_mi300_1of8", true);
        compare_timeline("resnet_act_checkpoint.aorta_flags", "resnet_mi300_1of8", false);
        compare_timeline("micro_timeline/linked_only", "timeline_case", true);
        compare_timeline("micro_timeline/unlinked_included", "timeline_case", false);
        compare_timeline("micro_timeline/micro_idle_10us", "timeline_case", false);
    }

    void rcclComparisonTimelines() {
        for (const std::string pair : {"comparison_56cu_vs_37cu", "comparison_56cu_vs_32cu"}) {
            const std::string folder = kShared + "/oracle/aorta/" + pair + "/gpu_timeline_combined.sheets/";
            const auto rows = read_csv(folder + "All_Ranks_Combined.csv");
            QCOMPARE(rows.size(), std::size_t{128});
            for (const CsvRow& row : rows) {
                const RunAnalysis* analysis = analyses_.of("rccl_demo/" + row.at("source"));
                QVERIFY(analysis != nullptr);
                const auto ours = by_rank(details_of(*analysis, "gpu_timeline"));
                compare_timeline_row("aorta All_Ranks_Combined", pair, ours.at(std::stoi(row.at("rank"))), row,
                                     row.at("source") + " " + row.at("rank") + " ");
            }
            for (const CsvRow& row : read_csv(folder + "Summary.csv")) {
                const Json ours = details_of(*analyses_.of("rccl_demo/" + row.at("source")), "gpu_timeline");
                const std::string& type = row.at("type");
                const std::string key = type.substr(0, type.rfind("_time"));
                comparison_.compare("aorta Summary", pair, row.at("source") + " " + type + " us",
                                    number(row.at("time ms")) * 1000, field(ours, key + "_us"), 0.1);
                comparison_.compare("aorta Summary", pair, row.at("source") + " " + type + " percent",
                                    number(row.at("percent")), field(ours, key + "_percent"), 0.001);
            }
        }
    }

    void htaBreakdowns() {
        for (const auto& [set, trace] : kHtaTraces) {
            const RunAnalysis* analysis = analyses_.of(trace);
            QVERIFY(analysis != nullptr);
            compare_temporal(set, *analysis, false);
            compare_temporal(set, *analysis, true);
            compare_types(set, "kernel_type_breakdown", analysis->hta().types);
            compare_types(set, "kernel_type_breakdown_inclast", analysis->hta_with_last().types);
            compare_types(set, "kernel_type_breakdown_nomem", analysis->hta().types_without_memory);
            compare_kernels(set, "kernel_breakdown_all", *analysis, analysis->hta().kernels);
            compare_kernels(set, "kernel_breakdown_all_inclast", *analysis, analysis->hta_with_last().kernels);
            compare_kernels(set, "kernel_breakdown_top10", *analysis, top(analysis->hta().kernels));
        }
        QCOMPARE(comparison_.total("hta temporal_breakdown"),
                 196); // 14 ranks, 7 fields, with and without the last step
        QCOMPARE(comparison_.total("hta comm_comp_overlap"), 28);
        QVERIFY(comparison_.total("hta kernel_breakdown_all") > 4000);
    }

    void cclBenchCollectiveCalls() {
        const RunAnalysis* analysis = analyses_.of("dlrm_v100_8rank");
        QVERIFY(analysis != nullptr);
        std::ifstream file(kShared + "/oracle/ccl_bench/dlrm8_groupC_coll_call_num.json");
        const Json theirs = Json::parse(file);
        const Json ours = details_of(*analysis, "coll_call_num")["compat_ccl_bench"];
        const std::string name = "ccl_bench coll_call_num";
        const std::string trace = "dlrm_v100_8rank";
        comparison_.compare(name, trace, "total_calls", field(theirs, "total_calls"), field(ours, "total_calls"), 0);
        comparison_.compare(name, trace, "num_traces", field(theirs, "num_traces"), field(ours, "num_traces"), 0);
        for (const Json& rank : ours["calls_per_rank"]) {
            const std::string key = "rank" + std::to_string(rank["rank"].get<int>()) + "_trace.json";
            comparison_.compare(name, trace, key, field(theirs["calls_per_rank"], key), rank["calls"].get<double>(), 0);
        }
        for (const auto& [type, calls] : theirs["calls_by_type"].items())
            comparison_.compare(name, trace, type, calls.get<double>(), field(ours["calls_by_type"], type), 0);
    }

    void cclBenchStragglerLag() {
        const RunAnalysis* analysis = analyses_.of("dlrm_v100_8rank");
        QVERIFY(analysis != nullptr);
        std::ifstream file(kShared + "/oracle/ccl_bench/dlrm8_groupC_straggler_lag.json");
        const Json theirs = Json::parse(file);
        const Json ours = details_of(*analysis, "straggler_lag")["compat_ccl_bench"];
        for (const std::string key : {"mean_lag_us", "p50_lag_us", "p95_lag_us", "max_lag_us", "min_lag_us",
                                      "num_collectives", "num_ranks", "normalized_lag"}) {
            comparison_.compare("ccl_bench straggler_lag", "dlrm_v100_8rank", key, field(theirs, key), field(ours, key),
                                1e-9);
        }
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

RANKSCOPE_TEST(TestConformance)

} // namespace rankscope::conformance_test

#include "test_conformance.moc"
