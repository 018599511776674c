// SPDX-License-Identifier: GPL-3.0-or-later
// The sheets of report.xlsx that bear TraceLens's names, cell by cell against what TraceLens printed: how many values
// of each sheet and column agree. docs/accuracy.md says why the others differ.
#include <QtTest>

#include <deque>
#include <filesystem>

#include <fmt/format.h>

#include "core/report/operator_sheets.h"
#include "core/report/tracelens_sheets.h"
#include "core/report/xla_sheets.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::tracelens_sheets_test {
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;

struct Tally {
    int agree = 0;
    int total = 0;
};

std::string text_of(const Cell& cell) {
    return std::holds_alternative<std::string>(cell) ? std::get<std::string>(cell) : "";
}

/// Rows of ours by their key columns; several with one key follow each other by the first value column.
using Rows = std::map<std::string, std::vector<const std::vector<Cell>*>>;

class SheetComparison {
public:
    SheetComparison(const Sheet& sheet, std::vector<std::string> keys, std::string order)
        : sheet_(sheet), keys_(std::move(keys)), order_(std::move(order)) {
        for (const auto& row : sheet.rows) {
            std::string key;
            for (const std::string& column : keys_)
                key += plain(text_of(row[*place(column)])) + "|";
            rows_[key].push_back(&row);
        }
        for (auto& [key, rows] : rows_)
            std::ranges::sort(rows, std::greater(), [&](const auto* row) { return number_in(*row, order_); });
    }

    void add(const std::string& file) {
        std::map<std::string, std::vector<CsvRow>> theirs;
        for (const CsvRow& row : read_csv(file)) {
            std::string key;
            for (const std::string& column : keys_)
                key += (row.contains(column) ? plain(row.at(column)) : std::string()) + "|";
            theirs[key].push_back(row);
        }
        for (auto& [key, rows] : theirs) {
            std::ranges::sort(rows, std::greater(), [&](const CsvRow& row) { return number(row.at(order_)); });
            const auto ours = rows_.find(key);
            // One row there, one for each module here.
            if (ours != rows_.end() && rows.size() == 1 && ours->second.size() > 1)
                ours->second = {&merged(ours->second)};
            for (std::size_t i = 0; i < rows.size(); ++i)
                for (const auto& [column, text] : rows[i])
                    compare(column, text, ours != rows_.end() && i < ours->second.size() ? ours->second[i] : nullptr,
                            key);
        }
    }

    std::map<std::string, Tally> tallies;
    std::set<std::string> without_counterpart; ///< columns
    std::vector<std::string> examples;

private:
    static bool adds_up(const std::string& column) {
        return column.ends_with("_sum") || column.ends_with("_ms") || column.ends_with("ount") ||
               column == "Percentage (%)" || column == "total_duration_us";
    }
    /// Sums of what adds up, and nothing where something does not.
    const std::vector<Cell>& merged(const std::vector<const std::vector<Cell>*>& rows) {
        std::vector<Cell> sum = *rows.front();
        for (std::size_t c = 0; c < sum.size(); ++c) {
            if (!std::holds_alternative<double>(sum[c]))
                continue;
            if (!adds_up(sheet_.columns[c].title)) {
                sum[c] = std::string("-"); // not compared
                continue;
            }
            double total = 0;
            for (const auto* row : rows)
                total += std::holds_alternative<double>((*row)[c]) ? std::get<double>((*row)[c]) : 0;
            sum[c] = total;
        }
        merged_.push_back(std::move(sum));
        return merged_.back();
    }
    [[nodiscard]] std::optional<std::size_t> place(const std::string& column) const {
        for (std::size_t i = 0; i < sheet_.columns.size(); ++i)
            if (sheet_.columns[i].title == column)
                return i;
        return {};
    }
    [[nodiscard]] double number_in(const std::vector<Cell>& row, const std::string& column) const {
        const Cell& cell = row[*place(column)];
        return std::holds_alternative<double>(cell) ? std::get<double>(cell) : std::nan("");
    }
    void compare(const std::string& column, const std::string& theirs, const std::vector<Cell>* row,
                 const std::string& key) {
        const auto at = place(column);
        if (!at) {
            without_counterpart.insert(column);
            return;
        }
        if (row != nullptr && text_of((*row)[*at]) == "-")
            return;
        Tally& tally = tallies[column];
        ++tally.total;
        if (row == nullptr) {
            examples.push_back(column + " of " + key.substr(0, 90) + ": no row");
            return;
        }
        const Cell& cell = (*row)[*at];
        if (std::holds_alternative<std::string>(cell)) {
            // Lists of kernels are written otherwise; "(float, None)" and "float" say the same.
            const bool list = column.starts_with("kernel_details") || column == "Categories";
            const auto said = [](std::string text) {
                for (const char* nothing : {"None", "nan", ","})
                    for (std::size_t p = text.find(nothing); p != std::string::npos; p = text.find(nothing))
                        text.erase(p, std::string_view(nothing).size());
                return text;
            };
            const bool agrees = list || plain(text_of(cell)) == plain(theirs) ||
                                (column.starts_with("param: ") && said(plain(text_of(cell))) == said(plain(theirs)));
            tally.agree += agrees ? 1 : 0;
            if (!agrees)
                examples.push_back(
                    fmt::format("{} of {}: {} here, {} there", column, key.substr(0, 90), text_of(cell), theirs));
            return;
        }
        const double value = std::holds_alternative<double>(cell) ? std::get<double>(cell) : std::nan("");
        const double expected = theirs.empty() ? std::nan("") : std::strtod(theirs.c_str(), nullptr);
        const bool neither = !std::isfinite(value) && !std::isfinite(expected);
        // TraceLens subtracts microseconds since boot as doubles: 0.001 us a call, which rates of short kernels feel.
        const bool time = column.find("time") != std::string::npos || column.find("Time") != std::string::npos ||
                          column.find("duration") != std::string::npos;
        const double tolerance = time ? 0.02 + 2e-4 * std::abs(expected) : 5e-3 * std::abs(expected) + 1e-9;
        if (neither || std::abs(value - expected) <= tolerance)
            ++tally.agree;
        else
            examples.push_back(fmt::format("{} of {}: {} here, {} there", column, key.substr(0, 90), value, theirs));
    }

    const Sheet& sheet_;
    std::vector<std::string> keys_;
    std::string order_;
    Rows rows_;
    std::deque<std::vector<Cell>> merged_;
};

} // namespace

class TestTracelensSheets : public QObject {
    Q_OBJECT
    SharedAnalyses analyses_;

    /// Prints N of M by column; the sum.
    Tally compare(const std::string& set, const Sheet& sheet, std::vector<std::string> keys, const std::string& order,
                  bool show, std::string theirs = {}) {
        if (theirs.empty())
            theirs = sheet.name;
        const std::string file = kShared + "/oracle/tracelens/" + set + "/" + theirs + ".csv";
        SheetComparison comparison(sheet, std::move(keys), order);
        comparison.add(file);
        Tally sum;
        for (const auto& [column, tally] : comparison.tallies) {
            std::printf("%s %s %s: %d of %d\n", set.c_str(), sheet.name.c_str(), column.c_str(), tally.agree,
                        tally.total);
            sum.agree += tally.agree;
            sum.total += tally.total;
        }
        std::string without;
        for (const std::string& column : comparison.without_counterpart)
            without += (without.empty() ? "" : ", ") + column;
        std::printf("%s %s: %d of %d values agree; no column for: %s\n", set.c_str(), sheet.name.c_str(), sum.agree,
                    sum.total, without.c_str());
        if (show)
            for (const std::string& example : comparison.examples)
                std::printf("  %s\n", example.c_str());
        std::fflush(stdout);
        return sum;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/oracle"))
            QSKIP("skipped: no shared traces");
    }

    void sheetsAgreeWithTraceLens_data() {
        QTest::addColumn<QString>("set");
        QTest::addColumn<QString>("trace");
        QTest::newRow("vllm") << "vllm_decode_full"
                              << "vllm_decode_full";
        QTest::newRow("resnet") << "resnet_act_checkpoint.default"
                                << "resnet_mi300_1of8";
        QTest::newRow("a100") << "a100_nccl_data"
                              << "nccl_a100";
    }
    void sheetsAgreeWithTraceLens() {
        QFETCH(QString, set);
        QFETCH(QString, trace);
        const RunAnalysis* analysis = analyses_.of(trace.toStdString());
        QVERIFY(analysis != nullptr);
        AnalysedRun run;
        run.label = "run";
        run.analysis = std::make_shared<const RunAnalysis>(analysis->run_pointer(), Selection{});
        const std::vector<AnalysedRun> runs{run};
        const bool show = qEnvironmentVariableIsSet("RANKSCOPE_SHOW_DIFFERENCES");
        const std::string name = set.toStdString();
        const bool modules = set == u"vllm_decode_full";
        const auto keys = [&](std::vector<std::string> columns) {
            if (modules)
                columns.emplace_back("parent_module");
            return columns;
        };
        // TraceLens knows no threads where it put operators of a capture below the launch.
        const auto by_thread = [&](std::vector<std::string> columns) {
            if (!modules)
                columns.emplace_back("thread_name");
            return columns;
        };
        std::map<std::string, Tally> sums;
        sums["ops_summary"] =
            compare(name, ops_summary_sheet(runs), keys({"name"}), "total_direct_kernel_time_sum", show);
        sums["ops_summary_by_category"] = compare(name, ops_summary_by_category_sheet(runs), keys({"op category"}),
                                                  "total_direct_kernel_time_ms", show);
        sums["ops_unique_args"] =
            compare(name, ops_unique_args_sheet(runs),
                    keys(by_thread({"name", "Input Dims", "Input type", "Input Strides", "Concrete Inputs"})),
                    "total_direct_kernel_time_sum", show);
        sums["unified_perf_summary"] =
            compare(name, unified_perf_summary_sheet(runs),
                    by_thread({"name", "Input Dims", "Input type", "Input Strides", "Concrete Inputs"}),
                    "Kernel Time (\u00b5s)_sum", show);
        if (!modules)
            sums["kernel_summary"] = compare(name, kernel_summary_sheet(runs), {"Parent cpu_op", "Kernel name"},
                                             "Kernel duration (\u00b5s)_sum", show);
        const std::vector<Sheet> of_operators = operator_sheets(runs);
        for (const std::string file : {"GEMM", "CONV_fwd", "CONV_bwd", "Normalization", "RMSNorm_fwd", "Reduce_fwd",
                                       "UnaryElementwise", "BinaryElementwise", "InferenceAttention_fwd"}) {
            if (!std::filesystem::exists(kShared + "/oracle/tracelens/" + name + "/" + file + ".csv"))
                continue;
            const auto sheet = std::ranges::find(of_operators, file, &Sheet::name);
            QVERIFY2(sheet != of_operators.end(), file.c_str());
            sums[file] = compare(name, *sheet, {"name", "Input Dims_first", "Input type_first", "Input Strides_first"},
                                 "Kernel Time (\u00b5s)_sum", show);
        }
        if (!modules) {
            const Sheet collectives = long_collectives_sheet(runs);
            sums["coll_analysis"] =
                compare(name, collectives, {"Collective name", "dtype"}, "dur_sum", show, "coll_analysis");
            // Of a group that is not known no size is said.
            for (const auto& row : collectives.rows)
                QVERIFY(!std::holds_alternative<double>(row[4]) || std::get<double>(row[4]) > 0);
            sums["short_kernels_summary"] =
                name == "a100_nccl_data"
                    ? Tally{}
                    : compare(name, short_kernels_summary_sheet(runs),
                              {"Parent cpu_op", "Input dims", "Input strides", "Concrete Inputs", "Kernel name"},
                              "Short Kernel duration (\u00b5s) sum", show);
        }
        const std::string bins_file = kShared + "/oracle/tracelens/" + name + "/short_kernel_histogram.csv";
        if (std::filesystem::exists(bins_file)) {
            const Sheet histogram = short_kernel_histogram_sheet(runs);
            const std::vector<CsvRow> bins = read_csv(bins_file);
            QCOMPARE(histogram.rows.size(), bins.size());
            for (std::size_t i = 0; i < bins.size(); ++i)
                QCOMPARE(std::get<double>(histogram.rows[i][3]), number(bins[i].at("count")));
        }
        // More is welcome; tests/data/differences.md says why the others differ.
        static const std::map<std::string, std::map<std::string, int>> kAgree{{"vllm_decode_full",
                                                                               {{"ops_summary", 160},
                                                                                {"ops_summary_by_category", 48},
                                                                                {"ops_unique_args", 624},
                                                                                {"unified_perf_summary", 724},
                                                                                {"GEMM", 285},
                                                                                {"RMSNorm_fwd", 99},
                                                                                {"UnaryElementwise", 217},
                                                                                {"InferenceAttention_fwd", 86}}},
                                                                              {"resnet_act_checkpoint.default",
                                                                               {{"ops_summary", 152},
                                                                                {"ops_summary_by_category", 26},
                                                                                {"ops_unique_args", 2560},
                                                                                {"unified_perf_summary", 4271},
                                                                                {"kernel_summary", 1217},
                                                                                {"GEMM", 111},
                                                                                {"CONV_fwd", 393},
                                                                                {"CONV_bwd", 349},
                                                                                {"Normalization", 527},
                                                                                {"Reduce_fwd", 80},
                                                                                {"UnaryElementwise", 722},
                                                                                {"BinaryElementwise", 935},
                                                                                {"coll_analysis", 76},
                                                                                {"short_kernels_summary", 1233}}},
                                                                              {"a100_nccl_data",
                                                                               {{"ops_summary", 207},
                                                                                {"ops_summary_by_category", 45},
                                                                                {"ops_unique_args", 584},
                                                                                {"unified_perf_summary", 1055},
                                                                                {"kernel_summary", 790},
                                                                                {"Reduce_fwd", 43},
                                                                                {"coll_analysis", 133}}}};
        for (const auto& [sheet, agree] : kAgree.at(name))
            QVERIFY2(sums[sheet].agree >= agree, (sheet + ": " + std::to_string(sums[sheet].agree)).c_str());
    }

    void sheetsOfXlaAgreeWithTraceLens() {
        const RunAnalysis* analysis = analyses_.of("xplane/jax_conv_minimal");
        QVERIFY(analysis != nullptr);
        AnalysedRun run;
        run.label = "run";
        run.analysis = std::make_shared<const RunAnalysis>(analysis->run_pointer(), Selection{});
        const std::vector<Sheet> sheets = xla_sheets(std::vector<AnalysedRun>{run});
        const bool show = qEnvironmentVariableIsSet("RANKSCOPE_SHOW_DIFFERENCES");
        struct Expected {
            const char* sheet;
            std::vector<std::string> keys;
            const char* order;
            int agree, total;
        };
        const std::vector<std::string> inputs{"name", "Input Dims", "Input type"};
        for (const Expected& of : std::vector<Expected>{
                 {"gpu_events_averages", {"type"}, "time ms", 24, 24},
                 {"kernel_launchers", inputs, "total_direct_kernel_time", 175, 175},
                 {"kernel_launchers_summary", {"name"}, "total_direct_kernel_time_sum", 35, 35},
                 {"kernel_launchers_summary_by_cat", {"op category"}, "total_direct_kernel_time_ms", 12, 12},
                 {"kernel_launchers_unique_args", inputs, "total_direct_kernel_time_sum", 60, 60},
                 {"xla_summary", {"name"}, "total_direct_kernel_time_sum", 21, 21},
                 {"op_conv", {"name", "Input Dims_first"}, "Kernel Time (\u00b5s)_sum", 22, 36}}) {
            const auto sheet = std::ranges::find(sheets, std::string_view(of.sheet), &Sheet::name);
            QVERIFY2(sheet != sheets.end(), of.sheet);
            const bool cut = sheet->name.ends_with("_by_cat");
            const Tally tally = compare("jax_conv_minimal", *sheet, of.keys, of.order, show,
                                        cut ? sheet->name + "egory" : std::string());
            QVERIFY2(tally.agree >= of.agree, of.sheet);
            QCOMPARE(tally.total, of.total);
        }
        QVERIFY(xla_sheets({}).empty());
    }

    void categoriesOfXlaKernels() {
        QCOMPARE(xla_category("Cijk_Ailk_Bljk_BBS", "dot.1", false), std::string_view("GEMM"));
        QCOMPARE(xla_category("Cijk_Ailk_Bljk_BBS", "cudnn-conv.2", false), std::string_view("Conv"));
        QCOMPARE(xla_category("loop_convert_fusion", "loop_convert_fusion", false),
                 std::string_view("Uncategorized Events/XLA"));
        QCOMPARE(xla_category("ncclDevKernel_AllReduce", "all-reduce.1", true),
                 std::string_view("Communication rccl/nccl"));
        QCOMPARE(xla_category("_ZN5aiter13fmha_bwd_hd64", "custom-call.3", false), std::string_view("FA BWD"));
    }
};

RANKSCOPE_TEST(TestTracelensSheets)

} // namespace rankscope::tracelens_sheets_test

#include "test_tracelens_sheets.moc"
