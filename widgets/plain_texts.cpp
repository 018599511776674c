// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plain_texts.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace rankscope {

namespace {

/// Qt polishes a label before it first looks at its text: the one inside a message box, and that of a tooltip, too.
class PlainTexts : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::WhatsThis || event->type() == QEvent::QueryWhatsThis)
            return true;
        if (event->type() == QEvent::Polish)
            if (auto* const label = qobject_cast<QLabel*>(watched);
                label != nullptr && label->textFormat() == Qt::AutoText)
                label->setTextFormat(Qt::PlainText);
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

void showTextsAsTheyAre() {
    static PlainTexts* filter = nullptr;
    if (filter == nullptr)
        qApp->installEventFilter(filter = new PlainTexts(qApp));
}

} // namespace rankscope
