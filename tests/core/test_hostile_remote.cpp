// SPDX-License-Identifier: GPL-3.0-or-later
// A far side that lies about sizes, and one that never gets on: a script plays ssh and the rankscope there.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/base/temporary_folder.h"
#include "core/remote/remote_protocol.h"
#include "core/remote/remote_run.h"
#include "tests/support/test_program.h"

namespace rankscope::hostile_remote_test {

namespace fs = std::filesystem;

class TestHostileRemote : public QObject {
    Q_OBJECT
    std::unique_ptr<TemporaryFolder> folder_;
    QByteArray path_;

    /// Says hello, reads the request, answers with the listing of one item, reads what is wanted, and goes on as told.
    void install(RemoteItem::Kind kind, std::uint64_t bytes, const std::string& then, int items = 1) const {
        RemoteListing listing;
        listing.single = kind == RemoteItem::Kind::file && items == 1;
        for (int i = 0; i < items; ++i)
            listing.items.push_back({kind, fmt::format("{:032}", i), bytes, fmt::format("rank{}_trace.json", i)});
        std::ofstream(folder_->path() / "listing", std::ios::binary) << listing.text();
        std::ofstream(folder_->path() / "chunk", std::ios::binary) << chunk_of(std::string(kRemoteChunk, '\0'));
        std::ofstream script(folder_->path() / "bin/ssh");
        script << fmt::format("#!/bin/bash\ncd '{}'\nprintf '%s\\n' '{}'\nread request\n"
                              "printf 'listing %s\\n' {}; cat listing\nread wanted\n{}\n",
                              folder_->path().string(), hello_line().substr(0, hello_line().find('\n')),
                              listing.text().size(), then);
        script.close();
        fs::permissions(folder_->path() / "bin/ssh", fs::perms::owner_all);
    }
    [[nodiscard]] std::string failure() const {
        RemoteWishes wishes;
        wishes.patience = std::chrono::milliseconds(1000);
        LoadOptions options;
        const auto fetched = fetch_run("ssh://host/run", options, wishes);
        return fetched ? std::string() : english(fetched.error().message);
    }
    [[nodiscard]] std::uint64_t bytes_kept() const {
        std::uint64_t bytes = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder_->path() / "cache"))
            bytes += entry.is_regular_file() ? entry.file_size() : 0;
        return bytes;
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<TemporaryFolder>("rankscope-test");
        fs::create_directories(folder_->path() / "bin");
        fs::create_directories(folder_->path() / "cache");
        path_ = qgetenv("PATH");
        qputenv("PATH", QByteArray::fromStdString((folder_->path() / "bin").string()) + ":" + path_);
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder_->path() / "cache").string()));
    }
    void cleanup() {
        qputenv("PATH", path_);
        qunsetenv("XDG_CACHE_HOME");
    }

    /// Ten bytes are announced, and a terabyte begins to come.
    void moreThanTheListingSaysIsNotTaken() {
        install(RemoteItem::Kind::file, 10,
                "echo 'part 0 1099511627776 0 rank0_trace.json'; while cat chunk; do :; done");
        const std::string why = failure();
        QVERIFY2(why.find("changed while it was fetched") != std::string::npos, why.c_str());
        QVERIFY(bytes_kept() < 10'000);
    }

    void digestsOfAnySizeAreNotTaken() {
        install(RemoteItem::Kind::digest, 10, "echo 'part 0 8589934592 0 r0.digest'; while cat chunk; do :; done");
        const std::string why = failure();
        QVERIFY2(why.find("makes no sense") != std::string::npos, why.c_str());
        QVERIFY(bytes_kept() < 10'000);
    }

    /// The part is as long as was said, but its chunks are not.
    void chunksBeyondThePartAreNotTaken() {
        install(RemoteItem::Kind::file, 10, "echo 'part 0 10 0 rank0_trace.json'; while cat chunk; do :; done");
        const std::string why = failure();
        QVERIFY2(why.find("makes no sense") != std::string::npos, why.c_str());
        QVERIFY(bytes_kept() < 10'000);
    }

    void whatDoesNotFitOntoTheDiskIsNotBegun() {
        install(RemoteItem::Kind::file, std::uint64_t{1} << 40, "sleep 60", 10'000);
        const std::string why = failure();
        QVERIFY2(why.find("MB of disk") != std::string::npos, why.c_str());
    }

    void ticksAloneAreNoProgress() {
        install(RemoteItem::Kind::digest, 10, "while echo tick; do sleep 0.1; done");
        const std::string why = failure();
        QVERIFY2(why.find("no answer any more") != std::string::npos, why.c_str());
    }

    void failuresWithoutEndAreNoProgress() {
        install(RemoteItem::Kind::digest, 10, "while echo 'failed 0 x'; do :; done");
        const std::string why = failure();
        QVERIFY2(why.find("makes no sense") != std::string::npos, why.c_str());
    }
};

RANKSCOPE_TEST(TestHostileRemote)

} // namespace rankscope::hostile_remote_test

#include "test_hostile_remote.moc"
