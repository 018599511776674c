// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/user_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr int kDeepestExpression = 100; ///< each level is a frame on the stack

KnownRange range_of_sum(const KnownRange& a, const KnownRange& b, double sign) {
    const auto [low, high] = std::minmax({sign * b.low, sign * b.high});
    return {a.low + low, a.high + high, a.growth == b.growth ? a.growth : Growth::unknown};
}

KnownRange range_of_product(const KnownRange& a, const KnownRange& b) {
    const auto times = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }; // 0 of an open end is 0
    const std::array<double, 4> corners{times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                                        times(a.high, b.high)};
    const auto [low, high] = std::ranges::minmax(corners);
    return {low, high, b.growth == Growth::none ? a.growth : a.growth == Growth::none ? b.growth : Growth::unknown};
}

KnownRange range_of_quotient(const KnownRange& a, const KnownRange& b) {
    Growth growth = b.growth == Growth::none ? a.growth : Growth::unknown;
    if (a.growth == Growth::with_iterations && b.growth == Growth::with_iterations)
        growth = Growth::none;
    if (b.low <= 0 && b.high >= 0)
        return {-kNoLimit, kNoLimit, growth};
    const KnownRange product = range_of_product(a, {1 / b.high, 1 / b.low, Growth::none});
    return {product.low, product.high, growth};
}

/// The part of muParser's grammar that keeps growth and direction. Its own value is the one that counts.
class RangeParser {
public:
    RangeParser(std::string_view text, const std::map<std::string, KnownRange>& names) : rest_(text), names_(names) {}
    std::optional<KnownRange> whole() {
        const auto value = sum();
        skip_spaces();
        return rest_.empty() ? value : std::nullopt;
    }

private:
    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n\v\f"), rest_.size())); }

    bool take(char sign) {
        skip_spaces();
        if (!rest_.starts_with(sign))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::optional<KnownRange> sum() {
        auto value = product();
        while (value) {
            const bool plus = take('+');
            if (!plus && !take('-'))
                break;
            const auto next = product();
            value = next ? std::optional(range_of_sum(*value, *next, plus ? 1 : -1)) : std::nullopt;
        }
        return value;
    }

    std::optional<KnownRange> product() {
        auto value = factor();
        while (value) {
            const bool times = take('*');
            if (!times && !take('/'))
                break;
            const auto next = factor();
            value = !next   ? std::nullopt
                    : times ? std::optional(range_of_product(*value, *next))
                            : std::optional(range_of_quotient(*value, *next));
        }
        return value;
    }

    std::optional<KnownRange> factor() {
        if (depth_ == kDeepestExpression)
            return {};
        ++depth_;
        auto value = atom();
        --depth_;
        return value;
    }

    std::optional<KnownRange> atom() {
        if (take('(')) {
            const auto value = sum();
            return value && take(')') ? value : std::nullopt;
        }
        if (take('-')) {
            const auto value = factor();
            return value ? std::optional(KnownRange{-value->high, -value->low, value->growth}) : std::nullopt;
        }
        if (take('+'))
            return factor();
        return rest_.empty() ? std::nullopt : number_or_name();
    }

    std::optional<KnownRange> number_or_name() {
        if ((rest_.front() >= '0' && rest_.front() <= '9') || rest_.front() == '.') {
            double number = 0;
            const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
            if (parsed.ec != std::errc{})
                return {};
            rest_.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest_.data()));
            return KnownRange{number, number, Growth::none};
        }
        const std::size_t length = std::min(rest_.find_first_not_of(kNameCharacters), rest_.size());
        const auto named = names_.find(std::string(rest_.substr(0, length)));
        rest_.remove_prefix(length);
        return named == names_.end() ? std::nullopt : std::optional(named->second);
    }

    std::string_view rest_;
    const std::map<std::string, KnownRange>& names_;
    int depth_ = 0;
};

} // namespace

std::optional<KnownRange> known_range(std::string_view expression, const std::map<std::string, KnownRange>& names) {
    return RangeParser(expression, names).whole();
}

} // namespace rankscope
