// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA and HIP graphs: what a launch ran, replays against each other, and operators, shapes and modules from a capture.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/analysis/operators/operators.h"
#include "core/compare/module_comparison.h"
#include "core/input/find/run_folder.h"
#include "core/input/kineto/graph_capture.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "core/trace/graph_match.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::graphs_test {

namespace fs = std::filesystem;

namespace {

const fs::path kFull = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "vllm_decode_full";

/// Kernels named by letters, in the order of the word; "c" and "s": a copy and a set.
CapturedGraph captured(const std::string& word, bool named = true) {
    CapturedGraph graph;
    graph.frames.push_back({"op", true, -1, "[[1]]", "[\"float\"]", {}, {}});
    for (const char letter : word) {
        CapturedNode node;
        node.kind = letter == 'c' ? EventKind::memcpy : letter == 's' ? EventKind::memset : EventKind::kernel;
        node.name = named && node.kind == EventKind::kernel ? std::string(1, letter) : std::string();
        node.frame = 0;
        graph.nodes.push_back(node);
    }
    return graph;
}

/// streams: a digit for each letter of the word, or nothing.
std::string matched(const CapturedGraph& graph, const std::string& word, const std::string& streams = {}) {
    std::vector<std::string> names;
    for (const char letter : word)
        names.emplace_back(1, letter);
    std::vector<ReplayedNode> nodes;
    for (std::size_t i = 0; i < word.size(); ++i)
        nodes.push_back({word[i] == 'c'   ? EventKind::memcpy
                         : word[i] == 's' ? EventKind::memset
                                          : EventKind::kernel,
                         names[i], streams.empty() ? 0U : static_cast<std::uint32_t>(streams[i] - '0')});
    std::string places;
    for (const std::int32_t node : match_replay(graph, nodes).node_of)
        places += node < 0 ? "-" : std::to_string(node);
    return places;
}

std::string event(const std::string& cat, const std::string& name, int ts, int dur, const std::string& args,
                  int thread = 1) {
    return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", cat,
                       name, cat == "kernel" ? 0 : 1, thread, ts, dur, args);
}

/// A capture of one graph a name of `kernels`: each kernel in an operator of its own, all in the module. tokens: of the
/// annotation around it; negative: there is none.
std::string capture_of(int tokens, const std::vector<std::vector<std::string>>& pieces, int rows) {
    std::string text =
        "{\"schemaVersion\":1,\"traceEvents\":[" +
        event("user_annotation", tokens < 0 ? "warm up" : fmt::format("capture_{}_X", tokens), 0, 10000, "");
    int ts = 10;
    int id = 100;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        text += "," + event("cuda_runtime", "hipStreamBeginCapture", ts, 1, fmt::format("\"correlation\":{}", id++));
        text += "," + event("python_function", fmt::format("nn.Module: Layer_{}", p), ts + 2,
                            static_cast<int>(pieces[p].size()) * 10 + 2, "");
        ts += 3;
        for (const std::string& kernel : pieces[p]) {
            text += "," +
                    event("cpu_op", "op::" + kernel, ts, 8,
                          fmt::format(R"("External id":{},"Input Dims":[[{},8]],"Input type":["float"])", id++, rows));
            text += "," + event("cuda_runtime", "hipModuleLaunchKernel", ts + 2, 2,
                                fmt::format(R"("kernel":"{}","correlation":{})", kernel, id++));
            ts += 10;
        }
        text += "," + event("cuda_runtime", "hipStreamEndCapture", ts + 2, 1, fmt::format("\"correlation\":{}", id++));
        ts += 10;
    }
    return text + "]}";
}

/// All begin before the first of their launches, which operators inside each other make, and end behind the last.
std::string captures_inside_each_other(int count) {
    std::string text = "{\"schemaVersion\":1,\"traceEvents\":[";
    for (int i = 0; i < count; ++i) {
        text += event("cpu_op", "op", i, 20 * count - 2 * i, "") + ",";
        text += event("cuda_runtime", "cudaStreamBeginCapture", 2 * count + i, 0, "") + ",";
        text += event("cuda_runtime", "cudaLaunchKernel", 4 * count + i, 0, "") + ",";
        text += event("cuda_runtime", "cudaStreamEndCapture", 6 * count + i, 0, "") + (i + 1 < count ? "," : "]}");
    }
    return text;
}

/// Steps of so many tokens, each of which launches the graphs of its pieces.
std::string replay_of(const std::vector<int>& tokens, const std::vector<std::vector<std::string>>& pieces) {
    std::string text = "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":0,\"world_size\":1},\"traceEvents\":[";
    int ts = 1000;
    int id = 1;
    bool first = true;
    for (const int n : tokens) {
        text += (first ? "" : ",") +
                event("user_annotation", fmt::format("execute_context_0(0)_generation_{}({})", n, n), ts, 100, "");
        first = false;
        int gpu = ts + 20;
        for (const auto& piece : pieces) {
            text += "," + event("cuda_runtime", "hipGraphLaunch", ts + 5, 3, fmt::format("\"correlation\":{}", id));
            for (const std::string& kernel : piece) {
                text += "," + event("kernel", kernel, gpu, 4,
                                    fmt::format(R"("device":0,"stream":7,"correlation":{})", id), 7);
                gpu += 5;
            }
            ++id;
            ts += 10;
        }
        ts += 100;
    }
    return text + "]}";
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

std::shared_ptr<const Run> load(const fs::path& at) {
    auto run = load_run(at);
    if (!run)
        qFatal("%s", english(run.error().message).c_str());
    return *run;
}

/// "op dims" of each kernel, in order; "-" without.
QStringList operators_of(const RankTrace& rank) {
    QStringList words;
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
        const EventIndex op = rank.gpu.operator_event[i];
        if (op == kNoEvent) {
            words << QStringLiteral("-");
            continue;
        }
        const auto inputs = rank.inputs_of(op);
        words << QString::fromUtf8(rank.event_name(op)) + u' ' +
                     (inputs ? QString::fromUtf8(rank.names->view(inputs->dims)) : QString());
    }
    return words;
}

} // namespace

class TestGraphs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sequencesAreMatchedByOrderAndNames() {
        QCOMPARE(matched(captured("abcab"), "abcab"), std::string("01234"));
        // What the capture does not have is not attributed, what lies around it is.
        QCOMPARE(matched(captured("abdabdabdabdabdabdab"), "abdabdabdabdxabdabdab"),
                 std::string("01234567891011-1213141516171819"));
        // One of ten missing is the most.
        QCOMPARE(matched(captured("abababababab"), "abababababx"), std::string("0123456789-"));
        QCOMPARE(matched(captured("ababab"), "xyzxyz"), std::string("------"));
        QCOMPARE(matched(captured("abab"), "axax"), std::string("----"));
        // Without names only the same number of the same kinds.
        QCOMPARE(matched(captured("abcab", false), "xycxy"), std::string("01234"));
        QCOMPARE(matched(captured("abcab", false), "xyxyc"), std::string("-----"));
        QCOMPARE(matched(captured("abcab", false), "xycx"), std::string("----"));
        QCOMPARE(matched(captured(""), "a"), std::string("-"));
    }

    /// Captured are a, b and c on one stream and x and y on another, which the host launched after a.
    void workOfSeveralStreamsIsMatchedWhateverItsOrder() {
        // abc are nodes 0, 3 and 4, xy nodes 1 and 2.
        const CapturedGraph graph = captured("axybc");
        QCOMPARE(matched(graph, "axybc", "01100"), std::string("01234"));
        QCOMPARE(matched(graph, "abxcy", "00101"), std::string("03142"));
        QCOMPARE(matched(graph, "abcxy", "00011"), std::string("03412"));
        // n runs on both: between a and b only the second can lie, so the first is that of the other stream.
        QCOMPARE(matched(captured("xnyanb"), "anxbny", "001011"), std::string("340512"));
        // Both could be either: neither has an operator, though the names are in the order of the capture.
        QCOMPARE(matched(captured("abdefghijklmnnopqrtu"), "abdefghijklmnnopqrtu", "00000000000001000000"),
                 std::string("01234567891011--141516171819"));
    }

    /// A stream that runs b before a, though the program launched a first, may have swapped kernels of one name too.
    void aStreamInAnotherOrderThanTheCaptureIsNotMatched() {
        QCOMPARE(matched(captured("abxyab"), "baxyab", "001100"), std::string("------"));
        QCOMPARE(matched(captured("abx"), "bax", "001"), std::string("---"));
    }

    /// Recorders of CUDA do not name captured kernels: which of two streams the host launched first is not told then.
    void severalStreamsOfACaptureWithoutNamesAreNotMatched() {
        QCOMPARE(matched(captured("abc", false), "abc", "001"), std::string("---"));
        QCOMPARE(matched(captured("abc", false), "abc", "000"), std::string("012"));
    }

    /// The second stream's kernel starts before, between and after those of the first.
    void replaysOnSeveralStreamsAreOneGraph() {
        TraceBuilder builder(0);
        for (int replay = 0; replay < 3; ++replay) {
            const double at = 100.0 * replay;
            builder.launch(at, 2, "cudaGraphLaunch").correlation(50 + replay);
            builder.kernel("a", 7, at + 10, 10).correlation(50 + replay);
            builder.kernel("b", 7, at + 25, 5).correlation(50 + replay);
            builder.kernel("x", 8, at + 9 + 10 * replay, 1 + replay).correlation(50 + replay);
        }
        const auto run = make_run({builder});
        const RunAnalysis analysis(run, {});
        const GraphAnalysis& graphs = analysis.graphs();
        QCOMPARE(graphs.graphs.size(), std::size_t{1});
        const GraphStatistics& graph = graphs.graphs[0];
        QCOMPARE(graph.replays.size(), std::size_t{3});
        QCOMPARE(run->names->view(graph.name), std::string_view("graph 1 of 3 nodes"));
        QCOMPARE(run->names->view(graph.nodes[0].name), std::string_view("a"));
        QCOMPARE(run->names->view(graph.nodes[2].name), std::string_view("x"));
        QCOMPARE(graph.nodes[2].median, TimeNs{2'000});
        // 9 to 30, 10 to 30 and 10 to 32
        QCOMPARE(graph.min, TimeNs{20'000});
        QCOMPARE(graph.median, TimeNs{21'000});
        QCOMPARE(graph.max, TimeNs{22'000});
    }

    void everyLaunchHasASliceAboveItsKernels() {
        TraceBuilder builder(0);
        for (int replay = 0; replay < 3; ++replay) {
            const double at = 100.0 * replay;
            builder.launch(at, 2, "cudaGraphLaunch").correlation(50 + replay);
            builder.kernel("a", 7, at + 10, 10).correlation(50 + replay);
            builder.kernel("b", 7, at + 25, replay == 1 ? 20 : 5).correlation(50 + replay);
        }
        builder.launch(400, 2).kernel("c", 7, 410, 5);
        const auto run = make_run({builder});
        const RankTrace& rank = *run->ranks[0];
        std::vector<EventIndex> slices;
        for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i)
            if (rank.events.kind[i] == EventKind::graph_launch)
                slices.push_back(i);
        QCOMPARE(slices.size(), std::size_t{3});
        QCOMPARE(rank.event_name(slices[0]), std::string_view("graph 1 of 2 nodes"));
        QCOMPARE(rank.events.start[slices[0]] - rank.span.begin, TimeNs{10'000});
        QCOMPARE(rank.events.duration[slices[0]], TimeNs{20'000});
        QCOMPARE(rank.lane_of(slices[0]).name, std::string("stream 7 graphs"));
        const RunAnalysis analysis(run, {});
        const GraphAnalysis& graphs = analysis.graphs();
        QCOMPARE(graphs.launches, std::int64_t{3});
        QCOMPARE(graphs.graphs.size(), std::size_t{1});
        const GraphStatistics& graph = graphs.graphs[0];
        QCOMPARE(run->names->view(graph.name), std::string_view("graph 1 of 2 nodes"));
        QCOMPARE(graph.replays.size(), std::size_t{3});
        QCOMPARE(graph.median, TimeNs{20'000});
        QCOMPARE(graph.max, TimeNs{35'000});
        QCOMPARE(graph.slowest, std::size_t{1});
        QCOMPARE(graph.median_busy, TimeNs{15'000});
        QCOMPARE(graph.nodes[1].median, TimeNs{5'000});
        QCOMPARE(graph.nodes[1].max, TimeNs{20'000});
        QCOMPARE(graphs.attributed, TimeNs{0});
        // 3 (10 + 5) + 15 of 65 us; c adds 5.
        const MetricResult metric = find_metric("graph_replay")->compute(analysis);
        QVERIFY(qAbs(metric.value - 100.0 * 60 / 65) < 1e-9);
    }

    void aRunWithoutGraphsHasNone() {
        const RunAnalysis analysis(make_run({TraceBuilder(0).launch(0, 1).kernel("a", 7, 5, 5)}), {});
        QVERIFY(!find_metric("graph_replay")->compute(analysis).available);
    }

    void filesOfCapturesAreToldFromTraces() {
        for (const char* name : {"run/capture_traces/anything.json.gz", "graph_capture_rank_0.177.pt.trace.json.gz",
                                 "graph_capture_rank_0_encoder.1.pt.trace.json.gz", "bs_32_rank0.json.gz",
                                 "DecodeCudaGraphRunner_bs_8_dense_rank0.json.gz", "capture_trace_rank_0.json.gz"})
            QVERIFY2(is_graph_capture(name), name);
        for (const char* name : {"rank0_trace.json", "1700000000-TP-0.trace.json.gz", "jobs_3_rank0.json",
                                 "obs_rank0.json", "bs_x_rank0.json", "graph_execution.json.gz"})
            QVERIFY2(!is_graph_capture(name), name);
    }

    /// Captures that start inside each other had the launches of all: 2000 times 2000 nodes. So had the frames.
    void aCallIsOfOneCapture() {
        constexpr int kMany = 2000;
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "graph_capture_rank_0.1.json";
        write(file, captures_inside_each_other(kMany));
        const auto graphs = read_captured_graphs(file, {});
        QVERIFY(graphs);
        QCOMPARE(graphs->size(), std::size_t{1});
        QCOMPARE(graphs->front().nodes.size(), std::size_t{kMany});
        QVERIFY2(graphs->front().frames.size() <= 256, std::to_string(graphs->front().frames.size()).c_str());
    }

    /// Two sizes with the same kernels and other shapes: the step's tokens decide, padded to the next size.
    void theStepTellsWhichCaptureIsReplayed() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        write(at / "trace.json", replay_of({3, 8, 9}, {{"k1", "k2"}}));
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(4, {{"k1", "k2"}}, 4));
        write(at / "capture_traces/graph_capture_rank_0.2.json", capture_of(8, {{"k1", "k2"}}, 8));
        const auto run = load(at);
        QCOMPARE(run->ranks.size(), std::size_t{1});
        // Nine tokens exceed every capture: that one ran is sure, of which size is not, so its shapes are not known.
        QCOMPARE(operators_of(*run->ranks[0]), (QStringList{"op::k1 [[4,8]]", "op::k2 [[4,8]]", "op::k1 [[8,8]]",
                                                            "op::k2 [[8,8]]", "op::k1 ", "op::k2 "}));
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.graphs().attributed, analysis.graphs().gpu_total);
        QCOMPARE(analysis.modules().modules.size(), std::size_t{1});
        QCOMPARE(module_path(analysis.modules().modules, 0), std::string("Layer_0"));
        QCOMPARE(analysis.modules().modules[0].kernels, std::int64_t{6});
    }

    /// Pieces with equal kernels belong to the modules of their places.
    void piecesAreMatchedByTheirPlaces() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        const std::vector<std::vector<std::string>> pieces{{"k1"}, {"k1", "k2"}, {"k1", "k2"}};
        write(at / "trace.json", replay_of({4, 4}, pieces));
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(4, pieces, 4));
        const RunAnalysis analysis(load(at), {});
        const auto& modules = analysis.modules().modules;
        QCOMPARE(modules.size(), std::size_t{3});
        for (const ModuleRow& module : modules)
            QCOMPARE(module.kernels, std::int64_t{module.name == "Layer_0" ? 2 : 4});
        QCOMPARE(analysis.graphs().graphs.size(), std::size_t{2});
    }

    /// Per rank: the test's model lost its second layer, and its first has a kernel more.
    void modulesOfTwoRunsAreHeldAgainstEachOther() {
        const auto row = [](std::string name, std::size_t parent, std::int64_t kernels, TimeNs self, TimeNs total,
                            std::int64_t bytes) {
            return ModuleRow{std::move(name), parent, parent == kNoModule ? 1U : 2U, 2, kernels, self, total, bytes};
        };
        ModuleAnalysis before, after;
        before.modules = {row("M_0", kNoModule, 2, 1000, 21'000, 0), row("A_0", 0, 4, 12'000, 12'000, 400),
                          row("A_1", 0, 4, 8'000, 8'000, 400)};
        after.modules = {row("M_0", kNoModule, 1, 500, 7'500, 0), row("A_0", 0, 3, 7'000, 7'000, 100),
                         row("Z_0", kNoModule, 1, 10, 10, 0)};
        const std::vector<ModuleChange> changes = compare_modules(before, 2, after, 1);
        QCOMPARE(changes.size(), std::size_t{4});
        QCOMPARE(module_path(changes, 0), std::string("M_0"));
        QCOMPARE(changes[0].baseline->total_us, 10.5);
        QCOMPARE(changes[0].test->total_us, 7.5);
        QCOMPARE(changes[0].difference_us(), -3.0);
        QCOMPARE(module_path(changes, 1), std::string("M_0 > A_1")); // 4 us less, which is more than 1 us more
        QVERIFY(!changes[1].test);
        QCOMPARE(changes[1].difference_us(), -4.0);
        QCOMPARE(module_path(changes, 2), std::string("M_0 > A_0"));
        QCOMPARE(changes[2].difference_us(), 1.0);
        QCOMPARE(changes[2].baseline->allocated_bytes, 200.0);
        QCOMPARE(changes[2].test->kernels, 3.0);
        QCOMPARE(module_path(changes, 3), std::string("Z_0"));
        QVERIFY(!changes[3].baseline);
    }

    /// SGLang's captures lie beside the trace, each named after its size.
    void capturesBesideTheTraceAreNoRanks() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        write(at / "1700000000-TP-0.trace.json", replay_of({2}, {{"k1", "k2"}}));
        write(at / "bs_2_rank0.json", capture_of(2, {{"k1", "k2"}}, 2));
        write(at / "bs_1_rank0.json", capture_of(1, {{"k1", "k2"}}, 1));
        QCOMPARE(operators_of(*load(at)->ranks[0]), (QStringList{"op::k1 [[2,8]]", "op::k2 [[2,8]]"}));
        // Also where the trace alone is opened; a capture alone is a trace like any other.
        QCOMPARE(operators_of(*load(at / "1700000000-TP-0.trace.json")->ranks[0]),
                 (QStringList{"op::k1 [[2,8]]", "op::k2 [[2,8]]"}));
        QCOMPARE(load(at / "bs_1_rank0.json")->ranks[0]->events.gpu_count, EventIndex{0});
    }

    /// SGLang names a capture by its requests and says nothing of tokens; with speculation each request has several.
    void requestsTellWhichCaptureIsReplayed() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        std::string replay = replay_of({0}, {{"k1", "k2"}});
        const std::string words = "execute_context_0(0)_generation_0(0)";
        replay.replace(replay.find(words), words.size(), "step[DECODE bs=3 g_sq=6 g_sqsq=12 g_sqsk=60 g_sk=30]");
        write(at / "1700000000-TP-0.trace.json", replay);
        for (const int requests : {1, 2, 4, 8})
            write(at / fmt::format("bs_{}_rank0.json", requests), capture_of(-1, {{"k1", "k2"}}, 2 * requests));
        QCOMPARE(operators_of(*load(at)->ranks[0]), (QStringList{"op::k1 [[8,8]]", "op::k2 [[8,8]]"}));
    }

    /// That the kernels are the same does not say that the sizes are.
    void shapesOfAnotherSizeAreNotTaken() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(8, {{"k1", "k2"}}, 8));
        // 5 pads to 8; for 4 and 3 a capture of 4 will not have been recorded; 9 is more than any.
        write(at / "trace.json", replay_of({8, 5, 4, 3, 9}, {{"k1", "k2"}}));
        QCOMPARE(operators_of(*load(at)->ranks[0]),
                 (QStringList{"op::k1 [[8,8]]", "op::k2 [[8,8]]", "op::k1 [[8,8]]", "op::k2 [[8,8]]", "op::k1 ",
                              "op::k2 ", "op::k1 ", "op::k2 ", "op::k1 ", "op::k2 "}));
    }

    /// SGLang runs shared experts on a second stream inside the graph: its kernels start before or after those of the
    /// first from replay to replay, and belong to their operators each time.
    void operatorsOfSeveralStreamsComeFromTheCapture() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        std::string replay =
            "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":0,\"world_size\":1},\"traceEvents\":[" +
            graphs_test::event("user_annotation", "step[DECODE bs=4]", 1000, 300, "");
        int id = 1;
        for (const int shared_at : {0, 12, 24}) { // before a, between a and b, after b
            const int start = 1000 + 100 * (id - 1);
            const auto kernel = [&](const char* name, int from, int stream) {
                replay += "," + graphs_test::event(
                                    "kernel", name, start + 20 + from, 4,
                                    fmt::format(R"("device":0,"stream":{},"correlation":{})", stream, id), stream);
            };
            replay += "," + graphs_test::event("cuda_runtime", "hipGraphLaunch", start + 5, 3,
                                               fmt::format("\"correlation\":{}", id));
            kernel("a", 5, 7);
            kernel("b", 17, 7);
            kernel("shared", shared_at, 8);
            ++id;
        }
        write(at / "trace.json", replay + "]}");
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(4, {{"a", "shared", "b"}}, 4));
        const auto run = load(at);
        const QStringList operators = operators_of(*run->ranks[0]);
        for (const char* op : {"op::a [[4,8]]", "op::b [[4,8]]", "op::shared [[4,8]]"})
            QCOMPARE(operators.count(QLatin1String(op)), 3);
        for (EventIndex i = 0; i < run->ranks[0]->events.gpu_count; ++i)
            QCOMPARE(std::string(run->ranks[0]->event_name(run->ranks[0]->gpu.operator_event[i])),
                     "op::" + std::string(run->ranks[0]->event_name(i)));
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.graphs().graphs.size(), std::size_t{1});
        QCOMPARE(analysis.graphs().graphs[0].replays.size(), std::size_t{3});
        QCOMPARE(analysis.graphs().attributed, analysis.graphs().in_graphs);
    }

    /// Piecewise graphs: attention runs eagerly between them, and belongs to what launched it.
    void eagerWorkBetweenPiecesKeepsItsOperator() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        const std::vector<std::vector<std::string>> pieces{{"k1"}, {"k1", "k2"}, {"k2"}};
        std::string replay = replay_of({4}, pieces);
        replay.resize(replay.size() - 2); // "]}"
        replay +=
            "," +
            graphs_test::event("cpu_op", "vllm::unified_attention", 1008, 5,
                               R"("External id":77,"Input Dims":[[4,2,8]])") +
            "," + graphs_test::event("cuda_runtime", "hipModuleLaunchKernel", 1009, 2, "\"correlation\":900") + "," +
            graphs_test::event("kernel", "attend", 1024, 1, R"("device":0,"stream":7,"correlation":900)", 7) + "]}";
        write(at / "trace.json", replay);
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(4, pieces, 4));
        QStringList operators = operators_of(*load(at)->ranks[0]);
        QCOMPARE(operators.count(QStringLiteral("vllm::unified_attention [[4,2,8]]")), 1);
        QCOMPARE(operators.count(QStringLiteral("op::k1 [[4,8]]")), 2);
        QCOMPARE(operators.count(QStringLiteral("op::k2 [[4,8]]")), 2);
        // The pieces of one size in a file each: which of those with equal kernels a launch is, nothing tells.
        fs::remove_all(at / "capture_traces");
        for (std::size_t p = 0; p < pieces.size(); ++p)
            write(at / fmt::format("capture_traces/graph_capture_rank_0.{}.json", p), capture_of(4, {pieces[p]}, 4));
        const RunAnalysis split(load(at), {});
        QCOMPARE(split.graphs().attributed, split.graphs().in_graphs);
        // Of a step that launches one graph less the places are not known: no module is said where two fit.
        write(at / "trace.json", replay_of({4}, {{"k1", "k2"}, {"k1", "k2"}}));
        fs::remove_all(at / "capture_traces");
        write(at / "capture_traces/graph_capture_rank_0.1.json",
              capture_of(4, {{"k1", "k2"}, {"k1", "k2"}, {"k1", "k2"}}, 4));
        const RunAnalysis fewer(load(at), {});
        QCOMPARE(operators_of(*fewer.run().ranks[0]),
                 (QStringList{"op::k1 [[4,8]]", "op::k2 [[4,8]]", "op::k1 [[4,8]]", "op::k2 [[4,8]]"}));
        QVERIFY(fewer.modules().modules.empty());
    }

    /// A replay with a kernel more than its capture: that one has no operator, and of a step of unknown size nothing
    /// has shapes.
    void kernelsBeyondTheCaptureHaveNoOperator() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        std::vector<std::string> kernels;
        for (int i = 0; i < 12; ++i)
            kernels.push_back(fmt::format("k{}", i));
        std::vector<std::string> more = kernels;
        more.insert(more.begin() + 5, "new");
        write(at / "trace.json", replay_of({4}, {more}));
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(4, {kernels}, 4));
        QStringList operators = operators_of(*load(at)->ranks[0]);
        QCOMPARE(operators.size(), 13);
        QCOMPARE(operators[5], QStringLiteral("-"));
        QCOMPARE(operators[6], QStringLiteral("op::k5 [[4,8]]"));
        std::string unknown = replay_of({4}, {more});
        const std::string words = "execute_context_0(0)_generation_4(4)";
        unknown.replace(unknown.find(words), words.size(), "forward");
        write(at / "trace.json", unknown);
        QCOMPARE(operators_of(*load(at)->ranks[0])[6], QStringLiteral("op::k5 "));
    }

    void otherSequencesAreNotAttributed() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        write(at / "trace.json", replay_of({4}, {{"x", "y"}}));
        write(at / "capture_traces/graph_capture_rank_0.1.json", capture_of(4, {{"k1", "k2"}}, 4));
        const auto run = load(at);
        QCOMPARE(operators_of(*run->ranks[0]), (QStringList{"-", "-"}));
        QVERIFY(std::ranges::any_of(run->notices, [](const Notice& n) { return n.code == "graphs_without_capture"; }));
        write(at / "capture_traces/graph_capture_rank_0.1.json", "{\"traceEvents\":[");
        QCOMPARE(load(at)->ranks.size(), std::size_t{1});
    }

    void accountingCountsOnlyEventsOfTheFile() {
        QTemporaryDir folder;
        const fs::path at = folder.path().toStdString();
        write(at / "trace.json", replay_of({4}, {{"k1", "k2"}}));
        const Accounting accounting = accounting_of(*load(at));
        QCOMPARE(accounting.events_in_file, std::uint64_t{4});
        QCOMPARE(accounting.on_timeline, std::uint64_t{4});
    }

    void vllmDecodeIsAttributedAsByTraceLens() {
        if (!fs::exists(kFull))
            QSKIP("skipped: no shared traces");
        const auto run = load(kFull);
        QCOMPARE(run->ranks.size(), std::size_t{1});
        const RunAnalysis analysis(run, {});
        const GraphAnalysis& graphs = analysis.graphs();
        QCOMPARE(graphs.launches, std::int64_t{1});
        QCOMPARE(graphs.graphs[0].nodes.size(), std::size_t{421});
        QCOMPARE(graphs.attributed, graphs.in_graphs);
        QCOMPARE(graphs.in_graphs, TimeNs{10'388'482});
        QCOMPARE(analysis.operators()[0].unattributed, TimeNs{0});
        qInfo("%.2f %% of the GPU time in graphs attributed",
              100.0 * static_cast<double>(graphs.attributed) / static_cast<double>(graphs.in_graphs));
        QVERIFY(analysis.modules().attributed > analysis.modules().gpu_total * 9 / 10);
    }
};

RANKSCOPE_TEST(TestGraphs)

} // namespace rankscope::graphs_test

#include "test_graphs.moc"
