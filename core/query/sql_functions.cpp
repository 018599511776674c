// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/sql_functions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include <fmt/format.h>
#include <re2/re2.h>
#include <sqlite3.h>

#include "core/analysis/basics/intervals.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

using Values = sqlite3_value**;

bool any_null(int count, Values values) {
    return std::any_of(
        values, values + count, [](auto* value) { return sqlite3_value_type(value) == SQLITE_NULL; });
}

/// Start and duration as a range; an end beyond 64 bits is the largest time.
TimeRange range_of_values(sqlite3_value* start, sqlite3_value* duration) {
    const TimeNs begin = sqlite3_value_int64(start);
    const TimeNs length = std::max<TimeNs>(0, sqlite3_value_int64(duration));
    TimeNs end = 0;
    return {begin, __builtin_add_overflow(begin, length, &end) ? std::numeric_limits<TimeNs>::max() : end};
}

void overlap_ns(sqlite3_context* context, int count, Values values) {
    if (any_null(count, values))
        return;
    const TimeRange both = range_of_values(values[0], values[1]).clipped_to(range_of_values(values[2], values[3]));
    sqlite3_result_int64(context, both.length());
}

/// "1.234 ms": at most four significant digits.
void time_text(sqlite3_context* context, int count, Values values) {
    if (any_null(count, values))
        return;
    const double ns = sqlite3_value_double(values[0]);
    const double size = std::abs(ns);
    const auto [unit, name] = size >= 1e9   ? std::pair(1e9, "s")
                              : size >= 1e6 ? std::pair(1e6, "ms")
                              : size >= 1e3 ? std::pair(1e3, "us")
                                            : std::pair(1.0, "ns");
    const std::string text = fmt::format("{:.4g} {}", ns / unit, name);
    sqlite3_result_text(context, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT); // NOLINT
}

/// X REGEXP Y is regexp(Y, X). The compiled expression is kept for the statement.
void regexp(sqlite3_context* context, int count, Values values) {
    if (any_null(count, values))
        return;
    const auto text = [](sqlite3_value* value) {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value)); // NOLINT: as SQLite's API has it
        return re2::StringPiece(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
    };
    const auto* expression = static_cast<const re2::RE2*>(sqlite3_get_auxdata(context, 0));
    std::unique_ptr<const re2::RE2> compiled;
    if (expression == nullptr) {
        compiled = std::make_unique<const re2::RE2>(text(values[0]), re2::RE2::Quiet);
        if (!compiled->ok()) {
            const std::string error = fmt::format("not a regular expression: {}", compiled->error());
            sqlite3_result_error(context, error.c_str(), -1);
            return;
        }
        expression = compiled.get();
    }
    sqlite3_result_int(context, re2::RE2::PartialMatch(text(values[1]), *expression) ? 1 : 0);
    if (compiled != nullptr)
        sqlite3_set_auxdata(context, 0, const_cast<re2::RE2*>(compiled.release()), // NOLINT: SQLite holds it
                            [](void* kept) { delete static_cast<re2::RE2*>(kept); });
}

// Aggregates: SQLite keeps the zeroed bytes of a pointer for each group.

constexpr std::size_t kMostValues = std::size_t{1} << 26; ///< 512 MB of numbers

template <typename State>
State* state_of(sqlite3_context* context, bool make) {
    auto** const kept = static_cast<State**>(sqlite3_aggregate_context(context, make ? sizeof(State*) : 0));
    if (kept != nullptr && *kept == nullptr && make)
        *kept = new (std::nothrow) State(); // NOLINT: the last step deletes it
    if (make && (kept == nullptr || *kept == nullptr))
        sqlite3_result_error_nomem(context);
    return kept == nullptr ? nullptr : *kept;
}

template <typename Container, typename Value>
void append(sqlite3_context* context, Container& container, Value&& value) {
    if (container.size() >= kMostValues) {
        sqlite3_result_error(context, "more than 67 million values for one row of the result", -1);
        return;
    }
    try {
        container.push_back(value);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    }
}

struct PercentileState {
    std::vector<double> values;
    double percent = -1;
    bool all_whole = true;
};

void percentile_step(sqlite3_context* context, int, Values values) {
    auto* const state = state_of<PercentileState>(context, true);
    if (state == nullptr)
        return;
    const double percent = sqlite3_value_double(values[1]);
    if (!(percent >= 0 && percent <= 100) || sqlite3_value_type(values[1]) == SQLITE_NULL) {
        sqlite3_result_error(context, "percentile(x, percent): percent has to be a number from 0 to 100", -1);
        return;
    }
    state->percent = percent;
    const int type = sqlite3_value_numeric_type(values[0]);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return;
    state->all_whole &= type == SQLITE_INTEGER;
    append(context, state->values, sqlite3_value_double(values[0]));
}

void percentile_result(sqlite3_context* context) {
    const std::unique_ptr<PercentileState> state(state_of<PercentileState>(context, false));
    if (state == nullptr || state->values.empty())
        return;
    const double share = std::max(state->percent / 100, 1e-18);
    const double value = nth_value(state->values, nearest_rank(share, state->values.size()));
    if (state->all_whole && std::abs(value) < 9e15) // exact in a double
        sqlite3_result_int64(context, static_cast<sqlite3_int64>(value));
    else
        sqlite3_result_double(context, value);
}

void covered_step(sqlite3_context* context, int count, Values values) {
    auto* const state = state_of<std::vector<TimeRange>>(context, true);
    if (state == nullptr || any_null(count, values))
        return;
    append(context, *state, range_of_values(values[0], values[1]));
}

void covered_result(sqlite3_context* context) {
    const std::unique_ptr<std::vector<TimeRange>> ranges(state_of<std::vector<TimeRange>>(context, false));
    if (ranges == nullptr) {
        sqlite3_result_int64(context, 0);
        return;
    }
    std::ranges::sort(*ranges, {}, &TimeRange::begin);
    TimeNs covered = 0;
    TimeNs until = std::numeric_limits<TimeNs>::min();
    for (const TimeRange& range : *ranges) {
        if (range.end > until)
            covered += range.end - std::max(range.begin, until);
        until = std::max(until, range.end);
    }
    sqlite3_result_int64(context, covered);
}

} // namespace

Result<void> add_functions(sqlite3* database) {
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = SQLITE_OK;
    const auto scalar = [&](const char* name, int arguments, void (*function)(sqlite3_context*, int, Values)) {
        code |=
            sqlite3_create_function_v2(database, name, arguments, kFlags, nullptr, function, nullptr, nullptr, nullptr);
    };
    const auto aggregate = [&](const char* name, void (*step)(sqlite3_context*, int, Values),
                               void (*result)(sqlite3_context*)) {
        code |= sqlite3_create_function_v2(database, name, 2, kFlags, nullptr, nullptr, step, result, nullptr);
    };
    scalar("overlap_ns", 4, overlap_ns);
    scalar("time_text", 1, time_text);
    scalar("regexp", 2, regexp);
    aggregate("percentile", percentile_step, percentile_result);
    aggregate("covered_ns", covered_step, covered_result);
    if (code != SQLITE_OK)
        return input_error("functions for queries cannot be made: %1"_text(sqlite3_errmsg(database)));
    return {};
}

const std::vector<QueryFunction>& query_functions() {
    static const std::vector<QueryFunction> functions{
        {"percentile(x, percent)", "aggregate: nearest rank; percentile(dur_ns, 50) is the median"},
        {"covered_ns(start_ns, dur_ns)", "aggregate: time covered by at least one of the intervals"},
        {"overlap_ns(start_a, dur_a, start_b, dur_b)", "time that two intervals share"},
        {"time_text(ns)", "a time to read: 1.234 ms"},
        {"x REGEXP expression", "1 where the expression (RE2) is found in the text"}};
    return functions;
}

} // namespace rankscope
