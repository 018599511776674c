// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/message_partners.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kFewMessages = 4;
constexpr std::size_t kEnough = 512;        ///< messages that are compared
constexpr std::size_t kMostPairs = 1 << 16; ///< of streams: no job has more, and comparing them takes time
constexpr double kEndTogether =
    10'000; ///< ns: how far apart a message's two ends are changes by no more from message to message
constexpr double kExact = 500;       ///< ns: changes below this count as equal
constexpr double kClearlyNearer = 2; ///< times as any other choice
constexpr double kNoChoice = std::numeric_limits<double>::infinity();

/// How far the ends of one message are apart, less how far those of the message before were, ns.
struct Moves {
    double most = kNoChoice; ///< of nine in ten messages
    double half = kNoChoice; ///< the median: a receiver may come late to messages that left without it
};

/// Nothing of streams that cannot be one connection.
Moves moves_by(const CollectiveMatching& matching, const MessageStream& sends, const MessageStream& receives) {
    if (sends.rank == receives.rank || sends.calls.size() != receives.calls.size() || sends.calls.size() < kFewMessages)
        return {};
    TimeNs before = 0;
    std::vector<TimeNs> moves;
    for (std::size_t i = 0; i < std::min(sends.calls.size(), kEnough); ++i) {
        const CommCall& sent = matching.calls[sends.rank][sends.calls[i]];
        const CommCall& received = matching.calls[receives.rank][receives.calls[i]];
        if (sent.args == nullptr || received.args == nullptr || sent.args->in_elements != received.args->in_elements)
            return {};
        const TimeNs apart = received.range.end - sent.range.end;
        if (i > 0)
            moves.push_back(std::abs(apart - before));
        before = apart;
    }
    const auto most = static_cast<double>(nearest_rank_percentile(moves, 0.9));
    return {most, static_cast<double>(upper_median(std::move(moves)))};
}

/// Index of the best choice, if its ends keep together and those of the next one clearly less; else choices.size().
std::size_t clear_choice(std::span<const Moves> choices) {
    for (double Moves::*const part : {&Moves::most, &Moves::half}) {
        const auto best = std::ranges::min_element(choices, {}, part);
        if (best == choices.end() || *best.*part > kEndTogether)
            continue;
        const double near = kClearlyNearer * std::max(*best.*part, kExact);
        if (std::ranges::count_if(choices, [&](const Moves& moves) { return moves.*part < near; }) == 1)
            return static_cast<std::size_t>(best - choices.begin());
    }
    return choices.size();
}

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> message_partners(const CollectiveMatching& matching,
                                                                  std::span<const MessageStream> streams) {
    std::vector<std::size_t> senders, receivers;
    for (std::size_t i = 0; i < streams.size(); ++i)
        (streams[i].sends ? senders : receivers).push_back(i);
    if (senders.size() * receivers.size() > kMostPairs)
        return {};
    std::vector<std::vector<Moves>> of_sender(senders.size(), std::vector<Moves>(receivers.size()));
    std::vector<std::vector<Moves>> of_receiver(receivers.size(), std::vector<Moves>(senders.size()));
    for (std::size_t s = 0; s < senders.size(); ++s)
        for (std::size_t r = 0; r < receivers.size(); ++r)
            of_sender[s][r] = of_receiver[r][s] = moves_by(matching, streams[senders[s]], streams[receivers[r]]);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t s = 0; s < senders.size(); ++s)
        if (const std::size_t r = clear_choice(of_sender[s]); r < receivers.size() && clear_choice(of_receiver[r]) == s)
            pairs.emplace_back(senders[s], receivers[r]);
    return pairs;
}

RankSets pipelines_of(const CollectiveMatching& matching, std::size_t ranks) {
    RankSets sets(ranks);
    for (const MatchedCall& call : matching.matched) {
        const CollectiveKind kind = matching.call(call.members.front()).kind;
        const bool message =
            matching.groups[call.group].point_to_point || kind == CollectiveKind::send || kind == CollectiveKind::recv;
        if (message && call.members.size() == 2)
            sets.join(call.members.front().first, call.members.back().first);
    }
    return sets;
}

} // namespace rankscope
