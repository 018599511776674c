// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Glossary: opened by its menu entry, and a word typed into it.
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTest>
#include <QTreeWidget>

#include "app/window/glossary_dialog.h"
#include "app/window/main_window.h"
#include "tests/support/test_program.h"

namespace rankscope::glossary_test {
using namespace Qt::Literals::StringLiterals;

class TestGlossary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWordThatIsTypedIsExplained() {
        MainWindow window(GuiOptions{});
        window.show();
        QMenu* help = nullptr;
        for (QAction* entry : window.menuBar()->actions())
            if (entry->text() == "&Help"_L1)
                help = entry->menu();
        QVERIFY(help != nullptr);
        help->popup(window.mapToGlobal(QPoint(0, 0)));
        for (QAction* entry : help->actions())
            if (entry->text() == "&Glossary"_L1)
                QTest::mouseClick(help, Qt::LeftButton, {}, help->actionGeometry(entry).center());
        const auto* dialog = window.findChild<GlossaryDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QVERIFY(shown(*dialog).contains(u"Exposed communication"_s)); // a metric
        QTest::keyClicks(&dialog->filter(), u"microbatch"_s);
        QCOMPARE(shown(*dialog).first(2), (QStringList{u"bubble"_s, u"microbatch"_s}));
        QTest::keyClicks(&dialog->filter(), u" that nobody knows"_s);
        QCOMPARE(shown(*dialog), QStringList());
    }

    /// "Iteration" was another word for it in tables, tips and the tour.
    void aStepHasOneWordInTheWindow() {
        static const QRegularExpression kText(u"\\btr\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"_s);
        int texts = 0;
        for (const QString& folder : {u"/app"_s, u"/widgets"_s}) {
            QDirIterator files(QStringLiteral(RANKSCOPE_SOURCE_DIR) + folder, {u"*.cpp"_s, u"*.h"_s}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (const auto& match : kText.globalMatch(QString::fromUtf8(file.readAll()))) {
                    ++texts;
                    QVERIFY2(!match.captured(1).contains(u"iteration"_s, Qt::CaseInsensitive),
                             qPrintable(file.fileName() + u": "_s + match.captured(1)));
                }
            }
        }
        QVERIFY(texts > 1000);
    }

private:
    static QStringList shown(const GlossaryDialog& dialog) {
        QStringList words;
        for (int i = 0; i < dialog.list().topLevelItemCount(); ++i)
            for (int j = 0; j < dialog.list().topLevelItem(i)->childCount(); ++j)
                if (const QTreeWidgetItem* item = dialog.list().topLevelItem(i)->child(j); !item->isHidden())
                    words << item->text(0);
        return words;
    }
};

RANKSCOPE_GUI_TEST(TestGlossary)

} // namespace rankscope::glossary_test

#include "test_glossary.moc"
