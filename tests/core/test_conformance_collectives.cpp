// SPDX-License-Identifier: GPL-3.0-or-later
// Our collective tables against TraceLens's and the RCCL comparison's, and traffic and bubble against CCL-Bench's.
// Every difference must be a row of tests/data/differences.md, and every row there must still be a difference.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>

#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::conformance_collectives_test {
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kGib = 1073741824.0;

double cell_number(const std::string& text) { return text.empty() || text == "Unknown" ? kNone : std::stod(text); }

double known(std::int64_t value) { return value == kUnknown ? kNone : static_cast<double>(value); }

double gib_s(double gb_s) { return gb_s * 1e9 / kGib; }

const char* const kCases[] = {"c1_all_kinds_4r",
                              "c2_window_shift_same_shape",
                              "c4_no_metadata_single_stream",
                              "c6_unknown_dtype_zero_dur_mixed_pg",
                              "c7_node_span_gpn2",
                              "c8_unlinked_dropped"};
const char* const kRccl[] = {"56cu_256threads", "37cu_384threads", "32cu_512threads"};

} // namespace

class TestConformanceCollectives : public QObject {
    Q_OBJECT

    Comparison comparison_{documented_differences()};
    std::map<std::string, std::unique_ptr<RunAnalysis>> analyses_;

    const RunAnalysis& analysis_of(const std::string& trace) {
        auto& analysis = analyses_[trace];
        if (!analysis)
            analysis = std::make_unique<RunAnalysis>(load_run(kShared + "/traces/" + trace).value(), Selection{});
        return *analysis;
    }

    /// Within 1e-9 of the value, and the given tolerance where TraceLens subtracts doubles (see accuracy.md).
    void compare(const std::string& what, const std::string& trace, const std::string& field, double theirs,
                 double ours, double tolerance = 0) {
        comparison_.compare("tracelens " + what, trace, field, theirs, ours, tolerance + 1e-9 * std::abs(theirs));
    }

    /// As the file has it. What TraceLens computes from differences of these times is compared within 0.001 us.
    static double rank_time(const RunAnalysis& analysis, const CollectiveTiming& call, int rank, bool duration) {
        for (const auto& member : call.members) {
            if (analysis.run().ranks[member.rank]->rank == rank) {
                const TimeRange range = analysis.collectives().call(member).range;
                const TimeNs in_file = range.begin - analysis.run().ranks[member.rank]->clock_base;
                return static_cast<double>(duration ? range.length() : in_file) / 1000.0;
            }
        }
        return kNone;
    }

    /// The call that a rank of theirs runs at that time; nullptr when ours has none.
    static const CollectiveTiming* call_of(const RunAnalysis& analysis, const CsvRow& row) {
        for (const CollectiveTiming& call : analysis.call_table().whole_calls()) {
            for (const auto& [column, text] : row)
                if (column.starts_with("rank_") && column.ends_with("_ts") && !text.empty() &&
                    std::abs(rank_time(analysis, call, std::stoi(column.substr(5)), false) - cell_number(text)) <
                        0.002 &&
                    analysis.collectives().groups[call.group].name.substr(0, row.at("Process Group Name").size()) ==
                        (row.at("Process Group Name") == "all"
                             ? analysis.collectives().groups[call.group].name.substr(0, 3)
                             : row.at("Process Group Name")))
                    return &call;
        }
        return nullptr;
    }

    void compare_calls(const std::string& set, const RunAnalysis& analysis, const std::vector<CsvRow>& rows) {
        const Run& run = analysis.run();
        for (const CsvRow& row : rows) {
            const std::string id = row.at("collective_id") + " ";
            const CollectiveTiming* call = call_of(analysis, row);
            const auto ours = [&](double value) { return call == nullptr ? kNone : value; };
            const CollectiveTiming none;
            const CollectiveTiming& c = call == nullptr ? none : *call;
            const auto field = [&](const std::string& column, double value, double tolerance = 0) {
                compare("nccl_implicit_sync", set, id + column, cell_number(row.at(column)), ours(value), tolerance);
            };
            field("comm_latency", static_cast<double>(c.latency) / 1000.0);
            field("skew in start time", static_cast<double>(c.start_skew) / 1000.0, 0.001);
            field("avg_wait_time", c.mean_wait / 1000.0, 0.001);
            field("skew in end time", static_cast<double>(c.end_skew) / 1000.0, 0.001);
            field("earliest arrival rank", run.ranks[c.first_rank]->rank);
            field("algo bw (GB/s)", gib_s(c.algbw));
            field("bus bw (GB/s)", gib_s(c.busbw));
            field("Full msg size (MB)", known(c.bytes) / 1048576.0);
            for (const auto& rank : run.ranks) {
                const std::string prefix = "rank_" + std::to_string(rank->rank) + "_";
                const double ts = ours(rank_time(analysis, c, rank->rank, false));
                field(prefix + "ts", ts, 0.0005);
                field(prefix + "dur", rank_time(analysis, c, rank->rank, true));
                const TimeNs base = rank->clock_base;
                field(prefix + "wait_time", (static_cast<double>(c.start + c.start_skew - base) / 1000.0) - ts, 0.001);
            }
        }
    }

    void compare_summary(const std::string& set, const RunAnalysis& analysis, const std::vector<CsvRow>& rows) {
        for (const CsvRow& row : rows) {
            const ImplicitSyncRow* ours = nullptr;
            for (const ImplicitSyncRow& candidate : analysis.collective_summaries().implicit_sync) {
                const bool same_name =
                    candidate.collective == row.at("Collective name") ||
                    (candidate.collective == "AllReduce" && row.at("Collective name") == "allreduce");
                const bool same_size =
                    (!std::isfinite(cell_number(row.at("In msg nelems"))) && candidate.in_elements == kUnknown) ||
                    known(candidate.in_elements) == cell_number(row.at("In msg nelems"));
                const std::string dtype(analysis.run().names->view(candidate.dtype));
                if (same_name && same_size && (dtype.empty() ? "Unknown" : dtype) == row.at("dtype"))
                    ours = &candidate;
            }
            const ImplicitSyncRow none{{},
                                       0,
                                       kUnknown,
                                       0,
                                       0,
                                       kUnknown,
                                       0,
                                       statistics_of({}),
                                       statistics_of({}),
                                       statistics_of({}),
                                       statistics_of({}),
                                       statistics_of({})};
            const ImplicitSyncRow& r = ours == nullptr ? none : *ours;
            const std::string id =
                row.at("Collective name") + " " + row.at("dtype") + " " + row.at("In msg nelems") + " ";
            const auto spread = [&](const std::string& column, const Statistics& values, double scale,
                                    double tolerance) {
                for (const auto& [suffix, value] : {std::pair{"_mean", values.mean},
                                                    {"_median", values.median},
                                                    {"_min", values.min},
                                                    {"_max", values.max}}) {
                    const auto cell = row.find(column + suffix);
                    if (cell != row.end()) {
                        compare("nccl_summary_implicit_sync", set, id + column + suffix, cell_number(cell->second),
                                value * scale, tolerance);
                    }
                }
            };
            spread("comm_latency", r.latency, 1e-3, 0);
            spread("skew in start time", r.start_skew, 1e-3, 0.001);
            spread("skew in end time", r.end_skew, 1e-3, 0.001);
            spread("algo bw (GB/s)", r.algbw, gib_s(1), 0);
            spread("bus bw (GB/s)", r.busbw, gib_s(1), 0);
            compare("nccl_summary_implicit_sync", set, id + "count", cell_number(row.at("count")),
                    static_cast<double>(r.latency.count));
            compare("nccl_summary_implicit_sync", set, id + "Total comm latency (ms)",
                    cell_number(row.at("Total comm latency (ms)")), r.latency.sum / 1e6);
            compare("nccl_summary_implicit_sync", set, id + "Full msg size (MB)",
                    cell_number(row.at("Full msg size (MB)")), known(r.bytes) / 1048576.0);
            compare("nccl_summary_implicit_sync", set, id + "Group size", cell_number(row.at("Group size")),
                    r.group_size == 0 || row.at("Group size").empty() ? kNone : static_cast<double>(r.group_size));
        }
    }

    void compare_long(const std::string& set, const RunAnalysis& analysis, const std::vector<CsvRow>& rows) {
        const Run& run = analysis.run();
        for (const CsvRow& row : rows) {
            const LongRow* ours = nullptr;
            for (const LongRow& r : analysis.collective_summaries().by_rank) {
                const std::string& group = analysis.collectives().groups[r.group].name;
                const bool same_group =
                    group.substr(0, group.find(' ')) == row.at("Process Group Name"); // "1 0->1" is of group 1
                if (same_group && run.ranks[r.rank]->rank == std::stoi(row.at("rank")) &&
                    r.collective == row.at("Collective name") && run.names->view(r.dtype) == row.at("dtype") &&
                    known(r.in_elements) == cell_number(row.at("In msg nelems")) &&
                    known(r.out_elements) == cell_number(row.at("Out msg nelems")) &&
                    run.names->view(r.in_split) == row.at("In split size") &&
                    run.names->view(r.out_split) == row.at("Out split size") &&
                    r.stream == std::stoll(row.at("stream")))
                    ours = &r;
            }
            const Statistics d = ours == nullptr ? statistics_of({}) : ours->duration;
            const std::string id = row.at("rank") + " " + row.at("Process Group Name") + " " +
                                   row.at("Collective name") + " " + row.at("In msg nelems") + " ";
            for (const auto& [column, value] : {std::pair{"dur_sum", d.sum},
                                                {"dur_mean", d.mean},
                                                {"dur_std", d.deviation},
                                                {"dur_min", d.min},
                                                {"dur_max", d.max}})
                compare("nccl_summary_long", set, id + column, cell_number(row.at(column)), value / 1000.0, 1e-7);
            compare("nccl_summary_long", set, id + "operation_count", cell_number(row.at("operation_count")),
                    static_cast<double>(d.count));
        }
    }

    void compare_arrivals(const std::string& set, const RunAnalysis& analysis, const std::vector<CsvRow>& rows) {
        std::int64_t calls = 0;
        for (const ArrivalRow& row : analysis.collective_summaries().arrivals)
            calls += row.times_last;
        for (const CsvRow& row : rows) {
            const ArrivalRow* ours = nullptr;
            for (const ArrivalRow& candidate : analysis.collective_summaries().arrivals)
                if (analysis.run().ranks[candidate.rank]->rank == std::stoi(row.at("rank")))
                    ours = &candidate;
            QVERIFY(ours != nullptr);
            const auto field = [&](const std::string& column, double value, double tolerance) {
                compare("straggler_summary", set, row.at("rank") + " " + column, cell_number(row.at(column)), value,
                        tolerance);
            };
            const auto wait = static_cast<double>(ours->wait) / 1000.0;
            field("total_wait_time_us", wait, 0.051); // one decimal
            field("mean_wait_time_us", wait / static_cast<double>(ours->calls), 0.051);
            field("times_arrived_last", static_cast<double>(ours->times_last), 0);
            field("times_arrived_first", static_cast<double>(ours->times_first), 0);
            field("pct_arrived_last", 100.0 * static_cast<double>(ours->times_last) / static_cast<double>(calls),
                  0.051);
            field("num_collectives", static_cast<double>(calls), 0);
            field("total_nccl_dur_us", static_cast<double>(ours->communication) / 1000.0, 0.051);
        }
    }

    void compare_all_to_allv(const std::string& set, const RunAnalysis& analysis, const std::string& folder) {
        const CollectiveSummaries& summaries = analysis.collective_summaries();
        for (const CsvRow& row : read_csv(folder + "nccl_summary_all2allv.csv")) {
            QCOMPARE(summaries.all_to_allv.size(), std::size_t{1});
            const AllToAllVRow& r = summaries.all_to_allv.front();
            const auto spread = [&](const std::string& column, const Statistics& values, double scale) {
                for (const auto& [suffix, value] : {std::pair{"_mean", values.mean},
                                                    {"_median", values.median},
                                                    {"_min", values.min},
                                                    {"_max", values.max}}) {
                    const auto cell = row.find(column + suffix);
                    if (cell != row.end())
                        compare("nccl_summary_all2allv", set, column + suffix, cell_number(cell->second),
                                value * scale);
                }
            };
            spread("total data communicated (MB)", r.bytes, 1 / 1048576.0);
            spread("wall_time (us)", r.wall, 1e-3);
            spread("throughput (GB/s)", r.throughput, gib_s(1));
            spread("size_imbalance", r.imbalance, 1);
            spread("max_rank_dur (us)", r.longest, 1e-3);
            spread("skew in start time", r.start_skew, 1e-3);
            spread("skew in end time", r.end_skew, 1e-3);
            compare("nccl_summary_all2allv", set, "count", cell_number(row.at("count")),
                    static_cast<double>(r.wall.count));
            compare("nccl_summary_all2allv", set, "Total wall_time (ms)", cell_number(row.at("Total wall_time (ms)")),
                    r.wall.sum / 1e6);
        }
        std::map<std::pair<int, int>, AllToAllTraffic> cells;
        for (const AllToAllTraffic& cell : summaries.all_to_allv_traffic)
            cells[{cell.source, cell.destination}] = cell;
        for (const CsvRow& row : read_csv(folder + "nccl_all2allv_heatmap.csv")) {
            const AllToAllTraffic& cell = cells[{std::stoi(row.at("src_rank")), std::stoi(row.at("dst_rank"))}];
            const std::string id = row.at("src_rank") + "->" + row.at("dst_rank") + " ";
            compare("nccl_all2allv_heatmap", set, id + "total_sent_MB", cell_number(row.at("total_sent_MB")),
                    static_cast<double>(cell.bytes) / 1048576.0);
            compare("nccl_all2allv_heatmap", set, id + "count", cell_number(row.at("count")),
                    static_cast<double>(cell.calls));
        }
    }

    void compare_set(const std::string& set, const std::string& trace, const std::string& folder) {
        const RunAnalysis& analysis = analysis_of(trace);
        const auto rows = [&](const char* file) { return read_csv(folder + file + ".csv"); };
        compare_calls(set, analysis, rows("nccl_implicit_sync"));
        compare_summary(set, analysis, rows("nccl_summary_implicit_sync"));
        compare_long(set, analysis, rows("nccl_summary_long"));
        compare_arrivals(set, analysis, rows("straggler_summary"));
        if (std::filesystem::exists(folder + "nccl_summary_all2allv.csv"))
            compare_all_to_allv(set, analysis, folder);
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/oracle") || !std::filesystem::exists(kShared + "/traces"))
            QSKIP("skipped: no shared traces");
    }

    void tracelensHandMadeCases() {
        for (const std::string name : kCases)
            compare_set(name, "collective_cases/" + name, kShared + "/oracle/tracelens/micro/" + name + "/");
    }

    void tracelensRcclDemo() {
        for (const std::string name : kRccl)
            compare_set(name, "rccl_demo/" + name, kShared + "/oracle/tracelens/rccl_demo_collective/" + name + "/");
    }

    void rcclComparisonSheetsOfEachConfiguration() {
        for (const std::string pair : {"comparison_56cu_vs_37cu", "comparison_56cu_vs_32cu"}) {
            const std::string folder = kShared + "/oracle/aorta/" + pair + "/collective_combined.sheets/";
            for (const std::string name : kRccl) {
                const auto rows = [&](const char* file) {
                    auto all = read_csv(folder + file + ".csv");
                    std::erase_if(all, [&](const CsvRow& row) { return row.at("source") != name; });
                    return all;
                };
                const RunAnalysis& analysis = analysis_of("rccl_demo/" + name);
                const std::string set = pair + " " + name;
                compare_calls(set, analysis, rows("nccl_implicit_sync"));
                compare_summary(set, analysis, rows("nccl_summary_implicit_sync"));
                compare_long(set, analysis, rows("nccl_summary_long"));
                compare_arrivals(set, analysis, rows("straggler_summary"));
            }
        }
    }

    void cclBenchTrafficAndBubble() {
        const RunAnalysis& analysis = analysis_of("dlrm_v100_8rank");
        const auto read = [](const std::string& file) {
            std::ifstream in(kShared + "/oracle/ccl_bench/" + file);
            return Json::parse(in);
        };
        const Json traffic = read("dlrm8_groupC_traffic_distribution.json");
        const Json ours = find_metric("traffic_distribution")->compute(analysis).details["compat_ccl_bench"];
        for (const char* key :
             {"dp_bytes", "tp_bytes", "pp_bytes", "ep_bytes", "unknown_bytes", "total_bytes", "total_comm_calls"}) {
            comparison_.compare("ccl_bench traffic_distribution", "dlrm_v100_8rank", key, traffic[key].get<double>(),
                                ours[key].get<double>(), 1e-6);
        }
        for (const auto& [dimension, fraction] : traffic["fractions"].items()) {
            comparison_.compare("ccl_bench traffic_distribution", "dlrm_v100_8rank", dimension, fraction.get<double>(),
                                ours["fractions"][dimension].get<double>(), 1e-9);
        }
        const Json bubble = read("dlrm8_groupC_pipeline_bubble.json");
        const Json our_bubble = find_metric("pipeline_bubble")->compute(analysis).details["compat_ccl_bench"];
        for (const char* key : {"bubble_ratio", "bubble_time_ms", "total_time_ms", "num_ranks"}) {
            comparison_.compare("ccl_bench pipeline_bubble", "dlrm_v100_8rank", key, bubble[key].get<double>(),
                                our_bubble[key].get<double>(), 1e-9);
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

RANKSCOPE_TEST(TestConformanceCollectives)

} // namespace rankscope::conformance_collectives_test

#include "test_conformance_collectives.moc"
