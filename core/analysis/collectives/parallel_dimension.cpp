// SPDX-License-Identifier: GPL-3.0-or-later
// Dimensions of process groups: by their description, their place in the mesh, the annotations around their calls.
#include "core/analysis/collectives/parallel_dimension.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostCallsAsked = 64; ///< of a group on a rank, for the annotations around them

struct DimensionWord {
    std::string_view word;
    ParallelDimension dimension;
};
constexpr DimensionWord kWords[] = {
    {"tp", ParallelDimension::tp},  {"pp", ParallelDimension::pp},         {"ep", ParallelDimension::ep},
    {"cp", ParallelDimension::cp},  {"dp", ParallelDimension::dp},         {"ddp", ParallelDimension::dp},
    {"moe", ParallelDimension::ep}, {"fsdp", ParallelDimension::dp_shard},
};
/// These mean a dimension before "parallel" or "model parallel" only: "## input data ##" is no group.
constexpr DimensionWord kParallelWords[] = {
    {"tensor", ParallelDimension::tp},  {"pipeline", ParallelDimension::pp}, {"expert", ParallelDimension::ep},
    {"context", ParallelDimension::cp}, {"data", ParallelDimension::dp},
};

bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : lower_case(text))
        if (is_word_character(c))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    return words;
}

bool is_data(ParallelDimension d) {
    return d == ParallelDimension::dp || d == ParallelDimension::dp_replicate || d == ParallelDimension::dp_shard;
}

/// One name for a plane of the mesh: data parallelism with or without the context dimension inside its shards.
std::optional<ParallelDimension> joined(const std::set<ParallelDimension>& dimensions) {
    if (dimensions.size() == 1)
        return *dimensions.begin();
    const bool data = std::any_of(dimensions.begin(), dimensions.end(), is_data);
    const bool only_data_and_context = std::all_of(dimensions.begin(), dimensions.end(), [](ParallelDimension d) {
        return is_data(d) || d == ParallelDimension::cp;
    });
    if (!data || !only_data_and_context)
        return std::nullopt;
    const bool shards =
        dimensions.contains(ParallelDimension::dp_shard) && !dimensions.contains(ParallelDimension::dp_replicate);
    return shards ? ParallelDimension::dp_shard : ParallelDimension::dp;
}

/// By rank (index in Run::ranks), in order.
using CallsOfGroup = std::vector<std::pair<std::size_t, const CommCall*>>;

/// The dimension that most annotations around the launches of a group's calls name.
std::optional<ParallelDimension> dimension_in_annotations(const Run& run, const CallsOfGroup& calls) {
    std::array<std::size_t, kParallelDimensionCount> votes{};
    std::size_t asked = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto& [r, own] = calls[i];
        const RankTrace& rank = *run.ranks[r];
        asked = i > 0 && calls[i - 1].first == r ? asked : 0;
        const CommCall& call = *own;
        if (asked == kMostCallsAsked || rank.events.link[call.event] == kNoEvent)
            continue;
        ++asked;
        for (EventIndex e = rank.parent_of(rank.events.link[call.event]); e != kNoEvent; e = rank.parent_of(e)) {
            const std::string_view name = rank.event_name(e);
            if (rank.events.kind[e] != EventKind::annotation || name.starts_with("nccl:"))
                continue;
            if (const auto dimension = dimension_in_words(name)) {
                ++votes[static_cast<std::size_t>(*dimension)];
                break;
            }
        }
    }
    const auto most = std::max_element(votes.begin(), votes.end());
    if (*most == 0)
        return std::nullopt;
    return static_cast<ParallelDimension>(most - votes.begin());
}

double degree(const std::optional<Setting>& setting) { return setting ? setting->value : 1; }

bool tells_by_kind(const CallsOfGroup& calls, const Parallelism& parallelism) {
    return std::ranges::any_of(
        calls,
        [&](const auto& call) { return dimension_by_kind(*call.second, parallelism) != ParallelDimension::unknown; });
}

} // namespace

std::string_view parallel_dimension_word(ParallelDimension dimension) {
    constexpr std::array<std::string_view, kParallelDimensionCount> kNames{"pp", "dp", "dp_replicate", "dp_shard",
                                                                           "cp", "tp", "ep",           "unknown"};
    return kNames[static_cast<std::size_t>(dimension)];
}

std::string_view dimension_method_word(DimensionMethod method) {
    constexpr std::array<std::string_view, 5> kNames{"description", "mesh", "annotations", "kind", "none"};
    return kNames[static_cast<std::size_t>(method)];
}

std::vector<std::pair<ParallelDimension, int>> mesh_of(const Parallelism& p, int world_size) {
    const std::pair<ParallelDimension, const std::optional<Setting>*> degrees[] = {
        {ParallelDimension::pp, &p.pp},
        {ParallelDimension::dp_replicate, &p.dp_replicate},
        {ParallelDimension::dp_shard, &p.dp_shard},
        {ParallelDimension::cp, &p.cp},
        {ParallelDimension::tp, &p.tp}};
    std::vector<std::pair<ParallelDimension, int>> mesh;
    double known = 1;
    std::size_t open = 0;
    bool any = false;
    for (const auto& [dimension, setting] : degrees) {
        const double size = degree(*setting);
        any = any || setting->has_value();
        open += size == -1 ? 1 : 0;
        known *= size == -1 ? 1 : size;
        if (size != -1 && (size < 1 || size > world_size))
            return {};
        mesh.emplace_back(dimension, static_cast<int>(size));
    }
    if (!any || open > 1 || known < 1 || world_size % static_cast<int>(known) != 0)
        return {};
    for (auto& [dimension, size] : mesh) {
        if (size == -1) {
            size = world_size / static_cast<int>(known);
            known = world_size;
        }
    }
    return static_cast<int>(known) == world_size ? mesh : std::vector<std::pair<ParallelDimension, int>>{};
}

std::optional<ParallelDimension> dimension_in_words(std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    std::set<ParallelDimension> found;
    const auto word = [&](std::size_t i) { return i < words.size() ? std::string_view(words[i]) : std::string_view{}; };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view next = word(i + 1);
        for (const DimensionWord& entry : kParallelWords)
            if (words[i] == entry.word && (next == "parallel" || (next == "model" && word(i + 2) == "parallel")))
                found.insert(entry.dimension);
        for (const DimensionWord& entry : kWords) {
            if (words[i] != entry.word)
                continue;
            found.insert(words[i] == "dp" && next == "shard"       ? ParallelDimension::dp_shard
                         : words[i] == "dp" && next == "replicate" ? ParallelDimension::dp_replicate
                                                                   : entry.dimension);
        }
    }
    return found.empty() ? std::nullopt : joined(found);
}

std::optional<ParallelDimension> dimension_in_mesh(const std::vector<std::pair<ParallelDimension, int>>& mesh,
                                                   const std::vector<int>& members) {
    if (mesh.empty() || members.size() < 2)
        return std::nullopt;
    std::set<ParallelDimension> varying;
    std::size_t expected = 1;
    int stride = 1;
    for (auto at = mesh.rbegin(); at != mesh.rend(); ++at) {
        const auto& [dimension, size] = *at;
        const int place = members.front() / stride % size;
        if (std::any_of(members.begin(), members.end(), [&](int rank) { return rank / stride % size != place; })) {
            varying.insert(dimension);
            expected *= static_cast<std::size_t>(size);
        }
        stride *= size;
    }
    return members.size() == expected ? joined(varying) : std::nullopt;
}

ParallelDimension dimension_by_kind(const CommCall& call, const Parallelism& p) {
    switch (call.kind) {
    case CollectiveKind::send:
    case CollectiveKind::recv: return ParallelDimension::pp;
    case CollectiveKind::send_recv:
        return call.args != nullptr || (degree(p.pp) > 1 && degree(p.ep) <= 1) ? ParallelDimension::pp
                                                                               : ParallelDimension::unknown;
    case CollectiveKind::all_to_all:
        return degree(p.cp) > 1 && degree(p.ep) <= 1 ? ParallelDimension::cp : ParallelDimension::ep;
    default: return ParallelDimension::unknown;
    }
}

std::vector<GroupDimension> dimensions_of_groups(const Run& run, const CollectiveMatching& matching) {
    const Parallelism parallelism = parallelism_of(run.config);
    const auto mesh = mesh_of(parallelism, run.world_size);
    std::vector<CallsOfGroup> calls(matching.groups.size());
    for (std::size_t r = 0; r < matching.calls.size(); ++r)
        for (const CommCall& call : matching.calls[r])
            if (call.group < calls.size())
                calls[call.group].emplace_back(r, &call);
    std::vector<GroupDimension> result;
    for (std::uint32_t g = 0; g < matching.groups.size(); ++g) {
        const CommGroup& group = matching.groups[g];
        GroupDimension entry;
        if (const auto described = dimension_in_words(group.description))
            entry = {*described, DimensionMethod::description};
        else if (const auto placed =
                     group.recorded && !group.point_to_point ? dimension_in_mesh(mesh, group.ranks) : std::nullopt)
            entry = {*placed, DimensionMethod::mesh};
        else if (const auto annotated = dimension_in_annotations(run, calls[g]))
            entry = {*annotated, DimensionMethod::annotations};
        else if (tells_by_kind(calls[g], parallelism))
            entry = {ParallelDimension::unknown, DimensionMethod::kind};
        result.push_back(entry);
    }
    return result;
}

} // namespace rankscope
