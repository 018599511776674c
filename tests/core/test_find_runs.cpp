// SPDX-License-Identifier: GPL-3.0-or-later
// Runs under a folder, told by names.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/input/find/find_runs.h"
#include "tests/support/test_program.h"

namespace rankscope::find_runs_test {

class TestFindRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsTheRunsUnderAFolder_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QStringList>("runs"); // folder, below the root: number of files
        QTest::newRow("flat") << QStringList{"worker0.pt.trace.json", "worker1.pt.trace.json.gz", "notes.txt"}
                              << QStringList{": 2"};
        QTest::newRow("a folder per rank")
            << QStringList{"torch_profiler/rank0/trace.json.gz", "torch_profiler/rank1/trace.json.gz"}
            << QStringList{": 2"};
        QTest::newRow("several runs") << QStringList{"32cu/torch_profiler/rank0/trace.json",
                                                     "56cu/torch_profiler/rank0/trace.json",
                                                     "56cu/torch_profiler/rank1/trace.json"}
                                      << QStringList{"/32cu: 1", "/56cu: 2"};
        QTest::newRow("captures of one run") << QStringList{"traces/profile_traces/iteration_5/rank0_trace.json",
                                                            "traces/profile_traces/iteration_10/rank0_trace.json"}
                                             << QStringList{": 2"};
        QTest::newRow("hosts of one run")
            << QStringList{"alpha/rank0.json", "alpha/rank1.json", "beta/rank2.json"} << QStringList{": 3"};
        QTest::newRow("photos") << QStringList{"a.jpg", "b/c.png"} << QStringList{};
        QTest::newRow("empty") << QStringList{} << QStringList{};
    }

    void findsTheRunsUnderAFolder() {
        QFETCH(QStringList, files);
        QFETCH(QStringList, runs);
        QTemporaryDir folder;
        for (const QString& name : files) {
            const QFileInfo file(folder.filePath(name));
            QVERIFY(QDir().mkpath(file.absolutePath()));
            QFile out(file.filePath());
            QVERIFY(out.open(QIODevice::WriteOnly) && out.write("{}") == 2);
        }
        QStringList found;
        for (const FoundRun& run : find_runs(folder.path().toStdString())) {
            found << QString::fromStdString(run.path.string()).mid(folder.path().size()) + QStringLiteral(": ") +
                         QString::number(run.files);
            QCOMPARE(run.bytes, std::uint64_t(2 * run.files));
        }
        QCOMPARE(found, runs);
    }

    void aFileIsARunOfItsOwn() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("anything")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("12345") == 5);
        file.close();
        const auto runs = find_runs(file.fileName().toStdString());
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs.front().files, 1);
        QCOMPARE(runs.front().bytes, std::uint64_t{5});
    }

    void aSecondNameOfAFileIsNotCountedAgain() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("rank0_trace.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
        file.close();
        QVERIFY(QFile::link(file.fileName(), folder.filePath(QStringLiteral("kineto_trace_0.json"))));
        const auto runs = find_runs(folder.path().toStdString());
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs.front().files, 1);
    }

    void nothingIsFoundWhereThereIsNothing() { QVERIFY(find_runs("/no/such/folder").empty()); }
};

RANKSCOPE_TEST(TestFindRuns)

} // namespace rankscope::find_runs_test

#include "test_find_runs.moc"
