// SPDX-License-Identifier: GPL-3.0-or-later
// Names of actions, and the programs of schedules that are not told by a formula.
#include "core/analysis/pipeline/pipeline_actions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <set>
#include <utility>

namespace rankscope {
namespace {

constexpr std::string_view kOverlapped = "OVERLAP_F_B";

/// One action without brackets.
std::optional<PipelineAction> parse_action(std::string_view text) {
    PipelineAction action;
    const char* const end = text.data() + text.size();
    const auto stage = std::from_chars(text.data(), end, action.stage);
    if (stage.ec != std::errc{} || stage.ptr == end || action.stage < 0)
        return std::nullopt;
    switch (*stage.ptr) {
    case 'F': action.kind = PassKind::forward; break;
    case 'B': action.kind = PassKind::backward; break;
    case 'I': action.kind = PassKind::backward_input; break;
    case 'W': action.kind = PassKind::backward_weight; break;
    default: return std::nullopt;
    }
    const auto microbatch = std::from_chars(stage.ptr + 1, end, action.microbatch);
    if (microbatch.ec != std::errc{} || microbatch.ptr != end || action.microbatch < 0)
        return std::nullopt;
    return action;
}

} // namespace

std::string action_text(const PipelineAction& action) {
    constexpr std::string_view kLetters = "FBIW";
    return (action.stage < 0 ? std::string() : std::to_string(action.stage)) +
           kLetters[static_cast<std::size_t>(action.kind)] + std::to_string(action.microbatch);
}

std::vector<PipelineAction> parse_actions(std::string_view cell) {
    if (!cell.starts_with('(')) {
        const auto action = parse_action(cell);
        return action ? std::vector{*action} : std::vector<PipelineAction>{};
    }
    const std::size_t middle = cell.find(';');
    const std::size_t close = cell.find(')');
    if (middle == std::string_view::npos || close == std::string_view::npos || middle > close ||
        cell.substr(close + 1) != kOverlapped)
        return {};
    auto first = parse_action(cell.substr(1, middle - 1));
    const auto second = parse_action(cell.substr(middle + 1, close - middle - 1));
    if (!first || !second)
        return {};
    first->with_next = true;
    return {*first, *second};
}

std::vector<std::string> action_cells(const std::vector<PipelineAction>& actions) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (actions[i].with_next && i + 1 < actions.size()) {
            cells.push_back("(" + action_text(actions[i]) + ";" + action_text(actions[i + 1]) + ")" +
                            std::string(kOverlapped));
            ++i;
        } else {
            cells.push_back(action_text(actions[i]));
        }
    }
    return cells;
}

void split_backward_passes(std::vector<PipelineAction>& actions) {
    std::set<std::pair<int, std::int64_t>> weights;
    for (const PipelineAction& action : actions)
        if (action.kind == PassKind::backward_weight)
            weights.emplace(action.stage, action.microbatch);
    for (PipelineAction& action : actions)
        if (action.kind == PassKind::backward && weights.contains({action.stage, action.microbatch}))
            action.kind = PassKind::backward_input;
}

namespace {

/// Each rank runs its forward passes ahead, then one forward pass for each backward one.
template <typename Ahead>
PipelineProgram in_turn(int ranks, int microbatches, const Ahead& ahead) {
    PipelineProgram program;
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<PipelineAction> actions;
        int forward = 0;
        for (int backward = 0; backward < microbatches; ++backward) {
            for (; forward < std::min(microbatches, backward + 1 + ahead(rank)); ++forward)
                actions.push_back({rank, PassKind::forward, forward, false});
            actions.push_back({rank, PassKind::backward, backward, false});
        }
        program.push_back(std::move(actions));
    }
    return program;
}

/// Rounds of microbatches through the chunks of each rank.
struct Rounds {
    int ranks = 1;
    int chunks = 1;   ///< of a rank
    int of_round = 1; ///< microbatches
};

/// The n-th pass of its kind on a rank: all microbatches of a round through one chunk after the other, backward from
/// the last chunk on.
PipelineAction pass_in_rounds(int rank, PassKind kind, int n, const Rounds& rounds) {
    const int turn = n / rounds.of_round % rounds.chunks;
    const int chunk = kind == PassKind::forward ? turn : rounds.chunks - 1 - turn;
    const int microbatch = n / (rounds.of_round * rounds.chunks) * rounds.of_round + n % rounds.of_round;
    return {chunk * rounds.ranks + rank, kind, microbatch, false};
}

} // namespace

PipelineProgram gpipe_program(int ranks, int microbatches) {
    return in_turn(
        ranks, microbatches, [&](int) { return microbatches; });
}

PipelineProgram one_f_one_b_program(int ranks, int microbatches) {
    return in_turn(
        ranks, microbatches, [&](int rank) { return ranks - rank - 1; });
}

PipelineProgram interleaved_program(int ranks, int chunks, int microbatches) {
    PipelineProgram program;
    const int of_round = std::max(1, microbatches / std::max(1, microbatches / ranks));
    const int all = chunks * microbatches;
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<PipelineAction> actions;
        const auto add = [&](PassKind kind, int n) {
            actions.push_back(pass_in_rounds(rank, kind, n, {ranks, chunks, of_round}));
        };
        const int warmup = std::min(all, (chunks - 1) * of_round + 2 * (ranks - 1 - rank));
        for (int n = 0; n < all + warmup; ++n) {
            if (n < all)
                add(PassKind::forward, n);
            if (n >= warmup)
                add(PassKind::backward, n - warmup);
        }
        program.push_back(std::move(actions));
    }
    return program;
}

PipelineProgram zero_bubble_program(int ranks, int chunks, int microbatches) {
    PipelineProgram program;
    const int rounds = std::max(1, microbatches / ranks);
    const int of_round = std::max(1, microbatches / rounds);
    const int all = chunks * microbatches;
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<PipelineAction> actions;
        const auto add = [&](PassKind kind, int n) {
            actions.push_back(pass_in_rounds(rank, kind, n, {ranks, chunks, of_round}));
        };
        const int warmup = std::min(all, (chunks - 1) * of_round + ranks - 1 - rank);
        int weights = 0;
        for (int n = 0; n < warmup; ++n)
            add(PassKind::forward, n);
        for (int n = 0; n < all; ++n) {
            if (warmup + n < all)
                add(PassKind::forward, warmup + n);
            add(PassKind::backward_input, n);
            if (n >= rank)
                add(PassKind::backward_weight, weights++);
        }
        while (weights < all)
            add(PassKind::backward_weight, weights++);
        program.push_back(std::move(actions));
    }
    return program;
}

namespace {

/// The actions of one rank of a schedule in which microbatches come from both sides and turn at the last of these
/// ranks. microbatches: of each side. The program is that of the DualPipe repository of DeepSeek.
class TwoSided {
public:
    struct Side {
        int stage = 0;
        std::int64_t first_microbatch = 0;
    };
    TwoSided(int ranks, int rank, int microbatches, Side first, Side second)
        : ranks_(ranks), rank_(rank),
          microbatches_(microbatches), stage_{first.stage, second.stage}, next_forward_{first.first_microbatch,
                                                                                        second.first_microbatch},
          next_backward_(next_forward_) {}

    std::vector<PipelineAction> actions() {
        const int ahead = ranks_ - rank_ - 1;
        for (int i = 0; i < 2 * ahead; ++i)
            forward(0);
        for (int i = 0; i <= rank_; ++i) {
            forward(0);
            forward(1);
        }
        for (int i = 0; i < ahead; ++i) {
            backward(1, true);
            weight();
            forward(1);
        }
        for (int i = 0; i < microbatches_ - 2 * ranks_ + rank_ + 1; ++i) {
            // At the turn nothing of the other side is there yet.
            forward(0, i > 0 || ahead > 0);
            backward(1, false);
            forward(1, true);
            backward(0, false);
        }
        for (int i = 0; i < ahead; ++i) {
            backward(1, false);
            forward(1, true);
            backward(0, false);
        }
        bool parts = false;
        for (int i = 0; i <= rank_; ++i) {
            parts = parts || (i == (rank_ + 1) / 2 && rank_ % 2 == 1);
            backward(1, parts);
            parts = parts || (i == (rank_ + 1) / 2 && rank_ % 2 == 0);
            backward(0, parts);
        }
        for (int i = 0; i < ahead; ++i) {
            weight();
            backward(0, true);
        }
        for (int i = 0; i <= rank_; ++i)
            weight();
        return std::move(actions_);
    }

private:
    void forward(std::size_t side, bool with_backward = false) {
        actions_.push_back({stage_[side], PassKind::forward, next_forward_[side]++, with_backward});
    }
    void backward(std::size_t side, bool in_parts) {
        const std::int64_t microbatch = next_backward_[side]++;
        actions_.push_back({stage_[side], in_parts ? PassKind::backward_input : PassKind::backward, microbatch, false});
        if (in_parts)
            put_off_.push_back({stage_[side], PassKind::backward_weight, microbatch, false});
    }
    void weight() {
        actions_.push_back(put_off_.front());
        put_off_.pop_front();
    }

    int ranks_;
    int rank_;
    int microbatches_;
    std::array<int, 2> stage_;
    std::array<std::int64_t, 2> next_forward_;
    std::array<std::int64_t, 2> next_backward_;
    std::deque<PipelineAction> put_off_;
    std::vector<PipelineAction> actions_;
};

} // namespace

PipelineProgram dualpipev_program(int ranks, int microbatches) {
    PipelineProgram program;
    for (int rank = 0; rank < ranks; ++rank)
        program.push_back(TwoSided(ranks, rank, microbatches, {rank, 0}, {2 * ranks - 1 - rank, 0}).actions());
    return program;
}

PipelineProgram dualpipe_program(int ranks, int microbatches) {
    PipelineProgram program;
    const int half = ranks / 2;
    for (int rank = 0; rank < ranks; ++rank) {
        const TwoSided::Side down{rank, 0};
        const TwoSided::Side up{ranks - 1 - rank, microbatches / 2};
        program.push_back(rank < half ? TwoSided(half, rank, microbatches / 2, down, up).actions()
                                      : TwoSided(half, ranks - 1 - rank, microbatches / 2, up, down).actions());
    }
    return program;
}

} // namespace rankscope
