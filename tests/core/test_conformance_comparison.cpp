// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets of final_analysis_report.xlsx against those of the RCCL comparison, cell by cell, for the three
// configurations; and every single call of TraceLens's nccl_long. Every difference must be a row of
// tests/data/differences.md, and every row there must still be a difference.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "core/report/rccl_sheets.h"
#include "core/run/run_analysis.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::conformance_comparison_test {
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;

/// By column, as text; numbers with all their digits.
std::vector<CsvRow> rows_of(const Sheet& sheet) {
    std::vector<CsvRow> rows;
    for (const auto& cells : sheet.rows) {
        CsvRow row;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const auto* number = std::get_if<double>(&cells[c]);
            const auto* text = std::get_if<std::string>(&cells[c]);
            row[sheet.columns[c].title] = number != nullptr ? (std::isfinite(*number) ? fmt::format("{}", *number) : "")
                                          : text != nullptr ? *text
                                                            : "";
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Theirs calls GiB/s GB/s.
std::string our_column(std::string column) {
    if (const std::size_t at = column.find("(GB/s)"); at != std::string::npos)
        column.replace(at, 6, "(GiB/s)");
    return column;
}

bool is_number(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
}

/// Worse -1, Similar 0, Better 1.
double status_number(const std::string& word) {
    return word == "Better" ? 1 : word == "Worse" ? -1 : word == "Similar" ? 0 : std::nan("");
}

/// TraceLens adds doubles (accuracy.md), which shows as up to 0.2 us, and in what is computed from small times.
double tolerance_of(const std::string& column, double value) {
    if (column.find("percent") != std::string::npos || is_number(column)) // a rank's column holds ms or percent
        return is_number(column) ? 0.0005 : 0.01;
    if (column.ends_with("ms"))
        return 0.0002;
    return 1e-9 * std::abs(value) + (column.find("skew") != std::string::npos                ? 0.001
                                     : column.ends_with("_us") || column.starts_with("pct_") ? 0.051
                                     : column == "ratio"                                     ? 1e-4
                                                                                             : 1e-7);
}

const Sheet* find_sheet(const std::vector<Sheet>& sheets, const std::string& name) {
    const auto found =
        std::find_if(sheets.begin(), sheets.end(), [&](const Sheet& sheet) { return sheet.name == name; });
    return found == sheets.end() ? nullptr : &*found;
}

} // namespace

class TestConformanceComparison : public QObject {
    Q_OBJECT

    Comparison comparison_{documented_differences()};
    SharedAnalyses shared_;
    std::map<std::string, std::shared_ptr<RunAnalysis>> analyses_;

    AnalysedRun run_of(const std::string& name) {
        auto& analysis = analyses_[name];
        if (!analysis) {
            analysis =
                std::make_shared<RunAnalysis>(load_run(kShared + "/traces/rccl_demo/" + name).value(), Selection{});
        }
        return {"", "", analysis, compute_metrics(*analysis, std::vector<std::string>{"step_time"}), {}};
    }

    /// Every cell of theirs in the row of ours with the same keys. Columns named in without are not ours.
    void compare_sheet(const std::string& pair, const std::string& file, const Sheet* sheet,
                       const std::vector<std::string>& keys, const std::set<std::string>& without = {}) {
        QVERIFY2(sheet != nullptr, file.c_str());
        const std::vector<CsvRow> ours = rows_of(*sheet);
        const std::vector<CsvRow> theirs = read_csv(kShared + "/oracle/aorta/" + pair + "/" + file + ".csv");
        QVERIFY2(!theirs.empty(), file.c_str());
        const std::string analysis = "aorta " + std::filesystem::path(file).filename().string();
        for (const CsvRow& row : theirs) {
            std::string id;
            for (const std::string& key : keys)
                id += row.at(key) + " ";
            const auto found = std::find_if(ours.begin(), ours.end(), [&](const CsvRow& candidate) {
                return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
                    return candidate.contains(key) && candidate.at(key) == row.at(key);
                });
            });
            comparison_.compare(analysis, pair, id + "listed", 1, found == ours.end() ? 0 : 1, 0);
            for (const auto& [column, cell] : row) {
                if (without.contains(column) || std::find(keys.begin(), keys.end(), column) != keys.end())
                    continue;
                const auto cell_of_ours =
                    found == ours.end() ? CsvRow::const_iterator{} : found->find(our_column(column));
                const bool has = found != ours.end() && cell_of_ours != found->end();
                if (column == "status" || column == "Status") {
                    comparison_.compare(analysis, pair, id + column, status_number(cell),
                                        has ? status_number(cell_of_ours->second) : std::nan(""), 0);
                } else if (is_number(cell)) {
                    comparison_.compare(
                        analysis, pair, id + column, number(cell),
                        has && is_number(cell_of_ours->second) ? number(cell_of_ours->second) : std::nan(""),
                        tolerance_of(column, number(cell)) + (file.ends_with("Summary_Dashboard") ? 0.0051 : 0));
                } else {
                    comparison_.compare(analysis, pair, id + column, 0, has && cell_of_ours->second == cell ? 0 : 1, 0);
                }
            }
        }
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/oracle") || !std::filesystem::exists(kShared + "/traces"))
            QSKIP("skipped: no shared traces");
    }

    void finalAnalysisReport_data() {
        QTest::addColumn<QString>("pair");
        QTest::addColumn<QString>("test");
        QTest::newRow("37 CUs") << QStringLiteral("comparison_56cu_vs_37cu") << QStringLiteral("37cu_384threads");
        QTest::newRow("32 CUs") << QStringLiteral("comparison_56cu_vs_32cu") << QStringLiteral("32cu_512threads");
    }
    void finalAnalysisReport() {
        QFETCH(QString, pair);
        QFETCH(QString, test);
        std::vector<AnalysedRun> runs{run_of("56cu_256threads"), run_of(test.toStdString())};
        relate_runs(runs);
        const std::vector<Sheet> sheets = comparison_sheets(runs);
        const std::string name = pair.toStdString();
        const auto compare = [&](const char* file, const char* sheet, const std::vector<std::string>& keys,
                                 const std::set<std::string>& without = {}) {
            compare_sheet(name, file, find_sheet(sheets, sheet), keys, without);
        };
        const std::vector<std::string> collective{"Collective name", "dtype", "In msg nelems"};
        const std::vector<std::string> collective_of_run{"Collective name", "dtype", "In msg nelems", "source"};
        const std::vector<std::string> long_row{
            "rank", "Process Group Name", "Collective name", "dtype", "In msg nelems", "stream", "source"};
        const std::set<std::string> nodes{"node_id", "node_span"}; // guessed from ranks per node

        compare("final_analysis_report.sheets/Summary_Dashboard", "Summary_Dashboard", {"Metric"});
        compare("final_analysis_report.sheets/GPU_Summary_Cmp", "GPU_Summary_Cmp", {"type"});
        compare("final_analysis_report.sheets/GPU_ByRank_Cmp", "GPU_ByRank_Cmp", {"rank", "type"});
        compare("final_analysis_report.sheets/NCCL_ImplicitSyncCmp", "NCCL_ImplSync_Cmp", collective);
        compare("final_analysis_report.sheets/NCCL_LongCmp", "NCCL_Long_Cmp", collective);
        compare("final_analysis_report.sheets/GPU_Summary_Raw", "GPU_Summary_Raw", {"type", "source"});
        compare("final_analysis_report.sheets/GPU_AllRanks_Raw", "GPU_AllRanks_Raw", {"type", "rank", "source"});
        compare("final_analysis_report.sheets/GPU_Time_Raw", "GPU_Time_Raw", {"type", "source"});
        compare("final_analysis_report.sheets/GPU_Pct_Raw", "GPU_Pct_Raw", {"type", "source"});
        compare("final_analysis_report.sheets/NCCL_ImplSync_Raw", "NCCL_ImplSync_Raw", collective_of_run);
        compare("final_analysis_report.sheets/NCCL_Long_Raw", "NCCL_Long_Raw", long_row, nodes);
        compare("final_analysis_report.sheets/NCCL_straggler_summary_Raw", "Stragglers_Raw", {"rank", "source"}, nodes);
        compare("gpu_timeline_comparison.sheets/Summary_Comparison", "GPU_Summary_Cmp", {"type"});
        compare("gpu_timeline_comparison.sheets/Comparison_By_Rank", "GPU_ByRank_Cmp", {"rank", "type"});
        compare("collective_comparison.sheets/nccl_implicit_sync_cmp", "NCCL_ImplSync_Cmp", collective);
        // The old tool's long comparison lists its collectives and leaves them without a number.
        for (const CsvRow& row : rows_of(*find_sheet(sheets, "NCCL_Long_Cmp")))
            QVERIFY(!row.at("in").empty() && !row.at("ratio_operation_count").empty());
    }

    void everyCallOfTheLongTables() {
        struct Set {
            std::string file;
            std::string trace;
            std::string source;
        };
        std::vector<Set> sets;
        for (const char* name : {"c1_all_kinds_4r", "c2_window_shift_same_shape", "c4_no_metadata_single_stream",
                                 "c5_no_metadata_two_streams", "c6_unknown_dtype_zero_dur_mixed_pg",
                                 "c7_node_span_gpn2", "c8_unlinked_dropped"})
            sets.push_back({std::string("tracelens/micro/") + name, std::string("collective_cases/") + name, {}});
        for (const char* pair : {"comparison_56cu_vs_37cu", "comparison_56cu_vs_32cu"}) {
            for (const char* name :
                 {"56cu_256threads",
                  pair == std::string("comparison_56cu_vs_37cu") ? "37cu_384threads" : "32cu_512threads"}) {
                sets.push_back({std::string("aorta/") + pair + "/collective_combined.sheets",
                                std::string("rccl_demo/") + name, name});
            }
        }
        for (const Set& set : sets) {
            const RunAnalysis* analysis = shared_.of(set.trace);
            QVERIFY(analysis != nullptr);
            const Run& run = analysis->run();
            const auto rows = read_csv(kShared + "/oracle/" + set.file + "/nccl_long.csv");
            QVERIFY(!rows.empty());
            for (const CsvRow& row : rows) {
                if (!set.source.empty() && row.at("source") != set.source)
                    continue;
                const CommCall* ours = nullptr;
                const RankTrace* rank = nullptr;
                for (std::size_t r = 0; r < run.ranks.size(); ++r) {
                    for (const CommCall& call : analysis->collectives().calls[r]) {
                        const double ts = static_cast<double>(call.range.begin - run.ranks[r]->clock_base) / 1000.0;
                        if (run.ranks[r]->rank == std::stoi(row.at("rank")) &&
                            std::abs(ts - number(row.at("ts"))) < 0.001 &&
                            std::to_string(run.ranks[r]->lane_of(call.event).stream) == row.at("stream")) {
                            ours = &call;
                            rank = run.ranks[r].get();
                        }
                    }
                }
                const std::string id = row.at("rank") + " " + row.at("ts") + " ";
                const auto value = [&](const char* column, double mine, double tolerance) {
                    comparison_.compare("tracelens nccl_long", set.trace, id + column, number(row.at(column)),
                                        ours == nullptr ? std::nan("") : mine, tolerance);
                };
                const auto elements = [&](std::int64_t count) {
                    return count == kUnknown ? std::nan("") : static_cast<double>(count);
                };
                const CollectiveArgs* args = ours == nullptr ? nullptr : ours->args;
                value("dur", ours == nullptr ? 0 : static_cast<double>(ours->range.length()) / 1000.0, 1e-9);
                value("In msg nelems", args == nullptr ? std::nan("") : elements(args->in_elements), 0);
                value("Out msg nelems", args == nullptr ? std::nan("") : elements(args->out_elements), 0);
                if (args != nullptr) {
                    comparison_.compare("tracelens nccl_long", set.trace, id + "dtype", 1,
                                        rank->names->view(args->dtype) == row.at("dtype") ? 1 : 0, 0);
                    comparison_.compare("tracelens nccl_long", set.trace, id + "Collective name", 1,
                                        rank->names->view(args->collective) == row.at("Collective name") ? 1 : 0, 0);
                }
            }
        }
    }

    void everyCallOfAllToAllV() {
        for (const std::string name : {"c1_all_kinds_4r", "c7_node_span_gpn2"}) {
            const RunAnalysis* analysis = shared_.of("collective_cases/" + name);
            QVERIFY(analysis != nullptr);
            const Run& run = analysis->run();
            std::vector<const CollectiveTiming*> calls;
            for (const CollectiveTiming& call : analysis->call_table().whole_calls())
                if (call.uneven)
                    calls.push_back(&call);
            const auto rows = read_csv(kShared + "/oracle/tracelens/micro/" + name + "/nccl_all2allv.csv");
            QCOMPARE(rows.size(), calls.size());
            for (std::size_t i = 0; i < rows.size(); ++i) { // both by time
                const CollectiveTiming& call = *calls[i];
                double longest = 0;
                double sum = 0;
                std::int64_t elements = 0;
                for (const auto& member : call.members) {
                    const CommCall& own = analysis->collectives().call(member);
                    const double us = static_cast<double>(own.range.length()) / 1000.0;
                    longest = std::max(longest, us);
                    sum += us;
                    elements += own.args->in_elements;
                    const std::string rank = "rank_" + std::to_string(run.ranks[member.rank]->rank) + "_";
                    comparison_.compare("tracelens nccl_all2allv", name, rank + "dur", number(rows[i].at(rank + "dur")),
                                        us, 1e-9);
                    comparison_.compare("tracelens nccl_all2allv", name, rank + "In msg nelems",
                                        number(rows[i].at(rank + "In msg nelems")),
                                        static_cast<double>(own.args->in_elements), 0);
                }
                const auto members = static_cast<double>(call.members.size());
                const double bytes = static_cast<double>(call.bytes) * members; // bytes: mean over members
                for (const auto& [column, value] : std::initializer_list<std::pair<const char*, double>>{
                         {"total nelems communicated", static_cast<double>(elements)},
                         {"total data communicated (MB)", bytes / 1048576.0},
                         {"wall_time (us)", static_cast<double>(call.wall) / 1000.0},
                         {"max_rank_dur (us)", longest},
                         {"min_rank_dur (us)", static_cast<double>(call.latency) / 1000.0},
                         {"avg_rank_dur (us)", sum / members},
                         {"throughput (GB/s)", bytes / static_cast<double>(call.wall) * 1e9 / 1073741824.0},
                         {"skew in start time", static_cast<double>(call.start_skew) / 1000.0},
                         {"skew in end time", static_cast<double>(call.end_skew) / 1000.0}}) {
                    comparison_.compare("tracelens nccl_all2allv", name, column, number(rows[i].at(column)), value,
                                        1e-9 * (1 + value));
                }
            }
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

RANKSCOPE_TEST(TestConformanceComparison)

} // namespace rankscope::conformance_comparison_test

#include "test_conformance_comparison.moc"
