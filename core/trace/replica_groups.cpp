// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/replica_groups.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankscope {

std::string replica_groups_text(const std::vector<std::vector<int>>& groups) {
    constexpr std::size_t kMostText = 80;
    std::string text;
    std::uint64_t checksum = 14695981039346656037ull; // FNV-1a
    for (const std::vector<int>& group : groups) {
        if (text.size() <= kMostText)
            text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(group, ","));
        for (const int member : group)
            checksum = (checksum ^ static_cast<std::uint64_t>(member)) * 1099511628211ull;
        checksum = (checksum ^ 0xFFFFFFFFull) * 1099511628211ull;
    }
    if (text.size() > kMostText)
        text = fmt::format("{}… {} groups {:016x}", text.substr(0, kMostText), groups.size(), checksum);
    return text;
}

void choose_replica_groups(RankTrace& rank) {
    std::map<std::string_view, std::size_t> own; // first group of each description that the rank is in
    for (std::size_t i = 0; i < rank.process_groups.size(); ++i)
        if (const ProcessGroup& group = rank.process_groups[i];
            !group.description.empty() && std::ranges::find(group.ranks, rank.rank) != group.ranks.end())
            own.try_emplace(group.description, i);
    for (CollectiveArgs& args : rank.collective_args)
        if (args.group >= 0)
            if (const auto found = own.find(rank.process_groups[static_cast<std::size_t>(args.group)].description);
                found != own.end())
                args.group = static_cast<std::int32_t>(found->second);
}

} // namespace rankscope
