// SPDX-License-Identifier: GPL-3.0-or-later
// Execution traces: every schema, joined with the Kineto trace of their rank, and alone.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "core/input/execution_trace/execution_trace.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"

namespace rankscope::execution_trace_test {

namespace fs = std::filesystem;

namespace {

const fs::path kTraces = fs::path(RANKSCOPE_SHARED_DIR) / "traces";

std::shared_ptr<const Run> load(const fs::path& at) {
    auto run = load_run(at);
    if (!run)
        qFatal("%s", english(run.error().message).c_str());
    return *run;
}

std::int64_t count(const Run& run, std::string_view code) {
    std::int64_t total = 0;
    for (const Notice& notice : run.notices)
        if (notice.code == code)
            total += notice.count;
    return total;
}

/// aten::mm around a launch, and nccl:all_reduce around another; operators numbered from `first_id`.
std::string kineto(int first_id) {
    const auto event = [](const char* cat, const char* name, int ts, int dur, const std::string& args) {
        return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
                           cat, name, std::string_view(cat) == "kernel" ? 0 : 1,
                           std::string_view(cat) == "kernel" ? 7 : 1, ts, dur, args);
    };
    const auto id = [](int number) { return fmt::format("\"External id\":{}", number); };
    const std::string gpu = R"("device":0,"stream":7,)";
    return "{\"distributedInfo\":{\"rank\":0,\"world_size\":1},\"traceEvents\":[" +
           event("cpu_op", "aten::linear", 0, 30, id(first_id)) + "," +
           event("cpu_op", "aten::mm", 5, 20, id(first_id + 1)) + "," +
           event("cuda_runtime", "cudaLaunchKernel", 10, 5, "\"correlation\":41") + "," +
           event("kernel", "gemm", 20, 10, gpu + "\"correlation\":41") + "," +
           event("cpu_op", "aten::add_", 32, 2, id(first_id + 2)) + "," +
           event("user_annotation", "nccl:all_reduce", 40, 20, id(first_id + 3)) + "," +
           event("cuda_runtime", "cudaLaunchKernel", 45, 5, "\"correlation\":42") + "," +
           event("kernel", "ncclKernel_AllReduce", 50, 10, gpu + "\"correlation\":42") + "]}";
}

/// The same operators of schema 1.0.1, numbered from 2.
constexpr const char* kFlat = R"json({"schema":"1.0.1","pid":1,"start_ts":0,"nodes":[
 {"name":"[pytorch|profiler|execution_trace|process]","id":1,"rf_id":0,"parent":1,"tid":0,"inputs":[],"input_shapes":[],"input_types":[]},
 {"name":"aten::linear","id":3,"rf_id":2,"parent":1,"tid":1,"seq_id":9,"inputs":[],"input_shapes":[],"input_types":[]},
 {"name":"aten::mm","id":4,"rf_id":3,"parent":3,"tid":1,"seq_id":9,"inputs":[[1,2],[3,4],5],"input_shapes":[[64,128],[128,32],[]],"input_types":["Tensor(float)","Tensor(float)","Int"]},
 {"name":"aten::add_","id":5,"rf_id":4,"parent":1,"tid":1,"inputs":[],"input_shapes":[],"input_types":[]},
 {"name":"nccl:all_reduce","id":6,"rf_id":5,"parent":1,"tid":1,"inputs":[[1]],"input_shapes":[[4096]],"input_types":["Tensor(c10::BFloat16)"]}
],"finish_ts":9})json";

constexpr const char* kNested = R"json({"schema":"1.1.1-chakra.0.0.4","pid":1,"start_ts":0,"nodes":[
 {"id":3,"name":"aten::linear","ctrl_deps":1,"inputs":{"values":[],"shapes":[],"types":[]},"attrs":[{"name":"rf_id","type":"uint64","value":2},{"name":"tid","type":"uint64","value":1}]},
 {"id":4,"name":"aten::mm","ctrl_deps":3,"inputs":{"values":[],"shapes":[[64,128],[128,32],[]],"types":["Tensor(float)","Tensor(float)","Int"]},"attrs":[{"name":"rf_id","type":"uint64","value":3},{"name":"tid","type":"uint64","value":1}]},
 {"id":5,"name":"aten::add_","ctrl_deps":1,"inputs":{"values":[],"shapes":[],"types":[]},"attrs":[{"name":"rf_id","type":"uint64","value":4},{"name":"tid","type":"uint64","value":1}]},
 {"id":6,"name":"nccl:all_reduce","ctrl_deps":1,"inputs":{"values":[],"shapes":[],"types":[]},"attrs":[{"name":"rf_id","type":"uint64","value":5},{"name":"tid","type":"uint64","value":1},
  {"name":"collective_name","type":"string","value":"allreduce"},{"name":"dtype","type":"string","value":"BFloat16"},{"name":"in_msg_nelems","type":"uint64","value":4096},
  {"name":"out_msg_nelems","type":"uint64","value":4096},{"name":"pg_name","type":"string","value":"3"},{"name":"pg_desc","type":"string","value":"mesh_dp"},{"name":"pg_size","type":"uint64","value":8}]}
],"finish_ts":9})json";

} // namespace

class TestExecutionTrace : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path root() const { return folder_->path().toStdString(); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name) << text;
    }
    static EventIndex event(const RankTrace& rank, std::string_view name) {
        for (EventIndex i = 0; i < rank.events.size(); ++i)
            if (rank.event_name(i) == name)
                return i;
        qFatal("no such event");
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void oneBeyondTheMemoryBudgetIsRefused() {
        write("et.json", kFlat);
        LoadOptions options;
        options.memory_bytes = std::string_view(kFlat).size() * 7; // parsed, a document takes eight times its text
        const auto refused = load_run(root() / "et.json", options);
        QVERIFY(!refused);
        const QString message = QString::fromStdString(english(refused.error().message));
        QVERIFY2(message.contains(u"et.json takes more than the memory budget of ") && !message.contains(u'\n'),
                 qPrintable(message));
        options.memory_bytes = 10'000'000;
        QVERIFY(load_run(root() / "et.json", options));
    }

    void shapesAndSizesAreFilledIn_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("first_id");
        QTest::addColumn<bool>("by_order");
        QTest::newRow("1.0.1, by rf_id") << QString::fromLatin1(kFlat) << 2 << false;
        QTest::newRow("1.1.1-chakra, by rf_id") << QString::fromLatin1(kNested) << 2 << false;
        QTest::newRow("1.0.1, numbered apart") << QString::fromLatin1(kFlat) << 900 << true;
        QTest::newRow("1.0.1, numbered one further") << QString::fromLatin1(kFlat) << 3 << true;
    }
    void shapesAndSizesAreFilledIn() {
        QFETCH(QString, text);
        QFETCH(int, first_id);
        QFETCH(bool, by_order);
        write("rank0_trace.json", kineto(first_id));
        write("torch_et_0.json", text.toStdString());
        const auto run = load(root());
        const RankTrace& rank = *run->ranks.front();
        QCOMPARE(run->source, TraceSource::kineto);
        QCOMPARE(count(*run, "execution_trace_by_order"), by_order ? 1 : 0);
        QCOMPARE(count(*run, "several_sources"), 0);
        QCOMPARE(rank.header.at("execution_trace"), std::string("3 of 3 operators joined"));
        const auto inputs = rank.inputs_of(event(rank, "aten::mm"));
        QVERIFY(inputs.has_value());
        QCOMPARE(run->names->view(inputs->dims), std::string_view("[[64,128],[128,32],[]]"));
        QCOMPARE(run->names->view(inputs->types), std::string_view(R"(["float","float","Scalar"])"));
        const CollectiveArgs* args = rank.collective_of(event(rank, "ncclKernel_AllReduce"));
        QVERIFY(args != nullptr);
        QCOMPARE(args->in_elements, 4096);
        QCOMPARE(args->out_elements, 4096);
        QCOMPARE(run->names->view(args->dtype), std::string_view("BFloat16"));
        if (args->group >= 0)
            QCOMPARE(rank.process_groups[static_cast<std::size_t>(args->group)].description, std::string("mesh_dp"));
        QVERIFY(rank.collective_of(event(rank, "gemm")) == nullptr);
    }

    void anUnrelatedTraceAddsNothing() {
        write("rank0_trace.json", kineto(2));
        write(
            "torch_et_0.json",
            R"json({"schema":"1.0.1","nodes":[{"name":"aten::conv2d","id":3,"rf_id":2,"parent":1,"tid":1,"input_shapes":[[9]],"input_types":["Tensor(float)"]}]})json");
        const auto run = load(root());
        QCOMPARE(count(*run, "execution_trace_unrelated"), 1);
        QVERIFY(run->ranks.front()->operator_inputs.empty());
    }

    void aCutExecutionTraceIsANotice() {
        write("rank0_trace.json", kineto(2));
        write("torch_et_0.json", std::string(kFlat).substr(0, 500));
        const auto run = load(root());
        QCOMPARE(run->event_count(), std::uint64_t{8});
    }

    // linear contains mm; each leaf is one unit (1 µs) wide.
    void aloneItIsATreeOfOperators() {
        write("torch_et_0.json", kFlat);
        const auto run = load(root() / "torch_et_0.json");
        const RankTrace& rank = *run->ranks.front();
        QCOMPARE(run->source, TraceSource::execution_trace);
        QCOMPARE(count(*run, "no_times"), 1);
        QCOMPARE(rank.events.size(), 5u);
        QCOMPARE(rank.parent_of(event(rank, "aten::mm")), event(rank, "aten::linear"));
        QVERIFY(rank.events.start[event(rank, "aten::add_")] >= rank.events.end(event(rank, "aten::linear")));
    }

    void parentsInACircleEnd() {
        write(
            "torch_et_0.json",
            R"({"schema":"1.0.1","nodes":[{"name":"a","id":1,"rf_id":1,"parent":2,"tid":1},{"name":"b","id":2,"rf_id":2,"parent":1,"tid":1},)"
            R"({"name":"c","id":3,"rf_id":3,"parent":3,"tid":1},{"name":"","id":4},7]})");
        const auto run = load(root() / "torch_et_0.json");
        QCOMPARE(run->event_count(), std::uint64_t{3});
        QCOMPARE(count(*run, "malformed_events"), 2);
    }

    void allOperatorsOfTheSharedPairAreJoined() {
        if (!fs::exists(kTraces / "et_pair"))
            QSKIP("skipped: no shared traces");
        const auto run = load(kTraces / "et_pair");
        QCOMPARE(run->ranks.front()->header.at("execution_trace"), std::string("28 of 28 operators joined"));
        QCOMPARE(count(*run, "execution_trace_by_order"), 0);
    }

    // Recorded together, numbered apart: 1633 operators and 8 collectives a rank, whose sizes only the execution trace
    // has.
    void theEightRanksGetTheSizesOfTheirCollectives() {
        if (!fs::exists(kTraces / "dlrm_v100_8rank_et"))
            QSKIP("skipped: no shared traces");
        const auto run = load(kTraces / "dlrm_v100_8rank");
        QCOMPARE(run->ranks.size(), std::size_t{8});
        for (const auto& rank : run->ranks) {
            QVERIFY(rank->header.contains("execution_trace"));
            const std::string joined = rank->header.at("execution_trace");
            QVERIFY2(std::stoi(joined) >= 1600, joined.c_str());
            QCOMPARE(rank->collectives.size(), std::size_t{8});
        }
        // In order of start: float tensors of 6144 elements back and forth, and three reductions, as the nodes say.
        std::map<std::int64_t, int> reduced;
        for (const CollectiveEntry& entry : run->ranks[0]->collectives)
            if (const CollectiveArgs& args = run->ranks[0]->collective_args[entry.args];
                run->names->view(args.collective) == "all_reduce")
                ++reduced[args.in_elements];
        QCOMPARE(reduced, (std::map<std::int64_t, int>{{112, 1}, {226'960, 1}, {394'241, 1}}));
    }
};

RANKSCOPE_TEST(TestExecutionTrace)

} // namespace rankscope::execution_trace_test

#include "test_execution_trace.moc"
