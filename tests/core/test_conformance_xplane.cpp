// SPDX-License-Identifier: GPL-3.0-or-later
// Our numbers against what TraceLens prints for an XPlane profile of JAX. As in test_conformance.cpp, every difference
// must be a row of tests/data/differences.md.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/analysis/operators/operator_work.h"
#include "core/base/statistics.h"
#include "core/metrics/catalogue.h"
#include "tests/core/oracle.h"
#include "tests/support/test_program.h"

namespace rankscope::conformance_xplane_test {
using namespace rankscope::oracle;

namespace {

const std::string kShared = RANKSCOPE_SHARED_DIR;
const std::string kSet = "jax_conv_minimal";
constexpr double kUs = 1e-6; ///< TraceLens adds microseconds as doubles

double us(TimeNs time) { return static_cast<double>(time) / 1000; }

/// "((1, 16), (2,))" and "[[1, 16], [2]]", "('bf16',)" and "[\"bf16\"]" as the same text.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const char bracket = c == '(' ? '[' : c == ')' ? ']' : c;
        if (bracket == ']' && !result.empty() && result.back() == ',')
            result.pop_back();
        if (c != ' ' && c != '\'' && c != '"')
            result += bracket;
    }
    return result;
}

struct Kernel {
    std::string name;
    TimeNs start = 0;
    TimeNs duration = 0;
    TimeNs delay = 0; ///< from the start of its launch
    std::string dims;
    std::string types;
    std::int64_t flops = kUnknown;
};

std::vector<Kernel> kernels_of(const RankTrace& rank) {
    std::vector<Kernel> kernels;
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
        if (rank.events.kind[i] != EventKind::kernel)
            continue;
        Kernel kernel{
            std::string(rank.event_name(i)), rank.events.start[i], rank.events.duration[i], 0, {}, {}, kUnknown};
        if (const EventIndex call = rank.events.link[i]; call != kNoEvent)
            kernel.delay = kernel.start - rank.events.start[call];
        const EventIndex op = rank.gpu.operator_event[i];
        if (const auto inputs = op == kNoEvent ? std::nullopt : rank.inputs_of(op)) {
            kernel.dims = plain(rank.names->view(inputs->dims));
            kernel.types = plain(rank.names->view(inputs->types));
            kernel.flops = inputs->flops;
        }
        kernels.push_back(std::move(kernel));
    }
    std::ranges::sort(kernels, {}, &Kernel::start);
    return kernels;
}

} // namespace

class TestConformanceXplane : public QObject {
    Q_OBJECT

    Comparison comparison_{documented_differences()};
    SharedAnalyses analyses_;
    const RunAnalysis* analysis_ = nullptr;
    std::vector<Kernel> kernels_; ///< of GPU 7

    static std::vector<CsvRow> rows(const std::string& table) {
        return read_csv(kShared + "/oracle/tracelens/" + kSet + "/" + table + ".csv");
    }
    void compare(const std::string& table, const std::string& field, double theirs, double ours, double tolerance) {
        comparison_.compare("tracelens xplane " + table, kSet, field, theirs, ours, tolerance);
    }
    std::vector<TimeNs> durations(const std::string& name) const {
        std::vector<TimeNs> result;
        for (const Kernel& kernel : kernels_)
            if (kernel.name == name)
                result.push_back(kernel.duration);
        std::ranges::sort(result);
        return result;
    }
    TimeNs all_time() const {
        TimeNs sum = 0;
        for (const Kernel& kernel : kernels_)
            sum += kernel.duration;
        return sum;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(kShared + "/traces/xplane"))
            QSKIP("no shared traces");
        analysis_ = analyses_.of("xplane/" + kSet);
        QVERIFY(analysis_ != nullptr);
        // Of eight GPUs two did something: copies on the first, kernels on the last.
        QCOMPARE(analysis_->run().ranks.size(), std::size_t{2});
        QCOMPARE(analysis_->run().ranks[0]->rank, 0);
        QCOMPARE(analysis_->run().ranks[1]->rank, 7);
        QCOMPARE(analysis_->run().world_size, 8);
        kernels_ = kernels_of(*analysis_->run().ranks[1]);
        QCOMPARE(kernels_.size(), std::size_t{25});
    }

    void timelines() {
        const std::vector<std::string> ids{"gpu_timeline"};
        const Json details = compute_metrics(*analysis_, ids).entries.at(0).result.details;
        std::map<int, Json> by_rank;
        for (const Json& entry : details["per_rank"])
            by_rank[entry["rank"].get<int>()] = entry;
        std::map<std::string, double> sums;
        const auto key_of = [](const std::string& type) { return type.substr(0, type.rfind("_time")) + "_us"; };
        for (const CsvRow& row : rows("gpu_timeline")) {
            const Json& ours = by_rank.at(std::stoi(row.at("gpu_pid")) - 1);
            const double time = ours.at(key_of(row.at("type"))).get<double>();
            sums[row.at("type")] += time;
            const std::string where = row.at("gpu_pid") + " " + row.at("type");
            compare("gpu_timeline", where + " ms", number(row.at("time ms")), time / 1000, kUs);
            compare("gpu_timeline", where + " percent", number(row.at("percent")),
                    100 * time / ours.at("total_us").get<double>(), 1e-6);
        }
        for (const CsvRow& row : rows("gpu_events_averages")) {
            compare("gpu_events_averages", row.at("type") + " ms", number(row.at("time ms")),
                    sums[row.at("type")] / 2000, kUs);
            compare("gpu_events_averages", row.at("type") + " percent", number(row.at("percent")),
                    100 * sums[row.at("type")] / sums["total_time"], 1e-6);
        }
    }

    void every_kernel() {
        const auto theirs = rows("kernel_launchers");
        QCOMPARE(theirs.size(), kernels_.size());
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            QCOMPARE(kernels_[i].name, theirs[i].at("name"));
            QCOMPARE(kernels_[i].dims, plain(theirs[i].at("Input Dims")));
            QCOMPARE(kernels_[i].types, plain(theirs[i].at("Input type")));
            const std::string where = std::to_string(i);
            compare("kernel_launchers", where + " time", number(theirs[i].at("total_direct_kernel_time")),
                    us(kernels_[i].duration), kUs);
            compare("kernel_launchers", where + " launch", number(theirs[i].at("GPU_kernel_launch_latency")),
                    us(kernels_[i].delay), kUs);
        }
    }

    void sums_by_name() {
        double cumulative = 0;
        const double all = us(all_time());
        for (const CsvRow& row : rows("kernel_launchers_summary")) {
            const auto times = durations(row.at("name"));
            TimeNs sum = 0;
            for (const TimeNs time : times)
                sum += time;
            const std::string where = row.at("name").substr(0, 24);
            cumulative += 100 * us(sum) / all;
            compare("kernel_launchers_summary", where + " sum", number(row.at("total_direct_kernel_time_sum")), us(sum),
                    kUs);
            compare("kernel_launchers_summary", where + " count", number(row.at("Count")),
                    static_cast<double>(times.size()), 0);
            compare("kernel_launchers_summary", where + " percent", number(row.at("Percentage (%)")),
                    100 * us(sum) / all, 1e-6);
            compare("kernel_launchers_summary", where + " cumulative", number(row.at("Cumulative Percentage (%)")),
                    cumulative, 1e-6);
        }
        for (const CsvRow& row : rows("kernel_launchers_unique_args")) {
            const auto times = durations(row.at("name"));
            std::vector<double> values;
            double sum = 0;
            for (const TimeNs time : times) {
                values.push_back(us(time));
                sum += us(time);
            }
            const std::string where = row.at("name").substr(0, 24);
            const double mean = sum / static_cast<double>(values.size());
            double squares = 0;
            for (const double value : values)
                squares += (value - mean) * (value - mean);
            const std::string prefix = "total_direct_kernel_time_";
            compare("kernel_launchers_unique_args", where + " count", number(row.at("operation_count")),
                    static_cast<double>(values.size()), 0);
            compare("kernel_launchers_unique_args", where + " mean", number(row.at(prefix + "mean")), mean, kUs);
            compare("kernel_launchers_unique_args", where + " median", number(row.at(prefix + "median")),
                    values[values.size() / 2], kUs);
            compare("kernel_launchers_unique_args", where + " std", number(row.at(prefix + "std")),
                    std::sqrt(squares / static_cast<double>(values.size() - 1)), kUs);
            compare("kernel_launchers_unique_args", where + " min", number(row.at(prefix + "min")), values.front(),
                    kUs);
            compare("kernel_launchers_unique_args", where + " max", number(row.at(prefix + "max")), values.back(), kUs);
            compare("kernel_launchers_unique_args", where + " sum", number(row.at(prefix + "sum")), sum, kUs);
        }
    }

    /// Names without the numbers at their end.
    void xla_operators() {
        for (const CsvRow& row : rows("xla_summary")) {
            double sum = 0;
            int count = 0;
            for (const Kernel& kernel : kernels_)
                if (kernel.name.substr(0, kernel.name.find_last_not_of("0123456789") + 1) == row.at("name")) {
                    sum += us(kernel.duration);
                    ++count;
                }
            compare("xla_summary", row.at("name") + " sum", number(row.at("total_direct_kernel_time_sum")), sum, kUs);
            compare("xla_summary", row.at("name") + " count", number(row.at("Count")), count, 0);
        }
        // Bytes of the inputs: bf16 has two.
        std::size_t next = 0;
        for (const CsvRow& row : rows("df_xla_perf")) {
            while (next < kernels_.size() && kernels_[next].name != row.at("name"))
                ++next;
            QVERIFY(next < kernels_.size());
            double bytes = 0;
            for (const auto& dims : Json::parse(kernels_[next].dims)) {
                double elements = 1;
                for (const auto& dim : dims)
                    elements *= dim.get<double>();
                bytes += 2 * elements;
            }
            compare("df_xla_perf", row.at("name") + " " + std::to_string(next) + " bytes",
                    number(row.at("total_input_bytes")), bytes, 0);
            ++next;
        }
    }

    /// The arithmetic of the convolution, which TraceLens takes for one of a single channel.
    void convolution() {
        for (const CsvRow& row : rows("op_conv")) {
            const auto kernel = std::ranges::find(kernels_, row.at("name"), &Kernel::name);
            QVERIFY(kernel != kernels_.end());
            const std::string where = row.at("name").substr(0, 24);
            compare("op_conv", where + " GFLOPS_first", number(row.at("GFLOPS_first")),
                    static_cast<double>(kernel->flops) / 1e9, 1e-9);
            const auto times = durations(row.at("name"));
            double sum = 0;
            for (const TimeNs time : times)
                sum += us(time);
            compare("op_conv", where + " sum", number(row.at("Kernel Time (µs)_sum")), sum, kUs);
            compare("op_conv", where + " count", number(row.at("name_count")), static_cast<double>(times.size()), 0);
        }
    }

    void cleanupTestCase() {
        if (analysis_ == nullptr)
            return;
        comparison_.print();
        QVERIFY(comparison_.explained());
        QVERIFY(comparison_.stale().empty());
    }
};

RANKSCOPE_TEST(TestConformanceXplane)

} // namespace rankscope::conformance_xplane_test

#include "test_conformance_xplane.moc"
