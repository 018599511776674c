// SPDX-License-Identifier: GPL-3.0-or-later
// The program on reports of Nsight Systems, without a window: the tables that replace the text step, and which source
// is read.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/run_program.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::batch_nsys_test {
using namespace rankscope::test;

class TestBatchNsys : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }
    static QStringList lines(const QString& path) {
        return QString::fromUtf8(read_file(path)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    }

private Q_SLOTS:
    /// A gemm of 400 us and an all-reduce of 100 us on each of two GPUs; beside it a Kineto trace of the same run.
    void initTestCase() {
        write_step_run(at(QStringLiteral("run")));
        NsysExport report(at(QStringLiteral("run/report.sqlite")).toStdString());
        report.session_start(1'700'000'000'000'000'000);
        for (const int device : {0, 1}) {
            const NsysExport::Gpu gpu{.process = 100 + device, .device = device, .correlation = 3};
            report.kernel(1'000'000, 1'400'000, "gemm", gpu);
            report.kernel(2'000'000, 2'100'000, "ncclDevKernel_AllReduce_Sum", gpu);
        }
    }

    void theTablesOfNsysAreWritten() {
        const Outcome outcome = run_program({QStringLiteral("--batch"), at(QStringLiteral("run/report.sqlite")),
                                             QStringLiteral("--output"), at(QStringLiteral("out"))});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const QStringList trace = lines(at(QStringLiteral("out/nsys_trace.csv")));
        QCOMPARE(trace.size(), 5);
        QVERIFY(trace[0].startsWith(QStringLiteral("Start (ns),Duration (ns),CorrId,GrdX")));
        QVERIFY2(trace[1].startsWith(
                     QStringLiteral("1000000,400000,3,1,1,1,128,1,1,32,0.001,0.002,,,,,GPU (0),1,,7,gemm,0,")),
                 qPrintable(trace[1]));
        // 2 x 400 of 2 x 500 us.
        QVERIFY(lines(at(QStringLiteral("out/nsys_sum.csv")))[1].startsWith(
            QStringLiteral("80.0,800000,2,400000.0,400000.0,400000,400000,0.0,CUDA_KERNEL,gemm,")));
    }

    void timeRangeAndFilterDoWhatTheTextStepDid() {
        const QStringList common{QStringLiteral("--batch"), at(QStringLiteral("run/report.sqlite")),
                                 QStringLiteral("--output")};
        QCOMPARE(run_program(common + QStringList{at(QStringLiteral("grep")), QStringLiteral("--kernel-filter"),
                                                  QStringLiteral("nccl")})
                     .exit_code,
                 0);
        const QStringList filtered = lines(at(QStringLiteral("grep/nsys_trace.csv")));
        QCOMPARE(filtered.size(), 3);
        QVERIFY(filtered[1].contains(QStringLiteral("ncclDevKernel_AllReduce_Sum")));
        QCOMPARE(run_program(common + QStringList{at(QStringLiteral("part")), QStringLiteral("--time-range"),
                                                  QStringLiteral("300us/900us")})
                     .exit_code,
                 0);
        const QStringList part = lines(at(QStringLiteral("part/nsys_trace.csv")));
        QCOMPARE(part.size(), 3);
        QVERIFY(part[1].startsWith(QStringLiteral("1000000,400000,"))); // it touches the range, and is whole
    }

    // The session begins 1 ms before the first kernel: what --filter-time of nsys takes is the gemm alone.
    void timeRangeCountsFromTheSessionsStart() {
        const auto rows = [&](const QString& input, const QString& range) {
            const Outcome outcome = run_program({QStringLiteral("--batch"), at(input), QStringLiteral("--output"),
                                                 at(QStringLiteral("session")), QStringLiteral("--time-range"), range});
            return outcome.exit_code == 0 ? lines(at(QStringLiteral("session/nsys_trace.csv"))).mid(1) : QStringList();
        };
        const QStringList gemms = rows(QStringLiteral("run/report.sqlite"), QStringLiteral("@900us/@1500us"));
        QCOMPARE(gemms.size(), 2);
        QVERIFY(gemms[0].startsWith(QStringLiteral("1000000,400000,")));
        QCOMPARE(rows(QStringLiteral("run/report.sqlite"), QStringLiteral("@1500us/")).size(), 2);
        QCOMPARE(rows(QStringLiteral("run/report.sqlite"), QStringLiteral("/@3ms")).size(), 4);
        QFile text(at(QStringLiteral("cuda_gpu_trace.csv")));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("Start (ns),Duration (ns),CorrId,Device,Ctx,GreenCtx,Strm,Name\n"
                   "1000000,400000,3,H100 (0),1,,7,gemm\n2000000,100000,4,H100 (0),1,,7,add\n");
        text.close();
        QCOMPARE(rows(QStringLiteral("cuda_gpu_trace.csv"), QStringLiteral("@900us/@1500us")).size(), 1);
        const auto refused = [&](const QString& mode, const QString& range) {
            return run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--profile-mode"),
                                mode, QStringLiteral("--time-range"), range});
        };
        QVERIFY(refused(QStringLiteral("nsys"), QStringLiteral("/@1ms")).only_line().contains("nothing inside"));
        QVERIFY(refused(QStringLiteral("nsys"), QStringLiteral("@3ms/"))
                    .only_line()
                    .contains("the run is from @1 ms to @2.1 ms of the session"));
        QVERIFY(refused(QStringLiteral("torch"), QStringLiteral("@1ms/")).only_line().contains("Nsight Systems"));
    }

    void eitherSourceOfAFolderOpensAndBothCompare() {
        const auto source = [&](const QString& mode) {
            return run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json"),
                                QStringLiteral("--profile-mode"), mode})
                .json()[u"runs"][0][u"source"]
                .toString();
        };
        QCOMPARE(source(QStringLiteral("auto")), QStringLiteral("kineto"));
        QCOMPARE(source(QStringLiteral("torch")), QStringLiteral("kineto"));
        QCOMPARE(source(QStringLiteral("nsys")), QStringLiteral("nsys"));
        const QJsonObject both =
            run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), at(QStringLiteral("run")),
                         QStringLiteral("--json"), QStringLiteral("--profile-mode"), QStringLiteral("torch,nsys")})
                .json();
        QCOMPARE(both[u"runs"][0][u"source"].toString(), QStringLiteral("kineto"));
        QCOMPARE(both[u"runs"][1][u"source"].toString(), QStringLiteral("nsys"));
        QCOMPARE(both[u"comparison"].toArray().size(), 1);
        // One path, two kinds: the labels say which is which.
        QCOMPARE(both[u"comparison"][0][u"baseline"].toString(), QStringLiteral("run (kineto)"));
        QCOMPARE(both[u"comparison"][0][u"test"].toString(), QStringLiteral("run (nsys)"));
    }

    void sumsAloneMakeAReport() {
        write_file(
            at(QStringLiteral("cuda_gpu_sum.csv")),
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation\n"
            "100.0,900,3,300.0,200.0,100,600,264.6,CUDA_KERNEL,gemm\n");
        const Outcome outcome = run_program({QStringLiteral("--batch"), at(QStringLiteral("cuda_gpu_sum.csv")),
                                             QStringLiteral("--output"), at(QStringLiteral("sums"))});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(lines(at(QStringLiteral("sums/kernels.csv"))).size(), 2);
        QCOMPARE(lines(at(QStringLiteral("sums/nsys_trace.csv"))).size(), 1);
        const Outcome timed = run_program({QStringLiteral("--batch"), at(QStringLiteral("cuda_gpu_sum.csv")),
                                           QStringLiteral("--time-range"), QStringLiteral("/1s")});
        QCOMPARE(timed.exit_code, 3);
        QVERIFY(timed.only_line().contains("--time-range cannot be applied"));
    }
};

RANKSCOPE_TEST(TestBatchNsys)

} // namespace rankscope::batch_nsys_test

#include "test_batch_nsys.moc"
