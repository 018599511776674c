// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/request_waits.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

bool has_prompts(const ServedStep& step) { return computes_prompts(step.step.phase); }

/// Tokens of the step's prompts that steps before it computed (or a cache had); kUnknown where its name does not tell.
std::int64_t tokens_before(const EngineStep& step) {
    return step.context.q == kUnknown || step.context.k == kUnknown ? kUnknown : step.context.k - step.context.q;
}

/// Of two steps with prompts, one after the other.
enum class Prompts : std::uint8_t { same, other, not_told };

/// Engines cut long prompts into chunks, a step each. Where both have one prompt, the later one goes on with it if what
/// was computed of it before is what the earlier one has come to.
Prompts prompts_of(const EngineStep& earlier, const EngineStep& later) {
    const std::int64_t before = tokens_before(later);
    if (before == 0)
        return Prompts::other;
    if (before == kUnknown || earlier.context.k == kUnknown || earlier.context.requests != 1 ||
        later.context.requests != 1)
        return Prompts::not_told;
    return before == earlier.context.k ? Prompts::same : Prompts::other;
}

/// A number of requests as a weight.
double weight_of(std::int64_t requests) { return requests == kUnknown ? 1 : static_cast<double>(requests); }

double tokens_of_a_request(const ServedStep& step) {
    return step.is_speculative() ? step.generated() / static_cast<double>(step.step.generation.requests) : 1;
}

/// The running requests of a rank from step to step.
class RunningRequests {
public:
    explicit RunningRequests(std::span<const ServedStep> steps) : steps_(steps) {}

    TokenWaits waits() {
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            const ServedStep& step = steps_[k];
            if (generates(step.step.phase) && step.gpu_events > 0) {
                receive(k);
                last_ = &step;
                prompts_.clear();
            } else if (has_prompts(step) && step.gpu_events > 0) {
                prompts_.push_back(k);
            } else if (step.step.phase != EnginePhase::draft) {
                last_ = nullptr; // what the requests received there is not known
                prompts_.clear();
            }
        }
        return std::move(result_);
    }

private:
    void receive(std::size_t k) {
        const ServedStep& step = steps_[k];
        double left = weight_of(step.step.generation.requests);
        for (auto at = prompts_.rbegin(); at != prompts_.rend() && left > 0; ++at) {
            const double joined = std::min(left, joining(*at));
            add(step, steps_[*at], joined);
            left -= joined;
        }
        if (last_ == nullptr || left <= 0)
            return;
        add(step, *last_, left);
        if (const TimeNs stall = prompts_.empty() ? 0 : steps_[prompts_.back()].gpu.end - last_->gpu.end;
            step.selected && stall > 0)
            result_.stalls.push_back({stall, left, prompts_.size()});
    }

    void add(const ServedStep& step, const ServedStep& before, double requests) {
        if (const TimeNs wait = step.gpu.end - before.gpu.end; step.selected && requests > 0 && wait > 0)
            result_.waits.push_back({wait, requests, tokens_of_a_request(step), place_of(before), place_of(step)});
    }

    [[nodiscard]] std::size_t place_of(const ServedStep& step) const {
        return static_cast<std::size_t>(&step - steps_.data());
    }

    /// Requests whose prompts this step ends.
    [[nodiscard]] double joining(std::size_t k) const {
        const auto later = std::find_if(steps_.begin() + static_cast<std::ptrdiff_t>(k) + 1, steps_.end(), has_prompts);
        if (later != steps_.end() && prompts_of(steps_[k].step, later->step) == Prompts::same)
            return 0;
        return static_cast<double>(std::max<std::int64_t>(0, steps_[k].step.context.requests));
    }

    std::span<const ServedStep> steps_;
    const ServedStep* last_ = nullptr; ///< that generated
    std::vector<std::size_t> prompts_; ///< steps with prompts alone since then
    TokenWaits result_;
};

} // namespace

TokenWaits token_waits(std::span<const ServedStep> steps) { return RunningRequests(steps).waits(); }

PromptWaits prompt_waits(std::span<const ServedStep> steps) {
    PromptWaits result;
    const auto relation = [&](std::size_t later) { return prompts_of(steps[later - 1].step, steps[later].step); };
    for (std::size_t first = 0, last = 0; first < steps.size(); first = last) {
        last = first + 1;
        if (!has_prompts(steps[first]))
            continue;
        while (last < steps.size() && has_prompts(steps[last]) && relation(last) == Prompts::same)
            ++last;
        const bool starts = first == 0 ? tokens_before(steps[first].step) <= 0
                                       : !has_prompts(steps[first - 1]) || relation(first) == Prompts::other;
        const bool ends = last == steps.size() || !has_prompts(steps[last]) || relation(last) == Prompts::other;
        const auto of_prompt = steps.subspan(first, last - first);
        if (!std::ranges::all_of(of_prompt, [](const ServedStep& s) { return s.selected && s.gpu_events > 0; }))
            continue;
        if (starts && ends)
            result.waits.push_back({of_prompt.back().gpu.end - of_prompt.front().begin,
                                    weight_of(of_prompt.back().step.context.requests), 1, first, last - 1});
        else
            result.left_out += of_prompt.size();
    }
    return result;
}

std::vector<RequestWait> waits_per_token(std::span<const RequestWait> waits) {
    std::vector<RequestWait> result;
    for (const RequestWait& wait : waits)
        result.push_back({std::llround(static_cast<double>(wait.time) / wait.tokens), wait.requests * wait.tokens, 1,
                          wait.after, wait.step});
    return result;
}

WaitSummary summarise_waits(std::span<const RequestWait> waits) {
    WaitSummary summary;
    std::vector<std::pair<double, double>> times_ms; // each with its requests
    for (const RequestWait& wait : waits)
        times_ms.emplace_back(static_cast<double>(wait.time) / 1e6, wait.requests);
    std::ranges::sort(times_ms);
    double sum = 0;
    for (const auto& [time, requests] : times_ms) {
        summary.requests += requests;
        sum += requests * time;
    }
    const auto percentile = [&](double share) {
        return times_ms.empty() ? std::nan("") : weighted_nearest_rank(times_ms, share);
    };
    summary.mean_ms = summary.requests > 0 ? sum / summary.requests : std::nan("");
    summary.p50_ms = percentile(0.50);
    summary.p90_ms = percentile(0.90);
    summary.p95_ms = percentile(0.95);
    summary.p99_ms = percentile(0.99);
    summary.max_ms = percentile(1);
    return summary;
}

} // namespace rankscope
