// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks say too little to be judged, or to judge others by.
#include "core/run/judged_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/findings/finding_parts.h"

namespace rankscope {

JudgedRun judged_run(const Run& run) {
    const bool any_work = std::ranges::any_of(run.ranks, [](const auto& rank) { return rank->events.gpu_count > 0; });
    std::vector<int> cut;
    std::vector<int> without_work;
    JudgedRun judged;
    Run rest = run;
    rest.ranks.clear();
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        if (std::ranges::find(rank.notices, NoticeCode("truncated_file"), &Notice::code) != rank.notices.end()) {
            cut.push_back(rank.rank);
        } else if (any_work && rank.events.gpu_count == 0) {
            without_work.push_back(rank.rank);
        } else {
            rest.ranks.push_back(run.ranks[r]);
            judged.kept.push_back(r);
            continue;
        }
        rest.missing_ranks.push_back(rank.rank);
    }
    if (!cut.empty())
        judged.left_out.push_back(fmt::format("The file{} of {} end{} early: what {} is not judged.",
                                              cut.size() > 1 ? "s" : "", rank_words(cut), cut.size() > 1 ? "" : "s",
                                              cut.size() > 1 ? "they do" : "it does"));
    if (!without_work.empty())
        judged.left_out.push_back(fmt::format("No GPU work is recorded of {}: what {} is not judged.",
                                              rank_words(without_work),
                                              without_work.size() > 1 ? "they do" : "it does"));
    std::ranges::sort(rest.missing_ranks);
    if (!rest.ranks.empty())
        judged.run = std::make_shared<const Run>(std::move(rest));
    return judged;
}

} // namespace rankscope
