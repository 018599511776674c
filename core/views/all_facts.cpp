// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/all_facts.h"

#include <algorithm>
#include <iterator>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/memory/snapshot_words.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

/// The first sentence says what fills a step.
bool has_bar(const Facts& facts) { return !facts.ranks.empty() && facts.fill.step_ns > 0; }

} // namespace

const std::shared_ptr<const HardwareFacts>& hardware_of(const RunAnalysis& analysis) {
    static const auto key = std::make_shared<const char>('h'); // of what is kept
    return analysis.kept().get<std::shared_ptr<const HardwareFacts>>(key,
                                                                     [&] { return read_hardware(analysis.run()); });
}

Message clock_sentence(const RunAnalysis& analysis) {
    constexpr TimeNs kWorthSaying = 1'000'000;
    const ClockAlignment& clock = analysis.clock();
    const auto most = std::ranges::max_element(clock.offset, {}, [](TimeNs offset) { return std::abs(offset); });
    if (!clock.applied || most == clock.offset.end() || std::abs(*most) < kWorthSaying)
        return {};
    return "The clocks of the ranks differ and were aligned by their calls, that of rank %1 by %2."_text(
        analysis.run().ranks[static_cast<std::size_t>(most - clock.offset.begin())]->rank,
        time_words(static_cast<double>(std::abs(*most))));
}

std::vector<Message> all_fact_sentences(const RunAnalysis& analysis) {
    std::vector<Message> sentences = fact_sentences(analysis.facts());
    if (const auto& hardware = hardware_of(analysis)) {
        const std::vector<Message> errors = gpu_error_sentences(*hardware);
        const bool with_bar = has_bar(analysis.facts());
        sentences.insert(sentences.begin() + (with_bar ? 1 : 0), errors.begin(), errors.end());
        std::ranges::move(hardware_fact_sentences(*hardware), std::back_inserter(sentences));
    }
    std::ranges::move(snapshot_sentences(analysis.run(), analysis.snapshot_memory()), std::back_inserter(sentences));
    return sentences;
}

std::vector<Message> facts_beside_bar(const RunAnalysis& analysis) {
    std::vector<Message> sentences = all_fact_sentences(analysis);
    if (has_bar(analysis.facts()))
        sentences.erase(sentences.begin());
    return sentences;
}

} // namespace rankscope
