// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/facts_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "core/metrics/numbers.h"
#include "core/views/all_facts.h"

namespace rankscope {
namespace {

constexpr std::size_t kHostFactsShown = 20;

Json ratio_json(const std::optional<double>& ratio) { return ratio ? Json(rounded(*ratio)) : Json(nullptr); }

/// "waiting_us" ... of the words of the enumeration.
std::string share_key(StepShare share) {
    constexpr std::array<const char*, kStepShareCount> kKeys{
        "computation_us", "exposed_communication_us", "waiting_us", "bubble_us", "copies_us", "launching_us", "host_us",
        "unrecorded_us"};
    return kKeys[static_cast<std::size_t>(share)];
}

Json fill_json(const StepFill& fill) {
    Json json{{"step_us", rounded_us(fill.step_ns)}};
    for (std::size_t i = 0; i < kStepShareCount; ++i) {
        const auto share = static_cast<StepShare>(i);
        json[share_key(share)] = rounded_us(fill[share]);
    }
    return json;
}

Json rank_json(const RankFacts& rank) {
    return {{"rank", rank.rank},
            {"steps", rank.steps},
            {"fill", fill_json(rank.fill)},
            {"computation_ratio_to_peers", ratio_json(rank.computation_ratio_to_peers)},
            {"computation_excess_us", rounded_us(rank.computation_excess_ns)},
            {"kernel_ratio_to_peers", ratio_json(rank.kernel_ratio_to_peers)},
            {"calls", rank.calls},
            {"times_last", rank.times_last},
            {"median_lag_us", rounded_us(rank.median_lag_ns)},
            {"wait_caused_us", rounded_us(rank.wait_caused_ns)},
            {"wait_caused_per_step_us", rounded_us(rank.wait_caused_ns)}, // the name that it has everywhere
            {"late_alone_us", rounded_us(rank.late_alone_ns)},
            {"machine", rank.machine ? Json(*rank.machine) : Json()}};
}

Json host_json(const RunAnalysis& analysis, const HostFact& fact) {
    return {{"kind", host_activity_word(fact.kind)},
            {"name", fact.name},
            {"inside", fact.inside},
            {"mean_us", rounded_us(fact.mean_ns)},
            {"most_us", rounded_us(fact.most_ns)},
            {"most_rank", fact.most_rank},
            {"gaps", fact.gaps},
            {"longest_rank", analysis.run().ranks[fact.longest_rank]->rank},
            {"longest_start_us", as_us(analysis.since_start(fact.longest_rank, fact.longest.begin))},
            {"longest_us", as_us(fact.longest.length())}};
}

/// Means of the logs of the GPUs, by series.
Json hardware_json(const RunAnalysis& analysis) {
    Json ranks = Json::array();
    if (const auto& hardware = hardware_of(analysis))
        for (const RankHardware& rank : hardware->ranks) {
            Json means = Json::object();
            for (std::size_t i = 0; i < kHardwareQuantities; ++i)
                if (rank.mean[i])
                    means[std::string(hardware_series(static_cast<HardwareQuantity>(i)))] = *rank.mean[i];
            ranks.push_back({{"rank", rank.rank}, {"mean", std::move(means)}});
        }
    return ranks;
}

/// Of kernels' logs, inside the recording.
Json gpu_errors_json(const RunAnalysis& analysis) {
    Json errors = Json::array();
    if (const auto& hardware = hardware_of(analysis))
        for (const GpuErrors& of : hardware->errors) {
            Json error{{"ranks", of.first.ranks}, {"kind", gpu_error_kind_word(of.first.kind)}};
            if (of.first.kind == GpuErrorKind::xid)
                error["xid"] = of.first.xid;
            error["count"] = of.count;
            error["first_us"] = as_us(of.since_start);
            errors.push_back(std::move(error));
        }
    return errors;
}

} // namespace

Json facts_json(const RunAnalysis& analysis) {
    const Facts& facts = analysis.facts();
    Json ranks = Json::array();
    for (const RankFacts& rank : facts.ranks)
        ranks.push_back(rank_json(rank));
    Json steps = Json::array();
    for (const StepFacts& step : facts.by_step)
        steps.push_back({{"number", step.number},
                         {"ranks", step.ranks},
                         {"before_us", rounded_us(step.before_ns)},
                         {"fill", fill_json(step.fill)}});
    Json host = Json::array();
    for (std::size_t i = 0; i < std::min(kHostFactsShown, facts.host.size()); ++i)
        host.push_back(host_json(analysis, facts.host[i]));
    constexpr std::array<const char*, 3> kUnits{"profiler_step", "repetition", "recording"};
    Json json{{"sentences", english(all_fact_sentences(analysis))},
              {"step_is", kUnits[static_cast<std::size_t>(facts.unit)]},
              {"steps", facts.steps},
              {"machines", facts.machines ? Json(*facts.machines) : Json()},
              {"fill", fill_json(facts.fill)},
              {"between_steps_us", rounded_us(facts.between_steps_ns)},
              {"untraced_members", facts.unseen_members != UnseenMembers::none},
              {"by_rank", std::move(ranks)},
              {"by_step", std::move(steps)},
              {"host_while_idle", std::move(host)},
              {"gpu_logs", hardware_json(analysis)}};
    if (Json errors = gpu_errors_json(analysis); !errors.empty())
        json["gpu_errors"] = std::move(errors);
    return json;
}

} // namespace rankscope
