// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that Python holds: read once, analysed when it first asks. Immutable, for any number of threads. Knows nothing
// of Python.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/command/batch_input.h"
#include "background.h"
#include "core/base/lazy.h"
#include "core/query/query.h"
#include "core/report/sheet.h"

namespace rankscope::python {

class Reading {
public:
    /// arguments: of the command line, with one run. Throws Failure.
    static std::shared_ptr<Reading> open(std::span<const std::string> arguments, const std::stop_token& stop,
                                         const std::function<void(const LoadProgress&)>& on_progress);
    static Options options_of(std::span<const std::string> arguments); ///< throws Failure

    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] Budget budget() const { return {options_.memory_bytes, options_.jobs}; }
    [[nodiscard]] const AnalysedRun& as_read() const { return read_.analysed; } ///< without metrics
    [[nodiscard]] const AnalysedRun& analysed() const;
    [[nodiscard]] const Run& run() const { return as_read().run(); }
    [[nodiscard]] const RankTrace& rank(int number) const; ///< throws Failure (usage): it has no trace

private:
    Options options_;
    ReadRun read_;
    Lazy<AnalysedRun> analysed_;
};

/// One run or several, the first of which is the baseline of the others.
class Readings {
public:
    explicit Readings(std::vector<std::shared_ptr<const Reading>> readings);

    [[nodiscard]] Budget budget() const { return readings_.front()->budget(); }
    [[nodiscard]] const std::vector<AnalysedRun>& analysed() const;
    [[nodiscard]] const std::shared_ptr<const QueryModel>& model() const; ///< computes nothing
    [[nodiscard]] std::string document() const;                           ///< rankscope.metrics.v1 (docs/cli.md)
    [[nodiscard]] std::vector<Sheet> sheets() const;                      ///< of report.xlsx
    /// A page with the timeline of report.html. time: since the first event; nothing: whole steps from the first one
    /// on.
    [[nodiscard]] std::string timeline(std::optional<TimeRange> time) const;
    /// One of the CSV files of --output: critical_path, operators, modules.
    [[nodiscard]] std::string csv(std::string_view file) const;
    /// `gates` of the document. arguments: with --gate, perhaps --history. Throws Failure.
    [[nodiscard]] std::string gates(std::span<const std::string> arguments, const std::stop_token& stop) const;
    /// Writes the files of --output. Throws Failure.
    void save(std::span<const std::string> arguments, const std::stop_token& stop) const;
    /// Writes the one of --export-trace. Throws Failure.
    void export_trace(std::span<const std::string> arguments, const std::stop_token& stop) const;
    /// Columns of a whole table, as read_table() gives them. Throws Failure.
    void table(const std::string& name, std::span<const std::string> columns,
               const std::function<void(std::size_t, const QueryValue&)>& take, const std::stop_token& stop) const;
    /// The one statement of the text. Throws Failure.
    void query(const std::string& sql, QuerySink& sink, const std::stop_token& stop) const;

private:
    std::vector<std::shared_ptr<const Reading>> readings_;
    Lazy<std::vector<AnalysedRun>> analysed_;
    Lazy<std::shared_ptr<const QueryModel>> model_;
};

} // namespace rankscope::python
