// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/serving_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/words.h"
#include "core/trace/python_stacks.h"
#include "core/trace/run_settings.h"

namespace rankscope {

namespace {

constexpr double kTold = 0.005; ///< of the steps' time: what is less is 0 %
constexpr std::size_t kNamed = 3;

bool told(const PhaseSummary& phase, StepPart part) { return phase.shares[static_cast<std::size_t>(part)] >= kTold; }

/// What the GPU waited for most: "in schedule: allocate_slots 20 %".
std::vector<Message> wait_words(const PhaseSummary& phase) {
    std::vector<Message> words;
    if (phase.host_is_named())
        for (const PhaseWait& wait : phase.waits)
            if (wait.share >= kTold && words.size() < kNamed)
                words.push_back("%1 %2 %"_text(host_range_words(wait), fmt::format("{:.0f}", 100 * wait.share)));
    return words;
}

/// What most of the computation of the steps is: "gemm 61 %".
std::vector<Message> work_words(const PhaseSummary& phase) {
    constexpr double kLeast = 0.05; // of the steps' time
    std::vector<Message> words;
    for (const PhaseWork& work : phase.work)
        if (static_cast<std::size_t>(work.work) < kComputeKindCount && work.share >= kLeast && words.size() < kNamed)
            words.push_back(
                "%1 %2 %"_text(Message::word(step_work_word(work.work)), fmt::format("{:.0f}", 100 * work.share)));
    return words;
}

} // namespace

std::string_view step_part_words(StepPart part) {
    switch (part) {
    case StepPart::kernels: return "computation on the GPU";
    case StepPart::communication: return "communication and waits for other ranks";
    case StepPart::copies: return "copies that nothing hides";
    case StepPart::host: return "waiting for the host to launch";
    case StepPart::gaps: return "gaps before launched work starts";
    }
    return {};
}

std::vector<Message> serving_sentences(std::span<const PhaseSummary> phases) {
    std::vector<Message> sentences;
    for (const PhaseSummary& phase : phases) {
        const auto percent = [&](StepPart part) {
            return fmt::format("{:.0f}", 100 * phase.shares[static_cast<std::size_t>(part)]);
        };
        Message text = phase.phase == EnginePhase::unknown
                           ? plural(phase.steps, "%1 unnamed step"_one, "%1 unnamed steps"_many)(phase.steps)
                           : plural(phase.steps, "%1 %2 step"_one,
                                    "%1 %2 steps"_many)(phase.steps, Message::word(engine_phase_word(phase.phase)));
        if (phase.fewest_requests != phase.most_requests)
            text += " of %1 to %2 requests"_text(phase.fewest_requests, phase.most_requests);
        else if (std::isfinite(phase.requests))
            text += plural(static_cast<std::int64_t>(std::round(phase.requests)), " of %1 request"_one,
                           " of %1 requests"_many)(fmt::format("{:.0f}", phase.requests));
        if (phase.with_work == 0) {
            text += ": no GPU work is linked to them."_text;
            sentences.push_back(std::move(text));
            continue;
        }
        text += plural(phase.steps, " takes %1"_one, " take %1 each (median)"_many)(time_words(1e6 * phase.median_ms));
        if (std::isfinite(phase.prompt_tokens_per_second))
            text += ", %1 prompt tokens/s"_text(fmt::format("{:.0f}", phase.prompt_tokens_per_second));
        if (std::isfinite(phase.generated_tokens_per_second))
            text += ", %1 generated tokens/s"_text(fmt::format("{:.0f}", phase.generated_tokens_per_second));
        text += "; of their time %1 is %2 %"_text(Message::word(step_part_words(StepPart::kernels)),
                                                  percent(StepPart::kernels));
        if (const std::vector<Message> work = work_words(phase); !work.empty())
            text += " (%1)"_text(enumerated(work));
        for (std::size_t p = 1; p < kStepParts; ++p)
            if (const auto part = static_cast<StepPart>(p); told(phase, part)) {
                text += ", %1 %2 %"_text(Message::word(step_part_words(part)), percent(part));
                if (const auto waits = wait_words(phase); part == StepPart::host && !waits.empty())
                    text += " (%1)"_text(enumerated(waits));
            }
        text += '.';
        sentences.push_back(std::move(text));
    }
    return sentences;
}

std::vector<Message> host_sentences(const Run& run, std::span<const PhaseSummary> phases) {
    std::vector<Message> sentences;
    const auto waits = [](const PhaseSummary& phase) { return told(phase, StepPart::host); };
    if (std::ranges::none_of(phases, waits))
        return sentences;
    if (python_stacks_recorded(run))
        sentences.push_back(
            "Python stacks are recorded. They slow the host, so that the GPU waits for it longer than without "
            "them."_text);
    if (std::ranges::none_of(phases, &PhaseSummary::host_is_named))
        sentences.push_back(
            "Which phase of the engine the GPU waits for is not known, because the engine recorded no ranges of that "
            "time; in which calls the host was, the Overview says. Only for vLLM: "
            "VLLM_CUSTOM_SCOPES_FOR_PROFILING=1 records them."_text);
    return sentences;
}

std::vector<Message> acceptance_sentences(const RunConfig& config, std::span<const std::vector<ServedStep>> ranks) {
    if (std::ranges::none_of(ranks, [](const std::vector<ServedStep>& steps) {
            return std::ranges::any_of(steps,
                                       [](const ServedStep& step) { return step.selected && step.is_speculative(); });
        }))
        return {};
    if (const auto length = acceptance_length_of(config))
        return {
            "Tokens of steps that verify drafts are counted by a mean acceptance length of %1 tokens per request and "
            "step, the bonus token included (%2)."_text(fmt::format("{:.4g}", length->value), length->key)};
    return {"How many drafts are accepted is not known, so that generated tokens are not counted: give the mean "
            "acceptance length in the workload card (%1)."_text(kAcceptanceLengthOfCard)};
}

Message host_range_words(const PhaseWait& wait) {
    return wait.range.empty() ? "in no range of the engine"_text : "in %1"_text(wait.range);
}

} // namespace rankscope
