// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline schedules.
#include "tests/support/simulator/schedule.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace rankscope::machine {
namespace {

/// Interleaved 1F1B and ZB1P: ranks warm up, alternate, and drain; stages take turns in rounds of microbatches.
class RoundsOfStages {
public:
    RoundsOfStages(int rank, int ranks, int chunks, int microbatches, bool zero_bubble)
        : rank_(rank), ranks_(ranks), chunks_(chunks), zero_bubble_(zero_bubble) {
        round_ = microbatches / std::max(1, microbatches / ranks);
        const int all = chunks * microbatches;
        const int hops = (zero_bubble ? 1 : 2) * (ranks - 1 - rank);
        warm_up_ = std::min((chunks - 1) * round_ + hops, all);
        for (int i = 0; i < all + warm_up_; ++i) {
            if (i < all)
                add(Pass::Kind::forward, stage(i / round_ % chunks_));
            if (i >= warm_up_)
                add_backward(i - warm_up_);
        }
        while (zero_bubble_ && weights_ < all)
            add(Pass::Kind::backward_weight, backward_stage(weights_++));
    }
    std::vector<Pass> passes;

private:
    [[nodiscard]] int stage(int chunk) const { return chunk * ranks_ + rank_; }
    [[nodiscard]] int backward_stage(int number) const { return stage(chunks_ - 1 - number / round_ % chunks_); }
    void add(Pass::Kind kind, int of_stage) { passes.push_back({kind, of_stage, next_[{kind, of_stage}]++}); }
    void add_backward(int number) {
        add(zero_bubble_ ? Pass::Kind::backward_input : Pass::Kind::backward, backward_stage(number));
        if (zero_bubble_ && number >= rank_)
            add(Pass::Kind::backward_weight, backward_stage(weights_++));
    }

    int rank_;
    int ranks_;
    int chunks_;
    bool zero_bubble_;
    int round_ = 1;
    int warm_up_ = 0;
    int weights_ = 0;
    std::map<std::pair<Pass::Kind, int>, int> next_;
};

} // namespace

std::string_view schedule_word(PipelineSchedule schedule) {
    switch (schedule) {
    case PipelineSchedule::gpipe: return "gpipe";
    case PipelineSchedule::one_forward_one_backward: return "1f1b";
    case PipelineSchedule::interleaved: return "interleaved";
    case PipelineSchedule::zero_bubble: break;
    }
    return "zero_bubble";
}

std::vector<Pass> passes_of(PipelineSchedule schedule, int rank, int ranks, int chunks, int microbatches) {
    if (schedule == PipelineSchedule::interleaved || schedule == PipelineSchedule::zero_bubble)
        return RoundsOfStages(rank, ranks, chunks, microbatches, schedule == PipelineSchedule::zero_bubble).passes;
    std::vector<Pass> passes;
    const int ahead = schedule == PipelineSchedule::gpipe ? microbatches : std::min(microbatches, ranks - rank);
    for (int i = 0; i < microbatches + ahead; ++i) {
        if (i >= ahead)
            passes.push_back({Pass::Kind::backward, rank, i - ahead});
        if (i < microbatches)
            passes.push_back({Pass::Kind::forward, rank, i});
    }
    return passes;
}

std::vector<Pass> read_passes(std::string_view line) {
    std::vector<Pass> passes;
    const auto number = [&](std::size_t from) {
        int value = 0;
        std::from_chars(line.data() + from, line.data() + line.size(), value);
        return value;
    };
    constexpr std::string_view kKinds = "FBIW";
    for (std::size_t at = line.find_first_of(kKinds); at != std::string_view::npos;
         at = line.find_first_of(kKinds, at + 1)) {
        std::size_t from = at;
        while (from > 0 && line[from - 1] >= '0' && line[from - 1] <= '9')
            --from;
        if (from < at && at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9')
            passes.push_back({static_cast<Pass::Kind>(kKinds.find(line[at])), number(from), number(at + 1)});
    }
    return passes;
}

} // namespace rankscope::machine
