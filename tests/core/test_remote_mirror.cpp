// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of what has come from other machines: how much it keeps, and that it removes nothing else.
#include <QtTest>

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

#include "core/input/bytes/state_text.h"
#include "core/remote/remote_mirror.h"
#include "tests/support/test_program.h"

namespace rankscope::remote_mirror_test {
namespace fs = std::filesystem;

class TestRemoteMirror : public QObject {
    Q_OBJECT

    /// A folder with a lock, unused for so long, and a file that has no blocks on the disk.
    static void make(const fs::path& folder, std::uint64_t bytes, int hours) {
        fs::create_directories(folder / "files");
        std::ofstream(folder / "files" / "trace").flush();
        fs::resize_file(folder / "files" / "trace", bytes);
        std::ofstream(folder / "lock").flush();
        fs::last_write_time(folder / "lock", fs::file_time_type::clock::now() - std::chrono::hours(hours));
    }

private Q_SLOTS:
    void whatIsUnusedForLongestGoesAndNothingElse() {
        const QTemporaryDir cache;
        const QByteArray before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        const fs::path remote = fs::path(cache.path().toStdString()) / "rankscope" / "remote";
        constexpr std::uint64_t large = RemoteMirror::kMostBytes / 2 + 1;
        const fs::path old = remote / std::string(32, 'a');
        const fs::path fresh = remote / std::string(32, 'b');
        const fs::path own = remote / "my traces"; // of the user
        const fs::path elsewhere = fs::path(cache.path().toStdString()) / "elsewhere";
        make(old, large, 48);
        make(fresh, large, 1);
        make(own, RemoteMirror::kMostBytes, 1000);
        make(elsewhere, large, 1000);
        fs::create_directory_symlink(elsewhere, remote / std::string(32, 'c'));

        // What began to arrive two days ago goes, what may go on stays.
        const fs::path unfinished = remote / hashed("somewhere") / "unfinished";
        fs::create_directories(unfinished);
        std::ofstream(unfinished / "old").flush();
        std::ofstream(unfinished / "fresh").flush();
        fs::last_write_time(unfinished / "old", fs::file_time_type::clock::now() - std::chrono::hours(48));

        const auto mirror = RemoteMirror::open("somewhere", true, {});
        QVERIFY(mirror);
        QVERIFY(!fs::exists(unfinished / "old") && fs::exists(unfinished / "fresh"));
        (*mirror)->finish();
        QVERIFY(!fs::exists(old));
        QVERIFY(fs::exists(fresh / "files" / "trace"));
        QVERIFY(fs::exists(own / "files" / "trace"));
        QVERIFY(fs::exists(elsewhere / "files" / "trace"));
        QVERIFY(fs::is_symlink(remote / std::string(32, 'c')));
        if (before.isNull())
            qunsetenv("XDG_CACHE_HOME");
        else
            qputenv("XDG_CACHE_HOME", before);
    }
};

RANKSCOPE_TEST(TestRemoteMirror)

} // namespace rankscope::remote_mirror_test

#include "test_remote_mirror.moc"
