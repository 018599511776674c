// SPDX-License-Identifier: GPL-3.0-or-later
// A row of widgets that goes on in the next line.
#include <QtTest>

#include <array>

#include "tests/support/test_program.h"
#include "widgets/flow_layout.h"

namespace rankscope::flow_layout_test {

class TestFlowLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatDoesNotFitGoesIntoTheNextLine() {
        QWidget all;
        auto* row = new FlowLayout(&all);
        row->setContentsMargins({});
        row->setSpacing(4);
        std::array<QWidget*, 4> parts{};
        for (QWidget*& part : parts) {
            part = new QWidget;
            part->setFixedSize(50, 20);
            row->addWidget(part);
        }
        parts[1]->hide(); // takes no room
        QCOMPARE(row->sizeHint(), QSize(158, 20));
        QCOMPARE(row->minimumSize(), QSize(50, 20));
        QCOMPARE(row->heightForWidth(158), 20);
        QCOMPARE(row->heightForWidth(157), 44);
        QCOMPARE(row->heightForWidth(10), 68);
        all.resize(120, 44);
        all.show();
        QCOMPARE(parts[2]->pos(), QPoint(54, 0));
        QCOMPARE(parts[3]->pos(), QPoint(0, 24));
        delete row->takeAt(0);
        QCOMPARE(row->count(), 3);
        QVERIFY(row->takeAt(7) == nullptr);
    }
};

RANKSCOPE_GUI_TEST(TestFlowLayout)

} // namespace rankscope::flow_layout_test

#include "test_flow_layout.moc"
