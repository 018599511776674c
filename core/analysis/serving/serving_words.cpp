// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/serving_words.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace rankscope {
namespace {

constexpr double kSimilarStep = 0.01; ///< of a step's time

std::string ms_text(double ms) { return fmt::format("{:.{}f} ms", ms, ms < 10 ? 2 : ms < 100 ? 1 : 0); }

std::string_view part_words(StepPart part) {
    switch (part) {
    case StepPart::kernels: return "computation on the GPU";
    case StepPart::communication: return "communication that nothing hides";
    case StepPart::copies: return "copies that nothing hides";
    case StepPart::host: return "waiting for the host to launch";
    case StepPart::gaps: return "gaps before launched work starts";
    }
    return {};
}

/// Means of the selected steps of one kind, of all ranks.
struct Means {
    double steps = 0; ///< with GPU work
    double ms = 0, squares = 0;
    double tokens = 0, with_tokens = 0;
    double requests = 0, with_requests = 0;
    std::array<double, kStepParts> parts_ms{};

    [[nodiscard]] double mean_ms() const { return ms / steps; }
    [[nodiscard]] double error_ms() const {
        return steps < 2 ? 0 : std::sqrt(std::max(0.0, squares / steps - mean_ms() * mean_ms()) / steps);
    }
};

std::map<EnginePhase, Means> means_of(std::span<const std::vector<ServedStep>> ranks) {
    std::map<EnginePhase, Means> by_phase;
    for (const auto& steps : ranks)
        for (const ServedStep& step : steps) {
            if (!step.selected || step.gpu_events == 0)
                continue;
            Means& means = by_phase[step.step.phase];
            const double ms = static_cast<double>(step.cycle.length()) / 1e6;
            ++means.steps;
            means.ms += ms;
            means.squares += ms * ms;
            if (const std::int64_t tokens = step.tokens(); tokens != kUnknown) {
                means.tokens += static_cast<double>(tokens);
                ++means.with_tokens;
            }
            if (const std::int64_t requests = step.requests(); requests != kUnknown) {
                means.requests += static_cast<double>(requests);
                ++means.with_requests;
            }
            for (std::size_t p = 0; p < kStepParts; ++p)
                means.parts_ms[p] += static_cast<double>(step.parts[p]) / 1e6;
        }
    return by_phase;
}

std::string capitalised(std::string_view word) {
    std::string text(word);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// "of 32 requests (24 before)" where the size of the batch changed; else nothing.
std::string batch_change(const Means& before, const Means& after) {
    if (before.with_tokens == 0 || after.with_tokens == 0)
        return {};
    const double a = before.tokens / before.with_tokens;
    const double b = after.tokens / after.with_tokens;
    if (std::abs(b - a) <= kSimilarStep * a)
        return {};
    return fmt::format(", with {:.0f} instead of {:.0f} tokens a step", b, a);
}

/// The parts that moved the way the step did, largest first, as far as they matter.
std::string why(const Means& before, const Means& after, double change_ms) {
    std::vector<std::pair<double, StepPart>> parts;
    for (std::size_t p = 0; p < kStepParts; ++p) {
        const double moved = after.parts_ms[p] / after.steps - before.parts_ms[p] / before.steps;
        if ((moved > 0) == (change_ms > 0) && std::abs(moved) > 0.1 * std::abs(change_ms))
            parts.emplace_back(moved, static_cast<StepPart>(p));
    }
    std::ranges::sort(parts, std::greater(), [](const auto& part) { return std::abs(part.first); });
    std::string words;
    for (const auto& [moved, part] : parts)
        words += fmt::format("{}{} {:+.3f} ms", words.empty() ? ": " : ", ", part_words(part), moved);
    return words;
}

} // namespace

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
        text += fmt::format("; {} is {:.0f} % of that", part_words(StepPart::kernels),
                            100 * phase.shares[static_cast<std::size_t>(StepPart::kernels)]);
        for (std::size_t p = 1; p < kStepParts; ++p)
            if (phase.shares[p] >= 0.005)
                text += fmt::format(", {} {:.0f} %", part_words(static_cast<StepPart>(p)), 100 * phase.shares[p]);
        sentences.push_back(text + ".");
    }
    return sentences;
}

std::vector<std::string> serving_changes(std::span<const std::vector<ServedStep>> baseline,
                                         std::span<const std::vector<ServedStep>> test) {
    const auto before = means_of(baseline);
    const auto after = means_of(test);
    std::vector<std::string> sentences;
    if (before.empty() || after.empty())
        return sentences;
    struct Change {
        double cost_ms; ///< over all steps of the test
        std::string text;
    };
    std::vector<Change> changes;
    double steps_before = 0, steps_after = 0;
    for (const auto& [phase, means] : before)
        steps_before += means.steps;
    for (const auto& [phase, means] : after)
        steps_after += means.steps;
    for (const auto& [phase, b] : after) {
        const std::string name =
            phase == EnginePhase::unknown ? "Steps" : capitalised(engine_phase_word(phase)) + " steps";
        const auto known = before.find(phase);
        if (known == before.end()) {
            changes.push_back({b.ms, fmt::format("{} occur in the test only ({:.0f} of {:.0f}, {} each).", name,
                                                 b.steps, steps_after, ms_text(b.mean_ms()))});
            continue;
        }
        const Means& a = known->second;
        const double change = b.mean_ms() - a.mean_ms();
        const double error = std::hypot(a.error_ms(), b.error_ms());
        if (std::abs(change) <= kSimilarStep * a.mean_ms() || std::abs(change) <= 2 * error)
            continue;
        changes.push_back({change * b.steps, fmt::format("{} became {:.0f} % {} ({} -> {}{}){}.", name,
                                                         100 * std::abs(change) / a.mean_ms(),
                                                         change > 0 ? "slower" : "faster", ms_text(a.mean_ms()),
                                                         ms_text(b.mean_ms()), batch_change(a, b), why(a, b, change))});
    }
    std::ranges::stable_sort(changes, std::greater(), [](const Change& c) { return std::abs(c.cost_ms); });
    for (Change& change : changes)
        sentences.push_back(std::move(change.text));
    for (const auto& [phase, a] : before) {
        const double share_before = a.steps / steps_before;
        const auto known = after.find(phase);
        const double share_after = known == after.end() ? 0 : known->second.steps / steps_after;
        if (std::abs(share_after - share_before) > 0.05)
            sentences.push_back(fmt::format("{} steps are {:.0f} % of the steps instead of {:.0f} %.",
                                            phase == EnginePhase::unknown ? std::string("Unnamed")
                                                                          : capitalised(engine_phase_word(phase)),
                                            100 * share_after, 100 * share_before));
    }
    if (sentences.empty())
        sentences.emplace_back("No kind of step of the serving engine became slower or faster by more than 1 % and its "
                               "own spread.");
    return sentences;
}

} // namespace rankscope
