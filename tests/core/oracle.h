// SPDX-License-Identifier: GPL-3.0-or-later
// What the conformance test needs to compare with other tools: their CSV files, a tally, and the differences that
// tests/data/differences.md explains.
#pragma once
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include <QtGlobal>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace rankscope::oracle {

using CsvRow = std::map<std::string, std::string>;

/// The same text for Python's tuples and JSON: brackets, no quotes, no blanks.
inline std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const char bracket = c == '(' ? '[' : c == ')' ? ']' : c;
        if (bracket == ']' && !result.empty() && result.back() == ',')
            result.pop_back();
        if (c != ' ' && c != '\n' && c != '\'' && c != '"')
            result += bracket;
    }
    return result;
}

/// Fields of one record; quotes may enclose commas, doubled quotes and line breaks.
inline bool read_record(std::istream& in, std::vector<std::string>& fields) {
    fields.assign(1, {});
    bool quoted = false;
    bool any = false;
    for (int c = in.get(); c != EOF; c = in.get()) {
        any = true;
        if (quoted && c == '"' && in.peek() == '"')
            fields.back() += static_cast<char>(in.get());
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c == '\n' && !quoted)
            return true;
        else if (c != '\r' || quoted)
            fields.back() += static_cast<char>(c);
    }
    return any;
}

inline std::vector<CsvRow> read_csv(const std::string& path) {
    std::ifstream in(path);
    std::vector<std::string> header;
    std::vector<std::string> fields;
    std::vector<CsvRow> rows;
    if (!read_record(in, header))
        return rows;
    while (read_record(in, fields)) {
        CsvRow row;
        for (std::size_t i = 0; i < std::min(header.size(), fields.size()); ++i)
            row[header[i]] = fields[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Every record as it is, header lines too.
inline std::vector<std::vector<std::string>> read_records(const std::string& path) {
    std::ifstream in(path);
    std::vector<std::vector<std::string>> records;
    std::vector<std::string> fields;
    while (read_record(in, fields))
        records.push_back(fields);
    return records;
}

/// NaN for an empty cell.
inline double number(const std::string& text) { return text.empty() ? std::nan("") : std::stod(text); }

/// HTA's folder names, and those of the traces they were made from.
inline const std::map<std::string, std::string> kHtaTraces{
    {"nccl_data", "nccl_a100"},
    {"ns_resolution", "resnet_v100_ns"},
    {"negative_queue", "sendrecv_1of16"},
    {"amd_mi250", "amd_mi250"},
    {"cp_alexnet", "critical_path/alexnet"},
    {"cp_event_sync", "critical_path/cuda_event_sync"},
    {"cp_event_sync_multi", "critical_path/cuda_event_sync_multi_stream"},
    {"cp_simple_add", "critical_path/simple_add"},
    {"trace_diff_control", "trace_diff_control"},
    {"trace_diff_test", "trace_diff_test"},
    {"derived_sendrecv_4rank", "derived_sendrecv_4rank"}};

/// A number as that file writes it: at most three decimals, "none" when there is none.
inline std::string short_number(double value) {
    if (!std::isfinite(value))
        return "none";
    char text[40];
    std::snprintf(text, sizeof text, "%.3f", value);
    std::string result = text;
    result.erase(result.find_last_not_of('0') + 1);
    if (result.ends_with('.'))
        result.pop_back();
    return result == "-0" ? "0" : result;
}

/// The rows of the tables there whose cells are: analysis, trace, field, theirs, ours, why.
inline std::set<std::vector<std::string>> documented_differences() {
    std::ifstream in(std::string(RANKSCOPE_SOURCE_DIR) + "/tests/data/differences.md");
    std::set<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("| "))
            continue;
        std::vector<std::string> cells;
        std::istringstream row(line.substr(1));
        for (std::string cell; std::getline(row, cell, '|');) {
            const auto begin = cell.find_first_not_of(' ');
            cells.push_back(begin == std::string::npos ? ""
                                                       : cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
        }
        if (cells.size() == 6) {
            cells.pop_back(); // why
            rows.insert(cells);
        }
    }
    return rows;
}

/// Counts agreement per analysis and keeps what differs.
class Comparison {
public:
    explicit Comparison(std::set<std::vector<std::string>> documented) : documented_(std::move(documented)) {}

    /// Both not a number: they agree that there is none.
    void compare(const std::string& analysis, const std::string& trace, const std::string& field, double theirs,
                 double ours, double tolerance) {
        Tally& tally = tallies_[analysis];
        ++tally.total;
        const bool neither = !std::isfinite(theirs) && !std::isfinite(ours);
        if (neither || std::abs(theirs - ours) <= tolerance) {
            ++tally.agree;
            return;
        }
        const std::vector<std::string> row{analysis, trace, field, short_number(theirs), short_number(ours)};
        const bool known = documented_.contains(row);
        tally.documented += known ? 1 : 0;
        (known ? met_ : unexplained_).push_back(row);
    }

    void print() const {
        for (const auto& [analysis, tally] : tallies_) {
            std::printf("%s: %d of %d values agree, %d differ on purpose\n", analysis.c_str(), tally.agree, tally.total,
                        tally.documented);
        }
        print_rows("differs as tests/data/differences.md explains", met_);
        print_rows("UNEXPLAINED", unexplained_);
        std::fflush(stdout);
    }

    [[nodiscard]] int total(const std::string& analysis) const {
        const auto found = tallies_.find(analysis);
        return found == tallies_.end() ? 0 : found->second.total;
    }
    [[nodiscard]] bool explained() const { return unexplained_.empty(); }
    /// Documented rows that no longer occur: the file would be wrong.
    [[nodiscard]] std::vector<std::vector<std::string>> stale() const {
        std::set<std::vector<std::string>> left = documented_;
        for (const auto& row : met_)
            left.erase(row);
        std::erase_if(left, [this](const auto& row) { return !tallies_.contains(row[0]); });
        return {left.begin(), left.end()};
    }

private:
    struct Tally {
        int total = 0;
        int agree = 0;
        int documented = 0;
    };
    static void print_rows(const char* title, const std::vector<std::vector<std::string>>& rows) {
        for (const auto& row : rows) {
            std::printf("  %s: | %s | %s | %s | %s | %s |\n", title, row[0].c_str(), row[1].c_str(), row[2].c_str(),
                        row[3].c_str(), row[4].c_str());
        }
    }

    std::set<std::vector<std::string>> documented_;
    std::map<std::string, Tally> tallies_;
    std::vector<std::vector<std::string>> met_;
    std::vector<std::vector<std::string>> unexplained_;
};

/// Analyses of the shared traces, each loaded once.
class SharedAnalyses {
public:
    /// nullptr after a failed load.
    const RunAnalysis* of(const std::string& trace) {
        auto& analysis = analyses_[trace];
        if (!analysis) {
            const auto run = load_run(std::string(RANKSCOPE_SHARED_DIR) + "/traces/" + trace);
            if (!run) {
                qWarning("%s: %s", trace.c_str(), english(run.error().message).c_str());
                return nullptr;
            }
            analysis = std::make_unique<RunAnalysis>(*run, Selection{});
        }
        return analysis.get();
    }

private:
    std::map<std::string, std::unique_ptr<RunAnalysis>> analyses_;
};

} // namespace rankscope::oracle
