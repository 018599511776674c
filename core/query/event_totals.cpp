// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/event_totals.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <re2/re2.h>
#include <sqlite3.h>

#include "core/query/event_columns.h"

namespace rankscope {
namespace {

enum class Function : std::uint8_t { count, sum, min, max };

/// A time of an event: what a function may be asked about.
enum class Time : std::uint8_t { start, end, duration };
constexpr std::size_t kTimes = 3;

struct Total {
    Function function = Function::count;
    Time time = Time::start;
};

struct TotalsQuery {
    std::vector<Total> totals;
    EventFilter filter;
};

std::optional<EventColumn> column_of(const EventTableColumns& table, const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (sqlite3_stricmp(std::string(table.table.columns[i].name).c_str(), name.c_str()) == 0)
            return table.columns[i];
    return {};
}

std::optional<Time> time_of(EventColumn column) {
    switch (column) {
    case EventColumn::start: return Time::start;
    case EventColumn::end: return Time::end;
    case EventColumn::duration: return Time::duration;
    default: return {};
    }
}

/// The statement is valid SQL, so what these expressions match means what it says.
class Reader {
public:
    explicit Reader(std::string_view statement) : rest_(statement.data(), statement.size()) {}

    std::optional<TotalsQuery> query() {
        static const re2::RE2 kSelect("(?i)\\s*SELECT\\s+");
        static const re2::RE2 kItem(
            "(?i)(count|sum|min|max)\\s*\\(\\s*(\\*|\\w+)\\s*\\)(?:\\s+AS\\s+\\w+)?\\s*(,|FROM)\\s*");
        static const re2::RE2 kTable("(?i)(\\w+)\\s*(WHERE\\s+)?");
        if (!re2::RE2::Consume(&rest_, kSelect))
            return {};
        std::vector<std::pair<std::string, std::string>> items; // function, column
        std::string function;
        std::string column;
        std::string next = ",";
        while (next == ",") {
            if (!re2::RE2::Consume(&rest_, kItem, &function, &column, &next))
                return {};
            items.emplace_back(function, column);
        }
        std::string name;
        std::string where;
        if (!re2::RE2::Consume(&rest_, kTable, &name, &where))
            return {};
        const auto table = std::ranges::find_if(event_tables(), [&](const EventTableColumns& one) {
            return sqlite3_stricmp(std::string(one.table.name).c_str(), name.c_str()) == 0;
        });
        if (table == event_tables().end())
            return {};
        TotalsQuery made;
        made.filter.kinds = table->kinds;
        for (const auto& [of, what] : items)
            if (!add_total(made, *table, of, what))
                return {};
        if (!where.empty() && !conditions(made.filter, *table))
            return {};
        static const re2::RE2 kEnd("\\s*;?\\s*");
        return re2::RE2::FullMatch(rest_, kEnd) ? std::optional(std::move(made)) : std::nullopt;
    }

private:
    static bool add_total(TotalsQuery& query, const EventTableColumns& table, const std::string& function,
                          const std::string& column) {
        const auto is = [&](const char* word) { return sqlite3_stricmp(function.c_str(), word) == 0; };
        if (column == "*") {
            query.totals.push_back({Function::count});
            return is("count");
        }
        const auto known = column_of(table, column);
        const auto time = known ? time_of(*known) : std::nullopt;
        if (!time)
            return false;
        const Function which = is("count") ? Function::count
                               : is("sum") ? Function::sum
                               : is("min") ? Function::min
                                           : Function::max;
        query.totals.push_back({which, *time});
        return true;
    }

    bool conditions(EventFilter& filter, const EventTableColumns& table) {
        static const re2::RE2 kBetween("(?i)(\\w+)\\s+BETWEEN\\s+(-?\\d{1,18})\\s+AND\\s+(-?\\d{1,18})\\b");
        static const re2::RE2 kCompared("(\\w+)\\s*(=|<=|<|>=|>)\\s*(-?\\d{1,18})\\b");
        static const re2::RE2 kText("(\\w+)\\s*=\\s*'([^'\\x00]*)'");
        static const re2::RE2 kAnd("(?i)\\s*AND\\s+");
        do {
            std::string name;
            std::string op;
            std::string text;
            std::int64_t first = std::numeric_limits<std::int64_t>::min();
            std::int64_t last = std::numeric_limits<std::int64_t>::max();
            std::int64_t number = 0;
            bool is_text = false;
            if (re2::RE2::Consume(&rest_, kCompared, &name, &op, &number)) {
                if (op != "<" && op != "<=")
                    first = op == ">" ? number + 1 : number;
                if (op != ">" && op != ">=")
                    last = op == "<" ? number - 1 : number;
            } else if (re2::RE2::Consume(&rest_, kText, &name, &text)) {
                is_text = true;
            } else if (!re2::RE2::Consume(&rest_, kBetween, &name, &first, &last)) {
                return false;
            }
            const auto column = column_of(table, name);
            if (!column)
                return false;
            IntegerRange* const range = range_of(filter, *column);
            if (is_text ? !keep_text(filter, *column, text) : range == nullptr)
                return false;
            if (!is_text) {
                range->at_least(first);
                range->at_most(last);
            }
        } while (re2::RE2::Consume(&rest_, kAnd));
        return true;
    }

    re2::StringPiece rest_;
};

struct Sums {
    std::int64_t sum = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    bool overflow = false;
    void add(std::int64_t value) {
        overflow |= __builtin_add_overflow(sum, value, &sum);
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

} // namespace

std::optional<std::vector<QueryValue>> event_totals(const QueryModel& model, std::string_view statement,
                                                    ScanCount& count, const std::stop_token& stop) {
    const auto query = Reader(statement).query();
    if (!query)
        return {};
    std::array<bool, kTimes> wanted{};
    for (const Total& total : query->totals)
        wanted[static_cast<std::size_t>(total.time)] |= total.function != Function::count;
    std::array<Sums, kTimes> sums;
    std::int64_t events = 0;
    const RankTrace* trace = nullptr;
    TimeNs shift = 0;
    EventScan scan(model, query->filter);
    for (; !scan.at_end(); scan.next()) {
        constexpr std::int64_t kBetweenLooks = 1 << 20;
        if (++events % kBetweenLooks == 0 && stop.stop_requested())
            return {};
        if (trace != &scan.trace()) {
            trace = &scan.trace();
            shift = scan.shift();
        }
        const TimeNs duration = trace->events.duration[scan.event()];
        if (wanted[static_cast<std::size_t>(Time::duration)])
            sums[static_cast<std::size_t>(Time::duration)].add(duration);
        const TimeNs start = trace->events.start[scan.event()] + shift;
        if (wanted[static_cast<std::size_t>(Time::start)])
            sums[static_cast<std::size_t>(Time::start)].add(start);
        if (wanted[static_cast<std::size_t>(Time::end)])
            sums[static_cast<std::size_t>(Time::end)].add(start + duration);
    }
    count.visited += scan.visited();
    std::vector<QueryValue> row;
    for (const Total& total : query->totals) {
        const Sums& sum = sums[static_cast<std::size_t>(total.time)];
        if (total.function == Function::sum && sum.overflow)
            return {};
        if (total.function == Function::count)
            row.emplace_back(events);
        else if (events == 0)
            row.emplace_back();
        else
            row.emplace_back(total.function == Function::sum   ? sum.sum
                             : total.function == Function::min ? sum.least
                                                               : sum.most);
    }
    return row;
}

} // namespace rankscope
