// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths with GPU time, worked out by hand.
#include <algorithm>
#include <optional>

#include <QtTest>

#include "core/views/operator_tree.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::operator_tree_test {

namespace {

/// "path: calls gpu_self gpu_total cpu_self cpu_total" in us, in the order of the tree, depth first.
std::vector<std::string> lines(const Run& run, const OperatorTree& tree) {
    std::vector<std::string> found;
    const auto visit = [&](const auto& self, std::uint32_t n, const std::string& path) -> void {
        const PathNode& node = tree.nodes[n];
        std::string here = path;
        if (n > 0) {
            here += (path.empty() ? "" : "/") + std::string(run.names->view(node.name));
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

std::vector<std::string> lines(const RunAnalysis& analysis, RankChoice rank = {}, PathParts parts = {}) {
    return lines(analysis.run(), operator_tree(analysis, rank, parts));
}

std::vector<std::string> lines(const Run& run, const PathScope& scope, PathParts parts = {}) {
    return lines(run, operator_tree(run, scope, parts));
}

/// The first of that name, by lane, then by depth.
EventPlace slice_of(const Run& run, std::string_view name) {
    const RankTrace& trace = *run.ranks[0];
    for (EventIndex i = 0; i < trace.events.size(); ++i)
        if (trace.event_name(i) == name)
            return {0, i};
    return {};
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
        // From 1 to 35 us: 19 of the 20 us of linear, 10 of them in addmm; of gemm (30 to 40) the first 5.
        const auto cut = lines(analysed({rank}, {TimeRange{1'000, 35'000}, {}}));
        const std::vector<std::string> expected{"linear: 1 0 5 9 19", "linear/addmm: 1 5 5 10 10",
                                                "linear/addmm/gemm: 1 5 5 0 0"};
        QCOMPARE(cut, expected);
    }

    void aSliceHasWhatItContainsAndLaunched() {
        TraceBuilder rank(0);
        rank.annotation("forward", 0, 40);
        const auto run = make_run({linear(rank, 1, 10)});
        const std::vector<std::string> op{"addmm: 1 10 10 10 10", "addmm/gemm: 1 10 10 0 0"};
        QCOMPARE(lines(*run, scope_of_slice(*run, slice_of(*run, "addmm"))), op);
        // Python functions and annotations start a path too, whatever parts are asked for.
        QCOMPARE(lines(*run, scope_of_slice(*run, slice_of(*run, "forward")), {false, false}),
                 (std::vector<std::string>{
                     "forward: 1 0 15 20 40", "forward/linear: 1 5 15 10 20", "forward/linear/addmm: 1 10 10 10 10",
                     "forward/linear/addmm/gemm: 1 10 10 0 0", "forward/linear/bias: 1 5 5 0 0"}));
        // The call that launched bias is no operator: its kernel is below it all the same.
        QCOMPARE(lines(*run, scope_of_slice(*run, slice_of(*run, "cudaLaunchKernel"))),
                 (std::vector<std::string>{"cudaLaunchKernel: 1 5 5 2 2", "cudaLaunchKernel/bias: 1 5 5 0 0"}));
    }

    void gpuWorkHasItsWholePath() {
        TraceBuilder rank(0);
        rank.annotation("forward", 0, 40);
        linear(rank, 1, 10).kernel("stray", 7, 80, 3);
        const auto run = make_run({rank});
        QCOMPARE(
            lines(*run, scope_of_slice(*run, slice_of(*run, "gemm"))),
            (std::vector<std::string>{"forward: 0 0 10 0 0", "forward/linear: 0 0 10 0 0",
                                      "forward/linear/addmm: 0 10 10 0 0", "forward/linear/addmm/gemm: 1 10 10 0 0"}));
        const OperatorTree stray = operator_tree(*run, scope_of_slice(*run, slice_of(*run, "stray")), {});
        QCOMPARE(stray.unattributed, TimeNs{3'000});
        QCOMPARE(stray.nodes.size(), std::size_t{1});
    }

    void allOfANameCountOnce() {
        // to (0 to 10) calls to (1 to 5), which launches copy; later to (20 to 24) alone. The second rank has one more.
        TraceBuilder first(0);
        first.cpu_op("to", 0, 10).cpu_op("to", 1, 4).launch(2, 1).kernel("copy", 7, 10, 6).cpu_op("to", 20, 4);
        TraceBuilder second(1);
        second.cpu_op("to", 0, 3).launch(1, 1).kernel("copy", 7, 5, 2);
        const auto run = make_run({first, second});
        const EventPlace slice = slice_of(*run, "to");
        QCOMPARE(lines(*run, scope_of_name(*run, slice, 0)),
                 (std::vector<std::string>{"to: 2 0 6 10 14", "to/to: 1 6 6 4 4", "to/to/copy: 1 6 6 0 0"}));
        QCOMPARE(lines(*run, scope_of_name(*run, slice, {}))[0], std::string("to: 3 2 8 13 17"));
        QCOMPARE(lines(*run, scope_of_name(*run, slice_of(*run, "copy"), {})),
                 (std::vector<std::string>{"to: 0 2 8 0 0", "to/to: 0 6 6 0 0", "to/to/copy: 1 6 6 0 0",
                                           "to/copy: 1 2 2 0 0"}));
    }

    void whatIsChosenTwiceCountsOnce() {
        TraceBuilder rank(0);
        const auto run = make_run({linear(rank, 0, 10)});
        PathScope both = scope_of_slice(*run, slice_of(*run, "gemm"));
        both.events[0].push_back(slice_of(*run, "addmm").event);
        QCOMPARE(lines(*run, both), (std::vector<std::string>{"addmm: 1 10 10 10 10", "addmm/gemm: 1 10 10 0 0"}));
        both.events[0] = {slice_of(*run, "gemm").event, slice_of(*run, "bias").event, slice_of(*run, "addmm").event};
        std::ranges::sort(both.events[0]);
        QCOMPARE(lines(*run, both), (std::vector<std::string>{"addmm: 1 10 10 10 10", "addmm/gemm: 1 10 10 0 0",
                                                              "linear: 0 5 5 0 0", "linear/bias: 1 5 5 0 0"}));
    }

    void aStepHasAllThreadsAndWhatWasLaunchedInIt() {
        TraceBuilder rank(0);
        rank.step(1, 0, 100).step(2, 100, 100);
        linear(linear(rank, 0, 10), 100, 20);
        rank.cpu_op("backward", 150, 5, TraceBuilder::kAutogradThread)
            .launch(151, 1, "cudaLaunchKernel", TraceBuilder::kAutogradThread)
            .kernel("dgrad", 7, 210, 8); // after the step's end, launched in it
        const auto run = make_run({rank});
        const auto step = step_of_slice(*run, slice_of(*run, "dgrad"));
        QCOMPARE(step, std::optional<std::int64_t>(2));
        const auto found = lines(*run, scope_of_step(*step, {}));
        QCOMPARE(found[0], std::string("linear: 1 5 25 10 20"));
        QCOMPARE(found[4], std::string("backward: 1 8 8 5 5"));
        TraceBuilder without(0);
        QVERIFY(!step_of_slice(*make_run({linear(without, 0, 10)}), {0, 0}));
    }

    void aRangeCutsCallsAndGpuWork() {
        TraceBuilder rank(3);
        rank.base(1'700'000'000'000'000'000);
        const auto run = make_run({linear(rank, 0, 10)});
        // 8 to 32 us: 12 of linear (8 to 20), 4 of them in addmm (to 12); 2 of gemm (from 30).
        const TimeNs start = run->span.begin;
        QCOMPARE(lines(*run, scope_of_range(*run, {start + 8'000, start + 32'000}, {})),
                 (std::vector<std::string>{"linear: 1 0 2 8 12", "linear/addmm: 1 2 2 4 4",
                                           "linear/addmm/gemm: 1 2 2 0 0"}));
    }

    void slicesWithoutCallsStandForTheirTime() {
        TraceBuilder rank(0);
        linear(rank, 0, 10).gpu_annotation("forward", 7, 30, 5);
        const auto run = make_run({rank});
        const PathScope scope = scope_of_slice(*run, slice_of(*run, "forward"));
        QCOMPARE(scope.rank, RankChoice(0));
        QCOMPARE(lines(*run, scope), (std::vector<std::string>{"linear: 0 0 5 0 0", "linear/addmm: 0 5 5 0 0",
                                                               "linear/addmm/gemm: 1 5 5 0 0"}));
    }

    void modulesAreThePythonFramesThatNameThem() {
        TraceBuilder rank(0);
        rank.python("nn.Module: Block_0", 0, 40).python("model.py(3): forward", 0, 35);
        linear(rank, 1, 10);
        const RunAnalysis analysis = analysed({rank});
        QCOMPARE(lines(analysis, {}, {true, false, true})[1], std::string("nn.Module: Block_0/linear: 1 5 15 10 20"));
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
