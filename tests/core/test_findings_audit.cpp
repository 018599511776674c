// SPDX-License-Identifier: GPL-3.0-or-later
// tests/data/findings-audit.md has what the program says of each run of the shared traces, beside the evidence. Here
// are also cases worked out by hand for sentences that the audit found wrong.
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "core/analysis/findings/finding_kinds.h"
#include "core/analysis/graph/critical_path.h"
#include "core/analysis/graph/step_time.h"
#include "core/input/load/load_run.h"
#include "core/report/hang_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::findings_audit_test {

namespace {

namespace fs = std::filesystem;

const fs::path kTraces = fs::path(RANKSCOPE_SHARED_DIR) / "traces";
const fs::path kDocument = fs::path(RANKSCOPE_SOURCE_DIR) / "tests/data/findings-audit.md";

/// A row of a run's table.
struct Row {
    std::string sentence;
    std::string evidence;
};

struct Section {
    std::string run; ///< path below the traces
    std::vector<Row> rows;
};

/// "## run" and the rows of the table below it; what stands before the first heading, and other lines, are left out.
std::vector<Section> sections_of(std::istream& document) {
    std::vector<Section> sections;
    for (std::string line; std::getline(document, line);) {
        if (line.starts_with("## ")) {
            sections.push_back({line.substr(3), {}});
        } else if (!sections.empty() && line.starts_with("| ") && !line.starts_with("| said |") &&
                   !line.starts_with("| --- |")) {
            const std::size_t middle = line.find(" | ", 2);
            if (middle != std::string::npos && line.ends_with(" |"))
                sections.back().rows.push_back(
                    {line.substr(2, middle - 2), line.substr(middle + 3, line.size() - middle - 5)});
        }
    }
    return sections;
}

std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, "\\");
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// Everything that is said of the run, in the order in which a report says it.
std::vector<std::string> said_of(const fs::path& path) {
    const auto run = load_run(path);
    if (!run) {
        std::string error = english(run.error().message);
        const std::string folder = kTraces.string() + '/';
        for (std::size_t at = 0; (at = error.find(folder)) != std::string::npos;)
            error.erase(at, folder.size());
        return {cell(error)};
    }
    const RunAnalysis analysis(*run, {});
    std::vector<std::string> said{cell(english(analysis.findings().summary))};
    for (const Message& sentence : analysis.findings().judged.not_judged)
        said.push_back(cell(english(sentence)));
    for (const Finding& finding : analysis.findings().list) {
        said.push_back(cell(english(finding.title)));
        const FindingKind* const kind = finding_kind(finding.code, finding.cause);
        if (kind == nullptr || (kind->nature == FindingNature::fault && finding.inherent) ||
            (kind->nature == FindingNature::inherent && !finding.inherent))
            said.push_back(fmt::format("{} {}", code_word(finding.code), cause_word(finding.cause)) +
                           " is not so in finding_kinds.h");
        const bool unsure = finding.confidence > 0 && finding.confidence < 0.5;
        if (unsure != english(finding.title).ends_with(" It may be chance: few of the steps show it."))
            said.push_back(fmt::format("{} {}", code_word(finding.code), cause_word(finding.cause)) +
                           " does not say how sure it is");
    }
    if (analysis.hang() != nullptr)
        for (const std::string& text : english(hang_sentences(*analysis.hang())))
            if (cell(text) != said.front())
                said.push_back(cell(text));
    return said;
}

std::string listed(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += "\n  " + sentence;
    return text;
}

TimeNs us(std::int64_t time) { return time * 1000; }

} // namespace

class TestFindingsAudit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// RANKSCOPE_WRITE_AUDIT=FILE writes the document as it has to be: sentences as they are said now, the evidence of
    /// those that were there before, and none for new ones.
    void theDocumentHoldsWhatIsSaid() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        std::ifstream file(kDocument);
        QVERIFY(file.is_open());
        std::stringstream text;
        text << file.rdbuf();
        const std::string document = text.str();
        const std::vector<Section> sections = sections_of(text);
        QVERIFY(sections.size() > 40);
        const char* const written = std::getenv("RANKSCOPE_WRITE_AUDIT");
        std::ofstream renewed;
        if (written != nullptr)
            renewed.open(written);
        renewed << document.substr(0, document.find("\n## ") + 1);
        std::string wrong;
        for (const Section& section : sections) {
            std::map<std::string, std::string> evidence;
            std::vector<std::string> documented;
            for (const Row& row : section.rows) {
                documented.push_back(row.sentence);
                evidence[row.sentence] = row.evidence;
                if (row.evidence.size() < 10)
                    wrong += "\n" + section.run + ": no evidence for: " + row.sentence;
            }
            const std::vector<std::string> said = said_of(kTraces / section.run);
            if (said != documented)
                wrong += "\n" + section.run + " says:" + listed(said) + "\nand not:" + listed(documented);
            renewed << "## " << section.run << "\n| said | found in the trace |\n| --- | --- |\n";
            for (const std::string& sentence : said)
                renewed << "| " << sentence << " | " << evidence[sentence] << " |\n";
            renewed << "\n";
        }
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void noRunIsLeftOut() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        std::ifstream file(kDocument);
        std::set<fs::path> told;
        for (const Section& section : sections_of(file))
            told.insert(*fs::path(section.run).begin());
        for (const fs::directory_entry& entry : fs::directory_iterator(kTraces))
            if (entry.is_directory())
                QVERIFY2(told.contains(entry.path().filename()), entry.path().filename().c_str());
        for (const char* folder : {"faults", "collective_cases", "critical_path", "flight_recorder", "rccl_demo"}) {
            std::ifstream again(kDocument);
            std::set<fs::path> runs;
            for (const Section& section : sections_of(again))
                runs.insert(section.run);
            for (const fs::directory_entry& entry : fs::directory_iterator(kTraces / folder))
                if (entry.is_directory())
                    QVERIFY2(runs.contains(fs::path(folder) / entry.path().filename()), entry.path().c_str());
        }
    }

    /// Two steps of 100 with 90 of work each; 1000 before them another kernel ran, and 1000 after them.
    void idleTimeOutsideOfStepsIsNoneOfAStep() {
        const auto rank = TraceBuilder(0)
                              .launch(0, 2)
                              .kernel("warm", 7, 10, 10)
                              .step(1, 1000, 100)
                              .launch(1001, 2)
                              .kernel("gemm", 7, 1005, 92)
                              .step(2, 1100, 100)
                              .launch(1101, 2)
                              .kernel("gemm", 7, 1105, 92)
                              .launch(2300, 2)
                              .kernel("late", 7, 2310, 10);
        const RunAnalysis analysis(make_run({rank}), {});
        for (const Finding& finding : analysis.findings().list)
            QVERIFY2(finding.code != FindingCode::gpu_idle, english(finding.title).c_str());
        // With 50 of work each the GPU does nothing for half of the step, between kernels that were launched together.
        const auto idle = TraceBuilder(0)
                              .launch(0, 2)
                              .kernel("warm", 7, 10, 10)
                              .step(1, 1000, 100)
                              .launch(1001, 1)
                              .kernel("gemm", 7, 1005, 25)
                              .launch(1002, 1)
                              .kernel("gemm", 7, 1075, 25)
                              .step(2, 1100, 100)
                              .launch(1101, 1)
                              .kernel("gemm", 7, 1105, 25)
                              .launch(1102, 1)
                              .kernel("gemm", 7, 1175, 25);
        const RunAnalysis half(make_run({idle}), {});
        const auto& list = half.findings().list;
        const auto found = std::ranges::find(list, FindingCode::gpu_idle, &Finding::code);
        QVERIFY2(found != list.end(), list.empty() ? "" : english(list.front().title).c_str());
        QCOMPARE(found->cost, 50'000.0);
    }

    /// What comes before the first launch is recorded as well, and the GPU does nothing then.
    void idleTimeIsOfTheTimeThatIsToldBesideIt() {
        const auto rank = TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 80, 20);
        const RunAnalysis analysis(make_run({rank}), {});
        const auto& list = analysis.findings().list;
        const auto found = std::ranges::find(list, FindingCode::gpu_idle, &Finding::code);
        QVERIFY(found != list.end());
        QVERIFY2(english(found->title).starts_with("No work is recorded on the GPU for 80 % of the time"),
                 english(found->title).c_str());
        QVERIFY2(english(found->title)
                     .ends_with("Cost: at most 80 µs of the 100 µs from the first launch to the last GPU work."),
                 english(found->title).c_str());
    }

    /// The GPU works on what was launched before the recording until 2000, and on what is recorded until 3000.
    void workFromBeforeTheRecordingIsNoIdleTime() {
        const auto rank = TraceBuilder(0).launch(0, 2).kernel("gemm", 7, 2000, 1000);
        const RunAnalysis analysis(make_run({rank}), {});
        for (const Finding& finding : analysis.findings().list)
            QVERIFY2(finding.code != FindingCode::gpu_idle, english(finding.title).c_str());
    }

    /// The first convolution takes 10 ms, 8 of them in the cudaFree of a library that is loaded; the later ones 50 us,
    /// so that 0.995 of the 9992 until its launch are due to the first use. Its memory is allocated for the first time
    /// as well: neither is a fault.
    void theFirstUseOfALibraryIsNoFault() {
        TraceBuilder rank(0);
        rank.launch(0, 2).memory_copy("Memcpy HtoD (Pinned -> Device)", 7, 5, 10);
        rank.cpu_op("aten::cudnn_convolution", 20, 10'000)
            .runtime("cudaFree", 1020, 8000)
            .runtime("cudaMalloc", 9520, 300)
            .launch(10'010, 2)
            .kernel("conv", 7, 10'020, 60);
        for (int i = 1; i <= 5; ++i)
            rank.cpu_op("aten::cudnn_convolution", 10'020 + 60 * i, 50)
                .runtime("cudaMalloc", 10'021 + 60 * i, 20)
                .launch(10'050 + 60 * i, 2)
                .kernel("conv", 7, 10'060 + 60 * i, 50);
        const RunAnalysis analysis(make_run({rank}), {});
        const Findings& findings = analysis.findings();
        const auto first = std::ranges::find(findings.list, FindingCode::first_use, &Finding::code);
        QVERIFY2(first != findings.list.end(), english(findings.summary).c_str());
        QVERIFY2(
            english(first->title)
                .starts_with(
                    "First use: aten::cudnn_convolution takes 10.00 ms where the recording has it first, as cuDNN is "
                    "loaded; this happens once and is no fault"),
            english(first->title).c_str());
        QVERIFY2(std::abs(first->cost - 9'942'000) < 30'000, english(first->title).c_str());
        for (const Finding& finding : findings.list)
            QVERIFY2(!finding.is_costly_fault(), english(finding.title).c_str());
    }

    /// The GPU waits for 6 of each step of 10 ms: for a frame that prepares the input, for nothing that is recorded, or
    /// for 60 launches of 100 us each.
    void whatTheHostDoesIsNamed() {
        for (const std::string name : {"preprocess.py(7): resize", "", "launches"}) {
            TraceBuilder rank(0);
            for (int s = 0; s < 4; ++s) {
                const double start = 10'000.0 * s;
                rank.step(s, start, 10'000);
                if (name.starts_with("preprocess"))
                    rank.python("train.py(1): loop", start, 9990).python(name, start + 10, 5900);
                for (int i = 0; i < 60 && name == "launches"; ++i)
                    rank.launch(start + 100 * i, 90).kernel("small", 7, start + 100 * i + 95, 2);
                rank.launch(start + 6000, 2)
                    .kernel("gemm", 7, start + 6010, 3900)
                    .runtime("cudaDeviceSynchronize", start + 6020, 3900);
            }
            const RunAnalysis analysis(make_run({rank}), {});
            const auto& list = analysis.findings().list;
            const auto found = std::ranges::find(list, FindingCode::host_bound, &Finding::code);
            QVERIFY2(found != list.end(), name.c_str());
            const std::string said = name == "launches" ? "if launching cost no time"
                                     : name.empty()     ? "what it does then is mostly not recorded"
                                                        : "mostly inside preprocess.py(7): resize: ";
            QVERIFY2(english(found->title).find(said) != std::string::npos, english(found->title).c_str());
        }
    }

    /// Rank 2 computes 400 longer in one of eight steps: that happened, and costs 400 there, 50 of the mean step.
    void whatOneStepShowsHasHappened() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r) {
            TraceBuilder& rank = ranks.emplace_back(r);
            for (int s = 0; s < 8; ++s) {
                const double start = 1500.0 * s;
                const double slow = s == 4 ? 400 : 0;
                const double work = 500 + (r == 2 ? slow : 0);
                const double end = start + 700 + slow;
                rank.step(s, start, 1500)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, work)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work,
                                end - (start + 10 + work),
                                {.collective = "allreduce",
                                 .in_elements = 1024,
                                 .out_elements = 1024,
                                 .group = {"0", "default_pg", {0, 1, 2, 3}, 4},
                                 .sequence = s})
                    .runtime("cudaDeviceSynchronize", start + 8, end + 2 - (start + 8));
            }
        }
        const RunAnalysis analysis(make_run(ranks), {});
        const auto& list = analysis.findings().list;
        const auto found = std::ranges::find(list, std::vector{2}, &Finding::ranks);
        QVERIFY2(found != list.end(), english(analysis.findings().summary).c_str());
        QCOMPARE(found->confidence, 0.9);
        QCOMPARE(english(found->title), std::string("Rank 2 takes longer than its peers in step 4: its gemm kernels "
                                                    "take 1.80× its peers'. Cost: 400 µs in step 4, 50 µs of a "
                                                    "1.50 ms step on average."));
    }

    /// The host pauses for 5000 at the end of steps 3 and 5. After step 5 no GPU work is recorded: nothing waits there.
    void aPauseAfterTheLastLaunchKeepsNoGpuWaiting() {
        TraceBuilder rank(0);
        for (int s = 0; s < 6; ++s) {
            const double start = 1000.0 * s + (s > 3 ? 5000 : 0);
            rank.step(s, start, s == 3 || s == 5 ? 6000 : 1000)
                .launch(start + 1, 2)
                .kernel("gemm", 7, start + 10, 900)
                .runtime("cudaDeviceSynchronize", start + 20, 895);
        }
        const RunAnalysis analysis(make_run({rank}), {});
        const auto& list = analysis.findings().list;
        const auto found = std::ranges::find(list, FindingCode::host_pauses, &Finding::code);
        QVERIFY2(found != list.end(), english(analysis.findings().summary).c_str());
        QVERIFY2(english(found->title).starts_with("The host pauses in step 3, for 5.00 ms at the longest"),
                 english(found->title).c_str());
        QCOMPARE(found->confidence, 0.9);
    }

    /// What is told of a step is of the same step in facts, findings and metric step_time.
    void aRepetitionTakesOneTime_data() {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"field_real/switch_transformer", "nsys/two_h100_after.sqlite",
                                       "nsys/two_h100_before.sqlite", "nsys/nsys_2021_layout.sqlite"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void aRepetitionTakesOneTime() {
        QFETCH(QString, name);
        const auto run = load_run(kTraces / name.toStdString());
        if (!run)
            QSKIP("skipped: no shared traces");
        const RunAnalysis analysis(*run, {});
        QCOMPARE(analysis.facts().unit, StepAccount::Unit::inferred);
        QVERIFY(std::abs(analysis.findings().step_time / analysis.facts().fill.step_ns - 1) < 0.001);
    }

    /// The host blocks for 500 a step in which the GPU works for 10: it waits for something else.
    void aHostThatBlocksWhileNoGpuWorksDoesNotWaitForIt() {
        for (const double work : {10.0, 400.0}) {
            TraceBuilder rank(0);
            for (int s = 0; s < 4; ++s) {
                const double start = 1000.0 * s;
                rank.step(s + 1, start, 1000)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, work)
                    .python("block_until_ready", start + 5, 500)
                    .launch(start + 510, 2)
                    .kernel("gemm", 7, start + 520, 400)
                    .runtime("cudaDeviceSynchronize", start + 550, 380);
            }
            const RunAnalysis analysis(make_run({rank}), {});
            const auto& list = analysis.findings().list;
            QCOMPARE(std::ranges::find(list, FindingCode::synchronisation, &Finding::code) != list.end(), work > 100);
        }
    }

    /// Six layers of a step that is cut, and six steps, which copy their input, have the same kernels.
    void layersOfOneStepAreNoSteps() {
        for (const bool copies : {false, true}) {
            TraceBuilder rank(0);
            for (int i = 0; i < 6; ++i) {
                const double start = 300.0 * i;
                if (copies)
                    rank.launch(start, 2).memory_copy("Memcpy HtoD (Pinned -> Device)", 9, start + 5, 10);
                rank.launch(start + 20, 2).kernel("gemm", 7, start + 30, 100);
                rank.launch(start + 24, 2).kernel("norm", 7, start + 140, 100);
            }
            const RunAnalysis analysis(make_run({rank}), {});
            QCOMPARE(analysis.step_graph().repetitions, copies ? 6 : 1);
        }
    }

    /// Of two ranks some rank comes last to each call; who does at half of them is not late.
    void ofTwoRanksOneIsAlwaysLast() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 2; ++r) {
            TraceBuilder& rank = ranks.emplace_back(r);
            for (int s = 0; s < 8; ++s) {
                const double start = 1000.0 * s;
                const double work = (s + r) % 2 == 0 ? 500 : 560; // rank 1 in even steps, rank 0 in odd ones
                rank.step(s, start, 1000)
                    .launch(start + 1, 2)
                    .kernel("gemm", 7, start + 10, work)
                    .launch(start + 4, 2)
                    .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start + 10 + work, 900 - work,
                                {.collective = "allreduce",
                                 .in_elements = 1024,
                                 .out_elements = 1024,
                                 .group = {"0", "default_pg", {0, 1}, 2},
                                 .sequence = s})
                    .runtime("cudaDeviceSynchronize", start + 8, 905);
            }
        }
        const RunAnalysis analysis(make_run(ranks), {});
        QVERIFY(!analysis.late_rank());
        for (const Finding& finding : analysis.findings().list)
            QVERIFY2(english(finding.title).find("arrives last") == std::string::npos, english(finding.title).c_str());
    }

    /// The host launches two steps of 20, the second at once or after a pause that the GPU does not notice; each keeps
    /// the GPU busy for 100, which has 60 left from before.
    void aStepTakesTheSameTimeOnItsCriticalPath() {
        for (const double second : {130, 190}) {
            const auto rank = TraceBuilder(0)
                                  .launch(0, 2)
                                  .kernel("before", 7, 10, 160)
                                  .step(1, 110, 20)
                                  .launch(111, 2)
                                  .kernel("gemm", 7, 170, 100)
                                  .step(2, second, 20)
                                  .launch(second + 1, 2)
                                  .kernel("gemm", 7, 270, 100);
            const RunAnalysis analysis(make_run({rank}), {});
            const StepGraph& graph = analysis.step_graph();
            QCOMPARE(mean_step_time(graph, graph.start, graph.times), 100'000.0);
            for (const std::int64_t step : {1, 2}) {
                const auto path = critical_path(analysis.run(), NumberedSteps(graph), step);
                QVERIFY(path.has_value());
                QCOMPARE(path->window.length(), us(100));
                QCOMPARE(path->kernels.size(), 1U);
                QCOMPARE(std::string(analysis.run().names->view(path->kernels.front().name)), std::string("gemm"));
            }
        }
    }

    /// A cause that costs 0.3 % of a step or more, and one that nothing explains, do not deny each other.
    void noSentenceDeniesAnother() {
        if (!fs::is_directory(kTraces))
            QSKIP("skipped: no shared traces");
        for (const char* name : {"nsys/two_h100_before.sqlite", "nsys/two_h100_after.sqlite", "dlrm_v100_8rank"}) {
            const auto run = load_run(kTraces / name);
            QVERIFY(run);
            const RunAnalysis analysis(*run, {});
            const auto& list = analysis.findings().list;
            for (const Finding& finding : list) {
                if (finding.cause != FindingCause::unexplained)
                    continue;
                const bool told = std::ranges::any_of(list, [&](const Finding& other) {
                    return other.code == FindingCode::straggler && other.cause != FindingCause::unexplained &&
                           other.ranks == finding.ranks;
                });
                QCOMPARE(english(finding.title).find("nothing that it alone takes longer at") == std::string::npos,
                         told);
            }
        }
    }

    /// Rank 1 is recorded a little longer: two kernels more than rank 0 of four repetitions are no surplus, four are
    /// one in each.
    void whatTheRecordingCutsOffIsNoSurplus() {
        for (const int more : {2, 4}) {
            auto early = TraceBuilder(0);
            auto late = TraceBuilder(1);
            for (int i = 0; i < 4 + more; ++i) {
                if (i < 4)
                    early.launch(100.0 * i, 2).kernel("gemm", 7, 100.0 * i + 10, 50);
                late.launch(100.0 * i, 2).kernel("gemm", 7, 100.0 * i + 10, 50);
            }
            const RunAnalysis analysis(make_run({early, late}), {});
            StepGraph graph = analysis.step_graph();
            graph.repetitions = 4;
            const PeerTimes peers = peer_times(analysis.run(), graph, {}, {}, {}, {}, {});
            QCOMPARE(std::ranges::count(peers.surplus, true), more == 2 ? 0 : 2 * more); // with their launches
        }
    }

    /// Of a host that the GPU waits for most of the time it is not said that it is without fault.
    void theHostIsNotPraisedBesideItsCost() {
        const auto rank = TraceBuilder(0)
                              .step(1, 0, 100)
                              .launch(80, 2)
                              .kernel("gemm", 7, 85, 10)
                              .step(2, 100, 100)
                              .launch(180, 2)
                              .kernel("gemm", 7, 185, 10);
        const RunAnalysis analysis(make_run({rank}), {});
        const Findings& findings = analysis.findings();
        QCOMPARE(findings.list.front().code, FindingCode::host_bound);
        QVERIFY2(english(findings.summary).find("No fault of") == std::string::npos, english(findings.summary).c_str());
        QVERIFY(findings.judged.host);
    }
};

RANKSCOPE_TEST(TestFindingsAudit)

} // namespace rankscope::findings_audit_test

#include "test_findings_audit.moc"
