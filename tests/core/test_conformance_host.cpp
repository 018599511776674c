// SPDX-License-Identifier: GPL-3.0-or-later
// How the host feeds the GPU: our numbers against HTA's and TraceLens's for the same traces. As in test_conformance.cpp, every
// difference must be a row of docs/accuracy.md.
#include <QtTest>

#include <filesystem>
#include <memory>

#include "core/analysis/hta_clock.h"
#include "core/input/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/core/oracle.h"

using namespace rankscope;
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;
constexpr double kExact = 1e-9;

double near(double theirs) {
    return 1e-9 * (1 + std::abs(theirs));
}

std::vector<double> columns_of(const HtaDescription& d) {
    return {static_cast<double>(d.count), d.mean, d.std, d.min, d.q25, d.q50, d.q75, d.max};
}
const std::vector<std::string> kDescribed{"count", "mean", "std", "min", "25%", "50%", "75%", "max"};

/// One rank of an HTA set with its rows.
struct HtaRank {
    const RankTrace* trace = nullptr;
    std::vector<HtaRow> rows;
};

} // namespace

class TestConformanceHost : public QObject {
    Q_OBJECT

    Comparison comparison_{documented_differences(std::string(RANKSCOPE_SOURCE_DIR) + "/docs/accuracy.md")};
    std::map<std::string, std::unique_ptr<RunAnalysis>> analyses_;

    /// nullptr after a failed load.
    const RunAnalysis* analysis_of(const std::string& trace) {
        auto& analysis = analyses_[trace];
        if (!analysis) {
            const auto run = load_run(kShared + "/traces/" + trace);
            if (!run) {
                qWarning("%s: %s", trace.c_str(), run.error().message.c_str());
                return nullptr;
            }
            analysis = std::make_unique<RunAnalysis>(*run, Selection{});
        }
        return analysis.get();
    }

    static std::map<std::string, HtaRank> rows_by_rank(const Run& run) {
        std::map<std::string, HtaRank> ranks;
        for (const auto& rank : run.ranks) {
            ranks[std::to_string(rank->rank)] = {rank.get(), hta_gpu_rows(*rank, hta_filter(run, false))};
        }
        return ranks;
    }

    static std::string file_of(const std::string& set, const std::string& name) {
        return kShared + "/oracle/hta/" + set + "/" + name + ".csv";
    }

    void compare_described(const std::string& analysis, const std::string& set, const std::string& where,
                           const std::vector<std::string>& record, std::size_t first, const HtaDescription* ours) {
        const std::vector<double> values = columns_of(ours == nullptr ? hta_describe({}) : *ours);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double theirs = number(record.at(first + i));
            comparison_.compare(analysis, set, where + " " + kDescribed[i], theirs, values[i], near(theirs));
        }
    }

    void compare_idle(const std::string& set, const RunAnalysis& analysis, bool include_last) {
        const std::string suffix = include_last ? "_inclast" : "";
        const HtaAnalysis& hta = include_last ? analysis.hta_with_last() : analysis.hta();
        std::map<std::string, const HtaIdle*> ours;
        for (std::size_t i = 0; i < hta.host.size(); ++i) {
            for (const HtaIdle& idle : hta.host[i].idle) {
                ours[std::to_string(analysis.run().ranks[i]->rank) + " " + std::to_string(idle.stream) + " " +
                     std::string(idle_cause_word(idle.cause))] = &idle;
            }
        }
        const auto rows = read_csv(file_of(set, "idle_time_breakdown" + suffix));
        if (!rows.empty()) {
            comparison_.compare("hta idle_time_breakdown", set + suffix, "rows", static_cast<double>(rows.size()),
                                static_cast<double>(ours.size()), 0);
        }
        for (const CsvRow& row : rows) {
            const std::string key = row.at("rank") + " " + row.at("stream") + " " + row.at("idle_category");
            const HtaIdle* idle = ours.contains(key) ? ours.at(key) : nullptr;
            comparison_.compare("hta idle_time_breakdown", set + suffix, key, number(row.at("idle_time")),
                                idle ? idle->time_us : std::nan(""), kExact);
            comparison_.compare("hta idle_time_breakdown", set + suffix, key + " ratio", number(row.at("idle_time_ratio")),
                                idle ? idle->ratio : std::nan(""), kExact);
        }
        if (include_last) {
            return;
        }
        const auto records = read_records(file_of(set, "idle_interval_stats")); // idle_category, rank, stream, count ...
        for (std::size_t i = 1; i < records.size(); ++i) {
            const std::string key = records[i][1] + " " + records[i][2] + " " + records[i][0];
            compare_described("hta idle_interval_stats", set, key, records[i], 3, ours.contains(key) ? &ours.at(key)->intervals : nullptr);
        }
    }

    void compare_launches(const std::string& set, const std::string& file, const std::map<std::string, HtaRank>& ranks, bool memory) {
        std::map<std::string, std::vector<HtaLaunch>> ours;
        for (const auto& [number, rank] : ranks) {
            ours[number] = hta_launches(*rank.trace, rank.rows);
            std::erase_if(ours[number], [&](const HtaLaunch& launch) { return launch.memory && !memory; });
        }
        const auto rows = read_csv(file_of(set, file));
        std::map<std::string, std::size_t> next;
        for (const CsvRow& row : rows) {
            const std::string& rank = row.at("rank");
            const std::size_t at = next[rank]++;
            const HtaLaunch none{kNoEvent, std::nan(""), std::nan(""), std::nan(""), false};
            const HtaLaunch& launch = at < ours[rank].size() ? ours[rank][at] : none;
            const std::string where = rank + " correlation " + row.at("correlation") + " ";
            comparison_.compare("hta " + file, set, where + "cpu", number(row.at("cpu_duration")), launch.call_us, kExact);
            comparison_.compare("hta " + file, set, where + "gpu", number(row.at("gpu_duration")), launch.kernel_us, kExact);
            comparison_.compare("hta " + file, set, where + "delay", number(row.at("launch_delay")), launch.delay_us, kExact);
        }
        for (const auto& [rank, launches] : ours) {
            if (!rows.empty()) {
                comparison_.compare("hta " + file, set, rank + " rows", static_cast<double>(next[rank]), static_cast<double>(launches.size()), 0);
            }
        }
    }

    void compare_queues(const std::string& set, const RunAnalysis& analysis, const std::map<std::string, HtaRank>& ranks) {
        const TimeNs zero = hta_first_start(analysis.run());
        std::map<std::string, std::vector<HtaQueuePoint>> points; // rank and stream
        std::map<std::string, std::size_t> next;
        for (const auto& [number, rank] : ranks) {
            for (const HtaQueuePoint& point : hta_queue(*rank.trace, rank.rows)) {
                points[number + " " + std::to_string(point.stream)].push_back(point);
            }
        }
        for (const CsvRow& row : read_csv(file_of(set, "queue_length_time_series"))) {
            const std::string key = row.at("rank") + " " + row.at("stream");
            const std::size_t at = next[key]++;
            const bool there = at < points[key].size();
            const HtaQueuePoint point = there ? points[key][at] : HtaQueuePoint{};
            const RankTrace& trace = *ranks.at(row.at("rank")).trace;
            const std::string where = key + " point " + std::to_string(at);
            comparison_.compare("hta queue_length_time_series", set, where + " index", number(row.at("index")),
                                there ? static_cast<double>(trace.events.ordinal[point.event]) : std::nan(""), 0);
            comparison_.compare("hta queue_length_time_series", set, where + " ts", number(row.at("ts")),
                                there ? static_cast<double>(point.time - zero) / 1000.0 : std::nan(""), 0);
            comparison_.compare("hta queue_length_time_series", set, where + " length", number(row.at("queue_length")),
                                there ? static_cast<double>(point.length) : std::nan(""), 0);
        }
        std::map<std::string, HtaDescription> summaries;
        for (const auto& [key, stream] : points) {
            if (!stream.empty()) {
                summaries[key] = hta_queue_summary(stream).front().length;
            }
        }
        const auto records = read_records(file_of(set, "queue_length_summary")); // three header lines
        for (std::size_t i = 3; i < records.size(); ++i) {
            const std::string key = records[i][0] + " " + records[i][1];
            compare_described("hta queue_length_summary", set, key, records[i], 2, summaries.contains(key) ? &summaries.at(key) : nullptr);
        }
    }

    /// HTA keeps one stream of each rank, the last.
    void compare_full_queue(const std::string& set, const RunAnalysis& analysis, const std::map<std::string, HtaRank>& ranks,
                            std::int64_t limit) {
        const std::string file = "blocked_on_full_queue_" + std::to_string(limit);
        std::set<std::string> listed;
        for (const CsvRow& row : read_csv(file_of(set, file))) {
            const HtaRank& rank = ranks.at(row.at("rank"));
            const std::string key = row.at("rank") + " " + row.at("stream");
            double full = std::nan("");
            for (const HtaQueueSummary& queue : hta_queue_summary(hta_queue(*rank.trace, rank.rows), limit)) {
                if (std::to_string(queue.stream) == row.at("stream")) {
                    full = queue.full_us;
                }
            }
            const double span = static_cast<double>(hta_start_span(*rank.trace, rank.rows, hta_filter(analysis.run(), false))) / 1000.0;
            comparison_.compare("hta " + file, set, key, number(row.at("duration_at_max_queue_length")), full, kExact);
            comparison_.compare("hta " + file, set, key + " relative", number(row.at("relative_duration_at_max_queue_length")),
                                full / span, kExact);
            listed.insert(row.at("rank"));
        }
        if (!std::filesystem::exists(file_of(set, file))) {
            return;
        }
        for (const auto& [number, rank] : ranks) {
            double full = 0;
            for (const HtaQueueSummary& queue : hta_queue_summary(hta_queue(*rank.trace, rank.rows), limit)) {
                full += queue.full_us;
            }
            if (!listed.contains(number)) {
                comparison_.compare("hta " + file, set, number + " none", 0, full, 0);
            }
        }
    }

    void compare_bandwidth(const std::string& set, const RunAnalysis& analysis, const std::map<std::string, HtaRank>& ranks) {
        const TimeNs zero = hta_first_start(analysis.run());
        std::map<std::string, std::vector<HtaBandwidthPoint>> points; // rank and name
        std::map<std::string, std::size_t> next;
        for (const auto& [number, rank] : ranks) {
            for (const HtaBandwidthPoint& point : hta_memory_bandwidth(*rank.trace, rank.rows)) {
                points[number + " " + point.name].push_back(point);
            }
        }
        for (const CsvRow& row : read_csv(file_of(set, "memory_bw_time_series"))) {
            const std::string key = row.at("rank") + " " + row.at("name");
            const std::size_t at = next[key]++;
            const bool there = at < points[key].size();
            const std::string where = key + " point " + std::to_string(at);
            comparison_.compare("hta memory_bw_time_series", set, where + " ts", number(row.at("ts")),
                                there ? static_cast<double>(points[key][at].time - zero) / 1000.0 : std::nan(""), 0);
            comparison_.compare("hta memory_bw_time_series", set, where, number(row.at("memory_bw_gbps")),
                                there ? points[key][at].gb_s : std::nan(""), kExact);
        }
        std::map<std::string, HtaDescription> summaries;
        for (const auto& [key, of_name] : points) {
            const auto summary = hta_bandwidth_summary(of_name);
            if (!summary.empty()) {
                summaries[key] = summary.front().gb_s;
            }
        }
        const auto records = read_records(file_of(set, "memory_bw_summary"));
        for (std::size_t i = 3; i < records.size(); ++i) {
            const std::string key = records[i][0] + " " + records[i][1];
            compare_described("hta memory_bw_summary", set, key, records[i], 2, summaries.contains(key) ? &summaries.at(key) : nullptr);
        }
    }

    void compare_annotations(const std::string& set, const std::string& file, const RunAnalysis& analysis, EventKind kind) {
        std::map<std::pair<std::string, std::string>, HtaKernel> ours;
        for (const auto& rank : analysis.run().ranks) {
            for (const HtaKernel& row : hta_annotations(*rank, hta_filter(analysis.run(), false), kind)) {
                ours[{std::to_string(rank->rank), row.name}] = row;
            }
        }
        const std::vector<std::pair<std::string, double HtaKernel::*>> columns{{"sum (us)", &HtaKernel::sum_us},
                                                                               {"max (us)", &HtaKernel::max_us},
                                                                               {"min (us)", &HtaKernel::min_us},
                                                                               {"stddev", &HtaKernel::std_us},
                                                                               {"mean (us)", &HtaKernel::mean_us}};
        const auto rows = read_csv(file_of(set, file));
        if (!rows.empty()) {
            comparison_.compare("hta " + file, set, "rows", static_cast<double>(rows.size()), static_cast<double>(ours.size()), 0);
        }
        for (const CsvRow& row : rows) {
            const auto found = ours.find({row.at("rank"), row.at("name")});
            for (const auto& [column, member] : columns) {
                const double theirs = number(row.at(column));
                comparison_.compare("hta " + file, set, row.at("rank") + " " + row.at("name") + " " + column, theirs,
                                    found == ours.end() ? std::nan("") : found->second.*member, near(theirs));
            }
        }
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/oracle")) {
            QSKIP("skipped: no shared traces");
        }
    }

    void htaIdleLaunchesQueuesAndBandwidth() {
        for (const auto& [set, trace] : kHtaTraces) {
            const RunAnalysis* analysis = analysis_of(trace);
            QVERIFY(analysis != nullptr);
            const auto ranks = rows_by_rank(analysis->run());
            compare_idle(set, *analysis, false);
            compare_idle(set, *analysis, true);
            compare_launches(set, "cuda_kernel_launch_stats", ranks, true);
            compare_launches(set, "cuda_kernel_launch_stats_nomem", ranks, false);
            compare_queues(set, *analysis, ranks);
            compare_full_queue(set, *analysis, ranks, 10);
            compare_full_queue(set, *analysis, ranks, 1024);
            compare_bandwidth(set, *analysis, ranks);
            compare_annotations(set, "cpu_user_annotation_breakdown", *analysis, EventKind::annotation);
            compare_annotations(set, "gpu_user_annotation_breakdown", *analysis, EventKind::gpu_annotation);
        }
        QVERIFY(comparison_.total("hta idle_time_breakdown") > 200);
        QVERIFY(comparison_.total("hta cuda_kernel_launch_stats") > 50000);
        QVERIFY(comparison_.total("hta queue_length_time_series") > 100000);
        QVERIFY(comparison_.total("hta memory_bw_time_series") > 10000);
    }

    void everyDifferenceIsDocumentedAndEveryDocumentedDifferenceIsMet() {
        comparison_.print();
        QVERIFY2(comparison_.explained(), "differences that docs/accuracy.md does not explain: see UNEXPLAINED above");
        for (const auto& row : comparison_.stale()) {
            QFAIL(("docs/accuracy.md lists a difference that no longer occurs: " + row[0] + ", " + row[1] + ", " + row[2]).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestConformanceHost)
#include "test_conformance_host.moc"
