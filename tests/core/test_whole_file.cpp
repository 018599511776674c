// SPDX-License-Identifier: GPL-3.0-or-later
// Files are written whole, under names that nobody can have planted, by one function for all of the program.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/base/output_file.h"
#include "core/base/temporary_folder.h"
#include "core/base/user_folders.h"
#include "core/base/whole_file.h"
#include "core/input/bytes/child_process.h"
#include "tests/support/test_program.h"

namespace rankscope::whole_file_test {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

class TestWholeFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Whoever may write into the folder plants a link under the name that the unfinished file would have.
    void aPlantedLinkIsNotWrittenThrough() {
        const TemporaryFolder folder("rankscope-test");
        const fs::path precious = folder.path() / "precious";
        put(precious, "precious");
        fs::create_symlink(precious, folder.path() / "out.json.part");
        fs::create_symlink(precious, folder.path() / (".out.json." + std::to_string(::getpid()) + ".part"));
        OutputFile file(folder.path() / "out.json", false);
        file.write("written");
        QVERIFY(file.commit());
        QVERIFY(write_whole_file(folder.path() / "out.json", "again"));
        QCOMPARE(content(precious), std::string("precious"));
        QCOMPARE(content(folder.path() / "out.json"), std::string("again"));
        QCOMPARE(files_in(folder.path()), std::size_t{4});
        // What is written to at its end is not found through a link either, nor is a FIFO waited for.
        QCOMPARE(open_to_append(folder.path() / "out.json.part"), -1);
    }

    void twoWritersOfOneFileLeaveOneOfTheTwo() {
        const TemporaryFolder folder("rankscope-test");
        const fs::path target = folder.path() / "out.json";
        const std::string piece(10'000, 'x');
        for (int round = 0; round < 16; ++round) {
            std::vector<std::jthread> writers;
            for (const char mark : {'a', 'b'})
                writers.emplace_back([&, mark] {
                    OutputFile file(target, false);
                    for (int i = 0; i < 50; ++i)
                        file.write(mark + piece);
                    if (!file.commit())
                        qFatal("not written");
                });
            writers.clear();
            const std::string text = content(target);
            QCOMPARE(text.size(), 50 * (piece.size() + 1));
            QVERIFY(std::ranges::count(text, text.front()) == 50);
        }
        QCOMPARE(files_in(folder.path()), std::size_t{1});
    }

    void whatIsNotCommittedLeavesNothing() {
        const TemporaryFolder folder("rankscope-test");
        { OutputFile(folder.path() / "out", true).write("half"); }
        QCOMPARE(files_in(folder.path()), std::size_t{0});
        OutputFile file(folder.path() / "missing" / "out", true);
        file.write("nothing");
        QVERIFY(!file.commit());
    }

    /// A second way to open a file for writing would have these faults again.
    void noOtherSourceOpensFilesForWriting() {
        const fs::path source = RANKSCOPE_SOURCE_DIR;
        QStringList found;
        for (const char* folder : {"core", "widgets", "app"})
            for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
                const std::string extension = entry.path().extension().string();
                const std::string name = entry.path().lexically_relative(source).string();
                if ((extension != ".cpp" && extension != ".h") || name == "core/base/whole_file.cpp")
                    continue;
                const QString text = QString::fromStdString(content(entry.path()));
                static const QRegularExpression writing(QStringLiteral(
                    R"(std::ofstream|std::fopen\(|fs::copy_file|\bO_CREAT\b(?! \| O_NOFOLLOW)|QSaveFile|\.open\(QIODevice::WriteOnly\))"));
                for (auto match = writing.globalMatch(text); match.hasNext();)
                    found << QString::fromStdString(name) + QLatin1Char(' ') + match.next().captured();
            }
        // A buffer in memory.
        found.removeAll(QStringLiteral("widgets/plot_export.cpp .open(QIODevice::WriteOnly)"));
        QCOMPARE(found, QStringList());
    }

    void withoutAHomeThereIsNoCache() {
        const QByteArray cache = qgetenv("XDG_CACHE_HOME");
        const QByteArray home = qgetenv("HOME");
        qunsetenv("XDG_CACHE_HOME");
        qputenv("HOME", "/home/ann");
        QCOMPARE(user_cache_folder(), fs::path("/home/ann/.cache/rankscope"));
        qputenv("XDG_CACHE_HOME", "/scratch/ann");
        QCOMPARE(user_cache_folder(), fs::path("/scratch/ann/rankscope"));
        qputenv("XDG_CACHE_HOME", "relative");
        qunsetenv("HOME");
        QVERIFY(user_cache_folder().empty());
        cache.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
        home.isNull() ? qunsetenv("HOME") : qputenv("HOME", home);
    }

    void programsOfTheCurrentFolderAreNotRun() {
        const TemporaryFolder folder("rankscope-test");
        put(folder.path() / "nsys", "#!/bin/sh\n");
        fs::permissions(folder.path() / "nsys", fs::perms::owner_all);
        const QByteArray before = qgetenv("PATH");
        const fs::path here = fs::current_path();
        fs::current_path(folder.path());
        qputenv("PATH", ".::./:../" + QByteArray::fromStdString(folder.path().filename().string()));
        QVERIFY(find_on_path("nsys").empty());
        qputenv("PATH", ".:" + QByteArray::fromStdString(folder.path().string()));
        QCOMPARE(find_on_path("nsys"), folder.path() / "nsys");
        fs::current_path(here);
        qputenv("PATH", before);
    }
};

RANKSCOPE_TEST(TestWholeFile)

} // namespace rankscope::whole_file_test

#include "test_whole_file.moc"
