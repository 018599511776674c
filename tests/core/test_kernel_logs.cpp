// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel logs: which errors of GPUs their reader takes, whose they are, and when they were written.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/analysis/facts/hardware_facts.h"
#include "core/input/hardware/kernel_log_join.h"
#include "core/input/load/load_run.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::kernel_logs_test {

namespace fs = std::filesystem;
using Kind = GpuErrorKind;

namespace {

constexpr TimeNs kSecond = 1'000'000'000;
/// 2026-11-27 15:31:37 UTC
constexpr TimeNs kBase = TimeNs{1'795'793'497} * kSecond;
const std::string kFallen = "NVRM: Xid (PCI:0000:3b:00): 79, pid=7, name=python, GPU has fallen off the bus.\n";

/// A rank that works for 20 s from kBase on. bus: as Nsight Systems tells it.
TraceBuilder rank_on(int rank, const std::string& bus, const std::string& host = {}, TimeNs base = kBase) {
    TraceBuilder builder(rank);
    builder.base(base).file("/run/rank" + std::to_string(rank) + ".sqlite").kernel("gemm", 7, 0, 20e6);
    if (!bus.empty())
        builder.header("nsys.gpu_bus", bus);
    if (!host.empty())
        builder.header("nsys.host", host);
    return builder;
}

KernelLog log_of(const std::string& text, const fs::path& path = "/run/dmesg.txt") {
    KernelLog log = parse_kernel_log(text);
    log.path = path;
    return log;
}

KernelLogJoins joined(const std::vector<TraceBuilder>& ranks, const std::string& text,
                      std::span<const HardwareJoin> hardware = {}) {
    const auto run = make_run(ranks);
    const std::vector<KernelLog> logs{log_of(text)};
    return join_kernel_logs(logs, hardware, run->ranks);
}

QString words(const KernelLogJoin& join) { return QString::fromStdString(english(kernel_log_join_words(join))); }

/// A log of GPUs that was joined: the GPU at the bus is that of the first rank.
HardwareJoin smi_join(const std::string& bus, const fs::path& path, HardwareClock clock, TimeNs offset) {
    HardwareJoin join;
    join.log = path;
    join.clock = clock;
    join.offset = offset;
    join.ranks = {0};
    join.buses = {{bus, {0}}};
    return join;
}

} // namespace

class TestKernelLogs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBusIdIsReadWhereverItStands() {
        QCOMPARE(pci_bus_in("00000000:3B:00.0"), std::string("0000:3b:00")); // nvidia-smi
        QCOMPARE(pci_bus_in("PCI:0000:cb:00 GPU-I:05"), std::string("0000:cb:00"));
        QCOMPARE(pci_bus_in("00000009:01:00.0"), std::string("0009:01:00"));
        QCOMPARE(pci_bus_in("00010000:01:00.0"), std::string("10000:01:00"));
        QCOMPARE(pci_bus_in("pcieport 0000:3a:01.0: AER"), std::string("0000:3a:01"));
        for (const char* text : {"", "id=00e5", "15:31:37", "3b:00.0", "0000:3b", "[N/A]"})
            QCOMPARE(pci_bus_in(text), std::string());
    }
    void timesAreReadAsEachToolWritesThem_data() {
        QTest::addColumn<QByteArray>("stamp");
        QTest::addColumn<QString>("host");
        QTest::addColumn<qint64>("time"); // of the day, ms; -1: none
        QTest::addColumn<qint64>("zone"); // minutes; -1: not told
        const qint64 at = qint64{15 * 3600 + 31 * 60 + 37} * 1000;
        QTest::newRow("dmesg") << QByteArray("[12345.678901] ") << QString() << qint64{-1} << qint64{-1};
        QTest::newRow("dmesg -d") << QByteArray("[  +0.000844] ") << QString() << qint64{-1} << qint64{-1};
        QTest::newRow("dmesg -T") << QByteArray("[Fri Nov 27 15:31:37 2026] ") << QString() << at << qint64{-1};
        QTest::newRow("dmesg -x -T") << QByteArray("kern  :err   : [Fri Nov 27 15:31:37 2026] ") << QString() << at
                                     << qint64{-1};
        QTest::newRow("dmesg --time-format iso")
            << QByteArray("2026-11-27T15:31:37,049000+01:00 ") << QString() << at + 49 << qint64{60};
        QTest::newRow("journalctl") << QByteArray("Nov 27 15:31:37 node7 kernel: ") << QStringLiteral("node7") << at
                                    << qint64{-1};
        QTest::newRow("journalctl -o short-iso")
            << QByteArray("2026-11-27T15:31:37-0330 node7 kernel: ") << QStringLiteral("node7") << at << qint64{-210};
        QTest::newRow("journalctl -o short-full")
            << QByteArray("Fri 2026-11-27 15:31:37 UTC node7 kernel: ") << QStringLiteral("node7") << at << qint64{0};
        QTest::newRow("a zone of several meanings")
            << QByteArray("Fri 2026-11-27 15:31:37 CST node7 kernel: ") << QStringLiteral("node7") << at << qint64{-1};
        QTest::newRow("journalctl -o short-unix")
            << QByteArray("1795793497.250 node7 kernel: ") << QStringLiteral("node7") << at + 250 << qint64{0};
        QTest::newRow("rsyslog") << QByteArray("Nov 27 15:31:37 node7 kernel: [12345.678901] ")
                                 << QStringLiteral("node7") << at << qint64{-1};
        QTest::newRow("no stamp") << QByteArray() << QString() << qint64{-1} << qint64{-1};
    }
    void timesAreReadAsEachToolWritesThem() {
        QFETCH(const QByteArray, stamp);
        QFETCH(const QString, host);
        QFETCH(const qint64, time);
        QFETCH(const qint64, zone);
        const KernelLog log = parse_kernel_log(stamp.toStdString() + kFallen);
        QCOMPARE(log.messages.size(), 1UL);
        const KernelMessage& message = log.messages[0];
        QCOMPARE(message.xid, 79);
        QCOMPARE(message.bus, std::string("0000:3b:00"));
        QCOMPARE(QString::fromStdString(message.host), host);
        QCOMPARE(message.time.has_value(), time >= 0);
        if (!message.time)
            return;
        QCOMPARE(message.time->time % (86'400 * kSecond), time * 1'000'000);
        QCOMPARE(message.time->utc_offset.has_value(), zone != -1);
        QCOMPARE(message.time->utc_offset.value_or(-60 * kSecond), zone * 60 * kSecond);
        QCOMPARE(message.time->has_year, !stamp.startsWith("Nov"));
    }
    void errorsOfThePcieLinkCountOnce() {
        const KernelLog log =
            parse_kernel_log("[1.0] pcieport 0000:3a:00.0: AER: Corrected error received: 0000:3b:00.0\n"
                             "[1.1] nvidia 0000:3b:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, "
                             "(Receiver ID)\n"
                             "[1.2] nvidia 0000:3b:00.0:   device [10de:2330] error status/mask=00000001/0000a000\n"
                             "[2.0] pcieport 0000:3a:00.0: AER: Multiple Uncorrected (Fatal) error received: "
                             "0000:3b:00.0\n"
                             "[3.0] nvidia 0000:5d:00.0: AER: PCIe Bus Error: severity=Uncorrectable (Non-Fatal), "
                             "type=Transaction Layer, (Requester ID)\n"
                             "[4.0] pcieport 0000:00:1c.5: AER: Corrected error received: id=00e5\n"
                             "[5.0] nvidia 0000:3b:00.0: AER: can't recover (no error_detected callback)\n");
        QCOMPARE(log.messages.size(), 3UL);
        QVERIFY(log.messages[0].kind == Kind::pcie_corrected && log.messages[0].is_gpu);
        QVERIFY(log.messages[1].kind == Kind::pcie_fatal && log.messages[1].bus == "0000:3b:00");
        QVERIFY(!log.messages[1].is_gpu); // the port does not say what the device is
        QVERIFY(log.messages[2].kind == Kind::pcie_not_fatal && log.messages[2].bus == "0000:5d:00");
    }
    void kernelLogsAreToldByTheirLines() {
        QVERIFY(is_kernel_log("[    0.000000] Linux version 6.8.0\n"));
        QVERIFY(is_kernel_log("Nov 27 15:31:37 node7 kernel: usb 1-1: new device\n"));
        QVERIFY(is_kernel_log("grep of a log\n" + kFallen));
        QVERIFY(!is_kernel_log("Nov 27 15:31:37 node7 sshd[7]: the kernel: none\n"));
        QVERIFY(!is_kernel_log("[rank0]: loss 2.5\n[1/100] step\ntimestamp, index, power.draw [W]\n"));
        QVERIFY(!is_kernel_log(""));
        for (const char* text : {"NVRM: Xid (PCI:0000:3b:00", "NVRM: Xid (): 79", "NVRM: Xid (PCI:0000:3b:00): many",
                                 "NVRM: Xid (PCI:0000:3b:00): 0, x", "NVRM: Xid (PCI:0000:3b:00): 99999999999, x"})
            QVERIFY2(parse_kernel_log(text).messages.empty(), text);
    }
    void theTraceTellsWhoseGpuItIs() {
        // 12.3 s after the start of the trace, in a zone that is 1 h ahead.
        const KernelLogJoins told = joined({rank_on(0, "0000:18:00.0"), rank_on(5, "0000:3b:00.0")},
                                           "2026-11-27T16:31:49,300000+01:00 " + kFallen);
        QCOMPARE(told.joins.size(), 1UL);
        QCOMPARE(words(told.joins[0]),
                 QStringLiteral("GPU of rank 5 (PCI 0000:3b:00): Xid 79 (the GPU has fallen off the bus); times: 1; "
                                "the first 12.30 s into the recording"));
        QCOMPARE(told.errors, (std::vector<GpuError>{{{5}, Kind::xid, 79, kBase + 12'300'000'000}}));
    }
    void whatNobodyTellsIsNotClaimed() {
        // A Kineto trace names no bus.
        const KernelLogJoins unknown = joined({rank_on(0, "")}, "Nov 27 15:31:49 node7 kernel: " + kFallen);
        QVERIFY(unknown.errors.empty());
        QCOMPARE(words(unknown.joins.at(0)),
                 QStringLiteral("GPU at PCI 0000:3b:00 of node7: Xid 79 (the GPU has fallen off the bus); times: 1; no "
                                "trace and no log of GPUs tells whose it is"));
        // Two machines have a GPU there, and the log names neither.
        const std::vector<TraceBuilder> two{rank_on(0, "0000:3b:00.0", "node1"), rank_on(1, "0000:3b:00.0", "node2")};
        QVERIFY(joined(two, "[1.0] " + kFallen).joins.at(0).ranks.empty());
        QCOMPARE(joined(two, "Nov 27 15:31:49 node2 kernel: " + kFallen).joins.at(0).ranks, std::vector<int>{1});
        QVERIFY(joined(two, "Nov 27 15:31:49 node3 kernel: " + kFallen).joins.at(0).ranks.empty());
        // A disk or a network card at another bus.
        QVERIFY(joined(two, "[1.0] nvme 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer\n")
                    .joins.empty());
    }
    void whenIsSaidOnlyWhereTheZoneIsKnown() {
        const std::vector<TraceBuilder> one{rank_on(0, "0000:3b:00.0")};
        const auto first = [&](const std::string& stamp) { return joined(one, stamp + kFallen).joins.at(0); };
        QVERIFY(words(first("[12345.6] ")).endsWith("; the log does not tell when in the recording"));
        QVERIFY(!first("[Fri Nov 27 15:31:49 2026] ").first);
        QCOMPARE(first("# rankscope utc_offset=+0100\n[Fri Nov 27 16:31:49 2026] ").first, 12 * kSecond);
        // No year: that of the trace.
        QCOMPARE(first("# rankscope utc_offset=+0000\nNov 27 15:31:39 node7 kernel: ").first, 2 * kSecond);
        QVERIFY(
            words(first("1795793467 node7 kernel: ")).endsWith("does not tell when in the recording")); // no fraction
        QVERIFY(words(first("1795793467.0 node7 kernel: ")).endsWith("; the first 30.00 s before the recording"));
        QVERIFY(
            words(first("1795793527.5 node7 kernel: ")).endsWith("; the first 10.50 s after the end of the recording"));
        // Times of the trace count from its start: nothing tells when that was.
        QVERIFY(
            !joined({rank_on(0, "0000:3b:00.0", {}, 0)}, "1795793497.0 node7 kernel: " + kFallen).joins.at(0).first);
        // 29 February of the year before a leap year is the 28th.
        constexpr TimeNs kDay = 86'400 * kSecond;
        QCOMPARE(in_year_of((2 * 365 + 59) * kDay + 5, 366 * kDay), (365 + 58) * kDay + 5);
    }
    void aLogOfGpusTellsBusAndZone() {
        // The same machine's nvidia-smi log has local times, an hour ahead.
        const std::vector<TraceBuilder> one{rank_on(0, "")};
        const std::vector<HardwareJoin> hardware{
            smi_join("0000:3b:00", "/run/smi.csv", HardwareClock::local, -3600 * kSecond)};
        const KernelLogJoins told = joined(one, "[Fri Nov 27 16:31:40 2026] " + kFallen, hardware);
        QCOMPARE(told.joins.at(0).ranks, std::vector<int>{0});
        QCOMPARE(told.joins[0].first, 3 * kSecond);
        // In another folder, and without a host, it may be of another machine.
        const std::vector<HardwareJoin> elsewhere{
            smi_join("0000:3b:00", "/run/node9/smi.csv", HardwareClock::local, -3600 * kSecond)};
        QVERIFY(joined(one, "[Fri Nov 27 16:31:40 2026] " + kFallen, elsewhere).joins.at(0).ranks.empty());
    }
    void theBusIsAColumnOfNvidiaSmiAndALabelOfDcgm() {
        // GPU 1 works from 15:31:37 to 57 UTC, as its log says; its traces name no bus.
        std::string text = "timestamp, index, pci.bus_id, utilization.gpu [%]\n";
        for (int s = 0; s < 20; ++s)
            text += fmt::format("2026/11/27 15:31:{}.500, 1, 00000000:3B:00.0, 100 %\n", 37 + s);
        TraceBuilder builder(4);
        builder.base(kBase).file("/run/rank4.json").device(1).kernel("gemm", 7, 0, 20e6);
        const auto run = make_run({builder});
        std::vector<HardwareLog> logs{parse_hardware_log(text).value_or(HardwareLog())};
        QCOMPARE(logs[0].gpus.at(0).bus, std::string("0000:3b:00"));
        logs[0].path = "/run/smi.csv";
        auto ranks = run->ranks;
        const auto hardware = join_hardware_logs(logs, ranks, *run->names);
        QCOMPARE(hardware.at(0).buses.size(), 1UL);
        const std::vector<KernelLog> kernel{log_of("[Fri Nov 27 15:31:40 2026] " + kFallen)};
        const KernelLogJoins told = join_kernel_logs(kernel, hardware, ranks);
        QCOMPARE(told.joins.at(0).ranks, std::vector<int>{4});
        QCOMPARE(told.joins[0].first, 3 * kSecond); // the log of GPUs has the same clock, and fits as UTC
        const auto dcgm = parse_hardware_log("DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",UUID=\"GPU-1\",pci_bus_id=\"00000000:"
                                             "5D:00.0\",Hostname=\"node7\"} 1410 1795793497000\n");
        QCOMPARE(dcgm.value().gpus.at(0).bus, std::string("0000:5d:00"));
    }
    /// The notice counted from the rank's own start, the fact from the run's: 284 beside 300 ms.
    void timesCountFromTheStartOfTheRun() {
        const std::vector<TraceBuilder> ranks{rank_on(0, "0000:1b:00.0"),
                                              rank_on(2, "0000:3b:00.0", {}, kBase + 2 * kSecond)};
        for (const TimeNs since : {1 * kSecond, 3 * kSecond}) { // before the rank's own start, and after it
            const KernelLogJoins told =
                joined(ranks, fmt::format("{}.0 node7 kernel: ", (kBase + since) / kSecond) + kFallen);
            QCOMPARE(told.joins.at(0).ranks, std::vector<int>{2});
            QCOMPARE(told.joins[0].first, since);
            Run with = *make_run(ranks);
            with.gpu_errors = told.errors;
            QCOMPARE(read_hardware(with)->errors.at(0).since_start, since);
        }
    }
    void factsSayWhatHappenedInsideTheRecording() {
        const auto run = make_run(std::vector<TraceBuilder>{rank_on(0, ""), rank_on(5, "")});
        Run with = *run;
        with.gpu_errors = {{{5}, Kind::xid, 63, kBase - kSecond},
                           {{5}, Kind::xid, 79, kBase + 12'300'000'000},
                           {{0}, Kind::pcie_corrected, 0, kBase + 13 * kSecond},
                           {{0}, Kind::pcie_corrected, 0, kBase + 14 * kSecond},
                           {{5}, Kind::xid, 45, kBase + 21 * kSecond}};
        const auto facts = read_hardware(with);
        QVERIFY(facts != nullptr);
        QCOMPARE(english(gpu_error_sentences(*facts)),
                 (std::vector<std::string>{
                     "By the kernel's log, the GPU of rank 5 reported Xid 79 (the GPU has fallen off the bus) 12.30 s "
                     "into the recording.",
                     "By the kernel's log, the GPU of rank 0 reported a corrected error of the PCIe link 2 times, the "
                     "first 13.00 s into the recording."}));
        QVERIFY(read_hardware(*run) == nullptr);
        QCOMPARE(english(gpu_error_words(Kind::xid, 7777)), std::string("Xid 7777")); // no meaning is made up
    }
    void aLogBesideAReportIsFound() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        {
            NsysExport report(path / "report.sqlite");
            report.session_start(kBase);
            report.run("CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, busLocation TEXT, smCount INTEGER);"
                       "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100', '0000:3b:00.0', 132)");
            report.kernel(0, 20 * kSecond, "gemm", {.device = 0, .correlation = 1});
            report.call(0, 10, "cudaLaunchKernel", nsys_tid(100, 100), 1);
        }
        std::ofstream(path / "kernel.txt") << "[    0.000000] Linux version 6.8.0\n"
                                           << "2026-11-27T15:31:49,300000+00:00 " << kFallen;
        std::ofstream(path / "train.log") << "loss 2.5\n";
        const auto run = load_run(path);
        QVERIFY(run);
        QCOMPARE((*run)->gpu_errors, (std::vector<GpuError>{{{0}, Kind::xid, 79, kBase + 12'300'000'000}}));
        QVERIFY(!(*run)->config.contains("trace.nsys.gpu_bus")); // no setting that two runs could differ in
        const auto notice = std::ranges::find((*run)->notices, "kernel_log", &Notice::code);
        QVERIFY(notice != (*run)->notices.end());
        QCOMPARE(notice->file, (path / "kernel.txt").string());
    }
};

RANKSCOPE_TEST(TestKernelLogs)

} // namespace rankscope::kernel_logs_test

#include "test_kernel_logs.moc"
