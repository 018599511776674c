// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of docs/tour.md, with mouse and keys: each is done, and takes no more actions than the page says. A click,
// a key, a text that is typed and a drop are one action each. With RANKSCOPE_WALK_PICTURES=FOLDER the screen at the end
// of each task is kept there, to be looked at; QT_SCALE_FACTOR=2 walks at 200 %.
#include <algorithm>
#include <map>
#include <memory>

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/export_controller.h"
#include "app/window/main_window.h"
#include "app/window/tour.h"
#include "core/demo/run_simulator.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"
#include "tests/support/user_input.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/findings_table.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/query_panel.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/start_page.h"
#include "widgets/screens/hang_screen.h"
#include "widgets/screens/pipeline_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/view_state.h"

namespace rankscope::walk_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

/// Counts what they do.
class Hands {
public:
    explicit Hands(MainWindow& window) : window_(window) {}
    [[nodiscard]] int actions() const { return actions_; }

    void click(QWidget* widget, QPoint at = {}) {
        ++actions_;
        QTest::mouseClick(widget, Qt::LeftButton, {}, at);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++actions_;
        QTest::keyClick(keyboard(), key, modifiers);
    }
    void type(const QString& text) {
        ++actions_;
        QTest::keyClicks(keyboard(), text);
    }
    void drop(const QStringList& paths) {
        ++actions_;
        dropOn(window_, paths);
    }
    /// Into the file dialog that the key opens.
    void saveAs(const QString& file, Qt::Key key, Qt::KeyboardModifiers modifiers) {
        const FileChooser chooser(file);
        press(key, modifiers);
        actions_ += chooser.actions();
    }

private:
    [[nodiscard]] QWidget* keyboard() const {
        return window_.focusWidget() != nullptr ? window_.focusWidget() : &window_;
    }
    MainWindow& window_;
    int actions_ = 0;
};

QPushButton* buttonOf(const QWidget& page, const QString& text) {
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (QString(button->text()).remove(u'&').startsWith(text) && button->isVisible())
            return button;
    return nullptr;
}

} // namespace

class TestWalk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        qputenv("TMPDIR", folder_.path().toUtf8());
        SimulatorOptions healthy;
        healthy.dp = 2;
        healthy.pp = 2;
        healthy.steps = 3;
        SimulatorOptions slow = healthy;
        slow.faults = {Fault{FaultCause::slower_kernels, 2, 1.5, 0, Dimension::data}};
        QVERIFY(write_run(slow, path("slow").toStdString()).has_value());
        SimulatorOptions late = slow;
        late.pp = 1;
        late.dp = 4;
        QVERIFY(write_run(late, path("late").toStdString()).has_value());
        for (const char* name : {"healthy", "nights/monday", "nights/tuesday", "nights/wednesday"})
            QVERIFY(write_run(healthy, path(name).toStdString()).has_value());
        DumpedJob job(4);
        job.calls({0, 1, 2, 3}, {.kind = "all_reduce", .group = "0", .seq = 1, .created_ms = 1, .completed_ms = 1.5});
        job.calls({0, 1, 3}, {.kind = "all_reduce", .group = "0", .seq = 2, .state = "scheduled", .created_ms = 2});
        QVERIFY(QDir().mkpath(path("hang")));
        job.write(path("hang").toStdString());
        readAllowed();
    }
    void cleanup() {
        window_.reset();
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
    }
    void cleanupTestCase() { qunsetenv("TMPDIR"); }

    void startPageToDemo_data() { sizes(); }
    void startPageToDemo() {
        Hands hands = begin();
        QPushButton* demo = buttonOf(window_->startPage(), u"Try the demo"_s);
        QVERIFY(demo != nullptr);
        hands.click(demo, demo->rect().center());
        QTRY_VERIFY_WITH_TIMEOUT(window_->shownAnalysis() && !window_->isBusy(), kPatience);
        QCOMPARE(window_->runs().runPaths().size(), 2);
        end(u"Start page to demo"_s, hands);
        if (window_->tour() != nullptr)
            window_->tour()->leave();
    }

    void lateRankAndItsPlace_data() { sizes(); }
    void lateRankAndItsPlace() {
        open("late");
        Hands hands(*window_);
        FindingsTable& table = window_->overview().findings();
        QTRY_VERIFY(table.count() > 0 && table.isVisible());
        hands.click(table.viewport(), table.visualItemRect(table.topLevelItem(0)).center());
        QCOMPARE(window_->screenShown(), QString(MainWindow::timelineScreen));
        QVERIFY(window_->viewState().selection().has_value());
        QCOMPARE(window_->viewState().selection()->rank, 2);
        end(u"Late rank and its place"_s, hands);
    }

    void twoRunsByDrag_data() { sizes(); }
    void twoRunsByDrag() {
        Hands hands = begin();
        hands.drop({path("healthy"), path("slow")});
        QTRY_COMPARE_WITH_TIMEOUT(window_->screenShown(), QString(MainWindow::compareScreen), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window_->comparePage().isReady() && !window_->isBusy(), kPatience);
        QVERIFY(window_->comparePage().metricTable().model()->rowCount() > 0);
        end(u"Two runs by drag"_s, hands);
    }

    void reportSaved_data() { sizes(); }
    void reportSaved() {
        open("slow");
        Hands hands(*window_);
        const QString file = folder_.filePath(u"report.html"_s);
        QFile::remove(file);
        hands.saveAs(file, Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->exports().isBusy() && QFile::exists(file), kPatience);
        end(u"Report saved"_s, hands);
    }

    void pipeline_data() { sizes(); }
    void pipeline() {
        open("slow");
        Hands hands(*window_);
        clickTab(hands, u"Pipeline"_s);
        QCOMPARE(window_->screenShown(), u"pipeline"_s);
        auto* screen = qobject_cast<PipelineScreen*>(window_->analysisScreen(u"pipeline"_s));
        QTRY_VERIFY_WITH_TIMEOUT(screen->isReady() && !screen->headline().isEmpty(), kPatience);
        end(u"Pipeline"_s, hands);
    }

    void hang_data() { sizes(); }
    void hang() {
        Hands hands = begin();
        hands.drop({path("hang")});
        QTRY_VERIFY_WITH_TIMEOUT(window_->shownAnalysis() && !window_->isBusy(), kPatience);
        QTRY_COMPARE(window_->screenShown(), u"hang"_s); // comes first
        auto* screen = qobject_cast<HangScreen*>(window_->analysisScreen(u"hang"_s));
        QTRY_VERIFY_WITH_TIMEOUT(screen->headline().contains(u"because of rank 2"_s), kPatience);
        end(u"Hang"_s, hands);
    }

    void manyRuns_data() { sizes(); }
    void manyRuns() {
        Hands hands = begin();
        hands.drop({path("nights")});
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().runPaths().size(), 3, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window_->shownAnalysis() && !window_->isBusy(), kPatience);
        QPushButton* study = buttonOf(window_->runsPanel(), u"Study"_s);
        QVERIFY(study != nullptr);
        hands.click(study, study->rect().center());
        QCOMPARE(window_->screenShown(), u"study"_s);
        auto* screen = qobject_cast<StudyScreen*>(window_->analysisScreen(u"study"_s));
        QTRY_VERIFY_WITH_TIMEOUT(screen->isReady() && screen->table().model()->rowCount() == 3, kPatience);
        end(u"Many runs"_s, hands);
    }

    void sql_data() { sizes(); }
    void sql() {
        open("slow");
        Hands hands(*window_);
        hands.press(Qt::Key_4, Qt::AltModifier);
        QCOMPARE(window_->screenShown(), QString(MainWindow::timelineScreen));
        auto* panel = window_->findChild<QueryPanel*>();
        QTRY_VERIFY(panel->isVisible() && panel->isAncestorOf(window_->focusWidget()));
        hands.type(u"select rank, count(*) from kernel group by rank "_s);
        hands.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isBusy() && panel->table().model()->rowCount() == 4, kPatience);
        end(u"SQL"_s, hands);
    }

private:
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

    static void sizes() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("theme");
        QTest::newRow("small, light") << QSize(1280, 800) << u"light"_s;
        QTest::newRow("large, dark") << QSize(2560, 1440) << u"dark"_s;
    }

    /// "| Late rank and its place | 1 | ... |" of docs/tour.md.
    void readAllowed() {
        QFile page(QStringLiteral(RANKSCOPE_SOURCE_DIR "/docs/tour.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        for (const QString& line : QString::fromUtf8(page.readAll()).split(u'\n')) {
            bool isNumber = false;
            const int actions = line.section(u'|', 2, 2).trimmed().toInt(&isNumber);
            if (line.startsWith(u'|') && isNumber)
                allowed_[line.section(u'|', 1, 1).trimmed()] = actions;
        }
        QCOMPARE(allowed_.size(), std::size_t{8});
    }

    Hands begin() {
        QFETCH(const QSize, size);
        QFETCH(const QString, theme);
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->commands().action(u"theme-"_s + theme)->trigger();
        window_->resize(size);
        window_->show();
        window_->activateWindow();
        [&] { QVERIFY(QTest::qWaitForWindowActive(window_.get())); }();
        return Hands(*window_);
    }
    void open(const char* name) {
        begin();
        window_->addPaths({path(name)});
        QTRY_VERIFY_WITH_TIMEOUT(window_->shownAnalysis() && !window_->isBusy(), kPatience);
        QCOMPARE(window_->screenShown(), QString(MainWindow::overviewScreen));
    }
    void clickTab(Hands& hands, const QString& title) const {
        for (auto* tabs : window_->findChildren<QTabBar*>())
            for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab)
                if (QString(tabs->tabText(tab)).remove(u'&') == title)
                    return hands.click(tabs, tabs->tabRect(tab).center());
        QFAIL(qPrintable(title));
    }
    void end(const QString& task, const Hands& hands) const {
        QVERIFY2(allowed_.contains(task), qPrintable(task));
        QCOMPARE(hands.actions(), allowed_.at(task));
        const QString folder = qEnvironmentVariable("RANKSCOPE_WALK_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(500); // what is drawn in the background is there
        QVERIFY(QDir().mkpath(folder));
        const QString name = task + u' ' + QString::fromUtf8(QTest::currentDataTag());
        QVERIFY(window_->grab().save(folder + u'/' + name.toLower().remove(u',').replace(u' ', u'-') + u".png"_s));
    }

    QTemporaryDir folder_;
    std::map<QString, int> allowed_; ///< by task
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestWalk)

} // namespace rankscope::walk_test

#include "test_walk.moc"
