// SPDX-License-Identifier: GPL-3.0-or-later
// Threads number the names of a run in an order that differs from time to time. No file that is written may show it.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/input/load/load_run.h"
#include "core/report/collectives_csv.h"
#include "core/report/critical_path_csv.h"
#include "core/report/findings_csv.h"
#include "core/report/html_report.h"
#include "core/report/json_report.h"
#include "core/report/metrics_csv.h"
#include "core/report/nsys_csv.h"
#include "core/report/operator_diff_csv.h"
#include "core/report/rank_csv.h"
#include "core/report/rccl_sheets.h"
#include "core/report/run_sheets.h"
#include "core/report/traffic_csv.h"
#include "core/report/xlsx.h"
#include "tests/support/test_program.h"

namespace rankscope::name_order_test {

namespace {

AnalysedRun analysed(const std::string& path, std::shared_ptr<StringTable> names) {
    LoadOptions options;
    options.jobs = 1;
    options.names = std::move(names);
    AnalysedRun result;
    const auto run = load_run(path, options);
    if (!run)
        return result;
    result.notices = (*run)->notices;
    result.analysis = std::make_shared<RunAnalysis>(*run, Selection{});
    result.metrics = compute_metrics(*result.analysis);
    return result;
}

std::vector<std::pair<std::string, std::string>> documents(std::span<const AnalysedRun> runs, const QString& folder) {
    std::vector<std::pair<std::string, std::string>> all{
        {"metrics.csv", metrics_csv(runs)},
        {"ranks.csv", ranks_csv(runs)},
        {"iterations.csv", iterations_csv(runs)},
        {"collectives.csv", collectives_csv(runs)},
        {"kernels.csv", kernels_csv(runs, {})},
        {"breakdown.csv", breakdown_csv(runs)},
        {"traffic.csv", traffic_csv(runs)},
        {"findings.csv", findings_csv(runs)},
        {"critical_path.csv", critical_path_csv(runs)},
        {"nsys_trace.csv", nsys_trace_csv(runs)},
        {"nsys_sum.csv", nsys_sum_csv(runs)},
        {"metrics.json", metrics_json(runs, {})},
        {"report.html", html_report(runs, {})},
    };
    const auto add_workbook = [&](const char* name, const std::vector<Sheet>& sheets) {
        const std::filesystem::path path = folder.toStdString() + "/book.xlsx";
        QFile file(QString::fromStdString(path.string()));
        const bool written = write_workbook(path, sheets) && file.open(QIODevice::ReadOnly);
        all.emplace_back(name, written ? file.readAll().toStdString() : std::string());
    };
    add_workbook("report.xlsx", run_sheets(runs));
    if (runs.size() > 1) {
        all.emplace_back("ops_diff.csv", operator_diff_csv(runs));
        add_workbook("final_analysis_report.xlsx", comparison_sheets(runs));
    }
    return all;
}

/// Names in the opposite order of those the table has.
std::shared_ptr<StringTable> reversed(const StringTable& names) {
    auto result = std::make_shared<StringTable>();
    for (std::size_t id = names.size(); id-- > 0;)
        result->intern(names.view(static_cast<NameId>(id)));
    return result;
}

} // namespace

class TestNameOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesDoNotShowIt_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("beside"); // the run it is compared with
        for (const char* trace : {"dlrm_v100_8rank", "amd_mi250", "nccl_a100", "derived_sendrecv_4rank",
                                  "sglang_decode", "operations_st", "flight_recorder/lock_gil_1st",
                                  "xplane/jax_conv_minimal", "resnet_v100_ns", "collective_cases/c1_all_kinds_4r",
                                  "faults/healthy_zero_bubble", "nsys/nsys_2025_graph.sqlite", "vllm_decode_full"})
            QTest::newRow(trace) << QString::fromLatin1(trace) << QString();
        QTest::newRow("rccl_demo") << QStringLiteral("rccl_demo/37cu_384threads")
                                   << QStringLiteral("rccl_demo/56cu_256threads");
        QTest::newRow("trace_diff") << QStringLiteral("trace_diff_control") << QStringLiteral("trace_diff_test");
        QTest::newRow("two_h100") << QStringLiteral("nsys/two_h100_before.sqlite")
                                  << QStringLiteral("nsys/two_h100_after.sqlite");
    }
    void filesDoNotShowIt() {
        QFETCH(QString, path);
        QFETCH(QString, beside);
        const std::string traces = RANKSCOPE_SHARED_DIR "/traces/";
        if (!std::filesystem::exists(traces + path.toStdString()))
            QSKIP("skipped: no shared traces");
        const QTemporaryDir folder;
        std::vector<AnalysedRun> runs;
        std::vector<AnalysedRun> others;
        for (const QString& name : {path, beside}) {
            if (name.isEmpty())
                continue;
            runs.push_back(analysed(traces + name.toStdString(), nullptr));
            QVERIFY(runs.back().analysis);
            others.push_back(analysed(traces + name.toStdString(), reversed(*runs.back().run().names)));
            QVERIFY(others.back().analysis);
        }
        relate_runs(runs);
        relate_runs(others);
        const auto expected = documents(runs, folder.path());
        const auto shown = documents(others, folder.path());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto& [name, text] = expected[i];
            QVERIFY2(!text.empty(), name.c_str());
            const auto [at, other] = std::ranges::mismatch(text, shown[i].second);
            if (at == text.end() && other == shown[i].second.end())
                continue;
            const auto place = static_cast<std::size_t>(at - text.begin());
            const std::size_t from = place > 100 ? place - 100 : 0;
            QFAIL(qPrintable(QString::fromStdString(name + "\n  first: " + text.substr(from, 200) +
                                                    "\n  other: " + shown[i].second.substr(from, 200))));
        }
    }
};

RANKSCOPE_TEST(TestNameOrder)

} // namespace rankscope::name_order_test

#include "test_name_order.moc"
