// SPDX-License-Identifier: GPL-3.0-or-later
// The sliders beside the findings say what core/analysis/what_if says.
#include <algorithm>
#include <memory>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "tests/support/operation_jobs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/panels/findings_table.h"
#include "widgets/panels/speed_slider.h"
#include "widgets/panels/what_if_panel.h"

namespace rankscope::what_if_panel_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestWhatIfPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 2;
        const std::string path = folder_.filePath(u"run"_s).toStdString();
        QVERIFY(write_run(options, path).has_value());
        auto run = load_run(path);
        QVERIFY(run.has_value());
        analysis_ = std::make_shared<RunAnalysis>(*run, Selection{});
        std::ignore = analysis_->findings();
    }
    void init() {
        panel_ = std::make_unique<WhatIfPanel>();
        panel_->resize(1000, 300);
        panel_->setAnalysis(analysis_);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    }
    void cleanup() { panel_.reset(); }

    void itIsOneClickAway() {
        QVERIFY(!panel_->isOpen());
        QVERIFY(!slider(u"The host"_s)->isVisible());
        QTest::mouseClick(opener(), Qt::LeftButton);
        QVERIFY(panel_->isOpen());
        QTRY_VERIFY(slider(u"The host"_s)->isVisible());
        QCOMPARE(panel_->changes(), QStringList{});
        QVERIFY(!panel_->isBusy());
    }
    void aSliderPredictsAtOnceWhatTheCommandLineDoes() {
        open();
        QSlider* host = slider(u"The host"_s);
        host->setFocus();
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(host, Qt::Key_Right); // 1.1, 1.25, 1.5, 2
        QCOMPARE(panel_->changes(), QStringList{u"host=2x"_s});
        expectPrediction({"host=2x"});
    }
    /// The page scrolls under the pointer: what it passes stays as it is, unless it was clicked before.
    void theWheelChangesNothingThatItPasses() {
        open();
        std::vector<QWidget*> controls;
        for (QSlider* each : panel_->findChildren<QSlider*>())
            controls.push_back(each);
        for (QComboBox* each : panel_->findChildren<QComboBox*>())
            controls.push_back(each);
        QVERIFY(controls.size() > 3);
        panel_->setFocus();
        for (QWidget* control : controls) {
            const QPointF at = control->rect().center();
            QWheelEvent wheel(at, control->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(control, &wheel);
        }
        QCOMPARE(panel_->changes(), QStringList{});
    }
    void changesAddUp() {
        open();
        slider(u"Communication of pp"_s)->setValue(9); // takes no time
        QTest::mouseClick(check(u"Computation waits"_s), Qt::LeftButton);
        QCOMPARE(panel_->changes(), (QStringList{u"comm.pp=0"_s, u"overlap=perfect"_s}));
        expectPrediction({"comm.pp=0", "overlap=perfect"});
        QCOMPARE(panel_->commandLine(), u"--what-if 'comm.pp=0' --what-if 'overlap=perfect'"_s);
        QTest::mouseClick(button(u"Copy as --what-if"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), panel_->commandLine());
        QTest::mouseClick(button(u"Reset"_s), Qt::LeftButton);
        QCOMPARE(panel_->changes(), QStringList{});
        QVERIFY(!panel_->prediction().has_value());
    }
    void kernelsByNameOrExpression() {
        open();
        auto* kernel = panel_->findChild<QComboBox*>();
        QVERIFY(kernel->count() > 0);
        slider(u"The kernel"_s)->setValue(4);
        kernel->setCurrentText(kernel->itemText(0));
        QCOMPARE(panel_->changes(), QStringList{u"kernel:"_s + kernel->itemData(0).toString() + u"=2x"_s});
        expectPrediction({panel_->changes().front().toStdString()});
        kernel->setCurrentText(u"gemm|cutlass"_s);
        expectPrediction({"kernel:gemm|cutlass=2x"});
        kernel->setCurrentText(u"it's"_s);
        QCOMPARE(panel_->commandLine(), u"--what-if 'kernel:it'\\''s=2x'"_s);
        kernel->setCurrentText(u"it's ("_s);
        QTRY_VERIFY_WITH_TIMEOUT(!panel_->isBusy(), kPatience);
        QVERIFY2(panel_->result().contains(u"regular expression"_s), qPrintable(panel_->result()));
    }
    void aWrongChangeLeavesTheOthersPredicted() {
        open();
        QTest::mouseClick(check(u"Computation waits"_s), Qt::LeftButton);
        auto* kernel = panel_->findChild<QComboBox*>();
        kernel->lineEdit()->selectAll();
        QTest::keyClicks(kernel->lineEdit(), u"gemm("_s);
        slider(u"The kernel"_s)->setFocus();
        QTest::keyClick(slider(u"The kernel"_s), Qt::Key_End);
        QCOMPARE(panel_->changes(), (QStringList{u"overlap=perfect"_s, u"kernel:gemm(=0"_s}));
        expectPrediction({"overlap=perfect"});
        QVERIFY2(panel_->notes().startsWith(u"Left out: what-if kernel:gemm(=0: not a regular expression"_s),
                 qPrintable(panel_->notes()));
        QCOMPARE(labels(u"left out"_s), 1);
        QCOMPARE(panel_->commandLine(), u"--what-if 'overlap=perfect'"_s);

        kernel->setFocus();
        QTest::keyClick(kernel->lineEdit(), Qt::Key_Backspace);
        expectPrediction({"overlap=perfect", "kernel:gemm=0"});
        QVERIFY(!panel_->notes().contains(u"Left out"_s));
        QCOMPARE(labels(u"left out"_s), 0);
    }
    /// Nothing tells what the host of this run does: its launches are not recorded.
    void aChangeThatCannotBePredictedLeavesTheOthersPredicted() {
        TraceBuilder rank(0);
        for (int i = 0; i < 10; ++i)
            rank.kernel("gemm", 7, 100 * i, 50);
        const auto analysis = std::make_shared<RunAnalysis>(make_run({rank}), Selection{});
        std::ignore = analysis->findings();
        panel_->setAnalysis(analysis);
        open();
        for (const QString& name : {u"The host"_s, u"The kernel"_s}) {
            slider(name)->setFocus();
            QTest::keyClick(slider(name), Qt::Key_End);
        }
        QCOMPARE(panel_->changes().size(), 2);
        expectPrediction({panel_->changes().back().toStdString()}, *analysis);
        QVERIFY2(panel_->notes().startsWith(u"Left out: host=0: no launches of GPU work are recorded"_s),
                 qPrintable(panel_->notes()));
        QCOMPARE(labels(u"left out"_s), 1);
    }
    void moreMicrobatches() {
        open();
        QSpinBox* microbatches = nullptr; // comes when a replay has shown that it can be changed
        QTRY_VERIFY((microbatches = panel_->findChild<QSpinBox*>()) != nullptr);
        const int now = microbatches->value();
        microbatches->setValue(2 * now);
        expectPrediction({"microbatches=" + std::to_string(2 * now)});
        // Twice the work in less than twice the time.
        QCOMPARE(panel_->prediction()->work_ratio, 2.0);
        QVERIFY(panel_->prediction()->predicted > panel_->prediction()->measured);
        const double faster = 100 * (2 * panel_->prediction()->measured / panel_->prediction()->predicted - 1);
        QVERIFY(faster > 0);
        QVERIFY2(panel_->result().contains(u"more. Throughput "_s + signedPercentText(faster)),
                 qPrintable(panel_->result()));
    }
    void whatCanBeEvenedOut() {
        open();
        QTRY_VERIFY_WITH_TIMEOUT(choice(u"Evened out"_s) != nullptr, kPatience);
        QComboBox* evened = choice(u"Evened out"_s);
        for (const char* text : {"stages=even", "stage.1=mean", "operation.compute=ideal", "rank.1=peers"}) {
            const int item = evened->findData(QString::fromLatin1(text));
            QVERIFY2(item > 0, text);
            evened->setCurrentIndex(item);
            QCOMPARE(panel_->changes(), QStringList{QString::fromLatin1(text)});
            expectPrediction({text});
        }
        evened->setCurrentIndex(0);
        QCOMPARE(panel_->changes(), QStringList{});
    }
    void aChangeAskedForBeforeItsControlIsThereComesWithIt() {
        QVERIFY(panel_->apply(u"stages=even"_s)); // opens it
        QTRY_COMPARE_WITH_TIMEOUT(panel_->changes(), QStringList{u"stages=even"_s}, kPatience);
        expectPrediction({"stages=even"});
    }
    void anotherSchedule() {
        open();
        QTRY_VERIFY_WITH_TIMEOUT(choice(u"Schedule"_s) != nullptr, kPatience);
        QVERIFY(choice(u"Schedule"_s)->findData(u"schedule=gpipe"_s) > 0);
        QVERIFY(panel_->apply(u"schedule=gpipe"_s));
        QCOMPARE(panel_->changes(), QStringList{u"schedule=gpipe"_s});
        expectPrediction({"schedule=gpipe"});
        panel_->reset();
        QCOMPARE(panel_->changes(), QStringList{});
    }
    /// Neither a host nor kernels: what it does not hold is not offered.
    void ofAnOperationTimeline() {
        const QString path = folder_.filePath(u"timeline.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(operation_timeline({})));
        file.close();
        auto run = load_run(path.toStdString());
        QVERIFY(run.has_value());
        const auto analysis = std::make_shared<RunAnalysis>(*run, Selection{});
        std::ignore = analysis->findings();
        panel_->setAnalysis(analysis);
        panel_->setOpen(true);
        QTRY_VERIFY_WITH_TIMEOUT(choice(u"Evened out"_s) != nullptr, kPatience);
        QVERIFY(!slider(u"The host"_s)->isVisible());
        QVERIFY(check(u"Computation waits"_s) == nullptr);
        QVERIFY(choice(u"Schedule"_s) == nullptr);
        for (const char* text : {"comm.pp=0", "stages=even", "operation.forward-compute=ideal"}) {
            panel_->reset();
            QVERIFY2(panel_->apply(QString::fromLatin1(text)), text);
            QTRY_VERIFY_WITH_TIMEOUT(!panel_->isBusy() && panel_->prediction().has_value(), kPatience);
            QVERIFY(panel_->prediction()->unavailable.empty() && panel_->prediction()->notes.empty());
        }
    }
    void aChangeFromElsewhereOpensItAndSetsTheControl() {
        QVERIFY(panel_->apply(u"comm.pp=1.37x"_s));
        QVERIFY(panel_->isOpen());
        QTRY_COMPARE(panel_->changes(), QStringList{u"comm.pp=1.37x"_s});
        expectPrediction({"comm.pp=1.37x"});
        QVERIFY(!panel_->apply(u"nonsense"_s));
    }
    void theLastOneWins() {
        open();
        QSlider* host = slider(u"The host"_s);
        for (int notch = 1; notch <= 9; ++notch)
            host->setValue(notch);
        expectPrediction({"host=0"});
    }
    void findingsOfferWhatCanBeUndone() {
        std::vector<CommGroup> groups(3);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            groups[i].name = i == 0 ? "world" : "mesh_dp";
            groups[i].ranks = std::vector<std::vector<int>>{{0, 1, 2, 3}, {0, 2}, {1, 3}}[i];
        }
        Finding finding;
        finding.code = FindingCode::straggler;
        QCOMPARE(changeOf(finding, groups), u"straggler=median"_s);
        finding.code = FindingCode::exposed_communication;
        finding.group = "dp";
        QCOMPARE(changeOf(finding, groups), u"comm.dp=0"_s);
        finding.code = FindingCode::slow_link;
        // One of two groups of a name is told by its ranks; a slow card, or a whole dimension, has no like.
        QCOMPARE(changeOf(finding, groups), QString());
        finding.ranks = {1, 3};
        finding.group = "mesh_dp";
        QCOMPARE(changeOf(finding, groups), u"link.1-3=peers"_s);
        finding.ranks = {0, 1, 2, 3};
        finding.group = "world";
        QCOMPARE(changeOf(finding, groups), u"link.world=peers"_s);
        finding.cause = FindingCause::below_hardware;
        QCOMPARE(changeOf(finding, groups), QString());
        finding.code = FindingCode::uneven_stages;
        QCOMPARE(changeOf(finding, groups), u"stages=even"_s);
        finding.code = FindingCode::garbage_collection;
        QCOMPARE(changeOf(finding, groups), QString());
    }
    void wOnAFindingAsks() {
        FindingsTable list;
        list.setAnalysis(analysis_);
        list.show();
        const QSignalSpy asked(&list, &FindingsTable::whatIfAsked);
        int offers = 0;
        for (int row = 0; row < list.count(); ++row) {
            list.setCurrentItem(list.topLevelItem(row));
            QTest::keyClick(&list, Qt::Key_W);
            const Finding& finding = analysis_->findings().list[static_cast<std::size_t>(row)];
            offers += changeOf(finding, analysis_->collectives().groups).isEmpty() ? 0 : 1;
        }
        QVERIFY(offers > 0);
        QCOMPARE(asked.size(), offers);
    }
    void aFindingIsCopiedAsItReads() {
        FindingsTable list;
        list.setAnalysis(analysis_);
        list.show();
        list.setCurrentItem(list.topLevelItem(0));
        QTest::keyClick(&list, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), messageText(analysis_->findings().list[0].title));
        QVERIFY(list.sentence(0).startsWith(QGuiApplication::clipboard()->text()));
    }

private:
    void open() {
        panel_->setOpen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel_->findChild<QComboBox*>()->count() > 0,
                                 kPatience); // kernels and dimensions of this run are there
        QTRY_VERIFY(slider(u"The host"_s)->isVisible());
    }
    void expectPrediction(const std::vector<std::string>& texts) { expectPrediction(texts, *analysis_); }
    void expectPrediction(const std::vector<std::string>& texts, const RunAnalysis& analysis) {
        std::vector<Change> changes;
        for (const std::string& text : texts) {
            const auto parsed = parse_change(text);
            QVERIFY(parsed.has_value());
            changes.push_back(*parsed);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!panel_->isBusy() && panel_->prediction().has_value(), kPatience);
        const Prediction expected = analysis.predict(changes).back();
        QCOMPARE(panel_->prediction()->predicted, expected.predicted);
        QCOMPARE(panel_->prediction()->measured, expected.measured);
        QVERIFY(panel_->result().contains(analysis.findings().of_steps ? u"a step instead of"_s : u" instead of "_s));
    }
    QToolButton* opener() const { return panel_->findChild<QToolButton*>(); }
    QSlider* slider(const QString& name) const {
        for (auto* slider : panel_->findChildren<QSlider*>())
            if (slider->accessibleName() == name)
                return slider;
        static QSlider* none = new QSlider; // never shown
        return none;
    }
    QCheckBox* check(const QString& begin) const {
        for (auto* box : panel_->findChildren<QCheckBox*>())
            if (box->text().startsWith(begin))
                return box;
        return nullptr;
    }
    QComboBox* choice(const QString& name) const {
        for (auto* box : panel_->findChildren<QComboBox*>())
            if (box->accessibleName() == name)
                return box;
        return nullptr;
    }
    qsizetype labels(const QString& text) const {
        return std::ranges::count(panel_->findChildren<QLabel*>(), text, &QLabel::text);
    }
    QToolButton* button(const QString& text) const {
        for (auto* found : panel_->findChildren<QToolButton*>())
            if (found->text() == text)
                return found;
        return nullptr;
    }
    QTemporaryDir folder_;
    std::shared_ptr<const RunAnalysis> analysis_;
    std::unique_ptr<WhatIfPanel> panel_;
};

RANKSCOPE_GUI_TEST(TestWhatIfPanel)

} // namespace rankscope::what_if_panel_test

#include "test_what_if_panel.moc"
