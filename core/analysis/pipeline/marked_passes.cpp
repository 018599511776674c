// SPDX-License-Identifier: GPL-3.0-or-later
// Reads annotations of passes.
#include "core/analysis/pipeline/marked_passes.h"

#include <algorithm>
#include <charconv>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

bool is_number(char c) { return c >= '0' && c <= '9'; }

std::optional<std::int64_t> number_after(std::string_view text, std::size_t at) {
    while (at < text.size() &&
           (text[at] == ' ' || text[at] == '_' || text[at] == '#' || text[at] == ':' || text[at] == '-'))
        ++at;
    std::int64_t number = 0;
    if (at >= text.size() || !is_number(text[at]) ||
        std::from_chars(text.data() + at, text.data() + text.size(), number).ec != std::errc())
        return std::nullopt;
    return number;
}

} // namespace

bool MarkedPass::forward() const {
    return std::ranges::any_of(
        actions, [](const PipelineAction& each) { return each.kind == PassKind::forward; });
}

bool MarkedPass::backward() const {
    return std::ranges::any_of(
        actions, [](const PipelineAction& each) { return each.kind != PassKind::forward; });
}

std::vector<PipelineAction> actions_marked(std::string_view annotation) {
    constexpr std::string_view kMark = "PP:";
    if (annotation.starts_with(kMark))
        if (auto actions = parse_actions(annotation.substr(kMark.size())); !actions.empty())
            return actions;
    const std::string lower = lower_case(annotation);
    const std::size_t forward = lower.find("forward");
    const std::size_t backward = lower.find("backward");
    if ((forward == std::string::npos) == (backward == std::string::npos))
        return {}; // neither, or "forward-backward"
    const bool is_backward = backward != std::string::npos;
    const std::size_t microbatch = lower.find("microbatch");
    const auto number = microbatch == std::string::npos ? number_after(lower, is_backward ? backward + 8 : forward + 7)
                                                        : number_after(lower, microbatch + 10);
    if (!number)
        return {};
    const bool weights = is_backward && (contains(lower, "weight") || contains(lower, "wgrad"));
    const PassKind kind = weights ? PassKind::backward_weight : is_backward ? PassKind::backward : PassKind::forward;
    return {{-1, kind, *number, false}};
}

std::vector<MarkedPass> marked_passes(const RankTrace& rank) {
    std::vector<MarkedPass> passes;
    PlaceMap<NameId, std::vector<PipelineAction>> by_name;
    for (EventIndex e = rank.events.gpu_count; e < rank.events.size(); ++e) {
        if (rank.events.kind[e] != EventKind::annotation)
            continue;
        const auto [known, added] = by_name.try_emplace(rank.events.name[e]);
        if (added)
            known->second = actions_marked(rank.event_name(e));
        if (!known->second.empty())
            passes.push_back({rank.events.range(e), known->second});
    }
    std::ranges::stable_sort(passes, {}, [](const MarkedPass& pass) { return pass.range.begin; });
    return passes;
}

const MarkedPass* pass_at(const std::vector<MarkedPass>& passes, TimeNs time) {
    auto after = std::ranges::upper_bound(passes, time, {}, [](const MarkedPass& pass) { return pass.range.begin; });
    return after != passes.begin() && (--after)->range.contains(time) ? &*after : nullptr;
}

} // namespace rankscope
