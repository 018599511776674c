// SPDX-License-Identifier: GPL-3.0-or-later
// The first minute: what the start page offers, and that its templates are those that are installed and documented.
#include <cstdlib>

#include <QClipboard>
#include <QIcon>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/app/run_program.h"
#include "tests/support/test_program.h"
#include "widgets/panels/recording_guide.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/start_page.h"

namespace rankscope::start_page_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

class TestStartPage : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    static QPushButton* button(const QWidget& page, const QString& text) {
        for (QPushButton* candidate : page.findChildren<QPushButton*>())
            if (QString(candidate->text()).remove(u'&').startsWith(text))
                return candidate;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path()); }

    void withoutRunsTheWindowSaysHowToGetOne() {
        MainWindow window(GuiOptions{}); // which also brings the resources
        for (const QString& text :
             {u"Open a folder"_s, u"Open one file"_s, u"Try the demo"_s, u"Copy"_s, u"Save all templates"_s})
            QVERIFY2(button(window.startPage(), text) != nullptr, qPrintable(text));
        const RecordingGuide& guide = window.startPage().guide();
        QCOMPARE(guide.tabs().count(), 7);
        QSet<QString> texts;
        for (int tab = 0; tab < guide.tabs().count(); ++tab) {
            guide.tabs().setCurrentIndex(tab);
            QVERIFY(guide.shownText().size() > 50);
            texts << guide.shownText();
            button(guide, u"Copy"_s)->click();
            QCOMPARE(QApplication::clipboard()->text(), guide.shownText());
        }
        QCOMPARE(texts.size(), 7);
    }

    /// By a click, as a newcomer does.
    void theDemoButtonOpensTheDemo() {
        QTemporaryDir temporary;
        qputenv("TMPDIR", temporary.path().toUtf8());
        {
            MainWindow window(GuiOptions{});
            window.show();
            QSignalSpy analysed(&window, &MainWindow::runAnalysed);
            QTest::mouseClick(button(window.startPage(), u"Try the demo"_s), Qt::LeftButton);
            QVERIFY(analysed.wait(60'000));
            QCOMPARE(window.runs().runPaths().size(), 2);
        }
        qunsetenv("TMPDIR");
    }

    /// As sharp on a screen of 300 % as on that where the window was made.
    void theLogoIsDrawnForTheScreenThatShowsIt() {
        MainWindow window(GuiOptions{});
        window.show();
        constexpr int kRatio = 3;
        QImage page(window.startPage().size() * kRatio, QImage::Format_ARGB32_Premultiplied);
        page.setDevicePixelRatio(kRatio);
        page.fill(Qt::white);
        window.startPage().render(&page, {}, {}, QWidget::DrawChildren);
        QImage logo(QSize(56, 56) * kRatio, QImage::Format_ARGB32_Premultiplied);
        logo.fill(Qt::white);
        QPainter(&logo).drawPixmap(0, 0, QIcon(u":/rankscope/rankscope.svg"_s).pixmap(QSize(56, 56) * kRatio, 1));
        const QWidget* column = button(window.startPage(), u"Open a folder"_s)->parentWidget();
        const QPoint at = column->mapTo(&window.startPage(), QPoint()) * kRatio;
        int different = 0;
        for (int x = 0; x < logo.width(); ++x)
            for (int y = 0; y < logo.height(); ++y)
                different += std::abs(qGray(page.pixel(at + QPoint(x, y))) - qGray(logo.pixel(x, y))) > 40;
        QVERIFY2(different * 100 < logo.width() * logo.height(), qPrintable(QString::number(different)));
    }

    /// The window, started as by a user: the demo's folder is there, and gone after SIGTERM.
    void endedFromOutsideItLeavesNothingBehind() {
        QTemporaryDir temporary, home;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        environment.insert(u"TMPDIR"_s, temporary.path());
        environment.insert(u"XDG_CONFIG_HOME"_s, home.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(RANKSCOPE_PROGRAM), {u"--demo"_s});
        const QDir there(temporary.path());
        QTRY_VERIFY_WITH_TIMEOUT(!there.entryList({u"rankscope-demo-*"_s}, QDir::Dirs).isEmpty(), 30'000);
        process.terminate();
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(there.entryList({u"rankscope*"_s}, QDir::Dirs), QStringList());
    }

    void theLinesShownAreThoseOfTheDocumentation() {
        const QByteArray lines =
            read_file(QStringLiteral(RANKSCOPE_SOURCE_DIR "/packaging/recording/pytorch_lines.py"));
        QVERIFY(!lines.isEmpty());
        QVERIFY(read_file(QStringLiteral(RANKSCOPE_SOURCE_DIR "/docs/recording.md")).contains(lines));
        MainWindow window(GuiOptions{});
        window.startPage().guide().tabs().setCurrentIndex(0);
        QCOMPARE(window.startPage().guide().shownText().toUtf8(), lines);
    }

    void theTemplatesAreSavedAsTheyAreAndNothingIsOverwritten() {
        MainWindow window(GuiOptions{});
        const QString folder = folder_.filePath(u"templates"_s);
        QDir().mkpath(folder);
        QCOMPARE(RecordingGuide::saveTemplates(folder), QString());
        const QDir sources(QStringLiteral(RANKSCOPE_SOURCE_DIR "/packaging/recording"));
        QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name), sources.entryList(QDir::Files, QDir::Name));
        for (const QString& name : sources.entryList(QDir::Files)) {
            QCOMPARE(read_file(folder + u'/' + name), read_file(sources.filePath(name)));
            QCOMPARE(QFileInfo(folder + u'/' + name).isExecutable(),
                     read_file(sources.filePath(name)).startsWith("#!"));
        }
        QVERIFY(RecordingGuide::saveTemplates(folder).contains(u"is there already"_s));
    }
};

RANKSCOPE_GUI_TEST(TestStartPage)

} // namespace rankscope::start_page_test

#include "test_start_page.moc"
