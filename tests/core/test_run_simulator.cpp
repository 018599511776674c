// SPDX-License-Identifier: GPL-3.0-or-later
// The run simulator keeps the rules it promises, and what it writes is what it knows.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"

namespace rankscope::run_simulator_test {

using Json = nlohmann::json;

namespace {

/// Early times, so that doubles hold them to the nanosecond.
constexpr TimeNs kStart = kKinetoBaseTime + 2000000000;

SimulatorOptions small_run() {
    SimulatorOptions options;
    options.pp = 2;
    options.dp = 2;
    options.tp = 2;
    options.steps = 2;
    options.jitter = 0.05;
    options.cpu_detail = 3;
    options.python_stacks = true;
    options.start_time = kStart;
    return options;
}

/// Equal stages whose messages take no time; the host is never late. Forward 1 ms, backward 2 ms a microbatch.
SimulatorOptions pure_pipeline(int pp, int microbatches) {
    SimulatorOptions options;
    options.pp = pp;
    options.microbatches = microbatches;
    options.layers = 1;
    options.steps = 3;
    options.forward_layer = {{{"aten::mm"}, "gemm_forward", 1000000}};
    options.backward_layer = {{{"aten::mm"}, "gemm_backward", 2000000}};
    options.optimizer_kernels = 0;
    options.batch_bytes = 0;
    options.inter_node_gb_s = std::numeric_limits<double>::infinity();
    options.collective_latency = 0;
    options.kernel_gap = 0;
    options.start_time = kStart;
    return options;
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::filesystem::path folder_of(const QTemporaryDir& dir) { return dir.path().toStdString(); }

/// Events of one rank's file.
Json read_events(const std::filesystem::path& folder, int rank) {
    return Json::parse(read_text(folder / ("rank" + std::to_string(rank) + ".json"))).at("traceEvents");
}

TimeNs ns(const Json& event, const char* key) { return std::llround(event.at(key).get<double>() * 1000); }

std::vector<Json> select(const Json& events, const std::string& category) {
    std::vector<Json> found;
    for (const Json& event : events)
        if (event.value("cat", "") == category && event.at("ph") == "X")
            found.push_back(event);
    return found;
}

std::vector<std::string> pass_order(const Json& events, TimeNs until) {
    std::vector<std::pair<TimeNs, std::string>> passes;
    for (const Json& event : select(events, "user_annotation")) {
        const std::string name = event.at("name");
        if ((name.starts_with("Forward") || name.starts_with("Backward")) && ns(event, "ts") < until)
            passes.emplace_back(ns(event, "ts"), name.substr(0, 1) + name.substr(name.find(' ') + 1));
    }
    std::sort(passes.begin(), passes.end());
    std::vector<std::string> order;
    for (const auto& [time, name] : passes)
        order.push_back(name);
    return order;
}

} // namespace

class TestRunSimulator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameSeedGivesTheSameBytes();
    void filesAreValidJson_data();
    void filesAreValidJson();
    void collectivesEndTogetherAfterTheLastArrival();
    void nothingOverlapsOnAStream();
    void everyLaunchPrecedesItsKernel();
    void operatorsOfAThreadNest();
    void stagesRunOneForwardOneBackward();
    void idealBubbleIsWhatTheScheduleLeaves_data();
    void idealBubbleIsWhatTheScheduleLeaves();
    void waitsAddUpToTheStep();
    void trafficOfEachDimension();
    void gradientReductionOverlapsTheBackwardPass();
    void slowRankArrivesLast_data();
    void slowRankArrivesLast();
    void clockOffsetShiftsOneFileOnly();
    void captureDefectsLoseExactlyWhatTheySay();
    void loadedRunHoldsWhatWasWritten_data();
    void loadedRunHoldsWhatWasWritten();
    void nonsenseIsRefused();
    void unwritableFolderLeavesNothing();
    void whatIsStoppedCommitsNoFile();
    void demoIsSmallAndFast();
};

void TestRunSimulator::sameSeedGivesTheSameBytes() {
    SimulatorOptions options = small_run();
    QTemporaryDir first, second, third;
    QVERIFY(write_run(options, folder_of(first)).has_value());
    QVERIFY(write_run(options, folder_of(second)).has_value());
    options.seed = 99;
    QVERIFY(write_run(options, folder_of(third)).has_value());
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_of(first))) {
        const std::filesystem::path name = entry.path().filename();
        QCOMPARE(read_text(folder_of(second) / name), read_text(entry.path()));
        if (name.string().starts_with("rank"))
            QVERIFY(read_text(folder_of(third) / name) != read_text(entry.path()));
        ++files;
    }
    QCOMPARE(files, 8 + 3); // ranks; truth, card, train_config
}

void TestRunSimulator::filesAreValidJson_data() {
    QTest::addColumn<int>("vendor");
    QTest::addColumn<int>("pp");
    QTest::addColumn<int>("dp");
    QTest::addColumn<int>("tp");
    QTest::addColumn<int>("detail");
    QTest::newRow("one rank") << 0 << 1 << 1 << 1 << 0;
    QTest::newRow("pipeline") << 0 << 3 << 1 << 1 << 1;
    QTest::newRow("data") << 1 << 1 << 3 << 1 << 2;
    QTest::newRow("tensor") << 1 << 1 << 1 << 2 << 40;
    QTest::newRow("all") << 0 << 2 << 2 << 2 << 7;
}

void TestRunSimulator::filesAreValidJson() {
    QFETCH(int, vendor);
    QFETCH(int, pp);
    QFETCH(int, dp);
    QFETCH(int, tp);
    QFETCH(int, detail);
    SimulatorOptions options = small_run();
    options.vendor = static_cast<GpuVendor>(vendor);
    options.pp = pp;
    options.dp = dp;
    options.tp = tp;
    options.cpu_detail = detail;
    QTemporaryDir dir;
    const Result<RunTruth> truth = write_run(options, folder_of(dir));
    QVERIFY(truth.has_value());
    std::uint64_t complete = 0;
    for (int rank = 0; rank < options.world_size(); ++rank) {
        const Json trace = Json::parse(read_text(folder_of(dir) / ("rank" + std::to_string(rank) + ".json")));
        QCOMPARE(trace.at("distributedInfo").at("rank").get<int>(), rank);
        QCOMPARE(trace.at("distributedInfo").at("world_size").get<int>(), options.world_size());
        for (const Json& event : trace.at("traceEvents")) {
            complete += event.at("ph") == "X" ? 1 : 0;
            QVERIFY(event.value("dur", 0.0) >= 0);
        }
    }
    QCOMPARE(complete, truth->events_written);
    const Json written = Json::parse(read_text(folder_of(dir) / "simulator.truth"));
    QCOMPARE(written.at("collectives").size(), truth->collectives.size());
    QCOMPARE(written.at("steps").size(), static_cast<std::size_t>(2 * options.world_size()));
}

void TestRunSimulator::collectivesEndTogetherAfterTheLastArrival() {
    const SimulatorOptions options = small_run();
    const Result<SimulatedRun> run = simulate(options);
    QVERIFY(run.has_value());
    // All-reduce of 8388608 x 2 bytes by two ranks: 2 (2 - 1) / 2 x 16777216 B / 240 GB/s + 12 us.
    const TimeNs tensor_transfer = 12000 + 69905;
    // Gradients 25165824 x 4 bytes over 45 GB/s; message 16777216 B over 45 GB/s.
    const TimeNs transfers[] = {tensor_transfer, 12000 + 2236962, 12000 + 372827};
    std::size_t members = 0;
    for (const CollectiveTruth& call : run->truth.collectives) {
        QCOMPARE(call.transfer, transfers[static_cast<std::size_t>(call.dimension)]);
        QCOMPARE(call.end, *std::max_element(call.starts.begin(), call.starts.end()) + call.transfer);
        members += call.ranks.size();
    }
    std::size_t tasks = 0;
    for (const RankProgram& rank : run->ranks) {
        for (const GpuTask& task : rank.tasks) {
            if (task.call >= 0) {
                const CollectiveTruth& call = run->truth.collectives[static_cast<std::size_t>(task.call)];
                const auto place = std::find(call.ranks.begin(), call.ranks.end(), rank.rank) - call.ranks.begin();
                QVERIFY(place < static_cast<std::ptrdiff_t>(call.ranks.size()));
                QCOMPARE(task.start, call.starts[static_cast<std::size_t>(place)]);
                QCOMPARE(task.end, call.end);
                ++tasks;
            }
        }
    }
    QCOMPARE(tasks, members);
}

void TestRunSimulator::nothingOverlapsOnAStream() {
    QTemporaryDir dir;
    QVERIFY(write_run(small_run(), folder_of(dir)).has_value());
    for (int rank = 0; rank < 8; ++rank) {
        std::map<int, std::vector<std::pair<TimeNs, TimeNs>>> streams;
        const Json events = read_events(folder_of(dir), rank);
        for (const char* category : {"kernel", "gpu_memcpy", "gpu_memset"})
            for (const Json& event : select(events, category))
                streams[event.at("tid")].emplace_back(ns(event, "ts"), ns(event, "dur"));
        QCOMPARE(streams.size(), std::size_t{4}); // compute, tp, dp, one neighbour
        for (auto& [stream, work] : streams) {
            std::sort(work.begin(), work.end());
            for (std::size_t i = 1; i < work.size(); ++i)
                QVERIFY(work[i - 1].first + work[i - 1].second <= work[i].first);
        }
    }
}

void TestRunSimulator::everyLaunchPrecedesItsKernel() {
    QTemporaryDir dir;
    QVERIFY(write_run(small_run(), folder_of(dir)).has_value());
    const Json events = read_events(folder_of(dir), 3);
    std::map<std::int64_t, TimeNs> launches;
    std::map<std::int64_t, std::string> operators;
    for (const Json& event : select(events, "cuda_runtime"))
        launches[event.at("args").at("correlation")] = ns(event, "ts");
    for (const Json& event : select(events, "cpu_op"))
        QVERIFY(operators.emplace(event.at("args").at("External id"), event.at("name")).second);
    const std::vector<Json> kernels = select(events, "kernel");
    QVERIFY(!kernels.empty());
    for (const Json& kernel : kernels) {
        const auto launch = launches.find(kernel.at("args").at("correlation"));
        QVERIFY(launch != launches.end());
        QVERIFY(launch->second + 5000 <= ns(kernel, "ts")); // launch_latency
        QVERIFY(operators.contains(kernel.at("args").at("External id")));
        if (kernel.at("args").contains("Collective name"))
            QCOMPARE(operators[kernel.at("args").at("External id")], std::string("record_param_comms"));
    }
}

void TestRunSimulator::operatorsOfAThreadNest() {
    QTemporaryDir dir;
    QVERIFY(write_run(small_run(), folder_of(dir)).has_value());
    std::map<std::int64_t, std::vector<std::pair<TimeNs, TimeNs>>> threads;
    const Json events = read_events(folder_of(dir), 6);
    for (const char* category : {"cpu_op", "user_annotation", "cuda_runtime", "python_function"})
        for (const Json& event : select(events, category))
            threads[event.at("tid")].emplace_back(ns(event, "ts"), -ns(event, "dur"));
    QCOMPARE(threads.size(), std::size_t{2});
    for (auto& [thread, spans] : threads) {
        std::sort(spans.begin(), spans.end()); // of those that start together, the longest first
        std::vector<TimeNs> open;
        for (const auto& [begin, negative_duration] : spans) {
            while (!open.empty() && open.back() <= begin)
                open.pop_back();
            QVERIFY(open.empty() || begin - negative_duration <= open.back());
            open.push_back(begin - negative_duration);
        }
    }
}

void TestRunSimulator::stagesRunOneForwardOneBackward() {
    SimulatorOptions options = pure_pipeline(4, 6);
    options.steps = 1;
    QTemporaryDir dir;
    QVERIFY(write_run(options, folder_of(dir)).has_value());
    const std::vector<std::string> expected[] = {
        {"F0", "F1", "F2", "F3", "B0", "F4", "B1", "F5", "B2", "B3", "B4", "B5"},
        {"F0", "F1", "F2", "B0", "F3", "B1", "F4", "B2", "F5", "B3", "B4", "B5"},
        {"F0", "F1", "B0", "F2", "B1", "F3", "B2", "F4", "B3", "F5", "B4", "B5"},
        {"F0", "B0", "F1", "B1", "F2", "B2", "F3", "B3", "F4", "B4", "F5", "B5"},
    };
    for (int stage = 0; stage < 4; ++stage)
        QCOMPARE(pass_order(read_events(folder_of(dir), stage), std::numeric_limits<TimeNs>::max()), expected[stage]);
}

void TestRunSimulator::idealBubbleIsWhatTheScheduleLeaves_data() {
    QTest::addColumn<int>("pp");
    QTest::addColumn<int>("microbatches");
    QTest::newRow("2 stages, 4 microbatches") << 2 << 4;
    QTest::newRow("4 stages, 8 microbatches") << 4 << 8;
    QTest::newRow("4 stages, 4 microbatches") << 4 << 4;
    QTest::newRow("fewer microbatches than stages") << 5 << 2;
}

void TestRunSimulator::idealBubbleIsWhatTheScheduleLeaves() {
    QFETCH(int, pp);
    QFETCH(int, microbatches);
    const Result<SimulatedRun> run = simulate(pure_pipeline(pp, microbatches));
    QVERIFY(run.has_value());
    QCOMPARE(run->truth.ideal_bubble, double(pp - 1) / double(microbatches + pp - 1));
    for (const StepTruth& step : run->truth.steps) {
        QCOMPARE(step.busy, TimeNs{3000000} * microbatches);
        if (step.rank == 0) { // its window is the whole pass of all microbatches
            QCOMPARE(step.window.length(), TimeNs{3000000} * (microbatches + pp - 1));
            QCOMPARE(step.bubble(), TimeNs{3000000} * (pp - 1));
        } else if (step.step > 10) { // it waits from the end of its last step on
            QVERIFY(std::abs(step.bubble() - 3000000 * (pp - 1)) < 100000 * pp);
        }
    }
}

void TestRunSimulator::waitsAddUpToTheStep() {
    SimulatorOptions options = small_run();
    options.slow = {2, 3, SlowCause::host_bound};
    const Result<SimulatedRun> run = simulate(options);
    QVERIFY(run.has_value());
    for (const StepTruth& step : run->truth.steps) {
        QCOMPARE(step.busy + step.bubble() + step.exposed_tensor + step.exposed_data + step.host + step.tail,
                 step.window.length());
        QVERIFY(step.annotation.begin <= step.window.begin && step.window.end <= step.annotation.end);
        QVERIFY(step.exposed_tensor > 0 && step.bubble() > 0);
    }
}

void TestRunSimulator::trafficOfEachDimension() {
    SimulatorOptions options = small_run();
    options.pp = 4;
    options.microbatches = 5;
    options.layers = 3;
    options.layers_per_bucket = 2;
    const Result<SimulatedRun> run = simulate(options);
    QVERIFY(run.has_value());
    const std::vector<TrafficTruth>& traffic = run->truth.traffic;
    // 16 ranks x 5 microbatches x 3 layers x (2 forward + 2 backward) all-reduces of 8388608 x 2 bytes.
    QCOMPARE(traffic[0].calls, std::int64_t{16 * 5 * 3 * 4});
    QCOMPARE(traffic[0].bytes, std::int64_t{16 * 5 * 3 * 4} * 8388608 * 2);
    // Buckets of two layers and of one: 16 x 3 layers x 25165824 x 4 bytes in 16 x 2 calls.
    QCOMPARE(traffic[1].calls, std::int64_t{16 * 2});
    QCOMPARE(traffic[1].bytes, std::int64_t{16 * 3} * 25165824 * 4);
    // 3 borders x 4 pairs x 5 microbatches x 2 directions x both ends.
    QCOMPARE(traffic[2].calls, std::int64_t{3 * 4 * 5 * 2 * 2});
    QCOMPARE(traffic[2].bytes, std::int64_t{3 * 4 * 5 * 2 * 2} * 8388608 * 2);

    QTemporaryDir dir;
    QVERIFY(write_run(options, folder_of(dir)).has_value());
    std::map<std::string, TrafficTruth> written; // both steps
    for (int rank = 0; rank < options.world_size(); ++rank) {
        for (const Json& kernel : select(read_events(folder_of(dir), rank), "kernel")) {
            const Json& args = kernel.at("args");
            if (args.contains("Collective name")) {
                TrafficTruth& dimension = written[args.at("Process Group Description")];
                ++dimension.calls;
                dimension.bytes += args.at("In msg nelems").get<std::int64_t>() * (args.at("dtype") == "Float" ? 4 : 2);
            }
        }
    }
    for (const Dimension d : {Dimension::tensor, Dimension::data, Dimension::pipeline}) {
        const TrafficTruth& found = written["mesh_" + std::string(dimension_word(d))];
        QCOMPARE(found.calls, 2 * traffic[static_cast<std::size_t>(d)].calls);
        QCOMPARE(found.bytes, 2 * traffic[static_cast<std::size_t>(d)].bytes);
    }
}

void TestRunSimulator::gradientReductionOverlapsTheBackwardPass() {
    SimulatorOptions options = small_run();
    options.layers = 4;
    const Result<SimulatedRun> run = simulate(options);
    QVERIFY(run.has_value());
    for (const RankProgram& rank : run->ranks) {
        TimeNs last_backward_end = 0;
        std::vector<TimeNs> reduction_starts;
        for (std::uint32_t i = 0; i < rank.first_task[1]; ++i) {
            const GpuTask& task = rank.tasks[i];
            const StreamSlot stream = rank.spec_of(task).stream;
            if (stream == StreamSlot::compute && task.phase == Phase::backward)
                last_backward_end = std::max(last_backward_end, task.end);
            else if (stream == StreamSlot::data)
                reduction_starts.push_back(task.start);
            else if (task.phase == Phase::update)
                QVERIFY(task.start >= reduction_starts.back());
        }
        QCOMPARE(reduction_starts.size(), std::size_t{4});
        QVERIFY(reduction_starts.front() < last_backward_end);
    }
}

void TestRunSimulator::slowRankArrivesLast_data() {
    QTest::addColumn<int>("cause");
    QTest::addColumn<double>("factor");
    QTest::addColumn<int>("least"); // calls of its tensor group, in percent, to which it must be the last
    QTest::newRow("slower kernels") << 0 << 1.5 << 99;
    QTest::newRow("host bound") << 1 << 40.0 << 80; // not while it works off what it launched during a wait
    QTest::newRow("late data") << 2 << 50.0 << 0;   // only the first call of a step
}

void TestRunSimulator::slowRankArrivesLast() {
    QFETCH(int, cause);
    QFETCH(double, factor);
    QFETCH(int, least);
    SimulatorOptions options = small_run();
    options.jitter = 0;
    options.slow = {5, factor, static_cast<SlowCause>(cause)};
    const Result<SimulatedRun> run = simulate(options);
    const Result<SimulatedRun> healthy = [&] {
        SimulatorOptions same = options;
        same.slow = {};
        return simulate(same);
    }();
    QVERIFY(run.has_value() && healthy.has_value());
    QCOMPARE(run->truth.slow_rank, 5);
    QCOMPARE(run->truth.slow_cause, std::string(slow_cause_word(options.slow.cause)));
    int calls = 0;
    int last = 0;
    for (const CollectiveTruth& call : run->truth.collectives) {
        if (call.dimension == Dimension::tensor && std::count(call.ranks.begin(), call.ranks.end(), 5) == 1) {
            last += call.last_rank() == 5 && call.lag() > 0 ? 1 : 0;
            ++calls;
        }
    }
    QVERIFY2(last * 100 >= least * calls && last >= options.steps, qPrintable(QString::number(last)));
    // The others pay: every rank's run takes longer than without it.
    for (std::size_t i = 0; i < run->ranks.size(); ++i)
        QVERIFY(run->ranks[i].steps.back().end > healthy->ranks[i].steps.back().end);
    for (const CollectiveTruth& call : healthy->truth.collectives)
        QVERIFY(call.dimension != Dimension::tensor || call.lag() == 0);
}

void TestRunSimulator::clockOffsetShiftsOneFileOnly() {
    SimulatorOptions options = small_run();
    options.gpus_per_node = 1;
    QTemporaryDir plain, shifted;
    QVERIFY(write_run(options, folder_of(plain)).has_value());
    options.clock_offsets = {0, 0, 0, -1234567};
    const Result<RunTruth> truth = write_run(options, folder_of(shifted));
    QVERIFY(truth.has_value());
    QCOMPARE(truth->clock_offsets, (std::vector<TimeNs>{0, 0, 0, -1234567, 0, 0, 0, 0}));
    for (int rank = 0; rank < 8; ++rank) {
        const Json before = read_events(folder_of(plain), rank);
        const Json after = read_events(folder_of(shifted), rank);
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < after.size(); ++i)
            QCOMPARE(ns(after[i], "ts"), ns(before[i], "ts") - (rank == 3 ? 1234567 : 0));
    }
}

void TestRunSimulator::captureDefectsLoseExactlyWhatTheySay() {
    SimulatorOptions options = small_run();
    QTemporaryDir whole, damaged;
    QVERIFY(write_run(options, folder_of(whole)).has_value());
    options.defects = {{1, 7, {9}, false}, {2, 0, {}, true}, {4, 0, {0, 3}, false}};
    options.unwritten_ranks = {6};
    QVERIFY(write_run(options, folder_of(damaged)).has_value());
    QVERIFY(!std::filesystem::exists(folder_of(damaged) / "rank6.json"));
    // Group, number and kind of each collective in the order of launches; "bare" where it has no arguments.
    const auto collectives = [](const QTemporaryDir& dir, int rank) {
        std::map<std::int64_t, std::string> by_correlation;
        for (const Json& kernel : select(read_events(folder_of(dir), rank), "kernel")) {
            const Json& args = kernel.at("args");
            if (kernel.at("name").get<std::string>().starts_with("nccl"))
                by_correlation[args.at("correlation")] =
                    !args.contains("Seq") ? "bare"
                                          : args.at("Process Group Name").get<std::string>() + ":" +
                                                args.at("Seq").dump() + args.at("Collective name").get<std::string>();
        }
        std::vector<std::string> ordered;
        for (const auto& [correlation, text] : by_correlation)
            ordered.push_back(text);
        return ordered;
    };
    const auto without = [](const std::vector<std::string>& calls, const std::set<std::size_t>& lost) {
        std::vector<std::string> kept;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (!lost.contains(i)) {
                kept.push_back(calls[i]);
            }
        }
        return kept;
    };
    QCOMPARE(collectives(damaged, 1), without(collectives(whole, 1), {0, 1, 2, 3, 4, 5, 6, 9}));
    QCOMPARE(collectives(damaged, 4), without(collectives(whole, 4), {0, 3}));
    QCOMPARE(collectives(damaged, 2), std::vector<std::string>(collectives(whole, 2).size(), "bare"));
    QCOMPARE(read_text(folder_of(damaged) / "rank0.json"), read_text(folder_of(whole) / "rank0.json"));
}

void TestRunSimulator::loadedRunHoldsWhatWasWritten_data() {
    QTest::addColumn<int>("compression");
    QTest::newRow("plain") << 0;
    QTest::newRow("gzip") << 1;
}

void TestRunSimulator::loadedRunHoldsWhatWasWritten() {
    QFETCH(int, compression);
    SimulatorOptions options = small_run();
    options.start_time = SimulatorOptions{}.start_time;
    options.compression = static_cast<Compression>(compression);
    QTemporaryDir dir;
    const Result<RunTruth> truth = write_run(options, folder_of(dir));
    QVERIFY(truth.has_value());
    const Result<std::shared_ptr<const Run>> run = load_run(folder_of(dir));
    QVERIFY(run.has_value());
    QCOMPARE((*run)->ranks.size(), std::size_t{8});
    QCOMPARE((*run)->world_size, 8);
    QVERIFY2((*run)->notices.empty(), (*run)->notices.empty() ? "" : english((*run)->notices.front().message).c_str());
    QCOMPARE((*run)->event_count(), truth->events_written);
    const Result<SimulatedRun> simulated = simulate(options);
    QVERIFY(simulated.has_value());
    for (const RankProgram& program : simulated->ranks) {
        const RankTrace& rank = *(*run)->rank(program.rank);
        QCOMPARE(rank.events.gpu_count, static_cast<EventIndex>(program.tasks.size()));
        std::multiset<std::pair<TimeNs, TimeNs>> expected, loaded; // exact to the nanosecond
        for (const GpuTask& task : program.tasks)
            expected.emplace(task.start, task.end);
        for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
            loaded.emplace(rank.events.start[i], rank.events.end(i));
            QVERIFY(rank.events.link[i] != kNoEvent && rank.gpu.operator_event[i] != kNoEvent);
        }
        QVERIFY(loaded == expected);
        QCOMPARE(rank.steps.size(), program.steps.size());
        for (std::size_t step = 0; step < program.steps.size(); ++step) {
            QCOMPARE(rank.steps[step].number, options.first_step + static_cast<std::int64_t>(step));
            QVERIFY(rank.steps[step].range == program.steps[step]);
        }
        QCOMPARE(rank.process_groups.size(), std::size_t{4}); // the default one and one of each dimension
        QCOMPARE(rank.memory_samples.size(), std::size_t{2 * 4 * 2 * 2});
        QCOMPARE(rank.flows.size(), std::size_t{2 * 4 * 2});
    }
}

void TestRunSimulator::nonsenseIsRefused() {
    std::vector<SimulatorOptions> nonsense(7, small_run());
    nonsense[0].pp = 0;
    nonsense[1].microbatches = -3;
    nonsense[2].slow = {8, 2, SlowCause::late_data};
    nonsense[3].slow = {1, 0, SlowCause::late_data};
    nonsense[4].activation_dtype = "Tensor";
    nonsense[5].cpu_detail = 1000000;
    nonsense[6].file_name = "trace.json";
    for (const SimulatorOptions& options : nonsense) {
        const Result<SimulatedRun> run = simulate(options);
        QVERIFY(!run.has_value());
        QCOMPARE(run.error().code, Error::Code::usage);
        QVERIFY(!english(run.error().message).empty() && english(run.error().message).find('\n') == std::string::npos);
    }
}

void TestRunSimulator::unwritableFolderLeavesNothing() {
    QTemporaryDir dir;
    const std::filesystem::path blocked = folder_of(dir) / "run";
    std::filesystem::create_directories(blocked / "rank1.json" / "in the way"); // rename onto it fails
    const Result<RunTruth> truth = write_run(small_run(), blocked);
    QVERIFY(!truth.has_value());
    QCOMPARE(truth.error().code, Error::Code::output);
    QVERIFY(english(truth.error().message).find("rank1.json") != std::string::npos);
    for (const auto& entry : std::filesystem::directory_iterator(blocked))
        QVERIFY(entry.path().extension() != ".part");
}

void TestRunSimulator::whatIsStoppedCommitsNoFile() {
    QTemporaryDir dir;
    std::stop_source stop;
    stop.request_stop();
    const Result<RunTruth> truth = write_run(small_run(), folder_of(dir), stop.get_token());
    QVERIFY(!truth.has_value());
    QCOMPARE(truth.error().code, Error::Code::cancelled);
    QVERIFY(std::filesystem::is_empty(folder_of(dir)));
}

void TestRunSimulator::demoIsSmallAndFast() {
    QTemporaryDir dir;
    QElapsedTimer timer;
    timer.start();
    const auto folder = write_demo_runs(folder_of(dir));
    QVERIFY(folder.has_value());
    qInfo("demo runs written in %lld ms", static_cast<long long>(timer.elapsed()));
    for (const char* name : {"baseline", "straggler"}) {
        const Json truth = Json::parse(read_text(*folder / name / "simulator.truth"));
        const std::int64_t per_rank = truth.at("events_written").get<std::int64_t>() / 8;
        QVERIFY2(per_rank > 10000 && per_rank < 60000, qPrintable(QString::number(per_rank)));
        QCOMPARE(truth.at("slow_rank").get<int>(), std::string_view(name) == "baseline" ? -1 : 5);
    }
    SimulatorOptions large = demo_baseline();
    large.steps = 12;
    timer.restart();
    const Result<RunTruth> truth = write_run(large, *folder / "large");
    QVERIFY(truth.has_value());
    const double megabytes = static_cast<double>(truth->bytes_written) / 1e6;
    qInfo("%.0f MB in %lld ms", megabytes, static_cast<long long>(timer.elapsed()));
}

RANKSCOPE_TEST(TestRunSimulator)

} // namespace rankscope::run_simulator_test

#include "test_run_simulator.moc"
