// SPDX-License-Identifier: GPL-3.0-or-later
// How long anything below each node of a forest is busy.
//
// Number the nodes so that each subtree is one range of numbers. Of the pieces of work that run at some moment, taken
// in that order, give each a +1 at its node, and each two neighbours a -1 at the innermost node around both: what a
// subtree then holds in sum is 1 where any of its work runs, else 0. So only the neighbours of a piece matter when it
// starts and ends, and times are summed up the forest once.
#include "core/analysis/basics/busy_below.h"

#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <utility>

namespace rankscope {
namespace {

/// The nodes, by number, outer before inner; number 0 stands above all roots.
class NumberedForest {
public:
    explicit NumberedForest(std::span<const std::uint32_t> parents) : number(parents.size()) {
        std::vector<std::uint32_t> first_child(parents.size() + 1, kNoParent); // the last place is for the roots
        std::vector<std::uint32_t> next(parents.size(), kNoParent);
        const auto place = [&](std::uint32_t outer) { return outer == kNoParent ? parents.size() : outer; };
        for (std::uint32_t node = 0; node < parents.size(); ++node)
            next[node] = std::exchange(first_child[place(parents[node])], node);
        add(0);
        std::vector<std::uint32_t> waiting; // the first of some siblings
        const auto wait = [&](std::uint32_t node) {
            if (node != kNoParent)
                waiting.push_back(node);
        };
        for (wait(first_child.back()); !waiting.empty();) {
            const std::uint32_t node = waiting.back();
            waiting.pop_back();
            number[node] = static_cast<std::uint32_t>(parent.size());
            add(parents[node] == kNoParent ? 0 : number[parents[node]]);
            wait(next[node]);
            wait(first_child[node]);
        }
    }

    /// The innermost node that is, or is around, both.
    [[nodiscard]] std::uint32_t around(std::uint32_t a, std::uint32_t b) const {
        if (depth_[a] < depth_[b])
            std::swap(a, b);
        while (depth_[a] > depth_[b])
            a = depth_[jump_[a]] >= depth_[b] ? jump_[a] : parent[a];
        while (a != b) {
            const bool far = jump_[a] != jump_[b];
            a = far ? jump_[a] : parent[a];
            b = far ? jump_[b] : parent[b];
        }
        return a;
    }

    std::vector<std::uint32_t> number; ///< by node
    std::vector<std::uint32_t> parent; ///< by number

private:
    /// jump_ leads further up: as far as the two jumps behind it together where those are equally long, else to the
    /// parent. Any depth is log n such steps away (Myers, "An applicative random-access stack", 1983).
    void add(std::uint32_t outer) {
        const bool root = parent.empty();
        const std::uint32_t far = root ? 0 : jump_[outer];
        const bool equal = !root && depth_[outer] - depth_[far] == depth_[far] - depth_[jump_[far]];
        jump_.push_back(equal ? jump_[far] : outer);
        depth_.push_back(root ? 0 : depth_[outer] + 1);
        parent.push_back(outer);
    }
    std::vector<std::uint32_t> depth_;
    std::vector<std::uint32_t> jump_;
};

/// The pieces that run now, and what every node is given.
class Sweep {
public:
    explicit Sweep(const NumberedForest& forest) : given(forest.parent.size()), forest_(forest) {}

    void begin(TimeRange range, std::uint32_t node, std::size_t piece) {
        end_until(range.begin);
        const auto at = running_.emplace(Key{node, piece}, range.begin).first;
        if (at != running_.begin())
            meet(std::prev(at), std::next(at), range.begin);
        ends_.emplace(range.end, at->first);
        given[node] += range.length();
    }
    void end_until(TimeNs time) {
        for (; !ends_.empty() && ends_.top().first <= time; ends_.pop()) {
            const auto& [end, key] = ends_.top();
            const auto at = running_.find(key);
            meet(at, std::next(at), end);
            if (at != running_.begin())
                meet(std::prev(at), at, end);
            running_.erase(at);
        }
    }

    std::vector<TimeNs> given;

private:
    using Key = std::pair<std::uint32_t, std::size_t>; ///< number of the node, which piece
    using Running = std::map<Key, TimeNs>;             ///< since when it has the neighbour it has behind it

    /// a and b were neighbours until now; a gets another one.
    void meet(Running::iterator a, Running::iterator b, TimeNs now) {
        if (b != running_.end())
            given[forest_.around(a->first.first, b->first.first)] -= now - a->second;
        a->second = now;
    }

    const NumberedForest& forest_;
    Running running_;
    std::priority_queue<std::pair<TimeNs, Key>, std::vector<std::pair<TimeNs, Key>>, std::greater<>> ends_;
};

} // namespace

std::vector<TimeNs> busy_below(std::span<const std::uint32_t> parents, std::span<const NodeWork> work) {
    const NumberedForest forest(parents);
    Sweep sweep(forest);
    for (std::size_t piece = 0; piece < work.size(); ++piece)
        if (!work[piece].range.empty())
            sweep.begin(work[piece].range, forest.number[work[piece].node], piece);
    sweep.end_until(std::numeric_limits<TimeNs>::max());
    for (std::size_t n = sweep.given.size(); n-- > 1;)
        sweep.given[forest.parent[n]] += sweep.given[n];
    std::vector<TimeNs> busy(parents.size());
    for (std::size_t node = 0; node < busy.size(); ++node)
        busy[node] = sweep.given[forest.number[node]];
    return busy;
}

} // namespace rankscope
