// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that queries read, with what tables need beside the model: ids, clocks, classes, codes of names. Everything
// is computed on first use, once. Thread-safe.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/search/range_statistics.h"
#include "core/base/lazy.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"

namespace rankscope {

struct QueryRun {
    std::string label;
    std::string role; ///< "run", "baseline", "test"
    std::shared_ptr<const RunAnalysis> analysis;
    Notices notices = {};
};

/// A part of what changed between run 0 and another one. Times are of a step.
struct QueryChange {
    std::uint32_t run = 0; ///< the other one
    std::string part;
    std::string title;
    double baseline_ns = 0;
    double test_ns = 0;
    double difference_ns = 0;
    std::string cause; ///< may be empty
};

/// A rank of a run. Events of all ranks of all runs are numbered through: first_id + EventIndex is the id of an event.
struct QueryRank {
    std::uint32_t run = 0;   ///< index in QueryModel::runs
    std::uint32_t index = 0; ///< in Run::ranks
    const RankTrace* trace = nullptr;
    std::int64_t first_id = 0;
};

class QueryModel {
public:
    /// changes: asked once, when a query wants them; comparisons are of another layer. Without it there are none.
    explicit QueryModel(std::vector<QueryRun> runs, std::function<std::vector<QueryChange>()> changes = {});

    [[nodiscard]] std::span<const QueryRun> runs() const { return runs_; }
    [[nodiscard]] std::span<const QueryRank> ranks() const { return ranks_; } ///< by run, then rank
    [[nodiscard]] const Run& run(std::size_t run) const { return runs_[run].analysis->run(); }
    [[nodiscard]] std::int64_t event_count() const { return event_count_; }

    /// Index in ranks() of the rank that has this event; nothing: no event has that id.
    [[nodiscard]] std::optional<std::size_t> rank_of_id(std::int64_t id) const;
    [[nodiscard]] std::size_t rank_at(std::size_t run, std::size_t index) const { return first_rank_[run] + index; }

    /// Added to a recorded time: gives ns since the first event of the run, on the aligned clock.
    [[nodiscard]] TimeNs shift(std::size_t rank) const;
    [[nodiscard]] const std::vector<KernelClass>& classes(std::size_t rank) const;
    /// The profiler step an event belongs to, as in Selection; nullptr: none.
    [[nodiscard]] const ProfilerStep* step_of(std::size_t rank, EventIndex event) const;
    [[nodiscard]] const MetricReport& metrics(std::size_t run) const;
    [[nodiscard]] const std::vector<QueryChange>& changes() const; ///< by run

    /// codes()[run][NameId]: place of the name among all names of all runs in order of text; equal names, equal codes.
    struct NameCodes {
        std::vector<std::vector<std::uint32_t>> of_run;
        std::uint32_t count = 0;
    };
    [[nodiscard]] const NameCodes& name_codes() const;
    [[nodiscard]] std::size_t most_names() const; ///< at least the number of codes, without computing them
    /// Numbers of all profiler steps of all runs, ascending.
    [[nodiscard]] const std::vector<std::int64_t>& step_numbers() const { return step_numbers_; }

private:
    std::vector<QueryRun> runs_;
    std::vector<QueryRank> ranks_;
    std::vector<std::size_t> first_rank_; ///< by run
    std::vector<std::unique_ptr<RunClasses>> classes_;
    Lazy<std::vector<WorkSteps>> work_steps_; ///< by rank
    std::vector<std::int64_t> step_numbers_;
    std::int64_t event_count_ = 0;
    std::vector<Lazy<MetricReport>> metrics_;
    Lazy<NameCodes> name_codes_;
    std::function<std::vector<QueryChange>()> compare_;
    Lazy<std::vector<QueryChange>> changes_;
};

} // namespace rankscope
