// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/usual/taking_turns.h"
#include "core/analysis/basics/tolerance.h"

#include <algorithm>
#include <cmath>

namespace rankscope {

std::vector<std::vector<double>> computation_by_step(const StepGraph& graph) {
    std::vector<std::vector<double>> by_rank(graph.first_gpu_node.size());
    if (graph.size() == 0)
        return by_rank;
    for (std::uint32_t n = 0; n < graph.first_node.back(); ++n) {
        if (graph.kind[n] != NodeKind::compute || graph.step[n] == kNoNode)
            continue;
        std::vector<double>& steps = by_rank[graph.rank[n]];
        steps.resize(std::max<std::size_t>(steps.size(), graph.step[n] + std::size_t{1}));
        steps[graph.step[n]] += static_cast<double>(graph.times.duration[n]);
    }
    return by_rank;
}

std::vector<double> longer_than_peers(const std::vector<std::vector<double>>& by_step, const PeerTimes& peers,
                                      std::size_t rank, const std::vector<bool>& left_out) {
    std::vector<std::size_t> others;
    for (std::size_t r = 0; r < by_step.size(); ++r)
        if (r != rank && peers.peer_class[r] == peers.peer_class[rank] && (left_out.empty() || !left_out[r]))
            others.push_back(r);
    if (others.empty())
        return {};
    std::vector<double> longer = by_step[rank];
    std::vector<double> mean(longer.size());
    for (const std::size_t r : others) {
        longer.resize(std::max(longer.size(), by_step[r].size()));
        mean.resize(longer.size());
        for (std::size_t s = 0; s < by_step[r].size(); ++s)
            mean[s] += by_step[r][s] / static_cast<double>(others.size());
    }
    double usual = 1;
    if (peers.across_stages) {
        std::vector<double> ratios;
        for (std::size_t s = 0; s < mean.size(); ++s)
            if (mean[s] > 0)
                ratios.push_back(longer[s] / mean[s]);
        std::ranges::sort(ratios);
        usual = ratios.empty() ? 1 : ratios[ratios.size() / 4];
    }
    for (std::size_t s = 0; s < mean.size(); ++s)
        longer[s] -= usual * mean[s];
    return longer;
}

double longest_turn(const std::vector<std::vector<double>>& by_step, const PeerTimes& peers, std::size_t rank) {
    const std::vector<double> longer = longer_than_peers(by_step, peers, rank);
    return longer.empty() ? 0 : std::max(0.0, std::ranges::max(longer));
}

bool another_has_a_turn(const std::vector<std::vector<double>>& by_step, const PeerTimes& peers, std::size_t rank) {
    const double longest = longest_turn(by_step, peers, rank);
    for (std::size_t r = 0; r < by_step.size(); ++r)
        if (r != rank && peers.peer_class[r] == peers.peer_class[rank] &&
            longest_turn(by_step, peers, r) >= kTogether * longest)
            return true;
    return false;
}

bool takes_turns(std::span<const double> longer, bool whole_pipeline) {
    constexpr double kLess = 0.05; // of what is more
    if (longer.size() < kStepsThatTell)
        return false;
    double more = 0;
    double less = 0;
    double squares = 0;
    const auto count = static_cast<double>(longer.size());
    for (const double own : longer) {
        (own > 0 ? more : less) += std::abs(own);
        squares += own * own;
    }
    const double mean = (more - less) / count;
    const double deviation = std::sqrt(std::max(0.0, squares / count - mean * mean) * count / (count - 1));
    // A pipeline whose stages are slow is so in some steps or not; lengths are of all sizes.
    constexpr double kNearEnds = 0.25;
    constexpr std::ptrdiff_t kFew = 6; // one of so many
    const double longest = std::ranges::max(longer);
    const auto between = std::ranges::count_if(
        longer, [&](double own) { return own > kNearEnds * longest && own < (1 - kNearEnds) * longest; });
    const bool of_all_sizes = whole_pipeline && kFew * between >= std::ssize(longer);
    return less > 0 && (of_all_sizes || less >= kLess * more) && mean < kClearErrors * deviation / std::sqrt(count);
}

} // namespace rankscope
