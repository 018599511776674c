// SPDX-License-Identifier: GPL-3.0-or-later
// --serve-stdio: messages of the Model Context Protocol, hostile ones among them, and the program with real streams.
#include <fstream>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "app/command/stdio_answers.h"
#include "app/command/stdio_server.h"
#include "core/analysis/findings/finding_kinds.h"
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

constexpr std::size_t kMostOfAQuestion = 16'000; ///< bytes: 4 000 tokens

/// The tool's result; null where it has a problem, which is printed.
Json value(StdioServer& server, const std::string& tool, const Json& arguments = Json::object()) {
    const Json result = call(server, tool, arguments);
    if (result["isError"].get<bool>()) {
        qWarning("%s", result["content"][0]["text"].get<std::string>().c_str());
        return {};
    }
    return Json::parse(result["content"][0]["text"].get<std::string>());
}

bool has(const Json& value, const std::string& text) { return value.dump().find(text) != std::string::npos; }

/// A cell of a table: columns and rows.
Json cell(const Json& table, const std::string& column, std::size_t row = 0) {
    const auto& columns = table["columns"];
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? Json() : table["rows"][row][static_cast<std::size_t>(found - columns.begin())];
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
        QCOMPARE(names.join(u' '),
                 u"open summary findings why around what_if compare sql metric explain study list_runs close"_s);
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
        QVERIFY(summary["metrics"].contains("mfu") != has(summary["not_available"], "\"mfu\""));
        const Json metric = value(server, "metric", {{"name", "iter_time"}, {"run", 0}});
        QCOMPARE(metric["value"].get<double>(), summary["metrics"]["iter_time"]["value"].get<double>());
        QVERIFY(metric["details"].is_object() && !metric["details"].empty());
        QVERIFY(problem(server, "metric", {{"name", "iter_tme"}}).contains(u"iter_time"_s));
        const Json sql = value(server, "sql", {{"query", "select rank, count(*) as n from event group by rank"}});
        QCOMPARE(sql["rows"].size(), std::size_t{2});
        QCOMPARE(cell(sql, "n").get<int>() + cell(sql, "n", 1).get<int>(), opened["events"].get<int>());
        QCOMPARE(sql["more_rows"].get<bool>(), false);
        const Json many = value(server, "sql", {{"query", "select id from event"}});
        QVERIFY(many.dump().size() <= 8'000);
        // Page by page all of them, each once.
        std::vector<int> ids;
        for (std::size_t page = 0; page < many["pages"].get<std::size_t>(); ++page) {
            const Json part = value(server, "sql", {{"query", "select id from event"}, {"page", page}});
            QVERIFY(part.dump().size() <= 8'000);
            for (const Json& row : part["rows"])
                ids.push_back(row[0].get<int>());
        }
        QCOMPARE(ids.size(), opened["events"].get<std::size_t>());
        for (std::size_t i = 0; i < ids.size(); ++i)
            QCOMPARE(ids[i], static_cast<int>(i));
        QVERIFY(problem(server, "sql", {{"query", "select 1"}, {"page", 1}}).contains(u"no page 1"_s));
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
        QVERIFY(told.dump().size() <= 8'000);
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
            value(server, "sql", {{"query", "select count(distinct run) as n from event"}})["rows"][0][0].get<int>(),
            2);
        value(server, "open", {{"path", path("a")}});
        const Json names = value(server, "sql", {{"query", "select count(distinct label) as n from run"}});
        QCOMPARE(names["rows"][0][0].get<int>(), 3); // the same path twice still has two names
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
        QCOMPARE(value(server, "sql", {{"query", "select count(*) as n from run"}})["rows"][0][0].get<int>(), 2);
    }

    void explains() {
        StdioServer server{Options()};
        QVERIFY(!value(server, "explain", {{"topic", "iter_time"}})["definition"].get<std::string>().empty());
        QVERIFY(!value(server, "explain", {{"topic", "clocks_apart"}})["what_to_do"].get<std::string>().empty());
        QVERIFY(has(value(server, "explain", {{"topic", "kernel"}}), "launch_delay_ns"));
        QVERIFY(has(value(server, "explain", {{"topic", "metrics"}}), "iter_time"));
        QCOMPARE(value(server, "explain", {{"topic", "waiting"}})["table"].get<std::string>(), std::string("waiting"));
        QCOMPARE(in_words_of_tools("unknown metric \"x\"; see rankscope --list-metrics"),
                 std::string("unknown metric \"x\"; explain with topic \"metrics\" lists them"));
        QCOMPARE(in_words_of_tools("; --profile-mode nsys opens them"),
                 std::string("; open with profile_mode nsys opens them"));
        for (const std::string_view code : kFindingCodes) {
            const Json kinds = value(server, "explain", {{"topic", code}})["kinds"];
            QVERIFY2(!kinds.empty() && !kinds[0]["meaning"].get<std::string>().empty(), code.data());
            QVERIFY2(!has(kinds, "--"), code.data()); // an assistant has tools, and no command line
        }
        QVERIFY(problem(server, "explain", {{"topic", "nonsense"}}).contains(u"nonsense"_s));
        QCOMPARE(problem(server, "explain", {{"topic", "step"}}), u"no run is open: use open first"_s);
        value(server, "open", {{"path", path("a")}});
        const Json step = value(server, "explain", {{"topic", "step"}});
        QVERIFY(!step["critical_path"].empty());
        QVERIFY(step["waiting"].contains("charged"));
        const auto number = step["critical_path"][1]["step"].get<int>();
        const Json one = value(server, "explain", {{"topic", "step " + std::to_string(number)}});
        QCOMPARE(one["critical_path"].size(), std::size_t{1});
        QCOMPARE(one["critical_path"][0], step["critical_path"][1]);
        QVERIFY(problem(server, "explain", {{"topic", "step 777"}}).contains(u"no critical path of step \"777\""_s));
    }

    /// The step of the slow rank, by numbers that SQL has as well.
    void saysWhyAStepIsLong() {
        SimulatorOptions options;
        options.dp = 4;
        options.slow = {1, 1.6};
        StdioServer server{Options()};
        QVERIFY(write_run(options, path("slow")));
        value(server, "open", {{"path", path("slow")}});
        const Json why = value(server, "why");
        QCOMPARE(why["rank"].get<int>(), 1);
        const std::string here = " from waiting where for_rank = 1 and step = " + why["step"].dump();
        const Json waited = value(server, "sql", {{"query", "select sum(wait_ns)" + here}});
        std::int64_t told = 0;
        for (std::size_t i = 0; i < why["others_wait_for_it"]["rows"].size(); ++i)
            told += cell(why["others_wait_for_it"], "wait_ns", i).get<std::int64_t>();
        QCOMPARE(told, waited["rows"][0][0].get<std::int64_t>());
        QVERIFY(cell(why["rank_against_peers"], "computation_ns").get<double>() >
                1.3 * cell(why["rank_against_peers"], "computation_ns", 1).get<double>());
        QVERIFY(!why["findings"]["rows"].empty());
        const Json event = cell(why["critical_path"], "event");
        const Json around = value(server, "around", {{"event", event}});
        QCOMPARE(cell(around["event"], "id"), event);
        QVERIFY(!around["before_it"]["rows"].empty() || !around["after_it"]["rows"].empty());
        QVERIFY(problem(server, "around", {{"event", 999'999'999}}).contains(u"no event"_s));
        QVERIFY(problem(server, "why", {{"step", 777}}).contains(u"there is no step 777; there are"_s));
        QVERIFY(problem(server, "why", {{"rank", 9}}).contains(u"there is no rank 9"_s));
        const Json predicted = value(server, "what_if", {{"changes", "straggler=median, comm=0"}})["predictions"];
        QCOMPARE(predicted.size(), std::size_t{3}); // each alone, and both
        QVERIFY(predicted[0]["predicted_us"].get<double>() < predicted[0]["measured_us"].get<double>());
        QVERIFY(problem(server, "what_if", {{"changes", "magic=1"}}).contains(u"magic"_s));
    }

    void listsRunsAndForgetsThem() {
        StdioServer server{Options()};
        const std::string folder = folder_.path().toStdString();
        std::ofstream(folder + "/a.truth.json") << "{\"step_us\": 1}"; // no trace: its folder is no run
        const Json listed = value(server, "list_runs", {{"folder", folder}});
        QVERIFY(listed["rows"].size() >= 2);
        QVERIFY(has(listed, path("a")));
        const Json study = value(server, "study", {{"folder", folder}, {"by", "name"}, {"metrics", "step_time"}});
        QCOMPARE(study["rows"].size(), listed["rows"].size());
        QVERIFY(cell(study, "step_time (ms)").get<double>() > 0);
        QVERIFY(problem(server, "study", {{"folder", folder}, {"by", "weather"}}).startsWith(u"by weather"_s));
        value(server, "open", {{"path", path("a")}});
        value(server, "open", {{"path", path("b")}});
        const Json left = value(server, "close", {{"run", 0}});
        QCOMPARE(left["open"].size(), std::size_t{1});
        QCOMPARE(left["open"][0]["name"].get<std::string>(), std::string("b"));
        QCOMPARE(value(server, "summary")["name"].get<std::string>(), std::string("b"));
        value(server, "close");
        QCOMPARE(problem(server, "summary"), u"no run is open: use open first"_s);
    }

    void opensTheDemo() {
        StdioServer server{Options()};
        const Json opened = value(server, "open", {{"path", "demo"}});
        QCOMPARE(opened["path"].get<std::string>(), std::string("demo/baseline"));
        QCOMPARE(opened["link"].get<std::string>(), std::string("rankscope --demo"));
        QCOMPARE(opened["also_open"][0]["run"].get<int>(), 1);
        QVERIFY(!value(server, "compare")["changes"]["sentences"].empty());
    }

    void anAssistantsDialogue_data() {
        QTest::addColumn<QString>("which");
        for (const char* which : {"rccl_demo/37cu_384threads", "dlrm_v100_8rank"})
            QTest::newRow(which) << which;
    }
    /// Eight questions, each answered within three calls and 4 000 tokens.
    void anAssistantsDialogue() {
        QFETCH(const QString, which);
        const std::string run = std::string(RANKSCOPE_SHARED_DIR "/traces/") + which.toStdString();
        if (!QFileInfo::exists(QString::fromStdString(run)))
            QSKIP("skipped: no ../shared");
        StdioServer server{Options()};
        std::size_t bytes = 0;
        std::size_t calls = 0;
        const auto ask_tool = [&](const std::string& tool, const Json& arguments = Json::object()) {
            const Json result = call(server, tool, arguments);
            bytes += result.dump().size();
            ++calls;
            if (result["isError"].get<bool>())
                qWarning("%s: %s", tool.c_str(), result["content"][0]["text"].get<std::string>().c_str());
            return Json::parse(result["content"][0]["text"].get<std::string>(), nullptr, false);
        };
        const auto answered = [&](const char* question, bool holds) {
            const bool fine = holds && calls <= 3 && bytes <= kMostOfAQuestion;
            if (!fine)
                qWarning("%s: %zu calls, %zu bytes", question, calls, bytes);
            qInfo("%s: %zu calls, %zu bytes", question, calls, bytes);
            calls = bytes = 0;
            return fine;
        };
        QVERIFY(answered("What is in this recording?", ask_tool("open", {{"path", run}})["ranks"].size() == 8));
        const Json summary = ask_tool("summary");
        QVERIFY(answered("How long is a step, and what fills it?",
                         summary["step_time_us"].get<double>() > 0 && !summary["facts"].empty()));
        const Json findings = ask_tool("findings")["findings"];
        QVERIFY(answered("What costs most, and what can be done?",
                         !findings.empty() && !ask_tool("explain", {{"topic", findings[0]["code"]}})["kinds"].empty()));
        const Json why = ask_tool("why");
        std::size_t row = 0; // the longest piece that is an event
        while (cell(why["critical_path"], "event", row).is_null())
            ++row;
        QVERIFY(answered("Why is the longest step long, and who is waited for?",
                         why["rank"].is_number() && !why["others_wait_for_it"]["rows"].empty()));
        QVERIFY(answered(
            "What is on its critical path, and what runs around it?",
            !ask_tool("around", {{"event", cell(why["critical_path"], "event", row)}})["event"]["rows"].empty()));
        QVERIFY(
            answered("Which kernels take the time?",
                     ask_tool("sql", {{"query", "select name, count(*) as calls, sum(dur_ns) as ns from kernel group "
                                                "by name order by ns desc limit 10"}})["rows"]
                             .size() == 10));
        QVERIFY(answered("What would faster communication save?",
                         ask_tool("what_if", {{"changes", "comm=2x"}})["predictions"][0].contains("predicted_us")));
        const Json overlap = ask_tool("metric", {{"name", "comm_comp_overlap"}});
        QVERIFY(answered("How much communication is hidden?",
                         overlap["available"].get<bool>() && !overlap["definition"].empty()));
        QVERIFY(ask_tool("sql", {{"query", "select * from event"}}).dump().size() <= 8'000);
        QVERIFY(ask_tool("explain", {{"topic", "tables"}}).dump().size() <= 8'000);
        QVERIFY(ask_tool("explain", {{"topic", "step"}}).dump().size() <= 8'000);
        QVERIFY(ask_tool("metric", {{"name", "straggler_lag"}}).dump().size() <= 8'000);
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
