// SPDX-License-Identifier: GPL-3.0-or-later
// Modules and operators nested tens of thousands deep: no stack is used by the depth of data, and no path is copied for
// each row.
#include <QtTest>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "core/analysis/operators/modules.h"
#include "core/base/temporary_folder.h"
#include "core/compare/module_comparison.h"
#include "core/input/kineto/kineto_reader.h"
#include "core/run/run_analysis.h"
#include "core/views/operator_tree.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::deep_nesting_test {

namespace {

constexpr int kDeep = 40'000;

/// Each around the next, and a launch inside each.
std::shared_ptr<const Run> nested(EventKind kind) {
    TraceBuilder rank(0);
    for (int i = 0; i < kDeep; ++i) {
        const std::string name = kind == EventKind::python ? fmt::format("nn.Module: M_{}", i) : "aten::op";
        rank.event(kind, name, TraceBuilder::kProcess, TraceBuilder::kMainThread, i, 4.0 * kDeep - 2 * i);
        rank.launch(i + 0.25, 0.5).kernel("k", 7, 5.0 * kDeep + 2 * i, 1);
    }
    return make_run({rank});
}

} // namespace

class TestDeepNesting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The modules below the 256th are part of it: 40 000 kernels of 1 us, 255 of which others launched.
    void modules() {
        const auto run = nested(EventKind::python);
        const RunAnalysis analysis(run, {});
        const std::vector<ModuleRow>& modules = analysis.modules().modules;
        QCOMPARE(modules.size(), kDeepestModule);
        QCOMPARE(modules.front().total, TimeNs{1000} * kDeep);
        QCOMPARE(modules.back().self, TimeNs{1000} * (kDeep - 255));
        QCOMPARE(modules.back().depth, kDeepestModule);
        QVERIFY(module_path(modules, 1) == "M_0 > M_1");
        QVERIFY(module_path(modules, 255).size() < 5000);
        const auto changes = compare_modules(analysis.modules(), 1, analysis.modules(), 1);
        QCOMPARE(changes.size(), kDeepestModule);
        QCOMPARE(changes.back().parent, kDeepestModule - 2);
    }

    /// Names of 60 KB at each level would be gigabytes if each row had its path.
    void pathsOfLongNamesAreShortened() {
        std::vector<ModuleRow> rows;
        for (std::size_t i = 0; i < kDeepestModule; ++i)
            rows.push_back({std::string(60'000, 'x'), i == 0 ? kNoModule : i - 1, i + 1});
        QVERIFY(module_path(rows, rows.size() - 1).size() < 61'000);
    }

    /// Values of a header that nest 200 000 levels deep: a notice, and the events.
    void headers() {
        const TemporaryFolder folder("rankscope-test");
        const std::string lists = std::string(200'000, '[') + std::string(200'000, ']');
        std::string objects;
        for (int i = 0; i < 200'000; ++i)
            objects += "{\"a\":";
        objects += '1' + std::string(200'000, '}');
        const auto path = folder.path() / "rank0_trace.json";
        std::ofstream(path)
            << R"({"deviceProperties":[{"id":0,"name":)" << lists << R"(}],"settings":)" << objects
            << R"(,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]})";
        const auto rank = read_kineto(path, std::make_shared<StringTable>(), {});
        QVERIFY(rank);
        QCOMPARE((*rank)->events.size(), EventIndex{1});
        QVERIFY(std::ranges::any_of((*rank)->notices,
                                    [](const Notice& notice) { return notice.code == "damaged_header"; }));
    }

    void operators() {
        const auto run = nested(EventKind::cpu_op);
        const RunAnalysis analysis(run, {});
        QVERIFY(!analysis.operators().empty());
        QCOMPARE(analysis.critical_paths().empty(), false);
        const OperatorTree tree = operator_tree(analysis, {}, {});
        QCOMPARE(operator_totals(*run->names, tree).front().calls, std::int64_t{kDeep});
    }
};

RANKSCOPE_TEST(TestDeepNesting)

} // namespace rankscope::deep_nesting_test

#include "test_deep_nesting.moc"
