// SPDX-License-Identifier: GPL-3.0-or-later
// Grouping of collective calls into tables.
#include "core/analysis/collectives/collective_summaries.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

bool is_implicit_sync(const CollectiveTiming& call) {
    return synchronises(call.kind) && call.kind != CollectiveKind::barrier && !call.uneven;
}

template <typename Member>
Statistics over(std::span<const CollectiveTiming* const> calls, Member member) {
    std::vector<double> values;
    for (const CollectiveTiming* call : calls)
        values.push_back(static_cast<double>(call->*member));
    return statistics_of(std::move(values));
}

const CommCall& first_of(const CollectiveMatching& matching, const CollectiveTiming& call) {
    return matching.call(call.members.front());
}

NameId dtype_of(const CommCall& call) { return call.args == nullptr ? 0 : call.args->dtype; }

using Calls = std::vector<const CollectiveTiming*>;

std::vector<ImplicitSyncRow> implicit_sync_rows(const Run& run, const CollectiveMatching& matching,
                                                const CallTable& table) {
    std::map<std::tuple<std::string, std::string_view, std::int64_t>, Calls> sets;
    for (const CollectiveTiming& call : table.whole_calls()) {
        if (is_implicit_sync(call)) {
            const CommCall& first = first_of(matching, call);
            const std::int64_t elements = first.args == nullptr ? kUnknown : first.args->in_elements;
            sets[{collective_word(run, first), run.names->view(dtype_of(first)), elements}].push_back(&call);
        }
    }
    std::vector<ImplicitSyncRow> rows;
    for (const auto& [key, set] : sets) {
        ImplicitSyncRow row;
        row.collective = std::get<0>(key);
        row.dtype = dtype_of(first_of(matching, *set.front()));
        row.in_elements = std::get<2>(key);
        row.group = set.front()->group;
        row.group_size = set.front()->group_size;
        row.bytes = set.front()->bytes;
        row.alone = std::count_if(set.begin(), set.end(), [](const CollectiveTiming* call) { return call->alone; });
        row.latency = over(set, &CollectiveTiming::latency);
        row.start_skew = over(set, &CollectiveTiming::start_skew);
        row.end_skew = over(set, &CollectiveTiming::end_skew);
        row.algbw = over(set, &CollectiveTiming::algbw);
        row.busbw = over(set, &CollectiveTiming::busbw);
        rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ImplicitSyncRow& a, const ImplicitSyncRow& b) { return a.latency.sum > b.latency.sum; });
    return rows;
}

std::vector<LongRow> long_rows(const Run& run, const CollectiveMatching& matching) {
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::string, std::int64_t, NameId, std::int64_t, std::int64_t,
                           NameId, NameId, std::int64_t>;
    std::map<Key, std::vector<double>> sets;
    for (std::uint32_t r = 0; r < matching.calls.size(); ++r) {
        for (const CommCall& call : matching.calls[r]) {
            const CollectiveArgs args = call.args == nullptr ? CollectiveArgs{} : *call.args;
            sets[{r, call.group, collective_word(run, call), args.group_size, args.dtype, args.in_elements,
                  args.out_elements, args.in_split, args.out_split, run.ranks[r]->lane_of(call.event).stream}]
                .push_back(static_cast<double>(call.range.length()));
        }
    }
    std::vector<LongRow> rows;
    for (auto& [key, durations] : sets) {
        LongRow row;
        std::tie(row.rank, row.group, row.collective, row.group_size, row.dtype, row.in_elements, row.out_elements,
                 row.in_split, row.out_split, row.stream) = key;
        row.duration = statistics_of(std::move(durations));
        rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const LongRow& a, const LongRow& b) {
        const auto key = [&](const LongRow& row) {
            return std::tuple(-row.duration.sum, row.rank, row.group, std::string_view(row.collective), row.group_size,
                              run.names->view(row.dtype), row.in_elements, row.out_elements,
                              run.names->view(row.in_split), run.names->view(row.out_split), row.stream);
        };
        return key(a) < key(b);
    });
    return rows;
}

/// Bytes each member of an uneven all-to-all sends; those that say nothing are left out.
std::vector<double> bytes_sent(const Run& run, const CollectiveMatching& matching, const CollectiveTiming& call) {
    std::vector<double> sent;
    for (const TimedMember& member : call.members)
        if (const std::int64_t bytes = message_bytes(run, matching.call(member)); bytes != kUnknown)
            sent.push_back(static_cast<double>(bytes));
    return sent;
}

std::vector<AllToAllVRow> all_to_allv_rows(const Run& run, const CollectiveMatching& matching, const CallTable& table) {
    std::map<std::pair<std::uint32_t, std::string_view>, Calls> sets;
    for (const CollectiveTiming& call : table.whole_calls())
        if (call.uneven)
            sets[{call.group, run.names->view(dtype_of(first_of(matching, call)))}].push_back(&call);
    std::vector<AllToAllVRow> rows;
    for (const auto& [key, set] : sets) {
        std::vector<double> bytes;
        std::vector<double> throughput;
        std::vector<double> imbalance;
        for (const CollectiveTiming* call : set) {
            const Statistics sent = statistics_of(bytes_sent(run, matching, *call));
            bytes.push_back(sent.count > 0 ? sent.sum : std::numeric_limits<double>::quiet_NaN());
            throughput.push_back(sent.sum / static_cast<double>(call->wall));
            imbalance.push_back(sent.max / sent.mean);
        }
        rows.push_back({key.first, dtype_of(first_of(matching, *set.front())), set.front()->group_size,
                        statistics_of(std::move(bytes)), over(set, &CollectiveTiming::wall),
                        statistics_of(std::move(throughput)), statistics_of(std::move(imbalance)),
                        over(set, &CollectiveTiming::longest), over(set, &CollectiveTiming::start_skew),
                        over(set, &CollectiveTiming::end_skew)});
    }
    return rows;
}

/// "[1000, 2000]"; empty when it is not a list of whole numbers.
std::vector<std::int64_t> split_sizes(std::string_view text) {
    std::vector<std::int64_t> sizes;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if ((*at < '0' || *at > '9') && *at != '-') {
            ++at;
            continue;
        }
        std::int64_t size = 0;
        const auto [next, error] = std::from_chars(at, end, size);
        if (error != std::errc())
            return {};
        sizes.push_back(size);
        at = next;
    }
    return sizes;
}

std::vector<AllToAllTraffic> all_to_allv_traffic(const Run& run, const CollectiveMatching& matching) {
    std::map<std::pair<int, int>, AllToAllTraffic> cells;
    for (std::size_t r = 0; r < matching.calls.size(); ++r) {
        for (const CommCall& call : matching.calls[r]) {
            if (!is_uneven(run, call))
                continue;
            const std::vector<int>& members = matching.groups[call.group].ranks;
            const std::vector<std::int64_t> sizes = split_sizes(run.names->view(call.args->in_split));
            const int element = dtype_bytes(run.names->view(call.args->dtype));
            for (std::size_t d = 0; sizes.size() == members.size() && element > 0 && d < sizes.size(); ++d) {
                AllToAllTraffic& cell = cells[{run.ranks[r]->rank, members[d]}];
                cell.source = run.ranks[r]->rank;
                cell.destination = members[d];
                cell.bytes += sizes[d] * element;
                ++cell.calls;
            }
        }
    }
    std::vector<AllToAllTraffic> result;
    for (const auto& [pair, cell] : cells)
        result.push_back(cell);
    return result;
}

std::vector<ArrivalRow> arrival_rows(const CollectiveMatching& matching, const CallTable& table) {
    std::vector<ArrivalRow> rows(matching.calls.size());
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
        rows[r].rank = r;
        for (const CommCall& call : matching.calls[r])
            rows[r].communication += call.range.length();
    }
    for (const CollectiveTiming& call : table.whole_calls()) {
        if (!is_implicit_sync(call) || call.alone)
            continue;
        for (const TimedMember& member : call.members) {
            ArrivalRow& row = rows[member.rank];
            ++row.calls;
            row.wait += call.last_arrival() - member.range.begin;
        }
        ++rows[call.last_rank].times_last;
        ++rows[call.first_rank].times_first;
    }
    return rows;
}

} // namespace

Statistics statistics_of(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Statistics result{static_cast<std::int64_t>(values.size()), kNone, kNone, kNone, kNone, kNone, kNone};
    if (values.empty())
        return result;
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    result.min = values.front();
    result.max = values.back();
    result.median = middle_of_sorted(values);
    result.sum = 0;
    for (const double value : values)
        result.sum += value;
    result.mean = result.sum / count;
    if (values.size() > 1) {
        double squares = 0;
        for (const double value : values)
            squares += (value - result.mean) * (value - result.mean);
        result.deviation = std::sqrt(squares / (count - 1));
    }
    return result;
}

std::string collective_word(const Run& run, const CommCall& call) {
    const std::string_view recorded =
        call.args == nullptr ? std::string_view{} : run.names->view(call.args->collective);
    return std::string(recorded.empty() ? collective_kind_word(call.kind) : recorded);
}

CollectiveSummaries summarise_collectives(const Run& run, const CollectiveMatching& matching, const CallTable& table) {
    count_work("summarise_collectives");
    CollectiveSummaries result;
    result.implicit_sync = implicit_sync_rows(run, matching, table);
    result.implicit_sync_calls = std::ranges::count_if(table.whole_calls(), is_implicit_sync);
    result.by_rank = long_rows(run, matching);
    result.all_to_allv = all_to_allv_rows(run, matching, table);
    result.all_to_allv_traffic = all_to_allv_traffic(run, matching);
    result.arrivals = arrival_rows(matching, table);
    return result;
}

} // namespace rankscope
