// SPDX-License-Identifier: GPL-3.0-or-later
// Which work waited for which: a wait that is seen or presumed in one passage of a program holds in all of them.
//   Rank 0, step 3: kernel 8 of the step waits for the all-reduce that is its work 5. Then it does so in step 4 and on
//   rank 1, unless kernel 8 starts there before that all-reduce ends.
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "core/analysis/graph/presumed_waits.h"
#include "core/analysis/graph/rank_graph.h"

namespace rankscope {
namespace {

class DependencySearch {
public:
    DependencySearch(std::span<RankGraph> ranks, const Run& run)
        : ranks_(ranks), run_(run), passages_(ranks.size()), seen_(ranks.size()), main_(ranks.size()),
          positions_(ranks.size()) {}

    void find() {
        see_waits();
        group_passages();
        const WaitingKernels waiting = waiting_kernels();
        tbb::parallel_for(std::size_t{0}, programs_.size(), [&](std::size_t i) { join_waits(programs_[i], waiting); });
        for (const Program& program : programs_)
            add_dependencies(program);
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            std::sort(ranks_[r].dependencies.begin(), ranks_[r].dependencies.end(),
                      [](const WorkDependency& a, const WorkDependency& b) {
                          return a.work != b.work ? a.work < b.work : a.on < b.on;
                      });
        });
    }

private:
    /// Of a passage, and of the border between two that follow each other.
    struct Program {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> passages; ///< rank, index; of a border the later one
        PackedPairs pairs;
        std::uint32_t back = 0; ///< 1: what was waited for is in the passage before
    };

    void see_waits() {
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            passages_[r] = passages_of(ranks_[r], *run_.ranks[r]);
            std::vector<std::uint32_t>& position = positions_[r];
            position.resize(ranks_[r].launched.size());
            for (std::uint32_t i = 0; i < ranks_[r].launched.size(); ++i)
                position[ranks_[r].launched[i]] = i;
            main_[r] = ranks_[r].streams.empty() ? 0 : main_stream(ranks_[r]);
        });
        const bool receives = receives_follow(ranks_, main_);
        tbb::parallel_for(std::size_t{0}, ranks_.size(), [&](std::size_t r) {
            seen_[r] = waits_seen(ranks_[r], passages_[r], main_[r], receives, positions_[r]);
        });
    }

    /// Hash and length of a passage say which program it is.
    [[nodiscard]] std::uint64_t key_of(std::uint32_t r, std::uint32_t p) const {
        return mixed_hash(passages_[r][p].program, passages_[r][p].length);
    }

    void group_passages() {
        NumberMap<std::uint64_t, std::size_t> index;
        const auto add_to = [&](std::uint64_t key, std::uint32_t rank, std::uint32_t passage, std::uint32_t back) {
            const auto [at, added] = index.try_emplace(mixed_hash(key, back), programs_.size());
            if (added)
                programs_.push_back({{}, {}, back});
            programs_[at->second].passages.emplace_back(rank, passage);
        };
        for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
            for (std::uint32_t p = 0; p < passages_[r].size(); ++p) {
                add_to(key_of(r, p), r, p, 0);
                if (p > 0)
                    add_to(mixed_hash(key_of(r, p - 1), key_of(r, p)), r, p, 1);
            }
        }
    }

    [[nodiscard]] PassageWork place_of(std::uint32_t r, std::uint32_t p) const {
        return {ranks_[r], *run_.ranks[r], passages_[r][p].first};
    }

    [[nodiscard]] WaitingKernels waiting_kernels() const {
        WaitingKernels waiting;
        for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
            for (std::uint32_t p = 0; p < passages_[r].size(); ++p) {
                const auto note = [&](const PassageWork& from, const PackedPairs& pairs) {
                    for (const std::uint64_t pair : pairs) {
                        const std::uint32_t on = awaited_position(pair);
                        if (from.work(on).kernel_class == KernelClass::communication)
                            waiting[from.stream(on)].insert(place_of(r, p).name(waiting_position(pair)));
                    }
                };
                note(place_of(r, p), seen_[r][p].inside);
                if (p > 0)
                    note(place_of(r, p - 1), seen_[r][p].before);
            }
        }
        return waiting;
    }

    /// All waits of the program that no passage of it contradicts.
    void join_waits(Program& program, const WaitingKernels& waiting) const {
        for (const auto& [r, p] : program.passages) {
            const PackedPairs& own = program.back == 0 ? seen_[r][p].inside : seen_[r][p].before;
            program.pairs.insert(program.pairs.end(), own.begin(), own.end());
        }
        const auto [one, passage] = program.passages.front();
        if (program.back == 0)
            presume_waits(place_of(one, passage), passages_[one][passage], main_[one], waiting, positions_[one],
                          program.pairs);
        std::sort(program.pairs.begin(), program.pairs.end());
        program.pairs.erase(std::unique(program.pairs.begin(), program.pairs.end()), program.pairs.end());
        std::erase_if(program.pairs, [&](std::uint64_t pair) {
            return std::ranges::any_of(program.passages, [&](const auto& place) {
                return place_of(place.first, place.second).work(waiting_position(pair)).start + kRounding <
                       place_of(place.first, place.second - program.back).work(awaited_position(pair)).end;
            });
        });
    }

    void add_dependencies(const Program& program) {
        for (const auto& [r, p] : program.passages) {
            RankGraph& graph = ranks_[r];
            const std::uint32_t first = passages_[r][p].first;
            const std::uint32_t first_on = passages_[r][p - program.back].first;
            const auto add = [&](std::uint64_t pair) {
                graph.dependencies.push_back({graph.launched[first + waiting_position(pair)],
                                              graph.launched[first_on + awaited_position(pair)]});
            };
            std::ranges::for_each(program.pairs, add);
            for (const std::uint64_t pair : program.back == 0 ? seen_[r][p].long_inside : seen_[r][p].long_before)
                if (!std::ranges::binary_search(program.pairs, pair))
                    add(pair);
        }
    }

    std::span<RankGraph> ranks_;
    const Run& run_;
    std::vector<std::vector<ProgramPassage>> passages_; ///< by rank
    std::vector<std::vector<SeenWaits>> seen_;          ///< by rank and passage
    std::vector<std::size_t> main_;                     ///< by rank: main_stream()
    std::vector<std::vector<std::uint32_t>> positions_; ///< by rank and work: place in RankGraph::launched
    std::vector<Program> programs_;
};

} // namespace

void find_dependencies(std::span<RankGraph> ranks, const Run& run) { DependencySearch(ranks, run).find(); }

} // namespace rankscope
