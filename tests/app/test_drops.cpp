// SPDX-License-Identifier: GPL-3.0-or-later
// What is dropped on the window may be anything: it lists what can be a run, says what cannot, and stays usable.
#include <memory>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QMimeData>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <filesystem>

#include <sys/stat.h>

#include "app/window/main_window.h"
#include "tests/app/run_program.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "tests/support/user_input.h"

namespace rankscope::drops_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

class TestDrops : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    [[nodiscard]] QString at(const QString& name) const { return folder_.filePath(name); }

    void drop(const QList<QUrl>& urls) const {
        QMimeData data;
        data.setUrls(urls);
        dropOn(*window_, data);
    }
    /// The run that was open before is still there, and another can be opened.
    void verifyUsable() {
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), 60'000);
        QVERIFY(QFile::exists(at(u"run/rank0_trace.json"_s)));
        window_->addPaths({at(u"run"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(window_->viewState().run() != nullptr && !window_->isBusy(), 60'000);
        QCOMPARE(window_->viewState().run()->ranks.size(), std::size_t{2});
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        write_step_run(at(u"run"_s));
    }
    void init() {
        window_ = openedWindow(at(u"run"_s));
        QVERIFY(window_);
    }
    void cleanup() { window_.reset(); }

    void hostileFoldersAreNoProblem_data() {
        QTest::addColumn<QStringList>("names");
        QDir().mkpath(at(u"empty"_s));
        QDir().mkpath(at(u"circle/deep/deeper"_s));
        std::filesystem::create_directory_symlink("../..", at(u"circle/deep/up"_s).toStdString());
        std::filesystem::create_directory_symlink(".", at(u"self"_s).toStdString());
        std::filesystem::create_symlink("nowhere", at(u"dangling"_s).toStdString());
        std::filesystem::create_symlink("loop", at(u"loop"_s).toStdString());
        ::mkfifo(qPrintable(at(u"fifo_trace.json"_s)), 0600);
        QDir().mkpath(at(u"fifos"_s));
        ::mkfifo(qPrintable(at(u"fifos/rank0_trace.json"_s)), 0600);
        write_file(at(u"odd\n\x1b[31m\u202E<b>&amp;\uFFFE/rank0_trace.json"_s), "garbage");
        QString deep = at(u"deep"_s);
        for (int i = 0; i < 200; ++i)
            deep += u"/d"_s;
        QDir().mkpath(deep);
        write_file(deep + u"/rank0_trace.json"_s, step_trace(0));
        QDir().mkpath(at(u"folder.json"_s));
        for (const char* name : {"empty", "circle", "self", "dangling", "loop", "fifo_trace.json", "fifos",
                                 "folder.json", "deep", "not there"})
            QTest::newRow(name) << QStringList{QString::fromLatin1(name)};
        QTest::newRow("signs") << QStringList{u"odd\n\x1b[31m\u202E<b>&amp;\uFFFE"_s};
        QTest::newRow("all at once") << QStringList{u"empty"_s, u"circle"_s, u"self"_s,        u"dangling"_s,
                                                    u"loop"_s,  u"fifos"_s,  u"folder.json"_s, u"deep"_s,
                                                    u"run"_s,   u"run"_s,    u"run/../run"_s};
        QTest::newRow("devices") << QStringList{u"/dev/zero"_s, u"/dev/null"_s, u"/proc/self/mem"_s, u"/dev/full"_s};
    }
    void hostileFoldersAreNoProblem() {
        QFETCH(QStringList, names);
        QList<QUrl> urls;
        for (const QString& name : names)
            urls << QUrl::fromLocalFile(name.startsWith(u'/') ? name : at(name));
        drop(urls);
        verifyUsable();
    }

    void whatIsNoFileIsNotTaken() {
        drop({QUrl(u"http://example.invalid/run"_s), QUrl(u"javascript:alert(1)"_s), QUrl(u"file://host/run"_s),
              QUrl()});
        verifyUsable();
    }

    void thousandsAtOnceAreTaken() {
        QList<QUrl> urls;
        for (int i = 0; i < 2'000; ++i)
            urls << QUrl::fromLocalFile(at(u"missing %1"_s.arg(i)));
        QElapsedTimer timer;
        timer.start();
        drop(urls);
        QVERIFY2(timer.elapsed() < 30'000, qPrintable(QString::number(timer.elapsed())));
        verifyUsable();
    }
};

RANKSCOPE_GUI_TEST(TestDrops)

} // namespace rankscope::drops_test

#include "test_drops.moc"
