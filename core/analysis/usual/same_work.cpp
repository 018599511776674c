// SPDX-License-Identifier: GPL-3.0-or-later
// Places of a program and which of them are alike.
#include "core/analysis/usual/same_work.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include <tbb/parallel_for.h>

#include "core/analysis/collectives/machines.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kBeyondChance = 4;       ///< F: the places are two standard errors apart
constexpr std::size_t kMostPlaces = 4096; ///< of one name in a step: more are not compared with each other
constexpr double kOnlyRounded = 1e-6;     ///< of the mean: the recording's last digit

/// Rows of a step as their mean, each row brought to the sum of all; rows as they are where there is one step.
std::vector<std::vector<double>> repetitions(const PlaceTimes& times) {
    const std::size_t places = times.rows.front().size();
    std::vector<double> sums;
    for (const std::vector<double>& row : times.rows)
        sums.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    const double all = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size());
    const bool one_step = std::ranges::adjacent_find(times.step, std::not_equal_to<>()) == times.step.end();
    std::map<std::int64_t, std::pair<std::vector<double>, double>> of_step; // sums by place, rows
    for (std::size_t r = 0; r < times.rows.size(); ++r) {
        auto& [sum, count] = of_step[one_step ? static_cast<std::int64_t>(r) : times.step[r]];
        sum.resize(places);
        ++count;
        for (std::size_t p = 0; p < places; ++p)
            sum[p] += sums[r] > 0 ? times.rows[r][p] * all / sums[r] : 0;
    }
    std::vector<std::vector<double>> result;
    for (auto& [step, known] : of_step) {
        for (double& value : known.first)
            value /= known.second;
        result.push_back(std::move(known.first));
    }
    return result;
}

/// Divides places, by their mean, where they differ by more than chance.
class Division {
public:
    explicit Division(const std::vector<std::vector<double>>& rows)
        : rows_(static_cast<double>(rows.size())), order_(rows.front().size()), mean_(order_.size()),
          within_(order_.size()), number_(order_.size()) {
        for (std::size_t p = 0; p < mean_.size(); ++p) {
            for (const std::vector<double>& row : rows)
                mean_[p] += row[p] / rows_;
            for (const std::vector<double>& row : rows)
                within_[p] += (row[p] - mean_[p]) * (row[p] - mean_[p]);
        }
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
        std::ranges::sort(order_, {}, [&](std::uint32_t p) { return std::pair(mean_[p], p); });
    }

    std::vector<std::uint32_t> numbers() {
        std::vector<std::pair<std::size_t, std::size_t>> open{{0, order_.size()}}; // of order_
        while (!open.empty()) {
            const auto [from, to] = open.back();
            open.pop_back();
            if (!differ(from, to)) {
                for (std::size_t i = from; i < to; ++i)
                    number_[order_[i]] = next_;
                ++next_;
                continue;
            }
            std::size_t gap = from + 1;
            for (std::size_t i = from + 1; i < to; ++i)
                if (width(i) > width(gap))
                    gap = i;
            open.emplace_back(from, gap);
            open.emplace_back(gap, to);
        }
        return std::move(number_);
    }

private:
    [[nodiscard]] double width(std::size_t i) const { return mean_[order_[i]] - mean_[order_[i - 1]]; }

    [[nodiscard]] bool differ(std::size_t from, std::size_t to) const {
        const auto count = static_cast<double>(to - from);
        if (to - from < 2)
            return false;
        double mean = 0;
        for (std::size_t i = from; i < to; ++i)
            mean += mean_[order_[i]] / count;
        double between = 0;
        double within = 0;
        for (std::size_t i = from; i < to; ++i) {
            between += rows_ * (mean_[order_[i]] - mean) * (mean_[order_[i]] - mean) / (count - 1);
            within += within_[order_[i]] / (count * (rows_ - 1));
        }
        return between > kBeyondChance * within && between > kOnlyRounded * mean * kOnlyRounded * mean;
    }

    double rows_;
    std::vector<std::uint32_t> order_; ///< places by mean
    std::vector<double> mean_;
    std::vector<double> within_; ///< squares
    std::vector<std::uint32_t> number_;
    std::uint32_t next_ = 0;
};

/// What one program does of a name, in as many places: one row for each time.
struct SameProgram {
    std::vector<std::vector<std::uint32_t>> rows;
    std::vector<std::int64_t> step;

    /// duration: of what is in the rows, ns.
    template <typename Duration>
    [[nodiscard]] PlaceTimes times(const Duration& duration) const {
        PlaceTimes times{{}, step};
        for (const std::vector<std::uint32_t>& row : rows) {
            times.rows.emplace_back();
            for (const std::uint32_t one : row)
                times.rows.back().push_back(static_cast<double>(duration(one)));
        }
        return times;
    }
};

/// Collects rows, in the order of add().
template <typename Name>
class ProgramsByName {
public:
    void add(const Name& name, std::int64_t step, std::vector<std::uint32_t> row) {
        const auto key = std::pair(name, row.size());
        const auto [at, added] = index_.try_emplace(key, programs_.size());
        if (added)
            programs_.emplace_back();
        programs_[at->second].rows.push_back(std::move(row));
        programs_[at->second].step.push_back(step);
    }
    [[nodiscard]] const std::vector<SameProgram>& programs() const { return programs_; }

private:
    std::map<std::pair<Name, std::size_t>, std::size_t> index_;
    std::vector<SameProgram> programs_;
};

} // namespace

std::vector<std::uint32_t> alike_places(const PlaceTimes& times) {
    std::vector<std::uint32_t> own(times.rows.empty() ? 0 : times.rows.front().size());
    std::iota(own.begin(), own.end(), std::uint32_t{0});
    if (own.size() < 2 || own.size() > kMostPlaces || times.rows.size() < 2)
        return own;
    return Division(repetitions(times)).numbers();
}

std::vector<double> even_times(const Run& run, const StepGraph& graph, std::span<const TimeNs> duration,
                               std::span<const int> program) {
    count_work("even_times");
    std::vector<double> even(graph.size(), -1);
    // Names are numbered as they come in, so they make keys here and no order.
    using Name = std::tuple<int, NodeKind, NameId>; // program
    ProgramsByName<Name> named;
    for (std::uint32_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        NumberMap<std::uint64_t, std::size_t> index;                            // by step, kind and name
        std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> rows; // step, nodes
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            const NodeKind kind = graph.kind[n];
            const std::uint32_t step = graph.profiler_steps ? graph.step[n] : 0;
            if (!is_local_gpu_work(kind) || step == kNoNode)
                continue;
            const NameId name = run.ranks[r]->events.name[graph.event[n]];
            const std::uint64_t key =
                (std::uint64_t{step} << 36) ^ (std::uint64_t{name} << 4) ^ static_cast<std::uint64_t>(kind);
            const auto [at, added] = index.try_emplace(key, rows.size());
            if (added)
                rows.emplace_back(step, std::vector<std::uint32_t>());
            rows[at->second].second.push_back(n);
        }
        for (auto& [step, nodes] : rows) {
            const std::uint32_t first = nodes.front();
            const GraphStep* const of = graph.step_of(first);
            if (graph.profiler_steps && of == nullptr)
                continue;
            const Name name{r < program.size() ? program[r] : 0, graph.kind[first],
                            run.ranks[r]->events.name[graph.event[first]]};
            named.add(name, of == nullptr ? 0 : of->number, std::move(nodes));
        }
    }
    tbb::parallel_for(std::size_t{0}, named.programs().size(), [&](std::size_t i) {
        const SameProgram& same = named.programs()[i];
        const std::vector<std::uint32_t> number =
            alike_places(same.times([&](std::uint32_t n) { return duration[n]; }));
        std::vector<std::pair<double, double>> sums(number.size()); // ns, count
        for (const std::vector<std::uint32_t>& row : same.rows)
            for (std::size_t p = 0; p < row.size(); ++p) {
                sums[number[p]].first += static_cast<double>(duration[row[p]]);
                ++sums[number[p]].second;
            }
        for (const std::vector<std::uint32_t>& row : same.rows)
            for (std::size_t p = 0; p < row.size(); ++p)
                even[row[p]] = sums[number[p]].first / sums[number[p]].second;
    });
    return even;
}

std::vector<std::uint32_t> alike_transfers(const Run& run, const StepGraph& graph,
                                           std::span<const CommunicationNode> communication) {
    std::vector<std::uint32_t> alike(communication.size(), kNoNode);
    std::uint32_t next = 0;
    std::map<SameCalls, std::uint32_t> sized;
    using Unsized = std::tuple<CollectiveKind, ParallelDimension, std::string_view>;
    using OfGroup = std::tuple<Unsized, std::uint32_t, std::int64_t>; // group, step
    std::map<OfGroup, std::vector<std::uint32_t>> rows;               // index in communication
    for (std::uint32_t i = 0; i < communication.size(); ++i) {
        const CommunicationNode& node = communication[i];
        if (node.lone)
            continue;
        if (node.bytes >= 0) {
            const auto [at, added] = sized.try_emplace(node.same(), next);
            next += added ? 1 : 0;
            alike[i] = at->second;
            continue;
        }
        const auto first =
            node.node < graph.first_node.back() ? std::span<const GraphEdge>() : graph.edges_of(node.node);
        const std::uint32_t member = first.empty() ? node.node : first.front().from;
        const GraphStep* const step = graph.step_of(member);
        const std::string_view name = run.ranks[graph.rank[member]]->event_name(graph.event[member]);
        rows[{Unsized{node.kind, node.dimension, name}, node.group, step == nullptr ? -1 : step->number}].push_back(i);
    }
    ProgramsByName<Unsized> named;
    for (auto& [key, row] : rows) {
        std::ranges::sort(row, {}, [&](std::uint32_t i) { return std::pair(graph.start[communication[i].node], i); });
        named.add(std::get<Unsized>(key), std::get<std::int64_t>(key), std::move(row));
    }
    for (const SameProgram& same : named.programs()) {
        const std::vector<std::uint32_t> number =
            alike_places(same.times([&](std::uint32_t i) { return graph.times.duration[communication[i].node]; }));
        for (const std::vector<std::uint32_t>& row : same.rows)
            for (std::size_t p = 0; p < row.size(); ++p)
                alike[row[p]] = next + number[p];
        next += static_cast<std::uint32_t>(number.size());
    }
    return alike;
}

std::vector<TimeNs> usual_transfers(const Run& run, const StepGraph& graph,
                                    std::span<const CommunicationNode> communication) {
    const std::vector<std::uint32_t> alike = alike_transfers(run, graph, communication);
    std::map<std::uint32_t, std::vector<TimeNs>> times;
    for (std::size_t i = 0; i < communication.size(); ++i)
        if (alike[i] != kNoNode)
            times[alike[i]].push_back(graph.times.duration[communication[i].node]);
    std::map<std::uint32_t, TimeNs> medians;
    for (const auto& [number, list] : times)
        medians[number] = middle_median(list);
    std::vector<TimeNs> usual(communication.size(), -1);
    for (std::size_t i = 0; i < communication.size(); ++i)
        if (alike[i] != kNoNode)
            usual[i] = medians.at(alike[i]);
    return usual;
}

} // namespace rankscope
