// SPDX-License-Identifier: GPL-3.0-or-later
// What is said against what is true: waiting worked out by hand, runs of two simulators that know nothing of the rules,
// and real traces whose kernels tell how long a step takes.
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/analysis/pipeline/pipeline_stages.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/report/json_report.h"
#include "core/run/run_analysis.h"
#include "core/views/pipeline_schedule.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/judge.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::explaining_test {

namespace {

namespace fs = std::filesystem;

const fs::path kTraces = fs::path(RANKSCOPE_SHARED_DIR) / "traces";

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string document_of(const std::shared_ptr<const Run>& run) {
    AnalysedRun analysed;
    analysed.analysis = std::make_shared<RunAnalysis>(run, Selection());
    const std::vector<std::string> ids{"straggler_lag", "pipeline_bubble"};
    analysed.metrics = compute_metrics(*analysed.analysis, ids);
    std::vector<AnalysedRun> runs{analysed};
    relate_runs(runs);
    return metrics_json(runs, {});
}

CollectiveCall call_of(const char* name, std::vector<int> ranks) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = 1024;
    call.group = {name, name, std::move(ranks), 2};
    return call;
}

/// Rank 0 computes until 80 us. Rank 1 waits for it in group a from 20 on, and only then comes to group b, where rank 2
/// has waited since 10.
RunAnalysis chain() {
    return RunAnalysis(make_run({TraceBuilder(0)
                                     .world_size(3)
                                     .kernel("gemm", 7, 0, 80)
                                     .collective("ncclDevKernel_AllReduce", 20, 80, 10, call_of("a", {0, 1})),
                                 TraceBuilder(1)
                                     .world_size(3)
                                     .kernel("gemm", 7, 0, 20)
                                     .collective("ncclDevKernel_AllReduce", 20, 20, 70, call_of("a", {0, 1}))
                                     .collective("ncclDevKernel_AllReduce", 20, 91, 10, call_of("b", {1, 2})),
                                 TraceBuilder(2)
                                     .world_size(3)
                                     .kernel("gemm", 7, 0, 10)
                                     .collective("ncclDevKernel_AllReduce", 20, 10, 91, call_of("b", {1, 2}))}),
                       {});
}

TimeNs charged(const ChargedWaits& rank, WaitCause cause, bool passed_on) {
    return (passed_on ? rank.passed_on : rank.direct)[static_cast<std::size_t>(cause)];
}

TimeNs sum_of(const Waiting& waiting) {
    TimeNs sum = waiting.unexplained;
    for (const ChargedWaits& rank : waiting.ranks)
        for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause)
            sum += rank.direct[cause] + rank.passed_on[cause];
    return sum;
}

/// Folders that are a run: find_runs() of the program.
std::vector<fs::path> all_runs(const fs::path& root) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::recursive_directory_iterator(root))
        if (entry.is_directory())
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

double step_ms(const fs::path& folder) {
    const auto run = load_run(folder);
    return run ? RunAnalysis(*run, {}).findings().step_time / 1e6 : 0;
}

} // namespace

class TestExplaining : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsAreChargedToWhereTheyBegan() {
        const RunAnalysis analysis = chain();
        const Waiting& waiting = analysis.waiting();
        QCOMPARE(waiting.total, TimeNs{60'000 + 81'000}); // of rank 1 in a, of rank 2 in b
        QCOMPARE(charged(waiting.ranks[0], WaitCause::computation, false), TimeNs{60'000}); // 20 to 80
        // Rank 2 waits 81 us for rank 1, which computed 10 us longer, was in a for 70 and on the way to b for 1. In a
        // it waited for 60, of which rank 0 computed 60 longer.
        QCOMPARE(charged(waiting.ranks[0], WaitCause::computation, true), TimeNs{60'000});
        QCOMPARE(charged(waiting.ranks[1], WaitCause::computation, false), TimeNs{10'000});
        QCOMPARE(charged(waiting.ranks[1], WaitCause::transfer, false), TimeNs{10'000});
        QCOMPARE(charged(waiting.ranks[1], WaitCause::gap, false), TimeNs{1'000}); // no launch is recorded
        const std::size_t b = waiting.origins[0].last == 1 ? 0 : 1;
        QCOMPARE(waiting.origins[b].rank, 0U);
        QCOMPARE(waiting.origins[b].cause, WaitCause::computation);
        QCOMPARE(waiting.victims(analysis.step_graph(), b), std::vector<std::uint32_t>{1});
        QCOMPARE(waiting.origins[1 - b].rank, 0U);
        QVERIFY(waiting.victims(analysis.step_graph(), 1 - b).empty());
        QCOMPARE(waiting.unexplained, TimeNs{0});
        QCOMPARE(sum_of(waiting), waiting.total);
    }

    /// Rank 0's host stops for 40 us and then computes as long as rank 1: the stop is to blame, not what came last.
    void theDelayIsToBlameAndNotWhatCameAfterIt() {
        const auto rank = [](int number, double stop) {
            TraceBuilder trace(number);
            trace.world_size(2);
            trace.launch(0, 2).kernel("gemm", 7, 4, 20);
            trace.launch(10 + stop, 2).kernel("gemm", 7, 30 + stop, 50);
            return trace.collective("ncclDevKernel_AllReduce", 20, 80 + stop, 50 - stop, call_of("a", {0, 1}));
        };
        const RunAnalysis analysis(make_run({rank(0, 40), rank(1, 0)}), {});
        const Waiting& waiting = analysis.waiting();
        QCOMPARE(waiting.total, TimeNs{40'000});
        QCOMPARE(sum_of(waiting), waiting.total);
        QCOMPARE(waiting.origins.front().rank, 0U);
        QVERIFY(charged(waiting.ranks[0], WaitCause::computation, false) == 0);
        QCOMPARE(waiting.origins.front().cause, WaitCause::host);
    }

    void whoPassesWaitingOnIsNotLate() {
        const auto late = chain().late_rank();
        QVERIFY(!late || late->rank == 0);
    }

    void chargesAddUpToTheNanosecond() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        int waited = 0;
        for (const fs::path& folder : all_runs(kTraces)) {
            const auto run = load_run(folder);
            if (!run)
                continue;
            const RunAnalysis analysis(*run, {});
            const Waiting& waiting = analysis.waiting();
            waited += waiting.total > 0 ? 1 : 0;
            QVERIFY2(sum_of(waiting) == waiting.total, folder.c_str());
            TimeNs of_calls = 0;
            for (const WaitOrigin& origin : waiting.origins)
                of_calls += origin.waited;
            QVERIFY2(of_calls == waiting.total, folder.c_str());
        }
        QVERIFY(waited >= 14); // ten simulated ones and the real ones with two ranks or more
    }

    /// Where the host runs ahead: the distance of the same kernels of consecutive steps, taken from the files by
    /// another program.
    void aStepLastsAsLongAsItsKernelsRepeat() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        const std::pair<const char*, double> kPeriods[] = {{"rccl_demo/37cu_384threads/torch_profiler", 22.0},
                                                           {"rccl_demo/56cu_256threads/torch_profiler", 19.15},
                                                           {"derived_sendrecv_4rank", 215.0}};
        for (const auto& [name, period] : kPeriods) {
            const double step = step_ms(kTraces / name);
            QVERIFY2(std::abs(step / period - 1) < 0.01, qPrintable(QStringLiteral("%1: %2").arg(name).arg(step)));
        }
    }

    /// One number for one thing: the transfer efficiency is the share of the step that free transfers leave.
    void transferEfficiencyIsWhatFreeTransfersLeave() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        const Change free = *parse_change("comm=0");
        int compared = 0;
        for (const char* const name :
             {"rccl_demo/32cu_512threads", "field_real/tugot17_llama_tp2", "nsys/two_h100_before.sqlite",
              "faults/healthy_eager_late_receiver", "faults/link_slow_fsdp", "field_cases/begin_end_events"}) {
            const auto run = load_run(kTraces / name);
            QVERIFY2(run, name);
            const RunAnalysis analysis(*run, {});
            const Prediction prediction = analysis.predict({&free, 1}).front();
            const EfficiencyTimes& mean = analysis.parallel_efficiency().mean;
            const double left = std::max(prediction.predicted / prediction.measured, mean.max_useful / mean.length);
            QVERIFY2(std::abs(mean.transfer() - left) < 0.001, name);
            QVERIFY2(std::abs(mean.length / prediction.measured - 1) < 0.02, name);
            ++compared;
        }
        QCOMPARE(compared, 6);
    }

    /// Another simulator's runs: each fault first among the faults, with its ranks and its cost within 5 %; nobody else
    /// accused; no wrong late rank.
    void runsOfAnotherSimulatorAreUnderstood() {
        if (!fs::is_directory(kTraces / "faults"))
            QSKIP("skipped: no shared traces");
        int runs = 0;
        for (const auto& entry : fs::directory_iterator(kTraces / "faults")) {
            if (!entry.is_directory())
                continue;
            ++runs;
            const auto run = load_run(entry.path());
            QVERIFY(run);
            const machine::Said said = machine::read_said(document_of(*run));
            const machine::Truth truth = machine::read_foreign_truth(text_of(entry.path().string() + ".truth.json"));
            const machine::Verdict verdict = machine::judge(truth, said);
            const QByteArray name = QByteArray::fromStdString(entry.path().filename().string());
            // The only group, inside one machine: nothing tells what its links carry.
            const bool not_judged = name == "link_slow_fsdp";
            QVERIFY2(truth.faults.empty() || not_judged || (verdict.first && std::abs(verdict.error) < 0.05), name);
            QVERIFY2(verdict.accusations.empty(), name);
            QVERIFY2(!verdict.wrong_late_rank, name);
        }
        QVERIFY(runs >= 10);
    }

    /// The same runs, each rank left out in turn: what single ranks and links cost is then a bound, because who waits
    /// for that rank is not seen.
    void withoutARankCostsAreBounds() {
        if (!fs::is_directory(kTraces / "faults"))
            QSKIP("skipped: no shared traces");
        for (const char* const name : {"network_card_slow_pp", "link_slow_from_step_5_of_7", "slow_rank_pp_inner"}) {
            const auto whole = load_run(kTraces / "faults" / name);
            QVERIFY(whole);
            for (std::size_t left_out = 0; left_out < (*whole)->ranks.size(); ++left_out) {
                auto part = std::make_shared<Run>(**whole);
                part->missing_ranks = {part->ranks[left_out]->rank};
                part->ranks.erase(part->ranks.begin() + static_cast<std::ptrdiff_t>(left_out));
                const RunAnalysis analysis(part, {});
                for (const Finding& finding : analysis.findings().list)
                    if (finding.cost > 0 &&
                        (finding.code == FindingCode::straggler || finding.code == FindingCode::slow_link))
                        QVERIFY2(finding.at_least || finding.at_most,
                                 (std::string(name) + ": " + english(finding.title)).c_str());
            }
        }
    }

    /// Rank 1's ten GEMMs take 2 us more each, its one attention kernel 15: the sentence is about GEMMs, which cost
    /// more together, and leads to one.
    void aFindingLeadsToWhatItNames() {
        const auto rank = [](int number) {
            TraceBuilder trace(number);
            trace.world_size(2);
            double at = 0;
            for (int i = 0; i < 10; ++i, at += number == 1 ? 12 : 10)
                trace.kernel("ampere_sgemm_128x64_tn", 7, at, number == 1 ? 12 : 10);
            trace.kernel("flash_fwd_kernel", 7, at, number == 1 ? 25 : 10);
            at += number == 1 ? 25 : 10;
            return trace.collective("ncclDevKernel_AllReduce", 20, at, 160 - at, call_of("a", {0, 1}));
        };
        const RunAnalysis analysis(make_run({rank(0), rank(1)}), {});
        const auto& list = analysis.findings().list;
        const auto slow = std::ranges::find(list, FindingCause::slower_kernels, &Finding::cause);
        QVERIFY(slow != list.end());
        QVERIFY2(english(slow->title).find("its gemm kernels take 1.20×") != std::string::npos,
                 english(slow->title).c_str());
        const FindingEvent& event = slow->events.front();
        QCOMPARE(analysis.run().ranks[event.rank]->event_name(event.event), std::string_view("ampere_sgemm_128x64_tn"));
    }

    /// The ideal bubble is that of the schedule that ran, and none where no formula holds.
    void schedulesAreToldByTheirMessagesAndPasses() {
        if (!fs::is_directory(kTraces / "faults"))
            QSKIP("skipped: no shared traces");
        struct Expected {
            const char* run;
            ScheduleKind kind;
            double ideal_percent; ///< 0: none
        };
        const Expected kExpected[] = {{"slow_rank_interleaved", ScheduleKind::interleaved, 15.789473684210526},
                                      {"healthy_zero_bubble", ScheduleKind::zero_bubble, 0},
                                      {"slow_rank_pp_inner", ScheduleKind::one_f_one_b, 33.33333333333333},
                                      {"healthy_eager_late_receiver", ScheduleKind::one_f_one_b, 14.285714285714285}};
        for (const Expected& expected : kExpected) {
            const auto run = load_run(kTraces / "faults" / expected.run);
            QVERIFY(run);
            const RunAnalysis analysis(*run, {});
            const PipelineAnalysis& pipeline = analysis.pipeline();
            QVERIFY2(pipeline.schedule == expected.kind, expected.run);
            QVERIFY2(std::abs(100 * pipeline.ideal.value_or(0) - expected.ideal_percent) < 1e-9, expected.run);
        }
    }

    /// pp lies inside dp here: the mesh's usual order would call ranks 0 and 1 the first stage.
    void stagesComeFromTheRecordedGroups() {
        if (!fs::is_directory(kTraces / "faults"))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(kTraces / "faults/healthy_head_pp_inner");
        QVERIFY(run);
        const RunAnalysis analysis(*run, {});
        QVERIFY(analysis.pipeline().stage_method == StageMethod::groups ||
                analysis.pipeline().stage_method == StageMethod::messages);
        QCOMPARE(analysis.pipeline().stages, (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
        const std::vector<PipelineReplica> pipelines = pipeline_replicas(analysis);
        QCOMPARE(pipelines.size(), std::size_t{2});
        QCOMPARE(pipelines[0].ranks, (std::vector<std::uint32_t>{0, 1, 2, 3}));
        QCOMPARE(pipelines[1].ranks, (std::vector<std::uint32_t>{4, 5, 6, 7}));
    }

    /// Two pipelines, 0 to 1 and 2 to 3, of which rank 2 has no trace: that 3 is the second stage is told by the sum
    /// that it makes with 1. The order of ranks would say that 0 and 1 are one stage.
    void stagesOfRanksWithoutTheirPartnersAreThoseOfTheirGroups() {
        const auto sent = [](int from, int to, bool sends) {
            CollectiveCall call;
            call.collective = sends ? "send" : "recv";
            call.in_elements = call.out_elements = 1024;
            call.group = {"p" + std::to_string(from), "undefined", {from, to}, 2};
            (sends ? call.destination_rank : call.source_rank) = sends ? to : from;
            return call;
        };
        const char* const kKernel = "ncclDevKernel_SendRecv";
        const RunAnalysis analysis(
            make_run({TraceBuilder(0)
                          .world_size(4)
                          .kernel("gemm", 7, 0, 50)
                          .collective(kKernel, 20, 50, 10, sent(0, 1, true)),
                      TraceBuilder(1)
                          .world_size(4)
                          .collective(kKernel, 20, 40, 20, sent(0, 1, false))
                          .kernel("gemm", 7, 60, 50)
                          .collective("ncclDevKernel_AllReduce", 21, 110, 10, call_of("d", {1, 3})),
                      TraceBuilder(3)
                          .world_size(4)
                          .collective(kKernel, 20, 40, 20, sent(2, 3, false))
                          .kernel("gemm", 7, 60, 50)
                          .collective("ncclDevKernel_AllReduce", 21, 110, 10, call_of("d", {1, 3}))}),
            {});
        const PipelineStages stages = pipeline_stages(analysis.run(), analysis.collectives(), 2);
        QCOMPARE(stages.method, StageMethod::messages);
        QCOMPARE(stages.stage, (std::vector<int>{0, 1, 1}));
    }

    void whatCannotBeJudgedIsSaid() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(kTraces / "sglang_decode");
        QVERIFY(run);
        const RunAnalysis analysis(*run, {});
        const Findings& findings = analysis.findings();
        QVERIFY(!findings.judged.ranks && !findings.judged.links && findings.judged.host);
        QVERIFY(findings.judged.not_judged.size() >= 2);
        QVERIFY(english(findings.summary).find("Not judged: ranks and links.") != std::string::npos);
        // For 463 of the 474 ms the GPU works off what was queued before the recording: that is no idle time.
        QVERIFY(std::ranges::none_of(findings.list, [](const Finding& f) { return f.code == FindingCode::gpu_idle; }));
        QVERIFY(analysis.facts().fill.step_ns < 11e6);
    }

    /// Without GPU events nothing is said of a GPU.
    void nothingIsSaidOfAGpuThatRecordedNothing() {
        const RunAnalysis analysis(make_run({TraceBuilder(0).cpu_op("aten::add", 0, 10)}), {});
        const Findings& findings = analysis.findings();
        QVERIFY(findings.list.empty() && !findings.healthy);
        QVERIFY(!findings.judged.ranks && !findings.judged.links && !findings.judged.host);
    }

    void healthyMachinesAreNotAccused() {
        const QTemporaryDir folder;
        int accused = 0;
        int late = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            const fs::path path = fs::path(folder.path().toStdString()) / std::to_string(seed);
            const machine::Case made = machine::make_case(seed, true);
            QVERIFY2(made.error.empty(), made.error.c_str());
            fs::create_directories(path);
            machine::write_traces(made.job, made.simulated.program, made.simulated.execution, made.recording, path);
            const auto run = load_run(path);
            QVERIFY(run);
            const machine::Said said = machine::read_said(document_of(*run));
            const machine::Verdict verdict = machine::judge(made.truth, said);
            accused += verdict.accusations.empty() ? 0 : 1;
            late += verdict.wrong_late_rank ? 1 : 0;
        }
        QCOMPARE(accused, 0);
        QCOMPARE(late, 0);
    }
};

RANKSCOPE_TEST(TestExplaining)

} // namespace rankscope::explaining_test

#include "test_explaining.moc"
