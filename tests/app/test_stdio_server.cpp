// SPDX-License-Identifier: GPL-3.0-or-later
// --serve-stdio: messages of the Model Context Protocol, hostile ones among them, and the program with real streams.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "app/command/stdio_server.h"
#include "core/demo/run_simulator.h"
#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::stdio_server_test {
using namespace Qt::Literals::StringLiterals;

namespace {

Json ask(StdioServer& server, const std::string& method, const Json& parameters = Json::object()) {
    const Json request{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", parameters}};
    return server.answer(request).value_or(Json());
}

Json call(StdioServer& server, const std::string& tool, const Json& arguments) {
    return ask(server, "tools/call", {{"name", tool}, {"arguments", arguments}})["result"];
}

/// The tool's result; null where it has a problem, which is printed.
Json value(StdioServer& server, const std::string& tool, const Json& arguments = Json::object()) {
    const Json result = call(server, tool, arguments);
    if (result["isError"].get<bool>()) {
        qWarning("%s", result["content"][0]["text"].get<std::string>().c_str());
        return {};
    }
    return result["structuredContent"];
}

/// What the tool says it cannot do; empty: it can.
QString problem(StdioServer& server, const std::string& tool, const Json& arguments = Json::object()) {
    const Json result = call(server, tool, arguments);
    return result["isError"].get<bool>() ? QString::fromStdString(result["content"][0]["text"].get<std::string>())
                                         : QString();
}

std::size_t longest_list(const Json& value) {
    std::size_t longest = value.is_array() ? value.size() : 0;
    if (value.is_structured())
        for (const Json& part : value)
            longest = std::max(longest, longest_list(part));
    return longest;
}

QByteArray request(int id, const QByteArray& method, const QByteArray& parameters = "{}") {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) + ",\"method\":\"" + method +
           "\",\"params\":" + parameters + "}\n";
}

QByteArray tool_call(int id, const QByteArray& tool, const QByteArray& arguments) {
    return request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
}

} // namespace

class TestStdioServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        QVERIFY(write_run(options, path("a")));
        options.layers = 3;
        QVERIFY(write_run(options, path("b")));
    }

    void agreesOnAVersion_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("given");
        for (const char* known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
            QTest::newRow(known) << QString::fromLatin1(known) << QString::fromLatin1(known);
        QTest::newRow("of the future") << u"2031-01-01"_s << u"2025-11-25"_s;
        QTest::newRow("none") << QString() << u"2025-11-25"_s;
    }
    void agreesOnAVersion() {
        QFETCH(const QString, wanted);
        QFETCH(const QString, given);
        StdioServer server{Options()};
        const Json hello = ask(server, "initialize", {{"protocolVersion", wanted.toStdString()}})["result"];
        QCOMPARE(QString::fromStdString(hello["protocolVersion"].get<std::string>()), given);
        QCOMPARE(hello["serverInfo"]["name"].get<std::string>(), std::string("rankscope"));
        QVERIFY(hello["capabilities"].contains("tools"));
    }

    void listsItsTools() {
        StdioServer server{Options()};
        QStringList names;
        const Json listed = ask(server, "tools/list")["result"];
        for (const Json& tool : listed["tools"]) {
            names << QString::fromStdString(tool["name"].get<std::string>());
            QCOMPARE(tool["inputSchema"]["type"].get<std::string>(), std::string("object"));
            for (const Json& required : tool["inputSchema"]["required"])
                QVERIFY(tool["inputSchema"]["properties"].contains(required.get<std::string>()));
            QVERIFY(!tool["description"].get<std::string>().empty());
        }
        QCOMPARE(names.join(u' '), u"open summary findings compare sql metric explain"_s);
    }

    void answersAboutARun() {
        StdioServer server{Options()};
        QCOMPARE(problem(server, "summary"), u"no run is open: use open first"_s);
        const Json opened = value(server, "open", {{"path", path("a")}});
        QCOMPARE(opened["run"].get<int>(), 0);
        QCOMPARE(opened["ranks"].dump(), std::string("[0,1]"));
        const Json summary = value(server, "summary");
        QVERIFY(!summary["summary"].get<std::string>().empty());
        QVERIFY(summary["metrics"]["iter_time"]["available"].get<bool>());
        QVERIFY(!summary["metrics"]["mfu"]["available"].get<bool>() || summary["metrics"]["mfu"]["value"].is_number());
        const Json metric = value(server, "metric", {{"name", "iter_time"}, {"run", 0}});
        QCOMPARE(metric["value"].get<double>(), summary["metrics"]["iter_time"]["value"].get<double>());
        QVERIFY(metric["details"].is_object() && !metric["details"].empty());
        QVERIFY(problem(server, "metric", {{"name", "iter_tme"}}).contains(u"iter_time"_s));
        const Json sql = value(server, "sql", {{"query", "select rank, count(*) as n from event group by rank"}});
        QCOMPARE(sql["rows"].size(), std::size_t{2});
        QCOMPARE(sql["rows"][0]["n"].get<int>() + sql["rows"][1]["n"].get<int>(), opened["events"].get<int>());
        QCOMPARE(sql["more_rows"].get<bool>(), false);
        const Json many = value(server, "sql", {{"query", "select id from event"}});
        QCOMPARE(many["rows"].size(), std::size_t{1'000});
        QCOMPARE(many["more_rows"].get<bool>(), true);
        QVERIFY(problem(server, "sql", {{"query", "drop table event"}}).contains(u"only read"_s));
        QVERIFY(problem(server, "sql", {{"query", "select nothing from event"}}).contains(u"nothing"_s));
        QVERIFY(problem(server, "sql", {{"query", "select 1; select"}}).size() > 0);
    }

    void longListsOfAMetricAreCut() {
        const QString run = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/dlrm_v100_8rank");
        if (!QFileInfo::exists(run))
            QSKIP("skipped: no ../shared");
        StdioServer server{Options()};
        value(server, "open", {{"path", run.toStdString()}});
        const Json told = value(server, "metric", {{"name", "kernel_breakdown"}});
        QVERIFY(longest_list(told["details"]) <= 25);
        QVERIFY(told["cut"]["compat_hta_default.top_kernels"].get<int>() > 25);
        QVERIFY(told.dump().size() < 60'000);
    }

    void everyFindingLeadsToItsEvent() {
        SimulatorOptions options;
        options.dp = 4;
        options.slow = {1, 1.6};
        StdioServer server{Options()};
        QVERIFY(write_run(options, path("it's late")));
        QVERIFY(!value(server, "open", {{"path", path("it's late")}}).is_null());
        const Json told = value(server, "findings");
        QVERIFY(!told["findings"].empty());
        for (const Json& finding : told["findings"]) {
            if (finding["evidence"]["events"].empty())
                continue;
            const double start_ns = finding["evidence"]["events"][0]["start_us"].get<double>() * 1000;
            const QString link = QString::fromStdString(finding["link"].get<std::string>());
            QVERIFY(link.endsWith(u"/it'\\''s late'"_s));
            QVERIFY(link.startsWith(u"rankscope --time-range "_s));
            const QString range = link.split(u' ')[2];
            QVERIFY(range.section(u'/', 0, 0).chopped(2).toDouble() <= start_ns);
            QVERIFY(range.section(u'/', 1).chopped(2).toDouble() > start_ns);
        }
    }

    void comparesTwoRuns() {
        StdioServer server{Options()};
        value(server, "open", {{"path", path("a")}});
        QVERIFY(problem(server, "compare").startsWith(u"there is no run 1; the open runs are 0"_s));
        QCOMPARE(value(server, "open", {{"path", path("b")}})["run"].get<int>(), 1);
        const Json compared = value(server, "compare");
        QCOMPARE(compared["baseline"].get<std::string>(), std::string("a"));
        QCOMPARE(compared["test"].get<std::string>(), std::string("b"));
        QVERIFY(!compared["changes"]["sentences"].empty());
        const double there = compared["metrics"]["iter_time"]["difference"].get<double>();
        const Json back = value(server, "compare", {{"baseline", 1}, {"test", 0}});
        QCOMPARE(back["metrics"]["iter_time"]["difference"].get<double>(), -there);
        QCOMPARE(problem(server, "compare", {{"test", 0}}), u"baseline and test are both run 0"_s);
        QCOMPARE(
            value(server, "sql", {{"query", "select count(distinct run) as n from event"}})["rows"][0]["n"].get<int>(),
            2);
        value(server, "open", {{"path", path("a")}});
        const Json names = value(server, "sql", {{"query", "select count(distinct label) as n from run"}});
        QCOMPARE(names["rows"][0]["n"].get<int>(), 3); // the same path twice still has two names
    }

    void opensAPartOfARun() {
        StdioServer server{Options()};
        const Json whole = value(server, "open", {{"path", path("a")}});
        const int step = whole["iterations"][1].get<int>();
        const Json part = value(server, "open", {{"path", path("a")}, {"iterations", std::to_string(step)}});
        QCOMPARE(part["iterations"].dump(), '[' + std::to_string(step) + ']');
        QVERIFY(problem(server, "open", {{"path", path("a")}, {"iterations", "three"}}).contains(u"4-6,9"_s));
        QVERIFY(problem(server, "open", {{"path", path("a")}, {"time_range", "2s"}}).contains(u"BEGIN/END"_s));
        QVERIFY(problem(server, "open", {{"path", path("a")}, {"time_range", "2000s/"}}).contains(u"nothing"_s));
        QVERIFY(problem(server, "open", {{"path", "/nonexistent/run"}}).contains(u"/nonexistent/run"_s));
        QCOMPARE(value(server, "sql", {{"query", "select count(*) as n from run"}})["rows"][0]["n"].get<int>(), 2);
    }

    void explains() {
        StdioServer server{Options()};
        QVERIFY(!value(server, "explain", {{"topic", "iter_time"}})["definition"].get<std::string>().empty());
        QVERIFY(!value(server, "explain", {{"topic", "clocks_apart"}})["what_to_do"].get<std::string>().empty());
        QVERIFY(value(server, "explain", {{"topic", "tables"}})["tables"].contains("kernel"));
        QVERIFY(value(server, "explain", {{"topic", "metrics"}})["metrics"].contains("iter_time"));
        QVERIFY(problem(server, "explain", {{"topic", "nonsense"}}).contains(u"nonsense"_s));
        QCOMPARE(problem(server, "explain", {{"topic", "step"}}), u"no run is open: use open first"_s);
        value(server, "open", {{"path", path("a")}});
        const Json step = value(server, "explain", {{"topic", "step"}});
        QVERIFY(!step["critical_path"].empty());
        QVERIFY(step["waiting"].contains("charged"));
    }

    void saysWhichDumpIsMissing() {
        const QString dumps = QStringLiteral(RANKSCOPE_SHARED_DIR "/traces/flight_recorder");
        if (!QFileInfo::exists(dumps))
            QSKIP("skipped: no ../shared");
        StdioServer server{Options()};
        const QStringList runs = QDir(dumps).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(!runs.isEmpty());
        for (const QString& run : runs) {
            const QString folder = dumps + u'/' + run;
            const auto opened = value(server, "open", {{"path", folder.toStdString()}});
            QVERIFY(opened.is_object());
            const Json told = value(server, "findings", {{"run", opened["run"]}});
            QVERIFY2(told.contains("hang") && !told["hang"]["sentences"].empty(), qPrintable(run));
            QVERIFY(!value(server, "summary", {{"run", opened["run"]}})["hang"].empty());
        }
    }

    void wrongArgumentsAreAnswersOfTheTool() {
        StdioServer server{Options()};
        QVERIFY(problem(server, "open").startsWith(u"open needs path"_s));
        QCOMPARE(problem(server, "open", {{"path", 7}}), u"path has to be text"_s);
        QCOMPARE(problem(server, "open", {{"path", ""}}), u"path has to be text"_s);
        for (const Json& wrong : {Json(-1), Json(1e30), Json(0.5), Json("0"), Json(nullptr), Json::array({0})})
            QCOMPARE(problem(server, "summary", {{"run", wrong}}), u"run has to be the number of an open run"_s);
        QCOMPARE(problem(server, "summary", {{"rnu", 0}}), u"summary takes no argument \"rnu\"; it takes run"_s);
        value(server, "open", {{"path", path("a")}});
        QVERIFY(!value(server, "summary", {{"run", 0.0}}).is_null()); // 0.0 is the whole number 0
        QCOMPARE(problem(server, "summary", {{"run", std::uint64_t(-1)}}),
                 u"there is no run 18446744073709551615; the open runs are 0"_s);
    }

    void hostileMessagesGetAnErrorEach() {
        StdioServer server{Options()};
        const auto code = [&](std::string_view message) {
            const Json answer = Json::parse(server.answer_line(message).value_or("null"));
            return (answer.is_array() ? answer[0] : answer)["error"]["code"].get<int>(); // an array is a batch
        };
        const auto with = [](const std::string& rest) { return R"({"jsonrpc":"2.0","id":1,)" + rest + '}'; };
        QCOMPARE(code("no json"), -32700);
        QCOMPARE(code("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\""), -32700);
        QCOMPARE(code(""), -32700);
        QCOMPARE(code("[]"), -32600);
        QCOMPARE(code("7"), -32600);
        QCOMPARE(code("null"), -32600);
        QCOMPARE(code(R"({"jsonrpc":"2.0","id":1})"), -32600);
        QCOMPARE(code(R"({"id":1,"method":"ping"})"), -32600);
        QCOMPARE(code(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), -32600);
        QCOMPARE(code(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), -32600);
        QCOMPARE(code(R"({"jsonrpc":"2.0","id":[1],"method":"ping"})"), -32600);
        QCOMPARE(code(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), -32600);
        QCOMPARE(code(with(R"("method":7)")), -32600);
        QCOMPARE(code(with(R"("method":"no/such")")), -32601);
        QCOMPARE(code(with(R"("method":"resources/list")")), -32601);
        QCOMPARE(code(with(R"("method":"tools/call")")), -32602);
        QCOMPARE(code(with(R"("method":"tools/call","params":{"name":"rm"})")), -32602);
        QCOMPARE(code(with(R"("method":"tools/call","params":[1])")), -32602);
        // Deep nesting must not take the stack, wherever it stands; brackets in a text are none.
        const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
        QCOMPARE(code(deep), -32700);
        QCOMPARE(code(R"({"jsonrpc":"2.0","method":"ping","id":)" + deep + '}'), -32700);
        QCOMPARE(code(with(R"("method":"tools/call","params":{"name":)" + deep + '}')), -32700);
        QCOMPARE(code(with(R"("method":"ping","params":{"a":)" + deep + '}')), -32700);
        QCOMPARE(code(with(R"("method":"no/such","params":{"a":"\"\\)" + std::string(100, '[') + "\"}")), -32601);
        // text that is not UTF-8 is not JSON; the name of a method comes back as valid text
        QCOMPARE(code("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}"), -32700);
        QCOMPARE(code(with(R"("method":"\u0000\u202e")")), -32601);
    }

    void someMessagesWantNoAnswer() {
        StdioServer server{Options()};
        QVERIFY(!server.answer_line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
        QVERIFY(!server.answer_line(R"({"jsonrpc":"2.0","method":"notifications/no_such","params":{}})"));
        QVERIFY(!server.answer_line(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"open"}})"));
        QVERIFY(!server.answer_line(R"({"jsonrpc":"2.0","id":1,"result":{}})")); // an answer
        QVERIFY(!server.answer_line(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])"));
    }

    void aBatchIsAnsweredAsABatch() {
        StdioServer server{Options()};
        const Json answers = Json::parse(*server.answer_line(R"([{"jsonrpc":"2.0","id":"x","method":"ping"},
            {"jsonrpc":"2.0","method":"notifications/initialized"}, 7, {"jsonrpc":"2.0","id":2,"method":"no"}])"));
        QCOMPARE(answers.size(), std::size_t{3});
        QCOMPARE(answers[0]["id"].get<std::string>(), std::string("x"));
        QCOMPARE(answers[1]["error"]["code"].get<int>(), -32600);
        QCOMPARE(answers[2]["error"]["code"].get<int>(), -32601);
    }

    void whatWasStoppedIsNotAnswered() {
        StdioServer server{Options()};
        value(server, "open", {{"path", path("a")}});
        std::stop_source stop;
        stop.request_stop();
        const Json request{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"}, {"params", {{"name", "summary"}}}};
        QVERIFY(!server.answer(request, stop.get_token()));
        QVERIFY(value(server, "summary")["metrics"].contains("iter_time")); // nothing of it was kept
    }

    void overRealStreams() {
        QProcess process;
        start(process);
        process.write(request(1, "initialize") + "\n \r\nrubbish\n" + QByteArray(3 << 20, 'x') + '\n' +
                      request(2, "no/such").chopped(1)); // the last line has no end
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 0);
        const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        QList<int> codes; // errors of the reading thread may overtake answers
        for (const QByteArray& line : lines)
            codes << QJsonDocument::fromJson(line)[u"error"_s][u"code"_s].toInt();
        std::ranges::sort(codes);
        QCOMPARE(codes, (QList<int>{-32700, -32601, -32600, 0}));
        QCOMPARE(process.readAllStandardError(), QByteArray());
    }

    void aRequestCanBeCancelledAndAPingIsAnsweredMeanwhile() {
        QProcess process;
        start(process);
        process.write(tool_call(1, "open", "{\"path\":\"" + QByteArray::fromStdString(path("a")) + "\"}"));
        QVERIFY(line(process).contains("\"id\":1"));
        process.write(tool_call(2, "sql", "{\"query\":\"select count(*) from event a, event b, event c, event d\"}"));
        process.write(tool_call(3, "sql", "{\"query\":\"select 3\"}") +
                      tool_call(4, "sql", "{\"query\":\"select 4\"}"));
        process.write(request(5, "ping"));
        QVERIFY(line(process).contains("\"id\":5"));
        process.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}\n"
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}\n"
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n");
        QVERIFY(line(process).contains("\"id\":4"));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
    }

    /// Whoever closes stdin waits for the program, whatever that works on: a query without end, or one step of SQLite
    /// that takes minutes.
    void theEndOfStdinEndsIt_data() {
        QTest::addColumn<QByteArray>("query");
        QTest::newRow("without end") << QByteArray("select count(*) from event a, event b, event c, event d, event e");
        QTest::newRow("one step") << QByteArray("select count(*) from event where instr(replace(hex(zeroblob(490000)),"
                                                " '0', 'a'), replace(hex(zeroblob(240000)), '0', 'a') || id) > 0");
    }
    void theEndOfStdinEndsIt() {
        QFETCH(const QByteArray, query);
        QProcess process;
        start(process);
        process.write(tool_call(1, "open", "{\"path\":\"" + QByteArray::fromStdString(path("a")) + "\"}"));
        QVERIFY(line(process).contains("\"id\":1"));
        process.write(tool_call(2, "sql", "{\"query\":\"" + query + "\"}"));
        QVERIFY(process.waitForBytesWritten());
        process.closeWriteChannel();
        QElapsedTimer timer;
        timer.start();
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY2(timer.elapsed() < 10'000, "two seconds, and what a busy machine adds");
    }

    void aSignalEndsIt() {
        QProcess process;
        start(process);
        process.write(request(1, "ping"));
        QVERIFY(line(process).contains("\"id\":1"));
        process.terminate();
        QVERIFY(process.waitForFinished(10'000));
        QCOMPARE(process.exitCode(), 130);
    }

    void streamsThatAreClosed() {
        const auto shell = [](const QString& command) {
            QProcess bash;
            bash.start(u"bash"_s, {u"-c"_s, command, u"bash"_s, QStringLiteral(RANKSCOPE_PROGRAM)});
            return bash.waitForFinished(30'000) ? bash.exitCode() : -1;
        };
        const QString ping = u"'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\\n'"_s;
        QCOMPARE(shell(u"\"$1\" --serve-stdio <&-"_s), 0);
        QCOMPARE(shell(u"printf %1 | \"$1\" --serve-stdio >&- 2>/dev/null"_s.arg(ping)), 4);
        QCOMPARE(shell(u"printf %1 | \"$1\" --serve-stdio >/dev/full 2>/dev/null"_s.arg(ping)), 4);
        // nobody reads, and stdin stays open: it ends all the same
        QCOMPARE(shell(u"{ sleep 0.5; printf %1; sleep 3 & } | \"$1\" --serve-stdio 2>/dev/null | true; "
                       "exit ${PIPESTATUS[1]}"_s.arg(ping)),
                 4);
        QCOMPARE(test::run_program({u"--serve-stdio"_s, u"run"_s}).exit_code, 2);
        QCOMPARE(test::run_program({u"--serve-stdio"_s, u"--json"_s}).exit_code, 2);
    }

private:
    [[nodiscard]] std::string path(const char* run) const {
        return folder_.filePath(QString::fromLatin1(run)).toStdString();
    }
    static void start(QProcess& process) {
        process.start(QStringLiteral(RANKSCOPE_PROGRAM), {u"--serve-stdio"_s, u"--no-cache"_s});
    }
    static QByteArray line(QProcess& process) {
        QElapsedTimer timer;
        for (timer.start(); !process.canReadLine() && timer.elapsed() < 20'000;)
            process.waitForReadyRead(1'000);
        return process.readLine();
    }
    QTemporaryDir folder_;
};

RANKSCOPE_TEST(TestStdioServer)

} // namespace rankscope::stdio_server_test

#include "test_stdio_server.moc"
