// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/modules.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "core/analysis/selection/selected_time.h"
#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

struct Node {
    std::size_t parent = 0;
    std::size_t depth = 0;
    ModuleRow row;
    std::map<std::string, std::size_t, std::less<>> children;
};

class Tree {
public:
    Tree() : nodes(1) {}
    std::size_t child(std::size_t parent, std::string_view name) {
        if (nodes[parent].depth == kDeepestModule)
            return parent;
        if (const auto known = nodes[parent].children.find(name); known != nodes[parent].children.end())
            return known->second;
        const std::size_t node = nodes.size();
        nodes.push_back({parent, nodes[parent].depth + 1, {}, {}});
        nodes[parent].children.emplace(name, node);
        return node;
    }

    /// Parents first; among siblings the largest total first, then by name.
    std::vector<ModuleRow> rows() {
        std::vector<ModuleRow> listed;
        struct Next {
            const std::string* name;
            std::size_t node;
            std::size_t parent; ///< place in the list
        };
        std::vector<Next> stack;
        const auto add_children = [&](std::size_t node, std::size_t place) {
            const auto first = static_cast<std::ptrdiff_t>(stack.size());
            for (const auto& [name, child] : nodes[node].children)
                stack.push_back({&name, child, place});
            std::ranges::stable_sort(stack.begin() + first, stack.end(), std::greater(),
                                     [&](const Next& next) { return nodes[next.node].row.total; });
            std::ranges::reverse(stack.begin() + first, stack.end());
        };
        add_children(0, kNoModule);
        while (!stack.empty()) {
            const Next next = stack.back();
            stack.pop_back();
            ModuleRow& row = listed.emplace_back(nodes[next.node].row);
            row.name = *next.name;
            row.parent = next.parent;
            row.depth = nodes[next.node].depth;
            add_children(next.node, listed.size() - 1);
        }
        return listed;
    }

    std::vector<Node> nodes;
};

} // namespace

std::string_view module_of_frame(std::string_view frame) {
    constexpr std::string_view kModule = "nn.Module: ";
    return frame.starts_with(kModule) ? frame.substr(kModule.size()) : std::string_view{};
}

std::string_view module_class(std::string_view module) {
    const std::size_t end = module.find_last_not_of("0123456789");
    return end != std::string_view::npos && end + 1 < module.size() && module[end] == '_' ? module.substr(0, end)
                                                                                          : module;
}

EventIndex ModulesAround::of(EventIndex event) {
    std::vector<EventIndex> passed;
    EventIndex module = kNoEvent;
    for (EventIndex at = event; at != kNoEvent; at = rank_.parent_of(at)) {
        if (const auto known = module_of_.find(at); known != module_of_.end()) {
            module = known->second;
            break;
        }
        passed.push_back(at);
        if (is_module(at)) {
            module = at;
            break;
        }
    }
    for (const EventIndex at : passed)
        module_of_[at] = module;
    return module;
}

EventIndex ModulesAround::above(EventIndex module) {
    const EventIndex around = rank_.parent_of(module);
    return around == kNoEvent ? kNoEvent : of(around);
}

EventIndex ModulesAround::of_work(EventIndex gpu_event) {
    const EventIndex op = rank_.gpu.operator_event[gpu_event];
    if (op != kNoEvent && is_graph_slice(rank_.events.kind[op]))
        return of(op);
    const EventIndex call = rank_.events.link[gpu_event];
    const EventIndex module = call == kNoEvent ? kNoEvent : of(call);
    return module != kNoEvent || op == kNoEvent ? module : of(op);
}

bool ModulesAround::is_module(EventIndex event) {
    const EventKind kind = rank_.events.kind[event];
    if (kind != EventKind::python && kind != EventKind::captured_scope)
        return false;
    const auto [known, added] = is_module_.try_emplace(rank_.events.name[event]);
    if (added)
        known->second = !module_of_frame(rank_.event_name(event)).empty();
    return known->second;
}

namespace {

/// allocates(rank's place, time): whether memory counts that is allocated then.
template <typename Allocates>
ModuleAnalysis modules_of_work(const Run& run, std::span<const std::span<const GpuSlice>> work, Allocates&& allocates) {
    ModuleAnalysis result;
    Tree tree;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        ModulesAround modules(rank);
        PlaceMap<EventIndex, std::size_t> node_of;
        PlaceSet<EventIndex> called;
        const auto node = [&](EventIndex module) {
            std::vector<EventIndex> chain;
            for (EventIndex at = module; at != kNoEvent && !node_of.contains(at); at = modules.above(at))
                chain.push_back(at);
            const EventIndex top = chain.empty() ? module : modules.above(chain.back());
            std::size_t place = top == kNoEvent ? 0 : node_of.at(top);
            for (const EventIndex at : std::views::reverse(chain)) {
                place = tree.child(place, module_of_frame(rank.event_name(at)));
                node_of[at] = place;
                ++tree.nodes[place].row.calls;
            }
            return place;
        };
        for (const GpuSlice& slice : work[r]) {
            result.gpu_total += slice.range.length();
            const EventIndex module = modules.of_work(slice.event);
            if (module == kNoEvent)
                continue;
            result.attributed += slice.range.length();
            const std::size_t own = node(module);
            ++tree.nodes[own].row.kernels;
            tree.nodes[own].row.self += slice.range.length();
            for (std::size_t at = own; at != 0; at = tree.nodes[at].parent)
                tree.nodes[at].row.total += slice.range.length();
        }
        for (const MemorySample& sample : rank.memory_samples) {
            if (sample.bytes <= 0 || sample.device_type == 0 || sample.operator_event == kNoEvent ||
                !allocates(r, sample.time))
                continue;
            if (const EventIndex module = modules.of(sample.operator_event); module != kNoEvent)
                tree.nodes[node(module)].row.allocated += sample.bytes;
        }
    }
    result.modules = tree.rows();
    if (result.modules.empty())
        result.unavailable = "no module is named around the kernels: record with with_stack=True or with_modules=True, "
                             "or keep the capture of the graphs beside the trace"_text;
    return result;
}

} // namespace

ModuleAnalysis analyse_modules(const Run& run, const Selection& selection,
                               std::span<const std::span<const GpuSlice>> work) {
    return modules_of_work(
        run, work, [&](std::size_t r, TimeNs time) { return is_selected(run, *run.ranks[r], selection, time); });
}

ModuleAnalysis analyse_modules_of_step(const Run& run, std::span<const TimeRange> step,
                                       std::span<const std::span<const GpuSlice>> work) {
    std::vector<std::span<const GpuSlice>> of_step(work.size());
    for (std::size_t r = 0; r < work.size() && r < step.size(); ++r) {
        const auto start = [](const GpuSlice& slice) { return slice.range.begin; };
        const auto first = std::ranges::lower_bound(work[r], step[r].begin, {}, start);
        const auto last = std::ranges::lower_bound(first, work[r].end(), step[r].end, {}, start);
        of_step[r] =
            work[r].subspan(static_cast<std::size_t>(first - work[r].begin()), static_cast<std::size_t>(last - first));
    }
    return modules_of_work(run, of_step,
                           [&](std::size_t r, TimeNs time) { return r < step.size() && step[r].contains(time); });
}

} // namespace rankscope
