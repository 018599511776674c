// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks say too little to be judged, or to judge others by.
#include "core/run/judged_run.h"

#include <algorithm>

#include "core/base/words.h"

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
        judged.left_out.push_back(
            plural(cut.size(), "The file of rank %1 ends early: what it does is not judged."_one,
                   "The files of ranks %1 end early: what they do is not judged."_many)(rank_numbers(cut)));
    if (!without_work.empty())
        judged.left_out.push_back(plural(
            without_work.size(), "No GPU work is recorded of rank %1: what it does is not judged."_one,
            "No GPU work is recorded of ranks %1: what they do is not judged."_many)(rank_numbers(without_work)));
    std::ranges::sort(rest.missing_ranks);
    if (!rest.ranks.empty())
        judged.run = std::make_shared<const Run>(std::move(rest));
    return judged;
}

} // namespace rankscope
