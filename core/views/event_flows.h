// SPDX-License-Identifier: GPL-3.0-or-later
// What an event is connected with: its operator, launch and kernel, its backward or forward, its partners on other
// ranks.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/search/range_statistics.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// op: operator to the call in it that launches. launch: call to GPU event. backward: forward operator to its backward
/// one, as recorded. message: sender to receiver. collective: members of one matched call, each to the next higher
/// rank.
enum class FlowKind : std::uint8_t { op, launch, backward, message, collective };
inline constexpr std::size_t kFlowKindCount = static_cast<std::size_t>(FlowKind::collective) + 1;

struct FlowLink {
    FlowKind kind = FlowKind::launch;
    EventPlace from;
    EventPlace to;
    friend bool operator==(const FlowLink&, const FlowLink&) = default;
};

struct EventFlows {
    std::vector<FlowLink> links;
    std::size_t left_out = 0; ///< launches of an operator beyond kMostLaunches
};

class FlowIndex {
public:
    static constexpr std::size_t kMostLaunches = 100;

    /// Looks at each GPU event once. Members of collectives are those matched by the analysis.
    explicit FlowIndex(std::shared_ptr<const RunAnalysis> analysis);

    [[nodiscard]] EventFlows of(EventPlace place) const;
    /// Along operator -> launch -> GPU event (and on to the other events of the same launch), or back; nullopt at the
    /// ends.
    [[nodiscard]] std::optional<EventPlace> next(EventPlace place) const;
    [[nodiscard]] std::optional<EventPlace> previous(EventPlace place) const;
    [[nodiscard]] const Run& run() const { return analysis_->run(); }

private:
    using Pair = std::pair<EventIndex, EventIndex>;
    struct RankIndex {
        std::vector<Pair> further;    ///< (launch, GPU event) where a launch has more than its first
        std::vector<Pair> unlaunched; ///< (operator, GPU event) where the call is not in the trace
        std::vector<Flow> by_source;  ///< RankTrace::flows in order of from
        std::vector<Flow> by_target;  ///< in order of to
        std::vector<std::pair<EventIndex, std::uint32_t>> matched; ///< (event, index in CollectiveMatching::matched)
    };
    [[nodiscard]] const RankTrace& trace(std::uint32_t rank) const { return *run().ranks[rank]; }
    void add_operator(EventPlace op, EventFlows& flows) const;
    void add_launch(EventPlace launch, EventFlows& flows) const;
    void add_gpu_event(EventPlace event, EventFlows& flows) const;
    void add_passes(EventPlace op, EventFlows& flows) const;
    void add_partners(EventPlace event, EventFlows& flows) const;
    [[nodiscard]] EventIndex operator_of(EventPlace event) const; ///< of a GPU event or call
    [[nodiscard]] std::vector<EventIndex> launched_by(EventPlace launch) const;

    std::shared_ptr<const RunAnalysis> analysis_;
    std::vector<RankIndex> ranks_;
};

} // namespace rankscope
