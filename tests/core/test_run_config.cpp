// SPDX-License-Identifier: GPL-3.0-or-later
// Workload cards and train_config.toml as people write them.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/input/find/config_files.h"
#include "core/input/find/nccl_ras.h"
#include "core/input/find/run_config.h"
#include "core/trace/run_settings.h"
#include "tests/support/test_program.h"

namespace rankscope::run_config_test {

namespace fs = std::filesystem;

class TestRunConfig : public QObject {
    Q_OBJECT
    static std::string value(const RunConfig& config, const char* key) {
        const auto at = config.find(key);
        return at == config.end() ? "(absent)" : at->second;
    }

private Q_SLOTS:
    /// The text of NCCL 2.24 and later: NVIDIA/nccl, src/ras/client_support.cc, and its user guide ("RAS").
    void theStatusOfNcclIsConfiguration() {
        const std::string text = "NCCL version 2.27.3 compiled with CUDA 12.9\n"
                                 "CUDA runtime version 12090, driver version 12080\n\n"
                                 "Job summary\n===========\n\n"
                                 "  Nodes  Processes         GPUs  Processes     GPUs\n"
                                 "(total)   per node  per process    (total)  (total)\n"
                                 "      2          4            1          8        8\n\n"
                                 "Communicators... (0.00s)\n=============\n\n"
                                 "Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors\n"
                                 "    #  in group  per comm  per node  per comm  in group\n"
                                 "    0         1         2       3-4         8         8   RUNNING  INCOMPLETE\n"
                                 "    1         4         2         1         2         8   RUNNING      OK\n\n"
                                 "Errors\n======\n\nINCOMPLETE\n  Missing communicator data from 1 job process\n";
        const RunConfig config = parse_nccl_ras(text);
        QCOMPARE(value(config, "nccl_ras.version"), std::string("2.27.3"));
        QCOMPARE(value(config, "nccl_ras.cuda_runtime"), std::string("12090"));
        QCOMPARE(value(config, "nccl_ras.cuda_driver"), std::string("12080"));
        QCOMPARE(value(config, "nccl_ras.nodes"), std::string("2"));
        QCOMPARE(value(config, "nccl_ras.gpus_per_node"), std::string("4"));
        QCOMPARE(value(config, "nccl_ras.communicators"), std::string("5"));
        QCOMPARE(value(config, "nccl_ras.communicators.0"),
                 std::string("1 of 8 ranks on 2 nodes, RUNNING, INCOMPLETE"));
        QCOMPARE(value(config, "nccl_ras.communicators.1"), std::string("4 of 2 ranks on 2 nodes, RUNNING, OK"));
        QVERIFY(parse_nccl_ras("Job summary of another program\n1 2 3 4 5\n").empty());
        // Nodes that differ have no number of GPUs each; a cut text gives what is whole.
        const std::size_t row = text.find("4            1");
        QCOMPARE(value(parse_nccl_ras(std::string(text).replace(row, 1, "3-4")), "nccl_ras.gpus_per_node"),
                 std::string("(absent)"));
        for (std::size_t end = 0; end < text.size(); ++end)
            for (const auto& [key, cut] : parse_nccl_ras(text.substr(0, end)))
                QVERIFY2(!cut.empty() && config.contains(key), key.c_str());
    }

    void theStatusOfNcclLiesBesideTheTraces_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("is_read");
        QTest::newRow("ncclras") << "ncclras.txt" << true;
        QTest::newRow("ras") << "job_ras_12.log" << true;
        QTest::newRow("other log") << "grasp.log" << false;
    }
    void theStatusOfNcclLiesBesideTheTraces() {
        QFETCH(QString, name);
        QFETCH(bool, is_read);
        QTemporaryDir folder;
        std::ofstream(fs::path(folder.path().toStdString()) / name.toStdString())
            << "Job summary\n\n 2 4 1 8 8\n\nCommunicators... (0.00s)\n";
        Run run;
        read_run_config(folder.path().toStdString(), run);
        QCOMPARE(value(run.config, "nccl_ras.gpus_per_node"), std::string(is_read ? "4" : "(absent)"));
        QVERIFY(run.notices.empty());
    }

    void aRegularCardIsFlattened() {
        Notices notices;
        const RunConfig card =
            parse_workload_card("version: 1\n"
                                "workload:\n"
                                "  model:\n"
                                "    phase: training\n"
                                "    model_arch: {num_params: 8.0e9, num_layers: 32}\n"
                                "  data:\n"
                                "    batch_size: 16\n"
                                "    seq_len: 4096\n"
                                "  hardware:\n"
                                "    network_topo: {bandwidth_gbps: [200, 2400]}\n"
                                "Model-executor:\n"
                                "  model_plan_parallelization: {dp_shard: 4, tp: 2, pp: 2, pp_mb: 8}\n"
                                "metric_source:\n"
                                "  traces: [json, nsys]\n",
                                "card", notices);
        QVERIFY(notices.empty());
        QCOMPARE(value(card, "workload.model.phase"), std::string("training"));
        QCOMPARE(value(card, "workload.hardware.network_topo.bandwidth_gbps"), std::string("[200, 2400]"));
        QCOMPARE(value(card, "metric_source.traces"), std::string("[json, nsys]"));
        QCOMPARE(find_number(card, {"workload.model.model_arch.num_params"})->value, 8.0e9);
        const Parallelism p = parallelism_of(card);
        QCOMPARE(p.dp_shard->value, 4.0);
        QCOMPARE(p.microbatches->value, 8.0);
        QVERIFY(!p.ep);
    }

    void irregularCardsMeanTheSame() {
        Notices notices;
        const RunConfig card = parse_workload_card("workload:\n"
                                                   "  Model-executor:\n"
                                                   "    model_plan_parallelization: {tp: 4, pp: N/A, cp: TBD}\n"
                                                   "  model: {num_layers: 12, num_heads: None}\n"
                                                   "  data: {batch_size: [32], seq_len: \"2048\"}\n"
                                                   "  hf_url: None\n",
                                                   "card", notices);
        QCOMPARE(value(card, "Model-executor.model_plan_parallelization.tp"), std::string("4"));
        QCOMPARE(value(card, "Model-executor.model_plan_parallelization.pp"), std::string("(absent)"));
        QCOMPARE(value(card, "workload.model.model_arch.num_layers"), std::string("12"));
        QCOMPARE(value(card, "workload.model.model_arch.num_heads"), std::string("(absent)"));
        QCOMPARE(find_number(card, {"workload.data.batch_size"})->value, 32.0);
        QCOMPARE(find_number(card, {"workload.data.seq_len"})->value, 2048.0);
        QVERIFY(!find_number(parse_workload_card("workload: {data: {batch_size: [8, 16]}}", "card", notices),
                             {"workload.data.batch_size"}));
    }

    void aBrokenCardGivesWhatStandsBeforeTheBreak() {
        Notices notices;
        const RunConfig card = parse_workload_card(
            "workload:\n  data:\n    batch_size: 4\n  model: {a: [1, 2\n  x: y: z\n", "card", notices);
        QCOMPARE(notices.size(), std::size_t{1});
        QVERIFY(notices[0].code == "broken_config");
        QVERIFY(english(notices[0].message).find('\n') == std::string::npos);
        // The open bracket swallows the rest of its line, so nothing but the lines above it can be trusted.
        QVERIFY(card.empty() || value(card, "workload.data.batch_size") == "4");
    }

    void aliasesCannotMakeACardHuge() {
        std::string bomb = "workload:\n  a: &a {x: 1, y: 2, z: 3}\n";
        for (char level = 'b'; level <= 'p'; ++level) {
            const std::string above(1, static_cast<char>(level - 1));
            bomb += std::string("  ") + level + ": &" + level;
            bomb += " {x: *" + above + ", y: *" + above + ", z: *" + above + "}\n";
        }
        Notices notices;
        QVERIFY(parse_workload_card(bomb, "card", notices).size() <= 10'000);
    }

    void trainConfigIsFlattened() {
        Notices notices;
        const RunConfig config =
            parse_train_config("[training]\nlocal_batch_size = 8\nseq_len = 2048\nlr = 3e-4\ncompile = true\n"
                               "[parallelism]\ndata_parallel_shard_degree = 4\npipeline_parallel_schedule = \"1F1B\"\n"
                               "[profiling]\nsteps = [1, 2]\nodd = [inf, true, \"a\", [{b = 1979-05-27}]]\n",
                               "toml", notices);
        QVERIFY(notices.empty());
        QCOMPARE(value(config, "train_config.training.local_batch_size"), std::string("8"));
        QCOMPARE(value(config, "train_config.training.compile"), std::string("true"));
        QCOMPARE(value(config, "train_config.profiling.steps"), std::string("[1, 2]"));
        QCOMPARE(value(config, "train_config.profiling.odd"), std::string("[inf, true, a, [{b = 1979-05-27}]]"));
        QCOMPARE(parallelism_of(config).pipeline_schedule, std::string("1F1B"));
        std::size_t broken = 0;
        for (const char* text : {"[training\n", "[\n", "a = 1\n\u00e9 = 2\n", "a = \"\"\"b \\\n\u00e9"}) {
            QVERIFY(parse_train_config(text, "toml", notices).empty());
            QCOMPARE(notices.size(), ++broken);
        }
    }

    /// A table's name of 100 KB, which each of its keys repeats: a gigabyte.
    void longNamesOfTablesAreLeftOut() {
        std::string text = "[training]\nseq_len = 2048\n[" + std::string(100'000, 'a') + "]\n";
        for (int i = 0; i < 9000; ++i)
            text += "key" + std::to_string(i) + " = 1\n";
        Notices notices;
        const RunConfig config = parse_train_config(text, "toml", notices);
        QCOMPARE(config.size(), std::size_t{1});
        QCOMPARE(config.at("train_config.training.seq_len"), std::string("2048"));
    }

    /// 17 MB of requests: the medians are read, and what only the requests tell has no value.
    void ofALargeBenchmarkTheMediansAreRead() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        std::ofstream file(root / "bench_results.jsonl");
        file << R"({"backend": "vllm", "ttfts": [)";
        for (int i = 0; i < 1'700'000; ++i)
            file << (i == 0 ? "" : ",") << "0.00900" << (i % 10) << (i % 7);
        file << R"(], "itls": [[0.01], {"median_tpot_ms": 1}], "request_rate": Infinity, "median_ttft_ms": 123.4})"
             << '\n'
             << R"({"request_rate": Infinity, "median_ttft_ms": 125.4})" << '\n';
        file.close();
        QVERIFY(fs::file_size(root / "bench_results.jsonl") > (16u << 20));
        Run run;
        read_run_config(root, run);
        QCOMPARE(run.serving.ttft_ms.value_or(0), 124.4);
        QVERIFY(!run.serving.tpot_ms);
        QVERIFY(run.serving.requests.empty());
        QVERIFY(std::ranges::any_of(run.notices, [](const Notice& n) { return n.code == "config_too_large"; }));
    }

    void filesBesideTheTracesAreFound() {
        QTemporaryDir folder;
        const fs::path run_folder = fs::path(folder.path().toStdString()) / "56cu_256threads";
        fs::create_directories(run_folder / "torch_profiler" / "rank0");
        const auto write = [&](const char* name, const char* text) { std::ofstream(run_folder / name) << text; };
        write("workload_card.yaml", "workload: {data: {batch_size: 16}}");
        write("deployment.yaml", "kind: {{broken template}}: [");
        write("train_config.toml", "[training]\nseq_len = 128\n");
        write("bench_results.jsonl",
              "{\"median_ttft_ms\": 10, \"median_tpot_ms\": 2}\n{\"median_ttft_ms\": 20}\nbroken\n");
        write("gate_logs_0.json", "{\"expert_loads\": [[1, 2, 3], [3, 2, 1], [-1, 0, 0]]}");
        write("run.latency.json", "{\"avg_latency\": 0.25}");
        // From inside the run, too: the folder of one rank only sorts.
        for (const fs::path& path : {run_folder, run_folder / "torch_profiler" / "rank0"}) {
            Run run;
            read_run_config(path, run);
            QVERIFY(run.notices.empty());
            QCOMPARE(value(run.config, "workload.data.batch_size"), std::string("16"));
            QCOMPARE(value(run.config, "train_config.training.seq_len"), std::string("128"));
            QCOMPARE(run.serving.ttft_ms.value(), 15.0);
            QCOMPARE(run.serving.tpot_ms.value(), 2.0);
            QCOMPARE(run.serving.average_latency_s.value(), 0.25);
            QCOMPARE(run.expert_loads.size(), std::size_t{1});
            QCOMPARE(run.expert_loads[0].per_step.size(), std::size_t{2});
        }
    }

    /// A folder beside one file is another run, unless it is named as one that sorts files.
    void filesOfOtherRunsAreNotThoseOfASingleFile() {
        QTemporaryDir folder;
        const fs::path here = folder.path().toStdString();
        fs::create_directories(here / "another_run");
        fs::create_directories(here / "snapshots");
        for (const char* name : {"one.json", "card.yaml", "another_run/card.yaml", "snapshots/card.yaml"})
            std::ofstream(here / name) << "workload: {}";
        const auto is_card = [](const fs::path& path) { return path.extension() == ".yaml"; };
        QCOMPARE(files_beside(here / "one.json", is_card),
                 (std::vector<fs::path>{here / "card.yaml", here / "snapshots" / "card.yaml"}));
        QCOMPARE(files_beside(here, is_card).size(), std::size_t{3});
    }
};

RANKSCOPE_TEST(TestRunConfig)

} // namespace rankscope::run_config_test

#include "test_run_config.moc"
