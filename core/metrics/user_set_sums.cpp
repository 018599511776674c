// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/user_set_sums.h"

#include <cmath>

#include "core/analysis/basics/intervals.h"
#include "core/base/text.h"

namespace rankscope {

void Lacking::add(std::string_view name) {
    ++events;
    const std::size_t parameters = name.find('('); // "Memcpy DtoH (Device -> Pinned)" has none
    if (parameters != std::string_view::npos && parameters > 0 && name[parameters - 1] != ' ')
        name = name.substr(0, parameters);
    if (names.size() < 4 && !names.contains(name))
        names.emplace(name);
}

std::string Lacking::words() const {
    std::string text;
    std::size_t listed = 0;
    for (const std::string& name : names) {
        if (listed++ == 3)
            return text + " ...";
        text += (text.empty() ? "" : ", ") + shortened(name, 60);
    }
    return text;
}

void EventSums::add(TimeRange range, std::optional<double> size, bool keep_range) {
    ++count;
    time += range.length();
    bytes += size && !std::isnan(*size) ? *size : 0;
    if (keep_range)
        ranges.push_back(range);
}

double EventSums::value(Aggregate what) const {
    switch (what) {
    case Aggregate::count: return static_cast<double>(count);
    case Aggregate::sum: return static_cast<double>(time);
    case Aggregate::merged: return static_cast<double>(measure(merge(ranges)));
    case Aggregate::bytes: break;
    }
    return bytes;
}

std::optional<std::int64_t> SetIterations::number_of(const SetMember& member) const {
    std::optional<std::int64_t> number;
    if (member.work != nullptr)
        number = work_.number_of(*member.work);
    else if (const ProfilerStep* step = step_at(rank_.steps, rank_.trace->events.start[member.event]))
        number = step->number;
    return number && numbers_.contains(*number) ? number : std::nullopt;
}

SetIterations::SetIterations(const RunAnalysis& analysis, std::size_t rank, const EventSet& set)
    : rank_(analysis.ranks()[rank]), work_(analysis, rank) {
    // Repetitions are found on the GPU: they do not tell where those of the host start.
    if (is_of_gpu_work(set) || !rank_.trace->steps.empty())
        for (const std::int64_t number : work_.numbers())
            if (in_ranges(set.steps, number))
                numbers_.insert(number);
}

SetSums sums_of_set(const RunAnalysis& analysis, const SetValue& value, const std::vector<SetIterations>& iterations) {
    SetSums sums;
    sums.ranks.resize(analysis.ranks().size());
    for_each_member(analysis, value.set, [&](const SetMember& member) {
        const RankTrace& trace = *analysis.ranks()[member.rank].trace;
        if (!member.group_known) {
            sums.ungrouped.add(trace.event_name(member.event));
            return;
        }
        std::optional<double> size;
        if (value.aggregate == Aggregate::bytes)
            size = member_bytes(member, trace);
        if (size && std::isnan(*size))
            sums.unsized.add(trace.event_name(member.event));
        else if (size)
            ++sums.sized;
        RankSums& rank = sums.ranks[member.rank];
        rank.all.add(member.range, size, value.aggregate == Aggregate::merged);
        if (const auto number = iterations[member.rank].number_of(member))
            rank.of_iterations[*number].add(member.range, size, value.aggregate == Aggregate::merged);
    });
    return sums;
}

} // namespace rankscope
