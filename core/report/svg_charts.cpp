// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as inline SVG.
#include "core/report/svg_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

constexpr double kWidth = 760;
constexpr double kLabel = 190; ///< room for the labels on the left
constexpr std::size_t kLabelCharacters = 28;

std::string text_at(double x, double y, std::string_view text, std::string_view css, std::string_view anchor) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>", x, y, css, anchor,
                       escaped_markup(text));
}

std::string rect(double x, double y, double width, double height, std::string_view css, std::string_view tip) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" class=\"{}\"><title>{}</title></rect>", x,
        y, std::max(0.0, width), height, css, escaped_markup(tip));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view css) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>", x1, y1, x2, y2,
                       css);
}

std::string svg(double width, double height, std::string_view title, const std::string& content) {
    return fmt::format(
        "<svg viewBox=\"0 0 {:.0f} {:.0f}\" style=\"max-width:{:.0f}px\" role=\"img\" aria-label=\"{}\">{}</svg>\n",
        width, height, width, escaped_markup(title), content);
}

std::string number(double value) {
    const double size = std::abs(value);
    return size >= 100               ? fmt::format("{:.0f}", value)
           : size >= 1 || value == 0 ? fmt::format("{:.4g}", value)
                                     : fmt::format("{:.3g}", value);
}

/// 1, 2 or 5 times a power of ten, so that about four of them make the length.
double tick_step(double length) {
    const double rough = length / 4;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    return power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
}

/// With as many decimals as tell neighbouring ticks apart.
std::string series_number(double value, double step) {
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    return std::abs(value) >= 1e6 ? fmt::format("{:.4g}", value) : fmt::format("{:.{}f}", value, decimals);
}

/// From least to most on the drawing's x axis.
struct Scale {
    double least = 0;
    double most = 1;
    double left = kLabel;
    double right = kWidth - 70;
    [[nodiscard]] double at(double value) const { return left + (value - least) / (most - least) * (right - left); }
};

std::string x_axis(const Scale& scale, double top, double bottom, const std::string& unit) {
    std::string out;
    const double step = tick_step(scale.most - scale.least);
    for (double tick = std::ceil(scale.least / step) * step; tick <= scale.most + step * 1e-6; tick += step) {
        out += line(scale.at(tick), top, scale.at(tick), bottom, "grid");
        out += text_at(scale.at(tick), bottom + 14, number(std::abs(tick) < step * 1e-6 ? 0 : tick), "tick", "middle");
    }
    return out + text_at(scale.right + 10, bottom + 14, unit, "tick", "start");
}

} // namespace

std::string stacked_bars_svg(std::span<const StackPart> legend, std::span<const StackedBar> bars,
                             const std::string& unit) {
    Scale scale;
    scale.most = 0;
    for (const StackedBar& bar : bars) {
        double sum = 0;
        for (const double part : bar.parts)
            sum += part;
        scale.most = std::max(scale.most, sum);
    }
    if (!(scale.most > 0))
        return {};
    const double row = bars.size() > 24 ? 14 : 22;
    const double top = 30;
    const double bottom = top + row * static_cast<double>(bars.size());
    std::string out = x_axis(scale, top - 4, bottom, unit);
    double x = kLabel;
    for (const StackPart& part : legend) {
        out += rect(x, 6, 12, 12, part.css, part.title) + text_at(x + 17, 16, part.title, "label", "start");
        x += 34 + 6.6 * static_cast<double>(text_width(part.title));
    }
    double y = top;
    for (const StackedBar& bar : bars) {
        out += text_at(kLabel - 8, y + row / 2 + 3, shortened(bar.label, kLabelCharacters), "label", "end");
        double sum = 0;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            out += rect(scale.at(sum), y + 1, scale.at(sum + bar.parts[i]) - scale.at(sum), row - 3, legend[i].css,
                        fmt::format("{}, {}: {} {}", bar.label, legend[i].title, number(bar.parts[i]), unit));
            sum += bar.parts[i];
        }
        out += text_at(scale.at(sum) + 6, y + row / 2 + 3, number(sum), "value", "start");
        y += row;
    }
    return svg(kWidth, bottom + 22, "Parts of time for each rank", out);
}

std::string waterfall_svg(const std::string& from_label, double from, std::span<const WaterfallStep> steps,
                          const std::string& to_label, double to, const std::string& unit) {
    Scale scale;
    scale.left = 290;
    double least = std::min(from, to);
    double most = std::max(from, to);
    double at = from;
    for (const WaterfallStep& step : steps) {
        at += step.change;
        least = std::min(least, at);
        most = std::max(most, at);
    }
    // The totals need not start at 0: the changes are what is to be seen. The axis says so.
    const double margin = std::max((most - least) * 0.25, most * 0.01);
    scale.least = std::max(0.0, least - margin);
    scale.most = most + margin * 0.4;
    if (!(scale.most > scale.least))
        return {};
    constexpr double kRow = 26;
    const double top = 6;
    const double bottom = top + kRow * static_cast<double>(steps.size() + 2);
    std::string out = x_axis(scale, top, bottom, unit);
    double y = top;
    const auto total = [&](const std::string& label, double value) {
        out += text_at(scale.left - 8, y + 17, shortened(label, 40), "label strong", "end") +
               rect(scale.left, y + 4, scale.at(value) - scale.left, kRow - 8, "total",
                    fmt::format("{}: {} {}", label, number(value), unit)) +
               text_at(scale.at(value) + 6, y + 17, number(value), "value strong", "start");
        y += kRow;
    };
    total(from_label, from);
    at = from;
    for (const WaterfallStep& step : steps) {
        const double begin = std::min(at, at + step.change);
        const double end = std::max(at, at + step.change);
        out +=
            line(scale.at(at), y - 4, scale.at(at), y + 4, "link") +
            text_at(scale.left - 8, y + 17, shortened(step.label, 46), "label", "end") +
            rect(scale.at(begin), y + 4, std::max(1.0, scale.at(end) - scale.at(begin)), kRow - 8,
                 step.change > 0 ? "worse" : "better", fmt::format("{}: {:+.4g} {}", step.label, step.change, unit)) +
            text_at(scale.at(end) + 6, y + 17, fmt::format("{:+.4g}", step.change), "value", "start");
        at += step.change;
        y += kRow;
    }
    out += line(scale.at(at), y - 4, scale.at(at), y + 4, "link");
    total(to_label, to);
    return svg(kWidth, bottom + 22, "From the baseline's iteration time to the test's, part by part", out);
}

std::string overlaid_histograms_svg(std::span<const double> edges, std::span<const std::size_t> baseline,
                                    std::span<const std::size_t> test, double baseline_median, double test_median,
                                    const std::string& unit) {
    if (edges.size() < 2)
        return {};
    constexpr double kHeight = 110;
    constexpr double kHistogramWidth = 370;
    const Scale scale{std::log(edges.front()), std::log(edges.back()), 10, kHistogramWidth - 10};
    std::size_t most = 1;
    for (const auto& counts : {baseline, test})
        for (const std::size_t count : counts)
            most = std::max(most, count);
    const auto height = [&](std::size_t count) {
        return static_cast<double>(count) / static_cast<double>(most) * (kHeight - 30);
    };
    std::string out;
    const auto bars = [&](std::span<const std::size_t> counts, std::string_view css) {
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (counts[i] > 0)
                out += rect(scale.at(std::log(edges[i])), kHeight - 18 - height(counts[i]),
                            scale.at(std::log(edges[i + 1])) - scale.at(std::log(edges[i])), height(counts[i]), css,
                            fmt::format("{} to {} {}: {}", number(edges[i]), number(edges[i + 1]), unit, counts[i]));
    };
    bars(baseline, "baseline");
    bars(test, "test");
    for (const auto& [median, css] : {std::pair{baseline_median, "median baseline"}, {test_median, "median test"}})
        if (median > 0)
            out += line(scale.at(std::log(median)), 8, scale.at(std::log(median)), kHeight - 18, css);
    out += line(scale.left, kHeight - 18, scale.right, kHeight - 18, "axis");
    out += text_at(scale.left, kHeight - 4, number(edges.front()) + " " + unit, "tick", "start");
    out += text_at(scale.right, kHeight - 4, number(edges.back()) + " " + unit, "tick", "end");
    return svg(kHistogramWidth, kHeight, "Calls by duration in both runs", out);
}

std::string dots_svg(std::span<const DotSeries> series, const std::string& x_title, const std::string& unit) {
    double most = 0;
    std::size_t longest = 0;
    for (const DotSeries& own : series) {
        longest = std::max(longest, own.values.size());
        for (const double value : own.values)
            most = std::max(most, value);
    }
    if (!(most > 0))
        return {};
    constexpr double kHeight = 190;
    constexpr double kLeft = 60;
    most *= 1.08;
    const auto y = [&](double value) { return kHeight - 30 - value / most * (kHeight - 60); };
    const auto x = [&](std::size_t i) {
        return kLeft + 20 +
               (kWidth - kLeft - 40) * (longest < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(longest - 1));
    };
    std::string out;
    const double step = tick_step(most);
    for (double tick = 0; tick <= most; tick += step)
        out += line(kLeft, y(tick), kWidth - 10, y(tick), "grid") +
               text_at(kLeft - 6, y(tick) + 4, number(tick), "tick", "end");
    out += text_at(kLeft - 6, 12, unit, "tick", "end") + text_at(kWidth - 10, kHeight - 8, x_title, "tick", "end");
    double legend = kLeft;
    for (const DotSeries& own : series) {
        for (std::size_t i = 0; i < own.values.size(); ++i)
            if (std::isfinite(own.values[i]))
                out +=
                    fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" class=\"{}\"><title>{}</title></circle>",
                                x(i), y(own.values[i]), own.css,
                                escaped_markup(fmt::format("{}: {} {}", own.label, number(own.values[i]), unit)));
        out += rect(legend, 4, 10, 10, own.css, own.label) +
               text_at(legend + 15, 13, shortened(own.label, 40), "label", "start");
        legend += 34 + 6.6 * static_cast<double>(std::min<std::size_t>(40, text_width(own.label)));
    }
    return svg(kWidth, kHeight, "Iteration times", out);
}

std::string series_svg(std::span<const SeriesPoint> points, const std::string& title, const std::string& unit) {
    constexpr double kSeriesWidth = 340;
    constexpr double kSeriesHeight = 130;
    constexpr double kSeriesLeft = 56;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double first = least;
    double last = most;
    for (const SeriesPoint& point : points) {
        const double spread = std::isfinite(point.spread) ? point.spread : 0;
        least = std::min(least, point.value - spread);
        most = std::max(most, point.value + spread);
        first = std::min(first, point.x);
        last = std::max(last, point.x);
    }
    if (!(least <= most))
        return {};
    const double room = most > least ? 0.1 * (most - least) : std::max(1e-9, 0.1 * std::abs(most));
    least -= room;
    most += room;
    const auto y = [&](double value) {
        return kSeriesHeight - 12 - (value - least) / (most - least) * (kSeriesHeight - 30);
    };
    const auto x = [&](double at) {
        return kSeriesLeft + 8 +
               (kSeriesWidth - kSeriesLeft - 20) * (last > first ? (at - first) / (last - first) : 0.5);
    };
    std::string out;
    const double step = tick_step(most - least);
    for (double tick = std::ceil(least / step) * step; tick <= most; tick += step)
        out += line(kSeriesLeft, y(tick), kSeriesWidth - 4, y(tick), "grid") +
               text_at(kSeriesLeft - 4, y(tick) + 4, series_number(std::abs(tick) < step * 1e-6 ? 0 : tick, step),
                       "tick", "end");
    out += text_at(2, 11, unit, "tick", "start");
    for (const SeriesPoint& point : points) {
        if (point.changed)
            out += line(x(point.x) - 4, 14, x(point.x) - 4, kSeriesHeight - 12, "changed");
        if (std::isfinite(point.spread))
            out += line(x(point.x), y(point.value - point.spread), x(point.x), y(point.value + point.spread), "axis");
        out += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" class=\"baseline\"><title>{}</title></circle>", x(point.x),
            y(point.value), escaped_markup(fmt::format("{}: {} {}", point.label, number_text(point.value), unit)));
    }
    return svg(kSeriesWidth, kSeriesHeight, title, out);
}

std::vector<std::size_t> pareto_front(std::span<const ParetoPoint> points, bool lower_x, bool lower_y) {
    const auto at_least_as_good = [](double a, double b, bool lower) { return lower ? a <= b : a >= b; };
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ParetoPoint& own = points[i];
        if (std::ranges::none_of(points, [&](const ParetoPoint& other) {
                return (other.x != own.x || other.y != own.y) && at_least_as_good(other.x, own.x, lower_x) &&
                       at_least_as_good(other.y, own.y, lower_y);
            }))
            front.push_back(i);
    }
    std::ranges::sort(front, {}, [&](std::size_t i) { return points[i].x; });
    return front;
}

std::string pareto_svg(std::span<const ParetoPoint> points, const ParetoAxis& x_axis, const ParetoAxis& y_axis) {
    constexpr double kHeight = 300;
    constexpr double kLeft = 70;
    struct Range {
        double least;
        double most;
    };
    if (points.empty())
        return {};
    const auto range = [&](double ParetoPoint::*part) {
        const auto [least, most] = std::ranges::minmax(
            points | std::views::transform([part](const ParetoPoint& point) { return point.*part; }));
        const double room = least < most ? 0.12 * (most - least) : std::max(1e-9, 0.1 * std::abs(most));
        return Range{least - room, most + room};
    };
    const Range xs = range(&ParetoPoint::x);
    const Range ys = range(&ParetoPoint::y);
    const auto x = [&](double value) {
        return kLeft + (kWidth - kLeft - 20) * (value - xs.least) / (xs.most - xs.least);
    };
    const auto y = [&](double value) {
        return kHeight - 34 - (kHeight - 54) * (value - ys.least) / (ys.most - ys.least);
    };
    std::string out;
    const double y_step = tick_step(ys.most - ys.least);
    for (double tick = std::ceil(ys.least / y_step) * y_step; tick <= ys.most; tick += y_step)
        out += line(kLeft, y(tick), kWidth - 20, y(tick), "grid") +
               text_at(kLeft - 6, y(tick) + 4, series_number(tick, y_step), "tick", "end");
    const double x_step = tick_step(xs.most - xs.least);
    for (double tick = std::ceil(xs.least / x_step) * x_step; tick <= xs.most; tick += x_step)
        out += line(x(tick), 20, x(tick), kHeight - 34, "grid") +
               text_at(x(tick), kHeight - 20, series_number(tick, x_step), "tick", "middle");
    const auto titled = [](const ParetoAxis& axis) {
        return fmt::format("{}{}, {} is better", axis.title, axis.unit.empty() ? "" : " (" + axis.unit + ")",
                           axis.lower_is_better ? "less" : "more");
    };
    out += text_at(4, 12, titled(y_axis), "tick", "start") +
           text_at(kWidth - 20, kHeight - 4, titled(x_axis), "tick", "end");
    const auto front = pareto_front(points, x_axis.lower_is_better, y_axis.lower_is_better);
    for (std::size_t i = 1; i < front.size(); ++i)
        out += line(x(points[front[i - 1]].x), y(points[front[i - 1]].y), x(points[front[i]].x), y(points[front[i]].y),
                    "axis");
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ParetoPoint& point = points[i];
        const bool on_front = std::ranges::find(front, i) != front.end();
        const bool at_right = x(point.x) > kWidth * 0.75;
        out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" class=\"{}\"><title>{}</title></circle>",
                           x(point.x), y(point.y), on_front ? 5 : 4, on_front ? "test" : "baseline",
                           escaped_markup(fmt::format("{}: {} {}, {} {}", point.label, number_text(point.x),
                                                      x_axis.unit, number_text(point.y), y_axis.unit))) +
               text_at(x(point.x) + (at_right ? -8 : 8), y(point.y) - 6, point.label, on_front ? "strong" : "tick",
                       at_right ? "end" : "start");
    }
    return svg(kWidth, kHeight, fmt::format("{} and {} of each run", x_axis.title, y_axis.title), out);
}

} // namespace rankscope
