// SPDX-License-Identifier: GPL-3.0-or-later
// What is not recorded is not judged: work from before the recording, members without a trace, files that end early,
// and GPUs that nothing is known of.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/gpu/lost_work.h"
#include "core/analysis/selection/selection.h"
#include "core/compare/run_comparison.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::judged_run_test {
using namespace Qt::Literals::StringLiterals;
using namespace std::string_literals;

namespace {

const Finding* finding(const RunAnalysis& analysis, FindingCode code) {
    const auto& list = analysis.findings().list;
    const auto found = std::ranges::find(list, code, &Finding::code);
    return found == list.end() ? nullptr : &*found;
}

std::string all_titles(const RunAnalysis& analysis) {
    std::string text = english(analysis.findings().summary);
    for (const Finding& f : analysis.findings().list)
        text += '\n' + english(f.title);
    return text;
}

CollectiveCall all_reduce(std::vector<int> ranks) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = call.out_elements = 8'000'000;
    call.group = {"0", "default_pg", std::move(ranks), 0};
    return call;
}

/// Ten steps of 1000 us: 500 of computation, then an all-reduce that ends for all at 900; the host waits for it.
/// Computation takes longer in a step by late_us(step).
template <typename LateUs>
TraceBuilder member_late_by(int rank, const std::vector<int>& group, const LateUs& late_us, int first_recorded = 1) {
    TraceBuilder trace(rank);
    for (int step = first_recorded; step <= 10; ++step) {
        const double start = 1000.0 * (step - 1);
        const double work = 500 + late_us(step);
        trace.step(step, start, 1000)
            .launch(start + 1, 2)
            .kernel("gemm", 7, start + 10, work)
            .launch(start + 4, 2)
            .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work, 890 - work, all_reduce(group))
            .runtime("cudaDeviceSynchronize", start + 8, 894);
    }
    return trace;
}

TraceBuilder member(int rank, double late, const std::vector<int>& group, int first_late_step = 1,
                    int first_recorded = 1) {
    return member_late_by(
        rank, group, [&](int step) { return step >= first_late_step ? late : 0; }, first_recorded);
}

/// member(rank, 200, group) without marks of steps.
TraceBuilder late_member_without_steps(int rank, const std::vector<int>& group) {
    TraceBuilder trace(rank);
    for (int step = 0; step < 10; ++step)
        trace.launch(1000.0 * step + 1, 2)
            .kernel("gemm", 7, 1000.0 * step + 10, 700)
            .launch(1000.0 * step + 4, 2)
            .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 1000.0 * step + 710, 190, all_reduce(group));
    return trace;
}

/// Eight ranks and steps. Each rank draws its work of a step between 0.8 and 1.2 of 1000 us, one of them times a
/// factor; an all-reduce of 100 us follows when all have come, and the next step.
struct UnequalInputs {
    std::vector<TraceBuilder> traces;
    double cost_us = 0; ///< a step: the longest work less the mean
};
UnequalInputs unequal_inputs(int slow_rank, double factor) {
    constexpr int kRanks = 8;
    std::vector<int> group(kRanks);
    std::iota(group.begin(), group.end(), 0);
    UnequalInputs run;
    for (const int rank : group)
        run.traces.emplace_back(rank);
    std::mt19937 random(7); // the same numbers everywhere
    double start = 0;
    for (int step = 1; step <= kRanks; ++step) {
        std::vector<double> work;
        for (const int rank : group)
            work.push_back(1000 * (0.8 + 0.4 * static_cast<double>(random() % 1000) / 1000) *
                           (rank == slow_rank ? factor : 1));
        const double longest = std::ranges::max(work);
        const double all_there = start + 10 + longest;
        run.cost_us += (longest - std::accumulate(work.begin(), work.end(), 0.0) / kRanks) / kRanks;
        for (std::size_t r = 0; r < work.size(); ++r)
            run.traces[r]
                .step(step, start, all_there + 110 - start)
                .launch(start + 1, 2)
                .kernel("gemm", 7, start + 10, work[r])
                .launch(start + 4, 2)
                .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work[r],
                            all_there + 100 - (start + 10 + work[r]), all_reduce(group))
                .runtime("cudaDeviceSynchronize", start + 8, all_there + 102 - (start + 8));
        start = all_there + 110;
    }
    return run;
}

} // namespace

class TestJudgedRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Rank 0 was recorded for ten rounds, the others for four of them, and nothing marks steps: its six more rounds
    /// were told as "runs more kernels than its peers". Rank 2 comes 200 us late, and stays the fault.
    void whatALongerRecordingHasMoreOfIsNotJudged() {
        const auto rank = [](int number, int first, int end, double late) {
            TraceBuilder trace(number);
            double start = 100'000.0 * first;
            for (int round = first; round < end; ++round, start += 1000 + 37.0 * (round * round % 11))
                trace.launch(start + 1, 2)
                    .kernel("gemm" + std::to_string(round), 7, start + 10, 500 + late)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 510 + late, 390 - late,
                                all_reduce({0, 1, 2}));
            return trace;
        };
        const auto run_of = [&](int end_of_others) {
            return RunAnalysis(
                make_run({rank(0, 0, 10, 0), rank(1, 0, end_of_others, 0), rank(2, 0, end_of_others, 200)}), {});
        };
        for (const int end : {10, 4}) {
            const RunAnalysis analysis = run_of(end);
            QCOMPARE(analysis.facts().unit, StepAccount::Unit::window);
            const Finding* late = finding(analysis, FindingCode::straggler);
            QVERIFY2(late != nullptr && late->ranks == std::vector<int>{2}, all_titles(analysis).c_str());
            for (const Finding& f : analysis.findings().list)
                QVERIFY2(f.cause != FindingCause::more_kernels, english(f.title).c_str());
            const auto& unjudged = analysis.findings().judged.not_judged;
            QCOMPARE(std::ranges::any_of(
                         unjudged,
                         [](const Message& why) { return english(why).starts_with("Rank 0 took part in more calls"); }),
                     end == 4);
            QCOMPARE(analysis.facts().of_rank(0)->computation_ratio_to_peers.has_value(), end == 10);
        }
    }
    /// Rank 2 is 200 us late in each of ten steps. Rank 1 was recorded from step 5 on: in the steps before, nobody is
    /// seen to wait at the call that lacks a member, and the cost a step stays what it is in the others.
    void stepsThatARankLacksAreNotJudged() {
        const auto run_of = [](int first_recorded) {
            std::vector<TraceBuilder> ranks;
            for (const int rank : {0, 1, 2, 3})
                ranks.push_back(member(rank, rank == 2 ? 200 : 0, {0, 1, 2, 3}, 1, rank == 1 ? first_recorded : 1));
            return RunAnalysis(make_run(ranks), {});
        };
        const RunAnalysis whole = run_of(1);
        const RunAnalysis later = run_of(5);
        QVERIFY(finding(whole, FindingCode::straggler) != nullptr && finding(later, FindingCode::straggler) != nullptr);
        QCOMPARE(finding(later, FindingCode::straggler)->cost, finding(whole, FindingCode::straggler)->cost);
        QCOMPARE(later.facts().steps, std::int64_t{6});
        QVERIFY(all_titles(later).find("Steps 1 to 4 are not recorded on rank 1: they are not judged.") !=
                std::string::npos);
        QVERIFY(all_titles(whole).find("not judged.") == std::string::npos);
    }

    /// Rank 1 lacks steps 1 and 2, rank 3 only step 1: the sentence may not say that both lack both.
    void severalRanksMayLackOtherSteps() {
        std::vector<TraceBuilder> ranks;
        for (const int rank : {0, 1, 2, 3})
            ranks.push_back(member(rank, 0, {0, 1, 2, 3}, 1, rank == 1 ? 3 : rank == 3 ? 2 : 1));
        const UnjudgedSteps steps = unjudged_steps(*make_run(ranks), {});
        QCOMPARE(steps.lacking, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(english(why_not_judged(steps)),
                 std::string("Of steps 1 and 2 some or all are not recorded on ranks 1 and 3: these steps are not "
                             "judged."));
    }

    /// Rank 2 is 300 us late in step 10, and 100 us in the nine others: it costs 300 in that step and 120 on average,
    /// not ten times the average.
    void aStepCostsWhatItIsLongerNotAllSteps() {
        std::vector<TraceBuilder> ranks;
        for (const int rank : {0, 1, 2, 3})
            ranks.push_back(member_late_by(rank, {0, 1, 2, 3}, [&](int step) {
                return rank != 2 ? 0.0 : step == 10 ? 300.0 : 100.0;
            }));
        const std::string said = all_titles(RunAnalysis(make_run(ranks), {}));
        QVERIFY2(said.find("Cost: 300 µs in step 10, 120 µs of ") != std::string::npos, said.c_str());
    }

    /// Rank 1 lacks step 4, in which rank 0 pauses: nobody judges it, but that it takes twice as long is told.
    void theLengthOfAStepThatARankLacksIsTold() {
        const auto said = [](double last_us) {
            std::vector<TraceBuilder> ranks{TraceBuilder(0), TraceBuilder(1)};
            for (int step = 1; step <= 4; ++step)
                ranks[0].step(step, 1000.0 * step, step == 4 ? last_us : 1000);
            for (int step = 1; step <= 3; ++step)
                ranks[1].step(step, 1000.0 * step, 1000);
            return english(why_not_judged(unjudged_steps(*make_run(ranks), {})));
        };
        const std::string lacks = "Step 4 is not recorded on rank 1: it is not judged.";
        QCOMPARE(said(2000), lacks + " Where it is recorded, step 4 takes 2.00 ms.");
        QCOMPARE(said(1050), lacks);
    }

    /// Of both ranks the recorder lost what was launched in one of four steps, so that the GPUs seem to do nothing in
    /// it: the first one, as some versions of PyTorch do, or the last one, whose end the host waited for.
    void stepsOfWhichTheRecorderLostTheWorkAreNotJudged() {
        const auto run_of = [](int lost) {
            std::vector<TraceBuilder> ranks;
            for (const int rank : {0, 1}) {
                TraceBuilder& trace = ranks.emplace_back(rank);
                for (int step = 1; step <= 4; ++step) {
                    const double start = 1000.0 * step;
                    trace.step(step, start, 1000);
                    for (int i = 0; i < 4; ++i)
                        if (step == lost)
                            trace.runtime("cudaLaunchKernel", start + 10 * i, 5).correlation(9000 + i);
                        else
                            trace.launch(start + 10 * i, 5).kernel("gemm", 7, start + 20 + 240 * i, 240);
                    trace.runtime("cudaDeviceSynchronize", start + 50, 940);
                }
            }
            return RunAnalysis(make_run(ranks), {});
        };
        for (const int lost : {1, 4}) {
            const RunAnalysis run = run_of(lost);
            const std::string said = english(run.findings().summary);
            QVERIFY2(said.find("GPU work launched in step " + std::to_string(lost) +
                               " is not recorded: the step is not judged.") != std::string::npos,
                     said.c_str());
            QVERIFY2(said.find("do nothing") == std::string::npos, said.c_str());
            QCOMPARE(launches_without_work(*run.run().ranks[1]), std::int64_t{4});
        }
        QVERIFY(all_titles(run_of(0)).find("not judged") == std::string::npos);
    }

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

    /// Where each rank draws its work anew, some rank is the last in each step. That is nobody's fault, and costs what
    /// the step would be shorter with equal work.
    void unequalInputsAreNobodysFault() {
        const UnequalInputs inputs = unequal_inputs(-1, 1);
        const RunAnalysis analysis(make_run(inputs.traces), {});
        QVERIFY(!analysis.late_rank());
        for (const Finding& f : analysis.findings().list)
            QVERIFY2(f.inherent, english(f.title).c_str());
        const Finding* const uneven = finding(analysis, FindingCode::uneven_work);
        QVERIFY2(uneven != nullptr, all_titles(analysis).c_str());
        QVERIFY2(std::abs(uneven->cost / 1000 - inputs.cost_us) < 0.02 * inputs.cost_us,
                 qPrintable(u"%1, truth %2"_s.arg(uneven->cost / 1000).arg(inputs.cost_us)));
    }
    void aSlowRankStandsOutFromUnequalInputs() {
        const RunAnalysis analysis(make_run(unequal_inputs(5, 1.4).traces), {});
        const Finding* const slow = finding(analysis, FindingCode::straggler);
        QVERIFY2(slow != nullptr, all_titles(analysis).c_str());
        QCOMPARE(slow->ranks, std::vector{5});
    }

    /// Two of four ranks take 1400 instead of 1000 us in every other step: 200 us a step, and no chance.
    void ranksThatAreSlowInEveryOtherStepAreNamed() {
        std::vector<TraceBuilder> traces;
        for (int rank = 0; rank < 4; ++rank) {
            TraceBuilder& trace = traces.emplace_back(rank);
            double start = 0;
            for (int step = 0; step < 8; ++step) {
                const double longest = step % 2 == 0 ? 1400 : 1000;
                const double work = (rank % 2 == 1 ? longest : 1000) + (rank * 5 + step * 3) % 7;
                const double all_there = start + 10 + longest + 7;
                trace.step(step, start, all_there + 110 - start)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, work)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work,
                                all_there + 100 - (start + 10 + work), all_reduce({0, 1, 2, 3}))
                    .runtime("cudaDeviceSynchronize", start + 8, all_there + 102 - (start + 8));
                start = all_there + 110;
            }
        }
        const RunAnalysis analysis(make_run(traces), {});
        const Finding* const slow = finding(analysis, FindingCode::straggler);
        QVERIFY2(slow != nullptr, all_titles(analysis).c_str());
        QCOMPARE(slow->ranks, (std::vector{1, 3}));
        QVERIFY2(std::abs(slow->cost - 200'000) < 8'000, all_titles(analysis).c_str());
        QCOMPARE(slow->iterations.size(), std::size_t{4});
    }

    /// Each step starts with a copy of 100 us, of rank 2 of 600: the others wait 500 us for it. Another copy of rank 2
    /// takes a little less than elsewhere.
    void aRankWithSlowCopiesIsNamed() {
        const auto run = [](std::int64_t bytes_of_slow) {
            std::vector<TraceBuilder> traces;
            for (int rank = 0; rank < 4; ++rank) {
                TraceBuilder& trace = traces.emplace_back(rank);
                for (int step = 0; step < 6; ++step) {
                    const double start = 1300.0 * step;
                    const double copy = rank == 2 ? 600 : 100 + (rank + step) % 3;
                    const double work = start + 10 + copy + 1;
                    trace.step(step, start, 1300)
                        .launch(start + 1, 2)
                        .memory_copy("Memcpy HtoD (Pinned -> Device)", 7, start + 10, copy,
                                     rank == 2 ? bytes_of_slow : 1'000'000)
                        .launch(start + 4, 2)
                        .kernel("gemm", 7, work, 400)
                        .launch(start + 6, 1)
                        .memory_copy("Memcpy DtoD", 7, work + 400, rank == 2 ? 9 : 10, 1000)
                        .launch(start + 7, 2)
                        .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, work + 411,
                                    start + 1132 - (work + 411), all_reduce({0, 1, 2, 3}))
                        .runtime("cudaDeviceSynchronize", start + 10, 1124);
                }
            }
            return make_run(traces);
        };
        const RunAnalysis analysis(run(1'000'000), {});
        const Finding* const slow = finding(analysis, FindingCode::straggler);
        QVERIFY2(slow != nullptr, all_titles(analysis).c_str());
        QCOMPARE(slow->cause, FindingCause::slower_copies);
        QCOMPARE(slow->ranks, std::vector{2});
        QVERIFY2(std::abs(slow->cost - 499'000) < 3'000, all_titles(analysis).c_str());
        const std::string title = english(slow->title);
        QVERIFY2(title.find("its memory copies take 498 µs a step longer than its peers'") != std::string::npos,
                 title.c_str());
        const auto copies = std::ranges::find(slow->facts, FactName::copies, &FindingFact::name);
        QVERIFY(copies != slow->facts.end());
        QCOMPARE(copies->number, 6.0);
        // Copies of more are no slower link.
        const RunAnalysis more(run(6'000'000), {});
        QVERIFY2(all_titles(more).find("its memory copies move 6.00× the bytes of its peers' and take 498 µs a step "
                                       "longer") != std::string::npos,
                 all_titles(more).c_str());
    }

    /// Ranks 2 and 3 start their first step 400 and 300 us late; rank 3 comes last to each call, because it computes
    /// for 150 us longer.
    void ranksThatStartLateAreNotCalledSlower() {
        std::vector<TraceBuilder> traces;
        for (int rank = 0; rank < 4; ++rank) {
            TraceBuilder& trace = traces.emplace_back(rank);
            for (int step = 0; step < 6; ++step) {
                const double late = step > 0 ? 0 : rank == 2 ? 400 : rank == 3 ? 300 : 0;
                const double work = rank == 3 ? 650 : 500 + rank;
                const double start = 1100.0 * step + late;
                const double end = 1100.0 * step + 1080;
                trace.step(step, start, 1100.0 * (step + 1) - start)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, work)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work,
                                end - (start + 10 + work), all_reduce({0, 1, 2, 3}))
                    .runtime("cudaDeviceSynchronize", start + 8, end + 2 - (start + 8));
            }
        }
        const RunAnalysis analysis(make_run(traces), {});
        const auto& list = analysis.findings().list;
        const auto late = std::ranges::find(list, FindingCause::late_start, &Finding::cause);
        QVERIFY2(late != list.end(), all_titles(analysis).c_str());
        QVERIFY2(english(late->title)
                     .starts_with("The recordings of the ranks start at different times, and their first steps with "
                                  "them: that of rank 2 starts 400 µs "
                                  "after its peers'"),
                 english(late->title).c_str());
    }

    /// Rank 2 also waits for its first kernel, and launches the second one 52 us after that has ended. The wait at the
    /// end of the step is everybody's, though it is the rank's second.
    void theWaitThatPeersDoNotHaveIsTheOneInBetween() {
        std::vector<TraceBuilder> traces;
        for (int rank = 0; rank < 4; ++rank) {
            TraceBuilder& trace = traces.emplace_back(rank);
            for (int step = 0; step < 6; ++step) {
                const double start = 720.0 * step;
                const bool waits = rank == 2;
                const double launch = waits ? 260 : 52;
                const double second = waits ? 266 : 211;
                trace.step(step, start, 716).launch(start + 1, 2).kernel("gemm_a", 7, start + 10, 200);
                if (waits)
                    trace.runtime("cudaStreamSynchronize", start + 4, 208);
                trace.launch(start + launch, 2)
                    .kernel("gemm_b", 7, start + second, 300)
                    .launch(start + launch + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + second + 301,
                                704 - (second + 301), all_reduce({0, 1, 2, 3}))
                    .runtime("cudaStreamSynchronize", start + launch + 8, 706 - (launch + 8));
            }
        }
        const RunAnalysis analysis(make_run(traces), {});
        const auto& list = analysis.findings().list;
        const auto wait = std::ranges::find(list, FindingCause::synchronisation, &Finding::cause);
        QVERIFY2(wait != list.end(), all_titles(analysis).c_str());
        QCOMPARE(wait->ranks, std::vector{2});
        QVERIFY2(english(wait->title).find("waits for the GPU once a step where") != std::string::npos,
                 all_titles(analysis).c_str());
        QVERIFY2(std::abs(wait->cost - 55'000) < 3'000, all_titles(analysis).c_str());
        QCOMPARE(wait->events.front().range.end % 720'000, TimeNs{212'000}); // of any step
        // The others wait 55 us for that, whatever the GPU did meanwhile. The 48 us from its end to the launch are what
        // every host takes there: they are in the open because this one waited before.
        const Waiting& waiting = analysis.waiting();
        const TimeNs charged = waiting.ranks[2].direct[static_cast<std::size_t>(WaitCause::synchronisation)];
        QVERIFY2(10 * charged >= 9 * waiting.total && waiting.total == TimeNs{3 * 6 * 55'000},
                 qPrintable(u"%1 of %2"_s.arg(charged).arg(waiting.total)));
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
        const Finding* idle = finding(analysis, FindingCode::gpu_idle);
        QVERIFY2(idle == nullptr || idle->share < 0.2, all_titles(analysis).c_str());
    }

    /// Launched at 1, and nothing recorded until 800: what the GPU did then is not known.
    void launchedWorkThatWaitsIsTold() {
        const auto rank = TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 800, 200);
        const RunAnalysis analysis(make_run({rank}), {});
        const Finding* idle = finding(analysis, FindingCode::gpu_idle);
        QVERIFY(idle != nullptr);
        QVERIFY2(english(idle->title)
                     .starts_with("No work is recorded on the GPU for 80 % of the time, though launched work "
                                  "waits in most of it."),
                 english(idle->title).c_str());
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
        QVERIFY2(finding(rest, FindingCode::slow_link) == nullptr, all_titles(rest).c_str());
    }

    void theSummarySaysHowManyRanksHaveNoTrace() {
        const std::vector<int> group{0, 1, 2};
        const RunAnalysis two(make_run({member(0, 0, group).world_size(3), member(1, 0, group)}), {});
        const std::string summary = english(two.findings().summary);
        QVERIFY2(summary.find("1 of 3 ranks (no trace)") != std::string::npos, summary.c_str());
        const RunAnalysis all(make_run({member(0, 0, group), member(1, 0, group), member(2, 0, group)}), {});
        QVERIFY(english(all.findings().summary).find("no trace") == std::string::npos);
    }

    /// Two groups make the same calls of 100 us. In every second step rank 2 comes 300 us late, and its call is not
    /// recorded: those of ranks 0 and 1 hold a wait that nothing tells apart from a slow link.
    void aCallThatLacksAMemberSaysNothingOfALink() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 6; ++rank) {
            const std::vector<int> group = rank < 3 ? std::vector<int>{0, 1, 2} : std::vector<int>{3, 4, 5};
            CollectiveCall call = all_reduce(group);
            call.group = {rank < 3 ? "1" : "2", rank < 3 ? "mesh_a" : "mesh_b", group, 0};
            TraceBuilder trace(rank);
            for (int step = 1; step <= 12; ++step) {
                const double start = 1000.0 * (step - 1);
                const bool late = rank < 3 && step % 2 == 0;
                trace.step(step, start, 1000).launch(start + 1, 2).kernel("gemm", 7, start + 10, 490);
                if (rank != 2 || !late)
                    trace.launch(start + 4, 2)
                        .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 500, late ? 400 : 100, call);
                trace.runtime("cudaDeviceSynchronize", start + 8, 980);
            }
            ranks.push_back(trace);
        }
        const RunAnalysis analysis(make_run(ranks), {});
        QVERIFY2(finding(analysis, FindingCode::slow_link) == nullptr, all_titles(analysis).c_str());
    }

    /// Rank 2 comes 200 us late. Its recorder kept step 9 of ten, or all but its communication: what it does is not
    /// judged, and the others are judged as if it had no file.
    void aRankThatLacksWhatOthersHaveIsNotJudged_data() {
        QTest::addColumn<UnjudgedRanks::Why>("why");
        QTest::addColumn<QString>("reason");
        using enum UnjudgedRanks::Why;
        QTest::newRow("few steps") << few_steps << u"Rank 2 is not judged: most steps are not recorded of it."_s;
        QTest::newRow("no communication")
            << no_communication << u"Rank 2 is not judged: no communication is recorded of it."_s;
        QTest::newRow("no launches") << no_launches
                                     << u"Rank 2 is not judged: no launch of its GPU work is recorded."_s;
    }
    void aRankThatLacksWhatOthersHaveIsNotJudged() {
        using enum UnjudgedRanks::Why;
        QFETCH(UnjudgedRanks::Why, why);
        QFETCH(QString, reason);
        const std::vector<int> group{0, 1, 2};
        TraceBuilder partly(2);
        for (int step = why == few_steps ? 9 : 1; step <= (why == few_steps ? 9 : 10); ++step) {
            const double start = 1000.0 * (step - 1);
            partly.step(step, start, 1000);
            if (why != no_launches)
                partly.launch(start + 1, 2);
            partly.kernel("gemm", 7, start + 10, 700);
            if (why != no_launches)
                partly.launch(start + 4, 2);
            if (why != no_communication)
                partly.collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 710, 190, all_reduce(group));
        }
        const RunAnalysis run(make_run({member(0, 0, group), member(1, 0, group), partly}), {});
        const RunAnalysis alone(make_run({member(0, 0, group), member(1, 0, group)}), {});
        QCOMPARE(run.judged_ranks(), (std::vector<int>{0, 1}));
        QCOMPARE(QString::fromStdString(english(run.findings().judged.not_judged.front())), reason);
        QCOMPARE(run.findings().step_time, alone.findings().step_time);
        QCOMPARE(run.facts().unseen_members, UnseenMembers::not_judged);
        for (const char* id : {"step_time", "wait_for_ranks", "exposed_comm", "straggler_slowdown", "gpu_timeline",
                               "idle_causes", "temporal_breakdown", "kernel_breakdown", "parallel_efficiency"})
            QCOMPARE(find_metric(id)->compute(run).value, find_metric(id)->compute(alone).value);
    }

    /// Two ranks whose calls nothing joins: their arguments are not recorded, and their kernels are of two kinds.
    void waitsOfCallsThatAreNotJoinedAreNotKnown() {
        const auto rank = [](int number) {
            TraceBuilder trace(number);
            for (int step = 0; step < 4; ++step) {
                const double start = 1000.0 * step;
                trace.step(step + 1, start, 1000).launch(start + 1, 2).kernel("gemm", 7, start + 10, 700);
                trace.launch(start + 4, 2)
                    .kernel(number == 0 ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL" : "ncclDevKernel_AllGather_RING_LL",
                            20, start + 710, 190);
            }
            return trace;
        };
        const RunAnalysis run(make_run({rank(0), rank(1)}), {});
        const MetricResult waits = find_metric("wait_for_ranks")->compute(run);
        QVERIFY(!waits.available || waits.bound == ValueBound::at_least);
        QCOMPARE(find_metric("exposed_comm")->compute(run).bound, ValueBound::at_most);
    }

    /// A comparison leaves such a rank out of both runs, and waits for it are then seen in neither.
    void aRankWithoutStepsIsLeftOutOfBothRuns() {
        const std::vector<int> group{0, 1, 2};
        const TraceBuilder without = late_member_without_steps(2, group);
        const auto analysis = [&](const TraceBuilder& last) {
            return std::make_shared<const RunAnalysis>(make_run({member(0, 0, group), member(1, 0, group), last}),
                                                       Selection());
        };
        const std::vector<std::string> ids{"step_time", "wait_for_ranks"};
        for (const bool of_test : {true, false}) {
            const auto whole = analysis(member(2, 200, group));
            const auto part = analysis(without);
            const auto& before = of_test ? whole : part;
            const auto& after = of_test ? part : whole;
            const RunComparison comparison(before, compute_metrics(*before, ids), after, compute_metrics(*after, ids));
            QVERIFY(comparison.part().fewer_ranks);
            for (const auto& compared : {comparison.part().baseline, comparison.part().test})
                QCOMPARE(compared->judged_ranks(), (std::vector<int>{0, 1}));
            QCOMPARE(english(comparison.part().sentences.front()),
                     "rank 2 is left out: no steps are recorded of it (in the "s + (of_test ? "test)" : "baseline)"));
            const MetricChange& waits = comparison.metrics().back();
            QCOMPARE(waits.metric->id, "wait_for_ranks"s);
            QCOMPARE(waits.measured_otherwise,
                     "a bound in both, because ranks are left out, and waits for these are not seen"s);
            QVERIFY(waits.status != ChangeStatus::better && waits.status != ChangeStatus::worse);
        }
    }

    /// In the test rank 2 counts its steps from 2 on, and so lacks step 1. It is left out, and the sentences and the
    /// table have the same time of a step.
    void aRankThatCountsItsStepsOtherwiseIsLeftOut() {
        const std::vector<int> group{0, 1, 2};
        TraceBuilder shifted(2);
        for (int step = 0; step < 10; ++step)
            shifted.step(step + 2, 1000.0 * step, 1000)
                .launch(1000.0 * step + 1, 2)
                .kernel("gemm", 7, 1000.0 * step + 10, 700)
                .launch(1000.0 * step + 4, 2)
                .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 1000.0 * step + 710, 190, all_reduce(group))
                .runtime("cudaDeviceSynchronize", 1000.0 * step + 8, 894);
        const auto before = std::make_shared<const RunAnalysis>(
            make_run({member(0, 0, group), member(1, 0, group), member(2, 200, group)}), Selection());
        const auto after = std::make_shared<const RunAnalysis>(
            make_run({member(0, 0, group), member(1, 0, group), shifted}), Selection());
        const std::vector<std::string> ids{"step_time"};
        const RunComparison comparison(before, compute_metrics(*before, ids), after, compute_metrics(*after, ids));
        QCOMPARE(comparison.part().test->judged_ranks(), (std::vector<int>{0, 1}));
        QCOMPARE(comparison.part().test->facts().steps, std::int64_t{10});
        QCOMPARE(comparison.metrics().front().test, comparison.explanation().test_us / 1000);
    }

    /// One kind of kernel takes half as long on rank 2, in all steps: what differs is always the same rank.
    void aFastRankIsNoWorkThatGoesFromRankToRank() {
        std::vector<TraceBuilder> traces;
        for (int rank = 0; rank < 4; ++rank) {
            TraceBuilder& trace = traces.emplace_back(rank);
            for (int step = 0; step < 6; ++step) {
                const double start = 3000.0 * step;
                const double experts = (rank == 2 ? 400 : 800) + (rank * 5 + step * 3) % 7;
                trace.step(step + 1, start, 3000)
                    .launch(start + 1, 2)
                    .kernel("attention", 7, start + 10, 1000)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 1010, 300,
                                all_reduce({0, 1, 2, 3}))
                    .launch(start + 6, 2)
                    .kernel("experts", 7, start + 1310, experts)
                    .launch(start + 9, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 1310 + experts, 1120 - experts,
                                all_reduce({0, 1, 2, 3}))
                    .runtime("cudaDeviceSynchronize", start + 12, 2420);
            }
        }
        const RunAnalysis analysis(make_run(traces), {});
        QVERIFY2(finding(analysis, FindingCode::uneven_work) == nullptr, all_titles(analysis).c_str());
    }

    /// Both ranks are recorded, but their calls have other sizes and numbers, so that no two are one call.
    void callsThatAreNotJoinedMakeWaitsABound() {
        const auto rank = [&](int number, std::int64_t elements) {
            TraceBuilder trace(number);
            for (int step = 0; step < 10; ++step) {
                const double start = 1000.0 * step;
                CollectiveCall call = all_reduce({0, 1});
                call.in_elements = call.out_elements = elements;
                call.sequence = 100 * number + step;
                trace.step(step + 1, start, 1000)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, 500)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 510, 390, call);
            }
            return trace;
        };
        const RunAnalysis analysis(make_run({rank(0, 8'000'000), rank(1, 16'000)}), {});
        const MetricResult exposed = find_metric("exposed_comm")->compute(analysis);
        QVERIFY(exposed.available);
        QCOMPARE(exposed.bound, ValueBound::at_most);
        QCOMPARE(english(exposed.bound_reason),
                 "not all of its calls are joined with those of the other ranks, and waits for these ranks are not "
                 "seen"s);
    }

    /// Without its steps nothing could be said of it, and it would be counted among the healthy.
    void aRankWithoutStepsIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const TraceBuilder without = late_member_without_steps(2, group);
        const RunAnalysis run(make_run({member(0, 0, group), member(1, 0, group), without}), {});
        const std::string summary = english(run.findings().summary);
        QVERIFY2(summary.ends_with("Rank 2 is not judged: no steps are recorded of it."), summary.c_str());
        QCOMPARE(run.judged_ranks(), (std::vector<int>{0, 1}));
        // Nor is the longest path one of its own.
        QVERIFY(!run.critical_paths().empty());
        for (const CriticalPath& path : run.critical_paths()) {
            QCOMPARE(path.by_rank.size(), std::size_t{3});
            QCOMPARE(path.by_rank[2], TimeNs{0});
            QCOMPARE(path.by_rank[0] + path.by_rank[1], path.window.length());
            QVERIFY(path.window.length() <= 1'100'000);
        }
    }

    /// Rank 2 seems to do more than the others, but its file ends early.
    void aRankWhoseFileEndsEarlyIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const RunAnalysis whole(make_run({member(0, 0, group), member(1, 0, group), member(2, 200, group)}), {});
        QVERIFY2(finding(whole, FindingCode::straggler) != nullptr, all_titles(whole).c_str());
        auto cut = member(2, 200, group);
        cut.notice({"truncated_file", "the end is missing"_text, "rank2.json", 1});
        const RunAnalysis rest(make_run({member(0, 0, group), member(1, 0, group), cut}), {});
        QVERIFY2(finding(rest, FindingCode::straggler) == nullptr, all_titles(rest).c_str());
        QVERIFY(!rest.late_rank());
        const std::vector<std::string> reasons = english(rest.findings().judged.not_judged);
        QVERIFY(!reasons.empty());
        for (const std::string& reason : reasons) // it is, in part
            QVERIFY2(reason.find("not traced") == std::string::npos, reason.c_str());
        QCOMPARE(reasons.front(), std::string("Rank 2 is not judged: its file ends early."));
        QVERIFY(english(rest.findings().summary).ends_with(reasons.front()));
        // Evidence still points at the right ranks.
        auto first = member(0, 0, group);
        first.notice({"truncated_file", "the end is missing"_text, "rank0.json", 1});
        const RunAnalysis others(make_run({first, member(1, 0, group), member(2, 0, group), member(3, 200, {1, 2, 3})}),
                                 {});
        for (const Finding& f : others.findings().list)
            for (const FindingEvent& event : f.events)
                QVERIFY(event.rank > 0 && event.event < others.run().ranks[event.rank]->events.size());
    }

    /// The others wait 200 us a step for rank 2. If its file ends early, their numbers are those of a run without its
    /// file, and bounds: nobody knows whether they waited or transferred.
    void whoWaitsForARankThatIsNotJudgedIsNotKnown() {
        const std::vector<int> group{0, 1, 2};
        const auto run_of = [&](bool with_cut) {
            std::vector<TraceBuilder> ranks{member(0, 0, group), member(1, 0, group)};
            if (with_cut)
                ranks.push_back(
                    member(2, 200, group).notice({"truncated_file", "the end is missing"_text, "rank2.json", 1}));
            return RunAnalysis(make_run(ranks), {});
        };
        const RunAnalysis cut = run_of(true);
        const RunAnalysis alone = run_of(false);
        for (const auto& [id, bound] : {std::pair{"wait_for_ranks", ValueBound::at_least},
                                        {"exposed_comm", ValueBound::at_most},
                                        {"straggler_slowdown", ValueBound::at_least}}) {
            const MetricResult of_cut = find_metric(id)->compute(cut);
            const MetricResult of_alone = find_metric(id)->compute(alone);
            QVERIFY2(of_cut.available && of_alone.available, id);
            QCOMPARE(of_cut.value, of_alone.value);
            QVERIFY2(of_cut.bound == bound && of_alone.bound == bound, id);
            QCOMPARE(english(of_cut.bound_reason),
                     "not all ranks of its calls are judged, and waits for these ranks are not seen"s);
            QCOMPARE(english(of_alone.bound_reason),
                     "not all ranks of its calls have a trace, and waits for these ranks are not seen"s);
        }
        QCOMPARE(english(fact_sentences(cut.facts())[1]),
                 "Exposed communication may be waiting, because not all ranks of its calls are judged."s);
    }

    /// Without names of steps, ranks that are recorded on demand: 1000 us hold two all-reduces of unlike size, eight
    /// times; rank 1 is recorded from the middle of the third on, and ends in the eighth.
    void aStepOfCapturesOnDemandTakesOnePeriod() {
        const auto rank = [](int number, double from, double to) {
            TraceBuilder trace(number);
            CollectiveCall large = all_reduce({0, 1});
            CollectiveCall small = large;
            small.in_elements = small.out_elements = 1000;
            const auto add = [&](double start, double duration, const CollectiveCall* call) {
                if (start < from || start + duration > to)
                    return;
                trace.launch(start - 8, 2);
                if (call == nullptr)
                    trace.kernel("gemm", 7, start, duration);
                else
                    trace.collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start, duration, *call);
            };
            for (int i = 0; i < 8; ++i) {
                const double start = 100 + 1000.0 * i;
                add(start, 500, nullptr);
                add(start + 500, 300, &large);
                add(start + 800, 100, nullptr);
                add(start + 900, 90, &small);
            }
            return trace;
        };
        const RunAnalysis analysis(make_run({rank(0, 0, 9000), rank(1, 2550, 7950)}), {});
        const double step = analysis.findings().step_time / 1e6;
        QVERIFY2(std::abs(step - 1) < 0.02, QByteArray::number(step));
        QVERIFY2(finding(analysis, FindingCode::straggler) == nullptr, all_titles(analysis).c_str());
    }

    /// The host runs 40 ms ahead when the recording starts, and what the GPU does for these 40 ms is not recorded: its
    /// launches lie before. A step launches in 2 ms and takes the GPU 10 ms. Copies of another stream do not wait.
    void aBacklogFromBeforeTheRecordingIsNoTimeOfTheFirstStep_data() {
        QTest::addColumn<bool>("copies");
        QTest::newRow("one stream") << false;
        QTest::newRow("a copy that does not wait") << true;
    }
    void aBacklogFromBeforeTheRecordingIsNoTimeOfTheFirstStep() {
        QFETCH(bool, copies);
        TraceBuilder trace(0);
        for (int step = 1; step <= 6; ++step) {
            const double start = 2000.0 * (step - 1);
            trace.step(step, start, 2000);
            if (copies)
                trace.launch(start + 10, 5).memory_copy("Memcpy HtoD (Pinned -> Device)", 9, start + 20, 100, 4096);
            for (int i = 0; i < 5; ++i)
                trace.launch(start + 100 + 10 * i, 5)
                    .kernel("gemm", 7, 40'000 + 10'000.0 * (step - 1) + 2000 * i, 2000);
        }
        const RunAnalysis analysis(make_run({trace}), {});
        const MetricReport report = compute_metrics(analysis, std::vector<std::string>{"step_time"});
        QCOMPARE(report.entries.front().result.value, 10.0);
        QCOMPARE(analysis.findings().step_time, 10e6);
        QCOMPARE(analysis.step_windows().front().front().begin, analysis.run().span.begin + 40'000'000);
    }

    /// A profiler's buffer overflows: in steps 4 to 6 half of the kernels that rank 2 launched are not recorded. Its
    /// GPU seems to be idle there.
    void aRankThatLostGpuWorkIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const auto rank = [&](int number, int first_lost = 99, int last_lost = 99, bool waits = true) {
            TraceBuilder trace(number);
            for (int step = 1; step <= 10; ++step) {
                const double start = 1000.0 * (step - 1);
                trace.step(step, start, 1000);
                for (int i = 0; i < 8; ++i)
                    if (step >= first_lost && step <= last_lost && i % 2 == 1)
                        trace.runtime("cudaLaunchKernel", start + 1 + 3 * i, 2);
                    else
                        trace.launch(start + 1 + 3 * i, 2).kernel("gemm", 7, start + 40 + 60 * i, 60);
                trace.launch(start + 30, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 520, 380, all_reduce(group));
                if (step < 10 || waits)
                    trace.runtime("cudaDeviceSynchronize", start + 34, 870);
            }
            return trace;
        };
        const RunAnalysis whole(make_run({rank(0), rank(1), rank(2)}), {});
        QVERIFY(whole.unjudged_ranks().empty());
        // Its work may have run after the recording, unless the host waited for it.
        const RunAnalysis cut_off(make_run({rank(0), rank(1), rank(2, 10, 10, false)}), {});
        QVERIFY(cut_off.unjudged_ranks().empty());
        const RunAnalysis waited(make_run({rank(0), rank(1), rank(2, 10, 10)}), {});
        QCOMPARE(waited.judged_ranks(), (std::vector<int>{0, 1}));
        const RunAnalysis lost(make_run({rank(0), rank(1), rank(2, 4, 6)}), {});
        QCOMPARE(lost.judged_ranks(), (std::vector<int>{0, 1}));
        const std::vector<std::string> reasons = english(lost.findings().judged.not_judged);
        QVERIFY(!reasons.empty());
        QCOMPARE(reasons.front(),
                 std::string("Rank 2 is not judged: GPU work that its host launched is not recorded."));
        QVERIFY(english(lost.findings().summary).ends_with(reasons.front()));
        QVERIFY(!lost.late_rank());
    }

    /// In each step rank 0 lacks every other kernel that its host launched, from the first step to the last.
    void aRankThatLosesWorkInEachStepIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const auto rank = [&](int number, bool loses) {
            TraceBuilder trace(number);
            for (int step = 0; step < 4; ++step) {
                const double start = 1000.0 * step;
                trace.step(step + 1, start, 1000);
                for (int i = 0; i < 4; ++i)
                    if (loses && i % 2 == 1)
                        trace.runtime("cudaLaunchKernel", start + 1 + 3 * i, 2).correlation(9000 + 10 * step + i);
                    else
                        trace.launch(start + 1 + 3 * i, 2).kernel("gemm", 7, start + 40 + 100 * i, 100);
                trace.launch(start + 30, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 440, 400, all_reduce(group));
            }
            return trace;
        };
        const RunAnalysis lost(make_run({rank(0, true), rank(1, false), rank(2, false)}), {});
        QCOMPARE(lost.judged_ranks(), (std::vector<int>{1, 2}));
        const ChargedWaits& charged = lost.waiting().ranks[0];
        QCOMPARE(std::accumulate(charged.direct.begin(), charged.direct.end(), TimeNs{0}), TimeNs{0});
        QVERIFY(english(lost.findings().summary).find("Rank 0 is not judged: 8 of its launches have no GPU work.") !=
                std::string::npos);
        const RunAnalysis whole(make_run({rank(0, false), rank(1, false), rank(2, false)}), {});
        QVERIFY(whole.unjudged_ranks().empty());
    }

    /// 3 of 121 launches have no work, less than a tenth: its computation is not comparable even so.
    void aRankThatLostLittleGpuWorkIsNotJudged() {
        const auto rank = [&](int number, int lost) {
            TraceBuilder trace(number);
            trace.step(1, 0, 2000);
            for (int i = 0; i < 120; ++i)
                if (i % 40 == 20 && i < 40 * lost)
                    trace.runtime("cudaLaunchKernel", 1 + 3 * i, 2).correlation(9000 + i);
                else
                    trace.launch(1 + 3 * i, 2).kernel("gemm", 7, 10 + 10 * i, 10);
            trace.launch(400, 2).collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 1220, 400,
                                            all_reduce({0, 1, 2}));
            return trace;
        };
        const RunAnalysis lost(make_run({rank(0, 0), rank(1, 0), rank(2, 3)}), {});
        QCOMPARE(lost.judged_ranks(), (std::vector<int>{0, 1}));
        const RunAnalysis whole(make_run({rank(0, 0), rank(1, 0), rank(2, 0)}), {});
        QVERIFY(whole.unjudged_ranks().empty());
    }

    void whatCouldNotBeReadIsSaidFirst() {
        const auto read = [](std::uint64_t malformed) {
            auto run = std::make_shared<Run>(*make_run({TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 5, 10)}));
            auto rank = std::make_shared<RankTrace>(*run->ranks[0]);
            rank->file = "/runs/rank0.json";
            rank->accounting.events_in_file = 1000;
            rank->accounting.on_timeline = 1000 - malformed;
            rank->accounting.add(NotShown::malformed, malformed);
            run->ranks[0] = rank;
            return english(RunAnalysis(run, {}).findings().summary);
        };
        QVERIFY(read(11).starts_with(
            "11 of the 1000 events of rank0.json could not be read: what is said is of the others. "));
        QVERIFY(!read(10).starts_with("10 of"));
    }

    /// No call joins the two, and nothing tells steps: that one was recorded for longer is no fault of it.
    void ranksThatWereRecordedForUnlikeLengthsAreNotCompared() {
        const auto rank = [](int number, int kernels, double apart_us) {
            TraceBuilder trace(number);
            for (int i = 0; i < kernels; ++i)
                trace.launch(apart_us * i, 2).kernel("gemm " + std::to_string(i), 7, apart_us * i + 10, 50);
            return trace;
        };
        const RunAnalysis analysis(make_run({rank(0, 20, 100), rank(1, 20, 100), rank(2, 20, 1000)}), {});
        QVERIFY(finding(analysis, FindingCode::straggler) == nullptr);
        const std::vector<std::string> reasons = english(analysis.findings().judged.not_judged);
        QVERIFY(std::ranges::any_of(reasons, [](const std::string& reason) {
            return reason.find("recorded for different lengths") != std::string::npos;
        }));
    }

    /// Twelve pairs of kernels, a pair every 10 ms; the first launch takes 420 ms, in which the GPU has nothing to do.
    void aSlowFirstLaunchIsOfNoStep() {
        TraceBuilder trace(0);
        trace.launch(0, 420'000).kernel("load", 7, 420'010, 10);
        for (int i = 0; i < 12; ++i) {
            const double start = 421'000 + 10'000.0 * i;
            trace.launch(start, 5).kernel("gemm", 7, start + 10, 5000);
            trace.launch(start + 10, 5).kernel("softmax", 7, start + 5010, 4980);
        }
        const RunAnalysis analysis(make_run({trace}), {});
        QVERIFY(std::abs(analysis.findings().step_time - 121e6) < 0.2e6);
        QVERIFY(english(analysis.findings().summary)
                    .ends_with("The first launch of rank 0 takes 420.0 ms: it belongs to no step."));
        QVERIFY(finding(analysis, FindingCode::gpu_idle) == nullptr);
    }

    /// Of a file that ends before the first GPU work nothing is judged, and nobody waits.
    void aFileThatEndsBeforeAnyGpuWorkIsRead() {
        const RunAnalysis analysis(
            make_run({TraceBuilder(0).cpu_op("aten::add", 0, 10).notice({"truncated_file", {}, "rank0.json", 1})}), {});
        QCOMPARE(analysis.unjudged_ranks().size(), std::size_t{1});
        QVERIFY(analysis.waiting().ranks.empty());
        QVERIFY(!find_metric("parallel_efficiency")->compute(analysis).available);
    }

    void aRankWithoutGpuWorkIsNotJudged() {
        const std::vector<int> group{0, 1, 2};
        const RunAnalysis analysis(
            make_run({member(0, 0, group), member(1, 0, group), TraceBuilder(2).cpu_op("aten::add", 0, 10)}), {});
        const std::vector<std::string> reasons = english(analysis.findings().judged.not_judged);
        QVERIFY(!reasons.empty());
        QCOMPARE(reasons.front(), std::string("Rank 2 is not judged: no GPU work is recorded of it."));
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
