// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks share a machine, what the network of machines with such GPUs carries, and which GPU a name means.
#include <QTest>

#include "core/analysis/basics/gpu_names.h"
#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/network_limits.h"
#include "core/analysis/operators/peak_flops.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"

namespace rankscope::machines_test {
namespace {

struct TracedRank {
    int rank = 0;
    std::string file;
    std::int64_t device = 0;
    std::string host{}; ///< that Nsight Systems names
};

/// Threads are of process 100 + rank. gpus: listed by each rank.
Run run_of(const std::vector<TracedRank>& ranks, int world_size, std::size_t gpus = 0) {
    Run run;
    run.world_size = world_size;
    for (const TracedRank& each : ranks) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = each.rank;
        trace->file = each.file;
        Lane stream;
        stream.kind = LaneKind::gpu_stream;
        stream.device = each.device;
        Lane thread;
        thread.kind = LaneKind::cpu_thread;
        thread.process = std::to_string(100 + each.rank);
        trace->lanes = {stream, thread};
        trace->devices.resize(gpus);
        if (!each.host.empty())
            trace->header["nsys.host"] = each.host;
        run.ranks.push_back(std::move(trace));
    }
    for (int rank = 0; rank < world_size; ++rank)
        if (std::ranges::none_of(ranks, [&](const TracedRank& each) { return each.rank == rank; }))
            run.missing_ranks.push_back(rank);
    return run;
}

std::vector<TracedRank> ranks_on(const std::vector<std::int64_t>& devices, const std::string& file = "rank{}.json") {
    std::vector<TracedRank> ranks;
    for (int rank = 0; std::cmp_less(rank, devices.size()); ++rank) {
        std::string name = file;
        if (const std::size_t at = name.find("{}"); at != std::string::npos)
            name.replace(at, 2, std::to_string(rank));
        ranks.push_back({rank, name, devices[static_cast<std::size_t>(rank)]});
    }
    return ranks;
}

/// Of the groups {0, 1} and {1, 2}: "inside between".
std::string ways_of(const Run& run, int gpus_per_machine = 0) {
    const Machines machines(*with_gpus_per_machine(std::make_shared<const Run>(run), gpus_per_machine));
    std::string words;
    for (const std::vector<int>& group : {std::vector{0, 1}, std::vector{1, 2}}) {
        const Way way = machines.way(group);
        words += words.empty() ? "" : " ";
        words += way == Way::unknown ? "unknown" : way == Way::inside ? "inside" : "between";
    }
    return words;
}

std::vector<std::string> findings_of(const char* field_case, int gpus_per_machine = 0) {
    const std::string path = std::string(RANKSCOPE_SHARED_DIR "/traces/field_cases/") + field_case;
    if (!std::filesystem::exists(path))
        return {};
    const auto run = load_run(path);
    const RunAnalysis analysis(with_gpus_per_machine(*run, gpus_per_machine), {});
    std::vector<std::string> words{english(analysis.findings().summary)};
    for (const Finding& finding : analysis.findings().list)
        words.push_back(english(finding.title));
    for (const Message& text : analysis.findings().judged.not_judged)
        words.push_back(english(text));
    return words;
}

bool any_has(const std::vector<std::string>& texts, std::string_view part) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

} // namespace

class TestMachines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicesTellWhereBlocksOfRanksHaveOneEach_data() {
        QTest::addColumn<std::vector<std::int64_t>>("devices");
        QTest::addColumn<QString>("ways");
        using Devices = std::vector<std::int64_t>;
        QTest::newRow("one machine") << Devices{0, 1, 2, 3} << "inside inside";
        QTest::newRow("two machines") << Devices{0, 1, 0, 1} << "inside between";
        QTest::newRow("in another order inside them") << Devices{1, 0, 0, 1} << "inside between";
        QTest::newRow("every process sees one GPU") << Devices{0, 0, 0, 0} << "unknown unknown";
        QTest::newRow("ranks dealt to two machines in turn") << Devices{0, 0, 1, 1} << "unknown unknown";
        QTest::newRow("a rank without GPU work") << Devices{0, 1, -1, 1} << "unknown unknown";
    }
    void devicesTellWhereBlocksOfRanksHaveOneEach() {
        QFETCH(std::vector<std::int64_t>, devices);
        QFETCH(QString, ways);
        QCOMPARE(QString::fromStdString(ways_of(run_of(ranks_on(devices), static_cast<int>(devices.size())))), ways);
    }

    void untracedRanksNeedTheListOfGpus() {
        const std::vector<TracedRank> traced{{0, "a", 0}, {1, "b", 1}};
        QCOMPARE(ways_of(run_of(traced, 16)), "unknown unknown");
        QCOMPARE(ways_of(run_of(traced, 16, 8)), "inside inside"); // rank 2 is one of the first eight
        QCOMPARE(ways_of(run_of(traced, 16, 2)), "inside between");
    }

    /// Device 0 everywhere, so that only what is named tells.
    void namesTell_data() {
        QTest::addColumn<QStringList>("files"); // of ranks 0 to 3
        QTest::addColumn<QString>("ways");
        const char* const kTime = ".1729363752450987095.pt.trace.json.gz";
        const auto own = [&](const char* host, int process) {
            return QString("%1_%2%3").arg(host).arg(process).arg(kTime);
        };
        QTest::newRow("PyTorch's own names")
            << QStringList{own("gpu-a", 100), own("gpu-a", 101), own("gpu-b", 102), own("gpu-b", 103)}
            << "inside between";
        QTest::newRow("a name that ends in a number but no process")
            << QStringList{own("w0_step", 12), own("w0_step", 12), own("w1_step", 12), own("w1_step", 12)}
            << "unknown unknown";
        QTest::newRow("a container for each GPU")
            << QStringList{own("pod-a", 100), own("pod-b", 101), own("pod-c", 102), own("pod-d", 103)}
            << "unknown unknown";
        QTest::newRow("a number of the machine")
            << QStringList{"node0_rank0.json", "node0_rank1.json", "node1_rank2.json", "node1_rank3.json"}
            << "inside between";
        QTest::newRow("ranks dealt in turn")
            << QStringList{"rank0-host-00.json", "rank1-host-01.json", "rank2-host-00.json", "rank3-host-01.json"}
            << "between between";
        QTest::newRow("how many machines there are")
            << QStringList{"nodes2_rank0.json", "nodes2_rank1.json", "node2_rank2.json", "node2_rank3.json"}
            << "unknown unknown";
        QTest::newRow("localhost") << QStringList{"localhost1.json", "localhost2.json", "localhost3.json",
                                                  "localhost4.json"}
                                   << "unknown unknown";
        QTest::newRow("folders") << QStringList{"run/node-0/rank0.json", "run/node-0/rank1.json",
                                                "run/node-1/rank2.json", "run/node-1/rank3.json"}
                                 << "inside between";
        QTest::newRow("the folder of all")
            << QStringList{"node4/rank0.json", "node4/rank1.json", "node4/rank2.json", "node4/rank3.json"}
            << "unknown unknown";
        QTest::newRow("one name is missing")
            << QStringList{"node0_rank0.json", "node0_rank1.json", "rank2.json", "node1_rank3.json"}
            << "unknown unknown";
    }
    void namesTell() {
        QFETCH(QStringList, files);
        QFETCH(QString, ways);
        std::vector<TracedRank> ranks;
        for (int rank = 0; rank < files.size(); ++rank)
            ranks.push_back({rank, "/traces/" + files[rank].toStdString(), 0});
        QCOMPARE(QString::fromStdString(ways_of(run_of(ranks, 4))), ways);
    }

    void hostsOfReportsTell() {
        std::vector<TracedRank> ranks = ranks_on({0, 0, 0, 0});
        for (TracedRank& each : ranks)
            each.host = each.rank < 2 ? "a" : "b";
        QCOMPARE(ways_of(run_of(ranks, 4)), "inside between");
    }

    void oneReportIsOfOneMachine() {
        const auto ways = [](const char* file) {
            const Run run = run_of(ranks_on({0, 0, 0, 0}, file), 4);
            for (const auto& rank : run.ranks)
                std::const_pointer_cast<RankTrace>(rank)->source = TraceSource::nsys;
            return ways_of(run);
        };
        QCOMPARE(ways("all.nsys-rep"), "inside inside");
        QCOMPARE(ways("rank{}.nsys-rep"), "unknown unknown");
    }

    /// Names come before the card, the card before what the user says, and that before the numbers of GPUs.
    void theFirstThatTellsHolds() {
        Run run = run_of(ranks_on({0, 1, 2, 3}), 4);
        QCOMPARE(ways_of(run), "inside inside");
        QCOMPARE(ways_of(run, 2), "inside between");
        run.config["workload.hardware.xpu_spec.count_per_node"] = "1";
        QCOMPARE(ways_of(run, 2), "between between");
        run.config["workload.hardware.xpu_spec.count_per_node"] = "0"; // says nothing
        QCOMPARE(ways_of(run, 2), "inside between");
        Run named = run_of({{0, "node0a", 0}, {1, "node0b", 1}, {2, "node1a", 2}, {3, "node1b", 3}}, 4);
        named.config["workload.hardware.xpu_spec.count_per_node"] = "1";
        QCOMPARE(ways_of(named, 4), "inside between");
    }

    void namesOfGpusAreWords_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<double>("network"); // GB/s; 0: not known
        QTest::addColumn<double>("memory");  // TB/s
        QTest::newRow("H100") << "NVIDIA H100 80GB HBM3" << 50.0 << 3.35;
        QTest::newRow("H100 as a card") << "NVIDIA H100 PCIe" << 0.0 << 2.0;
        QTest::newRow("H100 NVL") << "NVIDIA H100 NVL" << 0.0 << 3.9;
        QTest::newRow("H200") << "NVIDIA H200" << 50.0 << 4.8;
        QTest::newRow("GH200") << "NVIDIA GH200 120GB" << 0.0 << 4.0;
        QTest::newRow("GB200") << "NVIDIA GB200" << 0.0 << 8.0;
        QTest::newRow("B200") << "NVIDIA B200" << 50.0 << 8.0;
        QTest::newRow("A100") << "NVIDIA A100-SXM4-40GB" << 25.0 << 1.555;
        QTest::newRow("A100 as a card") << "NVIDIA A100 80GB PCIe" << 0.0 << 1.935;
        QTest::newRow("V100") << "Tesla V100-SXM2-32GB" << 6.25 << 0.9;
        QTest::newRow("MI300X") << "AMD Instinct MI300X" << 50.0 << 5.3;
        QTest::newRow("RTX A1000") << "NVIDIA RTX A1000" << 0.0 << 0.0;
    }
    void namesOfGpusAreWords() {
        QFETCH(QString, device);
        QFETCH(double, network);
        QFETCH(double, memory);
        Run run;
        run.config["trace.device.name"] = device.toStdString();
        const auto usual = usual_network(run);
        QCOMPARE(usual ? usual->between_machines : 0, network);
        QCOMPARE(peak_memory_tb_s(device.toStdString()).value_or(0), memory);
    }

    void whatTheUserTypesMayEndInsideAWord() {
        QVERIFY(may_name_gpu("NVIDIA A100-SXM4-80GB", "a100-sxm"));
        QVERIFY(may_name_gpu("AMD Instinct MI300X", "MI300"));
        QVERIFY(!may_name_gpu("NVIDIA H200", "H20"));
        QVERIFY(!may_name_gpu("NVIDIA GH200 120GB", "H200"));
        QVERIFY(!may_name_gpu("NVIDIA H200", ""));
        QVERIFY(!names_gpu("AMD Instinct MI300X", "MI300"));
        QVERIFY(!names_gpu("NVIDIA H200", " - "));
    }

    /// Every process sees one GPU: nothing is known of machines, and so nothing is said of them. 512 MiB over DP take
    /// 13.42 of 35.74 ms, as in the control, where devices are numbered from 0 to 7.
    void groupsAreHeldAgainstANetworkOnlyWhereItIsKnown() {
        const std::vector<std::string> unknown = findings_of("every_rank_device_0");
        if (unknown.empty())
            QSKIP("no shared traces");
        QCOMPARE(unknown.front(), findings_of("every_rank_device_0_control").front());
        QVERIFY(any_has(unknown, "Exposed dp communication: "));
        QVERIFY(any_has(unknown, "Cost: 13.42 ms of a 35.74 ms step."));
        QVERIFY(!any_has(unknown, "machine"));
        QVERIFY(!any_has(findings_of("every_rank_device_0", 8), "between machines"));
        // Of four GPUs each, DP crosses machines at 20 GB/s; the network of H100 machines carries 50.
        QVERIFY(any_has(findings_of("every_rank_device_0", 4), "reaches 20 GB/s between machines"));
    }

    void whatGraceHopperNetworksCarryIsNotKnown() {
        const std::vector<std::string> texts = findings_of("gh200_named_h200");
        if (texts.empty())
            QSKIP("no shared traces");
        QVERIFY(!any_has(texts, "H200") && !any_has(texts, "usually carries"));
    }
};

RANKSCOPE_TEST(TestMachines)

} // namespace rankscope::machines_test

#include "test_machines.moc"
