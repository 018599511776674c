// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/engine_name.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/base/text_match.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

struct Engine {
    std::string_view name;
    std::array<std::string_view, 3> marks;    ///< in names of its functions, operators and kernels
    std::array<std::string_view, 2> versions; ///< last words of settings
};
/// SGLang and TensorRT-LLM use kernels of vLLM, and all use PyTorch.
constexpr std::array kEngines{
    Engine{"SGLang", {"sglang/"sv, "sglang::"sv, "sgl_kernel"sv}, {"sglang_version"sv, "sglang"sv}},
    Engine{"TensorRT-LLM",
           {"tensorrt_llm/"sv, "tensorrt_llm::"sv, "trtllm::"sv},
           {"tensorrt_llm_version"sv, "trtllm_version"sv}},
    Engine{"vLLM", {"vllm/"sv, "vllm::"sv, "execute_context_"sv}, {"vllm_version"sv, "vllm"sv}},
    Engine{"PyTorch", {"aten::"sv, "torch/nn/"sv, "ProfilerStep#"sv}, {"pytorch_version"sv, "torch_version"sv}}};

/// By the first rank: all run the same. place: in kEngines, behind its end where none is known.
std::string_view recorded_engine(const Run& run, std::size_t& place) {
    if (!run.ranks.empty()) {
        const auto& names_of_events = run.ranks.front()->events.name;
        std::vector<bool> seen(run.names->size()); // the table may serve other runs as well
        for (std::size_t i = 0; i < names_of_events.size() && place > 0; ++i) {
            if (seen[names_of_events[i]])
                continue;
            seen[names_of_events[i]] = true;
            const std::string_view name = run.names->view(names_of_events[i]);
            for (std::size_t e = 0; e < place; ++e)
                if (contains_any(name, kEngines[e].marks))
                    place = e;
        }
    }
    return place < kEngines.size()             ? kEngines[place].name
           : run.source == TraceSource::xplane ? "XLA"
                                               : std::string_view();
}

/// Of a setting whose last word is one of these.
std::string version_in(const RunConfig& config, const Engine& engine) {
    for (const auto& [key, value] : config)
        if (const std::string last = lower_case(key.substr(key.rfind('.') + 1));
            std::ranges::find(engine.versions, last) != engine.versions.end() && !value.empty() && is_digit(value[0]))
            return ' ' + value;
    return {};
}

} // namespace

std::string engine_name(const Run& run) {
    std::size_t place = kEngines.size();
    const std::string named = find_text(run.config, {"Model-executor.framework.name"});
    for (std::size_t e = 0; e < kEngines.size(); ++e)
        if (lower_case(named) == lower_case(kEngines[e].name) || (named == "torch" && kEngines[e].name == "PyTorch"))
            place = e;
    if (place == kEngines.size() && !named.empty())
        return named;
    const std::string name(place < kEngines.size() ? kEngines[place].name : recorded_engine(run, place));
    return place < kEngines.size() ? name + version_in(run.config, kEngines[place]) : name;
}

} // namespace rankscope
