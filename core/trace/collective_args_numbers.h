// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps each collective's arguments once.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/trace/collective.h"

namespace rankscope {

/// The numbers of arguments in RankTrace::collective_args, as they first come.
class CollectiveArgsNumbers {
public:
    /// all: where arguments that are new are added.
    std::uint32_t number(const CollectiveArgs& args, std::vector<CollectiveArgs>& all) {
        const auto [known, added] = known_.try_emplace(args, static_cast<std::uint32_t>(all.size()));
        if (added)
            all.push_back(args);
        return known->second;
    }

private:
    std::unordered_map<CollectiveArgs, std::uint32_t, CollectiveArgsHash> known_;
};

} // namespace rankscope
