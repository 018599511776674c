// SPDX-License-Identifier: GPL-3.0-or-later
// Operation timelines: read in every shape, bad input, and what the analyses make of them.
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/trace/operation_timeline.h"
#include "core/views/pipeline_schedule.h"
#include "tests/support/operation_jobs.h"
#include "tests/support/test_program.h"

namespace rankscope::operations_test {

namespace fs = std::filesystem;

class TestOperations : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] fs::path root() const { return folder_.path().toStdString(); }
    fs::path write(const std::string& name, const std::string& text) const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name, std::ios::binary) << text;
        return root() / name;
    }
    static std::shared_ptr<const Run> load(const fs::path& path) {
        auto run = load_run(path);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static bool has_notice(const Run& run, std::string_view code) {
        return std::ranges::any_of(
            run.notices, [&](const Notice& notice) { return notice.code == code; });
    }
    static std::string operation(const std::string& fields, const std::string& args) {
        return "{\"ph\":\"X\",\"cat\":\"forward-compute\",\"pid\":0,\"tid\":0," + fields + ",\"args\":{" + args + "}}";
    }
    static std::string thread_name(int pid, int tid, const std::string& name) {
        return "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + std::to_string(pid) +
               ",\"tid\":" + std::to_string(tid) + ",\"args\":{\"name\":\"" + name + "\"}}";
    }
    static constexpr const char* kArgs = "\"step\":1,\"model_chunk\":0,\"mb_id\":2,\"seq_id\":3";

private Q_SLOTS:
    void aJobIsReadAsRanksOfItsMesh() {
        OperationJob job;
        const auto run = load(write("job/timeline-x.json", operation_timeline(job)));
        QCOMPARE(run->source, TraceSource::operations);
        QCOMPARE(run->ranks.size(), std::size_t{8});
        QCOMPARE(run->world_size, 8);
        QVERIFY(run->missing_ranks.empty());
        // tp innermost, then dp, then pp: rank 5 is stage 2 of the second pipeline.
        const RankTrace& rank = *run->ranks[5];
        QCOMPARE(rank.rank, 5);
        QCOMPARE(rank.operations->dp, 1);
        QCOMPARE(rank.operations->stage, 2);
        QCOMPARE(rank.steps.size(), std::size_t{3});
        QCOMPARE(rank.steps.front().number, std::int64_t{10});
        // Of 3 steps: 4 forward, 4 backward, gc, optimizer.
        const auto compute = std::ranges::find(rank.lanes, "compute", &Lane::name);
        QVERIFY(compute != rank.lanes.end());
        QCOMPARE(compute->end - compute->begin, EventIndex{3 * 10});
        const auto messages = std::ranges::find(rank.lanes, "pp-comm", &Lane::name);
        QVERIFY(messages != rank.lanes.end());
        QCOMPARE(messages->end - messages->begin, EventIndex{3 * 16});
        const Operation* first = rank.operations->find(rank.events.ordinal[compute->begin]);
        QVERIFY(first != nullptr);
        QCOMPARE(first->step, std::int64_t{10});
        QCOMPARE(first->microbatch, 0);
        QCOMPARE(first->chunk, 0);
        for (const FileAccounting& file : accounting_by_file(*run))
            QCOMPARE(file.accounting.events_in_file, file.accounting.on_timeline + file.accounting.all_not_shown());
        const Accounting all = accounting_of(*run);
        QCOMPARE(all.of(NotShown::metadata), std::uint64_t{8 * 5 + 2});
    }

    void groupsMessagesAndStagesAreThoseOfTheMesh() {
        OperationJob job;
        const RunAnalysis analysis(load(write("groups/timeline.json", operation_timeline(job))), {});
        QCOMPARE(analysis.collectives().partial, std::int64_t{0});
        QCOMPARE(analysis.pipeline().stage_method, StageMethod::groups);
        QCOMPARE(analysis.pipeline().stages, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
        QCOMPARE(analysis.pipeline().schedule, ScheduleKind::one_f_one_b);
        QCOMPARE(analysis.pipeline().microbatches, std::optional(4.0));
        bool sent = false;
        for (const CommGroup& group : analysis.collectives().groups)
            sent = sent || (group.point_to_point && group.ranks == std::vector<int>{0, 2});
        QVERIFY(sent); // stage 0 to stage 1 of the first pipeline
        const auto replicas = pipeline_replicas(analysis);
        QCOMPARE(replicas.size(), std::size_t{2});
        const PipelineStep step = read_pipeline_step(analysis, replicas[1], 11);
        QCOMPARE(step.lanes.size(), std::size_t{4});
        QVERIFY(step.numbered);
        QCOMPARE(step.lanes[3].passes.size(), std::size_t{10}); // 8 passes, gc, optimizer
        QCOMPARE(step.lanes[3].passes[1].work, PipelineWork::backward);
        QCOMPARE(step.lanes[3].passes[1].microbatch, std::int64_t{0});
    }

    void aTableSaysTheSame() {
        OperationJob job;
        const auto json = load(write("same/a/timeline.json", operation_timeline(job)));
        const auto table = load(write("same/b/operations.csv", operation_table(job)));
        QCOMPARE(table->ranks.size(), json->ranks.size());
        for (std::size_t r = 0; r < json->ranks.size(); ++r) {
            QCOMPARE(table->ranks[r]->rank, json->ranks[r]->rank);
            QCOMPARE(table->ranks[r]->events.size(), json->ranks[r]->events.size());
            for (EventIndex e = 0; e < json->ranks[r]->events.size(); ++e) {
                QCOMPARE(table->ranks[r]->events.start[e], json->ranks[r]->events.start[e]);
                QCOMPARE(table->ranks[r]->event_name(e), json->ranks[r]->event_name(e));
            }
        }
    }

    void aRowThatStandsTwiceCountsOnce() {
        const std::string table = operation_table({});
        const std::string rows = table.substr(table.find('\n') + 1);
        const auto once = load(write("once/operations.csv", table));
        const auto twice = load(write("twice/operations.csv", table + rows));
        for (std::size_t r = 0; r < once->ranks.size(); ++r)
            QCOMPARE(twice->ranks[r]->events.size(), once->ranks[r]->events.size());
        QCOMPARE(accounting_of(*twice).of(NotShown::duplicate),
                 static_cast<std::uint64_t>(std::ranges::count(rows, '\n')));
        QVERIFY(std::ranges::any_of(twice->notices,
                                    [](const Notice& notice) { return notice.code.word() == "repeated_events"; }));
    }

    void severalFilesAndTheMetaFileMakeOneRun() {
        // One file a data-parallel rank, as the fields of traceEvents; the meta file says that half the mesh is
        // missing.
        const auto all = nlohmann::json::parse(operation_timeline({}));
        for (int dp = 0; dp < 2; ++dp) {
            nlohmann::json own{{"traceEvents", nlohmann::json::array()}};
            for (const auto& event : all)
                if (event["pid"] == dp)
                    own["traceEvents"].push_back(event);
            write("files/dp" + std::to_string(dp) + ".json", own.dump());
        }
        const auto whole = load(root() / "files");
        QCOMPARE(whole->ranks.size(), std::size_t{8});
        QCOMPARE(whole->world_size, 8);
        write("files/meta.yaml", "trial_name: X\ndp_size: 4\npp_size: 4\ntp_size: 1\nworld_size: 16\n");
        const auto half = load(root() / "files");
        QCOMPARE(half->world_size, 16);
        QCOMPARE(half->missing_ranks.size(), std::size_t{8});
        QCOMPARE(half->config.at("trace.job_meta.trial_name"), std::string("X"));
        write("files/meta.yaml", "dp_size: -3\npp_size: 99999999999\n");
        const auto wrong = load(root() / "files");
        QCOMPARE(wrong->world_size, 8);
        QVERIFY(has_notice(*wrong, "broken_config"));
    }

    void badEventsCostOnlyThemselves() {
        const std::string good = operation("\"ts\":5,\"dur\":2", kArgs);
        const std::string text = "[" + thread_name(0, 0, "PP rank 0, TP rank 0, compute") + "," + good + "," +
                                 operation("\"ts\":\"x\",\"dur\":2", kArgs) + "," +
                                 operation("\"ts\":1,\"dur\":1", "\"model_chunk\":0,\"mb_id\":2,\"seq_id\":3") + "," +
                                 operation("\"ts\":9,\"dur\":-1", kArgs) + "," +
                                 operation("\"ts\":1e300,\"dur\":1", kArgs) + ",{\"ph\":\"X\",\"pid\":0,}," +
                                 "{\"ph\":\"X\",\"cat\":\"a\",\"pid\":7,\"tid\":9,\"ts\":1,\"dur\":1,\"args\":{" +
                                 kArgs + "}},3]";
        const auto run = load(write("bad/timeline.json", text));
        QCOMPARE(run->ranks.size(), std::size_t{1});
        const Accounting all = accounting_of(*run);
        QCOMPARE(all.events_in_file, std::uint64_t{9});
        QCOMPARE(all.on_timeline, std::uint64_t{2}); // the second is an instant
        QCOMPARE(all.of(NotShown::malformed), std::uint64_t{5});
        QCOMPARE(all.of(NotShown::not_understood), std::uint64_t{1}); // a thread without a name
        QCOMPARE(all.of(NotShown::metadata), std::uint64_t{1});
        for (const char* code : {"malformed_events", "negative_durations", "operations_without_rank"})
            QVERIFY2(has_notice(*run, code), code);
    }

    void whatHoldsNoOperationIsAnError_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("threads alone") << QString::fromStdString(
            "[" + thread_name(0, 0, "PP rank 0, TP rank 0, compute") + "]");
        QTest::newRow("header alone") << "dp_rank,stage,step,optype,start_ts,duration\n";
        QTest::newRow("rows that are none") << "dp_rank,stage,step,optype,start_ts,duration\n,,,,,\n1,2\n";
        QTest::newRow("no rank has a name")
            << QString::fromStdString("[" + operation("\"ts\":5,\"dur\":2", kArgs) + "]");
        QTest::newRow("cut") << QString::fromStdString("[" + thread_name(0, 0, "PP rank 0, TP rank 0, compute") +
                                                       ",{\"ph\":\"X\",\"cat\":\"forw");
    }
    void whatHoldsNoOperationIsAnError() {
        QFETCH(QString, text);
        const fs::path path = write("none/" + std::string(QTest::currentDataTag()) + ".json", text.toStdString());
        const auto run = load_run(path);
        QVERIFY(!run);
        QVERIFY2(english(run.error().message).find('\n') == std::string::npos, english(run.error().message).c_str());
    }

    void ranksBeyondAnyJobAreRefused() {
        const std::string far = "PP rank 1000000, TP rank 1000000, compute";
        const auto run = load_run(write("far/timeline.json", "[" + thread_name(0, 0, far) + "," +
                                                                 operation("\"ts\":5,\"dur\":2", kArgs) + "]"));
        QVERIFY(!run);
    }

    void kinetoTracesStayKineto() {
        const auto run = load(write("kineto/rank0_trace.json",
                                    "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"PP rank 0\","
                                    "\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":2,\"args\":{\"stream\":7,\"device\":0}}]}"));
        QCOMPARE(run->source, TraceSource::kineto);
    }

    void anOperationIsToldInFull() {
        const auto run = load(write("told/timeline.json", operation_timeline({})));
        const RankTrace& rank = *run->ranks[3];
        const auto text = read_event_text(rank, rank.lanes.front().begin);
        QVERIFY(text);
        const auto json = nlohmann::json::parse(*text);
        QCOMPARE(json["args"]["dp_rank"].get<int>(), 1);
        QCOMPARE(json["args"]["pp_rank"].get<int>(), 1);
        QVERIFY(json["args"]["step"].get<int>() >= 10);
    }

    void theSharedTimelineIsRead() {
        const fs::path path = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / "operations_st";
        if (!fs::is_directory(path))
            QSKIP("skipped: no shared traces");
        const RunAnalysis analysis(load(path), {});
        const Run& run = analysis.run();
        QCOMPARE(run.source, TraceSource::operations);
        QCOMPARE(run.ranks.size(), std::size_t{8});
        QCOMPARE(accounting_of(run).on_timeline, std::uint64_t{6784});
        QCOMPARE(run.ranks.front()->steps.size(), std::size_t{32});
        QCOMPARE(analysis.pipeline().schedule, ScheduleKind::one_f_one_b);
        // Stage 0 of pipeline 0 in step 23, from the file: it waits from the end of its last forward pass at 308.1 ms
        // to 848.7 ms, and before its other backward passes from 987.4 to 1182.9, 1321.5 to 1515.1 and 1653.5 to
        // 1846.2. A backward pass starts up to 15 us before the end of its message.
        const auto waits = std::ranges::find_if(
            analysis.pipeline().steps, [&](const StepBubble& step) { return step.rank == 0 && step.step == 23; });
        QVERIFY(waits != analysis.pipeline().steps.end());
        QVERIFY(std::abs(waits->bubble() - 1'122'400'000) < 3'000'000);
        QVERIFY(find_metric("pipeline_bubble")->compute(analysis).available);
        QVERIFY(find_metric("iter_time")->compute(analysis).available);
        QVERIFY(find_metric("temporal_breakdown")->compute(analysis).available);
        QVERIFY(find_metric("coll_call_num")->compute(analysis).available);
    }
};

RANKSCOPE_TEST(TestOperations)

} // namespace rankscope::operations_test

#include "test_operations.moc"
