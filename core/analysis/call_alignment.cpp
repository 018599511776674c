// SPDX-License-Identifier: GPL-3.0-or-later
// Alignment of two call sequences: first the clock difference that explains most ends, then dynamic programming in a
// band around it.
#include "core/analysis/call_alignment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rankscope {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::int64_t kMostShift = 64;          ///< calls by which one capture may have begun later
constexpr std::int64_t kBand = 48;               ///< calls on either side of the expected one that are looked at
constexpr TimeNs kSynchronousSlack = 200'000;    ///< drift and error of the clock difference
constexpr TimeNs kAsynchronousSlack = 10'000'000; ///< a broadcast's root may be done long before the others begin

/// b's clock minus a's, and how far the ends of matching calls scatter about it.
struct ClockFit {
    TimeNs difference = 0;
    TimeNs scatter = 0;
    double cost = 0;
};

/// The densest two fifths of the differences: calls lost in the middle of a sequence spoil at most the rest.
ClockFit densest_part(std::vector<TimeNs>& differences) {
    std::sort(differences.begin(), differences.end());
    const std::size_t needed = std::min(differences.size(), std::max<std::size_t>(2, (differences.size() * 2 + 4) / 5));
    ClockFit best{differences.front(), differences.back() - differences.front() + 1, 0};
    for (std::size_t i = 0; i + needed <= differences.size(); ++i) {
        const TimeNs scatter = differences[i + needed - 1] - differences[i];
        if (scatter < best.scatter) {
            best.scatter = scatter;
            best.difference = differences[i + needed / 2];
        }
    }
    // Wrong shifts scatter by the irregularity of the calls; among equally regular ones clocks that agree are likelier.
    best.cost = 100.0 * static_cast<double>(best.scatter) + static_cast<double>(std::abs(best.difference));
    return best;
}

ClockFit fit_clock(std::span<const CallKey> a, std::span<const CallKey> b) {
    const auto size_a = static_cast<std::int64_t>(a.size());
    const auto size_b = static_cast<std::int64_t>(b.size());
    ClockFit best;
    std::size_t most = 0;
    std::vector<std::pair<std::size_t, ClockFit>> fits;
    std::vector<TimeNs> differences;
    const std::int64_t reach = kMostShift + std::abs(size_b - size_a);
    for (std::int64_t shift = -std::min(reach, size_a - 1); shift <= std::min(reach, size_b - 1); ++shift) {
        differences.clear();
        for (std::int64_t i = std::max<std::int64_t>(0, -shift); i < std::min(size_a, size_b - shift); ++i) {
            const CallKey& left = a[static_cast<std::size_t>(i)];
            const CallKey& right = b[static_cast<std::size_t>(i + shift)];
            if (left.token == right.token) {
                differences.push_back(right.range.end - left.range.end);
            }
        }
        if (!differences.empty()) {
            most = std::max(most, differences.size());
            fits.emplace_back(differences.size(), densest_part(differences));
        }
    }
    bool found = false;
    for (const auto& [count, fit] : fits) {
        // A shift that leaves only a few calls in common fits them too easily.
        if (count * 2 >= most && count >= std::min<std::size_t>(most, 2) && (!found || fit.cost < best.cost)) {
            best = fit;
            found = true;
        }
    }
    return best;
}

TimeNs deviation(const CallKey& left, const CallKey& right, const ClockFit& fit) {
    return std::abs(right.range.end - left.range.end - fit.difference);
}

bool may_be_one_call(const CallKey& left, const CallKey& right, const ClockFit& fit) {
    const TimeNs slack = left.synchronises ? kSynchronousSlack : kAsynchronousSlack;
    return left.token == right.token && right.range.begin - fit.difference <= left.range.end + slack &&
           left.range.begin <= right.range.end - fit.difference + slack;
}

/// Same tokens, and every pair may be one call: the usual case, in one pass.
bool is_one_to_one(std::span<const CallKey> a, std::span<const CallKey> b, const ClockFit& fit) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](const CallKey& left, const CallKey& right) {
               return may_be_one_call(left, right, fit);
           });
}

enum class Move : std::uint8_t { skip_a, skip_b, pair };

/// Rows: calls of a; columns: the band of calls of b about the one that ends when the row's call ends.
class BandAlignment {
public:
    BandAlignment(std::span<const CallKey> a, std::span<const CallKey> b, const ClockFit& fit) : a_(a), b_(b), fit_(fit) {
        const auto last = static_cast<std::int64_t>(b.size());
        std::int64_t expected = 0;
        for (const CallKey& call : a) {
            while (expected < last && b[static_cast<std::size_t>(expected)].range.end < call.range.end + fit.difference) {
                ++expected;
            }
            first_.push_back(std::max<std::int64_t>(first_.empty() ? 0 : first_.back(), expected - kBand));
        }
    }

    Pairs solve() {
        const auto rows = static_cast<std::int64_t>(a_.size());
        moves_.assign(a_.size() * kWidth, Move::skip_a);
        std::vector<double> next; // best score from row i + 1 on, by column of its own band
        for (std::int64_t i = rows - 1; i >= 0; --i) {
            next = solve_row(i, next);
        }
        return follow();
    }

private:
    static constexpr std::size_t kWidth = 2 * kBand + 1;

    /// Score of the calls of a from row on and those of b from column on; columns past the band have no score.
    [[nodiscard]] double score_below(const std::vector<double>& next, std::int64_t row, std::int64_t column) const {
        if (row + 1 >= static_cast<std::int64_t>(a_.size())) {
            return 0;
        }
        const std::int64_t at = std::max<std::int64_t>(0, column - first_[static_cast<std::size_t>(row + 1)]);
        return at < static_cast<std::int64_t>(next.size()) ? next[static_cast<std::size_t>(at)] : 0;
    }

    std::vector<double> solve_row(std::int64_t row, const std::vector<double>& next) {
        std::vector<double> scores(kWidth, 0.0);
        double right = 0; // score of (row, column + 1)
        for (std::int64_t k = static_cast<std::int64_t>(kWidth) - 1; k >= 0; --k) {
            const std::int64_t column = first_[static_cast<std::size_t>(row)] + k;
            if (column >= static_cast<std::int64_t>(b_.size())) {
                continue;
            }
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

std::vector<std::pair<std::uint32_t, std::uint32_t>> align_calls(std::span<const CallKey> a, std::span<const CallKey> b) {
    if (a.empty() || b.empty()) {
        return {};
    }
    const ClockFit fit = fit_clock(a, b);
    if (!is_one_to_one(a, b, fit)) {
        return BandAlignment(a, b, fit).solve();
    }
    Pairs pairs;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        pairs.emplace_back(i, i);
    }
    return pairs;
}

} // namespace rankscope
