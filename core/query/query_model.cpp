// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query_model.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace rankscope {

QueryModel::QueryModel(std::vector<QueryRun> runs, std::function<std::vector<QueryChange>()> changes)
    : runs_(std::move(runs)), metrics_(runs_.size()), compare_(std::move(changes)) {
    std::set<std::int64_t> steps;
    for (std::uint32_t r = 0; r < runs_.size(); ++r) {
        const auto& run = runs_[r].analysis->run_pointer();
        first_rank_.push_back(ranks_.size());
        classes_.push_back(std::make_unique<RunClasses>(run, runs_[r].analysis->rules().classes));
        for (std::uint32_t i = 0; i < run->ranks.size(); ++i) {
            ranks_.push_back({r, i, run->ranks[i].get(), event_count_});
            event_count_ += run->ranks[i]->events.size();
            for (const ProfilerStep& step : run->ranks[i]->steps)
                steps.insert(step.number);
        }
    }
    step_numbers_.assign(steps.begin(), steps.end());
}

std::optional<std::size_t> QueryModel::rank_of_id(std::int64_t id) const {
    if (id < 0 || id >= event_count_)
        return {};
    const auto after = std::ranges::upper_bound(ranks_, id, {}, &QueryRank::first_id);
    return static_cast<std::size_t>(std::distance(ranks_.begin(), after)) - 1;
}

TimeNs QueryModel::shift(std::size_t rank) const {
    const QueryRank& place = ranks_[rank];
    const RunAnalysis& analysis = *runs_[place.run].analysis;
    return analysis.since_start(place.index, 0);
}

const ProfilerStep* QueryModel::step_of(std::size_t rank, EventIndex event) const {
    const RankTrace& trace = *ranks_[rank].trace;
    if (event >= trace.events.gpu_count)
        return step_at(trace.steps, trace.events.start[event]);
    const auto& steps = work_steps_.get([this] {
        std::vector<WorkSteps> of_ranks;
        for (const QueryRank& place : ranks_)
            of_ranks.emplace_back(*place.trace);
        return of_ranks;
    });
    return steps[rank].of(event);
}

const std::vector<KernelClass>& QueryModel::classes(std::size_t rank) const {
    return classes_[ranks_[rank].run]->of_rank(ranks_[rank].index);
}

const MetricReport& QueryModel::metrics(std::size_t run) const {
    return metrics_[run].get([&] { return compute_metrics(*runs_[run].analysis); });
}

const std::vector<QueryChange>& QueryModel::changes() const {
    return changes_.get([&] { return compare_ ? compare_() : std::vector<QueryChange>(); });
}

const QueryModel::NameCodes& QueryModel::name_codes() const {
    return name_codes_.get([&] {
        NameCodes codes;
        std::vector<std::pair<std::uint32_t, NameId>> names; // run, id
        for (std::uint32_t r = 0; r < runs_.size(); ++r) {
            const auto size = static_cast<NameId>(run(r).names->size());
            codes.of_run.emplace_back(size);
            for (NameId id = 0; id < size; ++id)
                names.emplace_back(r, id);
        }
        const auto text = [&](const auto& name) { return run(name.first).names->view(name.second); };
        std::ranges::sort(names, {}, text);
        for (std::size_t i = 0; i < names.size(); ++i) {
            codes.count += i == 0 || text(names[i]) != text(names[i - 1]) ? 1 : 0;
            codes.of_run[names[i].first][names[i].second] = codes.count - 1;
        }
        return codes;
    });
}

std::size_t QueryModel::most_names() const {
    std::size_t count = 0;
    for (const QueryRun& run : runs_)
        count += run.analysis->run().names->size();
    return count;
}

} // namespace rankscope
