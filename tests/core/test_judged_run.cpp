// SPDX-License-Identifier: GPL-3.0-or-later
// What is not recorded is not judged: work from before the recording, members without a trace, files that end early,
// and GPUs that nothing is known of.
#include <QtTest>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/selection/selection.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::judged_run_test {

namespace {

const Finding* finding(const RunAnalysis& analysis, std::string_view code) {
    const auto& list = analysis.findings().list;
    const auto found = std::ranges::find(list, code, &Finding::code);
    return found == list.end() ? nullptr : &*found;
}

std::string all_titles(const RunAnalysis& analysis) {
    std::string text = analysis.findings().summary;
    for (const Finding& f : analysis.findings().list)
        text += '\n' + f.title;
    return text;
}

CollectiveCall all_reduce(std::vector<int> ranks) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = call.out_elements = 8'000'000;
    call.group = {"0", "default_pg", std::move(ranks), 0};
    return call;
}

/// Ten steps of 1000 us: 500 of computation, then an all-reduce that ends for all at 900. Computation of the rank that
/// is late takes longer.
TraceBuilder member(int rank, double late, const std::vector<int>& group, int first_late_step = 1) {
    TraceBuilder trace(rank);
    for (int step = 1; step <= 10; ++step) {
        const double start = 1000.0 * (step - 1);
        const double work = 500 + (step >= first_late_step ? late : 0);
        trace.step(step, start, 1000)
            .launch(start + 1, 2)
            .kernel("gemm", 7, start + 10, work)
            .launch(start + 4, 2)
            .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work, 890 - work,
                        all_reduce(group));
    }
    return trace;
}

} // namespace

class TestJudgedRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What was launched before the recording runs inside the first steps of the host, and belongs to none of them.
    void workFromBeforeTheRecordingBelongsToNoStep() {
        const auto rank = TraceBuilder(0)
                              .step(1, 0, 100)
                              .kernel("before", 7, 10, 40)
                              .launch(5, 2)
                              .kernel("own", 7, 60, 20)
                              .step(2, 100, 100)
                              .kernel("lost its launch", 7, 110, 20)
                              .kernel("of a stream without launches", 8, 120, 20)
                              .build();
        const WorkSteps steps(*rank);
        std::map<std::string, std::int64_t> numbers;
        for (EventIndex i = 0; i < rank->events.gpu_count; ++i) {
            const ProfilerStep* step = steps.of(i);
            numbers[std::string(rank->event_name(i))] = step == nullptr ? -1 : step->number;
        }
        QCOMPARE(numbers["before"], -1);
        QCOMPARE(numbers["own"], 1);
        QCOMPARE(numbers["lost its launch"], 2);
        QCOMPARE(numbers["of a stream without launches"], 2);
    }

    /// Work of another step that runs meanwhile keeps the GPU busy, though it is not selected.
    void aGpuThatWorksOnWhatIsNotSelectedIsNotIdle() {
        const auto rank = TraceBuilder(0)
                              .step(1, 0, 100)
                              .launch(1, 1)
                              .kernel("long", 8, 50, 140)
                              .step(2, 100, 100)
                              .launch(101, 1)
                              .kernel("short", 7, 105, 10);
        const RunAnalysis analysis(make_run({rank}), Selection{std::nullopt, {{2, 2}}});
        const Finding* idle = finding(analysis, "gpu_idle");
        QVERIFY2(idle == nullptr || idle->share < 0.2, all_titles(analysis).c_str());
    }

    /// Launched at 1, and nothing recorded until 800: what the GPU did then is not known.
    void launchedWorkThatWaitsIsTold() {
        const auto rank = TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 800, 200);
        const RunAnalysis analysis(make_run({rank}), {});
        const Finding* idle = finding(analysis, "gpu_idle");
        QVERIFY(idle != nullptr);
        QVERIFY2(idle->title.starts_with("No work is recorded on the GPU for 80 % of the time, though launched work "
                                         "waits in most of it."),
                 idle->title.c_str());
        // A host that launches late leaves the GPU idle.
        const auto late =
            TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 4, 96).launch(790, 2).kernel("gemm", 7, 800, 200);
        const RunAnalysis waits(make_run({late}), {});
        QVERIFY2(all_titles(waits).find("is recorded on the GPU") == std::string::npos, all_titles(waits).c_str());
    }

    /// Rank 2 comes last from step 6 on, and is not traced: the link between the others is not slow.
    void aMemberWithoutATraceIsNoSlowLink() {
        const std::vector<int> group{0, 1, 2};
        auto all = {member(0, 0, group), member(1, 0, group), member(2, 300, group, 6)};
        const auto run = make_run(all);
        const RunAnalysis whole(run, {});
        QVERIFY(fully_traced(*run, whole.collectives())[0]);
        const auto two = make_run({member(0, 0, group), member(1, 0, group)});
        const RunAnalysis rest(two, {});
        QVERIFY(!fully_traced(*two, rest.collectives())[0]);
        QVERIFY(!rest.findings().judged.links);
        QVERIFY2(finding(rest, "slow_link") == nullptr, all_titles(rest).c_str());
    }

    /// Rank 2 seems to do more than the others, but its file ends early.
    void aRankWhoseFileEndsEarlyIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const RunAnalysis whole(make_run({member(0, 0, group), member(1, 0, group), member(2, 200, group)}), {});
        QVERIFY2(finding(whole, "straggler") != nullptr, all_titles(whole).c_str());
        auto cut = member(2, 200, group);
        cut.notice({"truncated_file", "the end is missing", "rank2.json", 1});
        const RunAnalysis rest(make_run({member(0, 0, group), member(1, 0, group), cut}), {});
        QVERIFY2(finding(rest, "straggler") == nullptr, all_titles(rest).c_str());
        QVERIFY(!rest.late_rank());
        const auto& reasons = rest.findings().judged.not_judged;
        QVERIFY(!reasons.empty());
        QCOMPARE(reasons.front(), std::string("The file of rank 2 ends early: what it does is not judged."));
        QVERIFY(rest.findings().summary.ends_with(reasons.front()));
        // Evidence still points at the right ranks.
        auto first = member(0, 0, group);
        first.notice({"truncated_file", "the end is missing", "rank0.json", 1});
        const RunAnalysis others(make_run({first, member(1, 0, group), member(2, 0, group), member(3, 200, {1, 2, 3})}),
                                 {});
        for (const Finding& f : others.findings().list)
            for (const FindingEvent& event : f.events)
                QVERIFY(event.rank > 0 && event.event < others.run().ranks[event.rank]->events.size());
    }

    void aRankWithoutGpuWorkIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const RunAnalysis analysis(
            make_run({member(0, 0, group), member(1, 0, group), TraceBuilder(2).cpu_op("aten::add", 0, 10)}), {});
        const auto& reasons = analysis.findings().judged.not_judged;
        QVERIFY(!reasons.empty());
        QCOMPARE(reasons.front(), std::string("No GPU work is recorded of rank 2: what it does is not judged."));
    }

    /// Without a recorded launch nobody knows what a stream waited for.
    void idleCausesNeedLaunches() {
        const RunAnalysis analysis(make_run({TraceBuilder(0).kernel("a", 7, 0, 10).kernel("b", 7, 100, 10)}), {});
        const MetricReport report = compute_metrics(analysis, std::vector<std::string>{"idle_causes"});
        QVERIFY(!report.entries.front().result.available);
    }
};

RANKSCOPE_TEST(TestJudgedRun)

} // namespace rankscope::judged_run_test

#include "test_judged_run.moc"
