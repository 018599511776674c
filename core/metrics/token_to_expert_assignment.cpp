// SPDX-License-Identifier: GPL-3.0-or-later
// Metric token_to_expert_assignment: how unevenly tokens fall on experts, from gating logs; without, from the split
// sizes of all-to-alls; without these, from how long the experts' kernels of each rank take.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/analysis/selection/kernel_class.h"
#include "core/base/shallow_json.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

/// Evenness of a distribution. Entropy in bits; coefficient of variation with the population's deviation.
Json evenness(const std::vector<double>& loads) {
    const double total = std::accumulate(loads.begin(), loads.end(), 0.0);
    const double mean = total / static_cast<double>(loads.size());
    double entropy = 0;
    double square = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const double load : loads) {
        const double share = load / total;
        entropy -= share > 0 ? share * std::log2(share) : 0;
        square += (load - mean) * (load - mean);
        if (load > 0)
            least = std::min(least, load);
    }
    Json json = Json::object();
    json["entropy_bits"] = rounded(entropy);
    put(json, "normalised_entropy", rounded(entropy / std::log2(static_cast<double>(loads.size()))));
    json["coefficient_of_variation"] = rounded(std::sqrt(square / static_cast<double>(loads.size())) / mean);
    json["max_over_min"] = rounded(*std::ranges::max_element(loads) / least); // over the least that is not zero
    json["max_over_mean"] = rounded(*std::ranges::max_element(loads) / mean);
    json["idle_experts"] = std::ranges::count(loads, 0.0);
    return json;
}

struct Assignment {
    std::vector<double> loads; ///< per expert or per expert-parallel rank
    std::string unit = "tokens";
    std::string counted; ///< what these are
    std::size_t count = 0;
    std::string method;
};

Assignment from_gating_logs(const Run& run) {
    Assignment assignment;
    assignment.method = "gate_logs";
    assignment.counted = "steps";
    for (const ExpertLoads& log : run.expert_loads)
        for (const std::vector<double>& step : log.per_step) {
            assignment.loads.resize(std::max(assignment.loads.size(), step.size()));
            for (std::size_t expert = 0; expert < step.size(); ++expert)
                assignment.loads[expert] += step[expert];
            ++assignment.count;
        }
    return assignment;
}

/// "[1, 2, 3]" -> 1, 2, 3; empty when it is not a list of numbers.
std::vector<double> split_sizes(std::string_view text) {
    const Json list = parse_shallow_json<Json>(text);
    std::vector<double> sizes;
    if (!list.is_array())
        return sizes;
    for (const Json& size : list) {
        if (!size.is_number() || size < 0)
            return {};
        sizes.push_back(size.get<double>());
    }
    return sizes;
}

/// Whether a call sends back what the call before it brought: tokens return from the experts to where they came from.
bool returns(const CollectiveArgs& args, const CollectiveArgs& before) {
    return args.in_split == before.out_split && args.out_split == before.in_split && args.group == before.group;
}

/// What is sent to each member of the group: with experts spread over it, the tokens of each member's experts. What
/// comes back from them counts to nobody. A size is of rows, which are tokens, unless the calls have as many elements:
/// then of elements.
Assignment from_split_sizes(const RunAnalysis& analysis) {
    Assignment assignment;
    assignment.method = "all-to-all split sizes";
    assignment.counted = "calls";
    bool elements = true;
    for (const RankAnalysis& rank : analysis.ranks()) {
        std::map<NameId, const CollectiveArgs*> sent; // by group: what has not come back
        for (const GpuSlice& slice : rank.gpu_work) {
            const CollectiveArgs* args = rank.trace->collective_of(slice.event);
            if (args == nullptr ||
                rank.trace->names->view(args->collective).find("all_to_all") == std::string_view::npos)
                continue;
            const std::vector<double> sizes = split_sizes(rank.trace->names->view(args->in_split));
            if (sizes.empty())
                continue;
            const CollectiveArgs*& before = sent[args->group];
            if (before != nullptr && returns(*args, *before)) {
                before = nullptr;
                continue;
            }
            before = args;
            assignment.loads.resize(std::max(assignment.loads.size(), sizes.size()));
            for (std::size_t peer = 0; peer < sizes.size(); ++peer)
                assignment.loads[peer] += sizes[peer];
            elements =
                elements && std::accumulate(sizes.begin(), sizes.end(), 0.0) == static_cast<double>(args->in_elements);
            ++assignment.count;
        }
    }
    assignment.unit = elements ? "elements" : "tokens";
    return assignment;
}

/// What the experts' kernels of each rank take, us. Less uneven than tokens are where weights, not tokens, take the
/// time. Empty unless all ranks have such kernels and can be judged.
Assignment from_kernel_times(const RunAnalysis& analysis) {
    Assignment assignment;
    assignment.method = "times of the experts' kernels";
    assignment.counted = "kernels";
    assignment.unit = "expert_kernel_us";
    if (!analysis.unjudged_ranks().empty())
        return {};
    for (const RankAnalysis& rank : analysis.ranks()) {
        TimeNs time = 0;
        std::map<NameId, bool> is_of_experts;
        for (const GpuSlice& slice : rank.gpu_work) {
            const auto [known, added] = is_of_experts.try_emplace(rank.trace->events.name[slice.event]);
            if (added)
                known->second = compute_kind(rank.trace->event_name(slice.event)) == ComputeKind::experts;
            if (known->second) {
                time += rank.trace->events.duration[slice.event];
                ++assignment.count;
            }
        }
        if (time == 0)
            return {};
        assignment.loads.push_back(as_us(time));
    }
    return assignment;
}

MetricResult compute_token_to_expert_assignment(const RunAnalysis& analysis) {
    Assignment assignment = from_gating_logs(analysis.run());
    if (assignment.loads.empty())
        assignment = from_split_sizes(analysis);
    if (assignment.loads.empty())
        assignment = from_kernel_times(analysis);
    const double total = std::accumulate(assignment.loads.begin(), assignment.loads.end(), 0.0);
    if (assignment.loads.size() < 2 || !(total > 0))
        return MetricResult::unavailable("needs gate_logs_*.json beside the traces, all-to-all calls with split sizes, "
                                         "or several ranks with kernels of experts, all of which are judged"_text);
    const bool logs = assignment.method == "gate_logs";
    Json details = Json::object();
    details["method"] = assignment.method;
    details[assignment.counted] = assignment.count;
    details[logs ? "experts" : "expert_parallel_ranks"] = assignment.loads.size();
    details["total_" + assignment.unit] = rounded(total);
    details.update(evenness(assignment.loads));
    details[assignment.unit] = assignment.loads;
    const double value = details["max_over_mean"].get<double>();
    return MetricResult::of(value, std::move(details));
}

} // namespace

Metric token_to_expert_assignment_metric() {
    Metric metric{"token_to_expert_assignment",
                  "Expert imbalance",
                  "x",
                  Better::lower,
                  "Workload",
                  "Tokens of the busiest expert over the mean, from gating logs; without them, of the busiest "
                  "expert-parallel rank, from the split sizes of all-to-alls; without these, what the experts' kernels "
                  "of the busiest rank take over the mean of the ranks, which is less uneven than the tokens are.",
                  compute_token_to_expert_assignment};
    metric.moved_by = {SettingKind::experts};
    return metric;
}

} // namespace rankscope
