// SPDX-License-Identifier: GPL-3.0-or-later
// Whole tables without SQL.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/query/event_values.h"
#include "core/query/query.h"
#include "core/query/row_tables.h"

namespace rankscope {
namespace {

tl::unexpected<Error> failure(Error::Code code, Message message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Where the columns are in the table. Error: one is not there.
Result<std::vector<std::size_t>> places_of(const QueryTable& table, std::span<const std::string> columns) {
    std::vector<std::size_t> places;
    for (const std::string& name : columns) {
        const auto column = std::ranges::find(table.columns, name, &QueryColumn::name);
        if (column == table.columns.end())
            return failure(Error::Code::usage, "the table %1 has no column %2"_text(std::string(table.name), name));
        places.push_back(static_cast<std::size_t>(column - table.columns.begin()));
    }
    return places;
}

} // namespace

Result<void> read_table(const QueryModel& model, std::string_view table, std::span<const std::string> columns,
                        const std::function<void(std::size_t, const QueryValue&)>& take, const std::stop_token& stop) {
    // next(): whether there is one more row. value(column): of that row.
    const auto read = [&](const QueryTable& known, auto&& next, auto&& value) -> Result<void> {
        constexpr std::size_t kRowsBetweenStops = 4096;
        const auto places = places_of(known, columns);
        if (!places)
            return tl::unexpected<Error>(places.error());
        for (std::size_t row = 0; next(row); ++row) {
            if (row % kRowsBetweenStops == 0 && stop.stop_requested())
                return failure(Error::Code::cancelled, "interrupted"_text);
            for (std::size_t i = 0; i < places->size(); ++i)
                take(i, value(row, (*places)[i]));
        }
        return {};
    };
    for (const EventTableColumns& events : event_tables())
        if (events.table.name == table) {
            EventFilter filter;
            filter.kinds = events.kinds;
            EventScan scan(model, filter);
            EventValues values(model);
            return read(
                events.table,
                [&](std::size_t row) {
                    if (row > 0)
                        scan.next();
                    return !scan.at_end();
                },
                [&](std::size_t, std::size_t column) { return values.value(scan, events.columns[column]); });
        }
    for (const RowTable& of_rows : row_tables())
        if (of_rows.table.name == table) {
            const auto rows = of_rows.rows(model);
            return read(
                of_rows.table, [&](std::size_t row) { return row < rows->size(); },
                [&](std::size_t row, std::size_t column) {
                    QueryValue value = rows->value(row, column);
                    if (const auto* const real = std::get_if<double>(&value); real != nullptr && std::isnan(*real))
                        return QueryValue(); // as SQLite has it
                    return value;
                });
        }
    return failure(Error::Code::usage, "there is no table %1"_text(std::string(table)));
}

} // namespace rankscope
