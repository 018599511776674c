// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of runs on other machines, and what the machines say to each other: nothing of it is trusted.
#include <QtTest>

#include <filesystem>
#include <string>

#include "core/input/bytes/child_process.h"
#include "core/remote/remote_path.h"
#include "core/remote/remote_protocol.h"
#include "tests/support/test_program.h"

namespace rankscope::remote_protocol_test {
using namespace std::chrono_literals;

class TestRemoteProtocol : public QObject {
    Q_OBJECT

    static std::string listing(const std::string& items) { return "listing 0 kineto\n" + items; }

private Q_SLOTS:
    void addressesAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QByteArray>("path");
        const auto row = [](const char* text, const char* user, const char* host, int port, const QByteArray& path) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(user) << QByteArray(host) << port << path;
        };
        row("ssh://login1/data/run", "", "login1", 0, "/data/run");
        row("ssh://ann@login1.example.org:2222/data/run/", "ann", "login1.example.org", 2222, "/data/run/");
        row("ssh://ann@corp@gpu_7/~/runs", "ann@corp", "gpu_7", 0, "/~/runs");
        row("ssh://[fe80::1]:22/x", "", "fe80::1", 22, "/x");
        row("ssh://h/my%20run%0A/50%25", "", "h", 0, "/my run\n/50%");
        row("ssh://h/it's \"mine\"; $(x)", "", "h", 0, "/it's \"mine\"; $(x)");
        row("ssh://h/a@b:c", "", "h", 0, "/a@b:c");
        row("ssh://h/%9C%A2x/%C3", "", "h", 0, "/\x9C\xA2x/\xC3"); // bytes that are no characters
    }
    void addressesAreRead() {
        QFETCH(const QByteArray, text);
        const auto remote = parse_remote_path(text.toStdString());
        QVERIFY2(remote, remote ? "" : english(remote.error().message).c_str());
        QTEST(QByteArray::fromStdString(remote->user), "user");
        QTEST(QByteArray::fromStdString(remote->host), "host");
        QTEST(remote->port, "port");
        QTEST(QByteArray::fromStdString(remote->path), "path");
        const auto again = parse_remote_path(remote->text().string());
        QVERIFY(again && again->path == remote->path && again->place() == remote->place());
        QVERIFY(remote->text().string().find('\n') == std::string::npos);
    }

    void whatCouldBeAnOptionOrAWordOfAShellIsNoAddress_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"ssh://",
                                 "ssh://host",
                                 "ssh:///path",
                                 "ssh://-oProxyCommand=touch x/path",
                                 "ssh://-l@host/path",
                                 "ssh://user@-host/path",
                                 "ssh://ho st/path",
                                 "ssh://ho;st/path",
                                 "ssh://$(x)/path",
                                 "ssh://`x`@host/path",
                                 "ssh://a'b@host/path",
                                 "ssh://host\n/path",
                                 "ssh://user:secret@host/path",
                                 "ssh://host:0/path",
                                 "ssh://host:65536/path",
                                 "ssh://host:22x/path",
                                 "ssh://host:/path",
                                 "ssh://[::1/path",
                                 "ssh://[a]b/path",
                                 "ssh://host/%00",
                                 "ssh://host/%zz",
                                 "ssh://host/50%",
                                 "/local/path"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatCouldBeAnOptionOrAWordOfAShellIsNoAddress() {
        QFETCH(const QByteArray, text);
        const auto remote = parse_remote_path(text.toStdString());
        QVERIFY(!remote);
        QVERIFY(remote.error().code == Error::Code::usage);
        QVERIFY(english(remote.error().message).find("secret") == std::string::npos);
    }

    void namesStayBelowTheirFolder_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("safe");
        for (const char* name : {"rank0.digest", "host 1/trace.json", "a..b", "..a"})
            QTest::newRow(name) << QByteArray(name) << true;
        for (const char* name :
             {"", "/etc/passwd", "..", "../x", "a/../../x", "a//b", "a/", ".", "a/./b", "a\nb", "\x1b[2J"})
            QTest::newRow(name) << QByteArray(name) << false;
        QTest::newRow("long") << QByteArray(300, 'a') << false;
        QTest::newRow("deep") << QByteArray("a/").repeated(20) + "a" << false;
    }
    void namesStayBelowTheirFolder() {
        QFETCH(const QByteArray, name);
        QTEST(is_safe_below(name.toStdString()), "safe");
    }

    void aListingReadsBackAsItWasWritten() {
        RemoteListing listing;
        listing.single = true;
        listing.sources = {TraceSource::kineto, TraceSource::flight_recorder};
        listing.notices = {{"duplicate_rank", std::string("rank 1 is there twice"), "/data/a b", 2}};
        listing.items = {{RemoteItem::Kind::digest, std::string(32, 'a'), 12, "rank 0.json"},
                         {RemoteItem::Kind::config, std::string(32, '0'), 0, "x/y.yaml"}};
        const auto again = RemoteListing::parse(listing.text());
        QVERIFY(again);
        QVERIFY(again->single && again->sources == listing.sources && again->notices == listing.notices);
        QCOMPARE(again->items.size(), std::size_t{2});
        QCOMPARE(again->items[0].name, std::string("rank 0.json"));
        QVERIFY(again->items[0].kind == RemoteItem::Kind::digest && again->items[0].bytes == 12);
        QVERIFY(again->items[1].kind == RemoteItem::Kind::config);
        QCOMPARE(again->text(), listing.text());
    }

    void aListingThatIsNoneIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        const QByteArray key(32, 'a');
        for (const QByteArray& line :
             {QByteArray("item digest " + key + " 1 ..%2Fx\n"), QByteArray("item digest " + key + " -1 x\n"),
              QByteArray("item digest ../../x 1 x\n"), QByteArray("item folder " + key + " 1 x\n"),
              QByteArray("item digest " + key + " 1 x"), QByteArray("item digest " + key + " 1\n"),
              QByteArray("item digest " + key + " 99999999999999999999999 x\n"), QByteArray("\n"),
              QByteArray("listing 0\n"), QByteArray("notice unreadable_file x %2F %2F\n")})
            QTest::newRow(line.constData()) << line;
    }
    void aListingThatIsNoneIsRefused() {
        QFETCH(const QByteArray, text);
        QVERIFY(!RemoteListing::parse(listing(text.toStdString())));
    }

    void chunksAreBounded() {
        const std::string text(100'000, 'x');
        const std::string chunk = chunk_of(text);
        const std::size_t header = chunk.find('\n') + 1;
        QVERIFY(chunk.size() < 1000);
        QCOMPARE(bytes_of_chunk(std::string_view(chunk).substr(header), text.size()), std::optional(text));
        QVERIFY(!bytes_of_chunk(std::string_view(chunk).substr(header), text.size() - 1)); // more than it says
        QVERIFY(!bytes_of_chunk(std::string_view(chunk).substr(header), text.size() + 1));
        QVERIFY(!bytes_of_chunk(std::string_view(chunk).substr(header), std::size_t{1} << 40));
        QVERIFY(!bytes_of_chunk("damaged", 100));
        QCOMPARE(bytes_of_chunk("as it is", 8), std::optional<std::string>("as it is"));
    }

    void aProgramIsAskedAndAnswers() {
        auto child = ChildProcess::start("/bin/sh", {"-c", "read a; echo \"$a $X\"; echo no >&2; exit 3"}, {"X=why"});
        QVERIFY(child);
        using Transfer = ChildProcess::Transfer;
        std::string text;
        QCOMPARE(child->read(text, 100ms, {}), Transfer::late);
        QCOMPARE(child->write("it's\n", 1s, {}), Transfer::done);
        QCOMPARE(child->read(text, 10s, {}), Transfer::done);
        QCOMPARE(text, std::string("it's why\n"));
        QCOMPARE(child->read(text, 10s, {}), Transfer::closed);
        QCOMPARE(child->finish(), 3);
        QCOMPARE(child->complaints(), std::string("no\n"));
        QCOMPARE(child->write("more\n", 1s, {}), Transfer::closed);
    }
    void aProgramThatHasGoneIsAnErrorOfWriting() {
        auto child = ChildProcess::start("/bin/true", {});
        QVERIFY(child);
        const std::string much(1 << 20, 'x');
        QCOMPARE(child->write(much, 10s, {}), ChildProcess::Transfer::closed);
        QCOMPARE(child->finish(), 0);
    }
    void waitingForAProgramIsCancelled() {
        auto child = ChildProcess::start("/bin/sleep", {"60"});
        QVERIFY(child);
        std::stop_source stop;
        stop.request_stop();
        std::string text;
        QCOMPARE(child->read(text, 60s, stop.get_token()), ChildProcess::Transfer::cancelled);
    }
};

RANKSCOPE_TEST(TestRemoteProtocol)

} // namespace rankscope::remote_protocol_test

#include "test_remote_protocol.moc"
