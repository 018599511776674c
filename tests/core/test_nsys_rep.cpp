// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that only nsys can read: a script plays the tool. Its calls, its cache, its failures and its absence.
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "core/input/load/load_run.h"
#include "core/input/nsys/nsys_rep.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::nsys_rep_test {

namespace fs = std::filesystem;

class TestNsysRep : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path path(const std::string& name) const { return fs::path(folder_->path().toStdString()) / name; }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories(path(name).parent_path());
        std::ofstream(path(name), std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// The tool: notes its arguments one a line, then does what the test wants. $8 is the target, $9... never split by
    /// a shell.
    void install(const std::string& body) const {
        write("bin/nsys",
              "#!/bin/sh\nfor a in \"$@\"; do echo \"$a\" >> " + path("calls").string() + "; done\n" + body + "\n");
        fs::permissions(path("bin/nsys"), fs::perms::owner_all);
    }
    std::shared_ptr<const Run> load(const fs::path& at) const {
        auto run = load_run(at);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    std::string failure(const fs::path& at) const {
        const auto run = load_run(at);
        if (run)
            qFatal("it opened");
        return english(run.error().message);
    }
    fs::path report(const std::string& name = "my report; touch hurt.nsys-rep") const {
        write(name, "\x01NVIDIA Tegra Profiler Report\nwhatever follows");
        return path(name);
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        fs::create_directories(path("bin"));
        qputenv("PATH", (path("bin").string() + ":/usr/bin:/bin").c_str());
        qputenv("XDG_CACHE_HOME", path("cache").c_str());
        NsysExport made(path("made.sqlite"));
        made.kernel(0, 10, "k", {});
    }

    void nsysExportsOnceAndTheCacheServesFromThen() {
        install("cp " + path("made.sqlite").string() + " \"$7\"; echo 'Processing: 100%'");
        const fs::path rep = report();
        const auto run = load(rep);
        QCOMPARE(run->event_count(), std::uint64_t{1});
        QCOMPARE(run->ranks.front()->file, rep);
        const std::string calls = read("calls");
        QCOMPARE(calls.substr(0, calls.find(path("cache").string())),
                 std::string("export\n--type\nsqlite\n--force-overwrite\ntrue\n--output\n"));
        QVERIFY(calls.ends_with(rep.string() + "\n"));
        QVERIFY(!fs::exists(path("hurt")) && !fs::exists("hurt.nsys-rep"));
        QVERIFY(fs::exists(cached_export_of(rep)));
        QCOMPARE(load(rep)->event_count(), std::uint64_t{1});
        QCOMPARE(read("calls"), calls); // not called again
        std::ofstream(rep, std::ios::app) << "more";
        load(rep);
        QVERIFY(read("calls").size() > calls.size()); // another size: another export
        // Nothing is left beside the user's data, nor half-made in the cache.
        QVERIFY(!fs::exists(fs::path(rep).replace_extension(".sqlite")));
        for (const auto& entry : fs::directory_iterator(cached_export_of(rep).parent_path()))
            QCOMPARE(entry.path().extension(), fs::path(".sqlite"));
    }

    /// Without a folder of the user's own nothing is kept: what lies in a folder for all may be anybody's.
    void withoutAHomeEveryOpeningExports() {
        install("cp " + path("made.sqlite").string() + " \"$7\"");
        const QByteArray home = qgetenv("HOME");
        qunsetenv("HOME");
        qunsetenv("XDG_CACHE_HOME");
        const fs::path rep = report();
        QVERIFY(cached_export_of(rep).empty());
        QCOMPARE(load(rep)->event_count(), std::uint64_t{1});
        const std::string calls = read("calls");
        QCOMPARE(load(rep)->event_count(), std::uint64_t{1});
        QCOMPARE(read("calls").size(), 2 * calls.size());
        if (!home.isNull())
            qputenv("HOME", home);
    }

    void whatNsysSaysOnFailureIsShown() {
        install("echo 'Unable to open the report: wrong version.' >&2; exit 3");
        const std::string message = failure(report("a.nsys-rep"));
        QVERIFY2(message.find("exit code 3") != std::string::npos &&
                     message.find("wrong version.") != std::string::npos,
                 message.c_str());
        QVERIFY(!fs::exists(cached_export_of(path("a.nsys-rep"))));
    }

    void cancelEndsTheToolAndItsChildren() {
        install("sleep 300 & echo $! > " + path("child").string() + "; wait");
        std::stop_source stop;
        LoadOptions options;
        options.cancel = stop.get_token();
        const fs::path rep = report("a.nsys-rep");
        std::jthread user([&] {
            while (read("child").empty())
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            stop.request_stop();
        });
        const auto run = load_run(rep, options);
        QVERIFY(!run);
        QCOMPARE(run.error().code, Error::Code::cancelled);
        const std::string child = read("child").substr(0, read("child").find('\n'));
        const auto gone = [&] {
            std::ifstream status("/proc/" + child + "/stat");
            std::string line;
            return !std::getline(status, line) || line.find(") Z ") != std::string::npos;
        };
        QTRY_VERIFY(gone());
    }

    void withoutNsysTheCommandIsTold() {
        qputenv("PATH", path("bin").c_str());
        if (!find_nsys().empty())
            QSKIP("nsys is installed under /opt/nvidia");
        const std::string message = failure(report());
        const std::string command = "nsys export --type sqlite --force-overwrite true --output '" +
                                    path("my report; touch hurt.sqlite").string() + "' '" +
                                    path("my report; touch hurt.nsys-rep").string() + "'";
        QVERIFY2(message.find(command) != std::string::npos, message.c_str());
    }

    void aFreshExportBesideItIsReadInstead() {
        install("exit 9");
        const fs::path rep = report("a.nsys-rep");
        fs::copy_file(path("made.sqlite"), path("a.sqlite"));
        fs::last_write_time(path("a.sqlite"), fs::last_write_time(rep) + std::chrono::seconds(5));
        QCOMPARE(load(rep)->event_count(), std::uint64_t{1});
        QVERIFY(read("calls").empty());
        // Of both in a folder one is read.
        write("both/a.nsys-rep", read("a.nsys-rep"));
        fs::copy_file(path("made.sqlite"), path("both/a.sqlite"));
        fs::last_write_time(path("both/a.sqlite"),
                            fs::last_write_time(path("both/a.nsys-rep")) + std::chrono::seconds(5));
        QCOMPARE(load(path("both"))->ranks.size(), std::size_t{1});
        // An old one is not what the report holds: nsys is asked, and fails here.
        fs::last_write_time(path("a.sqlite"), fs::last_write_time(rep) - std::chrono::seconds(5));
        QVERIFY(failure(rep).find("exit code 9") != std::string::npos);
    }
};

RANKSCOPE_TEST(TestNsysRep)

} // namespace rankscope::nsys_rep_test

#include "test_nsys_rep.moc"
