// SPDX-License-Identifier: GPL-3.0-or-later
// Factors of parallel efficiency with advice.
#include "core/views/efficiency_tree.h"

#include "core/analysis/facts/fact_words.h"

namespace rankscope {
namespace {

struct PlaceTexts {
    Text<1> all;
    Text<1> busiest;
};

PlaceTexts place_texts(ParallelDimension dimension) {
    switch (dimension) {
    case ParallelDimension::pp: return {"over %1 stages"_text, "stage %1, which computes most"_text};
    case ParallelDimension::dp:
    case ParallelDimension::dp_replicate:
        return {"over %1 data-parallel ranks"_text, "data-parallel rank %1, which computes most"_text};
    case ParallelDimension::dp_shard: return {"over %1 shards"_text, "shard %1, which computes most"_text};
    case ParallelDimension::cp:
        return {"over %1 context-parallel ranks"_text, "context-parallel rank %1, which computes most"_text};
    case ParallelDimension::tp:
        return {"over %1 tensor-parallel ranks"_text, "tensor-parallel rank %1, which computes most"_text};
    case ParallelDimension::ep:
        return {"over %1 expert-parallel ranks"_text, "expert-parallel rank %1, which computes most"_text};
    case ParallelDimension::unknown: break;
    }
    return {"over %1 ranks"_text, "rank %1, which computes most"_text};
}

} // namespace

std::vector<EfficiencyRow> efficiency_tree(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const ParallelEfficiency& efficiency = analysis.parallel_efficiency();
    std::vector<EfficiencyRow> rows;
    if (!efficiency.unavailable.empty())
        return rows;
    const EfficiencyTimes& times = efficiency.mean;
    const auto add = [&](int depth, Message name, double value, Message look_at) {
        rows.push_back({depth, std::move(name), value, value < kLowEfficiency ? std::move(look_at) : Message()});
    };
    add(0, "Parallel efficiency"_text, times.parallel(), "the lowest factor below"_text);
    add(1, "Load balance"_text, times.load_balance(),
        "rank %1, which computes most"_text(run.ranks[efficiency.busiest]->rank));
    for (const DimensionBalance& dimension : efficiency.dimensions) {
        const PlaceTexts texts = place_texts(dimension.dimension);
        add(2, texts.all(dimension.size), dimension.load_balance, texts.busiest(dimension.busiest));
    }
    add(1, "Communication efficiency"_text, times.communication(), "its two factors"_text);
    add(2, "Serialisation efficiency"_text, times.serialisation(),
        "waits that a faster network does not shorten: the order of work, pipeline bubbles, the host"_text);
    const UnseenMembers unseen = analysis.facts().unseen_members;
    add(2, "Transfer efficiency"_text, times.transfer(),
        unseen == UnseenMembers::none
            ? "the network: sizes of messages, and what could hide them"_text()
            : "the network, or waits that are not seen: %1"_text(unseen_members_words(unseen)));
    return rows;
}

ScalingEfficiency scaling_efficiency(const ParallelEfficiency& baseline, const ParallelEfficiency& test) {
    const double scaling = baseline.useful / test.useful;
    return {scaling, scaling * test.mean.parallel()};
}

} // namespace rankscope
