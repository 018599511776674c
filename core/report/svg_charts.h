// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as inline SVG. Colours are CSS classes of the page (html_report.cpp), so that one drawing serves light, dark
// and paper.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace rankscope {

/// A bar of the stacked chart: its label and the lengths of its parts, in the order of the legend.
struct StackedBar {
    std::string label;
    std::vector<double> parts;
};
/// What a part is called, and its CSS class ("compute", "comm", "copy", "idle").
struct StackPart {
    std::string title;
    std::string css;
};
std::string stacked_bars_svg(std::span<const StackPart> legend, std::span<const StackedBar> bars,
                             const std::string& unit);

/// From one total to another, step by step: each part is drawn where the ones before it end.
struct WaterfallStep {
    std::string label;
    double change = 0;
};
std::string waterfall_svg(const std::string& from_label, double from, std::span<const WaterfallStep> steps,
                          const std::string& to_label, double to, const std::string& unit);

/// Two histograms over the same bins on a logarithmic scale, with a line at each median.
std::string overlaid_histograms_svg(std::span<const double> edges, std::span<const std::size_t> baseline,
                                    std::span<const std::size_t> test, double baseline_median, double test_median,
                                    const std::string& unit);

/// Values in the order of their series: dots over their number, one line for each series.
struct DotSeries {
    std::string label;
    std::vector<double> values;
    std::string css; ///< "baseline", "test"
};
/// A value with how far it spreads (NaN: not known); changed: the first on a new level, marked by a line.
struct SeriesPoint {
    double x = 0;
    double value = 0;
    double spread = 0;
    std::string label;
    bool changed = false;
};
/// Points on an axis of their own, which need not start at 0; as wide as half a page.
std::string series_svg(std::span<const SeriesPoint> points, const std::string& title, const std::string& unit);

/// Two values of each point, with its label beside the dot. Those of which no other is better in both are joined by a
/// line: Pareto's front. An axis need not start at 0.
struct ParetoAxis {
    std::string title;
    std::string unit;
    bool lower_is_better = true;
};
struct ParetoPoint {
    double x = 0;
    double y = 0;
    std::string label;
};
std::string pareto_svg(std::span<const ParetoPoint> points, const ParetoAxis& x, const ParetoAxis& y);
/// Places of those of which no other is better in both, from the left to the right.
std::vector<std::size_t> pareto_front(std::span<const ParetoPoint> points, bool lower_x, bool lower_y);

std::string dots_svg(std::span<const DotSeries> series, const std::string& x_title, const std::string& unit);

} // namespace rankscope
