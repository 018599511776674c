// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_work.h"

#include <algorithm>

#include "core/base/seeded_hash.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

constexpr double kLikeWork = 0.1;

std::int64_t generating(const EngineBatch& batch) { return batch.requests != kUnknown ? batch.requests : batch.q; }

bool tells_work(const EngineStepName& name) {
    return name.phase != EnginePhase::unknown && name.context.q != kUnknown && generating(name.generation) != kUnknown;
}

/// Where one of them does not tell, nothing speaks against it.
bool is_like(std::int64_t a, std::int64_t b) {
    const auto [least, most] = std::minmax(a, b);
    return least == kUnknown || static_cast<double>(most - least) <= kLikeWork * static_cast<double>(most);
}
bool is_like(const EngineBatch& a, const EngineBatch& b) {
    return is_like(a.requests, b.requests) && is_like(a.q, b.q) && is_like(a.k, b.k);
}

} // namespace

std::vector<std::optional<EngineStepName>> step_work(const RankTrace& rank) {
    if (!has_engine_steps(rank))
        return {};
    PlaceMap<EventIndex, EngineStepName> told;
    for (const EngineStep& step : engine_steps(rank))
        told.emplace(step.event, EngineStepName{EngineMark::step, step.phase, step.context, step.generation});
    std::vector<std::optional<EngineStepName>> work(rank.steps.size());
    for (std::size_t s = 0; s < work.size(); ++s) {
        const auto found = told.find(rank.steps[s].event);
        if (found == told.end())
            continue;
        // Where no prompts are there, or nobody decodes, that is a number too.
        for (EngineBatch* const batch : {&found->second.context, &found->second.generation})
            if (batch->requests == 0 && batch->q == kUnknown)
                batch->q = 0;
        if (tells_work(found->second))
            work[s] = found->second;
    }
    return work;
}

bool is_like_work(const EngineStepName& a, const EngineStepName& b) {
    return a.phase == b.phase && is_like(a.context, b.context) && is_like(a.generation, b.generation);
}

bool is_equal_work(const EngineStepName& a, const EngineStepName& b) {
    const auto equal = [](const EngineBatch& one, const EngineBatch& other) {
        return one.requests == other.requests && one.q == other.q;
    };
    return is_like_work(a, b) && equal(a.context, b.context) && equal(a.generation, b.generation);
}

Message steps_of_work_words(const EngineStepName& work) {
    const std::int64_t generates = generating(work.generation);
    const std::int64_t tokens = work.context.q;
    const Message requests = plural(generates, "%1 request"_one, "%1 requests"_many)(generates);
    switch (work.phase) {
    case EnginePhase::prefill:
        return plural(tokens, "prefill steps of %1 token"_one, "prefill steps of %1 tokens"_many)(tokens);
    case EnginePhase::mixed:
        return plural(tokens, "mixed steps of %1 prompt token and %2"_one,
                      "mixed steps of %1 prompt tokens and %2"_many)(tokens, requests);
    default: return "%1 steps of %2"_text(Message::word(engine_phase_word(work.phase)), requests);
    }
}

} // namespace rankscope
