// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/engine_steps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "core/base/text_match.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

constexpr std::size_t kMarks = static_cast<std::size_t>(EngineMark::run_batch_inner) + 1;

/// The number that follows the word, which is taken off the front with it; nothing when something else stands there.
std::optional<std::int64_t> take_number_after(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word))
        return {};
    std::int64_t number = 0;
    const char* const begin = text.data() + word.size();
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    if (error != std::errc{} || end == begin || number < 0 || !is_plausible(number))
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

EnginePhase phase_of(std::int64_t prompts, std::int64_t generating) {
    return prompts > 0      ? generating > 0 ? EnginePhase::mixed : EnginePhase::prefill
           : generating > 0 ? EnginePhase::decode
                            : EnginePhase::unknown; // a step without requests
}

/// "(512)" or "(sq512sk900sqsq262144sqsk460800)", which is taken off the front.
void take_counts(std::string_view& text, EngineBatch& batch) {
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos)
        return;
    std::string_view counts = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (const auto tokens = take_number_after(counts, "")) {
        batch.q = *tokens;
        return;
    }
    const auto q = take_number_after(counts, "sq");
    const auto k = take_number_after(counts, "sk");
    const auto qq = take_number_after(counts, "sqsq");
    const auto qk = take_number_after(counts, "sqsk");
    if (q && k && qq && qk)
        batch = {batch.requests, *q, *k, *qq, *qk};
}

/// "execute_new_1_cached_7": requests that are scheduled for the first time, and the others. Of these one may go on
/// with its prompt, which the name does not tell.
std::optional<EngineStepName> old_vllm_step(std::string_view name) {
    const auto prompts = take_number_after(name, "execute_new_");
    const auto generating = take_number_after(name, "_cached_");
    if (!prompts || !generating || !name.empty())
        return {};
    EngineStepName step;
    step.context.requests = *prompts;
    step.context.q = *prompts == 0 ? 0 : kUnknown;
    step.generation.requests = *generating;
    step.phase = phase_of(*prompts, *generating);
    return step;
}

std::optional<EngineStepName> diffusion_step(std::string_view name) {
    if (!name.starts_with("execute_diffusion_"))
        return {};
    return EngineStepName{EngineMark::execute, EnginePhase::diffusion, {}, {}};
}

/// "execute_context_1(512)_generation_7(7)", also with the number of tokens before "context".
std::optional<EngineStepName> vllm_step(std::string_view name) {
    constexpr std::string_view kExecute = "execute_";
    if (!name.starts_with(kExecute))
        return {};
    name.remove_prefix(kExecute.size());
    if (!name.empty() && is_digit(name.front())) {
        const std::size_t digits = name.find_first_not_of("0123456789");
        if (digits == std::string_view::npos || name[digits] != '_')
            return {};
        name.remove_prefix(digits + 1);
    }
    const auto prompts = take_number_after(name, "context_");
    if (!prompts || !(name.empty() || name.front() == '(' || name.front() == '_'))
        return {};
    EngineStepName step;
    step.context.requests = *prompts;
    take_counts(name, step.context);
    const std::size_t at = name.find("_generation_");
    std::string_view rest = at == std::string_view::npos ? std::string_view{} : name.substr(at);
    const auto generating = take_number_after(rest, "_generation_");
    if (generating) {
        step.generation.requests = *generating;
        take_counts(rest, step.generation);
    }
    // Older releases name only the prompts; a step without any generates.
    step.phase = phase_of(*prompts, generating.value_or(*prompts > 0 ? 0 : 1));
    return step;
}

/// The number behind " key=" in "DECODE bs=32 g_sq=32"; of "117/128", a batch padded to a graph's size, the first.
std::int64_t value_of(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        std::string_view rest = text.substr(at + key.size());
        if (at > 0 && text[at - 1] == ' ')
            if (const auto number = take_number_after(rest, "="))
                return *number;
    }
    return kUnknown;
}

EngineBatch batch_of(std::string_view text, std::int64_t requests, std::string_view prefix) {
    const auto value = [&](std::string_view key) { return value_of(text, std::string(prefix) + std::string(key)); };
    return {requests, value("sq"), value("sk"), value("sqsq"), value("sqsk")};
}

constexpr EngineBatch kNoRequests{0, 0, 0, 0, 0};

/// With speculative decoding (EAGLE, MTP) a small model drafts tokens and the large one verifies them, each in passes
/// that are marked alike. How many of them the requests receive is in no name.
bool verifies_drafts(std::string_view mark) { return mark.starts_with("step[TARGET_VERIFY"); }
bool brings_drafts_up_to_date(std::string_view mark) { return mark.starts_with("step[DRAFT_EXTEND"); }

/// "step[DECODE bs=32]", "step[EXTEND bs=2 toks=14721 c_sq=...]", "step[MIXED bs=2 c=1 g=1 ...]"
std::optional<EngineStepName> sglang_step(std::string_view name) {
    constexpr std::string_view kStep = "step[";
    if (!name.starts_with(kStep) || !name.ends_with(']'))
        return {};
    name.remove_prefix(kStep.size());
    name.remove_suffix(1);
    // The mode in capitals, "DRAFT_EXTEND_V2"; "step[3]" is someone else's.
    const std::size_t mode_end = std::min(name.size(), name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"));
    if (mode_end < 3 || is_digit(name.front()) || (mode_end < name.size() && name[mode_end] != ' '))
        return {};
    struct Mode {
        std::string_view word;
        EnginePhase phase;
    };
    static constexpr std::array kModes{
        Mode{"DECODE", EnginePhase::decode},        Mode{"EXTEND", EnginePhase::prefill},
        Mode{"PREFILL", EnginePhase::prefill},      Mode{"MIXED", EnginePhase::mixed},
        Mode{"TARGET_VERIFY", EnginePhase::verify}, Mode{"IDLE", EnginePhase::unknown},
    };
    EngineStepName step{EngineMark::step, EnginePhase::unknown, {}, {}};
    for (const Mode& mode : kModes)
        if (name.substr(0, mode_end) == mode.word)
            step.phase = mode.phase;
    if (name.starts_with("DRAFT_EXTEND"))
        step.phase = EnginePhase::draft;
    const std::int64_t requests = value_of(name, "bs");
    const std::int64_t tokens = value_of(name, "toks");
    if (step.phase == EnginePhase::decode || step.phase == EnginePhase::verify) {
        step.context = kNoRequests;
        step.generation = batch_of(name, requests, "g_");
        if (step.generation.q == kUnknown)
            step.generation.q = tokens;
    } else if (step.phase == EnginePhase::prefill) {
        step.context = batch_of(name, requests, "c_");
        if (step.context.q == kUnknown)
            step.context.q = tokens;
        step.generation = kNoRequests;
    } else if (step.phase == EnginePhase::mixed) {
        step.context = batch_of(name, value_of(name, "c"), "c_");
        step.generation = batch_of(name, value_of(name, "g"), "g_");
        if (step.context.requests == kUnknown && step.generation.requests == kUnknown)
            step.context.requests = requests; // all of the batch: of which kind is not said
    }
    return step;
}

/// "prefill[bs=2 tok=14721 ctx=[7803, 6918]]", "decode[bs=117/128 tok=117 d=117]"
std::optional<EngineStepName> atom_step(std::string_view name) {
    const bool prefill = name.starts_with("prefill[bs=");
    if (!name.ends_with(']') || !(prefill || name.starts_with("decode[bs=")))
        return {};
    std::string text(name);
    text[name.find('[')] = ' ';
    EngineBatch batch{value_of(text, "bs"), value_of(text, "tok"), value_of(text, "sk"), value_of(text, "sqsq"),
                      value_of(text, "sqsk")};
    if (prefill)
        return EngineStepName{EngineMark::step, EnginePhase::prefill, batch, kNoRequests};
    return EngineStepName{EngineMark::step, EnginePhase::decode, kNoRequests, batch};
}

/// "[Executor] _forward_step 7: 1 ctx reqs, 512 ctx tokens, 31 gen reqs". Older releases name no tokens, still older
/// ones not the number of the step, the first ones not the executor.
std::optional<EngineStepName> tensorrt_llm_step(std::string_view name) {
    constexpr std::string_view kExecutor = "[Executor] ";
    constexpr std::string_view kStep = "_forward_step";
    if (name.starts_with(kExecutor))
        name.remove_prefix(kExecutor.size());
    if (!name.starts_with(kStep))
        return {};
    name.remove_prefix(kStep.size());
    take_number_after(name, " ");
    EngineStepName step{EngineMark::forward_step, EnginePhase::unknown, {}, {}};
    // Each number with what it counts; what else a later release names is passed over.
    for (auto number = take_number_after(name, ": "); number; number = take_number_after(name, ", ")) {
        const std::string_view counted = name.substr(0, name.find(','));
        name.remove_prefix(counted.size());
        if (counted == " ctx reqs")
            step.context.requests = *number;
        else if (counted == " ctx tokens")
            step.context.q = *number;
        else if (counted == " gen reqs")
            step.generation.requests = *number;
        else if (counted == " gen tokens")
            step.generation.q = *number;
    }
    if (step.context.requests == kUnknown || step.generation.requests == kUnknown)
        return {};
    step.phase = phase_of(step.context.requests, step.generation.requests);
    if (step.context.requests == 0)
        step.context.q = 0;
    return step;
}

/// Of a Python frame, "file.py(12): run_batch": the function; of other names all of it.
std::string_view function_of(std::string_view frame) {
    const std::size_t colon = frame.rfind(':');
    std::string_view function = colon == std::string_view::npos ? frame : frame.substr(colon + 1);
    while (function.starts_with(' '))
        function.remove_prefix(1);
    return function;
}

EnginePhase phase_of_frame(std::string_view frame) {
    const std::string_view function = function_of(frame);
    return function == "forward_decode"   ? EnginePhase::decode
           : function == "forward_extend" ? EnginePhase::prefill
           : function == "forward_mixed"  ? EnginePhase::mixed
                                          : EnginePhase::unknown;
}

/// Answers by name, each name looked at once.
template <typename Answer, typename Ask>
class ByName {
public:
    ByName(const RankTrace& rank, Ask ask) : rank_(rank), ask_(ask), known_(rank.names->size()) {}
    const Answer& of(EventIndex event) {
        std::optional<Answer>& known = known_[rank_.events.name[event]];
        if (!known)
            known = ask_(rank_.event_name(event));
        return *known;
    }

private:
    const RankTrace& rank_;
    Ask ask_;
    std::vector<std::optional<Answer>> known_;
};

/// In order of start, the longer first; those inside another go.
void keep_outermost(std::vector<EngineStep>& steps) {
    std::ranges::stable_sort(steps, [](const EngineStep& a, const EngineStep& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
    });
    TimeNs end = 0;
    bool any = false;
    std::erase_if(steps, [&](const EngineStep& step) {
        if (any && step.range.begin < end)
            return true;
        any = true;
        end = step.range.end;
        return false;
    });
}

/// Frames do not say what they compute, but the forward pass inside them does.
void find_phases(const RankTrace& rank, std::vector<EngineStep>& steps) {
    ByName<EnginePhase, EnginePhase (*)(std::string_view)> phases(rank, phase_of_frame);
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i) {
        if (rank.events.kind[i] != EventKind::python || phases.of(i) == EnginePhase::unknown)
            continue;
        const TimeNs at = rank.events.start[i];
        const auto after = std::ranges::upper_bound(steps, at, {}, [](const EngineStep& s) { return s.range.begin; });
        if (after != steps.begin() && std::prev(after)->range.contains(at) &&
            std::prev(after)->phase == EnginePhase::unknown)
            std::prev(after)->phase = phases.of(i);
    }
}

/// The mark around each pass, an index; -1 where there is none. On another thread the two have nothing to do with each
/// other, whatever their times.
std::vector<std::ptrdiff_t> marks_around(const RankTrace& rank, std::span<const EngineStep> passes,
                                         std::span<const EngineStep> around) {
    std::vector<std::ptrdiff_t> of_pass;
    for (const EngineStep& pass : passes) {
        const auto after =
            std::ranges::upper_bound(around, pass.range.begin, {}, [](const EngineStep& s) { return s.range.begin; });
        const auto mark = after - around.begin() - 1;
        const bool inside = mark >= 0 && pass.range.end <= around[static_cast<std::size_t>(mark)].range.end &&
                            &rank.lane_of(pass.event) == &rank.lane_of(around[static_cast<std::size_t>(mark)].event);
        of_pass.push_back(inside ? mark : -1);
    }
    return of_pass;
}

/// What all of them say.
EngineBatch common(const std::vector<EngineBatch>& batches) {
    if (batches.empty())
        return kNoRequests;
    EngineBatch all = batches.front();
    for (const EngineBatch& batch : batches)
        for (std::int64_t EngineBatch::*const field :
             {&EngineBatch::requests, &EngineBatch::q, &EngineBatch::k, &EngineBatch::qq, &EngineBatch::qk})
            if (batch.*field != all.*field)
                all.*field = kUnknown;
    return all;
}

enum class Pass : std::uint8_t { prompts, decode, verify, draft };

Pass pass_of(const RankTrace& rank, const EngineStep& step) {
    const std::string_view mark = rank.event_name(step.event);
    return verifies_drafts(mark)                                    ? Pass::verify
           : brings_drafts_up_to_date(mark)                         ? Pass::draft
           : generates(step.phase) && !computes_prompts(step.phase) ? Pass::decode
                                                                    : Pass::prompts;
}

/// Passes of one iteration, in order. kinds: what each is; drafting: the engine drafts tokens in other iterations.
EngineStep joined(std::span<const EngineStep> passes, std::span<const Pass> kinds, bool drafting) {
    const bool verified = std::ranges::find(kinds, Pass::verify) != kinds.end();
    const bool checks = verified || std::ranges::find(passes, EnginePhase::verify, &EngineStep::phase) != passes.end();
    EngineStep step = passes.front();
    std::vector<EngineBatch> context, generation;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const EngineStep& pass = passes[i];
        step.range.end = std::max(step.range.end, pass.range.end);
        // Beside a pass that verifies, one that decodes drafts.
        if (pass.phase == EnginePhase::unknown || kinds[i] == Pass::draft || (verified && kinds[i] == Pass::decode))
            continue;
        if (computes_prompts(pass.phase))
            context.push_back(pass.context);
        if (generates(pass.phase))
            generation.push_back(pass.generation);
    }
    if (context.empty() && generation.empty())
        return step;
    step.phase = generation.empty() ? EnginePhase::prefill
                 : !context.empty() ? EnginePhase::mixed
                 : checks           ? EnginePhase::verify
                                    : EnginePhase::decode;
    step.context = common(context);
    step.generation = common(generation);
    if (drafting && !verified && !generation.empty())
        step.generation.q = kUnknown; // whether it was verified is not recorded
    return step;
}

/// Whether a pass belongs to the iteration of the passes before it, where nothing around them tells: drafts are made
/// before the pass that verifies them, and the drafting model is brought up to date after it.
bool continues(std::span<const Pass> before, Pass next) {
    return next == Pass::draft || ((next == Pass::verify || next == Pass::decode) &&
                                   std::ranges::all_of(
                                       before, [](Pass pass) { return pass == Pass::decode; }));
}

/// SGLang marks each forward pass. Where an iteration has several (drafts, graphs in pieces), they become one step:
/// from start to end of the mark around them, or, with drafts, of the passes themselves. Its counts are those that the
/// passes of the large model agree on.
std::vector<EngineStep> join_passes(const RankTrace& rank, const std::vector<EngineStep>& passes,
                                    std::span<const EngineStep> around) {
    std::vector<Pass> kinds;
    for (const EngineStep& pass : passes)
        kinds.push_back(pass_of(rank, pass));
    const bool drafting =
        std::ranges::any_of(kinds, [](Pass pass) { return pass == Pass::verify || pass == Pass::draft; });
    const std::vector<std::ptrdiff_t> mark = marks_around(rank, passes, around);
    const bool several =
        std::adjacent_find(mark.begin(), mark.end(), [](auto a, auto b) { return a >= 0 && a == b; }) != mark.end();
    if (!drafting && !several)
        return passes;
    std::vector<EngineStep> steps;
    for (std::size_t first = 0, last = 0; first < passes.size(); first = last) {
        const auto same = [&] {
            const std::span before = std::span(kinds).subspan(first, last - first);
            return mark[last] == mark[first] && (mark[first] >= 0 || (drafting && continues(before, kinds[last])));
        };
        for (last = first + 1; last < passes.size() && same();)
            ++last;
        steps.push_back(joined(std::span(passes).subspan(first, last - first),
                               std::span(kinds).subspan(first, last - first), drafting && mark[first] < 0));
        if (mark[first] >= 0) {
            const EngineStep& whole = around[static_cast<std::size_t>(mark[first])];
            steps.back().range = whole.range;
            steps.back().event = whole.event;
        }
    }
    return steps;
}

} // namespace

std::string_view engine_phase_word(EnginePhase phase) {
    switch (phase) {
    case EnginePhase::prefill: return "prefill";
    case EnginePhase::decode: return "decode";
    case EnginePhase::mixed: return "mixed";
    case EnginePhase::draft: return "draft";
    case EnginePhase::verify: return "verify";
    case EnginePhase::diffusion: return "diffusion";
    case EnginePhase::unknown: break;
    }
    return "unknown";
}

namespace {
std::int64_t sum_of_known(std::int64_t a, std::int64_t b) { return a == kUnknown ? b : b == kUnknown ? a : a + b; }
std::int64_t tokens_or_none(const EngineBatch& batch) {
    return batch.q == kUnknown && batch.requests == 0 ? 0 : batch.q;
}
bool lacks_tokens(const EngineBatch& batch) { return batch.requests > 0 && batch.q == kUnknown; }
} // namespace

std::int64_t EngineStepName::requests() const { return sum_of_known(context.requests, generation.requests); }
std::int64_t EngineStepName::tokens() const {
    return lacks_tokens(context) || lacks_tokens(generation)
               ? kUnknown
               : sum_of_known(tokens_or_none(context), tokens_or_none(generation));
}

std::optional<EngineStepName> engine_step_name(EventKind kind, std::string_view name) {
    if (kind == EventKind::annotation) {
        if (name == "scheduler.run_batch")
            return EngineStepName{EngineMark::run_batch, EnginePhase::unknown, {}, {}};
        for (const auto step : {vllm_step, old_vllm_step, diffusion_step, sglang_step, atom_step, tensorrt_llm_step})
            if (auto found = step(name)) {
                // A token each, where the name tells nothing else.
                if (found->generation.q == kUnknown && found->phase != EnginePhase::verify)
                    found->generation.q = found->generation.requests;
                // More than one each are drafts, which the step verifies.
                if (found->phase == EnginePhase::decode && found->generation.requests != kUnknown &&
                    found->generation.q > found->generation.requests)
                    found->phase = EnginePhase::verify;
                return found;
            }
        return {};
    }
    if (kind != EventKind::python)
        return {};
    const std::string_view function = function_of(name);
    if (function == "run_batch")
        return EngineStepName{EngineMark::run_batch, EnginePhase::unknown, {}, {}};
    if (function == "_run_batch_inner")
        return EngineStepName{EngineMark::run_batch_inner, EnginePhase::unknown, {}, {}};
    return {};
}

bool tells_engine_steps(EventKind kind, std::string_view name) {
    return engine_step_name(kind, name) || (kind == EventKind::python && phase_of_frame(name) != EnginePhase::unknown);
}

std::vector<EngineStep> engine_steps(const RankTrace& rank) {
    using Name = std::optional<EngineStepName>;
    const auto annotation = [](std::string_view name) { return engine_step_name(EventKind::annotation, name); };
    const auto frame = [](std::string_view name) { return engine_step_name(EventKind::python, name); };
    ByName<Name, decltype(annotation)> annotations(rank, annotation);
    ByName<Name, decltype(frame)> frames(rank, frame);
    std::array<std::vector<EngineStep>, kMarks> by_mark;
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i) {
        const EventKind kind = rank.events.kind[i];
        if (kind != EventKind::annotation && kind != EventKind::python)
            continue;
        if (const Name& name = kind == EventKind::annotation ? annotations.of(i) : frames.of(i))
            by_mark[static_cast<std::size_t>(name->mark)].push_back(
                {rank.events.range(i), name->phase, i, name->context, name->generation});
    }
    for (std::vector<EngineStep>& steps : by_mark)
        keep_outermost(steps);
    const auto found = std::ranges::find_if(by_mark, [](const auto& steps) { return !steps.empty(); });
    if (found == by_mark.end())
        return {};
    find_phases(rank, *found);
    if (found != by_mark.begin() + static_cast<std::ptrdiff_t>(EngineMark::step))
        return std::move(*found);
    const auto around = std::find_if(by_mark.begin() + static_cast<std::ptrdiff_t>(EngineMark::run_batch),
                                     by_mark.end(), [](const auto& steps) { return !steps.empty(); });
    return join_passes(rank, *found, around == by_mark.end() ? std::span<const EngineStep>() : *around);
}

std::vector<ProfilerStep> numbered_engine_steps(const RankTrace& rank) {
    std::vector<ProfilerStep> numbered;
    for (const EngineStep& step : engine_steps(rank))
        numbered.push_back({static_cast<std::int64_t>(numbered.size()) + 1, rank.events.range(step.event), step.event});
    if (numbered.size() < 2)
        return {};
    return numbered;
}

} // namespace rankscope
