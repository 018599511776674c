// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope._core: core for the Python package, as few functions as it needs. What users see is in ../rankscope.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "background.h"
#include "core/base/text.h"
#include "core/input/load/trace_cache.h"
#include "core/query/event_words.h"
#include "core/report/findings_csv.h"
#include "core/report/json_report.h"
#include "core/report/query_output.h"
#include "core/report/short_report.h"
#include "core/version.h"
#include "failure.h"
#include "hta.h"
#include "reading.h"
#include "result_columns.h"

namespace rankscope::python {
namespace {

namespace py = pybind11;

py::str text_of(std::string_view text) { return py::str(valid_utf8(text)); }

/// The class of the errors.py beside this module; nullptr: KeyboardInterrupt.
const char* class_of(Error::Code code) {
    switch (code) {
    case Error::Code::usage: return "UsageError";
    case Error::Code::input: return "InputError";
    case Error::Code::output: return "OutputError";
    case Error::Code::cancelled: break;
    }
    return nullptr;
}

void raise(const Failure& failure) {
    const std::string message = terminal_safe(english(failure.error.message));
    const char* const name = class_of(failure.error.code);
    if (name == nullptr)
        PyErr_SetString(PyExc_KeyboardInterrupt, message.c_str());
    else
        PyErr_SetString(py::module_::import("rankscope.errors").attr(name).ptr(), message.c_str());
}

/// Read-only values that lie where they are, for as long as the owner lives.
template <typename T>
py::array view_of(const T* values, std::size_t count, const py::object& owner) {
    py::array_t<T> array(static_cast<py::ssize_t>(count), values, owner);
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

/// The vector as an array, not copied.
template <typename T>
py::array array_of(std::vector<T> values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    const T* const data = owned->data();
    const std::size_t count = owned->size();
    const py::capsule owner(owned.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
    return py::array_t<T>(static_cast<py::ssize_t>(count), data, owner);
}

py::object object_of(const QueryValue& value) {
    if (const auto* const integer = std::get_if<std::int64_t>(&value))
        return py::int_(*integer);
    if (const auto* const real = std::get_if<double>(&value))
        return py::float_(*real);
    if (const auto* const text = std::get_if<std::string>(&value))
        return text_of(*text);
    return py::none();
}

/// (name, kind, values, more): more is the mask of NULLs of integers, or the texts that codes stand for; or None.
py::tuple column_of(ResultColumn& column) {
    const py::str name = text_of(column.name);
    switch (column.kind) {
    case ResultKind::nothing: break;
    case ResultKind::integer:
        return py::make_tuple(name, "integer", array_of(std::move(column.integers)),
                              column.missing.empty() ? py::object(py::none())
                                                     : array_of(std::move(column.missing)).attr("view")("bool"));
    case ResultKind::real: return py::make_tuple(name, "real", array_of(std::move(column.reals)), py::none());
    case ResultKind::text: {
        py::list texts;
        for (const std::string& text : column.texts)
            texts.append(text_of(text));
        return py::make_tuple(name, "text", array_of(std::move(column.codes)), texts);
    }
    case ResultKind::mixed: {
        py::list values;
        for (const QueryValue& value : column.values)
            values.append(object_of(value));
        return py::make_tuple(name, "mixed", values, py::none());
    }
    }
    return py::make_tuple(name, "nothing", column.rows, py::none());
}

std::shared_ptr<Reading> open(const std::vector<std::string>& arguments, const py::object& progress) {
    const Options options = Reading::options_of(arguments);
    std::shared_ptr<Reading> reading;
    std::mutex mutex;
    std::optional<LoadProgress> latest;
    const auto on_progress = [&](const LoadProgress& now) {
        const std::lock_guard lock(mutex);
        latest = now;
    };
    const auto tick = [&] {
        std::optional<LoadProgress> now;
        {
            const std::lock_guard lock(mutex);
            now.swap(latest);
        }
        if (now && !progress.is_none())
            progress(now->ranks_done, now->ranks_total, now->bytes_done, now->bytes_total);
    };
    in_background(
        {options.memory_bytes, options.jobs},
        [&](const std::stop_token& stop) { reading = Reading::open(arguments, stop, on_progress); }, tick);
    return reading;
}

py::list list_of(ResultColumns& columns) {
    py::list list;
    for (ResultColumn& column : columns.result)
        list.append(column_of(column));
    return list;
}

py::list query(const Readings& readings, const std::string& sql) {
    ResultColumns columns;
    in_background(readings.budget(), [&](const std::stop_token& stop) { readings.query(sql, columns, stop); });
    return list_of(columns);
}

py::list table(const Readings& readings, const std::string& name, const std::vector<std::string>& names) {
    ResultColumns columns;
    columns.columns(names);
    in_background(readings.budget(), [&](const std::stop_token& stop) {
        readings.table(
            name, names, [&](std::size_t i, const QueryValue& value) { columns.result[i].add(value); }, stop);
    });
    return list_of(columns);
}

py::list hta(const Reading& reading, const std::string& table, bool include_last_step, bool memory, std::int64_t limit,
             bool gpu_annotations, const std::string& name) {
    ResultColumns columns;
    in_background(reading.budget(), [&](const std::stop_token&) {
        hta_table(*reading.as_read().analysis, {table, include_last_step, memory, limit, gpu_annotations, name},
                  columns);
    });
    return list_of(columns);
}

using Side = std::tuple<std::shared_ptr<Reading>, int, std::vector<std::int64_t>>; ///< run, rank, steps

py::list trace_diff(const Side& control, const Side& test, const std::string& device, bool short_names) {
    const auto side = [](const Side& s) { return HtaSide{&std::get<0>(s)->rank(std::get<1>(s)), std::get<2>(s)}; };
    ResultColumns columns;
    in_background(std::get<0>(control)->budget(), [&](const std::stop_token&) {
        hta_trace_diff(side(control), side(test), device, short_names, columns);
    });
    return list_of(columns);
}

std::string document(const Readings& readings) {
    std::string text;
    in_background(readings.budget(), [&](const std::stop_token&) { text = readings.document(); });
    return text;
}

std::string csv(const Readings& readings, const std::string& file) {
    std::string text;
    in_background(readings.budget(), [&](const std::stop_token&) { text = readings.csv(file); });
    return text;
}

std::string timeline(const Readings& readings, const std::optional<std::pair<TimeNs, TimeNs>>& time) {
    std::string text;
    in_background(readings.budget(), [&](const std::stop_token&) {
        text = readings.timeline(time ? std::optional(TimeRange{time->first, time->second}) : std::nullopt);
    });
    return text;
}

/// The column counts or numbers, and its cells are whole numbers or nothing.
bool is_whole(const Sheet& sheet, std::size_t column) {
    return sheet.columns[column].style == NumberStyle::whole &&
           std::ranges::all_of(
               sheet.rows,
               [&](const auto& cells) {
                   const auto* const number = std::get_if<double>(&cells[column]);
                   return number == nullptr || !std::isfinite(*number) ||
                          (std::abs(*number) < 1e15 && std::trunc(*number) == *number);
               });
}

QueryValue value_of_cell(const Cell& cell, bool whole) {
    if (const auto* const number = std::get_if<double>(&cell); number != nullptr && std::isfinite(*number))
        return whole ? QueryValue(static_cast<std::int64_t>(*number)) : QueryValue(*number);
    if (const auto* const text = std::get_if<std::string>(&cell))
        return std::string_view(*text);
    return {};
}

void fill(ResultColumns& columns, const Sheet& sheet) {
    std::vector<std::string> titles;
    std::vector<bool> whole;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
        titles.push_back(sheet.columns[i].title);
        whole.push_back(is_whole(sheet, i));
    }
    columns.columns(titles);
    for (const auto& cells : sheet.rows) {
        std::vector<QueryValue> values;
        values.reserve(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            values.push_back(value_of_cell(cells[i], whole[i]));
        columns.row(values);
    }
}

/// (name, columns) of each.
py::list sheets(const Readings& readings) {
    std::vector<std::pair<std::string, ResultColumns>> filled;
    in_background(readings.budget(), [&](const std::stop_token&) {
        for (const Sheet& sheet : readings.sheets())
            fill(filled.emplace_back(sheet.name, ResultColumns()).second, sheet);
    });
    py::list list;
    for (auto& [name, columns] : filled)
        list.append(py::make_tuple(text_of(name), list_of(columns)));
    return list;
}

std::string gates(const Readings& readings, const std::vector<std::string>& arguments) {
    std::string text;
    in_background(readings.budget(), [&](const std::stop_token& stop) { text = readings.gates(arguments, stop); });
    return text;
}

void save(const Readings& readings, const std::vector<std::string>& arguments) {
    in_background(
        readings.budget(), [&](const std::stop_token& stop) { readings.save(arguments, stop); });
}

void export_trace(const Readings& readings, const std::vector<std::string>& arguments) {
    in_background(
        readings.budget(), [&](const std::stop_token& stop) { readings.export_trace(arguments, stop); });
}

std::string report(const Readings& readings, std::size_t columns) {
    std::string text;
    in_background(readings.budget(), [&](const std::stop_token&) {
        text = as_text(short_report(readings.analysed(), {}), {.columns = columns});
    });
    return text;
}

/// The columns of a lane as core has them.
py::dict events(const std::shared_ptr<Reading>& reading, int rank, std::size_t lane) {
    const RankTrace& trace = reading->rank(rank);
    if (lane >= trace.lanes.size())
        throw Failure{{Error::Code::usage, "rank %1 has no lane %2"_text(rank, std::to_string(lane))}};
    const EventTable& table = trace.events;
    const EventIndex begin = trace.lanes[lane].begin;
    const std::size_t count = trace.lanes[lane].end - begin;
    const py::object owner = py::cast(reading);
    const auto column = [&](const auto* values) { return view_of(values + begin, count, owner); };
    py::dict columns;
    columns["recorded_start_ns"] = column(table.start.data());
    columns["dur_ns"] = column(table.duration.data());
    columns["name_id"] = column(table.name.data());
    columns["kind_id"] = column(reinterpret_cast<const std::uint8_t*>(table.kind.data()));
    columns["begin"] = begin;
    return columns;
}

/// (id of the rank's first event, what makes a recorded time one since the run's first event).
std::pair<std::int64_t, std::int64_t> ids_and_clock(const Readings& readings, int rank) {
    std::optional<std::pair<std::int64_t, std::int64_t>> found;
    in_background(readings.budget(), [&](const std::stop_token&) {
        const QueryModel& model = *readings.model();
        for (std::size_t i = 0; i < model.ranks().size() && !found; ++i)
            if (model.ranks()[i].trace->rank == rank)
                found.emplace(model.ranks()[i].first_id, model.shift(i));
    });
    if (!found)
        throw Failure{{Error::Code::usage, "rank %1 has no trace"_text(rank)}};
    return *found;
}

py::list names(const Reading& reading, const std::vector<NameId>& ids) {
    const StringTable& table = *reading.run().names;
    py::list texts;
    for (const NameId id : ids)
        texts.append(text_of(table.view(id)));
    return texts;
}

py::list kind_words() {
    py::list words;
    for (std::size_t i = 0; i < kEventKindCount; ++i)
        words.append(text_of(event_kind_word(static_cast<EventKind>(i))));
    return words;
}

std::string predict(const Reading& reading, const std::vector<std::string>& arguments) {
    const Options options = Reading::options_of(arguments);
    std::string text;
    in_background(reading.budget(), [&](const std::stop_token&) {
        std::vector<AnalysedRun> run{reading.as_read()};
        relate_runs(run);
        run.front().predictions = run.front().analysis->predict(options.what_if);
        text = predictions_json(run).dump();
    });
    return text;
}

} // namespace

PYBIND11_MODULE(_core, module) {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(std::move(thrown));
        } catch (const Failure& failure) {
            raise(failure);
        }
    });
    py::class_<Reading, std::shared_ptr<Reading>>(module, "Reading")
        .def(
            "notices", [](const Reading& reading) { return notices_json(reading.as_read().notices).dump(); })
        .def("events", &events)
        .def("names", &names)
        .def("hta", &hta)
        .def("predict", &predict);
    py::class_<Readings, std::shared_ptr<Readings>>(module, "Readings")
        .def(py::init([](const std::vector<std::shared_ptr<Reading>>& readings) {
            return std::make_shared<Readings>(
                std::vector<std::shared_ptr<const Reading>>(readings.begin(), readings.end()));
        }))
        .def("document", &document)
        .def("report", &report)
        .def("csv", &csv)
        .def("gates", &gates)
        .def("timeline", &timeline)
        .def("sheets", &sheets)
        .def("save", &save)
        .def("export_trace", &export_trace)
        .def("query", &query)
        .def("table", &table)
        .def("ids_and_clock", &ids_and_clock);
    module.def("open", &open);
    module.def("trace_diff", &trace_diff);
    module.def("tables", &table_list_json);
    module.def("kind_words", &kind_words);
    // Copies for the cache are written in the background, and Python may end meanwhile.
    py::module_::import("atexit").attr("register")(
        py::cpp_function(&finish_cache_writes, py::call_guard<py::gil_scoped_release>()));
    module.attr("__version__") = kVersion;
}

} // namespace rankscope::python
