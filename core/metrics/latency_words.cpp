// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/latency_words.h"

#include <string>

#include "core/base/words.h"
#include "core/metrics/catalogue.h"

namespace rankscope {
namespace {

/// "median 31 ms, p99 80 ms"; empty without either.
Message times_words(const Json& times) {
    const auto words = [&](const char* key) {
        const auto at = times.find(key);
        return at != times.end() && at->is_number() ? time_words(1e6 * at->get<double>()) : std::string();
    };
    const std::string median = words("p50");
    const std::string p99 = words("p99");
    if (median.empty() || p99.empty())
        return median.empty() ? (p99.empty() ? Message() : "p99 %1"_text(p99)) : "median %1"_text(median);
    return "median %1, p99 %2"_text(median, p99);
}

} // namespace

std::vector<Message> latency_sentences(const RunAnalysis& analysis) {
    std::vector<Message> sentences;
    for (const char* id : {"ttft", "tpot", "inter_token_latency"}) {
        const MetricPointer metric = find_metric(id);
        const Json details = metric->compute(analysis).details;
        const auto words = [&](const char* key) { return times_words(details.value(key, Json::object())); };
        const Message steps = words("per_step");
        const Message benchmark = words("benchmark");
        const Message beside = benchmark.empty() ? words("requests") : benchmark;
        if (beside.empty())
            continue;
        Message text = (benchmark.empty() ? "%1: %2 by the requests that are logged beside the trace"_text
                                          : "%1: %2 by the benchmark"_text)(Message::word(metric->title), beside);
        text += steps.empty() ? "; the steps in the trace do not tell it."_text
                              : "; %1 by the steps in the trace."_text(steps);
        sentences.push_back(std::move(text));
    }
    if (!sentences.empty())
        sentences.push_back("Clients wait in the queue and for the network, too, and the trace is only a part of what "
                            "they measured."_text);
    return sentences;
}

} // namespace rankscope
