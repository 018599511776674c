// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen in Settings is kept, holds, travels in a file, and reaches the numbers; menus of file managers come
// and go without a trace.
#include <algorithm>
#include <array>

#include <QCheckBox>
#include <QComboBox>
#include <QFontComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/settings/analysis_page.h"
#include "app/settings/folder_openers.h"
#include "app/settings/settings.h"
#include "app/settings/settings_dialog.h"
#include "app/window/main_window.h"
#include "app/window/settings_controller.h"
#include "tests/app/run_program.h"
#include "tests/support/test_program.h"
#include "widgets/palette.h"

namespace rankscope::settings_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

class TestSettings : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }

    static Preferences unusual() {
        Preferences p;
        p.theme = Theme::dark;
        p.language = Language::german;
        p.hues = HueSet::bright;
        p.fontFamily = u"DejaVu Serif"_s;
        p.fontSize = 14;
        p.scale = 150;
        p.threads = 3;
        p.memory = 12;
        p.gpusPerMachine = 8;
        p.kernelClasses = {{"^my_ring, \"x\"", KernelClass::communication}, {"pack", KernelClass::memory_copy}};
        p.peaks = {{"My; Chip", 0, 1234.5, 0, 2.5}};
        return p;
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", at(u"data"_s).toUtf8());
        qputenv("XDG_CONFIG_HOME", at(u"config"_s).toUtf8());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, at(u"config"_s));
    }
    void init() { openSettings()->clear(); }
    void cleanup() { applyAppearance({}); }

    void whatIsStoredComesBack() {
        QCOMPARE(loadPreferences(), Preferences());
        storePreferences(unusual(), *openSettings());
        QVERIFY(loadPreferences() == unusual());
        storePreferences({}, *openSettings());
        QVERIFY(loadPreferences() == Preferences());
    }

    void whatMakesNoSenseIsAsIfItWereNotThere() {
        const auto settings = openSettings();
        settings->setValue(u"appearance/font_size"_s, 900);
        settings->setValue(u"appearance/scale_percent"_s, u"huge"_s);
        settings->setValue(u"performance/threads"_s, -2);
        settings->setValue(u"performance/memory_gib"_s, u"all of it"_s);
        settings->setValue(u"analysis/gpus_per_machine"_s, 5000);
        settings->setValue(u"kernel_classes/size"_s, 1);
        settings->setValue(u"kernel_classes/1/class"_s, u"nonsense"_s);
        settings->setValue(u"peaks/size"_s, 1);
        settings->setValue(u"peaks/1/device"_s, u"X"_s);
        settings->setValue(u"peaks/1/fp8_tflops"_s, u"nan"_s);
        Preferences wanted;
        wanted.peaks = {{"X"}};
        QVERIFY(loadPreferences(*settings) == wanted);
    }

    void settingsTravelInAFileWithTheShortcutsAndWithoutPaths() {
        storePreferences(unusual(), *openSettings());
        openSettings()->setValue(u"shortcuts/open-folder"_s, QStringList{u"Ctrl+J"_s});
        openSettings()->setValue(u"recent/paths"_s, QStringList{u"/secret/run"_s});
        QCOMPARE(exportSettings(at(u"mine.ini"_s)), QString());
        QVERIFY(!read_file(at(u"mine.ini"_s)).contains("secret"));

        openSettings()->clear();
        openSettings()->setValue(u"shortcuts/quit"_s, QStringList{u"Ctrl+K"_s});
        QCOMPARE(importSettings(at(u"mine.ini"_s)), QString());
        QVERIFY(loadPreferences() == unusual());
        QCOMPARE(openSettings()->value(u"shortcuts/open-folder"_s).toStringList(), QStringList{u"Ctrl+J"_s});
        QVERIFY(!openSettings()->contains(u"shortcuts/quit"_s));
    }

    void aFileOfSomethingElseChangesNothing() {
        storePreferences(unusual(), *openSettings());
        write_file(at(u"other.ini"_s), "[window]\ntheme=light\n");
        QVERIFY(importSettings(at(u"other.ini"_s)).contains(u"holds no settings of Rankscope"_s));
        QVERIFY(!importSettings(at(u"absent.ini"_s)).isEmpty());
        QVERIFY(loadPreferences() == unusual());
        QVERIFY(exportSettings(at(u"no/such/folder/x.ini"_s)).contains(u"cannot be written"_s) ||
                QFileInfo::exists(at(u"no/such/folder/x.ini"_s)));
    }

    void theDialogTellsEachChangeOnce() {
        SettingsDialog dialog({});
        QSignalSpy told(&dialog, &SettingsDialog::preferencesChanged);
        const auto boxes = dialog.findChildren<QComboBox*>();
        QComboBox* theme = nullptr;
        for (QComboBox* box : boxes)
            if (box->count() == 3 && box->itemText(2) == "Dark"_L1)
                theme = box;
        QVERIFY(theme != nullptr);
        theme->setCurrentIndex(2);
        Q_EMIT theme->activated(2);
        QCOMPARE(told.count(), 1);
        QVERIFY(dialog.preferences().theme == Theme::dark);
        Q_EMIT theme->activated(2);
        QCOMPARE(told.count(), 1);
        dialog.setPreferences(unusual());
        QCOMPARE(told.count(), 1);
    }

    void theMemoryOfARunIsChosenInGigabytesOrLeftToTheMachine() {
        SettingsDialog dialog(unusual());
        const auto boxes = dialog.findChildren<QSpinBox*>();
        const auto memory =
            std::ranges::find_if(boxes, [](const QSpinBox* box) { return box->suffix().trimmed() == "GB"_L1; });
        QVERIFY(memory != boxes.end());
        QCOMPARE((*memory)->value(), 12);
        (*memory)->setValue(48);
        QCOMPARE(dialog.preferences().memory, 48);
        (*memory)->setValue(0);
        QVERIFY((*memory)->text().contains(u"70 %"_s));
    }

    void theTablesOfAnalysisHoldOnlyWhatMakesSense() {
        AnalysisPage page;
        QSignalSpy applied(&page, &AnalysisPage::applied);
        page.addClass();
        QVERIFY(page.problem().contains(u"empty"_s));
        page.classes().item(0, 0)->setText(u"("_s);
        QVERIFY(page.problem().contains(u"missing )"_s));
        page.apply();
        QCOMPARE(applied.count(), 0);
        page.classes().item(0, 0)->setText(u"ring"_s);
        qobject_cast<QComboBox*>(page.classes().cellWidget(0, 1))->setCurrentIndex(1);
        page.addPeak();
        page.peaks().item(0, 0)->setText(u"H100"_s);
        page.peaks().item(0, 2)->setText(u"fast"_s);
        QCOMPARE(page.problem(), u"H100: fast is not a number, such as 989 or 3.35"_s);
        page.peaks().item(0, 2)->setText(u"800"_s);
        QCOMPARE(page.problem(), QString());
        page.apply();
        QCOMPARE(applied.count(), 1);
        QVERIFY((applied[0][0].value<std::vector<KernelClassRule>>() ==
                 std::vector<KernelClassRule>{{"ring", KernelClass::communication}}));
        QVERIFY((applied[0][1].value<std::vector<DevicePeak>>() == std::vector<DevicePeak>{{"H100", 0, 800, 0, 0}}));
    }

    /// step_trace: 40 us of gemm and 30 us of AllReduce, of which 10 overlap, in each of three steps.
    void aNewKernelClassReachesTheOpenRun() {
        write_step_run(at(u"run"_s));
        MainWindow window(GuiOptions{});
        window.addPaths({at(u"run"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(window.shownAnalysis() != nullptr && !window.isBusy(), 20'000);
        const auto computing = [&] { return window.shownAnalysis()->analysis->ranks().front().timeline.computation; };
        QCOMPARE(computing(), TimeNs{3 * 40'000});
        Preferences p;
        p.kernelClasses = {{"^gemm$", KernelClass::memory_copy}};
        window.settings().take(p);
        QTRY_VERIFY_WITH_TIMEOUT(window.shownAnalysis() != nullptr && !window.isBusy(), 20'000);
        QCOMPARE(computing(), TimeNs{0});
        QVERIFY(loadPreferences() == p);
    }

    /// Nothing in these files tells of machines.
    void gpusPerMachineTypedInReachTheOpenRun() {
        write_step_run(at(u"machines"_s));
        MainWindow window(GuiOptions{});
        window.addPaths({at(u"machines"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(window.shownAnalysis() != nullptr && !window.isBusy(), 20'000);
        const auto machines = [&] { return window.shownAnalysis()->analysis->machines().of(std::array{0}).size(); };
        QCOMPARE(machines(), std::size_t{0});
        SettingsDialog dialog({});
        connect(&dialog, &SettingsDialog::preferencesChanged, &window.settings(), &SettingsController::take);
        dialog.showPage(SettingsDialog::analysisPage);
        dialog.show();
        const auto boxes = dialog.findChildren<QSpinBox*>();
        const auto box = std::ranges::find_if(boxes, [](const QSpinBox* one) { return one->isVisible(); });
        QVERIFY(box != boxes.end());
        QCOMPARE((*box)->text(), u"Not known"_s);
        (*box)->setFocus();
        (*box)->selectAll();
        QTest::keyClicks(*box, u"4"_s);
        QTest::keyClick(*box, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(window.shownAnalysis() != nullptr && !window.isBusy(), 20'000);
        QCOMPARE(machines(), std::size_t{1});
        QCOMPARE(loadPreferences().gpusPerMachine, 4);
    }

    /// The program reads them too: the window and --batch give the same number.
    void aNewKernelClassReachesBatchMode() {
        write_step_run(at(u"run"_s));
        QByteArray said;
        const auto computing = [&] {
            const Outcome outcome = run_program({u"--batch"_s, at(u"run"_s), u"--json"_s});
            said = outcome.err;
            const QJsonObject run = outcome.json()["runs"_L1].toArray()[0].toObject();
            return run["per_rank"_L1].toArray()[0]["gpu_timeline"_L1]["computation_us"_L1].toDouble(-1);
        };
        QCOMPARE(computing(), 120.0);
        QVERIFY(!said.contains("settings"));
        Preferences p;
        p.kernelClasses = {{"^gemm$", KernelClass::memory_copy}};
        storePreferences(p, *openSettings());
        QCOMPARE(computing(), 0.0);
        QVERIFY(said.contains("settings are in force"));
    }

    void coloursAndFontChangeAndGoBack() {
        const QFont before = QApplication::font();
        const QColor compute = hue(Hue::compute, false);
        applyAppearance(unusual());
        QCOMPARE(QApplication::font().pointSize(), 14);
        QVERIFY(hue(Hue::compute, false) != compute);
        applyAppearance({});
        QCOMPARE(QApplication::font(), before);
        QCOMPARE(hue(Hue::compute, false), compute);
    }

    void menusOfFileManagersComeAndGo_data() {
        QTest::addColumn<int>("manager");
        for (const FileManager manager : kFileManagers)
            QTest::newRow(qPrintable(fileManagerTitle(manager))) << static_cast<int>(manager);
    }
    void menusOfFileManagersComeAndGo() {
        QFETCH(const int, manager);
        const auto which = static_cast<FileManager>(manager);
        QVERIFY(!hasOpener(which));
        QCOMPARE(setOpener(which, true, u"/opt/50% $off/rank'scope"_s), QString());
        QVERIFY(hasOpener(which));
        const QByteArray entry = read_file(openerFile(which));
        QVERIFY(!entry.contains("@PROGRAM@"));
        QVERIFY(entry.contains(which == FileManager::nautilus ? "exec '/opt/50% $off/rank'\\''scope' \"$@\""
                               : which == FileManager::thunar
                                   ? "<command>&#39;/opt/50%% $off/rank&#39;\\&#39;&#39;scope&#39; %F</command>"
                                   : "Exec=\"/opt/50%% \\\\$off/rank'scope\" %F"));
        QCOMPARE(setOpener(which, true, u"/usr/bin/rankscope"_s), QString()); // twice is once
        QCOMPARE(read_file(openerFile(which)).count("/usr/bin/rankscope"), 1);
        QCOMPARE(setOpener(which, false, {}), QString());
        QVERIFY(!hasOpener(which));
    }

    void otherActionsOfThunarStayAsTheyAre() {
        const QByteArray others = "<?xml "
                                  "version=\"1.0\"?>\n<actions>\n<action><name>Terminal</name><unique-id>1-1</"
                                  "unique-id></action>\n</actions>\n";
        write_file(openerFile(FileManager::thunar), others);
        QCOMPARE(setOpener(FileManager::thunar, true, u"/usr/bin/rankscope"_s), QString());
        QVERIFY(read_file(openerFile(FileManager::thunar)).contains("Terminal"));
        QCOMPARE(setOpener(FileManager::thunar, false, {}), QString());
        QCOMPARE(read_file(openerFile(FileManager::thunar)), others);
    }
};

RANKSCOPE_GUI_TEST(TestSettings)

} // namespace rankscope::settings_test

#include "test_settings.moc"
