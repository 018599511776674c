// SPDX-License-Identifier: GPL-3.0-or-later
// In which iterations two runs differ, and which ranks moved: small pairs worked out by hand. Each is told as what was
// changed and as nothing else.
#include <QtTest>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "core/compare/run_comparison.h"
#include "core/compare/step_split.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::changed_steps_test {

namespace {

/// One step of one rank, us.
struct Work {
    double host = 100; ///< until the kernels are launched
    double gemm = 6'000;
    double attention = 3'000;
    std::string attention_name = "flash_attention";
    double transfer = 1'000;
    bool loads = false;   ///< the host loads data all that time
    double copy = 0;      ///< to the host, after the all-reduce, for which the host waits
    bool recorded = true; ///< the step is
    bool gpu_work = true; ///< is recorded; the launches are
};

struct Job {
    int ranks = 4;
    int steps = 10;
    int first = 1;
    std::function<void(int rank, int step, Work& work)> apply = [](int, int, Work&) {};
    RunConfig config = {};
    int traced = 0;         ///< ranks below this are; 0: all
    std::set<int> cut = {}; ///< ranks whose files end early
};

/// Steps of two kernels and an all-reduce over all ranks, for which the host waits. A step takes 10.11 ms: 100 us until
/// the launch, 10 us until the kernel starts, 9 ms of kernels, 1 ms of transfer.
std::shared_ptr<const Run> made(const Job& job) {
    std::vector<TraceBuilder> ranks;
    for (int r = 0; r < job.ranks; ++r) {
        ranks.push_back(TraceBuilder(r).world_size(job.ranks));
        if (job.cut.contains(r))
            ranks.back().notice({"truncated_file", "made"_text(), {}, 1});
    }
    ProcessGroup group;
    group.name = "0";
    group.description = "default_pg";
    for (int r = 0; r < job.ranks; ++r)
        group.ranks.push_back(r);
    std::vector<double> starts(static_cast<std::size_t>(job.ranks));
    for (int s = job.first; s < job.first + job.steps; ++s) {
        std::vector<Work> works;
        double last = 0;
        for (int r = 0; r < job.ranks; ++r) {
            Work& work = works.emplace_back();
            job.apply(r, s, work);
            // a thousandth of jitter, by rank and step
            work.gemm *= 1 + 0.0005 * ((7 * r + 3 * s) % 5 - 2);
            last = std::max(last, starts[static_cast<std::size_t>(r)] + work.host + 10 + work.gemm + work.attention);
        }
        const double reduced = last + works.front().transfer;
        for (int r = 0; r < job.ranks; ++r) {
            const Work& work = works[static_cast<std::size_t>(r)];
            TraceBuilder& rank = ranks[static_cast<std::size_t>(r)];
            const double at = std::exchange(starts[static_cast<std::size_t>(r)], reduced + work.copy);
            const double end = reduced + work.copy;
            if (!work.recorded)
                continue;
            rank.step(s, at, end - at);
            if (work.loads)
                rank.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, work.host - 1);
            const double begin = at + work.host + 10;
            const auto launch = [&](double after, const char* name = "cudaLaunchKernel") -> TraceBuilder& {
                return rank.launch(at + work.host + after, 1, name);
            };
            const double arrival = begin + work.gemm + work.attention;
            CollectiveCall call;
            call.collective = "allreduce";
            call.in_elements = call.out_elements = 1 << 20;
            call.group = group;
            launch(0);
            if (work.gpu_work)
                rank.kernel("gemm", 7, begin, work.gemm);
            launch(1);
            if (work.gpu_work)
                rank.kernel(work.attention_name, 7, begin + work.gemm, work.attention);
            launch(2);
            if (work.gpu_work)
                rank.collective("ncclDevKernel_AllReduce", 7, arrival, reduced - arrival, call);
            if (work.copy > 0)
                launch(3, "cudaMemcpyAsync").memory_copy("Memcpy DtoH (Device -> Pageable)", 7, reduced, work.copy);
            rank.runtime("cudaDeviceSynchronize", at + work.host + 4, end - at - work.host - 4);
        }
    }
    if (job.traced > 0)
        ranks.erase(ranks.begin() + job.traced, ranks.end());
    return make_run(ranks, "made", job.config);
}

Job job_with(std::function<void(int, int, Work&)> apply) {
    Job job;
    job.apply = std::move(apply);
    return job;
}

ChangeExplanation explained(const Job& before, const Job& after) {
    return explain_change(RunAnalysis(made(before), {}), RunAnalysis(made(after), {}));
}

QByteArray all_of(const ChangeExplanation& change) {
    std::string all = english(change.unavailable);
    for (const Message& sentence : change.sentences)
        all += english(sentence) + "\n";
    return QByteArray::fromStdString(all);
}

bool has(const Message& text, const std::string& words) { return english(text).find(words) != std::string::npos; }

} // namespace

class TestChangedSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyTheFirstStepIsSlower() {
        const Job after = job_with([](int, int step, Work& work) { work.gemm = step == 1 ? 12'000 : 6'000; });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(change.steps.has_value(), all_of(change));
        QVERIFY(change.steps->in_test);
        QCOMPARE(change.steps->numbers, (std::vector<std::int64_t>{1}));
        // 10.11 + 6 ms; the mean of ten steps grows by 0.6 ms
        QVERIFY2(std::abs(change.steps->test_us - change.steps->baseline_us - 6'000) < 30, all_of(change));
        QVERIFY2(std::abs(change.difference_us() - 600) < 3, all_of(change));
        const Message& first = change.sentences.front();
        QVERIFY2(has(first, "takes 0.60") && has(first, "but only in step 1 (10.1"), all_of(change));
        QVERIFY2(has(first, "most in gemm (6.001 ms -> 12.00 ms)"), all_of(change));
        QVERIFY2(has(change.sentences[1], "In the other steps it takes as long as before"), all_of(change));
        QVERIFY2(!all_of(change).contains("straggler"), all_of(change));
    }

    void aSlowFirstStepOfBothIsNoDifference() {
        const Job before = job_with([](int, int step, Work& work) { work.gemm = step == 1 ? 12'000 : 6'000; });
        Job after = job_with([](int, int step, Work& work) { work.gemm = step == 21 ? 12'000 : 6'000; });
        after.first = 21; // other numbers
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(!change.steps && has(change.sentences.front(), "takes as long as before"), all_of(change));
        // and with a straggler since the first step it is the straggler's in all of them
        after.apply = [](int rank, int step, Work& work) {
            work.gemm = (step == 21 ? 12'000 : 6'000) * (rank == 2 ? 1.3 : 1.0);
        };
        const ChangeExplanation slow = explained(before, after);
        QVERIFY2(!slow.steps && has(slow.sentences.front(), "rank 2 became a straggler"), all_of(slow));
    }

    void ofTwoRanksTheOneThatChangedMoreIsNamedBothWays() {
        Job before;
        before.ranks = 2;
        Job after = before;
        after.apply = [](int rank, int, Work& work) { work.host += rank == 0 ? 2'700 : 1'270; };
        const ChangeExplanation slower = explained(before, after);
        QVERIFY2(has(slower.sentences.front(), "rank 0 became a straggler") &&
                     has(slower.sentences.front(), "(the other rank 0.100 ms -> 1.370 ms)"),
                 all_of(slower));
        const ChangeExplanation faster = explained(after, before);
        QVERIFY2(has(faster.sentences.front(), "rank 0 is a straggler no more"), all_of(faster));
    }

    /// The table says what the sentence does: a stop of 60 ms in one step of ten makes the step longer.
    void theTableFollowsTheSentence() {
        const auto analysed = [](const Job& job) {
            return std::make_shared<const RunAnalysis>(made(job), Selection{});
        };
        const auto statuses = [](const std::shared_ptr<const RunAnalysis>& before,
                                 const std::shared_ptr<const RunAnalysis>& after) {
            const RunComparison comparison(before, compute_metrics(*before), after, compute_metrics(*after));
            std::map<std::string, ChangeStatus> found;
            for (const MetricChange& change : comparison.metrics())
                found[change.metric->id] = change.status;
            return found;
        };
        const auto whole = analysed({});
        for (const int steps : {3, 10}) {
            Job job;
            job.steps = steps;
            const auto before = analysed(job);
            job.apply = [](int rank, int step, Work& work) { work.host += rank == 0 && step == 2 ? 60'000 : 0; };
            const auto after = analysed(job);
            for (const char* id : {"step_time", "iter_time", "straggler_lag"}) {
                if (steps == 3 && std::string_view(id) != "step_time")
                    continue; // of two other steps the noise is hardly known
                QVERIFY2(statuses(before, after)[id] == ChangeStatus::worse, id);
                QVERIFY2(statuses(after, before)[id] == ChangeStatus::better, id);
            }
        }
        QCOMPARE(statuses(whole, whole)["step_time"], ChangeStatus::similar);
    }

    /// Rank 1 ends 3 ms after the others: they wait for it, whatever rank 2 does in that time.
    void whoDelaysNobodyIsNoStraggler() {
        const auto with = [](double more) {
            return job_with([=](int rank, int, Work& work) { work.gemm += rank == 1 ? 3'000 : rank == 2 ? more : 0; });
        };
        const ChangeExplanation change = explained(with(0), with(2'500));
        QVERIFY2(has(change.sentences.front(), "takes as long as before"), all_of(change));
        QVERIFY2(all_of(change).contains("Besides, rank 2 takes longer than before: its kernels take 9.000 ms"),
                 all_of(change));
        QVERIFY2(!all_of(change).contains("straggler"), all_of(change));
    }

    void aRankThatRecoversAndOneThatSlowsDownAreBothNamed() {
        const Job before = job_with([](int rank, int, Work& work) { work.gemm *= rank == 2 ? 1.4 : 1; });
        const Job after = job_with([](int rank, int, Work& work) { work.gemm *= rank == 1 ? 1.25 : 1; });
        const ChangeExplanation change = explained(before, after); // 2.4 ms less on rank 2, 1.5 ms more on rank 1
        QVERIFY2(has(change.sentences.front(), "rank 2 is a straggler no more") &&
                     has(change.sentences.front(), "rank 1 became a straggler"),
                 all_of(change));
    }

    void oneStopOfOneRank() {
        const Job after = job_with([](int rank, int step, Work& work) {
            if (rank == 0 && step == 10)
                work.host += 60'000;
        });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(change.steps && change.steps->numbers == std::vector<std::int64_t>{10}, all_of(change));
        QVERIFY2(has(change.sentences.front(),
                     "but only in step 10 (10.12") && // one step tells which
                     has(change.sentences.front(),
                         "rank 0 takes longer than before: its host keeps the GPU waiting 0.100 ms -> 60.10 ms") &&
                     has(change.sentences.front(), "and the others wait for it"),
                 all_of(change));
        // the other way round it is the baseline's step
        const ChangeExplanation back = explained(after, {});
        QVERIFY2(back.steps && !back.steps->in_test, all_of(back));
        QVERIFY2(has(back.sentences.front(), "but only in step 10 of the baseline") &&
                     has(back.sentences.front(), "rank 0 takes less than before"),
                 all_of(back));
        QVERIFY2(!all_of(change).contains("straggler") && !all_of(back).contains("straggler"), all_of(change));
    }

    /// The others wait in the next step: 100 ms for one of ten, 10 ms a step.
    void aCheckpointOfOneRankIsToldInItsStep() {
        const Job after = job_with([](int rank, int step, Work& work) {
            if (rank == 0 && step == 5)
                work.copy = 100'000;
        });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(!change.steps && has(change.sentences.front(), "takes 10.00 ms longer") &&
                     has(change.sentences.front(), ": rank 0 takes 99.99") &&
                     has(change.sentences.front(),
                         " ms longer only in step 5: its copies take 100.0 ms instead of 0.000 ms, and the others "
                         "wait for it."),
                 all_of(change));
        const ChangeExplanation back = explained(after, {});
        QVERIFY2(!back.steps && has(back.sentences.front(),
                                    " ms longer only in step 5 of the baseline: its copies take 100.0 ms instead of "
                                    "0.000 ms, and the others waited for it."),
                 all_of(back));
        QVERIFY2(!all_of(change).contains("straggler") && !all_of(back).contains("straggler"), all_of(change));
        // in both runs it is no difference
        const ChangeExplanation same = explained(after, after);
        QVERIFY2(same.sentences.size() == 1, all_of(same));
        // what the baseline had in such a step is not left out
        const ChangeExplanation more = explained(job_with([](int rank, int step, Work& work) {
                                                     if (rank == 0 && step == 3)
                                                         work.copy = 40'000;
                                                 }),
                                                 after);
        QVERIFY2(has(more.sentences.front(), "longer than in its other steps in step 5 (its copies take 100.0 ms") &&
                     has(more.sentences.front(), " longer in step 3 of the baseline"),
                 all_of(more));
    }

    /// Of a step, 25 ms on the mean of the four ranks.
    void nobodyWaitsForACheckpointAtTheEnd() {
        const Job after = job_with([](int rank, int step, Work& work) {
            if (rank == 0 && step == 10)
                work.copy = 100'000;
        });
        for (const ChangeExplanation& change : {explained({}, after), explained(after, {})}) {
            QVERIFY2(change.steps && change.steps->numbers == std::vector<std::int64_t>{10}, all_of(change));
            QVERIFY2(has(change.sentences.front(), "its copies take") && !all_of(change).contains("wait for") &&
                         !all_of(change).contains("straggler"),
                     all_of(change));
        }
    }

    void ranksInTurnOfTheBaseline() {
        Job before = job_with([](int rank, int step, Work& work) { work.host += rank == step % 8 ? 4'000 : 0; });
        before.ranks = 8;
        before.steps = 6;
        Job after;
        after.ranks = 8;
        after.steps = 6;
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(has(change.sentences.front(),
                     "no rank makes the others wait any more: in the baseline one at a time did, its host kept the GPU "
                     "waiting 4.000") &&
                     has(change.sentences.front(), "(rank 1 in step 1, rank 2 in step 2, rank 3 in step 3"),
                 all_of(change));
        QVERIFY2(!all_of(change).contains("the others take") && !all_of(change).contains("straggler"), all_of(change));
    }

    /// The rank has nothing to show from step 6 on: it did not change.
    void ranksOfWhichTooLittleIsRecordedAreNotNamed_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("file ends early") << 0
                                         << QStringLiteral("Rank 2 is left out: its file ends early (in the test).");
        QTest::newRow("lacks steps") << 1
                                     << QStringLiteral(
                                            "Rank 2 is left out: it lacks steps that other ranks have (in the test).");
        QTest::newRow("GPU work is lost")
            << 2 << QStringLiteral("Rank 2 is left out: 6 of its launches have no GPU work (in the test).");
    }
    void ranksOfWhichTooLittleIsRecordedAreNotNamed() {
        QFETCH(int, what);
        QFETCH(QString, words);
        Job before;
        before.ranks = 8;
        Job after = before;
        if (what == 0)
            after.cut = {2};
        after.apply = [what](int rank, int step, Work& work) {
            if (rank == 2 && step >= 6 && step <= (what == 2 ? 7 : 10))
                (what == 2 ? work.gpu_work : work.recorded) = false;
        };
        for (const ChangeExplanation& change : {explained(before, after), explained(after, before)}) {
            const QByteArray all = all_of(change);
            QVERIFY2(has(change.sentences.front(), "takes as long as before"), all);
            QVERIFY2(!all.contains("straggler") && !all.contains("Besides") && !all.contains("on rank 2") &&
                         !all.contains("GB/s"),
                     all);
        }
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(all_of(change).contains(words.toUtf8()), all_of(change));
    }

    /// Rank 2 takes 4 ms longer from step 6 on, which its recording does not hold: the calls of the others do. It is
    /// left out of both runs.
    void callsThatLackAMemberTellNothingOfALink() {
        Job after = job_with([](int rank, int step, Work& work) {
            work.host += rank == 2 && step >= 6 ? 4'000 : 0;
            work.recorded = rank != 2 || step < 6;
        });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(all_of(change).contains("not all of its members are traced: it may hold waits for the others"),
                 all_of(change));
        QVERIFY2(!all_of(change).contains("GB/s"), all_of(change));
        // two of the four are traced in both runs
        Job before;
        before.traced = after.traced = 2;
        const ChangeExplanation untraced = explained(before, after);
        QVERIFY2(all_of(untraced).contains("not all of its members are traced: it may hold waits for the others"),
                 all_of(untraced));
    }

    void sinceAStep() {
        const Job after =
            job_with([](int rank, int step, Work& work) { work.gemm *= rank == 3 && step >= 6 ? 1.2 : 1; });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(change.steps && english(change.steps->words) == "from step 6 on", all_of(change));
        QVERIFY2(has(change.sentences.front(), "rank 3 became a straggler: its kernels take 9.000 ms") &&
                     has(change.sentences.front(), "-> 10.20 ms"),
                 all_of(change));
        // kernels are held against kernels
        QVERIFY2(has(change.sentences.front(), "(median of the others 9.000 ms -> 9.000 ms)"), all_of(change));
    }

    void nowAndThen() {
        Job after = job_with([](int, int step, Work& work) { work.host += step % 4 == 0 ? 8'000 : 0; });
        Job before;
        after.steps = before.steps = 20;
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(change.steps && english(change.steps->words) == "in 5 of 20 steps (4, 8, 12, 16, 20)", all_of(change));
        QVERIFY2(has(change.sentences.front(), "GPU idle until the host launches +8.000 ms"), all_of(change));
    }

    void everySecondStepOfOneRank() {
        const Job after =
            job_with([](int rank, int step, Work& work) { work.host += rank == 1 && step % 2 == 0 ? 8'000 : 0; });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(change.steps && change.steps->numbers == (std::vector<std::int64_t>{2, 4, 6, 8, 10}), all_of(change));
        QVERIFY2(has(change.sentences.front(), "rank 1 became a straggler: its host"), all_of(change));
    }

    void aSlowFirstStepAndAStraggler() {
        const Job after =
            job_with([](int rank, int step, Work& work) { work.gemm *= (step == 1 ? 2 : 1) * (rank == 3 ? 1.1 : 1); });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(has(change.sentences[0], "above all in step 1 (") && has(change.sentences[0], "kernels take 1."),
                 all_of(change));
        QVERIFY2(has(change.sentences[1], "In the other steps it takes longer") &&
                     has(change.sentences[1], "rank 3 became a straggler: its kernels take"),
                 all_of(change));
    }

    void oneRankAtATime() {
        const Job after =
            job_with([](int rank, int step, Work& work) { work.gemm *= rank == (step <= 5 ? 2 : 0) ? 1.3 : 1; });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(!change.steps &&
                     has(change.sentences.front(), "one rank at a time makes the others wait, its kernels take 1.80") &&
                     has(change.sentences.front(), "(rank 2 in steps 1 to 5, rank 0 in steps 6 to 10)"),
                 all_of(change));
        QVERIFY2(!all_of(change).contains("straggler"), all_of(change));
    }

    void anotherCauseIsNoTurn() {
        const Job after = job_with([](int rank, int step, Work& work) {
            work.gemm *= rank == 2 && step <= 5 ? 1.3 : 1;
            work.host += rank == 0 && step > 5 ? 1'800 : 0;
        });
        QVERIFY2(!all_of(explained({}, after)).contains("one rank at a time"), all_of(explained({}, after)));
    }

    void aNewFaultInThePlaceOfAnOldOneIsTold() {
        const Job before = job_with([](int rank, int, Work& work) { work.host += rank == 1 ? 3'000 : 0; });
        const Job after = job_with([](int rank, int, Work& work) { work.gemm *= rank == 1 ? 1.3 : 1; });
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(has(change.sentences.front(), "its host keeps the GPU waiting") &&
                     has(change.sentences.front(), ", but its kernels take"),
                 all_of(change));
    }

    void ranksThatTakeEachOthersPlaceAreBothTold() {
        const Job before = job_with([](int rank, int, Work& work) { work.gemm *= rank == 0 ? 1.2 : 1; });
        const Job after = job_with([](int rank, int, Work& work) { work.gemm *= rank == 2 ? 1.3 : 1; });
        const QByteArray text = all_of(explained(before, after));
        QVERIFY2(text.contains("on rank 2 (") && text.contains("the other way on rank 0 (") &&
                     !text.contains("only on rank"),
                 text.constData());
    }

    void lessMoreThanTheOthersIsMore() {
        MovedRanks moved;
        moved.ranks = {2};
        moved.excess = -2.5e6;
        moved.was = 44.66e6;
        moved.is = 49.83e6;
        moved.others_was = 44.62e6;
        moved.others_is = 52.29e6;
        moved.others = 3;
        QCOMPARE(
            english(moved_text(moved, {})),
            std::string("rank 2 takes longer than before, but by less than the others: its kernels take 44.66 ms -> "
                        "49.83 ms an iteration (median of the others 44.62 ms -> 52.29 ms)"));
    }

    void whatGrowsAsTheOthersDoIsNoWorseStraggler() {
        MovedRanks moved;
        moved.ranks = {2};
        moved.apart_before = moved.apart_after = true;
        moved.was = 60e6;
        moved.is = 120e6;
        moved.others_was = 40e6;
        moved.others_is = 80e6;
        moved.excess = 20e6;
        moved.others = 3;
        QVERIFY(english(moved_text(moved, {}))
                    .starts_with("rank 2 takes longer than before, by the same factor as the others: its kernels"));
        moved.is = 140e6;
        moved.excess = 40e6;
        QVERIFY(english(moved_text(moved, {})).starts_with("rank 2 is more of a straggler than before: its kernels"));
    }

    void allRanksButOne() {
        Job before;
        before.ranks = 8;
        Job after = before;
        after.apply = [](int rank, int, Work& work) { work.gemm *= rank == 5 ? 1 : 1.3; };
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(has(change.sentences.front(), "computation +1.57"), all_of(change));
        QVERIFY2(all_of(change).contains("rank 5 takes as long as before, where the others take longer: its kernels"),
                 all_of(change));
    }

    void aGeneralChangeNamesNoSteps() {
        const Job after = job_with([](int, int, Work& work) { work.gemm *= 1.1; });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(!change.steps && has(change.sentences.front(), "kernels take 1.07 times as long"), all_of(change));
    }

    void bothOfTwoRanksAreNamed() {
        const Job after = job_with([](int rank, int, Work& work) {
            work.host += rank == 1 ? 4'000 : 0;
            work.gemm *= rank == 2 ? 1.4 : 1; // 2.4 ms
        });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(has(change.sentences.front(), "rank 1 became a straggler: its host"), all_of(change));
        QVERIFY2(has(english(change.sentences[0]) + english(change.sentences[1]),
                     "ank 2 became a straggler: its kernels take"),
                 all_of(change));
        // of the sum over ranks it is one rank's, no general change
        QVERIFY2(all_of(change).contains("only on rank 2"), all_of(change));
        QVERIFY2(!all_of(change).contains("on average"), all_of(change));
    }

    void ranksThatChangedAlikeAreToldTogether() {
        Job before;
        before.ranks = 8;
        Job after = before;
        before.apply = [](int, int, Work& work) { work.loads = true; };
        after.apply = [](int rank, int, Work& work) {
            work.loads = true;
            work.host += rank == 0 || rank == 3 || rank == 6 ? 3'900 : 0;
        };
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(has(change.sentences.front(), "ranks 0, 3 and 6 became stragglers: their hosts keep the GPU waiting "
                                               "0.100 ms -> 4.000 ms"),
                 all_of(change));
        QVERIFY2(has(change.sentences.front(), "loading data takes the hosts 0.099 ms -> 3.999 ms"), all_of(change));
    }

    void halfOfTheRanksAndOneMore() {
        Job before;
        before.ranks = 8;
        Job after = before;
        after.apply = [](int rank, int, Work& work) { work.gemm *= rank == 1 ? 1.5 : rank >= 4 ? 1.2 : 1; };
        const ChangeExplanation change = explained(before, after);
        QVERIFY2(has(change.sentences.front(), "rank 1 became a straggler"), all_of(change));
        QVERIFY2(all_of(change).contains("ranks 4 to 7 became stragglers"), all_of(change));
    }

    void theStragglerIsAnother() {
        const auto slow = [](int which) {
            return job_with([which](int rank, int, Work& work) {
                work.gemm *= rank == which ? 1.3 + 0.002 * which : 1; // the same values would be a rank that moved
            });
        };
        const ChangeExplanation change = explained(slow(1), slow(2));
        QVERIFY2(has(change.sentences.front(), "takes as long as before"), all_of(change));
        QVERIFY2(has(change.sentences.front(), "rank 2 became a straggler") &&
                     has(change.sentences.front(), "rank 1 is a straggler no more") &&
                     has(change.sentences.front(), ", and the others wait for it"),
                 all_of(change));
    }

    /// Rank 3 is waited for more in both runs; what changed is the waiting for rank 1.
    void theRankWhoseWaitChangedIsNamed() {
        const auto job = [](double extra) {
            return job_with([extra](int rank, int step, Work& work) {
                // in turns the last one: rank 3 by 3 ms in even steps, rank 1 by `extra` in odd ones
                work.host += rank == 3 && step % 2 == 0 ? 3'000 : rank == 1 && step % 2 == 1 ? extra : 0;
            });
        };
        const ChangeExplanation change = explained(job(200), job(1'800));
        for (const Message& sentence : change.sentences)
            QVERIFY2(!has(sentence, "Waiting for ranks") || has(sentence, "most for rank 1"), all_of(change));
        QVERIFY2(all_of(change).contains("most for rank 1"), all_of(change));
    }

    /// Each of eight ranks is the last in turn; rank 1 comes three times as late, which is less than a third of it all.
    void nobodyIsNamedForAPartOfTheWaiting() {
        const auto job = [](double late) {
            Job made;
            made.ranks = 8;
            made.apply = [late](int rank, int step, Work& work) {
                work.host += step % 8 == rank ? late * (rank == 1 ? 3 : 1) : 0;
            };
            return made;
        };
        const ChangeExplanation change = explained(job(0), job(1'000));
        QVERIFY2(!all_of(change).contains("most for"), all_of(change));
    }

    void replacedKernelsAreToldTogether() {
        const Job after = job_with([](int, int, Work& work) {
            work.attention_name = "naive_softmax";
            work.attention = 4'200;
        });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(
            has(change.sentences.front(), "most by naive_softmax (4.200 ms) in place of flash_attention (3.000 ms)"),
            all_of(change));
        const Job same = job_with([](int, int, Work& work) { work.attention_name = "fused_attention"; });
        const ChangeExplanation renamed = explained({}, same);
        QVERIFY2(has(renamed.sentences.front(), "takes as long as before") &&
                     all_of(renamed).contains("Other kernels: fused_attention (3.000 ms) in place of flash_attention"),
                 all_of(renamed));
    }

    void settingsThatChangedComeFirst() {
        const auto card = [](const char* batch) {
            return RunConfig{{"workload.data.batch_size", batch}, {"workload.data.seq_len", "2048"}};
        };
        Job before;
        before.config = card("16");
        Job after = job_with([](int, int, Work& work) {
            work.gemm *= 2;
            work.attention *= 2;
        });
        after.config = card("32");
        const ChangeExplanation change = explained(before, after);
        // 10.11 -> 19.11 ms for twice the tokens: 5.5 % less each
        QVERIFY2(has(change.sentences.front(), " with batch_size 16 -> 32, and 5.5 % less for each token: computation"),
                 all_of(change));
        QCOMPARE(english(change.setup), (std::vector<std::string>{"batch_size 16 -> 32"}));
    }

    void aChangeWithinTheNoiseSaysSo() {
        const auto job = [](double factor, int from) {
            return job_with([factor, from](int, int step, Work& work) {
                work.gemm *= factor * (1 + 0.08 * ((3 * step + from) % 5 - 2)); // ± 1 ms
            });
        };
        const ChangeExplanation change = explained(job(1, 0), job(1.03, 2));
        // the same ups and downs in both runs are no noise
        QVERIFY2(!has(explained(job(1, 0), job(1.03, 0)).sentences.front(), "vary by"), "noise of both");
        QVERIFY2(!change.steps &&
                     has(change.sentences.front(), "which may be chance: the 95 % interval of the change is"),
                 all_of(change));
        QVERIFY2(
            !has(explained({}, job_with([](int, int, Work& work) { work.gemm *= 1.03; })).sentences.front(), "vary by"),
            "no noise");
    }

    /// Ranks whose kernels take 10 % more or less by chance, in each step anew.
    void noisyRanksAreNotAccused() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::mt19937_64 random(seed);
            std::normal_distribution<double> noise(1, 0.1);
            const auto noisy = [&] {
                Job job = job_with([&](int, int, Work& work) { work.gemm *= noise(random); });
                job.ranks = 8;
                return job;
            };
            const Job before = noisy();
            const Job after = noisy();
            const ChangeExplanation change = explained(before, after);
            QVERIFY2(change.slow_rank.empty() && !all_of(change).contains("Besides"), all_of(change));
        }
    }

    /// Of two ranks whose hosts keep the GPU waiting longer, neither is the only one.
    void onlyMeansTheOthersDidNotChange() {
        const Job after = job_with([](int rank, int, Work& work) { work.host += rank == 1 ? 4'000 : 1'500; });
        const ChangeExplanation change = explained({}, after);
        QVERIFY2(has(change.sentences.front(), "rank 1 became a straggler"), all_of(change));
        QVERIFY2(!all_of(change).contains("only on rank 1"), all_of(change));
    }

    void manyHealthyPairsAreNotAccused() {
        for (const int shift : {1, 2, 3, 4}) {
            Job after;
            after.first = 1 + shift; // other jitter, and steps that the baseline does not have
            const ChangeExplanation change = explained({}, after);
            QVERIFY2(change.sentences.size() == 3 && has(change.sentences.front(), "takes as long as before") &&
                         has(change.sentences.back(), "what both runs have is compared"),
                     all_of(change));
            QVERIFY(change.slow_rank.empty() && !change.steps);
        }
    }
};

RANKSCOPE_TEST(TestChangedSteps)

} // namespace rankscope::changed_steps_test

#include "test_changed_steps.moc"
