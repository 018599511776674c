// SPDX-License-Identifier: GPL-3.0-or-later
// A tour of the window in a few steps.
#include "app/window/tour.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/palette.h"

namespace rankscope {

namespace {

constexpr int kWidth = 380;
constexpr int kFromEdge = 24;
constexpr int kFrameWidth = 3;

/// A frame over the target; clicks go through it.
class TargetFrame : public QWidget {
public:
    explicit TargetFrame(QWidget* window) : QWidget(window) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(QPen(hue(Hue::marker, isDark(palette())), kFrameWidth));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
};

} // namespace

Tour::Tour(std::vector<TourStep> steps, QWidget* window)
    : QFrame(window), steps_(std::move(steps)), frame_(new TargetFrame(window)), count_(new QLabel), title_(new QLabel),
      text_(new QLabel), back_(new QPushButton(tr("&Back"))), next_(new QPushButton) {
    setAccessibleName(tr("Tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setFixedWidth(kWidth);
    setFocusPolicy(Qt::StrongFocus);
    QFont bold = title_->font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    title_->setFont(bold);
    count_->setForegroundRole(QPalette::PlaceholderText);
    title_->setWordWrap(true);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    auto* leave = new QPushButton(tr("&Skip the tour"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(leave);
    buttons->addStretch();
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(count_);
    layout->addWidget(title_);
    layout->addWidget(text_);
    layout->addLayout(buttons);
    connect(leave, &QPushButton::clicked, this, &Tour::leave);
    connect(back_, &QPushButton::clicked, this, &Tour::back);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    window->installEventFilter(this);
    hide();
}

Tour::~Tour() { delete frame_; }

void Tour::start() {
    showStep(0);
    show();
    next_->setFocus();
}

void Tour::next() {
    if (step_ + 1 < static_cast<int>(steps_.size()))
        showStep(step_ + 1);
    else
        leave();
}

void Tour::back() {
    if (step_ > 0)
        showStep(step_ - 1);
}

void Tour::leave() {
    hide();
    frame_->hide();
    Q_EMIT finished();
}

void Tour::showStep(int step) {
    step_ = step;
    const TourStep& now = steps_[static_cast<std::size_t>(step)];
    if (now.show)
        now.show();
    count_->setText(tr("%1 of %2").arg(step + 1).arg(steps_.size()));
    title_->setText(now.title);
    text_->setText(now.text);
    setAccessibleDescription(now.title + QStringLiteral(". ") + now.text);
    back_->setEnabled(step > 0);
    next_->setText(step + 1 < static_cast<int>(steps_.size()) ? tr("&Next") : tr("&Done"));
    next_->setFocus();
    // What was just brought to the screen has its size only after its layout.
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
}

void Tour::place() {
    adjustSize();
    move(parentWidget()->width() - width() - kFromEdge, parentWidget()->height() - height() - kFromEdge);
    const QPointer<QWidget> target = steps_[static_cast<std::size_t>(step_)].target;
    frame_->setVisible(isVisible() && target != nullptr && target->isVisible());
    if (frame_->isVisible()) {
        const QRect around(target->mapTo(parentWidget(), QPoint()), target->size());
        frame_->setGeometry(
            around.adjusted(-kFrameWidth, -kFrameWidth, kFrameWidth, kFrameWidth).intersected(parentWidget()->rect()));
        frame_->raise();
    }
    raise();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return leave();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return next();
    QFrame::keyPressEvent(event);
}

} // namespace rankscope
