// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on the mesh, and stragglers in words.
#include "core/views/worker_map.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/findings.h"
#include "core/base/words.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

constexpr double kWorthWords = 1.02; ///< a slowdown below is noise
constexpr double kExplains = 0.5;    ///< share from which on a set is called the cause
constexpr int kMostPlaces = 1 << 16; ///< of a map

std::vector<std::pair<ParallelDimension, int>> known_mesh(const Run& run) {
    auto mesh = mesh_of(parallelism_of(run.config), run.world_size);
    std::erase_if(mesh, [](const auto& entry) { return entry.second <= 1; });
    return mesh;
}

/// Place of a rank along the dimension.
int place_of(const std::vector<std::pair<ParallelDimension, int>>& mesh, int rank, ParallelDimension dimension) {
    for (auto at = mesh.rbegin(); at != mesh.rend(); ++at) {
        if (at->first == dimension)
            return rank % at->second;
        rank /= at->second;
    }
    return 0;
}

/// The number of a rank's first companion: those that tensor parallelism divides the work of a worker among.
int number_of_worker(const std::vector<std::pair<ParallelDimension, int>>& mesh, int rank) {
    int stride = 1;
    for (auto at = mesh.rbegin(); at != mesh.rend(); ++at) {
        if (at->first == ParallelDimension::tp)
            return rank - place_of(mesh, rank, ParallelDimension::tp) * stride;
        stride *= at->second;
    }
    return rank;
}

/// Of all its ranks: the replay cannot tell them apart.
std::optional<double> slowdown_of(const RunAnalysis& analysis, std::uint32_t rank) {
    const std::vector<WorkerSlowdown>& workers = analysis.straggler_slowdown().by_worker;
    auto worker = std::ranges::find(workers, rank, &WorkerSlowdown::rank);
    const Run& run = analysis.run();
    if (const auto mesh = known_mesh(run); worker == workers.end() && !mesh.empty()) {
        const int number = number_of_worker(mesh, run.ranks[rank]->rank);
        worker = std::ranges::find_if(workers, [&](const WorkerSlowdown& w) {
            return number_of_worker(mesh, run.ranks[w.rank]->rank) == number;
        });
    }
    return worker == workers.end() ? std::nullopt : std::optional(worker->slowdown);
}

/// "ranks 4 and 5 (data-parallel rank 2)"
Message worker_words(const RunAnalysis& analysis, const WorkerSlowdown& worker) {
    const Run& run = analysis.run();
    const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
    const auto mesh = known_mesh(run);
    const int number = number_of_worker(mesh, run.ranks[worker.rank]->rank);
    std::vector<int> ranks;
    for (const auto& rank : run.ranks)
        if (number_of_worker(mesh, rank->rank) == number)
            ranks.push_back(rank->rank);
    const Message who = rank_words(ranks);
    if (slowdown.by_stage.size() <= 1)
        return slowdown.by_dp_rank.size() <= 1 ? who : "%1 (data-parallel rank %2)"_text(who, worker.dp_rank);
    return slowdown.by_dp_rank.size() <= 1
               ? "%1 (stage %2)"_text(who, worker.stage)
               : "%1 (data-parallel rank %2, stage %3)"_text(who, worker.dp_rank, worker.stage);
}

double percent_slower(double ratio) { return 100 * (ratio - 1); }

std::string tenths_words(double percent) { return fmt::format("{:.1f}", percent); }

/// Who or what makes the job slower than if all workers were alike.
std::vector<Message> slowdown_reasons(const RunAnalysis& analysis, const StragglerSlowdown& slowdown) {
    std::vector<Message> sentences;
    const auto percent = [](double share) { return std::lround(100 * share); };
    const auto explains = [&](const std::optional<double>& share) { return share && percent(*share) > 0; };
    if (explains(slowdown.m_w) && slowdown.slowest_workers.size() == 1) {
        const Message worker = worker_words(analysis, slowdown.by_worker[slowdown.slowest_workers.front()]);
        // Without it the step may become shorter than with operations of equal length: more than all of the
        // slowdown.
        sentences.push_back(percent(*slowdown.m_w) >= 100
                                ? "One worker explains all of the slowdown: %1."_text(worker)
                                : "One worker explains %1 % of the slowdown: %2."_text(percent(*slowdown.m_w), worker));
    } else if (explains(slowdown.m_w)) {
        const WorkerSlowdown& slowest = *std::ranges::max_element(slowdown.by_worker, {}, &WorkerSlowdown::slowdown);
        const Message worker = worker_words(analysis, slowest);
        const std::string ratio = fmt::format("{:.3f}", slowest.slowdown);
        sentences.push_back(
            percent(*slowdown.m_w) >= 100
                ? "The slowest %1 % of the workers (%2) explain all of the slowdown; %3 alone makes a step %4 times as long."_text(
                      kSlowestPercent, slowdown.slowest_workers.size(), worker, ratio)
                : "The slowest %1 % of the workers (%2) explain %5 % of the slowdown; %3 alone makes a step %4 times as long."_text(
                      kSlowestPercent, slowdown.slowest_workers.size(), worker, ratio, percent(*slowdown.m_w)));
    }
    if (explains(slowdown.m_s) && slowdown.by_stage.size() > 1)
        sentences.push_back(percent(*slowdown.m_s) >= 100
                                ? "The last stage explains all of the slowdown."_text()
                                : "The last stage explains %1 % of the slowdown."_text(percent(*slowdown.m_s)));
    // Where messages cost most, sequences have nothing to do with it.
    if (slowdown.m_w.value_or(0) < kExplains && slowdown.m_s.value_or(0) < kExplains &&
        !slowdown.by_operation.empty() && slowdown.by_operation.front().name.find("compute") != std::string::npos)
        sentences.emplace_back("It varies from microbatch to microbatch: look at the lengths of their sequences."_text);
    if (!slowdown.by_operation.empty() && slowdown.by_operation.front().slowdown > kWorthWords)
        sentences.push_back("Of the types of operations, %1 costs most (%2 %)."_text(
            slowdown.by_operation.front().name, tenths_words(percent_slower(slowdown.by_operation.front().slowdown))));
    return sentences;
}

} // namespace

std::vector<WorkerDimension> worker_dimensions(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    std::vector<WorkerDimension> dimensions;
    for (const auto& [dimension, size] : known_mesh(run))
        dimensions.push_back({dimension, size});
    if (dimensions.empty())
        dimensions.push_back({ParallelDimension::unknown, static_cast<int>(run.ranks.size())});
    return dimensions;
}

std::optional<double> worker_value(const RunAnalysis& analysis, WorkerValue value, std::uint32_t rank) {
    const RankAnalysis& of_rank = analysis.ranks()[rank];
    if (is_among(analysis.unjudged_ranks(), rank))
        return std::nullopt;
    const auto share = [&](TimeNs time) {
        return of_rank.timeline.total > 0
                   ? std::optional(static_cast<double>(time) / static_cast<double>(of_rank.timeline.total))
                   : std::nullopt;
    };
    switch (value) {
    case WorkerValue::slowdown: return slowdown_of(analysis, rank);
    case WorkerValue::lag: {
        if (rank >= analysis.stragglers().ranks.size() || analysis.stragglers().ranks[rank].calls == 0)
            return std::nullopt;
        const RankLag& lag = analysis.stragglers().ranks[rank];
        return static_cast<double>(lag.sum_lag) / static_cast<double>(lag.calls);
    }
    case WorkerValue::idle: return share(of_rank.timeline.idle);
    case WorkerValue::exposed: return share(of_rank.timeline.exposed_comm);
    }
    return std::nullopt;
}

WorkerMap worker_map(const RunAnalysis& analysis, WorkerValue value, WorkerDimension rows, WorkerDimension columns) {
    const Run& run = analysis.run();
    const auto mesh = known_mesh(run);
    WorkerMap map{value, rows, columns, {}, 0};
    if (std::int64_t{rows.size} * columns.size > kMostPlaces)
        return map;
    map.cells.resize(static_cast<std::size_t>(rows.size) * static_cast<std::size_t>(columns.size));
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        const auto of_rank = worker_value(analysis, value, r);
        if (!of_rank)
            continue;
        const int number = mesh.empty() ? static_cast<int>(r) : run.ranks[r]->rank;
        const auto along = [&](const WorkerDimension& dimension) {
            if (dimension.size <= 1)
                return 0;
            return mesh.empty() ? number : place_of(mesh, number, dimension.dimension);
        };
        WorkerCell& cell = map.cells[static_cast<std::size_t>(along(rows)) * static_cast<std::size_t>(columns.size) +
                                     static_cast<std::size_t>(along(columns))];
        if (!cell.value || *of_rank > *cell.value) {
            cell.value = of_rank;
            cell.rank = r;
        }
        ++cell.ranks;
    }
    for (const WorkerCell& cell : map.cells)
        map.most = std::max(map.most, cell.value.value_or(0));
    return map;
}

std::vector<Message> slowdown_sentences(const RunAnalysis& analysis) {
    const StragglerSlowdown& slowdown = analysis.straggler_slowdown();
    if (!slowdown.unavailable.empty())
        return {};
    const auto time = [](double ns) { return time_words(ns, 3); }; // two times that differ little are compared
    std::vector<Message> sentences;
    const double ratio = slowdown.slowdown();
    // The replay leaves delays between operations out, but in it operations that overlapped may follow each other.
    const double left_out = 100 * (1 - 1 / slowdown.simulation_error()); // % of the recorded step
    if (ratio < 1 / kWorthWords) {
        // What waits for nobody is longer than what others wait for: the mean of both makes a step longer.
        sentences.push_back("Stragglers cost nothing: with all operations of a type equally long a step would take %1 "
                            "instead of %2 when it is replayed."_text(time(slowdown.ideal), time(slowdown.no_delay)));
    } else if (ratio < kWorthWords) {
        const std::string share = tenths_words(std::max(0.0, percent_slower(ratio)));
        sentences.push_back(analysis.findings().of_steps
                                ? "Stragglers cost %1 % of a step, which takes %2 when it is replayed."_text(
                                      share, time(slowdown.no_delay))
                                : "Stragglers cost %1 % of the time, which is %2 when it is replayed."_text(
                                      share, time(slowdown.no_delay)));
        // What costs more than that cannot be the length of operations.
        const std::optional<LateRank>& late = analysis.late_rank();
        const Finding* why = late ? why_late(analysis.findings(), late->rank) : nullptr;
        const double worth_words = (kWorthWords - 1) * analysis.findings().step_time;
        const bool others = std::ranges::any_of(analysis.findings().list, [&](const Finding& finding) {
            return !finding.inherent && !finding.ranks.empty() && finding.cost > worth_words;
        });
        if (why == nullptr && others)
            sentences.push_back("That is of the length of operations alone; findings about ranks cost more."_text());
        if (why != nullptr && why->cost > worth_words)
            sentences.push_back("Rank %1 is late for another reason, which the Overview gives."_text(late->rank));
    } else {
        sentences.push_back(
            "The job is %1 % slower than if each operation took the mean of its type over all workers, slow ones "
            "included: %2 instead of %3 a step."_text(tenths_words(percent_slower(ratio)), time(slowdown.no_delay),
                                                      time(slowdown.ideal)));
        if (std::abs(left_out) > percent_slower(ratio))
            sentences.push_back("What the replay leaves out of a step is more than that, so that it does not tell "
                                "who the straggler is."_text());
        else
            std::ranges::move(slowdown_reasons(analysis, slowdown), std::back_inserter(sentences));
    }
    if (const UnseenMembers unseen = analysis.facts().unseen_members; unseen != UnseenMembers::none)
        sentences.insert(sentences.begin() + 1, "It may be more: %1, and waits for these ranks are not seen."_text(
                                                    unseen_members_words(unseen)));
    for (const UnjudgedRanks& ranks : analysis.unjudged_ranks())
        sentences.push_back(why_not_judged(analysis.run(), ranks));
    sentences.push_back(
        left_out >= 0
            ? "The replay leaves out delays between operations: %1 % of the recorded step."_text(tenths_words(left_out))
            : "The replay is inexact here: its step is %1 % longer than the recorded one."_text(
                  tenths_words(100 * (1 / slowdown.simulation_error() - 1))));
    if (slowdown.left_out_steps > 0)
        sentences.push_back("%1 of %2 steps do not have the operations of the others and are left out."_text(
            slowdown.left_out_steps, slowdown.left_out_steps + std::ssize(slowdown.by_step)));
    return sentences;
}

} // namespace rankscope
