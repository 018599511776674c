// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope --batch RUN --digest DIR, as a user or a scheduler runs it.
#include <QtTest>

#include <unistd.h>

#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::digest_command_test {
using namespace rankscope::test;

class TestDigestCommand : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

    /// Metrics and ranks of the JSON document.
    static QJsonArray numbers(const Outcome& outcome) {
        const QJsonObject run = outcome.json()[QLatin1String("runs")].toArray().at(0).toObject();
        return {run[QLatin1String("metrics")],    run[QLatin1String("per_rank")],   run[QLatin1String("events")],
                run[QLatin1String("world_size")], run[QLatin1String("iterations")], run[QLatin1String("span_us")]};
    }

private Q_SLOTS:
    void initTestCase() { write_step_run(path("run")); }

    void aFolderOfDigestsOpensLikeTheRun() {
        const Outcome made =
            run_program({QStringLiteral("--batch"), path("run"), QStringLiteral("--digest"), path("digests")});
        QCOMPARE(made.exit_code, 0);
        QVERIFY(made.out.isEmpty());
        QVERIFY2(made.only_line().contains("2 digests written"), made.err.constData());
        QCOMPARE(QDir(path("digests")).entryList(QDir::Files),
                 QStringList({QStringLiteral("rank0.digest"), QStringLiteral("rank1.digest")}));
        const Outcome full = run_program({QStringLiteral("--batch"), path("run"), QStringLiteral("--json")});
        const Outcome digests = run_program({QStringLiteral("--batch"), path("digests"), QStringLiteral("--json")});
        QCOMPARE(digests.exit_code, 0);
        QVERIFY(!numbers(full).at(0).toObject().isEmpty());
        QCOMPARE(numbers(digests), numbers(full));
        QVERIFY2(digests.err.contains("[digests"), digests.err.constData());
    }

    void ranksCanBeDigestedOneByOne() {
        for (const char* rank : {"1", "0"}) {
            const QString trace = path("run") + QStringLiteral("/rank%1_trace.json").arg(QLatin1String(rank));
            QCOMPARE(run_program({QStringLiteral("--batch"), trace, QStringLiteral("--digest"), path("single"),
                                  QStringLiteral("--quiet")})
                         .exit_code,
                     0);
        }
        for (const char* name : {"rank0.digest", "rank1.digest"})
            QCOMPARE(read_file(path("single") + QLatin1Char('/') + QLatin1String(name)),
                     read_file(path("digests") + QLatin1Char('/') + QLatin1String(name)));
    }

    void aRankThatCannotBeReadCostsItselfOnly() {
        write_step_run(path("bad"));
        write_file(path("bad") + QStringLiteral("/rank1_trace.json"), "{\"traceEvents\": []}");
        const Outcome made =
            run_program({QStringLiteral("--batch"), path("bad"), QStringLiteral("--digest"), path("bad_digests")});
        QCOMPARE(made.exit_code, 3);
        QVERIFY2(made.err.contains("rank1_trace.json holds no events"), made.err.constData());
        QVERIFY(QFile::exists(path("bad_digests") + QStringLiteral("/rank0.digest")));
        const Outcome damaged =
            run_program({QStringLiteral("--batch"), path("bad_digests") + QStringLiteral("/rank0.digest"),
                         QStringLiteral("--digest"), path("again")});
        QCOMPARE(damaged.exit_code, 3);
        QVERIFY2(damaged.err.contains("is a digest already"), damaged.err.constData());
    }

    void aDamagedDigestIsToldInOneLine() {
        QByteArray content = read_file(path("digests") + QStringLiteral("/rank0.digest"));
        content[content.size() - 5] = static_cast<char>(content[content.size() - 5] ^ 1);
        write_file(path("damaged/rank0.digest"), content);
        const Outcome alone = run_program({QStringLiteral("--batch"), path("damaged")});
        QCOMPARE(alone.exit_code, 3);
        QVERIFY2(alone.only_line().contains("is damaged"), alone.err.constData());
        write_file(path("damaged/rank1.digest"), read_file(path("digests") + QStringLiteral("/rank1.digest")));
        const Outcome other = run_program(
            {QStringLiteral("--batch"), path("damaged"), QStringLiteral("--json"), QStringLiteral("--verbose")});
        QCOMPARE(other.exit_code, 0);
        QVERIFY2(other.err.contains("is damaged"), other.err.constData());
    }

    void whereNothingCanBeWrittenItSaysSo() {
        write_file(path("file"), "not a folder");
        const Outcome made =
            run_program({QStringLiteral("--batch"), path("run"), QStringLiteral("--digest"), path("file")});
        QCOMPARE(made.exit_code, 4);
        QVERIFY2(!made.only_line().isEmpty(), made.err.constData());
    }
};

RANKSCOPE_TEST(TestDigestCommand)

} // namespace rankscope::digest_command_test

#include "test_digest_command.moc"
