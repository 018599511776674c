// SPDX-License-Identifier: GPL-3.0-or-later
// A frame around the widget that the keyboard works on.
#include "widgets/focus_frame.h"

#include <algorithm>
#include <array>

#include <QAbstractItemView>
#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace rankscope {

namespace {

class Frame : public QWidget {
public:
    explicit Frame(QWidget* around) : QWidget(around) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setGeometry(around->rect());
        around->installEventFilter(this);
        show();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == parentWidget() && event->type() == QEvent::Resize)
            setGeometry(parentWidget()->rect());
        return QWidget::eventFilter(watched, event);
    }
};

bool showsNothing(const QWidget& widget) {
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget))
        return view->model() != nullptr && view->model()->rowCount() > 0 && !view->currentIndex().isValid();
    // Of these the stack of pages has the keys only until the page is filled.
    constexpr std::array kOwn{"rankscope::TimelineView", "rankscope::LaneHeaders", "rankscope::StepPanel",
                              "rankscope::Tile", "rankscope::PageStack"};
    constexpr std::array kOfTheStyle{
        "QAbstractButton", "QAbstractScrollArea", "QAbstractSpinBox", "QAbstractSlider", "QComboBox",
        "QLabel",          "QLineEdit",           "QTabBar"};
    const auto is = [&](const char* name) { return widget.inherits(name); };
    return QByteArrayView(widget.metaObject()->className()).startsWith("rankscope::") &&
           std::ranges::none_of(kOwn, is) && std::ranges::none_of(kOfTheStyle, is);
}

} // namespace

FocusFrame::FocusFrame(QObject* parent) : QObject(parent) {
    connect(
        qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusFrame::follow(QWidget* focused) {
    delete frame_;
    if (focused != nullptr && QApplication::mouseButtons() == Qt::NoButton && showsNothing(*focused))
        frame_ = new Frame(focused);
}

} // namespace rankscope
