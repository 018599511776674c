// SPDX-License-Identifier: GPL-3.0-or-later
// Applies changes to the step graph's times and replays it.
#include "core/analysis/findings/what_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/replay/graph_changes.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

tl::unexpected<Error> refused(std::string_view text, std::string_view why) {
    return tl::unexpected<Error>(Error{Error::Code::usage, fmt::format("what-if {}: {}", text, why)});
}

/// "0" -> 0, "2x" -> 0.5.
std::optional<double> parse_factor(std::string_view text) {
    if (text == "0")
        return 0;
    double speed = 0;
    if (!text.ends_with('x'))
        return {};
    text.remove_suffix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
    const bool fits = error == std::errc() && end == text.data() + text.size() && speed >= 1e-3 && speed <= 1e6;
    return fits ? std::optional(1 / speed) : std::nullopt;
}

/// Passes of microbatches on one rank by their annotations: aligned begin -> end, microbatch, direction.
struct Pass {
    TimeNs end = 0;
    std::int64_t microbatch = 0;
    bool backward = false;
};

std::map<TimeNs, Pass> passes_of(const FindingInputs& inputs, std::uint32_t rank) {
    const RankTrace& trace = *inputs.run.ranks[rank];
    const TimeNs offset = inputs.step_graph.clock_offset[rank];
    std::map<TimeNs, Pass> passes;
    for (EventIndex e = trace.events.gpu_count; e < trace.events.size(); ++e) {
        if (trace.events.kind[e] == EventKind::annotation) {
            if (const auto pass = parse_pass(trace.event_name(e))) {
                passes[trace.events.start[e] - offset] = {trace.events.end(e) - offset, pass->microbatch,
                                                          pass->backward};
            }
        }
    }
    return passes;
}

/// What one more microbatch takes: the time from one backward pass to the next of the rank that takes longest, ns. A
/// pipeline that is short of microbatches never gets into its rhythm: then at least what the slowest rank computes, and
/// waits for inside its stage, for one microbatch. 0 when annotations do not tell.
double microbatch_period(const FindingInputs& inputs, std::span<const TimeNs> start, const GraphTimes& times) {
    const StepGraph& graph = inputs.step_graph;
    std::vector<bool> inside_stage(graph.size());
    for (const CommunicationNode& node : inputs.communication) {
        inside_stage[node.node] = node.dimension == ParallelDimension::tp || node.dimension == ParallelDimension::cp ||
                                  node.dimension == ParallelDimension::ep;
    }
    double longest = 0;
    for (std::uint32_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        const std::map<TimeNs, Pass> passes = passes_of(inputs, r);
        std::map<TimeNs, TimeNs> first_work; // of each backward pass
        std::int64_t backward = 0;
        TimeNs work = 0;
        for (const auto& [begin, pass] : passes)
            backward += pass.backward ? 1 : 0;
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            for (const GraphEdge& edge : graph.edges_of(n)) {
                const auto after =
                    edge.kind == EdgeKind::launch ? passes.upper_bound(graph.start[edge.from]) : passes.begin();
                if (after == passes.begin() || std::prev(after)->second.end <= graph.start[edge.from])
                    continue;
                const auto& [begin, pass] = *std::prev(after);
                const std::uint32_t transfer = graph.transfer_of[n];
                work +=
                    transfer != kNoNode ? (inside_stage[transfer] ? times.duration[transfer] : 0) : times.duration[n];
                if (pass.backward && graph.kind[n] == NodeKind::compute) {
                    const auto [at, added] = first_work.try_emplace(begin, start[n]);
                    at->second = std::min(at->second, start[n]);
                }
            }
        }
        std::vector<double> periods;
        for (auto at = first_work.begin(); at != first_work.end() && std::next(at) != first_work.end(); ++at)
            if (passes.at(std::next(at)->first).microbatch == passes.at(at->first).microbatch + 1)
                periods.push_back(static_cast<double>(std::next(at)->second - at->second));
        if (!periods.empty()) {
            longest =
                std::max({longest, upper_median(periods), static_cast<double>(work) / static_cast<double>(backward)});
        }
    }
    return longest;
}

class Predictor {
public:
    Predictor(const FindingInputs& inputs, const Findings& findings)
        : inputs_(inputs), findings_(findings), graph_(inputs.step_graph) {}

    Prediction predict(std::span<const Change> changes) {
        Prediction result;
        for (const Change& change : changes)
            result.changes.push_back(change.text);
        if (graph_.size() == 0) {
            result.unavailable = "there is no GPU work in the selection";
            return result;
        }
        result.measured = mean_step_time(graph_, graph_.start, graph_.times);
        GraphTimes times = graph_.times;
        const Change* microbatches = nullptr;
        for (const Change& change : changes)
            if (change.kind == ChangeKind::microbatches)
                microbatches = &change;
            else
                apply(change, times, result);
        const std::vector<TimeNs> start = replay(graph_, times);
        result.predicted = mean_step_time(graph_, start, times);
        if (microbatches != nullptr)
            add_microbatches(*microbatches, start, times, result);
        return result;
    }

private:
    void apply(const Change& change, GraphTimes& times, Prediction& result) {
        switch (change.kind) {
        case ChangeKind::straggler: return repair_stragglers(times, result);
        case ChangeKind::communication: return scale_communication(change, times, result);
        case ChangeKind::overlap:
            return unchain_compute(
                graph_, [](std::uint32_t) { return true; }, times);
        case ChangeKind::host: return scale_host(graph_, change.factor, true, times);
        case ChangeKind::kernel: return scale_kernels(change, times, result);
        case ChangeKind::microbatches: break;
        }
    }

    void repair_stragglers(GraphTimes& times, Prediction& result) {
        const PeerTimes& peers = inputs_.peers;
        bool any = false;
        for (const Finding& finding : findings_.list) {
            if (finding.code != "straggler")
                continue;
            std::vector<bool> ranks(inputs_.run.ranks.size());
            for (std::size_t r = 0; r < ranks.size(); ++r)
                ranks[r] = std::ranges::find(finding.ranks, inputs_.run.ranks[r]->rank) != finding.ranks.end();
            for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause) {
                if (own_cause_word(static_cast<OwnCause>(cause)) == finding.cause) {
                    remove_excess(graph_, peers, static_cast<OwnCause>(cause), ranks, times);
                    any = true;
                }
            }
        }
        if (!any)
            result.notes.push_back("no rank is a straggler: nothing changes");
    }

    void scale_communication(const Change& change, GraphTimes& times, Prediction& result) {
        std::vector<bool> chosen(graph_.size());
        std::size_t lone = 0;
        std::size_t count = 0;
        for (const CommunicationNode& node : inputs_.communication) {
            const CommGroup& group = inputs_.collectives.groups[node.group];
            if (change.target.empty() || parallel_dimension_word(node.dimension) == change.target ||
                group.description == change.target || group.name == change.target ||
                (change.target == "dp" && parallel_dimension_word(node.dimension).starts_with("dp_"))) {
                chosen[node.node] = true;
                ++count;
                lone += node.lone ? 1 : 0;
            }
        }
        if (count == 0) {
            result.notes.push_back(change.target.empty()
                                       ? "there is no communication: nothing changes"
                                       : fmt::format("no communication of {}: nothing changes", change.target));
        }
        if (lone > 0) {
            result.notes.push_back(
                fmt::format("{} calls have members that are not traced: their waits are changed as well", lone));
        }
        scale_durations(
            graph_, [&](std::uint32_t n) { return chosen[n]; }, change.factor, times);
    }

    void scale_kernels(const Change& change, GraphTimes& times, Prediction& result) {
        std::map<NameId, bool> matches;
        bool any = false;
        const auto is_chosen = [&](std::uint32_t n) {
            const NodeKind kind = graph_.kind[n];
            if (kind != NodeKind::compute && kind != NodeKind::memory_copy && kind != NodeKind::memory_set)
                return false;
            const RankTrace& trace = *inputs_.run.ranks[graph_.rank[n]];
            const auto [at, added] = matches.try_emplace(trace.events.name[graph_.event[n]]);
            if (added)
                at->second = re2::RE2::PartialMatch(trace.event_name(graph_.event[n]), *change.pattern);
            any = any || at->second;
            return at->second;
        };
        scale_durations(graph_, is_chosen, change.factor, times);
        if (!any) {
            result.notes.push_back(fmt::format(
                "no GPU work but communication has a name that matches {}: nothing changes", change.target));
        }
    }

    void add_microbatches(const Change& change, std::span<const TimeNs> start, const GraphTimes& times,
                          Prediction& result) {
        const auto now = inputs_.pipeline.microbatches ? inputs_.pipeline.microbatches : annotated_microbatches();
        const double period = now ? microbatch_period(inputs_, start, times) : 0;
        if (period <= 0) {
            result = {result.changes,
                      0,
                      0,
                      {},
                      "needs annotations of two microbatches at least (\"Forward 0\", \"Backward 0\", ...)"};
            return;
        }
        result.predicted += (change.microbatches - *now) * period;
        result.notes.push_back(fmt::format("{:.0f} microbatches now, one more takes {:.3f} ms", *now, period / 1e6));
        if (inputs_.pipeline.stage_count && *now < 2 * *inputs_.pipeline.stage_count) {
            result.notes.push_back("fewer than two microbatches a stage do not show the pipeline's rhythm: one may "
                                   "take some per cent more");
        }
    }

    [[nodiscard]] std::optional<double> annotated_microbatches() const {
        std::optional<double> most;
        const RankTrace& trace = *inputs_.run.ranks.front();
        for (EventIndex e = trace.events.gpu_count; e < trace.events.size(); ++e) {
            if (trace.events.kind[e] == EventKind::annotation) {
                if (const auto pass = parse_pass(trace.event_name(e)))
                    most = std::max(most.value_or(0), static_cast<double>(pass->microbatch + 1));
            }
        }
        return most;
    }

    const FindingInputs& inputs_;
    const Findings& findings_;
    const StepGraph& graph_;
};

} // namespace

Result<Change> parse_change(std::string_view text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
        return refused(text, "expected CHANGE=VALUE: straggler=median, comm=0, comm.tp=2x, overlap=perfect, host=0, "
                             "kernel:REGEX=1.5x, microbatches=16");
    }
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(equals + 1);
    Change change;
    change.text = text;
    if (name == "straggler")
        return value == "median" ? Result<Change>(change) : refused(text, "expected straggler=median");
    if (name == "overlap") {
        change.kind = ChangeKind::overlap;
        return value == "perfect" ? Result<Change>(change) : refused(text, "expected overlap=perfect");
    }
    if (name == "microbatches") {
        change.kind = ChangeKind::microbatches;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), change.microbatches);
        const bool fits = error == std::errc() && end == value.data() + value.size() && change.microbatches >= 1 &&
                          change.microbatches <= 100'000;
        return fits ? Result<Change>(change) : refused(text, "expected a number of microbatches");
    }
    const auto factor = parse_factor(value);
    if (name == "comm" || (name.starts_with("comm.") && name.size() > 5)) {
        change.kind = ChangeKind::communication;
        change.target = name.size() > 5 ? name.substr(5) : std::string_view{};
    } else if (name == "host") {
        change.kind = ChangeKind::host;
    } else if (name.starts_with("kernel:") && name.size() > 7) {
        change.kind = ChangeKind::kernel;
        change.target = name.substr(7);
        change.pattern = std::make_shared<const re2::RE2>(change.target, re2::RE2::Quiet);
        if (!change.pattern->ok())
            return refused(text, fmt::format("not a regular expression: {}", change.pattern->error()));
    } else {
        return refused(text,
                       "unknown; expected straggler, comm, comm.GROUP, overlap, host, kernel:REGEX or microbatches");
    }
    if (!factor)
        return refused(text, "expected 0 (takes no time) or a speed like 2x");
    change.factor = *factor;
    return change;
}

std::vector<Prediction> predict(const FindingInputs& inputs, const Findings& findings,
                                std::span<const Change> changes) {
    std::vector<Prediction> predictions;
    Predictor predictor(inputs, findings);
    for (std::size_t i = 0; i < changes.size(); ++i)
        predictions.push_back(predictor.predict(changes.subspan(i, 1)));
    if (changes.size() > 1)
        predictions.push_back(predictor.predict(changes));
    return predictions;
}

} // namespace rankscope
