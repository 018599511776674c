// SPDX-License-Identifier: GPL-3.0-or-later
// What a serving engine's host did while the GPU waited, worked out by hand.
#include <QtTest>

#include <algorithm>
#include <map>
#include <string>

#include "core/analysis/serving/host_waits.h"
#include "core/analysis/serving/serving_words.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::host_waits_test {

namespace {

using ByName = std::map<std::string, TimeNs>;

ByName by_name(const std::vector<HostWait>& waits) {
    ByName result;
    for (const HostWait& wait : waits)
        result[std::string(wait.name)] += wait.time;
    return result;
}

/// Four decode steps, 1000 us apart. The GPU computes 610 us of each step, launched at 250 us. Until
/// then the host schedules (from 50 to 150 us), prepares (150 to 230, of that 20 in a range inside) and starts the
/// forward pass (230 to 260). It ends the step before in no range at all.
TraceBuilder engine(bool with_ranges, bool with_stacks = false) {
    TraceBuilder rank(0);
    for (int step = 0; step < 4; ++step) {
        const double host = 1'000 * (step + 1);
        rank.annotation("execute_context_0(0)_generation_8(8)", host, 990);
        if (with_stacks)
            rank.python("gpu_model_runner.py(3380): execute_model", host + 1, 900);
        if (with_ranges) {
            rank.annotation("schedule: allocate_slots", host + 50, 100);
            rank.annotation("gpu_model_runner: preprocess", host + 150, 80);
            rank.annotation("gpu_model_runner: eplb", host + 160, 20);
            rank.annotation("gpu_model_runner: forward", host + 230, 30);
            rank.annotation("not the engine's", host + 50, 100);
        }
        rank.launch(host + 250, 5).kernel("flash_fwd_kernel", 7, host + 260, 610);
    }
    return rank;
}

} // namespace

class TestHostWaits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theInnermostRangeCounts() {
        TraceBuilder rank(0);
        rank.annotation("scheduler.run_batch", 0, 100);
        rank.annotation("cuda_graph_runner.replay", 20, 30);
        rank.annotation("tp_worker.batch_init_new", 40, 80); // another thread: ends after what it started in
        rank.annotation("scheduler.recv_requests", 200, 10);
        rank.launch(1, 1).kernel("k", 7, 5, 1); // the trace starts at 0
        const auto run = make_run({rank});
        const std::vector<HostRange> ranges = engine_ranges(*run->ranks[0]);
        QVERIFY(std::ranges::is_sorted(ranges, {}, [](const HostRange& r) { return r.range.begin; }));
        const TimeNs zero = ranges.front().range.begin;
        const auto waits = [&](TimeNs begin_us, TimeNs end_us) {
            return by_name(host_waits(ranges, {{zero + 1'000 * begin_us, zero + 1'000 * end_us}}));
        };
        QCOMPARE(waits(0, 250), (ByName{{"scheduler.run_batch", 20'000},
                                        {"cuda_graph_runner.replay", 20'000},
                                        {"tp_worker.batch_init_new", 80'000},
                                        {"scheduler.recv_requests", 10'000},
                                        {"", 120'000}}));
        QCOMPARE(waits(45, 50), (ByName{{"tp_worker.batch_init_new", 5'000}}));
        QCOMPARE(waits(130, 140), (ByName{{"", 10'000}}));
        QVERIFY(host_waits(ranges, {}).empty());
        QCOMPARE(by_name(host_waits({}, {{3, 8}})), (ByName{{"", 5}}));
    }

    /// From 870 us of a step to 250 of the next the GPU waits for a launch: 380 us of a step of 1000.
    void aStepSaysWhatTheGpuWaitedFor() {
        const RunAnalysis analysis(make_run({engine(true)}), {});
        const ServedStep& step = analysis.served_steps()[0][1];
        QCOMPARE(step.cycle.length(), TimeNs{1'000'000});
        QCOMPARE(step.part(StepPart::host), TimeNs{380'000});
        QCOMPARE(step.part(StepPart::gaps), TimeNs{10'000});
        QCOMPARE(by_name(step.host_waits), (ByName{{"schedule: allocate_slots", 100'000},
                                                   {"gpu_model_runner: preprocess", 60'000},
                                                   {"gpu_model_runner: eplb", 20'000},
                                                   {"gpu_model_runner: forward", 20'000},
                                                   {"", 180'000}}));
        // The first step has no step before, so 3 x 380 us of 3610.
        const std::vector<PhaseSummary> phases = summarise_phases(analysis.served_steps());
        QCOMPARE(phases.front().waits.front().range, std::string());
        QCOMPARE(phases.front().waits[1].range, std::string("schedule: allocate_slots"));
        QCOMPARE(phases.front().waits[1].mean_us, 75.0);
        const std::string text = english(serving_sentences(phases).front());
        QVERIFY2(text.find("waiting for the host to launch 32 % (in no range of the engine 15 %, in schedule: "
                           "allocate_slots 8 %, in gpu_model_runner: preprocess 5 %)") != std::string::npos,
                 text.c_str());
        QVERIFY(host_sentences(analysis.run(), phases).empty());
        const Json details = find_metric("serving_throughput")->compute(analysis).details;
        const Json& waits = details["phases"][0]["host_waits"];
        QVERIFY(waits[0]["range"].is_null());
        QCOMPARE(waits[1]["range"].get<std::string>(), std::string("schedule: allocate_slots"));
        QCOMPARE(waits[1]["mean_us"].get<double>(), 75.0);
    }

    void whatIsNotRecordedIsNotKnown() {
        const RunAnalysis analysis(make_run({engine(false, true)}), {});
        const std::vector<PhaseSummary> phases = summarise_phases(analysis.served_steps());
        const std::string text = english(serving_sentences(phases).front());
        QVERIFY2(text.find("waiting for the host to launch 32 %") != std::string::npos, text.c_str());
        QVERIFY2(text.find("range") == std::string::npos, text.c_str());
        const std::vector<Message> sentences = host_sentences(analysis.run(), phases);
        QCOMPARE(sentences.size(), 2UL);
        QVERIFY(english(sentences[0]).starts_with("Python stacks are recorded."));
        QVERIFY(english(sentences[1]).find("is not known, because the engine recorded no ranges") != std::string::npos);
    }
};

RANKSCOPE_TEST(TestHostWaits)

} // namespace rankscope::host_waits_test

#include "test_host_waits.moc"
