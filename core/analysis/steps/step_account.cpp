// SPDX-License-Identifier: GPL-3.0-or-later
// Partitions the wall time of iterations.
#include "core/analysis/steps/step_account.h"

#include <algorithm>

#include "core/analysis/basics/per_rank.h"
#include "core/analysis/gpu/launches.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/work_count.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

using Dimensions = std::array<TimeNs, kParallelDimensionCount>;

/// Of the calls of one rank, one after the other.
struct Arrivals {
    std::vector<TimeNs> last;             ///< when the last member came, on the rank's own clock; the call's own start
                                          ///< where its members are not known
    std::vector<std::uint32_t> last_rank; ///< who that was
    std::vector<bool> seen;               ///< all members are recorded
};

/// By rank.
std::vector<Arrivals> last_arrivals(const StepAccountInputs& inputs) {
    const CollectiveMatching& matching = inputs.collectives;
    const ClockAlignment& clock = inputs.clock;
    const std::vector<bool> traced = fully_traced(inputs.run, matching);
    // Of a message whose receiver is not recorded, sender and receiver are not known to be of one call.
    const auto known_peer = [&](const CommCall& call) {
        const CommGroup& group = matching.groups[call.group];
        const bool message = call.kind == CollectiveKind::send || call.kind == CollectiveKind::recv;
        return group.point_to_point || !message || group.ranks.size() <= 2;
    };
    std::vector<Arrivals> arrivals;
    for (std::uint32_t r = 0; r < matching.calls.size(); ++r) {
        Arrivals& own = arrivals.emplace_back();
        for (const CommCall& call : matching.calls[r]) {
            own.last.push_back(call.range.begin);
            const CommGroup& group = matching.groups[call.group];
            own.seen.push_back(traced[call.group] && group.recorded && group.ranks.size() < 2);
        }
        own.last_rank.assign(own.last.size(), r);
    }
    for (const MatchedCall& matched : matching.matched) {
        if (!matched.complete)
            continue;
        const auto aligned = [&](const auto& member) {
            return clock.aligned(member.first, matching.call(member).range.begin);
        };
        const auto last = *std::ranges::max_element(matched.members, std::less<>(), aligned);
        for (const auto& member : matched.members) {
            Arrivals& own = arrivals[member.first];
            own.last[member.second] = clock.recorded(member.first, aligned(last));
            own.last_rank[member.second] = last.first;
            own.seen[member.second] = traced[matched.group] && known_peer(matching.call(member));
        }
    }
    return arrivals;
}

struct Windows {
    StepAccount::Unit unit = StepAccount::Unit::window;
    std::vector<std::vector<TimeRange>> ranks;
    std::vector<std::vector<std::int64_t>> numbers;
};

void number_windows(const StepAccountInputs& inputs, Windows& windows) {
    for (std::size_t r = 0; r < windows.ranks.size(); ++r) {
        std::vector<std::int64_t>& numbers = windows.numbers.emplace_back();
        for (std::size_t i = 0; i < windows.ranks[r].size(); ++i)
            numbers.push_back(windows.unit == StepAccount::Unit::profiler_steps ? inputs.ranks[r].steps[i].number
                                                                                : static_cast<std::int64_t>(i) + 1);
    }
}

/// Keeps the chosen iterations only.
void choose(const std::vector<std::vector<std::size_t>>& chosen, Windows& windows) {
    for (std::size_t r = 0; r < windows.ranks.size(); ++r) {
        std::vector<TimeRange> ranges;
        std::vector<std::int64_t> numbers;
        for (const std::size_t i : chosen[r]) {
            ranges.push_back(windows.ranks[r][i]);
            numbers.push_back(windows.numbers[r][i]);
        }
        windows.ranks[r] = std::move(ranges);
        windows.numbers[r] = std::move(numbers);
    }
}

Windows windows_of(const StepAccountInputs& inputs) {
    const auto& ranks = inputs.ranks;
    Windows result{StepAccount::Unit::profiler_steps, inputs.step_windows, {}};
    const auto any = [&] {
        return std::ranges::any_of(result.ranks, [](const auto& steps) { return !steps.empty(); });
    };
    if (any())
        return result;
    result.unit = StepAccount::Unit::inferred;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        result.ranks[r] = inputs.inferred_steps[r].steps;
    if (any())
        return result;
    result.unit = StepAccount::Unit::window;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        if (!ranks[r].gpu_work.empty()) {
            TimeRange all = ranks[r].gpu_work.front().range;
            all.begin = ranks[r].queued_until.value_or(all.begin);
            for (const GpuSlice& slice : ranks[r].gpu_work)
                all.end = std::max(all.end, slice.range.end);
            result.ranks[r] = {all};
        }
    return result;
}

/// Of one rank, summed over its steps, ns.
struct RankAccount {
    std::int64_t steps = 0;
    TimeNs wall = 0;
    TimeNs compute = 0;
    TimeNs bubble = 0;
    Dimensions transfer{};
    Dimensions wait{};
    TimeNs copies = 0;
    TimeNs launch = 0;
    TimeNs host = 0;
    std::int64_t compute_kernels = 0;
    std::vector<StepParts> parts; ///< by step
    std::vector<TimeNs> wait_for; ///< by the rank that came last, exposed, at collectives
    std::array<std::map<CallKind, CallSum>, kParallelDimensionCount> calls;
    std::array<std::map<std::vector<int>, CallSum>, kParallelDimensionCount> groups;
};

class Accountant {
public:
    Accountant(const StepAccountInputs& inputs, std::size_t rank, const Arrivals& arrivals)
        : inputs_(inputs), work_(inputs.ranks[rank].gpu_work), trace_(*inputs.ranks[rank].trace),
          bubbles_(bubbles_of(inputs.pipeline, static_cast<std::uint32_t>(rank))),
          calls_(inputs.collectives.calls[rank]), arrivals_(arrivals), exposed_of_call_(calls_.size()) {
        const Parallelism parallelism = parallelism_of(inputs.run.config);
        for (const CommCall& call : calls_)
            dimensions_.push_back(
                static_cast<std::size_t>(dimension_of_call(inputs.traffic.groups[call.group], call, parallelism)));
        account_.wait_for.resize(inputs.run.ranks.size());
    }

    RankAccount count(const std::vector<TimeRange>& steps) {
        account_.steps = static_cast<std::int64_t>(steps.size());
        const IntervalSet inside = merge(steps);
        const ClassIntervals classes = class_intervals(work_);
        const IntervalSet compute = intersect(classes.compute, inside);
        const IntervalSet communication = subtract(intersect(classes.communication, inside), compute);
        const IntervalSet copies = subtract(subtract(intersect(classes.memory_copy, inside), compute), communication);
        const IntervalSet idle = subtract(inside, unite(unite(compute, communication), copies));
        const IntervalSet bubbles = intersect(bubbles_, unite(communication, idle));
        const IntervalSet exposed = subtract(communication, bubbles);
        account_.wall = measure(inside);
        account_.compute = measure(compute);
        compute_ = compute;
        account_.bubble = measure(bubbles);
        account_.copies = measure(copies);
        put_down_communication(exposed);
        put_down_idle(subtract(idle, bubbles));
        count_work(inside);
        account_.parts = parts_of(steps, bubbles, exposed, copies);
        return std::move(account_);
    }

private:
    std::vector<StepParts> parts_of(const std::vector<TimeRange>& steps, const IntervalSet& bubbles,
                                    const IntervalSet& exposed, const IntervalSet& copies) const {
        std::vector<StepParts> parts(steps.size());
        const auto share_out = [&](const IntervalSet& times, TimeNs StepParts::*field) {
            for (std::size_t s = 0; s < steps.size(); ++s)
                parts[s].*field += covered(times, steps[s]);
        };
        share_out(compute_, &StepParts::compute);
        share_out(bubbles, &StepParts::bubble);
        share_out(exposed, &StepParts::transfer);
        share_out(copies, &StepParts::copies);
        share_out(merge(waits_), &StepParts::wait);
        share_out(launch_gaps_, &StepParts::launch);
        for (std::size_t s = 0; s < steps.size(); ++s) {
            StepParts& step = parts[s];
            step.wall = steps[s].length();
            step.transfer -= step.wait;
            step.idle = step.wall - step.compute - step.bubble - step.transfer - step.wait - step.copies;
        }
        return parts;
    }

    /// Within a stretch of open communication the call that ended last kept the rank waiting; before that call started,
    /// the one that had ended last by then; and so on. Calls that had not ended only where nothing else ran.
    void put_down_communication(const IntervalSet& exposed) {
        std::vector<std::size_t> active;
        std::size_t next = 0;
        for (const TimeRange& stretch : exposed) {
            for (; next < calls_.size() && calls_[next].range.begin < stretch.end; ++next)
                active.push_back(next);
            std::erase_if(active, [&](std::size_t c) { return calls_[c].range.end <= stretch.begin; });
            for (TimeNs cursor = stretch.end; cursor > stretch.begin;)
                cursor = put_down_last({stretch.begin, cursor}, active);
        }
    }

    /// Puts down the end of the stretch; returns where the rest ends.
    TimeNs put_down_last(TimeRange stretch, const std::vector<std::size_t>& active) {
        std::optional<std::size_t> ended;
        std::optional<std::size_t> pending;
        for (const std::size_t c : active) {
            const TimeRange range = calls_[c].range;
            if (range.begin >= stretch.end || range.end <= stretch.begin)
                continue;
            if (range.end > stretch.end)
                pending = c; // the latest to start: calls are in order of start
            else if (!ended || range.end >= calls_[*ended].range.end)
                ended = c;
        }
        if (ended && (calls_[*ended].range.end == stretch.end || !pending)) {
            const TimeRange piece{std::max(stretch.begin, calls_[*ended].range.begin), stretch.end};
            put_down(*ended, piece);
            return piece.begin;
        }
        if (!pending) { // a communication kernel that is no call: cannot be, and must not be lost
            account_.transfer[static_cast<std::size_t>(ParallelDimension::unknown)] += stretch.length();
            return stretch.begin;
        }
        TimeRange piece{std::max(stretch.begin, calls_[*pending].range.begin), stretch.end};
        if (ended)
            piece.begin = std::max(piece.begin, calls_[*ended].range.end);
        put_down(*pending, piece);
        return piece.begin;
    }

    void put_down(std::size_t call, TimeRange piece) {
        const TimeRange waited = piece.clipped_to({piece.begin, arrivals_.last[call]});
        const TimeNs wait = waited.length();
        if (wait > 0)
            waits_.push_back(waited);
        account_.wait[dimensions_[call]] += wait;
        account_.transfer[dimensions_[call]] += piece.length() - wait;
        exposed_of_call_[call] += piece.length() - wait;
        if (static_cast<ParallelDimension>(dimensions_[call]) != ParallelDimension::pp)
            account_.wait_for[arrivals_.last_rank[call]] += wait;
    }

    void put_down_idle(const IntervalSet& idle) {
        std::size_t next = 0;
        for (const TimeRange& gap : idle) {
            while (next < work_.size() && work_[next].range.begin < gap.end)
                ++next;
            const auto at = next == work_.size() ? std::nullopt : launched_at(trace_, work_[next].event, usual_call_);
            const TimeNs launched = std::clamp(at.value_or(gap.end), gap.begin, gap.end);
            account_.host += launched - gap.begin;
            account_.launch += gap.end - launched;
            if (launched < gap.end)
                launch_gaps_.push_back({launched, gap.end});
        }
    }

    void count_work(const IntervalSet& inside) {
        const auto begins_inside = [&](TimeNs begin) {
            const auto after = std::ranges::upper_bound(inside, begin, std::less<>(), &TimeRange::begin);
            return after != inside.begin() && std::prev(after)->contains(begin);
        };
        for (const GpuSlice& slice : work_)
            account_.compute_kernels +=
                slice.kernel_class == KernelClass::compute && begins_inside(slice.range.begin) ? 1 : 0;
        const Run& run = inputs_.run;
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            const CommCall& call = calls_[c];
            if (!begins_inside(call.range.begin))
                continue;
            const CommGroup& group = inputs_.collectives.groups[call.group];
            const std::int64_t bytes = std::max<std::int64_t>(0, message_bytes(run, call));
            CallSum sum{
                1,
                static_cast<double>(call.range.end - std::clamp(arrivals_.last[c], call.range.begin, call.range.end)),
                static_cast<double>(exposed_of_call_[c]),
                static_cast<double>(hidden_time(c)),
                static_cast<double>(bytes),
                0};
            if (arrivals_.seen[c]) {
                sum.bus_bytes =
                    sum.bytes *
                    (group.point_to_point ? 1 : bus_factor(call.kind, static_cast<std::int64_t>(group.ranks.size())));
            } else {
                sum.unseen_calls = 1;
                sum.unseen_time = sum.time;
                sum.unseen_exposed = sum.exposed;
                sum.unseen_hidden = sum.hidden;
            }
            const CallKind kind{collective_word(run, call),
                                std::string(call.args == nullptr ? "" : run.names->view(call.args->dtype)),
                                call.args == nullptr ? kUnknown : call.args->in_elements};
            account_.calls[dimensions_[c]][kind].add(sum);
            std::vector<int> members = group.ranks;
            std::ranges::sort(members);
            account_.groups[dimensions_[c]][std::move(members)].add(sum);
        }
    }

    /// Of the call since its last member came: how long computation runs beside it.
    TimeNs hidden_time(std::size_t c) const {
        const TimeRange call = calls_[c].range;
        return covered(compute_, {std::clamp(arrivals_.last[c], call.begin, call.end), call.end});
    }

    const StepAccountInputs& inputs_;
    const std::vector<GpuSlice>& work_;
    const RankTrace& trace_;
    const TimeNs usual_call_ = usual_launch_call(trace_);
    const IntervalSet bubbles_;
    const std::vector<CommCall>& calls_;
    const Arrivals& arrivals_;
    std::vector<TimeNs> exposed_of_call_;
    IntervalSet compute_; ///< inside the steps
    IntervalSet launch_gaps_;
    std::vector<TimeRange> waits_;
    std::vector<std::size_t> dimensions_;
    RankAccount account_;
};

StepTimes mean_of(const RankAccount& sum, double steps) {
    StepTimes mean;
    mean.wall = static_cast<double>(sum.wall) / steps;
    mean.compute = static_cast<double>(sum.compute) / steps;
    mean.bubble = static_cast<double>(sum.bubble) / steps;
    for (std::size_t d = 0; d < kParallelDimensionCount; ++d) {
        mean.transfer[d] = static_cast<double>(sum.transfer[d]) / steps;
        mean.wait[d] = static_cast<double>(sum.wait[d]) / steps;
    }
    mean.copies = static_cast<double>(sum.copies) / steps;
    mean.launch = static_cast<double>(sum.launch) / steps;
    mean.host = static_cast<double>(sum.host) / steps;
    return mean;
}

void add(RankAccount& total, const RankAccount& rank) {
    total.steps += rank.steps;
    total.wall += rank.wall;
    total.compute += rank.compute;
    total.bubble += rank.bubble;
    for (std::size_t d = 0; d < kParallelDimensionCount; ++d) {
        total.transfer[d] += rank.transfer[d];
        total.wait[d] += rank.wait[d];
        for (const auto& [kind, sum] : rank.calls[d])
            total.calls[d][kind].add(sum);
        for (const auto& [members, sum] : rank.groups[d])
            total.groups[d][members].add(sum);
    }
    total.copies += rank.copies;
    total.launch += rank.launch;
    total.host += rank.host;
    total.compute_kernels += rank.compute_kernels;
    total.wait_for.resize(rank.wait_for.size());
    for (std::size_t r = 0; r < rank.wait_for.size(); ++r)
        total.wait_for[r] += rank.wait_for[r];
}

void note_groups(const StepAccountInputs& inputs, const std::vector<bool>& traced, StepAccount& account) {
    const auto& groups = inputs.collectives.groups;
    for (std::size_t g = 0; g < groups.size(); ++g)
        account.untraced[static_cast<std::size_t>(inputs.traffic.groups[g].dimension)] |= !traced[g];
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (!groups[g].point_to_point) {
            int& size = account.group_size[static_cast<std::size_t>(inputs.traffic.groups[g].dimension)];
            size = std::max(size, static_cast<int>(groups[g].ranks.size()));
        }
    if (inputs.pipeline.stage_count)
        account.group_size[static_cast<std::size_t>(ParallelDimension::pp)] =
            static_cast<int>(*inputs.pipeline.stage_count);
}

} // namespace

void CallSum::add(const CallSum& other) {
    calls += other.calls;
    time += other.time;
    exposed += other.exposed;
    hidden += other.hidden;
    bytes += other.bytes;
    bus_bytes += other.bus_bytes;
    unseen_calls += other.unseen_calls;
    unseen_time += other.unseen_time;
    unseen_exposed += other.unseen_exposed;
    unseen_hidden += other.unseen_hidden;
}

CallSum CallSum::times(double factor) const {
    CallSum result = *this;
    for (double CallSum::*field :
         {&CallSum::calls, &CallSum::time, &CallSum::exposed, &CallSum::hidden, &CallSum::bytes, &CallSum::bus_bytes,
          &CallSum::unseen_calls, &CallSum::unseen_time, &CallSum::unseen_exposed, &CallSum::unseen_hidden})
        result.*field *= factor;
    return result;
}

StepAccount account_steps(const StepAccountInputs& inputs) {
    count_work("account_steps");
    Windows windows = windows_of(inputs);
    number_windows(inputs, windows);
    if (inputs.chosen != nullptr)
        choose(*inputs.chosen, windows);
    const std::vector<Arrivals> arrivals = last_arrivals(inputs);
    const std::vector<bool> traced = fully_traced(inputs.run, inputs.collectives);
    auto ranks = per_rank<RankAccount>(inputs.run, [&](const RankTrace&, std::size_t r) {
        return Accountant(inputs, r, arrivals[r]).count(windows.ranks[r]);
    });
    StepAccount result;
    result.unit = windows.unit;
    result.windows = std::move(windows.ranks);
    result.numbers = std::move(windows.numbers);
    RankAccount total;
    for (const RankAccount& rank : ranks)
        add(total, rank);
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, total.steps));
    for (std::size_t r = 0; r < ranks.size(); ++r)
        if (ranks[r].steps > 0)
            result.ranks.push_back({inputs.run.ranks[r]->rank, ranks[r].steps,
                                    mean_of(ranks[r], static_cast<double>(ranks[r].steps)),
                                    r < inputs.pipeline.stages.size() ? inputs.pipeline.stages[r] : -1,
                                    static_cast<double>(total.wait_for[r]) / steps});
    for (RankAccount& rank : ranks)
        result.parts.push_back(std::move(rank.parts));
    result.mean = mean_of(total, steps);
    result.compute_kernels = static_cast<double>(total.compute_kernels) / steps;
    for (std::size_t d = 0; d < kParallelDimensionCount; ++d) {
        for (const auto& [kind, sum] : total.calls[d])
            result.calls[d][kind] = sum.times(1 / steps);
        for (const auto& [members, sum] : total.groups[d])
            result.groups[d][members] = sum.times(1 / steps);
    }
    note_groups(inputs, traced, result);
    result.gpu = find_text(inputs.run.config, {"trace.device.name", "trace.device"});
    const Parallelism parallelism = parallelism_of(inputs.run.config);
    if (parallelism.microbatches)
        result.microbatches = parallelism.microbatches->value;
    result.world_size = inputs.run.world_size;
    return result;
}

} // namespace rankscope
