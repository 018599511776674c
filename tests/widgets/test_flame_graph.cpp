// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph as geometry, and by mouse and keys.
#include <memory>

#include <QAction>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/charts/flame_graph.h"

namespace rankscope::flame_graph_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// forward (0 to 50): linear (0 to 20) launches gemm, 60 us, relu (20 to 30) launches 20 us; backward (60 to 70)
/// launches 20 us.
std::shared_ptr<const RunAnalysis> analysed() {
    TraceBuilder rank(0);
    rank.cpu_op("forward", 0, 50)
        .cpu_op("linear", 0, 20)
        .launch(2, 1)
        .kernel("gemm", 7, 100, 60)
        .cpu_op("relu", 20, 10)
        .launch(22, 1)
        .kernel("clamp", 7, 200, 20)
        .cpu_op("backward", 60, 10, TraceBuilder::kAutogradThread)
        .launch(62, 1, "cudaLaunchKernel", TraceBuilder::kAutogradThread)
        .kernel("dgrad", 7, 300, 20);
    return std::make_shared<RunAnalysis>(make_run({rank}), Selection{});
}

} // namespace

class TestFlameGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        analysis_ = analysed();
        auto tree = std::make_shared<OperatorTree>(operator_tree(*analysis_, {}, {}));
        graph_ = std::make_unique<FlameGraph>();
        graph_->resize(1001, 200);
        graph_->setTree(analysis_->run().names, tree);
        graph_->show();
        QVERIFY(QTest::qWaitForWindowExposed(graph_.get()));
        graph_->resize(1001, 200); // boxes lie in 1000 pixels
    }
    void cleanup() { graph_.reset(); }

    void eachCallHasItsShareOfTheWidth() {
        QCOMPARE(boxes(),
                 (QStringList{u"0 All 0+1000"_s, u"1 forward 0+800"_s, u"1 backward 800+200"_s, u"2 linear 0+600"_s,
                              u"2 relu 600+200"_s, u"2 dgrad 800+200"_s, u"3 gemm 0+600"_s, u"3 clamp 600+200"_s}));
    }
    void theWidthCanBeCpuTime() {
        graph_->setWeight(FlameWeight::cpu); // 50 of 60 us, 20 and 10 of 50
        QCOMPARE(boxes(), (QStringList{u"0 All 0+1000"_s, u"1 forward 0+833"_s, u"1 backward 833+167"_s,
                                       u"2 linear 0+333"_s, u"2 relu 333+167"_s}));
    }
    void whatIsNarrowerThanAPixelIsLeftOut() {
        const OperatorTree tree = operator_tree(*analysis_, {}, {});
        QCOMPARE(flameBoxes(tree, 0, FlameWeight::gpu, 4).size(),
                 std::size_t{4}); // All 4, forward 3.2, linear 2.4, gemm 2.4; the others 0.8
    }
    void aClickZoomsAndBackspaceGoesBack() {
        click(u"linear"_s);
        QCOMPARE(boxes(),
                 (QStringList{u"0 All 0+1000"_s, u"1 forward 0+1000"_s, u"2 linear 0+1000"_s, u"3 gemm 0+1000"_s}));
        QTest::keyClick(graph_.get(), Qt::Key_Backspace);
        QCOMPARE(graph_->nameOf(graph_->root()), u"forward"_s);
        click(u"All"_s);
        QCOMPARE(graph_->root(), 0U);
    }
    void keysGoToCallerInsideAndBeside() {
        graph_->setFocus();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(graph_.get(), key);
            return graph_->nameOf(*graph_->current());
        };
        press(Qt::Key_Down);
        QCOMPARE(press(Qt::Key_Down), u"linear"_s);
        QCOMPARE(press(Qt::Key_Right), u"relu"_s);
        QCOMPARE(press(Qt::Key_Down), u"clamp"_s);
        QCOMPARE(press(Qt::Key_Up), u"relu"_s);
        QCOMPARE(press(Qt::Key_Left), u"linear"_s);
        QVERIFY(graph_->accessibleDescription().contains(u"linear"_s));
        press(Qt::Key_Space);
        QCOMPARE(graph_->nameOf(graph_->root()), u"linear"_s);
    }
    void enterAndTheMenuAskForAllInstances() {
        const QSignalSpy asked(graph_.get(), &FlameGraph::nodeActivated);
        click(u"relu"_s);
        QTest::keyClick(graph_.get(), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(graph_->nameOf(asked[0][0].toUInt()), u"relu"_s);
        QTest::mouseClick(graph_.get(), Qt::RightButton, {},
                          centre(u"clamp"_s)); // the menu is of what lies there, and nothing zooms
        QCOMPARE(graph_->nameOf(graph_->root()), u"relu"_s);
        graph_->actions().front()->trigger();
        QCOMPARE(graph_->nameOf(asked[1][0].toUInt()), u"clamp"_s);
    }
    void searchMakesNamesStandOut() {
        graph_->setHighlight(u"GEMM"_s);
        QVERIFY(graph_->isHighlighted(nodeOf(u"gemm"_s)));
        QVERIFY(!graph_->isHighlighted(nodeOf(u"relu"_s)));
        graph_->setHighlight({});
        QVERIFY(!graph_->isHighlighted(nodeOf(u"gemm"_s)));
    }
    void itSaysWhatABoxIs() {
        QCOMPARE(
            graph_->describe(nodeOf(u"forward"_s)),
            u"forward: 80.0 µs on the GPU (80 % of all), launched by itself 0 µs, 50.0 µs on the CPU, 20.0 µs of it its own, once"_s);
        QCOMPARE(graph_->describe(nodeOf(u"gemm"_s)), u"gemm: 60.0 µs on the GPU (60 % of all), once"_s);
    }
    void theZoomOutlivesNewContents() {
        click(u"linear"_s);
        graph_->setTree(analysis_->run().names, std::make_shared<OperatorTree>(operator_tree(*analysis_, {}, {})));
        QCOMPARE(graph_->nameOf(graph_->root()), u"linear"_s);
    }

private:
    QStringList boxes() const {
        QStringList found;
        for (const FlameBox& box : graph_->boxes())
            found << u"%1 %2 %3+%4"_s.arg(box.depth)
                         .arg(graph_->nameOf(box.node))
                         .arg(qRound(box.left))
                         .arg(qRound(box.width));
        return found;
    }
    std::uint32_t nodeOf(const QString& name) const {
        for (const FlameBox& box : graph_->boxes())
            if (graph_->nameOf(box.node) == name)
                return box.node;
        return 0;
    }
    QPoint centre(const QString& name) const {
        for (const FlameBox& box : graph_->boxes())
            if (graph_->nameOf(box.node) == name)
                return graph_->rectOf(box).center().toPoint();
        return {};
    }
    void click(const QString& name) { QTest::mouseClick(graph_.get(), Qt::LeftButton, {}, centre(name)); }

    std::shared_ptr<const RunAnalysis> analysis_;
    std::unique_ptr<FlameGraph> graph_;
};

RANKSCOPE_GUI_TEST(TestFlameGraph)

} // namespace rankscope::flame_graph_test

#include "test_flame_graph.moc"
