// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule played through.
#include "core/analysis/pipeline/program_bubble.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace rankscope {
namespace {

double units(PassKind kind) { return kind == PassKind::backward ? 2 : 1; }

class ProgramClock {
public:
    ProgramClock(const PipelineProgram& program, const PassDuration& duration, double message)
        : program_(program), duration_(duration), message_(message), free_(program.size()), begin_(program.size()) {
        for (const auto& rank : program)
            for (const PipelineAction& action : rank)
                last_stage_ = std::max(last_stage_, action.stage);
    }

    /// Nothing where the actions wait for each other in a circle, or for one that is not there.
    std::optional<PlayedProgram> run() {
        std::vector<std::size_t> next(program_.size());
        double busy = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t r = 0; r < program_.size(); ++r)
                while (next[r] < program_[r].size()) {
                    const std::size_t count =
                        program_[r][next[r]].with_next && next[r] + 1 < program_[r].size() ? 2 : 1;
                    const auto took = start(r, next[r], count);
                    if (!took)
                        break;
                    busy += *took;
                    next[r] += count;
                    moved = true;
                }
        }
        for (std::size_t r = 0; r < program_.size(); ++r)
            if (next[r] < program_[r].size())
                return std::nullopt;
        const double length = free_.empty() ? 0 : *std::ranges::max_element(free_);
        if (length <= 0)
            return std::nullopt;
        return PlayedProgram{length, busy / static_cast<double>(program_.size()), std::move(begin_)};
    }

private:
    /// Whether it ran: forward, the input part of backward or all of it, by stage and microbatch.
    using Pass = std::tuple<bool, int, std::int64_t>;

    /// When a pass ended, and on which rank.
    struct Done {
        double time = 0;
        std::size_t rank = 0;
    };

    [[nodiscard]] std::optional<double> ready(std::size_t rank, const PipelineAction& action) const {
        double time = 0;
        const auto wait_for = [&](bool forward, int stage) {
            const auto found = done_.find({forward, stage, action.microbatch});
            if (found == done_.end())
                return false;
            time = std::max(time, found->second.time + (found->second.rank == rank ? 0 : message_));
            return true;
        };
        switch (action.kind) {
        case PassKind::forward:
            if (action.stage > 0 && !wait_for(true, action.stage - 1))
                return std::nullopt;
            break;
        case PassKind::backward:
        case PassKind::backward_input:
            if (!wait_for(true, action.stage) || (action.stage < last_stage_ && !wait_for(false, action.stage + 1)))
                return std::nullopt;
            break;
        case PassKind::backward_weight:
            if (!wait_for(false, action.stage))
                return std::nullopt;
            break;
        }
        return time;
    }

    std::optional<double> start(std::size_t rank, std::size_t first, std::size_t count) {
        double begin = free_[rank];
        double took = 0;
        for (std::size_t i = first; i < first + count; ++i) {
            const auto time = ready(rank, program_[rank][i]);
            if (!time)
                return std::nullopt;
            begin = std::max(begin, *time);
            took += duration_(program_[rank][i]);
        }
        free_[rank] = begin + took;
        begin_[rank].insert(begin_[rank].end(), count, begin);
        for (std::size_t i = first; i < first + count; ++i) {
            const PipelineAction& action = program_[rank][i];
            if (action.kind != PassKind::backward_weight)
                done_[{action.kind == PassKind::forward, action.stage, action.microbatch}] = {free_[rank], rank};
        }
        return took;
    }

    const PipelineProgram& program_;
    const PassDuration& duration_;
    double message_;
    int last_stage_ = 0;
    std::vector<double> free_; ///< per rank: when it has ended what it ran so far
    std::vector<std::vector<double>> begin_;
    std::map<Pass, Done> done_;
};

} // namespace

std::optional<PlayedProgram> play_program(const PipelineProgram& program, const PassDuration& duration,
                                          double message) {
    return ProgramClock(program, duration, message).run();
}

std::optional<double> program_bubble(const PipelineProgram& program) {
    const PassDuration in_units = [](const PipelineAction& action) { return units(action.kind); };
    const auto played = play_program(program, in_units, 0);
    return played ? std::optional(1 - played->busy / played->length) : std::nullopt;
}

} // namespace rankscope
