// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of two runs of the machine simulator, which knows nothing of these sentences: one thing is changed, and
// that is what must be told, and nothing else.
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <fstream>
#include <sstream>

#include "core/compare/change_explanation.h"
#include "core/input/load/load_run.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/test_program.h"

namespace rankscope::what_changed_test {

using namespace machine;
using machine::Dimension; // not those of the demo's simulator
using machine::Fault;

namespace {

using Apply = void (*)(Job&);

Job tensor_job() {
    Job job;
    job.dp = 2;
    job.tp = 2;
    job.kernel_noise = 0.005;
    job.transfer_noise = 0.005;
    job.host_noise = 0.02;
    job.gradients *= 4;
    return job;
}

Job pipeline_job() {
    Job job = tensor_job();
    job.pp = 4;
    job.tp = 1;
    job.microbatches = 8;
    return job;
}

ChangeExplanation explained(const Job& before, const Job& after, const std::string& gpu_after = {}) {
    std::vector<std::shared_ptr<const Run>> runs;
    std::array<QTemporaryDir, 2> folders;
    for (const Job* job : {&before, &after}) {
        const QTemporaryDir& folder = folders[runs.size()];
        const SimulatedJob simulated = simulate(*job);
        const std::filesystem::path path = folder.path().toStdString();
        write_traces(*job, simulated.program, simulated.execution, Recording(), path);
        if (job == &after && !gpu_after.empty()) {
            for (const auto& file : std::filesystem::directory_iterator(path)) {
                std::ifstream in(file.path());
                std::string text = (std::stringstream() << in.rdbuf()).str();
                for (std::size_t at; (at = text.find("NVIDIA H100 80GB HBM3")) != std::string::npos;)
                    text.replace(at, 21, gpu_after);
                std::ofstream(file.path()) << text;
            }
        }
        runs.push_back(*load_run(path));
    }
    return explain_change(RunAnalysis(runs[0], {}), RunAnalysis(runs[1], {}));
}

} // namespace

class TestWhatChanged : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneThing_data() {
        QTest::addColumn<bool>("pipeline");
        QTest::addColumn<Apply>("apply");
        QTest::addColumn<QByteArray>("gpu");
        QTest::addColumn<QStringList>("said");
        QTest::addColumn<QStringList>("not_said");
        const auto row = [](const char* name, bool pipeline, Apply apply, QStringList said, QStringList not_said,
                            const char* gpu = "") {
            QTest::newRow(name) << pipeline << apply << QByteArray(gpu) << said << not_said;
        };
        row(
            "slow network", false,
            [](Job& job) {
                job.faults.push_back(
                    {.kind = FaultKind::slow_dimension, .ranks = {}, .factor = 3, .dimension = Dimension::data});
            },
            {"GB/s"}, {"hidden", "straggler"});
        row("slow group", false,
            [](Job& job) {
                job.faults.push_back(
                    {.kind = FaultKind::slow_group, .ranks = {0, 1}, .factor = 4, .dimension = Dimension::tensor});
            },
            {"ranks 0 and 1"}, {"hidden", "straggler"});
        row(
            "more tokens", false,
            [](Job& job) {
                job.tokens *= 2;
                job.gemm *= 2;
                job.attention *= 2;
                job.element_wise *= 2;
                job.embedding *= 2;
                job.head *= 2;
            },
            {}, {"GB/s", "hidden", "straggler"});
        row("head", true, [](Job& job) { job.head *= 6; }, {"stage 3"}, {"straggler"});
        row(
            "gpu", false,
            [](Job& job) {
                job.gemm *= 2.5;
                job.attention *= 2.5;
                job.element_wise *= 2;
                job.embedding *= 2;
                job.head *= 2.5;
                job.update *= 2;
            },
            {"H100", "V100"}, {"straggler"}, "Tesla V100-SXM2-32GB");
        row(
            "slow rank", false,
            [](Job& job) { job.faults.push_back({.kind = FaultKind::slow_gpu, .ranks = {3}, .factor = 1.4}); },
            {"ank 3 became a straggler"}, {"hidden"});
        row("slow rank in a stage", true,
            [](Job& job) { job.faults.push_back({.kind = FaultKind::slow_gpu, .ranks = {5}, .factor = 1.4}); },
            {"rank 5 became a straggler"}, {"stage"});
    }
    void oneThing() {
        QFETCH(bool, pipeline);
        QFETCH(Apply, apply);
        QFETCH(QByteArray, gpu);
        QFETCH(QStringList, said);
        QFETCH(QStringList, not_said);
        const Job before = pipeline ? pipeline_job() : tensor_job();
        Job after = before;
        apply(after);
        const ChangeExplanation change = explained(before, after, gpu.toStdString());
        QVERIFY2(change.unavailable.empty(), english(change.unavailable).c_str());
        for (const Message& sentence : change.sentences)
            qInfo("%s", english(sentence).c_str());
        const QString first = QString::fromStdString(english(change.sentences.front()));
        for (const QString& words : std::as_const(said))
            QVERIFY2(first.contains(words), qPrintable(words));
        for (const QString& words : std::as_const(not_said))
            QVERIFY2(!first.contains(words), qPrintable(words));
    }
};

RANKSCOPE_TEST(TestWhatChanged)

} // namespace rankscope::what_changed_test

#include "test_what_changed.moc"
