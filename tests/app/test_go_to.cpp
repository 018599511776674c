// SPDX-License-Identifier: GPL-3.0-or-later
// "Go to": what is understood, and where it leads.
#include <memory>

#include <QTest>

#include "app/window/go_to.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::go_to_test {

namespace {

constexpr TimeNs kBase = 1'700'000'000'000'000'000;

CollectiveCall allToAll() {
    CollectiveCall call;
    call.collective = "all_to_allv";
    return call;
}

/// Step 1 at 0-1000 us, step 2 at 1000-2000 us; all-reduces at 100, 1100 and (on another stream) 600 us.
std::shared_ptr<const Run> run() {
    return make_run({TraceBuilder(3)
                         .base(kBase)
                         .step(1, 0, 1000)
                         .step(2, 1000, 1000)
                         .cpu_op("aten::mm", 10, 5)
                         .kernel("ncclDevKernel_AllReduce_Sum", 20, 100, 50)
                         .kernel("ncclDevKernel_AllReduce_Sum", 20, 1100, 50)
                         .kernel("ncclKernel_AllReduce_Tree", 21, 600, 50)
                         .kernel("gemm", 7, 200, 10)
                         .collective("ncclDevKernel_SendRecv", 20, 700, 20, allToAll())
                         .collective("ncclDevKernel_SendRecv", 20, 800, 20, allToAll())
                         .cpu_op("c10d::broadcast_", 300, 20)
                         .cpu_op("nccl:broadcast", 305, 10)
                         .cpu_op("c10d::broadcast_", 400, 20)
                         .cpu_op("nccl:broadcast", 405, 10)});
}

} // namespace

class TestGoTo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void leadsThere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("begin"); // us from the first event
        QTest::addColumn<qint64>("end");
        QTest::newRow("time") << "1.5 ms" << qint64(1500) << qint64(1500);
        QTest::newRow("time of two units") << "1ms 200us" << qint64(1200) << qint64(1200);
        QTest::newRow("the beginning") << "0" << qint64(0) << qint64(0);
        QTest::newRow("time stamp in us") << "1700000000000250" << qint64(250) << qint64(250);
        QTest::newRow("time stamp in ns") << "1700000000000250000" << qint64(250) << qint64(250);
        QTest::newRow("step") << "step 2" << qint64(1000) << qint64(2000);
        QTest::newRow("step, other words") << "Iteration #1" << qint64(0) << qint64(1000);
        QTest::newRow("first call") << "allreduce" << qint64(100) << qint64(150);
        QTest::newRow("second call, of another stream") << "allreduce 2" << qint64(600) << qint64(650);
        QTest::newRow("number first, other spelling") << "3rd all_reduce" << qint64(1100) << qint64(1150);
        QTest::newRow("words apart") << "nccl kernel #1" << qint64(600) << qint64(650);
        QTest::newRow("a collective of another kernel's name") << "all_to_all 2" << qint64(800) << qint64(820);
        QTest::newRow("operators inside each other are one call") << "broadcast 2" << qint64(400) << qint64(420);
        QTest::newRow("CPU where no kernel has the name") << "aten::mm" << qint64(10) << qint64(15);
    }
    void leadsThere() {
        QFETCH(QString, text);
        const auto wanted = parseGoTo(text.toStdString());
        QVERIFY(wanted.has_value());
        const auto place = findPlace(*run(), *wanted, 3);
        QVERIFY2(place.has_value(), place ? "" : english(place.error().message).c_str());
        QTEST(qint64((place->range.begin - kBase) / 1000), "begin");
        QTEST(qint64((place->range.end - kBase) / 1000), "end");
    }
    void aCallIsSelectedOnItsRank() {
        const auto place = findPlace(*run(), GoToCall{"gemm", 1}, 3);
        QVERIFY(place && place->event);
        QCOMPARE(place->event->rank, 3);
        QCOMPARE(run()->ranks[0]->event_name(place->event->event), std::string_view("gemm"));
    }
    void whatIsNotThereIsSaid_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("late") << "3 ms"
                              << "That time is not in this run.";
        QTest::newRow("step") << "step 9"
                              << "This run has no step 9.";
        QTest::newRow("too many") << "allreduce 4"
                                  << "Rank 3 has 3 calls of \"allreduce\" only.";
        QTest::newRow("no such name") << "softmax"
                                      << "No event of rank 3 has \"softmax\" in its name.";
        QTest::newRow("stamp") << "99"
                               << "That time is not in this run.";
        QTest::newRow("huge") << "9223372036854775807"
                              << "That time is not in this run.";
    }
    void whatIsNotThereIsSaid() {
        QFETCH(QString, text);
        const auto wanted = parseGoTo(text.toStdString());
        QVERIFY(wanted.has_value());
        const auto place = findPlace(*run(), *wanted, 3);
        QVERIFY(!place);
        QTEST(QString::fromStdString(english(place.error().message)), "says");
    }
    void nonsenseIsNotUnderstood_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << "";
        QTest::newRow("spaces") << "  ";
        QTest::newRow("signs") << "?!";
        QTest::newRow("zeroth") << "allreduce 0";
    }
    void nonsenseIsNotUnderstood() {
        QFETCH(QString, text);
        const auto wanted = parseGoTo(text.toStdString());
        QVERIFY(!wanted);
        QVERIFY(!english(wanted.error().message).empty());
    }
};

RANKSCOPE_TEST(TestGoTo)

} // namespace rankscope::go_to_test

#include "test_go_to.moc"
