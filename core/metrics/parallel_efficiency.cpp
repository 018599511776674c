// SPDX-License-Identifier: GPL-3.0-or-later
// Metric parallel_efficiency: the share of the ranks' time that is computation, and what takes the rest.
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

/// Not rounded: the factors multiply up to their products.
Json factors_json(const EfficiencyTimes& times) {
    return {{"parallel_efficiency", times.parallel()},
            {"load_balance", times.load_balance()},
            {"communication_efficiency", times.communication()},
            {"serialisation_efficiency", times.serialisation()},
            {"transfer_efficiency", times.transfer()}};
}

MetricResult compute_parallel_efficiency(const RunAnalysis& analysis) {
    const ParallelEfficiency& efficiency = analysis.parallel_efficiency();
    if (!efficiency.unavailable.empty())
        return MetricResult::unavailable(efficiency.unavailable);
    Json details = factors_json(efficiency.mean);
    details.erase("parallel_efficiency");
    details["busiest_rank"] = analysis.run().ranks[efficiency.busiest]->rank;
    details["useful_us"] = rounded_us(efficiency.useful);
    details["mean_useful_us"] = rounded_us(efficiency.mean.mean_useful);
    details["max_useful_us"] = rounded_us(efficiency.mean.max_useful);
    details["ideal_network_step_us"] = rounded_us(efficiency.mean.ideal);
    details["step_us"] = rounded_us(efficiency.mean.length);
    details["load_balance_by_dimension"] = Json::array();
    for (const DimensionBalance& dimension : efficiency.dimensions)
        details["load_balance_by_dimension"].push_back({{"dimension", parallel_dimension_word(dimension.dimension)},
                                                        {"size", dimension.size},
                                                        {"load_balance", dimension.load_balance},
                                                        {"busiest", dimension.busiest}});
    details["per_step"] = Json::array();
    for (const StepEfficiency& step : efficiency.steps) {
        Json json{{"step", step.step}};
        json.update(factors_json(step.times));
        json["busiest_rank"] = analysis.run().ranks[step.busiest]->rank;
        json["step_us"] = rounded_us(step.times.length);
        details["per_step"].push_back(std::move(json));
    }
    return MetricResult::of(efficiency.mean.parallel(), std::move(details));
}

} // namespace

Metric parallel_efficiency_metric() {
    Metric metric{
        "parallel_efficiency",
        "Parallel efficiency",
        "ratio",
        Better::higher,
        "Iterations",
        "Mean computation of a rank in a step over the length of the step: load balance x serialisation x transfer "
        "efficiency (POP), 0 to 1. Transfer efficiency is the share of the step that --what-if comm=0 leaves.",
        compute_parallel_efficiency,
        Needs::gpu_work};
    metric.of_judged = true;
    return metric;
}

} // namespace rankscope
