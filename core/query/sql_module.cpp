// SPDX-License-Identifier: GPL-3.0-or-later
// https://www.sqlite.org/vtab.html. SQLite's callbacks are C: no exception may leave them.
#include "core/query/sql_module.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>
#include <sqlite3.h>

#include "core/query/event_values.h"
#include "core/query/row_tables.h"

namespace rankscope {
namespace {

/// What a table of the connection is made of: one of the two.
struct TableSource {
    std::shared_ptr<const QueryModel> model;
    const EventTableColumns* events = nullptr;
    const RowTable* rows = nullptr;
    ScanCount* count = nullptr;
    std::unique_ptr<const TableRows> made; ///< rows, on first use; a connection is for one thread
    [[nodiscard]] const QueryTable& table() const { return events != nullptr ? events->table : rows->table; }
};

struct VirtualTable : sqlite3_vtab {
    TableSource* source = nullptr;
};

template <typename Work>
int guarded(Work&& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception&) {
        return SQLITE_ERROR;
    }
}

int connect(sqlite3* database, void* data, int, const char* const*, sqlite3_vtab** table, char**) {
    return guarded([&] {
        auto* const source = static_cast<TableSource*>(data);
        std::string declaration = "CREATE TABLE x(";
        for (const QueryColumn& column : source->table().columns)
            declaration +=
                fmt::format("\"{}\" {}{},", column.name, column_type_word(column.type), column.old ? " HIDDEN" : "");
        declaration.back() = ')';
        const int code = sqlite3_declare_vtab(database, declaration.c_str());
        if (code != SQLITE_OK)
            return code;
        auto made = std::make_unique<VirtualTable>();
        made->source = source;
        *table = made.release();
        return SQLITE_OK;
    });
}

int disconnect(sqlite3_vtab* table) {
    delete static_cast<VirtualTable*>(table); // NOLINT: SQLite holds it
    return SQLITE_OK;
}

TableSource& source_of(sqlite3_vtab* table) { return *static_cast<VirtualTable*>(table)->source; }

// The plan that best_index() makes and filter() carries out: text of three characters for each argument: which column
// (as 'A' + EventColumn, or the number of the key column), its operator, and '.'; behind '|' the terms of a grouping.

constexpr char kRowId = '@';

enum class Operator : char {
    equal = '=',
    less = '<',
    at_most = '[',
    more = '>',
    at_least = ']',
    like = 'L',
    glob = 'G',
    regexp = 'R',
    null = '0',
    not_null = '1'
};

std::optional<Operator> operator_of(int constraint) {
    switch (constraint) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
    case SQLITE_INDEX_CONSTRAINT_IS: return Operator::equal;
    case SQLITE_INDEX_CONSTRAINT_LT: return Operator::less;
    case SQLITE_INDEX_CONSTRAINT_LE: return Operator::at_most;
    case SQLITE_INDEX_CONSTRAINT_GT: return Operator::more;
    case SQLITE_INDEX_CONSTRAINT_GE: return Operator::at_least;
    case SQLITE_INDEX_CONSTRAINT_LIKE: return Operator::like;
    case SQLITE_INDEX_CONSTRAINT_GLOB: return Operator::glob;
    case SQLITE_INDEX_CONSTRAINT_REGEXP: return Operator::regexp;
    case SQLITE_INDEX_CONSTRAINT_ISNULL: return Operator::null;
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: return Operator::not_null;
    default: return {};
    }
}

bool is_comparison(Operator op) {
    return op == Operator::equal || op == Operator::less || op == Operator::at_most || op == Operator::more ||
           op == Operator::at_least;
}

bool is_pattern(Operator op) { return op == Operator::like || op == Operator::glob || op == Operator::regexp; }

/// Whether filter() carries it out, and exactly, so that SQLite need not look again.
struct Pushed {
    bool taken = false;
    bool exact = false;
};

Pushed pushed(EventColumn column, Operator op, bool binary) {
    EventFilter filter;
    if (range_of(filter, column) != nullptr)
        return {is_comparison(op), is_comparison(op)};
    if (column == EventColumn::name)
        return {(op == Operator::equal && binary) || is_pattern(op), op == Operator::equal};
    if (column == EventColumn::kind)
        return {op == Operator::equal && binary, true};
    if (column == EventColumn::event_class)
        return {(op == Operator::equal && binary) || op == Operator::null || op == Operator::not_null, true};
    return {};
}

double share_that_passes(const QueryModel& model, EventColumn column, Operator op) {
    const bool equal = op == Operator::equal;
    const auto events = static_cast<double>(std::max<std::int64_t>(1, model.event_count()));
    switch (column) {
    case EventColumn::id: return equal ? 1 / events : 0.25;
    case EventColumn::run: return 1.0 / static_cast<double>(std::max<std::size_t>(1, model.runs().size()));
    case EventColumn::rank:
        return equal ? static_cast<double>(model.runs().size()) /
                           static_cast<double>(std::max<std::size_t>(1, model.ranks().size()))
                     : 0.5;
    case EventColumn::start:
    case EventColumn::end: return equal ? 1e-4 : 0.1;
    case EventColumn::lane: return equal ? 0.1 : 0.5;
    case EventColumn::name: return equal ? 0.01 : 0.1;
    default: return equal ? 0.3 : 0.5;
    }
}

std::optional<GroupTerm> group_term(EventColumn column) {
    switch (column) {
    case EventColumn::run: return GroupTerm::run;
    case EventColumn::rank: return GroupTerm::rank;
    case EventColumn::kind: return GroupTerm::kind;
    case EventColumn::event_class: return GroupTerm::event_class;
    case EventColumn::name: return GroupTerm::name;
    case EventColumn::step: return GroupTerm::step;
    default: return {};
    }
}

/// The order in which filter() can deliver what ORDER BY, GROUP BY or DISTINCT wants; nothing: it cannot.
struct Order {
    EventOrder order = EventOrder::id;
    std::vector<GroupTerm> terms;
};

std::optional<Order> order_for(const QueryModel& model, const EventTableColumns& table, sqlite3_index_info& info) {
    // 1, for GROUP BY, is said to leave the order open, but SQLite 3.40 relies on it where ORDER BY names the same
    // columns.
    const bool any_order = sqlite3_vtab_distinct(&info) == 2;
    std::vector<EventColumn> columns;
    int descending = 0;
    for (int i = 0; i < info.nOrderBy; ++i) {
        const auto& term = info.aOrderBy[i];
        columns.push_back(term.iColumn < 0 ? EventColumn::id : table.columns[static_cast<std::size_t>(term.iColumn)]);
        descending += term.desc != 0 ? 1 : 0;
    }
    if (columns == std::vector{EventColumn::start})
        return Order{descending > 0 ? EventOrder::time_descending : EventOrder::time, {}};
    // SQLite asks for groups in descending order where ORDER BY wants something else of them in that order.
    const bool backward = descending > 0 && !any_order;
    if (backward && descending < info.nOrderBy)
        return {};
    // As the model has them: any first part of this list, and the id stands for all of it.
    constexpr std::array kNatural{EventColumn::run, EventColumn::rank, EventColumn::lane, EventColumn::depth,
                                  EventColumn::start};
    if (columns == std::vector{EventColumn::id} && !backward)
        return Order{};
    std::vector<EventColumn> told = columns;
    std::erase_if(told, [&](EventColumn column) {
        return (column == EventColumn::run && model.runs().size() == 1) ||
               (column == EventColumn::rank && model.ranks().size() == 1);
    });
    std::vector<EventColumn> natural(kNatural.begin(), kNatural.end());
    std::erase_if(natural, [&](EventColumn column) {
        return (column == EventColumn::run && model.runs().size() == 1) ||
               (column == EventColumn::rank && model.ranks().size() == 1);
    });
    if (any_order)
        std::ranges::sort(told, {}, [&](EventColumn column) { return std::ranges::find(natural, column); });
    if (!backward && told.size() <= natural.size() && std::ranges::equal(told, std::span(natural).first(told.size())))
        return Order{};
    Order order{backward ? EventOrder::grouped_descending : EventOrder::grouped, {}};
    for (const EventColumn column : columns) {
        const auto term = group_term(column);
        if (!term)
            return {};
        order.terms.push_back(*term);
    }
    if (!can_group(model, order.terms))
        return {};
    return order;
}

int copy_plan(sqlite3_index_info& info, const std::string& plan) {
    info.idxStr = sqlite3_mprintf("%s", plan.c_str());
    info.needToFreeIdxStr = 1;
    return info.idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int best_index_of_events(sqlite3_vtab* vtab, sqlite3_index_info* info) {
    return guarded([&] {
        const TableSource& source = source_of(vtab);
        const EventTableColumns& table = *source.events;
        std::string plan;
        double rows = static_cast<double>(source.model->event_count());
        double work = rows;
        bool one = false;
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            const auto op = operator_of(constraint.op);
            if (constraint.usable == 0 || !op)
                continue;
            const EventColumn column =
                constraint.iColumn < 0 ? EventColumn::id : table.columns[static_cast<std::size_t>(constraint.iColumn)];
            const bool binary = std::string_view(sqlite3_vtab_collation(info, i)) == "BINARY";
            const Pushed push = pushed(column, *op, binary);
            if (!push.taken)
                continue;
            plan += {static_cast<char>('A' + static_cast<int>(column)), static_cast<char>(*op), '.'};
            info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 3);
            info->aConstraintUsage[i].omit = push.exact ? 1 : 0;
            const double share = share_that_passes(*source.model, column, *op);
            rows *= share;
            EventFilter filter;
            const bool searched = range_of(filter, column) != nullptr && column != EventColumn::duration;
            work *= searched ? share : 1;
            one |= column == EventColumn::id && *op == Operator::equal;
        }
        info->idxNum = static_cast<int>(EventOrder::id);
        info->estimatedCost = std::max(1.0, work) + static_cast<double>(source.model->ranks().size());
        if (info->nOrderBy > 0)
            if (const auto order = order_for(*source.model, table, *info)) {
                info->orderByConsumed = 1;
                info->idxNum = static_cast<int>(order->order);
                plan += '|';
                for (const GroupTerm term : order->terms)
                    plan += static_cast<char>('A' + static_cast<int>(term));
                info->estimatedCost *= order->order == EventOrder::id ? 1 : 2;
            }
        info->estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, rows));
        if (one) {
            info->estimatedRows = 1;
            info->estimatedCost = 1;
            info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
        }
        return copy_plan(*info, plan);
    });
}

/// What is left of a range under a comparison with a value, as SQLite compares: numbers before texts, nothing with
/// NULL.
void narrow(IntegerRange& range, Operator op, sqlite3_value* value) {
    const auto nothing = [&] { range = {1, 0}; };
    const int type = sqlite3_value_numeric_type(value);
    const bool is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    const bool upward = op == Operator::equal || op == Operator::at_least || op == Operator::more;
    if (type == SQLITE_NULL || (!is_number && upward)) {
        nothing();
    } else if (type == SQLITE_INTEGER) {
        const std::int64_t number = sqlite3_value_int64(value);
        if ((op == Operator::less && number == std::numeric_limits<std::int64_t>::min()) ||
            (op == Operator::more && number == std::numeric_limits<std::int64_t>::max())) {
            nothing();
            return;
        }
        if (upward)
            range.at_least(op == Operator::more ? number + 1 : number);
        if (op == Operator::equal || op == Operator::at_most || op == Operator::less)
            range.at_most(op == Operator::less ? number - 1 : number);
    } else if (type == SQLITE_FLOAT) {
        const double number = sqlite3_value_double(value);
        constexpr double kBeyond = 9223372036854775808.0; // 2^63
        const bool above = number >= kBeyond;
        const bool below = number < -kBeyond;
        if (op == Operator::equal) {
            if (above || below || std::floor(number) != number)
                nothing();
            else
                range.at_least(static_cast<std::int64_t>(number)), range.at_most(static_cast<std::int64_t>(number));
        } else if (op == Operator::at_least || op == Operator::more) {
            const double bound = op == Operator::more ? std::floor(number) + 1 : std::ceil(number);
            if (above || bound >= kBeyond)
                nothing();
            else if (!below)
                range.at_least(static_cast<std::int64_t>(bound));
        } else {
            const double bound = op == Operator::less ? std::ceil(number) - 1 : std::floor(number);
            if (below || bound < -kBeyond)
                nothing();
            else if (!above && bound < kBeyond)
                range.at_most(static_cast<std::int64_t>(bound));
        }
    }
}

std::optional<std::string> text_of(sqlite3_value* value) {
    if (sqlite3_value_type(value) == SQLITE_NULL || sqlite3_value_type(value) == SQLITE_BLOB)
        return {};
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value)); // NOLINT: as SQLite's API has it
    return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

void narrow_names(EventFilter& filter, Operator op, sqlite3_value* value) {
    const auto wanted = text_of(value);
    if (!wanted)
        filter.names.emplace_back([](std::string_view) { return false; });
    else if (op == Operator::equal)
        keep_text(filter, EventColumn::name, *wanted);
    else if (op == Operator::like)
        filter.names.emplace_back([text = *wanted](std::string_view name) {
            return sqlite3_strlike(text.c_str(), std::string(name).c_str(), 0) == 0;
        });
    else if (op == Operator::glob)
        filter.names.emplace_back([text = *wanted](std::string_view name) {
            return sqlite3_strglob(text.c_str(), std::string(name).c_str()) == 0;
        });
    else if (const auto expression = std::make_shared<const re2::RE2>(*wanted, re2::RE2::Quiet); expression->ok())
        filter.names.emplace_back([expression](std::string_view name) {
            return re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *expression);
        }); // one that is no expression: SQLite asks the function, which says so
}

void narrow_words(EventFilter& filter, EventColumn column, Operator op, sqlite3_value* value) {
    if (column == EventColumn::event_class && op == Operator::null) {
        filter.classes &= kNoClass;
        return;
    }
    if (column == EventColumn::event_class && op == Operator::not_null) {
        filter.classes &= ~kNoClass;
        return;
    }
    keep_text(filter, column, text_of(value).value_or("")); // NULL, as no kind or class, equals none
}

struct EventCursor : sqlite3_vtab_cursor {
    std::optional<EventScan> scan;
    std::optional<EventValues> values;
    const EventColumn* columns = nullptr; ///< of the table
    std::uint64_t counted = 0;
    void count() {
        ScanCount* const sum = source_of(pVtab).count;
        if (sum != nullptr && scan) {
            sum->visited += scan->visited() - counted;
            counted = scan->visited();
        }
    }
};

EventCursor& event_cursor(sqlite3_vtab_cursor* cursor) { return *static_cast<EventCursor*>(cursor); }

int open_events(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
    return guarded([&] {
        *cursor = new EventCursor(); // NOLINT: SQLite holds it
        return SQLITE_OK;
    });
}

int close_events(sqlite3_vtab_cursor* cursor) {
    event_cursor(cursor).count();
    delete &event_cursor(cursor); // NOLINT
    return SQLITE_OK;
}

int filter_events(sqlite3_vtab_cursor* base, int order, const char* plan, int count, sqlite3_value** values) {
    return guarded([&] {
        EventCursor& cursor = event_cursor(base);
        const TableSource& source = source_of(cursor.pVtab);
        EventFilter filter;
        filter.kinds = source.events->kinds;
        for (int i = 0; i < count; ++i) {
            const auto column = static_cast<EventColumn>(plan[3 * i] - 'A');
            const auto op = static_cast<Operator>(plan[3 * i + 1]);
            if (IntegerRange* const range = range_of(filter, column))
                narrow(*range, op, values[i]);
            else if (column == EventColumn::name)
                narrow_names(filter, op, values[i]);
            else
                narrow_words(filter, column, op, values[i]);
        }
        const char* terms = plan + 3 * static_cast<std::ptrdiff_t>(count);
        std::vector<GroupTerm> groups;
        if (*terms == '|')
            for (++terms; *terms != '\0'; ++terms)
                groups.push_back(static_cast<GroupTerm>(*terms - 'A'));
        cursor.count();
        cursor.counted = 0;
        cursor.values.emplace(*source.model);
        cursor.columns = source.events->columns.data();
        cursor.scan.emplace(*source.model, filter, static_cast<EventOrder>(order), std::move(groups));
        return SQLITE_OK;
    });
}

int next_event(sqlite3_vtab_cursor* base) {
    return guarded([&] {
        event_cursor(base).scan->next();
        return SQLITE_OK;
    });
}

int events_at_end(sqlite3_vtab_cursor* base) { return event_cursor(base).scan->at_end() ? 1 : 0; }

void give(sqlite3_context* context, const QueryValue& value) {
    const auto text = [&](std::string_view words, sqlite3_destructor_type lives) {
        sqlite3_result_text64(context, words.empty() ? "" : words.data(), words.size(), lives, SQLITE_UTF8);
    };
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        sqlite3_result_int64(context, *integer);
    else if (const auto* real = std::get_if<double>(&value))
        sqlite3_result_double(context, *real); // NaN becomes NULL
    else if (const auto* view = std::get_if<std::string_view>(&value))
        text(*view, SQLITE_STATIC);
    else if (const auto* kept = std::get_if<std::string>(&value))
        text(*kept, SQLITE_TRANSIENT); // NOLINT
}

int event_column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
    return guarded([&] {
        EventCursor& cursor = event_cursor(base);
        give(context, cursor.values->value(*cursor.scan, cursor.columns[number]));
        return SQLITE_OK;
    });
}

int event_row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
    const EventScan& scan = *event_cursor(base).scan;
    *id = source_of(base->pVtab).model->ranks()[scan.rank()].first_id + scan.event();
    return SQLITE_OK;
}

// Tables of rows: searched by their key columns, the rest is SQLite's.

const TableRows& rows_of(sqlite3_vtab* vtab) {
    TableSource& source = source_of(vtab);
    if (!source.made)
        source.made = source.rows->rows(*source.model);
    return *source.made;
}

int best_index_of_rows(sqlite3_vtab* vtab, sqlite3_index_info* info) {
    return guarded([&] {
        const RowTable& table = *source_of(vtab).rows;
        std::vector<int> key(table.key_columns, -1); // the constraint of each
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            if (constraint.usable != 0 && operator_of(constraint.op) == Operator::equal && constraint.iColumn >= 0 &&
                static_cast<std::size_t>(constraint.iColumn) < key.size())
                key[static_cast<std::size_t>(constraint.iColumn)] = i;
        }
        int used = 0;
        for (const int constraint : key) {
            if (constraint < 0)
                break;
            info->aConstraintUsage[constraint].argvIndex = ++used;
        }
        double rows = 1e5; // more than the tables of a small run have; only proportions matter
        for (int i = 0; i < used; ++i)
            rows /= 30;
        info->estimatedCost = std::max(2.0, rows);
        info->estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, rows));
        bool ascending = true;
        for (int i = 0; i < info->nOrderBy; ++i)
            ascending &= info->aOrderBy[i].desc == 0 && info->aOrderBy[i].iColumn == i &&
                         static_cast<std::size_t>(i) < table.key_columns;
        info->orderByConsumed = info->nOrderBy > 0 && ascending ? 1 : 0;
        return SQLITE_OK;
    });
}

struct RowCursor : sqlite3_vtab_cursor {
    const TableRows* rows = nullptr;
    std::size_t row = 0;
    std::size_t end = 0;
};

RowCursor& row_cursor(sqlite3_vtab_cursor* cursor) { return *static_cast<RowCursor*>(cursor); }

int open_rows(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
    return guarded([&] {
        *cursor = new RowCursor(); // NOLINT: SQLite holds it
        return SQLITE_OK;
    });
}

int close_rows(sqlite3_vtab_cursor* cursor) {
    delete &row_cursor(cursor); // NOLINT
    return SQLITE_OK;
}

int filter_rows(sqlite3_vtab_cursor* base, int, const char*, int count, sqlite3_value** values) {
    return guarded([&] {
        RowCursor& cursor = row_cursor(base);
        cursor.rows = &rows_of(cursor.pVtab);
        cursor.row = 0;
        cursor.end = cursor.rows->size();
        for (int key = 0; key < count; ++key) {
            IntegerRange range;
            narrow(range, Operator::equal, values[key]);
            const auto first_not = [&](auto&& before) {
                std::size_t low = cursor.row;
                std::size_t high = cursor.end;
                while (low < high) {
                    const std::size_t middle = low + (high - low) / 2;
                    const QueryValue value = cursor.rows->value(middle, static_cast<std::size_t>(key));
                    if (before(std::get<std::int64_t>(value)))
                        low = middle + 1;
                    else
                        high = middle;
                }
                return low;
            };
            const std::size_t first = first_not([&](std::int64_t value) { return value < range.first; });
            const std::size_t last = first_not([&](std::int64_t value) { return value <= range.last; });
            cursor.row = first;
            cursor.end = std::max(first, last);
        }
        return SQLITE_OK;
    });
}

int next_row(sqlite3_vtab_cursor* base) {
    ++row_cursor(base).row;
    return SQLITE_OK;
}

int rows_at_end(sqlite3_vtab_cursor* base) { return row_cursor(base).row >= row_cursor(base).end ? 1 : 0; }

int row_column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
    return guarded([&] {
        const RowCursor& cursor = row_cursor(base);
        give(context, cursor.rows->value(cursor.row, static_cast<std::size_t>(number)));
        return SQLITE_OK;
    });
}

int row_row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(row_cursor(base).row);
    return SQLITE_OK;
}

const sqlite3_module& module_of_events() {
    static const sqlite3_module module = [] {
        sqlite3_module made{};
        made.iVersion = 1;
        made.xConnect = connect; // without xCreate the table is there under the module's name, and only so
        made.xBestIndex = best_index_of_events;
        made.xDisconnect = disconnect;
        made.xOpen = open_events;
        made.xClose = close_events;
        made.xFilter = filter_events;
        made.xNext = next_event;
        made.xEof = events_at_end;
        made.xColumn = event_column;
        made.xRowid = event_row_id;
        return made;
    }();
    return module;
}

const sqlite3_module& module_of_rows() {
    static const sqlite3_module module = [] {
        sqlite3_module made{};
        made.iVersion = 1;
        made.xConnect = connect;
        made.xBestIndex = best_index_of_rows;
        made.xDisconnect = disconnect;
        made.xOpen = open_rows;
        made.xClose = close_rows;
        made.xFilter = filter_rows;
        made.xNext = next_row;
        made.xEof = rows_at_end;
        made.xColumn = row_column;
        made.xRowid = row_row_id;
        return made;
    }();
    return module;
}

Result<void> add_module(sqlite3* database, TableSource source, const sqlite3_module& module) {
    const std::string name(source.table().name);
    auto held = std::make_unique<TableSource>(std::move(source));
    const int code = sqlite3_create_module_v2(database, name.c_str(), &module, held.release(),
                                              [](void* data) { delete static_cast<TableSource*>(data); }); // NOLINT
    if (code != SQLITE_OK) // SQLite has destroyed the source
        return input_error("the table %1 cannot be made: %2"_text(name, sqlite3_errmsg(database)));
    return {};
}

} // namespace

std::string_view column_type_word(ColumnType type) {
    return type == ColumnType::integer ? "INTEGER" : type == ColumnType::real ? "REAL" : "TEXT";
}

Result<void> add_tables(sqlite3* database, std::shared_ptr<const QueryModel> model, ScanCount* count) {
    for (const EventTableColumns& table : event_tables())
        if (const auto added = add_module(database, {model, &table, nullptr, count, nullptr}, module_of_events());
            !added)
            return added;
    for (const RowTable& table : row_tables())
        if (const auto added = add_module(database, {model, nullptr, &table, count, nullptr}, module_of_rows()); !added)
            return added;
    return {};
}

} // namespace rankscope
