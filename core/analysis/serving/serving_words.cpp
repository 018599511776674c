// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/serving_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/statistics.h"

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

/// Selected steps of one kind with GPU work, of all ranks.
struct StepSample {
    std::vector<double> ms;
    std::array<std::vector<double>, kStepParts> parts_ms;
    double tokens = 0, with_tokens = 0;

    void add(const ServedStep& step) {
        ms.push_back(static_cast<double>(step.cycle.length()) / 1e6);
        for (std::size_t p = 0; p < kStepParts; ++p)
            parts_ms[p].push_back(static_cast<double>(step.parts[p]) / 1e6);
        if (const std::int64_t computed = step.tokens(); computed != kUnknown) {
            tokens += static_cast<double>(computed);
            ++with_tokens;
        }
    }
};

/// What one kind of step takes. The first of a capture has no step before it, so its time is of its own work alone and
/// no measure of the others.
struct StepsOfKind {
    StepSample following, first;
    [[nodiscard]] std::size_t size() const { return following.ms.size() + first.ms.size(); }
};

std::map<EnginePhase, StepsOfKind> steps_by_kind(std::span<const std::vector<ServedStep>> ranks) {
    std::map<EnginePhase, StepsOfKind> by_phase;
    for (const auto& steps : ranks)
        for (const ServedStep& step : steps) {
            if (!step.selected || step.gpu_events == 0)
                continue;
            StepsOfKind& kind = by_phase[step.step.phase];
            (step.cycle.begin == step.gpu.begin ? kind.first : kind.following).add(step);
        }
    return by_phase;
}

/// A value that stands for many, and how far chance moves it: two of its standard errors.
struct Level {
    double value = 0, doubt = 0;
};
Level mean_level(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double value : values)
        sum += value;
    for (const double value : values)
        squares += (value - sum / n) * (value - sum / n);
    return {sum / n, 2 * std::sqrt(squares / n / n)};
}
/// A pause without requests, or one step that waits, does not move it. The standard error of a median is 1.2533 of that
/// of a mean for a normal distribution, whose standard deviation is 1.4826 median absolute deviations.
Level median_level(const std::vector<double>& values) {
    const double median = middle_median(values);
    std::vector<double> deviations;
    for (const double value : values)
        deviations.push_back(std::abs(value - median));
    return {median, 2 * 1.2533 * 1.4826 * middle_median(deviations) / std::sqrt(static_cast<double>(values.size()))};
}
bool differ(const Level& before, const Level& after) {
    const double change = std::abs(after.value - before.value);
    return change > kSimilarStep * before.value && change > std::hypot(before.doubt, after.doubt);
}
using LevelOf = Level (*)(const std::vector<double>&);

std::string capitalised(std::string_view word) {
    std::string text(word);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// ", with 32 instead of 24 tokens a step" where the size of the batch changed; else nothing.
std::string batch_change(const StepSample& before, const StepSample& after) {
    if (before.with_tokens == 0 || after.with_tokens == 0)
        return {};
    const double a = before.tokens / before.with_tokens;
    const double b = after.tokens / after.with_tokens;
    if (std::abs(b - a) <= kSimilarStep * a)
        return {};
    return fmt::format(", with {:.0f} instead of {:.0f} tokens a step", b, a);
}

/// Fewer than three steps say nothing of how much they differ among themselves.
std::string few_steps(const StepSample& before, const StepSample& after) {
    if (before.ms.size() > 2 && after.ms.size() > 2)
        return {};
    return fmt::format(", from {} and {} step{}", before.ms.size(), after.ms.size(), after.ms.size() == 1 ? "" : "s");
}

/// The parts that moved the way the step did, largest first, as far as they matter.
std::string why(const StepSample& before, const StepSample& after, LevelOf level_of, double change_ms) {
    std::vector<std::pair<double, StepPart>> parts;
    for (std::size_t p = 0; p < kStepParts; ++p) {
        const double moved = level_of(after.parts_ms[p]).value - level_of(before.parts_ms[p]).value;
        if ((moved > 0) == (change_ms > 0) && std::abs(moved) > 0.1 * std::abs(change_ms))
            parts.emplace_back(moved, static_cast<StepPart>(p));
    }
    std::ranges::sort(parts, std::greater(), [](const auto& part) { return std::abs(part.first); });
    std::string words;
    for (const auto& [moved, part] : parts)
        words += fmt::format("{}{} {:+.3f} ms", words.empty() ? ": " : ", ", part_words(part), moved);
    return words;
}

struct StepChange {
    double cost_ms = 0; ///< over all steps of the test
    std::string text;
};

/// How one kind of step changed; empty where it did not.
std::optional<StepChange> change_of(const std::string& name, const StepSample& a, const StepSample& b) {
    for (const LevelOf level_of : {&median_level, &mean_level}) {
        const Level before = level_of(a.ms);
        const Level after = level_of(b.ms);
        if (!differ(before, after))
            continue;
        const double change = after.value - before.value;
        return StepChange{change * static_cast<double>(b.ms.size()),
                          fmt::format("{} became {:.0f} % {}{} ({} -> {}{}{}){}.", name,
                                      100 * std::abs(change) / before.value, change > 0 ? "slower" : "faster",
                                      level_of == &mean_level ? " on average" : "", ms_text(before.value),
                                      ms_text(after.value), batch_change(a, b), few_steps(a, b),
                                      why(a, b, level_of, change))};
    }
    // Something else may hide it, as a host that the GPU waits for.
    constexpr double kChangedPart = 0.05;
    for (const StepPart part : {StepPart::kernels, StepPart::communication, StepPart::copies}) {
        const Level before = median_level(a.parts_ms[static_cast<std::size_t>(part)]);
        const Level after = median_level(b.parts_ms[static_cast<std::size_t>(part)]);
        const double step = median_level(b.ms).value;
        const double change = after.value - before.value;
        if (differ(before, after) && std::abs(change) > kChangedPart * before.value &&
            std::max(before.value, after.value) > kSimilarStep * step)
            return StepChange{change * static_cast<double>(b.ms.size()),
                              fmt::format("{} take as long as before ({}), though {} takes {} ({} -> {} of it{}{}).",
                                          name, ms_text(step), part_words(part), change > 0 ? "longer" : "less",
                                          ms_text(before.value), ms_text(after.value), batch_change(a, b),
                                          few_steps(a, b))};
    }
    return {};
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
    const auto before = steps_by_kind(baseline);
    const auto after = steps_by_kind(test);
    std::vector<std::string> sentences;
    if (before.empty() || after.empty())
        return sentences;
    std::vector<StepChange> changes;
    double steps_before = 0, steps_after = 0;
    for (const auto& [phase, steps] : before)
        steps_before += static_cast<double>(steps.size());
    for (const auto& [phase, steps] : after)
        steps_after += static_cast<double>(steps.size());
    for (const auto& [phase, b] : after) {
        const std::string name =
            phase == EnginePhase::unknown ? "Steps" : capitalised(engine_phase_word(phase)) + " steps";
        const auto known = before.find(phase);
        if (known == before.end()) {
            const StepSample& steps = b.following.ms.empty() ? b.first : b.following;
            const Level typical = median_level(steps.ms);
            changes.push_back({typical.value * static_cast<double>(b.size()),
                               fmt::format("{} occur in the test only ({} of {:.0f}, {} each).", name, b.size(),
                                           steps_after, ms_text(typical.value))});
            continue;
        }
        const StepsOfKind& a = known->second;
        const bool follow = !a.following.ms.empty() && !b.following.ms.empty();
        if (!follow && (a.first.ms.empty() || b.first.ms.empty()))
            continue; // of one run only the first step of its capture is of this kind
        if (auto change = change_of(name, follow ? a.following : a.first, follow ? b.following : b.first))
            changes.push_back(std::move(*change));
    }
    std::ranges::stable_sort(changes, std::greater(), [](const StepChange& c) { return std::abs(c.cost_ms); });
    for (StepChange& change : changes)
        sentences.push_back(std::move(change.text));
    for (const auto& [phase, a] : before) {
        const double share_before = static_cast<double>(a.size()) / steps_before;
        const auto known = after.find(phase);
        const double share_after = known == after.end() ? 0 : static_cast<double>(known->second.size()) / steps_after;
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
