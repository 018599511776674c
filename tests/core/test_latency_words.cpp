// SPDX-License-Identifier: GPL-3.0-or-later
// Times that a serving benchmark wrote beside the trace, side by side with those of the steps, worked out by hand.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include <QTemporaryDir>

#include "core/input/find/run_config.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/latency_words.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::latency_words_test {

namespace {

/// Four decode steps of 8 requests. Each ends 2 ms after the one before, so that all tokens wait 2 ms.
Run decoding_beside(std::initializer_list<std::pair<const char*, std::string>> files) {
    TraceBuilder rank(0);
    for (int step = 0; step < 4; ++step) {
        const double host = 2'000 * (step + 1);
        rank.annotation("execute_context_0(0)_generation_8(8)", host, 1'900);
        rank.launch(host + 100, 5).kernel("flash_fwd_kernel", 7, host + 200, 1'000);
    }
    Run run = *make_run({rank});
    QTemporaryDir folder;
    const std::filesystem::path at = folder.path().toStdString();
    for (const auto& [name, text] : files)
        std::ofstream(at / name) << text;
    read_run_config(at, run);
    return run;
}

std::string words(const Run& run) {
    std::string text;
    for (const Message& sentence : latency_sentences(RunAnalysis(std::make_shared<const Run>(run), {})))
        text += english(sentence) + '\n';
    return text;
}

Json details(const Run& run, const char* id) {
    return find_metric(id)->compute(RunAnalysis(std::make_shared<const Run>(run), {})).details;
}

/// As `vllm bench serve --save-result` writes it; SGLang's lines have the same keys.
constexpr const char* kResult =
    R"({"request_rate": "inf", "max_concurrency": 8, "completed": 64, "mean_ttft_ms": 40.0, "median_ttft_ms": 30.0, )"
    R"("p99_ttft_ms": 90.0, "mean_tpot_ms": 2.6, "median_tpot_ms": 2.5, "p99_tpot_ms": 4.0, "median_itl_ms": 2.25, )"
    R"("p90_itl_ms": 3.0, "p99_itl_ms": 5.5})";

} // namespace

class TestLatencyWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theBenchmarkStandsBesideTheSteps() {
        const Run run = decoding_beside({{"vllm-infqps-concurrency8-m-20261128.json", kResult}});
        QCOMPARE(details(run, "ttft")["benchmark"], (Json{{"mean", 40.0}, {"p50", 30.0}, {"p99", 90.0}}));
        const Json gaps = details(run, "inter_token_latency");
        QCOMPARE(gaps["benchmark"], (Json{{"p50", 2.25}, {"p90", 3.0}, {"p99", 5.5}}));
        QCOMPARE(gaps["per_step"]["p50"].get<double>(), 2.0);
        QCOMPARE(gaps["per_step"]["p99"].get<double>(), 2.0);
        const std::string text = words(run);
        for (const char* sentence :
             {"Time to first token: median 30.00 ms, p99 90.00 ms by the benchmark; the steps in the trace do not tell "
              "it.\n",
              "Time per output token: median 2.50 ms, p99 4.00 ms by the benchmark; median 2.00 ms, p99 2.00 ms by the "
              "steps in the trace.\n",
              "Inter-token latency: median 2.25 ms, p99 5.50 ms by the benchmark; median 2.00 ms, p99 2.00 ms by the "
              "steps in the trace.\n"})
            QVERIFY2(text.find(sentence) != std::string::npos, text.c_str());
    }

    void aLogOfRequestsDoesToo() {
        const Run run =
            decoding_beside({{"request.log", R"({"ttft": 0.25, "e2e_latency": 1.25, "completion_tokens": 101})"}});
        QVERIFY(!details(run, "tpot").contains("benchmark"));
        const std::string text = words(run); // (1250 - 250) / 100
        QVERIFY2(
            text.find("Time per output token: median 10.00 ms, p99 10.00 ms by the requests that are logged beside "
                      "the trace; median 2.00 ms") != std::string::npos,
            text.c_str());
        QVERIFY2(text.find("Inter-token latency") == std::string::npos, text.c_str());
        QVERIFY(words(decoding_beside({})).empty());
    }

    void percentilesHaveNoMean() {
        const std::string two = std::string(kResult) + "\n" + kResult + "\n";
        const Run run = decoding_beside({{"sglang_1128_64_random.jsonl", two}});
        QCOMPARE(run.serving.ttft_ms.value_or(0), 30.0);
        QVERIFY(!details(run, "ttft").contains("benchmark"));
        QVERIFY(words(run).empty());
    }

    /// SGLang writes the concurrency that it measured beside the one that was asked for.
    void measuredConcurrencyIsNoLoad() {
        const std::string two = R"({"max_concurrency": 8, "concurrency": 7.91, "median_ttft_ms": 20.0})"
                                "\n"
                                R"({"max_concurrency": 8, "concurrency": 7.93, "median_ttft_ms": 40.0})";
        QCOMPARE(decoding_beside({{"sglang.jsonl", two}}).serving.ttft_ms.value_or(0), 30.0);
        const std::string asked = R"({"concurrency": 8, "median_ttft_ms": 20.0})"
                                  "\n"
                                  R"({"concurrency": 16, "median_ttft_ms": 40.0})";
        QVERIFY(!decoding_beside({{"sglang.jsonl", asked}}).serving.ttft_ms);
    }

    void wrongTypesAreNoTimes() {
        for (const char* time : {"\"90\"", "null", "[90]", "{\"p\": 90}", "-1", "0", "NaN", "true"}) {
            const std::string result = std::string(R"({"median_ttft_ms": 30.0, "p99_ttft_ms": )") + time + "}";
            QCOMPARE(details(decoding_beside({{"bench_results.jsonl", result}}), "ttft")["benchmark"],
                     (Json{{"p50", 30.0}}));
        }
        const std::string deep =
            R"({"p99_ttft_ms": 90, "x": )" + std::string(5'000, '[') + std::string(5'000, ']') + "}";
        const Run run = decoding_beside({{"bench_results.jsonl", deep}});
        QVERIFY(!details(run, "ttft").contains("benchmark"));
        QVERIFY(!run.notices.empty());
    }
};

RANKSCOPE_TEST(TestLatencyWords)

} // namespace rankscope::latency_words_test

#include "test_latency_words.moc"
