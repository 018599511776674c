// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of GPUs: what their readers take from them, and how they are joined to the ranks.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/input/hardware/gpu_activity.h"
#include "core/input/hardware/hardware_join.h"
#include "core/input/hardware/log_times.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::hardware_logs_test {

namespace fs = std::filesystem;
using Q = HardwareQuantity;

namespace {

constexpr TimeNs kSecond = 1'000'000'000;
/// 2026-11-27 15:31:37 UTC
constexpr TimeNs kBase = TimeNs{1'795'793'497} * kSecond;

HardwareLog parsed(const std::string& text) {
    auto log = parse_hardware_log(text);
    return log ? std::move(*log) : HardwareLog();
}

/// A log of one GPU: a sample every 100 ms from second `from` after kBase on; busy: utilization by sample.
std::string smi_log(const std::vector<int>& busy, const std::string& hour = "15", double from = 0, int index = 0) {
    std::string text = "timestamp, index, clocks.current.sm [MHz], utilization.gpu [%]\n";
    for (std::size_t i = 0; i < busy.size(); ++i) {
        const int ms = static_cast<int>(std::lround(from * 1000)) + 37'000 + 100 * static_cast<int>(i);
        text += fmt::format("2026/11/27 {}:{:02}:{:02}.{:03}, {}, {} MHz, {} %\n", hour, 31 + ms / 60'000,
                            ms / 1000 % 60, ms % 1000, index, 1000 + i, busy[i]);
    }
    return text;
}

/// A rank whose GPU works from second begin to end after kBase.
TraceBuilder rank_busy(int rank, const std::vector<std::pair<double, double>>& seconds, TimeNs base = kBase) {
    TraceBuilder builder(rank);
    builder.base(base).file(fmt::format("/run/rank{}.json", rank));
    for (const auto& [begin, end] : seconds)
        builder.kernel("gemm", 7, begin * 1e6, (end - begin) * 1e6);
    return builder;
}

struct Joined {
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    std::vector<HardwareJoin> joins;
};

Joined joined(const std::vector<TraceBuilder>& builders, std::vector<std::pair<std::string, std::string>> logs) {
    const auto run = make_run(builders);
    Joined result;
    result.ranks = run->ranks;
    std::vector<HardwareLog> read;
    for (const auto& [path, text] : logs) {
        read.push_back(parsed(text));
        read.back().path = path;
    }
    result.joins = join_hardware_logs(read, result.ranks, *run->names);
    return result;
}

QString told(const HardwareJoin& join) { return QString::fromStdString(english(hardware_join_words(join))); }

std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

const fs::path kReal = fs::path(RANKSCOPE_SOURCE_DIR) / "tests/data/real";

} // namespace

class TestHardwareLogs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void columnsOfNvidiaSmiAreFoundByNameInAnyOrder() {
        const HardwareLog log =
            parsed("power.draw [W], clocks.current.sm [MHz], index, timestamp, temperature.gpu, "
                   "clocks_throttle_reasons.active, fan.speed [%], temperature.memory\n"
                   "352.58 W, 1980 MHz, 1, 2026/11/27 15:31:37.049, 41, 0x0000000000000004, [N/A], N/A\n"
                   "[Not Supported], 345 MHz, 0, 2026/11/27 15:31:37.051, 40, 0x0000000000000061, 30 %, 50\n"
                   "300.00 W, 1410 MHz, 1, 2026/11/27 15:31:38.049, 42, [Unknown Error], 30 %, 51\n");
        QCOMPARE(log.clock, HardwareClock::local);
        QCOMPARE(log.gpus.size(), 2UL);
        QCOMPARE(log.gpus[0].index, 0);
        const HardwareRow& first = log.gpus[0].rows[0];
        QVERIFY(std::isnan(first[Q::power]));
        QCOMPARE(first[Q::sm_clock], 345.0);
        QCOMPARE(first[Q::memory_temperature], 50.0);
        QCOMPARE(first.time, kBase + 51'000'000);
        QCOMPARE(first[Q::limited_by_heat], 1.0); // 0x40 and 0x20; 0x1 is idle
        QCOMPARE(first[Q::limited_by_power], 0.0);
        QCOMPARE(log.gpus[1].rows.size(), 2UL);
        const HardwareRow& second = log.gpus[1].rows[0];
        QCOMPARE(second[Q::power], 352.58);
        QCOMPARE(second[Q::limited_by_power], 1.0); // 0x4
        QCOMPARE(second[Q::limited_by_heat], 0.0);
        QVERIFY(std::isnan(second[Q::memory_temperature]));
        QVERIFY(std::isnan(log.gpus[1].rows[1][Q::limited_by_power])); // the reasons were not told
    }
    void aLogWithoutUnitsIsReadAlike() {
        const HardwareLog log =
            parsed("timestamp, index, power.draw [W], clocks.current.graphics [MHz], memory.used [MiB]\n"
                   "2026/11/27 15:31:37.049, 0, 352.58, 1965, 43110\n");
        QCOMPARE(log.gpus.at(0).rows.at(0)[Q::power], 352.58);
        QCOMPARE(log.gpus[0].rows[0][Q::sm_clock], 1965.0); // of the SMs where nothing else is logged
        QCOMPARE(log.gpus[0].rows[0][Q::memory_used], 43110.0);
    }
    void rowsWithoutAHeaderAreRefused() {
        const auto log = parse_hardware_log("2025/06/10 11:59:59.500, 0, 1980 MHz, 350.00 W\n");
        QVERIFY(!log && english(log.error().message).starts_with("it has no header"));
    }
    void reasonsMayBeColumnsOfTheirOwn() {
        const HardwareLog log =
            parsed("timestamp, uuid, clocks_event_reasons.sw_power_cap, clocks_event_reasons.hw_thermal_slowdown, "
                   "clocks_event_reasons.hw_slowdown\n"
                   "2026/11/27 15:31:37.049, GPU-1, Active, Not Active, Not Active\n"
                   "2026/11/27 15:31:37.149, GPU-1, Not Active, Active, Active\n"
                   "2026/11/27 15:31:37.249, GPU-1, Not Active, Not Active, Active\n");
        const HardwareLog brake = parsed("timestamp, index, clocks_event_reasons.active\n"
                                         "2026/11/27 15:31:37.049, 0, 0x0000000000000088\n");
        QCOMPARE(brake.gpus.at(0).rows.at(0)[Q::limited_by_brake], 1.0);
        QCOMPARE(brake.gpus[0].rows[0][Q::limited_by_power], 0.0);
        QCOMPARE(brake.gpus[0].rows[0][Q::slowed_down], 0.0); // the brake is why
        const auto& rows = log.gpus.at(0).rows;
        QCOMPARE(log.gpus[0].uuid, std::string("GPU-1"));
        QCOMPARE(rows.at(0)[Q::limited_by_power], 1.0);
        QCOMPARE(rows.at(1)[Q::limited_by_heat], 1.0);
        QCOMPARE(rows.at(1)[Q::slowed_down], 0.0); // the heat is why
        QCOMPARE(rows.at(2)[Q::slowed_down], 1.0);
    }
    void theRealLogsOfAnH200AreRead() {
        const HardwareLog smi = parsed(content(kReal / "hardware/nvidia-smi.csv"));
        QCOMPARE(smi.rows, 138UL);
        QCOMPARE(smi.malformed, 0UL);
        QCOMPARE(smi.gpus.size(), 1UL);
        QCOMPARE(smi.gpus[0].uuid, std::string("GPU-90706cfe-6140-9202-6c8a-1f2cff166be4"));
        QCOMPARE(smi.gpus[0].rows.front().time, kBase + 49'000'000);
        QCOMPARE(smi.gpus[0].rows.front()[Q::power_limit], 700.0);
        QCOMPARE(smi.gpus[0].rows.back()[Q::sm_clock], 345.0);
        QCOMPARE(smi.gpus[0].rows.back()[Q::pcie_width], 16.0);
        const HardwareLog dmon = parsed(content(kReal / "hardware/nvidia-smi-dmon.txt"));
        QCOMPARE(dmon.rows, 14UL);
        QCOMPARE(dmon.malformed, 0UL);
        QCOMPARE(dmon.clock, HardwareClock::local);
        QCOMPARE(dmon.gpus.at(0).rows.at(1).time, kBase + kSecond);
        QCOMPARE(dmon.gpus[0].rows[1][Q::utilization], 99.0);
        QCOMPARE(dmon.gpus[0].rows[1][Q::pcie_received], 14017.0);
        QCOMPARE(dmon.gpus[0].rows[1][Q::sm_clock], 1980.0);
    }
    void dmonWithATimeOfDayGoesOnAfterMidnight() {
        const HardwareLog log = parsed("#Time        gpu    pwr  pviol  tviol\n#HH:MM:SS    Idx      W      %   bool\n"
                                       " 23:59:59      0    344     50      1\n"
                                       " 00:00:01      0      -      0      0\n");
        QCOMPARE(log.clock, HardwareClock::of_day);
        const auto& rows = log.gpus.at(0).rows;
        QCOMPARE(rows.at(1).time - rows.at(0).time, 2 * kSecond);
        QCOMPARE(rows[0][Q::limited_by_power], 0.5);
        QCOMPARE(rows[0][Q::limited_by_heat], 1.0);
        QVERIFY(std::isnan(rows[1][Q::power]));
    }
    void dmonWithoutTimesIsNotJoined() {
        const std::string text = "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n"
                                 "# Idx     W     C     C     %     %     %     %   MHz   MHz\n"
                                 "    0    70    48     -     5     1     0     0  7000  1350\n";
        QCOMPARE(parsed(text).gpus.at(0).rows.at(0)[Q::memory_clock], 7000.0);
        const Joined run = joined({rank_busy(0, {{0, 1}})}, {{"/run/dmon.txt", text}});
        QCOMPARE(told(run.joins.at(0)), QString("nvidia-smi dmon: not joined, because it has no times"));
        QVERIFY(run.ranks[0]->counters.empty());
    }
    void amdSmiTellsTheClockOfEachDie() {
        const HardwareLog log =
            parsed("timestamp,gpu,gfx_activity,umc_activity,vcn_activity,socket_power,throttle_status,gfx_0_clk,"
                   "gfx_0_max_clk,gfx_1_clk,mem_0_clk,edge,hotspot,mem\n"
                   "1795793497,0,95,80,\"['N/A', 'N/A']\",288,UNTHROTTLED,2000,2400,2200,1900,N/A,44,24\n"
                   "1795793498,0,95,80,\"['N/A', 'N/A']\",289,THROTTLED,1000,2400,N/A,1900,N/A,45,25\n");
        QCOMPARE(log.format, HardwareFormat::amd_smi);
        QCOMPARE(log.clock, HardwareClock::unix_time);
        const auto& rows = log.gpus.at(0).rows;
        QCOMPARE(rows.at(0).time, kBase);
        QCOMPARE(rows[0][Q::sm_clock], 2100.0);
        QCOMPARE(rows[0][Q::utilization], 95.0);
        QCOMPARE(rows[0][Q::temperature], 44.0);
        QCOMPARE(rows[0][Q::memory_temperature], 24.0);
        QCOMPARE(rows[0][Q::slowed_down], 0.0);
        QCOMPARE(rows.at(1)[Q::sm_clock], 1000.0);
        QCOMPARE(rows[1][Q::slowed_down], 1.0);
        const HardwareLog monitor =
            parsed("timestamp,gpu,power_usage,hotspot_temperature,memory_temperature,gfx_clk,gfx,"
                   "mem,mem_clock\n1795793497,3,750,60,50,2100,98,40,1900\n");
        QCOMPARE(monitor.gpus.at(0).index, 3);
        QCOMPARE(monitor.gpus[0].rows.at(0)[Q::memory_utilization], 40.0);
        QCOMPARE(monitor.gpus[0].rows[0][Q::memory_temperature], 50.0);
        QCOMPARE(monitor.gpus[0].rows[0][Q::utilization], 98.0);
    }
    void rocmSmiHasTheTimeOfTheLineBefore() {
        const HardwareLog log = parsed(
            "# rankscope host=node7 time=1795793497.5\n"
            "device,Temperature (Sensor junction) (C),sclk clock speed:,Current Socket Graphics Package Power (W),GPU "
            "use (%)\ncard0,45.0,(2100Mhz),288.0,95\ncard1,46.0,(2050Mhz),290.0,96\n\n"
            "# rankscope time=1795793498.5\ndevice,Temperature (Sensor junction) (C),sclk clock speed:,Current "
            "Socket Graphics Package Power (W),GPU use (%)\ncard0,45.0,(1700Mhz),288.0,95\n");
        QCOMPARE(log.gpus.size(), 2UL);
        QCOMPARE(log.gpus[0].host, std::string("node7"));
        QCOMPARE(log.gpus[0].rows.at(1).time, kBase + kSecond + kSecond / 2);
        QCOMPARE(log.gpus[0].rows[1][Q::sm_clock], 1700.0);
        QCOMPARE(log.gpus[1].rows.at(0)[Q::utilization], 96.0);
    }
    void dcgmTellsHostAndUuid() {
        const std::string labels =
            "gpu=\"0\",UUID=\"GPU-b9f9\",device=\"nvidia0\",modelName=\"NVIDIA H100\",Hostname=\"node7\"";
        const HardwareLog log = parsed(
            fmt::format("# rankscope time=1795793497\n# HELP DCGM_FI_DEV_SM_CLOCK SM clock frequency (in MHz).\n"
                        "# TYPE DCGM_FI_DEV_SM_CLOCK gauge\nDCGM_FI_DEV_SM_CLOCK{{{0}}} "
                        "1410\nDCGM_FI_DEV_POWER_USAGE{{{0}}} 698.5\n"
                        "DCGM_FI_DEV_CLOCKS_EVENT_REASONS{{{0}}} 4\nDCGM_FI_PROF_NVLINK_TX_BYTES{{{0}}} 2500000\n"
                        "DCGM_FI_DEV_SM_CLOCK{{{0}}} 1380 1795793499000\n",
                        labels));
        QCOMPARE(log.gpus.size(), 1UL);
        QCOMPARE(log.gpus[0].host, std::string("node7"));
        QCOMPARE(log.gpus[0].uuid, std::string("GPU-b9f9"));
        QCOMPARE(log.gpus[0].rows.size(), 2UL);
        const HardwareRow& row = log.gpus[0].rows[0];
        QCOMPARE(row.time, kBase);
        QCOMPARE(row[Q::sm_clock], 1410.0);
        QCOMPARE(row[Q::power], 698.5);
        QCOMPARE(row[Q::limited_by_power], 1.0);
        QCOMPARE(row[Q::nvlink_sent], 2.5);
        QCOMPARE(log.gpus[0].rows[1].time, kBase + 2 * kSecond);
    }
    void whatFitsNoHeaderIsCountedAndLeftOut() {
        const HardwareLog log =
            parsed("Failed to start\ntimestamp, index, utilization.gpu [%]\n"
                   "2026/11/27 15:31:37.049, 0, 5 %\n2026/11/27 15:31:37.149, 0\n"
                   "2026/99/27 15:31:37.249, 0, 5 %\n2026/11/27 25:31:37.349, 0, 5 %\n"
                   "timestamp, index, utilization.gpu [%]\n2026/11/27 15:31:38.049, 99999999999999, 7 %\n");
        QCOMPARE(log.rows, 2UL);
        QCOMPARE(log.malformed, 3UL);
        QCOMPARE(log.gpus.at(0).index, -1);
        for (const char* text : {"", "\n\n", "a,b\n1,2\n", "{\"traceEvents\": []}", "\xff\xfe\n"})
            QVERIFY(!parse_hardware_log(text));
    }
    void whatNoToolWritesIsRefused() {
        // A line of a million cells took 50 times its size.
        const HardwareLog log = parsed("timestamp, index, utilization.gpu [%]\n" + std::string(1'000'000, ',') +
                                       "\n2026/11/27 15:31:37.049, 0, 5 %\n");
        QCOMPARE(log.rows, 1UL);
        QCOMPARE(log.malformed, 1UL);
        std::string gpus;
        for (std::size_t i = 0; i <= kMostHardwareGpus; ++i)
            gpus += fmt::format("DCGM_FI_DEV_GPU_UTIL{{gpu=\"0\",Hostname=\"h{}\"}} 1 1795793497\n", i);
        const auto refused = parse_hardware_log(gpus);
        QVERIFY(!refused);
        QCOMPARE(english(refused.error().message),
                 std::string("it has more than 4194304 rows, or more than 16384 GPUs"));
    }
    void timesThatNoMachineHasAreLeftOut() {
        // Seconds beyond 64 bits of nanoseconds, milliseconds, and a year.
        const HardwareLog log = parsed("timestamp, index, utilization.gpu [%]\n31795793498, 0, 5\n9999999999999, 0, 5\n"
                                       "2100/11/27 15:31:37, 0, 5\n1795793497, 0, 5\n1795793498000, 0, 5\n");
        QCOMPARE(log.malformed, 3UL);
        QCOMPARE(log.gpus.at(0).rows.size(), 2UL);
        QCOMPARE(log.gpus[0].rows[1].time, kBase + kSecond);
    }
    /// Half a minute, when each host of a log looked at all others.
    void aLogOfManyHostsTakesTimeByTheirNumber() {
        std::string text;
        for (std::size_t i = 0; i < kMostHardwareGpus; ++i)
            text += fmt::format("DCGM_FI_DEV_GPU_UTIL{{gpu=\"0\",Hostname=\"h{}\"}} 1 1795793497\n", i);
        QElapsedTimer timer;
        timer.start();
        const Joined run = joined({rank_busy(0, {{1, 2}})}, {{"/run/dcgm.prom", text}});
        QVERIFY2(timer.elapsed() < 10'000, std::to_string(timer.elapsed()).c_str());
        QCOMPARE(run.joins.size(), kMostHardwareGpus);
    }
    /// 20 000 streams over an hour: half a minute, when each stream looked at all of the hour.
    void activityOfManyStreamsTakesTimeByTheirWork() {
        TraceBuilder builder(0);
        builder.base(kBase).file("/run/rank0.json");
        constexpr int kStreams = 20'000;
        for (int i = 0; i < kStreams; ++i)
            builder.kernel("gemm", i, 180'000.0 * i, 90'000);
        const auto run = make_run({builder});
        QElapsedTimer timer;
        timer.start();
        const std::vector<const RankTrace*> ranks{run->ranks[0].get()};
        const GpuActivity activity(ranks);
        QVERIFY2(timer.elapsed() < 3'000, std::to_string(timer.elapsed()).c_str());
        const auto share = activity.busy_share({kBase + 100 * kSecond, kBase + 1000 * kSecond}, 1);
        QVERIFY(share && std::abs(*share - 0.5) < 0.001);
    }
    /// A log of hours beside a trace of two days: minutes, when each zone and lag compared all rows.
    void ofALongLogAPartIsCompared() {
        const auto run = make_run({rank_busy(0, {{0, 172'800}})});
        const std::vector<const RankTrace*> ranks{run->ranks[0].get()};
        constexpr std::size_t kRows = 1'000'000;
        HardwareLog log;
        log.clock = HardwareClock::local;
        log.resolution = kSecond;
        log.gpus.resize(1);
        for (std::size_t i = 0; i < kRows; ++i) {
            HardwareRow row = empty_hardware_row();
            row.time = kBase + 86'400 * kSecond + static_cast<TimeNs>(i) * kSecond / 100;
            row.values[static_cast<std::size_t>(Q::utilization)] = 100;
            log.gpus[0].rows.push_back(row);
        }
        const std::vector<MatchedGpu> gpus{{log.gpus.data(), {0}, std::make_shared<GpuActivity>(ranks), kSecond}};
        QElapsedTimer timer;
        timer.start();
        const LogTimes times = log_times(log, gpus, false);
        QVERIFY2(timer.elapsed() < 15'000, std::to_string(timer.elapsed()).c_str());
        QVERIFY(english(times.why_not).find("several zones fit") != std::string::npos);
        QCOMPARE(fit_activity(gpus, 0, 0, 0).compared, kRows);
        QCOMPARE(fit_activity(gpus, 0, 0, 0, 4).compared, kRows / 4);
    }
    void theZoneFollowsFromTheOverlap() {
        // The GPU works in seconds 1 to 2 and 2.5 to 3; the log is an hour ahead and says just that.
        std::vector<int> busy(40, 0);
        for (int i = 12; i <= 20; ++i)
            busy[static_cast<std::size_t>(i)] = 100;
        for (int i = 27; i <= 30; ++i)
            busy[static_cast<std::size_t>(i)] = 100;
        const Joined run = joined({rank_busy(0, {{1, 2}, {2.5, 3}})}, {{"/run/smi.csv", smi_log(busy, "16")}});
        const HardwareJoin& join = run.joins.at(0);
        QVERIFY2(join.why_not.empty(), qPrintable(told(join)));
        QCOMPARE(join.offset, -3600 * kSecond);
        QCOMPARE(join.ranks, std::vector<int>{0});
        QVERIFY(join.compared >= 15);
        QVERIFY2(join.residual_points < 35, qPrintable(told(join)));
        const auto clock = hardware_samples(*run.ranks[0], Q::sm_clock);
        // Second 1 to second 3: samples 1010 to 1030.
        QCOMPARE(clock.front().time, kBase + kSecond);
        QCOMPARE(clock.front().value, 1010.0);
        QCOMPARE(clock.back().value, 1030.0);
        QCOMPARE(clock.size(), 21UL);
    }
    void aLogThatContradictsTheTraceIsNotJoined() {
        const Joined run = joined({rank_busy(0, {{1, 3}})}, {{"/run/smi.csv", smi_log(std::vector<int>(40, 0))}});
        QVERIFY(!run.joins.at(0).why_not.empty());
        QVERIFY2(told(run.joins[0]).contains("differs from the GPUs' activity in the traces by 100 percentage points"),
                 qPrintable(told(run.joins[0])));
        QVERIFY(run.ranks[0]->counters.empty());
    }
    void ofALogOfHoursTheActivityTellsTheZoneOrNothing() {
        // One sample a second for two hours: any of nine zones overlaps with a trace of ten seconds.
        const auto log = [](auto busy) {
            std::string text = "timestamp, index, clocks.current.sm [MHz], utilization.gpu [%]\n";
            for (int s = 0; s < 7200; ++s)
                text += fmt::format("2026/11/27 {:02}:{:02}:{:02}.000, 0, {} MHz, {} %\n", 14 + s / 3600, s / 60 % 60,
                                    s % 60, s, busy(s) ? 100 : 0);
            return text;
        };
        const std::vector<TraceBuilder> always{rank_busy(0, {{0, 10}})};
        const Joined even = joined(always, {{"/run/smi.csv", log([](int /*s*/) { return true; })}});
        QVERIFY2(told(even.joins.at(0)).contains("several zones fit"), qPrintable(told(even.joins[0])));
        QVERIFY(even.ranks[0]->counters.empty());
        // Busy only in the ten seconds from 15:31:37 on: no other zone fits.
        const int at = 5497; // s after 14:00:00
        const Joined one = joined(always, {{"/run/smi.csv", log([&](int s) { return s > at && s <= at + 10; })}});
        QVERIFY2(one.joins.at(0).why_not.empty(), qPrintable(told(one.joins[0])));
        QCOMPARE(one.joins[0].offset, 0);
        QCOMPARE(hardware_samples(*one.ranks[0], Q::sm_clock).front().value, static_cast<double>(at));
        // Where the log says its zone, nothing has to be guessed.
        const Joined sure = joined(always, {{"/run/smi.csv", "# rankscope host=node7 utc_offset=+0000\n" +
                                                                 log([](int /*s*/) { return true; })}});
        QVERIFY2(sure.joins.at(0).why_not.empty(), qPrintable(told(sure.joins[0])));
        QCOMPARE(sure.joins[0].clock, HardwareClock::unix_time);
        QCOMPARE(sure.joins[0].residual_points, 0.0);
    }
    void ofTracesWithoutATimeOfDayOnlyTheActivityTells() {
        // Seconds since the start of the program: busy at 2.0 to 2.6, 3.5 to 3.7 and 4.4 to 5.
        const std::vector<std::pair<double, double>> work{{2, 2.6}, {3.5, 3.7}, {4.4, 5}};
        // 12.3 s further on in the log, with the samples that a window of 200 ms gives.
        std::vector<int> busy(300, 0);
        for (int i = 0; i < 300; ++i)
            for (const auto& [begin, end] : work) {
                const double t = 0.1 * i - 12.3;
                const double inside = std::min(t, end) - std::max(t - 0.167, begin);
                busy[static_cast<std::size_t>(i)] += static_cast<int>(std::lround(100 * std::max(0.0, inside) / 0.167));
            }
        const Joined run = joined({rank_busy(0, work, 0)}, {{"/run/smi.csv", smi_log(busy)}});
        const HardwareJoin& join = run.joins.at(0);
        QVERIFY2(join.why_not.empty(), qPrintable(told(join)));
        QVERIFY(join.by_activity);
        QVERIFY2(std::abs(join.offset + kBase + 12'300'000'000) < 100'000'000, qPrintable(told(join)));
        const Joined even =
            joined({rank_busy(0, {{2, 5}}, 0)}, {{"/run/smi.csv", smi_log(std::vector<int>(300, 100))}});
        QVERIFY2(told(even.joins.at(0)).contains("does not tell where in the log"), qPrintable(told(even.joins[0])));
    }
    void eachRankGetsTheGpuOfItsDevice() {
        const auto log = [](int index) { return smi_log(std::vector<int>(20, 100), "15", 0, index); };
        const std::string both = log(0) + log(1);
        const auto rank = [](int number, int device) {
            TraceBuilder builder(number);
            builder.base(kBase)
                .file(fmt::format("/run/rank{}.json", number))
                .device(device)
                .kernel("gemm", 7, 5e5, 1e6);
            return builder;
        };
        const Joined two = joined({rank(0, 0), rank(1, 1)}, {{"/run/smi.csv", both}});
        QVERIFY2(two.joins.at(0).why_not.empty(), qPrintable(told(two.joins[0])));
        QCOMPARE(two.joins[0].gpus, 2UL);
        // Processes that each see one GPU: whose GPU 1 is, nobody wrote down.
        const Joined zero = joined({rank(0, 0), rank(1, 0)}, {{"/run/smi.csv", both}});
        QVERIFY2(told(zero.joins.at(0)).contains("2 ranks call theirs GPU 0"), qPrintable(told(zero.joins[0])));
        // Devices that start again: two machines, and the log is of one of them.
        const Joined machines = joined({rank(0, 0), rank(1, 1), rank(2, 0), rank(3, 1)}, {{"/run/smi.csv", both}});
        QVERIFY2(told(machines.joins.at(0)).contains("several machines"), qPrintable(told(machines.joins[0])));
    }
    void hostsAndFoldersTellWhoseALogIs() {
        const auto rank = [](int number, const std::string& folder) {
            TraceBuilder builder(number);
            builder.base(kBase)
                .file("/run/" + folder + fmt::format("/rank{}.json", number))
                .kernel("gemm", 7, 5e5, 1e6);
            return builder;
        };
        const std::string log = smi_log(std::vector<int>(20, 100));
        const std::vector<TraceBuilder> ranks{rank(0, "node1"), rank(1, "node10")};
        const Joined beside = joined(ranks, {{"/run/node10/smi.csv", log}});
        QCOMPARE(beside.joins.at(0).ranks, std::vector<int>{1});
        QVERIFY(beside.ranks[0]->counters.empty());
        const Joined named = joined(ranks, {{"/run/a.csv", "# rankscope host=node1.cluster\n" + log},
                                            {"/run/b.csv", "# rankscope host=node3\n" + log}});
        QCOMPARE(named.joins.at(0).ranks, std::vector<int>{0});
        QVERIFY2(told(named.joins.at(1)).contains("no trace tells that it was recorded on node3"),
                 qPrintable(told(named.joins[1])));
    }
    void theRealLogsFitTheRealTraces() {
        for (const char* name : {"healthy", "host_sleep", "sync", "loader_stall", "pause"}) {
            QTemporaryDir folder;
            const fs::path run_folder = fs::path(folder.path().toStdString()) / "run";
            fs::copy(kReal / name, run_folder, fs::copy_options::recursive);
            fs::copy(kReal / "hardware", run_folder, fs::copy_options::recursive);
            const auto run = load_run(run_folder);
            QVERIFY(run);
            int logs = 0;
            for (const Notice& notice : (*run)->notices)
                if (notice.code == "hardware_log") {
                    ++logs;
                    qInfo("%s: %s", name, english(notice.message).c_str());
                }
            QCOMPARE(logs, 2);
            for (const auto& rank : (*run)->ranks) {
                const auto clock = hardware_samples(*rank, Q::sm_clock);
                QVERIFY(clock.size() >= 3);
                for (const CounterSample& sample : clock)
                    QCOMPARE(sample.value, 1980.0);
                QVERIFY(!hardware_samples(*rank, Q::pcie_received).empty()); // of dmon
                QVERIFY(clock.front().time < rank->span.begin && clock.back().time > rank->span.end);
            }
        }
    }
};

RANKSCOPE_TEST(TestHardwareLogs)

} // namespace rankscope::hardware_logs_test

#include "test_hardware_logs.moc"
