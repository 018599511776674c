// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths with GPU time, worked out by hand.
#include <optional>

#include <QtTest>

#include "core/views/operator_tree.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::operator_tree_test {

namespace {

/// "path: calls gpu_self gpu_total cpu_self cpu_total" in us, in the order of the tree, depth first.
std::vector<std::string> lines(const RunAnalysis& analysis, RankChoice rank = {}, PathParts parts = {}) {
    const OperatorTree tree = operator_tree(analysis, rank, parts);
    std::vector<std::string> found;
    const auto visit = [&](const auto& self, std::uint32_t n, const std::string& path) -> void {
        const PathNode& node = tree.nodes[n];
        std::string here = path;
        if (n > 0) {
            here += (path.empty() ? "" : "/") + std::string(analysis.run().names->view(node.name));
            std::string text = here + ": " + std::to_string(node.calls);
            for (const TimeNs time : {node.gpu_self, node.gpu_total, node.cpu_self, node.cpu_total})
                text += " " + std::to_string(time / 1000);
            found.push_back(text);
        }
        for (std::uint32_t child = node.first_child; child < node.first_child + node.child_count; ++child) {
            QCOMPARE(tree.nodes[child].parent, n);
            self(self, child, here);
        }
    };
    visit(visit, 0, "");
    return found;
}

RunAnalysis analysed(const std::vector<TraceBuilder>& ranks, const Selection& selection = {}) {
    return {make_run(ranks), selection};
}

/// One step at `at`: linear (0 to 20) calls addmm (2 to 12), which launches gemm; linear itself launches bias.
TraceBuilder& linear(TraceBuilder& rank, double at, double gemm_us) {
    return rank.cpu_op("linear", at, 20)
        .cpu_op("addmm", at + 2, 10)
        .launch(at + 4, 2)
        .kernel("gemm", 7, at + 30, gemm_us)
        .launch(at + 14, 2)
        .kernel("bias", 7, at + 60, 5);
}

} // namespace

class TestOperatorTree : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsOfOnePathAreOneNode() {
        TraceBuilder rank(0);
        rank.step(1, 0, 100).step(2, 100, 100);
        linear(linear(rank, 0, 10), 100, 20);
        // gemm 10 + 20, bias 5 + 5. linear's own host time: 2 x (20 - 10).
        const std::vector<std::string> expected{"linear: 2 10 40 20 40", "linear/addmm: 2 30 30 20 20",
                                                "linear/addmm/gemm: 2 30 30 0 0", "linear/bias: 2 10 10 0 0"};
        QCOMPARE(lines(analysed({rank})), expected);
    }

    void ranksAddUpOrStandAlone() {
        TraceBuilder first(0);
        TraceBuilder second(1);
        linear(first, 0, 10);
        linear(second, 0, 25);
        const RunAnalysis both = analysed({first, second});
        QCOMPARE(lines(both)[0], std::string("linear: 2 10 45 20 40"));
        QCOMPARE(lines(both, 1)[0], std::string("linear: 1 5 30 10 20"));
        const OperatorTree tree = operator_tree(both, {}, {});
        QCOMPARE(tree.nodes[0].gpu_total, TimeNs{45'000});
        QCOMPARE(tree.nodes[0].cpu_total, TimeNs{40'000});
    }

    void annotationsAndPythonStandInThePathWhenAskedFor() {
        TraceBuilder rank(0);
        rank.annotation("forward", 0, 40).python("train.py(7): step", 0, 30);
        linear(rank, 1, 10);
        const RunAnalysis analysis = analysed({rank});
        QCOMPARE(lines(analysis)[1], std::string("forward/linear: 1 5 15 10 20"));
        QCOMPARE(lines(analysis, {}, {false, false})[0], std::string("linear: 1 5 15 10 20"));
        const auto all = lines(analysis, {}, {true, true});
        QCOMPARE(all[0], std::string("forward: 1 0 15 10 40"));
        QCOMPARE(all[1], std::string("forward/train.py(7): step: 1 0 15 10 30"));
        QCOMPARE(all[2], std::string("forward/train.py(7): step/linear: 1 5 15 10 20"));
    }

    void workWithoutAKnownCallerIsCountedBeside() {
        TraceBuilder rank(0);
        linear(rank, 0, 10).kernel("stray", 7, 80, 3).launch(50, 2).kernel("bare", 7, 90, 4);
        const RunAnalysis analysis = analysed({rank});
        const OperatorTree tree = operator_tree(analysis, {}, {});
        QCOMPARE(tree.unattributed, TimeNs{7'000});
        QCOMPARE(tree.nodes[0].gpu_total, TimeNs{15'000});
    }

    void onlyTheSelectionCounts() {
        TraceBuilder rank(0);
        rank.step(1, 0, 100).step(2, 100, 100);
        linear(linear(rank, 0, 10), 100, 20);
        QCOMPARE(lines(analysed({rank}, {std::nullopt, {{2, 2}}}))[0], std::string("linear: 1 5 25 10 20"));
        // From 1 us on: the first call of linear begins before, its addmm inside; gemm is cut to nothing lost, 35 to 40
        // of it stay.
        const auto cut = lines(analysed({rank}, {TimeRange{1'000, 35'000}, {}}));
        const std::vector<std::string> expected{"linear: 0 0 5 0 0", "linear/addmm: 1 5 5 10 10",
                                                "linear/addmm/gemm: 1 5 5 0 0"};
        QCOMPARE(cut, expected);
    }

    void totalsByNameCountWhatCallsItselfOnce() {
        // to (0 to 10) calls to (1 to 5), which launches copy.
        TraceBuilder rank(0);
        rank.cpu_op("to", 0, 10).cpu_op("to", 1, 4).launch(2, 1).kernel("copy", 7, 10, 6).cpu_op("view", 20, 1);
        const RunAnalysis analysis = analysed({rank});
        const auto totals = operator_totals(*analysis.run().names, operator_tree(analysis, {}, {}));
        QCOMPARE(totals.size(), std::size_t{2});
        QCOMPARE(analysis.run().names->view(totals[0].name), std::string_view("to"));
        QCOMPARE(totals[0].calls, std::int64_t{2});
        QCOMPARE(totals[0].gpu_self, TimeNs{6'000});
        QCOMPARE(totals[0].gpu_total, TimeNs{6'000});
        QCOMPARE(totals[0].cpu_self, TimeNs{10'000}); // 6 + 4
        QCOMPARE(totals[0].cpu_total, TimeNs{10'000});
        QCOMPARE(analysis.run().names->view(totals[1].name), std::string_view("view"));
    }

    void aStoppedTreeIsEmpty() {
        TraceBuilder rank(0);
        linear(rank, 0, 10);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(operator_tree(analysed({rank}), {}, {}, stop.get_token()).nodes.empty());
    }
};

RANKSCOPE_TEST(TestOperatorTree)

} // namespace rankscope::operator_tree_test

#include "test_operator_tree.moc"
