// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine and other people do to the program: odd folders, full disks, little memory, kills, hostile names.
// The run in them is that of run_program.h: two ranks. docs/robustness.md has the promises.
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <random>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/app/run_program.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

namespace rankscope::faults_test {
using namespace rankscope::test;

namespace {

void limit(int resource, rlim_t value) {
    const rlimit both{value, value};
    if (::setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0)
        _exit(99);
}

qsizetype rank_count(const Outcome& outcome) {
    return outcome.json()[QStringLiteral("runs")].toArray().at(0)[QStringLiteral("ranks")].toArray().size();
}

/// Rank 0 with one kernel after the other, about that many bytes of them.
QByteArray long_trace(int bytes) {
    QByteArray text = step_trace(0).chopped(4); // without "]}"
    for (int i = 0; text.size() < bytes; ++i) {
        const QByteArray start = QByteArray::number(2000 + 10 * i);
        text += ",\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":" + start +
                ",\"dur\":5,\"args\":{\"device\":0,\"stream\":7}}";
    }
    return text + "\n]}\n";
}

/// Files that are there, by name; hidden ones as well.
QStringList names_in(const QString& folder) { return QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

} // namespace

class TestFaults : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_->filePath(name); }
    [[nodiscard]] QStringList exporting(const QString& run, const QString& to) const {
        return {QStringLiteral("--batch"), at(run), QStringLiteral("--output"), at(to)};
    }

    /// True: it worked. Else it has to say why not in one line; a signal never ends it.
    [[nodiscard]] bool workedOrSaidWhyNot(rlim_t megabytes, int jobs) const {
        const Outcome outcome = run_program({QStringLiteral("--batch"), at(QStringLiteral("run")),
                                             QStringLiteral("--json"), QStringLiteral("--jobs"), QString::number(jobs)},
                                            [megabytes] { limit(RLIMIT_AS, megabytes << 20); });
        const bool said = outcome.exit_code > 0 && !outcome.only_line().isEmpty();
        if (outcome.exit_code != 0 && !said)
            QTest::qFail(qPrintable(QStringLiteral("%1 MB: %2 ").arg(megabytes).arg(outcome.exit_code) +
                                    QString::fromUtf8(outcome.err)),
                         __FILE__, __LINE__);
        return outcome.exit_code == 0;
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        write_step_run(at(QStringLiteral("run")));
    }

    // -- what lies in a run folder
    // ------------------------------------------------------------------------------------------

    void whatIsNoFileIsPassedOver() {
        const auto path = [&](const char* name) {
            return at(QStringLiteral("run/") + QString::fromLatin1(name)).toStdString();
        };
        std::filesystem::create_symlink(".", path("loop"));
        std::filesystem::create_symlink("itself.json", path("itself.json"));
        std::filesystem::create_symlink("/dev/zero", path("rank2_trace.json"));
        std::filesystem::create_symlink("/dev/full", path("rank3_trace.json"));
        std::filesystem::create_symlink("nowhere", path("rank4_trace.json"));
        QCOMPARE(::mkfifo(path("rank5_trace.json").c_str(), 0600), 0);
        QVERIFY(std::filesystem::create_directory(path("rank6_trace.json")));
        const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string name = path("rank7_trace.json");
        QVERIFY(name.size() < sizeof address.sun_path);
        std::ranges::copy(name, address.sun_path);
        QCOMPARE(::bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        const Outcome outcome =
            run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json")});
        ::close(handle);
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(rank_count(outcome), qsizetype(2));
    }

    void aHundredThousandFilesAreNoProblem() {
        for (int i = 0; i < 100'000; ++i)
            ::close(::open(qPrintable(at(QStringLiteral("run/core.%1").arg(i))), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        const Outcome outcome =
            run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json")});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        QCOMPARE(rank_count(outcome), qsizetype(2));
    }

    void pathsNeedNotBeUtf8() {
        // QProcess would recode the argument, a shell does not.
        const QByteArray odd = at(QStringLiteral("r")).toUtf8() + "\xFF\xFE un";
        QCOMPARE(::rename(at(QStringLiteral("run")).toUtf8(), odd), 0);
        QProcess shell;
        write_file(at(QStringLiteral("go.sh")),
                   "exec \"" RANKSCOPE_PROGRAM "\" --batch '" + odd + "' --json --output '" + odd + "/out'\n");
        shell.start(QStringLiteral("/bin/sh"), {at(QStringLiteral("go.sh"))});
        QVERIFY(shell.waitForFinished(60'000));
        QVERIFY2(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0, shell.readAllStandardError());
        QVERIFY(std::filesystem::exists(std::string(odd.constData()) + "/out/metrics.csv"));
        QVERIFY(!QJsonDocument::fromJson(shell.readAllStandardOutput()).isNull()); // valid UTF-8
        QCOMPARE(::rename(odd, at(QStringLiteral("run")).toUtf8()), 0);            // so that Qt can remove it
    }

    // -- files that change
    // --------------------------------------------------------------------------------------------------

    /// Shrinks, grows and goes while it is read, at different moments.
    void filesThatChangeWhileTheyAreRead() {
        const QByteArray one = step_trace(0);
        const QByteArray large = long_trace(40 << 20);
        std::mt19937 random(7);
        for (int i = 0; i < 12; ++i) {
            const QString file = at(QStringLiteral("run/rank0_trace.json"));
            write_file(file, large);
            QProcess process;
            process.start(QStringLiteral(RANKSCOPE_PROGRAM),
                          {QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json")});
            QVERIFY(process.waitForStarted());
            QTest::qSleep(static_cast<int>(random() % 120));
            if (i % 3 == 0)
                QVERIFY(QFile::resize(file, static_cast<qint64>(random() % static_cast<unsigned>(large.size()))));
            else if (i % 3 == 1)
                QVERIFY(QFile::remove(file));
            else
                write_file(file, one);
            QVERIFY(process.waitForFinished(60'000));
            QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
                     process.readAllStandardError());
            QVERIFY(!QJsonDocument::fromJson(process.readAllStandardOutput()).isNull());
        }
    }

    // -- memory
    // -------------------------------------------------------------------------------------------------------------

    void tooLittleMemoryIsOneClearLine() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer needs the address space itself");
        write_file(at(QStringLiteral("run/rank0_trace.json")), long_trace(160 << 20));
        int refused = 0;
        for (const rlim_t megabytes : {220, 300, 400, 600, 1000})
            refused += workedOrSaidWhyNot(megabytes, 2) ? 0 : 1;
        QVERIFY(refused > 0);
    }

    /// oneTBB ends the program where it wants a thread and none is to be had, so it is kept to those that are
    /// (core/base/worker_threads.h).
    void noThreadsToBeHadAreNoProblem() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer needs the address space itself");
        write_file(at(QStringLiteral("run/rank0_trace.json")), long_trace(8 << 20));
        int worked = 0;
        for (rlim_t megabytes = 150; megabytes <= 400; megabytes += 10)
            worked += workedOrSaidWhyNot(megabytes, 8) ? 1 : 0;
        QVERIFY(worked > 0);
    }

    /// Wherever it is: also where nothing may fail, as when JSON is taken apart.
    void noAllocationThatFailsIsACrash() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer has a malloc of its own");
        qputenv("LD_PRELOAD", RANKSCOPE_SCARCE_MEMORY);
        const auto later = qScopeGuard([] {
            qunsetenv("LD_PRELOAD");
            qunsetenv("RANKSCOPE_TEST_REFUSE");
        });
        int refused = 0;
        for (int call = 1'000; call < 20'000; call += 331) { // libraries take the first ones, before main()
            qputenv("RANKSCOPE_TEST_REFUSE", QByteArray::number(call));
            const Outcome outcome =
                run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json"),
                             QStringLiteral("--no-cache"), QStringLiteral("--jobs"), QStringLiteral("2")});
            const bool said = outcome.exit_code > 0 && !outcome.err.isEmpty();
            QVERIFY2(outcome.exit_code == 0 || said,
                     QByteArray("call " + QByteArray::number(call) + ": " + outcome.err));
            refused += said ? 1 : 0;
        }
        QVERIFY(refused > 10);
    }

    /// 1 GB of blanks in 5 MB.
    void aBombIsNoProblem() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer needs the address space itself");
        const QString bomb = at(QStringLiteral("run/rank0_trace.json.gz"));
        QVERIFY(QFile::remove(at(QStringLiteral("run/rank0_trace.json"))));
        QProcess shell; // a string of 1 GB
        // No raw string here: moc loses the rest of the class behind one.
        shell.start(
            QStringLiteral("/bin/sh"),
            {QStringLiteral("-c"),
             QStringLiteral(
                 "(printf '{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"'; head -c 1073741824 /dev/zero | tr '\\0' ' '; "
                 "printf '\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}]}') | gzip -1 > \"$0\""),
             bomb});
        QVERIFY(shell.waitForFinished(120'000) && shell.exitCode() == 0);
        const Outcome outcome =
            run_program({QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json")},
                        [] { limit(RLIMIT_AS, rlim_t(3) << 30); });
        QVERIFY2(outcome.exit_code == 0 || (outcome.exit_code > 0 && !outcome.only_line().isEmpty()), outcome.err);
        if (outcome.exit_code == 0)
            QVERIFY2(
                outcome.json()[QStringLiteral("runs")].toArray().at(0)[QStringLiteral("notices")].toArray().size() > 0,
                outcome.out.left(2000));
    }

    // -- where results go
    // ---------------------------------------------------------------------------------------------------

    void aFullDiskLeavesTheOldFiles() {
        const Outcome first = run_program(exporting(QStringLiteral("run"), QStringLiteral("out")));
        QVERIFY2(first.exit_code == 0, first.err);
        const QStringList before = names_in(at(QStringLiteral("out")));
        QVERIFY(before.size() > 5);
        QMap<QString, QByteArray> contents;
        for (const QString& name : before)
            contents[name] = read_file(at(QStringLiteral("out/")) + name);
        const Outcome second = run_program(exporting(QStringLiteral("run"), QStringLiteral("out")), [] {
            ::signal(SIGXFSZ, SIG_IGN);
            limit(RLIMIT_FSIZE, 700);
        });
        QCOMPARE(second.exit_code, 4);
        QVERIFY2(second.err.contains("cannot write"), second.err);
        QCOMPARE(names_in(at(QStringLiteral("out"))), before);
        for (const QString& name : before)
            if (contents[name].size() > 700)
                QCOMPARE(read_file(at(QStringLiteral("out/")) + name), contents[name]);
    }

    void aFileWhereTheFolderShouldBeIsNamed() {
        write_file(at(QStringLiteral("out")), "mine");
        const Outcome outcome = run_program(exporting(QStringLiteral("run"), QStringLiteral("out")));
        QCOMPARE(outcome.exit_code, 4);
        QVERIFY2(outcome.only_line().contains(at(QStringLiteral("out")).toUtf8()), outcome.err);
        QCOMPARE(read_file(at(QStringLiteral("out"))), QByteArray("mine"));
    }

    void exportsToOnePlaceAtOnceAreAllWhole() {
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < 4; ++i) {
            processes.push_back(std::make_unique<QProcess>());
            processes.back()->start(QStringLiteral(RANKSCOPE_PROGRAM),
                                    exporting(QStringLiteral("run"), QStringLiteral("out")));
        }
        for (const auto& process : processes) {
            QVERIFY(process->waitForFinished(60'000));
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError());
        }
        verifyWhole(at(QStringLiteral("out")));
        QVERIFY(names_in(at(QStringLiteral("out"))).filter(QStringLiteral(".part")).isEmpty());
    }

    void aKillLeavesWholeFilesOrNone() {
        std::mt19937 random(11);
        for (int i = 0; i < 25; ++i) {
            QProcess process;
            process.start(QStringLiteral(RANKSCOPE_PROGRAM), exporting(QStringLiteral("run"), QStringLiteral("out")));
            QVERIFY(process.waitForStarted());
            QTest::qSleep(static_cast<int>(random() % 150));
            process.kill();
            QVERIFY(process.waitForFinished(60'000));
            verifyWhole(at(QStringLiteral("out")));
        }
    }

    /// What a killed program leaves of digests and of the cache is whole, or as if it were not there.
    void aKillLeavesDigestsAndCacheWholeOrNone_data() {
        QTest::addColumn<bool>("digests");
        QTest::newRow("digests") << true;
        QTest::newRow("cache") << false;
    }
    void aKillLeavesDigestsAndCacheWholeOrNone() {
        QFETCH(bool, digests);
        write_file(at(QStringLiteral("run/rank0_trace.json")), long_trace(6 << 20)); // large enough to be cached
        const QStringList reading{QStringLiteral("--batch"), at(QStringLiteral("run")), QStringLiteral("--json")};
        const QByteArray wanted = run_program(reading + QStringList{QStringLiteral("--no-cache")}).out;
        QVERIFY(!wanted.isEmpty());
        qputenv("XDG_CACHE_HOME", at(QStringLiteral("cache")).toUtf8());
        const auto cleanup = qScopeGuard([] { qunsetenv("XDG_CACHE_HOME"); });
        const QString made = at(digests ? QStringLiteral("made") : QStringLiteral("cache/rankscope/traces"));
        std::mt19937 random(13);
        for (int i = 0; i < 12; ++i) {
            QProcess process;
            process.start(QStringLiteral(RANKSCOPE_PROGRAM),
                          digests ? QStringList{QStringLiteral("--batch"), at(QStringLiteral("run")),
                                                QStringLiteral("--digest"), made}
                                  : reading);
            QVERIFY(process.waitForStarted());
            QTest::qSleep(static_cast<int>(random() % 300));
            process.kill();
            QVERIFY(process.waitForFinished(60'000));
            for (const QString& name : names_in(made)) {
                if (!name.startsWith(u'.') && digests) {
                    const Outcome outcome =
                        run_program({QStringLiteral("--batch"), made + u'/' + name, QStringLiteral("--json")});
                    QVERIFY2(outcome.exit_code == 0, outcome.err);
                }
                if (!digests && i % 3 == 2)
                    QCOMPARE(run_program(reading).out, wanted);
            }
        }
        if (!digests)
            QCOMPARE(run_program(reading).out, wanted);
    }

    /// The folder goes while it is written to: the files are there, or one line says why not.
    void theTargetIsRemovedMeanwhile() {
        std::mt19937 random(17);
        for (int i = 0; i < 12; ++i) {
            QProcess process;
            process.start(QStringLiteral(RANKSCOPE_PROGRAM), exporting(QStringLiteral("run"), QStringLiteral("out")));
            QVERIFY(process.waitForStarted());
            QTest::qSleep(static_cast<int>(random() % 120));
            QDir(at(QStringLiteral("out"))).removeRecursively();
            QVERIFY(process.waitForFinished(60'000));
            const QByteArray told = process.readAllStandardError();
            QVERIFY2(process.exitStatus() == QProcess::NormalExit &&
                         (process.exitCode() == 0 || process.exitCode() == 4),
                     told);
            QVERIFY2(process.exitCode() == 0 || told.contains("cannot"), told);
            verifyWhole(at(QStringLiteral("out")));
        }
    }

    // -- names
    // --------------------------------------------------------------------------------------------------------------

    void hostileNamesAreHarmless() {
        const QList<QByteArray> names{"=cmd|' /C calc'!A0",
                                      "+1+1",
                                      "@SUM(A1)",
                                      "-2+3",
                                      "<script>alert(1)</script>",
                                      "<img src=http://example.org/x>",
                                      "a\\nb\\r\\tc",
                                      "\\u001b]0;owned\\u0007\\u001b[31m",
                                      "\\u202egnp.exe",
                                      "\\u0000",
                                      "../../../etc/passwd",
                                      QByteArray(1 << 20, 'x'),
                                      "&amp;\\\"'",
                                      "]]>",
                                      "{{7*7}}"};
        for (int rank = 0; rank < 2; ++rank) {
            QByteArray events = step_trace(rank).chopped(4);
            for (int i = 0; i < names.size(); ++i)
                for (const char* category : {"kernel", "cpu_op"})
                    events += ",{\"ph\":\"X\",\"cat\":\"" + QByteArray(category) + "\",\"name\":\"" + names[i] +
                              "\",\"pid\":0,\"tid\":7,\"ts\":" + QByteArray::number(1050 + i) +
                              ",\"dur\":0.5,\"args\":{\"device\":0,\"stream\":7}}";
            write_file(at(QStringLiteral("run/rank%1_trace.json").arg(rank)), events + "]}");
        }
        const Outcome table = run_program({QStringLiteral("--batch"), at(QStringLiteral("run"))});
        QVERIFY2(table.exit_code == 0, table.err);
        for (const QByteArray& text : {table.out, table.err})
            QVERIFY(!text.contains('\x1b') && !text.contains('\x07') && !text.contains('\0') &&
                    !text.contains("\u202e"));
        const Outcome exported = run_program(exporting(QStringLiteral("run"), QStringLiteral("out")));
        QVERIFY2(exported.exit_code == 0, exported.err);
        for (const QString& name : names_in(at(QStringLiteral("out")))) {
            const QByteArray text = read_file(at(QStringLiteral("out/")) + name);
            if (name.endsWith(QStringLiteral(".csv")))
                for (const char* start : {",=", ",+", ",@", "\n=", "\n+", "\n@", "\"=", "\"+", "\"@"})
                    QVERIFY2(!text.contains(start),
                             qPrintable(name + QStringLiteral(": ") + QString::fromLatin1(start)));
            if (name.endsWith(QStringLiteral(".html")))
                QVERIFY(!text.contains("<script>alert") && !text.contains("<img"));
            QVERIFY(!name.endsWith(QStringLiteral(".json")) || !QJsonDocument::fromJson(text).isNull());
        }
        QVERIFY(!QFile::exists(at(QStringLiteral("etc/passwd"))));
    }

private:
    /// Every file under its own name is whole: JSON parses, workbooks end as zip files do, tables end with a line.
    static void verifyWhole(const QString& folder) {
        for (const QString& name : names_in(folder)) {
            if (name.startsWith(u'.'))
                continue; // what a killed process was writing, under a name of its own
            const QByteArray text = read_file(folder + u'/' + name);
            if (name.endsWith(QStringLiteral(".json")))
                QVERIFY2(!QJsonDocument::fromJson(text).isNull(), qPrintable(name));
            else if (name.endsWith(QStringLiteral(".xlsx")))
                QVERIFY2(text.startsWith("PK") && text.right(22).startsWith("PK\x05\x06"), qPrintable(name));
            else if (name.endsWith(QStringLiteral(".html")))
                QVERIFY2(text.trimmed().endsWith("</html>"), qPrintable(name));
            else
                QVERIFY2(text.endsWith('\n'), qPrintable(name));
        }
    }
};

RANKSCOPE_TEST(TestFaults)

} // namespace rankscope::faults_test

#include "test_faults.moc"
