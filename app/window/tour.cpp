// SPDX-License-Identifier: GPL-3.0-or-later
// A tour of the window in a few steps.
#include "app/window/tour.h"

#include <algorithm>
#include <array>
#include <cstdint>

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
constexpr int kFromTop = 64; ///< below the menus and the tabs
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
    if (now.target != nullptr)
        now.target->installEventFilter(this);
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

/// In the lower right corner, or where it covers least of what it explains: right above that, in another corner.
QPoint Tour::placeBeside(const QRect& explained) const {
    const int right = parentWidget()->width() - width() - kFromEdge;
    const int bottom = parentWidget()->height() - height() - kFromEdge;
    const auto covered = [&](QPoint at) {
        const QRect both = QRect(at, size()) & explained;
        return static_cast<std::int64_t>(both.width()) * both.height();
    };
    const int above = std::max(kFromTop, explained.top() - height() - kFromEdge / 2);
    return std::ranges::min(std::array{QPoint(right, bottom), QPoint(right, above), QPoint(right, kFromTop),
                                       QPoint(kFromEdge, bottom), QPoint(kFromEdge, kFromTop)},
                            {}, covered);
}

void Tour::place() {
    adjustSize();
    move(placeBeside({}));
    const QPointer<QWidget> target = steps_[static_cast<std::size_t>(step_)].target;
    frame_->setVisible(isVisible() && target != nullptr && target->isVisible());
    if (frame_->isVisible()) {
        const QRect around(target->mapTo(parentWidget(), QPoint()), target->size());
        move(placeBeside(around & parentWidget()->rect()));
        frame_->setGeometry(
            around.adjusted(-kFrameWidth, -kFrameWidth, kFrameWidth, kFrameWidth).intersected(parentWidget()->rect()));
        frame_->raise();
    }
    raise();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    const bool changes =
        event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::Hide;
    if (changes && isVisible()) // of the window, or of what is explained
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
