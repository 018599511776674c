// SPDX-License-Identifier: GPL-3.0-or-later
// The states of runs without a window: what is wanted is read and analysed, in that order, and by the rules in force.
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/comparison_controller.h"
#include "app/window/run_library.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/job_pool.h"

namespace rankscope::run_library_test {
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 60'000;

} // namespace

class TestRunLibrary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        for (const char* name : {"a", "b", "c"})
            QVERIFY(write_run(options, path(name).toStdString()).has_value());
        options.dp = 4;
        options.steps = 100;
        options.cpu_detail = 4;
        QVERIFY(write_run(options, path("large").toStdString()).has_value());
    }
    void init() {
        library_ = std::make_unique<RunLibrary>();
        LoadOptions slowly;
        slowly.jobs = 1;
        library_->setReading(slowly);
        stages_.clear();
        connect(library_.get(), &RunLibrary::stageChanged, this, [this](const QString& path) {
            stages_ << path.section(u'/', -1) + u' ' + word(library_->at(path).stage);
        });
    }
    void cleanup() {
        library_.reset();
        QVERIFY(JobPool::instance().waitUntilIdle(60s));
    }

    void aRunGoesThroughItsStages() {
        QCOMPARE(library_->at(path("a")).stage, RunStage::listed);
        library_->want(path("a"));
        QVERIFY(library_->isBusy());
        QVERIFY(waitFor("a", RunStage::ready));
        QCOMPARE(stages_, (QStringList{u"a reading"_s, u"a read"_s, u"a analysing"_s, u"a ready"_s}));
        const LibraryRun& run = library_->at(path("a"));
        QCOMPARE(run.run->ranks.size(), std::size_t{2});
        QCOMPARE(run.analysed->analysis->run_pointer(), run.run);
        QVERIFY(run.analysed->metrics.find("iter_time")->available);
        QCOMPARE(run.revision, library_->revision());
        QVERIFY(!library_->isBusy());
        library_->want(path("a")); // nothing is done twice
        QCOMPARE(stages_.size(), 4);
    }

    void anAnalysisTellsThePartsItGoesThrough() {
        std::vector<AnalysisPart> parts;
        connect(library_.get(), &RunLibrary::analysisPartEntered, this, [&](const QString& path) {
            QCOMPARE(path, library_->analysing());
            parts.push_back(library_->analysisPart());
        });
        library_->want(path("a"));
        QVERIFY(waitFor("a", RunStage::ready));
        QCOMPARE(parts, (std::vector{AnalysisPart::timelines, AnalysisPart::collectives, AnalysisPart::stragglers,
                                     AnalysisPart::findings}));
        QVERIFY(library_->analysing().isEmpty());
    }

    void severalAreReadOneAfterTheOther() {
        library_->want({}, {path("a"), path("b"), path("c")});
        QVERIFY(waitFor("c", RunStage::ready));
        QCOMPARE(stages_.filter(u"reading"_s), (QStringList{u"a reading"_s, u"b reading"_s, u"c reading"_s}));
        QTRY_COMPARE(library_->at(path("b")).stage, RunStage::ready);
        QCOMPARE(library_->runs().size(), std::size_t{3});
    }

    void whatIsToBeShownGoesFirstAndTheOtherIsReadAfterwards() {
        library_->want({}, {path("large"), path("b")});
        QCOMPARE(library_->reading(), path("large"));
        library_->want(path("a"), {path("large"), path("b")});
        QCOMPARE(library_->reading(), path("a"));
        QCOMPARE(library_->at(path("large")).stage, RunStage::listed);
        QVERIFY(waitFor("large", RunStage::ready));
        QVERIFY(waitFor("b", RunStage::ready));
        QCOMPARE(stages_.filter(u"reading"_s),
                 (QStringList{u"large reading"_s, u"a reading"_s, u"large reading"_s, u"b reading"_s}));
    }

    void whatNobodyWantsAnyMoreIsNotReadOn() {
        library_->want(path("large"));
        library_->want(path("a"));
        QVERIFY(waitFor("a", RunStage::ready));
        QCOMPARE(library_->at(path("large")).stage, RunStage::listed);
        QVERIFY(!library_->isBusy());
    }

    void cancellingIsToldAndTheRunIsNotReadAgainByItself() {
        QSignalSpy failed(library_.get(), &RunLibrary::readingFailed);
        library_->want(path("large"), {path("a")});
        library_->cancelReading();
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(failed[0][0].toString(), path("large"));
        QCOMPARE(failed[0][1].value<Error>().code, Error::Code::cancelled);
        QCOMPARE(library_->at(path("large")).stage, RunStage::listed);
        QVERIFY(library_->at(path("large")).problem.empty());
        QVERIFY(waitFor("a", RunStage::ready)); // the other goes on
        QCOMPARE(stages_.filter(u"large reading"_s).size(), 1);
    }

    void whatCannotBeReadSaysWhyAndIsTriedAgainOnDemandOnly() {
        QSignalSpy failed(library_.get(), &RunLibrary::readingFailed);
        library_->want(path("missing"));
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(library_->at(path("missing")).stage, RunStage::failed);
        QVERIFY(!library_->at(path("missing")).problem.empty());
        library_->want(path("missing"));
        QVERIFY(!library_->isBusy());
        library_->retry(path("missing"));
        library_->want(path("missing"));
        QVERIFY(library_->isBusy());
        QVERIFY(failed.wait(kPatience));
    }

    void anAnalysisThatFailsIsToldAndTheRunStays() {
        bool fails = true;
        library_->setAnalyse([&fails](const auto& analysis, const std::stop_token& stop) {
            if (fails)
                throw std::bad_alloc();
            return analysedRun(analysis, stop);
        });
        QSignalSpy failed(library_.get(), &RunLibrary::analysisFailed);
        library_->want(path("a"));
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(library_->at(path("a")).stage, RunStage::read);
        QVERIFY(english(library_->at(path("a")).problem).find("memory") != std::string::npos);
        QVERIFY(!library_->isBusy());
        library_->want(path("a"));
        QVERIFY(!library_->isBusy()); // it would fail again
        fails = false;
        library_->retry(path("a"));
        library_->want(path("a"));
        QVERIFY(waitFor("a", RunStage::ready));
        QVERIFY(library_->at(path("a")).problem.empty());
    }

    void newRulesMakeEveryRunBeAnalysedAgainAndNoResultOfOldOnesIsTaken() {
        library_->want({}, {path("a"), path("b")});
        QVERIFY(waitFor("b", RunStage::ready));
        QVERIFY(waitFor("a", RunStage::ready));
        const auto before = library_->at(path("a")).analysed;
        // The analysis of c is on its way when the rules change.
        std::atomic<int> begun = 0;
        std::atomic<bool> held = true;
        library_->setAnalyse([&](const auto& analysis, const std::stop_token& stop) {
            if (++begun == 1)
                while (held)
                    std::this_thread::sleep_for(1ms);
            return analysedRun(analysis, stop);
        });
        library_->want(path("c"), {path("a"), path("b")});
        QTRY_COMPARE_WITH_TIMEOUT(begun.load(), 1, kPatience);
        library_->setRules({{}, {{"Chip 1", 100, 50, 25, 1.5}}, {}});
        for (const char* name : {"a", "b", "c"}) {
            QVERIFY(!library_->at(path(name)).analysed);
            QVERIFY(library_->at(path(name)).run != nullptr);
        }
        held = false; // the old analysis ends with a result that nobody takes
        for (const char* name : {"a", "b", "c"}) {
            QVERIFY(waitFor(name, RunStage::ready));
            QCOMPARE(library_->at(path(name)).revision, library_->revision());
        }
        QVERIFY(library_->at(path("a")).analysed != before);
        QCOMPARE(begun.load(), 4); // c by the old rules, and each run by the new ones
    }

    void whatIsToBeShownIsAnalysedFirst() {
        std::atomic<bool> held = true;
        QStringList order;
        library_->setAnalyse([&](const auto& analysis, const std::stop_token& stop) {
            while (held && analysis->run().name == "b" && !stop.stop_requested())
                std::this_thread::sleep_for(1ms);
            return analysedRun(analysis, stop);
        });
        connect(library_.get(), &RunLibrary::runAnalysed, this,
                [&order](const QString& path) { order << path.section(u'/', -1); });
        library_->want({}, {path("b")});
        QTRY_COMPARE_WITH_TIMEOUT(library_->at(path("b")).stage, RunStage::analysing, kPatience);
        library_->want(path("a"), {path("b")});
        QVERIFY(waitFor("a", RunStage::ready));
        held = false;
        QVERIFY(waitFor("b", RunStage::ready));
        QCOMPARE(order, (QStringList{u"a"_s, u"b"_s}));
    }

    void aForgottenRunLeavesNothing() {
        library_->want(path("a"));
        QVERIFY(waitFor("a", RunStage::ready));
        const std::weak_ptr<const Run> run = library_->at(path("a")).run;
        library_->forget(path("a"));
        QCOMPARE(library_->at(path("a")).stage, RunStage::listed);
        QVERIFY(JobPool::instance().waitUntilIdle(60s));
        QVERIFY(run.expired());
        QVERIFY(!library_->isBusy());
        library_->want(path("large"));
        library_->forget(path("large")); // while it is read
        QVERIFY(!library_->isBusy());
    }

    void itMayGoWhileItReadsOrAnalyses() {
        library_->want(path("large"));
        library_.reset();
        init();
        std::atomic<bool> begun = false;
        library_->setAnalyse([&begun](const auto& analysis, const std::stop_token& stop) {
            begun = true;
            while (!stop.stop_requested())
                std::this_thread::sleep_for(1ms);
            return analysedRun(analysis, stop);
        });
        library_->want(path("a"));
        QTRY_VERIFY_WITH_TIMEOUT(begun.load(), kPatience);
        library_.reset();
        QVERIFY(JobPool::instance().waitUntilIdle(60s)); // the stop has reached it
    }

    /// Whatever happens to the runs, the comparison says what it waits for, or is there.
    void aComparisonFollowsTheLibrary() {
        ComparisonController comparison(*library_);
        QStringList said;
        int ready = 0;
        connect(&comparison, &ComparisonController::waiting, this, [&](const QString& words) { said << words; });
        connect(&comparison, &ComparisonController::ready, this, [&](const auto& runs) {
            ++ready;
            QCOMPARE(runs.size(), std::size_t{2});
            for (const auto& run : runs)
                QVERIFY(run != nullptr);
        });
        comparison.setPaths({path("a"), path("b")});
        library_->want({}, comparison.paths());
        QTRY_COMPARE_WITH_TIMEOUT(ready, 1, kPatience);
        QCOMPARE(said, (QStringList{u"Reading a…"_s, u"Reading b…"_s, u"Adding up…"_s}));
        library_->setRules({{}, {{"Chip 2", 100, 50, 25, 1.5}}, {}});
        QCOMPARE(said.back(), u"Adding up…"_s);
        QTRY_COMPARE_WITH_TIMEOUT(ready, 2, kPatience);
        library_->setAnalyse(
            [](const auto&, const std::stop_token&) -> std::shared_ptr<const AnalysedRun> { throw std::bad_alloc(); });
        library_->setRules({{}, {{"Chip 3", 100, 50, 25, 1.5}}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(said.back().startsWith(u"a cannot be analysed"_s), kPatience);
        library_->setAnalyse(&analysedRun);
        library_->retry(path("a"));
        comparison.setPaths({path("a"), path("missing")});
        library_->want({}, comparison.paths());
        QTRY_VERIFY_WITH_TIMEOUT(!library_->isBusy(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(said.back().startsWith(u"missing cannot be read"_s), kPatience);
        comparison.drop(path("missing"));
        QVERIFY(said.back().isEmpty());
        QCOMPARE(ready, 2);
    }

private:
    [[nodiscard]] QString path(const char* name) const { return runs_.filePath(QString::fromLatin1(name)); }
    bool waitFor(const char* name, RunStage stage) {
        return QTest::qWaitFor([&] { return library_->at(path(name)).stage == stage; }, kPatience);
    }
    static QString word(RunStage stage) {
        switch (stage) {
        case RunStage::listed: return u"listed"_s;
        case RunStage::reading: return u"reading"_s;
        case RunStage::read: return u"read"_s;
        case RunStage::analysing: return u"analysing"_s;
        case RunStage::ready: return u"ready"_s;
        case RunStage::failed: return u"failed"_s;
        }
        return {};
    }

    QTemporaryDir runs_;
    QStringList stages_;
    std::unique_ptr<RunLibrary> library_;
};

RANKSCOPE_TEST(TestRunLibrary)

} // namespace rankscope::run_library_test

#include "test_run_library.moc"
