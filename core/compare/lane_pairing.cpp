// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs lanes by what they are for, never by their place alone where they say who they are.
#include "core/compare/lane_pairing.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/analysis/selection/kernel_class.h"

namespace rankscope {
namespace {

/// What has to be equal for two lanes to pair: exactly (the same stream, the same named thread), or as their kind.
struct LaneKey {
    std::string exact;
    std::string role;
};

StreamRole role_of(const RankTrace& rank, const Lane& lane, std::span<const KernelClass> classes) {
    std::array<TimeNs, 3> busy{};
    for (EventIndex i = lane.begin; i < lane.end; ++i) {
        const StreamRole role = classes[i] == KernelClass::communication ? StreamRole::communication
                                : classes[i] == KernelClass::memory_copy ? StreamRole::copy
                                                                         : StreamRole::compute;
        busy[static_cast<std::size_t>(role)] += rank.events.duration[i];
    }
    return static_cast<StreamRole>(std::max_element(busy.begin(), busy.end()) - busy.begin());
}

LaneKey key_of(const RankTrace& rank, const Lane& lane, std::span<const KernelClass> classes) {
    const std::string kind = std::to_string(static_cast<int>(lane.kind));
    if (lane.kind == LaneKind::gpu_stream) {
        const std::string role = kind + ' ' + std::to_string(static_cast<int>(role_of(rank, lane, classes)));
        return {role + " stream " + std::to_string(lane.stream), role};
    }
    if (lane.stream >= 0)
        return {kind + " stream " + std::to_string(lane.stream), kind};
    const std::size_t open = lane.name.find('(');
    const std::string name = open == std::string::npos ? "" : lane.name.substr(open);
    return {name.empty() ? "" : kind + name, kind + name};
}

std::vector<LaneKey> keys_of(const RankTrace& rank, const KernelClassRules& rules) {
    const std::vector<KernelClass> classes = rules.classes_of(rank);
    std::vector<LaneKey> keys;
    for (const Lane& lane : rank.lanes)
        keys.push_back(key_of(rank, lane, classes));
    return keys;
}

} // namespace

std::vector<int> pair_lanes(const RankTrace& own, const RankTrace& other, const KernelClassRules& own_classes,
                            const KernelClassRules& other_classes) {
    const std::vector<LaneKey> own_keys = keys_of(own, own_classes);
    const std::vector<LaneKey> other_keys = keys_of(other, other_classes);
    std::vector<bool> taken(other_keys.size());
    std::vector<int> pairs(own_keys.size(), -1);
    const auto pair_by = [&](std::string LaneKey::*part) {
        for (std::size_t i = 0; i < own_keys.size(); ++i) {
            const std::string& wanted = own_keys[i].*part;
            for (std::size_t k = 0; pairs[i] < 0 && !wanted.empty() && k < other_keys.size(); ++k) {
                if (!taken[k] && other_keys[k].*part == wanted) {
                    taken[k] = true;
                    pairs[i] = static_cast<int>(k);
                }
            }
        }
    };
    pair_by(&LaneKey::exact);
    pair_by(&LaneKey::role);
    return pairs;
}

} // namespace rankscope
