// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of a rank as the sheets under TraceLens's names count them, and the statistics of their columns.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/metrics/metric.h"
#include "core/report/raw_sheets.h"

namespace rankscope {

inline constexpr double kMiB = 1048576.0;

/// Values of one group of calls; the standard deviation is that of a sample.
struct Spread {
    double sum = 0, mean = 0, median = 0, deviation = 0, min = 0, max = 0;
};
inline Spread spread_over(const std::vector<double>& values) {
    Spread spread;
    if (values.empty())
        return spread;
    for (const double value : values)
        spread.sum += value;
    const auto count = static_cast<double>(values.size());
    spread.mean = spread.sum / count;
    spread.median = middle_median(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - spread.mean) * (value - spread.mean);
    spread.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : std::nan("");
    spread.min = std::ranges::min(values);
    spread.max = std::ranges::max(values);
    return spread;
}

inline void add_columns(std::vector<SheetColumn>& columns, const std::string& before, const std::string& behind = {}) {
    for (const char* of : {"mean", "median", "std", "min", "max"})
        columns.push_back({before + "_" + of + behind, NumberStyle::three_decimals});
}
inline void add_cells(std::vector<Cell>& row, const Spread& spread) {
    for (const double value : {spread.mean, spread.median, spread.deviation, spread.min, spread.max})
        row.emplace_back(value);
}

/// What a call was given, as texts: ids of names have no order that would be the same each time.
struct InputTexts {
    std::string_view dims, types, strides, concrete;
    auto operator<=>(const InputTexts&) const = default;
};

inline bool is_nccl(std::string_view kernel) { return kernel.find("nccl") != std::string_view::npos; }

/// The operators of a rank with what the sheets say of each.
class RankOperators {
public:
    RankOperators(const AnalysedRun& run, std::size_t r)
        : trace(*run.run().ranks[r]), gpu_work(run.analysis->ranks()[r].gpu_work),
          calls(operator_calls(trace, gpu_work)) {
        // TraceLens leaves out kernels of NCCL and RCCL alone; an engine's own collectives have rows.
        for (OperatorCall& call : calls)
            if (call.category == OperatorCategory::communication &&
                std::ranges::none_of(call.work, [&](EventIndex event) { return is_nccl(trace.event_name(event)); }))
                call.category =
                    operator_category(trace.event_name(call.event),
                                      call.work.empty() ? std::string_view{} : trace.event_name(call.work.front()));
    }

    /// The class of the innermost module around the call's first work; "" without.
    const std::string& module_of(const OperatorCall& call) {
        std::string& module = modules_[call.event];
        if (module.empty() && !call.work.empty())
            if (const EventIndex event = modules_around_.of_work(call.work.front()); event != kNoEvent)
                module = module_class(module_of_frame(trace.event_name(event)));
        return module;
    }
    [[nodiscard]] std::string thread_of(const OperatorCall& call) const { return trace.lane_of(call.event).name; }
    [[nodiscard]] std::string_view text(NameId id) const { return trace.names->view(id); }
    [[nodiscard]] OperatorInputs inputs(const OperatorCall& call) const {
        return trace.inputs_of(call.event).value_or(OperatorInputs{});
    }
    [[nodiscard]] InputTexts input_texts(const OperatorCall& call) const {
        const OperatorInputs in = inputs(call);
        return {text(in.dims), text(in.types), text(in.strides), text(in.concrete)};
    }
    [[nodiscard]] double time_of_all() const {
        double sum = 0;
        for (const OperatorCall& call : calls)
            sum += call.category == OperatorCategory::communication ? 0 : as_us(call.direct);
        return sum;
    }
    /// "name x count, total us" for each kernel of the calls.
    [[nodiscard]] std::string kernels_text(const std::vector<EventIndex>& work) const {
        std::map<std::string_view, std::pair<std::int64_t, double>> by_name;
        for (const EventIndex event : work) {
            auto& [count, us] = by_name[trace.event_name(event)];
            ++count;
            us += as_us(trace.events.duration[event]);
        }
        std::string words;
        for (const auto& [name, total] : by_name)
            words += fmt::format("{}{} x {}, {:.3f} us", words.empty() ? "" : "; ", name, total.first, total.second);
        return words;
    }

    /// By call: whether one inside it has a performance model, and it has none.
    [[nodiscard]] std::vector<bool> around_models() const {
        std::vector<bool> around(calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (calls[i].model == i)
                for (std::size_t p = calls[i].parent; p != OperatorCall::kNoCall && !around[p]; p = calls[p].parent)
                    around[p] = true;
        return around;
    }
    /// By call, whose row counts the work that it launched: that of the outermost call with a performance model; else
    /// of the outermost operator of ATen that launched something itself and is around no model. What an engine's own
    /// operators are around are steps of a model, with rows of their own.
    [[nodiscard]] std::vector<std::size_t> rows_of(const std::vector<bool>& around) const {
        constexpr std::size_t kUnasked = OperatorCall::kNoCall - 1;
        // By call: the outermost such operator among it and what is around it; kNoCall where there is none.
        std::vector<std::size_t> outermost(calls.size(), kUnasked);
        const auto outermost_of = [&](std::size_t call) {
            std::vector<std::size_t> walked;
            for (; call != OperatorCall::kNoCall && !around[call] && outermost[call] == kUnasked;
                 call = calls[call].parent)
                walked.push_back(call);
            std::size_t found = call == OperatorCall::kNoCall || around[call] ? OperatorCall::kNoCall : outermost[call];
            for (const std::size_t at : std::views::reverse(walked)) {
                const bool counts = !calls[at].work.empty() && trace.event_name(calls[at].event).starts_with("aten::");
                found = found == OperatorCall::kNoCall && counts ? at : found;
                outermost[at] = found;
            }
            return found;
        };
        std::vector<std::size_t> rows(calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const std::size_t above =
                calls[i].model != OperatorCall::kNoCall ? calls[i].model : outermost_of(calls[i].parent);
            rows[i] = above == OperatorCall::kNoCall ? i : above;
        }
        return rows;
    }

    const RankTrace& trace;
    std::span<const GpuSlice> gpu_work;
    std::vector<OperatorCall> calls;

private:
    ModulesAround modules_around_{trace};
    PlaceMap<EventIndex, std::string> modules_;
};

template <typename Add>
void for_each_rank(Runs runs, Add&& add) {
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r) {
            RankOperators rank(run, r);
            add(rank, run);
        }
}

inline double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

inline double sum_of(const std::vector<double>& values) { return spread_over(values).sum; }

} // namespace rankscope
