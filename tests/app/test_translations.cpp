// SPDX-License-Identifier: GPL-3.0-or-later
// The window in another language: nothing is left in English, the German file has every text, and what programs read
// stays English.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QToolButton>
#include <QTranslator>

#include "app/settings/settings_dialog.h"
#include "app/window/export.h"
#include "app/window/main_window.h"
#include "core/analysis/findings/findings.h"
#include "core/compare/run_comparison.h"
#include "core/demo/run_simulator.h"
#include "core/metrics/catalogue.h"
#include "core/trace/accounting.h"
#include "core/trace/collective_kind.h"
#include "tests/app/run_program.h"
#include "tests/support/opened_window.h"
#include "tests/support/shown_texts.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/core_texts.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::translations_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

/// Letters of another alphabet for those of the text; placeholders, tags and shortcuts stay.
QString marked(const QString& text) {
    static const QRegularExpression kept(u"%L?\\d+|%n|<[^>]*>|&\\w+;"_s);
    QString result;
    qsizetype done = 0;
    const auto letters = [&](qsizetype end) {
        for (; done < end; ++done) {
            const char16_t c = text[done].unicode();
            const bool letter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
            result += QChar(letter ? static_cast<char16_t>(c - u'!' + 0xFF01) : c); // fullwidth
        }
    };
    for (const auto& match : kept.globalMatch(text)) {
        letters(match.capturedStart());
        result += match.captured();
        done = match.capturedEnd();
    }
    letters(text.size());
    return result;
}

/// Marks every text that tr() asks for, and remembers what that was.
class Marker : public QTranslator {
public:
    using Asked = std::set<std::pair<QByteArray, QByteArray>>; ///< context, text
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override {
        if (inSourceLanguage())
            return {};
        const std::lock_guard lock(mutex_); // tr() is called in the background too
        asked_.emplace(context, text);
        return marked(QString::fromUtf8(text));
    }
    [[nodiscard]] Asked asked() const {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    mutable std::mutex mutex_;
    mutable Asked asked_;
};

QStringList wordsOf(const QString& text) {
    static const QRegularExpression word(u"[A-Za-z][A-Za-z_]{2,}"_s);
    QStringList words;
    for (const auto& match : word.globalMatch(text))
        words << match.captured();
    return words;
}

/// A key of a document or a path: "by_class.0.count".
bool isIdentifier(const QString& text) {
    return text.startsWith(u'/') || (!text.contains(u' ') && (text.contains(u'_') || text.contains(u'.')));
}

/// A line of a sentence without its number and without what is translated behind it.
QString partOfSentence(const QString& line) {
    static const QRegularExpression around(u"^(\\d+\\.|•) +|[ (]+[\uFF01-\uFF5E][\uFF01-\uFF5E )]*$"_s);
    return QString(line).remove(around);
}

/// What is English on purpose.
class Allowed {
public:
    Allowed() {
        for (const char* word : {// Names of programs, formats and languages.
                                 "Rankscope", "English", "Deutsch", "Dolphin", "Thunar", "PCManFM", "Files", "Nautilus",
                                 "PyTorch", "torchtitan", "nsys", "srun", "Slurm", "Sweep", "Okabe", "Ito", "Tol",
                                 // Words that name a thing in traces and in their filters alike.
                                 "rank", "stream", "thread", "kineto", "Kineto", "date", "world_size", "name",
                                 // Units.
                                 "TFLOP", "FLOP", "FLOPs", "tokens", "bytes", "count", "ratio", "percent", "second"})
            words_.insert(QString::fromLatin1(word));
        for (const MetricPointer& metric : metric_catalogue()) {
            add(metric->unit); // tables in files have it as well
            add(metric->id);
        }
        for (const QString& family : QFontDatabase::families())
            add(family.toStdString());
    }

    /// A name of the trace, or a word of core that no translation is asked for.
    void add(std::string_view text) {
        for (const QString& whole : {nameText(text), shortNameText(text)})
            for (const QString& word : wordsOf(whole))
                texts_[word].insert(whole);
    }
    void add(const AnalysedRun& run) {
        const Run& data = run.run();
        for (NameId id = 0; id < data.names->size(); ++id)
            add(data.names->view(id));
        add(data.name);
        for (const auto& rank : data.ranks) {
            for (const Lane& lane : rank->lanes)
                add(lane.name);
            for (const ProcessGroup& group : rank->process_groups) {
                add(group.name);
                add(group.description);
            }
            for (const Device& device : rank->devices)
                add(device.name);
        }
        for (const Notice& notice : run.notices) {
            add(notice.code.word());
            add(std::filesystem::path(notice.file).filename().string());
        }
        for (const FileAccounting& file : accounting_by_file(data))
            add(file.file.filename().string());
        for (int kind = 0; kind <= static_cast<int>(CollectiveKind::other); ++kind)
            add(collective_kind_word(static_cast<CollectiveKind>(kind)));
    }

    /// Words of the text that nobody translated.
    [[nodiscard]] QStringList left(const QString& text) const {
        QStringList left;
        if (isIdentifier(text))
            return left;
        for (const QString& word : wordsOf(text)) {
            if (words_.contains(word))
                continue;
            const auto found = texts_.find(word);
            if (found == texts_.end() || std::ranges::none_of(found->second, [&](const QString& whole) {
                    return text.contains(whole) || whole.contains(partOfSentence(text));
                }))
                left << word;
        }
        return left;
    }

private:
    std::set<QString> words_;
    std::map<QString, std::set<QString>> texts_;
};

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }

    void showEach(MainWindow& window, const std::function<void(const QString& screen)>& look) {
        for (const ScreenEntry& entry : screenEntries()) {
            window.showScreen(entry.id);
            if (window.screenShown() != entry.id)
                continue; // for other runs
            if (const AnalysisScreen* screen = window.analysisScreen(entry.id))
                QTRY_VERIFY_WITH_TIMEOUT(screen->isReady(), kPatience);
            if (entry.id == MainWindow::timelineScreen)
                QTRY_VERIFY_WITH_TIMEOUT(window.timeline().isReady(), kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), kPatience);
            look(entry.id);
        }
    }
    void compare(MainWindow& window) {
        window.compareRuns({at(u"run"_s), at(u"other"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(window.comparePage().isReady() && !window.isBusy(), kPatience);
    }
    /// Dialogs of commands, while they are open.
    void showDialogs(MainWindow& window, const std::function<void(const QString& command)>& look) {
        for (const QString& command : {u"settings"_s, u"shortcuts"_s, u"export"_s, u"go-to"_s, u"commands"_s}) {
            QAction* action = window.commands().action(command);
            if (action == nullptr)
                continue;
            bool looked = false;
            QTimer::singleShot(0, &window, [&] { // some wait for their end inside of trigger()
                look(command);
                for (QDialog* dialog : window.findChildren<QDialog*>())
                    dialog->reject();
                looked = true;
            });
            action->trigger();
            QTRY_VERIFY(looked);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }
    void writeTables(MainWindow& window, QByteArrayList& tables) {
        const auto write = [&](const QString& screen) {
            for (const Exportable& item : exportables(window))
                if (item.kind == Exportable::Kind::table) {
                    const QString file = at(u"table.csv"_s);
                    if (!exportTo(item, file).isEmpty())
                        qFatal("not written");
                    tables << screen.toUtf8() + '\n' + read_file(file);
                }
        };
        showEach(window, write);
        compare(window);
        for (int tab = 0; tab < 4; ++tab) {
            window.comparePage().showTab(static_cast<ComparePage::Tab>(tab));
            QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), kPatience);
            write(u"compare %1"_s.arg(tab));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, at(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 2;
        options.steps = 2;
        QVERIFY(write_run(options, at(u"run"_s).toStdString()).has_value());
        write_file(at(u"run/bench_results.jsonl"_s), "{}\n"); // a notice
        options.slow = {1, 1.5};
        QVERIFY(write_run(options, at(u"other"_s).toStdString()).has_value());
    }
    void init() { QDir(at(u"settings"_s)).removeRecursively(); }
    void cleanup() { installLanguage(Language::english); }

    /// All screens, the comparison, panels, menus and dialogs say nothing in English but names, units and sentences of
    /// core, and every text that is asked for is in the German file, in the context it is asked for.
    void nothingIsLeftInEnglish() {
        Marker marker;
        QVERIFY(QCoreApplication::installTranslator(&marker));
        std::map<QString, QString> found; // text, where
        {
            const auto window = openedWindow(at(u"run"_s));
            QVERIFY(window);
            Allowed allowed;
            allowed.add(*window->shownAnalysis());
            QVERIFY(!window->shownAnalysis()->notices.empty());
            QVERIFY(std::ranges::any_of(window->shownAnalysis()->metrics.entries,
                                        [](const auto& entry) { return !entry.result.available; }));
            allowed.add(folder_.path().toStdString());
            allowed.add("run");
            allowed.add("other");
            const auto look = [&](const QString& screen) {
                eachShownText(*window, [&](const QString& text, const QString& where) {
                    if (where.contains("SqlEditor"_L1) || where.contains("QPlainTextEdit"_L1) ||
                        (where.endsWith("painted"_L1) && text.contains(u'…')))
                        return; // code, and what is whole elsewhere
                    if (where.startsWith("rankscope::MetricTree"_L1) && !text.contains(u' '))
                        return;           // a key of metrics.json
                    QString whole = text; // tooltips break long names
                    whole.remove(u'\n');
                    if (const QStringList words = allowed.left(text);
                        !words.isEmpty() && !allowed.left(whole).isEmpty())
                        found.try_emplace(text, screen + u", "_s + where + u": "_s + words.join(u' '));
                });
            };
            showEach(*window, look);
            showDialogs(*window, look);
            compare(*window);
            allowed.add(*window->shownAnalysis());
            look(u"compare"_s);
        }
        QCoreApplication::removeTranslator(&marker);
        QStringList lines;
        for (const auto& [text, where] : found)
            lines << where + u" in \""_s + text.left(300) + u'"';
        for (const QString& line : lines) // QVERIFY2 cuts long texts
            std::fprintf(stderr, "%s\n", qPrintable(line));
        QCOMPARE(lines.size(), 0);

        installLanguage(Language::german); // and its file is there
        installLanguage(Language::english);
        QTranslator german;
        QVERIFY(german.load(u":/rankscope/translations/rankscope_de.qm"_s));
        QStringList missing;
        for (const auto& [context, text] : marker.asked())
            if ((!context.startsWith('Q') || context == "QObject" || context == "QueryPanel") && context != "Core" &&
                german.translate(context, text, nullptr, 1).isEmpty())
                missing << QString::fromUtf8(context + ": " + text);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }

    void coresTablesAreGerman() {
        installLanguage(Language::german);
        QVERIFY(speaksTranslation());
        QStringList english;
        for (const std::string& text : coreTexts()) {
            const QString translated = coreText(text);
            // Short ones may be the same word in both languages: prefill, host.
            if (translated == QString::fromStdString(text) && text.find(' ') != std::string::npos && text.size() > 12)
                english << translated;
        }
        QVERIFY2(english.isEmpty(), qPrintable(english.join(u'\n')));
        QCOMPARE(coreText("a metric of the user's own"), u"a metric of the user's own"_s);
        const SourceLanguage source;
        QCOMPARE(coreText("copies"), u"copies"_s);
    }

    void theLanguageOfTheDesktopIsSpokenIfItIsKnown_data() {
        QTest::addColumn<QStringList>("desktop");
        QTest::addColumn<QString>("spoken");
        QTest::newRow("German") << QStringList{u"de-DE"_s, u"de"_s} << u"de"_s;
        QTest::newRow("Austria") << QStringList{u"de-AT"_s} << u"de"_s;
        QTest::newRow("English") << QStringList{u"en-GB"_s, u"de-DE"_s} << u"en"_s;
        QTest::newRow("German next") << QStringList{u"fi-FI"_s, u"de-DE"_s} << u"de"_s;
        QTest::newRow("none") << QStringList{u"C"_s} << u"en"_s;
        QTest::newRow("unknown") << QStringList{u"fi-FI"_s} << u"en"_s;
    }
    void theLanguageOfTheDesktopIsSpokenIfItIsKnown() {
        QFETCH(const QStringList, desktop);
        QFETCH(const QString, spoken);
        QCOMPARE(languageWord(spokenLanguage(Language::system, desktop)), spoken);
        QCOMPARE(languageWord(spokenLanguage(Language::german, desktop)), u"de"_s);
        QCOMPARE(languageWord(spokenLanguage(Language::english, desktop)), u"en"_s);
    }

    void theWindowSpeaksGermanWithPlurals() {
        installLanguage(Language::german);
        const auto window = openedWindow(at(u"run"_s));
        QVERIFY(window);
        QCOMPARE(window->commands().action(u"open-folder"_s)->text(), u"&Ordner öffnen …"_s);
        QCOMPARE(QCoreApplication::translate("rankscope::RunsModel", "%1 ranks", nullptr, 1), u"%1 Rang"_s);
        QCOMPARE(QCoreApplication::translate("rankscope::RunsModel", "%1 ranks", nullptr, 3), u"%1 Ränge"_s);
        installLanguage(Language::english);
        QCOMPARE(QCoreApplication::translate("rankscope::RunsModel", "%1 ranks", nullptr, 3), u"%1 ranks"_s);
    }

    /// Nothing is cut at the right edge, and nothing needs scrolling sideways.
    void theGermanOverviewFitsANarrowWindow() {
        installLanguage(Language::german);
        const auto window = openedWindow(at(u"run"_s));
        QVERIFY(window);
        window->resize(1000, 800);
        const auto fits = [&] {
            return std::ranges::all_of(window->findChildren<QScrollArea*>(), [](const QScrollArea* area) {
                return !area->isVisible() || area->horizontalScrollBar()->maximum() == 0;
            });
        };
        QTRY_VERIFY(fits());
        WhatIfPanel& whatIf = window->overview().whatIf();
        QTest::mouseClick(whatIf.findChild<QToolButton*>(), Qt::LeftButton);
        QTRY_VERIFY(whatIf.findChildren<QComboBox*>().size() > 1); // all that can be changed is offered
        QTRY_VERIFY(fits());
        window->resize(1600, 900);
        QTRY_VERIFY(fits());
    }

    void lettersOfAMenuDiffer() {
        installLanguage(Language::german);
        const MainWindow window{GuiOptions()};
        QStringList clashes;
        for (const QMenu* menu : window.findChildren<QMenu*>()) {
            std::map<QChar, QString> taken;
            for (const QAction* action : menu->actions()) {
                const qsizetype mark = QString(action->text()).replace(u"&&"_s, u"  "_s).indexOf(u'&');
                if (mark < 0 || mark + 1 >= action->text().size())
                    continue;
                const auto [other, isNew] = taken.try_emplace(action->text()[mark + 1].toLower(), action->text());
                if (!isNew)
                    clashes << menu->title() + u": "_s + other->second + u", "_s + action->text();
            }
        }
        QVERIFY2(clashes.isEmpty(), qPrintable(clashes.join(u'\n')));
    }

    void qtsOwnDialogsAreGerman() {
        installLanguage(Language::german);
        const QString cancel = QCoreApplication::translate("QPlatformTheme", "Cancel");
        if (cancel == "Cancel"_L1)
            QSKIP("Qt's own translations are not installed (qt6-translations-l10n)");
        QCOMPARE(cancel, u"Abbrechen"_s);
    }

    void theSettingSaysThatItWaitsForTheNextStart() {
        SettingsDialog dialog({});
        QComboBox* language = nullptr;
        for (QComboBox* box : dialog.findChildren<QComboBox*>())
            if (box->findText(u"Deutsch"_s) >= 0)
                language = box;
        QVERIFY(language != nullptr);
        language->setCurrentIndex(2);
        Q_EMIT language->activated(2);
        QVERIFY(dialog.preferences().language == Language::german);
        bool said = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            said = said || label->text().contains(u"Language and scale change at the next start"_s);
        QVERIFY(said);
    }

    /// A table that is written in a German window is the one of an English window, to the byte.
    void filesAreEnglish() {
        QByteArrayList english;
        QByteArrayList german;
        {
            const auto window = openedWindow(at(u"run"_s));
            QVERIFY(window);
            writeTables(*window, english);
        }
        init();
        installLanguage(Language::german);
        {
            const auto window = openedWindow(at(u"run"_s));
            QVERIFY(window);
            writeTables(*window, german);
        }
        QVERIFY2(english.size() > 8, qPrintable(QString::number(english.size())));
        QCOMPARE(german.size(), english.size());
        QStringList differences;
        for (qsizetype i = 0; i < english.size(); ++i) {
            const QByteArrayList ours = english[i].split('\n');
            const QByteArrayList theirs = german[i].split('\n');
            for (qsizetype line = 0; line < std::min(ours.size(), theirs.size()); ++line)
                if (ours[line] != theirs[line]) {
                    differences << QString::fromUtf8(ours[0] + ": " + ours[line] + " | " + theirs[line]);
                    break;
                }
        }
        QVERIFY2(differences.isEmpty(), qPrintable(differences.join(u'\n')));
    }

    void batchModeIsEnglishWhateverTheLocale() {
        const QStringList arguments{u"--batch"_s, at(u"run"_s), u"--json"_s};
        const Outcome english = run_program(arguments);
        QVERIFY(english.exit_code == 0 && !english.out.isEmpty());
        qputenv("XDG_CONFIG_HOME", at(u"config"_s).toUtf8());
        write_file(at(u"config/rankscope/rankscope.ini"_s), "[window]\nlanguage=de\n");
        const QByteArray before = qgetenv("LC_ALL");
        qputenv("LC_ALL", "de_DE.UTF-8");
        qputenv("LANGUAGE", "de");
        const Outcome german = run_program(arguments);
        const Outcome table = run_program({u"--batch"_s, at(u"run"_s)});
        qputenv("LC_ALL", before);
        qunsetenv("LANGUAGE");
        QCOMPARE(german.exit_code, 0);
        QCOMPARE(german.out, english.out);
        QCOMPARE(run_program({u"--batch"_s, at(u"run"_s)}).out, table.out);
    }

    /// For screen readers: whatever can be pressed, filled in or looked at has a name.
    void everythingHasAnAccessibleName() {
        const auto window = openedWindow(at(u"run"_s));
        QVERIFY(window);
        std::set<QString> nameless;
        const auto look = [&](const QString& screen) {
            for (QWidget* widget : window->findChildren<QWidget*>()) {
                const QByteArray type = widget->metaObject()->className();
                const bool own = type.startsWith("rankscope::") || type == "QCustomPlot";
                const bool control = qobject_cast<QAbstractButton*>(widget) != nullptr ||
                                     qobject_cast<QLineEdit*>(widget) != nullptr ||
                                     qobject_cast<QComboBox*>(widget) != nullptr;
                const bool drawn = own && qobject_cast<QLabel*>(widget) == nullptr &&
                                   widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly).isEmpty();
                const bool part =
                    widget->parentWidget() != nullptr &&
                    (widget->parentWidget()->inherits("QComboBox") ||
                     widget->parentWidget()->inherits("QAbstractSpinBox") ||
                     widget->parentWidget()->inherits("QTabBar") || widget->parentWidget()->inherits("QLineEdit") ||
                     widget->objectName().startsWith("qt_"_L1));
                if (!widget->isVisible() || part || !(control || drawn))
                    continue;
                QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
                // What is drawn may be the whole of a widget that has the name.
                const bool named = (accessible != nullptr && !accessible->text(QAccessible::Name).isEmpty()) ||
                                   (drawn && !control && !widget->parentWidget()->accessibleName().isEmpty());
                if (!named)
                    nameless.insert(screen + u": "_s + QString::fromLatin1(type) + u" in "_s +
                                    QString::fromLatin1(widget->parentWidget()->metaObject()->className()) + u' ' +
                                    widget->toolTip());
            }
        };
        showEach(*window, look);
        showDialogs(*window, look);
        compare(*window);
        look(u"compare"_s);
        QVERIFY2(nameless.empty(), qPrintable(QStringList(nameless.begin(), nameless.end()).join(u'\n')));
    }
};

RANKSCOPE_GUI_TEST(TestTranslations)

} // namespace rankscope::translations_test

#include "test_translations.moc"
