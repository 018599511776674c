// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of serving engines: counts in their names, where their time goes, requests beside the trace, two runs in words.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/analysis/findings/findings.h"
#include "core/analysis/serving/serving_words.h"
#include "core/compare/change_explanation.h"
#include "core/compare/equal_batches.h"
#include "core/compare/gate.h"
#include "core/compare/run_comparison.h"
#include "core/compare/serving_comparison.h"
#include "core/input/find/run_config.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "core/trace/engine_steps.h"
#include "core/trace/run_settings.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::serving_test {

namespace {

constexpr std::int64_t kNone = kUnknown;

/// Steps of 2 ms on the host; on the GPU each computes for `compute_ms` after a gap of `gap_ms` that it was launched
/// before.
TraceBuilder decoding(int steps, double compute_ms, double gap_ms, int requests = 8) {
    TraceBuilder rank(0);
    double gpu = 5'000;
    for (int k = 0; k < steps; ++k) {
        const double host = 2'500.0 * k;
        const double jitter = k % 2 == 0 ? 0 : 1; // us
        rank.annotation("execute_context_0(0)_generation_" + std::to_string(requests) + "(" + std::to_string(requests) +
                            ")",
                        host, 2'000);
        rank.launch(host + 100, 10).kernel("step", 7, gpu + gap_ms * 1000, compute_ms * 1000 + jitter);
        gpu += (compute_ms + gap_ms) * 1000 + jitter;
    }
    return rank;
}

struct Engine {
    double decode_attention = 300; ///< us a layer
    double prefill_attention = 500;
    double gemm = 400;
    int requests = 8;
    double pause = 50;        ///< us on the host between two steps
    bool graphs = true;       ///< decode steps are one launch each
    double before_launch = 0; ///< us of the host before each launch
    int prefill_every = 6;
    std::int64_t context = 1'000; ///< tokens of a request that decodes
};

/// A prefill step, then decode steps, and so on, of four layers (gemm and attention); the host waits for each step.
std::shared_ptr<const Run> engine_run(const Engine& engine, int steps = 36) {
    constexpr int kLayers = 4;
    TraceBuilder rank(0);
    double host = 0;
    std::int64_t correlation = 1;
    for (int k = 0; k < steps; ++k) {
        const bool prefill = k % engine.prefill_every == 0;
        const double begin = host;
        const std::string requests = std::to_string(engine.requests);
        const std::int64_t attended = engine.requests * engine.context;
        const std::string name =
            prefill ? "execute_512_context_1(sq512sk512sqsq262144sqsk131328)_generation_0(sq0sk0sqsq0sqsk0)"
                    : "execute_" + requests + "_context_0(sq0sk0sqsq0sqsk0)_generation_" + requests + "(sq" + requests +
                          "sk" + std::to_string(attended) + "sqsq" + requests + "sqsk" + std::to_string(attended) + ")";
        double gpu = host;
        const bool graph = engine.graphs && !prefill;
        if (graph) {
            host += engine.before_launch;
            rank.launch(host, 10, "cudaGraphLaunch").correlation(correlation);
            gpu = host + 15;
        }
        for (int layer = 0; layer < kLayers; ++layer)
            for (const bool attention : {false, true}) {
                if (!graph) {
                    ++correlation;
                    host += engine.before_launch;
                    rank.launch(host, 10).correlation(correlation);
                    host += 10;
                    gpu = std::max(gpu, host + 5);
                }
                const double jitter = (k * 7 + layer) % 3 - 1; // us
                const double time = (!attention ? engine.gemm * (prefill ? 3 : 1)
                                     : prefill  ? engine.prefill_attention
                                                : engine.decode_attention) +
                                    jitter;
                rank.kernel(attention ? "paged_attention" : "gemm_w4a16", 7, gpu, time).correlation(correlation);
                gpu += time + 2;
            }
        ++correlation;
        rank.runtime("cudaStreamSynchronize", host + 10, gpu - host);
        rank.annotation(name, begin, gpu + 3 - begin);
        host = gpu + 3 + engine.pause + (k % 2);
        ++correlation;
    }
    return make_run({rank});
}

/// One step of an engine whose host waits for its GPU.
struct MadeStep {
    std::string name;
    double work_us = 0;
    double pause_us = 0; ///< before it
    int kernels = 1;
};

/// A rank that runs these steps, 100 us of scheduling between them.
TraceBuilder serving(const std::vector<MadeStep>& steps, int number = 0) {
    TraceBuilder rank(number);
    double host = 1'000;
    for (const MadeStep& step : steps) {
        host += step.pause_us;
        const double each = step.work_us / step.kernels;
        double gpu = host + 10;
        for (int k = 0; k < step.kernels; ++k) {
            rank.launch(host + k, 1).kernel(step.kernels > 1 ? "decode" : "prefill", 7, gpu, each);
            gpu += each;
        }
        rank.runtime("cudaStreamSynchronize", host + 50, gpu - host - 49);
        rank.annotation(step.name, host, gpu - host + 2);
        host = gpu + 102;
    }
    return rank;
}

MadeStep prefill(int tokens) {
    return {fmt::format("execute_context_1({})_generation_0(0)", tokens), 10.0 * tokens, 0, 1};
}
MadeStep decode(int requests, double work_us, double pause_us = 0) {
    return {fmt::format("execute_context_0(0)_generation_{0}({0})", requests), work_us, pause_us, 10};
}
void append(std::vector<MadeStep>& steps, std::size_t count, const MadeStep& step) {
    steps.insert(steps.end(), count, step);
}

const Finding* finding_of(const RunAnalysis& analysis, FindingCode code) {
    const auto& list = analysis.findings().list;
    const auto found = std::ranges::find(list, code, &Finding::code);
    return found == list.end() ? nullptr : &*found;
}

/// What is read of these files beside a trace.
Run read_beside(const std::vector<std::pair<std::string, std::string>>& files) {
    QTemporaryDir folder;
    const std::filesystem::path at = folder.path().toStdString();
    for (const auto& [name, text] : files)
        std::ofstream(at / name) << text;
    Run run = *make_run({decoding(3, 8, 2)});
    read_run_config(at, run);
    return run;
}
MetricResult metric_of(const Run& run, std::string_view id) {
    return find_metric(id)->compute(RunAnalysis(std::make_shared<const Run>(run), {}));
}

bool says(const std::vector<Message>& sentences, const std::string& words) {
    return std::ranges::any_of(
        sentences, [&](const Message& s) { return english(s).find(words) != std::string::npos; });
}

QByteArray joined(const std::vector<Message>& sentences) {
    std::string all;
    for (const Message& sentence : sentences)
        all += english(sentence) + "\n";
    return QByteArray::fromStdString(all);
}

} // namespace

class TestServing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesTellRequestsAndTokens_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("phase");
        QTest::addColumn<qint64>("prompts");
        QTest::addColumn<qint64>("prompt_tokens");
        QTest::addColumn<qint64>("generating");
        QTest::addColumn<qint64>("generated");
        QTest::addColumn<qint64>("attended"); // of decoding requests: sum of q k
        const auto row = [](const char* name, const char* phase, qint64 prompts, qint64 prompt_tokens,
                            qint64 generating, qint64 generated, qint64 attended = kNone) {
            QTest::newRow(name) << name << phase << prompts << prompt_tokens << generating << generated << attended;
        };
        row("execute_context_2(512)_generation_7(7)", "mixed", 2, 512, 7, 7);
        row("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)", "decode", 0, 0, 32, 32,
            55086);
        row("execute_6147_context_2(sq6144sk7144sqsq20971520sqsk23019520)_generation_3(sq3sk6144sqsq3sqsk6144)",
            "mixed", 2, 6144, 3, 3, 6144);
        row("execute_context_1", "prefill", 1, kNone, kNone, kNone);
        row("step[DECODE bs=64]", "decode", 0, 0, 64, 64);
        row("step[DECODE bs=64 g_sq=128 g_sqsq=256 g_sqsk=262144 g_sk=131072]", "verify", 0, 0, 64, 128, 262144);
        row("step[EXTEND bs=2 toks=14721]", "prefill", 2, 14721, 0, 0, 0);
        row("step[MIXED bs=2 c=1 g=1 c_sq=5 c_sk=8 c_sqsq=25 c_sqsk=40 g_sq=1 g_sk=12 g_sqsq=1 g_sqsk=12]", "mixed", 1,
            5, 1, 1, 12);
        row("step[MIXED bs=2]", "mixed", 2, kNone, kNone, kNone);
        row("prefill[bs=2 tok=14721 ctx=[7803, 6918]]", "prefill", 2, 14721, 0, 0, 0);
        row("decode[bs=117/128 tok=117 d=117]", "decode", 0, 0, 117, 117);
        row("decode[bs=32 tok=128 d=32 spec=3 sqsq=512 sqsk=262144 sk=65536]", "verify", 0, 0, 32, 128, 262144);
        row("step[TARGET_VERIFY bs=8]", "verify", 0, 0, 8, kNone);
        row("step[TARGET_VERIFY bs=8 g_sq=32 g_sqsq=128 g_sqsk=32000 g_sk=8000]", "verify", 0, 0, 8, 32, 32000);
        row("step[DRAFT_EXTEND_V2 bs=2 c_sq=5 c_sqsq=13 c_sqsk=93 c_sk=35]", "draft", kNone, kNone, kNone, kNone);
        row("scheduler.run_batch", "unknown", kNone, kNone, kNone, kNone);
        row("[Executor] _forward_step 7: 1 ctx reqs, 31 gen reqs", "mixed", 1, kNone, 31, 31);
        row("[Executor] _forward_step 7: 1 ctx reqs, 512 ctx tokens, 0 gen reqs", "prefill", 1, 512, 0, 0);
        row("[Executor] _forward_step 7: 2 ctx reqs, 640 ctx tokens, 31 gen reqs", "mixed", 2, 640, 31, 31);
        row("[Executor] _forward_step 60000: 0 ctx reqs, 0 ctx tokens, 32 gen reqs", "decode", 0, 0, 32, 32);
        row("[Executor] _forward_step: 1 ctx reqs, 0 gen reqs", "prefill", 1, kNone, 0, 0);
        row("_forward_step: 0 ctx reqs, 9 gen reqs", "decode", 0, 0, 9, 9);
        row("[Executor] _forward_step 8: 0 ctx reqs, 32 gen reqs", "decode", 0, 0, 32, 32);
        row("execute_context_0(0)_generation_8(32)", "verify", 0, 0, 8, 32);
        row("execute_new_2_cached_7", "mixed", 2, kNone, 7, 7);
        row("execute_new_0_cached_7", "decode", 0, 0, 7, 7);
        row("execute_new_2_cached_0", "prefill", 2, kNone, 0, 0);
        row("execute_diffusion_2", "diffusion", kNone, kNone, kNone, kNone);
    }
    void namesTellRequestsAndTokens() {
        QFETCH(QString, name);
        QFETCH(QString, phase);
        QFETCH(qint64, prompts);
        QFETCH(qint64, prompt_tokens);
        QFETCH(qint64, generating);
        QFETCH(qint64, generated);
        QFETCH(qint64, attended);
        const auto step = engine_step_name(EventKind::annotation, name.toStdString());
        QVERIFY(step);
        QCOMPARE(QString::fromStdString(std::string(engine_phase_word(step->phase))), phase);
        QCOMPARE(qint64{step->context.requests}, prompts);
        QCOMPARE(qint64{step->context.q}, prompt_tokens);
        QCOMPARE(qint64{step->generation.requests}, generating);
        QCOMPARE(qint64{step->generation.q}, generated);
        QCOMPARE(qint64{step->generation.qk}, attended);
    }

    void otherNamesAreNoSteps() {
        for (const char* name :
             {"prefill", "decode[3]", "decode[bs=3", "[Executor] _forward_step x", "[Executor] _forward_step 7: many",
              "prefill[x]", "[Executor] _forward_step 7", "[Executor] _forward_step 7: 512 ctx tokens, 1 gen reqs",
              "_forward_step", "[Executor] _forward_step 7: 1 ctx reqs", "scheduler.run_batch2", "step[7DECODE bs=1]",
              "_forward_step: -1 ctx reqs, 9223372036854775807 gen reqs", "execute_new_2", "execute_new_2_cached_7x",
              "execute_diffusion"})
            QVERIFY2(!engine_step_name(EventKind::annotation, name), name);
    }

    /// 4 ms of work in two kernels; 1 ms before the second is launched and 0.5 ms after; then a copy of 0.5 ms, half of
    /// it hidden, and communication of 2 ms, 1.5 of it exposed.
    void theTimeOfAStepAddsUp() {
        TraceBuilder rank(0);
        rank.annotation("step[DECODE bs=4]", 0, 1'000).launch(100, 10).kernel("k", 7, 1'000, 1'000);
        rank.annotation("step[DECODE bs=4]", 2'000, 8'000);
        rank.launch(3'000, 10).kernel("k", 7, 3'500, 2'000); // 2.0 .. 3.0 host, 3.0 .. 3.5 gap
        rank.launch(3'100, 10).memory_copy("Memcpy DtoH", 8, 5'250, 500);
        rank.launch(3'200, 10).kernel("ncclDevKernel_AllReduce", 9, 5'750, 2'000);
        rank.launch(3'300, 10).kernel("k", 7, 7'250, 500);
        const auto run = make_run({rank});
        const RunAnalysis analysis(run, {});
        const std::vector<ServedStep>& steps = analysis.served_steps()[0];
        QCOMPARE(steps.size(), std::size_t{2});
        const ServedStep& step = steps[1];
        QCOMPARE(step.cycle.length(), TimeNs{5'750'000}); // 2.0 .. 7.75 ms
        QCOMPARE(step.between, TimeNs{1'500'000});
        QCOMPARE(step.part(StepPart::kernels), TimeNs{2'500'000});
        QCOMPARE(step.part(StepPart::communication), TimeNs{1'500'000});
        QCOMPARE(step.part(StepPart::copies), TimeNs{250'000});
        QCOMPARE(step.part(StepPart::host), TimeNs{1'000'000});
        QCOMPARE(step.part(StepPart::gaps), TimeNs{500'000});
        QCOMPARE(step.busy, TimeNs{4'250'000});
        QCOMPARE(step.stall(), StepPart::communication);
        QCOMPARE(step.requests(), std::int64_t{4});
        // Of the first step nothing is known before its own work.
        QCOMPARE(steps[0].cycle.length(), TimeNs{1'000'000});
    }

    void tokensAreNotCountedWhereAPartIsNotTold() {
        const auto tokens = [](const char* name) {
            return std::int64_t{engine_step_name(EventKind::annotation, name)->tokens()};
        };
        QCOMPARE(tokens("[Executor] _forward_step 7: 2 ctx reqs, 640 ctx tokens, 31 gen reqs"), std::int64_t{671});
        QCOMPARE(tokens("[Executor] _forward_step 7: 2 ctx reqs, 31 gen reqs"), kNone); // not 31
        QCOMPARE(tokens("[Executor] _forward_step 8: 0 ctx reqs, 32 gen reqs"), std::int64_t{32});
        QCOMPARE(tokens("execute_context_2(512)_generation_7(7)"), std::int64_t{519});
        QCOMPARE(tokens("step[EXTEND bs=2]"), kNone);
        QCOMPARE(tokens("step[TARGET_VERIFY bs=2]"), kNone);
        // A mean, and a rate, of steps that do not say is no number.
        std::vector<MadeStep> steps;
        append(steps, 6, {"[Executor] _forward_step 1: 2 ctx reqs, 8 gen reqs", 6'000, 0, 10});
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const PhaseSummary phase = summarise_phases(analysis.served_steps()).front();
        QCOMPARE(phase.requests, 10.0);
        QVERIFY(std::isnan(phase.tokens) && std::isnan(phase.prompt_tokens_per_second));
        // 48 tokens in five steps of 6.112 ms and a first one of 6.
        QVERIFY(std::abs(phase.generated_tokens_per_second - 48 / (5 * 0.006'112 + 0.006)) < 1);
        // 8 requests a step receive a token: 6.112 ms from end to end, and 6 ms of the first.
        const MetricResult rate = find_metric("serving_throughput")->compute(analysis);
        QVERIFY2(std::abs(rate.value - 48 / (5 * 0.006'112 + 0.006)) < 1, std::to_string(rate.value).c_str());
    }

    /// An iteration of SGLang with drafts: three passes that draft, one that verifies, one of the drafting model. Each
    /// pass launches a kernel; between iterations the host waits for the GPU and does nothing for 100 us.
    static TraceBuilder drafting(bool marked_around, int iterations = 8) {
        TraceBuilder rank(0);
        double host = 1'000;
        for (int k = 0; k < iterations; ++k) {
            const double begin = host;
            double gpu = host + 20;
            const auto pass = [&](const char* name, double work) {
                rank.annotation(name, host, 12).launch(host + 1, 5).kernel("forward", 7, gpu, work);
                host += 15;
                gpu += work;
            };
            for (int draft = 0; draft < 3; ++draft)
                pass("step[DECODE bs=8]", 160);
            pass("step[TARGET_VERIFY bs=8]", 4'000);
            pass("step[DRAFT_EXTEND_V2 bs=8]", 240);
            rank.runtime("cudaStreamSynchronize", host, gpu - host);
            if (marked_around)
                rank.annotation("scheduler.run_batch", begin - 2, gpu + 5 - (begin - 2));
            host = gpu + 100;
        }
        return rank;
    }

    void draftsAndTheirCheckAreOneStep() {
        for (const bool marked_around : {true, false}) {
            const auto run = make_run({drafting(marked_around)});
            const RunAnalysis analysis(run, {});
            QCOMPARE(analysis.served_steps()[0].size(), std::size_t{8});
            QCOMPARE(run->ranks[0]->steps.size(), std::size_t{8});
            const ServedStep& step = analysis.served_steps()[0][3];
            QVERIFY(step.step.phase == EnginePhase::verify);
            QCOMPARE(step.requests(), std::int64_t{8});
            QVERIFY(std::isnan(step.generated()));
            QCOMPARE(step.gpu_events, std::uint32_t{5});
            QCOMPARE(step.busy, TimeNs{4'720'000}); // 3 x 160 + 4000 + 240 us
            // 20 us until the first kernel, 4720 of work, 100 until the next iteration.
            for (const char* id : {"inter_token_latency", "iter_time"}) {
                const MetricResult time = find_metric(id)->compute(analysis);
                QVERIFY2(std::abs(time.value - 4.84) < 1e-6, (id + std::to_string(time.value)).c_str());
            }
            for (const char* id : {"serving_throughput", "tpot"}) {
                const MetricResult untold = find_metric(id)->compute(analysis);
                QVERIFY(!untold.available);
                QVERIFY2(english(untold.reason).find("speculative") != std::string::npos,
                         english(untold.reason).c_str());
            }
            QVERIFY(finding_of(analysis, FindingCode::engine_pauses) == nullptr);
        }
        // Drafts in a graph have no marks: the check still says nothing of what is received.
        std::vector<MadeStep> steps;
        append(steps, 6, {"step[TARGET_VERIFY bs=8]", 4'000, 0, 10});
        QVERIFY(!find_metric("serving_throughput")->compute(RunAnalysis(make_run({serving(steps)}), {})).available);
    }

    /// A step of 8 requests gives 8 x 2.5 = 20 tokens. Six steps: the first takes 4 ms, the others 4.112.
    void acceptedDraftsAreCountedByTheirMean() {
        std::vector<MadeStep> steps;
        append(steps, 6, {"step[TARGET_VERIFY bs=8]", 4'000, 0, 10});
        Run run = *make_run({serving(steps)});
        for (const char* id : {"serving_throughput", "tpot"}) {
            const MetricResult refused = metric_of(run, id);
            QVERIFY(!refused.available && !refused.details.contains("acceptance_length"));
            QVERIFY(english(refused.reason).find(kAcceptanceLengthOfCard) != std::string::npos);
        }
        QVERIFY(says(acceptance_sentences(run.config, RunAnalysis(std::make_shared<const Run>(run), {}).served_steps()),
                     "generated tokens are not counted"));
        run.config["benchmark.accept_length"] = "3";
        run.config[kAcceptanceLengthOfCard] = "2.5"; // the user's own word goes first
        const auto told = std::make_shared<const Run>(run);
        const RunAnalysis analysis(told, {});
        QCOMPARE(analysis.served_steps()[0][2].generated(), 20.0);
        const MetricResult rate = metric_of(run, "serving_throughput");
        QVERIFY2(std::abs(rate.value - 120 / (5 * 0.004'112 + 0.004)) < 1e-6, std::to_string(rate.value).c_str());
        const MetricResult tpot = metric_of(run, "tpot");
        QVERIFY2(std::abs(tpot.value - 4.112 / 2.5) < 1e-6, std::to_string(tpot.value).c_str());
        for (const MetricResult& metric : {rate, tpot})
            QCOMPARE(metric.details["acceptance_length"],
                     Json({{"tokens_per_request_and_step", 2.5}, {"source", kAcceptanceLengthOfCard}}));
        // Requests still wait for a whole step, and then have several tokens at once.
        QVERIFY(std::abs(metric_of(run, "inter_token_latency").value - 4.112) < 1e-6);
        QVERIFY(says(acceptance_sentences(run.config, analysis.served_steps()), "2.5 tokens per request and step"));
        run.config.erase(kAcceptanceLengthOfCard);
        QVERIFY(std::abs(metric_of(run, "tpot").value - 4.112 / 3) < 1e-6);
    }

    /// Two verifying steps of 4.112 ms and two decoding ones of 2.112 ms, of one request each, after the first:
    /// (2 x 4.112 + 2 x 2.112) / (2 x 2.5 + 2 x 1) ms a token. A step gives no more tokens than it computes.
    void plainStepsBetweenDraftsGiveOneToken() {
        std::vector<MadeStep> steps{{"execute_context_0(0)_generation_1(1)", 2'000, 0, 10}};
        append(steps, 2, {"execute_context_0(0)_generation_1(4)", 4'000, 0, 10});
        append(steps, 2, {"execute_context_0(0)_generation_1(1)", 2'000, 0, 10});
        Run run = *make_run({serving(steps)});
        run.config[kAcceptanceLengthOfCard] = "2.5";
        const MetricResult tpot = metric_of(run, "tpot");
        QVERIFY2(std::abs(tpot.value - (2 * 4.112 + 2 * 2.112) / 7) < 2e-6, std::to_string(tpot.value).c_str());
        run.config[kAcceptanceLengthOfCard] = "6";
        const RunAnalysis capped(std::make_shared<const Run>(run), {});
        QCOMPARE(capped.served_steps()[0][1].generated(), 4.0);
        QCOMPARE(capped.served_steps()[0][3].generated(), 1.0);
    }

    void acceptanceLengthsAreReadBesideTheTrace() {
        const auto length_of = [](const Run& run) {
            const auto found = acceptance_length_of(run.config);
            return found ? fmt::format("{} {}", found->value, found->key) : std::string();
        };
        const auto card = [](const std::string& value) {
            return "workload: {model: {phase: inference}}\nModel-executor: {speculative_decoding: "
                   "{acceptance_length: " +
                   value + "}}\n";
        };
        QCOMPARE(length_of(read_beside({{"card.yaml", card("2.5")}})), std::string("2.5 ") + kAcceptanceLengthOfCard);
        for (const char* value : {"0.5", "65", "many", ".nan"}) {
            const Run run = read_beside({{"card.yaml", card(value)}});
            QCOMPARE(length_of(run), std::string());
            QVERIFY2(run.notices.size() == 1 && run.notices[0].code == "broken_config", value);
        }
        const auto result = [](const std::string& member) {
            return R"({"request_rate": 1, "median_tpot_ms": 2, )" + member + "}";
        };
        QCOMPARE(length_of(read_beside({{"vllm-1.0qps-m.json", result(R"("spec_decode_acceptance_length": 2.75)")}})),
                 std::string("2.75 benchmark.spec_decode_acceptance_length"));
        QCOMPARE(length_of(read_beside({{"sglang_1.jsonl", result(R"("accept_length": 3)") + "\n" +
                                                               result(R"("accept_length": 3.5)") + "\n"}})),
                 std::string("3.25 benchmark.accept_length"));
        const Run none = read_beside({{"sglang_1.jsonl", result(R"("accept_length": null)")}});
        QVERIFY(length_of(none).empty() && none.notices.empty());
        const Run wrong = read_beside({{"sglang_1.jsonl", result(R"("accept_length": 0.4)")}});
        QVERIFY(length_of(wrong).empty() && wrong.notices.size() == 1);
        // The first token of each is its prompt's: 10 and 5 tokens of 4 and 2 checks.
        QCOMPARE(length_of(read_beside(
                     {{"request.log",
                       R"({"meta_info": {"e2e_latency": 1, "completion_tokens": 11, "spec_verify_ct": 4}})"
                       "\n"
                       R"({"meta_info": {"e2e_latency": 1, "completion_tokens": 6, "spec_verify_ct": 2}})"}})),
                 std::string("2.5 requests.acceptance_length"));
    }

    /// A token of six graphs, each in a pass of its own.
    void piecesOfAnIterationAreOneStep() {
        const auto pieces = [](const char* around, const char* thread) {
            TraceBuilder rank(0);
            for (int k = 0; k < 6; ++k) {
                const double begin = 1'000 + 3'130.0 * k;
                for (int piece = 0; piece < 6; ++piece)
                    rank.annotation("step[DECODE bs=1]", begin + 20 * piece, 15)
                        .launch(begin + 20 * piece + 1, 5, "cudaGraphLaunch")
                        .kernel("forward", 7, begin + 30 + 500 * piece, 490);
                if (around != nullptr)
                    rank.annotation(around, begin - 2, 3'040, thread);
            }
            return make_run({rank});
        };
        const auto run = pieces("scheduler.run_batch", "1000");
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.served_steps()[0].size(), std::size_t{6});
        QCOMPARE(analysis.served_steps()[0][2].generated(), 1.0);
        for (const char* id : {"tpot", "iter_time"})
            QCOMPARE(find_metric(id)->compute(analysis).value, 3.13);
        // 6 tokens in 5 distances of 3.13 ms, and the first one's 6 x 0.49 ms of work with 5 x 0.01 ms between
        const MetricResult rate = find_metric("serving_throughput")->compute(analysis);
        QVERIFY2(std::abs(rate.value - 6 / (5 * 0.003'13 + 0.002'99)) < 0.1, std::to_string(rate.value).c_str());
        // Each piece is a step if no mark encloses them on their own thread.
        QCOMPARE(pieces("scheduler.run_batch", "77")->ranks[0]->steps.size(), std::size_t{36});
        QCOMPARE(pieces(nullptr, "1000")->ranks[0]->steps.size(), std::size_t{36});
    }

    /// The scheduler's mark alone: when steps start and end, though not what they compute.
    void marksOfTheSchedulerAreSteps() {
        std::vector<MadeStep> steps;
        append(steps, 6, {"scheduler.run_batch", 6'000, 0, 10});
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        QCOMPARE(analysis.served_steps()[0].size(), std::size_t{6});
        QVERIFY(std::abs(find_metric("iter_time")->compute(analysis).value - 6.112) < 1e-6);
        for (const char* id : {"tpot", "serving_throughput"})
            QVERIFY(english(find_metric(id)->compute(analysis).reason).find("does not tell") != std::string::npos);
    }

    /// A prompt of 8192 tokens in four chunks of 20 ms is one first token; without the number of tokens computed
    /// before, nothing tells chunks from prompts.
    void chunksOfAPromptAreOneFirstToken() {
        std::vector<MadeStep> told, untold, prompts;
        for (int prompt = 0; prompt < 3; ++prompt) {
            for (int chunk = 1; chunk <= 4; ++chunk) {
                told.push_back(
                    {fmt::format("execute_2048_context_1(sq2048sk{}sqsq4194304sqsk{})_generation_0(sq0sk0sqsq0sqsk0)",
                                 2048 * chunk, 4194304 * chunk),
                     20'000, 0, 1});
                prompts.push_back(
                    {"execute_2048_context_1(sq2048sk2048sqsq4194304sqsk4194304)_generation_0(sq0sk0sqsq0sqsk0)",
                     20'000, 0, 1});
                untold.push_back({"step[EXTEND bs=1 toks=2048]", 20'000, 0, 1});
            }
            append(told, 4, decode(8, 6'000));
            append(untold, 4, {"step[DECODE bs=8]", 6'000, 0, 1});
        }
        const auto ttft = [](const std::vector<MadeStep>& steps) {
            return find_metric("ttft")->compute(RunAnalysis(make_run({serving(steps)}), {}));
        };
        // Four steps of 10 us until the work starts and 20 ms of it, with 102 us between.
        QVERIFY2(std::abs(ttft(told).value - 80.346) < 1e-6, std::to_string(ttft(told).value).c_str());
        QCOMPARE(ttft(told).details["values"].get<int>(), 3);
        QVERIFY(!ttft(untold).available);
        QVERIFY2(english(ttft(untold).reason).find("chunks of one prompt") != std::string::npos,
                 english(ttft(untold).reason).c_str());
        QCOMPARE(ttft(untold).details["steps_left_out"].get<int>(), 12);
        // Prompts that start with their step are as many first tokens.
        QCOMPARE(ttft(prompts).details["values"].get<int>(), 12);
        QVERIFY(std::abs(ttft(prompts).value - 20.01) < 1e-6);
        // Of one prompt in four, each between steps that decode, nothing is in doubt.
        std::vector<MadeStep> apart;
        for (int prompt = 0; prompt < 3; ++prompt) {
            apart.push_back({"step[EXTEND bs=1 toks=2048]", 20'000, 0, 1});
            append(apart, 2, {"step[DECODE bs=8]", 6'000, 0, 1});
        }
        QCOMPARE(ttft(apart).details["values"].get<int>(), 3);
    }

    /// Replicas have requests of their own: the one with more of them is not slow.
    void replicasOfUnlikeLoadAreNoPeers() {
        const auto replica = [](int rank, const std::vector<MadeStep>& steps) { return serving(steps, rank); };
        std::vector<MadeStep> few, many, prompt;
        append(few, 12, decode(8, 6'000));
        append(many, 12, decode(64, 12'000));
        append(prompt, 6, decode(8, 6'000));
        prompt.push_back(prefill(2048));
        append(prompt, 5, decode(8, 6'000));
        for (const auto& other : {many, prompt}) {
            const RunAnalysis analysis(make_run({replica(0, few), replica(1, other)}), {});
            QVERIFY(finding_of(analysis, FindingCode::straggler) == nullptr);
            QVERIFY(!analysis.findings().judged.ranks);
            QVERIFY2(says(analysis.findings().judged.not_judged, "serve different requests"),
                     joined(analysis.findings().judged.not_judged));
        }
        // With as many requests they are peers, and one that takes longer is slow.
        std::vector<MadeStep> slow;
        append(slow, 12, decode(8, 12'000));
        QVERIFY(finding_of(RunAnalysis(make_run({replica(0, few), replica(1, slow)}), {}), FindingCode::straggler) !=
                nullptr);
        // Of three, the two of one load are.
        const RunAnalysis three(make_run({replica(0, few), replica(1, few), replica(2, many)}), {});
        QVERIFY(finding_of(three, FindingCode::straggler) == nullptr);
        QVERIFY(three.findings().judged.ranks);
        QVERIFY(says(three.findings().judged.not_judged, "not compared with each other"));
    }

    /// The last step of an engine takes until one starts that is not recorded: its mark, which may be around the launch
    /// only, is no time of it.
    void theEndOfTheLastStepIsNotKnown() {
        const auto run_of = [](double work_us) {
            TraceBuilder rank(0);
            for (int k = 0; k < 12; ++k) {
                const double host = 1'000 + (work_us + 110) * k;
                rank.annotation("step[DECODE bs=8]", host, 40)
                    .launch(host + 1, 5)
                    .kernel("forward", 7, host + 10, work_us);
                rank.runtime("cudaStreamSynchronize", host + 50, work_us - 35);
            }
            return make_run({rank});
        };
        const RunAnalysis analysis(run_of(6'000), {});
        const std::vector<std::string> ids{"iter_time"};
        const MetricResult result = compute_metrics(analysis, ids).entries.front().result;
        QCOMPARE(result.value, 6.11);
        QCOMPARE(result.details["spread_between_iterations"].get<double>(), 0.0);
        QCOMPARE(result.details["num_iterations"].get<int>(), 11);
        QVERIFY2(english(analysis.findings().summary).find("runs ahead") == std::string::npos,
                 english(analysis.findings().summary).c_str());
    }

    /// As SGLang's recording of one step: a kernel that runs at once, and then work that is launched at 0.12 ms and
    /// starts after 463.38 ms, when the GPU has worked off what was queued before. A copy to the host waits for it.
    /// Then 0.1 ms until the host launches the graph of 9.75 ms, which starts 0.02 ms later.
    static std::shared_ptr<const Run> behindQueuedWork(const char* name = "step[DECODE bs=32]") {
        TraceBuilder rank(0);
        rank.annotation(name, 0, 465'000);
        rank.launch(71, 5).kernel("slice", 2, 80, 4);
        rank.launch(120, 5).kernel("positions", 3, 463'380, 20);
        rank.launch(300, 463'090, "hipMemcpyWithStream").memory_copy("Memcpy DtoH", 3, 463'400, 5);
        rank.launch(463'505, 5, "hipGraphLaunch").kernel("forward", 3, 463'525, 9'750);
        return make_run({rank});
    }

    void oneStepHasOneTime() {
        const auto run = behindQueuedWork();
        const RunAnalysis analysis(run, {});
        // 0.025 ms of work, 0.1 until the launch, 0.02 after it, 9.75 of work.
        const ServedStep& step = analysis.served_steps()[0][0];
        QCOMPARE(step.cycle.length(), TimeNs{9'895'000});
        QCOMPARE(step.part(StepPart::host), TimeNs{100'000});
        QCOMPARE(step.part(StepPart::gaps), TimeNs{20'000});
        QCOMPARE(find_metric("tpot")->compute(analysis).value, 9.895);
        const PhaseSummary phase = summarise_phases(analysis.served_steps()).front();
        QCOMPARE(phase.median_ms, 9.895);
        const MetricResult rate = find_metric("serving_throughput")->compute(analysis);
        QVERIFY2(std::abs(rate.value - 32 / 0.009'895) < 1e-6, std::to_string(rate.value).c_str());
        QVERIFY(std::abs(phase.generated_tokens_per_second - rate.value) < 1e-6);
        // What the Overview and the metrics of the GPU's time say of it.
        QCOMPARE(analysis.facts().fill.step_ns, 9'895'000.0);
        QCOMPARE(analysis.facts().fill[StepShare::launching], 20'000.0);
        QCOMPARE(analysis.facts().fill.idle_ns(), 120'000.0);
        const MetricResult idle = find_metric("gpu_timeline")->compute(analysis);
        QCOMPARE(idle.details["total_us"].get<double>(), 9'895.0);
        QCOMPARE(idle.details["idle_us"].get<double>(), 120.0);
        QCOMPARE(idle.details["queued_before_us"].get<double>(), 463'300.0);
        QCOMPARE(idle.details["compat_linked_only"]["total_us"].get<double>(), 473'195.0);
        const MetricResult host = find_metric("idle_causes")->compute(analysis);
        QCOMPARE(host.details["host_wait_us"].get<double>(), 100.0);
        QVERIFY(std::abs(host.value - 100 * 100.0 / 120) < 1e-6);
        QVERIFY(finding_of(analysis, FindingCode::gpu_idle) == nullptr);
        // A prompt waits for its first token since the engine can work for it.
        const auto prompt = behindQueuedWork("step[EXTEND bs=1 toks=2048]");
        QCOMPARE(find_metric("ttft")->compute(RunAnalysis(prompt, {})).value, 9.895);
    }

    /// The GPU is free, and its host launches nothing for 464 ms: that is time of the step.
    void aHostThatLaunchesLateIsNoQueuedWork() {
        TraceBuilder rank(0);
        rank.annotation("step[DECODE bs=32]", 0, 474'000);
        rank.launch(10, 5).memory_copy("Memcpy HtoD", 7, 20, 10);
        rank.launch(464'000, 5).kernel("forward", 7, 464'010, 9'760);
        const auto run = make_run({rank});
        const RunAnalysis analysis(run, {});
        QCOMPARE(find_metric("tpot")->compute(analysis).value, 473.75);
        QCOMPARE(summarise_phases(analysis.served_steps()).front().median_ms, 473.75);
        QCOMPARE(find_metric("gpu_timeline")->compute(analysis).details["total_us"].get<double>(), 473'750.0);
    }

    /// SGLang's default: a prefill step after four decode steps. 32 requests run; the prompt's one joins them as
    /// another ends. Steps take 0.81 ms with the pause before them, the first after a prefill 0.86, and the
    /// prefill 1.646.
    void runningRequestsWaitForPrompts() {
        std::vector<MadeStep> steps;
        for (int round = 0; round < 50; ++round) {
            append(steps, 1, {"execute_context_1(512)_generation_0(0)", 1'534, 0, 1});
            append(steps, 1, decode(32, 748));
            append(steps, 3, decode(32, 698));
        }
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        // A round: 31 requests wait 1.646 + 0.86 ms, the one that joined 0.86, and three times all 32 wait 0.81.
        const MetricResult gaps = find_metric("inter_token_latency")->compute(analysis);
        const Json& waits = gaps.details["per_step"];
        QCOMPARE(gaps.value, 0.81);
        QCOMPARE(waits["p90"].get<double>(), 2.506);
        const MetricResult tpot = find_metric("tpot")->compute(analysis);
        // Of the first round 31 requests have no step before.
        const double sum = 49 * (31 * 2.506 + 0.86 + 96 * 0.81) + 0.86 + 96 * 0.81;
        QVERIFY2(std::abs(tpot.value - sum / (49 * 128 + 97)) < 1e-9, std::to_string(tpot.value).c_str());
        // The stall: from the end of the last decode step to the end of the prefill.
        const MetricResult stall = find_metric("prefill_stall")->compute(analysis);
        QCOMPARE(stall.value, 1.646);
        QCOMPARE(stall.details["stalls"].get<int>(), 49);
        QVERIFY(std::abs(stall.details["share_of_token_waits_percent"].get<double>() - 100 * 49 * 31 * 1.646 / sum) <
                1e-6);
        // Steps that only decode cause none.
        std::vector<MadeStep> alone;
        append(alone, 5, decode(8, 600));
        QVERIFY(!find_metric("prefill_stall")->compute(RunAnalysis(make_run({serving(alone)}), {})).available);
    }

    /// Eight requests end, the engine has none for 500 ms, and a new one comes: nobody waited that long.
    void aPauseWithoutRequestsIsNoWait() {
        std::vector<MadeStep> steps;
        append(steps, 4, decode(8, 888));
        append(steps, 1, {"execute_context_1(512)_generation_0(0)", 888, 500'000, 1});
        append(steps, 4, decode(1, 888));
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const MetricResult gaps = find_metric("inter_token_latency")->compute(analysis);
        QCOMPARE(gaps.details["per_step"]["max"].get<double>(), 1.0);
        QCOMPARE(gaps.details["per_step"]["requests"].get<double>(), 28.0); // 3 x 8 and 4
        QVERIFY(!find_metric("prefill_stall")->compute(analysis).available);
    }

    /// The engine stops for 50 ms between two steps: that is of the step after it, wherever a step's time is told.
    void aPauseIsOfOneStepEverywhere() {
        std::vector<MadeStep> steps;
        append(steps, 4, decode(8, 888));
        steps.push_back(decode(8, 888, 50'000));
        append(steps, 3, decode(8, 888));
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const std::vector<ServedStep>& served = analysis.served_steps().front();
        const std::vector<StepFacts>& facts = analysis.facts().by_step;
        QCOMPARE(facts.size(), served.size());
        for (std::size_t k = 0; k < served.size(); ++k)
            QCOMPARE(facts[k].fill.step_ns, static_cast<double>(served[k].cycle.length()));
        QCOMPARE(served[4].cycle.length(), TimeNs{51'000'000}); // 888 + 10 + 102 us, and the pause
        QCOMPARE(finding_of(analysis, FindingCode::engine_pauses)->first_iteration, std::optional<std::int64_t>(5));
        QVERIFY(english(finding_of(analysis, FindingCode::engine_pauses)->title).find("for up to 50.00 ms") !=
                std::string::npos);
    }

    /// A chunk of a prompt lets nobody join: the one request that runs waits for it.
    void chunksDelayRunningRequests() {
        std::vector<MadeStep> steps;
        for (int chunk = 1; chunk <= 4; ++chunk) {
            append(steps, 1, decode(1, 888));
            steps.push_back(
                {fmt::format("execute_2048_context_1(sq2048sk{}sqsq4194304sqsk{})_generation_0(sq0sk0sqsq0sqsk0)",
                             2048 * chunk, 4194304 * chunk),
                 9'888, 0, 1});
        }
        append(steps, 1, decode(2, 888));
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        // Four times 10 + 1 ms. After the last chunk the second request joins.
        const MetricResult stall = find_metric("prefill_stall")->compute(analysis);
        QCOMPARE(stall.value, 10.0);
        QCOMPARE(stall.details["stalls"].get<int>(), 4);
        QCOMPARE(find_metric("inter_token_latency")->compute(analysis).value, 11.0);
    }

    /// 20 prompts in a step of 18 ms and two alone in 0.6 ms: most prompts wait 18 ms.
    void firstTokensAreOfPromptsNotOfSteps() {
        std::vector<MadeStep> steps;
        append(steps, 1, {"step[EXTEND bs=20 toks=20480]", 18'070, 0, 1});
        append(steps, 2, decode(20, 600));
        for (int alone = 0; alone < 2; ++alone) {
            append(steps, 1, {"step[EXTEND bs=1 toks=64]", 670, 0, 1});
            append(steps, 2, decode(20, 600));
        }
        for (MadeStep& step : steps)
            if (step.name.starts_with("execute"))
                step.name = "step[DECODE bs=20]";
        const MetricResult ttft = find_metric("ttft")->compute(RunAnalysis(make_run({serving(steps)}), {}));
        QCOMPARE(ttft.value, 18.08);
        QCOMPARE(ttft.details["per_step"]["requests"].get<double>(), 22.0);
        QVERIFY(std::abs(ttft.details["per_step"]["mean"].get<double>() - (20 * 18.08 + 2 * 0.68) / 22) < 1e-9);
    }

    /// Prompts and what requests receive are counted apart, each over the time of its kind of step.
    void promptAndGeneratedTokensAreCountedApart() {
        std::vector<MadeStep> steps;
        append(steps, 1, decode(8, 888));
        append(steps, 3, {"execute_context_1(512)_generation_8(8)", 1'888, 0, 1});
        append(steps, 3, decode(8, 888));
        append(steps, 2, decode(16, 1'388));
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const std::vector<PhaseSummary> phases = summarise_phases(analysis.served_steps());
        QCOMPARE(phases.size(), std::size_t{2});
        QVERIFY(phases[1].phase == EnginePhase::mixed);
        // Three steps of 2 ms, each of 512 prompt tokens and 8 generated ones.
        QVERIFY(std::abs(phases[1].prompt_tokens_per_second - 512 / 0.002) < 1e-6);
        QVERIFY(std::abs(phases[1].generated_tokens_per_second - 8 / 0.002) < 1e-6);
        QVERIFY(std::isnan(phases[0].prompt_tokens_per_second));
        // 0.888 of the first, 3 x 2, 3 x 1 and 2 x 1.5 ms
        const MetricResult rate = find_metric("serving_throughput")->compute(analysis);
        QVERIFY2(std::abs(rate.value - (7 * 8 + 2 * 16) / 0.012'888) < 1e-6, std::to_string(rate.value).c_str());
        QVERIFY(std::abs(rate.details["prompt_tokens_per_second"].get<double>() - 3 * 512 / 0.012'888) < 1e-6);
        const Json& batches = rate.details["by_batch"];
        QCOMPARE(batches["mixed"]["512_8"]["median_ms"].get<double>(), 2.0);
        QCOMPARE(batches["decode"]["8"]["median_ms"].get<double>(), 1.0);
        QCOMPARE(batches["decode"]["8"]["steps"].get<int>(), 4);
        QCOMPARE(batches["decode"]["16"]["median_ms"].get<double>(), 1.5);
    }

    /// Prefill and decode instances: two steps of the one, four of the other, not half of each.
    void stepsAreCountedOnTheRanksThatHaveThem() {
        std::vector<MadeStep> prompts;
        append(prompts, 2, {"execute_context_1(512)_generation_0(0)", 1'888, 0, 1});
        std::vector<MadeStep> tokens;
        append(tokens, 4, decode(8, 888));
        const RunAnalysis analysis(make_run({serving(prompts), serving(tokens, 1)}), {});
        const std::vector<PhaseSummary> phases = summarise_phases(analysis.served_steps());
        QCOMPARE(phases.size(), std::size_t{2});
        for (const PhaseSummary& phase : phases)
            QCOMPARE(phase.steps, std::int64_t{computes_prompts(phase.phase) ? 2 : 4});
    }

    /// Batches of 8 take 1 ms and of 64 take 1.5 ms in both runs; the test has more of the large ones.
    void otherBatchesMakeNoStepSlower() {
        const auto run = [](int large, double longer = 0) {
            std::vector<MadeStep> steps;
            for (int i = 0; i < 40; ++i)
                append(steps, 1, i % 4 < large ? decode(64, 1'388 + longer + i % 3) : decode(8, 888 + longer + i % 3));
            return make_run({serving(steps)});
        };
        const RunAnalysis few(run(1), {});
        const std::vector<Message> same = serving_changes(few, RunAnalysis(run(3), {}));
        QVERIFY2(says(same, "because their batches differ"), joined(same));
        QVERIFY2(says(same, "At equal batch size they take as long as before"), joined(same));
        QVERIFY2(!says(same, "slower"), joined(same));
        const std::vector<Message> slower = serving_changes(few, RunAnalysis(run(3, 300), {}));
        QVERIFY2(says(slower, "Decode steps of equal batch size became"), joined(slower));
        QVERIFY2(says(slower, "computation on the GPU +0.300 ms"), joined(slower));
        // 0.05 ms is far less than what lies between the sizes.
        const std::vector<Message> little = serving_changes(few, RunAnalysis(run(3, 50), {}));
        QVERIFY2(says(little, "Decode steps of equal batch size became 4 % slower"), joined(little));
    }

    /// The same two runs: every number that is the time of a step is compared at equal size.
    void timesOfStepsAreComparedAtEqualBatchSize() {
        const auto run = [](int large, double longer = 0) {
            std::vector<MadeStep> steps;
            for (int i = 0; i < 40; ++i)
                append(steps, 1, i % 4 < large ? decode(64, 1'388 + longer) : decode(8, 888 + longer));
            return std::make_shared<const RunAnalysis>(make_run({serving(steps)}), Selection{});
        };
        const std::vector<std::string> ids{"step_time", "iter_time", "tpot", "inter_token_latency"};
        const auto compared = [&](const auto& before, const auto& after) {
            return RunComparison(before, compute_metrics(*before, ids), after, compute_metrics(*after, ids));
        };
        const auto few = run(1);
        const auto many = run(3);
        const RunComparison same = compared(few, many);
        QCOMPARE(same.metrics().size(), ids.size());
        for (const MetricChange& change : same.metrics()) {
            QVERIFY2(change.status == ChangeStatus::similar, change.metric->id.c_str());
            QCOMPARE(change.difference, 0.0);
            QVERIFY(change.all_steps->test >= change.all_steps->baseline); // the median request is of 64 in both
            QVERIFY(english(change_title(change)).find("at equal batch size (all steps: ") != std::string::npos);
        }
        // Without the first step, which is large in both: 9 of 64 and 30 of 8, 29 of 64 and 10 of 8: 9 and 10 in
        // common.
        const MetricChange& step = same.metrics().front();
        QCOMPARE(step.equal_steps, std::size_t{19});
        QVERIFY2(std::abs(step.baseline - (9 * 1.5 + 10 * 1.0) / 19) < 1e-9, std::to_string(step.baseline).c_str());
        // The gate judges the same number, and tells that of all steps.
        const auto gated = [&](const RunComparison& comparison, const char* text) {
            const Gate gate = *parse_gate(text);
            const auto change = std::ranges::find(comparison.metrics(), gate.metric->id,
                                                  [](const MetricChange& c) { return c.metric->id; });
            const MetricReport before = compute_metrics(comparison.baseline(), ids);
            return as_compared(*check_gate(gate, compute_metrics(comparison.test(), ids), &before), *change);
        };
        for (const char* gate : {"step_time<+3%", "iter_time<+3%", "tpot<+3%", "inter_token_latency<+3%"}) {
            const GateResult result = gated(same, gate);
            QVERIFY2(result.passed, gate_words(result).c_str());
            QCOMPARE(*result.value, 0.0);
            QVERIFY(gate_words(result).find("at equal batch size") != std::string::npos);
        }
        // A field of the details is of all steps, and says so.
        const GateResult field = gated(same, "step_time.avg_ms<+3%");
        QVERIFY(!field.passed);
        QVERIFY(gate_words(field).find("of all steps, though the batches differ") != std::string::npos);
        // No kernel is blamed for the other mix.
        const ChangeExplanation& explained = same.explanation();
        QVERIFY2(says(explained.sentences, "at equal batch size it takes as long as before (1.237 ms -> 1.237 ms"),
                 joined(explained.sentences));
        QVERIFY2(!says(explained.sentences, "kernels take"), joined(explained.sentences));
        for (const ChangePart& part : explained.parts)
            QVERIFY(part.cause.empty());
        // Each step 0.3 ms longer: 5.7 ms of 23.5.
        const RunComparison slower = compared(few, run(3, 300));
        QCOMPARE(slower.metrics().front().status, ChangeStatus::worse);
        QVERIFY(std::abs(*slower.metrics().front().percent_change - 100 * 5.7 / 23.5) < 1e-6);
        QVERIFY(!gated(slower, "step_time<+3%").passed);
        QVERIFY2(says(slower.explanation().sentences, "at equal batch size it takes longer"),
                 joined(slower.explanation().sentences));
        // Without a common size nothing is better or worse, and a gate judges all steps and says so.
        std::vector<MadeStep> other;
        append(other, 40, decode(128, 1'888));
        const RunComparison apart =
            compared(few, std::make_shared<const RunAnalysis>(make_run({serving(other)}), Selection{}));
        QCOMPARE(apart.metrics().front().status, ChangeStatus::changed);
        QVERIFY2(says(apart.explanation().sentences, "What steps take at equal batch size is not known, because"),
                 joined(apart.explanation().sentences));
        const GateResult unknown = gated(apart, "step_time<+3%");
        QVERIFY(!unknown.passed && !unknown.all_steps);
        QVERIFY2(gate_words(unknown).find("only 0 % of the time is of sizes that both runs have") != std::string::npos,
                 gate_words(unknown).c_str());
        // All sizes are in both runs, but too few steps of them to compare.
        std::vector<MadeStep> little{decode(64, 1'388), decode(64, 1'388), decode(8, 888)};
        const RunComparison scarce =
            compared(few, std::make_shared<const RunAnalysis>(make_run({serving(little)}), Selection{}));
        QVERIFY2(says(scarce.explanation().sentences, "because fewer than 3 steps of each run have a counterpart"),
                 joined(scarce.explanation().sentences));
        // Equal batches are compared as they are.
        QVERIFY(!compared(few, run(1, 300)).metrics().front().all_steps);
    }

    /// Seven requests wait for a prefill every tenth step in one run, every third step in the other: like waits are
    /// compared with like.
    void aWaitWithAPrefillIsHeldAgainstItsLike() {
        const auto run = [](int rounds, int decodes) {
            std::vector<MadeStep> steps;
            for (int i = 0; i < rounds; ++i) {
                append(steps, 1, {"execute_context_1(512)_generation_0(0)", 1'888, 0, 1});
                append(steps, decodes, decode(8, 888));
            }
            return RunAnalysis(make_run({serving(steps)}), {});
        };
        const Metric& tpot = *find_metric("tpot");
        const BatchComparison compared = compare_at_equal_batches(tpot, run(4, 9), run(12, 2));
        // Of 7 requests 3 ms, of one that joined 1 ms, of 8 requests 1 ms: 3 rounds of the first run have all of them.
        QVERIFY(compared.equal.has_value());
        QCOMPARE(compared.equal->baseline, compared.equal->test);
        QVERIFY(tpot.compute(run(12, 2)).value > 1.2 * tpot.compute(run(4, 9)).value);
    }

    void throughputCountsGeneratedTokens() {
        const RunAnalysis analysis(make_run({decoding(5, 8, 2)}), {});
        const MetricResult result = find_metric("serving_throughput")->compute(analysis);
        // 5 x 8 tokens in 8 + 4 x 10 ms and twice 1 us
        QVERIFY2(std::abs(result.value - 40 / 0.048002) < 0.1, std::to_string(result.value).c_str());
        const Json& decode = result.details["phases"][0];
        QCOMPARE(decode["steps"].get<int>(), 5);
        QCOMPARE(decode["requests_per_step"].get<double>(), 8.0);
        QVERIFY(std::abs(decode["gpu_busy_percent"].get<double>() - 100 * 40.0 / 48) < 0.1);
        const MetricResult gap = find_metric("inter_token_latency")->compute(analysis);
        QVERIFY2(std::abs(gap.value - 10) < 0.01, std::to_string(gap.value).c_str());
        QVERIFY(!find_metric("serving_throughput")
                     ->compute(RunAnalysis(make_run({TraceBuilder(0).launch(0, 1).kernel("k", 7, 5, 5)}), {}))
                     .available);
    }

    void aSlowerKindOfStepIsNamedWithItsCause() {
        const auto before = make_run({decoding(9, 8, 2)});
        const auto kernels = make_run({decoding(9, 10, 2)});
        const auto gaps = make_run({decoding(9, 8, 4)});
        const auto changes = [&](const std::shared_ptr<const Run>& test) {
            return serving_changes(RunAnalysis(before, {}), RunAnalysis(test, {}));
        };
        // The first step has no gap before it and does not count: 10 ms -> 12 ms.
        QVERIFY2(says(changes(kernels), "Decode steps became 20 % slower"), joined(changes(kernels)));
        QVERIFY2(says(changes(kernels), "computation on the GPU +2.000 ms"), joined(changes(kernels)));
        QVERIFY2(says(changes(gaps), "gaps before launched work starts +2.000 ms"), joined(changes(gaps)));
        QVERIFY2(says(changes(before), "No kind of step"), joined(changes(before)));
        const ChangeExplanation explained = explain_change(RunAnalysis(before, {}), RunAnalysis(kernels, {}));
        QVERIFY2(says(explained.sentences, "Decode steps became"), joined(explained.sentences));
        // One step that waits 400 ms for requests is no slower kind of step, and hides none.
        const auto paused = [](double compute_ms) {
            TraceBuilder rank = decoding(9, compute_ms, 2);
            rank.annotation("execute_context_0(0)_generation_8(8)", 500'000, 2'000);
            rank.launch(500'100, 11).kernel("step", 7, 500'200, compute_ms * 1000);
            return make_run({rank});
        };
        QVERIFY2(says(changes(paused(8)), "No kind of step"), joined(changes(paused(8))));
        QVERIFY2(says(changes(paused(10)), "Decode steps became 20 % slower (10.00 ms -> 12.00 ms)"),
                 joined(changes(paused(10))));
        // Two captures of two steps: one of each follows another.
        const auto few = serving_changes(RunAnalysis(make_run({decoding(2, 8, 2)}), {}),
                                         RunAnalysis(make_run({decoding(2, 10, 2)}), {}));
        QVERIFY2(says(few, "20 % slower (10.00 ms -> 12.00 ms, from 1 and 1 step)"), joined(few));
        // A host that the GPU waits for hides slower kernels.
        const auto hidden = serving_changes(RunAnalysis(make_run({decoding(9, 2, 98)}), {}),
                                            RunAnalysis(make_run({decoding(9, 3, 97)}), {}));
        QVERIFY2(says(hidden,
                      "Decode steps take as long as before (100.0 ms), though computation on the GPU takes longer "
                      "(2.00 ms -> 3.00 ms of it)"),
                 joined(hidden));
        // Training runs have no such sentences.
        const auto training = make_run({TraceBuilder(0).step(1, 0, 20).launch(1, 1).kernel("k", 7, 5, 5)});
        QVERIFY(serving_changes(RunAnalysis(training, {}), RunAnalysis(training, {})).empty());
    }

    void whichKindOfStepAndWhy_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QStringList>("first"); ///< words of the first sentence
        QTest::addColumn<QStringList>("never"); ///< words of none
        QTest::newRow("attention of decode steps")
            << 0
            << QStringList{QStringLiteral("Decode steps became"), QStringLiteral("slower"),
                           QStringLiteral("computation on the GPU +0.400 ms, most in paged_attention (1.2"),
                           QStringLiteral("-> 1.6")}
            << QStringList{QStringLiteral("Prefill steps"), QStringLiteral("host"), QStringLiteral("straggler")};
        QTest::newRow("larger batches") << 1
                                        << QStringList{QStringLiteral("Decode steps became"),
                                                       QStringLiteral("with 16 instead of 8 tokens a step"),
                                                       QStringLiteral("computation on the GPU")}
                                        << QStringList{QStringLiteral("Prefill steps"), QStringLiteral("straggler")};
        QTest::newRow("pauses between steps")
            << 2 << QStringList{QStringLiteral("waiting for the host to launch +0.600 ms, between the steps")}
            << QStringList{QStringLiteral("computation on the GPU +"), QStringLiteral("launches a step"),
                           QStringLiteral("straggler")};
        QTest::newRow("eager instead of graphs")
            << 3
            << QStringList{QStringLiteral("Decode steps became"), QStringLiteral("waiting for the host to launch"),
                           QStringLiteral("with 8 launches a step instead of 1 launch of graphs")}
            << QStringList{QStringLiteral("Prefill steps became"), QStringLiteral("straggler")};
        QTest::newRow("longer contexts") << 4
                                         << QStringList{QStringLiteral("Decode steps became"),
                                                        QStringLiteral("whose tokens attend to 2 times as many"),
                                                        QStringLiteral("most in paged_attention")}
                                         << QStringList{QStringLiteral("Prefill steps"), QStringLiteral("straggler")};
        QTest::newRow("more prefill steps")
            << 5 << QStringList{QStringLiteral("Prefill steps are 33 % of the steps instead of 17 %")}
            << QStringList{QStringLiteral("became"), QStringLiteral("straggler")};
        QTest::newRow("nothing") << 6 << QStringList{QStringLiteral("No kind of step of the serving engine became")}
                                 << QStringList{QStringLiteral("longer"), QStringLiteral("straggler")};
    }
    void whichKindOfStepAndWhy() {
        QFETCH(int, which);
        QFETCH(QStringList, first);
        QFETCH(QStringList, never);
        const Engine usual;
        Engine changed;
        switch (which) {
        case 0: changed.decode_attention += 100; break;
        case 1:
            changed.requests = 16;
            changed.gemm *= 1.5;
            changed.decode_attention *= 1.8;
            break;
        case 2: changed.pause += 600; break;
        case 3:
            changed.graphs = false;
            changed.before_launch = 500;
            break;
        case 4:
            changed.context *= 2;
            changed.decode_attention *= 1.9;
            break;
        case 5: changed.prefill_every = 3; break;
        default: break;
        }
        Engine before = usual;
        if (which == 1) // prompts as before
            changed.gemm = usual.gemm;
        if (which == 3) // the host is as slow in both; graphs hide it
            before.before_launch = 500;
        const ChangeExplanation change =
            explain_change(RunAnalysis(engine_run(before), {}), RunAnalysis(engine_run(changed), {}));
        QVERIFY2(change.unavailable.empty(), english(change.unavailable).c_str());
        const QByteArray all = joined(change.sentences);
        for (const QString& words : std::as_const(first))
            QVERIFY2(english(change.sentences.front()).find(words.toStdString()) != std::string::npos, all);
        for (const QString& words : std::as_const(never))
            QVERIFY2(!all.contains(words.toUtf8()), all);
    }

    void aLongerPromptIsNoWarmUp() {
        std::vector<MadeStep> steps;
        for (const int tokens : {2048, 512, 512, 512}) {
            append(steps, 1, prefill(tokens));
            append(steps, 3, decode(8, 6'000));
        }
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        QVERIFY(finding_of(analysis, FindingCode::first_iteration) == nullptr);
        // Nor is a larger batch, nor a prompt alone where later ones come with decoding requests.
        steps = {decode(64, 9'000)};
        append(steps, 12, decode(8, 6'000));
        QVERIFY(finding_of(RunAnalysis(make_run({serving(steps)}), {}), FindingCode::first_iteration) == nullptr);
        steps = {{"[Executor] _forward_step 1: 2 ctx reqs, 0 gen reqs", 12'000, 0, 10}};
        append(steps, 12, {"[Executor] _forward_step 2: 0 ctx reqs, 8 gen reqs", 6'000, 0, 10});
        QVERIFY(finding_of(RunAnalysis(make_run({serving(steps)}), {}), FindingCode::first_iteration) == nullptr);
    }

    void warmUpIsTold() {
        std::vector<MadeStep> steps{decode(8, 26'000)};
        append(steps, 12, decode(8, 6'000));
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const Finding* const first = finding_of(analysis, FindingCode::first_iteration);
        QVERIFY(first != nullptr);
        QVERIFY2(english(first->title)
                     .starts_with("The first recorded step takes 20.00 ms longer than the later ones of like "
                                  "work: warm-up"),
                 english(first->title).c_str());
    }

    /// No gap lies between the GPU's work for one step and the next, and yet a step before tells when each begins.
    void stepsWithoutGapsFollowEachOther() {
        const RunAnalysis analysis(make_run({decoding(9, 8, 0)}), {});
        QCOMPARE(find_metric("step_time")->by_batch(analysis).size(), std::size_t{8});
        QCOMPARE(summarise_phases(analysis.served_steps()).front().whole, std::int64_t{8});
    }

    void stepsOfUnequalBatchesAreToldAsARange() {
        std::vector<MadeStep> steps;
        append(steps, 4, decode(16, 6'000));
        append(steps, 8, decode(19, 6'300));
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const auto sentences = serving_sentences(summarise_phases(analysis.served_steps()));
        QVERIFY2(says(sentences, "12 decode steps of 16 to 19 requests take"), joined(sentences));
    }

    void aLargerBatchIsNoFault() {
        std::vector<MadeStep> steps;
        append(steps, 8, decode(8, 6'000));
        append(steps, 8, decode(64, 9'000));
        QVERIFY(finding_of(RunAnalysis(make_run({serving(steps)}), {}), FindingCode::slower_steps) == nullptr);
        // Nor is one request more.
        steps.clear();
        append(steps, 8, decode(18, 6'000));
        append(steps, 8, decode(19, 6'340));
        QVERIFY(finding_of(RunAnalysis(make_run({serving(steps)}), {}), FindingCode::slower_steps) == nullptr);
        // The same batch that takes longer from some step on is one, between prompts of all lengths.
        steps.clear();
        for (int i = 0; i < 32; ++i) {
            steps.push_back(decode(8, i < 16 ? 6'000 + i % 3 : 9'000 + i % 3));
            if (i % 8 == 0)
                steps.push_back(prefill(500 + 100 * i));
        }
        const RunAnalysis slower(make_run({serving(steps)}), {});
        const Finding* const found = finding_of(slower, FindingCode::slower_steps);
        QVERIFY(found != nullptr);
        // Prompts follow the 1st and the 9th decode step: the 17th is number 19.
        QVERIFY2(english(found->title)
                     .starts_with("From step 19 on a step takes 9.11 ms instead of 6.11 ms (decode steps of 8 "
                                  "requests): computation takes 3.00 ms longer (as many kernels"),
                 english(found->title).c_str());
        QVERIFY(!found->inherent);
        // 15 of the 36 steps take 3 ms longer; how long the last one lasts is not known.
        QVERIFY2(std::abs(found->cost - 3e6 * 15 / 36) < 2e4, english(found->title).c_str());
    }

    void pausesAreNotTheHostsFault() {
        std::vector<MadeStep> steps;
        append(steps, 20, decode(8, 6'000));
        steps[7].pause_us = 500'000;
        steps[10].pause_us = 300'000;
        const RunAnalysis analysis(make_run({serving(steps)}), {});
        const Finding* const pauses = finding_of(analysis, FindingCode::engine_pauses);
        QVERIFY(pauses != nullptr);
        QVERIFY2(english(pauses->title)
                     .starts_with("Before 2 of 20 steps the engine does nothing for up to 500.0 ms: it has no "
                                  "requests"),
                 english(pauses->title).c_str());
        QVERIFY(pauses->inherent);
        QVERIFY2(std::abs(pauses->cost - 800e6 / 20) < 1e5, english(pauses->title).c_str());
        const Finding* const host = finding_of(analysis, FindingCode::host_bound);
        QVERIFY2(host == nullptr || host->cost < 0.3e6, host == nullptr ? "" : english(host->title).c_str());
        // Without such pauses the host is as before.
        steps.clear();
        append(steps, 20, decode(8, 6'000, 1'000));
        const RunAnalysis held_up(make_run({serving(steps)}), {});
        QVERIFY(finding_of(held_up, FindingCode::engine_pauses) == nullptr);
        QVERIFY(finding_of(held_up, FindingCode::host_bound) != nullptr);
    }

    void draftsAreNotReceived() {
        std::vector<MadeStep> steps;
        append(steps, 12, {"execute_context_0(0)_generation_8(32)", 6'000, 0, 10});
        const MetricResult result =
            find_metric("serving_throughput")->compute(RunAnalysis(make_run({serving(steps)}), {}));
        QVERIFY(!result.available);
        QVERIFY2(english(result.reason).find("speculative") != std::string::npos, english(result.reason).c_str());
    }

    void whatFailedHasNoLatency() {
        const std::string good = R"({"ttft": 0.2, "e2e_latency": 1.2, "completion_tokens": 11})";
        const std::string failed = R"({"ttft": 0.0, "e2e_latency": 0.0, "completion_tokens": 0, "success": false})";
        const std::string late = R"({"ttft": 9.0, "e2e_latency": 30.0, "completion_tokens": 5, "error": "timeout"})";
        const std::string negative = R"({"ttft": -1, "e2e_latency": -1, "completion_tokens": 10})";
        const Run run = read_beside({{"requests.log", good + "\n" + failed + "\n" + late + "\n" + negative + "\n"}});
        QCOMPARE(run.serving.requests.size(), std::size_t{1});
        QCOMPARE(metric_of(run, "ttft").value, 200.0);
        QCOMPARE(metric_of(run, "tpot").value, 100.0);
        // However that is told: a status, an error of any kind, a reason to end; and no last token before the first.
        for (const char* how : {R"("status": "error")", R"("status": 500)", R"("error": {"code": 500})",
                                R"("error": 500)", R"("finish_reason": {"type": "abort", "message": "x"})",
                                R"("finish_reason": "abort")", R"("ttft": 5.0)"}) {
            const std::string line =
                R"({"ttft": 0.2, "e2e_latency": 1.2, "completion_tokens": 11, )" + std::string(how) + "}\n";
            QVERIFY2(read_beside({{"requests.log", line}}).serving.requests.empty(), how);
        }
        for (const char* how :
             {R"("status": "ok")", R"("status": 200)", R"("error": null)", R"("error": "")", R"("error": {})",
              R"("finish_reason": {"type": "stop"})", R"("finish_reason": "length")"}) {
            const std::string line =
                R"({"ttft": 0.2, "e2e_latency": 1.2, "completion_tokens": 11, )" + std::string(how) + "}\n";
            QCOMPARE(read_beside({{"requests.log", line}}).serving.requests.size(), std::size_t{1});
        }
        // Of a benchmark's list, with or without lengths.
        const Run listed = read_beside({{"bench_results.jsonl", R"({"ttfts": [0.05, 0.9, 0.07], "itls": [[0.01], )"
                                                                R"([0.5], [0.01]], "errors": ["", "boom", ""]})"}});
        QCOMPARE(listed.serving.requests.size(), std::size_t{2});
        QVERIFY(std::abs(metric_of(listed, "ttft").details["requests"]["max"].get<double>() - 70) < 1e-9);
        // An array is read like lines.
        const Run array = read_beside({{"requests.jsonl", "[" + good + "," + failed + "]"}});
        QCOMPARE(array.serving.requests.size(), std::size_t{1});
    }

    void whatIsNotATimeIsNone() {
        for (const char* line :
             {R"({"median_ttft_ms": -1, "median_tpot_ms": -1})", R"({"median_ttft_ms": 0, "median_tpot_ms": 0.0})",
              R"({"median_ttft_ms": "5", "median_tpot_ms": null})"}) {
            const Run run = read_beside({{"bench_results.jsonl", line}});
            QVERIFY2(!run.serving.ttft_ms && !run.serving.tpot_ms, line);
        }
        QVERIFY(!read_beside({{"a.latency.json", R"({"avg_latency": -1})"}}).serving.average_latency_s);
    }

    /// SGLang writes Python's Infinity where no rate was given, and NaN where nothing was measured.
    void resultsAsPythonWritesThemAreRead() {
        const std::string results = R"({"request_rate": Infinity, "max_concurrency": null, "median_ttft_ms": 50.0, )"
                                    R"("std_itl_ms": NaN, "median_tpot_ms": 8.0, "median_itl_ms": 7.5})";
        const Run run = read_beside({{"sglang_1123_1000_sharegpt.jsonl", results}});
        QCOMPARE(run.serving.ttft_ms.value_or(0), 50.0);
        QCOMPARE(run.serving.tpot_ms.value_or(0), 8.0);
        QCOMPARE(run.serving.itl_ms.value_or(0), 7.5);
        QVERIFY(run.notices.empty());
        // It is a load like any other.
        const std::string rated = R"({"request_rate": 4.0, "median_ttft_ms": 20})";
        QVERIFY(!read_beside({{"bench_results.jsonl", results + "\n" + rated}}).serving.ttft_ms);
        const std::string in_words = R"({"request_rate": "inf", "median_ttft_ms": 70})";
        QCOMPARE(read_beside({{"bench_results.jsonl", results + "\n" + in_words}}).serving.ttft_ms.value_or(0), 60.0);
    }

    void theBenchmarksGapsBetweenTokensComeFirst() {
        Run run = *make_run({decoding(3, 8, 2)});
        run.serving.itl_ms = 7.5;
        const RunAnalysis analysis(std::make_shared<const Run>(run), {});
        const MetricResult gaps = find_metric("inter_token_latency")->compute(analysis);
        QCOMPARE(gaps.value, 7.5);
        QCOMPARE(gaps.details["method"].get<std::string>(), std::string("bench_results.jsonl"));
    }

    void resultsOfSeveralLoadsAreNotJoined() {
        const std::string slow = R"({"request_rate": 1, "median_ttft_ms": 50, "median_tpot_ms": 8})";
        const std::string fast = R"({"request_rate": 16, "median_ttft_ms": 5000, "median_tpot_ms": 40})";
        const Run both = read_beside({{"bench_results.jsonl", slow + "\n" + fast + "\n"}});
        QVERIFY(!both.serving.ttft_ms && !both.serving.tpot_ms);
        QVERIFY(std::ranges::any_of(both.notices, [](const Notice& notice) {
            return english(notice.message).find("2 loads (request_rate 1; request_rate 16 ...)") != std::string::npos;
        }));
        QCOMPARE(*read_beside({{"bench_results.jsonl", slow + "\n" + slow + "\n"}}).serving.ttft_ms, 50.0);
        // Nor are those of several files; where they are of one load, they are averaged.
        const Run files = read_beside({{"vllm-1.0qps-m.json", slow}, {"vllm-16.0qps-m.json", fast}});
        QVERIFY(!files.serving.ttft_ms && !files.serving.tpot_ms && files.serving.file.empty());
        QVERIFY(std::ranges::any_of(files.notices, [](const Notice& notice) {
            return english(notice.message).find("2 loads (request_rate 1; request_rate 16 ...)") != std::string::npos;
        }));
        const std::string again = R"({"request_rate": 1, "max_concurrency": 8, "median_ttft_ms": 70})";
        QCOMPARE(*read_beside({{"vllm-1.0qps-m.json", slow}, {"bench_results.jsonl", again}}).serving.ttft_ms, 60.0);
    }

    void requestsCountOnce() {
        const std::string listed = R"({"median_ttft_ms": 200, "ttfts": [0.2, 0.3], "output_lens": [3, 2]})";
        const std::string logged = R"({"ttft": 0.2, "e2e_latency": 1.2, "completion_tokens": 3})";
        const Run run = read_beside({{"bench_results.jsonl", listed}, {"request.log", logged + "\n" + logged + "\n"}});
        QCOMPARE(run.serving.requests.size(), std::size_t{2});
        QCOMPARE(run.serving.requests[1].ttft_ms, 300.0);
    }

    void requestsBesideTheTrace() {
        QTemporaryDir folder;
        const std::filesystem::path at = folder.path().toStdString();
        std::ofstream(at / "bench_results.jsonl")
            << R"({"median_ttft_ms": 30, "median_tpot_ms": 5, "ttfts": [0.02, 0.03, 0.0, 0.05], )"
            << R"("itls": [[0.004, 0.006], [0.005], [], [0.01]], "input_lens": [7, 8, 9, 10], )"
            << R"("output_lens": [3, 2, 0, 2]})" << '\n';
        Run run = *make_run({decoding(3, 8, 2)});
        read_run_config(at, run);
        QCOMPARE(run.serving.requests.size(), std::size_t{3}); // the third failed
        QCOMPARE(run.serving.requests[0].ttft_ms, 20.0);
        QCOMPARE(run.serving.requests[0].prompt_tokens, std::int64_t{7});
        const RunAnalysis analysis(std::make_shared<const Run>(run), {});
        const MetricResult ttft = find_metric("ttft")->compute(analysis);
        QCOMPARE(ttft.value, 30.0);
        QCOMPARE(ttft.details["requests"]["values"].get<int>(), 3);
        QCOMPARE(ttft.details["requests"]["max"].get<double>(), 50.0);
        const MetricResult gaps = find_metric("inter_token_latency")->compute(analysis);
        QCOMPARE(gaps.details["requests"]["values"].get<int>(), 4);
        QVERIFY(std::abs(gaps.value - 5.5) < 1e-9); // of 4, 5, 6 and 10
        const MetricResult tpot = find_metric("tpot")->compute(analysis);
        QCOMPARE(tpot.value, 5.0);
        // (4 + 6) / 2, 5 and 10
        QVERIFY(std::abs(tpot.details["requests"]["p50"].get<double>() - 5.0) < 1e-9);
    }

    void logsOfRequests() {
        QTemporaryDir folder;
        const std::filesystem::path at = folder.path().toStdString();
        std::ofstream(at / "sglang-request-metrics-20260101.log")
            << R"({"meta_info": {"prompt_tokens": 5, "completion_tokens": 11, "e2e_latency": 1.2, "ttft": 0.2}})"
            << "\nnot a request\n"
            << R"({"completion_tokens": 3, "e2e_latency": 0.5})" << '\n';
        Run run = *make_run({decoding(3, 8, 2)});
        read_run_config(at, run);
        QCOMPARE(run.serving.requests.size(), std::size_t{2});
        const RunAnalysis analysis(std::make_shared<const Run>(run), {});
        const MetricResult tpot = find_metric("tpot")->compute(analysis);
        QVERIFY2(std::abs(tpot.value - 100) < 1e-9, std::to_string(tpot.value).c_str()); // (1200 - 200) / 10
        QCOMPARE(tpot.details["requests"]["values"].get<int>(), 1);
        QCOMPARE(find_metric("ttft")->compute(analysis).value, 200.0);
    }
};

RANKSCOPE_TEST(TestServing)

} // namespace rankscope::serving_test

#include "test_serving.moc"
