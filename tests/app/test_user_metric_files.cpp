// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own metrics in the built program: shown, selected and gated like any other; broken files named.
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::user_metric_files_test {
using namespace rankscope::test;

class TestUserMetricFiles : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QString run() const { return path("run"); }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(path("config")));
        write_file(path("run/rank0.json"), step_trace(0));
        write_file(path("run/rank1.json"), step_trace(1));
        // Three gemms of 40 us on each of two ranks: 240 us.
        write_file(path("mine.yaml"),
                   "metrics:\n  - id: gemm_time\n    unit: us\n    better: lower\n    expression: t\n"
                   "    values: {t: {sum: {name: '^gemm'}}}\n");
    }

    void theyAppearWhereBuiltInOnesDo() {
        const Outcome all = run_program({QStringLiteral("--batch"), run(), QStringLiteral("--json"),
                                         QStringLiteral("--metrics-file"), path("mine.yaml")});
        QCOMPARE(all.exit_code, 0);
        const QJsonObject metric =
            all.json()[QStringLiteral("runs")][0][QStringLiteral("metrics")][QStringLiteral("gemm_time")].toObject();
        QCOMPARE(metric[QStringLiteral("value")].toDouble(), 240.0);
        QCOMPARE(metric[QStringLiteral("unit")].toString(), QStringLiteral("us"));
        const Outcome list =
            run_program({QStringLiteral("--list-metrics"), QStringLiteral("--metrics-file=") + path("mine.yaml")});
        QVERIFY(list.out.contains("gemm_time"));
        const Outcome one =
            run_program({QStringLiteral("--trace"), run(), QStringLiteral("--metric"), QStringLiteral("gemm_time"),
                         QStringLiteral("--metrics-file"), path("mine.yaml")});
        QCOMPARE(one.out.trimmed(), QByteArray("240.0"));
    }

    void gatesHoldThem() {
        const auto gated = [&](const char* gate) {
            return run_program({QStringLiteral("--batch"), run(), QStringLiteral("--metrics-file"), path("mine.yaml"),
                                QStringLiteral("--gate"), QString::fromLatin1(gate)})
                .exit_code;
        };
        QCOMPARE(gated("gemm_time<=240"), 0);
        QCOMPARE(gated("gemm_time<=239"), 1);
    }

    void theConfigurationFolderIsReadToo() {
        write_file(path("config/rankscope/metrics.yaml"), "metrics: [{id: answer, expression: 6 * 7}]\n");
        const Outcome list = run_program({QStringLiteral("--list-metrics")});
        QVERIFY(list.out.contains("answer"));
        // A mistake there must not keep the program from working.
        write_file(path("config/rankscope/metrics.yaml"), "metrics: [{id: answer}]\n");
        const Outcome batch = run_program({QStringLiteral("--batch"), run(), QStringLiteral("--quiet")});
        QCOMPARE(batch.exit_code, 0);
        QVERIFY(batch.err.contains("metrics.yaml:1:"));
        QFile::remove(path("config/rankscope/metrics.yaml"));
    }

    void aBrokenFileIsOneLineAndExitTwo() {
        write_file(path("broken.yaml"), "metrics:\n  - id: a\n    expression: no_such + 1\n");
        for (const char* name : {"broken.yaml", "absent.yaml"}) {
            const Outcome outcome =
                run_program({QStringLiteral("--batch"), run(), QStringLiteral("--metrics-file"), path(name)});
            QCOMPARE(outcome.exit_code, 2);
            QVERIFY(outcome.only_line().contains(name));
            QVERIFY(outcome.out.isEmpty());
        }
    }
};

RANKSCOPE_TEST(TestUserMetricFiles)

} // namespace rankscope::user_metric_files_test

#include "test_user_metric_files.moc"
