// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Glossary: opened by its menu entry, and a word typed into it.
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
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
