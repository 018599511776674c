// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever it is pointed at, the program ends with the documented exit code and one clear line, never a crash.
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include <unistd.h>

#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::bad_input_test {
using namespace rankscope::test;

class TestBadInput : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QString at(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

private Q_SLOTS:
    void endsWithOneClearLine_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("says"); ///< a word that makes the line clear, beside the path

        const auto file = [&](const char* name, const QByteArray& content) {
            write_file(at(name), content);
            return at(name);
        };
        QTest::newRow("garbage") << file("garbage.json", "garbage") << QByteArray("no trace: it is not JSON");
        QTest::newRow("binary garbage") << file("noise.json", QByteArray("\x00\xff\xfe\x01\x80garbage\n\n", 14))
                                        << QByteArray("no trace: it is not JSON");
        QTest::newRow("empty file") << file("empty.json", "") << QByteArray("empty");
        QTest::newRow("half a gzip header") << file("half.json.gz", QByteArray("\x1f\x8b\x08", 3)) << QByteArray("");
        QTest::newRow("{}") << file("braces.json", "{}") << QByteArray("no trace");
        QTest::newRow("[]") << file("brackets.json", "[]") << QByteArray("no trace: it has no traceEvents");
        QTest::newRow("no events") << file("no_events.json", "{\"traceEvents\":[]}")
                                   << QByteArray("nothing to analyse");
        QTest::newRow("1 000 levels of nesting")
            << file("deep.json", QByteArray(1000, '[') + QByteArray(1000, ']')) << QByteArray("");
        QTest::newRow("1 000 levels in an event's arguments cut off")
            << file("deep_args.json", "{\"traceEvents\":[{\"ph\":\"X\",\"args\":" + QByteArray(1000, '['))
            << QByteArray("");
        QTest::newRow("missing path") << at("not/there") << QByteArray("");

        QDir().mkpath(at("empty_folder"));
        QTest::newRow("empty folder") << at("empty_folder") << QByteArray("no trace");
        const QByteArray jpeg("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01", 12);
        for (int i = 0; i < 5; ++i)
            write_file(at("photos") + QStringLiteral("/IMG_%1.jpg").arg(i),
                       jpeg + QByteArray(2000, static_cast<char>(i)));
        QTest::newRow("folder of photos") << at("photos") << QByteArray("no trace");
        QTest::newRow("one photo") << at("photos") + QStringLiteral("/IMG_0.jpg")
                                   << QByteArray("no trace: it is of no known format");
    }

    void endsWithOneClearLine() {
        QFETCH(QString, path);
        QFETCH(QByteArray, says);
        for (const QString& format : {QString(), QStringLiteral("--json")}) {
            QStringList arguments{QStringLiteral("--batch"), path};
            if (!format.isEmpty())
                arguments << format;
            const Outcome outcome = run_program(arguments);
            QVERIFY2(outcome.exit_code == 3, QByteArray(QByteArray::number(outcome.exit_code) + ": " + outcome.err));
            QCOMPARE(outcome.out, QByteArray());
            const QByteArray line = outcome.only_line();
            QVERIFY2(line.startsWith("rankscope: ") && line.contains(path.toUtf8()) && line.contains(says),
                     outcome.err);
        }
    }

    /// Every whole event before the cut counts, the damage is a notice; a cut before the first whole event is an error.
    void aCutFileGivesItsWholeEvents() {
        const QByteArray whole = step_trace(0);
        std::mt19937 random(20240607);
        for (int i = 0; i < 10; ++i) {
            const auto length =
                static_cast<qsizetype>(random() % static_cast<unsigned>(whole.size() - 2)); // inside "]}"
            write_file(at("cut/rank0_trace.json"), whole.first(length));
            const auto events = whole.first(length).count("}}"); // arguments and event both closed
            const Outcome outcome = run_program({QStringLiteral("--batch"), at("cut"), QStringLiteral("--json")});
            const QByteArray where = "cut at " + QByteArray::number(length) + ": " + outcome.err;
            if (events == 0) {
                QVERIFY2(outcome.exit_code == 3, where);
                QVERIFY2(!outcome.only_line().isEmpty(), where);
                continue;
            }
            QVERIFY2(outcome.exit_code == 0, where);
            const QJsonObject run = outcome.json()[u"runs"][0].toObject();
            QCOMPARE(run[u"events"].toInt(), static_cast<int>(events));
            bool noticed = false;
            for (const auto notice : run[u"notices"].toArray())
                noticed |= notice[u"code"].toString() == u"truncated_file";
            QVERIFY2(noticed, where);
        }
    }

    void anUnreadableFileIsNamed() {
        // The run as a user who may not read the file: root may read everything, so root becomes somebody else first.
        QVERIFY(QFile::setPermissions(folder_.path(),
                                      QFile::permissions(folder_.path()) | QFile::ReadOther | QFile::ExeOther));
        write_file(at("locked/rank0_trace.json"), step_trace(0));
        QVERIFY(QFile::setPermissions(at("locked/rank0_trace.json"), {}));
        const Outcome outcome = run_program({QStringLiteral("--batch"), at("locked")}, [] {
            if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                ::_exit(127);
        });
        if (outcome.exit_code == -1 && ::geteuid() == 0)
            QSKIP("skipped: root reads everything, and the program cannot be run as nobody here");
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(outcome.only_line().contains("rank0_trace.json"), outcome.err);
        QVERIFY2(outcome.only_line().toLower().contains("permission"), outcome.err);
    }

    void aNestedArgumentIsNoProblem() {
        QByteArray trace = step_trace(0);
        trace.replace("\"args\":{}",
                      QByteArray("\"args\":{\"deep\":" + QByteArray(1000, '[') + QByteArray(1000, ']') + "}"));
        write_file(at("nested/rank0_trace.json"), trace);
        const Outcome outcome = run_program({QStringLiteral("--batch"), at("nested"), QStringLiteral("--json")});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(outcome.json()[u"runs"][0][u"events"].toInt(), 21);
    }

    /// One bad file of several costs its rank, not the run.
    void aBadFileBesideGoodOnesIsANotice() {
        write_step_run(at("mixed"));
        write_file(at("mixed/rank1_trace.json"), "garbage");
        const Outcome outcome = run_program({QStringLiteral("--batch"), at("mixed"), QStringLiteral("--json")});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(outcome.json()[u"runs"][0][u"ranks"].toArray().size(), 1);
        QVERIFY2(outcome.err.contains("rank1_trace.json"), outcome.err);
    }
};

RANKSCOPE_GUI_TEST(TestBadInput)

} // namespace rankscope::bad_input_test

#include "test_bad_input.moc"
