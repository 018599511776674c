// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/engine_steps.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace rankscope {
namespace {

constexpr std::size_t kMarks = static_cast<std::size_t>(EngineMark::run_batch_inner) + 1;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number that follows the word, which is taken off the front with it; nothing when something else stands there.
std::optional<std::int64_t> take_number_after(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word))
        return {};
    std::int64_t number = 0;
    const char* const begin = text.data() + word.size();
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    if (error != std::errc{} || end == begin)
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

EnginePhase phase_of(std::int64_t prompts, std::int64_t generating) {
    return prompts > 0      ? generating > 0 ? EnginePhase::mixed : EnginePhase::prefill
           : generating > 0 ? EnginePhase::decode
                            : EnginePhase::unknown; // a step without requests
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
    const std::size_t at = name.find("_generation_");
    std::string_view rest = at == std::string_view::npos ? std::string_view{} : name.substr(at);
    const auto generating = take_number_after(rest, "_generation_");
    // Older releases name only the prompts; a step without any generates.
    return EngineStepName{EngineMark::execute, phase_of(*prompts, generating.value_or(*prompts > 0 ? 0 : 1))};
}

/// "step[DECODE bs=32]"
std::optional<EngineStepName> sglang_step(std::string_view name) {
    constexpr std::string_view kStep = "step[";
    if (!name.starts_with(kStep) || !name.ends_with(']'))
        return {};
    name.remove_prefix(kStep.size());
    // The mode in capitals; "step[3]" is someone else's.
    const std::size_t mode_end = name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (mode_end < 3 || (name[mode_end] != ' ' && name[mode_end] != ']'))
        return {};
    struct Mode {
        std::string_view word;
        EnginePhase phase;
    };
    static constexpr std::array kModes{
        Mode{"DECODE", EnginePhase::decode},        Mode{"EXTEND", EnginePhase::prefill},
        Mode{"PREFILL", EnginePhase::prefill},      Mode{"MIXED", EnginePhase::mixed},
        Mode{"TARGET_VERIFY", EnginePhase::decode}, Mode{"IDLE", EnginePhase::unknown},
    };
    for (const Mode& mode : kModes)
        if (name.starts_with(mode.word))
            return EngineStepName{EngineMark::step, mode.phase};
    return EngineStepName{EngineMark::step, EnginePhase::unknown};
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

} // namespace

std::string_view engine_phase_word(EnginePhase phase) {
    switch (phase) {
    case EnginePhase::prefill: return "prefill";
    case EnginePhase::decode: return "decode";
    case EnginePhase::mixed: return "mixed";
    case EnginePhase::unknown: break;
    }
    return "unknown";
}

std::optional<EngineStepName> engine_step_name(EventKind kind, std::string_view name) {
    if (kind == EventKind::annotation) {
        const auto vllm = vllm_step(name);
        return vllm ? vllm : sglang_step(name);
    }
    if (kind != EventKind::python)
        return {};
    const std::string_view function = function_of(name);
    if (function == "run_batch")
        return EngineStepName{EngineMark::run_batch, EnginePhase::unknown};
    if (function == "_run_batch_inner")
        return EngineStepName{EngineMark::run_batch_inner, EnginePhase::unknown};
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
            by_mark[static_cast<std::size_t>(name->mark)].push_back({rank.events.range(i), name->phase, i});
    }
    for (std::vector<EngineStep>& steps : by_mark) {
        if (steps.empty())
            continue;
        keep_outermost(steps);
        find_phases(rank, steps);
        return std::move(steps);
    }
    return {};
}

std::vector<ProfilerStep> numbered_engine_steps(const RankTrace& rank) {
    std::vector<ProfilerStep> numbered;
    for (const EngineStep& step : engine_steps(rank))
        numbered.push_back({static_cast<std::int64_t>(numbered.size()) + 1, step.range, step.event});
    if (numbered.size() < 2)
        return {};
    close_gaps_of_engine_steps(rank, numbered);
    return numbered;
}

void close_gaps_of_engine_steps(const RankTrace& rank, std::vector<ProfilerStep>& steps) {
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        const EventIndex event = steps[k].event;
        if (engine_step_name(rank.events.kind[event], rank.event_name(event)))
            steps[k].range.end = std::max(steps[k].range.begin, steps[k + 1].range.begin);
    }
}

} // namespace rankscope
