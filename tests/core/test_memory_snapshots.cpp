// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots of PyTorch: what is read of them, and their numbers, worked out by hand.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

#include "core/analysis/memory/snapshot_memory.h"
#include "core/analysis/memory/snapshot_words.h"
#include "core/analysis/memory/would_fit.h"
#include "core/base/whole_file.h"
#include "core/compare/memory_comparison.h"
#include "core/input/load/load_run.h"
#include "core/input/memory_snapshot/snapshot_reader.h"
#include "core/query/query.h"
#include "core/report/memory_report.h"
#include "core/run/run_analysis.h"
#include "core/views/all_facts.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"

namespace rankscope::memory_snapshots_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t kStart_us = 1'700'000'000'000'000;

Json frame(const std::string& file, int line, const std::string& name) {
    return {{"name", name}, {"filename", file}, {"line", line}};
}
Json train_stack() { return Json::array({frame("/job/train.py", 10, "step")}); }
Json forward_stack() {
    return Json::array({frame("/venv/lib/python3.12/site-packages/torch/nn/functional.py", 5, "linear"),
                        frame("/job/model.py", 20, "forward"), frame("/job/train.py", 10, "step")});
}

Json made_event(const std::string& action, std::int64_t address, std::int64_t bytes, int at_us,
                const Json& frames = Json::array()) {
    return {{"action", action}, {"addr", address}, {"size", bytes}, {"stream", 0}, {"time_us", kStart_us + at_us},
            {"frames", frames}};
}
Json out_of_memory(std::int64_t asked, std::int64_t device_free, int at_us) {
    return {{"action", "oom"}, {"device_free", device_free},   {"size", asked},
            {"stream", 0},     {"time_us", kStart_us + at_us}, {"frames", train_stack()}};
}
Json block(std::int64_t bytes, std::int64_t requested, const std::string& state, const Json& frames = Json::array()) {
    return {{"size", bytes}, {"requested_size", requested}, {"state", state}, {"frames", frames}};
}
Json segment(std::int64_t address, std::int64_t bytes, const std::string& type, const Json& pool, const Json& blocks) {
    return {{"device", 0},          {"address", address},      {"total_size", bytes},    {"stream", 0},
            {"segment_type", type}, {"segment_pool_id", pool}, {"is_expandable", false}, {"frames", Json::array()},
            {"blocks", blocks}};
}

/// X (300) and D (400) were there before; A (500) takes the place of X, B (3000) comes through a module, C (900) comes
/// and goes with a segment of its own. E is freed and still in use by a stream. Then memory runs out.
Json snapshot_of_hand() {
    const Json stack_of_d = Json::array({frame("/job/load.py", 5, "load")});
    return {
        {"segments", Json::array({segment(1000, 2000, "small", {0, 0},
                                          Json::array({block(512, 500, "active_allocated", train_stack()),
                                                       block(488, 400, "active_allocated", stack_of_d),
                                                       block(1000, 0, "inactive")})),
                                  segment(10'000, 4000, "large", {0, 1},
                                          Json::array({block(3072, 3000, "active_allocated", forward_stack()),
                                                       block(928, 900, "active_pending_free")}))})},
        {"device_traces",
         Json::array(
             {Json::array(
                  {made_event("free_requested", 1000, 300, 0), made_event("free_completed", 1000, 300, 1),
                   made_event("alloc", 1000, 500, 2, train_stack()), made_event("segment_alloc", 10'000, 4000, 3),
                   made_event("alloc", 10'000, 3000, 4, forward_stack()), made_event("segment_alloc", 20'000, 1000, 5),
                   made_event("alloc", 20'000, 900, 6, train_stack()), made_event("free_completed", 20'000, 900, 7),
                   made_event("segment_free", 20'000, 1000, 8), out_of_memory(9000, 100, 9)}),
              Json::array()})},
        {"allocator_settings", {{"expandable_segments", false}, {"PYTORCH_CUDA_ALLOC_CONF", ""}}},
        {"external_annotations",
         Json::array({{{"stage", "START"}, {"name", "step 1"}, {"device", 0}, {"time_us", kStart_us}},
                      {{"stage", "END"}, {"name", "step 1"}, {"device", 0}, {"time_us", kStart_us + 8}}})}};
}

void write(const fs::path& path, const std::string& bytes) { QVERIFY(write_whole_file(path, bytes)); }

Result<MemorySnapshot> read(const std::string& bytes, StringTable& names) {
    QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "rank0.pickle";
    write(file, bytes);
    return read_memory_snapshot(file, names, {});
}

std::shared_ptr<const Run> run_of(const fs::path& path) {
    LoadOptions options;
    options.use_cache = false;
    auto run = load_run(path, options);
    if (!run)
        qWarning("%s", english(run.error().message).c_str());
    return run ? *run : nullptr;
}

/// Opcodes of a pickle, by hand: what PyTorch never writes.
std::string little_endian(std::size_t number) {
    std::string bytes;
    for (int i = 0; i < 4; ++i)
        bytes += static_cast<char>(number >> (8 * i) & 0xFF);
    return bytes;
}
std::string text_opcode(const std::string& text) { return "X" + little_endian(text.size()) + text; }
std::string put_opcode(std::size_t number) { return "r" + little_endian(number); }
std::string get_opcode(std::size_t number) { return "j" + little_endian(number); }
std::string event_opcodes() {
    return "}(" + text_opcode("action") + text_opcode("alloc") + text_opcode("addr") + "K\x05" + text_opcode("size") +
           "K\x05u";
}
std::string frame_opcodes() {
    return "}(" + text_opcode("name") + text_opcode("f") + text_opcode("filename") + text_opcode("a.py") +
           text_opcode("line") + "K\x01u";
}
/// {"segments": [], KEY: what these opcodes make}
std::string snapshot_opcodes(const std::string& key, const std::string& opcodes) {
    return "\x80\x02}(" + text_opcode("segments") + "]" + text_opcode(key) + opcodes + "u.";
}

/// Segments that follow each other: blocks of 10 bytes, all active.
std::shared_ptr<MemorySnapshot> snapshot_of_blocks(std::uint32_t blocks) {
    auto snapshot = std::make_shared<MemorySnapshot>();
    snapshot->segments.push_back({1000, 10 * std::int64_t{blocks}, 0, 0, 0, 0, true, true, kNoStack, 0, blocks});
    for (std::uint32_t i = 0; i < blocks; ++i)
        snapshot->blocks.push_back({1000 + 10 * std::uint64_t{i}, 10, 10, kNoStack, 0, BlockState::active});
    return snapshot;
}
SnapshotMemory analysed_alone(std::shared_ptr<const MemorySnapshot> snapshot) {
    Run run;
    run.names = std::make_shared<StringTable>();
    auto rank = std::make_shared<RankTrace>();
    rank->names = run.names;
    rank->memory_snapshot = std::move(snapshot);
    run.ranks = {std::move(rank)};
    return analyse_snapshots(run);
}

std::vector<std::string> codes(const Run& run) {
    std::vector<std::string> found;
    for (const Notice& notice : run.notices)
        found.emplace_back(notice.code.word());
    return found;
}

} // namespace

class TestMemorySnapshots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void segmentsAndBlocksAddUpAsMemoryVizHasThem() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        write(path / "rank3.pickle", pickled(snapshot_of_hand()));
        const auto run = run_of(path);
        QVERIFY(run);
        QCOMPARE(run->source, TraceSource::memory_snapshot);
        QCOMPARE(run->ranks.at(0)->rank, 3);
        const RunAnalysis analysis(run, {});
        const SegmentBytes& total = analysis.snapshot_memory().devices.at(0).total;
        QCOMPARE(total.segments, std::int64_t{2});
        QCOMPARE(total.reserved, std::int64_t{6000});
        QCOMPARE(total.state(BlockState::active).blocks, std::int64_t{3});
        QCOMPARE(total.state(BlockState::active).bytes, std::int64_t{4072});
        QCOMPARE(total.state(BlockState::active).requested, std::int64_t{3900});
        QCOMPARE(total.state(BlockState::awaiting_free).bytes, std::int64_t{928});
        QCOMPARE(total.state(BlockState::inactive).bytes, std::int64_t{1000});
        QCOMPARE(total.rounding, std::int64_t{172});
        QCOMPARE(total.fragmented, std::int64_t{1000}); // beside active blocks
        QCOMPARE(total.unused_segments, std::int64_t{0});
        const auto& pools = analysis.snapshot_memory().devices.at(0).pools;
        QCOMPARE(pools.size(), std::size_t{2});
        QCOMPARE(pools[1].second, std::int64_t{1});
        QCOMPARE(pools[1].bytes.reserved, std::int64_t{4000});
    }

    void activeReservedAndFragmentedBytesOverTime() {
        StringTable names;
        const auto snapshot = read(pickled(snapshot_of_hand()), names);
        QVERIFY(snapshot);
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(snapshot_of_hand()));
        const RunAnalysis analysis(run_of(folder.path().toStdString()), {});
        const DeviceSnapshot& of = analysis.snapshot_memory().devices.at(0);
        QCOMPARE(of.active_at_start, std::int64_t{700});
        std::vector<std::vector<std::int64_t>> points;
        for (const SnapshotPoint& point : of.points)
            points.push_back({point.time / 1000 - kStart_us, point.active, point.reserved, point.fragmented});
        const std::vector<std::vector<std::int64_t>> expected{
            {1, 400, 2000, 1600},  {2, 900, 2000, 1100},  {3, 900, 6000, 1100},  {4, 3900, 6000, 2100},
            {5, 3900, 7000, 2100}, {6, 4800, 7000, 2200}, {7, 3900, 7000, 2100}, {8, 3900, 6000, 2100}};
        QCOMPARE(points, expected);
        QCOMPARE(of.active_peak, std::int64_t{4800});
        QCOMPARE(of.reserved_peak, std::int64_t{7000});
        QCOMPARE(of.peak.value(), std::size_t{5});
        QCOMPARE(of.unexplained, std::int64_t{0});
        QCOMPARE(of.out_of_memory.size(), std::size_t{1});
        QCOMPARE(of.out_of_memory[0].asked, std::int64_t{9000});
        QCOMPARE(of.out_of_memory[0].device_free, std::int64_t{100});
        QCOMPARE(of.out_of_memory[0].active, std::int64_t{3900});
        QCOMPARE(of.out_of_memory[0].reserved, std::int64_t{6000});
    }

    void whatWasLiveAtThePeakByTheUsersFrame() {
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(snapshot_of_hand()));
        const RunAnalysis analysis(run_of(folder.path().toStdString()), {});
        const auto& live = analysis.snapshot_memory().devices.at(0).live_at_peak;
        QCOMPARE(live.size(), std::size_t{3});
        QCOMPARE(live[0].frame, std::string("model.py:20 forward")); // not torch's own frame
        QCOMPARE(live[0].caller, std::string("train.py:10 step"));
        QCOMPARE(live[0].bytes, std::int64_t{3000});
        QCOMPARE(live[1].frame, std::string("train.py:10 step"));
        QCOMPARE(live[1].bytes, std::int64_t{1400});
        QCOMPARE(live[1].blocks, std::int64_t{2});
        QCOMPARE(live[1].largest, std::int64_t{900});
        QCOMPARE(live[2].frame, std::string("load.py:5 load"));
        QCOMPARE(live[2].before, std::int64_t{400});
    }

    void aThreadOfTheBackwardPassIsNamedByItsNode() {
        Json made = snapshot_of_hand();
        made["device_traces"][0][4]["frames"] =
            Json::array({frame("??", 0, "c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc()"),
                         frame("??", 0, "torch::autograd::generated::MmBackward0::apply(std::vector<at::Tensor>&&)")});
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(made));
        const RunAnalysis analysis(run_of(folder.path().toStdString()), {});
        QCOMPARE(analysis.snapshot_memory().devices.at(0).live_at_peak[0].frame, std::string("MmBackward0"));
    }

    /// A segment grows by 100 and 200 bytes from 100 on, in it 50 at 100 and 150 at 200; then its end is given back.
    void expandableSegmentsGrowAndShrink() {
        const Json made{
            {"segments",
             Json::array({segment(100, 300, "large", {0, 0},
                                  Json::array({block(50, 50, "active_allocated"), block(50, 0, "inactive"),
                                               block(150, 150, "active_allocated"), block(50, 0, "inactive")}))})},
            {"device_traces",
             Json::array({Json::array({made_event("segment_map", 100, 100, 0), made_event("alloc", 100, 50, 1),
                                       made_event("segment_map", 200, 300, 2), made_event("alloc", 200, 150, 3),
                                       made_event("segment_unmap", 400, 100, 4)})})}};
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(made));
        const RunAnalysis analysis(run_of(folder.path().toStdString()), {});
        const DeviceSnapshot& of = analysis.snapshot_memory().devices.at(0);
        std::vector<std::pair<std::int64_t, std::int64_t>> points;
        for (const SnapshotPoint& point : of.points)
            points.emplace_back(point.reserved, point.fragmented);
        const std::vector<std::pair<std::int64_t, std::int64_t>> expected{
            {100, 0}, {100, 50}, {400, 350}, {400, 200}, {300, 100}};
        QCOMPARE(points, expected);
        QCOMPARE(of.unexplained, std::int64_t{0});
    }

    void withoutAHistoryNoMaximumIsTold() {
        Json made = snapshot_of_hand();
        made["device_traces"] = Json::array({Json::array()});
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(made));
        const auto run = run_of(folder.path().toStdString());
        const std::string told = english(snapshot_sentences(*run, RunAnalysis(run, {}).snapshot_memory()).at(0));
        QVERIFY2(told.find("has no history") != std::string::npos && told.find("most") == std::string::npos,
                 told.c_str());
    }

    void theRankThatRunsOutFirstAndHowItDiffers() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        Json calm = snapshot_of_hand();
        calm["device_traces"][0].erase(9); // ranks 0 and 1 do not run out, and rank 1 has all but the 3000 of forward
        write(path / "rank0.pickle", pickled(calm));
        write(path / "rank2.pickle", pickled(snapshot_of_hand()));
        for (const int at : {4})
            calm["device_traces"][0].erase(at);
        calm["segments"][1]["blocks"] = Json::array({block(4000, 0, "inactive")});
        write(path / "rank1.pickle", pickled(calm));
        const auto run = run_of(path);
        const RunAnalysis analysis(run, {});
        const SnapshotMemory& memory = analysis.snapshot_memory();
        QVERIFY(memory.first_out && memory.first_out->event);
        QCOMPARE(run->ranks[memory.devices[memory.first_out->device].rank]->rank, 2);
        QCOMPARE(memory.first_out->peers, std::int64_t{2});
        QCOMPARE(memory.first_out->peers_active_peak, std::int64_t{1800});
        QCOMPARE(memory.first_out->differences.at(0).frame, std::string("model.py:20 forward"));
        QCOMPARE(memory.first_out->differences.at(0).bytes, std::int64_t{3000});
        QCOMPARE(memory.first_out->differences.at(0).peers_median, std::int64_t{0});
        QCOMPARE(english(snapshot_sentences(*run, memory)).at(0),
                 std::string("Rank 2 ran out of memory first: it asked for 9.00 kB with 100 bytes free on the GPU. "
                             "3.90 kB were active, 6.00 kB reserved."));
        QVERIFY(english(analysis.findings().headline).starts_with("Rank 2 ran out of memory first: "));
    }

    /// 6000 reserved and 100 free; 3900 are active: 3000 of forward(), 500 of step(), 400 of load().
    void whatWouldHaveToBeFreeForTheRequest() {
        const auto told = [](std::int64_t asked, WouldFit& fit) {
            Json made = snapshot_of_hand();
            made["device_traces"][0][9] = out_of_memory(asked, 100, 9);
            made["device_traces"][0][4]["category"] = "ACTIVATION";
            QTemporaryDir folder;
            write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(made));
            const auto run = run_of(folder.path().toStdString());
            const RunAnalysis analysis(run, {});
            const DeviceSnapshot& of = analysis.snapshot_memory().devices.at(0);
            fit = would_fit(*run->ranks[0]->memory_snapshot, *run->names, of, of.out_of_memory.at(0));
            return english(snapshot_sentences(*run, analysis.snapshot_memory()).at(1));
        };
        WouldFit fit;
        // 3900 + 2700 - 6100 = 500.
        QCOMPARE(told(2700, fit),
                 std::string("It lacked 500 bytes, and would have fit without any one of these, if fragmentation takes "
                             "nothing: ACTIVATION (3.00 kB), model.py:20 forward (3.00 kB), train.py:10 step (500 "
                             "bytes)."));
        QCOMPARE(fit.limit, std::int64_t{6100});
        QCOMPARE(fit.needed, std::int64_t{6600});
        QVERIFY(fit.without.at(0).is_category && !fit.without.at(1).is_category);
        // 3900 + 9000 - 6100 = 6800: more than anything held.
        QCOMPARE(told(9000, fit),
                 std::string("It lacked 6.80 kB: no single category or place in the program held that much."));
        QVERIFY(fit.without.empty());
        // 3900 + 2100 = 6000 of 6100.
        QCOMPARE(told(2100, fit),
                 std::string("The memory was there, but not in one piece: 6.10 kB were reserved or free, 6.00 kB "
                             "needed."));
        QVERIFY(fit.without.empty());
    }

    void withoutAnOutOfMemoryNothingIsSaidToFit() {
        Json calm = snapshot_of_hand();
        calm["device_traces"][0].erase(9);
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(calm));
        const auto run = run_of(folder.path().toStdString());
        for (const std::string& sentence : english(snapshot_sentences(*run, RunAnalysis(run, {}).snapshot_memory())))
            QVERIFY2(sentence.find("fit") == std::string::npos && sentence.find("lacked") == std::string::npos,
                     sentence.c_str());
    }

    /// In the test forward() has moved by two lines and takes 4000 instead of 3000, and load() nothing.
    void twoSnapshotsSayWhatGrew() {
        QTemporaryDir before, after;
        write(fs::path(before.path().toStdString()) / "rank0.pickle", pickled(snapshot_of_hand()));
        Json made = snapshot_of_hand();
        made["device_traces"][0][4] =
            made_event("alloc", 10'000, 4000, 4,
                       Json::array({frame("/job/model.py", 22, "forward"), frame("/job/train.py", 10, "step")}));
        made["device_traces"][0][4]["category"] = "ACTIVATION";
        made["segments"][1]["blocks"] = Json::array({block(4000, 4000, "active_allocated")});
        made["segments"][0]["blocks"][1] = block(488, 0, "inactive");
        write(fs::path(after.path().toStdString()) / "rank0.pickle", pickled(made));
        const RunAnalysis baseline(run_of(before.path().toStdString()), {});
        const RunAnalysis test(run_of(after.path().toStdString()), {});
        const auto pairs =
            compare_memory(baseline.run(), baseline.snapshot_memory(), test.run(), test.snapshot_memory());
        QCOMPARE(pairs.size(), 1UL);
        // 300 + 400 - 300 + 500 + 3000 + 900 = 4800; 300 - 300 + 500 + 4000 + 900 = 5400.
        QCOMPARE(pairs[0].baseline->active_peak, std::int64_t{4800});
        QCOMPARE(pairs[0].test->active_peak, std::int64_t{5400});
        QCOMPARE(pairs[0].by_place.size(), 2UL); // step() is as before
        QCOMPARE(pairs[0].by_place[0].name, std::string("model.py:22 forward"));
        QCOMPARE(pairs[0].by_place[0].baseline, std::int64_t{3000});
        QCOMPARE(pairs[0].by_place[0].test, std::int64_t{4000});
        QCOMPARE(pairs[0].by_place[1].name, std::string("load.py:5 load"));
        QCOMPARE(pairs[0].by_place[1].grown(), std::int64_t{-400});
        QCOMPARE(pairs[0].by_category.size(), 2UL); // and what has none: 4800 and 1400
        QCOMPARE(pairs[0].by_category[0].name, std::string("ACTIVATION"));
        QCOMPARE(pairs[0].by_category[0].baseline, std::int64_t{0});
        QCOMPARE(pairs[0].by_category[1].test, std::int64_t{1400});
        QCOMPARE(english(memory_comparison_sentences(pairs)),
                 (std::vector<std::string>{
                     "Memory of rank 0 at its peak: 5.40 kB active instead of 4.80 kB; at most 7.00 kB reserved "
                     "instead of 7.00 kB.",
                     "Of the categories ACTIVATION grew most: 4.00 kB instead of 0 bytes.",
                     "Of the places in the program model.py:22 forward grew most: 4.00 kB instead of 3.00 kB."}));
        const auto json = memory_comparison_json(pairs);
        QCOMPARE(json["snapshots"][0]["by_place"][0]["test_bytes"].get<std::int64_t>(), std::int64_t{4000});
        QCOMPARE(json["snapshots"][0]["test"]["active_peak_bytes"].get<std::int64_t>(), std::int64_t{5400});
        DeviceSnapshot calm = *pairs[0].baseline;
        calm.out_of_memory.clear();
        auto ends_otherwise = pairs;
        ends_otherwise[0].baseline = &calm;
        QCOMPARE(english(memory_comparison_sentences(ends_otherwise).front()),
                 std::string("Rank 0 ran out of memory in the test only."));
        // The same twice: nothing grew.
        const auto same = compare_memory(test.run(), test.snapshot_memory(), test.run(), test.snapshot_memory());
        QVERIFY(same.at(0).by_place.empty());
        QCOMPARE(memory_comparison_sentences(same).size(), 1UL);
        QVERIFY(memory_comparison_json({}).is_null());
    }

    void besideTracesEachGoesToItsRank() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        for (const char* name : {"rank0.json", "rank1.json"})
            fs::copy_file(fs::path(RANKSCOPE_SOURCE_DIR) / "tests/data/two_ranks" / name, path / name);
        fs::create_directories(path / "memory_snapshot" / "iteration_10");
        fs::create_directories(path / "memory_snapshot" / "iteration_20");
        write(path / "memory_snapshot/iteration_10/rank1_memory_snapshot.pickle", pickled(snapshot_of_hand()));
        write(path / "memory_snapshot/iteration_20/rank1_memory_snapshot.pickle", pickled(snapshot_of_hand()));
        write(path / "weights.pkl", pickled(Json{{"layer", 1}})); // another pickle
        const auto run = run_of(path);
        QVERIFY(run);
        QCOMPARE(run->source, TraceSource::kineto);
        QVERIFY(!run->ranks.at(0)->memory_snapshot);
        QVERIFY(run->ranks.at(1)->memory_snapshot);
        QVERIFY(run->ranks[1]->memory_snapshot->file.string().find("iteration_20") != std::string::npos);
        const auto told = codes(*run);
        QCOMPARE(std::ranges::count(told, "memory_snapshot"), std::ptrdiff_t{1});
        QCOMPARE(std::ranges::count(told, "memory_snapshot_unmatched"), std::ptrdiff_t{1});
        QCOMPARE(std::ranges::count(told, "several_sources"), std::ptrdiff_t{0});
        // Recorded at other times than the traces: they count from the rank's first event.
        QCOMPARE(run->ranks[1]->memory_snapshot->span()->begin, run->ranks[1]->span.begin);
    }

    void withoutRanksInTheirNamesTheOrderTells() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        for (const char* name : {"rank0.json", "rank1.json"})
            fs::copy_file(fs::path(RANKSCOPE_SOURCE_DIR) / "tests/data/two_ranks" / name, path / name);
        write(path / "hosta_Nov.pickle", pickled(snapshot_of_hand()));
        write(path / "hostb_Nov.pickle", pickled(snapshot_of_hand()));
        const auto run = run_of(path);
        QVERIFY(run->ranks.at(0)->memory_snapshot && run->ranks.at(1)->memory_snapshot);
        const auto notice = std::ranges::find(run->notices, "memory_snapshot", &Notice::code);
        QVERIFY(notice != run->notices.end());
        QVERIFY(english(notice->message).find("in the order of their names") != std::string::npos);
    }

    void whatCannotBeReadIsCountedOrRefused() {
        StringTable names;
        Json odd = snapshot_of_hand();
        odd["segments"][0]["blocks"][0]["size"] = -5;
        odd["device_traces"][0][2]["action"] = "grow";
        odd["device_traces"][0][4]["size"] = "much";
        const auto snapshot = read(pickled(odd), names);
        QVERIFY(snapshot);
        QCOMPARE(snapshot->malformed, std::int64_t{3});
        QCOMPARE(snapshot->blocks.size(), std::size_t{4});
        QCOMPARE(snapshot->traces.at(0).second.size(), std::size_t{8});
        QVERIFY(!read(pickled(Json{{"a", 1}}), names));
        const std::string whole = pickled(snapshot_of_hand());
        for (std::size_t length = 0; length < whole.size(); length += 7)
            QVERIFY(!read(whole.substr(0, length), names));
        std::string calls = whole;
        calls.insert(2, "cos\nsystem\n");
        QVERIFY(!read(calls, names));
    }

    void aListOfEntriesAndOtherValuesIsRefused() {
        StringTable names;
        Json odd = snapshot_of_hand();
        odd["segments"][0]["blocks"][0]["frames"].push_back(1'000'000'000'000);
        QVERIFY(!read(pickled(odd), names));
        odd = snapshot_of_hand();
        odd["device_traces"][0].push_back("text");
        QVERIFY(!read(pickled(odd), names));
    }

    /// An event that stands in two lists was written by nobody.
    void entriesAreNotTakenTwice() {
        StringTable names;
        // {"segments": [], "device_traces": [[e], [e]]}, the second e from the memo
        const std::string traces = "](](" + event_opcodes() + put_opcode(1) + "e](" + get_opcode(1) + "ee";
        QVERIFY(!read(snapshot_opcodes("device_traces", traces), names));
    }

    void anEventIsOfOneDevice() {
        StringTable names;
        QVERIFY(read(snapshot_opcodes("device_traces", "](](" + event_opcodes() + "ee"), names));
        // The same list twice: of 1000 events it made 100 000 times as many.
        QVERIFY(!read(snapshot_opcodes("device_traces", "](](" + event_opcodes() + "e" + put_opcode(1) + get_opcode(1) +
                                                            get_opcode(1) + "e"),
                      names));
    }

    void blocksThatNoSegmentHasAreLeftOut() {
        StringTable names;
        Json made = snapshot_of_hand();
        made["more"] = made["segments"][1]["blocks"];
        const auto snapshot = read(pickled(made), names);
        QVERIFY(snapshot);
        QCOMPARE(snapshot->blocks.size(), std::size_t{5});
        QCOMPARE(snapshot->malformed, std::int64_t{2});
        QCOMPARE(snapshot->segments[1].first_block, 3U);
        // Without any segment there is none that they could be of.
        made["segments"] = Json::array();
        const auto loose = read(pickled(made), names);
        QVERIFY(loose);
        QCOMPARE(loose->blocks.size(), std::size_t{0});
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(made));
        const RunAnalysis analysis(run_of(folder.path().toStdString()), {});
        QCOMPARE(analysis.snapshot_memory().devices.at(0).active_at_start, std::int64_t{300});
    }

    void aBlockIsOfOneSegment() {
        StringTable names;
        const auto of_segment = [](int address) {
            return "}(" + text_opcode("total_size") + "K\x05" + text_opcode("address") + "K" +
                   static_cast<char>(address) + text_opcode("blocks") + get_opcode(1) + "u";
        };
        const std::string block =
            "}(" + text_opcode("size") + "K\x05" + text_opcode("state") + text_opcode("inactive") + "u";
        const auto snapshot =
            read("\x80\x02}(" + text_opcode("device_traces") + "]" + text_opcode("blocks") + "](" + block + "e" +
                     put_opcode(1) + text_opcode("segments") + "](" + of_segment(10) + of_segment(20) + "eu.",
                 names);
        QVERIFY(snapshot);
        QCOMPARE(snapshot->segments.at(0).block_count, 1U);
        QCOMPARE(snapshot->segments.at(1).block_count, 0U);
        QCOMPARE(snapshot->blocks.at(0).address, std::uint64_t{10});
    }

    void devicesThatNoHostHasAreLeftOut() {
        StringTable names;
        Json made = snapshot_of_hand();
        for (int i = 0; i < 3000; ++i) { // whole batches of a pickle among them
            made["segments"].push_back(segment(100'000 + i, 1, "large", {0, 0}, Json::array()));
            made["segments"].back()["device"] = 5000 + i;
        }
        const auto snapshot = read(pickled(made), names);
        QVERIFY2(snapshot.has_value(), snapshot ? "" : english(snapshot.error().message).c_str());
        QCOMPARE(snapshot->segments.size(), std::size_t{2});
        QCOMPARE(snapshot->malformed, std::int64_t{3000});
    }

    /// 2 GB of stacks, when each frame that was added made another stack.
    void aStackThatGrowsFrameByFrameIsOneStack() {
        StringTable names;
        constexpr int kFrames = 30'000;
        std::string frames = frame_opcodes() + put_opcode(1) + "0" + "]";
        for (int i = 0; i < kFrames; ++i)
            frames += get_opcode(1) + "a";
        frames += put_opcode(2) + "0";
        std::string event = event_opcodes();
        event.pop_back();
        const auto snapshot = read(
            snapshot_opcodes("device_traces", frames + "](](" + event + text_opcode("frames") + get_opcode(2) + "uee"),
            names);
        QVERIFY2(snapshot.has_value(), snapshot ? "" : english(snapshot.error().message).c_str());
        QCOMPARE(snapshot->stack_frames.size(), std::size_t{kFrames});
        QCOMPARE(snapshot->stack(snapshot->traces.at(0).second.at(0).stack).size(), std::size_t{kFrames});
    }

    /// Minutes, when all keys were looked at after each.
    void aDictThatGrowsKeyByKeyTakesTimeByItsKeys() {
        StringTable names;
        std::string dict = "}";
        for (int i = 0; i < 300'000; ++i)
            dict += "NNs";
        QElapsedTimer timer;
        timer.start();
        QVERIFY(read(snapshot_opcodes("more", dict), names));
        QVERIFY2(timer.elapsed() < 10'000, std::to_string(timer.elapsed()).c_str());
    }

    /// A segment that is torn and mended in the middle, again and again: minutes, when its blocks were walked each
    /// time.
    void mappingTakesNoTimeByTheBlocksOfASegment() {
        constexpr std::uint32_t kBlocks = 200'000;
        const auto snapshot = snapshot_of_blocks(kBlocks);
        std::vector<SnapshotEvent> events;
        for (std::uint32_t i = 0; i < kBlocks; ++i)
            events.push_back({kStart_us * 1000 + i, 1000 + 10 * std::uint64_t{kBlocks / 2}, 10, 0, kNoStack, 0,
                              i % 2 == 0 ? MemoryAction::segment_unmap : MemoryAction::segment_map});
        snapshot->traces.emplace_back(0, std::move(events));
        QElapsedTimer timer;
        timer.start();
        const SnapshotMemory memory = analysed_alone(snapshot);
        QVERIFY2(timer.elapsed() < 10'000, std::to_string(timer.elapsed()).c_str());
        const DeviceSnapshot& of = memory.devices.at(0);
        QCOMPARE(of.unexplained, std::int64_t{0});
        QCOMPARE(of.reserved_at_start, std::int64_t{10} * kBlocks);
        QCOMPARE(of.points.at(0).reserved, std::int64_t{10} * kBlocks - 10); // without the piece in the middle
        QCOMPARE(of.points.at(1).reserved, std::int64_t{10} * kBlocks);
    }

    void aFrameInAFileWithALongNameIsShortened() {
        auto snapshot = std::make_shared<MemorySnapshot>();
        Run run;
        StringTable names;
        snapshot->frames.push_back({names.intern("f"), names.intern("/job/" + std::string(50'000, 'x') + ".py"), 1});
        snapshot->stack_frames = {0};
        snapshot->stack_ends = {0, 1};
        const std::string frame = innermost_user_frame(*snapshot, names, 1);
        QVERIFY(frame.starts_with("xxx") && frame.ends_with(":1 f"));
        QVERIFY2(frame.size() < 600, std::to_string(frame.size()).c_str());
    }

    void tablesAndReportsHaveTheSameNumbers() {
        QTemporaryDir folder;
        write(fs::path(folder.path().toStdString()) / "rank0.pickle", pickled(snapshot_of_hand()));
        const auto run = run_of(folder.path().toStdString());
        const AnalysedRun analysed{"run", "made", std::make_shared<RunAnalysis>(run, Selection{}), {}, {}};
        const std::string history = memory_history_csv(std::span(&analysed, 1));
        QVERIFY2(history.starts_with("rank,device,time_us,active_bytes,reserved_bytes,fragmented_bytes,run\r\n"
                                     "0,0,1.000,400,2000,1600,made\r\n"),
                 history.c_str());
        QVERIFY(
            memory_csv(std::span(&analysed, 1)).find("0,0,2,6000,4072,3900,928,1000,172,1000,0,4800,7000,2200,1,") !=
            std::string::npos);
        QVERIFY(memory_live_csv(std::span(&analysed, 1))
                    .find("0,0,model.py:20 forward,train.py:10 step,,3000,1,3000,0,made") != std::string::npos);
        const auto json = snapshot_memory_json(*analysed.analysis);
        QCOMPARE(json["snapshots"][0]["active_peak_bytes"].get<int>(), 4800);
        QCOMPARE(json["snapshots"][0]["out_of_memory"][0]["frame"].get<std::string>(), std::string("train.py:10 step"));
        QCOMPARE(json["first_out"]["out_of_memory"].get<bool>(), true);
        const auto facts = english(all_fact_sentences(*analysed.analysis));
        QCOMPARE(facts.back(),
                 std::string("At the peak of rank 0 most was live from model.py:20 forward: 3.00 kB (blocks: 1)."));
        const auto model =
            std::make_shared<const QueryModel>(std::vector<QueryRun>{{"made", "run", analysed.analysis}});
        auto database = QueryDatabase::open(model);
        QVERIFY(database.has_value());
        const auto rows = run_query(*database,
                                    "select s.reserved_bytes, s.active_peak_bytes, "
                                    "(select sum(requested_bytes) from memory_block where state like 'active_a%'), "
                                    "(select max(active_bytes) from memory_event), "
                                    "(select sum(bytes) from memory_live) from memory_snapshot s",
                                    100);
        QVERIFY(rows.has_value());
        const std::vector<QueryValue> expected{std::int64_t{6000}, std::int64_t{4800}, std::int64_t{3900},
                                               std::int64_t{4800}, std::int64_t{4800}};
        QCOMPARE(rows->rows.at(0), expected);
    }
};

RANKSCOPE_TEST(TestMemorySnapshots)

} // namespace rankscope::memory_snapshots_test

#include "test_memory_snapshots.moc"
