// SPDX-License-Identifier: GPL-3.0-or-later
// GPU time by module of the model, where Python frames ("nn.Module: Attention_3") or the capture of a graph name them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/selection/selection.h"
#include "core/base/message.h"
#include "core/base/seeded_hash.h"

namespace rankscope {

/// "nn.Module: Attention_3" -> "Attention_3"; empty for other frames.
std::string_view module_of_frame(std::string_view frame);
/// The class without the number of the instance: "Attention_3" -> "Attention".
std::string_view module_class(std::string_view module);

/// Modules around events of a rank: the events that name them, kNoEvent where there is none. No event is walked over
/// twice.
class ModulesAround {
public:
    explicit ModulesAround(const RankTrace& rank) : rank_(rank) {}

    /// The event itself if it is a module, else the innermost one around it.
    EventIndex of(EventIndex event);
    /// The one around that module.
    EventIndex above(EventIndex module);
    /// The innermost one around the launch of a kernel, or around the captured node that it replays.
    EventIndex of_work(EventIndex gpu_event);

private:
    [[nodiscard]] bool is_module(EventIndex event);

    const RankTrace& rank_;
    PlaceMap<EventIndex, EventIndex> module_of_;
    PlaceMap<NameId, bool> is_module_;
};

constexpr std::size_t kNoModule = static_cast<std::size_t>(-1);
/// Modules nested deeper count as part of the one around them: no model nests so deep, only a broken file does.
constexpr std::size_t kDeepestModule = 256;

/// A module and where it stands.
struct ModuleRow {
    std::string name;               ///< of the instance: "Attention_3"
    std::size_t parent = kNoModule; ///< place in the same list of the module around it
    std::size_t depth = 1;          ///< 1: outermost
    std::int64_t calls = 0;         ///< of all ranks
    std::int64_t kernels = 0;       ///< that it launched itself
    TimeNs self = 0;                ///< summed duration of those
    TimeNs total = 0;               ///< with the modules inside
    std::int64_t allocated = 0;     ///< bytes that operators inside it, but in no inner module, allocated on GPUs
};
struct ModuleAnalysis {
    std::vector<ModuleRow> modules; ///< parents first; among siblings largest total first
    TimeNs attributed = 0;          ///< summed duration of GPU work inside a module
    TimeNs gpu_total = 0;           ///< of all GPU work
    Message unavailable;            ///< why there is none
};

/// "Model_0 > Attention_3": the modules around one, from the outermost to it. What is longer than some thousand
/// characters starts with "… > ". Rows: with name and parent.
template <typename Rows>
std::string module_path(const Rows& modules, std::size_t at) {
    constexpr std::size_t kMostCharacters = 4000;
    std::string text = modules[at].name;
    for (at = modules[at].parent; at != kNoModule; at = modules[at].parent) {
        if (text.size() + modules[at].name.size() > kMostCharacters)
            return "… > " + text;
        text.insert(0, modules[at].name + " > ");
    }
    return text;
}

/// work: by rank, in the order of Run::ranks.
ModuleAnalysis analyse_modules(const Run& run, const Selection& selection,
                               std::span<const std::span<const GpuSlice>> work);
/// Of one step: by rank its time, on the rank's clock. Work counts where it starts, memory where it is allocated; an
/// empty time: the rank has no such step. work: all of it, sorted by start.
ModuleAnalysis analyse_modules_of_step(const Run& run, std::span<const TimeRange> step,
                                       std::span<const std::span<const GpuSlice>> work);

} // namespace rankscope
