// SPDX-License-Identifier: GPL-3.0-or-later
// The bounds of all files that are no traces: what is within them is read as before, what is beyond is refused before
// anything is made of it.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <yaml-cpp/yaml.h>

#include "core/input/find/bounded_config.h"
#include "core/input/find/run_config.h"
#include "core/metrics/user_metrics.h"
#include "tests/support/test_program.h"

namespace rankscope::bounded_config_test {

namespace fs = std::filesystem;

namespace {

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string yaml_answer(const std::string& text, const ConfigBounds& bounds = {}) {
    const auto tree = load_bounded_yaml(text, bounds);
    return tree ? "read" : english(tree.error().message);
}

} // namespace

class TestBoundedConfig : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path file(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

private Q_SLOTS:
    void onlyRegularFilesOfTheirSizeAreRead() {
        std::ofstream(file("exact")) << std::string(1000, 'x');
        QCOMPARE(read_bounded_file(file("exact"), 1000).value(), std::string(1000, 'x'));
        QCOMPARE(english(read_bounded_file(file("exact"), 999).error().message),
                 std::string("larger than 0 KB: not read"));
        QVERIFY(english(read_bounded_file(file("missing")).error().message).starts_with("cannot be read: "));
        QCOMPARE(::mkfifo(file("fifo").c_str(), 0600), 0); // nobody will ever write to it
        for (const fs::path& path : {file("fifo"), fs::path("/dev/zero"), fs::path(folder_.path().toStdString())})
            QCOMPARE(english(read_bounded_file(path).error().message), std::string("not read: it is no regular file"));
        fs::create_symlink("exact", file("link"));
        QCOMPARE(read_bounded_file(file("link")).value().size(), std::size_t{1000});
    }

    void yamlKeepsToItsBounds() {
        ConfigBounds bounds;
        bounds.nodes = 10;
        bounds.depth = 3;
        bounds.bytes = 1000;
        const auto answer = [&](const std::string& text) { return yaml_answer(text, bounds); };
        QCOMPARE(answer("a: [1, 2, 3]"), std::string("read"));
        QCOMPARE(answer("[1, 2, 3, 4, 5, 6, 7, 8, 9]"), std::string("read")); // the list is the tenth
        QCOMPARE(answer("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"), std::string("more than 10 values"));
        QCOMPARE(answer("[[[1]]]"), std::string("read"));
        QCOMPARE(answer("[[[[1]]]]"), std::string("deeper than 3 levels"));
        // Written out, aliases count as what they stand for.
        QCOMPARE(answer("{a: &a [1, 2], b: *a}"), std::string("read"));
        QCOMPARE(answer("{a: &a [1, 2], b: [*a, *a]}"), std::string("more than 10 values"));
        QCOMPARE(answer("{a: &a [[1]], b: *a}"), std::string("read"));
        QCOMPARE(answer("{a: &a [[1]], b: [*a]}"), std::string("deeper than 3 levels"));
        QCOMPARE(answer("&a [*a]"), std::string("an alias inside of what it stands for"));
        QCOMPARE(answer(std::string(1001, 'x')), std::string("larger than 0 KB"));
        QCOMPARE(answer("[&a " + std::string(900, 'x') + ", *a, *a, *a]"), std::string("read"));
        QCOMPARE(answer("[&a " + std::string(900, 'x') + ", *a, *a, *a, *a]"),
                 std::string("more than 3 KB with its aliases written out"));
        QVERIFY_EXCEPTION_THROWN(yaml_answer("a: [1"), YAML::Exception);
    }

    void tomlKeepsToItsBounds_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("refused");
        const auto row = [](const char* name, const std::string& text, bool refused) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << refused;
        };
        const std::string deep = repeated("a.", 33) + "a = 1\n";
        row("as deep as may be", repeated("a.", 32) + "a = 1\n", false);
        row("deeper", deep, true);
        row("header", "[" + repeated("a.", 33) + "a]\n", true);
        row("quoted", repeated("\"a\" . ", 33) + "a = 1\n", true);
        row("a quoted name with dots", "\"" + deep.substr(0, 60) + "\" = 1\n", false);
        row("dots in a comment", "# " + deep, false);
        row("dots in a text", "a = \"" + deep.substr(0, 60) + "\"\n", false);
        row("dots in a long text", "a = \"\"\"\n" + deep + "\"\"\"\n", false);
        row("behind a comment", "a = 1 # \"\n" + deep, true);
        row("behind texts", "a = \"\\\"\"\nb = '\\'\nc = \"\"\"\\\"\"\"\"\nd = ''''x'''\n" + deep, true);
        row("behind empty texts", "a = \"\"\nb = ''\nc = \"\"\"\"\"\"\n" + deep, true);
        row("a number with a dot", repeated("x = 1.5\n", 100), false);
        row("lists", "a = " + repeated("[", 33) + repeated("]", 33), true);
        row("lists within", "a = " + repeated("[", 32) + repeated("]", 32), false);
        row("one after the other", "a = [" + repeated("[1.5], ", 100) + "]\n", false);
        row("many values", "a = [" + repeated("1, ", 20'001) + "]\n", true);
    }
    void tomlKeepsToItsBounds() {
        QFETCH(QByteArray, text);
        QFETCH(bool, refused);
        QCOMPARE(!toml_excess(text.toStdString()).empty(), refused);
        Notices notices;
        parse_train_config(text.toStdString(), "toml", notices);
        QCOMPARE(std::ranges::count(notices, "config_too_large", &Notice::code), refused ? 1 : 0);
    }

    void jsonKeepsToItsBounds() {
        ConfigBounds bounds;
        bounds.nodes = 5;
        bounds.depth = 2;
        QVERIFY(parse_bounded_json("{\"a\": [1, 2, 3]}", bounds).value().is_object());
        QCOMPARE(english(parse_bounded_json("{\"a\": [1, 2, 3, 4]}", bounds).error().message),
                 std::string("more than 5 values"));
        QCOMPARE(english(parse_bounded_json("[[[1]]]", bounds).error().message), std::string("deeper than 2 levels"));
        QVERIFY(parse_bounded_json("{\"a\": ", bounds).value().is_discarded());
        QVERIFY(!parse_bounded_json(repeated("[", 500'000)));
    }

    void numbersAsPythonWritesThem() {
        const auto read = [](const std::string& text) { return parse_bounded_json(text).value().dump(); };
        QCOMPARE(read(R"([NaN, Infinity, -Infinity, -1, 1e-5, true])"),
                 std::string(R"([null,"inf","-inf",-1,1e-05,true])"));
        // In strings, also behind an escaped quotation mark or an escaped backslash, they are text.
        QCOMPARE(read("{\"a \\\" NaN\": \"NaN\\\\\", \"b\": NaN}"),
                 std::string("{\"a \\\" NaN\":\"NaN\\\\\",\"b\":null}"));
        for (const char* broken : {"[NaNs]", "[xNaN]", "[InfinityInfinity]", "[--Infinity]", "[NaN", "Infinity -"})
            QVERIFY2(parse_bounded_json(broken).value().is_discarded(), broken);
        // Where a block of the file ends in the word, too.
        for (const std::size_t blanks : {16'380, 16'381, 16'382, 16'383, 16'384}) {
            const std::string text = "[" + std::string(blanks, ' ') + "NaN, \"NaN\", 1]";
            QCOMPARE(read(text), std::string(R"([null,"NaN",1])"));
        }
    }

    /// A gating log is read as it goes by; what counts is what counted when it was read as a tree.
    void gatingLogsAreReadWithoutATree() {
        const fs::path run = file("run");
        fs::create_directory(run);
        const auto loads = [&](const char* text) {
            std::ofstream(run / "gate_logs_0.json") << text;
            Run read;
            read_run_config(run, read);
            return read.expert_loads.empty() ? std::vector<std::vector<double>>() : read.expert_loads[0].per_step;
        };
        using Steps = std::vector<std::vector<double>>;
        QCOMPARE(loads("{\"a\": [[7]], \"expert_loads\": [[1, 2.5], [-1, 0], [3]], \"b\": [[8]]}"),
                 (Steps{{1, 2.5}, {3}}));
        QCOMPARE(loads("{\"expert_loads\": [[1, null], [\"x\"], [[2]], [{\"a\": 3}], [4, 5], 6]}"), (Steps{{4, 5}}));
        QCOMPARE(loads("{\"a\": {\"expert_loads\": [[1]]}}"), Steps());
        QCOMPARE(loads("{\"expert_loads\": {\"a\": [1]}}"), Steps());
        QCOMPARE(loads("[\"expert_loads\", [[1]]]"), Steps());
        QCOMPARE(loads("{\"expert_loads\": [[1]"), Steps());
    }

    void theUsersMetricsSayWhatIsTooMuch() {
        const auto answer = parse_user_metrics("metrics: &a [*a]\n", "m.yaml");
        QVERIFY(!answer);
        QCOMPARE(english(answer.error().message), std::string("m.yaml:1: an alias inside of what it stands for"));
    }
};

RANKSCOPE_TEST(TestBoundedConfig)

} // namespace rankscope::bounded_config_test

#include "test_bounded_config.moc"
