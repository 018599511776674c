// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's kernel breakdown.
#include "core/analysis/compat/hta_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/compat/hta_describe.h"

namespace rankscope {
namespace {

constexpr std::array kReported{HtaClass::communication, HtaClass::computation, HtaClass::memory};

double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum;
}

void append_top(std::vector<HtaKernel>& result, std::span<const HtaKernel> kernels, std::size_t limit) {
    if (kernels.size() <= limit) {
        result.insert(result.end(), kernels.begin(), kernels.end());
        return;
    }
    std::vector<double> cumulated;
    for (const HtaKernel& kernel : kernels)
        cumulated.push_back((cumulated.empty() ? 0 : cumulated.back()) + kernel.sum_us);
    std::vector<double> reordered = cumulated;
    const double cut = hta_quantile(reordered, 0.8);
    std::vector<double> others;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const double sum = kernels[i].sum_us;
        if (cumulated[i] > cut || i >= limit)
            others.push_back(sum);
        else
            result.push_back({kernels[i].name, kernels[i].type, sum, sum, sum, 0, sum});
    }
    result.push_back(hta_kernel_statistics("others", kernels.front().type, others));
}

bool has_class(std::size_t combination, std::size_t c) { return ((combination >> c) & 1U) != 0; }

std::string combination_name(std::size_t combination) {
    std::string name;
    for (std::size_t c = 0; c < 3; ++c)
        if (has_class(combination, c))
            name += (name.empty() ? "" : " overlapping ") + std::string(hta_class_word(static_cast<HtaClass>(c)));
    return name;
}

} // namespace

HtaKernel hta_kernel_statistics(std::string name, HtaClass type, const std::vector<double>& values) {
    HtaKernel kernel{std::move(name), type, sum_of(values), 0, 0, 0, 0};
    kernel.max_us = *std::max_element(values.begin(), values.end());
    kernel.min_us = *std::min_element(values.begin(), values.end());
    kernel.mean_us = kernel.sum_us / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - kernel.mean_us) * (value - kernel.mean_us);
    kernel.std_us = values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0;
    return kernel;
}

HtaClassTimes hta_class_times(const std::vector<HtaRow>& rows) {
    // The ends of each class's intervals in order: each turns the class on or off.
    constexpr TimeNs kNoEdge = std::numeric_limits<TimeNs>::max();
    std::array<IntervalSet, 3> sets;
    std::array<std::size_t, 3> next{};
    for (std::size_t c = 0; c < sets.size(); ++c)
        sets[c] = merge(hta_merge(rows, static_cast<HtaClass>(c)));
    const auto next_end = [&](std::size_t c) {
        const std::size_t i = next[c] / 2;
        return i == sets[c].size() ? kNoEdge : next[c] % 2 == 0 ? sets[c][i].begin : sets[c][i].end;
    };
    std::array<TimeNs, 3> ends{next_end(0), next_end(1), next_end(2)};
    HtaClassTimes times{};
    std::size_t running = 0;
    TimeNs before = 0;
    for (TimeNs now = std::ranges::min(ends); now != kNoEdge; now = std::ranges::min(ends)) {
        times[running] += running == 0 ? 0 : now - before;
        for (std::size_t c = 0; c < sets.size(); ++c) {
            if (ends[c] == now) {
                running ^= std::size_t{1} << c;
                ++next[c];
                ends[c] = next_end(c);
            }
        }
        before = now;
    }
    return times;
}

HtaClassTimes without_memory(const HtaClassTimes& times) {
    constexpr std::size_t kMemory = std::size_t{1} << static_cast<std::size_t>(HtaClass::memory);
    HtaClassTimes result{};
    for (std::size_t combination = 0; combination < times.size(); ++combination)
        result[combination & ~kMemory] += times[combination];
    result[0] = 0;
    return result;
}

std::vector<HtaKernelType> hta_kernel_types(std::span<const HtaClassTimes> ranks) {
    std::vector<HtaKernelType> types;
    double total = 0;
    for (std::size_t combination = 1; combination < HtaClassTimes{}.size(); ++combination) {
        TimeNs time = 0;
        for (const HtaClassTimes& rank : ranks)
            time += rank[combination];
        if (time > 0) {
            const TimeNs whole_us = time / 1000;
            types.push_back({combination_name(combination), whole_us, 0});
            total += static_cast<double>(whole_us);
        }
    }
    for (HtaKernelType& type : types)
        type.percent = total > 0 ? std::nearbyint(1000.0 * static_cast<double>(type.sum_us) / total) / 10.0 : 0;
    std::stable_sort(types.begin(), types.end(),
                     [](const HtaKernelType& a, const HtaKernelType& b) { return a.sum_us > b.sum_us; });
    return types;
}

std::vector<HtaKernel> hta_kernels(const RankTrace& rank, const std::vector<HtaRow>& rows) {
    std::vector<HtaKernel> kernels;
    for (const HtaClass type : kReported) {
        std::map<std::string_view, std::vector<double>> durations;
        for (const HtaRow& row : rows) {
            if (row.hta_class == type) {
                durations[rank.event_name(row.event)].push_back(static_cast<double>(row.range.end - row.range.begin) /
                                                                1000.0);
            }
        }
        const auto begin = static_cast<std::ptrdiff_t>(kernels.size());
        for (const auto& [name, values] : durations)
            kernels.push_back(hta_kernel_statistics(std::string(name), type, values));
        std::stable_sort(kernels.begin() + begin, kernels.end(),
                         [](const HtaKernel& a, const HtaKernel& b) { return a.sum_us > b.sum_us; });
    }
    return kernels;
}

std::vector<HtaKernel> hta_top_kernels(const std::vector<HtaKernel>& kernels, std::size_t limit) {
    std::vector<HtaKernel> result;
    for (const HtaClass type : kReported) {
        std::vector<HtaKernel> of_type;
        std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(of_type),
                     [type](const HtaKernel& kernel) { return kernel.type == type; });
        append_top(result, of_type, limit);
    }
    return result;
}

} // namespace rankscope
