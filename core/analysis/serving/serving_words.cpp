// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/serving_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rankscope {
namespace {

std::string ms_text(double ms) { return fmt::format("{:.{}f} ms", ms, ms < 10 ? 2 : ms < 100 ? 1 : 0); }

} // namespace

std::string_view step_part_words(StepPart part) {
    switch (part) {
    case StepPart::kernels: return "computation on the GPU";
    case StepPart::communication: return "communication that nothing hides";
    case StepPart::copies: return "copies that nothing hides";
    case StepPart::host: return "waiting for the host to launch";
    case StepPart::gaps: return "gaps before launched work starts";
    }
    return {};
}

std::vector<std::string> serving_sentences(std::span<const PhaseSummary> phases) {
    std::vector<std::string> sentences;
    for (const PhaseSummary& phase : phases) {
        std::string text = fmt::format("{} {} step{}", phase.steps,
                                       phase.phase == EnginePhase::unknown ? "unnamed" : engine_phase_word(phase.phase),
                                       phase.steps == 1 ? "" : "s");
        if (std::isfinite(phase.requests))
            text += fmt::format(" of {:.0f} request{}", phase.requests, std::round(phase.requests) == 1 ? "" : "s");
        if (phase.with_work == 0) {
            sentences.push_back(text + ": no GPU work is linked to them.");
            continue;
        }
        text += fmt::format(" take{} {}{}", phase.steps == 1 ? "s" : "", ms_text(phase.median_ms),
                            phase.steps == 1 ? "" : " each (median)");
        if (std::isfinite(phase.tokens_per_second))
            text += fmt::format(", {:.0f} tokens/s", phase.tokens_per_second);
        text += fmt::format("; {} is {:.0f} % of that", step_part_words(StepPart::kernels),
                            100 * phase.shares[static_cast<std::size_t>(StepPart::kernels)]);
        for (std::size_t p = 1; p < kStepParts; ++p)
            if (phase.shares[p] >= 0.005)
                text += fmt::format(", {} {:.0f} %", step_part_words(static_cast<StepPart>(p)), 100 * phase.shares[p]);
        sentences.push_back(text + ".");
    }
    return sentences;
}

} // namespace rankscope
