// SPDX-License-Identifier: GPL-3.0-or-later
// The documentation's commands work. Blocks below `<!-- run -->` are run by bash, in a folder with runs to analyse; a
// window that they open is closed after two seconds. Sample outputs are what the program prints. A block that starts
// rankscope and is not marked needs `<!-- not run: why -->`. Links lead somewhere.
#include <algorithm>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/command/option_pages.h"
#include "core/analysis/findings/finding_kinds.h"
#include "core/demo/run_simulator.h"
#include "tests/app/run_program.h"
#include "tests/support/test_program.h"

namespace rankscope::docs_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QLatin1StringView kSampleMark("<!-- output of: ");

const QString kSource = QStringLiteral(RANKSCOPE_SOURCE_DIR);

struct Block {
    QString place; ///< "docs/ci.md:6"
    QString mark;  ///< the comment in the line above it
    QString text;
};

QStringList pages() {
    QStringList found{kSource + u"/README.md"_s, kSource + u"/CONTRIBUTING.md"_s, kSource + u"/CHANGELOG.md"_s};
    QDirIterator docs(kSource + u"/docs"_s, {u"*.md"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (docs.hasNext())
        found << docs.next();
    found.sort();
    return found;
}

QList<Block> blocks_of(const QString& page) {
    QList<Block> blocks;
    const QStringList lines = QString::fromUtf8(read_file(page)).split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!lines[i].startsWith("```"_L1))
            continue;
        Block block{u"%1:%2"_s.arg(QDir(kSource).relativeFilePath(page)).arg(i + 1),
                    i > 0 ? lines[i - 1].trimmed() : QString(),
                    {}};
        for (++i; i < lines.size() && !lines[i].startsWith("```"_L1); ++i)
            block.text += lines[i] + u'\n';
        blocks << block;
    }
    return blocks;
}

} // namespace

class TestDocs : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable(u"bash"_s).isEmpty() ||
            QStandardPaths::findExecutable(u"timeout"_s).isEmpty())
            QSKIP("skipped: no bash or no timeout");
        SimulatorOptions options;
        options.dp = 2;
        QVERIFY(write_run(options, folder_.filePath(u"run"_s).toStdString()));
        write_file(folder_.filePath(u"bin/rankscope"_s),
                   "#!/usr/bin/env bash\n"
                   "for argument; do\n"
                   "    case $argument in report | compare | query | study | gate | export | digest | serve | help | "
                   "--batch | --list-metrics | --serve-stdio | --trace | --version | --help) "
                   "exec '" RANKSCOPE_PROGRAM "' \"$@\" ;; esac\n"
                   "done\n"
                   "timeout 2 '" RANKSCOPE_PROGRAM "' \"$@\" || [ $? -eq 124 ]\n");
        QFile(folder_.filePath(u"bin/rankscope"_s))
            .setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    void markedBlocksRun_data() {
        QTest::addColumn<QString>("text");
        for (const QString& page : pages())
            for (const Block& block : blocks_of(page))
                if (block.mark == "<!-- run -->"_L1)
                    QTest::newRow(qPrintable(block.place)) << block.text;
    }
    void markedBlocksRun() {
        QFETCH(const QString, text);
        QProcess bash;
        run_by_bash(bash, text);
        QVERIFY2(bash.exitCode() == 0, bash.readAll().constData());
    }

    /// A block below `<!-- output of: COMMAND -->` is what the command prints. RANKSCOPE_WRITE_SAMPLES=1 writes it.
    void samplesAreWhatTheProgramPrints() {
        const bool writes = qEnvironmentVariableIsSet("RANKSCOPE_WRITE_SAMPLES");
        int samples = 0;
        for (const QString& page : pages()) {
            QString text = QString::fromUtf8(read_file(page));
            for (const Block& block : blocks_of(page)) {
                if (!block.mark.startsWith(kSampleMark) || !block.mark.endsWith(" -->"_L1))
                    continue;
                ++samples;
                QProcess bash;
                run_by_bash(bash, block.mark.mid(kSampleMark.size()).chopped(4));
                QString printed = QString::fromUtf8(bash.readAll());
                printed.remove(u'\r'); // of CSV: no editor keeps it in a page
                if (writes)
                    text.replace(block.mark + "\n```\n"_L1 + block.text, block.mark + "\n```\n"_L1 + printed);
                else
                    QVERIFY2(
                        block.text == printed,
                        qPrintable(block.place + ": RANKSCOPE_WRITE_SAMPLES=1 tests_app docs writes\n"_L1 + printed));
            }
            if (writes && text != QString::fromUtf8(read_file(page)))
                write_file(page, text.toUtf8());
        }
        QVERIFY(samples >= 5);
    }

private:
    /// In a folder with runs to analyse.
    void run_by_bash(QProcess& bash, const QString& text) {
        QTemporaryDir here;
        for (const char* run : {"my_run", "before", "after", "baseline", "test"})
            QFile::link(folder_.filePath(u"run"_s), here.filePath(QLatin1StringView(run)));
        QFile::link(kSource + u"/packaging"_s, here.filePath(u"packaging"_s));
        bash.setWorkingDirectory(here.path());
        bash.setProcessChannelMode(QProcess::MergedChannels);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"PATH"_s, folder_.filePath(u"bin"_s) + u':' + environment.value(u"PATH"_s));
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        environment.insert(u"XDG_CONFIG_HOME"_s, here.filePath(u".config"_s));
        bash.setProcessEnvironment(environment);
        bash.start(u"bash"_s, {u"-euo"_s, u"pipefail"_s, u"-c"_s, text});
        QVERIFY(bash.waitForFinished(120'000));
    }

private Q_SLOTS:

    void everyCommandIsRunOrSaysWhyNot() {
        QStringList unmarked;
        const QRegularExpression command(u"^(rankscope|packaging/recording/\\S+) "_s,
                                         QRegularExpression::MultilineOption);
        for (const QString& page : pages())
            for (const Block& block : blocks_of(page))
                if (command.match(block.text).hasMatch() && block.mark != "<!-- run -->"_L1 &&
                    !block.mark.startsWith("<!-- not run: "_L1) && !block.mark.startsWith(kSampleMark))
                    unmarked << block.place;
        QCOMPARE(unmarked.join(u' '), QString());
    }

    void linksLeadSomewhere() {
        QStringList broken;
        const QRegularExpression link(u"\\]\\(([^)#:]+)(#[^)]*)?\\)"_s);
        for (const QString& page : pages())
            for (auto found = link.globalMatch(QString::fromUtf8(read_file(page))); found.hasNext();) {
                const QString target = found.next().captured(1);
                if (!QFileInfo::exists(QFileInfo(page).path() + u'/' + target))
                    broken << QDir(kSource).relativeFilePath(page) + u" -> "_s + target;
            }
        QCOMPARE(broken.join(u", "_s), QString());
    }

    void thePageOfMetricsIsThatOfTheCatalogue() {
        const QByteArray page = read_file(kSource + u"/docs/metrics.md"_s);
        QVERIFY2(page == QByteArray::fromStdString(metrics_page()),
                 "docs/metrics.md has fallen behind: run build/dev/packaging/rankscope_pages metrics docs/metrics.md");
    }

    void thePageOfNoticesIsThatOfTheTable() {
        const QByteArray page = read_file(kSource + u"/docs/notices.md"_s);
        QVERIFY2(page == QByteArray::fromStdString(notices_page()),
                 "docs/notices.md has fallen behind: run build/dev/packaging/rankscope_pages notices docs/notices.md");
    }

    void thePageOfFindingsIsThatOfTheTable() {
        const QByteArray page = read_file(kSource + u"/docs/finding-kinds.md"_s);
        QVERIFY2(page == QByteArray::fromStdString(finding_kinds_page()),
                 "docs/finding-kinds.md has fallen behind: run build/dev/packaging/rankscope_pages findings "
                 "docs/finding-kinds.md");
    }

    /// "straggler: a, b", "a, b", "slow_link, of a dimension", "launch_delay (operation timelines)".
    void theMethodOfEachFindingIsExplained() {
        const QString page = QString::fromUtf8(read_file(kSource + u"/docs/findings.md"_s));
        const QString section = page.section(u"### The kinds of findings"_s, 1).section(u"\n### "_s, 0, 0);
        std::set<std::pair<std::string, std::string>> explained;
        static const QRegularExpression row(u"^\\| (\\w+)(?::)?([^|(]*)"_s, QRegularExpression::MultilineOption);
        static const QRegularExpression word(u"^ ?(\\w+) ?$"_s);
        for (const auto& match : row.globalMatch(section)) {
            const bool causes = match.captured(0).contains(u':');
            const std::string code = match.captured(1).toStdString();
            if (!causes)
                explained.emplace(code, "");
            for (const QString& part : match.captured(2).split(u','))
                if (const auto one = word.match(part); one.hasMatch())
                    causes ? explained.emplace(code, one.captured(1).toStdString())
                           : explained.emplace(one.captured(1).toStdString(), "");
        }
        explained.erase({"code", ""}); // the heading
        explained.erase({"cause", ""});
        std::set<std::pair<std::string, std::string>> kinds;
        for (const FindingKind& kind : kFindingKinds)
            kinds.emplace(code_word(kind.code), cause_word(kind.cause));
        for (const auto& [code, cause] : kinds)
            QVERIFY2(explained.contains({code, cause}), (code + ": " + cause + " is not in docs/findings.md").c_str());
        for (const auto& [code, cause] : explained)
            QVERIFY2(kinds.contains({code, cause}), (code + ": " + cause + " is not in finding_kinds.h").c_str());
    }

    /// The schema of --json knows each code, cause and fact, and no other.
    void findingsAreInTheSchema() {
        const QByteArray text = read_file(QStringLiteral(RANKSCOPE_SOURCE_DIR "/docs/schema/metrics.v1.schema.json"));
        const QJsonObject finding = QJsonDocument::fromJson(text)[u"$defs"][u"finding_base"][u"properties"].toObject();
        const auto words = [](const QJsonValue& of) {
            std::vector<std::string> list;
            for (const QJsonValue word : of[u"enum"].toArray())
                list.push_back(word.toString().toStdString());
            return list;
        };
        QVERIFY(std::ranges::equal(words(finding[u"code"]), kFindingCodes));
        QVERIFY(std::ranges::equal(words(finding[u"cause"]), kFindingCauses | std::views::drop(1)));
        std::vector<std::string> facts{"events"}; // and each fact; the name of one goes on with a type of operation
        for (const FactKind& fact : kFactKinds)
            if (fact.word != "events" && fact.word != fact_word(FactName::cost_us_per_step_of))
                facts.emplace_back(fact.word);
        QVERIFY(std::ranges::equal(words(finding[u"evidence"][u"propertyNames"][u"anyOf"][1]), facts));
    }

    void findingsAreInOrder() {
        QVERIFY(std::ranges::is_sorted(kFindingKinds, {},
                                       [](const FindingKind& kind) { return std::pair(kind.code, kind.cause); }));
        QVERIFY(finding_kind(FindingCode::slow_link, FindingCause::slow_card) != nullptr);
        QVERIFY(finding_kind(FindingCode::slow_link, FindingCause::jump) == nullptr);
    }
};

RANKSCOPE_TEST(TestDocs)

} // namespace rankscope::docs_test

#include "test_docs.moc"
