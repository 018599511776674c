// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on another machine without a window: an sshd of the test's own on 127.0.0.1 is that machine.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/remote/remote_run.h"
#include "core/trace/digest_facts.h"
#include "tests/app/ssh_server.h"
#include "tests/support/test_program.h"

namespace rankscope::remote_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

class TestRemote : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<SshServer> server_;
    QString run_; ///< of four ranks, with a workload card
    QString reason_;

    /// "%" starts an escape in an address; all else may stand as it is.
    [[nodiscard]] QString there() const { return server_->address(run_).replace(u"%"_s, u"%25"_s); }
    void forget() const { QDir(folder_.filePath(u"cache"_s)).removeRecursively(); }
    [[nodiscard]] QString cached() const {
        const QDir all(folder_.filePath(u"cache/rankscope/remote"_s));
        const QStringList runs = all.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return runs.size() == 1 ? all.filePath(runs.front()) : QString();
    }
    static QJsonObject first_run(const Outcome& outcome) { return outcome.json()[u"runs"_s][0].toObject(); }
    /// What does not depend on where the run lies.
    static QJsonObject measured(QJsonObject run) {
        for (const auto& key : {u"path"_s, u"name"_s, u"notices"_s, u"accounting"_s, u"role"_s})
            run.remove(key);
        return run;
    }

private Q_SLOTS:
    void initTestCase() {
        server_ = std::make_unique<SshServer>();
        reason_ = server_->start();
        qputenv("XDG_CACHE_HOME", folder_.filePath(u"cache"_s).toUtf8());
        qputenv("PATH", server_->path("near_bin").toUtf8() + ":" + qgetenv("PATH"));
        run_ = folder_.filePath(u"far/it's \"my\" run\n; touch $HOME %41"_s);
        SimulatorOptions options;
        options.dp = 4;
        options.layers = 3;
        options.cpu_detail = 2;
        QVERIFY(write_run(options, run_.toStdString()));
        write_file(run_ + u"/workload_card.yaml"_s, "workload:\n  data:\n    batch_size: 16\n");
    }
    void init() {
        if (!reason_.isEmpty())
            QSKIP(qPrintable(reason_));
        forget();
        server_->installProgram();
        server_->useSsh();
    }

    void theNumbersAreThoseOfTheRunItself() {
        const Outcome far = run_program({u"--batch"_s, u"--json"_s, there()});
        QVERIFY2(far.exit_code == 0, far.err.constData());
        const QString digests =
            folder_.filePath(u"digests/"_s) + run_.section(u'/', -1); // its name is a setting of the run
        QCOMPARE(run_program({u"--batch"_s, run_, u"--digest"_s, digests}).exit_code, 0);
        const Outcome here = run_program({u"--batch"_s, u"--json"_s, digests});
        QCOMPARE(measured(first_run(far)), measured(first_run(here)));
        QCOMPARE(first_run(far)[u"name"_s].toString(), run_.section(u'/', -1));
        QVERIFY(first_run(far)[u"path"_s].toString().startsWith(u"ssh://127.0.0.1:"_s));
        QCOMPARE(first_run(far)[u"config"_s][u"workload.data.batch_size"_s].toInt(), 16);
        QVERIFY(!far.out.contains(folder_.filePath(u"cache"_s).toUtf8())); // where it is kept says nothing to anybody
        QVERIFY(QDir(server_->path("far_tmp")).isEmpty());
    }

    void openingAgainTransfersNothing() {
        QCOMPARE(run_program({u"--batch"_s, u"--json"_s, there()}).exit_code, 0);
        const qint64 first = server_->answered();
        QVERIFY(first > 10'000);
        const Outcome again = run_program({u"--batch"_s, u"--json"_s, there()});
        QCOMPARE(again.exit_code, 0);
        QVERIFY2(server_->answered() - first < 100, qPrintable(QString::number(server_->answered() - first)));
        // One file that changed travels, and no other.
        write_file(run_ + u"/workload_card.yaml"_s, "workload:\n  data:\n    batch_size: 32\n");
        const qint64 before = server_->answered();
        const Outcome changed = run_program({u"--batch"_s, u"--json"_s, there()});
        QCOMPARE(first_run(changed)[u"config"_s][u"workload.data.batch_size"_s].toInt(), 32);
        QVERIFY(server_->answered() - before < 2000);
        QCOMPARE(first_run(changed)[u"per_rank"_s], first_run(again)[u"per_rank"_s]);
    }

    void noCacheLeavesNothing() {
        QCOMPARE(run_program({u"--batch"_s, u"--no-cache"_s, there()}).exit_code, 0);
        QVERIFY(!QDir(folder_.filePath(u"cache/rankscope/remote"_s)).exists());
    }

    void aRemoteRunIsComparedWithALocalOne() {
        const Outcome outcome = run_program({u"--batch"_s, u"--json"_s, run_, there()});
        QVERIFY2(outcome.exit_code == 0, outcome.err.constData());
        const QJsonObject metrics = outcome.json()[u"comparison"_s][0][u"metrics"_s].toObject();
        QVERIFY(metrics.contains(u"iter_time"_s));
        for (const QJsonValue metric : metrics)
            QCOMPARE(metric[u"difference"_s].toDouble(), 0.0);
    }

    void sqlStudiesAndDigestsTakeAddresses() {
        const Outcome sql = run_program({u"--batch"_s, there(), u"--sql"_s, u"SELECT count(*) AS n FROM rank"_s});
        QCOMPARE(sql.out, QByteArray("n\r\n4\r\n"));
        // A folder of two runs, by its address.
        const QString far = folder_.filePath(u"studied"_s);
        for (const QString& name : {u"/a"_s, u"/b"_s})
            write_step_run(far + name);
        const Outcome study = run_program({u"--study"_s, u"--json"_s, server_->address(far)});
        QVERIFY2(study.exit_code == 0, study.err.constData());
        QCOMPARE(study.json()[u"runs"_s].toArray().size(), 2);
        const QString digests = folder_.filePath(u"fetched"_s);
        QCOMPARE(run_program({u"--batch"_s, there(), u"--digest"_s, digests}).exit_code, 0);
        QCOMPARE(QDir(digests).entryList(QDir::Files),
                 QStringList({u"rank0.digest"_s, u"rank1.digest"_s, u"rank2.digest"_s, u"rank3.digest"_s}));
        const Outcome opened = run_program({u"--batch"_s, u"--json"_s, digests});
        QVERIFY(!first_run(opened)[u"config"_s][u"workload.data.batch_size"_s].isUndefined());
    }

    void theFullTraceAndOneEventAreFetchedFromThere() {
        const auto run = open_run(there().toStdString());
        QVERIFY2(run, run ? "" : english(run.error().message).c_str());
        const auto full = load_run(run_.toStdString());
        QVERIFY(full);
        const RankTrace& digest = *(*run)->ranks[1];
        QVERIFY(digest.digest && digest.file.string().starts_with("ssh://"));
        const EventIndex event = digest.events.gpu_count / 2;
        const qint64 before = server_->answered();
        const auto text = open_event_text(digest, event);
        QVERIFY2(text, text ? "" : english(text.error().message).c_str());
        QCOMPARE(*text, *read_event_text(*(*full)->ranks[1], event));
        QVERIFY(server_->answered() - before < 2000);
        const auto trace = open_full_trace(digest, (*run)->names);
        QVERIFY2(trace, trace ? "" : english(trace.error().message).c_str());
        QCOMPARE((*trace)->rank, 1);
        QVERIFY((*trace)->events.start == (*full)->ranks[1]->events.start);
        const qint64 fetched = server_->answered();
        QVERIFY(open_full_trace(digest, (*run)->names)); // it is kept
        QCOMPARE(server_->answered(), fetched);
        QVERIFY(read_event_text(**trace, event));
        // A trace that is another one by now is none of this run.
        write_file(run_ + u"/extra"_s, "x");
        RankTrace moved = digest;
        auto facts = std::make_shared<DigestFacts>(*digest.digest);
        facts->source.bytes += 1;
        moved.digest = facts;
        const auto other = open_full_trace(moved, (*run)->names);
        QVERIFY(!other &&
                english(other.error().message).find("has changed since its digest was made") != std::string::npos);
    }

    void digestsThereTravelAsTheyAre() {
        const QString digests = folder_.filePath(u"far digests"_s);
        QCOMPARE(run_program({u"--batch"_s, run_, u"--digest"_s, digests}).exit_code, 0);
        const Outcome far = run_program({u"--batch"_s, u"--json"_s, server_->address(digests)});
        QVERIFY2(far.exit_code == 0, far.err.constData());
        QCOMPARE(measured(first_run(far)), measured(first_run(run_program({u"--batch"_s, u"--json"_s, digests}))));
    }

    void aConnectionThatBreaksIsToldAndMadeAgain() {
        const Outcome whole = run_program({u"--batch"_s, u"--json"_s, there()});
        QCOMPARE(whole.exit_code, 0);
        forget();
        const int total = static_cast<int>(server_->answered());
        QVERIFY(total > 20'000);
        server_->useBreakingSsh(2, total / 2);
        const Outcome broken = run_program({u"--batch"_s, u"--json"_s, there()});
        QVERIFY2(broken.exit_code == 0, broken.err.constData());
        QCOMPARE(broken.err.count("the connection was lost"), 2);
        QCOMPARE(measured(first_run(broken)), measured(first_run(whole)));
    }

    void whatArrivedIsKeptWhereTheConnectionIsGone() {
        server_->useSsh();
        QCOMPARE(run_program({u"--batch"_s, u"--quiet"_s, there()}).exit_code, 0);
        const auto total = static_cast<int>(server_->answered());
        forget();
        // All but a part of the last rank came, then every connection breaks before anything comes.
        server_->useBreakingSsh(1, total * 9 / 10);
        SshServer::writeProgram(server_->path("near_bin/real"), read_file(server_->path("near_bin/ssh")));
        server_->useScript("#!/bin/sh\nif [ -e '" + server_->path("once").toUtf8() + "' ]; then exit 255; fi\ntouch '" +
                           server_->path("once").toUtf8() + "'\nexec '" + server_->path("near_bin/real").toUtf8() +
                           "' \"$@\"\n");
        const Outcome broken = run_program({u"--batch"_s, there()});
        QFile::remove(server_->path("once"));
        QCOMPARE(broken.exit_code, 3);
        QVERIFY2(broken.err.contains("what arrived is kept"), broken.err.constData());
        for (const QString& name : QDir(cached() + u"/files"_s).entryList(QDir::Files)) // whole files or none
            QVERIFY(QFileInfo(cached() + u"/files/"_s + name).size() > 0);
        QVERIFY(!QDir(cached() + u"/files"_s).isEmpty());
        server_->useSsh();
        const qint64 before = server_->answered();
        QCOMPARE(run_program({u"--batch"_s, u"--quiet"_s, there()}).exit_code, 0);
        const qint64 again = server_->answered() - before;
        QVERIFY2(again < total / 2, qPrintable(u"%1 of %2 bytes came again"_s.arg(again).arg(total)));
    }

    void aDeadHostEndsInOneLine() {
        const SilentPort dead;
        QElapsedTimer time;
        time.start();
        const Outcome outcome = run_program({u"--batch"_s, u"ssh://127.0.0.1:%1/run"_s.arg(dead.port())});
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(!outcome.only_line().isEmpty(), outcome.err.constData());
        QVERIFY(outcome.err.contains(QByteArray("127.0.0.1:" + QByteArray::number(dead.port()))));
        QVERIFY(time.elapsed() < 25'000);
    }
    void waitingForADeadHostIsInterrupted() {
        const SilentPort dead;
        QProcess process;
        process.start(QStringLiteral(RANKSCOPE_PROGRAM), {u"--batch"_s, u"ssh://127.0.0.1:%1/run"_s.arg(dead.port())});
        QVERIFY(process.waitForStarted());
        QTest::qWait(700);
        QElapsedTimer time;
        time.start();
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(5000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(time.elapsed() < 3000);
    }

    void failuresAreOneLine_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("wrong path") << u"/nowhere/at all"_s << QByteArray("/nowhere/at all does not exist");
        QTest::newRow("no run") << u"/bin"_s << QByteArray("no trace");
        QTest::newRow("another host") << QString() << QByteArray("resolve");
    }
    void failuresAreOneLine() {
        QFETCH(const QString, path);
        QFETCH(const QByteArray, says);
        const Outcome outcome =
            run_program({u"--batch"_s, path.isEmpty() ? u"ssh://no-such-host.invalid/run"_s : server_->address(path)});
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(!outcome.only_line().isEmpty() && outcome.err.contains(says), outcome.err.constData());
    }
    void anAddressThatIsNoneIsAnErrorOfUse() {
        const QString hurt = folder_.filePath(u"hurt"_s);
        for (const QString& address :
             {u"ssh://-oProxyCommand=touch %1/x"_s.arg(hurt), u"ssh://a;touch@host/x"_s, u"ssh://host"_s})
            QCOMPARE(run_program({u"--batch"_s, address}).exit_code, 2);
        QVERIFY(!QFile::exists(hurt));
    }

    void anUnknownHostKeyIsRefused() {
        const QByteArray known = read_file(server_->path("known_hosts"));
        write_file(server_->path("known_hosts"), "");
        const Outcome unknown = run_program({u"--batch"_s, there()});
        const QByteArray other =
            "[127.0.0.1]:" + QByteArray::number(server_->port()) + " " + read_file(server_->path("user_key.pub"));
        write_file(server_->path("known_hosts"), other);
        const Outcome changed = run_program({u"--batch"_s, there()});
        write_file(server_->path("known_hosts"), known);
        QCOMPARE(unknown.exit_code, 3);
        QVERIFY2(unknown.only_line().contains("its host key is not known here"), unknown.err.constData());
        QCOMPARE(changed.exit_code, 3);
        QVERIFY2(changed.only_line().contains("its host key is not the one known here"), changed.err.constData());
    }
    void aUserWhoMayNotGetInIsTold() {
        const Outcome outcome =
            run_program({u"--batch"_s, u"ssh://nobody-of-here@127.0.0.1:%1/x"_s.arg(server_->port())});
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(outcome.only_line().contains("Permission denied") && outcome.err.contains("agent"),
                 outcome.err.constData());
    }

    void aProgramThatIsMissingThereIsCopiedWhereThatIsAllowed() {
        server_->installScript({});
        const Outcome missing = run_program({u"--batch"_s, there()});
        QCOMPARE(missing.exit_code, 3);
        QVERIFY2(missing.only_line().contains("--install-remote"), missing.err.constData());
        const Outcome copied = run_program({u"--batch"_s, u"--install-remote"_s, there()});
        QVERIFY2(copied.exit_code == 0, copied.err.constData());
        QVERIFY2(copied.err.contains("its checksum is right"), copied.err.constData());
        forget();
        QCOMPARE(run_program({u"--batch"_s, u"--quiet"_s, there()}).exit_code, 0); // it is still there
        QDir(server_->path("far_cache")).removeRecursively();
    }
    // A program of the tarball starts with the libraries that lie beside it, so they travel with it.
    void theTarballsProgramIsCopiedWithWhatItNeeds() {
        server_->installScript({});
        const QTemporaryDir tarball;
        for (const char* const folder : {"bin", "lib", "share"})
            QVERIFY(QDir(tarball.path()).mkpath(QString::fromLatin1(folder)));
        SshServer::writeProgram(tarball.filePath(u"bin/rankscope-batch"_s),
                                "#!/bin/sh\nroot=$(readlink -f \"$0\")\nroot=${root%/bin/*}\n"
                                "exec \"$root/lib/program\" \"$@\"\n");
        QVERIFY(QFile::copy(QStringLiteral(RANKSCOPE_PROGRAM), tarball.filePath(u"lib/program"_s)));
        SshServer::writeProgram(tarball.filePath(u"share/of the window"_s), "");
        SshServer::writeProgram(tarball.filePath(u"lib/rankscope-batch.files"_s), "bin/rankscope-batch\nlib/program\n");
        qputenv("RANKSCOPE_LAUNCHER", tarball.filePath(u"bin/rankscope"_s).toUtf8());
        const Outcome copied = run_program({u"--batch"_s, u"--install-remote"_s, there()});
        qunsetenv("RANKSCOPE_LAUNCHER");
        QVERIFY2(copied.exit_code == 0, copied.err.constData());
        const QDir there_now(server_->path("far_cache/rankscope/bin"));
        const QStringList copies = there_now.entryList({u"*.??????"_s}, QDir::Dirs | QDir::NoSymLinks);
        QCOMPARE(copies.size(), 1);
        QVERIFY(there_now.exists(copies[0] + u"/lib/program"_s) && !there_now.exists(copies[0] + u"/share"_s));
        QDir(server_->path("far_cache")).removeRecursively();
    }
    void aCopyThatDoesNotStartThereIsTold() {
        server_->installScript({});
        // The shell there finds another checksum.
        SshServer::writeProgram(server_->path("far_bin/sha256sum"), "#!/bin/sh\ncat >/dev/null; echo 0123 -\n");
        const Outcome outcome = run_program({u"--batch"_s, u"--install-remote"_s, there()});
        QFile::remove(server_->path("far_bin/sha256sum"));
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(outcome.only_line().contains("could not be copied there"), outcome.err.constData());
        QVERIFY(QDir(server_->path("far_cache/rankscope/bin")).isEmpty());
    }

    void anotherVersionThereIsTold_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("too old")
            << QByteArray(
                   "#!/bin/sh\necho 'rankscope: unknown option --serve-remote; see rankscope --help' >&2\nexit 2\n")
            << QByteArray("too old");
        QTest::newRow("newer") << QByteArray("#!/bin/sh\necho rankscope-remote 99 1 9.9.9\ncat\n")
                               << QByteArray("9.9.9");
        QTest::newRow("another format") << QByteArray("#!/bin/sh\necho rankscope-remote 1 99 9.9.8\ncat\n")
                                        << QByteArray("9.9.8");
    }
    void anotherVersionThereIsTold() {
        QFETCH(const QByteArray, script);
        QFETCH(const QByteArray, says);
        server_->installScript(script);
        const Outcome outcome = run_program({u"--batch"_s, there()});
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(outcome.only_line().contains(says) && outcome.err.contains("--install-remote"),
                 outcome.err.constData());
    }

    // What another machine says is not trusted: an `ssh` that says it, whoever is asked.
    void whatAHostileMachineSaysDoesNoHarm_data() {
        QTest::addColumn<QByteArray>("script");
        const QByteArray hello = "#!/bin/sh\necho rankscope-remote 1 1 1.0\nread request\n";
        const QByteArray key(32, 'a');
        const auto listed = [&](const QByteArray& item, const QByteArray& answer) -> QByteArray {
            const QByteArray text = "listing 0 kineto\nitem " + item + "\n";
            return hello + "printf 'listing " + QByteArray::number(text.size()) + "\\n'\ncat <<'E'\n" + text +
                   "E\nread request\n" + answer;
        };
        const QByteArray digest = "digest " + key + " 5 rank0.json";
        QTest::newRow("nothing") << QByteArray("#!/bin/sh\n");
        QTest::newRow("garbage") << QByteArray("#!/bin/sh\nhead -c 10000000 /dev/urandom\n");
        QTest::newRow("no end of lines") << QByteArray("#!/bin/sh\nyes welcome\n");
        QTest::newRow("no end of a line") << QByteArray(hello + "tr '\\0' x </dev/zero\n");
        QTest::newRow("huge listing") << QByteArray(hello + "echo listing 99999999999999\n");
        QTest::newRow("same as nothing") << QByteArray(hello + "echo same\n");
        QTest::newRow("escape sequences") << QByteArray(hello + "printf 'error %%1B[2J%%0A%%0Aboo\\n'\n");
        QTest::newRow("no items") << QByteArray(hello + "echo listing 17\necho 'listing 0 kineto'\n");
        QTest::newRow("up and away") << listed("file " + key + " 5 ..%2F..%2Fhurt", "cat\n");
        QTest::newRow("another item") << listed(digest, "echo part 7 5 0 x.digest\n");
        QTest::newRow("another name") << listed(digest, "echo part 0 5 0 ..%2F..%2Fhurt.digest\n");
        QTest::newRow("no digest") << listed(
            digest, "echo part 0 5 0 a.digest\nprintf 'chunk 5 5\\nhello'\necho end\necho done 0\necho ready\n");
        QTest::newRow("more than it says") << listed(digest, "echo part 0 5 0 a.digest\nprintf 'chunk 6 6\\nhello!'\n");
        QTest::newRow("less than it says") << listed(
            digest, "echo part 0 5 0 a.digest\nprintf 'chunk 4 4\\nhell'\necho end\necho done 0\necho ready\n");
        QTest::newRow("huge chunk") << listed(digest,
                                              "echo part 0 999999999 0 a.digest\necho chunk 99999999 99999999\n");
        QTest::newRow("huge file") << listed(digest, "echo part 0 18446744073709551615 0 a.digest\n");
        QTest::newRow("nothing done") << listed(digest, "echo ready\n");
        QTest::newRow("only failures") << listed(digest, "echo failed 0 broken%0A\necho done 0\necho ready\n");
        QTest::newRow("done twice") << listed(digest, "echo done 0\necho done 0\necho ready\n");
    }
    void whatAHostileMachineSaysDoesNoHarm() {
        QFETCH(const QByteArray, script);
        server_->useScript(script);
        const Outcome outcome = run_program({u"--batch"_s, u"--quiet"_s, u"ssh://host/run"_s});
        QCOMPARE(outcome.exit_code, 3);
        QVERIFY2(!outcome.only_line().isEmpty() && !outcome.err.contains('\x1b'), outcome.err.constData());
        QVERIFY(!QFile::exists(folder_.filePath(u"cache/rankscope/hurt"_s)));
        QVERIFY(!QFile::exists(folder_.filePath(u"cache/rankscope/remote/hurt"_s)));
        server_->useSsh();
    }

    void onlyTheUserOpensConnections() { // and no program that asks over --serve-stdio
        QProcess process;
        process.start(QStringLiteral(RANKSCOPE_PROGRAM), {u"--serve-stdio"_s});
        process.write(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"open\",\"arguments\":"
            "{\"path\":\"ssh://host/run\"}}}\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(20'000));
        QVERIFY(process.readAllStandardOutput().contains("other machines"));
    }
};

RANKSCOPE_TEST(TestRemote)

} // namespace rankscope::remote_test

#include "test_remote.moc"
