// SPDX-License-Identifier: GPL-3.0-or-later
// Alignment of two call sequences: first the clock difference that explains most ends, then dynamic programming in a
// band around it.
#include "core/analysis/collectives/call_alignment.h"

#include <algorithm>
#include <cstdlib>

#include "core/analysis/collectives/call_clock_fit.h"

namespace rankscope {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::int64_t kBand = 48;                ///< calls on either side of the expected one that are looked at
constexpr TimeNs kAsynchronousSlack = 10'000'000; ///< a broadcast's root may be done long before the others start

TimeNs deviation(const CallKey& left, const CallKey& right, const ClockFit& fit) {
    return std::abs(right.range.end - left.range.end - fit.at(left.range.end));
}

bool may_be_one_call(const CallKey& left, const CallKey& right, const ClockFit& fit) {
    const TimeNs slack = left.synchronises ? kSynchronousSlack : kAsynchronousSlack;
    // Each rank counts its own messages: who sends and receives at once may count them the other way round.
    const bool is_message = left.message != MessageEnd::none;
    if (fit.by_sequence && !is_message && left.sequence >= 0 && right.sequence >= 0 && left.sequence != right.sequence)
        return false;
    const TimeNs difference = fit.at(left.range.end);
    return left.token == right.token && right.range.begin - difference <= left.range.end + slack &&
           left.range.begin <= right.range.end - difference + slack;
}

/// Messages from one rank to another arrive in their order, however long after they were sent. difference: of clocks;
/// as far as nothing tells it, clocks are taken to agree within kClocksOfACluster.
bool are_messages_in_order(std::span<const CallKey> a, std::span<const CallKey> b, std::optional<TimeNs> difference) {
    constexpr TimeNs kClocksOfACluster = 2'000'000;
    const TimeNs slack = difference ? kClockAgreement : kClocksOfACluster;
    const bool a_sends = a.front().message == MessageEnd::send;
    const auto fits = [&](const CallKey& left, const CallKey& right) {
        const MessageEnd wanted = a_sends ? MessageEnd::receive : MessageEnd::send;
        const TimeNs sent = a_sends ? left.range.begin + difference.value_or(0) : right.range.begin;
        const TimeNs received = a_sends ? right.range.end : left.range.end + difference.value_or(0);
        return left.token == right.token && left.message == a.front().message && right.message == wanted &&
               sent <= received + slack;
    };
    return a.front().message != MessageEnd::none && a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), fits);
}

/// Same tokens, and every pair may be one call: the usual case, in one pass.
bool is_one_to_one(std::span<const CallKey> a, std::span<const CallKey> b, const ClockFit& fit) {
    return a.size() == b.size() &&
           std::equal(
               a.begin(), a.end(), b.begin(),
               [&](const CallKey& left, const CallKey& right) { return may_be_one_call(left, right, fit); });
}

enum class Move : std::uint8_t { skip_a, skip_b, pair };

/// Rows: calls of a; columns: the band of calls of b about the one that ends when the row's call ends.
class BandAlignment {
public:
    BandAlignment(std::span<const CallKey> a, std::span<const CallKey> b, const ClockFit& fit)
        : a_(a), b_(b), fit_(fit) {
        const auto last = static_cast<std::int64_t>(b.size());
        std::int64_t expected = 0;
        for (const CallKey& call : a) {
            while (expected < last &&
                   b[static_cast<std::size_t>(expected)].range.end < call.range.end + fit.at(call.range.end))
                ++expected;
            first_.push_back(std::max<std::int64_t>(first_.empty() ? 0 : first_.back(), expected - kBand));
        }
    }

    Pairs solve() {
        const auto rows = static_cast<std::int64_t>(a_.size());
        moves_.assign(a_.size() * kWidth, Move::skip_a);
        std::vector<double> next; // best score from row i + 1 on, by column of its own band
        for (std::int64_t i = rows - 1; i >= 0; --i)
            next = solve_row(i, next);
        return follow();
    }

private:
    static constexpr std::size_t kWidth = 2 * kBand + 1;

    /// Score of the calls of a from row on and those of b from column on; columns past the band have no score.
    [[nodiscard]] double score_below(const std::vector<double>& next, std::int64_t row, std::int64_t column) const {
        if (row + 1 >= static_cast<std::int64_t>(a_.size()))
            return 0;
        const std::int64_t at = std::max<std::int64_t>(0, column - first_[static_cast<std::size_t>(row + 1)]);
        return at < static_cast<std::int64_t>(next.size()) ? next[static_cast<std::size_t>(at)] : 0;
    }

    std::vector<double> solve_row(std::int64_t row, const std::vector<double>& next) {
        std::vector<double> scores(kWidth, 0.0);
        double right = 0; // score of (row, column + 1)
        for (std::int64_t k = static_cast<std::int64_t>(kWidth) - 1; k >= 0; --k) {
            const std::int64_t column = first_[static_cast<std::size_t>(row)] + k;
            if (column >= static_cast<std::int64_t>(b_.size()))
                continue;
            const CallKey& left = a_[static_cast<std::size_t>(row)];
            const CallKey& candidate = b_[static_cast<std::size_t>(column)];
            double best = score_below(next, row, column);
            Move move = Move::skip_a;
            if (right > best) {
                best = right;
                move = Move::skip_b;
            }
            if (may_be_one_call(left, candidate, fit_)) {
                const double paired = closeness(left, candidate) + score_below(next, row, column + 1);
                if (paired >= best) {
                    best = paired;
                    move = Move::pair;
                }
            }
            moves_[static_cast<std::size_t>(row) * kWidth + static_cast<std::size_t>(k)] = move;
            scores[static_cast<std::size_t>(k)] = right = best;
        }
        return scores;
    }

    /// 1 for calls that end together, less the farther apart.
    [[nodiscard]] double closeness(const CallKey& left, const CallKey& right) const {
        const auto scale = static_cast<double>(20'000 + 4 * fit_.scatter);
        return scale / (scale + static_cast<double>(deviation(left, right, fit_)));
    }

    [[nodiscard]] Pairs follow() const {
        Pairs pairs;
        std::int64_t row = 0;
        std::int64_t column = 0;
        while (row < static_cast<std::int64_t>(a_.size()) && column < static_cast<std::int64_t>(b_.size())) {
            column = std::max(column, first_[static_cast<std::size_t>(row)]);
            const std::int64_t k = column - first_[static_cast<std::size_t>(row)];
            if (k >= static_cast<std::int64_t>(kWidth) || column >= static_cast<std::int64_t>(b_.size())) {
                ++row;
                continue;
            }
            switch (moves_[static_cast<std::size_t>(row) * kWidth + static_cast<std::size_t>(k)]) {
            case Move::skip_a: ++row; break;
            case Move::skip_b: ++column; break;
            case Move::pair:
                pairs.emplace_back(static_cast<std::uint32_t>(row++), static_cast<std::uint32_t>(column++));
                break;
            }
        }
        return pairs;
    }

    std::span<const CallKey> a_;
    std::span<const CallKey> b_;
    ClockFit fit_;
    std::vector<std::int64_t> first_; ///< first column of each row's band
    std::vector<Move> moves_;
};

} // namespace

CallAlignment align_calls(std::span<const CallKey> a, std::span<const CallKey> b, std::optional<TimeNs> difference) {
    if (a.empty() || b.empty())
        return {};
    const std::optional<ClockFit> fit = difference ? ClockFit{*difference} : fit_clock(a, b);
    const bool ends_tell = fit && is_one_to_one(a, b, *fit);
    if (!ends_tell && !are_messages_in_order(a, b, difference))
        return fit ? CallAlignment{BandAlignment(a, b, *fit).solve(), false} : CallAlignment{{}, true};
    CallAlignment result;
    for (std::uint32_t i = 0; i < a.size(); ++i)
        result.pairs.emplace_back(i, i);
    return result;
}

} // namespace rankscope
