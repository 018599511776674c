// SPDX-License-Identifier: GPL-3.0-or-later
// The man page and the completions: they know every option that --help knows, no other, and the shells understand them.
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/command/option_pages.h"
#include "app/command/options.h"
#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::option_pages_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

QSet<QString> options_in(const QString& text, const QString& before) {
    QSet<QString> found;
    auto matches = QRegularExpression(before + u"([a-z][a-z-]+)"_s).globalMatch(text);
    while (matches.hasNext())
        found << matches.next().captured(1);
    return found;
}

QSet<QString> options_in_help() {
    QSet<QString> found;
    std::string text = help_text();
    for (const CommandHelp& command : command_help())
        text += help_text(command.word);
    for (const QString& line : QString::fromStdString(text).split(QLatin1Char('\n')))
        if (line.startsWith(u"  --"_s))
            found << line.mid(4).section(QLatin1Char(' '), 0, 0);
    return found;
}

/// What a shell prints; nothing when it fails.
QByteArray output_of(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(30000) && process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

class TestOptionPages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anOptionAndWhatItDoesStandApart() {
        for (const OptionHelp& option : option_help())
            QVERIFY2(help_text().find(" " + std::string(option.help)) != std::string::npos,
                     std::string(option.name).c_str());
    }

private:
    QTemporaryDir folder_;

    QString written(const char* name, const std::string& text) {
        const QString path = folder_.filePath(QLatin1String(name));
        write_file(path, QByteArray::fromStdString(text));
        return path;
    }

private Q_SLOTS:
    void everyPageKnowsTheOptionsOfHelpAndNoOther() {
        const QSet<QString> wanted = options_in_help();
        QVERIFY(wanted.size() > 15);
        const QString page = QString::fromStdString(man_page("@COMMANDS@\n@OPTIONS@\n")).replace(u"\\-"_s, u"-"_s);
        QCOMPARE(options_in(page, u"\\.B --"_s), wanted);
        const QString bash = QString::fromStdString(bash_completion());
        QCOMPARE(options_in(bash.section(u"names='"_s, 1).remove(u"--option=value"_s), u"--"_s), wanted);
        QCOMPARE(options_in(QString::fromStdString(zsh_completion()), u"\n    '\\*?--"_s), wanted);
        QCOMPARE(options_in(QString::fromStdString(fish_completion()), u"complete -c rankscope -l "_s), wanted);
    }

    void aLineOfTheManPageNeverBecomesARequest() {
        const std::string page = man_page("@COMMANDS@\n@OPTIONS@\n@METRICS@\n");
        for (const QByteArray& line : QByteArray::fromStdString(page).split('\n'))
            if (line.startsWith('.') || line.startsWith('\''))
                QVERIFY2(line.startsWith(".TP") || line.startsWith(".B ") || line == ".RS" || line == ".RE",
                         line.constData());
    }

    void troffHasNothingToComplainAbout() {
        if (QStandardPaths::findExecutable(u"groff"_s).isEmpty())
            QSKIP("skipped: no groff");
        const QString page = written(
            "rankscope.1",
            man_page(read_file(QStringLiteral(RANKSCOPE_SOURCE_DIR "/packaging/rankscope.1.in")).toStdString()));
        QProcess groff;
        groff.start(u"groff"_s, {u"-man"_s, u"-Tascii"_s, u"-ww"_s, u"-z"_s, page});
        QVERIFY(groff.waitForFinished(30000));
        QCOMPARE(groff.readAllStandardError(), QByteArray());
        QCOMPARE(groff.exitCode(), 0);
    }

    void bashCompletes_data() {
        QTest::addColumn<QString>("words"); // as bash cuts them; the last one is completed
        QTest::addColumn<QStringList>("offered");
        QTest::newRow("option") << "rankscope --profile" << QStringList{u"--profile-mode"_s};
        QTest::newRow("command") << "rankscope rep" << QStringList{u"report"_s};
        QTest::newRow("option of a command") << "rankscope export run --ra" << QStringList{u"--ranks"_s};
        QTest::newRow("of no other") << "rankscope digest run --ga" << QStringList{};
        QTest::newRow("word") << "rankscope --batch --profile-mode n" << QStringList{u"nsys"_s, u"nsys-stats"_s};
        QTest::newRow("after =") << "rankscope --batch --align = c" << QStringList{u"collectives"_s};
        QTest::newRow("= alone") << "rankscope --batch --align ="
                                 << QStringList{u"auto"_s, u"none"_s, u"collectives"_s};
        QTest::newRow("list") << "rankscope --format csv,x" << QStringList{u"csv,xlsx"_s};
        QTest::newRow("metric") << "rankscope --metrics straggler_lag,iter"
                                << QStringList{u"straggler_lag,iter_time"_s};
        QTest::newRow("folder") << "rankscope --output /us" << QStringList{u"/usr"_s};
        QTest::newRow("free value") << "rankscope --gate --" << QStringList{};
        QTest::newRow("path") << "rankscope --batch /us" << QStringList{u"/usr"_s};
    }
    void bashCompletes() {
        QFETCH(const QString, words);
        QFETCH(const QStringList, offered);
        if (QStandardPaths::findExecutable(u"bash"_s).isEmpty())
            QSKIP("skipped: no bash");
        const QString script = written("rankscope.bash", bash_completion());
        const QByteArray out = output_of(
            u"bash"_s,
            {u"-c"_s,
             u"source %1; COMP_WORDS=(%2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rankscope; printf '%s\\n' \"${COMPREPLY[@]}\""_s
                 .arg(script, words)});
        QCOMPARE(QString::fromUtf8(out).split(QLatin1Char('\n'), Qt::SkipEmptyParts), offered);
    }

    void fishCompletes() {
        if (QStandardPaths::findExecutable(u"fish"_s).isEmpty())
            QSKIP("skipped: no fish");
        const QString script = written("rankscope.fish", fish_completion());
        const auto offered = [&](const QString& line) {
            return output_of(u"fish"_s, {u"--no-config"_s, u"-c"_s, u"source %1; complete -C'%2'"_s.arg(script, line)});
        };
        QVERIFY(offered(u"rankscope --align c"_s).startsWith("collectives"));
        QVERIFY(offered(u"rankscope --format csv,x"_s).startsWith("csv,xlsx"));
        QVERIFY(offered(u"rankscope --profile"_s).startsWith("--profile-mode"));
    }

    void zshReadsTheFile() {
        if (QStandardPaths::findExecutable(u"zsh"_s).isEmpty())
            QSKIP("skipped: no zsh");
        QProcess zsh;
        zsh.start(u"zsh"_s, {u"-n"_s, written("_rankscope", zsh_completion())});
        QVERIFY(zsh.waitForFinished(30000));
        QCOMPARE(zsh.readAllStandardError(), QByteArray());
        QCOMPARE(zsh.exitCode(), 0);
    }
};

RANKSCOPE_TEST(TestOptionPages)

} // namespace rankscope::option_pages_test

#include "test_option_pages.moc"
