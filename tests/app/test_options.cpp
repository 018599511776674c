// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: what it accepts, exactly, and what it refuses in one line.
#include <QProcess>
#include <QTest>

#include "app/command/options.h"
#include "app/command/options_values.h"
#include "tests/support/test_program.h"

namespace rankscope::options_test {

namespace {

Result<Options> parse(const QStringList& arguments) {
    std::vector<std::string> list;
    for (const QString& argument : arguments)
        list.push_back(argument.toStdString());
    return parse_options(list);
}

} // namespace

class TestOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsADurationToTheNanosecond_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns"); ///< -1: refused
        QTest::newRow("sum") << QStringLiteral("4s420ms") << qint64(4'420'000'000);
        QTest::newRow("decimals") << QStringLiteral("1.5s") << qint64(1'500'000'000);
        QTest::newRow("no digit before the point") << QStringLiteral(".25us") << qint64(250);
        QTest::newRow("microseconds") << QStringLiteral("12us") << qint64(12'000);
        QTest::newRow("their own sign") << QStringLiteral("12µs") << qint64(12'000);
        QTest::newRow("nanoseconds") << QStringLiteral("7ns") << qint64(7);
        QTest::newRow("zero needs no unit") << QStringLiteral("0") << qint64(0);
        QTest::newRow("no double can hold it")
            << QStringLiteral("1000000000.000000001s") << qint64(1'000'000'000'000'000'001);
        QTest::newRow("zeros finer than a nanosecond") << QStringLiteral("1.5000ns") << qint64(-1);
        QTest::newRow("harmless zeros") << QStringLiteral("2.00000ns") << qint64(2);
        QTest::newRow("finer than a nanosecond") << QStringLiteral("1.0005us") << qint64(-1);
        QTest::newRow("no unit") << QStringLiteral("5") << qint64(-1);
        QTest::newRow("unknown unit") << QStringLiteral("5min") << qint64(-1);
        QTest::newRow("negative") << QStringLiteral("-5s") << qint64(-1);
        QTest::newRow("too long") << QStringLiteral("99999999999s") << qint64(-1);
        QTest::newRow("only a unit") << QStringLiteral("ms") << qint64(-1);
        QTest::newRow("only a point") << QStringLiteral(".s") << qint64(-1);
    }
    void readsADurationToTheNanosecond() {
        QFETCH(QString, text);
        QFETCH(qint64, ns);
        QCOMPARE(qint64(parse_duration(text.toStdString()).value_or(-1)), ns);
    }

    void readsATimeRangeWithOpenEnds() {
        const auto both = parse_time_range("4s420ms/35s390ms");
        QVERIFY(both && both->begin == 4'420'000'000 && both->end == 35'390'000'000);
        QVERIFY(!both->from_session);
        const auto session = parse_time_range("@4s420ms/@5s");
        QVERIFY(session && session->from_session && session->begin == 4'420'000'000 && session->end == 5'000'000'000);
        QVERIFY(parse_time_range("@4s/") && parse_time_range("@4s/")->from_session);
        QVERIFY(parse_time_range("/@4s") && parse_time_range("/@4s")->from_session);
        const auto from = parse_time_range("1.5s/");
        QVERIFY(from && from->begin == 1'500'000'000 && !from->end);
        const auto to = parse_time_range("/200ms");
        QVERIFY(to && !to->begin && to->end == 200'000'000);
        for (const char* bad :
             {"/", "", "5s", "2s/1s", "1s/1s", "/0", "1s/x", "@1s/2s", "1s/@2s", "@/@", "@/", "@2s/@1s"})
            QVERIFY2(!parse_time_range(bad), bad);
    }

    void readsIterations() {
        using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;
        QCOMPARE(parse_iterations("4-6,9").value(), (Ranges{{4, 6}, {9, 9}}));
        QCOMPARE(parse_iterations("all").value(), Ranges{});
        for (const char* bad : {"", "4-", "-6", "6-4", "4,,6", "x", "4-6-8"})
            QVERIFY2(!parse_iterations(bad), bad);
    }

    void tellsWhatToDo() {
        using Action = Options::Action;
        QCOMPARE(parse({}).value().action, Action::window);
        QCOMPARE(parse({QStringLiteral("run")}).value().paths.size(), std::size_t(1));
        QCOMPARE(parse({QStringLiteral("--demo")}).value().demo, true);
        QCOMPARE(parse({QStringLiteral("--list-metrics"), QStringLiteral("--json")}).value().action,
                 Action::list_metrics);
        QCOMPARE(parse({QStringLiteral("-h")}).value().action, Action::help);
        const auto one = parse({QStringLiteral("--trace"), QStringLiteral("dir"), QStringLiteral("--metric"),
                                QStringLiteral("iter_time")});
        QVERIFY(one && one->action == Action::one_metric);
        QCOMPARE(one->metrics, std::vector<std::string>{"iter_time"});
        QCOMPARE(one->paths.front().string(), std::string("dir"));
    }

    void takesOptionsInEveryOrderAndSpelling() {
        const auto options =
            parse({QStringLiteral("base"), QStringLiteral("--output=out"), QStringLiteral("--batch"),
                   QStringLiteral("--gate"), QStringLiteral("iter_time<+3%"),
                   QStringLiteral("--gate=iter_time.avg_ms<=120"), QStringLiteral("--format"), QStringLiteral("csv"),
                   QStringLiteral("--jobs"), QStringLiteral("2"), QStringLiteral("--align"), QStringLiteral("none"),
                   QStringLiteral("--gpus-per-machine"), QStringLiteral("8"), QStringLiteral("--profile-mode=torch"),
                   QStringLiteral("--"), QStringLiteral("--odd-name")});
        QVERIFY2(options, options ? "" : english(options.error().message).c_str());
        QCOMPARE(options->action, Options::Action::batch);
        QCOMPARE(options->paths.size(), std::size_t(2));
        QCOMPARE(options->paths.back().string(), std::string("--odd-name"));
        QCOMPARE(options->gates.size(), std::size_t(2));
        QVERIFY(options->gates[0].against_baseline && options->gates[0].limit == 3.0);
        QCOMPARE(options->gates[1].field, std::string("avg_ms"));
        QCOMPARE(options->jobs, 2);
        QCOMPARE(options->align, Align::none);
        QCOMPARE(options->gpus_per_machine, 8);
        QVERIFY(options->write_csv && !options->write_json);
    }

    void theFirstWordIsTheCommand() {
        using Action = Options::Action;
        const auto of = [](const char* line) {
            const auto options = parse(QString::fromLatin1(line).split(QLatin1Char(' ')));
            if (!options)
                QTest::qFail(english(options.error().message).c_str(), line, 0);
            return options.value_or(Options());
        };
        QCOMPARE(of("report run").action, Action::batch);
        QVERIFY(of("study nightly --by name").study);
        QCOMPARE(of("query run --sql-file a.sql --sql 1 --sql-file b.sql").queries.size(), std::size_t(3));
        QCOMPARE(of("query run --sql-file a.sql --sql 1 --sql-file b.sql").queries[1].sql, std::string("1"));
        QCOMPARE(of("export run --output all.pftrace --ranks 0-3 --lanes gpu").export_trace->string(),
                 std::string("all.pftrace"));
        QCOMPARE(of("digest run --output d").digest->string(), std::string("d"));
        QVERIFY(of("gate a b --gate iter_time<+3%").only_gates);
        QCOMPARE(of("serve --jobs 2").action, Action::serve_stdio);
        QCOMPARE(of("report --help").action, Action::help);
        QCOMPARE(of("report --help").help_of, std::string_view("report"));
        QCOMPARE(of("help compare").help_of, std::string_view("compare"));
        QCOMPARE(of("help").help_of, std::string_view());
        // Only the first word: a run may be called so.
        QCOMPARE(of("compare report study").paths.size(), std::size_t(2));
        QCOMPARE(of("run report").action, Action::window);
        QCOMPARE(of("./report").action, Action::window);
        QCOMPARE(of("--batch report").paths.size(), std::size_t(1));
        QCOMPARE(of("report -- --odd --").paths.back().string(), std::string("--"));
        QCOMPARE(of("report [a,b]").paths.front().string(), std::string("[a,b]"));
    }

    void withoutAWindowBatchMayBeLeftOut() {
        const auto of = [](const std::vector<std::string>& arguments) { return parse_options_of_batch(arguments, {}); };
        QCOMPARE(of({"run"})->action, Options::Action::batch);
        QCOMPARE(of({"run", "--json"})->action, Options::Action::batch);
        QCOMPARE(of({"compare", "a", "b"})->paths.size(), std::size_t(2));
        // What is wrong with a command is told, and its word is not taken for a run.
        const auto wrong = of({"gate", "a", "b", "--gate", "step_time<+3%", "--full"});
        QVERIFY(!wrong && english(wrong.error().message).find("--full") != std::string::npos);
        QVERIFY(!of({"gate", "a", "--gate", "step_time<+3%"}));
        QVERIFY(!of({"run", "--bogus"}));
    }

    void everyExampleIsAccepted() {
        for (const CommandHelp& command : command_help())
            for (const QString& line : QString::fromUtf8(command.examples.data(), qsizetype(command.examples.size()))
                                           .split(QLatin1Char('\n'))) {
                const QStringList words =
                    QProcess::splitCommand(QString(line).replace(QLatin1Char('\''), QLatin1Char('"')));
                QCOMPARE(words.front(), QStringLiteral("rankscope"));
                const auto options = parse(words.mid(1));
                QVERIFY2(options,
                         options ? "" : qPrintable(line + QString::fromStdString(english(options.error().message))));
            }
    }

    void refusesInOneLine_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto refused = [](const char* arguments, const char* says) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments).split(QLatin1Char(' '))
                                     << QString::fromLatin1(says);
        };
        refused("--nonsense", "unknown option --nonsense; see rankscope --help");
        refused("--bacth run", "unknown option --bacth; did you mean --batch?");
        refused("---batch run", "unknown option ---batch");
        refused("repotr run", "unknown command repotr, and no file or folder is called so; did you mean report?");
        refused("help repotr", "there are report, compare, query");
        refused("report", "report needs a run: rankscope report RUN...");
        refused("compare one", "compare needs two runs or more");
        refused("study run --gate iter_time<5", "study takes no --gate; see rankscope help study");
        refused("study run --rankby x", "unknown option --rankby; did you mean --rank-by?");
        refused("query run", "needs --sql QUERY");
        refused("export run", "needs --output FILE");
        refused("export run --output run.txt", "--output run.txt: the name ends in .json");
        refused("digest run", "needs --output DIR");
        refused("digest a b --output d", "no more runs");
        refused("gate run", "needs --gate EXPR");
        refused("serve run", "serve takes no PATH");
        refused("report run --batch", "report takes no --batch");
        refused("--batch run --output=", "needs a value");
        refused("run --export-ranks 0", "--export-ranks needs --export-trace");
        refused("--study run --sql x", "--study does not go with --sql");
        refused("--batch", "--batch needs a run");
        refused("--batch run --demo", "--demo takes no PATH");
        refused("--batch run --metrics", "needs a value");
        refused("--batch run --metrics --json", "needs a value");
        refused("--batch run --metrics iter_tim", "nearest: iter_time");
        refused("--batch run --json=yes", "takes no value");
        refused("--batch run --jobs 0", "expected a number of threads");
        refused("--batch run --jobs 2 --jobs 3", "given twice");
        refused("--batch run --time-range 5s", "expected BEGIN/END");
        refused("--batch run --html-timeline @1s/@2s", "@ is for --time-range");
        refused("--batch run --iterations 6-4", "expected all, or step numbers");
        refused("--batch run --kernel-filter (", "not a regular expression");
        refused("--batch run --align by_hand", "expected auto, none or collectives");
        refused("--batch run --gpus-per-machine 0", "expected a number of GPUs, 1 to 4096");
        refused("--batch run --gpus-per-machine 8.5", "expected a number of GPUs, 1 to 4096");
        refused("--batch run --format csv", "--format needs --output");
        refused("--batch run --output out --format doc", "unknown format");
        refused("--batch run --gate iter_time", "not of the form");
        refused("--batch run --gate iter_time<fast", "not of the form");
        refused("--batch run --gate no_such<5", "unknown metric");
        refused("--batch run --gate iter_time<+3%", "give BASELINE and TEST");
        refused("--batch run --quiet --verbose", "exclude each other");
        refused("--json run", "--json needs --batch");
        refused("--output out run", "--output needs --batch");
        refused("--trace dir", "belong together");
        refused("--metric iter_time", "belong together");
        refused("--batch --trace dir --metric iter_time", "not --batch");
        // Later versions have these; until then nobody may believe that they took effect.
        refused("--batch run --what-if overlap=some", "overlap=perfect");
        refused("run --what-if comm=0", "--what-if needs --batch");
        refused("--digest dir run", "--digest needs --batch");
        refused("--batch a b --digest dir", "one run");
        refused("--batch run --digest dir --output out", "only digests");
        refused("--trace run --metric mfu --digest dir", "only digests");
        for (const char* size : {"4", "G", "1K", "-1G", "4Gb", "1.2345G", "99999999999999999999G"})
            refused(qPrintable(QStringLiteral("--batch run --memory %1").arg(QLatin1String(size))), "expected a size");
        refused("--batch run --profile-mode rocprof",
                "expected auto, torch, nsys, nsys-stats, execution-trace, flight-recorder, xplane, rocpd, "
                "inspector, operations or memory-snapshot");
        refused("--batch a b --profile-mode torch,nsys,auto", "one for each");
    }
    void refusesInOneLine() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto options = parse(arguments);
        QVERIFY(!options);
        QCOMPARE(options.error().code, Error::Code::usage);
        const QString message = QString::fromStdString(english(options.error().message));
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY2(!message.contains(QLatin1Char('\n')), qPrintable(message));
    }
};

RANKSCOPE_GUI_TEST(TestOptions)

} // namespace rankscope::options_test

#include "test_options.moc"
