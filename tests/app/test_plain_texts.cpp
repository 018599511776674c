// SPDX-License-Identifier: GPL-3.0-or-later
// A run in which every string is HTML: the window shows each as it is. Qt opens the file of an <img> in a label or
// tooltip, whatever it is: a FIFO froze the window.
#include <QHelpEvent>
#include <QLabel>
#include <QMessageBox>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include "app/window/main_window.h"
#include "app/window/screens.h"
#include "tests/app/run_program.h"
#include "tests/support/opened_window.h"
#include "tests/support/shown_texts.h"
#include "tests/support/test_program.h"

namespace rankscope::plain_texts_test {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Text of a name that is a tag to Qt.
const QByteArray kTag = "<img src='/dev/zero'> <h1>x</h1>";

QByteArray event(const QByteArray& category, int pid, int tid, int start, int duration, const QByteArray& args) {
    return "{\"ph\":\"X\",\"cat\":\"" + category + "\",\"name\":\"" + kTag + "\",\"pid\":" + QByteArray::number(pid) +
           ",\"tid\":" + QByteArray::number(tid) + ",\"ts\":" + QByteArray::number(start) +
           ",\"dur\":" + QByteArray::number(duration) + ",\"args\":{" + args + "}}";
}

/// A GPU, its threads, groups, kernels, operators, annotations, modules, counters and settings, all of that name.
QByteArray trace(int rank) {
    QByteArray events = "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":77,\"tid\":77,\"args\":{\"name\":\"" + kTag +
                        "\"}},{\"ph\":\"C\",\"name\":\"" + kTag + "\",\"pid\":77,\"tid\":77,\"ts\":1001,\"args\":{\"" +
                        kTag + "\":3}}";
    for (int i = 0; i < 3; ++i) {
        const int t = 1000 + 100 * i;
        const QByteArray link = "\"correlation\":" + QByteArray::number(i + 1);
        events += ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#" + QByteArray::number(i) +
                  "\",\"pid\":77,\"tid\":77,\"ts\":" + QByteArray::number(t) + ",\"dur\":100,\"args\":{}}," +
                  event("user_annotation", 77, 77, t + 1, 90, "") + ',' + event("cpu_op", 77, 77, t + 2, 80, "") + ',' +
                  event("cuda_runtime", 77, 77, t + 3, 2, link) + ',' +
                  event("kernel", 0, 7, t + 10, 40 + 10 * rank,
                        link + ",\"device\":0,\"stream\":7,\"Collective name\":\"" + kTag +
                            "\",\"In msg nelems\":8,\"Out msg nelems\":8,\"dtype\":\"" + kTag +
                            "\",\"Group size\":2,\"Process Group Name\":\"" + kTag +
                            "\",\"Process Group Description\":\"" + kTag + "\",\"Process Group Ranks\":\"[0, 1]\"");
    }
    return "{\"distributedInfo\":{\"rank\":" + QByteArray::number(rank) + ",\"world_size\":2,\"backend\":\"" + kTag +
           "\"},\"deviceProperties\":[{\"id\":0,\"name\":\"" + kTag +
           "\",\"totalGlobalMem\":8000000000,\"numSms\":100}],\"" + kTag + "\":\"" + kTag + "\",\"traceEvents\":[" +
           events + "]}";
}

} // namespace

class TestPlainTexts : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    static void everyLabelIsPlain(const QWidget& window) {
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            label->ensurePolished();
            const QString where = label->objectName() + u' ' + label->accessibleName() + u": "_s + label->text();
            QVERIFY2(label->textFormat() != Qt::AutoText, qPrintable(where));
            QVERIFY2(label->textFormat() == Qt::PlainText || !label->text().contains(u"<img"_s), qPrintable(where));
        }
    }
    static const QLabel* shownTip() {
        for (const QWidget* widget : QApplication::topLevelWidgets())
            if (widget->inherits("QTipLabel"))
                return qobject_cast<const QLabel*>(widget);
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        for (const char* home : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            qputenv(home, folder_.path().toUtf8());
        const QString run = folder_.filePath(u"<h1> <img src='x'>"_s);
        for (int rank = 0; rank < 2; ++rank)
            test::write_file(run + u"/rank%1_trace.json"_s.arg(rank), trace(rank));
        window_ = openedWindow(run);
        QVERIFY(window_ != nullptr);
    }
    void cleanupTestCase() { window_.reset(); }

    void everyScreenShowsTextsAsTheyAre() {
        int tags = 0;
        for (const ScreenEntry& screen : screenEntries()) {
            window_->showScreen(screen.id);
            QTest::qWait(50);
            QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), 60'000);
            everyLabelIsPlain(*window_);
            test::eachShownText(*window_, [&](const QString& text, const QString& where) {
                QVERIFY2(!text.contains(u"&lt;"_s), qPrintable(where + u": "_s + text));
                tags += text.contains(u"<img"_s) ? 1 : 0;
            });
        }
        QVERIFY(tags > 10); // the names are there
    }

    void tooltipsShowTextsAsTheyAre() {
        for (const char* text : {"<img src='/dev/zero'>", "<h1>x</h1>", "<qt>a</qt>"}) {
            QToolTip::showText({10, 10}, QString::fromLatin1(text), window_.get());
            const QLabel* tip = shownTip();
            QVERIFY(tip != nullptr);
            QCOMPARE(tip->textFormat(), Qt::PlainText);
            QCOMPARE(tip->text(), QString::fromLatin1(text));
            QToolTip::hideText();
        }
    }

    void messageBoxesShowTextsAsTheyAre() {
        QMessageBox box(QMessageBox::Information, u"<h1>"_s, u"<img src='/dev/zero'>"_s, QMessageBox::Ok,
                        window_.get());
        box.setInformativeText(u"<h1>x</h1>"_s);
        box.show();
        everyLabelIsPlain(box);
        box.close();
    }

    void whatsThisShowsNothing() {
        window_->setWhatsThis(u"<img src='/dev/zero'>"_s);
        QHelpEvent event(QEvent::WhatsThis, {1, 1}, window_->mapToGlobal(QPoint(1, 1)));
        QCoreApplication::sendEvent(window_.get(), &event);
        window_->setWhatsThis({});
        for (const QWidget* widget : QApplication::topLevelWidgets())
            QVERIFY(!widget->inherits("QWhatsThat"));
    }
};

RANKSCOPE_GUI_TEST(TestPlainTexts)

} // namespace rankscope::plain_texts_test

#include "test_plain_texts.moc"
