// SPDX-License-Identifier: GPL-3.0-or-later
// What logs of the GPUs say of a run: facts, and whether a clock explains a slow rank.
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/analysis/facts/hardware_facts.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "core/trace/held_values.h"
#include "core/views/all_facts.h"
#include "tests/support/simulator/recording.h"
#include "tests/support/simulator/truth.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::hardware_findings_test {

using namespace machine;
using Q = HardwareQuantity;

namespace {

constexpr TimeNs kMs = 1'000'000;

/// "2024/11/18 11:13:20.005": in a zone one hour ahead of UTC.
std::string local_time(TimeNs unix_ns) {
    const TimeNs local = unix_ns + 3600 * 1000 * kMs;
    const auto day = std::chrono::floor<std::chrono::days>(std::chrono::sys_time(std::chrono::nanoseconds(local)));
    const std::chrono::year_month_day date(day);
    const std::int64_t seconds = local / 1'000'000'000 % 86'400;
    return fmt::format("{}/{:02}/{:02} {:02}:{:02}:{:02}.{:03}", int(date.year()), unsigned(date.month()),
                       unsigned(date.day()), seconds / 3600, seconds / 60 % 60, seconds % 60, local / kMs % 1000);
}

/// The GPU of a rank, or of all, runs at 1755 / factor MHz and tells a reason from a recorded step on.
struct Throttle {
    int rank = -1; ///< -1: all
    double factor = 1;
    int first = 0;
    const char* reason = "0x0000000000000040"; ///< thermal, by the hardware
};

/// What nvidia-smi would have logged each 5 ms.
void write_log(const Job& job, const SimulatedJob& simulated, const Recording& recording, const Throttle& throttle,
               const std::filesystem::path& path) {
    std::ofstream log(path);
    log << "# rankscope host=node0 utc_offset=+0100\n"
           "timestamp, index, clocks.current.sm [MHz], clocks_event_reasons.active, power.draw [W], power.limit [W]\n";
    const double end = simulated.execution.step_ends.back();
    for (int rank = 0; rank < job.world(); ++rank) {
        const int before = job.steps_before + throttle.first - 1; // the last step of the program without it
        const auto r = static_cast<std::size_t>(rank);
        const double since =
            throttle.first == 0 ? 0 : simulated.execution.rank_step_ends[r][static_cast<std::size_t>(before)];
        for (double time = 0; time < end + 2e7; time += 5e6) {
            const bool slow = (throttle.rank < 0 || rank == throttle.rank) && time >= since;
            log << local_time(kBaseTime + recorded_time(recording, rank, time)) << ", " << rank << ", "
                << fmt::format("{:.2f} MHz, {}, {} W, 700.00 W\n", slow ? 1755 / throttle.factor : 1755,
                               slow ? throttle.reason : "0x0000000000000000", slow ? 698 : 600);
        }
    }
}

struct Analysed {
    std::shared_ptr<const RunAnalysis> analysis;
    Notices notices;
    [[nodiscard]] const Finding* straggler(int rank) const {
        for (const Finding& finding : analysis->findings().list)
            if (finding.code == FindingCode::straggler && finding.ranks == std::vector{rank})
                return &finding;
        return nullptr;
    }
    [[nodiscard]] std::string facts() const {
        std::string all;
        for (const std::string& sentence : english(all_fact_sentences(*analysis)))
            all += sentence + '\n';
        return all;
    }
};

Analysed analysed(const Job& job, const Throttle& throttle) {
    const SimulatedJob simulated = simulate(job);
    const Recording recording;
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    write_traces(job, simulated.program, simulated.execution, recording, path);
    write_log(job, simulated, recording, throttle, path / "nvidia-smi.csv");
    const auto run = load_run(path);
    return {std::make_shared<const RunAnalysis>(*run, Selection()), (*run)->notices};
}

Job quiet_job(double factor, int first) {
    Job job;
    job.dp = 4;
    job.steps = 10;
    job.kernel_noise = 0.002;
    job.rank_noise = 0;
    job.host_noise = 0.05;
    if (factor > 1) {
        Fault fault;
        fault.ranks = {2};
        fault.factor = factor;
        fault.first = first;
        job.faults = {fault};
    }
    return job;
}

double fact(const Finding& finding, FactName name) {
    const auto found = std::ranges::find(finding.facts, name, &FindingFact::name);
    return found == finding.facts.end() ? 0 : found->number;
}

/// Two ranks that compute for 10 ms; series, time (ms) and value of each sample.
std::shared_ptr<const Run> run_with(const std::vector<std::vector<std::tuple<Q, double, double>>>& samples) {
    std::vector<TraceBuilder> ranks;
    for (std::size_t r = 0; r < samples.size(); ++r) {
        TraceBuilder builder(static_cast<int>(r));
        builder.kernel("gemm", 7, 0, 10'000);
        for (const auto& [quantity, ms, value] : samples[r])
            builder.counter(std::string(hardware_series(quantity)), 1000 * ms, value);
        ranks.push_back(builder);
    }
    return make_run(ranks);
}

std::string sentences(const std::vector<std::vector<std::tuple<Q, double, double>>>& samples) {
    const auto facts = read_hardware(*run_with(samples));
    std::string all;
    if (facts)
        for (const auto& told : {hardware_fact_sentences(*facts), gpu_error_sentences(*facts)})
            for (const std::string& sentence : english(told))
                all += (all.empty() ? "" : " ") + sentence;
    return all;
}

} // namespace

class TestHardwareFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReadingHoldsUntilTheNext() {
        const HeldValues values({{0, 0, 1755}, {0, 100, 1200}, {0, 200, 1200}});
        QCOMPARE(values.mean({50, 150}).value_or(0), 1477.5);
        QCOMPARE(values.at(99).value_or(0), 1755.0);
        QVERIFY(!values.at(-1));
        QCOMPARE(values.at(499).value_or(0), 1200.0); // three times the usual distance
        QVERIFY(!values.at(500));
        QVERIFY(!values.mean({400, 700})); // a third of it is known
        QVERIFY(!values.mean({400, 600})); // nor is a reading in it or after it
        // Without a reading inside, the one before and the one after have to say the same.
        QVERIFY(!values.mean({50, 90}));
        QCOMPARE(values.mean({110, 190}).value_or(0), 1200.0);
        QVERIFY(!HeldValues().mean({0, 1}));
    }
    void factsSayWhatHoldsTheGpusBack() {
        // Held back in three of four readings.
        std::vector<std::tuple<Q, double, double>> at_limit{
            {Q::sm_clock, 0, 1410}, {Q::power, 0, 698}, {Q::power_limit, 0, 700}, {Q::limited_by_heat, 0, 0}};
        for (const double ms : {0.0, 2.5, 5.0, 7.5})
            at_limit.emplace_back(Q::limited_by_power, ms, ms > 0 ? 1 : 0);
        QCOMPARE(sentences({at_limit, at_limit}),
                 std::string("The power limit holds back all GPUs for 75 % of the time (698 of 700 W), at 1410 MHz on "
                             "mean."));
    }
    void clockAndPowerAreOfTheTimeThatIsHeldBack() {
        // From 5 ms on of 10; before that it runs free at 1980 MHz and 300 W.
        QCOMPARE(
            sentences({{{Q::sm_clock, 0, 1980},
                        {Q::sm_clock, 5, 1200},
                        {Q::power, 0, 300},
                        {Q::power, 5, 698},
                        {Q::power_limit, 0, 700},
                        {Q::power_limit, 5, 700},
                        {Q::limited_by_power, 0, 0},
                        {Q::limited_by_power, 5, 1},
                        {Q::limited_by_heat, 0, 0}}}),
            std::string("The power limit holds back the GPU of rank 0 for 50 % of the time (698 of 700 W), at 1200 "
                        "MHz on mean."));
        const HeldValues clock({{0, 0, 1980}, {0, 5, 1200}});
        QCOMPARE(clock.mean_while(HeldValues({{0, 0, 0.25}, {0, 5, 0.75}}), {0, 10}).value_or(0), 1395.0);
        QVERIFY(!clock.mean_while(HeldValues({{0, 0, 0}, {0, 5, 0}}), {0, 10}));
        QVERIFY(!clock.mean_while(HeldValues(), {0, 10}));
    }
    void oneHotGpuIsNamed() {
        QCOMPARE(sentences({{{Q::sm_clock, 0, 1980}, {Q::limited_by_power, 0, 0}, {Q::limited_by_heat, 0, 0}},
                            {{Q::sm_clock, 0, 1200}, {Q::limited_by_power, 0, 0}, {Q::limited_by_heat, 0, 1}}}),
                 std::string("The temperature limit holds back the GPU of rank 1 for 100 % of the time, at 1200 MHz on "
                             "mean."));
        QCOMPARE(sentences({{{Q::sm_clock, 0, 1980}, {Q::limited_by_power, 0, 0}, {Q::limited_by_heat, 0, 0}},
                            {{Q::sm_clock, 0, 1965}, {Q::limited_by_power, 0, 0}, {Q::limited_by_heat, 0, 0}}}),
                 std::string("No GPU is held back by power or temperature; they run at 1965 – 1980 MHz on mean."));
        // A reading in ten is held back, each for a cause of its own.
        std::vector<std::tuple<Q, double, double>> seldom{{Q::sm_clock, 0, 1980}};
        for (int i = 0; i < 10; ++i) {
            seldom.emplace_back(Q::limited_by_power, i, i == 2 ? 1 : 0);
            seldom.emplace_back(Q::limited_by_heat, i, i == 5 ? 1 : 0);
        }
        QCOMPARE(sentences({seldom}),
                 std::string("No single cause holds back a GPU for more than 10 % of the time; the "
                             "GPUs run at 1980 MHz on mean."));
        QCOMPARE(sentences({seldom, {}}),
                 std::string("No single cause holds back a GPU with a log for more than 10 % of "
                             "the time; these GPUs run at 1980 MHz on mean."));
    }
    void whatNoLogTellsIsNotSaid() {
        QCOMPARE(sentences({{}, {}}), std::string());
        // Clocks without reasons: nothing is said of limits.
        QCOMPARE(sentences({{{Q::sm_clock, 0, 1980}}, {{Q::sm_clock, 0, 1980}}}), std::string());
        QCOMPARE(
            sentences({{{Q::power, 0, 690}, {Q::power_limit, 0, 700}}, {{Q::power, 0, 300}, {Q::power_limit, 0, 700}}}),
            std::string("The power of the GPU of rank 0 is close to its limit, 690 of 700 W."));
        QCOMPARE(
            sentences({{{Q::sm_clock, 0, 1980}, {Q::limited_by_power, 0, 0}, {Q::limited_by_heat, 0, 0}}, {}}),
            std::string("None of the GPUs with a log is held back by power or temperature; they run at 1980 MHz on "
                        "mean."));
    }
    void linksAndErrorsAreTold() {
        QCOMPARE(
            sentences({{{Q::pcie_width, 0, 8}},
                       {{Q::pcie_width, 0, 16}, {Q::ecc_uncorrected, 0, 3}, {Q::ecc_uncorrected, 5, 5}}}),
            std::string("The PCIe link of the GPU of rank 0 has 8 lanes, that of others 16. The memory of the GPU of "
                        "rank 1 had 2 uncorrected ECC errors during the recording."));
    }
    /// Ten steps of 1000 us. All GPUs run at 900 MHz until step 5 and then at 1800, but rank 2's at 1200: there its
    /// kernels take 750 us instead of 500. Peers' clock is that of these steps, not their mean of 1350 MHz.
    void theClockOfPeersIsOfTheSameMoments() {
        CollectiveCall call;
        call.collective = "allreduce";
        call.in_elements = call.out_elements = 8'000'000;
        call.group = {"0", "default_pg", {0, 1, 2, 3}, 0};
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 4; ++rank) {
            TraceBuilder& trace = ranks.emplace_back(rank);
            for (int step = 0; step < 10; ++step) {
                const double start = 1000.0 * step;
                const double work = rank == 2 && step >= 5 ? 750 : 500;
                trace.step(step + 1, start, 1000)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, work)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work, 890 - work, call)
                    .runtime("cudaDeviceSynchronize", start + 8, 894)
                    .counter(std::string(hardware_series(Q::sm_clock)), start,
                             step < 5    ? 900
                             : rank == 2 ? 1200
                                         : 1800);
            }
        }
        const RunAnalysis analysis(make_run(ranks), {});
        const auto& list = analysis.findings().list;
        const auto slow = std::ranges::find(list, FindingCode::straggler, &Finding::code);
        QVERIFY(slow != list.end());
        QCOMPARE(fact(*slow, FactName::sm_clock_mhz), 1200.0);
        QCOMPARE(fact(*slow, FactName::sm_clock_of_peers_mhz), 1800.0);
    }
    void aThrottledGpuIsExplainedByItsLog_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("first");
        QTest::newRow("from the start") << 1.35 << 0;
        QTest::newRow("from step 14 on") << 1.25 << 4;
        QTest::newRow("a little") << 1.12 << 0;
    }
    void aThrottledGpuIsExplainedByItsLog() {
        QFETCH(double, factor);
        QFETCH(int, first);
        const Analysed run = analysed(quiet_job(factor, first), {2, factor, first});
        const Finding* finding = run.straggler(2);
        QVERIFY2(finding != nullptr, english(run.analysis->findings().summary).c_str());
        const std::string title = english(finding->title);
        const double explained = fact(*finding, FactName::explained_by_clock_ratio);
        const double ratio = fact(*finding, FactName::kernel_ratio);
        QVERIFY2(std::abs(explained / factor - 1) < 0.02, title.c_str());
        QVERIFY2(std::abs(explained / ratio - 1) < 0.02, title.c_str());
        const std::string clock =
            fmt::format("its GPU runs at {:.0f} instead of 1755 MHz (temperature limit)", 1755 / factor);
        if (first == 0)
            QVERIFY2(QString::fromStdString(title).contains(QString::fromStdString(clock)), title.c_str());
        QVERIFY2(QString::fromStdString(title).contains("(temperature limit): that explains 1."), title.c_str());
    }
    void aClockThatIsThePeersIsSaidNotToBeTheReason() {
        const Analysed run = analysed(quiet_job(1.3, 0), {2, 1, 0, "0x0000000000000000"});
        const Finding* finding = run.straggler(2);
        QVERIFY(finding != nullptr);
        const std::string title = english(finding->title);
        QVERIFY2(
            QString::fromStdString(title).contains("its GPU's clock is not the reason: 1755 MHz, 1755 on its peers"),
            title.c_str());
    }
    void gpusThatAreCappedAlikeAreAFact() {
        const Analysed run = analysed(quiet_job(1, 0), {-1, 1.25, 0, "0x0000000000000004"});
        QVERIFY2(
            QString::fromStdString(run.facts())
                .contains("The power limit holds back all GPUs for 100 % of the time (698 of 700 W), at 1404 MHz on "
                          "mean."),
            run.facts().c_str());
        QVERIFY(run.straggler(2) == nullptr);
    }
};

RANKSCOPE_TEST(TestHardwareFindings)

} // namespace rankscope::hardware_findings_test

#include "test_hardware_findings.moc"
